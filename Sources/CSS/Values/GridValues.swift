// Values of grid layout (CSS Grid 2): tracks, named lines and areas, placement.

/// One end of the range of a track's size (CSS Grid 2 §7.2).
package enum TrackBreadth: Equatable, Sendable {
    case auto, minContent, maxContent
    case length(LengthPercentage)
    /// Share of the free space (`fr`), ≥ 0; only as a maximum.
    case flex(Float)
}

/// A track sizing function (CSS Grid 2 §7.2), as `minmax()`.
package struct TrackSize: Equatable, Sendable {
    package var minimum, maximum: TrackBreadth
    /// The argument of `fit-content()`; the track is `minmax(auto, max-content)` otherwise.
    package var fitLimit: LengthPercentage?

    /// Creates `minmax()`, or the equivalent of a single breadth.
    package init(_ minimum: TrackBreadth, _ maximum: TrackBreadth? = nil) {
        self.minimum = minimum
        self.maximum = maximum ?? minimum
        if case .flex = minimum { self.minimum = .auto }
    }

    package static let auto = TrackSize(.auto)

    package static func fitContent(_ limit: LengthPercentage) -> TrackSize {
        var size = TrackSize(.auto, .maxContent)
        size.fitLimit = limit
        return size
    }

    /// True if the size does not depend on the contents, as automatically repeated tracks require (CSS Grid 2 §7.2.3.2).
    var isFixed: Bool {
        fitLimit == nil && [minimum, maximum].contains { if case .length = $0 { true } else { false } }
    }
}

/// `grid-template-columns`, `grid-template-rows` (CSS Grid 2 §7.2): groups of tracks with the names of the lines between.
package struct TrackList: Equatable, Sendable {
    package enum Repetition: Equatable, Sendable {
        case times(Int)
        case autoFill, autoFit

        var count: Int? { if case .times(let count) = self { count } else { nil } }
    }

    /// Tracks written one by one (`times(1)`) or in a `repeat()`.
    package struct Group: Equatable, Sendable {
        package var repetition: Repetition
        package var tracks: [TrackSize]
        /// Names of the line before each track, and of the line after the last track.
        package var lineNames: [[String]]

        package init(repetition: Repetition, tracks: [TrackSize], lineNames: [[String]]) {
            (self.repetition, self.tracks, self.lineNames) = (repetition, tracks, lineNames)
        }
    }

    package var groups: [Group] = []
    /// `subgrid`: the tracks are those of the grid around it. The groups have no tracks, only the names of lines.
    package var isSubgrid = false

    package init() {}

    /// Longer track lists are truncated, as CSS Grid 2 §5.4 allows.
    package static let longest = 10_000

    /// `none`.
    package var isEmpty: Bool { groups.isEmpty && !isSubgrid }

    /// The group that repeats automatically; there is at most one.
    package var automatic: Group? { groups.first { $0.repetition.count == nil } }

    /// The tracks, and the names of the lines around them: one more than tracks. Repeats the automatic group. Linear in the result.
    package func expanded(repetitions: Int) -> (tracks: [TrackSize], lineNames: [[String]]) {
        var tracks: [TrackSize] = []
        var names: [[String]] = [[]]
        for group in groups {
            for _ in 0..<max(0, group.repetition.count ?? repetitions) {
                guard tracks.count + group.tracks.count <= Self.longest else { return (tracks, names) }
                tracks += group.tracks
                names[names.count - 1] += group.lineNames[0]
                names += group.lineNames[1...]
            }
        }
        return (tracks, names)
    }

    /// The names that a subgrid gives to its lines; the automatic group repeats for the lines that are left (CSS Grid 2 §9.2).
    package func names(ofLines count: Int) -> [[String]] {
        let left = groups.reduce(count) { $0 - ($1.repetition.count ?? 0) * $1.lineNames.count }
        let names = groups.lazy.map { group in
            repeatElement(group.lineNames, count: group.repetition.count ?? max(0, left) / group.lineNames.count)
                .joined()
        }
        return Array(names.joined().prefix(count))
    }
}

/// `grid-template-areas` (CSS Grid 2 §7.3).
package struct GridAreas: Equatable, Sendable {
    package struct Area: Equatable, Sendable {
        package var name: String
        package var rows, columns: Range<Int>
    }

    package var rowCount = 0, columnCount = 0
    /// In the order of their first occurrence.
    package var areas: [Area] = []
}

package struct GridStyle: RareGroup {
    package var columns = TrackList(), rows = TrackList()
    package var areas = GridAreas()
    /// The sizes of implicit tracks, in turn; never empty.
    package var autoColumns = [TrackSize.auto], autoRows = [TrackSize.auto]
    package var flowsInColumns = false
    /// `grid-auto-flow: dense`.
    package var isDense = false
    /// For a subgrid, whether a gap is `normal`: that of the grid around it.
    package var takesRowGap = false, takesColumnGap = false

    package init() {}
}

/// One edge of a grid item's placement (CSS Grid 2 §8.3).
package enum GridLine: Equatable, Sendable {
    case auto
    /// The n-th line (of that name), from the end when negative; never 0.
    case line(Int, name: String?)
    /// The edge of a named area, or the first line of that name.
    case area(String)
    /// The number of tracks (or lines of that name) from the opposite edge, ≥ 1.
    case span(Int, name: String?)
}

package struct GridItemStyle: RareGroup {
    package var rowStart = GridLine.auto, columnStart = GridLine.auto
    package var rowEnd = GridLine.auto, columnEnd = GridLine.auto

    package init() {}
}
