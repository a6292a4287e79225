// Renderings of values: of documents that stay as they are, and of styled text, which is converted to a document and back; and the
// parser's convenience methods, for callers in any task.

import FancyTextMarkup

/// The input of a renderer and of a ``PictureQueue``: a document or styled text.
///
/// A document that is passed with `&` also gets the renderer's messages in ``Document/diagnostics``, and keeps its resolved styles
/// for the next rendering.
public protocol Renderable: Sendable {
    /// The document that is rendered.
    ///
    /// - Parameter parser: The parser for contents that are not parsed yet.
    func document(_ parser: MarkupParser) -> Document
}

extension Document: Renderable {
    public func document(_ parser: MarkupParser) -> Document { self }

    /// The document's text with the computed attributes of its runs, including list markers and table cells. O(n).
    ///
    /// - Parameter tables: How the cells of a row are separated; nil is the parser's setting, by default tabs.
    public mutating func styledText(tables: TableForm? = nil) -> StyledText {
        let contents = styledContents()
        let styled = styled()
        return StyledText(AttributedText(contents, styled, tables: tables ?? parser.tableForm), styled, contents.styles)
    }

    /// The text of some elements alone, each with its styles in the whole document. Elements that the document does not have are
    /// left out.
    public func styledText(of elements: [ElementHandle]) -> StyledText {
        var copy = self
        copy.keepOnly(nodes(of: elements))
        return copy.styledText()
    }
}

/// Everything that the attributes of ``StyledText`` can express looks as in the document that the text came from. They do not
/// include boxes: of a block with borders, backgrounds, sizes or floats, only the text is shown.
extension Renderer {
    /// The source as a PNG file's bytes.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    public func png(
        _ source: some Renderable, _ options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> [UInt8] {
        var document = source.document(plainParser)
        return try png(&document, options)
    }

    /// The source as a picture file's bytes; see ``picture(_:as:_:)-(Document,_,_)``.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    public func picture(
        _ source: some Renderable, as format: PictureFormat, _ options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> [UInt8] {
        var document = source.document(plainParser)
        return try picture(&document, as: format, options)
    }

    /// The pixels of the source's picture. Linear in its pixels.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    public func pixels(
        _ source: some Renderable, _ options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> Pixels {
        var document = source.document(plainParser)
        return try pixels(&document, options)
    }

    /// Draws the source into a rectangle of pixels; see ``draw(_:_:into:x:y:width:height:)-(Document,_,_,_,_,_,_)``.
    ///
    /// - Throws: ``RenderError``; nothing is drawn in that case.
    public func draw(
        _ source: some Renderable, _ options: RenderOptions = RenderOptions(), into pixels: inout Pixels, x: Int,
        y: Int, width: Int, height: Int
    ) throws(RenderError) {
        var document = source.document(plainParser)
        try draw(&document, options, into: &pixels, x: x, y: y, width: width, height: height)
    }

    /// Text, runs and, if requested, layout as one line of JSON. Runs of styled text have no positions in a source.
    ///
    /// - Throws: ``RenderError``.
    public func json(
        _ source: some Renderable, _ options: RenderOptions = RenderOptions(), content: JSONContent = JSONContent()
    ) throws(RenderError) -> [UInt8] {
        var document = source.document(plainParser)
        return try json(&document, options, content: content)
    }

    /// The source for a terminal.
    public func ansi(
        _ source: some Renderable, _ options: RenderOptions = RenderOptions(), _ terminal: ANSIOptions = ANSIOptions()
    ) -> [UInt8] {
        var document = source.document(plainParser)
        return ansi(&document, options, terminal)
    }

    /// Styled text truncated to the limits of `options`, as ``truncated(_:_:)-(Document,_)`` truncates a document.
    ///
    /// - Throws: ``RenderError``.
    public func truncated(
        _ text: StyledText, _ options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> StyledText {
        var document = try truncated(text.document(plainParser), options)
        return document.styledText()
    }
}

extension StyledText: Renderable {
    /// Creates styled text from the runs of a document. O(runs + text).
    init(_ contents: AttributedText, _ styled: StyledTree, _ styles: StyleTable) {
        self.init()
        let tree = styled.tree
        func names(_ node: NodeID) -> (tag: String?, id: String?, classes: String?) {
            guard tree.kind(node) == .element else { return (nil, nil, nil) }
            return (tree.name(node), tree.attribute(node, .id), tree.attribute(node, .classNames))
        }
        text = String(decoding: contents.text, as: UTF8.self)
        var walk = RunContextWalk(styled)
        for paragraph in contents.paragraphs {
            let (tag, id, classes) = names(paragraph.element)
            var surroundings = RunContext()
            surroundings.link = walk.surroundings(of: paragraph.element).link
            var style = MarkupStyle(styles[paragraph.style], surroundings)
            style.paragraphStyle = contents.attributes[paragraph.attributes]
            paragraphs.append(
                Paragraph(
                    range: paragraph.range, separatorLength: paragraph.separatorLength, style: style, tag: tag, id: id,
                    classes: classes, marker: paragraph.marker, listLevel: paragraph.listLevel, cell: paragraph.cell))
        }
        walk = RunContextWalk(styled)
        var previous: AttributedText.Run?
        for run in contents.runs {
            let (tag, id, classes) = names(run.element)
            var style = MarkupStyle(styles[run.style], walk.surroundings(of: run.element))
            style.paragraphStyle = paragraphs[run.paragraph].style.paragraphStyle
            let next = Run(range: run.range, style: style, tag: tag, id: id, classes: classes)
            // Adjacent runs without a difference are joined, except for markers and separators.
            if run.kind == .text, let before = previous, before.kind == .text, before.paragraph == run.paragraph,
                let last = runs.last, last.hasAttributes(of: next)
            {
                runs[runs.count - 1].range = last.range.lowerBound..<next.range.upperBound
            } else {
                runs.append(next)
            }
            previous = run
        }
    }

