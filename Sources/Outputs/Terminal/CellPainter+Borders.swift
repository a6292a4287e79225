// Borders over cells, in box-drawing characters (U+2500–U+257F). In: a border in cells, or the collapsed borders of a table.
// Out: lines in the grid. A cell's lines are a set of arms: up, down, left, right, each with a weight. Arms of different lines
// in a cell are joined.

import FancyTextCSS
import FancyTextPainting

extension CellPainter {
    mutating func paintBorder(_ border: BorderItem) {
        let area = area(border.outer.rect)
        let sides = border.sides
        guard let firstColumn = area.columns.first, let lastColumn = area.columns.last, let firstRow = area.rows.first,
            let lastRow = area.rows.last
        else { return }
        let isRounded = !border.outer.radii.isZero
        func look(_ side: BorderSide) -> (weight: UInt32, flags: UInt32) { BoxLines.look(side, isRounded: isRounded) }
        let (hasLeft, hasRight) = (sides.left.width > 0, sides.right.width > 0)
        for (side, row, toCorner) in [(sides.top, firstRow, BoxLines.down), (sides.bottom, lastRow, BoxLines.up)]
        where side.width > 0 {
            let (weight, flags) = look(side)
            let number = self.look(of: side.color)
            for column in area.columns {
                let (isLeft, isRight) = (column == firstColumn && hasLeft, column == lastColumn && hasRight)
                var arms = isLeft || isRight ? 0 : BoxLines.horizontal * weight
                if isLeft { arms |= BoxLines.right * weight | toCorner * look(sides.left).weight }
                if isRight { arms |= BoxLines.left * weight | toCorner * look(sides.right).weight }
                grid.draw(arms | flags, column, row, style: number)
            }
        }
        let top = firstRow + (sides.top.width > 0 ? 1 : 0)
        let bottom = max(top, lastRow + (sides.bottom.width > 0 ? 0 : 1))
        for (side, column) in [(sides.left, firstColumn), (sides.right, lastColumn)] where side.width > 0 {
            let (weight, flags) = look(side)
            let number = self.look(of: side.color)
            for row in top..<bottom { grid.draw(BoxLines.vertical * weight | flags, column, row, style: number) }
        }
    }

    /// Paints the collapsed borders of a table. Each line is joined with those that it meets.
    mutating func paintCollapsedBorders(_ table: Int) {
        let visible = tree.collapsedBorders[tree.boxes[table].collapsedBorders].filter { $0.side.color.alpha >= 64 }
        let bars = visible.map {
            (
                bar: $0, area: area($0.rect.rect), look: BoxLines.look($0.side, isRounded: false),
                number: look(of: $0.side.color)
            )
        }
        for (bar, (columns, rows), look, number) in bars {
            let cells = bar.isHorizontal ? columns.map { ($0, rows.lowerBound) } : rows.map { (columns.lowerBound, $0) }
            let (first, middle, last) =
                bar.isHorizontal
                ? (BoxLines.right, BoxLines.horizontal, BoxLines.left) : (BoxLines.down, BoxLines.vertical, BoxLines.up)
            for (place, cell) in cells.enumerated() {
                var arms = place == 0 ? first : middle
                if place == cells.count - 1 { arms = bar.isHorizontal || place > 0 ? last : 0 }
                grid.draw(arms * look.weight | look.flags, cell.0, cell.1, style: number)
            }
        }
        // The ends: a line continues into the line that it meets, or to the edge of its cell. Vertical lines are painted first,
        // so that the horizontal ones find their corners.
        let upright = bars.filter { !$0.bar.isHorizontal }
        for (bar, (columns, rows), look, number) in upright + bars.filter(\.bar.isHorizontal) {
            guard let firstColumn = columns.first, let lastColumn = columns.last, let firstRow = rows.first,
                let lastRow = rows.last
            else { continue }
            func draw(_ arm: UInt32, _ column: Int, _ row: Int) {
                grid.draw(arm * look.weight | look.flags, column, row, style: number)
            }
            if bar.isHorizontal {
                if !BoxLines.isVertical(grid.lines(firstColumn, firstRow)) {
                    draw(BoxLines.left, firstColumn, firstRow)
                }
                if grid.lines(lastColumn, firstRow) & (3 * BoxLines.right) != 0 {
                    // The next line begins in the corner in which this one ends.
                } else if BoxLines.isHorizontal(grid.lines(lastColumn + 1, firstRow)) {
                    draw(BoxLines.right, lastColumn, firstRow)
                    draw(BoxLines.left, lastColumn + 1, firstRow)
                } else if !BoxLines.isVertical(grid.lines(lastColumn, firstRow)) {
                    draw(BoxLines.right, lastColumn, firstRow)
                }
            } else {
                draw(BoxLines.down, firstColumn, lastRow)
                if grid.lines(firstColumn, lastRow + 1) != 0 { draw(BoxLines.up, firstColumn, lastRow + 1) }
                if !BoxLines.isHorizontal(grid.lines(firstColumn, firstRow)) {
                    draw(BoxLines.up, firstColumn, firstRow)
                }
            }
        }
    }
}

/// The arms of lines in a cell, packed: two bits of weight for each direction, then the flags of their style.
enum BoxLines {
    static let up: UInt32 = 1 << 6, down: UInt32 = 1 << 4, left: UInt32 = 1 << 2, right: UInt32 = 1 << 0
    static let horizontal = left | right, vertical = up | down
    private static let rounded: UInt32 = 1 << 8, dashed: UInt32 = 1 << 9, dotted: UInt32 = 1 << 10

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
        if lines & rounded != 0, across == 1, upright == 1, let corner = corners[arms] { return corner }
        // There is no junction of heavy and double lines, so the double ones are drawn.
        let isDouble = across == 3 || upright == 3
        let row = isDouble ? (across == 3 ? (upright == 3 ? 6 : 5) : 4) : (across == 2 ? 1 : 0) + (upright == 2 ? 2 : 0)
        return characters[row][arms]
    }

    private static let corners: [Int: Unicode.Scalar] = [5: "╭", 6: "╮", 9: "╰", 10: "╯"]

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
