// Text fragments to glyphs, shadows and decoration lines, at the places of browsers (CSS Text Decoration 4; Blink's metrics).

import FancyTextBasics
import FancyTextCSS
import FancyTextLayout
import FancyTextPainting
import FancyTextPlatform
import FancyTextTypography

struct InterceptKey: Hashable {
    var font: FontID
    var glyph: UInt32
    var top, bottom: Float
}

/// A box that decorates the text in it (CSS Text Decoration 4 §2.1): the block first, then inline boxes inwards.
struct DecoratingBox {
    /// The index after its last fragment on the line.
    var end: Int
    var baseline: Float
    var style: ComputedStyle
    /// The number of decorations on its text: its own come after those from outside.
    var decorations: Int { style.box.decorations.count }
}

extension DisplayListBuilder {
    /// - Parameters:
    ///   - boxes: the decorating boxes around the text, outermost first.
    ///   - line: the fragments of its line.
    mutating func paintText(_ fragment: InlineFragment, fill: Fill?, in boxes: [DecoratingBox], line: Range<Int>) {
        let style = computedStyle(fragment.style)
        guard style.text.visibility == .visible, !fragment.glyphs.isEmpty else { return }
        let turn = axes.pageTransform
        // Turned glyphs are on whole pixels across the line, as others are.
        let isTurned = turn != nil && !fragment.isUpright
        var baseline = axes.acrossLine(isTurned ? onDevice(fragment.baseline.float) : fragment.baseline.float)
        // Fallback fonts are placed on the alphabetic baseline of the first font, by the middle of their own ascent and descent.
        if fragment.isUpright, let fonts {
            baseline += drop(of: style) * fragment.scale - drop(of: fonts.metrics(fragment.font))
        }
        let uprightTurn = fragment.isUpright ? turn : nil
        let first = list.glyphs.count
        var x = axes.alongLine(fragment.origin)
        for at in fragment.glyphs {
            let glyph = tree.glyphs[at]
            if glyph.id != ShapedGlyph.invisible {
                let place = Point(x: x + glyph.xOffset, y: baseline - glyph.yOffset)
                let onPage = uprightTurn?.apply(place) ?? place
                list.glyphs.append(PositionedGlyph(id: glyph.id, x: onPage.x, y: onPage.y))
            }
            x += glyph.advance
        }
        let range = first..<list.glyphs.count
        let spoken = list.text == nil ? 0..<0 : keepText(of: fragment, style)
        let color = style.text.fillColor ?? style.text.color
        let decorations = style.box.decorations
        let own = DecoratingBox(end: 0, baseline: baseline, style: style)
        let decorating = decorations.indices.map { index in boxes.first { $0.decorations > index } ?? own }
        for (decoration, box) in zip(decorations, decorating) {
            for line: TextDecoration.Lines in [.underline, .overline] where decoration.lines.contains(line) {
                paintDecoration(decoration, line, fragment, style, range, box, fill)
            }
        }
        if !range.isEmpty {
            let glyphTurn = fragment.isUpright ? nil : turn
            var item = GlyphsItem(font: fragment.font, glyphs: range, fill: .color(color))
            item.skew = style.text.obliqueness
            let expansion = style.text.expansion
            item.stretch = fragment.stretch * (expansion == 0 ? 1 : exp(min(max(expansion, -3), 3)))
            item.text = spoken
            if list.text != nil {
                item.part = linePart
                item.part.link = Int32(clamping: text.links.link(of: fragment.element, styledAs: style.text.link))
                let box = Int(linePart.box)
                let around = text.boxes.indices.contains(box) ? text.styles[text.boxes[box].style].font.language : ""
                if style.font.language != around { item.part.style = Int32(clamping: fragment.style.rawValue) }
            }
            item.isRightToLeft = fragment.level & 1 == 1
            item.shadows = visible(style.text.shadows, turned: glyphTurn)
            if style.text.strokeWidth != 0 {
                item.strokeColor = style.text.strokeColor ?? style.text.color
                item.strokeWidth = style.text.strokeWidth
            }
            if style.text.strokesFirst, item.strokeWidth != 0 {
                var stroke = item
                (stroke.fill, stroke.text) = (.color(.transparent), 0..<0)
                add(.glyphs(stroke), turned: glyphTurn)
                (item.strokeColor, item.strokeWidth, item.shadows) = (nil, 0, [])
            }
            if let fill, color.alpha < 255 {
                var below = item
                (below.fill, below.isClip, below.shadows) = (fill, true, [])
                (below.strokeColor, below.strokeWidth) = (nil, 0)
                if color.alpha > 0 { below.text = 0..<0 } else { item.text = 0..<0 }
                add(.glyphs(below), turned: glyphTurn)
            }
            if color.alpha > 0 || item.strokeWidth != 0 || !item.shadows.isEmpty {
                add(.glyphs(item), turned: glyphTurn)
            }
        }
        for (decoration, box) in zip(decorations, decorating) where decoration.lines.contains(.lineThrough) {
            paintDecoration(decoration, .lineThrough, fragment, style, range, box, fill)
        }
        paintEmphasis(fragment, style, line)
    }