    /// A document with the same contents and appearance, for edits, selectors and all outputs of documents. O(text).
    ///
    /// Its tree has the elements of the runs and paragraphs, with inline styles. ``html()`` is its source.
    public func document(_ parser: MarkupParser = MarkupParser()) -> Document {
        var document = parser.read(
            SourceBytes(StyledTextWriter.html(of: self, base: parser.plainStyle)), name: "styled text",
            encoding: "utf-8")
        document.hasSource = false
        return document
    }

    /// The text as HTML with inline styles; rendering it gives the same text, runs and attributes.
    ///
    /// Elements have the tags, ids and classes of their runs, if such elements are allowed there; otherwise they are `span` and
    /// `div`. O(n).
    public func html() -> String {
        String(decoding: StyledTextWriter.html(of: self, base: MarkupParser().plainStyle), as: UTF8.self)
    }

    /// The text as CommonMark with tables and strikethrough. O(n).
    public func markdown() -> String {
        var document = document()
        return document.markdown()
    }

    /// The text that a person would read, with lists and tables formatted by `options`. O(n).
    public func plainText(_ options: PlainTextOptions = PlainTextOptions()) -> String { document().plainText(options) }
}

extension MarkupParser {
    /// The attributes of text outside of all elements.
    var plainStyle: MarkupStyle {
        var document = parse("")
        return MarkupStyle(document.styled().rootStyle)
    }

    /// A parser with the default style sheet and nothing else.
    public init() { self = MarkupParserBuilder.default().build() }

    /// `html` as text with runs of attributes. O(n).
    public func render(_ html: String) -> StyledText {
        var document = read(html)
        return document.styledText()
    }

    /// Runs `work` with the parser away from the caller's actor: `await parser.background { $0.render(html) }`.
    @concurrent
    public func background<Output: Sendable, Failure>(
        _ work: @Sendable (MarkupParser) throws(Failure) -> Output
    ) async throws(Failure) -> Output { try work(self) }

    /// The elements of `html` that a selector matches, for rendering or searching.
    ///
    /// - Throws: ``SelectorError`` if the selector is invalid.
    public func selection(in html: String, matching selector: String) throws(SelectorError) -> Selection {
        let document = parse(html)
        return Selection(document: document, elements: try document.select(selector))
    }

    /// The elements of a selection with the styles that they have in the whole document.
    public func render(_ selection: Selection) -> StyledText { selection.document.styledText(of: selection.elements) }

    /// `html` as a PNG file's bytes, away from the caller's actor; see ``picture(_:as:_:fonts:imageLoader:)``.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    @concurrent
    public func png(
        _ html: String, _ options: RenderOptions = RenderOptions(), fonts: FontOptions = FontOptions(),
        imageLoader: (@Sendable (_ source: String) async -> [UInt8]?)? = nil
    ) async throws(RenderError) -> [UInt8] {
        try await picture(html, as: .png, options, fonts: fonts, imageLoader: imageLoader)
    }

    /// `html` as a picture file's bytes, away from the caller's actor; each call uses a separate renderer.
    /// `imageLoader` is called as by ``Document/loadImages(with:)``.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    @concurrent
    public func picture(
        _ html: String, as format: PictureFormat, _ options: RenderOptions = RenderOptions(),
        fonts: FontOptions = FontOptions(), imageLoader: (@Sendable (_ source: String) async -> [UInt8]?)? = nil
    ) async throws(RenderError) -> [UInt8] {
        var document = parse(html)
        if let imageLoader { await document.loadImages(with: imageLoader) }
        return try Renderer(fonts: fonts).picture(&document, as: format, options)
    }

    /// The top-level elements of `html`, to be searched by name.
    ///
    /// ```swift
    /// parser.selection("<a><b>Test</b>Link</a>").filter("a").first?.children("b").texts  // ["Test"]
    /// ```
    public func selection(_ html: String) -> Selection {
        let document = parse(html)
        return Selection(document: document, elements: document.handles(of: document.elements(in: document.tree.root)))
    }
}
