// Help, manual and README agree with the program.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Help", whenBuilt)
struct HelpTests {
    private static let commands = ["render", "strip", "select", "dump", "fonts", "batch", "cache", "preview", "schema"]

    private func text(_ path: String) throws -> String {
        try String(contentsOf: TestPaths.package.appendingPathComponent(path), encoding: .utf8)
    }

    /// Names of environment variables that the sources of the command line read.
    private func variables() throws -> Set<String> {
        let folder = TestPaths.package.appendingPathComponent("Sources/FancyTextCLI")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var result: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(of: #/(?:environment|isSet|getenv|setenv)\("([A-Z_]+)"/#) {
                result.insert(String(match.1))
            }
        }
        return result
    }

    @Test func everyVariableIsExplained() throws {
        let asked = try variables()
        #expect(asked.count > 10)
        let program = try #require(Program())
        let help = try program.run(["render", "--help"]).text
        let readme = try text("README.md")
        for name in asked.sorted() {
            #expect(help.contains("  \(name) "), "\(name)")
            #expect(readme.contains("`\(name)`"), "\(name)")
        }
    }

    @Test(arguments: commands)
    func helpHasItsSections(_ command: String) throws {
        let program = try #require(Program())
        let long = try program.run([command, "--help"]).text
        for section in ["EXIT STATUS", "ENVIRONMENT", "FILES", "NO_COLOR", "fancytext.json"] {
            #expect(long.contains(section), "\(section)")
        }
        let short = try program.run([command, "-h"]).text
        #expect(!short.contains("ENVIRONMENT") && short.contains("USAGE"))
        #expect(try program.run([command, "-V"]).text == program.run(["--version"]).text)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func shellsReadTheirCompletions(_ shell: String) throws {
        let path = ["/bin/", "/usr/bin/"].map { $0 + shell }.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let path else { return }
        let scratch = try Scratch()
        let script = try #require(Program()).run(["--generate-completion-script", shell])
        try script.output.write(to: URL(fileURLWithPath: scratch.path("completion")))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["-n", scratch.path("completion")]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func shellsCompleteFileNames() throws {
        let program = try #require(Program())
        let bash = try program.run(["--generate-completion-script", "bash"]).text
        #expect(bash.contains("-o filenames"))
        #expect(try program.run(["--generate-completion-script", "zsh"]).text.contains("_files"))
        #expect(try !program.run(["--generate-completion-script", "fish"]).text.isEmpty)
    }

    private static let generator = TestPaths.package.appendingPathComponent(".build/debug/generate-manual")

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: generator.path), "no generate-manual: make man"))
    func manualsHaveAllOptionsAndSections() throws {
        let program = try #require(Program())
        let scratch = try Scratch()
        let process = Process()
        process.executableURL = TestPaths.package.appendingPathComponent("packaging/manual")
        process.arguments = [Self.generator.path, program.url.path, scratch.path("man")]
        process.currentDirectoryURL = TestPaths.package
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        for command in Self.commands {
            let page = try String(contentsOfFile: scratch.path("man/fancytext-\(command).1"), encoding: .utf8)
            for section in ["\"EXIT STATUS\"", "ENVIRONMENT", "FILES"] { #expect(page.contains("\n.Sh \(section)\n")) }
            #expect(page.contains(".Nm fancytext-\(command)\n"))
            let help = try program.run([command, "--help"]).text
            for match in help.matches(of: #/(?m)^  (?:-[a-zA-Z0-9], )?--([a-z-]+)/#) {
                #expect(page.contains("-\(match.1)"), "\(command) --\(match.1)")
            }
            for name in try variables() { #expect(page.contains("\n\(name) "), "\(command) \(name)") }
        }
    }
}
