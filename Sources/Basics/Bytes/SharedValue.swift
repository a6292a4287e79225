// A group of values that structs share until one of them changes it (copy-on-write). In: a value. Out: the same value, in memory
// that its copies share.

/// The memory of a shared value, which is changed only while the object has one reference.
@usableFromInline package final class SharedStorage<Value: Sendable>: @unchecked Sendable {
    @usableFromInline let address: UnsafeMutablePointer<Value>

    @inlinable init(_ value: Value) {
        address = .allocate(capacity: 1)
        address.initialize(to: value)
    }

    deinit {
        address.deinitialize(count: 1)
        address.deallocate()
    }
}

/// A value in separate memory that copies share; the first change of a copy copies the value.
@frozen @usableFromInline package struct SharedValue<Value: Sendable>: Sendable {
    @usableFromInline var storage: SharedStorage<Value>

    @inlinable package init(_ value: Value) { storage = SharedStorage(value) }

    /// Valid until the value is freed or changed.
    @inlinable
    package var address: UnsafePointer<Value> { @inline(__always) get { UnsafePointer(storage.address) } }

    /// An address, not `_read`, which without optimization copies the whole value to the stack for each property read.
    @inlinable package var value: Value {
        @inline(__always) unsafeAddress { UnsafePointer(storage.address) }
        @inline(__always) unsafeMutableAddress {
            if !isKnownUniquelyReferenced(&storage) { storage = SharedStorage(storage.address.pointee) }
            return storage.address
        }
    }

    /// Returns whether two values are unchanged copies of each other.
    @inlinable @inline(__always) package func isShared(with other: SharedValue) -> Bool { storage === other.storage }
}

extension SharedValue: Equatable where Value: Equatable {
    @inlinable package static func == (a: SharedValue, b: SharedValue) -> Bool {
        a.storage === b.storage || a.value == b.value
    }
}
