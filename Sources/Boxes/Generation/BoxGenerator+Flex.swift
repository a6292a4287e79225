// The items of flex containers (CSS Flexbox 1 §4).

import Markup
import Styling

extension BoxGenerator {
    /// Each element child becomes a block-level item; text between becomes anonymous items (CSS Flexbox 1 §4).
    mutating func fillFlex(_ box: Int, from: NodeID, to: NodeID, depth: Int) {
        let style = text.boxes[box].style
        let element = text.boxes[box].element
        appendFlexPseudo(.before, of: element, parent: box)
        var node = from
        while node < to {
            let end = tree.subtreeEnd(node)
            switch tree.kind(node) {
            case .text:
                if !isBlank(node) {
                    let item = openBox(
                        .block, style: anonymousStyle(of: style, .block), element: element, parent: box,
                        isAnonymous: true)
                    fill(item, from: node, to: end, of: element, depth: depth, isElement: false)
                    closeBox(item)
                }
                node = end
            case .element:
                let id = styled.style(of: node)
                let display = text.styles[id].box.display
                if display == .contents {
                    node = NodeID(index: node.index + 1)
                    continue
                }
                if display != .none {
                    enter(node, style: text.styles[id])
                    appendElementBox(node, style: id, parent: box, depth: depth + 1)
                }
                node = end
            case .comment, .doctype, .instruction, .root:
                node = end
            }
        }
        appendFlexPseudo(.after, of: element, parent: box)
    }

    /// `::before` and `::after` of a flex container are items of it.
    private mutating func appendFlexPseudo(_ pseudo: PseudoBox, of element: NodeID, parent: Int) {
        guard let (style, content) = enterPseudo(pseudo, of: element) else { return }
        appendGeneratedBlock(content, style: style, element: element, parent: parent)
    }
}
