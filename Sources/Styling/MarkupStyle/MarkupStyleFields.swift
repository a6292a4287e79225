// The attributes of runs by name, as JSON shows them.
//
// In: a run's computed style, the elements around it. Out: names with typed values, in a fixed order; a writer only iterates over
// them. Every set field of MarkupStyle appears under its name, together with a few that only CSS has.

import FancyTextBasics

package struct MarkupStyleFields: Sendable {
    package private(set) var fields: [JSONMember] = []

    /// - Parameter paragraph: the paragraph style of the run's text; nil takes it from the surroundings.
    package init(
        _ style: ComputedStyle, _ surroundings: RunContext = RunContext(), paragraph: MarkupStyle.Paragraph? = nil
    ) {
        var attributes = MarkupStyle(style, surroundings)
        if let paragraph { attributes.paragraphStyle = paragraph }
        add("font", .object(Self.font(attributes.font, style.font)))
        add("foregroundColor", attributes.foregroundColor)
        add("backgroundColor", attributes.backgroundColor)
        if let ligature = attributes.ligature { add("ligature", .number("\(ligature)")) }
        add("kern", attributes.kern)
        add("tracking", attributes.tracking)
        add("wordSpacing", attributes.wordSpacing)
        addDecoration("underline", style.box.decoration(.underline))
        addDecoration("strikethrough", style.box.decoration(.lineThrough))
        addDecoration("overline", style.box.decoration(.overline))
        add("underlineOffset", attributes.underlineOffset)
        add("strokeColor", attributes.strokeColor)
        add("strokeWidth", attributes.strokeWidth)
        if let shadows = attributes.shadow { add("shadow", .array(shadows.map(Self.shadow))) }
        add("link", attributes.link)
        add("baselineOffset", attributes.baselineOffset)
        add("obliqueness", attributes.obliqueness)
        add("expansion", attributes.expansion)
        add("writingDirection", attributes.writingDirection.map { "\($0)" })
        if let vertical = attributes.verticalGlyphForm { add("verticalGlyphForm", .bool(vertical)) }
        add("textTransform", attributes.textTransform.map { "\($0)" })
        add("attachment", attributes.attachment)
        add("attachmentWidth", attributes.attachmentWidth)
        add("attachmentHeight", attributes.attachmentHeight)
        add("textEffect", attributes.textEffect)
        if style.box.opacity < 1 { add("opacity", style.box.opacity) }
        if style.text.visibility != .visible { add("visibility", "\(style.text.visibility)") }
        add("paragraphStyle", .object(Self.paragraph(attributes.paragraphStyle, surroundings.block ?? style)))
    }

    private init() {}

    package subscript(name: String) -> JSONValue? { fields.first { $0.name == name }?.value }

    private mutating func add(_ name: String, _ value: JSONValue) {
        fields.append(JSONMember(name: name, value: value))
    }

    private mutating func add(_ name: String, _ value: Float?) { if let value { add(name, JSONValue.number(value)) } }

    private mutating func add(_ name: String, _ value: String?) { if let value { add(name, .string(value)) } }

    private mutating func add(_ name: String, _ value: Color?) { add(name, value?.hex) }

    private mutating func addDecoration(_ name: String, _ decoration: TextDecoration?) {
        guard let decoration else { return }
        add(name + "Style", decoration.style == .solid ? "single" : "\(decoration.style)")
        add(name + "Color", decoration.color)
        add(name + "Thickness", decoration.pixels)
    }

    private static func shadow(_ shadow: Shadow) -> JSONValue {
        var fields = MarkupStyleFields()
        fields.add("x", shadow.x)
        fields.add("y", shadow.y)
        fields.add("blur", shadow.blur)
        fields.add("color", shadow.color)
        return .object(fields.fields)
    }

    private static func font(_ font: MarkupStyle.Font, _ computed: FontStyle) -> [JSONMember] {
        var fields = MarkupStyleFields()
        fields.add("family", .array((font.family ?? []).map { .string($0.name) }))
        fields.add("size", font.size)
        fields.add("weight", font.weight)
        fields.add("italic", .bool(font.italic ?? false))
        if case .oblique(let angle) = computed.slant { fields.add("oblique", angle) }
        fields.add("stretch", font.stretch)
        if let caps = font.caps { fields.add("caps", keyword(of: caps, in: capsKeywords)) }
        if let features = font.features {
            fields.add("features", .object(settings(features.map { ($0.tag, .number("\($0.value)")) })))
        }
        if let variations = font.variations {
            fields.add("variations", .object(settings(variations.map { ($0.tag, JSONValue.number($0.value)) })))
        }
        if !computed.language.isEmpty { fields.add("language", computed.language) }
        return fields.fields
    }

    /// One value per tag; the last one counts.
    private static func settings(_ values: [(UInt32, JSONValue)]) -> [JSONMember] {
        var fields: [JSONMember] = []
        for (tag, value) in values {
            let name = String(CSSWriter.tag(tag).dropFirst().dropLast())
            fields.removeAll { $0.name == name }
            fields.append(JSONMember(name: name, value: value))
        }
        return fields
    }

    private static func paragraph(_ paragraph: MarkupStyle.Paragraph, _ style: ComputedStyle) -> [JSONMember] {
        var fields = MarkupStyleFields()
        fields.add("alignment", paragraph.alignment?.css)
        fields.add("lineHeight", paragraph.lineHeight)
        fields.add("lineHeightMultiple", paragraph.lineHeightMultiple)
        fields.add("lineSpacing", paragraph.lineSpacing)
        fields.add("paragraphSpacing", paragraph.paragraphSpacing)
        fields.add("paragraphSpacingBefore", paragraph.paragraphSpacingBefore)
        fields.add("headIndent", paragraph.headIndent)
        fields.add("tailIndent", paragraph.tailIndent)
        fields.add("firstLineHeadIndent", paragraph.firstLineHeadIndent)
        fields.add("minimumLineHeight", paragraph.minimumLineHeight)
        fields.add("maximumLineHeight", paragraph.maximumLineHeight)
        fields.add("lineBreakMode", paragraph.lineBreakMode?.rawValue)
        if let hyphenation = paragraph.hyphenation { fields.add("hyphenation", .bool(hyphenation)) }
        fields.add("hyphenationFactor", paragraph.hyphenationFactor)
        fields.add("baseWritingDirection", paragraph.baseWritingDirection.map { "\($0)" })
        fields.add("lineBreakStrategy", paragraph.lineBreakStrategy?.rawValue)
        if let allows = paragraph.allowsDefaultTighteningForTruncation {
            fields.add("allowsDefaultTighteningForTruncation", .bool(allows))
        }
        if let stops = paragraph.tabStops { fields.add("tabStops", .array(stops.map { JSONValue.number($0) })) }
        fields.add("defaultTabInterval", paragraph.defaultTabInterval)
        fields.add("listStyle", paragraph.listStyle)
        if style.text.whiteSpaceCollapse != .collapse {
            fields.add("whiteSpace", style.text.wraps ? "pre-wrap" : "pre")
        }
        if style.box.lineClamp > 0 { fields.add("maximumLines", .number("\(style.box.lineClamp)")) }
        return fields.fields
    }
}
