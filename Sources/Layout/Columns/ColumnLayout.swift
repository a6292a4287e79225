// Text in columns (CSS Multi-column 1).
//
// In: a block container whose style asks for columns, and its content box. Out: its contents in columns, one row of them above and one below
// each box that spans all. The contents are laid out in one long column, which is then broken where that may be, and the parts
// are moved beside each other.

import Boxes
import Styling

/// How many columns there are, and how wide (§3.4).
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
    /// What columns with contents of these widths ask of a container (CSS Sizing 3 §5).
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

/// The contents of a multi-column container between two boxes that span all of its columns.
private struct ColumnRow {
    /// The container, which all positions count from.
    let root: Int
    let firstBox: Int
    let firstMarkerLine: Int
    let top: LayoutUnit
    var pieces: [ColumnPiece] = []
    /// Of the next piece.
    private var nextBreak = ColumnPiece.Break.allowed
    private var nextMargin = LayoutUnit.zero

    init(root: Int, firstBox: Int, firstMarkerLine: Int, top: LayoutUnit) {
        self.root = root
        self.firstBox = firstBox
        self.firstMarkerLine = firstMarkerLine
        self.top = top
    }

    private mutating func append(_ top: LayoutUnit, _ bottom: LayoutUnit, isSpace: Bool = false) {
        pieces.append(
            ColumnPiece(top: top, bottom: bottom, breakBefore: nextBreak, isSpace: isSpace, margin: nextMargin))
        nextBreak = .allowed
        nextMargin = .zero
    }

    private mutating func meet(_ value: BreakBetween) {
        switch value {
        case .column: nextBreak = .forced
        case .avoid, .avoidColumn: if nextBreak == .allowed { nextBreak = .avoided }
        case .auto, .avoidPage, .page: break
        }
    }

    /// Collects the pieces of the boxes from `first` on.
    mutating func collect<C>(_ fragments: Range<Int>, _ engine: LayoutEngine<C>) {
        var index = fragments.lowerBound
        while index < fragments.upperBound {
            let fragment = engine.tree.boxes[index]
            defer { index = max(index + 1, engine.tree.boxes[index].end) }
            guard fragment.placement == .inFlow, fragment.kind != .marker, fragment.origin == root else { continue }
            let style = fragment.isAnonymous ? nil : engine.text.styles[fragment.style].box.columns
            if let style { meet(style.breakBefore) }
            nextMargin = max(nextMargin, fragment.margin.top)
            if fragment.isContextRoot {
                append(fragment.rect.y, fragment.rect.maxY)
            } else {
                collectBlock(
                    index, fragment,
                    avoidsBreaks: style.map { $0.breakInside == .avoid || $0.breakInside == .avoidColumn } ?? false,
                    engine)
            }
            if let style { meet(style.breakAfter) }
        }
    }

    private mutating func collectBlock<C>(
        _ index: Int, _ fragment: BoxFragment, avoidsBreaks: Bool, _ engine: LayoutEngine<C>
    ) {
        let first = pieces.count
        let frame = fragment.border + fragment.padding
        if fragment.lines.isEmpty {
            collect(index + 1..<max(index + 1, fragment.end), engine)
        } else {
            collectLines(of: fragment, engine)
        }
        let end = fragment.rect.maxY
        guard pieces.count > first else {
            if fragment.rect.height > .zero {
                append(fragment.rect.y, end, isSpace: frame.vertical == .zero && !avoidsBreaks)
            }
            return
        }
        // The box's edges stay with its first and last piece.
        pieces[first].top = min(pieces[first].top, fragment.rect.y)
        let last = pieces[pieces.count - 1].bottom
        if end - frame.bottom > last, !avoidsBreaks { append(last, end - frame.bottom, isSpace: true) }
        pieces[pieces.count - 1].bottom = max(pieces[pieces.count - 1].bottom, end)
        if avoidsBreaks {
            for piece in pieces.indices.dropFirst(first + 1) where pieces[piece].breakBefore == .allowed {
                pieces[piece].breakBefore = .avoided
            }
        }
    }

    /// Lines, of which some stay together at the beginning and at the end of a paragraph (CSS Fragmentation 3 §3.3).
    mutating func collectLines<C>(of fragment: BoxFragment, _ engine: LayoutEngine<C>) {
        let style = engine.text.styles[fragment.style].text
        for (number, line) in fragment.lines.enumerated() {
            let left = fragment.lines.count - number
            if number > 0, number < Int(style.orphans) || left < Int(style.widows) { meet(.avoid) }
            append(engine.tree.lines[line].rect.y, engine.tree.lines[line].rect.maxY)
        }
    }

