// Drawings made by code, such as those in a lambda's box: paths, pictures, text and gradients, recorded in CSS pixels. Nothing
// is painted here. The record becomes part of the document's display list, so a drawing is as sharp as text at every scale, and
// the same calls give the same bytes.

import FancyTextPainting

/// A drawing surface: of a lambda, or of a separate picture. The origin is at the top left, x points right, y points down, and
/// lengths are in CSS pixels.
///
///     options.lambdas["badge"] = .drawing(width: 24, height: 24) { canvas in
///         canvas.fill(.ellipse(x: 0, y: 0, width: 24, height: 24), with: .color(.black))
///         canvas.draw("<b style='color:#fff; font-size:12px'>7</b>", x: 8, y: 4)
///     }
///
/// Drawing outside of the box is clipped.
public struct Canvas: Sendable {
    /// The width of the box in CSS pixels, as the document sets it for a lambda.
    public let width: Float
    /// The height of the box in CSS pixels.
    public let height: Float

    /// An outline to fill, stroke or clip to.
    public struct Path: Hashable, Sendable {
        var path = FancyTextBasics.Path()
        /// Set while the path is one rounded rectangle, which is placed on whole pixels like a box.
        var shape: RoundedRect?

        /// Creates an empty path.
        public init() {}
    }

    /// The fill of a path.
    public enum Paint: Hashable, Sendable {
        case color(Color)
        /// Positions and percentages refer to the bounding box of the path.
        case gradient(Gradient)
    }

    /// Text or a picture that the renderer inserts.
    enum Inset: Sendable {
        case html(String)
        case document(Document)
        case picture([UInt8])
        case source(String)
    }

    private(set) var list: DisplayList
    /// The contents of the list's images, in order.
    private(set) var insets: [Inset] = []

    /// An empty canvas for ``Renderer/png(_:_:)-(Canvas,_)`` and ``Renderer/pixels(_:_:)-(Canvas,_)``; sizes in CSS pixels.
    public init(width: Float, height: Float) {
        (self.width, self.height) = (width, height)
        list = DisplayList(size: Size(width: width, height: height), background: .transparent)
    }

    /// Fills a path by the non-zero winding rule.
    public mutating func fill(_ path: Path, with paint: Paint) {
        guard let bounds = path.path.bounds() else { return }
        let fill: Fill =
            switch paint {
            case .color(let color): .color(color)
            case .gradient(let gradient): .gradient(gradient, box: bounds)
            }
        list.items.append(path.shape.map { .fill($0, fill) } ?? .path(path.path, fill))
    }

    /// Strokes a path; joins are mitred, caps are butt.
    public mutating func stroke(_ path: Path, color: Color, width: Float = 1) {
        guard width > 0, !path.path.isEmpty else { return }
        list.items.append(.strokePath(path.path, color, width: width))
    }

    /// Casts the shadow of a rectangle or rounded rectangle, only outside of it; other paths cast no shadow.
    public mutating func shadow(of path: Path, _ shadow: Shadow) {
        guard let shape = path.shape else { return }
        list.items.append(.boxShadow(shape, shadow))
    }

    /// Draws HTML with the document's style sheets, its top left corner at (x, y).
    ///
    /// Lines break at `width`, by default that of the content; `height` is the height of the visible part, by default all.
    public mutating func draw(_ html: String, x: Float = 0, y: Float = 0, width: Float? = nil, height: Float? = nil) {
        // Sizes that only layout knows are negative until then.
        draw(.html(html), Rect(x: x, y: y, width: width ?? -1, height: height ?? -1))
    }

    /// Draws a document, without the margin of its body, its top left corner at (x, y).
    ///
    /// Lines break at `width`, by default that of the content; `height` is the height of the visible part, by default all.
    public mutating func draw(
        _ document: Document, x: Float = 0, y: Float = 0, width: Float? = nil, height: Float? = nil
    ) { draw(.document(document), Rect(x: x, y: y, width: width ?? -1, height: height ?? -1)) }

    /// Draws styled text, its top left corner at (x, y).
    ///
    /// Lines break at `width`, by default that of the content; `height` is the height of the visible part, by default all.
    public mutating func draw(_ text: StyledText, x: Float = 0, y: Float = 0, width: Float? = nil, height: Float? = nil)
    { draw(text.document(), x: x, y: y, width: width, height: height) }

