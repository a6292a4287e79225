// Inline `svg` elements as pictures, with computed styles for a library that knows neither the document's rules nor all properties;
// and the references of styles to their elements: `clip-path`, `mask` and `filter: url(#…)` on any box. A reference to nothing has no
// effect, as in browsers.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup

extension BoxGenerator {
    /// The URI of an inline `svg` as a document, with the shapes of some of its nodes or, without `part`, of all.
    mutating func standaloneSVG(_ node: NodeID, shapes part: Range<NodeID>? = nil) -> String {
        let shapes = PictureShapes(tree, styled, viewport: node)
        var texts = PictureTexts(tree, styled, shapes, advances)
        var end = node
        for text in tree.subtree(node) where tree.tag(text) == .text && text >= end {
            texts.place(text)
            end = tree.subtreeEnd(text)
        }
        for key in texts.measured { text.measuredTexts[key] = text.measuredTexts[key] ?? text.measuredTexts.count }
        // One copy of the generator: a closure that shares it with the caller would copy it for each element.
        let svg = tree.standaloneSVG(node, texts: texts.texts, shapes: part) { [self] in
            pictureStyle(of: $0, in: node, shapes)
        }
        return Self.uri(of: svg)
    }

    /// The URI of a picture that shows what a `mask` or `clipPath` element leaves of the picture's area.
    func standaloneMask(_ node: NodeID, _ mode: MaskMode = .matchSource) -> String {
        let shapes = PictureShapes(tree, styled, viewport: node)
        let mask = tree.standaloneMask(node) { part in
            var style = pictureStyle(of: part, in: node, shapes)
            if part == node, mode != .matchSource { style.add("mask-type", mode == .alpha ? "alpha" : "luminance") }
            return style
        }
        return Self.uri(of: mask)
    }

