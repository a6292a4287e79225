// HTML on a terminal: the structure of the picture, in cells.

import FancyTextTestSupport
import Testing

@testable import FancyText
@testable import FancyTextCSS
@testable import FancyTextLayout
@testable import FancyTextOutputs

private let parser = MarkupParserBuilder.default().build()

private func ansi(_ html: String, width: Int = 40, _ edit: (inout ANSIOptions) -> Void = { _ in }) -> String {
    var options = ANSIOptions()
    options.width = width
    options.colors = .plain
    edit(&options)
    var document = parser.parse(html)
    return String(decoding: Renderer().ansi(&document, RenderOptions(), options), as: UTF8.self)
        .replacing("\u{1B}", with: "␛")
}

@Suite struct TerminalLayoutTests {
    @Test(
        arguments: [
            // One frame, for each source of its lines.
            (
                "<table border=1><tr><td>a<td>bb<tr><td>ccc<td>d</table>",
                "┌─────┬────┐\n│ a   │ bb │\n├─────┼────┤\n│ ccc │ d  │\n└─────┴────┘\n"
            ),
            (
                "<style>table{border-collapse:collapse}td{border:3px solid}td+td{border-width:1px}</style><table><td>a<td>b</table>",
                "┏━━━┳───┐\n┃ a ┃ b │\n┗━━━┻───┘\n"
            ),
            (
                "<table border=1><tr><th rowspan=2>a<td>b<tr><td>c<tr><td colspan=2>d</table>",
                "┌───┬───┐\n│   │ b │\n│ a ├───┤\n│   │ c │\n├───┴───┤\n│ d     │\n└───────┘\n"
            ),
            (
                "<div style='border:1px solid;border-radius:4px;width:64px'>a</div>",
                "╭────────╮\n│a       │\n╰────────╯\n"
            ),
            (
                "<fieldset><legend>L</legend>a</fieldset>",
                "┌──L───────────────────────────────────┐\n│  a                                   │\n"
                    + "└──────────────────────────────────────┘\n"
            ),
            ("<div style='border-left:4px solid'>a<br>b</div>", "┃ a\n┃ b\n"),
            // Columns as wide as their contents.
            (
                "<table><tr><td>Apples<td align=right>5<tr><td>Figs<td align=right>10</table>",
                "Apples   5\nFigs    10\n"
            ),
            // Right to left.
            ("<table dir=rtl border=1><tr><td>a<td>bb</table>", "┌────┬───┐\n│ bb │ a │\n└────┴───┘\n"),
            ("<ol dir=rtl><li>a</ol>", String(repeating: " ", count: 34) + "a .1\n"),
            // Flex boxes and floats.
            ("<div style='display:flex'><p style='order:2'>a</p><p>b</p></div>", "b a\n"),
            (
                "<div style='display:flex;justify-content:space-between'><b>a</b><b>b</b><b>c</b></div>",
                "a                  b                   c\n"
            ),
            ("<div style='width:80px;float:right'>a</div>b", "b                             a\n"),
            (
                "<style>div{float:left}p{margin:0 0 0 80px}</style><div style='width:100%'><p>Body</div>"
                    + "<div style='width:80px;margin-left:-100%'>Contents</div>", "Contents  Body\n"
            ),
            // Grids: tracks in cells, rows sized by their contents; text in columns.
            (
                "<div style='display:grid;grid-template:50px/80px 1fr'><b>a</b><b>b</b><b>c</b></div>",
                "a         b\nc\n"
            ),
            (
                "<div style='display:grid;grid-template-columns:repeat(auto-fill,minmax(80px,1fr))'><b>a</b><b>b</b><b>c</b><b>d</b></div>",
                "a         b         c         d\n"
            ),
            ("<div style='columns:2;column-gap:16px'>a<br>b<br>c</div>", "a                    c\nb\n"),
            // Lists.
            ("<ul><li>a<ol><li>b</ol></ul>", "   • a\n       1. b\n"),
            ("<ul style='padding:0'><li>one<li>two</ul>", "• one\n• two\n"),
            ("<ul><li><p style='margin:0 0 0 40px'>a<p style='margin:0 0 0 40px'>b</ul>", "   •      a\n          b\n"),
            ("<ul><li><div><figure>a</figure><p style='margin-left:40px'>b</div></ul>", "   • a\n\n          b\n"),
            ("<blockquote dir=rtl>a</blockquote>", String(repeating: " ", count: 34) + "a │\n"),
            ("a <textarea rows=1 cols=3></textarea> b", "a ┌───┐ b\n  │   │\n  └───┘\n"),
            // A field is as wide as its text.
            ("<input value='one two' size=4>", "[one two]\n"),
            ("<input placeholder='one two' style='width:20px'>", "[one two]\n"),
            // What is in the flow is painted in its order, whatever its level.
            (
                "<div style='display:flex;flex-direction:column;height:16px'>"
                    + "<p style='z-index:1;margin:0;overflow:auto'>a<br>b</p><p style='margin:0'>c</p></div>",
                "a\nb\nc\n"
            ),
            ("<blockquote>a<p>b</blockquote>", "   │ a\n   │\n   │ b\n"),
            // The screen has its own margin; rules span it.
            ("<!doctype html><body>a<hr>b", "a\n\n" + String(repeating: "─", count: 40) + "\n\nb\n"),
            ("a<hr style='border:0;height:1px;background:red;width:40px;margin:0'>", "a\n─────\n"),
            ("<p>a<img alt=one>b<img src=x>c</p>", "aonebc\n"),
            ("<ruby>漢<rt>kan</rt>字<rt>ji</ruby>a", "漢(kan)字(ji)a\n"),
            // Superscripts and subscripts.
            ("10<sup>-3</sup> H<sub>2</sub>O x<sup>Q</sup> y<sub>max</sub>", "10⁻³ H₂O x^Q yₘₐₓ\n"),
            ("<del>19</del><ins>14</ins> <s>5</s> <del>a</del>", "[-19-]{+14+} 5 a\n"),
            ("2<sup>A+B</sup> a<sup>[1]</sup> b<sup>®</sup> 1<sup><a href=#n>3</a></sup>", "2^A+B a[1] b® 1³\n"),
            (
                "<img src=/a/b.png?x> <img src=c.jpg alt=''> <img src=d.gif width=1> <img src=e.svg alt=E> <img src=f>",
                "[b.png]   E\n"
            ),
            // Form controls.
            (
                "<input value=Ada size=6> <input type=checkbox checked> <input type=checkbox> <input type=radio checked>",
                "[Ada   ] ☑ ☐ ◉\n"
            ),
            ("<select><option>one<option selected>two</select> <button>Go</button>", "[ two ▾] [Go]\n"),
            (
                "<label><input type=radio> a</label><label><input type=radio> b</label><button>Go</button>c.",
                "○ a ○ b [Go] c.\n"
            ),
            ("<progress value=.5 style='width:64px'></progress>", "████░░░░\n"),
            ("<meter value=2 max=10></meter>", "█░░░░░ 20%\n"),
            ("a <input type=color value=#336699> b", "a [#336699] b\n"),
            // Marks that the page draws itself keep their state.
            (
                "<style>input{appearance:none;width:20px;height:20px;border:1px solid}</style>"
                    + "<input type=checkbox checked style='vertical-align:middle'> a <input type=checkbox> b <input type=radio checked> c",
                "☑ a ☐ b ◉ c\n"
            ),
            // A negative margin takes from the padding inside it.
            (
                "<pre style='padding:0 32px'>a\n<b style='display:block;margin:0 -12px;padding:0 12px'>  b</b></pre>",
                "    a\n      b\n"
            ),
            ("<blockquote><pre>a</pre><table><tr><td>b</table></blockquote>", "     a\n\n     b\n"),
            // The names of one definition; margins at lines between cells.
            (
                "<style>dt{margin-top:8px}</style><dl><dt>a<dt>b<dd>c<dt>d</dl>", "a\nb\n     c\n\nd\n"
            ),
            (
                "<table border=1><tr><td><p>a</p><td><p>b</p><p>c</p></table>",
                "┌───┬───┐\n│   │ b │\n│ a │   │\n│   │ c │\n└───┴───┘\n"
            ),
            (
                "<p style='text-align:justify'>one two three four five six seven eight",
                "one two three four five six seven eight\n"
            ),
            ("<details><summary>More</summary>hidden</details>", "▾ More\nhidden\n"),
            (
                "<div style='border:1px solid;padding:10px'><pre style='white-space:pre-wrap'>a</pre></div>",
                "  a\n"
            ),
            // A frame around code is an indent, whatever is empty in it.
            (
                "<div style='border-left:3px solid'><pre>a\nb</pre><div style='padding-top:12px'></div></div>",
                "  a\n  b\n"
            ),
            // One blank row between two lines of text, from margins, paddings or both.
            ("<p>a<h2 style='margin-top:1.2em;padding-top:.5em'>b</h2><p style='margin-top:48px'>c", "a\n\nb\n\nc\n"),
            ("<table><tr><td><p>a<td><p>b<tr><td style='padding:20px 0'>c</table>", "a  b\n\nc\n"),
            ("<pre>a\n\n\nb</pre>", "a\n\n\nb\n"),
            // Columns higher than a screen are one.
            (
                "<div style='columns:2'>\(String(repeating: "a<br>", count: 102))</div>",
                String(repeating: "a\n", count: 102)
            ),
            ("<ul><li><figure><img alt=a src=a.jpg></figure><p>b</ul>", "   • a\n\n     b\n"),
            // Text that begins in small letters has no mark; blank lines of code are kept.
            ("<p><sup>Small print and more</sup><p>x<sup>n+1</sup>", "Small print and more\n\nxⁿ⁺¹\n"),
            ("<pre>a\n\n\n\n\nb</pre>", "a\n\n\n\n\nb\n"),
            // A line above one cell is above its row; lines between rows are half a line of their paddings.
            (
                "<table style='border-spacing:0'><tr><td valign=top>a<td style='border-top:1px solid'>b"
                    + "<tr><td valign=top>c<td style='border-top:1px solid'>d</table>", "   ───\n a  b\n   ───\n c  d\n"
            ),
            (
                "<style>td{padding:12px 0;border-bottom:1px solid}</style><table style='border-collapse:collapse'>"
                    + "<tr><td>a<td>b<tr><td>c<td>d</table>", " a  b\n──────\n c  d\n──────\n"
            ),
            ("<div style='border:1px solid;padding:16px;width:16px'>a</div>", "┌──────┐\n│  a   │\n└──────┘\n"),
            // Words in narrow boxes stay whole; the last item of a column keeps its marker.
            ("<p style='width:24px'><img alt=Facebook width=16>", "Facebook\n"),
            (
                "<div style='columns:2'><ul style='margin:0'><li>a<li>b<li>c</ul></div>",
                "   • a                  • c\n   • b\n"
            ),
            ("<p>a<div style='padding-top:300px'></div><p>b", "a\n\nb\n"),
            ("<p>aaaaaaaaaa bbbbbbbbbb cccccccccc --no-color", "aaaaaaaaaa bbbbbbbbbb cccccccccc\n--no-color\n"),
            (
                "x<sup>\(String(repeating: "long text ", count: 7))</sup>",
                "xlong text long text long text long text\nlong text long text long text\n"
            ),
            ("a <i style='visibility:hidden'>hid</i> b", "a     b\n"),
            ("<pre>a\n  b</pre>", "a\n  b\n"),
            ("✌️ ❤️ 1️⃣ x", "✌️ ❤️ 1️⃣ x\n"),
            // Text without a size takes no cell; text that a picture does not show is left out.
            (
                "<style>b{display:inline-block;width:50%;font-size:16px}</style><div style='font-size:0'><b>a</b> <b>b</b></div>",
                "a                   b\n"
            ),
            (
                "<div style='max-height:0;overflow:hidden'>x</div><div style='height:0;overflow:hidden'>x<p>x</div>"
                    + "<p style='font-size:0'>x</p><h1 style='text-indent:-9999px'>x</h1><p>a", "a\n"
            ),
            ("<div style='height:0;padding-bottom:50%;overflow:hidden'>a</div>", "a\n"),
            // Words that a padding separates, descriptions of pictures, letters in pictures.
            ("<a style='padding:0 7px'>one</a><a>two</a> <code style='padding:7px'>a</code>, b", "one two a, b\n"),
            ("<a href=1><img alt=Prev></a><a href=2><img alt=Up></a>", "Prev Up\n"),
            ("<svg><text>a</text><text>b</text></svg> <svg aria-label=c></svg>", "a b c\n"),
            ("<a href=h><svg><title>Home</title></svg></a>", "Home\n"),
            // A link that only has a picture shows the end of its target, unless it is a link's with text.
            ("<a href=https://e.x/y?z><img src=/badge></a> <a href=/a><img alt=''></a><a href=/a>b</a>", "[y] b\n"),
            ("<a href=https://e.x/w/File:Cat_August_on_leaves.jpg><img alt=''></a>", "[File:Cat_August_on_leave…]\n"),
            // The mark of a summary is in the first line of its blocks.
            ("<details open><summary><section>a<h4>b</h4></section></summary>c</details>", "▾ a\n\nb\n\nc\n"),
            // A line around paragraphs is space enough; after rows of words there is more.
            (
                "<div style='border:1px solid;width:40px'><p>a</p><p>b</p></div>",
                "┌─────┐\n│a    │\n│     │\n│b    │\n└─────┘\n"
            ),
            ("<table><tr><th>a<th>b<tr><td>c<td>d</table>e", "a  b\nc  d\n\ne\n"),
            // Initials are part of their word.
            ("<p><span style='float:left;width:60px;margin-right:8px;padding:4px'>T</span>his", "This\n"),
            ("<p><b style='float:left;margin-right:8px'>I</b> was", "I was\n"),
            // Boxes in one area of a grid, unless there is space for both.
            (
                "<style>b{grid-area:1/1}</style><div style='display:grid'><b>one</b><b>second</b></div>",
                "one\nsecond\n"
            ),
            (
                "<style>b{grid-area:1/1}</style><div style='display:grid'><b>one</b><b style='justify-self:end'>two</b></div>",
                "one" + String(repeating: " ", count: 34) + "two\n"
            ),
            // Numbers of pages are known only on pages.
            (
                "<style>a::after{content:' p. ' target-counter('#x',page)}</style><a>see</a><p id=x>a",
                "see p.\n\na\n"
            ),
            ("<textarea rows=2 cols=3></textarea>", "┌───┐\n│   │\n│   │\n└───┘\n"),
            (
                "<div style='text-align:center'><ul style='padding:0'><li>abc</ul></div>",
                String(repeating: " ", count: 17) + "• abc\n"
            ),
        ] as [(String, String)])
    func structureIsThePictures(_ html: String, _ expected: String) {
        #expect(ansi(html) == expected.replacing("a .1", with: "a 1."))
    }

