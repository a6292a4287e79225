// Updates styled text after an edit of text: the block around it is generated anew, and later places are shifted.
//
// In: the previous styled text, the styled tree of the edited document, and the node whose characters changed. Out: the styled
// text that a full generation would give, or false when the edit may affect more than one block with inline contents.

import FancyTextBasics
import FancyTextMarkup
import FancyTextStyling

extension BoxTree {
    /// Updates the text after an edit that changed only characters of `node`. O(block), and a shift of everything after it.
    ///
    /// - Returns: False when the text was not changed and must be generated anew.
    package mutating func update(textOf node: NodeID, in styled: StyledTree, limits: Limits) -> Bool {
        // A first letter or line may belong to an outer container.
        guard firstLines.isEmpty, !styled.index.stylesFirstText,
            let element = Self.blockContainer(of: node, in: styled),
            let index = boxes.firstIndex(where: { $0.element == element && !$0.isAnonymous }),
            isReplaceable(index), Self.isIndependent(element, in: styled)
        else { return false }
        let isListItem = styled.computed(element).isListItem
        guard !isListItem || boxes[index].marker >= 0 else { return false }

        var generator = BoxGenerator(styled, limits: limits)
        generator.text.styles = styles
        generator.text.anonymousStyles = anonymousStyles
        var depth = 0
        var ancestor = boxes[index].parent
        while ancestor >= 0 {
            depth += 1
            ancestor = boxes[ancestor].parent
        }
        let box = generator.openBox(boxes[index].kind, style: boxes[index].style, element: element, parent: -1)
        let first = NodeID(index: element.index + 1)
        generator.fill(box, from: first, to: styled.tree.subtreeEnd(element), of: element, depth: depth)
        generator.closeBox(box)
        generator.text.noteLinks(links)
        let piece = generator.text
        let replacedCount = boxes[index..<boxes[index].end].count { $0.replaced >= 0 }
        let tableCount = boxes[index..<boxes[index].end].count { $0.table >= 0 }
        // A block that became empty may disappear, with the line feed before it.
        guard generator.tooDeep == nil, piece.boxes[0].holdsInlines, !piece.text.isEmpty,
            piece.boxes[0].text == 0..<piece.text.count, piece.styles.styles.count == styles.styles.count,
            piece.markers.count == (isListItem ? 1 : 0), piece.replaced.count == replacedCount,
            piece.tables.count == tableCount
        else { return false }
        replace(index, by: piece)
        links = piece.links
        return true
    }

    /// The innermost block container around `node`; nil when its text is in another kind of box or in none.
    private static func blockContainer(of node: NodeID, in styled: StyledTree) -> NodeID? {
        let tree = styled.tree
        var current = tree.kind(node) == .text ? tree.parent(node) : node
        while let element = current, element != tree.root {
            let style = styled.computed(element)
            switch style.box.display {
            case .block, .flowRoot, .listItem, .inlineBlock, .tableCell, .tableCaption: return element
            case .inline, .contents, .ruby, .rubyBase, .rubyText:
                if style.box.float != .none { return element }
            case .none, .flex, .inlineFlex, .grid, .inlineGrid, .table, .inlineTable, .tableRowGroup, .tableHeaderGroup,
                .tableFooterGroup, .tableRow, .tableColumn, .tableColumnGroup, .webkitBox:
                return nil
            }
            current = tree.parent(element)
        }
        return current
    }

    /// Returns whether the contents of the box are all inline and its text is contiguous.
    private func isReplaceable(_ index: Int) -> Bool {
        let box = boxes[index]
        guard box.holdsInlines, !box.text.isEmpty else { return false }
        switch box.kind {
        case .block, .tableCell, .tableCaption: break
        case .flex, .grid, .table, .tableRowGroup, .tableRow, .tableColumn, .tableColumnGroup, .image, .lambda, .ruby,
            .math:
            return false
        }
        // The text of a leading float precedes that of its block; a positioned box may belong to a containing block further out.
        return boxes[(index + 1)..<box.end].allSatisfy {
            !$0.isPositioned && box.text.lowerBound <= $0.text.lowerBound && $0.text.upperBound <= box.text.upperBound
        }
    }

