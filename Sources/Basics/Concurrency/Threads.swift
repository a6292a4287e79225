// Threads of the operating system, and state that they share and whose changes they wait for.

import FancyTextPlatform

/// A mutex and a condition variable: a monitor with Mesa semantics, where a woken thread checks its condition again.
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
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Wakes one waiting thread; with or without the lock.
    package func signal() { pthread_cond_signal(change) }

    /// Wakes all waiting threads; with or without the lock.
    package func broadcast() { pthread_cond_broadcast(change) }

    /// Releases the lock, which must be held, until `isReady` returns true. It is called again after each wake-up.
    package func wait(until isReady: () -> Bool) { while !isReady() { pthread_cond_wait(change, mutex) } }
}

/// A value under a ``Monitor``, for locks that several threads wait for. Swift's own `Mutex`, for locks without contention, spins
/// before it waits, and ThreadSanitizer does not see its unlocking.
package final class Guarded<Value>: @unchecked Sendable {
    private let monitor = Monitor()
    private var value: Value

    package init(_ value: consuming sending Value) { self.value = value }

    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result { monitor.locked { body(&value) } }
}

/// A thread that runs a closure and ends. Its starter must join or detach it.
package struct WorkThread {
    private let thread: pthread_t

    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts `work`; nil, without running it, if no thread can be started. A stack size of nil is the system's default.
    package init?(stackSize: Int? = nil, _ work: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
        let own = Unmanaged.passRetained(Work(work))
        let code = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, own.toOpaque())
        guard code == 0 else {
            own.release()
            return nil
        }
        self.thread = thread
    }

    package func join() { pthread_join(thread, nil) }

    package func detach() { pthread_detach(thread) }
}
