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
        /// The source does not say this node as it is: implied, reopened or closed early, or holding a dropped end tag.
        static let repaired = Flags(rawValue: 1)
        /// A copy of an element that was reopened; its source range is its original's start tag.
        static let clone = Flags(rawValue: 2)
        /// Text that is not decoded: content of script, style and the like, CDATA.
        @inlinable @inline(__always) package static var raw: Flags { Flags(rawValue: 4) }
        /// Text in which NUL becomes U+FFFD.
        static let keepsNUL = Flags(rawValue: 8)
        /// Offsets point into the tree's edited bytes; they are decoded already.
        @inlinable @inline(__always) package static var edited: Flags { Flags(rawValue: 16) }
        /// On the stack of open elements (while building).
        static let open = Flags(rawValue: 32)
        /// In the SVG or MathML namespace.
        @inlinable @inline(__always) package static var foreign: Flags { Flags(rawValue: 64) }
        /// A start tag that reads as text, and is text unless an end tag closes it (while building).
        static let provisional = Flags(rawValue: 128)
        /// The element has attributes: see ``AttributeStore``.
        @inlinable @inline(__always) package static var hasAttributes: Flags { Flags(rawValue: 256) }
        /// Its attributes are not those of its start tag alone.
        @inlinable @inline(__always) static var ownAttributes: Flags { Flags(rawValue: 512) }
        /// Something is to be put before or inside this node (while building).
        static let isAnchor = Flags(rawValue: 1024)
        /// The subtree that starts here goes elsewhere (while building).
        static let isMoved = Flags(rawValue: 2048)
    }

    /// From the lowest bit: 30 of the source's offset, 30 of the length there, 3 of the kind.
    @usableFromInline var place: UInt64
    /// From the lowest bit: 16 of the tag, 12 of flags, 18 of the distance to the parent, 18 of the subtree's size.
    @usableFromInline var shape: UInt64

    /// Distances and sizes from here on are not kept in the node.
    @inlinable static var large: UInt64 { 1 << 18 - 1 }
    @inlinable static var mostOffset: UInt64 { 1 << 30 - 1 }

    /// - Parameters:
    ///   - distance: how many nodes back the parent is.
    ///   - source: text: its bytes; others: the whole construct, an element's end tag included.
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
    /// How many nodes back the parent is; ``large`` for that many and more.
    @inlinable @inline(__always) var distance: UInt64 {
        get { shape >> 28 & Self.large }
        set { shape = shape & ~(Self.large << 28) | min(newValue, Self.large) << 28 }
    }
    /// How many nodes the subtree has, this one included; ``large`` for that many and more.
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

    /// Gives the node other bytes; what it is stays.
    mutating func setSource(_ start: UInt32, _ end: UInt32) {
        place = (place >> 60) << 60 | UInt64(start) | UInt64(end &- start) << 30
    }

    /// Changes the kind, an element that turns out to be text.
    mutating func setKind(_ kind: MarkupTree.Kind) { place = place & (1 << 60 - 1) | UInt64(kind.rawValue) << 60 }
}

/// The subtrees of ``Node/large`` nodes and more: their ends, and by them the parents of nodes too far from theirs.
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

    /// By index, once sealed.
    private(set) var subtrees: [Subtree] = []
    /// By start. Chains of subtrees that end together, as where a source just stops, have one.
    private var closings: [Closing] = []

    /// Notes a subtree's end; of several for one subtree the last counts.
    package mutating func note(_ index: UInt32, end: UInt32) {
        // As many as elements may be open: what stays unused costs nothing, while an array that grows leaves holes.
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

    /// Puts the subtrees in the order of their indices, of several for one index only the last.
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

    /// Lets every subtree be noted anew: for edits, which move nodes. `body` gives each its index and end, or nil.
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
        // Since the last one before the node began, some have ended.
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

/// The offsets with this bit point into a tree's edited bytes instead of its source.
let editedBit: UInt32 = 0x8000_0000
