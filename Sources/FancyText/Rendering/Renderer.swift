// Renders documents as pictures, terminal text and data, with fonts and buffers kept warm between documents.

import FancyTextBoxes
import FancyTextBasics
import FancyTextImages
import FancyTextLayout
import FancyTextMarkup
import FancyTextOutputs
import FancyTextPainting
import FancyTextStyling
import FancyTextTypography

/// The reason why a rendering failed.
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
        case .overBudget(let budget, let limit): "the document asks for more than \(limit) \(budget.counts)"
        case .tookTooLong(let seconds): Diagnostic.words(ofTimeout: seconds)
        case .cancelled: "the task was cancelled"
        }
    }
}

/// Renders documents. It is not `Sendable`, because it owns font caches and buffers, which make the second rendering much cheaper
/// than the first. Use one for each task; all of them give the same bytes for the same document.
public final class Renderer {
    private var fontOptions: FontOptions
    private var context: LayoutContext?
    private var terminalContext = TerminalWriter.Context()
    private var painter = Painter()
    var vectorPainter = VectorPainter()
    /// True if display lists record the text of glyphs, for formats in which text stays text.
    private var keepsText = false
    private let encoder = PNGEncoder()
    /// The most recent root style whose margin was removed, and the resulting style.
    private var marginless: (of: ComputedStyle, style: ComputedStyle)?
    let canvas = FancyTextPainting.Canvas()
    /// The path of the `fancytext` program, which then decodes images in a separate process: an image that fails there, or takes
    /// too long, is missing from the picture. If nil, images are decoded in this process, and SVG only if it is known to be
    /// harmless.
    public var pictureHelper: String? {
        didSet { helper = nil }
    }
    private var helper: PictureHelper?
    /// Runs cairo on untrusted documents. For programs whose other threads are idle while they render.
    package var lockedProcess: LockedProcess?
    /// Parses styled text.
    private(set) lazy var plainParser = MarkupParser()

    /// Uses no resources until the first rendering.
    public init(fonts: FontOptions = FontOptions()) {
        fontOptions = fonts
    }

    private func makeContext() throws(RenderError) -> LayoutContext {
        if let context { return context }
        let made = try Self.openFonts(fontOptions)
        context = made
        return made
    }

    /// Resolves the document's styles for the canvas and for the fonts that its lengths refer to.
    private func setViewport(of document: inout Document, _ options: RenderOptions) throws(RenderError) {
        document.setViewport(options.viewport(), scale: options.deviceScale)
        guard document.usesFontUnits() else { return }
        let fonts = try makeContext().fonts
        let images = makeImageStore(options, for: document)
        for face in document.fontFaces() { register(face, files: images, in: fonts, of: &document) }
        defer { fonts.removeRegisteredFaces() }
        Self.setFontUnits(of: &document) { font in
            let metrics = fonts.metrics(fonts.intern(font))
            func ratio(_ length: Float) -> Double { Double(length / font.size) }
            return FontUnits.Ratios(
                ex: ratio(metrics.xHeight), ch: ratio(metrics.zeroAdvance), cap: ratio(metrics.capHeight))
        }
    }

    /// Resolves the document's styles for a terminal, where `ch` is a cell in every font.
    private func setViewport(of document: inout Document, _ options: RenderOptions, in terminal: ANSIOptions) {
        document.setViewport(options.viewport(in: terminal), scale: options.deviceScale)
        guard document.usesFontUnits() else { return }
        Self.setFontUnits(of: &document) { font in
            FontUnits.Ratios(ex: 0.5, ch: Double(terminal.cellWidth / font.size), cap: 0.7)
        }
    }

    private static func setFontUnits(of document: inout Document, _ ratios: (FontStyle) -> FontUnits.Ratios) {
        // A font size in such units selects another font, which has other units.
        for _ in 0..<3 {
            var units = FontUnits()
            for font in document.styled().fontsOfUnits where font.size > 0 { units[font] = ratios(font) }
            document.setFontUnits(units)
        }
    }

