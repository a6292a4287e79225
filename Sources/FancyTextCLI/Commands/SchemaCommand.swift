// `fancytext schema`: the JSON Schema of a command's output.

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

    /// The schema's text.
    var text: [UInt8] {
        switch self {
        case .render: Schema.render.document("fancytext render --format json", Schema.attributes + Schema.ranges)
        case .select:
            Schema.anyOf(.ref("node"), .ref("record")).document(
                "fancytext select: a line of --format json, or a record of --field",
                Schema.ranges + Schema.nodes + [
                    ("record", .map(.ref("value"))),
                    ("value", .anyOf(.string, .null, .ref("record"), .array(.ref("value")))),
                ])
        case .dump:
            Schema.anyOf(.token, .normalized, .ref("node"), .styled, .styledText, .layout, .display).document(
                "fancytext dump --format json: a line of the stages tokens, normalized and styles, all of the others",
                Schema.attributes + Schema.ranges + Schema.nodes)
        case .diagnostics:
            Schema.message(code: .pattern("^[a-z]+([.-][a-z0-9-]+)*$")).document(
                "fancytext --diagnostics json: a line of standard error")
        case .fonts: Schema.fonts.document("fancytext fonts --json")
        case .batch: Schema.batch.document("fancytext batch: a result, a line of standard output")
        case .batchRequest:
            Schema.anyOf(.object([.string: "define html"], optional: [.any: "id"]), .request).document(
                "fancytext batch: a request, a line of standard input",
                [("value", .anyOf(.string, .number, .boolean, .null))])
        }
    }
}

extension Schema {
    /// A request: its source, and the options of its command.
    fileprivate static var request: Schema {
        let value = ref("value")
        var names: [CommandOption.Kind: Set<String>] = [:]
        for command in BatchRequest.commands {
            for option in command.table.options where !option.traits.contains(.notInRequests) && !option.name.isEmpty {
                names[option.kind, default: []].insert(option.name)
            }
        }
        let own: Set = ["file", "output", "selector", "timeout"]
        func members(_ kinds: CommandOption.Kind...) -> String {
            kinds.reduce(into: Set()) { $0.formUnion(names[$1] ?? []) }.subtracting(own).sorted().joined(separator: " ")
        }
        return object(
            [:],
            optional: [
                .any: "id", .string: "html file template selector output", .map(.any): "row", .number: "timeout",
                .choice(BatchRequest.commands.map { $0.name }): "command", value: members(.flag, .single),
                .anyOf(value, .array(value)): members(.list),
            ],
            rule: .anyOf(.required("html"), .required("file"), .required("template")))
    }
}
