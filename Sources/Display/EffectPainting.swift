// Effects around a box, from the outside: the transform; the clip path; a layer for opacity, blending and the mask; one for filters
// if there is also a mask, because filters are applied first (Filter Effects 1 §5). Backdrop filters are below the contents.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextLayout
import FancyTextPainting

extension DisplayListBuilder {
    struct OpenEffects {
        fileprivate var groups = 0
        /// Layers around the contents, below the mask.
        fileprivate var contentLayers = 0
        fileprivate var masks: (style: ComputedStyle, boxes: PaintedBox)?
    }

    /// Opens the groups of a box fragment; `isolates` means that layers inside blend only with each other.
    mutating func beginEffects(_ index: Int, isolates: Bool) -> OpenEffects {
        let fragment = tree.boxes[index]
        guard fragment.canBeLayer(in: tree) else { return OpenEffects() }
        let style = computedStyle(fragment.style)
        let isClipped = style.box.position.isOutOfFlow && style.box.effects.rectangle != nil
        let map = map(ofBox: index, in: space)
        space = nil
        guard isolates || isClipped || style.hasGroupEffect || map != nil else { return OpenEffects() }
        return begin(style, box(of: fragment, style), map, isolates: isolates)
    }

    /// Opens the groups of an inline box on one line, which is not transformable (CSS Transforms 1 §2).
    mutating func beginEffects(_ fragment: InlineFragment) -> OpenEffects {
        let style = computedStyle(fragment.style)
        guard style.hasGroupEffect else { return OpenEffects() }
        return begin(style, PaintedBox(outer: borderBox(fragment.rect, style)), nil, isolates: false)
    }

    private mutating func begin(
        _ style: ComputedStyle, _ boxes: PaintedBox, _ map: Transform3D?, isolates: Bool
    ) -> OpenEffects {
        var open = OpenEffects()
        func push(_ item: DisplayItem) {
            add(item)
            open.groups += 1
        }
        let box = style.box
        if let map {
            push(Self.group(map))
            if box.transform.hidesBack, map.showsBack { push(.pushClip(RoundedRect(rect: .zero))) }
        }
        let effects = box.effects
        if let clip = effects.clip { push(clipItem(clip, boxes)) }
        if box.position.isOutOfFlow, let sides = effects.rectangle {
            let rect = boxes.outer.rect
            let (left, top) = (sides.left ?? 0, sides.top ?? 0)
            let shown = Rect(
                x: rect.x + left, y: rect.y + top, width: max(0, (sides.right ?? rect.width) - left),
                height: max(0, (sides.bottom ?? rect.height) - top))
            push(.pushClip(RoundedRect(rect: shown)))
        }
        let isMasked = !box.$mask && box.mask.isMasking
        let filtersBackdrop = !effects.backdropFilters.isEmpty && style.text.visibility == .visible
        let filters = effects.filters.map { resolved($0, style, boxes) }
        let layer = LayerItem(
            opacity: max(0, box.opacity), composite: .blend(effects.blendMode), filters: isMasked ? [] : filters)
        let layersBefore = open.groups
        if layer.opacity < 1 || effects.blendMode != .normal || !layer.filters.isEmpty || isMasked
            || isolates && !filtersBackdrop
        {
            push(.pushLayer(layer))
        }
        var layers = open.groups - layersBefore
        if isMasked, !filters.isEmpty {
            add(.pushLayer(LayerItem(filters: filters)))
            open.contentLayers += 1
            layers += 1
        }
        if filtersBackdrop {
            let filters = effects.backdropFilters.map { resolved($0, style, boxes) }
            add(.backdrop(boxes.outer, filters: filters, layers: layers))
            // The contents do not blend with the filtered backdrop.
            if isolates {
                add(.pushLayer(LayerItem()))
                open.contentLayers += 1
            }
        }
        if isMasked { open.masks = (style, boxes) }
        return open
    }

    /// Closes the groups that ``beginEffects(_:isolates:)`` opened, and paints the mask over the contents.
    mutating func endEffects(_ open: OpenEffects) {
        for _ in 0..<open.contentLayers { add(.pop) }
        if let masks = open.masks { paintMask(masks.style, masks.boxes) }
        for _ in 0..<open.groups { add(.pop) }
    }

    private func resolved(_ filter: FilterFunction, _ style: ComputedStyle, _ boxes: PaintedBox) -> FilterFunction {
        if case .dropShadow(var shadow, isCurrentColor: true) = filter {
            shadow.color = style.text.color
            return .dropShadow(shadow, isCurrentColor: false)
        }
        guard case .element(var element) = filter else { return filter }
        element.box = boxes.outer.rect
        return .element(element)
    }

