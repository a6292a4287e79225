// Writes an inline `svg` element as an XML document, for a decoder of SVG files.
//
// In: the element and the computed style of each element inside. Out: well-formed XML without rules. HTML accepts more than XML:
// names get the case of SVG (HTML §13.2.6.1); undeclared prefixes and characters that XML forbids are removed. What the decoder
// lacks is written in other words: drop shadows, baselines, and positions of single letters.

/// The style of an element in a picture.
package struct PictureElementStyle {
    /// Declarations for the `style` attribute.
    package var css = ""
    /// Values in place of the element's own attributes.
    package var attributes: [String: String] = [:]
    /// The distance in em from the alphabetic baseline up to the one that text stands on. `nil` is the parent's.
    package var baseline: Float?

    package init() {}

    package mutating func add(_ name: String, _ value: String) { css += "\(name):\(value);" }
}

extension MarkupTree {
    /// The UTF-8 of an `svg` element and its contents, with the elements elsewhere that its `use` elements refer to. O(size).
    ///
    /// - Parameter style: Returns the style of an element of the picture.
    package func standaloneSVG(_ n: NodeID, style: (NodeID) -> PictureElementStyle) -> [UInt8] {
        withoutActuallyEscaping(style) { style in
            var writer = TreeSVGWriter(top: n, definitions: used(by: n), style: style)
            visit(n, with: &writer)
            return writer.out
        }
    }

    /// The elements outside of `n` that its `use` elements refer to, directly or through each other.
    private func used(by n: NodeID) -> [NodeID] {
        var found: [NodeID] = []
        var roots = [n]
        while let root = roots.popLast() {
            for node in subtree(root) where kind(node) == .element && name(node) == "use" {
                guard found.count < 64, let link = attribute(node, "href") ?? attribute(node, "xlink:href"),
                    link.hasPrefix("#"), let target = nodes(withID: String(link.dropFirst())).first,
                    target < n || target >= subtreeEnd(n), !found.contains(target),
                    !(target < n && n < subtreeEnd(target))
                else { continue }
                found.append(target)
                roots.append(target)
            }
        }
        return found
    }
}

private struct TreeSVGWriter: TreeWalker {
    /// The root element of the document.
    let top: NodeID
    let definitions: [NodeID]
    let style: (NodeID) -> PictureElementStyle
    var out: [UInt8] = []
    var elements: [OpenElement] = []
    /// The names of drop shadows' inputs.
    var shadows = 0

    struct OpenElement {
        /// The baseline of its text, and whether a `tspan` moves the text there.
        var baseline: Float
        var isWrapped: Bool
        /// The positions that it gives to its single letters, and the number of letters before the next one.
        var places: [(name: String, values: [String])]
        /// The index of the open element whose positions apply to its text; −1 if there is none.
        var owner: Int
        var letters = 0
        var endsInSpace = true
    }

    mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
        guard let name = Self.name(of: node, in: tree) else { return .contents }
        if name == "style" { return .skip }
        let style = style(node)
        if name == "feDropShadow" {
            writeShadow(node, style, in: tree)
            return .skip
        }
        write("<\(name)")
        if node == top {
            write(" xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"")
        }
        tree.forEachAttribute(node) { attribute in
            let lower = tree.attributeName(attribute)
            let name = ForeignNames.attribute(lower)
            guard !name.hasPrefix("xmlns"), Self.isXMLName(name), style.attributes[lower] == nil,
                lower != "style", !PictureAttributes.styled.contains(lower)
            else { return }
            write(" \(name)=\"")
            tree.withValue(attribute) { Self.appendXML($0, to: &out) }
            write("\"")
        }
        for (name, value) in style.attributes.sorted(by: { $0.key < $1.key }) { writeAttribute(name, value) }
        if !style.css.isEmpty { writeAttribute("style", style.css) }
        write(">")
        let outer = elements.last?.baseline ?? 0
        let shift = style.baseline ?? outer
        let isPlaced = name == "text" || name == "tspan" && (tree.hasAttribute(node, "y") || shift != outer)
        let places = Self.places(of: node, in: tree)
        let around = name == "tspan" ? elements.last?.owner ?? -1 : -1
        elements.append(
            OpenElement(
                baseline: shift, isWrapped: isPlaced && shift != 0, places: places,
                owner: places.isEmpty ? around : elements.count))
        if isPlaced, shift != 0 { write("<tspan dy=\"\(shift)em\">") }
        if node == top, !definitions.isEmpty {
            write("<defs>")
            for definition in definitions { tree.visit(definition, with: &self) }
            write("</defs>")
        }
        return .contents
    }

    mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) {
        guard let name = Self.name(of: node, in: tree), name != "style", name != "feDropShadow" else { return }
        if elements.removeLast().isWrapped { write("</tspan>") }
        write("</\(name)>")
    }

    mutating func visitText(_ node: NodeID, in tree: MarkupTree) {
        guard let owner = elements.last?.owner, owner >= 0 else {
            tree.withText(node) { Self.appendXML($0, to: &out) }
            return
        }
        var element = elements[owner]
        defer { (elements[owner].letters, elements[owner].endsInSpace) = (element.letters, element.endsInSpace) }
        for letter in tree.text(node) {
            // White space collapses to one letter.
            if letter.isWhitespace, element.endsInSpace { continue }
            element.endsInSpace = letter.isWhitespace
            let own = element.places.filter { element.letters < $0.values.count }
            if !own.isEmpty {
                write("<tspan")
                for place in own { writeAttribute(place.name, place.values[element.letters]) }
                write(">")
            }
            write(Self.escaped(String(letter)))
            if !own.isEmpty { write("</tspan>") }
            element.letters += 1
        }
    }

    /// The positions that an element gives to its single letters; the decoder reads only the first value of each list.
    private static func places(of element: NodeID, in tree: MarkupTree) -> [(name: String, values: [String])] {
        guard tree.name(element) == "text" || tree.name(element) == "tspan", tree.hasAttributes(element) else {
            return []
        }
        return ["x", "y", "dx", "dy"].compactMap { name in
            let values = (tree.attribute(element, name) ?? "").split { $0 == "," || $0.isWhitespace }
            return values.count > 1 ? (name, values.map(String.init)) : nil
        }
    }

    /// The shadow as the primitives that it stands for (Filter Effects 1 §9.20).
    private mutating func writeShadow(_ node: NodeID, _ style: PictureElementStyle, in tree: MarkupTree) {
        shadows += 1
        let (source, blurred) = ("drop-\(shadows)-source", "drop-\(shadows)")
        func attributes(_ names: String...) -> String {
            names.compactMap { name in
                let written = ForeignNames.attribute(name)
                guard let value = tree.attribute(node, name) else { return nil }
                return " \(written)=\"\(Self.escaped(value))\""
            }.joined()
        }
        let offset = ["dx", "dy"].map { " \($0)=\"\(Self.escaped(tree.attribute(node, $0) ?? "2"))\"" }.joined()
        let deviation = Self.escaped(tree.attribute(node, "stddeviation") ?? "2")
        write("<feOffset dx=\"0\" dy=\"0\" result=\"\(source)\"\(attributes("in"))/>")
        write("<feGaussianBlur in=\"\(source)\" stdDeviation=\"\(deviation)\"/>")
        write("<feOffset result=\"\(blurred)\"\(offset)/>")
        write("<feFlood style=\"\(Self.escaped(style.css))\"\(attributes("flood-color", "flood-opacity"))/>")
        write("<feComposite operator=\"in\" in2=\"\(blurred)\"/>")
        write("<feMerge\(attributes("result", "x", "y", "width", "height"))>")
        write("<feMergeNode/><feMergeNode in=\"\(source)\"/></feMerge>")
    }

    private mutating func write(_ text: String) { out.append(contentsOf: text.utf8) }

    private mutating func writeAttribute(_ name: String, _ value: String) {
        write(" \(ForeignNames.attribute(name))=\"\(Self.escaped(value))\"")
    }

    private static func escaped(_ text: String) -> String {
        var text = text
        var out: [UInt8] = []
        text.withUTF8 { appendXML($0, to: &out) }
        return String(decoding: out, as: UTF8.self)
    }

    /// The element's name in SVG's spelling; nil for a name that XML does not allow: only the contents are written then.
    private static func name(of node: NodeID, in tree: MarkupTree) -> String? {
        let lower = tree.name(node)
        let name = ForeignNames.element(lower)
        return isXMLName(name) ? name : nil
    }

    /// Returns whether a name has only ASCII letters, digits and marks, and no prefix except the declared ones.
    private static func isXMLName(_ name: String) -> Bool {
        let local =
            name.hasPrefix("xlink:") ? name.dropFirst(6) : name.hasPrefix("xml:") ? name.dropFirst(4) : name[...]
        guard let first = local.utf8.first, first | 0x20 >= 0x61, first | 0x20 <= 0x7A || first == 0x5F else {
            return false
        }
        return local.utf8.allSatisfy {
            ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D || $0 == 0x2E
                || $0 == 0x5F
        }
    }

    private static func appendXML(_ text: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
        MarkupTree.append(text, to: &out) { index in
            switch text[index] {
            case UInt8(ascii: "&"): ("&amp;", 1)
            case UInt8(ascii: "<"): ("&lt;", 1)
            case UInt8(ascii: ">"): ("&gt;", 1)
            case UInt8(ascii: "\""): ("&quot;", 1)
            case 0x09, 0x0A, 0x0D: nil
            case 0..<0x20: ("", 1)
            default: nil
            }
        }
    }
}

/// The attributes that are properties whose computed values decide (SVG 2 §6.6).
package enum PictureAttributes {
    package static let styled: Set<String> = [
        "color", "direction", "display", "font-family", "font-size", "font-stretch", "font-style", "font-weight",
        "letter-spacing", "opacity", "text-decoration", "transform-origin", "visibility", "word-spacing",
        "dominant-baseline",
    ]
    /// Those whose numbers are lengths in pixels.
    package static let lengths: Set<String> = ["font-size", "letter-spacing", "word-spacing", "transform-origin"]
}

/// The names that SVG and MathML write in mixed case (HTML §13.2.6.1 "adjust SVG attributes", §13.2.6.5), by their lower-case
/// forms.
enum ForeignNames {
    /// The proper spelling of an element name in lower case.
    static func element(_ name: String) -> String { elements[name] ?? name }

    /// The proper spelling of an attribute name in lower case.
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
