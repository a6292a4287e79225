// Tables (CSS 2.1 §17, CSS Tables 3): a grid with its sections, rows and cells, inside a wrapper if there are
// captions. Columns are sized first (TableColumns), then rows and cells (TableRows).

import FancyTextBoxes
import FancyTextCSS

/// The state of one table, kept from measuring its columns to laying it out.
struct TableLayout {
    let box: Int
    let grid: TableGrid
    /// Nil if borders are separate.
    let borders: CollapsedBorders?
    /// The spacing between cells, and between cells and the table's edges.
    var spacing: (x: LayoutUnit, y: LayoutUnit)
    let snap: LayoutGrid
    var measuredColumns: [TableColumn]?
    /// The max-content width by the percentages of columns, without which some containers are sized.
    var widestByShares = LayoutUnit.zero
    /// True on a terminal if words would be broken otherwise: columns are as close to each other as they can be.
    var isTight = false

    init(_ box: Int, _ engine: inout LayoutEngine) {
        self.box = box
        snap = engine.snap
        let (style, ownBox) = (engine.style(of: box).text, engine.style(of: box).box)
        var grid = engine.text.tableGrid(box)
        if !ownBox.fixedTableLayout || ownBox.width == .auto { grid.mergeColumns() }
        self.grid = grid
        spacing =
            style.collapsesBorders
            ? (.zero, .zero) : (LayoutUnit(max(0, style.borderSpacingX)), LayoutUnit(max(0, style.borderSpacingY)))
        let collapses = style.collapsesBorders || Self.drawsLines(grid, &engine)
        borders = collapses ? CollapsedBorders(grid, engine.text, isOfCells: snap.isOfCells) : nil
        setEdgesOfCells(&engine)
    }

    func setEdgesOfCells(_ engine: inout LayoutEngine) {
        if borders != nil {
            for cell in grid.cells { setEdges(of: cell, percentageBase: .zero, &engine) }
        } else if snap.isOfCells {
            separateCells(&engine)
        }
    }

    /// Gives a cell its edges in the collapsed model.
    func setEdges(of cell: TableGrid.Cell, percentageBase: LayoutUnit, _ engine: inout LayoutEngine) {
        guard let borders else { return }
        let style = engine.style(of: cell.box)
        var padding =
            engine.text.boxes[cell.box].isAnonymous || isTight
            ? Edges() : resolvedPadding(style.box.padding, base: percentageBase, grid: engine.snap)
        let (border, least) = (borders.border(of: cell), engine.snap.leastDistance)
        (padding.left, padding.right) = (max(padding.left, least), max(padding.right, least))
        if isTight { tighten(&padding, of: cell, border) }
        engine.givenEdges[cell.box] = BoxEdges(border: border, padding: padding)
    }

    /// The table's own edges; in the collapsed model they come from the cells.
    func edges(_ engine: inout LayoutEngine, percentageBase: LayoutUnit) -> BoxEdges {
        var edges = engine.boxEdges(box, percentageBase: percentageBase)
        if let borders {
            edges.border = borders.frame
            edges.padding = Edges()
        }
        return edges
    }

    /// The width outside of the columns: the table's edges and the spacing between cells.
    func undistributable(_ edges: BoxEdges) -> LayoutUnit {
        edges.frame.horizontal + (grid.columns.isEmpty ? .zero : spacing.x * (grid.columns.count + 1))
    }

    mutating func layOut(in constraint: Constraint, as slot: FragmentSlot, _ engine: inout LayoutEngine) -> Int {
        let edges = edges(&engine, percentageBase: constraint.percentageOfEdges)
        if !fitsScreen(edges, constraint, &engine) {
            // Its boxes are ordinary blocks.
            for box in [box] + grid.captions + grid.rows.flatMap({ [$0.group, $0.box] }) + grid.cells.map(\.box) {
                (engine.text.boxes[box].kind, engine.givenEdges[box], engine.intrinsicMemo[box]) = (.block, nil, nil)
            }
            return engine.layOut(box, in: constraint, as: slot)
        }
        let width = usedWidth(edges, constraint, &engine)
        guard !grid.captions.isEmpty else { return layOutGrid(edges, width: width, constraint, as: slot, &engine) }
        let wrapper = engine.newFragment(box, kind: .tableWrapper, as: slot)
        engine.tree.boxes[wrapper].margin = edges.margin
        engine.tree.boxes[wrapper].clips = engine.style(of: box).containment.contains(.paint)
        engine.tree.boxes[wrapper].rect.width = width
        var y = LayoutUnit.zero
        placeCaptions(.top, in: wrapper, width: width, y: &y, &engine)
        var inner = edges
        inner.margin = Edges()
        // A height set from outside is that of the wrapper.
        var constraint = constraint
        if let height = constraint.height {
            let captions = grid.captions.filter { engine.style(of: $0).text.captionSide == .bottom }.reduce(y) {
                $0 + engine.measure($1, in: Constraint(available: width), parent: wrapper).height
                    + engine.boxEdges($1, percentageBase: width).margin.vertical
            }
            constraint.height = (height - captions).nonNegative
        }
        let index = layOutGrid(inner, width: width, constraint, as: .child(of: wrapper), &engine)
        engine.tree.boxes[index].end = engine.tree.boxes.count
        engine.tree.boxes[index].rect.y = y
        let baseline = engine.tree.boxes[index].firstBaseline.map { y + $0 }
        y += engine.tree.boxes[index].rect.height
        if !engine.isPastLimit { placeCaptions(.bottom, in: wrapper, width: width, y: &y, &engine) }
        (engine.tree.boxes[wrapper].rect.height, engine.tree.boxes[wrapper].automaticHeight) = (y, y)
        engine.tree.boxes[wrapper].baselines = (baseline, baseline)
        engine.tree.fragmentOfBox[box] = Int32(clamping: wrapper)
        return wrapper
    }

