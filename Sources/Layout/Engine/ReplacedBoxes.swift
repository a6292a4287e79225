// Replaced boxes: images and lambdas (CSS 2.1 §10.3.2, §10.4, §10.6.2). If the picture is missing, the box has the
// size of its replacement: an icon with the alternative text, a frame, or nothing.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS

/// An automatic size in one axis, and its limits.
private struct SizeRange {
    let natural, least, most: LayoutUnit

    enum Fit { case tooSmall, fits, tooLarge }
    var fit: Fit { natural > most ? .tooLarge : natural < least ? .tooSmall : .fits }
    func clamped(_ size: LayoutUnit) -> LayoutUnit { max(least, min(size, most)) }
    var used: LayoutUnit { clamped(natural) }
}

extension LayoutEngine {
    /// The border-box size of an image or lambda. With `ignoresWidth`, `width` and its limits are as if not set, to
    /// get the width that results from the rest; the same for `ignoresHeight`.
    mutating func replacedSize(
        _ box: Int, _ edges: BoxEdges, _ constraint: Constraint, ignoresWidth: Bool = false, ignoresHeight: Bool = false
    ) -> (width: LayoutUnit, height: LayoutUnit, isMissing: Bool) {
        var style = style(of: box).box
        let hasBothSides = style.width != .auto && style.height != .auto
        if ignoresWidth { (style.width, style.minWidth, style.maxWidth) = (.auto, .auto, .auto) }
        if ignoresHeight { (style.height, style.minHeight, style.maxHeight) = (.auto, .auto, .auto) }
        let isLambda = text.boxes[box].kind == .lambda
        let frame = edges.frame
        let content =
            text.boxes[box].replaced < 0
            ? ReplacedContent(source: "", alternative: "") : text.replaced[text.boxes[box].replaced]
        let (dimensions, isMissing) = naturalDimensions(of: content, in: box, zoom: style.zoom)
        var ratio =
            style.prefersNaturalRatio ? dimensions?.ratio ?? style.aspectRatio : style.aspectRatio ?? dimensions?.ratio
        var size: Size
        if let dimensions {
            size = dimensions.size(
                default: axes.isVertical ? Size(width: 150, height: 300) : Size(width: 300, height: 150))
            (size.width, size.height) = (LayoutUnit.round(size.width).float, LayoutUnit.round(size.height).float)
        } else if isLambda {
            size = .zero
        } else {
            // The width at which the alternative text wraps.
            var room = constraint.width
            if room == nil, !content.fallback.isInline { room = resolveWidth(style.width, of: box, edges, constraint) }
            let space = min(constraint.available, constraint.percentageWidth)
            if room == nil, !space.isUnlimited { room = space - edges.margin.horizontal }
            size = fallbackSize(
                content, style: text.boxes[box].style,
                width: room.map { max(.zero, $0 - frame.horizontal) } ?? .unlimited)
            // Text has no ratio, but the style may set that of its box.
            if case .frame = content.fallback {
                if !hasBothSides { ratio = ratio ?? 1 }
            } else if content.fallback.isInline || style.width == .auto && style.height == .auto {
                ratio = nil
            }
        }
        if let given = ratio, given <= 0 { ratio = nil }
        if isMissing, content.fallback.isInline {
            // An image replaced by its text is sized like text (HTML §15.4.3), whatever `width` and `height` are.
            return (
                constraint.width ?? LayoutUnit(size.width) + frame.horizontal,
                constraint.height ?? LayoutUnit(size.height) + frame.vertical, true
            )
        }
        let specifiedWidth = constraint.width ?? resolveWidth(style.width, of: box, edges, constraint)
        let specifiedHeight = constraint.height ?? resolveHeight(style.height, of: box, edges, constraint)
        let hasGivenWidth = constraint.width != nil || ignoresWidth
        let hasGivenHeight = constraint.height != nil || ignoresHeight
        func limitedWidth(_ width: LayoutUnit, _ engine: inout Self) -> LayoutUnit {
            hasGivenWidth ? width : engine.clampWidth(width, of: box, edges, constraint)
        }
        func limitedHeight(_ height: LayoutUnit) -> LayoutUnit {
            hasGivenHeight ? height : clampHeight(height, of: box, edges, constraint)
        }
        func width(by height: LayoutUnit) -> LayoutUnit {
            ratio.map { transferred(height, by: $0, of: box, edges, toWidth: true) }
                ?? LayoutUnit(size.width) + frame.horizontal
        }
        func height(by width: LayoutUnit) -> LayoutUnit {
            ratio.map { transferred(width, by: $0, of: box, edges, toWidth: false) }
                ?? LayoutUnit(size.height) + frame.vertical
        }
        switch (specifiedWidth, specifiedHeight) {
        case let (w?, h?): return (limitedWidth(w, &self), limitedHeight(h), isMissing)
        case let (w?, nil):
            let used = limitedWidth(w, &self)
            return (used, limitedHeight(height(by: used)), isMissing)
        case let (nil, h?):
            let used = limitedHeight(h)
            let wanted = width(by: used)
            return (limitedWidth(wanted, &self), used, isMissing)
        case (nil, nil):
            // Without a natural size it is as wide as a block (CSS 2.1 §10.3.2), between its insets if it is positioned. It adds
            // nothing to the width of its container.
            var natural = LayoutUnit(size.width) + frame.horizontal
            if dimensions?.hasOnlyRatio == true {
                let space = min(constraint.available, constraint.percentageWidth)
                natural = constraint.percentageWidth.isUnlimited ? .zero : space - edges.margin.horizontal
                natural.raise(to: frame.horizontal)
            }
            let across = SizeRange(
                natural: natural, least: limitedWidth(.zero, &self), most: limitedWidth(.unlimited, &self))
            let down = SizeRange(
                natural: height(by: natural), least: limitedHeight(.zero), most: limitedHeight(.unlimited))
            guard ratio != nil else { return (across.used, down.used, isMissing) }
            let used = keepingProportions(across, down, heightByWidth: height, widthByHeight: width)
            return (used.width, used.height, isMissing)
        }
    }

