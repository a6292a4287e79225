// Writes an inline `svg` element as an XML document, for a decoder of SVG files. In: the element and the computed style of each
// element inside. Out: well-formed XML without rules, with SVG's names (HTML §13.2.6.1). What the decoder lacks is written in other
// words: drop shadows, baselines, and text whose letters have places of their own.

import FancyTextBasics

package struct PictureElementStyle {
    /// Declarations for the `style` attribute.
    package var css = ""
    /// Values in place of the element's own attributes.
    package var attributes: [String: String] = [:]
    /// The distance in em from the alphabetic baseline up to the one that text stands on. `nil` is the parent's.
    package var baseline: Float?
    /// The path data of its clip path, if that is a shape.
    package var clip: (data: String, isEvenOdd: Bool)?
    /// The primitives of each filter function, or `url()` of a filter.
    package var filters: [String] = []

    package init() {}

    package mutating func add(_ name: String, _ value: String) { css += "\(name):\(value);" }
}

/// A character of a text element, with the place of its origin.
package struct PictureLetter {
    package let text: String
    package var place = Point.zero
    package var degrees: Float = 0
    /// The horizontal scale.
    package var stretch: Float = 1
    /// The path data of its shape, if its font is one of the document, and the font size.
    let outline: String?
    /// Its picture in a font of coloured pictures.
    let picture: GlyphPicture?
    let em: Float

    package init(text: String, outline: String?, picture: GlyphPicture?, em: Float) {
        (self.text, self.outline, self.picture, self.em) = (text, outline, picture, em)
    }
}

/// The picture of a glyph, and its area around the glyph's origin.
package struct GlyphPicture: Equatable, Sendable {
    /// The number of the glyph among those of the document.
    let number: Int
    let uri: String
    let area: Rect

    package init(number: Int, uri: String, area: Rect) { (self.number, self.uri, self.area) = (number, uri, area) }
}

/// Text that is written differently from the source.
package enum PictureText {
    case plain(String)
    /// Characters that are written one by one.
    case letters([PictureLetter])

    fileprivate var letters: [PictureLetter]? { if case .letters(let letters) = self { letters } else { nil } }
}

extension MarkupTree {
    /// The elements that are drawn where they are.
    package static let shapeNames: Set = [
        "circle", "ellipse", "image", "line", "path", "polygon", "polyline", "rect", "text", "use",
    ]

    /// The UTF-8 of an `svg` element and its contents, with the elements elsewhere that it refers to. O(size).
    ///
    /// - Parameter texts: The text nodes that are written differently from the source.
    package func standaloneSVG(
        _ n: NodeID, texts: [NodeID: PictureText] = [:], shapes: Range<NodeID>? = nil,
        style: (NodeID) -> PictureElementStyle
    ) -> [UInt8] {
        withoutActuallyEscaping(style) { style in
            var writer = TreeSVGWriter(top: n, texts: texts, shapes: shapes, style: style)
            visit(n, with: &writer)
            return writer.out
        }
    }

    /// The UTF-8 of a picture that shows what a `mask` or `clipPath` element leaves of the picture's area. O(size).
    package func standaloneMask(_ n: NodeID, style: (NodeID) -> PictureElementStyle) -> [UInt8] {
        withoutActuallyEscaping(style) { style in
            var writer = TreeSVGWriter(top: n, texts: [:], shapes: nil, style: style)
            writer.write("<svg \(TreeSVGWriter.namespaces)><defs>")
            visit(n, with: &writer)
            // The decoder does not know clip paths of clip paths.
            writer.write("</defs><g")
            if let clip = attribute(n, "clip-path") { writer.writeAttribute("clip-path", clip) }
            writer.write("><rect width=\"100%\" height=\"100%\" fill=\"#fff\"")
            writer.writeAttribute(name(n) == "mask" ? "mask" : "clip-path", "url(#\(attribute(n, "id") ?? ""))")
            writer.write("/></g></svg>")
            return writer.out
        }
    }
}

