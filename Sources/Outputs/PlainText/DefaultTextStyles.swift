// How elements lie in running text by the default style sheet, their attributes, and style attributes that say little.
//
// In: an element. Out: its box, or `.unknown` where only the cascade tells. The table is what ``DefaultStyles``
// computes for each element, compared with it by a test; having it here costs nothing when a program starts.

import FancyTextBasics
import FancyTextMarkup
import FancyTextStyling

package struct DefaultTextStyles: TextBoxStyles, Sendable {
    /// Held here because every access to a global checks that it is made.
    nonisolated(unsafe) private let table: UnsafePointer<Entry>
    /// The attributes that shape the box of some elements, as bits.
    private let shaping: UInt64

    package init(_ mode: DocumentMode = .noQuirks) {
        table = mode == .quirks ? DefaultTextStyles.quirksTable : DefaultTextStyles.table
        func bit(_ id: AttributeID) -> UInt64 { 1 << UInt64(id.rawValue) }
        shaping = bit(.style) | bit(.hidden) | bit(.dir) | bit(.type) | bit(.align) | bit(.wrap) | bit(.open)
    }

    /// What a tag says of its box; the rest is its parent's.
    private struct Entry: BitwiseCopyable {
        var box = TextBox()
        var inherited: TextBox.Inherited = [.whiteSpace, .transform, .visibility, .direction, .fontSize]
        /// A `display` of its own would make more of it than another box.
        var keepsDisplay = false
    }

    nonisolated(unsafe) private static let table = makeTable(.noQuirks)
    nonisolated(unsafe) private static let quirksTable = makeTable(.quirks)

    private static func makeTable(_ mode: DocumentMode) -> UnsafePointer<Entry> {
        let table = UnsafeMutablePointer<Entry>.allocate(capacity: Int(TagID.knownCount) + 1)
        table.initialize(repeating: Entry(), count: Int(TagID.knownCount) + 1)
        func change(_ tags: [TagID], _ change: (inout Entry) -> Void) {
            for tag in tags { change(&table[Int(tag.rawValue)]) }
        }
        func set(_ display: ExtractionDisplay, _ tags: TagID...) { change(tags) { $0.box.display = display } }
        set(
            .none, .area, .base, .basefont, .bgsound, .datalist, .dialog, .head, .link, .meta, .noembed, .noframes,
            .noscript, .param, .rp,
            .script, .source, .style, .template, .title, .track)
        set(
            .block, .address, .article, .aside, .blockquote, .body, .center, .dd, .details, .dir, .div, .dl, .dt,
            .fieldset, .figcaption, .figure, .footer, .form, .frame, .frameset, .h1, .h2, .h3, .h4, .h5, .h6, .header,
            .hgroup, .hr, .html, .legend, .listing, .main, .menu, .multicol, .nav, .ol, .optgroup, .option, .p,
            .plaintext, .pre, .search, .section, .summary, .ul, .xmp)
        set(.listItem, .li)
        set(.table, .table)
        set(.rowGroup, .tbody, .thead, .tfoot)
        set(.row, .tr)
        set(.cell, .td, .th)
        set(.caption, .caption)
        set(.column, .col, .colgroup)
        set(.inlineBlock, .button, .select, .marquee)
        set(
            .replaced, .img, .input, .textarea, .embed, .object, .applet, .lambda, .svg,
            .progress, .meter)
        // The default style sheet hides media; `innerText` has a place for them.
        set(.replaced, .audio, .canvas, .iframe, .video)
        set(.unknown, .ruby, .rt, .rb)
        change([
            .blockquote, .body, .dir, .dl, .figure, .h1, .h2, .h3, .h4, .h5, .h6, .hr, .listing, .menu, .multicol, .ol,
            .p,
            .plaintext, .pre, .ul, .xmp,
        ]) {
            $0.box.hasMarginAbove = true
            $0.box.hasMarginBelow = true
        }
        change([.blockquote, .dd, .figure]) { $0.box.indent = 4 }
        func set(_ whiteSpace: TextBox.WhiteSpace, _ tags: TagID...) {
            change(tags) {
                $0.box.whiteSpace = whiteSpace
                $0.inherited.remove(.whiteSpace)
            }
        }
        set(.pre, .pre, .listing, .xmp, .plaintext, .input)
        set(.nowrap, .nobr, .select)
        set(.preWrap, .textarea)
        change([.button, .input, .select, .textarea]) { $0.inherited.remove(.transform) }
        change([
            .basefont, .big, .button, .code, .font, .h1, .h2, .h3, .h5, .h6, .input, .kbd, .listing, .plaintext, .pre,
            .rt, .samp, .select, .small, .sub, .sup, .textarea, .tt, .xmp,
        ]) { $0.box.hasDefaultFontSize = false }
        change([
            .br, .wbr, .hr, .q, .html, .body, .summary, .legend, .fieldset, .option, .optgroup, .input, .textarea,
            .select, .progress, .meter, .object, .applet, .embed, .svg, .slot, .audio, .canvas, .iframe, .video,
        ]) { $0.keepsDisplay = true }
        if mode == .quirks {
            change([.form]) { $0.box.hasMarginBelow = true }
            set(.normal, .table)
        }
        return UnsafePointer(table)
    }

    /// The box of an element without attributes, for the test that holds the table to the default style sheet.
    package static func box(of tag: TagID) -> TextBox { table[Int(min(tag.rawValue, TagID.knownCount))].box }

    package static func resetsTransform(_ tag: TagID) -> Bool {
        !table[Int(min(tag.rawValue, TagID.knownCount))].inherited.contains(.transform)
    }

    @inline(__always)
    package func box(_ node: NodeID, in tree: MarkupTree, parent: TextBox) -> TextBox {
        box(node, tree.storage.nodes.base[Int(node.index)], in: tree, parent: parent)
    }

    @inline(__always)
    func box(_ id: NodeID, _ node: Node, in tree: MarkupTree, parent: TextBox) -> TextBox {
        let tag = node.tag
        let entry = table[Int(min(tag.rawValue, TagID.knownCount))]
        var box = entry.box.inheriting(entry.inherited, from: parent)
        if node.flags.contains(.hasAttributes), hasTextAttribute(id, node, tree) {
            applyAttributes(id, tag, tree, &box, keepsDisplay: entry.keepsDisplay)
        }
        if node.flags.contains(.foreign) { applyForeign(tag, &box) }
        return box
    }

    /// Whether an attribute that shapes the box is there: most elements have others.
    @inline(__always)
    private func hasTextAttribute(_ id: NodeID, _ node: Node, _ tree: MarkupTree) -> Bool {
        var at = tree.firstAttribute(of: id, node)
        while true {
            // This is asked of every attribute. Ids from 64 on may seem to be among them.
            if shaping &>> UInt64(at.pointee.id) & 1 != 0, Self.shapesBox(at.pointee.id, of: node.tag) { return true }
            if at.pointee.isLast { return false }
            at += 1
        }
    }

    @inline(never)
    private static func shapesBox(_ attribute: UInt8, of tag: TagID) -> Bool {
        switch attribute {
        case AttributeID.style.rawValue, AttributeID.hidden.rawValue, AttributeID.dir.rawValue: true
        case AttributeID.type.rawValue, AttributeID.align.rawValue: tag == .input || tag == .img
        case AttributeID.wrap.rawValue: tag == .pre
        case AttributeID.open.rawValue: tag == .dialog
        default: false
        }
    }

    /// SVG shows only what its text elements hold; HTML in it is read off the boxes.
    private func applyForeign(_ tag: TagID, _ box: inout TextBox) {
        if ForeignText.isHidden(tag) {
            box.display = .none
        } else if tag == .svg {
            if box.display != .none { box.display = box.display == .replacedBlock ? .block : .inlineBlock }
        } else if tag == .foreignobject {
            box.display = .unknown
        }
    }

    @inline(never)
    private func applyAttributes(
        _ node: NodeID, _ tag: TagID, _ tree: MarkupTree, _ box: inout TextBox, keepsDisplay: Bool
    ) {
        var style: Attribute?
        tree.forEachAttribute(node) { attribute in
            switch AttributeID(rawValue: attribute.id) {
            case .hidden: box.display = .none
            case .style: style = attribute
            case .dir:
                tree.withValue(attribute) {
                    let value = NameKey($0)
                    if value == NameKey("rtl") { box.isRightToLeft = true }
                    if value == NameKey("ltr") { box.isRightToLeft = false }
                }
            case .type where tag == .input:
                tree.withValue(attribute) { if NameKey($0) == NameKey("hidden") { box.display = .none } }
            case .align where tag == .input || tag == .img:
                tree.withValue(attribute) {
                    let value = NameKey($0)
                    if value == NameKey("left") || value == NameKey("right") { box.isOutOfFlow = true }
                }
            case .wrap where tag == .pre: box.whiteSpace = .preWrap
            case .open where tag == .dialog: if box.display == .none { box.display = .block }
            default: break
            }
        }
        if let style {
            tree.withValue(style) { InlineTextStyle.apply($0, to: &box, of: tag, keepsDisplay: keepsDisplay) }
        }
    }
}

