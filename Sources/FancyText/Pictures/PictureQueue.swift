// Renderings in the background: some threads, each with a renderer that stays warm.
//
// In: work with a priority. Out: what it makes, to the task that asked. A thread is a renderer's one owner; the queue's
// tables are guarded by one monitor, whose lock is never held while anything is rendered.

import FancyTextBasics
import FancyTextPlatform

/// Renders in the background, in the order of priorities. Safe to use from any number of tasks.
///
///     let queue = PictureQueue(renderers: 2)
///     let png = try await queue.png(document, options, priority: .high)
///
/// When a task is cancelled that waits for a rendering, it goes at once. A rendering that has not begun never begins, and one
/// that is under way stops at its next step. When the queue goes, so does what has not begun.
public final class PictureQueue: Sendable {
    /// What is rendered before what.
    public enum Priority: Int, CaseIterable, Hashable, Sendable, Comparable {
        /// Soon enough, as for what may be shown later.
        case low
        /// As usual.
        case normal
        /// Before all others, as for what is being looked at.
        case high

        public static func < (first: Priority, second: Priority) -> Bool { first.rawValue < second.rawValue }
    }

    private let crew: RendererCrew

    /// Starts no thread before there is work.
    ///
    /// - Parameters:
    ///   - renderers: Threads and renderers at most; 0 is one for each processor.
    ///   - fonts: Of all renderers.
    public init(renderers: Int = 0, fonts: FontOptions = FontOptions()) {
        let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        crew = RendererCrew(size: renderers > 0 ? renderers : processors, fonts: fonts)
    }

    deinit { crew.close() }

    /// The document as a PNG file's bytes.
    ///
    /// - Throws: ``RenderError``, `CancellationError`.
    public func png(
        _ document: Document, _ options: RenderOptions = RenderOptions(), priority: Priority = .normal
    ) async throws -> [UInt8] {
        try await render(priority: priority) { renderer in
            var document = document
            return try renderer.png(&document, options)
        }
    }

    /// Styled text as a PNG file's bytes.
    ///
    /// - Throws: ``RenderError``, `CancellationError`.
    public func png(
        _ text: StyledText, _ options: RenderOptions = RenderOptions(), priority: Priority = .normal
    ) async throws -> [UInt8] {
        try await render(priority: priority) { renderer in try renderer.png(text, options) }
    }

    /// HTML as a PNG file's bytes; it is parsed in the background, too.
    ///
    /// - Throws: ``RenderError``, `CancellationError`.
    public func png(
        _ html: String, parser: MarkupParser, _ options: RenderOptions = RenderOptions(), priority: Priority = .normal
    ) async throws -> [UInt8] {
        try await render(priority: priority) { renderer in
            var document = parser.parse(html)
            return try renderer.png(&document, options)
        }
    }

    /// Whatever `work` makes with a renderer, which it must not keep.
    ///
    /// - Throws: What `work` throws; `CancellationError`.
    public func render<Output: Sendable>(
        priority: Priority = .normal, _ work: @escaping @Sendable (Renderer) throws -> Output
    ) async throws -> Output {
        let number = crew.nextNumber()
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Output, any Error>) in
                crew.add(
                    RendererCrew.Job(
                        number: number,
                        run: { renderer in
                            let result = Cancellation.$current.withValue(cancellation) {
                                Result { try work(renderer) }
                            }
                            return { continuation.resume(with: result) }
                        },
                        cancel: {
                            cancellation.set()
                            continuation.resume(throwing: CancellationError())
                        }),
                    priority)
            }
        } onCancel: {
            crew.cancel(number)
        }
    }

    /// Begins nothing more until ``resume()``; what has begun is finished.
    public func suspend() { crew.setSuspended(true) }

    /// Goes on after ``suspend()``.
    public func resume() { crew.setSuspended(false) }

    /// Whether nothing begins.
    public var isSuspended: Bool { crew.counts.isSuspended }

    /// Renderings that have not begun.
    public var waiting: Int { crew.counts.waiting }

    /// Renderings under way.
    public var running: Int { crew.counts.running }

    /// Takes out all that has not begun, and answers those who wait for it, and for what is under way, with
    /// `CancellationError`.
    public func cancelAll() { crew.cancelAll() }
}

