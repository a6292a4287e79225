// The ending of an output's name selects the format, or gives an error that lists the known endings.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Endings of outputs", whenBuilt)
struct FileEndingTests {
    private let page = "<h1>Title</h1><p>text <a href=/x>link</a>"

    /// Runs a command that writes to a file of this name. Returns the file's contents, if it exists afterwards.
    private func write(_ name: String, _ command: String...) throws -> (result: ProgramResult, contents: Data?) {
        let scratch = try Scratch()
        let path = scratch.path(name)
        let result = try #require(program).run(command + ["-o", path], input: page)
        if result.status != 0 { #expect(scratch.names.isEmpty) }
        return (result, FileManager.default.contents(atPath: path))
    }

    @Test(arguments: ["card.gif", "card.bmp", "card.eps", "card.EPS", "a.b/c.tiff", "x.0"])
    func anEndingThatNamesNoFormatIsAnError(_ name: String) throws {
        for command in [["render"], ["select", "h1"]] {
            let scratch = try Scratch()
            let result = try #require(program).run(command + ["-o", scratch.path(name)], input: page)
            #expect(result.status == 2 && result.output.isEmpty && scratch.names.isEmpty)
            for ending in [".txt", ".html", ".md", ".json", ".png", ".ans"] {
                #expect(result.errors.contains(ending), "\(result.errors)")
            }
        }
    }

    @Test(arguments: [("card.png", "png"), ("runs.json", "json"), ("page.txt", nil), ("card", nil)])
    func aRedirectionIntoAPictureIsTold(name: String, format: String?) throws {
        let path = try #require(program).url.path
        let scratch = try Scratch()
        let command = "printf '<p>x' | '\(path)' render > '\(scratch.path(name))'"
        let result = try #require(Program(URL(fileURLWithPath: "/bin/sh"))).run(["-c", command])
        let message = format.map { "\(name) gets terminal text; --format \($0) writes what its name says" }
        #expect(
            result.status == 0 && (message.map { result.errors.contains($0) } ?? result.errors.isEmpty),
            "\(result.errors)")
    }

    @Test(arguments: [
        ("png", "\u{89}PNG"), ("svg", "<svg"), ("PDF", "%PDF"), ("json", "{"), ("html", "<h1>"), ("txt", "Title"),
        ("ANS", "\u{1B}["),
    ])
    func theEndingNamesTheFormat(_ ending: String, _ start: String) throws {
        let expected = Data(start.unicodeScalars.map { UInt8($0.value) })
        for command in [["render"], ["select", "h1"]] {
            let scratch = try Scratch()
            let path = scratch.path("out.\(ending)")
            #expect(try #require(program).run(command + ["-o", path], input: page).status == 0)
            let contents = try #require(FileManager.default.contents(atPath: path))
            #expect(contents.prefix(expected.count) == expected, "\(command) \(ending)")
        }
    }

    @Test func theEndingNamesTheFormOfRecords() throws {
        let field = ["select", "h1", "--field", "a=::text", "--field", "b=i"]
        for (ending, expected) in [("csv", "a,b\nTitle,\n"), ("tsv", "a\tb\nTitle\t\n")] {
            let scratch = try Scratch()
            let path = scratch.path("out.\(ending)")
            #expect(try #require(program).run(field + ["-o", path], input: page).status == 0)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == expected)
            let table = "<table><tr><th>a<th>b<tr><td>Title<td></table>"
            #expect(try #require(program).run(["select", "table", "-o", path], input: table).status == 0)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == expected)
            // Texts are lines, whatever the name.
            #expect(try #require(program).run(["select", "h1", "--text", "-o", path], input: page).status == 0)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "Title\n")
        }
    }

    @Test func foldersOfPagesAreMade() throws {
        let scratch = try Scratch()
        let path = scratch.path("made/{page}.png")
        #expect(try #require(program).run(["render", "-o", path], input: page).status == 0)
        #expect(FileManager.default.fileExists(atPath: scratch.path("made/1.png")))
    }

    @Test func anExplicitFormatAllowsNamesThatPromiseNothingElse() throws {
        for name in ["page.log", "page.txt", "page.md", "page"] {
            #expect(try write(name, "render", "--format", "text").contents?.isEmpty == false)
        }
        #expect(try write("page.cgi", "select", "h1", "--format", "html").contents == Data("<h1>Title</h1>\n".utf8))
        #expect(try write("page.htm", "render", "--format", "html").result.status == 0)
        #expect(try write("tree.log", "dump", "--stage", "tree", "--format", "text").result.status == 0)
    }

    @Test(arguments: [
        ("page.jpg", ["render", "--format", "text"]), ("a.png", ["render", "--format", "jpeg"]),
        ("a.gif", ["render", "--format", "png"]), ("a.txt", ["render", "--format", "json"]),
        ("page.png", ["select", "h1", "--format", "html"]), ("a.html", ["select", "h1", "--format", "text"]),
        ("tree.pdf", ["dump", "--stage", "tree", "--format", "text"]),
    ])
    func aFormatAndAnEndingMayNotContradictEachOther(_ name: String, _ command: [String]) throws {
        let scratch = try Scratch()
        let result = try #require(program).run(command + ["-o", scratch.path(name)], input: page)
        #expect(result.status == 2 && scratch.names.isEmpty)
        #expect(result.errors.contains("contradict each other"), "\(result.errors)")
    }

