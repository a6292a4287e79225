// Input from strangers is limited and sandboxed, and cannot control terminals and pipes.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Safety", whenBuilt)
struct SafetyTests {
    private func run(_ arguments: [String], _ page: String = "", folder: URL? = nil) throws -> ProgramResult {
        try #require(program).run(arguments, input: Data(page.utf8), folder: folder)
    }

    // MARK: Budgets

    /// A page, its options, and the budget that it exceeds.
    private static let spenders: [(page: String, arguments: [String], code: String)] = [
        (
            "<style>p::before{content:'\(String(repeating: "x", count: 500))'}</style>"
                + String(repeating: "<p>a", count: 200), ["--limit", "generated-text=1000"], "budget.generated-text"
        ),
        (
            "<style>div{counter-reset:c}div::before{counter-increment:c;content:counters(c,'"
                + String(repeating: ".", count: 100) + "')}</style>" + String(repeating: "<div>", count: 100),
            ["--limit", "generated-text=1000"], "budget.generated-text"
        ),
        (
            "<style>li{list-style:'\(String(repeating: "x", count: 500))'}</style>"
                + String(repeating: "<li>a", count: 200), ["--limit", "generated-text=1000"], "budget.generated-text"
        ),
        (String(repeating: "<p>a", count: 5000), ["--limit", "boxes=2000"], "budget.boxes"),
        (
            String(repeating: "<div style='opacity:.5;height:900px;background:red'>", count: 4),
            ["--limit", "layer-bytes=500000"], "budget.layer-bytes"
        ),
        (
            String(repeating: "<div style='clip-path:circle(50%);height:900px;background:red'>", count: 9),
            ["--limit", "layer-bytes=1000000"], "budget.layer-bytes"
        ),
        (
            String(
                repeating: "<p style='position:absolute;inset:0;height:900px;border-radius:50%;background:#0001'>",
                count: 99),
            ["--limit", "painted-pixels=5000000"], "budget.painted-pixels"
        ),
        (
            "<p style='text-shadow:\(Array(repeating: "1px 1px 30px red", count: 200).joined(separator: ","))'>words",
            ["--limit", "painted-pixels=5000000"], "budget.painted-pixels"
        ),
        (
            "<p style='filter:\(String(repeating: "blur(9px)", count: 50));height:300px;background:red'>a",
            ["--limit", "painted-pixels=5000000"], "budget.painted-pixels"
        ),
        (
            "<a href='http://x/\(String(repeating: "y", count: 2000))'>" + String(repeating: "<b>w</b> x ", count: 50),
            ["--limit", "generated-text=1000"], "budget.generated-text"
        ),
        ("<img src='demo/card.png'>", ["--limit", "image-bytes=1000"], "budget.image-bytes"),
        (
            "<style>@import url(a.css);@import url(b.css);</style><p>a", ["--limit", "style-sheets=1"],
            "budget.style-sheets"
        ),
    ]

    /// Each of 400 nested elements is printed with its contents, so the whole is 400 times as long as the page.
    @Test(arguments: [[], ["--format", "json"], ["--text"], ["--field", "a=::html"], ["--pretty"]])
    func selectedElementsInEachOtherAreCounted(_ form: [String]) throws {
        let page = String(repeating: "<b>", count: 400) + String(repeating: "some text ", count: 1000)
        let arguments = ["select", "*", "-o", "-", "--diagnostics", "json"] + form
        let result = try run(arguments + ["--limit", "selected-bytes=100000"], page, folder: TestPaths.fixtures)
        #expect(result.status == 2)
        #expect(result.errors.contains("\"budget.selected-bytes\"") && result.errors.contains("--limit"))
        #expect(result.output.count < 100_000 + 18 * page.utf8.count)
        let whole = try run(arguments, page, folder: TestPaths.fixtures)
        #expect(whole.status == 0 && whole.output.count > 4_000_000, "\(whole.errors)")
    }

