// `fancytext select`: the parts of HTML that a CSS selector matches.

import ArgumentParser
import FancyText
import Glibc

enum SelectFormat: String, CaseIterable {
    case html, text, json, png, ansi
}

struct SelectCommand: ParsableCommand, DirectArguments {
    static let name = "select"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Print what a CSS selector matches. Exit status 1 when nothing does.",
        discussion: """
            EXAMPLES
              fancytext select 'article' page.html
              fancytext select 'a[href]' --attr href < page.html
              fancytext select 'li' --field 'title=h2::text' --field 'url=a::attr(href)' page.html
              fancytext select 'table' --remove '.ad' --format png -o table.png page.html
            """)

    @Argument(help: "A CSS selector (Selectors level 4).")
    var selector: String

    @Argument(help: "Files to read; - or none is standard input.")
    var files: [String] = []

    @OptionGroup var output: OutputArguments

    @Option(
        help: ArgumentHelp("Form of the matches; html unless said.", valueName: SelectFormat.listed),
        completion: SelectFormat.completion)
    var format: String?

    @Flag(help: "The contents of each match without its own tags.")
    var inner = false

    @Flag(help: "The text of each match.")
    var text = false

    @Option(help: ArgumentHelp("The value of an attribute. Repeatable.", valueName: "name"))
    var attr: [String] = []

    @Option(
        help: ArgumentHelp(
            "A member of a record for each match, as in 'title=h2::text'. Repeatable.", valueName: "name=selector"))
    var field: [String] = []

    @Flag(help: "Records as tab-separated values.")
    var tsv = false

    @Option(help: ArgumentHelp("Drop what a selector matches first. Repeatable.", valueName: "selector"))
    var remove: [String] = []

    @Option(help: ArgumentHelp("Resolve URLs in attributes against this one.", valueName: "url"))
    var base: String?

    @Flag(help: "The number of matches.")
    var count = false

    @Flag(help: "The first match only.")
    var first = false

    @Option(help: ArgumentHelp("The n-th match only, from 1; negative counts from the end.", valueName: "n"))
    var nth: String?

    @Option(help: "What stands between matches; a line feed unless said.")
    var separator: String?

    @Flag(name: .customShort("0"), help: "End each match with a NUL byte.")
    var nul = false

    @Option(help: ArgumentHelp("png: width in CSS pixels, or auto. ansi: in cells.", valueName: "n|auto"))
    var width: String?

    @OptionGroup(title: "Style options") var styles: StyleArguments
    @OptionGroup(title: "Font options") var fonts: FontArguments
    @OptionGroup(title: "Input options") var input: InputArguments
    @OptionGroup(title: "Messages") var diagnostics: DiagnosticArguments

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
        nth = given.option("nth")
        separator = given.option("separator")
        nul = given.flag("", short: "0")
        width = given.option("width")
        styles = given.group()
        fonts = given.group()
        input = given.group()
        diagnostics = given.group()
    }

    func validate() throws {
        if tsv, field.isEmpty { throw ValidationError("--tsv needs --field.") }
        for entry in field where !entry.contains("=") {
            throw ValidationError("--field needs name=selector, not '\(entry)'.")
        }
    }

    func run() throws {
        let format = try OptionText("--format", format).choice() ?? SelectFormat.html
        if format == .png, (output.output ?? "-") == "-", isatty(STDOUT_FILENO) == 1 {
            throw CommandFailure("a PNG picture is not written to a terminal; use -o FILE.png")
        }
        let selectors = try parseSelectors()
        let sources = try input.sources(files, helpFor: Self.self)
        let parser = try ParserFactory(
            input: input, styles: styles, viewportWidth: try OptionText("--width", width).extent, readsPages: true
        ).makeParser()
        var total = 0
        var result = OutputSink(path: output.output, isStyled: format == .ansi || nul)
        var failed = false
        for file in sources {
            do {
                let bytes = try input.source(file)
                var document = parser.parse(bytes, name: InputArguments.displayName(file))
                if format != .png, format != .ansi { try diagnostics.finish(document.diagnostics) }
                total += try append(&document, selectors, as: format, to: &result)
                // Rendering has complaints of its own.
                if format == .png || format == .ansi { try diagnostics.finish(document.diagnostics) }
            } catch let failure as CommandFailure where sources.count > 1 {
                diagnostics.printer.print(failure)
                failed = true
            }
        }
        if count { result.append(Array("\(total)\n".utf8)) }
        if format != .png || total > 0 { try result.finish() }
        if failed { throw ExitCode(ExitStatus.failure.rawValue) }
        if total == 0 { throw ExitCode(ExitStatus.noMatch.rawValue) }
    }

    private struct Selectors {
        var main: SelectorQuery
        var removed: [SelectorQuery]
        var fields: [(name: String, query: SelectorQuery)]
    }

    private func parseSelectors() throws -> Selectors {
        Selectors(
            main: try query(selector),
            removed: try remove.map(query),
            fields: try field.map { entry in
                let cut = entry.firstIndex(of: "=") ?? entry.endIndex
                return (String(entry[..<cut]), try query(String(entry[entry.index(after: cut)...])))
            })
    }

    private func query(_ text: String) throws -> SelectorQuery {
        do {
            return try SelectorQuery(text)
        } catch {
            diagnostics.printer.print(selector: text, error)
            throw ExitCode(ExitStatus.failure.rawValue)
        }
    }

    private func append(
        _ document: inout Document, _ selectors: Selectors, as format: SelectFormat, to result: inout OutputSink
    ) throws -> Int {
        for query in selectors.removed { document.remove(matching: query) }
        if let base { document.resolveURLs(against: base) }
        var matches = document.matches(of: selectors.main)
        if first {
            matches = Array(matches.prefix(1))
        } else if let nth = try OptionText("--nth", nth).integer(in: -1_000_000_000...1_000_000_000) {
            guard nth != 0 else { throw ValidationError("--nth counts from 1.") }
            let index = nth > 0 ? nth - 1 : matches.count + nth
            matches = matches.indices.contains(index) ? [matches[index]] : []
        }
        if count || matches.isEmpty { return matches.count }
        if format == .png || format == .ansi {
            try render(&document, matches, as: format, to: &result)
            return matches.count
        }
        let separator: [UInt8] = nul ? [0] : Array((self.separator ?? "\n").utf8)
        // A separator of one's own stands between, not after.
        let standsBetween = !nul && self.separator != nil
        var isFirst = true
        for match in matches {
            for piece in pieces(document, match, selectors, as: format) {
                if standsBetween, !isFirst { result.append(separator) }
                result.append(piece)
                if !standsBetween { result.append(separator) }
                isFirst = false
            }
        }
        if standsBetween, !isFirst { result.append([0x0A]) }
        return matches.count
    }

    /// What one match prints.
    private func pieces(
        _ document: Document, _ match: NodeID, _ selectors: Selectors, as format: SelectFormat
    ) -> [[UInt8]] {
        if !selectors.fields.isEmpty {
            return [document.record(of: match, fields: selectors.fields, asTSV: tsv)]
        }
        if !attr.isEmpty {
            return attr.compactMap { name in document.attribute(name, of: match).map { Array($0.utf8) } }
        }
        if let output = selectors.main.output {
            return document.output(output, of: match).map { [Array($0.utf8)] } ?? []
        }
        if text || format == .text { return [document.textBytes(of: match)] }
        switch format {
        case .json: return [document.json(of: match)]
        case .html, .text, .png, .ansi: return [document.htmlBytes(of: match, inner: inner)]
        }
    }

    private func render(
        _ document: inout Document, _ matches: [NodeID], as format: SelectFormat, to result: inout OutputSink
    ) throws {
        let renderer = Renderer(fonts: try fonts.options)
        var options = RenderOptions()
        let extent = try OptionText("--width", width).extent
        if let extent { options.width = extent }
        document.keepOnly(matches)
        if format == .png {
            result.append(try renderer.png(&document, options))
        } else {
            let terminal = Terminal(descriptor: STDOUT_FILENO, choice: .auto)
            var terminalOptions = terminal.options
            if case .pixels(let columns)? = extent { terminalOptions.width = max(1, Int(columns)) }
            result.append(renderer.ansi(&document, options, terminalOptions))
        }
    }
}
