// Text read while the tree is built is the text of the whole tree, wherever tree construction pauses.

import FancyTextTestSupport
import Testing

@testable import FancyTextBasics
@testable import FancyTextMarkup
@testable import FancyTextOutputs

@Suite struct TextStreamTests {
    private static func text(
        _ source: String, _ options: TextOptions, leastNodes: Int, isAhead: Bool = false
    ) -> [UInt8]? {
        var syntax = SyntaxOptions()
        syntax.isUTF8 = true
        // All that a page says of its sheets is found at once, or while the tree is built.
        let bytes = SourceBytes(Array(source.utf8))
        guard var stream = TextStream(bytes, syntax: syntax, options: options, scanned: isAhead ? 1 : .max) else {
            return nil
        }
        stream.leastNodes = leastNodes
        stream.leastAhead = isAhead ? 0 : .max
        var log = DiagnosticLog()
        return stream.read(log: &log)
    }

    private static let modes: [TextOptions] = {
        var raw = TextOptions()
        raw.mode = .raw
        var footnotes = TextOptions()
        footnotes.links = .footnotes
        var wrapped = TextOptions()
        wrapped.width = 20
        wrapped.tables = .none
        return [TextOptions(), raw, footnotes, wrapped]
    }()

    /// Compares both ways, with pauses at every opportunity and at some.
    private static func check(_ source: String) {
        let tree = parse(source)
        for options in modes {
            let whole = options.mode == .raw ? tree.rawText(options, sink: nil) : tree.defaultText(options)
            for (leastNodes, isAhead) in [(1, false), (5, true), (40, false)] {
                // A walk that gives up may do so before or behind the place where the whole tree's does.
                guard let whole, let read = text(source, options, leastNodes: leastNodes, isAhead: isAhead)
                else { continue }
                if read != whole {
                    Issue.record(
                        """
                        mode \(options.mode), \(leastNodes) nodes: \(source.prefix(400))
                        read:  \(String(decoding: read, as: UTF8.self).prefix(300).debugDescription)
                        whole: \(String(decoding: whole, as: UTF8.self).prefix(300).debugDescription)
                        """)
                    return
                }
            }
        }
    }

    @Test(arguments: [
        "a<p>b<p>c", "<div hidden><p>a<p>b</div>c<p>d", "<ul><li>a<ul><li>b<li>c</ul><li>d</ul>",
        "<ol start=3><li>a<p>b<li>c</ol>", "<ol reversed><li>a<li>b<li>c</ol><p>d", "<q>a<p>b</p>c<q>d</q></q><p>e",
        "<div style='display:table'><p>a<p>b</div>c<p>d", "<pre>a\n<p>b\n\n</pre>c", "<p>a<b>b<p>c<p>d</b>e<p>f",
        "<b class=x><p>a</b>b<p>c<i>d</p>e<p>f</i>g", "<a href=x>a<p>b<p>c</a>d<p>e<a href=y>f",
        "<p><table><tr><td>a<td>b</table>c<p>d<table><b>e<tr><td>f</table>g<p>h",
        "<div style='text-transform:uppercase' lang=tr><p>i<p>i</div>i<p>i",
        "<html><body><p>i<p>b<html lang=tr><p style='text-transform:uppercase'>i", "<p>a<p>b<body hidden>c",
        "<form><div></form><p>a<form><p>b</form>c<p>d", "<p>a<Hot>b<p>c<p>d", "<x-y>a<p>b</x-y>c<p>d<x-y>e<p>f",
        "<select><option>a<option>b</select>c<p>d", "<div><object><p>a<p>b</object>c</div><p>d",
        "<svg><text>a</text><title>b</title></svg>c<p>d", "<template><p>a<p>b</template>c<p>d",
        "<ruby>a<rt>b<p>c</ruby>d<p>e", "<blockquote><p>a<p>b<blockquote>c</blockquote>d</blockquote><p>e",
        "<textarea>\na</textarea>b<p>c<pre>\n<p>d", "<button>a<p>b</button>c<p>d<button>e", "<nobr>a<nobr>b<p>c<nobr>d",
    ])
    func pausesChangeNothing(source: String) { Self.check(source) }

    @Test func pausesChangeNothingInTagSoup() {
        var generator = SeededGenerator(state: 17)
        for round in 0..<3_000 { Self.check(randomDocument(&generator, pieces: 5 + round % 60)) }
    }

    /// Many siblings and little misnesting, so that there are pauses.
    @Test func pausesChangeNothingInPages() {
        var generator = SeededGenerator(state: 23)
        let pieces = [
            "<p>text ", "<div>", "</div>", "<ul>", "<li>item", "</ul>", "<b class=x>", "</b>", "<a href=/x>link",
            "</a>",
            "<span lang=tr style='text-transform:uppercase'>i", "</span>", "<ol type=a>", "</ol>", "<br>",
            " x &amp; y ",
            "<h2 id=a>t</h2>", "<table><tr><td>a<td>b</table>", "<pre>\n a ", "</pre>", "<q>", "</q>", "<img alt=i>",
            "<section hidden>", "</section>", "<x-y>", "</x-y>", "<x-y a>", "<blockquote>", "</blockquote>", "<hr>",
            "<font size=1>", "</font>", "<input type=submit value=v>", "<form>", "</form>", "<i>", "</i>",
        ]
        for round in 0..<2_000 {
            var source =
                round % 2 == 0 ? "" : "<!doctype html><html lang=en><head><title>t</title></head><body class=c>"
            for _ in 0..<(10 + round % 90) { source += pieces.randomElement(using: &generator) ?? "" }
            Self.check(source)
        }
    }

