// Box fragments to items: shadows, backgrounds, borders, outlines, pictures and markers, on whole pixels (CSS Backgrounds 3).

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextLayout
import FancyTextPainting

/// A border box on whole pixels, and the boxes inside and around it.
struct PaintedBox {
    var outer: RoundedRect
    var border = Edges()
    var padding = Edges()
    var margin = Edges()
    /// The height that the contents of a scroll container have beyond the box.
    var hiddenHeight: Float = 0

    var paddingBox: RoundedRect { outer.inset(by: border) }
    var contentBox: RoundedRect { outer.inset(by: border + padding) }

    /// The area of a background; nil for that of the text.
    func area(of box: BackgroundBox) -> RoundedRect? { ReferenceBox(rawValue: box.rawValue).map { area(of: $0) } }

    func area(of box: ReferenceBox) -> RoundedRect {
        switch box {
        case .borderBox, .viewBox: outer
        case .paddingBox: paddingBox
        case .contentBox: contentBox
        case .marginBox:
            RoundedRect(
                rect: Rect(
                    x: outer.rect.x - margin.left.float, y: outer.rect.y - margin.top.float,
                    width: outer.rect.width + margin.horizontal.float,
                    height: outer.rect.height + margin.vertical.float))
        }
    }
}

extension RoundedRect {
    func inset(by edges: Edges) -> RoundedRect { inset(by: edges.map(\.float)) }
}

extension DisplayListBuilder {
    mutating func paintBox(_ index: Int) {
        let fragment = tree.boxes[index]
        var style = computedStyle(fragment.style)
        if fragment.kind == .canvas || fragment.kind == .tableWrapper || style.text.visibility != .visible { return }
        // A cell that is painted after the collapsed borders of its table covers none of them, as in browsers.
        let endsInBorders = fragment.kind == .tableCell && style.text.collapsesBorders && isContext(index)
        // An anonymous cell also shows the background of its row.
        if !fragment.underlays.isEmpty, !fragment.isHidden {
            // In a terminal, border lines take up cells, so the colour ends inside them.
            for part in fragment.parts.isEmpty ? [fragment] : tree.parts(of: fragment, clonesEdges: true) {
                let cell = isOfCells || endsInBorders ? part.rect.inset(by: part.border) : part.rect
                paintUnderlays(fragment.underlays, cell: snap(cell))
            }
        }
        if fragment.isAnonymous { return }
        if fragment.kind == .marker { return paintMarker(fragment, style) }
        if fragment.isHidden { return }
        if fragment.legend >= 0, fragment.parts.isEmpty, !isOfCells { return paintFieldset(fragment, style) }
        let control = control(of: fragment)
        let ownStyle = style
        var box = box(of: fragment, style)
        if let control, !isOfCells, let native = nativeStyle(control, style) {
            style = native
            box.outer = borderBox(fragment.rect, native)
            box.border = resolvedBorders(native.box.border, deviceScale: scale)
        }
        if endsInBorders { (box.outer, box.border) = (borderBox(fragment.rect.inset(by: box.border), style), Edges()) }
        let paintsBackground = index != canvasBox && fragment.kind != .tableRow && fragment.kind != .tableRowGroup
        let paintsBorder = fragment.paintsBorder && !(fragment.kind == .table && style.text.collapsesBorders)
        if !fragment.parts.isEmpty {
            return paintParts(of: fragment, style, paintsBackground: paintsBackground, paintsBorder: paintsBorder)
        }
        paintDecorations(style, box, paintsBackground: paintsBackground, paintsBorder: paintsBorder)
        if fragment.legend >= 0 { add(.cells(.legend(index))) }
        if let control {
            if isOfCells { return add(.cells(.control(index))) }
            paintControl(control, ownStyle, rect: box.outer.rect, fragment.axes)
        }
        switch fragment.kind {
        case .image, .lambda: paintReplaced(fragment, style, box.outer)
        case .canvas, .block, .flex, .grid, .table, .tableRowGroup, .tableRow, .tableCell, .tableCaption, .tableColumn,
            .ruby, .marker, .tableWrapper:
            break
        }
    }

