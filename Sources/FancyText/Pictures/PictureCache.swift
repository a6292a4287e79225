// Pictures by keys of the caller, in memory and in files. Concurrent requests for a key share one rendering.

/// Keeps pictures by keys. Safe to use from any number of tasks.
///
///     let cache = PictureCache(PictureCache.Options(folder: "/var/cache/cards"))
///     let png = try await cache.picture(for: "card 7 v2 @2x") { try await queue.png(document) }
///
/// A key identifies the picture: everything that decides its pixels (texts, styles, sizes) must be part of the key.
public final class PictureCache: Sendable {
    /// The storage of pictures, and its limits.
    public struct Options: Hashable, Sendable {
        /// The maximum number of bytes of the pictures in memory.
        public var memoryBytes = 64 << 20
        /// The folder of the pictures in files; nil keeps them only in memory. Several processes may share one.
        public var folder: String?
        /// The maximum number of bytes of the files in the folder.
        public var fileBytes = 256 << 20

        /// - Parameter folder: The folder of the pictures in files; it is created when the first one is written.
        public init(folder: String? = nil) { self.folder = folder }
    }

    /// Counts of requests and stored pictures.
    public struct Statistics: Hashable, Sendable {
        /// Requests answered from memory.
        public internal(set) var memoryHits = 0
        /// Requests answered from a file.
        public internal(set) var fileHits = 0
        /// Requests answered by a rendering that another request had started.
        public internal(set) var shared = 0
        /// Renderings started.
        public internal(set) var renderings = 0
        /// Pictures in memory.
        public internal(set) var count = 0
        /// Bytes of the pictures in memory; at most ``Options/memoryBytes``.
        public internal(set) var memoryBytes = 0
    }

    private let limit: Int
    private let store: PictureStore?
    private let state = Guarded(State())
    /// Held while files change, so that a picture that is being written cannot outlive its removal.
    private let filesLock = Monitor()

    fileprivate struct State {
        var pictures = RecentPictures()
        var flights: [Int: Flight] = [:]
        /// The flight that later requests of a key join.
        var current: [String: Int] = [:]
        /// The flight whose picture is about to be written for a key.
        var unwritten: [String: Int] = [:]
        var lastNumber = 0
        var statistics = Statistics()

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }

        mutating func forget(_ key: String) {
            pictures.remove(key)
            current[key] = nil
            unwritten[key] = nil
        }

        mutating func takePicture(for key: String) -> [UInt8]? {
            guard let known = pictures.use(key) else { return nil }
            statistics.memoryHits += 1
            return known
        }

