// SVG documents in words that the decoder knows: with computed styles for rules of CSS, and with the files they refer to.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextGeneration
import FancyTextMarkup
import FancyTextStyling

enum VectorDocument {
    /// The document with its computed styles, as an inline `svg`, if it may have features that the decoder lacks; and the features that
    /// have no effect.
    static func styled(
        _ svg: [UInt8], background: Color?, prefersDark: Bool
    ) -> (document: [UInt8], lost: [String]) {
        guard let text = String(validating: svg, as: UTF8.self) else { return (svg, []) }
        let lost = ["foreignObject", "textPath", "textLength"].filter {
            text.contains("<\($0)") || text.contains(" \($0)=")
        }
        guard lost.isEmpty, svg.count <= mostStyled, styledWords.contains(where: { text.contains($0) }),
            !hasOtherMeaning(text), let source = root(of: svg)
        else { return (svg, lost) }
        let tree = MarkupTree.parse("<!DOCTYPE html>" + source)
        var log = DiagnosticLog()
        var options = StyleOptions()
        options.media.prefersDark = prefersDark
        let styled = MarkupStyleResolver(options: options).resolve(tree, log: &log)
        // The parser of HTML may end the picture at an element of HTML.
        guard let element = tree.subtree(tree.root).first(where: { tree.tag($0) == .svg }),
            Int(tree.subtreeEnd(element).index) == tree.count, !hasBoxEffects(styled.computed(element))
        else { return (svg, []) }
        let boxes = BoxGenerator.generate(styled, log: &log)
        // Letters with places need fonts.
        guard boxes.measuredTexts.isEmpty else { return (svg, ["a part of the style of text"]) }
        guard let picture = boxes.replaced.first, picture.isOwnPicture else { return (svg, []) }
        let document = DataURI.percentDecoded(picture.source.utf8.dropFirst(ReplacedContent.ownPicture.utf8.count))
        guard let background else { return (document, []) }
        // The box of an inline `svg` paints the background.
        let start = " style=\""
        let painted = String(decoding: document, as: UTF8.self).replacing(
            start, with: "\(start)background:\(background.hex);", maxReplacements: 1)
        return (Array(painted.utf8), [])
    }

    /// The most bytes of a document with computed styles.
    private static let mostStyled = 1 << 18

    /// The text of a document without its shapes, as an `svg` element after its name; empty without text.
    ///
    /// - Parameter inLayers: Only the text in groups with an opacity, which the library draws as shapes.
    static func texts(of svg: [UInt8], _ size: ImageHeader, inLayers: Bool) -> String {
        guard svg.count <= mostStyled, let (tree, root) = parsed(svg) else { return "" }
        let texts = texts(in: root, of: tree, isKept: !inLayers)
        guard !texts.isEmpty, texts.utf8.count <= VectorCheck.mostText else { return "" }
        return " viewBox=\"0 0 \(size.width) \(size.height)\" preserveAspectRatio=\"none\">\(texts)</svg>"
    }

    private static func texts(
        in node: NodeID, of tree: MarkupTree, isKept: Bool, isText: Bool = false, depth: Int = 0
    ) -> String {
        let name = tree.name(node)
        if tree.kind(node) == .text { return isText && isKept ? escaped(tree.text(node)) : "" }
        guard ["svg", "g", "a", "text", "tspan"].contains(name), depth < VectorCheck.deepest else { return "" }
        var values = Dictionary(tree.attributes(node).map { ($0.name[...], $0.value[...]) }) { $1 }
        for part in (values["style"] ?? "").split(separator: ";").map({ $0.split(separator: ":") })
        where part.count == 2 {
            values[part[0].trimmed(\.isWhitespace)] = part[1].trimmed(\.isWhitespace)
        }
        let isKept = isKept || values["opacity"].map { Float($0) != 1 } ?? false
        let contents = tree.children(node).map {
            texts(in: $0, of: tree, isKept: isKept, isText: isText || name == "text", depth: depth + 1)
        }.joined()
        let list = textAttributes.compactMap { name in values[name].map { " \(name)=\"\(escaped(String($0)))\"" } }
        return contents.isEmpty ? "" : "<\(name)\(list.joined())>\(contents)</\(name)>"
    }

    private static func escaped(_ text: String) -> String {
        text.escaped { scalar in
            switch scalar.value {
            case 0x22, 0x26, 0x3C, 0x3E: "&#\(scalar.value);"
            case 0..<0x20, 0xFFFE, 0xFFFF: " "
            default: nil
            }
        }
    }

    /// The attributes and properties that place text.
    private static let textAttributes: [Substring] = [
        "x", "y", "dx", "dy", "width", "height", "viewBox", "preserveAspectRatio", "transform", "display", "visibility",
        "direction", "text-anchor", "font-family", "font-size", "font-style", "font-weight", "letter-spacing",
        "xml:space",
    ]

    /// Returns whether an `svg` has effects that its box has in a page, and that the document would lose.
    private static func hasBoxEffects(_ style: ComputedStyle) -> Bool {
        style.box.opacity < 1 || !style.box.$effects || style.containsFixedBoxes || style.text.visibility != .visible
    }

