// One pass over a tree in document order. In: a tree, an index of rules. Out: a StyleID for each node. An element's style depends
// on its parent's style and on the blocks that apply. This combination is looked up first, so only distinct styles are computed.

import FancyTextBasics
import FancyTextCSS
import FancyTextMarkup
import FancyTextSelectors

struct StyleWalk: TreeWalker {
    let environment: ResolverEnvironment
    let index: RuleIndex
    let tree: MarkupTree
    var styled: StyledTree
    var cache = StyleCache()
    var computer: StyleComputer
    private var frames: [Frame] = []
    var rules: RuleMatcher
    var hints: PresentationalHints
    /// The style of the body in quirks mode, whose colour tables inherit.
    var bodyStyle: StyleID?
    let isQuirks: Bool
    var customBlocks: [UInt16: UInt32] = [:]
    /// The inputs of the style that is computed next.
    var key: [UInt32] = []
    let hasRules: Bool
    let hasCustomTags: Bool
    let customAttributes: [(name: String, css: @Sendable (String) -> String?)]
    var log = DiagnosticLog()
    /// The clock of the job that includes styling.
    private let clock = WorkClock.current
    private var elementsSeen = 0
    private var isStopped = false

    private struct Frame: BitwiseCopyable {
        var style = StyleID.root
        /// The style that contents inherit from: that of `::details-content`, except for a summary, or else the same.
        var contents = StyleID.root
        var listDepth: UInt8 = 0
        var isInDefinitionList = false
        var details = Details.none
        /// The index in `tables` of the nearest table.
        var table: Int32 = -1
        /// The index in `containerUnits` for its contents.
        var units: UInt32
    }
    var tables: [TableHints] = []
    /// The open elements that container queries and container units may refer to, outermost first.
    var containers: [OpenContainer] = []
    private var rootUnits: UInt32 = 0
    /// The distinct values of container units; the first is that outside of all containers.
    var containerUnits = [ContainerUnits()]
    var indexOfUnits = [ContainerUnits(): UInt32(0)]

    /// The effect of a `details` on its children: in a closed one only the first summary is shown.
    private enum Details: BitwiseCopyable { case none, open, closed, closedWithSummary }

    /// Moves the messages out of `log`, so that adding to them does not copy them. ``finish(_:)`` moves them back.
    init(_ environment: ResolverEnvironment, _ styled: StyledTree, taking log: inout DiagnosticLog) {
        (self.environment, self.styled) = (environment, styled)
        (index, tree) = (styled.index, styled.tree)
        computer = StyleComputer(environment, index, sourceBytes: tree.source.count)
        rules = RuleMatcher(index, tree)
        hints = PresentationalHints(tree: tree, isTextOnly: environment.context.readsTextOnly)
        isQuirks = environment.context.isQuirks
        hasRules = !index.isEmpty
        hasCustomTags = !environment.customTags.isEmpty || !environment.rootBox.isEmpty
        customAttributes = environment.options.customAttributes.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
        swap(&self.log, &log)
    }

    mutating func finish(_ log: inout DiagnosticLog) -> StyledTree {
        if computer.account.isOverdrawn {
            self.log.report(Diagnostic(.substitutedText, limit: environment.options.limits[.substitutedText]))
        }
        swap(&self.log, &log)
        if styled.styles.canvas == nil, tree.isDocument, let root = rootElement {
            let body = tree.children(root).first { tree.tag($0) == .body }
            styled.styles.canvas = Self.darkCanvas(of: styled.computed(root), body.map(styled.computed))
        }
        styled.fontsOfUnits = computer.fontsOfUnits
        styled.reportUndefinedNames(&log)
        return styled
    }

    // MARK: The root

    /// Styles node 0. A fragment has an implied body, as in a browser: rules for `html`, `body` and `:root` apply.
    mutating func styleRoot() {
        styled.nodeStyles = Array(repeating: .root, count: tree.count)
        var matcher = SelectorMatcher(tree)
        let isFragment = !tree.isDocument

        var style = environment.initial
        var html = style
        for element in ImpliedElement.allCases {
            let isHTML = element == .html
            var blocks: [RankedBlock] = []
            if isFragment {
                let defaults = cache.blocks[Int(cache.defaultBlock(element.tag, [], in: environment))]
                blocks.append(RankedBlock(block: defaults, level: .userAgent))
                if isHTML, let scheme = metaScheme() { blocks.append(RankedBlock(block: scheme, level: .hints)) }
            }
            let root = isHTML ? environment.rootInherited : environment.rootBox
            if !root.isEmpty { blocks.append(RankedBlock(block: root, level: .customTag)) }
            let numbers = isFragment ? index.rules.entries.indices.map { UInt32($0) } : []
            let applying = numbers.filter { number in
                index.rules.tests[Int(number)].pseudo == .element
                    && matcher.matches(index.rules.entries[Int(number)].selector, implied: element)
            }
            Self.append(applying, of: index, to: &blocks)
            var matched = MatchedDeclarations(blocks)
            style = computer.compute(&matched, parent: style, isRoot: isHTML)
            if isHTML {
                noteRoot(style)
                html = style
            }
        }
        styled.styles.replace(.root, style)
        noteContainer(style)
        if isFragment {
            styled.styles.canvas = Self.darkCanvas(of: html, style)
            if environment.options.hasRootBox, html.showsBox || style.hasRelativeHeight {
                styled.impliedRoot = styled.styles.append(html)
            }
        }
        if !isFragment { computer.rootFontSize = nil }
    }

