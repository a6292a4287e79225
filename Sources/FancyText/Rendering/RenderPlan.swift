// One rendering of a document: the options, resolved once, from which every output is made. In: a document, options and the
// medium. Out: a layout tree, and of that a display list. Pictures, vector files, JSON, image maps and terminals read these;
// none of them styles or lays out by itself.

import FancyTextBoxes
import FancyTextDisplay
import FancyTextImages
import FancyTextLayout
import FancyTextMarkup
import FancyTextPainting

/// The viewport, resources, contents and limits of one rendering.
struct RenderPlan {
    enum Medium {
        /// Pixels; with `keepsText`, the display list tells what its glyphs say.
        case picture(keepsText: Bool)
        /// Pages, whose width within the margins is the canvas's.
        case pages(PageSetup)
        case terminal(ANSIOptions)
    }

    let renderer: Renderer
    let options: RenderOptions
    let keepsText: Bool
    let images: ImageStore
    /// The document's contents with the styles of the viewport.
    private(set) var text: BoxTree
    /// Sizes and truncation.
    private(set) var layout: LayoutOptions
    /// The pages; nil for one canvas.
    private var pages: PageSetup?

    /// Resolves the document's styles for the medium.
    ///
    /// - Throws: ``RenderError``; never for a terminal.
    init(
        _ document: inout Document, _ options: RenderOptions, for medium: Medium = .picture(keepsText: false),
        isForLayout: Bool = true, by renderer: Renderer
    ) throws(RenderError) {
        self.renderer = renderer
        var options = options
        document.isForLayout = isForLayout
        document.references.isPaged = if case .pages = medium { true } else { false }
        var keepsText = true
        images = renderer.makeImageStore(options, for: document)
        switch medium {
        case .picture(let keeps): keepsText = keeps
        case .pages(let setup):
            var area = setup.areas.size(.usual)
            area.height = setup.areas.size(PageKind(number: 0)).height
            (options.width, options.height, options.padding) = (.pixels(area.width), .auto, 0)
            options.viewport = options.viewport ?? Viewport(width: area.width, height: area.height)
            options.medium = options.medium ?? .print
            pages = setup
        case .terminal(let terminal):
            document.setViewport(
                options.viewport(in: terminal), scale: options.deviceScale, hasVerticalLines: false,
                medium: options.medium)
            // A cell is as wide in every font.
            Self.settle(&document) { font in
                FontRatios(ex: 0.5, ch: Double(terminal.cellWidth / font.size), cap: 0.7)
            } sizes: { [images] document in
                let text = document.styledContents()
                let layout = Self.layout(options, &document, text, lineHeight: terminal.cellHeight)
                var writer = TerminalWriter(
                    text, tree: document.tree, options: terminal, layout: layout,
                    limits: document.parser.syntax.limits, pictures: images)
                writer.padding = options.padding ?? 0
                return writer.containerSizes(&renderer.terminalContext)
            }
            (self.options, self.keepsText, text) = (options, false, document.styledContents())
            layout = Self.layout(options, &document, text, lineHeight: terminal.cellHeight)
            return
        }
        try options.validate()
        document.setViewport(options.viewport(), scale: options.deviceScale, isPicture: true, medium: options.medium)
        if document.resolver.options.media.prefersDark {
            let (tree, styled) = (document.tree, document.styled())
            images.prefersDark = tree.children(tree.root).contains { styled.computed($0).isDark }
        }
        if document.usesFontUnits() || document.styled().hasContainers {
            try renderer.withLayoutContext(of: &document, images) { [images] context, document in
                let fonts = context.fonts
                Self.settle(&document) { font in
                    let metrics = fonts.metrics(fonts.intern(font))
                    func ratio(_ length: Float) -> Double { Double(length / font.size) }
                    return FontRatios(
                        ex: ratio(metrics.xHeight), ch: ratio(metrics.zeroAdvance), cap: ratio(metrics.capHeight),
                        uprightCh: ratio(fonts.height(of: "0", chain: fonts.intern(font))))
                } sizes: { document in
                    let contents = document.styledContents()
                    let text = renderer.placed(contents, of: document, options)
                    let layout = Self.layout(options, &document, contents, lineHeight: nil)
                    return FancyTextLayout.layout(text, options: layout, replacedSizes: images, context: &context)
                        .containerSizes(in: text)
                }
            }
        }
        // Fonts are numbered in the order of the document.
        let formulaFonts = document.styledContents().formulaFonts.sorted { $0.value < $1.value }
        if !formulaFonts.isEmpty {
            document.scriptScales = try renderer.withLayoutContext(of: &document, images) { context, _ in
                let fonts = context.fonts
                return formulaFonts.reduce(into: [:]) { scales, entry in
                    let font = entry.key
                    scales[font] = fonts.mathFont(fonts.primaryFont(fonts.intern(font))).scriptScales
                }
            }
        }
        let texts = document.styledContents().measuredTexts.sorted { $0.value < $1.value }.map(\.key)
        if !texts.isEmpty {
            document.advances = try renderer.withLayoutContext(of: &document, images) { context, _ in
                var pictures: [UInt64: GlyphPicture] = [:]
                return texts.reduce(into: [:]) { $0[$1] = context.fonts.characters(of: $1, &pictures) }
            }
        }
        let contents = document.styledContents()
        for box in contents.boxes where box.replaced >= 0 && document.tree.tag(box.element) == .object {
            let source = contents.replaced[box.replaced].source
            if images.intrinsicSize(of: source, isLambda: false) == nil {
                document.references.brokenObjects.insert(box.element)
            }
        }
        (self.options, self.keepsText, text) = (options, keepsText, document.styledContents())
        layout = Self.layout(options, &document, text, lineHeight: nil)
        layout.pages = pages?.areas
        if pages != nil, text.pageNotes.contains(where: \.isReference) { try settlePages(&document) }
    }

