// `fancytext render --data`: a template for many rows, bad rows, names, jobs, and resumed runs.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Rows of data", whenBuilt)
struct RowTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try write("card.html", "<style>h1{color:{{color}}}</style><h1 id=title>T</h1><p>{{text}}</p>")
        try write(
            "rows.csv", "id,title,text,color\n" + (1...20).map { "r\($0),Title \($0),a & b <\($0)>,red\n" }.joined())
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path(name)))
    }

    private func run(_ arguments: String..., input: String = "") throws -> ProgramResult {
        try #require(program).run(
            ["render"] + arguments + ["--no-system-fonts", "--no-config"], input: Data(input.utf8), folder: scratch.url)
    }

    private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: scratch.path(name))) }

    @Test func everyRowHasThePictureThatADocumentOfItsOwnHas() throws {
        let result = try run("card.html", "--data", "rows.csv", "-o", "out/{id}.png", "--jobs", "3")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.isEmpty)
        for row in [1, 7, 20] {
            try write(
                "one.html", "<style>h1{color:red}</style><h1 id=title>Title \(row)</h1><p>a &amp; b &lt;\(row)&gt;</p>")
            _ = try run("one.html", "-o", "one.png")
            #expect(try bytes("out/r\(row).png") == bytes("one.png"))
        }
    }

    @Test func missingPicturesNameTheirRow() throws {
        try write("p.html", "<p>{{id}}\n<img src={{pic}}><img src=logo.png>")
        try write("p.csv", "id,pic\na,x.png\nb,y.png\nc,y.png\n")
        let result = try run("p.html", "--data", "p.csv", "-o", "{id}.png")
        #expect(
            result.errors == """
                p.html:2:1: warning: image x.png: no such file (row 1)
                p.html:2:18: warning: image logo.png: no such file (row 1)
                p.html:2:1: warning: image y.png: no such file (row 2)

                """)
    }

    @Test func aSingleRowNeedsNoKey() throws {
        try write("one.json", #"{"title":"T","text":"x","color":"red"}"#)
        #expect(try run("card.html", "--data", "one.json", "-o", "one.png").status == 0)
        #expect(try bytes("one.png").count > 100)
    }

    @Test(arguments: ["1", "4"])
    func textOfRowsComesInTheirOrder(_ jobs: String) throws {
        let result = try run("card.html", "--data", "rows.csv", "--format", "markdown", "--jobs", jobs)
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.text.components(separatedBy: "\n").filter { $0.hasPrefix("# ") } == (1...20).map { "# Title \($0)" })
    }

    @Test func columnsThatNothingNamesAreNoted() throws {
        try write("badge.html", "<p>{{name}}<b id=city></b>")
        try write("badges.csv", "id,name,city,age,\n1,a,b,3,\n")
        let result = try run("badge.html", "--data", "badges.csv", "-o", "out/{id}.png")
        #expect(result.status == 0)
        #expect(result.errors == "fancytext: note: no tag of the template names these columns: 'age'\n")
    }

    @Test func wrongRowsCostThemselves() throws {
        let rows = [
            #"{"id":"a","text":"x","color":"red"}"#, #"{"id":"b","color":"red"}"#, "nonsense",
            #"{"id":"a","text":"y","color":"red"}"#, #"{"id":"c","text":"z","color":"red;"}"#,
            #"{"id":"","text":"z","color":"red"}"#, #"{"id":"../d","text":"z","color":"blue"}"#,
        ]
        let result = try run(
            "card.html", "--data", "-", "--data-format", "ndjson", "-o", "out/{id}.png",
            input: rows.joined(separator: "\n"))
        #expect(result.status == 2)
        let lines = result.errors.split(separator: "\n").map(String.init)
        #expect(lines.count == 5, "\(result.errors)")
        let starts = [
            "<stdin>:2:1: error: row 2: there is no 'text' (card.html:1:", "<stdin>:3:1: error: row 3: not valid JSON",
            "<stdin>:4:1: error: row 4: out/a.png: another row", "<stdin>:5:1: error: row 5: 'red;' is no single",
            "<stdin>:6:1: error: row 6: 'id' is empty",
        ]
        for (line, start) in zip(lines, starts) { #expect(line.hasPrefix(start), "\(line)") }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path("out")).sorted()
                == ["___d.png", "a.png"].sorted())
    }

    /// Canonically equivalent names are the same file on some systems.
    @Test func equivalentNamesAreOneFile() throws {
        let rows = ["e\u{301}", "\u{E9}", "e"].map { #"{"id":"\#($0)","text":"x","color":"red"}"# }
        let result = try run(
            "card.html", "--data", "-", "--data-format", "ndjson", "-o", "out/{id}.png",
            input: rows.joined(separator: "\n"))
        #expect(result.status == 2 && result.errors.contains("row 2: out/\u{E9}.png: another row"), "\(result.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("out")).count == 2)
    }

    @Test func messagesOfRowsAreData() throws {
        let result = try run(
            "card.html", "--data", "-", "--data-format", "ndjson", "--format", "text", "--diagnostics", "json",
            input: "1\n")
        #expect(result.status == 2)
        #expect(result.errors.contains(#""file":"<stdin>","line":1"#))
    }

    @Test func whatIsWrongWithTheTemplateIsSaidOnce() throws {
        try write("bad.html", "<p>{{text}}<b {{b}}>")
        let result = try run("bad.html", "--data", "rows.csv", "-o", "out/{id}.png")
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("bad.html:1:15: error: "))
        #expect(result.errors.split(separator: "\n").count == 1)
        let edit = try run("card.html", "--data", "rows.csv", "-o", "out/{id}.png", "--set", "#none=x")
        #expect(edit.errors == "fancytext: error: card.html: --set: nothing matches '#none'\n")
    }

    @Test func resumedRunsDoWhatIsMissingOrChanged() throws {
        let arguments = ["card.html", "--data", "rows.csv", "-o", "out/{id}.png", "--resume"]
        func run(_ more: String...) throws -> ProgramResult {
            try #require(program).run(
                ["render"] + arguments + more + ["--no-system-fonts", "--no-config"], folder: scratch.url)
        }
        #expect(try run().status == 0)
        try FileManager.default.removeItem(atPath: scratch.path("out/r3.png"))
        // A truncated list.
        let list = URL(fileURLWithPath: scratch.path("out/.fancytext-done"))
        try Data(try Data(contentsOf: list).dropLast(9)).write(to: list)
        var text = try String(contentsOfFile: scratch.path("rows.csv"), encoding: .utf8)
        text = text.replacingOccurrences(of: "Title 5,", with: "Title five,")
        try write("rows.csv", text)
        let before = try bytes("out/r5.png")
        let second = try run()
        #expect(second.errors == "fancytext: note: 17 of 20 files were there\n")
        #expect(try bytes("out/r5.png") != before)
        #expect(FileManager.default.fileExists(atPath: scratch.path("out/r3.png")))
        #expect(try run().errors == "fancytext: note: 20 of 20 files were there\n")
        // Other options require new files.
        #expect(try run("--scale", "2").errors.isEmpty)
    }

    @Test func attributesAreSet() throws {
        let result = try run("--set-attr", "img.a=alt=a=<b>", "--format", "html", input: "<img class=a><img class=b>")
        #expect(
            result.text.contains(#"<img class="a" alt="a=<b>">"#) && result.text.contains(#"<img class="b">"#))
        #expect(try run("--set-attr", "img=alt", input: "<img>").errors.contains("selector=name=value"))
        #expect(try run("--set-attr", "img=a b=c", input: "<img>").errors.contains("no name of an attribute"))
        #expect(try run("--set-attr", ".none=a=c", input: "<img>").errors.contains("nothing matches '.none'"))
    }

    @Test(arguments: [
        (["--data", "rows.csv", "-o", "x.png"], "rows require -o with a key"),
        (["--data", "rows.csv", "--format", "png"], "pictures of rows require -o"),
        (["--data", "rows.txt"], "--data-format"), (["--data", "none.csv"], "No such file"),
        (["--data-format", "csv"], "requires --data"), (["--resume"], "requires --data"),
        (["--data", "rows.csv", "--resume"], "--resume requires -o"),
        (["--data", "rows.csv", "-o", "{id}.png", "--check", "x.png"], "cannot be combined"),
        (["card.html", "--data", "rows.csv"], "single template"),
    ])
    func misuseIsNamed(_ arguments: [String], _ message: String) throws {
        let result = try #require(program).run(["render", "card.html"] + arguments, folder: scratch.url)
        #expect(result.status == 2)
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test func anErrorOfEveryRowIsSaidOnceWithACount() throws {
        try write("few.csv", "id,title\n" + (1...9).map { "r\($0),x\n" }.joined())
        let result = try run("card.html", "--data", "few.csv", "-o", "out/{id}.png")
        #expect(result.status == 2)
        let errors = result.errors.split(separator: "\n").filter { $0.contains("error: ") }
        #expect(errors.count == 2 && errors[0].contains("row 1: ") && errors[1].contains("8 more rows: "), "\(errors)")
        let all = try run("card.html", "--data", "few.csv", "-o", "out/{id}.png", "--diagnostics", "json")
        #expect(all.errors.split(separator: "\n").count == 9)
    }

    @Test func aFullDiskEndsTheRun() throws {
        try write("full.csv", "id,title,text,color\n" + (1...200).map { "full,Title \($0),a,red\n" }.joined())
        let result = try run("card.html", "--data", "full.csv", "-o", "/dev/{id}", "--format", "png", "--jobs", "1")
        #expect(result.status == 2)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == 1 && lines[0].contains("No space left on device"), "\(result.errors)")
    }

    @Test func rowsThatFillNothingAreReportedOnce() throws {
        try write("plain.html", "<p id=name>x</p>")
        try write("other.ndjson", "{\"nam\":\"a\"}\n{\"nom\":\"b\"}\n")
        let result = try run("plain.html", "--data", "other.ndjson", "-o", "{row}.png")
        #expect(result.status == 0)
        #expect(
            result.errors
                == "fancytext: warning: a row has no effect: its names are those of no tag and of no id in the template (--data)\n"
        )
        #expect(try run("plain.html", "--data", "other.ndjson", "-o", "{row}.png", "--strict").status == 2)
        try write("name.ndjson", "{\"name\":\"a\",\"more\":1}\n{}\n")
        #expect(try run("plain.html", "--data", "name.ndjson", "-o", "{row}.png").errors.isEmpty)
    }
}
