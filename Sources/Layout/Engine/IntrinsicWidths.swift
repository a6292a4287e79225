// Min-content and max-content widths (CSS Sizing 3 §5), for shrink-to-fit, tables and flex boxes.
//
// In: a box. Out: the border box's widths if every break opportunity is taken, and if none is. They are cached for each box, so
// that each is measured once, however deep the boxes are nested.

import FancyTextStyling

struct IntrinsicWidths {
    var minimum = LayoutUnit.zero
    var maximum = LayoutUnit.zero

    /// The widths of the border box around contents of these widths.
    func framed(by edges: BoxEdges) -> IntrinsicWidths {
        IntrinsicWidths(minimum: minimum + edges.frame.horizontal, maximum: maximum + edges.frame.horizontal)
    }
}

extension LayoutEngine {
    /// The widths of the border box by its contents; `width` and its limits are ignored.
    mutating func intrinsicWidths(_ box: Int) -> IntrinsicWidths {
        intrinsicWidths(box) { Contexts.intrinsicWidths(box, edges: $0.edges(of: box), &$0) }
    }

    /// The cached widths of a box, or those from `measure`, for a context that measures its own box.
    mutating func intrinsicWidths(_ box: Int, _ measure: (inout Self) -> IntrinsicWidths) -> IntrinsicWidths {
        if let known = intrinsicMemo[box] { return known }
        guard depth < depthLimit, !stops() else { return IntrinsicWidths() }
        depth += 1
        defer { depth -= 1 }
        var result = measure(&self)
        result.minimum = snap.ceil(result.minimum)
        result.maximum = max(snap.ceil(result.maximum), result.minimum)
        intrinsicMemo[box] = result
        return result
    }

    /// The contribution of the box's margin box to its container's widths. Its own size properties apply, percentages as far as
    /// possible.
    mutating func contribution(_ box: Int, available: LayoutUnit = .unlimited) -> IntrinsicWidths {
        let widths = signedContribution(box, available: available)
        return IntrinsicWidths(minimum: widths.minimum.nonNegative, maximum: widths.maximum.nonNegative)
    }

    /// The contribution, which may be negative because of negative margins.
    mutating func signedContribution(_ box: Int, available: LayoutUnit = .unlimited) -> IntrinsicWidths {
        let constraint = Constraint(available: available, percentageWidth: .unlimited)
        let edges = edges(of: box)
        var widths: IntrinsicWidths
        if text.boxes[box].isAnonymous {
            widths = intrinsicWidths(box)
        } else {
            let style = style(of: box)
            let isReplaced = text.boxes[box].kind == .image || text.boxes[box].kind == .lambda
            if !isReplaced, let width = resolveWidth(style.box.width, of: box, edges, constraint) {
                widths = IntrinsicWidths(minimum: width, maximum: width)
                if text.boxes[box].kind == .table {
                    let own = intrinsicWidths(box).minimum
                    widths = IntrinsicWidths(minimum: max(width, own), maximum: max(width, own))
                }
            } else {
                widths = automaticWidths(box, edges, constraint)
                if isReplaced || isField(box), style.box.width.isRelative {
                    widths.minimum = edges.frame.horizontal
                }
                if isReplaced, style.box.maxWidth.isRelative {
                    widths.minimum = edges.frame.horizontal
                }
            }
            if text.boxes[box].kind != .table {
                widths.minimum = clampWidth(widths.minimum, of: box, edges, constraint)
            }
            widths.maximum = clampWidth(widths.maximum, of: box, edges, constraint)
            widths.maximum = max(widths.maximum, widths.minimum)
        }
        widths.minimum += edges.margin.horizontal
        widths.maximum += edges.margin.horizontal
        return widths
    }

    /// Returns whether a box is a control that takes no width if its width is a percentage (CSS Sizing 3 §5.2.2). In browsers
    /// buttons do take theirs.
    private func isField(_ box: Int) -> Bool {
        switch control(of: box)?.kind {
        case .textField, .textArea, .menu, .listBox, .checkBox, .radioButton, .range, .progress, .meter, .color: true
        case .button, nil: false
        }
    }
}
