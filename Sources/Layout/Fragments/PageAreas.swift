// The pages that a document is laid out on, and those of a finished layout.

import FancyTextBasics

/// The properties that determine the size of a page.
package struct PageKind: Hashable, Sendable {
    /// The number of the page, from 0. Even ones are right pages.
    package var number: Int
    /// The used value of `page`; empty for `auto`.
    package var name: String
    package var isBlank: Bool

    package init(number: Int, name: String = "", isBlank: Bool = false) {
        self.number = number
        self.name = name
        self.isBlank = isBlank
    }
}

/// The areas of pages within their margins, in CSS pixels.
package struct PageAreas: Sendable {
    package let size: @Sendable (PageKind) -> Size

    /// The width of the first page if it has this name, or of the others of the name.
    func width(of name: String, isFirst: Bool) -> LayoutUnit {
        LayoutUnit(size(PageKind(number: isFirst ? 0 : 2, name: name)).width)
    }

    /// The height of the first page if it has this name, or of the others of the name.
    func height(of name: String, isFirst: Bool) -> LayoutUnit {
        LayoutUnit(size(PageKind(number: isFirst ? 0 : 2, name: name)).height)
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
