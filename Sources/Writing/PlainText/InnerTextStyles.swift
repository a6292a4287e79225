// The placement of elements in running text for `innerText`, by their computed styles.

import FancyTextMarkup
import FancyTextStyling

/// The boxes of a styled tree's elements, as `innerText` needs them.
struct InnerTextStyles {
    let styled: StyledTree
    /// The boxes by style, before the rules for elements are applied.
    private let boxes: [TextBox]

    init(_ styled: StyledTree) {
        self.styled = styled
        boxes = styled.styles.styles.map { TextBox($0) }
    }

    /// The box of an element.
    func box(_ node: NodeID, in tree: MarkupTree) -> TextBox {
        var box = boxes[Int(styled.style(of: node).rawValue)]
        let tag = tree.tag(node)
        if tree.isForeign(node) {
            if ForeignText.isHidden(tag) { box.display = .none }
            if tag == .svg, box.display == .inline { box.display = .inlineBlock }
        } else if tag == .input, tree.inputType(node) == .hidden {
            // A hidden control stays hidden for any style sheet.
            box.display = .none
        } else if box.display == .inline, tag == .button || tag == .select {
            // Controls are never parts of a line's own text (HTML §15.5.1).
            box.display = .inlineBlock
        } else if ExtractionDisplay.intrinsic(tag) == .replaced {
            box.display = Self.replaced(box.display)
        }
        return box
    }

    private static func replaced(_ display: ExtractionDisplay) -> ExtractionDisplay {
        switch display {
        case .none: .none
        case .inline, .inlineBlock, .inlineFlex, .inlineTable, .contents, .replaced: .replaced
        case .block, .listItem, .table, .rowGroup, .row, .cell, .caption, .column, .flex, .ruby, .rubyText,
            .replacedBlock, .unknown:
            .replacedBlock
        }
    }

    /// The `text-transform` of a block's `::first-letter`; nil if it is the same as for the rest.
    func firstLetter(_ node: NodeID) -> TextTransformCase? {
        guard styled.index.stylesFirstText, let id = styled.pseudoStyle(of: node, .firstLetter) else { return nil }
        let transform = styled.styles[id].text.transform
        return transform == styled.computed(node).text.transform ? nil : transform
    }

    /// Returns whether `::before` or `::after` has visible contents in the line.
    func showsInLine(_ pseudo: PseudoBox, of node: NodeID, in tree: MarkupTree) -> Bool {
        guard styled.hasPseudoStyles, let id = styled.pseudoStyle(of: node, pseudo) else { return false }
        let style = styled.styles[id]
        let display = ExtractionDisplay(style.box.display)
        guard let content = style.box.content, style.box.float == .none, !style.box.position.isOutOfFlow else {
            return false
        }
        if [.inlineBlock, .inlineFlex, .inlineTable].contains(display) { return true }
        func isBlank(_ text: String) -> Bool { text.utf8.allSatisfy(\.isHTMLSpace) }
        return display == .inline
            && content.contains { part in
                switch part {
                case .string(let text): !isBlank(text)
                case .attribute(let name, let fallback): !isBlank(tree.attribute(node, name) ?? fallback)
                case .counter, .counters, .openQuote, .closeQuote, .image, .elementText, .named, .target: true
                case .noOpenQuote, .noCloseQuote: false
                }
            }
    }
}