    /// Paints the parts of a box on several columns or pages. Inner ends are square unless edges are cloned (CSS Fragmentation 3 §5.4).
    private mutating func paintParts(
        of fragment: BoxFragment, _ style: ComputedStyle, paintsBackground: Bool, paintsBorder: Bool
    ) {
        let clones = style.box.clonesDecorationAtBreaks
        let parts = tree.parts(of: fragment, clonesEdges: clones)
        for (number, part) in parts.enumerated() {
            var box = box(of: part, style)
            let (hasStart, hasEnd) = (number == 0 || clones, number + 1 == parts.count || clones)
            if !hasStart { (box.outer.radii.topLeft, box.outer.radii.topRight) = (.zero, .zero) }
            if !hasEnd { (box.outer.radii.bottomLeft, box.outer.radii.bottomRight) = (.zero, .zero) }
            if number == 0, fragment.legend >= 0, !isOfCells {
                paintFieldset(part, style, hasEnd: hasEnd)
                continue
            }
            paintDecorations(style, box, paintsBackground: paintsBackground, paintsBorder: paintsBorder)
        }
    }

    /// Paints the backgrounds of a cell's column and row within the cell.
    private mutating func paintUnderlays(_ underlays: Range<Int>, cell: Rect) {
        let clip = RoundedRect(rect: cell)
        for underlay in tree.underlays[underlays] {
            let style = computedStyle(underlay.style)
            guard style.text.visibility == .visible else { continue }
            if style.box.backgroundColor.alpha > 0 { add(.fill(clip, .color(style.box.backgroundColor))) }
            for layer in style.box.backgroundLayers.reversed() where layer.clip != .text {
                paintLayer(layer, area: snap(underlay.rect), clip: clip, of: style)
            }
        }
    }

    /// Paints a fieldset, whose box begins at the middle of the legend. The legend interrupts the border (HTML §15.3.13).
    private mutating func paintFieldset(_ fragment: BoxFragment, _ style: ComputedStyle, hasEnd: Bool = true) {
        let legend = tree.boxes[fragment.legend].rect
        let axes = fragment.axes
        let height = axes.isVertical ? legend.width : legend.height
        let (border, margin) = (axes.sides(fragment.border).top, axes.sides(tree.boxes[fragment.legend].margin).top)
        var cut = Edges()
        cut.top = ((height - border) / 2).nonNegative + margin
        var box = box(of: fragment, style)
        box.outer = borderBox(fragment.rect.inset(by: axes.page(cut)), style)
        if !hasEnd { (box.outer.radii.bottomLeft, box.outer.radii.bottomRight) = (.zero, .zero) }
        paintDecorations(style, box, paintsBorder: false)
        var frame = style.box
        (frame.boxShadows, frame.outlineWidth) = ([], 0)
        // The areas along the line before the legend, after it, and below it.
        let (gap, line) = (axes.alongLine(snap(legend)), axes.alongLine(box.outer.rect))
        let top = min(line.y, gap.y)
        let bottom = axes.invertsLines ? max(line.maxY, gap.maxY) : line.maxY
        let outer = Rect(x: line.x, y: top, width: line.width, height: bottom - top)
        let (above, below) = (min(gap.y, line.maxY - border.float), max(gap.maxY, line.y + border.float))
        let parts = [
            Rect(x: outer.x, y: outer.y, width: max(0, gap.x - outer.x), height: outer.height),
            Rect(x: gap.maxX, y: outer.y, width: max(0, outer.maxX - gap.maxX), height: outer.height),
            axes.invertsLines
                ? Rect(x: gap.x, y: outer.y, width: gap.width, height: max(0, above - outer.y))
                : Rect(x: gap.x, y: below, width: gap.width, height: max(0, outer.maxY - below)),
        ].map { axes.pageTransform?.bounds(of: $0) ?? $0 }
        for part in parts where !part.isEmpty {
            add(.pushClip(RoundedRect(rect: part)))
            paintDecorations(ComputedStyle(style, box: frame), box, paintsBackground: false)
            add(.pop)
        }
    }

