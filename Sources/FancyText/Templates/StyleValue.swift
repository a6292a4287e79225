// Values of rows in style sheets and style attributes: their allowed syntax, by position.
//
// In: the CSS before a value, and the value. Out: CSS that is parsed as exactly this value.

import FancyTextBasics
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
        case .component: Self.isComponent(value) ? value : nil
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

    private static let colorFunctions: Set<String> = [
        "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch",
    ]

    /// Returns whether the text is one number with or without a unit, one name, one `#` colour or one colour function of numbers.
    private static func isComponent(_ value: String) -> Bool {
        let bytes = Array(value.utf8)
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
        guard let first = bytes.first else { return false }
        if first == UInt8(ascii: "#") {
            return (4...9).contains(bytes.count)
                && bytes.dropFirst().allSatisfy { isDigit($0) || (0x61...0x66).contains($0 | 0x20) }
        }
        let unsigned = first == UInt8(ascii: "-") || first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes[...]
        if let digit = unsigned.first, isDigit(digit) || digit == UInt8(ascii: ".") {
            let rest = unsigned.drop { isDigit($0) || $0 == UInt8(ascii: ".") }
            let points = unsigned.count { $0 == UInt8(ascii: ".") }
            guard points <= 1, unsigned.contains(where: isDigit) else { return false }
            return rest.elementsEqual("%".utf8) || (rest.count <= 5 && rest.allSatisfy(isLetter))
        }
        if bytes.last == UInt8(ascii: ")"), let open = bytes.firstIndex(of: UInt8(ascii: "(")) {
            let name = String(decoding: bytes[..<open], as: UTF8.self).lowercased()
            return colorFunctions.contains(name)
                && bytes[(open + 1)...].dropLast().allSatisfy {
                    isDigit($0) || [0x20, 0x25, 0x2B, 0x2C, 0x2D, 0x2E, 0x2F].contains($0)
                        || ["d", "e", "g"].contains(UnicodeScalar($0))
                }
        }
        guard first != UInt8(ascii: "+"), let letter = unsigned.first, isLetter(letter) else { return false }
        return unsigned.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }
}
