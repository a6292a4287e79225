// Heights for columns in columns, and for columns on pages.
//
// In: the heights that the columns or pages around a multi-column container leave. Out: the heights of its rows.

/// A row of columns of a box, counted from the top.
struct ColumnRow: Hashable {
    var box, number: Int
}

/// The heights that columns or pages around a multi-column container leave for its rows.
struct ColumnSpace: Equatable {
    var first, others: LayoutUnit
    /// The distance between rows (`row-gap`).
    var gap = LayoutUnit.zero

    /// The heights for a container that begins lower.
    func dropping(_ distance: LayoutUnit) -> ColumnSpace {
        var space = self
        if distance < first || others <= .zero {
            space.first -= distance
        } else {
            let past = LayoutUnit(raw: (distance - first - gap).nonNegative.raw % (others + gap).raw)
            space.first = past < others ? others - past : others
        }
        return space
    }

    func height(of row: Int) -> LayoutUnit { row == 0 ? first : others }

    /// The number of rows of a height in all, and the height of the last one.
    func rows(in height: LayoutUnit) -> (count: Int, last: LayoutUnit) {
        guard height > first, others > .zero else { return (1, height) }
        let below = height - first - .epsilon
        return (Int(below.raw / others.raw) + 2, LayoutUnit(raw: below.raw % others.raw + 1))
    }
}
