// Column widths of tables (CSS Tables 3 §3.8–3.9; CSS 2.1 §17.5.2).
//
// In: a table's grid and the width it is to have. Out: a width for each column. Automatic layout measures every cell once; fixed layout
// looks at `col` and the first row only.

import Boxes

/// What a column asks for; widths of border boxes.
struct TableColumn {
    var minimum = LayoutUnit.zero
    var maximum = LayoutUnit.zero
    /// A width in lengths: the column does not take spare room while others can.
    var isConstrained = false
    /// Share of the table's width; nil without.
    var fraction: Float?
    /// Added to the share: in fixed layout per cents are of the cell's content box.
    var fractionFrame = LayoutUnit.zero
    /// No cell begins and ends in it.
    var isEmpty = true

    /// Takes in what a cell or `col` asks for.
    mutating func encompass(
        minimum other: LayoutUnit, maximum otherMaximum: LayoutUnit, isConstrained other2: Bool,
        fraction otherFraction: Float?
    ) {
        minimum = max(minimum, other)
        if other2, !isConstrained {
            // A specified width speaks louder than contents.
            maximum = otherMaximum
        } else if other2 == isConstrained {
            maximum = max(maximum, otherMaximum)
        }
        isConstrained = isConstrained || other2
        maximum = max(maximum, minimum)
        if let otherFraction { fraction = max(fraction ?? 0, otherFraction) }
    }
}

extension Layouter {
    func borderSpacing(_ grid: TableGrid) -> (x: LayoutUnit, y: LayoutUnit) {
        let style = text.styles[text.boxes[grid.box].style].text
        if style.collapsesBorders { return (.zero, .zero) }
        return (LayoutUnit(max(0, style.borderSpacingX)), LayoutUnit(max(0, style.borderSpacingY)))
    }

    /// The table's own edges; those of the collapsed model come from the cells.
    mutating func tableEdges(_ grid: TableGrid, percentageBase: LayoutUnit) -> BoxEdges {
        var edges = boxEdges(grid.box, percentageBase: percentageBase)
        if let borders = collapsedBorders(of: grid) {
            edges.border = borders.frame
            edges.padding = Edges()
        }
        return edges
    }

    /// Room beside the columns: edges of the table and the spacing between cells.
    func undistributable(_ grid: TableGrid, edges: BoxEdges, spacing: LayoutUnit) -> LayoutUnit {
        edges.frame.horizontal + (grid.columns.count > 0 ? spacing * (grid.columns.count + 1) : .zero)
    }

    /// Measures of all columns from their cells (automatic layout).
    mutating func measureColumns(_ box: Int, grid: TableGrid) -> [TableColumn] {
        if let known = tableColumns[box] { return known }
        noteCollapsedCells(grid)
        var columns = [TableColumn](repeating: TableColumn(), count: grid.columns.count)
        for index in columns.indices {
            applyColumnBox(&columns[index], grid.columns[index].box, grid.columns[index].group)
        }
        var spanning: [TableGrid.Cell] = []
        for cell in grid.cells {
            if cell.columnSpan > 1 {
                spanning.append(cell)
                continue
            }
            let asked = measureCell(cell.box)
            columns[cell.column].isEmpty = false
            columns[cell.column].encompass(
                minimum: asked.minimum, maximum: asked.maximum, isConstrained: asked.isConstrained,
                fraction: asked.fraction)
        }
        // Narrow spans first, so that wide ones find the columns measured.
        spanning.sort { ($0.columnSpan, $0.row, $0.column) < ($1.columnSpan, $1.row, $1.column) }
        let spacing = borderSpacing(grid).x
        for cell in spanning {
            distributeSpan(
                measureCell(cell.box), over: cell.column..<cell.column + cell.columnSpan, &columns, spacing: spacing)
        }
        // Shares add up to the whole at most.
        var left: Float = 1
        for index in columns.indices {
            guard let fraction = columns[index].fraction else { continue }
            columns[index].fraction = min(fraction, left)
            left -= min(fraction, left)
        }
        tableColumns[box] = columns
        return columns
    }

