// Readable text of markup whose meaning is only visual: icons, exponents, changes, hidden pages, nested tables.

import FancyTextTestSupport
import Testing

@testable import FancyTextBasics
@testable import FancyTextMarkup
@testable import FancyTextOutputs
@testable import FancyTextWriting
@testable import FancyTextStyling

@Suite struct ReadableTextTests {
    /// Uses the whole cascade.
    private static func full(_ source: String, textOnly: Bool = false, _ log: inout DiagnosticLog) -> String {
        var styles = StyleOptions()
        styles.readsTextOnly = textOnly
        let text = PlainText.text(
            of: parse(source) { $0.isScripting = true }, PlainTextOptions(),
            resolver: MarkupStyleResolver(options: styles),
            log: &log)
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: Icons and boxes in lines

    @Test(arguments: [
        ("<h1>Title<svg></svg></h1><p>Body</p>", "Title\n\nBody"),
        ("<p>x<svg></svg></p><ul><li>a<li>b</ul>", "x\n\n• a\n• b"),
        ("<p>x<svg><path d=M0></path></svg></p><ol><li><svg></svg> a<li>b</ol>", "x\n\n1. a\n2. b"),
        ("a <svg><title>Home</title><path></path></svg> b", "a Home b"),
        ("a <svg aria-hidden=true><title>Home</title></svg> b", "a b"),
        ("a <a href=/x aria-label=Home><svg aria-hidden=true><title>h</title></svg></a> b", "a Home b"),
        ("<a href=/x title=x><input type=image alt=y></a> <a href=/x title=x><meter value=.5></meter></a>", "y 50%"),
        ("<button title='a < b'> <i></i></button> c <button aria-label='' title=d></button>", "a < b c d"),
        ("<button title=x>y</button><h1>T<a href=#t title=x></a></h1><pre>a<button title=x></button>", "y\n\nT\n\na"),
        ("<i role=button aria-label=x></i> <img role=button title=y> <div role=button>z</div>", "x\nz"),
        (
            "a <progress value=3 max=10></progress> <meter value=5 min=4 max=6>x</meter> <progress></progress>b",
            "a 30% 50% b"
        ),
        ("<style>i{float:footnote}</style><p>a 4<i>n</i> %", "a 4¹ %\n\n1. n"),
        ("<svg><title>t</title><text>x</text></svg>", "x"),
        ("<p>a</p><button></button> <button> </button><p>b</p>", "a\n\nb"),
        ("<button>OK</button><button>Cancel</button>", "OK Cancel"), ("std<button>Copy</button>now", "std Copy now"),
        ("f();<button>Copy</button>. (<button>Run</button>)", "f(); Copy. (Run)"),
        ("Menu <div style='display:inline-block'><ul><li>a<li>b</ul></div>", "Menu\n• a\n• b"),
        ("Menu <div style='display:inline-block'><ul><li>a</ul></div> x", "Menu • a x"),
    ])
    func inlineBoxesLeaveNoTrace(source: String, expected: String) { #expect(text(source) == expected) }

    @Test func adjacentInlineBlocksAreWords() {
        var log = DiagnosticLog()
        let style = "<style>b{display:inline-block}</style>"
        #expect(Self.full(style + "<b>Linear</b><b>Daniel Cruz</b>", &log) == "Linear Daniel Cruz")
        // Boxes of several lines are separate blocks.
        let cards = "<span>A<div>x</div></span> <span><p>B<p>y</p></span> <span>C</span> <span>D</span>"
        #expect(Self.full("<style>span{display:inline-block}</style>" + cards, &log) == "A\nx\nB\n\ny\n\nC D")
        // Letters of one word.
        #expect(Self.full(style + "<b>W</b><b>o</b><b>w</b>", &log) == "Wow")
    }

    @Test(arguments: [
        ("<a href=1>About</a><a href=2>Help</a>", "About Help"), ("<a href=1>Ab</a> <a href=2>Help</a>", "Ab Help"),
        ("<a href=1><b>About</b></a><a name=n></a><i><a href=2>Help</a></i>", "About Help"),
        // One word of two links, text that is no link, a word that continues.
        ("<a href=1>D</a><a href=2>ata</a>", "Data"), ("x <a href=1>D</a><a href=2>ata</a>", "x Data"),
        ("<a name=1>Ab</a><a name=2>out</a>", "About"), ("<a href=1>link</a>s<a href=2>x</a>", "linksx"),
        ("<a href=1>a.</a><a href=2>b</a>", "a.b"), ("<p><a href=1>ab</a><p><a href=2>c</a>", "ab\n\nc"),
        ("<a href=1>ab</a><a href=2></a>c", "abc"), ("<a href=1>ab<br></a><a href=2>c</a>", "ab\nc"),
    ])
    func adjacentLinksAreWords(source: String, expected: String) {
        #expect(text(source) == expected)
        #expect(text(source) { $0.alwaysReadsBoxes = true } == expected)
    }

    @Test func columnsOfBlanksGiveWayFirst() {
        let row = "<table><tr><td>[ &lt;&lt; ]<td>&nbsp;<td>&nbsp;<td>[Top]<td>[ ? ]</table>"
        #expect(text(row) { $0.width = 24 } == "[ << ]  \u{A0}\u{A0}[Top]  [ ? ]")
        #expect(text(row) { $0.width = 80 } == "[ << ]  \u{A0}  \u{A0}  [Top]  [ ? ]")
    }

    @Test func anEmptyLineIsAMarginToo() {
        #expect(text("<p>a</p><br><p>b</p>") == "a\n\n\nb")
        #expect(text("<p>a</p><br><br><p>b</p>") == "a\n\n\n\nb")
        #expect(text("<div>a<br></div><p>b") == "a\n\nb")
    }

    // MARK: Links to the current position, lists, frames

    @Test(arguments: [
        ("<h2 id=a>T<a href='#a'>¶</a></h2>", "T"), ("<dl><dt>f()<a href='#f'> &para;</a><dd>x</dl>", "f()\n    x"),
        ("<section id=s><p>x <a class=s href='#s'>§</a> y</section>", "x y"), ("<p>a<a id=k href='#k'>#</a> b", "a b"),
        // An index of letters, a link to another place, a sign among words.
        ("<p><a href='#n'>#</a> <a href='#A'>A</a>", "# A"), ("<h2><a href='p#a'>#</a></h2>", "#"),
        ("<h2><a href='#a'>§ 1</a></h2>", "§ 1"), ("<h2><a href='#a'><b>#</b></a></h2>", "#"),
    ])
    func headingsDoNotLinkToThemselves(source: String, expected: String) {
        #expect(text(source) == expected)
        #expect(text(source) { $0.alwaysReadsBoxes = true } == expected)
    }

    @Test(arguments: [
        ("<ul><li>a</li>b<li>c</ul>d", "• a\n  b\n• c\n\nd"), ("<ul><li>a<ul><li>b</ul>c</ul>", "• a\n  ◦ b\n  c"),
        ("<ul><li>a</li><ol><li>b</ol><p>c</p></ul>", "• a\n  1. b\n\n  c"),
        ("<ul style='list-style:none'><li>a</li>b</ul>", "a\nb"),
        ("<ul style='display:flex'><li>a<li>b</ul>", "• a\n• b"), ("<ul><li style='display:block'>a</ul>", "a"),
    ])
    func listsSetInWhatIsNoItem(source: String, expected: String) {
        var log = DiagnosticLog()
        #expect(Self.full(source, &log) == expected)
        #expect(text(source) == expected)
    }

    @Test func aSingleNumberBesideAListingIsData() {
        #expect(text("<table><tr><td>404</td><td><pre>Not found</pre></td></tr></table>").contains("404"))
        #expect(text("<pre><b class=gutter-wide>100</b> words</pre>").contains("100"))
        #expect(!text("<pre><b class=lineno>100</b> words</pre>").contains("100"))
    }

    @Test func optionsKeepTheirHyphens() {
        func wrapped(_ source: String) -> String { text(source) { $0.width = 12 } }
        #expect(wrapped("to set --free-is-write=yes") == "to set\n--free-is-write=yes")
        #expect(wrapped("the well-known -word (--all)") == "the well-\nknown -word\n(--all)")
    }

    @Test func framesAreNamed() {
        let frames = "<frame src=a.html name=menu><frame src=b.html title='Main &amp; more'><frame src=c.html><frame>"
        let source = "<frameset>\(frames)<noframes><p>Use <b>x</b>.</p></noframes></frameset>"
        let expected = "Frame: menu\nFrame: Main & more\nFrame: c.html\n\nUse x."
        for start in ["", "<!DOCTYPE html><html><head><title>t</title></head>"] {
            var log = DiagnosticLog()
            #expect(Self.full(start + source, &log) == expected)
        }
    }

    @Test func boxesOfTaskListsKeepTheirState() {
        #expect(
            text("<ul><li><input type=checkbox disabled checked> a<li><input type=checkbox disabled> b")
                == "• ☑ a\n• ☐ b")
        #expect(text("<p><input type=checkbox checked> field <input type=radio disabled> choice") == "field ○ choice")
    }

    // MARK: Superscripts and changes

    @Test(arguments: [
        ("10<sup>6</sup> H<sub>2</sub>O", "10⁶ H₂O"), ("x<sup>−2n</sup>", "x⁻²ⁿ"), ("m<sup> 2 </sup>x", "m ² x"),
        ("4<sup>th</sup> 1<sup>st</sup>", "4th 1st"), ("Go<sup>TM</sup>", "Go™"), ("x<sup>[3]</sup>", "x[3]"),
        ("w<sup><a href=#n>3</a></sup> <a href=p#n><sup>4</sup></a>", "w³ ⁴"), ("e<sup>iπ</sup>", "e^iπ"),
        ("a<sub>max b</sub>", "a_(max b)"), ("x<sup>2<sup>n</sup></sup>", "x^2ⁿ"), ("<sup>1</sup> Note", "¹ Note"),
        ("<sup>note</sup> x", "note x"), ("a<sup>*</sup>", "a*"), ("2<sup><b>10</b></sup>", "2¹⁰"),
        ("x<sup hidden>2</sup>", "x"), ("$5<sup class=footnote-ref><a href=#fn-1>1</a></sup>.", "$5¹."),
        ("x<sup><a href=/new>new</a></sup>", "xnew"),
        ("<del>old</del><ins>new</ins>", "[-old-]{+new+}"), ("a <ins>b</ins> <del>c</del> d", "a {+b+} [-c-] d"),
        ("<del>a</del> b <ins>c</ins>", "a b c"), ("<del><p>a</p></del><ins><p>b</p></ins>", "a\n\nb"),
    ])
    func scriptsAndChangesKeepTheirMeaning(source: String, expected: String) {
        #expect(text(source) == expected)
        var log = DiagnosticLog()
        #expect(Self.full(source, &log) == expected)
        #expect(Self.full(source, textOnly: true, &log) == expected)
    }

    // MARK: Pages shown by a script

    @Test(arguments: [
        "<style>html{display:none!important}</style>", "<style>body{visibility:hidden}</style>",
        "<style>html,body{display:none}</style>",
    ])
    func aHiddenPageIsShown(style: String) {
        var log = DiagnosticLog()
        #expect(Self.full("<!doctype html>" + style + "<body><p>Hello", &log) == "Hello")
        #expect(log.map(\.code) == [.hiddenPage])
        #expect(text("<!doctype html><body hidden><p>Hello") == "Hello")
        #expect(text("<!doctype html><body style='visibility:hidden'><p>Hello") == "Hello")
    }

    @Test func stepsOfAPageThatWaitsAreShown() {
        let style = "<style>body{display:none}ul{visibility:hidden}p{display:none}</style>"
        var log = DiagnosticLog()
        #expect(Self.full("<!doctype html>" + style + "<body>a<ul><li>b</ul><p>c", &log) == "a\n\n• b")
        let shown = "<style>ul{visibility:hidden}</style>"
        #expect(Self.full("<!doctype html>" + shown + "<body>a<ul><li>b</ul>", &log) == "a")
    }

    @Test func whatAPageSaysWithoutScriptsIsNotRead() {
        let page = "<!doctype html><body><noscript><style>p{display:none}</style><p>No</noscript><p>Yes"
        var log = DiagnosticLog()
        #expect(Self.full(page, &log) == "Yes")
        #expect(text("<noscript>No</noscript><p>Yes") == "Yes")
        let tree = parse(page) { $0.isScripting = true }
        #expect(String(decoding: tree.html(tree.root, outer: true), as: UTF8.self).contains("<noscript><style>p{"))
        #expect(String(decoding: tree.textContent(tree.root), as: UTF8.self) == "Yes")
    }

    // MARK: Properties that affect text

    @Test func otherDeclarationsAreNotEvenRead() {
        var log = DiagnosticLog()
        let sheet =
            "<style>p{cursor:foo;-webkit-x:y;mso-z:1;colour:red}@page{}b{color:red}i{display:none}q{margin:1emm}</style>"
        #expect(Self.full(sheet + "<p>a<b>b</b><i>c</i>", textOnly: true, &log) == "ab")
        #expect(log.map(\.message) == ["invalid value for 'margin': 1emm"])
        let foreign = "<style>p{display:-ms-flexbox;*display:inline}p::-ms-clear{display:none}</style><p>a"
        var none = DiagnosticLog()
        #expect(Self.full(foreign, textOnly: true, &none) == "a" && none.isEmpty)
        #expect(Self.full(foreign, &none) == "a" && none.worst == .note)
        var styles = StyleOptions()
        styles.readsTextOnly = true
        let styled = MarkupStyleResolver(options: styles).resolve(parse(sheet + "<i>c</i>"), log: &log)
        #expect(styled.index.rules.entries.count == 1)
    }

    // MARK: Tables

    @Test func tablesInTablesKeepTheirColumns() {
        let source = """
            <table><tr><td>left words here<td><table><tr><td>inner one two<td>other b b b<tr><td>x<td>y</table>\
            <td>last</table>
            """
        #expect(
            text(source) { $0.width = 30 } == """
                left words  inner  other  last
                here        one    b b b
                            two
                            x      y
                """)
        #expect(text(source) == "left words here  inner one two  other b b b  last\n                 x              y")
    }

