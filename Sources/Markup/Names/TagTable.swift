// Written by Tests/Tools/generate_syntax_tables.py: the names that HTML, SVG and MathML give a meaning, in order of
// their ids, and what tree construction must know of each.

extension TagID {
    /// How many names are known before parsing; ids from here on belong to one tree.
    @inlinable package static var knownCount: UInt16 { 192 }

    @inlinable package static var a: TagID { TagID(rawValue: 1) }
    @inlinable package static var abbr: TagID { TagID(rawValue: 2) }
    @inlinable package static var acronym: TagID { TagID(rawValue: 3) }
    @inlinable package static var address: TagID { TagID(rawValue: 4) }
    @inlinable package static var annotation: TagID { TagID(rawValue: 5) }
    @inlinable package static var annotationXml: TagID { TagID(rawValue: 6) }
    @inlinable package static var applet: TagID { TagID(rawValue: 7) }
    @inlinable package static var area: TagID { TagID(rawValue: 8) }
    @inlinable package static var article: TagID { TagID(rawValue: 9) }
    @inlinable package static var aside: TagID { TagID(rawValue: 10) }
    @inlinable package static var audio: TagID { TagID(rawValue: 11) }
    @inlinable package static var b: TagID { TagID(rawValue: 12) }
    @inlinable package static var base: TagID { TagID(rawValue: 13) }
    @inlinable package static var basefont: TagID { TagID(rawValue: 14) }
    @inlinable package static var bdi: TagID { TagID(rawValue: 15) }
    @inlinable package static var bdo: TagID { TagID(rawValue: 16) }
    @inlinable package static var bgsound: TagID { TagID(rawValue: 17) }
    @inlinable package static var big: TagID { TagID(rawValue: 18) }
    @inlinable package static var blockquote: TagID { TagID(rawValue: 20) }
    @inlinable package static var body: TagID { TagID(rawValue: 21) }
    @inlinable package static var br: TagID { TagID(rawValue: 22) }
    @inlinable package static var button: TagID { TagID(rawValue: 23) }
    @inlinable package static var canvas: TagID { TagID(rawValue: 24) }
    @inlinable package static var caption: TagID { TagID(rawValue: 25) }
    @inlinable package static var center: TagID { TagID(rawValue: 26) }
    @inlinable package static var circle: TagID { TagID(rawValue: 27) }
    @inlinable package static var cite: TagID { TagID(rawValue: 28) }
    @inlinable package static var code: TagID { TagID(rawValue: 29) }
    @inlinable package static var col: TagID { TagID(rawValue: 30) }
    @inlinable package static var colgroup: TagID { TagID(rawValue: 31) }
    @inlinable package static var data: TagID { TagID(rawValue: 32) }
    @inlinable package static var datalist: TagID { TagID(rawValue: 33) }
    @inlinable package static var dd: TagID { TagID(rawValue: 34) }
    @inlinable package static var defs: TagID { TagID(rawValue: 35) }
    @inlinable package static var del: TagID { TagID(rawValue: 36) }
    @inlinable package static var desc: TagID { TagID(rawValue: 37) }
    @inlinable package static var details: TagID { TagID(rawValue: 38) }
    @inlinable package static var dfn: TagID { TagID(rawValue: 39) }
    @inlinable package static var dialog: TagID { TagID(rawValue: 40) }
    @inlinable package static var dir: TagID { TagID(rawValue: 41) }
    @inlinable package static var div: TagID { TagID(rawValue: 42) }
    @inlinable package static var dl: TagID { TagID(rawValue: 43) }
    @inlinable package static var dt: TagID { TagID(rawValue: 44) }
    @inlinable package static var ellipse: TagID { TagID(rawValue: 45) }
    @inlinable package static var em: TagID { TagID(rawValue: 46) }
    @inlinable package static var embed: TagID { TagID(rawValue: 47) }
    @inlinable package static var fieldset: TagID { TagID(rawValue: 48) }
    @inlinable package static var figcaption: TagID { TagID(rawValue: 49) }
    @inlinable package static var figure: TagID { TagID(rawValue: 50) }
    @inlinable package static var filter: TagID { TagID(rawValue: 51) }
    @inlinable package static var font: TagID { TagID(rawValue: 52) }
    @inlinable package static var footer: TagID { TagID(rawValue: 53) }
    @inlinable package static var foreignobject: TagID { TagID(rawValue: 54) }
    @inlinable package static var form: TagID { TagID(rawValue: 55) }
    @inlinable package static var frame: TagID { TagID(rawValue: 56) }
    @inlinable package static var frameset: TagID { TagID(rawValue: 57) }
    @inlinable package static var g: TagID { TagID(rawValue: 58) }
    @inlinable package static var h1: TagID { TagID(rawValue: 59) }
    @inlinable package static var h2: TagID { TagID(rawValue: 60) }
    @inlinable package static var h3: TagID { TagID(rawValue: 61) }
    @inlinable package static var h4: TagID { TagID(rawValue: 62) }
    @inlinable package static var h5: TagID { TagID(rawValue: 63) }
    @inlinable package static var h6: TagID { TagID(rawValue: 64) }
    @inlinable package static var head: TagID { TagID(rawValue: 65) }
    @inlinable package static var header: TagID { TagID(rawValue: 66) }
    @inlinable package static var hgroup: TagID { TagID(rawValue: 67) }
    @inlinable package static var hr: TagID { TagID(rawValue: 68) }
    @inlinable package static var html: TagID { TagID(rawValue: 69) }
    @inlinable package static var i: TagID { TagID(rawValue: 70) }
    @inlinable package static var iframe: TagID { TagID(rawValue: 71) }
    @inlinable package static var image: TagID { TagID(rawValue: 72) }
    @inlinable package static var img: TagID { TagID(rawValue: 73) }
    @inlinable package static var input: TagID { TagID(rawValue: 74) }
    @inlinable package static var ins: TagID { TagID(rawValue: 75) }
    @inlinable package static var kbd: TagID { TagID(rawValue: 77) }
    @inlinable package static var keygen: TagID { TagID(rawValue: 78) }
    @inlinable package static var label: TagID { TagID(rawValue: 79) }
    @inlinable package static var lambda: TagID { TagID(rawValue: 80) }
    @inlinable package static var legend: TagID { TagID(rawValue: 81) }
    @inlinable package static var li: TagID { TagID(rawValue: 82) }
    @inlinable package static var line: TagID { TagID(rawValue: 83) }
    @inlinable package static var link: TagID { TagID(rawValue: 84) }
    @inlinable package static var listing: TagID { TagID(rawValue: 85) }
    @inlinable package static var main: TagID { TagID(rawValue: 86) }
    @inlinable package static var map: TagID { TagID(rawValue: 87) }
    @inlinable package static var mark: TagID { TagID(rawValue: 88) }
    @inlinable package static var marker: TagID { TagID(rawValue: 89) }
    @inlinable package static var marquee: TagID { TagID(rawValue: 90) }
    @inlinable package static var mask: TagID { TagID(rawValue: 91) }
    @inlinable package static var math: TagID { TagID(rawValue: 92) }
    @inlinable package static var menu: TagID { TagID(rawValue: 93) }
    @inlinable package static var merror: TagID { TagID(rawValue: 94) }
    @inlinable package static var meta: TagID { TagID(rawValue: 95) }
    @inlinable package static var metadata: TagID { TagID(rawValue: 96) }
    @inlinable package static var meter: TagID { TagID(rawValue: 97) }
    @inlinable package static var mfrac: TagID { TagID(rawValue: 98) }
    @inlinable package static var mi: TagID { TagID(rawValue: 99) }
    @inlinable package static var mn: TagID { TagID(rawValue: 100) }
    @inlinable package static var mo: TagID { TagID(rawValue: 101) }
    @inlinable package static var mover: TagID { TagID(rawValue: 102) }
    @inlinable package static var mpadded: TagID { TagID(rawValue: 103) }
    @inlinable package static var mphantom: TagID { TagID(rawValue: 104) }
    @inlinable package static var mroot: TagID { TagID(rawValue: 105) }
    @inlinable package static var mrow: TagID { TagID(rawValue: 106) }
    @inlinable package static var ms: TagID { TagID(rawValue: 107) }
    @inlinable package static var mspace: TagID { TagID(rawValue: 108) }
    @inlinable package static var msqrt: TagID { TagID(rawValue: 109) }
    @inlinable package static var mstyle: TagID { TagID(rawValue: 110) }
    @inlinable package static var msub: TagID { TagID(rawValue: 111) }
    @inlinable package static var msubsup: TagID { TagID(rawValue: 112) }
    @inlinable package static var msup: TagID { TagID(rawValue: 113) }
    @inlinable package static var mtable: TagID { TagID(rawValue: 114) }
    @inlinable package static var mtd: TagID { TagID(rawValue: 115) }
    @inlinable package static var mtext: TagID { TagID(rawValue: 116) }
    @inlinable package static var mtr: TagID { TagID(rawValue: 117) }
    @inlinable package static var multicol: TagID { TagID(rawValue: 118) }
    @inlinable package static var munder: TagID { TagID(rawValue: 119) }
    @inlinable package static var munderover: TagID { TagID(rawValue: 120) }
    @inlinable package static var nav: TagID { TagID(rawValue: 121) }
    @inlinable package static var nobr: TagID { TagID(rawValue: 123) }
    @inlinable package static var noembed: TagID { TagID(rawValue: 124) }
    @inlinable package static var noframes: TagID { TagID(rawValue: 125) }
    @inlinable package static var noscript: TagID { TagID(rawValue: 126) }
    @inlinable package static var object: TagID { TagID(rawValue: 127) }
    @inlinable package static var ol: TagID { TagID(rawValue: 128) }
    @inlinable package static var optgroup: TagID { TagID(rawValue: 129) }
    @inlinable package static var option: TagID { TagID(rawValue: 130) }
    @inlinable package static var output: TagID { TagID(rawValue: 131) }
    @inlinable package static var p: TagID { TagID(rawValue: 132) }
    @inlinable package static var param: TagID { TagID(rawValue: 133) }
    @inlinable package static var path: TagID { TagID(rawValue: 134) }
    @inlinable package static var picture: TagID { TagID(rawValue: 135) }
    @inlinable package static var plaintext: TagID { TagID(rawValue: 136) }
    @inlinable package static var polygon: TagID { TagID(rawValue: 137) }
    @inlinable package static var pre: TagID { TagID(rawValue: 139) }
    @inlinable package static var progress: TagID { TagID(rawValue: 140) }
    @inlinable package static var q: TagID { TagID(rawValue: 141) }
    @inlinable package static var rb: TagID { TagID(rawValue: 142) }
    @inlinable package static var rect: TagID { TagID(rawValue: 143) }
    @inlinable package static var rp: TagID { TagID(rawValue: 144) }
    @inlinable package static var rt: TagID { TagID(rawValue: 145) }
    @inlinable package static var rtc: TagID { TagID(rawValue: 146) }
    @inlinable package static var ruby: TagID { TagID(rawValue: 147) }
    @inlinable package static var s: TagID { TagID(rawValue: 148) }
    @inlinable package static var samp: TagID { TagID(rawValue: 149) }
    @inlinable package static var script: TagID { TagID(rawValue: 150) }
    @inlinable package static var search: TagID { TagID(rawValue: 151) }
    @inlinable package static var section: TagID { TagID(rawValue: 152) }
    @inlinable package static var select: TagID { TagID(rawValue: 153) }
    @inlinable package static var semantics: TagID { TagID(rawValue: 155) }
    @inlinable package static var slot: TagID { TagID(rawValue: 156) }
    @inlinable package static var small: TagID { TagID(rawValue: 157) }
    @inlinable package static var source: TagID { TagID(rawValue: 158) }
    @inlinable package static var span: TagID { TagID(rawValue: 160) }
    @inlinable package static var stop: TagID { TagID(rawValue: 161) }
    @inlinable package static var strike: TagID { TagID(rawValue: 162) }
    @inlinable package static var strong: TagID { TagID(rawValue: 163) }
    @inlinable package static var style: TagID { TagID(rawValue: 164) }
    @inlinable package static var sub: TagID { TagID(rawValue: 165) }
    @inlinable package static var summary: TagID { TagID(rawValue: 166) }
    @inlinable package static var sup: TagID { TagID(rawValue: 167) }
    @inlinable package static var svg: TagID { TagID(rawValue: 168) }
    @inlinable package static var symbol: TagID { TagID(rawValue: 169) }
    @inlinable package static var table: TagID { TagID(rawValue: 170) }
    @inlinable package static var tbody: TagID { TagID(rawValue: 171) }
    @inlinable package static var td: TagID { TagID(rawValue: 172) }
    @inlinable package static var template: TagID { TagID(rawValue: 173) }
    @inlinable package static var text: TagID { TagID(rawValue: 174) }
    @inlinable package static var textarea: TagID { TagID(rawValue: 175) }
    @inlinable package static var textpath: TagID { TagID(rawValue: 176) }
    @inlinable package static var tfoot: TagID { TagID(rawValue: 177) }
    @inlinable package static var th: TagID { TagID(rawValue: 178) }
    @inlinable package static var thead: TagID { TagID(rawValue: 179) }
    @inlinable package static var time: TagID { TagID(rawValue: 180) }
    @inlinable package static var title: TagID { TagID(rawValue: 181) }
    @inlinable package static var tr: TagID { TagID(rawValue: 182) }
    @inlinable package static var track: TagID { TagID(rawValue: 183) }
    @inlinable package static var tspan: TagID { TagID(rawValue: 184) }
    @inlinable package static var tt: TagID { TagID(rawValue: 185) }
    @inlinable package static var u: TagID { TagID(rawValue: 186) }
    @inlinable package static var ul: TagID { TagID(rawValue: 187) }
    @inlinable package static var variable: TagID { TagID(rawValue: 188) }
    @inlinable package static var video: TagID { TagID(rawValue: 189) }
    @inlinable package static var wbr: TagID { TagID(rawValue: 190) }
    @inlinable package static var xmp: TagID { TagID(rawValue: 191) }

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