    @Test(arguments: [
        ("<ul><li>one two<ul><li>three</ul></ul>", 10, "   • one\n     two\n     ◦ thr\n       ee\n"),
        (
            "<table border=1><tr><td>alphabetical<td>beta</table>", 20,
            "┌────────────┬────┐\n│alphabetical│beta│\n"
        ),
        ("<table border=1><tr><td>alpha<td>beta<tr><td>c<td>d</table>", 8, "alpha\nbeta\n\nc\nd\n"),
        ("<p style='white-space:nowrap'>one two three</p>", 8, "one two\nthree\n"),
        ("<pre>one two three</pre>", 12, "one two    ↵\nthree\n"),
        (
            "<div style='display:grid;grid-template-columns:32px 1fr'><p>a</p><pre style='padding:0 8px'>one two three</pre></div>",
            14, "a   one two  ↵\n    three\n"
        ),
        // Code is broken after blanks; what is only around it makes way, as far as its lines need.
        ("<pre>one two-three</pre>", 10, "one      ↵\ntwo-three\n"),
        ("<div style='margin:0 16px'><pre style='margin:0 16px'>one two</pre></div>", 9, "  one two\n"),
        (
            "<div style='margin:0 16px'><pre style='margin:0 16px'>one two\none two three</pre></div>", 10,
            "  one two\n  one two↵\n  three\n"
        ),
        // Not if the lines are wrapped into as many rows.
        ("<div style='margin-left:16px'><pre>one two three four</pre></div>", 14, "  one two    ↵\n  three four\n"),
        (
            "<div style='display:table;border:1px solid;margin:0 8px'><pre style='display:table-cell'>one two three</pre></div>",
            11, "   one two↵\n   three\n"
        ),
        // So does space around other contents too, within boxes of a width or in per cent; also beside tables.
        ("<div style='margin:0 40px'><p>a</p><pre>one two three</pre></div>", 15, "   a\n\n  one two three\n"),
        (
            "<div style='width:64px;margin-left:16px'><p>a</p><pre>one two three</pre></div>", 16,
            "  a\n\n  one two three\n"
        ),
        (
            "<div style='margin:0 20% 0 16px;border-left:5px solid'><pre>one two three</pre><div style='padding-top:12px'>"
                + "</div></div>", 15, "  one two three\n"
        ),
        ("<div style='padding:0 10%'><pre>one two three</pre></div>", 15, "  one two three\n"),
        (
            "<div style='margin:0 40px'><p>a</p><table border=1><tr><td>one two<br>one two three<td>b</table></div>",
            22,
            "     a\n\n ┌───────────────┬───┐\n"
        ),
        // Spacing and padding of cells go before columns do.
        (
            "<style>td{padding:0 12px;border-bottom:1px solid}</style><table><tr><td>one two<td>one two<td>three</table>",
            21, "one two one two three\n─────────────────────\n"
        ),
        ("<table cellspacing=40><tr><td>alphabetical<td>alphabetical</table>", 26, "alphabetical alphabetical\n"),
        // In code, lines end at blanks.
        ("<p>see <code>git-imap-send</code>", 12, "see\ngit-imap-\n"),
        ("<p>see <code>git-imap-send</code>", 14, "see\ngit-imap-send\n"),
        ("<p>or \"[Gmail]/Drafts\".", 17, "or\n\"[Gmail]/Drafts\".\n"),
        ("<pre>one two three</pre>", 8, "one two↵\nthree\n"),
        ("<p>see [--one-two] git-one(1)", 14, "see\n[--one-two]\ngit-one(1)\n"),
        ("<p>a well-known UTF-8 2024-10-11", 7, "a well-\nknown\nUTF-8\n2024-\n10-11\n"),
        (
            "<div style='display:grid;grid-template-columns:fit-content(30%) auto'><b>alphabetical</b>"
                + "<b style='margin-left:8px'>one two</b></div>", 20, "alphabetical one two\n"
        ),
        // Where a grid is too wide, its narrow columns keep their words.
        (
            "<div style='display:grid;grid-template-columns:max-content 1fr;gap:8px'><b>Mail</b><b>https://a.example/bc</b></div>",
            18, "Mail https://a.\n     example/bc\n"
        ),
        // A word is broken after a hyphen if more than a quarter of the line would be empty.
        ("<p>one two three a-bcd", 16, "one two three\na-bcd\n"),
        ("<p>one table-name", 12, "one table-\nname\n"),
        // One cell between columns before words are broken; then only the longest word is.
        ("<table><tr><td>one<td>two<td>three</table>", 13, "one two three\n"),
        ("<table><tr><td>one<td>two<td>abcdefghijklmn</table>", 21, "one two abcdefghijklm\n        n\n"),
        // Heads of two rows, a break in a head, alignment to the right.
        (
            "<table style='text-align:right'><tr><th rowspan=2>Date<th colspan=2>Total<tr><th>Cases<th>All<br>deaths"
                + "<tr><td>today<td>3,967<td>2,105</table>", 16,
            "Date: today\nTotal Cases:\n3,967\nTotal All\ndeaths: 2,105\n"
        ),
        // Code gets the space beside it before it is wrapped; its lines keep their indent.
        ("<pre style='margin:0 16px;border:1px solid'>one two</pre>", 7, "one two\n"),
        ("<pre style='margin:0 16px'>one two</pre>", 9, "  one two\n"),
        ("<pre style='white-space:pre-wrap'>one\n  two three</pre>", 9, "one\n  two   ↵\n  three\n"),
        // Long words are broken after a sign; ideographic spaces hang.
        ("<p>https://example.com/index", 20, "https://example.com/\nindex\n"),
        ("<p>ああああ　いい", 8, "ああああ\nいい\n"),
        (
            "<table border=1><tr><th>Name<th>Configuration<tr><td>alpha<td>something<tr><td>b<td>c</table>", 20,
            "Name: alpha\nConfiguration:\nsomething\n\nName: b\nConfiguration: c\n"
        ),
        ("<p style='margin:0 100px'>one two</p>", 8, "  one\n  two\n"),
        (
            "<table border=1><tr><th>Name<th>Path<tr><td>alpha<td>https://e.example/one/two/three</table>", 30,
            "┌─────┬──────────────────────┐\n│Name │         Path         │\n├─────┼──────────────────────┤\n"
                + "│alpha│https://e.example/one/│\n"
        ),
        // Alternative text has neither the width of its picture nor broken words; names of files are cut.
        (
            "<td style='word-break:break-word'><table><tr><td style='width:40px'><img alt='Best companies' width=40 "
                + "style='width:100%;max-width:40px;display:block'></table>", 40, "Best\ncompanies\n"
        ),
        (
            "<img src=i/%C3%A4.png> <img width=18 src=icon.png> <img width=96 src=a-long-name.png>", 40,
            "[ä.png]  [a-long-na…]\n"
        ),
        ("<div style='display:flex'><div>alpha</div><div>beta</div></div>", 8, "alpha\nbeta\n"),
        ("<p style='width:800px'>one two three</p>", 8, "one two\nthree\n"),
        // A cell is as wide as its contents, which have no space beside them.
        (
            "<table border=1><tr><td><div style='width:48px'><pre>aa bb cc dd</pre></div><td>x</table>", 30,
            "┌────────┬───┐\n│ aa bb↵ │ x │\n│ cc dd  │   │\n└────────┴───┘\n"
        ),
        ("<h1 style='text-indent:100%'>Logo</h1>", 20, "Logo\n"),
        // The implied root has no margins on a terminal either.
        ("<style>html{overflow-x:hidden}</style><h1>Title</h1>", 20, "Title\n"),
    ])
    func narrowScreensKeepTheWords(_ html: String, _ width: Int, _ expected: String) {
        #expect(ansi(html, width: width).hasPrefix(expected))
    }

