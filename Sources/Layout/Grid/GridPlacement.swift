// Placement of items in a grid (CSS Grid 2 §8.5): the area of each item, in `order`, and the extent of the implicit
// grid. With n items: O(n log n) unless many items of many sizes are packed densely.

/// The tracks that an item spans, numbered like ``GridLines``.
struct GridArea: Hashable {
    var columns, rows: Range<Int>

    func along(_ axis: LayoutAxis) -> Range<Int> { axis == .horizontal ? columns : rows }
}

struct GridPlacement {
    struct Item: Hashable { var column, row: GridPosition }

    let areas: [GridArea]
    /// The columns of the implicit grid.
    let columns, rows: Range<Int>
}

extension GridPlacement {
    init(_ items: [Item], explicitColumns: Int, explicitRows: Int, flowsInColumns: Bool, isDense: Bool) {
        guard flowsInColumns else {
            var placer = Placer(columns: 0..<explicitColumns, rows: 0..<explicitRows, isDense: isDense)
            areas = placer.place(items)
            (columns, rows) = (placer.columns, placer.rows)
            return
        }
        let turned = GridPlacement(
            items.map { Item(column: $0.row, row: $0.column) }, explicitColumns: explicitRows,
            explicitRows: explicitColumns, flowsInColumns: false, isDense: isDense)
        areas = turned.areas.map { GridArea(columns: $0.rows, rows: $0.columns) }
        (columns, rows) = (turned.rows, turned.columns)
    }

    /// The placement in grids whose tracks are those of a subgrid: there are no implicit ones.
    func limited(columns: Int?, rows: Int?) -> GridPlacement {
        func limited(_ range: Range<Int>, to count: Int?) -> Range<Int> {
            guard let count else { return range }
            let start = max(0, min(range.lowerBound, count - 1))
            return start..<max(start + 1, min(range.upperBound, count))
        }
        return GridPlacement(
            areas: areas.map { GridArea(columns: limited($0.columns, to: columns), rows: limited($0.rows, to: rows)) },
            columns: columns.map { 0..<$0 } ?? self.columns, rows: rows.map { 0..<$0 } ?? self.rows)
    }
}

/// Fills rows one after the other.
private struct Placer {
    typealias Item = GridPlacement.Item

    var columns, rows: Range<Int>
    let isDense: Bool
    var occupancy = GridOccupancy()
    /// The places found by searches: those with equal keys find places in ascending order.
    var reached: [Item: (row: Int, column: Int)] = [:]

    mutating func place(_ items: [Item]) -> [GridArea] {
        for item in items {
            if case .lines(let lines) = item.column { columns = columns.united(with: lines) }
            if case .lines(let lines) = item.row { rows = rows.united(with: lines) }
        }
        var places = Array<GridArea?>(repeating: nil, count: items.count)
        for (index, item) in items.enumerated() {
            guard case .lines(let columns) = item.column, case .lines(let rows) = item.row else { continue }
            places[index] = take(columns, rows)
        }
        // First the items whose row is given.
        for (index, item) in items.enumerated() {
            guard case .automatic(let width) = item.column, case .lines(let lines) = item.row else { continue }
            let search = Item(
                column: isDense ? item.column : .automatic(span: 0),
                row: .lines(isDense ? lines : lines.lowerBound..<lines.lowerBound))
            let start = reached[search]?.column ?? columns.lowerBound
            let free = occupancy.column(from: start, row: lines.lowerBound, width: width, height: lines.count)
            places[index] = take(free..<free + width, lines)
            reached[search] = (lines.lowerBound, isDense ? free : free + width)
        }
        for item in items {
            columns = columns.lowerBound..<max(columns.upperBound, columns.lowerBound + item.column.span)
        }
        var cursor = (row: rows.lowerBound, column: columns.lowerBound)
        for (index, item) in items.enumerated() where places[index] == nil {
            guard case .automatic(let height) = item.row else { continue }
            if isDense { cursor = reached[item] ?? (rows.lowerBound, columns.lowerBound) }
            switch item.column {
            case .lines(let lines):
                if !isDense, lines.lowerBound < cursor.column { cursor.row += 1 }
                cursor = (occupancy.row(from: cursor.row, columns: lines, height: height), lines.lowerBound)
            case .automatic(let width): advance(&cursor, width: width, height: height)
            }
            if isDense { reached[item] = cursor }
            let row = min(cursor.row, GridLines.limit - 1)
            places[index] = take(
                cursor.column..<cursor.column + item.column.span, row..<min(row + height, GridLines.limit))
        }
        return places.compactMap { $0 }
    }

    private func advance(_ cursor: inout (row: Int, column: Int), width: Int, height: Int) {
        while true {
            let free = occupancy.column(from: cursor.column, row: cursor.row, width: width, height: height)
            if free + width <= columns.upperBound {
                cursor.column = free
                return
            }
            // Up to there the next rows are no emptier at their starts than this one.
            let isWholeRow = cursor.column == columns.lowerBound
            cursor = (isWholeRow ? occupancy.nextChange(after: cursor.row) : cursor.row + 1, columns.lowerBound)
        }
    }

    private mutating func take(_ columns: Range<Int>, _ rows: Range<Int>) -> GridArea {
        occupancy.take(rows: rows, columns: columns)
        self.columns = self.columns.united(with: columns)
        self.rows = self.rows.united(with: rows)
        return GridArea(columns: columns, rows: rows)
    }
}

extension Range<Int> {
    fileprivate func united(with other: Range<Int>) -> Range<Int> {
        Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}

/// The occupied cells of a grid. Successive rows with equal occupancy form one band, so that cost depends on the items, whatever they
/// span. With `grid-auto-flow: column` rows and columns are swapped.
struct GridOccupancy {
    /// The rows up to the next band, with their occupied columns: ascending and separate ranges.
    private typealias Band = (firstRow: Int, taken: [Range<Int>])

    /// Ascending; the first begins before all rows, the last has no end.
    private var bands: [Band] = [(.min, [])]

    mutating func take(rows: Range<Int>, columns: Range<Int>) {
        let first = split(at: rows.lowerBound)
        let last = split(at: rows.upperBound)
        for index in first..<last { bands[index].taken.unite(columns) }
    }

    /// The index of the band that begins with `row`.
    private mutating func split(at row: Int) -> Int {
        let index = bands.partitioningIndex { $0.firstRow >= row }
        guard index == bands.count || bands[index].firstRow != row else { return index }
        bands.insert((row, bands[index - 1].taken), at: index)
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
