// The contents of `<lambda>` boxes, and their conversion into pictures and display lists.

import FancyTextBoxes
import FancyTextImages
import FancyTextPainting

/// The contents of a `<lambda id=…>` box: a picture, a snippet of HTML, or a drawing made by code.
///
/// The box has the size that the document gives it (`width`, `height`, CSS), or otherwise the contents' own size.
public struct Lambda: Sendable {
    enum Content: Sendable {
        case picture([UInt8])
        case html([UInt8], name: String)
        case drawing(Size, @Sendable (inout Canvas) -> Void)
    }
    let content: Content

    /// An image file's bytes: PNG, JPEG, WebP, AVIF, GIF or SVG.
    ///
    /// - Throws: ``RenderError/picture(_:)`` if they are no image, or an image that exceeds the limit of pixels.
    public static func picture(_ bytes: [UInt8], limits: Limits = Limits()) throws(RenderError) -> Lambda {
        do throws(ImageError) {
            // Decoded once as a check, so a damaged file is an error here and not a gap in the picture.
            _ = try ImageDecoder.decode(bytes, limit: limits.imagePixels)
        } catch { throw .picture("\(error)") }
        return Lambda(content: .picture(bytes))
    }

    /// HTML, laid out in the box with the document's style sheets on a transparent background. Diagnostics call it `name`.
    public static func html(_ html: String, name: String = "lambda") -> Lambda {
        Lambda(content: .html(Array(html.utf8), name: name))
    }

    /// HTML as bytes in any encoding.
    public static func html(_ html: [UInt8], name: String = "lambda") -> Lambda {
        Lambda(content: .html(html, name: name))
    }

    /// A drawing. `draw` is called once for each box with the box's size; it may run in any task that renders.
    ///
    /// The box is `width` × `height` CSS pixels large if the document gives no size.
    public static func drawing(width: Float, height: Float, _ draw: @escaping @Sendable (inout Canvas) -> Void)
        -> Lambda
    { Lambda(content: .drawing(Size(width: max(0, width), height: max(0, height)), draw)) }
}

/// Resolves the lambdas of one rendering: each is measured before layout, then each box gets a drawing of its size. Snippets may
/// contain lambdas, but none may contain itself.
struct LambdaResolver {
    private let plan: RenderPlan
    private var options: RenderOptions { plan.options }
    private var images: ImageStore { plan.images }
    private var snippets: [String: Document] = [:]
    /// A parser with the style sheets of the document; made for the first snippet.
    private var snippetParser: MarkupParser?
    /// The lambdas that contain the current one.
    private var open: [String] = []
    private var drawn = 0

    static let depthLimit = 8

    init(_ plan: RenderPlan) { self.plan = plan }

    /// Sets the natural sizes of the document's lambdas in the image store.
    mutating func measure(_ document: inout Document) throws(RenderError) {
        for id in document.lambdaIDs where images.drawing(lambda: id) == nil {
            guard let lambda = options.lambdas[id] else { continue }
            guard !open.contains(id), open.count < Self.depthLimit else {
                let tree = document.tree
                let box = tree.subtree(tree.root).first { tree.tag($0) == .lambda && tree.attribute($0, .id) == id }
                document.diagnostics.warn(
                    .unusableLambda, "lambda '\(id)' holds itself, or is nested deeper than \(Self.depthLimit)",
                    at: box.map { tree.location($0) })
                continue
            }
            switch lambda.content {
            case .picture(let bytes):
                let name = "\0lambda \(id)"
                do throws(ImageError) { try images.setPicture(name, bytes) } catch {
                    throw .picture("lambda '\(id)': \(error)")
                }
                images.setLambda(id, .picture(name))
            case .drawing(let size, _): images.setLambda(id, .list(DisplayList(size: size, background: .transparent)))
            case .html(let html, let name):
                open.append(id)
                defer { open.removeLast() }
                var snippet = parser(for: document).parse(html, name: name)
                snippet.reportUnfilled(options.lambdas)
                try measure(&snippet)
                let list = try layOut(&snippet, width: nil, height: nil)
                images.setLambda(id, .list(DisplayList(size: list.size, background: .transparent)))
                document.diagnostics.merge(snippet.diagnostics)
                snippet.diagnostics = DiagnosticLog()
                snippets[id] = snippet
            }
        }
    }

    private mutating func parser(for document: Document) -> MarkupParser {
        let parser = snippetParser ?? document.snippetParser
        snippetParser = parser
        return parser
    }

    private func layOut(_ snippet: inout Document, width: Float?, height: Float?) throws(RenderError) -> DisplayList {
        try RenderPlan(&snippet, width: width, height: height, in: plan).list(&snippet)
    }

