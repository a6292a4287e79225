// `fancytext select`: the parts of HTML that a CSS selector matches.

import ArgumentParser
import FancyText
import FancyTextPlatform
import FancyTextMarkup

struct SelectCommand: Command {
    static let name = "select"
    static let outputs = Outputs.select
    static let abstract = "Print what a CSS selector matches; exit with 1 if nothing matches."
    static let discussion = """
        EXAMPLES
          fancytext select 'article' page.html
          fancytext select 'a[href]' --attr href < page.html
          fancytext select 'li' --field 'title=h2::text' \\
              --field 'url=a::attr(href)' page.html
          fancytext select '.product' --field 'name=h3::text' \\
              --field 'tags[]=.tag::text' --csv shop.html
          fancytext select item --xml --field 'title=title::text' \\
              --field 'date=pubDate::text' feed.xml
          fancytext select 'table' --remove '.ad' -o table.png page.html
        """

    @Operand("selector", "A CSS selector (Selectors level 4).") var selector
    @Operands("files", "Files to read; standard input if none is given or one is -.") var files
    @Group() var output: OutputArguments

    let format = Setting(
        "format", "Form of the matches; else taken from the ending of -o, else html.", choices: RenderFormat.listed,
        traits: .look)

    @Switch("inner", "Print the inner HTML of each match.") var inner
    @Switch("text", "Print the text of each match; a selector that ends with ::inner-text keeps its lines.") var text
    @Settings("attr", "The value of an attribute.", value: "name") var attr

    @Settings(
        "field",
        "A member of a record for each match, as in 'title=h2::text', 'tags[]=.tag::text' for an array, "
            + "'items[]=li{name=b::text,url=a::attr(href)}' for records, 'next=+ dd::text' for a sibling.",
        value: "name=selector")
    var field

    @Switch("table", "Print the table of each match, with its rows as JSON, or as --csv, --tsv or --format markdown.")
    var table

    @Switch(
        "tsv",
        "Print records, or without --field the table, as tab-separated values with a header, as -o NAME.tsv does.",
        on: .records)
    var tsv

    @Switch(
        "csv",
        "Print records, or without --field the table, as comma-separated values with a header, as -o NAME.csv does.",
        on: .records)
    var csv

    @Switch("trim", "Collapse white space in texts and attributes.", on: .readings) var trim
    @Switch("pretty", "Print HTML and JSON on indented lines.", on: [.matches, .records], traits: .look) var pretty

    let color = Setting(
        "color", "Colour HTML and JSON (default: on a terminal).", choices: ColorChoice.listed, traits: .look)

    @Switch("xml", "Read XML, such as feeds.") var xml

    let offsets = Setting(
        "offsets", "json: what the places in the source count (default: utf8).", choices: OffsetUnit.listed,
        on: .matchJSON, traits: .look)

    @Switch(
        "with-filename", "Begin each result with the name of its file; the default for several files, as in grep.",
        short: "H", on: [.matches, .readings])
    var withFilename

    @Switch("no-filename", "Never print names of files.", on: [.matches, .readings]) var noFilename
    @Settings("remove", "Drop what a selector matches first.", value: "selector") var remove
    let base = Setting("base", "Resolve URLs in attributes against this one.", value: "url")
    @Switch("count", "Print the number of matches.") var count
    @Switch("first", "Print the first match only.") var first
    let nth = Setting(
        "nth", "The n-th match only, from 1; negative counts from the end.", value: "n", traits: .anyValue)

    let separator = Setting(
        "separator", "Separator between matches (default: a line feed).", on: [.matches, .readings], traits: .anyValue)

    @Switch("", "End each match with a NUL byte.", short: "0", on: [.matches, .readings], traits: .notInFiles) var nul

    let width = Setting(
        "width", "png, svg, pdf: width in CSS pixels, or auto. ansi: in cells.", short: "w", value: "n|auto",
        on: [.pictures, .ansi, .markdown, .extracts], traits: .look)

