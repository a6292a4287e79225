// Clamped lines.
import MarkupStyling
import TextShaping

extension Layouter {
    /// `line-clamp`: the bottom of line number `limit` of the block if it has more lines, which then ends in an ellipsis; else nil.
    mutating func clampLines(of fragment: Int, from first: Int, limit: Int) -> LayoutUnit? {
        let end = tree.lines.count
        guard end - first > limit else { return nil }
        let line = tree.lines[first + limit - 1]
        return line.rect.maxY
    }
}
