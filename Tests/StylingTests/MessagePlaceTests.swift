// Messages about CSS in documents: their positions, and the cost of finding them.

import FancyTextTestSupport
import Testing

@testable import FancyTextBasics
@testable import FancyTextMarkup
@testable import FancyTextStyling

@Suite struct MessagePlaceTests {
    private func messages(_ html: String) -> [Diagnostic] {
        var log = DiagnosticLog()
        _ = MarkupStyleResolver(options: StyleOptions()).resolve(MarkupTree.parse(html), log: &log)
        return log.entries
    }

    private func places(_ html: String) -> [String] {
        messages(html).map { "\($0.location?.line ?? 0):\($0.location?.column ?? 0)" }
    }

    @Test func messagesAboutStyleElementsNameTheDocumentsPlace() {
        #expect(places("<p>x\r\n<style>\r\na{colr:red}\n é{}b{color:-x}</style>") == ["3:3", "4:7"])
    }

    @Test(arguments: ["media=foo", "type=text/less"])
    func styleElementsWithoutEffectAreReported(_ attribute: String) {
        #expect(
            places("<p>\n<style \(attribute)>a{}</style><style media='print,screen' type=TEXT/CSS></style>") == ["2:1"])
    }

    @Test func messagesAboutStyleAttributesNameTheDocumentsPlace() {
        #expect(places("<p>\n<b style='color:red;&#99;olr:red'><i style='color: -x'>") == ["2:21", "2:45"])
    }

    @Test func whatIsNotInTheSourceIsNamedByItsElement() {
        var tree = MarkupTree.parse("<p>\n<b>x</b>")
        tree.setAttribute(tree.first("b"), "style", "colr:red")
        var log = DiagnosticLog()
        _ = MarkupStyleResolver(options: StyleOptions()).resolve(tree, log: &log)
        #expect(log.entries.map { $0.location?.line } == [2])
        #expect(log.entries.first?.excerpt?.text == "colr:red")
    }

    @Test(arguments: [
        ("margin: ", "'margin' has no value"), ("margin: a b", "invalid value for 'margin': a b"),
        // 60 characters, and one more.
        (
            "margin: " + String(repeating: "x", count: 60),
            "invalid value for 'margin': " + String(repeating: "x", count: 60)
        ),
        (
            "margin: " + String(repeating: "x", count: 61),
            "invalid value for 'margin': " + String(repeating: "x", count: 59) + "…"
        ),
        (
            "margin: " + String(repeating: "é", count: 60),
            "invalid value for 'margin': " + String(repeating: "é", count: 60)
        ),
        (
            "margin: " + String(repeating: "e\u{301}", count: 61),
            "invalid value for 'margin': " + String(repeating: "e\u{301}", count: 59) + "…"
        ),
        // An accent joins the last letter.
        (
            "margin: " + String(repeating: "x", count: 60) + "\u{301}",
            "invalid value for 'margin': " + String(repeating: "x", count: 60) + "\u{301}"
        ),
        ("width=1px", "expected a declaration: ignored; a colon is between name and value"),
        ("colr: red", "unknown property 'colr'; did you mean 'color'?"),
        ("hyphenate: auto", "unknown property 'hyphenate'; did you mean 'hyphens'?"),
        ("gap: 10", "invalid value for 'gap': 10; did you mean '10px'?"),
        ("rotate: 45", "invalid value for 'rotate': 45; did you mean '45deg'?"),
        ("line-height: 20 px", "invalid value for 'line-height': 20 px; did you mean '20px'?"),
        ("width: calc(100%-20px)", "invalid value for 'width': calc(100%-20px); did you mean 'calc(100% - 20px)'?"),
        ("-x-y: 1", "'-x-y' is not supported: ignored"), ("MSO-level: 1", "'MSO-level' is not supported: ignored"),
        ("ms: 1", "unknown property 'ms'"), ("m\\73o-level: 1", "'mso-level' is not supported: ignored"),
    ])
    func messagesQuoteWhatIsWrong(declaration: String, message: String) {
        #expect(messages("<style>a{\(declaration)}</style>").map(\.message) == [message])
    }

    /// What is not closed contains all after it.
    @Test(arguments: [
        ("b{color:red} /* i{color:red}", "1:14 the comment is not closed"),
        ("b{} /* a */ /* i{}", "1:13 the comment is not closed"), ("b{} /* a */", ""), ("b{}/**/", ""),
        ("b{} /*/ i{}", "1:5 the comment is not closed"),
        ("@media screen {\n b{}", "1:15 the block is not closed"), ("b{color:red", "1:2 the block is not closed"),
        ("@import 'a.css", "1:9 the string is not closed"), ("@import url(a.css", "1:9 the URL is not closed"),
    ])
    func whatASheetDoesNotCloseIsReported(css: String, expected: String) {
        var log = DiagnosticLog()
        var options = StyleOptions()
        options.sheets = [StyleOptions.Sheet(name: "a", text: css)]
        _ = MarkupStyleResolver(options: options).resolve(MarkupTree.parse("<b>x"), log: &log)
        let found = log.filter { $0.message.hasSuffix("not closed") }.map {
            "\($0.location?.line ?? 0):\($0.location?.column ?? 0) \($0.message)"
        }
        #expect(found.joined() == expected)
    }

    @Test func invalidBytesOfASheetAreReported() {
        var (options, log) = (StyleOptions(), DiagnosticLog())
        options.sheets = [
            StyleOptions.Sheet(name: "a", text: Array("b{}\ni{color:red}/*".utf8) + [0xE9, 0x2A, 0x2F], origin: .code)
        ]
        _ = MarkupStyleResolver(options: options).resolve(MarkupTree.parse("<b>x"), log: &log)
        #expect(log.map { "\($0.code) \($0.location?.line ?? 0):\($0.location?.column ?? 0)" } == ["invalidUTF8 2:15"])
    }

    @Test(arguments: [
        ("-ms-flexbox", Diagnostic.Severity.note), ("-webkit-box-x", .note), ("-KHTML-auto", .note),
        ("-x-flex", .warning),
        ("ms-flexbox", .warning), ("-m", .warning), ("-\\6ds-grid", .note),
    ])
    func valuesOfOneBrowserAreNotes(value: String, severity: Diagnostic.Severity) {
        #expect(messages("<style>a{display:\(value)}</style>").map(\.severity) == [severity])
    }

    /// Linear growth takes 10 times as long; reading the text from its start for every message would take 100 times as long.
    @Test func tenTimesTheMessagesTakeAboutTenTimesAsLong() throws {
        func duration(_ count: Int) throws -> Duration {
            let rule = "a{display:-x;/*" + String(repeating: "é", count: 400) + "*/}\n"
            let page = "<style>\r" + String(repeating: rule, count: count) + "</style>"
            return try (0..<2).map { _ in
                try processorTime {
                    let found = messages(page)
                    try #require(found.count == count)
                    #expect(Set(found.compactMap(\.location?.line)).count == count)
                }
            }.min() ?? .zero
        }
        #expect(try duration(1000) < duration(100) * 35)
    }
}

extension MarkupTree {
    fileprivate func first(_ name: String) -> NodeID { subtree(root).first { self.name($0) == name } ?? root }
}
