// The geometry of the elements in an inline `svg`: their transforms, which refer to the boxes around them. In: an element of the
// picture. Out: its transform as text, the box it refers to, its outline.

import FancyTextBasics
import FancyTextCSS
import FancyTextMarkup
import FancyTextPlatform
import FancyTextStyling

struct PictureShapes {
    let tree: MarkupTree
    let styled: StyledTree
    /// The view box of the picture, or its size.
    let viewBox: Rect

    init(_ tree: MarkupTree, _ styled: StyledTree, viewport: NodeID) {
        (self.tree, self.styled) = (tree, styled)
        let numbers = Self.numbers(tree.attribute(viewport, "viewbox") ?? "")
        let box = styled.computed(viewport).box
        viewBox =
            numbers.count == 4
            ? Rect(x: 0, y: 0, width: numbers[2], height: numbers[3])
            : Rect(x: 0, y: 0, width: box.width.absolute ?? 300, height: box.height.absolute ?? 150)
    }

    /// The `transform` attribute of an element that CSS transforms, or whose transform has another origin; `nil` keeps its own.
    func transform(of element: NodeID) -> String? {
        let style = styled.computed(element).box.transform
        guard style.isTransforming || !style.origin.isInitial && tree.hasAttribute(element, "transform")
        else { return nil }
        let map = map(of: element)
        return "matrix(\(map.xx) \(map.yx) \(map.xy) \(map.yy) \(map.x) \(map.y))"
    }

    /// The transform of an element. The attribute counts where `transform` is not set.
    func map(of element: NodeID) -> Transform {
        var style = styled.computed(element).box.transform
        if style.functions.isEmpty, let map = Self.transform(tree.attribute(element, "transform") ?? "") {
            style.functions = [.matrix(Transform3D(map))]
        }
        if style.origin.isInitial { style.origin.position = .init(x: .zero, y: .zero) }
        return style.resolved(in: referenceBox(of: element, style) ?? viewBox)
    }

    /// The product of the functions of a `transform` attribute (CSS Transforms 1 §7); nil if they violate the grammar.
    private static func transform(_ text: String) -> Transform? {
        var result = Transform()
        for function in text.split(separator: ")") {
            let parts = function.split(separator: "(", omittingEmptySubsequences: false)
            let name = parts[0].filter { $0.isLetter }
            guard parts.count == 2 else {
                if name.isEmpty { continue }
                return nil
            }
            let n = numbers(String(parts[1]))
            let turn = (n.first ?? 0) * .pi / 180
            switch (name, n.count) {
            case ("matrix", 6):
                result = result.after(Transform(xx: n[0], yx: n[1], xy: n[2], yy: n[3], x: n[4], y: n[5]))
            case ("translate", 1...2): result = result.after(Transform(x: n[0], y: n.count > 1 ? n[1] : 0))
            case ("scale", 1...2): result = result.after(Transform(scaleX: n[0], scaleY: n[n.count - 1]))
            case ("rotate", 1), ("rotate", 3):
                let (x, y) = n.count > 1 ? (n[1], n[2]) : (0, 0)
                let map = Transform(xx: cos(turn), yx: sin(turn), xy: -sin(turn), yy: cos(turn), x: 0, y: 0)
                result = result.after(Transform(x: x, y: y)).after(map).after(Transform(x: -x, y: -y))
            case ("skewX", 1): result = result.after(Transform(skew: tan(turn)))
            case ("skewY", 1): result = result.after(Transform(xx: 1, yx: tan(turn), xy: 0, yy: 1, x: 0, y: 0))
            default: return nil
            }
        }
        return result
    }

    /// The box that origins and percentages refer to. `nil` if it is not known.
    func referenceBox(of element: NodeID, _ style: TransformStyle) -> Rect? {
        switch style.referenceBox {
        case .viewBox: viewBox
        case .contentBox, .borderBox, .fillBox, .strokeBox: bounds(of: element)
        }
    }

