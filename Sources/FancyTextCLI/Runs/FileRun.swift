// A command's inputs: a single one in this process, several in processes of their own.
//
// In: the files, and what makes a result of one of them. Out: results and messages in the order of the files, whatever
// finished first. One bad file does not stop the others, not even one that ends the process that works on it.

import ArgumentParser
import FancyTextBasics
import FancyText
import FancyTextOutputs

/// The inputs of a command.
struct FileRun {
    /// Makes the result of one file.
    typealias Work = (_ file: String, _ result: FileResult) throws -> Void

    var files: [String]
    /// How many files are worked on at the same time.
    var jobs: Int
    /// Where all results go, one after the other; nil when each file has its own.
    var shared: OutputSink?
    var messages: DiagnosticArguments
    /// How long a file may take where there are several; 0 is without end.
    var seconds = 0.0
    /// Notes the files that are looked for.
    var reads: FileReads?
    /// Each result among several is headed by the name of its file.
    var headsFiles = false
    /// What the command has to say of its options.
    var remarks: [String] = []
    /// The result is text that goes to standard output.
    var isText = false
    /// Shows what goes to standard output.
    var pager: Pager?

    /// What the last single file's result was read from, and its messages. The process mostly ends next, and the system
    /// takes all of it back at once, which costs less than giving it back piece by piece.
    nonisolated(unsafe) private static var last: (source: Any?, messages: MessagePrinter)?

    /// What all files gave together.
    struct Total {
        var count = 0
        var differs = false
        var cached = 0
        var hasFailed = false
        fileprivate var printer: MessagePrinter?
    }

    /// Works on all files: a single one here, several in processes of their own, which may die.
    ///
    /// - Parameter makeWork: called once in each process, for what files have in common.
    /// - Throws: ``CommandFailure`` when no process can be had.
    func run(_ makeWork: @escaping () -> Work) throws(CommandFailure) -> Total {
        let printer = MessagePrinter(messages, isBesideText: isText)
        for remark in remarks { printer.print(Diagnostic(.note, .ignoredOption, remark)) }
        var total = Total(printer: printer)
        if files.count == 1 {
            let result = FileResult(shared ?? OutputSink(.memory, .safe), isStrict: messages.strict, printer: printer)
            Self.perform(makeWork(), files[0], result)
            Self.last = (result.source, printer)
            add(result, to: &total)
        } else {
            try runSeveral(makeWork, printer, &total)
        }
        printer.endProgress()
        if total.cached > 0 { printer.printHits(total.cached, of: files.count) }
        return total
    }

    private func runSeveral(
        _ makeWork: @escaping () -> Work, _ printer: MessagePrinter, _ total: inout Total
    ) throws(CommandFailure) {
        var pool = WorkerPool(jobs: min(jobs, files.count)) {
            serve($0, makeWork)
        } resultOfLost: { ticket, end in
            let result = FileResult(OutputSink(.memory, .safe), isStrict: messages.strict, printer: nil)
            result.fail(named: InputArguments.displayName(files[ticket.number]), end, after: seconds)
            return result.encoded()
        }
        while pool.taken < files.count {
            while pool.given < files.count, pool.hasRoom { try pool.give(Array("\(pool.given)".utf8)) }
            while let bytes = pool.next() {
                let index = pool.taken - 1
                guard let result = FileResult(bytes, noting: reads) else { continue }
                printer.print(result.messages)
                if headsFiles { shared?.append(name: Self.head(of: files[index], isFirst: index == 0)) }
                shared?.append(part: result.sink)
                add(result, to: &total)
                if shared?.failure != nil || result.endsRun { return }
            }
            printer.showProgress(pool.taken, of: files.count)
            if pool.taken < pool.given { _ = try pool.wait(milliseconds: 100) }
        }
    }

    /// What a worker does: the results of the files whose numbers it is given.
    private func serve(_ channel: WorkerChannel, _ makeWork: () -> Work) {
        let work = makeWork()
        channel.serve { piece in
            guard let index = Int(String(decoding: piece, as: UTF8.self)) else { return nil }
            if seconds > 0 { LastWords.endWorker(after: seconds) }
            defer { LastWords.stayQuiet() }
            let sink = shared?.makePart() ?? OutputSink(.memory, .safe)
            let result = FileResult(sink, isStrict: messages.strict, printer: nil)
            Self.perform(work, files[index], result)
            return result.encoded(reads: reads?.files ?? [])
        }
    }

    /// The name of a file between two lines, over what comes of it.
    private static func head(of file: String, isFirst: Bool) -> String {
        "\(isFirst ? "" : "\n")── \(InputArguments.displayName(file)) ──\n"
    }

    /// Writes the rest of what all files share, then the rest of the messages, and says by the exit status that a file failed.
    ///
    /// - Parameter isWritten: whether what all files share is written.
    /// - Throws: ``CommandFailure`` when the common output cannot be written; the exit status of a failure.
    func finish(_ total: Total, isWritten: Bool = true) throws {
        defer {
            pager?.finish()
            total.printer?.finish()
        }
        // A file with a part missing would look like all of it.
        if let shared, isWritten, !(total.hasFailed && shared.isFile) { try shared.finish() }
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
