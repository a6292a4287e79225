// A request of `fancytext batch`: parses a line of JSON.
// In: the line. Out: the command with its options and its source, or the first mistake.

import FancyTextBasics

struct BatchRequest {
    /// The document of a request.
    enum Source {
        case html(String)
        case file(String)
        /// A defined template, and the row for it.
        case template(String, row: JSONValue)
    }

    let command: String
    /// The arguments of the command in command-line form.
    private(set) var arguments: [String] = []
    let source: Source
    let output: String?
    /// The time limit.
    private(set) var seconds: Double?

    /// The commands that requests may name.
    static let commands: [any Command.Type] = [
        RenderCommand.self, StripCommand.self, SelectCommand.self, DumpCommand.self,
    ]

    /// - Parameter tables: the options of commands. Collecting those of one takes a tenth of a card's time, so they are kept.
    init(_ request: JSONValue, _ tables: inout [String: OptionTable]) throws(RowMistake) {
        func name(_ member: String) throws(RowMistake) -> String? {
            guard let text = try request.text(member) else { return nil }
            return try Self.checked(text, member)
        }
        let html = try request.text("html").map(Source.html)
        _ = try request.text("define")
        let file = try name("file").map(Source.file)
        let row = request.member("row")
        let template = try request.text("template").map { Source.template($0, row: row ?? .object([])) }
        let given = [html, file, template].compactMap(\.self)
        guard let first = given.first else { throw RowMistake("one of 'html', 'file' and 'template' is needed") }
        source = first
        guard given.count == 1 else { throw RowMistake("only one of 'html', 'file' and 'template' may be given") }
        try request.checkNames()
        if row != nil, template == nil { throw RowMistake("'row' is for 'template'") }
        if case .template(_, let row) = source, row.members == nil { throw RowMistake("'row' must be an object") }
        command = try request.text("command") ?? RenderCommand.name
        guard let type = Self.commands.first(where: { [command] in $0.name == command }) else {
            let names = Self.commands.map { $0.name }.sorted().joined(separator: ", ")
            throw RowMistake("'\(command)' is no command of requests: \(names)")
        }
        let options = tables[command] ?? type.table
        tables[command] = options
        output = try name("output")
        for member in request.members ?? [] {
            switch member.name {
            case "id", "html", "file", "template", "row", "command", "output", "selector": continue
            case "timeout":
                guard case .number(let number) = member.value, let value = Double(number), value > 0 else {
                    throw RowMistake("'timeout' must be a number of seconds above 0")
                }
                seconds = value
            default:
                guard let option = options[member.name], !option.traits.contains(.notInRequests) else {
                    let nearest = options.nearest(to: "--\(member.name)")
                    var note = nearest.map { "; did you mean '\($0.dropFirst(2))'?" } ?? ""
                    if options[member.name] != nil { note = ": the option is for command lines" }
                    if member.name == "data" { note = "; send a request for each row" }
                    throw RowMistake("a request for \(command) has no '\(member.name)'\(note)")
                }
                arguments += try option.arguments(member.value) { text throws(RowMistake) in
                    try Self.checked(text, member.name)
                }
            }
        }
        if let selector = try name("selector") {
            guard command == SelectCommand.name else { throw RowMistake("'selector' is for select") }
            guard !selector.hasPrefix("-") else { throw RowMistake("'\(selector)' is no selector") }
            arguments.append(selector)
        } else if command == SelectCommand.name {
            throw RowMistake("select needs 'selector'")
        }
    }

    /// An argument without a NUL character, at which the system's names end.
    private static func checked(_ text: String, _ name: String) throws(RowMistake) -> String {
        if text.utf8.contains(0) { throw RowMistake("'\(name)' must not contain a NUL character") }
        return text
    }
}