    // MARK: Vertical lines

    /// The distance of the alphabetic baseline below that of the line.
    func drop(of style: ComputedStyle) -> Float {
        guard axes.isVertical, style.hasCentralBaseline, let fonts else { return 0 }
        return drop(of: fonts.metrics(fonts.intern(style.font)))
    }

    private func drop(of metrics: FontMetrics) -> Float {
        let metrics = rounded(metrics)
        return (metrics.roundedAscent - metrics.roundedDescent) / 2
    }

    private func rounded(_ metrics: FontMetrics) -> FontMetrics {
        var metrics = metrics
        metrics.round(toPixelsOf: scale)
        return metrics
    }

    /// The shadows that show, with distances along the line if the text is turned to the page.
    private func visible(_ shadows: [Shadow], turned turn: Transform?) -> [Shadow] {
        let visible = shadows.filter { $0.color.alpha > 0 }
        guard let inverse = turn?.inverse else { return visible }
        return visible.map { shadow in
            var turned = shadow
            let distance = inverse.apply(Point(x: shadow.x, y: shadow.y))
            (turned.x, turned.y) = (distance.x, distance.y)
            return turned
        }
    }

    /// Records the text of a fragment's glyphs, and the link that it belongs to. Returns the range of the text's bytes.
    private mutating func keepText(of fragment: InlineFragment, _ style: ComputedStyle) -> Range<Int> {
        let shown = fragment.glyphs.filter { tree.glyphs[$0].id != ShapedGlyph.invisible }
        if fragment.kind == .text { noteItem(ofLink: text.links.link(of: fragment.element, styledAs: style.text.link)) }
        if linePart.isMarker { return keepText(ofMarker: shown) }
        guard fragment.kind == .text else {
            // Text that layout added is not in the document: the font maps its glyphs back to characters.
            let start = list.text?.bytes.count ?? 0
            for glyph in shown {
                let place = UInt32(clamping: list.text?.bytes.count ?? 0)
                list.text?.clusters.append(place)
                let character = fonts?.character(of: tree.glyphs[glyph].id, font: fragment.font)
                if let scalar = character.flatMap(Unicode.Scalar.init) {
                    list.text?.bytes.append(contentsOf: String(Character(scalar)).utf8)
                }
            }
            return start..<(list.text?.bytes.count ?? start)
        }
        // Clusters count from the start of the text content; the lowest one is the fragment's first byte.
        let base = tree.glyphs.firstCluster(of: fragment.glyphs) ?? 0
        let start = fragment.text.lowerBound - base
        let clusters = shown.map { UInt32(clamping: start + Int(tree.glyphs[$0].cluster)) }
        list.text?.clusters += clusters
        return fragment.text
    }

    /// Adds the characters of a marker that glyphs show; clusters count from the marker's start.
    private mutating func keepText(ofMarker glyphs: [Int]) -> Range<Int> {
        let marker = Array(text.markers[text.boxes[Int(linePart.box)].marker].text.utf8)
        let clusters = glyphs.map { min(Int(tree.glyphs[$0].cluster), marker.count) }
        // The runs of a marker share one copy of its text, whose order is that of reading.
        let last = list.text?.bytes.dropFirst(text.text.count).suffix(marker.count) ?? []
        if !last.elementsEqual(marker) { list.text?.bytes += marker }
        let start = (list.text?.bytes.count ?? 0) - marker.count
        let (low, high) = (clusters.min() ?? 0, (clusters.max() ?? 0) + 1)
        let end = marker[min(high, marker.count)...].firstIndex { $0 & 0xC0 != 0x80 } ?? marker.count
        list.text?.clusters += clusters.map { UInt32(clamping: start + $0) }
        return start + min(low, end)..<start + end
    }

