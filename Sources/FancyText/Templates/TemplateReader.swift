// Parses the text of a template into its parts (mustache(5)). In: the text. Out: its parts in order, or the first mistake with
// its place. Tags that are alone on a line, except values, remove the line, as Mustache's specification says of standalone tags.

struct TemplateReader {
    private let source: [UInt8]
    private var parts: [MustacheTemplate.Part] = []
    private var opening = Array("{{".utf8)
    private var closing = Array("}}".utf8)
    /// The open sections: their parts, and the names that close them.
    private var open: [(part: Int, name: String, tag: MustacheTemplate.Tag, isInverted: Bool)] = []
    private static let depthLimit = 64

    init(source: [UInt8]) { self.source = source }

    mutating func read() throws(TemplateError) -> [MustacheTemplate.Part] {
        var (textStart, position) = (0, 0)
        while let start = find(opening, from: position) {
            let (kind, name, end) = try tag(at: start)
            var (textEnd, next) = (start, end)
            if kind != .value, kind != .raw, let line = lineAround(start..<end) {
                (textEnd, next) = (line.lowerBound, line.upperBound)
            }
            if textStart < textEnd { parts.append(.text(textStart..<textEnd)) }
            try append(kind, name, start..<end)
            (textStart, position) = (next, next)
        }
        if let section = open.last {
            throw TemplateError(
                message: "the section '\(section.name)' is not closed", offset: section.tag.range.lowerBound)
        }
        if textStart < source.count { parts.append(.text(textStart..<source.count)) }
        return parts
    }

    private enum Kind { case value, raw, section, inverted, end, comment, delimiters, partial }

    /// The kinds of tags that begin with a mark.
    private static let marks: [UInt8: Kind] = [
        UInt8(ascii: "#"): .section, UInt8(ascii: "^"): .inverted, UInt8(ascii: "/"): .end, UInt8(ascii: "!"): .comment,
        UInt8(ascii: ">"): .partial, UInt8(ascii: "&"): .raw, UInt8(ascii: "{"): .raw, UInt8(ascii: "="): .delimiters,
    ]

    /// The kind, the name and the end of the tag that begins at an offset.
    private func tag(at start: Int) throws(TemplateError) -> (kind: Kind, name: String, end: Int) {
        let inside = start + opening.count
        let mark = inside < source.count ? source[inside] : 0
        let kind = Self.marks[mark]
        var closing = closing
        if mark == UInt8(ascii: "{") { closing.insert(UInt8(ascii: "}"), at: 0) }
        if mark == UInt8(ascii: "=") { closing.insert(mark, at: 0) }
        let nameStart = inside + (kind == nil ? 0 : 1)
        guard let nameEnd = find(closing, from: nameStart) else {
            throw TemplateError(message: "the tag is not closed", offset: start)
        }
        let name = String(decoding: source[nameStart..<nameEnd], as: UTF8.self)
        return (kind ?? .value, Self.trimmed(name), nameEnd + closing.count)
    }

    private mutating func append(_ kind: Kind, _ name: String, _ range: Range<Int>) throws(TemplateError) {
        func mistake(_ message: String) -> TemplateError { TemplateError(message: message, offset: range.lowerBound) }
        switch kind {
        case .value: parts.append(.value(try makeTag(name, range)))
        case .raw: parts.append(.raw(try makeTag(name, range)))
        case .section, .inverted:
            // The syntax of Handlebars for lists.
            let isEach = kind == .section && name.hasPrefix("each ")
            let tag = try makeTag(isEach ? Self.trimmed(String(name.dropFirst(5))) : name, range)
            guard open.count < Self.depthLimit else { throw mistake("more than \(Self.depthLimit) sections are open") }
            open.append((parts.count, isEach ? "each" : name, tag, kind == .inverted))
            parts.append(.text(range.lowerBound..<range.lowerBound))
        case .end:
            guard let section = open.popLast() else { throw mistake("no section '\(name)' is open") }
            guard section.name == name else {
                var message = "the section '\(section.name)' is open, not '\(name)'"
                // The syntax of Handlebars for conditions.
                if let word = ["if ", "unless "].first(where: section.name.hasPrefix) {
                    let key = section.name.dropFirst(word.count)
                    message += "; a condition is {{#\(key)}}…{{/\(key)}}, its opposite {{^\(key)}}…{{/\(key)}}"
                }
                throw mistake(message)
            }
            parts[section.part] = .section(section.tag, isInverted: section.isInverted, end: parts.count)
        case .comment: break
        case .delimiters:
            let words = name.utf8.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }.map(Array.init)
            guard words.count == 2, words.allSatisfy({ !$0.contains(UInt8(ascii: "=")) }) else {
                throw mistake("two delimiters are needed, as in {{=<% %>=}}")
            }
            (opening, closing) = (words[0], words[1])
        case .partial: throw mistake("there are no partials: '\(name)' cannot be included")
        }
    }

    private func makeTag(_ name: String, _ range: Range<Int>) throws(TemplateError) -> MustacheTemplate.Tag {
        guard !name.isEmpty else { throw TemplateError(message: "the tag has no key", offset: range.lowerBound) }
        var path = name == "." ? [] : name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        // Handlebars' name for the current element of a list.
        if path.first == "this", open.contains(where: { $0.name == "each" }) { path.removeFirst() }
        return MustacheTemplate.Tag(name: name, path: path, range: range)
    }

    private func find(_ word: [UInt8], from: Int) -> Int? {
        (from..<max(from, source.count - word.count + 1)).first { source[$0...].starts(with: word) }
    }

    /// The line of a tag, including its line end, if it contains nothing else.
    private func lineAround(_ tag: Range<Int>) -> Range<Int>? {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var start = tag.lowerBound
        while start > 0, isBlank(source[start - 1]) { start -= 1 }
        guard start == 0 || source[start - 1] == 0x0A else { return nil }
        var end = tag.upperBound
        while end < source.count, isBlank(source[end]) { end += 1 }
        if end == source.count { return start..<end }
        if source[end] == 0x0A { return start..<end + 1 }
        guard source[end] == 0x0D, end + 1 < source.count, source[end + 1] == 0x0A else { return nil }
        return start..<end + 2
    }

    private static func trimmed(_ text: String) -> String {
        String(Substring(text.utf8.trimmed { $0 == 0x20 || (0x09...0x0D).contains($0) }))
    }
}
