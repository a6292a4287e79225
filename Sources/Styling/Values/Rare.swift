// Groups of values that few elements set: one pointer in a style instead of all of them.

/// Values of one feature, initial all together.
package protocol RareGroup: Hashable, Sendable {
    /// The initial values.
    init()
}

/// Keeps a group outside the style that holds it, and nothing at all while its values are initial.
@propertyWrapper
package struct Rare<Group: RareGroup>: Hashable, Sendable {
    private final class Storage: Sendable {
        let group: Group

        init(_ group: Group) { self.group = group }
    }

    private var storage: Storage?

    package init() {}

    package var wrappedValue: Group {
        get { storage?.group ?? Group() }
        set { storage = newValue == Group() ? nil : Storage(newValue) }
    }

    /// Whether no value of the group was set, which costs no copy to find out.
    package var projectedValue: Bool { storage == nil }

    package static func == (a: Rare, b: Rare) -> Bool {
        a.storage === b.storage || a.storage?.group == b.storage?.group
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(storage?.group) }
}
