// The colours of text that a page leaves uncoloured: headings, links, code. The theme sets hues; ``ReadableColors`` makes them
// readable.
//
// In: whether the terminal is dark. Out: a colour for each role.

import FancyTextStyling
import FancyTextWriting

/// The colours of a terminal's text by role. Text keeps a contrast of 4.5:1 with any theme.
public struct TerminalTheme: Hashable, Sendable {
    /// The roles that have a colour.
    public enum Role: String, Hashable, Sendable, CaseIterable {
        case heading, link, code
        /// Bars beside quotations.
        case frame
        /// Tokens of source code.
        case keyword, string, comment, number, name
        /// Lines of a difference.
        case inserted, deleted
        /// The background of code.
        case codeBackground = "code-background"
    }

    private var colors: [Role: Color] = [:]

    /// The colour of a role; nil is none, such as for the background of code if the terminal's background is unknown.
    public subscript(role: Role) -> Color? {
        get { colors[role] }
        set { colors[role] = newValue }
    }

    /// The default theme for a background.
    public init(_ background: TerminalBackground) {
        let isLight = background.isKnown && !background.isDark
        for (role, onDark, onLight) in Self.table { colors[role] = Color(rgb: isLight ? onLight : onDark) }
        guard case .color(let own) = background else { return }
        colors[.codeBackground] = isLight ? own.mixed(with: .black, 0.06) : own.mixed(with: .white, 0.09)
    }

    private static let table: [(role: Role, onDark: UInt32, onLight: UInt32)] = [
        (.heading, 0x56C8D8, 0x00607A), (.link, 0x7AB0FF, 0x0B57D0), (.code, 0xE5A55B, 0x9A3B00),
        (.frame, 0x8C99AB, 0x5F6B7A), (.keyword, 0xD08BEA, 0x8B1FA9), (.string, 0x8CC265, 0x1B6E20),
        (.comment, 0x8FA0A8, 0x5F6B7A), (.number, 0xE5A55B, 0x9A3B00), (.name, 0x7AB0FF, 0x0B57D0),
        (.inserted, 0x8CC265, 0x1B6E20), (.deleted, 0xFF8A80, 0xB3261E),
    ]
}

extension CodeToken {
    var role: TerminalTheme.Role {
        switch self {
        case .keyword: .keyword
        case .string: .string
        case .comment: .comment
        case .number: .number
        case .name: .name
        case .inserted: .inserted
        case .deleted: .deleted
        }
    }
}

extension ANSIOptions {
    var colorTheme: TerminalTheme { theme ?? TerminalTheme(background) }
}
