// From a display list over cells to a grid of cells. In: the display list of a layout whose lengths are cells, and that layout.
// Out: backgrounds, borders as lines, text in its styles. Nothing is clipped: what a box cannot hold has been wrapped by
// layout, and text that a page hides behind an edge can still be read. Positioned boxes follow on the others; those whose text
// would lie on other text are named instead.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextImages
import FancyTextLayout
import FancyTextPainting
import FancyTextTypography
import FancyTextWriting

final class CellPainter {
    let tree: LayoutTree
    private let cells: CellText
    private let text: BoxTree
    private let font: CellFont
    private let options: ANSIOptions
    private let pictures: ImageStore?
    /// The links of a truncation's tail, whose elements are of a tree of its own.
    private let tailLinks: LinkTable?
    var grid: CellGrid
    private(set) var looks: TerminalLooks
    /// The number of the color below everything; 0 for the terminal's own.
    private(set) var canvas: UInt32 = 0
    /// The containing blocks of the positioned boxes that were not painted, because their text would cover other text or
    /// lie beyond the screen; as ``StyledBox/containingBlock``.
    private(set) var overlaps: Set<Int> = []
    /// Positioned boxes that are left out: a sign or two in the margin of a page, which a screen does not have.
    private(set) var ornaments: Set<Int> = []

    /// - Parameter most: the maximum number of cells of the screen.
    init(
        _ tree: LayoutTree, _ cells: CellText, font: CellFont, cells most: Int,
        tailLinks: LinkTable?, pictures: ImageStore?
    ) {
        (self.tree, self.cells, self.font, self.pictures) = (tree, cells, font, pictures)
        self.tailLinks = tailLinks
        text = cells.text
        options = cells.options
        grid = CellGrid(end: max(1, options.width) + 2 * tree.glyphs.count, room: most)
        looks = TerminalLooks()
    }

    /// Paints the list over a colour. Linear in it, and in the cells of its shapes.
    func paint(_ list: DisplayList, background: Color?) {
        canvas = looks.background(background ?? .transparent)
        var items = list.items[...]
        if let color = list.canvasColor {
            let own = looks.background(color)
            if own > 0 { canvas = own }
            items.removeFirst()
        }
        paint(items)
    }

    private func style(_ id: StyleID) -> ComputedStyle { text.styles[id, or: tree.addedStyles] }

    /// Paints items. Positioned boxes wait for what is in the flow, unless they lie below it and hold no text.
    private func paint(_ items: ArraySlice<DisplayItem>) {
        var waiting: [(box: Int, items: Range<Int>)] = []
        var index = items.startIndex
        while index < items.endIndex {
            let item = items[index]
            index += 1
            switch item {
            case .fill(let shape, .color(let color)): fill(area(shape.rect), color)
            case .fill(let shape, .gradient(let gradient, _)): fill(area(shape.rect), gradient)
            case .border(let border): paintBorder(border)
            case .image(let image): paintPicture(image)
            case .cells(.text(let fragments, let line)): paintLine(tree.lines[line], fragments)
            case .cells(.control(let box)): paintControl(tree.boxes[box])
            case .cells(.legend(let box)):
                let legend = area(tree.boxes[tree.boxes[box].legend].rect.rect)
                grid.clearLines(columns: legend.columns, row: area(tree.boxes[box].rect.rect).rows.lowerBound)
            case .cells(.tableLines(let table)): paintCollapsedBorders(table)
            case .cells(.positioned(let box, let end)):
                if cells.outOfSight.contains(tree.boxes[box].box) {
                    // A picture does not show it.
                } else if (style(tree.boxes[box].style).box.positioned.zIndex ?? 0) < 0, !hasText(box) {
                    paint(items[index..<end])
                } else {
                    waiting.append((box, index..<end))
                }
                index = end
            case .fill(_, .tiles), .path, .strokePath, .boxShadow, .glyphs, .decoration, .pushClip, .pushClipPath,
                .pushTransform, .pushLayer, .backdrop, .pop:
                break
            }
        }
        for (box, range) in waiting where !isOffScreen(box) {
            if isOrnament(box) {
                ornaments.insert(tree.boxes[box].box)
            } else if overlapsText(box) {
                overlaps.insert(text.boxes[tree.boxes[box].box].containingBlock)
            } else {
                paint(items[range])
            }
        }
    }

    /// Returns the whole cells that a rectangle covers.
    func area(_ rect: Rect) -> (columns: Range<Int>, rows: Range<Int>) {
        func cell(_ place: Float) -> Int { Int(bounded: (place + 0.5).rounded(.down)) }
        return (cell(rect.x)..<max(cell(rect.x), cell(rect.maxX)), cell(rect.y)..<max(cell(rect.y), cell(rect.maxY)))
    }

