// A parsed document: a value that can be edited, selected from, and turned into text.

import FancyTextBoxes
import FancyTextMarkup

/// A parsed document with the parser's styles.
///
/// Edits change the tree without parsing it again; the next rendering resolves its styles. A document is a value: copies share
/// their storage until one of them is edited.
public struct Document: Sendable {
    package internal(set) var tree: MarkupTree
    package let parser: MarkupParser
    /// The messages of parsing and of all renderings until now.
    public package(set) var diagnostics: DiagnosticLog
    /// Resolves styles for the viewport that the document was rendered for last.
    private(set) var resolver: MarkupStyleResolver
    /// The styled tree; nil before the first rendering and after an edit.
    var styledTree: StyledTree?
    /// The tree with only the styles that its text depends on.
    var textTree: StyledTree?
    var boxes: BoxTree?
    /// The sizes of query containers in the document's latest layout.
    var containerSizes: [NodeID: ContainerSize] = [:]
    /// The bytes of images that were loaded before rendering, by their sources.
    var pictures: [String: [UInt8]] = [:]
    /// The contents that have sheets of their own in pictures.
    var contents: MediaEnvironment.Contents = []
    /// The nodes that ``keepOnly(_:)`` shows; nil shows all. They stay the same through edits.
    private var kept: [NodeHandle]?
    /// The sizes of scripts in fonts that have a MATH table.
    var scriptScales: [FontStyle: ScriptScales] = [:] {
        didSet { if scriptScales != oldValue { boxes = nil } }
    }
    /// The advances of the characters of texts in pictures.
    var advances: [MeasuredText: [MeasuredCharacter]] = [:] {
        didSet { if advances != oldValue { boxes = nil } }
    }
    /// The facts that content gives about pages and other elements.
    var references = ContentReferences() {
        didSet { if references != oldValue { boxes = nil } }
    }
    /// True if `boxes` are for a layout: formulas in them are not lines of text.
    var isForLayout = false {
        didSet { if isForLayout != oldValue, boxes?.differsInLayout == true { boxes = nil } }
    }
    /// The reason why parsing stopped before the end of the source.
    var stop: WorkClock.Stop?
    /// False if the source was written for styled text: runs in JSON have no positions in it.
    var hasSource = true

    package init(tree: MarkupTree, parser: MarkupParser, diagnostics: DiagnosticLog) {
        (self.tree, self.parser) = (tree, parser)
        resolver = parser.resolver
        if parser.readsMarkdown {
            contents = .markdown
        } else if DocumentCheck.isNamed(tree.sourceName, [".svg"]) {
            contents = .drawing
        }
        self.diagnostics = diagnostics
        self.diagnostics.merge(parser.diagnostics)
    }

    /// The tree with a computed style for each element; resolved on first use.
    package mutating func styled() -> StyledTree {
        if let styledTree { return styledTree }
        let styled = resolver.resolve(tree, containerSizes: containerSizes, log: &diagnostics)
        styledTree = styled
        return styled
    }

    /// Sets the viewport that styles are resolved for; pictures have the media of ``Preset/document`` and code themes.
    package mutating func setViewport(
        _ viewport: Viewport, scale: Float, hasVerticalLines: Bool = true, isPicture: Bool = false,
        medium: Medium? = nil
    ) {
        var media = resolver.options.media
        media.type = (medium ?? .screen).rawValue
        let isMarkdown = contents.contains(.markdown)
        media.contents = isPicture ? contents : isMarkdown && !hasVerticalLines ? .markdownCells : []
        media.hasVerticalLines = hasVerticalLines
        (media.width, media.height) = (Double(viewport.width), Double(viewport.height))
        media.resolution = Double(scale)
        guard media != resolver.options.media else { return }
        media.fontUnits = FontUnits()
        setMedia(media)
    }

    mutating func setFontUnits(_ units: FontUnits) {
        var media = resolver.options.media
        media.fontUnits = units
        let sizes = containerSizes
        setMedia(media)
        containerSizes = sizes
    }

