// Breaks content that is laid out in one long column into several columns (CSS Multi-column 1 §7, CSS Fragmentation 3 §4).
//
// In: the pieces of the content between which it may break. Out: the tops of the columns, and the least height at which a number
// of columns contains all pieces.

/// A part of the content that stays together: a line, a picture, a table, with the edges of boxes that begin and end with it.
struct ColumnPiece {
    enum Break { case allowed, avoided, forced }

    var top: LayoutUnit
    var bottom: LayoutUnit
    /// The kind of break before the piece.
    var breakBefore = Break.allowed
    /// True for empty space, which may break anywhere.
    var isSpace = false
    /// The margin above it, which is kept at a forced break and removed at others (CSS Fragmentation 3 §5.2).
    var margin = LayoutUnit.zero
    /// The line's position in its paragraph, if the piece is a line that follows others.
    var line: Line?

    /// A line of a paragraph (CSS Fragmentation 3 §3.3).
    struct Line {
        var paragraph: Int
        var number: Int
        /// The number of remaining lines, including this one.
        var left: Int
        var orphans: Int
        var widows: Int
    }
}

struct ColumnBreaking {
    private let pieces: [ColumnPiece]
    private let top: LayoutUnit

    /// - Parameters:
    ///   - pieces: the pieces from top to bottom.
    ///   - top: the top of the first column; the first piece may have a margin.
    init(_ pieces: [ColumnPiece], top: LayoutUnit) {
        self.pieces = pieces
        self.top = min(top, pieces.first?.top ?? top)
    }

    /// Returns the tops of columns of a given height in the long column. Linear in pieces and columns.
    func tops(height: LayoutUnit) -> [LayoutUnit] {
        guard !pieces.isEmpty else { return [] }
        var tops = [top]
        var start = 0
        /// The last piece of the current column that a break may precede.
        var candidate: Int?
        var index = 0
        while index < pieces.count {
            let piece = pieces[index]
            let top = tops[tops.count - 1]
            if index > start, piece.breakBefore == .forced {
                (start, candidate) = (index, nil)
                tops.append(piece.top - piece.margin)
            } else if piece.isSpace, piece.bottom - top > height, height > .zero {
                // Breaks in the space, and again after each column's height.
                var next = top
                while piece.bottom - next > height, tops.count < Self.mostColumns {
                    next += height
                    tops.append(max(next, piece.top))
                    next = tops[tops.count - 1]
                }
                (start, candidate) = (index, nil)
                index += 1
            } else if index > start, piece.bottom - top > height {
                // If every break is to be avoided, the last one is used.
                if allowsBreak(before: index, from: start) { candidate = index }
                let next = candidate ?? index
                (start, candidate) = (next, nil)
                tops.append(pieces[next].top)
                index = next + 1
            } else {
                if index > start, allowsBreak(before: index, from: start) { candidate = index }
                index += 1
            }
        }
        return tops
    }

    /// Returns whether a column that begins with piece `start` may end before piece `index`. If orphans and widows cannot both be
    /// satisfied, the lines at the beginning of the paragraph's part in the column count, as in Chromium.
    private func allowsBreak(before index: Int, from start: Int) -> Bool {
        guard pieces[index].breakBefore == .allowed else { return false }
        guard let line = pieces[index].line, line.number > 0 else { return true }
        var number = line.number
        if let first = pieces[start].line, first.paragraph == line.paragraph { number -= first.number }
        return number >= line.orphans && (line.left >= line.widows || number == line.orphans)
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

    /// Further columns overflow too far to be seen.
    private static let mostColumns = 10_000

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
