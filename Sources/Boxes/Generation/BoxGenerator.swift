// Box generation (CSS 2 §9.2, CSS Display 3): from a styled tree to the styled text that every output reads.
//
// In: a StyledTree. Out: a StyledText. A walker visits the contents of each block container in document order; only block
// containers recurse, to a bounded depth. A block container holds either block-level boxes or one inline formatting context;
// where both occur, anonymous blocks hold the inline parts, and inline boxes that a block splits are closed before and
// reopened after it. Whether there are blocks is looked up ahead, so that every box is made where it stays in the arena.

import Basics
import Markup
import Styling

/// Generates the boxes and the text of a styled tree.
package struct BoxGenerator: MarkupWalker {
    let styled: StyledTree
    let tree: MarkupTree
    let depthLimit: Int
    let inlineDepthLimit: Int
    var text: StyledText
    var counters = Counters()
    var quoteDepth = 0
    /// The first element that is nested too deep for a box of its own.
    var tooDeep: NodeID?
    /// Styles of the parts of inline boxes that blocks split.
    var splitStyles: [SplitKey: StyleID] = [:]
    /// `::first-letter` and `::first-line` that wait for their text.
    var pending = PendingFirst()
    /// The block container whose contents are being walked.
    private var container: Container?

    struct AnonymousKey: Hashable {
        var parent: StyleID
        var display: Display
        /// The symbol of a summary that is added to `details`.
        var marker = ""
    }

    struct SplitKey: Hashable {
        var style: StyleID
        var dropsStart, dropsEnd: Bool
    }

    /// Generates everything of `styled`, or only some elements, each in a block of its own. O(nodes + text).
    package static func generate(
        _ styled: StyledTree, only elements: [NodeID]? = nil, limits: Limits = Limits(), log: inout DiagnosticLog
    ) -> StyledText {
        var generator = BoxGenerator(styled, limits: limits)
        generator.generateRoot(only: elements)
        if let element = generator.tooDeep {
            log.report(
                Diagnostic(
                    .warning, .boxesTooDeep,
                    "elements nested deeper than \(limits.layoutDepth) boxes, or \(limits.inlineDepth) inline boxes, are laid out "
                        + "in their ancestor's box",
                    at: styled.tree.location(element)))
        }
        generator.text.noteLinks(LinkTable(styled))
        return generator.text
    }

    init(_ styled: StyledTree, limits: Limits) {
        self.styled = styled
        tree = styled.tree
        depthLimit = limits.layoutDepth
        inlineDepthLimit = limits.inlineDepth
        text = StyledText(styles: styled.styles)
        text.isDocument = tree.isDocument
        text.documentMode = tree.documentMode
    }

    mutating func generateRoot(only elements: [NodeID]?) {
        text.text.reserveCapacity(tree.count * 8)
        let root = tree.root
        // A snippet's root is the body that it lies in.
        let isFlex = elements == nil && !tree.isDocument && isFlexContainer(styled.rootStyle.box.display)
        let box = openBox(isFlex ? .flex : .block, style: styled.style(of: root), element: root, parent: -1)
        let (from, to) = (NodeID(index: root.index + 1), tree.subtreeEnd(root))
        if let elements {
            for element in elements { appendAlone(element, parent: box) }
        } else if isFlex {
            fillFlex(box, from: from, to: to, depth: 0)
        } else {
            fill(box, from: from, to: to, of: root, depth: 0)
        }
        closeBox(box)
        for node in tree.children(root) where tree.kind(node) == .element {
            if let language = tree.attribute(node, "lang"), !language.isEmpty {
                text.language = language
                break
            }
        }
        text.title = title()
    }

    /// One element out of its surroundings.
    mutating func appendAlone(_ element: NodeID, parent: Int) {
        let id = styled.style(of: element)
        let display = text.styles[id].box.display
        if display == .none { return }
        if isBlockLevel(display) {
            enter(element, style: text.styles[id])
            appendElementBox(element, style: id, parent: parent, depth: 1)
            return
        }
        let around = tree.parent(element).map { styled.style(of: $0) } ?? .root
        let box = openBox(
            .block, style: anonymousStyle(of: around, .block), element: element, parent: parent, isAnonymous: true)
        fill(box, from: element, to: tree.subtreeEnd(element), of: element, depth: 1, isElement: false)
        closeBox(box)
    }

    func title() -> String {
        var node = NodeID(index: tree.root.index + 1)
        let end = tree.subtreeEnd(tree.root)
        while node < end {
            if tree.kind(node) == .element {
                if tree.tag(node) == .title {
                    return tree.children(node).map { tree.text($0) }.joined()
                }
                if tree.tag(node) == .body { return "" }
            }
            node = NodeID(index: node.index + 1)
        }
        return ""
    }

    // MARK: The arena

    mutating func openBox(
        _ kind: StyledBox.Kind, style: StyleID, element: NodeID, parent: Int, isAnonymous: Bool = false
    ) -> Int {
        var box = StyledBox(kind: kind, style: style, element: element, parent: parent, isAnonymous: isAnonymous)
        box.text = text.text.count..<text.text.count
        text.boxes.append(box)
        return text.boxes.count - 1
    }

    mutating func closeBox(_ box: Int) {
        text.boxes[box].end = text.boxes.count
        if !text.boxes[box].holdsInlines {
            text.boxes[box].text = text.boxes[box].text.lowerBound..<text.text.count
        }
    }

    /// The style of a box that no element makes: inherits from `parent`, else initial values (CSS 2 §9.2.1.1).
    mutating func anonymousStyle(of parent: StyleID, _ display: Display) -> StyleID {
        let key = AnonymousKey(parent: parent, display: display)
        if let style = text.anonymousStyles[key] { return style }
        let inherited = text.styles[parent]
        var box = BoxStyle()
        box.display = display
        box.decorations = inherited.box.decorations
        // An override holds for all text of the block container (CSS Writing Modes 4 §2.4.3).
        switch inherited.box.unicodeBidi {
        case .bidiOverride, .isolateOverride, .plaintext:
            if display == .block { box.unicodeBidi = inherited.box.unicodeBidi }
        case .normal, .embed, .isolate: break
        }
        let style = text.styles.append(ComputedStyle(font: inherited.font, text: inherited.text, box: box))
        text.anonymousStyles[key] = style
        return style
    }

    // MARK: Block containers

    /// What a block container collects: block-level children, and the inline content between them.
    struct Flow {
        var box: Int
        var depth: Int
        var style: StyleID
        var element: NodeID
        var inline = InlineBuilder()
        /// Some content is block-level: what is inline goes into anonymous blocks.
        var hasBlocks: Bool
        /// The box that holds the inline content being collected, once there is some.
        var paragraph = -1
    }

    /// An element whose contents are being walked: an inline box, or nothing (`display: contents`).
    struct OpenElement {
        var end: NodeID
        var element: NodeID
        var style: StyleID
        var isInlineBox: Bool
    }

    /// A block container whose contents are walked: an object, so that what it collects is not copied on the way.
    private final class Container {
        // One container is walked at a time, so accesses need no checks at run time.
        @exclusivity(unchecked) var flow: Flow
        @exclusivity(unchecked) var open: [OpenElement] = []
        /// Where its contents end.
        let end: NodeID
        let inTable: Bool

        init(_ flow: Flow, end: NodeID, inTable: Bool) {
            self.flow = flow
            self.end = end
            self.inTable = inTable
        }
    }

    /// Generates the contents of block container `box` from the sibling nodes [from, to), children of `element`.
    ///
    /// - Parameter inTable: White space alone between the siblings makes no box, as browsers have it in tables.
    mutating func fill(
        _ box: Int, from: NodeID, to: NodeID, of element: NodeID, depth: Int, isElement: Bool = true,
        inTable: Bool = false
    ) {
        let style = text.boxes[box].style
        let outer = pending
        if isElement { waitForFirst(of: element, style: style) }
        defer { stopWaiting(outer) }
        let hasBlocks = holdsBlocks(from: from, to: to, pseudosOf: isElement ? element : nil)
        let inner = Container(
            Flow(box: box, depth: depth, style: style, element: element, hasBlocks: hasBlocks), end: to,
            inTable: inTable)
        if isElement { appendMarkerAndBefore(of: element, style: style, to: &inner.flow) }
        let (tree, around) = (tree, container)
        container = inner
        tree.visit(from..<to, with: &self)
        container = around
        if isElement { appendPseudo(.after, of: element, to: &inner.flow) }
        finish(&inner.flow)
    }

    package mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
        guard let container else { return .skip }
        return .resume(visit(node, to: container.end, flow: &container.flow, open: &container.open))
    }

    package mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) {
        guard let container, let last = container.open.last, last.element == node else { return }
        appendPseudo(.after, of: node, to: &container.flow)
        if last.isInlineBox { container.flow.inline.closeInline() }
        container.open.removeLast()
    }

    package mutating func visitText(_ node: NodeID, in tree: MarkupTree) {
        guard let container else { return }
        let owner = container.open.last
        let element = owner?.element ?? container.flow.element
        guard !(container.inTable && owner == nil && isBlank(node)), !isClosedAway(textIn: element) else { return }
        appendText(node, style: owner?.style ?? container.flow.style, element: element, to: &container.flow)
    }

    /// Handles one element in a flow; returns the node to go on with.
    mutating func visit(_ node: NodeID, to limit: NodeID, flow: inout Flow, open: inout [OpenElement]) -> NodeID {
        let id = styled.style(of: node)
        let style = text.styles[id]
        let end = tree.subtreeEnd(node)
        let display = style.box.display
        if display == .none { return end }
        enter(node, style: style)
        let tag = tree.tag(node)
        if tag == .br, display != .contents {
            let owner = open.last
            pending.letter = nil
            flow.inline.appendForcedBreak(
                style: style.box.clear == .none ? owner?.style ?? flow.style : id,
                element: owner?.element ?? flow.element,
                source: tree.sourceRange(node),
                to: &text)
            return end
        }
        if tag == .wbr {
            flow.inline.appendBreakOpportunity()
            return end
        }
        let isAtLimit = flow.depth >= depthLimit
        if style.box.float != .none {
            if isAtLimit { return flatten(node, style: id, flow: &flow, open: &open) }
            let item = flow.inline.appendFloat()
            appendInlineChild(&flow, item: item) { generator, parent, depth in
                generator.appendElementBox(node, style: id, parent: parent, depth: depth)
            }
            return end
        }
        switch display {
        case .contents:
            open.append(OpenElement(end: end, element: node, style: id, isInlineBox: false))
            appendPseudo(.before, of: node, to: &flow)
            return NodeID(index: node.index + 1)
        case .inline, .ruby, .rubyBase, .rubyText, .none:
            if replacedKind(node) != nil { return appendAtomic(node, style: id, to: &flow) }
            guard flow.inline.depth < inlineDepthLimit else {
                if tooDeep == nil { tooDeep = node }
                open.append(OpenElement(end: end, element: node, style: id, isInlineBox: false))
                appendPseudo(.before, of: node, to: &flow)
                return NodeID(index: node.index + 1)
            }
            flow.inline.openInline(style: id, element: node)
            if display == .ruby, !isAtLimit, appendRuby(node, style: id, to: &flow) {
                flow.inline.closeInline()
                return end
            }
            open.append(OpenElement(end: end, element: node, style: id, isInlineBox: true))
            appendPseudo(.before, of: node, to: &flow)
            return NodeID(index: node.index + 1)
        case .inlineBlock, .inlineFlex, .inlineGrid, .inlineTable:
            if isAtLimit { return flatten(node, style: id, flow: &flow, open: &open) }
            return appendAtomic(node, style: id, to: &flow)
        case .block, .flowRoot, .listItem, .flex, .grid, .table, .webkitBox:
            if isAtLimit { return flatten(node, style: id, flow: &flow, open: &open) }
            splitInlines(&flow) { generator, flow in
                generator.appendElementBox(node, style: id, parent: flow.box, depth: flow.depth + 1)
            }
            return end
        case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableRow, .tableCell, .tableColumn,
            .tableColumnGroup, .tableCaption:
            if isAtLimit { return flatten(node, style: id, flow: &flow, open: &open) }
            let stop = endOfTableParts(from: node, to: min(limit, open.last?.end ?? limit))
            if !open.isEmpty {
                let item = flow.inline.appendAtomic(element: node, style: id, to: &text)
                appendInlineChild(&flow, item: item) { generator, parent, depth in
                    generator.appendAnonymousTable(from: node, to: stop, .inlineTable, parent: parent, depth: depth)
                }
            } else {
                splitInlines(&flow) { generator, flow in
                    generator.appendAnonymousTable(
                        from: node, to: stop, .table, parent: flow.box, depth: flow.depth + 1)
                }
            }
            return stop
        }
    }

    /// Too deep for a box of its own: the contents join the container, on lines of their own.
    mutating func flatten(_ node: NodeID, style: StyleID, flow: inout Flow, open: inout [OpenElement]) -> NodeID {
        if tooDeep == nil { tooDeep = node }
        splitInlines(&flow) { _, _ in }
        open.append(OpenElement(end: tree.subtreeEnd(node), element: node, style: style, isInlineBox: false))
        return NodeID(index: node.index + 1)
    }

    /// Puts block-level boxes between what is inline before and what is inline after.
    ///
    /// The parts of an inline box that is split have no edges where they were one (CSS 2 §9.2.1.1).
    mutating func splitInlines(_ flow: inout Flow, _ body: (inout BoxGenerator, Flow) -> Void) {
        let reopened = flow.inline.closeAll()
        for box in reopened {
            let style = splitStyle(of: box.style, dropsStart: box.isContinued, dropsEnd: true)
            flow.inline.setStyle(style, ofItem: box.item)
        }
        finishParagraph(&flow)
        body(&self, flow)
        for box in reopened {
            let style = splitStyle(of: box.style, dropsStart: true, dropsEnd: false)
            flow.inline.openInline(style: style, element: box.element, continuing: box.style)
        }
    }

    /// The style of a part of an inline box: without margin, border and padding at the sides where the box goes on.
    mutating func splitStyle(of id: StyleID, dropsStart: Bool, dropsEnd: Bool) -> StyleID {
        let style = text.styles[id]
        guard hasInlineEdges(style.box), dropsStart || dropsEnd else { return id }
        let key = SplitKey(style: id, dropsStart: dropsStart, dropsEnd: dropsEnd)
        if let known = splitStyles[key] { return known }
        var box = style.box
        let isRightToLeft = style.text.direction == .rtl
        if isRightToLeft ? dropsEnd : dropsStart {
            box.margin.left = .zero
            box.border.left = BorderSide()
            box.padding.left = .zero
        }
        if isRightToLeft ? dropsStart : dropsEnd {
            box.margin.right = .zero
            box.border.right = BorderSide()
            box.padding.right = .zero
        }
        let part = text.styles.append(ComputedStyle(font: style.font, text: style.text, box: box))
        splitStyles[key] = part
        return part
    }

    /// Whether an inline box is wider than what it holds.
    func hasInlineEdges(_ box: BoxStyle) -> Bool {
        box.margin.left != .zero || box.margin.right != .zero || box.padding.left != .zero
            || box.padding.right != .zero || box.border.left.width != 0 || box.border.right.width != 0
    }

    mutating func finish(_ flow: inout Flow) {
        _ = flow.inline.closeAll()
        finishParagraph(&flow)
    }

    /// The box that holds inline content: the container itself when there are no blocks in it, else an anonymous block.
    mutating func paragraphBox(_ flow: inout Flow) -> Int {
        if flow.paragraph < 0 {
            flow.paragraph =
                flow.hasBlocks
                ? openBox(
                    .block, style: anonymousStyle(of: flow.style, .block), element: flow.element, parent: flow.box,
                    isAnonymous: true)
                : flow.box
        }
        return flow.paragraph
    }

    /// Generates a box that lies in inline content and tells the item that stands for it.
    mutating func appendInlineChild(
        _ flow: inout Flow, item: Int, _ body: (inout BoxGenerator, _ parent: Int, _ depth: Int) -> Void
    ) {
        let parent = paragraphBox(&flow)
        flow.inline.setBox(text.boxes.count, forItem: item)
        // The first line or letter of the container is not in a box of another formatting context.
        let waiting = pending
        pending = PendingFirst()
        body(&self, parent, flow.depth + 1)
        pending = waiting
        if flow.inline.isAtomic(item) { pending.letter = nil }
    }

    mutating func appendAtomic(_ node: NodeID, style: StyleID, to flow: inout Flow) -> NodeID {
        let item = flow.inline.appendAtomic(element: node, style: style, to: &text)
        appendInlineChild(&flow, item: item) { generator, parent, depth in
            generator.appendElementBox(node, style: style, parent: parent, depth: depth)
        }
        return tree.subtreeEnd(node)
    }

    /// Ends the inline content collected so far. White space alone between blocks makes no box.
    mutating func finishParagraph(_ flow: inout Flow) {
        let range = flow.inline.finish(&text)
        let inline = flow.inline
        flow.inline = InlineBuilder()
        // A closure: the method itself as a value would hold a copy of the generator.
        if !inline.isEmpty || inline.items.contains(where: { opensWithEdges($0) }) {
            attach(inline.items, text: range, to: paragraphBox(&flow))
        }
        if flow.paragraph >= 0, flow.paragraph != flow.box { closeBox(flow.paragraph) }
        flow.paragraph = -1
    }

    /// An inline box with edges makes a line even when it is empty (CSS 2 §9.4.2).
    private func opensWithEdges(_ item: InlineItem) -> Bool {
        guard case .open(let style, _) = item else { return false }
        return hasInlineEdges(text.styles[style].box)
    }

    mutating func attach(_ items: [InlineItem], text range: Range<Int>, to box: Int) {
        let start = text.items.count
        text.items.append(contentsOf: items)
        text.boxes[box].items = start..<text.items.count
        text.boxes[box].holdsInlines = true
        text.boxes[box].text = range
        if pending.line != nil, !range.isEmpty { styleFirstLine(of: box) }
    }

    /// Whether block-level boxes lie among the siblings [from, to), inside inline boxes too.
    func holdsBlocks(from: NodeID, to: NodeID, pseudosOf element: NodeID?) -> Bool {
        if let element, hasBlockPseudo(element) { return true }
        var node = from
        while node < to {
            guard tree.kind(node) == .element else {
                node = tree.subtreeEnd(node)
                continue
            }
            let box = text.styles[styled.style(of: node)].box
            if box.float != .none {
                node = tree.subtreeEnd(node)
                continue
            }
            switch box.display {
            case .none, .inlineBlock, .inlineFlex, .inlineGrid, .inlineTable:
                node = tree.subtreeEnd(node)
            case .block, .flowRoot, .listItem, .flex, .grid, .table, .webkitBox:
                return true
            case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableRow, .tableCell, .tableColumn,
                .tableColumnGroup, .tableCaption:
                // Inside an inline box they make an inline table, which is not a block.
                if tree.parent(node) == tree.parent(from) { return true }
                node = tree.subtreeEnd(node)
            case .inline, .contents, .ruby, .rubyText, .rubyBase:
                if hasBlockPseudo(node) { return true }
                node = NodeID(index: node.index + 1)
            }
        }
        return false
    }

    func hasBlockPseudo(_ element: NodeID) -> Bool {
        if lacksSummary(element) { return true }
        for pseudo in [PseudoBox.before, .after] {
            guard let id = styled.pseudoStyle(of: element, pseudo) else { continue }
            let box = text.styles[id].box
            if box.content != nil, box.float == .none, isBlockLevel(box.display) { return true }
        }
        return false
    }

    private func isFlexContainer(_ display: Display) -> Bool {
        display == .flex || display == .inlineFlex || display == .grid || display == .inlineGrid
    }

    func isBlockLevel(_ display: Display) -> Bool {
        switch display {
        case .block, .flowRoot, .listItem, .flex, .grid, .table, .webkitBox: true
        case .none, .contents, .inline, .inlineBlock, .inlineFlex, .inlineGrid, .inlineTable, .tableRowGroup,
            .tableHeaderGroup, .tableFooterGroup, .tableRow, .tableCell, .tableColumn, .tableColumnGroup, .tableCaption,
            .ruby, .rubyText,
            .rubyBase:
            false
        }
    }

    /// Text of a closed `details` itself; its elements are hidden by the default style sheet.
    private func isClosedAway(textIn element: NodeID) -> Bool {
        tree.tag(element) == .details && !tree.hasAttribute(element, "open")
    }

    // MARK: One element's box

    func replacedKind(_ node: NodeID) -> StyledBox.Kind? {
        switch tree.tag(node) {
        case .img: .image
        case .lambda: .lambda
        case .svg: .image
        default: nil
        }
    }

    mutating func appendElementBox(_ node: NodeID, style id: StyleID, parent: Int, depth: Int) {
        let style = text.styles[id]
        if let kind = replacedKind(node) {
            appendReplaced(node, kind: kind, style: id, parent: parent)
            return
        }
        let from = NodeID(index: node.index + 1)
        let to = tree.subtreeEnd(node)
        // Too deep: a block, whose contents are flattened.
        switch depth < depthLimit ? style.box.display : .block {
        case .flex, .inlineFlex, .grid, .inlineGrid:
            pending = PendingFirst()
            let box = openBox(.flex, style: id, element: node, parent: parent)
            fillFlex(box, from: from, to: to, depth: depth)
            closeBox(box)
        case .table, .inlineTable:
            pending = PendingFirst()
            let box = openBox(.table, style: id, element: node, parent: parent)
            fillTable(box, from: from, to: to, depth: depth)
            closeBox(box)
            text.formTable(box)
        case .none, .contents, .block, .flowRoot, .inline, .inlineBlock, .listItem, .tableRowGroup, .tableHeaderGroup,
            .tableFooterGroup, .tableRow, .tableCell, .tableColumn, .tableColumnGroup, .tableCaption, .ruby, .rubyText,
            .rubyBase, .webkitBox:
            let box = openBox(.block, style: id, element: node, parent: parent)
            fill(box, from: from, to: to, of: node, depth: depth)
            closeBox(box)
            if tree.tag(node) == .fieldset { noteLegend(of: box) }
        }
    }

    /// The rendered legend is the first `legend` child that is in flow (HTML §15.3.13).
    private mutating func noteLegend(of box: Int) {
        text.boxes[box].isFieldset = true
        for child in text.children(of: box)
        where !text.boxes[child].isAnonymous && tree.tag(text.boxes[child].element) == .legend
            && text.styles[text.boxes[child].style].box.float == .none
        {
            text.boxes[box].legend = child
            break
        }
    }

    mutating func appendReplaced(_ node: NodeID, kind: StyledBox.Kind, style: StyleID, parent: Int) {
        let box = openBox(kind, style: style, element: node, parent: parent)
        let source: String
        if tree.tag(node) == .svg {
            let document = tree.standaloneSVG(node, color: text.styles[style].text.color.hex)
            // What looks like a percent sign's escape in the URI would be decoded.
            let escaped = document.flatMap { $0 == UInt8(ascii: "%") ? Array("%25".utf8) : [$0] }
            source = "data:image/svg+xml," + String(decoding: escaped, as: UTF8.self)
        } else {
            source = tree.attribute(node, kind == .lambda ? "id" : "src") ?? ""
        }
        text.boxes[box].replaced = text.replaced.count
        text.replaced.append(
            ReplacedContent(source: source, alternative: tree.attribute(node, "alt") ?? ""))
        closeBox(box)
    }

    // MARK: Text and generated content

    mutating func appendText(_ node: NodeID, style: StyleID, element: NodeID, to flow: inout Flow) {
        let source = tree.sourceRange(node)
        tree.withText(node) {
            append($0, style: style, element: element, source: source, isGenerated: false, to: &flow)
        }
    }

    /// Adds text to a flow; a `::first-letter` that waits takes its part.
    mutating func append(
        _ bytes: UnsafeBufferPointer<UInt8>, style: StyleID, element: NodeID, source: Range<Int>, isGenerated: Bool,
        to flow: inout Flow
    ) {
        if let letter = pending.letter, let range = FirstLetter.range(in: bytes) {
            pending.letter = nil
            appendFirstLetter(
                letter, bytes, range, style: style, element: element, source: source, isGenerated: isGenerated,
                to: &flow)
            return
        }
        flow.inline.append(
            bytes, style: style, element: element, source: source, isGenerated: isGenerated, to: &text)
    }
}
