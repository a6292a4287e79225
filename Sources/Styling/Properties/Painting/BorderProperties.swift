// Borders, outlines, corners and the shadows of boxes (CSS Backgrounds 3, UI 4, Logical Properties 1).

func borderProperties() -> [Property] {
    let widths = eachSide(borderWidths, "<line-width>", { $1(&$0.own.borderWidth) }) { $0.lineWidth() }
    let colors = eachSide(borderColors, "<color>", { $1(&$0.own.borderColor) }) { $0.colorOrCurrent() }
    let radii = corners.enumerated().map { index, name in
        Property.value(name, "<length-percentage [0,∞]>{1,2}", { $1(&$0.own.radii[index]) }) { $0.cornerRadius() }
    }
    let shapes = cornerShapes.enumerated().map { index, name in
        Property.value(name, cornerShapeSyntax, { $1(&$0.own.curvatures[index]) }) { $0.cornerShape() }
    }
    return widths + colors + radii + shapes + [
        .keywords("border-top-style", { $1(&$0.box.border.top.style) }, lineStyles),
        .keywords("border-right-style", { $1(&$0.box.border.right.style) }, lineStyles),
        .keywords("border-bottom-style", { $1(&$0.box.border.bottom.style) }, lineStyles),
        .keywords("border-left-style", { $1(&$0.box.border.left.style) }, lineStyles),
        .value("outline-width", "<line-width>", { $1(&$0.own.outlineWidth) }) { $0.lineWidth() },
        .keywords(
            "outline-style", { $1(&$0.box.outlineStyle) }, lineStyles.filter { $0.1 != .hidden } + [("auto", .solid)]),
        .value("outline-color", "auto | <color>", { $1(&$0.own.outlineColor) }) {
            $0.keyword("auto") || $0.keyword("invert") ? .some(nil) : $0.colorOrCurrent()
        },
        .value("outline-offset", "<length>", { $1(&$0.box.outlineOffset) }) { $0.length() },
        .value(
            "box-shadow", "none | [ inset? && <length>{2,4} && <color>? ]#",
            fields(
                { ($0.box.boxShadows, $0.own.boxShadowsInCurrentColor) },
                { ($0.box.boxShadows, $0.own.boxShadowsInCurrentColor) = $1 })
        ) { $0.shadows(ofBox: true) },
    ]
}

/// Flow-relative names and shorthands of ``borderProperties()``.
func borderShorthands() -> [Property] {
    [
        .logical("border-inline-start-width", of: "border-left-width"),
        .logical("border-inline-end-width", of: "border-right-width"),
        .logical("border-block-start-width", of: "border-top-width"),
        .logical("border-block-end-width", of: "border-bottom-width"),
        .logical("border-inline-start-style", of: "border-left-style"),
        .logical("border-inline-end-style", of: "border-right-style"),
        .logical("border-block-start-style", of: "border-top-style"),
        .logical("border-block-end-style", of: "border-bottom-style"),
        .logical("border-inline-start-color", of: "border-left-color"),
        .logical("border-inline-end-color", of: "border-right-color"),
        .logical("border-block-start-color", of: "border-top-color"),
        .logical("border-block-end-color", of: "border-bottom-color"),
        .logical("border-start-start-radius", of: "border-top-left-radius"),
        .logical("border-start-end-radius", of: "border-top-right-radius"),
        .logical("border-end-start-radius", of: "border-bottom-left-radius"),
        .logical("border-end-end-radius", of: "border-bottom-right-radius"),
        sides("border-width", "<line-width>{1,4}", borderWidths),
        sides("border-style", "<line-style>{1,4}", borderStyles),
        sides("border-color", "<color>{1,4}", borderColors),
        pair("border-block-width", ["border-block-start-width", "border-block-end-width"]),
        pair("border-block-style", ["border-block-start-style", "border-block-end-style"]),
        pair("border-block-color", ["border-block-start-color", "border-block-end-color"]),
        pair("border-inline-width", ["border-inline-start-width", "border-inline-end-width"]),
        pair("border-inline-style", ["border-inline-start-style", "border-inline-end-style"]),
        pair("border-inline-color", ["border-inline-start-color", "border-inline-end-color"]),
        border("border-top", ["border-top-width", "border-top-style", "border-top-color"]),
        border("border-right", ["border-right-width", "border-right-style", "border-right-color"]),
        border("border-bottom", ["border-bottom-width", "border-bottom-style", "border-bottom-color"]),
        border("border-left", ["border-left-width", "border-left-style", "border-left-color"]),
        border(
            "border-inline-start",
            ["border-inline-start-width", "border-inline-start-style", "border-inline-start-color"]),
        border("border-inline-end", ["border-inline-end-width", "border-inline-end-style", "border-inline-end-color"]),
        border(
            "border-block-start",
            ["border-block-start-width", "border-block-start-style", "border-block-start-color"]),
        border("border-block-end", ["border-block-end-width", "border-block-end-style", "border-block-end-color"]),
        border("outline", ["outline-width", "outline-style", "outline-color"]),
        border("border", (0..<4).flatMap { [borderWidths[$0], borderStyles[$0], borderColors[$0]] }),
        border(
            "border-block",
            [
                "border-block-start-width", "border-block-start-style", "border-block-start-color",
                "border-block-end-width", "border-block-end-style", "border-block-end-color",
            ]),
        border(
            "border-inline",
            [
                "border-inline-start-width", "border-inline-start-style", "border-inline-start-color",
                "border-inline-end-width", "border-inline-end-style", "border-inline-end-color",
            ]),
        .whole("border-radius", "<length-percentage [0,∞]>{1,4} [ / <length-percentage [0,∞]>{1,4} ]?", corners) {
            cursor, values in
            guard let radii = cursor.cornerRadii() else { return false }
            values.own.radii = radii
            return true
        },
        .whole("corner-shape", "[ \(cornerShapeSyntax) ]{1,4}", cornerShapes) { cursor, values in
            guard let shapes = cursor.fourSides({ $0.cornerShape() }) else { return false }
            values.own.curvatures = SIMD4(shapes.top, shapes.right, shapes.bottom, shapes.left)
            return true
        },
        .logical("corner-start-start-shape", of: "corner-top-left-shape"),
        .logical("corner-start-end-shape", of: "corner-top-right-shape"),
        .logical("corner-end-start-shape", of: "corner-bottom-left-shape"),
        .logical("corner-end-end-shape", of: "corner-bottom-right-shape"),
    ]
}

