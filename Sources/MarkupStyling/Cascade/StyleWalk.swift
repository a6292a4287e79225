// One pass over a tree in document order: finds what applies to each element and names its computed style.
//
// In: a tree, an index of rules. Out: a StyleID for each node. An element's style follows from its parent's style and
// from the blocks that apply; that combination is looked up first, so that only distinct styles are computed. The stack
// of open ancestors keeps their names' hashes, which selectors made of names are matched against.

import MarkupSyntax

struct StyleWalk {
    private let environment: ResolverEnvironment
    private let index: RuleIndex
    private let tree: MarkupTree
    private var cache: StyleCache
    private var table: StyleTable
    private var computer: StyleComputer
    var nodeStyles: [StyleID] = []
    var pseudoStyles: [StyledTree.PseudoKey: StyleID] = [:]

    private var frames: [Frame] = []
    /// Hashes of the names of the elements on the stack, the current one last.
    private var hashes: [UInt64] = []
    private var filter = AncestorFilter()
    private var matcher: SelectorMatcher
    private var hints: PresentationalHints
    private var rootFontSize: Double?
    private var unknownNames: [UInt16: (hash: UInt64, block: UInt32)] = [:]
    /// Matched entries of the current element.
    private var matched: [UInt32] = []
    private var matchedPseudo: [UInt32] = []
    private var key: [UInt32] = []
    /// Where the hashes of the element being matched begin.
    private var currentStart = 0
    private let hasRules: Bool
    private let hasCustomTags: Bool
    private let customAttributes: [(name: String, css: @Sendable (String) -> String?)]

    /// An open element.
    private struct Frame {
        var end: UInt32
        var style: StyleID
        /// Its hashes begin here.
        var hashStart: Int32
        var listDepth: UInt8
        var isInDefinitionList: Bool
        /// A closed `details`: only its first summary shows.
        var isClosedDetails: Bool
        var hasSummary: Bool
        /// Index into `tables` of the nearest table.
        var table: Int32
    }
    private var tables: [TableHints] = []

    /// Ancestors that a selector of names may look through one by one; beyond, the matcher's memory keeps time linear.
    private static let deepestScan = 256

    /// Takes the styles out of `styled`, so that they are not copied when they are added to; ``finish(_:)`` puts them back.
    init(_ environment: ResolverEnvironment, taking styled: inout StyledTree) {
        self.environment = environment
        index = styled.index
        tree = styled.tree
        cache = styled.cache
        table = styled.styles
        nodeStyles = styled.nodeStyles
        pseudoStyles = styled.pseudoStyles
        rootFontSize = styled.rootFontSize
        styled.forgetStyles(initial: environment.settings.initial)
        styled.nodeStyles = []
        styled.pseudoStyles = [:]
        computer = StyleComputer(settings: environment.settings)
        matcher = SelectorMatcher(tree)
        hints = PresentationalHints(tree)
        hasRules = !index.isEmpty
        hasCustomTags = !environment.customTags.isEmpty || !environment.rootBox.isEmpty
        customAttributes = environment.customAttributes.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    }

    func finish(_ styled: inout StyledTree) {
        styled.nodeStyles = nodeStyles
        styled.pseudoStyles = pseudoStyles
        styled.styles = table
        styled.cache = cache
        styled.rootFontSize = rootFontSize
    }

    // MARK: The root

