// Converts styled text for a layout in cells: the same boxes, with lengths in columns and lines.
//
// In: a BoxTree in CSS pixels. Out: one whose lengths are in cells: a pixel is a cell in either direction. One pass over the
// style table, and one over the boxes for the few that need their own style or contents:
//
// | CSS                                     | cells                                                                    |
// |-----------------------------------------|--------------------------------------------------------------------------|
// | horizontal margins, paddings, gaps      | rounded to columns; negative ones are 0, so that nothing covers text     |
// | widths                                  | rounded to columns, at least one; up to 20, at least the longest word    |
// | vertical margins, paddings, gaps        | rounded to lines, upwards from 0.4 of a line, at most 100; a border is   |
// |                                         | half a line of the padding inside it; of blank rows only one is kept     |
// | heights                                 | determined by the contents, except for those of pictures                 |
// | borders                                 | one cell if a line is visible; lines of 3px or more stay heavy           |
// | fonts, line heights, spacing of letters | one size, one line each, no spacing                                      |
// | `vertical-align`                        | the baseline, or top, middle and bottom of a cell or a higher line       |
// | `letter-spacing`, `text-fit`            | ignored                                                                  |
// | `overflow-wrap`                         | `break-word`: no word is wider than the screen                           |
// | backgrounds                             | none without colours; code gets one if it has none                       |
// | inline boxes                            | no borders; paddings of at least a cell, or any under a background       |
// | the margins of root and body            | none: the screen has its own edge                                        |
// | positions                               | in CellText+Positions                                                    |
// | `-webkit-line-clamp`                    | removes lines, because nothing clips them                                |
//
// An image that is not drawn is replaced by its alternative text (HTML §15.4.2). An empty block with a visible border, or a thin
// bar of colour, becomes a rule.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextImages
import FancyTextMarkup
import FancyTextWriting

struct CellText {
    var text: BoxTree
    let options: ANSIOptions
    let tree: MarkupTree?
    let roles: TextRoles
    private let pictures: (any ReplacedSizes)?
    let theme: TerminalTheme
    /// Returns the absolute target of a link; nil for a link that must not or cannot be followed.
    let resolveLink: (String) -> String?
    /// The targets of links in notes at the end, in the order of their numbers.
    var notes = LinkNotes()
    /// The styles in CSS pixels, those of variants too.
    var originals: StyleTable
    /// Style variants of single boxes, by the original style and the change.
    private var variants: [UInt64: StyleID] = [:]
    /// Boxes that a picture does not show.
    var outOfSight: Set<Int> = []
    /// Boxes with code; a mark shows where their lines are wrapped.
    var listings: Set<Int> = []

    /// - Parameter pictures: the sizes of the pictures that will be drawn; nil if none will.
    init(
        _ text: BoxTree, tree: MarkupTree?, roles: TextRoles, options: ANSIOptions,
        pictures: (any ReplacedSizes)?, resolveLink: @escaping (String) -> String?
    ) {
        (self.text, self.tree, self.roles) = (text, tree, roles)
        originals = text.styles
        (self.options, self.pictures, self.resolveLink) = (options, pictures, resolveLink)
        theme = options.colorTheme
    }

    /// Converts all lengths and contents to cells; `canvas` is the root and the body. Linear in styles, boxes and the text of tables.
    mutating func convert(canvas: [NodeID] = [], padding: Float = 0) {
        // An inline box is one line high, whatever it holds.
        text.documentMode = .noQuirks
        // Pages set the spaces between inline blocks at `font-size: 0`.
        for run in text.runs.indices where originals[text.runs[run].style].font.size < 1 {
            text.runs[run].range = text.runs[run].range.lowerBound..<text.runs[run].range.lowerBound
        }
        convertStyles()
        let rooms = roomsOfPositions()
        convertBoxes(canvas, padding)
        separateWords(alternatives: replacePictures())
        joinMarkers()
        convertControls()
        writeScripts()
        writeRuby()
        writeLinkTargets()
        if !options.isWide { writeWideTables() }
        convertCode()
        makeRoom(rooms)
    }

