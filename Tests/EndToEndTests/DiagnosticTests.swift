// Messages about a document: each once, with its position in the file.

import Foundation
import FancyTextTestSupport
import Testing

/// The positions and messages on standard error, without excerpts.
private func messages(_ result: ProgramResult) -> [String] {
    result.errors.split(separator: "\n").map(String.init).filter { $0.contains("warning: ") || $0.contains("error: ") }
}

@Suite("Places of messages", whenBuilt)
struct DiagnosticPlaceTests {
    private func render(_ html: String, _ arguments: [String] = [], files: [String: String] = [:]) throws -> [String] {
        let scratch = try Scratch()
        for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path(name))) }
        try Data(html.utf8).write(to: URL(fileURLWithPath: scratch.path("a.html")))
        let result = try #require(program).run(
            ["render", "a.html", "-o", "a.png", "--no-system-fonts"] + arguments, folder: scratch.url)
        return messages(result)
    }

    @Test func declarationsOfAStyleAttributeAreFoundInTheFile() throws {
        let found = try render("<p>x</p>\n<p title=a style=\"color: red;\n  colr: blue\">y</p>")
        #expect(found == ["a.html:3:3: warning: unknown property 'colr'; did you mean 'color'?"])
    }

    @Test func referencesInAStyleAttributeAreCountedAsWritten() throws {
        let found = try render("<p style='font-family: &quot;Inter&quot;; colr: red'>y</p>")
        #expect(found == ["a.html:1:43: warning: unknown property 'colr'; did you mean 'color'?"])
    }

    @Test func carriageReturnsCountAsLines() throws {
        let found = try render("<p>x</p>\r\n<p style=\"color: red;\r\n colr: red\">y</p>\r<b style=colr:red>z</b>")
        #expect(
            found == [
                "a.html:3:2: warning: unknown property 'colr'; did you mean 'color'?",
                "a.html:4:10: warning: unknown property 'colr'; did you mean 'color'?",
            ])
    }

    @Test func columnsCountCharacters() throws {
        let found = try render("<p>äöü漢</p><p style=\"colr: red\">y</p>")
        #expect(found.contains("a.html:1:22: warning: unknown property 'colr'; did you mean 'color'?"))
    }

    @Test func styleElementsAndSheetsNameTheirFiles() throws {
        let found = try render(
            "<style>p { colr: red }</style><p>x</p>", ["--css", "s.css"], files: ["s.css": "b {}\ni {\n  colr: red }"])
        #expect(
            found == [
                "s.css:3:3: warning: unknown property 'colr'; did you mean 'color'?",
                "a.html:1:12: warning: unknown property 'colr'; did you mean 'color'?",
            ])
    }

    @Test func scriptsAreReportedIfNothingShowsWithoutThem() throws {
        let page = "<title>t</title><div id=app></div><script>x()</script>"
        #expect(
            try render(page) == ["a.html:1:35: warning: the page shows nothing until its scripts run: they are not run"]
        )
        #expect(try render(page + "<script type='application/json'>{}</script>y") == [])
        #expect(try render("<script src=/js/tailwindcss-helper.js></script>x") == [])
        let tailwind = "<script src=https://cdn.tailwindcss.com></script><p class=p-4>x"
        #expect(
            try render(tailwind).first?.contains("warning: scripts are not run, so Tailwind's styles are missing")
                == true)
        for html in ["<p>x<script>y()</script>", "<p onclick='x()'>x", "<p ONCLICK='x()'>x"] {
            let result = try run("render", "--format", "png", "--diagnostics", "text", input: html)
            #expect(result.errors.contains("note: scripts are not run"))
        }
    }

    @Test(arguments: [
        ("<p>a <b title=\"x>y</b>", "1:6: warning: unclosed tag or quotation mark"),
        ("<p>a <!-- b</p>", "1:6: warning: unclosed comment"),
        ("<p>a<textarea>x<p>y", "1:15: warning: unclosed element"),
        ("<p>a<!-- b -->", ""), ("<p>a<script> ", ""),
    ])
    func whatTheEndOfTheInputCutsOffIsReported(_ html: String, _ start: String) throws {
        let message = "a.html:\(start): the rest of the input is part of it"
        #expect(try render(html) == (start.isEmpty ? [] : [message]))
    }

    @Test(arguments: [
        ("<p class=a CLASS=b>x", "1:12: warning: duplicate attribute 'CLASS': the first value is used"),
        ("<p style='color:redd'>x", "1:11: warning: invalid value for 'color': redd"),
        ("<p style='color red'>x", "1:11: warning: expected a declaration: ignored; a colon is between name and value"),
    ])
    func mistakesInStartTagsAreReported(_ html: String, _ message: String) throws {
        #expect(try render(html) == (message.isEmpty ? [] : ["a.html:\(message)"]))
    }

    @Test func themesNeedCode() throws {
        #expect(try render("<pre><code class=language-c>int x</code></pre>", ["--highlight", "monokai"]) == [])
        let result = try run(
            "render", "--format", "png", "--highlight", "monokai", "--diagnostics", "text", input: "<pre>x</pre>")
        #expect(result.errors.contains("--highlight has no effect"))
    }

    @Test func numbersOfLinesNeedCode() throws {
        #expect(try render("<pre>x</pre>", ["--line-numbers"]) == [])
        #expect(try render("<p>x", ["--line-numbers"]).count == 1)
    }

    /// More messages than one write takes.
    @Test func manyMessagesComeInTheirOrder() throws {
        let rules = (1...600).map { "a{qqqq\($0): red}\n" }.joined()
        let found = try render("<style>" + rules + "</style><p>x</p>")
        #expect(
            found
                == (1...600).map {
                    "a.html:\($0):\($0 == 1 ? 10 : 3): warning: unknown property 'qqqq\($0)'"
                })
    }

    @Test func theCaretStandsBelowTheMistake() throws {
        let result = try run("render", "--format", "json", input: "<b>漢</b>\t<i style='color: red; colr: blue'>x</i>")
        let lines = result.errors.split(separator: "\n").map(String.init)
        try #require(lines.count == 3)
        #expect(lines[1] == "  <b>漢</b>\t<i style='color: red; colr: blue'>x</i>")
        // The ideograph is two cells wide.
        #expect(lines[2] == String(repeating: " ", count: 11) + "\t" + String(repeating: " ", count: 22) + "^")
    }

    @Test func longLinesShowTheirPart() throws {
        let html = String(repeating: "<b>x</b>", count: 100) + "<p style='colr: red'>y</p>"
        let lines = try run("render", "--format", "json", input: html).errors.split(separator: "\n").map(String.init)
        try #require(lines.count == 3)
        #expect(lines[1].count < 110)
        let caret = try #require(lines[2].firstIndex(of: "^"))
        #expect(lines[1][caret...].hasPrefix("colr: red"))
    }

    @Test func missingPicturesAreFoundWhereTheyAreNamed() throws {
        let found = try render(
            """
            <p>a <img src=none.png> b <img src=none.png></p>
            <style>p { background: url("back.png") }</style>
            <p style="background: url(inline.png)">x</p>
            """)
        #expect(
            Set(found) == [
                "a.html:1:6: warning: image none.png: no such file",
                "a.html:2:28: warning: image back.png: no such file",
                "a.html:3:23: warning: image inline.png: no such file",
            ])
        #expect(found.count == 3)
    }

    @Test func missingFontsAreSaidOnceWhereTheyAreNamed() throws {
        let found = try render(
            """
            <style>
            @font-face { font-family: Own; src: url(own.woff2) }
            b { font-family: No Such Family, Inter }
            </style>
            <p style="font-family: Own, 'Other One'">x <b>y</b></p>
            """)
        #expect(
            Set(found) == [
                "a.html:2:37: warning: @font-face 'Own': own.woff2: no such file",
                "a.html:3:18: warning: the font family 'No Such Family' is not available: add it with --font FILE",
                "a.html:5:29: warning: the font family 'Other One' is not available: add it with --font FILE",
            ])
        #expect(found.count == 3)
    }

    @Test func replacementsOfAFontNeedNotExist() throws {
        let fonts = "url(no.woff2), url(data:font/ttf;base64,AAEAAAABAAAA), url(no.ttf)"
        let found = try render("<style>@font-face{font-family:Own;src:\(fonts)}</style><p>x")
        #expect(found == ["a.html:1:39: warning: @font-face 'Own': no.woff2: no such file"])
    }

    @Test func fontsThatAreRefusedSayWhy() throws {
        let found = try render(
            "<style>@font-face{font-family:Own;src:url(data:font/ttf;base64,AAEAAAABAAAA)}</style><p>x")
        #expect(
            found == ["a.html:1:31: warning: @font-face 'Own': the font is not used: a table reaches beyond its end"])
    }

    @Test func missingGlyphsAreSaidOnceWhereTheyFirstStand() throws {
        let found = try render("<p>a</p>\n<p>b \u{F0000} &#x10FFFD; \u{F0000}</p>\n<b>\u{10FFFD}</b>")
        #expect(
            found == [
                "a.html:2:6: warning: no font has a glyph for U+F0000 (--font, or --emoji for emoji)",
                "a.html:2:8: warning: no font has a glyph for U+10FFFD (--font, or --emoji for emoji)",
            ])
    }

    @Test func generatedCharactersAreFoundAtTheirElement() throws {
        let found = try render("<style>b::before { content: '\\F0000' }</style>\n<p>a <b>x</b></p>")
        #expect(found == ["a.html:2:6: warning: no font has a glyph for U+F0000 (--font, or --emoji for emoji)"])
    }

    @Test func invalidBytesAreFoundInTheFile() throws {
        let result = try #require(program).run(
            ["render", "--encoding", "utf-8", "--format", "text"], input: Data("<p>x\n ab".utf8) + Data([0xFF]))
        #expect(result.errors.hasPrefix("<stdin>:2:4: warning: invalid UTF-8"))
    }

    @Test func deepNestingIsFoundInTheFile() throws {
        let html = "<p>x</p>\n" + String(repeating: "<div>", count: 40)
        let found = try render(html + "x", ["--max-depth", "20"])
        #expect(found.allSatisfy { $0.hasPrefix("a.html:") }, "\(found)")
        #expect(!found.isEmpty)
    }

    @Test func sheetsOfSeveralFilesAreSaidOnce() throws {
        let scratch = try Scratch()
        for name in ["a.html", "b.html"] {
            try Data("<p>\(name)</p>".utf8).write(to: URL(fileURLWithPath: scratch.path(name)))
        }
        let result = try #require(program).run(
            ["render", "a.html", "b.html", "--format", "text", "--style", "p{colr:red}"], folder: scratch.url)
        #expect(messages(result) == ["--style:1:3: warning: unknown property 'colr'; did you mean 'color'?"])
    }

    @Test func failuresCanBeJSON() throws {
        for arguments in [["strip", "/nonexistent"], ["strip", "--no-such-option"], ["strip", "--width", "none"]] {
            let result = try #require(program).run(arguments + ["--diagnostics", "json"], input: "")
            #expect(result.status == 2)
            let object = try JSONSerialization.jsonObject(with: Data(result.errors.utf8)) as? [String: Any]
            #expect(object?["severity"] as? String == "error", "\(arguments)")
        }
    }
}

