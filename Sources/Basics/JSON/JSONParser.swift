// Parses JSON (RFC 8259), for configuration files and data rows. Numbers are kept as text.

/// A JSON value; the members of an object keep their order.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    /// The elements of an array; any other value is its only element.
    package var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [self] } }

    /// The members of an object; nil for any other value.
    package var members: [JSONMember]? { if case .object(let members) = self { members } else { nil } }

    /// A member of an object; the last one of that name, as in JavaScript.
    package func member(_ name: String) -> JSONValue? { members?.last { $0.name == name }?.value }

    /// A string's or a number's text.
    package var writtenText: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .null, .bool, .array, .object: nil
        }
    }

    /// The shortest decimal of a Float that reads back as the same value.
    package static func number(_ value: Float) -> JSONValue {
        .number(JSONBuffer.text(Double("\(value)") ?? Double(value)))
    }
}

package struct JSONMember: Equatable, Sendable {
    package var name: String
    package var value: JSONValue
    /// The offset of the first byte of the name.
    package var position: Int

    package init(name: String, value: JSONValue, position: Int = 0) {
        (self.name, self.value, self.position) = (name, value, position)
    }
}

package struct JSONParser {
    private let bytes: [UInt8]
    /// The offset where parsing stopped; after a nil it is that of the error.
    package private(set) var position = 0
    /// The syntax that was expected at ``position``, in words; "" without an error.
    private var expected = ""
    package var message: String { "not valid JSON: expected \(expected)" }
    private static let depthLimit = 128

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The value of the whole text; nil when it is not JSON.
    package mutating func parse() -> JSONValue? {
        guard let value = value(depth: 0) else { return nil }
        skipSpace()
        return position == bytes.count ? value : fail("the end of the text")
    }

    /// Records the syntax that is missing at ``position``.
    private mutating func fail<Result>(_ expected: String) -> Result? {
        self.expected = expected
        return nil
    }

    private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func take(_ word: StaticString, as value: JSONValue) -> JSONValue? {
        guard bytes[position...].starts(with: word.bytes) else { return fail("a value") }
        position += word.utf8CodeUnitCount
        return value
    }

    /// Skips digits; false if there are none.
    private mutating func takeDigits() -> Bool {
        let start = position
        while current.isASCIIDigit { position += 1 }
        return position > start
    }

    private mutating func value(depth: Int) -> JSONValue? {
        guard depth < Self.depthLimit else { return fail("at most \(Self.depthLimit) levels") }
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return items(until: UInt8(ascii: "}")) { $0.member(depth: depth) }.map { .object($0) }
        case UInt8(ascii: "["): return items(until: UInt8(ascii: "]")) { $0.value(depth: depth + 1) }.map { .array($0) }
        case UInt8(ascii: "\""): return string().map(JSONValue.string)
        case UInt8(ascii: "t"): return take("true", as: .bool(true))
        case UInt8(ascii: "f"): return take("false", as: .bool(false))
        case UInt8(ascii: "n"): return take("null", as: .null)
        default: return number()
        }
    }

    private mutating func items<Item>(until end: UInt8, _ read: (inout JSONParser) -> Item?) -> [Item]? {
        position += 1
        var items: [Item] = []
        skipSpace()
        if take(end) { return items }
        while true {
            guard let item = read(&self) else { return nil }
            items.append(item)
            skipSpace()
            if take(end) { return items }
            guard take(UInt8(ascii: ",")) else { return fail("',' or '\(Character(Unicode.Scalar(end)))'") }
        }
    }

    private mutating func member(depth: Int) -> JSONMember? {
        skipSpace()
        let start = position
        guard current == UInt8(ascii: "\"") else { return fail("a name in double quotes") }
        guard let name = string() else { return nil }
        skipSpace()
        guard take(UInt8(ascii: ":")) else { return fail("':'") }
        guard let value = value(depth: depth + 1) else { return nil }
        return JSONMember(name: name, value: value, position: start)
    }

    private mutating func number() -> JSONValue? {
        let start = position
        _ = take(UInt8(ascii: "-"))
        let digits = position
        guard takeDigits() else { return fail(digits > start ? "a digit" : "a value") }
        guard bytes[digits] != 0x30 || position == digits + 1 else { return fail("a number without leading zeros") }
        if take(UInt8(ascii: ".")), !takeDigits() { return fail("a digit") }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard takeDigits() else { return fail("a digit") }
        }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func string() -> String? {
        position += 1
        var result: [UInt8] = []
        while position < bytes.count {
            let from = position
            position = bytes.withUnsafeBufferPointer { bytes in
                bytes[from...].firstIndex { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
                    ?? bytes.count
            }
            result += bytes[from..<position]
            guard position < bytes.count else { break }
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return fail("an escape such as \\n or \\u00e9") }
                result += String(scalar).utf8
            default: return fail("an escape for the control character")
            }
        }
        return fail("'\"' at the end of the text in quotes")
    }

    private mutating func escape() -> Unicode.Scalar? {
        guard position < bytes.count else { return nil }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let unit = hexUnit() else { return nil }
            if (0xD800..<0xDC00).contains(unit) {
                let before = position
                if take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")), let low = hexUnit(),
                    (0xDC00..<0xE000).contains(low)
                {
                    return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
                }
                position = before
            }
            return Unicode.Scalar(unit) ?? "\u{FFFD}"
        default: return nil
        }
    }

    private mutating func hexUnit() -> UInt32? {
        let digits = bytes[position...].prefix(4).compactMap(\.hexValue)
        guard digits.count == 4 else { return nil }
        position += 4
        return digits.reduce(0) { $0 << 4 | $1 }
    }
}
