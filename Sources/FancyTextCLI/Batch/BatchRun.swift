// Distributes requests to worker processes, and writes their results in order.
//
// Requests are passed on as they are read. If a worker ends, its current request gets a result with the failure.

import FancyText
import FancyTextMarkup

struct BatchRun {
    private let limit: Int
    private var pool: WorkerPool
    private var stream: ByteStream
    private let descriptor: Int32
    /// True while the rest of a line above the limit is dropped.
    private var isTooLong = false
    private var hasFailed = false

    /// - Parameter limit: the maximum number of bytes of a request.
    init(_ descriptor: Int32, name: String, jobs: Int, limit: Int, serve: @escaping (WorkerChannel) -> Void) {
        (self.limit, self.descriptor) = (limit, descriptor)
        stream = ByteStream(descriptor, name: name, limit: limit)
        pool = WorkerPool(jobs: jobs, serve: serve) { ticket, end in
            var parser = JSONParser(ticket.piece)
            return BatchResult.failure(parser.parse()?.member("id"), end.words).encoded
        }
    }

    /// Answers the requests, and returns whether any failed.
    mutating func run() throws(CommandFailure) -> Bool {
        while true {
            var isDrained = try takeLines()
            // Each written result lets another request be passed on.
            while try write() { isDrained = try takeLines() }
            if isDrained, pool.isDone { return hasFailed }
            if try pool.wait(for: !stream.isAtEnd && pool.hasRoom ? descriptor : nil) { _ = try stream.fill() }
        }
    }

    /// Passes on the requests that were read; true if no request is left and none will follow.
    private mutating func takeLines() throws(CommandFailure) -> Bool {
        while pool.hasRoom {
            guard let line = stream.bufferedLine() ?? (isTooLong && stream.isAtEnd ? [] : nil) else {
                if stream.count > limit {
                    stream.drop(stream.count)
                    isTooLong = true
                }
                return stream.isAtEnd
            }
            if isTooLong || line.count > limit {
                isTooLong = false
                fail(nil, "more than \(limit) bytes in one request (--max-input)")
            } else if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                try hand(line)
            }
        }
        return false
    }

    private mutating func fail(_ id: JSONValue?, _ message: String) {
        pool.give(result: BatchResult.failure(id, message).encoded)
    }

    /// Passes a request on. Definitions are answered here, because all workers must know them.
    private mutating func hand(_ line: [UInt8]) throws(CommandFailure) {
        // A name may be written with escapes.
        let mayDefine = line.withUnsafeBufferPointer { bytes in
            ["\"define\"", "\\u"].contains { find(Array($0.utf8), in: bytes, false) }
        }
        var parser = JSONParser(line)
        guard mayDefine, let request = parser.parse(), case .string(let name)? = request.member("define")
        else { return try pool.give(line) }
        if pool.known[name] == nil, pool.known.count >= 1000 {
            return fail(nil, "more than 1000 templates")
        }
        let id = request.member("id")
        do throws(RowMistake) {
            guard let html = try request.text("html") else { throw RowMistake("'define' needs 'html'") }
            let source = Array(html.utf8)
            do throws(TemplateError) {
                _ = try MustacheTemplate(source)
            } catch {
                throw RowMistake(error, in: source, named: name)
            }
        } catch {
            return fail(id, error.message)
        }
        pool.tell(line, as: name)
        pool.give(result: BatchResult(id: id, status: .success, content: .defined(name)).encoded)
    }

    /// Writes the results that are next in order; false without any.
    private mutating func write() throws(CommandFailure) -> Bool {
        let before = pool.taken
        while let result = pool.next() {
            if result.first != UInt8(ascii: "0"), result.first != UInt8(ascii: "1") { hasFailed = true }
            try result.withUnsafeBufferPointer { bytes throws(CommandFailure) in
                try FileAccess.write(UnsafeBufferPointer(rebasing: bytes.dropFirst()))
            }
        }
        return pool.taken > before
    }
}

/// A result of `fancytext batch` as a line of JSON.
struct BatchResult {
    enum Content {
        case none
        case text([UInt8])
        case data([UInt8])
        /// The file that the result was written to.
        case output(String)
        case defined(String)

        init(_ bytes: [UInt8], isText: Bool, writtenTo path: String?) {
            self = path.map(Self.output) ?? (isText ? .text(bytes) : .data(bytes))
        }
    }

    var id: JSONValue?
    var status: ExitStatus
    var content = Content.none
    /// Messages, each an object in the format of `--diagnostics json`.
    var messages: [[UInt8]] = []
    var error: String?
    /// True if the result came from the cache.
    var isCached = false

    /// The form in which a worker returns it: the digit of its status, and a line of JSON.
    var encoded: [UInt8] {
        var json = JSONBuffer()
        json.beginObject()
        if let id { json.member("id", id) }
        json.member("status", Int(status.rawValue))
        switch content {
        case .none: break
        case .text(let bytes): json.member("text", bytes)
        case .data(let bytes):
            json.key("data")
            json.raw([UInt8(ascii: "\"")] + Base64.encode(bytes) + [UInt8(ascii: "\"")])
        case .output(let path): json.member("output", path)
        case .defined(let name): json.member("defined", name)
        }
        if isCached { json.member("cached", true) }
        if let error { json.member("error", error) }
        if !messages.isEmpty { json.array("messages", messages) { $0.raw($1) } }
        json.endObject()
        return [UInt8(ascii: "0") + UInt8(truncatingIfNeeded: status.rawValue)] + json.bytes + [0x0A]
    }

    static func failure(_ id: JSONValue?, _ error: String) -> BatchResult {
        BatchResult(id: id, status: .failure, error: error)
    }
}
