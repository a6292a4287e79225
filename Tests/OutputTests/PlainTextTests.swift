// Both ways to plain text give the same result: from the tree by its styles, and from the boxes.

import Foundation
import FancyTextTestSupport
import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextMarkup
@testable import FancyTextOutputs
@testable import FancyTextStyling
@testable import FancyTextWriting

@Suite struct PlainTextTests {
    @Test func aTreeIsOpenedInPlace() {
        let html = "<details><summary>a</summary>b</details><noscript><p>c</p></noscript>e"
        var tree = MarkupTree.parse(html)
        let nodes = tree.storage.nodes.base
        #expect(PlainText.open(&tree) && tree.storage.nodes.base == nodes)
        #expect(String(decoding: plainText(of: tree, PlainTextOptions()), as: UTF8.self) == "a\nb\ne")
        #expect(!PlainText.open(&tree))
        let other = MarkupTree.parse(html)
        #expect(PlainText.opened(other) != nil && PlainText.opened(other) != nil)
    }

    private static func full(_ tree: MarkupTree, _ options: PlainTextOptions) -> String {
        var options = options
        options.alwaysReadsBoxes = true
        var log = DiagnosticLog()
        let text = PlainText.text(of: tree, options, resolver: textResolver, log: &log)
        return String(decoding: text, as: UTF8.self)
    }

    private static func full(_ source: String, _ change: (inout PlainTextOptions) -> Void = { _ in }) -> String {
        var options = PlainTextOptions()
        change(&options)
        return full(parse(source), options)
    }

    private static let modes = textModes(wrappedAt: 20, .grid)

    /// Code is copied without the numbers of its lines, a formula is shown once, and items of one paragraph have no blank lines.
    @Test(arguments: [
        (
            "<style>i::before{counter-increment:n;content:counter(n)}</style><pre><i>def</i> x\n<i>y</i></pre><i>z</i>",
            "def x\ny\n\n1z"
        ),
        ("<table><tr><td class=linenos><pre>1\n2</pre><td><pre>a\nb</pre></table>", "a\nb"),
        ("<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre></table>", "a\nb"),
        ("<table><tr><td><pre>1\n3</pre><td><pre>a\nb</pre></table>", "1  a\n3  b"),
        ("<object data=x.png>a <b>b</b></object>", "a b"), ("<object data=x.swf>a <b>b</b></object>", "a b"),
        ("<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>b</pre>", "a\nb"),
        ("<pre><span class=lineno>1x</span>a</pre>", "1xa"),
        (
            "<span class=katex><span class=katex-mathml><math><mi>x</mi></math></span>"
                + "<span aria-hidden=true>x</span></span>", "x"
        ),
        ("<b><i style='display:none'><math><mi>x</mi></math></i><img alt=y aria-hidden=true></b>", "y"),
        ("<ul><li><p>a</p><ol><li><p>b</p></li></ol></li><li><p>c</p></li></ul>", "• a\n  1. b\n• c"),
        ("<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>", "• a\n\n  b\n\n• c"),
    ])
    func readersSeeWhatIsMeant(_ html: String, _ expected: String) {
        #expect(Self.full(html) == expected)
        let text = plainText(of: parse(html), PlainTextOptions())
        #expect(String(decoding: text, as: UTF8.self) == expected)
    }

    // MARK: Both ways

