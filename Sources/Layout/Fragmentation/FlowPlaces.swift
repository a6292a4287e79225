// Moves contents from one long column to their places in columns or pages.
//
// In: the pieces of the contents, broken. Out: fragments, lines, markers and static positions at their places; boxes that breaks
// divide have parts.

import FancyTextBoxes
import FancyTextStyling

/// The places of a long column's parts: columns beside each other, pages one below the other.
struct FlowPlaces {
    private var flows: [BrokenFlow]
    private(set) var strip: PageStrip
    private var pages: [LayoutPage] { strip.pages }
    let top: LayoutUnit
    /// The distance from one column to the next, to the right or to the left.
    private let stride: LayoutUnit

    init(_ breaking: FlowBreaking, top: LayoutUnit = .zero, stride: LayoutUnit = .zero, isRightToLeft: Bool = false) {
        flows = breaking.flows
        strip = breaking.strip
        self.top = top
        self.stride = isRightToLeft ? .zero - stride : stride
    }

    /// The places of other contents in the same columns.
    func replacing(_ breaking: FlowBreaking) -> FlowPlaces {
        var places = self
        (places.flows, places.strip) = (breaking.flows, breaking.strip)
        return places
    }

    var count: Int { pages.count }

    func x(of page: Int) -> LayoutUnit { stride * column(of: page) }

    /// The number of columns beside one in its row.
    func column(of page: Int) -> Int { strip.column(of: page) }

    /// The column or page of a number, from the top of the container.
    func place(_ number: Int) -> LayoutPage { pages[number] }

    /// The index of the last step at or above a height; nil if the flow moves with the flow around it.
    private func step(of flow: Int, at y: LayoutUnit) -> Int? {
        let steps = flows[flow].steps
        return steps.isEmpty ? nil : max(0, steps.partitioningIndex { $0.y > y } - 1)
    }

    /// The first step at or after the beginning of a page.
    private func step(of flow: Int, from page: Int) -> (y: LayoutUnit, at: BreakPosition)? {
        let steps = flows[flow].steps
        let index = steps.partitioningIndex { $0.at.page >= page }
        return index < steps.count ? steps[index] : nil
    }

    func position(_ flow: Int, at y: LayoutUnit) -> BreakPosition {
        var (flow, y) = (flow, y)
        while true {
            if let step = step(of: flow, at: y) { return flows[flow].steps[step].at }
            guard let around = flows[flow].around else { return BreakPosition(page: 0, top: top) }
            (flow, y) = around
        }
    }

    /// The page at a height of a flow.
    func page(of flow: Int, at y: LayoutUnit) -> Int { position(flow, at: y).page }

    private func offset(_ at: BreakPosition) -> LayoutPoint {
        LayoutPoint(x: x(of: at.page), y: top + pages[at.page].top - at.top)
    }

    /// The distance by which the contents of a flow move at a height.
    func offset(_ flow: Int, at y: LayoutUnit) -> LayoutPoint { offset(position(flow, at: y)) }

    /// The parts of a box, one for each page into which it extends.
    ///
    /// - Parameters:
    ///   - isBelowEdges: Whether the later parts begin below what breaks repeat, not at the top of the page.
    ///   - most: The number of parts beyond which the last ones are left out.
    func parts(of rect: LayoutRect, in flow: Int, isBelowEdges: Bool = false, atMost most: Int = .max) -> [LayoutRect] {
        let first = position(flow, at: rect.y)
        let last = rect.height > .zero ? max(first, position(flow, at: rect.maxY - .epsilon)) : first
        return (first.page...last.page).prefix(max(1, most)).map { number in
            var part = rect
            part.x += x(of: number)
            var start = top + pages[number].top
            if number == first.page {
                start = rect.y + offset(first).y
            } else if isBelowEdges, let step = self.step(of: flow, from: number), step.at.page == number {
                start = step.y + offset(step.at).y
            }
            var end = top + pages[number].top + pages[number].contentHeight
            if number == last.page {
                end = rect.maxY + offset(last).y
            } else if isBelowEdges, let next = self.step(of: flow, from: number + 1) {
                // Rows end where the next page continues.
                end = min(end, next.y + offset(position(flow, at: next.y - .epsilon)).y)
            }
            part.y = start
            part.height = max(end - start, .zero)
            return part
        }
    }
}

