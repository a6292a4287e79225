// Objects, arrays, parsed values and geometry in JSON, each with one call.

extension JSONBuffer {
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

    /// Writes an object and ends its line.
    package mutating func record(_ body: (inout JSONBuffer) -> Void) {
        object(body)
        endLine()
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
