// Values as CSS text.

import FancyTextBasics

package struct CSSWriter {
    package private(set) var text = ""

    package init() {}

    package mutating func add(_ property: String, _ value: String) {
        if !text.isEmpty { text += ";" }
        text += property + ":" + value
    }

    /// A number without an exponent; a value that is not finite counts as 0.
    package static func text(_ value: Float) -> String {
        guard value.isFinite else { return "0" }
        return value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : "\(value)"
    }

    package static func pixels(_ value: Float) -> String { text(value) + "px" }

    package static func quoted(_ text: String) -> String {
        "\"" + text.escaped { $0 == "\"" || $0 == "\\" || $0.value < 0x20 ? escape($0) : nil } + "\""
    }

    /// A character as its number (CSS Syntax 3 §4.3.7).
    package static func escape(_ scalar: Unicode.Scalar) -> String { "\\" + String(scalar.value, radix: 16) + " " }

    package static func tag(_ tag: UInt32) -> String {
        let scalars = (0..<4).map { Unicode.Scalar(UInt8(truncatingIfNeeded: tag >> (24 - 8 * UInt32($0)))) }
        return quoted(String(String.UnicodeScalarView(scalars)))
    }
    /// Returns whether a list style is written as a name, not as a string.
    package static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, CSSLexis.isNameStart(first) else { return false }
        return text.utf8.allSatisfy { CSSLexis.isName($0) && $0 < 0x80 }
    }
}
