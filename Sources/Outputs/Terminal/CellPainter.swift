// Paints a layout in cells onto a grid of cells, in CSS painting order (CSS 2.1 appendix E).
//
// In: a finished LayoutTree whose lengths are cells. Out: backgrounds, borders as lines, text in its styles. As in a picture, a
// painting context (the document, a float, an atomic box) is painted in three passes: boxes, floats, lines. Nothing is clipped:
// layout has wrapped everything that does not fit, and text that a page hides beyond an edge stays readable. Positioned boxes
// follow in stacking order; boxes whose text would cover other text are not painted but reported.

import FancyTextBasics
import FancyTextBoxes
import FancyTextImages
import FancyTextLayout
import FancyTextMarkup
import FancyTextPainting
import FancyTextStyling
import FancyTextTypography

struct CellPainter {
    private let tree: LayoutTree
    private let text: StyledText
    /// The text in CSS pixels.
    private let paper: StyledText
    private let markup: MarkupTree?
    private let roles: TerminalRoles
    private let theme: TerminalTheme
    private let hasLineBackgrounds: Bool
    private let resolveLink: (String) -> String?
    private let font: CellFont
    private let options: ANSIOptions
    private let pictures: ImageStore?
    /// The links of a truncation's tail, whose elements belong to a separate tree.
    private let tailLinks: LinkTable?
    private(set) var grid: CellGrid
    private(set) var looks: TerminalLooks
    /// The background of the canvas; 0 for the terminal's own.
    private(set) var canvas: UInt32 = 0
    /// The box whose background was propagated to the canvas.
    private var canvasBox = -1
    /// The containing blocks of the positioned boxes that were not painted, because their text would cover other text or be
    /// outside of the screen. As ``StyledBox/containingBlock``.
    private(set) var crowds: Set<Int> = []
    /// Positioned boxes that are left out: one or two signs in the page's margin, which a screen does not have.
    private(set) var ornaments: Set<Int> = []
    private var depth = 0
    private static let depthLimit = 2048
    /// By style, its number in ``TerminalLooks``, without a link or a role; `.max` while unknown.
    private var lookOfStyle: [UInt32]
    /// The numbers for styles with a role, by style and role.
    private var lookOfRole: [UInt64: UInt32] = [:]

    /// - Parameters:
    ///   - paper: the text in CSS pixels.
    ///   - most: the maximum number of cells of the screen.
    init(
        _ tree: LayoutTree, text: StyledText, paper: StyledText, markup: MarkupTree?, roles: TerminalRoles,
        font: CellFont, options: ANSIOptions, cells most: Int, tailLinks: LinkTable?, pictures: ImageStore?,
        resolveLink: @escaping (String) -> String?
    ) {
        self.tree = tree
        self.text = text
        self.paper = paper
        self.roles = roles
        self.resolveLink = resolveLink
        theme = options.colorTheme
        hasLineBackgrounds =
            options.colors != .plain && options.colors != .monochrome
            && text.styles.styles.contains { $0.text.lineBackground != nil }
        self.markup = markup
        self.font = font
        self.options = options
        self.pictures = pictures
        grid = CellGrid(end: max(1, options.width) + 2 * tree.glyphs.count, room: most)
        looks = TerminalLooks()
        self.tailLinks = tailLinks
        lookOfStyle = [UInt32](repeating: .max, count: text.styles.styles.count + tree.addedStyles.count)
    }

    /// Paints everything. Linear in the tree, and in the cells of boxes with a background.
    ///
    /// - Parameters:
    ///   - elements: the elements whose background covers the canvas, the root before the body (CSS Backgrounds 3 §2.11).
    ///   - background: the background below all of them.
    mutating func paint(canvas elements: [NodeID], background: Color?) {
        if let background { canvas = looks.background(background) }
        let root = text.styles.canvas.map { looks.background($0.box.backgroundColor) } ?? 0
        if root > 0 { canvas = root }
        for index in root > 0 ? [] : tree.canvasBoxes(of: elements) {
            let own = looks.background(style(tree.boxes[index].style).box.backgroundColor)
            if own > 0 {
                (canvas, canvasBox) = (own, index)
                break
            }
        }
        guard !tree.boxes.isEmpty else { return }
        let positioned = positionedBoxes()
        for (index, level) in positioned where level < 0 && !hasText(index) { paintContext(index) }
        paintContext(0)
        for (index, level) in positioned where level >= 0 || hasText(index) {
            if isOrnament(index) {
                ornaments.insert(tree.boxes[index].box)
            } else if isCrowded(index) {
                crowds.insert(text.boxes[tree.boxes[index].box].containingBlock)
            } else {
                paintContext(index)
            }
        }
    }

