// Tree construction around the body: the insertion modes before, in and after head and body (HTML §13.2.6.4.1–6, 19–22).

extension Normalizer {
    @inline(__always) mutating func process() { if mode == .inBody { processInBody() } else { processElsewhere() } }

    func isBlank() -> Bool { tokenText.allSatisfy(\.isHTMLSpace) }

    /// Cuts leading white space off the text token; returns its range.
    mutating func takeLeadingSpace() -> (UInt32, UInt32) {
        let start = token.contentStart
        while token.contentStart < token.contentEnd, sourceBase[Int(token.contentStart)].isHTMLSpace {
            token.contentStart += 1
        }
        return (start, token.contentStart)
    }

    @inline(never) mutating func processElsewhere() {
        switch mode {
        case .initial: processInitial()
        case .beforeHTML: processBefore(.html, .beforeHead)
        case .beforeHead: processBefore(.head, .inHead)
        case .inHead: processInHead()
        case .inHeadNoscript: processInHeadNoscript()
        case .afterHead: processAfterHead()
        case .inBody: processInBody()
        case .inTable, .inTableBody, .inRow, .inColumnGroup: processInTable()
        case .inCaption, .inCell: processInCellOrCaption()
        case .inTemplate: processInTemplate()
        case .afterBody, .afterAfterBody: processAfterBody()
        case .inFrameset, .afterFrameset, .afterAfterFrameset: processFrameset()
        }
    }

    private mutating func processInitial() {
        switch token.kind {
        case .text:
            _ = takeLeadingSpace()
            if token.contentStart == token.contentEnd { return }
        case .doctype:
            insertLeaf()
            // Longer than any document type with a meaning.
            documentMode = DocumentMode.of(String(decoding: tokenText.prefix(4096), as: UTF8.self).lowercased())
            return mode = .beforeHTML
        case .startTag, .endTag, .cdata, .comment, .instruction, .end: break
        }
        mode = .beforeHTML
        processElsewhere()
    }

    /// Handles what the modes around the head treat alike: leading white space, a late doctype. False if a part is left.
    private mutating func takeAroundHead(keepsSpace: Bool) -> Bool {
        switch token.kind {
        case .cdata where !keepsSpace: return false
        case .text, .cdata:
            if keepsSpace { insertSpaces() } else { _ = takeLeadingSpace() }
            return token.contentStart == token.contentEnd
        case .startTag, .endTag, .comment, .instruction, .doctype, .end: return token.kind == .doctype
        }
    }

    private var startTag: TagID { token.kind == .startTag ? token.tag : .none }
    private var endTag: TagID { token.kind == .endTag ? token.tag : .none }

    /// Returns whether the token is an end tag that these modes ignore: any except those of `body`, `html`, `br` and `other`.
    private func isStrayEndTag(allowing other: TagID = .none) -> Bool {
        switch endTag {
        case .none, .body, .html, .br, other: false
        default: true
        }
    }

    /// Opens `html` or `head`: `tag`, which the token may be or imply.
    private mutating func processBefore(_ tag: TagID, _ next: Mode) {
        if takeAroundHead(keepsSpace: false) || isStrayEndTag(allowing: .head) { return }
        if tag == .head, startTag == .html { return mergeAttributes(into: htmlNode) }
        let isWritten = startTag == tag
        if isWritten { open() } else { openImplied(tag) }
        if tag == .html { htmlNode = top.node }
        mode = next
        if !isWritten { processElsewhere() }
    }

    /// Inserts head content; false when the token is something else.
    @discardableResult
    mutating func insertHeadContent() -> Bool {
        switch startTag {
        case .base, .basefont, .bgsound, .link, .meta:
            if token.tag == .link { hasStyle = true }
            insertVoid()
        case .title, .noframes, .style, .script: openRaw()
        case .template:
            appendMarker()
            open()
            mode = .inTemplate
        default: return false
        }
        return true
    }

