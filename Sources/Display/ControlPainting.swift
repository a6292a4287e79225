// Form controls, painted as browsers do if their borders are the default ones.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextLayout
import FancyTextPainting

extension DisplayListBuilder {
    /// The colours of controls on light or dark pages, as in Chromium.
    private struct Look {
        var frame, accent, track, disabled, trackFrame, field: Color
        let zoom: Float

        /// - Parameter showsAccent: True if the accent decides between light and dark, for enough contrast.
        init(_ style: ComputedStyle, showsAccent: Bool) {
            zoom = style.box.zoom
            let isDark = showsAccent ? style.text.accent?.isLight ?? style.isDark : style.isDark
            func grey(_ light: UInt32, _ dark: UInt32) -> Color { Color(rgb: (isDark ? dark : light) * 0x010101) }
            accent = style.text.accent ?? Color(rgb: isDark ? 0x99C8FF : 0x0075FF)
            (frame, track, field) = (grey(0x76, 0x85), grey(0xEF, 0x3B), grey(0xFF, 0x3B))
            (disabled, trackFrame) = (grey(0xCB, 0x75), grey(0xB2, 0x54))
        }
    }

    func control(of fragment: BoxFragment) -> FormControl? {
        guard text.boxes.indices.contains(fragment.box) else { return nil }
        let index = text.boxes[fragment.box].control
        return index >= 0 ? text.controls[index] : nil
    }

    /// The style with the borders of an unstyled control: a pixel wide, with small corners; `nil` if the page changed them.
    func nativeStyle(_ control: FormControl, _ style: ComputedStyle) -> ComputedStyle? {
        let look = Look(style, showsAccent: false)
        guard control.isUntouched(style), style.box.cornerRadii.allSatisfy({ $0 == CornerRadius() }) else { return nil }
        var box = style.box
        var side = style.box.border.top
        (side.style, side.width) = (.solid, box.zoom)
        if case .button = control.kind { side.color = control.isDisabled ? side.color : look.frame }
        if case .color = control.kind { side.color = look.frame }
        if case .menu = control.kind { box.backgroundColor = look.field }
        box.border = Sides(side)
        var radius = CornerRadius()
        (radius.x, radius.y) = (LengthPercentage(px: 2 * box.zoom), LengthPercentage(px: 2 * box.zoom))
        box.cornerRadii = [radius, radius, radius, radius]
        return ComputedStyle(style, box: box)
    }

    /// Paints a control's own content in place of or over the box's content; `axes` are those of its contents and bar.
    mutating func paintControl(_ control: FormControl, _ style: ComputedStyle, rect: Rect, _ axes: WritingMode) {
        func faded(_ color: Color) -> Color {
            control.isDisabled ? Color(red: color.red, green: color.green, blue: color.blue, alpha: 0x4D) : color
        }
        var showsAccent = false
        switch control.kind {
        // These are parts of their own in browsers.
        case .color, .dateField: break
        case .button, .file, .textField, .textArea, .listBox: guard control.isNative else { return }
        case .checkBox(let isOn), .radioButton(let isOn): showsAccent = isOn
        case .range, .progress:
            showsAccent = true
            fallthrough
        case .meter, .menu:
            guard control.isNative else { return }
            let (line, isMirrored) = (axes.alongLine(rect), style.text.direction == .rtl)
            guard axes.isVertical || isMirrored else { break }
            var (turn, words) = (axes.pageTransform ?? Transform(), style.text)
            if isMirrored { turn = turn.after(Transform(scaleX: -1, x: line.x + line.maxX)) }
            words.direction = .ltr
            add(.pushTransform(turn))
            paintControl(control, ComputedStyle(style, text: words), rect: line, .horizontalTB)
            return add(.pop)
        }
        var look = Look(style, showsAccent: showsAccent && !control.isDisabled)
        let zoom = look.zoom
        if control.isDisabled { look.accent = look.disabled }
        switch control.kind {
        case .button, .file, .textField, .textArea, .listBox: break
        case .dateField(_, let picker): if !control.isDisabled, !axes.isVertical { paint(picker, style, rect) }
        case .menu:
            let side = 4 * max(1, zoom)
            let (x, y) = (rect.maxX - 3 * side, rect.y + (rect.height - side) / 2)
            stroke([(x, y), (x + side, y + side), (x + 2 * side, y)], faded(style.text.color), width: 2)
        case .checkBox(let isOn):
            let shape = rounded(rect, 2.5 * zoom)
            add(.fill(shape, .color(isOn ? look.accent : look.field)))
            guard isOn else { return outline(shape, faded(look.frame), zoom) }
            let (w, h) = (rect.width / 13, rect.height / 13)
            func place(_ x: Float, _ y: Float) -> (Float, Float) { (rect.x + x * w, rect.y + y * h) }
            stroke([place(3, 6.7), place(5.4, 9.2), place(10.2, 3.6)], look.field, width: 2 * w)
        case .radioButton(let isOn):
            let shape = rounded(rect, rect.width / 2)
            add(.fill(shape, .color(look.field)))
            outline(shape, isOn ? look.accent : faded(look.frame), zoom)
            guard isOn else { return }
            let dot = RoundedRect(rect: rect).inset(by: Sides(rect.width * 0.2)).rect
            add(.fill(rounded(dot, dot.width / 2), .color(look.accent)))
        case .range(let share):
            let (thumb, height) = (16 * zoom, min(8 * zoom, rect.height))
            let bar = Rect(x: rect.x, y: rect.y + (rect.height - height) / 2, width: rect.width, height: height)
            let x = rect.x + (rect.width - thumb) * share
            paintBar(bar, to: x + thumb / 2, look.accent, look)
            let knob = Rect(x: x, y: rect.y + (rect.height - thumb) / 2, width: thumb, height: thumb)
            add(.fill(rounded(knob, thumb / 2), .color(look.accent)))
        case .progress(let share):
            // A bar without a value is animated in browsers, and begins so.
            let bar = rect.insetBy(left: 0, top: rect.height / 4, right: 0, bottom: rect.height / 4)
            paintBar(bar, to: bar.x + bar.width * (share ?? 0.2), look.accent, look)
        case .meter(let share, let level):
            let bar = rect.insetBy(left: 0, top: rect.height * 0.28, right: 0, bottom: rect.height * 0.28)
            let color =
                switch level {
                case .optimum: Color(rgb: style.isDark ? 0x74B374 : 0x107C10)
                case .suboptimum: Color(rgb: style.isDark ? 0xF2C812 : 0xFFB900)
                case .worst: Color(rgb: style.isDark ? 0xE98F6D : 0xD83B01)
                }
            paintBar(bar, to: bar.x + bar.width * share, color, look)
        case .color(let color):
            let (border, padding) = (style.box.border, style.box.padding)
            let well = rect.insetBy(
                left: border.left.width + padding.left.px + 2, top: border.top.width + padding.top.px + 4,
                right: border.right.width + padding.right.px + 2, bottom: border.bottom.width + padding.bottom.px + 4)
            guard well.width > 0, well.height > 0 else { return }
            add(.fill(RoundedRect(rect: well), .color(color)))
            outline(RoundedRect(rect: well), Color(red: 0x77, green: 0x77, blue: 0x77), zoom)
        }
    }

