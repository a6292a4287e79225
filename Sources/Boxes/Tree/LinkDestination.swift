// Decides which links an output may offer. In: a link's target as written. Out: the URL to write, or nil.

/// The destination of a link as interpreted by a URL parser.
package struct LinkDestination: Equatable {
    /// The target without the characters that URL parsers remove (URL §4.4): tabs and newlines, and C0 controls and spaces at both
    /// ends.
    package let url: String
    /// The scheme in lower case; `nil` for a relative reference.
    package let scheme: String?

    package init(_ target: String) {
        guard target.utf8.contains(where: { $0 <= 0x20 }) else {
            url = target
            scheme = Self.scheme(of: target)
            return
        }
        var scalars = target.unicodeScalars.filter { ![0x09, 0x0A, 0x0D].contains($0.value) }
        if let start = scalars.firstIndex(where: { $0.value > 0x20 }) {
            scalars.removeSubrange(..<start)
        } else {
            scalars.removeAll()
        }
        while let last = scalars.last, last.value <= 0x20 { scalars.removeLast() }
        url = String(String.UnicodeScalarView(scalars))
        scheme = Self.scheme(of: url)
    }

    private static func scheme(of url: String) -> String? {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = url[..<colon].lowercased()
        guard let first = name.utf8.first, (0x61...0x7A).contains(first) else { return nil }
        let isScheme = name.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
        }
        return isScheme ? name : nil
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
