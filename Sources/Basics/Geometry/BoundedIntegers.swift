// Converts floating-point numbers to integers safely: documents, fonts and options can produce any number.

extension FixedWidthInteger {
    /// The nearest integer toward zero that the type and `limit` allow; NaN becomes 0.
    ///
    /// - Parameter limit: The greatest magnitude, at most 2⁶³. With the default, sums and products of two results fit in an `Int`.
    @inlinable @inline(__always)
    package init(bounded number: Double, by limit: Double = 1e8) {
        let number = number.isNaN ? 0 : Swift.max(-limit, Swift.min(limit, number))
        self.init(clamping: number >= 0x1p63 ? Int64.max : number <= -0x1p63 ? Int64.min : Int64(number))
    }

    // Not generic over the number: the generic conversion of the standard library is not inlined.
    @inlinable @inline(__always)
    package init(bounded number: Float, by limit: Float = 1e8) {
        self.init(bounded: Double(number), by: Double(limit))
    }
}
