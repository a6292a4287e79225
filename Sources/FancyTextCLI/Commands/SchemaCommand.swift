// `fancytext schema`: the JSON Schema of a command's output, from the files in Schemas.

import FancyTextBasics

struct SchemaCommand: Command {
    static let name = "schema"
    static let abstract = "Print the JSON Schema (draft 2020-12) of what a command prints as JSON."
    static let discussion = """
        EXAMPLES
          fancytext schema render > render.schema.json
          fancytext schema diagnostics
        """

    @Operand("name", "Whose JSON: \(SchemaName.listed).", choices: SchemaName.listed) var subject

    func run() throws {
        guard let schema = try _subject.choice(SchemaName.self) else { return }
        try OutputSink.write(schema.text)
    }
}

enum SchemaName: String, CaseIterable {
    case render, select, dump, diagnostics, fonts, batch
    case batchRequest = "batch-request"

    private var file: [UInt8] {
        switch self {
        case .render: PackageResources.render_json
        case .select: PackageResources.select_json
        case .dump: PackageResources.dump_json
        case .diagnostics: PackageResources.diagnostics_json
        case .fonts: PackageResources.fonts_json
        case .batch: PackageResources.batch_json
        case .batchRequest: PackageResources.batch_request_json
        }
    }

    /// The schema's text: a file, with the definitions of `render` for `dump`, and with the options of commands for requests.
    var text: [UInt8] {
        let source = String(decoding: file, as: UTF8.self)
            .replacing("\"OPTIONS\": {}", with: self == .batchRequest ? Self.options : "")
        var schema = Self.members(Array(source.utf8))
        if self == .dump, let definitions = schema.firstIndex(where: { $0.name == "$defs" }) {
            let shared = Self.members(PackageResources.render_json).first { $0.name == "$defs" }?.value.members ?? []
            schema[definitions].value = .object(shared + (schema[definitions].value.members ?? []))
        }
        return JSONValue.object(schema).json(pretty: true) + [0x0A]
    }

    private static func members(_ file: [UInt8]) -> [JSONMember] {
        var parser = JSONParser(file)
        return parser.parse()?.members ?? []
    }

    /// The members of a request that are options: each has a value, or is also a list of them.
    private static var options: String {
        let options = BatchRequest.commands.flatMap { $0.table.options }
            .filter { !$0.traits.contains(.notInRequests) && !$0.name.isEmpty }
        let own = ["file", "output", "selector", "timeout"]
        let value = ##"{"$ref":"#/$defs/value"}"##
        func members(_ kinds: [CommandOption.Kind], _ schema: String) -> [String] {
            Set(options.filter { kinds.contains($0.kind) }.map(\.name)).subtracting(own).sorted()
                .map { "\"\($0)\":\(schema)" }
        }
        let list = #"{"anyOf":[\#(value),{"type":"array","items":\#(value)}]}"#
        return (members([.flag, .single], value) + members([.list], list)).joined(separator: ",")
    }
}
