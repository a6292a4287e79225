// `fancytext render`: renders documents as pictures, terminal text, data, Markdown, HTML or plain text.

import ArgumentParser
import FancyText
import FancyTextPlatform

struct RenderCommand: Command {
    static let name = "render"
    static let outputs = Outputs.render
    static let abstract =
        "Render HTML to a picture (PNG, JPEG, WebP, SVG, PDF), terminal text, JSON, Markdown, HTML or text."
    static let discussion = """
        EXAMPLES
          fancytext render card.html -o card.png --width 1200 --height 630
          echo '<h1>Hello</h1>' | fancytext render -o hello.png --width auto
          fancytext render note.html                  styled text on a terminal
          fancytext render note.html --format json --layout        places of words
          fancytext render report.html -o report.pdf --page A4     pages of paper
          fancytext render *.html -o 'out/{stem}.png'              many at once
          fancytext render card.html --data rows.csv -o '{id}.png' one for each row
        """

    private static let pageNames = "A3|A4|A5|B4|B5|JIS-B4|JIS-B5|letter|legal|ledger"

    @Operands("files", "Files to render; standard input if none is given or one is -.") var files
    @Group() var output: OutputArguments

    let format = Setting(
        "format", "Output format; else taken from the ending of -o, else ansi.", choices: RenderFormat.listed,
        traits: .look)

    let quality = Setting(
        "quality", "jpeg: 1 to 100 (default: 85). webp: 0 to 100; without it, nothing is lost.", value: "n",
        on: [.jpeg, .webp], traits: .look)

    let width = Setting(
        "width", "Width in CSS pixels (terminal cells for ansi), or auto (default: 800, or the terminal's).",
        short: "w", value: "n|auto", on: .styled, traits: .look)

    let height = Setting(
        "height", "Height in CSS pixels, or auto (default: auto).", short: "H", value: "n|auto",
        on: [.pictures, .json, .text, .markdown, .limited(.html)], traits: .look)

    let scale = Setting("scale", "Device pixels for each CSS pixel, 1 to 16 (default: 1).", on: .styled, traits: .look)

    let dpi = Setting(
        "dpi", "Pixels for each inch instead of --scale, 96 to 1536.", value: "n", on: .styled, traits: .look)

    let page = Setting(
        "page", "Pages of this size, as in CSS's 'size' ('A4 landscape') or WxH in mm, instead of that of @page.",
        value: "size", suggestions: pageNames, on: .pages, traits: .look)

    let pageMargin = Setting(
        "page-margin", "Margins of pages, one to four lengths, instead of those of @page (default: 1cm).",
        value: "length", on: .pages, traits: .look)

    let pages = Setting(
        "pages", "Only these pages, for PDF and for -o with {page}.", value: "2-5,8", on: .pages, traits: .look)

    let media = Setting(
        "media", "Medium of @media rules (default: print for PDF and pages, else screen).", choices: Medium.listed,
        on: .styled, traits: .look)

    let background = Setting(
        "background", "Colour of the canvas, or transparent (default: white).", on: [.pictures, .ansi], traits: .look)

    let padding = Setting(
        "padding", "Space around the document in CSS pixels, instead of the 8 of a body's margin.", value: "px",
        on: [.placed, .ansi], traits: .look)

    let valign = Setting(
        "valign", "Position of the content in a canvas that is higher.",
        choices: RenderOptions.VerticalAlignment.listed, on: [.pictures, .json], traits: .look)

    let preset = Setting(
        "preset", "A ready-made look (default: document for pictures of Markdown, else none).", choices: Preset.listed,
        on: [.placed, .ansi], traits: .look)

    let accent = Setting("accent", "The preset's main colour.", on: [.placed, .ansi], traits: .look)
    let highlight = Setting(
        "highlight", "Colours of source code whose language a class or fence names (default: github).",
        choices: CodeTheme.listed, on: [.pictures, .html], traits: .look)

    @Switch("line-numbers", "Number the lines of source code.", on: [.pictures, .html], traits: .look) var lineNumbers
    @Switch("fit-lines", "Give each line the font size that fills the width.", on: .placed, traits: .look) var fitLines

    let minSize = Setting(
        "min-size", "Smallest font size of a fitted line (default: 12).", value: "px", on: .placed, traits: .look)

