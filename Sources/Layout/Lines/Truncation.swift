// Truncation with a tail (CSS Overflow 4 §5.2): a limit on lines or height omits text.
//
// In: the start of the last line and its width. Out: the omitted part of the line, in whole clusters, so that the rest is as long
// as possible beside the tail. The line is built from the rest.

import FancyTextBoxes
import FancyTextStyling

/// The omitted text of a line and its replacement.
struct Omission {
    /// The first omitted place, and the first that is shown again (the end of the content in tail mode).
    var from, to: LineCursor
    /// The tail; nil truncates without one.
    var tail: TailContent?
}

/// A limit on lines in force.
struct LineLimit {
    /// The number of lines of the text that may still be placed, without those of the tail after its first.
    var left: Int
    var mode: BoxStyle.TruncateMode
    var tail = TruncationTail.given
    /// The number of lines of the tail below the last line of the text.
    var linesBelow = 0
    /// True for the limit of the document rather than of a box.
    var isOfDocument = false
    /// True if lines that the tail does not use show text. False in a row of a table, which is one line.
    var givesBack = true
}

extension InlineContents {
    /// Chooses the omitted part of the last line, so that the rest and the tail fit into `available`.
    mutating func omission(
        _ content: InlineContent, from start: LineCursor, available: LayoutUnit, percentageBase: LayoutUnit,
        mode: BoxStyle.TruncateMode, tail: TailContent?
    ) -> Omission {
        let end = LineCursor(item: content.items.upperBound, offset: content.textCount)
        let limit = available.float + 1 / 64 - (tail?.lines.first?.width ?? 0)
        guard limit >= 0 else { return Omission(from: start, to: end, tail: tail) }
        let clusters = clusterEdges(content, from: start, percentageBase: percentageBase)
        switch mode {
        case .tail, .clip: return Omission(from: clusters.prefix(limit).cursor, to: end, tail: tail)
        case .word:
            let line = findLineEnd(
                content, from: start, available: LayoutUnit.floor(limit), percentageBase: percentageBase)
            let prefix = clusters.prefix(limit)
            // A first word that is too long is truncated like any text.
            let usesWord =
                !line.overflows && line.next.offset > start.offset && line.next.offset <= prefix.cursor.offset
                && !line.isForced
            return Omission(from: usesWord ? line.next : prefix.cursor, to: end, tail: tail)
        case .head: return Omission(from: start, to: clusters.suffix(limit, after: start.offset), tail: tail)
        case .middle:
            let prefix = clusters.prefix(limit / 2)
            let suffix = clusters.suffix(limit - prefix.x, after: prefix.cursor.offset)
            let again = clusters.prefix(limit - clusters.width(from: suffix))
            return Omission(
                from: again.cursor.offset <= suffix.offset ? again.cursor : prefix.cursor, to: suffix, tail: tail)
        }
    }

    /// A style of the tail, with inherited values from `around` where it equals the tail's own root.
    func adapted(_ own: ComputedStyle, root: ComputedStyle, around: ComputedStyle) -> ComputedStyle {
        var font = own.font
        if font.families == root.font.families { font.families = around.font.families }
        font.size = root.font.size > 0 ? own.font.size / root.font.size * around.font.size : around.font.size
        if font.weight == root.font.weight { font.weight = around.font.weight }
        if font.slant == root.font.slant { font.slant = around.font.slant }
        if font.language.isEmpty { font.language = around.font.language }
        var textStyle = own.text
        if textStyle.color == root.text.color { textStyle.color = around.text.color }
        if textStyle.lineHeight == root.text.lineHeight { textStyle.lineHeight = around.text.lineHeight }
        if textStyle.letterSpacing == root.text.letterSpacing { textStyle.letterSpacing = around.text.letterSpacing }
        if textStyle.shadows.isEmpty { textStyle.shadows = around.text.shadows }
        textStyle.direction = around.text.direction
        textStyle.wraps = around.text.wraps
        return ComputedStyle(font: font, text: textStyle, box: own.box)
    }
}