/// The containing block of positioned boxes in a long column (CSS Positioned Layout 3 §2.1).
struct LongBlock {
    let places: FlowPlaces
    let flow: Int
    /// The top of its border box, and its height.
    let top: LayoutUnit
    let height: LayoutUnit

    /// Its border box in the long column, if the first column were where it is.
    func rect(of fragment: BoxFragment, in tree: LayoutTree) -> LayoutRect {
        var rect = fragment.parts.first.map { tree.parts[$0] } ?? fragment.rect
        rect.origin -= places.offset(flow, at: top)
        rect.height = height
        return rect
    }
}

extension LayoutEngine {
    /// - Parameters:
    ///   - boxes: the boxes of the contents.
    ///   - holder: whether the lines of the container itself are among the contents.
    mutating func move(_ row: FlowPieces, to places: FlowPlaces, boxes: Range<Int>, holder: Bool) {
        /// The distances by which the origins of formatting contexts move that breaks divide.
        var moves = [row.root: LayoutPoint()]
        /// The flows of the contents of each box.
        var flows: [Int] = []
        func contentFlow(of index: Int) -> Int { index < row.firstBox ? 0 : flows[index - row.firstBox] }
        /// The distance by which something at `y` of a context moves, in addition to the context itself; nil if it stays with
        /// that.
        func offset(at y: LayoutUnit, of context: Int, in flow: Int) -> LayoutPoint? {
            guard let top = row.contexts[context], let around = moves[context] else { return nil }
            return places.offset(flow, at: top + y) - around
        }
        if holder { moveLines(of: row.root) { offset(at: $0, of: row.root, in: 0) } }
        for index in row.firstBox..<tree.boxes.count {
            let fragment = tree.boxes[index]
            let flow = row.boxFlows[index] ?? contentFlow(of: fragment.parent)
            flows.append(row.contentFlows[index] ?? flow)
            guard let around = moves[fragment.origin], let top = row.top(of: fragment) else { continue }
            let own = row.contexts[index]
            if holdsPositioned.contains(fragment.box), !places.strip.isStacked, !axes.isVertical,
                row.root < 0 || columnContainer(of: index) == row.root
            {
                longBlocks[fragment.box] = LongBlock(
                    places: places, flow: flow, top: top, height: fragment.rect.height)
            }
            if fragment.isContextRoot, own == nil {
                guard let offset = offset(at: fragment.rect.y, of: fragment.origin, in: flow) else { continue }
                tree.boxes[index].rect.origin += offset
                moveUnderlays(of: fragment, by: offset)
                continue
            }
            var long = fragment.rect
            long.y = top
            let shift = LayoutPoint(y: fragment.rect.y - top) - around
            let isInTable: Bool
            switch fragment.kind {
            case .tableRowGroup, .tableRow, .tableCell: isInTable = true
            case .canvas, .block, .flex, .grid, .table, .tableCaption, .tableColumn, .ruby, .image, .lambda, .marker,
                .tableWrapper:
                isInTable = false
            }
            let parts =
                divided(fragment, from: top, around, in: flow, places)
                ?? places.parts(
                    of: long, in: flow, isBelowEdges: isInTable, atMost: LayoutTree.mostParts - tree.parts.count
                ).map { $0.moved(by: shift) }
            let whole = parts.dropFirst().reduce(parts[0]) { $0.united(with: $1) }
            tree.boxes[index].rect = whole
            if !fragment.parts.isEmpty {
                for (part, rect) in zip(fragment.parts, parts) { tree.parts[part] = rect }
            } else if parts.count > 1 {
                tree.boxes[index].parts = tree.parts.count..<tree.parts.count + parts.count
                tree.parts += parts
            }
            if own != nil {
                let moved = whole.origin - fragment.rect.origin + around
                moves[index] = moved
                moveUnderlays(of: fragment, by: moved - around)
                moveBorders(of: index, from: top, in: flow, moved, places)
            }
            let context = own == nil ? fragment.origin : index
            let contents = contentFlow(of: index)
            moveLines(of: index) { offset(at: $0, of: context, in: contents) }
        }
        func context(of index: Int) -> Int { tree.boxes[index].isContextRoot ? index : tree.boxes[index].origin }
        for index in row.firstMarkerLine..<markerLines.count {
            let marker = markerLines[index]
            // The baseline of a line of cells is its bottom.
            let y = marker.baseline - .epsilon
            guard let offset = offset(at: y, of: context(of: marker.container), in: contentFlow(of: marker.container))
            else { continue }
            markerLines[index].x += offset.x
            markerLines[index].baseline += offset.y
        }
        for box in boxes where text.boxes[box].isPositioned {
            guard let position = staticPositions[box] else { continue }
            let context = context(of: position.container)
            let y = position.vertical.alignment == .end ? position.vertical.end - .epsilon : position.vertical.start
            var offset = offset(at: y, of: context, in: contentFlow(of: position.container))
            // In a containing block in the same columns it remains in the long column.
            if longBlocks[text.boxes[box].containingBlock] != nil {
                offset = moves[context].map { LayoutPoint() - $0 }
            }
            guard let offset else { continue }
            staticPositions[box]?.horizontal.move(by: offset.x)
            staticPositions[box]?.vertical.move(by: offset.y)
        }
    }