    /// Styles node 0. A fragment lies in an implied body, as in a browser: rules for `html`, `body` and `:root` count.
    mutating func styleRoot(log: inout DiagnosticLog) {
        nodeStyles = Array(repeating: .root, count: tree.count)
        pseudoStyles.removeAll(keepingCapacity: true)
        rootFontSize = nil
        let initial = environment.settings.initial
        let implied = MarkupTree.parse("<html><body></body></html>")
        var impliedMatcher = SelectorMatcher(implied)
        let elements = (0..<implied.count).map { NodeID($0) }.filter {
            implied.tag($0) == .html || implied.tag($0) == .body
        }
        let isFragment = !tree.isDocument

        var style = initial
        for node in elements {
            let isHTML = implied.tag(node) == .html
            var blocks: [RankedBlock] = []
            if isFragment {
                blocks.append(
                    RankedBlock(
                        block: cache.blocks[
                            Int(cache.defaultBlock(implied.tag(node), [], context: environment.settings.context))],
                        level: .userAgent))
            }
            let root = isHTML ? environment.rootInherited : environment.rootBox
            if !root.isEmpty { blocks.append(RankedBlock(block: root, level: .customTag)) }
            var important: [(UInt32, RankedBlock)] = []
            var numbers = index.rootEntries
            if isFragment {
                numbers += index.universal.map(\.number)
                numbers += index.candidates(NameHash.tag(implied.tag(node))).map(\.number)
                numbers.sort()
            }
            for number in numbers.lazy.map(Int.init) where index.tests[number].pseudo == .element {
                let entry = index.entries[number]
                guard entry.isDefault || impliedMatcher.matches(entry.selector, node) else { continue }
                var ranked = entry.ranked
                if entry.isDefault {
                    let (inherited, box) = ResolverEnvironment.split(ranked.block)
                    ranked.block = isHTML ? inherited : box
                }
                blocks.append(ranked)
                if ranked.block.hasImportant { important.append((index.tests[number].importantRank, ranked)) }
            }
            style = computer.compute(
                blocks, important: important.sorted { $0.0 < $1.0 }.map(\.1), parent: style,
                rootFontSize: isHTML ? nil : rootFontSize,
                isRoot: isHTML)
            if isHTML { rootFontSize = Double(style.font.size) }
        }
        table.replaceRoot(style)
        if !isFragment { rootFontSize = nil }
    }

    // MARK: Walking

    mutating func walkAll(log: inout DiagnosticLog) {
        frames.removeAll(keepingCapacity: true)
        hashes.removeAll(keepingCapacity: true)
        tables.removeAll(keepingCapacity: true)
        var node: UInt32 = 1
        let end = UInt32(tree.count)
        while node < end {
            visit(NodeID(index: node), log: &log)
            node += 1
        }
        for _ in frames { pop() }
    }

    /// Styles children of `parent` with all that they hold; the ancestors have their styles already.
    mutating func walk(_ nodes: Range<UInt32>, below parent: NodeID, log: inout DiagnosticLog) {
        var path: [NodeID] = []
        var node: NodeID? = parent
        while let ancestor = node, ancestor != tree.root {
            path.append(ancestor)
            node = tree.parent(ancestor)
        }
        // The html element of a document is visited as an ancestor, or styled anew.
        if tree.isDocument { rootFontSize = nil }
        for ancestor in path.reversed() { visit(ancestor, log: &log) }
        if !pseudoStyles.isEmpty {
            for index in nodes {
                for box in PseudoBox.allCases {
                    pseudoStyles[StyledTree.PseudoKey(node: NodeID(index: index), box: box)] = nil
                }
            }
        }
        for index in nodes { visit(NodeID(index: index), log: &log) }
    }

    private mutating func pop() {
        let frame = frames.removeLast()
        if hasRules {
            for hash in hashes[Int(frame.hashStart)...] { filter.remove(hash) }
            hashes.removeSubrange(Int(frame.hashStart)...)
        }
    }

