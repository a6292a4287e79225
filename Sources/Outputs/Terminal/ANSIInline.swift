// Inline contents of a block in, lines of cells out.
//
// The items become one row of atoms (grapheme clusters with their style, or boxes as wide as their text); the line breaker
// says where lines may end, and they are filled greedily, as CSS Text 3 §4.1.2 hangs the spaces at their ends.

import Basics
import Boxes
import Painting
import Styling
import Typography

extension ANSIWriter {
    /// A cluster or an inline box.
    struct Atom {
        var bytes: [UInt8]
        var width: Int
        var style: Int
        /// Whether a line may break before it.
        var breakBefore: LineBreakOpportunity
        var kind: Kind
        enum Kind: UInt8 { case text, space, tab, forcedBreak, softHyphen }
    }

    mutating func inlineLines(_ box: Int, width: Int, background: Color?, depth: Int) -> [TerminalLine] {
        let item = text.boxes[box]
        let block = text.styles[item.style].text
        var styles: [TerminalStyle] = []
        var blocks: [TerminalLine] = []
        let atoms = atoms(item, &styles, width: width, background: background, depth: depth, floats: &blocks)
        let indent = cells(block.indent.px) + pixelInt(block.indent.fraction * Float(width))
        if atoms.isEmpty { return blocks }
        return blocks + fill(atoms, styles, width: width, indent: min(indent, width - 1), block, background)
    }

    // MARK: Atoms

    private mutating func atoms(
        _ item: StyledBox, _ styles: inout [TerminalStyle], width: Int, background: Color?, depth: Int,
        floats: inout [TerminalLine]
    ) -> [Atom] {
        var result: [Atom] = []
        var backgrounds: [Color?] = [background]
        let range = item.text.clamped(to: 0..<text.text.count)
        // Opportunities for the whole block at once, with each run's own options.
        var spans: [LineBreakSpan] = []
        for index in item.items.clamped(to: 0..<text.items.count) {
            guard case .text(let run) = text.items[index] else { continue }
            let piece = text.runs[run].range.clamped(to: range)
            let style = text.styles[text.runs[run].style]
            let language = style.font.language.isEmpty ? text.language : style.font.language
            let start = spans.last?.range.upperBound ?? range.lowerBound
            if piece.upperBound > start {
                spans.append(
                    LineBreakSpan(
                        range: start..<piece.upperBound, options: LineBreakOptions(style.text, language: language)))
            }
        }
        if let last = spans.last, last.range.upperBound < range.upperBound {
            spans[spans.count - 1].range = last.range.lowerBound..<range.upperBound
        }
        if spans.isEmpty { spans = [LineBreakSpan(range: range, options: LineBreakOptions())] }
        text.text.withUnsafeBufferPointer { breaker.find($0, range, spans: spans, into: &breaks) }
        let opportunities = breaks
        func opportunity(_ offset: Int) -> LineBreakOpportunity {
            let index = offset - range.lowerBound
            return opportunities.indices.contains(index)
                ? LineBreakOpportunity(rawValue: opportunities[index]) ?? .none : .none
        }
        var breaksHere = false
        func styleIndex(_ style: TerminalStyle) -> Int {
            if let last = styles.indices.last, styles[last] == style { return last }
            styles.append(style)
            return styles.count - 1
        }
        for index in item.items.clamped(to: 0..<text.items.count) {
            switch text.items[index] {
            case .open(let style, _):
                let own = text.styles[style].box.backgroundColor
                backgrounds.append(own.alpha >= 128 ? own : backgrounds.last ?? nil)
                let space = cells(
                    text.styles[style].box.padding.left.px + (text.styles[style].box.margin.left?.px ?? 0))
                if space > 0 && own.alpha >= 128 {
                    result.append(
                        Atom(
                            bytes: [0x20], width: 1, style: styleIndex(TerminalStyle(background: own)),
                            breakBefore: .none, kind: .text))
                }
            case .close:
                if backgrounds.count > 1 { backgrounds.removeLast() }
            case .text(let run):
                let run = text.runs[run]
                let link = target(ofLink: run.link)
                let style = text.styles[run.style]
                let look = styleIndex(terminalStyle(run.style, background: backgrounds.last ?? nil, link: link))
                let wraps = style.text.wraps
                let isPreserved = style.text.whiteSpaceCollapse != .collapse
                text.text.withUnsafeBufferPointer { bytes in
                    var at = run.range.clamped(to: range).lowerBound
                    let end = run.range.clamped(to: range).upperBound
                    while at < end {
                        let next = GraphemeBreaker.next(bytes, at, end: end)
                        var before = at == range.lowerBound ? .none : opportunity(at)
                        if !wraps && before != .mandatory { before = .none }
                        if breaksHere && before == .none { before = .allowed }
                        breaksHere = false
                        let byte = bytes[at]
                        if byte == 0x0A || (byte == 0x0D && next - at == 2) {
                            result.append(
                                Atom(bytes: [], width: 0, style: look, breakBefore: .none, kind: .forcedBreak))
                        } else if byte == 0x09 {
                            result.append(Atom(bytes: [], width: 0, style: look, breakBefore: before, kind: .tab))
                        } else if byte == 0x20 && next == at + 1 {
                            result.append(
                                Atom(
                                    bytes: [0x20], width: 1, style: look, breakBefore: before,
                                    kind: isPreserved ? .text : .space))
                            if isPreserved && wraps { result[result.count - 1].kind = .space }
                        } else if byte == 0xC2 && bytes[at + 1] == 0xAD && next == at + 2 {
                            result.append(
                                Atom(bytes: [], width: 0, style: look, breakBefore: before, kind: .softHyphen))
                        } else {
                            let cluster = at..<next
                            let clean =
                                DisplayWidth.needsCleaning(bytes, cluster)
                                ? DisplayWidth.cleaned(bytes, cluster) : Array(bytes[cluster])
                            let size = clean.withUnsafeBufferPointer {
                                $0.isEmpty ? 0 : DisplayWidth.cells($0, 0..<$0.count)
                            }
                            if !clean.isEmpty {
                                result.append(
                                    Atom(bytes: clean, width: size, style: look, breakBefore: before, kind: .text))
                            }
                        }
                        at = next
                    }
                }
            case .atomic(let child, let offset):
                let before = offset == range.lowerBound ? .none : opportunity(offset)
                appendBox(
                    child, before, &result, &styles, &floats, width: width, background: backgrounds.last ?? nil,
                    depth: depth)
                if opportunity(min(offset + 3, range.upperBound)) == .allowed { breaksHere = true }
            case .float(let child):
                floats += apart { $0.layout(child, width: width, background: background, depth: depth + 1) }
            case .breakOpportunity:
                breaksHere = true
            }
        }
        return result
    }