    /// The style of an id, from the document or added by layout.
    private func style(_ id: StyleID) -> ComputedStyle {
        let index = Int(id.rawValue)
        let count = text.styles.styles.count
        return index < count ? text.styles[id] : tree.addedStyles[index - count]
    }

    // MARK: Contexts

    private mutating func paintContext(_ root: Int) {
        guard depth < Self.depthLimit else { return }
        depth += 1
        defer { depth -= 1 }
        let end = min(max(tree.boxes[root].end, root + 1), tree.boxes.count)
        var tables: [Int] = []
        forEachOwnBox(of: root, end) { painter, index in
            painter.paintBox(index)
            if !painter.tree.boxes[index].collapsedBorders.isEmpty { tables.append(index) }
        }
        for table in tables { paintCollapsedBorders(table) }
        var index = root + 1
        while index < end {
            if tree.boxes[index].placement == .float { paintContext(index) }
            index = tree.boxes[index].placement == .inFlow ? index + 1 : max(index + 1, tree.boxes[index].end)
        }
        forEachOwnBox(of: root, end) { painter, index in
            for line in painter.tree.boxes[index].lines { painter.paintLine(painter.tree.lines[line]) }
        }
    }

    // MARK: Positioned boxes

    /// The visible positioned boxes, by `z-index` and then in document order. Linear if there are any.
    private func positionedBoxes() -> [(index: Int, level: Int)] {
        guard tree.boxes.contains(where: { $0.placement == .positioned }) else { return [] }
        var isUnseen = [Bool](repeating: false, count: tree.boxes.count)
        var result: [(index: Int, level: Int)] = []
        for (index, fragment) in tree.boxes.enumerated() {
            if fragment.parent >= 0 { isUnseen[index] = isUnseen[fragment.parent] }
            guard fragment.placement == .positioned, paper.boxes.indices.contains(fragment.box) else { continue }
            let style = paper.styles[paper.boxes[fragment.box].style].box
            if style.isOutOfSight { isUnseen[index] = true }
            if !isUnseen[index] { result.append((index, style.positioned.zIndex ?? 0)) }
        }
        return result.enumerated().sorted { ($0.element.level, $0.offset) < ($1.element.level, $1.offset) }
            .map(\.element)
    }

    private func hasText(_ root: Int) -> Bool {
        tree.boxes[root..<max(root + 1, tree.boxes[root].end)].contains { box in
            box.lines.contains { !tree.lines[$0].fragments.isEmpty }
        }
    }

    /// Returns whether a positioned box contains only one or two signs at the left of the screen.
    private func isOrnament(_ root: Int) -> Bool {
        var signs = 0
        for fragment in tree.boxes[root..<max(root + 1, tree.boxes[root].end)] {
            for inline in fragment.lines.lazy.flatMap({ tree.inlines[tree.lines[$0].fragments] }) {
                if inline.glyphs.isEmpty { continue }
                signs += inline.glyphs.count
                if signs > 2 || cells(inline.rect).columns.upperBound > 0 { return false }
            }
        }
        return signs > 0
    }