    private static func openFonts(_ fontOptions: FontOptions) throws(RenderError) -> LayoutContext {
        var configuration = FontConfiguration()
        configuration.files = fontOptions.files
        configuration.directories = fontOptions.folders
        configuration.emoji = fontOptions.emoji
        configuration.usesSystemFonts = fontOptions.usesSystemFonts
        switch fontOptions.hinting {
        case .none: configuration.hinting = .none
        case .slight: configuration.hinting = .slight
        case .full: configuration.hinting = .full
        }
        do {
            return LayoutContext(
                fonts: try FontContext(configuration: configuration) { ImageStore.glyphPicture($0, side: $1) })
        } catch {
            throw .font(error.description)
        }
    }

    // MARK: Pictures

    /// The document as a PNG file's bytes.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    public func png(_ document: inout Document, _ options: RenderOptions = RenderOptions()) throws(RenderError)
        -> [UInt8]
    {
        try timed(&document) { document throws(RenderError) in try writePNG(&document, options) }
    }

    private func writePNG(_ document: inout Document, _ options: RenderOptions) throws(RenderError) -> [UInt8] {
        try options.validate()
        try setViewport(of: &document, options)
        let limits = document.parser.syntax.limits
        var images = makeImageStore(options, for: document)
        let text = document.styledContents()
        keepsText = options.writesMetadata
        defer { keepsText = false }
        let list = try drawnList(&document, options, images)
        let fonts = try makeContext().fonts
        let metadata =
            options.writesMetadata
            ? PNGMetadata(
                text: VisibleText.text(text.text, in: list, fonts: fonts), language: text.language,
                scale: options.scale) : nil
        defer { document.reportFailures(of: images) }
        return try encode(list, options, &images, limits: limits, metadata: metadata)
    }

    /// A display list as a PNG file's bytes.
    func encode(
        _ list: DisplayList, _ options: RenderOptions, _ images: inout ImageStore, limits: Limits,
        metadata: PNGMetadata?
    ) throws(RenderError) -> [UInt8] {
        var (size, paintOptions) = try checkedSize(of: list, options, limits: limits)
        paintOptions.meter = images.meter
        let fonts = try makeContext().fonts
        do {
            if Painter.isFlat(list) {
                var bands = PaintedBands(list, fonts: fonts, pictures: images, options: paintOptions, canvas: canvas)
                swap(&painter, &bands.painter)
                let bytes = try encoder.encode(&bands, metadata: metadata)
                swap(&painter, &bands.painter)
                images = bands.pictures
                try Self.check(images.meter)
                if let bytes { return bytes }
            }
            // The pixels and the file are in memory together; adjacent colours are rarely similar, so compression saves little.
            let held = 5 * size.width * size.height
            if images.meter.spend(held, of: .layerBytes, besides: 32 << 20) {
                images.meter.giveBack(held, of: .layerBytes)
                painter.paint(list, fonts: fonts, pictures: &images, options: paintOptions, into: canvas)
            }
            try Self.check(images.meter)
            return try encoder.encode(consuming: canvas, metadata: metadata)
        } catch let error as RenderError {
            throw error
        } catch {
            throw .encoding("\(error)")
        }
    }

    /// - Throws: ``RenderError/overBudget(_:limit:)`` if a budget was exceeded; the reason if work was stopped.
    static func check(_ meter: BudgetMeter) throws(RenderError) {
        if let stop = meter.clock.stop { throw RenderError(stop, seconds: meter.limits.seconds) }
        if let budget = meter.exceeded { throw .overBudget(budget, limit: meter.limits[budget]) }
    }

    /// - Throws: ``RenderError/overBudget(_:limit:)`` if styles or boxes exceeded a budget.
    private func check(_ document: Document) throws(RenderError) {
        for message in document.diagnostics where message.severity == .error {
            if let budget = Budget.allCases.first(where: { $0.code == message.code }) {
                throw .overBudget(budget, limit: document.parser.syntax.limits[budget])
            }
        }
    }

    /// The display list for painting the document as shapes and text.
    func vectorList(
        _ document: inout Document, _ options: RenderOptions
    ) throws(RenderError) -> (list: DisplayList, images: ImageStore, fonts: FontContext) {
        try options.validate()
        try setViewport(of: &document, options)
        keepsText = true
        defer { keepsText = false }
        let images = makeImageStore(options, for: document)
        let list = try drawnList(&document, options, images)
        return (list, images, try makeContext().fonts)
    }

