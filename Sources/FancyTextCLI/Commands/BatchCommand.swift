// `fancytext batch`: reads requests and writes results, each a line of JSON.

import ArgumentParser
import FancyTextBasics
import FancyTextPlatform

struct BatchCommand: Command {
    static let name = "batch"
    static let abstract = "Answer requests, a JSON object on each line, with results in their order."
    static let discussion = """
        EXAMPLES
          echo '{"id":1,"html":"<h1>Hello</h1>","format":"png"}' | fancytext batch |
              jq -r .data | base64 -d > hello.png
          fancytext batch requests.ndjson > results.ndjson
          parallel --pipe -N100 fancytext batch --jobs 1 < requests.ndjson
          fancytext schema batch-request                   what a request may say

        A request has one of html, file and template; command is render (the default),
        strip, select or dump, and the rest are the options of that command by their
        long names. A request with define names a template for those after it.
        """

    @Operands("files", "Files of requests; standard input if none is given or one is -.") var files

    let jobs = Setting(
        "jobs", "Number of processes that work (default: the number of processors).", value: "n", traits: .program)

    let timeout = Setting(
        "timeout", "Give a request up after this many seconds, unless it says otherwise.", value: "seconds",
        traits: .run)

    let maxInput = Setting("max-input", "Refuse requests larger than this many bytes.", value: "bytes")
    @Group("Cache") var cache: CacheArguments

    func run() throws {
        let seconds = try timeout.number(in: 0.001...1e9)
        let jobs = try jobs.integer(in: 1...1024) ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        _ = try cache.open()
        let limit = try maxInput.integer(in: 1...(.max)) ?? 1 << 28
        if files.isEmpty, isatty(STDIN_FILENO) == 1 { throw ShortHelp(command: Self.self) }
        var hasFailed = false
        for file in files.isEmpty ? ["-"] : files {
            let descriptor = file == "-" ? STDIN_FILENO : try FileAccess.openFile(file)
            defer { if file != "-" { close(descriptor) } }
            var run = BatchRun(
                descriptor, name: InputArguments.displayName(file), jobs: jobs, limit: limit
            ) { channel in
                var worker = BatchWorker(seconds: seconds, cache: cache.arguments)
                worker.serve(channel)
            }
            if try run.run() { hasFailed = true }
        }
        if hasFailed { throw ExitCode(ExitStatus.failure.rawValue) }
    }
}

/// A request: parses a line of JSON. In: the line. Out: the command with its options and its source, or the first mistake.
struct BatchRequest {
    /// The document of a request.
    enum Source {
        case html(String)
        case file(String)
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
                guard case .number(let number) = member.value, let value = Double(number), value > 0
                else { throw RowMistake("'timeout' must be a number of seconds above 0") }
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
