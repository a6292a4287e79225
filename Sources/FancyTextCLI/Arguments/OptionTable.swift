// The options of a command, and the reading of command lines.
//
// ArgumentParser finds options by reflection, several times, which takes longer than rendering a card. Command lines are therefore
// read here, in one pass; ArgumentParser writes help, the manual and completions.

import ArgumentParser
import FancyText

/// A command line requests help, or another text about the program.
struct HelpRequest: Error {}

/// The options of a command or group, in the order of their declarations.
final class OptionTable: @unchecked Sendable {
    enum Item {
        case option(CommandOption)
        /// A group, and a maker of its declaration for ArgumentParser.
        case group(OptionTable, () -> Any)
    }

    /// The table that collects the options that are being initialized.
    @TaskLocal static var current: OptionTable?

    private(set) var items: [Item] = []
    /// The options, with those of groups.
    private(set) var options: [CommandOption] = []
    private var check: () throws -> Void = {}

    static func make<Made: Arguments>(_ type: Made.Type) -> (arguments: Made, table: OptionTable) {
        let table = OptionTable()
        let arguments = $current.withValue(table) {
            let made = Made()
            if type is any Command.Type { _ = Group<ConfigurationArguments>("Configuration") }
            return made
        }
        table.check = arguments.validate
        return (arguments, table)
    }

    func add(_ option: CommandOption) {
        items.append(.option(option))
        options.append(option)
    }

    func add(_ group: OptionTable, _ parsed: @escaping () -> Any) {
        items.append(.group(group, parsed))
        options += group.options
    }

    func validate() throws {
        for case .group(let group, _) in items { try group.validate() }
        try check()
    }

    /// Gives the options their values, or throws ``HelpRequest`` or the first mistake. O(*arguments* × *options*).
    func read(_ arguments: some Sequence<String>) throws {
        var operands: ArraySlice<String> = []
        var iterator = arguments.makeIterator()
        while let argument = iterator.next() {
            if argument == "--" {
                operands += IteratorSequence(iterator)
                break
            }
            guard argument.utf8.first == UInt8(ascii: "-"), argument != "-" else {
                operands.append(argument)
                continue
            }
            if Self.general.contains(argument) { throw HelpRequest() }
            for (option, attached) in try options(of: argument) {
                if option.kind == .flag {
                    guard attached == nil else { throw ValidationError("'\(option.writtenName)' takes no value.") }
                    option.values = [""]
                    continue
                }
                let value = attached ?? iterator.next()
                // A value that starts with a dash must be attached with `=`, unless it is a number.
                guard let value,
                    attached != nil || value == "-" || value.utf8.first != UInt8(ascii: "-")
                        || option.traits.contains(.anyValue) || AbsoluteLength.pixels(value) != nil
                else {
                    let name = option.value ?? option.choices() ?? option.name
                    throw ValidationError("Missing value for '\(option.writtenName) <\(name)>'.")
                }
                if option.traits.contains(.once), option.isGiven {
                    throw ValidationError("\(option.writtenName) is given twice.")
                }
                if option.kind == .list { option.values.append(value) } else { option.values = [value] }
            }
        }
        for option in options where option.isPositional {
            option.values = Array(option.kind == .operand ? operands.prefix(1) : operands)
            operands = operands.dropFirst(option.values.count)
            if option.kind == .operand, !option.isGiven {
                let advice = option.choices().map { ": choose one of \($0.replacing("|", with: ", "))" } ?? ""
                throw ValidationError("Missing expected argument '\(option.writtenName)'\(advice).")
            }
        }
        if let first = operands.first { throw ValidationError("Unexpected argument '\(first)'.") }
        try validate()
    }

    /// The options that an argument names: several if it joins short names of flags.
    private func options(of argument: String) throws -> [(option: CommandOption, value: String?)] {
        let word = String(argument.drop { $0 == "-" }.prefix { $0 != "=" })
        if word.count > 1, !argument.hasPrefix("--"), self[word] != nil {
            throw ValidationError("Unknown option '-\(word)'. Did you mean '--\(word)'?")
        }
        if let known = option(of: argument) { return [known] }
        if !argument.hasPrefix("--"), argument.utf8.count > 2, let first = option(of: String(argument.prefix(2))) {
            return try [first] + options(of: "-" + argument.dropFirst(2))
        }
        let name = argument.firstIndex(of: "=").map { String(argument[..<$0]) } ?? argument
        let known = Self.foreign[name].flatMap { self[String($0.dropFirst(2).prefix { $0 != " " })] == nil ? nil : $0 }
        let advice =
            known.map { " Write \($0)." } ?? nearest(to: name).map { " Did you mean '\($0)'?" } ?? Self.owners(of: name)
        throw ValidationError("Unknown option '\(name)'.\(advice)")
    }

    /// The options in arguments that are not checked yet, with their values in their order; "" for a flag.
    func values(in arguments: some Sequence<String>) -> [(option: CommandOption, value: String)] {
        var result: [(option: CommandOption, value: String)] = []
        var iterator = arguments.makeIterator()
        while let argument = iterator.next(), argument != "--" {
            guard let (option, attached) = option(of: argument) else { continue }
            guard let value = attached ?? (option.kind == .flag ? "" : iterator.next()) else { break }
            result.append((option, value))
        }
        return result
    }

    func decisiveValues(in arguments: some Sequence<String>) -> [(name: String, value: String)] {
        values(in: arguments).filter { !$0.option.traits.contains(.run) }.map { ($0.option.name, $0.value) }
    }

    /// The option of `--name`, `--name=value`, `-n`, `-nvalue` or `-n=value`, and the attached value.
    private func option(of argument: String) -> (option: CommandOption, value: String?)? {
        let end = argument.utf8.firstIndex(of: UInt8(ascii: "=")) ?? argument.endIndex
        let name = String(argument[..<end])
        if let option = options.first(where: { $0.isNamed(name) }) {
            return (option, end == argument.endIndex ? nil : String(argument[argument.index(after: end)...]))
        }
        guard !argument.hasPrefix("--"), argument.utf8.count > 2, argument.utf8.first == UInt8(ascii: "-"),
            let option = options.first(where: { $0.kind != .flag && $0.isNamed(String(argument.prefix(2))) })
        else { return nil }
        return (option, String(argument.dropFirst(2)))
    }

    subscript(name: String) -> CommandOption? { options.first { $0.name == name && !$0.isPositional } }

    /// Names of options in other tools, and the options that have their effect here.
    private static let foreign = [
        "--page-size": "--page", "--paper": "--page", "--landscape": "--page 'A4 landscape'",
        "--orientation": "--page 'A4 landscape'", "--margin": "--padding", "--size": "--width 1200 --height 630",
        "--zoom": "--scale", "--bg": "--background", "--transparent": "--background transparent",
        "--dark": "--color-scheme dark", "--font-size": "--root-style 'font-size: 20px'",
        "--font-family": "--root-style 'font-family: Inter'",
    ]

    /// ArgumentParser's own options, and those of the whole program.
    private static let general: Set = [
        "--help", "--help-hidden", "--version", "--generate-completion-script", "--experimental-dump-help", "-h", "-V",
    ]

    /// The name with the smallest edit distance, if that is at most a third of its length.
    func nearest(to option: String) -> String? {
        guard option.hasPrefix("--") else {
            let small = option.lowercased()
            return option == "-v" ? "--version" : options.contains { $0.isNamed(small) } ? small : nil
        }
        let names = options.filter { !$0.isPositional && !$0.name.isEmpty }.map(\.writtenName)
        return Spelling.nearest(to: option, in: names, most: max(1, (option.count - 2) / 3))
    }
}
