// The axes that a font's `fvar` table declares.

import Testing

@testable import FancyTextTypography

@Suite struct FontAxisTests {
    @Test func axesAreRecordsOfTwentyBytes() {
        /// One record after the header, which declares the number and size of records.
        func axes(count: UInt8, size: UInt8) -> Int {
            var bytes: [UInt8] = [0, 1, 0, 0, 0, 16, 0, 2, 0, count, 0, size, 0, 0, 0, 0]
            bytes += Array("wght".utf8) + [0, 100, 0, 0, 1, 0x90, 0, 0, 3, 0x84, 0, 0, 0, 0, 0, 0]
            return FontAxis.all(in: FontTable(file: bytes, range: 0..<bytes.count)).count
        }
        #expect(axes(count: 1, size: 20) == 1)
        // A record may neither exceed the table nor be repeated.
        #expect(axes(count: 255, size: 20) == 1)
        #expect(axes(count: 255, size: 0) == 0)
    }
}
