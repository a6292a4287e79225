// Column widths of tables (CSS Tables 3 §3.8–3.9; CSS 2.1 §17.5.2). Automatic layout measures every cell once; fixed
// layout uses only `col` and the first row.

/// The width constraints of a column, for border boxes.
struct TableColumn {
    var minimum = LayoutUnit.zero, maximum = LayoutUnit.zero
    /// True if the column has a width in lengths: it gets extra space only if no other column can.
    var isConstrained = false
    /// The share of the table's width; nil for none.
    var fraction: Float?
    /// A length added to the share: in fixed layout percentages are of the cell's content box.
    var fractionFrame = LayoutUnit.zero
    /// True if no cell begins and ends in it.
    var isEmpty = true

    mutating func encompass(_ cell: TableColumn) {
        minimum.raise(to: cell.minimum)
        if cell.isConstrained, !isConstrained {
            // A specified width takes precedence over contents.
            maximum = cell.maximum
        } else if cell.isConstrained == isConstrained {
            maximum.raise(to: cell.maximum)
        }
        isConstrained = isConstrained || cell.isConstrained
        maximum.raise(to: minimum)
        if let other = cell.fraction { fraction = max(fraction ?? 0, other) }
        isEmpty = false
    }
}

extension TableLayout {
    /// Measures all columns from their cells (automatic layout).
    mutating func measureColumns(_ engine: inout LayoutEngine) -> [TableColumn] {
        if let known = measuredColumns { return known }
        var columns = columnsByBoxes(&engine)
        for cell in grid.cells where cell.columnSpan == 1 && !cell.isMerged {
            columns[cell.column].encompass(Self.measureCell(cell.box, &engine))
        }
        // Narrow spans first, so that the columns of wide ones are measured already.
        let spanning = grid.cells.filter { $0.columnSpan > 1 || $0.isMerged }.sorted {
            ($0.columnSpan, $0.row, $0.column) < ($1.columnSpan, $1.row, $1.column)
        }
        for cell in spanning { distributeSpan(Self.measureCell(cell.box, &engine), over: cell.columns, &columns) }
        // The sum of the shares is at most the whole.
        var left: Float = 1
        for index in columns.indices {
            guard let fraction = columns[index].fraction else { continue }
            columns[index].fraction = min(fraction, left)
            left -= min(fraction, left)
        }
        measuredColumns = columns
        return columns
    }

    /// The constraints of `col` and `colgroup` elements.
    private func columnsByBoxes(_ engine: inout LayoutEngine) -> [TableColumn] {
        grid.columns.map { boxes in
            var column = TableColumn()
            for source in [boxes.box, boxes.group] {
                guard let style = engine.ownStyle(of: source) else { continue }
                if case .length(let minimum) = style.box.minWidth, !minimum.isRelative {
                    column.minimum.raise(to: LayoutUnit(minimum.px).nonNegative)
                }
                if case .length(let width) = style.box.width {
                    if let fraction = style.box.width.columnFraction {
                        column.fraction = fraction
                    } else if !width.isRelative, width.px > 0 {
                        column.maximum = LayoutUnit(width.px)
                        column.isConstrained = true
                    }
                    break
                }
            }
            column.maximum.raise(to: column.minimum)
            return column
        }
    }

    private static func measureCell(_ box: Int, _ engine: inout LayoutEngine) -> TableColumn {
        let edges = engine.edges(of: box)
        let widths = engine.intrinsicWidths(box)
        var result = TableColumn(minimum: widths.minimum, maximum: widths.maximum, isEmpty: false)
        guard let style = engine.ownStyle(of: box) else { return result }
        let space = Constraint(available: .unlimited)
        if let minimum = engine.resolveWidth(style.box.minWidth, of: box, edges, space) {
            result.minimum.raise(to: minimum)
        }
        if let fraction = style.box.width.columnFraction {
            result.fraction = fraction
        } else if !style.box.width.isRelative, let width = engine.resolveWidth(style.box.width, of: box, edges, space) {
            result.maximum = max(width, result.minimum)
            result.isConstrained = true
        }
        if let maximum = engine.resolveWidth(style.box.maxWidth, of: box, edges, space) {
            result.maximum.lower(to: maximum)
            result.minimum.lower(to: result.maximum)
        }
        result.maximum.raise(to: result.minimum)
        return result
    }

