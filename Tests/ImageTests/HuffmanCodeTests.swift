import Testing

@testable import FancyTextImages

@Suite struct HuffmanCodeTests {
    /// The sum of the codes' shares, in units of 2⁻¹⁵.
    private func share(_ code: HuffmanCode) -> Int {
        code.lengths.reduce(0) { $0 + ($1 > 0 ? 1 << (15 - Int($1)) : 0) }
    }

    @Test func frequentSymbolsHaveShortCodes() {
        #expect(HuffmanCode([8, 4, 2, 1, 1], longest: 15).lengths == [1, 2, 3, 4, 4])
        #expect(HuffmanCode([5, 5, 5, 5], longest: 15).lengths == [2, 2, 2, 2])
    }

    /// RFC 1951 §3.2.2 has this example: codes 010, 011, 100, 101, 110, 00, 1110 and 1111.
    @Test func codesAreNumberedInOrder() {
        let code = HuffmanCode([8, 8, 8, 8, 8, 16, 4, 4], longest: 15)
        #expect(code.lengths == [3, 3, 3, 3, 3, 2, 4, 4])
        #expect(code.codes == [0b010, 0b110, 0b001, 0b101, 0b011, 0b00, 0b0111, 0b1111])
    }

    @Test func oneSymbolHasOneBitAndNoneHasNone() {
        #expect(HuffmanCode([0, 3, 0], longest: 15).lengths == [0, 1, 0])
        #expect(HuffmanCode([0, 0], longest: 15).lengths == [0, 0])
    }

    /// Fibonacci numbers give the deepest trees.
    @Test(arguments: [5, 7, 15])
    func noCodeIsTooLong(longest: Int) {
        var counts: [UInt32] = [1, 1]
        while counts.count < 30 { counts.append(counts[counts.count - 1] + counts[counts.count - 2]) }
        let code = HuffmanCode(counts, longest: longest)
        #expect(code.lengths.allSatisfy { (1...longest).contains(Int($0)) })
        #expect(share(code) == 1 << 15)
    }
}
