// The text of messages: the input cannot control the terminal, and carets are below their places.

import FancyTextBasics

enum MessageText {
    /// Text in which U+FFFD replaces characters that could control the terminal: messages quote the input.
    static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isPrintable($0) ? $0 : "\u{FFFD}" }))
    }

    /// An excerpt and, below its place, a caret, indented by the width of the text before it; tabs are kept.
    static func caretLines(_ excerpt: Diagnostic.Excerpt) -> String {
        let text = printable(excerpt.text)
        let before = text.unicodeScalars.prefix(excerpt.indent).split(separator: "\t", omittingEmptySubsequences: false)
        let blanks = before.map { String(repeating: " ", count: DisplayWidth.cells(Substring($0).utf8)) }
        return "  \(text)\n  \(blanks.joined(separator: "\t"))^\n"
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F, 0x09: return true
        case 0..<0xA0: return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format: return false
        default: return !PathText.isByte(scalar)
        }
    }
}
