import FancyTextTestSupport
import Testing

@Suite struct TextExtractorTests {
    @Test(arguments: [
        ("a<br>b<br><br>c", "a\nb\n\nc"), ("<b>y</b>\n<i>z</i>", "y z"), ("<pre>  a\n   b</pre>", "  a\n   b"),
        ("a<span hidden>b</span><template>c</template><span style=\"display:none\">d</span>e", "ae"),
        ("<p>1</p><p> </p><p></p><p>2</p>", "1\n\n2"),
        ("He said <q>hi <q>x</q></q>.", "He said “hi ‘x’”."),
        ("<ol start=3><li>a<li value=9>b<li>c</ol>", "3. a\n9. b\n10. c"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "• a\n  ◦ b\n• c"), ("<img alt=x> y", "x y"),
        ("<p>a<br></p><p>b", "a\n\nb"),
        ("<ol reversed><li>a<li>b</ol>", "2. a\n1. b"), ("<ol type=i><li>a</ol>", "i. a"),
        ("&lt;b&gt;&nbsp;x", "<b>\u{A0}x"),
        (
            "<ul><li>a<li style='list-style:square'>b<li>c<ol><li>d<li type=i>e<li>f</ol><li>g<ul><li>h</ul><li>i</ul>",
            "• a\n▪ b\n• c\n  1. d\n  ii. e\n  3. f\n• g\n  ◦ h\n• i"
        ),
        ("<ol><table><tr><td><li>a<td><li>b</table><li>c</ol>", "  1. a  1. b\n1. c"),
        ("a<svg><text>b</text><g>c</g>d</svg><math><mi>e</mi>f</math>", "abe"),
        ("<svg><text>a</text><text>b<tspan>c</tspan></text></svg>", "a bc"),
    ])
    func readsLikeAPerson(source: String, expected: String) { #expect(text(source) == expected) }

    /// Text is copied in blocks of sixteen bytes; special characters must be found at every position of a block.
    @Test(arguments: [
        ("  ", " "), (" \n\t ", " "), ("&amp;", "&"), ("&", "&"), ("\u{1B}", ""), ("é", "é"), ("…", "…"),
        ("\u{85}", ""),
        ("\u{A0}", "\u{A0}"), ("\u{202E}", ""), (" é ", " é "), ("&nbsp; ", "\u{A0} "), ("\u{7F}", ""),
    ])
    func specialCharactersAreSeenAnywhere(source: String, expected: String) {
        for before in 1..<36 {
            for after in [1, 2, 15, 16, 17, 40] {
                let (left, right) = (String(repeating: "x", count: before), String(repeating: "y", count: after))
                #expect(text(left + source + right) == left + expected + right)
                #expect(text("<i>" + left + source + "</i>" + right) == left + expected + right)
            }
        }
    }

    @Test func preformattedTextKeepsItsSpacesAnywhere() {
        for before in 1..<36 {
            let line = String(repeating: "x", count: before) + "  \t y"
            #expect(text("<pre>" + line + "\n\n" + line + "&lt;</pre>") == line + "\n\n" + line + "<")
        }
    }

    @Test func controlCharactersNeverPass() {
        #expect(text("a\u{1B}[31mb\u{9B}c&#27;d\u{202E}e\u{2066}f") == "a[31mbcdef")
        #expect(text("a\u{1B}b") { $0.keepsControls = true } == "a\u{1B}b")
        #expect(text("<pre>a&#12;b&#9;c") == "ab\tc")
    }

    @Test func linesOfLayoutCellsAreOneAfterTheOther() {
        let cells = "<tr><td>A<br>B<td>C<br>D<tr><td>E<td>F"
        for style in ["", "<style>b::before{content:'x'}</style><b></b>"] {
            #expect(text("\(style)<table role=presentation>\(cells)</table>").hasSuffix("A\nB\nC\nD\nE F"))
        }
    }

    @Test func countersOfTheSheetMarkItems() {
        let css = "@counter-style star{system:cyclic;symbols:'★';suffix:' '}ol{list-style:star}"
        #expect(text("<style>\(css)</style><ol><li>a<li>b</ol>") == "★ a\n★ b")
    }

    @Test func tablesAreAligned() {
        #expect(text("<table><tr><th>A<th>B<tr><td>long<td>中<tr><td>x<td>y</table>") == "A     B\nlong  中\nx     y")
        #expect(text("<table><tr><td>a<td>b</table>") { $0.tables = .tsv } == "a\tb")
        #expect(text("<table><tr><td>a<td>b</table>") { $0.tables = .grid } == "┌───┬───┐\n│ a │ b │\n└───┴───┘")
        #expect(text("<table><tr><td colspan=2>ab<td>c<tr><td>1<td>2<td>3</table>") == "ab    c\n1  2  3")
    }

    /// The text of one cell does not affect the words, markers or quotes of another.
    @Test func cellsAreTextsOfTheirOwn() {
        #expect(text("<table><tr><td><q>a<td>b<q>c</q><tr><td><ul><li>d</ul><td>e</table>") == "“a”  b“c”\n• d  e")
        #expect(
            text("<table><tr><td>a<table><tr><td>1<td>2<tr><td>34<td>é</table>b<td>c<tr><td>d<td>e</table>")
                == "a      c\n1   2\n34  é\nb\nd      e")
        #expect(text("<table><tr><td><pre>a\n\tb  c</pre><td>d</table>") == "a     d\n\tb  c")
        #expect(text("<table dir=rtl><tr><td>a<td>b<tr><td>ccc<td></table>") == "b  a\n   ccc")
    }

