// A result of `fancytext batch` as a line of JSON.

import FancyTextBasics
import FancyText

struct BatchResult {
    enum Content {
        case none
        case text([UInt8])
        case data([UInt8])
        /// The file that it was written to.
        case output(String)
        case defined(String)
    }

    var id: JSONValue?
    var status: ExitStatus
    var content = Content.none
    /// Messages, each an object as `--diagnostics json` prints it.
    var messages: [[UInt8]] = []
    /// Why the request failed.
    var error: String?
    /// It was made by an earlier run.
    var isCached = false

    /// The line without its end.
    var line: [UInt8] {
        var json = JSONBuffer()
        json.beginObject()
        if let id {
            json.key("id")
            id.append(to: &json)
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
        if !messages.isEmpty {
            json.key("messages")
            json.beginArray()
            for message in messages { json.raw(message) }
            json.endArray()
        }
        json.endObject()
        return json.bytes
    }

    /// As it comes from a worker: the digit of its status, and its line.
    var encoded: [UInt8] {
        [UInt8(ascii: "0") + UInt8(truncatingIfNeeded: status.rawValue)] + line + [0x0A]
    }

    /// The record of a request that nothing came of.
    static func failure(_ id: JSONValue?, _ error: String) -> BatchResult {
        BatchResult(id: id, status: .failure, error: error)
    }
}

extension JSONValue {
    /// The value as text.
    var json: [UInt8] {
        var buffer = JSONBuffer()
        append(to: &buffer)
        return buffer.bytes
    }

    func append(to json: inout JSONBuffer) {
        switch self {
        case .null: json.null()
        case .bool(let value): json.bool(value)
        case .number(let text): json.raw(text.utf8)
        case .string(let text): json.string(text)
        case .array(let elements):
            json.beginArray()
            for element in elements { element.append(to: &json) }
            json.endArray()
        case .object(let members):
            json.beginObject()
            for member in members {
                json.key(member.name)
                member.value.append(to: &json)
            }
            json.endObject()
        }
    }
}
