// A document as attributed text: a sequence of paragraphs, including the markers of lists and the structure of tables. In: a
// BoxTree and its styled tree. Out: one text with runs and paragraphs, and a map from the bytes of the styled text. JSON and the
// public StyledText both read it, so they agree.

import FancyTextMarkup
import FancyTextStyling

/// A text in which a list item reads `1.⇥One` and the cells of a row are on one line.
package struct AttributedText: Sendable {
    /// A range with one style, from one text node, marker or separator; it belongs to one paragraph.
    package struct Run: Sendable {
        /// The bytes in `text`.
        package var range: Range<Int>
        package var style: StyleID
        package var element: NodeID
        /// The bytes in the source; empty for generated text.
        package var source: Range<Int>
        /// Index into ``BoxTree/links``; −1 for none.
        package var link: Int
        /// Index into `paragraphs`.
        package var paragraph: Int
        package var kind: Kind
    }

    package enum Kind: UInt8, Sendable {
        case text
        /// The marker of a list item.
        case marker
        /// The end of a paragraph: a line feed, or tabs or spaces before the next cell.
        case separator
    }

    package struct Paragraph: Sendable {
        /// The bytes in `text`, including the separator at the end.
        package var range: Range<Int>
        /// The length of the separator in bytes; 0 at the end of the text.
        package var separatorLength = 0
        /// The style of the block; `element` is its element, the root for text outside of all elements.
        package var style: StyleID
        package var element: NodeID
        /// Index into `attributes`.
        package var attributes: Int
        package var marker: ParagraphMarker?
        /// The number of list items that contain the paragraph.
        package var listLevel: Int
        package var cell: ParagraphCell?
    }

    package internal(set) var text: [UInt8] = []
    /// Both are ascending, without gaps, covering the text.
    package internal(set) var runs: [Run] = []
    package internal(set) var paragraphs: [Paragraph] = []
    /// Different attributes, each once.
    package internal(set) var attributes: [MarkupStyle.Paragraph] = []
    /// Ranges copied from the styled text, ascending in both texts.
    var origins: [(source: Int, target: Int, count: Int)] = []

    /// O(text + boxes).
    package init(_ source: BoxTree, _ styled: StyledTree, tables: TableForm = .tabs) {
        var builder = AttributedTextBuilder(source, styled, tables)
        if !source.boxes.isEmpty { builder.walk(0) }
        self = builder.result
        attributes = builder.attributes
    }

    init() {}

    /// The offset in this text of a byte of the styled text; omitted text maps to the end of the text before it. O(log runs).
    package func offset(of source: Int) -> Int {
        let next = origins.partitioningIndex { $0.source > source }
        guard next > 0 else { return 0 }
        let origin = origins[next - 1]
        return origin.target + min(source - origin.source, origin.count)
    }
}

/// The list marker that a paragraph begins with.
public struct ParagraphMarker: Hashable, Sendable {
    /// The marker's length in bytes at the paragraph's beginning, with the tab after it.
    public var length: Int
    /// As a list shows it, with the space that follows: `3. `.
    public var label: String
    /// The item's number; nil for bullets and words.
    public var number: Int?
    /// Whether the marker is inside the first line; then a space of its own takes the place of the tab.
    public var isInside: Bool

    package init(length: Int, label: String, number: Int? = nil, isInside: Bool) {
        (self.length, self.label, self.number, self.isInside) = (length, label, number, isInside)
    }
}

/// The table cell that contains a paragraph.
public struct ParagraphCell: Hashable, Sendable {
    /// Tells the tables of a text apart.
    public var table: Int
    /// From the top, from 0.
    public var row: Int
    /// From the beginning of the row, from 0.
    public var column: Int
    /// At least 1.
    public var rowSpan: Int
    /// At least 1.
    public var columnSpan: Int
    /// Whether the cell is a `th`.
    public var isHeader: Bool
}

/// The form of a table row's cells in text.
public enum TableForm: Hashable, Sendable {
    /// Separated by tabs: one for each column up to the next cell.
    case tabs
    /// Padded with spaces to the width of their column, and `spacing` more before the next.
    ///
    /// `fixedMaxLength` is the width of all columns: longer cells are truncated with three dots. Without it nothing is truncated,
    /// and a column is as wide as its widest cell. Widths count terminal cells: 2 for East Asian characters.
    case padded(spacing: Int = 3, fixedMaxLength: Int? = nil)
}
