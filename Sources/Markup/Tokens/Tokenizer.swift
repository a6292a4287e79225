// The tokenizer: UTF-8 bytes in, one token at a time out. A scanner reads tags of the usual shapes: `<name>`, `</name>`,
// `<name a="value" b=value c>`; the regular expressions of Grammar.swift, of whose grammar these are a part, read everything else.

import FancyTextBasics

/// Reads tokens from a source of less than 2^30 bytes.
package struct Tokenizer {
    package let bytes: UnsafePointer<UInt8>
    package let count: Int
    /// The start of a tag, a comment or raw text that the end of the input cuts off.
    package private(set) var unfinished: (offset: Int, what: StaticString)?
    /// The names of attributes that their tag has already, from the start of the source.
    package private(set) var repeated: [Range<Int>] = []
    package var position = 0
    /// A Boolean value that indicates whether plain tags bypass the regular expressions; tests compare both ways.
    package var scansPlainTags = true
    /// Names that are not in the fixed table.
    package var interner = TagInterner()
    private let matcher = Matcher()
    private let tags = NameTable.tags
    private let attributeNames = NameTable.attributes

    package init(_ source: UnsafeBufferPointer<UInt8>) {
        // An empty source has no base address; the substitute pointer is never read.
        bytes = source.baseAddress ?? ByteClass.table
        count = source.count
    }

    /// Returns whether a token of a source, except the contents of raw-text elements, is wanted; the tokens after it are not read.
    static func contains(
        in source: UnsafeBufferPointer<UInt8>, where isWanted: (Token, GrowableBuffer<Attribute>) -> Bool
    ) -> Bool {
        var (tokenizer, token) = (Tokenizer(source), Token())
        var attributes = GrowableBuffer<Attribute>(capacity: 64)
        defer { attributes.free() }
        repeat {
            attributes.count = 0
            tokenizer.next(&token, &attributes, inForeign: false)
            if isWanted(token, attributes) { return true }
            if token.kind == .startTag, token.tag.rawText != .none { tokenizer.readRawText(of: token.tag, &token) }
        } while token.kind != .end
        return false
    }

    /// Reads the next token and appends its attributes to `attributes`. SVG and MathML have CDATA sections: `inForeign`.
    @inline(__always)
    package mutating func next(_ token: inout Token, _ attributes: inout GrowableBuffer<Attribute>, inForeign: Bool) {
        let start = position
        guard start < count else { return takeEnd(&token) }
        if bytes[start] != 0x3C {
            return readText(&token, from: firstIndex(of: 0x3C, in: bytes, from: start, to: count))
        }
        if scansPlainTags, scanTag(&token, &attributes) { return }
        readMarkup(&token, &attributes, inForeign: inForeign)
    }

    private mutating func takeEnd(_ token: inout Token) {
        position = count
        token.kind = .end
        token.start = UInt32(truncatingIfNeeded: count)
        token.end = token.start
    }

    /// Reads text from `position` to the first `<` at or after `candidate` that starts markup.
    @inline(__always) private mutating func readText(_ token: inout Token, from candidate: Int) {
        var end = candidate
        while end < count, !startsMarkup(end) { end = firstIndex(of: 0x3C, in: bytes, from: end + 1, to: count) }
        takeText(&token, to: end)
    }

    @inline(__always) private mutating func takeText(_ token: inout Token, to end: Int) {
        token.kind = .text
        token.start = UInt32(truncatingIfNeeded: position)
        token.end = UInt32(truncatingIfNeeded: end)
        token.contentStart = token.start
        token.contentEnd = token.end
        position = end
    }

    /// Returns whether the `<` at `at` starts a tag, a comment or other markup (HTML §13.2.5.6–7).
    @inline(__always) private func startsMarkup(_ at: Int) -> Bool {
        guard at + 1 < count else { return false }
        let next = bytes[at + 1]
        if next.isASCIILetter || next == 0x21 || next == 0x3F { return true }
        return next == 0x2F && at + 2 < count
    }

    // MARK: Plain tags

    /// Reads a tag of the usual shapes. For other tags it reads nothing and returns false.
    @inline(__always)
    private mutating func scanTag(_ token: inout Token, _ attributes: inout GrowableBuffer<Attribute>) -> Bool {
        let start = position
        var i = start &+ 1
        guard i < count else { return false }
        let isEnd = bytes[i] == 0x2F
        if isEnd {
            i &+= 1
            guard i < count else { return false }
        }
        guard bytes[i].isASCIILetter else { return false }
        let nameStart = i
        var key = NameKey()
        i = NameKey.scan(bytes, from: i, to: count, into: &key)
        guard i < count else { return false }
        let nameEnd = i
        let first = attributes.count
        token.selfClosing = false
        if bytes[i] != 0x3E {
            guard !isEnd, bytes[i].isHTMLSpace || bytes[i] == 0x2F else { return false }
            i = scanAttributes(from: i, &token, &attributes)
            guard i < count else {
                attributes.count = first
                return false
            }
        }
        token.tag = tagID(key, nameStart..<nameEnd)
        takeTag(&token, isEnd: isEnd, first..<attributes.count, to: i &+ 1)
        return true
    }

    @inline(__always)
    private mutating func takeTag(_ token: inout Token, isEnd: Bool, _ attributes: Range<Int>, to end: Int) {
        token.kind = isEnd ? .endTag : .startTag
        token.firstAttribute = UInt32(truncatingIfNeeded: attributes.lowerBound)
        token.attributeCount = UInt32(truncatingIfNeeded: attributes.count)
        token.start = UInt32(truncatingIfNeeded: position)
        token.end = UInt32(truncatingIfNeeded: end)
        position = end
    }

    /// Reads attributes up to the `>` of their tag. Returns its place, or `count` when the regular expressions are needed.
    @inline(__always) private mutating func scanAttributes(
        from start: Int, _ token: inout Token, _ attributes: inout GrowableBuffer<Attribute>
    ) -> Int {
        let first = attributes.count
        var i = start
        // A bit for each hash of a name: as long as the hashes differ, the names differ too.
        var seen: UInt64 = 0
        var mayRepeat = false
        var nextCleaning = first &+ Self.cleaningStep
        while true {
            while i < count, bytes[i].isHTMLSpace { i &+= 1 }
            guard i < count else { return count }
            if bytes[i] == 0x3E { break }
            if bytes[i] == 0x2F {
                guard i &+ 1 < count, bytes[i &+ 1] == 0x3E else { return count }
                token.selfClosing = true
                i &+= 1
                break
            }
            let nameStart = i
            var key = NameKey()
            i = NameKey.scan(bytes, from: i, to: count, into: &key)
            guard i > nameStart, i < count else { return count }
            let nameEnd = i
            var valueStart = i
            var valueEnd = i
            if bytes[i] == 0x3D {
                guard i &+ 1 < count else { return count }
                valueStart = i &+ 1
                let quote = bytes[valueStart]
                if quote == 0x22 || quote == 0x27 {
                    valueStart &+= 1
                    valueEnd = firstIndex(of: quote, in: bytes, from: valueStart, to: count)
                    i = valueEnd &+ 1
                } else {
                    valueEnd = valueStart
                    while valueEnd < count, bytes[valueEnd] > 0x20, bytes[valueEnd] != 0x3E { valueEnd &+= 1 }
                    // An empty value or white space after the `=` is left to the regular expressions.
                    guard valueEnd > valueStart else { return count }
                    i = valueEnd
                    guard i < count, bytes[i] == 0x3E || bytes[i].isHTMLSpace else { return count }
                }
                guard i < count else { return count }
            } else if bytes[i] <= 0x20 {
                // An equals sign may follow the white space.
                while i < count, bytes[i].isHTMLSpace { i &+= 1 }
                guard i > nameEnd, i < count, bytes[i] != 0x3D else { return count }
            }
            let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: key.hash & 63)
            mayRepeat = mayRepeat || seen & bit != 0
            seen |= bit
            attributes.append(
                Attribute(
                    id: attributeNames.find(key), name: nameStart..<nameEnd, value: valueStart..<valueEnd))
            if attributes.count == nextCleaning { nextCleaning = dropRepeated(&attributes, from: first) }
        }
        if mayRepeat { dropDuplicates(&attributes, from: first) }
        return i
    }

    @inline(__always) private mutating func tagID(_ key: NameKey, _ name: Range<Int>) -> TagID {
        let known = tags.find(key)
        return known != 0
            ? TagID(known) : interner.intern(UnsafeBufferPointer(start: bytes + name.lowerBound, count: name.count))
    }

    // MARK: The whole grammar

    @inline(never) private mutating func readMarkup(
        _ token: inout Token, _ attributes: inout GrowableBuffer<Attribute>, inForeign: Bool
    ) {
        let start = position
        guard startsMarkup(start) else { return readText(&token, from: start) }
        token.start = UInt32(truncatingIfNeeded: start)
        // Compiling an expression takes longer than parsing a short card with it, so only those that can match are tried.
        let isDeclaration = start + 1 < count && bytes[start + 1] == 0x21
        let isDashed = isDeclaration && start + 3 < count && bytes[start + 2] == 0x2D && bytes[start + 3] == 0x2D
        if !isDeclaration, Grammar.tag.match(bytes, count: count, from: start, with: matcher) {
            readTag(&token, &attributes)
        } else if isDashed, Grammar.comment.match(bytes, count: count, from: start, with: matcher) {
            finish(&token, .comment)
            if token.contentEnd == token.end { unfinished = (start, "comment") }
        } else if isDeclaration, Grammar.doctype.match(bytes, count: count, from: start, with: matcher) {
            finish(&token, .doctype)
        } else if inForeign, Grammar.cdata.match(bytes, count: count, from: start, with: matcher) {
            finish(&token, .cdata)
        } else if Grammar.bogusComment.match(bytes, count: count, from: start, with: matcher) {
            finish(&token, bytes[start + 1] == 0x3F ? .instruction : .comment)
        } else {
            // Only an exceeded match limit leads here: the rest is text.
            readText(&token, from: count)
        }
    }

    private mutating func finish(_ token: inout Token, _ kind: Token.Kind) {
        let content = matcher.group(1) ?? matcher.end..<matcher.end
        token.kind = kind
        token.contentStart = UInt32(truncatingIfNeeded: content.lowerBound)
        token.contentEnd = UInt32(truncatingIfNeeded: content.upperBound)
        position = matcher.end
        token.end = UInt32(truncatingIfNeeded: position)
    }

    private mutating func readTag(_ token: inout Token, _ attributes: inout GrowableBuffer<Attribute>) {
        let end = matcher.end
        guard let name = matcher.group(2), let section = matcher.group(3), let close = matcher.group(4), !close.isEmpty
        else {
            // A tag cut off by the end of the input is dropped (HTML: eof-in-tag).
            unfinished = (position, "tag or quotation mark")
            return takeEnd(&token)
        }
        let isEnd = matcher.group(1)?.isEmpty == false
        token.tag = tagID(of: name)
        let first = attributes.count
        let endsInValue = !isEnd && !section.isEmpty && readAttributes(section, &attributes)
        token.selfClosing = !section.isEmpty && bytes[section.upperBound - 1] == 0x2F && !endsInValue
        if attributes.count - first > 1 { dropDuplicates(&attributes, from: first) }
        takeTag(&token, isEnd: isEnd, first..<attributes.count, to: end)
    }

    mutating func tagID(of name: Range<Int>) -> TagID { tagID(key(of: name), name) }

    private func key(of name: Range<Int>) -> NameKey {
        NameKey(UnsafeBufferPointer(start: bytes + name.lowerBound, count: name.count))
    }

    /// Reads the attributes of a tag; returns whether its last byte belongs to an unquoted value: `<a href=x/>`.
    private mutating func readAttributes(_ section: Range<Int>, _ attributes: inout GrowableBuffer<Attribute>) -> Bool {
        var at = section.lowerBound
        var endsInValue = false
        let first = attributes.count
        var nextCleaning = first + Self.cleaningStep
        while at < section.upperBound,
            Grammar.attribute.match(bytes, count: section.upperBound, from: at, with: matcher),
            let name = matcher.group(1)
        {
            let value = matcher.group(2) ?? matcher.group(3) ?? matcher.group(4) ?? name.upperBound..<name.upperBound
            attributes.append(
                Attribute(id: attributeNames.find(key(of: name)), name: name, value: value))
            if attributes.count == nextCleaning { nextCleaning = dropRepeated(&attributes, from: first) }
            endsInValue = matcher.group(4)?.upperBound == section.upperBound
            at = matcher.end
        }
        return endsInValue
    }

    /// The number of attributes from which repeated ones are dropped while a tag is read, so that they do not fill the memory.
    private static let cleaningStep = 4096

    /// Drops repeated attributes. Returns the count at which to do so again: twice the rest, so that the time stays linear.
    @inline(never)
    private mutating func dropRepeated(_ attributes: inout GrowableBuffer<Attribute>, from first: Int) -> Int {
        dropDuplicates(&attributes, from: first)
        return attributes.count + max(Self.cleaningStep, attributes.count - first)
    }

    /// Drops all but the first attribute of each name (HTML §13.2.5.33). Linear: many attributes go through a hash table.
    @inline(never)
    private mutating func dropDuplicates(_ attributes: inout GrowableBuffer<Attribute>, from first: Int) {
        let total = attributes.count - first
        var places: [[UInt8]: Int] = [:]
        var kept = first
        for candidate in UnsafeBufferPointer(rebasing: attributes.elements[first...]) {
            let name = total > 24 ? text(at: candidate.nameStart, candidate.nameLength).map(\.asciiLowercased) : []
            let known = total > 24 ? places[name] : (first..<kept).first { sameName(attributes[$0], candidate) }
            if let known {
                noteRepeated(candidate, of: attributes[known])
                continue
            }
            if total > 24 { places[name] = kept }
            attributes[kept] = candidate
            kept += 1
        }
        attributes.count = kept
    }

    /// Notes a dropped attribute with a plain name and another value than the first one.
    private mutating func noteRepeated(_ attribute: Attribute, of first: Attribute) {
        let name = text(at: attribute.nameStart, attribute.nameLength)
        let value = text(at: attribute.valueStart, attribute.valueLength)
        guard repeated.count < Self.mostRepeated, name.allSatisfy({ $0.isASCIILetter || $0 == UInt8(ascii: "-") }),
            !value.elementsEqual(text(at: first.valueStart, first.valueLength))
        else { return }
        let start = Int(attribute.nameStart)
        repeated.append(start..<start + attribute.nameLength)
    }

    func text(at start: UInt32, _ length: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + Int(start), count: length)
    }

    private static let mostRepeated = 20

    @inline(__always) func sameName(_ a: Attribute, _ b: Attribute) -> Bool {
        guard a.nameInfo == b.nameInfo else { return false }
        if a.id != .other { return true }
        return text(at: a.nameStart, a.nameLength).elementsEqual(text(at: b.nameStart, b.nameLength)) {
            $0.asciiLowercased == $1.asciiLowercased
        }
    }

    // MARK: Raw text

    /// Reads the contents of a raw-text element whose start tag was just read: text up to its end tag or the end of the source.
    /// A prefix of its name in the source is also in the end tag.
    package mutating func readRawText(of tag: TagID, prefix: Range<Int> = 0..<0, _ token: inout Token) {
        let start = position
        let end =
            tag == .script && prefix.isEmpty
            ? scriptEnd() : tag == .plaintext ? count : rawTextEnd(of: tag, prefix: prefix)
        takeText(&token, to: end)
        if end == count, tag != .plaintext, (start..<end).contains(where: { bytes[$0] > 0x20 }) {
            unfinished = (start, "element")
        }
    }

    /// The place of the end tag of a raw-text element; the end of the source without one.
    private func rawTextEnd(of tag: TagID, prefix: Range<Int>) -> Int {
        let name = TagID.knownNames[Int(tag.rawValue)]
        var at = position
        while true {
            at = firstIndex(of: 0x3C, in: bytes, from: at, to: count)
            let after = at + 2 + prefix.count
            guard after < count else { return count }
            if bytes[at + 1] == 0x2F, prefix.allSatisfy({ bytes[$0] == bytes[at + 2 + $0 - prefix.lowerBound] }),
                isTagName(name, in: bytes, at: after, end: count)
            {
                return at
            }
            at += 1
        }
    }

    private func scriptEnd() -> Int {
        var at = position
        while Grammar.scriptText.match(bytes, count: count, from: at, with: matcher) {
            guard bytes[matcher.start + 1] == 0x21 else { return matcher.start }
            // The two dashes of `<!--` may belong to `-->`.
            at = matcher.start + 2
            var nested = false
            while true {
                guard Grammar.scriptEscaped.match(bytes, count: count, from: at, with: matcher) else { return count }
                let found = matcher.start
                at = matcher.end
                if bytes[found] == 0x2D { break }
                if bytes[found + 1] == 0x2F {
                    if !nested { return found }
                    nested = false
                } else {
                    nested = true
                }
            }
        }
        return count
    }
}
