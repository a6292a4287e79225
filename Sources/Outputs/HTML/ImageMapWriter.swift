// The links of a picture as an HTML image map (HTML §4.8.14).

import FancyTextBasics
import FancyTextPainting
import FancyTextWriting

/// A link and its rectangle in the picture, in CSS pixels.
package struct LinkArea: Hashable, Sendable {
    package var target: String
    package var boxes: [Rect]
    /// The link's text, for `alt`.
    package var text: String

    package init(target: String, boxes: [Rect], text: String) {
        self.target = target
        self.boxes = boxes
        self.text = text
    }
}

package enum ImageMapWriter {
    /// Returns a fragment with the picture and its map; every box of a link is an area.
    /// - Parameter size: the size of the picture in CSS pixels.
    package static func write(_ links: [LinkArea], picture: String, size: Size, name: String = "links") -> [UInt8] {
        var html =
            "<img src=\"\(Notation.escaped(picture))\" width=\"\(Int(bounded: size.width.rounded(.up)))\" height=\"\(Int(bounded: size.height.rounded(.up)))\""
        html += " usemap=\"#\(Notation.escaped(name))\" alt=\"\">\n<map name=\"\(Notation.escaped(name))\">\n"
        for link in links {
            for box in link.boxes where !box.isEmpty {
                let edges = [box.x.rounded(.down), box.y.rounded(.down), box.maxX.rounded(.up), box.maxY.rounded(.up)]
                let coordinates = edges.map { String(max(0, Int(bounded: $0))) }.joined(separator: ",")
                html +=
                    "<area shape=\"rect\" coords=\"\(coordinates)\" href=\"\(Notation.escaped(link.target))\" alt=\"\(Notation.escaped(link.text))\">\n"
            }
        }
        return Array((html + "</map>\n").utf8)
    }
}
