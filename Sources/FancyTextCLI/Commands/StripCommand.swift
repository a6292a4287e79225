// `fancytext strip`: the text of HTML that a person would read.

import ArgumentParser
import FancyText
import FancyTextPlatform

struct StripCommand: ParsableCommand, DirectArguments {
    static let name = "strip"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Print the text of HTML: blocks on lines, lists with markers, tables in columns, nothing hidden.",
        discussion: """
            EXAMPLES
              fancytext strip page.html | less
              curl -s https://example.com | fancytext strip --links footnotes --width 72
              curl -s https://example.com/post | fancytext strip --main --remove .ad
              fancytext strip --raw < fragment.html            text nodes only, nothing between
              fancytext strip --inner-text page.html           what a browser's innerText says
            \(HelpSections.common)
            """)

    @Argument(help: "Files to read; standard input if none is given or one is -.", completion: .file())
    var files: [String] = []

    @OptionGroup var output: OutputArguments

    @Flag(help: "Print exactly what a browser's innerText returns.")
    var innerText = false

    @Flag(help: "Print the text nodes, joined without separators.")
    var raw = false

    @Flag(help: "Print sentences for a screen reader.")
    var speech = false

    @Option(
        name: [.customShort("w"), .long],
        help: ArgumentHelp("Wrap lines at this many columns.", valueName: "columns"))
    var width: String?

    @Option(help: ArgumentHelp("How links show.", valueName: LinkStyle.listed), completion: LinkStyle.completion)
    var links: String?

    @Option(
        help: ArgumentHelp("How tables are shown (default: columns).", valueName: TableStyle.listed),
        completion: TableStyle.completion)
    var tables: String?

    @Flag(help: "Leave out navigation, asides and the page's header and footer.")
    var main = false

    @Option(help: ArgumentHelp("Drop what a selector matches first. Repeatable.", valueName: "selector"))
    var remove: [String] = []

    @Option(help: ArgumentHelp("Resolve the URLs of links against this one.", valueName: "url"))
    var base: String?

    @OptionGroup var jobs: JobArguments
    @OptionGroup(title: "Style options") var styles: StyleArguments
    @OptionGroup(title: "Input options") var input: InputArguments
    @OptionGroup(title: "Messages") var diagnostics: DiagnosticArguments
    @OptionGroup(title: "Configuration") var defaults: ConfigurationArguments

    mutating func bind(_ given: inout GivenArguments) {
        files = given.arguments()
        output = given.group(output)
        innerText = given.flag("inner-text")
        raw = given.flag("raw")
        speech = given.flag("speech")
        width = given.option("width", short: "w")
        links = given.option("links")
        tables = given.option("tables")
        main = given.flag("main")
        remove = given.options("remove")
        base = given.option("base")
        jobs = given.group(jobs)
        styles = given.group(styles)
        input = given.group(input)
        diagnostics = given.group(diagnostics)
        defaults = given.group(defaults)
    }

    func validate() throws {
        guard [innerText, raw, speech].filter({ $0 }).count <= 1 else {
            throw ValidationError("--inner-text, --raw and --speech cannot be combined.")
        }
    }

    func run() throws {
        try FileEnding.checkText(output.files)
        let sources = try input.sources(files, helpFor: Self.self)
        let seconds = try input.closeFences(for: sources.count)
        let parser = try ParserFactory(input: input, styles: styles, viewport: .screen, readsTextOnly: true)
            .makeParser()
        var options = PlainTextOptions()
        options.mode = innerText ? .innerText : raw ? .raw : speech ? .speech : .readable
        options.width = try OptionText("--width", width).integer(in: 1...1_000_000)
        options.links = try OptionText("--links", links).choice() ?? .none
        options.tables = try OptionText("--tables", tables).choice() ?? .columns
        options.isMainOnly = main
        options.removed = try remove.map { try SelectorQuery(argument: $0, diagnostics.printer) }
        options.base = base
        // The input must not control a terminal; raw text for a program is unchanged.
        options.keepsControls =
            input.safety.keepControls || (raw && !(output.isStandardOutput && isatty(STDOUT_FILENO) == 1))
        try FileName.check(output.isForEachFile ? output.files : [], for: sources)
        var run = FileRun(
            files: sources, jobs: try jobs.count(for: sources.count),
            // The writer has already removed unwanted controls.
            shared: output.sharedSink(.safe, input.safety),
            messages: diagnostics, seconds: seconds)
        run.isText = output.isStandardOutput
        let work: FileRun.Work = { [options, output, input, isStrict = diagnostics.strict] file, result in
            let source = try input.open(file, isMapped: true)
            var options = options
            options.base = options.base ?? source.url
            var text = parser.plainText(
                of: source.bytes, name: source.name, encoding: source.encoding, options: options, checksFirst: isStrict)
            try result.report(text.diagnostics)
            let sink = output.sink(for: file, .safe, input.safety, else: result.sink)
            try result.report(text.write { sink.append($0) })
            if sink !== result.sink { try sink.finish() }
            result.keep(text, of: source.bytes.count)
        }
        try run.finish(try run.run { work })
    }
}
