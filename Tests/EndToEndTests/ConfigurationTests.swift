// Defaults from a configuration file: what wins, whose paths, whose mistakes.

import Foundation
import TestSupport
import Testing

@Suite("Configuration", whenBuilt)
struct ConfigurationTests {
    private func run(
        _ configuration: String, _ arguments: [String], input: String = "<p>x</p>", named: Bool = false,
        files: [String: String] = [:], environment: [String: String] = [:]
    ) throws -> ProgramResult {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("conf"), withIntermediateDirectories: true)
        let name = named ? "conf/own.json" : "fancytext.json"
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: scratch.path(name)))
        for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path(name))) }
        var environment = environment
        if named { environment["FANCYTEXT_CONFIG"] = name }
        return try #require(program).run(
            arguments, input: Data(input.utf8), environment: environment, folder: scratch.url)
    }

    @Test func commandsOwnOptionsWinOverShared() throws {
        let result = try run(#"{"width": 4, "strip": {"width": 100}}"#, ["strip"], input: "<p>one two three</p>")
        #expect(result.text == "one two three\n")
    }

    @Test func sheetsLieBesideTheConfiguration() throws {
        let result = try run(
            #"{"css": ["hide.css"]}"#, ["strip"], input: "<p>a</p><p class=no>b</p>", named: true,
            files: ["conf/hide.css": ".no { display: none }"])
        #expect(result.text == "a\n", "\(result.errors)")
    }

    @Test func environmentWinsOverTheFile() throws {
        let html = "<b style='color:red'>x</b>"
        let file = #"{"color": "always"}"#
        #expect(try run(file, ["render"], input: html).text.contains("\u{1B}["))
        #expect(!(try run(file, ["render"], input: html, environment: ["NO_COLOR": "1"]).text.contains("\u{1B}[")))
    }

    @Test(arguments: [
        ("{\n  \"widht\": 3\n}", "fancytext.json:2:3: error: there is no option '--widht'"),
        ("{\"strip\": {\n \"scale\": 3}}", "fancytext.json:2:2: error: strip has no option '--scale'"),
        ("{\"width\": \"wide\"}", "fancytext.json:1:2: error: The value 'wide' is invalid for '--width'"),
        ("{\n\"width\": true}", "fancytext.json:2:1: error: 'width' must be text or a number"),
        ("{\"quiet\": \"yes\"}", "fancytext.json:1:2: error: 'quiet' must be true or false"),
        ("{\"width\": [1, 2]}", "fancytext.json:1:2: error: 'width' has one value"),
        ("{\"css\": \"none.css\"}", "fancytext.json:1:2: error: none.css: No such file"),
        ("{\"policy\": \"none\"}", "fancytext.json:1:2: error: The value 'none' is invalid for '--policy'"),
        ("{\n\"width\": 3,\n}", "fancytext.json:3:1: error: this is not JSON"),
        ("[1]", "fancytext.json:1:1: error: the configuration is no JSON object"),
        ("", "fancytext.json:1:1: error: this is not JSON"),
    ])
    func mistakesAreThoseOfTheFile(_ file: String, _ message: String) throws {
        let result = try run(file, ["strip"])
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix(message), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test func aMistakeOfOnesOwnIsNotTheFiles() throws {
        let result = try run(#"{"width": 3}"#, ["strip", "--width", "wide"])
        #expect(result.status == 2)
        #expect(!result.errors.contains("fancytext.json"))
    }

    @Test func optionsOfOtherCommandsAreLeftAlone() throws {
        let result = try run(#"{"scale": 2, "render": {"padding": 3}}"#, ["strip"])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func aConfigurationThatIsNamedMustBeThere() throws {
        let result = try #require(program).run(
            ["strip"], input: Data(), environment: ["FANCYTEXT_CONFIG": "/nonexistent.json"])
        #expect(result.status == 2)
        #expect(result.errors.contains("/nonexistent.json: No such file"))
    }
}
