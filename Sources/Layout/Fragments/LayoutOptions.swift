// The options of layout, and the pages of a finished one.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup

package struct LayoutOptions: Sendable {
    package enum VerticalAlignment: UInt8, Hashable, Sendable { case top, center, bottom }

    /// The width of the canvas in CSS pixels; nil takes it from the contents (`auto`).
    package var width: Float? = nil
    package var height: Float? = nil
    /// The pages that the document is broken into; nil for one canvas.
    package var pages: PageAreas? = nil
    /// Device pixels for each CSS pixel. Fonts' ascents, leading and borders are rounded to device pixels.
    package var deviceScale: Float = 1
    /// The space around the document in CSS pixels.
    package var padding: Float = 0
    package var verticalAlignment = VerticalAlignment.top
    /// The most lines; 0 for no limit.
    package var maxLines = 0
    /// The most height of the contents in CSS pixels; nil for no limit.
    package var maxHeight: Float? = nil
    package var truncateMode = BoxStyle.TruncateMode.tail
    /// The tail in place of omitted text: inline contents with their own styles; nil is `…`.
    package var tail: BoxTree? = nil
    /// The elements of `tail`.
    package var tailTree: MarkupTree? = nil
    /// Scales the font of every paragraph's lines so that they fill the width.
    package var fitLines: TextStyle.FitLines? = nil
    /// The number of bytes of text that are prepared at first if lines are limited; more are prepared if needed.
    package var prefixLength = 4096
    /// The deepest nesting of boxes.
    package var depthLimit = 512

    package init() {}

    var limitsLines: Bool { maxLines > 0 || maxHeight != nil }
}

/// The properties that determine the size of a page.
package struct PageKind: Hashable, Sendable {
    /// The number of the page, from 0. Even ones are right pages.
    package var number: Int
    /// The used value of `page`; empty for `auto`.
    package var name: String
    package var isBlank: Bool

    /// A page after the first that is not chosen by its number, for sizes that all pages share.
    package static let usual = PageKind(number: 1_000_000)

    package init(number: Int, name: String = "", isBlank: Bool = false) {
        (self.number, self.name, self.isBlank) = (number, name, isBlank)
    }
}

/// The areas of pages within their margins, in CSS pixels.
package struct PageAreas: Sendable {
    package let size: @Sendable (PageKind) -> Size

    /// The size of the first page if it has this name, or of the others of the name.
    func area(of name: String, isFirst: Bool) -> (width: LayoutUnit, height: LayoutUnit) {
        let size = size(PageKind(number: isFirst ? 0 : PageKind.usual.number, name: name))
        return (LayoutUnit(size.width), LayoutUnit(size.height))
    }

    package init(_ size: @escaping @Sendable (PageKind) -> Size) { self.size = size }
}

/// A page of a finished layout: the part of the canvas that it shows.
package struct LayoutPage: Hashable, Sendable {
    package var top, width, height: LayoutUnit
    /// The used value of `page`; empty for `auto`.
    package var name: String
    /// True for a page that a forced break to a left or right page leaves empty.
    package var isBlank: Bool
    var footnotes = LayoutUnit.zero

    var contentHeight: LayoutUnit { (height - footnotes).nonNegative }

    /// The top of the next page: pages begin at whole pixels, to which boxes snap.
    var bottom: LayoutUnit { LayoutUnit((top + height).ceil) }
}
