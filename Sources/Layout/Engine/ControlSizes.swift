// The sizes of form controls without sizes from the style (HTML §15.5.7–15.5.19).

import FancyTextBoxes
import FancyTextStyling
import FancyTextTypography

extension LayoutEngine {
    func control(of box: Int) -> FormControl? {
        let index = text.boxes[box].control
        return index >= 0 ? text.controls[index] : nil
    }

    /// The content width of a control that does not depend on its contents, computed from the font as in browsers.
    mutating func controlWidth(_ box: Int) -> LayoutUnit? {
        guard let control = control(of: box) else { return nil }
        let metrics = inlines.inlineStyle(text.boxes[box].style).metrics
        switch control.kind {
        case .textField(let size):
            guard let size else { return nil }
            let average = Self.averageAdvance(metrics)
            let buttons = control.hasSpinButtons ? 15 : Float.zero
            let more = max(0, metrics.widestGlyph.rounded() - average) + buttons
            return LayoutUnit(LayoutUnit.ceil(Float(size) * average + more).ceil)
        case .textArea(let columns, _):
            guard let columns else { return nil }
            // With space for a scrollbar.
            return LayoutUnit((Float(columns) * Self.averageAdvance(metrics)).rounded(.up)) + snap.pixels(15)
        case .checkBox, .radioButton: return LayoutUnit(13)
        case .button, .menu, .listBox, .range, .progress, .meter, .color: return nil
        }
    }

    /// The average advance used for a column: rounded to a pixel if that is more.
    private static func averageAdvance(_ metrics: FontMetrics) -> Float {
        max(metrics.averageAdvance, metrics.averageAdvance.rounded())
    }

    /// The content height of a control that does not depend on its contents.
    mutating func controlHeight(_ box: Int) -> LayoutUnit? {
        guard let control = control(of: box) else { return nil }
        let line = inlines.inlineStyle(text.boxes[box].style).box.height
        if let lines = control.lines { return line * lines }
        switch control.kind {
        case .menu: return line + snap.pixels(control.isNative ? 2 : 0)
        case .listBox(let rows):
            let option = max(line, LayoutUnit(text.styles[text.boxes[box].style].font.size * 1.2))
            return (snap.floor(option) + snap.pixels(1)) * rows
        case .checkBox, .radioButton: return LayoutUnit(13)
        case .button, .textField, .textArea, .range, .progress, .meter, .color: return nil
        }
    }

    /// Moves the contents of a control to the middle of its height.
    mutating func placeControlContents(_ index: Int, of box: Int, _ edges: BoxEdges, height: LayoutUnit) {
        guard let control = control(of: box) else { return }
        var shift = LayoutUnit.zero
        if case .menu = control.kind { tree.boxes[index].lastBaseline = tree.boxes[index].firstBaseline }
        if control.centersContents {
            shift += snap.floor((tree.boxes[index].rect.height - edges.frame.vertical - height) / 2)
        }
        tree.boxes[index].contentShift = shift
        if control.isSymbol {
            // Its border box is aligned on the line, or the swatch in it.
            tree.boxes[index].lastBaseline = tree.boxes[index].rect.height
            if case .color = control.kind {
                tree.boxes[index].lastBaseline = tree.boxes[index].rect.height - LayoutUnit(6)
            }
            tree.boxes[index].firstBaseline = tree.boxes[index].lastBaseline
            return
        }
        if case .textField = control.kind, tree.boxes[index].firstBaseline == nil {
            // An empty field is aligned on the line like one with text.
            let line = inlines.inlineStyle(text.boxes[box].style).box
            let free = tree.boxes[index].rect.height - edges.frame.vertical - line.height
            tree.boxes[index].firstBaseline = edges.frame.top + snap.floor(free / 2) + line.ascent
            tree.boxes[index].lastBaseline = tree.boxes[index].firstBaseline
            return
        }
        if let baseline = tree.boxes[index].firstBaseline { tree.boxes[index].firstBaseline = baseline + shift }
        if let baseline = tree.boxes[index].lastBaseline { tree.boxes[index].lastBaseline = baseline + shift }
    }
}
