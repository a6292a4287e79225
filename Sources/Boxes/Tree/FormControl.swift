// Form controls: the contents of their boxes besides CSS, and their automatic sizes (HTML §15.5).

import FancyTextStyling

package struct FormControl: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case button
        /// One line, `size` average characters wide; nil fits it to its text.
        case textField(size: Int?)
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
    package enum Picker: UInt8, Sendable { case calendar, clock }

    package var kind: Kind
    package var picker: Picker?
    package var isDisabled = false
    /// True if the control looks as browsers draw it, false if the page draws its parts.
    package var isNative = true
    /// True if the width has space for the buttons of a number (as in Chromium, only if the number's length is known).
    package var hasSpinButtons = false

    /// The height of the contents in lines, if `height` is automatic; nil if the contents decide.
    package var lines: Int? {
        switch kind {
        case .textField: 1
        case .textArea(_, let rows): rows
        case .button, .menu, .listBox, .checkBox, .radioButton, .range, .progress, .meter, .color: nil
        }
    }

    /// True if the contents are centred vertically.
    package var centersContents: Bool {
        switch kind {
        case .button, .textField, .menu: true
        case .range: !isNative
        case .textArea, .listBox, .checkBox, .radioButton, .progress, .meter, .color: false
        }
    }

    /// True for check boxes and radio buttons.
    package var isMark: Bool {
        switch kind {
        case .checkBox, .radioButton: true
        case .button, .textField, .textArea, .menu, .listBox, .range, .progress, .meter, .color: false
        }
    }

    /// True for controls drawn as a symbol in place of contents.
    package var isSymbol: Bool {
        switch kind {
        case .checkBox, .radioButton, .range, .progress, .meter, .color: true
        case .button, .textField, .textArea, .menu, .listBox: false
        }
    }
}
