// Rows and the files that their results go to.
//
// In: rows, and a pattern of names. Out: a job for each row. What depends on the rows before is decided here, in their order:
// that two rows name one file, and that a row's file is there from an earlier run.

import FancyTextBasics
import FancyText
import FancyTextPlatform

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

    /// For the process that works on it: a line of JSON, and the digest.
    ///
    /// - Parameter value: the row.
    func encoded(_ value: JSONValue) -> [UInt8] {
        var json = JSONBuffer()
        json.beginArray()
        json.number(row.number)
        json.number(row.line)
        if case .success(let path?) = path { json.string(path) } else { json.null() }
        value.append(to: &json)
        json.endArray()
        return json.bytes + [0x0A] + digest
    }
}

extension RowJob {
    /// What ``encoded(_:)`` gave; nil for anything else.
    init?(encoded: [UInt8]) {
        let end = encoded.firstIndex(of: 0x0A) ?? encoded.endIndex
        var parser = JSONParser(Array(encoded[..<end]))
        guard case .array(let parts)? = parser.parse(), parts.count == 4,
            let number = parts[0].writtenText.flatMap({ Int($0) }),
            let line = parts[1].writtenText.flatMap({ Int($0) })
        else { return nil }
        self.init(
            row: DataRow(number: number, line: line, value: .success(parts[3])), path: .success(parts[2].writtenText),
            digest: Array(encoded[min(end + 1, encoded.endIndex)...]), key: [], isDone: false)
    }
}

/// Gives the jobs of a run. ``failure`` is for when they are at their end.
final class RowSource {
    private let reader: RowReader
    private let names: RowFileName?
    let done: DoneList?
    private let needsDigests: Bool
    /// The files named so far, by hashes. Swift's are equal for names that are canonically equivalent in Unicode, which are
    /// one file on some systems.
    private var taken: Set<Int> = []
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

    /// What the rows are read from.
    var descriptor: Int32 { reader.descriptor }

    /// Whether ``next()`` has something to begin with, or nothing will come.
    var isReady: Bool { reader.isReady }

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
            guard taken.insert(path.hashValue).inserted else {
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
