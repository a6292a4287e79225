// Tree construction in tables, templates and foreign content (HTML §13.2.6.4.9–18, §13.2.6.5), and in XML; foster parenting moves
// content that a table cannot contain before it (§13.2.6.1).

extension Normalizer {
    mutating func processInTable() {
        switch token.kind {
        case .text, .cdata:
            if mode == .inColumnGroup {
                insertSpaces()
                if token.contentStart == token.contentEnd { return }
                leaveColumnGroup()
                process()
            } else if isTablePart(topTag) {
                if isBlank() { insertText(token.contentStart, token.contentEnd) } else { fostered() }
            } else {
                processInBody()
            }
        case .startTag: startTagInTable()
        case .endTag: endTagInTable()
        case .comment, .instruction, .doctype, .end: break
        }
    }

    /// "Anything else": the rules of the body apply, but nodes are placed before the table.
    private mutating func fostered() {
        fosters = true
        processInBody()
        fosters = false
    }

    private mutating func leaveColumnGroup() {
        if topTag == .colgroup { pop(closedBy: nil) }
        mode = .inTable
    }

    /// Pops until a table, row or body that may hold the token.
    private mutating func clear(back tags: TagID...) {
        while stack.count > 1, !tags.contains(topTag), topTag != .template, topTag != .html { pop(closedBy: nil) }
    }

    private mutating func openTablePart(_ next: Mode) {
        let before = stack.count
        open()
        if stack.count > before { mode = next }
    }

    private mutating func startTagInTable() {
        let tag = token.tag
        if mode == .inColumnGroup {
            switch tag {
            case .col: insertVoid()
            case .html: mergeAttributes(into: htmlNode)
            case .template: insertHeadContent()
            default:
                leaveColumnGroup()
                process()
            }
            return
        }
        switch tag {
        case .caption, .col, .colgroup, .tbody, .tfoot, .thead:
            if mode == .inRow { closeRow() }
            if mode == .inTableBody { closeTableBody() }
            guard mode == .inTable else { return }
            clear(back: .table)
            switch tag {
            case .caption:
                appendMarker()
                openTablePart(.inCaption)
            case .colgroup: openTablePart(.inColumnGroup)
            case .col:
                openImplied(.colgroup)
                mode = .inColumnGroup
                insertVoid()
            default: openTablePart(.inTableBody)
            }
        case .tr, .td, .th:
            if tag == .tr, mode == .inRow { closeRow() }
            if mode == .inTable {
                clear(back: .table)
                openImplied(.tbody)
                mode = .inTableBody
            }
            if tag == .tr || mode == .inTableBody { clear(back: .tbody, .tfoot, .thead) }
            if tag == .tr { return openTablePart(.inRow) }
            if mode == .inTableBody {
                openImplied(.tr)
                mode = .inRow
            }
            clear(back: .tr)
            openTablePart(.inCell)
            appendMarker()
        case .table:
            guard inTableScope(.table) else { return }
            closeTable(byToken: false)
            process()
        case .style, .script, .template: insertHeadContent()
        case .input where isHiddenInput(): insertVoid()
        case .form:
            guard find(.template) < 0, formElement == nil else { return }
            insertVoid()
            formElement = nextIndex - 1
        default: fostered()
        }
    }

    private func isHiddenInput() -> Bool {
        guard let type = tokenAttributes.first(where: { $0.id == .type }) else { return false }
        let value = tokenizer.text(at: type.valueStart, type.valueLength)
        return value.elementsEqual("hidden".utf8) { $0.asciiLowercased == $1 }
    }

    private mutating func closeRow() {
        guard inTableScope(.tr) else { return }
        clear(back: .tr)
        if topTag == .tr { pop(closedBy: endOffset(.tr)) }
        mode = .inTableBody
    }

    private mutating func closeTableBody() {
        guard inTableScope(.tbody) || inTableScope(.thead) || inTableScope(.tfoot) else { return }
        clear(back: .tbody, .tfoot, .thead)
        if topTag == .tbody || topTag == .thead || topTag == .tfoot { pop(closedBy: endOffset(topTag)) }
        mode = .inTable
    }

    /// Closes the table; the mode becomes that of its context again.
    private mutating func closeTable(byToken: Bool = true) {
        let at = find(.table)
        guard at > 0 else { return }
        let outer = stack[Int(at)].savedMode
        pop(through: at, closedByToken: byToken)
        mode = outer
    }

    private mutating func endTagInTable() {
        let tag = token.tag
        if !tooDeep.isEmpty { return endTagInBody() }
        if mode == .inColumnGroup {
            if tag == .col { return }
            if tag == .colgroup, topTag == .colgroup { pop(closedBy: token.end) }
            leaveColumnGroup()
            return process()
        }
        switch tag {
        case .table: if inTableScope(.table) { closeTable() }
        case .tr: if mode == .inRow { closeRow() }
        case .tbody, .tfoot, .thead:
            guard inTableScope(tag) else { return }
            if mode == .inRow { closeRow() }
            if mode == .inTableBody { closeTableBody() }
        case .body, .caption, .col, .colgroup, .html, .td, .th: return
        case .template: closeTemplate()
        default: fostered()
        }
    }

