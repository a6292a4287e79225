// Converts floating-point numbers to integers safely: documents, fonts and options can produce any number.

extension FixedWidthInteger {
    /// The nearest integer toward zero that the type and `limit` (at most 2^62) allow; NaN becomes 0. With the default limit, sums
    /// and products of two results fit in an `Int`.
    @inlinable @inline(__always) package init(bounded number: Double, by limit: Double = 1e8) {
        self.init(clamping: number.isNaN ? 0 : Int(Swift.max(-limit, Swift.min(number, limit))))
    }

    @inlinable @inline(__always)
    package init(bounded number: Float, by limit: Double = 1e8) { self.init(bounded: Double(number), by: limit) }
}
