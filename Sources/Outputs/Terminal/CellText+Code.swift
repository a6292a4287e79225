// Source code on a terminal: a separate background, the width that its lines need, space for the mark of continued lines, and
// colours by tokens. In: styled text with code in it. Out: the text with coloured runs, and with other space in the boxes
// around code.

import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextWriting

extension CellText {
    /// Returns whether a box is a listing, whose lines are as its author broke them.
    func isListing(_ index: Int) -> Bool {
        let box = text.boxes[index]
        let isCode = roles[box.element].contains(.preformatted)
        guard !box.isAnonymous, box.kind == .block || isCode && box.kind == .tableCell else { return false }
        let original = originals[box.style].text
        return original.whiteSpaceCollapse == .preserve && (isCode || box.holdsInlines && !original.wraps)
    }

    /// Sets the background of code that has none, reserves space for the mark of wrapped lines, colours tokens, and keeps words.
    mutating func convertCode() {
        let background = hasColors && options.colors != .ansi16 ? theme[.codeBackground] : nil
        for index in text.boxes.indices where isListing(index) {
            listings.insert(index)
            let isPlain = originals[text.boxes[index].style].box.backgroundLayers.isEmpty
            let wraps = !options.isWide
            restyle(index, .listing) { box in
                Self.reduceFrame(&box)
                if wraps { box.padding.right.px = max(1, box.padding.right.px) }
                guard let background, box.backgroundColor.alpha == 0, isPlain, box.display == .block else { return }
                box.backgroundColor = background
                box.padding.left.px = max(1, box.padding.left.px)
            }
            convertFrames(of: index)
            if text.boxes[index].holdsInlines, text.boxes[index].kind == .block {
                widen(index, to: lengths(in: index, ofLines: true))
            }
            if hasColors, text.boxes[index].holdsInlines { colorTokens(in: index) }
        }
        if let background { colorInlineCode(background) }
        for run in text.runs.indices where roles[text.runs[run].element].isLiteral {
            text.runs[run].style = variant(of: text.runs[run].style, .literal, text: { $0.wordBreak = .keepAll })
        }
    }

    /// Reduces the frames of the boxes around a listing that contain nothing else; tables among them become blocks.
    private mutating func convertFrames(of listing: Int) {
        let end = text.boxes[listing].end
        var (outer, frame, at) = (listing, listing, listing - 1)
        search: while at > 0, text.boxes[at].end >= end, !text.boxes[at].holdsInlines, text.boxes[at].marker < 0,
            text.boxes[end..<text.boxes[at].end].allSatisfy({ $0.kind == .block && $0.items.isEmpty && $0.control < 0 })
        {
            switch text.boxes[at].kind {
            case .block, .table:
                outer = at
                if text.styles[text.boxes[at].style].box.hasLines { frame = at }
            case .tableRowGroup, .tableRow, .tableCell: break
            case .flex, .grid, .tableCaption, .tableColumn, .tableColumnGroup, .image, .lambda, .ruby, .math:
                break search
            }
            at -= 1
        }
        for box in outer...listing where outer < listing && text.boxes[box].kind != .block {
            text.boxes[box].kind = .block
            restyle(box, .untabled) { ($0.display, $0.width, $0.minWidth) = (.block, .auto, .auto) }
        }
        guard frame < listing else { return }
        for box in frame..<text.boxes[frame].end where !(listing + 1..<end).contains(box) {
            restyle(box, box == frame ? .frame : .framed) {
                Self.reduceFrame(&$0)
                if box > frame { ($0.margin.top, $0.margin.bottom) = (.zero, .zero) }
            }
        }
    }

