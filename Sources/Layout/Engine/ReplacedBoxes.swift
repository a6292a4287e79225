// Replaced boxes: images and lambdas (CSS 2.1 §10.3.2, §10.4, §10.6.2).
//
// In: the natural size of the picture, from whoever knows the files. Out: a fragment of the used size. A picture that is not at hand shows its
// alternative text in a box.

import Basics
import Styling

/// Knows how large pictures are by nature.
package protocol ReplacedSizes {
    /// CSS pixels; nil if there is no such picture.
    func intrinsicSize(of source: String, isLambda: Bool) -> Size?
    /// Of that size only the ratio counts: the picture has none of its own.
    func hasOnlyRatio(_ source: String) -> Bool
}

extension ReplacedSizes {
    package func hasOnlyRatio(_ source: String) -> Bool { false }
}

/// No pictures at all: every image shows its alternative text.
package struct NoReplacedSizes: ReplacedSizes {
    package init() {}
    package func intrinsicSize(of source: String, isLambda: Bool) -> Size? { nil }
}

extension LayoutEngine {
    /// The border box of an image or lambda.
    ///
    /// - Parameters:
    ///   - ignoresWidth: `width` and its limits count as if they were not set; what the rest makes of the width is asked for.
    ///   - ignoresHeight: The same of `height`.
    mutating func replacedSize(
        _ box: Int, _ edges: BoxEdges, _ constraint: Constraint, ignoresWidth: Bool = false, ignoresHeight: Bool = false
    ) -> (width: LayoutUnit, height: LayoutUnit, isMissing: Bool) {
        var style = style(of: box).box
        if ignoresWidth { (style.width, style.minWidth, style.maxWidth) = (.auto, .auto, .auto) }
        if ignoresHeight { (style.height, style.minHeight, style.maxHeight) = (.auto, .auto, .auto) }
        let isLambda = text.boxes[box].kind == .lambda
        let frame = edges.frame
        var natural: Size?
        var alternative = ""
        var hasOnlyRatio = false
        if text.boxes[box].replaced >= 0 {
            let content = text.replaced[text.boxes[box].replaced]
            natural = replacedSizes.intrinsicSize(of: content.source, isLambda: isLambda)
            alternative = content.alternative
            hasOnlyRatio = !isLambda && natural != nil && replacedSizes.hasOnlyRatio(content.source)
        }
        let isMissing = natural == nil && !isLambda
        var ratio: Float? = style.prefersNaturalRatio && natural != nil ? nil : style.aspectRatio
        if let size = natural, size.height > 0, size.width > 0 { ratio = ratio ?? size.width / size.height }
        if natural == nil {
            if isLambda {
                natural = Size(width: 0, height: 0)
            } else {
                natural = alternativeSize(alternative, style: text.boxes[box].style)
                ratio = nil
            }
        }
        let size = natural ?? .zero
        if isMissing, !alternative.isEmpty {
            // An image that stands for its text is sized like text (HTML §15.4.3), whatever `width` and `height` say.
            return (
                constraint.width ?? LayoutUnit(size.width) + frame.horizontal,
                constraint.height ?? LayoutUnit(size.height) + frame.vertical, true
            )
        }
        let specifiedWidth = constraint.width ?? resolveWidth(style.width, of: box, edges, constraint)
        let specifiedHeight = constraint.height ?? resolveHeight(style.height, of: box, edges, constraint)
        var width: LayoutUnit
        var height: LayoutUnit
        switch (specifiedWidth, specifiedHeight) {
        case let (w?, h?): (width, height) = (w, h)
        case let (w?, nil):
            width = w
            height = ratio.map { LayoutUnit((w - frame.horizontal).float / $0) } ?? LayoutUnit(size.height)
            height += frame.vertical
        case let (nil, h?):
            height = h
            width = ratio.map { LayoutUnit((h - frame.vertical).float * $0) } ?? LayoutUnit(size.width)
            width += frame.horizontal
        case (nil, nil)
        where hasOnlyRatio && ratio != nil && !constraint.percentageWidth.isUnlimited && !constraint.shrinksToFit:
            // As wide as a block would be (CSS 2.1 §10.3.2).
            width = max(.zero, constraint.percentageWidth - edges.margin.horizontal)
            height = LayoutUnit((width - frame.horizontal).float / (ratio ?? 1)) + frame.vertical
        case (nil, nil):
            width = LayoutUnit(size.width) + frame.horizontal
            height = LayoutUnit(size.height) + frame.vertical
        }
        func clampWidth(_ width: LayoutUnit, _ engine: inout Self) -> LayoutUnit {
            ignoresWidth ? width : engine.clampWidth(width, of: box, edges, constraint)
        }
        func clampHeight(_ height: LayoutUnit, _ engine: Self) -> LayoutUnit {
            ignoresHeight ? height : engine.clampHeight(height, of: box, edges, constraint)
        }
        let clampedWidth = constraint.width == nil ? clampWidth(width, &self) : width
        let clampedHeight = constraint.height == nil ? clampHeight(height, self) : height
        // Limits keep the proportions when both sizes are automatic (CSS 2.1 §10.4).
        if let ratio {
            let content = (width: clampedWidth - frame.horizontal, height: clampedHeight - frame.vertical)
            if clampedWidth != width, specifiedHeight == nil, specifiedWidth == nil || clampedHeight == height {
                height = clampHeight(LayoutUnit(content.width.float / ratio) + frame.vertical, self)
                return (clampedWidth, height, isMissing)
            }
            if clampedHeight != height, specifiedWidth == nil {
                width = clampWidth(LayoutUnit(content.height.float * ratio) + frame.horizontal, &self)
                return (width, clampedHeight, isMissing)
            }
        }
        return (clampedWidth, clampedHeight, isMissing)
    }

    /// Room for the alternative text on one line.
    private mutating func alternativeSize(_ alternative: String, style: StyleID) -> Size {
        guard !alternative.isEmpty else { return .zero }
        let shaped = inlines.shapeGenerated(Array(alternative.utf8), style: style, level: 0)
        return Size(width: LayoutUnit.ceil(shaped.width).float, height: inlines.inlineStyle(style).box.height.float)
    }

    mutating func layoutReplaced(_ box: Int, in constraint: Constraint, as slot: FragmentSlot) -> Int {
        let edges = boxEdges(box, percentageBase: constraint.percentageWidth)
        var size = replacedSize(box, edges, constraint)
        (size.width, size.height) = (snap.ceil(size.width), snap.ceil(size.height))
        let index = startFragment(
            box, kind: text.boxes[box].kind == .lambda ? .lambda : .image, edges: edges, as: slot)
        tree.boxes[index].rect.width = size.width
        tree.boxes[index].rect.height = size.height
        tree.boxes[index].isMissing = size.isMissing
        guard size.isMissing, text.boxes[box].replaced >= 0 else { return index }
        let alternative = text.replaced[text.boxes[box].replaced].alternative
        guard !alternative.isEmpty else { return index }
        // The alternative text on one line from the content box's top left.
        let style = text.boxes[box].style
        let info = inlines.inlineStyle(style)
        let shaped = inlines.shapeGenerated(Array(alternative.utf8), style: style, level: 0)
        let firstLine = tree.lines.count
        tree.appendGeneratedLine(
            shaped, style: style, info, container: index, x: edges.frame.left,
            baseline: edges.frame.top + info.box.ascent)
        tree.boxes[index].lines = firstLine..<tree.lines.count
        tree.boxes[index].firstBaseline = edges.frame.top + info.box.ascent
        tree.boxes[index].lastBaseline = tree.boxes[index].firstBaseline
        return index
    }
}
