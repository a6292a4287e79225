// Background renderings: some threads, each with a renderer that stays warm. In: work with a priority. Out: its result, to the
// task that requested it. Each renderer belongs to one thread. One monitor guards the queue's tables; its lock is never held
// during a rendering.

import FancyTextPlatform

/// Renders in the background, in the order of priorities. Safe to use from any number of tasks.
///
///     let queue = PictureQueue(renderers: 2)
///     let png = try await queue.png(document, options, priority: .high)
///
/// A caller whose task is cancelled returns at once. A rendering that has not started is dropped, and a running one stops at its
/// next step. Deallocating the queue drops all renderings that have not started.
public final class PictureQueue: Sendable {
    /// The order of renderings: higher priorities first.
    public enum Priority: Int, CaseIterable, Hashable, Sendable, Comparable {
        /// For pictures that may be shown later.
        case low
        /// The default.
        case normal
        /// Before all others, for visible pictures.
        case high

        public static func < (first: Priority, second: Priority) -> Bool { first.rawValue < second.rawValue }
    }

    private let crew: RendererCrew

    /// Creates a queue, which starts its threads on demand.
    ///
    /// - Parameters:
    ///   - renderers: The maximum number of threads and renderers; 0 is one for each processor.
    ///   - fonts: The fonts of all renderers.
    public init(renderers: Int = 0, fonts: FontOptions = FontOptions()) {
        let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        crew = RendererCrew(size: renderers > 0 ? renderers : processors, fonts: fonts)
    }

    deinit { crew.close() }

    /// A document or styled text as a PNG file's bytes.
    ///
    /// - Throws: ``RenderError``, `CancellationError`.
    public func png(_ source: some Renderable, _ options: RenderOptions = RenderOptions(), priority: Priority = .normal)
        async throws -> [UInt8]
    { try await picture(source, as: .png, options, priority: priority) }

    /// HTML as a PNG file's bytes; it is parsed in the background, too.
    ///
    /// - Throws: ``RenderError``, `CancellationError`.
    public func png(
        _ html: String, parser: MarkupParser, _ options: RenderOptions = RenderOptions(), priority: Priority = .normal
    ) async throws -> [UInt8] {
        try await render(priority: priority) { renderer in try renderer.png(parser.parse(html), options) }
    }

    /// A document or styled text as a picture file's bytes.
    ///
    /// - Throws: ``RenderError``, `CancellationError`.
    public func picture(
        _ source: some Renderable, as format: PictureFormat, _ options: RenderOptions = RenderOptions(),
        priority: Priority = .normal
    ) async throws -> [UInt8] {
        try await render(priority: priority) { renderer in try renderer.picture(source, as: format, options) }
    }

    /// Runs `work` in the background with a renderer, which it must not keep, and returns its result.
    ///
    /// - Throws: The errors of `work`; `CancellationError`.
    public func render<Output: Sendable>(
        priority: Priority = .normal, _ work: @escaping @Sendable (Renderer) throws -> Output
    ) async throws -> Output {
        let number = crew.nextNumber()
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Output, any Error>) in
                crew.add(
                    RendererCrew.Job(
                        number: number, priority: priority,
                        run: { renderer in
                            let result = Cancellation.$current.withValue(cancellation) { Result { try work(renderer) } }
                            return { continuation.resume(with: result) }
                        },
                        cancel: {
                            cancellation.set()
                            continuation.resume(throwing: CancellationError())
                        }))
            }
        } onCancel: {
            crew.cancel(number)
        }
    }

    /// Starts no further rendering until ``resume()``; running renderings finish.
    public func suspend() { crew.setSuspended(true) }

    /// Resumes rendering after ``suspend()``.
    public func resume() { crew.setSuspended(false) }

    /// A Boolean value that indicates whether the queue is suspended.
    public var isSuspended: Bool { crew.counts.isSuspended }

    /// The number of renderings that have not started.
    public var waiting: Int { crew.counts.waiting }

    /// The number of running renderings.
    public var running: Int { crew.counts.running }

    /// Drops all waiting renderings. Callers that wait for them, or for running ones, get `CancellationError`.
    public func cancelAll() { crew.cancelAll() }
}