    // MARK: Lengths

    func columns(_ pixels: Float) -> Float {
        max(0, min(1e4, (min(pixels, 1e6) / max(1, options.cellWidth)).rounded()))
    }

    func lines(_ pixels: Float) -> Float {
        let height = max(1, options.cellHeight)
        return pixels < height * 0.4 ? 0 : max(1, min(100, (pixels / height).rounded()))
    }

    var hasColors: Bool { options.colors != .plain && options.colors != .monochrome }

    private func fraction(_ value: Float) -> Float { max(0, min(1, value)) }

    private func horizontal(_ length: LengthPercentage) -> LengthPercentage {
        if !length.isRelative { return LengthPercentage(px: columns(length.px)) }
        // `calc()` may subtract from the percentage.
        return length.mapped { sum in
            .init(px: max(-1e4, min(1e4, sum.px / max(1, options.cellWidth))), fraction: fraction(sum.fraction))
        }
    }

    /// A padding, less by the negative margin around it: where the contents are, not the box, stays.
    private func padding(_ padding: LengthPercentage, inside margin: LengthPercentage?) -> LengthPercentage {
        guard let margin, !margin.isRelative, !padding.isRelative else { return horizontal(padding) }
        return horizontal(LengthPercentage(px: padding.px + min(0, margin.px)))
    }

    /// Percentages of vertical margins and paddings are of the width, in columns; half as many lines look the same. A border beside
    /// the padding is drawn in the middle of a line, whose other half is part of it.
    func vertical(_ length: LengthPercentage, isAtBorder: Bool = false) -> LengthPercentage {
        let drawn = isAtBorder ? options.cellHeight / 2 : 0
        return length.mapped { .init(px: lines($0.px - drawn), fraction: fraction($0.fraction) / 2) }
    }

    /// A width, of at least one column.
    private func breadth(_ length: LengthPercentage) -> LengthPercentage {
        var cells = horizontal(length)
        if !length.isRelative, length.px > 0 { cells.px = max(1, cells.px) }
        return cells
    }

    private func width(_ value: SizeValue) -> SizeValue {
        switch value {
        case .auto, .minContent, .maxContent, .stretch, .content: value
        case .fitContent(let limit): .fitContent(limit.map(horizontal))
        // Percentages are rounded down, so that two halves fit beside each other.
        case .length(let length) where length.isRelative:
            .length(horizontal(length).mapped { .init(px: $0.px - 0.49, fraction: $0.fraction) })
        case .length(let length): .length(breadth(length))
        }
    }

    /// Returns whether words are likely not to fit a width: small type, and the text in place of a picture, are wider in cells.
    private func isNarrow(_ width: SizeValue) -> Bool { width.absolute.map { $0 <= 20 } ?? false }

    private func height(_ value: SizeValue) -> SizeValue {
        value.absolute.map { .length(LengthPercentage(px: max(1, lines($0)))) } ?? .auto
    }

    private func column(_ track: TrackSize) -> TrackSize {
        func limit(_ value: TrackBreadth) -> TrackBreadth {
            if case .length(let length) = value { .length(breadth(length)) } else { value }
        }
        var result = TrackSize(limit(track.minimum), limit(track.maximum))
        result.fitLimit = track.fitLimit.map(horizontal)
        return result
    }

    private func converted(_ grid: GridStyle) -> GridStyle {
        var result = grid
        for group in grid.columns.groups.indices {
            result.columns.groups[group].tracks = grid.columns.groups[group].tracks.map(column)
        }
        result.autoColumns = grid.autoColumns.map(column)
        // Rows are as high as their contents, like boxes.
        for group in grid.rows.groups.indices {
            result.rows.groups[group].tracks = grid.rows.groups[group].tracks.map { _ in .auto }
        }
        result.autoRows = [.auto]
        return result
    }

