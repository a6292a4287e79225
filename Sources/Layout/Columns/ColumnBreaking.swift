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
}

struct ColumnBreaking {
    private let pieces: [ColumnPiece]

    /// - Parameter pieces: from top to bottom.
    init(_ pieces: [ColumnPiece]) { self.pieces = pieces }

    /// Where columns of a height begin in the long column. Linear in pieces and columns.
    func tops(height: LayoutUnit) -> [LayoutUnit] {
        guard let first = pieces.first else { return [] }
        var tops = [first.top]
        var start = 0
        /// The last piece of the column at hand that a break may stand before.
        var candidate: Int?
        var index = 0
        while index < pieces.count {
            let piece = pieces[index]
            let top = tops[tops.count - 1]
            if index > start, piece.breakBefore == .forced {
                (start, candidate) = (index, nil)
                tops.append(piece.top)
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
    /// - Parameter space: nil for as high as need be.
    func balancedHeight(count: Int, in space: LayoutUnit?) -> LayoutUnit {
        guard let first = pieces.first, let last = pieces.last else { return .zero }
        let forced = pieces.dropFirst().reduce(0) { $0 + ($1.breakBefore == .forced ? 1 : 0) }
        let columns = max(count, forced + 1)
        var low = pieces.reduce(LayoutUnit.zero) { max($0, $1.isSpace ? .zero : $1.bottom - $1.top) }
        var high = max(low, last.bottom - first.top)
        if let space, low > space || tops(height: space).count > columns { return space }
        while low < high {
            let middle = LayoutUnit(raw: low.raw + (high.raw - low.raw) / 2)
            if tops(height: middle).count <= columns { high = middle } else { low = middle + .epsilon }
        }
        return high
    }
}
