// Runs the shell blocks of the README and the documentation unchanged, so that they work when copied.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("README", whenBuilt)
struct ReadmeTests {
    /// The blocks between "```sh" and "```". Those that build or need the network or other programs are "```console".
    private static let blocks: [String] = {
        let pages = TestPaths.package.appendingPathComponent("Sources/FancyText/FancyText.docc")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: pages.path))?.sorted() ?? []
        let files =
            [TestPaths.package.appendingPathComponent("README.md")]
            + names.filter { $0.hasSuffix(".md") }.map { pages.appendingPathComponent($0) }
        let text = files.compactMap { try? String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
        var blocks: [String] = []
        var open: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = open {
                if line == "```" {
                    blocks.append(lines.joined(separator: "\n"))
                    open = nil
                } else {
                    open?.append(line)
                }
            } else if line == "```sh" {
                open = []
            }
        }
        return blocks
    }()

    @Test func everyEditHasAPipeline() {
        let all = Self.blocks.joined(separator: "\n")
        for option in [
            "--set ", "--set-html ", "--set-attr ", "--add-class ", "--append ", "--remove ", "--lambda ", "--check ",
            "--image-map ", "--data ", "--resume",
        ] {
            #expect(all.contains(option), "\(option)")
        }
    }

    @Test(arguments: blocks)
    func runs(_ block: String) throws {
        let scratch = try Scratch()
        let files = FileManager.default
        let samples = TestPaths.fixtures.appendingPathComponent("readme")
        for name in try files.contentsOfDirectory(atPath: samples.path) {
            try files.copyItem(
                at: samples.appendingPathComponent(name), to: scratch.url.appendingPathComponent(name))
        }
        // Links to the program; a `curl` that knows one page; a pager that does not wait.
        let tools = scratch.url.appendingPathComponent("tools")
        try files.createDirectory(at: tools, withIntermediateDirectories: false)
        try files.createSymbolicLink(
            at: tools.appendingPathComponent("fancytext"), withDestinationURL: #require(program).url)
        for (name, script) in [("curl", "cat \(scratch.path("page.html"))"), ("less", "cat")] {
            let tool = tools.appendingPathComponent(name)
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: tool)
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.path)
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let result = try #require(Program(URL(fileURLWithPath: "/bin/bash"))).run(
            ["-e", "-o", "pipefail", "-c", block], environment: ["PATH": tools.path + ":" + path], folder: scratch.url,
            timeout: 600)
        let text = result.everything
        #expect(result.status == 0, "\(block)\n\(text)")
        #expect(!text.contains("warning:"), "\(block)\n\(text)")
    }
}
