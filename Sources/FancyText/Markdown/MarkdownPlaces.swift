// Places in Markdown of the bytes of the HTML that cmark-gfm made of it: it tells no places of inline contents. In: the offset of
// a byte of the HTML. Out: the offset in the Markdown of the same text, found by its contents and its number among equal texts.

import FancyTextMarkup

struct MarkdownPlaces: Sendable {
    let html, markdown: [UInt8]

    /// The byte of the Markdown from which a byte of the HTML probably comes; 0 if no text around it is in the Markdown. Linear.
    func origin(of offset: Int) -> Int {
        for (start, text) in texts(at: min(offset, html.count)) where !text.isEmpty {
            let places = Self.places(of: text, in: markdown[...])
            guard !places.isEmpty else { continue }
            let number = Self.places(of: text, in: html[..<start]).count
            return places[min(number, places.count - 1)] + max(0, offset - start)
        }
        return 0
    }

    /// A tag, which the Markdown may contain: 1 its first attribute value; and the text after it and further tags: 2 its line.
    private static let tag = Expression(#"<[^<>"]*+(?:"([^"]++)"[^<>]*+)?+>(?:\s*+<[^<>]*+>)*+\s*+([^<>&\n]{0,32})"#)
    private static let longestText = 32
    private static let longestTag = 4096

    /// The texts from which a byte may come, the most precise first: a tag of raw HTML with its text, the tag, a value, the text.
    private func texts(at offset: Int) -> [(start: Int, text: ArraySlice<UInt8>)] {
        let before = html[..<min(offset + 1, html.count)].suffix(Self.longestTag)
        let matcher = Matcher()
        guard let start = before.lastIndex(of: UInt8(ascii: "<")), !before[start...].dropLast().contains(0x3E),
            Self.tag.match(html, count: html.count, from: start, with: matcher)
        else {
            let text = html[offset...].prefix(Self.longestText).prefix { ![0x3C, 0x26, 0x0A].contains($0) }
            return [(offset, text)]
        }
        let value = matcher.group(1) ?? start..<start
        let text = matcher.group(2) ?? start..<start
        let end = html[value.upperBound...].firstIndex(of: 0x3E) ?? start
        // Tags without attributes mostly come from Markdown's own syntax.
        let tag = html[start..<(html[start..<end].contains(0x20) ? end + 1 : start)]
        let whole = html[start..<(text.isEmpty ? start : matcher.end)]
        return [
            (start, whole), (start, tag), (max(value.lowerBound, offset), html[value]),
            (max(text.lowerBound, offset), html[text]),
        ]
    }

    private static func places(of text: ArraySlice<UInt8>, in bytes: ArraySlice<UInt8>) -> [Int] {
        bytes.withUnsafeBufferPointer { bytes in
            var places: [Int] = []
            guard let base = bytes.baseAddress, let first = text.first else { return places }
            var at = firstIndex(of: first, in: base, from: 0, to: bytes.count)
            while bytes.count - at >= text.count {
                let isFound = bytes[at...].starts(with: text)
                if isFound { places.append(at) }
                at = firstIndex(of: first, in: base, from: at + (isFound ? text.count : 1), to: bytes.count)
            }
            return places
        }
    }
}
