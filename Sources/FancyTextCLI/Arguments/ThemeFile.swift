// Reads a terminal's colours from a file: JSON with colours by role, and the terminal's background.
//
// In: the value of --theme. Out: a background and colours of roles, or an error with its position in the file.

import ArgumentParser
import FancyText

/// The value of --theme: the name of a background, or a file of colours.
struct ThemeFile {
    /// The background; nil to query the terminal.
    private(set) var background: TerminalBackground?
    private var colors: [(role: TerminalTheme.Role, color: Color)] = []
    private static let sizeLimit = 1 << 20

    /// - Throws: if the value is neither a name nor a file of colours.
    init(_ value: String?) throws {
        switch value.map(ThemeChoice.init(rawValue:)) {
        case nil, .auto: return
        case .light: background = .light
        case .dark: background = .dark
        case .some(nil):
            guard let value, value.contains(".") || value.contains("/") else {
                throw ValidationError(
                    "The value '\(value ?? "")' is invalid for '--theme': choose one of \(ThemeChoice.listed), "
                        + "or name a file of colours (colours.json).")
            }
            try read(value)
        }
    }

    /// The default theme for a background, with the file's colours; nil if no file was given.
    func theme(on background: TerminalBackground) -> TerminalTheme? {
        guard !colors.isEmpty else { return nil }
        var theme = TerminalTheme(background)
        for (role, color) in colors { theme[role] = color }
        return theme
    }

    private mutating func read(_ path: String) throws(CommandFailure) {
        let file = try JSONFile(path, FileAccess.read(path, limit: Self.sizeLimit), contents: "a theme")
        for member in file.members {
            let place = file.location(of: member)
            guard case .string(let text) = member.value else {
                throw CommandFailure("'\(member.name)' must be a CSS colour", at: place)
            }
            if member.name == "background", let named = ThemeChoice(rawValue: text) {
                background = named == .auto ? nil : named == .light ? .light : .dark
                continue
            }
            guard let color = Color(css: text) else { throw CommandFailure("'\(text)' is not a CSS colour", at: place) }
            if member.name == "background" {
                background = .color(color)
            } else if let role = TerminalTheme.Role(rawValue: member.name) {
                colors.append((role, color))
            } else {
                let roles = (["background"] + TerminalTheme.Role.allCases.map(\.rawValue)).joined(separator: ", ")
                throw CommandFailure("a theme has no '\(member.name)': choose from \(roles)", at: place)
            }
        }
    }
}
