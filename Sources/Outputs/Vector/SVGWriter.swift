// Writes shapes, text and pictures as an SVG file. Text is `<text>` with its characters, so it can be found, selected and
// copied. The file embeds the glyphs that are used of each font, with a separate character map. This map contains the results
// of shaping (ligatures, joined letters, marks, features), and every character has a position, so readers of the file shape
// nothing. If a character has several glyphs in a font, the font has several variants.

import FancyTextBasics
import FancyTextCSS
import FancyTextImages
import FancyTextPainting
import FancyTextTypography
import FancyTextWriting

/// Writes one SVG file. It belongs to one task.
package final class SVGWriter: VectorSink {
    private let fonts: FontContext
    private let encoder = PNGEncoder()
    private var body = ""
    /// In the order of first use.
    private var used = VectorFonts<Variants>()
    private var clips: [String: Int] = [:]
    private var gradients = 0
    private var hasPictureText = false
    private var groups: [Group] = []
    /// The numbers of pictures, so that a repeated picture is written once.
    private var pictures: [PictureKey: Int] = [:]

    private struct PictureKey: Hashable {
        var source: [UInt8]
        var width, height: Float
    }

    /// A group's start tag. Blended content must not be inside a group with a clip, which is isolated from its backdrop (CSS
    /// Masking 1 §5.1). Enclosing clips and transforms are therefore closed, reopened inside of it, and reopened again after it.
    private struct Group {
        var tag: String
        var isLayer = false
        /// The number of enclosing groups that were reopened in it.
        var repeated = 0
    }

    /// Glyphs of a cluster, relative to the first one's origin, in units of the font.
    private struct Shape: Hashable {
        var glyphs: [UInt32]
        var places: [Int32]
    }

    /// The variants of a font, with their glyphs of shapes.
    private typealias Variants = [(font: GlyphFont, shapes: [Shape: UInt16])]

    package init(fonts: FontContext) { self.fonts = fonts }

    /// The whole file; `size` is in CSS pixels, `scale` the pixels of the shapes per CSS pixel.
    package func finish(size: Size, scale: Float, title: String, language: String) -> [UInt8] {
        var file = "<svg xmlns=\"http://www.w3.org/2000/svg\""
        file += SVGText.numbers(["width": size.width, "height": size.height])
        file += SVGText.numbers("viewBox", [0, 0, size.width * scale, size.height * scale])
        if !language.isEmpty { file += " xml:lang=\"\(SVGText.escaped(language))\"" }
        file += ">\n"
        if !title.isEmpty { file += "<title>\(SVGText.escaped(title))</title>\n" }
        writeStyle(&file)
        // Only text and the boxes of links receive pointer events, so content over a link does not block it.
        return Array((file + "<g pointer-events=\"none\">\n" + body + "</g>\n</svg>\n").utf8)
    }

    private func writeStyle(_ file: inout String) {
        guard !used.fonts.isEmpty || hasPictureText else { return }
        file += "<style>\ntext{white-space:pre;text-rendering:geometricPrecision;font-kerning:none;"
        file += "font-variant-ligatures:none;font-synthesis:none;pointer-events:all;user-select:text}\n"
        file += ".r{direction:ltr;unicode-bidi:bidi-override}.h{font-family:sans-serif;fill:none;stroke:none}\n"
        for (number, variants) in used.fonts.enumerated() {
            for (variant, entry) in variants.enumerated() where !entry.font.isEmpty {
                let name = Self.name(number, variant)
                let data = String(decoding: Base64.encode(entry.font.file(named: name)), as: UTF8.self)
                file += ".\(name){font-family:\(name)}\n"
                file += "@font-face{font-family:\(name);src:url(data:font/ttf;base64,\(data))}\n"
            }
        }
        file += "</style>\n"
    }

    private static func name(_ font: Int, _ variant: Int) -> String {
        variant == 0 ? "f\(font)" : "f\(font)v\(variant)"
    }

    // MARK: Shapes

    package func fill(_ path: Path, isEvenOdd: Bool, with paint: VectorPaint) {
        let paint = attributes(of: paint)
        body += SVGText.shape(path) + (isEvenOdd ? " fill-rule=\"evenodd\"" : "") + "\(paint)/>\n"
    }

    /// Writes the gradient before the shape that refers to it.
    private func attributes(of paint: VectorPaint, _ name: String = "fill") -> String {
        switch paint {
        case .color(let color): return Self.attributes(of: color, name)
        case .gradient(let gradient):
            gradients += 1
            let id = "g\(gradients)"
            let spread = gradient.repeats ? " spreadMethod=\"repeat\"" : ""
            let kind = if case .linear = gradient.shape { "linearGradient" } else { "radialGradient" }
            body += "<\(kind) id=\"\(id)\" gradientUnits=\"userSpaceOnUse\"\(spread)"
            switch gradient.shape {
            case .linear(let from, let to):
                body += SVGText.numbers(["x1": from.x, "y1": from.y, "x2": to.x, "y2": to.y])
            case .radial(let center, let radii):
                body += SVGText.numbers(["r": 1, "cx": 0, "cy": 0])
                body += SVGText.transform(
                    Transform(scaleX: radii.width, scaleY: radii.height, x: center.x, y: center.y),
                    as: "gradientTransform")
            }
            body += ">"
            for stop in gradient.stops {
                let color = Self.attributes(of: stop.color, "stop-color", opacity: "stop-opacity")
                body += "<stop\(SVGText.numbers(["offset": stop.offset]))\(color)/>"
            }
            body += "</\(kind)>\n"
            return " \(name)=\"url(#\(id))\""
        }
    }

    private static func attributes(of color: Color, _ name: String, opacity: String? = nil) -> String {
        let text = " \(name)=\"\(color.hex.prefix(7))\""
        guard color.alpha < 255 else { return text }
        return text + " \(opacity ?? name + "-opacity")=\"\(Notation.number(Float(color.alpha) / 255))\""
    }

    // MARK: Groups

    package func pushClip(_ path: Path, isEvenOdd: Bool) {
        let text = SVGText.shape(path) + (isEvenOdd ? " clip-rule=\"evenodd\"" : "")
        let number = clips[text] ?? clips.count + 1
        if clips[text] == nil {
            clips[text] = number
            body += "<clipPath id=\"c\(number)\">\(text)/></clipPath>\n"
        }
        begin(Group(tag: "<g clip-path=\"url(#c\(number))\">\n"))
    }

    package func pushTransform(_ transform: Transform) { begin(Group(tag: "<g\(SVGText.transform(transform))>\n")) }

    private func begin(_ group: Group) {
        body += group.tag
        groups.append(group)
    }

    package func pushLayer(opacity: Float, blendMode: BlendMode) {
        let transparency = opacity < 1 ? " opacity=\"\(Notation.number(max(0, opacity)))\"" : ""
        guard blendMode != .normal
        else { return begin(Group(tag: "<g\(transparency) style=\"isolation:isolate\">\n", isLayer: true)) }
        let around = groups[(groups.lastIndex(where: \.isLayer).map { $0 + 1 } ?? 0)...]
        for _ in around { body += "</g>\n" }
        begin(
            Group(
                tag: "<g\(transparency) style=\"mix-blend-mode:\(blendMode.rawValue);isolation:isolate\">\n",
                isLayer: true, repeated: around.count))
        for group in around { body += group.tag }
    }

    package func pop() {
        guard let group = groups.popLast() else { return }
        for _ in 0...group.repeated { body += "</g>\n" }
        for group in groups.suffix(group.repeated) { body += group.tag }
    }

    // MARK: Text

    private struct Letter {
        var scalar: Unicode.Scalar
        var x, y: Float
    }

    private struct Piece {
        var letters: [Letter]
        /// The variant of the font; nil for characters drawn as shapes or a picture.
        var variant: Int?
    }

    package func show(_ text: VectorText) {
        guard text.size.height > 0, text.size.width > 0, let first = text.glyphs.first else { return }
        let number = used.number(of: fonts.program(of: text.font)) { [(GlyphFont(), [:])] }
        var pieces: [Piece] = []
        var shapes = Path()
        for cluster in text.clustersInOrder {
            let words = VectorText.words(String(decoding: text.text[cluster.text], as: UTF8.self))
            let scalars = Array(words.unicodeScalars)
            let glyphs = text.glyphs[cluster.glyphs]
            let origin = text.glyphs[cluster.glyphs.lowerBound]
            let letters = scalars.map { Letter(scalar: $0, x: origin.x, y: origin.y) }
            var variant: Int?
            if text.paint != nil || text.stroke != nil {
                variant = assign(scalars, to: glyphs, text, &used.fonts[number])
                if variant == nil {
                    for glyph in glyphs { shapes.append(text.outline(of: glyph, in: fonts)) }
                }
            }
            guard !letters.isEmpty else { continue }
            // Characters beyond the basic plane are positioned separately, because readers count their surrogates differently.
            let isLarge = scalars.contains { $0.value > 0xFFFF }
            if !isLarge, let last = pieces.last, last.variant == variant, last.letters.last?.scalar.value ?? 0 <= 0xFFFF
            {
                pieces[pieces.count - 1].letters += letters
            } else {
                pieces.append(Piece(letters: letters, variant: variant))
            }
        }
        var paint = text.paint.map { attributes(of: $0) } ?? " fill=\"none\""
        if let stroke = text.stroke {
            paint += Self.attributes(of: stroke.color, "stroke") + SVGText.numbers(["stroke-width": stroke.width])
        }
        if !shapes.isEmpty { body += SVGText.shape(shapes) + paint + "/>\n" }
        if let link = text.link { body += "<a href=\"\(SVGText.escaped(link))\">" }
        write(pieces, text, number, first, paint)
        body += text.link != nil ? "</a>\n" : "\n"
    }

    /// Maps the characters of a cluster to the shape of all its glyphs: the first character shows it, the others are blank.
    /// Returns the variant of the font; nil if they cannot be mapped.
    private func assign(
        _ scalars: [Unicode.Scalar], to glyphs: ArraySlice<PositionedGlyph>, _ text: VectorText,
        _ variants: inout Variants
    ) -> Int? {
        // Browsers show nothing for format characters.
        let scalars = scalars.filter { !(0x200B...0x200F).contains($0.value) }
        guard let first = glyphs.first, !scalars.isEmpty, !scalars.contains(where: Self.isEmoji),
            Set(scalars).count == scalars.count
        else { return nil }
        // In units of the font, without the element's slant and stretch.
        let unit = (x: GlyphFont.unitsPerEm / text.size.width, y: GlyphFont.unitsPerEm / text.size.height)
        let places = glyphs.flatMap { glyph -> [Int32] in
            let (x, y) = (glyph.x - first.x, glyph.y - first.y)
            return [(x + text.skew * y) * unit.x, y * unit.y].map { Int32(bounded: $0.rounded()) }
        }
        let shape = Shape(glyphs: glyphs.map(\.id), places: places)
        let rest = scalars.dropFirst()
        let variant =
            variants.firstIndex { entry in
                let known = entry.font.glyph(for: scalars[0].value)
                return (known == nil || known == entry.shapes[shape])
                    && rest.allSatisfy { [nil, GlyphFont.blank].contains(entry.font.glyph(for: $0.value)) }
            } ?? variants.count
        if variant == variants.count { variants.append((GlyphFont(), [:])) }
        var glyph = variants[variant].shapes[shape]
        if glyph == nil {
            let parts = shape.glyphs.enumerated().map { index, glyph in
                (glyph: glyph, x: Float(shape.places[2 * index]), y: Float(shape.places[2 * index + 1]))
            }
            glyph = variants[variant].font.add(parts, of: text.font, in: fonts)
            variants[variant].shapes[shape] = glyph
        }
        guard let glyph else { return nil }
        variants[variant].font.map(scalars[0].value, to: glyph)
        for scalar in rest { variants[variant].font.map(scalar.value, to: GlyphFont.blank) }
        return variant
    }

    /// Browsers show these in their own font, or not at all.
    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xFE00...0xFE0F, 0x20E3, 0x1F000...0x1FAFF, 0xE0000...0xE0FFF: true
        case 0x2000...0x2FFF: scalar.properties.isEmojiPresentation
        default: false
        }
    }

    private func write(
        _ pieces: [Piece], _ text: VectorText, _ number: Int, _ first: PositionedGlyph, _ paint: String
    ) {
        guard !pieces.isEmpty else { return }
        let stretch = text.size.width / text.size.height
        let isPlain = text.skew == 0 && stretch == 1
        let direction = text.isRightToLeft ? ["r"] : []
        func classes(_ names: [String]) -> String { names.isEmpty ? "" : " class=\"\(names.joined(separator: " "))\"" }
        /// The attributes and the characters of an element.
        func contents(_ piece: Piece) -> String {
            let places = piece.letters.map { letter in
                isPlain
                    ? (x: letter.x, y: letter.y)
                    : (x: (letter.x + text.skew * (letter.y - first.y)) / stretch, y: letter.y - first.y)
            }
            let isLarge = piece.letters[0].scalar.value > 0xFFFF
            let isLevel = isLarge || places.allSatisfy { $0.y == places[0].y }
            // Hidden letters stay among the others, so that the text is in the order of reading.
            return classes([piece.variant.map { Self.name(number, $0) } ?? "h"] + direction)
                + SVGText.numbers("x", isLarge ? [places[0].x] : places.map(\.x))
                + SVGText.numbers("y", isLevel ? [places[0].y] : places.map(\.y))
                + ">" + SVGText.escaped(String(String.UnicodeScalarView(piece.letters.map(\.scalar))))
        }
        body += "<text"
        if !isPlain {
            body += SVGText.transform(Transform(xx: stretch, yx: 0, xy: -text.skew, yy: 1, x: 0, y: first.y))
        }
        body += SVGText.numbers(["font-size": text.size.height]) + paint
        if pieces.count == 1 {
            body += contents(pieces[0])
        } else {
            body += classes(direction) + ">"
            for piece in pieces { body += "<tspan\(contents(piece))</tspan>" }
        }
        body += "</text>"
    }

    package func show(_ texts: String, in rect: Rect) {
        hasPictureText = true
        body += "<svg" + SVGText.numbers(["x": rect.x, "y": rect.y, "width": rect.width, "height": rect.height])
        body += " fill=\"none\" stroke=\"none\"\(texts)\n"
    }

    package var drawsVectorFiles: Bool { false }
    package var refusesLinks: Bool { false }

    package func draw(_ picture: VectorPicture, in rect: Rect, isPixelated: Bool, of part: DocumentPart?) {
        let (data, type): ([UInt8], String)
        switch picture {
        case .file(let file, _): (data, type) = (file.bytes, file.format == .svg ? "svg+xml" : "\(file.format)")
        case .pixels(let pixels):
            guard let png = try? encoder.encode(pixels) else { return }
            (data, type) = (png, "png")
        }
        let key = PictureKey(source: data, width: rect.width, height: rect.height)
        let number = pictures[key] ?? pictures.count + 1
        if pictures.updateValue(number, forKey: key) == nil {
            // A symbol's contents are at its corner, so that copies can be moved.
            body += "<defs><image id=\"p\(number)\"" + SVGText.numbers(["width": rect.width, "height": rect.height])
            body += " preserveAspectRatio=\"none\"\(isPixelated ? " style=\"image-rendering:pixelated\"" : "")"
            body +=
                " href=\"data:image/\(type);base64,\(String(decoding: Base64.encode(data), as: UTF8.self))\"/></defs>"
        }
        body += "<use href=\"#p\(number)\"" + SVGText.numbers(["x": rect.x, "y": rect.y]) + "/>\n"
    }

    package func place(_ destination: DisplayDestination, map: Transform) {
        // A letter followed by digits is reserved for the writer's own names.
        let name = destination.name
        guard destination.bookmark == nil, !name.utf8.dropFirst().allSatisfy(\.isASCIIDigit) else { return }
        let place = map.apply(destination.place)
        let (x, y) = (Notation.number(place.x), Notation.number(place.y))
        body += "<path id=\"\(SVGText.escaped(name))\" d=\"M\(x) \(y)\" fill=\"none\"/>\n"
    }

    package func link(_ link: DisplayLink, boxes: [Rect], map: Transform) {
        guard !link.target.isEmpty else { return }
        body += "<a href=\"\(SVGText.escaped(link.target))\">"
        for box in boxes {
            body += SVGText.shape(Path(RoundedRect(rect: box))) + " fill=\"none\" pointer-events=\"all\"/>"
        }
        body += "</a>\n"
    }
}