    private mutating func processInHead() {
        if takeAroundHead(keepsSpace: true) { return }
        switch startTag {
        case .html: return mergeAttributes(into: htmlNode)
        case .head: return
        case .noscript:
            if options.isScripting { return openRaw() }
            open()
            return mode = .inHeadNoscript
        default: if insertHeadContent() { return }
        }
        switch endTag {
        case .head: return closeHead(closedBy: token.end)
        case .template: return closeTemplate()
        default: if isStrayEndTag() { return }
        }
        closeHead(closedBy: nil)
        processElsewhere()
    }

    private mutating func closeHead(closedBy endTag: UInt32?) {
        let head = top.node
        pop(closedBy: endTag)
        closedHead = (head, nextIndex)
        mode = .afterHead
    }

    /// Inserts head content after the head into the head (§13.2.6.4.6); false when the token is something else.
    private mutating func insertIntoClosedHead() -> Bool {
        guard let (head, end) = closedHead, head & Self.clonedBit == 0, token.kind == .startTag
        else { return insertHeadContent() }
        let index = nextIndex
        let isTemplate = token.tag == .template
        if index == end, !isTemplate {
            // Nothing is between the head and this token, so the head is reopened.
            push(head, .head)
            let isInserted = insertHeadContent()
            if isInserted {
                pop(closedBy: nil)
                closedHead = (head, nextIndex)
            } else {
                dropTop()
                nodes.base[Int(head)].flags.remove(.open)
            }
            return isInserted
        }
        guard insertHeadContent() else { return false }
        if index > end, nodes.count > Int(index) {
            nodes.base[Int(head)].flags.insert(.repaired)
            move(index, upTo: index, before: end)
            endMarks[head] = countPlacements()
        }
        return true
    }

    private mutating func processInHeadNoscript() {
        if takeAroundHead(keepsSpace: true) { return }
        switch startTag {
        case .basefont, .bgsound, .link, .meta, .noframes, .style:
            insertHeadContent()
            return
        case .head, .noscript: return
        default: break
        }
        let isEnded = endTag == .noscript
        if token.kind == .endTag, !isEnded, token.tag != .br { return }
        pop(closedBy: isEnded ? token.end : nil)
        mode = .inHead
        if !isEnded { processElsewhere() }
    }

    private mutating func processAfterHead() {
        if takeAroundHead(keepsSpace: true) { return }
        switch startTag {
        case .html: return mergeAttributes(into: htmlNode)
        case .head: return
        case .frameset:
            open()
            return mode = .inFrameset
        case .body: open()
        default:
            if endTag == .template { return closeTemplate() }
            if isStrayEndTag() || insertIntoClosedHead() { return }
            openImplied(.body)
        }
        bodyNode = top.node
        mode = .inBody
        if startTag != .body { process() }
    }

    /// In framesets and after them: §13.2.6.4.20, 21 and 23.
    private mutating func processFrameset() {
        let isInside = mode == .inFrameset
        switch token.kind {
        case .text: insertSpaces()
        case .startTag:
            switch token.tag {
            case .html: mergeAttributes(into: htmlNode)
            case .noframes: insertHeadContent()
            case .frameset where isInside: open()
            case .frame where isInside: insertVoid()
            default: if isInside { markRepaired() }
            }
        case .endTag where isInside:
            guard token.tag == .frameset, topTag == .frameset else { return }
            pop(closedBy: token.end)
            if topTag != .frameset { mode = .afterFrameset }
        case .endTag: if token.tag == .html { mode = .afterAfterFrameset }
        case .cdata, .comment, .instruction, .doctype, .end: break
        }
    }

    /// Inserts the leading white space of the text token, and cuts it off.
    mutating func insertSpaces() {
        let space = takeLeadingSpace()
        insertText(space.0, space.1)
    }

    private mutating func processAfterBody() {
        if token.kind == .text, isBlank() { return processInBody() }
        if token.kind == .doctype || token.kind == .end { return }
        if startTag == .html { return mergeAttributes(into: htmlNode) }
        if endTag == .html { return mode = .afterAfterBody }
        mode = .inBody
        process()
    }

