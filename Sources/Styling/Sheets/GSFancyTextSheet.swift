// GSFancyText's sheets, whose values are not all CSS's: lengths without a unit are pixels, values may stand in quotes, a
// margin above or below in per cent is a share of the line height, and `min-width` widens a segment of a line.
//
// In: a sheet's tokens. Out: tokens that mean the same in CSS, at the same places of the same text, so that diagnostics
// point where they should.

enum GSFancyTextSheet {
    /// The sheet in CSS's terms; nil when nothing in it is GSFancyText's own: a rule for `.default` alone, `text-color`,
    /// `truncate-mode` or `line-count`.
    static func translated(_ source: CSSSource) -> CSSSource? {
        guard isOne(source) else { return nil }
        var bytes = source.bytes
        for (name, value) in declarations(of: source)
        where value.count == 1 && source.tokens[value.lowerBound].kind == .string && !takesStrings(name, source) {
            let string = source.tokens[value.lowerBound]
            bytes[Int(string.start)] = 0x20
            bytes[Int(string.end) - 1] = 0x20
        }
        let unquoted = CSSSource(bytes, name: source.name)
        var tokens = unquoted.tokens
        // What tokens are to be called instead stands behind the text.
        bytes.append(0x0A)
        func spelling(_ word: StaticString) -> (start: UInt32, end: UInt32) {
            let start = bytes.count
            bytes += Array(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
            return (UInt32(start), UInt32(bytes.count))
        }
        let pixels = spelling("px")
        let lines = spelling("lh")
        let segmentWidth = spelling("-ft-segment-min-width")
        for (name, value) in declarations(of: unquoted) {
            let property = lengthProperties.first { unquoted.name(of: tokens[name], is: $0.name) }
            guard let property else { continue }
            for index in value {
                switch tokens[index].kind {
                case .number where tokens[index].number != 0 && tokens[index].number.magnitude >= property.least:
                    tokens[index].kind = .dimension
                    (tokens[index].nameStart, tokens[index].nameEnd) = pixels
                case .percentage where property.isVerticalMargin:
                    tokens[index].kind = .dimension
                    tokens[index].number /= 100
                    (tokens[index].nameStart, tokens[index].nameEnd) = lines
                default: break
                }
            }
            if property.isSegmentWidth { (tokens[name].nameStart, tokens[name].nameEnd) = segmentWidth }
        }
        return CSSSource(bytes: bytes, tokens: tokens, name: source.name)
    }

    /// A property whose numbers are pixels when they are not smaller than `least`.
    private struct LengthProperty {
        var name: StaticString
        var least = 0.0
        var isVerticalMargin = false
        var isSegmentWidth = false
    }

    private static let lengthProperties: [LengthProperty] = [
        LengthProperty(name: "font-size"), LengthProperty(name: "margin-left"), LengthProperty(name: "margin-right"),
        LengthProperty(name: "margin-top", isVerticalMargin: true),
        LengthProperty(name: "margin-bottom", isVerticalMargin: true),
        // No line is four times as high as its font: a smaller number is meant as CSS's multiple.
        LengthProperty(name: "line-height", least: 4),
        LengthProperty(name: "min-width", isSegmentWidth: true),
    ]

    private static func isOne(_ source: CSSSource) -> Bool {
        let tokens = source.tokens
        for (index, token) in tokens.enumerated() where token.kind == .ident && index + 1 < tokens.count {
            switch tokens[index + 1].kind {
            case .colon:
                if source.name(of: token, is: "text-color") || source.name(of: token, is: "truncate-mode")
                    || source.name(of: token, is: "line-count")
                {
                    return true
                }
            case .openBrace, .whitespace:
                guard index > 0, tokens[index - 1].kind == .delim,
                    source.bytes[Int(tokens[index - 1].start)] == UInt8(ascii: "."),
                    source.name(of: token, is: "default")
                else { continue }
                let next = tokens[index + 1].kind == .whitespace ? index + 2 : index + 1
                if next < tokens.count, tokens[next].kind == .openBrace { return true }
            default: break
            }
        }
        return false
    }

    /// The name's token and the value's of everything that reads as a declaration.
    private static func declarations(of source: CSSSource) -> [(name: Int, value: Range<Int>)] {
        var result: [(name: Int, value: Range<Int>)] = []
        let tokens = source.tokens
        var index = 0
        func isSpace(_ at: Int) -> Bool { at < tokens.count && tokens[at].kind == .whitespace }
        while index < tokens.count {
            let name = index
            index += 1
            guard tokens[name].kind == .ident else { continue }
            var at = index
            while isSpace(at) { at += 1 }
            guard at < tokens.count, tokens[at].kind == .colon else { continue }
            at += 1
            while isSpace(at) { at += 1 }
            var end = at
            scan: while end < tokens.count {
                switch tokens[end].kind {
                case .semicolon, .openBrace, .closeBrace: break scan
                default: end += 1
                }
            }
            index = end
            // `a:hover {` is a selector.
            if end < tokens.count, tokens[end].kind == .openBrace { continue }
            while end > at, isSpace(end - 1) { end -= 1 }
            result.append((name, at..<end))
        }
        return result
    }

    /// Whether a string is a value of the property in CSS too.
    private static func takesStrings(_ name: Int, _ source: CSSSource) -> Bool {
        let token = source.tokens[name]
        let names: [StaticString] = [
            "font-family", "content", "quotes", "text-overflow", "list-style-type", "list-style", "hyphenate-character",
            "text-emphasis-style", "text-emphasis",
        ]
        return source.bytes[Int(token.nameStart)] == UInt8(ascii: "-")
            || names.contains { source.name(of: token, is: $0) }
    }
}
