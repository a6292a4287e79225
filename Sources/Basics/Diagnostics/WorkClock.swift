// Stops work that takes too long or is cancelled. In: seconds, a task, a queue's request. Out: whether to stop. Loops check the
// clock every few steps and return early; the function that started the work throws the error.

import FancyTextPlatform
import Synchronization

/// A request to stop some work. One thread sets it, and the working thread reads it.
package final class Cancellation: Sendable {
    /// The request that cancels work started in this task.
    @TaskLocal package static var current: Cancellation?
    private let flag = Atomic(false)

    package init() {}
    package var isSet: Bool { flag.load(ordering: .relaxed) }
    package func set() { flag.store(true, ordering: .relaxed) }
}

/// Tells a piece of work when to stop. Safe to use from any thread.
///
/// The seconds are processor time of the starting thread; ten times as many seconds of wall-clock time bound work that waits.
package final class WorkClock: Sendable {
    package enum Stop: UInt8, Sendable { case timeout = 1, cancelled }

    /// The clock of the current work; outside of such work it never stops.
    @TaskLocal package static var current = WorkClock(seconds: 0, isRunning: false)

    private let isRunning: Bool
    private let seconds: Double
    private let cancellation: Cancellation?
    private let owner: pthread_t
    private let wallStart, processorStart: Double
    /// The number of checks until the clock stops, for tests; negative for no limit.
    private let looksLeft: Atomic<Int>
    private let stopped = Atomic<UInt8>(0)

    private static let wallFactor = 10.0

    /// Starts a clock of some seconds (0 means no limit), or of a number of checks.
    package init(seconds: Double, looks: Int = -1, isRunning: Bool = true) {
        (self.isRunning, self.seconds) = (isRunning, seconds)
        cancellation = isRunning ? Cancellation.current : nil
        owner = pthread_self()
        wallStart = seconds > 0 ? secondsNow() : 0
        processorStart = seconds > 0 ? secondsNow(CLOCK_THREAD_CPUTIME_ID) : 0
        looksLeft = Atomic(looks)
    }

    /// The reason why the work must stop; `nil` while it may continue.
    package var stop: Stop? { Stop(rawValue: stopped.load(ordering: .relaxed)) }

    /// Checks the clock. Once the work must stop it always returns `true`.
    package func isOver() -> Bool {
        guard isRunning else { return false }
        if stopped.load(ordering: .relaxed) != 0 { return true }
        guard let reason = reasonToStop() else { return false }
        stopped.store(reason.rawValue, ordering: .relaxed)
        return true
    }

    private func reasonToStop() -> Stop? {
        if cancellation?.isSet == true || Task.isCancelled { return .cancelled }
        if looksLeft.load(ordering: .relaxed) >= 0, looksLeft.subtract(1, ordering: .relaxed).newValue < 0 {
            return .timeout
        }
        guard seconds > 0 else { return nil }
        // Reading the wall clock needs no system call, and a thread's processor time is never longer.
        let wall = secondsNow() - wallStart
        if wall <= seconds { return nil }
        if wall > seconds * Self.wallFactor { return .timeout }
        guard pthread_equal(owner, pthread_self()) != 0 else { return nil }
        return secondsNow(CLOCK_THREAD_CPUTIME_ID) - processorStart > seconds ? .timeout : nil
    }

    /// The processor time left; `nil` without a limit. Only for the thread that started the clock.
    package var secondsLeft: Double? {
        seconds > 0 ? max(0, seconds - (secondsNow(CLOCK_THREAD_CPUTIME_ID) - processorStart)) : nil
    }

    /// Calls `work` with a new clock, or with the clock of the surrounding work.
    package static func run<Output, Failure>(
        seconds: Double, _ work: (WorkClock) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        let outer = current
        guard !outer.isRunning else { return try work(outer) }
        let clock = WorkClock(seconds: seconds)
        return try $current.withValue(clock) { Result { () throws(Failure) in try work(clock) } }.get()
    }
}

extension Diagnostic {
    package init(_ stop: WorkClock.Stop, seconds: Double) {
        switch stop {
        case .timeout: self.init(.error, .timeout, Self.words(ofTimeout: seconds))
        case .cancelled: self.init(.error, .cancelled, "stopped: the task was cancelled")
        }
    }

    package static func words(ofTimeout seconds: Double) -> String { "stopped after \(seconds) seconds" }
}
