// Renders documents as pictures, terminal text and data, with fonts and buffers kept warm between documents.

import FancyTextBoxes
import FancyTextDisplay
import FancyTextImages
import FancyTextLayout
import FancyTextMarkup
import FancyTextPainting

/// The reason why a rendering failed.
@nonexhaustive
public enum RenderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A requested font file cannot be used.
    case font(String)
    /// The picture would have more pixels than ``Limits/pixels``.
    case tooManyPixels(width: Int, height: Int, limit: Int)
    /// The requested width or height is not above 0.
    case emptyCanvas
    /// Not an image, or one that is damaged or too large.
    case picture(String)
    /// The encoder failed.
    case encoding(String)
    /// The document exceeds one of the budgets of its ``Limits``.
    case overBudget(Budget, limit: Int)
    /// Parsing or rendering took longer than ``Limits/seconds``.
    case tookTooLong(seconds: Double)
    /// The task was cancelled.
    case cancelled

    public var description: String {
        switch self {
        case .font(let message): message
        case .tooManyPixels(let width, let height, let limit):
            "the picture would be \(width)×\(height) pixels, more than the limit of \(limit)"
        case .emptyCanvas: "the width and the height of a picture must be above 0"
        case .picture(let message), .encoding(let message): message
        case .overBudget(let budget, let limit): "the document needs more than \(limit) \(budget.counts)"
        case .tookTooLong(let seconds): Diagnostic.words(ofTimeout: seconds)
        case .cancelled: "the task was cancelled"
        }
    }

    init(_ stop: WorkClock.Stop, seconds: Double) {
        switch stop {
        case .timeout: self = .tookTooLong(seconds: seconds)
        case .cancelled: self = .cancelled
        }
    }
}

/// Renders documents. It is not `Sendable`, because it owns font caches and buffers, which make the second rendering much cheaper
/// than the first. Use one for each task; all of them give the same bytes for the same document.
public final class Renderer {
    private var fontOptions: FontOptions
    private var context: LayoutContext?
    var terminalContext = TerminalWriter.Context()
    private var painter = Painter()
    var vectorPainter = VectorPainter()
    private let encoder = PNGEncoder()
    /// The most recent root style whose margin was removed, and the resulting style.
    private var marginless: (of: ComputedStyle, style: ComputedStyle)?
    let canvas = Bitmap()
    /// The path of the `fancytext` program, which then decodes images in a separate process: an image that fails there, or takes
    /// too long, is missing from the picture. If nil, images are decoded in this process, and SVG only if it is known to be
    /// harmless.
    public var pictureHelper: String? { didSet { helper = nil } }
    private var helper: PictureHelper?
    /// Runs cairo on untrusted documents. For programs whose other threads are idle while they render.
    package var lockedProcess: LockedProcess?
    private(set) lazy var plainParser = MarkupParser()

    /// Uses no resources until the first rendering.
    public init(fonts: FontOptions = FontOptions()) { fontOptions = fonts }

    private func makeContext() throws(RenderError) -> LayoutContext {
        if let context { return context }
        do {
            let fonts = try FontContext(configuration: fontOptions) { ImageStore.glyphPicture($0, side: $1) }
            let made = LayoutContext(fonts: fonts)
            context = made
            return made
        } catch { throw .font(error.description) }
    }

    var fonts: FontContext { get throws(RenderError) { try makeContext().fonts } }

    /// Lends what layout needs, with the document's own fonts, which remain for its painting until the next document's layout.
    func withLayoutContext<Result>(
        of document: inout Document, _ images: ImageStore,
        _ body: (inout LayoutContext, inout Document) throws(RenderError) -> Result
    ) throws(RenderError) -> Result {
        var context = try makeContext()
        context.fonts.removeRegisteredFaces()
        for face in document.fontFaces() { register(face, files: images, in: context.fonts, of: &document) }
        return try body(&context, &document)
    }

    // MARK: Pictures

    /// The document as a PNG file's bytes.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    public func png(_ document: inout Document, _ options: RenderOptions = RenderOptions()) throws(RenderError)
        -> [UInt8]
    { try picture(&document, as: .png, options) }

