// Computes the styles of the walk's current element and its pseudo-elements from the blocks that apply.

import FancyTextCSS
import FancyTextMarkup

extension StyleWalk {
    mutating func compute(_ parent: StyleID, _ tag: TagID, _ isRootElement: Bool) -> StyleID {
        let place = matchedPlace(parent) { $0.blocks(tag, isRootElement) }
        let style = computer.compute(
            &cache.matched[place], parent: styled.styles[parent], isRoot: isRootElement,
            quirks: isQuirks ? quirks(of: tag) : nil)
        noteContainer(style)
        if isRootElement { return styled.styles.append(style) }
        // Nested elements with the same declarations soon have equal values, at any depth.
        if let last = cache.matched[place].lastStyle, style == styled.styles[last] { return last }
        let id = styled.styles.append(style)
        cache.matched[place].lastStyle = id
        return id
    }

    /// The index of the declarations with the key ``key``, in which the parent's style is replaced by its flow.
    private mutating func matchedPlace(_ parent: StyleID, _ blocks: (Self) -> [RankedBlock]) -> Int {
        var key = key
        key[0] = UInt32(flowIndex(styled.styles[parent].text.writingMode, styled.styles[parent].text.direction))
        return cache.places[key] ?? cache.insert(key, MatchedDeclarations(blocks(self)))
    }

    /// The blocks that apply to the current element, in ascending order of precedence.
    private func blocks(_ tag: TagID, _ isRootElement: Bool) -> [RankedBlock] {
        var blocks: [RankedBlock] = []
        // There are at most six blocks other than those of rules, except for important ones.
        blocks.reserveCapacity(rules.matched.count + 6)
        func block(_ place: Int) -> DeclarationBlock? { key[place] == 0 ? nil : cache.blocks[Int(key[place])] }
        let (defaults, custom, hints, inline) = (block(1), block(2), block(3), block(4))
        // The body's style from the root style uses the tag's slot, but has low precedence even under policy `code`.
        let tagWins = environment.options.policy == .code && !(tag == .body && environment.customTags["body"] == nil)
        if let defaults { blocks.append(RankedBlock(block: defaults, level: .userAgent)) }
        if isRootElement, !environment.rootInherited.isEmpty {
            blocks.append(RankedBlock(block: environment.rootInherited, level: .customTag))
        }
        if !tagWins, let custom { blocks.append(RankedBlock(block: custom, level: .customTag)) }
        if isRootElement, let scheme = metaScheme() { blocks.append(RankedBlock(block: scheme, level: .hints)) }
        if let hints { blocks.append(RankedBlock(block: hints, level: .hints)) }
        Self.append(rules.matched, of: index, inline: inline, codeTag: tagWins ? custom : nil, to: &blocks)
        // Important declarations of the default sheet.
        for block in [hints, defaults] {
            if let block, block.hasImportant {
                blocks.append(RankedBlock(block: block, level: .userAgent, isImportant: true))
            }
        }
        return blocks
    }

    private func quirks(of tag: TagID) -> ElementQuirks {
        let isCell = tag == .td || tag == .th
        return (
            box: DefaultStyles.quirkyMargins(tag).union(isCell ? [.height, .dropsMargins] : [])
                .union(tag == .body ? .dropsMargins : []),
            color: tag == .table ? bodyStyle.map { styled.styles[$0].text.color } : nil,
            fillsCanvas: tag == .html || tag == .body
        )
    }

