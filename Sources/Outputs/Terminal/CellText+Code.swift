// Source code on a terminal: a separate background, space for the mark of continued lines, and colours by tokens.
//
// In: styled text with code in it. Out: the text with coloured runs and with space at the edges.

import FancyTextBasics
import FancyTextBoxes
import FancyTextMarkup
import FancyTextStyling
import FancyTextWriting

extension CellText {
    /// Returns whether a box is a listing, whose lines are as its author broke them.
    func isListing(_ index: Int) -> Bool {
        let box = text.boxes[index]
        guard !box.isAnonymous, box.kind == .block, Int(box.style.rawValue) < originals.count else { return false }
        let original = originals[Int(box.style.rawValue)].text
        return original.whiteSpaceCollapse == .preserve
            && (roles[box.element].contains(.preformatted) || box.holdsInlines && !original.wraps)
    }

    /// Sets the background of code that has none, reserves space for the mark of wrapped lines, and colours tokens.
    mutating func convertCode() {
        let hasColor = options.colors != .plain && options.colors != .monochrome
        let background = hasColor && options.colors != .ansi16 ? theme[.codeBackground] : nil
        for index in text.boxes.indices where isListing(index) {
            let style = text.boxes[index].style
            listings.insert(index)
            let (wraps, isPlain) = (!options.isWide, originals[Int(style.rawValue)].box.backgroundLayers.isEmpty)
            text.boxes[index].style = variant(of: style, .listing) { box in
                Self.reduceFrame(&box)
                if wraps { box.padding.right.px = max(1, box.padding.right.px) }
                guard let background, box.backgroundColor.alpha == 0, isPlain, box.display == .block
                else { return }
                box.backgroundColor = background
                box.padding.left.px = max(1, box.padding.left.px)
            }
            convertFrame(of: index)
            if !options.isWide, text.boxes[index].holdsInlines { widen(index) }
            if hasColor, text.boxes[index].holdsInlines { colorTokens(in: index) }
        }
        if let background { colorInlineCode(background) }
    }

    /// Gives the space on the right of a listing, then that on the left, to lines that would be wrapped otherwise.
    private mutating func widen(_ listing: Int) {
        var bytes: [UInt8] = []
        for case .text(let run) in text.items[text.boxes[listing].items] { bytes += text.text[text.runs[run].range] }
        let lines = bytes.split(separator: 0x0A).map { DisplayWidth.cells($0) + 7 * $0.count { $0 == 0x09 } }
        let style = text.boxes[listing].style
        let (box, room) = (text.styles[style].box, Float(roomFor(listing)))
        func used(_ margin: LengthPercentage?, _ border: BorderSide, _ padding: LengthPercentage) -> Float {
            [margin ?? .zero, padding].reduce(border.width.rounded(.down)) { $0 + $1.px + $1.fraction * room }
        }
        let left = used(box.margin.left, box.border.left, box.padding.left)
        let free = room - Float(lines.max() ?? 0)
        if free >= left + used(box.margin.right, box.border.right, box.padding.right) { return }
        text.boxes[listing].style = variant(of: style, free < 0 ? .wrapped : free < left ? .widest : .wide) { box in
            (box.margin.right, box.border.right, box.padding.right) = (.zero, BorderSide(), .zero)
            if free < 0 {
                box.padding.right.px = 1
            } else if free < left {
                (box.margin.left, box.border.left, box.padding.left) = (.zero, BorderSide(), .zero)
            }
        }
    }

    /// Reduces the frame around a listing.
    private mutating func convertFrame(of listing: Int) {
        var (inner, outer) = (listing, text.boxes[listing].parent)
        while outer > 0, text.boxes[outer].kind == .block, text.boxes[outer].end == text.boxes[inner].end,
            inner == outer + 1
        {
            let border = text.styles[text.boxes[outer].style].box.border
            if [border.top, border.bottom, border.left, border.right].contains(where: { $0.width > 0 }) {
                text.boxes[outer].style = variant(of: text.boxes[outer].style, .frame, Self.reduceFrame)
                for box in outer + 1...listing {
                    text.boxes[box].style = variant(of: text.boxes[box].style, .framed) {
                        ($0.margin.top, $0.margin.bottom) = (.zero, .zero)
                    }
                }
                return
            }
            (inner, outer) = (outer, text.boxes[outer].parent)
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
        let key = UInt64(style.rawValue) << 8 | UInt64(kind.rawValue)
        if let known = tokenStyles[key] { return known }
        let source = text.styles[style]
        var textStyle = source.text
        textStyle.color = theme[kind.role] ?? textStyle.color
        let made = text.styles.append(ComputedStyle(font: source.font, text: textStyle, box: source.box))
        tokenStyles[key] = made
        return made
    }
}
