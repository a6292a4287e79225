// `fancytext strip`: the text of HTML that a person would read.

import ArgumentParser
import FancyText
import FancyTextPlatform

struct StripCommand: Command {
    static let name = "strip"
    static let outputs = Outputs.strip
    static let abstract =
        "Print the text of HTML: blocks on lines, lists with markers, tables in columns, nothing hidden."
    static let discussion = """
        EXAMPLES
          fancytext strip page.html | less
          curl -s https://example.com | fancytext strip --links footnotes --width 72
          curl -s https://example.com/post | fancytext strip --main --remove .ad
          fancytext strip --raw < fragment.html     text nodes only, nothing between
          fancytext strip --inner-text page.html    what a browser's innerText says
        """

    @Operands("files", "Files to read; standard input if none is given or one is -.") var files
    @Group() var output: OutputArguments

    @Switch("inner-text", "Print exactly what a browser's innerText returns.", traits: .look) var innerText
    @Switch("raw", "Print the text nodes, joined without separators.") var raw
    @Switch("speech", "Print sentences for a screen reader.", traits: .look) var speech
    let width = Setting(
        "width", "Wrap lines at this many columns.", short: "w", value: "columns", on: .readable, traits: .look)

    let links = Setting(
        "links", "How links show (default: none).", choices: LinkStyle.listed, on: [.readable, .speech], traits: .look)

    let tables = Setting(
        "tables", "How tables are shown (default: columns).", choices: TableStyle.listed, on: .readable, traits: .look)

    @Switch(
        "main",
        "Keep the article, found by its text, or else leave out navigation, asides and the page's header and footer.")
    var main
    @Settings("remove", "Drop what a selector matches first.", value: "selector") var remove
    let base = Setting("base", "Resolve the URLs of links against this one.", value: "url")
    @Group() var jobs: JobArguments
    @Group("Style options") var styles: StyleArguments
    @Group("Input options") var input: InputArguments
    @Group("Messages") var diagnostics: DiagnosticArguments

    var writtenOutputs: Outputs { innerText ? .innerText : raw ? .raw : speech ? .speech : .readable }

    func validate() throws {
        guard [innerText, raw, speech].filter({ $0 }).count <= 1
        else { throw ValidationError("--inner-text, --raw and --speech cannot be combined.") }
    }

    func run() throws {
        try FileEnding.checkText(output.files)
        let sources = try input.sources(files, helpFor: Self.self)
        let seconds = try input.enforceLimits(for: sources.count)
        let parser = try input.makeParser(styles) {
            $0.syntax.dropsComments = true
            $0.styles.readsTextOnly = true
            $0.setMedia(.screen)
        }
        var options = PlainTextOptions()
        options.mode = innerText ? .innerText : raw ? .raw : speech ? .speech : .readable
        options.width = try width.integer(in: 1...1_000_000, of: "columns")
        options.links = try links.choice() ?? .none
        options.tables = try tables.choice() ?? .columns
        options.isMainOnly = main
        options.removed = try remove.map {
            ($0, try SelectorQuery(argument: $0, of: "--remove", diagnostics.printer).selectors)
        }
        options.base = try base.baseURL
        // The input must not control a terminal; raw text for a program is unchanged.
        options.keepsControls =
            input.safety.keepControls || (raw && !(output.isStandardOutput && isatty(STDOUT_FILENO) == 1))
        try FileName.check(output.files, for: sources, isShared: !output.isForEachFile)
        // The writer has already removed unwanted controls.
        let shared = output.sharedSink(.safe, input.safety)
        let run = InputRun(
            jobs: try jobs.count(for: sources.count), shared: shared, messages: diagnostics, seconds: seconds,
            isText: output.isStandardOutput)
        let work: InputRun.Work<String> = { [options, output, input] file, result in
            let source = try input.open(file)
            var options = options
            options.base = options.base ?? source.url
            let (text, diagnostics) = parser.plainText(
                of: source.bytes, name: source.name, encoding: source.encoding, origin: source.origin, options: options)
            try result.report(diagnostics)
            let sink = output.sink(for: file, .safe, input.safety, else: result.sink)
            sink.append(text)
            if sink !== result.sink { try sink.finish() }
        }
        try run.finish(try run.run(sources) { work })
    }
}
