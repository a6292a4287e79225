// Moves contents from one long column to their places in columns or pages; boxes that breaks divide get parts.

extension LayoutEngine {
    /// With `holder` the lines of the container itself are among the contents.
    mutating func move(_ row: FlowPieces, to places: FlowPlaces, boxes: Range<Int>, holder: Bool) {
        /// The distances by which the origins of formatting contexts move that breaks divide.
        var moves = [row.root: LayoutPoint()]
        /// The flows of the contents of each box.
        var flows: [Int] = []
        func contentFlow(of index: Int) -> Int { index < row.firstBox ? 0 : flows[index - row.firstBox] }
        /// The distance by which something at `y` of a context moves relative to it; nil if it stays with the context.
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
            if holdsPositioned.contains(fragment.box), !places.strip.isStacked,
                row.root < 0
                    || tree.nearest(from: fragment.parent, where: { ownStyle(of: $0)?.makesColumns == true })
                        == row.root
            {
                longBlocks[fragment.box] = LongBlock(
                    places: places, flow: flow, top: top, height: fragment.rect.height, axes: axes,
                    contents: contentFlow(of: index))
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
            let kinds: [BoxFragment.Kind] = [.tableRowGroup, .tableRow, .tableCell]
            let isInTable = kinds.contains(fragment.kind)
            let parts =
                fragment.parts.isEmpty
                ? places.parts(
                    of: long, in: flow, isBelowEdges: isInTable, atMost: LayoutTree.mostParts - tree.parts.count
                ).map { $0.moved(by: shift) }
                // Columns divide it already, and each part is on one page.
                : tree.parts[fragment.parts].map { part in
                    part.moved(by: places.offset(flow, at: top - fragment.rect.y + part.y) - around)
                }
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
            if longBlocks[text.boxes[box].containingBlock] != nil { offset = moves[context].map { LayoutPoint() - $0 } }
            guard let offset else { continue }
            staticPositions[box]?.horizontal.move(by: offset.x)
            staticPositions[box]?.vertical.move(by: offset.y)
        }
    }

    /// Returns whether the style sets the height of a box, whatever its contents.
    func hasOwnHeight(_ index: Int) -> Bool {
        let fragment = tree.boxes[index]
        let kinds: [BoxFragment.Kind] = [.block, .flex, .grid, .tableCaption]
        guard let style = ownStyle(of: fragment), fragment.box >= 0, kinds.contains(fragment.kind) else { return false }
        let frame = style.box.sizesBorderBox ? .zero : fragment.frame.vertical
        if case .length(let most) = style.box.maxHeight, !most.isRelative,
            fragment.rect.height >= LayoutUnit(most.px) + frame
        {
            return true
        }
        if case .length(let least) = style.box.minHeight, !least.isRelative, least.px > 0,
            fragment.rect.height <= LayoutUnit(least.px) + frame
        {
            return true
        }
        guard case .length(let height) = style.box.height else { return false }
        if !height.isRelative { return true }
        let around = tree.nearest(from: fragment.parent) { !$0.isAnonymous }
        return around > 0 && hasOwnHeight(around)
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
                    (offset: places.offset(flow, at: y), page: places.place(places.position(flow, at: y).page))
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
