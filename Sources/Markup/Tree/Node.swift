// One cell of the arena: a node of a MarkupTree in 20 bytes.

/// The identity of a node in its tree. Ids rise in document order, and a subtree is a range of ids. Edits that add or remove nodes
/// shift the ids of later nodes; a ``NodeHandle`` remains valid.
@usableFromInline package struct NodeID: Hashable, Comparable, Sendable {
    @usableFromInline package let index: UInt32

    @inlinable package init(index: UInt32) { self.index = index }
    @inlinable package init(_ index: Int) { self.index = UInt32(truncatingIfNeeded: index) }

    @inlinable package static func < (a: NodeID, b: NodeID) -> Bool { a.index < b.index }
}

@usableFromInline package struct Node: BitwiseCopyable {
    @usableFromInline package struct Flags: OptionSet, BitwiseCopyable, Sendable {
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

    @usableFromInline package private(set) var sourceStart: UInt32
    @usableFromInline package private(set) var sourceLength: UInt32
    /// The distance to the parent in nodes.
    @usableFromInline package var distance: UInt32
    /// The number of nodes in the subtree, including this one.
    @usableFromInline package var size: UInt32 = 1
    @usableFromInline package var tag: TagID
    /// From the lowest bit: 12 bits of flags, 4 of kind.
    @usableFromInline var kindAndFlags: UInt16

    /// Source ranges are shorter, and begin before this offset.
    static let mostOffset: UInt32 = 1 << 30 - 1

    /// - Parameter source: the bytes of a text; for others the whole construct, including an element's end tag.
    @inline(__always)
    init(_ kind: MarkupTree.Kind, _ flags: Flags, _ tag: TagID, distance: UInt32, source: (UInt32, UInt32)) {
        (sourceStart, sourceLength) = (source.0, source.1 &- source.0)
        self.distance = distance
        self.tag = tag
        kindAndFlags = flags.rawValue | UInt16(kind.rawValue) << 12
    }

    // The cases' raw values count up from 0.
    @inlinable @inline(__always) package var kind: MarkupTree.Kind {
        unsafeBitCast(UInt8(truncatingIfNeeded: kindAndFlags >> 12), to: MarkupTree.Kind.self)
    }
    @inlinable @inline(__always) package var flags: Flags {
        get { Flags(rawValue: kindAndFlags & 0xFFF) }
        set { kindAndFlags = kindAndFlags & 0xF000 | newValue.rawValue }
    }
    @inlinable @inline(__always) package var sourceEnd: UInt32 { sourceStart &+ sourceLength }

    /// Moves the end of the source range. A node may be ended at a place before its start; its range is then empty.
    @inline(__always)
    mutating func endSource(at end: UInt32) { sourceLength = end > sourceStart ? end &- sourceStart : 0 }

    mutating func setSource(_ start: UInt32, _ end: UInt32) { (sourceStart, sourceLength) = (start, end &- start) }

    /// Changes the kind, for an element that turns out to be text.
    mutating func setKind(_ kind: MarkupTree.Kind) { kindAndFlags = kindAndFlags & 0xFFF | UInt16(kind.rawValue) << 12 }
}

/// Offsets with this bit point into a tree's edited bytes instead of its source.
let editedBit: UInt32 = 0x8000_0000
