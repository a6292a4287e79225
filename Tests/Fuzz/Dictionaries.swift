// Words that inputs are composed of.

import FancyTextCSS

extension InputGenerator {
    mutating func chance(_ n: Int) -> Bool { number(0..<n) == 0 }

    private mutating func pick<Item>(_ items: [Item]) -> Item { items[number(0..<items.count)] }

    private static let properties = [
        "display", "position", "float", "clear", "width", "height", "min-width", "max-width", "min-height",
        "max-height",
        "margin", "padding", "border", "border-radius", "border-collapse", "border-spacing", "box-sizing", "overflow",
        "inset", "top", "left", "right", "bottom", "z-index", "flex", "flex-flow", "flex-wrap", "align-items",
        "align-self", "justify-content", "order", "gap", "grid", "grid-template-columns", "grid-template-rows",
        "grid-template-areas", "grid-auto-flow", "grid-column", "grid-row", "grid-area", "columns", "column-count",
        "column-width", "column-gap", "column-span", "break-inside", "font", "font-size", "font-weight", "font-style",
        "line-height", "letter-spacing", "word-spacing", "text-align", "text-indent", "text-transform", "white-space",
        "word-break", "overflow-wrap", "hyphens", "text-overflow", "text-wrap", "tab-size", "direction",
        "unicode-bidi", "vertical-align", "text-decoration", "text-shadow", "-webkit-text-stroke", "color",
        "background",
        "background-size", "background-position", "background-clip", "opacity", "transform", "transform-origin",
        "filter", "backdrop-filter", "mix-blend-mode", "mask-image", "clip-path", "box-shadow", "outline",
        "border-image",
        "content", "counter-reset", "counter-increment", "list-style", "quotes", "aspect-ratio", "object-fit",
        "writing-mode", "visibility", "-webkit-line-clamp", "table-layout", "caption-side", "isolation", "--x",
    ]
    private static let values = [
        "0", "1", "-1", "3", "1000000", "1e30", "-1e30px", "0.01px", "1px", "9px", "50px", "-20px", "100%", "50%",
        "-30%",
        "1e9%", "2em", "auto", "none", "block", "inline", "inline-block", "flex", "inline-flex", "grid", "inline-grid",
        "table", "table-cell", "table-row", "list-item", "contents", "flow-root", "ruby", "absolute", "relative",
        "fixed",
        "sticky", "left", "right", "both", "center", "stretch", "space-between", "baseline", "hidden", "visible",
        "scroll", "repeat(3,1fr)", "repeat(auto-fill,minmax(10px,1fr))", "repeat(9999,1px)", "min-content",
        "max-content",
        "fit-content", "span 3", "1/-1", "999999/span 9", "'a b' 'a c'", "dense", "wrap", "column", "row-reverse",
        "bold 20px/1.2 serif", "nowrap", "pre", "pre-wrap", "break-word", "anywhere", "justify", "rtl", "bidi-override",
        "underline wavy red", "1px 1px 9px red", "inset 0 0 9px 3px blue", "2px solid red", "5px dashed #0f0",
        "9px double",
        "red", "#1234", "rgb(1 2 3/.5)", "transparent", "currentcolor", "linear-gradient(red,blue)",
        "repeating-radial-gradient(circle,red 0 1px,blue 2px)", "conic-gradient(from 9deg,red,blue,red)",
        "rotate(30deg)", "scale(-2,.1)", "matrix(1,2,3,4,5,6)", "perspective(9px) rotateX(40deg)", "blur(3px)",
        "blur(1e9px)", "drop-shadow(1px 1px 3px red)", "hue-rotate(90deg) invert(1)", "multiply", "color-dodge",
        "circle(30%)", "polygon(0 0,100% 0,50% 100%)", "inset(9px round 3px)", "counters(a,'.')", "'text'", "attr(x)",
        "open-quote", "a 9", "calc(100% - 9px*2)", "calc(1px/0)", "min(9px,50%)", "clamp(1px,5vw,9px)", "var(--x)",
        "var(--y,9px)", "inherit", "initial", "unset", "16/9", "cover", "3", "balance", "-webkit-box",
    ]
    private static let selectors = [
        "p", "*", "div", "span", ".a", "#b", "[x]", "[x~='y' i]", ":first-child", ":nth-child(2n+1 of .a)",
        ":not(p,.a)",
        ":is(div,p) > span", ":has(+ p)", ":has(> .a)", ":empty", ":root", "p ~ p", "div > * + *", ":lang(en)",
        ":contains('x')", "a:link", "::before", "p::first-letter", "p::first-line", "li::marker", ":where(.a .b)",
        ":nth-last-of-type(-n+3)", ":only-child", "svg|rect", "*|*", ":scope", "[", "(", ":nth-child(", "\\31 a",
    ]
    private static let tags = [
        "div", "p", "span", "b", "table", "tr", "td", "ul", "ol", "li", "q", "pre", "code", "h1", "blockquote", "ruby",
        "rt", "details", "summary", "fieldset", "legend", "input", "select", "textarea", "button", "progress", "img",
        "br",
        "hr", "svg", "sup", "a", "center", "caption", "thead", "tfoot", "dl", "dt", "dd",
    ]
    private static let texts = [
        "words and words ", "a", "שלום עולם ", "مرحبا ", "क्षत्रिय ", "日本語。", "👩‍👩‍👧 ", "e\u{301}\u{302} ",
        "\u{202E}abc\u{2066}",
        "longwordwithoutaspaceatall", "\t\n ", "&nbsp;&shy;", "123.45 ", "ﬁ AV ",
    ]