    private func fill(_ area: (columns: Range<Int>, rows: Range<Int>), _ color: Color) {
        let background = looks.background(color)
        if background > 0 { grid.fill(columns: area.columns, rows: area.rows, background: background) }
    }

    private func fill(_ area: (columns: Range<Int>, rows: Range<Int>), _ gradient: Gradient) {
        guard area.rows.count <= 1000 else { return }
        let (width, height) = (options.cellWidth, options.cellHeight)
        let box = Rect(x: 0, y: 0, width: Float(area.columns.count) * width, height: Float(area.rows.count) * height)
        let shader = GradientShader(gradient, box: box, scale: 1)
        var pixels = [UInt32](repeating: 0, count: area.columns.count)
        for (place, row) in area.rows.enumerated() {
            // One colour a cell, that of its centre.
            let start = Point(x: width / 2, y: (Float(place) + 0.5) * height)
            pixels.withUnsafeMutableBufferPointer { shader.fill($0, from: start, step: Point(x: width, y: 0)) }
            for (pixel, column) in zip(pixels, area.columns) {
                let color = Pixel.straight(pixel)
                // 64 steps a channel, so that adjacent cells share a colour.
                let coarse = Color(red: color.red | 3, green: color.green | 3, blue: color.blue | 3, alpha: color.alpha)
                fill((column..<column + 1, row..<row + 1), coarse)
            }
        }
    }

    // MARK: Positioned boxes

    private func boxes(from root: Int) -> ArraySlice<BoxFragment> {
        tree.boxes[root..<max(root + 1, tree.boxes[root].end)]
    }

    private func inlines(in box: BoxFragment) -> [InlineFragment] {
        tree.lines[box.lines].flatMap { tree.inlines[$0.fragments] }
    }

    private func hasText(_ root: Int) -> Bool {
        boxes(from: root).contains { box in box.lines.contains { !tree.lines[$0].fragments.isEmpty } }
    }

    /// Returns whether a positioned box is beside the screen, other than by a length that is wider in cells than in a picture.
    private func isOffScreen(_ root: Int) -> Bool {
        let columns = area(tree.boxes[root].rect.rect).columns
        let style = style(tree.boxes[root].style).box
        let inset = style.positioned.inset
        let isMoved = inset.left.map(\.isRelative) ?? (inset.right != nil) || !style.transform.functions.isEmpty
        let end = max(options.width, Int(bounded: tree.size.width))
        return columns.upperBound <= 0 || isMoved && columns.lowerBound >= end
    }

    /// Returns whether a positioned box contains only one or two signs at the left of the screen.
    private func isOrnament(_ root: Int) -> Bool {
        var signs = 0
        for fragment in boxes(from: root) {
            for inline in inlines(in: fragment) {
                if inline.glyphs.isEmpty { continue }
                signs += inline.glyphs.count
                if signs > 2 || area(inline.rect.rect).columns.upperBound > 0 { return false }
            }
        }
        return signs > 0
    }

    /// Returns whether text or a picture in a positioned box would cover or touch text, or be outside of the screen.
    private func overlapsText(_ root: Int) -> Bool {
        func isTaken(_ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
            columns.lowerBound < 0 || rows.lowerBound < 0
                || columns.upperBound > max(options.width, Int(bounded: tree.size.width))
                || rows.contains { row in
                    (columns.lowerBound - 1...columns.upperBound).contains { grid.hasText($0, row) }
                }
        }
        for fragment in boxes(from: root) {
            for inline in inlines(in: fragment) where !inline.isHidden {
                guard tree.glyphs[inline.glyphs].contains(where: { $0.id != 0x20 && $0.id != ShapedGlyph.invisible }),
                    style(inline.style).text.visibility == .visible
                else { continue }
                let row = inline.baseline.rounded - 1
                if isTaken(area(inline.rect.rect).columns, row..<row + 1) { return true }
            }
            guard fragment.kind == .image || fragment.kind == .lambda, fragment.box >= 0,
                text.boxes[fragment.box].replaced >= 0, pictures != nil
            else { continue }
            let area = area(fragment.rect.rect)
            if isTaken(area.columns, area.rows.prefix(200)) { return true }
        }
        return false
    }

    /// The look of lines and symbols; the terminal's own color where none shows.
    func look(of color: Color?) -> UInt32 {
        var result = TerminalStyle()
        result.isText = true
        result.foreground = color?.alpha == 0 ? nil : color
        return looks.number(of: result)
    }

