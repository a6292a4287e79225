import Testing

@testable import FancyTextBasics

@Suite struct BoundedIntegerTests {
    @Test func numbersBecomeTheNearestIntegerWithinBounds() {
        #expect(Int(bounded: 1.9) == 1 && Int(bounded: -1.9 as Float) == -1 && Int(bounded: 0.0) == 0)
        #expect(Int(bounded: Double.nan) == 0 && UInt8(bounded: Float.nan) == 0)
        #expect(Int(bounded: Double.infinity) == 100_000_000 && Int(bounded: -Float.infinity) == -100_000_000)
        #expect(
            Int(bounded: 1e300, by: 1e15) == 1_000_000_000_000_000
                && Int(bounded: 1e300, by: 1e18) == 1_000_000_000_000_000_000)
        #expect(Int(bounded: -1e300, by: 1e18) == -1_000_000_000_000_000_000)
        #expect(UInt8(bounded: 300.0) == 255 && UInt8(bounded: -1.0) == 0 && UInt8(bounded: 254.9 as Float) == 254)
        #expect(Int32(bounded: 3e9, by: 2_147_483_648) == .max && Int32(bounded: -3e9, by: 2_147_483_648) == .min)
        #expect(UInt32(bounded: -0.5) == 0 && Int8(bounded: -128.5) == -128)
    }
}
