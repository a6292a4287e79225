// Help, manual and pages agree with the program.

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
        let help = "\n" + (try program.run(["help", "environment"]).text)
        for name in asked.sorted() { #expect(help.contains("\n\(name) "), "\(name)") }
    }

    @Test(arguments: commands)
    func helpHasItsSections(_ command: String) throws {
        let program = try #require(Program())
        let long = try program.run([command, "--help"]).text
        for section in ["EXIT STATUS", "FILES", "fancytext.json", "TOPICS", "environment"] {
            #expect(long.contains(section), "\(section)")
        }
        let short = try program.run([command, "-h"]).text
        #expect(!short.contains("EXIT STATUS") && short.contains("USAGE"))
        #expect(try program.run([command, "-V"]).text == program.run(["--version"]).text)
    }

    @Test func optionsThatMostPeopleNeedComeFirst() throws {
        let help = try #require(Program()).run(["render", "--help"]).text
        let places = try ["--output", "--format", "--width", "--css", "--color", "--limit"].map {
            try #require(help.range(of: "  \($0) ") ?? help.range(of: ", \($0) ")).lowerBound
        }
        #expect(places == places.sorted())
    }

    /// The lines below a heading are indented, as ArgumentParser does not indent what it wraps.
    @Test(arguments: commands)
    func sectionsKeepTheirColumn(_ command: String) throws {
        let help = try #require(Program()).run([command, "--help"]).text
        var isSection = false
        for line in help.prefix(upTo: try #require(help.range(of: "USAGE:")).lowerBound).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            let isHeading = !line.isEmpty && line.allSatisfy { $0.isUppercase || $0 == " " }
            #expect(isHeading || !isSection || line.isEmpty || line.hasPrefix("  "), "\(line)")
            isSection = isHeading || isSection && line.hasPrefix("  ")
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func shellsCompleteTopicsAndPages(_ shell: String) throws {
        let script = try #require(Program()).run(["--generate-completion-script", shell]).text
        #expect(script.contains("render strip select dump fonts batch cache preview schema environment css "))
        #expect(script.contains("JIS-B4") && script.contains("A4"))
    }

    /// The pages are in `../share/doc/fancytext`, relative to the program's folder.
    @Test func topicsAreShown() throws {
        let program = try #require(Program())
        let unknown = try program.run(["help", "css"])
        #expect(unknown.status == 2 && unknown.errors.contains("share/doc/fancytext/Properties.md"))
        let wrong = try program.run(["help", "foo"])
        #expect(wrong.status == 2 && wrong.errors.contains("There is no help for 'foo'"))

        let scratch = try Scratch()
        let files = FileManager.default
        try files.createDirectory(atPath: scratch.path("bin"), withIntermediateDirectories: false)
        try files.copyItem(atPath: program.url.path, toPath: scratch.path("bin/fancytext"))
        let pages = Process()
        pages.executableURL = TestPaths.package.appendingPathComponent("packaging/pages")
        pages.arguments = [scratch.path("share/doc/fancytext")]
        try pages.run()
        pages.waitUntilExit()
        let installed = try #require(Program(URL(fileURLWithPath: scratch.path("bin/fancytext"))))
        for topic in [
            "css", "formats", "guide", "options", "packaging", "recipes", "security", "templates", "terminal",
        ] {
            let shown = try installed.run(["help", topic])
            #expect(shown.status == 0 && shown.text.count > 1000, "\(topic)")
            #expect(!shown.text.contains("doc:"), "\(topic)")
        }
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
            for section in ["\"EXIT STATUS\"", "FILES"] { #expect(page.contains("\n.Sh \(section)\n")) }
            #expect(page.contains(".Nm fancytext-\(command)\n"))
            let help = try program.run([command, "--help"]).text
            for match in help.matches(of: #/(?m)^  (?:-[a-zA-Z0-9], )?--([a-z-]+)/#) {
                #expect(page.contains("-\(match.1)"), "\(command) --\(match.1)")
            }
        }
        let page = try String(contentsOfFile: scratch.path("man/fancytext.1"), encoding: .utf8)
        for name in try variables() { #expect(page.contains("\n\(name) "), "\(name)") }
        for command in Self.commands { #expect(page.contains("\n.It Ic \(command)\n"), "\(command)") }
        let templates = try String(contentsOfFile: scratch.path("man/fancytext-templates.7"), encoding: .utf8)
        #expect(templates.contains("{{{key}}}"))
    }
}