    private mutating func visit(_ node: NodeID, log: inout DiagnosticLog) {
        while let frame = frames.last, frame.end <= node.index { pop() }
        let parentStyle = frames.last?.style ?? .root
        guard tree.kind(node) == .element else {
            nodeStyles[Int(node.index)] = parentStyle
            return
        }
        let tag = tree.tag(node)
        var frame = Frame(
            end: tree.subtreeEnd(node).index, style: .root, hashStart: Int32(hashes.count), listDepth: 0,
            isInDefinitionList: false,
            isClosedDetails: false, hasSummary: false, table: -1)
        var variant: DefaultStyles.Variant = []
        if let parent = frames.last {
            frame.listDepth = parent.listDepth
            frame.isInDefinitionList = parent.isInDefinitionList
            frame.table = parent.table
            if DefaultStyles.dependsOnLists(tag) {
                if parent.listDepth > 0 { variant = parent.listDepth > 1 ? .inTwoLists : .inList }
                if parent.isInDefinitionList { variant.insert(.inDefinitionList) }
            }
            if parent.isClosedDetails {
                if tag == .summary, !parent.hasSummary {
                    frames[frames.count - 1].hasSummary = true
                } else {
                    variant.insert(.closedAway)
                }
            }
        }
        if DefaultStyles.isList(tag) {
            frame.listDepth = min(frame.listDepth + 1, 2)
        } else if tag == .dl {
            frame.isInDefinitionList = true
        }

        let hasAttributes = tree.hasAttributes(node)
        let attributes = hasAttributes ? tree.attributeSet(node) : AttributeSet()
        if tag == .a || tag == .area {
            if attributes.contains(.href) { variant.insert(.link) }
        } else if tag == .abbr || tag == .acronym {
            if attributes.contains(.title) { variant.insert(.open) }
        } else if tag == .dialog {
            if attributes.contains(.open) { variant.insert(.open) }
        } else if tag == .details {
            frame.isClosedDetails = !attributes.contains(.open)
        } else if tag == .tr {
            if tree.parent(node).map({ tree.tag($0) == .table }) == true { variant.insert(.open) }
        }

        // What identifies the style: the parent's, then the blocks that apply, each kind in its place.
        key.removeAll(keepingCapacity: true)
        key.append(parentStyle.rawValue)
        if tag.isKnown || variant.contains(.closedAway) {
            key.append(cache.defaultBlock(tag, variant, context: environment.settings.context))
        } else {
            key.append(0)
        }
        key.append(hasCustomTags ? customBlock(tag, node) : 0)
        var hintBlock: UInt32 = 0
        var inlineBlock: UInt32 = 0
        let isCell = tag == .td || tag == .th
        if (isCell && frame.table >= 0) || (hasAttributes && PresentationalHints.mayHave(attributes, tag)) {
            hintBlock = self.hintBlock(node, tag, frame.table >= 0 ? tables[Int(frame.table)] : nil, log: &log)
        }
        if attributes.contains(.style) || (hasAttributes && !customAttributes.isEmpty) {
            inlineBlock = self.inlineBlock(node, log: &log)
        }
        key.append(hintBlock)
        key.append(inlineBlock)
        if tag == .table {
            frame.table = -1
            if hasAttributes {
                let tableHints = hints.tableHints(node)
                if tableHints.hasBorder || tableHints.cellPadding != nil {
                    frame.table = Int32(tables.count)
                    tables.append(tableHints)
                }
            }
        }

        if hasRules { match(node, tag, attributes) }
        let isRootElement = rootFontSize == nil && tag == .html
        if isRootElement { key.append(.max) }  // nothing shares the root element's style
        let hash = StyleCache.hash(key)
        let style: StyleID
        if let known = cache.find(key, hash) {
            style = known
        } else {
            style = compute(parentStyle, isRootElement)
            cache.insert(key, hash, style)
        }
        if isRootElement { rootFontSize = Double(table[style].font.size) }
        nodeStyles[Int(node.index)] = style
        if !matchedPseudo.isEmpty || tag == .q { stylePseudo(node, tag, style) }

        if frame.end > node.index + 1 {
            frame.style = style
            frames.append(frame)
            if hasRules { for hash in hashes[Int(frame.hashStart)...] { filter.add(hash) } }
        } else if hasRules {
            hashes.removeSubrange(Int(frame.hashStart)...)
        }
    }