    @Test(arguments: [
        // In the corners of a box with a height, and in its middle by a translation.
        (
            "<style>div{position:relative;height:72px;width:160px}b{position:absolute}</style>"
                + "<div>a<b style='right:0;top:0'>b</b><b style='left:8px;bottom:0'>c</b>"
                + "<b style='left:50%;top:50%;transform:translate(-50%,-50%)'>ddd</b></div>e",
            "a                  b\n        ddd\n\n c\ne\n"
        ),
        // Text that would cover other text, or touch it without a space, gets its own lines in document order.
        (
            "<div style='position:relative'>one two<b style='position:absolute;left:16px;top:0'>three</b> four</div>",
            "one two\nthree\nfour\n"
        ),
        (
            "<div style='position:relative'>one<p style='position:absolute;left:24px;top:0;margin:0'>two</p></div>three",
            "one\ntwo\nthree\n"
        ),
        // Pictures show nothing of these.
        (
            "a<b style='position:absolute;left:-9999px'>b</b><b style='position:absolute;opacity:0;left:50px'>c</b>"
                + "<b style='position:absolute;width:1px;height:1px;overflow:hidden'>d</b>"
                + "<b style='position:absolute;clip:rect(0 0 0 0)'>e</b>",
            "a\n"
        ),
        // A frame placed over text does not cover it.
        (
            "<div style='position:relative;width:80px;padding:18px 8px'>a b"
                + "<i style='position:absolute;inset:0;border:1px solid'></i></div>",
            "┌──────────┐\n│a b       │\n└──────────┘\n"
        ),
        (
            "<div style='position:relative'>a b<i style='position:absolute;left:8px;right:0;top:9px;border-top:1px solid'></i></div>",
            "a b\n"
        ),
        (
            "<div style='position:relative'>a<i style='position:absolute;left:0;width:9px;height:9px;border:3px solid'></i></div>",
            "a\n"
        ),
        // A sign in the margin is left out; in a flex row, overlapping content gets its own line.
        ("<p style='position:relative'><b style='position:absolute;left:-16px'>§</b>a", "a\n"),
        (
            "<div style='position:relative;display:flex'><i>one<b style='position:absolute;left:0'>two</b></i>"
                + "<b style='position:absolute;left:0'>three</b><i>four</i></div>", "one\ntwo\nthree\nfour\n"
        ),
        // Drawers are beyond an edge.
        (
            "<style>div{position:fixed;left:0;right:0}</style><div style='bottom:0;transform:translateY(100%)'>b</div>"
                + "<div style='top:100%'>c</div><p style='position:absolute;left:100%'>d</p>a", "a\n"
        ),
        // Relative positions do not move text onto other text.
        ("a<br><span style='position:relative;top:-20px'>b</span>", "a\nb\n"),
        // A clamp removes lines.
        (
            "<div style='display:-webkit-box;-webkit-line-clamp:1;-webkit-box-orient:vertical;overflow:hidden;width:72px'>"
                + "one two three</div>four", "one two…\nfour\n"
        ),
        (
            "<p dir=rtl style='white-space:nowrap;overflow:hidden;text-overflow:ellipsis'>\(String(repeating: "ab ", count: 20))x</p>",
            "…b ab ab ab ab ab ab ab ab ab ab ab ab x\n"
        ),
    ])
    func positionedTextIsInItsPlace(_ html: String, _ expected: String) { #expect(ansi(html) == expected) }

    @Test func backgroundsHaveNoHoles() {
        let row = "<table cellspacing=0><tr bgcolor=#ff0000><td>a<td>b</table>"
        #expect(
            ansi(row) { $0.colors = .truecolor } == "␛[48;2;255;0;0m ␛[38;2;0;0;0ma␛[39m  ␛[38;2;0;0;0mb␛[39m ␛[0m\n")
        let page = "<!doctype html><body style='background:#00f;color:#fff'>a"
        #expect(ansi(page, width: 3) { $0.colors = .truecolor } == "␛[38;2;255;255;255;48;2;0;0;255ma␛[39m  ␛[0m\n")
    }