    @Test(arguments: [
        "a<br>b<br><br>c", "<p>1</p><p> </p><p></p><p>2</p>", "<ul><li>a<ul><li>b</ul><li>c</ul>", "<p>a<br></p><p>b",
        "<ol reversed start=7><li>a<li value=3>b<li>c</ol>", "<dl><dt>a<dd>b<ul><li>c</ul><dl><dd>d</dl></dl>",
        "x<q lang=de>a<q>b<q>c</q></q></q>", "<details><summary>a</summary>b</details><ol><li>c</ol>",
        "<p>a <img alt=b align=left> c<input type=submit value=d><input type=hidden>e<textarea>f</textarea>g",
        "<table><tfoot><tr><td>z<td>y</tfoot><thead><tr><th rowspan=2>a<th>b</thead><tr><td>c<td>d</table>",
        "<table dir=rtl><tr><td>a<td>bb<td>c<tr><td colspan=2>dddddd<td>e</table>",
        "<table><caption>k</caption><col><tr><td><table><tr><td>a<td>b<tr><td>c<td>d</table><td>e</table>f",
        "<table><tr><td>a</table><table role=none><tr><td>a<td>b<tr><td>c</table>",
        "中文\n中文 <b>中</b>\n文 a\n中",
        "<svg><text>a</text><title>b</title><a>c</a></svg>d<math><mi>e</mi><mo>f</mo></math>",
        "<a href=u>x<div>y</div>z</a> <a href=v><img></a><a href=w></a> <a href=u style='display:block'>t</a>",
        "<p style='display:inline'>a</p> <b style='display:block'>b</b> <i style='float:left'>c</i>d",
        "<div style='display:flex'>a<b>b</b> c <i>d</i></div>e<div style='display:inline-flex'>f<b>g</b></div>h",
        "<p style='margin:0'>a<p style='MARGIN: 0 auto;color:red'>b<p style='margin-top:0'>c<p hidden>d",
        "<p style='margin:1em 2px 0'>a<p style='margin:8px auto 7px'>b<h1 style='margin-top:3px'>c</h1>"
            + "<div style='margin:.5em'>d</div><div style='margin-top:4%'>e</div><div style='margin:0.4em 0'>f</div>g",
        "<ol style='list-style-type:upper-roman'><li>a<li style='list-style:none'>b<li type=a>c<li><ul><li>d</ul></ol>"
            + "<ul style='list-style:none;list-style-type:foo'><li>e</ul><ul style='list-style:square url(x)'><li>f</ul>",
        "<div style='display:-moz-inline-box'>a</div>b<div style='counter-reset:list-item 4'><li>c</div>"
            + "<p style='font-size:60px;margin:20px 0'>d<p style='display:-webkit-box'>e<p style='display:-ms-flexbox'>f",
        "<div style='list-style-type:decimal'><ol type=i><li>a<div style='list-style:square'><li>b</div></ol><ul><li>c</ul>"
            + "<li>d</div>", "<p hidden style='display:block'>a<b style='display:none!important;display:block'>b</b>c",
        "<pre>\n a\n\tb \n</pre>c<pre wrap>d  e</pre><span style='white-space:pre'>f  g\n h</span>",
        "<i style='visibility:hidden'>a <b style='visibility:visible'>b</b> c</i> d",
        "a <span style='position:absolute'> b </span> c<div style='position:absolute'>d</div>e",
        "<button> a <p>b</p> </button>c<select><optgroup><option>d<option>e</select>f",
        "<blockquote><p>a<blockquote>b</blockquote><ul><li>c<p>d</ul></blockquote><figure>e<figcaption>f</figure>",
        "<ul type=none><li>a<dl><dt>b<li>c</dl></ul>",
        "<ol><li>a<li type=i>b<div><li>c</div></li><ul><li>d<li>e</ul><li>f</ol>",
        "<li>a<li>b<div><li>c</div><ul><li>d</ul>", "<object>a</object>b<video>c</video>d<iframe>e</iframe>f",
        "<h1>a</h1><hr><address>b</address><fieldset><legend>c</legend>d</fieldset><dialog>e</dialog><dialog open>f",
    ])
    func bothWaysAgree(source: String) {
        let tree = parse(source)
        for options in Self.modes { _ = readsLikeBoxes(tree, options, source) }
    }