    private mutating func noteRoot(_ style: ComputedStyle) {
        computer.rootFontSize = Double(style.font.size / style.inherited.zoom)
        computer.rootLineHeight = style.text.lineHeight.pixels(Double(style.font.size))
    }

    /// The canvas of a dark page (CSS Color Adjustment 1 §2.2); `nil` for a light one, or if a background covers it.
    private static func darkCanvas(of root: ComputedStyle, _ body: ComputedStyle?) -> ComputedStyle? {
        guard root.inherited.prefersDark == true, !root.hasBackground, body?.hasBackground != true else { return nil }
        var box = BoxStyle()
        box.backgroundColor = Color(rgb: 0x121212)
        return ComputedStyle(root, box: box)
    }

    private var rootElement: NodeID? { tree.children(tree.root).first { tree.tag($0) == .html } }

    /// The colour scheme that a `meta` element declares for the page (HTML §4.2.5.4).
    func metaScheme() -> DeclarationBlock? {
        let parts = rootElement.map { root in
            [root] + tree.children(root).filter { tree.tag($0) == .head || tree.tag($0) == .body }
        }
        for node in ([tree.root] + (parts ?? [])).lazy.flatMap({ tree.children($0) }) where tree.tag(node) == .meta {
            guard tree.attribute(node, "name")?.asciiLowercased() == "color-scheme",
                let scheme = tree.attribute(node, "content")
            else { continue }
            return StylesheetParser.parseInline("color-scheme:\(scheme)", context: environment.context)
        }
        return nil
    }

    // MARK: Walking

    mutating func walkAll() {
        containers = container(tree.root, .root, depth: -1).map { [$0] } ?? []
        rootUnits = containers.first.map { units(inside: $0, 0) } ?? 0
        let tree = tree
        tree.visit(tree.contents(tree.root), with: &self)
    }

    mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) {
        guard !isStopped, tree.firstChild(node) != nil else { return }
        frames.removeLast()
        if let last = containers.last, last.depth == frames.count { containers.removeLast() }
        if hasRules { rules.close() }
    }

    /// Text and comment nodes have the style of their parent element.
    mutating func defaultVisit(_ node: NodeID, in tree: MarkupTree) {
        styled.nodeStyles[Int(node.index)] = frames.last?.contents ?? .root
    }

    mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
        elementsSeen &+= 1
        if elementsSeen & 0xF == 0, clock.isOver() { isStopped = true }
        if isStopped { return .skip }
        let tag = tree.tag(node)
        let hasAttributes = tree.hasAttributes(node)
        let names = hasAttributes ? tree.names(ofAttributesOf: node) : AttributeNames()
        var variant: DefaultStyles.Variant = []
        var frame = makeFrame(tag, names.set, &variant)
        if tag == .tr, tree.parent(node).map({ tree.tag($0) == .table }) == true { variant.insert(.open) }
        if variant.contains(.link), tree.isForeign(node) { variant.remove(.link) }
        if isQuirks, DefaultStyles.hasQuirks(tag), !isInList(node, tag) { variant.insert(.quirks) }

        let parentStyle = frames.last.map { tag == .summary ? $0.style : $0.contents } ?? .root
        let hasDefaults = tag.isKnown || variant.contains(.closedAway)
        let defaultBlock = hasDefaults ? cache.defaultBlock(tag, variant, in: environment) : 0
        let customBlock = hasCustomTags ? self.customBlock(tag, node) : 0
        var (hintBlock, inlineBlock): (UInt32, UInt32) = (0, 0)
        let isInTable = frame.table >= 0 && PresentationalHints.readsTable(tag)
        if hasAttributes || tag == .option || PresentationalHints.isControl(tag) || isInTable {
            let css = hints.css(node, tag, names.set, table: frame.table >= 0 ? tables[Int(frame.table)] : nil)
            hintBlock = parsed(css, node, attribute: nil)
        }
        if hasAttributes, names.set.contains(.style) || !customAttributes.isEmpty {
            inlineBlock = self.inlineBlock(node)
        }
        // The parent's style, then each kind of block in its place; rules follow.
        key.removeAll(keepingCapacity: true)
        key += [parentStyle.rawValue, defaultBlock, customBlock, hintBlock, inlineBlock]
        if tag == .table {
            let tableHints = hasAttributes ? hints.tableHints(node) : TableHints()
            frame.table = tableHints == TableHints() ? -1 : Int32(tables.count)
            if frame.table >= 0 { tables.append(tableHints) }
        }
        if hasRules {
            rules.enter(node, tag, names)
            dropUnmetRules(parentStyle)
            applyScopes(to: node)
            key.append(contentsOf: rules.matched)
        }
        let style = findStyle(parentStyle, tag, frame.units)
        if isQuirks, tag == .body, bodyStyle == nil { bodyStyle = style }
        styled.nodeStyles[Int(node.index)] = style
        if styled.hasContainers, let container = container(node, style, depth: frames.count) {
            containers.append(container)
            frame.units = units(inside: container, frame.units)
        }
        if !rules.matchedPseudo.isEmpty || tag == .q || tag == .optgroup
            || styled.hasFootnotes && styled.styles[style].isFootnote
        {
            stylePseudo(node, tag, style, frame.units)
        }

        if tree.firstChild(node) != nil {
            frame.style = style
            frame.contents =
                tag == .details ? styled.pseudoStyles[.init(node: node, box: .detailsContent)] ?? style : style
            frames.append(frame)
            if hasRules { rules.open() }
        } else {
            if hasRules { rules.skip() }
            if let last = containers.last, last.node == node { containers.removeLast() }
        }
        return .contents
    }

    /// True for an item or a list to which the quirks of lists do not apply (HTML §15.3.7).
    private func isInList(_ node: NodeID, _ tag: TagID) -> Bool {
        guard tag == .li || DefaultStyles.isList(tag) else { return false }
        return frames.last.map { $0.listDepth > 0 } ?? false
            || tag != .li && !tree.ancestors(node).contains { tree.tag($0) == .li }
    }

    /// The frame of an element in the innermost open one, without its style, and the variant of its default style.
    @inline(__always)
    private mutating func makeFrame(
        _ tag: TagID, _ attributes: AttributeSet, _ variant: inout DefaultStyles.Variant
    ) -> Frame {
        var frame = frames.last ?? Frame(units: rootUnits)
        frame.details = .none
        if let parent = frames.last {
            if DefaultStyles.dependsOnLists(tag) {
                if parent.listDepth > 0 { variant = parent.listDepth > 1 ? .inTwoLists : .inList }
                if parent.isInDefinitionList { variant.insert(.inDefinitionList) }
            }
            switch parent.details {
            case .none: break
            case .open: if tag == .summary { variant.insert(.open) }
            case .closed where tag == .summary: frames[frames.count - 1].details = .closedWithSummary
            case .closed, .closedWithSummary: variant.insert(.closedAway)
            }
        }
        switch tag {
        case .ul, .ol, .menu, .dir: frame.listDepth = min(frame.listDepth + 1, 2)
        case .dl: frame.isInDefinitionList = true
        case .a, .area: if attributes.contains(.href) { variant.insert(.link) }
        case .abbr, .acronym: if attributes.contains(.title) { variant.insert(.open) }
        case .dialog: if attributes.contains(.open) { variant.insert(.open) }
        case .details: frame.details = attributes.contains(.open) ? .open : .closed
        default: break
        }
        return frame
    }

    /// The style that ``key`` identifies, computed the first time.
    @inline(__always)
    private mutating func findStyle(_ parentStyle: StyleID, _ tag: TagID, _ units: UInt32) -> StyleID {
        let isRootElement = computer.rootFontSize == nil && tag == .html
        if isRootElement { key.append(.max) }  // nothing shares the root element's style
        if isQuirks {
            key.append(.max - 1 - UInt32(tag.rawValue))
            if tag == .table, let bodyStyle { key.append(bodyStyle.rawValue) }
        }
        appendUnits(units)
        if let known = cache.styles[key] { return known }
        let style = compute(parentStyle, tag, isRootElement)
        cache.styles[key] = style
        if isRootElement { noteRoot(styled.styles[style]) }
        return style
    }

    /// The block of a custom tag, or of the root style's box properties for the body.
    mutating func customBlock(_ tag: TagID, _ node: NodeID) -> UInt32 {
        if tag != .overflow, let known = customBlocks[tag.rawValue] { return known }
        var index: UInt32 = 0
        let (name, root) = (tree.name(node), environment.rootBox)
        if let block = environment.customTags[name] {
            index = cache.block("\u{0}" + name) { block }
        } else if tag == .body, tree.isDocument, !root.isEmpty {
            index = cache.block("\u{0}root") { root }
        }
        if tag != .overflow { customBlocks[tag.rawValue] = index }
        return index
    }

    /// The block of an attribute's declarations; without an attribute, of generated ones.
    mutating func parsed(_ css: String, _ node: NodeID, attribute: AttributeID?) -> UInt32 {
        if css.isEmpty { return 0 }
        let context = environment.context
        return cache.block(css) {
            let source = CSSSource(css, name: tree.sourceName, base: styled.base)
            var own = DiagnosticLog()
            let block = StylesheetParser.parseInline(source, context: context, log: &own)
            if !own.entries.isEmpty {
                let place = attribute.flatMap { tree.embedded($0, of: node) }
                log.report(own, about: source, at: place, within: tree, node)
            }
            return block
        }
    }

    mutating func inlineBlock(_ node: NodeID) -> UInt32 {
        let written = tree.attribute(node, .style) ?? ""
        let allowed = environment.options.allowedStyleAttributes
        var css = customAttributes.isEmpty && allowed == nil ? written : expanded(written, allowed)
        for (name, declarations) in customAttributes {
            guard let value = tree.attribute(node, name), let added = declarations(value) else { continue }
            css = css.isEmpty ? added : added + ";" + css
        }
        return parsed(css, node, attribute: css == written ? .style : nil)
    }

    /// Expands custom declarations; one whose closure returns `nil` stays. Drops others if `allowed` lacks their names. O(text).
    private func expanded(_ css: String, _ allowed: Set<String>?) -> String {
        let source = CSSSource(css)
        let tokens = source.tokens
        var result: [String] = []
        var isChanged = false
        var index = 0
        while index < tokens.count {
            let declaration = index..<source.first(.semicolon, in: index..<tokens.count)
            let colon = source.first(.colon, in: declaration)
            index = declaration.upperBound + 1
            let first = tokens[declaration].first { $0.kind != .whitespace }
            let name = first?.kind == .ident ? first.map { source.word(of: $0) } : nil
            if let name, colon < declaration.upperBound,
                let custom = customAttributes.first(where: { $0.name == name }),
                let expanded = custom.css(source.text(source.trimmed((colon + 1)..<declaration.upperBound)))
            {
                result.append(expanded)
                isChanged = true
            } else if let allowed, name.map({ !allowed.contains($0) }) ?? true {
                isChanged = true
            } else {
                result.append(source.text(declaration))
            }
        }
        return isChanged ? result.joined(separator: ";") : css
    }
}