    @Test func longWordsAreBrokenInNarrowColumns() {
        let source = "<table><tr><td>abcdefghijklmnopqrst<td>x<tr><td>a<td>y</table>"
        #expect(text(source) { $0.width = 12 } == "abcdefghi  x\njklmnopqr\nst\na          y")
    }

    @Test func emptyColumnsGiveWay() {
        let source = "<table><tr><td>[a b]<td><td><td><td>[c d]<td>[e f]</table>"
        #expect(text(source) { $0.width = 30 } == "[a b]        [c d]  [e f]")
        #expect(text(source) { $0.width = 20 } == "[a b]  [c d]  [e f]")
    }

    @Test func tabsStandForEveryColumn() {
        let source = "<table><tr><td rowspan=2>a<td>b<td>c<tr><td colspan=2>d<tr><td>e</table>"
        #expect(text(source) { $0.tables = .tsv } == "a\tb\tc\n\td\t\ne\t\t")
    }

    /// Words are named after the outermost column that they are in.
    @Test func columnsNeverMix() {
        var generator = SeededGenerator(state: 7)
        func cell(_ column: String, depth: Int) -> String {
            var html = ""
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                html += String(repeating: column, count: Int.random(in: 1...9, using: &generator)) + " "
            }
            if depth < 3, Int.random(in: 0..<3, using: &generator) == 0 {
                html += "<table>"
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    html += "<tr>"
                    for _ in 0..<Int.random(in: 1...3, using: &generator) {
                        html += "<td>" + cell(column, depth: depth + 1)
                    }
                }
                html += "</table>"
            }
            return html
        }
        for round in 0..<500 {
            var source = "<table>"
            let columns = Int.random(in: 2...4, using: &generator)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                source += "<tr>"
                for column in 0..<columns { source += "<td>" + cell(String("abcd"[column]), depth: 0) }
            }
            source += "</table>"
            let width = round % 3 == 0 ? nil : Int.random(in: 24...90, using: &generator)
            let lines = text(source) { $0.width = width }.split(separator: "\n")
            var places: [Character: Range<Int>] = [:]
            for line in lines {
                for (at, character) in line.enumerated() where character != " " {
                    let known = places[character] ?? at..<(at + 1)
                    places[character] = min(known.lowerBound, at)..<max(known.upperBound, at + 1)
                }
            }
            let ordered = places.sorted { $0.key < $1.key }.map(\.value)
            for (left, right) in zip(ordered, ordered.dropFirst()) where left.upperBound >= right.lowerBound {
                Issue.record("width \(width ?? 0): \(source)\n\(lines.joined(separator: "\n"))")
                return
            }
        }
    }
}

extension String {
    fileprivate subscript(index: Int) -> Character { self[self.index(startIndex, offsetBy: index)] }
}
