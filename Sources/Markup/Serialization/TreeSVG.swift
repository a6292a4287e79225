// Writes an inline `svg` element as an XML document, for a decoder of SVG files.
//
// In: the element, its inherited properties and the rules that apply inside it. Out: well-formed XML. HTML accepts more than XML:
// names get the case of SVG (HTML §13.2.6.1); undeclared prefixes and characters that XML forbids are removed.

extension MarkupTree {
    /// The UTF-8 of an `svg` element and its contents, with the elements elsewhere that its `use` elements refer to. O(size).
    ///
    /// - Parameters:
    ///   - inherited: Presentation attributes for the element, where it has no such attribute itself.
    ///   - sheet: CSS that applies to it.
    ///   - substitute: Returns an attribute's value with `var()` replaced; nil where a variable is not set.
    package func standaloneSVG(
        _ n: NodeID, inherited: [(name: String, value: String)], sheet: [UInt8] = [],
        substitute: (_ value: String, _ node: NodeID) -> String? = { value, _ in value }
    ) -> [UInt8] {
        withoutActuallyEscaping(substitute) { substitute in
            var writer = TreeSVGWriter(
                top: n, inherited: inherited, sheet: sheet, definitions: used(by: n), substitute: substitute)
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
    let inherited: [(name: String, value: String)]
    let sheet: [UInt8]
    let definitions: [NodeID]
    let substitute: (String, NodeID) -> String?
    var out: [UInt8] = []

    /// Resets the properties that the box around the picture already applies.
    private static let boxReset =
        ";display:inline;background:none;opacity:1;transform:none;filter:none;mask:none;clip-path:none;mix-blend-mode:normal"

    mutating func enterElement(_ node: NodeID, in tree: MarkupTree) -> Descent {
        guard let name = Self.name(of: node, in: tree) else { return .contents }
        out.append(contentsOf: "<\(name)".utf8)
        if node == top {
            out.append(
                contentsOf: " xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"".utf8)
            for attribute in inherited where !tree.hasAttribute(node, attribute.name) {
                out.append(contentsOf: " \(attribute.name)=\"".utf8)
                var value = attribute.value
                value.withUTF8 { Self.appendXML($0, to: &out) }
                out.append(UInt8(ascii: "\""))
            }
        }
        tree.forEachAttribute(node) { attribute in
            let lower = tree.attributeName(attribute)
            let name = ForeignNames.attribute(lower)
            guard !name.hasPrefix("xmlns"), Self.isXMLName(name) else { return }
            var value = tree.withValue(attribute) {
                Self.mentionsVariable($0) ? String(decoding: $0, as: UTF8.self) : nil
            }
            if let written = value {
                value = substitute(written, node)
                if value == nil { return }
            }
            out.append(contentsOf: " \(name)=\"".utf8)
            if var value {
                value.withUTF8 { Self.appendXML($0, to: &out) }
            } else {
                tree.withValue(attribute) { Self.appendXML($0, to: &out) }
            }
            if node == top, name == "style" { out.append(contentsOf: Self.boxReset.utf8) }
            out.append(UInt8(ascii: "\""))
        }
        if node == top, !sheet.isEmpty, !tree.hasAttribute(node, "style") {
            out.append(contentsOf: " style=\"\(Self.boxReset)\"".utf8)
        }
        out.append(UInt8(ascii: ">"))
        if node == top {
            if !sheet.isEmpty {
                out.append(contentsOf: "<style>".utf8)
                sheet.withUnsafeBufferPointer { Self.appendXML($0, to: &out) }
                out.append(contentsOf: "</style>".utf8)
            }
            if !definitions.isEmpty {
                out.append(contentsOf: "<defs>".utf8)
                for definition in definitions { tree.visit(definition, with: &self) }
                out.append(contentsOf: "</defs>".utf8)
            }
        }
        return .contents
    }

    mutating func leaveElement(_ node: NodeID, in tree: MarkupTree) {
        if let name = Self.name(of: node, in: tree) { out.append(contentsOf: "</\(name)>".utf8) }
    }

    mutating func visitText(_ node: NodeID, in tree: MarkupTree) {
        tree.withText(node) { Self.appendXML($0, to: &out) }
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

    private static func mentionsVariable(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.indices.contains { text[$0] == 0x28 && text[..<$0].suffix(3).elementsEqual("var".utf8) }
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