    /// Returns whether the contents of `element` use no counters or quotes, so that they do not depend on earlier content.
    private static func isIndependent(_ element: NodeID, in styled: StyledTree) -> Bool {
        for node in styled.tree.subtree(element) where styled.tree.kind(node) == .element {
            let style = styled.computed(node)
            if node != element {
                guard !style.isListItem, style.box.counterReset.isEmpty, style.box.counterSet.isEmpty,
                    style.box.counterIncrement.isEmpty
                else { return false }
            }
            guard styled.hasPseudoStyles else { continue }
            for pseudo in [PseudoBox.before, .after] {
                guard let id = styled.pseudoStyle(of: node, pseudo) else { continue }
                let box = styled.styles[id].box
                guard box.counterReset.isEmpty, box.counterSet.isEmpty, box.counterIncrement.isEmpty else {
                    return false
                }
                for part in box.content ?? [] {
                    switch part {
                    case .string, .attribute, .image: break
                    case .counter, .counters, .openQuote, .closeQuote, .noOpenQuote, .noCloseQuote: return false
                    }
                }
            }
        }
        return true
    }

    // MARK: Splicing

    /// Replaces a box and its descendants with `piece`, generated from the same element.
    private mutating func replace(_ index: Int, by piece: BoxTree) {
        let old = boxes[index]
        let oldBoxes = index..<old.end
        let oldRuns = firstRun(from: old.text.lowerBound)..<firstRun(from: old.text.upperBound)
        // Inner boxes have added their items before this box.
        let firstItem = boxes[oldBoxes].lazy.filter(\.holdsInlines).map(\.items.lowerBound).min() ?? 0
        let oldItems = firstItem..<old.items.upperBound
        let shift = Shift(
            text: piece.text.count - old.text.count, runs: piece.runs.count - oldRuns.count,
            items: piece.items.count - oldItems.count, boxes: piece.boxes.count - oldBoxes.count)

        let firstReplaced = boxes[oldBoxes].lazy.map(\.replaced).filter { $0 >= 0 }.min() ?? 0
        let firstTable = boxes[oldBoxes].lazy.map(\.table).filter { $0 >= 0 }.min() ?? 0
        let base = Shift(text: old.text.lowerBound, runs: oldRuns.lowerBound, items: firstItem, boxes: index)
        text.replaceSubrange(old.text, with: piece.text)
        runs.replaceSubrange(oldRuns, with: piece.runs.lazy.map { $0.moved(base.text) })
        items.replaceSubrange(
            oldItems, with: piece.items.lazy.map { Self.moved($0, from: Shift(), by: base) })
        boxes.replaceSubrange(
            oldBoxes,
            with: piece.boxes.lazy.map { box in
                var box = box
                box.parent += index
                box.end += index
                box.text = box.text.lowerBound + base.text..<box.text.upperBound + base.text
                if box.holdsInlines {
                    box.items = box.items.lowerBound + base.items..<box.items.upperBound + base.items
                }
                if box.replaced >= 0 { box.replaced += firstReplaced }
                if box.table >= 0 { box.table += firstTable }
                return box
            })
        let pieceTables = firstTable..<firstTable + piece.tables.count
        tables.replaceSubrange(pieceTables, with: piece.tables.lazy.map { $0.moved(from: 0, by: index) })
        boxes[index].parent = old.parent
        boxes[index].marker = old.marker
        boxes[index].columnSpan = old.columnSpan
        boxes[index].rowSpan = old.rowSpan
        boxes[index].containingBlock = old.containingBlock
        boxes[index].containingInline = old.containingInline

        let end = Shift(
            text: old.text.upperBound, runs: oldRuns.upperBound, items: oldItems.upperBound, boxes: oldBoxes.upperBound)
        moveRest(from: end, by: shift, behind: index, lastRun: oldRuns.lowerBound + piece.runs.count - 1)
        if shift.boxes != 0 {
            for table in tables.indices where !pieceTables.contains(table) {
                tables[table] = tables[table].moved(from: end.boxes, by: shift.boxes)
            }
        }
    }