    /// Lays the document out until its content tells the pages that it is on.
    private mutating func settlePages(_ document: inout Document) throws(RenderError) {
        for _ in 0..<Self.mostLayouts {
            let tree = try renderer.withLayoutContext(of: &document, images) { context, document in
                laidOut(document, &context)
            }
            let (pages, counters) = (pagesOfNotes(in: tree), counters(in: tree))
            var references = document.references
            references.pageCount = tree.pages.count
            references.pages = Dictionary(
                pages.filter { $0.note.isReference }.map { ($0.note.element, counters[$0.page]["page"] ?? 0) },
                uniquingKeysWith: { first, _ in first })
            guard references != document.references else { return }
            document.references = references
            text = document.styledContents()
        }
    }

    /// A snippet in a box of another rendering, which shares the images of that one.
    init(_ snippet: inout Document, width: Float?, height: Float?, in outer: RenderPlan) {
        var options = RenderOptions()
        (options.width, options.height) = (width.map { .pixels($0) } ?? .auto, height.map { .pixels($0) } ?? .auto)
        (options.padding, options.background) = (0, .transparent)
        (renderer, images, keepsText) = (outer.renderer, outer.images, outer.keepsText)
        (self.options, text) = (options, snippet.snippetContents())
        layout = Self.layout(options, &snippet, text, lineHeight: nil)
    }

    /// Resolves the styles that depend on fonts and on the sizes of query containers. A layout gives the sizes of the containers
    /// that are in no other one without a size, so the number of layouts limits how deep containers may be nested.
    private static func settle(
        _ document: inout Document, ratios: (FontStyle) -> FontRatios,
        sizes: (inout Document) -> [NodeID: ContainerSize]
    ) {
        for _ in 0..<mostLayouts {
            // A size in units of a font makes another font, with units of its own.
            for _ in 0..<3 where document.usesFontUnits() {
                var units = FontUnits()
                for font in document.styled().fontsOfUnits where font.size > 0 { units[font] = ratios(font) }
                document.setFontUnits(units)
            }
            guard document.styled().hasContainers, case let found = sizes(&document), found != document.containerSizes
            else { return }
            document.forgetStyles()
            document.containerSizes = found
        }
    }

    private static let mostLayouts = 8