    // MARK: Styles

    private mutating func convertStyles() {
        var isOfBox = [Bool](repeating: false, count: text.styles.styles.count)
        var isOfPicture = isOfBox
        for box in text.boxes where !box.isAnonymous {
            isOfBox[Int(box.style.rawValue)] = true
            if box.replaced >= 0 { isOfPicture[Int(box.style.rawValue)] = true }
        }
        let styles = originals.styles
        var table = StyleTable(root: converted(styles[0], isInline: false, isPicture: false))
        for index in styles.indices.dropFirst() {
            _ = table.append(
                converted(
                    styles[index], isInline: !isOfBox[index] && styles[index].box.display == .inline,
                    isPicture: isOfPicture[index]))
        }
        text.styles = table
    }

    private func converted(_ style: ComputedStyle, isInline: Bool, isPicture: Bool) -> ComputedStyle {
        var font = style.font
        font.size = 1
        return ComputedStyle(
            font: font, text: converted(style.text, isInline: isInline),
            box: converted(style.box, isInline: isInline, isPicture: isPicture))
    }

    private func converted(_ style: TextStyle, isInline: Bool) -> TextStyle {
        var style = style
        // Clusters stay in logical order, so an inline box begins on the left.
        if isInline { style.direction = .ltr }
        (style.letterSpacing, style.wordSpacing) = (0, 0)
        (style.lineHeight, style.minimumLineHeight, style.maximumLineHeight) = (.normal, 0, 0)
        style.lineSpacing = lines(style.lineSpacing)
        style.fitLines = nil
        // Text moved out of its box makes way for a picture; a small negative indent hangs in a padding.
        let isOut = style.indent.px < 0 || style.indent.fraction < 0 || style.indent.fraction >= 1
        style.indent = isOut ? .zero : horizontal(style.indent)
        switch style.tabSize {
        case .spaces(let count): style.tabSize = .spaces(max(0, min(64, count.rounded())))
        case .length(let pixels): style.tabSize = .length(min(64, columns(pixels)))
        }
        style.tabStops = style.tabStops.map(columns)
        style.borderSpacingX = columns(style.borderSpacingX)
        style.borderSpacingY = lines(style.borderSpacingY)
        style.overflowWrap = .breakWord
        // Text is wider in cells, so words that fit into a picture's columns would be broken.
        if style.wordBreak == .breakWord || style.wordBreak == .breakAll { style.wordBreak = .normal }
        style.listStyleInside = false
        if var background = style.lineBackground {
            (background.paddingX, background.paddingY, background.radius) = (1, 0, 0)
            (background.gap, background.joinsCorners) = (0, false)
            style.lineBackground = hasColors ? background : nil
        }
        // In cells, one line has twice the spaces of the next.
        style.justify = .none
        // Long lines of code continue in the next line, with a mark.
        if !options.isWide, style.whiteSpaceCollapse == .preserve { style.wraps = true }
        return style
    }

