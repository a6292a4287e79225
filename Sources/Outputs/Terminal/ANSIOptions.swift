// How terminal text is written.

import FancyTextBasics

/// Options of terminal text.
public struct ANSIOptions: Sendable {
    /// How pictures show.
    public enum Images: UInt8, Hashable, Sendable, CaseIterable {
        /// The alternative text.
        case none
        case halfBlocks, sixel, kitty, iTerm2
    }

    /// How links show where they cannot be clicked.
    public enum Links: String, Hashable, Sendable, CaseIterable {
        /// By their text alone.
        case none
        /// Followed by their targets.
        case inline
        /// Followed by the numbers of notes at the end.
        case footnotes
    }

    /// Width of the text in cells, at least 1.
    public var width = 80
    /// What the terminal can show.
    public var colors = TerminalColors.truecolor
    /// The text goes to a program that reads few escape sequences, such as a mail reader: each has one attribute, none is
    /// switched off but by a reset, and all underlines are single.
    public var isForPipe = false
    /// The terminal's own background: text is made to stand out from it by a contrast of 4.5:1.
    public var background = TerminalBackground.unknown
    /// The colours of headings, links and code; nil for those that suit the background.
    public var theme: TerminalTheme?
    /// OSC 8 links; the caller resolves `auto`. Only `http`, `https`, `mailto` and `file` are linked to.
    public var hyperlinks = false
    /// What is written of the targets of links.
    public var links = Links.none
    /// What relative links count from, below the document's own `<base>`; nil leaves them out.
    public var base: String?
    /// Tables and preformatted lines may reach beyond the width.
    public var isWide = false
    /// How pictures show; by default as their alternative text.
    public var images = Images.none
    /// Pictures' sequences are wrapped for tmux to hand them on (`allow-passthrough`).
    public var passesThroughTmux = false
    /// CSS pixels that a cell stands for, to turn lengths into cells and lines.
    public var cellWidth: Float = 8
    /// CSS pixels that a line stands for.
    public var cellHeight: Float = 18
    /// Pixels of the screen that a cell has, for sixels.
    public var cellPixelWidth = 8
    /// Pixels of the screen that a cell has, for sixels.
    public var cellPixelHeight = 18

    /// 80 columns, in full colour, without links.
    public init() {}
}
