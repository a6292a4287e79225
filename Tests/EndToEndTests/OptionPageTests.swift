// The page of all options, written from the program's own description of its commands.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Option page", whenBuilt)
struct OptionPageTests {
    /// The output of `--experimental-dump-help` (ArgumentParser's ToolInfo).
    private struct Tool: Decodable {
        var command: Command
    }

    private struct Command: Decodable {
        var abstract: String
        var arguments: [Argument]
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            var kind, name: String
        }

        var names: [Name]?
        var valueName, abstract, sectionTitle: String?
        var kind: String

        /// A row of a table.
        var row: String {
            let spelled = (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
            let value = kind == "flag" ? "" : "<\(valueName ?? "")>"
            let name = spelled.isEmpty ? value : spelled.joined(separator: ", ") + (value.isEmpty ? "" : " " + value)
            let cells = ["`\(name)`", (abstract ?? "").replacing("<", with: "&lt;")].map {
                $0.replacing("|", with: "\\|")
            }
            return "| \(cells.joined(separator: " | ")) |"
        }
    }

    private static let commands = ["render", "strip", "select", "dump", "fonts", "batch", "cache", "preview", "schema"]

    private func page() throws -> String {
        let program = try #require(Program())
        var lines = [
            "# Options", "", "Every option of every command, written from the program's own help.", "",
            "A length is in CSS pixels, or has a unit of CSS.", "",
        ]
        /// The options of each section, and the commands that have them.
        var sections: [(title: String, rows: [String], commands: [String])] = []
        func table(_ rows: [String]) { lines += ["| Option | Meaning |", "|---|---|"] + rows + [""] }
        for name in Self.commands {
            let help = try program.run([name, "--experimental-dump-help"]).output
            let command = try JSONDecoder().decode(Tool.self, from: help).command
            let all = command.arguments.filter { !["help", "version"].contains($0.names?.last?.name) }
            lines += ["## \(name)", "", command.abstract, ""]
            table(all.filter { $0.sectionTitle == nil }.map(\.row))
            var titles: [String] = []
            for title in all.compactMap(\.sectionTitle) where !titles.contains(title) { titles.append(title) }
            for title in titles {
                let rows = all.filter { $0.sectionTitle == title }.map(\.row)
                if let index = sections.firstIndex(where: { $0.title == title }) {
                    #expect(sections[index].rows == rows, "\(name): \(title)")
                    sections[index].commands.append(name)
                } else {
                    sections.append((title, rows, [name]))
                }
            }
            if !titles.isEmpty { lines += ["Besides: \(titles.map { $0.lowercased() }.joined(separator: ", ")).", ""] }
        }
        for section in sections {
            lines += [
                "## \(section.title)", "", "For \(section.commands.map { "`\($0)`" }.joined(separator: ", ")).", "",
            ]
            table(section.rows)
        }
        lines += ["## Environment", "", "Options take precedence, and earlier rows over later ones.", ""]
        lines += ["| Variable | Meaning |", "|---|---|"]
        for line in try program.run(["help", "environment"]).text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            lines.append("| `\(parts[0])` | \(parts[1].trimmingCharacters(in: .whitespaces)) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Rewrites the page if `FANCYTEXT_RECORD=1` is set.
    @Test func thePageListsAllOptions() throws {
        let file = TestPaths.package.appendingPathComponent("Sources/FancyText/FancyText.docc/Options.md")
        let page = try page()
        if ProcessInfo.processInfo.environment["FANCYTEXT_RECORD"] != nil {
            try page.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == page)
    }
}