    private mutating func setMedia(_ media: MediaEnvironment) {
        guard media != resolver.options.media else { return }
        resolver = parser.resolver.resolver(for: media)
        forgetStyles()
    }

    /// The boxes and runs that all renderings read; generated on first use.
    package mutating func styledContents() -> BoxTree {
        if let boxes { return boxes }
        let nodes = kept?.compactMap { tree.node(of: $0) }
        let text = BoxGenerator.generate(
            styled(), only: nodes, isForLayout: isForLayout, scriptScales: scriptScales,
            advances: advances, references: references, limits: parser.syntax.limits, log: &diagnostics)
        boxes = text
        return text
    }

    package var mayHavePictures: Bool {
        tree.subtree(tree.root).contains {
            tree.kind($0) == .element && [.img, .svg, .object, .embed, .video, .input].contains(tree.tag($0))
        }
    }

    func pageRules() -> [PageRule] { styledTree?.pageRules ?? resolver.pageRules(of: tree) }

    package mutating func fontFaces() -> [FontFaceRule] { styledTree?.fontFaces ?? styled().fontFaces }

    /// Returns whether any length depends on font metrics.
    mutating func usesFontUnits() -> Bool { !(styledTree?.fontsOfUnits ?? styled().fontsOfUnits).isEmpty }

    /// The elements whose background covers the canvas: the root, then the body (CSS Backgrounds 3 §2.11.2).
    package var canvasElements: [NodeID] { tree.rootAndBody }

    /// The elements that a selector matches, in document order.
    package func matches(of query: SelectorQuery) -> [NodeID] {
        var matcher = SelectorMatcher(tree)
        return matcher.select(query.selectors)
    }

    package mutating func remove(matching selectors: SelectorList, writtenAs text: String) {
        var matcher = SelectorMatcher(tree)
        let nodes = matcher.select(selectors)
        if nodes.isEmpty { diagnostics.warn(.noEffect, "--remove: nothing matches '\(text)'") }
        tree.remove(nodes)
        forgetStyles()
    }

    /// Hides everything except the given elements, in document order, each with the styles that it has in the whole document.
    package mutating func keepOnly(_ nodes: [NodeID]) {
        kept = tree.handles(of: nodes)
        boxes = nil
    }

    // MARK: Text and markup

    /// The concatenated contents of all text nodes.
    public var rawText: String { plainText(PlainTextOptions(mode: .raw)) }

    /// The text that a person would read. O(n).
    public func plainText(_ options: PlainTextOptions = PlainTextOptions()) -> String {
        String(decoding: plainTextBytes(options), as: UTF8.self)
    }

    /// ``plainText(_:)`` as UTF-8.
    public func plainTextBytes(_ options: PlainTextOptions = PlainTextOptions()) -> [UInt8] {
        var copy = self
        let rest = copy.edit(by: options)
        return copy.readText(rest)
    }

    /// Applies the options that edit the document. Returns the remaining options.
    mutating func edit(by options: PlainTextOptions) -> PlainTextOptions {
        for (text, selectors) in options.removed { remove(matching: selectors, writtenAs: text) }
        if options.isMainOnly { keepMain() }
        if options.links != .none || options.base != nil { resolveURLs(against: options.base) }
        var rest = options
        (rest.removed, rest.isMainOnly, rest.base) = ([], false, nil)
        return rest
    }

    /// The text that a person would read, by options that edit nothing; its messages are in ``diagnostics``.
    package mutating func readText(_ options: PlainTextOptions = PlainTextOptions()) -> [UInt8] {
        var result = PlainText.text(
            of: tree, options, resolver: parser.resolver.forText, resolved: textTree ?? styledTree,
            limits: parser.syntax.limits, log: &diagnostics)
        // Text that is more than its bare text nodes ends with a line end.
        if options.mode != .raw, let last = result.last, last != 0x0A { result.append(0x0A) }
        return result
    }

    /// The document as well-formed HTML. O(n).
    public func html() -> String { String(decoding: htmlBytes(), as: UTF8.self) }

