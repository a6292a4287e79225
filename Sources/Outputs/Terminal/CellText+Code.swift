// Source code on a terminal: a separate background, the width that its lines need, space for the mark of continued lines, and
// colours by tokens.
//
// In: styled text with code in it. Out: the text with coloured runs, and with other space in the boxes around code.

import FancyTextBasics
import FancyTextBoxes
import FancyTextMarkup
import FancyTextStyling
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

    /// Sets the background of code that has none, reserves space for the mark of wrapped lines, and colours tokens.
    mutating func convertCode() {
        let hasColor = options.colors != .plain && options.colors != .monochrome
        let background = hasColor && options.colors != .ansi16 ? theme[.codeBackground] : nil
        for index in text.boxes.indices where isListing(index) {
            listings.insert(index)
            let isPlain = originals[text.boxes[index].style].box.backgroundLayers.isEmpty
            let wraps = !options.isWide
            restyle(index, .listing) { box in
                Self.reduceFrame(&box)
                if wraps { box.padding.right.px = max(1, box.padding.right.px) }
                guard let background, box.backgroundColor.alpha == 0, isPlain, box.display == .block
                else { return }
                box.backgroundColor = background
                box.padding.left.px = max(1, box.padding.left.px)
            }
            let frames = frames(of: index)
            convertFrame(frames)
            if !options.isWide, text.boxes[index].holdsInlines { widen(frames) }
            if hasColor, text.boxes[index].holdsInlines { colorTokens(in: index) }
        }
        if let background { colorInlineCode(background) }
    }

    /// A listing and the boxes around it that contain nothing else, from the outermost; tables among them become blocks.
    private mutating func frames(of listing: Int) -> ClosedRange<Int> {
        var (outer, at) = (listing, listing - 1)
        search: while at > 0, text.boxes[at].end == text.boxes[listing].end, !text.boxes[at].holdsInlines,
            text.boxes[at].marker < 0
        {
            switch text.boxes[at].kind {
            case .block, .table: outer = at
            case .tableRowGroup, .tableRow, .tableCell: break
            case .flex, .grid, .tableCaption, .tableColumn, .tableColumnGroup, .image, .lambda, .ruby, .math:
                break search
            }
            at -= 1
        }
        for box in outer...listing where outer < listing && text.boxes[box].kind != .block {
            text.boxes[box].kind = .block
            restyle(box, .untabled) {
                ($0.display, $0.width, $0.minWidth) = (.block, .auto, .auto)
            }
        }
        return outer...listing
    }

    /// Gives the space on the right of a listing, then that on the left as far as needed, to lines that would be wrapped
    /// otherwise; if some are in any case, to those that need not be.
    private mutating func widen(_ frames: ClosedRange<Int>) {
        var bytes: [UInt8] = []
        let listing = frames.upperBound
        for case .text(let run) in text.items[text.boxes[listing].items] { bytes += text.text[text.runs[run].range] }
        let lines = bytes.split(separator: 0x0A).map { DisplayWidth.cells($0) + 7 * $0.count { $0 == 0x09 } }
        let room = roomFor(frames.lowerBound)
        let wraps = lines.contains { $0 > room }
        let free = Float(room - (lines.filter { $0 < room || !wraps }.max() ?? 0) - (wraps ? 1 : 0))
        func used(_ margin: LengthPercentage?, _ border: BorderSide, _ padding: LengthPercentage) -> Float {
            [margin ?? .zero, padding].reduce(border.width.rounded(.down)) { $0 + $1.px + $1.fraction * Float(room) }
        }
        var (left, right): (Float, Float) = (0, 0)
        for box in frames where !text.boxes[box].isAnonymous {
            let box = text.styles[text.boxes[box].style].box
            left += used(box.margin.left, box.border.left, box.padding.left)
            right += used(box.margin.right, box.border.right, box.padding.right)
        }
        if !wraps, free >= left + right { return }
        for box in frames {
            restyle(box, free < left ? .widest : .wide) { box in
                (box.margin.right, box.border.right, box.padding.right) = (.zero, BorderSide(), .zero)
                guard free < left else { return }
                (box.margin.left, box.border.left, box.padding.left) = (.zero, BorderSide(), .zero)
            }
        }
        let indent = Int(bounded: free < left ? free : 0)
        restyle(listing, .wrapped, to: 2 * indent + (wraps ? 1 : 0)) { box in
            if wraps { box.padding.right.px = 1 }
            if indent > 0 { box.margin.left = LengthPercentage(px: Float(indent)) }
        }
    }

    /// Reduces the frame around a listing.
    private mutating func convertFrame(_ frames: ClosedRange<Int>) {
        let outer = frames.dropLast().last {
            text.styles[text.boxes[$0].style].box.border.clockwise.contains { $0.width > 0 }
        }
        guard let outer else { return }
        restyle(outer, .frame, Self.reduceFrame)
        for box in outer + 1...frames.upperBound {
            restyle(box, .framed) { ($0.margin.top, $0.margin.bottom) = (.zero, .zero) }
        }
    }

    /// Reduces a frame to a bar on the left: around one line of code it would take three.
    private static func reduceFrame(_ box: inout BoxStyle) {
        (box.padding.top, box.padding.bottom) = (.zero, .zero)
        let border = box.border
        let sides = [border.left, border.top, border.right, border.bottom]
        guard let side = sides.first(where: { $0.width > 0 }) else { return }
        box.border = Sides(BorderSide())
        box.border.left = side
        box.padding.left.px = max(1, box.padding.left.px)
    }

    private mutating func colorInlineCode(_ background: Color) {
        for index in text.items.indices {
            guard case .open(let style, let element) = text.items[index] else { continue }
            let role = roles[element]
            guard role.isLiteral, !role.contains(.preformatted),
                text.styles[style].box.backgroundColor.alpha == 0
            else { continue }
            let made = variant(of: style, .code) { $0.backgroundColor = background }
            text.items[index] = .open(style: made, element: element)
        }
    }

    // MARK: Tokens

    /// The language of an element's code, by its classes or its `lang`.
    private func language(_ element: NodeID) -> CodeLanguage? {
        guard let tree, Int(element.index) < tree.count, tree.kind(element) == .element else { return nil }
        let name = CodeLanguage.label(of: element, in: tree) ?? tree.attribute(element, .lang)
        return name.flatMap(CodeLanguage.named)
    }

    /// Colours the code of a box whose text has one colour; a page with several colours has highlighted it already.
    private mutating func colorTokens(in box: Int) {
        let items = Array(text.items[text.boxes[box].items])
        let runs = items.compactMap { item -> Int? in if case .text(let run) = item { run } else { nil } }
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
                if let kind { part.style = tokenStyle(whole.style, kind) }
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

    private mutating func tokenStyle(_ style: StyleID, _ kind: CodeToken) -> StyleID {
        let color = theme[kind.role]
        return variant(of: style, .token, to: Int(kind.rawValue), text: { $0.color = color ?? $0.color }, { _ in })
    }
}
