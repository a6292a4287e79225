// The default style sheet (HTML Standard §15.3 "Suggested rendering", with Chromium's values). In: a tag and its context. Out: its
// declarations, which are parsed when a document first has such an element.

import FancyTextCSS
import FancyTextMarkup

package enum DefaultStyles {
    package struct Variant: OptionSet, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// In one list; `inTwoLists` means in two or more (`ul`, `ol`, `menu`, `dir`).
        static let inList = Variant(rawValue: 1)
        static let inTwoLists = Variant(rawValue: 2)
        /// `a` and `area` with `href`.
        static let link = Variant(rawValue: 4)
        /// `open` (`dialog`) or `title` (`abbr`); a `tr` whose parent is the table itself; the summary of an open `details`.
        static let open = Variant(rawValue: 8)
        /// A child of a closed `details`, other than its first summary.
        static let closedAway = Variant(rawValue: 16)
        /// In a `dl`, where lists have no margins either.
        static let inDefinitionList = Variant(rawValue: 32)
        static let quirks = Variant(rawValue: 64)
    }

    /// The declarations of an element; an empty string if it has none.
    package static func css(_ tag: TagID, _ variant: Variant) -> String {
        guard Int(tag.rawValue) < table.count, tag.isKnown
        else { return variant.contains(.closedAway) ? "display:none" : "" }
        var css = table[Int(tag.rawValue)].description
        if !variant.isDisjoint(with: [.inList, .inTwoLists, .inDefinitionList]) {
            let type = variant.contains(.inTwoLists) ? "square" : variant.contains(.inList) ? "circle" : nil
            if let type, tag != .ol, tag != .dl { css += ";list-style-type:" + type }
            css += ";margin-block:0"
        }
        if variant.contains(.link) { css = "color:linktext;text-decoration:underline;-ft-link:none" }
        if variant.contains(.open) {
            if tag == .dialog { css += ";display:block" }
            if tag == .summary {
                css = "display:list-item;counter-increment:list-item 0;list-style:disclosure-open inside"
            }
            if tag == .abbr || tag == .acronym { css = "text-decoration:dotted underline" }
            if tag == .tr { css = "display:table-row;vertical-align:middle;border-color:inherit" }
        }
        if isolated.contains(tag) { css += ";unicode-bidi:isolate" }
        if variant.contains(.quirks) { css += quirks[tag] ?? "" }
        if variant.contains(.closedAway) { css += ";display:none" }
        return css
    }

    /// Elements whose text is isolated from the surrounding bidirectional text if they are inline (HTML §15.3.6).
    private static let isolated: Set<TagID> = [
        .address, .blockquote, .center, .div, .figure, .figcaption, .footer, .form, .header, .hr, .legend, .listing,
        .main, .p, .plaintext, .pre, .summary, .xmp, .article, .aside, .h1, .h2, .h3, .h4, .h5, .h6, .hgroup, .nav,
        .section, .search, .table, .caption, .colgroup, .col, .thead, .tbody, .tfoot, .tr, .td, .th, .dir, .dd, .dl,
        .dt, .menu, .ol, .ul, .li, .bdi, .output,
    ]

    /// Declarations added in quirks mode (HTML §15.3). Those of lists are for items outside of lists, and for lists in them.
    private static let quirks: [TagID: String] = [
        .table:
            ";font-size:initial;font-weight:initial;font-style:initial;font-variant:initial;line-height:initial;white-space:initial;text-align:start",
        .form: ";margin-block-end:1em", .input: ";box-sizing:border-box", .textarea: ";box-sizing:border-box",
        .li: ";list-style-position:inside", .ul: ";list-style-position:outside", .ol: ";list-style-position:outside",
        .menu: ";list-style-position:outside", .dir: ";list-style-position:outside",
    ]

    static func hasQuirks(_ tag: TagID) -> Bool {
        isList(tag) || tag == .li || tag == .table || tag == .form || tag == .input || tag == .textarea
    }

    /// The default margins that collapse at the edges of the body and of cells in quirks mode (HTML §15.3.10).
    static func quirkyMargins(_ tag: TagID) -> BoxQuirks {
        switch tag {
        // At the bottom, browsers do this for paragraphs only.
        case .p: [.marginTop, .marginBottom]
        case .blockquote, .ul, .ol, .dl, .menu, .dir, .pre, .listing, .xmp, .plaintext, .multicol, .h1, .h2, .h3, .h4,
            .h5, .h6:
            .marginTop
        default: []
        }
    }

    package static func isBlock(_ tag: TagID) -> Bool { css(tag, []).hasPrefix("display:block") }

    /// A Boolean value that indicates whether the element makes no lines of its own.
    package static func isInline(_ tag: TagID) -> Bool {
        let css = css(tag, [])
        return !css.hasPrefix("display:") || css.hasPrefix("display:inline") || css.hasPrefix("display:none")
    }

    /// Returns whether nesting in this tag counts for ``Variant/inList``.
    @inlinable package static func isList(_ tag: TagID) -> Bool {
        tag == .ul || tag == .ol || tag == .menu || tag == .dir
    }

    /// Returns whether ``Variant/inList`` changes the element's style.
    package static func dependsOnLists(_ tag: TagID) -> Bool { isList(tag) || tag == .dl }

    private static let table: [StaticString] = {
        var table = [StaticString](repeating: "", count: Int(TagID.knownCount))
        for (tags, css) in rules {
            for tag in tags { table[Int(tag.rawValue)] = css }
        }
        return table
    }()

    private static let rules: KeyValuePairs<[TagID], StaticString> = [
        [
            .html, .div, .section, .article, .main, .nav, .aside, .header, .footer, .hgroup, .search, .figcaption,
            .form, .dt, .legend, .option, .details, .frameset, .frame,
        ]: "display:block",
        [.body]: "display:block;margin:8px",
        [.foreignobject]: "display:block;overflow:hidden",
        [.svg, .symbol, .marker]: "overflow:hidden",
        [
            .head, .title, .meta, .link, .base, .script, .style, .template, .param, .source, .track, .area,
            .datalist, .noembed, .noframes, .noscript, .rp, .audio, .basefont, .bgsound,
        ]: "display:none",
        [.dialog]:
            "display:none;position:absolute;inset-inline:0;width:fit-content;height:fit-content;margin:auto;border:solid;padding:1em;background:canvas;color:canvastext",
        [.optgroup]: "display:block;font-weight:bolder", [.p, .multicol, .dl]: "display:block;margin-block:1em",
        [.dd]: "display:block;margin-inline-start:40px",
        [.blockquote, .figure]: "display:block;margin-block:1em;margin-inline:40px",
        [.address]: "display:block;font-style:italic", [.center]: "display:block;text-align:-webkit-center",
        [.h1]: "display:block;font-size:2em;margin-block:.67em;font-weight:bold",
        [.h2]: "display:block;font-size:1.5em;margin-block:.83em;font-weight:bold",
        [.h3]: "display:block;font-size:1.17em;margin-block:1em;font-weight:bold",
        [.h4]: "display:block;margin-block:1.33em;font-weight:bold",
        [.h5]: "display:block;font-size:.83em;margin-block:1.67em;font-weight:bold",
        [.h6]: "display:block;font-size:.67em;margin-block:2.33em;font-weight:bold",
        [.hr]:
            "display:block;color:gray;border-style:inset;border-width:1px;margin-block:.5em;margin-inline:auto;overflow:hidden",
        [.pre, .listing, .xmp, .plaintext]: "display:block;font-family:monospace;white-space:pre;margin-block:1em",
        [.ul, .menu, .dir]: "display:block;list-style-type:disc;margin-block:1em;padding-inline-start:40px",
        [.ol]: "display:block;list-style-type:decimal;margin-block:1em;padding-inline-start:40px",
        [.li]: "display:list-item",
        [.summary]: "display:list-item;counter-increment:list-item 0;list-style:disclosure-closed inside",
        [.table]:
            "display:table;border-spacing:2px;border-collapse:separate;box-sizing:border-box;text-indent:0;text-align:-internal-table",
        [.caption]: "display:table-caption;text-align:-webkit-center",
        [.colgroup]: "display:table-column-group", [.col]: "display:table-column",
        [.thead]: "display:table-header-group;vertical-align:middle;border-color:inherit",
        [.tbody]: "display:table-row-group;vertical-align:middle;border-color:inherit",
        [.tfoot]: "display:table-footer-group;vertical-align:middle;border-color:inherit",
        [.tr]: "display:table-row;vertical-align:inherit;border-color:inherit",
        [.td]: "display:table-cell;vertical-align:inherit;padding:1px",
        [.th]: "display:table-cell;vertical-align:inherit;padding:1px;font-weight:bold;text-align:-internal-center",
        [.b, .strong]: "font-weight:bolder", [.i, .em, .cite, .dfn, .variable]: "font-style:italic",
        [.u, .ins]: "text-decoration:underline", [.s, .del, .strike]: "text-decoration:line-through",
        [.code, .kbd, .samp, .tt]: "font-family:monospace", [.big]: "font-size:larger", [.small]: "font-size:smaller",
        [.sub]: "vertical-align:sub;font-size:smaller", [.sup]: "vertical-align:super;font-size:smaller",
        [.mark]: "background-color:mark;color:marktext", [.nobr]: "white-space:nowrap",
        [.bdo]: "unicode-bidi:isolate-override",
        [.math]:
            "font-family:math;line-height:normal;text-indent:0;letter-spacing:normal;word-spacing:normal;font-style:normal;font-weight:normal;direction:ltr;white-space:nowrap",
        [.mphantom]: "visibility:hidden", [.merror]: "border:1px solid red;background:lightyellow",
        [.mfrac]: "padding-inline:1px", [.mtable]: "display:inline-table", [.mtr]: "display:table-row",
        [.mtd]: "display:table-cell;text-align:center;padding:.5ex .4em", [.ruby]: "display:ruby;text-indent:0",
        [.rt]: "display:ruby-text;font-size:50%;text-align:start;line-height:normal;text-indent:0",
        [.rb]: "display:ruby-base",
        [.fieldset]:
            "display:block;margin-inline:2px;border:2px groove threedface;padding-block:.35em .625em;padding-inline:.75em;min-width:min-content",
        [.legend]: "display:block;padding-inline:2px",
        [.input]:
            "display:inline-block;appearance:auto;text-align:start;text-indent:0;letter-spacing:normal;word-spacing:normal;line-height:normal;text-transform:none;text-shadow:none;white-space:pre;font:13.3333px Arial;color:fieldtext;background-color:field;border:2px inset light-dark(#767676,#858585);padding-block:1px;padding-inline:2px;overflow:clip",
        [.select]:
            "display:inline-block;appearance:auto;box-sizing:border-box;text-align:start;text-indent:0;letter-spacing:normal;word-spacing:normal;line-height:normal;text-transform:none;text-shadow:none;white-space:nowrap;font:13.3333px Arial;color:buttontext;background-color:buttonface;border:1px solid light-dark(#767676,#858585);overflow:clip",
        [.button]:
            "display:inline-block;appearance:auto;box-sizing:border-box;text-align:center;text-indent:0;letter-spacing:normal;word-spacing:normal;line-height:normal;text-transform:none;text-shadow:none;font:13.3333px Arial;color:buttontext;background-color:buttonface;border:2px outset buttonborder;padding-block:1px;padding-inline:6px",
        [.textarea]:
            "display:inline-block;appearance:auto;text-align:start;text-indent:0;letter-spacing:normal;word-spacing:normal;line-height:normal;text-transform:none;text-shadow:none;white-space:pre-wrap;overflow-wrap:break-word;font:13.3333px monospace;color:fieldtext;background-color:field;border:1px solid light-dark(#767676,#858585);padding:2px;overflow:auto",
        [.progress]:
            "display:inline-block;appearance:auto;box-sizing:border-box;inline-size:10em;block-size:1em;vertical-align:-.2em",
        [.meter]:
            "display:inline-block;appearance:auto;box-sizing:border-box;inline-size:5em;block-size:1em;vertical-align:-.2em",
        [.marquee]: "display:inline-block", [.video]: "object-fit:contain", [.iframe]: "border:2px inset",
        [.slot]: "display:contents",
    ]
}
