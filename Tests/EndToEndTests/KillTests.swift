// SIGKILL at random times while files are written and a cache is filled; and many processes on one cache.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Kills", whenBuilt)
struct KillTests {
    private static let hasPython = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .contains { FileManager.default.isExecutableFile(atPath: $0) }

    private func kills(_ arguments: String...) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let tool = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Tools/kills.py").standardized.path
        process.arguments = ["python3", tool, "--program", try #require(program).url.path] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test(.enabled(if: hasPython, "needs python3"))
    func filesAreWholeWheneverARunIsKilled() throws {
        let result = try kills("--kills", "12", "--rows", "120")
        #expect(result.status == 0, "\(result.text)")
    }

    @Test(.enabled(if: hasPython, "needs python3"))
    func processesShareACacheThatIsTooSmall() throws {
        let result = try kills("--share", "4", "--requests", "200", "--rows", "120", "--most", "150000")
        #expect(result.status == 0, "\(result.text)")
        #expect(result.text.contains("none wrong"))
    }
}
