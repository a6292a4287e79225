// The tracks that a grid gives to the subgrids in it (CSS Grid 2 §9).

/// The tracks that a subgrid has in one axis.
struct SubgridAxis {
    /// Nil while the outer tracks are not sized.
    var sizes: [LayoutUnit?]
    var gap: LayoutUnit
    /// The names of the lines in the outer grid.
    var lineNames: [[String]]
}

/// The tracks of a subgrid, without an axis in which it has tracks of its own.
typealias SubgridTracks = [LayoutAxis: SubgridAxis]
