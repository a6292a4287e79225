// The inputs of a command: a single one is processed in this process, several in separate ones.
//
// In: the files, and the work for one of them. Out: results and messages in the order of the files, regardless of which finished
// first. One bad file does not stop the others, even if it ends its worker process.

import ArgumentParser
import FancyTextBasics
import FancyText
import FancyTextOutputs

/// The inputs of a command.
struct FileRun {
    /// Makes the result of one file.
    typealias Work = (_ file: String, _ result: FileResult) throws -> Void

    var files: [String]
    /// The number of files processed in parallel.
    var jobs: Int
    /// The common destination of all results, one after the other; nil if each file has its own.
    var shared: OutputSink?
    var messages: DiagnosticArguments
    /// The time limit of each file if there are several; 0 is no limit.
    var seconds = 0.0
    /// Records the files that are looked up.
    var reads: FileReads?
    /// True if each of several results has a heading with the name of its file.
    var headsFiles = false
    /// Notes of the command about its options.
    var remarks: [String] = []
    /// True if the result is text for standard output.
    var isText = false
    /// Shows standard output.
    var pager: Pager?

    /// The combined outcome of all files.
    struct Total {
        var count = 0
        var differs = false
        var cached = 0
        var hasFailed = false
        fileprivate var printer: MessagePrinter?
    }

    /// Processes all files: a single one here, several in separate processes, which may die.
    ///
    /// - Parameter makeWork: called once in each process, for data that files share.
    /// - Throws: ``CommandFailure`` if no process can be started.
    func run(_ makeWork: @escaping () -> Work) throws(CommandFailure) -> Total {
        let printer = MessagePrinter(messages, isBesideText: isText)
        for remark in remarks { printer.print(Diagnostic(.note, .ignoredOption, remark)) }
        var total = Total(printer: printer)
        if files.count == 1 {
            let result = FileResult(shared ?? OutputSink(.memory, .safe), isStrict: messages.strict, printer: printer)
            Self.perform(makeWork(), files[0], result)
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

    /// The work of a worker: the results of the files whose numbers it receives.
    private func serve(_ channel: WorkerChannel, _ makeWork: () -> Work) {
        let work = makeWork()
        channel.serve { piece in
            guard let index = Int(String(decoding: piece, as: UTF8.self)) else { return nil }
            if seconds > 0 { Watchdog.startInWorker(after: seconds) }
            defer { Watchdog.stop() }
            let sink = shared?.makePart() ?? OutputSink(.memory, .safe)
            let result = FileResult(sink, isStrict: messages.strict, printer: nil)
            Self.perform(work, files[index], result)
            return result.encoded(reads: reads?.files ?? [])
        }
    }

    /// The heading with a file's name, before its result.
    private static func head(of file: String, isFirst: Bool) -> String {
        "\(isFirst ? "" : "\n")── \(InputArguments.displayName(file)) ──\n"
    }

    /// Writes the rest of the shared output, then the remaining messages, and sets the exit status if a file failed.
    ///
    /// - Parameter isWritten: whether the shared output is written.
    /// - Throws: ``CommandFailure`` if the shared output cannot be written; the exit status of a failure.
    func finish(_ total: Total, isWritten: Bool = true) throws {
        defer {
            pager?.finish()
            total.printer?.finish()
        }
        // A file with a missing part would look complete.
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
