// Options for terminal text.
// In: options as text. Out: `ANSIOptions`, or an error that names the option.

import ArgumentParser
import FancyText

struct TerminalArguments: Arguments {
    let color = Setting("color", "Use colour and styles (default: auto).", choices: ColorChoice.listed, traits: .look)

    let theme = Setting(
        "theme",
        "The terminal's background, or a file of colours; auto asks the terminal, then COLORFGBG (default: auto).",
        value: "auto|light|dark|file", choices: ThemeChoice.listed, on: .ansi, traits: .look)

    let hyperlinks = Setting(
        "hyperlinks", "Clickable links (default: auto).", choices: ColorChoice.listed, on: .ansi, traits: .look)

    let links = Setting(
        "links", "Write the targets of links, after each or as notes at the end (default: none).",
        choices: LinkStyle.listed, on: .ansi, traits: .look)

    let images = Setting(
        "images", "How pictures show; auto is what the terminal can, else the alternative text (default: auto).",
        choices: ImageChoice.listed, on: .ansi, traits: .look)

    let details = Setting(
        "details", "Show the contents of closed details, or only their summaries (default: open).",
        choices: DetailsChoice.listed, on: .ansi, traits: .look)

    @Switch("wide", "Let tables and lines of code be wider than the terminal.", on: .ansi, traits: .look) var wide
    @Switch("pager", "Show the text in PAGER, else in less.", on: .ansi, traits: .program) var pager

    /// The options for writing terminal text.
    ///
    /// - Parameter hasPictures: whether the terminal is queried for its pictures too; `nil` queries nothing.
    func options(_ choice: ColorChoice, isShown: Bool, isFile: Bool, hasPictures: Bool?) throws -> ANSIOptions {
        let terminal = Terminal(choice, isFile: isFile)
        var options = terminal.options
        let theme = try ThemeFile(theme.text)
        let images = try images.choice() ?? ImageChoice.auto
        if isShown {
            options.width = Terminal.columns()
            if let hasPictures {
                terminal.complete(&options, background: theme.background, images: images, hasPictures: hasPictures)
            }
        }
        options.theme = theme.theme(on: options.background)
        let clickable = try hyperlinks.choice() ?? ColorChoice.auto
        options.hyperlinks = clickable == .auto ? terminal.hasLinks : clickable == .always
        options.links = try links.choice() ?? .none
        options.isWide = wide
        options.opensDetails = try details.choice() != DetailsChoice.closed
        return options
    }
}

/// The value of --theme: the name of a background, or a file of colours.
struct ThemeFile {
    /// The background; nil to query the terminal.
    private(set) var background: TerminalBackground?
    private var colors: [(role: TerminalTheme.Role, color: Color)] = []

    init(_ value: String?) throws {
        guard let value else { return }
        if let choice = ThemeChoice(rawValue: value) {
            background = choice.background
        } else if value.contains(".") || value.contains("/") {
            try read(value)
        } else {
            let form = "choose one of \(ThemeChoice.listed), or name a file of colours (colours.json)"
            throw ValidationError(value: value, of: "--theme", form)
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
        let file = try JSONFile(path, FileAccess.read(path, limit: 1 << 20), contents: "a theme")
        for member in file.members {
            let place = file.location(of: member)
            guard case .string(let text) = member.value
            else { throw CommandFailure("'\(member.name)' must be a CSS colour", at: place) }
            if member.name == "background", let named = ThemeChoice(rawValue: text) {
                background = named.background
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
