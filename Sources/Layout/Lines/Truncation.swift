// Truncation with a tail (CSS Overflow 4 §5.2): a limit of lines or height leaves text out.
//
// In: the place where the last line begins and its width. Out: what that line leaves out, in whole clusters, so that
// the longest part of the text stays that leaves room for the tail. The line is built from what stays.

import FancyTextBasics
import FancyTextBoxes
import FancyTextMarkup
import FancyTextStyling

/// Text left out of a line, and what stands for it.
struct Omission {
    /// The first place left out, and the first that is there again (the end of the content in tail mode).
    var from: LineCursor
    var to: LineCursor
    /// Index in ``InlineContents/contents`` of the tail; nil cuts without one.
    var tail: Int?
    /// The tail is wider than the line.
    var overflows = false
}

/// A limit on lines in force.
struct LineLimit {
    /// Lines that may still be placed.
    var left: Int
    var mode: BoxStyle.TruncateMode
}

extension InlineContents {
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
            let overflows = tailWidth > available.float + 1 / 64
            return Omission(from: start, to: end, tail: tail, overflows: overflows)
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

    /// The tail as inline content in the surroundings of `style`: what the tail's own styles leave alone is taken from
    /// there.
    mutating func tailContent(_ tail: StyledText?, for style: StyleID) -> Int {
        if let known = tailContents[style] { return known }
        let around = text.styles[style]
        var items: [InlineItem] = []
        let firstItem = text.items.count
        if let tail, !tail.items.isEmpty {
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

    /// The inline items of all boxes in the order of the text: what an inline-level box or a float holds stands in its
    /// place.
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
