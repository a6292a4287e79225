// The heights of columns that balance their content (CSS Multi-column 1 §7).
//
// In: the pieces of the content. Out: the least height at which a number of columns contains all pieces.

struct ColumnBalance {
    private let flows: [BrokenFlow]
    private let top: LayoutUnit
    private var pieces: [FlowPiece] { flows.first?.pieces ?? [] }

    /// - Parameters:
    ///   - flows: those of the content, the first around the others.
    ///   - top: the top of the first column; the first piece may have a margin.
    init(_ flows: [BrokenFlow], top: LayoutUnit) {
        self.flows = flows
        self.top = min(top, flows.first?.pieces.first?.top ?? top)
    }

    /// Breaks the content into columns of a height.
    func broken(height: LayoutUnit) -> FlowBreaking { broken(on: PageStrip { _ in height }) }

    private func broken(on strip: PageStrip) -> FlowBreaking {
        var breaking = FlowBreaking(flows, on: strip)
        breaking.place(0, from: BreakPosition(page: 0, top: top))
        return breaking
    }

    /// Breaks the content into rows of columns, one for each page; the last one is balanced.
    ///
    /// - Parameters:
    ///   - first: the height of the first row, and `others` that of the rows after it.
    ///   - bottom: the bottom of the content.
    func broken(rowsOf count: Int, first: LayoutUnit, others: LayoutUnit, bottom: LayoutUnit) -> FlowBreaking {
        let full = broken(on: PageStrip(columns: count) { $0 < count ? first : others })
        let start = (full.strip.pages.count - 1) / count * count
        guard let top = full.flows[0].steps.first(where: { $0.at.page >= start })?.at.top else { return full }
        let last = ColumnBalance([BrokenFlow(pieces: pieces.filter { $0.top >= top })], top: top)
            .balancedHeight(count: count, bottom: bottom, in: start == 0 ? first : others)
        return broken(
            on: PageStrip(columns: count) { $0 >= start ? last : $0 < count ? first : others })
    }

    /// The greatest height that no break may divide.
    private var unbreakableHeight: LayoutUnit {
        var highest = LayoutUnit.zero
        var start = 0
        for (index, piece) in pieces.enumerated() where !piece.isSpace {
            let isJoined =
                piece.breakBefore == .avoided || piece.line.map { $0.number > 0 && $0.number < $0.orphans } ?? false
            if !isJoined { start = index }
            highest = max(highest, piece.bottom - pieces[start].top)
        }
        return highest
    }

    /// The least height at which the content fills at most `count` columns.
    ///
    /// - Parameters:
    ///   - bottom: the bottom of the content, including a margin below the last piece.
    ///   - space: the limit on the height; nil for none.
    func balancedHeight(count: Int, bottom: LayoutUnit, in space: LayoutUnit?) -> LayoutUnit {
        guard let last = pieces.last else { return .zero }
        let runs = lengthsBetweenForcedBreaks(bottom: max(bottom, last.bottom))
        let columns = max(count, runs.count)
        var low = unbreakableHeight
        // Margins that breaks remove must fit in the columns all the same.
        low = max(low, Self.share(runs, among: columns))
        var high = max(low, last.bottom - top)
        if let space, low > space || broken(height: space).strip.pages.count > columns { return space }
        while low < high {
            let middle = LayoutUnit(raw: low.raw + (high.raw - low.raw) / 2)
            if broken(height: middle).strip.pages.count <= columns { high = middle } else { low = middle + .epsilon }
        }
        return high
    }

    private func lengthsBetweenForcedBreaks(bottom: LayoutUnit) -> [LayoutUnit] {
        var lengths: [LayoutUnit] = []
        var start = top
        for (index, piece) in pieces.enumerated().dropFirst() where piece.breakBefore == .forced {
            lengths.append(pieces[index - 1].bottom - start)
            start = piece.top - piece.margin
        }
        return lengths + [bottom - start]
    }

    /// The height of the highest column if the runs are divided into as many parts as there are columns, always the run with the
    /// highest parts.
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
