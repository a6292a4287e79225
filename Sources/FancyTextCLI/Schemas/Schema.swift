// Builds JSON Schemas (draft 2020-12) of all JSON that is printed.

import FancyTextBasics

struct Schema {
    let json: String

    static let any = Schema(json: "{}")
    static let string = type("string")
    static let number = type("number")
    static let integer = type("integer")
    static let boolean = type("boolean")
    static let null = type("null")
    /// An integer that is not negative.
    static let index = Schema(json: #"{"type":"integer","minimum":0}"#)
    /// A line or column.
    static let position = Schema(json: #"{"type":"integer","minimum":1}"#)
    static let color = pattern("^#[0-9a-f]{8}$")
    static let range = ref("range")

    private static func type(_ name: String) -> Schema { Schema(json: #"{"type":"\#(name)"}"#) }
    static func pattern(_ pattern: String) -> Schema { Schema(json: #"{"type":"string","pattern":"\#(pattern)"}"#) }
    static func ref(_ name: String) -> Schema { Schema(json: ##"{"$ref":"#/$defs/\##(name)"}"##) }
    static func array(_ items: Schema) -> Schema { Schema(json: #"{"type":"array","items":\#(items.json)}"#) }
    static func anyOf(_ schemas: Schema...) -> Schema { Schema(json: #"{"anyOf":\#(list(schemas.map(\.json)))}"#) }

    /// An object with any members of one schema.
    static func map(_ values: Schema) -> Schema {
        Schema(json: #"{"type":"object","additionalProperties":\#(values.json)}"#)
    }

    /// One of several texts.
    static func choice(_ values: String...) -> Schema { choice(values) }
    static func choice(_ values: [String]) -> Schema { Schema(json: #"{"enum":\#(list(values.map { "\"\($0)\"" }))}"#) }

    /// A single value, as JSON.
    static func const(_ value: String) -> Schema { Schema(json: #"{"const":\#(value)}"#) }

    static func required(_ name: String) -> Schema { Schema(json: #"{"required":["\#(name)"]}"#) }

    /// An object. Members are names, separated by spaces, for each schema; without `others`, no more are allowed.
    static func object(
        _ required: KeyValuePairs<Schema, String>, optional: KeyValuePairs<Schema, String> = [:],
        others: Schema? = nil, rule: Schema? = nil
    ) -> Schema {
        func names(_ members: KeyValuePairs<Schema, String>) -> [(name: Substring, schema: Schema)] {
            members.flatMap { member in member.value.split(separator: " ").map { ($0, member.key) } }
        }
        let properties = (names(required) + names(optional)).map { #""\#($0.name)":\#($0.schema.json)"# }
        let rule = rule.map { "," + $0.json.dropFirst().dropLast() } ?? ""
        return Schema(
            json: #"{"type":"object","properties":{\#(properties.joined(separator: ","))},"#
                + #""required":\#(list(names(required).map { "\"\($0.name)\"" }))\#(rule),"#
                + #""additionalProperties":\#(others?.json ?? "false")}"#)
    }

    private static func list(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }

    /// The whole text, with definitions.
    func document(_ title: String, _ definitions: [(name: String, schema: Schema)] = []) -> [UInt8] {
        let definitions = definitions.map { #""\#($0.name)":\#($0.schema.json)"# }.joined(separator: ",")
        let text =
            #"{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"\#(title)","#
            + #""$defs":{\#(definitions)},\#(json.dropFirst())"#
        var (parser, json) = (JSONParser(Array(text.utf8)), JSONBuffer(pretty: true))
        json.value(parser.parse() ?? .null)
        return json.bytes + [0x0A]
    }
}

extension Schema {
    // MARK: Definitions

    typealias Definitions = [(name: String, schema: Schema)]

    static var attributes: Definitions {
        let line = choice("single", "double", "dotted", "dashed", "wavy")
        let shadow = object([.number: "x y blur", .color: "color"])
        let style = object(
            [.ref("font"): "font", .color: "foregroundColor", .ref("paragraphStyle"): "paragraphStyle"],
            optional: [
                .color: "backgroundColor underlineColor strikethroughColor overlineColor strokeColor",
                .number: """
                ligature kern tracking wordSpacing underlineThickness strikethroughThickness overlineThickness \
                underlineOffset strokeWidth baselineOffset obliqueness expansion attachmentWidth attachmentHeight opacity
                """,
                .boolean: "verticalGlyphForm", line: "underlineStyle strikethroughStyle overlineStyle",
                .array(shadow): "shadow",
                .string: "link writingDirection textTransform attachment textEffect visibility",
            ])
        let font = object(
            [.array(.string): "family", .number: "size weight stretch", .boolean: "italic"],
            optional: [.number: "oblique", .string: "caps language", .map(.number): "features variations"])
        let paragraph = object(
            [.string: "alignment"],
            optional: [
                .number: """
                lineHeight lineHeightMultiple lineSpacing paragraphSpacing paragraphSpacingBefore headIndent tailIndent \
                firstLineHeadIndent minimumLineHeight maximumLineHeight hyphenationFactor defaultTabInterval maximumLines
                """,
                .string: "lineBreakMode baseWritingDirection lineBreakStrategy listStyle whiteSpace",
                .boolean: "hyphenation allowsDefaultTighteningForTruncation", .array(.number): "tabStops",
            ], others: .any)
        return [("style", style), ("font", font), ("paragraphStyle", paragraph)]
    }

    /// A range of a text or source.
    static var ranges: Definitions { [("range", object([.index: "start end"]))] }

    /// A node of the tree, with its contents.
    static var nodes: Definitions {
        let children = array(.ref("node"))
        let root = object([.const("\"root\""): "type", children: "children"], optional: [.range: "source"])
        let element = object(
            [.const("\"element\""): "type", .string: "name", .map(.string): "attributes", children: "children"],
            optional: [.string: "namespace", .range: "source"])
        let other = object([otherNodes: "type", .string: "value"], optional: [.range: "source"])
        return [("node", anyOf(root, element, other))]
    }

    private static var otherNodes: Schema { choice("text", "comment", "doctype", "instruction", "cdata", "rawtext") }

    // MARK: Renderings

    static var render: Schema {
        let rect = object([.number: "x y width height"])
        let cell = object(
            [.index: "table row column"], optional: [.integer: "rowSpan columnSpan", .const("true"): "header"])
        let run = object(
            [.index: "start end", .ref("style"): "style"],
            optional: [.string: "tag id class link", .const("true"): "marker", cell: "cell", .range: "source"])
        let line = object([.index: "start end", .number: "x y width height baseline"])
        let word = object([.index: "start end", .string: "text font", .number: "x y width height size"])
        let glyph = object([.index: "id cluster", .number: "x y advance"])
        let glyphRun = object([.string: "font", .number: "size", .array(glyph): "glyphs"])
        return object(
            [.const("1"): "version", .string: "text", .array(run): "runs"],
            optional: [
                .string: "title language", object([.number: "width height"]): "size", .array(line): "lines",
                .array(word): "words", .array(object([.string: "href", .array(rect): "boxes"])): "links",
                .anyOf(.const("false"), object([:], optional: [.index: "at", rect: "tail"])): "truncated",
                .array(glyphRun): "glyphs",
                .array(object([.string: "tag", .number: "x y width height"], optional: [.string: "id class"])): "boxes",
            ])
    }

    static var fonts: Schema {
        let axis = object([.string: "tag", .number: "minimum default maximum"])
        let face = object(
            [.boolean: "italic", .any: "weights stretches", .index: "index", .array(axis): "axes"],
            optional: [.string: "path"])
        return object([
            .array(object([.string: "name version path"])): "libraries",
            .array(object([.string: "family origin", .array(face): "faces"])): "families",
        ])
    }

    // MARK: Stages

    static var token: Schema {
        let kinds = choice("startTag", "endTag", "text", "comment", "doctype", "instruction", "cdata", "rawtext")
        return object([kinds: "type", .string: "text", .range: "source"])
    }

    static var normalized: Schema {
        let start = object(
            [.const("\"startTag\""): "type", .string: "name", .map(.string): "attributes"], optional: [.range: "source"]
        )
        let end = object([.const("\"endTag\""): "type", .string: "name"])
        return anyOf(start, end, object([otherNodes: "type", .string: "value"]))
    }

    static var styled: Schema {
        object([.string: "name display", .ref("style"): "style"], optional: [.string: "id class", .range: "source"])
    }

    static var styledText: Schema {
        let items = choice("text", "open", "close", "atomic", "float", "wbr")
        let item = object([items: "type"], optional: [.string: "value name", .boolean: "generated", .index: "box"])
        let box = object(
            [.string: "kind", .range: "text"],
            optional: [
                .string: "name marker src alt", .boolean: "anonymous inline", .index: "parent",
                .integer: "columnSpan rowSpan", .array(item): "items",
            ])
        return object([.string: "text", .array(box): "boxes"])
    }

    static var layout: Schema {
        let fragment = object(
            [.string: "kind"],
            optional: [
                .range: "text", .string: "value", .number: "x y width height", .integer: "level", .boolean: "hidden",
                .index: "children",
            ], others: .any)
        let line = object(
            [.range: "text", .number: "baseline", .array(fragment): "fragments"],
            optional: [.number: "x y width height"])
        let box = object(
            [.string: "kind", .number: "x y width height"],
            optional: [.index: "parent", .boolean: "anonymous missing", .string: "placement", .array(line): "lines"])
        return object([object([.number: "width height"]): "size", .boolean: "truncated", .array(box): "boxes"])
    }

    static var display: Schema {
        object([
            object([.number: "width height"]): "size", .color: "background",
            .array(object([.string: "type"], others: .any)): "items",
        ])
    }

    // MARK: Messages and requests

    static func message(code: Schema) -> Schema {
        object(
            [.choice("note", "warning", "error"): "severity", code: "code", .string: "message"],
            optional: [.string: "file", .position: "line column"])
    }

    static var batch: Schema {
        object(
            [.anyOf(.const("0"), .const("1"), .const("2")): "status"],
            optional: [
                .any: "id", .string: "text output defined error", .pattern("^[A-Za-z0-9+/]*=*$"): "data",
                .const("true"): "cached", .array(message(code: .string)): "messages",
            ])
    }
}
