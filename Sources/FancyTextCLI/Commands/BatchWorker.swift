// The process that handles requests of `fancytext batch`, one after another.
// In: requests; one that defines a template has no answer here. Out: a line for each answer, after the digit of its status.
// Objects that requests with the same options share (a parser, fonts, templates) are kept between requests.
// If the process dies, only its current request fails.

import ArgumentParser
import CFancyTextSafety
import FancyText
import FancyTextPlatform

struct BatchWorker {
    /// The default time limit of a request, in seconds.
    let seconds: Double?
    /// Options of the cache, for requests without their own.
    let cache: [String]
    private var templates: [String: [UInt8]] = [:]
    /// The prepared options of recent requests, most recent last.
    private var renderings: [PreparedRendering] = []
    private var renderers: [(fonts: FontOptions, renderer: Renderer)] = []
    private var capture: CommandCapture?
    private var options: [String: OptionTable] = [:]

    init(seconds: Double?, cache: [String]) {
        (self.seconds, self.cache) = (seconds, cache)
    }

    mutating func serve(_ channel: WorkerChannel) {
        _ = SafetyArguments.heldAtStart
        // Requests are its only input, and answers its only output.
        for (descriptor, access) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY)] {
            let nothing = open("/dev/null", access | O_CLOEXEC)
            dup2(nothing, descriptor)
            close(nothing)
        }
        channel.serve { answer($0)?.encoded }
    }

    private mutating func answer(_ line: [UInt8]) -> BatchResult? {
        var id: JSONValue?
        do {
            let value = try JSONValue(objectIn: line)
            id = value.member("id")
            if case .string(let name)? = value.member("define") {
                templates[name] = Array((try value.text("html") ?? "").utf8)
                for index in renderings.indices { renderings[index].templates[name] = nil }
                return nil
            }
            let request = try BatchRequest(value, &options)
            let memory = csafety_memory_limit()
            Watchdog.startInWorker(after: request.seconds ?? seconds ?? 30)
            defer {
                Watchdog.stop()
                csafety_limit_memory(memory)
            }
            var result = try run(request)
            result.id = id
            return result
        } catch let mistake as RowMistake {
            return .failure(id, mistake.message + (mistake.offset.map { " at byte \($0 + 1)" } ?? ""))
        } catch {
            return .failure(id, FancyTextCommand.words(for: error))
        }
    }

    private mutating func run(_ request: BatchRequest) throws -> BatchResult {
        let output = request.output
        // The command sets the same limits as on a command line.
        var arguments = request.arguments + (request.seconds.map { ["--timeout=\($0)"] } ?? [])
        if request.command == RenderCommand.name {
            let hasCache = arguments.contains { $0.hasPrefix("--cache=") || $0 == "--no-cache" }
            let index = try prepare(hasCache ? arguments : arguments + cache, output)
            try renderings[index].rendering.input.enforceLimits()
            let renderer = renderer(for: renderings[index].rendering.fonts)
            return try renderings[index].result(of: request.source, templates, renderer, to: output)
        }
        let capture = try capture ?? CommandCapture()
        self.capture = capture
        if let output { arguments.append("--output=\(output)") }
        var input: [UInt8] = []
        switch request.source {
        case .html(let html): input = Array(html.utf8)
        case .file(let path): arguments.append(path.hasPrefix("-") ? "./" + path : path)
        case .template(let name, let row):
            let index = try prepare([], nil)
            input = try renderings[index].document(named: name, row, templates).htmlBytes()
        }
        return try capture.run(request.command, arguments, input: input, output: output)
    }

    /// The index of the prepared rendering for the arguments of `render`.
    private mutating func prepare(_ arguments: [String], _ output: String?) throws -> Int {
        // The file name may determine the format.
        let ending = output.flatMap { FileEnding.format(of: $0) }?.rawValue ?? ""
        try renderings.moveToEnd(
            keeping: 16, where: { $0.arguments == arguments && $0.ending == ending },
            else: PreparedRendering(arguments, output: output, ending: ending))
        return renderings.count - 1
    }

    private mutating func renderer(for fonts: FontOptions) -> Renderer {
        renderers.moveToEnd(keeping: 4, where: { $0.fonts == fonts }, else: (fonts, Renderer(ofProgram: fonts)))
        return renderers[renderers.count - 1].renderer
    }
}

extension Array {
    /// Moves an element to the end; without such an element, makes it, and drops the first of `limit` elements.
    fileprivate mutating func moveToEnd(
        keeping limit: Int, where isWanted: (Element) -> Bool, else make: @autoclosure () throws -> Element
    ) rethrows {
        let element = try firstIndex(where: isWanted).map { remove(at: $0) } ?? make()
        if count == limit { removeFirst() }
        append(element)
    }
}

/// The prepared options of render requests, and the templates that were used with them.
private struct PreparedRendering {
    let arguments: [String]
    let ending: String
    let rendering: Rendering
    let isStrict: Bool
    var templates: [String: DocumentTemplate] = [:]

    init(_ arguments: [String], output: String?, ending: String) throws {
        (self.arguments, self.ending) = (arguments, ending)
        try FileName.check(output.map { [$0] } ?? [], for: [], keys: ["page"])
        let all = arguments + (output.map { ["--output=\($0)"] } ?? [])
        let (command, table) = try RenderCommand.read(all)
        let targets = try command.chosenTargets()
        try command.checkEffects(of: table) { _ in false }
        try command.pictures.validate(formats: targets.map(\.format))
        rendering = try command.makeRendering(targets, [RenderCommand.name] + all)
        isStrict = command.diagnostics.strict
    }

