// The distribution of a line's free space to its items (CSS Flexible Box Layout 1 §9.7).

import Testing

@testable import FancyTextLayout

@Suite struct FlexibleLengthsTests {
    private func item(
        _ base: Float, grow: Float = 0, shrink: Float = 1, least: Float = 0, most: Float? = nil, frame: Float = 0
    ) -> FlexibleLengths.Item {
        FlexibleLengths.Item(
            base: LayoutUnit(base), minimum: LayoutUnit(least), maximum: most.map { LayoutUnit($0) } ?? .unlimited,
            margin: .zero, frame: LayoutUnit(frame), growth: grow, shrinkage: shrink)
    }

    private func sizes(_ items: [FlexibleLengths.Item], in space: Float) -> [Float] {
        FlexibleLengths(items, filling: LayoutUnit(space)).sizes.map(\.float)
    }

    @Test func itemsGrowByTheirFactors() {
        #expect(sizes([item(10, grow: 1), item(10, grow: 3), item(10)], in: 110) == [30, 70, 10])
    }

    @Test func factorsBelowOneLeaveSpace() {
        #expect(sizes([item(0, grow: 0.25), item(0, grow: 0.25)], in: 100) == [25, 25])
    }

    @Test func itemsShrinkByTheirContents() {
        #expect(sizes([item(100), item(300)], in: 200) == [50, 150])
        // Borders and padding keep their size.
        #expect(sizes([item(100, frame: 100), item(100)], in: 150) == [100, 50])
    }

    @Test func limitsPassTheRestOn() {
        #expect(sizes([item(0, grow: 1, most: 20), item(0, grow: 1), item(0, grow: 1)], in: 100) == [20, 40, 40])
        #expect(sizes([item(100, least: 90), item(100)], in: 120) == [90, 30])
        // A minimum that is only violated in the second round.
        #expect(
            sizes([item(0, grow: 1, least: 60), item(0, grow: 1, least: 30), item(0, grow: 1)], in: 100) == [
                60, 30, 10,
            ])
    }

    @Test func whatCannotFlexOverflows() {
        #expect(sizes([item(80, shrink: 0), item(80, shrink: 0)], in: 100) == [80, 80])
        #expect(sizes([], in: 100).isEmpty)
    }
}