    mutating func processInCellOrCaption() {
        guard token.kind == .startTag || token.kind == .endTag else { return processInBody() }
        let isEnd = token.kind == .endTag
        switch token.tag {
        case .caption where isEnd: if mode == .inCaption { _ = closeCellOrCaption(byToken: true) }
        case .td where isEnd, .th where isEnd:
            if mode == .inCell, inTableScope(token.tag) { _ = closeCellOrCaption(byToken: true) }
        case .col where isEnd, .colgroup where isEnd, .body where isEnd, .html where isEnd: return
        case .td, .th, .caption, .col, .colgroup, .tbody, .tfoot, .thead, .tr:
            let isAllowed = !isEnd || mode == .inCell && inTableScope(token.tag)
            if isAllowed, closeCellOrCaption(byToken: false) { process() }
        case .table where isEnd: if inTableScope(.table), closeCellOrCaption(byToken: false) { process() }
        default: processInBody()
        }
    }

    /// Closes the open cell or caption; false when none is open (a template's content).
    private mutating func closeCellOrCaption(byToken: Bool) -> Bool {
        let at = mode == .inCaption ? find(.caption) : max(find(.td), find(.th))
        guard at > 0, at >= bounds.tableScope else { return false }
        pop(through: at, closedByToken: byToken)
        clearFormattingToMarker()
        mode = mode == .inCaption ? .inTable : .inRow
        return true
    }

    /// Handles a template's content: its first tag decides the insertion mode (§13.2.6.4.18).
    mutating func processInTemplate() {
        guard token.kind == .startTag else { return processInBody() }
        switch token.tag {
        case .caption, .colgroup, .tbody, .tfoot, .thead, .col, .tr, .td, .th:
            // Table parts are kept in a template as written.
            if topTag == .td || topTag == .th, token.tag == .td || token.tag == .th || token.tag == .tr {
                pop(closedBy: nil)
            }
            if topTag == .tr, token.tag == .tr { pop(closedBy: nil) }
            if token.tag == .col { insertVoid() } else { open() }
        default: startTagInBody()
        }
    }

    // MARK: SVG and MathML (§13.2.6.5)

    mutating func openForeign() {
        if token.tag == .style { hasStyle = true }
        if token.selfClosing { return insertVoid(foreign: true) }
        open(foreign: true, integration: isIntegrationPoint(token.tag))
    }

    private func isIntegrationPoint(_ tag: TagID) -> Bool {
        switch tag {
        case .foreignobject, .desc, .title, .mi, .mo, .mn, .ms, .mtext: true
        case .annotationXml: tokenAttributes.contains { $0.id == .encoding }
        default: false
        }
    }

    /// The start tags that end foreign content.
    private static let breakout: Set<TagID> = [
        .b, .big, .blockquote, .body, .br, .center, .code, .dd, .div, .dl, .dt, .em, .embed, .h1, .h2, .h3, .h4, .h5,
        .h6, .head, .hr, .i, .img, .li, .listing, .menu, .meta, .nobr, .ol, .p, .pre, .ruby, .s, .small, .span, .strong,
        .strike, .sub, .sup, .table, .tt, .u, .ul, .variable,
    ]

    mutating func processForeign() {
        if options.isXML { return processXML() }
        let isForeignStart = token.kind == .startTag && (token.tag == .svg || token.tag == .math)
        if top.integration, token.kind != .endTag, !isForeignStart { return processHTML() }
        switch token.kind {
        case .text, .cdata:
            let flags: Node.Flags = token.kind == .cdata ? [.raw, .keepsNUL] : .keepsNUL
            insertText(token.contentStart, token.contentEnd, flags: flags)
        case .comment, .instruction, .doctype, .end: break
        case .startTag:
            let breaksOut =
                Self.breakout.contains(token.tag)
                || token.tag == .font && tokenAttributes.contains { [.color, .face, .size].contains($0.id) }
            if breaksOut, !isXHTML { leaveForeign() } else { openForeign() }
        case .endTag:
            let at = find(token.tag)
            if at > 0, stack[Int(at)].foreign, at > bounds.html {
                pop(through: at)
            } else if token.tag == .p || token.tag == .br {
                leaveForeign()
            } else if at > 0 {
                process()
            } else {
                markRepaired()
            }
        }
    }

    private mutating func leaveForeign() {
        while stack.count > 1, top.foreign, !top.integration { pop(closedBy: nil) }
        process()
    }

