// Messages of the command line about pages, scales and emoji.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("SVG, PDF and densities", whenBuilt)
struct VectorTests {
    private func run(_ arguments: String...) throws -> ProgramResult {
        try #require(program).run(["render", "--no-config"] + arguments, input: "<p>Text")
    }

    @Test(arguments: [
        (["--page", "A4", "--format", "svg"], "--page requires PDF output, or -o with {page}"),
        (["--pages", "5-2", "--page", "A4", "--format", "pdf"], "rising ranges"),
        (["--page-margin", "2em", "--format", "pdf"], "give one to four lengths"),
        (["--page-margin", "20mm", "--padding", "3", "--format", "pdf"], "cannot be combined"),
        (["--page", "A4", "--page-margin", "11cm", "--format", "pdf"], "--page-margin leaves nothing of the page"),
        (["--page", "A9", "--format", "pdf"], "choose one of A3, A4"),
        (["--page", "A4", "--height", "9", "--format", "pdf"], "--page and --height cannot be combined"),
        (["--page", "A5", "--padding", "300", "--format", "pdf"], "--padding leaves nothing of the page"),
        (["--dpi", "300", "--scale", "2", "--format", "png"], "--dpi and --scale cannot be combined"),
        (["--scale", "17", "--format", "png"], "from 1 to 16"),
        (["--emoji", "/proc/self", "--format", "png"], "neither a font nor a folder of pictures"),
        (["--emoji", "/no/such/folder", "--format", "png"], "No such file"),
    ])
    func mistakesAreTold(_ arguments: [String], _ message: String) throws {
        let result = try #require(program).run(
            ["render", "--no-config", "-"] + arguments + ["-o", "/dev/null"], input: "<p>Text")
        #expect(result.status == 2 && result.errors.contains(message), "\(result.errors)")
    }

    @Test func dotsForEachInchAreInThePicture() throws {
        let picture = try run("--dpi", "192", "--width", "10", "--height", "5", "--format", "png", "-o", "-").output
        #expect(picture[16..<24].elementsEqual([0, 0, 0, 20, 0, 0, 0, 10]))
        // 192 dots per inch are 7559 per metre.
        let start = try #require(picture.firstRange(of: Data("pHYs".utf8))).upperBound
        #expect(picture[start..<start + 9].elementsEqual([0, 0, 29, 135, 0, 0, 29, 135, 1]))
    }

    @Test func resultsOfSelectorsBecomeVectors() throws {
        let result = try #require(program).run(["select", "p", "--format", "svg"], input: "<h1>No</h1><p>Yes")
        #expect(result.text.contains(">Yes</text>") && !result.text.contains("No"))
    }

    /// `<base>` is relative to `--base`.
    @Test(arguments: ["svg", "png"])
    func linksAreRelativeToTheBase(_ format: String) throws {
        let scratch = try Scratch()
        let map = format == "png" ? ["--image-map", "map.html"] : []
        let result = try #require(program).run(
            ["render", "--base", "https://h.example/d/", "-o", "x.\(format)", "-"] + map,
            input: Data("<base href='e/'><a href='../f?q'>a</a> <a href='#'>b</a>".utf8), folder: scratch.url)
        let written = try Data(contentsOf: scratch.url.appending(path: map.last ?? "x.\(format)"))
        #expect(written.firstRange(of: Data("https://h.example/d/f?q".utf8)) != nil, "\(result.errors)")
        #expect(written.firstRange(of: Data("href=\"#\"".utf8)) != nil)
    }

    @Test func theBaseRequiresLinks() throws {
        let result = try run("--base", "https://h.example/", "-o", "/dev/null", "--format", "png")
        #expect(
            result.errors.contains("--base requires SVG, PDF, terminal text or --image-map output"), "\(result.errors)")
    }

    @Test(arguments: ["a.svg", "A.SVG"])
    func anSVGFileIsTheWholePicture(_ name: String) throws {
        let scratch = try Scratch()
        try Data("<!DOCTYPE svg><svg xmlns='http://www.w3.org/2000/svg' width='100' height='50'/>".utf8)
            .write(to: scratch.url.appending(path: name))
        let result = try #require(program).run(
            ["render", name, "--width", "auto", "--format", "json", "--layout"], folder: scratch.url)
        #expect(result.text.contains(#""size":{"width":100,"height":50}"#), "\(result.text)")
    }

    // MARK: Pages that cairo does not accept

    private func pdf(_ page: String, _ arguments: String...) throws -> ProgramResult {
        try #require(program).run(["render", "--no-config", "--format", "pdf", "-o", "-"] + arguments, input: page)
    }

    @Test(arguments: [
        "<div style='border:2e7px solid;box-shadow:4px 1px red'>", "<div style='padding:1e8px'>x",
        "<p style='transform:translate(1e9px) scale(1e9)'>x<b style='background:red'>y", "<p style='font-size:1e6px'>x",
        // FreeType refuses letters of this size, and cairo keeps the error as long as the process lives.
        "<svg width=100 height=50><g transform='scale(100)'><text y=20>q</text></g></svg>",
    ])
    func hugeCoordinatesAreClamped(_ page: String) throws {
        #expect(try pdf(page).status == 0)
    }

    @Test(arguments: [UInt32(0xFFFE), 0xFDD0, 0x1FFFF])
    func noncharactersAreLeftOut(_ value: UInt32) throws {
        let character = String(try #require(Unicode.Scalar(value)))
        let page = "<title>\(character)</title>a\(character)b<a href='http://x/\(character)'>x</a>"
        #expect(try pdf(page).status == 0)
    }

    @Test(arguments: ["scale(9999)", "scale(1e-5)", "scale(0)", "scale(1e7)"])
    func textOfAnySizeIsDrawn(_ transform: String) throws {
        #expect(try pdf("<p style='transform-origin:0 0;transform:\(transform)'>x").status == 0)
    }

    // MARK: Costs

    @Test(arguments: ["svg", "pdf"])
    func ordinaryShapesAreNotCharged(_ format: String) throws {
        let page = String(repeating: "<p style='border:1px solid;border-radius:3px;background:red'>x", count: 200)
        let arguments = ["render", "--no-config", "--limit", "painted-pixels=600000", "-o", "-", "--format", format]
        #expect(try #require(program).run(arguments, input: page).status == 0)
    }

    // MARK: Select and units

    @Test(
        arguments: [
            ["ansi"], ["ansi", "--width", "30"], ["svg"], ["svg", "--width", "300"], ["svg", "--scale", "2"],
            ["svg", "--padding", "9"], ["markdown"],
        ])
    func resultsOfSelectorsAreAlone(_ arguments: [String]) throws {
        let result = try #require(program).run(
            ["select", "b", "--no-config", "--format"] + arguments, input: "<h1>Title</h1><p>before <b>yes</b></p>")
        #expect(result.text.contains("yes"))
        #expect(!result.text.contains("Title") && !result.text.contains("before"))
    }

    @Test func unitsOfFontsAreThoseOfTheGlyphs() throws {
        func width(_ style: String, _ text: String) throws -> Substring? {
            let page = "<div style='font-family:monospace;font-size:20px;background:red;\(style)'>\(text)"
            let svg = try #require(program).run(["render", "--no-config", "--format", "svg"], input: page).text
            let box = svg.split(separator: "\n").first { $0.contains("<rect") && $0.contains("#ff0000") }
            return box?.split(separator: " ").first { $0.hasPrefix("width=") }
        }
        let ofUnits = try #require(try width("width:20ch", "x"))
        #expect(try ofUnits == width("width:fit-content", String(repeating: "0", count: 20)))
    }

    @Test func charactersOfATerminalAreItsCells() throws {
        let page = "<div style='font-size:20px;width:20ch;border:1px solid'>x"
        let result = try #require(program).run(
            ["render", "--no-config", "--format", "ansi", "--color", "never"], input: page)
        #expect(result.text.hasPrefix("┌" + String(repeating: "─", count: 20) + "┐\n"), "\(result.text)")
    }
}
