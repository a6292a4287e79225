// JSON Schemas (draft 2020-12) of all JSON that is printed, and of requests.
//
// In: a schema's name. Out: its text, which is self-contained.

/// The outputs that have a schema.
enum SchemaName: String, CaseIterable {
    case render, select, dump, diagnostics, fonts, batch
    case batchRequest = "batch-request"

    /// The schema's text.
    var text: [UInt8] {
        switch self {
        case .render:
            Schema.render.document("fancytext render --format json", Schema.attributes + Schema.ranges)
        case .select:
            Schema.anyOf(.ref("node"), .ref("record")).document(
                "fancytext select: a line of --format json, or a record of --field",
                Schema.ranges + Schema.nodes + [
                    ("record", .map(.ref("value"))),
                    ("value", .anyOf(.string, .null, .ref("record"), .array(.ref("value")))),
                ])
        case .dump:
            Schema.anyOf(
                .token, .normalized, .ref("node"), .styled, .styledText, .layout, .display
            ).document(
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
    // MARK: Definitions

    fileprivate typealias Definitions = [(name: String, schema: Schema)]

    /// The attributes of a run.
    fileprivate static var attributes: Definitions {
        let line = choice("single", "double", "dotted", "dashed", "wavy")
        let shadow = object([.number: "x y blur", .color: "color"])
        return [
            (
                "style",
                object(
                    [.ref("font"): "font", .color: "foregroundColor", .ref("paragraphStyle"): "paragraphStyle"],
                    optional: [
                        .color: "backgroundColor underlineColor strikethroughColor overlineColor strokeColor",
                        .number: """
                        ligature kern tracking wordSpacing underlineThickness strikethroughThickness overlineThickness \
                        underlineOffset strokeWidth baselineOffset obliqueness expansion attachmentWidth \
                        attachmentHeight opacity
                        """,
                        line: "underlineStyle strikethroughStyle overlineStyle", .array(shadow): "shadow",
                        .string: "link writingDirection textTransform attachment textEffect visibility",
                    ])
            ),
            (
                "font",
                object(
                    [.array(.string): "family", .number: "size weight stretch", .boolean: "italic"],
                    optional: [
                        .number: "oblique", .string: "caps language", .map(.number): "features variations",
                    ])
            ),
            (
                "paragraphStyle",
                object(
                    [.string: "alignment"],
                    optional: [
                        .number: """
                        lineHeight lineHeightMultiple lineSpacing paragraphSpacing paragraphSpacingBefore headIndent \
                        tailIndent firstLineHeadIndent minimumLineHeight maximumLineHeight hyphenationFactor \
                        defaultTabInterval maximumLines
                        """,
                        .string: "lineBreakMode baseWritingDirection lineBreakStrategy listStyle whiteSpace",
                        .boolean: "hyphenation allowsDefaultTighteningForTruncation", .array(.number): "tabStops",
                    ], others: .any)
            ),
        ]
    }

    /// A range of a text or source.
    fileprivate static var ranges: Definitions { [("range", object([.index: "start end"]))] }

    /// A node of the tree, with its contents.
    fileprivate static var nodes: Definitions {
        let children = array(.ref("node"))
        return [
            (
                "node",
                anyOf(
                    object([.const("\"root\""): "type", children: "children"], optional: [.range: "source"]),
                    object(
                        [
                            .const("\"element\""): "type", .string: "name", .map(.string): "attributes",
                            children: "children",
                        ], optional: [.string: "namespace", .range: "source"]),
                    object([otherNodes: "type", .string: "value"], optional: [.range: "source"]))
            )
        ]
    }

    private static var otherNodes: Schema { choice("text", "comment", "doctype", "instruction", "cdata", "rawtext") }

    // MARK: Renderings

    fileprivate static var render: Schema {
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

    fileprivate static var fonts: Schema {
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

    fileprivate static var token: Schema {
        let kinds = choice("startTag", "endTag", "text", "comment", "doctype", "instruction", "cdata", "rawtext")
        return object([kinds: "type", .string: "text", .range: "source"])
    }

    fileprivate static var normalized: Schema {
        anyOf(
            object(
                [.const("\"startTag\""): "type", .string: "name", .map(.string): "attributes"],
                optional: [.range: "source"]),
            object([.const("\"endTag\""): "type", .string: "name"]),
            object([otherNodes: "type", .string: "value"]))
    }

    fileprivate static var styled: Schema {
        object(
            [.string: "name display", .ref("style"): "style"], optional: [.string: "id class", .range: "source"])
    }

    fileprivate static var styledText: Schema {
        let box = object(
            [.string: "kind", .range: "text"],
            optional: [
                .string: "name marker src alt", .boolean: "anonymous inline", .index: "parent",
                .integer: "columnSpan rowSpan",
            ])
        return object([.string: "text", .array(box): "boxes"])
    }

    fileprivate static var layout: Schema {
        let fragment = object(
            [.string: "kind"],
            optional: [
                .range: "text", .number: "x y width height", .integer: "level", .boolean: "hidden", .index: "children",
            ], others: .any)
        let line = object(
            [.range: "text", .number: "baseline", .array(fragment): "fragments"],
            optional: [.number: "x y width height"])
        let box = object(
            [.string: "kind", .number: "x y width height"],
            optional: [
                .index: "parent", .boolean: "anonymous missing", .string: "placement", .array(line): "lines",
            ])
        return object([
            object([.number: "width height"]): "size", .boolean: "truncated", .array(box): "boxes",
        ])
    }

    fileprivate static var display: Schema {
        object([
            object([.number: "width height"]): "size", .color: "background",
            .array(object([.string: "type"], others: .any)): "items",
        ])
    }

    // MARK: Messages and requests

    fileprivate static func message(code: Schema) -> Schema {
        object(
            [.choice("note", "warning", "error"): "severity", code: "code", .string: "message"],
            optional: [.string: "file", .position: "line column"])
    }

    fileprivate static var batch: Schema {
        object(
            [.anyOf(.const("0"), .const("1"), .const("2")): "status"],
            optional: [
                .any: "id", .string: "text output defined error", .pattern("^[A-Za-z0-9+/]*=*$"): "data",
                .const("true"): "cached", .array(message(code: .string)): "messages",
            ])
    }

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
