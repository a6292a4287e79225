// What the command line says about pages, scales and emoji.

import Foundation
import TestSupport
import Testing

@Suite("SVG, PDF and densities", whenBuilt)
struct VectorTests {
    private func run(_ arguments: String...) throws -> ProgramResult {
        try #require(program).run(["render", "--no-config"] + arguments, input: "<p>Text")
    }

    @Test(arguments: [
        (["--page", "A4", "--format", "svg"], "--page requires PDF output"),
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
        // 192 dots for each inch are 7559 for each metre.
        let start = try #require(picture.firstRange(of: Data("pHYs".utf8))).upperBound
        #expect(picture[start..<start + 9].elementsEqual([0, 0, 29, 135, 0, 0, 29, 135, 1]))
    }

    @Test func resultsOfSelectorsBecomeVectors() throws {
        let result = try #require(program).run(["select", "p", "--format", "svg"], input: "<h1>No</h1><p>Yes")
        #expect(result.text.contains(">Yes</text>") && !result.text.contains("No"))
    }
}