    private func applyColumnBox(_ column: inout TableColumn, _ box: Int, _ group: Int) {
        for source in [box, group] where source >= 0 && !text.boxes[source].isAnonymous {
            let style = text.styles[text.boxes[source].style].box
            if case .length(let minimum) = style.minWidth, !minimum.isRelative {
                column.minimum = max(column.minimum, LayoutUnit(minimum.px).nonNegative)
            }
            if case .length(let width) = style.width {
                if width.fraction > 0 {
                    column.fraction = column.fraction ?? width.fraction
                } else if width.px > 0, !column.isConstrained {
                    column.maximum = LayoutUnit(width.px)
                    column.isConstrained = true
                }
                break
            }
        }
        column.maximum = max(column.maximum, column.minimum)
    }

    /// What one cell asks of its columns.
    private mutating func measureCell(_ box: Int) -> TableColumn {
        let edges = cellEdges(box) ?? boxEdges(box, percentageBase: .zero)
        let widths = intrinsicWidths(box)
        var result = TableColumn()
        result.isEmpty = false
        result.minimum = widths.minimum
        result.maximum = widths.maximum
        guard !text.boxes[box].isAnonymous else { return result }
        let style = text.styles[text.boxes[box].style].box
        let constraint = Constraint(available: .unlimited, percentageWidth: .unlimited)
        if let minimum = resolveWidth(
            style.minWidth, box: box, edges: edges, constraint: constraint, sizesBorderBox: style.sizesBorderBox)
        {
            result.minimum = max(result.minimum, minimum)
        }
        if case .length(let width) = style.width, width.fraction > 0 {
            result.fraction = width.fraction
        } else if let width = resolveWidth(
            style.width, box: box, edges: edges, constraint: constraint, sizesBorderBox: style.sizesBorderBox)
        {
            result.maximum = max(width, result.minimum)
            result.isConstrained = true
        }
        if let maximum = resolveWidth(
            style.maxWidth, box: box, edges: edges, constraint: constraint, sizesBorderBox: style.sizesBorderBox)
        {
            result.maximum = min(result.maximum, maximum)
            result.minimum = min(result.minimum, result.maximum)
        }
        result.maximum = max(result.maximum, result.minimum)
        return result
    }

    /// Spreads what a spanning cell needs beyond its columns (CSS Tables 3 §3.9.3.1).
    private func distributeSpan(
        _ cell: TableColumn, over range: Range<Int>, _ columns: inout [TableColumn], spacing: LayoutUnit
    ) {
        let inner = spacing * (range.count - 1)
        let minimum = (cell.minimum - inner).nonNegative
        let maximum = (cell.maximum - inner).nonNegative
        if let fraction = cell.fraction {
            var rest = fraction
            var open: [Int] = []
            for index in range {
                if let own = columns[index].fraction { rest -= own } else { open.append(index) }
            }
            if rest > 0, !open.isEmpty {
                let total = open.reduce(Float(0)) { $0 + columns[$1].maximum.float }
                for index in open {
                    columns[index].fraction =
                        total > 0 ? rest * columns[index].maximum.float / total : rest / Float(open.count)
                }
            }
        }
        let sumMinimum = range.reduce(LayoutUnit.zero) { $0 + columns[$1].minimum }
        if minimum > sumMinimum {
            let widths = distributeWidth(minimum, over: range.map { columns[$0] }, percentageBase: minimum)
            for (offset, index) in range.enumerated() {
                columns[index].minimum = max(columns[index].minimum, widths[offset])
            }
        }
        let widths = distributeWidth(maximum, over: range.map { columns[$0] }, percentageBase: maximum)
        for (offset, index) in range.enumerated() {
            columns[index].maximum = max(columns[index].maximum, widths[offset])
        }
        for index in range {
            columns[index].maximum = max(columns[index].maximum, columns[index].minimum)
            columns[index].isEmpty = false
        }
    }

