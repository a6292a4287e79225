// Writes styled text as terminal text. In: a tree of boxes in CSS pixels, which is given up. Out: lines of text with escape
// sequences. The terminal has no separate layout. CellText converts the text's lengths to cells, the layout module lays it out
// with a font whose glyphs are cells, and CellPainter draws the result into a grid. This file runs the three and writes the
// rows of the grid with the pen, which writes escape sequences. Nothing of the input reaches the output unchecked: control
// characters are removed when text becomes glyphs, and when link targets are numbered.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextDisplay
import FancyTextImages
import FancyTextLayout
import FancyTextMarkup
import FancyTextTypography
import FancyTextWriting

package struct TerminalWriter {
    /// Empty after the writing: a copy would be kept beside the one in cells.
    private var text: BoxTree
    private let sourceLength: Int
    private let tree: MarkupTree?
    private let options: ANSIOptions
    private let limits: Limits
    private let pictures: ImageStore?
    private var layoutOptions: LayoutOptions
    private let roles: TextRoles

    /// The background of the canvas; nil is the page's, or the terminal's own.
    package var background: Color?
    /// The padding around the document, in CSS pixels.
    package var padding: Float = 0
    /// Maps the target of a link, as written, to the one that is output.
    package var resolveLink: (String) -> String = { $0 }

    /// State that is kept from one document to the next.
    package struct Context {
        let font = CellFont()
        var layout: LayoutContext
        package init() { layout = LayoutContext(cells: font) }
    }

    /// - Parameters:
    ///   - tree: where links and element names come from; without it there are none.
    ///   - layout: how many lines are shown at most, and what stands for the rest; of its sizes none counts.
    ///   - limits: how deep boxes are followed, and how many cells there are at most.
    package init(
        _ text: BoxTree, tree: MarkupTree?, options: ANSIOptions, layout: LayoutOptions = LayoutOptions(),
        limits: Limits = Limits(), pictures: ImageStore? = nil
    ) {
        self.text = text
        sourceLength = tree?.source.count ?? text.text.count
        (self.tree, self.options, self.limits) = (tree, options, limits)
        self.pictures = options.images == .none ? nil : pictures
        roles = TextRoles(tree)
        layoutOptions = layout
        layoutOptions.width = Float(max(1, min(options.width, 1 << 16)))
        guard let tail = layout.tail else { return }
        var cells = CellText(
            tail, tree: layout.tailTree, roles: TextRoles(layout.tailTree), options: options, pictures: nil,
            resolveLink: TerminalLooks.followable)
        cells.convert()
        layoutOptions.tail = cells.text
    }

    /// Returns the whole text, each line with a line feed, and keeps none of it. Linear in the text and in its cells.
    package mutating func write(_ context: inout Context, canvas: [NodeID] = [], log: inout DiagnosticLog) -> [UInt8] {
        guard !text.boxes.isEmpty else { return [] }
        var cells = converted(canvas)
        var layoutOptions = layoutOptions
        if options.isWide, cells.widestTable > options.width {
            layoutOptions.width = Float(min(cells.widestTable, 1 << 14))
            cells.keepTextToScreen()
        }
        var (painter, height, tail) = paint(cells, layoutOptions, canvas, &context)
        // Positioned text that would cover other text is moved into the flow: first only where this happens, then all of it.
        for blocks in [painter.overlaps, nil] where !painter.overlaps.isEmpty {
            cells.outOfSight.formUnion(painter.ornaments)
            cells.putIntoFlow(placedIn: blocks)
            (painter, height, tail) = paint(cells, layoutOptions, canvas, &context)
        }
        if let element = context.layout.leftOut {
            context.layout.leftOut = nil
            let message = "boxes nested deeper than \(limits.layoutDepth) are not shown"
            log.warn(.boxesTooDeep, message, at: tree?.location(element))
        }
        if let message = Diagnostic(tail) { log.report(message) }
        if painter.grid.isFull { log.report(Diagnostic(.terminalCells, limit: limits[.terminalCells])) }
        var bytes = write(painter, context.font, rows: padding > 0 ? height : 0)
        bytes += notes(cells.notes.targets)
        return bytes
    }

    private mutating func converted(_ canvas: [NodeID]) -> CellText {
        let resolve = { [resolveLink] target in TerminalLooks.followable(resolveLink(LinkDestination(target).url)) }
        var cells = CellText(text, tree: tree, roles: roles, options: options, pictures: sizes, resolveLink: resolve)
        text = BoxTree(styles: text.styles)
        cells.convert(canvas: canvas, padding: padding)
        return cells
    }

    /// The sizes of the document's query containers in CSS pixels.
    package mutating func containerSizes(_ context: inout Context) -> [NodeID: ContainerSize] {
        let cells = converted([])
        let layout = FancyTextLayout.layout(
            cells.text, options: layoutOptions, replacedSizes: sizes ?? NoReplacedSizes(), context: &context.layout)
        return layout.containerSizes(in: cells.text).mapValues {
            ContainerSize(width: $0.width * Double(options.cellWidth), height: $0.height * Double(options.cellHeight))
        }
    }

    /// The screen, the number of lines of the layout, and the tail that fits if text is truncated.
    private func paint(
        _ cells: CellText, _ layoutOptions: LayoutOptions, _ canvas: [NodeID], _ context: inout Context
    ) -> (CellPainter, height: Float, tail: TruncationTail) {
        var layout = FancyTextLayout.layout(
            cells.text, options: layoutOptions, replacedSizes: sizes ?? NoReplacedSizes(), context: &context.layout)
        layout.translatePositionedBoxes(cells.text.styles)
        let list = DisplayListBuilder.build(
            layout, text: cells.text, fonts: nil, images: sizes ?? NoReplacedSizes(), canvasElements: canvas)
        let painter = CellPainter(
            layout, cells, font: context.font, cells: mostCells, tailLinks: layoutOptions.tail?.links,
            pictures: pictures)
        painter.paint(list, background: background)
        return (painter, layout.size.height, layout.tailFallback)
    }

    private var sizes: CellSizes? { pictures.map { CellSizes(pictures: $0, options: options) } }

    /// The maximum number of cells of the screen, including a row of its width for each four bytes of the document.
    private var mostCells: Int {
        let ofSource = sourceLength / 4 * max(1, min(options.width, 1 << 16))
        let own = limits[.terminalCells].addingReportingOverflow(ofSource)
        return own.overflow ? .max : own.partialValue
    }

    private func notes(_ targets: [String]) -> [UInt8] {
        targets.enumerated().reduce(into: targets.isEmpty ? [] : [0x0A]) { result, entry in
            result += Array("[\(entry.offset + 1)] ".utf8) + TerminalLooks.cleanedURL(entry.element) + [0x0A]
        }
    }

    /// - Parameter rows: the rows that are written in any case; other blank rows, and all but one between lines, are left out.
    private func write(_ painter: CellPainter, _ font: CellFont, rows least: Float) -> [UInt8] {
        let looks = painter.looks
        let grid = painter.grid
        var readable = ReadableColors(
            background: options.background, colors: options.colors, codeBackground: options.colorTheme[.codeBackground])
        var pen = TerminalPen(
            colors: options.colors, links: looks.links, writesLinks: options.hyperlinks, isForPipe: options.isForPipe)
        func isBlank(_ cell: CellGrid.Cell) -> Bool {
            (cell.glyph == 0 || cell.glyph == 0x20) && cell.background == 0 && looks.styles[Int(cell.style)].isBlank
        }
        let canvas = painter.canvas
        let lengths = grid.rows.map { row in
            var length = row.count
            while length > 0 {
                // An ideographic space hangs over the edge.
                let isWide =
                    length > 1 && row[length - 2].glyph == 0x3000 && row[length - 1].glyph == CellGrid.continuation
                guard isWide || isBlank(row[length - 1]) else { break }
                length -= isWide ? 2 : 1
            }
            return length
        }
        func isEmpty(_ row: Int) -> Bool { lengths[row] == 0 && grid.pictures[row] == nil }
        guard var first = grid.rows.indices.first(where: { !isEmpty($0) }),
            var last = grid.rows.indices.last(where: { !isEmpty($0) })
        else { return [] }
        if least > 0 { (first, last) = (0, max(last, Int(bounded: least, by: 1e5) - 1)) }
        for (row, pictures) in grid.pictures {
            for picture in pictures { last = max(last, row + picture.rows - 1) }
        }
        /// True after a blank row, and the end of the pictures above the row.
        var (followsBlank, pictureEnd) = (false, 0)
        /// The rows of text whose blank lines are part of it; only documents with several blank rows together need them.
        lazy var preserved = painter.preservedRows()
        for row in first...(least > 0 ? last : min(last, grid.rows.count - 1)) {
            for picture in grid.pictures[row] ?? [] { pictureEnd = max(pictureEnd, row + picture.rows) }
            let isBlankRow = row < lengths.count && isEmpty(row) && row >= pictureEnd && least == 0
            if isBlankRow, followsBlank, !preserved.contains(row) { continue }
            followsBlank = isBlankRow
            for picture in grid.pictures[row] ?? [] {
                pen.become(.plain)
                pen.bytes += TerminalImage.placed(picture, passesThroughTmux: options.passesThroughTmux)
            }
            let cells = row < grid.rows.count ? grid.rows[row] : []
            let written = row < lengths.count ? lengths[row] : 0
            let length = canvas > 0 ? max(written, options.width) : written
            var previous = CellGrid.Cell(glyph: 0, style: .max, background: .max)
            for column in 0..<length {
                var cell = column < cells.count ? cells[column] : CellGrid.Cell()
                if cell.glyph == CellGrid.continuation { continue }
                if cell.background == 0 { cell.background = canvas }
                if cell.style != previous.style || cell.background != previous.background {
                    pen.become(readable.resolve(cell.style, cell.background, looks))
                    previous = cell
                }
                if cell.glyph == 0 {
                    pen.bytes.append(0x20)
                } else if cell.glyph & CellGrid.lineFlag != 0 {
                    font.append(BoxLines.character(cell.glyph & ~CellGrid.lineFlag).value, to: &pen.bytes)
                } else {
                    font.append(cell.glyph, to: &pen.bytes)
                }
            }
            pen.endLine()
        }
        return pen.bytes
    }
}

private struct CellSizes: ReplacedSizes {
    let pictures: ImageStore
    let options: ANSIOptions

    func naturalDimensions(of source: String, isLambda: Bool) -> NaturalDimensions? {
        guard let size = pictures.intrinsicSize(of: source, isLambda: isLambda), size.width > 0, size.height > 0
        else { return nil }
        return NaturalDimensions(
            width: size.width / max(1, options.cellWidth), height: size.height / max(1, options.cellHeight))
    }
}