    private func converted(_ style: BoxStyle, isInline: Bool, isPicture: Bool) -> BoxStyle {
        var box = style
        box.margin = Sides { side in style.margin[clockwise: side].map { side % 2 == 0 ? vertical($0) : horizontal($0) }
        }
        box.border = Sides { line(style.border[clockwise: $0]) }
        box.padding = Sides(
            top: vertical(style.padding.top, isAtBorder: box.border.top.width > 0),
            right: padding(style.padding.right, inside: style.margin.right),
            bottom: vertical(style.padding.bottom, isAtBorder: box.border.bottom.width > 0),
            left: padding(style.padding.left, inside: style.margin.left))
        box.width = width(style.width)
        let isOfColumn =
            style.display == .tableCell || style.display == .tableColumn || style.display == .tableColumnGroup
        // Columns divide the table by their percentages; one with `calc()` would be treated as `auto`.
        if isOfColumn, case .length(let length) = style.width, length.isRelative {
            box.width = .length(horizontal(length))
        }
        (box.minWidth, box.maxWidth, box.flexBasis) = (
            width(style.minWidth), width(style.maxWidth), width(style.flexBasis)
        )
        if !isPicture, box.minWidth == .auto, isNarrow(box.width) || isNarrow(box.maxWidth) {
            box.minWidth = .minContent
        }
        (box.height, box.minHeight, box.maxHeight) = (.auto, .auto, .auto)
        if isPicture { (box.height, box.maxHeight) = (height(style.height), height(style.maxHeight)) }
        box.aspectRatio = isPicture ? style.aspectRatio.map { $0 * options.cellHeight / options.cellWidth } : nil
        (box.columnGap, box.rowGap) = (horizontal(style.columnGap), vertical(style.rowGap))
        if style.display == .grid || style.display == .inlineGrid { box.grid = converted(style.grid) }
        if let width = style.columns.width { box.columns.width = max(1, columns(width)) }
        paint(&box, as: style)
        position(&box, as: style)
        if style.lineClamp > 0, style.display == .webkitBox, style.overflowY != .visible {
            box.truncateMode = style.truncateMode ?? .tail
        }
        if ![.top, .middle, .bottom].contains(style.verticalAlign) { box.verticalAlign = .baseline }
        let (isLabel, isFrame) = (box.backgroundColor.alpha >= 128, box.border.clockwise.allSatisfy { $0.width > 0 })
        for side in [1, 3] {
            let (own, border) = (style.padding[clockwise: side].px, box.border[clockwise: side].width)
            // A label, or a bar on one side, needs space to be distinct from the text; a frame keeps its padding.
            let needsSpace = isInline ? isLabel && own > 0 : !isFrame && border > 0
            if needsSpace {
                box.padding[clockwise: side].px = max(1, box.padding[clockwise: side].px)
            } else if isInline, !isLabel, own < options.cellWidth {
                box.padding[clockwise: side].px = 0
            }
        }
        if isInline {
            box.border = Sides(BorderSide())
            (box.padding.top, box.padding.bottom) = (.zero, .zero)
        }
        return box
    }

    /// What shows of backgrounds and effects. Lines stand at the edge of the color.
    private func paint(_ box: inout BoxStyle, as style: BoxStyle) {
        box.outlineWidth = 0
        box.boxShadows = []
        if !style.$borderImage { box.borderImage = BorderImageStyle() }
        if !style.$effects { box.effects = EffectStyle() }
        if !style.$mask { box.mask = MaskStyle() }
        if !style.$transform { box.transform = TransformStyle() }
        let isPainted = hasColors && style.backgroundClip != .text
        if !isPainted { box.backgroundColor = .transparent }
        box.backgroundClip = .paddingBox
        if !style.backgroundLayers.isEmpty { box.backgroundLayers = [] }
        for case .gradient(let gradient) in style.backgroundLayers.map(\.image) where isPainted {
            var layer = BackgroundLayer(image: .gradient(gradient))
            layer.clip = .paddingBox
            box.backgroundLayers.append(layer)
        }
    }

    private func line(_ side: BorderSide) -> BorderSide {
        var result = side
        let shows = side.width > 0 && side.style.isDrawn && side.color.alpha >= 64
        // Layout rounds down to one cell; the fraction distinguishes heavy lines from light ones.
        result.width = !shows ? 0 : side.width >= 3 ? 1.5 : 1
        if !shows, side.style != .hidden { result.style = .none }
        return result
    }

    // MARK: Boxes

    enum Change: UInt64 {
        case screen, rule, bar, alternative, field, area, symbol, gauge, record, laterRecord, cell, unseen, code
        case listing, wide, widest, untabled, ruled, first, last, term, beside, wideField, literal, quotation, room
        case overlap, inFlow, ownLine, ownFlexLine, ownGridRow, wrapping, frame, framed, limited, token
        case initial, apart, unstacked
    }