    let scale = Setting(
        "scale", "png: device pixels for each CSS pixel, 1 to 16 (default: 1).", value: "n", on: .pictures,
        traits: .look)

    let padding = Setting(
        "padding", "png, svg, pdf: space around the content in CSS pixels.", value: "n", on: [.pictures, .ansi],
        traits: .look)

    let background = Setting(
        "background", "png, svg, pdf: a CSS colour, or transparent (default: white).", value: "color",
        on: [.pictures, .ansi], traits: .look)

    @Group() var jobs: JobArguments
    @Group("Style options") var styles: StyleArguments
    @Group("Font options") var fonts: FontArguments
    @Group("Input options") var input: InputArguments
    @Group("Messages") var diagnostics: DiagnosticArguments

    var writtenOutputs: Outputs {
        get throws {
            if count { return .count }
            if !field.isEmpty || isTable { return .records }
            if !attr.isEmpty || (try? SelectorQuery(selector))?.output != nil { return .values }
            if text { return .matchText }
            switch try format.format(RenderFormat.self) ?? endingFormat() ?? .html {
            case .html: return .matchHTML
            case .json: return .matchJSON
            case .text: return .matchText
            case let format: return Outputs(format)
            }
        }
    }

    func validate() throws {
        let mistaken = files.allSatisfy { access($0, F_OK) != 0 } ? [selector] + attr : []
        if let file = mistaken.first(where: { FileEnding.format(of: $0) == .html && access($0, R_OK) == 0 }) {
            let form = file == selector ? "'h2' \(file)" : "'a' --attr href \(file)"
            throw ValidationError("'\(file)' is a file, which comes last: fancytext select \(form).")
        }
        if withFilename,
            let number = ([selector] + files).first(where: {
                $0.utf8.allSatisfy(\.isASCIIDigit) && access($0, F_OK) != 0
            })
        {
            let place = "-H is --with-filename here, and pictures are as high as their content"
            throw ValidationError("There is no file '\(number)': \(place).")
        }
        if first, nth.isGiven { throw ValidationError("--first and --nth cannot be combined.") }
        if nul, separator.isGiven { throw ValidationError("-0 and --separator cannot be combined.") }
        if let rows = format.text, rows == "csv" || rows == "tsv" {
            throw ValidationError("--format has no '\(rows)': --\(rows) writes the records of --field and --table.")
        }
        if csv, tsv { throw ValidationError("--csv and --tsv cannot be combined.") }
        if let rows = rowFormat, separator.isGiven || nul {
            throw ValidationError(
                "--\(rows) and \(nul ? "-0" : "--separator") cannot be combined: rows end with a line feed.")
        }
        for name in attr where !AttributeName.isValid(name) {
            throw ValidationError("--attr '\(name)' is no name of an attribute.")
        }
        if withFilename, noFilename { throw ValidationError("--with-filename and --no-filename cannot be combined.") }
        _ = try base.baseURL
        var names: Set<Substring> = []
        for entry in field {
            let name = entry.prefix { $0 != "=" && $0 != "[" }
            if !names.insert(name).inserted { throw ValidationError("--field '\(name)' is given twice.") }
        }
        for entry in field where entry.firstIndex(of: "=").map({ $0 == entry.startIndex }) ?? true {
            throw ValidationError("--field needs name=selector, not '\(entry)'.")
        }
    }

    private func endingFormat() throws -> RenderFormat? {
        try FileEnding.choice(of: output.files, and: [".csv", ".tsv"])
    }

