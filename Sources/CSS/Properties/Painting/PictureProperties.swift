// Properties of the elements inside an inline `svg` (SVG 2, Filter Effects 1), kept as text in the syntax of the library that draws
// the picture: colours in hexadecimal, lengths in pixels. That library inherits them inside the picture.

func pictureProperties() -> [Property] {
    allPictureProperties.map { name, syntax in
        .checked(name, syntax, copy: { $0.own.picture[name] = $1.own.picture[name] }) { cursor, values in
            var cursor = cursor
            values.own.picture[name] = cursor.pictureValue()
        }
    }
}

extension ComputedStyle {
    /// The values of properties that only pictures have, by name; those with `var()` also as written, after ``unsubstituted``.
    package var picture: [String: String] { groups.own.value.picture }

    package static let unsubstituted = "var() "

    /// The attributes that are properties of elements in pictures (SVG 2 §6.6).
    package static let pictureNames = Set(allPictureProperties.map(\.0)).union(["width", "height", "clip-path"])

    /// The names in ``picture`` that an inline `svg` inherits from the elements around it.
    package static let inheritedPictureNames = Set(inheritedPictureProperties.map(\.0))
}

private let paint = "none | context-fill | context-stroke | <color> | <url> [ none | <color> ]?"
private let size = "<number> | <length-percentage>"
private let allPictureProperties = inheritedPictureProperties + ownPictureProperties
private let inheritedPictureProperties: [(String, String)] = [
    ("fill", paint), ("fill-opacity", "<number> | <percentage>"), ("fill-rule", "nonzero | evenodd"),
    ("stroke", paint), ("stroke-opacity", "<number> | <percentage>"), ("stroke-width", size),
    ("stroke-linecap", "butt | round | square"), ("stroke-linejoin", "miter-clip | miter | round | bevel | arcs"),
    ("stroke-miterlimit", "<number>"), ("stroke-dasharray", "none | [ [ \(size) ]+ ]#"), ("stroke-dashoffset", size),
    ("clip-rule", "nonzero | evenodd"), ("color-interpolation", "auto | sRGB | linearRGB"),
    ("color-interpolation-filters", "auto | sRGB | linearRGB"), ("text-anchor", "start | middle | end"),
    ("marker", "none | <url>"), ("marker-start", "none | <url>"), ("marker-mid", "none | <url>"),
    ("marker-end", "none | <url>"), ("shape-rendering", "<any-value>"),
    (
        "dominant-baseline",
        "auto | text-bottom | alphabetic | ideographic | middle | central | mathematical | hanging | text-top | text-after-edge | text-before-edge | use-script | no-change | reset-size"
    ),
]
private let ownPictureProperties: [(String, String)] = [
    ("stop-color", "<color>"), ("stop-opacity", "<number> | <percentage>"), ("flood-color", "<color>"),
    ("flood-opacity", "<number> | <percentage>"), ("lighting-color", "<color>"), ("mask-type", "luminance | alpha"),
    ("d", "none | <any-function>"), ("x", size), ("y", size), ("cx", size), ("cy", size), ("r", size),
    ("rx", "auto | \(size)"), ("ry", "auto | \(size)"),
    (
        "alignment-baseline",
        "baseline | alphabetic | ideographic | middle | central | mathematical | text-bottom | text-top | before-edge | text-before-edge | after-edge | text-after-edge | hanging | auto"
    ),
]

extension ValueCursor {
    /// A value with its colours in hexadecimal and its lengths in pixels.
    fileprivate mutating func pictureValue() -> String {
        var words: [String] = []
        while !isAtEnd {
            let start = index
            if let color = colorOrCurrent() {
                words.append(color?.hex ?? "currentColor")
            } else if let url = url() {
                words.append("url(\(url))")
            } else if let length = number().map({ String(Self.clamped($0)) }) ?? lengthPercentage()?.picturesText {
                words.append(length)
            } else if isFunction("path"), let data = arguments({ $0.string() }) {
                words.append(data)
            } else {
                if !comma() { skipComponent() }
                words.append(source.text(start..<index).filter { $0 != "\"" })
            }
        }
        return words.joined(separator: " ")
    }
}

extension LengthPercentage {
    /// The length as text; a sum of pixels and a percentage counts as the percentage.
    package var picturesText: String { fraction == 0 ? "\(px)px" : "\(fraction * 100)%" }
}
