// Tokens of source code.

import Testing

@testable import FancyTextOutputs
@testable import FancyTextWriting

@Suite struct CodeTokenTests {
    private func tokens(_ language: String, _ code: String) throws -> String {
        let bytes = Array(code.utf8)
        let language = try #require(CodeLanguage.named(language))
        let letters: [CodeToken: String] = [
            .keyword: "k", .string: "s", .comment: "c", .number: "n", .name: "m", .inserted: "i", .deleted: "d",
        ]
        return language.tokens(of: bytes)
            .map { "\(letters[$0.kind] ?? "?"):\(String(decoding: bytes[$0.range], as: UTF8.self))" }
            .joined(separator: " ")
    }

    @Test(arguments: [
        ("python", "def f(x):\n  return 'a\\'b' # c", "k:def k:return s:'a\\'b' c:# c"),
        ("py", "\"\"\"one\ntwo\"\"\" + 4.5", "s:\"\"\"one\ntwo\"\"\" n:4.5"),
        ("swift", "let x = 0xFF // c", "k:let n:0xFF c:// c"),
        ("c", "/* a\nb */ int x1 = 'c';", "c:/* a\nb */ k:int s:'c'"),
        ("js", "const a = `x ${y}`", "k:const s:`x ${y}`"),
        ("rust", "fn f<'a>(x: &'a str)", "k:fn k:str"),
        ("go", "func main() { x := \"s\" }", "k:func s:\"s\""),
        ("bash", "echo $# \"a b\" # c", "k:echo s:\"a b\" c:# c"),
        ("json", "{\"a\": [1, true, \"x\"]}", "m:\"a\" n:1 k:true s:\"x\""),
        ("html", "<a href=\"x\">it's</a><!-- c -->", "k:a m:href s:\"x\" k:a c:<!-- c -->"),
        ("html", "say \"hi\" a=b <b>", "k:b"),
        ("css", "p { color: red } /* c */", "m:color c:/* c */"),
        ("sql", "SELECT a FROM b -- c", "k:SELECT k:FROM c:-- c"),
        ("java", "public class A {}", "k:public k:class"),
        ("diff", "--- a\n@@ -1 +1 @@\n x\n-y\n+z", "n:--- a k:@@ -1 +1 @@ d:-y i:+z"),
    ])
    func languagesAreTold(_ language: String, _ code: String, _ expected: String) throws {
        #expect(try tokens(language, code) == expected)
    }

    @Test func tokensLieInTheirText() throws {
        for language in ["c", "py", "js", "rust", "go", "sh", "json", "html", "css", "sql", "swift", "java"] {
            let known = try #require(CodeLanguage.named(language))
            for code in ["\"", "'", "/*", "\"\"\"", "<!--", "\\", "\"\\", "#", "//", "a\u{301}\u{1F600}", "`\\"] {
                let bytes = Array(code.utf8)
                var end = 0
                for token in known.tokens(of: bytes) {
                    #expect(token.range.lowerBound >= end && token.range.upperBound <= bytes.count)
                    end = token.range.upperBound
                }
            }
        }
    }

    @Test func othersAreNotColored() { #expect(CodeLanguage.named("brainfuck") == nil) }
}
