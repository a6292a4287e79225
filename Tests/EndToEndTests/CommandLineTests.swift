// The built program, run as in a script: exit statuses, messages, complete output files.

import Foundation
import FancyTextTestSupport
import Testing

/// nil if the program was not built; the tests are then skipped with the reason.
let program = Program()
let whenBuilt: ConditionTrait = .enabled(if: program != nil, "no program: make build")

func run(_ arguments: String..., input: String = "", environment: [String: String] = [:]) throws
    -> ProgramResult
{
    try #require(program).run(arguments, input: Data(input.utf8), environment: environment)
}

/// A folder that is deleted when the test ends.
final class Scratch {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("fancytext-\(UUID().uuidString)")
    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }
    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? [] }
}

let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

@Suite("Exit statuses and messages", whenBuilt)
struct ExitStatusTests {
    @Test func versionIsPrintedOnStandardOutput() throws {
        let result = try run("--version")
        #expect(result.status == 0)
        #expect(result.text.hasPrefix("fancytext "))
    }

    @Test func helpShowsExamplesFirst() throws {
        let result = try run("render", "--help")
        #expect(result.status == 0)
        let examples = try #require(result.text.range(of: "EXAMPLES"))
        let options = try #require(result.text.range(of: "OPTIONS"))
        #expect(examples.lowerBound < options.lowerBound)
    }

    @Test func shortHelpIsShort() throws {
        for arguments in [
            ["-h"], ["render", "-h"], ["strip", "-h"], ["select", "-h"], ["dump", "-h"], ["fonts", "-h"],
        ] {
            let short = try #require(program).run(arguments, input: "")
            let long = try #require(program).run(arguments.dropLast() + ["--help"], input: "")
            #expect(short.status == 0 && long.status == 0)
            #expect(short.text.contains("USAGE: fancytext"), "\(arguments)")
            #expect(short.text.count < long.text.count, "\(arguments)")
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionsKnowTheOptions(_ shell: String) throws {
        let script = try run("--generate-completion-script", shell)
        #expect(script.status == 0)
        for word in ["render", "strip", "select", "base-dir", "jobs", "markdown"] {
            #expect(script.text.contains(word), "\(word)")
        }
        let path = "/usr/bin/\(shell)"
        guard FileManager.default.isExecutableFile(atPath: path) else { return }
        let scratch = try Scratch()
        try script.output.write(to: URL(fileURLWithPath: scratch.path("completions")))
        let check = Process()
        check.executableURL = URL(fileURLWithPath: path)
        check.arguments = ["-n", scratch.path("completions")]
        try check.run()
        check.waitUntilExit()
        #expect(check.terminationStatus == 0)
    }

    @Test func valuesAreCheckedWithTheUsageOfTheCommand() throws {
        for (arguments, usage) in [
            (["strip", "--width", "wide"], "fancytext strip"), (["render", "--scale", "17"], "fancytext render"),
            (["select", "b", "--nth", "x"], "fancytext select"), (["dump", "--stage", "none"], "fancytext dump"),
            (["render", "--set", "x"], "fancytext render"),
        ] {
            let result = try #require(program).run(arguments, input: "x")
            #expect(result.status == 2)
            #expect(result.errors.contains("Usage: \(usage) ["), "\(arguments): \(result.errors)")
        }
    }

    @Test func unknownCommandsAreNamed() throws {
        let result = try run("rendr", "x.html")
        #expect(result.status == 2)
        #expect(result.errors.contains("'rendr'") && result.errors.contains("render, strip, select"))
    }

    @Test func aFileThatIsNoFontIsAnErrorSaidOnce() throws {
        let scratch = try Scratch()
        try Data("<p>x</p>".utf8).write(to: URL(fileURLWithPath: scratch.path("a.html")))
        let path = scratch.path("a.html")
        let result = try run("render", path, path, "--font", path, "--format", "json", "--layout")
        #expect(result.status == 2)
        #expect(
            result.errors
                == "fancytext: error: cannot read the font file '\(path)': it is no TrueType, OpenType or WOFF font\n")
    }

    @Test func emptyNamesAreErrors() throws {
        for arguments in [["strip", ""], ["strip", "-o", ""], ["render", "--css", ""]] {
            let result = try #require(program).run(arguments, input: "x")
            #expect(result.status == 2)
            #expect(result.errors.contains("is empty"), "\(arguments)")
        }
    }

    @Test func namesNeedNotBeUnicode() throws {
        let scratch = try Scratch()
        // A shell can create such names, Foundation cannot.
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.currentDirectoryURL = scratch.url
        let path = try #require(program).url.path
        shell.arguments = [
            "-c",
            """
            name=$(printf 'a\\377b\\303\\251') && echo '<p>x' > "$name.html" &&
            "\(path)" strip "$name.html" -o '{stem}.txt' && cat "$name.txt" > out &&
            ! "\(path)" strip "none$name" 2> errors
            """,
        ]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        #expect(try String(contentsOfFile: scratch.path("out"), encoding: .utf8) == "x\n")
        let errors = try String(contentsOfFile: scratch.path("errors"), encoding: .utf8)
        #expect(errors == "fancytext: error: nonea\u{FFFD}bé: No such file or directory\n")
    }

    @Test func unknownEncodingIsWrongUsage() throws {
        let result = try run("strip", "--encoding", "klingon", input: "x")
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("--encoding"))
    }

