// Pseudo-classes that depend on more than names: the state of forms and links, language, direction, text.

import FancyTextMarkup

extension SelectorMatcher {
    mutating func matches(_ state: StatePseudo, _ node: NodeID) -> Bool {
        let tag = tree.tag(node)
        switch state {
        case .root: return node == theRoot()
        case .scope: return node == (scope ?? theRoot())
        case .empty:
            return tree.children(node).allSatisfy { child in
                switch tree.kind(child) {
                case .element: false
                case .text: tree.withText(child) { $0.isEmpty }
                case .comment, .instruction, .doctype, .root: true
                }
            }
        case .onlyChild: return index(of: node, Nth()) == 1 && index(of: node, Nth(fromEnd: true)) == 1
        case .onlyOfType:
            return index(of: node, Nth(ofType: true)) == 1 && index(of: node, Nth(fromEnd: true, ofType: true)) == 1
        case .link: return (tag == .a || tag == .area) && tree.hasAttribute(node, .href)
        case .checked:
            if tag == .input { return tree.hasAttribute(node, .checked) && tree.inputType(node).isCheckable }
            guard tag == .option else { return false }
            if checkedOptions == nil { checkedOptions = findCheckedOptions() }
            return checkedOptions?.contains(node) ?? false
        case .disabled: return tree.isDisabled(node)
        case .enabled: return tree.canBeDisabled(node) && !tree.isDisabled(node)
        case .required: return isRequired(node)
        case .optional: return (tag == .input || tag == .select || tag == .textarea) && !isRequired(node)
        case .readWrite: return isEditable(node)
        case .readOnly: return !isEditable(node)
        case .placeholderShown:
            guard tag == .input || tag == .textarea, tree.hasAttribute(node, .placeholder) else { return false }
            if tag == .textarea { return tree.textContent(node).isEmpty }
            return tree.inputType(node).isTyped && hasNoValue(node)
        case .defaultState:
            if tag == .option { return tree.hasAttribute(node, .selected) }
            if tag == .input, tree.inputType(node).isCheckable { return tree.hasAttribute(node, .checked) }
            return isDefaultButton(node)
        case .open: return (tag == .details || tag == .dialog) && tree.hasAttribute(node, .open)
        case .target: return false
        case .defined: return tag.isKnown || !tree.nameBytes(node).contains(0x2D)
        case .indeterminate:
            if tag == .progress { return !tree.hasAttribute(node, .value) }
            return tag == .input && tree.inputType(node) == .radio && !isGroupChecked(node)
        case .inRange: return rangeState(node) == true
        case .outOfRange: return rangeState(node) == false
        case .valid: return isValidated(node) && !isInvalid(node)
        case .invalid: return isValidated(node) && isInvalid(node)
        }
    }

    /// The document's root element; a fragment's only top-level element.
    mutating func theRoot() -> NodeID? {
        if let rootElement { return rootElement }
        let shown = tree.children(tree.root).filter { child in
            tree.kind(child) == .element
                || tree.kind(child) == .text && tree.withText(child) { $0.contains { !$0.isHTMLSpace } }
        }
        let root = shown.count == 1 && tree.kind(shown[0]) == .element ? shown[0] : nil
        rootElement = .some(root)
        return root
    }

    // MARK: Forms

    /// The selected options of every `select`, and options with `selected` outside of one (HTML §4.10.7).
    private func findCheckedOptions() -> Set<NodeID> {
        var checked: Set<NodeID> = []
        let nodes = (1..<max(count, 1)).lazy.map { NodeID($0) }
        for node in nodes where tree.tag(node) == .option && tree.hasAttribute(node, .selected) { checked.insert(node) }
        for node in nodes where tree.tag(node) == .select && !tree.hasAttribute(node, .multiple) {
            // A single select keeps only the last of its selected options; without any, a menu shows the first.
            let options = tree.options(ofSelect: node)
            let chosen =
                options.last { checked.contains($0) }
                ?? (tree.isListBox(node) ? nil : options.first { !tree.hasAttribute($0, .disabled) })
            checked.subtract(options)
            if let chosen { checked.insert(chosen) }
        }
        return checked
    }

    private func isRequired(_ node: NodeID) -> Bool {
        guard tree.hasAttribute(node, .required) else { return false }
        switch tree.tag(node) {
        case .select, .textarea: return true
        case .input: return ![.hidden, .range, .color, .submit, .image, .reset, .button].contains(tree.inputType(node))
        default: return false
        }
    }

