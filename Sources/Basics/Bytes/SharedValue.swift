// A group of values that the structs holding it share until one of them changes it.

/// A value in memory of its own, which copies share: the first change of one of them copies it.
package struct SharedValue<Value: Sendable>: Sendable {
    @usableFromInline
    final class Storage: @unchecked Sendable {
        /// Changed only while nobody else has the storage.
        @usableFromInline var value: Value

        @inlinable init(_ value: Value) { self.value = value }
    }

    @usableFromInline var storage: Storage

    @inlinable package init(_ value: Value) { storage = Storage(value) }

    @inlinable package var value: Value {
        @inline(__always) _read { yield storage.value }
        @inline(__always) _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }
}

extension SharedValue: Equatable where Value: Equatable {
    @inlinable package static func == (a: SharedValue, b: SharedValue) -> Bool {
        a.storage === b.storage || a.value == b.value
    }
}

extension SharedValue: Hashable where Value: Hashable {
    @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