    /// Distributes the excess width of a spanning cell over its columns (CSS Tables 3 §3.9.3.1).
    private func distributeSpan(_ cell: TableColumn, over range: Range<Int>, _ columns: inout [TableColumn]) {
        let inner = spacing.x * (range.count - 1)
        let minimum = (cell.minimum - inner).nonNegative
        let maximum = (cell.maximum - inner).nonNegative
        if let fraction = cell.fraction {
            let rest = range.reduce(fraction) { $0 - (columns[$1].fraction ?? 0) }
            let open = range.filter { columns[$0].fraction == nil }
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
            for (offset, index) in range.enumerated() { columns[index].minimum.raise(to: widths[offset]) }
        }
        let widths = distributeWidth(
            maximum, over: range.map { columns[$0] }, percentageBase: maximum, isConstrained: cell.isConstrained)
        for (offset, index) in range.enumerated() {
            columns[index].maximum.raise(to: max(widths[offset], columns[index].minimum))
            columns[index].isEmpty = false
        }
    }

    /// The widths of the border box, including captions.
    mutating func intrinsicWidths(_ engine: inout LayoutEngine) -> IntrinsicWidths {
        let other = undistributable(edges(&engine, percentageBase: .zero))
        let columns = measureColumns(&engine)
        var result = IntrinsicWidths(other)
        var plain = LayoutUnit.zero
        var fractions: Float = 0
        var byFraction = LayoutUnit.zero
        for column in columns {
            result.minimum += column.minimum
            result.maximum += column.maximum
            if let fraction = column.fraction, fraction > 0 {
                fractions += fraction
                byFraction.raise(to: LayoutUnit(min(column.maximum.float / fraction, 1_000_000)))
            } else {
                plain += column.maximum
            }
        }
        if fractions > 0 {
            var wide = byFraction
            if fractions < 1 {
                wide.raise(to: LayoutUnit(min(plain.float / (1 - fractions), 1_000_000)))
            } else if plain > .zero {
                wide = LayoutUnit(1_000_000)
            }
            widestByShares = wide + other
            if sharesCount(&engine) { result.maximum.raise(to: widestByShares) }
        }
        let style = engine.style(of: box).box
        if style.fixedTableLayout, style.width.isRelative, !engine.text.boxes[box].isAnonymous {
            // In browsers such a table takes all of the width that its container can have.
            (result.minimum, result.maximum) = (other, max(result.maximum, LayoutUnit(1_000_000)))
        }
        for caption in grid.captions {
            let widths = engine.contribution(caption)
            result.minimum.raise(to: widths.minimum)
            result.maximum.raise(to: result.minimum)
        }
        return result
    }

    /// Returns whether widths by the contents count percentages of columns, as in browsers: not in a flex box, a grid or a cell.
    private func sharesCount(_ engine: inout LayoutEngine) -> Bool {
        if engine.ownStyle(of: box)?.box.width.isByContents == true { return false }
        var inner = engine.text.boxes[box]
        while inner.parent >= 0, !inner.isPositioned {
            inner = engine.text.boxes[inner.parent]
            if inner.holdsItems || inner.kind == .tableCell { return false }
        }
        return true
    }

    /// Automatic layout: widths with a sum (CSS Tables 3 §3.9.3), interpolated between guesses from minimum to maximum.
    /// Beyond that, automatic columns get extra space first, those with lengths only if `isConstrained`.
    func distributeWidth(
        _ target: LayoutUnit, over columns: [TableColumn], percentageBase: LayoutUnit, isConstrained: Bool = true
    ) -> [LayoutUnit] {
        snap.rounded(exactWidths(target, over: columns, percentageBase: percentageBase, isConstrained: isConstrained))
    }