    /// Paints the document on the renderer's canvas.
    package func paint(_ document: inout Document, _ options: RenderOptions) throws(RenderError) {
        try timed(&document) { document throws(RenderError) in
            try options.validate()
            try setViewport(of: &document, options)
            let images = makeImageStore(options, for: document)
            let list = try drawnList(&document, options, images)
            try paint(list, options, images, limits: document.parser.syntax.limits)
            document.reportFailures(of: images)
        }
    }

    /// The display list of the document.
    package func displayList(_ document: inout Document, _ options: RenderOptions) throws(RenderError) -> DisplayList {
        try timed(&document) { document throws(RenderError) in
            try options.validate()
            try setViewport(of: &document, options)
            let images = makeImageStore(options, for: document)
            let list = try drawnList(&document, options, images)
            document.reportFailures(of: images)
            return list
        }
    }

    /// The display list with the lambdas' drawings in `images`.
    private func drawnList(_ document: inout Document, _ options: RenderOptions, _ images: ImageStore)
        throws(RenderError) -> DisplayList
    {
        document.reportUnfilled(options.lambdas)
        guard !options.lambdas.isEmpty else {
            return try displayList(&document, document.styledContents(), options, images)
        }
        var resolver = LambdaResolver(renderer: self, options: options, images: images)
        try resolver.measure(&document)
        var list = try displayList(&document, document.styledContents(), options, images)
        try resolver.draw(&list, of: &document)
        return list
    }

    package func layoutTree(_ document: inout Document, _ options: RenderOptions) throws(RenderError) -> LayoutTree {
        try timed(&document) { document throws(RenderError) in
            try options.validate()
            try setViewport(of: &document, options)
            let images = makeImageStore(options, for: document)
            let tree = try layoutTree(&document, options, images)
            document.reportFailures(of: images)
            return tree
        }
    }

    private func layoutTree(_ document: inout Document, _ options: RenderOptions, _ images: ImageStore)
        throws(RenderError) -> LayoutTree
    {
        document.reportUnfilled(options.lambdas)
        if !options.lambdas.isEmpty {
            var resolver = LambdaResolver(renderer: self, options: options, images: images)
            try resolver.measure(&document)
        }
        return try layout(&document, document.styledContents(), options, images)
    }

    /// The links of the document's picture as an HTML image map: an `<img>` and a `<map>` with an area for each box of
    /// a link.
    ///
    /// - Parameter picture: The source of the `<img>`.
    /// - Throws: ``RenderError``.
    public func imageMap(
        _ document: inout Document, _ options: RenderOptions = RenderOptions(), picture: String
    ) throws(RenderError) -> [UInt8] {
        let tree = try layoutTree(&document, options)
        let links = tree.links(in: document.styledContents())
        func area(_ link: PlacedLink) -> LinkArea? {
            guard let target = LinkDestination.offered(link.href) else { return nil }
            let source = link.isInTail ? tree.tailTree ?? document.tree : document.tree
            let words = String(decoding: source.textContent(link.element), as: UTF8.self).split { $0.isWhitespace }
            return LinkArea(target: target, boxes: link.boxes, text: words.joined(separator: " "))
        }
        // The first of overlapping areas is used, and a tail is inside of the link that the text before it ends in.
        let areas = links.filter(\.isInTail).compactMap(area) + links.filter { !$0.isInTail }.compactMap(area)
        return ImageMapWriter.write(areas, picture: picture, size: tree.size)
    }

    func displayList(
        _ document: inout Document, _ text: FancyTextBoxes.StyledText, _ options: RenderOptions, _ images: ImageStore
    ) throws(RenderError) -> DisplayList {
        let tree = try layout(&document, text, options, images)
        guard let fonts = context?.fonts else { return DisplayList(size: tree.size, background: .white) }
        var list = DisplayListBuilder.build(
            tree, text: text, fonts: fonts, images: images, background: options.background ?? .white,
            canvasElements: document.canvasElements, scale: options.deviceScale, keepsText: keepsText)
        if list.omittedLayers > 0 {
            document.diagnostics.report(
                Diagnostic(
                    .warning, .layersLeftOut,
                    "\(list.omittedLayers) of the lowest background layers are left out: they would take too long to paint"
                ))
        }
        if options.outlinesBoxes { list.outline(tree.elementBoxes(in: text)) }
        list.destinations = Self.destinations(of: list.links, in: document, tree, text)
        return list
    }

