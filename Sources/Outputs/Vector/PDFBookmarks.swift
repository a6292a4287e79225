// The outline of a document: an entry for each heading, and for other elements with a level (CSS GCPM 3 §2).
//
// In: a document and its layout. Out: the bookmarks with their places.

import FancyTextBasics
import FancyTextBoxes
import FancyTextLayout
import FancyTextMarkup
import FancyTextPainting
import FancyTextWriting

package enum PDFBookmarks {
    /// Longer labels are cut, so that nested elements with a level take linear time.
    private static let longestLabel = 1000

    /// The bookmarks in document order. Linear in the boxes.
    package static func all(_ layout: LayoutTree, _ text: BoxTree, _ tree: MarkupTree) -> [DisplayDestination] {
        var result: [DisplayDestination] = []
        var last = -1
        for fragment in layout.boxes where fragment.box > last && !fragment.isAnonymous {
            last = fragment.box
            let style = text.styles[text.boxes[fragment.box].style]
            let level = style.box.bookmark.level ?? BoxContents.tag(of: fragment.box, in: text, tree).headingLevel
            guard level > 0 else { continue }
            let own = text.text[text.boxes[fragment.box].text.clamped(to: 0..<text.text.count)].prefix(longestLabel)
            let label = text.bookmarkLabels[fragment.element] ?? String(decoding: own, as: UTF8.self)
            let words = label.prefix(longestLabel).split(whereSeparator: \.isWhitespace).joined(separator: " ").filter {
                // A cut may be inside of a character.
                $0 != "\u{FFFC}" && $0 != "\u{FFFD}"
            }
            guard !words.isEmpty else { continue }
            result.append(
                DisplayDestination(
                    name: "", place: Point(x: fragment.rect.x.float, y: fragment.rect.y.float),
                    bookmark: DisplayBookmark(
                        level: level, label: words, order: fragment.box, isOpen: !style.box.bookmark.isClosed)))
        }
        return result
    }
}
