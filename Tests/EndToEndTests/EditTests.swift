// Edits, lambdas, comparisons and image maps of `fancytext render`, and their error messages.

import Foundation
import FancyTextTestSupport
import Testing

private let card = """
    <h1 id=title>Old</h1><p class=note>One</p><p class=note>Two</p><lambda id=tv width=20 height=10 alt=TV></lambda>\
    <p><a href="https://example.com/?a=1&amp;b=2">a "link"</a></p>
    """

@Suite("Edits", whenBuilt)
struct EditTests {
    private func html(_ edits: String...) throws -> String {
        let result = try #require(program).run(
            ["render", "--format", "html"] + edits, input: Data(card.utf8))
        #expect(result.status == 0, "\(result.errors)")
        return result.text
    }

    @Test func setReplacesText() throws {
        #expect(try html("--set", "#title=a < b").contains("<h1 id=\"title\">a &lt; b</h1>"))
    }

    @Test func setHTMLReplacesContents() throws {
        #expect(try html("--set-html", "#title=<i>New</i>").contains("<i>New</i></h1>"))
    }

    @Test func addClassReachesEveryMatch() throws {
        #expect(try html("--add-class", ".note=done").components(separatedBy: "note done").count == 3)
    }

    @Test func removeDropsEveryMatch() throws {
        let result = try html("--remove", ".note")
        #expect(!result.contains("One") && !result.contains("Two"))
    }

    @Test func appendAddsAtTheEnd() throws {
        #expect(try html("--append", "#title=<b>!</b>").contains("Old<b>!</b></h1>"))
    }

    @Test func theEqualsSignOfAnAttributeSelectorIsNotTheSeparator() throws {
        #expect(try html("--set", "[id=title]=x=y").contains(">x=y</h1>"))
    }

    @Test(arguments: ["--set", "--set-html", "--add-class", "--append"])
    func editsThatMatchNothingFail(_ option: String) throws {
        let result = try run("render", option, "#none=x", input: card)
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("\(option): nothing matches '#none'"))
    }

    @Test func removalsThatMatchNothingFail() throws {
        let result = try run("render", "--remove", "#none", input: card)
        #expect(result.status == 2)
        #expect(result.errors.contains("nothing matches '#none'"))
    }

    @Test func badSelectorsOfEditsShowACaret() throws {
        let result = try run("render", "--set", "a >> b=x", input: card)
        #expect(result.status == 2)
        #expect(result.errors.hasSuffix("^\n"))
    }

    @Test func editsWithoutAValueFail() throws {
        let result = try run("render", "--set", "#title", input: card)
        #expect(result.status == 2)
        #expect(result.errors.contains("selector=value"))
    }
}

@Suite("Lambdas", whenBuilt)
struct LambdaOptionTests {
    @Test func lambdasFillTheirBoxes() throws {
        let scratch = try Scratch()
        try Data("<div style='background:#f00; height:10px'></div>".utf8)
            .write(to: URL(fileURLWithPath: scratch.path("tv.html")))
        let made = try run(
            "render", "--width", "20", "--height", "10", "--padding", "0", "-o", scratch.path("tv.png"),
            input: "<div style='background:#00f; height:10px'></div>")
        #expect(made.status == 0, "\(made.errors)")
        let empty = try run("render", "--format", "png", "--width", "200", input: card)
        var pictures: Set<Data> = [empty.output]
        for name in ["tv.html", "tv.png"] {
            let result = try run(
                "render", "--format", "png", "--width", "200", "--lambda", "tv=\(scratch.path(name))", input: card)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors.isEmpty)
            pictures.insert(result.output)
        }
        #expect(pictures.count == 3)
    }

    @Test func unknownIdsFail() throws {
        let scratch = try Scratch()
        try Data("<b>x</b>".utf8).write(to: URL(fileURLWithPath: scratch.path("x.html")))
        let result = try run(
            "render", "--lambda", "radio=\(scratch.path("x.html"))", "-o", scratch.path("out.png"), input: card)
        #expect(result.status == 2)
        #expect(result.errors.contains("<lambda id=\"radio\">"))
        #expect(scratch.names == ["x.html"])
    }

    @Test func badImagesFail() throws {
        let scratch = try Scratch()
        for (name, bytes) in [
            ("text.png", Data("no picture".utf8)), ("cut.png", Data(pngSignature)), ("empty.png", Data()),
        ] {
            try bytes.write(to: URL(fileURLWithPath: scratch.path(name)))
            let result = try run(
                "render", "--format", "png", "--lambda", "tv=\(scratch.path(name))", input: card)
            #expect(result.status == 2, "\(name)")
            #expect(result.errors.contains(name), "\(result.errors)")
            #expect(result.output.isEmpty)
        }
    }

    @Test func missingFilesFail() throws {
        let result = try run("render", "--format", "png", "--lambda", "tv=/nonexistent/tv.png", input: card)
        #expect(result.status == 2)
        #expect(result.errors.contains("/nonexistent/tv.png: No such file"))
    }

    @Test func entriesWithoutAFileFail() throws {
        for entry in ["tv", "tv=", "=tv.png"] {
            let result = try run("render", "--format", "png", "--lambda", entry, input: card)
            #expect(result.status == 2)
            #expect(result.errors.contains("id=file"))
        }
    }
}