    mutating func processXML() {
        switch token.kind {
        case .text: insertText(token.contentStart, token.contentEnd)
        case .cdata: insertText(token.contentStart, token.contentEnd, flags: .raw)
        case .doctype: insertLeaf()
        case .startTag: if token.selfClosing { insertVoid(foreign: true) } else { open(foreign: true) }
        case .endTag:
            let at = find(token.tag)
            if at < stack.count - 1 {
                let problem = at > 0 ? "before the end of <\(topName)>" : "without a start tag"
                noteXML("</\(tagName(at: token.start + 2))> \(problem)", token.start)
            }
            if at > 0 { pop(through: at) } else { markRepaired() }
        case .comment, .instruction, .end: break
        }
    }

    /// Notes a violation of XML 1.0 §3 [39]; only the first is reported, because it may cause others.
    mutating func noteXML(_ message: String, _ offset: UInt32) {
        if xmlMistake == nil { xmlMistake = (message, Int(offset)) }
    }

    var topName: String { tagName(at: nodes.base[Int(top.node)].sourceStart + 1) }

    private func tagName(at offset: UInt32) -> String {
        String(decoding: ByteClass.tagName(in: source.buffer, at: Int(offset)), as: UTF8.self)
    }

    @inline(__always) func isTablePart(_ tag: TagID) -> Bool {
        tag == .table || tag == .tbody || tag == .tr || tag == .thead || tag == .tfoot
    }

    @inline(never) mutating func noteFoster(_ index: UInt32) {
        guard let table = fosterTable else { return }
        // A node that follows the one fostered before it, and its subtree, moves with it.
        if let last = lastFostered, last.isUnmarked, last.placement.anchor == table,
            nodes[Int(last.tail)].flags.isDisjoint(with: .open), last.tail + nodes[Int(last.tail)].size == index
        {
            nodes.base[Int(index)].flags.insert(.isMoved)
            movedEnds[last.placement.what] = index
        } else {
            move(index, upTo: index, before: table)
        }
    }

    /// The last placement, with the last node that it moves; nil where one of them is a clone. Ends of nodes count placements, so
    /// one that has been counted takes no more nodes.
    private var lastFostered: (placement: Placement, tail: UInt32, isUnmarked: Bool)? {
        guard placedBefore.count > 0 else { return nil }
        let last = placedBefore[placedBefore.count - 1]
        let tail = movedEnds[last.what] ?? last.what
        return (last.what | tail) & Self.clonedBit == 0 ? (last, tail, placedBefore.count > countedPlacements) : nil
    }

    /// The number of placements until now, to which the end of a node refers.
    mutating func countPlacements() -> UInt32 {
        countedPlacements = placedBefore.count
        return UInt32(truncatingIfNeeded: countedPlacements)
    }

    /// The table before which fostered nodes are placed; nil when it is a copy, which has no place in the arena.
    var fosterTable: UInt32? {
        let table = find(.table)
        guard table > 0, stack[Int(table)].node & Self.clonedBit == 0 else { return nil }
        return stack[Int(table)].node
    }

    /// Records that the nodes from `from` to the end of `last` move before `anchor`.
    mutating func move(_ from: UInt32, upTo last: UInt32, before anchor: UInt32) {
        nodes.base[Int(from)].flags.insert(.isMoved)
        if last != from { movedEnds[from] = last }
        place(Placement(anchor: anchor, what: from))
    }

    mutating func place(_ placement: Placement) {
        nodes.base[Int(placement.anchor)].flags.insert(.isAnchor)
        placedBefore.append(placement)
        needsSettling = true
    }

    /// Joins text to the text fostered before the same table (§13.2.6.1, "insert a character"); false if there is none.
    mutating func joinFosteredText(_ start: UInt32, _ end: UInt32) -> Bool {
        guard let last = lastFostered, let table = fosterTable, last.placement.anchor == table else { return false }
        var node = nodes[Int(last.tail)]
        guard node.kind == .text, !node.flags.contains(.raw) else { return false }
        if !node.flags.contains(.edited) {
            let kept = UInt32(truncatingIfNeeded: edited.count)
            keepText(node.sourceStart, node.sourceEnd)
            node.flags.insert(.edited)
            node.setSource(kept, UInt32(truncatingIfNeeded: edited.count))
        }
        guard Int(node.sourceEnd) == edited.count else { return false }
        keepText(start, end)
        node.endSource(at: UInt32(truncatingIfNeeded: edited.count))
        nodes[Int(last.tail)] = node
        return true
    }

    /// Appends text of the source to the edited bytes, decoded.
    private mutating func keepText(_ start: UInt32, _ end: UInt32) {
        let text = tokenizer.text(at: start, Int(end - start))
        let decoded = EntityDecoder.decoded(text, mode: options.decodesEntities ? .references : [])
        decoded.withUnsafeBufferPointer { edited.append(contentsOf: $0) }
    }
}
