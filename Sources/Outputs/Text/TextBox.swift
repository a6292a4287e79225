// How elements lie in running text: what the walks of a tree ask of styles.

import Basics
import Boxes
import Markup
import Styling

/// The box that an element makes, as far as text extraction goes.
package enum ExtractionDisplay: UInt8, Sendable, BitwiseCopyable {
    case none, contents, inline, inlineBlock, block, listItem, table, inlineTable, rowGroup, row, cell, caption, column
    /// A block whose children become blocks: flex and grid containers.
    case flex, inlineFlex
    case ruby, rubyText
    /// Content from outside: images, controls, media. Its children are not rendered.
    case replaced, replacedBlock
    /// Only the cascade and the boxes tell.
    case unknown
}

package struct TextBox: Sendable, BitwiseCopyable {
    package enum WhiteSpace: UInt8, Sendable, BitwiseCopyable { case normal, nowrap, pre, preWrap, preLine }
    package enum Transform: UInt8, Sendable, BitwiseCopyable { case none, uppercase, lowercase, capitalize }

    package var display = ExtractionDisplay.inline
    package var whiteSpace = WhiteSpace.normal
    package var transform = Transform.none
    package var isVisible = true
    /// Floating or absolutely positioned: a block whatever its display says.
    package var isOutOfFlow = false
    package var isRightToLeft = false
    /// Bits for margins above and below and the font's size: all of a box fits a register.
    private var margins: UInt8 = 0
    /// Columns that the content is set in from the left.
    package var indent: UInt8 = 0

    package init() {}

    /// A margin above of half a line or more.
    package var hasMarginAbove: Bool {
        get { margins & 1 != 0 }
        set { margins = margins & ~1 | (newValue ? 1 : 0) }
    }

    /// A margin below of half a line or more.
    package var hasMarginBelow: Bool {
        get { margins & 2 != 0 }
        set { margins = margins & ~2 | (newValue ? 2 : 0) }
    }

    /// The font has the default size, as far as is known without the cascade.
    var hasDefaultFontSize: Bool {
        get { margins & 4 == 0 }
        set { margins = margins & 3 | (newValue ? 0 : 4) }
    }

    /// Makes it the block that it is where inline boxes cannot be: out of flow, or in a flex container.
    mutating func blockify() {
        switch display {
        case .inline, .inlineBlock, .ruby, .rubyText: display = .block
        case .inlineFlex: display = .flex
        case .inlineTable: display = .table
        case .replaced: display = .replacedBlock
        case .none, .contents, .block, .listItem, .table, .rowGroup, .row, .cell, .caption, .column, .flex,
            .replacedBlock,
            .unknown:
            break
        }
    }
}

/// Where the extractor learns how elements lie: the full cascade, or ``DefaultTextStyles``.
package protocol TextBoxStyles {
    /// The box of an element; `parent` is that of its parent, for what is inherited. Called once for each element, in
    /// document order.
    func box(_ node: NodeID, in tree: MarkupTree, parent: TextBox) -> TextBox

    /// How `::first-letter` of a block transforms it; nil where it is as the rest.
    func firstLetter(_ node: NodeID) -> TextBox.Transform?

    /// Whether `::before` or `::after` shows something in the line.
    func showsInLine(_ pseudo: PseudoBox, of node: NodeID, in tree: MarkupTree) -> Bool
}

extension TextBoxStyles {
    @inline(__always)
    package func firstLetter(_ node: NodeID) -> TextBox.Transform? { nil }

    @inline(__always)
    package func showsInLine(_ pseudo: PseudoBox, of node: NodeID, in tree: MarkupTree) -> Bool { false }
}