    /// Paints the part of an inline box on one line, with start and end edges only where the box begins and ends.
    /// - Parameter unbroken: the rectangle of the whole box, in which its background is placed, if the fragment is a part of it.
    mutating func paintInlineBox(_ fragment: InlineFragment, unbroken: LayoutRect?) {
        let style = computedStyle(fragment.style)
        guard style.text.visibility == .visible,
            style.hasBackground || !style.box.boxShadows.isEmpty || style.box.outlineWidth > 0
                || style.box.border.clockwise.contains(where: { $0.width > 0 })
        else { return }
        let isRightToLeft = style.text.direction == .rtl
        let (hasLeft, hasRight) =
            isRightToLeft ? (fragment.hasEndEdge, fragment.hasStartEdge) : (fragment.hasStartEdge, fragment.hasEndEdge)
        let has = axes.page(Sides(top: true, right: hasRight, bottom: true, left: hasLeft))
        var whole = PaintedBox(
            outer: borderBox(fragment.rect, style), border: resolvedBorders(style.box.border, deviceScale: scale),
            padding: resolvedPadding(style.box.padding, base: .zero))
        var box = whole
        for side in 0..<4 where !has[clockwise: side] {
            (box.border[clockwise: side], box.padding[clockwise: side]) = (.zero, .zero)
        }
        if !has.left || !has.top { box.outer.radii.topLeft = .zero }
        if !has.left || !has.bottom { box.outer.radii.bottomLeft = .zero }
        if !has.right || !has.top { box.outer.radii.topRight = .zero }
        if !has.right || !has.bottom { box.outer.radii.bottomRight = .zero }
        if let unbroken { whole.outer = borderBox(unbroken, style) }
        paintDecorations(style, box, unbroken: unbroken == nil ? nil : whole)
    }

