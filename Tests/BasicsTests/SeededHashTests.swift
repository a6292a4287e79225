import Testing

@testable import FancyTextBasics

@Suite struct SeededHashTests {
    @Test func hashesAreThoseOfTheBytes() {
        func hash(_ text: String) -> UInt64 { SeededHash.of(text.utf8) }
        #expect(hash("a") == hash("a") && hash("a longer text") == hash("a longer text"))
        #expect(hash("a") != hash("b") && hash("") != hash("\0") && hash("abcdefgh") != hash("abcdefgh\0"))
        #expect(SeededHash.of("a".utf8, space: 1) != SeededHash.of("a".utf8, space: 2))
    }
}
