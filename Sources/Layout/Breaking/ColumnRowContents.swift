// The contents of a row of columns, which are broken again when the space is known that pages leave for it.

struct ColumnRowContents {
    var flows: [BrokenFlow] = []
    var repeated: [RepeatedEdges] = []
    let top: LayoutUnit
    /// The bottom of the first part that no break divides.
    var lead: LayoutUnit?
    /// The number of columns beside each other, and the bottom of the contents in one long column.
    var count = 1
    var bottom = LayoutUnit.zero
    /// True for the last row of the container.
    var isLast = false
    /// The height of the container that is left for the row.
    let room: LayoutUnit?
    /// The space in which it was laid out; `isGiven` by the style of the container.
    let space: ColumnSpace?
    let isGiven: Bool
    /// True if the last row ends with the container.
    let isDefinite: Bool
    let fillsInOrder: Bool
    let grid: LayoutGrid
    /// The tops of its parts, and the bottom of the last one.
    var tops: [LayoutUnit] = []

    /// Breaks the contents into columns, in rows where columns or pages around divide the container. Returns the height
    /// of all rows; in the last one, columns may fill the room of the container.
    func broken(in space: ColumnSpace?) -> (breaking: FlowBreaking, height: LayoutUnit) {
        let balance = ColumnBalance(flows, repeated: repeated, top: top)
        let fills = fillsInOrder && (room == nil ? space != nil : isLast)
        let height =
            fills ? room ?? .unlimited : grid.ceil(balance.balancedHeight(count: count, bottom: bottom, in: room))
        let long = bottom - top
        guard var space, height > space.first else {
            let breaking = balance.broken(height: height)
            let isShort = fills && !isDefinite && breaking.strip.pages.count <= 1
            return (breaking, isShort ? min(height, long) : height)
        }
        // A container whose first lines do not fit begins in the next column.
        if let first = flows[0].pieces.first, let lead, lead - first.top > space.first,
            space.first < space.others
        {
            (space.first, space.others, space.alternate) = (space.others, space.alternate ?? space.others, space.others)
        }
        let (rows, last) = room.map { space.rows(in: $0) } ?? (.max, space.others)
        let rowHeight = { [space] (row: Int) in
            row + 1 == rows ? min(last, space.height(of: row)) : space.height(of: row)
        }
        let breaking =
            fills
            ? balance.broken(on: PageStrip(columns: count, rows: rows, gap: space.gap, rowHeight))
            : balance.broken(columns: count, rows: rows, gap: space.gap, bottom: bottom, height: rowHeight)
        if fills, let room { return (breaking, room) }
        let isShort = fills && breaking.strip.pages.count <= 1
        return (breaking, isShort ? min(breaking.strip.bottom, long) : breaking.strip.bottom)
    }
}
