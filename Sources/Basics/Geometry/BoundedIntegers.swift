// Converts floating-point numbers to integers safely: documents, fonts and options can produce any number.

extension FixedWidthInteger {
    /// The nearest integer toward zero that the type and `limit` allow; NaN becomes 0.
    ///
    /// - Parameter limit: The greatest magnitude. With the default, sums and products of two results fit in an `Int`.
    @inlinable @inline(__always)
    package init<Number: BinaryFloatingPoint>(bounded number: Number, by limit: Number = 1e8) {
        let (least, most) = (Number(Self.min), Number(Self.max))
        if number >= limit, limit < most {
            self.init(limit)
        } else if number >= most {
            self = .max
        } else if number <= -limit, -limit > least {
            self.init(-limit)
        } else if number <= least {
            self = .min
        } else {
            self = number.isNaN ? 0 : Self(number)
        }
    }
}
