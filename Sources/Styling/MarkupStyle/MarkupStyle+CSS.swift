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
        func pixels(_ thickness: Float?) -> String? { thickness.map { CSSWriter.text($0) + "px" } }
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
        if lines.contains(where: { $0.line != lines[0].line }) {
            return out.add(
                "-ft-decorations",
                lines.map { name, line in
                    [name, "\(line.style)", line.color?.hex, pixels(line.thickness)].compactMap { $0 }
                        .joined(separator: " ")
                }.joined(separator: ", "))
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
        if let thickness = pixels(thickness) { out.add("text-decoration-thickness", thickness) }
    }
}

extension Color {
    /// `#rrggbbaa`.
    public var hex: String {
        [red, green, blue, alpha].reduce(into: "#") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16) }
    }

    /// A colour as CSS writes it: a name, `#rgb`, `rgb()`, `oklch()` …; nil if it is not one.
    public init?(css: String) {
        var cursor = ValueCursor(css)
        guard let color = cursor.color(), cursor.isAtEnd else { return nil }
        self = color
    }
}

extension Gradient {
    /// A CSS gradient, as in `linear-gradient(90deg, red, blue 80%)`; nil when the text is not one.
    public init?(css: String) {
        var cursor = ValueCursor(css)
        guard case .gradient(let gradient)? = cursor.image(), cursor.isAtEnd else { return nil }
        self = gradient
    }
}

extension FontFamily {
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
    var css: String { self == .matchParent ? "match-parent" : "\(self)" }
}

func keyword<Value: Equatable>(of value: Value, in table: [(StaticString, Value)]) -> String {
    table.first { $0.1 == value }?.0.description ?? ""
}

extension MarkupStyle {
    /// The main inherited properties of an element as declarations: font, colour, line height, direction, custom properties.
    package static func inheritedDeclarations(of style: ComputedStyle) -> String {
        let own = MarkupStyle(style)
        var css = MarkupStyle(font: own.font, foregroundColor: style.text.color).css
        if !css.isEmpty, !css.hasSuffix(";") { css += ";" }
        switch style.text.lineHeight {
        case .normal: break
        case .number(let multiple): css += "line-height:\(CSSWriter.text(multiple));"
        case .length(let length): css += "line-height:\(CSSWriter.text(length))px;"
        }
        if style.text.direction == .rtl { css += "direction:rtl;" }
        for (name, value) in style.inherited.customProperties.values.sorted(by: { $0.key < $1.key }) {
            css += "--\(name):\(value.source.text(value.range));"
        }
        return css
    }
}