    /// ``html()`` as UTF-8.
    public func htmlBytes() -> [UInt8] { tree.html(tree.root, outer: false, declaresEncoding: true) }

    /// The document as CommonMark with tables and strikethrough. O(n).
    public mutating func markdown() -> String { String(decoding: markdownBytes(), as: UTF8.self) }

    /// ``markdown()`` as UTF-8.
    public mutating func markdownBytes() -> [UInt8] {
        // Markdown has no closed details and no frames, so details are opened and frames are listed.
        if let opened = Frameset.page(for: tree) ?? PlainText.opened(tree, dropsFallbacks: false) {
            var copy = with(opened)
            defer { diagnostics = copy.diagnostics }
            return copy.markdownBytes()
        }
        guard let page = PlainText.shownPage(styled(), resolver: resolver, log: &diagnostics)
        else { return keptMarkdownBytes() }
        var copy = with(page.tree)
        copy.styledTree = page
        defer { diagnostics = copy.diagnostics }
        return copy.keptMarkdownBytes()
    }

    /// The document with open `details`, because nothing can open them on paper; nil if none are closed.
    func withOpenDetails() -> Document? {
        let closed = tree.subtree(tree.root).filter { tree.tag($0) == .details && !tree.hasAttribute($0, .open) }
        var opened = tree
        for node in closed { opened.setAttribute(node, "open", "") }
        return closed.isEmpty ? nil : with(opened)
    }

    /// The document with another tree, whose styles are not known yet.
    func with(_ tree: MarkupTree) -> Document {
        var copy = self
        copy.tree = tree
        copy.forgetStyles()
        return copy
    }

    /// Text content without script, style and template.
    package func text(of node: NodeID) -> String { String(decoding: tree.textContent(node), as: UTF8.self) }

    /// The value that an output pseudo-element (`::text`, `::attr(name)`, `::html`) selects in an element; nil if there is none.
    package func output(_ output: PseudoElement, of node: NodeID) -> String? {
        switch output {
        case .text: text(of: node)
        case .ownText: tree.children(node).reduce(into: "") { if tree.kind($1) == .text { $0 += tree.text($1) } }
        case .innerText: innerText(of: node)
        case .attribute(let name): tree.attribute(node, name)
        case .html: tree.outerHTML(node)
        case .before, .after, .marker, .firstLine, .firstLetter, .other: nil
        }
    }

    /// An element's `innerText` as in a browser, with the styles that ``prepareInnerText()`` resolved.
    package func innerText(of node: NodeID) -> String {
        tree.isXML ? text(of: node) : String(decoding: textStyles.innerText(of: node), as: UTF8.self)
    }

    /// The styles that text depends on: those that ``prepareInnerText()`` resolved.
    var textStyles: StyledTree {
        var log = DiagnosticLog()
        return textTree ?? styledTree ?? parser.resolver.forText.resolve(tree, log: &log)
    }

    package func nodeCount(of node: NodeID) -> Int { Int(tree.subtreeEnd(node).index - node.index) }

    /// Resolves the styles that ``innerText(of:)`` depends on.
    package mutating func prepareInnerText() {
        guard !tree.isXML, textTree == nil, styledTree == nil else { return }
        textTree = parser.resolver.forText.resolve(tree, log: &diagnostics)
    }

    /// The nodes that ``keepOnly(_:)`` left, or all of a page without hidden contents, as Markdown.
    package mutating func keptMarkdownBytes() -> [UInt8] {
        isForLayout = false
        if boxes == nil {
            var styled = styled()
            styled.dropGeneratedCode()
            styledTree = styled
        }
        var writer = MarkdownWriter(styledContents(), tree: tree, limits: parser.syntax.limits)
        return writer.write(log: &diagnostics)
    }

