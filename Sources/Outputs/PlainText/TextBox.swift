// How elements lie in running text: what the extractor asks of styles, and the answer of HTML's default stylesheet.

import Markup
import Painting
import Styling

/// The box that an element makes, as far as text extraction goes.
package enum ExtractionDisplay: UInt8, Sendable, BitwiseCopyable {
    case none, contents, inline, inlineBlock, block, listItem, table, inlineTable, rowGroup, row, cell, caption, column
    /// A block whose children become blocks: flex and grid containers.
    case flex, inlineFlex
    case ruby, rubyText
    /// Content from outside: images, controls, media. Its children are not rendered.
    case replaced, replacedBlock
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
    /// Blank lines above and below (a vertical margin); 0 or 1.
    package var blankLines: UInt8 = 0
    /// Columns that the content is set in from the left.
    package var indent: UInt8 = 0

    package init() {}

    /// Makes it the block that it is where inline boxes cannot be: out of flow, or in a flex container.
    mutating func blockify() {
        switch display {
        case .inline, .inlineBlock, .ruby, .rubyText, .contents: display = .block
        case .inlineFlex: display = .flex
        case .inlineTable: display = .table
        case .replaced: display = .replacedBlock
        case .none, .block, .listItem, .table, .rowGroup, .row, .cell, .caption, .column, .flex, .replacedBlock: break
        }
    }
}

/// Where the extractor learns how elements lie: the full cascade, or ``DefaultTextStyles``.
package protocol TextBoxStyles {
    /// The box of an element; `parent` is that of its parent, for what is inherited. Called once for each element, in document order.
    func box(_ node: NodeID, in tree: MarkupTree, parent: TextBox) -> TextBox
    /// The counter style of a list item's marker: `disc`, `decimal`, `none`, a string in quotes.
    func listStyleType(_ node: NodeID, in tree: MarkupTree) -> String
}

