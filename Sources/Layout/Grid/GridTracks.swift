// The tracks of one axis of a grid before sizing (CSS Grid 2 §7.2, §7.6), by a template and the sizes of other tracks,
// and the positions of sized ones (§11.5, CSS Box Alignment 3 §5).

import FancyTextCSS

/// A track during track sizing (CSS Grid 2 §12.3).
struct GridTrack {
    /// A size function; a minimum cannot be one of the last two.
    enum Breadth: Hashable {
        case auto, minContent, maxContent
        case fixed(LayoutUnit)
        case fitContent(LayoutUnit)
        case flex(Float)

        var isIntrinsic: Bool {
            switch self {
            case .fixed, .flex: false
            case .auto, .minContent, .maxContent, .fitContent: true
            }
        }
    }

    let minimum, maximum: Breadth
    /// True for an empty track of `auto-fit`: it has no size and no gaps (CSS Grid 2 §7.2.3.2).
    let isCollapsed: Bool
    var base = LayoutUnit.zero
    /// The growth limit; unlimited until a sizing step sets it.
    var limit = LayoutUnit.unlimited
    /// True if the limit may grow further for the current group of items.
    var hasOpenLimit = false

    init(minimum: Breadth, maximum: Breadth, isCollapsed: Bool = false) {
        (self.minimum, self.maximum, self.isCollapsed) = (minimum, maximum, isCollapsed)
        if case .fixed(let size) = minimum { base = size }
        if case .fixed(let size) = maximum { limit = max(size, base) }
    }

    /// - Parameter space: the base of percentages; nil if it depends on the tracks, for which percentages are `auto`.
    init(_ size: TrackSize, of space: LayoutUnit?, grid: LayoutGrid) {
        func length(_ value: LengthPercentage) -> LayoutUnit? {
            resolve(value, ofKnown: space, grid: grid)?.nonNegative
        }
        let minimum: Breadth =
            switch size.minimum {
            case .auto, .flex: .auto
            case .minContent: .minContent
            case .maxContent: .maxContent
            case .length(let value): length(value).map { .fixed($0) } ?? .auto
            }
        let maximum: Breadth =
            switch size.maximum {
            case .auto: .auto
            case .minContent: .minContent
            case .maxContent: size.fitLimit.map { length($0).map { .fitContent($0) } ?? .maxContent } ?? .maxContent
            case .length(let value): length(value).map { .fixed($0) } ?? .auto
            case .flex(let factor): .flex(factor)
            }
        self.init(minimum: minimum, maximum: maximum)
    }

    static let collapsed = GridTrack(minimum: .fixed(.zero), maximum: .fixed(.zero), isCollapsed: true)

    var flexFactor: Float { if case .flex(let factor) = maximum { factor } else { 0 } }
    var isFlexible: Bool { if case .flex = maximum { true } else { false } }
    var isIntrinsic: Bool { minimum.isIntrinsic || maximum.isIntrinsic }
    /// The largest size, if it does not depend on the contents.
    var fixedMaximum: LayoutUnit? { if case .fixed(let size) = maximum { size } else { nil } }
}

/// The space of a container in one axis, between the edges of its content box.
struct GridSpace {
    /// The definite size; nil if the tracks decide.
    var definite: LayoutUnit?
    var minimum = LayoutUnit.zero
    var maximum: LayoutUnit?
}

/// The template of one axis with its automatic repetitions.
struct GridTemplate {
    let tracks: [TrackSize]
    let lineNames: [[String]]
    /// The tracks of the automatic repetition, if they collapse when empty.
    let collapsible: Range<Int>
    private let automatic: [TrackSize]

    /// Tracks that the template does not define use the sizes of `automatic` in turn.
    init(_ list: TrackList, automatic: [TrackSize], space: GridSpace, gap: LayoutUnit, grid: LayoutGrid) {
        self.automatic = automatic
        let repetitions = Self.repetitions(of: list, in: space, gap: gap, grid: grid)
        (tracks, lineNames) = list.expanded(repetitions: repetitions)
        var collapsible = 0..<0
        if let group = list.automatic, group.repetition == .autoFit {
            var first = 0
            for other in list.groups {
                guard case .times(let count) = other.repetition else { break }
                first += count * other.tracks.count
            }
            let count = repetitions * group.tracks.count
            collapsible = (first..<first + count).clamped(to: 0..<tracks.count)
        }
        self.collapsible = collapsible
    }

    /// The number of repetitions of the automatic group that fit, at least one (CSS Grid 2 §7.2.3.2).
    private static func repetitions(of list: TrackList, in space: GridSpace, gap: LayoutUnit, grid: LayoutGrid) -> Int {
        guard let group = list.automatic, let room = space.definite ?? space.maximum ?? Optional(space.minimum),
            room > .zero
        else { return 1 }
        func length(_ size: TrackSize) -> LayoutUnit {
            let track = GridTrack(size, of: room, grid: grid)
            switch (track.minimum, track.maximum) {
            case (.fixed(let low), .fixed(let high)): return max(low, high)
            case (.fixed(let low), _): return low
            case (_, .fixed(let high)): return high
            case (_, _): return .zero
            }
        }
        var others = 0
        for other in list.groups {
            guard case .times(let count) = other.repetition else { continue }
            others += other.tracks.reduce(0) { $0 + Int((length($1) + gap).raw) } * count
        }
        // A track counts as one pixel at least.
        let one = group.tracks.reduce(0) { $0 + Int((max(length($1), .cell) + gap).raw) }
        let left = Int((room + gap).raw) - others
        let isMinimum = space.definite == nil && space.maximum == nil
        return max(1, min(isMinimum ? (left + one - 1) / one : left / one, TrackList.longest))
    }

    /// The tracks of the implicit grid. Linear in their number. `isOccupied` is called only where tracks may collapse.
    func tracks(_ range: Range<Int>, of space: LayoutUnit?, grid: LayoutGrid, isOccupied: (Int) -> Bool) -> [GridTrack]
    {
        range.map { index in
            if collapsible.contains(index), !isOccupied(index) { return .collapsed }
            return GridTrack(size(of: index), of: space, grid: grid)
        }
    }

    /// The sizes of implicit tracks repeat in both directions from the template's edges.
    private func size(of index: Int) -> TrackSize {
        if tracks.indices.contains(index) { return tracks[index] }
        let distance = index < 0 ? index : index - tracks.count
        let turn = distance % automatic.count
        return automatic[turn < 0 ? turn + automatic.count : turn]
    }

    /// Returns whether a track in the range has a size relative to the container's.
    func hasPercentages(_ range: Range<Int>) -> Bool {
        func isRelative(_ breadth: TrackBreadth) -> Bool {
            if case .length(let length) = breadth { length.isRelative } else { false }
        }
        func isRelative(_ size: TrackSize) -> Bool {
            isRelative(size.minimum) || isRelative(size.maximum) || size.fitLimit?.isRelative == true
        }
        return tracks.contains(where: isRelative)
            || (range.lowerBound < 0 || range.upperBound > tracks.count) && automatic.contains(where: isRelative)
    }
}

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

    func extent(of range: Range<Int>) -> (start: LayoutUnit, size: LayoutUnit) {
        let last = range.upperBound - 1 - first
        let start = starts[range.lowerBound - first]
        return (start, starts[last] + sizes[last] - start)
    }
}
