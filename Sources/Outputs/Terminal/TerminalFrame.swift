// Borders of blocks in box-drawing characters.

import Styling

/// The characters of a border line.
struct LineCharacters: Hashable, Sendable {
    var horizontal, vertical, topLeft, topRight, bottomRight, bottomLeft: String

    static let light = LineCharacters(
        horizontal: "─", vertical: "│", topLeft: "┌", topRight: "┐", bottomRight: "┘", bottomLeft: "└")
    static let rounded = LineCharacters(
        horizontal: "─", vertical: "│", topLeft: "╭", topRight: "╮", bottomRight: "╯", bottomLeft: "╰")
    static let heavy = LineCharacters(
        horizontal: "━", vertical: "┃", topLeft: "┏", topRight: "┓", bottomRight: "┛", bottomLeft: "┗")
    static let double = LineCharacters(
        horizontal: "═", vertical: "║", topLeft: "╔", topRight: "╗", bottomRight: "╝", bottomLeft: "╚")
    static let dashed = LineCharacters(
        horizontal: "╌", vertical: "╎", topLeft: "┌", topRight: "┐", bottomRight: "┘", bottomLeft: "└")
    static let dotted = LineCharacters(
        horizontal: "┈", vertical: "┊", topLeft: "┌", topRight: "┐", bottomRight: "┘", bottomLeft: "└")

    init(
        horizontal: String, vertical: String, topLeft: String, topRight: String, bottomRight: String, bottomLeft: String
    ) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }

    init(_ side: BorderSide, isRounded: Bool) {
        switch side.style {
        case .double: self = .double
        case .dashed: self = .dashed
        case .dotted: self = .dotted
        case .none, .hidden, .solid, .groove, .ridge, .inset, .outset:
            self = side.width >= 3 ? .heavy : isRounded ? .rounded : .light
        }
    }
}

/// Which sides of a block have a border, and how it is drawn.
struct TerminalFrame {
    let hasTop, hasRight, hasBottom, hasLeft: Bool
    let isQuote: Bool
    private let characters: LineCharacters
    private let topStyle, rightStyle, bottomStyle, leftStyle: TerminalStyle

    init(_ style: BoxStyle, isQuote: Bool) {
        func isVisible(_ side: BorderSide) -> Bool {
            side.width > 0 && side.style != .none && side.style != .hidden && side.color.alpha >= 64
        }
        let border = style.border
        hasTop = isVisible(border.top)
        hasRight = isVisible(border.right)
        hasBottom = isVisible(border.bottom)
        self.isQuote = isQuote && !isVisible(border.left)
        hasLeft = isVisible(border.left) || isQuote
        let model = [border.top, border.left, border.bottom, border.right].first(where: isVisible) ?? BorderSide()
        characters = self.isQuote ? .light : LineCharacters(model, isRounded: !style.cornerRadii.isEmpty)
        func look(_ side: BorderSide) -> TerminalStyle {
            var result = TerminalStyle()
            if isVisible(side), side.color != .black { result.foreground = side.color }
            return result
        }
        (topStyle, rightStyle, bottomStyle, leftStyle) = (
            look(border.top), look(border.right), look(border.bottom), look(border.left)
        )
    }

    var isClosed: Bool { hasTop && hasRight && hasBottom && hasLeft }
    /// Only lines above or below: an empty block with them is a rule.
    var isRule: Bool { hasTop || hasBottom }
    /// Cells that the sides take: a bar on one side stands off by a space.
    var width: Int { isClosed ? 2 : (hasLeft ? 2 : 0) + (hasRight ? 2 : 0) }

    func rule(width: Int) -> TerminalLine { horizontal(width, hasTop ? topStyle : bottomStyle, nil, nil) }

    private func horizontal(_ width: Int, _ style: TerminalStyle, _ first: String?, _ last: String?) -> TerminalLine {
        var line = TerminalLine()
        let middle = max(0, width - (first == nil ? 0 : 1) - (last == nil ? 0 : 1))
        if let first { line.append(Array(first.utf8), width: 1, style) }
        line.append(Array(String(repeating: characters.horizontal, count: middle).utf8), width: middle, style)
        if let last { line.append(Array(last.utf8), width: 1, style) }
        return line
    }

    /// `lines` with the frame around them, `width` cells in all.
    func around(_ lines: [TerminalLine], width: Int) -> [TerminalLine] {
        guard hasTop || hasRight || hasBottom || hasLeft else { return lines }
        let vertical = Array(characters.vertical.utf8)
        var result: [TerminalLine] = []
        if hasTop {
            result.append(
                horizontal(width, topStyle, isClosed ? characters.topLeft : nil, isClosed ? characters.topRight : nil))
        }
        for line in lines {
            guard line.picture == nil, hasLeft || hasRight else {
                result.append(line)
                continue
            }
            var framed = TerminalLine()
            if hasLeft {
                framed.append(vertical, width: 1, leftStyle)
                if !isClosed { framed.space(1) }
            }
            framed.append(line.settled)
            if hasRight {
                framed.pad(to: width - 1)
                framed.append(vertical, width: 1, rightStyle)
            }
            result.append(framed)
        }
        if hasBottom {
            result.append(
                horizontal(
                    width, bottomStyle, isClosed ? characters.bottomLeft : nil, isClosed ? characters.bottomRight : nil)
            )
        }
        return result
    }
}
