// References of styles to elements of an inline `svg`: `clip-path`, `mask` and `filter: url(#…)` on any box. In: styles. Out: the
// same with shapes, pictures and filters. A reference to nothing has no effect, as in browsers.

import FancyTextBasics
import FancyTextMarkup
import FancyTextStyling

extension BoxGenerator {
    /// Replaces the references of all styles. O(styles), and the referenced elements for each style that has references.
    mutating func resolveReferences() {
        var clips: [String: ClipShape?] = [:]
        var filters: [String: FilterElement] = [:]
        var masks: [String: String] = [:]
        for (index, style) in text.styles.styles.enumerated() where !style.box.$effects || !style.box.$mask {
            var box = style.box
            if !box.$mask { resolve(&box.mask, &masks) }
            if let id = box.effects.clip?.reference {
                let known = clips[id] ?? target(id, "clippath").flatMap(clip)
                clips[id] = .some(known)
                box.effects.clip = known
            }
            func resolveElements(_ functions: inout [FilterFunction]) {
                functions = functions.compactMap { function in
                    guard case .reference(let id) = function else { return function }
                    filters[id] = filters[id] ?? target(id, "filter").map(filter)
                    return filters[id].map { .element($0) }
                }
            }
            resolveElements(&box.effects.filters)
            resolveElements(&box.effects.backdropFilters)
            guard box != style.box else { continue }
            text.styles.replace(StyleID(rawValue: UInt32(index)), style.with(box))
        }
    }

    func target(_ id: String, _ name: String) -> NodeID? {
        tree.nodes(withID: id).first.flatMap { tree.name($0) == name ? $0 : nil }
    }

    /// Replaces `mask` elements by pictures that fill the border box; the place of such layers cannot be chosen (CSS Masking 1 §7).
    private func resolve(_ mask: inout MaskStyle, _ masks: inout [String: String]) {
        for (layer, image) in mask.images.enumerated() {
            guard case .url(let link)? = image, link.hasPrefix("#") else { continue }
            let id = String(link.dropFirst())
            let mode = mask.modes[layer % mask.modes.count]
            let key = "\(mode) \(id)"
            guard let picture = masks[key] ?? target(id, "mask").map({ standaloneMask($0, mode) }) else { continue }
            masks[key] = picture
            let layers = mask.images.indices
            func set<Value>(_ values: inout [Value], _ value: Value) {
                values = layers.map { $0 == layer ? value : values[$0 % values.count] }
            }
            mask.images[layer] = .url(picture)
            // The mode is that of the picture's own mask.
            set(&mask.modes, .alpha)
            set(&mask.positions, .init(x: .zero, y: .zero))
            set(&mask.sizes, .size(nil, nil))
            set(&mask.origins, .borderBox)
            set(&mask.clips, .borderBox)
        }
    }

    /// The union of a `clipPath`'s shapes (CSS Masking 1 §6). `nil` if some are text or transformed.
    private func clip(_ element: NodeID) -> ClipShape? {
        guard let path = PictureShapes(tree, styled, viewport: element).path(of: element) else { return nil }
        let isEvenOdd = tree.children(element).contains {
            styled.computed($0).picture["clip-rule"] ?? tree.attribute($0, "clip-rule") == "evenodd"
        }
        guard tree.attribute(element, "clippathunits") == "objectBoundingBox" else {
            return ClipShape(shape: .path(path, isEvenOdd: isEvenOdd))
        }
        func place(_ point: Point) -> Gradient.Position {
            Gradient.Position(x: LengthPercentage(fraction: point.x), y: LengthPercentage(fraction: point.y))
        }
        let commands = path.segments.map { segment -> ShapeCommand in
            switch segment {
            case .move(let end): .move(place(end), isRelative: false)
            case .line(let end): .line(place(end), isRelative: false)
            case .quadratic(let control, let end):
                .curve(place(end), isRelative: false, .init(point: place(control), origin: .box), nil)
            case .cubic(let first, let second, let end):
                .curve(
                    place(end), isRelative: false, .init(point: place(first), origin: .box),
                    .init(point: place(second), origin: .box))
            case .close: .close
            }
        }
        return ClipShape(shape: .commands(from: place(.zero), commands, isEvenOdd: isEvenOdd))
    }

    /// A `filter` element with the styles of its parts.
    private func filter(_ element: NodeID) -> FilterElement {
        let isInPixels = tree.attribute(element, "filterunits") == "userSpaceOnUse"
        let hasBoxUnits = tree.attribute(element, "primitiveunits") == "objectBoundingBox"
        func length(_ name: String, _ initial: String) -> LengthPercentage {
            let text = tree.attribute(element, name) ?? initial
            let number = PictureShapes.length(text, against: 1, em: styled.computed(element).font.size)
            return isInPixels && !text.hasSuffix("%")
                ? LengthPercentage(px: number) : LengthPercentage(fraction: number)
        }
        var result = FilterElement(
            svg: "", x: length("x", "-10%"), y: length("y", "-10%"), width: length("width", "120%"),
            height: length("height", "120%"), hasBoxUnits: hasBoxUnits)
        // The region in other units than the primitives is only a clip.
        let region =
            isInPixels && hasBoxUnits
            ? ["-999%", "-999%", "1999%", "1999%"]
            : [result.x, result.y, result.width, result.height].map(\.picturesText)
        let attributes = [
            "id": FilterElement.name, "filterunits": "userSpaceOnUse", "primitiveunits": "userSpaceOnUse",
            "x": region[0], "y": region[1], "width": region[2], "height": region[3],
        ]
        // Browsers compute no styles where nothing is displayed, and use sRGB without one.
        let isHidden = tree.ancestors(element).contains { styled.computed($0).box.display == .none }
        let shapes = PictureShapes(tree, styled, viewport: element)
        let svg = tree.standaloneSVG(element) { node in
            var style = pictureStyle(of: node, in: element, shapes)
            guard node == element else { return style }
            style.attributes = attributes
            if isHidden, !tree.hasAttribute(element, "color-interpolation-filters") {
                style.add("color-interpolation-filters", "sRGB")
            }
            return style
        }
        result.svg = String(decoding: svg, as: UTF8.self)
        return result
    }
}
