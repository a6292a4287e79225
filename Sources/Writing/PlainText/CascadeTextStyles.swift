// The placement of elements in running text by the whole cascade. In: a styled tree. Out: the box of an element, or `.unknown` if
// only generated boxes determine its text. Boxes are looked up by style id: a page has many elements and few styles.

import FancyTextBoxes
import FancyTextCSS
import FancyTextMarkup
import FancyTextStyling

enum GeneratedContent {
    case none
    case text(String, TextBox)
    case unknown
}

/// A class, so that entering an element counts one reference.
final class CascadeTextStyles {
    let styled: StyledTree
    private let boxes: [StyleBox]
    /// A bit for each element with pseudo-elements; empty without any.
    private let generating: [UInt64]

    /// The box around the contents of the root.
    let root: TextBox

    /// The properties of a box that a computed style determines.
    private struct StyleBox: BitwiseCopyable {
        var box = TextBox()
        var display = Display.inline
        /// True if a traversal cannot follow the style: pictures as contents, counters of lists, and similar.
        var isUnknown = false
        /// True if only its counters of lists keep a traversal from following the style.
        var isCountingOnly = false
        /// The number of columns by which a quotation is indented.
        var quoteIndent: UInt8 = 0
    }

    /// Returns nil if some style needs boxes for any element: styles of first lines and first letters.
    init?(_ styled: StyledTree) {
        let box = Self.box(styled.rootStyle)
        var around = box.box
        around.display = .inline
        root = around
        // A fragment is inside a body, which may be more than a block.
        guard styled.tree.isDocument || styled.rootStyle.box.display == .block, !box.isUnknown,
            !styled.index.stylesFirstText
        else { return nil }
        self.styled = styled
        boxes = styled.styles.styles.map(Self.box)
        let count = styled.hasPseudoStyles ? (styled.tree.count + 63) / 64 : 0
        var generating = [UInt64](repeating: 0, count: count)
        for node in styled.nodesWithPseudoStyles { generating[Int(node.index >> 6)] |= 1 << UInt64(node.index & 63) }
        self.generating = generating
    }

    private static func box(_ style: ComputedStyle) -> StyleBox {
        var result = StyleBox()
        result.display = style.box.display
        result.box = TextBox(style)
        result.isUnknown = isUnknownText(style) || style.text.transformFullWidth || style.text.transformFullSizeKana
        result.box.hasMargin = PlainTextWriter.blockBreaks(style) > 1
        result.quoteIndent = UInt8(PlainTextWriter.quoteIndent(style))
        if let content = style.box.content, content.count == 1, case .image = content[0] { result.isUnknown = true }
        if style.skipsContents { result.isUnknown = true }
        result.isCountingOnly = !result.isUnknown
        if countsItems(style) { result.isUnknown = true }
        return result
    }

    /// Returns whether the style changes the numbers of list items; other counters are only visible in generated content.
    private static func countsItems(_ style: ComputedStyle) -> Bool {
        [style.box.counterReset, style.box.counterIncrement, style.box.counterSet].contains { changes in
            changes.contains { $0.name == "list-item" }
        }
    }

    // MARK: Boxes

    func box(_ id: NodeID, _ node: Node, in tree: MarkupTree, parent: TextBox) -> TextBox {
        let style = boxes[Int(styled.style(of: id).rawValue)]
        let tag = node.tag
        if node.flags.contains(.foreign) { return foreignBox(style, tag) }
        var box = style.box
        box.display = display(style, tag, parent)
        // A hidden control stays hidden for any style sheet.
        if tag == .input, box.display == .replaced || box.display == .replacedBlock, tree.inputType(id) == .hidden {
            box.display = .none
        }
        if tag == .blockquote || tag == .dd || tag == .figure { box.indent = style.quoteIndent }
        return box
    }

    private func display(_ style: StyleBox, _ tag: TagID, _ parent: TextBox) -> ExtractionDisplay {
        if style.display == .none { return .none }
        // The default style of a summary counts no item, which only lists would show.
        if style.isUnknown, !(tag == .summary && style.isCountingOnly) { return .unknown }
        let own = ExtractionDisplay(style.display)
        guard let usual = ExtractionDisplay.intrinsic(tag) else {
            // The triangle of a summary is not shown.
            guard tag == .summary else { return plain(own) }
            return own == .listItem || own == .block ? .block : .unknown
        }
        switch usual {
        case .replaced:
            if own == .inline || own == .inlineBlock { return .replaced }
            return own == .block && tag != .progress && tag != .meter ? .replacedBlock : .unknown
        case .table, .rowGroup, .row, .cell, .caption, .column:
            guard own == usual else { return tag == .table ? plain(own) : own == .inline ? .unknown : plain(own) }
            if style.box.isOutOfFlow, own != .table { return .unknown }
            return fits(own, style.display, tag, in: parent) ? own : .unknown
        // Captions of fieldsets and the contents of controls are in separate boxes.
        case .block, .inlineBlock: return own == usual ? own : .unknown
        case .inline: return own == usual && !style.box.isOutOfFlow ? own : .unknown
        // Head, scripts and similar elements, and ruby.
        case .none, .ruby, .contents, .listItem, .inlineTable, .flex, .inlineFlex, .rubyText, .replacedBlock, .unknown:
            return .unknown
        }
    }

