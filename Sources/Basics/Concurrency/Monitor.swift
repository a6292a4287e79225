// State that threads share and wait for changes of. In: what is read and written under the lock. Out: one thread at a time.

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

    package func lock() { pthread_mutex_lock(mutex) }

    package func unlock() { pthread_mutex_unlock(mutex) }

    // MARK: With or without the lock

    /// Wakes one thread that waits.
    package func signal() { pthread_cond_signal(change) }

    /// Wakes all threads that wait.
    package func broadcast() { pthread_cond_broadcast(change) }

    // MARK: With the lock held

    /// Lets others have the lock until `isReady`, which is asked again whenever someone was woken.
    package func wait(until isReady: () -> Bool) { while !isReady() { pthread_cond_wait(change, mutex) } }
}

/// A value under a ``Monitor``, for locks that several threads wait for. Swift's own `Mutex` spins before it waits, and does so in
/// a library where ThreadSanitizer can't see who had the lock before; it is for the others.
package final class Guarded<Value>: @unchecked Sendable {
    private let monitor = Monitor()
    private var value: Value

    package init(_ value: consuming sending Value) { self.value = value }

    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result { monitor.locked { body(&value) } }
}
