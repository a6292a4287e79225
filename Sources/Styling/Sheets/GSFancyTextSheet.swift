// GSFancyText's sheets, whose values differ from CSS's: lengths without a unit are pixels, values may be quoted, a top or bottom
// margin in per cent is a share of the line height, and `min-width` widens a segment of a line. In: a sheet's tokens. Out:
// equivalent CSS tokens at the same positions of the same text, so that diagnostics point at the original.

import FancyTextBasics
import FancyTextCSS

/// The syntax of values in style sheets where CSS and GSFancyText differ.
public enum StyleSheetDialect: String, Hashable, Sendable, CaseIterable {
    /// GSFancyText's for sheets that use its own names, or lengths without a unit and nothing that GSFancyText lacks; otherwise
    /// CSS's.
    ///
    /// The sheets of a whole document are CSS, except for GSFancyText's names, because browsers read pages as CSS.
    case automatic = "auto"
    /// CSS's.
    case css
    /// GSFancyText's, with its colours (`green` is #00ff00) and paragraphs without margins.
    case gsfancytext
}

struct GSFancyTextSheet {
    private let source: CSSSource
    private let dialect: StyleSheetDialect

    /// Translates a sheet to CSS; `nil` if it is CSS already. With `findsByLengths`, lengths without a unit make it GSFancyText's.
    static func translated(
        _ source: CSSSource, _ dialect: StyleSheetDialect, findsByLengths: Bool, log: inout DiagnosticLog
    ) -> CSSSource? {
        let sheet = GSFancyTextSheet(source: source, dialect: dialect)
        switch dialect {
        case .css: return nil
        case .gsfancytext: break
        case .automatic:
            if source.hasName(["text-color", "truncate-mode", "line-count"], before: .colon) { break }
            guard findsByLengths else { return nil }
            if source.tokens.indices.contains(where: { Self.isDefaultClass(at: $0, source, isAlone: true) }) { break }
            guard let length = sheet.firstOwnLength else { return nil }
            let message = "lengths without a unit: read as a sheet of GSFancyText, in pixels"
            log.report(Diagnostic(.note, .dialect, message, at: TextPlace(source, Int(source.tokens[length].start))))
        }
        return sheet.translated()
    }

    /// GSFancyText's default styles, where they differ from HTML's.
    static let defaults = "p { margin: 0 }"

    private func translated() -> CSSSource {
        var bytes = source.bytes
        for (name, value) in Self.declarations(of: source)
        where value.count == 1 && source.tokens[value.lowerBound].kind == .string && !Self.takesStrings(name, source) {
            let string = source.tokens[value.lowerBound]
            if bytes[Int(string.start)..<Int(string.end)].contains(where: { ";{}".utf8.contains($0) }) { continue }
            bytes[Int(string.start)] = 0x20
            bytes[Int(string.end) - 1] = 0x20
        }
        // `.default` is the name of the style around the text.
        for index in source.tokens.indices where Self.isDefaultClass(at: index, source) {
            let start = Int(source.tokens[index - 1].start)
            bytes.replaceSubrange(start..<start + 8, with: "body    ".utf8)
        }
        let unquoted = CSSSource(bytes, name: source.name, base: source.base)
        var tokens = unquoted.tokens
        // The replacement names of tokens are appended after the text.
        bytes.append(0x0A)
        func spelling(_ word: StaticString) -> (start: UInt32, end: UInt32) {
            let start = bytes.count
            bytes += word.bytes
            return (UInt32(start), UInt32(bytes.count))
        }
        func replace(_ index: Int, _ kind: CSSToken.Kind, _ spelling: (start: UInt32, end: UInt32)) {
            (tokens[index].kind, tokens[index].nameStart, tokens[index].nameEnd) = (kind, spelling.start, spelling.end)
        }
        let pixels = spelling("px")
        let lines = spelling("lh")
        let segmentWidth = spelling("-ft-segment-min-width")
        let colors = Self.colors.prefix(dialect == .gsfancytext ? .max : 1)
            .map { (name: $0.name, spelling: spelling($0.digits)) }
        for (name, range) in Self.declarations(of: unquoted) {
            let value = unquoted.components(range).map(\.lowerBound)
            if unquoted.name(of: tokens[name], isOneOf: ["color", "text-color", "text-shadow"]) {
                for index in value where tokens[index].kind == .ident {
                    let color = colors.first { unquoted.name(of: tokens[index], is: $0.name) }
                    if let color { replace(index, .hash, color.spelling) }
                }
            }
            guard let least = Self.leastLength(name, unquoted) else { continue }
            let isVerticalMargin = unquoted.name(of: tokens[name], isOneOf: ["margin-top", "margin-bottom"])
            for index in value {
                switch tokens[index].kind {
                case .number, .dimension:
                    guard let length = Self.ownLength(at: index, atLeast: least, unquoted) else { continue }
                    replace(index, .dimension, pixels)
                    // The remaining tokens of the number become white space.
                    for rest in length.dropFirst() { tokens[rest].kind = .whitespace }
                case .percentage where isVerticalMargin:
                    tokens[index].number /= 100
                    replace(index, .dimension, lines)
                default: break
                }
            }
            if unquoted.name(of: tokens[name], is: "min-width") { replace(name, .ident, segmentWidth) }
        }
        return CSSSource(bytes: bytes, tokens: tokens, like: source)
    }

    // MARK: Lengths

