import FancyTextWriting
import Testing

@testable import FancyTextCSS
@testable import FancyTextOutputs
@testable import FancyTextWriting

@Suite struct MarkdownWriterTests {
    private func markdown(_ parts: (inout StyledTextBuilder) -> [(String, StyleID)]) -> String {
        var doc = StyledTextBuilder()
        let parts = parts(&doc)
        doc.paragraph(parts)
        return doc.markdown()
    }

    static let texts: [(String, String)] = [
        ("a*b_c`d[e]f<g~h\\", #"a\*b\_c\`d\[e\]f&lt;g\~h\\"#), ("# no heading", "\\# no heading"),
        ("- no item", #"\- no item"#),
        ("-dash", "-dash"), ("12. no item", #"12\. no item"#), ("1.5 is a number", "1.5 is a number"),
        ("> no quote", #"\> no quote"#),
        ("AT&T &amp; co", #"AT&T \&amp; co"#), ("---", #"\---"#),
        ("www.a.b/*c", #"www\.a.b/\*c"#), ("https://a.b/_c", #"https\://a.b/\_c"#), ("a < b <c", "a < b &lt;c"),
        ("a\u{9B}<\u{202E}b", "a&lt;b"), ("-|-", #"\-|-"#), ("a: b.c", "a: b.c"),
    ]
    @Test(arguments: texts)
    func textIsEscapedWhereItWouldBeMarkup(text: String, expected: String) {
        #expect(markdown { _ in [(text, .root)] } == expected + "\n")
    }

    @Test func emphasisStandsOutsideOfSpaces() {
        let result = markdown { doc in
            let bold = doc.style { font, _, _ in font.weight = 700 }
            let italic = doc.style { font, _, _ in font.slant = .italic }
            return [("a", .root), (" b ", bold), ("c ", .root), ("d", italic), (" e", .root)]
        }
        #expect(result == "a **b** c _d_ e\n")
    }

    @Test func emphasisInsideWordsUsesStars() {
        let result = markdown { doc in
            let italic = doc.style { font, _, _ in font.slant = .italic }
            return [("in", .root), ("side", italic), ("word", .root)]
        }
        #expect(result == "in*side*word\n")
    }

    @Test func elementsReplaceDelimitersThatWouldNotBeRead() {
        let result = markdown { doc in
            let bold = doc.style { font, _, _ in font.weight = 700 }
            return [("x", .root), ("(y)", bold), ("z", .root)]
        }
        #expect(result == "x<strong>(y)</strong>z\n")
    }

    @Test func forcedBreaksAreBackslashes() {
        #expect(markdown { _ in [("a\n# b", .root)] } == "a\\\n\\# b\n")
    }

    static let codes: [(String, String)] = [
        ("a`b", "``a`b``"), ("`a", "`` `a ``"), (" a ", "`  a  `"), ("a``b`", "``` a``b` ```"),
    ]
    @Test(arguments: codes)
    func codeFencesAreLongerThanTheirContents(text: String, expected: String) {
        #expect(MarkdownWriter.code(text, inTable: false) == expected)
    }

    static let targets: [(String, String)] = [
        ("a/b?c=d", "a/b?c=d"), ("a b", "a%20b"), ("f(x)", "<f(x)>"), ("<a>b c", "%3Ca%3Eb%20c"), ("", "<>"),
        ("a&b=c&amp", "a&b=c&amp"), ("javascript&#58;x&colon;", "javascript&amp;#58;x&amp;colon;"),
        ("\u{A0}x:y", "%C2%A0x:y"),
    ]
    @Test(arguments: targets)
    func destinationsAreQuotedWhereNeeded(target: String, expected: String) {
        #expect(MarkdownWriter.destination(target) == expected)
    }

    @Test func tablesHaveAHeaderAndEscapedBars() {
        var doc = StyledTextBuilder()
        let right = doc.style { _, text, _ in text.align = .right }
        doc.table { doc, group in
            for row in [["a|b", "n"], ["c", "1"]] {
                doc.box(.tableRow, parent: group) { doc, index in
                    doc.paragraph([(row[0], .root)], .tableCell, parent: index)
                    doc.paragraph([(row[1], .root)], .tableCell, style: right, parent: index)
                }
            }
        }
        #expect(doc.markdown() == "| a\\|b | n |\n|---|---:|\n| c | 1 |\n")
    }
}
