import FancyTextTestSupport
import Testing

@testable import FancyTextBasics
@testable import FancyTextMarkup

@Suite struct NormalizerTests {
    @Test(arguments: [
        ("<a>Li<b>nk</a>Bold</b>", "<a>Li<b>nk</b></a><b>Bold</b>"),
        ("<b>1<i>2<u>3</b>4</i>5</u>", "<b>1<i>2<u>3</u></i></b><i><u>4</u></i><u>5</u>"),
        ("cc<a>te<b>ss<c>sas</b>fat</a>essv</c>", "cc<a>te<b>ss<c>sas</c></b><c>fat</c></a><c>essv</c>"),
        ("<Hot><a>x<b rel=\"z\">y</a>z</b>", "&lt;Hot&gt;<a>x<b rel=\"z\">y</b></a><b rel=\"z\">z</b>"),
        ("<p>1<b>2<p>3</p>4", "<p>1<b>2</b></p><p><b>3</b></p><b>4</b>"),
        ("<a href=1>x<a href=2>y", "<a href=\"1\">x</a><a href=\"2\">y</a>"),
        ("<dl><dt>a<dd>b<dt>c</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>"),
        (
            "<table><tr><td>1<td>2<tr><td>3</table>",
            "<table><tbody><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></tbody></table>"
        ),
        ("<table>x<tr><td>y</table>", "x<table><tbody><tr><td>y</td></tr></tbody></table>"),
        ("<table><b>x<tr><td>y</table>z", "<b>x</b><table><tbody><tr><td>y</td></tr></tbody></table><b>z</b>"),
        ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"), ("a</i>b", "ab"), ("<br/>x<BR>", "<br>x<br>"),
        ("<x-y>a</x-y><x-y>b", "<x-y>a</x-y>&lt;x-y&gt;b"), ("I saw a <ufo> today", "I saw a &lt;ufo&gt; today"),
        ("<form><em>x</form>y</em>z", "<form><em>xy</em></form>z"),
        ("<form><div>x</form>y</div>z<form>w", "<form><div>xy</div></form>z<form>w</form>"),
        ("<pre>\nx</pre><pre><ul>\nx</ul></pre>", "<pre>x</pre><pre><ul>\nx</ul></pre>"),
        (
            "<font><strike><form><code></form><big><details></font>x",
            "<font><strike><form><code><big></big></code></form></strike></font>"
                + "<strike><code><big><details><font></font>x</details></big></code></strike>"
        ),
        ("<svg><path/><text>a</text></svg>b", "<svg><path></path><text>a</text></svg>b"),
    ])
    func repairs(source: String, repaired: String) { #expect(html(source) == repaired) }

    @Test(arguments: [
        ("Buy <Big Sale> today", "Buy &lt;Big Sale&gt; today"), ("<Congratulation!>x", "&lt;Congratulation!&gt;x"),
        ("a <Big\n Sale  Now > b", "a &lt;Big\n Sale  Now &gt; b"), ("a <X y y='>'> b", "a &lt;X y y='&gt;'&gt; b"),
        ("<zhg/>a", "<zhg></zhg>a"), ("<zhg x=1/>a", "<zhg x=\"1/\"></zhg>a"), ("<zhg/>a</zhg>b", "<zhg></zhg>ab"),
        ("<zz x=1>a<b>c</b>", "<zz x=\"1\"></zz>a<b>c</b>"), ("<zz x=''>a", "<zz x=\"\"></zz>a"),
        ("<p>a<zz x=1>b</p>c", "<p>a<zz x=\"1\"></zz>b</p>c"), ("<p>a<Big Sale>b</p>c", "<p>a&lt;Big Sale&gt;b</p>c"),
        ("<p>a<zz x=1>b</p>c</zz>d", "<p>a<zz x=\"1\">b</zz></p><zz x=\"1\">c</zz>d"),
        ("<p>a<zz>b</p>c</zz>d", "<p>a<zz>b</zz></p><zz>c</zz>d"),
        ("<big sale>a", "<big sale=\"\">a</big>"), ("<BIG SALE>a", "<big sale=\"\">a</big>"),
        ("<b hidden>a", "<b hidden=\"\">a</b>"), ("<b data-x>a", "<b data-x=\"\">a</b>"),
        ("<B Movie>a<b>c</b>", "&lt;B Movie&gt;a<b>c</b>"),
        ("<A Team><p>a<a href=u>b</a>", "&lt;A Team&gt;<p>a<a href=\"u\">b</a></p>"),
        ("<Big Sale>a</Big>b", "<big sale=\"\">a</big>b"), ("<x>a<x>b</x>c", "&lt;x&gt;a<x>b</x>c"),
        ("<x><y>a</x>b", "<x>&lt;y&gt;a</x>b"), ("<x><y z=1>a</x>b", "<x><y z=\"1\"></y>a</x>b"),
        ("<b><x>a</b>c", "<b>&lt;x&gt;a</b>c"), ("<x y=1><p>a</x>b", "<x y=\"1\"></x><p><x y=\"1\">a</x>b</p>"),
        ("<table><zz x=1><tr><td>a</table>b", "<zz x=\"1\"></zz><table><tbody><tr><td>a</td></tr></tbody></table>b"),
        ("<x><x><x><x><x>a</x></x></x></x>b", "&lt;x&gt;<x><x><x><x>a</x></x></x></x>b"),
    ])
    func unknownTagsThatNothingClosesHoldNothing(source: String, repaired: String) {
        #expect(html(source) == repaired)
        #expect(html(repaired) == repaired)
    }

    @Test(arguments: [
        (
            "<head><title/></head><p><a id='x'/>a<span/>b</p><div/><br/>c",
            "<p><a id=\"x\"></a>a<span></span>b</p><div></div><br>c"
        ),
        ("<body><script src='x'/><textarea/>a", "<script src=\"x\"></script><textarea></textarea>a"),
        ("<body>a<![CDATA[<b>&amp;]]>c", "a&lt;b&gt;&amp;amp;c"),
        ("<body><style><![CDATA[ a > b {} ]]></style>", "<style> a > b {} </style>"),
        ("<body><style>a &gt; b {}</style>", "<style>a > b {}</style>"),
        (
            "<body><svg><g/></svg><p/>a<table><td/></table>",
            "<svg><g></g></svg><p></p>a<table><tbody><tr><td></td></tr></tbody></table>"
        ),
        (
            "<body><s:svg xmlns:s='http://www.w3.org/2000/svg'><s:g/></s:svg><o:p xmlns:o='urn:o'/>",
            "<svg xmlns:s=\"http://www.w3.org/2000/svg\"><g></g></svg><o:p xmlns:o=\"urn:o\"></o:p>"
        ),
        (
            "<body xmlns:h='http://www.w3.org/1999/xhtml'><h:style>a</h:style><h:script>b</h:script><h:p>c</h:p>",
            "<style>a</style><script>b</script><p>c</p>"
        ),
    ])
    func xhtmlMayEndAnyElementAtOnce(source: String, repaired: String) throws {
        var options = SyntaxOptions()
        for (name, prolog) in [("page.xhtml", ""), ("<stdin>", "<?xml version='1.0'?>")] {
            options.sourceName = name
            let page = "\(prolog)<html xmlns=\"http://www.w3.org/1999/xhtml\">\(source)"
            let tree = MarkupTree.parse(page, options: options)
            let body = try #require((0..<tree.count).map(NodeID.init).first { tree.name($0) == "body" })
            #expect(tree.innerHTML(body) == repaired)
        }
    }

    /// In an SVG file, an HTML element in the metadata does not end the picture.
    @Test func filesOfPicturesAreXML() {
        let tree = parse("<svg><metadata><meta/></metadata><g/></svg>") { $0.sourceName = "a.svg" }
        #expect(tree.ancestors(NodeID(4)).map(tree.name).contains("svg"))
    }

    @Test func documentsKeepUnknownNames() {
        #expect(
            html("<!doctype html><p>a <Big Sale> <zz x=1>b <zhg/>c</p>")
                == "<!DOCTYPE html><html><head></head><body><p>a <big sale=\"\"> <zz x=\"1\">b <zhg>c</zhg></zz></big></p>"
                + "</body></html>")
    }