    // MARK: Decorations

    private mutating func paintDecoration(
        _ decoration: TextDecoration, _ line: TextDecoration.Lines, _ fragment: InlineFragment, _ style: ComputedStyle,
        _ glyphs: Range<Int>, _ box: DecoratingBox, _ fill: Fill?
    ) {
        let start = axes.alongLine(fragment.origin)
        let width = fragment.glyphs.reduce(start) { $0 + tree.glyphs[$1].advance } - start
        let fill = decoration.color.alpha < 255 ? fill : nil
        guard let fonts, width > 0, decoration.color.alpha > 0 || fill != nil else { return }
        let metrics = rounded(fonts.metrics(fonts.intern(box.style.font)))
        let own = rounded(fonts.metrics(fonts.intern(style.font)))
        let scale = fragment.scale
        let thickness = decorationThickness(decoration, metrics, scale: scale)
        var textBaseline = axes.acrossLine(fragment.baseline.float)
        if fragment.isUpright { textBaseline += drop(of: style) }
        let textTop = onDevice(textBaseline) - own.roundedAscent * scale
        let top: Float
        var item = DecorationItem(
            x: start, y: 0, width: width, thickness: thickness, style: decoration.style, color: decoration.color)
        if box.style.hasCentralBaseline, axes.isVertical,
            line == .underline || line == .overline && box.style.underlinesOver
        {
            // Beside the em boxes, on the side of the underline or opposite to it.
            let isOver = (line == .underline) == box.style.underlinesOver
            let offset = line == .underline ? style.text.underlineOffset : nil
            let size = decoration.fontSize * scale
            let outside = offset?.resolved(against: size) ?? 0
            let distance = onDevice(size / 2 + outside, .down) + 1 / self.scale
            let middle = onDevice(box.baseline - drop(of: box.style))
            top = isOver ? middle - distance - thickness : middle + distance
            item.growth = isOver ? -1 : 1
        } else if line == .underline {
            // Raised or lowered text in the decorating box does not move the line.
            top =
                onDevice(box.baseline) + underlineOffset(style, decoration, metrics, thickness: thickness, scale: scale)
            item.growth = 1
        } else if line == .overline {
            (top, item.growth) = (textTop - thickness, -1)
        } else {
            (top, item.growth) = (textTop + 2 * metrics.ascent * scale / 3 - thickness / 2, 0)
        }
        item.y = top + thickness / 2
        let turn = axes.pageTransform
        item.shadows = visible(style.text.shadows, turned: turn)
        if line != .lineThrough, style.text.skipsInk, !fragment.isUpright {
            // An offset is measured from the exact ascent, though the line itself is painted on whole pixels.
            let isOffset = line == .underline && style.text.underlineOffset != nil
            let fraction = isOffset ? (metrics.ascent - metrics.roundedAscent) * scale : 0
            item.gaps = inkGaps(item, fragment, glyphs, fraction: fraction)
        }
        if let fill {
            // The background of the text is clipped to its lines too (CSS Backgrounds 4 §2.9).
            var shape = item
            (shape.color, shape.shadows) = (.black, [])
            add(.pushLayer(LayerItem()))
            add(.decoration(shape), turned: turn)
            add(.pushLayer(LayerItem(composite: .sourceIn)))
            // A wave is up to five times as high as its line is thick.
            var area = Rect(x: item.x, y: top - 5 * thickness, width: width, height: 11 * thickness)
            if turn == nil, case .gradient(_, let box) = fill { area = area.intersection(box) }
            add(.fill(RoundedRect(rect: area), fill), turned: turn)
            list.items += [.pop, .pop]
        }
        if decoration.color.alpha > 0 { add(.decoration(item), turned: turn) }
    }

