// Positions of the tracks of one axis (CSS Grid 2 §11.5, CSS Box Alignment 3 §5).
//
// In: sized tracks and the container's alignment. Out: the edges of areas, from the start of the content box.

import FancyTextStyling

struct TrackPositions {
    /// The number of the first track, as in ``GridLines``.
    private let first: Int
    private var starts: [LayoutUnit] = []
    private var sizes: [LayoutUnit] = []

    /// - Parameter space: the space of the container's content box.
    init(_ sizing: TrackSizing, first: Int, space: LayoutUnit, alignment: ContentDistribution, grid: LayoutGrid) {
        self.first = first
        let shown = sizing.tracks.reduce(0) { $0 + ($1.isCollapsed ? 0 : 1) }
        let spread = alignment.spread(free: space - sizing.total, count: shown)
        starts.reserveCapacity(sizing.tracks.count)
        sizes.reserveCapacity(sizing.tracks.count)
        var at = spread.offset
        /// The gap before the next track that is not collapsed.
        var gap = LayoutUnit.zero
        for track in sizing.tracks {
            if !track.isCollapsed { at += gap }
            let start = grid.floor(at)
            starts.append(start)
            sizes.append(track.base)
            at += track.base
            if !track.isCollapsed { gap = sizing.gap + spread.between }
        }
    }

    /// The start of areas that begin at a line, and next, the end of areas that end at it.
    func start(ofLine line: Int) -> LayoutUnit {
        starts.indices.contains(line - first) ? starts[line - first] : end(ofLine: line)
    }
    func end(ofLine line: Int) -> LayoutUnit {
        let track = line - first - 1
        return starts.indices.contains(track) ? starts[track] + sizes[track] : starts.first ?? .zero
    }

    /// The start and size of an area in this axis.
    func extent(of range: Range<Int>) -> (start: LayoutUnit, size: LayoutUnit) {
        let last = range.upperBound - 1 - first
        let start = starts[range.lowerBound - first]
        return (start, starts[last] + sizes[last] - start)
    }
}
