// A group of values that structs share until one of them changes it (copy-on-write). In: a value, the class of its memory.

/// The memory of a shared value. Each group has a class of its own, because creating an object of a generic class is slower.
@usableFromInline package protocol SharedStorage: AnyObject, Sendable {
    associatedtype Value: Sendable
    /// The address of the value, which is changed only while the object has one reference.
    var address: UnsafeMutablePointer<Value> { get }
    init(_ value: Value)
}

extension UnsafeMutablePointer {
    @inlinable package static func allocate(_ value: Pointee) -> UnsafeMutablePointer {
        let address = allocate(capacity: 1)
        address.initialize(to: value)
        return address
    }

    @inlinable package func free() {
        deinitialize(count: 1)
        deallocate()
    }
}

/// A value in separate memory that copies share; the first change of a copy copies the value.
@frozen @usableFromInline package struct SharedValue<Storage: SharedStorage>: Sendable {
    @usableFromInline package var storage: Storage

    @inlinable package init(_ value: Storage.Value) { storage = Storage(value) }

    /// Valid until the value is freed or changed.
    @inlinable
    package var address: UnsafePointer<Storage.Value> { @inline(__always) get { UnsafePointer(storage.address) } }

    /// An address, not `_read`, which without optimization copies the whole value to the stack for each property read.
    @inlinable package var value: Storage.Value {
        @inline(__always) unsafeAddress { UnsafePointer(storage.address) }
        @inline(__always) unsafeMutableAddress {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.address.pointee) }
            return storage.address
        }
    }

    /// Returns whether two values are unchanged copies of each other.
    @inlinable @inline(__always) package func isShared(with other: SharedValue) -> Bool { storage === other.storage }
}

extension SharedValue: Equatable where Storage.Value: Equatable {
    @inlinable package static func == (a: SharedValue, b: SharedValue) -> Bool {
        a.storage === b.storage || a.value == b.value
    }
}

extension SharedValue: Hashable where Storage.Value: Hashable {
    @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
