// The document as a tree: one flat arena in document order, with ranges into the source instead of copied strings.

import FancyTextBasics
import Synchronization

package struct SyntaxOptions: Sendable {
    package var limits = Limits()
    /// A Boolean value that indicates whether character references are decoded.
    package var decodesEntities = true
    package var sourceName = "<stdin>"
    /// The text that the source was made from, for the places in diagnostics.
    package var origin: DerivedText?
    /// The label of the input's encoding if the caller knows it; nil to detect it.
    package var encoding: String?
    /// A Boolean value that indicates whether html, head and body are never implied, whatever tags there are.
    package var isFragment = false
    /// A Boolean value that indicates whether html, head and body are always implied, as in a browser.
    package var isAlwaysDocument = false
    /// The number of open elements from which a further one is a sibling, as in browsers (512); nil for ``Limits/treeDepth`` alone.
    package var siblingDepth: Int?
    /// HTML's scripting flag: `noscript` in a document then has only text that is never shown (HTML §13.2.4.5).
    package var isScripting = false
    /// True if the input is XML: names keep their case, nothing is implied, and any element may be empty.
    package var isXML = false
    /// The only elements that are read; nil reads all.
    package var allowedTags: TagWhitelist?
    /// A Boolean value that indicates whether comments are dropped, for callers that need only the text.
    package var dropsComments = false
    /// A Boolean value that indicates whether the bytes are known to be valid UTF-8, because they come from a `String`.
    package var isUTF8 = false

    package init() {}
}

