// Options for terminal text.
//
// In: options as text. Out: `ANSIOptions`, or an error that names the option.

import FancyTextOutputs
import FancyTextWriting

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

    let base = Setting(
        "base", "Resolve the URLs of links against this one (default: the file's own place).", value: "url", on: .ansi)

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
    func options(
        _ choice: ColorChoice, descriptor: Int32, isShown: Bool, isFile: Bool, hasPictures: Bool?
    ) throws -> ANSIOptions {
        let terminal = Terminal(descriptor: descriptor, choice: choice, isFile: isFile)
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
        switch try hyperlinks.choice() ?? ColorChoice.auto {
        case .auto: options.hyperlinks = terminal.hasLinks
        case .always: options.hyperlinks = true
        case .never: options.hyperlinks = false
        }
        options.links = try links.choice() ?? .none
        options.isWide = wide
        options.opensDetails = try details.choice() != DetailsChoice.closed
        options.base = try base.baseURL
        return options
    }

    var chosenColor: ColorChoice { get throws { try color.choice() ?? .auto } }
}
