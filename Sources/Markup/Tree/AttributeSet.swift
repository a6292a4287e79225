// The attributes of an element as bits: after one pass over them, look-ups by name are O(1).

import FancyTextBasics

@frozen @usableFromInline package struct AttributeSet: Sendable, BitwiseCopyable, ExpressibleByArrayLiteral {
    @usableFromInline var bits: UInt128 = 0

    @inlinable package init() {}

    @inlinable package init(arrayLiteral elements: AttributeID...) { for element in elements { insert(element) } }

    @inlinable package mutating func insert(_ id: AttributeID) { bits |= 1 &<< UInt128(id.rawValue) }

    @inlinable package func contains(_ id: AttributeID) -> Bool { bits &>> UInt128(id.rawValue) & 1 != 0 }

    @inlinable package func isDisjoint(with other: AttributeSet) -> Bool { bits & other.bits == 0 }
}

extension MarkupTree {
    /// The names of an element's attributes, collected in one pass. O(attributes).
    package func names(ofAttributesOf n: NodeID) -> AttributeNames {
        var names = AttributeNames()
        guard hasAttributes(n) else { return names }
        let first = storage.attributes.first(of: n.index, storage.nodes[Int(n.index)])
        var attribute = UnsafePointer(storage.attributes.items.base + first)
        while true {
            let id = attribute.pointee.id
            names.set.insert(id)
            if id == .classNames, names.classNames == nil { names.classNames = attribute }
            if id == .id, names.id == nil { names.id = attribute }
            if attribute.pointee.isLast { return names }
            attribute += 1
        }
    }
}

/// The known names of an element's attributes, and its `id` and `class`. Valid until the tree is edited.
package struct AttributeNames {
    package var set = AttributeSet()
    package var id: UnsafePointer<Attribute>?
    package var classNames: UnsafePointer<Attribute>?

    package init() {}
}
