// A group of values that the structs holding it share until one of them changes it.

/// A value in memory of its own.
@usableFromInline package class StoredValue<Value: Sendable>: @unchecked Sendable {
    /// Changed only while nobody else has the object.
    @usableFromInline package final let address: UnsafeMutablePointer<Value>

    @inlinable
    package required init(_ value: Value) {
        address = .allocate(capacity: 1)
        address.initialize(to: value)
    }

    deinit {
        address.deinitialize(count: 1)
        address.deallocate()
    }
}

/// The memory of a shared value: a subclass of ``StoredValue`` for each group, as making one of a generic class looks its type
/// up each time.
@usableFromInline package protocol SharedStorage: AnyObject, Sendable {
    associatedtype Value: Sendable
    var address: UnsafeMutablePointer<Value> { get }
    init(_ value: Value)
}

/// A value in memory of its own, which copies share: the first change of one of them copies it.
@frozen @usableFromInline
package struct SharedValue<Storage: SharedStorage>: Sendable {
    @usableFromInline package var storage: Storage

    @inlinable
    package init(_ value: Storage.Value) { storage = Storage(value) }

    /// Valid while the value is there and nobody changes it.
    @inlinable
    package var address: UnsafePointer<Storage.Value> { @inline(__always) get { UnsafePointer(storage.address) } }

    /// An address, not `_read`: without optimization that yields the value in the caller's frame, whole, for each property that
    /// is asked for, and the stack has to hold a page's depth of them.
    @inlinable
    package var value: Storage.Value {
        @inline(__always) unsafeAddress { UnsafePointer(storage.address) }
        @inline(__always) unsafeMutableAddress {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.address.pointee) }
            return storage.address
        }
    }

    /// Whether two are copies that nobody has changed since.
    @inlinable @inline(__always)
    package func isShared(with other: SharedValue) -> Bool { storage === other.storage }
}

extension SharedValue: Equatable where Storage.Value: Equatable {
    @inlinable
    package static func == (a: SharedValue, b: SharedValue) -> Bool {
        a.storage === b.storage || a.value == b.value
    }
}

extension SharedValue: Hashable where Storage.Value: Hashable {
    @inlinable
    package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
