// Builds JSON Schemas (draft 2020-12).

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
