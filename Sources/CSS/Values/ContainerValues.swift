// Containment and query containers (CSS Containment 3, CSS Conditional 5 §3, CSS Will Change 1).

/// `contain` (CSS Containment 2 §2): the effects outside the box that its contents cannot have.
package struct Containment: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let size = Containment(rawValue: 1)
    package static let inlineSize = Containment(rawValue: 2)
    package static let layout = Containment(rawValue: 4)
    package static let paint = Containment(rawValue: 8)
    package static let style = Containment(rawValue: 16)
    package static let content: Containment = [.layout, .paint, .style]
    package static let strict: Containment = [.size, .layout, .paint, .style]
}

/// `container-type` (CSS Conditional 5 §3.1).
package enum ContainerType: String, Sendable { case normal, inlineSize = "inline-size", size }

/// `content-visibility` (CSS Containment 2 §4).
package enum ContentVisibility: String, Sendable { case visible, auto, hidden }

/// The effects of `will-change` on a still picture (CSS Will Change 1 §3).
package struct ExpectedChanges: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The box makes a stacking context.
    package static let stacking = ExpectedChanges(rawValue: 1)
    /// The box contains its absolute and fixed descendants.
    package static let containsFixed = ExpectedChanges(rawValue: 2)
    /// The box contains its absolute descendants.
    package static let position = ExpectedChanges(rawValue: 4)
    /// An inline box too contains its absolute and fixed descendants.
    package static let filter = ExpectedChanges(rawValue: 8)
    /// A positioned box makes a stacking context.
    package static let zIndex = ExpectedChanges(rawValue: 16)
}

/// Properties of containers and of containment besides `contain`.
package struct ContainerStyle: RareGroup {
    package var type = ContainerType.normal
    package var names: [String] = []
    package var contentVisibility = ContentVisibility.visible
    /// `contain-intrinsic-width` and `-height` in CSS pixels; nil is `none`.
    package var intrinsicWidth, intrinsicHeight: Float?
    package var changes: ExpectedChanges = []

    package init() {}

    /// Names that no container has, because they have a meaning in a condition.
    package static let reservedNames: [StaticString] = ["none", "and", "or", "not"]

    var containment: Containment {
        let byVisibility: Containment =
            switch contentVisibility {
            case .visible: []
            case .auto: .content
            case .hidden: .strict
            }
        return switch type {
        case .normal: byVisibility
        case .inlineSize: byVisibility.union([.inlineSize, .style])
        case .size: byVisibility.union([.size, .style])
        }
    }
}

/// The size of a query container's content box in CSS pixels.
package struct ContainerSize: Hashable, Sendable {
    package var width, height: Double

    package init(width: Double, height: Double) { (self.width, self.height) = (width, height) }
}

/// The lengths of which `cqw` and `cqh` are hundredths, by the nearest container of each axis (CSS Conditional 5 §6).
package struct ContainerUnits: Hashable, Sendable {
    package var width, height: Double?

    package init(width: Double? = nil, height: Double? = nil) { (self.width, self.height) = (width, height) }
}
