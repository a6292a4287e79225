// What a run has to say on standard error: messages, each once, and how far it is.

import Basics
import FancyText
import Glibc

/// Prints messages in the order in which they come.
final class MessagePrinter {
    private let arguments: DiagnosticArguments
    private let printer: DiagnosticPrinter
    /// Messages that are not about one input (style sheets, fonts) are printed for the first input that causes them.
    private var said: Set<Said> = []
    /// What has no effect says so once, not at every place.
    private var notes: Set<String> = []
    private var bar: ProgressBar?

    /// What tells messages apart. Line and column are found once: a message finds them at every question.
    private struct Said: Hashable {
        var severity: Diagnostic.Severity
        var message: String
        var location: Diagnostic.Location?

        init(_ message: Diagnostic) {
            severity = message.severity
            self.message = message.message
            location = message.location
        }

        /// The place tells nearly all apart.
        func hash(into hasher: inout Hasher) {
            if let location {
                hasher.combine(location.line)
                hasher.combine(location.column)
            } else {
                hasher.combine(message)
            }
        }
    }

    init(_ arguments: DiagnosticArguments) {
        self.arguments = arguments
        printer = arguments.printer
        bar = arguments.quiet ? nil : ProgressBar()
    }

    func print(_ message: Diagnostic) {
        guard !arguments.quiet || message.severity == .error || arguments.strict else { return }
        guard said.count >= Self.memory || said.insert(Said(message)).inserted else { return }
        if message.severity == .note, arguments.diagnostics == nil, !notes.insert(message.message).inserted { return }
        bar?.hide()
        printer.print(message)
    }

    /// How many results an earlier run had made.
    func printHits(_ count: Int, of all: Int) {
        print(Diagnostic(.note, .cachedResults, "\(count) of \(all) results came from the cache"))
    }

    /// Messages that are remembered.
    private static let memory = 10_000

    func showProgress(_ done: Int, of all: Int) { bar?.show(done, of: all) }

    func endProgress() { bar?.hide() }
}

/// One line on a terminal, there only when the work takes longer than a second.
struct ProgressBar {
    private var isShown = false
    private var shownCount = -1
    private var shownSecond = -1
    private let begin = Self.now

    /// Nil when standard error is no terminal that can take a line back.
    init?() {
        guard isatty(STDERR_FILENO) == 1, Terminal.environment("TERM") != "dumb" else { return nil }
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
