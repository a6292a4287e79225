// How terminal text is written.

import Basics

/// Options of ``ANSIWriter``.
public struct ANSIOptions: Sendable {
    /// How pictures show.
    public enum Images: UInt8, Hashable, Sendable, CaseIterable {
        /// The alternative text.
        case none
        case halfBlocks, sixel, kitty, iTerm2
    }

    /// Width of the text in cells, at least 1.
    public var width = 80
    /// What the terminal can show.
    public var colors = TerminalColors.truecolor
    /// OSC 8 links; the caller resolves `auto`.
    public var hyperlinks = false
    /// How pictures show; by default as their alternative text.
    public var images = Images.none
    /// CSS pixels that a cell stands for, to turn lengths into cells and lines.
    public var cellWidth: Float = 8
    /// CSS pixels that a line stands for.
    public var cellHeight: Float = 18
    /// Deepest nesting of boxes that is followed; text below it is left out with a diagnostic.
    public var limits = Limits()

    /// 80 columns, in full colour, without links.
    public init() {}
}
