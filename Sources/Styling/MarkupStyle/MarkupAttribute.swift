// The attributes of text, one row each: the name in JSON, the property in CSS, the field of a style. Styles are written, completed
// and compared by these rows alone, which are in the order of the outputs.

import FancyTextBasics
import FancyTextCSS

package struct MarkupAttribute: Sendable {
    package let name: String
    /// The declaration of an element without the attribute inside one that has it; `nil` if the attribute is not inherited.
    package let reset: String?
    // Styles are passed in place, because a copy of one counts everything it refers to, once for each attribute.

    private(set) var addCSS: @Sendable (inout MarkupStyle, inout CSSWriter) -> Void
    let json: @Sendable (inout MarkupStyle) -> JSONValue?
    package let isSet: @Sendable (inout MarkupStyle) -> Bool
    package let isEqual: @Sendable (inout MarkupStyle, inout MarkupStyle) -> Bool
    package let copy: @Sendable (inout MarkupStyle, _ source: inout MarkupStyle) -> Void

    /// - Parameters:
    ///   - property: The name of the property; `nil` if another row writes it.
    ///   - unset: The value of the property where the attribute is not set; `nil` if it is not inherited.
    ///   - unit: The unit of a number in CSS.
    init<Value: Equatable & Sendable>(
        _ name: String, _ property: String?, _ field: WritableKeyPath<MarkupStyle, Value?> & Sendable,
        unset: String? = nil, unit: String = "", css: (@Sendable (Value) -> String)? = nil,
        json: (@Sendable (Value) -> JSONValue)? = nil
    ) {
        self.name = name
        reset = unset.map { (property ?? name) + ":" + $0 }
        let offset = MemoryLayout<MarkupStyle>.offset(of: field)
        let read: @Sendable (inout MarkupStyle) -> Value? = { style in
            guard let offset else { return style[keyPath: field] }
            return withUnsafeBytes(of: &style) { $0.load(fromByteOffset: offset, as: Value?.self) }
        }
        addCSS = { style, out in
            guard let property, let value = read(&style) else { return }
            out.add(property, css?(value) ?? Self.css(value, unit))
        }
        self.json = { read(&$0).map { json?($0) ?? Self.json($0) } }
        isSet = { read(&$0) != nil }
        isEqual = { read(&$0) == read(&$1) }
        copy = { $0[keyPath: field] = read(&$1) }
    }

    /// A row whose declarations depend on several attributes.
    private func writing(_ css: @escaping @Sendable (inout MarkupStyle, inout CSSWriter) -> Void) -> Self {
        var row = self
        row.addCSS = css
        return row
    }

    private static func json<Value>(_ value: Value) -> JSONValue {
        switch value {
        case let value as Bool: .bool(value)
        case let value as Float: .number(value)
        case is Int, is UInt32: .number("\(value)")
        case let value as [Float]: .array(value.map { .number($0) })
        case let value as Color: .string(value.hex)
        default: .string("\(value)")
        }
    }

    private static func css<Value>(_ value: Value, _ unit: String) -> String {
        switch value {
        case let value as Float: CSSWriter.text(value) + unit
        case let value as Color: value.hex
        case let value as String: CSSWriter.quoted(value)
        default: "\(value)"
        }
    }

    /// The settings of a font; in JSON the last one of each tag.
    private static func settings<Value: Sendable>(_ settings: [FontSetting<Value>]) -> JSONValue {
        var fields: [JSONMember] = []
        for setting in settings {
            let name = String(CSSWriter.tag(setting.tag).dropFirst().dropLast())
            fields.removeAll { $0.name == name }
            fields.append(JSONMember(name: name, value: json(setting.value)))
        }
        return .object(fields)
    }

    private static func list<Value>(_ values: [Value], empty: String, _ text: (Value) -> String) -> String {
        values.isEmpty ? empty : values.map(text).joined(separator: ", ")
    }

    private static func pixels(_ lengths: [Float]) -> String { lengths.map(CSSWriter.pixels).joined(separator: " ") }

    // MARK: Rows

    static let all = ofText + ofParagraph

    static let ofFont: [Self] = [
        Self(
            "family", "font-family", \.font.family, unset: "sans-serif",
            css: { $0.map(\.css).joined(separator: ", ") }, json: { .array($0.map { .string($0.name) }) }),
        Self("size", "font-size", \.font.size, unset: "medium", unit: "px"),
        Self("weight", "font-weight", \.font.weight, unset: "normal"),
        Self("italic", "font-style", \.font.italic, unset: "normal", css: { $0 ? "italic" : "normal" }),
        Self("stretch", "font-stretch", \.font.stretch, unset: "normal", unit: "%"),
        Self(
            "caps", "font-variant-caps", \.font.caps, unset: "normal",
            css: { keyword(of: $0, in: capsKeywords) }, json: { .string(keyword(of: $0, in: capsKeywords)) }),
        Self(
            "features", "font-feature-settings", \.font.features, unset: "normal",
            css: { list($0, empty: "normal") { "\(CSSWriter.tag($0.tag)) \($0.value)" } }, json: { settings($0) }),
        Self(
            "variations", "font-variation-settings", \.font.variations, unset: "normal",
            css: { list($0, empty: "normal") { "\(CSSWriter.tag($0.tag)) \(CSSWriter.text($0.value))" } },
            json: { settings($0) }),
        Self("language", "-ft-lang", \.font.language, unset: "''"),
    ]

    /// The attributes of text, after those of its font.
    package static let ofText: [Self] =
        ofFont + [
            Self("foregroundColor", "color", \.foregroundColor, unset: "black"),
            Self("backgroundColor", "background-color", \.backgroundColor),
            Self("ligature", "font-variant-ligatures", \.ligature, unset: "normal") { ligature in
                let all = "common-ligatures discretionary-ligatures historical-ligatures contextual"
                return ligature <= 0 ? "none" : ligature == 1 ? "normal" : all
            },
            Self("kern", "letter-spacing", \.kern, unset: "normal", unit: "px"),
            Self("tracking", "letter-spacing", \.tracking, unset: "normal") { CSSWriter.text($0 / 1000) + "em" },
            Self("wordSpacing", "word-spacing", \.wordSpacing, unset: "normal", unit: "px"),
            Self("underlineStyle", nil, \.underlineStyle, json: lineStyle),
            Self("underlineColor", nil, \.underlineColor),
            Self("underlineThickness", nil, \.underlineThickness),
            Self("strikethroughStyle", nil, \.strikethroughStyle, json: lineStyle),
            Self("strikethroughColor", nil, \.strikethroughColor),
            Self("strikethroughThickness", nil, \.strikethroughThickness),
            Self("overlineStyle", nil, \.overlineStyle, json: lineStyle),
            Self("overlineColor", nil, \.overlineColor),
            Self("overlineThickness", nil, \.overlineThickness).writing { $0.addDecorations(&$1) },
            Self("underlineOffset", "text-underline-offset", \.underlineOffset, unit: "px"),
            Self("strokeColor", "-webkit-text-stroke-color", \.strokeColor, unset: "currentcolor"),
            Self("strokeWidth", "-webkit-text-stroke-width", \.strokeWidth, unset: "0", unit: "px"),
            Self(
                "shadow", "text-shadow", \.shadow, unset: "none",
                css: { list($0, empty: "none") { "\(pixels([$0.x, $0.y, max(0, $0.blur)])) \($0.color.hex)" } },
                json: { .array($0.map(\.json)) }),
            Self("link", "-ft-link", \.link, unset: "none"),
            Self("baselineOffset", "vertical-align", \.baselineOffset, unit: "px"),
            Self("obliqueness", "-ft-obliqueness", \.obliqueness, unset: "0"),
            Self("expansion", "-ft-expansion", \.expansion, unset: "0"),
            Self("writingDirection", nil, \.writingDirection).writing { style, out in
                if let direction = style.writingDirection ?? style.paragraphStyle.baseWritingDirection {
                    out.add("direction", "\(direction)")
                }
            },
            Self("verticalGlyphForm", "writing-mode", \.verticalGlyphForm, unset: "horizontal-tb") {
                $0 ? "vertical-rl" : "horizontal-tb"
            },
            Self("textTransform", "text-transform", \.textTransform, unset: "none"),
            Self("attachment", "content", \.attachment) { "url(\(CSSWriter.quoted($0)))" },
            Self("attachmentWidth", "width", \.attachmentWidth, unit: "px"),
            Self("attachmentHeight", "height", \.attachmentHeight, unit: "px"),
            Self("textEffect", "-ft-text-effect", \.textEffect, unset: "none"),
        ]

    package static let ofParagraph: [Self] = [
        Self(
            "alignment", "text-align", \.paragraphStyle.alignment, unset: "start", css: { $0.css },
            json: { .string($0.css) }),
        Self("lineHeight", "line-height", \.paragraphStyle.lineHeight, unit: "px"),
        Self("lineHeightMultiple", "line-height", \.paragraphStyle.lineHeightMultiple),
        Self("lineSpacing", "-ft-line-spacing", \.paragraphStyle.lineSpacing, unset: "normal", unit: "px"),
        Self("paragraphSpacing", "margin-bottom", \.paragraphStyle.paragraphSpacing, unit: "px"),
        Self("paragraphSpacingBefore", "margin-top", \.paragraphStyle.paragraphSpacingBefore, unit: "px"),
        Self("headIndent", "margin-inline-start", \.paragraphStyle.headIndent, unit: "px"),
        Self("tailIndent", "margin-inline-end", \.paragraphStyle.tailIndent, unit: "px"),
        Self("firstLineHeadIndent", nil, \.paragraphStyle.firstLineHeadIndent).writing { style, out in
            guard let first = style.paragraphStyle.firstLineHeadIndent else { return }
            out.add("text-indent", CSSWriter.pixels(first - (style.paragraphStyle.headIndent ?? 0)))
        },
        Self(
            "minimumLineHeight", "-ft-minimum-line-height", \.paragraphStyle.minimumLineHeight, unset: "none",
            unit: "px"),
        Self(
            "maximumLineHeight", "-ft-maximum-line-height", \.paragraphStyle.maximumLineHeight, unset: "none",
            unit: "px"),
        Self("lineBreakMode", nil, \.paragraphStyle.lineBreakMode).writing { style, out in
            switch style.paragraphStyle.lineBreakMode {
            case nil: break
            case .byWordWrapping: out.add("white-space", "normal")
            case .byCharWrapping: out.add("word-break", "break-all")
            case .byClipping: out.add("truncate-mode", "clip")
            case .byTruncatingHead: out.add("truncate-mode", "head")
            case .byTruncatingTail: out.add("truncate-mode", "tail")
            case .byTruncatingMiddle: out.add("truncate-mode", "middle")
            }
        },
        Self("hyphenation", nil, \.paragraphStyle.hyphenation),
        Self("hyphenationFactor", nil, \.paragraphStyle.hyphenationFactor).writing { style, out in
            let factor = style.paragraphStyle.hyphenationFactor
            guard let hyphenates = factor.map({ $0 > 0 }) ?? style.paragraphStyle.hyphenation else { return }
            out.add("hyphens", hyphenates ? "auto" : "manual")
            guard let factor, factor > 0 else { return }
            out.add("hyphenate-limit-zone", CSSWriter.text(min(max(1 - factor, 0), 1) * 100) + "%")
        },
        Self("baseWritingDirection", nil, \.paragraphStyle.baseWritingDirection),
        Self("lineBreakStrategy", nil, \.paragraphStyle.lineBreakStrategy).writing { style, out in
            guard let strategy = style.paragraphStyle.lineBreakStrategy else { return }
            if strategy != .hangulWordPriority { out.add("text-wrap-style", "pretty") }
            if strategy != .pushOut { out.add("word-break", "keep-all") }
        },
        Self(
            "allowsDefaultTighteningForTruncation", "-ft-tightening",
            \.paragraphStyle.allowsDefaultTighteningForTruncation, css: { $0 ? "allow" : "none" }),
        Self("tabStops", "-ft-tab-stops", \.paragraphStyle.tabStops, unset: "none") {
            $0.isEmpty ? "none" : pixels($0)
        },
        Self("defaultTabInterval", "tab-size", \.paragraphStyle.defaultTabInterval, unset: "8", unit: "px"),
        Self("listStyle", "list-style-type", \.paragraphStyle.listStyle) {
            CSSWriter.isName($0) ? $0 : CSSWriter.quoted($0)
        },
    ]

    private static let lineStyle: @Sendable (DecorationStyle) -> JSONValue = {
        .string($0 == .solid ? "single" : "\($0)")
    }
}

