// Truncation (CSS Overflow 4 §5): what happens to lines that may not be shown.
//
// Two kinds. CSS's own (`text-overflow`, `-webkit-line-clamp`) lays out everything, then covers the end of a line with an ellipsis: fragments keep
// their places and are hidden. A limit of lines or height with a tail leaves the text out: the last line is built anew from the longest
// part of the text that leaves room for the tail, in whole clusters.

import Basics
import Boxes
import Markup
import Styling

/// Text left out of a line, and what stands for it.
struct Omission {
    /// The first place left out, and the first that is there again (the end of the content in tail mode).
    var from: LineCursor
    var to: LineCursor
    /// Index in ``Layouter/contents`` of the tail; nil cuts without one.
    var tail: Int?
}

/// A limit on lines in force.
struct LineLimit {
    /// Lines that may still be placed.
    var left: Int
    var mode: BoxStyle.TruncateMode
}

extension Layouter {
    /// Lines of the block flow of `fragment`, from `first` on: those that a limit counts. Lines inside inline-level boxes and
    /// floats are no part of it (CSS Overflow 4 §5.1), nor are markers and alternative texts. Linear in boxes and lines.
    func flowLines(of fragment: Int, from first: Int) -> [Int] {
        var isApart = [Bool](repeating: false, count: tree.boxes.count - fragment)
        for index in tree.boxes.indices.dropFirst(fragment + 1) {
            let box = tree.boxes[index]
            isApart[index - fragment] =
                box.placement != .inFlow || box.kind == .marker || box.kind == .image
                || (box.parent > fragment && isApart[box.parent - fragment])
        }
        return (first..<tree.lines.count).filter { !isApart[tree.lines[$0].container - fragment] }
    }

    /// Lays out a box whose lines a limit on those of the flow around it does not count.
    mutating func layoutApart(
        _ box: Int, constraint: Constraint, placement: BoxFragment.Placement, parent: Int, origin: Int
    )
        -> Int
    {
        let limit = lineLimit
        lineLimit = nil
        defer { lineLimit = limit }
        return layoutIndependent(box, constraint: constraint, placement: placement, parent: parent, origin: origin)
    }

    // MARK: CSS clamps

    /// Lines of the block formatting context of `fragment`, from `first` on.
    private func ownLines(of fragment: Int, from first: Int) -> [Int] {
        (first..<tree.lines.count).filter { line in
            let container = tree.lines[line].container
            if container == fragment { return true }
            let box = tree.boxes[container]
            return !box.isContextRoot && box.origin == fragment && box.kind != .marker
        }
    }

    /// `line-clamp`: puts an ellipsis at the end of line number `limit` if more lines follow; returns its bottom, or nil.
    mutating func clampLines(of fragment: Int, from first: Int, limit: Int) -> LayoutUnit? {
        let lines = ownLines(of: fragment, from: first)
        guard lines.count > limit else { return nil }
        let line = lines[limit - 1]
        tree.isTruncated = true
        if tree.truncationOffset == nil { tree.truncationOffset = tree.lines[line].text.upperBound }
        coverEnd(of: line, always: true)
        return tree.lines[line].rect.maxY
    }

    /// `text-overflow: ellipsis` on the lines of `fragment` that stick out of it.
    mutating func coverOverflow(of fragment: Int, from first: Int) {
        for line in ownLines(of: fragment, from: first) { coverEnd(of: line, always: false) }
    }

