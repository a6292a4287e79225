// Values of rows in style sheets and style attributes: their allowed syntax, by position. In: the CSS before a value, and the
// value. Out: CSS that is parsed as exactly this value.

import FancyTextMarkup

/// The position of a value in CSS (CSS Syntax 3 §4).
enum StylePlace: Hashable, Sendable {
    /// Inside quotes, or in the brackets of `url(`.
    case string
    /// In a comment, where values have no effect.
    case comment
    /// Anywhere else: one component value.
    case component

    /// CSS up to a comment, string or URL that is not closed: 1 its beginning.
    private static let unclosed = Expression(
        #"(?:[^"'/\\uU]++|\\.?|/\*(?:[^*]++|\*(?!/))*+\*/|"(?:[^"\\\n]++|\\.?)*+["\n]|'(?:[^'\\\n]++|\\.?)*+['\n]"#
            + #"|(?i:url)\((?![\t-\r ]*+["'])(?:[^)\\]++|\\.?)*+\)|(?!/\*|(?i:url)\((?![\t-\r ]*+["']))[/uU])*+"#
            + #"(/\*|["']|(?i:url)\()?+"#)

    /// The position after more CSS; `open` is the beginning of what is open before it, and then after it.
    static func scan(_ css: String, _ open: inout String) -> StylePlace {
        let bytes = Array((open + css).utf8)
        let matcher = Matcher()
        guard unclosed.match(bytes, count: bytes.count, from: 0, with: matcher), let beginning = matcher.group(1) else {
            open = ""
            return .component
        }
        open = String(decoding: bytes[beginning], as: UTF8.self)
        // In a URL, quotes are characters.
        if beginning.count > 2 { open += "x" }
        return open == "/*" ? .comment : .string
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
