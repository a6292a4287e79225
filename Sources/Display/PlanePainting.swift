// Planes in space: transforms with perspective, and boxes that share a 3D rendering context (CSS Transforms 2 §3–5). Planes do not
// intersect here: the one whose centre is farthest from the viewer is painted first.

import FancyTextBasics
import FancyTextCSS
import FancyTextLayout
import FancyTextPainting

extension DisplayListBuilder {
    struct Plane {
        /// `nil` for the box itself without its layers.
        var layer: StackedPart?
        /// The box, or the stacking context of the layer.
        var box: Int
        var space: Transform3D?
        /// True for a layer that is flattened into the plane of the box.
        var isFlat = false
        var depth: Float
    }

    static func group(_ map: Transform3D) -> DisplayItem {
        map.hasVaryingPerspective
            ? .pushLayer(LayerItem(filters: [.projection(map.projection)])) : .pushTransform(map.flattened)
    }

    /// The map of a box's plane to the screen; nil for the identity. `space` is that of the space around it, if there is one.
    func map(ofBox index: Int, in space: Transform3D?) -> Transform3D? {
        let fragment = tree.boxes[index]
        let style = computedStyle(fragment.style)
        let isTransformed = style.isTransformed && fragment.kind != .tableColumn
        guard isTransformed || space != nil else { return nil }
        var map = space ?? .identity
        if !isOfCells, let perspective = perspective(around: index) { map = map.after(perspective) }
        guard isTransformed else { return map }
        var area = snap(fragment.rect)
        (area.width, area.height) = (fragment.rect.width.float, fragment.rect.height.float)
        if style.box.transform.referenceBox.isContentBox {
            area = RoundedRect(rect: area).inset(by: fragment.border + fragment.padding).rect
        }
        return map.after(style.box.transform.spatial(in: area))
    }

    private func parent(ofBox index: Int) -> Int? {
        guard text.boxes.indices.contains(tree.boxes[index].box) else { return nil }
        let parents = sequence(first: text.boxes[tree.boxes[index].box].parent) { text.boxes[$0].parent }
        return parents.prefix { $0 >= 0 }.first { !text.boxes[$0].isAnonymous }
    }

    /// The perspective that the parent of a box gives to its children; nil for none.
    private func perspective(around index: Int) -> Transform3D? {
        guard let parent = parent(ofBox: index) else { return nil }
        let style = text.styles[text.boxes[parent].style]
        guard !style.box.$transform, let distance = style.box.transform.perspective else { return nil }
        let around = chain(from: tree.boxes[index].parent).first { tree.boxes[$0].box == parent }
        guard let around else { return nil }
        let eye = style.box.transform.perspectiveOrigin.point(in: tree.boxes[around].rect.rect)
        return .perspective(distance, at: eye)
    }

    func sharesSpace(_ index: Int) -> Bool {
        let fragment = tree.boxes[index]
        return !isOfCells && !fragment.clips && fragment.canBeLayer(in: tree)
            && computedStyle(fragment.style).sharesSpace
    }

    func planes(of root: Int) -> [Plane] {
        var planes: [Plane] = []
        collect(root, in: space, &planes)
        return planes.indices.sorted { (planes[$0].depth, $0) < (planes[$1].depth, $1) }.map { planes[$0] }
    }

    private func collect(_ root: Int, in space: Transform3D?, _ planes: inout [Plane]) {
        let map = map(ofBox: root, in: space) ?? .identity
        /// Rounded, so that planes at the same depth stay in their order.
        func depth(_ map: Transform3D, _ rect: LayoutRect) -> Float {
            let area = rect.rect
            let center = Point(x: area.x + area.width / 2, y: area.y + area.height / 2)
            return (map.depth(of: center) * 64).rounded() / 64
        }
        let own = depth(map, tree.boxes[root].rect)
        func add(_ layers: ArraySlice<StackedPart>) {
            for layer in layers {
                // Only the children of a box are in its space.
                guard case .box(let index) = layer, parent(ofBox: index) == tree.boxes[root].box else {
                    planes.append(Plane(layer: layer, box: root, space: map, isFlat: true, depth: own))
                    continue
                }
                if sharesSpace(index) {
                    collect(index, in: map, &planes)
                } else {
                    let depth = depth(self.map(ofBox: index, in: map) ?? map, tree.boxes[index].rect)
                    planes.append(Plane(layer: layer, box: root, space: map, depth: depth))
                }
            }
        }
        add(stacking.below(root))
        planes.append(Plane(layer: nil, box: root, space: space, depth: own))
        add(stacking.above(root))
    }
}
