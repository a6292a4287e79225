// What layout is asked for, and how it fails.

import FancyTextBoxes
import FancyTextMarkup
import FancyTextStyling

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
    /// Bytes of text that are prepared at first where lines are limited; as much as is needed in the end.
    package var prefixLength = 4096
    /// Deepest nesting of boxes.
    package var depthLimit = 512
    /// Widest canvas for `width` auto.
    package var widestAutomatic: Float = 16384

    package init() {}

    var limitsLines: Bool { maxLines > 0 || maxHeight != nil }

    /// What a limit of lines leaves of a paragraph does not depend on how the paragraph goes on after it.
    var keepsStartsOfParagraphs: Bool {
        guard fitLines == nil else { return false }
        return switch truncateMode {
        case .tail, .word, .clip: true
        case .head, .middle: false
        }
    }
}
