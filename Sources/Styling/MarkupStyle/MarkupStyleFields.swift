// The attributes of runs by name, as JSON shows them, in a fixed order: every set field of MarkupStyle, and a few of CSS alone.

import FancyTextBasics

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
