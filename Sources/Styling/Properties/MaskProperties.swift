// Clipping and masking (CSS Masking 1).

func maskProperties() -> [Property] {
    let longhands: [Property] = [
        .value(
            "clip-path", "none | [ <basic-shape> || <geometry-box> ]",
            StyleField({ $0.box.effects.clip }, { $0.box.effects.clip = $1 })
        ) { $0.keyword("none") ? .some(nil) : $0.clipShape().map { .some($0) } },
        .alias("-webkit-clip-path", of: "clip-path"),
        .value(
            "clip", "auto | rect( [ <length> | auto ]{4} )",
            StyleField({ $0.box.effects.rectangle }, { $0.box.effects.rectangle = $1 })
        ) { $0.keyword("auto") ? .some(nil) : $0.clipRectangle().map { .some($0) } },
        .value(
            "mask-image", "[ none | <image> ]#",
            StyleField({ $0.box.mask.images }, { $0.box.mask.images = $1 })
        ) { $0.commaList { $0.backgroundImage() } },
        .value(
            "mask-position", "<position>#",
            StyleField({ $0.box.mask.positions }, { $0.box.mask.positions = $1 })
        ) { $0.commaList { $0.position() } },
        .value(
            "mask-size", "[ cover | contain | [ auto | <length-percentage [0,∞]> ]{1,2} ]#",
            StyleField({ $0.box.mask.sizes }, { $0.box.mask.sizes = $1 })
        ) { $0.commaList { $0.backgroundSize() } },
        .value(
            "mask-repeat", "[ repeat-x | repeat-y | [ repeat | space | round | no-repeat ]{1,2} ]#",
            StyleField({ $0.box.mask.repeats }, { $0.box.mask.repeats = $1 })
        ) { $0.commaList { $0.maskRepeat() } },
        .value(
            "mask-origin", "[ \(geometryBoxNames) ]#",
            StyleField({ $0.box.mask.origins }, { $0.box.mask.origins = $1 })
        ) { $0.commaList { $0.keyword(geometryBoxes) } },
        .value(
            "mask-clip", "[ \(geometryBoxNames) | no-clip ]#",
            StyleField({ $0.box.mask.clips }, { $0.box.mask.clips = $1 })
        ) { $0.commaList { $0.keyword("no-clip") ? .some(nil) : $0.keyword(geometryBoxes).map { .some($0) } } },
        .value(
            "mask-composite", "[ add | subtract | intersect | exclude ]#",
            StyleField({ $0.box.mask.composites }, { $0.box.mask.composites = $1 })
        ) { $0.commaList { $0.keyword(maskComposites) } },
        .value(
            "mask-mode", "[ alpha | luminance | match-source ]#",
            StyleField({ $0.box.mask.usesLuminance }, { $0.box.mask.usesLuminance = $1 })
        ) { $0.commaList { $0.keyword(maskModes) } },
        // The older prefixed property has names of its own for the operators of Porter and Duff.
        .value(
            "-webkit-mask-composite", "[ source-over | source-in | source-out | xor | clear | copy | <custom-ident> ]#",
            StyleField({ $0.box.mask.composites }, { $0.box.mask.composites = $1 })
        ) { $0.commaList { $0.keyword(maskComposites + prefixedComposites) } },
        .shorthand(
            "mask", "<mask-layer>#", maskLonghands, read: { $0.mask() }, store: { $0.store($1, &$2) }),
    ]
    let prefixed: [Property] = [
        .alias("-webkit-mask", of: "mask"), .alias("-webkit-mask-image", of: "mask-image"),
        .alias("-webkit-mask-position", of: "mask-position"), .alias("-webkit-mask-size", of: "mask-size"),
        .alias("-webkit-mask-repeat", of: "mask-repeat"), .alias("-webkit-mask-origin", of: "mask-origin"),
        .alias("-webkit-mask-clip", of: "mask-clip"),
    ]
    return longhands + prefixed
}

