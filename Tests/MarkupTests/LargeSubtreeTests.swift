import FancyTextTestSupport
import Testing

@testable import FancyTextMarkup

@Suite("Large subtrees") struct LargeSubtreeTests {
    /// Random subtrees, nested or adjacent; some of those in one range end together.
    private func subtrees(_ generator: inout SeededGenerator, in range: Range<UInt32>, depth: Int) -> [(UInt32, UInt32)]
    {
        guard depth > 0, range.count > 2 else { return [] }
        var found: [(UInt32, UInt32)] = []
        var at = range.lowerBound
        while at + 2 < range.upperBound {
            let start = at + UInt32.random(in: 0...2, using: &generator)
            guard start + 1 < range.upperBound else { break }
            let end =
                Bool.random(using: &generator)
                ? range.upperBound : UInt32.random(in: start + 1...range.upperBound, using: &generator)
            found.append((start, end))
            found += subtrees(&generator, in: start + 1..<max(end, start + 1), depth: depth - 1)
            at = end + UInt32.random(in: 0...3, using: &generator)
        }
        return found
    }

    @Test func theInnermostOneIsFoundInWhateverOrderTheyWereNoted() {
        var generator = SeededGenerator(state: 5)
        for round in 0..<200 {
            let all = [(0, 60)] + subtrees(&generator, in: 1..<60, depth: 6)
            var large = LargeSubtrees()
            switch round % 3 {
            case 0: for (index, end) in all.sorted(by: { $0.0 > $1.0 }) { large.note(index, end: end) }
            case 1: for (index, end) in all.sorted(by: { $0.0 < $1.0 }) { large.note(index, end: end) }
            default:
                // The last of several ends is used.
                for (index, _) in all.shuffled(using: &generator) { large.note(index, end: index + 1) }
                for (index, end) in all.shuffled(using: &generator) { large.note(index, end: end) }
            }
            large.seal()
            for (index, end) in all { #expect(large.end(index) == end) }
            for node in UInt32(1)..<60 {
                let innermost = all.filter { $0.0 < node && node < $0.1 }.map(\.0).max()
                #expect(large.parent(node) == innermost, "\(node) in \(all)")
            }
        }
    }
}