    /// The smallest rectangle around an element's geometry, without strokes. `nil` for text and for transformed parts.
    private func bounds(of element: NodeID) -> Rect? {
        var least = SIMD2<Float>(repeating: .infinity)
        var most = -least
        guard let path = path(of: element) else { return nil }
        for point in path.lines().joined() {
            least = pointwiseMin(least, [point.x, point.y])
            most = pointwiseMax(most, [point.x, point.y])
        }
        guard least.x <= most.x else { return nil }
        return Rect(x: least.x, y: least.y, width: most.x - least.x, height: most.y - least.y)
    }

    /// The outlines of an element and of all shapes in it. `nil` for text and for transformed parts.
    func path(of element: NodeID) -> Path? {
        var result = Path()
        for node in tree.subtree(element) where tree.kind(node) == .element {
            let isTransformed = tree.hasAttribute(node, "transform") || styled.computed(node).isTransformed
            if tree.name(node) == "text" || node != element && isTransformed { return nil }
            if let path = PathData.path(outline(of: node)) { result.segments += path.segments }
        }
        return result
    }

    /// The union of a `clipPath`'s shapes (CSS Masking 1 §6). `nil` for text, and if it has a clip path of its own.
    func union(ofClipPath element: NodeID) -> Path? {
        guard !tree.hasAttribute(element, "clip-path") else { return nil }
        var result = Path()
        for child in tree.children(element) where MarkupTree.shapeNames.contains(tree.name(child)) {
            let style = styled.computed(child)
            if style.box.display == .none || style.text.visibility != .visible { continue }
            var (shape, map) = (child, map(of: child))
            if tree.name(child) == "use" {
                let link = tree.attribute(child, "href") ?? tree.attribute(child, "xlink:href") ?? ""
                guard link.hasPrefix("#"), let target = tree.nodes(withID: String(link.dropFirst())).first
                else { continue }
                map = map.after(Transform(x: length("x", of: child), y: length("y", of: child)))
                (shape, map) = (target, map.after(self.map(of: target)))
            }
            if tree.name(shape) == "text" { return nil }
            guard !["image", "use"].contains(tree.name(shape)), var path = PathData.path(outline(of: shape))
            else { continue }
            path = path.transformed(map)
            // Shapes of one direction add up by the nonzero rule.
            let lines = path.lines()
            if lines.reduce(0, { $0 + Self.doubleArea($1) }) < 0 {
                path.segments = lines.flatMap { line in
                    [.move(line[line.count - 1])] + line.dropLast().reversed().map { .line($0) } + [.close]
                }
            }
            result.segments += path.segments
        }
        return result.transformed(map(of: element))
    }

