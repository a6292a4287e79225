// Templates with Mustache's tags (mustache(5)): values, sections, inverted sections, comments, changed delimiters. In: the text
// of a template, then rows of data. Out: for each row its values and the text with sections resolved, in which a numbered mark
// replaces each value. The values are inserted after the text has been parsed, so nothing of a row is ever read as markup; only
// `{{{raw}}}` values are part of the text.

import FancyTextMarkup

/// The reason why a template, or a row in it, cannot be used.
public struct TemplateError: Error, Hashable, CustomStringConvertible {
    package var message: String
    /// The byte offset in the template.
    public package(set) var offset: Int
    /// The names that there are instead of a missing one, after the message and its place.
    package var note = ""

    /// The mistake, in words.
    public var description: String { message }
}

package struct MustacheTemplate: Sendable {
    /// The content of a pair of delimiters.
    struct Tag: Sendable {
        /// The key as written, which may contain spaces and dots; `.` is the value of the enclosing section.
        var name: String
        /// The key's parts between dots.
        var path: [String]
        /// The range of the tag in the source, including its delimiters.
        var range: Range<Int>
    }

    enum Part: Sendable {
        case text(Range<Int>)
        case value(Tag)
        case raw(Tag)
        /// A section; the parts of its contents follow, up to `end`.
        case section(Tag, isInverted: Bool, end: Int)
    }

    package let source: [UInt8]
    private(set) var parts: [Part] = []
    /// True if rows differ only in values: there are no sections and no raw values.
    package private(set) var isFixed = true

    /// The keys of all tags, and the first components of keys with dots.
    package private(set) var keys: Set<String> = []

    /// A template with its sections resolved for a row.
    struct Expansion {
        /// The text, with a mark for each value.
        var text: [UInt8] = []
        /// The values, by the numbers of their marks.
        var values: [String] = []
        /// The tags of the values, as ranges of the template.
        var places: [Range<Int>] = []
        /// The number of bytes of the text and the values, and of repetitions of sections.
        private var work = 0
        fileprivate var allowedWork = Int.max
        /// The start of each piece in the text and in the template, in ascending order.
        fileprivate var origins: [(text: Int, template: Int, isCopied: Bool)] = []

        fileprivate mutating func append(_ range: Range<Int>, of source: [UInt8]) {
            origins.append((text.count, range.lowerBound, true))
            text += source[range]
            work += range.count
        }

        /// The byte of the template that a byte of the text comes from; the start of its tag if a row inserted it.
        func origin(of offset: Int) -> Int {
            let next = origins.partitioningIndex { $0.text > offset }
            guard next > 0 else { return 0 }
            let piece = origins[next - 1]
            return piece.template + (piece.isCopied ? offset - piece.text : 0)
        }

        fileprivate mutating func spend(_ bytes: Int, at tag: Tag) throws(TemplateError) {
            work += bytes
            guard work > allowedWork else { return }
            let option = "--limit \(Budget.generatedText.rawValue)=N"
            throw TemplateError(
                message: "the row makes more than \(allowedWork) bytes of text (\(option))",
                offset: tag.range.lowerBound)
        }

        fileprivate mutating func mark(_ tag: Tag) {
            origins.append((text.count, tag.range.lowerBound, false))
            text += ValueMark.bytes(of: places.count)
            places.append(tag.range)
        }
    }

    /// Parses a template. O(n).
    ///
    /// - Throws: ``TemplateError`` for an unclosed tag or section, and for partials.
    package init(_ source: [UInt8]) throws(TemplateError) {
        self.source = ValueMark.removed(from: source)
        var reader = TemplateReader(source: self.source)
        parts = try reader.read()
        for part in parts {
            switch part {
            case .text: break
            case .value(let tag): note(tag)
            case .raw(let tag), .section(let tag, _, _):
                note(tag)
                isFixed = false
            }
        }
    }

    private mutating func note(_ tag: Tag) {
        keys.insert(tag.name)
        if let first = tag.path.first { keys.insert(first) }
    }

    /// The text and the values of a row. Without a row, all values of a template that ``isFixed`` are empty.
    /// O(template + repetitions of lists).
    ///
    /// - Parameter limit: bytes of text that rows may make in addition to 16 for each byte of the template and the row. Nested
    ///   lists multiply, and so does a long value in many places: 64 KB could expand to gigabytes.
    /// - Throws: ``TemplateError`` for a value that the row does not have, or that is no text, and for too much text.
    func expand(_ row: JSONValue?, limit: Int) throws(TemplateError) -> Expansion {
        var result = Expansion()
        var contexts = row.map { [$0] } ?? []
        let sum = limit.addingReportingOverflow(16 * (source.count + (row?.textLength ?? 0)))
        if !sum.overflow { result.allowedWork = sum.partialValue }
        try expand(parts[...], &contexts, into: &result)
        return result
    }

    private func expand(
        _ parts: ArraySlice<Part>, _ contexts: inout [JSONValue], into result: inout Expansion
    ) throws(TemplateError) {
        var index = parts.startIndex
        while index < parts.endIndex {
            defer { index += 1 }
            switch parts[index] {
            case .text(let range):
                result.append(range, of: source)
            case .value(let tag):
                let value = try text(of: tag, contexts)
                try result.spend(value.utf8.count + tag.range.count, at: tag)
                result.values.append(value)
                result.mark(tag)
            case .raw(let tag):
                let value = try text(of: tag, contexts)
                try result.spend(value.utf8.count, at: tag)
                result.origins.append((result.text.count, tag.range.lowerBound, false))
                result.text += ValueMark.removed(from: Array(value.utf8))
            case .section(let tag, let isInverted, let end):
                let contents = parts[(index + 1)..<end]
                index = end - 1
                let value = Self.find(tag, contexts).flatMap { $0.isTruthy ? $0 : nil }
                if isInverted, value == nil { try expand(contents, &contexts, into: &result) }
                // A list is one context for each element, any other value is one context.
                for element in isInverted ? [] : value?.elements ?? [] {
                    contexts.append(element)
                    defer { contexts.removeLast() }
                    try expand(contents, &contexts, into: &result)
                    // Repeating empty contents also takes time.
                    try result.spend(1, at: tag)
                }
            }
        }
    }

    private func text(of tag: Tag, _ contexts: [JSONValue]) throws(TemplateError) -> String {
        if contexts.isEmpty { return "" }
        guard let value = Self.find(tag, contexts) else {
            let owner = contexts.count > 1 ? "item" : "row"
            throw TemplateError(
                message: "there is no '\(tag.name)'" + (tag.name.hasPrefix("@") ? " in Mustache" : ""),
                offset: tag.range.lowerBound,
                note: contexts.last?.membersNote(owner) ?? "")
        }
        guard let text = value.text else {
            throw TemplateError(
                message: "'\(tag.name)' is no text; a section {{#\(tag.name)}} shows what is in it",
                offset: tag.range.lowerBound)
        }
        return text
    }

    /// A key's value in the innermost context that has it. For a key with dots, the innermost context that has its first
    /// component is used. If no context has it, the whole key may be a name with dots, such as a column's.
    private static func find(_ tag: Tag, _ contexts: [JSONValue]) -> JSONValue? {
        guard let name = tag.path.first else { return contexts.last }
        let innermost = contexts.reversed().lazy
        if let value = innermost.compactMap({ $0.member(name) }).first {
            return tag.path.dropFirst().reduce(value) { $0?.member($1) }
        }
        return tag.path.count > 1 ? innermost.compactMap { $0.member(tag.name) }.first : nil
    }
}

