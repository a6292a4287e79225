// Options for writing terminal text.

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
}