    @Test(arguments: ["jpg", "JPG", "jpe"]) func formatsHaveTheNamesOfTheirEndings(_ format: String) throws {
        let contents = try #require(try write("a.jpg", "render", "--format", format).contents)
        #expect(contents.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(try #require(program).run(["select", "h1", "--format", "md"], input: page).text == "# Title\n")
    }

    @Test func eachOutputIsWritten() throws {
        let scratch = try Scratch()
        let names = ["a.png", "b.jpg", "c.pdf", "d.txt", "e.json", "f.md", "g.png"]
        let result = try #require(program).run(
            ["render", "--width", "90", "-o", "-", "--layout"] + names.flatMap { ["-o", scratch.path($0)] }, input: page
        )
        #expect(result.status == 0 && result.text.hasPrefix("Title"), "\(result.errors)")
        #expect(Set(scratch.names) == Set(names))
        func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: scratch.path(name))) }
        #expect(try bytes("a.png") == bytes("g.png"))
        for name in names {
            let path = scratch.path("alone-" + name)
            let layout = name == "e.json" ? ["--layout"] : []
            let alone = try #require(program).run(["render", "--width", "90", "-o", path] + layout, input: page)
            #expect(alone.status == 0, "\(alone.errors)")
            let isSame = try bytes(name) == bytes("alone-" + name)
            // PDF files contain their creation time.
            #expect(isSame || name == "c.pdf", "\(name)")
        }
    }

    @Test func textGoesToAllItsFiles() throws {
        let scratch = try Scratch()
        for command in [["strip"], ["select", "h1", "--text"]] {
            let result = try #require(program).run(
                command + ["-o", scratch.path("a.txt"), "-o", scratch.path("b.log"), "-o", "-"], input: page)
            #expect(result.status == 0 && result.text.hasPrefix("Title\n"))
            for name in ["a.txt", "b.log"] {
                #expect(FileManager.default.contents(atPath: scratch.path(name)) == result.output)
            }
        }
    }

    @Test func severalInputsHaveAllOutputs() throws {
        let scratch = try Scratch()
        for name in ["a.html", "b.html"] {
            try Data(page.utf8).write(to: URL(fileURLWithPath: scratch.path(name)))
        }
        let result = try #require(program).run(
            ["render", "a.html", "b.html", "-o", "out/{stem}.png", "-o", "out/{stem}.txt"], folder: scratch.url)
        #expect(result.status == 0, "\(result.errors)")
        for name in ["a.png", "a.txt", "b.png", "b.txt"] {
            #expect(FileManager.default.fileExists(atPath: scratch.path("out/" + name)))
        }
    }

    @Test(arguments: ["out", ".hidden", "dot."])
    func aNameWithoutAnEndingGetsTheUsualFormat(_ name: String) throws {
        #expect(try write(name, "render", "--width", "40").contents?.starts(with: Data("Title\n".utf8)) == true)
        #expect(try write(name, "select", "h1").contents == Data("<h1>Title</h1>\n".utf8))
    }

    @Test(arguments: ["-", "/dev/stdout", "/dev/fd/1"])
    func devicesHaveNoEnding(_ name: String) throws {
        for command in [["render"], ["strip"], ["select", "h1"]] {
            let result = try #require(program).run(command + ["-o", name], input: page)
            #expect(result.status == 0 && result.text.contains("Title"))
        }
    }

    /// Earlier contents of the file are kept, and later writers continue after the output.
    @Test(arguments: ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
    func openFilesAreWrittenOn(_ name: String) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt")
        defer { try? FileManager.default.removeItem(at: file) }
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = [
            "-c", #"(echo before; echo "<h1>Title</h1>" | "$1" strip -o "$2"; echo behind) > "$3""#, "sh",
            try #require(TestPaths.program).path, name, file.path,
        ]
        try shell.run()
        shell.waitUntilExit()
        #expect(try String(contentsOf: file, encoding: .utf8) == "before\nTitle\nbehind\n")
    }

    @Test(arguments: ["page.png", "page.jpg", "page.pdf", "page.html", "page.json"])
    func textHasNoNameOfAnotherFormat(_ name: String) throws {
        for command in [
            ["strip"], ["select", "h1", "--text"], ["select", "a::attr(href)"], ["select", "p", "--count"],
        ] {
            let scratch = try Scratch()
            let result = try #require(program).run(command + ["-o", scratch.path(name)], input: page)
            #expect(result.status == 2 && scratch.names.isEmpty && result.errors.contains(name), "\(command)")
        }
    }

    @Test(arguments: ["page.txt", "page.md", "page.log", "page.tsv", "page.1"])
    func textMayHaveOtherNames(_ name: String) throws {
        #expect(try write(name, "strip").contents?.starts(with: Data("Title\n".utf8)) == true)
        #expect(try write(name, "select", "h1", "--text").contents == Data("Title\n".utf8))
        #expect(try write(name, "select", "a", "--field", "a=@href", "--tsv").result.errors.contains("page") == false)
    }

    @Test func recordsAndDumpsMayBeJSON() throws {
        let records = try write("links.json", "select", "a", "--field", "text=::text")
        #expect(records.contents == Data(#"{"text":"link"}\#n"#.utf8), "\(records.result.errors)")
        let dump = try #require(try write("tree.json", "dump", "--stage", "text").contents)
        #expect(dump.starts(with: Data("{".utf8)))
    }
}
