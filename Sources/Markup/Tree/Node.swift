// One cell of the arena: a node of a MarkupTree in 16 bytes.
//
// The parent and the end of the subtree are stored as distances, which are small for nearly all nodes. The few subtrees that are
// too large for that are kept in LargeSubtrees. A node too far from its parent finds it there too, because that parent's subtree
// is large.

/// The identity of a node in its tree. Ids rise in document order, and a subtree is a range of ids.
///
/// Edits that add or remove nodes shift the ids of later nodes; a ``NodeHandle`` remains valid.
@usableFromInline
package struct NodeID: Hashable, Comparable, Sendable {
    @usableFromInline package let index: UInt32

    @inlinable package init(index: UInt32) { self.index = index }
    @inlinable package init(_ index: Int) { self.index = UInt32(truncatingIfNeeded: index) }

    @inlinable package static func < (a: NodeID, b: NodeID) -> Bool { a.index < b.index }
}

@usableFromInline
package struct Node: BitwiseCopyable {
    @usableFromInline
    package struct Flags: OptionSet, BitwiseCopyable, Sendable {
        @usableFromInline package let rawValue: UInt16
        @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }
        /// The node differs from its source: it was implied, reopened or closed early, or contains a dropped end tag.
        static let repaired = Flags(rawValue: 1)
        /// A copy of an element that was reopened; its source range is its original's start tag.
        static let clone = Flags(rawValue: 2)
        /// Text that is not decoded: content of script, style and the like, CDATA.
        @inlinable @inline(__always) package static var raw: Flags { Flags(rawValue: 4) }
        /// Text in which NUL becomes U+FFFD.
        static let keepsNUL = Flags(rawValue: 8)
        /// The offsets point into the tree's edited bytes, which are decoded already.
        @inlinable @inline(__always) package static var edited: Flags { Flags(rawValue: 16) }
        /// The node is on the stack of open elements (while building).
        static let open = Flags(rawValue: 32)
        /// In the SVG or MathML namespace.
        @inlinable @inline(__always) package static var foreign: Flags { Flags(rawValue: 64) }
        /// The start tag reads as text, and becomes text unless an end tag closes it (while building).
        static let provisional = Flags(rawValue: 128)
        /// The element has attributes: see ``AttributeStore``.
        @inlinable @inline(__always) package static var hasAttributes: Flags { Flags(rawValue: 256) }
        /// The attributes are not just those of the start tag.
        @inlinable @inline(__always) static var ownAttributes: Flags { Flags(rawValue: 512) }
        /// Something will be placed before or inside this node (while building).
        static let isAnchor = Flags(rawValue: 1024)
        /// The subtree that starts here moves to another place (while building).
        static let isMoved = Flags(rawValue: 2048)
    }

    /// From the lowest bit: 30 bits of source offset, 30 of source length, 3 of kind.
    @usableFromInline var place: UInt64
    /// From the lowest bit: 16 bits of tag, 12 of flags, 18 of the distance to the parent, 18 of the subtree's size.
    @usableFromInline var shape: UInt64

    /// Distances and sizes from here on are not stored in the node.
    @inlinable static var large: UInt64 { 1 << 18 - 1 }
    @inlinable static var mostOffset: UInt64 { 1 << 30 - 1 }

    /// - Parameters:
    ///   - distance: the distance to the parent in nodes.
    ///   - source: the bytes of a text; for others the whole construct, including an element's end tag.
    @inline(__always)
    init(_ kind: MarkupTree.Kind, _ flags: Flags, _ tag: TagID, distance: Int, source: (UInt32, UInt32)) {
        place =
            UInt64(source.0) | (UInt64(source.1 &- source.0) & Self.mostOffset) << 30 | UInt64(kind.rawValue) << 60
        shape =
            UInt64(tag.rawValue) | UInt64(flags.rawValue) << 16
            | min(UInt64(truncatingIfNeeded: distance), Self.large) << 28 | 1 << 46
    }

    // The cases' raw values count up from 0.
    @inlinable @inline(__always) package var kind: MarkupTree.Kind {
        unsafeBitCast(UInt8(truncatingIfNeeded: place >> 60), to: MarkupTree.Kind.self)
    }
    @inlinable @inline(__always) package var tag: TagID {
        get { TagID(rawValue: UInt16(truncatingIfNeeded: shape)) }
        set { shape = shape & ~0xFFFF | UInt64(newValue.rawValue) }
    }
    @inlinable @inline(__always) package var flags: Flags {
        get { Flags(rawValue: UInt16(truncatingIfNeeded: shape >> 16) & 0xFFF) }
        set { shape = shape & ~(0xFFF << 16) | UInt64(newValue.rawValue) << 16 }
    }
    /// The distance to the parent in nodes; ``large`` for all larger ones.
    @inlinable @inline(__always) var distance: UInt64 {
        get { shape >> 28 & Self.large }
        set { shape = shape & ~(Self.large << 28) | min(newValue, Self.large) << 28 }
    }
    /// The number of nodes in the subtree, including this one; ``large`` for all larger ones.
    @inlinable @inline(__always) package var size: UInt64 {
        get { shape >> 46 }
        set { shape = shape & (1 << 46 - 1) | min(newValue, Self.large) << 46 }
    }
    @inlinable @inline(__always) package var sourceStart: UInt32 { UInt32(truncatingIfNeeded: place & Self.mostOffset) }
    @inlinable @inline(__always) var sourceLength: UInt32 {
        UInt32(truncatingIfNeeded: place >> 30 & Self.mostOffset)
    }
    @inlinable @inline(__always) package var sourceEnd: UInt32 {
        get { sourceStart &+ sourceLength }
        set {
            // A node may be ended at a place before its start; its range is then empty.
            let length = newValue > sourceStart ? UInt64(newValue - sourceStart) : 0
            place = place & ~(Self.mostOffset << 30) | length << 30
        }
    }

    /// Sets the source range; everything else is unchanged.
    mutating func setSource(_ start: UInt32, _ end: UInt32) {
        place = (place >> 60) << 60 | UInt64(start) | UInt64(end &- start) << 30
    }

    /// Changes the kind, for an element that turns out to be text.
    mutating func setKind(_ kind: MarkupTree.Kind) { place = place & (1 << 60 - 1) | UInt64(kind.rawValue) << 60 }
}

