// Subgrids (CSS Grid 2 §9): grids whose tracks in one or both axes are those of the grid around them. While the outer
// tracks are sized, the items in a subgrid contribute as if they were items of the outer grid.

import FancyTextCSS

extension SubgridAxis {
    /// The template, with the names that the subgrid adds.
    func template(naming own: TrackList) -> TrackList {
        let tracks = sizes.map { size in
            size.map { TrackSize(.length(LengthPercentage(px: $0.float))) } ?? TrackSize.auto
        }
        let added = own.names(ofLines: tracks.count + 1)
        let names = (0...tracks.count).map { line in
            (lineNames.indices.contains(line) ? lineNames[line] : [])
                + (added.indices.contains(line) ? added[line] : [])
        }
        var list = TrackList()
        list.groups = [TrackList.Group(repetition: .times(1), tracks: tracks, lineNames: names)]
        return list
    }
}

extension [TrackItem] {
    /// The contributions in the tracks of the outer grid: those at the edges of a subgrid include its margins, borders and padding,
    /// and all include half the difference of the gaps at other edges.
    func moved(to area: Range<Int>, _ axis: LayoutAxis, edges: BoxEdges, gapChange: LayoutUnit) -> [TrackItem] {
        let (start, end) = edges.total.ends(axis)
        // Tracks at the edges have room for these also without items (§9).
        let ends = [0, area.count - 1].map { TrackItem(range: $0..<$0 + 1) }
        return (self + ends).map { item in
            let before = item.range.lowerBound == 0 ? start : gapChange / 2
            let after = item.range.upperBound == area.count ? end : gapChange / 2
            var moved = item
            moved.range = item.range.shifted(by: area.lowerBound)
            moved.minimum = (item.minimum + before + after).nonNegative
            moved.minContent = (item.minContent + before + after).nonNegative
            moved.maxContent = (item.maxContent + before + after).nonNegative
            return moved
        }
    }
}

extension TrackPositions {
    /// The tracks of an area without the edges of a subgrid around them.
    func subgrid(_ item: GridItem, _ axis: LayoutAxis, gap own: LayoutUnit?, names: [[String]]) -> SubgridAxis {
        let tracks = item.area.along(axis).map { extent(of: $0..<$0 + 1) }
        let (start, end) = item.edges.total.ends(axis)
        let outer = tracks.count > 1 ? tracks[1].start - tracks[0].start - tracks[0].size : .zero
        let gap = own ?? outer
        var sizes = tracks.map(\.size)
        for index in sizes.indices {
            sizes[index] -= index == 0 ? start : (gap - outer) / 2
            sizes[index] -= index == sizes.count - 1 ? end : (gap - outer) / 2
        }
        return SubgridAxis(sizes: sizes.map(\.nonNegative), gap: gap, lineNames: names)
    }
}

extension GridLayout {
    /// Collects the contributions of the items in a subgrid. The subgrid itself has only its edges.
    mutating func measureWidths(inSubgrid i: Int, _ engine: inout LayoutEngine) {
        let (box, range) = (items[i].box, items[i].widths.range)
        let outer = gap(.horizontal, in: GridSpace())
        let own = ownGap(.horizontal, of: items[i])
        giveUnsized(.horizontal, gap: own ?? outer, to: items[i], &engine)
        var inner = GridLayout(box, columns: GridSpace(), rows: GridSpace(), &engine)
        inner.measureWidths(&engine)
        let edges = engine.edges(of: box)
        items[i].widths.minContent = edges.margin.horizontal + edges.frame.horizontal
        items[i].widths.maxContent = items[i].widths.minContent
        var contributions = inner.inSubgrids
        for item in inner.items {
            var widths = item.widths
            widths.minimum = widths.minContent
            contributions.append(widths)
        }
        inSubgrids += contributions.moved(
            to: range, .horizontal, edges: edges, gapChange: own.map { $0 - outer } ?? .zero)
    }

    /// The gap that a subgrid sets; nil if it is that of the outer grid.
    func ownGap(_ axis: LayoutAxis, of item: GridItem) -> LayoutUnit? {
        let style = item.style.box.grid
        let isOuter = axis == .horizontal ? style.takesColumnGap : style.takesRowGap
        return isOuter ? nil : Self.gap(item.style.box.gap(axis), of: nil, grid: grid)
    }

    private func names(_ axis: LayoutAxis, around item: GridItem) -> [[String]] {
        let (tracks, names) = (item.area.along(axis), template(axis).lineNames)
        return (tracks.lowerBound...tracks.upperBound).map { names.indices.contains($0) ? names[$0] : [] }
    }

    func gap(_ axis: LayoutAxis, in space: GridSpace) -> LayoutUnit {
        given?[axis]?.gap ?? Self.gap(style.box.gap(axis), of: space.definite, grid: grid)
    }

    /// The contributions of the items in a subgrid to the rows.
    func heights(
        inSubgrid item: GridItem, _ range: Range<Int>, gap outer: LayoutUnit, width: LayoutUnit, parent: Int,
        _ engine: inout LayoutEngine
    ) -> [TrackItem] {
        let own = ownGap(.vertical, of: item)
        giveUnsized(.vertical, gap: own ?? outer, to: item, &engine)
        let constraint = self.constraint(of: item, width: width, height: nil, &engine)
        let across = GridSpace(
            definite: ((constraint.width ?? width) - item.edges.frame.horizontal
                - (constraint.width == nil ? item.edges.margin.horizontal : .zero)).nonNegative)
        var inner = GridLayout(item.box, columns: across, rows: GridSpace(), &engine)
        inner.measureWidths(&engine)
        let columns = inner.columns(in: across, aim: .layout, &engine)
        let positions = inner.positions(of: columns)
        let tracks = Array(repeating: GridTrack(minimum: .auto, maximum: .auto), count: range.count)
        let sizing = TrackSizing(tracks, gap: own ?? outer, space: GridSpace(), grid: grid)
        return inner.heights(sizing, columns: positions, parent: parent, &engine).moved(
            to: range, .vertical, edges: item.edges, gapChange: own.map { $0 - outer } ?? .zero)
    }

    /// Sets the tracks of an item that is a subgrid while the outer ones are not sized, and next, once they are.
    func giveUnsized(_ axis: LayoutAxis, gap: LayoutUnit, to item: GridItem, _ engine: inout LayoutEngine) {
        engine.subgrids[item.box, default: [:]][axis] = SubgridAxis(
            sizes: Array(repeating: nil, count: item.area.along(axis).count), gap: gap,
            lineNames: names(axis, around: item))
    }
    func give(_ tracks: TrackPositions, _ axis: LayoutAxis, to item: GridItem, _ engine: inout LayoutEngine) {
        guard item.isSubgrid(axis, engine) else { return }
        engine.subgrids[item.box, default: [:]][axis] = tracks.subgrid(
            item, axis, gap: ownGap(axis, of: item), names: names(axis, around: item))
    }
}
