// Every output of `render` with every option: the option changes the output, or it is a usage error.

import FancyTextTestSupport
import Foundation
import Testing

@Suite("Outputs and options of render", whenBuilt)
struct OptionEffectTests {
    /// A page in which each option has an effect.
    private let page = """
        <style>.c{color:#123}@media (prefers-color-scheme:dark){.d{display:none}}@media (max-width:250px){.w{display:none}}
        @media (max-height:500px){.h{display:none}}@media (min-resolution:2dppx){.r{display:none}}
        i{font-family:Varying}.more{text-transform:uppercase}@media print{.print{display:none}}</style>
        <h1 class=x>Title &eacute; <i>A</i></h1><p>some words <b style="color:blue">that</b> wrap into lines and on
        <span class=d>d</span> <span class=w>w</span> <span class=h>h</span> <span class=r>r</span> <span class=print>p</span>
        <lambda id=l></lambda> <a href=/x>link</a> <a href=https://example.org/>home</a> \u{1F600}
        <img width=40 height=40 alt=p
        src=data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==>
        <table><tr><td>some wide cell of a table that is wider than the rest of all<td>other</table>
        <details><summary>Sum</summary>rest</details><pre class=language-c>int main;</pre>
        <pre>\(String(repeating: "wide ", count: 30))</pre>
        """

    /// Options that do not change the output: inputs, destinations, messages, costs and restrictions.
    private let general: Set = [
        "allow-host", "allow-net", "base-dir", "cache", "cache-max-size", "config", "data", "data-format",
        "diagnostics", "encoding", "jobs", "keep-controls", "limit", "max-depth", "max-image-pixels", "max-input",
        "max-memory", "max-pixels", "no-cache", "no-config", "no-system-fonts", "pager", "quiet", "refresh",
        "resume", "strict", "timeout", "untrusted", "watch", "check", "tolerance", "update", "image-map",
        // These have no effect on this page without --fit-lines, a preset or a second family.
        "accent", "color", "ellipsis", "min-size", "max-size", "policy", "dialect", "from", "emoji", "font-dir",
    ]

    @Test func anAcceptedOptionHasAnEffect() throws {
        let scratch = try Scratch()
        let options = try ProgramOption.all(of: "render", scratch).filter { !general.contains($0.name) }
        #expect(options.count > 35)
        let formats = try ProgramOption.formats(of: "render")
        let sheet = scratch.path("all.css")
        try "b{text-transform:uppercase}".write(toFile: sheet, atomically: true, encoding: .utf8)
        let values = [
            "css": sheet, "style": "b{text-transform:uppercase}", "root-style": "text-transform:uppercase",
            "height": "300", "images": "blocks",
        ]
        var cells: [(format: String, option: ProgramOption)] = []
        var requests: [[String: Any]] = []
        for format in formats {
            for option in options {
                var option = ProgramOption(name: option.name, value: values[option.name] ?? option.value)
                if format == "pdf", option.name == "media" { option.value = "screen" }
                var request: [String: Any] = ["html": page, "format": format]
                // Options that need another option to have an effect.
                if format == "ansi", option.name == "theme" || option.name == "hyperlinks" {
                    request["color"] = "always"
                }
                if format == "ansi", option.name == "base" { request["links"] = "inline" }
                if format == "json", option.name != "layout" { request["layout"] = true }
                cells.append((format, option))
                requests.append(request)
                request[option.name] = option.member
                requests.append(request)
            }
        }
        let answers = try answers(requests)
        for (index, (format, option)) in cells.enumerated() {
            let (alone, given) = (answers[2 * index], answers[2 * index + 1])
            #expect(alone.status == 0, "\(alone.error)")
            if given.status == 0 {
                let isChanged = given.result != alone.result
                #expect(isChanged, "\(format) accepts \(option), which changes nothing")
            } else {
                #expect(
                    given.isRefused || given.error.contains("--\(option.name) requires"),
                    "\(format) \(option): \(given.error)")
            }
        }
    }

    @Test(arguments: [
        ("--layout", "text", "--layout requires JSON output"),
        ("--gamma=2", "svg", "--gamma requires PNG, JPEG or WebP output"),
        ("--padding=3", "html", "or --max-lines or --max-height"),
        ("--wide", "png", "--wide requires terminal text output"),
        ("--width=100", "html", "--width requires"),
        ("--page=A4", "png", "--page requires PDF output, or -o with {page}: the output is PNG"),
    ])
    func theMessageNamesTheOutputs(_ option: String, _ format: String, _ message: String) throws {
        let result = try #require(program).run(["render", "--format", format, option], input: "<p>x")
        #expect(result.status == 2 && result.output.isEmpty && result.errors.contains(message), "\(result.errors)")
    }

    @Test func layoutCountsWhereTextIsLimited() throws {
        let result = try #require(program).run(
            ["render", "--format", "html", "--padding", "3", "--width", "60", "--max-lines", "1"],
            input: "<p>one two three four")
        #expect(result.status == 0 && result.text.hasSuffix("…</p>"), "\(result.errors)")
    }

    /// A configuration file gives defaults for many runs, so those without an effect are no errors.
    @Test func defaultsOfAFileMayBeIdle() throws {
        let scratch = try Scratch()
        try "{\"quality\": 50, \"padding\": 4, \"width\": 300}".write(
            toFile: scratch.path("c.json"), atomically: true, encoding: .utf8)
        let result = try #require(program).run(
            ["render", "--format", "html", "--config", scratch.path("c.json")], input: "<p>x</p>")
        #expect(result.status == 0 && result.text == "<p>x</p>", "\(result.errors)")
        try "{\"page\": \"A4\"}".write(toFile: scratch.path("c.json"), atomically: true, encoding: .utf8)
        let picture = try #require(program).run(
            ["render", "--format", "png", "--config", scratch.path("c.json")], input: "<p>x</p>")
        #expect(picture.status == 0, "\(picture.errors)")
    }

    @Test func requestsAreToldToo() throws {
        let result = try #require(program).run(
            ["batch"],
            input: "{\"html\":\"<p>x\",\"format\":\"html\",\"gamma\":2}\n{\"html\":\"<p>x\",\"format\":\"html\"}\n")
        let lines = result.text.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains("--gamma requires") && lines[1].contains("\"status\":0"))
    }

    /// Several outputs of one document: a limit applies to a copy, and messages about styles in Markdown are printed.
    @Test func limitsLeaveTheDocumentWhole() throws {
        let scratch = try Scratch()
        let result = try #require(program).run(
            [
                "render", "--max-lines", "1", "--width", "60", "-o", scratch.path("a.html"), "-o", scratch.path("a.md"),
                "-o", scratch.path("a.txt"), "--diagnostics", "json", "--style", "p{color:nocolor}",
            ], input: "<p>one two three four")
        #expect(result.status == 0 && result.errors.contains("nocolor"), "\(result.errors)")
        for name in ["a.html", "a.md", "a.txt"] {
            let text = try String(contentsOfFile: scratch.path(name), encoding: .utf8)
            #expect(text.contains("one") && text.components(separatedBy: "…").count == 2, "\(name): \(text)")
        }
        let plain = try #require(program).run(
            ["render", "--format", "markdown", "--style", "p{color:nocolor}", "--diagnostics", "json"], input: "<p>x")
        #expect(plain.errors.contains("nocolor"))
    }
}
