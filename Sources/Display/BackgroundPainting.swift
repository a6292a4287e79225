// Layers of backgrounds (CSS Backgrounds 3 §2.3–2.8), once or as tiles, and border images (§6): the image is divided into nine parts;
// a transform fits each into its part of the border. Parts of an inline box on several lines show parts of one background.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextLayout
import FancyTextPainting

extension DisplayListBuilder {
    mutating func paintLayer(_ layer: BackgroundLayer, area: Rect, clip: RoundedRect, of style: ComputedStyle) {
        let area = layer.attachment == .fixed ? Rect(tree.size) : area
        guard !clip.rect.isEmpty else { return }
        var natural = NaturalDimensions(width: nil, height: nil)
        if case .url(let source) = layer.image {
            guard let dimensions = images.naturalDimensions(of: source, isLambda: false) else { return }
            natural = dimensions.atDensity(1 / style.box.zoom)
        }
        let size = backgroundSize(layer.size, area: area, natural: natural)
        guard let across = tiles(layer.repeats.x, size.width, at: layer.position.x, from: area.x, area.width),
            let down = tiles(layer.repeats.y, size.height, at: layer.position.y, from: area.y, area.height)
        else { return }
        var tile = Rect(x: across.start, y: down.start, width: across.length, height: down.length)
        var step = Size(width: across.step, height: down.step)
        let (repeatsX, repeatsY) = (across.repeats, down.repeats)
        var shape = clip
        func limit(_ area: Rect) {
            let rect = shape.rect.intersection(area)
            shape = RoundedRect(rect: rect, radii: rect == shape.rect ? shape.radii : .zero)
        }
        if !repeatsX { limit(Rect(x: tile.x, y: clip.rect.y, width: tile.width, height: clip.rect.height)) }
        if !repeatsY { limit(Rect(x: shape.rect.x, y: tile.y, width: shape.rect.width, height: tile.height)) }
        guard !shape.rect.isEmpty else { return }
        let isCut = shape.radii != clip.radii
        if isCut { add(.pushClip(clip)) }
        switch layer.image {
        case .url(let source):
            let (step, isPixelated) = (repeatsX || repeatsY ? step : nil, style.text.pixelatesImages)
            add(.image(ImageItem(source: source, rect: tile, clip: shape, tile: step, isPixelated: isPixelated)))
        case .gradient(let gradient):
            if tile.contains(clip.rect) || !repeatsX && !repeatsY {
                add(.fill(shape, .gradient(gradient, box: tile)))
            } else {
                // Tiles much smaller than a pixel are enlarged, which makes no visible difference.
                let least = 1 / (16 * scale)
                (tile.width, tile.height) = (max(tile.width, least), max(tile.height, least))
                (step.width, step.height) = (max(step.width, least), max(step.height, least))
                add(.fill(shape, .tiles(gradient, box: tile, step: step)))
            }
        }
        if isCut { add(.pop) }
    }

    /// The first tile along an axis, the step to the next, and whether there are several (CSS Backgrounds 3 §3.4); `nil` if empty.
    private func tiles(
        _ tiling: BackgroundRepeat, _ size: Float, at position: LengthPercentage, from start: Float, _ area: Float
    ) -> (start: Float, length: Float, step: Float, repeats: Bool)? {
        let length = tiling == .round ? area / max(1, (area / size).rounded()) : size
        guard length > 0 else { return nil }
        let count = (area / length).rounded(.down)
        if tiling == .space, count >= 2 {
            return (start, length, length + (area - length * count) / (count - 1), true)
        }
        let repeats = tiling == .repeat || tiling == .round
        // A copy that is not shown is far enough away not to be mixed in at the edges of a rotated picture.
        return (start + position.resolved(against: area - length), length, repeats ? length : 2 * length, repeats)
    }

    private func backgroundSize(_ size: BackgroundSize, area: Rect, natural: NaturalDimensions) -> Size {
        switch size {
        case .cover: natural.covering(area.size)
        case .contain: natural.contained(in: area.size)
        case .size(let width, let height):
            natural.size(
                width: width.map { max(0, $0.resolved(against: area.width)) },
                height: height.map { max(0, $0.resolved(against: area.height)) }, default: area.size)
        }
    }

