// Bounds the work that an SVG file can cause in the library that draws it. The project's own XML reader parses the file, and an upper
// bound of the cost is computed: how often each element is drawn, by references, and how many pictures filters, masks and groups take.
// What XML readers may read differently is refused.

import FancyTextBoxes
import FancyTextMarkup

package enum VectorCheck {
    /// The number of elements drawn; an element counts each time.
    static let mostElements = 100_000.0
    /// The most values of a filter's kernel; librsvg ends the process at more than 400.
    static let mostKernelValues = 256
    static let mostOctaves = 16.0
    static let widestMorphology = 100.0
    /// The most bytes of text; shaping long runs takes quadratic time.
    static let mostText = 1 << 14
    /// Deepest nesting of elements and references together.
    static let deepest = 256
    /// The most pixels that filters, masks and groups process.
    static let mostWork = 2_147_483_648.0
    static let mostFilePixels = 33_554_432.0
    /// The most bytes of a file with entities of its own.
    static let mostEntities = 64

    /// - Parameter pixels: The number of pixels of the picture; 0 when only its size is needed.
    /// - Throws: ``ImageError/tooCostly(_:)``.
    package static func check(_ data: [UInt8], pixels: Int = 0) throws(ImageError) {
        try checkProlog(data)
        var estimate = Estimate(tree(data))
        try estimate.check(pixels: max(1, pixels))
    }

    private static func tree(_ data: [UInt8]) -> MarkupTree {
        var options = SyntaxOptions()
        (options.isXML, options.isUTF8, options.dropsComments) = (true, true, true)
        return MarkupTree.parse(String(decoding: data, as: UTF8.self), options: options)
    }

    /// An upper bound of the path parts of one drawing of a file with paths and colours only, little text, and links that outputs may
    /// offer, which the library writes into a PDF file. nil for other files and for more than 200,000 parts.
    ///
    /// Such a file may be drawn in this process, which a crash of the library would end, as cairo 1.16 does at links in groups.
    package static func plainParts(_ data: [UInt8]) -> Int? {
        guard data.count <= 1 << 20, (try? check(data)) != nil else { return nil }
        let tree = tree(data)
        let hasEntities = String(decoding: data, as: UTF8.self).contains("<!ENTITY")
        func has(_ words: [String], _ text: some StringProtocol) -> Bool {
            let text = text.lowercased()
            return words.contains { text.contains($0) }
        }
        var (letters, clips, links) = (0, 0, 0)
        var makesGroups = false
        for node in tree.subtree(tree.root) {
            if tree.kind(node) == .text {
                letters += tree.text(node).utf8.count { $0 > 0x20 }
                if has(costlyWords, tree.text(node)) { return nil }
                makesGroups = makesGroups || has(groupWords, tree.text(node))
            }
            guard tree.kind(node) == .element else { continue }
            let element = Estimate.local(tree.name(node))
            guard plainElements.contains(String(element)) else { return nil }
            for (attribute, value) in tree.attributes(node) {
                let name = Estimate.local(attribute)
                let isLink = name == "href" && element == "a"
                if isLink, hasEntities || LinkDestination.offered(value) == nil { return nil }
                if has(costlyWords, name) || name == "style" && has(costlyWords, value) { return nil }
                if isLink { links += 1 }
                if name == "clip-path" || name == "opacity" { clips += 1 }
                makesGroups = makesGroups || name == "style" && has(groupWords, value)
            }
        }
        var estimate = Estimate(tree)
        guard letters <= 4096, clips <= 64, links == 0 || clips == 0 && !makesGroups,
            let cost = try? estimate.whole(), cost.parts <= 200_000
        else { return nil }
        return Int(cost.parts)
    }

    /// Returns whether a file may have links.
    static func hasLinks(_ data: [UInt8]) -> Bool {
        let tree = tree(data)
        return tree.subtree(tree.root).contains { Estimate.local(tree.name($0)) == "a" }
    }

    private static let plainElements: Set<String> = [
        "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "defs", "title", "desc",
        "metadata", "linearGradient", "radialGradient", "stop", "use", "symbol", "a", "clipPath", "text", "tspan",
        "style",
        // Metadata of drawing programs.
        "namedview", "RDF", "Work", "format", "type",
    ]
    /// With the start of an escape, which may be any word.
    private static let groupWords = ["opacity", "clip-path", "\\"]
    private static let costlyWords = ["filter", "mask", "dash", "marker", "blend", "isolation"]

    /// An entity; group 1 if it may be more than words.
    private static let entity = Expression(#"<!ENTITY(?:[^>&<%]{0,504}+(?:>|\z)|())"#, anchored: false)

    /// Entities may be text, as drawing programs use them, but not markup.
    private static func checkProlog(_ data: [UInt8]) throws(ImageError) {
        let head = String(decoding: data.prefix(1024), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if head.hasPrefix("<?xml") {
            let declaration = head.prefix { $0 != ">" }.lowercased().filter { !$0.isWhitespace && !"\"'".contains($0) }
            let known = ["utf-8", "utf8", "us-ascii", "iso-8859-1", "iso-8859-15", "windows-1252"]
            guard !declaration.contains("encoding") || known.contains(where: { declaration.contains("encoding=" + $0) })
            else { throw .tooCostly("it is written in an unusual encoding") }
        }
        var (count, start) = (0, 0)
        let matcher = Matcher()
        while entity.match(data, count: data.count, from: start, with: matcher) {
            count += 1
            guard count <= mostEntities, matcher.group(1) == nil
            else { throw .tooCostly("its entities stand for more than words") }
            start = matcher.end
        }
    }
}

private struct Estimate {
    private let tree: MarkupTree
    private var targets: [String: NodeID] = [:]
    private var known: [NodeID: Cost] = [:]
    private var open: Set<NodeID> = []
    private var textBytes = 0
    private var filePixels = 0.0
    /// The declarations of style sheets by the class of their rule; `commonStyle` has those for any element.
    private var classStyles: [Substring: String] = [:]
    private var commonStyle = ""

    /// The cost of one drawing. References can multiply it beyond any integer.
    struct Cost {
        var elements = 0.0
        /// The parts of paths and shapes.
        var parts = 0.0
        /// Passes over the whole picture.
        var pictures = 0.0

        mutating func add(_ other: Cost, times: Int = 1) {
            elements += other.elements * Double(times)
            parts += other.parts * Double(times)
            pictures += other.pictures * Double(times)
        }
    }

    init(_ tree: MarkupTree) { self.tree = tree }

    mutating func check(pixels: Int) throws(ImageError) {
        let total = try whole()
        guard total.elements <= VectorCheck.mostElements else { throw .tooCostly("it draws too many elements") }
        guard textBytes <= VectorCheck.mostText else { throw .tooCostly("it has too much text") }
        guard total.pictures * Double(pixels) <= VectorCheck.mostWork
        else { throw .tooCostly("its filters, masks and groups take too long") }
    }

    mutating func whole() throws(ImageError) -> Cost {
        for node in tree.subtree(tree.root) where tree.kind(node) == .element {
            if let id = tree.attribute(node, "id"), targets[id] == nil { targets[id] = node }
            if Self.local(tree.name(node)) == "style" { try readSheet(node) }
        }
        var total = Cost()
        for child in tree.children(tree.root) { total.add(try cost(of: child, depth: 0)) }
        return total
    }

    static func local(_ name: String) -> Substring {
        name.lastIndex(of: ":").map { name[name.index(after: $0)...] } ?? name[...]
    }

    private mutating func cost(of node: NodeID, depth: Int) throws(ImageError) -> Cost {
        guard tree.kind(node) == .element else { return Cost() }
        if let cost = known[node] { return cost }
        guard depth < VectorCheck.deepest else { throw .tooCostly("its elements are nested too deeply") }
        // An element that refers to itself, directly or not, is not drawn.
        guard open.insert(node).inserted else { return Cost() }
        defer { open.remove(node) }
        let name = Self.local(tree.name(node))
        var cost = Cost(elements: 1, parts: 4, pictures: Double(try primitive(name, node)))
        var (vertices, style) = (1, "")
        for (attribute, value) in tree.attributes(node) {
            switch Self.local(attribute) {
            case "href":
                if value.lowercased().drop(while: { $0.isWhitespace }).hasPrefix("data:") {
                    try checkFile(value)
                    cost.pictures += 1
                }
                if value.hasPrefix("#"), name == "use" || name == "feimage" || name == "feImage" || name == "tref",
                    let target = targets[String(value.dropFirst())]
                {
                    cost.add(try self.cost(of: target, depth: depth + 1))
                    if name != "use" { cost.pictures += 2 }
                }
            case "d", "points":
                vertices = max(1, value.utf8.count / 2)
                cost.parts += Double(vertices / 2)
            case "style": style += value
            case "filter", "mask", "clip-path", "fill", "stroke", "marker", "marker-start", "marker-mid", "marker-end",
                "opacity", "mix-blend-mode", "isolation":
                style += ";\(Self.local(attribute)):\(value)"
            case "stroke-dasharray": style += ";dash:\(value)"
            default: break
            }
        }
        for name in tree.attribute(node, "class")?.split(separator: " ") ?? [] { style += classStyles[name] ?? "" }
        style += commonStyle
        cost.add(try declared(style, vertices: vertices, depth: depth))
        let isText = name == "text" || name == "tspan" || name == "tref"
        for child in tree.children(node) {
            if isText, tree.kind(child) == .text { textBytes += tree.text(child).utf8.count }
            cost.add(try self.cost(of: child, depth: depth + 1))
        }
        known[node] = cost
        return cost
    }

    private mutating func checkFile(_ uri: String) throws(ImageError) {
        guard let data = try? DataURI.decode(uri), let format = ImageHeader.sniff(data), format != .svg,
            let header = try? ImageHeader(data)
        else { throw .tooCostly("it holds a file of its own") }
        filePixels += Double(header.width) * Double(header.height)
        guard filePixels <= VectorCheck.mostFilePixels else { throw .tooCostly("its pictures are too large") }
    }

    private mutating func declared(_ style: String, vertices: Int, depth: Int) throws(ImageError) -> Cost {
        guard !style.isEmpty else { return Cost() }
        if style.contains("\\") || style.lowercased().contains("@import") {
            throw .tooCostly("its style is written in escapes, or elsewhere")
        }
        var cost = Cost()
        for part in style.split(separator: ";") {
            guard let colon = part.firstIndex(of: ":") else { continue }
            let name = part[..<colon].trimmed(\.isWhitespace).lowercased()
            let value = part[part.index(after: colon)...]
            var times = 1
            switch name {
            // Each filter function is a pass over the picture.
            case "filter": cost.pictures += 4 + 4 * Double(value.count { $0 == "(" })
            case "mask": cost.pictures += 3
            case "clip-path", "opacity", "mix-blend-mode", "isolation": cost.pictures += 2
            case "marker", "marker-start", "marker-mid", "marker-end": times = vertices
            default: break
            }
            var rest = value
            while let at = rest.firstIndex(of: "#") {
                rest = rest[rest.index(after: at)...]
                if let target = targets[String(rest.prefix { !")'\" ".contains($0) })] {
                    cost.add(try self.cost(of: target, depth: depth + 1), times: times)
                    if Self.local(tree.name(target)) == "pattern" { cost.pictures += 1 }
                }
            }
        }
        return cost
    }

    /// Reads a sheet: rules for a class count for its elements, others for all elements.
    private mutating func readSheet(_ node: NodeID) throws(ImageError) {
        var css = ""
        for child in tree.children(node) { css += tree.text(child) }
        if css.contains("\\") || css.contains("/*") || css.lowercased().contains("@import") {
            throw .tooCostly("its style sheet holds escapes, comments or other sheets")
        }
        for rule in css.split(separator: "}") {
            guard let brace = rule.lastIndex(of: "{") else { continue }
            let body = ";" + rule[rule.index(after: brace)...]
            for selector in rule[..<brace].split(separator: ",") {
                if let dot = selector.lastIndex(of: "."), !selector[dot...].contains(" ") {
                    let name = selector[selector.index(after: dot)...].prefix { $0 != ":" && $0 != "[" && $0 != "#" }
                    classStyles[name, default: ""] += body
                } else {
                    commonStyle += body
                }
            }
        }
    }

    /// The number of times that a filter primitive processes the picture.
    private func primitive(_ name: Substring, _ node: NodeID) throws(ImageError) -> Int {
        guard name.utf8.starts(with: "fe".utf8) else { return 0 }
        func numbers(_ attribute: String) -> [Double] {
            (tree.attribute(node, attribute) ?? "").split { $0 == " " || $0 == "," || $0.isWhitespace }
                .map { Double($0) ?? .infinity }
        }
        switch name.lowercased() {
        case "feconvolvematrix":
            let order = numbers("order")
            let values = (order.first ?? 3) * (order.dropFirst().first ?? order.first ?? 3)
            guard values >= 1, values <= Double(VectorCheck.mostKernelValues),
                numbers("kernelMatrix").count <= VectorCheck.mostKernelValues
            else { throw .tooCostly("a kernel of a filter is too large") }
            return 4 * Int(bounded: values)
        case "feturbulence":
            let octaves = numbers("numOctaves").first ?? 1
            guard octaves <= VectorCheck.mostOctaves
            else { throw .tooCostly("a filter's turbulence has too many octaves") }
            return 16 * max(1, Int(bounded: octaves))
        case "femorphology":
            let radius = numbers("radius").reduce(0) { max($0, abs($1)) }
            guard radius <= VectorCheck.widestMorphology else { throw .tooCostly("a filter's radius is too large") }
            return max(1, Int(bounded: (2 * radius + 1) * (2 * radius + 1)))
        case "fegaussianblur", "fedropshadow", "fediffuselighting", "fespecularlighting": return 24
        default: return 4
        }
    }
}
