// The sizes of form controls without sizes from the style (HTML §15.5.7–15.5.19).

import FancyTextBoxes
import FancyTextCSS
import FancyTextTypography

extension LayoutEngine {
    func control(of box: Int) -> FormControl? {
        let index = text.boxes[box].control
        return index >= 0 ? text.controls[index] : nil
    }

    /// The content width of a control, computed from the font as in browsers; nil if only its contents decide.
    mutating func controlWidth(_ box: Int) -> LayoutUnit? {
        guard let control = control(of: box) else { return nil }
        let style = text.boxes[box].style
        let metrics = inlines.inlineStyle(style).metrics
        let zoom = text.styles[style].box.zoom
        switch control.kind {
        case .file:
            // Of the contents, or of 34 zeros.
            return max(LayoutUnit((34 * metrics.zeroAdvance).rounded(.up)), LayoutUnit(blockWidths(box).maximum.ceil))
        case .dateField(let parts, let picker):
            var width: Float = 0
            for part in parts {
                let widths = ([part.text] + part.others).map {
                    inlines.shapeGenerated(Array($0.utf8), style: style, level: 0).width
                }
                width += (widths.max() ?? 0) + (part.others.isEmpty ? 0 : snap.pixels(2).float)
            }
            return LayoutUnit(width.rounded(.up)) + snap.pixels(picker == .clock ? 8 : 0) + symbolSide(picker, style)
        case .textField(let size):
            guard let size else { return nil }
            let average = Self.averageAdvance(metrics)
            let buttons = control.hasSpinButtons ? 15 : Float.zero
            let more = max(0, metrics.widestGlyph.rounded() - average) + buttons
            return LayoutUnit(LayoutUnit.ceil(Float(size) * average + more).ceil)
        case .textArea(let columns, _):
            guard let columns else { return nil }
            // With space for a scrollbar, if there can be one.
            let isFixed = [.hidden, .clip].contains(text.styles[style].box.overflowY)
            let width = LayoutUnit((Float(columns) * Self.averageAdvance(metrics)).rounded(.up))
            return isFixed ? width : width + snap.pixels(15)
        case .checkBox, .radioButton: return LayoutUnit(13 * zoom)
        case .range: return LayoutUnit(129 * zoom)
        case .button, .menu, .listBox, .progress, .meter, .color: return nil
        }
    }

    /// The side of the symbol in a field for a date or time, with its padding.
    private func symbolSide(_ picker: FormControl.Picker, _ style: StyleID) -> LayoutUnit {
        let size = text.styles[style].font.size
        if snap.isOfCells { return .zero }
        return switch picker {
        case .calendar: LayoutUnit(size) + LayoutUnit(4)
        case .clock: LayoutUnit(size * 1.05) + LayoutUnit(6)
        }
    }

    /// The average advance used for a column: rounded to a pixel if that is more.
    private static func averageAdvance(_ metrics: FontMetrics) -> Float {
        max(metrics.averageAdvance, metrics.averageAdvance.rounded())
    }

    /// The content height of a control that does not depend on its contents.
    mutating func controlHeight(_ box: Int) -> LayoutUnit? {
        guard let control = control(of: box) else { return nil }
        let inline = inlines.inlineStyle(text.boxes[box].style)
        let line = inline.box.height
        let zoom = text.styles[text.boxes[box].style].box.zoom
        if let lines = control.lines { return line * lines }
        switch control.kind {
        case .dateField(_, let picker): return max(line + snap.pixels(2), symbolSide(picker, text.boxes[box].style))
        case .range: return control.isNative ? LayoutUnit(16 * zoom) : nil
        case .button where control.isInput: return line
        case .menu:
            // As in Blink, without the line gap of the font.
            let padding = control.isNative ? Int(bounded: (2 * zoom).rounded()) : 0
            return (inline.countsUsedFonts ? inline.text.height : line) + snap.pixels(padding)
        case .listBox(let rows):
            let option = max(line, LayoutUnit(text.styles[text.boxes[box].style].font.size * 1.2))
            return (snap.floor(option) + snap.pixels(1)) * rows
        case .checkBox, .radioButton: return LayoutUnit(13 * zoom)
        case .button, .file, .textField, .textArea, .progress, .meter, .color: return nil
        }
    }

    /// Moves the contents of a control to the middle of its height.
    mutating func placeControlContents(_ index: Int, of box: Int, _ edges: BoxEdges, height: LayoutUnit) {
        guard let control = control(of: box) else { return }
        let inline = inlines.inlineStyle(text.boxes[box].style)
        let line = inline.box
        let bottom = tree.boxes[index].rect.height - edges.frame.bottom
        let free = bottom - edges.frame.top - height
        var baseline = tree.boxes[index].firstBaseline
        var shift = LayoutUnit.zero
        let hasPlaceholder =
            control.lines == 1 && tree.boxes[index].lines.isEmpty && tree.boxes.count > index + 1
        switch control.kind {
        // Contents that do not fit are not moved out at the top, except for fields.
        case .button, .menu: shift = snap.floor(free.nonNegative / 2)
        case .range: if !control.isNative { shift = snap.floor(free / 2) }
        // A placeholder is in the middle whatever its height is.
        case .textField:
            shift = snap.floor(
                (hasPlaceholder ? bottom - edges.frame.top - tree.boxes[index + 1].rect.height : free) / 2)
        case .dateField: shift = (bottom - edges.frame.top - line.height) / 2
        case .file, .textArea, .listBox, .checkBox, .radioButton, .progress, .meter, .color: break
        }
        tree.boxes[index].contentShift = shift
        switch control.kind {
        // The border box is aligned on the line, or the swatch in it.
        case .checkBox, .radioButton, .range: baseline = tree.boxes[index].rect.height
        case .color: baseline = bottom - snap.pixels(4)
        case .textField, .button:
            // An empty field is aligned on the line like one with text, and an empty button by the end of its contents.
            let hasLine = control.lines != nil || control.isInput
            let first = hasPlaceholder ? nil : baseline.map { $0 + shift }
            let empty = edges.frame.top + (hasPlaceholder ? snap.floor(free / 2) : shift) + line.ascent
            baseline = first ?? (hasLine ? empty : bottom)
        case .menu where tree.boxes.count == index + 1 || tree.boxes[index + 1].lines.isEmpty:
            // The label of an empty option has no line.
            let text = inline.countsUsedFonts ? inline.text : line
            baseline = edges.frame.top + shift + (height - text.height) / 2 + text.ascent
        case .menu, .dateField: baseline = baseline.map { $0 + shift }
        case .file, .textArea, .listBox, .progress, .meter: return
        }
        tree.boxes[index].firstBaseline = baseline
        if case .button = control.kind, let last = tree.boxes[index].lastBaseline {
            tree.boxes[index].lastBaseline = last + shift
        } else {
            tree.boxes[index].lastBaseline = baseline
        }
    }
}
