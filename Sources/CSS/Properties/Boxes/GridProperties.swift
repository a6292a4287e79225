// Grid layout (CSS Grid 2 §7–8): the tracks of a grid and the placement of items.

import FancyTextBasics

func gridProperties() -> [Property] {
    [
        .value("grid-template-columns", { $1(&$0.box.grid.columns) }) { $0.axis() },
        .value("grid-template-rows", { $1(&$0.box.grid.rows) }) { $0.axis() },
        .value("grid-template-areas", { $1(&$0.box.grid.areas) }) {
            $0.keyword("none") ? GridAreas() : GridAreas($0.many { $0.string() })
        },
        .value("grid-auto-columns", { $1(&$0.box.grid.autoColumns) }) { $0.trackSizes() },
        .value("grid-auto-rows", { $1(&$0.box.grid.autoRows) }) { $0.trackSizes() },
        .value("grid-auto-flow", both({ $1(&$0.box.grid.flowsInColumns) }, { $1(&$0.box.grid.isDense) })) { cursor in
            var (isDense, isColumn): (Bool, Bool?) = (false, nil)
            while cursor.once(&isDense, "dense") || cursor.once(&isColumn, "row", "column") {}
            return isDense || isColumn != nil ? (isColumn ?? false, isDense) : nil
        },
        .value("grid-row-start", { $1(&$0.box.gridItem.rowStart) }) { $0.gridLine() },
        .value("grid-column-start", { $1(&$0.box.gridItem.columnStart) }) { $0.gridLine() },
        .value("grid-row-end", { $1(&$0.box.gridItem.rowEnd) }) { $0.gridLine() },
        .value("grid-column-end", { $1(&$0.box.gridItem.columnEnd) }) { $0.gridLine() },
        .shorthand("grid-row", names("grid-row-", "start end")) { $1.gridLines(&$0) },
        .shorthand("grid-column", names("grid-column-", "start end")) { $1.gridLines(&$0) },
        .shorthand("grid-area", names("grid-", "row-start column-start row-end column-end")) { $1.gridLines(&$0) },
        .whole("grid-template", Array(gridLonghands.prefix(3)), { $1(&$0.box.grid) }) { $0.gridTemplate() },
        .whole("grid", gridLonghands, { $1(&$0.box.grid) }) { $0.gridShorthand() },
    ]
}

private let gridLonghands = names(
    "grid-", "template-rows template-columns template-areas auto-rows auto-columns auto-flow")

extension ShorthandParts {
    /// Reads grid lines between slashes. An omitted line repeats the opposite edge or the row's start, if that is a name; otherwise
    /// it is `auto` (CSS Grid 2 §8.4).
    fileprivate mutating func gridLines(_ cursor: inout ValueCursor) -> Bool {
        var areNames: [Bool] = []
        repeat {
            var start = cursor
            guard take(areNames.count, &cursor) else { return false }
            let isName = if case .area = start.gridLine() { true } else { false }
            areNames.append(isName)
        } while areNames.count < parts.count && cursor.slash()
        for index in areNames.count..<parts.count {
            let model = index >= 2 ? index - 2 : 0
            parts[index] = areNames[model] ? parts[model] : .initial
            areNames.append(areNames[model])
        }
        return true
    }
}

extension GridAreas {
    /// Areas from one string per row: names, and dots for empty cells. `nil` if the whole or an area is not a rectangle.
    init?(_ rows: [String]) {
        let table = rows.compactMap(Self.cells)
        guard let width = table.first?.count, width > 0, table.count == rows.count,
            table.allSatisfy({ $0.count == width })
        else { return nil }
        (rowCount, columnCount) = (table.count, width)
        var known: [String: Int] = [:]
        for (row, cells) in table.enumerated() {
            for (column, name) in cells.enumerated() where !name.isEmpty {
                if let index = known[name] {
                    let columns = areas[index].columns
                    areas[index].rows = areas[index].rows.lowerBound..<row + 1
                    areas[index].columns = min(columns.lowerBound, column)..<max(columns.upperBound, column + 1)
                } else {
                    known[name] = areas.count
                    areas.append(Area(name: name, rows: row..<row + 1, columns: column..<column + 1))
                }
            }
        }
        let areRectangles = areas.allSatisfy { area in
            table[area.rows].allSatisfy { $0[area.columns].allSatisfy { $0 == area.name } }
        }
        if !areRectangles { return nil }
    }

