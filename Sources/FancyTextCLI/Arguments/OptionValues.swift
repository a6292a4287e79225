// Checks and converts the text of options to values.
// In: an option with its text. Out: a number, choice or length, or an error that names the allowed values.

import ArgumentParser
import FancyText

extension ValidationError {
    init(value: String, of option: String, _ expected: String) {
        self.init("The value '\(value)' is invalid for '\(option)': \(expected).")
    }
}

extension CommandOption {
    var text: String? { values.last }

    /// Converts the option's text; nil if the option is not given. If `read` returns nil, the error names the expected values.
    func value<Value>(_ expected: @autoclosure () -> String, _ read: (String) -> Value?) throws -> Value? {
        guard let text else { return nil }
        guard let value = read(text) else { throw ValidationError(value: text, of: writtenName, expected()) }
        return value
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type = Choice.self) throws -> Choice? {
        try value("choose one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))", Choice.init)
    }

    /// The end of a message about a number with a unit, such as `5s` or `10k`.
    private var unitNote: String {
        text?.first?.isNumber == true && text?.last?.isLetter == true ? ", without a unit" : ""
    }

    func number(in range: ClosedRange<Double>) throws -> Double? {
        try value("it must be a number \(Self.describe(range))\(unitNote)") {
            Double($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A whole number, which counts `unit` in messages.
    func integer(in range: ClosedRange<Int>, of unit: String = "") throws -> Int? {
        let bounds = Double(range.lowerBound)...Double(range.upperBound)
        let kind = unit.isEmpty ? "a whole number" : "a whole number of \(unit),"
        return try value("it must be \(kind) \(Self.describe(bounds))\(unitNote)") {
            Int($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A length in CSS pixels: a number, or a number with an absolute CSS unit.
    func length(in range: ClosedRange<Double>) throws -> Double? {
        try value("it must be a number of pixels \(Self.describe(range)), or a length such as 10px, 12pt or 1.5cm") {
            AbsoluteLength.pixels($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A length in CSS pixels above 0, or `auto`.
    var extent: RenderOptions.Extent? {
        get throws {
            let form = "a number of pixels above 0 and up to 1000000, a length such as 600px, 4in or 10cm, or auto"
            return try value("it must be \(form)") { text in
                if text == "auto" { return .auto }
                guard let length = AbsoluteLength.pixels(text), length > 0, length <= 1_000_000 else { return nil }
                return .pixels(Float(length))
            }
        }
    }

    /// The width of terminal text in cells; `nil` for `auto`.
    var columns: Int? {
        get throws {
            if text == "auto" { return nil }
            let others = "lengths such as 4in are for pictures, whose pixels for each inch --dpi sets"
            return try value("it must be a number of terminal cells, or auto; \(others)") { text in
                Double(text).flatMap { $0 > 0 && $0 <= 1_000_000 ? max(1, Int($0)) : nil }
            }
        }
    }

    /// A URL that relative ones can be resolved against.
    var baseURL: String? {
        get throws {
            try value("it must be a URL with a scheme and a host, as in https://example.com/") { text in
                let scheme = text.prefix { $0 != ":" }
                let isNamed =
                    scheme.first?.isLetter == true
                    && scheme.allSatisfy { $0.isASCII && ($0.isLetter || "+-.".contains($0) || $0.isNumber) }
                let rest = text.dropFirst(scheme.count + 1)
                let hasHost =
                    !rest.hasPrefix("//") || scheme.lowercased() == "file" || rest.count > 2 && !rest.hasPrefix("///")
                return isNamed && !rest.isEmpty && hasHost ? text : nil
            }
        }
    }

    var color: Color? {
        get throws { try value("it is not a CSS colour, such as red or #1e3a8a") { Color(css: $0) } }
    }

    /// A format by its name, or by a file ending such as `jpg`.
    func format<Format: RawRepresentable<String> & CaseIterable>(_ type: Format.Type) throws -> Format? {
        let named = text.flatMap { FileEnding.format(ofEnding: $0.lowercased()) }
        return try named.flatMap { Format(rawValue: $0.rawValue) } ?? choice(type)
    }

    private static func describe(_ range: ClosedRange<Double>) -> String {
        func number(_ value: Double) -> String {
            value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
        }
        let (least, most) = (number(range.lowerBound), number(range.upperBound))
        return range.upperBound >= 1e9 && range.lowerBound > -1e9 ? "of at least \(least)" : "from \(least) to \(most)"
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// `png|ansi|json`, for help.
    static var listed: String { allCases.map(\.rawValue).joined(separator: "|") }
}
