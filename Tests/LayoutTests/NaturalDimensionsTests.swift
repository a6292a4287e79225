import Testing

@testable import FancyTextBasics
@testable import FancyTextBoxes
@testable import FancyTextLayout

/// The default sizing algorithm (CSS Images 3 §4.3).
@Suite struct NaturalDimensionsTests {
    private static let area = Size(width: 200, height: 50)

    @Test(arguments: [
        (NaturalDimensions(width: 40, height: 20), Size(width: 40, height: 20)),
        (NaturalDimensions(width: 40, height: nil), Size(width: 40, height: 50)),
        (NaturalDimensions(width: nil, height: 20), Size(width: 200, height: 20)),
        (NaturalDimensions(width: 40, height: nil, ratio: 4), Size(width: 40, height: 10)),
        (NaturalDimensions(width: nil, height: 20, ratio: 4), Size(width: 80, height: 20)),
        (NaturalDimensions(width: nil, height: nil, ratio: 2), Size(width: 100, height: 50)),
        (NaturalDimensions(width: nil, height: nil), area),
    ])
    func whatIsNotNaturalComesFromTheDefaultSize(_ natural: NaturalDimensions, _ size: Size) {
        #expect(natural.size(default: Self.area) == size)
    }

    @Test func oneSpecifiedSideGivesTheOtherByTheRatio() {
        let wide = NaturalDimensions(width: 40, height: 20)
        #expect(wide.size(width: 10, default: Self.area) == Size(width: 10, height: 5))
        #expect(wide.size(height: 10, default: Self.area) == Size(width: 20, height: 10))
        let unrelated = NaturalDimensions(width: nil, height: 20)
        #expect(unrelated.size(width: 10, default: Self.area) == Size(width: 10, height: 20))
    }

    @Test func coveringAndContainedSizesKeepTheRatio() {
        let square = NaturalDimensions(width: 8, height: 8)
        #expect(square.contained(in: Self.area) == Size(width: 50, height: 50))
        #expect(square.covering(Self.area) == Size(width: 200, height: 200))
        #expect(NaturalDimensions(width: 8, height: nil).covering(Self.area) == Self.area)
    }

    @Test func sidesOfZeroHaveNoRatio() {
        #expect(NaturalDimensions(width: 8, height: 0).ratio == nil)
        #expect(NaturalDimensions(width: 8, height: 0, ratio: 3).ratio == 3)
    }
}