    mutating func tableIntrinsicWidths(_ box: Int) -> IntrinsicWidths {
        let grid = text.tableGrid(box)
        noteCollapsedCells(grid)
        let edges = tableEdges(grid, percentageBase: .zero)
        let spacing = borderSpacing(grid).x
        let other = undistributable(grid, edges: edges, spacing: spacing)
        let columns = measureColumns(box, grid: grid)
        var result = IntrinsicWidths(minimum: other, maximum: other)
        var plain = LayoutUnit.zero
        var fractions: Float = 0
        var byFraction = LayoutUnit.zero
        for column in columns {
            result.minimum += column.minimum
            result.maximum += column.maximum
            if let fraction = column.fraction, fraction > 0 {
                fractions += fraction
                byFraction = max(byFraction, LayoutUnit(min(column.maximum.float / fraction, 1_000_000)))
            } else {
                plain += column.maximum
            }
        }
        if fractions > 0 {
            var wide = byFraction
            if fractions < 1 {
                wide = max(wide, LayoutUnit(min(plain.float / (1 - fractions), 1_000_000)))
            } else if plain > .zero {
                wide = LayoutUnit(1_000_000)
            }
            result.maximum = max(result.maximum, wide + other)
        }
        for caption in grid.captions {
            let widths = contribution(caption, constraint: Constraint(available: .unlimited))
            result.minimum = max(result.minimum, widths.minimum)
            result.maximum = max(result.maximum, result.minimum)
        }
        return result
    }

    /// Automatic layout: widths that add up to `target` (CSS Tables 3 §3.9.3): the guesses from the minimum to the maximum,
    /// and what lies between two of them in proportion; beyond the maximum, spare room goes to automatic columns first.
    func distributeWidth(_ target: LayoutUnit, over columns: [TableColumn], percentageBase: LayoutUnit) -> [LayoutUnit]
    {
        snap.rounded(exactWidths(target, over: columns, percentageBase: percentageBase))
    }

    private func exactWidths(_ target: LayoutUnit, over columns: [TableColumn], percentageBase: LayoutUnit)
        -> [LayoutUnit]
    {
        let count = columns.count
        guard count > 0 else { return [] }
        func percentage(_ column: TableColumn) -> LayoutUnit? {
            column.fraction.map { max(column.minimum, LayoutUnit(percentageBase.float * $0)) }
        }
        let minimum = columns.map(\.minimum)
        let byShare = columns.map { percentage($0) ?? $0.minimum }
        let specified = columns.map { percentage($0) ?? ($0.isConstrained ? $0.maximum : $0.minimum) }
        let maximum = columns.map { percentage($0) ?? $0.maximum }
        let guesses = [minimum, byShare, specified, maximum]
        let sums = guesses.map { $0.reduce(LayoutUnit.zero, +) }
        if target <= sums[0] { return minimum }
        for guess in 1..<4 where target <= sums[guess] {
            let lower = guesses[guess - 1]
            let upper = guesses[guess]
            let range = sums[guess] - sums[guess - 1]
            let part = target - sums[guess - 1]
            var result = lower
            var given = LayoutUnit.zero
            var last = -1
            for index in 0..<count where upper[index] > lower[index] {
                let share = (upper[index] - lower[index]).scaled(by: part, over: range)
                result[index] += share
                given += share
                last = index
            }
            if last >= 0 { result[last] += part - given }
            return result
        }
        // More than all want.
        var takers = columns.indices.filter {
            !columns[$0].isConstrained && columns[$0].fraction == nil && columns[$0].maximum > .zero
        }
        var weights = takers.map { columns[$0].maximum.float }
        if takers.isEmpty {
            takers = columns.indices.filter {
                !columns[$0].isConstrained && columns[$0].fraction == nil && !columns[$0].isEmpty
            }
            weights = takers.map { _ in 1 }
        }
        if takers.isEmpty {
            takers = columns.indices.filter {
                columns[$0].isConstrained && columns[$0].fraction == nil && columns[$0].maximum > .zero
            }
            weights = takers.map { columns[$0].maximum.float }
        }
        if takers.isEmpty {
            takers = columns.indices.filter { (columns[$0].fraction ?? 0) > 0 }
            weights = takers.map { columns[$0].fraction ?? 0 }
        }
        if takers.isEmpty {
            takers = Array(columns.indices)
            weights = takers.map { _ in 1 }
        }
        let total = weights.reduce(0, +)
        let excess = target - sums[3]
        var result = maximum
        var given = LayoutUnit.zero
        for (number, index) in takers.enumerated() {
            let share =
                number == takers.count - 1
                ? excess - given : LayoutUnit(excess.float * (total > 0 ? weights[number] / total : 0))
            result[index] += share
            given += share
        }
        return result
    }

