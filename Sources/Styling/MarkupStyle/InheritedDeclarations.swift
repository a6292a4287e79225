// The inherited style of an element as declarations, for markup that is laid out apart from the document.

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