/// The markup of an SVG file: attributes, paths, text.
enum SVGText {
    /// Attributes with numbers, each after a space.
    static func numbers(_ values: KeyValuePairs<String, Float>) -> String { values.map { numbers($0, [$1]) }.joined() }

    static func numbers(_ name: String, _ values: [Float]) -> String {
        " \(name)=\"\(values.map(Notation.number).joined(separator: " "))\""
    }

    static func transform(_ transform: Transform, as name: String = "transform") -> String {
        if transform.xx == 1, transform.yy == 1, transform.xy == 0, transform.yx == 0 {
            return " \(name)=\"translate(\(Notation.number(transform.x)) \(Notation.number(transform.y)))\""
        }
        // Factors are multiplied by lengths of thousands of pixels, so they need more digits.
        func factor(_ value: Float) -> String {
            let scaled = (Double(value) * 1e7).rounded() / 1e7
            return scaled == scaled.rounded() && abs(scaled) < 1e9 ? "\(Int(scaled))" : "\(scaled)"
        }
        let factors = [transform.xx, transform.yx, transform.xy, transform.yy].map(factor)
        let places = [transform.x, transform.y].map(Notation.number)
        return " \(name)=\"matrix(\((factors + places).joined(separator: " ")))\""
    }

    /// The start of an element for a path, which is a `rect` if possible.
    static func shape(_ path: Path) -> String {
        if let rect = path.rectangle {
            return "<rect" + numbers(["x": rect.x, "y": rect.y, "width": rect.width, "height": rect.height])
        }
        return "<path d=\"" + PathData.text(of: path, Notation.number) + "\""
    }

    /// Text for content or attribute values, without the characters that XML does not allow; tabs and line ends become spaces.
    static func escaped(_ text: String) -> String {
        let line = text.unicodeScalars.map { [0x09, 0x0A, 0x0D].contains($0.value) ? " " : $0 }
        return Notation.escaped(VectorText.words(String(String.UnicodeScalarView(line))))
    }
}

extension Path {
    /// The path as a rectangle with sides along the axes; nil for another path.
    fileprivate var rectangle: Rect? {
        guard segments.count == 5, case .move(let a) = segments[0], case .line(let b) = segments[1],
            case .line(let c) = segments[2], case .line(let d) = segments[3], case .close = segments[4]
        else { return nil }
        guard a.y == b.y, b.x == c.x, c.y == d.y, d.x == a.x, c.x >= a.x, c.y >= a.y else { return nil }
        return Rect(x: a.x, y: a.y, width: c.x - a.x, height: c.y - a.y)
    }
}