    @Test func linesWrapAtTheWidth() {
        #expect(text("<p>aaa bbb ccc ddd") { $0.width = 8 } == "aaa bbb\nccc ddd")
        #expect(text("<ul><li>aaa bbb ccc</ul>") { $0.width = 8 } == "• aaa\n  bbb\n  ccc")
        #expect(text("<p>中文字中文字") { $0.width = 6 } == "中文字\n中文字")
        #expect(text("<pre>aaa bbb ccc") { $0.width = 4 } == "aaa bbb ccc")
    }

    @Test func linksAreShownAsAsked() {
        let source = "<a href=u>x</a> <a href=v>y</a> <a href=u>z</a>"
        #expect(text(source) == "x y z")
        #expect(text(source) { $0.links = .inline } == "x <u> y <v> z <u>")
        #expect(text(source) { $0.links = .footnotes } == "x[1] y[2] z[1]\n\n[1] u\n[2] v")
        let others =
            "<a href='java&#9;script:f()'>x</a> <a href='data:text/html,x'>y</a> <a href='h&#10;ttps://e.x'>z</a>"
        #expect(text(others) { $0.links = .footnotes } == "x y z[1]\n\n[1] https://e.x")
        #expect(text(others) { $0.links = .inline } == "x y z <https://e.x>")
    }

    @Test func speechIsSentences() {
        #expect(text("<h1>Title</h1><p>One<br>Two!</p><p>Three") { $0.mode = .speech } == "Title. One. Two! Three")
        #expect(text("<dog>are</dog> you? <lambda id=x alt='Read me'>") { $0.mode = .speech } == "are you? Read me")
    }

    @Test(arguments: [
        ("<div>abc <br>def", "abc\ndef"), ("<p>a<p>b", "a\n\nb"),
        ("<table><tr><td>a<td><td>b<tr><td>c</table>", "a\t\tb\nc"), ("<ul><li>x</ul>", "x"),
        ("<div style='text-transform:uppercase'>maß", "MASS"), ("<select><option>a<option>b", "a\nb"),
        ("abc <span style='display:inline-block'></span> def", "abc  def"),
        // Blocks break lines everywhere.
        ("a<span style='display:inline-block'><div>b</div></span>c", "a\nb\nc"),
        ("a <span style='display:inline-block'> <p>b</p> </span> c", "a \n\nb\n\n c"),
        ("a<p style='display:inline'>b</p>c", "a\n\nb\n\nc"),
        ("<button>a</button><button><div>b</div></button>c", "a\nb\nc"),
        // The line continues after floats and positioned elements, including its white space.
        ("a <span style='float:left'> b </span> c", "a \nb\nc"), ("a <span style='float:left'> b </span>", "a\nb"),
        ("a <span style='position:absolute'>b</span> c", "a \nb\nc"), ("a <img style='float:left'><p>b", "a\n\nb"),
        ("<div>a <i style='float:left'>b</i> <i style='float:left'>c</i></div>d", "a\nb\nc\nd"),
        ("<a><img></a> <a><img></a> <ul><li>x</ul>", " \nx"), ("a <span style='visibility:hidden'>x </span> b", "a b"),
        ("<label>a</label><select><option>b<option>c</select>d", "a\nb\nc\nd"),
        ("<table><tr><td><tr><td>a</table>", "\na"),
        ("<table><tr><td><p>a<tr><td>b</table>", "a\n\n\nb"), ("<details>x<summary>y</summary>z</details>", "y"),
        ("<details open>x<summary>y</summary>z</details>", "x\ny\nz"), ("<object>x</object>y", "xy"),
        ("<svg><text>a</text><text>b</text></svg>c", "a\nb\nc"), ("<pre>a\n</pre>b", "a\n\nb"),
        ("<table><tr><td></td><td style='display:block'>a</td><td></td></table>", "\t\na"),
        (
            "<div style='display:table'><div style='display:table-cell'>a</div><div style='display:table-cell'>b</div></div>",
            "a\tb"
        ),
        // A space before a float is only kept if text follows on the line.
        ("a<p>x</p><div><b style='display:inline-block'></b> <div style='float:left'>y</div></div>", "a\n\nx\n\ny"),
        ("a<div style='float:left'>x</div> y <div style='float:left'><p>z</div> <b>q</b>", "a\nx\n y \n\nz\n\nq"),
        ("<p>a</p><embed> <embed><p>b", "a\n\nb"),
        ("<p>a</p><object data=x> <param></object> <embed src=y><p>b", "a\n\n \n\nb"),
        ("<object data=x>y</object>", "y"),
        // An element that is not rendered gives its text content.
        ("<!doctype html><body style='display:none'>a<script>q</script><p>b", "aqb"),
        ("<div style='display:none'><p>a<p>b</div>", "ab"), ("<p hidden>a</p>b", "b"),
        ("<math display=block><mi>x</mi><mi mathvariant=normal>y</mi><mi>sin</mi></math> a", "𝑥\ny\nsin\na"),
        (
            "<math><mtable><mtr><mtd><mi>h</mi></mtd><mtd><mn>1</mn></mtd></mtr><mtr><mtd><mn>2</mn></mtd></mtr>"
                + "</mtable></math>", "ℎ\n\t\n1\n\n\n2"
        ),
    ])
    func innerTextIsTheBrowsers(source: String, expected: String) {
        #expect(text(source) { $0.mode = .innerText } == expected)
    }

    @Test func rawIsTextNodesJoined() {
        #expect(text("Test<a href=x>Qoo</a>DDD<script>x</script>") { $0.mode = .raw } == "TestQooDDD")
    }
}
