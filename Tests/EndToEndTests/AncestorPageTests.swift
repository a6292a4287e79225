// The page of the ancestors' features and examples: runs each row's command and compares its output with the row.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("What the ancestors do", whenBuilt)
struct AncestorPageTests {
    private static let page = TestPaths.package.appendingPathComponent("Sources/FancyText/FancyText.docc/Ancestors.md")

    /// A row of one of the page's tables.
    struct Row: CustomTestStringConvertible, Sendable {
        /// The line of the page.
        var line: Int
        var feature, command, output: String
        var testDescription: String { feature }

        init?(line: Int, _ text: Substring) {
            let cells = text.replacing("\\|", with: "\u{0}").split(separator: "|", omittingEmptySubsequences: false)
                .map { String($0.replacing("\u{0}", with: "|")) }
            guard cells.count == 5, cells[2].contains("fancytext") else { return nil }
            self.line = line
            feature = cells[1].trimmingCharacters(in: .whitespaces)
            command = Self.code(cells[2])
            output = Self.code(cells[3])
        }

        /// The text of a code span (CommonMark 0.31 §6.1).
        private static func code(_ cell: String) -> String {
            let span = cell.trimmingCharacters(in: .whitespaces)
            let fence = span.prefix { $0 == "`" }.count
            guard span.count >= 2 * fence else { return "" }
            let text = span.dropFirst(fence).dropLast(fence)
            let isPadded = text.hasPrefix(" ") && text.hasSuffix(" ") && text.contains { $0 != " " }
            return String(isPadded ? text.dropFirst().dropLast() : text)
        }

        static func span(_ text: String) -> String {
            let text = text.replacing("|", with: "\\|")
            if text.isEmpty { return "" }
            if text.contains("`") { return "`` \(text) ``" }
            return text.hasPrefix(" ") && text.hasSuffix(" ") ? "` \(text) `" : "`\(text)`"
        }
    }

    private static let lines = ((try? String(contentsOf: page, encoding: .utf8)) ?? "").split(
        separator: "\n", omittingEmptySubsequences: false)
    private static let rows = lines.enumerated().compactMap { Row(line: $0.offset, $0.element) }

    private static let records = ProcessInfo.processInfo.environment["FANCYTEXT_RECORD"] != nil

    /// The output of a command in an empty folder, with marks for line ends and without other control characters.
    private func output(of command: String) throws -> String {
        let scratch = try Scratch()
        let tools = scratch.url.appendingPathComponent("tools")
        try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            at: tools.appendingPathComponent("fancytext"), withDestinationURL: #require(program).url)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = scratch.url
        process.environment = ["PATH": tools.path + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        var text = String(decoding: data, as: UTF8.self)
        while text.hasSuffix("\n") { text.removeLast() }
        return String(
            String.UnicodeScalarView(
                text.replacing("\n", with: "⏎").unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }

    @Test func everyAncestorIsThere() {
        #expect(Self.rows.count >= 130)
        #expect(Self.rows.filter { $0.output.isEmpty }.map(\.feature) == ["Nothing matches"])
        let titles = Self.lines.filter { $0.hasPrefix("## ") }.joined()
        for name in ["ZMarkupParser", "GSFancyText", "HSHTMLImageRenderer", "Type Mode", "see more"] {
            #expect(titles.contains(name))
        }
    }

    /// Rewrites the outputs if `FANCYTEXT_RECORD=1` is set.
    @Test(.enabled(if: records)) func outputsAreRecorded() throws {
        var lines = Self.lines.map(String.init)
        for row in Self.rows {
            let output = try output(of: row.command)
            lines[row.line] = "| \(row.feature) | \(Row.span(row.command)) | \(Row.span(output)) |"
        }
        try lines.joined(separator: "\n").write(to: Self.page, atomically: true, encoding: .utf8)
    }

    @Test(.enabled(if: !records), arguments: rows) func commandsGiveTheirOutput(_ row: Row) throws {
        #expect(try output(of: row.command) == row.output, "\(row.command)")
    }
}
