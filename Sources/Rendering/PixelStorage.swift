// Memory for canvases.

import Glibc

/// Allocates pixels. Large canvases ask for huge pages: faulting in 3 MB page by page took longer than painting a card.
enum PixelStorage {
    private static let hugePage = 2 << 20

    /// Uninitialized memory for `count` pixels, to be given back with ``free(_:)``.
    static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt32> {
        var bytes = max(1, count) * MemoryLayout<UInt32>.stride
        var memory: UnsafeMutableRawPointer?
        let isLarge = bytes >= hugePage
        // Whole pages, so that the end of the pixels needs no small ones.
        if isLarge { bytes = (bytes + hugePage - 1) & -hugePage }
        guard posix_memalign(&memory, isLarge ? hugePage : 64, bytes) == 0, let memory else {
            fatalError("out of memory for a canvas of \(count) pixels")
        }
        if isLarge { madvise(memory, bytes, MADV_HUGEPAGE) }
        return memory.bindMemory(to: UInt32.self, capacity: max(1, count))
    }

    /// Transparent pixels; of large memory only the pages that are touched cost anything.
    static func allocateCleared(_ count: Int) -> UnsafeMutablePointer<UInt32> {
        guard let memory = calloc(max(1, count), MemoryLayout<UInt32>.stride) else {
            fatalError("out of memory for a layer of \(count) pixels")
        }
        return memory.bindMemory(to: UInt32.self, capacity: max(1, count))
    }

    static func free(_ pixels: UnsafeMutablePointer<UInt32>) { Glibc.free(pixels) }
}