    @Test func linksComeFromTheNearestAnchorHoweverFar() {
        let page = "<a href=https://e.x>" + String(repeating: "<span>", count: 300) + "x"
        #expect(ansi(page) { $0.hyperlinks = true } == "␛]8;id=1;https://e.x␛\\x␛]8;;␛\\\n")
    }

    @Test func wideTablesAndCodeReachOverTheScreenWhenAsked() {
        let table =
            "<p>one two three four</p><table><tr><th>Name<th>Configuration<tr><td>alphabetical<td>something</table>"
        #expect(
            ansi(table, width: 16) { $0.isWide = true }
                == "one two three\nfour\n\n    Name      Configuration\nalphabetical  something\n")
        #expect(ansi("<pre>one two three</pre>", width: 8) { $0.isWide = true } == "one two three\n")
    }

    // MARK: Links

    @Test func onlyWhatCanBeFollowedIsALink() {
        let page =
            "<a href=' https://e.x/a'>a</a><a href=b>b</a><a href=javascript:c>c</a><a href='java\tscript:d'>d</a>"
        let links = ansi(page) { $0.hyperlinks = true }
        #expect(links == "␛]8;id=1;https://e.x/a␛\\a␛]8;;␛\\bcd\n")
        let resolved = ansi(page) {
            $0.hyperlinks = true
            $0.base = "https://e.x/p/"
        }
        #expect(resolved.contains("https://e.x/p/b␛"))
        #expect(!resolved.contains("script"))
        #expect(
            ansi("<base href=https://o.x/><a href=b>b</a>") {
                $0.hyperlinks = true
                $0.base = "https://e.x/p/"
            }.contains("https://o.x/b␛"))
    }

    @Test func targetsCanBeWritten() {
        let page =
            "<p><a href=https://e.x/a>one <b>two</b></a> and <a href=mailto:a@b.c>a@b.c</a>, <a href=javascript:1>x</a>"
        #expect(ansi(page, width: 60) { $0.links = .inline } == "one two <https://e.x/a> and a@b.c, x\n")
        #expect(ansi(page) { $0.links = .footnotes } == "one two[1] and a@b.c, x\n\n[1] https://e.x/a\n")
        let picture = "<a href=https://e.x/a><img alt=b></a>"
        #expect(ansi(picture) { $0.links = .inline } == "b <https://e.x/a>\n")
    }

    // MARK: Colours

    private func colored(
        _ page: String, _ background: TerminalBackground, _ edit: (inout ANSIOptions) -> Void = { _ in }
    )
        -> String
    {
        ansi(page) {
            $0.colors = .truecolor
            $0.background = background
            edit(&$0)
        }
    }

    @Test func codeHasABackgroundWhereTheTerminalsIsKnown() {
        #expect(colored("<code>x</code>", .color(.black)) == "␛[38;2;229;165;91;48;2;23;23;23mx␛[0m\n")
        #expect(!colored("<code>x</code>", .unknown).contains("48;2"))
        #expect(colored("<code style='color:#fff;background:#00f'>x</code>", .color(.black)).contains("48;2;0;0;255"))
    }

    @Test func cellsThatNoElementMakesShowTheirRow() {
        let html = "<div style='display:table-row;background:#c00'><p style='margin:0'>a</div>"
        #expect(colored(html, .color(.black)).contains("48;2;204;0;0"))
    }

    @Test func headingsDiffer() {
        let looks = (1...6).map { colored("<h\($0)>x</h\($0)>", .color(.black)) }
        #expect(Set(looks).count == 6)
        #expect(Set((1...6).map { level in ansi("<h\(level)>x</h\(level)>") { $0.colors = .monochrome } }).count == 6)
    }

    @Test func theCanvasIsAsAsked() {
        var options = ANSIOptions()
        options.width = 6
        var picture = RenderOptions()
        picture.background = .white
        picture.padding = 8
        var document = parser.parse("a")
        let rows = String(decoding: Renderer().ansi(&document, picture, options), as: UTF8.self)
            .replacing("\u{1B}", with: "␛").split(separator: "\n")
        let blank: Substring = "␛[48;2;255;255;255m      ␛[0m"
        #expect(rows == [blank, "␛[48;2;255;255;255m ␛[38;2;0;0;0ma␛[39m    ␛[0m", blank])
        picture.padding = 2
        #expect(Renderer().ansi(&document, picture, options).split(separator: 0x0A).count == 1)
    }

    @Test func gradientsAreShaded() {
        let row = colored("<div style='background:linear-gradient(90deg,#000,#fff);width:32px'>a</div>", .color(.black))
        #expect(row.split(separator: "48;2;").count == 5)
    }

    // MARK: Inputs that were slow

    @Test func depthDoesNotMultiplyLines() {
        let page =
            String(repeating: "<div>", count: 300) + String(repeating: "<p>word", count: 5_000)
        let time = processorTime { #expect(ansi(page).split(separator: "\n").count == 5_000) }
        #expect(time < .seconds(20))
    }

    @Test func distinctLinksAreLinear() {
        let page = (0..<20_000).map { "<a href=https://e.x/u\($0)>w</a> " }.joined()
        let time = processorTime { #expect(ansi(page) { $0.hyperlinks = true }.contains("u19999")) }
        #expect(time < .seconds(20))
    }

    /// Measuring a container does not lay out the contents of its items; otherwise time would grow with the square of the depth.
    @Test(arguments: ["flex", "grid"])
    func containersInContainersAreMeasuredOnce(_ display: String) {
        let page =
            "<style>*{display:\(display)}</style>" + String(repeating: "<table><tr><td>c<u>q", count: 40) + "end"
        let time = processorTime { #expect(ansi(page).contains("end")) }
        #expect(time < .seconds(2))
    }

    /// Clamped lines and columns examine the contents of containers in them, also while they are measured.
    @Test func clampedLinesOfMeasuredContainersAreCounted() {
        let page = """
            <div style="display:inline-flex"><span style="-webkit-line-clamp:2;display:-webkit-box;\
            -webkit-box-orient:vertical;overflow:hidden;flex:0 0 40px"><p style="display:grid">word some more words</p>\
            </span></div><p>end
            """
        #expect(ansi(page).split(separator: "\n", omittingEmptySubsequences: false).firstIndex(of: "end") == 3)
    }
}
