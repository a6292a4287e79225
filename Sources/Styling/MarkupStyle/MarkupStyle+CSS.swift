// Attributes as CSS declarations, and colours and names as CSS writes them.

extension MarkupStyle {
    /// The set fields as CSS declarations.
    public var css: String {
        var (style, out) = (self, CSSWriter())
        for attribute in MarkupAttribute.all { attribute.addCSS(&style, &out) }
        return out.text
    }

    /// Lines of equal appearance become one CSS decoration, others a list.
    func addDecorations(_ out: inout CSSWriter) {
        let lines: [(name: String, line: (style: DecorationStyle, color: Color?, thickness: Float?))] = [
            ("underline", underlineStyle, underlineColor, underlineThickness),
            ("line-through", strikethroughStyle, strikethroughColor, strikethroughThickness),
            ("overline", overlineStyle, overlineColor, overlineThickness),
        ].compactMap { name, style, color, thickness in
            style.map { (name, ($0, color, thickness)) }
        }
        if lines.contains(where: { $0.line != lines[0].line }) {
            let texts = lines.map { name, line in
                [name, "\(line.style)", line.color?.hex, line.thickness.map(CSSWriter.pixels)].compactMap { $0 }
                    .joined(separator: " ")
            }
            return out.add("-ft-decorations", texts.joined(separator: ", "))
        }
        if let first = lines.first {
            out.add("text-decoration-line", lines.map(\.name).joined(separator: " "))
            out.add("text-decoration-style", "\(first.line.style)")
        }
        let shared = lines.first?.line
        let color = shared == nil ? underlineColor ?? strikethroughColor ?? overlineColor : shared?.color
        let thickness =
            shared == nil ? underlineThickness ?? strikethroughThickness ?? overlineThickness : shared?.thickness
        if let color { out.add("text-decoration-color", color.hex) }
        if let thickness { out.add("text-decoration-thickness", CSSWriter.pixels(thickness)) }
    }

    /// The main inherited properties of an element as declarations: font, colour, line height, direction, custom properties.
    package static func inheritedDeclarations(of style: ComputedStyle) -> String {
        let own = MarkupStyle(style)
        var css = MarkupStyle(font: own.font, foregroundColor: style.text.color).css
        if !css.isEmpty, !css.hasSuffix(";") { css += ";" }
        switch style.text.lineHeight {
        case .normal: break
        case .number(let multiple): css += "line-height:\(CSSWriter.text(multiple));"
        case .length(let length): css += "line-height:\(CSSWriter.pixels(length));"
        }
        if style.text.direction == .rtl { css += "direction:rtl;" }
        for (name, value) in style.inherited.customProperties.values.sorted(by: { $0.key < $1.key }) {
            css += "--\(name):\(value.source.text(value.range));"
        }
        return css
    }
}

extension CSSWriter {
    static func pixels(_ value: Float) -> String { text(value) + "px" }
}

extension Color {
    /// `#rrggbbaa`.
    public var hex: String {
        [red, green, blue, alpha].reduce(into: "#") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16) }
    }

    /// A colour as CSS writes it: a name, `#rgb`, `rgb()`, `oklch()` …; nil if it is not one.
    public init?(css: String) {
        guard let color = ValueCursor.value(of: css, { $0.color() }) else { return nil }
        self = color
    }
}

extension Gradient {
    /// A CSS gradient, as in `linear-gradient(90deg, red, blue 80%)`; nil when the text is not one.
    public init?(css: String) {
        guard case .gradient(let gradient)? = ValueCursor.value(of: css, { $0.image() }) else { return nil }
        self = gradient
    }
}

extension ValueCursor {
    /// A value that is a whole text.
    fileprivate static func value<Value>(of css: String, _ read: (inout ValueCursor) -> Value?) -> Value? {
        var cursor = ValueCursor(css)
        return read(&cursor).flatMap { cursor.isAtEnd ? $0 : nil }
    }
}

extension FontFamily {
    var css: String { if case .named(let name) = self { CSSWriter.quoted(name) } else { name } }

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
    var css: String { self == .matchParent ? "match-parent" : "\(self)" }
}

func keyword<Value: Equatable>(of value: Value, in table: [(StaticString, Value)]) -> String {
    table.first { $0.1 == value }?.0.description ?? ""
}
