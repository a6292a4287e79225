// Flat storage that grows in place: what the arena, the attributes and the open-element stack are made of.

import Glibc

/// A growing buffer of trivial values.
///
/// `realloc` moves large blocks by remapping pages, so growth neither copies nor doubles the peak, and pages
/// never written stay out of memory: both are what Swift's arrays do not promise. The owner calls `free()`.
@usableFromInline
struct GrowableBuffer<Element: BitwiseCopyable> {
    @usableFromInline var base: UnsafeMutablePointer<Element>
    @usableFromInline var count = 0
    @usableFromInline var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 8)
        base = Self.allocate(nil, self.capacity)
    }

    private static func allocate(
        _ old: UnsafeMutablePointer<Element>?, _ capacity: Int
    ) -> UnsafeMutablePointer<Element> {
        let (bytes, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        guard !overflow, let block = realloc(old, bytes) else { fatalError("out of memory") }
        // The first write to a page costs as much as filling it: large blocks ask for pages of 2 MiB.
        if bytes >= 4 << 20 {
            let page = Int(bitPattern: block) & ~4095
            madvise(UnsafeMutableRawPointer(bitPattern: page), bytes + Int(bitPattern: block) - page, MADV_HUGEPAGE)
        }
        return block.assumingMemoryBound(to: Element.self)
    }

    @inline(never)
    mutating func grow(toHold wanted: Int) {
        capacity = max(wanted, capacity + capacity / 2)
        base = Self.allocate(base, capacity)
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(toHold: count + 1) }
        base[count] = element
        count &+= 1
    }

    /// Makes room for `added` further elements.
    @inline(__always)
    mutating func reserve(_ added: Int) {
        if capacity &- count < added { grow(toHold: count + added) }
    }

    mutating func append(contentsOf source: UnsafeBufferPointer<Element>) {
        guard let from = source.baseAddress, source.count > 0 else { return }
        if count + source.count > capacity { grow(toHold: count + source.count) }
        (base + count).update(from: from, count: source.count)
        count += source.count
    }

    /// Makes room for `added` elements at `index`, their values unset.
    mutating func openGap(at index: Int, count added: Int) {
        if count + added > capacity { grow(toHold: count + added) }
        (base + index + added).update(from: base + index, count: count - index)
        count += added
    }

    /// Removes `removed` elements at `index`.
    mutating func closeGap(at index: Int, count removed: Int) {
        (base + index).update(from: base + index + removed, count: count - index - removed)
        count -= removed
    }

    /// A copy with its own memory.
    func copy() -> GrowableBuffer {
        var other = GrowableBuffer(capacity: max(count, 1))
        other.append(contentsOf: UnsafeBufferPointer(start: base, count: count))
        return other
    }

    func free() { Glibc.free(base) }

    @inline(__always)
    subscript(_ index: Int) -> Element {
        get { base[index] }
        nonmutating set { base[index] = newValue }
    }
}
