// What a card asks of the system. Counts, not times, which depend on what else runs.

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: TestPaths.program != nil, "the program is not built: run make test"))
struct CostTests {
    private static let hasHugePages: Bool = {
        let path = "/sys/kernel/mm/transparent_hugepage/enabled"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return false }
        return text.contains("[madvise]") || text.contains("[always]")
    }()

    /// Pages that the system brought to a run without reading them from the disk.
    private func faults(_ arguments: [String]) throws -> Int {
        let program = try #require(TestPaths.program).path
        var vector: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        defer { for text in vector { free(text) } }
        vector.append(nil)
        var process = pid_t()
        try #require(posix_spawn(&process, program, nil, nil, vector, environ) == 0)
        var status: Int32 = 0
        var usage = rusage()
        try #require(wait4(process, &status, 0, &usage) == process)
        try #require(status == 0)
        return usage.ru_minflt
    }

    /// A card's heap is one huge page: as small ones, it takes 350 faults more. Few runs find none.
    @Test(.enabled(if: hasHugePages, "the system has no huge pages"))
    func aCardTakesOneHugePage() throws {
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
        defer { try? FileManager.default.removeItem(at: output) }
        let card = TestPaths.fixtures.appendingPathComponent("demo/card.html").path
        let arguments = [
            "render", card, "--width", "1200", "--height", "630", "-o", output.path, "--no-config", "--no-system-fonts",
        ]
        let least = try (0..<5).map { _ in try faults(arguments) }.min() ?? .max
        #expect(least < 1000)
    }
}
