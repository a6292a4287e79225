// The system resources that a card takes. Counts are compared, not times, which depend on other processes.

import Foundation
import FancyTextTestSupport
import Testing

@Suite(.serialized, .enabled(if: TestPaths.program != nil, "the program is not built: run make test"))
struct CostTests {
    /// Sets whether child processes may use huge pages from now on; false if the system does not support this. The C function is
    /// variadic, which Swift does not import.
    private static func allowHugePages(_ isAllowed: Bool) -> Bool {
        typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        guard let symbol = dlsym(nil, "prctl") else { return false }
        let disable: Int32 = 41  // PR_SET_THP_DISABLE
        return unsafeBitCast(symbol, to: Control.self)(disable, isAllowed ? 0 : 1, 0, 0, 0) == 0
    }

    private static let card = TestPaths.fixtures.appendingPathComponent("demo/card.html").path

    private struct Run {
        var picture: Data
        /// Page faults that were served without reading the disk.
        var faults: Int
    }

    private func render(_ card: String) throws -> Run {
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
        defer { try? FileManager.default.removeItem(at: output) }
        let program = try #require(TestPaths.program).path
        let arguments = [
            program, "render", card, "--width", "1200", "--height", "630", "-o", output.path, "--no-config",
            "--no-system-fonts",
        ]
        var vector: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        defer { for text in vector { free(text) } }
        vector.append(nil)
        var process = pid_t()
        try #require(posix_spawn(&process, program, nil, nil, vector, environ) == 0)
        var status: Int32 = 0
        var usage = rusage()
        try #require(wait4(process, &status, 0, &usage) == process)
        try #require(status == 0)
        return Run(picture: try Data(contentsOf: output), faults: usage.ru_minflt)
    }

    /// Canvases request huge pages. Without them the picture is the same and takes more small pages.
    @Test func aCardIsTheSameWithoutHugePages() throws {
        let expected = try render(Self.card)
        var (most, least) = (Int.max, expected.faults)
        for _ in 0..<5 {
            try #require(Self.allowHugePages(false))
            defer { _ = Self.allowHugePages(true) }
            let run = try render(Self.card)
            #expect(run.picture == expected.picture)
            most = min(most, run.faults)
        }
        for _ in 0..<4 { least = min(least, try render(Self.card).faults) }
        // Counts vary by tens of pages between runs.
        #expect(least <= most + 100)
    }
}
