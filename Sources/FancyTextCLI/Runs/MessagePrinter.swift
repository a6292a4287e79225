// What a run has to say on standard error: messages, each once, and how far it is.

import Basics
import FancyText
import Glibc

/// Prints messages in the order in which they come. One thread owns it.
final class MessagePrinter {
    private let arguments: DiagnosticArguments
    private let printer: DiagnosticPrinter
    /// Messages that are not about one input (style sheets, fonts) are printed for the first input that causes them.
    private var said: Set<Diagnostic> = []
    /// What has no effect says so once, not at every place.
    private var notes: Set<String> = []
    private var bar: ProgressBar?

    init(_ arguments: DiagnosticArguments) {
        self.arguments = arguments
        printer = arguments.printer
        bar = arguments.quiet ? nil : ProgressBar()
    }

    func print(_ message: Diagnostic) {
        guard !arguments.quiet || message.severity == .error || arguments.strict else { return }
        guard said.count >= Self.memory || said.insert(message).inserted else { return }
        if message.severity == .note, arguments.diagnostics == nil, !notes.insert(message.message).inserted { return }
        bar?.hide()
        printer.print(message)
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
        guard all > 1, done != shownCount || !isShown, Self.now - begin > 1 else { return }
        isShown = true
        shownCount = done
        FileAccess.writeStandardError("\r\u{1B}[K" + Self.line(done, of: all))
    }

    mutating func hide() {
        guard isShown else { return }
        isShown = false
        FileAccess.writeStandardError("\r\u{1B}[K")
    }

    /// `[######------------]  31/100`
    static func line(_ done: Int, of all: Int) -> String {
        let width = 30
        let filled = done * width / max(1, all)
        let count = String(repeating: " ", count: max(0, "\(all)".count - "\(done)".count)) + "\(done)"
        return "["
            + String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
            + "] \(count)/\(all) files"
    }
}
