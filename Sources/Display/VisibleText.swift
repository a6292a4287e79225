// Finds the visible text of a display list. The text stored with a picture (PNG's iTXt) must not have what the author made invisible:
// text in the colour of its background, transparent, clipped or covered. A test of one point for each character, near its middle,
// finds deliberately hidden text; it does not prove that the rest is readable.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextPainting

package struct VisibleText {
    /// The colour is `nil` if it varies.
    private typealias Layer = (item: Int, rect: Rect, color: Color?)
    private typealias Group = (clip: Rect, transform: Transform, opacity: Float)

    /// Two colours are equal to the eye if they differ by less than this in each channel.
    private static let leastContrast = 10
    /// The maximum number of comparisons between texts and painted items. Beyond it, only clips and opacity are tested.
    private static let mostComparisons = 4_000_000

    /// The visible part of a text, with the white space between.
    ///
    /// - Parameters:
    ///   - list: A list that was built with its text.
    ///   - truncate: Returns the text with a tail in place of the omitted part.
    package static func text(
        _ styled: BoxTree, in list: DisplayList, fonts: some GlyphSource, truncate: (Truncation) -> [UInt8]
    ) -> [UInt8] {
        let text = styled.text
        guard let spoken = list.text else { return text }
        var isSeen = [Bool](repeating: false, count: text.count)
        let layers = layers(of: list)
        let count = list.items.count { if case .glyphs = $0 { true } else { false } }
        let compares = layers.count * count <= mostComparisons
        walk(list) { index, item, group in
            guard case .glyphs(let glyphs) = item, !glyphs.text.isEmpty, glyphs.text.upperBound <= text.count,
                isOpaque(glyphs, group)
            else { return }
            let size = fonts.size(of: glyphs.font)
            let run = list.glyphs(of: glyphs)
            let places = run.map { group.transform.apply(Point(x: $0.x + size / 5, y: $0.y - size / 4)) }
            let ink = glyphs.strokeWidth == 0 && glyphs.shadows.isEmpty ? glyphs.fill.color : nil
            let near = compares ? candidates(layers, around: places) : []
            let clip = group.clip.grown(by: size / 3)
            let clusters = zip(run.indices, places).filter { $0.0 < spoken.clusters.count }.map { at, place in
                let seen = clip.holds(place) && (!compares || shows(ink, at: place, index, near, list.background))
                return (start: Int(spoken.clusters[at]), isSeen: seen)
            }
            mark(clusters, in: glyphs.text, &isSeen)
        }
        guard let truncation = spoken.truncation else { return kept(text, isSeen) }
        let truncated = truncate(truncation)
        let rest = truncation.resume.map { isSeen[$0..<max($0, styled.boxes[truncation.box].text.upperBound)] } ?? []
        let tail = max(0, truncated.count - truncation.start - rest.count)
        let shown = isSeen[..<truncation.start] + repeatElement(true, count: tail) + rest
        return shown.count == truncated.count ? kept(truncated, Array(shown)) : kept(text, isSeen)
    }

    private static func mark(_ clusters: [(start: Int, isSeen: Bool)], in range: Range<Int>, _ isSeen: inout [Bool]) {
        // From the last cluster to the first: each ends where the next one starts.
        let first = clusters.map(\.start).min() ?? 0
        var (start, end) = (range.upperBound, range.upperBound)
        for cluster in clusters.sorted(by: { $0.start > $1.start }) {
            if cluster.start < start { (start, end) = (cluster.start, start) }
            let from = cluster.start == first ? range.lowerBound : max(range.lowerBound, cluster.start)
            // Clusters are marked as a whole.
            guard cluster.isSeen, from < min(range.upperBound, end), !isSeen[from] else { continue }
            for byte in from..<min(range.upperBound, end) { isSeen[byte] = true }
        }
    }

    private static func isOpaque(_ glyphs: GlyphsItem, _ group: Group) -> Bool {
        guard group.opacity > 0.05 else { return false }
        let isFilled = (glyphs.fill.color?.alpha ?? 255) > 12
        let isStroked = glyphs.strokeWidth > 0 && (glyphs.strokeColor?.alpha ?? 0) > 12
        return isFilled || isStroked || glyphs.shadows.contains { $0.color.alpha > 12 }
    }

    /// Returns whether the colour differs from the one below, and nothing covers the place.
    private static func shows(_ ink: Color?, at place: Point, _ item: Int, _ near: [Layer], _ canvas: Color) -> Bool {
        var below: Color? = canvas.alpha == 255 ? canvas : nil
        for layer in near where layer.rect.holds(place) {
            if layer.item < item { below = layer.color } else if layer.color != nil { return false }
        }
        guard let ink, let below else { return true }
        func differs(_ a: UInt8, _ b: UInt8) -> Bool { abs(Int(a) - Int(b)) >= leastContrast }
        return differs(ink.red, below.red) || differs(ink.green, below.green) || differs(ink.blue, below.blue)
    }

    /// The items that cover any of the places, in their order.
    private static func candidates(_ layers: [Layer], around places: [Point]) -> [Layer] {
        let (xs, ys) = (places.map(\.x), places.map(\.y))
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return [] }
        return layers.filter {
            $0.rect.x <= right && $0.rect.maxX >= left && $0.rect.y <= bottom && $0.rect.maxY >= top
        }
    }

    /// The painted items other than text, in their order: opaque ones with their colours, and ones whose colour varies.
    private static func layers(of list: DisplayList) -> [Layer] {
        var layers: [Layer] = []
        walk(list) { index, item, group in
            var painted: (rect: Rect, color: Color?)?
            switch item {
            case .fill(let shape, .color(let color)):
                let isPlain = color.alpha == 255 && group.opacity == 1 && group.transform.isUpright
                if color.alpha > 0 { painted = (shape.rect, isPlain ? color : nil) }
            case .fill, .path, .image, .backdrop: painted = item.reach.map { ($0, nil) }
            case .boxShadow(let shape, let shadow): if shadow.inset { painted = (shape.rect, nil) }
            case .strokePath, .border, .glyphs, .decoration, .pushClip, .pushClipPath, .pushTransform, .pushLayer, .pop,
                .cells:
                break
            }
            guard let painted else { return }
            let rect = group.transform.bounds(of: painted.rect).intersection(group.clip)
            if rect.width > 0, rect.height > 0 { layers.append((index, rect, painted.color)) }
        }
        return layers
    }

    /// Visits the items with the clip, the transform and the opacity in effect.
    private static func walk(_ list: DisplayList, _ visit: (Int, DisplayItem, Group) -> Void) {
        var group: Group = (Rect(list.size), Transform(), 1)
        var groups: [Group] = []
        for (index, item) in list.items.enumerated() {
            if item.nesting > 0 { groups.append(group) }
            switch item {
            case .pushClip(let shape): group.clip = group.clip.intersection(group.transform.bounds(of: shape.rect))
            case .pushClipPath(let path, _):
                group.clip = group.clip.intersection(group.transform.bounds(of: path.bounds() ?? .zero))
            case .pushTransform(let inner): group.transform = group.transform.after(inner)
            case .pushLayer(let layer):
                group.opacity *= layer.opacity
                // Filters and masks change colours in ways that are not computed: a lower opacity marks the colours as unknown.
                if !layer.filters.isEmpty || layer.composite != .blend(.normal) { group.opacity *= 0.99 }
            case .pop: group = groups.popLast() ?? group
            case .fill, .path, .strokePath, .boxShadow, .border, .glyphs, .decoration, .image, .backdrop, .cells:
                visit(index, item, group)
            }
        }
    }

    /// The visible text, and the white space around it.
    private static func kept(_ text: [UInt8], _ isSeen: [Bool]) -> [UInt8] {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }
        var (result, hasGap): ([UInt8], Bool) = ([], false)
        result.reserveCapacity(text.count)
        for (index, byte) in text.enumerated() {
            if isSeen[index] {
                result.append(byte)
                hasGap = false
            } else if !isSpace(byte) {
                hasGap = true
            } else if !(hasGap && result.last.map(isSpace) ?? true) {
                // White space on both sides of omitted text becomes one character: a line feed if there is one.
                result.append(byte)
            } else if byte == 0x0A, !result.isEmpty {
                result[result.count - 1] = byte
            }
        }
        return result
    }
}

extension Rect {
    fileprivate func holds(_ point: Point) -> Bool {
        point.x >= x && point.x <= maxX && point.y >= y && point.y <= maxY
    }
}
