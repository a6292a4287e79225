// Breaks lines that are too long for a width (UAX #14, as in pictures), measured in terminal cells.

import FancyTextBasics
import FancyTextTypography

final class LineWrapper {
    private let finder = LineBreakFinder(keepsNames: true)
    private var opportunities: [UInt8] = []

    /// Passes the pieces of `line` to `emit`, each with a flag for a hyphen after it.
    ///
    /// - Parameters:
    ///   - width: cells of the first piece.
    ///   - indent: cells by which the other pieces are narrower.
    ///   - breaksWords: whether a word that is wider than a whole line is broken between clusters.
    func wrap(
        _ line: UnsafeBufferPointer<UInt8>, width: Int, indent: Int, breaksWords: Bool = false,
        _ emit: (_ piece: UnsafeBufferPointer<UInt8>, _ isHyphenated: Bool) -> Void
    ) {
        if line.isEmpty { return emit(line, false) }
        let span = LineBreakSpan(range: 0..<line.count, options: LineBreakOptions())
        finder.find(line, 0..<line.count, spans: [span], into: &opportunities)
        var start = 0
        /// The maximum width of the piece that begins at `start`.
        var limit = width
        /// The last possible end of the piece, the width up to it, and whether a hyphen is shown there.
        var cut: (at: Int, cells: Int, isHyphen: Bool)?
        var (cells, at) = (0, 0)
        func put(_ end: Int, isHyphenated: Bool) {
            var end = end
            while end > start, line[end - 1] == 0x20 { end -= 1 }
            emit(UnsafeBufferPointer(rebasing: line[start..<end]), isHyphenated)
        }
        while at < line.count {
            if at > start {
                switch LineBreakOpportunity(rawValue: opportunities[at]) {
                case .allowed, .mandatory: cut = (at, cells, false)
                case .hyphen: if cells < limit { cut = (at, cells, true) }
                case .some(.none), nil: break
                }
            }
            let end = GraphemeBreaker.next(line, at, end: line.count)
            let size = DisplayWidth.cells(line, at..<end)
            if breaksWords, cut == nil, at > start, cells + size > limit, line[at] != 0x20 { cut = (at, cells, false) }
            if cells + size > limit, line[at] != 0x20, let last = cut {
                put(last.at, isHyphenated: last.isHyphen)
                start = last.at
                cells -= last.cells
                limit = width - indent
                cut = nil
                continue
            }
            cells += size
            at = end
        }
        put(line.count, isHyphenated: false)
    }
}
