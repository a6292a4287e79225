// CSS's own truncation (`text-overflow`, `-webkit-line-clamp`): everything is laid out, then an ellipsis replaces the
// end of a line. The text it replaces keeps its place and is hidden.

extension LayoutTree {
    /// A line that a limit counts; or a row of a table, with all lines of the cells that are side by side in it.
    struct FlowLine {
        /// The index in ``lines``; for a row, that of its last line.
        var line: Int
        var bottom: LayoutUnit
    }

    /// The lines of the block flow of `fragment`, from `first` on, that a limit counts. Lines inside inline-level boxes and
    /// floats do not count (CSS Overflow 4 §5.1), nor do markers and alternative texts. Linear in boxes and lines.
    func flowLines(of fragment: Int, from first: Int) -> [FlowLine] {
        /// For each box the row around it that counts as one line, −1 for none; nil for boxes outside of the flow.
        var rows = [Int?](repeating: -1, count: boxes.count - fragment)
        for index in boxes.indices.dropFirst(fragment + 1) {
            let box = boxes[index]
            let around = box.parent > fragment ? rows[box.parent - fragment] : -1
            let isApart = box.placement != .inFlow || box.kind == .marker || box.kind == .image
            rows[index - fragment] = isApart ? nil : around == -1 && box.isOneLine ? index : around
        }
        var result: [FlowLine] = []
        var rowBefore = -1
        for line in first..<lines.count {
            guard let row = rows[lines[line].container - fragment] else { continue }
            if row < 0 {
                result.append(FlowLine(line: line, bottom: lines[line].rect.maxY))
            } else if row == rowBefore {
                result[result.count - 1].line = line
            } else {
                result.append(FlowLine(line: line, bottom: boxes[row].rect.maxY))
            }
            rowBefore = row
        }
        return result
    }

    /// The lines of the block formatting context of `fragment`, from `first` on.
    private func ownLines(of fragment: Int, from first: Int) -> [Int] {
        (first..<lines.count).filter { line in
            let container = lines[line].container
            if container == fragment { return true }
            let box = boxes[container]
            return !box.isContextRoot && box.origin == fragment && box.kind != .marker
        }
    }

    /// `line-clamp`: adds an ellipsis at the end of line number `limit` if more lines follow; returns its bottom, or nil.
    mutating func clampLines(
        of fragment: Int, from first: Int, limit: Int, in contents: inout InlineContents
    ) -> LayoutUnit? {
        let own = ownLines(of: fragment, from: first)
        guard own.count > limit else { return nil }
        let line = own[limit - 1]
        isTruncated = true
        if truncationOffset == nil { truncationOffset = lines[line].text.upperBound }
        coverEnd(of: line, always: true, in: &contents)
        return lines[line].rect.maxY
    }

    /// `text-overflow` for the lines of `fragment` that overflow it, but not those of blocks in it (CSS UI 4 §4.1).
    mutating func coverOverflow(of fragment: Int, from first: Int, in contents: inout InlineContents) {
        for line in ownLines(of: fragment, from: first) {
            let (index, box) = (lines[line].container, boxes[lines[line].container])
            let isDirect = index == fragment || box.isAnonymous && box.parent == fragment
            if isDirect { coverEnd(of: line, always: false, in: &contents) }
        }
    }

    /// The most characters of an ellipsis: a longer one never fits on a line, and would be shaped for each.
    private static let longestEllipsis = 256

