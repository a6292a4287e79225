// Media queries (Media Queries 4 §3), and the conditions of feature queries (CSS Conditional 3 §6) and container queries. In: the
// tokens of a prelude. Out: true or false. Unknown features are false, also under `not` (the Kleene logic of the specification).

import FancyTextCSS

package struct MediaEnvironment: Hashable, Sendable {
    /// `screen` or `print`.
    package var type = "screen"
    /// CSS pixels.
    package var width = 800.0, height = 600.0
    package var resolution = 1.0
    package var prefersDark = false
    /// False for terminals, whose lines are all horizontal.
    package var hasVerticalLines = true
    /// The contents that have sheets of their own in this medium.
    package var contents: Contents = []
    /// The measured units of the fonts that the tree recorded.
    package var fontUnits = FontUnits()

    /// Contents that only some documents have.
    package struct Contents: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// A document that was written in Markdown.
        package static let markdown = Contents(rawValue: 1)
        /// The same on a terminal.
        package static let markdownCells = Contents(rawValue: 4)
        /// Source code whose tokens are elements.
        package static let codeTokens = Contents(rawValue: 2)
        /// An SVG file.
        package static let drawing = Contents(rawValue: 8)
    }
}

struct MediaQueryEvaluator {
    let media: MediaEnvironment
    /// The context of the initial style: relative lengths in queries do not depend on the document.
    var context = ValueContext()
    /// The container that the condition of `@container` is about.
    var container: (size: ContainerSize, customs: CustomProperties)?

    init(_ media: MediaEnvironment) {
        self.media = media
        context.viewportWidth = media.width
        context.viewportHeight = media.height
        context.percentBase = media.width
    }

    /// Evaluates a comma-separated list; an empty one matches.
    func matches(_ list: String) -> Bool {
        let source = CSSSource(list)
        return evaluate(source, source.tokens.indices).matches
    }

    /// Evaluates a comma-separated list. If it does not match, also returns the first query that matches nowhere because it is
    /// malformed, or names a medium or a feature that does not exist, unless only other browsers have it.
    func evaluate(_ source: CSSSource, _ range: Range<Int>) -> (matches: Bool, unknown: Range<Int>?) {
        var cursor = ValueCursor(source, range, context: context)
        if cursor.isAtEnd { return (true, nil) }
        var (result, unknown) = (false, Range<Int>?.none)
        while true {
            let part = cursor.index..<source.first(.comma, in: cursor.rest)
            var query = ValueCursor(source, part, context: context)
            if let matches = self.query(&query), query.isAtEnd {
                result = result || matches
            } else if unknown == nil, !isForOthers(source, part) {
                unknown = part
            }
            guard part.upperBound < range.upperBound else { return (result, result ? nil : unknown) }
            cursor.rewind(to: part.upperBound)
            _ = cursor.comma()
        }
    }

    /// Returns whether a query has names, or escapes, that only other browsers understand.
    private func isForOthers(_ source: CSSSource, _ query: Range<Int>) -> Bool {
        source.tokens[query].contains { token in
            let name = token.kind == .ident ? source.name(of: token) : ""
            return token.hasEscape
                || ["-ms-", "-moz-", "-o-", "min--moz-", "max--moz-"].contains(where: name.hasPrefix)
        }
    }

    /// Evaluates a container query; an empty one holds. `nil` if it is malformed or names a feature that does not exist.
    func holds(_ source: CSSSource, _ range: Range<Int>) -> Bool? {
        var cursor = ValueCursor(source, range, context: context)
        if cursor.isAtEnd { return true }
        guard let result = condition(&cursor, 0, inParens), cursor.isAtEnd else { return nil }
        return result
    }

    /// The media types of Media Queries 4 §2.3, of which the deprecated ones match nothing, and those of Kindle readers.
    private static let types: Set<String> = [
        "all", "screen", "print", "speech", "tty", "tv", "projection", "handheld", "braille", "embossed", "aural",
        "amzn-kf8", "amzn-mobi",
    ]

    /// The words that are no media types (§3).
    private static let reserved: Set<String> = ["only", "not", "and", "or", "layer"]

