// Attributes as CSS declarations, and colours and names as CSS writes them.

import FancyTextCSS

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

extension TextAlign {
    var css: String { self == .matchParent ? "match-parent" : "\(self)" }
}