    /// Hides the part of a line that does not fit beside an ellipsis at its end, and adds the ellipsis.
    private mutating func coverEnd(of line: Int, always: Bool, in contents: inout InlineContents) {
        let container = boxes[lines[line].container]
        let start = container.isContextRoot ? .zero : container.rect.x
        let (left, right) = (start + container.frame.left, start + container.rect.width - container.frame.right)
        let rect = lines[line].rect
        let isRightToLeft = contents.text.styles[container.style].text.direction == .rtl
        guard always || rect.maxX > right || rect.x < left else { return }
        isTruncated = true
        var bytes: [UInt8] = [0xE2, 0x80, 0xA6]
        if case .string(let string) = contents.text.styles[container.style].box.textOverflow {
            bytes = Array(string.unicodeScalars.prefix(Self.longestEllipsis).map(String.init).joined().utf8)
        }
        let style = container.style
        let ellipsis = contents.shapeGenerated(bytes, style: style, level: isRightToLeft ? 1 : 0)
        var edge = isRightToLeft ? right.float : left.float
        let limit = isRightToLeft ? left.float + ellipsis.width : right.float - ellipsis.width
        var result: [InlineFragment] = []
        // The first character or box is clipped, not hidden (CSS UI 4 §4.1).
        let content = lines[line].fragments.filter { inlines[$0].kind != .box }
        let firstContent = isRightToLeft ? content.last : content.first
        for index in lines[line].fragments {
            var fragment = inlines[index]
            guard fragment.kind != .box else {
                result.append(fragment)
                continue
            }
            let from = fragment.kind == .atomic ? fragment.rect.x.float : fragment.origin
            let to =
                fragment.kind == .atomic
                ? fragment.rect.maxX.float : from + contents.shaped.glyphs.advance(of: fragment.glyphs)
            let fits = isRightToLeft ? from >= limit - 1 / 64 : to <= limit + 1 / 64
            let isFirst = index == firstContent
            if fits || isFirst && fragment.kind == .atomic {
                edge = isRightToLeft ? min(edge, from) : max(edge, to)
                result.append(fragment)
                continue
            }
            if fragment.kind == .atomic || !isFirst && (isRightToLeft ? to <= limit : from >= limit) {
                fragment.isHidden = true
                result.append(fragment)
                continue
            }
            var cut = limit
            if isFirst {
                let clusters = contents.shaped.glyphs.clusters(of: fragment.glyphs)
                let end = isRightToLeft ? clusters.last : clusters.first
                let cluster = contents.shaped.glyphs.advance(of: end ?? 0..<0)
                cut = isRightToLeft ? min(limit, to - cluster) : max(limit, from + cluster)
            }
            let parts = contents.split(fragment, at: cut, keepsRight: isRightToLeft)
            if let shown = parts.shown {
                edge =
                    isRightToLeft
                    ? min(edge, shown.origin)
                    : max(edge, shown.origin + contents.shaped.glyphs.advance(of: shown.glyphs))
                result.append(shown)
            }
            if let hidden = parts.hidden {
                // The split adds a fragment to the boxes that contain it.
                if parts.shown != nil {
                    for outer in result.indices
                    where result[outer].kind == .box && outer + result[outer].children >= result.count - 1 {
                        result[outer].children += 1
                    }
                }
                result.append(hidden)
            }
        }
        // The line moves to the end of the arena, where fragments can be added.
        result += ellipsis.fragments(
            from: isRightToLeft ? edge - ellipsis.width : edge, baseline: lines[line].baseline, style: style,
            contents.inlineStyle(style), element: container.element)
        lines[line].fragments = inlines.count..<inlines.count + result.count
        lines[line].isTruncated = true
        inlines += result
    }
}

extension InlineContents {
    /// Divides a text fragment at a cluster edge so that the visible part stays on its side of `limit`.
    fileprivate func split(_ fragment: InlineFragment, at limit: Float, keepsRight: Bool) -> (
        shown: InlineFragment?, hidden: InlineFragment?
    ) {
        var x = fragment.origin
        var cut = fragment.glyphs.lowerBound
        for cluster in shaped.glyphs.clusters(of: fragment.glyphs) {
            let end = x + shaped.glyphs.advance(of: cluster)
            if keepsRight ? x >= limit - 1 / 64 : end > limit + 1 / 64 { break }
            (x, cut) = (end, cluster.upperBound)
        }
        var first = fragment, second = fragment
        first.glyphs = fragment.glyphs.lowerBound..<cut
        first.rect.width = .ceil(x - fragment.origin)
        second.glyphs = cut..<fragment.glyphs.upperBound
        second.origin = x
        second.rect.x = .floor(x)
        second.rect.width = (fragment.rect.maxX - second.rect.x).nonNegative
        // Text ranges follow the glyphs: they are divided at the cluster that begins the later part in logical order.
        let isReversed = fragment.level & 1 == 1
        if !first.glyphs.isEmpty, let base = shaped.glyphs.firstCluster(of: fragment.glyphs),
            let start = shaped.glyphs.firstCluster(of: isReversed ? first.glyphs : second.glyphs)
        {
            let offset = min(fragment.text.lowerBound + start - base, fragment.text.upperBound)
            let (before, after) = (fragment.text.lowerBound..<offset, offset..<fragment.text.upperBound)
            (first.text, second.text) = isReversed ? (after, before) : (before, after)
        }
        let shown = keepsRight ? second : first
        var hidden = keepsRight ? first : second
        hidden.isHidden = true
        return (shown.glyphs.isEmpty ? nil : shown, hidden.glyphs.isEmpty ? nil : hidden)
    }
}
