// `fancytext render`: documents in; pictures, terminal text, data, Markdown, HTML or plain text out.

import ArgumentParser
import FancyTextBasics
import CFancyTextSafety
import FancyText
import FancyTextPlatform
import FancyTextOutputs
import FancyTextStyling

extension OptionText {
    /// `600`, `600px` or `auto`.
    var extent: RenderOptions.Extent? {
        get throws {
            guard let text else { return nil }
            if text == "auto" { return .auto }
            guard let value = Float(text.hasSuffix("px") ? String(text.dropLast(2)) : text), value > 0,
                value <= 1_000_000
            else {
                throw ValidationError(
                    "The value '\(text)' is invalid for '\(name)': it must be a length in pixels or auto.")
            }
            return .pixels(value)
        }
    }

    /// A CSS colour.
    var color: Color? {
        get throws {
            guard let text else { return nil }
            guard let color = Color(css: text) else {
                throw ValidationError("The value '\(text)' is invalid for '\(name)': it is not a CSS colour.")
            }
            return color
        }
    }
}

struct RenderCommand: ParsableCommand, DirectArguments {
    static let name = "render"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Render HTML to a picture (PNG, JPEG, WebP, SVG, PDF), terminal text, JSON, Markdown, HTML or text.",
        discussion: """
            EXAMPLES
              fancytext render card.html -o card.png --width 1200 --height 630
              echo '<h1>Hello</h1>' | fancytext render -o hello.png --width auto
              fancytext render note.html                        styled text on a terminal
              fancytext render note.html --format json --layout where every word lies
              fancytext render report.html -o report.pdf --page A4   pages of paper
              fancytext render *.html -o 'out/{stem}.png'       many at once
              fancytext render card.html --data rows.csv -o 'out/{id}.png'  a picture of each row
            \(HelpSections.common)
            """)

    @Argument(help: "Files to render; standard input if none is given or one is -.", completion: .file())
    var files: [String] = []

    @OptionGroup var output: OutputArguments

    @Option(
        help: ArgumentHelp(
            "Output format; else taken from the ending of -o, else ansi.", valueName: RenderFormat.listed),
        completion: RenderFormat.completion)
    var format: String?

    @Option(
        help: ArgumentHelp(
            "jpeg: 1 to 100 (default: 85). webp: 0 to 100; without it, nothing is lost.", valueName: "n"))
    var quality: String?

    @Option(
        name: [.customShort("w"), .long],
        help: ArgumentHelp("Width in CSS pixels (terminal cells for ansi), or auto.", valueName: "n|auto"))
    var width: String?

    @Option(
        name: [.customShort("H"), .long], help: ArgumentHelp("Height in CSS pixels, or auto.", valueName: "n|auto"))
    var height: String?

    @Option(help: "Device pixels for each CSS pixel, 1 to 16.")
    var scale: String?

    @Option(help: ArgumentHelp("Pixels for each inch instead of --scale, 96 to 1536.", valueName: "n"))
    var dpi: String?

    @Option(
        help: ArgumentHelp(
            "pdf: pages of paper, cut between lines and rows; --padding is their margin (default: 48).",
            valueName: "A3|A4|A5|letter|legal|WxH in mm"))
    var page: String?

    @Option(help: "Colour of the canvas, or transparent.")
    var background: String?

    @Option(help: ArgumentHelp("Space around the document in CSS pixels.", valueName: "px"))
    var padding: String?

    @Option(
        help: ArgumentHelp(
            "Where the content stands in a canvas higher than it.", valueName: RenderOptions.VerticalAlignment.listed),
        completion: RenderOptions.VerticalAlignment.completion)
    var valign: String?

    @Option(help: ArgumentHelp("A ready-made look.", valueName: Preset.listed), completion: Preset.completion)
    var preset: String?

    @Option(help: "The preset's main colour.")
    var accent: String?

    @Flag(help: "Give each line the font size that fills the width.")
    var fitLines = false

    @Option(help: ArgumentHelp("Smallest font size of a fitted line (default: 12).", valueName: "px"))
    var minSize: String?

    @Option(help: ArgumentHelp("Largest font size of a fitted line (default: 200).", valueName: "px"))
    var maxSize: String?

    @Option(help: ArgumentHelp("Show at most this many lines.", valueName: "n"))
    var maxLines: String?

    @Option(help: ArgumentHelp("Show at most this height of text.", valueName: "px"))
    var maxHeight: String?

    @Option(help: ArgumentHelp("What stands for text left out, as HTML.", valueName: "html"))
    var ellipsis: String?

    @Option(help: "Exponent of text contrast; 1.2 is as Chromium paints.")
    var gamma: String?

    @Flag(help: "Leave the text, language and scale out of the PNG.")
    var noMetadata = false

    @Option(help: ArgumentHelp("Largest picture in pixels.", valueName: "n"))
    var maxPixels: String?

    @Option(help: ArgumentHelp("Largest decoded image in pixels.", valueName: "n"))
    var maxImagePixels: String?

    @Flag(help: "json: add lines, words and link boxes.")
    var layout = false

    @Flag(help: "json: add glyphs too.")
    var glyphs = false

    @Flag(help: "json: add the border box of each element too.")
    var boxes = false

    @Flag(help: "Draw the outlines of boxes over the picture.")
    var debugBoxes = false

    @Option(
        help: ArgumentHelp("json: the unit of offsets (default: scalar).", valueName: OffsetUnit.listed),
        completion: OffsetUnit.completion)
    var offsets: String?

    @Flag(help: "Render again whenever an input, or a file that it refers to, changes; until interrupted.")
    var watch = false

    @OptionGroup var jobs: JobArguments
    @OptionGroup(title: "Terminal options") var terminal: TerminalArguments
    @OptionGroup(title: "Data") var data: DataArguments
    @OptionGroup(title: "Cache") var cache: CacheArguments
    @OptionGroup(title: "Edits") var edits: EditArguments
    @OptionGroup(title: "Pictures") var pictures: PictureArguments
    @OptionGroup(title: "Style options") var styles: StyleArguments
    @OptionGroup(title: "Font options") var fonts: FontArguments
    @OptionGroup(title: "Input options") var input: InputArguments
    @OptionGroup(title: "Messages") var diagnostics: DiagnosticArguments
    @OptionGroup(title: "Configuration") var defaults: ConfigurationArguments

    mutating func bind(_ given: inout GivenArguments) {
        files = given.arguments()
        output = given.group(output)
        format = given.option("format")
        quality = given.option("quality")
        width = given.option("width", short: "w")
        height = given.option("height", short: "H")
        scale = given.option("scale")
        dpi = given.option("dpi")
        page = given.option("page")
        background = given.option("background")
        padding = given.option("padding")
        valign = given.option("valign")
        preset = given.option("preset")
        accent = given.option("accent")
        fitLines = given.flag("fit-lines")
        minSize = given.option("min-size")
        maxSize = given.option("max-size")
        maxLines = given.option("max-lines")
        maxHeight = given.option("max-height")
        ellipsis = given.option("ellipsis")
        gamma = given.option("gamma")
        noMetadata = given.flag("no-metadata")
        maxPixels = given.option("max-pixels")
        maxImagePixels = given.option("max-image-pixels")
        layout = given.flag("layout")
        glyphs = given.flag("glyphs")
        boxes = given.flag("boxes")
        debugBoxes = given.flag("debug-boxes")
        offsets = given.option("offsets")
        watch = given.flag("watch")
        jobs = given.group(jobs)
        terminal = given.group(terminal)
        data = given.group(data)
        cache = given.group(cache)
        edits = given.group(edits)
        pictures = given.group(pictures)
        styles = given.group(styles)
        fonts = given.group(fonts)
        input = given.group(input)
        diagnostics = given.group(diagnostics)
        defaults = given.group(defaults)
    }

    /// Starts the work that every picture needs on another thread, where the arguments name a picture.
    static func prepare(for arguments: [String]) {
        guard arguments.contains(where: { FileEnding.format(of: $0)?.isPicture == true }) else { return }
        Renderer.begin()
    }

    func validate() throws {
        if data.data != nil {
            if files.count > 1 { throw ValidationError("--data takes a single template.") }
        } else if files.count > 1, let path = output.output, path != "-", !FileName.isPattern(path) {
            throw ValidationError("several files require -o with {stem}, as in -o 'out/{stem}.png'.")
        }
    }

    func chosenFormat() throws -> RenderFormat {
        try OptionText("--format", format).choice() ?? FileEnding.choice(of: output.output)
            ?? (pictures.needPicture ? .png : .ansi)
    }

    private func chosenPreset() throws -> Preset? { try OptionText("--preset", preset).choice() }

    /// How long a file may take unless `--timeout` says.
    static let seconds = 30.0

    func run() throws {
        guard watch else { return try run(noting: nil) }
        if files.isEmpty || files.contains(where: { $0 == "-" || URLReference.isRemote($0) }) || data.data == "-" {
            throw ValidationError("--watch needs files, not standard input or URLs.")
        }
        if cache.cache != nil { throw ValidationError("--watch and --cache cannot be combined.") }
        try Watch.run(diagnostics.printer) { try run(noting: $0) }
    }

    /// - Parameter reads: notes the files that are looked for, where the work will be done again.
    private func run(noting reads: FileReads?) throws {
        for file in files + styles.css + [data.data].compactMap(\.self) { reads?.note(file) }
        let format = try chosenFormat()
        try pictures.validate(format: format)
        if let rows = data.data { return try renderRows(of: rows, as: format, noting: reads) }
        // A comparison alone leaves standard output empty.
        let isShown = output.output != nil || pictures.check == nil
        if format.isPicture, output.isStandardOutput, isShown {
            if isatty(STDOUT_FILENO) == 1 {
                throw CommandFailure(
                    "\(format.rawValue.uppercased()) output is not written to a terminal; use -o FILE.\(format.rawValue)"
                )
            }
            if files.count > 1 { throw ValidationError("several pictures require -o with {stem}.") }
        }
        let sources = try input.sources(files, helpFor: Self.self)
        let seconds = try input.closeFences(for: sources.count, usually: Self.seconds)
        defer { LastWords.stayQuiet() }
        try FileName.check([output.output, pictures.imageMap], for: sources)
        let rendering = try makeRendering(format, nil, noting: reads)
        let shared =
            isShown && output.isStandardOutput
            ? output.sharedSink(format.content, input.safety) : nil
        var run = FileRun(
            files: sources, jobs: try jobs.count(for: sources.count), shared: shared, messages: diagnostics,
            seconds: seconds, reads: reads)
        run.headsFiles = format == .ansi && shared != nil && isatty(STDOUT_FILENO) == 1
        run.remarks = remarks(format)
        run.isText = format.isForReading && shared != nil
        if terminal.pager, format == .ansi, shared != nil { run.pager = try Pager() }
        let total = try run.run {
            let renderer = Renderer(ofProgram: rendering.fonts)
            // Stays until the process ends: the system frees its memory faster than it could itself.
            if reads == nil { csafety_keep(Unmanaged.passRetained(renderer).toOpaque()) }
            if format == .png, sources.count == 1, reads == nil { renderer.prepare(for: rendering.options) }
            return { file, result in try rendering.render(file, renderer, into: result) }
        }
        // Whoever reads in a pager takes their time.
        LastWords.stayQuiet()
        try run.finish(total)
        if total.differs { throw ExitCode(ExitStatus.noMatch.rawValue) }
    }

    /// Options that do nothing here.
    func remarks(_ format: RenderFormat) -> [String] {
        var result: [String] = []
        if format != .json {
            for (name, isGiven) in [("--layout", layout), ("--glyphs", glyphs), ("--offsets", offsets != nil)]
            where isGiven {
                result.append("\(name) is for --format json, and does nothing here")
            }
        }
        if ellipsis != nil, maxLines == nil, maxHeight == nil {
            result.append("--ellipsis shows where text is limited: by --max-lines, --max-height or a style sheet")
        }
        return result
    }

    /// - Parameters:
    ///   - arguments: what the command was given; nil for the arguments of the process.
    ///   - reads: notes the files that renderings look for.
    func makeRendering(
        _ format: RenderFormat, _ arguments: [String]?, noting reads: FileReads? = nil
    ) throws -> Rendering {
        var options = try renderOptions()
        let terminal = try terminalOptions(format)
        switch format {
        case .text, .markdown: if width == nil { options.viewport = .screen }
        case .png, .jpeg, .webp, .svg, .pdf, .ansi, .json, .html: break
        }
        let page = try chosenPage(format, &options)
        let viewport = options.viewport(in: format == .ansi ? terminal : nil)
        let cache = try openCache(format, arguments)
        let parser = try makeParser(viewport: viewport, scale: options.deviceScale, reads: reads ?? cache?.sheets)
        options.reads = reads
        options.lambdas = try pictures.lambdas(limits: parser.syntax.limits)
        return Rendering(
            format: format, quality: try chosenQuality(format), page: page, options: options, parser: parser,
            fonts: try fonts.options(input.safety), json: try jsonContent(),
            terminal: terminal, output: output, edits: try edits.parsed(diagnostics.printer),
            pictures: pictures, input: input, cache: cache)
    }

    /// Where results are kept; nil for those that more decides than can be known.
    private func openCache(_ format: RenderFormat, _ arguments: [String]?) throws -> RenderCache? {
        guard let results = try cache.open(), format != .ansi, !input.usesNetwork else { return nil }
        var key = RenderKey()
        key.add("format", Array(format.rawValue.utf8))
        try key.add(options: Self.optionValues(in: arguments ?? Defaults(for: PathText.arguments).arguments))
        if !fonts.noSystemFonts { key.addSystemFonts() }
        return RenderCache(results: results, run: key.digest)
    }

    private func chosenQuality(_ format: RenderFormat) throws -> Int? {
        guard quality == nil || format == .jpeg || format == .webp else {
            throw ValidationError("--quality requires JPEG or WebP output.")
        }
        return try OptionText("--quality", quality).integer(in: format == .webp ? 0...100 : 1...100)
    }

    /// The paper of a PDF's pages, which takes over the width and the padding.
    private func chosenPage(_ format: RenderFormat, _ options: inout RenderOptions) throws -> PageSize? {
        guard let page else { return nil }
        guard format == .pdf else { throw ValidationError("--page requires PDF output.") }
        guard height == nil else { throw ValidationError("--page and --height cannot be combined.") }
        guard var size = PageSize(page) else {
            throw ValidationError(
                "The value '\(page)' is invalid for '--page': choose one of A3, A4, A5, letter, legal, or give a width and "
                    + "a height in millimetres, as in 100x150.")
        }
        if let padding = options.padding { size.margin = padding }
        guard 2 * size.margin < min(size.width, size.height) else {
            throw ValidationError("--padding leaves nothing of the page.")
        }
        options.padding = 0
        if width != nil {
            guard case .pixels(let width) = options.width else {
                throw ValidationError("--page and --width auto cannot be combined.")
            }
            size.documentWidth = width
        } else {
            options.width = .pixels(size.width - 2 * size.margin)
        }
        return size
    }

    private func makeParser(viewport: Viewport, scale: Float, reads: FileReads?) throws -> MarkupParser {
        try ParserFactory(
            input: input, styles: styles,
            preset: try chosenPreset()?.css(accent: OptionText("--accent", accent).color),
            maxPixels: try OptionText("--max-pixels", maxPixels).integer(in: 1...2_000_000_000),
            maxImagePixels: try OptionText("--max-image-pixels", maxImagePixels).integer(in: 1...2_000_000_000),
            viewport: viewport, scale: scale, reads: reads
        ).makeParser()
    }

    private func renderOptions() throws -> RenderOptions {
        var options = RenderOptions()
        if let extent = try OptionText("--width", width).extent { options.width = extent }
        if let extent = try OptionText("--height", height).extent { options.height = extent }
        if let number = try OptionText("--scale", scale).number(in: 1...RenderOptions.largestScale) {
            options.scale = Float(number)
        }
        if let number = try OptionText("--dpi", dpi).number(in: 96...96 * RenderOptions.largestScale) {
            guard scale == nil else { throw ValidationError("--dpi and --scale cannot be combined.") }
            options.scale = Float(number / 96)
        }
        let preset = try chosenPreset()
        options.background = try OptionText("--background", background).color ?? preset?.defaultBackground
        options.padding = try OptionText("--padding", padding).number(in: 0...100_000).map { Float($0) }
        options.verticalAlignment = try OptionText("--valign", valign).choice() ?? .top
        options.maximumLines = try OptionText("--max-lines", maxLines).integer(in: 1...1_000_000_000) ?? 0
        options.maximumHeight = Float(try OptionText("--max-height", maxHeight).number(in: 1...1e9) ?? 0)
        options.ellipsis = ellipsis
        let smallest = Float(try OptionText("--min-size", minSize).number(in: 1...10_000) ?? 12)
        let largest = Float(try OptionText("--max-size", maxSize).number(in: 1...10_000) ?? max(200, Double(smallest)))
        guard smallest <= largest else { throw ValidationError("--min-size must not be above --max-size.") }
        if fitLines || preset?.fitsLines == true { options.fitLines = smallest...largest }
        if let number = try OptionText("--gamma", gamma).number(in: 0.1...10) { options.gamma = Float(number) }
        options.allowsNetwork = input.allowNet
        options.allowedHosts = Set(input.allowHost)
        options.writesMetadata = !noMetadata
        options.outlinesBoxes = debugBoxes
        return options
    }

    private func jsonContent() throws -> JSONContent {
        JSONContent(
            hasLayout: layout || glyphs || boxes, hasGlyphs: glyphs, hasBoxes: boxes,
            offsets: try OptionText("--offsets", offsets).choice() ?? .scalar)
    }

    private func terminalOptions(_ format: RenderFormat) throws -> ANSIOptions {
        let goesToFile = output.output.map { $0 != "-" } ?? false
        let color = try terminal.chosenColor
        var choice = color
        // A file named .ans asks for the styles that its reader's terminal will show.
        if goesToFile, color == .auto {
            let asksForIt = self.format != nil || output.output.flatMap { FileEnding.format(of: $0) } == .ansi
            choice = format == .ansi && asksForIt ? .always : .never
        }
        var options = try terminal.options(
            choice, descriptor: STDOUT_FILENO, isShown: format == .ansi)
        if case .pixels(let columns)? = try OptionText("--width", width).extent { options.width = max(1, Int(columns)) }
        return options
    }
}