    /// Draws an image file's bytes (PNG, JPEG, WebP, AVIF, GIF, SVG) into a rectangle.
    public mutating func draw(picture bytes: [UInt8], x: Float, y: Float, width: Float, height: Float) {
        draw(.picture(bytes), Rect(x: x, y: y, width: width, height: height))
    }

    /// Draws an image into a rectangle, loaded under the same rules as a document's `<img src>`.
    public mutating func draw(source: String, x: Float, y: Float, width: Float, height: Float) {
        draw(.source(source), Rect(x: x, y: y, width: width, height: height))
    }

    private mutating func draw(_ inset: Inset, _ rect: Rect) {
        // Ids and attributes never contain NUL, so no document can use this name.
        list.items.append(
            .image(
                ImageItem(
                    source: "\0\(insets.count)", isLambda: true, rect: rect, clip: RoundedRect(rect: rect))))
        insets.append(inset)
    }

    /// Clips everything that `body` draws to a rounded rectangle.
    public mutating func clip(
        x: Float, y: Float, width: Float, height: Float, cornerRadius: Float = 0, _ body: (inout Canvas) -> Void
    ) {
        guard let shape = Path.rectangle(x: x, y: y, width: width, height: height, cornerRadius: cornerRadius).shape
        else { return }
        group(.pushClip(shape), body)
    }

    /// Draws everything in `body` as one group, with an opacity from 0 to 1.
    public mutating func opacity(_ opacity: Float, _ body: (inout Canvas) -> Void) {
        group(.pushOpacity(opacity), body)
    }

    private mutating func group(_ item: DisplayItem, _ body: (inout Canvas) -> Void) {
        list.items.append(item)
        body(&self)
        list.items.append(.pop)
    }

    /// Replaces the insets by the results of `resolve`; an inset is left out if the result is nil.
    func resolved(_ resolve: (Inset, Rect) throws(RenderError) -> ImageItem?) throws(RenderError) -> DisplayList {
        var (result, insets) = (list, insets.makeIterator())
        result.items = try list.items.map { (item) throws(RenderError) -> DisplayItem? in
            guard case .image(let image) = item, let inset = insets.next() else { return item }
            return try resolve(inset, image.rect).map { .image($0) }
        }.compactMap(\.self)
        return result
    }
}

extension Canvas.Path {
    /// A rectangle, with rounded corners if `cornerRadius` is above 0.
    public static func rectangle(x: Float, y: Float, width: Float, height: Float, cornerRadius: Float = 0)
        -> Canvas.Path
    {
        let shape = RoundedRect(
            rect: Rect(x: x, y: y, width: max(0, width), height: max(0, height)),
            radii: CornerRadii(all: max(0, cornerRadius))
        ).fitted
        var result = Canvas.Path()
        result.path = FancyTextBasics.Path(shape)
        result.shape = shape
        return result
    }

    /// The ellipse inscribed in a rectangle.
    public static func ellipse(x: Float, y: Float, width: Float, height: Float) -> Canvas.Path {
        var result = Canvas.Path()
        result.path = .ellipse(Rect(x: x, y: y, width: max(0, width), height: max(0, height)))
        return result
    }

    /// Begins a contour.
    public mutating func move(x: Float, y: Float) { append(.move(Point(x: x, y: y))) }

    /// Adds a straight line to a point.
    public mutating func line(x: Float, y: Float) { append(.line(Point(x: x, y: y))) }

    /// Adds a quadratic Bézier curve.
    public mutating func curve(controlX: Float, controlY: Float, x: Float, y: Float) {
        append(.quadratic(control: Point(x: controlX, y: controlY), end: Point(x: x, y: y)))
    }

    /// Adds a cubic Bézier curve.
    public mutating func curve(
        control1X: Float, control1Y: Float, control2X: Float, control2Y: Float, x: Float, y: Float
    ) {
        append(
            .cubic(
                control1: Point(x: control1X, y: control1Y), control2: Point(x: control2X, y: control2Y),
                end: Point(x: x, y: y)))
    }

    /// Closes the contour with a line to its start.
    public mutating func close() { append(.close) }

    private mutating func append(_ segment: FancyTextBasics.Path.Segment) {
        // Without a move, the first contour begins at the origin.
        if path.isEmpty, case .move = segment {} else if path.isEmpty { path.segments.append(.move(.zero)) }
        path.segments.append(segment)
        shape = nil
    }
}
