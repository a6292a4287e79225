// Prepares the tail of a truncation as inline content. Its first line follows the text; each forced break and each
// block begins a line below.

import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup

struct TailContent {
    /// The index in ``InlineContents/contents``.
    var content: Int
    /// The lines, at least one; the first is empty if the tail begins with a block.
    var lines: [Line]

    struct Line {
        var start, end: LineCursor
        var width: Float
    }

    /// True if the tail has nothing for the last line of the text.
    var startsBelow: Bool { lines.count > 1 && lines[0].start == lines[0].end }
}

extension InlineContents {
    /// Prepares a tail (nil is `…`) after text of style `style`, from which values are inherited that the tail's own
    /// styles do not set.
    mutating func tailContent(_ tail: BoxTree?, for style: StyleID, percentageBase: LayoutUnit) -> TailContent {
        let key = TailKey(style: style, isGiven: tail != nil)
        let index: Int
        if let known = tailContents[key] {
            index = known
        } else {
            index = contents.count
            let firstItem = text.items.count
            if let tail { appendItems(of: tail, for: style) } else { appendTailText("…", style) }
            while inlineStyles.count < text.styles.styles.count { inlineStyles.append(InlineStyle()) }
            contents.append(prepareContent(items: firstItem..<text.items.count, style: style))
            tailContents[key] = index
        }
        return TailContent(content: index, lines: tailLines(contents[index], percentageBase: percentageBase))
    }

    struct TailKey: Hashable {
        var style: StyleID
        var isGiven: Bool
    }

    private mutating func tailLines(_ content: InlineContent, percentageBase: LayoutUnit) -> [TailContent.Line] {
        var lines: [TailContent.Line] = []
        var start = firstCursor(content)
        func line(to end: LineCursor) -> TailContent.Line {
            let whole = findLineEnd(
                content, from: start, available: .unlimited, percentageBase: percentageBase, ignoresFit: true)
            return TailContent.Line(start: start, end: end, width: whole.width.float)
        }
        for item in content.items where flat[item].kind == .newline {
            lines.append(line(to: cursor(atItem: item)))
            start = cursor(atItem: item + 1)
        }
        let end = LineCursor(item: content.items.upperBound, offset: content.textCount)
        // A forced break at the end does not begin a line.
        if lines.isEmpty || hasContent(content, from: start) { lines.append(line(to: end)) }
        return lines
    }

    private mutating func appendItems(of tail: BoxTree, for style: StyleID) {
        let around = text.styles[style]
        let root = tail.styles[.root]
        let textBase = text.text.count
        let runBase = text.runs.count
        let styleBase = UInt32(clamping: text.styles.styles.count)
        for own in tail.styles.styles { _ = text.styles.append(adapted(own, root: root, around: around)) }
        text.text.append(contentsOf: tail.text)
        for run in tail.runs {
            text.runs.append(
                StyledRun(
                    range: run.range.shifted(by: textBase),
                    style: StyleID(rawValue: run.style.rawValue + styleBase), element: run.element))
        }
        for (separator, item) in TailPieces(tail).pieces {
            if !separator.isEmpty { appendTailText(separator, style) }
            switch item {
            case .text(let run): text.items.append(.text(run: run + runBase))
            case .open(let own, let element):
                text.items.append(.open(style: StyleID(rawValue: own.rawValue + styleBase), element: element))
            case .close: text.items.append(.close)
            case .atomic, .float, .breakOpportunity: break
            }
        }
    }

    private mutating func appendTailText(_ string: String, _ style: StyleID) {
        let start = text.text.count
        text.text.append(contentsOf: string.utf8)
        text.runs.append(StyledRun(range: start..<text.text.count, style: style, element: .none))
        text.items.append(.text(run: text.runs.count - 1))
    }
}

/// The inline items of all boxes of a tail in the order of its text, with the breaks between its blocks. An inline-level box or a
/// float is replaced by its contents.
private struct TailPieces {
    private enum Step {
        case box(Int, isInFlow: Bool)
        case items(Range<Int>)
        case endOfBlock
    }

    private(set) var pieces: [(separator: String, item: InlineItem)] = []
    private let text: BoxTree
    /// The separator before the next text: a line feed between blocks, a space between the cells of a row.
    private var separator = ""

    init(_ text: BoxTree) {
        self.text = text
        // Not recursive, because boxes may be nested as deep as the markup.
        var steps: [Step] = text.boxes.isEmpty ? [] : [.box(0, isInFlow: false)]
        while let step = steps.popLast() {
            switch step {
            case .box(let box, let isInFlow):
                let isRuby = text.boxes[box].kind == .ruby
                if isInFlow { enter(text.boxes[box], &steps) }
                if text.boxes[box].holdsInlines {
                    steps.append(.items(text.boxes[box].items))
                } else {
                    steps += text.children(of: box).reversed().map { .box($0, isInFlow: !isRuby) }
                }
            case .items(let range):
                guard let index = range.first else { continue }
                steps.append(.items(range.dropFirst()))
                switch text.items[index] {
                case .atomic(let box, _), .float(let box): steps.append(.box(box, isInFlow: false))
                case .text, .open, .close, .breakOpportunity: add(text.items[index])
                }
            case .endOfBlock: separator = "\n"
            }
        }
    }

    private mutating func enter(_ box: StyledBox, _ steps: inout [Step]) {
        switch box.kind {
        case .block, .flex, .grid, .table, .tableRow, .tableCaption:
            guard !box.isAnonymous || box.kind == .tableRow else { return }
            separator = "\n"
            steps.append(.endOfBlock)
        case .tableCell: if separator.isEmpty, !pieces.isEmpty { separator = " " }
        case .tableRowGroup, .tableColumn, .tableColumnGroup, .image, .lambda, .ruby, .math: break
        }
    }

    private mutating func add(_ item: InlineItem) {
        if case .close = item { return pieces.append(("", item)) }
        // A line feed ends a block's line by itself.
        if case .text(let run)? = pieces.last?.item, text.text[text.runs[run].range].last == 0x0A { separator = "" }
        pieces.append((separator, item))
        separator = ""
    }
}

extension NodeID {
    /// No element, for the text of an ellipsis without markup.
    static let none = NodeID(index: .max)
}
