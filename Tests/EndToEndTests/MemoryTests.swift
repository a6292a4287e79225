// The memory limit for every input: ten times its bytes and 64 MiB (`pathological.py` tests more inputs).

import Foundation
import FancyTextTestSupport
import Testing

@Suite(.serialized, .enabled(if: TestPaths.program != nil, "the program is not built: run make test"))
struct MemoryTests {
    /// The program's peak memory in bytes. The system's count for an ended process also includes the memory of its parent.
    private func peak(_ arguments: [String], output: URL) throws -> Int {
        let process = Process()
        process.executableURL = try #require(TestPaths.program)
        process.arguments = arguments + ["--no-config"]
        try Data().write(to: output)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        var peak = 0
        while process.isRunning {
            let status =
                (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
            guard status.hasPrefix("Name:\tfancytext\n") else { continue }
            for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
                peak = max(peak, 1024 * (Int(line.filter(\.isNumber)) ?? 0))
            }
        }
        process.waitUntilExit()
        return peak
    }

    @Test(
        arguments: [
            ("", "<b>"), ("<table>", "<b>x"), ("", "<table><b>x"), ("", "<b><i><p>"), ("", "<ruby><rt>"), ("", "<a>"),
            ("", "<table><tr><td>"), ("", "<ul><li>x"), ("", "<b><!>"), ("", "<a a b c d e f g>"),
        ],
        [["strip"], ["select", "b"]])
    func denseInputsKeepThePromise(_ input: (start: String, piece: String), _ arguments: [String]) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).html").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let bytes = Data((input.start + String(repeating: input.piece, count: 2_000_000 / input.piece.utf8.count)).utf8)
        try bytes.write(to: URL(fileURLWithPath: path))
        let output = URL(fileURLWithPath: path + ".out")
        defer { try? FileManager.default.removeItem(at: output) }
        let peak = try peak(arguments + [path], output: output)
        #expect(peak > 4 << 20)
        #expect(peak <= 10 * bytes.count + 64 << 20, "\(peak) bytes")
    }
}