    /// The properties whose unitless numbers are pixels if they are at least this.
    private static let lengthProperties: [(name: StaticString, least: Double)] = [
        ("font-size", 0), ("margin-left", 0), ("margin-right", 0), ("margin-top", 0), ("margin-bottom", 0),
        // No line is four times as high as its font, so a smaller number is a CSS multiple.
        ("line-height", 4), ("min-width", 0), ("text-shadow", 0),
    ]

    /// The least number that is pixels as the value of a declaration with its name at an index; `nil` if none is.
    private static func leastLength(_ name: Int, _ source: CSSSource) -> Double? {
        lengthProperties.first { source.name(of: source.tokens[name], is: $0.name) }?.least
    }

    /// The tokens of a number at `index` that is a length in GSFancyText but not in CSS: `20`, `20.`, `20f`, `20.f`.
    private static func ownLength(at index: Int, atLeast least: Double, _ source: CSSSource) -> Range<Int>? {
        let tokens = source.tokens
        let number = tokens[index]
        guard number.number.magnitude >= least else { return nil }
        switch number.kind {
        case .dimension: return source.name(of: number, is: "f") ? index..<index + 1 : nil
        case .number:
            var end = index + 1
            func touches(_ at: Int) -> Bool { at < tokens.count && tokens[at].start == tokens[at - 1].end }
            if touches(end), source.isDelim(end, UInt8(ascii: ".")) {
                end += 1
                if touches(end), tokens[end].kind == .ident, source.name(of: tokens[end], is: "f") { end += 1 }
            }
            return number.number != 0 || end > index + 1 ? index..<end : nil
        default: return nil
        }
    }

    /// Names of UIKit's palette whose colours differ from CSS's, with hexadecimal digits as after a `#`. CSS lacks the first name.
    private static let colors: [(name: StaticString, digits: StaticString)] = [
        ("clear", "0000"), ("green", "00ff00"), ("greencolor", "00ff00"), ("orange", "ff8000"),
        ("orangecolor", "ff8000"), ("brown", "996633"), ("browncolor", "996633"),
    ]

    // MARK: Which sheets are GSFancyText's

    /// Returns whether a token is the name in `.default` that is a whole selector, and with `isAlone` the rule's only one.
    private static func isDefaultClass(at index: Int, _ source: CSSSource, isAlone: Bool = false) -> Bool {
        let tokens = source.tokens
        guard index > 0, tokens[index].kind == .ident, source.isDelim(index - 1, UInt8(ascii: ".")),
            source.name(of: tokens[index], is: "default"), !tokens[index].hasEscape
        else { return false }
        func isEdge(_ kind: CSSToken.Kind?) -> Bool {
            kind == nil || kind == .comma && !isAlone || kind == .openBrace || kind == .closeBrace || kind == .semicolon
        }
        return isEdge(tokens[..<(index - 1)].last { $0.kind != .whitespace }?.kind)
            && isEdge(tokens[(index + 1)...].first { $0.kind != .whitespace }?.kind)
    }

    /// The first length without a unit that CSS would reject; nil too if there are at-rules or units that GSFancyText lacks.
    private var firstOwnLength: Int? {
        var first: Int?
        for (name, value) in Self.declarations(of: source) {
            // The width of a segment is no evidence: CSS has a property of that name.
            guard first == nil, Self.leastLength(name, source) == 0,
                !source.name(of: source.tokens[name], is: "min-width")
            else { continue }
            first = source.components(value).map(\.lowerBound).first {
                Self.ownLength(at: $0, atLeast: 0, source) != nil
            }
        }
        let hasOther = source.tokens.contains { token in
            token.kind == .atKeyword || (token.kind == .dimension && !source.name(of: token, isOneOf: ["px", "f"]))
        }
        return hasOther ? nil : first
    }

    // MARK: Declarations

    /// The name token and the value tokens of everything that parses as a declaration.
    private static func declarations(of source: CSSSource) -> [(name: Int, value: Range<Int>)] {
        var result: [(name: Int, value: Range<Int>)] = []
        let tokens = source.tokens
        let ends: [CSSToken.Kind] = [.semicolon, .openBrace, .closeBrace]
        var index = 0
        while index < tokens.count {
            let name = index
            index += 1
            guard let colon = source.colon(in: name..<tokens.count) else { continue }
            index = tokens[colon...].firstIndex { ends.contains($0.kind) } ?? tokens.count
            // `a:hover {` is a selector.
            if index < tokens.count, tokens[index].kind == .openBrace { continue }
            result.append((name, source.trimmed(colon + 1..<index)))
        }
        return result
    }

    /// Returns whether the property accepts a string in CSS too.
    private static func takesStrings(_ name: Int, _ source: CSSSource) -> Bool {
        let token = source.tokens[name]
        let names: [StaticString] = [
            "font-family", "content", "quotes", "text-overflow", "list-style-type", "list-style", "hyphenate-character",
            "text-emphasis-style", "text-emphasis",
        ]
        return source.bytes[Int(token.nameStart)] == UInt8(ascii: "-") || source.name(of: token, isOneOf: names)
    }
}

extension CSSSource {
    /// Returns whether the name is one of `words` (lower-case ASCII), ignoring ASCII case.
    fileprivate func name(of token: CSSToken, isOneOf words: [StaticString]) -> Bool {
        words.contains { name(of: token, is: $0) }
    }
}