    @Test func documentsHaveHtmlHeadAndBody() {
        #expect(
            html("<!doctype html><title>t</title><p>x")
                == "<!DOCTYPE html><html><head><title>t</title></head><body><p>x</p></body></html>")
        #expect(parse("<p>x").isDocument == false)
        #expect(parse("<!-- <body> --><p>x").isDocument == false)
        #expect(parse("<p>x<body a=1>").isDocument)
    }

    @Test func nestingBeyondTheLimitIsFlattenedAndReported() {
        var options = SyntaxOptions()
        options.limits.treeDepth = 20
        options.isUTF8 = true
        var log = DiagnosticLog()
        let source = String(repeating: "<div>", count: 100) + "x" + String(repeating: "</div>", count: 100) + "<p>y</p>"
        let tree = MarkupTree.parse(Array(source.utf8), options: options, log: &log)
        #expect(log.entries.count == 1)
        #expect(String(decoding: tree.textContent(tree.root), as: UTF8.self) == "xy")
        #expect(tree.children(tree.root).map { tree.name($0) } == ["div", "p"])
    }

    /// Rows of empty elements below the depth limit do not grow the tree; elements with attributes or contents are kept.
    @Test func emptyElementsBeyondTheLimitAreKeptOnce() {
        for piece in ["<b>", "<div>", "<template>"] {
            let tree = parse(String(repeating: piece, count: 5_000)) { $0.limits.treeDepth = 50 }
            #expect(tree.count < 200, "\(piece)")
        }
        let tree = parse(String(repeating: "<i>", count: 100) + "<b><b class=k><b>x<b></b>") {
            $0.limits.treeDepth = 20
        }
        #expect((0..<tree.count).count { tree.kind(NodeID($0)) == .element && tree.tag(NodeID($0)) == .b } == 4)
        #expect(String(decoding: tree.textContent(tree.root), as: UTF8.self) == "x")
    }

    @Test func reopenedElementsAreBounded() {
        let fonts = (0..<300).map { "<font size=\($0)>" }.joined()
        let tree = parse(fonts + String(repeating: "<p>x", count: 3000))
        #expect(tree.count < 30_000)
    }

    @Test func treesOfRandomDocumentsAreWellFormed() {
        var generator = SeededGenerator(state: 42)
        for _ in 0..<600 {
            let source = randomDocument(&generator, pieces: 40)
            let tree = parse(source)
            TreeShape.check(tree, source)
        }
    }

    @Test func outerHTMLIsTheSourceUnlessItWasRepaired() {
        let tree = parse("<P Class=x>a</P><p>b")
        #expect(tree.outerHTML(NodeID(1)) == "<P Class=x>a</P>")
        #expect(tree.outerHTML(NodeID(3)) == "<p>b</p>")
    }

    @Test func sourceRangesCoverStartAndEndTags() {
        let tree = parse("ab<i>c</i>")
        #expect(tree.sourceRange(NodeID(2)) == 2..<10)
        #expect(tree.location(NodeID(2)).column == 3)
    }

    @Test func jsonHasTheShapeOfTheSpecification() {
        let tree = parse("<b a=\"1\">x\"</b>")
        let out = tree.json(tree.root)
        #expect(
            String(decoding: out, as: UTF8.self)
                == #"{"type":"root","children":[{"type":"element","name":"b","attributes":{"a":"1"},"children":[{"type":"text","value":"x\""}],"source":{"start":0,"end":15}}]}"#
        )
    }
}

