// Buffers keep their contents when they grow.

import Testing

@testable import FancyTextBasics

@Suite struct GrowableBufferTests {
    @Test func contentsStayWhileABufferGrows() {
        var buffer = GrowableBuffer<UInt32>(capacity: 8)
        defer { buffer.free() }
        // Larger than blocks of the heap, and than some sizes of mappings.
        let count = 5 << 20
        for number in 0..<count { buffer.append(UInt32(number)) }
        #expect(buffer.count == count && (0..<count).allSatisfy { buffer[$0] == UInt32($0) })
    }

    @Test func copiesHaveMemoryOfTheirOwn() {
        for count in [3, 2 << 20] {
            var buffer = GrowableBuffer<UInt64>(capacity: count)
            for number in 0..<count { buffer.append(UInt64(number)) }
            var copy = buffer.copy()
            buffer[count - 1] = 0
            buffer.free()
            copy.append(7)
            #expect(copy[count - 1] == UInt64(count - 1) && copy[count] == 7)
            copy.free()
        }
    }
}
