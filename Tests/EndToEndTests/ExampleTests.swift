// The examples for many machines give the same bytes as one process. Each needs a peer, and is skipped without it.

import Foundation
import FancyTextTestSupport
import Testing

private func finds(_ command: String) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
}

/// A Python with Spark: that of `FANCYTEXT_SPARK_PYTHON`, of `make example-spark`, or the system's.
private let sparkPython: String? = [
    ProcessInfo.processInfo.environment["FANCYTEXT_SPARK_PYTHON"] ?? "",
    TestPaths.package.appendingPathComponent(".build/spark/bin/python").path, "python3",
].first { !$0.isEmpty && finds("'\($0)' -c 'import pyspark, pandas, pyarrow' && java -version") }

@Suite("Examples", whenBuilt)
struct ExampleTests {
    private let examples = TestPaths.fixtures.appendingPathComponent("examples")

    private func output(of command: String) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["FANCYTEXT": try #require(program).url.path]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test(
        .enabled(
            if: finds("command -v parallel && command -v jq && command -v python3"),
            "parallel, jq or python3 is missing"))
    func parallelGivesTheBytesOfOneProcess() throws {
        let scratch = try Scratch()
        let folder = examples.path
        let made = try output(
            of:
                "cd '\(scratch.url.path)' && '\(folder)/rows.py' 30 > rows.ndjson && BLOCK=7 '\(folder)/parallel.sh' rows.ndjson"
        )
        #expect(made.status == 0)
        let records = try made.text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(records.map { $0["id"] as? Int } == Array(0..<30))
        let rows = try #require(program).run(
            [
                "render", folder + "/card.html", "--data", "rows.ndjson", "-o", "{id}.png", "--width", "1200",
                "--height", "630",
                "--no-system-fonts", "--no-config",
            ], folder: scratch.url)
        #expect(rows.status == 0, "\(rows.errors)")
        for (number, record) in records.enumerated() {
            let alone = try Data(contentsOf: URL(fileURLWithPath: scratch.path("\(number).png")))
            #expect(record["data"] as? String == alone.base64EncodedString())
        }
    }

    @Test(.enabled(if: sparkPython != nil, "no Python with pyspark, pandas and pyarrow, or no Java"))
    func sparkGivesTheBytesOfOneProcess() throws {
        let result = try output(
            of:
                "'\(try #require(sparkPython))' '\(examples.path)/spark_cards.py' --rows 200 --master 'local[2]' --sample 4"
        )
        #expect(result.status == 0, "\(result.text)")
        #expect(result.text.contains("200 rows, 0 failed, 0 of 4 differ"))
    }
}