    /// Gives the lambdas of `list` their drawings: each item then refers to its own drawing.
    mutating func draw(_ list: inout DisplayList, of document: inout Document) throws(RenderError) {
        for index in list.items.indices {
            guard case .image(var item) = list.items[index], item.isLambda, let lambda = options.lambdas[item.source],
                !open.contains(item.source), open.count < Self.depthLimit
            else { continue }
            open.append(item.source)
            defer { open.removeLast() }
            let drawing: DisplayList
            switch lambda.content {
            case .picture: continue
            case .html:
                guard var snippet = snippets[item.source] else { continue }
                drawing = try self.drawing(&snippet, width: item.rect.width, height: item.rect.height)
                document.diagnostics.merge(snippet.diagnostics)
            case .drawing(_, let draw):
                var canvas = Canvas(width: item.rect.width, height: item.rect.height)
                draw(&canvas)
                drawing = try self.drawing(canvas, for: &document)
            }
            item.source = name(drawing)
            list.items[index] = .image(item)
        }
    }

    private mutating func name(_ drawing: DisplayList) -> String {
        let name = "\0\(drawn)"
        drawn += 1
        images.setLambda(name, .list(drawing))
        return name
    }

    private mutating func drawing(_ snippet: inout Document, width: Float?, height: Float?) throws(RenderError)
        -> DisplayList
    {
        var list = try layOut(&snippet, width: width, height: height)
        try draw(&list, of: &snippet)
        return list
    }

    /// Lays a document out in the rectangle of an image.
    private mutating func place(
        _ snippet: Document, _ rect: Rect, in item: inout ImageItem, of document: inout Document
    ) throws(RenderError) {
        var snippet = snippet
        try measure(&snippet)
        let list = try drawing(
            &snippet, width: rect.width < 0 ? nil : rect.width, height: rect.height < 0 ? nil : rect.height)
        (item.rect.width, item.rect.height) = (list.size.width, list.size.height)
        item.clip = RoundedRect(rect: item.rect)
        item.source = name(list)
        document.diagnostics.merge(snippet.diagnostics)
    }

    /// The record of a canvas, with its texts laid out.
    mutating func drawing(_ canvas: Canvas, for document: inout Document) throws(RenderError) -> DisplayList {
        try canvas.resolved { (inset, rect) throws(RenderError) in
            var item = ImageItem(source: "", isLambda: true, rect: rect, clip: RoundedRect(rect: rect))
            switch inset {
            case .source(let source): (item.source, item.isLambda) = (source, false)
            case .picture(let bytes):
                let name = "\0picture \(drawn)"
                drawn += 1
                do throws(ImageError) { try images.setPicture(name, bytes) } catch {
                    document.diagnostics.warn(.unusableLambda, "lambda '\(open.last ?? "")': \(error)")
                    return nil
                }
                (item.source, item.isLambda) = (name, false)
            case .html(let html):
                let name = open.last.map { "lambda \($0)" } ?? "canvas"
                let snippet = parser(for: document).parse(Array(html.utf8), name: name)
                try place(snippet, rect, in: &item, of: &document)
            case .document(let snippet): try place(snippet, rect, in: &item, of: &document)
            }
            return item
        }
    }
}

extension Document {
    /// A parser for inserted HTML, with the rules of the document's `<style>` elements.
    var snippetParser: MarkupParser {
        let sheets = tree.subtree(tree.root).filter { tree.tag($0) == .style }
        var options = parser.resolver.options
        if sheets.isEmpty && options.sheets.isEmpty && resolver.options.media == options.media { return parser }
        options.hasRootBox = false
        options.media = resolver.options.media
        options.sheets += sheets.map { sheet in
            StyleOptions.Sheet(
                name: "<style>", text: tree.textContent(sheet, skipsHidden: false),
                origin: tree.isDocument ? .document : .fragment)
        }
        return MarkupParser(
            syntax: parser.syntax, resolver: MarkupStyleResolver(options: options), tableForm: parser.tableForm,
            imageLoader: parser.imageLoader, codeMarks: CodeMarks())
    }

    /// The contents of a snippet: fonts and colours of the body, without the body's own box.
    mutating func snippetContents() -> BoxTree {
        var text = styledContents()
        guard !tree.isDocument else { return text }
        let root = text.styles[.root]
        var box = BoxStyle()
        box.display = .block
        text.styles.replace(.root, ComputedStyle(root, box: box))
        return text
    }

    /// The ids of its lambdas, each once.
    package var lambdaIDs: [String] {
        var known: Set<String> = []
        return tree.subtree(tree.root).compactMap { node in
            guard tree.tag(node) == .lambda, let id = tree.attribute(node, "id"), known.insert(id).inserted
            else { return nil }
            return id
        }
    }
}
