// Plain text of a document with style sheets: the boxes that the cascade gives, in the extractor's terms.

import MarkupStyling
import MarkupSyntax

struct StyledTextBoxes: TextBoxStyles {
    private let styled: StyledTree
    private let plain = DefaultTextStyles()

    init(_ styled: StyledTree) { self.styled = styled }

    func box(_ node: NodeID, in tree: MarkupTree, parent: TextBox) -> TextBox {
        var box = plain.box(node, in: tree, parent: parent)
        let style = styled.computed(node)
        box.display = Self.display(style.box.display, was: box.display)
        box.isOutOfFlow = style.box.float != .none
        box.isVisible = style.text.visibility == .visible
        switch style.text.whiteSpaceCollapse {
        case .collapse: box.whiteSpace = style.text.wraps ? .normal : .nowrap
        case .preserve, .breakSpaces, .preserveSpaces: box.whiteSpace = style.text.wraps ? .preWrap : .pre
        case .preserveBreaks: box.whiteSpace = .preLine
        }
        switch style.text.transform {
        case .none: box.transform = .none
        case .uppercase: box.transform = .uppercase
        case .lowercase: box.transform = .lowercase
        case .capitalize: box.transform = .capitalize
        }
        return box
    }

    private static func display(_ display: Display, was plain: ExtractionDisplay) -> ExtractionDisplay {
        switch display {
        case .none: return .none
        case .contents: return .contents
        case .inline:
            switch plain {
            case .replaced, .replacedBlock: return .replaced
            case .none, .contents, .inline, .inlineBlock, .block, .listItem, .table, .inlineTable, .rowGroup, .row, .cell,
                .caption, .column, .flex, .inlineFlex, .ruby, .rubyText:
                return .inline
            }
        case .inlineBlock: return plain == .replaced ? .replaced : .inlineBlock
        case .block, .flowRoot, .webkitBox:
            return plain == .replaced || plain == .replacedBlock ? .replacedBlock : .block
        case .listItem: return .listItem
        case .flex: return .flex
        case .inlineFlex: return .inlineFlex
        case .table: return .table
        case .inlineTable: return .inlineTable
        case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup: return .rowGroup
        case .tableRow: return .row
        case .tableCell: return .cell
        case .tableColumn, .tableColumnGroup: return .column
        case .tableCaption: return .caption
        case .ruby, .rubyBase: return .ruby
        case .rubyText: return .rubyText
        }
    }

    func listStyleType(_ node: NodeID, in tree: MarkupTree) -> String {
        switch styled.computed(node).text.listStyleType {
        case .none: "none"
        case .named(let name): name
        case .string(let text): "\"\(text)\""
        }
    }
}
