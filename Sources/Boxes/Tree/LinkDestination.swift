// Decides which links an output may offer. In: a link's target as written. Out: the URL to write, or nil.

import FancyTextBasics

/// The destination of a link as interpreted by a URL parser.
package struct LinkDestination: Equatable {
    /// The target without the characters that URL parsers remove (URL §4.4): tabs and newlines, and C0 controls and spaces at both
    /// ends.
    package let url: String
    /// The scheme in lower case; `nil` for a relative reference.
    package var scheme: String? { URLReference(url).scheme?.lowercased() }

    package init(_ target: String) {
        let kept = target.utf8.filter { ![0x09, 0x0A, 0x0D].contains($0) }
        url = String(decoding: kept.trimmed { $0 <= 0x20 }, as: UTF8.self)
    }

    /// Returns the URL of a link that pictures, Markdown and image maps may offer: a relative one, or one with a scheme that
    /// opens a page, an e-mail or a call. Returns `nil` for others, including `javascript:` and `data:`.
    package static func offered(_ target: String) -> String? {
        let destination = LinkDestination(target)
        switch destination.scheme {
        case nil, "http", "https", "mailto", "tel": return destination.url
        default: return nil
        }
    }

    /// A Boolean value that indicates whether following the link runs a script or shows a document from the link itself: HTML or
    /// XML. SVG is a picture where an element shows pictures.
    package var isScript: Bool {
        switch scheme {
        case "javascript", "vbscript": return true
        case "data":
            let type = url.dropFirst("data:".count).prefix { $0 != "," && $0 != ";" }.lowercased()
            return type.hasPrefix("text/html") || type.hasSuffix("/xml")
                || type.hasSuffix("+xml") && type != "image/svg+xml"
        default: return false
        }
    }
}