    /// Hides what does not fit beside an ellipsis at the end of a line, and adds the ellipsis.
    private mutating func coverEnd(of line: Int, always: Bool) {
        let container = tree.boxes[tree.lines[line].container]
        let left = (container.isContextRoot ? .zero : container.rect.x) + container.border.left + container.padding.left
        let right =
            (container.isContextRoot ? .zero : container.rect.x) + container.rect.width - container.border.right
            - container.padding.right
        let rect = tree.lines[line].rect
        let isRightToLeft = text.styles[container.style].text.direction == .rtl
        guard always || rect.maxX > right || rect.x < left else { return }
        tree.isTruncated = true
        var bytes: [UInt8] = [0xE2, 0x80, 0xA6]
        if case .string(let string) = text.styles[container.style].box.textOverflow { bytes = Array(string.utf8) }
        let style = container.style
        let info = inlineStyle(style)
        let ellipsis = shapeGenerated(bytes, style: style, level: isRightToLeft ? 1 : 0)
        // Fragments are copied to the end of the arena, where there is room to add some.
        var fragments = Array(tree.inlines[tree.lines[line].fragments])
        var edge = isRightToLeft ? right.float : left.float
        let limit = isRightToLeft ? left.float + ellipsis.width : right.float - ellipsis.width
        var result: [InlineFragment] = []
        for index in fragments.indices {
            var fragment = fragments[index]
            guard fragment.kind != .box else {
                result.append(fragment)
                continue
            }
            let from = fragment.kind == .atomic ? fragment.rect.x.float : fragment.origin
            let to = fragment.kind == .atomic ? fragment.rect.maxX.float : from + advance(of: fragment.glyphs)
            let fits = isRightToLeft ? from >= limit - 1 / 64 : to <= limit + 1 / 64
            if fits {
                edge = isRightToLeft ? min(edge, from) : max(edge, to)
                result.append(fragment)
                continue
            }
            if fragment.kind == .atomic || (isRightToLeft ? to <= limit : from >= limit) {
                fragment.isHidden = true
                result.append(fragment)
                continue
            }
            let parts = split(fragment, at: limit, keepsRight: isRightToLeft)
            if let shown = parts.shown {
                edge = isRightToLeft ? min(edge, shown.origin) : max(edge, shown.origin + advance(of: shown.glyphs))
                result.append(shown)
            }
            if let hidden = parts.hidden {
                // The boxes around grow by the fragment that the split adds.
                if parts.shown != nil {
                    for outer in result.indices
                    where result[outer].kind == .box && outer + result[outer].children >= result.count - 1 {
                        result[outer].children += 1
                    }
                }
                result.append(hidden)
            }
        }
        fragments = result
        var at = isRightToLeft ? edge - ellipsis.width : edge
        let baseline = tree.lines[line].baseline
        for run in ellipsis.runs {
            var fragment = InlineFragment(
                kind: .generated, level: run.level, style: style, element: container.element,
                rect: LayoutRect(
                    x: .floor(at), y: baseline - info.text.ascent, width: .ceil(run.advance), height: info.text.height),
                baseline: baseline, text: 0..<0, font: run.font)
            fragment.glyphs = run.glyphs
            fragment.origin = at
            at += run.advance
            fragments.append(fragment)
        }
        tree.lines[line].fragments = tree.inlines.count..<tree.inlines.count + fragments.count
        tree.lines[line].isTruncated = true
        tree.inlines.append(contentsOf: fragments)
    }

    private func advance(of glyphs: Range<Int>) -> Float {
        var sum: Float = 0
        for glyph in glyphs { sum += shaped.glyphs[glyph].advance }
        return sum
    }

    /// Divides a text fragment at a cluster edge so that what is shown stays on its side of `limit`.
    private func split(_ fragment: InlineFragment, at limit: Float, keepsRight: Bool) -> (
        shown: InlineFragment?, hidden: InlineFragment?
    ) {
        var x = fragment.origin
        var cut = fragment.glyphs.lowerBound
        var cutX = x
        var at = fragment.glyphs.lowerBound
        while at < fragment.glyphs.upperBound {
            let cluster = shaped.glyphs[at].cluster
            var next = at
            var width: Float = 0
            while next < fragment.glyphs.upperBound, shaped.glyphs[next].cluster == cluster {
                width += shaped.glyphs[next].advance
                next += 1
            }
            if keepsRight ? x >= limit - 1 / 64 : x + width > limit + 1 / 64 { break }
            x += width
            at = next
            cut = next
            cutX = x
        }
        var first = fragment
        var second = fragment
        first.glyphs = fragment.glyphs.lowerBound..<cut
        first.rect.width = .ceil(cutX - fragment.origin)
        second.glyphs = cut..<fragment.glyphs.upperBound
        second.origin = cutX
        second.rect.x = .floor(cutX)
        second.rect.width = (fragment.rect.maxX - second.rect.x).nonNegative
        // Text ranges follow the glyphs: the cluster that begins the later part in logical order divides them.
        if let base = fragment.glyphs.lazy.map({ shaped.glyphs[$0].cluster }).min(), !first.glyphs.isEmpty,
            !second.glyphs.isEmpty
        {
            let isReversed = fragment.level & 1 == 1
            let later = isReversed ? first.glyphs : second.glyphs
            if let start = later.lazy.map({ shaped.glyphs[$0].cluster }).min() {
                let offset = min(fragment.text.lowerBound + Int(start) - Int(base), fragment.text.upperBound)
                if isReversed {
                    second.text = fragment.text.lowerBound..<offset
                    first.text = offset..<fragment.text.upperBound
                } else {
                    first.text = fragment.text.lowerBound..<offset
                    second.text = offset..<fragment.text.upperBound
                }
            }
        }
        let shown = keepsRight ? second : first
        var hidden = keepsRight ? first : second
        hidden.isHidden = true
        return (shown.glyphs.isEmpty ? nil : shown, hidden.glyphs.isEmpty ? nil : hidden)
    }

