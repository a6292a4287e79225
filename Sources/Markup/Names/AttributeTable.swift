// Written by Tests/Tools/generate_syntax_tables.py: attribute names that stages look up often, in order of their ids.

extension AttributeID {
    @inlinable package static var id: AttributeID { AttributeID(rawValue: 1) }
    @inlinable package static var classNames: AttributeID { AttributeID(rawValue: 2) }
    @inlinable package static var style: AttributeID { AttributeID(rawValue: 3) }
    @inlinable package static var href: AttributeID { AttributeID(rawValue: 4) }
    @inlinable package static var src: AttributeID { AttributeID(rawValue: 5) }
    @inlinable package static var alt: AttributeID { AttributeID(rawValue: 6) }
    @inlinable package static var title: AttributeID { AttributeID(rawValue: 7) }
    @inlinable package static var name: AttributeID { AttributeID(rawValue: 8) }
    @inlinable package static var type: AttributeID { AttributeID(rawValue: 9) }
    @inlinable package static var value: AttributeID { AttributeID(rawValue: 10) }
    @inlinable package static var lang: AttributeID { AttributeID(rawValue: 11) }
    @inlinable package static var dir: AttributeID { AttributeID(rawValue: 12) }
    @inlinable package static var hidden: AttributeID { AttributeID(rawValue: 13) }
    @inlinable package static var popover: AttributeID { AttributeID(rawValue: 14) }
    @inlinable package static var rel: AttributeID { AttributeID(rawValue: 15) }
    @inlinable package static var content: AttributeID { AttributeID(rawValue: 16) }
    @inlinable package static var charset: AttributeID { AttributeID(rawValue: 17) }
    @inlinable package static var start: AttributeID { AttributeID(rawValue: 18) }
    @inlinable package static var reversed: AttributeID { AttributeID(rawValue: 19) }
    @inlinable package static var align: AttributeID { AttributeID(rawValue: 20) }
    @inlinable package static var valign: AttributeID { AttributeID(rawValue: 21) }
    @inlinable package static var width: AttributeID { AttributeID(rawValue: 22) }
    @inlinable package static var height: AttributeID { AttributeID(rawValue: 23) }
    @inlinable package static var bgcolor: AttributeID { AttributeID(rawValue: 24) }
    @inlinable package static var color: AttributeID { AttributeID(rawValue: 25) }
    @inlinable package static var face: AttributeID { AttributeID(rawValue: 26) }
    @inlinable package static var size: AttributeID { AttributeID(rawValue: 27) }
    @inlinable package static var border: AttributeID { AttributeID(rawValue: 28) }
    @inlinable package static var cellpadding: AttributeID { AttributeID(rawValue: 29) }
    @inlinable package static var cellspacing: AttributeID { AttributeID(rawValue: 30) }
    @inlinable package static var colspan: AttributeID { AttributeID(rawValue: 31) }
    @inlinable package static var rowspan: AttributeID { AttributeID(rawValue: 32) }
    @inlinable package static var span: AttributeID { AttributeID(rawValue: 33) }
    @inlinable package static var cite: AttributeID { AttributeID(rawValue: 34) }
    @inlinable package static var data: AttributeID { AttributeID(rawValue: 35) }
    @inlinable package static var target: AttributeID { AttributeID(rawValue: 39) }
    @inlinable package static var disabled: AttributeID { AttributeID(rawValue: 40) }
    @inlinable package static var checked: AttributeID { AttributeID(rawValue: 41) }
    @inlinable package static var selected: AttributeID { AttributeID(rawValue: 42) }
    @inlinable package static var required: AttributeID { AttributeID(rawValue: 43) }
    @inlinable package static var readonly: AttributeID { AttributeID(rawValue: 44) }
    @inlinable package static var multiple: AttributeID { AttributeID(rawValue: 45) }
    @inlinable package static var placeholder: AttributeID { AttributeID(rawValue: 46) }
    @inlinable package static var media: AttributeID { AttributeID(rawValue: 48) }
    @inlinable package static var sizes: AttributeID { AttributeID(rawValue: 49) }
    @inlinable package static var open: AttributeID { AttributeID(rawValue: 51) }
    @inlinable package static var kind: AttributeID { AttributeID(rawValue: 52) }
    @inlinable package static var label: AttributeID { AttributeID(rawValue: 53) }
    @inlinable package static var scope: AttributeID { AttributeID(rawValue: 55) }
    @inlinable package static var clear: AttributeID { AttributeID(rawValue: 56) }
    @inlinable package static var noshade: AttributeID { AttributeID(rawValue: 57) }
    @inlinable package static var background: AttributeID { AttributeID(rawValue: 59) }
    @inlinable package static var nowrap: AttributeID { AttributeID(rawValue: 60) }
    @inlinable package static var wrap: AttributeID { AttributeID(rawValue: 61) }
    @inlinable package static var cols: AttributeID { AttributeID(rawValue: 62) }
    @inlinable package static var rows: AttributeID { AttributeID(rawValue: 63) }
    @inlinable package static var role: AttributeID { AttributeID(rawValue: 64) }
    @inlinable package static var httpEquiv: AttributeID { AttributeID(rawValue: 65) }
    @inlinable package static var xmlLang: AttributeID { AttributeID(rawValue: 66) }
    @inlinable package static var contenteditable: AttributeID { AttributeID(rawValue: 70) }
    @inlinable package static var summary: AttributeID { AttributeID(rawValue: 71) }
    @inlinable package static var abbr: AttributeID { AttributeID(rawValue: 72) }
    @inlinable package static var verticalAlign: AttributeID { AttributeID(rawValue: 75) }
    @inlinable package static var method: AttributeID { AttributeID(rawValue: 76) }
    @inlinable package static var frame: AttributeID { AttributeID(rawValue: 77) }
    @inlinable package static var rules: AttributeID { AttributeID(rawValue: 78) }
    @inlinable package static var hspace: AttributeID { AttributeID(rawValue: 79) }
    @inlinable package static var vspace: AttributeID { AttributeID(rawValue: 80) }
    @inlinable package static var text: AttributeID { AttributeID(rawValue: 81) }
    @inlinable package static var link: AttributeID { AttributeID(rawValue: 82) }
    @inlinable package static var shape: AttributeID { AttributeID(rawValue: 87) }
    @inlinable package static var encoding: AttributeID { AttributeID(rawValue: 89) }

    /// The known names by id; id 0 stands for every other name.
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
