// What a card asks of the system. Counts, not times, which depend on what else runs.

import Foundation
import TestSupport
import Testing

@Suite(.serialized, .enabled(if: TestPaths.program != nil, "the program is not built: run make test"))
struct CostTests {
    /// Whether the system has huge pages and tells of them, whether or not it gives any.
    private static let tellsOfHugePages: Bool = {
        FileManager.default.fileExists(atPath: "/sys/kernel/mm/transparent_hugepage/enabled")
            && (try? mappings("self"))?.contains("VmFlags:") == true
    }()

    /// Whether processes that are started from here on may have huge pages; false where the system does not know the question.
    /// The C function is variadic, which Swift does not import.
    private static func allowHugePages(_ isAllowed: Bool) -> Bool {
        typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        guard let symbol = dlsym(nil, "prctl") else { return false }
        let disable: Int32 = 41  // PR_SET_THP_DISABLE
        return unsafeBitCast(symbol, to: Control.self)(disable, isAllowed ? 0 : 1, 0, 0, 0) == 0
    }

    private static let card = TestPaths.fixtures.appendingPathComponent("demo/card.html").path

    private struct Run {
        var picture: Data
        /// Pages that the system brought without reading them from the disk.
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

    /// The heap's huge page is only asked for: where there is none, everything is the same, and takes more small ones.
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
        // Runs differ by tens of pages.
        #expect(least <= most + 100)
    }

    /// By the time that a run which names a picture reads its input, a whole huge page of the heap waits for what comes.
    @Test(.enabled(if: tellsOfHugePages, "the system has no huge pages, or does not tell"))
    func theHeapOfACardIsAHugePage() throws {
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
        defer { try? FileManager.default.removeItem(at: output) }
        let process = Process()
        process.executableURL = try #require(TestPaths.program)
        process.arguments = ["render", "-", "-o", output.path, "--no-config", "--no-system-fonts"]
        let input = Pipe()
        process.standardInput = input
        try process.run()
        // More than a pipe holds, so that the program is reading when the rest is written.
        try input.fileHandleForWriting.write(contentsOf: Data("<!--".utf8 + [UInt8](repeating: 0x20, count: 1 << 20)))
        let mappings = try Self.mappings("\(process.processIdentifier)")
        try input.fileHandleForWriting.write(contentsOf: Data("--><p>x".utf8))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(Self.hugePages(of: mappings) == 1)
    }

    /// Whether the system makes pages at once for who asks (Linux 5.14).
    private static let populates: Bool = {
        guard let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), page != MAP_FAILED
        else { return false }
        defer { munmap(page, 4096) }
        return madvise(page, 4096, 23) == 0  // MADV_POPULATE_WRITE
    }()

    /// Nearly all of the program's variables have pages of their own before a second thread runs: each that has not would interrupt
    /// its processor.
    @Test(.enabled(if: tellsOfHugePages && populates, "the system makes no pages at once"))
    func variablesAreInMemoryWhenInputIsRead() throws {
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
        defer { try? FileManager.default.removeItem(at: output) }
        func own(_ path: String) throws -> Int {
            let process = Process()
            process.executableURL = try #require(TestPaths.program)
            process.arguments = ["render", "-", "-o", path, "--no-config", "--no-system-fonts"]
            let input = Pipe()
            process.standardInput = input
            try process.run()
            try input.fileHandleForWriting.write(
                contentsOf: Data("<!--".utf8 + [UInt8](repeating: 0x20, count: 1 << 20)))
            let mappings = try Self.mappings("\(process.processIdentifier)")
            try input.fileHandleForWriting.write(contentsOf: Data("--><p>x".utf8))
            try input.fileHandleForWriting.close()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            return Self.kilobytes("Anonymous:", of: mappings) { $0.contains(" rw-p ") && $0.hasSuffix("/fancytext") }
        }
        // Only a picture has two threads.
        let text = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt")
        defer { try? FileManager.default.removeItem(at: text) }
        #expect(try own(output.path) >= own(text.path) + 64)
    }

    /// What shaped the text of a picture is given back before the picture's pixels are there.
    @Test(.enabled(if: tellsOfHugePages, "the system does not tell"))
    func shapingIsOverBeforePixelsAreThere() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png").path
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let process = Process()
        process.executableURL = try #require(TestPaths.program)
        process.arguments = [
            "render", Self.card, "--width", "1200", "--height", "630", "-o", path, "--no-config", "--no-system-fonts",
        ]
        try process.run()
        // A pipe holds less than the picture: the program waits while it writes.
        let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        let start = try #require(try reader.read(upToCount: 8))
        let mappings = try Self.mappings("\(process.processIdentifier)")
        let rest = try reader.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(start == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) && rest.count > 1 << 16)
        let shaping = Self.kilobytes("Rss:", of: mappings) { $0.contains(" r-xp ") && $0.contains("/libharfbuzz.so") }
        #expect(shaping <= 128, "\(shaping) KB of HarfBuzz")
    }

    /// The sum of a line of what the system tells, over some mappings.
    private static func kilobytes(_ name: String, of mappings: String, where isMeant: (Substring) -> Bool) -> Int {
        var (sum, counts) = (0, false)
        for line in mappings.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.first?.contains("-") == true {
                counts = isMeant(line)
            } else if counts, words.first.map(String.init) == name, words.count > 1 {
                sum += Int(words[1]) ?? 0
            }
        }
        return sum
    }

    /// What the system tells of a process's memory; a file without a size, which is read to its end.
    private static func mappings(_ process: String) throws -> String {
        let file = try #require(FileHandle(forReadingAtPath: "/proc/\(process)/smaps"))
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }

    /// How many whole pages of 2 MiB of the heap are asked for as huge ones.
    private static func hugePages(of mappings: String) -> Int {
        let size = 2 << 20
        var (count, range) = (0, 0..<0)
        for line in mappings.split(separator: "\n") {
            let words = line.split(separator: " ")
            if line.hasSuffix("[heap]"), let bounds = words.first?.split(separator: "-"), bounds.count == 2,
                let start = Int(bounds[0], radix: 16), let end = Int(bounds[1], radix: 16)
            {
                range = start..<end
            } else if words.first == "VmFlags:" {
                if words.contains("hg") {
                    count += max(0, range.upperBound / size - (range.lowerBound + size - 1) / size)
                }
                range = 0..<0
            }
        }
        return count
    }
}