    func metadata(of document: Document, _ list: DisplayList, _ plan: RenderPlan) throws(RenderError) -> PNGMetadata {
        let text = VisibleText.text(plan.text, in: list, fonts: try fonts) { truncation in
            var shown = document.truncated(truncation, of: plan.text, ellipsis: plan.options.ellipsis)
            return shown.styledContents().text
        }
        return PNGMetadata(text: text, language: plan.text.language, scale: plan.options.scale)
    }

    /// A display list as a PNG file's bytes.
    func encode(_ list: DisplayList, _ plan: RenderPlan, metadata: PNGMetadata? = nil) throws(RenderError) -> [UInt8] {
        let (size, paintOptions) = try checkedSize(of: list, plan)
        let fonts = try makeContext().fonts
        let images = plan.images
        do {
            if Painter.isFlat(list) {
                var bands = PaintedBands(list, fonts: fonts, pictures: images, options: paintOptions, canvas: canvas)
                swap(&painter, &bands.painter)
                let bytes = try encoder.encode(&bands, metadata: metadata)
                swap(&painter, &bands.painter)
                try Self.check(images.meter)
                if let bytes { return bytes }
            }
            // The pixels and the file are in memory together; adjacent colours are rarely similar, so compression saves little.
            let held = 5 * size.width * size.height
            if images.meter.spend(held, of: .layerBytes, besides: 32 << 20) {
                images.meter.giveBack(held, of: .layerBytes)
                painter.paint(list, fonts: fonts, pictures: images, options: paintOptions, into: canvas)
            }
            try Self.check(images.meter)
            return try encoder.encode(consuming: canvas, metadata: metadata)
        } catch let error as RenderError { throw error } catch { throw .encoding("\(error)") }
    }

    /// - Throws: ``RenderError/overBudget(_:limit:)`` if a budget was exceeded; the reason if work was stopped.
    static func check(_ meter: BudgetMeter) throws(RenderError) {
        if let stop = meter.clock.stop { throw RenderError(stop, seconds: meter.limits.seconds) }
        if let budget = meter.exceeded { throw .overBudget(budget, limit: meter.limits[budget]) }
    }

    package func paint(_ document: inout Document, _ options: RenderOptions) throws(RenderError) {
        try pictured(&document) { document throws(RenderError) in
            let plan = try RenderPlan(&document, options, by: self)
            try paint(plan.displayList(of: &document), plan)
            document.reportFailures(of: plan.images)
        }
    }

    package func displayList(_ document: inout Document, _ options: RenderOptions) throws(RenderError) -> DisplayList {
        try planned(&document, options) { plan, document throws(RenderError) in try plan.displayList(of: &document) }
    }

    package func layoutTree(_ document: inout Document, _ options: RenderOptions) throws(RenderError) -> LayoutTree {
        try planned(&document, options) { plan, document throws(RenderError) in try plan.layoutTree(of: &document) }
    }

    private func planned<Output>(
        _ document: inout Document, _ options: RenderOptions,
        _ work: (RenderPlan, inout Document) throws(RenderError) -> Output
    ) throws(RenderError) -> Output {
        try timed(&document) { document throws(RenderError) in
            let plan = try RenderPlan(&document, options, by: self)
            defer { document.reportFailures(of: plan.images) }
            return try work(plan, &document)
        }
    }

