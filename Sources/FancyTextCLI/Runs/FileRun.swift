// A command's inputs, one after another or several at the same time.
//
// In: the files, and what makes a result of one of them. Out: results and messages in the order of the files, whatever
// finished first. One bad file does not stop the others.

import ArgumentParser
import Basics
import FancyText
import Outputs

/// What one input gives; made and filled on the thread that works on it.
final class FileResult {
    /// Takes the result.
    let sink: OutputSink
    /// How many things were found.
    var count = 0
    /// A comparison found a difference.
    var differs = false
    /// It was made by an earlier run.
    var isCached = false
    private(set) var hasFailed = false
    private(set) var messages: [Diagnostic] = []
    private let isStrict: Bool
    /// Prints messages at once; nil keeps them until it is the file's turn.
    private let printer: MessagePrinter?

    init(_ sink: OutputSink, isStrict: Bool, printer: MessagePrinter?) {
        self.sink = sink
        self.isStrict = isStrict
        self.printer = printer
    }

    func report(_ message: Diagnostic) {
        if let printer { printer.print(message) } else { messages.append(message) }
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
            case let failure as CommandFailure: report(failure.diagnostic)
            // Not about this file.
            case RenderError.overBudget(let budget, let limit):
                let message = Diagnostic(budget, limit: limit).message
                report(Diagnostic(.error, budget.code, "\(name): \(message)"))
            case RenderError.font(let message): report(Diagnostic(.error, .failure, message))
            default: report(Diagnostic(.error, .failure, "\(name): \(error)"))
            }
        }
    }

    /// Reports what was collected.
    ///
    /// - Throws: when that means that the input failed.
    func report(_ log: DiagnosticLog) throws(InputFailed) {
        for entry in log.entries { report(entry) }
        guard let worst = log.worst else { return }
        if worst == .error || (isStrict && worst == .warning) { throw InputFailed() }
    }
}

/// An input failed; the message is already printed.
struct InputFailed: Error {}

/// The inputs of a command.
struct FileRun {
    /// Makes the result of one file.
    typealias Work = (_ file: String, _ result: FileResult) throws -> Void
    /// Work that all threads may do at once.
    typealias SharedWork = @Sendable (_ file: String, _ result: FileResult) throws -> Void

    var files: [String]
    /// How many files are worked on at the same time.
    var jobs: Int
    /// Where all results go, one after the other; nil when each file has its own.
    var shared: OutputSink?
    var messages: DiagnosticArguments
    /// Each result among several is headed by the name of its file.
    var headsFiles = false
    /// What the command has to say of its options.
    var remarks: [String] = []

    /// What all files gave together.
    struct Total {
        var count = 0
        var differs = false
        var cached = 0
        var hasFailed = false
    }

    /// Works on all files.
    ///
    /// - Parameter makeWork: called once on each thread, for what threads do not share.
    func run(_ makeWork: @escaping @Sendable () -> Work) -> Total {
        let printer = MessagePrinter(messages)
        for remark in remarks { printer.print(Diagnostic(.note, .ignoredOption, remark)) }
        var total = Total()
        let heads = headsFiles && files.count > 1
        if jobs <= 1 || files.count == 1 {
            let work = makeWork()
            for (index, file) in files.enumerated() {
                if heads { shared?.append(Self.head(of: file, isFirst: index == 0)) }
                let result = FileResult(shared ?? OutputSink(.memory), isStrict: messages.strict, printer: printer)
                Self.perform(work, file, result)
                add(result, to: &total)
                if shared?.failure != nil { break }
                printer.showProgress(index + 1, of: files.count)
            }
        } else {
            let isStrict = messages.strict
            let queue = WorkQueue(files, threads: min(jobs, files.count)) {
                let work = makeWork()
                return { file in
                    let result = FileResult(OutputSink(.memory), isStrict: isStrict, printer: nil)
                    Self.perform(work, file, result)
                    return result
                }
            }
            for index in files.indices {
                guard let result = queue.next({ printer.showProgress(index, of: files.count) }) else { break }
                result.messages.forEach(printer.print)
                if heads { shared?.append(Self.head(of: files[index], isFirst: index == 0)) }
                shared?.append(result.sink.bytes)
                add(result, to: &total)
                if shared?.failure != nil { break }
                printer.showProgress(index + 1, of: files.count)
            }
            queue.stop()
        }
        printer.endProgress()
        if total.cached > 0 { printer.printHits(total.cached, of: files.count) }
        return total
    }

    /// The name of a file between two lines, over what comes of it.
    private static func head(of file: String, isFirst: Bool) -> [UInt8] {
        let name = SafeText.withoutControls(Array(InputArguments.displayName(file).utf8))
        return Array((isFirst ? "" : "\n").utf8) + Array("── ".utf8) + name + Array(" ──\n".utf8)
    }

    /// Writes the rest of what all files share, and says by the exit status that a file failed.
    ///
    /// - Throws: ``CommandFailure`` when the common output cannot be written; the exit status of a failure.
    func finish(_ total: Total) throws {
        // A file with a part missing would look like all of it.
        if let shared, !(total.hasFailed && shared.isFile) { try shared.finish() }
        if total.hasFailed { throw ExitCode(ExitStatus.failure.rawValue) }
    }

    private func add(_ result: FileResult, to total: inout Total) {
        total.count += result.count
        if result.differs { total.differs = true }
        if result.isCached { total.cached += 1 }
        if result.hasFailed { total.hasFailed = true }
    }

    private static func perform(_ work: Work, _ file: String, _ result: FileResult) {
        result.take(named: InputArguments.displayName(file)) { try work(file, result) }
    }
}