    /// The fragment of the multi-column container around a box; nil outside of columns.
    private func columnContainer(of index: Int) -> Int? {
        var around = tree.boxes[index].parent
        while around > 0 {
            let fragment = tree.boxes[around]
            if !fragment.isAnonymous, text.styles[fragment.style].box.makesColumns { return around }
            around = fragment.parent
        }
        return nil
    }

    /// The parts of a box that columns divide already, each of which is on one page; nil for other boxes.
    private func divided(
        _ fragment: BoxFragment, from top: LayoutUnit, _ around: LayoutPoint, in flow: Int, _ places: FlowPlaces
    ) -> [LayoutRect]? {
        guard !fragment.parts.isEmpty else { return nil }
        return fragment.parts.map { index in
            let part = tree.parts[index]
            return part.moved(by: places.offset(flow, at: top - fragment.rect.y + part.y) - around)
        }
    }

    private mutating func moveLines(of index: Int, _ offset: (LayoutUnit) -> LayoutPoint?) {
        for line in tree.boxes[index].lines {
            if let offset = offset(tree.lines[line].rect.y) { tree.move(line, by: offset) }
        }
    }

    private mutating func moveUnderlays(of fragment: BoxFragment, by offset: LayoutPoint) {
        for underlay in fragment.underlays { tree.underlays[underlay].rect.origin += offset }
    }

    /// Divides the collapsed borders of a table. The border between two rows is on both sides of a break.
    private mutating func moveBorders(
        of table: Int, from top: LayoutUnit, in flow: Int, _ moved: LayoutPoint, _ places: FlowPlaces
    ) {
        let borders = tree.boxes[table].collapsedBorders
        guard !borders.isEmpty, places.count > 1 else { return }
        let first = tree.collapsedBorders.count
        for index in borders {
            let border = tree.collapsedBorders[index]
            var long = border.rect
            long.y += top
            var parts: [LayoutRect]
            if border.isHorizontal {
                let ends = [long.y, long.maxY].map { y in
                    (offset: places.offset(flow, at: y), page: places.place(places.page(of: flow, at: y)))
                }
                parts = (ends[0].offset == ends[1].offset ? [ends[0]] : ends).map { offset, page in
                    let part = long.moved(by: offset)
                    return places.strip.isStacked ? part.cut(to: page) : part
                }
            } else {
                parts = places.parts(of: long, in: flow, isBelowEdges: true)
            }
            for part in parts {
                var border = border
                border.rect = part.moved(by: LayoutPoint(y: .zero - top) - moved)
                tree.collapsedBorders.append(border)
            }
        }
        tree.boxes[table].collapsedBorders = first..<tree.collapsedBorders.count
    }
}
