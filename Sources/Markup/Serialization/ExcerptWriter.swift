// Markup or text of many elements, some of which contain others.
//
// In: a tree, and elements in document order. Out: the bytes of each, one after the other.

import FancyTextBasics

/// A walker that writes the same bytes for an element in any context.
protocol ByteWriter: TreeWalker {
    var out: [UInt8] { get }
}

/// Writes elements in document order.
///
/// The bytes of an element inside one that is already written are part of that one's bytes. So nested elements are read once, not
/// once for each ancestor: O(nodes + bytes returned).
package struct ExcerptWriter {
    package enum Form {
        /// The HTML that ``MarkupTree/html(_:outer:fromSource:declaresEncoding:)`` writes from the source; with `inner`, without
        /// the element's own tags.
        case html(inner: Bool)
        /// The text that ``MarkupTree/textContent(_:skipsHidden:)`` returns.
        case text
    }

    private let tree: MarkupTree
    private let elements: [NodeID]
    private let form: Form
    /// The bytes of the element at `first`, and the places in them of that element and those after it.
    private var written: [UInt8] = []
    private var first = 0
    private var places: [Place] = []
    /// No node between the last element and this one was repaired.
    private var faithfulEnd = 0
    /// - Parameter elements: elements in ascending order.
    package init(_ elements: [NodeID], of tree: MarkupTree, as form: Form) {
        self.tree = tree
        self.elements = elements
        self.form = form
    }

    /// Calls `body` with the bytes of the element at `index`; indices must ascend.
    package mutating func withBytes(at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        if case .html(let isInner) = form, isFaithful(elements[index]) {
            let element = elements[index]
            let range = isInner ? tree.sourceRangeOfContents(element) : tree.sourceRange(element)
            return body(UnsafeBufferPointer(rebasing: tree.storage.source.buffer[range]))
        }
        if !places.indices.contains(index - first) || places[index - first].range == nil { write(index) }
        let place = places[index - first].range ?? 0..<0
        written.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[place])) }
    }

    private mutating func write(_ index: Int) {
        let element = elements[index]
        let end = tree.subtreeEnd(element)
        let inside = elements[index...].prefix { $0 < end }
        first = index
        // Frees the old bytes before new ones are written.
        (written, places) = ([], [])
        switch form {
        case .html(let isInner):
            var walker = NotingWalker(
                writer: HTMLWriter(declaresEncoding: false), elements: inside, notesContents: isInner)
            walker.writer.out.reserveCapacity(room(for: element))
            tree.visit(element..<end, with: &walker)
            (written, places) = (walker.writer.out, walker.places)
        case .text:
            var walker = NotingWalker(
                writer: TextContentReader(skipsHidden: true), elements: inside, notesContents: true)
            walker.writer.out.reserveCapacity(tree.sourceRange(element).count)
            tree.visit(tree.contents(element), with: &walker)
            (written, places) = (walker.writer.out, walker.places)
            places[0] = .begun(at: 0)
            places[0].end(at: written.count)
        }
    }

    /// A capacity that is enough for most elements' markup, including end tags that the source omits. Unwritten pages cost
    /// nothing, while growing an array holds all of its bytes twice.
    private func room(for element: NodeID) -> Int { 4 * tree.sourceRange(element).count }

    /// Returns the result of ``MarkupTree/isFaithful(_:)``, but looks at each node only once.
    private mutating func isFaithful(_ element: NodeID) -> Bool {
        guard element.index != 0, !tree.storage.wasEdited else { return false }
        let end = Int(tree.subtreeEnd(element).index)
        faithfulEnd = max(faithfulEnd, Int(element.index))
        while faithfulEnd < end, !tree.wasRepaired(faithfulEnd) { faithfulEnd += 1 }
        return faithfulEnd >= end
    }
}

/// The place of an element's bytes in those of another one. Half the size of a range, because there may be as many as elements.
private struct Place: BitwiseCopyable {
    private let start: UInt32
    private var end: UInt32

    /// The place of an element that the writer skipped.
    static let none = Place(start: 1, end: 0)

    /// The place of an element that is being written.
    static func begun(at start: Int) -> Place { Place(start: UInt32(truncatingIfNeeded: start), end: 0) }

    private init(start: UInt32, end: UInt32) {
        self.start = start
        self.end = end
    }

    /// Sets the end. A place beyond the first 4 GB becomes ``none``.
    mutating func end(at end: Int) {
        if let end = UInt32(exactly: end) { self.end = end } else { self = .none }
    }

    var range: Range<Int>? { start <= end ? Int(start)..<Int(end) : nil }
}

/// Runs a writer and records where its output for some elements begins and ends.
private struct NotingWalker<Writer: ByteWriter>: TreeWalker {
    var writer: Writer
    let elements: ArraySlice<NodeID>
    /// True to record the contents without the elements' own tags.
    let notesContents: Bool
    /// A place for each of ``elements``; ``Place/none`` for those that the writer skips.
    var places: [Place]
    /// Positions in ``places``: that of the next element; `open` has those of open elements.
    private var next = 0
    private var open: [UInt32] = []

    init(writer: Writer, elements: ArraySlice<NodeID>, notesContents: Bool) {
        self.writer = writer
        self.elements = elements
        self.notesContents = notesContents
        places = Array(repeating: .none, count: elements.count)
    }

    private func isNext(_ node: NodeID) -> Bool {
        next < places.count && elements[elements.startIndex + next] == node
    }

    mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
        while next < places.count, elements[elements.startIndex + next] < node { next += 1 }
        guard isNext(node) else { return writer.enterElement(node, in: tree) }
        let before = writer.out.count
        let descent = writer.enterElement(node, in: tree)
        let isSkipped = if case .skip = descent { true } else { false }
        if !isSkipped {
            places[next] = .begun(at: notesContents ? writer.out.count : before)
            open.append(UInt32(truncatingIfNeeded: next))
        }
        next += 1
        return descent
    }

    mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) {
        let end = writer.out.count
        writer.leaveElement(node, in: tree)
        guard let last = open.last, elements[elements.startIndex + Int(last)] == node else { return }
        open.removeLast()
        places[Int(last)].end(at: notesContents ? end : writer.out.count)
    }

    mutating func visitText(_ node: NodeID, in tree: MarkupTree) {
        writer.visitText(node, in: tree)
    }

    mutating func visitComment(_ node: NodeID, in tree: MarkupTree) { writer.visitComment(node, in: tree) }
    mutating func visitInstruction(_ node: NodeID, in tree: MarkupTree) { writer.visitInstruction(node, in: tree) }
    mutating func visitDoctype(_ node: NodeID, in tree: MarkupTree) { writer.visitDoctype(node, in: tree) }
}