    private func exactWidths(
        _ target: LayoutUnit, over columns: [TableColumn], percentageBase: LayoutUnit, isConstrained: Bool
    ) -> [LayoutUnit] {
        guard !columns.isEmpty else { return [] }
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
            result.add(part, at: lower.indices.filter { upper[$0] > lower[$0] }) { index, own in
                (upper[index] - own).scaled(by: part, over: range)
            }
            return result
        }
        // The target exceeds all maximums.
        func isOpen(_ column: TableColumn) -> Bool { !column.isConstrained && column.fraction == nil }
        // The kinds of columns in the order in which they get extra space, and their shares of it.
        let kinds: [(TableColumn) -> Float?] = [
            { isOpen($0) && $0.maximum > .zero ? $0.maximum.float : nil }, { isOpen($0) && !$0.isEmpty ? 1 : nil },
            { isConstrained && $0.isConstrained && $0.fraction == nil && $0.maximum > .zero ? $0.maximum.float : nil },
            { $0.fraction.flatMap { $0 > 0 ? $0 : nil } }, { isConstrained || !$0.isConstrained ? 1 : nil },
        ]
        let weight = kinds.first { kind in columns.contains { kind($0) != nil } }
        let takers = columns.indices.filter { weight?(columns[$0]) != nil }
        func share(_ index: Int) -> Float { weight?(columns[index]) ?? 0 }
        let total = takers.reduce(0) { $0 + share($1) }
        let excess = target - sums[3]
        var result = maximum
        result.add(excess, at: takers) { index, _ in LayoutUnit(excess.float * (total > 0 ? share(index) / total : 0)) }
        return result
    }

    /// Fixed layout (CSS 2.1 §17.5.2.1): columns as set by `col` and the first row; the others share the rest equally.
    func fixedColumnWidths(_ target: LayoutUnit, _ engine: inout LayoutEngine) -> [LayoutUnit] {
        var columns = columnsByBoxes(&engine)
        for cell in grid.cells where cell.row == 0 {
            let range = cell.columns
            guard let style = engine.ownStyle(of: cell.box),
                range.allSatisfy({ !columns[$0].isConstrained && columns[$0].fraction == nil })
            else { continue }
            let edges = engine.edges(of: cell.box)
            if let fraction = style.box.width.columnFraction {
                for index in range {
                    columns[index].fraction = fraction / Float(cell.columnSpan)
                    if !style.box.sizesBorderBox {
                        columns[index].fractionFrame = edges.frame.horizontal / Int32(cell.columnSpan)
                    }
                }
            } else if !style.box.width.isRelative,
                let width = engine.resolveWidth(style.box.width, of: cell.box, edges, Constraint(available: .unlimited))
            {
                for index in range {
                    columns[index].isConstrained = true
                    columns[index].maximum = width / Int32(cell.columnSpan)
                }
            }
        }
        var result = columns.map { column in
            if let fraction = column.fraction { return LayoutUnit(target.float * fraction) + column.fractionFrame }
            return column.isConstrained ? column.maximum : .zero
        }
        var used = result.reduce(.zero, +)
        let open = columns.indices.filter { columns[$0].fraction == nil && !columns[$0].isConstrained }
        let shared = columns.indices.filter { columns[$0].fraction != nil }
        let byShare = shared.reduce(LayoutUnit.zero) { $0 + result[$1] }
        if used > target, byShare > .zero {
            // Lengths come first; percentages share the remaining width.
            let left = (target - used + byShare).nonNegative
            for index in shared { result[index] = result[index].scaled(by: left, over: byShare) }
            used = used - byShare + left
        }
        let free = target - used
        if !open.isEmpty {
            result.add(free.nonNegative, at: open) { _, _ in free.nonNegative / Int32(open.count) }
        } else if used > .zero, free > .zero {
            // No column is automatic: columns grow in proportion, those with lengths first.
            var takers = columns.indices.filter { columns[$0].fraction == nil }
            if takers.isEmpty { takers = Array(columns.indices) }
            let total = takers.reduce(LayoutUnit.zero) { $0 + result[$1] }
            result.add(free, at: takers) { free.scaled(by: $1, over: total) }
        }
        return snap.rounded(result)
    }
}