    /// Brackets around controls of one line; symbols and gauges.
    private func paintControl(_ fragment: BoxFragment) {
        let area = area(fragment.rect.rect)
        guard let first = area.columns.first, let last = area.columns.last, let top = area.rows.first else { return }
        let row = top + (area.rows.count - 1) / 2
        let number = look(of: style(fragment.style).text.color)
        func put(_ character: Unicode.Scalar, _ column: Int) {
            grid.put(character.value, width: 1, column, row, style: number)
        }
        func write(_ text: String, _ column: Int) {
            for (place, character) in text.unicodeScalars.enumerated() { put(character, column + place) }
        }
        /// Paints a gauge, of which the fraction `share` is full, and the percentage after it.
        func gauge(_ share: Float?) {
            let number = share.map { " " + ControlText.percentage($0) } ?? ""
            let columns = area.columns.count < 10 ? area.columns : first..<last + 1 - number.count
            let reached = Int((Float(columns.count) * (share ?? 0)).rounded())
            for (place, column) in columns.enumerated() { put(place < reached ? "█" : "░", column) }
            if columns != area.columns { write(number, columns.upperBound) }
        }
        let kind = text.controls[text.boxes[fragment.box].control].kind
        switch kind {
        case .button, .file, .textField, .dateField, .menu:
            put("[", first)
            put("]", last)
            if case .menu = kind, last - 1 > first { put("▾", last - 1) }
        case .checkBox(let isOn): put(ControlText.mark(isRadio: false, isOn: isOn), first)
        case .radioButton(let isOn): put(ControlText.mark(isRadio: true, isOn: isOn), first)
        case .range(let share):
            for column in area.columns { put("─", column) }
            put("●", first + Int((Float(area.columns.count - 1) * share).rounded()))
        case .progress(let share): gauge(share)
        case .meter(let share, _): gauge(share)
        case .color(let color):
            let number = looks.background(color)
            write("[\(color.hex.prefix(7))]", first)
            if number > 0 { grid.fill(columns: area.columns, rows: row..<row + 1, background: number) }
        case .textArea, .listBox: break
        }
    }

    private func paintPicture(_ image: ImageItem) {
        let area = area(image.clip.rect)
        guard let pictures, !area.columns.isEmpty, !area.rows.isEmpty else { return }
        var source = image.source
        if image.isLambda {
            guard case .picture(let name) = pictures.drawing(lambda: source) else { return }
            source = name
        }
        let (columns, rows) = (area.columns.count, min(200, area.rows.count))
        let width = columns * max(1, Int(bounded: options.cellWidth))
        let height = rows * max(1, Int(bounded: options.cellHeight))
        guard let picture = pictures.picture(source: source, width: width, height: height) else { return }
        switch TerminalImage.show(picture, columns: columns, rows: rows, options) {
        case .none: break
        case .halfBlocks(let cells):
            for (place, cell) in cells.enumerated() where cell.glyph != 0x20 {
                let (column, row) = (area.columns.lowerBound + place % columns, area.rows.lowerBound + place / columns)
                if let background = cell.style.background {
                    let number = looks.background(background)
                    grid.fill(columns: column..<column + 1, rows: row..<row + 1, background: number)
                }
                var look = cell.style
                look.background = nil
                grid.put(cell.glyph, width: 1, column, row, style: looks.number(of: look))
            }
        case .sequence(let bytes): grid.put(picture: bytes, area.columns.lowerBound, area.rows.lowerBound, rows: rows)
        }
    }

    // MARK: Text

    private func paintLine(_ line: LineFragment, _ fragments: Range<Int>) {
        // What hangs out of the screen on the left moves in.
        var shift = max(0, -line.rect.x.rounded)
        if shift > 0, line.isTruncated {
            let shown = tree.inlines[line.fragments].lazy.filter { !$0.isHidden && $0.kind != .box }
            shift = max(0, -(shown.map(\.rect.x.rounded).min() ?? 0))
        }
        let isMarker = tree.boxes[line.container].kind == .marker
        for fragment in tree.inlines[fragments]
        where fragment.kind != .box && style(fragment.style).text.visibility == .visible {
            paintText(fragment, shift: shift, isMarker: isMarker)
        }
        if !line.endsParagraph { paintWrapMark(line) }
    }

    /// The rows of lines whose white space is preserved. Linear in boxes and lines.
    func preservedRows() -> Set<Int> {
        var rows = Set<Int>()
        for box in tree.boxes where text.styles.styles.indices.contains(Int(box.style.rawValue)) {
            guard text.styles[box.style].text.whiteSpaceCollapse == .preserve else { continue }
            for line in tree.lines[box.lines] { rows.insert(line.baseline.rounded - 1) }
        }
        return rows
    }

