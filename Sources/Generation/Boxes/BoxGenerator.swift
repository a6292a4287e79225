// Box generation (CSS 2 §9.2, CSS Display 3): from a styled tree to the styled text that every output reads. In: a StyledTree. Out:
// a BoxTree. A walker visits the contents of each block container; only these recurse, to a bounded depth. A block container has
// either block-level boxes or one inline formatting context. If both occur, anonymous blocks contain the inline parts; inline boxes
// that a block splits are closed before it and reopened after it. The generator looks ahead for blocks, so that every box is
// created at its final place in the arena.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextStyling

package struct BoxGenerator: TreeWalker {
    let styled: StyledTree
    let tree: MarkupTree
    let depthLimit, inlineDepthLimit: Int
    var text: BoxTree
    var counters: Counters
    var quoteDepth = 0
    /// The elements with style containment around the current place, and the depths of quotes before them.
    var quoteScopes: [(nodes: Range<NodeID>, depth: Int)] = []
    /// The first element that is nested too deep for a box of its own.
    var tooDeep: NodeID?
    private var variants: [StyleID: [StyleChange: StyleID]] = [:]
    /// The pending `::first-letter` and `::first-line`, whose text has not been found.
    var pending = PendingFirst()
    /// A range of nodes known to have only inline boxes and text.
    var inlineStretch = NodeID(0)..<NodeID(0)
    /// The positioned boxes that contain the current place, outermost first.
    var containingBlocks: [ContainingBlock] = []
    /// The role of an element by its style.
    let roles: [FlowRole]
    /// The elements that are empty boxes in place of a film, a frame or the like.
    var media: [NodeID] = []
    /// The block container whose contents are being visited.
    var container: Container?
    /// The containers from one with columns to the current place, in one formatting context; empty unless boxes span columns.
    var columnPath: [Container] = []
    let hasSpanners: Bool
    let meter: BudgetMeter
    var elementsSeen = 0
    /// True for outputs with a layout; in others, formulas are lines of text.
    let isForLayout: Bool
    /// True if inline pictures are written as documents; otherwise only their presence is known.
    var writesPictures = true
    /// The state that cells inherit from the `mtable` around them.
    var cellContext = FormulaContext()
    var scriptScales: [FontStyle: ScriptScales] = [:]
    var advances: [MeasuredText: [MeasuredCharacter]] = [:]
    var references = ContentReferences()
    /// The counters that content refers to at other elements.
    let targetNames: Set<String>
    /// The notes that were called and have no box yet, with the counters at their calls.
    var footnotes: [(element: NodeID, counters: Counters)] = []
    /// The note whose box is being generated.
    var openNote: NodeID?
    /// The first element whose content tells a page, in a document that is not on pages.
    var asksForPage: NodeID?

    /// A positioned box that contains absolutely positioned ones; with `inline`, a positioned inline box in `box`.
    struct ContainingBlock {
        var box: Int
        var inline: NodeID? = nil
        /// True if fixed boxes are placed in it too.
        var holdsFixed = false
    }

    enum StyleChange: Hashable {
        /// A part of an inline box that a block splits.
        case part(dropsStart: Bool, dropsEnd: Bool)
        /// A part of a block that a box across all columns splits.
        case cut(atTop: Bool)
        /// Text at a depth of scripts in a formula, or an italic letter in it.
        case scaled(Float, isItalic: Bool)
        case bar, principal, withoutStrut, withoutOverflow, withoutFrame, withoutLineHeight, undecorated, footnote,
            fieldset
        /// A box or text that no element has, with this name if there are several kinds.
        case generated(Display, String)
    }

    /// Generates all of `styled`, or only some elements, each in a separate block. O(nodes + text).
    ///
    /// - Parameter writesPictures: False for outputs without pictures.
    package static func generate(
        _ styled: StyledTree, only elements: [NodeID]? = nil, isForLayout: Bool = false, writesPictures: Bool = true,
        scriptScales: [FontStyle: ScriptScales] = [:], advances: [MeasuredText: [MeasuredCharacter]] = [:],
        references: ContentReferences = ContentReferences(), limits: Limits = Limits(), log: inout DiagnosticLog
    ) -> BoxTree {
        func generated(_ references: ContentReferences) -> BoxGenerator {
            var generator = BoxGenerator(styled, isForLayout: isForLayout, limits: limits)
            (generator.scriptScales, generator.advances) = (scriptScales, advances)
            (generator.references, generator.writesPictures) = (references, writesPictures)
            generator.generateRoot(only: elements)
            return generator
        }
        var generator = generated(references)
        if !generator.text.targetCounters.isEmpty {
            // Content may refer to elements after it.
            var known = references
            known.counters = generator.text.targetCounters
            generator = generated(known)
        }
        if let element = generator.tooDeep {
            log.warn(
                .boxesTooDeep,
                "elements nested deeper than \(limits.layoutDepth) boxes, or \(limits.inlineDepth) inline boxes, are laid out "
                    + "in their ancestor's box", at: styled.tree.location(element))
        }
        if let element = generator.asksForPage {
            log.warn(
                .noEffect, "content tells numbers of pages only on pages (PDF, --page, or -o with {page})",
                at: styled.tree.location(element))
        }
        generator.text.noteLinks(LinkTable(styled.tree, styled.styles, style: styled.style))
        generator.chargeLinks()
        if let budget = generator.meter.exceeded { log.report(Diagnostic(budget, limit: limits[budget])) }
        generator.reportMissingFeatures(log: &log)
        return generator.text
    }

    private init(_ styled: StyledTree, isForLayout: Bool, limits: Limits) {
        targetNames = Set(styled.styles.styles.lazy.flatMap { $0.box.content ?? [] }.compactMap(\.targetCounter))
        self.isForLayout = isForLayout
        (self.styled, tree) = (styled, styled.tree)
        hasSpanners = isForLayout && styled.styles.styles.contains { $0.box.columns.spansAll }
        counters = Counters(styled.tree)
        meter = BudgetMeter(limits)
        (depthLimit, inlineDepthLimit) = (limits.layoutDepth, limits.inlineDepth)
        text = BoxTree(styles: styled.styles)
        (text.isDocument, text.documentMode) = (tree.isDocument, tree.documentMode)
        roles = styled.styles.styles.map { FlowRole($0) }
        resolveReferences()
    }

    mutating func generateRoot(only elements: [NodeID]?) {
        text.text.reserveCapacity(tree.count * 8)
        text.runs.reserveCapacity(tree.count / 2)
        text.items.reserveCapacity(tree.count)
        let root = tree.root
        let html = styled.impliedRoot
        if let html, elements == nil {
            text.isDocument = true
            let canvas = openAnonymous(.block, .block, of: html, root, in: -1)
            _ = openBox(itemsKind(text.styles[html].box.display) ?? .block, style: html, element: root, parent: canvas)
        }
        // A snippet's root is its implied body.
        let items = elements == nil && !tree.isDocument ? itemsKind(styled.rootStyle.box.display) : nil
        let body = styled.style(of: root)
        let box = openBox(items ?? .block, style: body, element: root, parent: text.boxes.count - 1)
        if let elements {
            // They have the inherited colour of their page, which may be seen only on its background.
            let around = ((html.map { [$0] } ?? tree.rootAndBody.map(styled.style)) + [body]).map { styled.styles[$0] }
            text.styles.canvas = text.styles.canvas ?? around.first(where: \.hasBackground)
            for element in elements {
                // Nested elements are generated again with each of their ancestors.
                guard meter.spend(Int(tree.subtreeEnd(element).index - element.index), of: .boxes) else { break }
                appendAlone(element, parent: box)
            }
        } else if items != nil {
            fillItems(box, tree.contents(root), depth: 0)
        } else {
            fill(box, tree.contents(root), of: root, depth: 0)
        }
        appendFootnotes(to: box)
        for box in (0...box).reversed() { closeBox(box) }
        text.hasRootElement =
            text.isDocument && text.boxes.count > 1 && !text.boxes[1].isAnonymous
            && (!tree.isDocument || tree.tag(text.boxes[1].element) == .html)
        let elements = tree.children(root).lazy.filter { [tree] in tree.kind($0) == .element }
        // That of the whole document.
        let languages = Set(elements.map { [tree] in tree.attribute($0, .lang) ?? "" })
        text.language = languages.count == 1 ? languages.first ?? "" : ""
        text.title = title()
    }

    mutating func appendAlone(_ element: NodeID, parent: Int) {
        let id = styled.style(of: element)
        let display = text.styles[id].box.display
        if display == .none { return }
        if display.level == .block {
            enter(element, style: text.styles[id])
            return appendElementBox(element, style: id, parent: parent, depth: 1)
        }
        let around = tree.parent(element).map { styled.style(of: $0) } ?? .root
        appendAnonymousBlock(element..<tree.subtreeEnd(element), of: around, element, in: parent, depth: 1)
    }

    /// Appends an anonymous block with the contents of sibling nodes.
    mutating func appendAnonymousBlock(
        _ nodes: Range<NodeID>, of style: StyleID? = nil, _ element: NodeID? = nil, in parent: Int, depth: Int
    ) {
        let box = openAnonymous(.block, .block, of: style, element, in: parent)
        fill(box, nodes, of: text.boxes[box].element, depth: depth, isElement: false)
        closeBox(box)
    }

    func title() -> String {
        let node = tree.subtree(tree.root).first { tree.tag($0) == .title || tree.tag($0) == .body }
        guard let node, tree.tag(node) == .title else { return "" }
        return tree.children(node).map { tree.text($0) }.joined()
    }

    // MARK: The arena

    private static let boxesAtOnce = 1024

    /// Generated text, charged to the budget; empty when the budget is used up.
    func budgeted(_ string: String) -> String {
        string.utf8.count < 8 || meter.spend(string.utf8.count, of: .generatedText, besides: 4 * tree.source.count)
            ? string : ""
    }

    /// Charges long targets of links for each of their runs, because outputs repeat them; removes all links beyond the budget.
    private mutating func chargeLinks() {
        for run in text.runs where run.link >= 0 {
            let length = text.links[run.link].target.utf8.count
            guard length > Self.shortTarget else { continue }
            if !meter.spend(length, of: .generatedText, besides: 4 * tree.source.count) { return text.removeLinks() }
        }
    }

    /// The most bytes of a link's target that cost nothing.
    private static let shortTarget = 1024

    // Not inlined, so that the frames of nested boxes stay small.
    @inline(never) mutating func openBox(
        _ kind: StyledBox.Kind, style: StyleID, element: NodeID, parent: Int, isAnonymous: Bool = false
    ) -> Int {
        var style = style
        if text.isDocument, !isAnonymous, parent >= 0 {
            if propagatesOverflow(element, parent: parent) { style = withoutOverflow(style) }
            let isRootOrBody = [.html, .body].contains(tree.tag(element)) || element == tree.root
            if parent <= 1, isRootOrBody { style = inPrincipalMode(style) }
        }
        var box = StyledBox(kind: kind, style: style, element: element, parent: parent, isAnonymous: isAnonymous)
        box.text = text.text.count..<text.text.count
        if parent >= 0, !isAnonymous {
            let own = text.styles[style]
            box.alwaysHasStrut =
                tree.tag(element) == .li && style == styled.style(of: element) && own.box.display != .inlineBlock
            if own.box.position.isOutOfFlow {
                // Fixed boxes are placed in the canvas unless a transformed box contains them; so are absolutely positioned ones
                // that no positioned or transformed box contains.
                let isAbsolute = own.box.position == .absolute
                let around = isAbsolute ? containingBlocks.last : containingBlocks.last { $0.holdsFixed }
                (box.containingBlock, box.containingInline) = (around?.box ?? 0, around?.inline)
            }
            if own.containsAbsoluteBoxes {
                containingBlocks.append(ContainingBlock(box: text.boxes.count, holdsFixed: own.containsFixedBoxes))
            }
        }
        // Spent in steps: taking a lock for each box would be slow.
        if text.boxes.count % Self.boxesAtOnce == 0 { meter.spend(Self.boxesAtOnce, of: .boxes) }
        text.boxes.append(box)
        return text.boxes.count - 1
    }

    /// Opens an anonymous box, whose style inherits from `style` or else from the box around it.
    @inline(never) mutating func openAnonymous(
        _ kind: StyledBox.Kind, _ display: Display, of style: StyleID? = nil, _ element: NodeID? = nil, in parent: Int
    ) -> Int {
        let style = generatedStyle(of: style ?? text.boxes[parent].style, display)
        return openBox(
            kind, style: style, element: element ?? text.boxes[parent].element, parent: parent, isAnonymous: true)
    }

    /// Returns whether the viewport has the overflow of a box (CSS Overflow 3 §3.3), which is not contained (CSS Containment 2 §2).
    private func propagatesOverflow(_ element: NodeID, parent: Int) -> Bool {
        guard styled.computed(element).containment.isEmpty else { return false }
        switch tree.tag(element) {
        // The element of the boxes of an implied root and body is that of the tree.
        case _ where parent == 0: return element == tree.root || tree.tag(element) == .html
        case .body,
            _ where element == tree.root:
            let around = text.boxes[parent]
            guard around.element == tree.root || tree.tag(around.element) == .html else { return false }
            let root = text.styles[around.style]
            return root.box.overflowX == .visible && root.box.overflowY == .visible && root.containment.isEmpty
        default: return false
        }
    }

    /// The style of the root or body in the writing mode of the body (CSS Writing Modes 4 §8), unless one of them is contained.
    private mutating func inPrincipalMode(_ style: StyleID) -> StyleID {
        let implied = styled.impliedRoot.map { [styled.styles[$0], styled.rootStyle] }
        let path = implied ?? tree.rootAndBody.map(styled.computed)
        guard let mode = path.last?.text.writingMode, mode != path[0].text.writingMode,
            path.allSatisfy(\.containment.isEmpty)
        else { return style }
        return variant(of: style, .principal) { _, text, box in
            text.writingMode = mode
            // The body was independent of the root only because of its mode.
            if box.display == .flowRoot { box.display = .block }
        }
    }

    /// The style without overflow, because the canvas clips instead of the box.
    private mutating func withoutOverflow(_ style: StyleID) -> StyleID {
        let box = text.styles[style].box
        guard box.overflowX != .visible || box.overflowY != .visible else { return style }
        return variant(of: style, .withoutOverflow) { ($2.overflowX, $2.overflowY) = (.visible, .visible) }
    }

    /// The style of an element, with references resolved.
    func computed(_ element: NodeID) -> ComputedStyle { text.styles[styled.style(of: element)] }

    /// A style with a change, made once.
    mutating func variant(
        of id: StyleID, _ change: StyleChange, _ edit: (inout FontStyle, inout TextStyle, inout BoxStyle) -> Void
    ) -> StyleID {
        if let known = variants[id]?[change] { return known }
        let own = text.styles[id]
        var (font, words, box) = (own.font, own.text, own.box)
        edit(&font, &words, &box)
        let made = text.styles.append(ComputedStyle(font: font, text: words, box: box))
        variants[id, default: [:]][change] = made
        return made
    }

    mutating func closeBox(_ box: Int) {
        text.boxes[box].end = text.boxes.count
        if let last = containingBlocks.last, last.box == box, last.inline == nil { containingBlocks.removeLast() }
        if !text.boxes[box].holdsInlines { text.boxes[box].text = text.boxes[box].text.lowerBound..<text.text.count }
    }

    /// The style of a box or text that no element has: inherited properties of `parent`, other initial values (CSS 2 §9.2.1.1).
    @inline(never) mutating func generatedStyle(
        of parent: StyleID, _ display: Display, _ name: String = "",
        _ edit: (inout FontStyle, inout TextStyle, inout BoxStyle) -> Void = { _, _, _ in }
    ) -> StyleID {
        variant(of: parent, .generated(display, name)) { font, words, box in
            let around = box
            box = BoxStyle()
            (box.display, box.decorations) = (display, around.decorations)
            // An override applies to all text of the block container (CSS Writing Modes 4 §2.4.3).
            let isOverride = [.bidiOverride, .isolateOverride, .plaintext].contains(around.unicodeBidi)
            if isOverride, display == .block { box.unicodeBidi = around.unicodeBidi }
            edit(&font, &words, &box)
        }
    }

    // MARK: One element's box

    /// The picture of an `object` or `embed`, recognized by its type or else its name (HTML §4.8.6, §4.8.7).
    private func embeddedPicture(_ node: NodeID) -> String? {
        let tag = tree.tag(node)
        guard tag == .object || tag == .embed,
            let source = tree.attribute(node, tag == .object ? "data" : "src").map(URLReference.cleaned)
        else { return nil }
        if let type = tree.attribute(node, "type") { return type.lowercased().hasPrefix("image/") ? source : nil }
        if source.hasPrefix("data:") { return source.hasPrefix("data:image/") ? source : nil }
        let path = source.prefix { $0 != "?" && $0 != "#" }
        guard let dot = path.lastIndex(of: ".") else { return nil }
        let ending = path[path.index(after: dot)...].lowercased()
        return ["png", "jpg", "jpeg", "gif", "webp", "avif", "svg"].contains(ending) ? source : nil
    }

    func replacedKind(_ node: NodeID) -> StyledBox.Kind? {
        switch tree.tag(node) {
        case .img, .svg: .image
        case .lambda: .lambda
        case .input where tree.inputType(node) == .image: .image
        case .object: embeddedPicture(node) == nil || references.brokenObjects.contains(node) ? nil : .image
        default: computed(node).box.content?.replacement == nil && emptyContents(node) == nil ? nil : .image
        }
    }

    /// The natural dimensions of an element whose contents no still picture shows; nil for other elements (HTML §15.4.1).
    private func emptyContents(_ node: NodeID) -> NaturalDimensions? {
        func side(_ id: AttributeID, _ initial: Int) -> Float {
            Float(tree.attribute(node, id).flatMap { Self.integer($0) }.flatMap { $0 < 0 ? nil : $0 } ?? initial)
        }
        let tag = tree.tag(node)
        switch tag {
        case .canvas: return NaturalDimensions(width: side(.width, 300), height: side(.height, 150))
        case .video, .audio, .iframe: break
        case .embed where tree.hasAttribute(node, .src) || tree.hasAttribute(node, .type): break
        default: return nil
        }
        var dimensions = NaturalDimensions(width: 300, height: tag == .audio ? 54 : 150)
        dimensions.ratio = nil
        return dimensions
    }

    mutating func appendElementBox(_ node: NodeID, style id: StyleID, parent: Int, depth: Int) {
        let id = text.styles[id].isFootnote ? footnoteStyle(id) : id
        let style = text.styles[id]
        if let label = style.bookmarkLabel { text.bookmarkLabels[node] = render(label, of: node) }
        if let kind = replacedKind(node) {
            return appendReplaced(node, kind: kind, style: id, parent: parent, depth: depth)
        }
        let control = control(of: node, style)
        if let control,
            control.kind != .button || tree.tag(node) == .input
                || style.box.display == .inlineBlock || style.box.display == .block
        {
            return appendControl(control, node, style: id, parent: parent, depth: depth)
        }
        if style.skipsContents {
            return closeBox(openBox(itemsKind(style.box.display) ?? .block, style: id, element: node, parent: parent))
        }
        // An element that is nested too deep becomes a block, and its contents are flattened.
        let display = depth < depthLimit ? style.box.display : .block
        if let kind = itemsKind(display) {
            pending = PendingFirst()
            if tree.tag(node) == .fieldset, legend(of: node) != nil {
                return appendFieldset(node, kind, style: id, parent: parent, depth: depth)
            }
            let box = openBox(kind, style: id, element: node, parent: parent)
            if let control { note(control, of: box) }
            fillItems(box, tree.contents(node), depth: depth)
            closeBox(box)
        } else if display == .table || display == .inlineTable, tree.tag(node) != .fieldset {
            pending = PendingFirst()
            let box = openBox(.table, style: id, element: node, parent: parent)
            fillTableBox(box, tree.contents(node), depth: depth)
            closeBox(box)
            text.formTable(box)
        } else if tree.tag(node) == .option, tree.attribute(node, .label)?.isEmpty == false {
            appendOption(node, tree.label(ofOption: node), style: id, to: parent)
        } else {
            let box = openBox(.block, style: id, element: node, parent: parent)
            if tree.tag(node) == .fieldset { appendLegend(of: box, depth: depth) }
            closeBox(fill(box, tree.contents(node), of: node, depth: depth))
        }
    }

    /// The rendered legend of a fieldset: its first `legend` child that is in flow (HTML §15.3.13).
    private func legend(of fieldset: NodeID) -> NodeID? {
        tree.children(fieldset).first {
            tree.tag($0) == .legend && ![.none, .contents].contains(computed($0).box.display)
                && !computed($0).isOutOfFlow
        }
    }

    /// Appends a fieldset's legend before its other contents, whose lines it does not divide.
    mutating func appendLegend(of fieldset: Int, depth: Int) {
        text.boxes[fieldset].isFieldset = true
        guard let legend = legend(of: text.boxes[fieldset].element) else { return }
        let style = styled.style(of: legend)
        enter(legend, style: text.styles[style])
        text.boxes[fieldset].legend = text.boxes.count
        appendElementBox(legend, style: style, parent: fieldset, depth: depth + 1)
    }

    /// Returns whether a node is the legend, which has its box already, of the fieldset `box` or of that around it.
    func isLegend(_ node: NodeID, of box: Int) -> Bool {
        guard tree.tag(node) == .legend else { return false }
        var fieldset = text.boxes[box]
        while fieldset.isAnonymous, fieldset.parent >= 0 { fieldset = text.boxes[fieldset.parent] }
        let legend = fieldset.legend
        return legend >= 0 && text.boxes[legend].element == node
    }

    mutating func appendReplaced(_ node: NodeID, kind: StyledBox.Kind, style: StyleID, parent: Int, depth: Int) {
        let box = openBox(kind, style: style, element: node, parent: parent)
        let source: String
        var density: Float = 1
        var natural: NaturalDimensions?
        let objects = tree.tag(node) == .svg ? foreignObjects(of: node) : []
        if let picture = text.styles[style].box.content?.replacement {
            source = picture
        } else if tree.tag(node) == .svg {
            source = writesPictures ? standaloneSVG(node, shapes: objects.first.map { node..<$0 }) : "data:,"
        } else if let picture = embeddedPicture(node) {
            source = picture
        } else if kind == .lambda {
            source = tree.attribute(node, "id") ?? ""
        } else if let dimensions = emptyContents(node) {
            natural = dimensions
            source = tree.tag(node) == .video ? URLReference.cleaned(tree.attribute(node, "poster") ?? "") : ""
            if source.isEmpty { media.append(node) }
        } else {
            let image = styled.image(of: node)
            (source, density) = (image.image, Float(image.density))
        }
        text.boxes[box].replaced = text.replaced.count
        text.replaced.append(
            ReplacedContent(
                source: source, alternative: alternative(of: node) ?? "",
                fallback: imageFallback(node, text.styles[style].box, hasSource: !source.isEmpty, parent: parent),
                density: density, natural: natural, hasViewBox: tree.tag(node) == .svg && fit(of: node) != nil))
        append(foreignObjects: objects, of: node, to: box, depth: depth)
        closeBox(box)
    }

    /// The text in place of a picture: that in an `object` (HTML §4.8.7), or an attribute.
    private func alternative(of node: NodeID) -> String? {
        guard tree.tag(node) == .object else { return tree.attribute(node, "alt") }
        let words = tree.textContent(node).split(whereSeparator: \.isHTMLSpace)
        return words.isEmpty ? nil : words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }

    /// The content of an `img` without its picture: as in Chromium a frame if its size is known, it fits, and there is no text.
    private func imageFallback(_ node: NodeID, _ style: BoxStyle, hasSource: Bool, parent: Int) -> ImageFallback {
        guard tree.tag(node) == .img || tree.tag(node) == .object else { return .room }
        let alternative = alternative(of: node)
        let hasText = !(alternative ?? "").isEmpty
        let sides = [style.width != .auto, style.height != .auto].count { $0 }
        let known = sides + (style.aspectRatio == nil ? 0 : 1)
        let isFrame = tree.documentMode == .quirks && sides > 0 && (hasText || hasSource)
        if isFrame || known > 1 && !hasText {
            let isSmall = [style.width, style.height].contains { $0.absolute.map { $0 < 18 } ?? false }
            return isSmall ? .room : .frame(hasIcon: hasSource)
        }
        let isInline = style.display == .inline && !(parent >= 0 && text.boxes[parent].holdsItems)
        if hasText || alternative == nil && hasSource { return .text(isInline: isInline) }
        return isInline ? .nothing : .room
    }

    mutating func appendText(_ node: NodeID, style: StyleID, element: NodeID, to flow: inout Flow) {
        let origin = TextOrigin(style: style, element: element, node: node, source: tree.sourceRange(node))
        tree.withText(node) { append($0, origin, to: &flow) }
    }

    /// Appends text to a flow; a pending `::first-letter` takes its part.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, _ origin: TextOrigin, to flow: inout Flow) {
        if let letter = pending.letter, let range = FirstLetter.range(in: bytes) {
            pending.letter = nil
            appendFirstLetter(letter, bytes, range, origin, to: &flow)
        } else {
            flow.inline.append(bytes, origin, to: &text)
        }
    }
}