    /// The base of the document's URLs: its first `base` element (HTML §4.2.3) resolved against `outer`, otherwise `outer`.
    package func base(below outer: String?) -> String? {
        for node in tree.subtree(tree.root) where tree.tag(node) == .base && !tree.isForeign(node) {
            guard !tree.ancestors(node).contains(where: { tree.tag($0) == .template }),
                let href = tree.attribute(node, .href).map(URLReference.cleaned)
            else { continue }
            return outer.map { URLReference.resolve(href, against: $0) } ?? href
        }
        return outer
    }

    /// Makes the URLs of attributes absolute, against ``base(below:)``.
    package mutating func resolveURLs(against outer: String?) {
        guard let base = base(below: outer) else { return }
        forgetStyles()
        for node in tree.subtree(tree.root) where tree.kind(node) == .element {
            for name in ["href", "src", "action", "poster", "cite", "data"] {
                guard let value = tree.attribute(node, name) else { continue }
                tree.setAttribute(node, name, URLReference.resolve(URLReference.cleaned(value), against: base))
            }
            if let value = tree.attribute(node, "srcset") {
                tree.setAttribute(node, "srcset", URLReference.resolveSourceSet(value, against: base))
            }
        }
        reportOverfull()
    }

    /// The sources of the document's images, as it has them, each once.
    public var imageSources: [String] {
        mutating get {
            let text = styledContents()
            var known: Set<String> = []
            return text.boxes.filter { $0.replaced >= 0 && $0.kind == .image }.map { text.replaced[$0.replaced].source }
                .filter { !$0.isEmpty && known.insert($0).inserted }
        }
    }

    /// Loads the document's images concurrently; later renderings use them. If `loader` returns nil for an image, the parser's
    /// loader and ``RenderOptions`` are tried.
    public mutating func loadImages(with loader: @escaping @Sendable (_ source: String) async -> [UInt8]?) async {
        let sources = imageSources
        let loaded = await withTaskGroup(of: (String, [UInt8]?).self) { group in
            for source in sources { group.addTask { (source, await loader(source)) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        pictures.merge(loaded) { $1 }
    }
}

/// A selector with its output pseudo-element (`h2::text`, `a::attr(href)`).
package struct SelectorQuery: Sendable {
    package let selectors: SelectorList
    package let output: PseudoElement?
    /// True if the text was only an output pseudo-element, which applies to the match itself (`::text`).
    package let selectsScope: Bool
    /// `+` or `~` if a relative selector begins with it: matches are then among the siblings of the scope.
    package let siblings: Character?

    /// - Parameter isRelative: whether the selector may begin with a combinator, after which it refers to the scope.
    package init(_ text: String, isRelative: Bool = false) throws(SelectorError) {
        let trimmed = text.drop { $0 == " " }
        selectsScope = trimmed.hasPrefix("::")
        siblings = isRelative && (trimmed.hasPrefix("+") || trimmed.hasPrefix("~")) ? trimmed.first : nil
        let hasScope = selectsScope || siblings != nil || isRelative && trimmed.hasPrefix(">")
        do { selectors = try SelectorList.parse(hasScope ? ":scope" + trimmed : text) } catch {
            guard hasScope else { throw error }
            // Columns refer to the text as given.
            let shift = text.count - trimmed.count - ":scope".count
            throw SelectorError(message: error.message, column: error.column + shift)
        }
        let element = selectors.selectors.last?.pseudoElement
        switch element {
        case .text, .ownText, .innerText, .html, .attribute: output = element
        case .before, .after, .marker, .firstLine, .firstLetter, .other, nil: output = nil
        }
    }
}

/// The size of a screen in CSS pixels (Media Queries 4 §4, CSS Values 4 §6.1.2).
public struct Viewport: Hashable, Sendable {
    /// CSS pixels.
    public var width: Float
    /// CSS pixels.
    public var height: Float

    /// A screen of this size.
    public init(width: Float, height: Float) { (self.width, self.height) = (width, height) }

    /// A screen with an aspect ratio of 4:3.
    init(width: Float) { self.init(width: width, height: width * 0.75) }
}

/// A medium of style sheets (Media Queries 4 §2.3).
public enum Medium: String, CaseIterable, Sendable {
    case screen, print
}
