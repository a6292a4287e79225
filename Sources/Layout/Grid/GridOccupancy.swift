// Which cells of a grid are taken: kept as intervals, never cell by cell.
//
// Rows between which nothing changes are one band, so that memory and time go with the items, whatever they span. (Rows
// and columns stand for the two axes in the order of `grid-auto-flow: row`; the other order swaps them.)

struct GridOccupancy {
    /// Rows up to the next band's first, with the columns that are taken: ascending, apart from each other.
    private struct Band {
        var firstRow: Int
        var taken: [Range<Int>] = []
    }

    /// Ascending; the first begins before all rows, the last has no end.
    private var bands = [Band(firstRow: .min)]

    /// Takes the cells of an area.
    mutating func take(rows: Range<Int>, columns: Range<Int>) {
        let first = split(at: rows.lowerBound)
        let last = split(at: rows.upperBound)
        for index in first..<last { bands[index].taken.unite(columns) }
    }

    /// The index of the band that begins with `row`.
    private mutating func split(at row: Int) -> Int {
        let index = bands.partitioningIndex { $0.firstRow >= row }
        guard index == bands.count || bands[index].firstRow != row else { return index }
        bands.insert(Band(firstRow: row, taken: bands[index - 1].taken), at: index)
        return index
    }

    /// The first column from `column` on where an area from `row` on is free.
    func column(from column: Int, row: Int, width: Int, height: Int) -> Int {
        let first = bands.partitioningIndex { $0.firstRow > row } - 1
        var column = column
        var isFree = false
        while !isFree {
            isFree = true
            var index = first
            while index < bands.count, bands[index].firstRow < row + height {
                let free = bands[index].taken.firstGap(of: width, from: column)
                if free != column { (column, isFree) = (free, false) }
                index += 1
            }
        }
        return column
    }

    /// The first row from `row` on where an area in these columns is free.
    func row(from row: Int, columns: Range<Int>, height: Int) -> Int {
        var row = row
        var index = bands.partitioningIndex { $0.firstRow > row } - 1
        while index < bands.count, bands[index].firstRow < row + height {
            // Below a band that is in the way the search begins anew.
            if bands[index].taken.firstGap(of: columns.count, from: columns.lowerBound) != columns.lowerBound {
                row = nextRow(afterBand: index)
            }
            index += 1
        }
        return row
    }

    /// The first row after `row` whose occupancy may differ.
    func nextChange(after row: Int) -> Int { nextRow(afterBand: bands.partitioningIndex { $0.firstRow > row } - 1) }

    private func nextRow(afterBand index: Int) -> Int {
        // The last band is free: it is never in the way.
        index + 1 < bands.count ? bands[index + 1].firstRow : .max
    }
}

extension [Range<Int>] {
    /// Adds a range to ranges that are apart from each other, ascending.
    fileprivate mutating func unite(_ range: Range<Int>) {
        let first = partitioningIndex { $0.upperBound >= range.lowerBound }
        let last = partitioningIndex { $0.lowerBound > range.upperBound }
        guard first < last else { return insert(range, at: first) }
        let lower = Swift.min(range.lowerBound, self[first].lowerBound)
        let upper = Swift.max(range.upperBound, self[last - 1].upperBound)
        replaceSubrange(first..<last, with: CollectionOfOne(lower..<upper))
    }

    /// The first place from `start` on with room between the ranges.
    fileprivate func firstGap(of length: Int, from start: Int) -> Int {
        var start = start
        var index = partitioningIndex { $0.upperBound > start }
        while index < count, self[index].lowerBound < start + length {
            start = self[index].upperBound
            index += 1
        }
        return start
    }
}
