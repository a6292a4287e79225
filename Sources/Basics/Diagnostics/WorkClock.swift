// The end of a piece of work that takes too long, or whose caller no longer waits for it.
//
// In: a number of seconds, the current task, and a queue's request to stop. Out: whether to stop. Loops of parsing, styling,
// layout and painting check the clock of their work every few steps. Once it reports a stop they return early, and the function
// that started it turns the reason into an error.

import FancyTextPlatform
import Synchronization

/// A request to stop some work. One thread sets it, the thread that works reads it.
package final class Cancellation: Sendable {
    /// The request that work started from here on obeys.
    @TaskLocal package static var current: Cancellation?
    private let flag = Atomic(false)

    package init() {}
    package var isSet: Bool { flag.load(ordering: .relaxed) }
    package func set() { flag.store(true, ordering: .relaxed) }
}

/// Tells a piece of work when to stop. Any thread may ask.
///
/// The seconds are processor time of the thread that started the clock: a server's other threads, and other processes on a
/// busy machine, do not use them up. Work that waits is bounded by ten times as many seconds of wall-clock time.
package final class WorkClock: Sendable {
    /// The reason for which work stopped.
    package enum Stop: UInt8, Sendable { case timeout = 1, cancelled }

    /// The clock of the work that is under way; it never stops work that started none.
    @TaskLocal package static var current = WorkClock()

    private let isRunning: Bool
    private let seconds: Double
    private let cancellation: Cancellation?
    private let owner: pthread_t
    private let wallStart, processorStart: Double
    /// How often the clock may be asked; for tests. Negative is without end.
    private let looksLeft: Atomic<Int>
    private let stopped = Atomic<UInt8>(0)

    private static let wallFactor = 10.0

    private init() {
        isRunning = false
        seconds = 0
        cancellation = nil
        owner = pthread_self()
        (wallStart, processorStart) = (0, 0)
        looksLeft = Atomic(-1)
    }

    /// Starts a clock.
    ///
    /// - Parameters:
    ///   - seconds: 0 is without end.
    ///   - looks: The clock has run out when it has been asked so often.
    package init(seconds: Double, looks: Int = -1) {
        isRunning = true
        self.seconds = seconds
        cancellation = Cancellation.current
        owner = pthread_self()
        wallStart = seconds > 0 ? Self.now(CLOCK_MONOTONIC) : 0
        processorStart = seconds > 0 ? Self.now(CLOCK_THREAD_CPUTIME_ID) : 0
        looksLeft = Atomic(looks)
    }

    /// The reason for which the work was told to stop; `nil` while it may continue.
    package var stop: Stop? { Stop(rawValue: stopped.load(ordering: .relaxed)) }

    /// Looks at the clock. Returns `true`, from then on, when the work is to stop.
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
        let wall = Self.now(CLOCK_MONOTONIC) - wallStart
        if wall <= seconds { return nil }
        if wall > seconds * Self.wallFactor { return .timeout }
        guard pthread_equal(owner, pthread_self()) != 0 else { return nil }
        return Self.now(CLOCK_THREAD_CPUTIME_ID) - processorStart > seconds ? .timeout : nil
    }

    /// The processor time that is left; `nil` without end. To be asked by the thread that started the clock.
    package var secondsLeft: Double? {
        seconds > 0 ? max(0, seconds - (Self.now(CLOCK_THREAD_CPUTIME_ID) - processorStart)) : nil
    }

    private static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        return clock_gettime(clock, &time) == 0 ? Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9 : 0
    }

    /// Calls `work` with a new clock, or with the clock of the work that it is part of.
    package static func run<Output, Failure>(
        seconds: Double, _ work: (WorkClock) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        let outer = current
        guard !outer.isRunning else { return try work(outer) }
        let clock = WorkClock(seconds: seconds)
        return try $current.withValue(clock) {
            Result { () throws(Failure) -> Output in try work(clock) }
        }.get()
    }
}

extension Diagnostic {
    /// The message that work was stopped.
    package init(_ stop: WorkClock.Stop, seconds: Double) {
        switch stop {
        case .timeout: self.init(.error, .timeout, Self.words(ofTimeout: seconds))
        case .cancelled: self.init(.error, .cancelled, "stopped: the task was cancelled")
        }
    }

    package static func words(ofTimeout seconds: Double) -> String { "stopped after \(seconds) seconds" }
}
