// Filters, blending, clipping and masking (Filter Effects 1, Filter Effects 2 §2, Compositing 1, CSS Masking 1).

func effectProperties() -> [Property] {
    [
        .value("filter", { $1(&$0.box.effects.filters) }) { $0.filters() },
        .value("backdrop-filter", { $1(&$0.box.effects.backdropFilters) }) { $0.filters() },
        .keywords("mix-blend-mode", { $1(&$0.box.effects.blendMode) }),
        .optional("clip-path", { $1(&$0.box.effects.clip) }, "none") { $0.clipShape() },
        // `rect()`, with commas everywhere or nowhere (CSS Masking 1 §9).
        .optional("clip", { $1(&$0.box.effects.rectangle) }, "auto") {
            $0.function("rect") { cursor in
                var (sides, commas) = ([] as [Float?], 0)
                while sides.count < 4, let side = cursor.optional("auto", { $0.length() }) {
                    sides.append(side)
                    if sides.count < 4, cursor.comma() { commas += 1 }
                }
                return sides.count < 4 || commas % 3 > 0 ? nil : Sides { sides[$0] }
            }
        },
        .list("mask-image", { $1(&$0.box.mask.images) }) { $0.backgroundImage() },
        .list("mask-position", { $1(&$0.box.mask.positions) }) { $0.position() },
        .list("mask-size", { $1(&$0.box.mask.sizes) }) { $0.backgroundSize() },
        .list("mask-repeat", { $1(&$0.box.mask.repeats) }) { $0.backgroundRepeat() },
        .list("mask-origin", { $1(&$0.box.mask.origins) }) { $0.geometryBox() },
        .list("mask-clip", { $1(&$0.box.mask.clips) }) { $0.optional("no-clip") { $0.geometryBox() } },
        .list("mask-composite", { $1(&$0.box.mask.composites) }) { $0.keyword() },
        .list("mask-mode", { $1(&$0.box.mask.modes) }) { $0.keyword() },
        // The older prefixed property has names of its own for the operators of Porter and Duff.
        .list("-webkit-mask-composite", { $1(&$0.box.mask.composites) }) {
            $0.keyword()
                ?? $0.keyword([
                    ("source-over", .add), ("source-out", .subtract), ("source-in", .intersect), ("xor", .exclude),
                ])
        },
        .whole(
            "mask", names("mask-", "image position size repeat origin clip composite mode"), { $1(&$0.box.mask) }
        ) { $0.mask() },
    ]
}

private struct MaskParts {
    /// The inner `nil` of `clip` is `no-clip`.
    var shared = LayerParts<ReferenceBox>()
    var composite: MaskComposite?
    var mode: MaskMode?
}

extension ValueCursor {
    fileprivate mutating func filters() -> [FilterFunction]? {
        if keyword("none") { return [] }
        return some { cursor in
            if let url = cursor.url() { return .reference(String(url.drop { $0 == "#" })) }
            return cursor.anyFunction { $0.filter($1) }
        }
    }

    private mutating func filter(_ name: String) -> FilterFunction? {
        /// The amount of an effect; without an argument, the whole effect.
        func amount(_ most: Double = .infinity) -> Float? {
            if isAtEnd { return 1 }
            return numberOrPercentage(atLeast: 0).map { Self.clamped(min($0, most)) }
        }
        switch name {
        case "blur": return isAtEnd ? .blur(0) : length(atLeast: 0).map { .blur($0) }
        case "brightness": return amount().map { .brightness($0) }
        case "contrast": return amount().map { .contrast($0) }
        case "grayscale": return amount(1).map { .grayscale($0) }
        case "hue-rotate": return isAtEnd ? .hueRotate(0) : angle(unitlessZero: true).map { .hueRotate(Float($0)) }
        case "invert": return amount(1).map { .invert($0) }
        case "opacity": return amount(1).map { .opacity($0) }
        case "saturate": return amount().map { .saturate($0) }
        case "sepia": return amount(1).map { .sepia($0) }
        case "drop-shadow":
            guard let (shadows, current) = shadows(ofBox: false), shadows.count == 1 else { return nil }
            return .dropShadow(shadows[0], isCurrentColor: current[0])
        default: return nil
        }
    }

    /// - Parameter standard: the reference box of a shape without one.
    mutating func clipShape(standard: ReferenceBox = .borderBox) -> ClipShape? {
        if let url = url() { return ClipShape(reference: String(url.drop { $0 == "#" })) }
        var (box, shape): (ReferenceBox?, BasicShape?)
        let isRead = anyOrder { $0.once(&box, { $0.geometryBox() }) || $0.once(&shape, { $0.basicShape() }) }
        return isRead ? ClipShape(shape: shape, box: box ?? standard) : nil
    }

    /// A reference box; SVG's boxes map to the nearest CSS box (CSS Masking 1 §5.1).
    fileprivate mutating func geometryBox() -> ReferenceBox? {
        keyword() ?? keyword([("fill-box", .contentBox), ("stroke-box", .borderBox)])
    }

    /// The whole shorthand; each part of a layer occurs at most once (CSS Masking 1 §7.10).
    fileprivate mutating func mask() -> MaskStyle? {
        let layers = layers(MaskParts()) { cursor, layer in
            layer.shared.read(&cursor) || cursor.once(&layer.shared.origin, { $0.geometryBox() })
                || cursor.once(&layer.shared.clip, { $0.optional("no-clip") { $0.geometryBox() } })
                || cursor.once(&layer.composite, { $0.keyword() }) || cursor.once(&layer.mode, { $0.keyword() })
        }
        guard let layers else { return nil }
        let parts = layers.map(\.shared)
        var result = MaskStyle()
        result.images = parts.map { $0.image ?? nil }
        result.positions = parts.map { $0.place?.position ?? Gradient.Position(x: .zero, y: .zero) }
        result.sizes = parts.map { $0.place?.size ?? .size(nil, nil) }
        result.repeats = parts.map { $0.repeats ?? LayerRepeats() }
        result.origins = parts.map { $0.origin ?? .borderBox }
        result.clips = parts.map { $0.clip ?? $0.origin ?? .borderBox }
        result.composites = layers.map { $0.composite ?? .add }
        result.modes = layers.map { $0.mode ?? .matchSource }
        return result
    }
}
