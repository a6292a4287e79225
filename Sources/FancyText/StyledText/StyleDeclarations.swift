// The attributes of text as CSS declarations of an element inside another one.
//
// In: the attributes of an element, and those of its parent. Out: declarations for an element whose other properties are unset
// (`all: unset`): inherited attributes appear only where they differ.

import FancyTextStyling

enum StyleDeclarations {
    /// The declarations of an inline element.
    static func inline(_ style: MarkupStyle, in parent: MarkupStyle) -> String {
        var writer = Writer(style: style, parent: parent)
        writer.addText()
        writer.addOwn()
        return writer.css
    }

    /// The declarations of a block element, whose `display: block` or similar is declared elsewhere.
    ///
    /// - Parameter keepsSpaces: Whether all white space of its text is significant.
    static func block(_ style: MarkupStyle, in parent: MarkupStyle, keepsSpaces: Bool) -> String {
        var writer = Writer(style: style, parent: parent)
        writer.addText()
        writer.addOwn()
        writer.addParagraph(keepsSpaces: keepsSpaces)
        return writer.css
    }

    private struct Writer {
        let style: MarkupStyle
        let parent: MarkupStyle
        /// The declared attributes.
        var declared = MarkupStyle()
        /// Declarations that reset inherited values.
        var resets: [String] = []

        var css: String { ([declared.css] + resets).filter { !$0.isEmpty }.joined(separator: ";") }

        private mutating func inherit<Value: Equatable>(
            _ field: WritableKeyPath<MarkupStyle, Value?>, else reset: String
        ) {
            guard style[keyPath: field] != parent[keyPath: field] else { return }
            if let value = style[keyPath: field] { declared[keyPath: field] = value } else { resets.append(reset) }
        }

        /// Inherited properties.
        mutating func addText() {
            inherit(\.font.family, else: "font-family:sans-serif")
            inherit(\.font.size, else: "font-size:medium")
            inherit(\.font.weight, else: "font-weight:normal")
            inherit(\.font.italic, else: "font-style:normal")
            inherit(\.font.stretch, else: "font-stretch:normal")
            inherit(\.font.caps, else: "font-variant-caps:normal")
            // Ligatures other than the default are already among the features.
            inherit(\.font.features, else: "font-feature-settings:normal")
            inherit(\.font.variations, else: "font-variation-settings:normal")
            inherit(\.font.language, else: "-ft-lang:''")
            if style.font.features == nil { inherit(\.ligature, else: "font-variant-ligatures:normal") }
            inherit(\.foregroundColor, else: "color:black")
            // If both are set, tracking is the same as kerning.
            inherit(\.kern, else: "letter-spacing:normal")
            if style.kern == nil { inherit(\.tracking, else: "letter-spacing:normal") }
            inherit(\.wordSpacing, else: "word-spacing:normal")
            inherit(\.strokeColor, else: "-webkit-text-stroke-color:currentcolor")
            inherit(\.strokeWidth, else: "-webkit-text-stroke-width:0")
            inherit(\.shadow, else: "text-shadow:none")
            inherit(\.link, else: "-ft-link:none")
            inherit(\.obliqueness, else: "-ft-obliqueness:0")
            inherit(\.expansion, else: "-ft-expansion:0")
            inherit(\.verticalGlyphForm, else: "writing-mode:horizontal-tb")
            inherit(\.textTransform, else: "text-transform:none")
            inherit(\.textEffect, else: "-ft-text-effect:none")
            if style.underlineStyle != nil { inherit(\.underlineOffset, else: "text-underline-offset:auto") }
            // A direction that differs is an embedding, like `dir`.
            if (style.writingDirection ?? .ltr) != (parent.writingDirection ?? .ltr) {
                declared.writingDirection = style.writingDirection ?? .ltr
                resets.append("unicode-bidi:isolate")
            }
        }

