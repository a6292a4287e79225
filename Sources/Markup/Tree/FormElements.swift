// The meaning of the attributes of form elements (HTML §4.10.5, §4.10.7), and of those that show or hide contents. In: an element.
// Out: the type of an `input`, the options of a `select`, and whether a popover is closed.

package enum InputType: String, Sendable {
    case text, search, url, tel, email, password, number
    case date, month, week, time
    case localDateTime = "datetime-local"
    case checkbox, radio, range, color, file, submit, reset, button, image, hidden

    /// True for fields into which words or numbers are typed; they show a placeholder while empty.
    package var isTyped: Bool { [.text, .search, .url, .tel, .email, .password, .number].contains(self) }

    package var isDateOrTime: Bool { [.date, .month, .week, .time, .localDateTime].contains(self) }

    package var isCheckable: Bool { self == .checkbox || self == .radio }
}

extension MarkupTree {
    /// The type of an `input`; one that HTML does not know is a text field.
    package func inputType(_ input: NodeID) -> InputType {
        attribute(input, .type).flatMap { InputType(rawValue: $0.lowercased()) } ?? .text
    }

    /// The number of options that a `select` shows at once; with 1 it is a menu.
    package func rows(ofSelect select: NodeID) -> Int {
        let rows = attribute(select, .size).flatMap { Int($0) }.flatMap { $0 > 0 ? min($0, 10_000) : nil }
        return rows ?? (hasAttribute(select, "multiple") ? 4 : 1)
    }

    package func canBeDisabled(_ node: NodeID) -> Bool {
        switch tag(node) {
        case .button, .input, .select, .textarea, .option, .optgroup, .fieldset: true
        default: false
        }
    }

    /// Returns whether an attribute of the element or of a fieldset around it disables it (HTML §4.10.19.5). Looks at most at
    /// a thousand ancestors, and before a legend at as many children of its fieldset.
    package func isDisabled(_ node: NodeID) -> Bool {
        guard canBeDisabled(node) else { return false }
        if hasAttribute(node, .disabled) { return true }
        if tag(node) == .option {
            return parent(node).map { tag($0) == .optgroup && hasAttribute($0, .disabled) } ?? false
        }
        if tag(node) == .optgroup { return false }
        // A disabled fieldset disables its contents except the first legend.
        var child = node
        for parent in ancestors(node).prefix(1_000) {
            if tag(parent) == .fieldset, hasAttribute(parent, .disabled) {
                let isLegend = tag(child) == .legend
                if !isLegend || child != children(parent).prefix(1_000).first(where: { tag($0) == .legend }) {
                    return true
                }
            }
            child = parent
        }
        return false
    }

    /// Returns whether a `select` is a list of options rather than a menu (HTML §15.5.16).
    package func isListBox(_ select: NodeID) -> Bool { hasAttribute(select, "multiple") || rows(ofSelect: select) > 1 }

    /// The options of a `select`, those of its groups included. O(size of the element).
    package func options(ofSelect select: NodeID) -> [NodeID] { subtree(select).filter { tag($0) == .option } }

    /// The one of `options` that a menu shows: the last selected one, or else the first that is not disabled (HTML §4.10.7).
    package func shownOption(_ options: [NodeID]) -> NodeID? {
        options.last { hasAttribute($0, "selected") } ?? options.first { !hasAttribute($0, "disabled") }
            ?? options.first
    }

    /// The text that a menu shows for an option.
    package func label(ofOption option: NodeID) -> String {
        if let label = attribute(option, "label"), !label.isEmpty { return label }
        return String(decoding: textContent(option), as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }

    /// Returns whether the element is a closed popover: nothing opens one (HTML §6.12), but a dialog with `open` is shown.
    package func isClosedPopover(_ element: NodeID) -> Bool {
        hasAttribute(element, .popover) && !(tag(element) == .dialog && hasAttribute(element, .open))
    }

    /// Returns whether a template is the shadow root of its parent (HTML §4.12.3); its contents are then shown.
    package func isShadowRoot(_ template: NodeID) -> Bool {
        guard let mode = attribute(template, "shadowrootmode")?.lowercased(), mode == "open" || mode == "closed"
        else { return false }
        return parent(template).map { kind($0) == .element } ?? false
    }
}

extension String {
    /// The integer at the start of an attribute's value, at most 2³¹ (HTML §2.3.4.1): white space, a sign, digits; the rest is ignored.
    package var htmlInteger: Int? {
        var rest = utf8.drop(while: \.isHTMLSpace)
        let isNegative = rest.first == 0x2D
        if isNegative || rest.first == 0x2B { rest.removeFirst() }
        let digits = rest.prefix { $0 &- 0x30 < 10 }
        let value = digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), 1 << 31) }
        return digits.isEmpty ? nil : isNegative ? -value : value
    }
}