    private mutating func paintDecorations(
        _ style: ComputedStyle, _ box: PaintedBox, unbroken: PaintedBox? = nil, paintsBackground: Bool = true,
        paintsBorder: Bool = true
    ) {
        let (outer, rect, border) = (box.outer, box.outer.rect, box.border)
        let isPixelated = style.text.pixelatesImages
        for shadow in style.box.boxShadows.reversed() where !shadow.inset && shadow.color.alpha > 0 {
            add(.boxShadow(outer, shadow))
        }
        if paintsBackground {
            // A box's background images blend with each other and with its colour only (Compositing 1 §3.3).
            let blends = style.box.backgroundLayers.contains { $0.blendMode != .normal }
            if blends { add(.pushLayer(LayerItem())) }
            // Under a round opaque border it ends in the middle, as in browsers: at the edge both would be antialiased.
            let hidesEdge = style.box.border.clockwise.allSatisfy { side in
                side.width > 0 && side.color.alpha == 255 && ![.dotted, .dashed, .double].contains(side.style)
            }
            var shown = box
            if hidesEdge, !outer.isRectangle, !isOfCells, style.box.$borderImage {
                shown.outer = outer.inset(by: border.map { $0 / 2 })
            }
            func area(_ clip: BackgroundBox) -> RoundedRect? { (clip == .borderBox ? shown : box).area(of: clip) }
            if style.box.backgroundColor.alpha > 0, let area = area(style.box.backgroundClip) {
                add(.fill(area, .color(style.box.backgroundColor)))
            }
            let hidden = blends ? nil : hidingLayer(style, box)
            let affordable = affordableLayers(style, area: outer.rect)
            for (index, layer) in style.box.backgroundLayers.enumerated().reversed() where layer.clip != .text {
                // Layers below an opaque layer are invisible.
                if let hidden, index > hidden { continue }
                if index >= affordable {
                    list.omittedLayers += 1
                    continue
                }
                guard var clip = area(layer.clip),
                    var origin = (unbroken ?? box).area(of: layer.origin == .text ? .paddingBox : layer.origin)
                else { continue }
                if layer.attachment == .local, !style.box.overflowY.leavesContents {
                    origin = box.paddingBox
                    origin.rect.height += box.hiddenHeight
                    if layer.clip == .borderBox { clip = box.paddingBox }
                }
                if layer.blendMode != .normal { add(.pushLayer(LayerItem(composite: .blend(layer.blendMode)))) }
                paintLayer(layer, area: origin.rect, clip: clip, of: style)
                if layer.blendMode != .normal { add(.pop) }
            }
            if blends { add(.pop) }
        }
        for shadow in style.box.boxShadows.reversed() where shadow.inset && shadow.color.alpha > 0 {
            add(.boxShadow(box.paddingBox, shadow))
        }
        // An image replaces the border.
        if paintsBorder, !paintBorderImage(style, outer: outer, border: border, isPixelated: isPixelated),
            border != Edges()
        {
            let sides = Sides { side in
                var used = style.box.border[clockwise: side]
                // In a terminal all lines are one cell wide. The computed width is kept there, to choose heavy or light lines.
                if !isOfCells || border[clockwise: side] == .zero { used.width = border[clockwise: side].float }
                return used
            }
            add(.border(BorderItem(outer: outer, sides: sides)))
        }
        if style.box.outlineWidth > 0, style.box.outlineStyle.isDrawn {
            let side = BorderSide(
                width: max(1, style.box.outlineWidth.rounded(.down)), style: style.box.outlineStyle,
                color: style.box.outlineColor)
            let grow = side.width + style.box.outlineOffset
            // The ring never becomes smaller than its two sides (CSS UI 4 §3.4).
            let (growX, growY) = (max(grow, side.width - rect.width / 2), max(grow, side.width - rect.height / 2))
            let ring = Rect(
                x: rect.x - growX, y: rect.y - growY, width: rect.width + growX * 2, height: rect.height + growY * 2)
            let radii = outer.radii.map { radius in
                radius.width <= 0 || radius.height <= 0
                    ? .zero : Size(width: max(0, radius.width + grow), height: max(0, radius.height + grow))
            }
            add(.border(BorderItem(outer: RoundedRect(rect: ring, radii: radii), sides: Sides(side))))
        }
    }

    /// The maximum cost of one box's gradients, in pixels of a linear gradient: one or two seconds.
    private static let layerBudget: Float = 250_000_000

    /// The number of background layers, from the topmost on, whose cost is within the budget.
    private func affordableLayers(_ style: ComputedStyle, area: Rect) -> Int {
        guard style.box.backgroundLayers.count > 64 else { return style.box.backgroundLayers.count }
        let pixels =
            max(0, min(area.width, list.size.width)) * max(0, min(area.height, list.size.height)) * scale * scale
        var cost: Float = 0
        for (index, layer) in style.box.backgroundLayers.enumerated() {
            if case .gradient(let gradient) = layer.image {
                // The measured cost per pixel, relative to a linear gradient.
                switch gradient.shape {
                case .linear, .linearTo: cost += pixels
                case .radial: cost += 2 * pixels
                case .conic: cost += 6 * pixels
                }
            }
            if cost > Self.layerBudget { return max(64, index) }
        }
        return style.box.backgroundLayers.count
    }

    /// The first layer that hides all below it: an opaque gradient over the border box. Antialiased corners would mix in others.
    private func hidingLayer(_ style: ComputedStyle, _ box: PaintedBox) -> Int? {
        guard style.box.backgroundLayers.count > 2 else { return nil }
        return style.box.backgroundLayers.firstIndex { layer in
            guard case .gradient(let gradient) = layer.image, layer.clip == .borderBox, layer.size == .size(nil, nil),
                layer.repeats.x != .noRepeat || layer.position.x == .zero && box.border == Edges(),
                layer.repeats.y != .noRepeat || layer.position.y == .zero && box.border == Edges()
            else { return false }
            return box.outer.isRectangle && gradient.stops.allSatisfy { $0.isHint || $0.color.alpha == 255 }
        }
    }

