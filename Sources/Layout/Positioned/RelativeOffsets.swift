// Relatively positioned boxes, which move with their contents after everything is placed (CSS Positioned Layout 3 §3.3).

import FancyTextBoxes
import FancyTextStyling

extension LayoutEngine {
    /// Makes the positions of the fragments from `first` on absolute.
    mutating func settlePlaces(from first: Int) {
        appendMarkerLines()
        guard hasRelativePositions else { return tree.finish(from: first) }
        let height = options.height.map { LayoutUnit($0) }
        let offsets = RelativeOffsets(styles: text.styles, canvasHeight: height, grid: snap)
        tree.finish(from: first, relativeOffset: offsets.offset)
    }

    private mutating func appendMarkerLines() {
        for marker in markerLines {
            let first = tree.lines.count
            tree.appendGeneratedLine(
                marker.text, style: marker.style, inlines.inlineStyle(marker.style), container: marker.container,
                x: marker.x, baseline: marker.baseline)
            tree.boxes[marker.container].lines = first..<tree.lines.count
        }
        markerLines.removeAll(keepingCapacity: true)
    }
}

/// The distances by which relative positions move boxes. It has the styles but not the tree, because a copy of the tree would be
/// kept while its positions are written.
private struct RelativeOffsets {
    let styles: StyleTable
    /// The height of the canvas, if it is definite.
    let canvasHeight: LayoutUnit?
    let grid: LayoutGrid

    /// The distance by which a style moves its box.
    func offset(_ style: StyleID, _ tree: LayoutTree, _ parent: Int) -> LayoutPoint {
        let style = styles[style]
        guard style.box.position == .relative else { return LayoutPoint() }
        var block = parent
        while block > 0, tree.boxes[block].isAnonymous { block = tree.boxes[block].parent }
        let around = tree.boxes[max(0, block)]
        let width = (around.rect.width - around.border.horizontal - around.padding.horizontal).nonNegative
        // Percentages of a height that depends on the contents count as `auto`.
        var height: LayoutUnit?
        if block <= 0 {
            height = canvasHeight
        } else if styles[around.style].box.height != .auto || around.placement == .positioned {
            height = (around.rect.height - around.border.vertical - around.padding.vertical).nonNegative
        }
        let inset = style.box.positioned.inset
        func length(_ value: LengthPercentage?, of base: LayoutUnit?) -> LayoutUnit? {
            guard let value, !value.isRelative || base != nil else { return nil }
            return resolve(value, base ?? .zero, grid: grid)
        }
        let (left, right) = (length(inset.left, of: width), length(inset.right, of: width))
        let (top, bottom) = (length(inset.top, of: height), length(inset.bottom, of: height))
        let isRightToLeft = styles[around.style].text.direction == .rtl
        var offset = LayoutPoint()
        if let right, isRightToLeft || left == nil { offset.x = .zero - right } else { offset.x = left ?? .zero }
        offset.y = top ?? bottom.map { .zero - $0 } ?? .zero
        return offset
    }
}
