// Lengths of which only layout knows what their percentages are of.

/// `px + percent% of a base that only layout knows` (CSS Values 4 §5.1.2); also what `calc()` of both computes to.
///
/// `min()`, `max()` and `clamp()` of such sums add bounds, which are sums themselves (CSS Values 4 §10.2).
public struct LengthPercentage: Hashable, Sendable {
    /// CSS pixels.
    public var px: Float
    /// Share of the base: 0.5 is 50%.
    public var fraction: Float
    @usableFromInline package var low = Sum(px: -.infinity)
    /// Yields to ``low``.
    @usableFromInline package var high = Sum(px: .infinity)

    /// A sum; an infinite one means no bound.
    @usableFromInline
    package struct Sum: Hashable, Sendable {
        @usableFromInline package var px: Float
        @usableFromInline package var fraction: Float

        @inlinable
        package init(px: Float, fraction: Float = 0) {
            self.px = px
            self.fraction = fraction
        }

        @inlinable
        package func resolved(against base: Float) -> Float { fraction == 0 ? px : px + fraction * base }
    }

    /// A length in CSS pixels and a fraction of what percentages refer to.
    @inlinable
    public init(px: Float = 0, fraction: Float = 0) {
        self.px = px
        self.fraction = fraction
    }

    /// No length.
    public static let zero = LengthPercentage()

    @inlinable
    package var isBounded: Bool { low.px != -.infinity || high.px != .infinity }

    /// 0, or 0% of whatever base.
    package var isZero: Bool { px == 0 && abs(fraction) < 1e-9 && !isBounded }

    /// Whether the base counts.
    @inlinable
    package var isRelative: Bool { fraction != 0 || isBounded }

    /// In CSS pixels.
    @inlinable
    public func resolved(against base: Float) -> Float {
        let value = fraction == 0 ? px : px + fraction * base
        guard isBounded else { return value }
        return max(low.resolved(against: base), min(value, high.resolved(against: base)))
    }

    /// With the sum and its bounds changed by one and the same rising function.
    package func mapped(_ change: (Sum) -> Sum) -> LengthPercentage {
        let sum = change(Sum(px: px, fraction: fraction))
        var result = LengthPercentage(px: sum.px, fraction: sum.fraction)
        if low.px != -.infinity { result.low = change(low) }
        if high.px != .infinity { result.high = change(high) }
        return result
    }

    /// With pixels of another size.
    package func scaled(by factor: Float) -> LengthPercentage {
        mapped { Sum(px: $0.px * factor, fraction: $0.fraction) }
    }

    /// The remainder of the base: the same distance from the other end.
    package var fromEnd: LengthPercentage {
        func left(_ sum: Sum) -> Sum { Sum(px: -sum.px, fraction: 1 - sum.fraction) }
        var result = LengthPercentage(px: -px, fraction: 1 - fraction)
        if low.px != -.infinity { result.high = left(low) }
        if high.px != .infinity { result.low = left(high) }
        return result
    }
}
