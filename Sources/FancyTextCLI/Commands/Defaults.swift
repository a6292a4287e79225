// Defaults for options from a configuration file. Options take precedence, then the environment, then the file.
//
// `--config` or `FANCYTEXT_CONFIG` names the file, otherwise it is `fancytext.json` in the working directory: an object whose
// keys are long option names, or command names with such objects. Its values are inserted before the user's own arguments, which
// take precedence. The file in the working directory was not named, so it may only set the appearance
// (`CommandOption.Traits.look`). Mistakes in the file are reported with its name and line.

import FancyTextBasics
import FancyTextPlatform
import FancyTextImages

struct Defaults {
    /// The arguments, with those of the file after the command's name.
    private(set) var arguments: [String]
    /// The position in the file of each option, by the option's name.
    private var places: [String: Diagnostic.Location] = [:]

    init(for given: [String]) throws(CommandFailure) {
        var arguments = given
        // `--diagnostics` without a value has the value `text`.
        if let place = given.firstIndex(of: "--diagnostics"), !given[..<place].contains("--"),
            place + 1 == given.count || DiagnosticStyle(rawValue: given[place + 1]) == nil
        {
            arguments[place] += "=\(DiagnosticStyle.text.rawValue)"
        }
        self.arguments = arguments
        guard let command = arguments.first, let type = FancyTextCommand.command(command),
            let configuration = try Self.file(for: type, arguments.dropFirst())
        else { return }
        var defaults: [String] = []
        for (option, member) in try configuration.options(for: command) {
            if arguments.contains(where: { $0 == "--\(option.name)" || $0.hasPrefix("--\(option.name)=") }) { continue }
            if option.name == "color", Terminal.environmentDecidesColor { continue }
            places[option.name] = configuration.file.location(of: member)
            defaults += try configuration.arguments(option, member)
        }
        self.arguments = [command] + defaults + arguments.dropFirst()
    }

    /// Returns whether the file sets an option.
    func isGiven(_ option: String) -> Bool { places[option] != nil }

    /// The configuration file; nil without one, or if it was refused.
    private static func file(
        for command: any Command.Type, _ arguments: ArraySlice<String>
    ) throws(CommandFailure) -> ConfigurationFile? {
        func values(of name: String) -> [String] {
            // A full check costs more than most command lines, which contain none of these options.
            guard arguments.contains(where: { $0.hasPrefix("--\(name)") }) else { return [] }
            return command.table.values(in: arguments).compactMap { $0.option.name == name ? $0.value : nil }
        }
        if !values(of: "no-config").isEmpty { return nil }
        if let path = values(of: "config").last { return try ConfigurationFile(path, isNamed: true) }
        // Configuration files and the environment are not used with untrusted input.
        if !values(of: "untrusted").isEmpty { return nil }
        if let path = Terminal.environment("FANCYTEXT_CONFIG"), !path.isEmpty {
            return try ConfigurationFile(path, isNamed: true)
        }
        return try ConfigurationFile("fancytext.json", isNamed: false)
    }

    /// The position in the file of the option that a message is about; nil if the file does not set it.
    func place(of message: String) -> Diagnostic.Location? {
        places.first { name, _ in
            message.contains("'--\(name)'") || message.contains("'--\(name) ") || message.hasPrefix("--\(name) ")
        }?.value
    }
}

private struct ConfigurationFile {
    let file: JSONFile
    /// True if the file was named, and may set all options; false if it was found in the working directory.
    private let isNamed: Bool

    typealias Member = (option: CommandOption, member: JSONMember)

    /// Reads a file; nil if it was not named, and there is none.
    init?(_ path: String, isNamed: Bool) throws(CommandFailure) {
        let limit = 1 << 20
        let bytes = try isNamed ? FileAccess.read(path, limit: limit) : FileAccess.readRegular(path, limit: limit)
        guard let bytes else { return nil }
        file = try JSONFile(path, bytes, contents: "the configuration")
        self.isNamed = isNamed
    }

    /// The options of the file for a command; its own object takes precedence over the top level. A key must be an option, but
    /// those of other commands are ignored.
    func options(for command: String) throws(CommandFailure) -> [Member] {
        var result: [Member] = []
        for member in file.members where FancyTextCommand.command(member.name) == nil || member.value.members == nil {
            if let option = try option(member, of: command, isShared: true) { result.append(option) }
        }
        for member in file.members.first(where: { $0.name == command })?.value.members ?? [] {
            guard let option = try option(member, of: command, isShared: false) else { continue }
            result.removeAll { $0.option.name == option.option.name }
            result.append(option)
        }
        return result
    }

    /// The message about a member that names no option.
    private static func unknown(_ member: JSONMember, _ command: String?) -> String {
        guard let command else {
            if member.value.members != nil { return "there is no command '\(member.name)'" }
            if FancyTextCommand.command(member.name) != nil { return "'\(member.name)' must be an object of options" }
            return "there is no option '--\(member.name)'"
        }
        let nearest = FancyTextCommand.command(command)?.table.nearest(to: "--\(member.name)")
        return "\(command) has no option '--\(member.name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    }

    private func option(_ member: JSONMember, of command: String, isShared: Bool) throws(CommandFailure) -> Member? {
        let place = file.location(of: member)
        let own = FancyTextCommand.command(command)?.table[member.name]
        let others = isShared && own == nil ? FancyTextCommand.commands : []
        guard let option = own ?? others.lazy.compactMap({ $0.table[member.name] }).first
        else { throw CommandFailure(Self.unknown(member, isShared ? nil : command), at: place) }
        if option.traits.contains(.notInFiles) {
            throw CommandFailure("'\(member.name)' is not allowed in a configuration file", at: place)
        }
        guard isNamed || option.traits.contains(.look) else {
            throw CommandFailure(
                "'\(member.name)' is not allowed in a file found in the working directory; "
                    + "a file that FANCYTEXT_CONFIG or --config names may set it", at: place)
        }
        return own.map { ($0, member) }
    }

    func arguments(_ option: CommandOption, _ member: JSONMember) throws(CommandFailure) -> [String] {
        do throws(RowMistake) {
            return try option.arguments(member.value) { text throws(RowMistake) in try path(text, of: option) }
        } catch {
            throw CommandFailure(error.message, at: file.location(of: member))
        }
    }

    /// A path value, relative to the configuration's folder; the file must exist.
    private func path(_ text: String, of option: CommandOption) throws(RowMistake) -> String {
        let isTheme = option.name == "theme" && ThemeChoice(rawValue: text) == nil
        guard isTheme || option.traits.contains(.path) else { return text }
        if !isNamed { return try sheet(text, isTheme ? "theme" : "style sheet") }
        let folder = file.path.lastIndex(of: "/").map { file.path[...$0] } ?? ""
        let result = text.hasPrefix("/") ? text : folder + text
        guard access(result, R_OK) == 0 else { throw RowMistake("\(result): \(String(cString: strerror(errno)))") }
        return result
    }

    /// A style sheet or theme named by a found file: a regular file below the working directory, after links are resolved.
    private func sheet(_ text: String, _ kind: String) throws(RowMistake) -> String {
        do throws(ImageError) {
            return try SandboxedFile.regularFile(text, below: ".")
        } catch {
            let problem =
                switch error {
                case .outsideBaseDirectory: "a \(kind) of \(file.path) must lie below its folder"
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
