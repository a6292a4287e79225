// Computed styles for the element that the walk is at and for its pseudo-elements, from the blocks that apply.

import Basics
import Markup

extension StyleWalk {
    mutating func compute(_ parent: StyleID, _ isRootElement: Bool, _ tag: TagID) -> StyleID {
        var blocks: [RankedBlock] = []
        let inline = cache.blocks[Int(key[4])]
        if key[1] != 0 { blocks.append(RankedBlock(block: cache.blocks[Int(key[1])], level: .userAgent)) }
        if isRootElement, !environment.rootInherited.isEmpty {
            blocks.append(RankedBlock(block: environment.rootInherited, level: .customTag))
        }
        if key[2] != 0 { blocks.append(RankedBlock(block: cache.blocks[Int(key[2])], level: .customTag)) }
        if key[3] != 0 { blocks.append(RankedBlock(block: cache.blocks[Int(key[3])], level: .hints)) }
        Self.append(matched, isCode: false, of: index, to: &blocks)
        if key[4] != 0 { blocks.append(RankedBlock(block: inline, level: .inline)) }
        Self.append(matched, isCode: true, of: index, to: &blocks)
        let important = Self.important(matched, inline: inline, of: index)
        let style = computer.compute(
            blocks, important: important, parent: table[parent], rootFontSize: rootFontSize, isRoot: isRootElement,
            quirks: isQuirks ? quirks(of: tag) : nil)
        return table.append(style)
    }

    private func quirks(of tag: TagID) -> ElementQuirks {
        ElementQuirks(
            box: DefaultStyles.quirkyMargins(tag).union(tag == .td || tag == .th ? .height : []),
            color: tag == .table ? bodyStyle.map { table[$0].text.color } : nil,
            fillsCanvas: tag == .html || tag == .body)
    }

    static func append(_ entries: [UInt32], isCode: Bool, of index: RuleIndex, to blocks: inout [RankedBlock]) {
        for number in entries where index.tests[Int(number)].isCode == isCode {
            blocks.append(index.entries[Int(number)].ranked)
        }
    }

    /// Important declarations in ascending order: author rules, inline, code.
    static func important(_ entries: [UInt32], inline inlineBlock: DeclarationBlock, of index: RuleIndex)
        -> [RankedBlock]
    {
        var author: [UInt32] = []
        var code: [UInt32] = []
        for number in entries where index.tests[Int(number)].hasImportant {
            if index.tests[Int(number)].isCode { code.append(number) } else { author.append(number) }
        }
        if author.isEmpty, code.isEmpty, !inlineBlock.hasImportant { return [] }
        func ranked(_ numbers: [UInt32]) -> [RankedBlock] {
            numbers.sorted { index.tests[Int($0)].importantRank < index.tests[Int($1)].importantRank }.map {
                index.entries[Int($0)].ranked
            }
        }
        return ranked(author) + (inlineBlock.hasImportant ? [RankedBlock(block: inlineBlock, level: .inline)] : [])
            + ranked(code)
    }

    // MARK: Pseudo-elements

    mutating func stylePseudo(_ node: NodeID, _ tag: TagID, _ style: StyleID) {
        let index = index
        for box in PseudoBox.allCases where box != .element {
            let entries = matchedPseudo.filter { index.tests[Int($0)].pseudo == box }
            let isQuote = tag == .q && (box == .before || box == .after)
            guard !entries.isEmpty || isQuote else { continue }
            key.removeAll(keepingCapacity: true)
            key += [style.rawValue, .max - UInt32(box.rawValue), isQuote ? 1 : 0]
            key += entries
            let hash = StyleCache.hash(key)
            var pseudo = cache.find(key, hash)
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
                Self.append(entries, isCode: false, of: index, to: &blocks)
                Self.append(entries, isCode: true, of: index, to: &blocks)
                let important = Self.important(entries, inline: cache.blocks[0], of: index)
                let computed = table.append(
                    computer.compute(blocks, important: important, parent: table[style], rootFontSize: rootFontSize))
                cache.insert(key, hash, computed)
                pseudo = computed
            }
            pseudoStyles[StyledTree.PseudoKey(node: node, box: box)] = pseudo
        }
        matchedPseudo.removeAll(keepingCapacity: true)
    }

    /// CSS Lists 3 §3.1.1, but for `white-space: pre`: a marker outside is one line anyway, one inside wraps as browsers have it.
    static let markerCSS =
        "unicode-bidi:isolate;font-variant-numeric:tabular-nums;text-transform:none;text-indent:0"
}