    private func query(_ cursor: inout ValueCursor) -> Bool? {
        guard cursor.token?.kind == .ident else { return mediaCondition(&cursor) }
        let isNegated = cursor.keyword("not")
        if isNegated, cursor.token?.kind == .openParen { return inParens(&cursor, 0).map { !$0 } }
        if !isNegated { _ = cursor.keyword("only") }
        guard let type = cursor.ident()?.asciiLowercased(), !Self.reserved.contains(type) else { return nil }
        var matches = type == "all" || type == media.type
        while cursor.keyword("and") {
            let negates = cursor.keyword("not")
            guard let condition = inParens(&cursor, 0) else { return nil }
            matches = matches && condition != negates
        }
        return Self.types.contains(type) || isNegated ? matches != isNegated : nil
    }

    /// Evaluates `a and b and c`, `a or b` or `not a`, whose operands `unit` reads.
    func condition(_ cursor: inout ValueCursor, _ depth: Int, _ unit: (inout ValueCursor, Int) -> Bool?) -> Bool? {
        guard depth < 32 else { return nil }
        if cursor.keyword("not") { return unit(&cursor, depth).map { !$0 } }
        guard var result = unit(&cursor, depth) else { return nil }
        let needsAll = cursor.isKeyword("and")
        while cursor.keyword(needsAll ? "and" : "or") {
            guard let next = unit(&cursor, depth) else { return nil }
            result = needsAll ? result && next : result || next
        }
        return result
    }

    /// Reads a condition without a media type, if any.
    func mediaCondition(_ cursor: inout ValueCursor) -> Bool? { condition(&cursor, 0, inParens) }

    private func inParens(_ cursor: inout ValueCursor, _ depth: Int) -> Bool? {
        if container != nil, cursor.isFunction("style") {
            return cursor.arguments { styleFeature(&$0) ?? condition(&$0, depth + 1, styleInParens) }
        }
        guard cursor.token?.kind == .openParen else { return nil }
        return cursor.arguments { inner -> Bool? in
            let isNested = inner.token?.kind == .openParen || inner.isKeyword("not") || inner.isFunction("style")
            return isNested ? condition(&inner, depth + 1, inParens) : feature(&inner)
        }
    }

    private func styleInParens(_ cursor: inout ValueCursor, _ depth: Int) -> Bool? {
        guard cursor.token?.kind == .openParen else { return nil }
        return cursor.arguments { styleFeature(&$0) ?? condition(&$0, depth + 1, styleInParens) }
    }

    /// `--name` or `--name: value` in `style()`: whether the container's custom property has a value, or that value.
    private func styleFeature(_ cursor: inout ValueCursor) -> Bool? {
        guard let customs = container?.customs, let token = cursor.token, token.kind == .ident,
            case let name = cursor.source.name(of: token), name.hasPrefix("--")
        else { return nil }
        cursor.advance()
        let value = customs.values[String(name.dropFirst(2))]
        if cursor.isAtEnd { return value != nil }
        guard cursor.token?.kind == .colon else { return nil }
        cursor.advance()
        let wanted = cursor.rest
        cursor.skipToEnd()
        var account = ByteAccount(1 << 16)
        guard let value,
            let text = VariableResolver(customs).substitute(cursor.source, wanted, from: &account)
        else { return false }
        return value.hasTokens(of: CSSSource(text))
    }

    private func comparison(_ cursor: inout ValueCursor) -> ((Double, Double) -> Bool)? {
        if cursor.delim(0x3C) { return cursor.delim(0x3D) ? (<=) : (<) }
        if cursor.delim(0x3E) { return cursor.delim(0x3D) ? (>=) : (>) }
        return cursor.delim(0x3D) ? (==) : nil
    }