@Suite("Comparisons and image maps", whenBuilt)
struct CheckTests {
    @Test func theSamePicturePasses() throws {
        let scratch = try Scratch()
        _ = try run("render", "--width", "200", "-o", scratch.path("golden.png"), input: card)
        // Other metadata, same pixels.
        let result = try run(
            "render", "--width", "200", "--no-metadata", "--check", scratch.path("golden.png"), input: card)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.isEmpty)
        #expect(scratch.names == ["golden.png"])
    }

    @Test func anotherPictureFailsWithADifference() throws {
        let scratch = try Scratch()
        _ = try run("render", "--width", "200", "-o", scratch.path("golden.png"), input: card)
        let result = try run(
            "render", "--width", "200", "--set", "#title=New", "--check", scratch.path("golden.png"),
            "-o", scratch.path("new.png"), input: card)
        #expect(result.status == 1)
        #expect(result.errors.contains("pixels differ"))
        #expect(scratch.names == ["golden.png", "new.diff.png", "new.png"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path("new.diff.png"))).starts(with: pngSignature))
    }

    @Test func anotherSizeFails() throws {
        let scratch = try Scratch()
        _ = try run("render", "--width", "200", "-o", scratch.path("golden.png"), input: card)
        let result = try run("render", "--width", "220", "--check", scratch.path("golden.png"), input: card)
        #expect(result.status == 1)
        #expect(scratch.names == ["golden.diff.png", "golden.png"])
    }

    @Test func aMissingOrBadGoldenIsAnError() throws {
        let scratch = try Scratch()
        #expect(try run("render", "--check", scratch.path("none.png"), input: card).status == 2)
        try Data("x".utf8).write(to: URL(fileURLWithPath: scratch.path("bad.png")))
        let result = try run("render", "--check", scratch.path("bad.png"), input: card)
        #expect(result.status == 2)
        #expect(result.errors.contains("bad.png"))
        #expect(scratch.names == ["bad.png"])
    }

    @Test func comparisonsAreOfPictures() throws {
        let result = try run("render", "--format", "text", "--check", "golden.png", input: card)
        #expect(result.status == 2)
        #expect(result.errors.contains("--check"))
    }

    @Test func linksBecomeAreas() throws {
        let scratch = try Scratch()
        let result = try run(
            "render", "--width", "200", "-o", scratch.path("card.png"), "--image-map", scratch.path("card.html"),
            input: card)
        #expect(result.status == 0, "\(result.errors)")
        let map = try String(contentsOfFile: scratch.path("card.html"), encoding: .utf8)
        #expect(map.contains("<img src=\"card.png\" width=\"200\""))
        #expect(map.contains("href=\"https://example.com/?a=1&amp;b=2\" alt=\"a &quot;link&quot;\""))
        let links = try run("select", "area", "--count", scratch.path("card.html"))
        #expect(links.text == "1\n")
    }
}

/// Style sheets that documents name, read only from files beside them.
@Suite("Style sheets of files", whenBuilt)
struct SheetFileTests {
    private func colors(_ page: String, _ files: [String: String], _ options: [String] = []) throws -> ProgramResult {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let inner = folder.appendingPathComponent("in")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: inner.appendingPathComponent(name)) }
        try Data("p { color: #ff0000 }".utf8).write(to: folder.appendingPathComponent("outside.css"))
        try Data(page.utf8).write(to: inner.appendingPathComponent("page.html"))
        return try #require(program).run(
            ["render", inner.appendingPathComponent("page.html").path, "--format", "json"] + options)
    }

    @Test(arguments: ["<style>@import 'a.css';</style><p>x", "<link rel=stylesheet href=a.css><p>x"])
    func sheetsBesideTheDocumentAreRead(_ page: String) throws {
        #expect(try colors(page, ["a.css": "p { color: #ff0000 }"]).text.contains("#ff0000ff"))
    }

    @Test func sheetsImportSheetsBesideThem() throws {
        let result = try colors(
            "<link rel=stylesheet href=a.css><p>x", ["a.css": "@import 'b.css';", "b.css": "p { color: #ff0000 }"])
        #expect(result.text.contains("#ff0000ff"))
    }

    @Test func sheetsOutsideTheFolderAreNotRead() throws {
        let result = try colors("<link rel=stylesheet href=../outside.css><p>x", [:])
        #expect(!result.text.contains("#ff0000ff") && result.errors.contains("../outside.css"))
    }

    @Test func sheetsThatImportThemselvesEnd() throws {
        let result = try colors(
            "<link rel=stylesheet href=a.css><p>x", ["a.css": "@import 'a.css'; @import 'a.css'; p { color: #ff0000 }"])
        #expect(result.status == 0 && result.text.contains("#ff0000ff"))
    }

    @Test func twoInputsNeverGoToOneFile() throws {
        let result = try #require(program).run(["render", "a.html", "b/a.html", "-o", "/nowhere/{stem}.png"])
        #expect(result.status == 2 && result.errors.contains("more than one"), "\(result.errors)")
    }

    @Test func twoImageMapsNeverGoToOneFile() throws {
        let result = try #require(program).run(
            ["render", "a.html", "b.html", "-o", "/nowhere/{stem}.png", "--image-map", "/nowhere/map.html"])
        #expect(result.status == 2 && result.errors.contains("map.html: more than one"), "\(result.errors)")
    }

    @Test func dumpsReadThemToo() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("p { color: #ff0000 }".utf8).write(to: folder.appendingPathComponent("a.css"))
        try Data("<link rel=stylesheet href=a.css><p>x".utf8).write(to: folder.appendingPathComponent("page.html"))
        let result = try #require(program).run(
            ["dump", "--stage", "styles", folder.appendingPathComponent("page.html").path])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }
}
