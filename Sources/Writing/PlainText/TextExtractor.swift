// The text of a styled tree: a faster way with the same result as PlainTextWriter.
//
// One traversal in document order. Boxes come from computed styles; TextWriter tracks spaces and line breaks. If the text depends
// on generated boxes, the traversal stops.

import FancyTextBasics
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
struct Frame: BitwiseCopyable {
    var end: UInt32
    var node: UInt32
    var box: TextBox
    var leaving: Leaving
    var indent: Int16 = 0
    var breaks: UInt8 = 0
    /// The line of the first cell or row of this row or table; negative before it.
    var firstPart: Int32 = -1
}

struct List {
    var next: Int
    var step: Int
}

/// The state of a tree traversal.
struct TextWalk {
    /// The open elements of the traversal, outermost first; the first one is its start.
    var frames: [Frame] = []
    var lists: [List] = []
    /// The number of open `summary` elements: items in them have the same kind of markers.
    var summaries = 0
    /// The closing text of each open ``Leaving/mark``, and the length of the output at its start.
    var marks: [(closing: String, start: Int)] = []

    /// The innermost open element.
    var innermost: Frame { @inline(__always) get { frames[frames.count - 1] } }
}

extension StyledTree {
    /// The tree's text by its styles; nil if boxes are needed. Linear.
    func extractedText(_ options: PlainTextOptions) -> [UInt8]? {
        // Links with targets and sentences for speech are written from boxes alone.
        guard !options.alwaysReadsBoxes, options.links == .none, !options.isSpeech,
            let styles = CascadeTextStyles(self)
        else { return nil }
        var extractor = TextExtractor(tree: tree, styles: styles, options: options)
        return extractor.extract()
    }
}

struct TextExtractor {
    let tree: MarkupTree
    let styles: CascadeTextStyles
    let options: PlainTextOptions
    /// True if boxes are needed; the text until now is correct.
    var needsBoxes = false
    /// The last marker that is the same for every item.
    var bullet: (style: String, bytes: [UInt8], columns: Int) = ("", [], 0)

    /// The text; nil if boxes are needed.
    mutating func extract() -> [UInt8]? {
        // Usually less than a third of a page is text.
        let expected = tree.source.count / 3
        var writer = TextWriter(options, expected: expected)
        var walk = TextWalk()
        read(tree.root, in: styles.root, &walk, &writer, tableDepth: 0)
        return needsBoxes || writer.hasNull ? nil : writer.finish()
    }

    // MARK: The traversal

    /// Reads the contents of `top`, which are in the box `parent`.
    mutating func read(
        _ top: NodeID, in parent: TextBox, _ walk: inout TextWalk, _ writer: inout TextWriter, tableDepth: Int
    ) {
        let nodes = tree.storage.nodes.base
        let end = tree.subtreeEnd(top).index
        var at = top.index + 1
        walk.frames = [
            Frame(
                end: .max, node: top.index, box: parent, leaving: [],
                indent: Int16(truncatingIfNeeded: writer.indent))
        ]
        while true {
            while walk.innermost.end <= at { leaveInnermost(&walk, &writer) }
            guard at < end, !needsBoxes else { break }
            let node = nodes[Int(at)]
            switch node.kind {
            case .text:
                writeText(NodeID(index: at), node, walk.innermost, end, &writer)
                at &+= 1
            case .element: at = enter(NodeID(index: at), &writer, &walk, tableDepth)
            case .root, .comment, .doctype, .instruction: at &+= 1
            }
        }
        while walk.frames.count > 1 { leaveInnermost(&walk, &writer) }
    }

    @inline(__always)
    private mutating func leaveInnermost(_ walk: inout TextWalk, _ writer: inout TextWriter) {
        let frame = walk.frames.removeLast()
        if !frame.leaving.isEmpty { leave(frame, &writer, &walk) }
    }

    /// - Parameter end: the node after the last one.
    @inline(__always)
    private mutating func writeText(
        _ n: NodeID, _ node: Node, _ parent: Frame, _ end: UInt32, _ writer: inout TextWriter
    ) {
        let box = parent.box
        guard box.isVisible else { return }
        switch box.display {
        case .table, .rowGroup, .row:
            if tree.isBlank(n) { return }
            needsBoxes = true
        case .flex, .inlineFlex:
            if tree.isBlank(n) { return }
            // Adjacent texts are separate items.
            let next = n.index + 1
            let isLast = next >= parent.end && !parent.leaving.isEmpty
            if next < end, tree.storage.nodes[Int(next)].kind != .element, !isLast { needsBoxes = true }
        default: break
        }
        guard box.showsText else { return }
        if box.transform != .none {
            var text = TextTransform.apply(styles.styled.computed(n), to: tree.text(n))
            text.withUTF8 { writer.write(decoded: $0, box.whiteSpace) }
        } else if node.flags.contains(.edited) {
            writer.write(decoded: tree.rawText(n), box.whiteSpace)
        } else {
            let text = UnsafeBufferPointer(
                start: tree.storage.sourceBase + Int(node.sourceStart),
                count: Int(node.sourceEnd) &- Int(node.sourceStart))
            writer.write(
                text, box.whiteSpace, decodes: tree.storage.options.decodesEntities && !node.flags.contains(.raw))
        }
    }

    func box(_ n: NodeID, parent: TextBox) -> TextBox {
        let node = tree.storage.nodes[Int(n.index)]
        var box = styles.box(n, node, in: tree, parent: parent)
        if node.flags.contains(.foreign), !ForeignText.shows(in: node.tag) { box.showsText = false }
        return box
    }
}
