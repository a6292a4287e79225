// Tree construction in the body (HTML §13.2.6.4.7): a case for each tag with rules of its own; traits decide about the others.

extension Normalizer {
    @inline(__always) mutating func processInBody() {
        switch token.kind {
        case .text, .cdata:
            if token.contentStart == token.contentEnd { return }
            reconstructFormatting()
            insertText(token.contentStart, token.contentEnd, flags: token.kind == .cdata ? .raw : [])
        case .startTag: startTagInBody()
        case .endTag: endTagInBody()
        case .comment, .instruction, .doctype, .end: break
        }
    }

    @inline(__always) mutating func closeParagraph() { if inButtonScope(.p) { closeParagraphInScope() } }

    @inline(never) private mutating func closeParagraphInScope() { pop(through: find(.p), closedByToken: false) }

    /// Pops elements whose end tags may be omitted (§13.2.6.3), except `tag`.
    mutating func generateImpliedEndTags(except tag: TagID = .none) {
        while stack.count > 1, traits(of: topTag).contains(.impliedEnd), topTag != tag, !top.foreign {
            pop(closedBy: nil)
        }
    }

    mutating func startTagInBody() {
        let tag = token.tag
        switch tag {
        case .noscript where options.isScripting, .noframes, .noembed, .iframe, .textarea: openRaw()
        case .select where inScope(.select): closeSelect()
        case .option, .optgroup:
            if inScope(.select) {
                generateImpliedEndTags(except: tag == .option ? .optgroup : .none)
            } else if topTag == .option {
                pop(closedBy: nil)
            }
            reconstructFormatting()
            open()
        case .button:
            if inScope(.button) { pop(through: find(.button), closedByToken: false) }
            reconstructFormatting()
            open()
        case .a:
            closeOpenAnchor()
            reconstructFormatting()
            openFormatting()
        case .nobr:
            reconstructFormatting()
            if inScope(.nobr) {
                adoptionAgency(.nobr)
                reconstructFormatting()
            }
            openFormatting()
        case .h1, .h2, .h3, .h4, .h5, .h6:
            closeParagraph()
            if topTag.headingLevel > 0 { pop(closedBy: nil) }
            open()
        case .pre, .listing:
            closeParagraph()
            open()
            skipsNewline = !isXHTML
        case .li, .dd, .dt:
            let at = tag == .li ? find(.li) : max(find(.dd), find(.dt))
            if at >= 0, at >= bounds.itemBarrier { pop(through: at, closedByToken: false) }
            closeParagraph()
            open()
        case .image:
            token.tag = .img
            fallthrough
        case .area, .br, .embed, .img, .input, .keygen, .lambda, .wbr:
            if tag == .input, inScope(.select) { closeSelect() }
            reconstructFormatting()
            insertVoid()
        case .param, .source, .track: insertVoid()
        case .hr:
            closeParagraph()
            if inScope(.select) { generateImpliedEndTags() }
            insertVoid()
        case .base, .basefont, .bgsound, .link, .meta, .script, .style, .title, .template: insertHeadContent()
        case .xmp:
            closeParagraph()
            reconstructFormatting()
            openRaw()
        case .plaintext:
            closeParagraph()
            openRaw()
        case .html: mergeAttributes(into: htmlNode)
        case .body: mergeAttributes(into: bodyNode)
        case .form where formElement != nil && find(.template) < 0: fallthrough
        case .caption, .col, .colgroup, .frame, .frameset, .head, .tbody, .td, .tfoot, .th, .thead, .tr: markRepaired()
        case .form:
            closeParagraph()
            open()
            if find(.template) < 0 { formElement = top.node }
        case .applet, .marquee, .object:
            reconstructFormatting()
            open()
            appendMarker()
        case .table:
            if documentMode != .quirks { closeParagraph() }
            open()
            if topTag == .table { mode = .inTable }
        case .rb, .rp, .rt, .rtc:
            if inScope(.ruby) { generateImpliedEndTags(except: tag == .rp || tag == .rt ? .rtc : .none) }
            open()
        case .svg, .math:
            reconstructFormatting()
            openForeign()
        default: startOther()
        }
    }

