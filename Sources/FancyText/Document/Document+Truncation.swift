// A document truncated at a limit of lines or height. In: a document, its styled text, and the position that layout chose. Out:
// the document's tree truncated there, with the tail in the innermost open element. Its text, Markdown, HTML and runs then
// match the picture.

import FancyTextBoxes
import FancyTextMarkup

extension Document {
    /// Returns the document truncated at a position of its text, with an ellipsis in HTML; nil is `…`.
    func truncated(_ truncation: Truncation, of text: BoxTree, ellipsis: String?) -> Document {
        let tail =
            switch truncation.tail {
            case .given: String(Substring((ellipsis ?? "…").utf8.trimmed(\.isHTMLSpace)))
            case .ellipsis: "…"
            case .none: ""
            }
        let cut = TreeCut(truncation, of: text, in: tree)
        var tree = tree
        cut.apply(to: &tree, tail: tail)
        return with(tree)
    }
}

/// A truncation in terms of nodes.
private struct TreeCut {
    /// A piece of the truncated paragraph, with its bytes of the styled text.
    private typealias Leaf = (node: NodeID, range: Range<Int>, style: StyleID, isText: Bool)

    private let text: BoxTree
    private let tree: MarkupTree
    /// In document order.
    private let leaves: [Leaf]

    /// The position of the tail: before the node `place`, in the element `parent`.
    private let place, parent: NodeID
    /// The text node before the tail that loses its end, and the number of its bytes that stay.
    private var shortened: (node: NodeID, length: Int)?
    /// The first node after the tail, and the number of bytes that its text loses.
    private var resumed: (node: NodeID, skipped: Int)?
    /// The first node after the paragraph.
    private let end: NodeID

    init(_ truncation: Truncation, of text: BoxTree, in tree: MarkupTree) {
        (self.text, self.tree) = (text, tree)
        let element = text.boxes[truncation.box].element
        let known = Self.leaves(of: truncation.box, in: text, tree)
        leaves = known
        let last = known.last { $0.range.lowerBound < truncation.start }
        parent = (last ?? known.first).map { tree.parent($0.node) ?? tree.root } ?? element
        place = last.map { tree.subtreeEnd($0.node) } ?? known.first?.node ?? NodeID(index: element.index + 1)
        let first = truncation.resume.flatMap { resume in known.first { $0.range.upperBound > resume } }
        end = first == nil ? place : known.last.map { tree.subtreeEnd($0.node) } ?? place
        if let last, last.isText { shortened = (last.node, sourceLength(of: last.node, to: truncation.start)) }
        guard let first, let resume = truncation.resume else { return }
        var skipped = first.isText ? sourceLength(of: first.node, to: resume) : 0
        if skipped > 0, !text.text[resume].isHTMLSpace {
            skipped += tree.withText(first.node) { text in text.dropFirst(skipped).prefix(while: \.isHTMLSpace).count }
        }
        resumed = (first.node, skipped)
    }

    private static func leaves(of box: Int, in text: BoxTree, _ tree: MarkupTree) -> [Leaf] {
        var result: [Leaf] = []
        func append(_ box: Int, _ range: Range<Int>) {
            let box = text.boxes[box]
            result.append((box.element, range, box.style, isText: false))
        }
        for item in text.items[text.boxes[box].items] {
            switch item {
            case .text(let index):
                let run = text.runs[index]
                guard let node = run.node else { continue }
                // An element's generated content precedes its own contents.
                while let last = result.last, !last.isText, tree.subtreeEnd(last.node) > node { result.removeLast() }
                result.append((node, run.range, run.style, tree.kind(node) == .text))
            case .atomic(let box, let offset): append(box, offset..<max(offset + 1, text.boxes[box].text.upperBound))
            case .float(let box):
                let (own, end) = (text.boxes[box].text, result.last?.range.upperBound ?? 0)
                append(box, own.isEmpty ? end..<end + 1 : own)
            case .open, .close, .breakOpportunity: break
            }
        }
        return result
    }

    /// The number of bytes of a text node that became the styled text before `offset`, without collapsed white space at the end.
    private func sourceLength(of node: NodeID, to offset: Int) -> Int {
        let runs = leaves.filter { $0.isText && $0.node == node && $0.range.lowerBound < offset }
        guard let style = runs.first.map({ text.styles[$0.style] }) else { return 0 }
        let shown = runs.map { $0.range.lowerBound..<min($0.range.upperBound, offset) }
        let isTransformed =
            style.text.transform != .none || style.text.transformFullWidth || style.text.transformFullSizeKana
        switch style.text.whiteSpaceCollapse {
        case .preserve, .breakSpaces, .preserveSpaces: if !isTransformed { return shown.reduce(0) { $0 + $1.count } }
        case .collapse, .preserveBreaks: break
        }
        var left = shown.reduce(0) { $0 + Self.letters(in: String(decoding: text.text[$1], as: UTF8.self)) }
        var (length, position) = (0, 0)
        for scalar in tree.text(node).unicodeScalars {
            guard left > 0 else { break }
            position += UTF8.width(scalar)
            var string = String(Character(scalar))
            if isTransformed {
                string = TextTransform.apply(style.text, to: string, startsWord: false, language: style.font.language)
            }
            let count = Self.letters(in: string)
            if count > 0 { length = position }
            left -= count
        }
        return length
    }

    /// The number of scalars that are not white space.
    private static func letters(in string: String) -> Int {
        string.unicodeScalars.count { !" \t\n\r\u{C}\u{3000}".unicodeScalars.contains($0) }
    }

    func apply(to tree: inout MarkupTree, tail: String) {
        var html = tail
        var removed: [NodeID] = []
        if let resumed {
            collect(from: place, to: resumed.node, into: &removed)
            let rest = String(
                decoding: tree.withText(resumed.node) { Array($0.dropFirst(resumed.skipped)) }, as: UTF8.self)
            if resumed.node == shortened?.node {
                html += Notation.escaped(rest)
            } else if resumed.skipped > 0 {
                tree.replaceText(resumed.node, rest)
            }
        }
        collect(from: end, to: NodeID(tree.count), into: &removed)
        // Style sheets apply wherever they are, so they are kept.
        for node in removed {
            for inner in tree.subtree(node) where tree.tag(inner) == .style || tree.tag(inner) == .link {
                html += tree.outerHTML(inner)
            }
        }
        // The ids of nodes before the tail stay valid.
        tree.remove(removed)
        if let shortened { tree.shorten(shortened.node, to: shortened.length) }
        tree.insert(html, at: place, in: parent)
    }

    /// Adds the nodes of a range that do not contain its end.
    private func collect(from first: NodeID, to end: NodeID, into removed: inout [NodeID]) {
        var node = first
        while node < end {
            let next = tree.subtreeEnd(node)
            if next <= end { removed.append(node) }
            node = next <= end ? next : NodeID(index: node.index + 1)
        }
    }
}