        mutating func keep(_ picture: [UInt8], for key: String, limit: Int) {
            pictures.insert(picture, for: key)
            pictures.shrink(to: limit)
        }
    }

    /// A picture that is being read or rendered.
    fileprivate struct Flight {
        var key: String
        var task: Task<Void, Never>
        var askers: [Int: CheckedContinuation<Answer, any Error>]
    }

    /// The picture of a request.
    public struct Answer: Hashable, Sendable {
        /// The picture file's bytes.
        public var picture: [UInt8]
        /// A Boolean value that indicates whether the picture was in memory or in a file, and nothing was rendered.
        public var isFromCache: Bool

        /// Creates an answer.
        public init(picture: [UInt8], isFromCache: Bool) { (self.picture, self.isFromCache) = (picture, isFromCache) }
    }

    /// Uses no resources until the first request.
    public init(_ options: Options = Options()) {
        limit = max(0, options.memoryBytes)
        store = options.folder.map { PictureStore(folder: $0, limit: options.fileBytes) }
    }

    /// The picture of a key: from memory, from a file, or from `render`, which is called once for all concurrent requests.
    ///
    /// A caller whose task is cancelled returns at once. The rendering continues for the others; it is cancelled together with
    /// the last of them.
    ///
    /// - Throws: The error of `render`, to all callers that wait for it; nothing is kept in that case. `CancellationError`.
    public func picture(for key: String, render: @escaping @Sendable () async throws -> [UInt8]) async throws -> [UInt8]
    { try await answer(for: key, render: render).picture }

    /// ``picture(for:render:)``, with where the picture came from.
    ///
    /// - Throws: as ``picture(for:render:)``.
    public func answer(for key: String, render: @escaping @Sendable () async throws -> [UInt8]) async throws -> Answer {
        if let known = state.withLock({ $0.takePicture(for: key) }) { return Answer(picture: known, isFromCache: true) }
        let asker = state.withLock { $0.nextNumber() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in ask(key, asker, continuation, render) }
        } onCancel: {
            cancel(asker)
        }
    }

    /// The picture of a key if it is in memory or in a file.
    public func cachedPicture(for key: String) -> [UInt8]? {
        if let known = state.withLock({ $0.takePicture(for: key) }) { return known }
        guard let bytes = store?.read(key) else { return nil }
        state.withLock { state in
            state.statistics.fileHits += 1
            state.keep(bytes, for: key, limit: limit)
        }
        return bytes
    }

    /// Stores a picture for a key, replacing an earlier one.
    public func insert(_ picture: [UInt8], for key: String) {
        state.withLock { state in
            state.forget(key)
            state.keep(picture, for: key, limit: limit)
        }
        if let store { filesLock.locked { _ = store.write(picture, for: key) } }
    }

    /// Removes the picture of a key. Callers that wait for it still get it; later callers do not.
    public func removePicture(for key: String) {
        state.withLock { $0.forget(key) }
        if let store { filesLock.locked { store.remove(key) } }
    }

    /// Removes all pictures, in memory and in files.
    public func removeAll() {
        state.withLock { state in
            state.pictures = RecentPictures()
            state.current = [:]
            state.unwritten = [:]
        }
        if let store { filesLock.locked { _ = store.removeAll() } }
    }

    /// Removes the pictures in memory, for example after a memory warning; files are kept.
    public func removeAllFromMemory() { state.withLock { $0.pictures = RecentPictures() } }

    /// The current counts.
    public var statistics: Statistics {
        state.withLock { state in
            var result = state.statistics
            result.count = state.pictures.count
            result.memoryBytes = state.pictures.bytes
            return result
        }
    }

    private func ask(
        _ key: String, _ asker: Int, _ continuation: CheckedContinuation<Answer, any Error>,
        _ render: @escaping @Sendable () async throws -> [UInt8]
    ) {
        state.withLock { state in
            // A cancellation before this point found no caller to remove; one after it waits for the lock.
            if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
            if let known = state.takePicture(for: key) {
                return continuation.resume(returning: Answer(picture: known, isFromCache: true))
            }
            if let flight = state.current[key] {
                state.statistics.shared += 1
                state.flights[flight]?.askers[asker] = continuation
                return
            }
            let flight = state.nextNumber()
            let task = Task { await fly(flight, key, render) }
            state.flights[flight] = Flight(key: key, task: task, askers: [asker: continuation])
            state.current[key] = flight
        }
    }

    private func fly(_ number: Int, _ key: String, _ render: @Sendable () async throws -> [UInt8]) async {
        let result: Result<Answer, any Error>
        let stored = store?.read(key)
        if let stored {
            result = .success(Answer(picture: stored, isFromCache: true))
        } else {
            state.withLock { $0.statistics.renderings += 1 }
            do { result = .success(Answer(picture: try await render(), isFromCache: false)) } catch {
                result = .failure(error)
            }
        }
        let flight = state.withLock { (state) -> Flight? in
            guard let flight = state.flights.removeValue(forKey: number) else { return nil }
            guard state.current[key] == number else { return flight }
            state.current[key] = nil
            if case .success(let answer) = result {
                state.keep(answer.picture, for: key, limit: limit)
                if stored == nil { state.unwritten[key] = number } else { state.statistics.fileHits += 1 }
            }
            return flight
        }
        guard let flight else { return }
        for asker in flight.askers.values { asker.resume(with: result) }
        guard case .success(let answer) = result, stored == nil else { return }
        filesLock.locked {
            let isWanted = state.withLock { state in
                guard state.unwritten[key] == number else { return false }
                state.unwritten[key] = nil
                return true
            }
            if isWanted, let store { _ = store.write(answer.picture, for: key) }
        }
    }

    private func cancel(_ asker: Int) {
        typealias Asker = CheckedContinuation<Answer, any Error>
        let (continuation, task) = state.withLock { (state) -> (Asker?, Task<Void, Never>?) in
            guard let number = state.flights.first(where: { $0.value.askers[asker] != nil })?.key,
                let continuation = state.flights[number]?.askers.removeValue(forKey: asker)
            else { return (nil, nil) }
            guard let flight = state.flights[number], flight.askers.isEmpty else { return (continuation, nil) }
            // The next request starts a new rendering.
            state.flights[number] = nil
            if state.current[flight.key] == number { state.current[flight.key] = nil }
            return (continuation, flight.task)
        }
        task?.cancel()
        continuation?.resume(throwing: CancellationError())
    }
}

private struct RecentPictures {
    private var pictures: [String: (bytes: [UInt8], use: Int)] = [:]
    private var uses = 0
    private(set) var bytes = 0

    var count: Int { pictures.count }

    /// The picture of a key, which becomes the most recently used one. O(1).
    mutating func use(_ key: String) -> [UInt8]? {
        guard let known = pictures[key]?.bytes else { return nil }
        uses += 1
        pictures[key]?.use = uses
        return known
    }

    mutating func insert(_ picture: [UInt8], for key: String) {
        remove(key)
        uses += 1
        pictures[key] = (picture, uses)
        bytes += picture.count
    }

    mutating func remove(_ key: String) { if let old = pictures.removeValue(forKey: key) { bytes -= old.bytes.count } }

    /// Removes the least recently used pictures until `limit` bytes are left. O(pictures) for each, much less than a rendering.
    mutating func shrink(to limit: Int) {
        while bytes > limit, let oldest = pictures.min(by: { $0.value.use < $1.value.use }) { remove(oldest.key) }
    }
}
