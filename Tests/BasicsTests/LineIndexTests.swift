// Lines and columns of byte offsets, for look-ups in any order.

import FancyTextTestSupport
import Testing

@testable import FancyTextBasics

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

    /// Look-ups forwards and backwards, near and far, with line ends on both sides of every index entry.
    @Test func theOrderOfQuestionsChangesNothing() {
        var state: UInt64 = 3
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let pieces = ["\r\n", "\r", "\n", "plain words of one line, ", "\u{E001}", "é", "x"]
        for _ in 0..<20 {
            let text = Array((0..<400).map { _ in pieces[random(pieces.count)] }.joined().utf8)
            text.withUnsafeBufferPointer { bytes in
                let index = LineIndex()
                var offset = 0
                for _ in 0..<200 {
                    offset = random(8) == 0 ? random(text.count) : min(text.count, offset + random(90))
                    let place = index.place(of: offset, in: bytes)
                    let expected = Diagnostic.Location(source: "", offset: offset, in: bytes)
                    #expect(place.line == expected.line && place.column == expected.column, "at \(offset)")
                }
            }
        }
    }

    /// Many ascending look-ups do not count from the start again.
    @Test func manyPlacesAreFoundInTimeOfTheText() {
        let text = [UInt8](repeating: 0x78, count: 1 << 20)
        let index = LineIndex()
        let time = processorTime {
            text.withUnsafeBufferPointer { bytes in
                for offset in stride(from: 0, to: text.count, by: 64) {
                    #expect(index.place(of: offset, in: bytes).column == offset + 1)
                }
            }
        }
        #expect(time < .seconds(10))
    }

    /// Line ends at all positions within the words that are counted at once.
    @Test func linesOfAllLengthsAndEndsAreCounted() {
        let ends = ["\n", "\r\n", "\r", "\r\r\n", "é\n", "\t\u{1}\n"]
        let fillings = [("x", 80), ("é", 20), ("a€", 16), ("\u{7F}\u{B}\u{C}", 20)]
        var text: [UInt8] = []
        for (filling, most) in fillings {
            for length in 0..<most {
                text += String(repeating: filling, count: length).utf8
                text += ends[length % ends.count].utf8
            }
        }
        // Bytes of one character on both sides of every boundary.
        for length in 0..<64 {
            let line = String(repeating: "x", count: length) + "\u{F000}" + String(repeating: "y", count: 64)
            text += (line + "\n").utf8
        }
        var line = 1
        var column = 1
        let index = LineIndex()
        text.withUnsafeBufferPointer { bytes in
            for offset in bytes.indices {
                let place = index.place(of: offset, in: bytes)
                #expect(place.line == line && place.column == column, "at \(offset)")
                let isEnd =
                    bytes[offset] == 0x0A
                    || (bytes[offset] == 0x0D && (offset + 1 == bytes.count || bytes[offset + 1] != 0x0A))
                if isEnd {
                    (line, column) = (line + 1, 1)
                } else if bytes[offset] & 0xC0 != 0x80 {
                    column += 1
                }
            }
        }
    }
}