    /// Returns whether text or a picture in a positioned box would cover text, touch it without a space, or be outside of the
    /// screen.
    private func isCrowded(_ root: Int) -> Bool {
        func isTaken(_ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
            if columns.lowerBound < 0 || rows.lowerBound < 0 { return true }
            if columns.upperBound > max(options.width, Int(bounded: tree.size.width)) { return true }
            return rows.contains { row in
                (columns.lowerBound - 1...columns.upperBound).contains { grid.hasText($0, row) }
            }
        }
        for fragment in tree.boxes[root..<max(root + 1, tree.boxes[root].end)] {
            for line in fragment.lines {
                for inline in tree.inlines[tree.lines[line].fragments] where !inline.isHidden && !inline.glyphs.isEmpty
                {
                    let glyphs = tree.glyphs[inline.glyphs]
                    guard glyphs.contains(where: { $0.id != 0x20 && $0.id != ShapedGlyph.invisible }),
                        style(inline.style).text.visibility == .visible
                    else { continue }
                    let row = inline.baseline.rounded - 1
                    if isTaken(cells(inline.rect).columns, row..<row + 1) { return true }
                }
            }
            guard fragment.kind == .image || fragment.kind == .lambda, fragment.box >= 0,
                text.boxes[fragment.box].replaced >= 0, pictures != nil
            else { continue }
            let area = cells(fragment.rect)
            if isTaken(area.columns, area.rows.prefix(200)) { return true }
        }
        return false
    }

    private mutating func forEachOwnBox(of root: Int, _ end: Int, _ body: (inout CellPainter, Int) -> Void) {
        body(&self, root)
        var index = root + 1
        while index < end {
            if tree.boxes[index].placement == .inFlow {
                body(&self, index)
                index += 1
            } else {
                index = max(index + 1, tree.boxes[index].end)
            }
        }
    }

    // MARK: Boxes

    /// The whole cells that a rectangle covers.
    private func cells(_ rect: LayoutRect) -> (columns: Range<Int>, rows: Range<Int>) {
        (
            rect.x.rounded..<max(rect.x.rounded, rect.maxX.rounded),
            rect.y.rounded..<max(rect.y.rounded, rect.maxY.rounded)
        )
    }

    private mutating func paintBox(_ index: Int) {
        let fragment = tree.boxes[index]
        guard fragment.kind != .canvas, fragment.kind != .tableWrapper, fragment.kind != .marker, !fragment.isAnonymous,
            !fragment.isHidden
        else { return }
        let style = style(fragment.style)
        guard style.text.visibility == .visible else { return }
        if fragment.parts.isEmpty { return paint(fragment, style, isCanvas: index == canvasBox) }
        for part in tree.parts(of: fragment) { paint(part, style, isCanvas: false) }
    }

    private mutating func paint(_ fragment: BoxFragment, _ style: ComputedStyle, isCanvas: Bool) {
        let area = cells(fragment.rect)
        var inside = area
        if fragment.border != Edges() {
            // Lines are drawn at the edge of the colour.
            var rect = fragment.rect
            rect.x += fragment.border.left
            rect.y += fragment.border.top
            rect.width -= fragment.border.horizontal
            rect.height -= fragment.border.vertical
            inside = cells(rect)
        }
        for underlay in fragment.underlays {
            fill(inside, self.style(tree.underlays[underlay].style))
        }
        if !isCanvas, fragment.kind != .tableRow, fragment.kind != .tableRowGroup { fill(inside, style) }
        if fragment.paintsBorder, fragment.border != Edges() {
            paintBorder(fragment, style.box, area)
            if fragment.legend >= 0 {
                grid.clearLines(columns: cells(tree.boxes[fragment.legend].rect).columns, row: area.rows.lowerBound)
            }
        }
        paintControl(fragment, style, area)
        switch fragment.kind {
        case .image, .lambda: paintPicture(fragment, area)
        case .block: if isQuote(fragment) { paintQuoteBar(fragment, style, area) }
        case .canvas, .flex, .grid, .table, .tableRowGroup, .tableRow, .tableCell, .tableCaption, .tableColumn, .ruby,
            .marker, .tableWrapper:
            break
        }
    }

