// The placement of elements in running text.

import FancyTextCSS

/// The box that an element generates, as far as text extraction needs it.
package enum ExtractionDisplay: UInt8, Sendable, BitwiseCopyable {
    case none, contents, inline, inlineBlock, block, listItem, table, inlineTable, rowGroup, row, cell, caption, column
    /// A block whose children become blocks: flex and grid containers.
    case flex, inlineFlex
    case ruby, rubyText
    /// External content: images, controls, media. Its children are not rendered.
    case replaced, replacedBlock
    /// Only the cascade and the boxes determine it.
    case unknown

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

package struct TextBox: Sendable, BitwiseCopyable {
    package enum WhiteSpace: UInt8, Sendable, BitwiseCopyable {
        case normal, pre, preWrap, preLine

        init(_ style: ComputedStyle) {
            self =
                switch style.text.whiteSpaceCollapse {
                case .collapse: .normal
                case .preserve, .breakSpaces, .preserveSpaces: style.text.wraps ? .preWrap : .pre
                case .preserveBreaks: .preLine
                }
        }
    }

    package var display = ExtractionDisplay.inline
    package var whiteSpace = WhiteSpace.normal
    package var transform = TextTransformCase.none
    package var isVisible = true
    /// True if the element shows its own text; most elements of SVG do not.
    var showsText = true
    /// True if the element is floating or absolutely positioned, and therefore a block.
    package var isOutOfFlow = false
    package var isRightToLeft = false
    /// True if a vertical margin is at least half a line.
    package var hasMargin = false
    /// The number of columns by which the content is indented from the left.
    package var indent: UInt8 = 0

    package init() {}

    /// The box of an element with a computed style, before the rules for single elements.
    init(_ style: ComputedStyle) {
        display = ExtractionDisplay(style.box.display)
        if style.skipsContents {
            display = display == .inlineBlock || display == .inlineFlex ? .replaced : .replacedBlock
        }
        whiteSpace = WhiteSpace(style)
        transform = style.text.transform
        isVisible = style.text.visibility == .visible
        isOutOfFlow = style.isOutOfFlow
        isRightToLeft = style.text.direction == .rtl
    }

    /// Turns an inline box into a block, if it is out of flow or in a flex container.
    mutating func blockify() {
        switch display {
        case .inline, .inlineBlock, .ruby, .rubyText: display = .block
        case .inlineFlex: display = .flex
        case .inlineTable: display = .table
        case .replaced: display = .replacedBlock
        case .none, .contents, .block, .listItem, .table, .rowGroup, .row, .cell, .caption, .column, .flex,
            .replacedBlock, .unknown:
            break
        }
    }
}