    /// `(name)`, `(name: value)`, `(min-name: value)`, `(name >= value)`, `(value < name <= value)`.
    private func feature(_ cursor: inout ValueCursor) -> Bool? {
        if cursor.token?.kind != .ident {
            guard let low = value(&cursor), let first = comparison(&cursor),
                let name = cursor.ident()?.asciiLowercased(), let actual = number(name),
                let isInside = holds(low, first, actual)
            else { return nil }
            if cursor.isAtEnd { return isInside }
            guard let second = comparison(&cursor), let high = value(&cursor) else { return nil }
            return holds(actual, second, high).map { isInside && $0 }
        }
        guard var name = cursor.ident()?.asciiLowercased() else { return nil }
        if cursor.isAtEnd {
            if let number = number(name) { return number.value != 0 }
            return keywords(name).map { $0[0] != "none" && $0[0] != "no-preference" }
        }
        if let comparison = comparison(&cursor) {
            guard let actual = number(name), let bound = value(&cursor) else { return nil }
            return holds(actual, comparison, bound)
        }
        guard let colon = cursor.token, colon.kind == .colon else { return nil }
        cursor.advance()
        if name.hasPrefix("-webkit-min-") || name.hasPrefix("-webkit-max-") { name.removeFirst(8) }
        let bound: ((Double, Double) -> Bool)? = name.hasPrefix("min-") ? (>=) : name.hasPrefix("max-") ? (<=) : nil
        if bound != nil { name.removeFirst(4) }
        if let actual = number(name) { return value(&cursor).flatMap { holds(actual, bound ?? (==), $0) } }
        guard bound == nil, let known = keywords(name), let wanted = cursor.ident()?.asciiLowercased()
        else { return nil }
        return known.firstIndex { $0 == wanted }.map { $0 == 0 }
    }

    /// A value of a feature, of the kind that the feature has: CSS pixels, dots per CSS pixel or a number.
    private typealias Measure = (kind: Unit.Dimension, value: Double)

    /// Compares two values; nil if they are of different kinds. 0 is of every kind.
    private func holds(_ a: Measure, _ comparison: (Double, Double) -> Bool, _ b: Measure) -> Bool? {
        a.kind == b.kind || a.value == 0 || b.value == 0 ? comparison(a.value, b.value) : nil
    }

    private func value(_ cursor: inout ValueCursor) -> Measure? {
        if let length = cursor.length() { return (.length, Double(length)) }
        if let resolution = cursor.resolution() { return (.resolution, resolution) }
        guard let first = cursor.number() else { return nil }
        return cursor.slash() ? cursor.number().map { (.number, first / $0) } : (.number, first)
    }

    private var size: ContainerSize { container?.size ?? ContainerSize(width: media.width, height: media.height) }

    private func number(_ name: String) -> Measure? {
        switch name {
        case "width", "inline-size": (.length, size.width)
        case "height", "block-size": (.length, size.height)
        case "aspect-ratio" where container != nil: (.number, size.width / size.height)
        case _ where container != nil: nil
        case "device-width": (.length, media.width)
        case "device-height": (.length, media.height)
        case "aspect-ratio", "device-aspect-ratio": (.number, media.width / max(1, media.height))
        case "resolution": (.resolution, media.resolution)
        case "-webkit-device-pixel-ratio", "device-pixel-ratio": (.number, media.resolution)
        case "color": (.number, 8)
        case "color-index", "monochrome", "grid": (.number, 0)
        case "horizontal-viewport-segments", "vertical-viewport-segments", "-webkit-transform-3d": (.number, 1)
        default: nil
        }
    }

    /// The values of a keyword feature, first that of a browser without a display: it scrolls and runs scripts, and has no
    /// pointing device.
    private func keywords(_ name: String) -> [Substring]? {
        if container != nil, name != "orientation" { return nil }
        let values: String? =
            switch name {
            case "prefers-color-scheme": media.prefersDark ? "dark light" : "light dark"
            case "orientation": size.height >= size.width ? "portrait landscape" : "landscape portrait"
            case "prefers-reduced-motion", "prefers-reduced-transparency": "no-preference reduce"
            case "prefers-contrast": "no-preference more less custom"
            case "hover", "any-hover": "none hover"
            case "pointer", "any-pointer": "none coarse fine"
            case "forced-colors": "none active"
            case "update": media.type == "print" ? "none slow fast" : "fast slow none"
            case "scripting": "enabled initial-only none"
            case "overflow-block": media.type == "print" ? "paged scroll none" : "scroll paged none"
            case "overflow-inline": "scroll none"
            case "color-gamut": "srgb p3 rec2020"
            case "display-mode": "browser fullscreen standalone minimal-ui picture-in-picture window-controls-overlay"
            case "dynamic-range": "standard high"
            case "device-posture": "continuous folded"
            default: nil
            }
        return values?.split(separator: " ")
    }
}
