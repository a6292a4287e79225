// Boxes of form controls (HTML §15.5).
//
// In: a control's element and its style. Out: its box, whose value is text in it or a painted state.

import FancyTextBasics
import FancyTextMarkup
import FancyTextStyling

extension BoxGenerator {
    /// The form control of an element; nil for other elements.
    func control(of node: NodeID) -> FormControl? {
        // Evaluated only for controls.
        var isDisabled: Bool { tree.hasAttribute(node, "disabled") }
        switch tree.tag(node) {
        case .button: return FormControl(.button, isDisabled: isDisabled)
        case .textarea:
            return FormControl(
                .textArea(columns: count(node, "cols") ?? 20, rows: count(node, "rows") ?? 2), isDisabled: isDisabled)
        case .select:
            let kind =
                tree.isListBox(node)
                ? FormControl.Kind.listBox(rows: tree.rows(ofSelect: node)) : .menu(selected: -1)
            return FormControl(kind, isDisabled: isDisabled)
        case .progress:
            let most = number(node, "max").flatMap { $0 > 0 ? $0 : nil } ?? 1
            return FormControl(.progress(number(node, "value").map { min(1, max(0, $0 / most)) }))
        case .meter: return meter(node)
        case .input: return input(node, isDisabled: isDisabled)
        default: return nil
        }
    }

    private func input(_ node: NodeID, isDisabled: Bool) -> FormControl? {
        let isOn = tree.hasAttribute(node, "checked")
        switch tree.inputType(node) {
        case .hidden, .image: return nil
        case .checkbox: return FormControl(.checkBox(isOn: isOn), isDisabled: isDisabled)
        case .radio: return FormControl(.radioButton(isOn: isOn), isDisabled: isDisabled)
        case .submit, .reset, .button, .file: return FormControl(.button, isDisabled: isDisabled)
        case .color:
            return FormControl(.color(tree.attribute(node, "value").flatMap { Color(css: $0) } ?? .black))
        case .range:
            let least = number(node, "min") ?? 0
            let most = max(least, number(node, "max") ?? 100)
            let value = min(most, max(least, number(node, "value") ?? (least + most) / 2))
            return FormControl(.range(most > least ? (value - least) / (most - least) : 0), isDisabled: isDisabled)
        case .text, .search, .url, .tel, .email, .password, .number, .date, .month, .week, .time, .localDateTime:
            return FormControl(.textField(size: count(node, "size") ?? 20), isDisabled: isDisabled)
        }
    }

    /// Levels by HTML §4.10.14: in the optimum region, next to it, and beyond.
    private func meter(_ node: NodeID) -> FormControl {
        let least = number(node, "min") ?? 0
        let most = max(least, number(node, "max") ?? 1)
        func bounded(_ value: Float, _ from: Float) -> Float { min(most, max(from, value)) }
        let value = bounded(number(node, "value") ?? 0, least)
        let low = bounded(number(node, "low") ?? least, least)
        let high = bounded(number(node, "high") ?? most, low)
        let optimum = bounded(number(node, "optimum") ?? (least + most) / 2, least)
        func region(_ number: Float) -> Int { number < low ? 0 : number > high ? 2 : 1 }
        let distance: Int
        if region(optimum) == 1 {
            distance = region(value) == 1 ? 0 : 1
        } else {
            distance = abs(region(value) - region(optimum))
        }
        let level: FormControl.MeterLevel = distance == 0 ? .optimum : distance == 1 ? .suboptimum : .worst
        return FormControl(.meter(most > least ? (value - least) / (most - least) : 0, level))
    }