    /// The names of a row's cells; empty for cells without a name. Returns `nil` if the text contains anything else.
    private static func cells(_ text: String) -> [String]? {
        var cells: [String] = []
        for word in text.utf8.split(whereSeparator: \.isHTMLSpace) {
            var rest = word
            while let first = rest.first {
                let cell = rest.prefix { first == 0x2E ? $0 == 0x2E : CSSLexis.isName($0) }
                if cell.isEmpty { return nil }
                cells.append(first == 0x2E ? "" : String(decoding: cell, as: UTF8.self))
                rest = rest.dropFirst(cell.count)
            }
        }
        return cells
    }
}

// MARK: Values

extension ValueCursor {
    /// `auto`, a number, a name, a number with a name, `span` with either or both.
    fileprivate mutating func gridLine() -> GridLine? {
        if keyword("auto") { return .auto }
        var (number, name, isSpan): (Int?, String?, Bool) = (nil, nil, false)
        while once(&isSpan, "span") || once(&number, { $0.integer() })
            || once(&name, { $0.customIdent(except: ["span", "auto"]) })
        {}
        guard number != 0 else { return nil }
        if isSpan {
            guard number ?? 1 > 0, number != nil || name != nil else { return nil }
            return .span(min(number ?? 1, TrackList.longest), name: name)
        }
        if let number { return .line(max(-TrackList.longest, min(number, TrackList.longest)), name: name) }
        return name.map { .area($0) }
    }

    /// `[name name]`; `nil` if there is no bracket, or if its contents are invalid.
    private mutating func lineNames() -> [String]? {
        guard token?.kind == .openBracket else { return nil }
        return arguments { $0.many { $0.customIdent(except: ["span", "auto"]) } }
    }

    private mutating func breadth(allowsFlex: Bool) -> TrackBreadth? {
        let keywords: [(StaticString, TrackBreadth)] = [
            ("auto", .auto), ("min-content", .minContent), ("max-content", .maxContent),
        ]
        if let value = keyword(keywords) { return value }
        if allowsFlex, let token, token.kind == .dimension, let unit = Unit(source, token), unit.dimension == .flex {
            guard token.number >= 0 else { return nil }
            advance()
            return .flex(Self.clamped(token.number))
        }
        return lengthPercentage(atLeast: 0).map { .length($0) }
    }

    private mutating func trackSize() -> TrackSize? {
        let range: TrackSize? = function("minmax") { inner in
            guard let minimum = inner.breadth(allowsFlex: false), inner.comma(),
                let maximum = inner.breadth(allowsFlex: true)
            else { return nil }
            return TrackSize(minimum, maximum)
        }
        return range ?? function("fit-content") { $0.lengthPercentage(atLeast: 0).map { .fitContent($0) } }
            ?? breadth(allowsFlex: true).map { TrackSize($0) }
    }

    fileprivate mutating func trackSizes() -> [TrackSize]? { some { $0.trackSize() } }

    private var isSlash: Bool { !isAtEnd && source.isDelim(index, 0x2F) }

    private var isAtEndOfAxis: Bool { isAtEnd || isSlash }

    /// The first argument of `repeat()`: a count, or one of the keywords, and the comma.
    private mutating func repetition(_ automatic: [(StaticString, TrackList.Repetition)]) -> TrackList.Repetition? {
        let times = keyword(automatic) ?? integer(atLeast: 1).map { .times(min($0, TrackList.longest)) }
        return comma() ? times : nil
    }

    fileprivate mutating func axis() -> TrackList? {
        if keyword("none") { return TrackList() }
        guard keyword("subgrid") else { return trackList() }
        var list = TrackList()
        list.isSubgrid = true
        var count = 0
        while !isAtEndOfAxis {
            if let line = lineNames() {
                list.groups.append(TrackList.Group(repetition: .times(1), tracks: [], lineNames: [line]))
                count += 1
                continue
            }
            let group: TrackList.Group? = function("repeat") { inner in
                guard let times = inner.repetition([("auto-fill", .autoFill)]) else { return nil }
                return inner.some { $0.lineNames() }.map {
                    TrackList.Group(repetition: times, tracks: [], lineNames: $0)
                }
            }
            guard let group, group.repetition != .autoFill || list.automatic == nil else { return nil }
            list.groups.append(group)
            count += (group.repetition.count ?? 0) * group.lineNames.count
            guard count <= TrackList.longest else { return nil }
        }
        return list
    }

