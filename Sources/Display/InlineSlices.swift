// The parts of inline boxes on several lines. In: a layout. Out: for each part, the box as if it were on one line.

import FancyTextLayout
import FancyTextMarkup

struct InlineSlices {
    /// By fragment: the length of the parts before it, and the index of the box's length.
    private var places: [Int: (before: LayoutUnit, box: Int)] = [:]
    private var lengths: [LayoutUnit] = []

    init(_ tree: LayoutTree) {
        var open: [StackingContexts.InlineKey: Int] = [:]
        for line in tree.lines {
            let isVertical = tree.boxes[line.container].axes.isVertical
            for index in line.fragments {
                let fragment = tree.inlines[index]
                guard fragment.kind == .box, !(fragment.hasStartEdge && fragment.hasEndEdge) else { continue }
                let key = StackingContexts.InlineKey(element: fragment.element, style: fragment.style)
                // A box that is repeated, such as one in the head of a table on several pages, starts again.
                let box = fragment.hasStartEdge ? lengths.count : open[key] ?? lengths.count
                if box == lengths.count { lengths.append(.zero) }
                open[key] = box
                places[index] = (lengths[box], box)
                lengths[box] += isVertical ? fragment.rect.height : fragment.rect.width
            }
        }
    }

    /// The rectangle of the whole box around a fragment's part of it (`box-decoration-break: slice`, CSS Fragmentation 3 §5.4.1).
    func whole(_ index: Int, _ fragment: InlineFragment, isVertical: Bool, isRightToLeft: Bool) -> LayoutRect? {
        guard let place = places[index] else { return nil }
        var rect = fragment.rect
        let (length, own) = (lengths[place.box], isVertical ? rect.height : rect.width)
        let shift = isRightToLeft ? length - place.before - own : place.before
        if isVertical {
            (rect.y, rect.height) = (rect.y - shift, length)
        } else {
            (rect.x, rect.width) = (rect.x - shift, length)
        }
        return rect
    }
}