private let borderWidths: [StaticString] = [
    "border-top-width", "border-right-width", "border-bottom-width", "border-left-width",
]
private let borderStyles: [StaticString] = [
    "border-top-style", "border-right-style", "border-bottom-style", "border-left-style",
]
private let borderColors: [StaticString] = [
    "border-top-color", "border-right-color", "border-bottom-color", "border-left-color",
]
private let corners: [StaticString] = [
    "border-top-left-radius", "border-top-right-radius", "border-bottom-right-radius", "border-bottom-left-radius",
]

private let cornerShapes: [StaticString] = [
    "corner-top-left-shape", "corner-top-right-shape", "corner-bottom-right-shape", "corner-bottom-left-shape",
]
private let cornerShapeSyntax =
    "round | scoop | bevel | notch | square | squircle | superellipse( <number> | infinity | -infinity )"

/// A shorthand of width, style and colour in any order; it sets every group of three longhands alike.
func border(_ name: StaticString, _ longhands: [StaticString]) -> Property {
    .shorthand(name, "<line-width> || <line-style> || <color>", longhands) { cursor, parts in
        guard parts.anyOrder(0..<3, &cursor) else { return false }
        for index in 3..<max(3, longhands.count) { parts.parts[index] = parts.parts[index % 3] }
        return true
    }
}

let lineStyles: [(StaticString, BorderLineStyle)] = [
    ("none", .none), ("hidden", .hidden), ("dotted", .dotted), ("dashed", .dashed), ("solid", .solid),
    ("double", .double),
    ("groove", .groove), ("ridge", .ridge), ("inset", .inset), ("outset", .outset),
]

extension ValueCursor {
    /// `<line-width>` (CSS Backgrounds 3 §3.3).
    mutating func lineWidth() -> Float? {
        if let width = keyword([("thin", 1), ("medium", 3), ("thick", 5)] as [(StaticString, Float)]) {
            return width * Float(context.zoom)
        }
        return length(atLeast: 0)
    }

    mutating func cornerRadius() -> CornerRadius? {
        guard let x = lengthPercentage(atLeast: 0) else { return nil }
        return isAtEnd ? CornerRadius(x: x, y: x) : lengthPercentage(atLeast: 0).map { CornerRadius(x: x, y: $0) }
    }

    /// The parameter of the superellipse (CSS Borders 4 §3.1).
    fileprivate mutating func cornerShape() -> Float? {
        let named: [(StaticString, Float)] = [
            ("round", 1), ("scoop", -1), ("bevel", 0), ("notch", -.infinity), ("square", .infinity), ("squircle", 2),
        ]
        if let value = keyword(named) { return value }
        guard isFunction("superellipse") else { return nil }
        return arguments { cursor in
            cursor.keyword([("infinity", Float.infinity), ("-infinity", -.infinity)] as [(StaticString, Float)])
                ?? cursor.number().map { Float($0) }
        }
    }

    /// The radii of the four corners, clockwise from the top left.
    mutating func cornerRadii() -> [CornerRadius]? {
        guard let x = fourSides({ $0.lengthPercentage(atLeast: 0) }) else { return nil }
        var y = x
        if slash() {
            guard let second = fourSides({ $0.lengthPercentage(atLeast: 0) }) else { return nil }
            y = second
        }
        return (0..<4).map { CornerRadius(x: x[clockwise: $0], y: y[clockwise: $0]) }
    }

    mutating func shadows(ofBox isBox: Bool) -> ([Shadow], [Bool])? {
        if keyword("none") { return ([], []) }
        var shadows: [Shadow] = []
        var current: [Bool] = []
        repeat {
            var shadow: Shadow?
            var color: Color??
            var isInset = false
            while isBox && once(&isInset, "inset") || once(&shadow, { $0.shadowLengths(ofBox: isBox) })
                || once(&color, { $0.colorOrCurrent() })
            {}
            guard var shadow else { return nil }
            let resolved = color ?? nil
            (shadow.color, shadow.inset) = (resolved ?? context.currentColor, isInset)
            shadows.append(shadow)
            current.append(resolved == nil)
        } while comma()
        return (shadows, current)
    }

    /// `<length>{2,3}`, and the spread of a box's shadow.
    private mutating func shadowLengths(ofBox isBox: Bool) -> Shadow? {
        guard let x = length(), let y = length() else { return nil }
        let blur = length(atLeast: 0)
        return Shadow(x: x, y: y, blur: blur ?? 0, spread: isBox && blur != nil ? length() ?? 0 : 0, color: .black)
    }
}