    /// An inline-level box: its text on the line when that is one line, else its lines joined by spaces.
    private mutating func appendBox(
        _ box: Int, _ before: LineBreakOpportunity, _ result: inout [Atom], _ styles: inout [TerminalStyle],
        _ above: inout [TerminalLine],
        width: Int, background: Color?, depth: Int
    ) {
        let lines = apart { $0.layout(box, width: width, background: background, depth: depth + 1) }
        if lines.contains(where: { $0.picture != nil }) || (lines.count > 1 && text.boxes[box].replaced >= 0) {
            // A picture stands above the lines that it is part of.
            above += lines
            return
        }
        var opportunity = before == .none && result.last?.kind == .space ? .allowed : before
        for (index, line) in lines.enumerated() {
            if index > 0 {
                // Several lines cannot stand side by side with text; each gets a line of its own.
                result.append(Atom(bytes: [], width: 0, style: 0, breakBefore: .none, kind: .forcedBreak))
                if styles.isEmpty { styles.append(.plain) }
            }
            for piece in (lines.count == 1 ? line.settled.trimmed : line.settled).pieces {
                styles.append(piece.style)
                result.append(
                    Atom(
                        bytes: piece.text, width: piece.width, style: styles.count - 1, breakBefore: opportunity,
                        kind: .text))
                opportunity = .none
            }
        }
    }

    // MARK: Lines

