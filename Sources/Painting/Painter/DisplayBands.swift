// Divides a display list into bands of rows. Each band is painted from the items that reach into it.

import FancyTextBasics
import FancyTextStyling

package struct DisplayBands {
    private let list: DisplayList
    private let scale: Float
    private let size: (width: Int, height: Int)
    /// The device rows that each item may touch. For a clip or layer, and for its end, they are the rows of its contents.
    private var extents: [Range<Int>] = []
    private static let everywhere = Int.min..<Int.max

    package init(_ list: DisplayList, fonts: some GlyphSource, scale: Float) {
        self.list = list
        self.scale = scale
        size = Painter.pixelSize(of: list, scale: scale)
        // The start items of the open groups.
        var groups: [Int] = []
        for (index, item) in list.items.enumerated() {
            if case .glyphs(let glyphs) = item {
                let area = LayerBounds.extent(of: glyphs, list, Transform(scaleX: scale, scaleY: scale), fonts)
                extents.append(area.map { $0.minY..<max($0.minY, $0.maxY) } ?? 0..<0)
            } else if item.nesting < 0, let start = groups.popLast() {
                extents[start] = extents[(start + 1)...].reduce(0..<0, Self.union)
                extents.append(extents[start])
            } else {
                if item.nesting > 0 { groups.append(index) }
                extents.append(item.reach.map { rows($0.y, $0.maxY) } ?? Self.everywhere)
            }
        }
    }

    /// The items to paint for some rows of the picture, in the list's order.
    package func list(for rows: Range<Int>) -> DisplayList {
        var part = list
        part.items.removeAll(keepingCapacity: false)
        var depth = 0
        for (item, extent) in zip(list.items, extents) where extent.overlaps(rows) {
            depth += item.nesting
            if depth == 0, let color = cover(of: rows, by: item), color.alpha == 255 {
                // Everything painted before is covered.
                part.items.removeAll()
                part.background = color
            } else {
                part.items.append(item)
            }
        }
        return part
    }

    /// Returns whether all rows of a part are identical: each item fills a rectangle that covers all of them.
    package func areAlike(_ rows: Range<Int>, of part: DisplayList) -> Bool {
        part.items.allSatisfy { item in
            guard case .fill(let shape, .color) = item, let rect = deviceRect(of: shape) else { return false }
            return rect.y <= Float(rows.lowerBound) && rect.maxY >= Float(rows.upperBound)
        }
    }

    /// The colour with which an item covers all pixels of the rows; `nil` if it does not.
    private func cover(of rows: Range<Int>, by item: DisplayItem) -> Color? {
        guard case .fill(let shape, .color(let color)) = item, let rect = deviceRect(of: shape),
            rect.x <= 0, rect.maxX >= Float(size.width), rect.y <= Float(rows.lowerBound),
            rect.maxY >= Float(rows.upperBound)
        else { return nil }
        return color
    }

    /// The pixels that a shape fills; `nil` if it has round corners.
    private func deviceRect(of shape: RoundedRect) -> Rect? {
        guard shape.isRectangle else { return nil }
        return shape.transformed(Transform(scaleX: scale, scaleY: scale)).pixelSnapped.rect
    }

    /// The device rows between two heights, with a margin for snapping and antialiasing.
    private func rows(_ top: Float, _ bottom: Float) -> Range<Int> {
        guard top.isFinite, bottom.isFinite else { return Self.everywhere }
        let first = Int(bounded: (top * scale).rounded(.down)) - 2
        return first..<max(first, Int(bounded: (bottom * scale).rounded(.up)) + 2)
    }

    private static func union(_ some: Range<Int>, _ other: Range<Int>) -> Range<Int> {
        if some.isEmpty || other.isEmpty { return some.isEmpty ? other : some }
        return min(some.lowerBound, other.lowerBound)..<max(some.upperBound, other.upperBound)
    }
}
