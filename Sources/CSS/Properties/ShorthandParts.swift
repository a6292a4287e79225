// The assignment of a shorthand's value to its longhands. In: the tokens of the value. Out: for each longhand, its part of them.

package final class ScratchValues {
    package var values = StyleValues.initial

    package init() {}
}

package struct ShorthandParts {
    package enum Part {
        case initial
        /// Tokens of the shorthand's value.
        case tokens(Range<Int>)
        /// The longhand reads its part from the whole value, with a reader that the shorthand provides.
        case reader(Property.Reader)

        static func set(_ set: @escaping @Sendable (inout StyleValues) -> Void) -> Part {
            .reader { cursor, values in
                cursor.skipToEnd()
                set(&values)
                return true
            }
        }
    }

    package var parts: [Part]
    private let longhands: [PropertyID]
    private let scratch: ScratchValues

    package init(_ longhands: [PropertyID], _ scratch: ScratchValues) {
        (self.longhands, self.scratch) = (longhands, scratch)
        parts = Array(repeating: .initial, count: longhands.count)
    }

    /// Reads a value of the longhand at `index` and records its tokens. Consumes nothing if there is no such value.
    mutating func take(_ index: Int, _ cursor: inout ValueCursor) -> Bool {
        // A flow-relative longhand has the grammar of the physical one.
        guard case .longhand(let read, _) = longhands[index].physical(0).property.kind else { return false }
        let start = cursor.index
        guard read(&cursor, &scratch.values), cursor.index > start else {
            cursor.rewind(to: start)
            return false
        }
        parts[index] = .tokens(start..<cursor.index)
        return true
    }

    /// Reads a value of the first of the longhands at `indices` that has one and is not among those seen.
    mutating func takeOnce(_ indices: some Sequence<Int>, _ seen: inout Set<Int>, _ cursor: inout ValueCursor) -> Bool {
        for index in indices where !seen.contains(index) && take(index, &cursor) {
            seen.insert(index)
            return true
        }
        return false
    }

    /// The `||` combinator: at least one of the longhands at `indices`, each at most once, in any order.
    mutating func anyOrder(_ indices: Range<Int>, _ cursor: inout ValueCursor) -> Bool {
        var seen: Set<Int> = []
        while !cursor.isAtEnd, takeOnce(indices, &seen, &cursor) {}
        return !seen.isEmpty
    }

    /// Lets each longhand copy its fields from those that `read` sets.
    mutating func whole(_ cursor: inout ValueCursor, _ read: @escaping Property.Reader) -> Bool {
        guard read(&cursor, &scratch.values) else { return false }
        for (index, longhand) in longhands.enumerated() {
            guard case .longhand(_, let copy) = longhand.property.kind else { return false }
            parts[index] = .reader { cursor, values in
                var whole = StyleValues.initial
                guard read(&cursor, &whole) else { return false }
                copy(&values, whole)
                return true
            }
        }
        return true
    }
}
