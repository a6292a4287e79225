// Defaults for options from a configuration file. Options take precedence, then the environment, then the file.
//
// `--config` or `FANCYTEXT_CONFIG` names the file, otherwise it is `fancytext.json` in the working directory: an object whose
// keys are long option names, or command names with such objects. Its values are inserted before the user's own arguments, which
// take precedence. The file in the working directory was not named, so it may only set the appearance
// (`CommandOption.Traits.look`). Mistakes in the file are reported with its name and line.

import FancyTextBasics
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
        for (option, member) in try file.options(for: command) where !Self.mentions(arguments, option.name) {
            if option.name == "color", Terminal.environmentDecidesColor { continue }
            places[option.name] = file.location(of: member)
            defaults += try file.arguments(option, member)
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

    /// The configuration file; nil without one, or if it was refused.
    private static func file(
        for command: any Command.Type, _ arguments: ArraySlice<String>
    ) throws(CommandFailure) -> ConfigurationFile? {
        // A full check costs more than most command lines, which contain none of these options.
        func values(of name: String) -> [String] {
            let isSpokenOf = arguments.contains { $0.hasPrefix("--\(name)") }
            guard isSpokenOf else { return [] }
            return command.table.values(in: arguments).compactMap { $0.option.name == name ? $0.value : nil }
        }
        if !values(of: "no-config").isEmpty { return nil }
        if let path = values(of: "config").last { return try ConfigurationFile(named: path) }
        // Configuration files and the environment are not used with untrusted input.
        if !values(of: "untrusted").isEmpty { return nil }
        if let path = Terminal.environment("FANCYTEXT_CONFIG"), !path.isEmpty {
            return try ConfigurationFile(named: path)
        }
        return try ConfigurationFile(found: "fancytext.json")
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

private struct ConfigurationFile {
    private let file: JSONFile
    /// True if the file was named, and may set all options.
    private let isNamed: Bool
    private static let sizeLimit = 1 << 20

    typealias Member = (option: CommandOption, member: JSONMember)

    init(named path: String) throws(CommandFailure) {
        try self.init(path, FileAccess.read(path, limit: Self.sizeLimit), isNamed: true)
    }

    /// The file found in the working directory, if any.
    init?(found path: String) throws(CommandFailure) {
        guard let bytes = try FileAccess.readRegular(path, limit: Self.sizeLimit) else { return nil }
        try self.init(path, bytes, isNamed: false)
    }

    private init(_ path: String, _ bytes: [UInt8], isNamed: Bool) throws(CommandFailure) {
        file = try JSONFile(path, bytes, contents: "the configuration")
        self.isNamed = isNamed
    }

    func location(of member: JSONMember) -> Diagnostic.Location { file.location(of: member) }

    /// The options of the file for a command; the command's own object takes precedence over the top level.
    ///
    /// - Throws: if a key is not an option. Keys of other commands are ignored.
    func options(for command: String) throws(CommandFailure) -> [Member] {
        var result: [Member] = []
        for member in file.members {
            if FancyTextCommand.command(member.name) != nil, case .object = member.value { continue }
            if let option = try option(member, of: command, isShared: true) { result.append(option) }
        }
        for member in file.members where member.name == command {
            guard case .object(let own) = member.value else { continue }
            for member in own {
                guard let option = try option(member, of: command, isShared: false) else { continue }
                result.removeAll { $0.option.name == option.option.name }
                result.append(option)
            }
        }
        return result
    }

    /// The message about a member that names no option.
    private static func unknown(_ member: JSONMember, _ command: String?) -> String {
        guard let command else {
            if case .object = member.value { return "there is no command '\(member.name)'" }
            if FancyTextCommand.command(member.name) != nil { return "'\(member.name)' must be an object of options" }
            return "there is no option '--\(member.name)'"
        }
        let nearest = FancyTextCommand.command(command)?.table.nearest(to: "--\(member.name)")
        return "\(command) has no option '--\(member.name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    }

    private func option(_ member: JSONMember, of command: String, isShared: Bool) throws(CommandFailure) -> Member? {
        let own = FancyTextCommand.command(command)?.table[member.name]
        let others = isShared && own == nil ? FancyTextCommand.commands : []
        guard let option = own ?? others.lazy.compactMap({ $0.table[member.name] }).first else {
            throw CommandFailure(Self.unknown(member, isShared ? nil : command), at: location(of: member))
        }
        if option.traits.contains(.notInFiles) {
            throw CommandFailure("'\(member.name)' is not allowed in a configuration file", at: location(of: member))
        }
        guard isNamed || option.traits.contains(.look) else {
            throw CommandFailure(
                "'\(member.name)' is not allowed in a file found in the working directory; "
                    + "a file that FANCYTEXT_CONFIG or --config names may set it", at: location(of: member))
        }
        return own.map { ($0, member) }
    }

    /// An option in command-line form.
    func arguments(_ option: CommandOption, _ member: JSONMember) throws(CommandFailure) -> [String] {
        do throws(RowMistake) {
            return try option.arguments(member.value) { text throws(RowMistake) in try path(text, of: option) }
        } catch {
            throw CommandFailure(error.message, at: location(of: member))
        }
    }

    /// A path value, relative to the configuration's folder; the file must exist.
    private func path(_ text: String, of option: CommandOption) throws(RowMistake) -> String {
        let isTheme = option.name == "theme" && ThemeChoice(rawValue: text) == nil
        guard isTheme || option.traits.contains(.path) else { return text }
        if !isNamed { return try sheet(text, option) }
        let folder = file.path.lastIndex(of: "/").map { file.path[...$0] } ?? ""
        let result = text.hasPrefix("/") ? text : folder + text
        guard access(result, R_OK) == 0 else { throw RowMistake("\(result): \(String(cString: strerror(errno)))") }
        return result
    }

    /// A style sheet or theme named by a found file: a regular file below the working directory, after links are resolved.
    private func sheet(_ text: String, _ option: CommandOption) throws(RowMistake) -> String {
        do throws(ImageError) {
            return try SandboxedFile.regularFile(text, below: ".")
        } catch {
            let problem =
                switch error {
                case .outsideBaseDirectory:
                    "a \(option.name == "theme" ? "theme" : "style sheet") of \(file.path) must lie below its folder"
                case .notFound: "there is no such file below the folder of \(file.path)"
                case .unknownFormat, .damaged, .tooLarge, .libraryMissing, .invalidDataURI, .unreadable, .isFolder,
                    .noBaseDirectory, .networkNotAllowed, .fetchFailed, .impossibleSize, .notEncoded, .tooCostly,
                    .partlyDrawn, .overBudget:
                    "not a regular file that can be read"
                }
            throw RowMistake("\(text): \(problem)")
        }
    }
}
