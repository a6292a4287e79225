// Borders, outlines, corners and the shadows of boxes (CSS Backgrounds 3, UI 4, Logical Properties 1).

func borderProperties() -> [Property] {
    let widths = sided("border", "-width") { name, side in
        .value(name, { $1(&$0.own.borderWidth[clockwise: side]) }) { $0.lineWidth() }
    }
    let styles = sided("border", "-style") { name, side in
        .keywords(name, { $1(&$0.box.border[clockwise: side].style) })
    }
    let colors = sided("border", "-color") { name, side in
        .value(name, { $1(&$0.own.borderColor[clockwise: side]) }) { $0.colorOrCurrent() }
    }
    let radii = corners.enumerated().map { index, name in
        Property.value(name, { $1(&$0.own.radii[index]) }) { $0.cornerRadius() }
    }
    let shapes = cornerShapes.enumerated().map { index, name in
        Property.value(name, { $1(&$0.own.curvatures[index]) }) { $0.cornerShape() }
    }
    return widths + styles + colors + radii + shapes + [
        .value("outline-width", { $1(&$0.own.outlineWidth) }) { $0.lineWidth() },
        .value("outline-style", { $1(&$0.box.outlineStyle) }) {
            $0.keyword("auto") ? .solid : $0.isKeyword("hidden") ? nil : $0.keyword()
        },
        .value("outline-color", { $1(&$0.own.outlineColor) }) {
            $0.keyword("auto") || $0.keyword("invert") ? .some(nil) : $0.colorOrCurrent()
        },
        .value("outline-offset", { $1(&$0.box.outlineOffset) }) { $0.length() },
        .value("box-shadow", both({ $1(&$0.box.boxShadows) }, { $1(&$0.own.boxShadowsInCurrentColor) })) {
            $0.shadows(ofBox: true)
        },
        .value("border-image-source", { $1(&$0.box.borderImage.source) }) { $0.backgroundImage() },
        .value("border-image-slice", both({ $1(&$0.box.borderImage.slice) }, { $1(&$0.box.borderImage.fillsMiddle) })) {
            $0.borderImageSlice()
        },
        .value("border-image-width", { $1(&$0.box.borderImage.width) }) { $0.fourSides { $0.borderImageWidth() } },
        .value("border-image-outset", { $1(&$0.box.borderImage.outset) }) { $0.fourSides { $0.borderImageOutset() } },
        .value("border-image-repeat", both({ $1(&$0.box.borderImage.repeatX) }, { $1(&$0.box.borderImage.repeatY) })) {
            $0.borderImageRepeat()
        },
        .whole("border-image", borderImageLonghands, { $1(&$0.box.borderImage) }) { $0.borderImage() },
    ]
}

/// Flow-relative names and shorthands of ``borderProperties()``.
func borderShorthands() -> [Property] {
    let flowSides = ["block-start", "block-end", "inline-start", "inline-end"]
    let flowCorners = ["start-start", "start-end", "end-end", "end-start"]
    let logicalCorners = [("border-", "-radius"), ("corner-", "-shape")].flatMap { start, end in
        zip(flowCorners, cornerNames).map { Property.logical(start + $0 + end, of: start + $1 + end) }
    }
    return (sideNames + flowSides).map { border("border-" + $0, ["border-" + $0]) } + logicalCorners + [
        border("outline", ["outline"]),
        border("border", sideNames.map { "border-" + $0 }, resetting: borderImageLonghands),
        border("border-block", ["border-block-start", "border-block-end"]),
        border("border-inline", ["border-inline-start", "border-inline-end"]),
        .whole("border-radius", corners, { $1(&$0.own.radii) }) { $0.cornerRadii() },
        .whole("corner-shape", cornerShapes, { $1(&$0.own.curvatures) }) { cursor in
            cursor.fourSides { $0.cornerShape() }.map { SIMD4($0.top, $0.right, $0.bottom, $0.left) }
        },
    ]
}

private let borderImageLonghands = names("border-image-", "source slice width outset repeat")

private let cornerNames = ["top-left", "top-right", "bottom-right", "bottom-left"]
private let corners = cornerNames.map { "border-" + $0 + "-radius" }
private let cornerShapes = cornerNames.map { "corner-" + $0 + "-shape" }

/// A shorthand of width, style and colour in any order; it sets those of each of `parts` alike, and others to initial values.
func border(_ name: String, _ parts: [String], resetting others: [String] = []) -> Property {
    let longhands = parts.flatMap { [$0 + "-width", $0 + "-style", $0 + "-color"] }
    return .shorthand(name, longhands + others) { cursor, parts in
        guard parts.anyOrder(0..<3, &cursor) else { return false }
        for index in 3..<max(3, longhands.count) { parts.parts[index] = parts.parts[index % 3] }
        return true
    }
}

extension ValueCursor {
    /// `<line-width>` (CSS Backgrounds 3 §3.3).
    mutating func lineWidth() -> Float? {
        let widths: [(StaticString, Float)] = [("thin", 1), ("medium", 3), ("thick", 5)]
        return keyword(widths).map { $0 * Float(context.zoom) } ?? length(atLeast: 0)
    }

