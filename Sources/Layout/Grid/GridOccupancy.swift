// The occupied cells of a grid, stored as intervals instead of single cells.
//
// Successive rows with equal occupancy form one band, so memory and time depend on the items, whatever they span. (Rows and
// columns are the two axes with `grid-auto-flow: row`; with `column` they are swapped.)

struct GridOccupancy {
    /// The rows up to the next band, with their occupied columns: ascending and separate ranges.
    private struct Band {
        var firstRow: Int
        var taken: [Range<Int>] = []
    }

    /// Ascending; the first begins before all rows, the last has no end.
    private var bands = [Band(firstRow: .min)]

    /// Marks the cells of an area as occupied.
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

    /// The first column from `column` on at which an area from `row` on is free.
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

    /// The first row from `row` on at which an area in these columns is free.
    func row(from row: Int, columns: Range<Int>, height: Int) -> Int {
        var row = row
        var index = bands.partitioningIndex { $0.firstRow > row } - 1
        while index < bands.count, bands[index].firstRow < row + height {
            // The search continues below a band that is in the way.
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
        // The last band is free, so it is never in the way.
        index + 1 < bands.count ? bands[index + 1].firstRow : .max
    }
}

extension [Range<Int>] {
    /// Adds a range to ascending, separate ranges.
    fileprivate mutating func unite(_ range: Range<Int>) {
        let first = partitioningIndex { $0.upperBound >= range.lowerBound }
        let last = partitioningIndex { $0.lowerBound > range.upperBound }
        guard first < last else { return insert(range, at: first) }
        let lower = Swift.min(range.lowerBound, self[first].lowerBound)
        let upper = Swift.max(range.upperBound, self[last - 1].upperBound)
        replaceSubrange(first..<last, with: CollectionOfOne(lower..<upper))
    }

    /// The first place from `start` on with enough space between the ranges.
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