    /// Returns the style with a change that depends on the style and `number` only.
    mutating func variant(
        of style: StyleID, _ change: Change, to number: Int = 0, _ edit: (inout BoxStyle) -> Void = { _ in },
        text editText: (inout TextStyle) -> Void = { _ in }
    ) -> StyleID {
        let key = UInt64(style.rawValue) << 32 | change.rawValue << 24 | UInt64(number)
        if let known = variants[key] { return known }
        let source = text.styles[style]
        var (textStyle, box) = (source.text, source.box)
        edit(&box)
        editText(&textStyle)
        let made = text.styles.append(ComputedStyle(font: source.font, text: textStyle, box: box))
        _ = originals.append(originals[style])
        variants[key] = made
        return made
    }

    mutating func restyle(
        _ box: Int, _ change: Change, to number: Int = 0, _ edit: (inout BoxStyle) -> Void,
        text editText: (inout TextStyle) -> Void = { _ in }
    ) {
        text.boxes[box].style = variant(of: text.boxes[box].style, change, to: number, edit, text: editText)
    }

    func subtree(_ box: Int) -> Range<Int> { box..<max(box + 1, text.boxes[box].end) }

    func hasItems(_ box: Int) -> Bool { text.boxes[box].holdsInlines && !text.boxes[box].items.isEmpty }

    /// Returns whether the block after a list item's first one has a left margin too: both keep it, so that they are aligned. The
    /// margin of a figure is only a browser's default.
    private func isIndentedAlike(_ index: Int) -> Bool {
        let next = text.boxes[index].end
        guard next < text.boxes.count, text.boxes[next].parent == text.boxes[index].parent,
            tag(of: text.boxes[index]) != .figure
        else { return false }
        return originals[text.boxes[next].style].box.margin.left.map { $0.px > 0 } ?? false
    }

    private mutating func convertBoxes(_ canvas: [NodeID], _ padding: Float) {
        let (side, end) = (columns(padding), lines(padding))
        closeRuledRows()
        /// The last box at the beginning of a list item.
        var start: Int?
        for index in text.boxes.indices {
            let box = text.boxes[index]
            guard !box.isAnonymous else { continue }
            let isOfItem = box.parent >= 0 && text.boxes[box.parent].marker >= 0
            if box.parent == index - 1, isOfItem || index - 1 == start, !isIndentedAlike(index) { start = index }
            let isCanvas = canvas.contains(box.element) || box.element == tree?.root
            if index == 0 || box.kind == .block && isCanvas {
                restyle(index, .screen) { style in
                    style.margin = Sides(.zero)
                    guard index == 0 else { return }
                    let sides = LengthPercentage(px: side)
                    let ends = LengthPercentage(px: end)
                    style.padding = Sides(top: ends, right: sides, bottom: ends, left: sides)
                }
            } else if box.kind == .block, box.end == index + 1, box.items.isEmpty, box.marker < 0, box.control < 0 {
                makeRule(index)
            } else if box.kind == .block, tag(of: box) == .blockquote {
                drawQuoteBar(index)
            } else if box.kind == .block, index == start || isOfItem && tag(of: box) == .figure,
                !text.children(of: index).contains(where: { text.boxes[$0].marker >= 0 })
            {
                // The first block of an item begins at the marker, and so does a figure.
                restyle(index, .term, to: 1) { $0.margin.left = .zero }
            } else if box.kind == .block, tag(of: box) == .dt, tag(of: text.boxes[index - 1]) == .dt,
                box.parent == text.boxes[index - 1].parent,
                let margin = originals[box.style].box.margin.top, margin.px < options.cellHeight
            {
                // The names of one definition are together.
                restyle(index, .term) { $0.margin.top = .zero }
            } else if box.kind == .block, originals[box.style].box.float == .left {
                moveBeside(index)
            }
        }
        unstackGrids()
        for case (let item, .float(let box)) in text.items.enumerated()
        where text.isInitial(item) && !text.endsBeforeSpace(box) {
            restyle(box, .initial) { style in
                Self.makePlain(&style)
                style.margin = Sides(.zero)
            }
        }
        for index in text.replaced.indices { text.replaced[index].natural = nil }
        for index in text.markers.indices {
            let marker = text.markers[index]
            if marker.text.isEmpty, marker.image != nil { text.markers[index].text = "•" }
            (text.markers[index].image, text.markers[index].shape) = (nil, nil)
            // The space between marker and text is on the left of a marker on the right.
            if originals[marker.style].text.direction == .rtl, marker.text.utf8.last == 0x20 {
                text.markers[index].text = " " + String(marker.text.dropLast())
            }
        }
    }

