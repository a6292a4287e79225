// The text of a styled tree: a faster way with the same result as PlainTextWriter.
//
// One traversal in document order. Boxes come from computed styles; TextWriter tracks spaces and line breaks. If the text depends
// on generated boxes, the rest is skipped.

import FancyTextBoxes
import FancyTextMarkup
import FancyTextStyling

/// Actions at the end of an element.
struct Leaving: OptionSet, BitwiseCopyable {
    let rawValue: UInt16
    static let block = Leaving(rawValue: 1)
    static let inlineBlock = Leaving(rawValue: 2)
    static let listItem = Leaving(rawValue: 4)
    static let list = Leaving(rawValue: 8)
    static let summary = Leaving(rawValue: 128)
    /// Ends a superscript or subscript with a mark, a deletion or an insertion.
    static let mark = Leaving(rawValue: 256)
    /// Ends the text of `::after`.
    static let generated = Leaving(rawValue: 512)
    /// Ends a list whose contents, except items, are indented.
    static let inset = Leaving(rawValue: 1024)
    /// Ends a link in a line.
    static let anchor = Leaving(rawValue: 2048)
}

/// An open element of the traversal.
struct Frame {
    var node: NodeID
    var box: TextBox
    var leaving: Leaving = []
    var indent = 0
    var breaks = 0
    /// The line of the first cell or row of this row or table; nil before it.
    var firstPart: Int?
}

struct List { var next, step: Int }

extension StyledTree {
    /// The tree's text by its styles; nil if boxes are needed. Linear.
    func extractedText(_ options: PlainTextOptions) -> [UInt8]? {
        // Links with targets and sentences for speech are written from boxes alone.
        guard !options.alwaysReadsBoxes, options.links == .none, !options.isSpeech, let styles = CascadeTextStyles(self)
        else { return nil }
        // Usually less than a third of a page is text.
        let writer = TextWriter(options, expected: tree.source.count / 3)
        var extractor = TextExtractor(tree: tree, styles: styles, options: options, writer: writer)
        return extractor.text(of: tree.root, in: styles.root)
    }
}

struct TextExtractor: TreeWalker {
    let tree: MarkupTree
    let styles: CascadeTextStyles
    let options: PlainTextOptions
    var writer: TextWriter
    /// The open elements of the traversal, outermost first; the first one is its start.
    var frames: [Frame] = []
    var lists: [List] = []
    /// The number of open `summary` elements: items in them have the same kind of markers.
    var summaries = 0
    /// The closing text of each open ``Leaving/mark``, and the length of the output at its start.
    var marks: [(closing: String, start: Int)] = []
    /// The number of tables around.
    var tableDepth = 0
    /// True if boxes are needed; the text until now is correct.
    var needsBoxes = false

    /// The innermost open element.
    var innermost: Frame { frames[frames.count - 1] }

    /// The text of the contents of `top`, which are in a box; nil if boxes are needed.
    mutating func text(of top: NodeID, in box: TextBox) -> [UInt8]? {
        frames = [Frame(node: top, box: box)]
        let tree = tree
        tree.visit(tree.contents(top), with: &self)
        return needsBoxes || writer.hasNull ? nil : writer.finish()
    }

    mutating func visitText(_ n: NodeID, in tree: MarkupTree) {
        let (parent, box) = (innermost, innermost.box)
        guard box.isVisible, !needsBoxes else { return }
        switch box.display {
        case .table, .rowGroup, .row:
            if tree.isBlank(n) { return }
            needsBoxes = true
        case .flex, .inlineFlex:
            if tree.isBlank(n) { return }
            // Adjacent texts are separate items.
            let next = NodeID(index: n.index + 1)
            let isLast = next >= tree.subtreeEnd(parent.node) && !parent.leaving.isEmpty
            if next < tree.subtreeEnd(frames[0].node), tree.kind(next) != .element, !isLast { needsBoxes = true }
        default: break
        }
        guard box.showsText else { return }
        if box.transform != .none {
            writer.write(decoded: TextTransform.apply(styles.styled.computed(n), to: tree.text(n)), box.whiteSpace)
        } else {
            let decodes = tree.textMode(n)?.contains(.references) == true
            writer.write(tree.rawText(n), box.whiteSpace, decodes: decodes)
        }
    }

    func box(_ n: NodeID, parent: TextBox) -> TextBox {
        let node = tree.storage.nodes[Int(n.index)]
        var box = styles.box(n, node, in: tree, parent: parent)
        if node.flags.contains(.foreign), !ForeignText.shows(in: node.tag) { box.showsText = false }
        return box
    }
}
