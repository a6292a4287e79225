// Where content that is laid out in one long column is broken into several (CSS Multi-column 1 §7, CSS Fragmentation 3 §4).
//
// In: the stretches of the content between which it may break. Out: the tops of the columns, and the least height with which a number
// of columns holds all.

/// A stretch of content that stays together: a line, a picture, a table, with the edges of boxes that begin and end with it.
struct ColumnPiece {
    enum Break { case allowed, avoided, forced }

    var top: LayoutUnit
    var bottom: LayoutUnit
    /// Of the break before it.
    var breakBefore = Break.allowed
    /// Empty space, which may break anywhere.
    var isSpace = false
    /// The margin above it, which a forced break leaves and others take away (CSS Fragmentation 3 §5.2).
    var margin = LayoutUnit.zero
}

struct ColumnBreaking {
    private let pieces: [ColumnPiece]
    private let top: LayoutUnit

    /// - Parameters:
    ///   - pieces: from top to bottom.
    ///   - top: where the first column begins; the first piece may have a margin.
    init(_ pieces: [ColumnPiece], top: LayoutUnit) {
        self.pieces = pieces
        self.top = min(top, pieces.first?.top ?? top)
    }

    /// Where columns of a height begin in the long column. Linear in pieces and columns.
    func tops(height: LayoutUnit) -> [LayoutUnit] {
        guard !pieces.isEmpty else { return [] }
        var tops = [top]
        var start = 0
        /// The last piece of the column at hand that a break may stand before.
        var candidate: Int?
        var index = 0
        while index < pieces.count {
            let piece = pieces[index]
            let top = tops[tops.count - 1]
            if index > start, piece.breakBefore == .forced {
                (start, candidate) = (index, nil)
                tops.append(piece.top - piece.margin)
            } else if piece.isSpace, piece.bottom - top > height, height > .zero {
                // Into the space, and through it.
                var next = top
                while piece.bottom - next > height, tops.count < Self.mostColumns {
                    next += height
                    tops.append(max(next, piece.top))
                    next = tops[tops.count - 1]
                }
                (start, candidate) = (index, nil)
                index += 1
            } else if index > start, piece.bottom - top > height {
                // Where every break is avoided, the last one is taken.
                if piece.breakBefore == .allowed { candidate = index }
                let next = candidate ?? index
                (start, candidate) = (next, nil)
                tops.append(pieces[next].top)
                index = next + 1
            } else {
                if index > start, piece.breakBefore == .allowed { candidate = index }
                index += 1
            }
        }
        return tops
    }

    /// Further ones overflow too far to be seen.
    private static let mostColumns = 10_000

    /// The least height with which the content fills no more than `count` columns.
    ///
    /// - Parameters:
    ///   - bottom: where the content ends, with a margin below the last piece.
    ///   - space: nil for as high as need be.
    func balancedHeight(count: Int, bottom: LayoutUnit, in space: LayoutUnit?) -> LayoutUnit {
        guard let last = pieces.last else { return .zero }
        let runs = lengthsBetweenForcedBreaks(bottom: max(bottom, last.bottom))
        let columns = max(count, runs.count)
        var low = pieces.reduce(LayoutUnit.zero) { max($0, $1.isSpace ? .zero : $1.bottom - $1.top) }
        // Margins that breaks take away have room in the columns all the same.
        low = max(low, Self.share(runs, among: columns))
        var high = max(low, last.bottom - top)
        if let space, low > space || tops(height: space).count > columns { return space }
        while low < high {
            let middle = LayoutUnit(raw: low.raw + (high.raw - low.raw) / 2)
            if tops(height: middle).count <= columns { high = middle } else { low = middle + .epsilon }
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

    /// The height of the highest column when runs are cut into as many pieces as there are columns, always the one with the highest.
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