    /// - Parameter lineHeight: of a terminal, in CSS pixels, where the screen has no sizes but its width.
    private static func layout(
        _ options: RenderOptions, _ document: inout Document, _ text: BoxTree, lineHeight: Float?
    ) -> LayoutOptions {
        var result = LayoutOptions()
        result.maxLines = options.maximumLines
        if let lineHeight {
            if options.maximumHeight > 0 {
                let lines = max(1, Int(bounded: options.maximumHeight / lineHeight))
                result.maxLines = result.maxLines > 0 ? min(result.maxLines, lines) : lines
            }
        } else {
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
            if options.maximumHeight > 0 { result.maxHeight = options.maximumHeight }
        }
        if let ellipsis = options.ellipsis {
            var tail = document.snippetParser.parse(ellipsis)
            result.tail = tail.styledContents()
            result.tailTree = tail.tree
        }
        result.depthLimit = document.parser.syntax.limits.layoutDepth
        // The canvas truncates as the root element or the body says.
        let elements = document.canvasElements
        let modes = text.boxes.prefix(8).lazy.filter { $0.parent < 0 || elements.contains($0.element) }
            .compactMap { text.styles[$0.style].box.truncateMode }
        result.truncateMode = modes.first ?? result.truncateMode
        return result
    }

    /// Returns the contents, and keeps none of them in the plan and the document: an output with a tree of its own needs no other.
    mutating func takeText(of document: inout Document) -> BoxTree {
        document.boxes = nil
        defer { text = BoxTree(styles: text.styles) }
        return text
    }

    /// The document laid out, with the lambdas' sizes.
    func layoutTree(of document: inout Document) throws(RenderError) -> LayoutTree {
        _ = try measuredLambdas(of: &document)
        return try layOut(&document)
    }

    /// The layout once the sizes of lambdas are known.
    func layOut(_ document: inout Document) throws(RenderError) -> LayoutTree {
        try document.checkBudgets()
        return try renderer.withLayoutContext(of: &document, images) { context, document throws(RenderError) in
            if !text.text.isEmpty {
                do throws(FontError) { try context.fonts.checkShaper() } catch { throw .font(error.description) }
            }
            images.fetchAhead(text.replaced.map(\.source))
            try Renderer.check(images.meter)
            let tree = laidOut(document, &context)
            if let element = context.leftOut {
                context.leftOut = nil
                document.diagnostics.warn(
                    .boxesTooDeep, "boxes are nested more than \(layout.depthLimit) deep; the deeper ones are left out",
                    at: document.tree.location(element))
            }
            if tree.exceedsPages {
                document.diagnostics.warn(
                    .tooManyPages,
                    "the document takes more than \(LayoutTree.mostPages) pages, or breaks too many boxes: the last page has "
                        + "all that is left; render parts of the document, or larger pages (--page)")
            }
            document.reportMissing(from: context.fonts, text, tree)
            document.reportOverflow(text, tree)
            if let message = Diagnostic(tree.tailFallback) { document.diagnostics.report(message) }
            return tree
        }
    }

    private func laidOut(_ document: Document, _ context: inout LayoutContext) -> LayoutTree {
        let text = renderer.placed(text, of: document, options)
        let tree = FancyTextLayout.layout(text, options: layout, replacedSizes: images, context: &context)
        guard let pages, pages.widen(to: tree.contentWidth) else { return tree }
        var wider = layout
        (wider.pages, wider.width) = (pages.areas, pages.areas.size(.usual).width)
        return FancyTextLayout.layout(text, options: wider, replacedSizes: images, context: &context)
    }

    /// The display list, with the lambdas' drawings among the images.
    func displayList(of document: inout Document) throws(RenderError) -> DisplayList {
        var resolver = try measuredLambdas(of: &document)
        var list = try list(&document)
        if options.background?.alpha ?? 0 > 0, list.canvasColor?.alpha == 255 {
            let reason = "--background has no effect: the page has an opaque background, or a dark color-scheme"
            document.diagnostics.report(
                Diagnostic(.note, .ignoredOption, reason + "; --style 'html { background: … }' replaces it"))
        }
        try resolver?.draw(&list, of: &document)
        resolveLinks(of: &list, in: document)
        return list
    }

    private func resolveLinks(of list: inout DisplayList, in document: Document) {
        guard !list.links.isEmpty else { return }
        let resolve = linkResolver(for: list.links.count, in: document)
        for link in list.links.indices { list.links[link].target = resolve(list.links[link].target) ?? "" }
    }

    /// A function that makes the targets of links absolute; `nil` for those that get another scheme from the base than outputs
    /// offer.
    func linkResolver(for count: Int, in document: Document) -> (String) -> String? {
        guard let base = document.base(below: options.linkBase ?? options.baseURL) else { return { $0 } }
        // A long base costs its length for each link.
        let cost = base.utf8.count < 1024 ? 0 : base.utf8.count * count
        guard images.meter.spend(cost, of: .generatedText, besides: 4 * document.tree.source.count)
        else { return { _ in nil } }
        return { $0.hasPrefix("#") ? $0 : LinkDestination.offered(URLReference.resolve($0, against: base)) }
    }

