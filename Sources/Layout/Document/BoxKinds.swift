// The kinds of boxes, and for each the formatting context that lays out its contents.

final class BoxKinds: FormattingContexts {
    /// The tables measured for their widths, which their layout needs again.
    private var tables: [Int: TableLayout] = [:]

    func layOut(_ box: Int, in constraint: Constraint, as slot: FragmentSlot, _ engine: inout LayoutEngine) -> Int {
        switch engine.text.boxes[box].kind {
        case .block, .tableCell, .tableCaption, .tableRowGroup, .tableRow, .tableColumn, .tableColumnGroup:
            return engine.layoutBlockRoot(box, in: constraint, as: slot)
        case .flex:
            var flex = FlexLayout(box, in: constraint, &engine)
            return flex.layOut(as: slot, &engine)
        case .grid: return GridLayout.layOut(box, in: constraint, as: slot, &engine)
        case .table:
            var table = tables[box] ?? TableLayout(box, &engine)
            defer { tables[box] = table }
            return table.layOut(in: constraint, as: slot, &engine)
        case .image, .lambda: return engine.layoutReplaced(box, in: constraint, as: slot)
        case .ruby: return RubyLayout.layOut(box, as: slot, &engine)
        case .math: return MathLayout.layOut(box, as: slot, &engine)
        }
    }

    func intrinsicWidths(_ box: Int, edges: BoxEdges, _ engine: inout LayoutEngine) -> IntrinsicWidths {
        switch engine.text.boxes[box].kind {
        case .block, .tableCell, .tableCaption, .tableRowGroup, .tableRow, .tableColumn, .tableColumnGroup:
            if let width = engine.controlWidth(box) { return IntrinsicWidths(width) + edges.frame.horizontal }
            let widths = engine.blockWidths(box)
            guard case .menu = engine.control(of: box)?.kind else { return widths + edges.frame.horizontal }
            // Rounded up to whole pixels, as in browsers.
            return IntrinsicWidths(LayoutUnit(widths.maximum.ceil)) + edges.frame.horizontal
        case .flex: return FlexLayout.intrinsicWidths(box, &engine) + edges.frame.horizontal
        case .grid: return GridLayout.intrinsicWidths(box, &engine) + edges.frame.horizontal
        case .table:
            var table = tables[box] ?? TableLayout(box, &engine)
            defer { tables[box] = table }
            return table.intrinsicWidths(&engine)
        case .image, .lambda:
            let space = Constraint(available: .unlimited, percentageHeight: engine.heights.base)
            let ignoresWidth = engine.style(of: box).box.width.isByContents
            let size = engine.replacedSize(box, edges, space, ignoresWidth: ignoresWidth)
            guard size.isMissing else { return IntrinsicWidths(size.width) }
            // The alternative text wraps, and is no replaced content that a percentage could compress (CSS Sizing 3 §5.2.2).
            let narrow = Constraint(
                available: .zero, percentageWidth: .unlimited, percentageHeight: engine.heights.base)
            let least = engine.replacedSize(box, edges, narrow, ignoresWidth: ignoresWidth).width
            return IntrinsicWidths(minimum: min(least, size.width), maximum: size.width)
        case .ruby: return RubyLayout.intrinsicWidths(box, &engine)
        case .math: return MathLayout.intrinsicWidths(box, &engine)
        }
    }
}