    private mutating func paint(_ picker: FormControl.Picker, _ style: ComputedStyle, _ field: Rect) {
        let (em, color) = (style.font.size, style.text.color)
        let end = field.maxX - style.box.border.right.width - style.box.padding.right.px
        let middle = field.y + field.height / 2
        switch picker {
        case .calendar:
            func part(_ x: Float, _ y: Float, _ width: Float, _ height: Float) -> Rect {
                Rect(x: end - 2 - em + x * em, y: middle + y * em, width: width * em, height: height * em)
            }
            add(.fill(rounded(part(0.125, -0.375, 0.75, 0.2), em / 24), .color(color)))
            for x: Float in [0.25, 0.67] { add(.fill(rounded(part(x, -0.46, 0.08, 0.1), em / 24), .color(color))) }
            let page = rounded(part(0.125, -0.375, 0.75, 0.75), em / 12)
            add(.border(BorderItem(line: color, around: page, width: em / 12)))
        case .clock:
            let (x, radius) = (end - 3 - 0.525 * em, 0.435 * em)
            let face = Rect(x: x - radius, y: middle - radius, width: 2 * radius, height: 2 * radius)
            add(.border(BorderItem(line: color, around: rounded(face, radius), width: em / 12)))
            let hands = [(x, middle - 0.22 * em), (x, middle + 0.04 * em), (x + 0.21 * em, middle + 0.16 * em)]
            stroke(hands, color, width: em / 14)
        }
    }

    private mutating func paintBar(_ bar: Rect, to x: Float, _ color: Color, _ look: Look) {
        let shape = rounded(bar, bar.height / 2)
        add(.fill(shape, .color(look.track)))
        outline(shape, look.trackFrame, look.zoom)
        guard x > bar.x else { return }
        add(.pushClip(shape))
        add(.fill(RoundedRect(rect: Rect(x: bar.x, y: bar.y, width: x - bar.x, height: bar.height)), .color(color)))
        add(.pop)
    }

    private func rounded(_ rect: Rect, _ radius: Float) -> RoundedRect {
        RoundedRect(rect: rect, radii: CornerRadii(all: radius))
    }

    private mutating func outline(_ shape: RoundedRect, _ color: Color, _ width: Float) {
        add(.border(BorderItem(line: color, around: shape, width: width)))
    }

    private mutating func stroke(_ points: [(x: Float, y: Float)], _ color: Color, width: Float) {
        add(.strokePath(Path(line: points.map { Point(x: $0.x, y: $0.y) }), color, width: width))
    }
}
