// Helpers for all tests: paths, running the built program, goldens as text.

import Foundation

/// Paths of the package and of data outside it.
public enum TestPaths {
    /// The package's folder.
    public static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    public static let fixtures = package.appendingPathComponent("Fixtures")

    /// External suites, in the folder that `FANCYTEXT_CONFORMANCE` names; nil if there are none, as in a user's clone.
    public static var conformance: URL? {
        let path = ProcessInfo.processInfo.environment["FANCYTEXT_CONFORMANCE"] ?? "../shared/conformance"
        let url = URL(fileURLWithPath: path, relativeTo: package)
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }

    /// The message of a test that is skipped without a suite.
    public static let conformanceIsAbsent: String =
        "no conformance data: set FANCYTEXT_CONFORMANCE to the folder that holds it"

    /// The release program: `FANCYTEXT_BINARY`, or the one that `make build` wrote; nil if it was not built.
    public static var program: URL? {
        if let path = ProcessInfo.processInfo.environment["FANCYTEXT_BINARY"] { return URL(fileURLWithPath: path) }
        let candidates = [".build/release/fancytext", ".build/debug/fancytext"].map {
            package.appendingPathComponent($0)
        }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}

/// True if ThreadSanitizer runs. It records the whole stack of each allocation: with thousands of nested calls, a single-threaded
/// test takes gigabytes, or minutes.
public let isUnderThreadSanitizer = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__tsan_init") != nil

/// The result of running the program.
public struct ProgramResult: Sendable {
    public var status: Int32
    public var output: Data
    public var errors: String
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// The output, and the errors after it.
    public var everything: String { text + errors }
}

/// Runs the built program like a user or a script.
public struct Program: Sendable {
    public let url: URL

    /// - Parameter url: the program; the built one unless given.
    /// - Returns: nil if it was not built.
    public init?(_ url: URL? = nil) {
        guard let url = url ?? TestPaths.program else { return nil }
        // A program that ends before it has read its input must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        self.url = url
    }

    public struct TimedOut: Error {
        public init() {}
    }

    /// - Throws: ``TimedOut`` after `timeout` seconds.
    public func run(
        _ arguments: [String], input: Data = Data(), environment: [String: String] = [:], folder: URL? = nil,
        timeout: Double = 60
    ) throws -> ProgramResult {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment
        for name in ["NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "COLUMNS", "COLORTERM", "FANCYTEXT_CONFIG"] {
            variables[name] = nil
        }
        process.environment = variables.merging(environment) { $1 }
        if let folder { process.currentDirectoryURL = folder }
        let input_ = Pipe()
        let output = Pipe()
        let errors = Pipe()
        process.standardInput = input_
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let readers = DispatchGroup()
        let box = ResultBox()
        for (pipe, isOutput) in [(output, true), (errors, false)] {
            readers.enter()
            // Separate threads, because the pool may be used up by tests that wait.
            Thread.detachNewThread {
                let data = pipe.fileHandleForReading.readDataToEndOfFile()
                box.set(data, isOutput: isOutput)
                readers.leave()
            }
        }
        Thread.detachNewThread {
            try? input_.fileHandleForWriting.write(contentsOf: input)
            try? input_.fileHandleForWriting.close()
        }
        if readers.wait(timeout: .now() + timeout) == .timedOut {
            process.terminate()
            throw TimedOut()
        }
        process.waitUntilExit()
        return ProgramResult(
            status: process.terminationStatus, output: box.output, errors: String(decoding: box.errors, as: UTF8.self))
    }

    public func run(_ arguments: [String], input: String) throws -> ProgramResult {
        try run(arguments, input: Data(input.utf8))
    }

    private final class ResultBox: @unchecked Sendable {
        private let lock = NSLock()
        private(set) var output = Data()
        private(set) var errors = Data()

        func set(_ data: Data, isOutput: Bool) {
            lock.lock()
            defer { lock.unlock() }
            if isOutput { output = data } else { errors = data }
        }
    }
}

/// The processor time that `body` takes on this thread. Unlike wall-clock time it does not grow when other tests run
/// concurrently, and a limit on it does not expire while the test waits for its turn (unlike `.timeLimit`).
public func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let begin = now()
    try body()
    return now() - begin
}

/// Goldens: expected text beside its input, rewritten by `make record`.
public enum Golden {
    /// Compares `text` with the golden at `path` (below Fixtures). Returns nil if they are equal, otherwise a description of the
    /// first difference. With `FANCYTEXT_RECORD` set, the golden is replaced by `text`.
    public static func difference(_ text: String, from path: String) throws -> String? {
        let url = TestPaths.fixtures.appendingPathComponent(path)
        if ProcessInfo.processInfo.environment["FANCYTEXT_RECORD"] != nil {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
            return nil
        }
        guard let data = try? Data(contentsOf: url) else { return "\(path) is missing; make record writes it" }
        let expected = String(decoding: data, as: UTF8.self)
        if expected == text { return nil }
        let got = text.split(separator: "\n", omittingEmptySubsequences: false)
        let want = expected.split(separator: "\n", omittingEmptySubsequences: false)
        for index in 0..<max(got.count, want.count) {
            let a = index < got.count ? String(got[index]) : "<end>"
            let b = index < want.count ? String(want[index]) : "<end>"
            if a != b { return "\(path):\(index + 1): got \(a.debugDescription), not \(b.debugDescription)" }
        }
        return "\(path): differs"
    }
}
