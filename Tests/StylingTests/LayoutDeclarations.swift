// A style's layout properties beyond running text, as CSS, for tests of their grammar: positions, grids, columns, alignment.

@testable import FancyTextStyling

import FancyTextCSS

extension BoxStyle {
    /// Properties and computed values in a fixed order, without those that have their initial value.
    package var layoutDeclarations: [(name: String, value: String)] {
        var result: [(name: String, value: String)] = []
        func add(_ name: String, _ value: String, _ isInitial: Bool) {
            if !isInitial { result.append((name, value)) }
        }
        let initial = BoxStyle()
        add("position", "\(position)", position == .static)
        let insets = positioned.inset.clockwise.map { $0?.css ?? "auto" }
        add("inset", insets.joined(separator: " "), positioned.inset == initial.positioned.inset)
        add("z-index", "\(positioned.zIndex ?? 0)", positioned.zIndex == nil)
        add("isolation", "isolate", !isolates)
        let kinds = containmentKinds.filter { contain.contains($0.1) }.map(\.0.description)
        add("contain", kinds.joined(separator: " "), contain.isEmpty)
        add("container-type", container.type.rawValue, container.type == .normal)
        add("container-name", container.names.joined(separator: " "), container.names.isEmpty)
        add("overflow", "\(overflowX) \(overflowY)", overflowX == .visible && overflowY == .visible)
        let margin = "\(overflowClipMargin.box.rawValue) \(CSSWriter.pixels(overflowClipMargin.distance))"
        add("overflow-clip-margin", margin, overflowClipMargin == initial.overflowClipMargin)
        let ratio = (prefersNaturalRatio ? "auto " : "") + CSSWriter.text(aspectRatio ?? 0)
        add("aspect-ratio", ratio, aspectRatio == nil)
        addAlignment(add)
        addGrid(add)
        addColumns(add)
        return result
    }

    private func addAlignment(_ add: (String, String, _ isInitial: Bool) -> Void) {
        func align(_ name: String, _ alignment: BoxAlignment?, _ use: SafeAlignments, unless initial: BoxAlignment?) {
            let safety = safeAlignments[use].map { $0 ? "safe " : "unsafe " } ?? ""
            add(name, safety + (alignment ?? .normal).rawValue, alignment == initial)
        }
        add("order", "\(order)", order == 0)
        align("justify-content", justifyContent, .justifyContent, unless: .normal)
        align("align-content", alignContent, .alignContent, unless: .normal)
        align("justify-items", justifyItems, .justifyItems, unless: .normal)
        align("align-items", alignItems, .alignItems, unless: .normal)
        align("justify-self", justifySelf, .justifySelf, unless: nil)
        align("align-self", alignSelf, .alignSelf, unless: nil)
        add("row-gap", rowGap.css, rowGap == .zero)
        add("column-gap", columnGap.css, columnGap == .zero)
    }

    private func addGrid(_ add: (String, String, _ isInitial: Bool) -> Void) {
        add("grid-template-columns", grid.columns.css, grid.columns.isEmpty)
        add("grid-template-rows", grid.rows.css, grid.rows.isEmpty)
        add("grid-template-areas", grid.areas.css, grid.areas.rowCount == 0)
        add("grid-auto-columns", grid.autoColumns.map(\.css).joined(separator: " "), grid.autoColumns == [.auto])
        add("grid-auto-rows", grid.autoRows.map(\.css).joined(separator: " "), grid.autoRows == [.auto])
        let flow = (grid.flowsInColumns ? "column" : "row") + (grid.isDense ? " dense" : "")
        add("grid-auto-flow", flow, !grid.flowsInColumns && !grid.isDense)
        let lines = [gridItem.rowStart, gridItem.columnStart, gridItem.rowEnd, gridItem.columnEnd]
        add("grid-area", lines.map(\.css).joined(separator: " / "), $gridItem)
    }

