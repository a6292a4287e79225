// The computed styles of a tree as text, for `dump --stage styles`.

import FancyTextBasics
import FancyTextMarkup

extension StyledTree {
    /// Every element with the fields of its computed style: the output of `dump --stage styles`.
    package func dump() -> String {
        var result = ""
        var walk = RunContextWalk(self)
        for node in tree.subtree(tree.root) where tree.kind(node) == .element {
            let id = style(of: node)
            result += "<\(tree.name(node))> style \(id.rawValue) display \(styles[id].box.display)\n"
            for field in MarkupStyleFields(styles[id], walk.surroundings(of: node)).fields {
                result += "  \(field.name): \(Self.text(field.value))\n"
            }
            for declaration in styles[id].box.layoutDeclarations {
                result += "  \(declaration.name): \(declaration.value)\n"
            }
        }
        return result
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text.debugDescription
        case .number(let number): number
        case .bool(let flag): String(flag)
        case .null: "null"
        case .array(let values): "[" + values.map(text).joined(separator: ", ") + "]"
        case .object(let fields): "{" + fields.map { "\($0.name): \(text($0.value))" }.joined(separator: ", ") + "}"
        }
    }
}
