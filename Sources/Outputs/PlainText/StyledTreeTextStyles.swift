// How elements lie in running text by the full cascade, for `innerText`: from their computed styles.

import FancyTextMarkup
import FancyTextStyling

/// Answers from a styled tree, for documents whose style sheets decide.
package struct StyledTreeTextStyles: TextBoxStyles, Sendable {
    private let styled: StyledTree
    private let defaults: DefaultTextStyles

    package init(_ styled: StyledTree) {
        self.styled = styled
        defaults = DefaultTextStyles(styled.tree.documentMode)
    }

    package func box(_ node: NodeID, in tree: MarkupTree, parent: TextBox) -> TextBox {
        // Replaced elements and what SVG shows are matters of the element, not of its style.
        var box = defaults.box(node, in: tree, parent: parent)
        let style = styled.computed(node)
        let isForeign = tree.isForeign(node)
        if isForeign {
            if box.display == .unknown { box.display = .block }
        } else {
            let tag = tree.tag(node)
            // What a style attribute says is in the computed style.
            if box.display == .unknown { box.display = DefaultTextStyles.box(of: tag).display }
            if tag == .input, tree.inputType(node) == .hidden { box.display = .none }
            let display = ExtractionDisplay(style.box.display)
            box.display = self.display(display, of: box.display, tag) { tree.hasAttribute(node, .hidden) }
        }
        box.whiteSpace = whiteSpace(style.text)
        box.transform = Self.transforms[Int(style.text.transform.rawValue)]
        box.isVisible = style.text.visibility == .visible
        box.isOutOfFlow = style.box.float != .none || style.box.position.isOutOfFlow
        return box
    }

    private static let transforms: [TextBox.Transform] = [.none, .uppercase, .lowercase, .capitalize]

    package func firstLetter(_ node: NodeID) -> TextBox.Transform? {
        guard styled.index.stylesFirstText, let id = styled.pseudoStyle(of: node, .firstLetter) else { return nil }
        let transform = styled.styles[id].text.transform
        return transform == styled.computed(node).text.transform ? nil : Self.transforms[Int(transform.rawValue)]
    }

    package func showsInLine(_ pseudo: PseudoBox, of node: NodeID, in tree: MarkupTree) -> Bool {
        guard styled.hasPseudoStyles, let id = styled.pseudoStyle(of: node, pseudo) else { return false }
        let style = styled.styles[id]
        guard let content = style.box.content, style.box.float == .none, !style.box.position.isOutOfFlow else {
            return false
        }
        switch ExtractionDisplay(style.box.display) {
        case .inlineBlock, .inlineFlex, .inlineTable: return true
        case .inline:
            return content.contains { part in
                switch part {
                case .string(let text): text.utf8.contains { !$0.isHTMLSpace }
                case .attribute(let name): tree.attribute(node, name)?.utf8.contains { !$0.isHTMLSpace } == true
                case .counter, .counters, .openQuote, .closeQuote, .image: true
                case .noOpenQuote, .noCloseQuote: false
                }
            }
        case .none, .contents, .block, .flex, .listItem, .table, .rowGroup, .row, .cell, .caption, .column, .ruby,
            .rubyText, .replaced, .replacedBlock, .unknown:
            return false
        }
    }

    private func isInline(_ display: ExtractionDisplay) -> Bool {
        display == .inline || display == .inlineBlock || display == .inlineFlex || display == .inlineTable
            || display == .contents || display == .replaced
    }

    private func whiteSpace(_ text: TextStyle) -> TextBox.WhiteSpace {
        switch text.whiteSpaceCollapse {
        case .collapse: text.wraps ? .normal : .nowrap
        case .preserve, .breakSpaces, .preserveSpaces: text.wraps ? .preWrap : .pre
        case .preserveBreaks: .preLine
        }
    }

    /// - Parameter element: what the element is without styles.
    private func display(
        _ display: ExtractionDisplay, of element: ExtractionDisplay, _ tag: TagID, isHidden: () -> Bool
    ) -> ExtractionDisplay {
        // A hidden control stays hidden whatever a sheet says.
        if element == .none, tag == .input { return .none }
        // Controls are never parts of a line's own text (HTML §15.5.1).
        if display == .inline, tag == .button || tag == .select { return .inlineBlock }
        guard element == .replaced || element == .replacedBlock else { return display }
        // The default sheet hides media, which no picture shows; in running text they take a place, as in a browser.
        if display == .none {
            return !isHidden() && (tag == .iframe || tag == .video || tag == .audio || tag == .canvas) ? element : .none
        }
        return isInline(display) ? .replaced : .replacedBlock
    }
}

extension ExtractionDisplay {
    /// The box of a computed `display`.
    init(_ display: Display) {
        self =
            switch display {
            case .none: .none
            case .contents: .contents
            case .block, .flowRoot, .webkitBox: .block
            case .inline, .rubyBase: .inline
            case .inlineBlock: .inlineBlock
            case .listItem: .listItem
            case .flex, .grid: .flex
            case .inlineFlex, .inlineGrid: .inlineFlex
            case .table: .table
            case .inlineTable: .inlineTable
            case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup: .rowGroup
            case .tableRow: .row
            case .tableCell: .cell
            case .tableColumn, .tableColumnGroup: .column
            case .tableCaption: .caption
            case .ruby: .ruby
            case .rubyText: .rubyText
            }
    }
}