    private static func uri(of document: [UInt8]) -> String {
        var uri = Array(ReplacedContent.ownPicture.utf8)
        uri.reserveCapacity(uri.count + document.count)
        // A percent sign is escaped, because the URI is decoded.
        for piece in document.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false) {
            if piece.startIndex > 0 { uri += "%25".utf8 }
            uri += piece
        }
        return String(decoding: uri, as: UTF8.self)
    }

    func pictureStyle(of part: NodeID, in top: NodeID, _ shapes: PictureShapes) -> PictureElementStyle {
        let style = styled.computed(part)
        let parent = part == top ? nil : tree.parent(part).map { styled.computed($0) }
        var result = PictureElementStyle()
        let isInside = part >= top && part < tree.subtreeEnd(top)
        if part == top { addInherited(top, &result) }
        for (name, value) in style.picture.sorted(by: { $0.key < $1.key }) {
            switch name {
            case let name where name.hasPrefix(ComputedStyle.unsubstituted):
                // An element from elsewhere inherits from the place where it is used.
                if !isInside, let value = styled.substituting(value, of: top) {
                    result.add(String(name.dropFirst(ComputedStyle.unsubstituted.count)), value)
                }
            case "d": result.attributes["d"] = value == "none" ? "" : value
            case "alignment-baseline": result.baseline = Self.baselines[value]
            case "dominant-baseline": result.baseline = result.baseline ?? Self.baselines[value] ?? 0
            default: result.add(name, value)
            }
        }
        for name in ["fill", "stroke", "stop-color"] {
            guard let word = (style.picture[name] ?? tree.attribute(part, name))?.asciiLowercased(),
                let light = ColorNames.color(word, isDark: false), let dark = ColorNames.color(word, isDark: true)
            else { continue }
            // The library knows no system colors.
            if light != dark { result.add(name, (style.isDark ? dark : light).hex) }
        }
        addText(style, parent, isText: ["text", "tspan", "textpath"].contains(tree.name(part)), &result)
        guard part != top else { return result }
        if tree.name(part) == "text" {
            result.filters = style.text.shadows.map { shadow in
                var shadow = shadow
                shadow.blur /= 2
                return FilterFunction.dropShadow(shadow, isCurrentColor: false).primitives(style.text.color)
            }
        }
        addBox(style.box, &result)
        if style.box.overflowX == .visible, ["svg", "symbol", "marker"].contains(tree.name(part)) {
            result.add("overflow", "visible")
        }
        if !style.box.$effects {
            result.filters += style.box.effects.filters.map { $0.primitives(style.text.color) }
            result.clip = style.box.effects.clip.flatMap { shapes.outline(of: $0, around: part) }
        }
        for name in ["stroke-dasharray", "stroke-dashoffset"] where tree.hasAttribute(part, "pathlength") {
            let value = style.picture[name] ?? tree.attribute(part, name)
            if let value, value != "none", let dashes = shapes.dashes(value, of: part) { result.add(name, dashes) }
        }
        if let transform = shapes.transform(of: part) { result.attributes["transform"] = transform }
        return result
    }

    private func addInherited(_ top: NodeID, _ result: inout PictureElementStyle) {
        var found: Set<String> = []
        for (name, value) in tree.ancestors(top).flatMap({ styled.computed($0).picture.sorted { $0.key < $1.key } })
        where ComputedStyle.inheritedPictureNames.contains(name) && found.insert(name).inserted {
            if !tree.hasAttribute(top, name) { result.add(name, value) }
        }
    }

    /// Adds inherited values that differ from the parent's.
    private func addText(
        _ style: ComputedStyle, _ parent: ComputedStyle?, isText: Bool, _ result: inout PictureElementStyle
    ) {
        let (font, text) = (style.font, style.text)
        func differs<Value: Equatable>(_ value: (ComputedStyle) -> Value) -> Bool {
            parent.map { value($0) != value(style) } ?? true
        }
        if differs({ $0.text.color }) { result.add("color", text.color.hex) }
        if differs({ $0.font.size }) { result.add("font-size", "\(font.size)px") }
        if differs({ $0.font.weight }) { result.add("font-weight", "\(Int(font.weight))") }
        if differs({ $0.font.families }), !font.families.isEmpty {
            let names = font.families.flatMap(\.names).map { "'" + $0.filter { !"'\\;".contains($0) } + "'" }
            result.add("font-family", names.joined(separator: ","))
        }
        if differs({ $0.font.slant }) { result.add("font-style", font.slant == .normal ? "normal" : "italic") }
        if differs({ $0.text.letterSpacing }) { result.add("letter-spacing", "\(text.letterSpacing)px") }
        if differs({ $0.text.wordSpacing }) { result.add("word-spacing", "\(text.wordSpacing)px") }
        if parent == nil { return }
        if differs({ $0.text.direction }) { result.add("direction", text.direction == .ltr ? "ltr" : "rtl") }
        if differs({ $0.text.visibility }) {
            result.add("visibility", text.visibility == .visible ? "visible" : "hidden")
        }
        if differs({ $0.text.strokesFirst }) { result.add("paint-order", text.strokesFirst ? "stroke" : "normal") }
        if differs({ $0.text.writingMode }) {
            let mode = text.writingMode
            result.add("writing-mode", !mode.isVertical ? "lr-tb" : mode == .verticalLR ? "vertical-lr" : "vertical-rl")
        }
        // The decoder draws only the lines of elements in the text.
        if isText || differs({ $0.box.decorations }), let lines = style.box.decorations.last?.lines {
            let names =
                [(.underline, "underline"), (.overline, "overline"), (.lineThrough, "line-through")]
                as [(TextDecoration.Lines, String)]
            result.add("text-decoration", names.filter { lines.contains($0.0) }.map(\.1).joined(separator: " "))
        }
    }

    /// Adds values that are not inherited, if they are not initial.
    private func addBox(_ box: BoxStyle, _ result: inout PictureElementStyle) {
        if box.display == .none { result.add("display", "none") }
        if box.opacity < 1 { result.add("opacity", "\(box.opacity)") }
        if box.isolates { result.add("isolation", "isolate") }
        if case .length(let width) = box.width { result.add("width", width.picturesText) }
        if case .length(let height) = box.height { result.add("height", height.picturesText) }
        switch box.verticalAlign {
        case .sub: result.add("baseline-shift", "sub")
        case .super: result.add("baseline-shift", "super")
        case .length(let length): result.add("baseline-shift", length.picturesText)
        default: break
        }
        if case .url(let mask)? = box.mask.images[0] { result.add("mask", "url(\(mask))") }
        guard !box.$effects else { return }
        if box.effects.blendMode != .normal { result.add("mix-blend-mode", box.effects.blendMode.rawValue) }
        if let clip = box.effects.clip?.reference { result.add("clip-path", "url(#\(clip))") }
    }

    /// The distances in em from the alphabetic baseline up to others, in fonts of common proportions (SVG 2 §11.10.2).
    private static let baselines: [String: Float] = [
        "middle": 0.265, "central": 0.35, "mathematical": 0.46, "hanging": 0.74, "text-before-edge": 0.92,
        "text-top": 0.92, "before-edge": 0.92, "text-after-edge": -0.22, "text-bottom": -0.22, "after-edge": -0.22,
        "ideographic": -0.22, "alphabetic": 0,
    ]

    // MARK: References

    /// Replaces the references of all styles. O(styles), and the referenced elements for each style that has references.
    mutating func resolveReferences() {
        var clips: [String: ClipShape?] = [:]
        var filters: [String: FilterElement] = [:]
        var masks: [String: String] = [:]
        for (index, style) in text.styles.styles.enumerated() where !style.box.$effects || !style.box.$mask {
            var box = style.box
            if !box.$mask { resolve(&box.mask, &masks) }
            if let id = box.effects.clip?.reference {
                let element = target(id, "clippath")
                let known = clips[id] ?? element.flatMap(clip)
                clips[id] = .some(known)
                box.effects.clip = known
                if known == nil, let element {
                    let picture = masks[id] ?? standaloneMask(element)
                    masks[id] = picture
                    box.mask.intersect(with: picture)
                }
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
            let mode = mask.modes[cycling: layer]
            let key = "\(mode) \(id)"
            guard let picture = masks[key] ?? target(id, "mask").map({ standaloneMask($0, mode) }) else { continue }
            masks[key] = picture
            mask.set(picture, at: layer)
        }
    }

    private func clip(_ element: NodeID) -> ClipShape? {
        let viewport = tree.ancestors(element).first { tree.tag($0) == .svg } ?? element
        guard let path = PictureShapes(tree, styled, viewport: viewport).union(ofClipPath: element) else { return nil }
        let isEvenOdd = tree.children(element).contains {
            styled.computed($0).picture["clip-rule"] ?? tree.attribute($0, "clip-rule") == "evenodd"
        }
        guard tree.attribute(element, "clippathunits") == "objectBoundingBox"
        else { return ClipShape(shape: .path(path, isEvenOdd: isEvenOdd)) }
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

extension MaskStyle {
    /// Adds a layer above the others that leaves only what is inside of a picture.
    fileprivate mutating func intersect(with picture: String) {
        let below = isMasking ? images : []
        func shift<Value>(_ values: inout [Value]) { values = [values[0]] + below.indices.map { values[cycling: $0] } }
        images = [nil] + below
        shift(&modes)
        shift(&positions)
        shift(&sizes)
        shift(&repeats)
        shift(&origins)
        shift(&clips)
        shift(&composites)
        composites[0] = .intersect
        set(picture, at: 0)
    }

    /// Sets a layer to a picture that fills the border box.
    fileprivate mutating func set(_ picture: String, at layer: Int) {
        let layers = images.indices
        func set<Value>(_ values: inout [Value], _ value: Value) {
            values = layers.map { $0 == layer ? value : values[cycling: $0] }
        }
        images[layer] = .url(picture)
        // The mode is that of the picture's own mask.
        set(&modes, .alpha)
        set(&positions, .init(x: .zero, y: .zero))
        set(&sizes, .size(nil, nil))
        set(&origins, .borderBox)
        set(&clips, .borderBox)
    }
}

extension FilterFunction {
    /// The filter primitives that the function is a shorthand of (Filter Effects 1 §12.1), or a reference.
    fileprivate func primitives(_ currentColor: Color) -> String {
        func linear(_ channels: String, _ slope: Float, _ intercept: Float = 0) -> String {
            let parts = channels.map { "<feFunc\($0) type=\"linear\" slope=\"\(slope)\" intercept=\"\(intercept)\"/>" }
            return "<feComponentTransfer>\(parts.joined())</feComponentTransfer>"
        }
        func matrix(_ type: String, _ values: Float...) -> String {
            let text = values.map { "\($0)" }.joined(separator: " ")
            return "<feColorMatrix type=\"\(type)\" values=\"\(text)\"/>"
        }
        switch self {
        case .blur(let radius): return "<feGaussianBlur stdDeviation=\"\(radius)\"/>"
        case .brightness(let amount): return linear("RGB", amount)
        case .contrast(let amount): return linear("RGB", amount, 0.5 - 0.5 * amount)
        case .grayscale(let amount): return matrix("saturate", 1 - amount)
        case .hueRotate(let degrees): return matrix("hueRotate", degrees)
        case .invert(let amount): return linear("RGB", 1 - 2 * amount, amount)
        case .opacity(let amount): return linear("A", amount)
        case .saturate(let amount): return matrix("saturate", amount)
        case .sepia(let amount):
            let s = 1 - amount
            return matrix(
                "matrix", 0.393 + 0.607 * s, 0.769 - 0.769 * s, 0.189 - 0.189 * s, 0, 0, 0.349 - 0.349 * s,
                0.686 + 0.314 * s, 0.168 - 0.168 * s, 0, 0, 0.272 - 0.272 * s, 0.534 - 0.534 * s, 0.131 + 0.869 * s,
                0, 0, 0, 0, 0, 1, 0)
        case .element, .projection: return ""
        case .reference(let id): return "url(#\(id))"
        case .dropShadow(let shadow, let isCurrentColor):
            let color = isCurrentColor ? currentColor : shadow.color
            return "<feGaussianBlur in=\"SourceAlpha\" stdDeviation=\"\(shadow.blur)\"/>"
                + "<feOffset dx=\"\(shadow.x)\" dy=\"\(shadow.y)\" result=\"b\"/><feFlood flood-color=\"\(color.hex)\"/>"
                + "<feComposite operator=\"in\" in2=\"b\"/>"
                + "<feMerge><feMergeNode/><feMergeNode in=\"SourceGraphic\"/></feMerge>"
        }
    }
}
