// Boxes of form controls (HTML §15.5). In: a control's element and its style. Out: its box, whose value is text in it or a painted
// state.

import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextStyling

extension BoxGenerator {
    /// The form control of an element; nil for other elements, and for marks that the page draws itself.
    func control(of node: NodeID, _ style: ComputedStyle) -> FormControl? {
        guard let kind = controlKind(of: node) else { return nil }
        var control = FormControl(kind: kind, isNative: style.box.isNative)
        switch kind {
        case .checkBox, .radioButton: if !control.isNative { return nil }
        case .progress, .meter:
            let hasBorder = style.box.border != Sides(BorderSide())
            control.isNative = control.isNative && !style.hasBackground && !hasBorder
            return control
        case .color: return control
        case .button: control.isInput = tree.tag(node) == .input
        case .textField:
            control.hasSpinButtons = tree.inputType(node) == .number && numberLength(node) != nil
            if style.box.fitsText { control.kind = .textField(size: nil) }
        case .textArea: if style.box.fitsText { control.kind = .textArea(columns: nil, rows: nil) }
        case .file, .dateField, .menu, .listBox, .range: break
        }
        control.isDisabled = tree.isDisabled(node)
        return control
    }

    private func controlKind(of node: NodeID) -> FormControl.Kind? {
        switch tree.tag(node) {
        case .button: return .button
        case .textarea: return .textArea(columns: count(node, "cols") ?? 20, rows: count(node, "rows") ?? 2)
        case .select: return tree.isListBox(node) ? .listBox(rows: tree.rows(ofSelect: node)) : .menu(selected: -1)
        case .progress: return .progress(Self.share(ofGauge: node, in: tree))
        case .meter: return meter(node)
        case .input: return inputKind(of: node)
        default: return nil
        }
    }

    private func inputKind(of node: NodeID) -> FormControl.Kind? {
        let type = tree.inputType(node)
        switch type {
        case .hidden, .image: return nil
        case .checkbox: return .checkBox(isOn: tree.hasAttribute(node, "checked"))
        case .radio: return .radioButton(isOn: tree.hasAttribute(node, "checked"))
        case .submit, .reset, .button: return .button
        case .file: return .file
        case .color: return .color(tree.attribute(node, "value").flatMap { Color(css: $0) } ?? .black)
        case .range:
            let least = number(node, "min") ?? 0
            let most = max(least, number(node, "max") ?? 100)
            let value = min(most, max(least, number(node, "value") ?? (least + most) / 2))
            return .range(most > least ? (value - least) / (most - least) : 0)
        case .number: return .textField(size: numberLength(node) ?? 20)
        case .text, .search, .url, .tel, .email, .password: return .textField(size: count(node, "size") ?? 20)
        case .date, .month, .week, .time, .localDateTime:
            let parts = FormControl.dateParts(type, tree.attribute(node, "value") ?? "")
            return .dateField(parts: parts, picker: type == .time ? .clock : .calendar)
        }
    }

    /// The number of characters in the longest value of a number's field; nil if its range or its step is open.
    private func numberLength(_ node: NodeID) -> Int? {
        let written = ["min", "max", "step"].map { tree.attribute(node, $0) ?? ($0 == "step" ? "1" : "") }
        guard written.allSatisfy({ Float($0)?.isFinite == true && $0.utf8.count <= 100 }) else { return nil }
        let parts = written.map { $0.split(separator: ".", omittingEmptySubsequences: false) }
        let digits = parts.map { $0[0].count }.max() ?? 0
        let decimals = parts.map { $0.count > 1 ? $0[1].count : 0 }.max() ?? 0
        return digits + (decimals > 0 ? decimals + 1 : 0)
    }

    /// Levels by HTML §4.10.14: in the optimum region, next to it, and beyond.
    private func meter(_ node: NodeID) -> FormControl.Kind {
        let least = number(node, "min") ?? 0
        let most = max(least, number(node, "max") ?? 1)
        func bounded(_ value: Float, _ from: Float) -> Float { min(most, max(from, value)) }
        let value = bounded(number(node, "value") ?? 0, least)
        let low = bounded(number(node, "low") ?? least, least)
        let high = bounded(number(node, "high") ?? most, low)
        let optimum = bounded(number(node, "optimum") ?? (least + most) / 2, least)
        func region(_ number: Float) -> Int { number < low ? 0 : number > high ? 2 : 1 }
        let distance = abs(region(value) - region(optimum))
        let level: FormControl.MeterLevel = distance == 0 ? .optimum : distance == 1 ? .suboptimum : .worst
        return .meter(Self.share(ofGauge: node, in: tree) ?? 0, level)
    }

