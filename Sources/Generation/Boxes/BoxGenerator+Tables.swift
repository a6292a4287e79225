// Boxes of tables (CSS 2 §17.2.1): missing parts of a table are added as anonymous boxes. In: the sibling nodes of a table, row
// group or row. Out: boxes in the order table, row group, row, cell; cells are block containers.

import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextStyling

extension BoxGenerator {
    func isBlank(_ node: NodeID) -> Bool { tree.withText(node) { $0.allSatisfy(\.isHTMLSpace) } }

    /// The end of the run of sibling table parts that starts at `node`, including white space between them.
    func endOfTableParts(from node: NodeID, to limit: NodeID) -> NodeID {
        var end = tree.subtreeEnd(node)
        var next = end
        while next < limit {
            switch tree.kind(next) {
            case .element:
                guard computed(next).box.display.level == .tablePart else { return end }
                end = tree.subtreeEnd(next)
            case .text: guard isBlank(next) else { return end }
            case .comment, .doctype, .instruction, .root: break
            }
            next = tree.subtreeEnd(next)
        }
        return end
    }

    mutating func appendAnonymousTable(_ nodes: Range<NodeID>, _ display: Display, parent: Int, depth: Int) {
        let box = openAnonymous(.table, display, in: parent)
        fillTableBox(box, nodes, depth: depth)
        closeBox(box)
        text.formTable(box)
    }

    /// Generates the contents of a part of a table: a box for each proper part, and an anonymous one for each run of other nodes.
    mutating func fillTableBox(_ box: Int, _ nodes: Range<NodeID>, depth: Int) {
        let kind = text.boxes[box].kind
        var missing: Range<NodeID>?
        var node = nodes.lowerBound
        while node < nodes.upperBound {
            let end = tree.subtreeEnd(node)
            let display = tree.kind(node) == .element ? computed(node).box.display : .none
            if let part = StyledBox.Kind(tablePart: display, of: kind) {
                if let missing { appendMissingPart(missing, of: box, depth: depth) }
                missing = nil
                appendTablePart(part, node, to: box, depth: depth)
            } else if display != .none || tree.kind(node) == .text && !isBlank(node) {
                missing = (missing?.lowerBound ?? node)..<end
            }
            node = end
        }
        if let missing { appendMissingPart(missing, of: box, depth: depth) }
    }

    private mutating func appendTablePart(_ kind: StyledBox.Kind, _ node: NodeID, to parent: Int, depth: Int) {
        let id = styled.style(of: node)
        enter(node, style: text.styles[id])
        let part = openBox(kind, style: id, element: node, parent: parent)
        let contents = tree.contents(node)
        switch kind {
        case .tableCell:
            let columns = tree.tag(node) == .mtd ? tree.attribute(node, "columnspan") : tree.attribute(node, .colspan)
            text.boxes[part].columnSpan = Self.span(columns, 1...1000)
            text.boxes[part].rowSpan = Self.span(of: node, .rowspan, 0...65534, in: tree)
            fill(part, contents, of: node, depth: depth + 1)
        case .tableCaption: fill(part, contents, of: node, depth: depth + 1)
        case .tableRow:
            appendGeneratedCell(.before, of: node, in: part)
            fillTableBox(part, contents, depth: depth)
            appendGeneratedCell(.after, of: node, in: part)
        case .tableColumn, .tableColumnGroup:
            // Columns of a group have boxes, other contents of either have none.
            fillTableBox(part, contents, depth: depth)
            text.boxes[part].columnSpan = Self.span(of: node, .span, 1...1000, in: tree)
        case .tableRowGroup: fillTableBox(part, contents, depth: depth)
        case .block, .flex, .grid, .table, .image, .lambda, .ruby, .math: break
        }
        closeBox(part)
    }

    /// The part that is missing between a part and contents that do not belong directly in it.
    private static let missingParts: [StyledBox.Kind: (StyledBox.Kind, Display)] = [
        .table: (.tableRowGroup, .tableRowGroup), .tableRowGroup: (.tableRow, .tableRow),
        .tableRow: (.tableCell, .tableCell),
    ]

    private mutating func appendMissingPart(_ nodes: Range<NodeID>, of parent: Int, depth: Int) {
        // Only columns belong in a column group.
        guard let (kind, display) = Self.missingParts[text.boxes[parent].kind] else { return }
        let part = openAnonymous(kind, display, in: parent)
        if kind == .tableCell {
            let element = text.boxes[part].element
            fill(part, nodes, of: element, depth: depth + 1, isElement: false, inTable: true)
        } else {
            fillTableBox(part, nodes, depth: depth)
        }
        closeBox(part)
    }

    /// Appends a row's `::before` or `::after` in a cell, its own or an anonymous one.
    private mutating func appendGeneratedCell(_ pseudo: PseudoBox, of element: NodeID, in row: Int) {
        guard let generated = enterPseudo(pseudo, of: element) else { return }
        let style = text.styles[generated.style]
        guard !style.isOutOfFlow else { return }
        if style.box.display == .tableCell {
            appendGeneratedBlock(
                generated.content, kind: .tableCell, style: generated.style, element: element, parent: row)
        } else {
            let cell = openAnonymous(.tableCell, .tableCell, of: nil, element, in: row)
            appendGeneratedBlock(generated.content, style: generated.style, element: element, parent: cell)
            closeBox(cell)
        }
    }

    /// The value of `colspan`, `rowspan` or `span` (HTML §4.9.11); 1 if it is invalid.
    package static func span(of node: NodeID, _ id: AttributeID, _ range: ClosedRange<Int>, in tree: MarkupTree) -> Int
    {
        span(tree.attribute(node, id), range)
    }

    private static func span(_ value: String?, _ range: ClosedRange<Int>) -> Int {
        guard let value = value.flatMap(integer), value >= range.lowerBound else { return 1 }
        return min(value, range.upperBound)
    }
}

extension StyledBox.Kind {
    /// The part of a table with a `display` that belongs directly in a parent; nil for other boxes.
    fileprivate init?(tablePart display: Display, of parent: StyledBox.Kind) {
        switch (parent, display) {
        case (.table, .tableRowGroup), (.table, .tableHeaderGroup), (.table, .tableFooterGroup): self = .tableRowGroup
        case (.table, .tableCaption): self = .tableCaption
        case (.table, .tableColumnGroup): self = .tableColumnGroup
        case (.table, .tableColumn), (.tableColumnGroup, .tableColumn): self = .tableColumn
        case (.tableRowGroup, .tableRow): self = .tableRow
        case (.tableRow, .tableCell): self = .tableCell
        case (_, _): return nil
        }
    }
}