/// Parses the text of a template into its parts in order, or throws the first mistake. Tags that are alone on a line, except values,
/// remove the line, as Mustache's specification says of standalone tags.
private struct TemplateReader {
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

    private static let marks: [UInt8: Kind] = [
        UInt8(ascii: "#"): .section, UInt8(ascii: "^"): .inverted, UInt8(ascii: "/"): .end, UInt8(ascii: "!"): .comment,
        UInt8(ascii: ">"): .partial, UInt8(ascii: "&"): .raw, UInt8(ascii: "{"): .raw, UInt8(ascii: "="): .delimiters,
    ]

    private func tag(at start: Int) throws(TemplateError) -> (kind: Kind, name: String, end: Int) {
        let inside = start + opening.count
        let mark = inside < source.count ? source[inside] : 0
        let kind = Self.marks[mark]
        var closing = closing
        if mark == UInt8(ascii: "{") { closing.insert(UInt8(ascii: "}"), at: 0) }
        if mark == UInt8(ascii: "=") { closing.insert(mark, at: 0) }
        let nameStart = inside + (kind == nil ? 0 : 1)
        guard let nameEnd = find(closing, from: nameStart)
        else { throw TemplateError(message: "the tag is not closed", offset: start) }
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
            guard words.count == 2, words.allSatisfy({ !$0.contains(UInt8(ascii: "=")) })
            else { throw mistake("two delimiters are needed, as in {{=<% %>=}}") }
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

extension JSONValue {
    /// The names of a row's or an item's members, after a message about a missing one.
    package func membersNote(_ owner: String) -> String {
        guard case .object(let members) = self, !members.isEmpty else { return "" }
        let names = members.prefix(12).map { "'\($0.name.prefix(40))'" }.joined(separator: ", ")
        return "; the \(owner) has \(names)\(members.count > 12 ? ", …" : "")"
    }

    /// The text that a document shows for a value; nil for arrays and objects.
    var text: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null: ""
        case .array, .object: nil
        }
    }

