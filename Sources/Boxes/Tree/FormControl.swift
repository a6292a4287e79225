// Form controls: the contents of their boxes besides CSS, and their automatic sizes (HTML §15.5).

import FancyTextCSS
import FancyTextMarkup

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

    package init(kind: Kind, isNative: Bool = true) { (self.kind, self.isNative) = (kind, isNative) }

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
        let frame =
            switch kind {
            case .button, .color: style.grey(0, 0xFF)
            default: style.grey(0x76, 0x85)
            }
        guard isDisabled || border.top.color == frame else { return false }
        func has(_ line: BorderLineStyle, _ width: Float, _ background: Color) -> Bool {
            border.top.style == line && border.top.width == width * style.box.zoom
                && style.box.backgroundColor == background && style.box.backgroundLayers.isEmpty
        }
        switch kind {
        case .textField, .dateField:
            return has(.inset, 2, isDisabled ? style.grey(0xFA, 0x3B) : style.grey(0xFF, 0x3B))
        case .button: return has(.outset, 2, style.grey(0xEF, 0x6B))
        case .menu: return has(.solid, 1, style.grey(0xEF, 0x6B))
        case .listBox, .textArea, .color: return border.top.style == .solid && border.top.width == style.box.zoom
        case .file, .checkBox, .radioButton, .range, .progress, .meter: return false
        }
    }

    // MARK: Dates and times (HTML §4.10.5.1.7–4.10.5.1.11), as Chromium shows them in English

    /// The parts of a field with a value; placeholders without one.
    package static func dateParts(_ type: InputType, _ value: String) -> [DatePart] {
        let values = value.split { $0 == "-" || $0 == "T" || $0 == ":" || $0 == " " }.map(String.init)
        switch type {
        case .time: return time(values[...])
        case .localDateTime: return date(values) + [DatePart(text: ", ")] + time(values.dropFirst(3))
        case .month:
            let month = values.count == 2 ? Int(values[1]).flatMap { (1...12).contains($0) ? $0 : nil } : nil
            let dashes = "---------"
            return [
                DatePart(text: month.map { months[$0 - 1] } ?? dashes, others: months + [dashes]), DatePart(text: " "),
                DatePart(text: month == nil ? "----" : values[0], others: ["----", lastYear]),
            ]
        case .week:
            let isKnown = values.count == 2
            return [
                DatePart(text: "Week "),
                DatePart(text: isKnown ? String(values[1].dropFirst()) : "--", others: ["--", "53"]),
                DatePart(text: ", "), DatePart(text: isKnown ? values[0] : "----", others: ["----", lastYear]),
            ]
        default: return date(values)
        }
    }

    /// The last year of a date in browsers.
    private static let lastYear = "275760"

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private static func date(_ values: [String]) -> [DatePart] {
        let isKnown = values.count >= 3
        return [
            DatePart(text: isKnown ? values[1] : "mm", others: ["mm", "12"]), DatePart(text: "/"),
            DatePart(text: isKnown ? values[2] : "dd", others: ["dd", "31"]), DatePart(text: "/"),
            DatePart(text: isKnown ? values[0] : "yyyy", others: ["yyyy", lastYear]),
        ]
    }

    private static func time(_ values: ArraySlice<String>) -> [DatePart] {
        var shown = ["--", "--", "--"]
        if values.count >= 2, let hour = Int(values[values.startIndex]) {
            let number = hour % 12 == 0 ? 12 : hour % 12
            shown = [(number < 10 ? "0" : "") + "\(number)", values[values.startIndex + 1], hour < 12 ? "AM" : "PM"]
        }
        return [
            DatePart(text: shown[0], others: ["--", "12"]), DatePart(text: ":"),
            DatePart(text: shown[1], others: ["--", "59"]), DatePart(text: "\u{202F}"),
            DatePart(text: shown[2], others: ["--", "AM", "PM"]),
        ]
    }
}

extension ComputedStyle {
    package func grey(_ light: UInt8, _ dark: UInt8) -> Color {
        let value = isDark ? dark : light
        return Color(red: value, green: value, blue: value)
    }
}