@Suite struct EditTests {
    @Test func textOfAnElementIsReplaced() {
        var tree = parse("<div><p id=t>a<b>c</b></p><p>z</p></div>")
        let copy = tree
        tree.setText(tree.nodes(withID: "t")[0], "<new>")
        #expect(
            String(decoding: tree.html(tree.root, outer: true), as: UTF8.self)
                == "<div><p id=\"t\">&lt;new&gt;</p><p>z</p></div>")
        #expect(
            String(decoding: copy.html(copy.root, outer: true), as: UTF8.self)
                == "<div><p id=\"t\">a<b>c</b></p><p>z</p></div>")
        TreeShape.check(tree, "setText")
    }

    @Test func htmlIsReplacedAppendedAndRemoved() {
        var tree = parse("<ul id=l><li>1</ul><p>x")
        tree.append("<li>2<li><b class='y'>3</b>", to: tree.nodes(withID: "l")[0])
        TreeShape.check(tree, "append")
        #expect(String(decoding: tree.textContent(tree.root), as: UTF8.self) == "123x")
        tree.setInnerHTML(tree.nodes(withClass: "y")[0], "<i>4</i>5")
        TreeShape.check(tree, "setInnerHTML")
        #expect(String(decoding: tree.textContent(tree.root), as: UTF8.self) == "1245x")
        tree.remove(tree.nodes(withID: "l")[0])
        TreeShape.check(tree, "remove")
        #expect(tree.outerHTML(tree.root) == "<p>x</p>")
    }

    @Test func attributesAndClassesAreSetAndLookedUp() {
        var tree = parse("<p class='a'>x")
        tree.addClass(NodeID(1), "b")
        tree.addClass(NodeID(1), "a")
        tree.setAttribute(NodeID(1), "Data-X", "1")
        #expect(tree.attributes(NodeID(1)).map(\.name) == ["class", "data-x"])
        #expect(tree.attribute(NodeID(1), .classNames) == "a b")
        #expect(tree.nodes(withClass: "b") == [NodeID(1)])
        tree.setAttribute(NodeID(1), "class", nil)
        #expect(tree.nodes(withClass: "b").isEmpty)
    }
}