    private func placeCaptions(
        _ side: CaptionSide, in wrapper: Int, width: LayoutUnit, y: inout LayoutUnit, _ engine: inout LayoutEngine
    ) {
        for caption in grid.captions where engine.style(of: caption).text.captionSide == side {
            let index = engine.layOut(caption, in: Constraint(available: width), as: .child(of: wrapper))
            let margin = engine.tree.boxes[index].margin
            engine.tree.boxes[index].rect.origin = LayoutPoint(x: margin.left, y: y + margin.top)
            y += margin.vertical + engine.tree.boxes[index].rect.height
        }
    }

    /// The width of the grid's border box: the specified width or the preferred one of the contents, and at least their minimum.
    private mutating func usedWidth(
        _ edges: BoxEdges, _ constraint: Constraint, _ engine: inout LayoutEngine
    ) -> LayoutUnit {
        let style = engine.style(of: box)
        if let width = constraint.width, style.box.fixedTableLayout || snap.isOfCells { return width }
        let specified = engine.ownStyle(of: box).flatMap { own in
            engine.resolveWidth(own.box.width, of: box, edges, constraint)
        }
        if style.box.fixedTableLayout, let specified { return engine.clampWidth(specified, of: box, edges, constraint) }
        // Percentages of padding are 0 in the intrinsic widths.
        let missing = edges.frame.horizontal - self.edges(&engine, percentageBase: .zero).frame.horizontal
        var widths = engine.intrinsicWidths(box) { intrinsicWidths(&$0) } + missing
        // At least as wide as its columns (CSS Tables 3 §3.8).
        if let width = constraint.width { return max(width, widths.minimum) }
        let space = (constraint.available - edges.margin.horizontal).nonNegative
        widths.maximum.raise(to: widestByShares + missing)
        let width = engine.clampWidth(specified ?? widths.fitted(to: space), of: box, edges, constraint)
        var needed = max(width, widths.minimum)
        if style.box.shrinksTable, !constraint.available.isUnlimited { needed.lower(to: space) }
        return engine.narrowed(needed, edges, constraint)
    }

    private mutating func layOutGrid(
        _ edges: BoxEdges, width: LayoutUnit, _ constraint: Constraint, as slot: FragmentSlot,
        _ engine: inout LayoutEngine
    ) -> Int {
        let style = engine.style(of: box)
        let index = engine.startFragment(box, kind: .table, edges: edges, as: slot)
        // Tables do not scroll (CSS Tables 3 §4.1).
        engine.tree.boxes[index].clips =
            !engine.text.boxes[box].isAnonymous && (style.box.overflowX == .hidden || style.box.overflowX == .clip)
        engine.tree.boxes[index].paintsBorder = borders == nil
        engine.tree.boxes[index].rect.width = width
        let other = undistributable(edges)
        let room = (width - other).nonNegative
        let isFixed = style.box.fixedTableLayout && style.box.width != .auto && !engine.text.boxes[box].isAnonymous
        var widths =
            isFixed
            ? fixedColumnWidths(room, &engine)
            : distributeWidth(room, over: measureColumns(&engine), percentageBase: room)
        if snap.isOfCells || style.box.shrinksTable { widths = snap.rounded(capped(widths, to: room)) }
        if isFixed { engine.tree.boxes[index].rect.width = max(width, widths.reduce(other, +)) }
        var rows = TableRows(self, index: index, edges: edges, widths: widths)
        let definite = engine.definiteHeight(box, width: width, edges, constraint)
        let automatic = rows.layOut(
            definite: definite, least: engine.clampHeight(.zero, of: box, edges, constraint), &engine)
        engine.tree.boxes[index].automaticHeight = automatic
        engine.tree.boxes[index].rect.height = max(
            automatic, definite ?? engine.clampHeight(automatic, of: box, edges, constraint))
        return index
    }

    /// The place of a cell's contents: `align-content` or `vertical-align` (CSS Align 3 §5.1.1); nil: the baseline.
    func alignment(of cell: Int, _ engine: inout LayoutEngine) -> StaticPosition.Alignment? {
        guard let style = engine.ownStyle(of: cell), style.box.alignContent != .baseline else { return nil }
        if style.alignsContent { return style.box.alignContent.place }
        return style.box.verticalAlign.placeInCell
    }
}

extension VerticalAlign {
    /// The place of a cell's contents; nil: the baseline.
    var placeInCell: StaticPosition.Alignment? {
        switch self {
        case .top: .start
        case .middle: .center
        case .bottom: .end
        case .baseline, .sub, .super, .textTop, .textBottom, .length: nil
        }
    }
}