    func tag(of box: StyledBox) -> TagID? {
        guard let tree, !box.isAnonymous, Int(box.element.index) < tree.count, tree.kind(box.element) == .element
        else { return nil }
        return tree.tag(box.element)
    }

    /// Puts a bar into the indent of a quotation that has no borders of its own, and holds more than code or a table.
    private mutating func drawQuoteBar(_ index: Int) {
        guard
            text.boxes[index].holdsInlines
                || text.children(of: index).contains(where: { text.boxes[$0].kind != .table && !isListing($0) })
        else { return }
        let style = text.boxes[index].style
        let (box, side) = (text.styles[style].box, text.styles[style].text.direction == .rtl ? 1 : 3)
        guard box.border.left.width == 0, box.border.right.width == 0, let indent = box.margin[clockwise: side],
            !indent.isRelative, indent.px >= 2
        else { return }
        let bar = BorderSide(width: 1, style: .solid, color: theme[.frame] ?? .transparent)
        restyle(index, .quotation) { box in
            box.margin[clockwise: side] = LengthPercentage(px: indent.px - 2)
            box.border[clockwise: side] = bar
            box.padding[clockwise: side].px += 1
        }
    }

    /// An empty block: a line if it has one above or below, a bar if it is a stretch of colour.
    private mutating func makeRule(_ index: Int) {
        let style = text.boxes[index].style
        let box = text.styles[style].box
        if box.border.top.width > 0 || box.border.bottom.width > 0 {
            if text.boxes[index].isPositioned { return removeDot(index) }
            restyle(index, .rule) { box in
                let side = box.border.top.width > 0 ? box.border.top : box.border.bottom
                box.border = Sides(BorderSide())
                box.border.top = side
                box.padding = Sides(.zero)
            }
        } else if box.border.left.width == 0, box.border.right.width == 0 {
            let original = originals[style].box
            guard original.backgroundColor.alpha >= 128, let height = original.height.absolute, height > 0
            else { return }
            let isLine = height < options.cellHeight * 0.75
            let rows = LengthPercentage(px: lines(height))
            restyle(index, .bar) { box in
                if isLine {
                    box.border.top = BorderSide(width: 1, style: .solid, color: original.backgroundColor)
                    box.backgroundColor = .transparent
                } else {
                    box.height = .length(rows)
                }
            }
        }
    }

    /// Removes the border of a low box, which is a dot, an arrow or a line across text; larger frames are kept.
    private mutating func removeDot(_ index: Int) {
        let original = originals[text.boxes[index].style].box
        if case .length(let height) = original.height {
            if height.isRelative || height.px >= 2 * options.cellHeight { return }
        } else if original.positioned.inset.top != nil, original.positioned.inset.bottom != nil {
            return
        }
        restyle(index, .rule) { $0.border = Sides(BorderSide()) }
    }

    // MARK: Pictures

