// Text read from a tree with computed styles equals that of its boxes, for any style sheets.

import Foundation
import FancyTextTestSupport
import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextMarkup
@testable import FancyTextOutputs
@testable import FancyTextStyling
@testable import FancyTextWriting

@Suite struct CascadeTextTests {
    private static let modes = textModes(wrappedAt: 30, .columns)

    private static let body =
        "<nav class=a><ul><li>one<li class=b>two<li>three</ul></nav><main id=m><h1 class=c>T<small>s</small></h1>"
        + "<p class=d>text <b class=b>bold</b> <i>it</i> more<sup class=a>2</sup></p><ol start=3><li>x<li value=9>y<ul>"
        + "<li>z</ul></ol><table class=c><caption>cap</caption><thead><tr><th>a<th>b</thead><tr><td class=d>c<td>d</table>"
        + "<blockquote><p>q</blockquote><pre> a\n  b</pre><div class=b><span>l</span> <span class=a>r</span></div>"
        + "<img class=a alt=img><hr><dl><dt>t<dd class=c>d</dl><details><summary>s</summary>rest</details>"
        + "<button class=d>ok</button> <input type=submit value=v class=b><textarea class=c></textarea></main>"
        + "<footer class=d><a href=x>link</a> <a href=y class=b>other</a><br>end<svg class=a><text>g</text></svg></footer>"

    @Test(arguments: [
        "li{display:inline}", "li{display:inline-block}", "li{float:left}", "ul{list-style:none}", "li{display:block}",
        "li{list-style-type:upper-roman}", "li{list-style:'» '}", "ul,ol{margin:0;padding:0}", "p{margin:3px}",
        "html{font-size:62.5%}p{margin:8px}h1{margin:2em 0 0}", "li::before{content:'- '}", "a::after{content:' ↗'}",
        ".a::before{content:''}.a::after{content:'';display:table;clear:both}", "table{margin:1em 0}",
        "table{display:block}", "td{display:block}",
        "tr{display:flex}", ".b{display:none}", ".b{visibility:hidden}#m .b{visibility:visible}",
        "sup::before{content:'['}",
        ".a,.b{position:absolute}", "main{display:flex}nav ul{display:flex}", "main{display:grid}", "b{display:block}",
        "p,div{display:inline}", "h1{text-transform:uppercase}", "h1{text-transform:capitalize}",
        "div{white-space:pre}",
        "pre{white-space:normal}", ".c{display:contents}", "img{display:block}", "input,textarea,button{display:block}",
        "svg{display:block}", "blockquote{margin:0}dd{margin-left:25px}", "li{display:flex}",
        "p::first-letter{float:left}",
        "summary{display:block}", "summary{list-style:none}", "b::before{content:'x';display:block}",
        "b::after{content:'x';display:inline-block}", "b::after{content:'x';position:absolute}",
        "span{display:table-cell}", "div{display:table}",
        "main{counter-reset:k}p::before{counter-increment:k;content:counter(k)}",
        "*{margin:0;padding:0;list-style:none}", "nav{direction:rtl}table{direction:rtl}", "thead{display:none}",
        ".d{display:none!important}.d{display:block}", "footer a{display:block}footer{display:flex}",
        "a::before{content:attr(href) ' '}",
        "@supports (color:red){.b{display:none}}@supports not (width:calc(1px + 2px)){.c{display:none}}",
        "main::after{content:'.';display:block;visibility:hidden}",
    ])
    func styleSheetsChangeBothAlike(sheet: String) {
        for source in [
            "<style>\(sheet)</style>" + Self.body, "<!doctype html><style>\(sheet)</style><body>" + Self.body,
        ] {
            for options in Self.modes { _ = readsLikeBoxes(parse(source), options, source) }
        }
    }

    @Test(arguments: [body, "<details><summary>a</summary><p>b</details>", "<ul><li>a<li>b</ul><sup>2</sup>"])
    func usualPagesNeedNoBoxes(source: String) {
        #expect(readsLikeBoxes(parse(source), PlainTextOptions(), source) == true)
    }

    private func innerText(_ source: String) -> String {
        var options = PlainTextOptions()
        options.mode = .innerText
        var log = DiagnosticLog()
        let text = PlainText.text(of: parse(source), options, resolver: textResolver, log: &log)
        return String(decoding: text, as: UTF8.self)
    }

    @Test func skippedContentsAreNoText() {
        let source = "<style>.s{content-visibility:hidden}</style>a<div class=s>x</div>b<i class=s>c</i>"
        #expect(innerText(source) == "a\nbc")
        var log = DiagnosticLog()
        let text = PlainText.text(of: parse(source), PlainTextOptions(), resolver: textResolver, log: &log)
        #expect(String(decoding: text, as: UTF8.self) == "a\nbc")
    }

    @Test func innerTextHasFirstLettersOfTheirOwn() {
        let sheet = "<style>p::first-letter{text-transform:uppercase}</style>"
        #expect(innerText(sheet + "<p>abc <b>def</b></p><p> <i>“ß</i>x</p>") == "Abc def\n\n“SSx")
        #expect(innerText(sheet + "<p><img>abc</p>") == "abc")
    }