    private static let name = "<html>"

    mutating func result(
        of source: BatchRequest.Source, _ sources: [String: [UInt8]], _ renderer: Renderer, to output: String?
    ) throws -> BatchResult {
        let format = rendering.forms[0].target.format
        let sink = OutputSink(.memory, format.content, keepsControls: rendering.input.safety.keepControls)
        let result = FileResult(sink, isStrict: isStrict, printer: nil)
        var mistake: RowMistake?
        result.take(named: Self.name) {
            switch source {
            case .html(let html):
                let source = Array(html.utf8)
                let key = rendering.cache?.key(source, rendering.input.places(of: "-"))
                try rendering.render(of: "-", to: [output], key: key, renderer, into: result) {
                    var document = rendering.parser.parse(source, name: Self.name, encoding: "utf-8")
                    try rendering.edit(&document, named: Self.name)
                    return document
                }
            case .file(let path): try rendering.render(path, to: [output], renderer, into: result)
            case .template(let name, let row):
                do {
                    let key = rendering.cache?.key(
                        (sources[name] ?? []) + SHA256.digest(row.json()), rendering.input.places(of: "-"))
                    try rendering.render(of: "-", to: [output], key: key, renderer, into: result) {
                        try document(named: name, row, sources)
                    }
                } catch let error as RowMistake {
                    mistake = error
                }
            }
        }
        let printer = DiagnosticPrinter(style: .json)
        let messages = result.messages.map { Array(printer.json($0).utf8.dropLast()) }
        guard !result.hasFailed, mistake == nil else {
            let reason = mistake?.message ?? result.messages.last { $0.severity == .error }?.message
            return BatchResult(status: .failure, messages: messages, error: reason ?? "its warnings count as errors")
        }
        try sink.finish()
        let content = BatchResult.Content(sink.bytes, isText: !format.isPicture || format == .svg, writtenTo: output)
        return BatchResult(status: .success, content: content, messages: messages, isCached: result.isCached)
    }

    mutating func document(named name: String, _ row: JSONValue, _ sources: [String: [UInt8]]) throws -> Document {
        guard let source = sources[name] else {
            throw RowMistake("no template '\(name)' was defined: 'template' is the name that an earlier 'define' gave")
        }
        let documents =
            try templates[name]
            ?? DocumentTemplate(MustacheTemplate(source), parser: rendering.parser, name: name) {
                [rendering] document in try rendering.edit(&document, named: name)
            }
        templates[name] = documents
        return try documents.document(for: row, in: source, named: name)
    }
}

/// Runs commands with files instead of standard input, output and error, so that their results are the same as when run alone.
private struct CommandCapture {
    /// Temporary files for standard input, output and error.
    private let files: [Int32]

    init() throws {
        files = try (0..<3).map { _ in
            guard let file = tmpfile() else { throw CommandFailure("a temporary file", errno: errno) }
            let descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, 5)
            fclose(file)
            guard descriptor >= 0 else { throw CommandFailure("a temporary file", errno: errno) }
            return descriptor
        }
    }

    func run(
        _ command: String, _ arguments: [String], input bytes: [UInt8], output path: String?
    ) throws(CommandFailure) -> BatchResult {
        for file in files {
            ftruncate(file, 0)
            lseek(file, 0, SEEK_SET)
        }
        try FileAccess.write(bytes, to: files[0], name: "a temporary file")
        lseek(files[0], 0, SEEK_SET)
        let saved = [0, 1, 2].map { fcntl($0, F_DUPFD_CLOEXEC, 5) }
        for (target, file) in files.enumerated() { dup2(file, Int32(target)) }
        var status = ExitStatus.success
        var error: String?
        do {
            let own = command == DumpCommand.name ? [] : ["--jobs=1"]
            try FancyTextCommand.run([command] + arguments + own + ["--diagnostics=json"]) { _ in false }
        } catch let code as ExitCode {
            status = ExitStatus(rawValue: code.rawValue) ?? .failure
        } catch let failure {
            (status, error) = (.failure, FancyTextCommand.words(for: failure))
        }
        for (target, file) in saved.enumerated() {
            dup2(file, Int32(target))
            close(file)
        }
        let printed = try Self.contents(of: files[1])
        let messages = try Self.contents(of: files[2]).split(separator: 0x0A).map(Array.init).filter {
            $0.first == 0x7B
        }
        guard status != .failure else {
            return BatchResult(
                status: status, messages: messages, error: error ?? Self.firstError(messages) ?? "failed")
        }
        let isText = String(validating: printed, as: UTF8.self) != nil
        let content = BatchResult.Content(printed, isText: isText, writtenTo: path)
        return BatchResult(status: status, content: content, messages: messages)
    }

    private static func contents(of file: Int32) throws(CommandFailure) -> [UInt8] {
        lseek(file, 0, SEEK_SET)
        return try FileAccess.readAll(file, name: "a temporary file", limit: .max - 1)
    }

    private static func firstError(_ messages: [[UInt8]]) -> String? {
        messages.lazy.compactMap { message in
            var parser = JSONParser(message)
            guard let value = parser.parse(), value.member("severity") == .string("error") else { return nil }
            return value.member("message")?.writtenText
        }.first
    }
}
