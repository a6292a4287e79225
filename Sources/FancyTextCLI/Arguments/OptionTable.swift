// The options of a command, and the direct reading of command lines.
//
// ArgumentParser finds options by reflection, several times, which takes longer than rendering a card. A command line without
// mistakes is therefore read here, in one pass. Anything else (a mistake, a request for help, `--`, joined short options) is left
// to ArgumentParser, so help and errors have one source.

import ArgumentParser
import FancyTextStyling

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

    /// Arguments without values, and the table of their options.
    static func make<Made: Arguments>(_ type: Made.Type) -> (arguments: Made, table: OptionTable) {
        let table = OptionTable()
        let arguments = $current.withValue(table) { Made() }
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

    /// Gives the options their values; false if ArgumentParser must read the command line.
    ///
    /// - Complexity: O(*arguments* × *options*).
    func read(_ arguments: some Sequence<String>) -> Bool {
        var operands: ArraySlice<String> = []
        var iterator = arguments.makeIterator()
        while let argument = iterator.next() {
            guard argument.utf8.first == UInt8(ascii: "-"), argument != "-" else {
                operands.append(argument)
                continue
            }
            guard let (option, attached) = option(of: argument), !option.isGiven || option.kind == .list else {
                return false
            }
            if option.kind == .flag {
                guard attached == nil else { return false }
                option.values = [""]
                continue
            }
            guard let value = attached ?? iterator.next() else { return false }
            // A value that starts with a dash must be attached with `=`, unless it is a number.
            guard
                attached != nil || value == "-" || value.utf8.first != UInt8(ascii: "-")
                    || option.traits.contains(.anyValue) && value != "--" || AbsoluteLength.pixels(value) != nil
            else { return false }
            option.values.append(value)
        }
        for option in options where option.isPositional {
            option.values = Array(option.kind == .operand ? operands.prefix(1) : operands)
            operands = operands.dropFirst(option.values.count)
            if option.kind == .operand, !option.isGiven { return false }
        }
        return operands.isEmpty && (try? validate()) != nil
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

    /// The options in arguments that change results.
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

    // MARK: Mistakes

    /// ArgumentParser's own options.
    private static let general: Set = [
        "--help", "--help-hidden", "--version", "--generate-completion-script", "--experimental-dump-help", "-h", "-V",
    ]

    /// Checks names before ArgumentParser does: it takes the argument after an unknown option for a file, and reports that
    /// first.
    ///
    /// - Returns: the arguments, with negative numbers and the values of short options attached by `=`: ArgumentParser takes
    ///   them for options otherwise.
    /// - Throws: an error for the first option that the command does not have.
    func checked(_ arguments: some Sequence<String>) throws -> [String] {
        var result: [String] = []
        var iterator = arguments.makeIterator()
        while let argument = iterator.next() {
            result.append(argument)
            if argument == "--" { break }
            guard argument.hasPrefix("-"), argument != "-", !Self.general.contains(argument) else { continue }
            guard let (option, attached) = option(of: argument) else {
                // Joined short options are left to ArgumentParser.
                if !argument.hasPrefix("--"), argument.utf8.count > 2 { break }
                let name = argument.firstIndex(of: "=").map { String(argument[..<$0]) } ?? argument
                let nearest = nearest(to: name).map { " Did you mean '\($0)'?" } ?? ""
                throw ValidationError("Unknown option '\(name)'.\(nearest)")
            }
            guard option.kind != .flag, let value = attached ?? iterator.next() else { continue }
            if attached != nil || value.hasPrefix("-") && AbsoluteLength.pixels(value) != nil {
                result[result.count - 1] = "\(option.writtenName)=\(value)"
            } else {
                result.append(value)
            }
        }
        while let argument = iterator.next() { result.append(argument) }
        return result
    }

    /// The name with the smallest edit distance, if that is at most half of its length.
    func nearest(to option: String) -> String? {
        guard option.hasPrefix("--") else { return nil }
        let ranked = options.filter { !$0.isPositional && !$0.name.isEmpty }
            .map { (name: $0.writtenName, edits: Self.edits(option, $0.writtenName)) }
        guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
        return best.edits <= max(1, (option.count - 2) / 2) ? best.name : nil
    }

    /// The number of insertions, deletions and replacements between two names (Levenshtein).
    private static func edits(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let replaced = diagonal + (x == y ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}
