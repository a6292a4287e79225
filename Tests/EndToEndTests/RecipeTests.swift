// Runs the recipes of the documentation unchanged: each command prints the output on the page.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Recipes", whenBuilt)
struct RecipeTests {
    struct Recipe: CustomTestStringConvertible, Sendable {
        var command: String
        var output: String
        var testDescription: String { command }
    }

    /// The blocks between "```console" and "```": a command after "$ ", and its output.
    private static let recipes: [Recipe] = {
        let page = TestPaths.package.appendingPathComponent("Sources/FancyText/FancyText.docc/Recipes.md")
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        var recipes: [Recipe] = []
        var open: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = open, line == "```" {
                let command = lines.first.map { String($0.dropFirst(2)) } ?? ""
                recipes.append(Recipe(command: command, output: lines.dropFirst().joined(separator: "\n") + "\n"))
                open = nil
            } else if open != nil {
                open?.append(line)
            } else if line == "```console" {
                open = []
            }
        }
        return recipes
    }()

    @Test(arguments: ["packaging/Dockerfile", "Fixtures/examples/golden-pictures.yml"])
    func thePageShowsTheFile(_ name: String) throws {
        let page = TestPaths.package.appendingPathComponent("Sources/FancyText/FancyText.docc/Recipes.md")
        let file = try String(contentsOf: TestPaths.package.appendingPathComponent(name), encoding: .utf8)
        #expect(try String(contentsOf: page, encoding: .utf8).contains("\n\(file)```\n"))
    }

    @Test func thereAreFifty() { #expect(Self.recipes.count >= 50) }

    @Test(arguments: recipes)
    func prints(_ recipe: Recipe) throws {
        let scratch = try Scratch()
        let tool = scratch.url.appendingPathComponent("fancytext")
        try FileManager.default.createSymbolicLink(at: tool, withDestinationURL: #require(program).url)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-e", "-o", "pipefail", "-c", recipe.command]
        process.currentDirectoryURL = TestPaths.fixtures.appendingPathComponent("recipes")
        var variables = ProcessInfo.processInfo.environment
        variables["PATH"] = scratch.url.path + ":" + (variables["PATH"] ?? "/usr/bin:/bin")
        process.environment = variables
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text == recipe.output)
    }
}
