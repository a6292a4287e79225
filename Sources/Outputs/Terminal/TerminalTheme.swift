// The colours of what a page leaves uncoloured: headings, links, code. They are hues; ``ReadableColors`` sees to it
// that they can be read.
//
// In: whether the terminal is dark. Out: a colour for each role.

import Styling

/// Colours for a dark or a light terminal.
struct TerminalTheme {
    var heading, link, code, frame: Color
    /// Of source code.
    var keyword, string, comment, number, name: Color
    /// Behind code; nil where the terminal's background is not known.
    var codeBackground: Color?

    init(_ background: TerminalBackground) {
        func color(_ value: UInt32) -> Color {
            Color(
                red: UInt8(value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
                blue: UInt8(truncatingIfNeeded: value))
        }
        let isLight = background.isKnown && !background.isDark
        heading = color(isLight ? 0x00607A : 0x56C8D8)
        link = color(isLight ? 0x0B57D0 : 0x7AB0FF)
        code = color(isLight ? 0x9A3B00 : 0xE5A55B)
        frame = color(isLight ? 0x5F6B7A : 0x8C99AB)
        keyword = color(isLight ? 0x8B1FA9 : 0xD08BEA)
        string = color(isLight ? 0x1B6E20 : 0x8CC265)
        comment = color(isLight ? 0x5F6B7A : 0x8FA0A8)
        number = color(isLight ? 0x9A3B00 : 0xE5A55B)
        name = color(isLight ? 0x0B57D0 : 0x7AB0FF)
        guard case .color(let own) = background else { return }
        func mixed(_ value: UInt8, _ other: Float, _ share: Float) -> UInt8 {
            UInt8((Float(value) + (other - Float(value)) * share).rounded())
        }
        let (target, share): (Float, Float) = isLight ? (0, 0.06) : (255, 0.09)
        codeBackground = Color(
            red: mixed(own.red, target, share), green: mixed(own.green, target, share),
            blue: mixed(own.blue, target, share))
    }

    func color(of token: CodeToken) -> Color {
        switch token {
        case .keyword: keyword
        case .string: string
        case .comment: comment
        case .number: number
        case .name: name
        }
    }
}
