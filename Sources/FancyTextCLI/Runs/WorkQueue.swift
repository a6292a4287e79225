// Work that several threads share, with the results in the order of the inputs.
//
// In: inputs. Out: one result for each, handed out in their order. Threads do not run ahead of the reader by more than a
// few inputs, so the memory for results that wait is bounded.

import Glibc

/// Results of type `Output` for inputs of type `Input`. One thread reads them, with ``next(_:)``.
final class WorkQueue<Input: Sendable, Output>: @unchecked Sendable {
    /// Lock of all that follows.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Signalled when a result is there, or one was taken.
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let inputs: [Input]
    private let window: Int
    private var started = 0
    private var taken = 0
    private var results: [Int: Output] = [:]
    private var threads: [pthread_t] = []
    private let makeWork: @Sendable () -> (Input) -> Output

    /// The main thread's usual size, which deeply nested documents are tested with.
    private static var stackSize: Int { 16 << 20 }

    /// Starts the threads; `makeWork` is called once on each of them.
    init(_ inputs: [Input], threads count: Int, _ makeWork: @escaping @Sendable () -> (Input) -> Output) {
        self.inputs = inputs
        self.makeWork = makeWork
        window = 2 * count + 2
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
        for _ in 0..<count where !start() { break }
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    private func start() -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackSize)
        var thread = pthread_t()
        let own = Unmanaged.passRetained(Runner { self.work() })
        let code = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<Runner>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, own.toOpaque())
        if code == 0 { threads.append(thread) } else { own.release() }
        return code == 0
    }

    private func work() {
        let work = makeWork()
        pthread_mutex_lock(mutex)
        while true {
            while started < inputs.count, started >= taken + window { pthread_cond_wait(changed, mutex) }
            guard started < inputs.count else { break }
            let index = started
            started += 1
            pthread_mutex_unlock(mutex)
            let result = work(inputs[index])
            pthread_mutex_lock(mutex)
            results[index] = result
            pthread_cond_broadcast(changed)
        }
        pthread_mutex_unlock(mutex)
    }

    /// The result of the next input, in the order of the inputs.
    ///
    /// - Parameter whileWaiting: called about every tenth of a second that it takes.
    func next(_ whileWaiting: () -> Void) -> Output {
        // Where no thread can be had, the reader does the work.
        if threads.isEmpty { return makeWork()(inputs[advance()]) }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = results.removeValue(forKey: taken) {
                taken += 1
                pthread_cond_broadcast(changed)
                return result
            }
            var deadline = timespec()
            clock_gettime(CLOCK_MONOTONIC, &deadline)
            deadline.tv_nsec += 100_000_000
            if deadline.tv_nsec >= 1_000_000_000 {
                deadline.tv_nsec -= 1_000_000_000
                deadline.tv_sec += 1
            }
            if pthread_cond_timedwait(changed, mutex, &deadline) != 0 { whileWaiting() }
        }
    }

    private func advance() -> Int {
        defer { taken += 1 }
        return taken
    }

    /// Starts no further work, and waits for what was started.
    func stop() {
        pthread_mutex_lock(mutex)
        started = inputs.count
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
        for thread in threads { pthread_join(thread, nil) }
        threads = []
    }
}

/// What a thread runs.
private final class Runner {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
}