@Suite struct EncodingTests {
    func decode(_ bytes: [UInt8], _ label: String? = nil) -> String {
        var log = DiagnosticLog()
        let decoded = InputEncoding.decode(SourceBytes(bytes), label: label, sourceName: "t", log: &log)
        return String(decoding: decoded.buffer, as: UTF8.self)
    }

    @Test func byteOrderMarksDecide() {
        #expect(decode([0xEF, 0xBB, 0xBF, 0x61]) == "a")
        #expect(decode([0xFF, 0xFE, 0x61, 0]) == "a")
        #expect(decode([0xFE, 0xFF, 0, 0x61], "windows-1252") == "a")
    }

    @Test func invalidUTF8IsReadAsWindows1252() { #expect(decode([0x61, 0x80, 0xE9]) == "a€é") }

    @Test func metaIsFollowed() {
        #expect(decode(Array("<meta charset=iso-8859-1>".utf8) + [0xE9]) == "<meta charset=iso-8859-1>é")
        #expect(
            decode(Array("<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>".utf8) + [0xC1]).hasSuffix(
                "а"))
        #expect(decode(Array("<!-- <meta charset=koi8-r> -->".utf8) + [0xE9]).hasSuffix("é"))
    }

    /// Each declares ISO 8859-2, or has an ignored declaration; then the byte B9 follows.
    @Test(arguments: [
        ("<html><head><script>#</script><meta charset=l2>", "š"), ("<!--#--><meta charset=l2>", "š"),
        ("<p>#<meta charset=l2>", "¹"), ("<head></head>#<meta charset=l2>", "¹"), ("<p>x<meta charset=l2>", "š"),
        ("<meta charset=what><meta charset=l2>", "š"), ("<meta content='text/html; charset=l2'>", "¹"),
        ("<meta http-equiv=content-type content='charsetx charset = \"l2\"'>", "š"),
        ("<meta http-equiv=content-type content='charset=\"l2'>", "¹"),
        ("<?xml version='1.0' encoding='l2'?><p>", "š"), ("<?xml encoding='l2'?><meta charset=koi8-r>", "╧"),
    ])
    func declarationsAreSoughtInTheHead(source: String, last: String) {
        let padded = source.replacing("#", with: String(repeating: "x", count: 1200))
        #expect(decode(Array(padded.utf8) + [0xB9]).hasSuffix(last))
    }

