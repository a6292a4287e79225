// Styled text in, terminal text out (SPEC A1).
//
// The boxes are laid out as CSS would, in cells instead of pixels: block by block into lines of styled pieces (this file),
// inline contents by the shared line breaker (ANSIInline.swift), tables on a grid (ANSITable.swift). Only at the end do the
// lines become bytes, by the pen that knows escape sequences. Nothing of the input reaches the output uncleaned.

import Basics
import Boxes
import Images
import Layout
import Markup
import Painting
import Styling
import Typography

/// Writes styled text for terminals.
package struct ANSIWriter {
    let text: StyledText
    let tree: MarkupTree?
    let options: ANSIOptions
    let breaker: LineBreakFinder
    let pictures: ImageStore?
    /// Link targets, cleaned; pieces refer to them by index + 1.
    var targets: [[UInt8]]
    /// By link of the text: its target's index + 1; 0 for none.
    private let targetOfLink: [Int]
    var log = DiagnosticLog()
    let rootColor: Color
    var breaks: [UInt8] = []
    var truncation = TerminalTruncation()
    /// Widths of cells' contents by box and limit: a cell is measured again whenever the cell around it is laid out.
    var contentWidths: [ContentKey: ContentWidth] = [:]

    /// How many tables and flex rows the box at hand lies in. What columns hold is laid out several times, so those in very
    /// many others, for which no terminal is wide enough, become lines below each other.
    private var columnDepth = 0
    private static let columnDepthLimit = 16

    struct ContentKey: Hashable {
        var box, limit: Int
    }

    /// The longest word and the longest line, in columns.
    struct ContentWidth {
        var least, most: Int
    }

    /// - Parameters:
    ///   - tree: where element names come from; without it there are none.
    ///   - targets: those of a text that is shown before this one.
    package init(
        _ text: StyledText, tree: MarkupTree?, options: ANSIOptions, breaker: LineBreakFinder = LineBreakFinder(),
        pictures: ImageStore? = nil, after targets: [[UInt8]] = []
    ) {
        self.text = text
        self.tree = tree
        self.options = options
        self.breaker = breaker
        self.pictures = pictures
        rootColor = text.styles[.root].text.color
        var numbers: [[UInt8]: Int] = [[]: 0]
        var targets = targets
        targetOfLink =
            !options.hyperlinks
            ? []
            : text.links.all.map { link in
                let target = Self.cleanedURL(link.target)
                if let number = numbers[target] { return number }
                targets.append(target)
                numbers[target] = targets.count
                return targets.count
            }
        self.targets = targets
    }

    /// The whole text, each line ended by a line feed. Linear in the text times the nesting of its tables.
    package mutating func write(log: inout DiagnosticLog) -> [UInt8] {
        guard !text.boxes.isEmpty else { return [] }
        let width = max(1, options.width)
        var lines = layout(0, width: width, background: nil, depth: 0)
        if let limit = truncation.limit, truncation.made > limit {
            truncation.begin(limit: limit)
            lines = layout(0, width: width, background: nil, depth: 0)
        }
        log.merge(self.log)
        while lines.last.map({ $0.pieces.isEmpty && $0.picture == nil }) == true { lines.removeLast() }
        while lines.first.map({ $0.pieces.isEmpty && $0.picture == nil }) == true { lines.removeFirst() }
        var pen = TerminalPen(colors: options.colors, links: targets, writesLinks: options.hyperlinks)
        for line in lines {
            if let picture = line.picture { pen.writeRaw(picture) }
            for piece in line.settled.trimmed.pieces { pen.write(piece.text, piece.style) }
            pen.endLine()
        }
        return pen.finish()
    }

    // MARK: Lengths

    func cells(_ pixels: Float) -> Int { max(0, pixelInt((min(pixels, 1e6) / options.cellWidth).rounded())) }

    func lineCount(_ pixels: Float) -> Int {
        // Half a line shows as one: a paragraph's 1em must separate at every font size.
        pixels < options.cellHeight * 0.4 ? 0 : max(1, min(100, pixelInt((pixels / options.cellHeight).rounded())))
    }

    private func cells(_ length: LengthPercentage, of width: Int) -> Int {
        let share = max(-1e5, min(1e5, length.fraction * Float(width)))
        return cells(length.px) + pixelInt(share.rounded())
    }

    // MARK: Blocks

    /// A laid-out child: its lines, and the pixels of margin above and below that are still to be collapsed.
    private struct Flow {
        var lines: [TerminalLine] = []
        /// The largest margin since the last line.
        var pending: Float = 0

        mutating func add(_ block: [TerminalLine], top: Float, bottom: Float, lineCount: (Float) -> Int) {
            pending = max(pending, top)
            if !block.isEmpty {
                if !lines.isEmpty { lines += [TerminalLine](repeating: TerminalLine(), count: lineCount(pending)) }
                lines += block
                pending = 0
            }
            pending = max(pending, bottom)
        }
    }

    /// The margins of a block, joined with those of its first and last child where they collapse (CSS 2.1 §8.3.1).
    private func margins(_ box: Int, depth: Int = 0) -> (top: Float, bottom: Float) {
        let style = text.styles[text.boxes[box].style].box
        var top = style.margin.top?.px ?? 0
        var bottom = style.margin.bottom?.px ?? 0
        let item = text.boxes[box]
        guard depth < 16, item.kind == .block, !item.holdsInlines, item.marker < 0 || item.end > box + 1 else {
            return (top, bottom)
        }
        if style.border.top.width == 0 && style.padding.top.px == 0, box + 1 < item.end {
            top = max(top, margins(box + 1, depth: depth + 1).top)
        }
        if style.border.bottom.width == 0 && style.padding.bottom.px == 0, let last = text.lastChild(of: box) {
            bottom = max(bottom, margins(last, depth: depth + 1).bottom)
        }
        return (top, bottom)
    }

    /// Lines of a box, at most `width` cells wide where its contents allow it.
    mutating func layout(_ box: Int, width: Int, background: Color?, depth: Int) -> [TerminalLine] {
        guard depth < options.limits.layoutDepth else {
            log.report(
                Diagnostic(
                    .warning, .boxesTooDeep, "boxes nested deeper than \(options.limits.layoutDepth) are not shown",
                    at: tree?.location(text.boxes[box].element)))
            return []
        }
        let item = text.boxes[box]
        let style = text.styles[item.style]
        let box_ = style.box
        if box_.display == .none || truncation.left == 0 { return [] }
        let isRoot = box == 0
        // Outside: margins; then borders and padding; then the contents.
        let auto = (left: box_.margin.left == nil, right: box_.margin.right == nil)
        var left = isRoot ? 0 : cells(box_.margin.left ?? .zero, of: width)
        let right = isRoot ? 0 : cells(box_.margin.right ?? .zero, of: width)
        let frame = TerminalFrame(box_, isQuote: isQuote(item))
        // The bar of a quotation stands in its indent.
        if frame.isQuote { left = max(0, left - 2) }
        var paddingLeft = isRoot ? 0 : cells(box_.padding.left, of: width)
        var paddingRight = isRoot ? 0 : cells(box_.padding.right, of: width)
        var outer = max(1, width - left - right)
        if let limit = limit(box_, of: width), limit < outer {
            if auto.left { left += auto.right ? (outer - limit) / 2 : outer - limit }
            outer = limit
        }
        // A narrow terminal keeps room for the words.
        while paddingLeft + paddingRight + frame.width > outer / 2, paddingLeft + paddingRight > 0 {
            paddingLeft /= 2
            paddingRight /= 2
        }
        let inner = max(1, outer - frame.width - paddingLeft - paddingRight)
        let color = box_.backgroundColor.alpha >= 128 ? box_.backgroundColor : background
        var lines = clampedContents(box, width: inner, background: color, depth: depth)
        if lines.isEmpty && frame.isRule {
            return [frame.rule(width: outer)].map { $0.indented(by: left) }
        }
        let above = isRoot ? 0 : lineCount(box_.padding.top.px)
        let below = isRoot ? 0 : lineCount(box_.padding.bottom.px)
        if frame.isClosed || (box_.backgroundColor.alpha >= 128 && !lines.isEmpty) {
            lines =
                [TerminalLine](repeating: TerminalLine(), count: above) + lines
                + [TerminalLine](repeating: TerminalLine(), count: below)
        }
        let filled = TerminalStyle(background: color)
        let fillsBackground = color != nil && item.kind != .table
        lines = lines.map { line in
            guard line.picture == nil else { return line }
            var result = line.indented(by: paddingLeft, background: fillsBackground ? filled : .plain)
            if fillsBackground || frame.hasRight {
                result.pad(to: inner + paddingLeft + paddingRight, background: fillsBackground ? filled : .plain)
            }
            return result
        }
        lines = frame.around(lines, width: outer)
        if item.marker >= 0 { lines = marked(lines, text.markers[item.marker]) }
        return lines.map { $0.indented(by: left) }
    }

    private func limit(_ style: BoxStyle, of width: Int) -> Int? {
        func resolve(_ value: SizeValue) -> Int? {
            if case .length(let length) = value { return max(1, cells(length, of: width)) }
            return nil
        }
        let sizes = [resolve(style.width), resolve(style.maxWidth)].compactMap { $0 }
        return sizes.min()
    }

    private func isQuote(_ box: StyledBox) -> Bool {
        guard let tree, !box.isAnonymous, box.kind == .block, tree.kind(box.element) == .element else { return false }
        return tree.name(box.element) == "blockquote"
    }

    mutating func contents(_ box: Int, width: Int, background: Color?, depth: Int) -> [TerminalLine] {
        let item = text.boxes[box]
        switch item.kind {
        case .image, .lambda: return replacedLines(item, width: width, background: background)
        case .table:
            if columnDepth < Self.columnDepthLimit {
                columnDepth += 1
                defer { columnDepth -= 1 }
                return wholeLines { $0.tableLines(box, width: width, background: background, depth: depth) }
            }
        case .flex:
            let flow = text.flexFlow(of: box)
            if flow.isRow, columnDepth < Self.columnDepthLimit {
                columnDepth += 1
                defer { columnDepth -= 1 }
                let row = wholeLines { $0.flexRow(flow, of: box, width: width, background: background, depth: depth) }
                if let row { return row }
            }
            return stacked(
                flow.isRow ? flow.items : flow.visualItems, width: width, background: background, depth: depth)
        case .block, .tableRowGroup, .tableRow, .tableCell, .tableCaption, .tableColumn, .tableColumnGroup, .ruby: break
        }
        if item.holdsInlines { return inlineLines(box, width: width, background: background, depth: depth) }
        return stacked(text.children(of: box), width: width, background: background, depth: depth)
    }

    /// Lines of boxes below each other.
    private mutating func stacked(_ boxes: [Int], width: Int, background: Color?, depth: Int) -> [TerminalLine] {
        var flow = Flow()
        for box in boxes {
            let margin = margins(box)
            let lines = layout(box, width: width, background: background, depth: depth + 1)
            flow.add(lines, top: margin.top, bottom: margin.bottom, lineCount: lineCount)
        }
        return flow.lines
    }

    // MARK: Markers

    /// Hangs a list marker to the left of the first line.
    private func marked(_ lines: [TerminalLine], _ marker: ListMarker) -> [TerminalLine] {
        let symbol = marker.text.isEmpty && marker.image != nil ? "•" : marker.text
        let bytes = DisplayWidth.sanitized(symbol.utf8)
        guard !bytes.isEmpty else { return lines }
        var first = lines.first ?? TerminalLine()
        let style = terminalStyle(marker.style, background: nil, link: 0)
        if let inner = first.hanging {
            // The item begins with a list of its own: both markers stand on one line.
            first.hanging = TerminalPiece(
                text: bytes + [0x20] + inner.text, width: DisplayWidth.cells(bytes) + 1 + inner.width,
                style: inner.style)
        } else {
            first.hanging = TerminalPiece(text: bytes + [0x20], width: DisplayWidth.cells(bytes) + 1, style: style)
        }
        return [first] + lines.dropFirst()
    }

    // MARK: Styles

    /// A link of the text as a terminal's style has it.
    func target(ofLink link: Int) -> Int { targetOfLink.indices.contains(link) ? targetOfLink[link] : 0 }

    /// What a terminal shows of a computed style.
    func terminalStyle(_ id: StyleID, background: Color?, link: Int) -> TerminalStyle {
        let style = text.styles[id]
        var result = TerminalStyle()
        result.isBold = style.font.weight >= 600
        result.isFaint = style.box.opacity < 0.75
        if case .normal = style.font.slant {} else { result.isItalic = true }
        if style.text.obliqueness != 0 { result.isItalic = true }
        result.isHidden = style.text.visibility != .visible
        let color = style.text.fillColor ?? style.text.color
        // The root's colour is the terminal's own, unless something lies behind the text.
        if color != rootColor || background != nil { result.foreground = color }
        result.background = background
        for decoration in style.box.decorations {
            if decoration.lines.contains(.underline) {
                result.underline = decoration.style
                if decoration.color != color { result.underlineColor = decoration.color }
            }
            if decoration.lines.contains(.lineThrough) { result.isStruck = true }
            if decoration.lines.contains(.overline) { result.isOverlined = true }
        }
        result.link = link
        return result
    }

    /// Only bytes that a URL may hold; the rest as per cent escapes, so that nothing ends the sequence early.
    static func cleanedURL(_ target: String) -> [UInt8] {
        var result: [UInt8] = []
        let hex = Array("0123456789ABCDEF".utf8)
        for byte in target.utf8.prefix(4096) {
            if byte > 0x20 && byte < 0x7F {
                result.append(byte)
            } else if byte != 0x09 && byte != 0x0A && byte != 0x0D {
                result += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return result
    }
}

extension TerminalStyle {
    init(background: Color?) {
        self.init()
        self.background = background
    }
}

extension StyledText {
    /// The last child of a box; nil for a leaf. O(children).
    func lastChild(of box: Int) -> Int? {
        var child = box + 1
        var last: Int?
        while child < boxes[box].end {
            last = child
            child = boxes[child].end
        }
        return last
    }
}