    /// Gives the space beside a listing or a table to lines that would be wrapped otherwise: all of that on the right, then that
    /// on the left as far as that makes fewer rows.
    mutating func widen(_ box: Int, to lengths: [Int]) {
        let (around, style) = (space(beside: box), text.styles[text.boxes[box].style].box)
        func used(_ side: LengthPercentage?) -> Float {
            side.map { $0.px + ($0.fraction * around.room).rounded() } ?? 0
        }
        let left = around.left + used(style.margin.left) + used(style.padding.left)
        let right = around.right + used(style.margin.right) + used(style.padding.right)
        let room = around.left + around.room + around.right
        let needed = lengths.max() ?? 0
        guard !options.isWide, left + right > 0, Float(needed) > room - left - right else { return }
        // Beside others, a box may get less than the room.
        let wraps = Float(needed) > room || text.chain(from: box).dropLast().contains(where: isBesideOthers)
        var width = Float(needed)
        if wraps, text.boxes[box].kind != .table {
            func rows(_ width: Float) -> Float {
                lengths.reduce(0) { $0 + max(1, (Float($1) / max(1, width - 1)).rounded(.up)) }
            }
            let least = rows(room)
            width = stride(from: room - left, to: room, by: 1).first { rows($0) == least } ?? room
        }
        let free = max(0, room - width)
        let indent = free < left ? free - around.left : used(style.margin.left)
        let place = max(0, min(4095, Int(bounded: indent) + 2048))
        let number = place << 12 | min(2047, Int(bounded: around.right)) << 1 | (wraps ? 1 : 0)
        restyle(box, free < left ? .widest : .wide, to: number) { box in
            (box.width, box.maxWidth) = (.auto, .auto)
            box.margin.left = LengthPercentage(px: indent)
            box.margin.right = LengthPercentage(px: -around.right)
            if free < left { box.padding.left = .zero }
            box.padding.right = LengthPercentage(px: wraps && box.display != .table ? 1 : 0)
        }
    }

    /// Reduces a frame to an indent: its bars would be copied with the code.
    private static func reduceFrame(_ box: inout BoxStyle) {
        (box.padding.top, box.padding.bottom) = (.zero, .zero)
        guard box.hasLines else { return }
        box.border = Sides(BorderSide())
        box.padding.left.px = max(2, box.padding.left.px)
    }

    private mutating func colorInlineCode(_ background: Color) {
        for index in text.items.indices {
            guard case .open(let style, let element) = text.items[index] else { continue }
            let role = roles[element]
            guard role.isLiteral, !role.contains(.preformatted), text.styles[style].box.backgroundColor.alpha == 0
            else { continue }
            let made = variant(of: style, .code) { $0.backgroundColor = background }
            text.items[index] = .open(style: made, element: element)
        }
    }

    /// The language of an element's code, by its classes or its `lang`.
    private func language(_ element: NodeID) -> CodeLanguage? {
        guard let tree, Int(element.index) < tree.count, tree.kind(element) == .element else { return nil }
        return (CodeLanguage.label(of: element, in: tree) ?? tree.attribute(element, .lang)).flatMap(CodeLanguage.named)
    }

    /// Colours the code of a box whose text has one colour; a page with several colours has highlighted it already.
    private mutating func colorTokens(in box: Int) {
        let items = Array(text.items[text.boxes[box].items])
        let runs = items.compactMap(\.run)
        guard let first = runs.first,
            let language = language(text.runs[first].element) ?? language(text.boxes[box].element),
            runs.allSatisfy({
                text.styles[text.runs[$0].style].text.color == text.styles[text.runs[first].style].text.color
            })
        else { return }
        var bytes: [UInt8] = []
        for run in runs { bytes += text.text[text.runs[run].range] }
        let tokens = language.tokens(of: bytes)
        var result: [InlineItem] = []
        var next = 0
        /// The start of the run in `bytes`.
        var start = 0
        for item in items {
            guard case .text(let run) = item else {
                result.append(item)
                continue
            }
            let whole = text.runs[run]
            let end = start + whole.range.count
            var at = start
            func piece(_ to: Int, _ kind: CodeToken?) {
                guard to > at else { return }
                var part = whole
                part.range = whole.range.lowerBound + at - start..<whole.range.lowerBound + to - start
                // Roles have the names of tokens.
                if let role = kind.flatMap({ TerminalTheme.Role(rawValue: $0.rawValue) }), let color = theme[role] {
                    let number = TerminalTheme.Role.allCases.firstIndex(of: role) ?? 0
                    part.style = variant(of: whole.style, .token, to: number, text: { $0.color = color })
                }
                text.runs.append(part)
                result.append(.text(run: text.runs.count - 1))
                at = to
            }
            while next < tokens.count, tokens[next].range.lowerBound < end {
                piece(max(at, tokens[next].range.lowerBound), nil)
                piece(min(end, tokens[next].range.upperBound), tokens[next].kind)
                if tokens[next].range.upperBound > end { break }
                next += 1
            }
            piece(end, nil)
            start = end
        }
        setItems(result, of: box)
    }
}
