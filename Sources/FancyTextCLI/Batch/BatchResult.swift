// A result of `fancytext batch` as a line of JSON.

import FancyTextBasics

struct BatchResult {
    enum Content {
        case none
        case text([UInt8])
        case data([UInt8])
        /// The file that the result was written to.
        case output(String)
        case defined(String)

        /// - Parameter path: the file that the bytes were written to.
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

    /// The line without its line end.
    private var line: [UInt8] {
        var json = JSONBuffer()
        json.beginObject()
        if let id {
            json.key("id")
            json.value(id)
        }
        json.member("status", Int(status.rawValue))
        switch content {
        case .none: break
        case .text(let bytes):
            json.key("text")
            json.string(bytes)
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
        return json.bytes
    }

    /// The form in which a worker returns it: the digit of its status, and its line.
    var encoded: [UInt8] { [UInt8(ascii: "0") + UInt8(truncatingIfNeeded: status.rawValue)] + line + [0x0A] }

    static func failure(_ id: JSONValue?, _ error: String) -> BatchResult {
        BatchResult(id: id, status: .failure, error: error)
    }
}
