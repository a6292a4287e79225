// What code draws into a lambda's box: paths, pictures, text and gradients, recorded in CSS pixels.
//
// Nothing is painted here. The record becomes part of the document's display list, so a drawing is as sharp as text at every
// scale, and the same calls give the same bytes.

import FancyTextBasics
import FancyTextLayout
import FancyTextPainting
import FancyTextStyling

/// A drawing surface: of a lambda, or of a picture of its own. Origin at the top left, x to the right, y down, lengths
/// in CSS pixels.
///
///     options.lambdas["badge"] = .drawing(width: 24, height: 24) { canvas in
///         canvas.fill(.ellipse(x: 0, y: 0, width: 24, height: 24), with: .color(.black))
///         canvas.draw("<b style='color:#fff; font-size:12px'>7</b>", x: 8, y: 4)
///     }
///
/// What lies outside of the box is clipped.
public struct Canvas: Sendable {
    /// Of the box that the document gives the lambda.
    public let width: Float
    /// Of the box, in CSS pixels.
    public let height: Float

    /// An outline to fill, stroke or clip to.
    public struct Path: Hashable, Sendable {
        var path = FancyTextBasics.Path()
        /// Set while the path is one rounded rectangle, which is placed on whole pixels like a box.
        var shape: RoundedRect?

        /// Empty.
        public init() {}
    }

    /// What fills a path.
    public enum Paint: Hashable, Sendable {
        case color(Color)
        /// Its positions and per cents refer to the smallest rectangle around the path.
        case gradient(Gradient)
    }

    /// Text or a picture to be made by the renderer.
    enum Inset: Sendable {
        case html(String)
        case document(Document)
        case picture([UInt8])
        case source(String)
    }

    private(set) var list: DisplayList
    /// What the list's images named by ``insetName(_:)`` show.
    private(set) var insets: [Inset] = []

    /// An empty canvas for ``Renderer/png(_:_:)-(Canvas,_)`` and ``Renderer/pixels(_:_:)-(Canvas,_)``; sizes in CSS pixels.
    public init(width: Float, height: Float) {
        self.width = width
        self.height = height
        list = DisplayList(size: Size(width: width, height: height), background: .transparent)
    }

    // MARK: Paths

    /// Fills a path by the non-zero rule.
    public mutating func fill(_ path: Path, with paint: Paint) {
        guard let bounds = path.path.bounds() else { return }
        let fill: Fill =
            switch paint {
            case .color(let color): .color(color)
            case .gradient(let gradient): .gradient(gradient, box: bounds)
            }
        list.items.append(path.shape.map { .fill($0, fill) } ?? .path(path.path, fill))
    }

    /// Draws along a path with a pen; corners are mitred, ends are flat.
    public mutating func stroke(_ path: Path, color: Color, width: Float = 1) {
        guard width > 0, !path.path.isEmpty else { return }
        list.items.append(.strokePath(path.path, color, width: width))
    }

    /// Casts the shadow of a rectangle or rounded rectangle, outside of it only; other paths cast none.
    public mutating func shadow(of path: Path, _ shadow: Shadow) {
        guard let shape = path.shape else { return }
        list.items.append(.boxShadow(shape, shadow))
    }

    // MARK: Text and pictures

    /// Draws HTML with the document's style sheets, its top left corner at (x, y).
    ///
    /// - Parameters:
    ///   - width: Where its lines break; nil is as wide as it needs.
    ///   - height: Of the part that shows; nil is all.
    public mutating func draw(_ html: String, x: Float = 0, y: Float = 0, width: Float? = nil, height: Float? = nil) {
        // Sizes that only layout knows are negative until then.
        draw(.html(html), Rect(x: x, y: y, width: width ?? -1, height: height ?? -1))
    }

    /// Draws a document, without the margin of its body, its top left corner at (x, y).
    ///
    /// - Parameters:
    ///   - width: Where its lines break; nil is as wide as it needs.
    ///   - height: Of the part that shows; nil is all.
    public mutating func draw(
        _ document: Document, x: Float = 0, y: Float = 0, width: Float? = nil, height: Float? = nil
    ) {
        draw(.document(document), Rect(x: x, y: y, width: width ?? -1, height: height ?? -1))
    }

    /// Draws styled text, its top left corner at (x, y).
    ///
    /// - Parameters:
    ///   - width: Where its lines break; nil is as wide as it needs.
    ///   - height: Of the part that shows; nil is all.
    public mutating func draw(
        _ text: StyledText, x: Float = 0, y: Float = 0, width: Float? = nil, height: Float? = nil
    ) {
        draw(text.document(), x: x, y: y, width: width, height: height)
    }