/// What the options of a run say, read once, and how one file is rendered by it.
struct Rendering: Sendable {
    var format: RenderFormat
    var quality: Int?
    var page: PageSize?
    var options: RenderOptions
    var parser: MarkupParser
    var fonts: FontOptions
    var json: JSONContent
    var terminal: ANSIOptions
    var output: OutputArguments
    var edits: [Edit]
    var pictures: PictureArguments
    var input: InputArguments
    var cache: RenderCache?

    func render(_ file: String, _ renderer: Renderer, into result: FileResult) throws {
        let target = output.isStandardOutput ? nil : output.output.map { FileName.expand($0, for: file) }
        if output.isForEachFile, let target { FileAccess.makeFolder(for: target) }
        try render(file, to: target, renderer, into: result)
    }

    func render(_ file: String, to target: String?, _ renderer: Renderer, into result: FileResult) throws {
        let source = try input.open(file)
        let key = cache?.key(Array(source.bytes.buffer), input.places(of: file))
        try render(of: file, at: source.url, to: target, key: key, renderer, into: result) {
            var document = source.parse(by: parser)
            for edit in edits { try edit.apply(to: &document, named: source.name) }
            return document
        }
    }

    /// Renders a document that was read from a file, or made from a template, unless its result is kept.
    ///
    /// - Parameters:
    ///   - url: the URL that it was fetched from.
    ///   - target: the file that the result goes to; nil for what all share.
    ///   - key: what the result is kept by.
    func render(
        of file: String, at url: String? = nil, to target: String?, key: [UInt8]?, _ renderer: Renderer, into result: FileResult,
        _ makeDocument: () throws -> Document
    ) throws {
        let name = InputArguments.displayName(file)
        if pictures.imageMap == nil, let key, let known = cache?.results.result(key) {
            var log = DiagnosticLog()
            known.messages.forEach { log.report($0) }
            try result.report(log)
            result.isCached = true
            return try write(known.bytes, nil, to: target, of: file, into: result)
        }
        var document = try makeDocument()
        if document.isEmpty, format.isPicture {
            document.diagnostics.report(
                Diagnostic(.warning, .emptyInput, "\(name): the input is empty, so is the picture"))
        }
        try pictures.validate(options.lambdas, for: document, named: name)
        var options = options
        options.baseFolder = input.baseFolder(of: file)
        options.documentFolder = input.documentFolder(of: file)
        options.baseURL = url
        if key != nil { options.reads = FileReads() }
        let rendered = try render(&document, options, base: format == .ansi ? input.link(to: file) : nil, renderer)
        try result.report(document.diagnostics)
        if let key, let cache, let reads = options.reads {
            let kept = CachedResult(bytes: rendered, messages: Array(document.diagnostics))
            cache.results.keep(kept, key, reads: reads.files + cache.sheets.files)
        }
        let map = try pictures.imageMap(of: &document, options, renderer: renderer, output: target, for: file)
        try write(rendered, map, to: target, of: file, into: result)
    }