    /// Returns whether a box shows something else than its picture. Then it is not compressible (CSS Sizing 3 §5.2.2).
    func isMissing(_ box: Int) -> Bool {
        let (kind, place) = (text.boxes[box].kind, text.boxes[box].replaced)
        return kind == .image
            && (place < 0 || naturalDimensions(of: text.replaced[place], in: box, zoom: 1).dimensions == nil)
    }

    /// The dimensions of contents in the axes of their box, as far as they are known, and whether their picture is missing.
    private func naturalDimensions(
        of content: ReplacedContent, in box: Int, zoom: Float
    ) -> (dimensions: NaturalDimensions?, isMissing: Bool) {
        let isLambda = text.boxes[box].kind == .lambda
        guard text.boxes[box].replaced >= 0 else { return (nil, !isLambda) }
        let isEmpty = content.natural != nil && content.source.isEmpty
        let picture = isEmpty ? nil : replacedSizes.naturalDimensions(of: content.source, isLambda: isLambda)
        var dimensions = (picture ?? content.natural)?.atDensity(content.density / zoom)
        if axes.isVertical { dimensions?.turn() }
        if dimensions != nil, let width = containedWidth(box) {
            dimensions = NaturalDimensions(
                width: width.float, height: containedHeight(box)?.float ?? dimensions?.height, ratio: nil)
            dimensions?.ratio = nil
        }
        return (dimensions, picture == nil && !isLambda)
    }

    /// The used sizes if both are automatic: they keep their ratio within the limits if possible (CSS 2.1 §10.4).
    private func keepingProportions(
        _ across: SizeRange, _ down: SizeRange, heightByWidth: (LayoutUnit) -> LayoutUnit,
        widthByHeight: (LayoutUnit) -> LayoutUnit
    ) -> (width: LayoutUnit, height: LayoutUnit) {
        func byWidth(_ width: LayoutUnit) -> (LayoutUnit, LayoutUnit) { (width, down.clamped(heightByWidth(width))) }
        func byHeight(_ height: LayoutUnit) -> (LayoutUnit, LayoutUnit) {
            (across.clamped(widthByHeight(height)), height)
        }
        switch (across.fit, down.fit) {
        case (.tooLarge, .tooLarge):
            return heightByWidth(across.most) <= down.most ? byWidth(across.most) : byHeight(down.most)
        case (.tooSmall, .tooSmall):
            return heightByWidth(across.least) >= down.least ? byWidth(across.least) : byHeight(down.least)
        case (_, .fits): return byWidth(across.used)
        case (.fits, _): return byHeight(down.used)
        case (_, _): return (across.used, down.used)
        }
    }

