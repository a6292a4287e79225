// Values of rows in style sheets and style attributes: their allowed syntax, by position.
//
// In: the CSS before a value, and the value. Out: CSS that is parsed as exactly this value.

import FancyTextBasics
import FancyTextMarkup
import FancyTextStyling

/// The position of a value in CSS (CSS Syntax 3 §4).
enum StylePlace: Hashable, Sendable {
    /// Inside quotes, or in the brackets of `url(`.
    case string
    /// In a comment, where values have no effect.
    case comment
    /// Anywhere else: one component value.
    case component

    /// The position after more CSS.
    ///
    /// - Parameter quote: the open quote, `)` for `url(`, 0 for no quote.
    static func scan(_ css: String, _ quote: inout UInt8, _ isComment: inout Bool) -> StylePlace {
        let bytes = Array(css.utf8)
        var index = 0
        func follows(_ word: String) -> Bool {
            let word = Array(word.utf8)
            return index + word.count <= bytes.count
                && word.indices.allSatisfy { bytes[index + $0] | ($0 < 3 ? 0x20 : 0) == word[$0] | ($0 < 3 ? 0x20 : 0) }
        }
        while index < bytes.count {
            let byte = bytes[index]
            if isComment {
                if byte == UInt8(ascii: "*"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/") {
                    isComment = false
                    index += 1
                }
            } else if byte == UInt8(ascii: "\\") {
                index += 1
            } else if quote != 0 {
                if byte == quote || (quote != UInt8(ascii: ")") && byte == 0x0A) { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "*") {
                isComment = true
                index += 1
            } else if follows("url(") {
                index += 3
                var next = index + 1
                while next < bytes.count, bytes[next] == 0x20 || (0x09...0x0D).contains(bytes[next]) { next += 1 }
                let isQuoted =
                    next < bytes.count && (bytes[next] == UInt8(ascii: "\"") || bytes[next] == UInt8(ascii: "'"))
                if !isQuoted { quote = UInt8(ascii: ")") }
            }
            index += 1
        }
        return isComment ? .comment : quote != 0 ? .string : .component
    }

    /// The value as CSS; nil if it is not allowed in this position.
    func css(_ value: String) -> String? {
        switch self {
        case .string: Self.escaped(value)
        case .comment: ""
        case .component: Self.oneComponent.matches(value) ? value : nil
        }
    }

    /// Escapes each character that could end a string or a URL by its number (CSS Syntax 3 §4.3.7).
    private static func escaped(_ value: String) -> String {
        value.escaped { scalar in
            let isPlain =
                scalar.value >= 0x80
                || ["-", "_", ".", "/", ":", "?", "&", "=", "%", "#", "~", "+", ",", "@", "!"].contains(scalar)
                || (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            return isPlain ? nil : CSSWriter.escape(scalar)
        }
    }

    /// One number with or without a unit, one name, one `#` colour or one colour function of numbers.
    private static let oneComponent = Expression(
        #"(?i)(?:#[0-9a-f]{3,8}|[-+]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:%|[a-z]{0,5})|-?[a-z][-_a-z0-9]*+"#
            + #"|(?:rgba?|hsla?|hwb|(?:ok)?lab|(?:ok)?lch)\([0-9deg %+,./-]*+\))\z"#)
}
