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
        let end = text.boxes[box].end
        var child = box + 1
        repeat {
            settle(&flow)
            var row = ColumnRow(
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
            let breaking = ColumnBreaking(row.pieces, top: row.top)
            let fillsInOrder = style.box.columns.fillsInOrder && height != nil && child >= end
            let rowHeight =
                fillsInOrder
                ? room ?? .zero : snap.ceil(breaking.balancedHeight(count: geometry.count, bottom: flow.y, in: room))
            let tops = breaking.tops(height: rowHeight)
            let places = ColumnPlaces(
                top: row.top, tops: tops, height: rowHeight, stride: geometry.width + geometry.gap,
                isRightToLeft: isRightToLeft)
            moveIntoColumns(row, places, boxes: firstChild..<child, holder: text.boxes[box].holdsInlines)
            rules += columnRules(style, geometry, places, column)
            flow.y = row.top + (row.pieces.isEmpty ? .zero : rowHeight)
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

    private func spansColumns(_ box: Int) -> Bool {
        let style = style(of: box)
        return !text.boxes[box].isAnonymous && !text.boxes[box].isPositioned && style.box.float == .none
            && style.box.columns.spansAll
    }

    /// The lines between columns that both have content (§4).
    private func columnRules(
        _ style: ComputedStyle, _ geometry: ColumnGeometry, _ places: ColumnPlaces, _ column: BlockContainer
    ) -> [CollapsedBorder] {
        guard places.tops.count > 1, places.height > .zero else { return [] }
        var side = BorderSide()
        side.style = style.box.columns.ruleStyle
        side.width = style.box.columns.ruleWidth
        side.color = style.box.columns.ruleColor ?? style.text.color
        let width = resolvedBorders(Sides(side), deviceScale: deviceScale).left
        guard width > .zero else { return [] }
        return (1..<places.tops.count).map { number in
            let x = column.x + places.offset(number).x
            let middle = places.isRightToLeft ? x + geometry.width + geometry.gap / 2 : x - geometry.gap / 2
            return CollapsedBorder(
                rect: LayoutRect(x: middle - width / 2, y: places.top, width: width, height: places.height), side: side,
                isHorizontal: false)
        }
    }

    /// Moves the contents from one long column to their columns.
    private mutating func moveIntoColumns(
        _ row: ColumnRow, _ places: ColumnPlaces, boxes: Range<Int>, holder: Bool
    ) {
        guard places.tops.count > 1 else { return }
        /// The distances by which the origins of formatting contexts move that breaks divide.
        var moves = [row.root: LayoutPoint()]
        /// The distance by which something at `y` of a context moves, in addition to the context itself; nil if it stays with
        /// that.
        func offset(at y: LayoutUnit, of context: Int) -> LayoutPoint? {
            guard let top = row.contexts[context], let around = moves[context] else { return nil }
            let offset = places.offset(places.column(at: top + y))
            return LayoutPoint(x: offset.x - around.x, y: offset.y - around.y)
        }
        if holder { moveLines(of: row.root) { offset(at: $0, of: row.root) } }
        for index in row.firstBox..<tree.boxes.count {
            let fragment = tree.boxes[index]
            guard let around = moves[fragment.origin], let top = row.top(of: fragment) else { continue }
            if fragment.isContextRoot, row.contexts[index] == nil {
                guard let offset = offset(at: fragment.rect.y, of: fragment.origin) else { continue }
                tree.boxes[index].rect.x += offset.x
                tree.boxes[index].rect.y += offset.y
                for underlay in fragment.underlays {
                    tree.underlays[underlay].rect.x += offset.x
                    tree.underlays[underlay].rect.y += offset.y
                }
                continue
            }
            var long = fragment.rect
            long.y = top
            let shift = LayoutPoint(x: .zero - around.x, y: fragment.rect.y - top - around.y)
            let parts = places.parts(of: long).map { part in
                LayoutRect(x: part.x + shift.x, y: part.y + shift.y, width: part.width, height: part.height)
            }
            let whole = parts.dropFirst().reduce(parts[0]) { $0.united(with: $1) }
            tree.boxes[index].rect = whole
            if parts.count > 1 {
                tree.boxes[index].parts = tree.parts.count..<tree.parts.count + parts.count
                tree.parts += parts
            }
            if fragment.isContextRoot {
                moves[index] = LayoutPoint(
                    x: whole.x - fragment.rect.x + around.x, y: whole.y - fragment.rect.y + around.y)
            }
            let context = fragment.isContextRoot ? index : fragment.origin
            moveLines(of: index) { offset(at: $0, of: context) }
        }
        func context(of index: Int) -> Int { tree.boxes[index].isContextRoot ? index : tree.boxes[index].origin }
        for index in row.firstMarkerLine..<markerLines.count {
            let marker = markerLines[index]
            guard let offset = offset(at: marker.baseline, of: context(of: marker.container)) else { continue }
            markerLines[index].x += offset.x
            markerLines[index].baseline += offset.y
        }
        for box in boxes where text.boxes[box].isPositioned {
            guard let position = staticPositions[box],
                let offset = offset(at: position.vertical.start, of: context(of: position.container))
            else { continue }
            staticPositions[box]?.horizontal.move(by: offset.x)
            staticPositions[box]?.vertical.move(by: offset.y)
        }
    }

    private mutating func moveLines(of index: Int, _ offset: (LayoutUnit) -> LayoutPoint?) {
        for line in tree.boxes[index].lines {
            if let offset = offset(tree.lines[line].rect.y) { tree.move(line, by: offset) }
        }
    }
}

/// The places of a long column's parts beside each other.
private struct ColumnPlaces {
    var top: LayoutUnit
    /// The tops of the columns in the long one.
    var tops: [LayoutUnit]
    var height: LayoutUnit
    /// The distance from one column to the next.
    var stride: LayoutUnit
    var isRightToLeft: Bool

    func column(at y: LayoutUnit) -> Int { max(0, tops.partitioningIndex { $0 > y } - 1) }

    /// The distance by which the contents of a column move.
    func offset(_ column: Int) -> LayoutPoint {
        guard column > 0 else { return LayoutPoint() }
        let x = stride * column
        return LayoutPoint(x: isRightToLeft ? .zero - x : x, y: top - tops[column])
    }

    /// The parts of a box, one for each column into which it extends.
    func parts(of rect: LayoutRect) -> [LayoutRect] {
        let first = column(at: rect.y)
        let last = max(first, rect.height > .zero ? column(at: rect.maxY - .epsilon) : first)
        return (first...last).map { number in
            var part = rect
            let start = number == first ? rect.y : tops[number]
            let end = number == last ? rect.maxY : max(start, tops[number] + height)
            let offset = offset(number)
            part.x += offset.x
            part.y = start + offset.y
            part.height = end - start
            return part
        }
    }
}
