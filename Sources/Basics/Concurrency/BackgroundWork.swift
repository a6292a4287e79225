// Work that another thread does before its result is needed.
//
// A short run of the program waits for font libraries to be loaded, fonts to be read and glyphs to be drawn, one after the
// other, while the other processors are idle. Here such work starts early and is collected where it is needed.

import Glibc

/// A thread that does work in the order in which it is given. It starts with the first work and never ends: to start one for
/// each piece costs more than some pieces do, and where it starts is up to the scheduler every time.
package final class BackgroundWork: @unchecked Sendable {
    package static let shared = BackgroundWork()

    /// Work that was given.
    package struct Ticket: Sendable {
        fileprivate let number: Int
    }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // Guarded by the mutex.
    private var waiting: [() -> Void] = []
    private var given = 0
    private var done = 0
    private var hasThread = false
    private var isPreparedForFork = false

    private init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(change, nil)
    }

    /// Gives work, which must not touch anything that the caller uses before ``wait(for:)``. Where no thread can be
    /// had, it is done at once.
    @discardableResult
    package func start(_ work: @escaping () -> Void) -> Ticket {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        given += 1
        if !hasThread { hasThread = startThread() }
        if hasThread {
            waiting.append(work)
            pthread_cond_broadcast(change)
        } else {
            work()
            done += 1
        }
        return Ticket(number: given)
    }

    /// Whether ``wait(for:)`` would return at once.
    package func isDone(_ ticket: Ticket) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return done >= ticket.number
    }

    /// Returns when the work is done.
    package func wait(for ticket: Ticket) {
        pthread_mutex_lock(mutex)
        while done < ticket.number { pthread_cond_wait(change, mutex) }
        pthread_mutex_unlock(mutex)
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
        pthread_mutex_lock(mutex)
        while done < given { pthread_cond_wait(change, mutex) }
    }

    private func goOn() { pthread_mutex_unlock(mutex) }

    private func beginAnew() {
        hasThread = false
        pthread_cond_init(change, nil)
        pthread_mutex_unlock(mutex)
    }

    private func run() {
        pthread_mutex_lock(mutex)
        while true {
            while waiting.isEmpty { pthread_cond_wait(change, mutex) }
            let work = waiting.removeFirst()
            pthread_mutex_unlock(mutex)
            work()
            pthread_mutex_lock(mutex)
            done += 1
            pthread_cond_broadcast(change)
        }
    }
}