    /// Breaks that would cut a float are avoided.
    mutating func keepFloatsWhole<C>(_ engine: LayoutEngine<C>) {
        for index in firstBox..<engine.tree.boxes.count {
            let fragment = engine.tree.boxes[index]
            guard fragment.placement == .float, fragment.origin == root else { continue }
            var piece = pieces.partitioningIndex { $0.top > fragment.rect.y }
            while piece < pieces.count, pieces[piece].top < fragment.rect.maxY {
                if pieces[piece].breakBefore == .allowed { pieces[piece].breakBefore = .avoided }
                piece += 1
            }
        }
    }
}

extension LayoutEngine {
    /// Lays out the contents of a multi-column container.
    ///
    /// - Parameters:
    ///   - height: of the content box; nil where the contents decide.
    ///   - limit: what the content box may grow to.
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
                    if let limit = lineLimit, limit.left <= 0 {
                        child = end
                        break
                    }
                    if child != text.boxes[box].legend { layoutChild(child, in: column, flow: &flow) }
                    child = text.boxes[child].end
                }
                settle(&flow)
                row.collect(row.firstBox..<tree.boxes.count, self)
            }
            row.keepFloatsWhole(self)
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
        let style = style(of: box).box
        return !text.boxes[box].isAnonymous && !text.boxes[box].isPositioned && style.float == .none
            && style.columns.spansAll
    }

    /// Lines between columns that both hold something (§4).
    private func columnRules(
        _ style: ComputedStyle, _ geometry: ColumnGeometry, _ places: ColumnPlaces, _ column: BlockContainer
    ) -> [CollapsedBorder] {
        guard places.tops.count > 1, places.height > .zero else { return [] }
        var side = BorderSide()
        side.style = style.box.columns.ruleStyle
        side.width = style.box.columns.ruleWidth
        side.color = style.box.columns.ruleColor ?? style.text.color
        var edges = BoxStyle()
        edges.border.left = side
        let width = resolvedBorders(edges, deviceScale: deviceScale).left
        guard width > .zero else { return [] }
        return (1..<places.tops.count).map { number in
            let x = column.x + places.offset(number).x
            let middle = places.isRightToLeft ? x + geometry.width + geometry.gap / 2 : x - geometry.gap / 2
            return CollapsedBorder(
                rect: LayoutRect(x: middle - width / 2, y: places.top, width: width, height: places.height), side: side,
                isHorizontal: false)
        }
    }

    /// Moves what is laid out in one long column to where it belongs.
    private mutating func moveIntoColumns(
        _ row: ColumnRow, _ places: ColumnPlaces, boxes: Range<Int>, holder: Bool
    ) {
        guard places.tops.count > 1 else { return }
        if holder { for line in tree.boxes[row.root].lines { move(line, places) } }
        for index in row.firstMarkerLine..<markerLines.count {
            let offset = places.offset(places.column(at: tree.boxes[markerLines[index].container].rect.y))
            markerLines[index].x += offset.x
            markerLines[index].baseline += offset.y
        }
        for box in boxes where text.boxes[box].isPositioned {
            guard let position = staticPositions[box] else { continue }
            let around = tree.boxes[position.container]
            guard position.container == row.root || !around.isContextRoot && around.origin == row.root else { continue }
            let offset = places.offset(places.column(at: position.vertical.start))
            staticPositions[box]?.horizontal.move(by: offset.x)
            staticPositions[box]?.vertical.move(by: offset.y)
        }
        for index in row.firstBox..<tree.boxes.count where tree.boxes[index].origin == row.root {
            let fragment = tree.boxes[index]
            if fragment.isContextRoot {
                let offset = places.offset(places.column(at: fragment.rect.y))
                tree.boxes[index].rect.x += offset.x
                tree.boxes[index].rect.y += offset.y
                continue
            }
            for line in fragment.lines { move(line, places) }
            let parts = places.parts(of: fragment.rect)
            tree.boxes[index].rect = parts.dropFirst().reduce(parts[0]) { $0.united(with: $1) }
            if parts.count > 1 {
                tree.boxes[index].parts = tree.parts.count..<tree.parts.count + parts.count
                tree.parts += parts
            }
        }
    }

    private mutating func move(_ line: Int, _ places: ColumnPlaces) {
        tree.move(line, by: places.offset(places.column(at: tree.lines[line].rect.y)))
    }
}

/// Where the parts of a long column lie beside each other.
private struct ColumnPlaces {
    var top: LayoutUnit
    /// Where the columns begin in the long one.
    var tops: [LayoutUnit]
    var height: LayoutUnit
    /// From one column to the next.
    var stride: LayoutUnit
    var isRightToLeft: Bool

    func column(at y: LayoutUnit) -> Int { max(0, tops.partitioningIndex { $0 > y } - 1) }

    /// How far a column's contents move.
    func offset(_ column: Int) -> LayoutPoint {
        guard column > 0 else { return LayoutPoint() }
        let x = stride * column
        return LayoutPoint(x: isRightToLeft ? .zero - x : x, y: top - tops[column])
    }

    /// The parts of a box, one a column that it reaches into.
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