    /// Appends the declarations of rules and of a `style` attribute in ascending order of precedence: the document's normal ones,
    /// its important ones, then, under policy `code`, those given in code.
    static func append(
        _ rules: some Collection<UInt32>, of index: RuleIndex, inline: DeclarationBlock? = nil,
        codeTag: DeclarationBlock? = nil, to blocks: inout [RankedBlock]
    ) {
        let (entries, tests) = (index.rules.entries, index.rules.tests)
        func appendRules(ofCode isCode: Bool) {
            for number in rules where tests[Int(number)].isCode == isCode { blocks.append(entries[Int(number)].ranked) }
        }
        func appendImportant(ofCode isCode: Bool) {
            let important = rules.filter { tests[Int($0)].hasImportant && tests[Int($0)].isCode == isCode }
            for number in important.sorted(by: { tests[Int($0)].importantRank < tests[Int($1)].importantRank }) {
                var ranked = entries[Int(number)].ranked
                ranked.isImportant = true
                blocks.append(ranked)
            }
        }
        appendRules(ofCode: false)
        if let inline { blocks.append(RankedBlock(block: inline, level: .inline)) }
        appendImportant(ofCode: false)
        if let inline, inline.hasImportant {
            blocks.append(RankedBlock(block: inline, level: .inline, isImportant: true))
        }
        if let codeTag { blocks.append(RankedBlock(block: codeTag, level: .codeTag)) }
        appendRules(ofCode: true)
        appendImportant(ofCode: true)
    }

    // MARK: Pseudo-elements

    /// The declarations of boxes that elements have without any rule: quotation marks, and the labels of groups of options.
    private static func css(of box: PseudoBox, _ tag: TagID) -> String {
        switch (tag, box) {
        case (.q, .before): "content:open-quote"
        case (.q, .after): "content:close-quote"
        case (.optgroup, .before): "content:attr(label);display:block;padding:0 2px 1px;min-height:1.2em"
        default: ""
        }
    }

    /// - Parameter units: The index of the container units of the element's contents.
    mutating func stylePseudo(_ node: NodeID, _ tag: TagID, _ style: StyleID, _ units: UInt32) {
        let index = index
        let isFootnote = styled.hasFootnotes && styled.styles[style].isFootnote
        for box in PseudoBox.allCases where box != .element {
            let isOfFootnote = box.rawValue >= PseudoBox.footnoteCall.rawValue
            if isOfFootnote, !isFootnote { continue }
            let entries = rules.matchedPseudo.filter {
                index.rules.tests[Int($0)].pseudo == box && holds($0, for: style) && isInScope(node, of: $0)
            }
            let own = isOfFootnote ? box.css(tag) : Self.css(of: box, tag)
            guard !entries.isEmpty || !own.isEmpty else { continue }
            key = [style.rawValue, .max - UInt32(box.rawValue), own.isEmpty ? 0 : UInt32(tag.rawValue)] + entries
            appendUnits(units)
            var pseudo = cache.styles[key]
            if pseudo == nil {
                let css = own.isEmpty ? box.css(tag) : own
                var blocks: [RankedBlock] = []
                if !css.isEmpty {
                    let context = environment.context
                    let number = cache.block(css) { StylesheetParser.parseInline(css, context: context) }
                    blocks.append(RankedBlock(block: cache.blocks[Int(number)], level: .userAgent))
                }
                Self.append(entries, of: index, to: &blocks)
                let place = matchedPlace(style) { _ in blocks }
                var made = computer.compute(&cache.matched[place], parent: styled.styles[style])
                if box == .firstLetter { made = computer.enlarged(made, parent: styled.styles[style]) }
                pseudo = styled.styles.append(made)
                cache.styles[key] = pseudo
            }
            styled.pseudoStyles[.init(node: node, box: box)] = pseudo
        }
        rules.forgetPseudo()
    }
}

extension ComputedStyle {
    /// True if a root element with this style changes the picture of a page: by its edges, size, background or effects.
    var showsBox: Bool {
        var plain = BoxStyle()
        (plain.display, plain.zoom, plain.decorations) = (.block, box.zoom, box.decorations)
        plain.sizesBorderBox = box.sizesBorderBox
        return box != plain
    }

    var hasRelativeHeight: Bool {
        [box.height, box.minHeight, box.maxHeight].contains { $0 != .auto && $0.absolute == nil && !$0.isByContents }
    }
}