/// Caches that make equal elements cheap: declarations by their text, computed styles by their inputs.
struct StyleCache: Sendable {
    /// Blocks other than those of rules: default styles, hints, inline styles. Block 0 is empty.
    var blocks: [DeclarationBlock]
    private var byText: [String: UInt32] = ["": 0]
    /// Default styles by tag and variant.
    private var defaults: [UInt32: UInt32] = [:]

    /// Styles by the inputs they were computed from.
    var styles: [[UInt32]: StyleID] = [:]
    /// The places of matched declarations by their blocks.
    private(set) var places: [[UInt32]: Int] = [:]
    var matched: [MatchedDeclarations] = []

    init() { blocks = [DeclarationBlock(source: CSSSource(""), declarations: [], customs: [])] }

    /// The block of an attribute's text; `parse` is called once for each distinct text.
    mutating func block(_ text: String, _ parse: () -> DeclarationBlock) -> UInt32 {
        if let known = byText[text] { return known }
        let block = parse()
        var index: UInt32 = 0
        if !block.isEmpty {
            index = UInt32(blocks.count)
            blocks.append(block)
        }
        byText[text] = index
        return index
    }

    /// The index of a tag's default style. Elements that differ only in their names can share a style.
    mutating func defaultBlock(
        _ tag: TagID, _ variant: DefaultStyles.Variant, in environment: ResolverEnvironment
    ) -> UInt32 {
        let key = UInt32(tag.rawValue) << 8 | UInt32(variant.rawValue)
        if let known = defaults[key] { return known }
        let css = DefaultStyles.css(tag, variant)
        let index = block(css) {
            environment.defaultBlocks.withLock { known in
                let block = known[css] ?? StylesheetParser.parseInline(css, context: environment.context)
                known[css] = block
                return block
            }
        }
        defaults[key] = index
        return index
    }

    mutating func insert(_ key: [UInt32], _ declarations: MatchedDeclarations) -> Int {
        places[key] = matched.count
        matched.append(declarations)
        return matched.count - 1
    }
}