    private mutating func fill(
        _ atoms: [Atom], _ styles: [TerminalStyle], width: Int, indent: Int, _ block: TextStyle, _ background: Color?
    ) -> [TerminalLine] {
        var lines: [TerminalLine] = []
        var start = 0
        var isFirst = true
        while start < atoms.count || isFirst, truncation.left != 0 {
            let lineIndent = isFirst != block.indentHanging ? max(0, indent) : 0
            let room = max(1, width - lineIndent)
            if truncation.takeLine() {
                lines.append(
                    lastLine(atoms[start...], styles, room: room, indent: lineIndent, block, background))
                break
            }
            var used = 0
            var index = start
            var lastBreak = -1
            var end = atoms.count
            var next = atoms.count
            while index < atoms.count {
                let atom = atoms[index]
                if atom.kind == .forcedBreak {
                    end = index
                    next = index + 1
                    break
                }
                if atom.breakBefore != .none && index > start { lastBreak = index }
                let size = atom.kind == .tab ? tabWidth(used, block) : atom.width
                // Spaces hang at the end of a line.
                if used + size > room && atom.kind != .space && atom.kind != .softHyphen && index > start {
                    if lastBreak > start {
                        end = lastBreak
                    } else if block.wraps {
                        end = index
                    } else {
                        used += size
                        index += 1
                        continue
                    }
                    next = end
                    break
                }
                used += size
                index += 1
            }
            let isLast = next >= atoms.count || atoms[min(end, atoms.count - 1)].kind == .forcedBreak
            // A forced break at the very end makes no further line.
            lines.append(
                line(
                    atoms[start..<end], styles, room: room, indent: lineIndent, block, background, isLast: isLast,
                    endsInHyphen: end < atoms.count && atoms[end].kind != .forcedBreak))
            isFirst = false
            start = next
            if block.whiteSpaceCollapse == .collapse {
                while start < atoms.count && atoms[start].kind == .space { start += 1 }
            }
        }
        return lines
    }

    func tabWidth(_ used: Int, _ block: TextStyle) -> Int {
        let size: Int
        switch block.tabSize {
        case .spaces(let count): size = max(0, min(64, pixelInt(count)))
        case .length(let pixels): size = min(64, cells(pixels))
        }
        return size <= 0 ? 0 : size - used % size
    }

    func line(
        _ atoms: ArraySlice<Atom>, _ styles: [TerminalStyle], room: Int, indent: Int, _ block: TextStyle,
        _ background: Color?, isLast: Bool,
        endsInHyphen: Bool
    ) -> TerminalLine {
        var atoms = atoms
        while block.whiteSpaceCollapse == .collapse || block.wraps, atoms.last?.kind == .space { atoms.removeLast() }
        var content = TerminalLine()
        for atom in atoms {
            switch atom.kind {
            case .tab: content.space(tabWidth(content.width, block), background: styles[atom.style])
            case .softHyphen, .forcedBreak: break
            case .text, .space: content.append(atom.bytes, width: atom.width, styles[atom.style])
            }
        }
        if endsInHyphen, let last = atoms.last, last.kind == .softHyphen {
            content.append([0x2D], width: 1, styles[last.style])
        }
        let rest = max(0, room - content.width)
        let isRightToLeft = block.direction == .rtl
        var shift = 0
        var align = block.align
        if isLast, align == .justify {
            switch block.alignLast {
            case .auto, .start, .justify: align = .start
            case .end: align = .end
            case .left: align = .left
            case .right: align = .right
            case .center: align = .center
            }
        }
        switch align {
        case .left: break
        case .start, .matchParent: shift = isRightToLeft ? rest : 0
        case .end: shift = isRightToLeft ? 0 : rest
        case .right: shift = rest
        case .center: shift = rest / 2
        case .justify: content = justified(atoms, styles, rest: rest) ?? content
        }
        var result = TerminalLine()
        result.space(indent + shift, background: background.map { TerminalStyle(background: $0) } ?? .plain)
        result.append(content)
        return result
    }

    /// Spreads the free cells over the spaces, from the left.
    private func justified(_ atoms: ArraySlice<Atom>, _ styles: [TerminalStyle], rest: Int) -> TerminalLine? {
        let spaces = atoms.filter { $0.kind == .space }.count
        guard spaces > 0, !atoms.contains(where: { $0.kind == .tab }) else { return nil }
        var line = TerminalLine()
        var seen = 0
        for atom in atoms {
            line.append(atom.bytes, width: atom.width, styles[atom.style])
            if atom.kind == .space {
                line.space(rest * (seen + 1) / spaces - rest * seen / spaces, background: styles[atom.style])
                seen += 1
            }
        }
        return line
    }
}