    private mutating func fill(_ area: (columns: Range<Int>, rows: Range<Int>), _ style: ComputedStyle) {
        guard style.text.visibility == .visible, style.box.backgroundClip != .text else { return }
        let background = looks.background(style.box.backgroundColor)
        if background > 0 { grid.fill(columns: area.columns, rows: area.rows, background: background) }
        guard options.colors != .plain, options.colors != .monochrome else { return }
        for layer in style.box.backgroundLayers.reversed() {
            guard case .gradient(let gradient) = layer.image, area.rows.count <= 1000 else { continue }
            let shades = CellGradient(
                gradient, columns: area.columns.count, rows: area.rows.count, cellWidth: options.cellWidth,
                cellHeight: options.cellHeight)
            for row in area.rows {
                for column in area.columns {
                    let color = shades.color(column - area.columns.lowerBound, row - area.rows.lowerBound)
                    let number = looks.background(color)
                    if number > 0 { grid.fill(columns: column..<column + 1, rows: row..<row + 1, background: number) }
                }
            }
        }
    }

    private mutating func look(of side: BorderSide) -> UInt32 { look(of: side.color) }

    /// The number of a style for lines and symbols; nil is the terminal's own colour.
    private mutating func look(of color: Color?) -> UInt32 {
        var result = TerminalStyle()
        result.isText = true
        result.foreground = color
        return looks.number(of: result)
    }

    // MARK: Form controls

    /// Paints brackets around a control of one line, or symbols and gauges.
    private mutating func paintControl(
        _ fragment: BoxFragment, _ style: ComputedStyle, _ area: (columns: Range<Int>, rows: Range<Int>)
    ) {
        guard fragment.box >= 0, text.boxes[fragment.box].control >= 0, let first = area.columns.first,
            let last = area.columns.last, let top = area.rows.first
        else { return }
        let row = top + (area.rows.count - 1) / 2
        let number = look(of: style.text.color)
        func put(_ character: Unicode.Scalar, _ column: Int) {
            grid.put(character.value, width: 1, column, row, style: number)
        }
        /// Paints a gauge of `whole` cells, of which the fraction `share` is full.
        func gauge(_ columns: Range<Int>, _ share: Float, _ full: Unicode.Scalar, _ empty: Unicode.Scalar) {
            let reached = Int((Float(columns.count) * min(1, max(0, share))).rounded())
            for (place, column) in columns.enumerated() { put(place < reached ? full : empty, column) }
        }
        switch text.controls[text.boxes[fragment.box].control].kind {
        case .button, .textField:
            put("[", first)
            put("]", last)
        case .menu:
            put("[", first)
            put("]", last)
            if last - 1 > first { put("▾", last - 1) }
        case .checkBox(let isOn): put(isOn ? "☑" : "☐", first)
        case .radioButton(let isOn): put(isOn ? "◉" : "○", first)
        case .range(let share):
            gauge(area.columns, 0, "─", "─")
            put("●", first + Int((Float(area.columns.count - 1) * share).rounded()))
        case .progress(let share): gauge(area.columns, share ?? 0, "█", "░")
        case .meter(let share, _): gauge(area.columns, share, "█", "░")
        case .color(let color):
            let number = looks.background(color)
            if number > 0 { grid.fill(columns: area.columns, rows: row..<row + 1, background: number) }
        case .textArea, .listBox: break
        }
    }

    private mutating func paintBorder(
        _ fragment: BoxFragment, _ style: BoxStyle, _ area: (columns: Range<Int>, rows: Range<Int>)
    ) {
        guard let firstColumn = area.columns.first, let lastColumn = area.columns.last, let firstRow = area.rows.first,
            let lastRow = area.rows.last
        else { return }
        let isRounded = !style.cornerRadii.isEmpty
        let (hasLeft, hasRight) = (fragment.border.left > .zero, fragment.border.right > .zero)
        for (width, side, row, toCorner) in [
            (fragment.border.top, style.border.top, firstRow, BoxLines.down),
            (fragment.border.bottom, style.border.bottom, lastRow, BoxLines.up),
        ] where width > .zero {
            let look = BoxLines.look(side, isRounded: isRounded)
            let number = self.look(of: side)
            for column in area.columns {
                var arms = BoxLines.horizontal * look.weight
                if column == firstColumn, hasLeft {
                    arms = BoxLines.right * look.weight
                    arms |= toCorner * BoxLines.look(style.border.left, isRounded: isRounded).weight
                }
                if column == lastColumn, hasRight {
                    arms = (column == firstColumn && hasLeft ? arms : 0) | BoxLines.left * look.weight
                    arms |= toCorner * BoxLines.look(style.border.right, isRounded: isRounded).weight
                }
                grid.draw(arms | look.flags, column, row, style: number)
            }
        }
        let top = firstRow + (fragment.border.top > .zero ? 1 : 0)
        let bottom = max(top, lastRow + (fragment.border.bottom > .zero ? 0 : 1))
        for (isThere, side, column) in [
            (hasLeft, style.border.left, firstColumn), (hasRight, style.border.right, lastColumn),
        ] where isThere {
            let look = BoxLines.look(side, isRounded: isRounded)
            let number = self.look(of: side)
            for row in top..<bottom {
                grid.draw(BoxLines.vertical * look.weight | look.flags, column, row, style: number)
            }
        }
    }