    /// The clip of `overflow`; of a box that breaks divide, the clips of all parts, until there are too many of them.
    mutating func clipItem(_ index: Int) -> DisplayItem {
        let fragment = tree.boxes[index]
        let style = computedStyle(fragment.style)
        let isContained = style.containment.contains(.paint)
        let clipsBoth = isContained || style.box.overflowX != .visible && style.box.overflowY != .visible
        guard fragment.parts.count > 1, clipsBoth, clipParts + fragment.parts.count <= Self.mostClipParts
        else { return .pushClip(clipShape(fragment)) }
        clipParts += fragment.parts.count
        let shape = tree.parts(of: fragment).reduce(into: Path()) { $0.append(Path(clipShape($1))) }
        return .pushClipPath(shape, isEvenOdd: false)
    }

    /// The most parts of clips in a list: each layer in a box repeats those of the box.
    private static let mostClipParts = 50_000

    /// The padding box of a fragment, or another box with a margin around it (CSS Overflow 3 §3.2).
    private func clipShape(_ fragment: BoxFragment) -> RoundedRect {
        let style = computedStyle(fragment.style)
        let isContained = style.containment.contains(.paint)
        let outer = borderBox(fragment.rect, style)
        // Collapsed borders are contents.
        var shape = fragment.kind == .table && !fragment.paintsBorder ? outer : outer.inset(by: fragment.border)
        if isContained || style.box.overflowX == .clip || style.box.overflowY == .clip,
            style.box.overflowClipMargin != ClipMargin()
        {
            switch style.box.overflowClipMargin.box {
            case .borderBox: shape = outer
            case .paddingBox, .text: break
            case .contentBox: shape = shape.inset(by: fragment.padding)
            }
            shape = shape.outset(by: style.box.overflowClipMargin.distance)
        }
        // The legend is outside of the clipped contents (HTML §15.3.13).
        if fragment.legend >= 0 {
            shape.rect = shape.rect.insetBy(
                left: 0, top: min(0, snap(tree.boxes[fragment.legend].rect).y - shape.rect.y), right: 0, bottom: 0)
        }
        // An axis without clipping is extended far beyond the picture; alternative text stays in its box.
        let far: Float = fragment.isMissing ? 0 : 16_777_216
        let farX = style.box.overflowX == .visible && !isContained ? far : 0
        let farY = style.box.overflowY == .visible && !isContained ? far : 0
        if farX == 0, farY == 0 { return shape }
        return RoundedRect(rect: shape.rect.insetBy(left: -farX, top: -farY, right: -farX, bottom: -farY))
    }

    func borderBox(_ rect: LayoutRect, _ style: ComputedStyle) -> RoundedRect {
        let rect = snap(rect)
        return RoundedRect(rect: rect, radii: cornerRadii(style.box.cornerRadii, rect))
    }

    func box(of fragment: BoxFragment, _ style: ComputedStyle) -> PaintedBox {
        let outer = borderBox(fragment.rect, style)
        let hidden = (fragment.automaticHeight - fragment.rect.height).nonNegative
        return PaintedBox(
            outer: outer, border: fragment.border, padding: fragment.padding, margin: fragment.margin,
            hiddenHeight: hidden.float)
    }