    /// The links of the document's picture as an HTML image map: an `<img>` and a `<map>` with an area for each box of
    /// a link. `picture` is the source of the `<img>`.
    ///
    /// - Throws: ``RenderError``.
    public func imageMap(
        _ document: inout Document, _ options: RenderOptions = RenderOptions(), picture: String
    ) throws(RenderError) -> [UInt8] {
        try pictured(&document) { document throws(RenderError) in
            let plan = try RenderPlan(&document, options, by: self)
            let tree = try plan.layoutTree(of: &document)
            document.reportFailures(of: plan.images)
            let links = tree.links(in: plan.text)
            let resolve = plan.linkResolver(for: links.count, in: document)
            func area(_ link: PlacedLink) -> ImageMapWriter.Link? {
                guard let target = LinkDestination.offered(link.href).flatMap(resolve) else { return nil }
                let source = link.isInTail ? tree.tailTree ?? document.tree : document.tree
                let words = String(decoding: source.textContent(link.element), as: UTF8.self).split { $0.isWhitespace }
                return (target, link.boxes, words.joined(separator: " "))
            }
            // The first of overlapping areas is used, and a tail is inside of the link that the text before it ends in.
            let areas = links.filter(\.isInTail).compactMap(area) + links.filter { !$0.isInTail }.compactMap(area)
            if areas.isEmpty {
                document.diagnostics.report(Diagnostic(.note, .noEffect, "the picture has no links: its map is empty"))
            }
            return ImageMapWriter.write(areas, picture: picture, size: tree.size)
        }
    }

    func paint(_ list: DisplayList, _ plan: RenderPlan) throws(RenderError) {
        let (options, images) = (try checkedSize(of: list, plan).options, plan.images)
        painter.paint(list, fonts: try makeContext().fonts, pictures: images, options: options, into: canvas)
        try Self.check(images.meter)
    }

    /// The size of a list's picture in pixels, and its painting options.
    private func checkedSize(
        of list: DisplayList, _ plan: RenderPlan
    ) throws(RenderError) -> (size: (width: Int, height: Int), options: PaintOptions) {
        let scale = plan.options.deviceScale
        let (width, height) = Painter.pixelSize(of: list, scale: scale)
        let limit = plan.images.meter.limits.pixels
        guard width <= limit / height else { throw .tooManyPixels(width: width, height: height, limit: limit) }
        var paintOptions = PaintOptions(scale: scale)
        paintOptions.textContrast.gamma = plan.options.gamma
        paintOptions.meter = plan.images.meter
        return ((width, height), paintOptions)
    }

    func makeImageStore(_ options: RenderOptions, for document: Document) -> ImageStore {
        let limits = document.parser.syntax.limits
        var storeOptions = ImageStore.Options(baseDirectory: options.baseFolder)
        (storeOptions.folder, storeOptions.reads, storeOptions.limits) = (options.documentFolder, options.reads, limits)
        (storeOptions.pictures, storeOptions.load) = (document.pictures, document.parser.imageLoader)
        if let pictureHelper {
            let isStrict = limits[.imageBytes] < Budget.imageBytes.standard
            let helper =
                helper ?? PictureHelper(program: pictureHelper, memory: isStrict ? Self.strictHelperMemory : nil)
            helper.seconds = min(Self.helperSeconds, limits.seconds > 0 ? limits.seconds / 2 : Self.helperSeconds)
            self.helper = helper
            storeOptions.codec = helper
        }
        let network = options.network
        if !network.isNone {
            storeOptions.network = network
            storeOptions.base = document.base(below: options.baseURL).flatMap { URLReference.isRemote($0) ? $0 : nil }
        }
        return ImageStore(storeOptions)
    }

    /// The time limit of an image, and of all SVG images of a rendering together.
    private static let helperSeconds = 1.5
    private static let strictHelperMemory = 128 << 20

    /// A snippet lies in an implied body, whose default margin gives way to a padding that was asked for.
    func placed(_ text: BoxTree, of document: Document, _ options: RenderOptions) -> BoxTree {
        let root = text.styles[.root]
        guard options.padding != nil, !document.tree.isDocument, root.box.margin == Sides(LengthPercentage(px: 8))
        else {
            return text
        }
        if marginless?.of !== root {
            var box = root.box
            box.margin = Sides(.zero)
            marginless = (root, ComputedStyle(root, box: box))
        }
        var result = text
        if let marginless { result.styles.replace(.root, marginless.style) }
        return result
    }

