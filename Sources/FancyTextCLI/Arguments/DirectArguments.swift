// Reads the arguments of a typical command line directly into the command that declares them.
//
// ArgumentParser declares, documents and checks every option, and words every message. However, it finds the declarations by
// reflection, several times, which takes longer than rendering a card. A command line without mistakes is therefore read here, in
// one pass. Anything else (a mistake, a request for help, `--`, joined short options) is left to ArgumentParser, so help and
// errors have one source. Tests check that both know the same options.

import ArgumentParser
import FancyTextStyling

/// Arguments that can be read without reflection: a command, or a group of options.
protocol DirectArguments: ParsableArguments {
    /// Sets every property of the group, in statements such as `width = given.option("width")`.
    mutating func bind(_ given: inout GivenArguments)

    /// Checks for options that have no effect on the output.
    ///
    /// - Parameter options: the long names of the options on the command line, without those of a configuration file.
    func checkEffects(of options: [String]) throws
}

extension DirectArguments {
    func checkEffects(of options: [String]) throws {}
}

extension DirectArguments {
    /// The arguments read directly, or nil if ArgumentParser must read them.
    ///
    /// - Complexity: O(*arguments* × *options*).
    static func direct(_ arguments: some Sequence<String>) -> Self? { read(arguments)?.values }

    /// ``direct(_:)``, with the long names of the given options.
    fileprivate static func read(_ arguments: some Sequence<String>) -> (values: Self, options: [String])? {
        var given = GivenArguments()
        var values = Self()
        values.bind(&given)
        guard given.read(arguments) else { return nil }
        values.bind(&given)
        guard given.isValid, given.positionals.isEmpty, (try? values.validate()) != nil else { return nil }
        return (values, given.givenOptions)
    }
}

extension DirectArguments {
    /// The values of an option in arguments that are not checked yet, in their order; "" for a flag. Values of other options are
    /// not mistaken for it.
    static func values(of name: String, in arguments: some Sequence<String>) -> [String] {
        var given = GivenArguments()
        var values = Self()
        values.bind(&given)
        return given.values(of: name, in: arguments)
    }

    /// All options in arguments, by long names, with their values and in their order; "" for a flag.
    static func optionValues(in arguments: some Sequence<String>) -> [(name: String, value: String)] {
        var given = GivenArguments()
        var values = Self()
        values.bind(&given)
        return given.optionValues(in: arguments)
    }

    /// The long names of the options, with the kind of their values.
    static var declaredOptions: [String: GivenArguments.Kind] {
        var given = GivenArguments()
        var values = Self()
        values.bind(&given)
        return given.kinds
    }
}

extension DirectArguments where Self: ParsableCommand {
    /// Runs the command if its arguments can be read directly; false if ArgumentParser must read them.
    ///
    /// - Parameter isDefault: whether a configuration file sets an option.
    static func runDirectly(
        _ arguments: some Sequence<String>, isDefault: (_ option: String) -> Bool
    ) throws -> Bool {
        guard var (command, options) = read(arguments) else { return false }
        options.removeAll(where: isDefault)
        try command.checkEffects(of: options)
        try command.run()
        return true
    }
}

/// The contents of a command line, by the names of the options.
///
/// A command's properties are bound twice: first each call declares its option; then, after the arguments were read, the same
/// calls return the values.
struct GivenArguments {
    enum Kind {
        case flag, option
        /// Repeatable.
        case options
    }

    private struct Declaration {
        var name: StaticString
        var short: Unicode.Scalar?
        var kind: Kind
        /// True if its value may look like an option.
        var takesAny = false
        var values: [String] = []
        var isGiven = false
    }

    private var declarations: [Declaration] = []
    fileprivate private(set) var positionals: ArraySlice<String> = []
    /// The declaration whose value the next call returns; nil while declarations are collected.
    private var next: Int?
    private(set) var isValid = true

    /// The long names of all options, with the kind of their values.
    fileprivate var kinds: [String: Kind] {
        Dictionary(declarations.map { ("\($0.name)", $0.kind) }) { first, _ in first }
    }

    /// The names of all options, in their written form, for tests.
    var names: [String] {
        declarations.flatMap { declaration in
            let long = "\(declaration.name)"
            return (long.isEmpty ? [] : ["--\(long)"]) + (declaration.short.map { ["-\($0)"] } ?? [])
        }
    }

    /// The long names of the given options, in the order of their declarations.
    fileprivate var givenOptions: [String] { declarations.filter(\.isGiven).map { "\($0.name)" } }

    init() { declarations.reserveCapacity(64) }

    // MARK: Binding

    mutating func flag(_ name: StaticString, short: Unicode.Scalar? = nil) -> Bool {
        bound(name, short, .flag)?.isGiven ?? false
    }

    /// - Parameter takesAny: whether the value may look like an option (ArgumentParser's `unconditional`).
    mutating func option(_ name: StaticString, short: Unicode.Scalar? = nil, takesAny: Bool = false) -> String? {
        bound(name, short, .option, takesAny: takesAny)?.values.last
    }

