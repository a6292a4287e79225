// Flat storage that grows in place: the storage of the arena, the attributes and the stack of open elements.

import CFancyTextMemory
import FancyTextPlatform

/// A growing buffer of trivial values, freed by its owner. Large blocks are mappings, which grow without copying.
@frozen @usableFromInline package struct GrowableBuffer<Element: BitwiseCopyable> {
    @usableFromInline package var base: UnsafeMutablePointer<Element>
    @usableFromInline package var count = 0
    @usableFromInline package var capacity: Int

    @inlinable package init(capacity: Int) {
        self.capacity = max(capacity, 8)
        base = Self.allocate(nil, 0, self.capacity)
    }

    /// The size in bytes from which blocks are mappings.
    private static var leastMapping: Int { 1 << 19 }

    @usableFromInline static func allocate(
        _ old: UnsafeMutablePointer<Element>?, _ oldCapacity: Int, _ capacity: Int
    ) -> UnsafeMutablePointer<Element> {
        let (bytes, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        let oldBytes = old == nil ? 0 : oldCapacity * MemoryLayout<Element>.stride
        guard !overflow, let block = resize(old, oldBytes, bytes) else { fatalError("out of memory") }
        return block.assumingMemoryBound(to: Element.self)
    }

    private static func resize(
        _ old: UnsafeMutablePointer<Element>?, _ oldBytes: Int, _ bytes: Int
    ) -> UnsafeMutableRawPointer? {
        guard bytes >= leastMapping else { return realloc(old, bytes) }
        let block = oldBytes >= leastMapping ? cmemory_resize(old, oldBytes, bytes) : cmemory_map(bytes)
        if oldBytes < leastMapping, let old, let block {
            block.copyMemory(from: old, byteCount: oldBytes)
            FancyTextPlatform.free(old)
        }
        // The first write to a page costs as much as filling it, so large blocks request pages of 2 MiB.
        if let block { madvise(block, bytes, MADV_HUGEPAGE) }
        return block
    }

    @usableFromInline static func release(_ block: UnsafeMutablePointer<Element>, _ capacity: Int) {
        let bytes = capacity * MemoryLayout<Element>.stride
        if bytes >= leastMapping { cmemory_unmap(block, bytes) } else { FancyTextPlatform.free(block) }
    }

    @inline(never) @inlinable package mutating func grow(toHold wanted: Int) {
        let old = capacity
        capacity = max(wanted, capacity + capacity / 2)
        base = Self.allocate(base, old, capacity)
    }

    @inlinable @inline(__always) package mutating func append(_ element: Element) {
        if count == capacity { grow(toHold: count + 1) }
        base[count] = element
        count &+= 1
    }

    /// Reserves capacity for `added` more elements.
    @inlinable @inline(__always) package mutating func reserve(_ added: Int) {
        if capacity &- count < added { grow(toHold: count + added) }
    }

    @inlinable package mutating func append(contentsOf source: UnsafeBufferPointer<Element>) {
        guard let from = source.baseAddress, source.count > 0 else { return }
        reserve(source.count)
        (base + count).update(from: from, count: source.count)
        count += source.count
    }

    @inlinable package func copy() -> GrowableBuffer {
        var other = GrowableBuffer(capacity: max(count, 1))
        other.append(contentsOf: UnsafeBufferPointer(start: base, count: count))
        return other
    }

    /// The elements, as long as the buffer is not changed.
    @inlinable @inline(__always)
    package var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }

    @inlinable package func free() { Self.release(base, capacity) }

    @inlinable @inline(__always) package subscript(_ index: Int) -> Element {
        get { base[index] }
        nonmutating set { base[index] = newValue }
    }
}