    @Test func unknownOptionIsWrongUsage() throws {
        let result = try run("render", "--no-such-option")
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("--no-such-option"))
    }

    @Test func missingFileIsNamed() throws {
        let result = try run("strip", "/nonexistent/page.html")
        #expect(result.status == 2)
        #expect(result.errors.contains("/nonexistent/page.html"))
        #expect(result.errors.contains("No such file"))
    }

    @Test func folderAsInputIsAnError() throws {
        let result = try run("strip", "/")
        #expect(result.status == 2)
        #expect(result.errors.contains("directory"))
    }

    @Test func selectWithoutMatchExitsOneAndPrintsNothing() throws {
        let result = try run("select", "u", input: "<b>x</b>")
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
    }

    @Test func badSelectorShowsACaret() throws {
        let result = try run("select", "a >> b", input: "<b>x</b>")
        #expect(result.status == 2)
        let lines = result.errors.split(separator: "\n").map(String.init)
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("selector:4: error: "))
        #expect(lines[1].contains("a >> b"))
        #expect(lines[2].hasSuffix("^"))
    }

    @Test func inputOverTheLimitIsRefused() throws {
        let result = try run("strip", "--max-input", "10", input: String(repeating: "x", count: 11))
        #expect(result.status == 2)
        #expect(result.errors.contains("--max-input"))
    }

    @Test func pngIsNotWrittenWhenTheInputIsMissing() throws {
        let scratch = try Scratch()
        let result = try run("render", "/nonexistent.html", "-o", scratch.path("out.png"))
        #expect(result.status == 2)
        #expect(scratch.names.isEmpty)
    }

    @Test func strictWarningsFailWithoutOutput() throws {
        let scratch = try Scratch()
        let result = try run(
            "render", "--strict", "--style", "p{color:nocolor}", "-o", scratch.path("out.png"), input: "<p>x</p>")
        #expect(result.status == 2)
        #expect(scratch.names.isEmpty)
        #expect(result.errors.contains("--style:1:3"))
    }

    @Test func warningsCanBeJSON() throws {
        let result = try run(
            "render", "--diagnostics", "json", "--format", "text", "--style", "p{color:nocolor}", input: "<p>x</p>")
        #expect(result.status == 0)
        let object = try JSONSerialization.jsonObject(with: Data(result.errors.utf8)) as? [String: Any]
        #expect(object?["severity"] as? String == "warning")
        #expect(object?["line"] as? Int == 1)
    }

    @Test func unwritableOutputFails() throws {
        let result = try run("render", "-o", "/nonexistent/folder/out.png", input: "<p>x</p>")
        #expect(result.status == 2)
        #expect(result.errors.contains("/nonexistent/folder/out.png"))
    }
}

