// Layers of backgrounds in the display list (CSS Backgrounds 3 §2.3–2.8). In: a layer and its areas. Out: its picture or gradient,
// once or as tiles.

import FancyTextBasics
import FancyTextBoxes
import FancyTextLayout
import FancyTextStyling

extension DisplayListBuilder {
    /// One layer: the picture's size and place in `area`, repeated over `clip` (CSS Backgrounds 3 §2.3–2.8).
    mutating func paintLayer(_ layer: BackgroundLayer, area: Rect, clip: RoundedRect, isPixelated: Bool) {
        let area = layer.isFixed ? Rect(x: 0, y: 0, width: tree.size.width, height: tree.size.height) : area
        guard !clip.rect.isEmpty else { return }
        var natural = NaturalDimensions(width: nil, height: nil)
        if case .url(let source) = layer.image {
            guard let dimensions = images.naturalDimensions(of: source, isLambda: false) else { return }
            natural = dimensions
        }
        var size = backgroundSize(layer.size, area: area, natural: natural)
        if layer.repeatX == .round { size.width = area.width / max(1, (area.width / size.width).rounded()) }
        if layer.repeatY == .round { size.height = area.height / max(1, (area.height / size.height).rounded()) }
        guard size.width > 0, size.height > 0 else { return }
        var x = area.x + layer.position.x.resolved(against: area.width - size.width)
        var y = area.y + layer.position.y.resolved(against: area.height - size.height)
        var step = size
        if layer.repeatX == .space {
            let count = (area.width / size.width).rounded(.down)
            if count >= 2 {
                step.width = size.width + (area.width - size.width * count) / (count - 1)
                x = area.x
            }
        }
        if layer.repeatY == .space {
            let count = (area.height / size.height).rounded(.down)
            if count >= 2 {
                step.height = size.height + (area.height - size.height * count) / (count - 1)
                y = area.y
            }
        }
        let repeatsX = layer.repeatX != .noRepeat
        let repeatsY = layer.repeatY != .noRepeat
        // The next copy is far enough away not to be mixed in at the edges of a rotated picture.
        if !repeatsX { step.width = 2 * size.width }
        if !repeatsY { step.height = 2 * size.height }
        var shape = clip
        if !repeatsX { shape = limited(shape, left: x, right: x + size.width, top: nil, bottom: nil) }
        if !repeatsY { shape = limited(shape, left: nil, right: nil, top: y, bottom: y + size.height) }
        guard !shape.rect.isEmpty else { return }
        var tile = Rect(x: x, y: y, width: size.width, height: size.height)
        let isCut = shape.radii != clip.radii
        if isCut { list.items.append(.pushClip(clip)) }
        switch layer.image {
        case .url(let source):
            var item = ImageItem(source: source, rect: tile, clip: shape, tile: repeatsX || repeatsY ? step : nil)
            item.isPixelated = isPixelated
            list.items.append(.image(item))
        case .gradient(let gradient):
            let isWhole =
                x <= clip.rect.x && y <= clip.rect.y && tile.maxX >= clip.rect.maxX && tile.maxY >= clip.rect.maxY
            if isWhole || !repeatsX && !repeatsY {
                list.items.append(.fill(shape, .gradient(gradient, box: tile)))
            } else {
                // Tiles much smaller than a pixel are enlarged, which makes no visible difference.
                let least = 1 / (16 * scale)
                (tile.width, tile.height) = (max(tile.width, least), max(tile.height, least))
                (step.width, step.height) = (max(step.width, least), max(step.height, least))
                list.items.append(.fill(shape, .tiles(gradient, box: tile, step: step)))
            }
        }
        if isCut { list.items.append(.pop) }
    }

    private func limited(_ shape: RoundedRect, left: Float?, right: Float?, top: Float?, bottom: Float?) -> RoundedRect
    {
        let x = max(shape.rect.x, left ?? shape.rect.x)
        let y = max(shape.rect.y, top ?? shape.rect.y)
        let maxX = min(shape.rect.maxX, right ?? shape.rect.maxX)
        let maxY = min(shape.rect.maxY, bottom ?? shape.rect.maxY)
        let rect = Rect(x: x, y: y, width: max(0, maxX - x), height: max(0, maxY - y))
        return RoundedRect(rect: rect, radii: rect == shape.rect ? shape.radii : .zero)
    }

    private func backgroundSize(_ size: BackgroundSize, area: Rect, natural: NaturalDimensions) -> Size {
        let whole = Size(width: area.width, height: area.height)
        switch size {
        case .cover: return natural.covering(whole)
        case .contain: return natural.contained(in: whole)
        case .size(let width, let height):
            return natural.size(
                width: width.map { max(0, $0.resolved(against: area.width)) },
                height: height.map { max(0, $0.resolved(against: area.height)) }, default: whole)
        }
    }
}
