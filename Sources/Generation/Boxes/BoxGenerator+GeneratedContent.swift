// Generated content: the effect of elements on counters (HTML §4.4.5–4.4.8), markers, `::before` and `::after`, the parts of `content`
// (CSS Content 3, CSS Lists 3 §3–4).

import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextStyling

extension BoxGenerator {
    mutating func appendMarkerAndBefore(of element: NodeID, style id: StyleID, to flow: inout Flow) {
        let style = text.styles[id]
        if style.isListItem, tree.tag(element) != .fieldset {
            let markerStyle = styled.pseudoStyle(of: element, .marker) ?? defaultMarkerStyle(of: id)
            appendMarker(of: element, style: id, markerStyle: markerStyle, to: &flow)
        }
        if element == openNote { appendPseudo(.footnoteMarker, of: element, to: &flow) }
        appendPseudo(.before, of: element, to: &flow)
        if lacksSummary(element) { appendDefaultSummary(of: element, to: &flow) }
    }

    /// Returns whether the element is a `details` to which a summary is added (HTML §15.5.6).
    func lacksSummary(_ element: NodeID) -> Bool {
        tree.tag(element) == .details && !tree.children(element).contains { tree.tag($0) == .summary }
    }

    private mutating func appendDefaultSummary(of element: NodeID, to flow: inout Flow) {
        let marker = tree.hasAttribute(element, .open) ? "disclosure-open" : "disclosure-closed"
        let string = (text.styles[flow.style].text.triangle(ofStyle: marker) ?? "") + " "
        let style = generatedStyle(of: flow.style, .block, marker) { _, text, _ in
            (text.listStyleInside, text.listStyleType) = (true, .named(marker))
        }
        let markerStyle = defaultMarkerStyle(of: style)
        splitInlines(&flow) { generator, parent, _ in
            let box = generator.openBox(.block, style: style, element: element, parent: parent, isAnonymous: true)
            var inline = InlineBuilder()
            inline.append(marker: string, style: markerStyle, element: element, to: &generator.text)
            inline.append(generated: "Details", style: style, element: element, to: &generator.text)
            generator.finish(&inline, in: box)
            generator.closeBox(box)
        }
    }

    private mutating func appendMarker(of element: NodeID, style id: StyleID, markerStyle: StyleID, to flow: inout Flow)
    {
        let style = text.styles[id]
        // The marker of an inline item is placed in its line (CSS Lists 3 §3.1).
        let isInside = style.text.listStyleInside || style.box.display == .inline
        var markerStyle = markerStyle
        if !isInside, !text.styles[markerStyle].box.decorations.isEmpty {
            // Decorations are not drawn on an outside marker (CSS Text Decoration 3 §2).
            markerStyle = variant(of: markerStyle, .undecorated) { _, _, box in box.decorations = [] }
        }
        var string = ""
        var number: Int?
        var shape: ListMarker.Shape?
        var image = style.text.listStyleImage
        if let content = text.styles[markerStyle].box.content {
            string = render(content, of: element)
            image = content.compactMap(\.imageURL).first.map { .url($0) }
            if string.isEmpty, image == nil { return }
            number = Self.number(string)
        } else {
            switch style.text.listStyleType {
            case .none: if image == nil { return }
            case .string(let value): string = value
            case .named(let name):
                let value = counters.value("list-item", at: element)
                let triangle = style.text.triangle(ofStyle: name).map { $0 + " " }
                string = triangle ?? styled.index.counterStyles.marker(value, style: name)
                shape = ListMarker.Shape(rawValue: name)
                number = shape == nil ? value : nil
            }
        }
        string = budgeted(string)
        if isInside {
            if let image, text.styles[markerStyle].box.content == nil {
                return appendInsidePicture(image, style: markerStyle, element: element, to: &flow)
            }
            return flow.inline.append(marker: string, style: markerStyle, element: element, to: &text)
        }
        text.boxes[flow.box].marker = text.markers.count
        text.markers.append(ListMarker(text: string, number: number, style: markerStyle, image: image, shape: shape))
    }

    /// Appends the picture of a marker in the first line, with the space of browsers after it.
    private mutating func appendInsidePicture(
        _ image: ImageSource, style: StyleID, element: NodeID, to flow: inout Flow
    ) {
        let own = generatedStyle(of: style, .inlineBlock, "picture") { font, text, box in
            let gap = LengthPercentage(px: 8)
            if text.direction == .rtl { box.margin.left = gap } else { box.margin.right = gap }
            // A gradient has no size of its own.
            if case .gradient = image {
                let side = SizeValue.length(LengthPercentage(px: (font.size / 2).rounded()))
                (box.width, box.height) = (side, side)
            }
        }
        appendInlineChild(of: element, style: own, to: &flow) { generator, parent, _ in
            generator.appendGeneratedBlock([.image(image)], style: own, element: element, parent: parent)
        }
    }

