// Positioned layout, stacking, clipping (CSS Positioned Layout 3, CSS Overflow 4).

func positionProperties() -> [Property] {
    let insets = sided("inset", isBare: true) { name, side in
        .value(name, { $1(&$0.box.positioned.inset[clockwise: side]) }) { $0.margin() }
    }
    return insets + [
        .keywords("position", { $1(&$0.box.position) }, also: [("-webkit-sticky", .sticky)]),
        .value("z-index", { $1(&$0.box.positioned.zIndex) }) { $0.optional("auto") { $0.integer() } },
        .flag("isolation", { $1(&$0.box.isolates) }, "auto", "isolate"),
        .value("appearance", { $1(&$0.box.isNative) }) { $0.keyword("none") ? false : $0.ident() == nil ? nil : true }
            .lacking { $0 == "base-select" },
        .flag("field-sizing", { $1(&$0.box.fitsText) }, "fixed", "content"),
        .value("accent-color", inherited: true, { $1(&$0.text.accent) }) { $0.optional("auto") { $0.color() } },
        .value("overflow-clip-margin", { $1(&$0.box.overflowClipMargin) }) { cursor in
            var (box, distance): (BackgroundBox?, Float?)
            while cursor.once(&box, { $0.layerBox() }) || cursor.once(&distance, { $0.length(atLeast: 0) }) {}
            guard box != nil || distance != nil else { return nil }
            return ClipMargin(box: box ?? .paddingBox, distance: distance ?? 0)
        },
        .value("shape-outside", { $1(&$0.box.floatShape.source) }) { cursor in
            if let image = cursor.image() { return .some(.image(image)) }
            return cursor.optional("none") { $0.clipShape(standard: .marginBox).map { .shape($0) } }
        }.lacking { value in ["path(", "shape("].contains { value.contains($0) } },
        .value("shape-image-threshold", { $1(&$0.box.floatShape.threshold) }) { $0.share() },
        .value("shape-margin", { $1(&$0.box.floatShape.margin) }) { $0.lengthPercentage(atLeast: 0) },
    ]
}
