// Options for ArgumentParser, which writes help, manual and completions.
//
// ArgumentParser finds the options of a type by reflection. A group therefore has a mirror with a declaration for each option of
// its table.

import ArgumentParser

protocol Command: Arguments {
    static var name: String { get }
    static var abstract: String { get }
    /// The examples and rules in help; "" without any.
    static var discussion: String { get }
    /// The outputs that the command can write, and those that it will write.
    static var outputs: Outputs { get }
    var writtenOutputs: Outputs { get throws }
    func run() throws
}

extension Command {
    static var discussion: String { "" }
    static var outputs: Outputs { .all }
    var writtenOutputs: Outputs { .all }

    /// The command as ArgumentParser knows it.
    static var parsed: any ParsableCommand.Type { ParsedCommand<Self>.self }

    /// The options of the command, without values.
    static var table: OptionTable { OptionTable.make(Self.self).table }

    static func read(_ arguments: some Sequence<String>) throws -> (command: Self, table: OptionTable) {
        let (command, table) = OptionTable.make(Self.self)
        try table.read(arguments)
        return (command, table)
    }

    /// Runs the command with arguments. `isDefault` tells whether a configuration file sets an option.
    static func run(_ arguments: some Sequence<String>, isDefault: (_ option: String) -> Bool) throws {
        let (command, table) = try read(arguments)
        try command.checkEffects(of: table, isDefault: isDefault)
        try command.run()
    }
}

private struct ParsedCommand<Base: Command>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(named: Base.name, abstract: Base.abstract, discussion: Base.discussion)
    }

    @OptionGroup private var group: ParsedArguments<Base>
}

/// A group of options as ArgumentParser describes it, without values.
struct ParsedArguments<Options: Arguments>: ParsableArguments, CustomReflectable {
    private let table = OptionTable.make(Options.self).table

    init() {}
    /// Reads nothing, but requests all keys: ArgumentParser traps if a type ignores its decoder.
    init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: AnyKey.self) }

    var customMirror: Mirror {
        let declarations = table.items.enumerated().map { index, item -> Mirror.Child in
            switch item {
            case .option(let option): (option.name.isEmpty ? "unnamed" : option.name, option.declaration)
            case .group(_, let declaration): ("group\(index)", declaration())
            }
        }
        return Mirror(self, children: declarations)
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension CommandOption {
    private var names: NameSpecification {
        let short = short.map { [NameSpecification.Element.customShort($0)] } ?? []
        return NameSpecification(short + (name.isEmpty ? [] : [.customLong(name)]))
    }

    private var completion: CompletionKind? {
        if let choices = choices() ?? suggestions { return .list(choices.split(separator: "|").map(String.init)) }
        let value = value ?? (isPositional && name.hasPrefix("file") ? "file" : "")
        if value == "folder" { return .directory }
        guard value == "file" || value.hasPrefix("file.") else { return nil }
        return .file(extensions: value == "file" ? [] : [String(value.dropFirst(5))])
    }

    fileprivate var declaration: Any {
        let help = ArgumentHelp(
            help() + (kind == .list ? " Repeatable." : ""), valueName: isPositional ? name : value ?? choices())
        return switch kind {
        case .flag: Flag(wrappedValue: false, name: names, help: help)
        case .single:
            Option<String?>(
                name: names, parsing: traits.contains(.anyValue) ? .unconditional : .next, help: help,
                completion: completion)
        case .list: Option<[String]>(wrappedValue: [], name: names, help: help, completion: completion)
        case .operand: Argument<String>(help: help, completion: completion)
        case .operands: Argument<[String]>(wrappedValue: [], help: help, completion: completion)
        }
    }
}
