// Form controls in cells: brackets for controls of one line, characters for symbols. In: styled text with controls. Out: the
// text with their characters.

import FancyTextBasics
import FancyTextCSS
import FancyTextWriting

extension CellText {
    /// Writes the state of a check box or radio button that the page draws itself, in pictures and colours.
    private mutating func writeMark(_ index: Int) {
        let box = text.boxes[index]
        guard let tree, tag(of: box) == .input, tree.inputType(box.element).isCheckable, box.kind == .block,
            box.holdsInlines || box.end <= index + 1
        else { return }
        let mark = ControlText.mark(
            isRadio: tree.inputType(box.element) == .radio, isOn: tree.hasAttribute(box.element, "checked"))
        restyle(index, .symbol) { Self.makeSymbol(&$0, columns: 1) }
        let run = makeRun(String(mark).utf8, style: text.boxes[index].style, element: box.element)
        setItems([.text(run: run)], of: index)
    }

    /// Converts all controls, in one pass over the boxes and the options of menus.
    mutating func convertControls() {
        for index in text.boxes.indices {
            guard text.boxes[index].control >= 0 else {
                writeMark(index)
                continue
            }
            let control = text.controls[text.boxes[index].control]
            switch control.kind {
            case .button, .file, .dateField, .textField, .menu:
                restyle(index, .field, Self.bracket)
                if case .menu(let selected) = control.kind { hideOptions(of: index, but: selected) }
                widenField(index)
            case .textArea, .listBox:
                restyle(index, .area) { box in
                    // Text on its line is beside its first row, as after a label.
                    box.verticalAlign = .top
                    if Self.isDefault(box.backgroundColor) { box.backgroundColor = .transparent }
                }
            case .color: restyle(index, .symbol) { Self.makeSymbol(&$0, columns: 9) }
            case .checkBox, .radioButton: restyle(index, .symbol) { Self.makeSymbol(&$0, columns: 1) }
            case .range, .progress, .meter:
                restyle(index, .gauge) { Self.makeSymbol(&$0, columns: $0.width == .auto ? 16 : nil) }
            }
        }
    }

    /// Makes a field of a fixed width as wide as its text, as far as the screen is.
    private mutating func widenField(_ index: Int) {
        let box = text.boxes[index]
        guard case .textField(let size) = text.controls[box.control].kind else { return }
        let runs = text.items[box.items].compactMap(\.run)
        let words = runs.reduce(0) { $0 + DisplayWidth.cells(text.text[text.runs[$1].range]) }
        var width = Float(size ?? words)
        if case .length(let length) = text.styles[box.style].box.width {
            if length.isRelative { return }
            width = length.px
        }
        guard Float(words) > width else { return }
        text.controls[box.control].kind = .textField(size: min(words, roomFor(index)))
        restyle(index, .wideField) { ($0.width, $0.maxWidth) = (.auto, .auto) }
    }

    /// Replaces the sides of the frame by brackets.
    private static func bracket(_ box: inout BoxStyle) {
        box.border = Sides(BorderSide())
        box.padding.left.px = max(1, box.padding.left.px)
        box.padding.right.px = max(1, box.padding.right.px)
        if !box.padding.top.isRelative { box.padding.top = .zero }
        if !box.padding.bottom.isRelative { box.padding.bottom = .zero }
        if isDefault(box.backgroundColor) { box.backgroundColor = .transparent }
    }

    /// The white and grey of controls without an author's colours.
    private static func isDefault(_ color: Color) -> Bool {
        color == .white || color == Color(red: 0xEF, green: 0xEF, blue: 0xEF)
    }

    private static func makeSymbol(_ box: inout BoxStyle, columns: Float?) {
        (box.border, box.padding, box.margin) = (Sides(BorderSide()), Sides(.zero), Sides(.zero))
        box.verticalAlign = .baseline
        (box.minWidth, box.maxWidth) = (.auto, .auto)
        if let columns { box.width = .length(LengthPercentage(px: columns)) }
        box.height = .length(LengthPercentage(px: 1))
        box.backgroundColor = .transparent
        box.backgroundLayers = []
    }

    private mutating func hideOptions(of menu: Int, but selected: Int) {
        guard selected > menu else { return }
        for index in menu + 1..<text.boxes[menu].end
        where !(selected..<text.boxes[selected].end).contains(index) && text.boxes[index].holdsInlines {
            text.boxes[index].items = 0..<0
        }
    }
}