/// What of SVG and MathML is text.
enum ForeignText {
    /// Whether what stands in the element itself shows.
    static func shows(in element: NodeID, of tree: MarkupTree) -> Bool {
        !tree.isForeign(element) || shows(in: tree.tag(element))
    }

    /// Of an element of SVG or MathML.
    static func shows(in tag: TagID) -> Bool {
        switch tag {
        case .text, .tspan, .textpath, .a, .foreignobject, .mi, .mo, .mn, .ms, .mtext: true
        default: false
        }
    }

    /// Whether an `svg` has text to show, whatever styles say of it.
    static func hasText(_ svg: NodeID, in tree: MarkupTree) -> Bool {
        tree.subtree(svg).contains { node in
            guard tree.kind(node) == .text, !ChangeMarks.isBlank(node, tree), let parent = tree.parent(node) else {
                return false
            }
            return shows(in: parent, of: tree)
        }
    }

    /// What an `svg` without text is called (SVG 2 §5.5): its first `title`.
    static func title(of svg: NodeID, in tree: MarkupTree) -> String {
        guard tree.attribute(svg, "aria-hidden") != "true" else { return "" }
        for child in tree.children(svg) where tree.kind(child) == .element && tree.tag(child) == .title {
            return String(decoding: tree.textContent(child), as: UTF8.self)
        }
        return ""
    }

    static func isHidden(_ tag: TagID) -> Bool {
        switch tag {
        case .title, .desc, .metadata, .defs, .style, .script, .stop: true
        default: false
        }
    }
}
