// Boxes that relative and sticky positions move, and the function that says by what distance.

import FancyTextStyling

/// A box at its position in the flow.
struct PlacedBox {
    var style: StyleID
    /// The fragment around it.
    var parent: Int
    /// The border box.
    var rect: LayoutRect
    var margin = Edges()
    /// The grid area of an item of a grid.
    var area: LayoutRect?
}

/// Returns the distance by which a box moves from its position in the flow.
typealias RelativeOffset = (PlacedBox, LayoutTree) -> LayoutPoint

extension BoxStyle {
    /// The insets move the box from its place in the flow.
    var isMovedByInsets: Bool { position == .relative || position == .sticky && positioned.inset != Sides(nil) }
}