    /// The destinations of links to elements of the document (HTML §7.4.6.4: by `id`, otherwise by an anchor's name).
    private static func destinations(
        of links: [DisplayLink], in document: Document, _ layout: LayoutTree, _ text: FancyTextBoxes.StyledText
    ) -> [DisplayDestination] {
        let names = Set(links.compactMap { $0.target.hasPrefix("#") ? String($0.target.dropFirst()) : nil })
        guard !names.isEmpty else { return [] }
        let tree = document.tree
        var elements: [NodeID: String] = [:]
        for name in names {
            let decoded = String(decoding: DataURI.percentDecoded(name.utf8), as: UTF8.self)
            if let node = (tree.nodes(withID: name) + tree.nodes(withID: decoded)).first { elements[node] = name }
        }
        var result: [DisplayDestination] = []
        for box in layout.elementBoxes(in: text) {
            guard let name = elements.removeValue(forKey: box.element) else { continue }
            result.append(DisplayDestination(name: name, place: Point(x: box.rect.x, y: box.rect.y)))
        }
        return result.sorted { $0.name < $1.name }
    }

    func paint(
        _ list: DisplayList, _ options: RenderOptions, _ images: ImageStore, limits: Limits
    ) throws(RenderError) {
        var paintOptions = try checkedSize(of: list, options, limits: limits).options
        let fonts = try makeContext().fonts
        var pictures = images
        paintOptions.meter = images.meter
        painter.paint(list, fonts: fonts, pictures: &pictures, options: paintOptions, into: canvas)
        try Self.check(images.meter)
    }

    /// The size of a list's picture in pixels, and its painting options.
    private func checkedSize(
        of list: DisplayList, _ options: RenderOptions, limits: Limits
    ) throws(RenderError) -> (size: (width: Int, height: Int), options: PaintOptions) {
        let scale = options.deviceScale
        let (width, height) = Painter.pixelSize(of: list, scale: scale)
        guard width <= limits.pixels / height else {
            throw .tooManyPixels(width: width, height: height, limit: limits.pixels)
        }
        var paintOptions = PaintOptions(scale: scale)
        paintOptions.textContrast.gamma = options.gamma
        return ((width, height), paintOptions)
    }

