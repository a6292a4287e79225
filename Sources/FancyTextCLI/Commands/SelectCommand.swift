// `fancytext select`: the parts of HTML that a CSS selector matches.

import ArgumentParser
import FancyText
import Glibc
import Markup
import Outputs

enum SelectFormat: String, CaseIterable {
    case html, text, json, png, ansi
}

struct SelectCommand: ParsableCommand, DirectArguments {
    static let name = "select"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Print what a CSS selector matches; exit with 1 if nothing matches.",
        discussion: """
            EXAMPLES
              fancytext select 'article' page.html
              fancytext select 'a[href]' --attr href < page.html
              fancytext select 'li' --field 'title=h2::text' --field 'url=a::attr(href)' page.html
              fancytext select 'table' --remove '.ad' --format png -o table.png page.html
            """)

    @Argument(help: "A CSS selector (Selectors level 4).")
    var selector: String

    @Argument(help: "Files to read; standard input if none is given or one is -.")
    var files: [String] = []

    @OptionGroup var output: OutputArguments

    @Option(
        help: ArgumentHelp(
            "Form of the matches; else taken from the ending of -o, else html.", valueName: SelectFormat.listed),
        completion: SelectFormat.completion)
    var format: String?

    @Flag(help: "Print the inner HTML of each match.")
    var inner = false

    @Flag(help: "Print the text of each match.")
    var text = false

    @Option(help: ArgumentHelp("The value of an attribute. Repeatable.", valueName: "name"))
    var attr: [String] = []

    @Option(
        help: ArgumentHelp(
            "A member of a record for each match, as in 'title=h2::text'. Repeatable.", valueName: "name=selector"))
    var field: [String] = []

    @Flag(help: "Print records as tab-separated values.")
    var tsv = false

    @Option(help: ArgumentHelp("Drop what a selector matches first. Repeatable.", valueName: "selector"))
    var remove: [String] = []

    @Option(help: ArgumentHelp("Resolve URLs in attributes against this one.", valueName: "url"))
    var base: String?

    @Flag(help: "Print the number of matches.")
    var count = false

    @Flag(help: "Print the first match only.")
    var first = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The n-th match only, from 1; negative counts from the end.", valueName: "n"))
    var nth: String?

    @Option(parsing: .unconditional, help: "Separator between matches (default: a line feed).")
    var separator: String?

    @Flag(name: .customShort("0"), help: "End each match with a NUL byte.")
    var nul = false

    @Option(help: ArgumentHelp("png: width in CSS pixels, or auto. ansi: in cells.", valueName: "n|auto"))
    var width: String?

    @OptionGroup var jobs: JobArguments
    @OptionGroup(title: "Style options") var styles: StyleArguments
    @OptionGroup(title: "Font options") var fonts: FontArguments
    @OptionGroup(title: "Input options") var input: InputArguments
    @OptionGroup(title: "Messages") var diagnostics: DiagnosticArguments
    @OptionGroup(title: "Configuration") var defaults: ConfigurationArguments

    mutating func bind(_ given: inout GivenArguments) {
        selector = given.argument()
        files = given.arguments()
        output = given.group()
        format = given.option("format")
        inner = given.flag("inner")
        text = given.flag("text")
        attr = given.options("attr")
        field = given.options("field")
        tsv = given.flag("tsv")
        remove = given.options("remove")
        base = given.option("base")
        count = given.flag("count")
        first = given.flag("first")
        nth = given.option("nth", takesAny: true)
        separator = given.option("separator", takesAny: true)
        nul = given.flag("", short: "0")
        width = given.option("width")
        jobs = given.group()
        styles = given.group()
        fonts = given.group()
        input = given.group()
        diagnostics = given.group()
        defaults = given.group()
    }

    func validate() throws {
        if tsv, field.isEmpty { throw ValidationError("--tsv requires --field.") }
        for entry in field where entry.firstIndex(of: "=").map({ $0 == entry.startIndex }) ?? true {
            throw ValidationError("--field needs name=selector, not '\(entry)'.")
        }
    }

    /// `--format`, else what the output's name asks for. What is read out of the matches is text, or records in JSON.
    private func chosenFormat(_ main: SelectorQuery) throws -> SelectFormat {
        if let format = try OptionText("--format", format).choice(SelectFormat.self) { return format }
        guard count || text || !field.isEmpty || !attr.isEmpty || main.output != nil else {
            return try FileEnding.choice(of: output.output) ?? .html
        }
        try FileEnding.checkText(output.output, format: field.isEmpty || tsv || count ? .text : .json)
        return .html
    }

    func run() throws {
        let main = try SelectorQuery(argument: selector, diagnostics.printer)
        let format = try chosenFormat(main)
        let isRendered = format == .png || format == .ansi
        if format == .png {
            if output.isStandardOutput, isatty(STDOUT_FILENO) == 1 {
                throw CommandFailure("PNG output is not written to a terminal; use -o FILE.png")
            }
            if files.count > 1, !output.isForEachFile {
                throw ValidationError("several pictures require -o with {stem}.")
            }
        }
        if count, output.isForEachFile { throw ValidationError("--count prints one number: -o cannot contain {stem}.") }
        let selection = try makeSelection(main, format)
        let sources = try input.sources(files, helpFor: Self.self)
        try FileName.check([output.isForEachFile ? output.output : nil], for: sources)
        let run = FileRun(
            files: sources, jobs: try jobs.count, shared: output.sharedSink(isStyled: format == .ansi || nul),
            messages: diagnostics)
        let fonts = try fonts.options
        let total = run.run { [output, input] in
            let renderer = isRendered ? Renderer(fonts: fonts) : nil
            return { file, result in
                var document = selection.parser.parse(
                    try input.source(file), name: InputArguments.displayName(file))
                if !isRendered { try result.report(document.diagnostics) }
                let path = output.ownPath(for: file)
                let sink = path == nil ? result.sink : OutputSink(.memory)
                result.count = try selection.append(&document, of: file, renderer, to: sink)
                // Rendering has complaints of its own.
                if isRendered { try result.report(document.diagnostics) }
                if let path, result.count > 0 { try FileAccess.write([(path, sink.bytes)]) }
            }
        }
        if count { run.shared?.append(Array("\(total.count)\n".utf8)) }
        // No picture of nothing.
        if format != .png || total.count > 0 || total.hasFailed { try run.finish(total) }
        if total.count == 0 { throw ExitCode(ExitStatus.noMatch.rawValue) }
    }

    private func makeSelection(_ main: SelectorQuery, _ format: SelectFormat) throws -> Selection {
        let extent = try OptionText("--width", width).extent
        let parser = try ParserFactory(
            input: input, styles: styles, viewport: extent.flatMap(Viewport.init), readsPages: true
        )
        .makeParser()
        let nth = first ? 1 : try OptionText("--nth", nth).integer(in: -1_000_000_000...1_000_000_000)
        if nth == 0 { throw ValidationError("--nth counts from 1, or from the end with -1.") }
        var options = RenderOptions()
        if let extent { options.width = extent }
        // A file gets the styles that its reader's terminal will show.
        let choice: ColorChoice = format == .ansi && !output.isStandardOutput ? .always : .auto
        var terminal = Terminal(descriptor: STDOUT_FILENO, choice: choice).options
        if case .pixels(let columns)? = extent { terminal.width = max(1, Int(columns)) }
        let printer = diagnostics.printer
        return Selection(
            parser: parser, format: format, main: main,
            removed: try remove.map { try SelectorQuery(argument: $0, printer) },
            fields: try field.map { entry in
                let cut = entry.firstIndex(of: "=") ?? entry.endIndex
                let query = try SelectorQuery(argument: String(entry[entry.index(after: cut)...]), printer)
                return (String(entry[..<cut]), query)
            },
            nth: nth, options: options, terminal: terminal, command: self)
    }
}