    let maxSize = Setting(
        "max-size", "Largest font size of a fitted line (default: 200).", value: "px", on: .placed, traits: .look)

    let maxLines = Setting("max-lines", "Show at most this many lines.", value: "n", traits: .look)
    let maxHeight = Setting("max-height", "Show at most this height of text.", value: "px", traits: .look)
    let ellipsis = Setting("ellipsis", "HTML in place of the text that is left out.", value: "html", traits: .look)
    let base = Setting(
        "base", "Resolve the URLs of links against this one (default: for ansi the file's own place).", value: "url",
        on: [.ansi, .svg, .pdf, .maps])

    let gamma = Setting("gamma", "Exponent of text contrast; 1.2 is as Chromium paints.", on: .bitmaps, traits: .look)
    @Switch("no-metadata", "Leave the text, language and scale out of the PNG.", on: .png, traits: .look) var noMetadata
    let maxPixels = Setting("max-pixels", "Largest picture in pixels.", value: "n")
    let maxImagePixels = Setting("max-image-pixels", "Largest decoded image in pixels.", value: "n")
    @Switch("layout", "json: add lines, words and link boxes.", on: .json, traits: .look) var layout
    @Switch("glyphs", "json: add glyphs too.", on: .json, traits: .look) var glyphs
    @Switch("boxes", "json: add the border box of each element too.", on: .json, traits: .look) var boxes
    @Switch("debug-boxes", "Draw the outlines of boxes over the picture.", on: .pictures, traits: .look) var debugBoxes

    let offsets = Setting(
        "offsets", "json: the unit of offsets (default: scalar).", choices: OffsetUnit.listed, on: .json, traits: .look)

    @Switch(
        "watch", "Render again whenever an input, or a file that it refers to, changes; until interrupted.",
        traits: [.notInFiles, .program])
    var watch

    @Group() var jobs: JobArguments
    @Group("Style options") var styles: StyleArguments
    @Group("Font options") var fonts: FontArguments
    @Group("Terminal options") var terminal: TerminalArguments
    @Group("Data") var data: DataArguments
    @Group("Edits") var edits: EditArguments
    @Group("Pictures") var pictures: PictureArguments
    @Group("Cache") var cache: CacheArguments
    @Group("Input options") var input: InputArguments
    @Group("Messages") var diagnostics: DiagnosticArguments

    var writtenOutputs: Outputs {
        get throws {
            var outputs = Outputs()
            for target in try chosenTargets() {
                outputs.formUnion(Outputs(target.format))
                if target.format == .pdf || target.hasPages { outputs.insert(.pages) }
            }
            if pictures.imageMap.isGiven { outputs.insert(.maps) }
            return maxLines.isGiven || maxHeight.isGiven ? outputs.union(.limited(outputs)) : outputs
        }
    }

    func validate() throws {
        try checkExistence(of: files.filter { Double($0) != nil })
        if files.count > 1, let check = pictures.check.text, !FileName.isPattern(check) {
            throw ValidationError("several files require --check with {stem}, as in --check 'expected/{stem}.png'.")
        }
        if !data.data.isGiven, !input.from.isGiven, let rows = files.first(where: { RowFormat.format(of: $0) != nil }) {
            throw ValidationError("'\(rows)' has rows for a template: fancytext render template.html --data \(rows).")
        }
        if data.data.isGiven {
            if files.count > 1 { throw ValidationError("--data takes a single template.") }
        } else if files.count > 1, !output.files.isEmpty, !output.isForEachFile {
            try checkExistence(of: files.filter { $0 != "-" && !URLReference.isRemote($0) })
            throw ValidationError("several files require -o with {stem}, as in -o 'out/{stem}.png'.")
        } else if files.count > 1, output.files.isEmpty, let last = files.last, !URLReference.isRemote(last),
            access(last, F_OK) != 0, FileEnding.format(of: last)?.isPicture == true
        {
            throw ValidationError("there is no file '\(last)'; -o names the output: -o \(last)")
        }
        if accent.isGiven, !preset.isGiven || preset.text == Preset.none.rawValue {
            throw ValidationError("--accent requires --preset.")
        }
        if let check = pictures.check.text, output.files.contains(check) {
            throw ValidationError("-o and --check name the same file: --update replaces a picture that differs.")
        }
        if let check = pictures.check.text, let format = FileEnding.format(of: check), format != .png, format.isPicture
        {
            throw ValidationError("--check compares with a PNG, which '\(check)' is not.")
        }
        for size in [minSize, maxSize] where size.isGiven {
            guard try fitLines || preset.choice(Preset.self)?.fitsLines == true
            else { throw ValidationError("\(size.writtenName) requires --fit-lines.") }
        }
    }

