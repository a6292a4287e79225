// The geometry of the elements in an inline `svg`: their transforms, which refer to the boxes around them.
//
// In: an element of the picture. Out: its transform as text, the box it refers to, its outline.

import FancyTextBasics
import FancyTextMarkup
import FancyTextStyling

struct PictureShapes {
    let tree: MarkupTree
    let styled: StyledTree
    /// The view box of the picture, or its size.
    let viewBox: Rect

    init(_ tree: MarkupTree, _ styled: StyledTree, viewport: NodeID) {
        self.tree = tree
        self.styled = styled
        let numbers = Self.numbers(tree.attribute(viewport, "viewbox") ?? "")
        let box = styled.computed(viewport).box
        func side(_ value: SizeValue, _ initial: Float) -> Float {
            if case .length(let length) = value, !length.isRelative { length.px } else { initial }
        }
        viewBox =
            numbers.count == 4
            ? Rect(x: 0, y: 0, width: numbers[2], height: numbers[3])
            : Rect(x: 0, y: 0, width: side(box.width, 300), height: side(box.height, 150))
    }

    /// The value of a `transform` attribute for an element that CSS transforms, or whose transform has another origin. `nil` if the
    /// element's own attribute says it all.
    func transform(of element: NodeID, _ style: TransformStyle) -> String? {
        let written = tree.attribute(element, "transform")
        guard style.isTransforming || written != nil && style.hasOrigin else { return nil }
        let box = referenceBox(of: element, style) ?? viewBox
        if style.isTransforming {
            var style = style
            if !style.hasOrigin { (style.originX, style.originY) = (.zero, .zero) }
            let map = style.resolved(in: box)
            return "matrix(\(map.xx) \(map.yx) \(map.xy) \(map.yy) \(map.x) \(map.y))"
        }
        let x = box.x + style.originX.resolved(against: box.width)
        let y = box.y + style.originY.resolved(against: box.height)
        return "translate(\(x) \(y)) \(written ?? "") translate(\(-x) \(-y))"
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
        for point in path.lines.joined() {
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
            if node != element, tree.hasAttribute(node, "transform") || styled.computed(node).box.isTransformed {
                return nil
            }
            guard tree.name(node) != "text" else { return nil }
            if let path = PathData.path(outline(of: node)) { result.segments += path.segments }
        }
        return result
    }

    /// The outline of a shape as path data; empty for other elements.
    private func outline(of node: NodeID) -> String {
        let declared = styled.computed(node).picture
        func length(_ name: String) -> Float {
            let isVertical = name.contains("y") || name == "height"
            return Self.length(
                declared[name] ?? tree.attribute(node, name) ?? "", against: isVertical ? viewBox.height : viewBox.width
            )
        }
        func ellipse(_ rx: Float, _ ry: Float) -> String {
            "M\(length("cx") - rx) \(length("cy"))a\(rx) \(ry) 0 1 0 \(2 * rx) 0a\(rx) \(ry) 0 1 0 \(-2 * rx) 0z"
        }
        switch tree.name(node) {
        case "rect", "image", "use":
            let (x, y, width, height) = (length("x"), length("y"), length("width"), length("height"))
            let radius = [length("rx"), length("ry")]
            let rx = min(radius[0] > 0 ? radius[0] : radius[1], width / 2)
            let ry = min(radius[1] > 0 ? radius[1] : radius[0], height / 2)
            guard rx > 0, ry > 0 else { return "M\(x) \(y)h\(width)v\(height)h\(-width)z" }
            return "M\(x + rx) \(y)h\(width - 2 * rx)a\(rx) \(ry) 0 0 1 \(rx) \(ry)v\(height - 2 * ry)"
                + "a\(rx) \(ry) 0 0 1 \(-rx) \(ry)h\(2 * rx - width)a\(rx) \(ry) 0 0 1 \(-rx) \(-ry)v\(2 * ry - height)"
                + "a\(rx) \(ry) 0 0 1 \(rx) \(-ry)z"
        case "circle": return ellipse(length("r"), length("r"))
        case "ellipse": return ellipse(length("rx"), length("ry"))
        case "line": return "M\(length("x1")) \(length("y1"))L\(length("x2")) \(length("y2"))"
        case "polyline": return "M" + (tree.attribute(node, "points") ?? "")
        case "polygon": return "M" + (tree.attribute(node, "points") ?? "") + "z"
        case "path": return declared["d"] ?? tree.attribute(node, "d") ?? ""
        default: return ""
        }
    }

    /// The lengths of a property of dashes in pixels, where `pathLength` gives them another unit (SVG 2 §9.6.1), which the decoder
    /// does not know. `nil` if they are in pixels already.
    func dashes(_ value: String, of element: NodeID) -> String? {
        guard let whole = tree.attribute(element, "pathlength").flatMap({ Float($0) }), whole > 0,
            let path = PathData.path(outline(of: element))
        else { return nil }
        var length: Float = 0
        for line in path.lines {
            for (from, to) in zip(line, line.dropFirst()) {
                let (dx, dy) = (to.x - from.x, to.y - from.y)
                length += (dx * dx + dy * dy).squareRoot()
            }
        }
        let lengths = value.split { $0 == "," || $0.isWhitespace }.map { Self.length(String($0), against: 0) }
        let factor = length / whole
        return factor.isFinite ? lengths.map { "\($0 * factor)" }.joined(separator: " ") : nil
    }

    private static func numbers(_ text: String) -> [Float] {
        text.split { $0 == "," || $0.isWhitespace }.compactMap { Float($0) }
    }

    /// A length in pixels, without a unit, or a percentage.
    private static func length(_ text: String, against base: Float) -> Float {
        let text = text.hasSuffix("px") ? text.dropLast(2) : text[...]
        if text.hasSuffix("%") { return (Float(text.dropLast()) ?? 0) / 100 * base }
        return Float(text) ?? 0
    }
}

extension Path {
    /// The ends of the segments and 15 points of each curve, for each subpath: lines within 1% of the outline.
    fileprivate var lines: [[Point]] {
        var lines: [[Point]] = []
        func append(_ point: Point) {
            if lines.isEmpty { lines.append([.zero]) }
            lines[lines.count - 1].append(point)
        }
        var current: Point { lines.last?.last ?? .zero }
        for segment in segments {
            switch segment {
            case .move(let end): lines.append([end])
            case .line(let end): append(end)
            case .quadratic(let control, let end):
                let start = current
                for index in 1...16 {
                    let (t, s) = (Float(index) / 16, 1 - Float(index) / 16)
                    append(
                        Point(
                            x: s * s * start.x + 2 * s * t * control.x + t * t * end.x,
                            y: s * s * start.y + 2 * s * t * control.y + t * t * end.y))
                }
            case .cubic(let first, let second, let end):
                let start = current
                for index in 1...16 {
                    let (t, s) = (Float(index) / 16, 1 - Float(index) / 16)
                    let (a, b, c, d) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
                    append(
                        Point(
                            x: a * start.x + b * first.x + c * second.x + d * end.x,
                            y: a * start.y + b * first.y + c * second.y + d * end.y))
                }
            case .close: if let first = lines.last?.first { append(first) }
            }
        }
        return lines
    }
}
