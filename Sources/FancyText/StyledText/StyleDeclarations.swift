// The attributes of text as CSS declarations of an element inside another one. In: the attributes of an element, and those of
// its parent. Out: declarations for an element whose other properties are unset (`all: unset`): inherited attributes appear
// only where they differ.

struct StyleDeclarations {
    private var style, parent: MarkupStyle
    private var declared = MarkupStyle()
    /// Declarations that reset inherited values.
    private var resets: [String] = []

    static func inline(_ style: MarkupStyle, in parent: MarkupStyle) -> String { Self(style, in: parent).css }

    /// The declarations of a block element, except its `display`. With `keepsSpaces`, all white space of its text is significant.
    static func block(_ style: MarkupStyle, in parent: MarkupStyle, keepsSpaces: Bool) -> String {
        var writer = Self(style, in: parent)
        writer.addParagraph(keepsSpaces: keepsSpaces)
        return writer.css
    }

    private init(_ style: MarkupStyle, in parent: MarkupStyle) {
        (self.style, self.parent) = (style, parent)
        addText()
        addOwn()
    }

    private var css: String { ([declared.css] + resets).filter { !$0.isEmpty }.joined(separator: ";") }

    /// Declares those of the attributes that are inherited and differ.
    private mutating func inherit(_ attributes: [MarkupAttribute]) {
        for attribute in attributes {
            guard let reset = attribute.reset, !isImplied(attribute.name), !attribute.isEqual(&style, &parent)
            else { continue }
            if attribute.isSet(&style) { attribute.copy(&declared, &style) } else { resets.append(reset) }
        }
    }

    /// Returns whether another attribute determines this one.
    private func isImplied(_ name: String) -> Bool {
        switch name {
        // Ligatures other than the default are already among the features.
        case "ligature": style.font.features != nil
        // If both are set, tracking is the same as kerning.
        case "tracking": style.kern != nil
        default: false
        }
    }

    private mutating func addText() {
        inherit(MarkupAttribute.ofText)
        if style.underlineStyle != nil, style.underlineOffset != parent.underlineOffset {
            declared.underlineOffset = style.underlineOffset
            if style.underlineOffset == nil { resets.append("text-underline-offset:auto") }
        }
        // A direction that differs is an embedding, like `dir`.
        if (style.writingDirection ?? .ltr) != (parent.writingDirection ?? .ltr) {
            declared.writingDirection = style.writingDirection ?? .ltr
            resets.append("unicode-bidi:isolate")
        }
    }

    /// Adds properties of the element itself; decorations, backgrounds and shifts of its ancestors apply to it too.
    private mutating func addOwn() {
        if style.backgroundColor != parent.backgroundColor { declared.backgroundColor = style.backgroundColor }
        let shift = (style.baselineOffset ?? 0) - (parent.baselineOffset ?? 0)
        if shift != 0 { declared.baselineOffset = shift }
        for line in ["underline", "strikethrough", "overline"] {
            let names = [line + "Style", line + "Color", line + "Thickness"]
            let parts = MarkupAttribute.ofText.filter { names.contains($0.name) }
            if parts.contains(where: { !$0.isEqual(&style, &parent) }) {
                for part in parts { part.copy(&declared, &style) }
            }
        }
    }

    private mutating func addParagraph(keepsSpaces: Bool) {
        let (own, outer) = (style.paragraphStyle, parent.paragraphStyle)
        if own.lineHeightMultiple != outer.lineHeightMultiple {
            declared.paragraphStyle.lineHeightMultiple = own.lineHeightMultiple
            if own.lineHeightMultiple == nil { declared.paragraphStyle.lineHeight = own.lineHeight }
        } else if own.lineHeightMultiple == nil {
            declared.paragraphStyle.lineHeight = own.lineHeight == outer.lineHeight ? nil : own.lineHeight
        }
        let hadHeight = outer.lineHeight != nil || outer.lineHeightMultiple != nil
        if own.lineHeight == nil, own.lineHeightMultiple == nil, hadHeight { resets.append("line-height:normal") }
        inherit(MarkupAttribute.ofParagraph)
        declared.paragraphStyle.paragraphSpacing = own.paragraphSpacing
        declared.paragraphStyle.paragraphSpacingBefore = own.paragraphSpacingBefore
        (declared.paragraphStyle.headIndent, declared.paragraphStyle.tailIndent) = (own.headIndent, own.tailIndent)
        if Self.indent(own) != Self.indent(outer) {
            declared.paragraphStyle.firstLineHeadIndent = own.firstLineHeadIndent ?? own.headIndent ?? 0
        }
        if own.hyphenation != outer.hyphenation {
            resets.append("hyphens:" + (own.hyphenation.map { $0 ? "auto" : "none" } ?? "manual"))
        }
        addBreaking(own.lineBreakMode, keepsSpaces: keepsSpaces)
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