    /// Shifts everything after the replaced box `index`; `end` is where it began.
    private mutating func moveRest(from end: Shift, by shift: Shift, behind index: Int, lastRun: Int) {
        if runs.indices.contains(lastRun + 1) {
            // The separator after a run has that run's style and element.
            runs[lastRun + 1].style = runs[lastRun].style
            runs[lastRun + 1].element = runs[lastRun].element
        }
        if shift.text != 0 {
            for run in (lastRun + 1)..<runs.count { runs[run] = runs[run].moved(shift.text) }
        }
        if shift != Shift() {
            for item in (end.items + shift.items)..<items.count {
                items[item] = Self.moved(items[item], from: end, by: shift)
            }
            for box in (end.boxes + shift.boxes)..<boxes.count { boxes[box].move(from: end, by: shift) }
        }
        var ancestor = boxes[index].parent
        while ancestor >= 0 {
            boxes[ancestor].move(from: end, by: shift)
            ancestor = boxes[ancestor].parent
        }
    }

    /// The index of the first run that begins at or after `offset`. O(log n).
    private func firstRun(from offset: Int) -> Int {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].range.lowerBound < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func moved(_ item: InlineItem, from start: Shift, by shift: Shift) -> InlineItem {
        switch item {
        case .text(let run): .text(run: run >= start.runs ? run + shift.runs : run)
        case .atomic(let box, let offset):
            .atomic(
                box: box >= start.boxes ? box + shift.boxes : box,
                offset: offset >= start.text ? offset + shift.text : offset)
        case .float(let box): .float(box: box >= start.boxes ? box + shift.boxes : box)
        case .open, .close, .breakOpportunity: item
        }
    }
}

/// Places in the arrays of a styled text, or distances between such places.
private struct Shift: Equatable {
    /// In bytes.
    var text = 0
    var runs = 0
    var items = 0
    var boxes = 0
}

extension StyledRun {
    fileprivate func moved(_ distance: Int) -> StyledRun {
        var run = self
        run.range = range.lowerBound + distance..<range.upperBound + distance
        return run
    }
}

extension TableGrid {
    /// A copy in which the index of each box from `start` on is shifted.
    fileprivate func moved(from start: Int, by distance: Int) -> TableGrid {
        func moved(_ box: Int) -> Int { box >= start && box >= 0 ? box + distance : box }
        var grid = self
        grid.box = moved(box)
        for cell in cells.indices { grid.cells[cell].box = moved(cells[cell].box) }
        for row in rows.indices {
            grid.rows[row].box = moved(rows[row].box)
            grid.rows[row].group = moved(rows[row].group)
        }
        for column in columns.indices {
            grid.columns[column].box = moved(columns[column].box)
            grid.columns[column].group = moved(columns[column].group)
        }
        grid.captions = captions.map(moved)
        return grid
    }
}

extension StyledBox {
    /// Shifts each place in the box that is at or after `start`.
    fileprivate mutating func move(from start: Shift, by shift: Shift) {
        func moved(_ range: Range<Int>, _ start: Int, _ distance: Int) -> Range<Int> {
            let lower = range.lowerBound >= start ? range.lowerBound + distance : range.lowerBound
            return lower..<(range.upperBound >= start ? range.upperBound + distance : range.upperBound)
        }
        if parent >= start.boxes { parent += shift.boxes }
        if end >= start.boxes { end += shift.boxes }
        if containingBlock >= start.boxes { containingBlock += shift.boxes }
        text = moved(text, start.text, shift.text)
        if holdsInlines { items = moved(items, start.items, shift.items) }
    }
}
