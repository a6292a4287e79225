// Divides a display list into bands of rows. Each band is painted from the items that reach into it.

import FancyTextBasics
import FancyTextCSS

package struct DisplayBands {
    private let list: DisplayList
    private let scale: Float
    private let size: (width: Int, height: Int)
    /// The list's items, with long runs of glyphs split, and the device rows that each may touch: those of its contents for a clip or
    /// layer, and for its end.
    private var parts: [(item: DisplayItem, rows: Range<Int>)] = []
    /// The items that reach into each band of ``binHeight`` rows.
    private var bins: ItemBins
    private static let everywhere = Int.min..<Int.max
    private static let binHeight = 256
    /// The height in rows from which a run of glyphs is split.
    private static let partHeight = 64

    package init(_ list: DisplayList, fonts: some GlyphSource, scale: Float) {
        (self.list, self.scale, size) = (list, scale, Painter.pixelSize(of: list, scale: scale))
        bins = ItemBins(count: (size.height - 1) / Self.binHeight + 1)
        // The start items of the open groups.
        var groups: [Int] = []
        for item in list.items {
            if case .glyphs(let glyphs) = item {
                append(glyphs, fonts)
            } else if item.nesting < 0, let start = groups.popLast() {
                parts[start].rows = parts[(start + 1)...].reduce(0..<0) { Self.union($0, $1.rows) }
                parts.append((item, parts[start].rows))
            } else {
                if item.nesting > 0 { groups.append(parts.count) }
                parts.append((item, item.reach.map { rows($0.y, $0.maxY) } ?? Self.everywhere))
            }
        }
        for (index, part) in parts.enumerated() {
            if let reached = bins(of: part.rows) { bins.insert(index, in: reached) }
        }
    }

    /// The items to paint for some rows of the picture, in the list's order.
    package func list(for rows: Range<Int>) -> DisplayList {
        var part = list
        part.items.removeAll(keepingCapacity: false)
        guard let reached = bins(of: rows) else { return part }
        var depth = 0
        for index in bins[reached] where parts[index].rows.overlaps(rows) {
            let item = parts[index].item
            depth += item.nesting
            if depth == 0, let (rect, color) = rectangle(over: rows, of: item), rect.x <= 0,
                rect.maxX >= Float(size.width), color.alpha == 255
            {
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
        part.items.allSatisfy { rectangle(over: rows, of: $0) != nil }
    }

    /// The pixels and the colour of a rectangle that covers all of some rows; `nil` for other items.
    private func rectangle(over rows: Range<Int>, of item: DisplayItem) -> (Rect, Color)? {
        guard case .fill(let shape, .color(let color)) = item, shape.isRectangle else { return nil }
        let rect = shape.transformed(Transform(scaleX: scale, scaleY: scale)).pixelSnapped.rect
        return rect.y <= Float(rows.lowerBound) && rect.maxY >= Float(rows.upperBound) ? (rect, color) : nil
    }

    private func bins(of rows: Range<Int>) -> ClosedRange<Int>? {
        let rows = rows.clamped(to: 0..<size.height)
        return rows.isEmpty ? nil : rows.lowerBound / Self.binHeight...(rows.upperBound - 1) / Self.binHeight
    }

    /// The device rows between two heights, with a margin for snapping and antialiasing.
    private func rows(_ top: Float, _ bottom: Float) -> Range<Int> {
        guard top.isFinite, bottom.isFinite else { return Self.everywhere }
        let first = Int(bounded: (top * scale).rounded(.down)) - 2
        return first..<max(first, Int(bounded: (bottom * scale).rounded(.up)) + 2)
    }

    private mutating func append(_ item: GlyphsItem, _ fonts: some GlyphSource) {
        let range = item.glyphs.clamped(to: 0..<list.glyphs.count)
        var part = item
        var start = range.lowerBound
        var extent = 0..<0
        func close(at end: Int) {
            guard start < end else { return }
            part.glyphs = start..<end
            let reached = item.shadows.reduce(extent) { reached, shadow in
                let shift = Int(bounded: (shadow.y * scale).rounded(.awayFromZero))
                let (top, bottom) = (extent.lowerBound + shift - 1, extent.upperBound + shift + 1)
                return min(reached.lowerBound, top)..<max(reached.upperBound, bottom)
            }
            parts.append((.glyphs(part), reached))
            start = end
        }
        for index in range {
            let glyph = list.glyphs[index]
            guard let area = fonts.area(of: glyph, item, Transform(scaleX: scale, scaleY: scale)) else { continue }
            let rows = area.minY..<max(area.minY, area.maxY)
            let union = Self.union(extent, rows)
            // Shadows are painted before all glyphs of their run, so a run with shadows is not split.
            if !extent.isEmpty, item.shadows.isEmpty, union.count > max(Self.partHeight, extent.count) {
                close(at: index)
                extent = rows
            } else {
                extent = union
            }
        }
        close(at: range.upperBound)
    }

    private static func union(_ some: Range<Int>, _ other: Range<Int>) -> Range<Int> {
        if some.isEmpty || other.isEmpty { return some.isEmpty ? other : some }
        return min(some.lowerBound, other.lowerBound)..<max(some.upperBound, other.upperBound)
    }
}

/// Indices in ascending order by the parts of a picture that each may reach, such as bands or pages; those in many parts are apart.
struct ItemBins {
    private var parts: [[Int]]
    private var everywhere: [Int] = []
    /// Indices that would be in more parts than this go to `everywhere`.
    private static let mostParts = 16

    init(count: Int) { parts = Array(repeating: [], count: count) }

    /// - Complexity: O(1) for indices in ascending order.
    mutating func insert(_ index: Int, in range: ClosedRange<Int>) {
        func insert(into bin: inout [Int]) {
            bin.insert(index, at: (bin.last ?? -1) < index ? bin.count : bin.partitioningIndex { $0 > index })
        }
        if range.count > Self.mostParts { return insert(into: &everywhere) }
        for part in range { insert(into: &parts[part]) }
    }

    /// The indices that may be in any of some parts, each once. O(n log n) in them.
    subscript(range: ClosedRange<Int>) -> [Int] {
        if range.count == 1 { return (everywhere + parts[range.lowerBound]).sorted() }
        return Set(everywhere + parts[range].joined()).sorted()
    }
}

/// A picture whose rows are produced from top to bottom, some at a time.
package protocol PixelBands {
    var width: Int { get }
    var height: Int { get }

    /// Passes the pixels of the next rows to `body`, and returns its result and the number of following rows equal to the last.
    mutating func next<Result>(_ body: (UnsafeBufferPointer<UInt32>) -> Result) -> (result: Result, repeats: Int)
}

package struct PaintedBands<Glyphs: GlyphSource, Pictures: PictureSource>: PixelBands {
    package let width, height: Int
    package var painter = Painter()
    private let pictures: Pictures
    private let bands: DisplayBands
    private let fonts: Glyphs
    private let options: PaintOptions
    private let canvas: Bitmap
    private var top = 0

    /// The pixels painted at a time: 128 KiB. With much smaller bands, glyphs would be looked up again for every band.
    private static var bandPixels: Int { 1 << 15 }

    package init(_ list: DisplayList, fonts: Glyphs, pictures: Pictures, options: PaintOptions, canvas: Bitmap) {
        (width, height) = Painter.pixelSize(of: list, scale: options.scale)
        bands = DisplayBands(list, fonts: fonts, scale: options.scale)
        (self.fonts, self.pictures, self.options, self.canvas) = (fonts, pictures, options, canvas)
    }

    package mutating func next<Value>(_ body: (UnsafeBufferPointer<UInt32>) -> Value) -> (result: Value, repeats: Int) {
        let rows = top..<min(height, top + max(1, Self.bandPixels / width))
        top = rows.upperBound
        let part = bands.list(for: rows)
        let painted = bands.areAlike(rows, of: part) ? rows.lowerBound..<rows.lowerBound + 1 : rows
        painter.paint(part, rows: painted, fonts: fonts, pictures: pictures, options: options, into: canvas)
        return (canvas.withPixels(body), rows.count - painted.count)
    }
}