    /// `text-decoration-thickness`: auto is a tenth of the font size, at least a pixel.
    private func decorationThickness(_ decoration: TextDecoration, _ metrics: FontMetrics, scale: Float) -> Float {
        let size = decoration.fontSize * scale
        let thickness =
            switch decoration.thickness {
            case .auto: size / 10
            case .fromFont: metrics.underlineThickness > 0 ? metrics.underlineThickness * scale : size / 10
            case .length(let length): onDevice(length.resolved(against: size))
            }
        return max(1 / self.scale, thickness)
    }

    private func onDevice(_ length: Float, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) -> Float {
        (length * scale).rounded(rule) / scale
    }

    /// The distance from the baseline to the top of the underline.
    private func underlineOffset(
        _ style: ComputedStyle, _ decoration: TextDecoration, _ metrics: FontMetrics, thickness: Float, scale: Float
    ) -> Float {
        let offset = style.text.underlineOffset.map { $0.resolved(against: decoration.fontSize * scale) }
        let gap = onDevice(max(1 / self.scale, thickness / 2), .up)
        switch style.text.underlinePosition {
        // An explicit offset is measured from the baseline itself; otherwise there is a gap between baseline and line.
        case .auto: return offset.map { onDevice($0) } ?? gap
        case .fromFont:
            guard metrics.underlineThickness > 0 else { return gap }
            return onDevice(metrics.underlinePosition * scale) - onDevice(thickness / 2, .down) + onDevice(offset ?? 0)
        case .under: return onDevice(metrics.emDescent * scale + (offset ?? 0), .down) + 1 / self.scale
        }
    }

    /// The intervals where glyphs cross the line (`text-decoration-skip-ink`), whose exact top is `fraction` below the painted one.
    private mutating func inkGaps(
        _ item: DecorationItem, _ fragment: InlineFragment, _ glyphs: Range<Int>, fraction: Float
    ) -> [(from: Float, to: Float)] {
        var top = (item.y - item.thickness / 2 + 0.5).rounded(.down)
        let height = max(1, item.thickness.rounded(.down))
        var bottom = top + height
        top += fraction
        switch item.style {
        case .solid, .dotted, .dashed: break
        case .double: if item.growth < 0 { top -= height + 1 } else { bottom += height + 1 }
        case .wavy:
            // The curve of a wave extends 0.29 times as far as its control points.
            let middle = top + Float(item.growth) * (height + 1) + 0.5
            let swing = 0.29 * (3 * item.thickness + 1) + item.thickness / 2
            (top, bottom) = (middle - swing, middle + swing)
        }
        var gaps: [(from: Float, to: Float)] = []
        let margin = min(item.thickness, 13)
        for index in glyphs {
            let glyph = list.glyphs[index]
            guard let span = intercept(fragment.font, glyph.id, top: top - glyph.y, bottom: bottom - glyph.y)
            else { continue }
            let (from, to) = (glyph.x + span.0 - margin, glyph.x + span.1 + margin)
            if let last = gaps.last, from <= last.to {
                gaps[gaps.count - 1].to = max(last.to, to)
            } else {
                gaps.append((from, to))
            }
        }
        return gaps
    }

