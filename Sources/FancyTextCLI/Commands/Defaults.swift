// Defaults for options from a configuration file. Options take precedence, then the environment, then the file.
//
// `--config` or `FANCYTEXT_CONFIG` names the file, otherwise it is `fancytext.json` in the working directory: an object whose
// keys are long option names, or command names with such objects. Its values are inserted before the user's own arguments, which
// take precedence. The file in the working directory was not named, so it may only set the appearance (`OptionScope`). Mistakes
// in the file are reported with its name and line.

import FancyTextBasics
import FancyText
import FancyTextPlatform
import FancyTextImages

/// A command line with the defaults of a configuration file.
struct Defaults {
    /// The arguments, with those of the file after the command's name.
    private(set) var arguments: [String]
    /// The position in the file of each option, by the option's name.
    private var places: [String: Diagnostic.Location] = [:]

    /// - Throws: if a named file cannot be read, or if the file is not a valid configuration.
    init(for given: [String]) throws(CommandFailure) {
        let arguments = Self.withStyle(given)
        self.arguments = arguments
        guard let command = arguments.first, let type = FancyTextCommand.command(command),
            let file = try Self.file(for: type, arguments.dropFirst())
        else { return }
        var defaults: [String] = []
        for option in try file.options(for: command) where !Self.mentions(arguments, option.name) {
            if option.name == "color", Terminal.environmentDecidesColor { continue }
            places[option.name] = file.location(option.position)
            defaults += try file.arguments(option)
        }
        self.arguments = [command] + defaults + arguments.dropFirst()
    }

    /// Returns whether the file sets an option.
    func isGiven(_ option: String) -> Bool { places[option] != nil }

    /// Gives `--diagnostics` without a value the value `text`.
    private static func withStyle(_ arguments: [String]) -> [String] {
        guard let place = arguments.firstIndex(of: "--diagnostics"), !arguments[..<place].contains("--"),
            place + 1 == arguments.count || DiagnosticStyle(rawValue: arguments[place + 1]) == nil
        else { return arguments }
        var result = arguments
        result[place] += "=\(DiagnosticStyle.text.rawValue)"
        return result
    }

    /// The configuration file; nil if there is none or it was refused.
    private static func file(
        for command: any DirectArguments.Type, _ arguments: ArraySlice<String>
    ) throws(CommandFailure) -> ConfigurationFile? {
        // A full check costs more than most command lines, which contain none of these options.
        func values(of name: String) -> [String] {
            let isSpokenOf = arguments.contains { $0.hasPrefix("--\(name)") }
            return isSpokenOf ? command.values(of: name, in: arguments) : []
        }
        if isPlainFlag("--no-config", arguments) || !values(of: "no-config").isEmpty { return nil }
        if let path = values(of: "config").last { return try ConfigurationFile(named: path) }
        // Configuration files and the environment are not used with untrusted input.
        if !values(of: "untrusted").isEmpty { return nil }
        if let path = Terminal.environment("FANCYTEXT_CONFIG"), !path.isEmpty {
            return try ConfigurationFile(named: path)
        }
        return try ConfigurationFile(found: "fancytext.json")
    }

    /// Returns whether arguments contain a flag that cannot be another option's value, because no option precedes it.
    private static func isPlainFlag(_ flag: String, _ arguments: ArraySlice<String>) -> Bool {
        guard let place = arguments.firstIndex(of: flag) else { return false }
        let before = arguments[..<place]
        return !before.contains("--") && !(before.last?.hasPrefix("-") ?? false)
    }

    /// The position in the file of the option that a message is about; nil if the file does not set it.
    func place(of message: String) -> Diagnostic.Location? {
        places.first { name, _ in
            message.contains("'--\(name)'") || message.contains("'--\(name) ") || message.hasPrefix("--\(name) ")
        }?.value
    }

    private static func mentions(_ arguments: [String], _ name: String) -> Bool {
        arguments.contains { $0 == "--\(name)" || $0.hasPrefix("--\(name)=") }
    }
}

/// A file of options.
private struct ConfigurationFile {
    let path: String
    /// True if the file was named, and may set all options.
    private let isNamed: Bool
    private let bytes: [UInt8]
    private let members: [JSONMember]
    private static let sizeLimit = 1 << 20

    struct Option {
        var name: String
        var kind: GivenArguments.Kind
        var value: JSONValue
        var position: Int
    }

    /// Options whose values are paths relative to the file.
    private static let paths: Set<String> = ["css", "font", "font-dir", "base-dir"]

    init(named path: String) throws(CommandFailure) {
        try self.init(path, FileAccess.read(path, limit: Self.sizeLimit), isNamed: true)
    }

    /// The file found in the working directory; nil if there is none.
    init?(found path: String) throws(CommandFailure) {
        guard let bytes = try FileAccess.readRegular(path, limit: Self.sizeLimit) else { return nil }
        try self.init(path, bytes, isNamed: false)
    }

