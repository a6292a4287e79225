import Testing

@testable import FancyTextBasics

@Suite struct OffsetMapTests {
    /// Characters of one to four bytes, and clusters of several scalars, at every distance from a block boundary.
    @Test(arguments: OffsetUnit.allCases)
    func everyCharacterIsFoundAtItsOffset(unit: OffsetUnit) {
        let pieces = ["a", "é", "語", "😀", "e\u{301}", "👩‍👧", "plain words of ASCII, longer than eight bytes"]
        for shift in 0..<8 {
            var text = String(repeating: "x", count: shift)
            for index in 0..<200 { text += pieces[index * (shift + 3) % pieces.count] }
            let map = OffsetMap(Array(text.utf8), unit: unit)
            var characters = 0
            for index in text.indices {
                let offset = text.utf8.distance(from: text.startIndex, to: index)
                let expected =
                    switch unit {
                    case .utf8: offset
                    case .utf16: text.utf16.distance(from: text.startIndex, to: index)
                    case .scalar: text.unicodeScalars.distance(from: text.startIndex, to: index)
                    case .grapheme: characters
                    }
                #expect(map.convert(offset) == expected)
                characters += 1
            }
        }
    }

    @Test(arguments: OffsetUnit.allCases)
    func offsetsOutsideTheTextAreItsEnds(unit: OffsetUnit) {
        let map = OffsetMap(Array("ab".utf8), unit: unit)
        #expect(map.convert(-1) == 0)
        #expect(map.convert(9) == 2)
        #expect(OffsetMap([], unit: unit).convert(3) == 0)
    }

    @Test func theEndOfAWholeBlockIsAnOffset() {
        #expect(OffsetMap(Array(repeating: 97, count: 128), unit: .scalar).convert(128) == 128)
    }
}