    /// The size of a missing picture's icon and its alternative text.
    private mutating func fallbackSize(_ content: ReplacedContent, style: StyleID, width: LayoutUnit) -> Size {
        let icon = ImageFallback.iconSize
        switch content.fallback {
        case .nothing, .room: return .zero
        case .frame:
            let side = icon + 2 * ImageFallback.frameWidth
            return Size(width: side, height: side)
        case .text:
            guard !content.alternative.isEmpty else { return Size(width: icon, height: icon) }
            let lines = alternativeLines(content, style: style, width: width)
            let longest = lines.enumerated().map { ($0 == 0 ? icon : 0) + $1.width }.max() ?? 0
            return Size(
                width: LayoutUnit.ceil(longest).float,
                height: max(icon, Float(lines.count) * inlines.inlineStyle(style).box.height.float))
        }
    }

    /// The lines of the alternative text, broken at spaces; the icon floats in the first line. Linear in the text.
    private mutating func alternativeLines(
        _ content: ReplacedContent, style: StyleID, width: LayoutUnit
    ) -> [GeneratedText] {
        let whole = inlines.shapeGenerated(Array(content.alternative.utf8), style: style, level: 0)
        let first = width.float - ImageFallback.iconSize - content.fallback.iconPlace.x
        guard whole.width > first else { return [whole] }
        let space = inlines.inlineStyle(style).metrics.spaceAdvance
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        var used: Float = 0
        for word in content.alternative.utf8.split(separator: UInt8(ascii: " ")) {
            let advance = inlines.shapeGenerated(Array(word), style: style, level: 0).width
            // A word that is wider than the room beside the icon goes below it.
            let isFirst = lines.isEmpty && line.isEmpty
            let room = lines.isEmpty ? first : width.float
            if isFirst ? advance > room : !line.isEmpty && used + space + advance > room {
                lines.append(line)
                (line, used) = ([], 0)
            }
            if !line.isEmpty {
                line.append(UInt8(ascii: " "))
                used += space
            }
            line += word
            used += advance
        }
        lines.append(line)
        return lines.map { inlines.shapeGenerated($0, style: style, level: 0) }
    }

    mutating func layoutReplaced(_ box: Int, in constraint: Constraint, as slot: FragmentSlot) -> Int {
        let edges = boxEdges(box, percentageBase: constraint.percentageOfEdges)
        let size = replacedSize(box, edges, constraint)
        let index = startFragment(box, kind: text.boxes[box].kind == .lambda ? .lambda : .image, edges: edges, as: slot)
        tree.boxes[index].rect.size = (snap.ceil(size.width), snap.ceil(size.height))
        tree.boxes[index].isMissing = size.isMissing
        guard size.isMissing, text.boxes[box].replaced >= 0 else { return index }
        let content = text.replaced[text.boxes[box].replaced]
        if case .frame = content.fallback {
            tree.boxes[index].firstBaseline = tree.boxes[index].rect.height - edges.frame.bottom
        }
        guard !content.alternative.isEmpty else { return index }
        let (style, info) = (text.boxes[box].style, inlines.inlineStyle(text.boxes[box].style))
        let left = edges.frame.left + LayoutUnit(content.fallback.iconPlace.x)
        var baseline = edges.frame.top + LayoutUnit(content.fallback.iconPlace.y) + info.box.ascent
        tree.boxes[index].firstBaseline = tree.boxes[index].firstBaseline ?? baseline
        tree.boxes[index].clips = !content.fallback.isInline
        let align = text.styles[style].text
        let isRight = align.align.isRight(inRightToLeft: align.direction == .rtl)
        let width = (tree.boxes[index].rect.width - edges.frame.horizontal).nonNegative
        let lines = alternativeLines(content, style: style, width: width)
        for (number, line) in lines.enumerated() {
            let icon = number == 0 ? LayoutUnit(ImageFallback.iconSize) : .zero
            let free = (width - icon - LayoutUnit.ceil(line.width)).nonNegative
            tree.appendGeneratedLine(
                line, style: style, info, container: index,
                x: left + icon + (isRight.map { $0 ? free : .zero } ?? free / 2), baseline: baseline)
            tree.boxes[index].lastBaseline = baseline
            baseline += info.box.height
        }
        return index
    }
}
