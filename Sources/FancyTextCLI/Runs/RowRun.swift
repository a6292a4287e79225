// A run over rows: as many at a time as there are jobs, each in a process, results and messages in the rows' order.
//
// In: rows and what makes a result of one. Out: results, written or shared, and messages that name the row.

import FancyTextBasics
import FancyText

struct RowRun {
    typealias Work = (_ job: RowJob, _ result: FileResult) throws -> Void

    var source: RowSource
    /// What messages call the rows' file.
    var name: String
    var jobs: Int
    /// Where all results go, one after the other; nil when each row has its own file.
    var shared: OutputSink?
    var messages: DiagnosticArguments
    /// How long a row may take; 0 is without end.
    var seconds = 0.0
    /// Notes the files that are looked for.
    var reads: FileReads?
    /// What the command has to say of its options.
    var remarks: [String] = []
    /// The result is text that goes to standard output.
    var isText = false

    /// What all rows gave together.
    struct Total {
        var rows = 0
        var done = 0
        var cached = 0
        var hasFailed = false
        /// Has messages that are printed after the results.
        fileprivate(set) var printer: MessagePrinter?
    }

    /// - Parameter makeWork: called once in each process, for what rows have in common.
    /// - Throws: ``CommandFailure`` when no process can be had.
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
            // Rows that are there are given out; others are waited for, as results are.
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

    /// Rows without a result, by their places.
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

    /// What a worker does: the results of the rows that it is given.
    private func serve(_ channel: WorkerChannel, _ makeWork: () -> Work) {
        let work = makeWork()
        channel.serve { piece in
            guard let job = RowJob(encoded: piece) else { return nil }
            if seconds > 0 { LastWords.endWorker(after: seconds) }
            defer { LastWords.stayQuiet() }
            let result = FileResult(OutputSink(.memory, .safe), isStrict: messages.strict, printer: nil)
            result.take(job.row, of: name) { try work(job, result) }
            return result.encoded(reads: reads?.files ?? [])
        }
    }
}

extension DataRow {
    /// What remains of an error's message without the row's number. Rows that ended their worker are told one by one.
    fileprivate func reason(in message: Diagnostic) -> String? {
        let prefix = "row \(number): "
        guard message.severity == .error, message.message.hasPrefix(prefix), message.code == .failure else {
            return nil
        }
        let reason = String(message.message.dropFirst(prefix.count))
        return reason == LastWords.ofFault || reason.hasPrefix("the worker ") ? nil : reason
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