/// What the options of a run say, read once, and what one document gives by it.
private struct Selection: Sendable {
    var parser: MarkupParser
    var format: SelectFormat
    var main: SelectorQuery
    var removed: [SelectorQuery]
    var fields: [(name: String, query: SelectorQuery)]
    /// The only match to print, from 1, or from the end with -1.
    var nth: Int?
    var options: RenderOptions
    var terminal: ANSIOptions
    var command: SelectCommand

    /// Prints a document's matches; returns how many there are.
    func append(
        _ document: inout Document, of file: String, _ renderer: Renderer?, to sink: OutputSink
    ) throws -> Int {
        for query in removed { document.remove(matching: query) }
        if let base = command.base { document.resolveURLs(against: base) }
        var matches = document.matches(of: main)
        if let nth {
            let index = nth > 0 ? nth - 1 : matches.count + nth
            matches = matches.indices.contains(index) ? [matches[index]] : []
        }
        if command.count || matches.isEmpty { return matches.count }
        if let renderer {
            var options = options
            options.baseFolder = command.input.baseFolder(of: file)
            options.documentFolder = command.input.documentFolder(of: file)
            document.keepOnly(matches)
            sink.append(
                format == .png
                    ? try renderer.png(&document, options) : renderer.ansi(&document, options, terminal))
            return matches.count
        }
        let separator: [UInt8] = command.nul ? [0] : Array((command.separator ?? "\n").utf8)
        // A separator of one's own stands between, not after.
        let standsBetween = !command.nul && command.separator != nil
        var isFirst = true
        for match in matches {
            for piece in pieces(document, match) {
                if standsBetween, !isFirst { sink.append(separator) }
                sink.append(piece)
                if !standsBetween { sink.append(separator) }
                isFirst = false
            }
        }
        if standsBetween, !isFirst { sink.append([0x0A]) }
        return matches.count
    }

    /// What one match prints.
    private func pieces(_ document: Document, _ match: NodeID) -> [[UInt8]] {
        if !fields.isEmpty { return [document.record(of: match, fields: fields, asTSV: command.tsv)] }
        if !command.attr.isEmpty {
            return command.attr.compactMap { name in document.attribute(name, of: match).map { Array($0.utf8) } }
        }
        if let output = main.output { return document.output(output, of: match).map { [Array($0.utf8)] } ?? [] }
        if command.text || format == .text { return [document.textBytes(of: match)] }
        switch format {
        case .json: return [document.json(of: match)]
        case .html, .text, .png, .ansi: return [document.htmlBytes(of: match, inner: command.inner)]
        }
    }
}

extension SelectorQuery {
    /// A selector of the command line; a bad one is shown with its place.
    init(argument text: String, _ printer: DiagnosticPrinter) throws {
        do {
            try self.init(text)
        } catch {
            printer.print(selector: text, error)
            throw ExitCode(ExitStatus.failure.rawValue)
        }
    }
}
