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
        if let caps = font.caps { out.add("font-variant-caps", keyword(of: caps, in: capsKeywords)) }
        out.list("font-feature-settings", font.features, empty: "normal") { "\(CSSWriter.tag($0.tag)) \($0.value)" }
        out.list("font-variation-settings", font.variations, empty: "normal") {
            "\(CSSWriter.tag($0.tag)) \(CSSWriter.text($0.value))"
        }
        if let language = font.language { out.add("-ft-lang", CSSWriter.quoted(language)) }
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
        out.list("text-shadow", shadow, empty: "none") {
            "\(CSSWriter.text($0.x))px \(CSSWriter.text($0.y))px \(CSSWriter.text(max(0, $0.blur)))px \($0.color.hex)"
        }
        if let link { out.add("-ft-link", CSSWriter.quoted(link)) }
        out.pixels("vertical-align", baselineOffset)
        out.number("-ft-obliqueness", obliqueness)
        out.number("-ft-expansion", expansion)
        if let direction = writingDirection ?? paragraphStyle.baseWritingDirection {
            out.add("direction", direction == .ltr ? "ltr" : "rtl")
        }
        if let verticalGlyphForm { out.add("writing-mode", verticalGlyphForm ? "vertical-rl" : "horizontal-tb") }
        if let textTransform { out.add("text-transform", "\(textTransform)") }
        if let attachment { out.add("content", "url(\(CSSWriter.quoted(attachment)))") }
        out.pixels("width", attachmentWidth)
        out.pixels("height", attachmentHeight)
        if let textEffect { out.add("-ft-text-effect", CSSWriter.quoted(textEffect)) }
        addParagraph(&out)
        return out.text
    }

    /// Lines of equal appearance become one CSS decoration, others a list.
    private func addDecorations(_ out: inout CSSWriter) {
        struct Line: Equatable {
            var style: DecorationStyle
            var color: Color?
            var thickness: Float?
        }
        let lines: [(name: String, line: Line)] = [
            ("underline", underlineStyle, underlineColor, underlineThickness),
            ("line-through", strikethroughStyle, strikethroughColor, strikethroughThickness),
            ("overline", overlineStyle, overlineColor, overlineThickness),
        ].compactMap { name, style, color, thickness in
            style.map { (name, Line(style: $0, color: color, thickness: thickness)) }
        }
        if let first = lines.first?.line, lines.allSatisfy({ $0.line == first }) {
            out.add("text-decoration-line", lines.map(\.name).joined(separator: " "))
            out.add("text-decoration-style", "\(first.style)")
            out.color("text-decoration-color", first.color)
            out.pixels("text-decoration-thickness", first.thickness)
        } else if !lines.isEmpty {
            out.add(
                "-ft-decorations",
                lines.map { name, line in
                    let thickness = line.thickness.map { CSSWriter.text($0) + "px" }
                    return [name, "\(line.style)", line.color?.hex, thickness].compactMap { $0 }.joined(separator: " ")
                }.joined(separator: ", "))
        } else {
            out.color("text-decoration-color", underlineColor ?? strikethroughColor ?? overlineColor)
            out.pixels(
                "text-decoration-thickness", underlineThickness ?? strikethroughThickness ?? overlineThickness)
        }
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
        out.pixels("margin-inline-start", paragraph.headIndent)
        if let first = paragraph.firstLineHeadIndent { out.pixels("text-indent", first - (paragraph.headIndent ?? 0)) }
        out.pixels("margin-inline-end", paragraph.tailIndent)
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
        out.list("-ft-tab-stops", paragraph.tabStops, empty: "none", separator: " ") { CSSWriter.text($0) + "px" }
        out.pixels("tab-size", paragraph.defaultTabInterval)
        if let listStyle = paragraph.listStyle {
            out.add("list-style-type", CounterName.isName(listStyle) ? listStyle : CSSWriter.quoted(listStyle))
        }
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
    public var name: String { keyword(of: self, in: ValueCursor.genericFamilies) }
}

extension TextAlign {
    /// The CSS keyword.
    var css: String { self == .matchParent ? "match-parent" : "\(self)" }
}

/// The first keyword of a value.
func keyword<Value: Equatable>(of value: Value, in table: [(StaticString, Value)]) -> String {
    table.first { $0.1 == value }?.0.description ?? ""
}