/// A parsed document. Copies share their storage until one of them is edited.
@usableFromInline
package struct MarkupTree: Sendable {
    @usableFromInline
    package enum Kind: UInt8, Sendable, BitwiseCopyable { case root, element, text, comment, doctype, instruction }

    @usableFromInline package var storage: TreeStorage

    @usableFromInline package init(storage: TreeStorage) { self.storage = storage }

    // MARK: Structure. All O(1); O(log n) for subtrees of 2^18 nodes and more.

    @inlinable package var root: NodeID { NodeID(index: 0) }
    /// The number of nodes, including the root.
    @inlinable package var count: Int { storage.nodes.count }
    /// True if the input was a document (it had a doctype, html, head or body tag), not a fragment.
    package var isDocument: Bool { storage.isDocument }
    package var documentMode: DocumentMode { storage.documentMode }
    /// A Boolean value that indicates whether the input was read as XML.
    package var isXML: Bool { storage.options.isXML }
    /// False when no element is a `style` or `link`; true if there may be one.
    package var mayHaveStyle: Bool { storage.mayHaveStyle }
    /// The UTF-8 source, after decoding; valid as long as the tree.
    package var source: UnsafeBufferPointer<UInt8> { storage.source.buffer }

    @inlinable package func kind(_ n: NodeID) -> Kind { storage.nodes.base[Int(n.index)].kind }
    @inlinable package func tag(_ n: NodeID) -> TagID { storage.nodes.base[Int(n.index)].tag }
    /// The parent of a node; nil for the root.
    @inlinable package func parent(_ n: NodeID) -> NodeID? {
        n.index == 0 ? nil : NodeID(index: storage.parent(n.index))
    }
    /// One past the last node of `n`'s subtree.
    @inlinable package func subtreeEnd(_ n: NodeID) -> NodeID { NodeID(index: storage.end(n.index)) }
    /// The ancestors of a node, its parent first and the root last.
    @inlinable package func ancestors(_ n: NodeID) -> some Sequence<NodeID> {
        sequence(state: n) { node in
            guard let parent = parent(node) else { return nil }
            node = parent
            return parent
        }
    }
    @inlinable package func firstChild(_ n: NodeID) -> NodeID? {
        storage.nodes.base[Int(n.index)].size > 1 ? NodeID(index: n.index + 1) : nil
    }
    @inlinable package func nextSibling(_ n: NodeID) -> NodeID? {
        guard n.index != 0 else { return nil }
        let next = storage.end(n.index)
        return next < storage.end(storage.parent(n.index)) ? NodeID(index: next) : nil
    }
    @inlinable package func children(_ n: NodeID) -> Children {
        Children(tree: self, next: n.index + 1, end: storage.end(n.index))
    }

    @frozen @usableFromInline package struct Children: Sequence, IteratorProtocol {
        @usableFromInline let tree: MarkupTree
        @usableFromInline var at: UInt32
        @usableFromInline let end: UInt32

        @inlinable init(tree: MarkupTree, next: UInt32, end: UInt32) { (self.tree, at, self.end) = (tree, next, end) }

        @inlinable package mutating func next() -> NodeID? {
            guard at < end else { return nil }
            defer { at = tree.storage.end(at) }
            return NodeID(index: at)
        }
    }

    /// The nodes of a subtree in document order, `n` first.
    @inlinable package func subtree(_ n: NodeID) -> some Sequence<NodeID> {
        (n.index..<subtreeEnd(n).index).lazy.map { NodeID(index: $0) }
    }

    /// Returns whether the element is in the SVG or MathML namespace.
    package func isForeign(_ n: NodeID) -> Bool { storage.nodes[Int(n.index)].flags.contains(.foreign) }

    /// Returns whether an element never has contents (HTML §13.1.2).
    package func isVoid(_ n: NodeID) -> Bool { tag(n).isVoid && !isForeign(n) }

    // MARK: Names

    /// The element's name, in lower case unless the input is XML; `#text` and the like for other nodes.
    package func name(_ n: NodeID) -> String {
        switch kind(n) {
        case .root: return "#root"
        case .text: return "#text"
        case .comment: return "#comment"
        case .doctype: return "#doctype"
        case .instruction: return "#instruction"
        case .element:
            let name = nameBytes(n)
            let isInSource = isXML && !storage.nodes[Int(n.index)].flags.contains(.edited)
            // A renamed element has another name than its tag.
            let isWritten = isInSource && writtenName(n).elementsEqual(name) { $0.asciiLowercased == $1 }
            return String(decoding: isWritten ? Array(writtenName(n)) : name, as: UTF8.self)
        }
    }

    /// The name of an element as spelled in its start tag.
    private func writtenName(_ n: NodeID) -> Slice<UnsafeBufferPointer<UInt8>> {
        ByteClass.tagName(in: storage.source.buffer, at: Int(storage.nodes[Int(n.index)].sourceStart) + 1)
    }

    package func nameBytes(_ n: NodeID) -> [UInt8] {
        let tag = tag(n)
        if tag.isKnown { return Array(TagID.knownNames[Int(tag.rawValue)].bytes) }
        let name = storage.interner.name(of: tag) ?? writtenName(n).map(\.asciiLowercased)
        return name.contains(0) ? name.withUnsafeBufferPointer { EntityDecoder.decoded($0, mode: .keepsNUL) } : name
    }

    // MARK: Text

    /// The decoded text of a text node, or the contents of a comment or instruction; "" for other nodes. O(length).
    package func text(_ n: NodeID) -> String { withText(n) { String(decoding: $0, as: UTF8.self) } }

    /// Calls `body` with the decoded UTF-8 of a text node (or a comment's content); copies only what needs decoding.
    @inlinable package func withText<R>(_ n: NodeID, _ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
        if let text = plainText(n) { return try body(text) }
        return try decodedText(n).withUnsafeBufferPointer(body)
    }

    /// The text if decoding does not change it, which is the usual case; nil for others.
    @usableFromInline func plainText(_ n: NodeID) -> UnsafeBufferPointer<UInt8>? {
        let raw = rawText(n)
        return textMode(n) == nil || !EntityDecoder.needsDecoding(raw) ? raw : nil
    }

    @usableFromInline func decodedText(_ n: NodeID) -> [UInt8] {
        EntityDecoder.decoded(rawText(n), mode: textMode(n) ?? [])
    }

    package func isBlank(_ n: NodeID) -> Bool { rawText(n).allSatisfy(\.isHTMLSpace) }

    package func isContent(_ n: NodeID) -> Bool { kind(n) == .element || kind(n) == .text && !isBlank(n) }

    /// The root element of a page, then its body; empty for a fragment.
    package var rootAndBody: [NodeID] {
        guard isDocument else { return [] }
        let roots = children(root).filter { tag($0) == .html }
        return roots + roots.flatMap { html in children(html).filter { tag($0) == .body } }
    }

    /// The undecoded bytes of a text node, comment, doctype or instruction.
    @inline(__always) package func rawText(_ n: NodeID) -> UnsafeBufferPointer<UInt8> {
        let node = storage.nodes[Int(n.index)]
        switch node.kind {
        case .root, .element: return UnsafeBufferPointer(start: nil, count: 0)
        case _ where node.flags.contains(.edited):
            return storage.bytes(node.sourceStart | editedBit, Int(node.sourceLength))
        case .text: return storage.bytes(node.sourceStart, Int(node.sourceLength))
        case .comment, .doctype, .instruction:
            let start = storage.contentStart(node)
            return storage.bytes(start, Int(storage.contentEnd(node) - start))
        }
    }

    /// The decoding of a text node's bytes; nil when they are literal.
    @inline(__always) package func textMode(_ n: NodeID) -> EntityDecoder.Mode? {
        let node = storage.nodes[Int(n.index)]
        if node.flags.contains(.edited) { return nil }
        if node.kind != .text { return .keepsNUL }
        var mode: EntityDecoder.Mode = node.flags.contains(.keepsNUL) ? .keepsNUL : []
        if storage.options.decodesEntities, !node.flags.contains(.raw) { mode.insert(.references) }
        return mode
    }

    // MARK: Places

    /// The node's bytes in the source, start and end tags included; an implied node's range is empty.
    package func sourceRange(_ n: NodeID) -> Range<Int> {
        let node = storage.nodes[Int(n.index)]
        if node.kind == .root { return 0..<storage.source.count }
        if node.flags.contains(.edited) { return 0..<0 }
        return Int(node.sourceStart)..<max(Int(node.sourceStart), Int(node.sourceEnd))
    }

    /// The line and column of the node's start. For a node added by an edit it is that of the nearest ancestor from the source.
    package func location(_ n: NodeID) -> Diagnostic.Location {
        var node = n
        while storage.nodes[Int(node.index)].flags.contains(.edited), let parent = parent(node) { node = parent }
        return location(offset: sourceRange(node).lowerBound)
    }

    package func location(offset: Int) -> Diagnostic.Location {
        storage.options.origin?.location(at: offset)
            ?? Diagnostic.Location(source: sourceName, offset: offset, in: source, lines: storage.lineIndex)
    }

    package var sourceName: String { storage.options.sourceName }

    /// A text node's decoded text as a part of the source; nil for text of an edit without a known place.
    package func embedded(text n: NodeID) -> EmbeddedText? {
        let node = storage.nodes[Int(n.index)]
        guard node.kind == .text else { return nil }
        if node.flags.contains(.edited) { return storage.placedEdits[n] }
        guard let mode = textMode(n) else { return nil }
        return EmbeddedText(Int(node.sourceStart)..<Int(node.sourceEnd), of: storage, mode: mode)
    }

    /// An attribute's decoded value as a part of the source; nil for a value of an edit without a known place.
    package func embedded(_ id: AttributeID, of n: NodeID) -> EmbeddedText? {
        guard let found = findAttribute(n, id) else { return nil }
        if found.valueStart & editedBit != 0 { return id == .style ? storage.placedEdits[n] : nil }
        let start = Int(found.valueStart)
        return EmbeddedText(start..<start + found.valueLength, of: storage, mode: valueMode)
    }

    /// The first offset of each of `scalars` in a part of the source, written literally or as a character reference. O(part).
    package func firstOffsets(of scalars: Set<UInt32>, in range: Range<Int>) -> [UInt32: Int] {
        let part = UnsafeBufferPointer(rebasing: storage.source.buffer[range])
        let offsets = DecodedOffsets(part, mode: .references)
        let decoded = EntityDecoder.decoded(part, mode: .references)
        var found: [UInt32: Int] = [:]
        var offset = 0
        for scalar in String(decoding: decoded, as: UTF8.self).unicodeScalars {
            if scalars.contains(scalar.value), found[scalar.value] == nil {
                found[scalar.value] = range.lowerBound + offsets.source(of: offset)
            }
            offset += UTF8.width(scalar)
        }
        return found
    }
}