    /// Paints the collapsed borders of a table. Each line is joined with those that it meets.
    private mutating func paintCollapsedBorders(_ table: Int) {
        let bars = tree.collapsedBorders[tree.boxes[table].collapsedBorders].filter { $0.side.color.alpha >= 64 }
        for bar in bars {
            let (columns, rows) = cells(bar.rect)
            let look = BoxLines.look(bar.side, isRounded: false)
            let number = self.look(of: bar.side)
            if bar.isHorizontal {
                for column in columns {
                    var arms = BoxLines.horizontal * look.weight
                    if column == columns.first { arms = BoxLines.right * look.weight }
                    if column == columns.last { arms = BoxLines.left * look.weight }
                    grid.draw(arms | look.flags, column, rows.lowerBound, style: number)
                }
            } else {
                for row in rows {
                    var arms = BoxLines.vertical * look.weight
                    if row == rows.first { arms = BoxLines.down * look.weight }
                    if row == rows.last { arms = row == rows.first ? 0 : BoxLines.up * look.weight }
                    grid.draw(arms | look.flags, columns.lowerBound, row, style: number)
                }
            }
        }
        // The ends: a line continues into the line that it meets, or to the edge of its cell. Vertical lines are painted first,
        // so that the horizontal ones find their corners.
        for bar in bars.filter({ !$0.isHorizontal }) + bars.filter(\.isHorizontal) {
            let (columns, rows) = cells(bar.rect)
            guard let firstColumn = columns.first, let lastColumn = columns.last, let firstRow = rows.first,
                let lastRow = rows.last
            else { continue }
            let look = BoxLines.look(bar.side, isRounded: false)
            let number = self.look(of: bar.side)
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

    // MARK: Quotations

    private func isQuote(_ fragment: BoxFragment) -> Bool {
        guard let markup, fragment.element.isInside(markup), markup.kind(fragment.element) == .element else {
            return false
        }
        return markup.tag(fragment.element) == .blockquote && fragment.border.left == .zero
            && fragment.border.right == .zero
    }

    /// Paints a bar in the indent of a quotation.
    private mutating func paintQuoteBar(
        _ fragment: BoxFragment, _ style: ComputedStyle, _ area: (columns: Range<Int>, rows: Range<Int>)
    ) {
        let isRightToLeft = style.text.direction == .rtl
        let room = isRightToLeft ? fragment.margin.right : fragment.margin.left
        guard room >= .cell * 2 else { return }
        let number = look(of: theme[.frame])
        let column = isRightToLeft ? area.columns.upperBound + 1 : area.columns.lowerBound - 2
        for row in area.rows { grid.draw(BoxLines.vertical, column, row, style: number) }
    }

    // MARK: Pictures

    private mutating func paintPicture(_ fragment: BoxFragment, _ area: (columns: Range<Int>, rows: Range<Int>)) {
        guard let pictures, fragment.box >= 0, text.boxes[fragment.box].replaced >= 0, !area.columns.isEmpty,
            !area.rows.isEmpty
        else { return }
        var source = text.replaced[text.boxes[fragment.box].replaced].source
        if fragment.kind == .lambda {
            guard case .picture(let name) = pictures.drawing(lambda: source) else { return }
            source = name
        }
        let (columns, rows) = (area.columns.count, min(200, area.rows.count))
        let (width, height) = (
            columns * max(1, Int(bounded: options.cellWidth)), rows * max(1, Int(bounded: options.cellHeight))
        )
        guard let picture = pictures.picture(source: source, width: width, height: height) else { return }
        switch TerminalImage.show(picture, columns: columns, rows: rows, options) {
        case .none: break
        case .halfBlocks(let cells):
            for (place, cell) in cells.enumerated() where cell.glyph != 0x20 {
                let (column, row) = (
                    area.columns.lowerBound + place % columns, area.rows.lowerBound + place / columns
                )
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

    private mutating func paintLine(_ line: LineFragment) {
        // Content beyond the left edge of the screen is moved in.
        var shift = max(0, -line.rect.x.rounded)
        if shift > 0, line.isTruncated {
            let shown = tree.inlines[line.fragments].lazy.filter { !$0.isHidden && $0.kind != .box }
            shift = max(0, -(shown.map(\.rect.x.rounded).min() ?? 0))
        }
        let isMarker = tree.boxes[line.container].kind == .marker
        paintLineBackground(line)
        if !line.endsParagraph { paintWrapMark(line) }
        var index = line.fragments.lowerBound
        while index < line.fragments.upperBound {
            let fragment = tree.inlines[index]
            switch fragment.kind {
            case .box:
                let style = style(fragment.style)
                let background = looks.background(style.box.backgroundColor)
                if background > 0, style.text.visibility == .visible {
                    let columns = cells(fragment.rect).columns
                    let row = fragment.baseline.rounded - 1
                    grid.fill(columns: columns, rows: row..<row + 1, background: background)
                }
            case .text, .generated: if !fragment.isHidden { paintText(fragment, shift: shift, isMarker: isMarker) }
            case .atomic: if fragment.payload >= 0, !fragment.isHidden { paintContext(fragment.payload) }
            }
            index += 1
        }
    }

    /// Paints the background of a line (`-ft-line-background`).
    private mutating func paintLineBackground(_ line: LineFragment) {
        guard hasLineBackgrounds else { return }
        let texts = tree.inlines[line.fragments].filter { $0.kind == .text && !$0.glyphs.isEmpty }
        guard let first = texts.first, let last = texts.last,
            let strip = style(first.style).text.lineBackground
        else { return }
        let background = looks.background(strip.color)
        guard background > 0 else { return }
        let row = line.baseline.rounded - 1
        grid.fill(
            columns: cells(first.rect).columns.lowerBound - 1..<cells(last.rect).columns.upperBound + 1,
            rows: row..<row + 1, background: background)
    }

    /// Paints the mark after a line of code that continues in the next line.
    private mutating func paintWrapMark(_ line: LineFragment) {
        let container = tree.boxes[line.container]
        guard container.box >= 0, container.box < paper.boxes.count, !options.isWide else { return }
        let style = paper.styles[paper.boxes[container.box].style].text
        guard style.whiteSpaceCollapse == .preserve, !style.wraps, container.padding.right >= .cell else { return }
        let column = cells(container.rect).columns.upperBound - 1 - container.border.right.rounded
        grid.put(
            0x21B5, width: 1, column, line.baseline.rounded - 1, style: look(of: theme[.comment]))
    }

    private mutating func paintText(_ fragment: InlineFragment, shift: Int, isMarker: Bool) {
        let row = fragment.baseline.rounded - 1
        let number = look(of: fragment)
        let column = Int(bounded: fragment.origin.rounded()) + shift
        /// The number of cells of a tab; 0 for text.
        let tab = fragment.glyphs.isEmpty ? min(1000, max(0, fragment.rect.width.rounded)) : 0
        let (font, invisible) = (font, ShapedGlyph.invisible)
        tree.glyphs.withUnsafeBufferPointer { all in
            let glyphs = UnsafeBufferPointer(rebasing: all[fragment.glyphs])
            let end = glyphs.reduce(column + tab) { $0 + max(1, wholeCells($1.advance)) }
            grid.withRow(row, through: end) { cells in
                var column = CellGrid.blank(tab, column, style: number, in: cells)
                for glyph in glyphs where glyph.id != invisible {
                    // A marker that is wider than its indent ends where the text begins.
                    if isMarker, cells.indices.contains(column), cells[column].glyph != 0 { return }
                    var advance = wholeCells(glyph.advance)
                    let own = min(glyph.id == 0x20 ? 1 : font.cells(of: glyph.id), max(1, advance))
                    // The space that justification added before an ideograph.
                    if glyph.xOffset != 0 {
                        let room = max(0, min(wholeCells(glyph.xOffset), advance - own))
                        column = CellGrid.blank(room, column, style: number, in: cells)
                        advance -= room
                    }
                    CellGrid.put(glyph.id, width: own, column, style: number, in: cells)
                    column += own
                    if advance > own { column = CellGrid.blank(advance - own, column, style: number, in: cells) }
                }
            }
        }
    }

    /// The terminal style of a fragment, and its link.
    private mutating func look(of fragment: InlineFragment) -> UInt32 {
        let index = Int(fragment.style.rawValue)
        let isOfTail = index >= text.styles.styles.count
        let style = style(fragment.style)
        var link = 0
        if options.hyperlinks, let links = isOfTail ? tailLinks : text.links {
            let place = links.link(of: fragment.element, styledAs: style.text.link)
            if place >= 0 { link = looks.link(to: links[place].target, resolveLink) }
        }
        let role = isOfTail ? [] : roles[fragment.element].ofLetters
        let key = UInt64(index) << 16 | UInt64(role.rawValue)
        if link == 0 {
            if role.isEmpty, lookOfStyle[index] != .max { return lookOfStyle[index] }
            if !role.isEmpty, let known = lookOfRole[key] { return known }
        }
        var look = terminalStyle(style, role)
        look.link = link
        let number = looks.number(of: look)
        if link == 0 {
            if role.isEmpty { lookOfStyle[index] = number } else { lookOfRole[key] = number }
        }
        return number
    }

    private func terminalStyle(_ style: ComputedStyle, _ role: TerminalRole) -> TerminalStyle {
        var result = TerminalStyle()
        result.isText = true
        result.isBold = style.font.weight >= 600
        result.isFaint = style.box.opacity < 0.75
        result.isItalic = style.font.slant != .normal || style.text.obliqueness != 0
        result.isHidden = style.text.visibility != .visible
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
        addLook(of: role, to: &result)
        if color == Self.browserLink { result.accent = theme[.link] }
        return result
    }

    /// The default colour of links in browsers.
    private static let browserLink = Color(red: 0, green: 0, blue: 0xEE)

    /// Marks headings by their level, keys and code, which a picture shows by fonts and sizes.
    private func addLook(of role: TerminalRole, to look: inout TerminalStyle) {
        let isInk = look.foreground.map { $0 == .black || ReadableColors.isDarkGrey($0) } ?? true
        if role.contains(.code), isInk { look.accent = theme[.code] }
        if role.contains(.key) { look.isBold = true }
        switch role.heading {
        case 0: return
        // Regardless of the page's font weight, because the size, which marks a heading, is not visible.
        case 1: (look.isBold, look.underline) = (true, look.underline ?? .double)
        case 2: (look.isBold, look.underline) = (true, look.underline ?? .solid)
        case 3: look.isBold = true
        case 4: (look.isBold, look.isItalic) = (true, true)
        case 5: (look.isItalic, look.isBold) = (true, false)
        default: (look.isBold, look.underline) = (false, look.underline ?? .dotted)
        }
        if isInk, !role.contains(.code) { look.accent = theme[.heading] }
    }
}

extension NodeID {
    /// Returns whether the node exists; anonymous boxes may refer to one that does not.
    fileprivate func isInside(_ tree: MarkupTree) -> Bool { Int(index) < tree.count }
}

/// A length in cells, rounded to the nearest.
@inline(__always)
private func wholeCells(_ length: Float) -> Int {
    Int(bounded: length + (length < 0 ? -0.5 : 0.5), by: 1e6)
}