/// With text output, messages are summarised in one line; the same holds on a terminal (`AtTerminalTests`).
@Suite("Messages beside text", whenBuilt)
struct BriefMessageTests {
    private static let page = "<p style='a:1;b:2'>x<p style='c:3'>y"
    private static let brief = "fancytext: 3 messages; --diagnostics shows them\n"

    private func run(_ arguments: [String], _ page: String = page) throws -> ProgramResult {
        try #require(program).run(arguments, input: Data(page.utf8))
    }

    @Test(arguments: [
        ["render"], ["render", "-o", "-"], ["select", "p", "--format", "ansi"],
        ["render", "--color", "always"],
    ])
    func areCounted(_ command: [String]) throws {
        let result = try run(command)
        #expect(result.status == 0 && result.errors == Self.brief)
        for option in [["--diagnostics"], ["--diagnostics", "text"], ["--diagnostics=text"]] {
            let all = try run(command + option)
            #expect(all.errors.split(separator: "\n").filter { $0.contains("warning: ") }.count == 3, "\(all.errors)")
            #expect(all.output == result.output)
        }
        let strict = try run(command + ["--strict"])
        #expect(strict.status == 2 && strict.errors.contains("'a'") && strict.errors.contains("'c'"))
        #expect(try run(command + ["--quiet"]).errors.isEmpty)
        #expect(try run(command + ["--diagnostics", "json"]).errors.split(separator: "\n").count == 3)
    }

