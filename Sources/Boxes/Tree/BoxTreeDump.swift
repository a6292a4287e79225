// The box tree as text, one box or item a line: the output of `dump --stage text`, and the form of golden files.

import FancyTextBasics
import FancyTextMarkup
import FancyTextStyling

extension BoxTree {
    /// Boxes as an indented tree, each with its inline items.
    package func dump(_ tree: MarkupTree) -> String {
        var result = ""
        var depths: [Int] = Array(repeating: 0, count: boxes.count)
        for index in boxes.indices {
            let box = boxes[index]
            if box.parent >= 0 { depths[index] = depths[box.parent] + 1 }
            let indent = String(repeating: "  ", count: min(depths[index], 64))
            result += "\(indent)\(box.kind)"
            if box.isAnonymous { result += " anonymous" }
            if tree.kind(box.element) == .element { result += " <\(tree.name(box.element))>" }
            if box.columnSpan != 1 { result += " colspan=\(box.columnSpan)" }
            if box.rowSpan != 1 { result += " rowspan=\(box.rowSpan)" }
            if box.marker >= 0 { result += " marker=\(markers[box.marker].text.debugDescription)" }
            if box.replaced >= 0 {
                let content = replaced[box.replaced]
                let (source, alternative) = (content.source.prefix(80), content.alternative)
                result += " src=\(source.debugDescription) alt=\(alternative.debugDescription)"
            }
            result += "\n"
            for item in items[box.items] { result += "\(indent)  \(line(of: item, tree))\n" }
        }
        return result
    }

    private func line(of item: InlineItem, _ tree: MarkupTree) -> String {
        switch item {
        case .text(let run):
            String(decoding: text[runs[run].range], as: UTF8.self).debugDescription
                + (runs[run].isGenerated ? " generated" : "")
        case .open(_, let element): "( <\(tree.kind(element) == .element ? tree.name(element) : "")>"
        case .close: ")"
        case .atomic(let box, _): "atomic box \(box)"
        case .float(let box): "float box \(box)"
        case .breakOpportunity: "wbr"
        }
    }
}

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
