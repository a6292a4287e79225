// The axes of a style's flow (CSS Writing Modes 4), and of a flex container (CSS Flexbox 1 §2). In: a style with the sizes and sides
// of the page. Out: a style for layout, with those of the flow.

extension TextStyle {
    /// Upright text is always from left to right (CSS Writing Modes 4 §5.1).
    package var usedDirection: TextDirection { orientation == .upright && writingMode.isVertical ? .ltr : direction }
}

extension ComputedStyle {
    /// True for the axes of the page in which a box's contents begin at the right, and at the bottom.
    package var startsAtEnd: (right: Bool, bottom: Bool) {
        let mode = text.writingMode
        let isReversed = (text.direction == .rtl) != (mode == .sidewaysLR)
        return mode.isVertical ? (mode.startsRight, isReversed) : (text.direction == .rtl, false)
    }

    /// True if the middle of the characters is on the baseline (CSS Writing Modes 4 §4.2).
    package var hasCentralBaseline: Bool {
        (text.writingMode == .verticalRL || text.writingMode == .verticalLR) && text.orientation != .sideways
    }

    /// True if underlines are above the line: on the right in vertical lines (CSS Text Decoration 4 §2.5).
    package var underlinesOver: Bool {
        guard hasCentralBaseline else { return false }
        return text.underlinesRight ?? FontStyle.isLanguage(font.language, of: ["ja", "ko"])
    }

    /// A copy whose sizes and sides are those of a flow: `width` is the size along its lines, `top` the side where it starts.
    package func turned(to mode: WritingMode) -> ComputedStyle {
        guard mode.isVertical else { return self }
        var box = box
        swap(&box.width, &box.height)
        swap(&box.minWidth, &box.minHeight)
        swap(&box.maxWidth, &box.maxHeight)
        swap(&box.overflowX, &box.overflowY)
        box.margin = mode.sides(box.margin)
        box.padding = mode.sides(box.padding)
        box.border = mode.sides(box.border)
        box.aspectRatio = box.aspectRatio.map { $0 > 0 ? 1 / $0 : $0 }
        if !box.$container {
            let (width, height) = (box.container.intrinsicWidth, box.container.intrinsicHeight)
            (box.container.intrinsicWidth, box.container.intrinsicHeight) = (height, width)
        }
        return ComputedStyle(self, box: box)
    }

    /// True if the items of a flex container are beside each other, not one below the other.
    package var isFlexRow: Bool { box.flexDirection == .row || box.flexDirection == .rowReverse }
    package var isFlexReversed: Bool { box.flexDirection == .rowReverse || box.flexDirection == .columnReverse }
    /// True if the main axis of a flex container runs from right to left, or from bottom to top.
    package var isFlexMirrored: Bool { isFlexReversed != (isFlexRow && text.direction == .rtl) }
}
