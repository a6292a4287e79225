// Min-content and max-content widths (CSS Sizing 3 §5), for shrink-to-fit, tables and flex boxes.
//
// In: a box. Out: the border box's widths if every opportunity to break were taken, and if none were. Kept per box, so that
// each is measured once however deep boxes that ask are nested.

struct IntrinsicWidths {
    var minimum = LayoutUnit.zero
    var maximum = LayoutUnit.zero
}

extension Layouter {
    /// Widths of the border box by its contents; `width` and its limits do not count.
    mutating func intrinsicWidths(_ box: Int) -> IntrinsicWidths {
        if let known = intrinsicMemo[box] { return known }
        guard depth < depthLimit else { return IntrinsicWidths() }
        depth += 1
        defer { depth -= 1 }
        let edges = cellEdges(box) ?? boxEdges(box, percentageBase: .zero)
        var result: IntrinsicWidths
        switch text.boxes[box].kind {
        case .image, .lambda:
            let size = replacedSize(
                box, edges: edges, constraint: Constraint(available: .unlimited, percentageWidth: .unlimited))
            result = IntrinsicWidths(minimum: size.width, maximum: size.width)
        case .table: result = tableIntrinsicWidths(box)
        case .flex:
            result = flexIntrinsicWidths(box)
            result.minimum += edges.frame.horizontal
            result.maximum += edges.frame.horizontal
        case .ruby: result = rubyIntrinsicWidths(box)
        case .block, .tableCell, .tableCaption, .tableRowGroup, .tableRow, .tableColumn, .tableColumnGroup:
            result = text.boxes[box].holdsInlines ? inlineIntrinsicWidths(box) : blockIntrinsicWidths(box)
            result.minimum += edges.frame.horizontal
            result.maximum += edges.frame.horizontal
        }
        result.minimum = snap.ceil(result.minimum)
        result.maximum = max(snap.ceil(result.maximum), result.minimum)
        intrinsicMemo[box] = result
        return result
    }

    /// What the box's margin box adds to its container's widths: its own size properties count, per cents as far as they can.
    mutating func contribution(_ box: Int, constraint: Constraint) -> IntrinsicWidths {
        var constraint = constraint
        constraint.percentageWidth = .unlimited
        let edges = cellEdges(box) ?? boxEdges(box, percentageBase: .zero)
        var widths: IntrinsicWidths
        if text.boxes[box].isAnonymous {
            widths = intrinsicWidths(box)
        } else {
            let style = text.styles[text.boxes[box].style].box
            let isReplaced = text.boxes[box].kind == .image || text.boxes[box].kind == .lambda
            if !isReplaced,
                let width = resolveWidth(
                    style.width, box: box, edges: edges, constraint: constraint, sizesBorderBox: style.sizesBorderBox)
            {
                widths = IntrinsicWidths(minimum: width, maximum: width)
                if text.boxes[box].kind == .table {
                    let own = intrinsicWidths(box).minimum
                    widths = IntrinsicWidths(minimum: max(width, own), maximum: max(width, own))
                }
            } else {
                widths = intrinsicWidths(box)
                if isReplaced, case .length(let length) = style.width, length.isRelative {
                    widths.minimum = edges.frame.horizontal
                }
                if isReplaced, case .length(let length) = style.maxWidth, length.isRelative {
                    widths.minimum = edges.frame.horizontal
                }
            }
            if text.boxes[box].kind != .table {
                widths.minimum = clampWidth(
                    widths.minimum, box: box, style: style, edges: edges, constraint: constraint)
            }
            widths.maximum = clampWidth(widths.maximum, box: box, style: style, edges: edges, constraint: constraint)
            widths.maximum = max(widths.maximum, widths.minimum)
        }
        widths.minimum = (widths.minimum + edges.margin.horizontal).nonNegative
        widths.maximum = (widths.maximum + edges.margin.horizontal).nonNegative
        return widths
    }

    private mutating func blockIntrinsicWidths(_ box: Int) -> IntrinsicWidths {
        var result = IntrinsicWidths()
        var floats = LayoutUnit.zero
        var child = box + 1
        let constraint = Constraint(available: .unlimited)
        while child < text.boxes[box].end {
            let widths = contribution(child, constraint: constraint)
            let style = text.styles[text.boxes[child].style].box
            result.minimum = max(result.minimum, widths.minimum)
            if style.float != .none, !text.boxes[child].isAnonymous {
                if style.clear != .none {
                    result.maximum = max(result.maximum, floats)
                    floats = .zero
                }
                floats += widths.maximum
            } else if isIndependent(child) {
                result.maximum = max(result.maximum, floats + widths.maximum)
                floats = .zero
            } else {
                result.maximum = max(result.maximum, max(widths.maximum, floats))
                floats = .zero
            }
            child = text.boxes[child].end
        }
        result.maximum = max(result.maximum, floats)
        return result
    }

    private mutating func inlineIntrinsicWidths(_ box: Int) -> IntrinsicWidths {
        let index = inlineContent(of: box)
        let content = contents[index]
        var result = IntrinsicWidths()
        let constraint = Constraint(available: .unlimited)
        /// Widths of the floats, by item in ascending order: each stands beside the line that it is met in.
        var floats: [(item: Int, width: LayoutUnit)] = []
        if content.hasFloats {
            for item in content.items where flat[item].kind == .float {
                let widths = contribution(Int(flat[item].link), constraint: constraint)
                result.minimum = max(result.minimum, widths.minimum)
                floats.append((item, widths.maximum))
            }
            if content.isEmpty { result.maximum = floats.reduce(LayoutUnit.zero) { $0 + $1.width } }
        }
        guard !content.isEmpty else { return result }
        let indent = text.styles[content.style].text.indent
        let firstIndent = !indent.isRelative ? LayoutUnit(indent.px) : .zero
        for isMinimum in [false, true] {
            if content.hasAtomics {
                for item in content.items where flat[item].kind == .atomic {
                    let widths = contribution(Int(flat[item].link), constraint: constraint)
                    atomicWidths[Int(flat[item].link)] = isMinimum ? widths.minimum : widths.maximum
                }
            }
            var cursor = firstCursor(content)
            var lineIndent = firstIndent
            var nextFloat = 0
            while true {
                let end = findLineEnd(
                    content, from: cursor, available: .zero, indent: lineIndent, percentageBase: .zero,
                    ignoresFit: !isMinimum,
                    isMinContent: isMinimum)
                if isMinimum {
                    result.minimum = max(result.minimum, end.width + lineIndent)
                } else {
                    var beside = LayoutUnit.zero
                    while nextFloat < floats.count, end.isLast || floats[nextFloat].item < end.next.item {
                        beside += floats[nextFloat].width
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
}
