// SIGKILL at random times while files are written and a cache is filled, and many processes on one cache.

import Foundation
import FancyTextTestSupport
import Testing

@Suite("Kills", whenBuilt)
struct KillTests {
    private static let hasPython = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .contains { FileManager.default.isExecutableFile(atPath: $0) }

    private func kills(_ arguments: String...) throws -> (status: Int32, text: String) {
        let tool = TestPaths.package.appendingPathComponent("Tests/Tools/kills.py").path
        let result = try #require(Program(URL(fileURLWithPath: "/usr/bin/env"))).run(
            ["python3", tool, "--program", try #require(program).url.path] + arguments, timeout: 600)
        return (result.status, result.everything)
    }

    /// Workers end with their parent process, in any state.
    @Test func workersEndWithTheirOwner() throws {
        let scratch = try Scratch()
        let page = "<style>p{box-shadow:0 0 300px red;height:900px;width:900px;margin:-890px 0 0}</style>{{id}}"
        try Data((page + String(repeating: "<p>", count: 5000)).utf8).write(
            to: URL(fileURLWithPath: scratch.path("heavy.html")))
        try Data("id\na\nb\n".utf8).write(to: URL(fileURLWithPath: scratch.path("rows.csv")))
        let process = Process()
        process.executableURL = try #require(program).url
        process.arguments = [
            "render", "heavy.html", "--data", "rows.csv", "-o", "{id}.png", "--jobs", "2", "--no-system-fonts",
            "--no-config", "--timeout", "60",
        ]
        process.currentDirectoryURL = scratch.url
        process.standardError = FileHandle.nullDevice
        try process.run()
        let owner = process.processIdentifier
        var workers: [Substring] = []
        for _ in 0..<600 where workers.count < 2 {
            usleep(20_000)
            let children = try String(contentsOfFile: "/proc/\(owner)/task/\(owner)/children", encoding: .utf8)
            workers = children.split(separator: " ")
        }
        #expect(workers.count == 2)
        kill(owner, SIGKILL)
        process.waitUntilExit()
        func isRunning(_ worker: Substring) -> Bool {
            guard let status = try? String(contentsOfFile: "/proc/\(worker)/stat", encoding: .utf8) else {
                return false
            }
            return !status.contains(") Z") && !status.contains(") X")
        }
        for _ in 0..<200 where workers.contains(where: isRunning) { usleep(20_000) }
        #expect(!workers.contains(where: isRunning))
        for worker in workers { if isRunning(worker), let number = pid_t(worker) { kill(number, SIGKILL) } }
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