    private mutating func declarations() -> String {
        (0..<number(1..<6)).map { _ in
            let values = (0..<number(1..<3)).map { _ in pick(Self.values) }
            return "\(pick(Self.properties)):\(values.joined(separator: " "))"
        }.joined(separator: ";")
    }

    /// Nested elements with styles of all kinds.
    mutating func styledPage() -> [UInt8] {
        var out = chance(2) ? "<!doctype html>" : ""
        if chance(2) {
            out += "<style>"
            for _ in 0..<number(1..<6) {
                switch number(0..<8) {
                case 0: out += "@media (min-width:\(pick(Self.values))){\(pick(Self.selectors)){\(declarations())}}"
                case 1: out += "\(pick(Self.selectors)){\(declarations());&\(pick(Self.selectors)){\(declarations())}}"
                default: out += "\(pick(Self.selectors)){\(declarations())}"
                }
            }
            out += "</style>"
        }
        var open: [String] = []
        for _ in 0..<number(3..<50) {
            switch number(0..<6) {
            case 0, 1, 2:
                let tag = pick(Self.tags)
                out += "<\(tag) class=a style=\"\(chance(3) ? "" : declarations())\">"
                open.append(tag)
            case 3: if let tag = open.popLast() { out += "</\(tag)>" }
            default: out += pick(Self.texts)
            }
        }
        return bent(once: Array(out.utf8))
    }

    mutating func selectorAndPage() -> [UInt8] {
        let parts = (0..<number(1..<5)).map { _ in pick(Self.selectors) }
        let selector = parts.joined(separator: pick([" ", "", ">", ",", "+", "~"]))
        return bent(once: Array(selector.utf8).filter { $0 != 0x0A }) + [0x0A] + next()
    }

    mutating func markdown() -> [UInt8] {
        let pieces = [
            "# ", "- ", "1. ", "> ", "```\n", "`", "*", "**", "_", "~~", "[", "](", ")", "![", "|", "|-|-|\n", "\n",
            "\n\n",
            "<b>", "</b>", "---\n", "    ", "\\", "&amp;", "<http://a>", "[^1]", "[^1]: ", "- [x] ", "text ", "\t",
            "\u{0}",
        ]
        return bent(once: Array((0..<number(1..<80)).map { _ in pick(pieces) }.joined().utf8))
    }

