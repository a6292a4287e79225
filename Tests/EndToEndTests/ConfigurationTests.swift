// Defaults from a configuration file: precedence, the base of paths, and errors.

import Foundation
import FancyTextTestSupport
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
        ("{\"render\": 5}", "fancytext.json:1:2: error: 'render' must be an object of options"),
        ("{\n  \"widht\": 3\n}", "fancytext.json:2:3: error: there is no option '--widht'"),
        ("{\"strip\": {\n \"scale\": 3}}", "fancytext.json:2:2: error: strip has no option '--scale'"),
        ("{\"width\": \"wide\"}", "fancytext.json:1:2: error: The value 'wide' is invalid for '--width'"),
        ("{\n\"width\": true}", "fancytext.json:2:1: error: 'width' must be text or a number"),
        ("{\"speech\": \"yes\"}", "fancytext.json:1:2: error: 'speech' must be true or false"),
        ("{\"width\": [1, 2]}", "fancytext.json:1:2: error: 'width' takes a single value"),
        ("{\"css\": \"none.css\"}", "fancytext.json:1:2: error: none.css: there is no such file below the folder"),
        ("{\"policy\": \"none\"}", "fancytext.json:1:2: error: The value 'none' is invalid for '--policy'"),
        ("{\n\"width\": 3,\n}", "fancytext.json:3:1: error: not valid JSON"),
        ("[1]", "fancytext.json:1:1: error: the configuration must be a JSON object"),
        ("", "fancytext.json:1:1: error: not valid JSON"),
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

    // MARK: A file that is not named on the command line

    @Test(arguments: [
        ("output", #""x.txt""#), ("image-map", #""x.html""#), ("append", #""p=x""#), ("base-dir", #""/""#),
        ("allow-net", "true"), ("font", #""f.ttf""#), ("lambda", #""a=b""#), ("max-input", "3"), ("quiet", "true"),
    ])
    func aFoundFileSetsLooksOnly(_ key: String, _ value: String) throws {
        for file in ["{\n \"\(key)\": \(value)}", "{\"render\": {\n \"\(key)\": \(value)}}"] {
            let result = try run(file, ["render"])
            #expect(result.status == 2 && result.output.isEmpty)
            #expect(
                result.errors == """
                    fancytext.json:2:2: error: '\(key)' is not allowed in a file found in the working directory; \
                    a file that FANCYTEXT_CONFIG or --config names may set it

                    """)
        }
    }

    @Test func aNamedFileSetsAllOptionsButItsOwn() throws {
        let edit = #"{"append": "p=<b>y</b>", "quiet": true}"#
        #expect(try run(edit, ["render", "--color", "never"], named: true).text == "xy\n")
        let own = try run(#"{"config": "other.json"}"#, ["render"], named: true)
        #expect(own.errors == "conf/own.json:1:2: error: 'config' is not allowed in a configuration file\n")
    }

    @Test func aNamedFileWinsOverTheFoundOne() throws {
        let files = ["a.json": #"{"width": 3}"#, "b.json": #"{"width": 7}"#]
        let found = #"{"width": 100}"#
        let text = "<p>one two three"
        let environment = ["FANCYTEXT_CONFIG": "b.json"]
        for arguments in [["--config", "a.json"], ["--config=a.json"], ["--config", "b.json", "--config", "a.json"]] {
            let result = try run(
                found, ["strip"] + arguments, input: text, files: files, environment: environment)
            #expect(result.text == "one\ntwo\nthree\n", "\(arguments) \(result.errors)")
        }
        let result = try run(found, ["strip"], input: text, files: files, environment: environment)
        #expect(result.text == "one two\nthree\n")
    }

    @Test func noConfigurationIsReadWhereNoneIsWanted() throws {
        let result = try run(
            "no JSON", ["strip", "--no-config"], environment: ["FANCYTEXT_CONFIG": "/nonexistent.json"])
        #expect(result.status == 0 && result.text == "x\n")
        let both = try run("{}", ["strip", "--no-config", "--config", "fancytext.json"])
        #expect(both.status == 2 && both.errors.contains("cannot be combined"))
    }

    @Test func valuesOfOtherOptionsAreNoConfiguration() throws {
        let result = try run(#"{"separator": 3}"#, ["select", "p", "--text", "--separator", "--no-config"])
        #expect(result.errors.hasPrefix("fancytext.json:1:2: error: 'separator' is not allowed"))
    }

    @Test func sheetsOfAFoundFileLieBelowIt() throws {
        let scratch = try Scratch()
        let files = FileManager.default
        for folder in ["inside/sub", "outside"] {
            try files.createDirectory(atPath: scratch.path(folder), withIntermediateDirectories: true)
        }
        for sheet in ["inside/sub/a.css", "outside/a.css"] {
            try Data(".no { display: none }".utf8).write(to: URL(fileURLWithPath: scratch.path(sheet)))
        }
        let inside = URL(fileURLWithPath: scratch.path("inside"))
        let links = [
            "link.css": "../outside/a.css", "folder": "../outside", "loop.css": "loop.css", "good.css": "sub/a.css",
        ]
        for (name, target) in links {
            try files.createSymbolicLink(atPath: scratch.path("inside/" + name), withDestinationPath: target)
        }
        #expect(mkfifo(scratch.path("inside/pipe.css"), 0o600) == 0)
        func strip(_ sheet: String) throws -> ProgramResult {
            try Data("{\"css\": \"\(sheet)\"}".utf8).write(to: inside.appendingPathComponent("fancytext.json"))
            return try #require(program).run(
                ["strip"], input: Data("<p>a</p><p class=no>b</p>".utf8), folder: inside, timeout: 10)
        }
        for sheet in ["sub/a.css", "./sub/../sub/a.css", "good.css", scratch.path("inside/sub/a.css")] {
            let result = try strip(sheet)
            #expect(result.text == "a\n", "\(sheet): \(result.errors)")
        }
        let outside = scratch.path("outside/a.css")
        let others = ["loop.css", "pipe.css", "sub", "/dev/zero"]
        for sheet in ["../outside/a.css", "link.css", "folder/a.css", outside] + others {
            let result = try strip(sheet)
            #expect(result.status == 2 && result.output.isEmpty, "\(sheet)")
            #expect(result.errors.hasPrefix("fancytext.json:1:2: error: \(sheet): "), "\(result.errors)")
        }
    }

    @Test(arguments: ["pipe", "folder", "dangling link", "link to a device"])
    func whatIsNoFileIsNotWaitedFor(_ kind: String) throws {
        let scratch = try Scratch()
        let path = scratch.path("fancytext.json")
        switch kind {
        case "pipe": #expect(mkfifo(path, 0o600) == 0)
        case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case "dangling link": #expect(symlink("nowhere", path) == 0)
        default: #expect(symlink("/dev/zero", path) == 0)
        }
        let result = try #require(program).run(["strip"], input: Data("x".utf8), folder: scratch.url, timeout: 10)
        if kind == "dangling link" {
            #expect(result.text == "x\n")
        } else {
            #expect(result.status == 2 && result.errors.contains("fancytext.json: not a regular file"))
        }
    }
}
