import Testing

@testable import FancyTextBasics

@Suite struct HashIndexTests {
    @Test func positionsAreFoundByHashAndElement() {
        let words = ["a", "b", "c"]
        var index = HashIndex()
        // All with one hash, so that only the elements tell them apart.
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

    @Test func nothingIsLeftAfterRemoval() {
        var index = HashIndex()
        #expect(index.position(of: 1) { _ in true } == nil)
        index.insert(0, hash: 1)
        index.removeAll()
        #expect(index.position(of: 1) { _ in true } == nil)
    }
}
