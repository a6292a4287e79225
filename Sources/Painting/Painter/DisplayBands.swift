// Divides a display list into bands of rows. Each band is painted from the items that reach into it.

import FancyTextBasics
import FancyTextStyling
import FancyTextTypography

/// The items of a list, indexed by the rows that they can reach.
package struct DisplayBands {
    private let list: DisplayList
    private let scale: Float
    /// The list's items; long runs of glyphs are split.
    private var items: [DisplayItem] = []
    /// The device rows that each item may touch. For a clip or layer, and for its end, they are the rows of its contents.
    private var extents: [Range<Int>] = []
    /// For each band of ``bucketHeight`` rows, the items that reach into it. `tall` holds items that reach into many.
    private var buckets: [[Int]] = []
    private var tall: [Int] = []
    private static let everywhere = Int.min..<Int.max
    private static let bucketHeight = 256
    private static let mostBuckets = 16
    /// The height in rows from which a run of glyphs is split.
    private static let partHeight = 64

    /// Creates the index. Visits every glyph once.
    package init(_ list: DisplayList, fonts: some GlyphSource, scale: Float) {
        self.list = list
        self.scale = scale
        // The start items of the open groups.
        var groups: [Int] = []
        for item in list.items {
            if case .glyphs(let glyphs) = item {
                append(glyphs, fonts, scale)
                continue
            }
            switch item {
            case .pushClip, .pushClipPath, .pushTransform, .pushLayer: groups.append(items.count)
            case .pop:
                guard let start = groups.popLast() else { break }
                let union = Self.union(of: extents[(start + 1)...])
                extents[start] = union
                items.append(item)
                extents.append(union)
                continue
            case .fill, .path, .strokePath, .boxShadow, .border, .glyphs, .decoration, .image, .backdrop, .cells: break
            }
            items.append(item)
            extents.append(Self.extent(of: item, scale))
        }
        let height = Painter.pixelSize(of: list, scale: scale).height
        buckets = Array(repeating: [], count: (height - 1) / Self.bucketHeight + 1)
        for (index, extent) in extents.enumerated() {
            let rows = extent.clamped(to: 0..<height)
            guard !rows.isEmpty else { continue }
            let reached = rows.lowerBound / Self.bucketHeight...(rows.upperBound - 1) / Self.bucketHeight
            if reached.count > Self.mostBuckets {
                tall.append(index)
            } else {
                for bucket in reached { buckets[bucket].append(index) }
            }
        }
    }

    /// The items to paint for some rows of the picture, in the list's order.
    package func list(for rows: Range<Int>) -> DisplayList {
        var part = list
        part.items.removeAll(keepingCapacity: false)
        guard !rows.isEmpty else { return part }
        let last = min(buckets.count - 1, (rows.upperBound - 1) / Self.bucketHeight)
        var reaching = tall
        for bucket in stride(from: rows.lowerBound / Self.bucketHeight, through: last, by: 1) {
            reaching.append(contentsOf: buckets[bucket])
        }
        reaching.sort()
        var previous = -1
        var depth = 0
        for index in reaching where index != previous && extents[index].overlaps(rows) {
            previous = index
            depth += items[index].nesting
            if depth == 0, let color = cover(of: rows, by: items[index]), color.alpha == 255 {
                // Everything painted before is covered.
                part.items.removeAll()
                part.background = color
            } else {
                part.items.append(items[index])
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
            rect.x <= 0, rect.maxX >= Float(Painter.pixelSize(of: list, scale: scale).width),
            rect.y <= Float(rows.lowerBound), rect.maxY >= Float(rows.upperBound)
        else { return nil }
        return color
    }

    /// The pixels that a shape fills; `nil` if it has round corners.
    private func deviceRect(of shape: RoundedRect) -> Rect? {
        guard shape.isRectangle else { return nil }
        return shape.transformed(Transform(scaleX: scale, scaleY: scale)).pixelSnapped.rect
    }

    /// The device rows between two heights, with a margin for snapping and antialiasing.
    private static func rows(_ top: Float, _ bottom: Float, _ scale: Float) -> Range<Int> {
        guard top.isFinite, bottom.isFinite else { return everywhere }
        let first = Int(bounded: (top * scale).rounded(.down)) - 2
        return first..<max(first, Int(bounded: (bottom * scale).rounded(.up)) + 2)
    }

    /// The rows of an item that is not text.
    private static func extent(of item: DisplayItem, _ scale: Float) -> Range<Int> {
        switch item {
        case .fill, .path, .boxShadow, .border, .decoration:
            guard let reach = item.reach else { return 0..<0 }
            return rows(reach.y, reach.maxY, scale)
        case .glyphs, .strokePath, .image, .pushClip, .pushClipPath, .pushTransform, .pushLayer, .backdrop, .pop,
            .cells:
            return everywhere
        }
    }

    private mutating func append(_ item: GlyphsItem, _ fonts: some GlyphSource, _ scale: Float) {
        let range = item.glyphs.clamped(to: 0..<list.glyphs.count)
        var part = item
        var start = range.lowerBound
        var extent: Range<Int>?
        func close(at end: Int) {
            guard start < end else { return }
            part.glyphs = start..<end
            items.append(.glyphs(part))
            extents.append(Self.withShadows(extent ?? 0..<0, item, scale))
            start = end
            extent = nil
        }
        for index in range {
            let glyph = list.glyphs[index]
            guard let area = fonts.area(of: glyph, item, Transform(scaleX: scale, scaleY: scale)) else { continue }
            let rows = area.minY..<max(area.minY, area.maxY)
            let union = extent.map { min($0.lowerBound, rows.lowerBound)..<max($0.upperBound, rows.upperBound) } ?? rows
            // Shadows are painted before all glyphs of their run, so a run with shadows is not split.
            if let reached = extent, item.shadows.isEmpty,
                Self.height(union) > max(Self.partHeight, Self.height(reached))
            {
                close(at: index)
                extent = rows
            } else {
                extent = union
            }
        }
        close(at: range.upperBound)
    }

    /// The range from the first to the last row of all extents.
    private static func union(of extents: ArraySlice<Range<Int>>) -> Range<Int> {
        extents.reduce(0..<0) { union, rows in
            if rows.isEmpty { return union }
            return union.isEmpty
                ? rows : min(union.lowerBound, rows.lowerBound)..<max(union.upperBound, rows.upperBound)
        }
    }

    private static func height(_ rows: Range<Int>) -> Int {
        rows == everywhere ? .max : rows.upperBound - rows.lowerBound
    }

    private static func withShadows(_ rows: Range<Int>, _ item: GlyphsItem, _ scale: Float) -> Range<Int> {
        guard rows != everywhere else { return rows }
        var (top, bottom) = (rows.lowerBound, rows.upperBound)
        for shadow in item.shadows {
            let shift = Int(bounded: (shadow.y * scale).rounded(.awayFromZero))
            top = min(top, rows.lowerBound + shift - 1)
            bottom = max(bottom, rows.upperBound + shift + 1)
        }
        return top..<bottom
    }
}