/// The threads of a queue and their shared state. It outlives the queue until running renderings finish.
private final class RendererCrew: @unchecked Sendable {
    /// A rendering with a waiting caller. Exactly one closure is called, once: `cancel`, or the one that `run` returns.
    struct Job: Sendable {
        var number: Int
        var priority: PictureQueue.Priority
        /// Renders, and returns a closure that passes the result to the caller.
        var run: @Sendable (Renderer) -> (@Sendable () -> Void)
        var cancel: @Sendable () -> Void
    }

    private let size: Int
    private let fonts: FontOptions
    private let monitor = Monitor()
    // Guarded by the monitor.
    private var jobs: [Int: Job] = [:], underWay: [Int: Job] = [:]
    private var numbers = 0, threads = 0, idle = 0
    private var isSuspended = false, isClosed = false

    /// The stack size of the main thread, which the limits on nesting assume.
    private static let stackSize = 16 << 20

    init(size: Int, fonts: FontOptions) { (self.size, self.fonts) = (size, fonts) }

    func nextNumber() -> Int {
        monitor.locked {
            numbers += 1
            return numbers
        }
    }

    var counts: (waiting: Int, running: Int, isSuspended: Bool) {
        monitor.locked { (jobs.count, underWay.count, isSuspended) }
    }

    func add(_ job: Job) {
        let (isWanted, hasThread) = monitor.locked {
            // A cancellation before this point found no job to remove; a later one waits for the lock.
            if isClosed || Task.isCancelled { return (false, true) }
            jobs[job.number] = job
            if isSuspended { return (true, true) }
            if jobs.count > idle, threads < size { startThread() }
            monitor.signal()
            return (true, threads > 0)
        }
        if !isWanted { job.cancel() }
        // If no thread could be started, this thread renders.
        if !hasThread, let job = monitor.locked({ takeJob() }) { finish(job, Renderer(fonts: fonts)) }
    }

    func cancel(_ number: Int) {
        monitor.locked { jobs.removeValue(forKey: number) ?? underWay.removeValue(forKey: number) }?.cancel()
    }

    func cancelAll() {
        let all = monitor.locked {
            defer { (jobs, underWay) = ([:], [:]) }
            return Array(jobs.values) + underWay.values
        }
        for job in all { job.cancel() }
    }

    func setSuspended(_ isSuspended: Bool) {
        monitor.locked {
            self.isSuspended = isSuspended
            guard !isSuspended else { return }
            for _ in 0..<max(0, min(size - threads, jobs.count - idle)) { startThread() }
            monitor.broadcast()
        }
    }

    func close() {
        let left = monitor.locked {
            isClosed = true
            monitor.broadcast()
            defer { jobs = [:] }
            return jobs.values
        }
        for job in left { job.cancel() }
    }

    /// Requires the lock.
    private func startThread() {
        guard let thread = WorkThread(stackSize: Self.stackSize, { self.work() }) else { return }
        thread.detach()
        threads += 1
    }

    private func work() {
        let renderer = Renderer(fonts: fonts)
        while let job = monitor.locked({ nextJob() }) { finish(job, renderer) }
        monitor.locked { threads -= 1 }
    }

    private func finish(_ job: Job, _ renderer: Renderer) {
        let answer = job.run(renderer)
        // A cancelled job was already answered.
        if monitor.locked({ underWay.removeValue(forKey: job.number) }) != nil { answer() }
    }

    /// Waits for the next job; nil when the queue is closed. Requires the lock.
    private func nextJob() -> Job? {
        var job: Job?
        idle += 1
        monitor.wait {
            if !isClosed, !isSuspended { job = takeJob() }
            return isClosed || job != nil
        }
        idle -= 1
        return job
    }

    /// The oldest of the jobs with the highest priority. O(waiting), much less than a rendering.
    private func takeJob() -> Job? {
        let next = jobs.values.max { ($0.priority.rawValue, $1.number) < ($1.priority.rawValue, $0.number) }
        guard let next else { return nil }
        jobs[next.number] = nil
        underWay[next.number] = next
        return next
    }
}