@Suite("Output", whenBuilt)
struct OutputTests {
    @Test func endingOfTheFileDecidesTheFormat() throws {
        let scratch = try Scratch()
        for (name, isRight) in [
            ("a.png", { (data: Data) in data.starts(with: pngSignature) }),
            ("a.json", { (data: Data) in data.first == UInt8(ascii: "{") }),
            ("a.md", { (data: Data) in String(decoding: data, as: UTF8.self).contains("**x**") }),
            ("a.txt", { (data: Data) in String(decoding: data, as: UTF8.self) == "x\n" }),
            ("a.html", { (data: Data) in String(decoding: data, as: UTF8.self).contains("<b>x</b>") }),
        ] {
            let result = try run("render", "-o", scratch.path(name), input: "<b>x</b>")
            #expect(result.status == 0, "\(name): \(result.errors)")
            let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path(name)))
            #expect(isRight(data), "\(name)")
        }
        #expect(scratch.names.count == 5)
    }

    @Test func filesAreStyledWhenTheirNameOrFormatAsksForIt() throws {
        let scratch = try Scratch()
        let html = "<b>x</b>"
        for (name, arguments, isStyled) in [
            ("a.ans", [], true), ("a", [], false), ("b.log", ["--format", "ansi"], true),
            ("b.ans", ["--color", "never"], false),
        ] {
            let result = try #require(program).run(["render", "-o", scratch.path(name)] + arguments, input: html)
            #expect(result.status == 0)
            let text = try String(contentsOfFile: scratch.path(name), encoding: .utf8)
            #expect(text.contains("\u{1B}") == isStyled, "\(name) \(arguments)")
        }
    }

    @Test func pipedTerminalTextIsPlain() throws {
        let result = try run("render", input: "<b>bold</b>")
        #expect(result.text.contains("bold"))
        #expect(!result.text.contains("\u{1B}"))
    }

    @Test func colorAlwaysIsStyled() throws {
        let result = try run("render", "--color", "always", input: "<b>bold</b>")
        #expect(result.text.contains("\u{1B}[1m"))
    }

    @Test func noColorKeepsBold() throws {
        let result = try run(
            "render", input: "<b style='color:red'>x</b>", environment: ["NO_COLOR": "1", "FORCE_COLOR": "1"])
        #expect(result.text.contains("\u{1B}[1m"))
        #expect(!result.text.contains("38;"))
    }

    @Test func escapeSequencesOfTheInputNeverPass() throws {
        let hostile = "a\u{1B}[31mred\u{1B}]0;title\u{7}\u{9B}31mz&#27;[1m"
        for arguments in [["strip"], ["render"], ["render", "--color", "always"], ["strip", "--inner-text"]] {
            let result = try #require(program).run(arguments, input: hostile)
            let text = result.text
            #expect(!text.contains("\u{1B}[31m"), "\(arguments)")
            #expect(!text.contains("\u{1B}]0;"), "\(arguments)")
            #expect(!text.unicodeScalars.contains("\u{9B}"), "\(arguments)")
            #expect(!text.unicodeScalars.contains("\u{7}"), "\(arguments)")
        }
    }

    @Test func severalFilesAreNamedByTheirStem() throws {
        let scratch = try Scratch()
        for name in ["one", "two"] {
            try Data("<p>\(name)</p>".utf8).write(to: URL(fileURLWithPath: scratch.path("\(name).html")))
        }
        let result = try run(
            "render", scratch.path("one.html"), scratch.path("two.html"), "-o", scratch.path("{stem}.png"))
        #expect(result.status == 0, "\(result.errors)")
        #expect(scratch.names == ["one.html", "one.png", "two.html", "two.png"])
    }

    @Test func oneBadFileDoesNotStopTheOthers() throws {
        let scratch = try Scratch()
        try Data("<p>x</p>".utf8).write(to: URL(fileURLWithPath: scratch.path("good.html")))
        let result = try run(
            "render", scratch.path("bad.html"), scratch.path("good.html"), "-o", scratch.path("{stem}.png"))
        #expect(result.status == 2)
        #expect(scratch.names.contains("good.png"))
    }

    @Test func configurationGivesDefaults() throws {
        let scratch = try Scratch()
        try Data(#"{"strip":{"links":"inline"}}"#.utf8).write(to: URL(fileURLWithPath: scratch.path("c.json")))
        let html = "<a href='https://example.com/'>x</a>"
        let configured = try run("strip", input: html, environment: ["FANCYTEXT_CONFIG": scratch.path("c.json")])
        #expect(configured.text.contains("https://example.com/"))
        let overridden = try run(
            "strip", "--links", "none", input: html, environment: ["FANCYTEXT_CONFIG": scratch.path("c.json")])
        #expect(!overridden.text.contains("https://example.com/"))
    }

    @Test func samePictureFromRepeatedRuns() throws {
        let card = TestPaths.fixtures.appendingPathComponent("demo/card.html").path
        let first = try run("render", card, "--width", "600", "--format", "png", "-o", "-")
        let second = try run("render", card, "--width", "600", "--format", "png", "-o", "-")
        #expect(first.status == 0)
        #expect(first.output.starts(with: pngSignature))
        #expect(first.output == second.output)
    }

    @Test func pictureNeedsNoInstalledFonts() throws {
        let scratch = try Scratch()
        let config = scratch.path("fonts.conf")
        try Data("<?xml version=\"1.0\"?><fontconfig><dir>\(scratch.path("none"))</dir></fontconfig>".utf8)
            .write(to: URL(fileURLWithPath: config))
        let card = TestPaths.fixtures.appendingPathComponent("demo/card.html").path
        let usual = try run("render", card, "--format", "png", "-o", "-")
        let without = try run("render", card, "--format", "png", "-o", "-", environment: ["FONTCONFIG_FILE": config])
        #expect(usual.output == without.output)
    }
}

