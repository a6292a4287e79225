// What a run has to say on standard error: messages, each once, and how far it is.

import FancyTextBasics
import FancyText
import FancyTextPlatform

/// Prints messages in the order in which they come.
final class MessagePrinter {
    /// Notes and warnings are not printed.
    private let hidesRemarks: Bool
    /// A note is printed once, not at every place.
    private let joinsNotes: Bool
    /// Notes and warnings are counted, and ``finish()`` says how many there are: on a terminal, and beside text that a person
    /// reads.
    private let isBrief: Bool
    private var held: (first: Diagnostic, count: Int)?
    /// Errors that other rows had before, by their reasons: how many more there are.
    private var repeated: [(reason: String, count: Int)] = []
    private let printer: DiagnosticPrinter
    /// Messages that are not about one input (style sheets, fonts) are printed for the first input that causes them.
    private var said: [Said] = []
    private var places = HashIndex()
    /// What has no effect says so once, not at every place.
    private var notes: Set<String> = []
    private var bar: ProgressBar?

    /// What tells messages apart. Line and column are found once: a message finds them at every question.
    private struct Said {
        let severity: Diagnostic.Severity
        let message: String
        let location: Diagnostic.Location?

        func isSame(as other: Diagnostic, at place: Diagnostic.Location?) -> Bool {
            location?.column == place?.column && severity == other.severity && message == other.message
                && location == place
        }

        /// The place tells nearly all apart.
        static func hash(of message: Diagnostic, at place: Diagnostic.Location?) -> Int {
            place.map { $0.line << 32 ^ $0.column } ?? message.message.hashValue
        }
    }

    /// - Parameter isBesideText: whether the result is text that goes to standard output, for a terminal or a mail reader.
    init(_ arguments: DiagnosticArguments, isBesideText: Bool) {
        isBrief =
            arguments.diagnostics == nil && !arguments.strict && (isBesideText || isatty(STDERR_FILENO) == 1)
        hidesRemarks = arguments.quiet && !arguments.strict
        joinsNotes = arguments.diagnostics == nil
        printer = arguments.printer
        bar = arguments.quiet ? nil : ProgressBar()
    }

    func print(_ message: Diagnostic) { print(CollectionOfOne(message)) }

    /// Prints a message, unless one for the same reason was printed; those are counted.
    func print(_ message: Diagnostic, like reason: String?) {
        guard let reason, joinsNotes else { return print(message) }
        if let known = repeated.firstIndex(where: { $0.reason == reason }) { return repeated[known].count += 1 }
        if repeated.count < Self.reasons { repeated.append((reason, 0)) }
        print(message)
    }

    /// Prints messages with a write for many of them.
    func print(_ messages: some Collection<Diagnostic>) {
        guard !messages.isEmpty else { return }
        places.reserve(min(Self.memory, said.count + messages.count))
        var text = MessageText(capacity: Self.longestWrite)
        defer { text.free() }
        for message in messages {
            append(message, &text)
            if text.bytes.count >= Self.longestWrite { write(&text) }
        }
        if text.bytes.count > 0 { write(&text) }
    }

    private func write(_ text: inout MessageText) {
        bar?.hide()
        FileAccess.writeStandardError(text.bytes.elements)
        text.bytes.count = 0
    }

    /// Appends what is printed of a message: nothing, if it was before.
    private func append(_ message: Diagnostic, _ text: inout MessageText) {
        if hidesRemarks, message.severity != .error { return }
        message.withPlace { append(message, at: $0, in: $1, &text) }
    }

    private func append(
        _ message: Diagnostic, at location: Diagnostic.Location?, in file: Diagnostic.FilePlace?,
        _ text: inout MessageText
    ) {
        if said.count < Self.memory {
            let hash = Said.hash(of: message, at: location)
            guard places.position(of: hash, where: { said[$0].isSame(as: message, at: location) }) == nil else {
                return
            }
            places.insert(said.count, hash: hash)
            said.append(Said(severity: message.severity, message: message.message, location: location))
        }
        if message.severity == .note, joinsNotes, !notes.insert(message.message).inserted { return }
        if isBrief, message.severity != .error, !message.isAboutRun {
            held = (held?.first ?? message, (held?.count ?? 0) + 1)
            return
        }
        printer.append(message, at: location, in: file, to: &text)
    }

