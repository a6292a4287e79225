// Generates the contents of a block container: block-level children, and paragraphs between them.

import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextStyling

/// The role of an element with a style in the surrounding block container.
enum FlowRole: UInt8 {
    /// Out of the flow, without a box, or inline-level as a whole: its contents do not affect the container.
    case apart
    case block, tablePart, inline

    init(_ style: ComputedStyle) {
        if style.isOutOfFlow || style.isFootnote {
            self = .apart
            return
        }
        switch style.box.display.level {
        case .none, .atomicInline: self = .apart
        case .block: self = .block
        case .tablePart: self = .tablePart
        case .inline, .contents: self = .inline
        }
    }
}

extension BoxGenerator {
    /// The state of a block container under construction: block-level children, and the inline content between them.
    struct Flow {
        var box: Int
        var depth: Int
        var style: StyleID
        var element: NodeID
        var inline = InlineBuilder()
        /// Set when some content is block-level, so that inline content goes into anonymous blocks.
        var hasBlocks: Bool
        /// The box that holds the inline content being collected, once there is some.
        var paragraph = -1
    }

    typealias Body = (_ generator: inout BoxGenerator, _ parent: Int, _ depth: Int) -> Void

    /// An element whose contents are being visited: an inline box, or no box (`display: contents`).
    typealias OpenElement = (element: NodeID, style: StyleID, isInlineBox: Bool)

    /// A block container whose contents are being visited; a class, so that the collected state is not copied.
    final class Container {
        // One container is visited at a time, so accesses need no checks at run time.
        @exclusivity(unchecked) var flow: Flow
        @exclusivity(unchecked) var open: [OpenElement] = []
        let end: NodeID
        let inTable: Bool

        init(_ flow: Flow, end: NodeID, inTable: Bool) { (self.flow, self.end, self.inTable) = (flow, end, inTable) }
    }

    /// Generates the contents of a block container from children of `element`. In a table white space alone makes no box. Returns
    /// the box, or its last part if boxes across all columns split it.
    // Not inlined, so that the frames of nested parts of tables stay small.
    @inline(never) @discardableResult mutating func fill(
        _ box: Int, _ nodes: Range<NodeID>, of element: NodeID, depth: Int, isElement: Bool = true,
        inTable: Bool = false
    ) -> Int {
        let style = text.boxes[box].style
        let (outer, outerPath) = (pending, columnPath)
        // Pseudo-elements precede those of outer containers. They do not apply in formulas (MathML Core §4).
        if isElement, styled.hasPseudoStyles, !tree.isForeign(element) {
            if let letter = styled.pseudoStyle(of: element, .firstLetter) { pending.letter = (letter, style) }
            if let line = styled.pseudoStyle(of: element, .firstLine) { pending.line = (line, style) }
        }
        // Those that found no text are dropped, and those of outer containers wait again.
        defer {
            if pending.letter != nil { pending.letter = outer.letter }
            if pending.line != nil { pending.line = outer.line }
            columnPath = outerPath
        }
        let holdsNotes = styled.hasFootnotes && isElement && (box == 0 || tree.tag(element) == .body)
        let hasBlocks = holdsNotes || holdsBlocks(nodes, pseudosOf: isElement ? element : nil)
        let inner = Container(
            Flow(box: box, depth: depth, style: style, element: element, hasBlocks: hasBlocks),
            end: nodes.upperBound, inTable: inTable)
        if hasSpanners { noteColumns(around: inner) }
        if isElement { appendMarkerAndBefore(of: element, style: style, to: &inner.flow) }
        if isElement, tree.tag(element) == .math || tree.tag(element) == .mtd && holdsFormula(element) {
            // The formula alone makes the height (MathML Core §2.1.1).
            if isForLayout { text.boxes[box].style = withoutStrut(style) }
            appendFormula(element, style: style, to: &inner.flow)
        } else {
            let details = isElement ? contentsOfDetails(element) : nil
            let (tree, around) = (tree, container)
            container = inner
            tree.visit(nodes.lowerBound..<(details?.start ?? nodes.upperBound), with: &self)
            container = around
            if let details {
                splitInlines(&inner.flow) { generator, parent, depth in
                    let box = generator.openBox(.block, style: details.style, element: element, parent: parent)
                    let contents = details.start..<nodes.upperBound
                    generator.closeBox(
                        generator.fill(box, contents, of: element, depth: depth, isElement: false))
                }
            }
        }
        if isElement { appendPseudo(.after, of: element, to: &inner.flow) }
        finish(&inner.flow)
        // On pages, the area of the notes has the width of the page.
        if holdsNotes, box > 0, !references.isPaged { appendFootnotes(to: inner.flow.box) }
        return inner.flow.box
    }