    /// Refuses a missing file, which may be meant as an option's value.
    private func checkExistence(of files: [String]) throws {
        guard let missing = files.first(where: { access($0, F_OK) != 0 }) else { return }
        throw ValidationError("there is no file '\(missing)'; an option takes a single value.")
    }

    /// The requested results, in the order of their `-o`.
    func chosenTargets() throws -> [RenderTarget] {
        let asked = try format.format(RenderFormat.self)
        if let asked { try FileEnding.check(output.files, is: asked.rawValue) }
        return try (output.output.isEmpty ? ["-"] : output.output).map { name in
            let path = name == "-" ? nil : name
            let format = try asked ?? FileEnding.choice(of: path) ?? (pictures.needPicture ? .png : .ansi)
            return RenderTarget(format: format, path: path)
        }
    }

    /// The default time limit of a file, without `--timeout`.
    static let seconds = 30.0

    func run() throws {
        guard watch else { return try run(noting: nil) }
        if files.isEmpty || files.contains(where: { $0 == "-" || URLReference.isRemote($0) }) || data.data.text == "-" {
            throw ValidationError("--watch needs files, not standard input or URLs.")
        }
        if cache.cache.isGiven { throw ValidationError("--watch and --cache cannot be combined.") }
        try Watch.run(diagnostics.printer) { try run(noting: $0) }
    }

    /// - Parameter reads: records the files that are looked up, if the work may be repeated.
    private func run(noting reads: FileReads?) throws {
        for file in files + styles.css + data.data.values { reads?.note(file) }
        let targets = try chosenTargets()
        try pictures.validate(formats: targets.map(\.format))
        if let rows = data.data.text { return try renderRows(of: rows, as: targets, noting: reads) }
        // A comparison alone leaves standard output empty.
        let shown = output.output.isEmpty && pictures.check.isGiven ? nil : targets.first { $0.path == nil }?.format
        try shown?.checkPicture(isOnStandardOutput: true, isOneOfSeveral: files.count > 1)
        let sources = try input.sources(files, helpFor: Self.self)
        let seconds = try input.enforceLimits(for: sources.count, usually: Self.seconds)
        defer { Watchdog.stop() }
        try FileName.check(output.files + pictures.imageMap.values, for: sources, keys: ["stem", "page"])
        let rendering = try makeRendering(targets, nil, noting: reads, asksLater: sources.count == 1 && !terminal.pager)
        let shared = shown.map { OutputSink(.standardOutput, $0.content, keepsControls: input.safety.keepControls) }
        let run = InputRun(
            jobs: try jobs.count(for: sources.count), shared: shared, messages: diagnostics, seconds: seconds,
            reads: reads, remarks: remarks(), isText: shown?.isForReading ?? false,
            pager: terminal.pager && shown == .ansi ? try Pager() : nil)
        let headsFiles = shown == .ansi && isatty(STDOUT_FILENO) == 1
        let total = try run.run(sources, headsFiles: headsFiles) {
            let renderer = Renderer(ofProgram: rendering.fonts)
            return { file, result in try rendering.render(file, renderer, into: result) }
        }
        // Reading in a pager is not limited in time.
        Watchdog.stop()
        try run.finish(total)
        if total.differs { throw ExitCode(ExitStatus.noMatch.rawValue) }
    }

