// References resolved against a base URL (RFC 3986 §5).

package struct URLReference {
    package private(set) var scheme: Substring?
    private var authority: Substring?
    private var path: Substring
    private var query: Substring?
    private var fragment: Substring?

    /// Splits by RFC 3986, appendix B; every string is a valid reference.
    package init(_ text: String) {
        var rest = Substring(text)
        func after(_ index: Substring.Index) -> Substring { rest[rest.utf8.index(after: index)...] }
        /// Cuts off the text from a mark on; returns the part after the mark.
        func cut(from mark: UInt8) -> Substring? {
            guard let index = rest.utf8.firstIndex(of: mark) else { return nil }
            defer { rest = rest[..<index] }
            return after(index)
        }
        fragment = cut(from: UInt8(ascii: "#"))
        query = cut(from: UInt8(ascii: "?"))
        if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), rest.utf8.first?.isASCIILetter == true,
            rest[..<colon].utf8.allSatisfy({ $0.isASCIIAlphanumeric || "+-.".utf8.contains($0) })
        {
            scheme = rest[..<colon]
            rest = after(colon)
        }
        if rest.utf8.starts(with: "//".utf8) {
            rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
            let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = rest[..<slash]
            rest = rest[slash...]
        }
        path = rest
    }

    /// A URL without the characters that parsers remove (URL §4.4): tabs and newlines, and C0 controls and spaces at both ends.
    package static func cleaned(_ text: String) -> String {
        let bytes = text.utf8
        guard bytes.first ?? 0 <= 0x20 || bytes.last ?? 0 <= 0x20 || bytes.contains(where: { $0 < 0x0E })
        else { return text }
        let kept = bytes.filter { ![0x09, 0x0A, 0x0D].contains($0) }
        return String(decoding: kept.trimmed { $0 <= 0x20 }, as: UTF8.self)
    }

    /// The URL of `reference` resolved against `base`, as a string (§5.2.2, §5.3).
    package static func resolve(_ reference: String, against base: String) -> String {
        var target = URLReference(reference)
        if let scheme = target.scheme, !scheme.hasPrefix("http"), !target.hasDotSegments { return reference }
        let base = URLReference(base)
        if target.scheme == nil {
            target.scheme = base.scheme
            if target.authority == nil {
                target.authority = base.authority
                if target.path.isEmpty {
                    target.path = base.path
                    if target.query == nil { target.query = base.query }
                } else if !target.path.hasPrefix("/") {
                    target.path = Substring(Self.merge(base, target.path))
                }
            }
        }
        // A URL with a scheme but no authority (mailto:, data:) has no hierarchical path to normalize.
        if target.authority != nil || target.path.hasPrefix("/") {
            target.path = Substring(Self.removeDotSegments(target.path))
        }
        return target.text
    }

    /// True if a segment of the path may be `.` or `..`.
    private var hasDotSegments: Bool {
        path.utf8.first == 0x2E || zip(path.utf8, path.utf8.dropFirst()).contains { $0 == 0x2F && $1 == 0x2E }
    }

    private static func merge(_ base: URLReference, _ path: Substring) -> String {
        if base.authority != nil, base.path.isEmpty { return "/" + path }
        guard let slash = base.path.lastIndex(of: "/") else { return String(path) }
        return String(base.path[...slash] + path)
    }

    private static func removeDotSegments(_ path: Substring) -> String {
        var result: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        for segment in segments {
            if segment == "..", result.count > 1 { result.removeLast() }
            if segment != ".", segment != ".." { result.append(segment) }
        }
        if segments.last == "." || segments.last == ".." { result.append("") }
        return result.joined(separator: "/")
    }

    private var text: String {
        var rest = String(path)
        if let query { rest += "?" + query }
        if let fragment { rest += "#" + fragment }
        let result = (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "")
        return result + (scheme?.hasPrefix("http") == true ? Self.encoded(rest) : rest)
    }

    /// The text with `%XX` for the bytes that no part of a URL contains (URL §1.3, the query percent-encode set).
    package static func encoded(_ text: String) -> String {
        func isAllowed(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && !"\"<>".utf8.contains(byte) }
        guard !text.utf8.allSatisfy(isAllowed) else { return text }
        return text.utf8.map { isAllowed($0) ? String(UnicodeScalar($0)) : $0.percentEncoded }.joined()
    }

    /// The path of an absolute URL, without slashes at its end.
    package static func path(of url: String) -> Substring {
        var path = URLReference(url).path
        while path.hasSuffix("/") { path.removeLast() }
        return path
    }

    package static func host(of url: String) -> String { String(URLReference(url).authority ?? "") }

    /// A Boolean value that indicates whether the text is an absolute http or https URL.
    package static func isRemote(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    /// The URLs of a `srcset`, resolved; descriptors are kept.
    package static func resolveSourceSet(_ text: String, against base: String) -> String {
        text.split(separator: ",").map { candidate in
            let trimmed = candidate.drop { $0.isWhitespace }
            let end = trimmed.firstIndex { $0.isWhitespace } ?? trimmed.endIndex
            return resolve(String(trimmed[..<end]), against: base) + trimmed[end...]
        }.joined(separator: ", ")
    }
}

extension UInt8 {
    /// The byte as a part of a URL that is not allowed there otherwise (URL §1.3).
    package var percentEncoded: String { (self < 16 ? "%0" : "%") + String(self, radix: 16, uppercase: true) }
}