/// The storage that copies of a tree share: the arena, its attributes and the bytes that they point into.
@usableFromInline package final class TreeStorage: @unchecked Sendable {
    // Edits work on storage of their own, so accesses need no checks at run time.
    @exclusivity(unchecked) @usableFromInline package var nodes: GrowableBuffer<Node>
    @exclusivity(unchecked) @usableFromInline package var attributes: AttributeStore
    package let source: SourceBytes
    /// The storage of `source`, which is never mutated while this object keeps it alive.
    package let sourceBase: UnsafePointer<UInt8>
    /// Names, values and text added by edits.
    @exclusivity(unchecked) var edited: GrowableBuffer<UInt8>
    @exclusivity(unchecked) var interner: TagInterner
    var isDocument = false
    var documentMode = DocumentMode.noQuirks
    var mayHaveStyle = false
    /// True if source ranges may not be HTML for the contents of the tree: after edits, and in XHTML.
    var differsFromSource = false
    /// The places of edited texts and `style` attributes, until the next edit.
    var placedEdits: [NodeID: EmbeddedText] = [:]
    package let options: SyntaxOptions
    let lineIndex: LineIndex
    let lookup = Mutex<NodeLookup?>(nil)
    /// Nil until the first handle is made.
    let handles: Mutex<HandleTable?>
    /// The amount of edited bytes and attributes from which an edit drops unused ones.
    var editedLimit = leastEdited
    var attributeLimit: Int
    static let leastEdited = 1 << 16
    /// The most edited bytes that nodes can address.
    var mostEdited = Int(Node.mostOffset)
    /// Set when an edit was not made because it would have exceeded ``mostEdited``.
    var isOverfull = false
    static let leastAttributes = 1 << 12

    init(
        source: SourceBytes, nodes: GrowableBuffer<Node>, attributes: AttributeStore, edited: GrowableBuffer<UInt8>,
        interner: TagInterner, options: SyntaxOptions, lineIndex: LineIndex = LineIndex(), handles: HandleTable? = nil
    ) {
        (self.source, self.options, self.lineIndex) = (source, options, lineIndex)
        (self.nodes, self.attributes, self.edited, self.interner) = (nodes, attributes, edited, interner)
        // An empty source has no base address; the substitute pointer is never read.
        sourceBase = source.buffer.baseAddress ?? ByteClass.table
        self.handles = Mutex(handles)
        attributeLimit = max(Self.leastAttributes, 2 * attributes.items.count)
    }

    convenience init(copying other: TreeStorage) {
        self.init(
            source: other.source, nodes: other.nodes.copy(), attributes: AttributeStore(copying: other.attributes),
            edited: other.edited.copy(), interner: other.interner, options: other.options, lineIndex: other.lineIndex,
            handles: other.handles.withLock { $0 })
        (isDocument, documentMode, mayHaveStyle) = (other.isDocument, other.documentMode, other.mayHaveStyle)
        (differsFromSource, isOverfull) = (other.differsFromSource, other.isOverfull)
        (editedLimit, attributeLimit) = (other.editedLimit, other.attributeLimit)
        mostEdited = other.mostEdited
    }

    deinit {
        nodes.free()
        attributes.free()
        edited.free()
    }

    /// One past the last node of a subtree.
    @inlinable @inline(__always) package func end(_ index: UInt32) -> UInt32 { index &+ nodes.base[Int(index)].size }

    /// The parent of a node; the root's is the root.
    @inlinable @inline(__always) package func parent(_ index: UInt32) -> UInt32 {
        index &- nodes.base[Int(index)].distance
    }

    @inline(__always) func bytes(_ offset: UInt32, _ length: Int) -> UnsafeBufferPointer<UInt8> {
        let base = offset & editedBit == 0 ? sourceBase : UnsafePointer(edited.base)
        return UnsafeBufferPointer(start: base + Int(offset & ~editedBit), count: length)
    }

    /// The source offset at which the text of a comment, doctype or instruction begins.
    func contentStart(_ node: Node) -> UInt32 {
        let start = Int(node.sourceStart)
        func at(_ k: Int) -> UInt8 { start + k < source.count ? source[start + k] : 0 }
        switch node.kind {
        case .instruction: return node.sourceStart + 1
        case .doctype: return node.sourceStart + 9
        case .root, .element, .text, .comment:
            return node.sourceStart + (at(1) == 0x21 && at(2) == 0x2D && at(3) == 0x2D ? 4 : 2)
        }
    }

    /// The source offset at which the text of a comment, doctype or instruction ends.
    func contentEnd(_ node: Node) -> UInt32 {
        let (start, end) = (contentStart(node), node.sourceEnd)
        let token = source.buffer[Int(node.sourceStart)..<Int(max(node.sourceStart, end))]
        // At the end of the source the delimiter may be missing.
        let marks: [StaticString] = start == node.sourceStart + 4 ? ["-->", "--!>"] : [">"]
        let mark = marks.first { token.suffix($0.utf8CodeUnitCount).elementsEqual($0.bytes) }
        return max(start, end - UInt32(mark?.utf8CodeUnitCount ?? 0))
    }
}