    private func number(_ node: NodeID, _ name: String) -> Float? {
        tree.attribute(node, name).flatMap { Float($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    private func count(_ node: NodeID, _ name: String) -> Int? {
        tree.attribute(node, name).flatMap { Int($0) }.flatMap { $0 > 0 ? min($0, 10_000) : nil }
    }

    /// Generates a control that is not laid out like other elements.
    mutating func appendControl(
        _ control: FormControl, _ node: NodeID, style id: StyleID, parent: Int, depth: Int
    ) {
        pending = PendingFirst()
        let box = openBox(.block, style: id, element: node, parent: parent)
        let number = text.controls.count
        text.controls.append(control)
        text.boxes[box].control = number
        let (from, to) = (NodeID(index: node.index + 1), tree.subtreeEnd(node))
        switch control.kind {
        case .button, .textField:
            if tree.tag(node) == .input {
                appendValue(of: node, control, style: id, to: box)
            } else {
                fill(box, from: from, to: to, of: node, depth: depth)
            }
        case .textArea:
            fill(box, from: from, to: to, of: node, depth: depth)
            if !text.boxes[box].holdsInlines { appendValue(of: node, control, style: id, to: box) }
        case .menu:
            fill(box, from: from, to: to, of: node, depth: depth)
            text.controls[number].kind = .menu(selected: selectedOption(in: box))
        case .listBox: fill(box, from: from, to: to, of: node, depth: depth)
        case .checkBox, .radioButton, .range, .progress, .meter, .color: break
        }
        closeBox(box)
    }

    /// The box of the last selected option, or else of the first option; −1 without options.
    private func selectedOption(in box: Int) -> Int {
        var chosen = -1
        for index in (box + 1)..<max(box + 1, text.boxes.count)
        where !text.boxes[index].isAnonymous && tree.tag(text.boxes[index].element) == .option {
            if chosen < 0 || tree.hasAttribute(text.boxes[index].element, "selected") { chosen = index }
        }
        return chosen
    }

    /// Appends the value of a text field or the label of a button; the placeholder of a field without value.
    private mutating func appendValue(of node: NodeID, _ control: FormControl, style id: StyleID, to box: Int) {
        let isInput = tree.tag(node) == .input
        let type = isInput ? tree.inputType(node) : .text
        var style = id
        var string: String
        switch type {
        case .submit: string = tree.attribute(node, "value") ?? "Submit"
        case .reset: string = tree.attribute(node, "value") ?? "Reset"
        case .button: string = tree.attribute(node, "value") ?? ""
        case .file: return appendFileChooser(node, style: id, to: box)
        case .text, .search, .url, .tel, .email, .password, .number, .date, .month, .week, .time, .localDateTime,
            .checkbox, .radio, .range, .color, .image, .hidden:
            string = isInput ? tree.attribute(node, "value") ?? "" : ""
            if string.isEmpty, let placeholder = tree.attribute(node, "placeholder"), !placeholder.isEmpty {
                string = placeholder
                style = placeholderStyle(of: id)
            } else if type == .password {
                string = String(repeating: "\u{2022}", count: min(string.count, 10_000))
            } else if type == .date, string.isEmpty {
                string = "mm/dd/yyyy"
            }
        }
        guard !string.isEmpty else { return }
        var inline = InlineBuilder()
        inline.append(generated: string, style: style, element: node, to: &text)
        finish(&inline, in: box)
    }

    /// Appends a button for choosing a file, and the text that none is chosen.
    private mutating func appendFileChooser(_ node: NodeID, style id: StyleID, to box: Int) {
        let button = generatedStyle(.init(parent: id, display: .inlineBlock, marker: "button")) { _, _, style in
            style.decorations = []
            style.sizesBorderBox = true
            style.backgroundColor = Color(red: 0xEF, green: 0xEF, blue: 0xEF)
            var side = BorderSide()
            (side.style, side.width) = (.outset, 2)
            style.border = Sides(side)
            style.padding = Sides(LengthPercentage(px: 1))
            (style.padding.left, style.padding.right) = (LengthPercentage(px: 6), LengthPercentage(px: 6))
        }
        var inline = InlineBuilder()
        let item = inline.appendAtomic(element: node, style: button, to: &text)
        inline.setBox(text.boxes.count, forItem: item)
        let inner = openBox(.block, style: button, element: node, parent: box)
        text.boxes[inner].control = text.controls.count
        text.controls.append(FormControl(.button))
        var label = InlineBuilder()
        label.append(generated: "Choose File", style: button, element: node, to: &text)
        finish(&label, in: inner)
        closeBox(inner)
        inline.append(generated: " No file chosen", style: id, element: node, to: &text)
        finish(&inline, in: box)
    }

    private mutating func placeholderStyle(of id: StyleID) -> StyleID {
        generatedStyle(.init(parent: id, display: .inline, marker: "placeholder")) { _, text, box in
            text.color = Color(red: 0x75, green: 0x75, blue: 0x75)
            box.decorations = []
        }
    }
}