    // MARK: Limits with a tail

    /// Chooses what the last line leaves out, so that what stays and the tail fit into `available`.
    mutating func omission(
        _ content: InlineContent, from start: LineCursor, available: LayoutUnit, percentageBase: LayoutUnit,
        mode: BoxStyle.TruncateMode, tail: Int?
    ) -> Omission {
        let end = LineCursor(item: content.items.upperBound, offset: content.textCount)
        var tailWidth: Float = 0
        if let tail {
            let measured = findLineEnd(
                contents[tail], from: firstCursor(contents[tail]), available: .unlimited,
                percentageBase: percentageBase, ignoresFit: true)
            tailWidth = measured.width.float
        }
        let limit = available.float + 1 / 64 - tailWidth
        if limit < 0 {
            tailFailed = tailFailed || tailWidth > available.float + 1 / 64
            return Omission(from: start, to: end, tail: tail)
        }
        let clusters = clusterEdges(content, from: start, percentageBase: percentageBase)
        switch mode {
        case .tail, .clip: return Omission(from: clusters.prefix(limit).cursor, to: end, tail: tail)
        case .word:
            let line = findLineEnd(
                content, from: start, available: LayoutUnit.floor(limit), percentageBase: percentageBase)
            let prefix = clusters.prefix(limit)
            // A first word that is too long is cut like any text.
            let usesWord =
                !line.overflows && line.next.offset > start.offset && line.next.offset <= prefix.cursor.offset
                && !line.isForced
            return Omission(from: usesWord ? line.next : prefix.cursor, to: end, tail: tail)
        case .head:
            return Omission(from: start, to: clusters.suffix(limit, after: start.offset), tail: tail)
        case .middle:
            let prefix = clusters.prefix(limit / 2)
            let suffix = clusters.suffix(limit - prefix.x, after: prefix.cursor.offset)
            let again = clusters.prefix(limit - clusters.width(from: suffix))
            return Omission(
                from: again.cursor.offset <= suffix.offset ? again.cursor : prefix.cursor, to: suffix, tail: tail)
        }
    }

    /// The places between clusters with their distance from the line's start.
    struct ClusterEdges {
        var edges: [(cursor: LineCursor, x: Float)] = []
        var end: LineCursor
        var total: Float = 0

        /// The last place no further than `limit`.
        func prefix(_ limit: Float) -> (cursor: LineCursor, x: Float) {
            var best = edges.first ?? (end, 0)
            for edge in edges where edge.x <= limit { best = edge }
            if total <= limit { best = (end, total) }
            return best
        }
        /// The first place from which the rest is no wider than `limit`.
        func suffix(_ limit: Float, after offset: Int) -> LineCursor {
            for edge in edges where edge.cursor.offset >= offset && total - edge.x <= limit { return edge.cursor }
            return end
        }
        func width(from cursor: LineCursor) -> Float {
            for edge in edges where edge.cursor == cursor { return total - edge.x }
            return 0
        }
    }

    /// All grapheme cluster edges from `start` to the end of its paragraph.
    mutating func clusterEdges(_ content: InlineContent, from start: LineCursor, percentageBase: LayoutUnit)
        -> ClusterEdges
    {
        var result = ClusterEdges(end: LineCursor(item: content.items.upperBound, offset: content.textCount))
        var x: Float = 0
        var item = start.item
        var isFirst = true
        while item < content.items.upperBound {
            let current = flat[item]
            switch current.kind {
            case .open, .close:
                if inlineStyle(current.style).hasEdges {
                    let edges = inlineEdges(current.style, percentageBase: percentageBase)
                    let isLeft = (current.kind == .open) != (inlineStyle(current.style).direction == .rtl)
                    let width =
                        isLeft
                        ? edges.margin.left + edges.border.left + edges.padding.left
                        : edges.margin.right + edges.border.right + edges.padding.right
                    if current.kind == .open { result.edges.append((cursor(atItem: item), x)) }
                    x += width.float
                }
            case .newline:
                if item > start.item {
                    result.end = cursor(atItem: item)
                    result.edges.append((result.end, x))
                    result.total = x
                    return result
                }
            case .tab:
                result.edges.append((cursor(atItem: item), x))
                x += tabAdvance(current.style, in: content.style, position: x)
            case .atomic:
                result.edges.append((cursor(atItem: item), x))
                x += atomicWidth(Int(current.link)).float
            case .text:
                var run = isFirst ? start.run : Int(current.runs.lowerBound)
                var glyph = isFirst ? start.glyph : 0
                while run < Int(current.runs.upperBound) {
                    let glyphRun = shaped.runs[run]
                    let count = glyphRun.glyphs.count
                    let isReversed = glyphRun.level & 1 == 1
                    while glyph < count {
                        let at =
                            isReversed ? glyphRun.glyphs.upperBound - 1 - glyph : glyphRun.glyphs.lowerBound + glyph
                        let cluster = shaped.glyphs[at].cluster
                        let offset = Int(cluster)
                        if isGraphemeBoundary(content, offset) {
                            result.edges.append((LineCursor(item: item, run: run, glyph: glyph, offset: offset), x))
                        }
                        while glyph < count {
                            let at =
                                isReversed ? glyphRun.glyphs.upperBound - 1 - glyph : glyphRun.glyphs.lowerBound + glyph
                            guard shaped.glyphs[at].cluster == cluster else { break }
                            x += shaped.glyphs[at].advance
                            glyph += 1
                        }
                    }
                    run += 1
                    glyph = 0
                }
            case .float, .wordBreak: break
            }
            isFirst = false
            item += 1
        }
        result.total = x
        return result
    }