    /// Sheets and attributes of html and body behind what is looked through at once.
    @Test func whatIsFoundWhileTheTreeIsBuiltIsTheSame() {
        let filler = String(repeating: "<p>x<i>i</i>", count: 300)
        for tag in [
            "<style>p{display:none}</style>", "<style>p{color:red}</style>", "<html hidden>", "<body lang=tr>",
            "<body style='text-transform:uppercase'>", "<html a='", "<style>p{", "<b>", "<styl>", "",
        ] {
            for count in [0, 20, 300] {
                let source = String(filler.prefix(12 * count)) + tag + filler
                let alone = Self.text(source, TextOptions(), leastNodes: 8)
                for leastNodes in [1, 50, 10_000] {
                    #expect(Self.text(source, TextOptions(), leastNodes: leastNodes, isAhead: true) == alone, "\(tag)")
                }
            }
        }
    }

    @Test func aStyleSheetNeedsTheWholeTree() {
        var innerText = TextOptions()
        innerText.mode = .innerText
        #expect(Self.text("<p>a", innerText, leastNodes: 1) == nil)
        #expect(Self.text("<p>a<STYLE>p{display:none}</STYLE>", TextOptions(), leastNodes: 1) == nil)
        #expect(Self.text("<p>a<strong>b</strong>", TextOptions(), leastNodes: 1) != nil)
        let colors = "<p>a<style>p{color:red;color:#00f} b::before{top:0}</style>"
        #expect(Self.text(colors, TextOptions(), leastNodes: 1) != nil)
        for sheet in [
            "@media screen{p{color:red}}", "p{color:red;/**/display:none}", "p{--x:1}", "p{color:red",
            "p{color:red}</b>p{display:none}", "p{color:red}</stylep>p{display:none}",
        ] {
            #expect(Self.text("<p>a<style>\(sheet)</style>", TextOptions(), leastNodes: 1) == nil)
        }
        #expect(Self.text("<p>a<style title='>\"'>p{display:none}</style>", TextOptions(), leastNodes: 1) == nil)
        #expect(Self.text("<p>a<style title='>'>p{color:red}</STYLE >", TextOptions(), leastNodes: 1) != nil)
    }

    /// Each of the tags reads on to where all of them end.
    @Test func tagsInTagsAreNotReadAgainAndAgain() {
        let tags = String(repeating: "<style ", count: 200_000)
        let time = processorTime {
            #expect(Self.text(tags + ">p{color:red}</style>", TextOptions(), leastNodes: 1) == nil)
        }
        #expect(time < .seconds(10))
    }

    /// Tags are looked for in blocks of sixteen bytes.
    @Test func aStyleSheetIsSeenAnywhere() {
        for before in 0..<70 {
            for behind in ["", "p", String(repeating: "<b>x</b>", count: 9)] {
                let left = String(repeating: "<", count: before)
                for name in ["style", "STYLE", "sTyLe"] {
                    #expect(Self.text(left + "<\(name)>p{display:none}\(behind)", TextOptions(), leastNodes: 1) == nil)
                }
                for name in ["stile", "b", "s", "rp", "code", "h1", "l"] {
                    #expect(Self.text(left + "<\(name)>\(behind)", TextOptions(), leastNodes: 1) != nil)
                }
            }
            let filler = String(repeating: "x", count: before)
            Self.check("<p>i<p>\(filler)<body style='text-transform:uppercase'><p>i<hTMl lang=tr hidden>i\(filler)")
        }
    }

    @Test func whatIsKeptIsAWindow() {
        let source = SourceBytes(
            Array(String(repeating: "<section id=a class=b><p a>x<li c>y</section>", count: 2_000).utf8))
        for isAhead in [false, true] {
            let windows = TreeWindows(source, SyntaxOptions(), leastNodes: 100) { _, _, _ in true }
            var log = DiagnosticLog()
            var pauses = 0
            windows.forEach(isAhead: isAhead, log: &log) { window in
                pauses += 1
                #expect(window.tree.count < 110 && window.tree.storage.attributes.items.count < 110)
                return true
            }
            #expect(pauses > 90)
        }
    }

    @Test func aReaderMayStop() {
        let source = SourceBytes(Array(String(repeating: "<p a>x", count: 5_000).utf8))
        for isAhead in [false, true] {
            for last in [1, 2, 7] {
                let windows = TreeWindows(source, SyntaxOptions(), leastNodes: 100) { _, _, _ in true }
                var log = DiagnosticLog()
                var read = 0
                windows.forEach(isAhead: isAhead, log: &log) { _ in
                    read += 1
                    return read < last
                }
                #expect(read == last)
            }
        }
    }

    /// Not all parts of so large a table are kept before it is known to be data.
    @Test func aLargeTableIsData() throws {
        let rows = (0..<2_500).map { "<tr><td>row \($0)<td>\(7 * $0)" }.joined()
        let text = try #require(Self.text("<table>\(rows)</table><p>end", TextOptions(), leastNodes: 1 << 14))
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2_501)
        #expect(lines.first == "row 0     0")
        #expect(lines[2_499] == "row 2499  17493")
    }

    /// An element that is opened anew where another one was open is asked for what it holds.
    @Test func aPauseComesNotWithinWhatIsReadAhead() {
        for tag in ["sup", "del", "sub"] {
            Self.check(String(repeating: "<p>x<i>y</i><b>z</b></p><\(tag)>1<i>0</i><b>0</b></\(tag)>", count: 30))
        }
    }
}