    /// The full part of a `progress` or `meter`, from 0 to 1; nil for a `progress` without a value.
    package static func share(ofGauge node: NodeID, in tree: MarkupTree) -> Float? {
        let isMeter = tree.tag(node) == .meter
        guard let value = number(node, "value", in: tree) ?? (isMeter ? 0 : nil) else { return nil }
        let least = isMeter ? number(node, "min", in: tree) ?? 0 : 0
        let most = number(node, "max", in: tree).flatMap { isMeter || $0 > 0 ? $0 : nil } ?? 1
        return most > least ? min(1, max(0, (value - least) / (most - least))) : 0
    }

    private static func number(_ node: NodeID, _ name: String, in tree: MarkupTree) -> Float? {
        tree.attribute(node, name).flatMap { Float($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    private func number(_ node: NodeID, _ name: String) -> Float? { Self.number(node, name, in: tree) }

    private func count(_ node: NodeID, _ name: String) -> Int? {
        tree.attribute(node, name).flatMap { Int($0) }.flatMap { $0 > 0 ? min($0, 10_000) : nil }
    }

    /// Generates a control that is not laid out like other elements.
    mutating func appendControl(_ control: FormControl, _ node: NodeID, style id: StyleID, parent: Int, depth: Int) {
        pending = PendingFirst()
        let id = nativeStyle(id, control)
        let box = openBox(.block, style: id, element: node, parent: parent)
        let number = note(control, of: box)
        let contents = tree.contents(node)
        switch control.kind {
        case .file: appendFileChooser(node, style: id, to: box)
        case .dateField(let parts, _): appendDate(parts, of: node, style: id, to: box)
        case .button, .textField:
            if tree.tag(node) == .input {
                appendValue(of: node, style: id, to: box)
            } else {
                fill(box, contents, of: node, depth: depth)
            }
        case .textArea:
            fill(box, contents, of: node, depth: depth)
            if !text.boxes[box].holdsInlines { appendValue(of: node, style: id, to: box) }
        case .menu: text.controls[number].kind = .menu(selected: appendOptions(of: node, control, style: id, to: box))
        case .listBox: fill(box, contents, of: node, depth: depth)
        case .range(let share): if !control.isNative { appendSlider(share, of: node, to: box) }
        case .progress(let share): if !control.isNative { appendBar(share ?? 0, of: node, to: box) }
        case .meter(let share, _): if !control.isNative { appendBar(share, of: node, to: box) }
        case .checkBox, .radioButton, .color: break
        }
        closeBox(box)
    }

    /// Makes a box that of a control. Returns the control's number.
    @discardableResult mutating func note(_ control: FormControl, of box: Int) -> Int {
        text.boxes[box].control = text.controls.count
        text.controls.append(control)
        return text.boxes[box].control
    }

    /// The style of a control that browsers draw, without the borders, padding and line heights of the author that they ignore.
    private mutating func nativeStyle(_ id: StyleID, _ control: FormControl) -> StyleID {
        guard control.isNative else { return id }
        let style = text.styles[id]
        switch control.kind {
        case .checkBox, .radioButton:
            guard style.box.border != Sides(BorderSide()) || style.box.padding != Sides(.zero) else { return id }
            return variant(of: id, .withoutFrame) { _, _, box in
                (box.border, box.padding) = (Sides(BorderSide()), Sides(.zero))
            }
        case .button where !control.isInput || !control.isUntouched(style): return id
        case .menu, .button:
            guard style.text.lineHeight != .normal else { return id }
            return variant(of: id, .withoutLineHeight) { _, words, _ in words.lineHeight = .normal }
        case .file, .textField, .dateField, .textArea, .listBox, .range, .progress, .meter, .color: return id
        }
    }

    /// The style of a part: that of rules, or a block with a colour.
    private func partStyle(_ part: PseudoBox, of node: NodeID, _ color: Color) -> ComputedStyle {
        if let id = styled.pseudoStyle(of: node, part) { return text.styles[id] }
        var box = BoxStyle()
        box.display = .block
        box.backgroundColor = color
        if part != .thumb { box.height = .length(LengthPercentage(fraction: 1)) }
        return ComputedStyle(styled.computed(node), box: box)
    }

    mutating func openPart(
        _ style: ComputedStyle, _ box: BoxStyle, of node: NodeID, in parent: Int, kind: StyledBox.Kind = .block,
        isAnonymous: Bool = false
    ) -> Int {
        let style = text.styles.append(ComputedStyle(style, box: box))
        return openBox(kind, style: style, element: node, parent: parent, isAnonymous: isAnonymous)
    }

    private mutating func appendBar(_ share: Float, of node: NodeID, to box: Int) {
        let isMeter = tree.tag(node) == .meter
        let track = partStyle(.track, of: node, Color(rgb: isMeter ? 0xD4D4D4 : 0x808080))
        let bar = partStyle(.bar, of: node, Color(rgb: isMeter ? 0x92BF56 : 0x008000))
        let outer = openPart(track, track.box, of: node, in: box)
        var inner = bar.box
        inner.width = .length(LengthPercentage(fraction: share))
        closeBox(openPart(bar, inner, of: node, in: outer))
        closeBox(outer)
    }

    /// Appends the track of a range with the thumb inside, whose middle is at the value.
    private mutating func appendSlider(_ share: Float, of node: NodeID, to box: Int) {
        let track = partStyle(.track, of: node, .transparent)
        let thumb = partStyle(.thumb, of: node, .transparent)
        var outer = track.box
        if outer.height == .length(LengthPercentage(fraction: 1)) { outer.height = .auto }
        // In browsers the track is a flex item, out of which the margins of the thumb do not collapse.
        if outer.display == .block { outer.display = .flowRoot }
        let trackBox = openPart(track, outer, of: node, in: box)
        var inner = thumb.box
        if inner.isNative || styled.pseudoStyle(of: node, .thumb) == nil {
            let side = SizeValue.length(LengthPercentage(px: 16))
            (inner.width, inner.height) = (side, side)
            inner.backgroundColor = thumb.text.accent ?? Color(red: 0, green: 0x75, blue: 0xFF)
            let radius = CornerRadius(x: LengthPercentage(px: 8), y: LengthPercentage(px: 8))
            inner.cornerRadii = Array(repeating: radius, count: 4)
        }
        let width: Float = if case .length(let length) = inner.width { length.px } else { 0 }
        inner.margin.left = LengthPercentage(px: -share * width, fraction: share)
        closeBox(openPart(thumb, inner, of: node, in: trackBox))
        closeBox(trackBox)
    }

    /// Appends the shown option, and below it all others without height, which count for the width. Returns the shown one's box.
    private mutating func appendOptions(of node: NodeID, _ control: FormControl, style id: StyleID, to box: Int) -> Int
    {
        let options = tree.options(ofSelect: node)
        let shown = tree.shownOption(options)
        let visible = optionStyle(id, isShown: true, isNative: control.isNative)
        let chosen = text.boxes.count
        appendOption(shown ?? node, shown.map { tree.label(ofOption: $0) } ?? "", style: visible, to: box)
        let hidden = optionStyle(id, isShown: false, isNative: control.isNative)
        for option in options {
            let isGrouped = tree.parent(option).map { tree.tag($0) == .optgroup } == true
            guard option != shown || isGrouped else { continue }
            let indent = isGrouped ? "\u{A0}\u{A0}\u{A0}\u{A0}" : ""
            appendOption(option, indent + tree.label(ofOption: option), style: hidden, to: box)
        }
        return chosen
    }

    mutating func appendOption(_ option: NodeID, _ label: String, style: StyleID, to box: Int) {
        let inner = openBox(.block, style: style, element: option, parent: box)
        fill(inner, with: label, style: style)
        closeBox(inner)
    }

    private mutating func fill(_ box: Int, with string: String, style: StyleID) {
        var inline = InlineBuilder()
        inline.append(generated: string, style: style, element: text.boxes[box].element, to: &text)
        finish(&inline, in: box)
    }

    /// The style of a menu's option: that of the menu, with space for the arrow at its end.
    private mutating func optionStyle(_ id: StyleID, isShown: Bool, isNative: Bool) -> StyleID {
        let menu = text.styles[id].box
        return generatedStyle(of: id, .flowRoot, isShown ? "option" : "hidden option") { _, text, box in
            box.decorations = []
            let (isVertical, zoom) = (text.writingMode.isVertical, menu.zoom)
            // Text is clipped before the arrow.
            if isVertical { box.overflowY = .clip } else { box.overflowX = .clip }
            box.textOverflow = menu.textOverflow
            if isNative {
                var space = Sides<Float>(top: zoom, right: 16 * max(1, zoom), bottom: zoom, left: 4 * zoom)
                if text.direction == .rtl { swap(&space.left, &space.right) }
                let page = text.writingMode.page(space.map { LengthPercentage(px: $0) })
                if isVertical {
                    (box.margin.top, box.margin.bottom) = (page.top, page.bottom)
                    (box.padding.left, box.padding.right) = (page.left, page.right)
                } else {
                    (box.margin.left, box.margin.right) = (page.left, page.right)
                    (box.padding.top, box.padding.bottom) = (page.top, page.bottom)
                }
            }
            guard !isShown else { return }
            if isVertical {
                (box.width, box.padding.left, box.padding.right) = (.length(.zero), .zero, .zero)
            } else {
                (box.height, box.padding.top, box.padding.bottom) = (.length(.zero), .zero, .zero)
            }
            text.visibility = .hidden
        }
    }

    /// Appends the value of a text field or the label of a button; the placeholder of a field without value.
    private mutating func appendValue(of node: NodeID, style id: StyleID, to box: Int) {
        let isInput = tree.tag(node) == .input
        let type = isInput ? tree.inputType(node) : .text
        let isButton = type == .submit || type == .reset || type == .button
        let value = isInput ? tree.attribute(node, "value") : nil
        var string = value ?? (type == .submit ? "Submit" : type == .reset ? "Reset" : "")
        var style = id
        if string.isEmpty, !isButton, let placeholder = tree.attribute(node, "placeholder"), !placeholder.isEmpty {
            if let style = styled.pseudoStyle(of: node, .placeholder) {
                return appendOption(node, placeholder, style: style, to: box)
            }
            string = placeholder
            style = generatedStyle(of: id, .inline, "placeholder") { _, text, box in
                (text.color, box.decorations) = (Color(red: 0x75, green: 0x75, blue: 0x75), [])
            }
        } else if type == .password {
            string = String(repeating: "\u{2022}", count: min(string.count, 10_000))
        }
        if !string.isEmpty { fill(box, with: string, style: style) }
    }

    /// Appends the text of a field for a date or time; each of its numbers and words has space for a selection around it.
    private mutating func appendDate(_ parts: [FormControl.DatePart], of node: NodeID, style id: StyleID, to box: Int) {
        let part = generatedStyle(of: id, .inline, "part") { _, _, box in
            (box.padding.left, box.padding.right) = (LengthPercentage(px: 1), LengthPercentage(px: 1))
        }
        var inline = InlineBuilder()
        for shown in parts {
            let isFixed = shown.others.isEmpty
            if !isFixed { inline.openInline(style: part, element: node) }
            inline.append(generated: shown.text, style: isFixed ? id : part, element: node, to: &text)
            if !isFixed { inline.closeInline() }
        }
        finish(&inline, in: box)
    }

    private mutating func fileButtonStyle(of node: NodeID, in id: StyleID) -> StyleID {
        if let style = styled.pseudoStyle(of: node, .fileButton) { return style }
        let grey = text.styles[id].grey(0xEF, 0x6B)
        return generatedStyle(of: id, .inlineBlock, "button") { font, words, style in
            font.families = [.named("Arial")]
            words.lineHeight = .normal
            style.decorations = []
            style.sizesBorderBox = true
            style.backgroundColor = grey
            style.border = Sides(BorderSide(width: 2, style: .outset))
            style.padding = Sides(LengthPercentage(px: 1))
            (style.padding.left, style.padding.right) = (LengthPercentage(px: 6), LengthPercentage(px: 6))
            let margin = LengthPercentage(px: 4)
            if words.direction == .rtl { style.margin.left = margin } else { style.margin.right = margin }
        }
    }

    /// Appends a button for choosing a file, and the text that none is chosen.
    private mutating func appendFileChooser(_ node: NodeID, style id: StyleID, to box: Int) {
        let button = fileButtonStyle(of: node, in: id)
        var inline = InlineBuilder()
        let inner = text.boxes.count
        inline.appendAtomic(inner, element: node, style: button, to: &text)
        appendOption(node, tree.hasAttribute(node, "multiple") ? "Choose Files" : "Choose File", style: button, to: box)
        note(FormControl(kind: .button), of: inner)
        inline.append(generated: "No file chosen", style: id, element: node, to: &text)
        finish(&inline, in: box)
    }
}
