// Written by Tests/Tools/generate_syntax_tables.py: attribute names that stages look up often, in order of their ids.

/// The name of an attribute that stages look up often; every other name is ``other`` and is compared by its bytes.
@usableFromInline
package enum AttributeID: UInt8, Sendable {
    case other, id, classNames, style, href, src, alt, title, name, type, value, lang, dir, hidden, popover, rel
    case content, charset, start, reversed, align, valign, width, height, bgcolor, color, face, size, border
    case cellpadding, cellspacing, colspan, rowspan, span, cite, data, action, poster, srcset, target, disabled
    case checked, selected, required, readonly, multiple, placeholder, `for`, media, sizes, loading, open, kind, label
    case headers, scope, clear, noshade, compact, background, nowrap, wrap, cols, rows, role, httpEquiv, xmlLang, xmlns
    case xlinkHref, tabindex, contenteditable, summary, abbr, datetime, download, verticalAlign, method, frame, rules
    case hspace, vspace, text, link, vlink, autocomplete, onclick, usemap, shape, coords, encoding, lineCount
    case truncateMode

    package static let knownNames: [StaticString] = [
        "", "id", "class", "style", "href", "src", "alt", "title", "name", "type", "value", "lang", "dir", "hidden",
        "popover", "rel", "content", "charset", "start", "reversed", "align", "valign", "width", "height", "bgcolor",
        "color", "face", "size", "border", "cellpadding", "cellspacing", "colspan", "rowspan", "span", "cite", "data",
        "action", "poster", "srcset", "target", "disabled", "checked", "selected", "required", "readonly", "multiple",
        "placeholder", "for", "media", "sizes", "loading", "open", "kind", "label", "headers", "scope", "clear",
        "noshade", "compact", "background", "nowrap", "wrap", "cols", "rows", "role", "http-equiv", "xml:lang", "xmlns",
        "xlink:href", "tabindex", "contenteditable", "summary", "abbr", "datetime", "download", "vertical-align",
        "method", "frame", "rules", "hspace", "vspace", "text", "link", "vlink", "autocomplete", "onclick", "usemap",
        "shape", "coords", "encoding", "line-count", "truncate-mode",
    ]
}
