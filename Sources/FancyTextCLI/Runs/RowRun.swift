// A run over rows: as many at a time as there are threads, results and messages in the rows' order.
//
// In: rows and what makes a result of one. Out: results, written or shared, and messages that name the row.

import Basics
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
    /// What the command has to say of its options.
    var remarks: [String] = []

    /// What all rows gave together.
    struct Total {
        var rows = 0
        var done = 0
        var cached = 0
        var hasFailed = false
    }

    private struct RowResult {
        var job: RowJob
        var result: FileResult
    }

    /// - Parameter makeWork: called once on each thread, for what threads do not share.
    func run(_ makeWork: @escaping @Sendable () -> Work) -> Total {
        let printer = MessagePrinter(messages)
        for remark in remarks { printer.print(Diagnostic(.note, .ignoredOption, remark)) }
        let isStrict = messages.strict
        let name = name
        let queue = WorkQueue<RowJob, RowResult>(threads: jobs, from: source.next) {
            let work = makeWork()
            return { job in
                let result = FileResult(OutputSink(.memory), isStrict: isStrict, printer: nil)
                result.take(job.row, of: name) { try work(job, result) }
                return RowResult(job: job, result: result)
            }
        }
        var total = Total()
        while let row = queue.next({ printer.showProgress(total.rows, of: source.expectedCount(after: total.rows)) }) {
            total.rows += 1
            row.result.messages.forEach(printer.print)
            if row.result.hasFailed {
                total.hasFailed = true
            } else if row.job.isDone {
                total.done += 1
            } else if let done = source.done, case .success(let path?) = row.job.path {
                done.add(path, row.job.key)
            }
            if row.result.isCached { total.cached += 1 }
            shared?.append(row.result.sink.bytes)
            if shared?.failure != nil { break }
            printer.showProgress(total.rows, of: source.expectedCount(after: total.rows))
        }
        queue.stop()
        printer.endProgress()
        if total.done > 0 {
            printer.print(Diagnostic(.note, .skippedRows, "\(total.done) of \(total.rows) files were there"))
        }
        if total.cached > 0 { printer.printHits(total.cached, of: total.rows) }
        return total
    }
}

extension FileResult {
    /// Does the work for a row; errors become messages that name it.
    fileprivate func take(_ row: DataRow, of file: String, _ work: () throws -> Void) {
        let place = Diagnostic.Location(source: file, line: row.line, column: 1)
        take(named: file) {
            do {
                try work()
            } catch let mistake as RowMistake {
                throw CommandFailure("row \(row.number): \(mistake.message)", at: place)
            } catch let failure as CommandFailure {
                throw failure.location == nil
                    ? CommandFailure("row \(row.number): \(failure.message)", at: place) : failure
            } catch is InputFailed {
                throw CommandFailure("row \(row.number): its warnings count as errors", at: place)
            } catch let error as RenderError {
                throw CommandFailure("row \(row.number): \(error)", at: place)
            }
        }
    }
}
