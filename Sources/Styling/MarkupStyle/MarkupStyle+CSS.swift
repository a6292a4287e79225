// Attributes as CSS declarations, and colours and names as CSS writes them.

extension MarkupStyle {
    /// The set fields as CSS declarations.
    public var css: String {
        var out = CSSWriter()
        if let family = font.family { out.add("font-family", family.map { $0.css }.joined(separator: ", ")) }
        out.pixels("font-size", font.size)
        out.number("font-weight", font.weight)
        if let italic = font.italic { out.add("font-style", italic ? "italic" : "normal") }
        if let stretch = font.stretch { out.add("font-stretch", CSSWriter.text(stretch) + "%") }
        if let caps = font.caps, let word = capsKeywords.first(where: { $0.1 == caps })?.0 {
            out.add("font-variant-caps", word.description)
        }
        if let features = font.features {
            out.add(
                "font-feature-settings",
                features.isEmpty
                    ? "normal" : features.map { "\(CSSWriter.tag($0.tag)) \($0.value)" }.joined(separator: ", "))
        }
        if let variations = font.variations {
            out.add(
                "font-variation-settings",
                variations.isEmpty
                    ? "normal"
                    : variations.map { "\(CSSWriter.tag($0.tag)) \(CSSWriter.text($0.value))" }.joined(separator: ", "))
        }
        out.color("color", foregroundColor)
        out.color("background-color", backgroundColor)
        if let ligature {
            out.add(
                "font-variant-ligatures",
                ligature <= 0
                    ? "none"
                    : ligature == 1
                        ? "normal" : "common-ligatures discretionary-ligatures historical-ligatures contextual")
        }
        out.pixels("letter-spacing", kern)
        if let tracking { out.add("letter-spacing", CSSWriter.text(tracking / 1000) + "em") }
        out.pixels("word-spacing", wordSpacing)
        addDecorations(&out)
        out.color("-webkit-text-stroke-color", strokeColor)
        out.pixels("-webkit-text-stroke-width", strokeWidth)
        if let shadow {
            out.add(
                "text-shadow",
                shadow.isEmpty
                    ? "none"
                    : shadow.map {
                        "\(CSSWriter.text($0.x))px \(CSSWriter.text($0.y))px \(CSSWriter.text(max(0, $0.blur)))px \($0.color.hex)"
                    }.joined(separator: ", "))
        }
        if let link { out.add("-ft-link", CSSWriter.quoted(link)) }
        out.pixels("vertical-align", baselineOffset)
        out.number("-ft-obliqueness", obliqueness)
        out.number("-ft-expansion", expansion)
        if let direction = writingDirection ?? paragraphStyle.baseWritingDirection {
            out.add("direction", direction == .ltr ? "ltr" : "rtl")
        }
        if let textTransform { out.add("text-transform", "\(textTransform)") }
        if let attachment { out.add("content", "url(\(CSSWriter.quoted(attachment)))") }
        if let textEffect { out.add("-ft-text-effect", CSSWriter.quoted(textEffect)) }
        addParagraph(&out)
        return out.text
    }

    private func addDecorations(_ out: inout CSSWriter) {
        let lines = [
            underlineStyle != nil ? "underline" : nil, strikethroughStyle != nil ? "line-through" : nil,
            overlineStyle != nil ? "overline" : nil,
        ].compactMap { $0 }
        if !lines.isEmpty { out.add("text-decoration-line", lines.joined(separator: " ")) }
        if let style = underlineStyle ?? strikethroughStyle ?? overlineStyle {
            out.add("text-decoration-style", "\(style)")
        }
        out.color("text-decoration-color", underlineColor ?? strikethroughColor)
        out.pixels("text-decoration-thickness", underlineThickness)
        out.pixels("text-underline-offset", underlineOffset)
    }

