// The text of a tree: read from the tree by its styles if these determine it, otherwise from its boxes.
// Before, the tree is changed for readers: details are open, icons have names, a page of frames has links to them.

import FancyTextBasics
import FancyTextGeneration
import FancyTextMarkup
import FancyTextStyling

package enum PlainText {
    /// The text that a person would read, or another form that `options` selects. `resolved` are the tree's styles, if known.
    package static func text(
        of tree: MarkupTree, _ options: PlainTextOptions, resolver: MarkupStyleResolver,
        resolved: StyledTree? = nil, limits: Limits = Limits(), log: inout DiagnosticLog
    ) -> [UInt8] {
        switch options.mode {
        case .raw: return tree.rawText(options)
        case .innerText:
            let styled = resolved ?? resolver.resolve(tree, log: &log)
            return InnerText.collect(tree.root, of: styled, options: options)
        case .readable, .speech: break
        }
        if let frames = Frameset.page(for: tree) { return text(of: frames, options, resolver: resolver, log: &log) }
        let opened = opened(tree)
        var styled = (opened == nil ? resolved : nil) ?? resolver.resolve(opened ?? tree, log: &log)
        if let page = shownPage(styled, resolver: resolver, log: &log) { styled = page }
        styled.dropGeneratedCode()
        if let text = styled.extractedText(options) { return text }
        let boxes = BoxGenerator.generate(styled, writesPictures: false, limits: limits, log: &log)
        return PlainTextWriter.text(of: boxes, styled, options: options)
    }

    /// The page as shown, if it hides itself until a script runs; nil if it does not.
    package static func shownPage(
        _ styled: StyledTree, resolver: MarkupStyleResolver, log: inout DiagnosticLog
    ) -> StyledTree? {
        guard let first = shown(styled, log: &log) else { return nil }
        var repeated = DiagnosticLog()
        var page = resolver.resolve(first, log: &repeated)
        // Contents of a hidden root get styles only after the root is shown.
        if let second = shown(page, log: &repeated) { page = resolver.resolve(second, log: &repeated) }
        if let revealed = revealed(page) { page = resolver.resolve(revealed, log: &repeated) }
        return page
    }

    /// The tree of a page that hides itself until a script runs, with its root and body shown; nil if it is not hidden.
    package static func shown(_ styled: StyledTree, log: inout DiagnosticLog) -> MarkupTree? {
        let tree = styled.tree
        let hidden = tree.rootAndBody.filter { node in
            let style = styled.computed(node)
            return style.box.display == .none || style.text.visibility != .visible
        }
        guard let first = hidden.first else { return nil }
        let message = "the page hides itself, as some do until a script runs: it is shown"
        log.report(Diagnostic(.note, .hiddenPage, message, at: tree.location(first)))
        return adding("display:block!important;visibility:visible!important", to: hidden, of: tree)
    }

    /// The tree with declarations added to the styles of elements.
    private static func adding(_ declarations: String, to nodes: [NodeID], of tree: MarkupTree) -> MarkupTree {
        nodes.reduce(into: tree) { tree, node in
            tree.setAttribute(node, "style", (tree.attribute(node, .style).map { $0 + ";" } ?? "") + declarations)
        }
    }

    /// The tree of a page that waits for a script, with invisible content such as the steps of slides shown; nil without any.
    private static func revealed(_ styled: StyledTree) -> MarkupTree? {
        let tree = styled.tree
        let hidden = tree.subtree(tree.root).dropFirst().filter {
            tree.kind($0) == .element && styled.computed($0).text.visibility == .hidden
        }
        return hidden.isEmpty ? nil : adding("visibility:visible!important", to: hidden, of: tree)
    }

    /// The style that hides fallbacks of scripts.
    private static let hiding = "display:none!important"

    /// The style of a formula that is invisible beside its second form.
    private static let showing =
        "position:static!important;clip:auto!important;clip-path:none!important;overflow:visible!important;"
        + "width:auto!important;height:auto!important"

    /// Returns whether a paragraph is the only one of a list item, which then needs no blank lines around it.
    static func isItemText(_ node: NodeID, in tree: MarkupTree) -> Bool {
        guard tree.tag(node) == .p, let item = tree.parent(node), tree.tag(item) == .li else { return false }
        var isFirst = true
        // Items with more contents have blank lines, so that the time is linear.
        for (index, child) in tree.children(item).enumerated() {
            switch tree.kind(child) {
            case _ where index >= 16: return false
            case .element where isFirst:
                guard child == node else { return false }
                isFirst = false
            case .element: guard DefaultStyles.isList(tree.tag(child)) || tree.tag(child) == .ol else { return false }
            case .text: guard tree.isBlank(child) else { return false }
            case .root, .comment, .doctype, .instruction: break
            }
        }
        return !isFirst
    }

    /// The tree with closed details open and names of icons written, without line numbers, second forms of formulas and scripts'
    /// fallbacks; nil if unchanged.
    package static func opened(_ tree: MarkupTree, dropsFallbacks: Bool = true) -> MarkupTree? {
        var result = tree
        return open(&result, dropsFallbacks: dropsFallbacks) ? result : nil
    }

    /// Changes the tree in place as ``opened(_:dropsFallbacks:)`` does, without a copy; false if nothing changes.
    @discardableResult package static func open(_ tree: inout MarkupTree, dropsFallbacks: Bool = true) -> Bool {
        var closed: [NodeID] = [], hidden: [NodeID] = [], shown: [NodeID] = []
        var named: [(node: NodeID, change: NodeChange)] = []
        let nodes = tree.storage.nodes.base
        var (listingEnd, iconEnd) = (0, 0)
        var cell: NodeID?
        for index in 1..<max(1, tree.count) where nodes[index].kind == .element {
            let node = NodeID(index)
            switch nodes[index].tag {
            case .details: if !tree.hasAttribute(node, .open) { closed.append(node) }
            case let tag where tag == .a || tag == .button || tree.attribute(node, .role) == "button":
                guard index >= max(listingEnd, iconEnd), let name = name(of: node, in: tree) else { break }
                iconEnd = Int(tree.subtreeEnd(node).index)
                if !hasText(node, in: tree) { named.append((node, .append(html: Notation.escaped(name)))) }
            // Hiding is cheaper than removing nodes, which rewrites the tree.
            case .noscript where dropsFallbacks && tree.firstChild(node) != nil:
                if tree.attribute(node, .style) != hiding { hidden.append(node) }
            case .math:
                let twins = twins(of: node, in: tree)
                hidden += twins
                if !twins.isEmpty, let form = tree.parent(node) { shown.append(form) }
            case .pre where index >= listingEnd:
                listingEnd = Int(tree.subtreeEnd(node).index)
                hidden += lineNumbers(of: node, in: tree, &cell)
            default: break
            }
        }
        for node in closed { tree.setAttribute(node, "open", "") }
        for node in hidden { tree.setAttribute(node, "style", hiding) }
        for node in shown { tree.setAttribute(node, "style", showing) }
        tree.restructure(named)
        return !closed.isEmpty || !hidden.isEmpty || !named.isEmpty
    }

    /// The name of a button, or of a link to another page, that stands for missing text (HTML-AAM §4.1).
    private static func name(of node: NodeID, in tree: MarkupTree) -> String? {
        guard tree.tag(node) != .a || tree.attribute(node, .href).map({ !$0.hasPrefix("#") }) == true,
            !tree.isForeign(node), !tree.isVoid(node), tree.attribute(node, "aria-hidden") != "true"
        else { return nil }
        return [tree.attribute(node, "aria-label"), tree.attribute(node, .title)].lazy.compactMap(\.self)
            .first { !$0.utf8.allSatisfy(\.isHTMLSpace) }
    }

    /// Returns whether a link or button contains text, a picture with a description, or a control that is written.
    private static func hasText(_ node: NodeID, in tree: MarkupTree) -> Bool {
        tree.subtree(node).contains { inner in
            switch tree.tag(inner) {
            case .svg: !ForeignText.title(of: inner, in: tree).isEmpty
            case .img: tree.attribute(inner, .alt)?.isEmpty == false
            case .input, .progress, .meter: ControlText.label(of: inner, in: tree)?.isEmpty == false
            default:
                tree.kind(inner) == .text && !tree.isBlank(inner)
                    && tree.parent(inner).map { ForeignText.shows(in: $0, of: tree) } == true
            }
        }
    }

    /// The elements beside a formula that show the same to those who can see, as KaTeX and MathJax write them.
    private static func twins(of formula: NodeID, in tree: MarkupTree) -> [NodeID] {
        guard let form = tree.parent(formula), let both = tree.parent(form), tree.kind(form) == .element,
            tree.attribute(form, .style)?.contains("none") != true
        else { return [] }
        return tree.children(both).prefix(8).filter {
            $0 != form && tree.kind($0) == .element && tree.attribute($0, "aria-hidden") == "true"
                && tree.attribute($0, .style) != hiding
        }
    }

    /// The classes of numbers of lines, in whole or after a prefix with a hyphen.
    private static let lineNumberNames = [
        "lineno", "linenos", "linenum", "linenums", "linenumber", "linenumbers", "line-num", "line-number",
        "line-numbers", "line_num", "ln-num", "ln-number", "ln-numbers", "gutter",
    ]

    /// The numbers of a listing's lines: elements in it that a class names, or the cell before its own if that has such a class or
    /// counts from 1. `known` is the latest cell whose text was read. O(listing).
    private static func lineNumbers(of listing: NodeID, in tree: MarkupTree, _ known: inout NodeID?) -> [NodeID] {
        func isNumber(_ text: some Sequence<UInt8>) -> Bool { text.allSatisfy { $0.isASCIIDigit || $0.isHTMLSpace } }
        func isNamed(_ node: NodeID) -> Bool {
            let names = tree.attribute(node, .classNames)?.lowercased() ?? ""
            return names.split(whereSeparator: \.isWhitespace).contains { name in
                lineNumberNames.contains { name == $0 || name.hasSuffix("-" + $0) }
            }
        }
        let end = Int(tree.subtreeEnd(listing).index)
        var result: [NodeID] = []
        // The next text, and the next one with other characters than digits.
        var (text, other) = (end, end)
        for index in (Int(listing.index) + 1..<end).reversed() {
            let node = NodeID(index)
            if tree.kind(node) == .text {
                text = index
                if !isNumber(tree.rawText(node)) { other = index }
            }
            let last = Int(tree.subtreeEnd(node).index)
            let isLineNumber = tree.kind(node) == .element && text < last && other >= last && isNamed(node)
            if isLineNumber, tree.attribute(node, .style) != hiding { result.append(node) }
        }
        var cell = tree.parent(listing)
        for _ in 0..<3 where cell.map({ tree.tag($0) != .td }) ?? false { cell = tree.parent(cell ?? tree.root) }
        guard let cell, tree.tag(cell) == .td, let row = tree.parent(cell) else { return result }
        let cells = tree.children(row).prefix(6).filter { tree.tag($0) == .td }
        guard cells.count == 2, cells[1] == cell, cells[0] != known, tree.attribute(cells[0], .style) != hiding
        else { return result }
        known = cells[0]
        let content = tree.textContent(cells[0])
        let numbers = isNumber(content) ? content.split(whereSeparator: \.isHTMLSpace) : []
        // Other numbers may be data.
        let isCount = numbers.enumerated().allSatisfy { Int(String(decoding: $1, as: UTF8.self)) == $0 + 1 }
        if numbers.count > 1, isCount || tree.subtree(cells[0]).prefix(16).contains(where: isNamed) {
            result.append(cells[0])
        }
        return result
    }
}