extension Shadow {
    fileprivate var json: JSONValue {
        .object(
            [("x", JSONValue.number(x)), ("y", .number(y)), ("blur", .number(blur)), ("color", .string(color.hex))]
                .map { JSONMember(name: $0, value: $1) })
    }
}

/// The attributes of runs by name, as JSON shows them, in a fixed order: every set field of a style, and a few of CSS alone.
package struct MarkupStyleFields: Sendable {
    package private(set) var fields: [JSONMember]

    /// - Parameter paragraph: the paragraph style of the run's text; nil takes it from the surroundings.
    package init(
        _ style: ComputedStyle, _ surroundings: RunContext = RunContext(), paragraph: MarkupStyle.Paragraph? = nil
    ) {
        var attributes = MarkupStyle(style, surroundings)
        if let paragraph { attributes.paragraphStyle = paragraph }
        let block = surroundings.block ?? style
        fields = Self.fields(&attributes, MarkupAttribute.ofText.dropFirst(MarkupAttribute.ofFont.count))
        var font = Self.fields(&attributes, MarkupAttribute.ofFont)
        if case .oblique(let angle) = style.font.slant {
            let place = font.firstIndex { $0.name == "italic" } ?? 0
            font.insert(JSONMember(name: "oblique", value: .number(angle)), at: place + 1)
        }
        fields.insert(JSONMember(name: "font", value: .object(font)), at: 0)
        func add(_ name: String, _ value: JSONValue) { fields.append(JSONMember(name: name, value: value)) }
        if style.box.opacity < 1 { add("opacity", .number(style.box.opacity)) }
        if style.text.visibility != .visible { add("visibility", .string("\(style.text.visibility)")) }
        var inner = Self.fields(&attributes, MarkupAttribute.ofParagraph)
        if block.text.whiteSpaceCollapse != .collapse {
            inner.append(JSONMember(name: "whiteSpace", value: .string(block.text.wraps ? "pre-wrap" : "pre")))
        }
        if block.box.lineClamp > 0 {
            inner.append(JSONMember(name: "maximumLines", value: .number("\(block.box.lineClamp)")))
        }
        add("paragraphStyle", .object(inner))
    }

    private static func fields(_ style: inout MarkupStyle, _ rows: some Sequence<MarkupAttribute>) -> [JSONMember] {
        rows.compactMap { row in row.json(&style).map { JSONMember(name: row.name, value: $0) } }
    }

    package subscript(name: String) -> JSONValue? { fields.first { $0.name == name }?.value }
}
