// The low-level JSON writer (RFC 8259), used by every JSON output. The caller opens and closes objects and arrays, and the buffer
// writes the commas. Runs of bytes that need no escape are copied whole.

package struct JSONBuffer: Sendable {
    package private(set) var bytes: [UInt8] = []
    /// A Boolean value that indicates whether each member and element is on its own line, indented by two spaces a level.
    package let isPretty: Bool

    /// For each open container, true if it already has a value.
    private var hasValue: [Bool] = []
    private var followsKey = false

    package init(pretty: Bool = false) {
        isPretty = pretty
        bytes.reserveCapacity(256)
    }

    // MARK: Structure

    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes the name of the next member; it must need no escapes.
    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.bytes)
        finishKey()
    }

    package mutating func key(_ name: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var name = name
        name.withUTF8 { Self.appendEscaped($0, to: &bytes) }
        finishKey()
    }

    // MARK: Values

    package mutating func string(_ value: String) {
        var value = value
        value.withUTF8 { string($0) }
    }

    /// Text as UTF-8; bytes that are not valid UTF-8 become U+FFFD.
    package mutating func string(_ utf8: some Sequence<UInt8>) {
        let done: Void? = utf8.withContiguousStorageIfAvailable { string($0) }
        if done == nil { Array(utf8).withUnsafeBufferPointer { string($0) } }
    }

    package mutating func string(_ utf8: UnsafeBufferPointer<UInt8>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        Self.appendEscaped(utf8, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func number(_ value: Int) { raw("\(value)".utf8) }

    /// The shortest decimal that reads back as the same value; `null` for infinities and NaN, which JSON lacks.
    package mutating func number(_ value: Float) {
        if let whole = Int32(exactly: value) { return number(Int(whole)) }
        raw((value.isFinite ? value.description : "null").utf8)
    }

    package mutating func number(_ value: Double) { raw(Self.text(value).utf8) }

    static func text(_ value: Double) -> String {
        if let whole = Int(exactly: value), abs(value) < 1e15 { return "\(whole)" }
        return value.isFinite ? value.description : "null"
    }

    package mutating func bool(_ value: Bool) { raw((value ? "true" : "false").utf8) }
    package mutating func null() { raw("null".utf8) }

    /// Appends a value that is JSON already.
    package mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Appends an object that is JSON already and not empty, with one more member.
    package mutating func raw(object json: [UInt8], with name: StaticString, _ value: String) {
        separate()
        bytes.append(contentsOf: json.dropLast())
        hasValue.append(true)
        member(name, value)
        close(UInt8(ascii: "}"))
    }

    // MARK: Members

    package mutating func member(_ name: StaticString, _ value: String) { member(name) { $0.string(value) } }
    package mutating func member(_ name: StaticString, _ value: Int) { member(name) { $0.number(value) } }
    package mutating func member(_ name: StaticString, _ value: Float) { member(name) { $0.number(value) } }
    package mutating func member(_ name: StaticString, _ value: Bool) { member(name) { $0.bool(value) } }
    package mutating func member(_ name: StaticString, _ value: JSONValue) { member(name) { $0.value(value) } }
    package mutating func member(_ name: StaticString, _ utf8: some Sequence<UInt8>) {
        member(name) { $0.string(utf8) }
    }

    private mutating func member(_ name: StaticString, _ writeValue: (inout JSONBuffer) -> Void) {
        key(name)
        writeValue(&self)
    }

    // MARK: Bytes

    private mutating func separate() {
        if followsKey {
            followsKey = false
            return
        }
        guard let last = hasValue.last else { return }
        if last { bytes.append(UInt8(ascii: ",")) } else { hasValue[hasValue.count - 1] = true }
        if isPretty { breakLine() }
    }

    private mutating func breakLine() {
        bytes.append(0x0A)
        for _ in 0..<2 * hasValue.count { bytes.append(0x20) }
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        hasValue.append(false)
    }

    private mutating func close(_ bracket: UInt8) {
        if hasValue.popLast() == true, isPretty { breakLine() }
        bytes.append(bracket)
    }

    private mutating func finishKey() {
        bytes += (isPretty ? "\": " : "\":").utf8
        followsKey = true
    }

    /// Appends the inside of a string literal (RFC 8259 §7). DEL, C1 and bidi controls, U+2028 and U+2029 are escaped too, because
    /// they can harm terminals, readers and JavaScript.
    package static func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var (clean, index) = (0, 0)
        while index < text.count {
            let byte = text[index]
            if byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
                index += 1
                continue
            }
            let (value, length) = scalar(in: text, at: index, end: text.count)
            if let replacement = escape(value, length) {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[clean..<index]))
                bytes.append(contentsOf: replacement)
                clean = index + length
            }
            index += length
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[clean..<index]))
    }

    /// The escape of a character of `length` bytes; nil for one that is written as it is.
    private static func escape(_ value: UInt32, _ length: Int) -> [UInt8]? {
        switch value {
        case 0x22, 0x5C: [0x5C, UInt8(value)]
        case 0x0A: Array("\\n".utf8)
        case 0x0D: Array("\\r".utf8)
        case 0x09: Array("\\t".utf8)
        case 0x08: Array("\\b".utf8)
        case 0x0C: Array("\\f".utf8)
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069:
            Array("\\u".utf8) + [12, 8, 4, 0].map { hexDigits[Int(value >> $0) & 15] }
        case 0xFFFD where length == 1: Array("\u{FFFD}".utf8)
        default: nil
        }
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)

    package mutating func object(_ body: (inout JSONBuffer) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    package mutating func object(_ name: StaticString, _ body: (inout JSONBuffer) -> Void) {
        key(name)
        object(body)
    }

    /// The bytes of one object and the end of its line.
    package static func record(_ body: (inout JSONBuffer) -> Void) -> [UInt8] {
        var json = JSONBuffer()
        json.record(body)
        return json.bytes
    }

    package mutating func record(_ body: (inout JSONBuffer) -> Void) {
        object(body)
        bytes.append(0x0A)
    }

    package mutating func array<Items: Sequence>(
        _ name: StaticString, _ items: Items, _ body: (inout JSONBuffer, Items.Element) -> Void
    ) {
        key(name)
        beginArray()
        for item in items { body(&self, item) }
        endArray()
    }

    /// Writes an array of objects; `body` writes the members of each.
    package mutating func objects<Items: Sequence>(
        _ name: StaticString, _ items: Items, _ body: (inout JSONBuffer, Items.Element) -> Void
    ) { array(name, items) { json, item in json.object { body(&$0, item) } } }

    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let text): raw(text.utf8)
        case .string(let text): string(text)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let members):
            object { json in
                for member in members {
                    json.key(member.name)
                    json.value(member.value)
                }
            }
        }
    }

    package mutating func range(_ name: StaticString, _ range: Range<Int>) {
        object(name) { json in
            json.member("start", range.lowerBound)
            json.member("end", range.upperBound)
        }
    }

    package mutating func size(_ size: Size) {
        object("size") { json in
            json.member("width", size.width)
            json.member("height", size.height)
        }
    }

    package mutating func rect(_ rect: Rect) {
        member("x", rect.x)
        member("y", rect.y)
        member("width", rect.width)
        member("height", rect.height)
    }
}

extension JSONValue {
    package func json(pretty: Bool = false) -> [UInt8] {
        var json = JSONBuffer(pretty: pretty)
        json.value(self)
        return json.bytes
    }
}
