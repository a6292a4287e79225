// The declarations of a form control that follow from its type and state (HTML §15.5, with Chromium's values).
//
// In: an `input`, `button`, `textarea`, `select` or `option`. Out: declarations, in addition to those of its other attributes.

import FancyTextMarkup

extension PresentationalHints {
    static func isControl(_ tag: TagID) -> Bool {
        switch tag {
        case .input, .select, .button, .textarea: true
        default: false
        }
    }

    mutating func control(_ n: NodeID, _ tag: TagID) {
        let isDisabled = tree.hasAttribute(n, "disabled")
        switch tag {
        case .input: input(n, isDisabled: isDisabled)
        case .button: if isDisabled { disabledButton() }
        case .textarea: if isDisabled { disabledField() }
        case .select:
            if tree.isListBox(n) { add("border-radius", "2px") }
            if isDisabled { disabledField() }
        case .option:
            guard let list = list(of: n) else { return }
            guard tree.isListBox(list) else {
                // The space for the arrow is on the right.
                add("padding", "1px 16px 1px 4px")
                return
            }
            add("padding", "0 2px 1px")
            add("min-height", "1.2em")
            if tree.hasAttribute(n, "selected") { add("background-color", "#cecece") }
        default: break
        }
    }

    private mutating func input(_ n: NodeID, isDisabled: Bool) {
        switch tree.inputType(n) {
        case .checkbox: mark(margin: "3px 3px 3px 4px")
        case .radio: mark(margin: "3px 3px 0 5px")
        case .range: symbol("129px", "16px", margin: "2px")
        case .color:
            add("box-sizing", "border-box")
            add("width", "50px")
            add("height", "27px")
            add("background-color", "buttonface")
            add("border", "1px solid buttonborder")
        case .image:
            add("border", "0")
            add("padding", "0")
            add("background-color", "transparent")
        case .submit, .reset, .button:
            add("box-sizing", "border-box")
            add("text-align", "center")
            add("background-color", "buttonface")
            add("border", "2px outset buttonborder")
            add("padding", "1px 6px")
            add("line-height", "normal !important")
            if isDisabled { disabledButton() }
        case .file:
            add("width", "253px")
            add("border", "0")
            add("padding", "0")
            add("background-color", "transparent")
        case .hidden: break
        case .text, .search, .url, .tel, .email, .password, .number, .date, .month, .week, .time, .localDateTime:
            if isDisabled { disabledField() }
        }
    }

    /// Check boxes and radio buttons never have a border or padding, even if the author declares them.
    private mutating func mark(margin: String) {
        symbol("13px", "13px", margin: margin)
        add("border", "0 !important")
        add("padding", "0 !important")
    }

    private mutating func symbol(_ width: String, _ height: String, margin: String) {
        add("box-sizing", "border-box")
        add("width", width)
        add("height", height)
        add("margin", margin)
        add("border", "0")
        add("padding", "0")
        add("background-color", "transparent")
    }

    private mutating func disabledButton() {
        add("color", "rgb(16 16 16 / .3)")
        add("border-color", "rgb(118 118 118 / .3)")
    }

    private mutating func disabledField() {
        add("color", "#545454")
        add("background-color", "#fafafa")
        add("border-color", "rgb(118 118 118 / .3)")
    }

    private func list(of option: NodeID) -> NodeID? {
        guard let parent = tree.parent(option) else { return nil }
        if tree.tag(parent) == .select { return parent }
        guard tree.tag(parent) == .optgroup, let list = tree.parent(parent), tree.tag(list) == .select else {
            return nil
        }
        return list
    }
}
