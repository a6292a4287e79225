// Work that another thread does before its result is needed.
//
// A short run of the program waits for font libraries to be loaded, fonts to be read and glyphs to be drawn, one after the
// other, while the other processors are idle. Here such work starts early and is collected where it is needed.

import FancyTextPlatform

/// A thread that does work in the order in which it is given. It starts with the first work and never ends: to start one for
/// each piece costs more than some pieces do, and where it starts is up to the scheduler every time.
package final class BackgroundWork: @unchecked Sendable {
    package static let shared = BackgroundWork()

    /// Work that was given.
    package struct Ticket: Sendable {
        fileprivate let number: Int
    }

    private let monitor = Monitor()
    // Guarded by the monitor.
    private var waiting: [() -> Void] = []
    private var given = 0
    private var done = 0
    /// Whether some of it is being done.
    private var isWorking = false
    private var hasThread = false
    private var isPreparedForFork = false

    private init() {}

    /// Gives work, which must not touch anything that the caller uses before ``wait(for:)``. Where no thread can be
    /// had, it is done at once.
    @discardableResult
    package func start(_ work: @escaping () -> Void) -> Ticket {
        let ticket = monitor.locked {
            given += 1
            if !hasThread { hasThread = startThread() }
            if hasThread {
                waiting.append(work)
            } else {
                work()
                done += 1
            }
            return Ticket(number: given)
        }
        monitor.broadcast()
        return ticket
    }

    /// Whether ``wait(for:)`` would return at once.
    package func isDone(_ ticket: Ticket) -> Bool { monitor.locked { done >= ticket.number } }

    /// Returns when the work is done. What the thread has not begun is done here, in its order: a processor that sleeps may
    /// take a millisecond to start a thread.
    package func wait(for ticket: Ticket) {
        monitor.locked {
            while done < ticket.number {
                if canWork { workOnce() } else { monitor.waitAwake(looks: 512) { done >= ticket.number || canWork } }
            }
        }
    }

    /// Whether the next piece could begin.
    private var canWork: Bool { !isWorking && !waiting.isEmpty }

    /// Does the next piece, without the lock.
    private func workOnce() {
        let work = waiting.removeFirst()
        isWorking = true
        monitor.unlock()
        work()
        monitor.lock()
        isWorking = false
        done += 1
        // A thread that was woken with the lock held would only wait for that.
        monitor.unlock()
        monitor.broadcast()
        monitor.lock()
    }

    private func startThread() -> Bool {
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { _ in
                BackgroundWork.shared.run()
                return nil
            }, nil)
        guard code == 0 else { return false }
        pthread_detach(thread)
        if !isPreparedForFork {
            isPreparedForFork = true
            pthread_atfork(
                { BackgroundWork.shared.pause() }, { BackgroundWork.shared.goOn() },
                { BackgroundWork.shared.beginAnew() })
        }
        return true
    }

    // MARK: Copies of the process

    // A copy of the process has no copy of this thread. It is made when all work is done, so that it has what the work gave
    // and waits for nothing.

    private func pause() {
        monitor.lock()
        monitor.wait { done == given }
    }

    private func goOn() { monitor.unlock() }

    private func beginAnew() {
        hasThread = false
        monitor.forgetWaiters()
        monitor.unlock()
    }

    private func run() {
        monitor.lock()
        while true {
            monitor.waitAwake(looks: 64) { canWork }
            workOnce()
        }
    }
}