/// The subtrees with at least ``Node/large`` nodes: their ends, and with them the parents of nodes too far from theirs.
@usableFromInline
package struct LargeSubtrees: Sendable {
    package struct Subtree: BitwiseCopyable {
        var index: UInt32
        var end: UInt32
    }

    /// From `start` on, until another large subtree begins, the innermost open large subtree is that of `parent`.
    private struct Closing: BitwiseCopyable {
        var start: UInt32
        var parent: UInt32
    }

    /// Sorted by index by ``seal()``.
    private(set) var subtrees: [Subtree] = []
    /// Sorted by start. Chains of subtrees that end together, as at a truncated end of the source, share one.
    private var closings: [Closing] = []

    /// Records a subtree's end; a later call for the same subtree replaces it.
    package mutating func note(_ index: UInt32, end: UInt32) {
        // Reserved for as many as elements may be open: unused pages cost nothing, while a growing array fragments the heap.
        if subtrees.count == 1 << 12 { subtrees.reserveCapacity(1 << 17) }
        subtrees.append(Subtree(index: index, end: end))
    }

    /// Sorts the noted subtrees so that they can be looked up. O(n log n) in the number of large subtrees; O(n) where inner ones
    /// were noted before outer ones.
    package mutating func seal() {
        closings = []
        guard !subtrees.isEmpty else { return }
        sort()
        // Positions of the subtrees around the current one. Of subtrees that end together only the innermost is kept.
        var open: [UInt32] = []
        func close(upTo index: UInt32) {
            while let last = open.last, subtrees[Int(last)].end <= index {
                open.removeLast()
                guard let outer = open.last else { continue }
                closings.append(Closing(start: subtrees[Int(last)].end, parent: subtrees[Int(outer)].index))
            }
        }
        for k in subtrees.indices {
            close(upTo: subtrees[k].index)
            if let last = open.last, subtrees[Int(last)].end == subtrees[k].end { open.removeLast() }
            open.append(UInt32(truncatingIfNeeded: k))
        }
        close(upTo: .max)
    }

    /// Sorts the subtrees by index; of several for one index only the last is kept.
    private mutating func sort() {
        let seconds = 1..<subtrees.count
        if seconds.allSatisfy({ subtrees[$0 - 1].index > subtrees[$0].index }) { return subtrees.reverse() }
        if seconds.allSatisfy({ subtrees[$0 - 1].index < subtrees[$0].index }) { return }
        // Stable.
        subtrees.sort { $0.index < $1.index }
        var count = 0
        for k in subtrees.indices {
            if count > 0, subtrees[count - 1].index == subtrees[k].index { count -= 1 }
            subtrees[count] = subtrees[k]
            count += 1
        }
        subtrees.removeSubrange(count...)
    }

    /// Replaces or removes each subtree, for edits that move nodes. `body` returns its new index and end, or nil.
    package mutating func update(_ body: (Subtree) -> Subtree?) {
        subtrees = subtrees.compactMap(body)
        seal()
    }

    /// The end of a noted subtree. O(log n).
    @usableFromInline
    package func end(_ index: UInt32) -> UInt32 {
        let k = Self.position(subtrees.count) { subtrees[$0].index <= index }
        return k >= 0 ? subtrees[k].end : index + 1
    }

    /// The innermost large subtree that contains a node. O(log n).
    @usableFromInline
    package func parent(_ index: UInt32) -> UInt32 {
        let k = Self.position(subtrees.count) { subtrees[$0].index < index }
        guard k >= 0 else { return 0 }
        if index < subtrees[k].end { return subtrees[k].index }
        // Large subtrees after the last one before the node may have ended.
        let closing = Self.position(closings.count) { closings[$0].start <= index }
        return closing >= 0 ? closings[closing].parent : 0
    }

    /// The last of `count` positions for which `isBefore` holds, -1 for none.
    private static func position(_ count: Int, _ isBefore: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }
}

/// Offsets with this bit point into a tree's edited bytes instead of its source.
let editedBit: UInt32 = 0x8000_0000
