// Floating-point numbers as integers, whatever the numbers are: documents, fonts and options can make any of them.

extension FixedWidthInteger {
    /// A number without its fraction, as near to it as the type and `limit` allow; NaN is 0.
    ///
    /// - Parameter limit: The greatest magnitude. Sums and products of two integers within the default fit in an `Int`.
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