    /// The number of bytes of all names and values.
    fileprivate var textLength: Int {
        switch self {
        case .null, .bool: 4
        case .number(let text), .string(let text): text.utf8.count
        case .array(let elements): elements.reduce(0) { $0 + $1.textLength + 1 }
        case .object(let members): members.reduce(0) { $0 + $1.name.utf8.count + $1.value.textLength }
        }
    }

    /// True if a section shows its contents. CSV has no `false`, so an empty text is false.
    fileprivate var isTruthy: Bool {
        switch self {
        case .null, .bool(false): false
        case .string(let text): !text.isEmpty
        case .array(let elements): !elements.isEmpty
        case .bool(true), .number, .object: true
        }
    }
}

/// The mark for a value in a text: its number between two noncharacters of Unicode, which no text contains.
enum ValueMark {
    private static let start: [UInt8] = [0xEF, 0xB7, 0x90]
    private static let end: [UInt8] = [0xEF, 0xB7, 0x91]
    /// A mark: 1 its number.
    private static let mark = Expression(#"\xEF\xB7\x90([0-9]{1,12})\xEF\xB7\x91"#, anchored: false)

    static func bytes(of number: Int) -> [UInt8] { start + Array(String(number).utf8) + end }

    static func isIn(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count > 6 else { return false }
        return (0..<bytes.count - 2).contains { bytes[$0] == 0xEF && bytes[$0 + 1] == 0xB7 && bytes[$0 + 2] == 0x90 }
    }

    static func removed(from bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for index in 0..<max(0, bytes.count - 2)
        where bytes[index] == 0xEF && bytes[index + 1] == 0xB7 && (0x90...0x91).contains(bytes[index + 2]) {
            result.replaceSubrange(index..<index + 3, with: [0xEF, 0xBF, 0xBD])
        }
        return result
    }

    enum Piece {
        case text(String)
        case value(Int)
    }

    static func pieces(of bytes: UnsafeBufferPointer<UInt8>) -> [Piece] {
        var pieces: [Piece] = []
        var from = 0
        func appendText(to end: Int) {
            guard from < end else { return }
            pieces.append(.text(String(decoding: UnsafeBufferPointer(rebasing: bytes[from..<end]), as: UTF8.self)))
        }
        let matcher = Matcher()
        while let start = bytes.baseAddress, mark.match(start, count: bytes.count, from: from, with: matcher),
            let digits = matcher.group(1), let number = Int(String(decoding: bytes[digits], as: UTF8.self))
        {
            appendText(to: matcher.start)
            pieces.append(.value(number))
            from = matcher.end
        }
        appendText(to: bytes.count)
        return pieces
    }
}