    /// A start tag without rules of its own.
    private mutating func startOther() {
        let traits = traits(of: token.tag)
        if isHTML(token.tag), traits.contains(.closesParagraph) {
            closeParagraph()
            return open()
        }
        reconstructFormatting()
        if isHTML(token.tag), traits.contains(.formatting) {
            openFormatting()
        } else if isHTML(token.tag) || keepsUnknownNames {
            open()
        } else if token.selfClosing {
            insertVoid()
        } else {
            openFormatting(isUnknown: true)
        }
    }

    /// Returns whether HTML gives a name a meaning; those of SVG and MathML are unknown names outside of them.
    private func isHTML(_ tag: TagID) -> Bool {
        tag.isKnown && tag != .none && !traits(of: tag).contains(.foreignOnly)
    }

    private mutating func closeSelect() { pop(through: find(.select), closedByToken: false) }

    mutating func endTagInBody() {
        let tag = token.tag
        if !tooDeep.isEmpty, tooDeep.close(tag) { return }
        if !unclosed.isEmpty, let start = startTag(closedBy: tag) { unclosed[start] = nil }
        switch tag {
        case .p:
            if !inButtonScope(.p) { openImplied(.p) }
            pop(through: find(.p))
        case .li: if inListScope(.li) { pop(through: find(.li)) } else { markRepaired() }
        case .h1, .h2, .h3, .h4, .h5, .h6:
            let at = (TagID.h1.rawValue...TagID.h6.rawValue).reduce(-1) { max($0, find(TagID($1))) }
            if at >= 0, at >= bounds.scope { pop(through: at) } else { markRepaired() }
        case .button, .select: closeBlock(tag)
        case .plaintext, .xmp, .table: closeOther(tag)
        case .applet, .marquee, .object:
            guard inScope(tag) else { return markRepaired() }
            pop(through: find(tag))
            clearFormattingToMarker()
        case .br:
            reconstructFormatting()
            if stack.count &- 1 > siblingDepth { leaveCurrent() }
            append(.element, .repaired, .br, source: (token.start, token.start))
        case .form: closeForm()
        case .template: closeTemplate()
        case .body, .html:
            guard inScope(.body) else { return }
            if tag == .body, let bodyNode { nodes.base[Int(bodyNode)].endSource(at: token.end) }
            mode = .afterBody
            if tag == .html { process() }
        default:
            let traits = traits(of: tag)
            if isHTML(tag) ? traits.contains(.formatting) : !keepsUnknownNames {
                adoptionAgency(tag)
            } else if isHTML(tag), traits.contains(.closesParagraph), !traits.contains(.void) {
                closeBlock(tag)
            } else {
                closeOther(tag)
            }
        }
    }

    private mutating func closeBlock(_ tag: TagID) {
        if inScope(tag) { pop(through: find(tag)) } else { markRepaired() }
    }

    private mutating func closeForm() {
        if find(.template) >= 0 {
            if inScope(.form) { pop(through: find(.form)) }
            return
        }
        let form = formElement
        formElement = nil
        guard let form, inScope(.form) else { return markRepaired() }
        generateImpliedEndTags()
        if top.node == form { pop(closedBy: token.end) } else { remove(at: find(.form), endsHere: false) }
    }

    mutating func closeTemplate() {
        let at = find(.template)
        guard at >= 0 else { return }
        mode = stack[Int(at)].savedMode
        pop(through: at, closedByToken: token.kind == .endTag)
        clearFormattingToMarker()
    }

    /// Any other end tag: the nearest element of that name, unless a special element is in between.
    mutating func closeOther(_ tag: TagID) {
        let at = find(tag)
        if at > 0, at >= bounds.special { pop(through: at) } else { markRepaired() }
    }
}
