// `fancytext render`: documents in; pictures, terminal text, data, Markdown, HTML or plain text out.

import ArgumentParser
import FancyText
import Glibc

enum RenderFormat: String, CaseIterable, ExpressibleByArgument {
    case png, ansi, json, markdown, html, text

    /// The format that a file name's ending names.
    init?(ending path: String) {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
        switch path[path.index(after: dot)...].lowercased() {
        case "png": self = .png
        case "ans", "ansi": self = .ansi
        case "json": self = .json
        case "md", "markdown": self = .markdown
        case "html", "htm": self = .html
        case "txt", "text": self = .text
        default: return nil
        }
    }
}

/// `600`, `600px` or `auto`.
struct ExtentArgument: ExpressibleByArgument {
    var extent: RenderOptions.Extent

    init?(argument: String) {
        if argument == "auto" {
            extent = .auto
        } else {
            let digits = argument.hasSuffix("px") ? String(argument.dropLast(2)) : argument
            guard let value = Float(digits), value > 0, value <= 1_000_000 else { return nil }
            extent = .pixels(value)
        }
    }
}

/// A CSS colour.
struct ColorArgument: ExpressibleByArgument {
    var color: Color

    init?(argument: String) {
        guard let color = Color(css: argument) else { return nil }
        self.color = color
    }
}

extension RenderOptions.VerticalAlignment: ExpressibleByArgument {}
extension OffsetUnit: ExpressibleByArgument {}
extension Preset: ExpressibleByArgument {}

struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Render HTML to a PNG picture, terminal text, JSON, Markdown, HTML or plain text.",
        discussion: """
            EXAMPLES
              fancytext render card.html -o card.png --width 1200 --height 630
              echo '<h1>Hello</h1>' | fancytext render -o hello.png --width auto
              fancytext render note.html                        styled text on a terminal
              fancytext render note.html --format json --layout where every word lies
              fancytext render *.html -o 'out/{stem}.png'       many at once
            """)

    @Argument(help: "Files to render; - or none is standard input.")
    var files: [String] = []

    @OptionGroup var output: OutputArguments

    @Option(help: "Output format; else taken from the ending of -o, else ansi.")
    var format: RenderFormat?

    @Option(help: ArgumentHelp("Width in CSS pixels (terminal cells for ansi), or auto.", valueName: "n|auto"))
    var width: ExtentArgument?

    @Option(help: ArgumentHelp("Height in CSS pixels, or auto.", valueName: "n|auto"))
    var height: ExtentArgument?

    @Option(help: "Device pixels for each CSS pixel, 1 to 4.")
    var scale: Float = 1

    @Option(help: "Colour of the canvas, or transparent.")
    var background: ColorArgument?

    @Option(help: ArgumentHelp("Space around the document in CSS pixels.", valueName: "px"))
    var padding: Float?

    @Option(help: "Where the content stands in a canvas higher than it.")
    var valign = RenderOptions.VerticalAlignment.top

    @Option(help: "A ready-made look: \(Preset.allCases.map(\.rawValue).joined(separator: ", ")).")
    var preset: Preset?

    @Option(help: "The colour that the preset is made of.")
    var accent: ColorArgument?

    @Flag(help: "Each line takes the size that fills the width.")
    var fitLines = false

    @Option(help: ArgumentHelp("Smallest size of a fitted line.", valueName: "px"))
    var minSize: Float = 12

    @Option(help: ArgumentHelp("Largest size of a fitted line.", valueName: "px"))
    var maxSize: Float = 200

    @Option(help: ArgumentHelp("Show at most this many lines.", valueName: "n"))
    var maxLines: Int?

    @Option(help: ArgumentHelp("Show at most this height of text.", valueName: "px"))
    var maxHeight: Float?

    @Option(help: ArgumentHelp("What stands for text left out, as HTML.", valueName: "html"))
    var ellipsis: String?

    @Option(help: "Exponent of text contrast; 1.4 is as browsers paint.")
    var gamma: Float = 1.4

    @Option(help: ArgumentHelp("Folder that images may come from; else the file's own.", valueName: "folder"))
    var baseDir: String?

    @Flag(help: "Fetch images over the network.")
    var allowNet = false

    @Flag(help: "Leave the text, language and scale out of the PNG.")
    var noMetadata = false

    @Option(help: ArgumentHelp("Largest picture in pixels.", valueName: "n"))
    var maxPixels: Int?

    @Option(help: ArgumentHelp("Largest decoded image in pixels.", valueName: "n"))
    var maxImagePixels: Int?

    @Flag(help: "json: add lines, words and link boxes.")
    var layout = false

    @Flag(help: "json: add glyphs too.")
    var glyphs = false

    @Option(help: "json: what offsets count.")
    var offsets = OffsetUnit.scalar

    @Option(help: "ansi: use colour and styles.")
    var color = ColorChoice.auto

    @Option(help: "ansi: clickable links.")
    var hyperlinks = ColorChoice.auto

    @OptionGroup(title: "Edits") var edits: EditArguments
    @OptionGroup(title: "Style options") var styles: StyleArguments
    @OptionGroup(title: "Font options") var fonts: FontArguments
    @OptionGroup(title: "Input options") var input: InputArguments
    @OptionGroup(title: "Messages") var diagnostics: DiagnosticArguments

    func validate() throws {
        guard (1...4).contains(scale) else { throw ValidationError("--scale must be from 1 to 4.") }
        guard (0.1...10).contains(gamma) else { throw ValidationError("--gamma must be from 0.1 to 10.") }
        if let padding, !(0...100_000).contains(padding) { throw ValidationError("--padding must be 0 or more.") }
        if let maxLines, maxLines < 1 { throw ValidationError("--max-lines must be 1 or more.") }
        if let maxHeight, !(maxHeight > 0) { throw ValidationError("--max-height must be positive.") }
        guard minSize > 0, maxSize >= minSize, maxSize <= 10_000 else {
            throw ValidationError("--min-size and --max-size must be positive, the largest not below the smallest.")
        }
        if files.count > 1, let path = output.output, path != "-", !path.contains("{stem}") {
            throw ValidationError("several files need -o with {stem}, as in -o 'out/{stem}.png'.")
        }
    }

    private var chosenFormat: RenderFormat {
        format ?? output.output.flatMap { $0 == "-" ? nil : RenderFormat(ending: $0) } ?? .ansi
    }

    func run() throws {
        let format = chosenFormat
        let writesToTerminal = (output.output ?? "-") == "-" && isatty(STDOUT_FILENO) == 1
        if format == .png, writesToTerminal {
            throw CommandFailure("a PNG picture is not written to a terminal; use -o FILE.png")
        }
        let sources = try input.sources(files, helpFor: Self.self)
        let parser = try makeParser()
        let renderer = Renderer(fonts: fonts.options)
        var failed = false
        for file in sources {
            do {
                try render(file, format: format, parser: parser, renderer: renderer)
            } catch let failure as CommandFailure where sources.count > 1 {
                diagnostics.printer.print(failure)
                failed = true
            } catch is ExitCode where sources.count > 1 {
                failed = true
            }
        }
        if failed { throw ExitCode(ExitStatus.failure.rawValue) }
    }

    private func makeParser() throws -> MarkupParser {
        try ParserFactory(
            input: input, styles: styles, preset: preset?.css(accent: accent?.color), maxPixels: maxPixels, maxImagePixels: maxImagePixels, viewportWidth: width?.extent
        ).makeParser()
    }

    private func renderOptions(for file: String) -> RenderOptions {
        var options = RenderOptions()
        if let width { options.width = width.extent }
        if let height { options.height = height.extent }
        options.scale = scale
        options.background = background?.color ?? preset?.defaultBackground
        if fitLines || preset?.fitsLines == true { options.fitLines = minSize...maxSize }
        options.padding = padding
        options.verticalAlignment = valign
        options.maximumLines = maxLines ?? 0
        options.maximumHeight = maxHeight ?? 0
        options.ellipsis = ellipsis
        options.gamma = gamma
        options.allowsNetwork = allowNet
        options.writesMetadata = !noMetadata
        options.baseFolder = baseDir ?? Self.folder(of: file)
        return options
    }

    private static func folder(of file: String) -> String {
        guard file != "-", let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    private func render(_ file: String, format: RenderFormat, parser: MarkupParser, renderer: Renderer) throws {
        let bytes = try input.read(file)
        var document = parser.parse(bytes, name: InputArguments.displayName(file))
        try edits.apply(to: &document, printer: diagnostics.printer)
        let options = renderOptions(for: file)
        let result: [UInt8]
        switch format {
        case .png:
            result = try renderer.png(&document, options)
        case .json:
            result = try renderer.json(&document, options, content: jsonContent)
        case .ansi:
            result = renderer.ansi(&document, options, terminalOptions)
        case .markdown:
            result = document.markdown()
        case .html:
            result = document.html()
        case .text:
            result = document.plainText()
        }
        try diagnostics.finish(document.diagnostics)
        try output.write(result, to: output.output.map { Self.outputPath($0, for: file) })
    }

    private var jsonContent: JSONContent {
        JSONContent(hasLayout: layout || glyphs, hasGlyphs: glyphs, offsets: offsets)
    }

    private var terminalOptions: ANSIOptions {
        let goesToFile = output.output.map { $0 != "-" } ?? false
        var choice = color
        // A file named .ans asks for the styles that its reader's terminal will show.
        if goesToFile, color == .auto { choice = format == .ansi || output.output?.hasSuffix(".ans") == true ? .always : .never }
        let terminal = Terminal(descriptor: STDOUT_FILENO, choice: choice)
        var options = terminal.options
        if case .pixels(let columns)? = width?.extent { options.width = max(1, Int(columns)) }
        switch hyperlinks {
        case .auto: options.hyperlinks = terminal.isStyled && terminal.isTerminal
        case .always: options.hyperlinks = true
        case .never: options.hyperlinks = false
        }
        return options
    }

    /// `{stem}` is the file's name without folder and ending.
    private static func outputPath(_ pattern: String, for file: String) -> String {
        guard let range = pattern.firstRange(of: "{stem}") else { return pattern }
        let name = file == "-" ? "stdin" : String(file[(file.lastIndex(of: "/").map { file.index(after: $0) } ?? file.startIndex)...])
        let stem = name.lastIndex(of: ".").map { $0 == name.startIndex ? name : String(name[..<$0]) } ?? name
        return pattern.replacingCharacters(in: range, with: stem)
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