/// The threads of a queue and what they share. It outlives the queue by what is under way.
private final class RendererCrew: @unchecked Sendable {
    /// A rendering that someone waits for; exactly one of what its closures give is called, once.
    struct Job: Sendable {
        var number: Int
        /// Renders, and gives what answers the asker.
        var run: @Sendable (Renderer) -> (@Sendable () -> Void)
        var cancel: @Sendable () -> Void
    }

    private let size: Int
    private let fonts: FontOptions
    private let monitor = Monitor()
    // Guarded by the monitor.
    private var jobs: [Int: Job] = [:]
    /// The numbers of jobs in the order in which they came, by priority; those that are not in `jobs` any more are skipped.
    private var lines = [[Int]](repeating: [], count: PictureQueue.Priority.allCases.count)
    private var heads = [Int](repeating: 0, count: PictureQueue.Priority.allCases.count)
    private var underWay: [Int: Job] = [:]
    private var numbers = 0
    private var threads = 0
    private var idle = 0
    private var isSuspended = false
    private var isClosed = false

    /// As much as the main thread has: nesting is bounded with that in mind.
    private static let stackSize = 16 << 20

    init(size: Int, fonts: FontOptions) {
        self.size = size
        self.fonts = fonts
    }

    // MARK: From the queue

    func nextNumber() -> Int {
        monitor.locked {
            numbers += 1
            return numbers
        }
    }

    var counts: (waiting: Int, running: Int, isSuspended: Bool) {
        monitor.locked { (jobs.count, underWay.count, isSuspended) }
    }

    func add(_ job: Job, _ priority: PictureQueue.Priority) {
        let (isWanted, hasThread) = monitor.locked {
            // A cancellation before this point found nothing to take out; one behind it waits for the lock.
            if isClosed || Task.isCancelled { return (false, true) }
            jobs[job.number] = job
            lines[priority.rawValue].append(job.number)
            if isSuspended { return (true, true) }
            if jobs.count > idle, threads < size { startThread() }
            monitor.signal()
            return (true, threads > 0)
        }
        if !isWanted { job.cancel() }
        // Where no thread can be had, it is done here.
        if !hasThread { workOnce() }
    }

    func cancel(_ number: Int) {
        let job = monitor.locked { jobs.removeValue(forKey: number) ?? underWay.removeValue(forKey: number) }
        job?.cancel()
    }

    func cancelAll() {
        let all = monitor.locked {
            let all = Array(jobs.values) + underWay.values
            jobs = [:]
            underWay = [:]
            return all
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
            let left = Array(jobs.values)
            jobs = [:]
            monitor.broadcast()
            return left
        }
        for job in left { job.cancel() }
    }

    // MARK: Threads

    /// With the lock held.
    private func startThread() {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackSize)
        var thread = pthread_t()
        let own = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<RendererCrew>.fromOpaque(context).takeRetainedValue().work() }
                return nil
            }, own.toOpaque())
        if code == 0 {
            pthread_detach(thread)
            threads += 1
        } else {
            own.release()
        }
    }

    private func work() {
        let renderer = Renderer(fonts: fonts)
        while let job = monitor.locked({ nextJob() }) { finish(job, renderer) }
        monitor.locked { threads -= 1 }
    }

    private func workOnce() {
        let job = monitor.locked { takeJob() }
        if let job { finish(job, Renderer(fonts: fonts)) }
    }

    private func finish(_ job: Job, _ renderer: Renderer) {
        let answer = job.run(renderer)
        // Who was cancelled meanwhile has an answer.
        if monitor.locked({ underWay.removeValue(forKey: job.number) }) != nil { answer() }
    }

    /// The job to do next, when there is one; nil when the queue is gone. With the lock held.
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

    private func takeJob() -> Job? {
        for priority in lines.indices.reversed() {
            while heads[priority] < lines[priority].count {
                let number = lines[priority][heads[priority]]
                heads[priority] += 1
                // What lies before the head is let go when it is half of the line.
                if heads[priority] * 2 > lines[priority].count {
                    lines[priority].removeFirst(heads[priority])
                    heads[priority] = 0
                }
                guard let job = jobs.removeValue(forKey: number) else { continue }
                underWay[number] = job
                return job
            }
        }
        return nil
    }
}
