// Rows and the files that their results go to.
//
// In: rows, and a pattern of names. Out: a job for each row. What depends on the rows before is decided here, in their order:
// that two rows name one file, and that a row's file is there from an earlier run.

import Basics
import FancyText
import Glibc

/// What is to be done for one row.
struct RowJob: Sendable {
    var row: DataRow
    /// Where the result goes; nil for what all rows share.
    var path: Result<String?, RowMistake>
    /// Of what the row says; empty where nothing is kept of it.
    var digest: [UInt8]
    /// Of the row and all that decides its file; empty without a list of those.
    var key: [UInt8]
    /// The file is there from an earlier run.
    var isDone: Bool

    /// The row; nil when nothing is to be done for it.
    ///
    /// - Throws: ``RowMistake`` when it is wrong.
    func usedRow() throws(RowMistake) -> JSONValue? {
        let value = try row.value.get()
        _ = try path.get()
        return isDone ? nil : value
    }
}

/// Gives the jobs of a run. One task at a time uses it; ``failure`` is for when they are at their end.
final class RowSource: @unchecked Sendable {
    private let reader: RowReader
    private let names: RowFileName?
    let done: DoneList?
    private let needsDigests: Bool
    /// The files named so far, by digests.
    private var taken: Set<UInt64> = []
    /// Why there are no further rows.
    private(set) var failure: CommandFailure?

    /// - Parameter needsDigests: whether results are kept.
    init(_ reader: RowReader, names: RowFileName?, done: DoneList?, needsDigests: Bool) {
        self.reader = reader
        self.names = names
        self.done = done
        self.needsDigests = needsDigests || done != nil
    }

    /// How many rows there will be, guessed from the part of the file that was read; 0 where nothing tells.
    func expectedCount(after rows: Int) -> Int {
        guard reader.size > 0, reader.position > 0, rows > 0 else { return 0 }
        return max(rows, Int(Double(rows) * Double(reader.size) / Double(reader.position)))
    }

    func next() -> RowJob? {
        do throws(CommandFailure) {
            guard let row = try reader.next() else { return nil }
            return job(row)
        } catch {
            failure = error
            return nil
        }
    }

    private func job(_ row: DataRow) -> RowJob {
        var job = RowJob(row: row, path: .success(nil), digest: [], key: [], isDone: false)
        if needsDigests {
            var hash = SHA256()
            // Columns have their names from elsewhere.
            for name in reader.header { hash.update(Array("\(name.utf8.count):\(name)".utf8)) }
            hash.update(row.bytes)
            job.digest = hash.finish()
        }
        guard let names, case .success(let value) = row.value else { return job }
        do throws(RowMistake) {
            let path = try names.path(for: value, number: row.number)
            guard taken.insert(DoneList.digest(path)).inserted else {
                throw RowMistake(message: "\(path): another row is written to this file")
            }
            job.path = .success(path)
            if let done {
                job.key = done.key(job.digest)
                job.isDone = done.has(path, job.key)
            }
        } catch {
            job.path = .failure(error)
        }
        return job
    }
}