    /// Radii in pixels, scaled down together until they fit (CSS Backgrounds 3 §4.5).
    func cornerRadii(_ corners: [CornerRadius], _ rect: Rect) -> CornerRadii {
        guard corners.count == 4 else { return .zero }
        func size(_ radius: CornerRadius) -> Size {
            let (x, y) = (radius.x.resolved(against: rect.width), radius.y.resolved(against: rect.height))
            return x > 0 && y > 0 ? Size(width: x, height: y) : .zero
        }
        var radii = CornerRadii(
            topLeft: size(corners[0]), topRight: size(corners[1]), bottomRight: size(corners[2]),
            bottomLeft: size(corners[3]))
        for corner in 0..<4 { radii.curvatures[corner] = corners[corner].curvature }
        return RoundedRect(rect: rect, radii: radii).fitted.radii
    }

    // MARK: Pictures

    private mutating func paintReplaced(_ fragment: BoxFragment, _ style: ComputedStyle, _ outer: RoundedRect) {
        guard text.boxes.indices.contains(fragment.box), text.boxes[fragment.box].replaced >= 0 else { return }
        let content = outer.inset(by: fragment.border + fragment.padding)
        let isLambda = fragment.kind == .lambda
        let replaced = text.replaced[text.boxes[fragment.box].replaced]
        if fragment.isMissing { return paintMissing(replaced.fallback, in: content) }
        var (source, area) = (replaced.source, content)
        var target = area.rect
        if replaced.isOwnPicture {
            let zoom = style.box.zoom
            let size = Size(width: target.width / zoom, height: target.height / zoom)
            var shown = Rect(size)
            if style.box.overflowX == .visible {
                // The picture is extended by its own size, within limits, because only its painting tells how much is outside.
                let (x, y) = (min(size.width, 256), min(size.height, 256))
                shown = shown.insetBy(left: -x, top: -y, right: -x, bottom: -y)
                target = target.insetBy(left: -x * zoom, top: -y * zoom, right: -x * zoom, bottom: -y * zoom)
                area = RoundedRect(rect: target)
            }
            source = replaced.source(showing: shown, ofBox: size)
        } else if !isLambda,
            let natural = images.naturalDimensions(of: source, isLambda: false)?.atDensity(
                replaced.density / style.box.zoom)
        {
            let whole = target.size
            let own = natural.size(default: whole)
            let fitting = natural.contained(in: whole)
            let size =
                switch style.box.objectFit {
                case .fill: whole
                case .contain: fitting
                case .cover: natural.covering(whole)
                case .none: own
                case .scaleDown: own.width <= fitting.width ? own : fitting
                }
            target = Rect(
                x: target.x + style.box.objectPosition.x.resolved(against: target.width - size.width),
                y: target.y + style.box.objectPosition.y.resolved(against: target.height - size.height),
                width: size.width, height: size.height)
        }
        var item = ImageItem(
            source: source, isLambda: isLambda, rect: target, clip: area, isPixelated: style.text.pixelatesImages)
        if list.text != nil {
            let link = text.boxes[fragment.box].link
            item.part = DocumentPart(box: fragment.box, link: link)
            noteItem(ofLink: link)
        }
        add(.image(item))
    }

    // MARK: Markers and tables

    private mutating func paintMarker(_ fragment: BoxFragment, _ style: ComputedStyle) {
        guard text.boxes.indices.contains(fragment.box), text.boxes[fragment.box].marker >= 0 else { return }
        let marker = text.markers[text.boxes[fragment.box].marker]
        let rect = snap(fragment.rect)
        let color = style.text.fillColor ?? style.text.color
        if case .url(let source)? = marker.image, images.intrinsicSize(of: source, isLambda: false) != nil {
            add(.image(ImageItem(source: source, rect: rect, clip: RoundedRect(rect: rect))))
            return
        }
        if case .gradient(let gradient)? = marker.image {
            add(.fill(RoundedRect(rect: rect), .gradient(gradient, box: rect)))
            return
        }
        guard let shape = marker.shape else { return }
        let half = Size(width: rect.width / 2, height: rect.height / 2)
        switch shape {
        case .square: add(.fill(RoundedRect(rect: rect), .color(color)))
        case .disc: add(.fill(RoundedRect(rect: rect, radii: CornerRadii(all: half)), .color(color)))
        case .circle:
            add(.border(BorderItem(line: color, around: RoundedRect(rect: rect, radii: CornerRadii(all: half)))))
        case .disclosureOpen, .disclosureClosed:
            // An open one points across the lines, a closed one along them (CSS Counter Styles 3 §6.3).
            let (axes, isOpen) = (fragment.axes, shape == .disclosureOpen)
            let isBackward = isOpen ? axes.invertsLines : style.text.direction == .rtl
            let rect = axes.alongLine(rect)
            var (back, tip) = (Point(x: rect.x, y: rect.y), Point(x: rect.maxX, y: rect.maxY))
            if isBackward { swap(&back, &tip) }
            let points =
                isOpen
                ? [(rect.x, back.y), (rect.maxX, back.y), (rect.x + rect.width / 2, tip.y)]
                : [(back.x, rect.y), (tip.x, rect.y + rect.height / 2), (back.x, rect.maxY)]
            add(
                .path(Path(polygon: points.map { Point(x: $0.0, y: $0.1) }), .color(color)), turned: axes.pageTransform)
        }
    }