    private func addColumns(_ add: (String, String, _ isInitial: Bool) -> Void) {
        add("column-width", CSSWriter.pixels(columns.width ?? 0), columns.width == nil)
        add("column-count", "\(columns.count ?? 0)", columns.count == nil)
        add("column-fill", "auto", !columns.fillsInOrder)
        add("column-height", CSSWriter.pixels(columns.height ?? 0), columns.height == nil)
        add("column-wrap", columns.wraps == true ? "wrap" : "nowrap", columns.wraps == nil)
        add("column-span", "all", !columns.spansAll)
        let color = columns.ruleColor?.hex ?? "currentcolor"
        let rule = "\(CSSWriter.pixels(columns.ruleWidth)) \(columns.ruleStyle) \(color)"
        add("column-rule", rule, columns.ruleStyle == .none)
        add("break-before", columns.breakBefore.rawValue, columns.breakBefore == .auto)
        add("break-after", columns.breakAfter.rawValue, columns.breakAfter == .auto)
        add("break-inside", columns.breakInside.rawValue, columns.breakInside == .auto)
    }
}

extension LengthPercentage {
    /// As CSS writes it: `12px`, `5%`, `calc(5% + 12px)`, `min(100%, 600px)`.
    var css: String {
        let value = Sum(px: px, fraction: fraction)
        guard isBounded else { return value.css }
        if low.px == -.infinity { return "min(\(value.css), \(high.css))" }
        let isOpen = high.px == .infinity
        return isOpen ? "max(\(low.css), \(value.css))" : "clamp(\(low.css), \(value.css), \(high.css))"
    }
}

extension LengthPercentage.Sum {
    fileprivate var css: String {
        if fraction == 0 { return CSSWriter.pixels(px) }
        let percent = CSSWriter.text(fraction * 100) + "%"
        return px == 0 ? percent : "calc(\(percent) + \(CSSWriter.pixels(px)))"
    }
}

extension TrackBreadth {
    fileprivate var css: String {
        switch self {
        case .auto: "auto"
        case .minContent: "min-content"
        case .maxContent: "max-content"
        case .length(let length): length.css
        case .flex(let share): CSSWriter.text(share) + "fr"
        }
    }
}

extension TrackSize {
    fileprivate var css: String {
        if let fitLimit { return "fit-content(\(fitLimit.css))" }
        if minimum == maximum { return minimum.css }
        if minimum == .auto, case .flex = maximum { return maximum.css }
        return "minmax(\(minimum.css), \(maximum.css))"
    }
}

extension TrackList {
    fileprivate var css: String {
        groups.map { group in
            var parts: [String] = []
            for (index, names) in group.lineNames.enumerated() {
                if !names.isEmpty { parts.append("[\(names.joined(separator: " "))]") }
                if index < group.tracks.count { parts.append(group.tracks[index].css) }
            }
            let tracks = parts.joined(separator: " ")
            return switch group.repetition {
            case .times(1): tracks
            case .times(let count): "repeat(\(count), \(tracks))"
            case .autoFill: "repeat(auto-fill, \(tracks))"
            case .autoFit: "repeat(auto-fit, \(tracks))"
            }
        }.joined(separator: " ")
    }
}

extension GridAreas {
    fileprivate var css: String {
        (0..<rowCount).map { row in
            var cells = Array(repeating: ".", count: columnCount)
            for area in areas where area.rows.contains(row) {
                for column in area.columns { cells[column] = area.name }
            }
            return "\"\(cells.joined(separator: " "))\""
        }.joined(separator: " ")
    }
}

extension GridLine {
    fileprivate var css: String {
        switch self {
        case .auto: "auto"
        case .line(let number, let name): "\(number)" + (name.map { " \($0)" } ?? "")
        case .area(let name): name
        case .span(let count, let name): "span \(count)" + (name.map { " \($0)" } ?? "")
        }
    }
}