    /// Options without an effect here.
    func remarks() -> [String] {
        var result: [String] = []
        let limits = "--max-lines or --max-height, and with line-clamp in a style sheet"
        if ellipsis.isGiven, !maxLines.isGiven, !maxHeight.isGiven {
            result.append("--ellipsis has an effect with \(limits)")
        }
        if valign.isGiven, height.text ?? "auto" == "auto" { result.append("--valign has an effect with --height") }
        for file in output.files where !format.isGiven && !pictures.needPicture && !file.hasPrefix("/dev/") {
            let isName = !file.isEmpty && !file.hasSuffix("/") && fileStatus(at: file)?.isFolder != true
            let advice = "a name without an ending gets terminal text; --format chooses another output"
            if isName, PathText.ending(of: file) == nil { result.append("-o \(file): \(advice)") }
        }
        let screen = output.files.isEmpty && !format.isGiven && !pictures.needPicture ? PathText.standardOutput : nil
        if let file = screen, let named = FileEnding.format(of: file), named.isPicture || named == .json {
            result.append("\(file) gets terminal text; --format \(named.rawValue) writes what its name says")
        }
        if let color = try? background.color, color.alpha < 255, (try? writtenOutputs)?.contains(.jpeg) == true {
            result.append("JPEG has no transparency: white is below --background")
        }
        return result
    }

    /// - Parameters:
    ///   - arguments: the command's arguments; nil for those of the process.
    ///   - asksLater: whether the terminal is queried when the document is known.
    func makeRendering(
        _ targets: [RenderTarget], _ arguments: [String]?, noting reads: FileReads? = nil, asksLater: Bool = false
    ) throws -> Rendering {
        var forms = try targets.map { try makeForm($0, asksLater: asksLater) }
        let first = forms[0]
        let viewport = first.options.viewport(in: first.target.format == .ansi ? first.terminal : nil)
        let cache = try openCache(targets, arguments)
        let parser = try input.makeParser(styles) {
            if let most = try maxPixels.integer(in: 1...2_000_000_000) { $0.syntax.limits.pixels = most }
            if let most = try maxImagePixels.integer(in: 1...2_000_000_000) { $0.syntax.limits.imagePixels = most }
            if let preset = try preset.choice(Preset.self) { $0 = $0.set(preset: preset, accent: try accent.color) }
            $0 = $0.set(highlight: try highlight.choice() ?? .github, numbersLines: lineNumbers)
                .set(reads: reads ?? cache?.sheets)
            $0.setMedia(viewport, try media.choice() ?? .screen, scale: first.options.deviceScale)
        }
        let lambdas = try pictures.lambdas(limits: parser.syntax.limits)
        for index in forms.indices {
            forms[index].options.reads = reads
            forms[index].options.lambdas = lambdas
        }
        return Rendering(
            forms: forms, parser: parser, fonts: try fonts.options(input.safety),
            edits: try edits.parsed(diagnostics.printer), pictures: pictures, input: input, cache: cache,
            isThemeRequested: highlight.isGiven && highlight.text != CodeTheme.none.rawValue)
    }

    private func makeForm(_ target: RenderTarget, asksLater: Bool) throws -> RenderForm {
        var options = try renderOptions()
        if target.format == .text || target.format == .markdown, !width.isGiven, !options.limitsText {
            options.viewport = .screen
            if case .pixels(let height) = options.height { options.viewport?.height = height }
        }
        options.medium = try media.choice()
        let page = try chosenPage(target, &options)
        let pages = try pages.value("give numbers from 1 and rising ranges, as in 2-5,8", PageNumbers.init)
        let hasQuality = target.format == .jpeg || target.format == .webp
        let quality = try hasQuality ? quality.integer(in: target.format == .webp ? 0...100 : 1...100) : nil
        let json = JSONContent(
            hasLayout: layout || glyphs || boxes, hasGlyphs: glyphs, hasBoxes: boxes,
            offsets: try offsets.choice() ?? .scalar)
        var form = RenderForm(
            target: target, picture: target.format.picture(quality: quality, page: page), page: page, pages: pages,
            options: options, json: json, terminal: try terminalOptions(target, hasPictures: asksLater ? nil : true))
        if asksLater { form.askTerminal = { try terminalOptions(target, hasPictures: $0) } }
        return form
    }

