// Systems without /proc or HarfBuzz: features that do not need them work, and the others name the missing part.

import Foundation
import FancyTextTestSupport
import Testing

private let withoutProc = "mount -t tmpfs none /proc && "

/// Mounts are private to the process, and need root.
private let canMount: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    process.arguments = ["-m", "sh", "-c", withoutProc + "true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
}()

@Suite("Bare systems", whenBuilt, .enabled(if: canMount, "needs root and unshare"))
struct BareSystemTests {
    /// The library's file is empty, so it exists but cannot be loaded.
    private static let withoutHarfBuzz =
        "for file in /usr/lib/*/libharfbuzz.so.0; do mount --bind /dev/null $(readlink -f $file); done && "

    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try Data("<p>text <img src=a.png>".utf8).write(to: URL(fileURLWithPath: scratch.path("a.html")))
        try FileManager.default.copyItem(
            at: TestPaths.fixtures.appendingPathComponent("demo/card.png"),
            to: URL(fileURLWithPath: scratch.path("a.png")))
    }

    private func run(_ command: String, _ mounts: String) throws -> (status: Int32, text: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        let path = try #require(program).url.path
        process.arguments = ["-m", "sh", "-c", mounts + "exec \(path) \(command) --no-config"]
        process.currentDirectoryURL = scratch.url
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test func picturesAreDrawnWithoutProc() throws {
        let result = try run("render a.html --width 1300 -o a.webp -o b.png", withoutProc)
        #expect(result.status == 0 && result.text.isEmpty, "\(result.text)")
    }

    @Test(arguments: ["strip a.html", "select p a.html", "render a.html", "render a.html --format json", "fonts"])
    func whatShapesNothingNeedsNoShaper(_ command: String) throws {
        let result = try run(command, Self.withoutHarfBuzz)
        #expect(result.status == 0 && !result.text.isEmpty, "\(result.text)")
    }

    @Test(arguments: ["render a.html -o b.png", "render a.html -o b.svg", "render a.html --format json --layout"])
    func whatShapesTextSaysThatTheShaperIsMissing(_ command: String) throws {
        let result = try run(command, Self.withoutHarfBuzz)
        #expect(result.status == 2)
        #expect(
            result.text
                == "fancytext: error: text is laid out by HarfBuzz (libharfbuzz.so.0), which is not installed or cannot be loaded\n"
        )
    }
}
