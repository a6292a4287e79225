// The heights of columns (CSS Multi-column 1 §7): of a container's rows, by what columns or pages around it leave; and the least at
// which a number of columns contains all pieces. Also what a row keeps, so that pages can divide it again.

/// A row of columns of a box, counted from the top.
struct ColumnRow: Hashable { var box, number: Int }

/// A row of columns in a flow around its container, in which it may be divided.
struct NestedRow {
    let row: ColumnRow
    var top, bottom: LayoutUnit
}

/// The heights that columns or pages around a multi-column container leave for its rows.
struct ColumnSpace: Equatable {
    var first, others: LayoutUnit
    /// The height of every second row after the first two, where left and right pages differ.
    var alternate: LayoutUnit?
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

    func height(of row: Int) -> LayoutUnit { row == 0 ? first : row % 2 == 0 ? alternate ?? others : others }

    /// The number of rows of a height in all, and the height of the last one.
    func rows(in height: LayoutUnit) -> (count: Int, last: LayoutUnit) {
        var (count, last) = (1, height)
        while last > self.height(of: count - 1), others > .zero, count < LayoutTree.mostPages {
            last -= self.height(of: count - 1)
            count += 1
        }
        return (count, last)
    }
}

struct ColumnBalance {
    private let flows: [BrokenFlow]
    private let repeated: [RepeatedEdges]
    private let top: LayoutUnit
    private var pieces: [FlowPiece] { flows.first?.pieces ?? [] }

    /// `flows` are those of the content, the first around the others; `top` is the top of the first column.
    init(_ flows: [BrokenFlow], repeated: [RepeatedEdges] = [], top: LayoutUnit) {
        (self.flows, self.repeated) = (flows, repeated)
        self.top = min(top, flows.first?.pieces.first?.top ?? top)
    }

    func broken(height: LayoutUnit) -> FlowBreaking { broken(on: PageStrip { _ in height }) }

    func broken(on strip: PageStrip) -> FlowBreaking {
        var breaking = FlowBreaking(flows, repeated: repeated, on: strip)
        breaking.place(0, from: BreakPosition(page: 0, top: top))
        return breaking
    }

    /// Breaks the content into at most `rows` rows of columns, with `gap` between them; the last one is balanced.
    func broken(
        columns: Int, rows: Int, gap: LayoutUnit, bottom: LayoutUnit, height: @escaping (Int) -> LayoutUnit
    ) -> FlowBreaking {
        let full = broken(on: PageStrip(columns: columns, rows: rows, gap: gap, height))
        let start = full.strip.row(of: full.strip.pages.count - 1)
        let step = full.flows[0].steps.first { full.strip.row(of: $0.at.page) >= start }
        guard let top = step?.at.top else { return full }
        var rest = flows
        rest[0].pieces.removeAll { $0.isSpace ? $0.bottom <= top : $0.top < top }
        if let first = rest[0].pieces.first { rest[0].pieces[0].top = max(first.top, top) }
        rest[0].sides.removeAll { $0.top < top }
        let last = ColumnBalance(rest, repeated: repeated, top: top)
            .balancedHeight(count: columns, bottom: bottom, in: height(start))
        return broken(on: PageStrip(columns: columns, rows: rows, gap: gap) { $0 >= start ? last : height($0) })
    }

    /// The greatest height that no break may divide, with the edges that are repeated around it.
    private var unbreakableHeight: LayoutUnit {
        var highest = LayoutUnit.zero
        for (number, flow) in flows.enumerated() {
            var start = 0
            for (index, piece) in flow.pieces.enumerated() where !piece.isSpace || piece.wholeHeight > .zero {
                if !piece.isJoined { start = index }
                // No break removes the margin above the first piece.
                let top = number == 0 && start == 0 ? top : flow.pieces[start].top
                var height = piece.bottom - top
                if !piece.flows.isEmpty, !piece.staysWhole {
                    height = (piece.lead ?? piece.bottom) - top
                } else if piece.repeated >= 0 {
                    height += repeated[piece.repeated].above + repeated[piece.repeated].below
                }
                highest.raise(to: height)
            }
        }
        return highest
    }

    /// The least height, at most `space`, at which the content and a margin below it fill at most `count` columns.
    func balancedHeight(count: Int, bottom: LayoutUnit, in space: LayoutUnit?) -> LayoutUnit {
        guard !pieces.isEmpty else { return .zero }
        var columns = count
        var low = unbreakableHeight
        var high = low
        for (index, flow) in flows.enumerated() {
            guard let last = flow.pieces.last else { continue }
            let runs = lengthsBetweenForcedBreaks(
                of: flow.pieces, from: index == 0 ? top : flow.pieces[0].top,
                to: index == 0 ? max(bottom, last.bottom) : last.bottom)
            columns = max(columns, runs.count)
            // Margins that breaks remove must fit in the columns all the same.
            low.raise(to: Self.share(runs, among: max(count, runs.count)))
            high.raise(to: last.bottom - top)
        }
        high.raise(to: low)
        if let space, low > space || broken(height: space).strip.pages.count > columns { return space }
        while low < high {
            let middle = LayoutUnit(raw: low.raw + (high.raw - low.raw) / 2)
            if broken(height: middle).strip.pages.count <= columns { high = middle } else { low = middle + .epsilon }
        }
        return high
    }

    private func lengthsBetweenForcedBreaks(
        of pieces: [FlowPiece], from top: LayoutUnit, to bottom: LayoutUnit
    ) -> [LayoutUnit] {
        var lengths: [LayoutUnit] = []
        var start = top
        for (index, piece) in pieces.enumerated().dropFirst() where piece.breakBefore == .forced {
            lengths.append(pieces[index - 1].bottom - start)
            start = piece.top - piece.margin
        }
        return lengths + [bottom - start]
    }

    /// The height of the highest column if runs are divided into `count` parts, always the run with the highest parts.
    private static func share(_ runs: [LayoutUnit], among count: Int) -> LayoutUnit {
        var parts = Array(repeating: Int32(1), count: runs.count)
        func height(_ run: Int) -> LayoutUnit { LayoutUnit(raw: runs[run].raw / parts[run]) }
        func highest() -> Int { runs.indices.max { height($0) < height($1) } ?? 0 }
        if runs.count == 1 {
            parts[0] = Int32(clamping: count)
        } else {
            for _ in runs.count..<max(count, runs.count) { parts[highest()] += 1 }
        }
        return height(highest())
    }
}

/// The contents of a row of columns, which are broken again when the space is known that pages leave for it.
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
        let fills = fillsInOrder && (isLast || room == nil && space != nil)
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
