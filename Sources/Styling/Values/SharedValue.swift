// A group of values that styles share until one of them changes it. Public, as are the groups: other modules read them in
// place, where the compiler copies a whole group for an accessor that is the package's own.

/// The memory of a shared value. A class of its own for each group: making one of a generic class looks its type up.
public protocol SharedStorage: AnyObject, Sendable {
    associatedtype Value: Hashable & Sendable
    /// Changed only while nobody else has the storage.
    var value: Value { get set }
    init(_ value: Value)
}

/// A value in memory of its own, which copies share: the first change of one of them copies it.
public struct SharedValue<Storage: SharedStorage>: Hashable, Sendable {
    @usableFromInline var storage: Storage

    @inlinable
    public init(_ value: Storage.Value) { storage = Storage(value) }

    @inlinable
    public var value: Storage.Value {
        @inline(__always) _read { yield storage.value }
        @inline(__always) _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }

    /// Whether two are copies that nobody has changed since.
    @inline(__always)
    func isShared(with other: SharedValue) -> Bool { storage === other.storage }

    public static func == (a: SharedValue, b: SharedValue) -> Bool {
        a.storage === b.storage || a.storage.value == b.storage.value
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