    /// The number that an author's own marker shows: digits, with at most one punctuation mark after them; nil for other markers.
    private static func number(_ marker: String) -> Int? {
        let digits = marker.prefix { $0.isASCII && $0.isNumber }
        let rest = marker.dropFirst(digits.count).filter { !$0.isWhitespace }
        return rest.count <= 1 && rest.allSatisfy(\.isPunctuation) ? Int(digits) : nil
    }

    /// The default style of `::marker` in an item of style `id` (CSS Lists 3 §3.1.1).
    private mutating func defaultMarkerStyle(of id: StyleID) -> StyleID {
        generatedStyle(of: id, .listItem) { font, text, box in
            font.features.insert(feature("tnum"), at: 0)
            (text.transform, text.indent) = (.none, .zero)
            (box.display, box.unicodeBidi) = (.inline, .isolate)
        }
    }

    /// Appends `::before` or `::after` of an element: inline, a block, an inline block or a float, by its style.
    mutating func appendPseudo(_ pseudo: PseudoBox, of element: NodeID, to flow: inout Flow) {
        guard let (own, content) = enterPseudo(pseudo, of: element) else { return }
        var id = own
        let style = text.styles[id]
        let level = style.box.display.level
        func append(_ generator: inout BoxGenerator, _ parent: Int, _ depth: Int) {
            generator.appendGeneratedBlock(content, style: id, element: element, parent: parent)
        }
        if style.isOutOfFlow || level == .atomicInline {
            return appendInlineChild(of: element, style: id, isFloat: style.isOutOfFlow, to: &flow, append)
        }
        switch levelOfPseudo(style, of: element) {
        case .block:
            if level == .tablePart || style.box.display == .table {
                id = variant(of: id, .generated(.table, "part")) {
                    ($2.display, $2.width) = (.table, $2.width == .auto ? .fitContent(nil) : $2.width)
                }
            }
            splitInlines(&flow, append)
        // Columns show no contents.
        case .none: break
        case .contents, .inline, .atomicInline, .tablePart:
            let id = style.box.display == .contents ? generatedStyle(of: id, .inline) : id
            flow.inline.openInline(style: id, element: element)
            appendGenerated(content, style: id, element: element, to: &flow)
            flow.inline.closeInline()
        }
    }

    /// The level of a pseudo-element, or that of the table around a part of one (CSS 2 §17.2.1).
    func levelOfPseudo(_ style: ComputedStyle, of element: NodeID) -> Display.Level {
        let display = style.box.display
        guard display.level == .tablePart else { return display.level }
        if display == .tableColumn || display == .tableColumnGroup { return .none }
        return computed(element).box.display.level == .inline ? .tablePart : .block
    }

    /// Applies a pseudo-element's counter changes and renders its `content`; nil when it makes no box.
    mutating func enterPseudo(_ pseudo: PseudoBox, of element: NodeID) -> (style: StyleID, content: [GeneratedPart])? {
        guard let id = styled.pseudoStyle(of: element, pseudo) else { return nil }
        let style = text.styles[id]
        guard let content = style.box.content, style.box.display != .none else { return nil }
        changeCounters(by: style, at: element, isPseudo: true)
        let parts = parts(content, of: element)
        if pseudo == .footnoteCall { text.differsInLayout = true }
        guard pseudo == .footnoteCall, !isForLayout else { return (id, parts) }
        // Text has no raised numbers.
        let raised = parts.map { part in
            guard case .text(let text) = part else { return part }
            return .text(ScriptCharacters.map(text, ScriptCharacters.superscripts) ?? text)
        }
        return (id, raised)
    }

    enum GeneratedPart {
        case text(String)
        case image(ImageSource)
    }

    private mutating func parts(_ content: [ContentPart], of element: NodeID) -> [GeneratedPart] {
        var result: [GeneratedPart] = []
        let parts = content.split(omittingEmptySubsequences: false) { if case .image = $0 { true } else { false } }
        for part in parts {
            if part.startIndex > 0, case .image(let image) = content[part.startIndex - 1] {
                result.append(.image(image))
            }
            result.append(.text(render(Array(part), of: element)))
        }
        return result
    }

