// Computed styles under the names of MarkupStyle's fields (SPEC J1): what JSON shows of a run.
//
// In: a run's computed style, the elements around it. Out: names with typed values, in a fixed order; a writer only walks
// them. A field stands there when it is set: size, weight, colour always, a shadow only when there is one.

import MarkupSyntax

/// A value of a field.
package indirect enum FieldValue: Hashable, Sendable {
    case string(String)
    case number(Double)
    case bool(Bool)
    case array([FieldValue])
    case object([Field])

    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: FieldValue
    }
}

package struct MarkupStyleFields: Hashable, Sendable {
    package private(set) var fields: [FieldValue.Field] = []

    package init(_ style: ComputedStyle, _ surroundings: RunSurroundings = RunSurroundings()) {
        let text = style.text
        add("font", .object(Self.font(style.font)))
        add("foregroundColor", .string((text.fillColor ?? text.color).hex))
        let background =
            style.box.backgroundColor.alpha > 0 && Self.isInline(style.box)
            ? style.box.backgroundColor : surroundings.backgroundColor
        if let background { add("backgroundColor", .string(background.hex)) }
        if let ligature = Self.ligature(style.font) { add("ligature", .number(ligature)) }
        if text.letterSpacing != 0 {
            add("kern", Self.number(text.letterSpacing))
            if style.font.size > 0 { add("tracking", Self.number(text.letterSpacing / style.font.size * 1000)) }
        }
        if text.wordSpacing != 0 { add("wordSpacing", Self.number(text.wordSpacing)) }
        addDecorations(style)
        if text.strokeWidth > 0 {
            add("strokeColor", .string((text.strokeColor ?? text.color).hex))
            add("strokeWidth", Self.number(text.strokeWidth))
        }
        if !text.shadows.isEmpty {
            add(
                "shadow",
                .array(
                    text.shadows.map { shadow in
                        .object([
                            .init(name: "x", value: Self.number(shadow.x)),
                            .init(name: "y", value: Self.number(shadow.y)),
                            .init(name: "blur", value: Self.number(shadow.blur)),
                            .init(name: "color", value: .string(shadow.color.hex)),
                        ])
                    }))
        }
        if let link = text.link ?? surroundings.link { add("link", .string(link)) }
        if surroundings.baselineOffset != 0 { add("baselineOffset", Self.number(surroundings.baselineOffset)) }
        if text.obliqueness != 0 { add("obliqueness", Self.number(text.obliqueness)) }
        if text.expansion != 0 { add("expansion", Self.number(text.expansion)) }
        if text.direction == .rtl { add("writingDirection", .string("rtl")) }
        if text.transform != .none { add("textTransform", .string("\(text.transform)")) }
        if let attachment = Self.attachment(style.box) ?? surroundings.attachment {
            add("attachment", .string(attachment))
        }
        if let effect = text.textEffect { add("textEffect", .string(effect)) }
        if style.box.opacity < 1 { add("opacity", Self.number(style.box.opacity)) }
        if text.visibility != .visible { add("visibility", .string("\(text.visibility)")) }
        add("paragraphStyle", .object(Self.paragraph(surroundings.block ?? style)))
    }

    package subscript(name: String) -> FieldValue? { fields.first { $0.name == name }?.value }

    private mutating func add(_ name: String, _ value: FieldValue) { fields.append(.init(name: name, value: value)) }

    /// Shortest decimal of a Float, so that 0.1 stays 0.1.
    private static func number(_ value: Float) -> FieldValue { .number(Double("\(value)") ?? Double(value)) }

    private static func isInline(_ box: BoxStyle) -> Bool {
        switch box.display {
        case .inline, .contents, .ruby, .rubyBase, .rubyText: true
        case .none, .block, .flowRoot, .inlineBlock, .listItem, .flex, .inlineFlex, .table, .inlineTable,
            .tableRowGroup, .tableHeaderGroup,
            .tableFooterGroup, .tableRow, .tableCell, .tableColumn, .tableColumnGroup, .tableCaption, .webkitBox:
            false
        }
    }

    /// The picture that `content` puts in the place of the text.
    private static func attachment(_ box: BoxStyle) -> String? {
        for case .image(.url(let url)) in box.content ?? [] { return url }
        return nil
    }

    private static func font(_ font: FontStyle) -> [FieldValue.Field] {
        var fields: [FieldValue.Field] = [
            .init(name: "family", value: .array(font.families.map { .string($0.name) })),
            .init(name: "size", value: number(font.size)),
            .init(name: "weight", value: number(font.weight)),
        ]
        switch font.slant {
        case .normal: fields.append(.init(name: "italic", value: .bool(false)))
        case .italic: fields.append(.init(name: "italic", value: .bool(true)))
        case .oblique(let angle):
            fields.append(.init(name: "italic", value: .bool(angle != 0)))
            fields.append(.init(name: "oblique", value: number(angle)))
        }
        fields.append(.init(name: "stretch", value: number(font.stretch)))
        if font.caps != .normal, let word = capsKeywords.first(where: { $0.1 == font.caps })?.0 {
            fields.append(.init(name: "caps", value: .string(word.description)))
        }
        if !font.features.isEmpty {
            fields.append(
                .init(
                    name: "features",
                    value: .object(settings(font.features.map { ($0.tag, .number(Double($0.value))) }))))
        }
        if !font.variations.isEmpty {
            fields.append(
                .init(name: "variations", value: .object(settings(font.variations.map { ($0.tag, number($0.value)) }))))
        }
        if !font.language.isEmpty { fields.append(.init(name: "language", value: .string(font.language))) }
        return fields
    }

    /// One value per tag; the last one counts.
    private static func settings(_ values: [(UInt32, FieldValue)]) -> [FieldValue.Field] {
        var fields: [FieldValue.Field] = []
        for (tag, value) in values {
            let name = String(CSSWriter.tag(tag).dropFirst().dropLast())
            fields.removeAll { $0.name == name }
            fields.append(.init(name: name, value: value))
        }
        return fields
    }

    /// 0 when standard ligatures are off, 2 when discretionary ones are on; nil is the usual.
    private static func ligature(_ font: FontStyle) -> Double? {
        func last(_ tag: StaticString) -> UInt32? { font.features.last { $0.tag == openTypeTag(tag) }?.value }
        if last("liga") == 0 { return 0 }
        if let discretionary = last("dlig"), discretionary > 0 { return 2 }
        return last("liga") == nil ? nil : 1
    }

    private mutating func addDecorations(_ style: ComputedStyle) {
        for (line, name) in [
            (TextDecoration.Lines.underline, "underline"), (.lineThrough, "strikethrough"), (.overline, "overline"),
        ] {
            guard let decoration = style.box.decorations.last(where: { $0.lines.contains(line) }) else { continue }
            add(name + "Style", .string(decoration.style == .solid ? "single" : "\(decoration.style)"))
            add(name + "Color", .string(decoration.color.hex))
            if case .length(let thickness) = decoration.thickness {
                add(name + "Thickness", Self.number(thickness.resolved(against: decoration.fontSize)))
            }
        }
        if let offset = style.text.underlineOffset, self["underlineStyle"] != nil {
            add("underlineOffset", Self.number(offset.resolved(against: style.font.size)))
        }
    }

    private static func paragraph(_ style: ComputedStyle) -> [FieldValue.Field] {
        let text = style.text
        let box = style.box
        var fields: [FieldValue.Field] = [.init(name: "alignment", value: .string(text.align.css))]
        func add(_ name: String, _ value: FieldValue) { fields.append(.init(name: name, value: value)) }
        func add(_ name: String, _ value: Float) { if value != 0 { add(name, number(value)) } }
        func pixels(_ value: LengthPercentage?) -> Float { value?.px ?? 0 }
        switch text.lineHeight {
        case .normal: break
        case .number(let multiple):
            add("lineHeight", multiple * style.font.size)
            add("lineHeightMultiple", number(multiple))
        case .length(let length): add("lineHeight", number(length))
        }
        add("lineSpacing", text.lineSpacing)
        add("paragraphSpacing", pixels(box.margin.bottom))
        add("paragraphSpacingBefore", pixels(box.margin.top))
        let isLeftToRight = text.direction == .ltr
        let head =
            pixels(isLeftToRight ? box.margin.left : box.margin.right)
            + (isLeftToRight ? box.padding.left : box.padding.right).px
        add("headIndent", head + (text.indentHanging ? text.indent.px : 0))
        add(
            "tailIndent",
            pixels(isLeftToRight ? box.margin.right : box.margin.left)
                + (isLeftToRight ? box.padding.right : box.padding.left).px)
        add("firstLineHeadIndent", head + (text.indentHanging ? 0 : text.indent.px))
        add("minimumLineHeight", text.minimumLineHeight)
        add("maximumLineHeight", text.maximumLineHeight)
        add("lineBreakMode", .string(lineBreakMode(style)))
        if text.hyphens != .manual { add("hyphenation", .bool(text.hyphens == .auto)) }
        if !text.tabStops.isEmpty { add("tabStops", .array(text.tabStops.map { number($0) })) }
        if case .length(let length) = text.tabSize { add("defaultTabInterval", number(length)) }
        if box.display == .listItem {
            switch text.listStyleType {
            case .none: add("listStyle", .string("none"))
            case .named(let name), .string(let name): add("listStyle", .string(name))
            }
        }
        if text.whiteSpaceCollapse != .collapse { add("whiteSpace", .string(text.wraps ? "pre-wrap" : "pre")) }
        if box.lineClamp > 0 { add("maximumLines", .number(Double(box.lineClamp))) }
        return fields
    }

    private static func lineBreakMode(_ style: ComputedStyle) -> String {
        let mode: MarkupStyle.LineBreakMode =
            switch style.box.truncateMode {
            case .head: .byTruncatingHead
            case .middle: .byTruncatingMiddle
            case .tail, .word: .byTruncatingTail
            case .clip: .byClipping
            case nil:
                if style.box.textOverflow != .clip {
                    .byTruncatingTail
                } else if !style.text.wraps {
                    .byClipping
                } else {
                    style.text.wordBreak == .breakAll || style.text.lineBreak == .anywhere
                        ? .byCharWrapping : .byWordWrapping
                }
            }
        return mode.rawValue
    }
}
