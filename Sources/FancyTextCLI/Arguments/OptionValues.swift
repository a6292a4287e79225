// Values of options from their text.
//
// All options are declared as text: every further type of value makes the argument parser instantiate a family of generic
// types, which took longer than rendering a card. Values are checked and converted here.

import ArgumentParser

/// One option's text, with the option's name for messages.
struct OptionText {
    var name: String
    var text: String?

    init(_ name: String, _ text: String?) {
        self.name = name
        self.text = text
    }

    /// One of an enumeration's raw values.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ type: Choice.Type = Choice.self
    ) throws -> Choice? where Choice.RawValue == String {
        guard let text else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("The value '\(text)' is invalid for '\(name)': choose one of \(choices).")
    }

    func number(in range: ClosedRange<Double>) throws -> Double? {
        guard let text else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw ValidationError(
                "The value '\(text)' is invalid for '\(name)': it must be a number \(Self.describe(range)).")
        }
        return number
    }

    func integer(in range: ClosedRange<Int>) throws -> Int? {
        guard let text else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let bounds = Self.describe(Double(range.lowerBound)...Double(range.upperBound))
            throw ValidationError("The value '\(text)' is invalid for '\(name)': it must be a whole number \(bounds).")
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
        // Not `joined`, whose generic types take longer to make than the text.
        var list = ""
        for choice in allCases {
            if !list.isEmpty { list += "|" }
            list += choice.rawValue
        }
        return list
    }

    static var completion: CompletionKind { .list(allCases.map { $0.rawValue }) }
}
