// Inputs that once crashed or hung the program, or passed its restrictions, each with a time limit.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Attacks", whenBuilt)
struct AttackTests {
    private func run(_ arguments: [String], _ page: String) throws -> ProgramResult {
        try #require(program).run(arguments, input: Data(page.utf8), timeout: 20)
    }

    @Test(
        arguments: [
            "<div style='display:flex'><b>a<div>b c</div></b></div>",
            "<p>one <table style='display:inline-flex'><td>two</table> four five",
            "<style>tbody{display:inline-flex}</style><table><td>b c d",
        ], [["--max-lines", "1"], ["--max-height", "20"]])
    func truncationInsideFlexBoxesEnds(_ page: String, _ limit: [String]) throws {
        #expect(try run(["render", "-o", "-", "--format", "png"] + limit, page).status == 0)
    }

    @Test(
        arguments: ["inline-block", "inline-table", "inline-flex", "flex", "block"].map {
            "<span style='display:\($0)'>"
        }
            + [
                "<div style='float:left'>", "<ruby>a<rt>", "<div style='display:flex'><b style='float:left'>",
                "<bdo dir=rtl>",
            ])
    func deepBoxesAreFlattened(_ tags: String) throws {
        let page = String(repeating: tags, count: 20_000) + "x"
        for format in ["png", "json", "ansi", "markdown"] {
            #expect(try run(["render", "-o", "-", "--format", format, "--quiet"], page).status == 0, "\(format)")
        }
    }

    @Test(arguments: ["flex", "inline-flex", "table", "inline-table", "inline-block"])
    func veryDeepBoxesEnd(_ display: String) throws {
        let page = String(repeating: "<span style='display:\(display)'>", count: 60_000) + "x"
        #expect(try run(["render", "-o", "-", "--format", "json", "--quiet"], page).status == 0)
    }

    @Test func nestedRulesCannotMultiply() throws {
        let rules = "b{" + String(repeating: "&,&{", count: 40) + "color:red" + String(repeating: "}", count: 41)
        let page = "<style>\(rules)</style><b>x"
        let result = try run(["strip"], page)
        #expect(result.text == "x\n" && result.errors.contains("nested rule"))
    }

    @Test(arguments: ["<div style='display:flex'>", "<table><td>", "<div style='display:flex'><table><td>"])
    func nestedColumnsOnATerminalEnd(_ tags: String) throws {
        let page = String(repeating: tags, count: 24) + "x"
        #expect(try run(["render", "--format", "ansi"], page).text.contains("x"))
    }

    @Test(
        arguments: [
            "margin-left:-1e30px", "margin-right:-1e30%", "margin-left:1e30%", "text-indent:-1e30px",
            "text-indent:1e30%", "text-indent:-1e30%", "padding:0 1e30%", "width:1e30%", "tab-size:1e30",
            "width:calc(1px * NaN)", "margin-left:-20px;text-shadow:0 0 4px red;text-decoration:underline",
        ])
    func lengthsBeyondIntegersAreHarmless(_ style: String) throws {
        let page = "<p style='white-space:pre-wrap;\(style)'>Hello\tthere"
        for format in ["ansi", "png", "json"] {
            let arguments = ["render", "--quiet", "--width", "60", "-o", "-", "--format", format]
            #expect(try run(arguments, page).status == 0, "\(format)")
        }
    }

    @Test(arguments: ["dotted", "dashed", "wavy", "solid"])
    func inkGapsPastTheEdgeAreHarmless(_ style: String) throws {
        let page = "<nobr><abbr style='text-decoration:underline \(style);text-shadow:0 0 9px'>a longer page, quickly"
        for width in ["20", "60", "90"] {
            #expect(try run(["render", "-o", "-", "--format", "png", "--width", width], page).status == 0)
        }
    }

    @Test func longPicturesGrowLinearly() throws {
        let page = "<p>" + String(repeating: "word ", count: 60_000)
        #expect(try run(["render", "-o", "-", "--format", "png", "--width", "800"], page).status == 0)
    }

    @Test(arguments: [["strip"], ["render", "--format", "text"], ["render", "--format", "ansi"]])
    func listMarkersCarryNoEscapes(_ command: [String]) throws {
        let page = #"<style>li{list-style-type:'\1b]0;pwn\7 '}</style><ul><li>x</ul>"#
        let result = try run(command, page)
        #expect(result.text.contains("x") && !result.output.contains(0x1B) && !result.output.contains(7))
    }

    @Test func aMissingFontIsAnError() throws {
        let result = try run(["render", "-o", "-", "--format", "png", "--font", "/nowhere.ttf"], "x")
        #expect(result.status == 2 && result.errors.contains("/nowhere.ttf"))
    }

    @Test(arguments: [["strip", "--quiet"], ["strip", "--diagnostics", "json"], ["render", "--format", "json"]])
    func messagesDoNotReadALongSheetEachAnew(_ arguments: [String]) throws {
        let rules = String(repeating: "a{display:-x;}\n", count: 1000)
        let page = "<style>/*" + String(repeating: "x", count: 1_000_000) + "*/" + rules + "</style>x"
        let result = try #require(program).run(arguments, input: Data(page.utf8), timeout: 20)
        #expect(result.status == 0)
        #expect(result.errors.isEmpty == arguments.contains("--quiet"))
    }
}
