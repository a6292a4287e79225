// Written by Tests/Tools/generate_syntax_tables.py: the names that HTML, SVG and MathML give a meaning, in order of
// their ids, and what tree construction must know of each.

extension TagID {
    /// How many names are known before parsing; ids from here on belong to one tree.
    @inlinable package static var knownCount: UInt16 { 192 }

    /// The known names by id; id 0 stands for none.
    package static let knownNames: [StaticString] = [
        "", "a", "abbr", "acronym", "address", "annotation", "annotation-xml", "applet", "area", "article", "aside",
        "audio", "b", "base", "basefont", "bdi", "bdo", "bgsound", "big", "blink", "blockquote", "body", "br", "button",
        "canvas", "caption", "center", "circle", "cite", "code", "col", "colgroup", "data", "datalist", "dd", "defs",
        "del", "desc", "details", "dfn", "dialog", "dir", "div", "dl", "dt", "ellipse", "em", "embed", "fieldset",
        "figcaption", "figure", "filter", "font", "footer", "foreignobject", "form", "frame", "frameset", "g", "h1",
        "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "i", "iframe", "image", "img", "input",
        "ins", "isindex", "kbd", "keygen", "label", "lambda", "legend", "li", "line", "link", "listing", "main", "map",
        "mark", "marker", "marquee", "mask", "math", "menu", "merror", "meta", "metadata", "meter", "mfrac", "mi", "mn",
        "mo", "mover", "mpadded", "mphantom", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup",
        "msup", "mtable", "mtd", "mtext", "mtr", "multicol", "munder", "munderover", "nav", "nextid", "nobr", "noembed",
        "noframes", "noscript", "object", "ol", "optgroup", "option", "output", "p", "param", "path", "picture",
        "plaintext", "polygon", "portal", "pre", "progress", "q", "rb", "rect", "rp", "rt", "rtc", "ruby", "s", "samp",
        "script", "search", "section", "select", "selectedcontent", "semantics", "slot", "small", "source", "spacer",
        "span", "stop", "strike", "strong", "style", "sub", "summary", "sup", "svg", "symbol", "table", "tbody", "td",
        "template", "text", "textarea", "textpath", "tfoot", "th", "thead", "time", "title", "tr", "track", "tspan",
        "tt", "u", "ul", "var", "video", "wbr", "xmp",
    ]

    /// ``TagTraits`` by id.
    static let knownTraits: [UInt16] = [
        0,
        64, 0, 0, 513, 1024, 1024, 47, 161, 545, 545, 0, 64, 161, 161, 0, 0,
        161, 64, 0, 545, 33, 161, 37, 0, 47, 545, 1024, 0, 64, 161, 33, 0,
        0, 801, 1024, 0, 1024, 545, 0, 512, 545, 513, 545, 801, 1024, 64, 161, 545,
        545, 545, 1024, 64, 545, 1024, 545, 161, 33, 1024, 545, 545, 545, 545, 545, 545,
        33, 545, 545, 673, 63, 64, 33, 0, 161, 161, 0, 0, 0, 161, 0, 128,
        0, 801, 1024, 161, 545, 545, 0, 0, 1024, 47, 1024, 0, 545, 1024, 161, 0,
        0, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024,
        1024, 1024, 1024, 1024, 1024, 0, 1024, 1024, 545, 0, 64, 33, 33, 33, 47, 553,
        256, 256, 0, 769, 161, 1024, 0, 545, 1024, 0, 545, 0, 0, 256, 1024, 256,
        256, 256, 0, 64, 0, 33, 545, 545, 47, 0, 1024, 0, 64, 161, 0, 0,
        1024, 64, 64, 33, 0, 545, 0, 0, 1024, 575, 33, 47, 63, 1024, 33, 1024,
        33, 47, 33, 0, 33, 33, 161, 1024, 64, 64, 553, 0, 0, 161, 545,
    ]
}
