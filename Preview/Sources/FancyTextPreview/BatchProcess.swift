// Runs `fancytext batch`: requests in, results out. A process that has ended is replaced.

import Foundation

/// Sends requests one after another.
final class BatchProcess: Sendable {
    struct Ended: Error {}

    private let program: String
    /// The queue on which a thread blocks until a result arrives, instead of one of Swift's few threads.
    private let queue = DispatchQueue(label: "batch")
    /// Only used on the queue.
    private nonisolated(unsafe) var running: (process: Process, input: FileHandle, output: FileHandle)?
    private nonisolated(unsafe) var rest = Data()

    init(program: String) { self.program = program }

    /// The results of requests, all from one process.
    ///
    /// - Throws: ``Ended`` when the process has ended; the next call starts another.
    func results(of requests: [Data]) async throws -> [Data] {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try requests.map(self.result) }) }
        }
    }

    private func result(of request: Data) throws -> Data {
        let (_, input, output) = try started()
        do {
            try input.write(contentsOf: request + [0x0A])
            while true {
                if let end = rest.firstIndex(of: 0x0A) {
                    defer { rest = Data(rest[(end + 1)...]) }
                    return Data(rest[..<end])
                }
                let data = output.availableData
                guard !data.isEmpty else { throw Ended() }
                rest += data
            }
        } catch {
            running = nil
            throw Ended()
        }
    }

    private func started() throws -> (process: Process, input: FileHandle, output: FileHandle) {
        if let running, running.process.isRunning { return running }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["batch", "--jobs", "1"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        rest = Data()
        let made = (process, input.fileHandleForWriting, output.fileHandleForReading)
        running = made
        return made
    }
}