    /// Bytes are checked in blocks of up to 64.
    @Test func invalidUTF8IsSeenAnywhere() {
        for before in 0..<200 {
            for (character, isValid) in [
                ([0xC3, 0xA9], true), ([0xE4, 0xB8, 0xAD], true), ([0xF0, 0x9F, 0x98, 0x80], true), ([0xFF], false),
                ([0xC3], false), ([0xE4, 0xB8, 0x41], false), ([0xED, 0xA0, 0x80], false), ([0xC3, 0xA9, 0x80], false),
            ] as [([UInt8], Bool)] {
                for behind in [0, 1, 70] {
                    let left = [UInt8](repeating: 0x61, count: before)
                    let bytes = left + character + [UInt8](repeating: 0x61, count: behind)
                    let found = bytes.withUnsafeBufferPointer { InputEncoding.firstInvalidUTF8($0) }
                    #expect((found == nil) == isValid)
                    if let found { #expect(found == before + (character.last == 0x80 && character[0] == 0xC3 ? 2 : 0)) }
                }
            }
        }
    }

    @Test(arguments: [
        ("shift_jis", [0x82, 0xA0] as [UInt8], "あ"), ("euc-kr", [0xB0, 0xA1], "가"), ("big5", [0xA4, 0xA4], "中"),
        ("gbk", [0xD6, 0xD0], "中"), ("windows-1251", [0xC0], "А"),
    ])
    func legacyEncodings(label: String, bytes: [UInt8], text: String) { #expect(decode(bytes, label) == text) }

    @Test func declaredUTF8WithInvalidBytesGivesReplacementCharacters() {
        #expect(decode([0x61, 0xFF, 0x62], "utf-8") == "a\u{FFFD}b")
    }

    @Test func anInlineSVGBecomesADocumentOfItsOwn() {
        let tree = MarkupTree.parse(
            "<p><svg viewbox=\"0 0 1 1\" width=5 onclick a:b=c><LINEARGRADIENT GradientUnits=x /><text>a&nbsp;&lt;</text></svg>"
        )
        let svg = (0..<tree.count).map { NodeID($0) }.first { tree.tag($0) == .svg }!
        let file = tree.standaloneSVG(svg) { node in
            var style = PictureElementStyle()
            if node == svg { style.add("color", "#0000ffff") }
            return style
        }
        #expect(
            String(decoding: file, as: UTF8.self)
                == "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 1 1\" "
                + "width=\"5\" onclick=\"\" style=\"color:#0000ffff;\"><linearGradient gradientUnits=\"x\"></linearGradient>"
                + "<text>a\u{A0}&lt;</text></svg>")
    }
}

@Suite struct EditedTextTests {
    /// Text beyond the bytes that nodes can address is not added, and the tree reports it.
    @Test func editsBeyondTheAddressableBytesAreNotMade() {
        var tree = MarkupTree.parse("<p id=a>one</p><p>two</p>")
        let (paragraph, text) = (NodeID(1), NodeID(2))
        tree.setText(paragraph, "first")
        tree.storage.mostEdited = 20
        #expect(!tree.isOverfull)
        tree.setAttribute(paragraph, "title", String(repeating: "x", count: 30))
        #expect(tree.isOverfull && tree.attribute(paragraph, "title") == nil)
        tree.setText(paragraph, String(repeating: "y", count: 30))
        tree.replaceText(text, String(repeating: "z", count: 30))
        #expect(tree.textContent(paragraph) == Array("first".utf8))
        tree.append("<b class=long-name-of-a-class>more text than there is room for</b>", to: paragraph)
        #expect(tree.textContent(paragraph) == Array("first".utf8))
        #expect(String(decoding: tree.html(tree.root, outer: false), as: UTF8.self).contains("<p>two</p>"))
    }

    /// Characters of other encodings may take more bytes in UTF-8: the limit holds after decoding, between two characters.
    @Test(arguments: [("windows-1252", 0xE9, "ééé"), ("windows-1252", 0x80, "€€"), ("utf-8", 0x61, "aaaaaaa")])
    func decodedInputEndsWithTheAddressableBytes(_ encoding: String, _ byte: Int, _ text: String) {
        var options = SyntaxOptions()
        options.encoding = encoding
        var log = DiagnosticLog()
        let bytes = SourceBytes([UInt8](repeating: UInt8(byte), count: 7))
        let read = MarkupTree.readable(bytes, options: options, most: 7, log: &log)
        #expect(withExtendedLifetime(read) { String(validating: $0.buffer, as: UTF8.self) } == text)
        #expect(log.map(\.code) == (encoding == "utf-8" ? [] : [.inputTooLarge]))
    }
}
