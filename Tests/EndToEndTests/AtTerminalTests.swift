// The program at a terminal: it prints help instead of waiting, and shows a progress bar for long runs.

import Foundation
import FancyTextTestSupport
import Testing

/// Runs a program in a terminal; util-linux installs it on every Debian.
private let script = "/usr/bin/script"
private let withTerminal: ConditionTrait = .enabled(
    if: FileManager.default.isExecutableFile(atPath: script), "no \(script)")

@Suite("At a terminal", whenBuilt, withTerminal)
struct AtTerminalTests {
    /// The text that a terminal shows, and the exit status.
    private func run(_ command: String, folder: URL? = nil) throws -> (text: String, status: Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: script)
        let path = try #require(program).url.path
        process.arguments = ["-qefc", command.replacingOccurrences(of: "fancytext", with: path), "/dev/null"]
        process.environment = ["TERM": "xterm-256color", "PATH": "/usr/bin:/bin"]
        if let folder { process.currentDirectoryURL = folder }
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }

    @Test(arguments: ["render", "strip", "select b", "dump --stage tree"])
    func shortHelpInsteadOfWaiting(_ command: String) throws {
        let shown = try run("fancytext \(command)")
        #expect(shown.status == 0)
        #expect(shown.text.contains("USAGE: fancytext"))
        #expect(shown.text.contains("EXAMPLES"))
        #expect(!shown.text.contains("OPTIONS"))
    }

    @Test func picturesAreNotWrittenToATerminal() throws {
        let shown = try run("fancytext render --format png /dev/null")
        #expect(shown.status == 2)
        #expect(shown.text.contains("terminal"))
    }

    @Test func shortRunsShowNoBar() throws {
        let scratch = try Scratch()
        for name in ["a.html", "b.html"] {
            try Data("<p>x</p>".utf8).write(to: URL(fileURLWithPath: scratch.path(name)))
        }
        let shown = try run("fancytext strip a.html b.html", folder: scratch.url)
        #expect(!shown.text.contains("/2 files"))
    }

    @Test func longRunsShowABarThatGoes() throws {
        let scratch = try Scratch()
        try Data("<p>x</p>".utf8).write(to: URL(fileURLWithPath: scratch.path("a.html")))
        #expect(mkfifo(scratch.path("slow"), 0o600) == 0)
        // The second input comes after a second and a half.
        let shown = try run(
            "(sleep 1.5; echo y > slow) & fancytext strip a.html slow a.html --jobs 2", folder: scratch.url)
        #expect(shown.status == 0)
        #expect(shown.text.contains("1/3 files"))
        #expect(shown.text.contains("\r\u{1B}[K"))
        #expect(shown.text.contains("x") && shown.text.contains("y"))
    }

    @Test func messagesAreOneLine() throws {
        let scratch = try Scratch()
        try Data("<p style='a:1;b:2'>x".utf8).write(to: URL(fileURLWithPath: scratch.path("a.html")))
        let shown = try run("fancytext render a.html -o a.png", folder: scratch.url)
        #expect(shown.text == "fancytext: 2 messages; --diagnostics shows them\r\n")
        let all = try run("fancytext render a.html -o a.png --diagnostics", folder: scratch.url)
        #expect(all.text.contains("unknown property 'a'") && all.text.contains("unknown property 'b'"))
    }
}
