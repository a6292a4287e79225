// Border images (CSS Backgrounds 3 §6).

func borderImageProperties() -> [Property] {
    [
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

let borderImageLonghands: [String] = [
    "border-image-source", "border-image-slice", "border-image-width", "border-image-outset", "border-image-repeat",
]

extension ValueCursor {
    /// One to four values clockwise from the top.
    mutating func fourSides<Value>(_ read: (inout ValueCursor) -> Value?) -> Sides<Value>? {
        var values: [Value] = []
        while values.count < 4, !isAtEnd, let value = read(&self) { values.append(value) }
        guard let top = values.first else { return nil }
        let right = values.count > 1 ? values[1] : top
        let bottom = values.count > 2 ? values[2] : top
        return Sides(top: top, right: right, bottom: bottom, left: values.count > 3 ? values[3] : right)
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
