// Memory for canvases.

import FancyTextPlatform

/// Allocates pixels. Large canvases ask for huge pages: faulting in 3 MB page by page took longer than painting a card.
enum PixelStorage {
    private static let hugePage = 2 << 20

    /// Uninitialized memory for `count` pixels, to be given back with ``free(_:)``.
    static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt32> {
        let bytes = max(1, count) * MemoryLayout<UInt32>.stride
        let memory = bytes >= hugePage ? allocateLarge(bytes) : allocate(bytes, alignment: 64)
        guard let memory else { fatalError("out of memory for a canvas of \(count) pixels") }
        return memory.bindMemory(to: UInt32.self, capacity: max(1, count))
    }

    private static func allocate(_ bytes: Int, alignment: Int) -> UnsafeMutableRawPointer? {
        var memory: UnsafeMutableRawPointer?
        return posix_memalign(&memory, alignment, bytes) == 0 ? memory : nil
    }

    /// Memory in whole huge pages, so that the end of the pixels needs no small ones.
    private static func allocateLarge(_ bytes: Int) -> UnsafeMutableRawPointer? {
        let whole = (bytes + hugePage - 1) & -hugePage
        guard let memory = allocate(whole, alignment: hugePage) else { return nil }
        madvise(memory, whole, MADV_HUGEPAGE)
        return memory
    }

    /// Transparent pixels, to be given back with ``freeCleared(_:count:)``. Many of them come from the system each time, so
    /// that only the pages that are touched cost anything.
    static func allocateCleared(_ count: Int) -> UnsafeMutablePointer<UInt32> {
        let count = max(1, count)
        let bytes = count * MemoryLayout<UInt32>.stride
        let memory =
            isMapped(count)
            ? mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : calloc(1, bytes)
        guard let memory, memory != MAP_FAILED else { fatalError("out of memory for a layer of \(count) pixels") }
        return memory.bindMemory(to: UInt32.self, capacity: count)
    }

    static func freeCleared(_ pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        if isMapped(count) {
            munmap(pixels, count * MemoryLayout<UInt32>.stride)
        } else {
            FancyTextPlatform.free(pixels)
        }
    }

    /// Few pixels are cleared sooner than the system brings them.
    private static func isMapped(_ count: Int) -> Bool { count >= 1 << 15 }

    static func free(_ pixels: UnsafeMutablePointer<UInt32>) { FancyTextPlatform.free(pixels) }
}
