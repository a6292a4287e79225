// Groups of values that few elements set: a style holds one pointer for the whole group.

/// Values of one feature, all of which have initial values.
package protocol RareGroup: Equatable, Sendable {
    init()
}

/// Stores a group outside of its style; while all values are initial, it stores nothing.
@propertyWrapper
package struct Rare<Group: RareGroup>: Equatable, Sendable {
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

    /// True if no value of the group was set. Reading it copies nothing.
    package var projectedValue: Bool { storage == nil }

    package static func == (a: Rare, b: Rare) -> Bool {
        a.storage === b.storage || a.storage?.group == b.storage?.group
    }
}