    private init(_ path: String, _ bytes: [UInt8], isNamed: Bool) throws(CommandFailure) {
        self.path = path
        self.bytes = bytes
        self.isNamed = isNamed
        var parser = JSONParser(bytes)
        let value = parser.parse()
        guard let value else {
            throw CommandFailure("not valid JSON", at: Self.location(parser.position, path, bytes))
        }
        guard case .object(let members) = value else {
            throw CommandFailure("the configuration must be a JSON object", at: Self.location(0, path, bytes))
        }
        self.members = members
    }

    func location(_ position: Int) -> Diagnostic.Location { Self.location(position, path, bytes) }

    private static func location(_ position: Int, _ path: String, _ bytes: [UInt8]) -> Diagnostic.Location {
        bytes.withUnsafeBufferPointer { Diagnostic.Location(source: path, offset: position, in: $0) }
    }

    /// The options of the file for a command; the command's own object takes precedence over the top level.
    ///
    /// - Throws: if a key is not an option. Keys of other commands are ignored.
    func options(for command: String) throws(CommandFailure) -> [Option] {
        var result: [Option] = []
        for member in members {
            if FancyTextCommand.command(member.name) != nil, case .object = member.value { continue }
            if let option = try option(member, of: command, isShared: true) { result.append(option) }
        }
        for member in members where member.name == command {
            guard case .object(let own) = member.value else { continue }
            for member in own {
                guard let option = try option(member, of: command, isShared: false) else { continue }
                result.removeAll { $0.name == option.name }
                result.append(option)
            }
        }
        return result
    }

    private func option(
        _ member: JSONMember, of command: String, isShared: Bool
    ) throws(CommandFailure) -> Option? {
        let kind = Self.kind(of: member.name, in: command)
        let isKnown =
            kind != nil
            || isShared && FancyTextCommand.names.contains { Self.kind(of: member.name, in: $0) != nil }
        guard isKnown else {
            throw CommandFailure(
                isShared ? "there is no option '--\(member.name)'" : "\(command) has no option '--\(member.name)'",
                at: location(member.position))
        }
        try checkScope(of: member)
        return kind.map { Option(name: member.name, kind: $0, value: member.value, position: member.position) }
    }

    /// - Throws: if this file may not set the option.
    private func checkScope(of member: JSONMember) throws(CommandFailure) {
        switch OptionScope.of(member.name) {
        case .look, .styleSheet: return
        case .named:
            if isNamed { return }
            throw CommandFailure(
                "'\(member.name)' is not allowed in a file found in the working directory; "
                    + "a file that FANCYTEXT_CONFIG or --config names may set it", at: location(member.position))
        case .commandLine:
            throw CommandFailure(
                "'\(member.name)' is not allowed in a configuration file", at: location(member.position))
        }
    }

    private static func kind(of name: String, in command: String) -> GivenArguments.Kind? {
        FancyTextCommand.command(command)?.declaredOptions[name]
    }

    /// An option in command-line form.
    ///
    /// - Throws: if the option does not accept the value.
    func arguments(_ option: Option) throws(CommandFailure) -> [String] {
        let place = location(option.position)
        switch (option.kind, option.value) {
        case (_, .null), (.flag, .bool(false)): return []
        case (.flag, .bool(true)): return ["--\(option.name)"]
        case (.flag, _): throw CommandFailure("'\(option.name)' must be true or false", at: place)
        case (.option, .array): throw CommandFailure("'\(option.name)' takes a single value", at: place)
        case (.option, _), (.options, _): break
        }
        var result: [String] = []
        for value in option.value.elements {
            switch value {
            case .string(let text): result.append("--\(option.name)=\(try path(text, of: option))")
            case .number(let text): result.append("--\(option.name)=\(text)")
            case .null, .bool, .array, .object:
                throw CommandFailure("'\(option.name)' must be text or a number", at: place)
            }
        }
        return result
    }

    /// A path value, relative to the configuration's folder; the file must exist.
    private func path(_ text: String, of option: Option) throws(CommandFailure) -> String {
        let isTheme = option.name == "theme" && ThemeChoice(rawValue: text) == nil
        guard isTheme || Self.paths.contains(option.name) else { return text }
        if !isNamed { return try sheet(text, option) }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let result = text.hasPrefix("/") ? text : folder + text
        guard access(result, R_OK) == 0 else {
            throw CommandFailure("\(result): \(String(cString: strerror(errno)))", at: location(option.position))
        }
        return result
    }

    /// A style sheet or theme named by a found file: a regular file below the working directory, after links are resolved.
    private func sheet(_ text: String, _ option: Option) throws(CommandFailure) -> String {
        do throws(ImageError) {
            return try SandboxedFile.regularFile(text, below: ".")
        } catch {
            let problem =
                switch error {
                case .outsideBaseDirectory:
                    "a \(option.name == "theme" ? "theme" : "style sheet") of \(path) must lie below its folder"
                case .notFound: "there is no such file below the folder of \(path)"
                case .unknownFormat, .damaged, .tooLarge, .libraryMissing, .invalidDataURI, .unreadable,
                    .networkNotAllowed, .fetchFailed, .impossibleSize, .notEncoded, .tooCostly, .overBudget:
                    "not a regular file that can be read"
                }
            throw CommandFailure("\(text): \(problem)", at: location(option.position))
        }
    }
}
