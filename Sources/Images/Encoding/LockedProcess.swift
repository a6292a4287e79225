// Runs C libraries on content of untrusted documents in a copy of this process that can only compute. The copy is locked like the
// process that reads pictures, and a fault in a library ends only it.

import CFancyTextSafety
import FancyTextPlatform

/// Calls functions in a copy of this process, whose other threads must be idle.
package struct LockedProcess: Sendable {
    package enum Failure: Error, Hashable, Sendable {
        case work(String)
        case tookTooLong
        /// The process ended before it had a result.
        case ended(String)
    }

    /// Called first in the copy once it is locked; for tests.
    package var first: @Sendable () -> Void = {}

    private static let timeout: Int32 = 4
    private static let fault: Int32 = 3
    private static let isResult: UInt8 = 0
    private static let isMessage: UInt8 = 1

    package init() {}

    /// Returns the bytes that `work` returns.
    ///
    /// - Parameter seconds: The limit on its processor time.
    package func bytes<Fault: Error>(seconds: Double, _ work: () throws(Fault) -> [UInt8]) throws(Failure) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .ended("no pipe can be had") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process = csafety_fork()
        if process == 0 {
            close(ends[0])
            serve(seconds, to: ends[1], work)
        }
        close(ends[1])
        defer { close(ends[0]) }
        guard process > 0 else { throw .ended("it cannot be started") }
        var bytes = readAll(ends[0]) ?? []
        let status = waitForEnd(of: process)
        let signal = status & 0x7F
        if signal != 0 { throw .ended("signal \(signal), \(String(cString: strsignal(signal)))") }
        switch status >> 8 & 0xFF {
        case 0: break
        case Self.timeout: throw .tookTooLong
        default: throw .ended("more memory than there is, or a fault")
        }
        switch bytes.popLast() {
        case Self.isResult: return bytes
        case Self.isMessage: throw .work(String(decoding: bytes, as: UTF8.self))
        default: throw .ended("no result")
        }
    }

    /// Runs in the copy. The last byte is the kind of the others.
    private func serve<Fault: Error>(_ seconds: Double, to pipe: Int32, _ work: () throws(Fault) -> [UInt8]) -> Never {
        csafety_end_quietly(nil, Self.fault)
        csafety_end_after(seconds, nil, Self.timeout)
        csafety_lock_down(csafety_memory_limit())
        first()
        let result: [UInt8]
        do throws(Fault) {
            result = try work() + [Self.isResult]
        } catch {
            result = Array("\(error)".utf8) + [Self.isMessage]
        }
        _exit(result.withUnsafeBytes { writeFully(pipe, $0) } ? 0 : Self.fault)
    }
}