private struct TreeSVGWriter: TreeWalker {
    /// The root element of the document.
    let top: NodeID
    let texts: [NodeID: PictureText]
    let shapes: Range<NodeID>?
    let style: (NodeID) -> PictureElementStyle
    var out: [UInt8] = []
    /// The elements outside of `top` that the picture refers to, directly or through each other.
    var definitions: [NodeID] = []
    static let mostDefinitions = 64
    static let namespaces = #"xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink""#
    var elements: [OpenElement] = []
    /// The number of drop shadows, which names them.
    var shadows = 0
    /// The clip paths and filters that styles need, and the pictures of glyphs, which are written at the end.
    var generated: [String] = []
    var glyphs: Set<Int> = []

    struct OpenElement {
        var node: NodeID
        /// The baseline of its text, and whether a `tspan` moves the text there.
        var baseline: Float
        var isWrapped: Bool
        /// True for text whose letters are elements; the text element is a group.
        var isGroup: Bool
        var isInText: Bool
        var name: String
    }

    mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
        guard let name = Self.name(of: node, in: tree) else { return .contents }
        guard isWritten(node, in: tree) else { return .skip }
        var style = style(node)
        if let clip = style.clip {
            let rule = clip.isEvenOdd ? " clip-rule=\"evenodd\"" : ""
            let path = "><path d=\"\(Self.escaped(clip.data))\"\(rule)/>"
            style.add("clip-path", reference(to: "clipPath", path))
        }
        if !style.filters.isEmpty {
            // A function has no region and uses sRGB (Filter Effects 1 §12).
            let region = "filterUnits=\"userSpaceOnUse\" x=\"-9999%\" y=\"-9999%\" width=\"19999%\" height=\"19999%\""
            let filters = style.filters.map { filter in
                filter.hasPrefix("<")
                    ? reference(to: "filter", " \(region) color-interpolation-filters=\"sRGB\">\(filter)") : filter
            }
            style.add("filter", filters.joined(separator: " "))
        }
        if name == "feDropShadow" {
            writeShadow(node, style, in: tree)
            return .skip
        }
        let isGroup = isGroup(node, in: tree)
        // The decoder would trim each element.
        let isCollapsed = tree.tag(node) == .text && tree.subtree(node).contains { texts[$0] != nil }
        if isCollapsed { style.attributes["xml:space"] = "preserve" }
        // A displacement without effect only moves its input to the region.
        let isMoved = name == "feDisplacementMap" && isTainted(mapOf: node, in: tree)
        let written = isGroup ? "g" : isMoved ? "feOffset" : name
        write("<\(written)")
        if node == top { write(" " + Self.namespaces) }
        tree.forEachAttribute(node) { attribute in
            let lower = tree.attributeName(attribute)
            let name = ForeignNames.attribute(lower)
            guard !name.hasPrefix("xmlns"), Self.isXMLName(name), style.attributes[lower] == nil,
                lower != "style", lower != "pathlength", !PictureAttributes.styled.contains(lower),
                !isGroup || !PictureAttributes.places.contains(lower)
            else { return }
            let value = tree.withValue(attribute) { String(decoding: $0, as: UTF8.self) }
            if PictureAttributes.checked.contains(lower) {
                if let used = PictureAttributes.used(value, of: lower) { writeAttribute(lower, used) }
                return
            }
            write(" \(name)=\"\(Self.escaped(value))\"")
            if lower != "href", lower != "xlink:href" {
                defineReferences(of: value, in: tree)
            } else if tree.name(node) != "a" {
                define(value, in: tree)
            }
        }
        for (name, value) in style.attributes.sorted(by: { $0.key < $1.key }) { writeAttribute(name, value) }
        if name == "use", let link = tree.attribute(node, "href") ?? tree.attribute(node, "xlink:href"),
            let symbol = Self.target(of: link, in: tree), tree.name(symbol) == "symbol"
        {
            // The decoder does not read the size of a symbol.
            for name in ["width", "height"] where !tree.hasAttribute(node, name) {
                if let size = tree.attribute(symbol, name) { writeAttribute(name, size) }
            }
        }
        if !style.css.isEmpty { writeAttribute("style", style.css) }
        defineReferences(of: style.css, in: tree)
        write(">")
        let outer = elements.last?.baseline ?? 0
        let shift = style.baseline ?? outer
        let isPlaced = name == "text" || name == "tspan" && tree.hasAttribute(node, "y")
        let move = isPlaced ? shift : name == "tspan" ? shift - outer : 0
        elements.append(
            OpenElement(
                node: node, baseline: shift, isWrapped: !isGroup && move != 0, isGroup: isGroup,
                isInText: name == "text" || elements.last?.isInText == true, name: written))
        if elements.last?.isWrapped == true {
            // Text after the element is not moved.
            write(isPlaced ? "<tspan dy=\"\(move)em\">" : "<tspan style=\"baseline-shift:\(-move)em\">")
        }
        return .contents
    }

    /// Adds an element with an id of its own, and returns a reference to it.
    private mutating func reference(to name: String, _ rest: String) -> String {
        let id = "\(name)-of-style-\(generated.count)"
        generated.append("<\(name) id=\"\(id)\"\(rest)</\(name)>")
        return "url(#\(id))"
    }

    /// Adds the elements of each `url(#…)`.
    private mutating func defineReferences(of value: String, in tree: MarkupTree) {
        guard value.utf8.contains(UInt8(ascii: "#")) else { return }
        for part in value.utf8.split(separator: UInt8(ascii: "(")).dropFirst() {
            let link = String(Substring(part.prefix { $0 != UInt8(ascii: ")") }))
            define(link.filter { !"'\" ".contains($0) }, in: tree)
        }
    }

    private static func target(of link: String, in tree: MarkupTree) -> NodeID? {
        link.hasPrefix("#") ? tree.nodes(withID: String(link.dropFirst())).first : nil
    }

    private mutating func define(_ link: String, in tree: MarkupTree) {
        guard definitions.count < Self.mostDefinitions, let target = Self.target(of: link, in: tree),
            target < top || target >= tree.subtreeEnd(top), target > top || top >= tree.subtreeEnd(target)
        else { return }
        if !definitions.contains(target) { definitions.append(target) }
    }

    mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) {
        guard let element = elements.last, element.node == node else { return }
        elements.removeLast()
        if element.isWrapped { write("</tspan>") }
        if node == top {
            // Definitions may need further ones.
            var written = 0
            while written < definitions.count {
                write("<defs>")
                tree.visit(definitions[written], with: &self)
                write("</defs>")
                written += 1
            }
            if !generated.isEmpty { write("<defs>\(generated.joined())</defs>") }
        }
        write("</\(element.name)>")
    }

    /// Returns whether the map of a displacement depends on the colour of text, which it must not reveal (Filter Effects 1 §12).
    private func isTainted(mapOf displacement: NodeID, in tree: MarkupTree) -> Bool {
        guard let filter = tree.parent(displacement) else { return false }
        var (last, named) = (false, [:] as [String: Bool])
        func isTainted(_ node: NodeID, _ input: String) -> Bool {
            tree.attribute(node, input).map { named[$0] ?? false } ?? last
        }
        for node in tree.children(filter) where tree.kind(node) == .element {
            if node == displacement { return isTainted(node, "in2") }
            let takesInput = !["feflood", "feturbulence", "feimage", "femerge"].contains(tree.name(node))
            let colors = ["flood-color", "lighting-color"].compactMap { tree.attribute(node, $0) } + [style(node).css]
            let isOwn = colors.contains { $0.lowercased().contains("currentcolor") }
            let parts = tree.name(node) == "femerge" ? tree.children(node).filter { tree.kind($0) == .element } : []
            last =
                isOwn || takesInput && isTainted(node, "in") || tree.hasAttribute(node, "in2") && isTainted(node, "in2")
                || parts.contains { isTainted($0, "in") }
            if let result = tree.attribute(node, "result") { named[result] = last }
        }
        return false
    }

    /// Returns whether an element is text whose letters are written one by one.
    private func isGroup(_ node: NodeID, in tree: MarkupTree) -> Bool {
        if elements.last?.isGroup == true { return true }
        guard !texts.isEmpty, tree.tag(node) == .text else { return false }
        return tree.subtree(node).contains { texts[$0]?.letters != nil }
    }

    mutating func visitText(_ node: NodeID, in tree: MarkupTree) {
        guard elements.last?.isGroup == true else {
            if case .plain(let text)? = texts[node] { return write(Self.escaped(text)) }
            return write(Self.escaped(tree.text(node)))
        }
        for letter in texts[node]?.letters ?? [] {
            var map = "translate(\(letter.place.x) \(letter.place.y))"
            if letter.degrees != 0 { map += "rotate(\(letter.degrees))" }
            if letter.stretch != 1 { map += "scale(\(letter.stretch) 1)" }
            let baseline = elements.last?.baseline ?? 0
            let moved = "\(map)translate(0 \(baseline * letter.em))"
            if let picture = letter.picture {
                write("<use transform=\"\(moved)\" xlink:href=\"#\(name(of: picture))\"/>")
                continue
            }
            if let outline = letter.outline {
                write("<path transform=\"\(moved)\" d=\"\(outline)\"/>")
                continue
            }
            write("<text text-anchor=\"start\" transform=\"\(map)\" dy=\"\(baseline)em\">")
            write(Self.escaped(letter.text) + "</text>")
        }
    }

    /// The id of a glyph's picture, which is written once.
    private mutating func name(of picture: GlyphPicture) -> String {
        let (name, area) = ("glyph-\(picture.number)", picture.area)
        guard glyphs.insert(picture.number).inserted else { return name }
        generated.append(
            "<image id=\"\(name)\" x=\"\(area.x)\" y=\"\(area.y)\" width=\"\(area.width)\" height=\"\(area.height)\" "
                + "xlink:href=\"\(picture.uri)\"/>")
        return name
    }

    /// The shadow as the primitives that it stands for (Filter Effects 1 §9.20).
    private mutating func writeShadow(_ node: NodeID, _ style: PictureElementStyle, in tree: MarkupTree) {
        shadows += 1
        let (source, blurred) = ("drop-\(shadows)-source", "drop-\(shadows)")
        func attributes(_ names: String...) -> String {
            let written = names.compactMap { name in tree.attribute(node, name).map { Self.attribute(name, $0) } }
            return written.joined()
        }
        let offset = ["dx", "dy"].map { Self.attribute($0, tree.attribute(node, $0) ?? "2") }.joined()
        let deviation = Self.escaped(tree.attribute(node, "stddeviation") ?? "2")
        write("<feOffset dx=\"0\" dy=\"0\" result=\"\(source)\"\(attributes("in"))/>")
        write("<feGaussianBlur in=\"\(source)\" stdDeviation=\"\(deviation)\"/>")
        write("<feOffset result=\"\(blurred)\"\(offset)/>")
        write("<feFlood style=\"\(Self.escaped(style.css))\"\(attributes("flood-color", "flood-opacity"))/>")
        write("<feComposite operator=\"in\" in2=\"\(blurred)\"/>")
        write("<feMerge\(attributes("result", "x", "y", "width", "height"))>")
        write("<feMergeNode/><feMergeNode in=\"\(source)\"/></feMerge>")
    }

    fileprivate mutating func write(_ text: String) { out.append(contentsOf: text.utf8) }

    fileprivate mutating func writeAttribute(_ name: String, _ value: String) { write(Self.attribute(name, value)) }

    private static func attribute(_ name: String, _ value: String) -> String {
        " \(ForeignNames.attribute(name))=\"\(escaped(value))\""
    }

    private static func escaped(_ text: String) -> String {
        text.escaped { scalar in
            scalar < " " && !["\t", "\n", "\r"].contains(scalar) ? "" : scalar.markupReference
        }
    }

    /// Returns whether the decoder draws the element: boxes show `foreignObject`, and a `switch` shows one child.
    private func isWritten(_ node: NodeID, in tree: MarkupTree) -> Bool {
        guard tree.tag(node) != .style, tree.tag(node) != .foreignobject else { return false }
        // No text is drawn in another.
        if tree.tag(node) == .text, elements.last?.isInText == true { return false }
        if let shapes, !shapes.contains(node), MarkupTree.shapeNames.contains(tree.name(node)) {
            // Shapes in definitions are written.
            let groups = ["g", "a", "svg", "switch"]
            if tree.ancestors(node).first(where: { $0 == top || !groups.contains(tree.name($0)) }) == top {
                return false
            }
        }
        guard let parent = tree.parent(node), tree.name(parent) == "switch" else { return true }
        return !tree.children(parent).contains { $0 < node && tree.tag($0) == .foreignobject }
    }

    /// The element's name in SVG's spelling; nil for a name that XML does not allow: only the contents are written then.
    private static func name(of node: NodeID, in tree: MarkupTree) -> String? {
        let name = ForeignNames.element(tree.name(node))
        return isXMLName(name) ? name : nil
    }

    /// Returns whether a name has only ASCII letters, digits and marks, and no prefix except the declared ones.
    private static func isXMLName(_ name: String) -> Bool {
        let local =
            name.hasPrefix("xlink:") ? name.dropFirst(6) : name.hasPrefix("xml:") ? name.dropFirst(4) : name[...]
        guard let first = local.utf8.first, first.isASCIILetter || first == 0x5F else { return false }
        return local.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
    }
}