    /// Passes a document's font to the shaper; its files are read under the same rules as pictures.
    private func register(_ face: FontFaceRule, files: ImageStore, in fonts: FontContext, of document: inout Document) {
        var isReported = false
        // The sources after a file that was read are its replacements: none of them needs to exist.
        var hasFile = false
        var sources: [WebFont.Source] = []
        for source in face.sources {
            switch source {
            case .local(let name): sources.append(.local(name))
            case .url(let url):
                do throws(ImageError) {
                    let url = StyleSheetLoader.resolve(url, against: face.sheet)
                    let limit = files.meter.limits[.fontBytes]
                    let bytes = try files.bytes(
                        of: url, from: StyleSheetLoader.writtenFolder(of: face.sheet), limit: limit)
                    guard files.meter.spend(PackedFont.size(of: bytes), of: .fontBytes) else { break }
                    sources.append(.data(bytes))
                    hasFile = true
                } catch {
                    if hasFile { break }
                    document.reportFont(face, of: url, "\(url): \(error)")
                    isReported = true
                }
            }
        }
        var rule = WebFont(
            family: face.family, sources: sources, weights: face.weight, stretches: face.stretch,
            isItalic: face.isItalic, ranges: face.unicodeRanges)
        rule.adjustment = face.adjustment
        do throws(FontProblem) { try fonts.register(rule) } catch {
            if !isReported { document.reportFont(face, of: face.family, error.description) }
        }
    }

    // MARK: Data and text

