// What a run has to say on standard error: messages, each once, and how far it is.

import Basics
import FancyText
import Glibc

/// Prints messages in the order in which they come.
final class MessagePrinter {
    /// Notes and warnings are not printed.
    private let hidesRemarks: Bool
    /// A note is printed once, not at every place.
    private let joinsNotes: Bool
    private let printer: DiagnosticPrinter
    /// Messages that are not about one input (style sheets, fonts) are printed for the first input that causes them.
    private var said: [Said] = []
    private var places = HashIndex()
    /// What has no effect says so once, not at every place.
    private var notes: Set<String> = []
    private var bar: ProgressBar?

    /// What tells messages apart. Line and column are found once: a message finds them at every question.
    private struct Said: Equatable {
        var severity: Diagnostic.Severity
        var message: String
        var location: Diagnostic.Location?

        init(_ message: Diagnostic) {
            severity = message.severity
            self.message = message.message
            location = message.location
        }

        /// The place tells nearly all apart.
        var hash: Int {
            guard let location else { return message.hashValue }
            let key = UInt64(truncatingIfNeeded: location.line &* 0x2_0003 &+ location.column)
            return Int(truncatingIfNeeded: key &* 0x9E37_79B9_7F4A_7C15 >> 20)
        }

        static func == (a: Said, b: Said) -> Bool {
            a.location?.column == b.location?.column && a.severity == b.severity && a.message == b.message
                && a.location == b.location
        }
    }

    init(_ arguments: DiagnosticArguments) {
        hidesRemarks = arguments.quiet && !arguments.strict
        joinsNotes = arguments.diagnostics == nil
        printer = arguments.printer
        bar = arguments.quiet ? nil : ProgressBar()
    }

    func print(_ message: Diagnostic) { print(CollectionOfOne(message)) }

    /// Prints messages with a write for many of them.
    func print(_ messages: some Collection<Diagnostic>) {
        var bytes: [UInt8] = []
        for message in messages {
            append(message, &bytes)
            if bytes.count >= Self.longestWrite {
                write(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        if !bytes.isEmpty { write(bytes) }
    }

    private func write(_ bytes: [UInt8]) {
        bar?.hide()
        FileAccess.writeStandardError(bytes)
    }

    /// Appends what is printed of a message: nothing, if it was before.
    private func append(_ message: Diagnostic, _ bytes: inout [UInt8]) {
        if hidesRemarks, message.severity != .error { return }
        let own = Said(message)
        if said.count < Self.memory {
            let hash = own.hash
            guard places.position(of: hash, where: { said[$0] == own }) == nil else { return }
            places.insert(said.count, hash: hash)
            said.append(own)
        }
        if message.severity == .note, joinsNotes, !notes.insert(message.message).inserted { return }
        printer.append(message, at: own.location, to: &bytes)
    }

    /// How many results an earlier run had made.
    func printHits(_ count: Int, of all: Int) {
        print(Diagnostic(.note, .cachedResults, "\(count) of \(all) results came from the cache"))
    }

    /// Messages that are remembered.
    private static let memory = 10_000
    /// Messages are gathered up to so many bytes.
    private static let longestWrite = 1 << 15

    func showProgress(_ done: Int, of all: Int) { bar?.show(done, of: all) }

    func endProgress() { bar?.hide() }
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
            parts.append(rate >= 10 ? "\(Int(rate.rounded()))/s" : "\((rate * 10).rounded() / 10)/s")
            let left = Int((Double(all - done) / rate).rounded(.up))
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