    private func measuredLambdas(of document: inout Document) throws(RenderError) -> LambdaResolver? {
        document.reportUnfilled(options.lambdas)
        guard !options.lambdas.isEmpty else { return nil }
        var resolver = LambdaResolver(self)
        try resolver.measure(&document)
        return resolver
    }

    /// The display list once the sizes of lambdas are known, without their drawings.
    func list(_ document: inout Document) throws(RenderError) -> DisplayList {
        let tree = try layOut(&document)
        var list = DisplayListBuilder.build(
            tree, text: text, fonts: try renderer.fonts, images: images, background: options.background ?? .white,
            canvasElements: document.canvasElements, scale: options.deviceScale, keepsText: keepsText)
        if list.omittedLayers > 0 {
            document.diagnostics.warn(
                .layersLeftOut,
                "\(list.omittedLayers) of the lowest background layers are left out: they would take too long to paint")
        }
        let cut = options.width == .auto ? list.visibleOverflow(beyond: 8, try renderer.fonts, images) : 0
        if cut > 1 {
            document.diagnostics.warn(
                .clippedText, "up to \(cut) CSS pixels beside the content are cut off; --padding shows them")
        }
        if !document.diagnostics.contains(where: { $0.code == .clippedText }), list.isBesideCanvas(try renderer.fonts) {
            document.diagnostics.warn(.clippedText, "all of the content is outside of the canvas")
        }
        if options.outlinesBoxes { list.outline(tree.elementBoxes(in: text)) }
        list.destinations = destinations(of: list.links, in: document, tree)
        if keepsText { list.destinations += PDFBookmarks.all(tree, text, document.tree) }
        list.pages = tree.pages.map { ($0.top.float, $0.height.float, $0.name, $0.isBlank) }
        guard !tree.pages.isEmpty else { return list }
        list.pageCounters = counters(in: tree)
        list.strings = pagesOfNotes(in: tree).compactMap { note, page, y in
            guard case .string(let name, let value) = note.kind else { return nil }
            return (name, value, page, isAtTop: y - tree.pages[page].top.float < 1)
        }
        return list
    }

    /// The notes of elements on pages, with the pages on which the elements begin and their tops.
    private func pagesOfNotes(in layout: LayoutTree) -> [(note: PageNote, page: Int, y: Float)] {
        guard !text.pageNotes.isEmpty else { return [] }
        var places: [NodeID: Float] = [:]
        for box in layout.elementBoxes(in: text) where places[box.element] == nil { places[box.element] = box.rect.y }
        return text.pageNotes.compactMap { note in
            guard let y = places[note.element] else { return nil }
            return (note, max(0, layout.pages.partitioningIndex { $0.top.float > y } - 1), y)
        }
    }

    /// The values of the counters of pages, on each page (CSS Paged Media 3 §6.1): each page adds one to `page`, unless its
    /// rules say otherwise, and an element may set it for its page.
    private func counters(in layout: LayoutTree) -> [[String: Int]] {
        guard let pages else { return [] }
        var changes: [Int: [PageNote.Kind]] = [:]
        for (note, page, _) in pagesOfNotes(in: layout) { changes[page, default: []].append(note.kind) }
        var values = ["page": 0]
        return layout.pages.indices.map { number in
            let page = layout.pages[number]
            let own = pages.geometry(PageKind(number: number, name: page.name, isBlank: page.isBlank)).counters
            for change in own.resets { values[change.name] = change.value }
            if !own.increments.contains(where: { $0.name == "page" }) { values["page", default: 0] &+= 1 }
            for change in own.increments { values[change.name, default: 0] &+= change.value }
            for case .counter(let value, let adds) in changes[number] ?? [] {
                values["page"] = adds ? (values["page"] ?? 0) &+ value : value
            }
            values["pages"] = layout.pages.count
            return values
        }
    }

