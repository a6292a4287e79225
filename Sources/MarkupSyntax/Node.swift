// The arena's cell: what one node of a MarkupTree is, in 24 bytes.

/// The name of a node in its tree; ids rise in document order, and a subtree is a range of ids.
///
/// Edits that add or remove nodes move the ids behind them.
public struct NodeID: Hashable, Comparable, Sendable {
    @usableFromInline package let index: UInt32

    @inlinable package init(index: UInt32) { self.index = index }
    @inlinable package init(_ index: Int) { self.index = UInt32(truncatingIfNeeded: index) }

    @inlinable public static func < (a: NodeID, b: NodeID) -> Bool { a.index < b.index }
}

@usableFromInline
struct Node: BitwiseCopyable {
    @usableFromInline
    struct Flags: OptionSet, BitwiseCopyable, Sendable {
        @usableFromInline let rawValue: UInt8
        @usableFromInline init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The source does not say this node as it is: implied, reopened or closed early, or holding a dropped end tag.
        static let repaired = Flags(rawValue: 1)
        /// A copy of an element that was reopened; its source range is its original's start tag.
        static let clone = Flags(rawValue: 2)
        /// Text that is not decoded: content of script, style and the like, CDATA.
        static let raw = Flags(rawValue: 4)
        /// Text in which NUL becomes U+FFFD.
        static let keepsNUL = Flags(rawValue: 8)
        /// Offsets point into the tree's edited bytes; they are decoded already.
        static let edited = Flags(rawValue: 16)
        /// On the stack of open elements (while building).
        static let open = Flags(rawValue: 32)
        /// In the SVG or MathML namespace.
        static let foreign = Flags(rawValue: 64)
        /// A start tag with an unknown name and no attributes, text unless its name turns out to be in use (SPEC T4).
        static let provisional = Flags(rawValue: 128)
    }

    @usableFromInline var kind: MarkupTree.Kind
    @usableFromInline var flags: Flags
    @usableFromInline var tag: TagID
    @usableFromInline var parent: UInt32
    /// One past the last node of the subtree.
    @usableFromInline var end: UInt32
    /// Text: its bytes. Others: the whole construct, an element's end tag included.
    @usableFromInline var sourceStart: UInt32
    @usableFromInline var sourceEnd: UInt32
    /// Elements: the first attribute, or ``noAttributes``. Comments and the like: where their text ends.
    @usableFromInline var extra: UInt32

    @usableFromInline static var noAttributes: UInt32 { .max }

    @usableFromInline @inline(__always)
    init(
        _ kind: MarkupTree.Kind, _ flags: Flags, _ tag: TagID, parent: UInt32, source: (UInt32, UInt32), extra: UInt32,
        end: UInt32 = 0
    ) {
        self.kind = kind
        self.flags = flags
        self.tag = tag
        self.parent = parent
        self.end = end
        sourceStart = source.0
        sourceEnd = source.1
        self.extra = extra
    }
}

/// The offsets with this bit point into a tree's edited bytes instead of its source.
let editedBit: UInt32 = 0x8000_0000
