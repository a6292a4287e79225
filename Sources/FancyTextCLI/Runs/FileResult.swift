// What a command makes of one input, and how it comes from the process that made it.

import FancyTextBasics
import FancyText
import FancyTextOutputs

/// What one input gives, where the work is done.
final class FileResult {
    /// Takes the result.
    let sink: OutputSink
    /// How many things were found.
    var count = 0
    /// What the result was read from, which holds nothing but memory, if it is small: of a large one the output takes over
    /// some of the memory.
    private(set) var source: Any?
    /// A comparison found a difference.
    var differs = false
    /// It was made by an earlier run.
    var isCached = false
    private(set) var hasFailed = false
    /// Further results cannot be written either.
    private(set) var endsRun = false
    private(set) var messages: [Diagnostic] = []
    private let isStrict: Bool
    /// Prints messages at once; nil keeps them until it is the file's turn.
    private let printer: MessagePrinter?

    init(_ sink: OutputSink, isStrict: Bool, printer: MessagePrinter?) {
        self.sink = sink
        self.isStrict = isStrict
        self.printer = printer
    }

    /// What another process gave.
    ///
    /// - Parameters:
    ///   - encoded: what ``encoded(reads:)`` gave there.
    ///   - reads: notes the files that were looked for.
    init?(_ encoded: [UInt8], noting reads: FileReads?) {
        let end = encoded.firstIndex(of: 0x0A) ?? encoded.endIndex
        var parser = JSONParser(Array(encoded[..<end]))
        guard let head = parser.parse(), case .number(let count)? = head.member("count"), let count = Int(count) else {
            return nil
        }
        sink = OutputSink(.memory, .safe)
        sink.append(Array(encoded[min(end + 1, encoded.endIndex)...]))
        isStrict = false
        printer = nil
        self.count = count
        differs = head.member("differs") == .bool(true)
        isCached = head.member("cached") == .bool(true)
        hasFailed = head.member("failed") == .bool(true)
        endsRun = head.member("ends") == .bool(true)
        messages = head.messages
        for read in head.reads { reads?.note(read.path, identity: read.identity) }
    }

    /// Lets what the result was read from live as long as the result.
    ///
    /// - Parameter count: its bytes.
    func keep(_ source: Any, of count: Int) { if count < 1 << 20 { self.source = source } }

    /// For the process that waits for it: a line of JSON, and the bytes.
    ///
    /// - Parameter reads: files that were looked for.
    func encoded(reads: [(path: String, identity: String)] = []) -> [UInt8] {
        var json = JSONBuffer()
        json.beginObject()
        json.member("count", count)
        json.member("differs", differs)
        json.member("cached", isCached)
        json.member("failed", hasFailed)
        json.member("ends", endsRun)
        json.membersBeside(messages, reads: reads)
        json.endObject()
        return json.bytes + [0x0A] + sink.bytes
    }

    func report(_ message: Diagnostic) {
        if let printer { printer.print(message) } else { messages.append(message) }
    }

    /// What is said of an input that ended the process that worked on it.
    ///
    /// - Parameter seconds: what it was given.
    func fail(
        named name: String, _ end: WorkerProcess.End, after seconds: Double, at place: Diagnostic.Location? = nil
    ) {
        hasFailed = true
        let (code, words): (Diagnostic.Code, String) =
            switch end {
            case .timeout: (.timeout, Diagnostic.words(ofTimeout: seconds))
            case .fault: (.failure, LastWords.ofFault)
            case .signal, .status: (.failure, end.words)
            }
        report(Diagnostic(.error, code, "\(name): \(words)", at: place))
    }

    /// Does the work that gives the result; every error becomes a message here.
    ///
    /// - Parameter name: what messages call the input.
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
            // Not about this file.
            case RenderError.overBudget(let budget, let limit):
                let message = Diagnostic(budget, limit: limit).message
                report(Diagnostic(.error, budget.code, "\(name): \(message)"))
            case RenderError.tookTooLong: LastWords.timeIsUp()
            case RenderError.font(let message): report(Diagnostic(.error, .failure, message))
            default: report(Diagnostic(.error, .failure, "\(name): \(error)"))
            }
        }
    }

    /// Reports what was collected.
    ///
    /// - Throws: when that means that the input failed.
    func report(_ log: DiagnosticLog) throws(InputFailed) {
        if log.contains(where: { $0.code == .timeout }) { LastWords.timeIsUp() }
        if let printer { printer.print(log.entries) } else { messages += log.entries }
        guard let worst = log.worst else { return }
        if worst == .error || (isStrict && worst == .warning) { throw InputFailed() }
    }
}

/// An input failed; the message is already printed.
struct InputFailed: Error {}
