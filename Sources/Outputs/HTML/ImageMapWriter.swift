// The links of a picture as an HTML image map (HTML §4.8.14). In: the boxes of links. Out: HTML without control characters.

import FancyTextBasics
import FancyTextWriting

package enum ImageMapWriter {
    /// A link, its rectangles in the picture in CSS pixels, and its text for `alt`.
    package typealias Link = (target: String, boxes: [Rect], text: String)

    /// Returns a fragment with the picture, whose size is in CSS pixels, and its map; every box of a link is an area.
    package static func write(_ links: [Link], picture: String, size: Size) -> [UInt8] {
        var html =
            "<img src=\"\(Notation.escaped(picture))\" width=\"\(Int(bounded: size.width.rounded(.up)))\" height=\"\(Int(bounded: size.height.rounded(.up)))\""
        html += " usemap=\"#links\" alt=\"\">\n<map name=\"links\">\n"
        for link in links {
            for box in link.boxes where !box.isEmpty {
                let edges = [box.x.rounded(.down), box.y.rounded(.down), box.maxX.rounded(.up), box.maxY.rounded(.up)]
                let coordinates = edges.map { String(max(0, Int(bounded: $0))) }.joined(separator: ",")
                html +=
                    "<area shape=\"rect\" coords=\"\(coordinates)\" href=\"\(Notation.escaped(link.target))\" alt=\"\(Notation.escaped(link.text))\">\n"
            }
        }
        return SafeText.withoutControls(Array((html + "</map>\n").utf8))
    }
}
