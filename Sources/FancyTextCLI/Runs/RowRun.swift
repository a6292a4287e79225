// A run over rows: as many in parallel as there are jobs, each in a process, with results and messages in the rows' order.
//
// In: rows and the work for one of them. Out: results, written or shared, and messages that name the row.

import FancyTextBasics
import FancyText

struct RowRun {
    typealias Work = (_ job: RowJob, _ result: FileResult) throws -> Void

    var source: RowSource
    /// The name of the rows' file in messages.
    var name: String
    var jobs: Int
    /// The common destination of all results, one after the other; nil if each row has its own file.
    var shared: OutputSink?
    var messages: DiagnosticArguments
    /// The time limit of a row; 0 is no limit.
    var seconds = 0.0
    /// Records the files that are looked up.
    var reads: FileReads?
    /// Notes of the command about its options.
    var remarks: [String] = []
    /// True if the result is text for standard output.
    var isText = false

    /// The combined outcome of all rows.
    struct Total {
        var rows = 0
        var done = 0
        var cached = 0
        var hasFailed = false
        /// The printer with messages that are printed after the results.
        fileprivate(set) var printer: MessagePrinter?
    }

    /// - Parameter makeWork: called once in each process, for data that rows share.
    /// - Throws: ``CommandFailure`` if no process can be started.
    func run(_ makeWork: @escaping () -> Work) throws(CommandFailure) -> Total {
        let printer = MessagePrinter(messages, isBesideText: isText)
        for remark in remarks { printer.print(Diagnostic(.note, .ignoredOption, remark)) }
        let waiting = WaitingRows()
        var pool = WorkerPool(jobs: jobs) {
            serve($0, makeWork)
        } resultOfLost: { ticket, end in
            let result = FileResult(OutputSink(.memory, .safe), isStrict: messages.strict, printer: nil)
            if let job = waiting.jobs[ticket.number] {
                result.fail(named: "row \(job.row.number)", end, after: seconds, at: job.row.place(in: name))
            }
            return result.encoded()
        }
        var total = Total(printer: printer)
        var isAtEnd = false
        while !(isAtEnd && pool.isDone) {
            // Available rows are passed on; otherwise this waits for rows and results.
            while !isAtEnd, pool.hasRoom, source.isReady {
                guard let job = source.next() else {
                    isAtEnd = true
                    break
                }
                waiting.jobs[pool.given] = job
                let result = FileResult(OutputSink(.memory, .safe), isStrict: messages.strict, printer: nil)
                var piece: [UInt8]?
                result.take(job.row, of: name) { piece = try job.usedRow().map(job.encoded) }
                if let piece { try pool.give(piece) } else { pool.give(result: result.encoded()) }
            }
            while let bytes = pool.next() {
                guard let job = waiting.jobs.removeValue(forKey: pool.taken - 1),
                    let result = FileResult(bytes, noting: reads)
                else { continue }
                add(result, of: job, to: &total, printer)
                if shared?.failure != nil || result.endsRun { return total }
            }
            printer.showProgress(total.rows, of: source.expectedCount(after: total.rows))
            if isAtEnd && pool.isDone { break }
            _ = try pool.wait(for: !isAtEnd && pool.hasRoom ? source.descriptor : nil, milliseconds: 100)
        }
        printer.endProgress()
        if total.done > 0 {
            printer.print(Diagnostic(.note, .skippedRows, "\(total.done) of \(total.rows) files were there"))
        }
        if total.cached > 0 { printer.printHits(total.cached, of: total.rows) }
        return total
    }

    /// Rows without a result, by their positions.
    private final class WaitingRows {
        var jobs: [Int: RowJob] = [:]
    }

    private func add(_ result: FileResult, of job: RowJob, to total: inout Total, _ printer: MessagePrinter) {
        total.rows += 1
        for message in result.messages {
            printer.print(message, like: job.row.reason(in: message))
        }
        if result.hasFailed {
            total.hasFailed = true
        } else if job.isDone {
            total.done += 1
        } else if let done = source.done, case .success(let path?) = job.path {
            done.add(path, job.key)
        }
        if result.isCached { total.cached += 1 }
        shared?.append(part: result.sink)
    }

    /// The work of a worker: the results of the rows that it receives.
    private func serve(_ channel: WorkerChannel, _ makeWork: () -> Work) {
        let work = makeWork()
        channel.serve { piece in
            guard let job = RowJob(encoded: piece) else { return nil }
            if seconds > 0 { Watchdog.startInWorker(after: seconds) }
            defer { Watchdog.stop() }
            let result = FileResult(OutputSink(.memory, .safe), isStrict: messages.strict, printer: nil)
            result.take(job.row, of: name) { try work(job, result) }
            return result.encoded(reads: reads?.files ?? [])
        }
    }
}

extension DataRow {
    /// An error's message without the row's number. Rows that ended their worker are reported one by one.
    fileprivate func reason(in message: Diagnostic) -> String? {
        let prefix = "row \(number): "
        guard message.severity == .error, message.message.hasPrefix(prefix), message.code == .failure else {
            return nil
        }
        let reason = String(message.message.dropFirst(prefix.count))
        return reason == Watchdog.faultMessage || reason.hasPrefix("the worker ") ? nil : reason
    }
}

extension FileResult {
    /// Does the work for a row; errors become messages that name it.
    fileprivate func take(_ row: DataRow, of file: String, _ work: () throws -> Void) {
        let place = row.place(in: file)
        take(named: file) {
            do {
                try work()
            } catch let mistake as RowMistake {
                throw CommandFailure("row \(row.number): \(mistake.message)", at: place)
            } catch var failure as CommandFailure {
                if failure.location == nil {
                    failure.message = "row \(row.number): \(failure.message)"
                    failure.location = place
                }
                throw failure
            } catch is InputFailed {
                throw CommandFailure("row \(row.number): its warnings count as errors", at: place)
            } catch let error as RenderError {
                throw CommandFailure("row \(row.number): \(error)", at: place)
            }
        }
    }
}