    /// The text of a picture that is not drawn: its description, the letters in it, the name of its file; in a link whose target is
    /// not `described` by text, the end of the target.
    private func alternative(of content: ReplacedContent, _ box: StyledBox, described: inout Set<String>) -> String {
        var words = content.alternative
        if words.isEmpty, let tree, tag(of: box) == .svg { words = ForeignText.description(of: box.element, in: tree) }
        if words.isEmpty { words = fileName(of: content, box) }
        guard box.link >= 0 else { return words }
        let link = text.links[box.link]
        guard described.insert(link.target).inserted, words.isEmpty, let target = resolveLink(link.target)
        else { return words }
        let last = target.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").dropFirst().last ?? ""
        let name = link.title.isEmpty ? Self.shortened(String(last), to: 24) : link.title
        return name.isEmpty ? "" : "[\(name)]"
    }

    /// The text for a picture without a description: the name of its file. Small pictures are for spacing and have none.
    private func fileName(of content: ReplacedContent, _ box: StyledBox) -> String {
        guard let tree, box.kind == .image, tag(of: box) == .img,
            tree.attribute(box.element, "alt") == nil, !content.source.hasPrefix("data:")
        else { return "" }
        let style = originals[box.style].box
        if [style.width, style.height].contains(where: { ($0.absolute ?? 24) < 24 }) { return "" }
        let last = content.source.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? ""
        let ending = last.split(separator: ".").dropFirst().last?.lowercased() ?? ""
        guard Self.endings.contains(ending) else { return "" }
        let name = String(decoding: DataURI.percentDecoded(last.utf8), as: UTF8.self)
        // The name is as wide as the picture, or as a few words.
        let most = style.width.absolute.map { max(12, Int(bounded: columns($0))) - 3 } ?? 24
        return "[\(Self.shortened(name, to: most))]"
    }

    /// The beginning of a name that fits into a number of cells, and an ellipsis for the rest.
    private static func shortened(_ name: String, to most: Int) -> String {
        var short = name.prefix(most + 1)
        while DisplayWidth.cells(short.utf8) > most { short.removeLast() }
        return short.count == name.count ? name : "\(short)…"
    }

    private static let endings: Set = ["png", "jpg", "jpeg", "gif", "webp", "svg", "avif", "bmp"]

    /// Replaces pictures that are not drawn by their alternative text. Returns the runs of these texts.
    private mutating func replacePictures() -> Range<Int> {
        let first = text.runs.count
        var texts: [Int: InlineItem] = [:]
        guard text.boxes.contains(where: { $0.replaced >= 0 }) else { return first..<first }
        var described = Set<String>()
        for case .text(let run) in text.items where text.runs[run].link >= 0 {
            guard text.text[text.runs[run].range].contains(where: { $0 > 0x20 }) else { continue }
            described.insert(text.links[text.runs[run].link].target)
        }
        for index in text.boxes.indices where text.boxes[index].replaced >= 0 {
            let box = text.boxes[index]
            let content = text.replaced[box.replaced]
            if pictures?.intrinsicSize(of: content.source, isLambda: box.kind == .lambda) != nil { continue }
            let words = alternative(of: content, box, described: &described).utf8.map {
                $0 == 0x0A || $0 == 0x0D || $0 == 0x09 ? 0x20 : $0
            }
            text.boxes[index].kind = .block
            text.boxes[index].replaced = -1
            text.boxes[index].holdsInlines = true
            text.boxes[index].items = 0..<0
            restyle(index, .alternative) { style in
                (style.width, style.height, style.maxWidth, style.maxHeight) = (.auto, .auto, .auto, .auto)
            }
            guard !words.isEmpty else {
                texts[index] = .breakOpportunity
                continue
            }
            let run = makeRun(words, style: box.style, element: box.element)
            text.runs[run].link = box.link
            texts[index] = .text(run: run)
            setItems([.text(run: run)], of: index)
        }
        for index in text.items.indices {
            if case .atomic(let box, _) = text.items[index], let item = texts[box] { text.items[index] = item }
        }
        return first..<text.runs.count
    }
}
