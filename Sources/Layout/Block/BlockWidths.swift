// Intrinsic widths of a block container's contents.
//
// In: a box with block children or inline content. Out: its min-content and max-content widths.

extension LayoutEngine {
    /// The intrinsic widths of a block container's contents.
    mutating func blockWidths(_ box: Int) -> IntrinsicWidths {
        // Measured first: as an argument of a method that does not change the engine, it would work on a copy of the engine.
        let widths = flowWidths(box)
        return inColumns(widths, of: box)
    }

    /// The widths of contents with the columns of their box.
    func inColumns(_ contents: IntrinsicWidths, of box: Int) -> IntrinsicWidths {
        guard let style = ownStyle(of: box), style.hasColumns, !text.boxes[box].holdsItems else { return contents }
        return style.box.columns.widths(of: contents, gap: resolve(style.box.columnGap, .zero, grid: snap))
    }

    private mutating func flowWidths(_ box: Int) -> IntrinsicWidths {
        if text.boxes[box].holdsInlines { return inlineWidths(box) }
        var result = IntrinsicWidths()
        var floats = LayoutUnit.zero
        var child = box + 1
        while child < text.boxes[box].end {
            defer { child = text.boxes[child].end }
            if text.boxes[child].isPositioned { continue }
            let widths = contribution(child)
            result.minimum = max(result.minimum, widths.minimum)
            if isOfFloats(child) {
                floats += widths.maximum
            } else {
                let line = text.establishesContext(child) ? floats + widths.maximum : max(floats, widths.maximum)
                result.maximum = max(result.maximum, line)
                floats = .zero
            }
        }
        result.maximum = max(result.maximum, floats)
        return result
    }

    /// Returns whether a box has only floats, which are beside the boxes after it: floats between blocks are in anonymous boxes.
    private mutating func isOfFloats(_ box: Int) -> Bool {
        guard text.boxes[box].isAnonymous, text.boxes[box].holdsInlines else { return false }
        let index = inlines.inlineContent(of: box)
        return inlines.contents[index].isEmpty && inlines.contents[index].hasFloats
    }

    private mutating func inlineWidths(_ box: Int) -> IntrinsicWidths {
        let index = inlines.inlineContent(of: box)
        let content = inlines.contents[index]
        var result = IntrinsicWidths()
        /// The widths of the floats, by item in ascending order: each is beside the line that contains its position.
        var floats: [(item: Int, width: LayoutUnit, clears: Bool)] = []
        if content.hasFloats {
            for item in content.items where inlines.flat[item].kind == .float {
                let box = inlines.flat[item].box
                if text.boxes[box].isPositioned { continue }
                let widths = contribution(box)
                result.minimum = max(result.minimum, widths.minimum)
                floats.append((item, widths.maximum, style(of: box).box.clear != .none))
            }
            if content.isEmpty {
                var beside = LayoutUnit.zero
                for float in floats {
                    beside = float.clears ? float.width : beside + float.width
                    result.maximum = max(result.maximum, beside)
                }
            }
        }
        guard !content.isEmpty else { return result }
        let indent = text.styles[content.style].text.indent
        let firstIndent = !indent.isRelative ? LayoutUnit(indent.px) : .zero
        for isMinimum in [false, true] {
            if content.hasAtomics {
                for item in content.items where inlines.flat[item].kind == .atomic {
                    let widths = contribution(inlines.flat[item].box)
                    inlines.atomicWidths[inlines.flat[item].box] = isMinimum ? widths.minimum : widths.maximum
                }
            }
            var cursor = inlines.firstCursor(content)
            var lineIndent = firstIndent
            var nextFloat = 0
            // Browsers measure the words of a text together, except the first one if content precedes it. So the edges that close
            // after them are added to the widest.
            var (text, widest) = (-1, LayoutUnit.zero)
            while true {
                let end = inlines.findLineEnd(
                    content, from: cursor, available: .zero, indent: lineIndent, percentageBase: .zero,
                    ignoresFit: !isMinimum, isMinContent: isMinimum)
                if isMinimum {
                    result.minimum = max(result.minimum, end.width + lineIndent)
                    let (first, last) = (cursor.item, end.next.item)
                    if text >= 0, first == text, last == text, !end.isLast {
                        widest = max(widest, end.width)
                    } else if text >= 0, first == text, last > text,
                        end.isLast || end.next == inlines.cursor(atItem: last)
                    {
                        result.minimum = max(result.minimum, widest + (edges(text + 1..<last, .close) ?? .zero))
                    }
                    if last != text {
                        let isAlone = !end.isLast && edges(first..<last, .open) == .zero
                        (text, widest) = (last, isAlone ? end.width : .zero)
                    }
                } else {
                    var beside = LayoutUnit.zero
                    while nextFloat < floats.count, end.isLast || floats[nextFloat].item < end.next.item {
                        // A float that clears others is below the line.
                        let float = floats[nextFloat]
                        if !float.clears { beside += float.width }
                        result.maximum = max(result.maximum, float.width)
                        nextFloat += 1
                    }
                    result.maximum = max(result.maximum, end.width + lineIndent + beside)
                }
                if end.isLast || end.next == cursor { break }
                cursor = end.next
                lineIndent = .zero
            }
        }
        return result
    }

    /// The sum of the widths of consecutive inline boxes' edges of one kind; nil if there is anything else among the items.
    private mutating func edges(_ items: Range<Int>, _ kind: FlatItem.Kind) -> LayoutUnit? {
        var result = LayoutUnit.zero
        for item in items {
            let current = inlines.flat[item]
            guard current.kind == kind else { return nil }
            result += inlines.edge(current.style, isStart: kind == .open, percentageBase: .zero)
        }
        return result
    }
}
