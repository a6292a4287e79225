// The result of a command for one input, and its transfer from the process that made it.

import FancyText

final class FileResult {
    let sink: OutputSink
    /// The number of matches.
    var count = 0
    /// True if a comparison found a difference.
    var differs = false
    /// True if the result came from the cache.
    var isCached = false
    /// The requested names that no match has; nil without matches.
    var missingNames: Set<String>?
    private(set) var hasFailed = false
    /// True if further results cannot be written either.
    private(set) var endsRun = false
    private(set) var messages: [Diagnostic] = []
    private let isStrict: Bool
    /// Prints messages at once; nil keeps them until it is the file's turn.
    private let printer: MessagePrinter?

    init(_ sink: OutputSink, isStrict: Bool, printer: MessagePrinter?) {
        (self.sink, self.isStrict, self.printer) = (sink, isStrict, printer)
    }

    /// Decodes the output of ``encoded(reads:)`` in another process, and records the files that were looked up there.
    init?(_ encoded: [UInt8], noting reads: FileReads?) {
        guard let (head, bytes) = JSONValue.split(encoded), case .number(let count)? = head.member("count"),
            let count = Int(count)
        else { return nil }
        sink = OutputSink(.memory, .safe)
        sink.append(bytes)
        (isStrict, printer) = (false, nil)
        self.count = count
        differs = head.member("differs") == .bool(true)
        isCached = head.member("cached") == .bool(true)
        if case .string(let names)? = head.member("missing") {
            missingNames = Set(names.split(separator: "\n").map(String.init))
        }
        hasFailed = head.member("failed") == .bool(true)
        endsRun = head.member("ends") == .bool(true)
        messages = head.messages
        for read in head.reads { reads?.note(read.path, identity: read.identity) }
    }

    /// The form for the waiting process: a line of JSON with the files that were looked up, and the bytes.
    func encoded(reads: [(path: String, identity: String)] = []) -> [UInt8] {
        var json = JSONBuffer()
        json.beginObject()
        json.member("count", count)
        json.member("differs", differs)
        json.member("cached", isCached)
        if let missingNames { json.member("missing", missingNames.joined(separator: "\n")) }
        json.member("failed", hasFailed)
        json.member("ends", endsRun)
        json.membersBeside(messages, reads: reads)
        json.endObject()
        return json.line(before: sink.bytes)
    }

    func report(_ message: Diagnostic) { if let printer { printer.print(message) } else { messages.append(message) } }

    /// Reports an input that ended its worker process, perhaps after its time limit.
    func fail(_ name: String, _ end: WorkerProcess.End, after seconds: Double, at place: Diagnostic.Location? = nil) {
        hasFailed = true
        let words =
            switch end {
            case .timeout: Diagnostic.words(ofTimeout: seconds)
            case .fault: Watchdog.faultMessage
            case .signal, .status: end.words
            }
        report(Diagnostic(.error, end == .timeout ? .timeout : .failure, "\(name): \(words)", at: place))
    }

    /// Does the work of the result, and turns every error into a message that names the input.
    func take(named name: String, _ work: () throws -> Void) {
        do {
            try work()
        } catch {
            hasFailed = true
            switch error {
            case is InputFailed: break
            case let failure as CommandFailure:
                endsRun = failure.isDiskFull
                report(failure.diagnostic)
            case RenderError.overBudget(let budget, let limit):
                report(Diagnostic(.error, budget.code, "\(name): \(Diagnostic(budget, limit: limit).message)"))
            case RenderError.tookTooLong: Watchdog.expire()
            // Not about this file.
            case RenderError.font(let message): report(Diagnostic(.error, .failure, message))
            case let error as RenderError: report(Diagnostic(.error, .failure, "\(name): \(error.explained)"))
            default: report(Diagnostic(.error, .failure, "\(name): \(error)"))
            }
        }
    }

    /// Reports the collected messages, and throws if they mean that the input failed.
    func report(_ log: DiagnosticLog) throws(InputFailed) {
        if log.contains(where: { $0.code == .timeout }) { Watchdog.expire() }
        if let printer { printer.print(log.entries) } else { messages += log.entries }
        guard let worst = log.worst else { return }
        if worst == .error || (isStrict && worst == .warning) { throw InputFailed() }
    }
}

/// An input failed; its message is already printed.
struct InputFailed: Error {}

extension RenderError {
    /// The description, with the option that allows more.
    var explained: String {
        if case .tooManyPixels = self { "\(self); allow more with --max-pixels" } else { "\(self)" }
    }
}