    private func clipItem(_ clip: ClipShape, _ boxes: PaintedBox) -> DisplayItem {
        let reference = boxes.area(of: clip.box)
        guard let shape = clip.shape else { return .pushClip(reference) }
        let area = reference.rect
        switch shape.outline(in: area) {
        case .box(let rect, let radii)?:
            return .pushClipPath(Path(RoundedRect(rect: rect, radii: cornerRadii(radii, rect))), isEvenOdd: false)
        case .ellipse(let center, let x, let y)?:
            let rect = Rect(x: center.x - x, y: center.y - y, width: 2 * x, height: 2 * y)
            return .pushClipPath(.ellipse(rect), isEvenOdd: false)
        case .polygon(let points, let isEvenOdd)?: return .pushClipPath(Path(polygon: points), isEvenOdd: isEvenOdd)
        case nil: break
        }
        let place = Transform(x: area.x, y: area.y)
        switch shape {
        case .inset, .circle, .ellipse, .polygon: return .pushClip(reference)
        case .commands(let start, let commands, let isEvenOdd):
            return .pushClipPath(path(from: start, commands, in: area.size).transformed(place), isEvenOdd: isEvenOdd)
        case .path(let path, let isEvenOdd): return .pushClipPath(path.transformed(place), isEvenOdd: isEvenOdd)
        }
    }

    /// Converts the commands of `shape()` to path data, with their lengths resolved.
    private func path(from start: Gradient.Position, _ commands: [ShapeCommand], in size: Size) -> Path {
        func point(_ position: Gradient.Position) -> Point {
            Point(x: position.x.resolved(against: size.width), y: position.y.resolved(against: size.height))
        }
        var current = point(start)
        var first = current
        var data = "M\(current.x) \(current.y)"
        func end(_ position: Gradient.Position, _ isRelative: Bool) -> Point {
            isRelative ? current + point(position) : point(position)
        }
        func control(_ control: ShapeCommand.Control, _ end: Point) -> Point {
            switch control.origin {
            case .start: current + point(control.point)
            case .end: end + point(control.point)
            case .box: point(control.point)
            }
        }
        func text(_ points: Point...) -> String { points.map { " \($0.x) \($0.y)" }.joined() }
        for command in commands {
            switch command {
            case .move(let to, let isRelative):
                current = end(to, isRelative)
                first = current
                data += "M" + text(current)
            case .line(let to, let isRelative):
                current = end(to, isRelative)
                data += "L" + text(current)
            case .horizontal(let to, let isRelative):
                current.x = to.resolved(against: size.width) + (isRelative ? current.x : 0)
                data += "L" + text(current)
            case .vertical(let to, let isRelative):
                current.y = to.resolved(against: size.height) + (isRelative ? current.y : 0)
                data += "L" + text(current)
            case .curve(let to, let isRelative, let one, let other):
                let end = end(to, isRelative)
                let a = control(one, end)
                data += other.map { "C" + text(a, control($0, end), end) } ?? "Q" + text(a, end)
                current = end
            case .smooth(let to, let isRelative, let one):
                let end = end(to, isRelative)
                data += one.map { "S" + text(control($0, end), end) } ?? "T" + text(end)
                current = end
            case .arc(let to, let isRelative, let radii, let isClockwise, let isLarge, let rotation):
                current = end(to, isRelative)
                data +=
                    "A" + text(point(radii)) + " \(rotation) \(isLarge ? 1 : 0) \(isClockwise ? 1 : 0)" + text(current)
            case .close:
                current = first
                data += "Z"
            }
        }
        return PathData.path(data) ?? Path()
    }

    /// Paints the mask layers into a layer that masks the contents below it (CSS Masking 1 §7).
    private mutating func paintMask(_ style: ComputedStyle, _ boxes: PaintedBox) {
        let mask = style.box.mask
        add(.pushLayer(LayerItem(composite: .destinationIn)))
        let count = mask.images.count
        for index in mask.images.indices.reversed() {
            var layer = LayerItem()
            layer.isLuminanceMask = mask.modes[cycling: index] == .luminance
            // The lowest layer has no layer to combine with.
            if index < count - 1 {
                switch mask.composites[cycling: index] {
                case .add: break
                case .subtract: layer.composite = .sourceOut
                case .intersect: layer.composite = .sourceIn
                case .exclude: layer.composite = .exclusive
                }
            }
            let isApart = layer.isLuminanceMask || layer.composite != .blend(.normal)
            if isApart { add(.pushLayer(layer)) }
            if var image = mask.images[index] {
                if case .url(let source) = image, source.hasPrefix(ReplacedContent.ownPicture) {
                    // The units of a `mask` element are CSS pixels.
                    let (area, zoom) = (boxes.outer.rect.size, style.box.zoom)
                    let size = Size(width: area.width / zoom, height: area.height / zoom)
                    let picture = ReplacedContent(source: source, alternative: "")
                    image = .url(picture.source(showing: Rect(size), ofBox: size))
                }
                var background = BackgroundLayer(image: image)
                background.position = mask.positions[cycling: index]
                background.size = mask.sizes[cycling: index]
                background.repeats = mask.repeats[cycling: index]
                let origin = boxes.area(of: mask.origins[cycling: index])
                let clip = mask.clips[cycling: index].map { boxes.area(of: $0) } ?? RoundedRect(rect: Rect(list.size))
                paintLayer(background, area: origin.rect, clip: clip, of: style)
            }
            if isApart { add(.pop) }
        }
        add(.pop)
    }
}