    /// The cache; nil if results depend on more than the key can contain.
    private func openCache(_ targets: [RenderTarget], _ arguments: [String]?) throws -> RenderCache? {
        guard let results = try cache.open(), !input.usesNetwork,
            !targets.contains(where: { $0.hasPages || $0.format == .ansi })
        else { return nil }
        var key = RenderKey()
        for target in targets { key.add("format", Array(target.format.rawValue.utf8)) }
        let all = try arguments ?? Defaults(for: PathText.arguments).arguments
        try key.add(options: Self.table.decisiveValues(in: all))
        if !fonts.noSystemFonts { key.addSystemFonts() }
        return RenderCache(results: results, run: key.digest)
    }

    /// The pages of a PDF or of pictures; nil if the document decides. They replace the width and the padding.
    private func chosenPage(_ target: RenderTarget, _ options: inout RenderOptions) throws -> PageSize? {
        guard target.format == .pdf || target.hasPages else { return nil }
        guard target.format.isPicture else { throw ValidationError("-o with {page} requires pictures.") }
        guard page.isGiven || pageMargin.isGiven || pages.isGiven || target.hasPages else {
            // A canvas of a given size is no page.
            options.usesPageRules = !width.isGiven && !height.isGiven
            return nil
        }
        guard !height.isGiven else { throw ValidationError("--page and --height cannot be combined.") }
        let names = Self.pageNames.replacing("|", with: ", ") + ", with or without landscape"
        let sizes = "choose one of \(names), or give a width and a height from 10 to 5000 mm or with units"
        var size = try page.value("\(sizes), as in 100x150 or 4inx6in", PageSize.init) ?? PageSize()
        if let margins = try pageMargin.value("give one to four lengths, as in '20mm 15mm'", PageMargins.init) {
            size.margins = margins
            if options.padding != nil { throw ValidationError("--page-margin and --padding cannot be combined.") }
        } else if let padding = options.padding {
            size.margins = PageMargins(padding)
        }
        guard size.hasSpace else {
            throw ValidationError("\(pageMargin.isGiven ? "--page-margin" : "--padding") leaves nothing of the page.")
        }
        options.padding = 0
        if width.isGiven {
            guard case .pixels(let width) = options.width
            else { throw ValidationError("--page and --width auto cannot be combined.") }
            size.documentWidth = width
        }
        return size
    }

    private func renderOptions() throws -> RenderOptions {
        var options = try input.renderOptions(width: width, scale: scale, padding: padding)
        if let extent = try height.extent { options.height = extent }
        if let number = try dpi.number(in: 96...96 * RenderOptions.largestScale) {
            guard !scale.isGiven else { throw ValidationError("--dpi and --scale cannot be combined.") }
            options.scale = Float(number / 96)
        }
        let preset = try preset.choice(Preset.self)
        options.background = try background.color ?? preset?.defaultBackground
        options.verticalAlignment = try valign.choice() ?? .top
        options.maximumLines = try maxLines.integer(in: 1...1_000_000_000) ?? 0
        options.maximumHeight = Float(try maxHeight.length(in: 1...1e9) ?? 0)
        options.ellipsis = ellipsis.text
        let smallest = Float(try minSize.length(in: 1...10_000) ?? 12)
        let largest = Float(try maxSize.length(in: 1...10_000) ?? max(200, Double(smallest)))
        guard smallest <= largest else { throw ValidationError("--min-size must not be above --max-size.") }
        if fitLines || preset?.fitsLines == true { options.fitLines = smallest...largest }
        if let number = try gamma.number(in: 0.1...10) { options.gamma = Float(number) }
        options.writesMetadata = !noMetadata
        options.linkBase = try base.baseURL
        options.outlinesBoxes = debugBoxes
        return options
    }

    private func terminalOptions(_ target: RenderTarget, hasPictures: Bool?) throws -> ANSIOptions {
        let isANSI = target.format == .ansi
        let color = try terminal.color.choice() ?? ColorChoice.auto
        var choice = color
        // A file named .ans gets the styles of the terminal that will show it.
        if let path = target.path, color == .auto {
            let asksForIt = format.isGiven || FileEnding.format(of: path) == .ansi
            choice = isANSI && asksForIt ? .always : .never
        }
        let isFile = target.path != nil
        var options = try terminal.options(choice, isShown: isANSI, isFile: isFile, hasPictures: hasPictures)
        options.base = try base.baseURL
        if isANSI, let columns = try width.columns { options.width = columns }
        return options
    }
}
