// Form controls: the contents of their boxes besides CSS, and their automatic sizes (HTML §15.5).

import FancyTextStyling

package struct FormControl: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case button
        /// A button for choosing a file, and the name of the chosen file.
        case file
        /// One line, `size` average characters wide; nil fits it to its text.
        case textField(size: Int?)
        /// One line of parts, each as wide as its widest text, and a symbol at its end.
        case dateField(parts: [DatePart], picker: Picker)
        /// Without numbers it fits its text.
        case textArea(columns: Int?, rows: Int?)
        /// A `select` that shows one option; `selected` is its box, −1 for none.
        case menu(selected: Int)
        case listBox(rows: Int)
        case checkBox(isOn: Bool)
        case radioButton(isOn: Bool)
        /// The value's position in its range, 0…1.
        case range(Float)
        /// The progress, 0…1; nil if it is unknown.
        case progress(Float?)
        case meter(Float, MeterLevel)
        case color(Color)
    }

    /// The quality of a meter's value (HTML §4.10.14).
    package enum MeterLevel: UInt8, Hashable, Sendable { case optimum, suboptimum, worst }

    /// The symbol of a field for a date or time.
    package enum Picker: UInt8, Hashable, Sendable { case calendar, clock }

    /// A part of a field for a date or time: a word or number that can be changed, or the text between two.
    package struct DatePart: Hashable, Sendable {
        package var text: String
        /// The other texts that the field can show here; empty for the text between.
        package var others: [String] = []
    }

    package var kind: Kind
    package var isDisabled = false
    /// True if the control looks as browsers draw it, false if the page draws its parts.
    package var isNative = true
    /// True if the width has space for the buttons of a number (as in Chromium, only if the number's length is known).
    package var hasSpinButtons = false
    /// True for `<input type=submit>` and the like, which are one line high without a label.
    package var isInput = false

    /// The height of the contents in lines, if `height` is automatic; nil if the contents decide.
    package var lines: Int? {
        switch kind {
        case .textField: 1
        case .textArea(_, let rows): rows
        case .button, .file, .dateField, .menu, .listBox, .checkBox, .radioButton, .range, .progress, .meter, .color:
            nil
        }
    }

    /// Returns whether the author has left a control's border and background as browsers draw them.
    package func isUntouched(_ style: ComputedStyle) -> Bool {
        let border = style.box.border
        guard isNative, border == Sides(border.top) else { return false }
        func has(_ line: BorderLineStyle, _ width: Float, _ background: Color) -> Bool {
            border.top.style == line && border.top.width == width && style.box.backgroundColor == background
                && style.box.backgroundLayers.isEmpty
        }
        func grey(_ light: UInt8, _ dark: UInt8) -> Color {
            let value = style.isDark ? dark : light
            return Color(red: value, green: value, blue: value)
        }
        switch kind {
        case .textField, .dateField: return has(.inset, 2, isDisabled ? grey(0xFA, 0xFA) : grey(0xFF, 0x3B))
        case .button: return has(.outset, 2, grey(0xEF, 0x6B))
        case .menu: return has(.solid, 1, grey(0xEF, 0x6B))
        case .listBox, .textArea, .color: return border.top.style == .solid && border.top.width == 1
        case .file, .checkBox, .radioButton, .range, .progress, .meter: return false
        }
    }
}
