// Text in columns (CSS Multi-column 1).
//
// In: a block container with columns in its style, and its content box. Out: its contents in columns: one row of them above and
// one below each box that spans all columns. The contents are laid out in one long column. It is broken at allowed places, and
// the parts are moved beside each other.

import FancyTextBoxes
import FancyTextStyling

/// The number of columns and their width (§3.4).
struct ColumnGeometry {
    let count: Int
    let width: LayoutUnit
    let gap: LayoutUnit

    init(_ style: BoxStyle, available: LayoutUnit, grid: LayoutGrid) {
        let gap = resolve(style.columnGap, available, grid: grid).nonNegative
        self.gap = gap
        var count = style.columns.count ?? Self.most
        if let width = style.columns.width {
            let one = max(LayoutUnit(width), .epsilon) + gap
            count = min(count, max(1, Int(((available + gap).raw) / one.raw)))
        }
        self.count = max(1, min(count, Self.most))
        width = grid.floor((available - gap * (self.count - 1)).nonNegative / Int32(self.count))
    }

    private static let most = 10_000
}

extension ColumnStyle {
    /// The intrinsic widths of a container of columns with contents of these widths (CSS Sizing 3 §5).
    func widths(of contents: IntrinsicWidths, gap: LayoutUnit) -> IntrinsicWidths {
        let number = count ?? 1
        let gaps = gap * (number - 1)
        guard let width = width.map({ LayoutUnit($0) }) else {
            return IntrinsicWidths(
                minimum: contents.minimum * number + gaps, maximum: contents.maximum * number + gaps)
        }
        return IntrinsicWidths(
            minimum: min(contents.minimum, width), maximum: max(contents.maximum, width) * number + gaps)
    }
}

extension LayoutEngine {
    /// Lays out the contents of a multi-column container.
    ///
    /// - Parameters:
    ///   - height: the height of the content box; nil if the contents decide.
    ///   - limit: the largest height of the content box.
    mutating func layoutColumns(
        of box: Int, in container: BlockContainer, height: LayoutUnit?, limit: LayoutUnit?, flow: inout Flow
    ) {
        let style = style(of: box)
        let geometry = ColumnGeometry(style.box, available: container.width, grid: snap)
        let isRightToLeft = style.text.direction == .rtl
        var column = container
        column.width = geometry.width
        if isRightToLeft { column.x += container.width - geometry.width }
        let start = flow.y
        var rules: [CollapsedBorder] = []
        columnRows[box] = nil
        let ownTop = independentTop
        let end = text.boxes[box].end
        var child = box + 1
        repeat {
            settle(&flow)
            var row = FlowPieces(
                root: flow.root, firstBox: tree.boxes.count, firstMarkerLine: markerLines.count, top: flow.y)
            let firstChild = child
            if text.boxes[box].holdsInlines {
                layoutLines(of: box, in: column, flow: &flow)
                row.collectLines(of: tree.boxes[flow.root], self)
                child = end
            } else {
                while child < end, !spansColumns(child) {
                    if isPastLimit {
                        child = end
                        break
                    }
                    if child != text.boxes[box].legend { layoutChild(child, in: column, flow: &flow) }
                    child = text.boxes[child].end
                }
                settle(&flow)
                row.collect(row.firstBox..<tree.boxes.count, self)
            }
            row.collectFloats(self)
            let room = (height ?? limit).map { max($0 - (row.top - start), .zero) }
            let balance = ColumnBalance(row.flows, top: row.top)
            let fillsInOrder = style.box.columns.fillsInOrder && height != nil && child >= end
            let rowHeight =
                fillsInOrder
                ? room ?? .zero : snap.ceil(balance.balancedHeight(count: geometry.count, bottom: flow.y, in: room))
            let pageSpace = height == nil && limit == nil ? spaceOnPage(below: ownTop.map { $0 + row.top }) : nil
            let isDivided = pageSpace.map { rowHeight > $0 } ?? false
            let breaking =
                isDivided
                ? balance.broken(
                    rowsOf: geometry.count, first: pageSpace ?? .zero, others: spaceOnPage(below: nil) ?? .zero,
                    bottom: flow.y)
                : balance.broken(height: rowHeight)
            let places = FlowPlaces(
                breaking, top: row.top, stride: geometry.width + geometry.gap, isRightToLeft: isRightToLeft)
            if places.count > 1 {
                move(row, to: places, boxes: firstChild..<child, holder: text.boxes[box].holdsInlines)
            }
            rules += columnRules(style, geometry, places, column)
            let used = isDivided ? breaking.strip.bottom : rowHeight
            flow.y = row.top + (row.flows[0].pieces.isEmpty ? .zero : used)
            if isDivided {
                columnRows[box, default: []] += breaking.strip.pages.map { row.top + $0.top } + [flow.y]
            }
            flow.floats = FloatSpace()
            if child < end {
                layoutIndependentChild(child, in: container, flow: &flow)
                child = text.boxes[child].end
            }
        } while child < end
        if !rules.isEmpty {
            let first = tree.collapsedBorders.count
            tree.collapsedBorders += rules
            tree.boxes[flow.root].collapsedBorders = first..<tree.collapsedBorders.count
        }
    }

    /// The height that a page leaves for columns; nil for one canvas. It is known only on the first page.
    private func spaceOnPage(below y: LayoutUnit?) -> LayoutUnit? {
        guard let pageHeight else { return nil }
        // Rows are as high as whole pixels, like pages.
        let whole = LayoutUnit(pageHeight.floor)
        guard let y, pageHeight - y > pageHeight / 4 else { return whole }
        return LayoutUnit((pageHeight - y).floor)
    }

    private func spansColumns(_ box: Int) -> Bool {
        let style = style(of: box)
        return !text.boxes[box].isAnonymous && !text.boxes[box].isPositioned && style.box.float == .none
            && style.box.columns.spansAll
    }

    /// The lines between columns that both have content (§4).
    private func columnRules(
        _ style: ComputedStyle, _ geometry: ColumnGeometry, _ places: FlowPlaces, _ column: BlockContainer
    ) -> [CollapsedBorder] {
        guard places.count > 1, places.place(0).height > .zero else { return [] }
        var side = BorderSide()
        side.style = style.box.columns.ruleStyle
        side.width = style.box.columns.ruleWidth
        side.color = style.box.columns.ruleColor ?? style.text.color
        let width = resolvedBorders(Sides(side), deviceScale: deviceScale).left
        guard width > .zero else { return [] }
        return (1..<places.count).filter { $0 % places.columns != 0 }.map { number in
            let x = column.x + places.x(of: number)
            let middle = style.text.direction == .rtl ? x + geometry.width + geometry.gap / 2 : x - geometry.gap / 2
            return CollapsedBorder(
                rect: LayoutRect(
                    x: middle - width / 2, y: places.top + places.place(number).top, width: width,
                    height: places.place(number).height), side: side, isHorizontal: false)
        }
    }
}