        /// Adds properties of the element itself; decorations, backgrounds and shifts of its ancestors apply to it too.
        mutating func addOwn() {
            if style.backgroundColor != parent.backgroundColor { declared.backgroundColor = style.backgroundColor }
            let shift = (style.baselineOffset ?? 0) - (parent.baselineOffset ?? 0)
            if shift != 0 { declared.baselineOffset = shift }
            func differs<Value: Equatable>(_ field: KeyPath<MarkupStyle, Value?>) -> Bool {
                style[keyPath: field] != parent[keyPath: field]
            }
            if differs(\.underlineStyle) || differs(\.underlineColor) || differs(\.underlineThickness) {
                declared.underlineStyle = style.underlineStyle
                declared.underlineColor = style.underlineColor
                declared.underlineThickness = style.underlineThickness
            }
            if differs(\.strikethroughStyle) || differs(\.strikethroughColor) || differs(\.strikethroughThickness) {
                declared.strikethroughStyle = style.strikethroughStyle
                declared.strikethroughColor = style.strikethroughColor
                declared.strikethroughThickness = style.strikethroughThickness
            }
            if differs(\.overlineStyle) || differs(\.overlineColor) || differs(\.overlineThickness) {
                declared.overlineStyle = style.overlineStyle
                declared.overlineColor = style.overlineColor
                declared.overlineThickness = style.overlineThickness
            }
        }

        mutating func addParagraph(keepsSpaces: Bool) {
            let paragraph = style.paragraphStyle
            inherit(\.paragraphStyle.alignment, else: "text-align:start")
            if paragraph.lineHeightMultiple != nil || parent.paragraphStyle.lineHeightMultiple != nil,
                paragraph.lineHeightMultiple != parent.paragraphStyle.lineHeightMultiple
            {
                declared.paragraphStyle.lineHeightMultiple = paragraph.lineHeightMultiple
                if paragraph.lineHeightMultiple == nil { declared.paragraphStyle.lineHeight = paragraph.lineHeight }
            } else if paragraph.lineHeightMultiple == nil {
                declared.paragraphStyle.lineHeight =
                    paragraph.lineHeight == parent.paragraphStyle.lineHeight ? nil : paragraph.lineHeight
            }
            if paragraph.lineHeight == nil, paragraph.lineHeightMultiple == nil,
                parent.paragraphStyle.lineHeight != nil || parent.paragraphStyle.lineHeightMultiple != nil
            {
                resets.append("line-height:normal")
            }
            inherit(\.paragraphStyle.lineSpacing, else: "-ft-line-spacing:normal")
            inherit(\.paragraphStyle.minimumLineHeight, else: "-ft-minimum-line-height:none")
            inherit(\.paragraphStyle.maximumLineHeight, else: "-ft-maximum-line-height:none")
            inherit(\.paragraphStyle.tabStops, else: "-ft-tab-stops:none")
            inherit(\.paragraphStyle.defaultTabInterval, else: "tab-size:8")
            declared.paragraphStyle.paragraphSpacing = paragraph.paragraphSpacing
            declared.paragraphStyle.paragraphSpacingBefore = paragraph.paragraphSpacingBefore
            declared.paragraphStyle.headIndent = paragraph.headIndent
            declared.paragraphStyle.tailIndent = paragraph.tailIndent
            if Self.indent(paragraph) != Self.indent(parent.paragraphStyle) {
                declared.paragraphStyle.firstLineHeadIndent = paragraph.firstLineHeadIndent ?? paragraph.headIndent ?? 0
            }
            if paragraph.hyphenation != parent.paragraphStyle.hyphenation {
                resets.append("hyphens:" + (paragraph.hyphenation.map { $0 ? "auto" : "none" } ?? "manual"))
            }
            addBreaking(paragraph.lineBreakMode, keepsSpaces: keepsSpaces)
        }

        private static func indent(_ paragraph: MarkupStyle.Paragraph) -> Float {
            let head = paragraph.headIndent ?? 0
            return (paragraph.firstLineHeadIndent ?? head) - head
        }

        private mutating func addBreaking(_ mode: MarkupStyle.LineBreakMode?, keepsSpaces: Bool) {
            let before = parent.paragraphStyle.lineBreakMode
            var whiteSpace = keepsSpaces ? "pre-wrap" : "normal"
            switch mode ?? .byWordWrapping {
            case .byWordWrapping: if before == .byCharWrapping { resets.append("word-break:normal") }
            case .byCharWrapping: if before != .byCharWrapping { resets.append("word-break:break-all") }
            case .byClipping: whiteSpace = keepsSpaces ? "pre" : "nowrap"
            case .byTruncatingHead: resets.append("truncate-mode:head")
            case .byTruncatingMiddle: resets.append("truncate-mode:middle")
            case .byTruncatingTail: resets.append("truncate-mode:tail")
            }
            if whiteSpace != "normal" || before == .byClipping { resets.append("white-space:\(whiteSpace)") }
        }
    }
}
