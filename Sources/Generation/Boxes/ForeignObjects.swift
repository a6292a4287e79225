// HTML in an inline `svg`: `foreignObject` (SVG 2 §12.2). In: an `svg` element and its box. Out: for each `foreignObject` a box
// inside with the coordinates of the view box, and a picture of the shapes that follow the element, up to the next one.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup

extension BoxGenerator {
    /// The elements of a picture that are boxes.
    mutating func foreignObjects(of svg: NodeID) -> [NodeID] {
        let objects = tree.subtree(svg).filter { tree.tag($0) == .foreignobject && picture(of: $0) == svg }
        if !objects.isEmpty { text.differsInLayout = true }
        return isForLayout ? objects : []
    }

    mutating func append(foreignObjects objects: [NodeID], of svg: NodeID, to parent: Int, depth: Int) {
        guard depth < depthLimit else { return }
        let shapes = PictureShapes(tree, styled, viewport: svg)
        for (index, object) in objects.enumerated() {
            let style = text.styles[text.boxes[parent].style]
            var box = BoxStyle()
            (box.display, box.position, box.overflowX, box.overflowY) = (.block, .absolute, .hidden, .hidden)
            box.positioned.inset = style.box.padding.map { Optional($0) }
            let picture = ComputedStyle(style, box: box)
            box.transform.functions = fit(of: svg).map { [$0] } ?? []
            (box.transform.origin.position, box.transform.origin.isInitial) = (.init(x: .zero, y: .zero), false)
            let view = openPart(style, box, of: svg, in: parent, isAnonymous: true)
            text.boxes[view].containingBlock = parent
            containingBlocks.append(ContainingBlock(box: view, holdsFixed: true))
            append(foreignObject: object, to: view, of: svg, shapes, depth: depth + 2)
            closeBox(view)
            let end = index + 1 < objects.count ? objects[index + 1] : tree.subtreeEnd(svg)
            appendShapes(object..<end, of: svg, picture, to: parent)
        }
    }

    /// Appends a picture of the shapes among some nodes, over the boxes before it.
    private mutating func appendShapes(_ nodes: Range<NodeID>, of svg: NodeID, _ style: ComputedStyle, to parent: Int) {
        let start = tree.subtreeEnd(nodes.lowerBound)
        let indices = start.index..<max(start, nodes.upperBound).index
        guard writesPictures, indices.contains(where: { MarkupTree.shapeNames.contains(tree.name(NodeID(index: $0))) })
        else { return }
        var box = style.box
        let inset = box.positioned.inset
        func side(_ first: LengthPercentage?, _ second: LengthPercentage?) -> SizeValue {
            .length(LengthPercentage(px: -(first?.px ?? 0) - (second?.px ?? 0), fraction: 1))
        }
        (box.width, box.height) = (side(inset.left, inset.right), side(inset.top, inset.bottom))
        let picture = openPart(style, box, of: svg, in: parent, kind: .image)
        text.boxes[picture].containingBlock = parent
        text.boxes[picture].replaced = text.replaced.count
        text.replaced.append(
            ReplacedContent(
                source: standaloneSVG(svg, shapes: start..<nodes.upperBound), alternative: "",
                hasViewBox: fit(of: svg) != nil))
        closeBox(picture)
    }

    private mutating func append(
        foreignObject node: NodeID, to view: Int, of svg: NodeID, _ shapes: PictureShapes, depth: Int
    ) {
        let style = computed(node)
        var box = style.box
        func length(_ name: String) -> LengthPercentage { LengthPercentage(px: shapes.length(name, of: node)) }
        // The element is painted as if it established a stacking context (SVG 2 §12.2).
        (box.display, box.position, box.isolates) = (.block, .absolute, true)
        let (x, y) = (length("x"), length("y"))
        box.positioned.inset = Sides(top: y, right: nil, bottom: nil, left: x)
        if box.width == .auto { box.width = .length(length("width")) }
        if box.height == .auto { box.height = .length(length("height")) }
        // The product of the transforms around it, in the coordinates of the view box.
        var map = Transform()
        for element in sequence(first: node, next: tree.parent).prefix(while: { $0 != svg }) {
            map = shapes.map(of: element).after(map)
            if element != node { box.opacity *= computed(element).box.opacity }
        }
        box.transform = TransformStyle()
        if map != Transform() { box.transform.functions = [.matrix(Transform3D(map))] }
        box.transform.origin.position = .init(x: LengthPercentage(px: -x.px), y: LengthPercentage(px: -y.px))
        let child = openPart(style, box, of: node, in: view)
        fill(child, tree.contents(node), of: node, depth: depth)
        closeBox(child)
    }

    /// The picture that an element is drawn in, in the coordinates of the picture's view box; nil for other ones.
    func picture(of foreignObject: NodeID) -> NodeID? {
        var around: NodeID? = foreignObject
        while let node = around, styled.computed(node).box.display != .none {
            around = tree.parent(node)
            switch tree.name(node) {
            case "svg":
                // Only a box of HTML, not a part of another picture.
                let outer = tree.ancestors(node).lazy.map(tree.tag).first { $0 == .foreignobject || $0 == .svg }
                return outer == .svg ? nil : node
            case "foreignobject" where node == foreignObject: break
            case "g", "a", "switch": break
            default: return nil
            }
        }
        return nil
    }

    /// The map of an `svg` element's view box into its box; nil without a view box (SVG 2 §8.6).
    func fit(of svg: NodeID) -> TransformFunction? {
        let numbers = PictureShapes.numbers(tree.attribute(svg, "viewbox") ?? "")
        guard numbers.count == 4, numbers[2] >= 0, numbers[3] >= 0 else { return nil }
        // An empty view box shows nothing.
        guard numbers[2] > 0, numbers[3] > 0 else { return .matrix(.scale(0, 0, 1)) }
        let words = (tree.attribute(svg, "preserveaspectratio") ?? "").split(separator: " ")
        let alignment = words.first ?? "xMidYMid"
        func share(_ least: String, _ most: String) -> Float {
            alignment.contains(least) ? 0 : alignment.contains(most) ? 1 : 0.5
        }
        return .fit(
            Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]),
            alignment: alignment == "none" ? nil : Point(x: share("xMin", "xMax"), y: share("YMin", "YMax")),
            covers: words.contains("slice"))
    }
}