    /// The block of a custom tag, or of the root style's box properties for the body.
    private mutating func customBlock(_ tag: TagID, _ node: NodeID) -> UInt32 {
        if tag != .overflow, let known = unknownNames[tag.rawValue]?.block { return known }
        var index: UInt32 = 0
        let name = tree.name(node)
        if let block = environment.customTags[name] {
            index = cache.block("\u{0}" + name) { block }
        } else if tag == .body, tree.isDocument, !environment.rootBox.isEmpty {
            let block = environment.rootBox
            index = cache.block("\u{0}root") { block }
        }
        if tag != .overflow { unknownNames[tag.rawValue] = (nameHash(tag, node), index) }
        return index
    }

    private func nameHash(_ tag: TagID, _ node: NodeID) -> UInt64 {
        tag.isKnown ? NameHash.tag(tag) : NameHash.name(tree.name(node).utf8)
    }

    private mutating func parsed(_ css: String, _ node: NodeID, _ what: String, log: inout DiagnosticLog) -> UInt32 {
        var own = DiagnosticLog()
        let context = environment.settings.context
        let index = cache.block(css) {
            StylesheetParser.parseInline(CSSSource(css, name: what), context: context, log: &own)
        }
        for entry in own.entries where log.entries.count <= log.limit {
            log.report(Diagnostic(entry.severity, entry.message, at: tree.location(node), excerpt: entry.excerpt))
        }
        return index
    }

    private mutating func hintBlock(_ node: NodeID, _ tag: TagID, _ table: TableHints?, log: inout DiagnosticLog)
        -> UInt32
    {
        let css = hints.css(node, tag, table: table)
        if css.isEmpty { return 0 }
        return parsed(css, node, "attribute", log: &log)
    }

    private mutating func inlineBlock(_ node: NodeID, log: inout DiagnosticLog) -> UInt32 {
        var css = tree.attribute(node, .style) ?? ""
        if !customAttributes.isEmpty { css = CustomDeclarations.expand(css, customAttributes) }
        for (name, declarations) in customAttributes {
            guard let value = tree.attribute(node, name), let added = declarations(value) else { continue }
            css = css.isEmpty ? added : added + ";" + css
        }
        if css.isEmpty { return 0 }
        return parsed(css, node, "style", log: &log)
    }

    // MARK: Matching

    private mutating func match(_ node: NodeID, _ tag: TagID, _ attributes: AttributeSet) {
        matched.removeAll(keepingCapacity: true)
        matchedPseudo.removeAll(keepingCapacity: true)
        let start = hashes.count
        currentStart = start
        if tag.isKnown {
            hashes.append(NameHash.tag(tag))
        } else if tag != .overflow, let known = unknownNames[tag.rawValue] {
            hashes.append(known.hash)
        } else {
            let hash = nameHash(tag, node)
            if tag != .overflow, !hasCustomTags { unknownNames[tag.rawValue] = (hash, 0) }
            hashes.append(hash)
        }
        if attributes.contains(.id) {
            tree.withAttribute(node, .id) { value in
                if let value, !value.isEmpty { hashes.append(NameHash.id(value)) }
            }
        }
        if attributes.contains(.classNames) {
            tree.withAttribute(node, .classNames) { value in
                guard let value else { return }
                var at = 0
                while at < value.count {
                    while at < value.count, CSSTokenizer.isSpace(value[at]) { at += 1 }
                    let from = at
                    while at < value.count, !CSSTokenizer.isSpace(value[at]) { at += 1 }
                    if at > from {
                        hashes.append(NameHash.className(UnsafeBufferPointer(rebasing: value[from..<at])))
                    }
                }
            }
        }
        for position in start..<hashes.count {
            consider(index.candidates(hashes[position]), node, start)
        }
        index.universal.withUnsafeBufferPointer { consider($0, node, start) }
        if matched.count > 1 { matched.sort() }
        if matchedPseudo.count > 1 { matchedPseudo.sort() }
        key += matched
    }