    /// Each box across all columns splits all blocks around it: at most this many.
    private var mostSplitBlocks: Int { 32 }

    private mutating func noteColumns(around inner: Container) {
        let (box, style) = (text.boxes[inner.flow.box], text.styles[inner.flow.style])
        let isBlock = [.block, .listItem].contains(style.box.display) && !box.isAnonymous && !box.isFieldset
        if style.hasColumns {
            columnPath = [inner]
        } else if isBlock, columnPath.last?.flow.box == box.parent, columnPath.count < mostSplitBlocks,
            style.box.float == .none, !box.isPositioned,
            style.box.overflowX.leavesContents, style.box.overflowY.leavesContents, !style.isContained,
            !style.box.columns.spansAll, !style.text.writingMode.isVertical
        {
            columnPath.append(inner)
        } else {
            columnPath = []
        }
    }

    /// Appends a box that spans all columns between the parts of the blocks around it (CSS Multi-column 1 §6.1).
    private mutating func appendSpanner(_ append: Body, to flow: inout Flow) {
        splitInlines(&flow) { _, _, _ in }
        let (path, first) = (columnPath, columnPath[1].flow.box)
        // Boxes that span all columns are not in the blocks around them.
        var inlines = containingBlocks.filter { $0.box >= first && $0.inline != nil }[...]
        containingBlocks.removeAll { $0.box >= first }
        for box in path.dropFirst().reversed().map(\.flow.box) {
            closeBox(box)
            text.boxes[box].style = cut(text.boxes[box].style, atTop: false)
        }
        // Nothing is between two boxes that span all columns.
        if text.boxes.count - first == path.count - 1, text.boxes[first].style != cut(path[1].flow.style, atTop: false)
        {
            text.boxes.removeSubrange(first...)
        }
        append(&self, path[0].flow.box, flow.depth + 1)
        var parent = path[0].flow.box
        for part in path.dropFirst() {
            let (before, style) = (part.flow.box, cut(part.flow.style, atTop: true))
            parent = openBox(.block, style: style, element: part.flow.element, parent: parent)
            part.flow.box = parent
            while inlines.first?.box == before, var inline = inlines.popFirst() {
                inline.box = parent
                containingBlocks.append(inline)
            }
        }
        flow.box = parent
    }

    /// The style of a part of a block without the edges at the place where it was split.
    private mutating func cut(_ id: StyleID, atTop: Bool) -> StyleID {
        variant(of: id, .cut(atTop: atTop)) { _, _, box in
            if !atTop { (box.height, box.minHeight) = (.auto, .auto) }
            box.dropEdges(clockwise: atTop ? 0 : 2)
        }
    }

    /// The style of `::details-content` of an open `details`, and its first node; nil if no rule styles it (HTML §15.5.6).
    private func contentsOfDetails(_ element: NodeID) -> (style: StyleID, start: NodeID)? {
        guard tree.tag(element) == .details, tree.hasAttribute(element, .open),
            let style = styled.pseudoStyle(of: element, .detailsContent)
        else { return nil }
        let summary = tree.children(element).first { tree.tag($0) == .summary }
        return (style, summary.map { tree.subtreeEnd($0) } ?? NodeID(index: element.index + 1))
    }