    mutating func cornerRadius() -> CornerRadius? {
        guard let x = lengthPercentage(atLeast: 0), let y = isAtEnd ? x : lengthPercentage(atLeast: 0)
        else { return nil }
        return CornerRadius(x: x, y: y)
    }

    /// The parameter of the superellipse (CSS Borders 4 §3.1).
    fileprivate mutating func cornerShape() -> Float? {
        let named: [(StaticString, Float)] = [
            ("round", 1), ("scoop", -1), ("bevel", 0), ("notch", -.infinity), ("square", .infinity), ("squircle", 2),
        ]
        return keyword(named)
            ?? function("superellipse") { cursor in
                cursor.keyword([("infinity", Float.infinity), ("-infinity", -.infinity)] as [(StaticString, Float)])
                    ?? cursor.number().map { Float($0) }
            }
    }

    /// The radii of the four corners, clockwise from the top left.
    mutating func cornerRadii() -> [CornerRadius]? {
        guard let x = fourSides({ $0.lengthPercentage(atLeast: 0) }),
            let y = slash() ? fourSides({ $0.lengthPercentage(atLeast: 0) }) : x
        else { return nil }
        return (0..<4).map { CornerRadius(x: x[clockwise: $0], y: y[clockwise: $0]) }
    }

    mutating func shadows(ofBox isBox: Bool) -> ([Shadow], [Bool])? {
        if keyword("none") { return ([], []) }
        let shadows = commaList { cursor -> (shadow: Shadow, isCurrentColor: Bool)? in
            var (shadow, color, isInset): (Shadow?, Color??, Bool) = (nil, nil, false)
            while isBox && cursor.once(&isInset, "inset") || cursor.once(&shadow, { $0.shadowLengths(ofBox: isBox) })
                || cursor.once(&color, { $0.colorOrCurrent() })
            {}
            guard var shadow else { return nil }
            let resolved = color ?? nil
            (shadow.color, shadow.inset) = (resolved ?? cursor.context.currentColor, isInset)
            return (shadow, resolved == nil)
        }
        return shadows.map { ($0.map(\.shadow), $0.map(\.isCurrentColor)) }
    }

    /// `<length>{2,3}`, and the spread of a box's shadow.
    private mutating func shadowLengths(ofBox isBox: Bool) -> Shadow? {
        guard let x = length(), let y = length() else { return nil }
        let blur = length(atLeast: 0)
        return Shadow(x: x, y: y, blur: blur ?? 0, spread: isBox && blur != nil ? length() ?? 0 : 0, color: .black)
    }

    // MARK: Images

    /// One to four values clockwise from the top.
    mutating func fourSides<Value>(_ read: (inout ValueCursor) -> Value?) -> Sides<Value>? {
        var values: [Value] = []
        while values.count < 4, !isAtEnd, let value = read(&self) { values.append(value) }
        if values.isEmpty { return nil }
        return Sides { $0 < values.count ? values[$0] : values[$0 == 3 && values.count > 1 ? 1 : 0] }
    }

    fileprivate mutating func borderImageSlice() -> (Sides<LengthPercentage>, Bool)? {
        let fillsFirst = keyword("fill")
        let sides = fourSides { cursor in
            cursor.number(atLeast: 0).map { LengthPercentage(px: Self.clamped($0)) }
                ?? cursor.percentage(atLeast: 0).map { LengthPercentage(fraction: Self.clamped($0)) }
        }
        return sides.map { ($0, fillsFirst || keyword("fill")) }
    }

    fileprivate mutating func borderImageWidth() -> BorderImageStyle.Width? {
        if keyword("auto") { return .auto }
        return number(atLeast: 0).map { .multiple(Self.clamped($0)) }
            ?? lengthPercentage(atLeast: 0).map { .length($0) }
    }

    fileprivate mutating func borderImageOutset() -> BorderImageStyle.Width? {
        number(atLeast: 0).map { .multiple(Self.clamped($0)) }
            ?? length(atLeast: 0).map { .length(LengthPercentage(px: $0)) }
    }

    fileprivate mutating func borderImageRepeat() -> (BorderImageStyle.Tiling, BorderImageStyle.Tiling)? {
        guard let x: BorderImageStyle.Tiling = keyword() else { return nil }
        return (x, keyword() ?? x)
    }

    fileprivate mutating func borderImage() -> BorderImageStyle? {
        var result = BorderImageStyle()
        var source: ImageSource??
        var slice: (Sides<LengthPercentage>, Bool)?
        var tiling: (BorderImageStyle.Tiling, BorderImageStyle.Tiling)?
        while !isAtEnd {
            if once(&source, { $0.backgroundImage() }) || once(&tiling, { $0.borderImageRepeat() }) { continue }
            guard once(&slice, { $0.borderImageSlice() }) else { return nil }
            guard slash() else { continue }
            if let width = fourSides({ $0.borderImageWidth() }) { result.width = width }
            guard slash() else { continue }
            guard let outset = fourSides({ $0.borderImageOutset() }) else { return nil }
            result.outset = outset
        }
        guard source != nil || slice != nil || tiling != nil else { return nil }
        result.source = source ?? nil
        if let slice { (result.slice, result.fillsMiddle) = slice }
        if let tiling { (result.repeatX, result.repeatY) = tiling }
        return result
    }
}