    mutating func appendGeneratedBlock(
        _ content: [GeneratedPart], kind: StyledBox.Kind = .block, style: StyleID, element: NodeID, parent: Int
    ) {
        // A first letter outside of the block is not in it.
        let letter = pending.letter
        pending.letter = nil
        let items = itemsKind(text.styles[style].box.display)
        let box = openBox(items ?? kind, style: style, element: element, parent: parent)
        let isEmpty = content.allSatisfy { if case .text(let text) = $0 { text.isEmpty } else { false } }
        if items == nil {
            fillGenerated(box, content, style, element)
        } else if !isEmpty {
            // The contents of a flex container or grid are an anonymous item (CSS Flexbox 1 §4).
            let item = openAnonymous(.block, .block, in: box)
            fillGenerated(item, content, text.boxes[item].style, element)
            closeBox(item)
        }
        closeBox(box)
        pending.letter = letter
    }

    mutating func fillGenerated(_ box: Int, _ content: [GeneratedPart], _ style: StyleID, _ element: NodeID) {
        var flow = Flow(box: box, depth: 0, style: style, element: element, hasBlocks: false)
        if text.styles[style].isListItem {
            appendMarker(of: element, style: style, markerStyle: defaultMarkerStyle(of: style), to: &flow)
        }
        appendGenerated(content, style: style, element: element, to: &flow)
        finish(&flow)
    }

    private mutating func appendGenerated(
        _ content: [GeneratedPart], style: StyleID, element: NodeID, to flow: inout Flow
    ) {
        for part in content {
            switch part {
            case .text(var string):
                string.withUTF8 { append($0, TextOrigin(style: style, element: element), to: &flow) }
            case .image(.gradient(let gradient)):
                // Without a natural size it fills its container.
                let whole = SizeValue.length(LengthPercentage(fraction: 1))
                let name = "gradient \(gradient.hashValue)"
                let own = generatedStyle(of: style, .inlineBlock, name) { _, _, box in
                    (box.width, box.height) = (whole, whole)
                    box.backgroundLayers = [BackgroundLayer(image: .gradient(gradient))]
                }
                appendInlineChild(of: element, style: own, to: &flow) { generator, parent, _ in
                    generator.closeBox(generator.openBox(.block, style: own, element: element, parent: parent))
                }
            case .image(.url(let source)):
                // In its natural size: inline, without the style of the box around it.
                let own = generatedStyle(of: style, .inline)
                appendInlineChild(of: element, style: own, to: &flow) { generator, parent, _ in
                    let box = generator.openBox(.image, style: own, element: element, parent: parent)
                    generator.text.boxes[box].replaced = generator.text.replaced.count
                    generator.text.replaced.append(ReplacedContent(source: source, alternative: ""))
                    generator.closeBox(box)
                }
            }
        }
    }

    mutating func render(_ content: [ContentPart], of element: NodeID) -> String {
        var result = ""
        let styles = styled.index.counterStyles
        leaveQuoteScopes(before: element)
        for part in content where !meter.isSpent {
            switch part {
            case .string(let string): result += string
            case .attribute(let name, let fallback): result += tree.attribute(element, name) ?? fallback
            case .counter(let name, _, let style) where isOfPage(name, at: element):
                result += styles.text(name == "pages" ? references.pageCount : page(of: element), style: style)
            case .counter(let name, nil, let style):
                result += styles.text(counters.value(name, at: element), style: style)
            case .counter(let name, let separator?, let style):
                let values = counters.values(name, at: element).map { styles.text($0, style: style) }
                result += values.joined(separator: separator)
            case .openQuote:
                result += quote(of: element, isOpen: true)
                quoteDepth += 1
            case .closeQuote:
                // A closing quote without an opening one shows nothing (CSS Generated Content 3 §1.2.1).
                guard quoteDepth > 0 else { continue }
                quoteDepth -= 1
                result += quote(of: element, isOpen: false)
            case .noOpenQuote: quoteDepth += 1
            case .noCloseQuote: quoteDepth = max(0, quoteDepth - 1)
            case .elementText:
                for node in tree.subtree(element) where tree.kind(node) == .text { result += tree.text(node) }
            case .target(let target, let value): result += render(value, at: target, from: element)
            case .image, .named: break
            }
        }
        return budgeted(result)
    }

    /// Restores the depth of quotes that elements with style containment changed for themselves alone.
    private mutating func leaveQuoteScopes(before node: NodeID) {
        while let scope = quoteScopes.last, !scope.nodes.contains(node) {
            quoteDepth = quoteScopes.removeLast().depth
        }
    }