    /// Draws an image file's bytes (PNG, JPEG, WebP, GIF, SVG) into a rectangle.
    public mutating func draw(picture bytes: [UInt8], x: Float, y: Float, width: Float, height: Float) {
        draw(.picture(bytes), Rect(x: x, y: y, width: width, height: height))
    }

    /// Draws what a document's `<img src>` would show, under the same rules, into a rectangle.
    public mutating func draw(source: String, x: Float, y: Float, width: Float, height: Float) {
        draw(.source(source), Rect(x: x, y: y, width: width, height: height))
    }

    private mutating func draw(_ inset: Inset, _ rect: Rect) {
        list.items.append(
            .image(
                ImageItem(
                    source: Self.insetName(insets.count), isLambda: true, rect: rect, clip: RoundedRect(rect: rect))))
        insets.append(inset)
    }

    /// NUL never stands in an id or an attribute, so no document names these.
    static func insetName(_ index: Int) -> String { "\0\(index)" }

    // MARK: Groups

    /// Clips what `body` draws to a rectangle with round corners.
    public mutating func clip(
        x: Float, y: Float, width: Float, height: Float, cornerRadius: Float = 0, _ body: (inout Canvas) -> Void
    ) {
        guard let shape = Path.rectangle(x: x, y: y, width: width, height: height, cornerRadius: cornerRadius).shape
        else { return }
        group(.pushClip(shape), body)
    }

    /// Draws what `body` draws as one, with an opacity from 0 to 1.
    public mutating func opacity(_ opacity: Float, _ body: (inout Canvas) -> Void) {
        group(.pushOpacity(opacity), body)
    }

    private mutating func group(_ item: DisplayItem, _ body: (inout Canvas) -> Void) {
        list.items.append(item)
        body(&self)
        list.items.append(.pop)
    }

    /// Replaces the insets by what `resolve` makes of them; nil leaves one out.
    func resolved<Failure: Error>(
        _ resolve: (Inset, Rect) throws(Failure) -> ImageItem?
    ) throws(Failure) -> DisplayList {
        var result = list
        result.items.removeAll(keepingCapacity: true)
        var next = 0
        for item in list.items {
            guard case .image(let image) = item else {
                result.items.append(item)
                continue
            }
            if let resolved = try resolve(insets[next], image.rect) { result.items.append(.image(resolved)) }
            next += 1
        }
        return result
    }
}

extension Canvas.Path {
    /// A rectangle, with round corners where `cornerRadius` is above 0.
    public static func rectangle(x: Float, y: Float, width: Float, height: Float, cornerRadius: Float = 0)
        -> Canvas.Path
    {
        let radius = Size(width: max(0, cornerRadius), height: max(0, cornerRadius))
        let shape = RoundedRect(
            rect: Rect(x: x, y: y, width: max(0, width), height: max(0, height)),
            radii: CornerRadii(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius)
        ).fitted
        var result = Canvas.Path()
        result.path = FancyTextBasics.Path(shape)
        result.shape = shape
        return result
    }

    /// The ellipse that fills a rectangle.
    public static func ellipse(x: Float, y: Float, width: Float, height: Float) -> Canvas.Path {
        var result = Canvas.Path()
        result.path = .ellipse(Rect(x: x, y: y, width: max(0, width), height: max(0, height)))
        return result
    }

    /// Begins a contour.
    public mutating func move(x: Float, y: Float) { append(.move(Point(x: x, y: y))) }

    /// A straight line to a point.
    public mutating func line(x: Float, y: Float) { append(.line(Point(x: x, y: y))) }

    /// A quadratic Bézier curve.
    public mutating func curve(controlX: Float, controlY: Float, x: Float, y: Float) {
        append(.quadratic(control: Point(x: controlX, y: controlY), end: Point(x: x, y: y)))
    }

    /// A cubic Bézier curve.
    public mutating func curve(
        control1X: Float, control1Y: Float, control2X: Float, control2Y: Float, x: Float, y: Float
    ) {
        append(
            .cubic(
                control1: Point(x: control1X, y: control1Y), control2: Point(x: control2X, y: control2Y),
                end: Point(x: x, y: y)))
    }

    /// Ends the contour with a line to where it began.
    public mutating func close() { append(.close) }

    private mutating func append(_ segment: FancyTextBasics.Path.Segment) {
        // A contour begins somewhere; without a move that is the origin.
        if path.isEmpty, case .move = segment {} else if path.isEmpty { path.segments.append(.move(.zero)) }
        path.segments.append(segment)
        shape = nil
    }
}