    mutating func paintCollapsedBorders(_ table: Int) {
        guard computedStyle(tree.boxes[table].style).text.visibility == .visible else { return }
        if isOfCells { return add(.cells(.tableLines(table))) }
        for border in tree.boxes[table].collapsedBorders {
            let bar = tree.collapsedBorders[border]
            var sides = Sides<BorderSide>(BorderSide())
            let rect = snap(bar.rect)
            var side = bar.side
            side.width = bar.isHorizontal ? rect.height : rect.width
            if bar.isHorizontal { sides.top = side } else { sides.left = side }
            add(.border(BorderItem(outer: RoundedRect(rect: rect), sides: sides)))
        }
    }

    /// A frame and a broken-image icon in place of a picture (HTML §15.4.3). Layout makes a line of the alternative text.
    mutating func paintMissing(_ fallback: ImageFallback, in content: RoundedRect) {
        switch fallback {
        case .nothing, .room: return
        case .frame(let hasIcon):
            add(.border(BorderItem(line: Color(red: 192, green: 192, blue: 192), around: content)))
            if !hasIcon { return }
        case .text: break
        }
        add(.pushClip(content))
        let (corner, place) = (content.rect, fallback.iconPlace)
        for (outline, color) in Self.tornPicture {
            let points = outline.map { Point(x: corner.x + place.x + $0.0, y: corner.y + place.y + $0.1) }
            add(.path(Path(polygon: points), .color(color)))
        }
        add(.pop)
    }

    /// The broken-image icon: a sheet with a folded corner and a landscape, torn at the lower right; 16 × 16.
    private static let tornPicture: [(outline: [(Float, Float)], color: Color)] = [
        // The sky, a cloud and the hills.
        ([(1, 1), (10, 1), (10, 6), (15, 6), (15, 10), (8, 15), (1, 15)], Color(red: 205, green: 220, blue: 247)),
        ([(2, 9), (2, 7), (3, 6), (4, 5), (6, 5), (8, 7), (8, 9)], .white),
        ([(1, 15), (4, 11), (6, 10), (8, 10), (11, 12), (8, 15)], hill),
        ([(11, 15), (14, 12.5), (15, 14), (15, 15)], hill),
        // The edges of the sheet on both sides of the tear.
        ([(0, 0), (10, 0), (11, 1), (1, 1), (1, 15), (7, 15), (6, 16), (0, 16)], edge),
        ([(10, 16), (11, 15), (15, 15), (15, 14), (16, 14), (16, 16)], edge),
        // The folded corner.
        ([(10, 0), (16, 5), (16, 11), (15, 11), (15, 6), (10, 6)], edge),
        ([(11, 2), (14, 5), (11, 5)], .white),
    ]
    private static let edge = Color(red: 150, green: 150, blue: 150)
    private static let hill = Color(red: 88, green: 172, blue: 58)
}