    func quote(of element: NodeID, isOpen: Bool) -> String {
        let style = computed(element)
        // The marks of a quotation are those of the text around it (CSS Content 3 §3.2.1).
        let around = tree.tag(element) == .q ? tree.parent(element).map { computed($0) } : nil
        let pairs = style.text.quotes ?? Quotes.pairs(forLanguage: (around ?? style).font.language)
        return Quotes.mark(level: quoteDepth, isOpen: isOpen, in: pairs)
    }

    // MARK: Footnotes

    /// Appends the area of the notes that were called, and the notes in it (CSS GCPM 3 §2.4).
    mutating func appendFootnotes(to parent: Int) {
        guard let first = footnotes.first?.element, let style = styled.pseudoStyle(of: first, .footnoteArea)
        else { return }
        let around = counters
        let area = openBox(.block, style: style, element: first, parent: parent)
        // The next note is the last one. Notes that a note calls follow it.
        var waiting = Array(footnotes.reversed())
        while let note = waiting.popLast() {
            footnotes = []
            (openNote, counters) = (note.element, note.counters)
            appendElementBox(note.element, style: styled.style(of: note.element), parent: area, depth: 1)
            waiting += footnotes.reversed()
        }
        closeBox(area)
        if references.isPaged { text.footnoteArea = area }
        (footnotes, openNote, counters) = ([], nil, around)
    }

    /// Counts the notes that a note calls, whose boxes are generated later.
    mutating func skipFootnotes(in note: NodeID) {
        guard meter.spend(Int(tree.subtreeEnd(note).index - note.index), of: .boxes) else { return }
        let inner = tree.subtree(note).dropFirst()
        let count = inner.count { tree.kind($0) == .element && computed($0).isFootnote }
        if count > 0 { counters.increment("footnote", by: count, at: note, parent: scopeParent(of: note)) }
    }

    /// The style of a note's box, which pages move as a whole.
    mutating func footnoteStyle(_ id: StyleID) -> StyleID {
        variant(of: id, .footnote) { _, _, box in
            box.float = .none
            if box.display == .listItem { box.marksItem = true }
            if box.display == .block || box.display == .listItem { box.display = .flowRoot }
        }
    }

    // MARK: Pages and other elements

    /// Returns whether a counter is that of pages. A document that is not on pages may have a counter of this name.
    private mutating func isOfPage(_ name: String, at element: NodeID) -> Bool {
        guard name == "page" || name == "pages" else { return false }
        if references.isPaged { return true }
        if !counters.isInScope(name, at: element), asksForPage == nil { asksForPage = element }
        return false
    }

    /// The number of the page of an element; 0 while it is unknown.
    private mutating func page(of element: NodeID) -> Int {
        text.pageNotes.append(PageNote(element: element, kind: .reference))
        return references.pages[element] ?? 0
    }

    private mutating func render(_ value: TargetValue, at target: LinkTarget, from element: NodeID) -> String {
        let url =
            switch target {
            case .url(let url): url
            case .attribute(let name): tree.attribute(element, name) ?? ""
            }
        guard let mark = url.firstIndex(of: "#"),
            let node = tree.nodes(withID: String(url[url.index(after: mark)...])).first
        else { return "" }
        switch value {
        case .text(let isLetter):
            var words = ""
            for part in tree.subtree(node) where tree.kind(part) == .text && words.utf8.count < Self.longestTargetText {
                words += tree.text(part)
            }
            let whole = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return isLetter ? String(whole.prefix(1)) : whole
        case .counter(let name, let separator, let style):
            let styles = styled.index.counterStyles
            if name == "page" || name == "pages" {
                guard references.isPaged else {
                    asksForPage = asksForPage ?? element
                    return ""
                }
                return styles.text(name == "pages" ? references.pageCount : page(of: node), style: style)
            }
            let values = references.counters[node]?[name] ?? [0]
            guard let separator else { return styles.text(values.last ?? 0, style: style) }
            return values.map { styles.text($0, style: style) }.joined(separator: separator)
        }
    }

    /// Longer texts are no titles.
    private static let longestTargetText = 4096

    // MARK: Counters

