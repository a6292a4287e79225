// Attributes as CSS declarations; and a computed style as the attributes that a run of an attributed string has: every field that is
// set, lengths in pixels.

import FancyTextCSS

extension MarkupStyle {
    /// The attributes of a run with this style in these surroundings. Those with their default value are nil, except for the font,
    /// the colour and the paragraph's alignment and line breaking.
    package init(_ style: ComputedStyle, _ surroundings: RunContext = RunContext()) {
        let (text, level, background) = (style.text, style.box.display.level, style.box.backgroundColor)
        let isOwn = background.alpha > 0 && (level == .inline || level == .contents)
        self.init(
            font: Font(style.font), foregroundColor: text.fillColor ?? text.color,
            backgroundColor: isOwn ? background : surroundings.backgroundColor)
        ligature = Self.ligature(style.font)
        kern = unlessZero(text.letterSpacing)
        if let kern, style.font.size > 0 { tracking = kern / style.font.size * 1000 }
        wordSpacing = unlessZero(text.wordSpacing)
        (underlineStyle, underlineColor, underlineThickness) = style.box.line(.underline)
        (strikethroughStyle, strikethroughColor, strikethroughThickness) = style.box.line(.lineThrough)
        (overlineStyle, overlineColor, overlineThickness) = style.box.line(.overline)
        if underlineStyle != nil { underlineOffset = text.underlineOffset?.resolved(against: style.font.size) }
        if text.strokeWidth > 0 { (strokeColor, strokeWidth) = (text.strokeColor ?? text.color, text.strokeWidth) }
        if !text.shadows.isEmpty { shadow = text.shadows }
        link = text.link ?? surroundings.link
        baselineOffset = unlessZero(surroundings.baselineOffset)
        obliqueness = unlessZero(text.obliqueness)
        expansion = unlessZero(text.expansion)
        if text.direction == .rtl { writingDirection = .rtl }
        if text.writingMode.isVertical { verticalGlyphForm = true }
        if text.transform != .none { textTransform = text.transform }
        attachment = style.box.picture ?? surroundings.attachment
        if attachment != nil {
            attachmentWidth = style.box.width.pixels
            attachmentHeight = style.box.height.pixels
        }
        textEffect = text.textEffect
        paragraphStyle = Paragraph(surroundings.block ?? style)
    }

    /// 0 when standard ligatures are off, 2 when discretionary ones are on; `nil` is the default.
    private static func ligature(_ font: FontStyle) -> Int? {
        func last(_ tag: StaticString) -> UInt32? { font.features.last { $0.tag == openTypeTag(tag) }?.value }
        if last("liga") == 0 { return 0 }
        if let discretionary = last("dlig"), discretionary > 0 { return 2 }
        return last("liga") == nil ? nil : 1
    }

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
        var color = underlineColor ?? strikethroughColor ?? overlineColor
        var thickness = underlineThickness ?? strikethroughThickness ?? overlineThickness
        if let first = lines.first {
            out.add("text-decoration-line", lines.map(\.name).joined(separator: " "))
            out.add("text-decoration-style", "\(first.line.style)")
            (color, thickness) = (first.line.color, first.line.thickness)
        }
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

extension MarkupStyle.Font {
    fileprivate init(_ font: FontStyle) {
        self.init(
            family: font.families, size: font.size, weight: font.weight,
            italic: font.slant != .normal && font.slant != .oblique(0), stretch: font.stretch,
            caps: font.caps == .normal ? nil : font.caps, features: font.features.isEmpty ? nil : font.features,
            variations: font.variations.isEmpty ? nil : font.variations)
        if !font.language.isEmpty { language = font.language }
    }
}

extension MarkupStyle.Paragraph {
    /// The attributes of a block with this style, by its own margins.
    package init(_ style: ComputedStyle) {
        self.init()
        let (text, box) = (style.text, style.box)
        alignment = text.align
        switch text.lineHeight {
        case .normal: break
        case .number(let multiple):
            lineHeight = unlessZero(multiple * style.font.size)
            lineHeightMultiple = multiple
        case .length(let length): lineHeight = length
        }
        lineSpacing = unlessZero(text.lineSpacing)
        paragraphSpacing = unlessZero(box.margin.bottom?.px ?? 0)
        paragraphSpacingBefore = unlessZero(box.margin.top?.px ?? 0)
        setIndents(
            left: (box.margin.left?.px ?? 0) + box.padding.left.px,
            right: (box.margin.right?.px ?? 0) + box.padding.right.px, of: style)
        minimumLineHeight = unlessZero(text.minimumLineHeight)
        maximumLineHeight = unlessZero(text.maximumLineHeight)
        lineBreakMode = Self.lineBreakMode(style)
        if text.hyphens != .manual { hyphenation = text.hyphens == .auto }
        if text.hyphens == .auto, text.hyphenateLimitZone != .zero {
            hyphenationFactor = max(0, 1 - text.hyphenateLimitZone.fraction)
        }
        if text.direction == .rtl { baseWritingDirection = .rtl }
        let (isPretty, keepsWords) = (text.wrapStyle == .pretty, text.wordBreak == .keepAll)
        if isPretty || keepsWords {
            lineBreakStrategy = !keepsWords ? .pushOut : isPretty ? .standard : .hangulWordPriority
        }
        if text.allowsTightening { allowsDefaultTighteningForTruncation = true }
        if !text.tabStops.isEmpty { tabStops = text.tabStops }
        if case .length(let length) = text.tabSize { defaultTabInterval = length }
        if style.isListItem { listStyle = text.listStyleType.name }
    }

