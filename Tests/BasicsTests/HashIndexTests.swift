import Testing

@testable import FancyTextBasics

@Suite struct HashIndexTests {
    @Test func positionsAreFoundByHashAndElement() {
        let words = ["a", "b", "c"]
        var index = HashIndex()
        // All have the same hash, so only comparing elements distinguishes them.
        for position in words.indices { index.insert(position, hash: 7) }
        for (position, word) in words.enumerated() {
            #expect(index.position(of: 7) { words[$0] == word } == position)
        }
        #expect(index.position(of: 7) { words[$0] == "d" } == nil)
        #expect(index.position(of: 8) { _ in true } == nil)
    }

    @Test func positionsSurviveGrowth() {
        var index = HashIndex()
        for position in 0..<1000 { index.insert(position, hash: position &* 0x9E37_79B9 - 500) }
        for position in 0..<1000 {
            #expect(index.position(of: position &* 0x9E37_79B9 - 500) { $0 == position } == position)
        }
    }

    @Test func positionsSurviveReservedRoom() {
        for (count, wanted) in [(0, 0), (1, 9), (9, 9), (20, 5), (20, 1000)] {
            var index = HashIndex()
            for position in 0..<count { index.insert(position, hash: position &* 77) }
            index.reserve(wanted)
            for position in count..<count + 50 { index.insert(position, hash: position &* 77) }
            for position in 0..<count + 50 {
                #expect(index.position(of: position &* 77) { $0 == position } == position)
            }
        }
    }

    /// Positions are spread over the table even if hashes share bits.
    @Test(arguments: [0, 8, 16, 20, 32, 40]) func chosenHashesDoNotFallTogether(_ shift: UInt64) {
        var index = HashIndex()
        for position in 0..<20_000 { index.insert(position, hash: UInt64(position) << shift) }
        let longest = index.slots.split(separator: 0).map(\.count).max() ?? 0
        #expect(longest < 2000, "\(longest) positions one after the other")
    }

    @Test func hashesAreThoseOfTheBytes() {
        func hash(_ text: String) -> UInt64 { SeededHash.of(text.utf8) }
        for length in 0..<40 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 5) }
            var raw = SeededHash()
            bytes.withUnsafeBytes { raw.add($0) }
            #expect(raw.value == SeededHash.of(bytes))
        }
        #expect(hash("a") != hash("b") && hash("") != hash("\0") && hash("abcdefgh") != hash("abcdefgh\0"))
        #expect(SeededHash.of("a".utf8, space: 1) != SeededHash.of("a".utf8, space: 2))
        var fixed = SeededHash.fixed
        fixed.add("fancytext".utf8)
        // Files contain this value, so it must not change.
        #expect(fixed.value == 0x155816508AABBA1A)
    }

    @Test func nothingIsLeftAfterRemoval() {
        var index = HashIndex()
        #expect(index.position(of: 1) { _ in true } == nil)
        index.insert(0, hash: 1)
        index.removeAll()
        #expect(index.position(of: 1) { _ in true } == nil)
    }
}
