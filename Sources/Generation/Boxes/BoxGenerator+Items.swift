// The items of flex containers and grids (CSS Flexbox 1 §4, CSS Grid 2 §6).

import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextStyling

extension BoxGenerator {
    /// The kind of box whose children are items; nil for other boxes.
    func itemsKind(_ display: Display) -> StyledBox.Kind? {
        if display == .flex || display == .inlineFlex { return .flex }
        return display == .grid || display == .inlineGrid ? .grid : nil
    }

    /// Generates the items: each element child becomes a block-level item, and text between them an anonymous item.
    mutating func fillItems(_ box: Int, _ nodes: Range<NodeID>, depth: Int) {
        let element = text.boxes[box].element
        appendItemPseudo(.before, of: element, parent: box)
        var node = nodes.lowerBound
        while node < nodes.upperBound {
            let end = tree.subtreeEnd(node)
            switch isLineBreak(node) ? .text : tree.kind(node) {
            case .text:
                let run = textRun(from: node, to: nodes.upperBound, in: box)
                if !run.isBlank { appendAnonymousBlock(node..<run.end, in: box, depth: depth) }
                node = run.end
            case .element:
                let id = styled.style(of: node)
                let display = text.styles[id].box.display
                if display == .contents {
                    node = NodeID(index: node.index + 1)
                    continue
                }
                if display == .ruby {
                    // A block around the ruby (CSS Ruby 1 §2.1).
                    appendAnonymousBlock(node..<end, in: box, depth: depth)
                } else if display != .none, !isLegend(node, of: box) {
                    enter(node, style: text.styles[id])
                    appendElementBox(node, style: id, parent: box, depth: depth + 1)
                }
                node = end
            case .comment, .doctype, .instruction, .root: node = end
            }
        }
        appendItemPseudo(.after, of: element, parent: box)
    }

    /// Appends a fieldset whose contents are items, except for its legend: the items of an anonymous box (HTML §15.3.13).
    mutating func appendFieldset(
        _ node: NodeID, _ kind: StyledBox.Kind, style id: StyleID, parent: Int, depth: Int
    ) {
        let own = text.styles[id].box
        let outer = variant(of: id, .fieldset) { _, _, box in
            box.display = own.display.level == .atomicInline ? .inlineBlock : .block
            (box.alignContent, box.safeAlignments) = (.normal, [])
        }
        let fieldset = openBox(.block, style: outer, element: node, parent: parent)
        appendLegend(of: fieldset, depth: depth)
        let inner = generatedStyle(of: id, kind == .grid ? .grid : .flex) { _, _, box in
            (box.flexDirection, box.flexWraps) = (own.flexDirection, own.flexWraps)
            (box.flexWrapReverse, box.alignItems) = (own.flexWrapReverse, own.alignItems)
            (box.justifyContent, box.alignContent) = (own.justifyContent, own.alignContent)
            (box.justifyItems, box.safeAlignments) = (own.justifyItems, own.safeAlignments)
            (box.rowGap, box.columnGap, box.grid) = (own.rowGap, own.columnGap, own.grid)
        }
        let box = openBox(kind, style: inner, element: node, parent: fieldset, isAnonymous: true)
        fillItems(box, tree.contents(node), depth: depth)
        closeBox(box)
        closeBox(fieldset)
    }

    /// The siblings from `node` on that are text or breaks of its lines, which make one item.
    private func textRun(from node: NodeID, to limit: NodeID, in box: Int) -> (end: NodeID, isBlank: Bool) {
        let parent = tree.parent(node)
        var run = (end: node, isBlank: true)
        while run.end < limit, tree.parent(run.end) == parent {
            switch tree.kind(run.end) {
            case .text: if !isBlank(run.end) { run.isBlank = false }
            case .element where isLineBreak(run.end): run.isBlank = false
            case .element:
                // An element without a box does not divide the text, nor does a legend.
                guard computed(run.end).box.display == .none || isLegend(run.end, of: box) else { return run }
            case .comment, .doctype, .instruction, .root: break
            }
            run.end = tree.subtreeEnd(run.end)
        }
        return run
    }

    /// Returns whether an element is part of the text around it, whatever its `display` is.
    private func isLineBreak(_ node: NodeID) -> Bool {
        (tree.tag(node) == .br || tree.tag(node) == .wbr) && ![.none, .contents].contains(computed(node).box.display)
    }

    private mutating func appendItemPseudo(_ pseudo: PseudoBox, of element: NodeID, parent: Int) {
        guard let (style, content) = enterPseudo(pseudo, of: element) else { return }
        guard text.styles[style].box.display == .contents
        else { return appendGeneratedBlock(content, style: style, element: element, parent: parent) }
        let item = openAnonymous(.block, .block, of: style, element, in: parent)
        fillGenerated(item, content, text.boxes[item].style, element)
        closeBox(item)
    }
}
