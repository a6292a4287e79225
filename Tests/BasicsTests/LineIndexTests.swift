// Places of bytes: lines and columns, however they are asked for.

import Testing

@testable import Basics

@Suite struct LineIndexTests {
    @Test func placesAreThoseOfCountingFromTheStart() {
        let pieces = ["a", "é", "€", "😀", "\n", "\n\n", "long words "]
        let text = Array((0..<4000).map { pieces[($0 * 7 + $0 / 5) % pieces.count] }.joined().utf8)
        var expected: [[Int]] = []
        var (line, column) = (1, 1)
        for byte in text {
            expected.append([line, column])
            if byte == 0x0A {
                (line, column) = (line + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        let index = LineIndex()
        text.withUnsafeBufferPointer { bytes in
            for offset in stride(from: text.count - 1, to: 0, by: -37) + [0, 1, 1023, 1024, 1025, 2048] {
                let place = index.place(of: offset, in: bytes)
                #expect([place.line, place.column] == expected[offset], "at \(offset)")
            }
            let end = index.place(of: .max, in: bytes)
            #expect(end.line == line && end.column == column)
        }
    }
}
