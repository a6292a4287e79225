// Trees of whole pages as browsers build them, and of XML.

import FancyTextTestSupport
import Testing

@testable import FancyTextBasics
@testable import FancyTextMarkup

@Suite struct PageTreeTests {
    private static func page(_ source: String) -> String {
        let tree = parse(source) {
            $0.isAlwaysDocument = true
            $0.isScripting = true
        }
        return String(decoding: tree.html(tree.root, outer: true), as: UTF8.self)
    }

    private static func page(head: String, _ body: String = "<body></body>") -> String {
        "<html><head>\(head)</head>\(body)</html>"
    }

    @Test(arguments: [
        ("<head></head><title>x</title><body>", page(head: "<title>x</title>")),
        (
            "<head><meta></head><title>x</title><style>y</style>z",
            page(head: "<meta><title>x</title><style>y</style>", "<body>z</body>")
        ),
        (
            "<head></head> <title>x</title><!--c--><link>",
            page(head: "<title>x</title><link>", " <!--c--><body></body>")
        ),
        (
            "<head><script></script></head>\n<script>1</script>\n<p>",
            page(head: "<script></script><script>1</script>", "\n\n<body><p></p></body>")
        ),
        (
            "<frameset><frame src=a><noframes>x</noframes></frameset></html>",
            page(head: "", "<frameset><frame src=\"a\"><noframes>x</noframes></frameset>")
        ),
        (
            "<title>t</title><frameset> <frameset></frameset>x<p></frameset>y",
            page(head: "<title>t</title>", "<frameset> <frameset></frameset></frameset>")
        ),
        ("<noscript><p>x</noscript>", page(head: "<noscript><p>x</noscript>")),
        ("<body><noscript><b></noscript>y", page(head: "", "<body><noscript><b></noscript>y</body>")),
        (
            "<svg viewBox='0 0 1 1'><linearGradient><b>x",
            page(head: "", "<body><svg viewBox=\"0 0 1 1\"><linearGradient></linearGradient></svg><b>x</b></body>")
        ),
    ])
    func pagesAreThoseOfBrowsers(source: String, expected: String) { #expect(Self.page(source) == expected) }

    @Test(arguments: ["<pre>&#10;x</pre>", "<pre>&#xA;x</pre>", "<pre>&NewLine;x</pre>", "<pre>\nx</pre>"])
    func aLineFeedThatBeginsAPreIsDropped(source: String) {
        let tree = parse(source)
        #expect(String(decoding: tree.textContent(tree.root), as: UTF8.self) == "x")
    }

    @Test func outputDeclaresItsEncoding() {
        func declared(_ source: String) -> String {
            let tree = parse(source)
            return String(decoding: tree.html(tree.root, outer: false, declaresEncoding: true), as: UTF8.self)
        }
        #expect(declared("<meta charset=iso-8859-1>é") == "<meta charset=\"utf-8\">é")
        #expect(
            declared("<meta http-equiv=Content-Type content='text/html; charset=big5'>")
                == "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=utf-8\">")
        #expect(declared("<!doctype html><p>&eacute;").contains("<head><meta charset=\"utf-8\"></head>"))
        #expect(!declared("<!doctype html><p>e").contains("charset"))
    }

    @Test(
        arguments: [
            ("big5", [0x41, 0xA4, 0xA4], "A中"), ("gbk", [0xD6, 0xD0, 0xA3, 0xA0], "中\u{3000}"),
            // The euro sign of Windows, but not the end of another character.
            ("gbk", [0x80, 0x81, 0x80, 0x41, 0x80], "€亐A€"),
            ("shift_jis", [0x93, 0xFA, 0x41, 0x81], "日A\u{FFFD}"), ("iso-8859-16", [0x41, 0xA1, 0xFF], "AĄÿ"),
        ] as [(String, [UInt8], String)])
    func oldEncodingsAreDecoded(label: String, bytes: [UInt8], expected: String) {
        var log = DiagnosticLog()
        let decoded = InputEncoding.decode(SourceBytes(bytes), label: label, sourceName: "", log: &log)
        #expect(String(decoding: decoded.buffer, as: UTF8.self) == expected)
    }

    @Test func xmlIsReadAsItStands() {
        let source = """
            <?xml version="1.0"?><rss><Item a="1"/><link>u</link><p><p>x</p></p><title><![CDATA[<b>&amp;]]></title></rss>
            """
        let tree = parse(source) { $0.isXML = true }
        let json = tree.json(tree.root)
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.contains(#""name":"Item","attributes":{"a":"1"},"children":[]"#))
        #expect(text.contains(#""name":"link","attributes":{},"children":[{"type":"text","value":"u"}]"#))
        #expect(text.contains(#""value":"<b>&amp;""#))
        #expect(String(decoding: tree.html(tree.root, outer: true), as: UTF8.self).contains("<p><p>x</p></p>"))
        #expect(parse("<a><b></a>", { $0.isXML = true }).count == 3)
        var edited = parse("<Item><Name/></Item>") { $0.isXML = true }
        edited.rename(NodeID(index: 1), to: "entry")
        #expect([1, 2].map { edited.name(NodeID(index: $0)) } == ["entry", "Name"])
    }

    @Test(arguments: [
        ("<a><b></a>", "1:7: </a> before the end of <b>"), ("<a>\n<B></a>", "2:4: </a> before the end of <B>"),
        ("<a></b></a>", "1:4: </b> without a start tag"), ("<a><b/>", "1:1: <a> is not closed"),
        ("<a><b/><c>x</c></a>", nil),
    ])
    func errorsOfXMLHaveTheirPlaces(_ source: String, _ message: String?) {
        var log = DiagnosticLog()
        var options = SyntaxOptions()
        options.isXML = true
        _ = MarkupTree.parse(Array(source.utf8), options: options, log: &log)
        #expect(log.first.map { "\($0.location?.line ?? 0):\($0.location?.column ?? 0): \($0.message)" } == message)
    }

    @Test func errorsOfDerivedTextHaveTheirPlacesInItsOrigin() {
        var log = DiagnosticLog()
        var options = SyntaxOptions()
        options.origin = DerivedText(from: Array("1\n2\n345".utf8), name: "a.md") { $0 + 3 }
        _ = MarkupTree.parse(Array("a <!-- b".utf8), options: options, log: &log)
        let place = log.first?.location
        #expect([place?.source, place.map { "\($0.line):\($0.column)" }] == ["a.md", "3:2"])
    }

    @Test func prettyHTMLHasALineForEachBlock() {
        let tree = parse("<div><p>a  <b>b</b>\n c</p><ul><li>x<li><pre> y\n z</pre></ul>t <i>u</i></div>")
        let text = String(decoding: tree.prettyHTML(NodeID(1), outer: true), as: UTF8.self)
        #expect(
            text == """
                <div>
                  <p>a <b>b</b> c</p>
                  <ul>
                    <li>x</li>
                    <li>
                      <pre> y
                 z</pre>
                    </li>
                  </ul>
                  t <i>u</i>
                </div>
                """)
    }
}
