// The options of commands, each declared once: by the property that has its value.
//
// `OptionTable` reads command lines with these declarations. Help, the manual, completions, configuration files, requests of
// `fancytext batch`, keys of caches and the check for options without an effect use them too.

import ArgumentParser
import FancyText

/// A command, or a group of options.
protocol Arguments: Sendable {
    init()
    /// - Throws: if values contradict each other.
    func validate() throws
}

extension Arguments {
    func validate() throws {}
}

/// The declaration of an option or a positional argument, and its values on one command line.
class CommandOption: @unchecked Sendable {
    enum Kind {
        case flag, single
        case list
        case operand
        /// All remaining positional arguments, which are files.
        case operands
    }

    struct Traits: OptionSet, Sendable {
        let rawValue: UInt8

        /// An option that only changes the appearance. Any configuration file may set it; other options are only set by a named
        /// file, because a file found in the working directory may belong to a stranger's folder.
        static let look = Traits(rawValue: 1)
        /// An option whose value is a path, relative to the configuration file that sets it.
        static let path = Traits(rawValue: 2)
        /// An option that changes how a run proceeds, but not its results.
        static let run = Traits(rawValue: 4)
        static let notInRequests = Traits(rawValue: 8)
        static let notInFiles = Traits(rawValue: 16)
        /// An option whose value may look like an option.
        static let anyValue = Traits(rawValue: 32)
        /// An option that must not be given twice, because its first value would be lost.
        static let once = Traits(rawValue: 64)
        static let program: Traits = [.run, .notInRequests]
    }

    /// The long name without dashes; empty for an option that only has a short name.
    let name: String
    let short: Character?
    let help: () -> String
    /// The name of the value in help.
    let value: String?
    /// The possible values, separated by `|`; nil for free text.
    let choices: () -> String?
    /// Values that shells offer besides, separated by `|`.
    let suggestions: String?
    /// The outputs that the option changes.
    let outputs: Outputs
    let traits: Traits
    /// The values in their order; "" for a flag. They are written while a command line is read, before other threads exist.
    final var values: [String] = []

    var kind: Kind { .single }

    init(
        _ name: String, _ help: @autoclosure @escaping () -> String, short: Character? = nil, value: String? = nil,
        choices: @autoclosure @escaping () -> String? = nil, suggestions: String? = nil, on outputs: Outputs = .all,
        traits: Traits = []
    ) {
        (self.name, self.short, self.help) = (name, short, help)
        (self.value, self.choices, self.suggestions) = (value, choices, suggestions)
        (self.outputs, self.traits) = (outputs, traits)
        OptionTable.current?.add(self)
    }

    final var isGiven: Bool { !values.isEmpty }
    final var isPositional: Bool { kind == .operand || kind == .operands }

    /// The name in messages.
    final var writtenName: String { isPositional ? "<\(name)>" : name.isEmpty ? "-\(short ?? "-")" : "--\(name)" }

    final func isNamed(_ argument: String) -> Bool {
        let text = argument.utf8
        guard !isPositional, text.first == UInt8(ascii: "-") else { return false }
        if text.count == 2 { return short.map { text.last == $0.asciiValue } ?? false }
        return argument.hasPrefix("--") && text.count == name.utf8.count + 2
            && text.dropFirst(2).elementsEqual(name.utf8)
    }

    /// The option in command-line form, with a value of JSON; `convert` checks or changes a text.
    final func arguments(
        _ value: JSONValue, _ convert: (String) throws(RowMistake) -> String
    ) throws(RowMistake) -> [String] {
        switch (kind, value) {
        case (_, .null), (.flag, .bool(false)): return []
        case (.flag, .bool(true)): return ["--\(name)"]
        case (.flag, _): throw RowMistake("'\(name)' must be true or false")
        case (.single, .array): throw RowMistake("'\(name)' takes a single value")
        default: break
        }
        var result: [String] = []
        for value in value.elements {
            switch value {
            case .number where traits.contains(.path): throw RowMistake("'\(name)' must be text")
            case .string(let text), .number(let text): result.append("--\(name)=\(try convert(text))")
            case .null, .bool, .array, .object: throw RowMistake("'\(name)' must be text or a number")
            }
        }
        return result
    }
}

@propertyWrapper
final class Switch: CommandOption, @unchecked Sendable {
    override var kind: Kind { .flag }
    var wrappedValue: Bool { isGiven }
}

final class Setting: CommandOption, @unchecked Sendable {}

@propertyWrapper
final class Settings: CommandOption, @unchecked Sendable {
    override var kind: Kind { .list }
    var wrappedValue: [String] { values }
}

@propertyWrapper
final class Operand: CommandOption, @unchecked Sendable {
    override var kind: Kind { .operand }
    var wrappedValue: String { values.last ?? "" }
}

/// All remaining positional arguments.
@propertyWrapper
final class Operands: CommandOption, @unchecked Sendable {
    override var kind: Kind { .operands }
    var wrappedValue: [String] { values }
}

/// A group of options, with its title in help.
@propertyWrapper
struct Group<Options: Arguments>: Sendable {
    let wrappedValue: Options

    init(_ title: String = "") {
        let outer = OptionTable.current
        let (options, table) = OptionTable.make(Options.self)
        wrappedValue = options
        outer?.add(table) { OptionGroup<ParsedArguments<Options>>(title: title) }
    }
}

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
