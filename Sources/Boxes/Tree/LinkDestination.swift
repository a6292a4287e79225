// Decides which links an output may offer. In: a link's target as written. Out: the URL to write, or nil.

import FancyTextBasics

/// The destination of a link as interpreted by a URL parser.
package struct LinkDestination: Equatable {
    /// The target without the characters that URL parsers remove.
    package let url: String
    /// The scheme in lower case; `nil` for a relative reference.
    package var scheme: String? { URLReference(url).scheme?.lowercased() }

    package init(_ target: String) { url = URLReference.cleaned(target) }

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