    package mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
        elementsSeen &+= 1
        if elementsSeen & 0x3F == 0, meter.clock.isOver() { return .skip }
        guard let container else { return .skip }
        return .resume(visit(node, to: container.end, flow: &container.flow, open: &container.open))
    }

    package mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) {
        guard let container, let last = container.open.last, last.element == node else { return }
        appendPseudo(.after, of: node, to: &container.flow)
        if last.isInlineBox { container.flow.inline.closeInline() }
        leaveContainingBlock(node)
        container.open.removeLast()
    }

    private mutating func leaveContainingBlock(_ inline: NodeID) {
        if containingBlocks.last?.inline == inline { containingBlocks.removeLast() }
    }

    package mutating func visitText(_ node: NodeID, in tree: MarkupTree) {
        guard let container else { return }
        let owner = container.open.last
        let element = owner?.element ?? container.flow.element
        guard !(container.inTable && owner == nil && isBlank(node)), !isClosedAway(textIn: element) else { return }
        appendText(node, style: owner?.style ?? container.flow.style, element: element, to: &container.flow)
    }

    /// Handles one element in a flow; returns the next node to visit.
    mutating func visit(_ node: NodeID, to limit: NodeID, flow: inout Flow, open: inout [OpenElement]) -> NodeID {
        let id = styled.style(of: node)
        let style = text.styles[id]
        let end = tree.subtreeEnd(node)
        let display = style.box.display
        if display == .none || isLegend(node, of: flow.box) { return end }
        enter(node, style: style)
        let tag = tree.tag(node)
        if tag == .br, display != .contents {
            let owner = open.last
            pending.letter = nil
            let origin = TextOrigin(
                style: style.box.clear == .none ? owner?.style ?? flow.style : id,
                element: owner?.element ?? flow.element, node: node, source: tree.sourceRange(node))
            flow.inline.appendForcedBreak(origin, to: &text)
            return end
        }
        if tag == .wbr {
            flow.inline.appendBreakOpportunity()
            return end
        }
        if style.isFootnote {
            appendPseudo(.footnoteCall, of: node, to: &flow)
            footnotes.append((node, counters))
            skipFootnotes(in: node)
            return end
        }
        let isAtLimit = flow.depth >= depthLimit
        let level = display.level
        if isAtLimit, style.isOutOfFlow || level == .atomicInline || level == .block || level == .tablePart {
            // Its contents are added to the container, on lines of their own.
            tooDeep = tooDeep ?? node
            splitInlines(&flow) { _, _, _ in }
            open.append((node, id, isInlineBox: false))
            return NodeID(index: node.index + 1)
        }
        func append(_ generator: inout BoxGenerator, _ parent: Int, _ depth: Int) {
            generator.appendElementBox(node, style: id, parent: parent, depth: depth)
        }
        func appendBox() -> NodeID {
            appendInlineChild(of: node, style: id, isFloat: style.isOutOfFlow, to: &flow, append)
            return end
        }
        if style.isOutOfFlow { return appendBox() }
        func enterContents(isInlineBox: Bool) -> NodeID {
            open.append((node, id, isInlineBox))
            appendPseudo(.before, of: node, to: &flow)
            return NodeID(index: node.index + 1)
        }
        switch level {
        case .contents: return enterContents(isInlineBox: false)
        case .inline, .none:
            if replacedKind(node) != nil { return appendBox() }
            guard flow.inline.depth < inlineDepthLimit else {
                tooDeep = tooDeep ?? node
                return enterContents(isInlineBox: false)
            }
            flow.inline.openInline(style: id, element: node)
            if style.box.position != .static || style.isFiltered {
                containingBlocks.append(ContainingBlock(box: flow.box, inline: node, holdsFixed: style.isFiltered))
            }
            let isRuby = display == .ruby && !isAtLimit && appendRuby(node, style: id, to: &flow)
            guard isRuby || tag == .math else { return enterContents(isInlineBox: true) }
            if !isRuby {
                appendPseudo(.before, of: node, to: &flow)
                appendFormula(node, style: id, to: &flow)
                appendPseudo(.after, of: node, to: &flow)
            }
            flow.inline.closeInline()
            leaveContainingBlock(node)
            return end
        case .atomicInline: return appendBox()
        case .block:
            if style.box.columns.spansAll, columnPath.count > 1 {
                appendSpanner(append, to: &flow)
            } else {
                splitInlines(&flow, append)
            }
            return end
        case .tablePart:
            let inline = open.last
            let stop = endOfTableParts(from: node, to: min(limit, inline.map { tree.subtreeEnd($0.element) } ?? limit))
            func appendTable(_ generator: inout BoxGenerator, _ parent: Int, _ depth: Int) {
                let display: Display = inline == nil ? .table : .inlineTable
                generator.appendAnonymousTable(node..<stop, display, parent: parent, depth: depth)
            }
            if inline == nil {
                splitInlines(&flow, appendTable)
            } else {
                appendInlineChild(of: node, style: id, to: &flow, appendTable)
            }
            return stop
        }
    }

    /// Generates block-level boxes between inline content. The parts of a split inline box have no edges there (CSS 2 §9.2.1.1).
    mutating func splitInlines(_ flow: inout Flow, _ body: Body) {
        let reopened = flow.inline.closeAll()
        for box in reopened {
            let style = splitStyle(of: box.style, dropsStart: box.isContinued, dropsEnd: true)
            flow.inline.setStyle(style, ofItem: box.item)
        }
        finishParagraph(&flow)
        var parent = flow.box
        var wrappers: [Int] = []
        for box in reopened {
            guard let style = continuationStyle(of: box.style, in: flow.style) else { continue }
            parent = openBox(.block, style: style, element: box.element, parent: parent, isAnonymous: true)
            wrappers.append(parent)
        }
        body(&self, parent, flow.depth + 1)
        for wrapper in wrappers.reversed() { closeBox(wrapper) }
        for box in reopened {
            let style = splitStyle(of: box.style, dropsStart: true, dropsEnd: false)
            flow.inline.openInline(style: style, element: box.element, continuing: box.style)
        }
    }

    /// The style of an anonymous box around the blocks in an inline box that moves or fades, and they with it (CSS 2 §9.2.1.1).
    private mutating func continuationStyle(of inline: StyleID, in container: StyleID) -> StyleID? {
        let style = text.styles[inline].box
        guard style.opacity < 1 || style.position == .relative && !style.$positioned else { return nil }
        return generatedStyle(of: container, .block, "in inline box \(inline.rawValue)") { _, _, box in
            box.opacity = style.opacity
            if style.position == .relative { (box.position, box.positioned) = (.relative, style.positioned) }
        }
    }

    /// The style of a part of an inline box, without margin, border and padding at the sides where the box was split.
    mutating func splitStyle(of id: StyleID, dropsStart: Bool, dropsEnd: Bool) -> StyleID {
        guard hasInlineEdges(text.styles[id].box), dropsStart || dropsEnd else { return id }
        return variant(of: id, .part(dropsStart: dropsStart, dropsEnd: dropsEnd)) { _, text, box in
            let start = text.direction == .rtl ? 1 : 3
            if dropsStart { box.dropEdges(clockwise: start) }
            if dropsEnd { box.dropEdges(clockwise: 4 - start) }
        }
    }

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
                flow.hasBlocks ? openAnonymous(.block, .block, of: flow.style, flow.element, in: flow.box) : flow.box
        }
        return flow.paragraph
    }

    /// Generates a box inside inline content: a float, or an atomic box of an element with a style.
    mutating func appendInlineChild(
        of element: NodeID, style: StyleID, isFloat: Bool = false, to flow: inout Flow, _ body: Body
    ) {
        let parent = paragraphBox(&flow)
        let box = text.boxes.count
        if isFloat {
            flow.inline.appendFloat(box)
        } else {
            flow.inline.appendAtomic(box, element: element, style: style, to: &text)
        }
        // The container's first line or letter is never inside another formatting context.
        let waiting = pending
        pending = PendingFirst()
        body(&self, parent, flow.depth + 1)
        pending = waiting
        if !isFloat { pending.letter = nil }
    }

    /// Ends the inline content collected before this point. White space alone between blocks makes no box.
    mutating func finishParagraph(_ flow: inout Flow) {
        let range = flow.inline.finish(&text)
        let inline = flow.inline
        flow.inline = InlineBuilder()
        // An inline box with edges makes a line even when it is empty (CSS 2 §9.4.2).
        func hasEdges(_ item: InlineItem) -> Bool {
            if case .open(let style, _) = item { hasInlineEdges(text.styles[style].box) } else { false }
        }
        if !inline.isEmpty || inline.items.contains(where: hasEdges) {
            attach(inline.items, text: range, to: paragraphBox(&flow))
        }
        if flow.paragraph >= 0, flow.paragraph != flow.box { closeBox(flow.paragraph) }
        flow.paragraph = -1
    }

    /// Ends inline content that is all of a box's contents.
    mutating func finish(_ inline: inout InlineBuilder, in box: Int) {
        let range = inline.finish(&text)
        if !inline.isEmpty { attach(inline.items, text: range, to: box) }
    }

    private mutating func attach(_ items: [InlineItem], text range: Range<Int>, to box: Int) {
        let start = text.items.count
        text.items.append(contentsOf: items)
        text.boxes[box].items = start..<text.items.count
        text.boxes[box].holdsInlines = true
        text.boxes[box].text = range
        if pending.line != nil, !range.isEmpty { styleFirstLine(of: box) }
    }

    /// Returns whether there are block-level boxes among siblings or in their inline boxes. Nested ruby asks this at each level, so
    /// a range known to have only inline boxes is not searched again.
    mutating func holdsBlocks(_ nodes: Range<NodeID>, pseudosOf element: NodeID?) -> Bool {
        if let element, hasBlockPseudo(element) { return true }
        if inlineStretch.lowerBound <= nodes.lowerBound, nodes.upperBound <= inlineStretch.upperBound { return false }
        var isInline = true
        var node = nodes.lowerBound
        while node < nodes.upperBound {
            guard tree.kind(node) == .element else {
                node = tree.subtreeEnd(node)
                continue
            }
            switch roles[Int(styled.style(of: node).rawValue)] {
            case .apart:
                node = tree.subtreeEnd(node)
                isInline = false
            case .block: return true
            case .tablePart:
                isInline = false
                // Table parts inside an inline box make an inline table, which is not a block.
                if tree.parent(node) == tree.parent(nodes.lowerBound) { return true }
                node = tree.subtreeEnd(node)
            case .inline:
                if hasBlockPseudo(node) { return true }
                node = NodeID(index: node.index + 1)
            }
        }
        if isInline, !nodes.isEmpty { inlineStretch = nodes }
        return false
    }

    func hasBlockPseudo(_ element: NodeID) -> Bool {
        lacksSummary(element)
            || [PseudoBox.before, .after].contains { pseudo in
                guard let style = styled.pseudoStyle(of: element, pseudo).map({ text.styles[$0] }) else { return false }
                return style.box.content != nil && !style.isOutOfFlow && levelOfPseudo(style, of: element) == .block
            }
    }

    /// Returns whether text is hidden: directly in a closed `details`, or markup in `noscript` that was read as raw text.
    private func isClosedAway(textIn element: NodeID) -> Bool {
        switch tree.tag(element) {
        case .details: !tree.hasAttribute(element, "open")
        case .noscript: tree.holdsRawText(element)
        default: false
        }
    }

    // MARK: Ruby (CSS Ruby 1 §2): each base with its annotation is an atomic box of two blocks

    /// Appends ruby segments: each base with the `<rt>` that follows it. Returns false when there is no annotation.
    mutating func appendRuby(_ node: NodeID, style: StyleID, to flow: inout Flow) -> Bool {
        var segments: [(base: Range<NodeID>, annotation: NodeID)] = []
        var baseStart = NodeID(index: node.index + 1)
        for child in tree.children(node)
        where tree.kind(child) == .element && computed(child).box.display == .rubyText {
            segments.append((baseStart..<child, child))
            baseStart = tree.subtreeEnd(child)
        }
        if segments.isEmpty { return false }
        let end = tree.subtreeEnd(node)
        for (base, annotation) in segments {
            appendInlineChild(of: node, style: style, to: &flow) { generator, parent, depth in
                let box = generator.openAnonymous(.ruby, .inlineBlock, of: style, node, in: parent)
                generator.appendAnonymousBlock(base, of: style, node, in: box, depth: depth)
                let annotationStyle = generator.styled.style(of: annotation)
                let inner = generator.openBox(.block, style: annotationStyle, element: annotation, parent: box)
                generator.fill(inner, generator.tree.contents(annotation), of: annotation, depth: depth)
                generator.closeBox(inner)
                generator.closeBox(box)
            }
        }
        // Text after the last annotation has no annotation.
        var rest = baseStart
        while rest < end {
            if tree.kind(rest) == .element, computed(rest).box.display == .none {
                rest = tree.subtreeEnd(rest)
                continue
            }
            if tree.kind(rest) == .text { appendText(rest, style: style, element: node, to: &flow) }
            rest = NodeID(index: rest.index + 1)
        }
        return true
    }
}

extension BoxStyle {
    fileprivate mutating func dropEdges(clockwise side: Int) {
        (margin[clockwise: side], border[clockwise: side], padding[clockwise: side]) = (.zero, BorderSide(), .zero)
    }
}