    mutating func openRaw() {
        let tag = token.tag
        if tag == .style { hasStyle = true }
        if isXHTML, token.selfClosing { return insertVoid() }
        let before = stack.count
        open()
        guard stack.count > before || !tooDeep.isEmpty else { return }
        let prefix = prefix(of: token)
        tokenizer.readRawText(of: tag, prefix: prefix, &token)
        if !isXHTML, tag == .textarea { skipsNewline = true }
        let isRaw = isXHTML ? takeCDATASection() : tag.rawText != .decoded
        insertText(token.contentStart, token.contentEnd, flags: isRaw ? [.raw, .keepsNUL] : .keepsNUL)
        skipsNewline = false
        token.start = token.end
        tokenizer.next(&token, &attributes.items, inForeign: false)
        if stack.count > before { pop(closedBy: token.kind == .endTag ? token.end : nil) } else { tooDeep.removeLast() }
        // The main loop reads the contents; this handles only the end tag or the end of the input.
        token.kind = .text
    }

    /// Reads the prefixes that a start tag of XHTML declares, and drops such a prefix from the tag's name (Namespaces in XML 1.0).
    mutating func dropPrefix() {
        for attribute in tokenAttributes where token.kind == .startTag {
            let name = tokenizer.text(at: attribute.nameStart, attribute.nameLength)
            guard name.starts(with: "xmlns:".utf8) else { continue }
            let value = String(decoding: tokenizer.text(at: attribute.valueStart, attribute.valueLength), as: UTF8.self)
            if Self.namespaces.contains(value) { prefixes.insert(String(decoding: name.dropFirst(6), as: UTF8.self)) }
        }
        guard !token.tag.isKnown, case let prefix = prefix(of: token), !prefix.isEmpty else { return }
        let name = ByteClass.tagName(in: source.buffer, at: prefix.upperBound)
        token.tag = tokenizer.tagID(of: name.startIndex..<name.endIndex)
    }

    /// The place of a tag's prefix with its colon; empty for a name without a prefix of ``prefixes``.
    private func prefix(of token: Token) -> Range<Int> {
        guard !prefixes.isEmpty else { return 0..<0 }
        let name = ByteClass.tagName(in: source.buffer, at: Int(token.start) + (token.kind == .endTag ? 2 : 1))
        guard let colon = name.firstIndex(of: UInt8(ascii: ":")),
            prefixes.contains(String(decoding: name[..<colon], as: UTF8.self))
        else { return 0..<0 }
        return name.startIndex..<colon + 1
    }

    private static let namespaces: Set = [
        "http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML",
    ]

    /// Narrows text of XHTML that is one CDATA section to the contents of that; returns false for other text.
    private mutating func takeCDATASection() -> Bool {
        let (open, close) = ("<![CDATA[".utf8, "]]>".utf8)
        let text = source.buffer[Int(token.contentStart)..<Int(token.contentEnd)]
        guard let start = text.firstIndex(where: { !$0.isHTMLSpace }), text[start...].starts(with: open),
            let end = text.lastIndex(where: { !$0.isHTMLSpace }), end - start >= open.count + close.count - 1,
            text[...end].suffix(close.count).elementsEqual(close), !text[start...end].dropLast().contains(close)
        else { return false }
        token.contentStart = UInt32(truncatingIfNeeded: start + open.count)
        token.contentEnd = UInt32(truncatingIfNeeded: end + 1 - close.count)
        return true
    }

    /// Adds missing attributes to html or body (§13.2.6.4.7).
    mutating func mergeAttributes(into node: UInt32?) {
        guard let node, token.attributeCount > 0 else { return }
        nodes.base[Int(node)].flags.insert(.repaired)
        var merged: [Attribute] = []
        if nodes[Int(node)].flags.contains(.hasAttributes) {
            attributes.items.forEach(from: attributes.first(of: node, nodes[Int(node)])) { merged.append($0) }
        }
        let known = merged.count
        // A limit that no real page reaches.
        for candidate in tokenAttributes where known < 64 {
            if !merged.contains(where: { tokenizer.sameName($0, candidate) }) { merged.append(candidate) }
        }
        // The token's own list was copied or is not needed.
        attributes.items.count = Int(token.firstAttribute)
        guard merged.count > known else { return }
        attributes.setOwn(merged, of: node)
        nodes.base[Int(node)].flags.formUnion([.hasAttributes, .ownAttributes])
    }
}