    /// Fixed layout (CSS 2.1 §17.5.2.1): columns as `col` and the first row say, the rest shared equally.
    mutating func fixedColumnWidths(_ box: Int, grid: TableGrid, target: LayoutUnit) -> [LayoutUnit] {
        noteCollapsedCells(grid)
        var columns = [TableColumn](repeating: TableColumn(), count: grid.columns.count)
        for index in columns.indices {
            applyColumnBox(&columns[index], grid.columns[index].box, grid.columns[index].group)
        }
        let constraint = Constraint(available: .unlimited, percentageWidth: .unlimited)
        for cell in grid.cells where cell.row == 0 && !text.boxes[cell.box].isAnonymous {
            let range = cell.column..<cell.column + cell.columnSpan
            if range.contains(where: { columns[$0].isConstrained || columns[$0].fraction != nil }) { continue }
            let style = text.styles[text.boxes[cell.box].style].box
            let edges = cellEdges(cell.box) ?? boxEdges(cell.box, percentageBase: .zero)
            if case .length(let width) = style.width, width.fraction > 0 {
                for index in range {
                    columns[index].fraction = width.fraction / Float(cell.columnSpan)
                    if !style.sizesBorderBox {
                        columns[index].fractionFrame = edges.frame.horizontal / Int32(cell.columnSpan)
                    }
                }
            } else if let width = resolveWidth(
                style.width, box: cell.box, edges: edges, constraint: constraint, sizesBorderBox: style.sizesBorderBox)
            {
                for index in range {
                    columns[index].isConstrained = true
                    columns[index].maximum = width / Int32(cell.columnSpan)
                }
            }
        }
        var result = [LayoutUnit](repeating: .zero, count: columns.count)
        var used = LayoutUnit.zero
        var open: [Int] = []
        for index in columns.indices {
            if let fraction = columns[index].fraction {
                result[index] = LayoutUnit(target.float * fraction) + columns[index].fractionFrame
            } else if columns[index].isConstrained {
                result[index] = columns[index].maximum
            } else {
                open.append(index)
                continue
            }
            used += result[index]
        }
        let free = target - used
        if !open.isEmpty {
            var given = LayoutUnit.zero
            for (number, index) in open.enumerated() {
                result[index] =
                    number == open.count - 1 ? (free - given).nonNegative : (free / Int32(open.count)).nonNegative
                given += result[index]
            }
        } else if used > .zero, free > .zero {
            // Nobody takes the rest: columns grow in proportion, those in lengths first.
            var takers = columns.indices.filter { columns[$0].fraction == nil }
            if takers.isEmpty { takers = Array(columns.indices) }
            let total = takers.reduce(LayoutUnit.zero) { $0 + result[$1] }
            var given = LayoutUnit.zero
            for (number, index) in takers.enumerated() {
                let share =
                    number == takers.count - 1
                    ? free - given : (total > .zero ? free.scaled(by: result[index], over: total) : .zero)
                result[index] += share
                given += share
            }
        }
        return snap.rounded(result)
    }
}
