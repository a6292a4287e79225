// Clipping and masking (CSS Masking 1).

func maskProperties() -> [Property] {
    [
        .value("clip-path", { $1(&$0.box.effects.clip) }) { $0.optional("none") { $0.clipShape() } },
        .value("clip", { $1(&$0.box.effects.rectangle) }) { $0.optional("auto") { $0.clipRectangle() } },
        .value("mask-image", { $1(&$0.box.mask.images) }) { $0.commaList { $0.backgroundImage() } },
        .value("mask-position", { $1(&$0.box.mask.positions) }) { $0.commaList { $0.position() } },
        .value("mask-size", { $1(&$0.box.mask.sizes) }) { $0.commaList { $0.backgroundSize() } },
        .value("mask-repeat", { $1(&$0.box.mask.repeats) }) { $0.commaList { $0.backgroundRepeat() } },
        .value("mask-origin", { $1(&$0.box.mask.origins) }) { $0.commaList { $0.keyword(geometryBoxes) } },
        .value("mask-clip", { $1(&$0.box.mask.clips) }) {
            $0.commaList { $0.optional("no-clip") { $0.keyword(geometryBoxes) } }
        },
        .value("mask-composite", { $1(&$0.box.mask.composites) }) { $0.commaList { $0.keyword(maskComposites) } },
        .value("mask-mode", { $1(&$0.box.mask.usesLuminance) }) { $0.commaList { $0.keyword(maskModes) } },
        // The older prefixed property has names of its own for the operators of Porter and Duff.
        .value("-webkit-mask-composite", { $1(&$0.box.mask.composites) }) {
            $0.commaList { $0.keyword(maskComposites + prefixedComposites) }
        },
        .whole("mask", maskLonghands, { $1(&$0.box.mask) }) { $0.mask() },
    ]
}

private let maskLonghands: [String] = [
    "mask-image", "mask-position", "mask-size", "mask-repeat", "mask-origin", "mask-clip", "mask-composite",
    "mask-mode",
]
let geometryBoxes: [(StaticString, ReferenceBox)] = [
    ("border-box", .borderBox), ("padding-box", .paddingBox), ("content-box", .contentBox),
    ("margin-box", .marginBox), ("fill-box", .contentBox), ("stroke-box", .borderBox), ("view-box", .borderBox),
]
private let maskComposites: [(StaticString, MaskComposite)] = [
    ("add", .add), ("subtract", .subtract), ("intersect", .intersect), ("exclude", .exclude),
]
private let prefixedComposites: [(StaticString, MaskComposite)] = [
    ("source-over", .add), ("source-out", .subtract), ("source-in", .intersect), ("xor", .exclude),
]
/// `match-source` of an image means its alpha.
private let maskModes: [(StaticString, Bool)] = [("alpha", false), ("luminance", true), ("match-source", false)]

extension ValueCursor {
    /// - Parameter standard: the reference box of a shape without one.
    mutating func clipShape(standard: ReferenceBox = .borderBox) -> ClipShape? {
        if let url = url() { return ClipShape(reference: String(url.drop { $0 == "#" })) }
        var box: ReferenceBox?
        var shape: BasicShape?
        while once(&box, { $0.keyword(geometryBoxes) }) || once(&shape, { $0.basicShape() }) {}
        guard box != nil || shape != nil else { return nil }
        return ClipShape(shape: shape, box: box ?? standard)
    }

    /// `rect()`, with or without commas (CSS Masking 1 §9).
    fileprivate mutating func clipRectangle() -> Sides<Float?>? {
        guard isFunction("rect") else { return nil }
        return arguments { cursor in
            var sides: [Float?] = []
            while sides.count < 4 {
                guard let side = cursor.optional("auto", { $0.length() }) else { return nil }
                sides.append(side)
                _ = cursor.comma()
            }
            return Sides(top: sides[0], right: sides[1], bottom: sides[2], left: sides[3])
        }
    }

    /// The whole shorthand; each part of a layer occurs at most once (CSS Masking 1 §7.10).
    fileprivate mutating func mask() -> MaskStyle? {
        var result = MaskStyle()
        (result.images, result.positions, result.sizes, result.repeats) = ([], [], [], [])
        (result.origins, result.clips, result.composites, result.usesLuminance) = ([], [], [], [])
        repeat {
            var image: ImageSource??
            var position: Gradient.Position?
            var size = BackgroundSize.size(nil, nil)
            var repeats: LayerRepeats?
            var origin: ReferenceBox?
            var clip: ReferenceBox??
            var composite: MaskComposite?
            var usesLuminance: Bool?
            let start = index
            while let token, token.kind != .comma {
                if once(&image, { $0.backgroundImage() }) || once(&repeats, { $0.backgroundRepeat() })
                    || once(&origin, { $0.keyword(geometryBoxes) })
                    || once(&clip, { $0.optional("no-clip") { $0.keyword(geometryBoxes) } })
                    || once(&composite, { $0.keyword(maskComposites) })
                    || once(&usesLuminance, { $0.keyword(maskModes) })
                {
                    continue
                }
                guard once(&position, { $0.position() }) else { return nil }
                guard slash() else { continue }
                guard let value = backgroundSize() else { return nil }
                size = value
            }
            guard index > start else { return nil }
            result.images.append(image ?? nil)
            result.positions.append(position ?? Gradient.Position(x: .zero, y: .zero))
            result.sizes.append(size)
            result.repeats.append(repeats ?? LayerRepeats())
            result.origins.append(origin ?? .borderBox)
            result.clips.append(clip ?? origin ?? .borderBox)
            result.composites.append(composite ?? .add)
            result.usesLuminance.append(usesLuminance ?? false)
        } while comma()
        return result
    }
}
