// Transforms of placed boxes (CSS Transforms 1 §3): layout ignores them, layout queries apply them.
//
// In: finished boxes and their styles. Out: for each box the product of its own transform and those of its ancestors.

import FancyTextBasics
import FancyTextStyling

/// The transforms of a tree's boxes.
struct PlacedTransforms: Sendable {
    private var maps: [Transform] = []
    /// The index in `maps` of each box, −1 for none; empty if no box is transformed.
    private var mapOfBox: [Int] = []

    init() {}

    /// Linear in the boxes if a style has a transform, else in the styles.
    init(_ boxes: [BoxFragment], _ styles: StyleTable) {
        guard styles.styles.contains(where: { $0.isTransformed }) else { return }
        mapOfBox = Array(repeating: -1, count: boxes.count)
        for (index, box) in boxes.enumerated() {
            let around = box.parent >= 0 ? mapOfBox[box.parent] : -1
            mapOfBox[index] = around
            let style = styles[box.style]
            guard !box.isAnonymous, box.box >= 0, box.kind != .tableColumn, style.isTransformed else { continue }
            let frame = style.box.transform.referenceBox.isContentBox ? box.frame : Edges()
            let own = style.box.transform.resolved(in: box.rect.inset(by: frame).rect)
            mapOfBox[index] = maps.count
            maps.append(around >= 0 ? maps[around].after(own) : own)
        }
    }

    /// The transform of the contents of a box; nil for the identity.
    subscript(box: Int) -> Transform? {
        guard !mapOfBox.isEmpty, mapOfBox[box] >= 0 else { return nil }
        return maps[mapOfBox[box]]
    }

    /// The smallest rectangle around the transformed `rect` of a box.
    func bounds(of rect: Rect, inBox box: Int) -> Rect { self[box]?.bounds(of: rect) ?? rect }
}
