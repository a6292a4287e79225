// Box generation (CSS 2 §9.2, CSS Display 3): from a styled tree to the styled text that every output reads.
//
// In: a StyledTree. Out: a StyledText. The walk goes in document order with an explicit cursor; it recurses only for
// block containers, to a bounded depth. A block container holds either block-level boxes or one inline formatting context;
// where both occur, anonymous blocks hold the inline parts, and inline boxes that a block splits are closed before and
// reopened after it. Whether there are blocks is looked up ahead, so that every box is made where it stays in the arena.

import MarkupSyntax

/// Generates the boxes and the text of a styled tree.
package struct BoxGenerator {
    let styled: StyledTree
    let tree: MarkupTree
    let depthLimit: Int
    var text: StyledText
    var counters = Counters()
    var quoteDepth = 0
    var anonymous: [AnonymousKey: StyleID] = [:]
    var isTooDeep = false

    struct AnonymousKey: Hashable {
        var parent: StyleID
        var display: Display
    }

    /// Generates everything of `styled`, or only some elements, each in a block of its own. O(nodes + text).
    package static func generate(
        _ styled: StyledTree, only elements: [NodeID]? = nil, limits: Limits = Limits(), log: inout DiagnosticLog
    ) -> StyledText {
        var generator = BoxGenerator(styled, depthLimit: limits.layoutDepth)
        generator.generateRoot(only: elements)
        if generator.isTooDeep {
            log.report(
                Diagnostic(
                    .warning,
                    "elements nested deeper than \(limits.layoutDepth) boxes are laid out in their ancestor's box"))
        }
        return generator.text
    }

    init(_ styled: StyledTree, depthLimit: Int) {
        self.styled = styled
        tree = styled.tree
        self.depthLimit = depthLimit
        text = StyledText(styles: styled.styles)
    }

    mutating func generateRoot(only elements: [NodeID]?) {
        text.text.reserveCapacity(tree.count * 8)
        let root = tree.root
        let box = openBox(.block, style: styled.style(of: root), element: root, parent: -1)
        if let elements {
            for element in elements { appendAlone(element, parent: box) }
        } else {
            fill(box, from: NodeID(index: root.index + 1), to: tree.subtreeEnd(root), of: root, depth: 0)
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
        if let style = anonymous[key] { return style }
        let inherited = text.styles[parent]
        var box = BoxStyle()
        box.display = display
        box.decorations = inherited.box.decorations
        let style = text.styles.append(ComputedStyle(font: inherited.font, text: inherited.text, box: box))
        anonymous[key] = style
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

    /// Generates the contents of block container `box` from the sibling nodes [from, to), children of `element`.
    ///
    /// - Parameter inTable: White space alone between the siblings makes no box, as browsers have it in tables.
    mutating func fill(
        _ box: Int, from: NodeID, to: NodeID, of element: NodeID, depth: Int, isElement: Bool = true,
        inTable: Bool = false
    ) {
        let style = text.boxes[box].style
        let hasBlocks = holdsBlocks(from: from, to: to, pseudosOf: isElement ? element : nil)
        var flow = Flow(box: box, depth: depth, style: style, element: element, hasBlocks: hasBlocks)
        var open: [OpenElement] = []
        if isElement { appendMarkerAndBefore(of: element, style: style, to: &flow) }
        var node = from
        while true {
            while let last = open.last, last.end <= node {
                appendPseudo(.after, of: last.element, to: &flow)
                if last.isInlineBox { flow.inline.closeInline() }
                open.removeLast()
            }
            guard node < to else { break }
            switch tree.kind(node) {
            case .text:
                let owner = open.last
                if !inTable || owner != nil || !isBlank(node) {
                    appendText(node, style: owner?.style ?? style, element: owner?.element ?? element, to: &flow)
                }
                node = NodeID(index: node.index + 1)
            case .element:
                node = visit(node, to: to, flow: &flow, open: &open)
            case .comment, .doctype, .instruction, .root:
                node = tree.subtreeEnd(node)
            }
        }
        if isElement { appendPseudo(.after, of: element, to: &flow) }
        finish(&flow)
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
            flow.inline.appendForcedBreak(
                style: owner?.style ?? flow.style, element: owner?.element ?? flow.element,
                source: tree.sourceRange(node),
                to: &text)
            return end
        }
        if tag == .wbr {
            flow.inline.appendBreakOpportunity()
            return end
        }
        if style.box.float != .none {
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
            flow.inline.openInline(style: id, element: node)
            if display == .ruby, appendRuby(node, style: id, to: &flow) {
                flow.inline.closeInline()
                return end
            }
            open.append(OpenElement(end: end, element: node, style: id, isInlineBox: true))
            appendPseudo(.before, of: node, to: &flow)
            return NodeID(index: node.index + 1)
        case .inlineBlock, .inlineFlex, .inlineTable:
            return appendAtomic(node, style: id, to: &flow)
        case .block, .flowRoot, .listItem, .flex, .table, .webkitBox:
            if flow.depth >= depthLimit { return flatten(node, style: id, flow: &flow, open: &open) }
            splitInlines(&flow) { generator, flow in
                generator.appendElementBox(node, style: id, parent: flow.box, depth: flow.depth + 1)
            }
            return end
        case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableRow, .tableCell, .tableColumn,
            .tableColumnGroup, .tableCaption:
            if flow.depth >= depthLimit { return flatten(node, style: id, flow: &flow, open: &open) }
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
        isTooDeep = true
        splitInlines(&flow) { _, _ in }
        open.append(OpenElement(end: tree.subtreeEnd(node), element: node, style: style, isInlineBox: false))
        return NodeID(index: node.index + 1)
    }

    /// Puts block-level boxes between what is inline before and what is inline after.
    mutating func splitInlines(_ flow: inout Flow, _ body: (inout BoxGenerator, Flow) -> Void) {
        let reopened = flow.inline.closeAll()
        finishParagraph(&flow)
        body(&self, flow)
        for box in reopened { flow.inline.openInline(style: box.style, element: box.element) }
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
        body(&self, parent, flow.depth + 1)
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
        if !inline.isEmpty { attach(inline.items, text: range, to: paragraphBox(&flow)) }
        if flow.paragraph >= 0, flow.paragraph != flow.box { closeBox(flow.paragraph) }
        flow.paragraph = -1
    }

    mutating func attach(_ items: [InlineItem], text range: Range<Int>, to box: Int) {
        let start = text.items.count
        text.items.append(contentsOf: items)
        text.boxes[box].items = start..<text.items.count
        text.boxes[box].holdsInlines = true
        text.boxes[box].text = range
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
            case .none, .inlineBlock, .inlineFlex, .inlineTable:
                node = tree.subtreeEnd(node)
            case .block, .flowRoot, .listItem, .flex, .table, .webkitBox:
                return true
            case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableRow, .tableCell, .tableColumn,
                .tableColumnGroup, .tableCaption:
                // Inside an inline box they make an inline table, which is no block.
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
        for pseudo in [PseudoBox.before, .after] {
            guard let id = styled.pseudoStyle(of: element, pseudo) else { continue }
            let box = text.styles[id].box
            if box.content != nil, isBlockLevel(box.display) { return true }
        }
        return false
    }

    func isBlockLevel(_ display: Display) -> Bool {
        switch display {
        case .block, .flowRoot, .listItem, .flex, .table, .webkitBox: true
        case .none, .contents, .inline, .inlineBlock, .inlineFlex, .inlineTable, .tableRowGroup, .tableHeaderGroup,
            .tableFooterGroup, .tableRow, .tableCell, .tableColumn, .tableColumnGroup, .tableCaption, .ruby, .rubyText,
            .rubyBase:
            false
        }
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

    /// Counters change where the element stands in document order (CSS Lists 3 §4.4).
    mutating func enter(_ node: NodeID, style: ComputedStyle) {
        let tag = tree.tag(node)
        if tag == .ol || tag == .ul || tag == .menu || tag == .dir {
            counters.reset("list-item", to: listStart(node, isOrdered: tag == .ol), at: node, in: tree)
        }
        for change in style.box.counterReset { counters.reset(change.name, to: change.value, at: node, in: tree) }
        var countsItem = style.box.display == .listItem
        for change in style.box.counterIncrement {
            if change.name == "list-item" { countsItem = false }
            counters.increment(change.name, by: change.value, at: node, in: tree)
        }
        if countsItem {
            counters.increment("list-item", by: isInReversedList(node) ? -1 : 1, at: node, in: tree)
            if tag == .li, let value = tree.attribute(node, "value").flatMap(Self.integer) {
                counters.set("list-item", to: value, at: node, in: tree)
            }
        }
        for change in style.box.counterSet { counters.set(change.name, to: change.value, at: node, in: tree) }
    }

    /// The value before the first item: HTML §4.4.5 (`start`, `reversed`).
    func listStart(_ node: NodeID, isOrdered: Bool) -> Int {
        guard isOrdered else { return 0 }
        let isReversed = tree.attribute(node, "reversed") != nil
        if let start = tree.attribute(node, "start").flatMap(Self.integer) {
            return isReversed
                ? start.addingReportingOverflow(1).partialValue : start.subtractingReportingOverflow(1).partialValue
        }
        guard isReversed else { return 0 }
        return tree.children(node).reduce(1) { $0 + (tree.kind($1) == .element && tree.tag($1) == .li ? 1 : 0) }
    }

    func isInReversedList(_ node: NodeID) -> Bool {
        var ancestor = tree.parent(node)
        while let current = ancestor, tree.kind(current) == .element {
            let tag = tree.tag(current)
            if tag == .ol { return tree.attribute(current, "reversed") != nil }
            if tag == .ul || tag == .menu || tag == .dir { return false }
            ancestor = tree.parent(current)
        }
        return false
    }

    /// HTML's rules for parsing integers (§2.3.4.1): leading white space, a sign, digits; what follows is ignored.
    static func integer(_ string: String) -> Int? {
        var rest = string.drop { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\u{C}" || $0 == "\r" }
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest = rest.dropFirst() }
        guard let magnitude = Int(rest.prefix { ("0"..."9").contains($0) }), magnitude < 1 << 31 else { return nil }
        return isNegative ? -magnitude : magnitude
    }

    mutating func appendElementBox(_ node: NodeID, style id: StyleID, parent: Int, depth: Int) {
        let style = text.styles[id]
        if let kind = replacedKind(node) {
            appendReplaced(node, kind: kind, style: id, parent: parent)
            return
        }
        let from = NodeID(index: node.index + 1)
        let to = tree.subtreeEnd(node)
        switch style.box.display {
        case .flex, .inlineFlex:
            let box = openBox(.flex, style: id, element: node, parent: parent)
            fillFlex(box, from: from, to: to, depth: depth)
            closeBox(box)
        case .table, .inlineTable:
            let box = openBox(.table, style: id, element: node, parent: parent)
            fillTable(box, from: from, to: to, depth: depth)
            closeBox(box)
        case .none, .contents, .block, .flowRoot, .inline, .inlineBlock, .listItem, .tableRowGroup, .tableHeaderGroup,
            .tableFooterGroup, .tableRow, .tableCell, .tableColumn, .tableColumnGroup, .tableCaption, .ruby, .rubyText,
            .rubyBase, .webkitBox:
            let box = openBox(.block, style: id, element: node, parent: parent)
            fill(box, from: from, to: to, of: node, depth: depth)
            closeBox(box)
        }
    }

    mutating func appendReplaced(_ node: NodeID, kind: StyledBox.Kind, style: StyleID, parent: Int) {
        let box = openBox(kind, style: style, element: node, parent: parent)
        let source: String
        if tree.tag(node) == .svg {
            source = "data:image/svg+xml," + tree.outerHTML(node)
        } else {
            source = tree.attribute(node, kind == .lambda ? "id" : "src") ?? ""
        }
        text.boxes[box].replaced = text.replaced.count
        text.replaced.append(
            ReplacedContent(
                source: source, alternative: tree.attribute(node, "alt") ?? "", location: tree.location(node)))
        closeBox(box)
    }

    // MARK: Text and generated content

    mutating func appendText(_ node: NodeID, style: StyleID, element: NodeID, to flow: inout Flow) {
        let source = tree.sourceRange(node)
        tree.withText(node) { flow.inline.append($0, style: style, element: element, source: source, to: &text) }
    }

    mutating func appendMarkerAndBefore(of element: NodeID, style id: StyleID, to flow: inout Flow) {
        let style = text.styles[id]
        if style.box.display == .listItem { appendMarker(of: element, style: style, id: id, to: &flow) }
        appendPseudo(.before, of: element, to: &flow)
    }

    mutating func appendMarker(of element: NodeID, style: ComputedStyle, id: StyleID, to flow: inout Flow) {
        let markerStyle = styled.pseudoStyle(of: element, .marker) ?? anonymousStyle(of: id, .inline)
        var string = ""
        var shape: ListMarker.Shape?
        if let content = text.styles[markerStyle].box.content {
            string = render(content, of: element)
            if string.isEmpty { return }
        } else {
            switch style.text.listStyleType {
            case .none:
                if style.text.listStyleImage == nil { return }
            case .string(let value):
                string = value
            case .named(let name):
                let value = counters.value("list-item", at: element)
                string = CounterText.text(value, style: name) + CounterText.suffix(style: name)
                shape = Self.shape(name)
            }
        }
        if style.text.listStyleInside {
            flow.inline.openInline(style: markerStyle, element: element)
            flow.inline.append(verbatim: string, style: markerStyle, element: element, to: &text)
            flow.inline.closeInline()
            return
        }
        text.boxes[flow.box].marker = text.markers.count
        text.markers.append(
            ListMarker(text: string, style: markerStyle, image: style.text.listStyleImage, shape: shape))
    }

    static func shape(_ name: String) -> ListMarker.Shape? {
        switch name {
        case "disc": .disc
        case "circle": .circle
        case "square": .square
        case "disclosure-open": .disclosureOpen
        case "disclosure-closed": .disclosureClosed
        default: nil
        }
    }

    mutating func appendPseudo(_ pseudo: PseudoBox, of element: NodeID, to flow: inout Flow) {
        guard let id = styled.pseudoStyle(of: element, pseudo) else { return }
        let style = text.styles[id]
        guard let content = style.box.content, style.box.display != .none else { return }
        for change in style.box.counterReset { counters.reset(change.name, to: change.value, at: element, in: tree) }
        for change in style.box.counterIncrement {
            counters.increment(change.name, by: change.value, at: element, in: tree)
        }
        for change in style.box.counterSet { counters.set(change.name, to: change.value, at: element, in: tree) }
        let string = render(content, of: element)
        guard isBlockLevel(style.box.display) else {
            flow.inline.openInline(style: id, element: element)
            flow.inline.append(generated: string, style: id, element: element, to: &text)
            flow.inline.closeInline()
            return
        }
        splitInlines(&flow) { generator, flow in
            let box = generator.openBox(.block, style: id, element: element, parent: flow.box)
            var inline = InlineBuilder()
            inline.append(generated: string, style: id, element: element, to: &generator.text)
            let range = inline.finish(&generator.text)
            if !inline.isEmpty { generator.attach(inline.items, text: range, to: box) }
            generator.closeBox(box)
        }
    }

    mutating func render(_ content: [ContentPart], of element: NodeID) -> String {
        var result = ""
        for part in content {
            switch part {
            case .string(let string): result += string
            case .attribute(let name): result += tree.attribute(element, name) ?? ""
            case .counter(let name, let style):
                result += Self.text(counters.value(name, at: element), style)
            case .counters(let name, let separator, let style):
                result += counters.values(name, at: element).map { Self.text($0, style) }.joined(separator: separator)
            case .openQuote:
                result += quote(of: element, isOpen: true)
                quoteDepth += 1
            case .closeQuote:
                quoteDepth = max(0, quoteDepth - 1)
                result += quote(of: element, isOpen: false)
            case .noOpenQuote: quoteDepth += 1
            case .noCloseQuote: quoteDepth = max(0, quoteDepth - 1)
            case .image: break
            }
        }
        return result
    }

    func quote(of element: NodeID, isOpen: Bool) -> String {
        let style = text.styles[styled.style(of: element)]
        let pairs = style.text.quotes ?? Quotes.pairs(forLanguage: style.font.language)
        guard pairs.count >= 2 else { return "" }
        let level = min(quoteDepth, pairs.count / 2 - 1)
        return pairs[level * 2 + (isOpen ? 0 : 1)]
    }

    static func text(_ value: Int, _ style: CounterStyle) -> String {
        switch style {
        case .none: ""
        case .string(let string): string
        case .named(let name): CounterText.text(value, style: name)
        }
    }

    // MARK: Ruby

    /// Ruby segments: each base with the `<rt>` that follows it. False when there is no annotation.
    mutating func appendRuby(_ node: NodeID, style: StyleID, to flow: inout Flow) -> Bool {
        var segments: [(base: Range<NodeID>, annotation: Range<NodeID>)] = []
        var baseStart = NodeID(index: node.index + 1)
        var hasAnnotation = false
        for child in tree.children(node) where tree.kind(child) == .element {
            let display = text.styles[styled.style(of: child)].box.display
            if display == .rubyText {
                segments.append((baseStart..<child, child..<tree.subtreeEnd(child)))
                baseStart = tree.subtreeEnd(child)
                hasAnnotation = true
            }
        }
        guard hasAnnotation else { return false }
        let end = tree.subtreeEnd(node)
        for segment in segments {
            let item = flow.inline.appendAtomic(element: node, style: style, to: &text)
            appendInlineChild(&flow, item: item) { generator, parent, depth in
                generator.appendRubySegment(
                    node, base: segment.base, annotation: segment.annotation, parent: parent, depth: depth)
            }
        }
        // Text after the last annotation has none.
        var rest = baseStart
        while rest < end {
            if tree.kind(rest) == .text { appendText(rest, style: style, element: node, to: &flow) }
            rest = NodeID(index: rest.index + 1)
        }
        return true
    }

    mutating func appendRubySegment(
        _ node: NodeID, base: Range<NodeID>, annotation: Range<NodeID>, parent: Int, depth: Int
    ) {
        let style = styled.style(of: node)
        let box = openBox(
            .ruby, style: anonymousStyle(of: style, .inlineBlock), element: node, parent: parent, isAnonymous: true)
        let baseBox = openBox(
            .block, style: anonymousStyle(of: style, .block), element: node, parent: box, isAnonymous: true)
        fill(baseBox, from: base.lowerBound, to: base.upperBound, of: node, depth: depth, isElement: false)
        closeBox(baseBox)
        let rt = annotation.lowerBound
        let annotationBox = openBox(.block, style: styled.style(of: rt), element: rt, parent: box)
        fill(annotationBox, from: NodeID(index: rt.index + 1), to: annotation.upperBound, of: rt, depth: depth)
        closeBox(annotationBox)
        closeBox(box)
    }

    // MARK: Flex containers

    /// Each element child becomes a block-level item; text between becomes anonymous items (CSS Flexbox 1 §4).
    mutating func fillFlex(_ box: Int, from: NodeID, to: NodeID, depth: Int) {
        let style = text.boxes[box].style
        let element = text.boxes[box].element
        var node = from
        while node < to {
            let end = tree.subtreeEnd(node)
            switch tree.kind(node) {
            case .text:
                if !isBlank(node) {
                    let item = openBox(
                        .block, style: anonymousStyle(of: style, .block), element: element, parent: box,
                        isAnonymous: true)
                    fill(item, from: node, to: end, of: element, depth: depth, isElement: false)
                    closeBox(item)
                }
                node = end
            case .element:
                let id = styled.style(of: node)
                let display = text.styles[id].box.display
                if display == .contents {
                    node = NodeID(index: node.index + 1)
                    continue
                }
                if display != .none {
                    enter(node, style: text.styles[id])
                    appendElementBox(node, style: id, parent: box, depth: depth + 1)
                }
                node = end
            case .comment, .doctype, .instruction, .root:
                node = end
            }
        }
    }
}