    private mutating func consider(
        _ candidates: UnsafeBufferPointer<RuleIndex.Candidate>, _ node: NodeID, _ start: Int
    ) {
        // Most rules are out because of an ancestor that is not there: these are only read.
        let counts = filter.counts
        for candidate in candidates where counts[Int(candidate.slots.0)] > 0 && counts[Int(candidate.slots.1)] > 0 {
            consider(candidate.number, node, start)
        }
    }

    @inline(__always)
    private mutating func consider(_ number: UInt32, _ node: NodeID, _ start: Int) {
        let test = index.tests + Int(number)
        let ancestors = test.pointee.ancestors
        guard filter.mayContain(ancestors[1]), filter.mayContain(ancestors[2]), filter.mayContain(ancestors[3]) else {
            return
        }
        let count = Int(test.pointee.compoundCount)
        let isMatch =
            count > 0 && (count == 1 || frames.count <= Self.deepestScan)
            ? matchesChain(index.compounds + Int(test.pointee.firstCompound), count, start)
            : matcher.matches(index.entries[Int(number)].selector, node)
        guard isMatch else { return }
        if test.pointee.pseudo == .element { matched.append(number) } else { matchedPseudo.append(number) }
    }

    @inline(__always)
    private func has(_ compound: RuleIndex.Compound, _ start: Int, _ end: Int) -> Bool {
        for wanted in 0..<Int(compound.hashCount) {
            let hash = index.hashes[Int(compound.firstHash) + wanted]
            var at = start
            while at < end, hashes[at] != hash { at += 1 }
            if at == end { return false }
        }
        return true
    }

    /// Right to left over the stack. Compounds joined by `>` form a group; the nearest place where a group fits is the
    /// best one, since it leaves the most ancestors for the rest.
    private func matchesChain(_ chain: UnsafePointer<RuleIndex.Compound>, _ count: Int, _ start: Int) -> Bool {
        guard has(chain[0], start, hashes.count) else { return false }
        var compound = 0
        var frame = frames.count  // the element whose ancestors come next
        while chain[compound].isChild {
            frame -= 1
            compound += 1
            guard frame >= 0, has(chain[compound], frame) else { return false }
        }
        while compound + 1 < count {
            // The next group begins at some ancestor.
            let first = compound + 1
            var last = first
            while chain[last].isChild { last += 1 }
            var candidate = frame - 1
            search: while true {
                guard candidate - (last - first) >= 0 else { return false }
                for offset in 0...(last - first) where !has(chain[first + offset], candidate - offset) {
                    candidate -= 1
                    continue search
                }
                break
            }
            frame = candidate - (last - first)
            compound = last
        }
        return true
    }

    @inline(__always)
    private func has(_ compound: RuleIndex.Compound, _ frame: Int) -> Bool {
        let start = Int(frames[frame].hashStart)
        let end = frame + 1 < frames.count ? Int(frames[frame + 1].hashStart) : currentStart
        return has(compound, start, end)
    }

    // MARK: Computing

    private mutating func compute(_ parent: StyleID, _ isRootElement: Bool) -> StyleID {
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
            blocks, important: important, parent: table[parent], rootFontSize: rootFontSize, isRoot: isRootElement)
        return table.append(style)
    }

    private static func append(_ entries: [UInt32], isCode: Bool, of index: RuleIndex, to blocks: inout [RankedBlock]) {
        for number in entries where index.tests[Int(number)].isCode == isCode {
            blocks.append(index.entries[Int(number)].ranked)
        }
    }

    /// Important declarations in ascending order: author rules, inline, code.
    private static func important(_ entries: [UInt32], inline inlineBlock: DeclarationBlock, of index: RuleIndex)
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

    private mutating func stylePseudo(_ node: NodeID, _ tag: TagID, _ style: StyleID) {
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
    private static let markerCSS =
        "unicode-bidi:isolate;font-variant-numeric:tabular-nums;text-transform:none;text-indent:0"
}
