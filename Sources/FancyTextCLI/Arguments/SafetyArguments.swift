// The resources that a run may use, and the data that it may access.
// In: options as text. Out: limits, and the program's own protection: time and memory limits.

import ArgumentParser
import CFancyTextSafety
import FancyText
import FancyTextPlatform

struct SafetyArguments: Arguments {
    @Switch(
        "untrusted",
        "For input of strangers: no files, network, configuration or installed fonts; a second, 256 MiB and strict limits."
    )
    var untrusted

    @Settings("limit", "Allow more or less of something: \(Self.budgets).", value: "name=n") var limit
    let maxMemory = Setting("max-memory", "Stop when the program needs more memory.", value: "bytes")
    @Switch("keep-controls", "Keep control characters and escape sequences of the input.") var keepControls

    func validate() throws {
        for entry in limit { _ = try Self.budget(entry) }
        _ = try maxMemory.integer(in: 1 << 20...(.max))
    }

    private static var budgets: String {
        Budget.allCases.map { "\($0.rawValue) (\($0.standard))" }.joined(separator: ", ")
    }

    private static func budget(_ entry: String) throws -> (Budget, Int) {
        guard let equals = entry.firstIndex(of: "="), let budget = Budget(rawValue: String(entry[..<equals])),
            let value = Int(entry[entry.index(after: equals)...]), value >= 0
        else {
            let names = Budget.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(value: entry, of: "--limit", "it must be name=n, of \(names)")
        }
        return (budget, value)
    }

    /// The limits of the options, on top of the strict or the default ones.
    var limits: Limits {
        get throws {
            var limits = untrusted ? Limits.strict : Limits()
            for entry in limit {
                let (budget, value) = try Self.budget(entry)
                limits[budget] = value
            }
            return limits
        }
    }

    /// The limit on private memory, without linked and memory-mapped files.
    private static let untrustedMemory = 208 << 20

    /// The memory before the first request; what a worker holds of earlier requests does not count for a later one.
    static let heldAtStart = csafety_held_memory()

    func limitMemory() throws {
        let memory = try maxMemory.integer(in: 1 << 20...(.max))
        guard let bytes = memory ?? (untrusted ? Self.untrustedMemory : nil) else { return }
        let earlier = max(0, csafety_held_memory() - Self.heldAtStart)
        csafety_limit_memory(Int(clamping: UInt(bytes) + UInt(earlier)))
    }
}

extension Renderer {
    /// A renderer whose images are decoded by another process of this program.
    convenience init(ofProgram fonts: FontOptions) {
        self.init(fonts: fonts)
        // This link stays valid if the program's file is replaced.
        pictureHelper = access("/proc/self/exe", X_OK) == 0 ? "/proc/self/exe" : PathText.program
    }
}

/// Ends the program with a message and an exit status after a fault or a timeout, before anything is written.
enum Watchdog {
    /// The exit statuses of a worker that ended by a fault or a timeout; its owner reports the error.
    static let faultOfWorker: Int32 = 3
    static let timeoutOfWorker: Int32 = 4

    static let faultMessage =
        "the input needs more memory than there is or --max-memory allows, or the program has a fault"

    /// Makes faults end the program with a message from now on.
    static func prepare(_ style: DiagnosticStyle) {
        csafety_end_quietly(text(Diagnostic(.error, .failure, faultMessage), style), ExitStatus.failure.rawValue)
    }

    static func prepareWorker() {
        isWorker = true
        csafety_end_quietly(nil, faultOfWorker)
    }

    /// A Boolean value that indicates whether another process of the program reports how this one ended. Set before there are
    /// threads.
    private nonisolated(unsafe) static var isWorker = false

    static func startInWorker(after seconds: Double) { csafety_end_after(min(seconds, 1e6), nil, timeoutOfWorker) }

    /// Ends the process like its own timer does; the library's clock, which is checked less often, may expire first.
    static func expire() { raise(SIGALRM) }

    /// Stops the timer that ``start(after:_:)`` or ``startInWorker(after:)`` started.
    static func stop() { csafety_end_never() }

    static func start(after seconds: Double, _ style: DiagnosticStyle) {
        if isWorker { return startInWorker(after: seconds) }
        let message = Diagnostic(.error, .timeout, Diagnostic.words(ofTimeout: seconds))
        csafety_end_after(min(seconds, 1e6), text(message, style), ExitStatus.failure.rawValue)
    }

    /// The text of a message, which is never freed.
    private static func text(_ diagnostic: Diagnostic, _ style: DiagnosticStyle) -> UnsafePointer<CChar> {
        UnsafePointer(strdup(DiagnosticPrinter(style: style).text(of: diagnostic)))
    }
}
