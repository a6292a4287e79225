// State that threads share and wait for changes of. In: what is read and written under the lock. Out: one thread at a time.

import CFancyTextMemory
import FancyTextPlatform

/// A mutex and a condition variable for what it guards: a monitor, with Mesa's rule that who was woken looks again.
package final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(change, nil)
    }

    deinit {
        pthread_cond_destroy(change)
        pthread_mutex_destroy(mutex)
        change.deallocate()
        mutex.deallocate()
    }

    package func locked<Result>(_ body: () -> Result) -> Result {
        lock()
        defer { unlock() }
        return body()
    }

    package func lock() { mutex.lockAwake() }

    package func unlock() { pthread_mutex_unlock(mutex) }

    // MARK: With or without the lock

    /// Wakes one thread that waits.
    package func signal() { pthread_cond_signal(change) }

    /// Wakes all threads that wait.
    package func broadcast() { pthread_cond_broadcast(change) }

    // MARK: With the lock held

    /// Lets others have the lock until `isReady`, which is asked again whenever someone was woken.
    package func wait(until isReady: () -> Bool) { while !isReady() { pthread_cond_wait(change, mutex) } }

    /// The same for what will be soon: looks again for a while before the thread sleeps, since to wake it takes longer, on a virtual
    /// machine a tenth of a millisecond.
    ///
    /// - Parameter looks: how often, each after less than a microsecond.
    package func waitAwake(looks: Int, until isReady: () -> Bool) {
        for _ in 0..<looks {
            if isReady() { return }
            unlock()
            for _ in 0..<8 { cmemory_pause() }
            lock()
        }
        wait(until: isReady)
    }

    /// In a copy of the process, made with the lock held: the threads that waited are not in it.
    package func forgetWaiters() { pthread_cond_init(change, nil) }
}

/// A value under a ``Monitor``, for locks that several threads wait for. Swift's own `Mutex` spins before it waits, and does so in
/// a library where ThreadSanitizer can't see who had the lock before; it is for the others.
package final class Guarded<Value>: @unchecked Sendable {
    private let monitor = Monitor()
    private var value: Value

    package init(_ value: consuming sending Value) { self.value = value }

    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result { monitor.locked { body(&value) } }
}

extension UnsafeMutablePointer<pthread_mutex_t> {
    /// Locks a mutex that threads hold for microseconds: looks again some times before the thread sleeps.
    package func lockAwake() {
        for _ in 0..<64 {
            if pthread_mutex_trylock(self) == 0 { return }
            for _ in 0..<8 { cmemory_pause() }
        }
        pthread_mutex_lock(self)
    }
}