    /// Writes a result and what belongs to it, and compares it.
    private func write(
        _ rendered: [UInt8], _ map: (path: String, bytes: [UInt8])?, to target: String?, of file: String,
        into result: FileResult
    ) throws {
        // All files of a result appear together.
        var written: [(path: String, bytes: [UInt8])] = []
        if let target {
            let safety = input.safety
            written.append((target, OutputSink.cleaned(rendered, format.content, keepsControls: safety.keepControls)))
        }
        if let map { written.append(map) }
        let difference = try pictures.difference(
            of: rendered, output: target, for: file, limits: parser.syntax.limits)
        if let difference {
            written.append((difference.path, difference.png))
            result.report(Diagnostic(.error, .pictureDiffers, difference.message))
            result.differs = true
        }
        try FileAccess.write(written)
        if target == nil { result.sink.append(rendered) }
    }

    /// - Parameter base: what the document's links count from unless the person says otherwise.
    private func render(
        _ document: inout Document, _ options: RenderOptions, base: String?, _ renderer: Renderer
    ) throws -> [UInt8] {
        var terminal = terminal
        terminal.base = terminal.base ?? base
        return try render(&document, options, terminal, renderer)
    }

    private func render(
        _ document: inout Document, _ options: RenderOptions, _ terminal: ANSIOptions, _ renderer: Renderer
    ) throws -> [UInt8] {
        switch format {
        case .png: try renderer.png(&document, options)
        case .jpeg: try renderer.picture(&document, as: .jpeg(quality: quality ?? 85), options)
        case .webp: try renderer.picture(&document, as: .webp(quality: quality), options)
        case .svg: try renderer.picture(&document, as: .svg, options)
        case .pdf: try renderer.picture(&document, as: .pdf(page: page), options)
        case .json: try renderer.json(&document, options, content: json)
        case .ansi: renderer.ansi(&document, options, terminal)
        case .markdown: document.markdownBytes()
        case .html: document.htmlBytes()
        case .text: document.plainTextBytes()
        }
    }
}