    /// The leftmost and rightmost ink of a glyph between two heights relative to its baseline (y down); `nil` without ink.
    private mutating func intercept(_ font: FontID, _ glyph: UInt32, top: Float, bottom: Float) -> (Float, Float)? {
        let key = InterceptKey(font: font, glyph: glyph, top: top, bottom: bottom)
        if let known = intercepts[key] { return known }
        var (left, right) = (Float.infinity, -Float.infinity)
        for line in fonts?.glyphOutline(font, glyph).lines(quadratic: 8, cubic: 12) ?? [] {
            for (a, b) in zip(line, line.dropFirst()) {
                // The part of the segment between the two heights.
                let (low, high) = (min(a.y, b.y), max(a.y, b.y))
                guard high >= top, low <= bottom else { continue }
                func x(at y: Float) -> Float { a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y) }
                let from = a.y == b.y ? a.x : x(at: max(low, top))
                let to = a.y == b.y ? b.x : x(at: min(high, bottom))
                (left, right) = (min(left, min(from, to)), max(right, max(from, to)))
            }
        }
        let result: (Float, Float)? = left <= right ? (left, right) : nil
        intercepts[key] = .some(result)
        return result
    }

    /// The extents above and below the baseline of the em boxes of the fonts of a line's text with this style.
    private mutating func emBox(of style: StyleID, on line: Range<Int>, _ fonts: FontContext) -> (Float, Float) {
        if emBoxes?.line != line {
            var boxes: [StyleID: (Float, Float)] = [:]
            for fragment in tree.inlines[line] where fragment.kind == .text {
                let (known, own) = (boxes[fragment.style] ?? (0, 0), fonts.metrics(fragment.font))
                boxes[fragment.style] = (max(known.0, own.emAscent), max(known.1, own.emDescent))
            }
            emBoxes = (line, boxes)
        }
        return emBoxes?.boxes[style] ?? (0, 0)
    }

    private mutating func paintEmphasis(_ fragment: InlineFragment, _ style: ComputedStyle, _ line: Range<Int>) {
        guard let fonts, let mark = style.text.emphasisMark, !mark.isEmpty, fragment.kind == .text else { return }
        var small = style.font
        small.size = small.emphasisSize
        let shaped = fonts.shape(mark, style: fragment.style, chain: fonts.intern(small))
        guard let run = shaped.runs.first else { return }
        let markWidth = LayoutUnit.ceil(shaped.glyphs.advance(of: run.glyphs)).float
        // The em boxes of text and marks touch, each part rounded up to whole pixels.
        func whole(_ length: Float) -> Float { onDevice(LayoutUnit.round(length).float, .up) }
        let isUpright = fragment.isUpright
        let half = style.font.size / 2
        let (textTop, textBottom) = isUpright ? (half, half) : emBox(of: fragment.style, on: line, fonts)
        let below = fonts.metrics(run.font).emDescent
        let isUnder = axes.isVertical ? style.text.emphasizesLeft != (axes == .sidewaysLR) : style.text.emphasizesUnder
        let distance = isUnder ? whole(textBottom) + whole(small.size - below) : .zero - whole(textTop) - whole(below)
        let y = axes.acrossLine(fragment.baseline.float) + distance
        let first = list.glyphs.count
        let base = tree.glyphs.firstCluster(of: fragment.glyphs) ?? 0
        var x = axes.alongLine(fragment.origin)
        for cluster in tree.glyphs.clusters(of: fragment.glyphs) {
            let advance = tree.glyphs.advance(of: cluster)
            let byte = fragment.text.lowerBound + Int(tree.glyphs[cluster.lowerBound].cluster) - base
            if tree.glyphs[cluster].contains(where: { $0.id != ShapedGlyph.invisible }), advance > 0,
                takesEmphasis(at: byte)
            {
                var place = Point(x: x + (advance - markWidth) / 2, y: y)
                if fragment.isUpright, let turn = axes.pageTransform {
                    // The middle of the mark is above that of the character.
                    place = turn.apply(Point(x: x + advance / 2, y: y + below - small.size / 2))
                    place.x -= markWidth / 2
                    place.y += small.size / 2 - below
                }
                for glyph in shaped.glyphs[run.glyphs] {
                    list.glyphs.append(
                        PositionedGlyph(id: glyph.id, x: place.x + glyph.xOffset, y: place.y - glyph.yOffset))
                    place.x += glyph.advance
                }
            }
            x += advance
        }
        guard list.glyphs.count > first else { return }
        list.text?.clusters.append(contentsOf: repeatElement(0, count: list.glyphs.count - first))
        let color = style.text.emphasisColor ?? style.text.color
        let marks = GlyphsItem(font: run.font, glyphs: first..<list.glyphs.count, fill: .color(color))
        add(.glyphs(marks), turned: isUpright ? nil : axes.pageTransform)
    }

    /// Returns whether a character has a mark: spaces, controls and most punctuation have none (CSS Text Decoration 4 §3).
    private func takesEmphasis(at byte: Int) -> Bool {
        guard byte < text.text.count,
            let scalar = String(decoding: text.text[byte...].prefix(4), as: UTF8.self).unicodeScalars.first
        else { return false }
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .unassigned: return false
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            let compatible = (0xFF01...0xFF5E).contains(scalar.value) ? scalar.value - 0xFEE0 : scalar.value
            return Self.emphasized.contains { $0.value == compatible }
        default: return true
        }
    }

    private static let emphasized = "#%‰‱٪؉؊&⁊@§¶⁋⁓〽".unicodeScalars
}