/// The HTML standard's suggested rendering (§15.3), `hidden`, and the plainest inline styles.
package struct DefaultTextStyles: TextBoxStyles, Sendable {
    /// Held here because every access to a global checks that it is made.
    nonisolated(unsafe) private let table = DefaultTextStyles.table

    package init() {}

    /// What a tag says of its box; the rest is its parent's.
    private struct Entry: BitwiseCopyable {
        var box = TextBox()
        var setsWhiteSpace = false
    }

    nonisolated(unsafe) private static let table: UnsafePointer<Entry> = {
        let table = UnsafeMutablePointer<Entry>.allocate(capacity: Int(TagID.knownCount) + 1)
        table.initialize(repeating: Entry(), count: Int(TagID.knownCount) + 1)
        func set(_ display: ExtractionDisplay, _ tags: TagID...) {
            for tag in tags { table[Int(tag.rawValue)].box.display = display }
        }
        func set(_ whiteSpace: TextBox.WhiteSpace, _ tags: TagID...) {
            for tag in tags {
                table[Int(tag.rawValue)].box.whiteSpace = whiteSpace
                table[Int(tag.rawValue)].setsWhiteSpace = true
            }
        }
        set(
            .none, .area, .base, .basefont, .datalist, .head, .link, .meta, .noembed, .noframes, .param, .rp, .script,
            .style, .template, .title, .source,
            .track, .map, .bgsound)
        set(
            .block, .address, .article, .aside, .blockquote, .body, .center, .dd, .details, .dialog, .dir, .div, .dl,
            .dt, .fieldset, .figcaption, .figure,
            .footer, .form, .h1, .h2, .h3, .h4, .h5, .h6, .header, .hgroup, .hr, .html, .legend, .listing, .main, .menu,
            .nav, .ol, .optgroup, .option, .p,
            .plaintext, .pre, .search, .section, .summary, .ul, .xmp, .frameset, .frame)
        set(.listItem, .li)
        set(.table, .table)
        set(.rowGroup, .tbody, .thead, .tfoot)
        set(.row, .tr)
        set(.cell, .td, .th)
        set(.caption, .caption)
        set(.column, .col, .colgroup)
        set(.inlineBlock, .button, .select, .meter, .progress, .marquee)
        set(
            .replaced, .img, .input, .textarea, .iframe, .audio, .video, .canvas, .embed, .object, .applet, .lambda,
            .svg)
        set(.ruby, .ruby)
        set(.rubyText, .rt)
        for tag in [
            TagID.p, .h1, .h2, .h3, .h4, .h5, .h6, .ul, .ol, .dl, .blockquote, .pre, .figure, .menu, .dir, .listing,
            .xmp, .plaintext, .fieldset, .hr,
        ] {
            table[Int(tag.rawValue)].box.blankLines = 1
        }
        for tag in [TagID.blockquote, .dd, .figure] { table[Int(tag.rawValue)].box.indent = 4 }
        set(.pre, .pre, .listing, .xmp, .plaintext)
        set(.nowrap, .nobr)
        set(.preWrap, .textarea)
        set(.normal, .table)
        return UnsafePointer(table)
    }()

    @inline(__always)
    package func box(_ node: NodeID, in tree: MarkupTree, parent: TextBox) -> TextBox {
        box(node, tree.storage.nodes.base[Int(node.index)], in: tree, parent: parent)
    }

    @inline(__always)
    func box(_ id: NodeID, _ node: Node, in tree: MarkupTree, parent: TextBox) -> TextBox {
        let tag = node.tag
        let entry = table[Int(min(tag.rawValue, TagID.knownCount))]
        var box = entry.box
        if !entry.setsWhiteSpace { box.whiteSpace = parent.whiteSpace }
        box.transform = parent.transform
        box.isVisible = parent.isVisible
        if node.flags.contains(.hasAttributes), hasTextAttribute(id, node, tree) {
            applyAttributes(id, tag, tree, &box)
        }
        if node.flags.contains(.foreign) { applyForeign(id, tag, tree, parent, &box) }
        return box
    }

    /// Whether an attribute that shapes the box is there: most elements have others.
    @inline(__always)
    private func hasTextAttribute(_ id: NodeID, _ node: Node, _ tree: MarkupTree) -> Bool {
        var at = tree.storage.attributes.items.base + tree.storage.attributes.first(of: id.index, node)
        while true {
            let id = at.pointee.id
            if id == AttributeID.style.rawValue || id == AttributeID.hidden.rawValue { return true }
            if id == AttributeID.type.rawValue, node.tag == .input { return true }
            if at.pointee.isLast { return false }
            at += 1
        }
    }

    /// SVG shows only what its text elements hold, and HTML in `foreignObject`.
    private func applyForeign(_ node: NodeID, _ tag: TagID, _ tree: MarkupTree, _ parent: TextBox, _ box: inout TextBox)
    {
        switch tag {
        case .title, .desc, .metadata, .defs, .style, .script, .stop: box.display = .none
        case .svg: box.display = .inlineBlock
        case .foreignobject: box.display = .block
        default: break
        }
    }

    @inline(never)
    private func applyAttributes(_ node: NodeID, _ tag: TagID, _ tree: MarkupTree, _ box: inout TextBox) {
        tree.forEachAttribute(node) { attribute in
            switch AttributeID(rawValue: attribute.id) {
            case .hidden: if tag != .embed { box.display = .none }
            case .style: tree.withValue(attribute) { Self.applyStyle($0, &box) }
            case .type where tag == .input:
                tree.withValue(attribute) { if NameKey($0) == NameKey("hidden".utf8) { box.display = .none } }
            default: break
            }
        }
    }

    /// Reads `display`, `white-space`, `visibility`, `text-transform`, `float` and `position` of a style attribute.
    private static func applyStyle(_ style: UnsafeBufferPointer<UInt8>, _ box: inout TextBox) {
        var at = 0
        while at < style.count {
            var end = at
            while end < style.count, style[end] != 0x3B { end += 1 }
            var colon = at
            while colon < end, style[colon] != 0x3A { colon += 1 }
            if colon < end { apply(word(style, at, colon), word(style, colon + 1, end), &box) }
            at = end + 1
        }
    }

    /// A trimmed word in lower case, `!important` cut off.
    private static func word(_ style: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> NameKey {
        var key = NameKey()
        var i = start
        while i < end, style[i].isHTMLSpace { i += 1 }
        while i < end, !style[i].isHTMLSpace, style[i] != 0x21 {
            key.add(style[i].asciiLowercased)
            i += 1
        }
        return key
    }

    private static let properties: [NameKey] = [
        "display", "white-space", "visibility", "text-transform", "float", "position",
    ].map { NameKey($0.utf8) }
    private static let displays: [(NameKey, ExtractionDisplay)] = {
        let names: [(StaticString, ExtractionDisplay)] = [
            ("none", .none), ("contents", .contents), ("inline", .inline), ("block", .block),
            ("inline-block", .inlineBlock), ("flex", .flex),
            ("grid", .flex), ("inline-flex", .inlineFlex), ("inline-grid", .inlineFlex), ("list-item", .listItem),
            ("table", .table),
            ("inline-table", .inlineTable), ("table-row", .row), ("table-cell", .cell), ("table-row-group", .rowGroup),
            ("table-caption", .caption),
            ("flow-root", .block),
        ]
        return names.map { (NameKey($0.0.bytes), $0.1) }
    }()

    private static func apply(_ name: NameKey, _ value: NameKey, _ box: inout TextBox) {
        func isValue(_ text: StaticString) -> Bool { value == NameKey(text.bytes) }
        switch properties.firstIndex(of: name) {
        case 0:
            for (key, display) in displays where key == value {
                if box.display == .replaced {
                    if display == .none {
                        box.display = .none
                    } else if display != .inline && display != .inlineBlock {
                        box.display = .replacedBlock
                    }
                } else {
                    box.display = display
                }
            }
        case 1:
            if isValue("normal") { box.whiteSpace = .normal }
            if isValue("nowrap") { box.whiteSpace = .nowrap }
            if isValue("pre") { box.whiteSpace = .pre }
            if isValue("pre-wrap") || isValue("break-spaces") { box.whiteSpace = .preWrap }
            if isValue("pre-line") { box.whiteSpace = .preLine }
        case 2:
            if isValue("hidden") || isValue("collapse") { box.isVisible = false }
            if isValue("visible") { box.isVisible = true }
        case 3:
            if isValue("uppercase") { box.transform = .uppercase }
            if isValue("lowercase") { box.transform = .lowercase }
            if isValue("capitalize") { box.transform = .capitalize }
            if isValue("none") { box.transform = .none }
        case 4: if isValue("left") || isValue("right") { box.isOutOfFlow = true }
        case 5: if isValue("absolute") || isValue("fixed") { box.isOutOfFlow = true }
        default: break
        }
    }

    package func listStyleType(_ node: NodeID, in tree: MarkupTree) -> String {
        if let style = tree.attribute(node, .style)?.lowercased(), let range = style.range(of: "list-style") {
            let words = style[range.upperBound...].prefix { $0 != ";" }.split { $0 == ":" || $0 == " " || $0 == "!" }
            for word in words where CounterText.isKnown(String(word)) { return String(word) }
        }
        if let style = Self.typeStyle(tree.attribute(node, .type)) { return style }
        var at = tree.parent(node)
        var depth = 0
        var ordered: Bool?
        while let list = at {
            switch tree.tag(list) {
            case .ol, .ul, .menu, .dir:
                if ordered == nil {
                    ordered = tree.tag(list) == .ol
                    if let style = tree.attribute(list, .style)?.lowercased(), let range = style.range(of: "list-style")
                    {
                        let words = style[range.upperBound...].prefix { $0 != ";" }.split {
                            $0 == ":" || $0 == " " || $0 == "!" || $0 == "-"
                        }
                        if words.contains("none") { return "none" }
                        for word in style[range.upperBound...].prefix(while: { $0 != ";" }).split(whereSeparator: {
                            $0 == ":" || $0 == " "
                        })
                        where CounterText.isKnown(String(word)) { return String(word) }
                    }
                    if let style = Self.typeStyle(tree.attribute(list, .type)) { return style }
                    if ordered == true { return "decimal" }
                } else {
                    depth += 1
                }
            default: break
            }
            if depth >= 2 { break }
            at = tree.parent(list)
        }
        return ["disc", "circle", "square"][min(depth, 2)]
    }

    static func typeStyle(_ type: String?) -> String? {
        switch type {
        case "1": "decimal"
        case "a": "lower-alpha"
        case "A": "upper-alpha"
        case "i": "lower-roman"
        case "I": "upper-roman"
        default:
            switch type?.lowercased() {
            case "disc": "disc"
            case "circle": "circle"
            case "square": "square"
            case "none": "none"
            default: nil
            }
        }
    }
}

extension String {
    /// The first occurrence of an ASCII text.
    fileprivate func range(of text: String) -> Range<String.Index>? {
        var at = startIndex
        while at < endIndex {
            if self[at...].hasPrefix(text) { return at..<index(at, offsetBy: text.count) }
            at = index(after: at)
        }
        return nil
    }
}
