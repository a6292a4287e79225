// The output of a run on standard error: messages, each once in the order of their arrival, and its progress.
// In: the diagnostics of inputs and rows, and the number of finished ones. Out: lines on standard error.

import FancyTextBasics
import FancyTextPlatform

final class MessagePrinter {
    private let hidesRemarks: Bool
    /// True if a note is printed once, not at every position.
    private let joinsNotes: Bool
    /// True if notes and warnings are only counted, and ``finish()`` prints their number: on a terminal, and with text that a
    /// person reads.
    private let isBrief: Bool
    private var held: (first: Diagnostic, count: Int)?
    /// Errors that repeat those of earlier rows, by their reasons, with the number of repetitions and the last one.
    private var repeated: [(reason: String, count: Int, last: Diagnostic)] = []
    private let printer: DiagnosticPrinter
    /// Messages that are not about one input (style sheets, fonts) are printed for the first input that causes them.
    private var said: Set<Diagnostic> = []
    /// The notes that were printed, so that a note appears once and not at every position.
    private var notes: Set<String> = []
    var bar: ProgressBar?

    /// - Parameter isBesideText: whether the result is text for standard output, on a terminal or in a mail reader.
    init(_ arguments: DiagnosticArguments, isBesideText: Bool) {
        isBrief = !arguments.diagnostics.isGiven && !arguments.strict && (isBesideText || isatty(STDERR_FILENO) == 1)
        hidesRemarks = arguments.quiet && !arguments.strict
        joinsNotes = !arguments.diagnostics.isGiven
        printer = arguments.printer
        bar = arguments.quiet ? nil : ProgressBar()
    }

    func print(_ message: Diagnostic) { print(CollectionOfOne(message)) }

    /// Prints a message about a row, unless one for the same reason was printed; repetitions are counted.
    func print(_ message: Diagnostic, like reason: String?, row: Int) {
        guard let reason, joinsNotes else {
            // Messages about contents that mostly come from a row name it.
            let dependsOnRow =
                message.code.rawValue.hasPrefix("image.")
                || [.missingGlyph, .clippedText, .unsupportedValue].contains(message.code)
            return print(CollectionOfOne(message), row: dependsOnRow ? row : nil)
        }
        if let known = repeated.firstIndex(where: { $0.reason == reason }) {
            repeated[known].count += 1
            repeated[known].last = message
        } else {
            if repeated.count < 100 { repeated.append((reason, 0, message)) }
            print(message)
        }
    }

    /// Prints several messages, which name the row, with few writes.
    func print(_ messages: some Collection<Diagnostic>, row: Int? = nil) {
        var text = ""
        for message in messages {
            var named = message
            if let row { named.message += " (row \(row))" }
            if isNew(message, as: named) { text += printer.text(of: named) }
            if text.utf8.count >= 1 << 15 { write(&text) }
        }
        write(&text)
    }

    private func write(_ text: inout String) {
        if text.isEmpty { return }
        bar?.hide()
        FileAccess.writeStandardError(text)
        text = ""
    }

    /// Returns whether a message is printed, in the given form: it was not printed before, and is not only counted.
    private func isNew(_ message: Diagnostic, as named: Diagnostic) -> Bool {
        if hidesRemarks, message.severity != .error { return false }
        // Most pages look the same without their scripts.
        if joinsNotes, message.code == .scriptsNotRun, message.severity == .note { return false }
        if said.count < 10_000, !said.insert(message).inserted { return false }
        if message.severity == .note, joinsNotes, !notes.insert(named.message).inserted { return false }
        let isAboutRun = [.ignoredOption, .skippedRows, .cachedResults].contains(message.code)
        guard isBrief, message.severity != .error, !isAboutRun else { return true }
        held = (held?.first ?? named, (held?.count ?? 0) + 1)
        return false
    }

    /// Prints the number of suppressed messages, or a single one in one line. Called after the result is written.
    func finish() {
        for (reason, count, last) in repeated where count > 0 {
            print(count == 1 ? last : Diagnostic(.error, .furtherMessages, "\(count) more rows: \(reason)"))
        }
        repeated = []
        guard let held else { return }
        self.held = nil
        if held.count == 1 { return printer.print(held.first, hasExcerpt: false) }
        FileAccess.writeStandardError("fancytext: \(held.count) messages; --diagnostics shows them\n")
    }
}

/// A progress line on a terminal, shown only if the work takes longer than a second.
struct ProgressBar {
    private var shown: (count: Int, second: Int)?
    private let begin: Double

    /// Returns nil if standard error is not a terminal that can overwrite a line.
    init?() {
        guard isatty(STDERR_FILENO) == 1, Terminal.environment("TERM") != "dumb" else { return nil }
        begin = secondsNow()
    }

    mutating func show(_ done: Int, of all: Int) {
        let seconds = secondsNow() - begin
        // Redrawn each second, because the rate may change.
        guard all > 1, seconds > 1, shown.map({ $0 != (done, Int(seconds)) }) ?? true else { return }
        shown = (done, Int(seconds))
        let line = Self.line(done, of: all, seconds: seconds, columns: Terminal.columns())
        FileAccess.writeStandardError("\r\u{1B}[K" + line)
    }

    mutating func hide() {
        guard shown != nil else { return }
        shown = nil
        FileAccess.writeStandardError("\r\u{1B}[K")
    }

    /// `[######------]  31/100 files  12/s  0:06 left`, without the parts that do not fit on a narrow terminal.
    static func line(_ done: Int, of all: Int, seconds: Double, columns: Int) -> String {
        let count = String(repeating: " ", count: max(0, "\(all)".count - "\(done)".count)) + "\(done)/\(all)"
        var parts = [count + " files"]
        if done > 0, seconds > 0 {
            let rate = Double(done) / seconds
            parts.append(rate >= 10 ? "\(Int(bounded: rate.rounded()))/s" : "\((rate * 10).rounded() / 10)/s")
            let left = Int(bounded: (Double(all - done) / rate).rounded(.up))
            parts.append("\(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60) left")
        }
        // The last column stays free, because terminals wrap there.
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