    /// Each match contains all elements below it, and each of these contains those below it.
    @Test(
        arguments: ["a[]=*::html", "a[]=*::text", "a[]=*{b[]=*::text}", "a[]=*{b[]=*{c[]=*::attr(x)}}"],
        [[], ["--csv"]])
    func membersOfRecordsAreCounted(_ field: String, _ form: [String]) throws {
        let page = String(repeating: "<b>", count: 400) + String(repeating: "<i>text</i> ", count: 600)
        let arguments = ["select", "*", "-o", "-", "--diagnostics", "json", "--field", field] + form
        let result = try run(arguments + ["--limit", "selected-bytes=100000"], page, folder: TestPaths.fixtures)
        #expect(result.status == 2 && result.errors.contains("\"budget.selected-bytes\""), "\(result.errors)")
        #expect(result.output.count < 100_000 + 18 * page.utf8.count)
    }

    @Test func elementsInEachOtherAreCountedAsBoxes() throws {
        let page = String(repeating: "<b>", count: 4000) + "x"
        let arguments = ["select", "*", "--diagnostics", "json", "--limit", "boxes=100000"]
        for output in ["markdown", "ansi", "png"] {
            let result = try run(arguments + ["--format", output, "-o", "-"], page, folder: TestPaths.fixtures)
            #expect(result.status == 2 && result.errors.contains("\"budget.boxes\""), "\(output): \(result.errors)")
        }
    }

    @Test(arguments: spenders.indices)
    func whatIsPastABudgetIsAnErrorWithAName(_ index: Int) throws {
        let (page, arguments, code) = Self.spenders[index]
        let common = ["--base-dir", ".", "--diagnostics", "json"] + arguments
        for output in ["png", "svg"] where output == "png" || !code.contains("pixels") && !code.contains("bytes") {
            let result = try run(["render", "-o", "-", "--format", output] + common, page, folder: TestPaths.fixtures)
            #expect(result.status == 2 && result.output.isEmpty, "\(output): \(result.errors)")
            #expect(result.errors.contains("\"\(code)\"") && result.errors.contains("--limit"), "\(result.errors)")
        }
    }

    /// A form control may request more lines than any text has.
    @Test func cellsOfATerminalAreCounted() throws {
        let page = String(repeating: "<textarea rows=1000000>words</textarea>", count: 200)
        let result = try run(["render", "--format", "ansi", "--diagnostics", "json"], page)
        #expect(result.status == 2 && result.output.count < 50_000_000)
        #expect(result.errors.contains("\"budget.terminal-cells\"") && result.errors.contains("--limit"))
        let few = try run(["render", "--format", "ansi", "--limit", "terminal-cells=2000"], "<p>words")
        #expect(few.status == 0 && few.text == "words\n", "\(few.errors)")
    }

