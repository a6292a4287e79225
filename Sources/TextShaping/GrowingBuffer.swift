// An array of plain values at a bare address, for tables that are read millions of times: no reference counting and no
// copying. Its owner deallocates it.

struct GrowingBuffer<Element: BitwiseCopyable> {
    private(set) var pointer = UnsafeMutablePointer<Element>.allocate(capacity: 16)
    private(set) var count = 0
    private var capacity = 16

    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            assert(index >= 0 && index < count)
            return pointer[index]
        }
        nonmutating set {
            assert(index >= 0 && index < count)
            pointer[index] = newValue
        }
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow() }
        (pointer + count).initialize(to: element)
        count += 1
    }

    mutating func removeAll() { count = 0 }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
        larger.update(from: pointer, count: count)
        pointer.deallocate()
        pointer = larger
        capacity *= 2
    }

    mutating func deallocate() {
        pointer.deallocate()
        count = 0
        capacity = 0
    }
}
