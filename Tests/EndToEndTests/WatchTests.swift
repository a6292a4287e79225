// `--watch`: a change of an input, or of a file that it refers to, renders again.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Watch", whenBuilt)
struct WatchTests {
    private struct NothingChanged: Error {}

    @Test func changesOfInputsAndTheirFilesAreFollowed() throws {
        let scratch = try Scratch()
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path(name)), options: .atomic)
        }
        func picture(other seen: Data?) throws -> Data {
            for _ in 0..<1200 {
                if let data = try? Data(contentsOf: URL(fileURLWithPath: scratch.path("card.png"))), data != seen {
                    return data
                }
                usleep(50_000)
            }
            throw NothingChanged()
        }
        try write("card.html", "<link rel=stylesheet href=house.css><h1>One</h1>")
        try write("house.css", "h1{color:red}")
        let process = Process()
        process.executableURL = try #require(program).url
        process.arguments = ["render", "card.html", "-o", "card.png", "--watch", "--no-system-fonts", "--no-config"]
        process.currentDirectoryURL = scratch.url
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        // Threads of tests block other signals, and the process inherits this.
        defer { kill(process.processIdentifier, SIGKILL) }
        var seen = try picture(other: nil)
        for (name, text) in [
            ("card.html", "<link rel=stylesheet href=house.css><h1>Two</h1>"), ("house.css", "h1{color:blue}"),
            ("card.html", "<link rel=stylesheet href=house.css><h1>Three<img src=late.svg alt=''></h1>"),
            (
                "late.svg",
                "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><rect width='40' height='40'/></svg>"
            ),
        ] {
            try write(name, text)
            seen = try picture(other: seen)
        }
        // A missing document gives a message, and the program waits for it.
        try FileManager.default.removeItem(atPath: scratch.path("card.html"))
        sleep(1)
        #expect(process.isRunning)
        try write("card.html", "<h1>Four</h1>")
        _ = try picture(other: seen)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(said.contains("card.html: No such file"), "\(said)")
    }

    @Test func pipesAreNotWaitedFor() throws {
        let scratch = try Scratch()
        let (card, picture) = (scratch.path("card.html"), scratch.path("card.png"))
        func wait(_ what: String, until isThere: () -> Bool) throws {
            for _ in 0..<1200 {
                if isThere() { return }
                usleep(50_000)
            }
            Issue.record("\(what) did not come")
            throw NothingChanged()
        }
        try Data("<h1>One</h1>".utf8).write(to: URL(fileURLWithPath: card))
        let process = Process()
        process.executableURL = try #require(program).url
        process.arguments = ["render", "card.html", "-o", "card.png", "--watch", "--no-system-fonts", "--no-config"]
        process.currentDirectoryURL = scratch.url
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        try wait("a picture") { FileManager.default.fileExists(atPath: picture) }
        unlink(card)
        mkfifo(card, 0o600)
        let said = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
        #expect(said.contains("card.html: it has become a pipe"), "\(said)")
        unlink(picture)
        try Data("<h1>Two</h1>".utf8).write(to: URL(fileURLWithPath: card), options: .atomic)
        try wait("another picture") { FileManager.default.fileExists(atPath: picture) }
    }

    @Test func standardInputCannotBeWatched() throws {
        let result = try #require(program).run(["render", "--watch", "--format", "text"], input: "x")
        #expect(result.status == 2 && result.errors.contains("--watch needs files"))
    }
}