    /// Returns whether parts of a document have another meaning in an inline `svg`, where queries of sizes refer to the page and links
    /// have the prefix `xlink`.
    private static func hasOtherMeaning(_ text: String) -> Bool {
        let queries = text.split(separator: "@media").dropFirst().map { $0.prefix { $0 != "{" } }
        return queries.contains { $0.contains("width") || $0.contains("height") || $0.contains("aspect") }
            || text.contains("http://www.w3.org/1999/xlink") && !text.contains("xmlns:xlink=")
    }

    /// Parts of documents with features that the decoder lacks.
    private static let styledWords = [
        "<style", "var(", "light-dark(", "color-mix(", "oklch(", "oklab(", "-baseline", "pathLength", "<tspan",
        "circle(", "ellipse(", "inset(", "polygon(", "blur(", "brightness(", "contrast(", "grayscale(", "hue-rotate(",
        "invert(", "saturate(", "sepia(", "drop-shadow(",
    ]

    /// The `svg` element of a document, without entities.
    static func root(of svg: [UInt8]) -> String? {
        guard let (tree, root) = parsed(svg) else { return nil }
        let text = String(decoding: tree.source, as: UTF8.self)
        return text.contains("<!ENTITY") ? nil : String(decoding: tree.source[tree.sourceRange(root)], as: UTF8.self)
    }

    /// The tree of a document and its `svg` element; nil for other files.
    private static func parsed(_ svg: [UInt8]) -> (tree: MarkupTree, root: NodeID)? {
        guard ImageHeader.sniff(svg) == .svg else { return nil }
        var options = SyntaxOptions()
        options.isXML = true
        let tree = MarkupTree.parse(String(decoding: svg, as: UTF8.self), options: options)
        return tree.children(tree.root).first { tree.name($0) == "svg" }.map { (tree, $0) }
    }
}

extension ImageStore {
    /// An SVG document of the page with the files that its elements refer to inside. Other documents load no files.
    func withFiles(_ svg: [UInt8]) -> [UInt8] {
        var (result, rest) = ([] as [UInt8], svg[...])
        var definitions: [String: String] = [:]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            let end = rest[start...].firstIndex(of: UInt8(ascii: ">")) ?? rest.endIndex
            let tag = rest[start..<end]
            result += rest[..<start]
            rest = rest[end...]
            let name = String(decoding: tag.dropFirst().prefix { $0 != 0x20 }.prefix(8), as: UTF8.self)
            let text = String(decoding: tag, as: UTF8.self)
            var parts =
                ["image", "feImage", "use"].contains(name)
                ? text.split(separator: "href=\"", maxSplits: 1).map(String.init) : []
            let link = parts.count == 2 ? String(parts[1].prefix { $0 != "\"" }) : "#"
            guard !link.hasPrefix("#") else {
                result += tag
                continue
            }
            let source = link.replacing("&amp;", with: "&")
            if name == "image" {
                parts[0].insert(
                    contentsOf: missingSide(of: text, source), at: parts[0].firstIndex(of: " ") ?? parts[0].endIndex)
            }
            var target = link
            if DataURI.isDataURI(String(link.prefix(5))) {
                // The file is inside already.
            } else if name == "use" {
                let file = String(source.prefix { $0 != "#" })
                if let root = definitions[file] ?? data(of: file).flatMap(VectorDocument.root) {
                    definitions[file] = root
                    target = String(link.drop { $0 != "#" })
                }
            } else {
                target = embedded(source) ?? link
            }
            result += (parts[0] + "href=\"" + target + parts[1].dropFirst(link.count)).utf8
        }
        result += rest
        if !definitions.isEmpty, let last = result.lastIndex(of: UInt8(ascii: "<")) {
            let files = definitions.sorted { $0.key < $1.key }.map(\.value).joined()
            result.insert(contentsOf: "<defs>\(files)</defs>".utf8, at: last)
        }
        return result
    }

    /// The side that an `image` element lacks, by the ratio of its picture (SVG 2 §12.3), which the decoder does not use.
    private func missingSide(of tag: String, _ source: String) -> String {
        func value(_ name: String) -> Substring? {
            // An attribute or a declaration.
            for mark in [" \(name)=\"", ";\(name):", "\"\(name):"] {
                if let start = tag.firstRange(of: mark)?.upperBound {
                    return tag[start...].prefix { $0 != "\"" && $0 != ";" }
                }
            }
            return nil
        }
        let (width, height) = (value("width"), value("height"))
        guard (width == nil) != (height == nil), let text = width ?? height,
            let length = Float(text.hasSuffix("px") ? text.dropLast(2) : text),
            let ratio = naturalDimensions(of: source)?.ratio
        else { return "" }
        return width == nil ? " width=\"\(length * ratio)\"" : " height=\"\(length / ratio)\""
    }

    /// The `data:` URI of a picture, as PNG if it is not SVG.
    private func embedded(_ source: String) -> String? {
        let file = file(source: source)
        let isSVG = file?.format == .svg
        let pixels = isSVG ? nil : picture(source: source, width: 1, height: 1)
        guard let bytes = pixels.flatMap({ try? PNGEncoder().encode($0) }) ?? file?.bytes else { return nil }
        return "data:image/\(isSVG ? "svg+xml" : "png");base64," + String(decoding: Base64.encode(bytes), as: UTF8.self)
    }
}