    /// Random documents of all elements that affect text, nested and misnested.
    @Test func bothWaysAgreeOnRandomDocuments() {
        var generator = SeededGenerator(state: 41)
        let pieces = [
            "<p>text ", "</p>", "<div>", "</div>", "<ul>", "<li>item", "</ul>", "<ol start=3>", "<ol reversed>",
            "</ol>",
            "<b>", "</b>", "<i>", "</i>", "<a href=/x>link", "<a href=/y> ", "</a>", "<br>", " x &amp; y ", "\n", " ",
            "<h2>t</h2>", "<table>", "</table>", "<table dir=rtl>", "<tr>", "<td>a", "<td>", "<td colspan=2>b c",
            "<td rowspan=2>d", "<td rowspan=0>e", "<th>h", "</tr>", "<thead>", "<tbody>", "<tfoot>", "<caption>cap",
            "<pre>\n a  b\n", "</pre>", "<q>", "</q>", "<img alt=i>", "<img>", "<section hidden>", "</section>", "<hr>",
            "<input type=submit value=v>", "<input type=hidden>", "<button>", "</button>", "<dl>", "<dt>w", "<dd>m",
            "</dl>", "<blockquote>", "</blockquote>", "<details>", "<summary>s", "</details>", "<nobr>", "</nobr>",
            "<span style='display:none'>", "<span style='display:block'>", "<span style='display:inline-block'>",
            "<span style='float:left'>", "</span>", "<div style='display:flex'>", "<p style='margin:0'>",
            "<span style='visibility:hidden'>", "<span style='text-transform:uppercase'>i ß",
            "<div dir=rtl>שלום ", "中文\n", "<svg><text>g</text></svg>", "<textarea>t</textarea>", "<select><option>o",
            "</select>", "<x-y>", "</x-y>", "<dialog>", "</dialog>", "<object>", "</object>",
            "<p style='margin-top:40px'>", "<ruby>r<rt>t</ruby>", "<div style='white-space:pre-wrap'>\n  ",
        ]
        let rounds = _isDebugAssertConfiguration() ? 400 : 2_000
        var compared = 0
        var failures = 0
        for round in 0..<rounds where failures < 3 {
            var source = round % 4 == 0 ? "<!doctype html><html lang=de><body>" : ""
            for _ in 0..<(4 + round % 40) { source += pieces.randomElement(using: &generator) ?? "" }
            switch readsLikeBoxes(parse(source), Self.modes[round % Self.modes.count], source) {
            case true?: compared += 1
            case false?: failures += 1
            case nil: break
            }
        }
        #expect(failures > 0 || compared * 3 > rounds, "only \(compared) of \(rounds) were read off the tree")
    }

    @Test func bothWaysAgreeOnTagSoup() {
        var generator = SeededGenerator(state: 5)
        var failures = 0
        for round in 0..<(_isDebugAssertConfiguration() ? 300 : 2_000) where failures < 3 {
            let source = randomDocument(&generator, pieces: 5 + round % 50)
            if readsLikeBoxes(parse(source), Self.modes[round % Self.modes.count], source) == false { failures += 1 }
        }
    }

