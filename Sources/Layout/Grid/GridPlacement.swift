// Placement of items in a grid (CSS Grid 2 §8.5).
//
// In: each item's requested position, in `order`. Out: the area of each, and the extent of the implicit grid. With n items: O(n
// log n) unless many items of many sizes are packed densely.

import FancyTextStyling

/// The tracks that an item spans, numbered like ``GridLines``.
struct GridArea: Hashable {
    var columns: Range<Int>
    var rows: Range<Int>

    func along(_ axis: LayoutAxis) -> Range<Int> { axis == .horizontal ? columns : rows }
}

struct GridPlacement {
    struct Item {
        var column: GridPosition
        var row: GridPosition
    }

    /// The area of each item.
    let areas: [GridArea]
    /// The columns of the implicit grid.
    let columns: Range<Int>
    let rows: Range<Int>

    init(areas: [GridArea], columns: Range<Int>, rows: Range<Int>) {
        self.areas = areas
        self.columns = columns
        self.rows = rows
    }

    init(_ items: [Item], explicitColumns: Int, explicitRows: Int, flowsInColumns: Bool, isDense: Bool) {
        var placer = Placer(
            across: 0..<(flowsInColumns ? explicitRows : explicitColumns),
            along: 0..<(flowsInColumns ? explicitColumns : explicitRows), isDense: isDense)
        let places = placer.place(
            items.map {
                flowsInColumns ? Placer.Item(across: $0.row, along: $0.column) : .init(across: $0.column, along: $0.row)
            })
        areas = places.map {
            flowsInColumns
                ? GridArea(columns: $0.along, rows: $0.across) : GridArea(columns: $0.across, rows: $0.along)
        }
        columns = flowsInColumns ? placer.along : placer.across
        rows = flowsInColumns ? placer.across : placer.along
    }
}

/// Fills lines one after the other. `across` is the axis along a line (columns, if the flow is by rows), `along` the one in which
/// lines follow each other.
private struct Placer {
    struct Item {
        var across: GridPosition
        var along: GridPosition
    }
    struct Place {
        var across: Range<Int>
        var along: Range<Int>
    }
    /// The key of a search: searches with equal keys find positions in ascending order.
    private struct Search: Hashable {
        var across: GridPosition
        var along: GridPosition
    }

    var across: Range<Int>
    var along: Range<Int>
    let isDense: Bool
    private var occupancy = GridOccupancy()
    private var reached: [Search: (line: Int, across: Int)] = [:]

    init(across: Range<Int>, along: Range<Int>, isDense: Bool) {
        self.across = across
        self.along = along
        self.isDense = isDense
    }

    mutating func place(_ items: [Item]) -> [Place] {
        for item in items {
            if case .lines(let lines) = item.across { across = across.united(with: lines) }
            if case .lines(let lines) = item.along { along = along.united(with: lines) }
        }
        var places = Array<Place?>(repeating: nil, count: items.count)
        for (index, item) in items.enumerated() {
            guard case .lines(let across) = item.across, case .lines(let along) = item.along else { continue }
            places[index] = take(across, along)
        }
        // First the items whose line is given.
        for (index, item) in items.enumerated() {
            guard case .automatic(let width) = item.across, case .lines(let lines) = item.along else { continue }
            let search = Search(
                across: isDense ? item.across : .automatic(span: 0),
                along: .lines(isDense ? lines : lines.lowerBound..<lines.lowerBound))
            let start = reached[search]?.across ?? across.lowerBound
            let free = occupancy.column(from: start, row: lines.lowerBound, width: width, height: lines.count)
            places[index] = take(free..<free + width, lines)
            reached[search] = (lines.lowerBound, isDense ? free : free + width)
        }
        for item in items {
            across = across.lowerBound..<max(across.upperBound, across.lowerBound + item.across.span)
        }
        var cursor = (line: along.lowerBound, across: across.lowerBound)
        for (index, item) in items.enumerated() where places[index] == nil {
            guard case .automatic(let height) = item.along else { continue }
            let search = Search(across: item.across, along: item.along)
            if isDense { cursor = reached[search] ?? (along.lowerBound, across.lowerBound) }
            switch item.across {
            case .lines(let lines):
                if !isDense, lines.lowerBound < cursor.across { cursor.line += 1 }
                cursor = (occupancy.row(from: cursor.line, columns: lines, height: height), lines.lowerBound)
            case .automatic(let width): advance(&cursor, width: width, height: height)
            }
            if isDense { reached[search] = cursor }
            let line = min(cursor.line, GridLines.limit - 1)
            places[index] = take(
                cursor.across..<cursor.across + item.across.span, line..<min(line + height, GridLines.limit))
        }
        return places.compactMap { $0 }
    }

    /// Moves the cursor to the next place with enough space.
    private func advance(_ cursor: inout (line: Int, across: Int), width: Int, height: Int) {
        while true {
            let free = occupancy.column(from: cursor.across, row: cursor.line, width: width, height: height)
            if free + width <= across.upperBound {
                cursor.across = free
                return
            }
            // Up to there the next lines are no emptier at their starts than this one.
            let isWholeLine = cursor.across == across.lowerBound
            cursor = (isWholeLine ? occupancy.nextChange(after: cursor.line) : cursor.line + 1, across.lowerBound)
        }
    }

    private mutating func take(_ across: Range<Int>, _ along: Range<Int>) -> Place {
        occupancy.take(rows: along, columns: across)
        self.across = self.across.united(with: across)
        self.along = self.along.united(with: along)
        return Place(across: across, along: along)
    }
}

extension Range<Int> {
    fileprivate func united(with other: Range<Int>) -> Range<Int> {
        Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}
