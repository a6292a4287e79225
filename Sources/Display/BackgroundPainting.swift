// Layers of backgrounds (CSS Backgrounds 3 §2.3–2.8). In: a layer and its areas. Out: its picture or gradient, once or as tiles.

import FancyTextBasics
import FancyTextBoxes
import FancyTextPainting
import FancyTextStyling

extension DisplayListBuilder {
    mutating func paintLayer(_ layer: BackgroundLayer, area: Rect, clip: RoundedRect, isPixelated: Bool) {
        let area = layer.isFixed ? Rect(tree.size) : area
        guard !clip.rect.isEmpty else { return }
        var natural = NaturalDimensions(width: nil, height: nil)
        if case .url(let source) = layer.image {
            guard let dimensions = images.naturalDimensions(of: source, isLambda: false) else { return }
            natural = dimensions
        }
        let size = backgroundSize(layer.size, area: area, natural: natural)
        guard let across = tiles(layer.repeatX, size.width, at: layer.position.x, from: area.x, area.width),
            let down = tiles(layer.repeatY, size.height, at: layer.position.y, from: area.y, area.height)
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
            let step = repeatsX || repeatsY ? step : nil
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
}