    /// The display of boxes that any element may generate; table parts of other elements need anonymous boxes.
    private func plain(_ display: ExtractionDisplay) -> ExtractionDisplay {
        switch display {
        case .none, .contents, .inline, .inlineBlock, .block, .listItem, .flex, .inlineFlex: display
        case .table, .inlineTable, .rowGroup, .row, .cell, .caption, .column, .ruby, .rubyText, .replaced,
            .replacedBlock, .unknown:
            .unknown
        }
    }

    /// Returns whether a part of a table is where it belongs, and has the display of its tag.
    private func fits(_ part: ExtractionDisplay, _ display: Display, _ tag: TagID, in parent: TextBox) -> Bool {
        switch part {
        case .rowGroup:
            let own: Display = tag == .thead ? .tableHeaderGroup : tag == .tfoot ? .tableFooterGroup : .tableRowGroup
            return display == own && parent.display == .table
        case .caption, .column: return parent.display == .table || parent.display == .column
        case .row: return parent.display == .rowGroup || parent.display == .table
        case .cell: return parent.display == .row
        default: return true
        }
    }

    /// Elements of SVG and MathML determine their own visibility, unless a style hides them.
    private func foreignBox(_ style: StyleBox, _ tag: TagID) -> TextBox {
        var box = style.box
        box.display = ExtractionDisplay(style.display)
        if box.display == .none || ForeignText.isHidden(tag) {
            box.display = .none
        } else if style.isUnknown || tag == .foreignobject {
            box.display = .unknown
        } else if tag == .svg, box.display != .block {
            box.display = box.display == .inline || box.display == .inlineBlock ? .inlineBlock : .unknown
        }
        return box
    }

    // MARK: Markers and generated content

    /// The counter style of an item's marker, and whether it is all of the marker: not for one that is part of the content, or a picture.
    func marker(_ item: NodeID) -> (style: CounterStyle, isKnown: Bool) {
        let text = styled.computed(item).text
        guard !hasGeneratedContent(item) || styled.pseudoStyle(of: item, .marker) == nil, text.listStyleImage == nil
        else { return (.none, false) }
        let isUnknown =
            switch text.listStyleType {
            case .none: false
            case .named(let name): text.listStyleInside || styled.index.counterStyles.defines(name)
            // Long strings count against a budget, which box generation applies.
            case .string(let string): text.listStyleInside || string.utf8.count > 64
            }
        return (text.listStyleType, !isUnknown)
    }

    /// Returns whether rules match `::before` or `::after`.
    func hasGeneratedContent(_ id: NodeID) -> Bool {
        !generating.isEmpty && generating[Int(id.index >> 6)] & (1 << UInt64(id.index & 63)) != 0
    }

    /// The text of `::before` or `::after`.
    func generated(_ pseudo: PseudoBox, of element: NodeID, in tree: MarkupTree) -> GeneratedContent {
        guard let id = styled.pseudoStyle(of: element, pseudo) else { return .none }
        let style = styled.styles[id]
        guard let content = style.box.content, style.box.display != .none else { return .none }
        guard !Self.countsItems(style) else { return .unknown }
        var text = ""
        for part in content {
            switch part {
            case .string(let string): text += string
            case .attribute(let name, let fallback): text += tree.attribute(element, name) ?? fallback
            case .counter, .openQuote, .closeQuote, .noOpenQuote, .noCloseQuote, .image, .elementText,
                .named, .target:
                return .unknown
            }
        }
        // Long texts count against a budget, which box generation applies.
        guard text.utf8.count <= 256, !Self.isUnknownText(style) else { return .unknown }
        var box = boxes[Int(id.rawValue)].box
        box.display = ExtractionDisplay(style.box.display)
        if box.display == .table { box.display = .block }
        return .text(TextTransform.apply(style, to: text), box)
    }

    /// Returns whether the style changes white space or letters in a way that a traversal cannot follow.
    private static func isUnknownText(_ style: ComputedStyle) -> Bool {
        switch style.text.whiteSpaceCollapse {
        case .breakSpaces, .preserveSpaces, .preserveBreaks: true
        case .collapse, .preserve: style.text.transform == .capitalize
        }
    }
}
