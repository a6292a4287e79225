// The options of commands, each declared once: by the property that has its value.
//
// `OptionTable` reads command lines with these declarations. Help, the manual, completions, configuration files, requests of
// `fancytext batch`, keys of caches and the check for options without an effect use them too.

import ArgumentParser
import FancyTextBasics

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
        /// Repeatable.
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
    /// The outputs that the option changes.
    let outputs: Outputs
    let traits: Traits
    /// The values in their order; "" for a flag. They are written while a command line is read, before other threads exist.
    final var values: [String] = []

    var kind: Kind { .single }

    init(
        _ name: String, _ help: @autoclosure @escaping () -> String, short: Character? = nil, value: String? = nil,
        choices: @autoclosure @escaping () -> String? = nil, on outputs: Outputs = .all, traits: Traits = []
    ) {
        self.name = name
        self.short = short
        self.help = help
        self.value = value
        self.choices = choices
        self.outputs = outputs
        self.traits = traits
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

/// An option without a value.
@propertyWrapper
final class Switch: CommandOption, @unchecked Sendable {
    override var kind: Kind { .flag }
    var wrappedValue: Bool { isGiven }
}

/// An option with a value.
final class Setting: CommandOption, @unchecked Sendable {}

/// A repeatable option.
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
