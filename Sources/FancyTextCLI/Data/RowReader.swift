// Rows of data, one after another: NDJSON, JSON, CSV and TSV (RFC 8259, RFC 4180).
// In: a file or a pipe. Out: an object for each row, or its error. One row is in memory at a time. Existing CSV readers in Swift
// hold the whole text, and need Foundation.

import FancyText
import FancyTextPlatform

enum RowFormat: String, CaseIterable {
    case ndjson, json, csv, tsv

    /// The format of a file name; nil if its ending is unknown.
    static func format(of path: String) -> RowFormat? {
        switch PathText.ending(of: path) {
        case "ndjson", "jsonl": .ndjson
        case "json": .json
        case "csv": .csv
        case "tsv", "tab": .tsv
        default: nil
        }
    }
}

struct DataRow: Sendable {
    /// The row's number, starting at 1 without the header.
    var number: Int
    /// The line and column of its start, starting at 1.
    var line: Int
    var column = 1
    /// An object, or the error in the row.
    var value: Result<JSONValue, RowMistake>
    /// The row's source text.
    var bytes: [UInt8] = []

    func place(in file: String) -> Diagnostic.Location {
        guard case .failure(let mistake) = value, let offset = mistake.offset
        else { return Diagnostic.Location(source: file, line: line, column: 1) }
        var place = bytes.withUnsafeBufferPointer { Diagnostic.Location(source: file, offset: offset, in: $0) }
        if place.line == 1 { place.column += column - 1 }
        place.line += line - 1
        return place
    }
}

struct RowMistake: Error {
    var message: String
    /// The byte of the row where it is; nil for the whole row.
    var offset: Int?

    init(_ message: String, offset: Int? = nil) {
        (self.message, self.offset) = (message, offset)
    }

    init(_ error: TemplateError, in template: [UInt8], named name: String) {
        let place = DocumentTemplate.location(of: error, in: template, named: name)
        self.init("\(error.message) (\(place.source):\(place.line):\(place.column))\(error.note)")
    }
}

extension JSONValue {
    init(objectIn text: [UInt8]) throws(RowMistake) {
        var parser = JSONParser(text)
        guard let value = parser.parse() else { throw RowMistake(parser.message, offset: parser.position) }
        if value.members == nil { throw RowMistake("not a JSON object") }
        self = value
    }

    func text(_ name: String) throws(RowMistake) -> String? {
        guard let value = member(name) else { return nil }
        guard case .string(let text) = value else { throw RowMistake("'\(name)' must be text") }
        return text
    }

    /// The object that is a row, whose names differ.
    init(rowIn text: [UInt8]) throws(RowMistake) {
        self = try JSONValue(objectIn: text)
        try checkNames()
    }

    /// Refuses two members with the same name.
    func checkNames() throws(RowMistake) {
        if let twice = repeatedMember { throw RowMistake("'\(twice.name)' is given twice") }
    }
}

final class RowReader {
    private let format: RowFormat
    private var stream: ByteStream
    let descriptor: Int32
    /// The number of bytes; 0 if unknown.
    let size: Int
    private var rows = 0
    /// The header of CSV, by columns; columns without a name are left out.
    private(set) var header: [String] = []
    /// True inside of the array of a JSON file.
    private var isInArray = false
    private var isEnded = false

    /// - Parameter limit: the maximum number of bytes of a row.
    init(_ path: String, named name: String, format: RowFormat, limit: Int) throws(CommandFailure) {
        self.format = format
        descriptor = path == "-" ? STDIN_FILENO : try FileAccess.openFile(path)
        guard let status = fileStatus(descriptor) else { throw CommandFailure(path, errno: errno) }
        if status.isFolder { throw CommandFailure(path, errno: EISDIR) }
        size = status.isRegular ? Int(status.st_size) : 0
        stream = ByteStream(descriptor, name: name, limit: limit)
        try start()
    }

    deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

    /// The number of bytes of the rows read until now.
    var position: Int { stream.position }