extension MarkupTree {
    /// The concatenated contents of all text nodes.
    func rawText(_ options: PlainTextOptions) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(source.count / 4)
        forEachDescendant(of: root) { node in
            if kind(node) == .text {
                if let mode = textMode(node) {
                    EntityDecoder.decode(rawText(node), mode: mode, into: &text)
                } else {
                    text.append(contentsOf: rawText(node))
                }
            }
            let tag = tag(node)
            return tag != .script && tag != .style && (tag != .noscript || !holdsRawText(node))
        }
        // A carriage return that a reference gave is a line end.
        return options.keepsControls ? text.map { $0 == 0x0D ? 0x0A : $0 } : SafeText.withoutControls(text)
    }
}

/// A page of frames (HTML §16.3) for readers that do not load frames: the frames' names, and the text for browsers without frames.
package enum Frameset {
    /// A page with a link for each frame and the contents of `noframes`; nil for pages without frames. O(n).
    package static func page(for tree: MarkupTree) -> MarkupTree? {
        guard let html = tree.rootAndBody.first,
            let frameset = tree.children(html).first(where: { tree.tag($0) == .frameset })
        else { return nil }
        var source = "<!DOCTYPE html>"
        for node in tree.subtree(frameset) where tree.tag(node) == .frame {
            let address = tree.attribute(node, .src) ?? ""
            let labels = [tree.attribute(node, .title), tree.attribute(node, .name), address].lazy.compactMap(\.self)
            guard let label = labels.first(where: { !$0.isEmpty }) else { continue }
            source += "<div>Frame: <a href=\"\(Notation.escaped(address))\">\(Notation.escaped(label))</a></div>"
        }
        for node in tree.subtree(html) where tree.tag(node) == .noframes {
            // Raw text, which browsers without frames parse as markup.
            source += "<div>" + String(decoding: tree.textContent(node, skipsHidden: false), as: UTF8.self) + "</div>"
        }
        return MarkupTree.parse(source)
    }
}
