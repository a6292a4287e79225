// Which attributes an element has, as bits: one pass over them answers all questions for their names.

import Basics

/// A set of known attribute names.
package struct AttributeSet: Sendable, ExpressibleByArrayLiteral {
    package var words: SIMD2<UInt64> = .zero

    @inlinable package init() {}

    package init(arrayLiteral elements: AttributeID...) {
        for element in elements { insert(element) }
    }

    @inlinable @inline(__always)
    package mutating func insert(_ id: AttributeID) {
        words[Int(id.rawValue >> 6) & 1] |= 1 << UInt64(id.rawValue & 63)
    }

    @inlinable @inline(__always)
    package func contains(_ id: AttributeID) -> Bool {
        words[Int(id.rawValue >> 6) & 1] & (1 << UInt64(id.rawValue & 63)) != 0
    }

    @inlinable @inline(__always)
    package func isDisjoint(with other: AttributeSet) -> Bool { words & other.words == .zero }
}

extension MarkupTree {
    /// The first attribute of an element that has some; the others follow it up to the one that is the last. O(1).
    @inlinable @inline(__always)
    package func firstAttribute(of n: NodeID, _ node: Node) -> UnsafePointer<Attribute> {
        UnsafePointer(storage.attributes.items.base + storage.attributes.first(of: n.index, node))
    }

    /// The names of an element's attributes, those without an id left out.
    package func attributeSet(_ n: NodeID) -> AttributeSet {
        var set = AttributeSet()
        forEachAttribute(n) { set.insert(AttributeID(rawValue: $0.id)) }
        return set
    }
}