    @Test(
        .enabled(if: TestPaths.conformance != nil, Comment(rawValue: TestPaths.conformanceIsAbsent)),
        arguments: ["real-html", "pages"])
    func bothWaysAgreeOnRealPages(folder: String) throws {
        guard let folder = TestPaths.conformance?.appendingPathComponent(folder) else { return }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".html") }
        #expect(!files.isEmpty)
        for file in files.sorted() {
            var log = DiagnosticLog()
            var tree = MarkupTree.parse(
                Array(try Data(contentsOf: folder.appendingPathComponent(file))), log: &log)
            tree.remove((1..<tree.count).map { NodeID($0) }.filter { tree.tag($0) == .style || tree.tag($0) == .link })
            for options in Self.modes.prefix(2) { _ = readsLikeBoxes(tree, options, file) }
        }
    }

    // MARK: Facts

    /// Elements are read from the tree as the default style sheet displays them.
    @Test func intrinsicBoxesAreThoseOfTheDefaultStyleSheet() {
        for raw in 1..<TagID.knownCount {
            let tag = TagID(raw)
            guard tag.isHTML, let intrinsic = ExtractionDisplay.intrinsic(tag) else { continue }
            var options = StyleOptions()
            options.customTags["zz-zz"] = DefaultStyles.css(tag, [])
            var log = DiagnosticLog()
            let styled = MarkupStyleResolver(options: options).resolve(parse("<zz-zz>x</zz-zz>"), log: &log)
            let display = ExtractionDisplay(styled.computed(NodeID(1)).box.display)
            switch intrinsic {
            case .replaced:
                #expect(tag == .audio ? display == .none : display == .inline || display == .inlineBlock, "\(tag)")
            case .ruby: #expect(display == .ruby || display == .rubyText || tag == .rb && display == .inline, "\(tag)")
            default: #expect(display == intrinsic, "\(tag)")
            }
        }
    }

    @Test(arguments: [
        ("a <video></video> b", "a  b"), ("a <video hidden></video> b", "a b"),
        ("a <iframe style='display:none'></iframe> b", "a b"),
        ("a <audio style='display:none;display:foo'></audio> b", "a b"),
        ("a <canvas style='display:none;display:inline'></canvas> b", "a  b"),
        ("a<svg style='display:none'><text>b</text></svg>c", "ac"),
        ("<style>text{display:none}</style>a<svg><text>b</text></svg>c", "ac"),
    ])
    func innerTextHasPlacesForMedia(source: String, expected: String) {
        #expect(text(source) { $0.mode = .innerText } == expected)
    }

    /// Not all parts of so large a table are kept before it is known to be a data table.
    @Test func aLargeTableIsData() {
        let rows = (0..<2_500).map { "<tr><td>row \($0)<td>\(7 * $0)" }.joined()
        let lines = text("<table>\(rows)</table><p>end").split(separator: "\n")
        #expect(lines.count == 2_501)
        #expect(lines.first == "row 0     0")
        #expect(lines[2_499] == "row 2499  17493")
    }

    /// Properties that are declared to have no effect on text do not change it.
    @Test(arguments: [
        "color:red", "background:url(x.png)", "font:italic bold 20px/2 serif", "border:1px solid", "padding:9px",
        "width:10px", "text-align:right", "letter-spacing:2px", "text-decoration:underline", "opacity:0", "z-index:2",
        "overflow:hidden", "line-height:3", "vertical-align:top", "text-indent:2em", "transform:rotate(9deg)",
        "flex:1", "order:3", "flex-flow:row-reverse wrap", "gap:3px", "top:0;left:9px", "box-shadow:0 0 2px red",
        "cursor:pointer", "clear:both",
        "word-break:break-all", "text-shadow:0 0 1px red", "caption-side:bottom", "border-collapse:collapse",
        "hyphens:none", "tab-size:2", "column-count:2", "grid-template-columns:1fr 1fr", "justify-content:end",
        "max-height:1px", "table-layout:fixed", "outline:1px solid", "font-variant:small-caps", "aspect-ratio:1",
    ])
    func otherPropertiesChangeNoText(declaration: String) throws {
        let colon = try #require(declaration.firstIndex(of: ":"))
        let isRelevant = TextRelevance.isRelevant(String(declaration[..<colon]))
        #expect(!isRelevant)
        let source =
            "<p>a <b>b</b><br>c<p>d<ul><li>e<li>f</ul><table><caption>k</caption><tr><td>g<td>h</table><pre> i\n j</pre>"
            + "<h1>l</h1><div>m<span>n</span></div><img alt=o> <q>p</q><blockquote>r</blockquote>"
        let sheet = "<style>*,*::before,*::after{\(declaration)}</style>"
        #expect(Self.full(sheet + source) == text(source))
    }

    @Test func namesOfRelevantPropertiesAreKnown() {
        for name in [
            "display", "-webkit-box-orient", "WHITE-SPACE", "--x", "-ft-segment-min-width", "all", "writing-mode",
        ] {
            #expect(TextRelevance.isRelevant(name), "\(name)")
        }
        for name in ["displa", "displays", "-webkit-transform", "colour", "", "-", "mso-line-height-rule"] {
            #expect(!TextRelevance.isRelevant(name), "\(name)")
        }
    }

    // MARK: Effects of style sheets

    @Test(arguments: [
        ("<style>p::before{content:'» '}</style><p>a", "» a"),
        (
            "<style>ol{counter-reset:n}li{list-style:none;counter-increment:n 2}li::before{content:counter(n)')'}</style>"
                + "<ol><li>a<li>b</ol>", "2)a\n4)b"
        ),
        ("<style>p{margin:0}</style><p>a<p>b", "a\nb"), ("<style>b{display:block}</style>a<b>b</b>c", "a\nb\nc"),
        ("<style>p::first-letter{float:left;font-size:3em}</style><p>Word", "Word"),
        ("<style>p::first-letter{float:left}</style><p> A cat", "A cat"),
        (
            "<style>b{float:left}</style><p><b>T</b>his<p><b><i>“T</i></b>HIS<p><b>Q</b>What<p><b>I</b> was",
            "This\n\n“THIS\n\nQ\nWhat\n\nI was"
        ),
        ("<style>div{margin-left:200px}</style><div>a</div>", "a"),
        ("<style>li{list-style-type:upper-roman}</style><ul><li>a<li>b</ul>", "I. a\nII. b"),
        (
            "<style>.t{display:table}.r{display:table-row}i{display:table-cell}</style><div class=t><div class=r><i>a</i>"
                + "<i>b</i></div><div class=r><i>cc</i><i>d</i></div></div>", "a   b\ncc  d"
        ),
        ("<style>details>p{color:red}</style><details><summary>a</summary>b</details>", "a\nb"),
    ])
    func styleSheetsDecide(source: String, expected: String) { #expect(Self.full(source) == expected) }

    @Test func tablesReadTheirGrid() {
        #expect(
            text("<table><tfoot><tr><td>z<td>y</tfoot><thead><tr><th rowspan=2>a<th>b</thead><tr><td>c<td>d</table>")
                == "a  b\nc  d\nz  y")
        #expect(text("<table dir=rtl><tr><td>a<td>bb<tr><td>c<td>d</table>") == "bb  a\nd   c")
        #expect(text("<table><tr><td>1️⃣<td>x<tr><td>✌️<td>y<tr><td>中<td>z</table>") == "1️⃣  x\n✌️  y\n中  z")
    }

    @Test func linesBreakWhereTextMay() {
        #expect(text("<p>aaa-bbb ccc") { $0.width = 5 } == "aaa-\nbbb\nccc")
        #expect(text("<p>(aaa) $5 9%") { $0.width = 6 } == "(aaa)\n$5 9%")
        #expect(text("<p>x\u{A0}y z") { $0.width = 3 } == "x\u{A0}y\nz")
        #expect(text("<p>「中文」です。") { $0.width = 6 } == "「中\n文」で\nす。")
        #expect(text("<p>extra&shy;ordinary") { $0.width = 8 } == "extra\u{AD}-\nordinary")
        #expect(text("<p>👨‍👩‍👧 👨‍👩‍👧 👨‍👩‍👧") { $0.width = 5 } == "👨‍👩‍👧 👨‍👩‍👧\n👨‍👩‍👧")
    }

    @Test(arguments: [
        ("display:none !ie", "x\n\ny"), ("display:none!important", "y"), ("display:none ! IMPORTANT ", "y"),
        ("display:none !important x", "x\n\ny"),
    ])
    func onlyImportantMayFollowAValue(_ style: String, _ expected: String) {
        #expect(text("<p style='\(style)'>x</p><p>y") == expected)
    }
}
