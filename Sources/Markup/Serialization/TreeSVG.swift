// An inline `svg` element as an XML document of its own, for a decoder of SVG files.
//
// In: the element and the colour that `currentColor` stands for. Out: well-formed XML. HTML forgives what XML does not:
// names get the case that SVG gives them (HTML §13.2.6.1), prefixes that nothing declares and characters that XML bans go.

extension MarkupTree {
    /// UTF-8 of an `svg` element and what it holds. O(size).
    package func standaloneSVG(_ n: NodeID, color: String) -> [UInt8] {
        var out: [UInt8] = []
        var open: [(end: UInt32, name: String)] = []
        let end = subtreeEnd(n).index
        var at = n.index
        while true {
            while let last = open.last, last.end <= at {
                open.removeLast()
                out.append(contentsOf: "</\(last.name)>".utf8)
            }
            guard at < end else { return out }
            let node = NodeID(index: at)
            at += 1
            switch kind(node) {
            case .text: withText(node) { Self.appendXML($0, to: &out) }
            case .element:
                let lower = name(node)
                let name = SVGNames.elements[lower] ?? lower
                guard Self.isXMLName(name) else { continue }
                out.append(contentsOf: "<\(name)".utf8)
                if node == n {
                    out.append(
                        contentsOf:
                            " xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"".utf8)
                    if !hasAttribute(n, "color") { out.append(contentsOf: " color=\"\(color)\"".utf8) }
                }
                forEachAttribute(node) { attribute in
                    let lower = attributeName(attribute)
                    let name = SVGNames.attributes[lower] ?? lower
                    guard !name.hasPrefix("xmlns"), Self.isXMLName(name) else { return }
                    out.append(contentsOf: " \(name)=\"".utf8)
                    withValue(attribute) { Self.appendXML($0, to: &out) }
                    out.append(UInt8(ascii: "\""))
                }
                out.append(UInt8(ascii: ">"))
                open.append((subtreeEnd(node).index, name))
            case .root, .comment, .doctype, .instruction: break
            }
        }
    }

    /// A name of ASCII letters, digits and marks, with no prefix but those that are declared.
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
        for byte in text {
            switch byte {
            case UInt8(ascii: "&"): out.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): out.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): out.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): out.append(contentsOf: "&quot;".utf8)
            case 0x09, 0x0A, 0x0D: out.append(byte)
            case 0..<0x20: break
            default: out.append(byte)
            }
        }
    }
}

/// The names that SVG writes in mixed case (HTML §13.2.6.1 "adjust SVG attributes", §13.2.6.5), by their lower case.
private enum SVGNames {
    static let elements = byLowerCase(
        """
        altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix
        feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow
        feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset
        fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient
        radialGradient textPath
        """)
    static let attributes = byLowerCase(
        """
        attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant edgeMode filterUnits
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
