// An array of plain values at a bare address, for tables that are read millions of times: no reference counting and no
// copying. Its owner deallocates it.

@frozen @usableFromInline
package struct GrowingBuffer<Element: BitwiseCopyable> {
    @inlinable package init() {}

    @usableFromInline package internal(set) var pointer = UnsafeMutablePointer<Element>.allocate(capacity: 16)
    @usableFromInline package internal(set) var count = 0
    @usableFromInline var capacity = 16

    @inlinable @inline(__always)
    package subscript(index: Int) -> Element {
        get {
            assert(index >= 0 && index < count)
            return pointer[index]
        }
        nonmutating set {
            assert(index >= 0 && index < count)
            pointer[index] = newValue
        }
    }

    @inlinable @inline(__always)
    package mutating func append(_ element: Element) {
        if count == capacity { grow() }
        (pointer + count).initialize(to: element)
        count += 1
    }

    @inlinable package mutating func removeAll() { count = 0 }

    @usableFromInline mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
        larger.update(from: pointer, count: count)
        pointer.deallocate()
        pointer = larger
        capacity *= 2
    }

    @inlinable package mutating func deallocate() {
        pointer.deallocate()
        count = 0
        capacity = 0
    }
}