    @Test(arguments: [
        ["render", "--format", "ansi"], ["render", "--format", "json"], ["strip"], ["render", "--format", "markdown"],
    ])
    func generatedTextIsBoundedInEveryOutput(_ command: [String]) throws {
        let page =
            "<style>li{list-style:'\(String(repeating: "x", count: 20_000))'}</style>"
            + String(repeating: "<li>a", count: 500)
        let result = try run(command + ["--diagnostics", "json"], page)
        if result.status == 0 { #expect(result.output.count < 1 << 20) } else { #expect(result.status == 2) }
    }

    /// A name or a target of 20 KB is in the styles of thousands of runs.
    @Test(arguments: [
        "<p class='%'>", "<p style='font-family:\"%\"'>", "<a href='http://x/%'>", "<a href='http://x/%'><p>",
    ])
    func whatRunsRepeatIsCounted(_ start: String) throws {
        let long = start.replacingOccurrences(of: "%", with: String(repeating: "y", count: 20_000))
        let page = long + String(repeating: start.hasSuffix("><p>") ? "<p>w" : "<b>w</b> x ", count: 4000)
        for format in ["json", "markdown"] {
            let result = try run(["render", "--untrusted", "--format", format, "--diagnostics", "json"], page)
            let isRepeated = format == "json" || start.hasPrefix("<a")
            #expect(result.status == (isRepeated ? 2 : 0) && result.output.count < 2_000_000, "\(result.errors)")
            #expect(result.errors.contains("budget.generated-text") == isRepeated)
        }
    }

    @Test func limitsAreChecked() throws {
        #expect(try run(["render", "--limit", "boxes"], "a").status == 2)
        #expect(try run(["render", "--limit", "nothing=1"], "a").errors.contains("generated-text"))
    }

    @Test func timeIsUp() throws {
        let page = String(repeating: "<div style='mix-blend-mode:multiply;height:3000px;background:#eee'>", count: 200)
        let arguments = ["render", "-o", "-", "--format", "png", "--timeout", "0.05", "--diagnostics", "json"]
        let result = try run(arguments + ["--limit", "painted-pixels=1000000000000"], page)
        #expect(result.status == 2 && result.errors.contains("budget.time"), "\(result.errors)")
    }

    @Test func memoryIsUp() throws {
        let page = "<div style='box-shadow:0 0 20px red;height:7600px;background:red'>a"
        let result = try run(
            ["render", "-o", "-", "--format", "png", "--width", "7700", "--max-memory", "100000000"], page)
        #expect(result.status == 2 && result.output.isEmpty && result.errors.contains("memory"), "\(result.errors)")
    }

    @Test func tooLittleMemoryIsOneMessage() throws {
        let result = try run(["render", "-o", "-", "--format", "png", "--max-memory", "1048576"], "<p>x")
        #expect(result.status == 2)
        #expect(
            result.errors == "fancytext: error: the input needs more memory than there is or --max-memory allows, "
                + "or the program has a fault\n")
    }

    // MARK: SVG

    @Test func pictureThatEndsItsProcessIsMissing() throws {
        let kernel = Array(repeating: "1", count: 900).joined(separator: " ")
        let fatal =
            "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><filter id='f'>"
            + "<feConvolveMatrix order='30' kernelMatrix='\(kernel)'/></filter><rect width='9' height='9' filter='url(%23f)'/></svg>"
        let good = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>"
        let page = "<img src=\"data:image/svg+xml,\(fatal)\"><img src=\"data:image/svg+xml,\(good)\">"
        let result = try run(["render", "-o", "-", "--format", "png", "--diagnostics", "json"], page)
        #expect(result.status == 0 && !result.output.isEmpty)
        let warnings = result.errors.split(separator: "\n")
        #expect(warnings.count == 1 && result.errors.contains("image.too-costly"), "\(result.errors)")
    }

    // MARK: --untrusted

    @Test func strangersReachNothing() throws {
        let scratch = try Scratch()
        try scratch.write("secret.css", "p{color:red}")
        try scratch.write("fancytext.json", #"{"render":{"width":50}}"#)
        let page = "<link rel=stylesheet href=secret.css><img src=secret.css><img src=/etc/passwd><img src=nothing>a"
        try scratch.write("page.html", page)
        for file in ["page.html", "-"] {
            let result = try run(
                ["render", "--untrusted", "--format", "json", "--layout", file], page, folder: scratch.folder)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.text.contains("\"width\":800"))
            let reasons = result.errors.split(separator: "\n").filter { $0.contains("image") }
            // The message is the same for existing and missing files, and contains no path.
            #expect(Set(reasons.map { $0.split(separator: ": ").last.map(String.init) ?? "" }).count <= 1)
            #expect(!result.errors.contains(scratch.folder.path))
        }
    }

    @Test(arguments: [["--base-dir", "."], ["--allow-net"], ["--allow-host", "localhost"]])
    func strangersCannotBeLetIn(_ option: [String]) throws {
        #expect(try run(["render", "--untrusted"] + option, "a").status == 2)
    }

    @Test func strangersHaveNoInstalledFonts() throws {
        let result = try run(
            ["render", "--untrusted", "--format", "json", "--layout"], "<p style='font-family:Liberation Serif'>a")
        #expect(!result.text.contains("\"font\":\"Liberation"), "\(result.text)")
    }