    /// True if bytes are buffered, or can be read without waiting.
    var isReady: Bool {
        if stream.count > 0 || isEnded { return true }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) != 0
    }

    /// The next row; nil at the end.
    func next() throws(CommandFailure) -> DataRow? {
        guard !isEnded else { return nil }
        let row =
            switch format {
            case .ndjson: try nextLine()
            case .json: try nextValue()
            case .csv, .tsv: try nextRecord()
            }
        if row == nil { isEnded = true }
        return row
    }

    /// Skips a byte order mark, and reads the part before the rows.
    private func start() throws(CommandFailure) {
        while stream.count < 3, try stream.fill() {}
        if stream.count >= 2, [0xFE, 0xFF].contains(stream[0]), [0xFE, 0xFF].contains(stream[1]) {
            throw CommandFailure("\(stream.name): this is UTF-16: rows are UTF-8")
        }
        if stream.count >= 3, stream[0] == 0xEF, stream[1] == 0xBB, stream[2] == 0xBF { stream.drop(3) }
        switch format {
        case .ndjson: break
        case .json:
            try skip(Self.isSpace)
            isInArray = stream.first == UInt8(ascii: "[")
            if isInArray { stream.drop(1) }
        case .csv, .tsv: try readHeader()
        }
    }

    private func row(_ value: Result<JSONValue, RowMistake>, line: Int, column: Int = 1, _ bytes: [UInt8]) -> DataRow {
        rows += 1
        return DataRow(number: rows, line: line, column: column, value: value, bytes: bytes)
    }

    private func skip(_ isSkipped: (UInt8) -> Bool) throws(CommandFailure) {
        while true {
            var length = 0
            while length < stream.count, isSkipped(stream[length]) { length += 1 }
            stream.drop(length)
            if stream.count > 0 { return }
            if try !stream.fill() { return }
        }
    }

    // MARK: JSON

    /// Returns whether a byte may separate values.
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private func nextLine() throws(CommandFailure) -> DataRow? {
        while true {
            let line = stream.line
            guard let bytes = try stream.nextLine() else { return nil }
            if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
            return row(Result { () throws(RowMistake) in try JSONValue(rowIn: bytes) }, line: line, bytes)
        }
    }

    /// The next element of an array, or the next value of several.
    private func nextValue() throws(CommandFailure) -> DataRow? {
        try skip(Self.isSpace)
        let comma = (line: stream.line, column: stream.column)
        let hasComma = rows > 0 && stream.first == UInt8(ascii: ",")
        if hasComma {
            stream.drop(1)
            try skip(Self.isSpace)
        }
        guard isInArray else { return stream.count > 0 ? try readValue() : nil }
        switch stream.first {
        case UInt8(ascii: "]") where !hasComma: return nil
        case nil where !hasComma: return lastMistake("the array is not closed", (stream.line, 1))
        case nil where hasComma, UInt8(ascii: "]"), UInt8(ascii: ","):
            return lastMistake("not valid JSON: expected a value after ','", comma)
        case .some where rows > 0 && !hasComma:
            return lastMistake("not valid JSON: expected ',' before the row", (stream.line, stream.column))
        default: return try readValue()
        }
    }

    /// A row with a mistake after which no more rows can be read.
    private func lastMistake(_ message: String, _ place: (line: Int, column: Int)) -> DataRow {
        isEnded = true
        let mistake = RowMistake(message + "; no more rows are read", offset: 0)
        return row(.failure(mistake), line: place.line, column: place.column, [])
    }

    private func readValue() throws(CommandFailure) -> DataRow {
        let length = try valueLength()
        let (line, column) = (stream.line, stream.column)
        let bytes = stream.take(length)
        var value = Result { () throws(RowMistake) in try JSONValue(rowIn: bytes) }
        // The end of an invalid value is unknown, unless it is an object.
        if case .failure(var mistake) = value, mistake.offset != nil, bytes.first != UInt8(ascii: "{") {
            isEnded = true
            mistake.message += "; no more rows are read"
            value = .failure(mistake)
        }
        return row(value, line: line, column: column, bytes)
    }

    /// The length of the next value: to its closing bracket, or to the character after it.
    private func valueLength() throws(CommandFailure) -> Int {
        var depth = 0
        var isString = false
        var isEscaped = false
        var index = 0
        while true {
            if index == stream.count, try !stream.fill() { return index }
            switch stream[index] {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isString: isEscaped = true
            case UInt8(ascii: "\""): isString.toggle()
            case _ where isString: break
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return max(1, index) }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ","), 0x20, 0x0A, 0x0D, 0x09: if depth == 0 { return max(1, index) }
            default: break
            }
            index += 1
        }
    }

    // MARK: CSV

    private func readHeader() throws(CommandFailure) {
        guard let record = try record() else { return }
        let place = Diagnostic.Location(source: stream.name, line: record.line, column: 1)
        do throws(RowMistake) {
            header = try record.fields.get()
        } catch {
            throw CommandFailure("the header: \(error.message)", at: place)
        }
        if header.count == 1, header[0].contains(";") {
            throw CommandFailure(
                "the header has no comma: columns are separated by commas, in TSV by tabs, not by ';'", at: place)
        }
        var seen: Set<String> = []
        for name in header where !name.isEmpty && !seen.insert(name).inserted {
            throw CommandFailure("the header has two columns '\(name)'", at: place)
        }
    }

    private func nextRecord() throws(CommandFailure) -> DataRow? {
        guard let record = try record() else { return nil }
        let value = record.fields.flatMap { fields -> Result<JSONValue, RowMistake> in
            guard fields.count == header.count else {
                let plural = fields.count == 1 ? "" : "s"
                return .failure(RowMistake("\(fields.count) field\(plural), not \(header.count) as in the header"))
            }
            let members = zip(header, fields).filter { !$0.0.isEmpty }
            return .success(.object(members.map { JSONMember(name: $0, value: .string($1)) }))
        }
        return row(value, line: record.line, record.bytes)
    }

    /// The next record that is not an empty line; quoted fields may contain line ends.
    private func record() throws(CommandFailure) -> (fields: Result<[String], RowMistake>, line: Int, bytes: [UInt8])? {
        try skip { $0 == 0x0A || $0 == 0x0D }
        guard stream.count > 0 else { return nil }
        let line = stream.line
        let (quote, separator) = (UInt8(ascii: "\""), UInt8(ascii: format == .tsv ? "\t" : ","))
        var fields: [String] = []
        var field: [UInt8] = []
        enum FieldState { case start, plain, quoted, closed }
        var state = FieldState.start
        /// The number of bytes after the closing quote.
        var extra = 0
        var mistake: RowMistake?
        func endField() {
            if extra > 0 {
                mistake = mistake ?? RowMistake("text after the closing quote of field \(fields.count + 1)")
            }
            fields.append(String(decoding: field, as: UTF8.self))
            (field, state, extra) = ([], .start, 0)
        }
        var length = 0
        reading: while true {
            if length == stream.count, try !stream.fill() { break }
            let byte = stream[length]
            length += 1
            switch (state, byte) {
            case (.quoted, quote): state = .closed
            case (.start, quote): state = .quoted
            case (.closed, quote) where extra == 0:
                field.append(byte)
                state = .quoted
            case (.quoted, _): field.append(byte)
            case (_, 0x0A): break reading
            case (_, separator): endField()
            default:
                field.append(byte)
                if state == .closed { extra += 1 } else { state = .plain }
            }
        }
        if state == .plain || extra > 0, field.last == 0x0D {
            field.removeLast()
            extra = max(0, extra - 1)
        }
        if state == .quoted, mistake == nil { mistake = RowMistake("a quoted field is not closed") }
        endField()
        let bytes = stream.take(length)
        if String(validating: bytes, as: UTF8.self) == nil {
            // The first invalid byte is the first one that repairing changes.
            let repaired = String(decoding: bytes, as: UTF8.self).utf8
            mistake = RowMistake("not UTF-8", offset: zip(bytes, repaired).prefix { $0 == $1 }.count)
        }
        return (mistake.map(Result.failure) ?? .success(fields), line, bytes)
    }
}