    mutating func options(_ name: StaticString, short: Unicode.Scalar? = nil) -> [String] {
        bound(name, short, .options)?.values ?? []
    }

    /// The next positional argument; without one, ArgumentParser must read the command line.
    mutating func argument() -> String {
        guard next != nil else { return "" }
        guard let first = positionals.popFirst() else {
            isValid = false
            return ""
        }
        return first
    }

    /// All remaining positional arguments.
    mutating func arguments() -> [String] {
        defer { positionals = [] }
        return Array(positionals)
    }

    /// - Parameter declared: the group that declares its options; it has no values yet.
    mutating func group<Group: DirectArguments>(_ declared: @autoclosure () -> Group) -> Group {
        var group = next == nil ? Group() : declared()
        group.bind(&self)
        if next != nil, (try? group.validate()) == nil { isValid = false }
        return group
    }

    private mutating func bound(
        _ name: StaticString, _ short: Unicode.Scalar?, _ kind: Kind, takesAny: Bool = false
    ) -> Declaration? {
        guard let index = next else {
            declarations.append(Declaration(name: name, short: short, kind: kind, takesAny: takesAny))
            return nil
        }
        next = index + 1
        return declarations[index]
    }

    // MARK: Reading

    /// Assigns the arguments to their declarations; false if they cannot be read directly.
    fileprivate mutating func read(_ arguments: some Sequence<String>) -> Bool {
        var iterator = arguments.makeIterator()
        while let argument = iterator.next() {
            guard argument.utf8.first == UInt8(ascii: "-"), argument != "-" else {
                positionals.append(argument)
                continue
            }
            guard let (index, inlineValue) = declaration(of: argument) else { return false }
            let isRepeated = declarations[index].isGiven
            declarations[index].isGiven = true
            switch declarations[index].kind {
            case .flag:
                guard inlineValue == nil, !isRepeated else { return false }
            case .option, .options:
                guard !isRepeated || declarations[index].kind == .options else { return false }
                guard let value = inlineValue ?? iterator.next() else { return false }
                // A value that starts with a dash must be attached with `=`.
                guard
                    inlineValue != nil || value == "-" || value.utf8.first != UInt8(ascii: "-")
                        || (declarations[index].takesAny && value != "--")
                else { return false }
                declarations[index].values.append(value)
            }
        }
        next = 0
        return true
    }

    fileprivate func values(of name: String, in arguments: some Sequence<String>) -> [String] {
        optionValues(in: arguments).compactMap { $0.name == name ? $0.value : nil }
    }

    fileprivate func optionValues(in arguments: some Sequence<String>) -> [(name: String, value: String)] {
        var result: [(name: String, value: String)] = []
        var iterator = arguments.makeIterator()
        while let argument = iterator.next(), argument != "--" {
            guard argument.utf8.first == UInt8(ascii: "-"), let (index, inlineValue) = declaration(of: argument) else {
                continue
            }
            let takesValue = declarations[index].kind != .flag
            guard let value = inlineValue ?? (takesValue ? iterator.next() : "") else { break }
            result.append(("\(declarations[index].name)", value))
        }
        return result
    }

    /// The first undeclared option, or the first one followed by a number below 0.
    func firstMistake(in arguments: some Sequence<String>) -> OptionMistake? {
        var iterator = arguments.makeIterator()
        while let argument = iterator.next(), argument != "--" {
            guard argument.utf8.first == UInt8(ascii: "-"), argument != "-", !OptionMistake.general.contains(argument)
            else { continue }
            guard let (index, inlineValue) = declaration(of: argument) else {
                // Joined short options are left to ArgumentParser.
                let isJoined = !argument.hasPrefix("--") && argument.utf8.count > 2
                if isJoined { return nil }
                return .unknown(argument.firstIndex(of: "=").map { String(argument[..<$0]) } ?? argument)
            }
            guard declarations[index].kind != .flag, inlineValue == nil, let value = iterator.next() else { continue }
            if !declarations[index].takesAny, value.hasPrefix("-"), AbsoluteLength.pixels(value) != nil {
                return .negative(option: argument, value: value)
            }
        }
        return nil
    }

    /// The declaration of `--name`, `--name=value` or `-n`.
    private func declaration(of argument: String) -> (index: Int, inlineValue: String?)? {
        var argument = argument
        return argument.withUTF8 { bytes in
            if bytes.count == 2 {
                let short = Unicode.Scalar(bytes[1])
                return declarations.firstIndex { $0.short == short }.map { ($0, nil) }
            }
            guard bytes.count > 2, bytes[1] == UInt8(ascii: "-") else { return nil }
            let end = bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.count
            let name = bytes[2..<end]
            let index = declarations.firstIndex { declaration in
                declaration.name.withUTF8Buffer { $0.count == name.count && $0.elementsEqual(name) }
            }
            guard let index else { return nil }
            let value = end < bytes.count ? String(decoding: bytes[(end + 1)...], as: UTF8.self) : nil
            return (index, value)
        }
    }
}