    /// Changes the counters at the element's position in document order (CSS Lists 3 §4.4).
    mutating func enter(_ node: NodeID, style: ComputedStyle) {
        // An element without a box changes no counter (§4.5).
        if style.box.display != .contents {
            if Self.listTags.contains(tree.tag(node)) {
                let start = Self.listStart(node, in: tree)
                counters.reset("list-item", to: start, at: node, parent: scopeParent(of: node), isLocal: true)
            }
            changeCounters(by: style, at: node, isPseudo: false)
        }
        // The strings that an element sets (CSS Generated Content for Paged Media 3 §1.1).
        for assignment in style.strings {
            let words = render(assignment.parts, of: node).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            text.pageNotes.append(PageNote(element: node, kind: .string(name: assignment.name, value: words)))
        }
        // The counters at a possible target (CSS Generated Content 3 §2.6).
        if !targetNames.isEmpty, tree.hasAttribute(node, .id), meter.spend(8 * targetNames.count, of: .generatedText) {
            for name in targetNames { text.targetCounters[node, default: [:]][name] = counters.values(name, at: node) }
        }
    }

    private static let listTags: [TagID] = [.ol, .ul, .menu, .dir]

    /// The nearest element around a node that has a box.
    func scopeParent(of node: NodeID) -> NodeID? {
        tree.ancestors(node).first { computed($0).box.display != .contents }
    }

    /// - Parameter isPseudo: whether the style is that of a pseudo-element of `node`.
    mutating func changeCounters(by style: ComputedStyle, at node: NodeID, isPseudo: Bool) {
        lazy var parent = isPseudo ? node : scopeParent(of: node)
        for change in style.box.counterReset { counters.reset(change.name, to: change.value, at: node, parent: parent) }
        if style.isFootnote, !isPseudo, !style.box.counterIncrement.contains(where: { $0.name == "footnote" }) {
            // One counter for the whole document (CSS GCPM 3 §2.5).
            if !counters.isInScope("footnote", at: node) {
                counters.reset("footnote", to: 0, at: tree.root, parent: nil)
            }
            counters.increment("footnote", by: 1, at: node, parent: parent)
        }
        let increments = style.box.counterIncrement
        let countsItem = style.isListItem && !isPseudo && !increments.contains { $0.name == "list-item" }
        for change in increments { counters.increment(change.name, by: change.value, at: node, parent: parent) }
        if countsItem { counters.increment("list-item", by: isInReversedList(node) ? -1 : 1, at: node, parent: parent) }
        // The `value` attribute is applied last, before `counter-set`.
        if style.isListItem, !isPseudo, tree.tag(node) == .li,
            let value = tree.attribute(node, "value").flatMap(Self.integer)
        {
            counters.set("list-item", to: value, at: node, parent: parent)
        }
        for change in style.box.counterSet { counters.set(change.name, to: change.value, at: node, parent: parent) }
        if references.isPaged {
            func note(_ changes: [CounterChange], adds: Bool) {
                for change in changes where change.name == "page" {
                    text.pageNotes.append(PageNote(element: node, kind: .counter(value: change.value, adds: adds)))
                }
            }
            note(style.box.counterReset, adds: false)
            note(style.box.counterIncrement, adds: true)
            note(style.box.counterSet, adds: false)
        }
        guard style.containment.contains(.style) else { return }
        counters.contain(node)
        leaveQuoteScopes(before: node)
        quoteScopes.append((node..<tree.subtreeEnd(node), quoteDepth))
    }

    /// The value before the first item: HTML §4.4.5 (`start`, `reversed`).
    package static func listStart(_ node: NodeID, in tree: MarkupTree) -> Int {
        guard tree.tag(node) == .ol else { return 0 }
        let isReversed = tree.hasAttribute(node, .reversed)
        if let start = tree.attribute(node, .start).flatMap(integer) { return isReversed ? start + 1 : start - 1 }
        guard isReversed else { return 0 }
        return 1 + tree.children(node).count { tree.tag($0) == .li }
    }

    func isInReversedList(_ node: NodeID) -> Bool {
        let list = tree.ancestors(node).first { Self.listTags.contains(tree.tag($0)) }
        guard let list, tree.tag(list) == .ol, tree.attribute(list, "reversed") != nil else { return false }
        return !tree.ancestors(node).prefix { $0 != list }.contains { styled.computed($0).containment.contains(.style) }
    }

    /// The integer at the start of a string; nil if it does not fit into 32 bits.
    package static func integer(_ string: String) -> Int? {
        string.htmlInteger.flatMap { abs($0) < 1 << 31 ? $0 : nil }
    }
}

extension ContentPart {
    var targetCounter: String? { if case .target(_, .counter(let name, _, _)) = self { name } else { nil } }

    fileprivate var imageURL: String? { if case .image(.url(let url)) = self { url } else { nil } }
}

extension [ContentPart] {
    /// The picture that replaces an element and its contents (CSS Content 3 §2).
    var replacement: String? { count == 1 ? first?.imageURL : nil }
}