    /// `--format`, or the format of the output's name. Values read from matches are text, or records in JSON.
    private func chosenFormat(_ main: SelectorQuery) throws -> RenderFormat {
        let format = try format.format(RenderFormat.self)
        if let format { try FileEnding.check(output.files, is: format.rawValue) }
        guard let extract = try extract(main) else {
            let chosen = try format ?? endingFormat() ?? .html
            guard !inner || chosen == .html
            else { throw ValidationError("--inner and \(chosen.rawValue) output cannot be combined.") }
            return chosen
        }
        if isTable, rowFormat == nil, try (format ?? endingFormat()) == .markdown { return .markdown }
        let isJSON = (!field.isEmpty || isTable) && rowFormat == nil
        if let format, count || format != (isJSON ? .json : .text) {
            let advice = attr.first.map { "; records have --field '\($0)=::attr(\($0))'" } ?? ""
            throw ValidationError("--format \(format.rawValue) and \(extract) cannot be combined\(advice).")
        }
        try FileEnding.checkText(output.files, format: isJSON ? .json : .text)
        return .html
    }

    /// True if matches are printed as tables.
    var isTable: Bool { table || rowFormat != nil && field.isEmpty }

    /// The form of records or rows that are printed as values, by the option, or by the ending of `-o`; nil for JSON.
    private var rowFormat: CellFormat? {
        if csv || tsv { return csv ? .csv : .tsv }
        let endings = Set(output.files.map(PathText.ending))
        guard endings == ["csv"] || endings == ["tsv"] else { return nil }
        let isOther = format.isGiven || count || text || inner || !attr.isEmpty
        let writesRows = !field.isEmpty || table || !isOther && (try? SelectorQuery(selector))?.output == nil
        return !writesRows ? nil : endings == ["csv"] ? .csv : .tsv
    }

    /// The option, or the end of the selector, that selects values of matches; `nil` if the matches themselves are printed.
    private func extract(_ main: SelectorQuery) throws -> String? {
        let given = [
            ("--count", count), ("--text", text), ("--attr", !attr.isEmpty), ("--field", !field.isEmpty),
            (table ? "--table" : rowFormat == .csv ? "--csv" : "--tsv", isTable),
            ("'\(selector)'", main.output != nil && !count),
        ].filter(\.1).map(\.0)
        let contradicting = given + (inner ? ["--inner"] : [])
        if contradicting.count > 1, !given.isEmpty {
            throw ValidationError("\(contradicting[0]) and \(contradicting[1]) cannot be combined.")
        }
        return given.first
    }

    func run() throws {
        let main = try SelectorQuery(argument: selector, diagnostics.printer)
        let format = try chosenFormat(main)
        let isRendered = format.isPicture || format == .ansi
        try format.checkPicture(
            isOnStandardOutput: output.isStandardOutput, isOneOfSeveral: files.count > 1 && !output.isForEachFile)
        if count, output.isForEachFile { throw ValidationError("--count prints one number: -o cannot contain {stem}.") }
        let sources = try input.sources(files, helpFor: Self.self)
        let seconds = try input.enforceLimits(for: sources.count)
        let writer = try makeWriter(main, format, sources.count)
        let isStyled = isRendered || format == .markdown || writer.readsStyles
        let content = writer.content
        try FileName.check(output.files, for: sources, isShared: !output.isForEachFile)
        let run = InputRun(
            jobs: try jobs.count(for: sources.count), shared: output.sharedSink(content, input.safety),
            messages: diagnostics, seconds: seconds, isText: (format.isForReading || text) && output.isStandardOutput)
        let header = count ? nil : writer.header
        if let header { run.shared?.append(header) }
        let fonts = try fonts.options(input.safety)
        let total = try run.run(sources) { [output, input] in
            let renderer = isRendered ? Renderer(ofProgram: fonts) : nil
            return { file, result in
                let source = try input.open(file)
                if !writer.parser.syntax.isXML, source.isXML {
                    let note = "\(source.name): this is XML, read as HTML: --xml reads XML"
                    result.report(Diagnostic(.note, .ignoredOption, note))
                }
                var document = source.parse(by: writer.parser)
                for (text, selectors) in writer.removed { document.remove(matching: selectors, writtenAs: text) }
                if !isStyled { try result.report(document.diagnostics) }
                let sink = output.sink(for: file, content, input.safety, else: result.sink)
                if sink !== result.sink, let header { sink.append(header) }
                result.count = try writer.append(&document, of: file, at: source.url, renderer, to: sink, result)
                if writer.isTable, let cells = writer.cells, cells != .markdown, result.count > 1 {
                    let joined = "\(result.count) tables match, and their rows are joined: choose one with --nth NUMBER"
                    result.report(Diagnostic(.warning, .noEffect, "\(source.name): \(joined)"))
                }
                // Styles and boxes have their own messages.
                if isStyled { try result.report(document.diagnostics) }
                if sink !== result.sink, result.count > 0 { try sink.finish() }
            }
        }
        if count { run.shared?.append(Array("\(total.count)\n".utf8)) }
        for name in (total.missingNames ?? []).sorted() {
            total.warn("no match has " + (attr.isEmpty ? "a value for the field" : "the attribute") + " '\(name)'")
        }
        // No picture is written without matches.
        try run.finish(total, isWritten: !format.isPicture || total.count > 0)
        if total.count == 0 { throw ExitCode(ExitStatus.noMatch.rawValue) }
    }

