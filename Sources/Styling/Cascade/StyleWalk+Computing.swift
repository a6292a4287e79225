// Computed styles for the element that the walk is at and for its pseudo-elements, from the blocks that apply.

import Basics
import Markup

extension StyleWalk {
    mutating func compute(_ node: NodeID, _ parent: StyleID, _ tag: TagID, _ isRootElement: Bool) -> StyleID {
        var blocks: [RankedBlock] = []
        // Those beside the rules' are six at most, but for important ones.
        blocks.reserveCapacity(rules.matched.count + 6)
        func part(_ place: Int) -> DeclarationBlock? { key[place] == 0 ? nil : cache.blocks[Int(key[place])] }
        // The style of the body, which stands in the tag's place, is what everything else is laid over.
        let tagWins = environment.codeWins && !(tag == .body && environment.customTags["body"] == nil)
        if let block = part(1) { blocks.append(RankedBlock(block: block, level: .userAgent)) }
        if isRootElement, !environment.rootInherited.isEmpty {
            blocks.append(RankedBlock(block: environment.rootInherited, level: .customTag))
        }
        if !tagWins, let block = part(2) { blocks.append(RankedBlock(block: block, level: .customTag)) }
        if let block = part(3) { blocks.append(RankedBlock(block: block, level: .hints)) }
        Self.append(rules.matched, of: index, inline: part(4), codeTag: tagWins ? part(2) : nil, to: &blocks)
        // What the default sheet insists on.
        for block in [part(3), part(1)] {
            if let block, block.hasImportant {
                blocks.append(RankedBlock(block: block, level: .userAgent, isImportant: true))
            }
        }
        let style = computer.compute(
            blocks, parent: table[parent], rootFontSize: rootFontSize, isRoot: isRootElement,
            quirks: isQuirks ? quirks(of: tag) : nil)
        // Equal elements nested in each other have one style, however deep they are.
        if let around = tree.parent(node), tree.tag(around) == tag, style == table[parent] { return parent }
        return table.append(style)
    }

    private func quirks(of tag: TagID) -> ElementQuirks {
        let isCell = tag == .td || tag == .th
        return ElementQuirks(
            box: DefaultStyles.quirkyMargins(tag).union(isCell ? [.height, .dropsMargins] : [])
                .union(tag == .body ? .dropsMargins : []),
            color: tag == .table ? bodyStyle.map { table[$0].text.color } : nil,
            fillsCanvas: tag == .html || tag == .body)
    }

    /// Appends what rules and a `style` attribute declare, in ascending order of precedence: normal, then important
    /// declarations of the document; under policy `code`, what code gives wins over both.
    ///
    /// - Parameter rules: entries of `index`, in its order.
    static func append(
        _ rules: some Collection<UInt32>, of index: RuleIndex, inline: DeclarationBlock? = nil,
        codeTag: DeclarationBlock? = nil, to blocks: inout [RankedBlock]
    ) {
        append(rules, of: index, inline: inline, codeTag: codeTag, to: &blocks) { index.entries[Int($0)].ranked }
    }

    /// - Parameter block: what counts of an entry.
    static func append(
        _ rules: some Collection<UInt32>, of index: RuleIndex, inline: DeclarationBlock? = nil,
        codeTag: DeclarationBlock? = nil, to blocks: inout [RankedBlock], block: (UInt32) -> RankedBlock
    ) {
        func appendRules(ofCode isCode: Bool) {
            for number in rules where index.tests[Int(number)].isCode == isCode { blocks.append(block(number)) }
        }
        func appendImportant(ofCode isCode: Bool) {
            func counts(_ number: UInt32) -> Bool {
                index.tests[Int(number)].hasImportant && index.tests[Int(number)].isCode == isCode
            }
            guard rules.contains(where: counts) else { return }
            for number in rules.filter(counts).sorted(by: {
                index.tests[Int($0)].importantRank < index.tests[Int($1)].importantRank
            }) {
                var ranked = block(number)
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

    mutating func stylePseudo(_ node: NodeID, _ tag: TagID, _ style: StyleID) {
        let index = index
        for box in PseudoBox.allCases where box != .element {
            let entries = rules.matchedPseudo.filter { index.tests[Int($0)].pseudo == box }
            let isQuote = tag == .q && (box == .before || box == .after)
            guard !entries.isEmpty || isQuote else { continue }
            key.count = 0
            key.append(style.rawValue)
            key.append(.max - UInt32(box.rawValue))
            key.append(isQuote ? 1 : 0)
            entries.withUnsafeBufferPointer { key.append(contentsOf: $0) }
            let hash = StyleCache.hash(key.elements)
            var pseudo = cache.find(key.elements, hash)
            if pseudo == nil {
                var blocks: [RankedBlock] = []
                let css =
                    isQuote
                    ? (box == .before ? "content:open-quote" : "content:close-quote")
                    : box == .marker ? Self.markerCSS : ""
                if !css.isEmpty {
                    let context = environment.settings.context
                    let number = cache.block(css) {
                        var log = DiagnosticLog()
                        return StylesheetParser.parseInline(
                            CSSSource(bytes: Array(css.utf8)), context: context, log: &log)
                    }
                    blocks.append(RankedBlock(block: cache.blocks[Int(number)], level: .userAgent))
                }
                Self.append(entries, of: index, to: &blocks)
                let computed = table.append(
                    computer.compute(blocks, parent: table[style], rootFontSize: rootFontSize))
                cache.insert(key.elements, hash, computed)
                pseudo = computed
            }
            setPseudoStyle(of: node, box, pseudo)
        }
        rules.forgetPseudo()
    }

    /// CSS Lists 3 §3.1.1, but for `white-space: pre`: a marker outside is one line anyway, one inside wraps as
    /// browsers have it.
    static let markerCSS =
        "unicode-bidi:isolate;font-variant-numeric:tabular-nums;text-transform:none;text-indent:0"
}