    /// - Parameter left: The distance from the edge of the text's container to the lines' edge, in CSS pixels; `right` likewise.
    package mutating func setIndents(left: Float, right: Float, of style: ComputedStyle, hasFirstLine: Bool = true) {
        let indent = style.text.indent.px
        let (head, tail) = style.text.direction == .ltr ? (left, right) : (right, left)
        let others = head + (style.text.indentHanging ? indent : 0)
        let first = head + (style.text.indentHanging || !hasFirstLine ? 0 : indent)
        (headIndent, tailIndent) = (unlessZero(others), unlessZero(tail))
        firstLineHeadIndent = first == 0 && others == 0 ? nil : first
    }

    private static func lineBreakMode(_ style: ComputedStyle) -> MarkupStyle.LineBreakMode {
        switch style.box.truncateMode {
        case .head: return .byTruncatingHead
        case .middle: return .byTruncatingMiddle
        case .tail, .word: return .byTruncatingTail
        case .clip: return .byClipping
        case nil: break
        }
        if style.box.textOverflow != .clip { return .byTruncatingTail }
        if !style.text.wraps { return .byClipping }
        let breaksWords = style.text.wordBreak == .breakAll || style.text.lineBreak == .anywhere
        return breaksWords ? .byCharWrapping : .byWordWrapping
    }
}

private func unlessZero(_ value: Float) -> Float? { value == 0 ? nil : value }

extension BoxStyle {
    /// The innermost decoration of a kind.
    func decoration(_ line: TextDecoration.Lines) -> TextDecoration? { decorations.last { $0.lines.contains(line) } }

    /// The attributes of that decoration; its thickness if it is a length, in pixels.
    fileprivate func line(_ line: TextDecoration.Lines) -> (DecorationStyle?, Color?, thickness: Float?) {
        guard let found = decoration(line) else { return (nil, nil, nil) }
        guard case .length(let length) = found.thickness else { return (found.style, found.color, nil) }
        return (found.style, found.color, length.resolved(against: found.fontSize))
    }

    /// The picture that replaces the text (`content`).
    fileprivate var picture: String? {
        for case .image(.url(let url)) in content ?? [] { return url }
        return nil
    }
}

extension SizeValue {
    /// The length in pixels; `nil` if it has a percentage.
    fileprivate var pixels: Float? {
        guard case .length(let length) = self, length.fraction == 0 else { return nil }
        return length.px
    }
}

extension TextAlign {
    var css: String { self == .matchParent ? "match-parent" : "\(self)" }
}
