// Rows and the files of their results.
//
// In: rows, and a pattern of names. Out: a job for each row. Checks that depend on earlier rows are made here, in order: whether
// two rows name the same file, and whether a row's file exists from an earlier run.

import FancyTextBasics

struct RowJob: Sendable {
    var row: DataRow
    /// The file of the result; nil for the output that all rows share.
    var path: String?
    /// The digest of the row's contents; empty if results are not stored.
    var digest: [UInt8]
    /// The digest of the row and everything else that its file depends on; empty without a list of done files.
    var key: [UInt8]
    /// True if the file exists from an earlier run.
    var isDone: Bool

    /// The row; nil if there is nothing to do for it.
    ///
    /// - Throws: ``RowMistake`` if the row is bad.
    func usedRow() throws(RowMistake) -> JSONValue? {
        let value = try row.value.get()
        return isDone ? nil : value
    }

    /// The form for the worker process: a line of JSON, and the digest.
    ///
    /// - Parameter value: the row.
    func encoded(_ value: JSONValue) -> [UInt8] {
        var json = JSONBuffer()
        json.beginArray()
        json.number(row.number)
        json.number(row.line)
        if let path { json.string(path) } else { json.null() }
        json.value(value)
        json.endArray()
        return json.line(before: digest)
    }
}

extension RowJob {
    /// Decodes the result of ``encoded(_:)``; nil for anything else.
    init?(encoded: [UInt8]) {
        guard let (head, digest) = JSONValue.split(encoded), case .array(let parts) = head, parts.count == 4,
            let number = parts[0].writtenText.flatMap({ Int($0) }), let line = parts[1].writtenText.flatMap({ Int($0) })
        else { return nil }
        self.init(
            row: DataRow(number: number, line: line, value: .success(parts[3])), path: parts[2].writtenText,
            digest: digest, key: [], isDone: false)
    }
}

/// Makes the jobs of a run. At the end, ``failure`` tells whether reading failed.
final class RowSource {
    let reader: RowReader
    private let names: FileName?
    let done: DoneList?
    private let needsDigests: Bool
    /// The template and the rows, which no result replaces.
    private let inputs: [String]
    /// The hashes of the file names used until now. Swift's hashes are equal for canonically equivalent names in Unicode, which
    /// are one file on some systems.
    private var taken: Set<Int> = []
    /// The reason why there are no further rows.
    private(set) var failure: CommandFailure?

    /// - Parameter needsDigests: whether results are stored.
    init(_ reader: RowReader, of inputs: [String], names: FileName?, done: DoneList?, needsDigests: Bool) {
        self.inputs = inputs.map(PathText.simplified)
        self.reader = reader
        self.names = names
        self.done = done
        self.needsDigests = needsDigests || done != nil
    }

    /// An estimate of the number of rows, from the part of the file that was read; 0 if unknown.
    func expectedCount(after rows: Int) -> Int {
        guard reader.size > 0, reader.position > 0, rows > 0 else { return 0 }
        return max(rows, Int(Double(rows) * Double(reader.size) / Double(reader.position)))
    }

    func next() -> RowJob? {
        do throws(CommandFailure) {
            guard let row = try reader.next() else { return nil }
            if let names, names.keys.isEmpty, try reader.next() != nil {
                throw CommandFailure("several rows require -o with a key of theirs, as in -o 'out/{id}.png'")
            }
            return job(row)
        } catch {
            failure = error
            return nil
        }
    }

    private func job(_ row: DataRow) -> RowJob {
        var job = RowJob(row: row, path: nil, digest: [], key: [], isDone: false)
        if needsDigests {
            var hash = SHA256()
            // The names of columns come from the header, so they are hashed too.
            for name in reader.header { hash.update(Array("\(name.utf8.count):\(name)".utf8)) }
            hash.update(row.bytes)
            job.digest = hash.finish()
        }
        guard let names, case .success(let value) = row.value else { return job }
        do throws(RowMistake) {
            let path = try names.path(for: value, number: row.number)
            guard !inputs.contains(PathText.simplified(path)) else {
                throw RowMistake("\(path): the result would replace this input")
            }
            guard taken.insert(path.hashValue).inserted else {
                throw RowMistake("\(path): another row is written to this file")
            }
            job.path = path
            if let done {
                job.key = done.key(job.digest)
                job.isDone = done.has(path, job.key)
            }
        } catch {
            job.row.value = .failure(error)
        }
        return job
    }
}