/// The attributes that are properties whose computed values decide (SVG 2 §6.6).
package enum PictureAttributes {
    package static let styled: Set<String> = [
        "color", "direction", "display", "font-family", "font-size", "font-stretch", "font-style", "font-variant",
        "font-weight", "letter-spacing", "opacity", "text-decoration", "transform-origin", "visibility", "word-spacing",
        "dominant-baseline", "alignment-baseline",
    ]
    /// The attributes that place letters.
    package static let places: Set<String> = [
        "x", "y", "dx", "dy", "rotate", "textlength", "lengthadjust", "startoffset", "href", "xlink:href",
        "text-anchor",
    ]
    /// Those whose numbers are lengths in pixels.
    package static let lengths: Set<String> = ["font-size", "letter-spacing", "word-spacing", "transform-origin"]
    /// Those whose wrong values make the decoder leave out their elements: lists of numbers, lengths and percentages, and the fit.
    package static let checked: Set<String> = [
        "x", "y", "x1", "y1", "x2", "y2", "dx", "dy", "rotate", "textlength", "width", "height", "stddeviation",
        "offset", "viewbox", "points", "preserveaspectratio",
    ]

    /// The part of a value that browsers use (SVG 2 §9.7): pairs of `points`, and nothing of an invalid value of other attributes.
    package static func used(_ value: String, of name: String) -> String? {
        guard checked.contains(name), !value.contains("(") else { return value }
        let parts = value.split { $0 == "," || $0.isWhitespace }
        if name == "preserveaspectratio" {
            let isAligned = parts.first.map { $0 == "none" || $0.hasPrefix("xM") && $0.dropFirst(4).hasPrefix("YM") }
            return isAligned == true && parts.count < 3 ? value : nil
        }
        let numbers = parts.prefix { part in
            let unit = part.reversed().prefix { $0.isLetter || $0 == "%" }.count
            if part == "auto" { return true }
            // Numbers may follow each other without a separator.
            return unit < 6 && part.count > unit && part.dropLast(unit).allSatisfy { "0123456789+-.eE".contains($0) }
        }
        switch name {
        case "points":
            let used = numbers.dropLast(numbers.count % 2)
            let isWhole = used.count == parts.count || !numbers.allSatisfy { Float($0) != nil }
            return isWhole ? value : used.joined(separator: " ")
        case "viewbox" where parts.count != 4: return nil
        default: return numbers.count == parts.count && !parts.isEmpty ? value : nil
        }
    }
}

/// The names that SVG and MathML write in mixed case (HTML §13.2.6.1, §13.2.6.5), by their lower-case forms.
enum ForeignNames {
    static func element(_ name: String) -> String { elements[name] ?? name }

    static func attribute(_ name: String) -> String { attributes[name] ?? name }

    private static let elements = byLowerCase(
        """
        altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix
        feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow
        feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset
        fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient
        radialGradient textPath
        """)
    private static let attributes = byLowerCase(
        """
        attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits definitionURL diffuseConstant edgeMode filterUnits
        glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints keySplines keyTimes lengthAdjust
        limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits numOctaves pathLength
        patternContentUnits patternTransform patternUnits pointsAtX pointsAtY pointsAtZ preserveAlpha
        preserveAspectRatio primitiveUnits refX refY repeatCount repeatDur requiredExtensions requiredFeatures
        specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles surfaceScale systemLanguage
        tableValues targetX targetY textLength viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan
        """)

    private static func byLowerCase(_ names: String) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: names.split(whereSeparator: \.isWhitespace).map { ($0.lowercased(), String($0)) })
    }
}