    /// Tracks and names up to the end or a slash. Beside areas, `repeat()` is not allowed: they are explicit.
    private mutating func trackList(isExplicit: Bool = false) -> TrackList? {
        var list = TrackList()
        while !isAtEndOfAxis {
            let repeats = !isExplicit && isFunction("repeat")
            guard let group = repeats ? trackRepeat() : tracks(.times(1), isExplicit: isExplicit) else { return nil }
            list.groups.append(group)
        }
        let tracks = list.groups.flatMap(\.tracks)
        let automatics = list.groups.count { $0.repetition.count == nil }
        guard !tracks.isEmpty, automatics == 0 || automatics == 1 && tracks.allSatisfy(\.isFixed) else { return nil }
        return list
    }

    /// Tracks with the names of the lines around them, up to the end, a slash or `repeat()`.
    private mutating func tracks(_ repetition: TrackList.Repetition, isExplicit: Bool) -> TrackList.Group? {
        var group = TrackList.Group(repetition: repetition, tracks: [], lineNames: [lineNames() ?? []])
        while !isAtEndOfAxis, isExplicit || !isFunction("repeat") {
            guard let size = trackSize() else { return nil }
            group.tracks.append(size)
            group.lineNames.append(lineNames() ?? [])
        }
        return group
    }

    /// `repeat(count, tracks and names)`.
    private mutating func trackRepeat() -> TrackList.Group? {
        arguments { inner in
            guard let repetition = inner.repetition([("auto-fill", .autoFill), ("auto-fit", .autoFit)]),
                let group = inner.tracks(repetition, isExplicit: true)
            else { return nil }
            return group.tracks.isEmpty ? nil : group
        }
    }

    /// `grid-template`: tracks of both axes, or areas with the rows' sizes between.
    fileprivate mutating func gridTemplate() -> GridStyle? {
        let start = index
        var grid = GridStyle()
        if keyword("none"), isAtEnd { return grid }
        rewind(to: start)
        if let rows = axis(), slash(), let columns = axis() {
            (grid.rows, grid.columns) = (rows, columns)
            return grid
        }
        rewind(to: start)
        var rows = TrackList.Group(repetition: .times(1), tracks: [], lineNames: [[]])
        var strings: [String] = []
        while !isAtEndOfAxis {
            if let names = lineNames() { rows.lineNames[rows.lineNames.count - 1] += names }
            guard let row = string() else { return nil }
            strings.append(row)
            rows.tracks.append(trackSize() ?? .auto)
            rows.lineNames.append(lineNames() ?? [])
        }
        guard let areas = GridAreas(strings) else { return nil }
        (grid.areas, grid.rows.groups) = (areas, [rows])
        if slash() {
            guard let columns = trackList(isExplicit: true) else { return nil }
            grid.columns = columns
        }
        return grid
    }

    /// `grid`: a template, or one axis given and the other filled by `auto-flow`.
    fileprivate mutating func gridShorthand() -> GridStyle? {
        let start = index
        var grid = GridStyle()
        if let isDense = autoFlow() {
            guard let sizes = isSlash ? grid.autoRows : trackSizes(), slash(), let columns = axis() else { return nil }
            (grid.isDense, grid.autoRows, grid.columns) = (isDense, sizes, columns)
            return grid
        }
        if let rows = axis(), slash(), let isDense = autoFlow() {
            guard let sizes = isAtEnd ? grid.autoColumns : trackSizes() else { return nil }
            (grid.rows, grid.flowsInColumns, grid.isDense, grid.autoColumns) = (rows, true, isDense, sizes)
            return grid
        }
        rewind(to: start)
        return gridTemplate()
    }

    /// `auto-flow && dense?`. Returns whether `dense` is there.
    private mutating func autoFlow() -> Bool? {
        attempt { cursor in
            var (flows, isDense) = (false, false)
            while cursor.once(&flows, "auto-flow") || cursor.once(&isDense, "dense") {}
            return flows ? isDense : nil
        }
    }
}