    /// As in a browser, where the space before generated content does not collapse.
    @Test(arguments: [
        ("p::after{content:'/'}", "<p>a </p><p>b", "a \n\nb"),
        ("p::after{content:' '}", "<p>a </p><p>b", "a\n\nb"), ("p::after{content:''}", "<p>a </p>b", "a\n\nb"),
        ("p::after{content:'/';display:block}", "<p>a </p>b", "a\n\nb"),
        ("p::after{content:'/';position:absolute}", "<p>a </p>b", "a\n\nb"),
        ("p::before{content:'/'}", "<p> a</p>b", " a\n\nb"), ("i::after{content:'x'}", "<p>a <i></i></p>b", "a \n\nb"),
        ("i::before{content:'';display:inline-block}", "<p>a <i></i></p>b", "a \n\nb"),
        ("i{color:red}", "a <input style='display:inline'> b", "a  b"),
        ("button{display:inline}", "a <button></button> b", "a  b"), ("i{}", "a <img style='--a:b'> b", "a  b"),
        ("i{}", "<select><option style='display:none'>a<option>b</select>", "a\nb"),
        ("i{}", "<option hidden>a</option>b", "b"),
        ("i{color:red}", "a <input type=hidden style='display:block'> b", "a b"),
    ])
    func innerTextKeepsSpacesBeforeWhatIsNoText(sheet: String, source: String, expected: String) {
        #expect(innerText("<style>\(sheet)</style>" + source) == expected)
    }

    @Test func bothWaysAgreeOnRandomSheetsAndDocuments() {
        var generator = SeededGenerator(state: 77)
        let pieces = [
            "<p>text ", "<p class=a>", "</p>", "<div>", "<div class=b>", "</div>", "<ul>", "<ul class=c>", "<li>item",
            "<li class=a>", "</ul>", "<ol start=3>", "</ol>", "<b>", "<b class=c>w", "</b>", "<a href=/x>link", "</a>",
            "<br>", " x &amp; y ", "\n", " ", "<h2 class=d>t</h2>", "<table class=b>", "<table>", "</table>", "<tr>",
            "<tr class=d>", "<td>a", "<td class=c>b", "<td colspan=2>b c", "<th>h", "<thead>", "<tbody>",
            "<caption>cap",
            "<pre>\n a  b\n", "</pre>", "<q>", "</q>", "<img alt=i class=a>", "<section class=d>", "</section>", "<hr>",
            "<input type=submit value=v>", "<dl>", "<dt>w", "<dd>m", "</dl>", "<blockquote class=c>", "</blockquote>",
            "<span class=a>", "<span class=b>s", "<span class=c>", "</span>", "<i>", "<i class=d>u", "</i>",
            "<div style='display:flex'>", "<sup>2</sup>", "<del>o</del>", "<ins>n</ins>", "<svg><text>g</text></svg>",
            "<details>", "<summary>s", "</details>", "<nav>", "</nav>", "<div dir=rtl>שלום ", "中文\n",
        ]
        let selectors = [
            ".a", ".b", ".c", ".d", "p", "li", "ul", "b", "i", "span", "div", "div > .a", "li.a", "ul li", ".b .c",
            "td", "tr", "table", "a", "h2", "section", "nav ul", "*", ".a + .b", "li:first-child", "q", "dd", "img",
            "span:not(.a)", "div:has(> b)", "blockquote",
        ]
        let declarations = [
            "display:none", "display:block", "display:inline", "display:inline-block", "display:flex", "display:grid",
            "display:list-item", "display:table", "display:contents", "float:left", "position:absolute",
            "position:relative", "margin:0", "margin:1em 0", "margin-top:9px", "margin-bottom:5px", "font-size:200%",
            "font-size:10px", "visibility:hidden", "visibility:visible", "white-space:pre", "white-space:nowrap",
            "white-space:pre-line", "text-transform:uppercase", "text-transform:none", "list-style:none",
            "list-style-type:decimal", "list-style-position:inside", "list-style:square", "direction:rtl",
            "display:none!important", "margin:0!important", "display:inline-flex", "display:table-cell",
        ]
        let contents = ["''", "'x'", "' - '", "none", "'a  b'", "attr(class)", "counter(n)", "open-quote"]
        let rounds = _isDebugAssertConfiguration() ? 800 : 6_000
        var compared = 0
        var failures = 0
        for round in 0..<rounds where failures < 4 {
            var source = round % 3 == 0 ? "<!doctype html>" : ""
            source += "<style>"
            for _ in 0...Int.random(in: 0..<5, using: &generator) {
                let selector = selectors.randomElement(using: &generator) ?? ""
                if Int.random(in: 0..<5, using: &generator) == 0 {
                    let pseudo = ["::before", "::after"].randomElement(using: &generator) ?? ""
                    source += selector + pseudo + "{content:" + (contents.randomElement(using: &generator) ?? "")
                    if Bool.random(using: &generator) {
                        source += ";" + (declarations.randomElement(using: &generator) ?? "")
                    }
                    source += "}"
                } else {
                    source += selector + "{" + (declarations.randomElement(using: &generator) ?? "") + "}"
                }
            }
            source += "</style>"
            for _ in 0..<(4 + round % 40) { source += pieces.randomElement(using: &generator) ?? "" }
            switch readsLikeBoxes(parse(source), Self.modes[round % Self.modes.count], source) {
            case true?: compared += 1
            case false?: failures += 1
            case nil: break
            }
        }
        #expect(failures > 0 || compared * 3 > rounds, "only \(compared) of \(rounds) were read off the tree")
    }

    @Test(
        .enabled(if: TestPaths.conformance != nil, Comment(rawValue: TestPaths.conformanceIsAbsent)),
        arguments: ["real-html", "pages"])
    func bothWaysAgreeOnRealPages(folder: String) throws {
        guard let folder = TestPaths.conformance?.appendingPathComponent(folder) else { return }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".html") }
        var compared = 0
        for file in files.sorted() {
            var log = DiagnosticLog()
            let tree = MarkupTree.parse(Array(try Data(contentsOf: folder.appendingPathComponent(file))), log: &log)
            if readsLikeBoxes(tree, PlainTextOptions(), file) != nil { compared += 1 }
        }
        #expect(compared * 2 > files.count, "only \(compared) of \(files.count) were read off the tree")
    }
}
