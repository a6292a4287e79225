// How terminal text is written.

import Basics

/// Options of terminal text.
public struct ANSIOptions: Sendable {
    public enum Images: UInt8, Hashable, Sendable, CaseIterable {
        /// The alternative text.
        case none
        case halfBlocks, sixel, kitty, iTerm2
    }

    /// Width of the text in cells, at least 1.
    public var width = 80
    public var colors = TerminalColors.truecolor
    /// OSC 8 links; the caller resolves `auto`.
    public var hyperlinks = false
    public var images = Images.none
    /// CSS pixels that a cell stands for, to turn lengths into cells and lines.
    public var cellWidth: Float = 8
    public var cellHeight: Float = 18
    /// Deepest nesting of boxes that is followed; text below it is left out with a diagnostic.
    public var limits = Limits()

    public init() {}
}