    /// Paints the border image, if there is one. Returns false if the border has to be painted by its styles instead.
    mutating func paintBorderImage(_ style: ComputedStyle, outer: RoundedRect, border: Edges, isPixelated: Bool) -> Bool
    {
        guard !style.box.$borderImage, case let style = style.box.borderImage, let source = style.source
        else { return false }
        let widths = border.map(\.float)
        func length(_ width: BorderImageStyle.Width, _ border: Float, _ base: Float, auto: Float) -> Float {
            switch width {
            case .length(let length): length.resolved(against: base)
            case .multiple(let factor): factor * border
            case .auto: auto
            }
        }
        let out = Sides { length(style.outset[clockwise: $0], widths[clockwise: $0], 0, auto: 0) }
        let area = outer.rect.insetBy(left: -out.left, top: -out.top, right: -out.right, bottom: -out.bottom)
        guard !area.isEmpty else { return true }
        let natural: Size
        switch source {
        case .url(let url):
            guard let size = images.intrinsicSize(of: url, isLambda: false), size.width > 0, size.height > 0
            else { return false }
            natural = size
        case .gradient: natural = area.size
        }
        let cut = Sides { side in
            let base = side % 2 == 0 ? natural.height : natural.width
            return max(0, min(base, style.slice[clockwise: side].resolved(against: base)))
        }
        var target = Sides { side in
            let base = side % 2 == 0 ? area.height : area.width
            return length(style.width[clockwise: side], widths[clockwise: side], base, auto: cut[clockwise: side])
        }
        // Opposite sides that together exceed the box shrink by the same factor.
        let share = min(
            1, area.width / max(1e-5, target.left + target.right), area.height / max(1e-5, target.top + target.bottom))
        target = target.map { $0 * share }
        // Parts adjoin on whole pixels.
        func snapped(_ edge: Float) -> Float { (edge * scale).rounded() / scale }
        let columns = [0, target.left, area.width - target.right, area.width].map { snapped(area.x + $0) }
        let rows = [0, target.top, area.height - target.bottom, area.height].map { snapped(area.y + $0) }
        // Opposite slices may overlap. There is nothing between them then, but both are whole.
        let (lastColumn, lastRow) = (natural.width - cut.right, natural.height - cut.bottom)
        let sourceColumns = [(0, cut.left), (cut.left, lastColumn), (lastColumn, natural.width)]
        let sourceRows = [(0, cut.top), (cut.top, lastRow), (lastRow, natural.height)]
        for row in 0..<3 {
            for column in 0..<3 where row != 1 || column != 1 || style.fillsMiddle {
                let ((left, right), (top, bottom)) = (sourceColumns[column], sourceRows[row])
                let part = Rect(x: left, y: top, width: right - left, height: bottom - top)
                let place = Rect(
                    x: columns[column], y: rows[row], width: columns[column + 1] - columns[column],
                    height: rows[row + 1] - rows[row])
                guard !part.isEmpty, !place.isEmpty else { continue }
                // Edges keep their proportions in the border's width. The middle is scaled like the top and left edges.
                var tile = place.size
                func factor(_ target: Float, _ cut: Float) -> Float { target > 0 && cut > 0 ? target / cut : 0 }
                if column == 1 {
                    let across = row == 2 ? factor(target.bottom, cut.bottom) : factor(target.top, cut.top)
                    tile.width = part.width * (across > 0 ? across : max(1, factor(target.bottom, cut.bottom)))
                }
                if row == 1 {
                    let along = column == 2 ? factor(target.right, cut.right) : factor(target.left, cut.left)
                    tile.height = part.height * (along > 0 ? along : max(1, factor(target.right, cut.right)))
                }
                // Corners are never repeated.
                let across = tiles(column == 1 ? style.repeatX : .stretch, tile.width, place.width)
                let along = tiles(row == 1 ? style.repeatY : .stretch, tile.height, place.height)
                guard borderTiles + along.count * across.count <= Self.mostBorderTiles else {
                    list.omittedLayers += 1
                    continue
                }
                borderTiles += along.count * across.count
                add(.pushClip(RoundedRect(rect: place)))
                for y in 0..<along.count {
                    for x in 0..<across.count {
                        let tile = Rect(
                            x: place.x + across.start + Float(x) * across.step,
                            y: place.y + along.start + Float(y) * along.step, width: across.size, height: along.size)
                        paintPart(source, natural, part, tile, isPixelated: isPixelated)
                    }
                }
                add(.pop)
            }
        }
        return true
    }

