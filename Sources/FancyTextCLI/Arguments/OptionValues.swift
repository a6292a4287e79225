// Checks and converts the text of options to values.

import ArgumentParser
import FancyText
import FancyTextStyling

extension CommandOption {
    var text: String? { values.last }

    /// One of an enumeration's raw values.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ type: Choice.Type = Choice.self
    ) throws -> Choice? where Choice.RawValue == String {
        guard let text else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("The value '\(text)' is invalid for '\(writtenName)': choose one of \(choices).")
    }

    func number(in range: ClosedRange<Double>) throws -> Double? {
        guard let text else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw ValidationError(
                "The value '\(text)' is invalid for '\(writtenName)': it must be a number \(Self.describe(range)).")
        }
        return number
    }

    /// A length in CSS pixels: a number, or a number with an absolute CSS unit.
    func length(in range: ClosedRange<Double>) throws -> Double? {
        guard let text else { return nil }
        guard let length = AbsoluteLength.pixels(text), range.contains(length) else {
            throw ValidationError(
                "The value '\(text)' is invalid for '\(writtenName)': it must be a number of pixels \(Self.describe(range)), or a "
                    + "length such as 10px, 12pt or 1.5cm.")
        }
        return length
    }

    /// A length in CSS pixels above 0, or `auto`.
    var extent: RenderOptions.Extent? {
        get throws {
            guard let text else { return nil }
            if text == "auto" { return .auto }
            guard let length = AbsoluteLength.pixels(text), length > 0, length <= 1_000_000 else {
                throw ValidationError(
                    "The value '\(text)' is invalid for '\(writtenName)': it must be a number of pixels, a length such as 600px, "
                        + "4in or 10cm, or auto.")
            }
            return .pixels(Float(length))
        }
    }

    /// The width of terminal text in cells; `nil` for `auto`.
    var columns: Int? {
        get throws {
            guard let text, text != "auto" else { return nil }
            guard let number = Double(text), number > 0, number <= 1_000_000 else {
                throw ValidationError(
                    "The value '\(text)' is invalid for '\(writtenName)': it must be a number of terminal cells, or auto."
                )
            }
            return max(1, Int(number))
        }
    }

    /// A CSS colour.
    var color: Color? {
        get throws {
            guard let text else { return nil }
            guard let color = Color(css: text) else {
                throw ValidationError("The value '\(text)' is invalid for '\(writtenName)': it is not a CSS colour.")
            }
            return color
        }
    }

    /// A format by its name, or by a file ending such as `jpg`.
    func format<Format: RawRepresentable & CaseIterable>(
        _ type: Format.Type = Format.self
    ) throws -> Format? where Format.RawValue == String {
        if let text, let named = FileEnding.format(ofEnding: text.lowercased()),
            let format = Format(rawValue: named.rawValue)
        {
            return format
        }
        return try choice(type)
    }

    func integer(in range: ClosedRange<Int>) throws -> Int? {
        guard let text else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let bounds = Self.describe(Double(range.lowerBound)...Double(range.upperBound))
            throw ValidationError(
                "The value '\(text)' is invalid for '\(writtenName)': it must be a whole number \(bounds).")
        }
        return number
    }

    private static func describe(_ range: ClosedRange<Double>) -> String {
        func number(_ value: Double) -> String {
            value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
        }
        return range.upperBound >= 1e9
            ? "of at least \(number(range.lowerBound))"
            : "from \(number(range.lowerBound)) to \(number(range.upperBound))"
    }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
    /// `png|ansi|json`, for help.
    static var listed: String {
        // `joined` is not used, because its generic types take longer to instantiate than the text takes to build.
        var list = ""
        for choice in allCases {
            if !list.isEmpty { list += "|" }
            list += choice.rawValue
        }
        return list
    }
}