    private func makeWriter(_ main: SelectorQuery, _ format: RenderFormat, _ files: Int) throws -> MatchWriter {
        let extent = try width.extent
        let isPicture = format.isPicture || format == .ansi
        let parser = try input.makeParser(styles) {
            $0 = $0.set(readsPages: true, keepsDepth: input.maxDepth.isGiven)
            $0.syntax.isScripting = false
            $0.syntax.isXML = xml
            if let viewport = extent.flatMap(Viewport.init) ?? (isPicture ? nil : .screen) { $0.setMedia(viewport) }
        }
        let nth = first ? 1 : try nth.integer(in: -1_000_000_000...1_000_000_000)
        if nth == 0 { throw ValidationError("--nth counts from 1, or from the end with -1.") }
        var options = try input.renderOptions(width: width, scale: scale, padding: padding)
        options.background = try background.color
        let choice = try color.choice() ?? ColorChoice.auto
        // A file gets the styles of the terminal that will show it.
        let isFile = format == .ansi && !output.isStandardOutput
        let screen = Terminal(isFile && choice == .auto ? .always : choice, isFile: isFile)
        var terminal = screen.options
        if format == .ansi, let columns = try width.columns { terminal.width = columns }
        let printer = diagnostics.printer
        return MatchWriter(
            command: self, parser: parser, format: format, main: main,
            removed: try remove.map { ($0, try SelectorQuery(argument: $0, of: "--remove", printer).selectors) },
            fields: try field.map { try RecordField(argument: $0, printer) }, nth: nth,
            isColored: choice == .always || choice == .auto && output.isStandardOutput && screen.hasColor,
            namesFiles: withFilename || files > 1 && !noFilename && !output.isForEachFile,
            offsets: try offsets.choice(), options: options, terminal: terminal, isTable: isTable,
            cells: rowFormat ?? (isTable && format == .markdown ? .markdown : nil))
    }
}

extension RecordField {
    /// A member on the command line; an invalid selector in it is shown with its position.
    init(argument text: String, _ printer: DiagnosticPrinter) throws {
        do throws(Mistake) {
            try self.init(text)
        } catch {
            switch error {
            case .form(let message): throw ValidationError("--field: \(message).")
            case .selector(let selector, let mistake):
                let name = text.prefix { !"=[".contains($0) }
                printer.printError(inSelector: selector, of: "--field \(name)", mistake)
                throw ExitCode(ExitStatus.failure.rawValue)
            }
        }
    }
}

extension SelectorQuery {
    /// A selector on the command line; an invalid one is shown with its position.
    init(argument text: String, of name: String = "selector", _ printer: DiagnosticPrinter) throws {
        do {
            try self.init(text)
        } catch {
            printer.printError(inSelector: text, of: name, error)
            throw ExitCode(ExitStatus.failure.rawValue)
        }
    }
}