@Suite("Pipelines", whenBuilt)
struct PipelineTests {
    private let page = """
        <!doctype html><title>t</title><style>.note{color:#080}</style>
        <nav>menu</nav><article><h1>Title</h1><p class=note>One <b>two</b></p><ul><li>a<li>b</ul></article>
        """

    @Test func selectionRenders() throws {
        let part = try run("select", "article", input: page)
        #expect(part.status == 0)
        let scratch = try Scratch()
        let result = try #require(program).run(
            ["render", "--width", "600", "-o", scratch.path("out.png")], input: part.output)
        #expect(result.status == 0)
        #expect(scratch.names == ["out.png"])
    }

    @Test func selectionAsPictureKeepsTheDocumentsStyles() throws {
        let scratch = try Scratch()
        let result = try run("select", ".note", "--format", "png", "-o", scratch.path("out.png"), input: page)
        #expect(result.status == 0, "\(result.errors)")
        #expect(scratch.names == ["out.png"])
    }

    @Test func fieldsMakeRecords() throws {
        let result = try run("select", "article", "--field", "title=h1::text", "--field", "none=h2::text", input: page)
        #expect(result.text == "{\"title\":\"Title\",\"none\":null}\n")
    }

    @Test func everyStageDumps() throws {
        for stage in ["tokens", "normalized", "tree", "styles", "text", "layout", "display"] {
            let result = try run("dump", "--stage", stage, input: page)
            #expect(result.status == 0, "\(stage): \(result.errors)")
            #expect(!result.output.isEmpty, "\(stage)")
        }
    }

    @Test func glyphsOfARunAreOneLine() throws {
        let result = try run("dump", "--stage", "display", input: "<p style='opacity:.5;mix-blend-mode:multiply'>abc")
        #expect(result.text.split(separator: "\n").count == 6 && result.text.contains("composite \"multiply\""))
    }

    @Test func everyStageDumpsAsJSON() throws {
        for stage in ["tokens", "normalized", "tree", "styles", "text", "layout", "display"] {
            let result = try run("dump", "--stage", stage, "--format", "json", input: page)
            #expect(result.status == 0, "\(stage): \(result.errors)")
            let lines = result.text.split(separator: "\n")
            #expect(!lines.isEmpty)
            for line in lines {
                #expect(throws: Never.self, "\(stage)") { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
            }
        }
    }

    @Test func dumpedStylesAreThoseOfTheElements() throws {
        let result = try run("dump", "--stage", "styles", "--format", "json", input: "<b id=x style='color:red'>x</b>")
        let object = try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
        #expect(object["name"] as? String == "b")
        #expect(object["id"] as? String == "x")
        let style = try #require(object["style"] as? [String: Any])
        #expect(style["foregroundColor"] as? String == "#ff0000ff")
    }

    @Test func wordsGoAcrossFontsAndElements() throws {
        let html = "<p>un<b>believ</b>able ½→x 漢字 H<sub>2</sub>O</p>"
        let result = try run("render", "--format", "json", "--layout", input: html)
        let object = try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
        let text = Array(try #require(object["text"] as? String).unicodeScalars)
        let words = try #require(object["words"] as? [[String: Any]]).map { word -> String in
            let range = (word["start"] as? Int ?? 0)..<(word["end"] as? Int ?? 0)
            return String(String.UnicodeScalarView(text[range]))
        }
        #expect(words == ["unbelievable", "½→x", "漢", "字", "H2O"])
    }

    @Test func selectionsCountFromTheEnd() throws {
        let html = "<i>1</i><i>2</i><i>3</i>"
        #expect(try run("select", "i", "--text", "--nth", "-1", input: html).text == "3\n")
        #expect(try run("select", "i", "--text", "--nth=-2", input: html).text == "2\n")
        #expect(try run("select", "i", "--text", "--separator", "-x-", input: html).text == "1-x-2-x-3\n")
        let zero = try run("select", "i", "--nth", "0", input: html)
        #expect(zero.status == 2)
        #expect(zero.errors.contains("--nth"))
    }

    @Test(arguments: [
        String(repeating: ":is(", count: 70) + "b" + String(repeating: ")", count: 70),
        String(repeating: ":where(", count: 70) + "b" + String(repeating: ")", count: 70),
        Array(repeating: "b", count: 950).joined(separator: " "),
    ])
    func selectorsBeyondLimitsAreErrors(_ selector: String) throws {
        let result = try run("select", selector, input: "<b>x</b>")
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("selector:"))
    }

    @Test func deepSelectorsAreRight() throws {
        let selector = String(repeating: ":is(", count: 60) + "b" + String(repeating: ")", count: 60)
        #expect(try run("select", selector, input: "<b>x</b>").text == "<b>x</b>\n")
    }

    @Test func strippedTextKnowsTheSheetsOfThePage() throws {
        let scratch = try Scratch()
        try Data(".no { display: none }".utf8).write(to: URL(fileURLWithPath: scratch.path("s.css")))
        for page in ["<link rel=stylesheet href=s.css>", "<style>@import 's.css';</style>"] {
            try Data("\(page)<p>a</p><p class=no>b</p>".utf8).write(to: URL(fileURLWithPath: scratch.path("p.html")))
            #expect(try run("strip", scratch.path("p.html")).text == "a\n", "\(page)")
            let elsewhere = try run("strip", "--base-dir", "/usr/share", scratch.path("p.html"))
            #expect(elsewhere.text == "a\n\nb\n", "\(page)")
        }
    }

    @Test func fontsListsTheEmbeddedFamilies() throws {
        let result = try run("fonts", "--no-system-fonts")
        #expect(result.text.contains("Inter"))
        #expect(result.text.contains("DejaVu Sans Mono"))
    }

    @Test func fontsNamesTheLibrariesThatDraw() throws {
        let object = try JSONSerialization.jsonObject(with: run("fonts", "--json", "--no-system-fonts").output)
        let root = try #require(object as? [String: Any])
        let libraries = try #require(root["libraries"] as? [[String: String]])
        #expect(libraries.map { $0["name"] } == ["FreeType", "HarfBuzz"])
        let text = try run("fonts", "--no-system-fonts").text
        for library in libraries {
            let name = try #require(library["name"])
            let version = try #require(library["version"])
            let path = try #require(library["path"])
            #expect(FileManager.default.fileExists(atPath: path))
            #expect(version.contains("."))
            #expect(text.contains("\(name) \(version)  (\(path))"))
        }
        let families = try #require(root["families"] as? [[String: Any]])
        #expect(families.map { $0["family"] as? String } == ["Inter", "DejaVu Sans Mono"])
    }

    @Test func layoutInJSONPlacesEveryWord() throws {
        let result = try run("render", "--format", "json", "--layout", "--width", "300", input: "<p>one two</p>")
        let object = try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
        let words = try #require(object["words"] as? [[String: Any]])
        #expect(words.count == 2)
        let lines = try #require(object["lines"] as? [[String: Any]])
        #expect(lines.count == 1)
        #expect(object["text"] as? String == "one two")
    }

    @Test(arguments: [
        ("4in", 384.0), ("384px", 384), ("384", 384), ("288pt", 384), ("24pc", 384), ("10.16cm", 384), ("101.6mm", 384),
        ("406.4Q", 384), ("4IN", 384),
    ])
    func lengthsHaveTheUnitsOfCSS(_ length: String, _ pixels: Double) throws {
        func size(_ options: String...) throws -> String {
            let result = try #require(program).run(
                ["render", "--format", "json", "--layout"] + options, input: Data("<p>x".utf8))
            #expect(result.status == 0, "\(result.errors)")
            let start = try #require(result.text.range(of: "\"size\":{"))
            return String(result.text[start.upperBound...].prefix { $0 != "}" })
        }
        #expect(try size("--width", length) == size("--width", "\(Int(pixels))"))
        #expect(try size("--height", length) == size("--height", "\(Int(pixels))"))
        #expect(try size("--padding", length) == size("--padding", "\(Int(pixels))"))
        let page = ["4in", "384px", "384"].contains(length) ? "4inx384px" : "\(length)x10cm"
        if length != "384" {
            let pdf = try #require(program).run(
                ["render", "--page", page, "--format", "pdf"], input: Data("<p>x".utf8))
            #expect(pdf.status == 0 && pdf.output.starts(with: Data("%PDF".utf8)), "\(pdf.errors)")
        }
    }
}