    private func addParagraph(_ out: inout CSSWriter) {
        let paragraph = paragraphStyle
        if let alignment = paragraph.alignment { out.add("text-align", alignment.css) }
        out.pixels("line-height", paragraph.lineHeight)
        out.number("line-height", paragraph.lineHeightMultiple)
        out.pixels("-ft-line-spacing", paragraph.lineSpacing)
        out.pixels("margin-bottom", paragraph.paragraphSpacing)
        out.pixels("margin-top", paragraph.paragraphSpacingBefore)
        out.pixels("margin-left", paragraph.headIndent)
        if let first = paragraph.firstLineHeadIndent { out.pixels("text-indent", first - (paragraph.headIndent ?? 0)) }
        out.pixels("margin-right", paragraph.tailIndent)
        out.pixels("-ft-minimum-line-height", paragraph.minimumLineHeight)
        out.pixels("-ft-maximum-line-height", paragraph.maximumLineHeight)
        switch paragraph.lineBreakMode {
        case nil: break
        case .byWordWrapping: out.add("white-space", "normal")
        case .byCharWrapping: out.add("word-break", "break-all")
        case .byClipping: out.add("truncate-mode", "clip")
        case .byTruncatingHead: out.add("truncate-mode", "head")
        case .byTruncatingTail: out.add("truncate-mode", "tail")
        case .byTruncatingMiddle: out.add("truncate-mode", "middle")
        }
        if let factor = paragraph.hyphenationFactor {
            out.add("hyphens", factor > 0 ? "auto" : "manual")
            let zone = min(max(1 - factor, 0), 1) * 100
            if factor > 0 { out.add("hyphenate-limit-zone", CSSWriter.text(zone) + "%") }
        } else if let hyphenation = paragraph.hyphenation {
            out.add("hyphens", hyphenation ? "auto" : "manual")
        }
        switch paragraph.lineBreakStrategy {
        case nil: break
        case .pushOut: out.add("text-wrap-style", "pretty")
        case .hangulWordPriority: out.add("word-break", "keep-all")
        case .standard:
            out.add("text-wrap-style", "pretty")
            out.add("word-break", "keep-all")
        }
        if let allows = paragraph.allowsDefaultTighteningForTruncation {
            out.add("-ft-tightening", allows ? "allow" : "none")
        }
        if let stops = paragraph.tabStops {
            out.add(
                "-ft-tab-stops", stops.isEmpty ? "none" : stops.map { CSSWriter.text($0) + "px" }.joined(separator: " ")
            )
        }
        out.pixels("tab-size", paragraph.defaultTabInterval)
        if let listStyle = paragraph.listStyle {
            out.add("list-style-type", CounterName.isName(listStyle) ? listStyle : CSSWriter.quoted(listStyle))
        }
    }
}

/// Builds declaration lists.
struct CSSWriter {
    private(set) var text = ""

    mutating func add(_ property: String, _ value: String) {
        if !text.isEmpty { text += ";" }
        text += property + ":" + value
    }

    mutating func pixels(_ property: String, _ value: Float?) {
        if let value { add(property, Self.text(value) + "px") }
    }

    mutating func number(_ property: String, _ value: Float?) {
        if let value { add(property, Self.text(value)) }
    }

    mutating func color(_ property: String, _ value: Color?) {
        if let value { add(property, value.hex) }
    }

    /// A number without an exponent's surprises; what is not finite counts as 0.
    static func text(_ value: Float) -> String {
        guard value.isFinite else { return "0" }
        return value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : "\(value)"
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" || scalar.value < 0x20 {
                result += "\\" + String(scalar.value, radix: 16) + " "
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    static func tag(_ tag: UInt32) -> String {
        quoted(
            String(
                String.UnicodeScalarView(
                    (0..<4).map { Unicode.Scalar(UInt8(truncatingIfNeeded: tag >> (24 - 8 * UInt32($0)))) })))
    }
}

/// Whether a list style is written as a name or as a string.
enum CounterName {
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, CSSTokenizer.isNameStart(first) else { return false }
        return text.utf8.allSatisfy { CSSTokenizer.isName($0) && $0 < 0x80 }
    }
}

extension Color {
    /// `#rrggbbaa`.
    public var hex: String {
        var text = "#"
        for byte in [red, green, blue, alpha] {
            if byte < 16 { text += "0" }
            text += String(byte, radix: 16)
        }
        return text
    }

    /// A colour as CSS writes it: a name, `#rgb`, `rgb()`, `oklch()` …; nil if it is not one.
    public init?(css: String) {
        let source = CSSSource(bytes: Array(css.utf8))
        var cursor = ValueCursor(source, 0..<source.tokens.count, context: ValueContext())
        guard let color = cursor.color(), cursor.isAtEnd else { return nil }
        self = color
    }
}

extension Gradient {
    /// A CSS gradient, as in `linear-gradient(90deg, red, blue 80%)`; nil when the text is not one.
    public init?(css: String) {
        let source = CSSSource(bytes: Array(css.utf8))
        var cursor = ValueCursor(source, 0..<source.tokens.count, context: ValueContext())
        guard case .gradient(let gradient)? = cursor.image(), cursor.isAtEnd else { return nil }
        self = gradient
    }
}

extension FontFamily {
    /// As CSS writes it.
    var css: String {
        switch self {
        case .named(let name): CSSWriter.quoted(name)
        case .generic(let generic): generic.name
        }
    }

    /// The plain name: `Georgia`, `sans-serif`.
    public var name: String {
        switch self {
        case .named(let name): name
        case .generic(let generic): generic.name
        }
    }
}

extension GenericFamily {
    /// The CSS keyword.
    public var name: String {
        switch self {
        case .serif: "serif"
        case .sansSerif: "sans-serif"
        case .monospace: "monospace"
        case .cursive: "cursive"
        case .fantasy: "fantasy"
        case .systemUI: "system-ui"
        case .emoji: "emoji"
        case .math: "math"
        }
    }
}

extension TextAlign {
    /// The CSS keyword.
    var css: String {
        switch self {
        case .start: "start"
        case .end: "end"
        case .left: "left"
        case .right: "right"
        case .center: "center"
        case .justify: "justify"
        case .matchParent: "match-parent"
        }
    }
}
