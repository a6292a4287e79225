// What layout is asked for, and how it fails.

import Boxes
import Markup
import Styling

/// How a document is laid out.
package struct LayoutOptions: Sendable {
    package enum VerticalAlignment: UInt8, Hashable, Sendable { case top, center, bottom }

    /// Of the canvas, CSS pixels; nil takes the contents' (`auto`).
    package var width: Float? = nil
    package var height: Float? = nil
    /// Device pixels for each CSS pixel: fonts' ascents, leading and borders are whole ones.
    package var deviceScale: Float = 1
    /// Around the document, CSS pixels.
    package var padding: Float = 0
    package var verticalAlignment = VerticalAlignment.top
    /// 0: unlimited.
    package var maxLines = 0
    /// Of the contents, CSS pixels; nil: unlimited.
    package var maxHeight: Float? = nil
    package var truncateMode = BoxStyle.TruncateMode.tail
    /// What stands for the text left out: inline contents with their own styles; nil is `…`.
    package var tail: StyledText? = nil
    /// The elements of `tail`.
    package var tailTree: MarkupTree? = nil
    /// Every paragraph's lines take the font size that fills the width.
    package var fitLines: TextStyle.FitLines? = nil
    /// Deepest nesting of boxes.
    package var depthLimit = 512
    /// Widest canvas for `width` auto.
    package var widestAutomatic: Float = 16384

    package init() {}
}

/// Why a document cannot be laid out.
package enum LayoutError: Error, Hashable {
    /// The tail of the truncation is wider than the line it has to fit in.
    case tailDoesNotFit
}