    private func hasNoValue(_ node: NodeID) -> Bool { (tree.attribute(node, .value) ?? "").isEmpty }

    /// Returns whether a user could change the value of a control.
    private func isMutable(_ node: NodeID) -> Bool { !tree.hasAttribute(node, .readonly) && !tree.isDisabled(node) }

    private func isEditable(_ node: NodeID) -> Bool {
        switch tree.tag(node) {
        case .input:
            let type = tree.inputType(node)
            return (type.isTyped || type.isDateOrTime) && isMutable(node)
        case .textarea: return isMutable(node)
        default:
            for element in sequence(first: node, next: tree.parent).prefix(10_000) {
                guard let value = tree.attribute(element, .contenteditable)?.lowercased() else { continue }
                if ["", "true", "plaintext-only"].contains(value) { return true }
                if value == "false" { return false }
            }
            return false
        }
    }

    private func isDefaultButton(_ node: NodeID) -> Bool {
        func isSubmit(_ n: NodeID) -> Bool {
            switch tree.tag(n) {
            case .button: return ["", "submit"].contains(tree.attribute(n, .type)?.lowercased() ?? "")
            case .input: return [.submit, .image].contains(tree.inputType(n))
            default: return false
            }
        }
        guard isSubmit(node), let form = tree.ancestors(node).first(where: { tree.tag($0) == .form })
        else { return false }
        return tree.subtree(form).first { tree.kind($0) == .element && isSubmit($0) } == node
    }

    private func isGroupChecked(_ node: NodeID) -> Bool {
        guard let name = tree.attribute(node, .name), !name.isEmpty else { return tree.hasAttribute(node, .checked) }
        let owner = tree.ancestors(node).first { tree.tag($0) == .form || tree.parent($0) == nil }
        guard let owner else { return false }
        return tree.subtree(owner).contains {
            tree.tag($0) == .input && tree.hasAttribute($0, .checked) && tree.attribute($0, .name) == name
                && tree.inputType($0) == .radio
        }
    }

    /// True if the value is in range, false if it is out of range; `nil` if the element has no range.
    private func rangeState(_ node: NodeID) -> Bool? {
        guard tree.tag(node) == .input, isMutable(node) else { return nil }
        let type = tree.inputType(node)
        let (least, most, value) = (
            tree.attribute(node, "min"), tree.attribute(node, "max"), tree.attribute(node, .value)
        )
        guard least != nil || most != nil || type == .range else { return nil }
        switch type {
        case .range: return true
        case .number:
            guard let number = value.flatMap(Double.init) else { return true }
            return !(number < least.flatMap(Double.init) ?? -.infinity)
                && !(number > most.flatMap(Double.init) ?? .infinity)
        case .date, .month, .week, .localDateTime, .time:
            // These formats order as strings, once years have the same number of digits.
            func padded(_ text: String?) -> String? {
                guard let text, !text.isEmpty else { return nil }
                guard type != .time, let dash = text.firstIndex(of: "-") else { return text }
                return String(repeating: "0", count: max(0, 8 - text.distance(from: text.startIndex, to: dash))) + text
            }
            guard let value = padded(value) else { return true }
            let (low, high) = (padded(least) ?? value, padded(most) ?? value)
            // A time may be limited to the hours around midnight.
            return type == .time && low > high && padded(least) != nil && padded(most) != nil
                ? value >= low || value <= high : value >= low && value <= high
        default: return nil
        }
    }

    private func isValidated(_ node: NodeID) -> Bool {
        switch tree.tag(node) {
        case .form, .fieldset: true
        case .input: ![.hidden, .reset, .button].contains(tree.inputType(node)) && isMutable(node)
        case .select, .textarea, .button: !tree.isDisabled(node)
        default: false
        }
    }

    private func isInvalid(_ node: NodeID) -> Bool {
        switch tree.tag(node) {
        case .form, .fieldset:
            return tree.subtree(node).contains {
                $0 != node && tree.kind($0) == .element && tree.tag($0) != .fieldset && isValidated($0) && isInvalid($0)
            }
        case .input:
            if tree.hasAttribute(node, .required) {
                if tree.inputType(node).isCheckable { return !isGroupChecked(node) }
                return hasNoValue(node)
            }
            return rangeState(node) == false
        case .textarea: return tree.hasAttribute(node, .required) && tree.textContent(node).isEmpty
        default: return false
        }
    }

    // MARK: Language and direction