    /// Says how many messages were not printed; a single one is printed in one line. Called after the result is written.
    func finish() {
        for (reason, count) in repeated where count > 0 {
            print(Diagnostic(.error, .furtherMessages, "\(count) more \(count == 1 ? "row" : "rows"): \(reason)"))
        }
        repeated = []
        guard let held else { return }
        self.held = nil
        if held.count == 1 { return printer.print(held.first, hasExcerpt: false) }
        FileAccess.writeStandardError("fancytext: \(held.count) messages; --diagnostics shows them\n")
    }

    /// How many results an earlier run had made.
    func printHits(_ count: Int, of all: Int) {
        print(Diagnostic(.note, .cachedResults, "\(count) of \(all) results came from the cache"))
    }

    /// Messages that are remembered.
    private static let memory = 10_000
    /// Reasons that are remembered.
    private static let reasons = 100
    /// Messages are gathered up to so many bytes.
    private static let longestWrite = 1 << 15

    func showProgress(_ done: Int, of all: Int) { bar?.show(done, of: all) }

    func endProgress() { bar?.hide() }
}

extension Diagnostic {
    /// A Boolean value that indicates whether the message is about options or the run, not about a document.
    fileprivate var isAboutRun: Bool { [.ignoredOption, .skippedRows, .cachedResults].contains(code) }
}

/// One line on a terminal, there only when the work takes longer than a second.
struct ProgressBar {
    private var isShown = false
    private var shownCount = -1
    private var shownSecond = -1
    private let begin: Double

    /// Nil when standard error is no terminal that can take a line back.
    init?() {
        guard isatty(STDERR_FILENO) == 1, Terminal.environment("TERM") != "dumb" else { return nil }
        begin = Self.now
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    mutating func show(_ done: Int, of all: Int) {
        let seconds = Self.now - begin
        // Again for another second, whose rate may differ.
        guard all > 1, done != shownCount || Int(seconds) != shownSecond || !isShown, seconds > 1 else { return }
        isShown = true
        (shownCount, shownSecond) = (done, Int(seconds))
        let line = Self.line(done, of: all, seconds: seconds, columns: Terminal.columns())
        FileAccess.writeStandardError("\r\u{1B}[K" + line)
    }

    mutating func hide() {
        guard isShown else { return }
        isShown = false
        FileAccess.writeStandardError("\r\u{1B}[K")
    }

    /// `[######------]  31/100 files  12/s  0:06 left`, without what a narrow terminal has no room for.
    static func line(_ done: Int, of all: Int, seconds: Double, columns: Int) -> String {
        let count = String(repeating: " ", count: max(0, "\(all)".count - "\(done)".count)) + "\(done)/\(all)"
        var parts = [count + " files"]
        if done > 0, seconds > 0 {
            let rate = Double(done) / seconds
            parts.append(rate >= 10 ? "\(Int(bounded: rate.rounded()))/s" : "\((rate * 10).rounded() / 10)/s")
            let left = Int(bounded: (Double(all - done) / rate).rounded(.up))
            parts.append("\(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60) left")
        }
        // The last column stays free: terminals wrap there.
        let room = max(1, columns - 1)
        var text = parts.joined(separator: "  ")
        while text.count > room, parts.count > 1 {
            parts.removeLast()
            text = parts.joined(separator: "  ")
        }
        if text.count > room { text = String(count.prefix(room)) }
        let width = min(30, room - text.count - 3)
        guard width >= 5 else { return text }
        let filled = done * width / max(1, all)
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled) + "] " + text
    }
}
