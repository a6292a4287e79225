// References of styles to elements of an inline `svg`: `clip-path`, `mask` and `filter: url(#…)` on any box.
//
// In: styles. Out: the same with shapes, pictures and filter functions. A reference to nothing has no effect, as in browsers.

import FancyTextBasics
import FancyTextMarkup
import FancyTextStyling

extension BoxGenerator {
    /// Replaces the references of all styles. O(styles), and the referenced elements for each style that has references.
    mutating func resolveReferences() {
        var clips: [String: ClipShape?] = [:]
        var chains: [String: [FilterFunction]] = [:]
        var masks: [String: String] = [:]
        for (index, style) in text.styles.styles.enumerated() where !style.box.$effects || !style.box.$mask {
            var box = style.box
            if !box.$mask { resolve(&box.mask, &masks) }
            if let id = box.effects.clip?.reference {
                let known = clips[id] ?? target(id, "clippath").flatMap(clip)
                clips[id] = .some(known)
                box.effects.clip = known
            }
            for id in box.effects.filters.compactMap(\.reference) where chains[id] == nil {
                chains[id] = target(id, "filter").flatMap(filters) ?? []
            }
            if box.effects.filters.contains(where: { $0.reference != nil }) {
                box.effects.filters = box.effects.filters.flatMap { filter in
                    filter.reference.map { chains[$0] ?? [] } ?? [filter]
                }
            }
            guard box != style.box else { continue }
            text.styles.replace(StyleID(rawValue: UInt32(index)), style.with(box))
        }
    }

    private func target(_ id: String, _ name: String) -> NodeID? {
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
            let count = mask.images.count
            func set<Value>(_ values: inout [Value], _ value: Value) {
                values = (0..<count).map { $0 == layer ? value : values[$0 % values.count] }
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

    /// A chain of primitives that filter functions can express; `nil` for others.
    func filters(_ element: NodeID) -> [FilterFunction]? {
        var result: [FilterFunction] = []
        var previous = "SourceGraphic"
        for node in tree.children(element) where tree.kind(node) == .element {
            let source = tree.attribute(node, "in") ?? previous
            guard source == previous || result.isEmpty && source == "SourceGraphic",
                let function = filter(node)
            else { return nil }
            result.append(function)
            previous = tree.attribute(node, "result") ?? previous
        }
        return result
    }

    private func filter(_ node: NodeID) -> FilterFunction? {
        func numbers(_ name: String) -> [Float] {
            (tree.attribute(node, name) ?? "").split { $0 == "," || $0.isWhitespace }.compactMap { Float($0) }
        }
        let space = [node, tree.parent(node) ?? node].lazy.compactMap {
            styled.computed($0).picture["color-interpolation-filters"]
                ?? tree.attribute($0, "color-interpolation-filters")
        }
        let isLinear = space.first != "sRGB"
        let values = numbers("values")
        switch tree.name(node) {
        case "fegaussianblur": return .blur(numbers("stddeviation").first ?? 0)
        case "fedropshadow":
            let style = styled.computed(node)
            let written = style.picture["flood-color"] ?? tree.attribute(node, "flood-color") ?? "black"
            guard var color = Color(css: written) else { return nil }
            let opacity = numbers("flood-opacity").first ?? 1
            color.alpha = UInt8(max(0, min(255, (Float(color.alpha) * opacity).rounded())))
            return .dropShadow(
                Shadow(
                    x: numbers("dx").first ?? 2, y: numbers("dy").first ?? 2,
                    blur: numbers("stddeviation").first ?? 2, color: color), isCurrentColor: false)
        case "fecolormatrix":
            switch tree.attribute(node, "type") ?? "matrix" {
            case "matrix": return values.count == 20 ? .matrix(values, isLinear: isLinear) : nil
            case "saturate" where !isLinear: return .saturate(values.first ?? 1)
            case "huerotate" where !isLinear, "hueRotate" where !isLinear: return .hueRotate(values.first ?? 0)
            default: return nil
            }
        default: return nil
        }
    }
}

extension FilterFunction {
    /// The id of the element that it refers to.
    package var reference: String? {
        if case .reference(let id) = self { id } else { nil }
    }
}
