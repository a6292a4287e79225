// packaging/release in a small repository, with a make that only says that it ran.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Release")
struct ReleaseTests {
    private static let changes =
        "# Changelog\n\n## 0.2.0, unreleased\n\n- Second.\n\n## 0.1.0, 2026-01-01\n\n- First.\n"

    /// Runs a shell script in a repository of a version 0.1.0 with unreleased changes for 0.2.0.
    private func shell(_ script: String) throws -> (status: Int32, text: String) {
        let scratch = try Scratch()
        let setUp = """
            git init -q . && git config user.name A && git config user.email a@example.org
            mkdir -p packaging Sources/FancyText
            cp '\(TestPaths.package.path)/packaging/release' packaging/
            echo '    public static let version = "0.1.0"' > Sources/FancyText/FancyText.swift
            printf '%s' "$CHANGES" > CHANGELOG.md
            printf '#!/bin/sh\\necho "made $*"\\n[ "$1" != dist ] || { mkdir -p .build/dist; echo > .build/dist/a.deb; }\\n' > make
            chmod +x make
            echo .build > .gitignore
            git add . && git commit -qm One
            export MAKE="$PWD/make"
            """
        let result = try #require(Program(URL(fileURLWithPath: "/bin/sh"))).run(
            ["-ec", setUp + "\n" + script], environment: ["CHANGES": Self.changes], folder: scratch.url)
        return (result.status, result.everything)
    }

    @Test func checksCommitsPackagesAndTags() throws {
        let result = try shell(
            """
            packaging/release 0.2.0
            git show v0.2.0:Sources/FancyText/FancyText.swift v0.2.0:CHANGELOG.md
            git tag -l --format='tag: %(contents:subject)' && cat .build/dist/NOTES.md .build/dist/SHA256SUMS
            """)
        #expect(result.status == 0, "\(result.text)")
        for part in [
            "made lint test\n", "made dist\n", "version = \"0.2.0\"", "tag: - Second.", "\n- Second.\n", "  a.deb\n",
        ] {
            #expect(result.text.contains(part), "\(part): \(result.text)")
        }
        #expect(!result.text.contains("unreleased"))
    }

    @Test(arguments: [
        ("packaging/release two", "is no version"),
        ("packaging/release 0.3.0", "has no section '## 0.3.0, unreleased'"),
        ("echo >> CHANGELOG.md; packaging/release 0.2.0", "not committed"),
        ("git tag v0.2.0; packaging/release 0.2.0", "a tag v0.2.0 already"),
        ("sed -i s/0.1.0/0.10.0/ Sources/*/*.swift; git commit -qam Two; packaging/release 0.2.0", "is 0.10.0 already"),
    ])
    func refuses(script: String, message: String) throws {
        let result = try shell(script)
        #expect(
            result.status == 1 && result.text.contains("release: ") && result.text.contains(message), "\(result.text)")
        #expect(!result.text.contains("made"))
    }
}
