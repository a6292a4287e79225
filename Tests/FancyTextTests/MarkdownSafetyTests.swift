// Markdown of untrusted documents, parsed again by cmark-gfm with everything allowed, has the document's text and no elements
// that the document lacks.

import CFancyTextMarkdown
import FancyTextBoxes
import FancyTextMarkup
import Testing

@testable import FancyText

@Suite(.enabled(if: cmarkdown_load() != 0, "no cmark-gfm")) struct MarkdownSafetyTests {
    /// The syntax that GitHub's readers take for markup in text.
    private static let tags = [
        "&lt;img src=x onerror=alert(1)&gt;", "&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;svg/onload=alert(1)&gt;",
        "&lt;/p&gt;&lt;iframe src=//x&gt;", "&lt;!-- c --&gt;", "&lt;![CDATA[x]]&gt;", "&lt;?php x ?&gt;",
        "&lt;!DOCTYPE html&gt;", "&lt;javascript:alert(1)&gt;", "&lt;a@b.c&gt;", "&lt;https://e.x&gt;",
        "&lt; img src=x&gt;",
        "&amp;lt;img src=x&amp;gt;", "&#60;img src=x&#62;", "&lt;&#x202A;img src=x&gt;",
        "&lt;&#x81;img src=x onerror=a&gt;",
        "<b>&lt;</b>img src=x&gt;", "&lt;<i>img</i> src=x&gt;", "&lt;details open ontoggle=alert(1)&gt;",
        "\\&lt;img src=x&gt;", "\\\\&lt;img src=x&gt;", "`&lt;img src=x&gt;", "[a](javascript:alert(1))", "![a](x)",
        "[a]: javascript:alert(1)", "[^1]: note", "**a** __b__ ~~c~~ *d*", "| a | b |<br>|---|---|<br>| c | d |",
        "a|b<br>-|-<br>c|d", "a|b<br>:-|-:", "Title<br>===", "Title<br>---", "# a", "- a", "+ a", "1. a", "&gt; a",
        "```<br>x",
        "~~~<br>x", "---", "***", "___", "- [x] a", "&lt;div&gt;<br>&lt;img src=x&gt;<br>&lt;/div&gt;",
    ]
    private static let links = [
        "www.&lt;img src=x onerror=alert(1)&gt;", "WWW.&lt;img src=x onerror=alert(1)&gt;", "www.a.b/&lt;img src=x&gt;",
        "(www.a.b/*x*_y_)", "http://&lt;img src=x onerror=alert(1)&gt;",
        "https://a.b/&lt;script&gt;alert(1)&lt;/script&gt;",
        "ftp://a.b/&lt;img src=x&gt;", "http://a.b/`&lt;img src=x&gt;`", "https://a.b/a_b_c&amp;lt;img&gt;",
        "http<b>://a.b</b>/x",
        "a@b.c&lt;img src=x&gt;", "mailto:a@b.c&lt;img src=x&gt;", "xmpp:a@b.c/&lt;img src=x&gt;", "a_b@c.d*e*",
        "www.a.b[x](javascript:alert(1))", "www.a.b&amp;quot;&lt;img src=x&gt;", "&lt;www.a.b onclick=x&gt;",
    ]
    private static let attributes = [
        "<img src=x alt='&lt;img src=y onerror=alert(1)&gt;'>", "<img src=x alt='](y) ![z](javascript:a)'>",
        "<img src='x\" onerror=alert(1)' alt=a>", "<img src='&lt;img src=y onerror=alert(1)&gt;' alt=a>",
        "<img src='javascript:alert(1)' alt=a>", "<img src='java&#10;script:alert(1)' alt=a>",
        "<img src='a b(c)|d`e`' alt=a>",
        "<img src=x alt='a&#10;&#10;&lt;img src=y&gt;'>",
        "<a href='x' title='&quot;&gt;&lt;img src=x onerror=a&gt;'>a</a>",
        "<a href=x title='a&#10;&#10;&lt;script&gt;alert(1)&lt;/script&gt;'>a</a>",
        "<a href='&lt;img src=x onerror=a&gt;'>a</a>",
        "<a href='x)&lt;img src=x onerror=a&gt;('>a</a>", "<a href=' &#1;javascript:alert(1)'>a</a>",
        "<a href='java&#9;script:alert(1)'>a</a>", "<a href='&#x202E;javascript:alert(1)'>a</a>",
        "<a href='&#x81;javascript:alert(1)'>a</a>", "<a href='vbscript:x'>a</a>", "<a href='data:text/html,x'>a</a>",
        "<a href=x>&lt;img src=y&gt;</a>", "<a href=x>www.&lt;img src=y&gt;</a>", "<a href=x>a](y) [b</a>",
        "!<a href=x>a</a>",
        "<a href=x>a</a>[y]", "<svg><title>&lt;img src=x&gt; [a](b)</title></svg>",
        "<button>&lt;img src=x&gt;</button> <input type=submit value='&lt;img src=x&gt;'>",
        "<img src=x alt='a\\'>", "<a href='x\\'>a</a>", "<a href=x title='a\\'>a</a>",
    ]
    private static let blocks = [
        "<pre>&lt;img src=x&gt;\n```\n&lt;script&gt;alert(1)&lt;/script&gt;</pre>",
        "<pre>~~~\n````\n&lt;img src=x&gt;</pre>",
        "<pre><code class='language-&quot;&gt;&lt;img/src=x&gt;'>a</code></pre>",
        "<pre class='lang-a&#10;```'>a\n&lt;img src=x&gt;</pre>",
        "<p><code>&lt;img src=x&gt;</code> <code>`&lt;img src=x&gt;``</code> <code>www.&lt;img src=x&gt;</code>",
        "<table><tr><th>&lt;img src=x&gt;<th>a|b<tr><td>www.&lt;img src=x&gt;|<td><code>`|`\\|&lt;img src=x&gt;</code></table>",
        "<table><caption>- &lt;img src=x&gt;</caption><tr><th>a<th>b<tr><td>c<td><img src=x alt='a|b'></table>",
        "<h1>&lt;img src=x&gt; www.&lt;img src=x&gt; #</h1>",
        "<ul><li>&lt;img src=x&gt;<li>www.&lt;img src=x&gt;<li># a</ul>",
        "<blockquote>&gt; &lt;img src=x&gt;<br># a</blockquote>", "<svg style='display:block'><title># a</title></svg>",
        "<dl><dt>[a]: x<dd>www.&lt;img src=x&gt;</dl>", "<p>a<p>    b<p>&#9;c<p>&nbsp;&nbsp;&nbsp;&nbsp;d",
        "<p><u>&lt;img src=x&gt;</u><br>a", "<p><mark></mark><br><sub>&lt;!--</sub> &lt;img src=x&gt; --&gt;",
    ]

    private static let same = [
        "b": "strong", "i": "em", "s": "del", "th": "td", "thead": "tr", "tbody": "tr", "samp": "code", "tt": "code",
        "pre": "code", "dl": "ul", "dt": "strong",
        "dd": "li", "caption": "p", "div": "p",
    ]

    private func elements(_ html: String) -> (names: Set<String>, scripts: [String]) {
        let tree = MarkupParser().parse(html).tree
        var names: Set<String> = ["p", "br"]
        var scripts: [String] = []
        for index in 0..<tree.count where tree.kind(NodeID(index: UInt32(index))) == .element {
            let node = NodeID(index: UInt32(index))
            names.insert(Self.same[tree.name(node)] ?? tree.name(node))
            for (name, value) in tree.attributes(node) {
                if name.hasPrefix("on") || ["href", "src"].contains(name) && LinkDestination(value).isScript {
                    scripts.append("\(name)=\(value)")
                }
            }
        }
        return (names, scripts)
    }

    private func words(_ html: String) -> String {
        var text = MarkupParser().parse(html).plainText()
        for sign in ["•", "- "] { text = text.replacing(sign, with: " ") }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func check(_ html: String) throws {
        var document = MarkupParser().parse(html)
        let markdown = document.markdown()
        var back = String(decoding: try MarkdownReader.html(Array(markdown.utf8)), as: UTF8.self)
        // Readers turn every bare mail address into a link; it contains only the address.
        back.replace(/<a href="mailto:[^"]*">([^<]*)<\/a>/) { String($0.output.1) }
        let found = elements(back)
        let extra = found.names.subtracting(elements(html).names)
        #expect(extra.isEmpty, "\(extra): \(html)\n\(markdown)\n\(back)")
        #expect(found.scripts.isEmpty, "\(found.scripts): \(html)\n\(markdown)")
        let controls = markdown.unicodeScalars.filter {
            $0.value < 0x20 && $0 != "\n" || (0x7F..<0xA0).contains($0.value) || (0x202A...0x202E).contains($0.value)
                || (0x2066...0x2069).contains($0.value)
        }
        #expect(controls.isEmpty)
    }

    @Test(arguments: tags + links)
    func textStaysText(_ payload: String) throws {
        for around in [
            ("<p>", "</p>"), ("<ul><li>", "</ul>"), ("<table><tr><th>a<th>b<tr><td>c<td>", "</table>"),
            ("<h2>", "</h2>"),
        ] {
            try check(around.0 + payload + around.1)
        }
        var document = MarkupParser().parse("<p>a \(payload)</p>")
        let back = String(decoding: try MarkdownReader.html(Array(document.markdown().utf8)), as: UTF8.self)
        #expect(words(back) == words("<p>a \(payload)</p>"))
    }

    @Test(arguments: attributes)
    func attributesStayAttributes(_ payload: String) throws {
        for around in [("<p>", "</p>"), ("<table><tr><th>a<th>b<tr><td>c<td>", "</table>"), ("<h2>a ", "</h2>")] {
            try check(around.0 + payload + around.1)
        }
    }

    @Test(arguments: blocks)
    func blocksStayBlocks(_ payload: String) throws { try check(payload) }
}
