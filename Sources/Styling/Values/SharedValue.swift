// A group of values that styles share until one of them changes it.

/// A value in memory of its own, which copies share: the first change of one of them copies it.
struct SharedValue<Value: Hashable & Sendable>: Hashable, Sendable {
    private final class Storage: @unchecked Sendable {
        /// Changed only while nobody else has the storage.
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    init(_ value: Value) { storage = Storage(value) }

    var value: Value {
        @inline(__always) _read { yield storage.value }
        @inline(__always) _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }

    static func == (a: SharedValue, b: SharedValue) -> Bool { a.storage === b.storage || a.value == b.value }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
