// Boxes of tables (CSS 2 §17.2.1): missing parts of a table are added as anonymous boxes.
//
// In: the sibling nodes of a table, row group or row. Out: boxes in the order table, row group, row, cell; the cells are filled
// like other block containers.

import FancyTextMarkup
import FancyTextStyling

extension BoxGenerator {
    // MARK: Tables (CSS 2 §17.2.1: anonymous table objects)

    func isBlank(_ node: NodeID) -> Bool {
        tree.withText(node) { bytes in
            bytes.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 || $0 == 0x0D || $0 == 0x0C }
        }
    }

    func isTablePart(_ display: Display) -> Bool {
        switch display {
        case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableRow, .tableCell, .tableColumn,
            .tableColumnGroup, .tableCaption:
            true
        case .none, .contents, .block, .flowRoot, .inline, .inlineBlock, .listItem, .flex, .inlineFlex, .grid,
            .inlineGrid, .table, .inlineTable, .ruby, .rubyText, .rubyBase, .webkitBox:
            false
        }
    }

    /// The end of the run of sibling table parts that starts at `node`, including white space between them.
    func endOfTableParts(from node: NodeID, to limit: NodeID) -> NodeID {
        var end = tree.subtreeEnd(node)
        var next = end
        while next < limit {
            switch tree.kind(next) {
            case .element:
                guard isTablePart(text.styles[styled.style(of: next)].box.display) else { return end }
                end = tree.subtreeEnd(next)
            case .text:
                guard isBlank(next) else { return end }
            case .comment, .doctype, .instruction, .root:
                break
            }
            next = tree.subtreeEnd(next)
        }
        return end
    }

    mutating func appendAnonymousTable(from: NodeID, to: NodeID, _ display: Display, parent: Int, depth: Int) {
        let style = anonymousStyle(of: text.boxes[parent].style, display)
        let element = text.boxes[parent].element
        let box = openBox(.table, style: style, element: element, parent: parent, isAnonymous: true)
        fillTable(box, from: from, to: to, depth: depth)
        closeBox(box)
        text.formTable(box)
    }

    /// The role of a child in a table, row group or row.
    enum TablePart {
        case skipped
        case proper(StyledBox.Kind)
        case improper
    }

    func tablePart(_ node: NodeID) -> TablePart {
        switch tree.kind(node) {
        case .text: return isBlank(node) ? .skipped : .improper
        case .comment, .doctype, .instruction, .root: return .skipped
        case .element:
            switch text.styles[styled.style(of: node)].box.display {
            case .none: return .skipped
            case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup: return .proper(.tableRowGroup)
            case .tableRow: return .proper(.tableRow)
            case .tableCell: return .proper(.tableCell)
            case .tableCaption: return .proper(.tableCaption)
            case .tableColumn: return .proper(.tableColumn)
            case .tableColumnGroup: return .proper(.tableColumnGroup)
            case .contents, .block, .flowRoot, .inline, .inlineBlock, .listItem, .flex, .inlineFlex, .grid, .inlineGrid,
                .table, .inlineTable, .ruby, .rubyText, .rubyBase, .webkitBox:
                return .improper
            }
        }
    }

    /// Visits the siblings [from, to): `proper` boxes one by one, runs of other nodes as one range to be wrapped.
    mutating func forEachPart(
        from: NodeID, to: NodeID, accepts: (StyledBox.Kind) -> Bool,
        proper: (inout BoxGenerator, NodeID, StyledBox.Kind) -> Void,
        wrapped: (inout BoxGenerator, NodeID, NodeID) -> Void
    ) {
        var node = from
        while node < to {
            let end = tree.subtreeEnd(node)
            switch tablePart(node) {
            case .skipped:
                node = end
            case .proper(let kind) where accepts(kind):
                proper(&self, node, kind)
                node = end
            case .proper, .improper:
                // Everything up to the next accepted part belongs to one wrapper.
                var stop = end
                var next = end
                scan: while next < to {
                    switch tablePart(next) {
                    case .skipped: break
                    case .proper(let kind) where accepts(kind): break scan
                    case .proper, .improper: stop = tree.subtreeEnd(next)
                    }
                    next = tree.subtreeEnd(next)
                }
                wrapped(&self, node, stop)
                node = stop
            }
        }
    }

    mutating func fillTable(_ box: Int, from: NodeID, to: NodeID, depth: Int) {
        let style = text.boxes[box].style
        let element = text.boxes[box].element
        forEachPart(
            from: from, to: to,
            accepts: { kind in
                switch kind {
                case .tableRowGroup, .tableCaption, .tableColumn, .tableColumnGroup: true
                case .tableRow, .tableCell, .block, .flex, .grid, .table, .image, .lambda, .ruby, .math: false
                }
            },
            proper: { generator, node, kind in
                let id = generator.enterPart(node)
                let part = generator.openBox(kind, style: id, element: node, parent: box)
                let first = NodeID(index: node.index + 1)
                let end = generator.tree.subtreeEnd(node)
                switch kind {
                case .tableRowGroup: generator.fillRowGroup(part, from: first, to: end, depth: depth)
                case .tableCaption: generator.fill(part, from: first, to: end, of: node, depth: depth + 1)
                case .tableColumnGroup: generator.fillColumns(part, from: first, to: end)
                case .tableColumn, .tableRow, .tableCell, .block, .flex, .grid, .table, .image, .lambda, .ruby, .math:
                    break
                }
                if kind == .tableColumn || kind == .tableColumnGroup {
                    generator.text.boxes[part].columnSpan = generator.span(node, .span, 1...1000)
                }
                generator.closeBox(part)
            },
            wrapped: { generator, first, stop in
                let part = generator.openBox(
                    .tableRowGroup, style: generator.anonymousStyle(of: style, .tableRowGroup), element: element,
                    parent: box,
                    isAnonymous: true)
                generator.fillRowGroup(part, from: first, to: stop, depth: depth)
                generator.closeBox(part)
            })
    }

    mutating func fillRowGroup(_ box: Int, from: NodeID, to: NodeID, depth: Int) {
        let style = text.boxes[box].style
        let element = text.boxes[box].element
        forEachPart(
            from: from, to: to, accepts: { $0 == .tableRow },
            proper: { generator, node, _ in
                let id = generator.enterPart(node)
                let row = generator.openBox(.tableRow, style: id, element: node, parent: box)
                generator.appendGeneratedCell(.before, of: node, in: row)
                generator.fillRow(
                    row, from: NodeID(index: node.index + 1), to: generator.tree.subtreeEnd(node), depth: depth)
                generator.appendGeneratedCell(.after, of: node, in: row)
                generator.closeBox(row)
            },
            wrapped: { generator, first, stop in
                let row = generator.openBox(
                    .tableRow, style: generator.anonymousStyle(of: style, .tableRow), element: element, parent: box,
                    isAnonymous: true)
                generator.fillRow(row, from: first, to: stop, depth: depth)
                generator.closeBox(row)
            })
    }

    mutating func fillRow(_ box: Int, from: NodeID, to: NodeID, depth: Int) {
        let style = text.boxes[box].style
        let element = text.boxes[box].element
        forEachPart(
            from: from, to: to, accepts: { $0 == .tableCell },
            proper: { generator, node, _ in
                let id = generator.enterPart(node)
                let cell = generator.openBox(.tableCell, style: id, element: node, parent: box)
                generator.text.boxes[cell].columnSpan = generator.span(node, .colspan, 1...1000)
                generator.text.boxes[cell].rowSpan = generator.span(node, .rowspan, 0...65534)
                generator.fill(
                    cell, from: NodeID(index: node.index + 1), to: generator.tree.subtreeEnd(node), of: node,
                    depth: depth + 1)
                generator.closeBox(cell)
            },
            wrapped: { generator, first, stop in
                let cell = generator.openBox(
                    .tableCell, style: generator.anonymousStyle(of: style, .tableCell), element: element, parent: box,
                    isAnonymous: true)
                generator.fill(
                    cell, from: first, to: stop, of: element, depth: depth + 1, isElement: false, inTable: true)
                generator.closeBox(cell)
            })
    }

    /// Appends a row's `::before` or `::after` in a cell, its own or an anonymous one.
    private mutating func appendGeneratedCell(_ pseudo: PseudoBox, of element: NodeID, in row: Int) {
        guard let generated = enterPseudo(pseudo, of: element) else { return }
        let style = text.styles[generated.style].box
        guard !style.isOutOfFlow else { return }
        if style.display == .tableCell {
            appendGeneratedBlock(
                generated.content, kind: .tableCell, style: generated.style, element: element, parent: row)
        } else {
            let cell = openBox(
                .tableCell, style: anonymousStyle(of: text.boxes[row].style, .tableCell), element: element,
                parent: row, isAnonymous: true)
            appendGeneratedBlock(generated.content, style: generated.style, element: element, parent: cell)
            closeBox(cell)
        }
    }

    mutating func fillColumns(_ box: Int, from: NodeID, to: NodeID) {
        forEachPart(
            from: from, to: to, accepts: { $0 == .tableColumn },
            proper: { generator, node, _ in
                let column = generator.openBox(
                    .tableColumn, style: generator.enterPart(node), element: node, parent: box)
                generator.text.boxes[column].columnSpan = generator.span(node, .span, 1...1000)
                generator.closeBox(column)
            },
            wrapped: { _, _, _ in })
    }

    mutating func enterPart(_ node: NodeID) -> StyleID {
        let id = styled.style(of: node)
        enter(node, style: text.styles[id])
        return id
    }

    func span(_ node: NodeID, _ attribute: AttributeID, _ range: ClosedRange<Int>) -> Int {
        Self.span(of: node, attribute, range, in: tree)
    }

    /// The value of `colspan`, `rowspan` or `span` (HTML §4.9.11); 1 if it is invalid.
    package static func span(of node: NodeID, _ attribute: AttributeID, _ range: ClosedRange<Int>, in tree: MarkupTree)
        -> Int
    {
        guard let value = tree.attribute(node, attribute).flatMap(integer), value >= range.lowerBound else { return 1 }
        return min(value, range.upperBound)
    }
}