    private static func doubleArea(_ points: [Point]) -> Float {
        zip(points, points.dropFirst() + points.prefix(1)).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }
    }

    /// The outline of a shape as path data; empty for other elements.
    func outline(of node: NodeID) -> String {
        func length(_ name: String) -> Float { self.length(name, of: node) }
        func ellipse(_ rx: Float, _ ry: Float) -> String { Self.ellipse(length("cx"), length("cy"), rx, ry) }
        switch tree.name(node) {
        case "rect", "image", "use":
            let rect = Rect(x: length("x"), y: length("y"), width: length("width"), height: length("height"))
            let (rx, ry) = (length("rx"), length("ry"))
            return Self.rectangle(rect, rx > 0 ? rx : ry, ry > 0 ? ry : rx)
        case "circle": return ellipse(length("r"), length("r"))
        case "ellipse": return ellipse(length("rx"), length("ry"))
        case "line": return "M\(length("x1")) \(length("y1"))L\(length("x2")) \(length("y2"))"
        case "polyline": return "M" + (tree.attribute(node, "points") ?? "")
        case "polygon": return "M" + (tree.attribute(node, "points") ?? "") + "z"
        case "path": return styled.computed(node).picture["d"] ?? tree.attribute(node, "d") ?? ""
        default: return ""
        }
    }

    private static func ellipse(_ cx: Float, _ cy: Float, _ rx: Float, _ ry: Float) -> String {
        "M\(cx - rx) \(cy)a\(rx) \(ry) 0 1 1 \(2 * rx) 0a\(rx) \(ry) 0 1 1 \(-2 * rx) 0z"
    }

    private static func rectangle(_ rect: Rect, _ rx: Float, _ ry: Float) -> String {
        let (x, y, width, height) = (rect.x, rect.y, rect.width, rect.height)
        let (rx, ry) = (min(rx, width / 2), min(ry, height / 2))
        guard rx > 0, ry > 0 else { return "M\(x) \(y)h\(width)v\(height)h\(-width)z" }
        return "M\(x + rx) \(y)h\(width - 2 * rx)a\(rx) \(ry) 0 0 1 \(rx) \(ry)v\(height - 2 * ry)"
            + "a\(rx) \(ry) 0 0 1 \(-rx) \(ry)h\(2 * rx - width)a\(rx) \(ry) 0 0 1 \(-rx) \(-ry)v\(2 * ry - height)"
            + "a\(rx) \(ry) 0 0 1 \(rx) \(-ry)z"
    }

    /// The shape of a clip path as path data, in the box of the element's geometry. `nil` if that is unknown, and for a `clipPath`.
    func outline(of clip: ClipShape, around element: NodeID) -> (data: String, isEvenOdd: Bool)? {
        guard clip.reference == nil, let area = clip.box == .viewBox ? viewBox : bounds(of: element) else { return nil }
        switch clip.shape?.outline(in: area) {
        case .box(let rect, let radii)?:
            let rx = radii.first?.x.resolved(against: rect.width) ?? 0
            let ry = radii.first?.y.resolved(against: rect.height) ?? 0
            return (Self.rectangle(rect, rx, ry), false)
        case .ellipse(let center, let x, let y)?: return (Self.ellipse(center.x, center.y, x, y), false)
        case .polygon(let points, let isEvenOdd)?:
            return ("M" + points.map { "\($0.x) \($0.y)" }.joined(separator: "L") + "z", isEvenOdd)
        case nil:
            guard case .path(let path, let isEvenOdd)? = clip.shape else { return nil }
            return (PathData.text(of: path.transformed(Transform(x: area.x, y: area.y))), isEvenOdd)
        }
    }

    /// The lengths of dashes in pixels, if `pathLength` gives them another unit, which the decoder does not know (SVG 2 §9.6.1).
    func dashes(_ value: String, of element: NodeID) -> String? {
        guard let whole = tree.attribute(element, "pathlength").flatMap({ Float($0) }), whole > 0,
            let path = PathData.path(outline(of: element))
        else { return nil }
        let lengths = value.split { $0 == "," || $0.isWhitespace }.map { Self.length(String($0), against: 0) }
        let factor = path.length / whole
        return factor.isFinite ? lengths.map { "\($0 * factor)" }.joined(separator: " ") : nil
    }

    /// A property or attribute that is a length, in pixels.
    func length(_ name: String, of node: NodeID) -> Float {
        let isVertical = name.contains("y") || name == "height"
        // The length of the diagonal is normalized (SVG 2 §8.9).
        let diagonal = ((viewBox.width * viewBox.width + viewBox.height * viewBox.height) / 2).squareRoot()
        return Self.length(
            styled.computed(node).picture[name] ?? tree.attribute(node, name) ?? "",
            against: name == "r" ? diagonal : isVertical ? viewBox.height : viewBox.width)
    }

    static func numbers(_ text: String) -> [Float] {
        text.split { $0 == "," || $0.isWhitespace }.compactMap { Float($0) }
    }

    /// A length in pixels, without a unit, in `em`, or a percentage.
    static func length(_ text: String, against base: Float, em: Float = 16) -> Float {
        if text.hasSuffix("em") { return (Float(text.dropLast(2)) ?? 0) * em }
        let text = text.hasSuffix("px") ? text.dropLast(2) : text[...]
        if text.hasSuffix("%") { return (Float(text.dropLast()) ?? 0) / 100 * base }
        return Float(text) ?? 0
    }
}

extension Path {
    var length: Float {
        lines().reduce(0) { sum, line in zip(line, line.dropFirst()).reduce(sum) { $0 + ($1.1 - $1.0).length } }
    }
}