    func matchesLanguage(_ ranges: [String], _ node: NodeID) -> Bool {
        let own = sequence(first: node, next: tree.parent).first {
            tree.hasAttribute($0, .xmlLang) || tree.hasAttribute($0, .lang)
        }
        let tag = own.flatMap { tree.attribute($0, .xmlLang) ?? tree.attribute($0, .lang) } ?? metaLanguage ?? ""
        return ranges.contains { Self.languageMatches($0, tag) }
    }

    private var metaLanguage: String? {
        (1..<max(min(count, 4096), 1)).lazy.map { NodeID($0) }
            .first { tree.tag($0) == .meta && tree.attribute($0, .httpEquiv)?.lowercased() == "content-language" }
            .flatMap { tree.attribute($0, .content) }
    }

    /// Extended filtering (RFC 4647 §3.3.2), with an implied wildcard at the end.
    static func languageMatches(_ range: String, _ tag: String) -> Bool {
        if range.isEmpty || tag.isEmpty { return range.isEmpty && tag.isEmpty }
        let wanted = range.lowercased().split(separator: "-", omittingEmptySubsequences: false)
        let given = tag.lowercased().split(separator: "-", omittingEmptySubsequences: false)
        guard wanted[0] == "*" || wanted[0] == given[0] else { return false }
        var rest = given.dropFirst()
        for word in wanted.dropFirst() where word != "*" {
            // A subtag of one character begins an extension, which a range does not pass over.
            guard let place = rest.firstIndex(where: { $0 == word || $0.count == 1 }), rest[place] == word
            else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }

    /// Returns the element's direction, by `dir` and inheritance (HTML §3.2.6.4).
    mutating func isRightToLeft(_ node: NodeID) -> Bool {
        if directions.isEmpty { directions = [UInt8](repeating: 0, count: count) }
        var passed: [Int] = []
        var result: UInt8 = 1
        for element in sequence(first: node, next: tree.parent) {
            let i = Int(element.index)
            if directions[i] != 0 {
                result = directions[i]
                break
            }
            passed.append(i)
            guard tree.kind(element) == .element else { continue }
            let (value, tag) = (tree.attribute(element, .dir)?.lowercased(), tree.tag(element))
            let isAuto = value == "auto" || value == nil && tag == .bdi
            if value == "rtl" || isAuto && tree.isRightToLeftByContent(element) { result = 2 }
            if value == "rtl" || value == "ltr" || isAuto { break }
            if value == nil, tag == .input, tree.inputType(element) == .tel { break }
        }
        for i in passed { directions[i] = result }
        return result == 2
    }

    func contains(_ texts: [(bytes: [UInt8], ignoresCase: Bool)], _ node: NodeID) -> Bool {
        let content = tree.textContent(node, skipsHidden: false)
        return content.withUnsafeBufferPointer { content in
            texts.contains { find($0.bytes, in: content, $0.ignoresCase) }
        }
    }
}

extension MarkupTree {
    /// Returns whether the first strong character of an element is right-to-left (`dir=auto`, HTML §3.2.6.4).
    package func isRightToLeftByContent(_ node: NodeID) -> Bool {
        if tag(node) == .input {
            let type = inputType(node)
            guard type.isTyped && type != .number || [.hidden, .submit, .reset, .button].contains(type)
            else { return false }
            return attribute(node, .value).flatMap { Self.firstStrong($0.unicodeScalars) } ?? false
        }
        var at = node.index + 1
        let end = subtreeEnd(node).index
        while at < end {
            let n = NodeID(index: at)
            let (kind, tag) = (self.kind(n), self.tag(n))
            if kind == .text, let direction = Self.firstStrong(text(n).unicodeScalars) { return direction }
            let isApart =
                kind == .element
                && (tag == .bdi || tag == .script || tag == .style || tag == .textarea
                    || ["ltr", "rtl", "auto"].contains(attribute(n, .dir)?.lowercased() ?? ""))
            at = isApart ? subtreeEnd(n).index : at + 1
        }
        return false
    }

    /// Returns whether the first strong character is right-to-left, by Unicode block; `nil` if the text has no strong character.
    static func firstStrong(_ text: String.UnicodeScalarView) -> Bool? {
        for scalar in text {
            switch scalar.value {
            case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF, 0x200F:
                if scalar.properties.isAlphabetic || scalar.value == 0x200F { return true }
            default: if scalar.properties.isAlphabetic { return false }
            }
        }
        return nil
    }
}
