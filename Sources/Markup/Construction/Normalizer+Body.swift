// Tree construction in the body (HTML §13.2.6.4.7): one action for each tag, looked up in a table.

extension Normalizer {
    enum StartAction: UInt8 {
        case ordinary, html, headContent, body, frameset, ignored, block, heading, pre, form, item, plaintext, button
        case anchor, formatting, nobr, marker, table, inlineVoid, input, plainVoid, hr, image, textarea, title, xmp
        case rawText, noscript, select, option, ruby, foreign, template, unknown
    }

    enum EndAction: UInt8 {
        case other, template, body, html, block, form, paragraph, item, heading, formatting, marker, br, unknown
    }

    static let startActions = actions(
        unknown: StartAction.unknown, formatting: .formatting, block: .block, other: .ordinary,
        [
            .html: [.html],
            .headContent: [.base, .basefont, .bgsound, .link, .meta, .script, .style],
            .title: [.title],
            .template: [.template],
            .rawText: [.noframes, .noembed, .iframe],
            .body: [.body],
            .frameset: [.frameset],
            .ignored: [.caption, .col, .colgroup, .frame, .head, .tbody, .td, .tfoot, .th, .thead, .tr],
            .heading: [.h1, .h2, .h3, .h4, .h5, .h6],
            .pre: [.pre, .listing],
            .form: [.form],
            .item: [.li, .dd, .dt],
            .plaintext: [.plaintext],
            .button: [.button],
            .anchor: [.a],
            .nobr: [.nobr],
            .marker: [.applet, .marquee, .object],
            .table: [.table],
            .inlineVoid: [.area, .br, .embed, .img, .keygen, .wbr, .lambda],
            .input: [.input],
            .plainVoid: [.param, .source, .track],
            .hr: [.hr],
            .image: [.image],
            .textarea: [.textarea],
            .xmp: [.xmp],
            .noscript: [.noscript],
            .select: [.select],
            .option: [.option, .optgroup],
            .ruby: [.rb, .rtc, .rp, .rt],
            .foreign: [.svg, .math],
        ])

    static let endActions = actions(
        unknown: EndAction.unknown, formatting: .formatting, block: .block, other: .other,
        [
            .template: [.template],
            .body: [.body],
            .html: [.html],
            .form: [.form],
            .paragraph: [.p],
            .item: [.li],
            .heading: [.h1, .h2, .h3, .h4, .h5, .h6],
            .marker: [.applet, .marquee, .object],
            .br: [.br],
            .block: [.button, .select],
            .other: [.plaintext, .xmp, .table],
        ],
        isBlock: { !$0.contains(.void) })

    /// The actions by tag: those that `rows` names, or else those for a tag's traits.
    private static func actions<Action>(
        unknown: Action, formatting: Action, block: Action, other: Action, _ rows: KeyValuePairs<Action, [TagID]>,
        isBlock: (TagTraits) -> Bool = { _ in true }
    ) -> [Action] {
        var table = (0...TagID.knownCount).map { raw in
            let traits = TagID(raw).traits
            return raw == 0 || raw == TagID.knownCount || traits.contains(.foreignOnly)
                ? unknown
                : traits.contains(.formatting)
                    ? formatting : traits.contains(.closesParagraph) && isBlock(traits) ? block : other
        }
        for (action, tags) in rows { for tag in tags { table[Int(tag.rawValue)] = action } }
        return table
    }

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
        switch startActions[Int(min(tag.rawValue, TagID.knownCount))] {
        case .noscript where options.isScripting: openRaw()
        case .select where inScope(.select): closeSelect()
        case .option:
            if inScope(.select) {
                generateImpliedEndTags(except: tag == .option ? .optgroup : .none)
            } else if topTag == .option {
                pop(closedBy: nil)
            }
            fallthrough
        case .ordinary, .noscript, .select, .button:
            if tag == .button, inScope(.button) { pop(through: find(.button), closedByToken: false) }
            reconstructFormatting()
            open()
        case .unknown:
            reconstructFormatting()
            if keepsUnknownNames { return open() }
            if token.selfClosing { insertVoid() } else { openFormatting(isUnknown: true) }
        case .anchor:
            closeOpenAnchor()
            fallthrough
        case .formatting:
            reconstructFormatting()
            openFormatting()
        case .nobr:
            reconstructFormatting()
            if inScope(.nobr) {
                adoptionAgency(.nobr)
                reconstructFormatting()
            }
            openFormatting()
        case .block:
            closeParagraph()
            open()
        case .heading:
            closeParagraph()
            if topTag.headingLevel > 0 { pop(closedBy: nil) }
            open()
        case .pre:
            closeParagraph()
            open()
            skipsNewline = !isXHTML
        case .item:
            let at = tag == .li ? find(.li) : max(find(.dd), find(.dt))
            if at >= 0, at >= bounds.itemBarrier { pop(through: at, closedByToken: false) }
            closeParagraph()
            open()
        case .image:
            token.tag = .img
            fallthrough
        case .inlineVoid, .input:
            if tag == .input, inScope(.select) { closeSelect() }
            reconstructFormatting()
            insertVoid()
        case .plainVoid: insertVoid()
        case .hr:
            closeParagraph()
            if inScope(.select) { generateImpliedEndTags() }
            insertVoid()
        case .headContent, .title, .template: insertHeadContent()
        case .rawText, .textarea: openRaw()
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
        case .ignored, .frameset: markRepaired()
        case .form:
            closeParagraph()
            open()
            if find(.template) < 0 { formElement = top.node }
        case .marker:
            reconstructFormatting()
            open()
            appendMarker()
        case .table:
            if documentMode != .quirks { closeParagraph() }
            open()
            if topTag == .table { mode = .inTable }
        case .ruby:
            if inScope(.ruby) { generateImpliedEndTags(except: tag == .rp || tag == .rt ? .rtc : .none) }
            open()
        case .foreign:
            reconstructFormatting()
            openForeign()
        }
    }

    private mutating func closeSelect() { pop(through: find(.select), closedByToken: false) }

    mutating func endTagInBody() {
        let tag = token.tag
        if !tooDeep.isEmpty, tooDeep.close(tag) { return }
        if !unclosed.isEmpty, let start = startTag(closedBy: tag) { unclosed[start] = nil }
        switch endActions[Int(min(tag.rawValue, TagID.knownCount))] {
        case .other: closeOther(tag)
        case .block: if inScope(tag) { pop(through: find(tag)) } else { markRepaired() }
        case .paragraph:
            if !inButtonScope(.p) { openImplied(.p) }
            pop(through: find(.p))
        case .item: if inListScope(.li) { pop(through: find(.li)) } else { markRepaired() }
        case .heading:
            let at = (TagID.h1.rawValue...TagID.h6.rawValue).reduce(-1) { max($0, find(TagID($1))) }
            if at >= 0, at >= bounds.scope { pop(through: at) } else { markRepaired() }
        case .formatting: adoptionAgency(tag)
        case .unknown: if keepsUnknownNames { closeOther(tag) } else { adoptionAgency(tag) }
        case .marker:
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
        }
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
        if top.node == form { pop(closedBy: token.end) } else { forget(find(.form)) }
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
