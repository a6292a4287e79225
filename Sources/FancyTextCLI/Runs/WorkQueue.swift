// Work that several threads share, with the results in the order of the inputs.
//
// In: inputs, one after another. Out: one result for each, handed out in their order. Threads do not run ahead of the reader
// by more than a few inputs, so the memory for inputs and results that wait is bounded.

import CSafety
import Glibc

/// Results of type `Output` for inputs of type `Input`. One thread reads them, with ``next(_:)``.
final class WorkQueue<Input: Sendable, Output>: @unchecked Sendable {
    /// Lock of the source, which may take its time.
    private let sourceMutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let source: () -> Input?
    /// Lock of all that follows.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Signalled when a result is there, or one was taken.
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let window: Int
    private var started = 0
    /// No further inputs are started.
    private var isEnded = false
    private var taken = 0
    private var results: [Int: Output] = [:]
    private var threads: [pthread_t] = []
    private let makeWork: @Sendable () -> (Input) -> Output

    /// The main thread's usual size, which deeply nested documents are tested with.
    private static var stackSize: Int { 16 << 20 }

    /// Starts the threads; `makeWork` is called once on each of them.
    convenience init(_ inputs: [Input], threads count: Int, _ makeWork: @escaping @Sendable () -> (Input) -> Output) {
        var rest = inputs[...]
        self.init(threads: count, from: { rest.popFirst() }, makeWork)
    }

    /// - Parameter source: gives the inputs, nil at their end; called on one thread at a time.
    init(
        threads count: Int, from source: @escaping () -> Input?,
        _ makeWork: @escaping @Sendable () -> (Input) -> Output
    ) {
        self.source = source
        self.makeWork = makeWork
        window = 2 * count + 2
        pthread_mutex_init(mutex, nil)
        pthread_mutex_init(sourceMutex, nil)
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
        pthread_mutex_destroy(sourceMutex)
        changed.deallocate()
        mutex.deallocate()
        sourceMutex.deallocate()
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
        csafety_guard_stack()
        let work = makeWork()
        while let (index, input) = nextInput() {
            let result = work(input)
            pthread_mutex_lock(mutex)
            results[index] = result
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }
    }

    /// The next input with its number, when the reader is not too far behind; nil at the end.
    private func nextInput() -> (Int, Input)? {
        pthread_mutex_lock(sourceMutex)
        defer { pthread_mutex_unlock(sourceMutex) }
        pthread_mutex_lock(mutex)
        while !isEnded, started >= taken + window { pthread_cond_wait(changed, mutex) }
        let isEnded = isEnded
        pthread_mutex_unlock(mutex)
        guard !isEnded else { return nil }
        let input = source()
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard let input else {
            self.isEnded = true
            pthread_cond_broadcast(changed)
            return nil
        }
        defer { started += 1 }
        return (started, input)
    }

    /// The result of the next input, in the order of the inputs; nil behind the last one.
    ///
    /// - Parameter whileWaiting: called about every tenth of a second that it takes.
    func next(_ whileWaiting: () -> Void) -> Output? {
        // Where no thread can be had, the reader does the work.
        if threads.isEmpty {
            guard let (_, input) = nextInput() else { return nil }
            taken += 1
            return makeWork()(input)
        }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = results.removeValue(forKey: taken) {
                taken += 1
                pthread_cond_broadcast(changed)
                return result
            }
            if isEnded, taken >= started { return nil }
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

    /// Starts no further work, and waits for what was started.
    func stop() {
        pthread_mutex_lock(mutex)
        isEnded = true
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