struct RowJob: Sendable {
    var row: DataRow
    /// The file of the result; nil for the output that all rows share.
    var path: String?
    /// The digest of the row's contents; empty if results are not stored.
    var digest: [UInt8] = []
    /// The digest of the row and everything else that its file depends on; empty without a list of done files.
    var key: [UInt8] = []
    /// True if the file exists from an earlier run.
    var isDone = false

    /// The row; nil if there is nothing to do for it.
    func usedRow() throws(RowMistake) -> JSONValue? {
        let value = try row.value.get()
        return isDone ? nil : value
    }

    /// The form for the worker process: a line of JSON, and the digest.
    func encoded(_ value: JSONValue) -> [UInt8] {
        let path = path.map(JSONValue.string) ?? .null
        var json = JSONBuffer()
        json.value(.array([.number("\(row.number)"), .number("\(row.line)"), path, value]))
        return json.line(before: digest)
    }
}

extension RowJob {
    /// Decodes the result of ``encoded(_:)``; nil for anything else.
    init?(encoded: [UInt8]) {
        guard let (head, digest) = JSONValue.split(encoded), case .array(let parts) = head, parts.count == 4,
            let number = parts[0].writtenText.flatMap({ Int($0) }), let line = parts[1].writtenText.flatMap({ Int($0) })
        else { return nil }
        let row = DataRow(number: number, line: line, value: .success(parts[3]))
        self.init(row: row, path: parts[2].writtenText, digest: digest)
    }
}

/// Makes the jobs of a run. At the end, ``failure`` tells whether reading failed. Checks that depend on earlier rows are made
/// here, in order: whether two rows name the same file, and whether a row's file exists from an earlier run.
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
        (self.reader, self.names, self.done) = (reader, names, done)
        self.needsDigests = needsDigests || done != nil
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
        var job = RowJob(row: row)
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
            guard !inputs.contains(PathText.simplified(path))
            else { throw RowMistake("\(path): the result would replace this input") }
            guard taken.insert(path.hashValue).inserted
            else { throw RowMistake("\(path): another row is written to this file") }
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