    /// The most border image parts in a list, each of which takes several items: a middle may need half a million tiles.
    private static let mostBorderTiles = 50_000

    private func tiles(
        _ tiling: BorderImageStyle.Tiling, _ size: Float, _ length: Float
    ) -> (size: Float, start: Float, step: Float, count: Int) {
        guard size > 0 else { return (length, 0, length, 1) }
        let most: Float = 500
        switch tiling {
        case .stretch: return (length, 0, length, 1)
        case .repeat:
            // One tile is centred.
            let count = min(most, ((length - size) / 2 / size).rounded(.up) * 2 + 1)
            return (size, (length - count * size) / 2, size, max(1, Int(bounded: count)))
        case .round:
            let count = max(1, min(most, (length / size).rounded()))
            return (length / count, 0, length / count, Int(bounded: count))
        case .space:
            let count = min(most, (length / size).rounded(.down))
            guard count >= 1 else { return (length, 0, length, 0) }
            let gap = (length - count * size) / (count + 1)
            return (size, gap, size + gap, Int(bounded: count))
        }
    }

    private mutating func paintPart(
        _ source: ImageSource, _ natural: Size, _ part: Rect, _ place: Rect, isPixelated: Bool
    ) {
        let (scaleX, scaleY) = (place.width / part.width, place.height / part.height)
        add(.pushClip(RoundedRect(rect: place)))
        add(
            .pushTransform(
                Transform(scaleX: scaleX, scaleY: scaleY, x: place.x - part.x * scaleX, y: place.y - part.y * scaleY)))
        let whole = Rect(natural)
        switch source {
        case .url(let url):
            let clip = RoundedRect(rect: part)
            add(.image(ImageItem(source: url, rect: whole, clip: clip, isPixelated: isPixelated, isSlice: true)))
        case .gradient(let gradient): add(.fill(RoundedRect(rect: part), .gradient(gradient, box: whole)))
        }
        add(.pop)
        add(.pop)
    }
}

/// The parts of inline boxes on several lines: for each part, the box as if it were on one line.
struct InlineSlices {
    /// By fragment: the length of the parts before it, and the index of the box's length.
    private var places: [Int: (before: LayoutUnit, box: Int)] = [:]
    private var lengths: [LayoutUnit] = []

    init(_ tree: LayoutTree) {
        var open: [StackingContexts.InlineKey: Int] = [:]
        for line in tree.lines {
            let isVertical = tree.boxes[line.container].axes.isVertical
            for index in line.fragments {
                let fragment = tree.inlines[index]
                guard fragment.kind == .box, !(fragment.hasStartEdge && fragment.hasEndEdge) else { continue }
                let key = StackingContexts.InlineKey(element: fragment.element, style: fragment.style)
                // A box that is repeated, such as one in the head of a table on several pages, starts again.
                let box = fragment.hasStartEdge ? lengths.count : open[key] ?? lengths.count
                if box == lengths.count { lengths.append(.zero) }
                open[key] = box
                places[index] = (lengths[box], box)
                lengths[box] += isVertical ? fragment.rect.height : fragment.rect.width
            }
        }
    }

    /// The rectangle of the whole box around a fragment's part of it (`box-decoration-break: slice`, CSS Fragmentation 3 §5.4.1).
    func whole(_ index: Int, _ fragment: InlineFragment, isVertical: Bool, isRightToLeft: Bool) -> LayoutRect? {
        guard let place = places[index] else { return nil }
        var rect = fragment.rect
        let (length, own) = (lengths[place.box], isVertical ? rect.height : rect.width)
        let shift = isRightToLeft ? length - place.before - own : place.before
        if isVertical {
            (rect.y, rect.height) = (rect.y - shift, length)
        } else {
            (rect.x, rect.width) = (rect.x - shift, length)
        }
        return rect
    }
}