private let maskLonghands: [StaticString] = [
    "mask-image", "mask-position", "mask-size", "mask-repeat", "mask-origin", "mask-clip", "mask-composite",
    "mask-mode",
]
private let geometryBoxNames =
    "border-box | padding-box | content-box | margin-box | fill-box | stroke-box | view-box"
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
    fileprivate mutating func clipShape() -> ClipShape? {
        var result = ClipShape()
        if let box = keyword(geometryBoxes) {
            result.box = box
            guard !isAtEnd else { return result }
            result.shape = basicShape()
            return result.shape == nil ? nil : result
        }
        guard let shape = basicShape() else { return nil }
        result.shape = shape
        if !isAtEnd {
            guard let box = keyword(geometryBoxes) else { return nil }
            result.box = box
        }
        return result
    }

    /// `rect()`, with or without commas (CSS Masking 1 §9).
    fileprivate mutating func clipRectangle() -> Sides<Float?>? {
        guard isFunction("rect") else { return nil }
        return arguments { cursor in
            var sides: [Float?] = []
            while sides.count < 4 {
                if cursor.keyword("auto") {
                    sides.append(nil)
                } else {
                    guard let length = cursor.length() else { return nil }
                    sides.append(length)
                }
                _ = cursor.comma()
            }
            return Sides(top: sides[0], right: sides[1], bottom: sides[2], left: sides[3])
        }
    }

    fileprivate mutating func maskRepeat() -> MaskStyle.Repeats? {
        backgroundRepeat().map { MaskStyle.Repeats(x: $0.x, y: $0.y) }
    }

    /// The whole shorthand; each part of a layer occurs at most once (CSS Masking 1 §7.10).
    fileprivate mutating func mask() -> MaskStyle? {
        var result = MaskStyle()
        var count = 0
        repeat {
            var image: ImageSource??
            var position: Gradient.Position?
            var size = BackgroundSize.size(nil, nil)
            var repeats: MaskStyle.Repeats?
            var origin: ReferenceBox?
            var clip: ReferenceBox??
            var composite: MaskComposite?
            var mode: Bool?
            var isEmpty = true
            while let token, token.kind != .comma {
                if image == nil, let value = backgroundImage() {
                    image = .some(value)
                } else if repeats == nil, let value = maskRepeat() {
                    repeats = value
                } else if clip == nil, keyword("no-clip") {
                    clip = .some(nil)
                } else if origin == nil, let box = keyword(geometryBoxes) {
                    origin = box
                } else if clip == nil, let box = keyword(geometryBoxes) {
                    clip = .some(box)
                } else if composite == nil, let value = keyword(maskComposites) {
                    composite = value
                } else if mode == nil, let value = keyword(maskModes) {
                    mode = value
                } else if position == nil, let value = self.position() {
                    position = value
                    if slash() {
                        guard let value = backgroundSize() else { return nil }
                        size = value
                    }
                } else {
                    return nil
                }
                isEmpty = false
            }
            guard !isEmpty else { return nil }
            if count == 0 { result.clear() }
            count += 1
            result.images.append(image ?? nil)
            result.positions.append(position ?? Gradient.Position(x: .zero, y: .zero))
            result.sizes.append(size)
            result.repeats.append(repeats ?? MaskStyle.Repeats())
            result.origins.append(origin ?? .borderBox)
            result.clips.append(clip ?? origin ?? .borderBox)
            result.composites.append(composite ?? .add)
            result.usesLuminance.append(mode ?? false)
        } while comma()
        return result
    }
}

extension MaskStyle {
    fileprivate mutating func clear() {
        (images, positions, sizes, repeats) = ([], [], [], [])
        (origins, clips, composites, usesLuminance) = ([], [], [], [])
    }

    /// Stores the values of one of ``maskLonghands``.
    fileprivate func store(_ longhand: Int, _ values: inout StyleValues) {
        switch longhand {
        case 0: values.box.mask.images = images
        case 1: values.box.mask.positions = positions
        case 2: values.box.mask.sizes = sizes
        case 3: values.box.mask.repeats = repeats
        case 4: values.box.mask.origins = origins
        case 5: values.box.mask.clips = clips
        case 6: values.box.mask.composites = composites
        default: values.box.mask.usesLuminance = usesLuminance
        }
    }
}