    func makeImageStore(_ options: RenderOptions, for document: Document) -> ImageStore {
        let limits = document.parser.syntax.limits
        var storeOptions = ImageStore.Options(baseDirectory: options.baseFolder)
        storeOptions.folder = options.documentFolder
        storeOptions.limits = limits
        storeOptions.pictures = document.pictures
        storeOptions.load = document.parser.imageLoader
        storeOptions.reads = options.reads
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

    // MARK: Layout

    package func layout(
        _ document: inout Document, _ text: FancyTextBoxes.StyledText, _ options: RenderOptions, _ images: ImageStore
    ) throws(RenderError) -> LayoutTree {
        try check(document)
        var context = try makeContext()
        if !text.text.isEmpty {
            do { try context.fonts.checkShaper() } catch { throw RenderError.font(error.description) }
        }
        for face in document.fontFaces() {
            register(face, files: images, in: context.fonts, of: &document)
        }
        defer { context.fonts.removeRegisteredFaces() }
        images.fetchAhead(text.replaced.map(\.source))
        try Self.check(images.meter)
        let layoutOptions = try layoutOptions(options, document: &document, text: text)
        let text = options.padding != nil && !document.isDocument ? withoutImpliedMargin(text) : text
        let tree = FancyTextLayout.layout(text, options: layoutOptions, replacedSizes: images, context: &context)
        if let element = context.leftOut {
            context.leftOut = nil
            document.diagnostics.report(
                Diagnostic(
                    .warning, .boxesTooDeep,
                    "boxes are nested more than \(layoutOptions.depthLimit) deep; the deeper ones are left out",
                    at: document.tree.location(element)))
        }
        document.reportMissing(from: context.fonts, text, tree)
        document.reportOverflow(text, tree)
        if let message = Diagnostic(tree.tailFallback) { document.diagnostics.report(message) }
        return tree
    }

    /// A snippet is inside an implied body, whose default margin is replaced by a requested padding.
    private func withoutImpliedMargin(_ text: FancyTextBoxes.StyledText) -> FancyTextBoxes.StyledText {
        let root = text.styles[.root]
        guard root.box.margin == Sides(LengthPercentage(px: 8)) else { return text }
        if marginless?.of !== root {
            var box = root.box
            box.margin = Sides(.zero)
            marginless = (root, ComputedStyle(font: root.font, text: root.text, box: box))
        }
        var result = text
        if let marginless { result.styles.replaceRoot(marginless.style) }
        return result
    }

    /// Passes a document's font to the shaper; its files are read under the same rules as pictures.
    private func register(
        _ face: FancyTextStyling.FontFaceRule, files: ImageStore, in fonts: FontContext, of document: inout Document
    ) {
        var isReported = false
        var sources: [FancyTextTypography.FontFaceRule.Source] = []
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
                } catch {
                    document.reportFont(face, of: url, "\(url): \(error)")
                    isReported = true
                }
            }
        }
        let rule = FancyTextTypography.FontFaceRule(
            family: face.family, sources: sources, weights: face.weight, stretches: face.stretch,
            isItalic: face.isItalic,
            ranges: face.unicodeRanges)
        do throws(FontProblem) {
            try fonts.register(rule)
        } catch {
            if !isReported { document.reportFont(face, of: face.family, error.description) }
        }
    }

    private func layoutOptions(
        _ options: RenderOptions, document: inout Document, text: FancyTextBoxes.StyledText
    ) throws(RenderError) -> LayoutOptions {
        var result = LayoutOptions()
        if case .pixels(let width) = options.width { result.width = width }
        if case .pixels(let height) = options.height { result.height = height }
        result.deviceScale = Float(options.scale)
        result.padding = options.padding ?? 0
        switch options.verticalAlignment {
        case .top: result.verticalAlignment = .top
        case .middle: result.verticalAlignment = .center
        case .bottom: result.verticalAlignment = .bottom
        }
        if let sizes = options.fitLines {
            result.fitLines = TextStyle.FitLines(minimumSize: sizes.lowerBound, maximumSize: sizes.upperBound)
        }
        result.maxLines = options.maximumLines
        if options.maximumHeight > 0 { result.maxHeight = options.maximumHeight }
        if let ellipsis = options.ellipsis {
            var tail = document.snippetParser.parse(ellipsis)
            result.tail = tail.styledContents()
            result.tailTree = tail.tree
        }
        result.depthLimit = document.parser.syntax.limits.layoutDepth
        if let mode = Self.truncateMode(of: document, text) { result.truncateMode = mode }
        return result
    }

    /// The truncation mode of the canvas: that of the root element or the body.
    private static func truncateMode(
        of document: Document, _ text: FancyTextBoxes.StyledText
    ) -> BoxStyle.TruncateMode? {
        let elements = document.canvasElements
        for box in text.boxes.prefix(8) where box.parent < 0 || elements.contains(box.element) {
            if let mode = text.styles[box.style].box.truncateMode { return mode }
        }
        return nil
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
            try json(&document, options, content: content, hasSource: true)
        }
    }

    /// - Parameter hasSource: Whether runs have positions in the source.
    func json(
        _ document: inout Document, _ options: RenderOptions, content: JSONContent, hasSource: Bool
    ) throws(RenderError) -> [UInt8] {
        try options.validate()
        try setViewport(of: &document, options)
        let text = document.styledContents()
        guard content.hasLayout else {
            var shown = try truncated(document, options)
            defer { document.diagnostics = shown.diagnostics }
            return JSONWriter.write(
                shown.styledContents(), styled: shown.styled(), layout: nil, fonts: nil, content: content,
                hasSource: hasSource)
        }
        let images = makeImageStore(options, for: document)
        let layout = try layoutTree(&document, options, images)
        document.reportFailures(of: images)
        var shown = document
        if let truncation = layout.truncation {
            shown = document.truncated(truncation, of: text, ellipsis: options.ellipsis)
        }
        return JSONWriter.write(
            shown.styledContents(), placed: text, styled: shown.styled(), layout: layout, fonts: context?.fonts,
            content: content, hasSource: hasSource)
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
                document.forgetUnfinished()
                document.diagnostics.report(Diagnostic(stop, seconds: seconds))
            }
            return bytes
        }
    }

    func writeANSI(_ document: inout Document, _ options: RenderOptions, _ terminal: ANSIOptions) -> [UInt8] {
        setViewport(of: &document, options, in: terminal)
        let images =
            terminal.images == .none ? nil : makeImageStore(options, for: document)
        let text = document.styledContents()
        var writer = TerminalWriter(
            text, tree: document.tree, options: terminal, limits: document.parser.syntax.limits, pictures: images)
        writer.background = options.background
        writer.padding = options.padding ?? 0
        if let base = document.base(below: terminal.base) {
            writer.resolveLink = { URLReference.resolve($0, against: base) }
        }
        var limit = options.maximumLines
        if options.maximumHeight > 0 {
            let lines = max(1, Int(bounded: options.maximumHeight / terminal.cellHeight))
            limit = limit > 0 ? min(limit, lines) : lines
        }
        if limit > 0 {
            var tail = options.ellipsis.map { document.snippetParser.parse($0) }
            let contents = tail?.styledContents()
            writer.truncate(
                to: limit, mode: Self.truncateMode(of: document, text) ?? .tail,
                tail: contents.flatMap { contents in tail.map { (contents, $0.tree) } })
        }
        defer {
            if let images {
                document.reportFailures(of: images)
                if let budget = images.meter.exceeded {
                    document.diagnostics.report(Diagnostic(budget, limit: images.meter.limits[budget]))
                }
            }
        }
        return writer.write(&terminalContext, canvas: document.canvasElements, log: &document.diagnostics)
    }

    /// The available font families, and the versions of the libraries that draw them, as text or as JSON.
    public func fontList(asJSON: Bool) throws(RenderError) -> [UInt8] {
        FontListWriter.write(
            try makeContext().fonts.families(), libraries: FontContext.libraryListing(), asJSON: asJSON)
    }

    // MARK: Stages

    /// The result of a stage of the pipeline.
    package func dump(
        _ document: inout Document, stage: DumpStage, asJSON: Bool, _ options: RenderOptions
    ) throws(RenderError) -> [UInt8] {
        try timed(&document) { document throws(RenderError) in
            try writeDump(&document, stage: stage, asJSON: asJSON, options)
        }
    }

    private func writeDump(
        _ document: inout Document, stage: DumpStage, asJSON: Bool, _ options: RenderOptions
    ) throws(RenderError) -> [UInt8] {
        try setViewport(of: &document, options)
        guard !asJSON else { return try jsonDump(&document, stage: stage, options) }
        let text =
            switch stage {
            case .tokens: TokenDump.text(document.tree.source)
            case .normalized: TreeDump.normalized(document.tree)
            case .tree: TreeDump.tree(document.tree)
            case .styles: document.styled().dump()
            case .text: document.styledContents().dump(document.tree)
            case .layout: try layoutTree(&document, options).dump(text: document.styledContents())
            case .display: try displayList(&document, options).dump()
            }
        return Array(text.utf8)
    }

    private func jsonDump(
        _ document: inout Document, stage: DumpStage, _ options: RenderOptions
    ) throws(RenderError) -> [UInt8] {
        switch stage {
        case .tokens: StageJSON.tokens(document.tree.source)
        case .normalized: StageJSON.normalized(document.tree)
        case .tree: document.json(of: document.tree.root) + [0x0A]
        case .styles: StageJSON.styles(document.styled())
        case .text: StageJSON.text(document.styledContents(), document.tree)
        case .layout: StageJSON.layout(try layoutTree(&document, options))
        case .display: StageJSON.display(try displayList(&document, options))
        }
    }
}

/// The stages that can be printed.
public enum DumpStage: String, CaseIterable, Sendable {
    case tokens, normalized, tree, styles, text, layout, display
}
