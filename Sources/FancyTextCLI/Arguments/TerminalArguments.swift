// Options for terminal text.
//
// In: options as text. Out: `ANSIOptions`, or an error that names the option.

import ArgumentParser
import FancyText
import FancyTextOutputs

struct TerminalArguments: DirectArguments {
    @Option(
        help: ArgumentHelp("Use colour and styles (default: auto).", valueName: ColorChoice.listed),
        completion: ColorChoice.completion)
    var color: String?

    @Option(
        help: ArgumentHelp(
            "The terminal's background, or a file of colours; auto asks the terminal, then COLORFGBG (default: auto).",
            valueName: "\(ThemeChoice.listed)|file"), completion: ThemeChoice.completion)
    var theme: String?

    @Option(
        help: ArgumentHelp("Clickable links (default: auto).", valueName: ColorChoice.listed),
        completion: ColorChoice.completion)
    var hyperlinks: String?

    @Option(
        help: ArgumentHelp(
            "Write where links lead, behind each or as notes at the end (default: none).", valueName: LinkStyle.listed),
        completion: LinkStyle.completion)
    var links: String?

    @Option(
        help: ArgumentHelp(
            "Resolve the URLs of links against this one (default: the file's own place).", valueName: "url"))
    var base: String?

    @Option(
        help: ArgumentHelp(
            "How pictures show; auto is what the terminal can, else the alternative text (default: auto).",
            valueName: ImageChoice.listed), completion: ImageChoice.completion)
    var images: String?

    @Flag(help: "Let tables and lines of code be wider than the terminal.")
    var wide = false

    @Flag(help: "Show the text in PAGER, else in less.")
    var pager = false

    mutating func bind(_ given: inout GivenArguments) {
        color = given.option("color")
        theme = given.option("theme")
        hyperlinks = given.option("hyperlinks")
        links = given.option("links")
        base = given.option("base")
        images = given.option("images")
        wide = given.flag("wide")
        pager = given.flag("pager")
    }

    /// The options for writing terminal text.
    ///
    /// - Parameters:
    ///   - choice: whether it has colours.
    ///   - isShown: whether it goes to a terminal, which is then queried for its features.
    ///   - isFile: whether it goes to a file.
    func options(
        _ choice: ColorChoice, descriptor: Int32, isShown: Bool, isFile: Bool
    ) throws -> ANSIOptions {
        let terminal = Terminal(descriptor: descriptor, choice: choice, isFile: isFile)
        var options = terminal.options
        let theme = try ThemeFile(theme)
        let images = try OptionText("--images", images).choice() ?? ImageChoice.auto
        if isShown {
            options.width = Terminal.columns()
            terminal.complete(&options, background: theme.background, images: images)
        }
        options.theme = theme.theme(on: options.background)
        switch try OptionText("--hyperlinks", hyperlinks).choice() ?? ColorChoice.auto {
        case .auto: options.hyperlinks = terminal.hasLinks
        case .always: options.hyperlinks = true
        case .never: options.hyperlinks = false
        }
        switch try OptionText("--links", links).choice() ?? LinkStyle.none {
        case .none: options.links = .none
        case .inline: options.links = .inline
        case .footnotes: options.links = .footnotes
        }
        options.isWide = wide
        options.base = base
        return options
    }

    var chosenColor: ColorChoice {
        get throws { try OptionText("--color", color).choice() ?? .auto }
    }
}
