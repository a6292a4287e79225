// Lengths with percentages whose base only layout knows.

/// `px + percent% of a base that only layout knows` (CSS Values 4 §5.1.2). `calc()` with both parts also computes to this.
///
/// `min()`, `max()` and `clamp()` of such sums add bounds, which are sums themselves (CSS Values 4 §10.2).
public struct LengthPercentage: Hashable, Sendable {
    /// CSS pixels.
    public var px: Float
    /// Share of the base: 0.5 is 50%.
    public var fraction: Float
    @usableFromInline package var low = Sum(px: -.infinity)
    /// The lower bound wins if both conflict.
    @usableFromInline package var high = Sum(px: .infinity)

    /// A sum of both parts; an infinite one means no bound.
    @usableFromInline package struct Sum: Hashable, Sendable {
        @usableFromInline package var px, fraction: Float

        @inlinable package init(px: Float, fraction: Float = 0) { (self.px, self.fraction) = (px, fraction) }

        /// The sum in CSS pixels, rounded as in browsers: they multiply by the percentage and then divide by 100, so that
        /// 33.333332% of 600 is 200.
        @inlinable package func resolved(against base: Float) -> Float {
            fraction == 0 ? px : px + base * (fraction * 100) / 100
        }
    }

    /// Creates a length from CSS pixels and a fraction of the base of percentages.
    @inlinable public init(px: Float = 0, fraction: Float = 0) { (self.px, self.fraction) = (px, fraction) }

    /// A length of zero.
    public static let zero = LengthPercentage()

    @inlinable package var isBounded: Bool { low.px != -.infinity || high.px != .infinity }

    package var isZero: Bool { px == 0 && abs(fraction) < 1e-9 && !isBounded }

    @inlinable package var isRelative: Bool { fraction != 0 || isBounded }

    /// The length in CSS pixels.
    @inlinable public func resolved(against base: Float) -> Float {
        let value = Sum(px: px, fraction: fraction).resolved(against: base)
        guard isBounded else { return value }
        return max(low.resolved(against: base), min(value, high.resolved(against: base)))
    }

    /// The length with its sum and bounds changed by the same increasing function.
    package func mapped(_ change: (Sum) -> Sum) -> LengthPercentage {
        let sum = change(Sum(px: px, fraction: fraction))
        var result = LengthPercentage(px: sum.px, fraction: sum.fraction)
        if low.px != -.infinity { result.low = change(low) }
        if high.px != .infinity { result.high = change(high) }
        return result
    }

    package func scaled(by factor: Float) -> LengthPercentage {
        mapped { Sum(px: $0.px * factor, fraction: $0.fraction) }
    }

    /// The rest of the base: the same distance measured from the other end.
    package var fromEnd: LengthPercentage {
        func left(_ sum: Sum) -> Sum { Sum(px: -sum.px, fraction: 1 - sum.fraction) }
        var result = LengthPercentage(px: -px, fraction: 1 - fraction)
        if low.px != -.infinity { result.high = left(low) }
        if high.px != .infinity { result.low = left(high) }
        return result
    }
}