    private func isGraphemeBoundary(_ content: InlineContent, _ offset: Int) -> Bool {
        let byte = inlineText[content.textStart + offset]
        if byte < 0x80, offset == 0 || inlineText[content.textStart + offset - 1] < 0x80 { return true }
        return inlineText.withUnsafeBufferPointer { all in
            let bytes = UnsafeBufferPointer(rebasing: all[content.textStart..<content.textStart + content.textCount])
            return GraphemeBreaker.isBoundary(bytes, offset, start: 0, end: content.textCount)
        }
    }

    /// The tail as inline content in the surroundings of `style`: what the tail's own styles leave alone is taken from there.
    mutating func tailContent(for style: StyleID) -> Int {
        if let known = tailContents[style] { return known }
        let around = text.styles[style]
        var items: [InlineItem] = []
        let firstItem = text.items.count
        if let tail = options.tail, !tail.items.isEmpty {
            let root = tail.styles[.root]
            let textBase = text.text.count
            let runBase = text.runs.count
            let styleBase = text.styles.styles.count
            for own in tail.styles.styles { _ = text.styles.append(adapted(own, root: root, around: around)) }
            text.text.append(contentsOf: tail.text)
            for run in tail.runs {
                text.runs.append(
                    StyledRun(
                        range: run.range.lowerBound + textBase..<run.range.upperBound + textBase,
                        style: StyleID(rawValue: run.style.rawValue + UInt32(clamping: styleBase)),
                        element: run.element))
            }
            for item in Self.inlineItems(of: tail) {
                switch item {
                case .text(let run): items.append(.text(run: run + runBase))
                case .open(let own, let element):
                    items.append(
                        .open(style: StyleID(rawValue: own.rawValue + UInt32(clamping: styleBase)), element: element))
                case .close: items.append(.close)
                case .atomic, .float, .breakOpportunity: break
                }
            }
        } else {
            let start = text.text.count
            text.text.append(contentsOf: [0xE2, 0x80, 0xA6])
            text.runs.append(StyledRun(range: start..<start + 3, style: style, element: .none))
            items.append(.text(run: text.runs.count - 1))
        }
        text.items.append(contentsOf: items)
        while inlineStyles.count < text.styles.styles.count { inlineStyles.append(InlineStyle()) }
        let index = contents.count
        contents.append(prepareContent(items: firstItem..<text.items.count, style: style))
        tailContents[style] = index
        return index
    }

    /// The inline items of all boxes in the order of the text: what an inline-level box or a float holds stands in its place.
    private static func inlineItems(of text: StyledText) -> [InlineItem] {
        enum Step {
            case box(Int)
            case items(Range<Int>)
        }
        var result: [InlineItem] = []
        // Not by recursion: boxes may be nested as deep as the markup.
        var steps: [Step] = text.boxes.isEmpty ? [] : [.box(0)]
        while let step = steps.popLast() {
            switch step {
            case .box(let box) where text.boxes[box].holdsInlines: steps.append(.items(text.boxes[box].items))
            case .box(let box): steps += text.children(of: box).reversed().map { .box($0) }
            case .items(let range):
                guard let index = range.first else { continue }
                steps.append(.items(range.dropFirst()))
                switch text.items[index] {
                case .atomic(let box, _), .float(let box): steps.append(.box(box))
                case .text, .open, .close, .breakOpportunity: result.append(text.items[index])
                }
            }
        }
        return result
    }

    /// A style of the tail with inherited values from around where it equals the tail's own root.
    private func adapted(_ own: ComputedStyle, root: ComputedStyle, around: ComputedStyle) -> ComputedStyle {
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

extension NodeID {
    /// No element: the text of an ellipsis without markup.
    static let none = NodeID(index: .max)
}
