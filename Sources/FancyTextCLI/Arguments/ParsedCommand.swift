// Options for ArgumentParser, which writes help, manual, completions and messages.
//
// ArgumentParser finds the options of a type by reflection, and reads their values by decoding the type. A group therefore has a
// mirror with a declaration for each option of its table, and decodes these.

import ArgumentParser

/// A command of the program.
protocol Command: Arguments {
    static var name: String { get }
    static var configuration: CommandConfiguration { get }
    /// The outputs that the command can write, and those that it will write.
    static var outputs: Outputs { get }
    var writtenOutputs: Outputs { get throws }
    func run() throws
}

extension Command {
    static var outputs: Outputs { .all }
    var writtenOutputs: Outputs { .all }

    /// The command as ArgumentParser knows it.
    static var parsed: any ParsableCommand.Type { ParsedCommand<Self>.self }

    /// The options of the command, without values.
    static var table: OptionTable { OptionTable.make(Self.self).table }

    /// Reads arguments, with ArgumentParser if they cannot be read directly.
    static func read(_ arguments: [String]) throws -> (command: Self, table: OptionTable) {
        if let direct = direct(arguments) { return direct }
        let parsed = try ParsedArguments<Self>.parse(arguments)
        return (parsed.arguments, parsed.table)
    }

    /// The arguments read directly; nil if ArgumentParser must read them.
    static func direct(_ arguments: some Sequence<String>) -> (command: Self, table: OptionTable)? {
        let (command, table) = OptionTable.make(Self.self)
        return table.read(arguments) ? (command, table) : nil
    }

    /// Runs the command if its arguments can be read directly; false if ArgumentParser must read them.
    ///
    /// - Parameter isDefault: whether a configuration file sets an option.
    static func runDirectly(
        _ arguments: some Sequence<String>, isDefault: (_ option: String) -> Bool
    ) throws -> Bool {
        guard let (command, table) = direct(arguments) else { return false }
        try command.run(table, isDefault: isDefault)
        return true
    }

    fileprivate func run(_ table: OptionTable, isDefault: (_ option: String) -> Bool) throws {
        try checkEffects(of: table, isDefault: isDefault)
        try run()
    }
}

/// A command that ArgumentParser has read.
protocol CheckedCommand: ParsableCommand {
    /// - Parameter isDefault: whether a configuration file sets an option.
    func run(isDefault: (_ option: String) -> Bool) throws
}

private struct ParsedCommand<Base: Command>: CheckedCommand {
    static var configuration: CommandConfiguration { Base.configuration }

    @OptionGroup private var group: ParsedArguments<Base>

    func run(isDefault: (_ option: String) -> Bool) throws {
        try group.arguments.run(group.table, isDefault: isDefault)
    }
}

struct ParsedArguments<Options: Arguments>: ParsableArguments, CustomReflectable {
    let arguments: Options
    let table: OptionTable

    init() { (arguments, table) = OptionTable.make(Options.self) }

    init(from decoder: any Decoder) throws {
        self.init()
        try table.decode(decoder)
    }

    var customMirror: Mirror { Mirror(self, children: table.declarations) }

    func validate() throws { try table.validate() }
}

private struct OptionKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// The decoder of a group inside of another group.
private struct GroupDecoder: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) { self.decoder = decoder }
}

extension OptionTable {
    fileprivate var declarations: [Mirror.Child] {
        items.enumerated().map { index, item in
            switch item {
            case .option(let option): (option.key.stringValue, option.declaration)
            case .group(_, let declaration): ("group\(index)", declaration())
            }
        }
    }

    fileprivate func decode(_ decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: OptionKey.self)
        for (index, item) in items.enumerated() {
            switch item {
            case .option(let option): try option.decode(container)
            case .group(let group, _):
                let key = OptionKey(stringValue: "group\(index)")
                try group.decode(container.decode(GroupDecoder.self, forKey: key).decoder)
            }
        }
    }
}

extension CommandOption {
    fileprivate var key: OptionKey { OptionKey(stringValue: name.isEmpty ? "unnamed" : name) }

    private var names: NameSpecification {
        let short = short.map { [NameSpecification.Element.customShort($0)] } ?? []
        return NameSpecification(short + (name.isEmpty ? [] : [.customLong(name)]))
    }

    private var completion: CompletionKind? {
        if let choices = choices() { return .list(choices.split(separator: "|").map(String.init)) }
        let value = value ?? (isPositional && name.hasPrefix("file") ? "file" : "")
        if value == "folder" { return .directory }
        guard value == "file" || value.hasPrefix("file.") else { return nil }
        return .file(extensions: value == "file" ? [] : [String(value.dropFirst(5))])
    }

    /// The declaration for ArgumentParser.
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

    fileprivate func decode(_ container: KeyedDecodingContainer<OptionKey>) throws {
        values =
            switch kind {
            case .flag: try container.decode(Flag<Bool>.self, forKey: key).wrappedValue ? [""] : []
            case .single: try container.decode(Option<String?>.self, forKey: key).wrappedValue.map { [$0] } ?? []
            case .list: try container.decode(Option<[String]>.self, forKey: key).wrappedValue
            case .operand: [try container.decode(Argument<String>.self, forKey: key).wrappedValue]
            case .operands: try container.decode(Argument<[String]>.self, forKey: key).wrappedValue
            }
    }
}
