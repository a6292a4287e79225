// From the axes of a flow, x along the lines and y across them as in all of layout, to those of the page.

import FancyTextBasics
import FancyTextCSS

extension WritingMode {
    /// A rectangle in a box of the flow, relative to the box, whose rectangle on the page is `box`.
    func page(_ rect: LayoutRect, in box: LayoutRect) -> LayoutRect {
        guard isVertical else { return rect }
        return LayoutRect(
            x: startsRight ? box.width - rect.maxY : rect.y, y: self == .sidewaysLR ? box.height - rect.maxX : rect.x,
            width: rect.height, height: rect.width)
    }

    /// The rectangle in a box of the flow of one on the page, both relative to the box.
    func flow(_ rect: LayoutRect, in box: LayoutRect) -> LayoutRect {
        guard isVertical else { return rect }
        return LayoutRect(
            x: self == .sidewaysLR ? box.height - rect.maxY : rect.y, y: startsRight ? box.width - rect.maxX : rect.x,
            width: rect.height, height: rect.width)
    }

    /// The transform from finished lines to the page; x is the position along a line. Nil for horizontal lines.
    package var pageTransform: Transform? {
        switch self {
        case .horizontalTB: nil
        case .verticalRL, .verticalLR, .sidewaysRL: Transform(xx: 0, yx: 1, xy: -1, yy: 0, x: 0, y: 0)
        case .sidewaysLR: Transform(xx: 0, yx: -1, xy: 1, yy: 0, x: 0, y: 0)
        }
    }

    /// The place on the page of a position along a line, and the other way round.
    package func alongLine(_ origin: Float) -> Float { self == .sidewaysLR ? -origin : origin }

    /// The x or y of a baseline on the page, and the other way round.
    package func acrossLine(_ baseline: Float) -> Float {
        self == .horizontalTB || self == .sidewaysLR ? baseline : -baseline
    }

    /// The rectangle along a line of one on the page.
    package func alongLine(_ rect: Rect) -> Rect {
        guard let line = pageTransform?.inverse else { return rect }
        return line.bounds(of: rect)
    }

    /// True if the upper side of the lines is away from the lines before them.
    package var invertsLines: Bool { self == .verticalLR }

    /// The transform from a box on the page, whose corner is the origin, to the box in a flow.
    func boxTransform(to box: Rect) -> Transform {
        switch self {
        case .horizontalTB: Transform(x: box.x, y: box.y)
        case .verticalRL, .sidewaysRL: Transform(xx: 0, yx: -1, xy: 1, yy: 0, x: box.x, y: box.maxY)
        case .verticalLR: Transform(xx: 0, yx: 1, xy: 1, yy: 0, x: box.x, y: box.y)
        case .sidewaysLR: Transform(xx: 0, yx: 1, xy: -1, yy: 0, x: box.maxX, y: box.y)
        }
    }

    /// The corners of the page, clockwise from the top left, in the order of the flow's corners.
    var corners: [Int] {
        switch self {
        case .horizontalTB: [0, 1, 2, 3]
        case .verticalRL, .sidewaysRL: [1, 2, 3, 0]
        case .verticalLR: [0, 3, 2, 1]
        case .sidewaysLR: [3, 0, 1, 2]
        }
    }
}

extension LayoutTree {
    /// The fragment to whose border box the contents of a fragment are relative: itself if it is a formatting context's root.
    func base(of index: Int) -> Int { boxes[index].isContextRoot ? index : max(0, boxes[index].origin) }

    /// Turns the rectangle, the edges and the parts of a fragment to the page.
    mutating func turn(_ index: Int, in origin: Int) {
        let axes = boxes[origin].axes
        if axes.invertsLines, boxes[origin].kind == .ruby {
            // The rectangle on the page is as wide as the ruby is high.
            boxes[index].rect.y = boxes[origin].rect.width - boxes[index].rect.maxY
        }
        boxes[index].rect = axes.page(boxes[index].rect, in: boxes[origin].rect)
        boxes[index].edges = boxes[index].edges.map { axes.page($0) }
        for part in boxes[index].parts { parts[part] = axes.page(parts[part], in: boxes[origin].rect) }
    }

    /// Turns a line of the contents of `base`; positions remain relative to it.
    mutating func turn(_ line: Int, of base: Int) {
        let axes = boxes[base].axes
        let (box, rect) = (boxes[base].rect, lines[line].rect)
        func turned(_ place: LayoutRect) -> LayoutRect {
            var place = place
            if axes.invertsLines { place.y = rect.y + rect.maxY - place.maxY }
            return axes.page(place, in: box)
        }
        func turned(_ baseline: LayoutUnit) -> LayoutUnit { turned(LayoutRect(y: baseline)).x }
        for index in lines[line].fragments {
            let payload = inlines[index].payload
            if axes.invertsLines, inlines[index].kind == .atomic, payload > base {
                boxes[payload].rect.y = rect.y + rect.maxY - boxes[payload].rect.maxY
            }
            inlines[index].rect = turned(inlines[index].rect)
            inlines[index].baseline = turned(inlines[index].baseline)
            if axes == .sidewaysLR { inlines[index].origin = box.height.float - inlines[index].origin }
        }
        lines[line].rect = turned(rect)
        lines[line].baseline = turned(lines[line].baseline)
    }
}