    /// Marks a line of code that continues in the next line. A space that hangs at the end of the line makes way.
    private func paintWrapMark(_ line: LineFragment) {
        let container = tree.boxes[line.container]
        guard cells.listings.contains(container.box), container.padding.right >= .cell, !options.isWide else { return }
        let column = area(container.rect.rect).columns.upperBound - 1 - container.border.right.rounded
        let row = line.baseline.rounded - 1
        guard !grid.hasText(column, row) else { return }
        grid.put(0x21B5, width: 1, column, row, style: look(of: cells.theme[.comment]))
    }

    private func paintText(_ fragment: InlineFragment, shift: Int, isMarker: Bool) {
        let row = fragment.baseline.rounded - 1
        let number = look(of: fragment)
        var column = Int(bounded: fragment.origin.rounded()) + shift
        func put(_ glyph: UInt32, width: Int) {
            grid.put(glyph, width: width, column, row, style: number)
            column += width
        }
        /// The number of cells of a tab; 0 for text.
        let tab = fragment.glyphs.isEmpty ? min(1000, max(0, fragment.rect.width.rounded)) : 0
        for _ in 0..<tab { put(0x20, width: 1) }
        for glyph in tree.glyphs[fragment.glyphs] where glyph.id != ShapedGlyph.invisible {
            // A marker that is wider than its indent ends where the text begins.
            if isMarker, grid.glyph(column, row) != 0 { return }
            let advance = Int(bounded: glyph.advance + (glyph.advance < 0 ? -0.5 : 0.5), by: 1e6)
            let own = min(glyph.id == 0x20 ? 1 : font.cells(of: glyph.id), max(1, advance))
            put(glyph.id, width: own)
            for _ in own..<max(own, advance) { put(0x20, width: 1) }
        }
    }

    private func look(of fragment: InlineFragment) -> UInt32 {
        let isOfTail = Int(fragment.style.rawValue) >= text.styles.styles.count
        let style = style(fragment.style)
        var link = 0
        if options.hyperlinks, let links = isOfTail ? tailLinks : text.links {
            let place = links.link(of: fragment.element, styledAs: style.text.link)
            if place >= 0 { link = looks.link(to: links[place].target, cells.resolveLink) }
        }
        var look = terminalStyle(style, isOfTail ? [] : cells.roles[fragment.element].ofLetters)
        look.link = link
        return looks.number(of: look)
    }

    private func terminalStyle(_ style: ComputedStyle, _ role: TextRole) -> TerminalStyle {
        var result = TerminalStyle()
        result.isText = true
        result.isBold = style.font.weight >= 600
        result.isFaint = style.box.opacity < 0.75
        result.isItalic = style.font.slant != .normal || style.text.obliqueness != 0
        let color = style.text.fillColor ?? style.text.color
        result.foreground = color
        for decoration in style.box.decorations {
            if decoration.lines.contains(.underline) {
                result.underline = decoration.style
                if decoration.color != color { result.underlineColor = decoration.color }
            }
            if decoration.lines.contains(.lineThrough) { result.isStruck = true }
            if decoration.lines.contains(.overline) { result.isOverlined = true }
        }
        // Headings by their level, keys and code, which a picture shows by fonts and sizes.
        let isInk = color == .black || ReadableColors.isDarkGrey(color)
        if role.contains(.key) { result.isBold = true }
        switch role.heading {
        case 0: break
        // Regardless of the page's font weight, because the size, which marks a heading, is not visible.
        case 1: (result.isBold, result.underline) = (true, result.underline ?? .double)
        case 2: (result.isBold, result.underline) = (true, result.underline ?? .solid)
        case 3: result.isBold = true
        case 4: (result.isBold, result.isItalic) = (true, true)
        case 5: (result.isItalic, result.isBold) = (true, false)
        default: (result.isBold, result.underline) = (false, result.underline ?? .dotted)
        }
        if isInk, role.isLiteral || role.heading > 0 { result.accent = cells.theme[role.isLiteral ? .code : .heading] }
        if color == Self.browserLink { result.accent = cells.theme[.link] }
        return result
    }

    private static let browserLink = Color(red: 0, green: 0, blue: 0xEE)

    // MARK: Borders

    func paintBorder(_ border: BorderItem) {
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
    func paintCollapsedBorders(_ table: Int) {
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

/// Lines in a cell, in box-drawing characters (U+2500–U+257F): a set of arms up, down, left and right, packed into two bits of weight
/// for each direction, then the flags of their style. Arms of different lines in a cell are joined.
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