    // MARK: Files

    @Test func outsideIsOutsideWhetherItIsThereOrNot() throws {
        let scratch = try Scratch()
        try scratch.write(
            "in/page.html",
            "<img src=../there.png><img src=../nothing.png><img src=/etc/hostname><img src=/etc/nothing>")
        try scratch.write("there.png", "x")
        let result = try run(["render", "-o", "-", "--format", "png", "in/page.html"], folder: scratch.folder)
        let lines = result.errors.split(separator: "\n").filter { $0.contains("warning") }
        #expect(
            lines.count == 4 && lines.allSatisfy { $0.contains("outside of the base directory") }, "\(result.errors)")
    }

    @Test func standardInputHasNoFolder() throws {
        let folder = TestPaths.fixtures
        let page = "<img src='demo/card.png'>"
        #expect(try run(["render", "-o", "-", "--format", "png"], page, folder: folder).errors.contains("--base-dir"))
        let asked = try run(
            ["render", "-o", "-", "--format", "png", "--base-dir", ".", "--width", "1300"], page, folder: folder)
        #expect(asked.errors.isEmpty, "\(asked.errors)")
    }

    @Test func linkAsOutputStays() throws {
        let scratch = try Scratch()
        try scratch.write("real/file.txt", "before")
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path("link.txt"), withDestinationPath: "real/file.txt")
        try FileManager.default.createSymbolicLink(atPath: scratch.path("new.txt"), withDestinationPath: "real/new.txt")
        for name in ["link.txt", "new.txt"] {
            #expect(try run(["strip", "-o", scratch.path(name)], "<p>after").status == 0)
            #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: scratch.path(name))) != nil)
            #expect(try String(contentsOfFile: scratch.path(name), encoding: .utf8) == "after\n")
        }
    }

    @Test func pipeThatNobodyReadsIsAnError() throws {
        let scratch = try Scratch()
        try #require(mkfifo(scratch.path("pipe.txt"), 0o600) == 0)
        let result = try run(["strip", "-o", scratch.path("pipe.txt")], "<p>a")
        #expect(result.status == 2 && result.errors.contains("nothing reads this pipe"), "\(result.errors)")
    }

    @Test(arguments: [["--help"], ["--version"], ["render", "--help"], ["strip"]])
    func fullDeviceIsAFailure(_ arguments: [String]) throws {
        let program = try #require(program)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", "echo '<p>a' | '\(program.url.path)' \(arguments.joined(separator: " ")) >/dev/full 2>/dev/null",
        ]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 2)
    }

    // MARK: Controls

    private static let steering =
        "<p title='\u{1B}]0;t\u{7}' class='\u{9B}31m'>one\u{1B}[31m\u{9B}32m\u{202E}two\u{2066}<img alt='\u{1B}[5m\u{85}alt'>"
        + "<a href='http://x/\u{1B}[1m'>li\u{1B}[0mnk</a></p><pre><code class='language-\u{1B}[7m'>co\u{1B}de</code></pre>"

    @Test(
        arguments: [
            ["strip"], ["strip", "--inner-text"], ["strip", "--links", "footnotes"],
            ["select", "p"], ["select", "p", "--text"], ["select", "p", "--attr", "title"], ["select", "p", "--inner"],
            ["select", "p", "--format", "json"], ["select", "p", "--format", "markdown"], ["select", "p", "--pretty"],
            ["select", "p", "--field", "a=::attr(title)"], ["select", "p", "--field", "a=::text", "--tsv"],
            ["select", "p", "--field", "a=::attr(class)", "--csv"], ["select", "p", "-0"],
            ["render", "--format", "markdown"], ["render", "--format", "html"], ["render", "--format", "text"],
            ["render", "--format", "json"], ["render", "--format", "svg"],
            ["render", "--format", "ansi", "--links", "inline"],
        ] + ["tokens", "normalized", "tree", "styles", "text", "layout", "display"].map { ["dump", "--stage", $0] }
            + ["tokens", "tree", "text"].map { ["dump", "--format", "json", "--stage", $0] })
    func nothingOfTheInputSteersATerminal(_ command: [String]) throws {
        let result = try run(command, Self.steering)
        #expect(result.status == 0 && !result.output.isEmpty, "\(result.errors)")
        let scalars = result.text.unicodeScalars
        let bad = scalars.filter { scalar in
            switch scalar.value {
            case 0x0A, 0x09, 0x00: false
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
        #expect(bad.isEmpty, "\(bad.map { String($0.value, radix: 16) })")
    }

    @Test(arguments: [["select", "p", "--text"], ["strip"], ["render", "--format", "html"]])
    func controlsAreKeptWhenAskedFor(_ command: [String]) throws {
        #expect(try run(command + ["--keep-controls"], "<p>one\u{1B}[31mtwo").output.contains(0x1B))
    }

    @Test func lineEndsOfTheSourceStay() throws {
        #expect(try run(["select", "p"], "<p>one\r\ntwo</p>").text == "<p>one\r\ntwo</p>\n")
    }

    // MARK: Text in pictures

    @Test func textThatCannotBeSeenIsNotToldOfThePicture() throws {
        let page = """
            <style>.p{background:#000;color:#000}</style><p>Card <span class=p>4111 1111</span> end</p>
            <p style="color:transparent">ghost</p><div style="opacity:0">nothing</div><p style="visibility:hidden">away</p>
            <div style="width:48px;overflow:hidden;white-space:nowrap">visible beyond</div>
            <p style="position:relative">bar<span style="position:absolute;inset:0;background:#000"></span></p>
            <p style="color:#fff">white</p><p style="position:absolute;left:-900px">aside</p><p>a<sup>2</sup> 中文 <b>bold</b>
            """
        let scratch = try Scratch()
        let result = try run(["render", "-o", scratch.path("a.png")], page)
        #expect(result.status == 0)
        let png = try Data(contentsOf: URL(fileURLWithPath: scratch.path("a.png")))
        let start = try #require(png.range(of: Data("iTXtDescription\0\0\0\0\0".utf8)))
        let length = png[start.lowerBound - 4..<start.lowerBound].reduce(0) { $0 << 8 | Int($1) }
        let text = String(decoding: png[start.upperBound..<start.lowerBound + 4 + length], as: UTF8.self)
        #expect(
            text.split(whereSeparator: \.isWhitespace) == ["Card", "end", "visible", "a2", "中文", "bold"], "\(text)")
    }

    @Test(
        arguments: [
            ["select", "p", "--text"], ["select", "p", "--attr", "title"], ["select", "p"], ["select", "p", "--inner"],
            ["select", "p", "--pretty"], ["select", "p", "--format", "json"], ["select", "p", "--format", "markdown"],
            ["select", "p", "--format", "ansi"], ["select", "p", "--field", "a=::text"], ["select", "p::text"],
            ["select", "p", "--field", "a=::text", "--csv"], ["select", "p", "--field", "a=::attr(title)", "--tsv"],
            ["select", "p", "--format", "svg"], ["select", "p", "--format", "text"], ["select", "p::html", "--trim"],
            ["select", "p", "--format", "json", "--pretty"], ["select", "p::own-text", "-0"],
            ["select", "p::inner-text", "--separator", ";"],
            ["strip"], ["strip", "--raw"], ["strip", "--inner-text"], ["strip", "--speech"],
            ["strip", "--links", "footnotes"], ["render", "--format", "ansi"],
            ["render", "--format", "json"], ["render", "--format", "html"], ["render", "--format", "markdown"],
            ["render", "--format", "text"], ["render", "--format", "svg"],
        ]
            + ["tokens", "normalized", "tree", "styles", "text", "layout", "display"].flatMap {
                [["dump", "--stage", $0], ["dump", "--stage", $0, "--format", "json"]]
            }, ["always", "never"])
    func nothingOfAPageSteersTheTerminal(_ arguments: [String], _ color: String) throws {
        let hasColor = arguments[0] != "dump" && arguments[0] != "strip"
        let options = (hasColor ? ["--color", color] : []) + ["--no-config"]
        let isRaw = arguments == ["strip", "--raw"]
        let scratch = try Scratch()
        try scratch.write("a\u{1B}[2J.html", Self.hostile)
        try scratch.write("b.html", Self.hostile)
        let alone = try run(arguments + options, Self.hostile)
        #expect(isRaw || !Self.steers(alone.text), "\(alone.text.debugDescription)")
        // Workers write to their parent, which prints; a file is read on a terminal later.
        guard arguments[0] != "dump" else { return }
        if !arguments.contains("svg") {
            let several = try run(arguments + options + ["a\u{1B}[2J.html", "b.html"], folder: scratch.folder)
            #expect(isRaw || !Self.steers(several.text), "\(several.text.debugDescription)")
        }
        let file = try run(arguments + options + ["b.html", "-o", "out"], folder: scratch.folder)
        let written = try String(contentsOfFile: scratch.path("out"), encoding: .utf8)
        #expect(file.status == 0 && (isRaw || !Self.steers(written)), "\(written.debugDescription)")
    }

    private static let hostile =
        "<title>t\u{1B}[2J</title><p title='A\u{1B}]0;pwn\u{7}B'>A\u{1B}[2JR\u{1B}]0;pwn\u{7}\u{9B}2J\u{202E}x "
        + "<a href='y\u{1B}[2J'>z</a>"

    /// A Boolean value that indicates whether a text has controls besides the program's own colours and styles.
    private static func steers(_ text: String) -> Bool {
        let own = text.replacing(try! Regex("\u{1B}\\[[0-9;:]*m"), with: "")
        return own.unicodeScalars.contains { ["\u{1B}", "\u{7}", "\u{9B}", "\u{202E}"].contains($0) }
    }

    @Test(arguments: [
        #""format":"text""#, #""format":"markdown""#, #""format":"html""#, #""format":"svg""#, #""format":"ansi""#,
        #""command":"strip""#, #""command":"select","selector":"p""#, #""command":"select","selector":"p","text":true"#,
        #""command":"dump","stage":"tree""#,
    ])
    func nothingOfARequestSteersWhoReadsItsResult(_ options: String) throws {
        let html = try String(decoding: JSONEncoder().encode(Self.hostile), as: UTF8.self)
        let result = try run(["batch"], "{\"html\":\(html),\(options)}\n")
        struct Answer: Decodable { var text: String }
        let answer = try JSONDecoder().decode(Answer.self, from: result.output)
        #expect(!answer.text.isEmpty && !Self.steers(answer.text), "\(answer.text.debugDescription)")
    }

    @Test(arguments: [["fonts"], ["fonts", "--json"], ["schema", "render"], ["--help"], ["render", "-h"]])
    func listsHoldNoControls(_ arguments: [String]) throws {
        #expect(!Self.steers(try run(arguments).text))
    }

    // MARK: The process that decodes pictures

    @Test func theLockedProcessMakesNoForbiddenCall() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lock-down-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let trial = folder.appendingPathComponent("lock_down").path
        let sources = TestPaths.package.appendingPathComponent("Sources/System/CSafety")
        func run(_ name: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [name] + arguments
            (process.standardOutput, process.standardError) = (pipe, pipe)
            try process.run()
            let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, output)
        }
        let built = try run(
            "clang",
            [
                "-I", sources.appendingPathComponent("include").path, sources.appendingPathComponent("CSafety.c").path,
                TestPaths.package.appendingPathComponent("Tests/Tools/lock_down.c").path, "-o", trial, "-lpthread",
            ])
        try #require(built.status == 0, "\(built.output)")
        let tried = try run(trial, [])
        #expect(tried.status == 0 && tried.output.isEmpty, "\(tried.output)")
    }
}

extension Scratch {
    fileprivate var folder: URL { url.resolvingSymlinksInPath() }

    fileprivate func write(_ name: String, _ text: String) throws {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}
