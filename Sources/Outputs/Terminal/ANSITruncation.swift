// Text cut off on a terminal (SPEC L10): after some lines, or where a line is wider than its box.
//
// Lines are counted while they are made. A box that makes more than it may is laid out once more, and then ends with the
// last line that it may show, which the tail is part of. What stands side by side (tables, flex rows) is never cut within.

import Basics
import Boxes
import Markup
import Styling

/// How far the text may go, and what stands for the rest.
struct TerminalTruncation {
    /// Lines of the whole text; nil shows all.
    var limit: Int?
    var mode = BoxStyle.TruncateMode.tail
    /// What stands for text that is left out; nil is an ellipsis in the style of the text before.
    var tail: TerminalLine?
    /// Lines made so far.
    private(set) var made = 0
    /// Lines that may still be made; nil for no limit.
    var left: Int?
    /// Clamped boxes within each other that are laid out twice, so that time does not double with each.
    var depth = 0
    static let deepest = 3

    mutating func begin(limit: Int) {
        made = 0
        left = limit
    }

    /// Counts a line; true when it is the last one, and more would follow.
    mutating func takeLine() -> Bool {
        made += 1
        guard let left else { return false }
        self.left = max(0, left - 1)
        return left == 1
    }

    mutating func take(_ lines: Int) {
        made += lines
        left = left.map { max(0, $0 - lines) }
    }

    mutating func restore(made: Int) { self.made = made }
}

extension ANSIWriter {
    /// Shows at most so many lines, and what stands for the rest.
    package mutating func truncate(to lines: Int, mode: BoxStyle.TruncateMode, tail: (StyledText, MarkupTree)?) {
        truncation.limit = lines
        truncation.mode = mode
        setTail(tail)
    }

    private mutating func setTail(_ tail: (text: StyledText, tree: MarkupTree)?) {
        guard let tail else { return }
        var writer = ANSIWriter(tail.text, tree: tail.tree, options: options, breaker: breaker, after: targets)
        let lines = writer.layout(0, width: max(1, options.width), background: nil, depth: 0)
        targets = writer.targets
        truncation.tail = lines.first?.settled.trimmed ?? TerminalLine()
    }

    /// Makes lines that do not count: those of a box in a line, which is part of that line.
    mutating func apart<Result>(_ body: (inout ANSIWriter) -> Result) -> Result {
        let before = truncation
        truncation.left = nil
        defer { truncation = before }
        return body(&self)
    }

    /// Makes lines that stand side by side: they count as the lines that they take together.
    mutating func wholeLines(_ body: (inout ANSIWriter) -> [TerminalLine]) -> [TerminalLine] {
        wholeLines { body(&$0) as [TerminalLine]? } ?? []
    }

    mutating func wholeLines(_ body: (inout ANSIWriter) -> [TerminalLine]?) -> [TerminalLine]? {
        guard var lines = apart(body) else { return nil }
        if let left = truncation.left, lines.count > left { lines.removeSubrange(left...) }
        truncation.take(lines.count)
        return lines
    }

    /// The contents of a box, with its `line-clamp` and `text-overflow`.
    mutating func clampedContents(_ box: Int, width: Int, background: Color?, depth: Int) -> [TerminalLine] {
        let item = text.boxes[box]
        let style = text.styles[item.style].box
        let before = truncation
        let lines = contents(box, width: width, background: background, depth: depth)
        if item.isAnonymous { return lines }
        let hides = style.overflowX != .visible || style.overflowY != .visible
        if style.lineClamp > 0, style.display != .webkitBox || style.truncateMode != nil || hides {
            guard truncation.made - before.made > style.lineClamp, before.depth < TerminalTruncation.deepest else {
                return lines
            }
            truncation = before
            truncation.depth += 1
            truncation.mode = style.truncateMode ?? .tail
            truncation.left = min(before.left ?? .max, style.lineClamp)
            let clamped = contents(box, width: width, background: background, depth: depth)
            let made = truncation.made
            truncation = before
            truncation.take(made - before.made)
            return clamped
        }
        guard style.overflowX != .visible else { return lines }
        switch style.textOverflow {
        case .clip: return lines
        case .ellipsis: return lines.map { covered($0, width: width, by: "…") }
        case .string(let string): return lines.map { covered($0, width: width, by: string) }
        }
    }

    /// A line whose end gives way to `text` where it is wider than its box.
    private func covered(_ line: TerminalLine, width: Int, by text: String) -> TerminalLine {
        guard line.width > width, line.picture == nil else { return line }
        let bytes = DisplayWidth.sanitized(text.utf8)
        let cells = DisplayWidth.cells(bytes)
        var result = TerminalLine()
        result.hanging = line.hanging
        result.hangingSpace = line.hangingSpace
        var style = TerminalStyle.plain
        pieces: for piece in line.pieces {
            style = piece.style
            var start = 0
            while start < piece.text.count {
                let end = piece.text.withUnsafeBufferPointer { GraphemeBreaker.next($0, start, end: $0.count) }
                let cluster = Array(piece.text[start..<end])
                let size = DisplayWidth.cells(cluster)
                if result.width + size + cells > width { break pieces }
                result.append(cluster, width: size, style)
                start = end
            }
        }
        result.append(bytes, width: cells, style)
        return result
    }

    /// The last line that may be shown: as many clusters as leave room for the tail.
    func lastLine(
        _ atoms: ArraySlice<Atom>, _ styles: [TerminalStyle], room: Int, indent: Int, _ block: TextStyle,
        _ background: Color?
    ) -> TerminalLine {
        let hasTail = truncation.mode != .clip
        var tail = TerminalLine()
        if hasTail { tail = truncation.tail ?? TerminalLine() }
        let tailWidth = !hasTail ? 0 : truncation.tail?.width ?? 1
        var used = 0
        var end = atoms.startIndex
        var lastBreak = atoms.startIndex
        while end < atoms.endIndex, atoms[end].kind != .forcedBreak {
            let atom = atoms[end]
            let size = atom.kind == .tab ? tabWidth(used, block) : atom.width
            if atom.breakBefore != .none { lastBreak = end }
            if used + size + tailWidth > room { break }
            used += size
            end += 1
        }
        if truncation.mode == .word, end < atoms.endIndex, atoms[end].kind != .forcedBreak, lastBreak > atoms.startIndex
        {
            end = lastBreak
        }
        let shown = atoms[..<end]
        var result = line(
            shown, styles, room: max(0, room - tailWidth), indent: indent, block, background, isLast: true,
            endsInHyphen: false)
        if hasTail, truncation.tail == nil {
            let style = shown.last.map { styles[$0.style] } ?? atoms.first.map { styles[$0.style] } ?? .plain
            tail.append(Array("…".utf8), width: 1, style)
        }
        result.append(tail)
        return result
    }
}