    @Test func anOptionWithoutItsValueTakesNoFile() throws {
        let scratch = try Scratch()
        try Data(Self.page.utf8).write(to: URL(fileURLWithPath: scratch.path("a.html")))
        let result = try #require(program).run(["render", "--diagnostics", "a.html"], folder: scratch.url)
        #expect(result.status == 0 && result.errors.contains("a.html:1:11: warning: "), "\(result.errors)")
    }

    @Test func oneIsShownInOneLine() throws {
        #expect(try run(["render"], "<p style='a:1'>x").errors == "<stdin>:1:11: warning: unknown property 'a'\n")
    }

    @Test func errorsAreShownInFull() throws {
        let result = try run(["render", "--limit", "boxes=1"], Self.page + String(repeating: "<p>x", count: 99))
        #expect(result.status == 2 && result.errors.contains("error: ") && result.errors.contains("--limit boxes"))
    }

    @Test func otherResultsHaveAllMessages() throws {
        for command in [["render", "--format", "json"], ["render", "--format", "png", "-o", "-"]] {
            #expect(try run(command).errors.split(separator: "\n").filter { $0.contains("warning: ") }.count == 3)
        }
    }

    @Test func textHasTheMessagesThatItDependsOn() throws {
        let page = "<style>p{display:blok;dispaly:none;colr:red;color:rad}</style><p>x"
        let lines = [
            "<stdin>:1:10: warning: invalid value for 'display': blok",
            "<stdin>:1:23: warning: unknown property 'dispaly'; did you mean 'display'?",
        ]
        for command in [["render", "--format", "text"], ["strip"], ["select", "p::inner-text"]] {
            let result = try run(command + ["--strict"], page)
            #expect(result.status == 2 && messages(result) == lines, "\(result.errors)")
        }
    }
}
