// Borders in box-drawing characters (U+2500–U+257F).
//
// A cell's lines are a set of arms: up, down, left, right, each with a weight. Arms of different lines in a cell are joined, and
// the character with these arms is written.

import FancyTextStyling

/// The arms of lines in a cell, packed: two bits of weight for each direction, then the flags of their style.
enum BoxLines {
    static let up: UInt32 = 1 << 6
    static let down: UInt32 = 1 << 4
    static let left: UInt32 = 1 << 2
    static let right: UInt32 = 1 << 0
    private static let rounded: UInt32 = 1 << 8
    private static let dashed: UInt32 = 1 << 9
    private static let dotted: UInt32 = 1 << 10

    static let horizontal = left | right
    static let vertical = up | down

    /// The weight of the arms, and flags, for a side of a border.
    static func look(_ side: BorderSide, isRounded: Bool) -> (weight: UInt32, flags: UInt32) {
        switch side.style {
        case .double: (3, 0)
        case .dashed: (1, dashed)
        case .dotted: (1, dotted)
        case .none, .hidden, .solid, .groove, .ridge, .inset, .outset:
            side.width > 1 ? (2, 0) : (1, isRounded ? rounded : 0)
        }
    }

    /// The union of the arms; for arms in both, the heavier one.
    static func joined(_ a: UInt32, _ b: UInt32) -> UInt32 {
        var result = (a | b) & (rounded | dashed | dotted)
        for arm in [up, down, left, right] { result |= max(a & (3 * arm), b & (3 * arm)) }
        return result
    }

    /// Returns whether a horizontal line crosses or ends in the cell.
    static func isHorizontal(_ lines: UInt32) -> Bool { lines & (3 * horizontal) != 0 }
    static func isVertical(_ lines: UInt32) -> Bool { lines & (3 * vertical) != 0 }

    static func character(_ lines: UInt32) -> Unicode.Scalar {
        func weight(_ arm: UInt32) -> UInt32 { lines / arm & 3 }
        var arms = 0
        for (bit, arm) in [right, left, down, up].enumerated() where weight(arm) > 0 { arms |= 1 << bit }
        let across = max(weight(left), weight(right))
        let upright = max(weight(up), weight(down))
        if arms == 3 || arms == 12 {
            if lines & dashed != 0, lines & dotted == 0 { return arms == 3 ? "╌" : "╎" }
            if lines & dotted != 0, lines & dashed == 0 { return arms == 3 ? "┈" : "┊" }
        }
        if lines & rounded != 0, across == 1, upright == 1 {
            switch arms {
            case 5: return "╭"
            case 6: return "╮"
            case 9: return "╰"
            case 10: return "╯"
            default: break
            }
        }
        // There is no junction of heavy and double lines, so the double ones are drawn.
        let isDouble = across == 3 || upright == 3
        let row = isDouble ? (across == 3 ? (upright == 3 ? 6 : 5) : 4) : (across == 2 ? 1 : 0) + (upright == 2 ? 2 : 0)
        return characters[row][arms]
    }

    /// Indexed by the weights of the horizontal and the vertical line, then by arms: up, down, left, right count 8, 4, 2, 1.
    private static let characters: [[Unicode.Scalar]] = [
        " ╶╴─╷┌┐┬╵└┘┴│├┤┼",
        " ╺╸━╷┍┑┯╵┕┙┷│┝┥┿",
        " ╶╴─╻┎┒┰╹┖┚┸┃┠┨╂",
        " ╺╸━╻┏┓┳╹┗┛┻┃┣┫╋",
        " ╶╴─║╓╖╥║╙╜╨║╟╢╫",
        " ═══╷╒╕╤╵╘╛╧│╞╡╪",
        " ═══║╔╗╦║╚╝╩║╠╣╬",
    ].map { Array($0.unicodeScalars) }
}