    /// The document truncated to the limits of `options`, with the ellipsis in place of the rest. Its text, attributes, Markdown
    /// and HTML match a picture of that width.
    ///
    /// - Throws: ``RenderError``.
    public func truncated(
        _ document: Document, _ options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> Document {
        guard options.limitsText else { return document }
        var measured = document
        let layout = try layoutTree(&measured, options)
        guard let truncation = layout.truncation else { return document }
        var result = measured.truncated(truncation, of: measured.styledContents(), ellipsis: options.ellipsis)
        result.diagnostics = document.diagnostics
        if let message = Diagnostic(layout.tailFallback) { result.diagnostics.report(message) }
        return result
    }

    /// Text, runs and, if requested, layout as one line of JSON.
    public func json(
        _ document: inout Document, _ options: RenderOptions = RenderOptions(), content: JSONContent = JSONContent()
    ) throws(RenderError) -> [UInt8] {
        try timed(&document) { document throws(RenderError) in
            let plan = try RenderPlan(&document, options, isForLayout: content.hasLayout, by: self)
            try document.checkBudgets()
            let layout = content.hasLayout || options.limitsText ? try plan.layoutTree(of: &document) : nil
            document.reportFailures(of: plan.images)
            var shown = document
            if let truncation = layout?.truncation {
                shown = document.truncated(truncation, of: plan.text, ellipsis: options.ellipsis)
            }
            let json = JSONWriter.write(
                shown.styledContents(), placed: plan.text, styled: shown.styled(),
                layout: content.hasLayout ? layout : nil, fonts: layout == nil ? nil : try fonts,
                content: content, hasSource: document.hasSource, meter: plan.images.meter)
            try Self.check(plan.images.meter)
            return json
        }
    }

    /// The document for a terminal. If it took longer than ``Limits/seconds``, or the task was cancelled, the text is incomplete
    /// and ``Document/diagnostics`` has an error.
    public func ansi(
        _ document: inout Document, _ options: RenderOptions = RenderOptions(), _ terminal: ANSIOptions = ANSIOptions()
    ) -> [UInt8] {
        let seconds = document.parser.syntax.limits.seconds
        return WorkClock.run(seconds: seconds) { clock in
            let bytes = writeANSI(&document, options, terminal)
            if let stop = clock.stop {
                document.forgetStyles()
                document.diagnostics.report(Diagnostic(stop, seconds: seconds))
            }
            return bytes
        }
    }

    private func writeANSI(_ document: inout Document, _ options: RenderOptions, _ terminal: ANSIOptions) -> [UInt8] {
        if terminal.opensDetails, let opened = PlainText.opened(document.tree, dropsFallbacks: false) {
            var copy = document.with(opened)
            defer { document.diagnostics = copy.diagnostics }
            return writeANSI(&copy, options, terminal)
        }
        // A terminal has no canvas and no fonts that could fail.
        guard var plan = try? RenderPlan(&document, options, for: .terminal(terminal), isForLayout: false, by: self)
        else { return [] }
        var writer = TerminalWriter(
            plan.takeText(of: &document), tree: document.tree, options: terminal, layout: plan.layout,
            limits: document.parser.syntax.limits, pictures: plan.images)
        (writer.background, writer.padding) = (options.background, options.padding ?? 0)
        if let base = document.base(below: terminal.base) {
            writer.resolveLink = { URLReference.resolve($0, against: base) }
        }
        defer {
            document.reportFailures(of: plan.images)
            if let budget = plan.images.meter.exceeded {
                document.diagnostics.report(Diagnostic(budget, limit: plan.images.meter.limits[budget]))
            }
        }
        return writer.write(&terminalContext, canvas: document.canvasElements, log: &document.diagnostics)
    }

    /// The available font families, and the versions of the libraries that draw them, as text or as JSON.
    public func fontList(asJSON: Bool) throws(RenderError) -> [UInt8] {
        FontListWriter.write(
            try makeContext().fonts.families(), libraries: FontContext.libraryListing(), asJSON: asJSON)
    }

    /// Renders within a number of seconds. Throws if that was too short, or if the task was cancelled.
    func timed<Output>(seconds: Double = 0, _ work: () throws(RenderError) -> Output) throws(RenderError) -> Output {
        try WorkClock.run(seconds: seconds) { clock throws(RenderError) in
            let result = Result { () throws(RenderError) -> Output in try work() }
            if let stop = clock.stop { throw RenderError(stop, seconds: seconds) }
            return try result.get()
        }
    }

    /// Renders a document within its ``Limits/seconds``. A document whose parsing was stopped is incomplete, and is not rendered.
    func timed<Output>(
        _ document: inout Document, _ work: (inout Document) throws(RenderError) -> Output
    ) throws(RenderError) -> Output {
        let seconds = document.parser.syntax.limits.seconds
        if let stop = document.stop { throw RenderError(stop, seconds: seconds) }
        do {
            return try timed(seconds: seconds) { () throws(RenderError) in try work(&document) }
        } catch {
            switch error {
            case .tookTooLong, .cancelled: document.forgetStyles()
            case .font, .tooManyPixels, .emptyCanvas, .picture, .encoding, .overBudget: break
            }
            throw error
        }
    }

    /// Renders a document as ``timed(_:_:)`` does, with highlighted code, and on paper with open `details`.
    func pictured<Output>(
        _ document: inout Document, onPaper: Bool = false, _ work: (inout Document) throws(RenderError) -> Output
    ) throws(RenderError) -> Output {
        let highlighted = document.highlighted()
        guard var copy = onPaper ? (highlighted ?? document).withOpenDetails() ?? highlighted : highlighted
        else { return try timed(&document, work) }
        defer { document.diagnostics = copy.diagnostics }
        return try timed(&copy, work)
    }

    package func dump(
        _ document: inout Document, stage: DumpStage, asJSON: Bool, _ options: RenderOptions
    ) throws(RenderError) -> [UInt8] {
        try planned(&document, options) { plan, document throws(RenderError) in
            let tree = document.tree
            let json: [UInt8]
            switch stage {
            case .tokens: json = StageJSON.tokens(tree.source)
            case .normalized: json = StageJSON.normalized(tree)
            case .tree: return asJSON ? tree.json(tree.root) + [0x0A] : Array(TreeDump.text(tree).utf8)
            case .styles: json = StageJSON.styles(document.styled())
            case .text: json = StageJSON.text(plan.text, tree)
            case .layout: json = StageJSON.layout(try plan.layoutTree(of: &document), of: plan.text)
            case .display: json = StageJSON.display(try plan.displayList(of: &document))
            }
            return asJSON ? json : StageText.text(json)
        }
    }
}

package enum DumpStage: String, CaseIterable, Sendable {
    case tokens, normalized, tree, styles, text, layout, display
}