    /// The destinations of links to elements of the document itself (HTML §7.4.6.4: by `id`, else by an anchor's name),
    /// or to its top.
    private func destinations(
        of links: [DisplayLink], in document: Document, _ layout: LayoutTree
    ) -> [DisplayDestination] {
        let names = Set(links.compactMap { $0.target.hasPrefix("#") ? String($0.target.dropFirst()) : nil })
        guard !names.isEmpty else { return [] }
        let tree = document.tree
        var elements: [NodeID: String] = [:]
        for name in names {
            let decoded = String(decoding: DataURI.percentDecoded(name.utf8), as: UTF8.self)
            if let node = (tree.nodes(withID: name) + tree.nodes(withID: decoded)).first { elements[node] = name }
        }
        let tops = names.subtracting(elements.values).filter { $0.isEmpty || $0.lowercased() == "top" }
        let places = layout.elementBoxes(in: text).compactMap { box in
            elements.removeValue(forKey: box.element).map {
                DisplayDestination(name: $0, place: Point(x: box.rect.x, y: box.rect.y))
            }
        }
        return (places + tops.map { DisplayDestination(name: $0, place: .zero) }).sorted { $0.name < $1.name }
    }
}

extension PageNote {
    fileprivate var isReference: Bool { if case .reference = kind { true } else { false } }
}

extension FontContext {
    /// The characters of a text; the advance and shape of a ligature belong to its first one.
    fileprivate func characters(
        of text: MeasuredText, _ pictures: inout [UInt64: GlyphPicture]
    ) -> [MeasuredCharacter] {
        let (string, bytes) = (text.text, Array(text.text.utf8))
        let isEmoji = string.map(\.isEmoji)
        let starts = string.indices.map { string.utf8.distance(from: string.startIndex, to: $0) }
        var shaped = ShapedText()
        let span = ShapingSpan(
            range: 0..<bytes.count, style: StyleID(rawValue: 0), font: intern(text.font),
            letterSpacing: text.letterSpacing, wordSpacing: text.wordSpacing)
        bytes.withUnsafeBufferPointer {
            shape(
                $0, paragraph: 0..<bytes.count, spans: [span], levels: [BidiRun(range: 0..<bytes.count, level: 0)],
                into: &shaped)
        }
        func index(_ glyph: ShapedGlyph) -> Int { max(0, starts.partitioningIndex { $0 > Int(glyph.cluster) } - 1) }
        // The parts of a ligature are no letters.
        let isOutlined = text.isOutlined || Set(shaped.glyphs.map(index)).count < starts.count
        var result = Array(repeating: MeasuredCharacter(outline: isOutlined ? "" : nil), count: starts.count)
        for run in shaped.runs where !result.isEmpty {
            for glyph in shaped.glyphs[run.glyphs] {
                let index = index(glyph)
                if isOutlined {
                    let move = Transform(x: result[index].advance + glyph.xOffset, y: .zero - glyph.yOffset)
                    let path = glyphOutline(run.font, glyph.id).transformed(move)
                    result[index].outline = (result[index].outline ?? "") + PathData.text(of: path)
                }
                if isEmoji[index] {
                    result[index].picture = result[index].picture ?? picture(ofGlyph: glyph.id, run.font, &pictures)
                }
                result[index].advance += glyph.advance
            }
        }
        return result
    }

    /// The picture of a coloured glyph in about the resolution of emoji fonts; nil for other glyphs.
    private func picture(
        ofGlyph glyph: UInt32, _ font: FontID, _ known: inout [UInt64: GlyphPicture]
    ) -> GlyphPicture? {
        let scale = 128 / max(1, size(of: font))
        let key = UInt64(font.rawValue) << 32 | UInt64(glyph)
        if let picture = known[key] { return picture }
        guard known.count < Self.mostPictures,
            let mask = picture(GlyphKey(font: font, glyph: glyph, scale: scale)), mask.isColor,
            let file = try? PNGEncoder().encode(mask.pixmap(opacity: 255))
        else { return nil }
        func length(_ pixels: Int) -> Float { Float(pixels) / scale }
        let made = GlyphPicture(
            number: known.count, uri: "data:image/png;base64," + String(decoding: Base64.encode(file), as: UTF8.self),
            area: Rect(
                x: length(mask.left), y: length(-mask.top), width: length(mask.width), height: length(mask.height)))
        known[key] = made
        return made
    }

    /// The most different pictures of glyphs in the inline pictures of a document, which bounds their size.
    private static var mostPictures: Int { 256 }
}