    mutating func rowAndTemplate() -> [UInt8] {
        let values = [
            "1", "true", "null", "[]", "[1,\"<b>\"]", "{\"a\":\"<i>\"}", "\"\"", "\"x\"", "\"<b onclick=x>\"",
            "\"</style><p>\"",
            "\"\\\" a='b'><u>\"", "\"</title><p>\"", "\"red;}*{color:blue\"", "\"url(x)\"", "\"&lt;b&gt;\"",
            "\"{{b}}\"", "\"\\u001b[1m\"",
            "\"--><p>\"", "[{\"a\":\"</p>\"},{\"b\":2}]", "\"\\u0000\"", "\"'><s>\"",
        ]
        let row = ["a", "b", "c"].map { "\"\($0)\":\(pick(values))" }.joined(separator: ",")
        let pieces = [
            "{{a}}", "{{b}}", "{{ c }}", "{{a.a}}", "{{{a}}}", "{{&b}}", "{{#a}}", "{{/a}}", "{{^b}}", "{{/b}}",
            "{{#each a}}",
            "{{.}}", "{{! c }}", "{{=<% %>=}}", "<%a%>", "<p title=\"{{a}}\">", "</p>", "<a href='{{b}}'>x</a>",
            "<b style=\"color:{{a}};width:{{b}}\">y</b>", "<style>p{color:{{a}}}</style>", "<title>{{b}}</title>",
            "text ",
            "<textarea>{{a}}</textarea>", "<img src={{a}}>", "<{{a}}>", "<!-- {{a}} -->", "<i id=c>old</i>",
            "<svg><text>{{a}}</text></svg>",
            "<p class=x-{{a}}-{{b}}>", "{{", "}}", "<script>{{a}}</script>", "<select><option>{{b}}</option></select>",
            "<pre>\n{{a}}</pre>", "<template>{{a}}</template>",
        ]
        var template = (0..<number(1..<12)).map { _ in pick(pieces) }.joined()
        if chance(2) { template = "<h1>{{a}}</h1><p title='{{b}}'>{{c}}</p>" + template }
        return Array("{\(row)}\n".utf8) + bent(once: Array(template.utf8))
    }

    mutating func json() -> [UInt8] {
        let pieces = [
            "{", "}", "[", "]", ":", ",", "\"", "\"a\"", "1", "-0", "1e999", "1.5", "true", "null", "\\u", "\\ud800",
            "\\udc00", "\\n", " ", "\n", "é", "\u{0}", "tru", "\"\\",
        ]
        return bent(once: Array((0..<number(1..<60)).map { _ in pick(pieces) }.joined().utf8))
    }

    /// A file with some of its bytes changed, moved or removed.
    mutating func bent(_ files: [[UInt8]]) -> [UInt8] {
        guard !files.isEmpty else { return next() }
        var bytes = pick(files)
        for _ in 0..<number(1..<12) { bytes = bent(once: bytes, always: true) }
        return bytes
    }

    private mutating func bent(once bytes: [UInt8], always: Bool = false) -> [UInt8] {
        guard !bytes.isEmpty, always || chance(4) else { return bytes }
        var bytes = bytes
        let at = number(0..<bytes.count)
        let end = min(bytes.count, at + number(1..<9))
        switch number(0..<7) {
        case 0: bytes[at] = UInt8(number(0..<256))
        case 1: bytes[at] ^= 1 << UInt8(number(0..<8))
        case 2: for index in at..<end { bytes[index] = 0xFF }
        case 3: for index in at..<end { bytes[index] = 0 }
        case 4: bytes.removeSubrange(at..<end)
        case 5: bytes.insert(contentsOf: bytes[at..<end], at: number(0..<bytes.count))
        default: if chance(20) { bytes.removeSubrange(at...) } else { bytes[at] = bytes[at] &+ 1 }
        }
        return bytes
    }
}
