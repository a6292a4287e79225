// Options for writing terminal text, and the colours of text that a page leaves uncoloured: headings, links, code.

import FancyTextCSS
import FancyTextWriting

/// Options of terminal text.
public struct ANSIOptions: Sendable {
    /// The ways to show pictures.
    public enum Images: UInt8, Hashable, Sendable, CaseIterable {
        /// The alternative text.
        case none
        case halfBlocks, sixel, kitty, iTerm2
    }

    /// The width of the text in cells, at least 1.
    public var width = 80
    /// The colours that the terminal supports.
    public var colors = TerminalColors.truecolor
    /// True if the text goes to a program that reads few escape sequences, such as a mail reader: each sequence has one
    /// attribute, attributes are only switched off by a reset, and all underlines are single.
    public var isForPipe = false
    /// The terminal's own background; text gets a contrast of at least 4.5:1 with it.
    public var background = TerminalBackground.unknown
    /// The colours of headings, links and code; nil selects colours for the background.
    public var theme: TerminalTheme?
    /// True to write OSC 8 links; the caller resolves `auto`. Only `http`, `https`, `mailto` and `file` are linked to.
    public var hyperlinks = false
    /// How the targets of links that cannot be clicked are written.
    public var links = LinkStyle.none
    /// The base of relative links, in addition to the document's own `<base>`; nil leaves relative links out.
    public var base: String?
    /// True if closed `details` show their contents, because nothing can open them on a terminal.
    public var opensDetails = true
    /// True if tables and preformatted lines may exceed the width.
    public var isWide = false
    /// How pictures are shown; by default as their alternative text.
    public var images = Images.none
    /// True if the sequences of pictures are wrapped, so that tmux passes them through (`allow-passthrough`).
    public var passesThroughTmux = false
    /// The width of a cell in CSS pixels, for converting lengths to cells.
    public var cellWidth: Float = 8
    /// The height of a line in CSS pixels.
    public var cellHeight: Float = 18
    /// The width of a cell in screen pixels, for sixels.
    public var cellPixelWidth = 8
    /// The height of a cell in screen pixels, for sixels.
    public var cellPixelHeight = 18

    /// 80 columns, in full colour, without links.
    public init() {}

    var colorTheme: TerminalTheme { theme ?? TerminalTheme(background) }
}

/// The colours of a terminal's text by role. Text keeps a contrast of 4.5:1 with any theme.
public struct TerminalTheme: Hashable, Sendable {
    /// The roles that have a colour.
    public enum Role: String, Hashable, Sendable, CaseIterable {
        case heading, link, code
        /// Bars beside quotations.
        case frame
        /// Tokens of source code.
        case keyword, string, comment, number, name
        /// Lines of a difference.
        case inserted, deleted
        /// The background of code.
        case codeBackground = "code-background"
    }

    private var colors: [Role: Color] = [:]

    /// The colour of a role; nil is none, such as for the background of code if the terminal's background is unknown.
    public subscript(role: Role) -> Color? {
        get { colors[role] }
        set { colors[role] = newValue }
    }

    /// The default theme for a background.
    public init(_ background: TerminalBackground) {
        let isLight = background.isKnown && !background.isDark
        for (role, onDark, onLight) in Self.table { colors[role] = Color(rgb: isLight ? onLight : onDark) }
        guard case .color(let own) = background else { return }
        colors[.codeBackground] = isLight ? own.mixed(with: .black, 0.06) : own.mixed(with: .white, 0.09)
    }

    private static let table: [(role: Role, onDark: UInt32, onLight: UInt32)] = [
        (.heading, 0x56C8D8, 0x00607A), (.link, 0x7AB0FF, 0x0B57D0), (.code, 0xE5A55B, 0x9A3B00),
        (.frame, 0x8C99AB, 0x5F6B7A), (.keyword, 0xD08BEA, 0x8B1FA9), (.string, 0x8CC265, 0x1B6E20),
        (.comment, 0x8FA0A8, 0x5F6B7A), (.number, 0xE5A55B, 0x9A3B00), (.name, 0x7AB0FF, 0x0B57D0),
        (.inserted, 0x8CC265, 0x1B6E20), (.deleted, 0xFF8A80, 0xB3261E),
    ]
}
