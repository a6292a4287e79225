// Backgrounds of lines (Type Mode): a rounded bar per line. Adjacent bars are one path with inner corners; edges that are nearly
// equal are made equal.

import FancyTextBasics
import FancyTextCSS
import FancyTextLayout
import FancyTextPainting
import FancyTextTypography

extension DisplayListBuilder {
    /// Paints the block's background below its lines, then the backgrounds of inline boxes that replace it.
    mutating func paintLineBackgrounds(_ lines: Range<Int>, ofBlock block: TextStyle.LineBackground?) {
        guard let first = lines.first else { return }
        axes = tree.boxes[tree.lines[first].container].axes
        if let turn = axes.pageTransform { add(.pushTransform(turn)) }
        defer { if axes.isVertical { add(.pop) } }
        if let block { paintBars(lines.compactMap { inkExtent(tree.lines[$0].fragments) }, block) }
        var inner: [(background: TextStyle.LineBackground, extents: [Rect])] = []
        for line in lines {
            for run in tree.lines[line].fragments.runs({ background(ofFragment: $0) == background(ofFragment: $1) }) {
                guard let own = background(ofFragment: run.lowerBound), own != block, let extent = inkExtent(run)
                else { continue }
                if let known = inner.firstIndex(where: { $0.background == own }) {
                    inner[known].extents.append(extent)
                } else {
                    inner.append((own, [extent]))
                }
            }
        }
        for (background, extents) in inner { paintBars(extents, background) }
    }

    private func background(ofFragment index: Int) -> TextStyle.LineBackground? {
        computedStyle(tree.inlines[index].style).text.lineBackground
    }

    /// Paints a bar around each extent. Layout has added the gap between them.
    private mutating func paintBars(_ extents: [Rect], _ background: TextStyle.LineBackground) {
        let bars = extents.map { extent in
            Rect(
                x: extent.x - background.paddingX, y: extent.y - background.paddingY,
                width: extent.width + background.paddingX * 2, height: extent.height + background.paddingY * 2)
        }
        guard background.joinsCorners, background.gap <= 0 else {
            for bar in bars {
                let radius = max(0, min(background.radius, min(bar.width, bar.height) / 2))
                add(.fill(RoundedRect(rect: bar, radii: CornerRadii(all: radius)), .color(background.color)))
            }
            return
        }
        func areJoined(_ above: Int, _ below: Int) -> Bool {
            bars[below].y <= bars[above].maxY + 0.5 && bars[below].x < bars[above].maxX
                && bars[above].x < bars[below].maxX
        }
        for run in bars.indices.runs(areJoined) {
            var group = Array(bars[run])
            joinEdges(&group, radius: background.radius)
            add(.path(outline(group, radius: background.radius), .color(background.color)))
        }
    }

    /// The extent from the first to the last visible fragment, without white space at the ends.
    private func inkExtent(_ fragments: Range<Int>) -> Rect? {
        var (left, right, top, bottom) = (Float.infinity, -Float.infinity, Float.infinity, -Float.infinity)
        for index in fragments {
            let fragment = tree.inlines[index]
            if fragment.isHidden { continue }
            let rect = axes.alongLine(fragment.rect.rect)
            switch fragment.kind {
            case .box: continue
            case .atomic: (left, right) = (min(left, rect.x), max(right, rect.maxX))
            case .text, .generated:
                var x = axes.alongLine(fragment.origin)
                let base = fragment.glyphs.reduce(UInt32.max) { min($0, tree.glyphs[$1].cluster) }
                for at in fragment.glyphs {
                    let glyph = tree.glyphs[at]
                    if glyph.advance > 0, !isSpace(glyph, fragment, base: base) {
                        (left, right) = (min(left, x), max(right, x + glyph.advance))
                    }
                    x += glyph.advance
                }
            }
            (top, bottom) = (min(top, rect.y), max(bottom, rect.maxY))
        }
        return left < right ? Rect(x: left, y: top, width: right - left, height: bottom - top) : nil
    }

    /// - Parameter base: the least cluster of the fragment's glyphs, that of its first byte.
    private func isSpace(_ glyph: ShapedGlyph, _ fragment: InlineFragment, base: UInt32) -> Bool {
        guard fragment.kind == .text else { return false }
        let offset = fragment.text.lowerBound + Int(glyph.cluster) - Int(base)
        return offset < text.text.count && text.text[offset] == 0x20
    }

    /// Makes bars adjacent without overlap, and merges edges that are closer than their two roundings need.
    private func joinEdges(_ bars: inout [Rect], radius: Float) {
        for index in bars.indices.dropFirst() {
            let (middle, bottom) = ((bars[index - 1].maxY + bars[index].y) / 2, bars[index].maxY)
            bars[index - 1].height = middle - bars[index - 1].y
            (bars[index].y, bars[index].height) = (middle, bottom - middle)
        }
        guard radius > 0 else { return }
        let near = radius * 2
        for _ in 0..<2 {
            for index in bars.indices.dropFirst() {
                if abs(bars[index].x - bars[index - 1].x) < near {
                    let x = min(bars[index].x, bars[index - 1].x)
                    for bar in [index - 1, index] {
                        bars[bar].width += bars[bar].x - x
                        bars[bar].x = x
                    }
                }
                if abs(bars[index].maxX - bars[index - 1].maxX) < near {
                    let right = max(bars[index].maxX, bars[index - 1].maxX)
                    for bar in [index - 1, index] { bars[bar].width = right - bars[bar].x }
                }
            }
        }
    }

    /// The outline of the stacked bars, clockwise: down the right side, up the left one.
    private func outline(_ bars: [Rect], radius: Float) -> Path {
        var points: [Point] = []
        func add(_ x: Float, _ y: Float) {
            let point = Point(x: x, y: y)
            if points.last != point { points.append(point) }
        }
        add(bars[0].x, bars[0].y)
        for bar in bars { for y in [bar.y, bar.maxY] { add(bar.maxX, y) } }
        for bar in bars.reversed() { for y in [bar.maxY, bar.y] { add(bar.x, y) } }
        if points.count > 1, points.first == points.last { points.removeLast() }
        func triples(_ line: [Point]) -> [(before: Point, point: Point, after: Point)] {
            line.indices.map { (line[($0 + line.count - 1) % line.count], line[$0], line[($0 + 1) % line.count]) }
        }
        let corners = triples(points).filter { before, point, after in
            !(before.x == point.x && point.x == after.x) && !(before.y == point.y && point.y == after.y)
        }
        var path = Path()
        guard corners.count >= 4 else { return path }
        for (before, point, after) in triples(corners.map(\.point)) {
            let lengthBefore = abs(point.x - before.x) + abs(point.y - before.y)
            let lengthAfter = abs(after.x - point.x) + abs(after.y - point.y)
            let r = max(0, min(radius, min(lengthBefore, lengthAfter) / 2))
            func toward(_ other: Point, _ length: Float) -> Point {
                length <= 0 ? point : point + (other - point) / length * r
            }
            let (entry, exit) = (toward(before, lengthBefore), toward(after, lengthAfter))
            path.segments.append(path.isEmpty ? .move(entry) : .line(entry))
            if r > 0 {
                let k: Float = 0.5522847
                path.segments.append(
                    .cubic(control1: entry + (point - entry) * k, control2: exit + (point - exit) * k, end: exit))
            }
        }
        path.close()
        return path
    }
}
