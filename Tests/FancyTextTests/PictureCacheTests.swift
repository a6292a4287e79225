// The cache and the queue of pictures, used by many tasks.

import Foundation
import Synchronization
import FancyTextTestSupport
import Testing

@testable import FancyText

/// Counts events in many tasks.
private final class Counter: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .sequentiallyConsistent) }
    func add() { number.add(1, ordering: .sequentiallyConsistent) }
}

/// Collects values from many tasks.
private final class Notes<Note: Sendable>: Sendable {
    private let notes = Mutex<[Note]>([])
    var all: [Note] { notes.withLock { $0 } }
    func add(_ note: Note) { notes.withLock { $0.append(note) } }
}

/// Opens once, for all waiting tasks.
private final class Gate: Sendable {
    private let isOpen = Atomic(false)
    func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }
    func wait() { while !isOpen.load(ordering: .sequentiallyConsistent) { usleep(500) } }
    func pass() async throws {
        while !isOpen.load(ordering: .sequentiallyConsistent) { try await Task.sleep(for: .milliseconds(1)) }
    }
}

/// Waits for a condition that other tasks make true.
private func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<20_000 {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return false
}

private struct Folder: ~Copyable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    /// The names of all files except the one with the total size.
    var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? []
        return names.filter { $0 != ".fancytext-cache-size" }
    }
    deinit { try? FileManager.default.removeItem(at: url) }
}

@Suite struct PictureCacheTests {
    private static func picture(_ key: String, size: Int = 1000) -> [UInt8] {
        let seed = key.utf8.reduce(0) { ($0 &* 31) &+ Int($1) }
        return (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ seed) }
    }

    @Test(arguments: [false, true])
    func tenThousandAsksOfAHundredKeysRenderAHundredTimes(_ hasFolder: Bool) async throws {
        let folder = Folder()
        let cache = PictureCache(PictureCache.Options(folder: hasFolder ? folder.url.path : nil))
        let rendered = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for ask in 0..<1250 {
                        let key = "key \((ask * 37 + task * 13) % 100)"
                        let picture = try await cache.picture(for: key) {
                            rendered.add()
                            await Task.yield()
                            return Self.picture(key)
                        }
                        #expect(picture == Self.picture(key))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(rendered.value == 100)
        let statistics = cache.statistics
        #expect(statistics.renderings == 100 && statistics.count == 100 && statistics.memoryBytes == 100_000)
        #expect(statistics.memoryHits + statistics.shared == 9900)
    }

    @Test func answersSayWhetherTheyWereInTheCache() async throws {
        let cache = PictureCache()
        let first = try await cache.answer(for: "k") { [1] }
        let second = try await cache.answer(for: "k") { [2] }
        #expect(first == PictureCache.Answer(picture: [1], isFromCache: false))
        #expect(second == PictureCache.Answer(picture: [1], isFromCache: true))
    }

    @Test func theBoundsAreHeldWhateverIsAskedFor() async throws {
        var options = PictureCache.Options()
        options.memoryBytes = 50_000
        let cache = PictureCache(options)
        let limit = options.memoryBytes
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var random = SeededGenerator(state: UInt64(task) * 7919 + 1)
                    for _ in 0..<400 {
                        let key = "\(Int.random(in: 0..<200, using: &random))"
                        let size = (Int(key) ?? 0) * 100 + (key == "7" ? 60_000 : 0)
                        let picture = try await cache.picture(for: key) { Self.picture(key, size: size) }
                        #expect(picture.count == size)
                        #expect(cache.statistics.memoryBytes <= limit)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(cache.statistics.count > 1)
        cache.removeAllFromMemory()
        #expect(cache.statistics.memoryBytes == 0)
    }

    @Test func whatWasUsedLongestAgoGoesFirst() {
        var options = PictureCache.Options()
        options.memoryBytes = 3000
        let cache = PictureCache(options)
        for key in ["a", "b", "c"] { cache.insert(Self.picture(key), for: key) }
        #expect(cache.cachedPicture(for: "a") != nil)
        cache.insert(Self.picture("d"), for: "d")
        #expect(["a", "b", "c", "d"].map { cache.cachedPicture(for: $0) != nil } == [true, false, true, true])
        cache.removePicture(for: "c")
        #expect(cache.cachedPicture(for: "c") == nil && cache.statistics.count == 2)
    }

    @Test func anErrorGoesToAllAndIsNotKept() async {
        struct Failure: Error {}
        let cache = PictureCache()
        let gate = Gate()
        let askers = (0..<4).map { _ in
            Task { () -> [UInt8] in
                try await cache.picture(for: "k") {
                    try await gate.pass()
                    throw Failure()
                }
            }
        }
        #expect(await eventually { cache.statistics.shared == 3 })
        gate.open()
        for asker in askers { await #expect(throws: Failure.self) { try await asker.value } }
        #expect(cache.statistics.renderings == 1)
        #expect(try! await cache.picture(for: "k") { [1] } == [1])
    }

    @Test func anAskerThatIsCancelledGoesAtOnceAndTheOthersStay() async throws {
        let cache = PictureCache()
        let gate = Gate()
        let first = Task {
            try await cache.picture(for: "k") {
                try await gate.pass()
                return [1, 2]
            }
        }
        #expect(await eventually { cache.statistics.renderings == 1 })
        let second = Task { try await cache.picture(for: "k") { [3] } }
        #expect(await eventually { cache.statistics.shared == 1 })
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        #expect(try await second.value == [1, 2])
    }

    @Test func aRenderingThatNobodyWaitsForIsCancelled() async throws {
        let cache = PictureCache()
        let isCancelled = Counter()
        let asker = Task {
            try await cache.picture(for: "k") {
                do { try await Task.sleep(for: .seconds(600)) } catch { isCancelled.add() }
                return [1]
            }
        }
        #expect(await eventually { cache.statistics.renderings == 1 })
        asker.cancel()
        await #expect(throws: CancellationError.self) { try await asker.value }
        #expect(await eventually { isCancelled.value == 1 })
        #expect(try await cache.picture(for: "k") { [2] } == [2])
    }

    @Test func whatIsRemovedMeanwhileIsNotKept() async throws {
        let folder = Folder()
        let cache = PictureCache(PictureCache.Options(folder: folder.url.path))
        let gate = Gate()
        let asker = Task {
            try await cache.picture(for: "k") {
                try await gate.pass()
                return [1]
            }
        }
        #expect(await eventually { cache.statistics.renderings == 1 })
        cache.removePicture(for: "k")
        #expect(try await cache.picture(for: "k") { [2] } == [2])
        gate.open()
        #expect(try await asker.value == [1])
        #expect(cache.cachedPicture(for: "k") == [2])
    }

    // MARK: Files

    @Test func filesOutliveTheCache() async throws {
        let folder = Folder()
        let options = PictureCache.Options(folder: folder.url.appendingPathComponent("a/b").path)
        PictureCache(options).insert(Self.picture("k"), for: "k")
        let cache = PictureCache(options)
        #expect(try await cache.picture(for: "k") { [] } == Self.picture("k"))
        #expect(cache.statistics.fileHits == 1 && cache.statistics.renderings == 0)
        cache.removeAll()
        #expect(PictureCache(options).cachedPicture(for: "k") == nil)
    }

    @Test func damagedFilesAreMissing() throws {
        let folder = Folder()
        let store = PictureStore(folder: folder.url.path, limit: 1 << 20)
        #expect(store.write(Self.picture("k"), for: "k"))
        let file = folder.url.appendingPathComponent(try #require(folder.files.first))
        let whole = [UInt8](try Data(contentsOf: file))
        #expect(whole.count == 32 + 1000)
        for length in [0, 7, 31, 33, 1031] {
            try Data(whole.prefix(length)).write(to: file)
            #expect(store.read("k") == nil, "\(length) bytes")
            #expect(folder.files.isEmpty)
        }
        for place in [0, 8, 31, 32, 500] {
            var bytes = whole
            bytes[place] ^= 1
            try Data(bytes).write(to: file)
            #expect(store.read("k") == nil, "byte \(place)")
        }
        try Data(whole).write(to: file)
        #expect(store.read("k") == Self.picture("k"))
    }

    @Test func theFolderStaysWithinItsBound() throws {
        let folder = Folder()
        let store = PictureStore(folder: folder.url.path, limit: 20_000)
        for index in 0..<40 {
            #expect(store.write(Self.picture("\(index)"), for: "\(index)"))
            // Used repeatedly.
            #expect(store.read("0") != nil)
            let sizes = try folder.files.map {
                try Data(contentsOf: folder.url.appendingPathComponent($0)).count
            }
            #expect(sizes.reduce(0, +) <= 20_000)
        }
        #expect(store.read("39") != nil && store.read("1") == nil)
        #expect(!store.write(Self.picture("large", size: 30_000), for: "large"))
    }

    @Test func whatAnEndedProcessLeftIsRemoved() throws {
        let folder = Folder()
        let store = PictureStore(folder: folder.url.path, limit: 1 << 20)
        #expect(store.write([1], for: "k"))
        let name = try #require(folder.files.first)
        let old = folder.url.appendingPathComponent(".\(name).123.1")
        let recent = folder.url.appendingPathComponent(".\(name).123.2")
        let foreign = folder.url.appendingPathComponent("notes.txt")
        for file in [old, recent, foreign] { try Data([1]).write(to: file) }
        for file in [old, foreign] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: file.path)
        }
        #expect(store.count == (1, 33))
        #expect(Set(folder.files) == [name, recent.lastPathComponent, "notes.txt"])
    }

    @Test func severalStoresShareAFolder() async throws {
        let folder = Folder()
        let path = folder.url.path
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    let store = PictureStore(folder: path, limit: 64_000)
                    for round in 0..<60 {
                        let key = "\((round * 7 + task) % 50)"
                        if let known = store.read(key) {
                            #expect(known == Self.picture(key))
                        } else {
                            store.write(Self.picture(key), for: key)
                        }
                    }
                }
            }
        }
        #expect(folder.files.allSatisfy { $0.count == 64 })
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func filesAreNamedByTheDigestOfTheirKey(_ key: String, _ name: String) {
        let folder = Folder()
        #expect(PictureStore(folder: folder.url.path, limit: 1000).write([1], for: key))
        #expect(folder.files == [name])
    }
}

@Suite struct PictureQueueTests {
    @Test func itRendersWhatARendererDoes() async throws {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        let queue = PictureQueue(renderers: 2, fonts: fonts)
        let parser = MarkupParser()
        let pictures = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for number in 0..<12 {
                group.addTask { (number, try await queue.png("<h1>\(number)</h1>", parser: parser)) }
            }
            var pictures: [Int: [UInt8]] = [:]
            for try await (number, picture) in group { pictures[number] = picture }
            return pictures
        }
        let renderer = Renderer(fonts: fonts)
        for number in 0..<12 {
            var document = parser.parse("<h1>\(number)</h1>")
            let expected = try renderer.png(&document)
            #expect(pictures[number] == expected)
        }
        let document = parser.parse("<b>x</b>")
        let text = parser.render("<b>x</b>")
        let first = try await queue.png(document)
        let second = try await queue.png(text)
        #expect(first == second)
        #expect(queue.running == 0 && queue.waiting == 0)
    }

    @Test func renderersStayWarm() async throws {
        let queue = PictureQueue(renderers: 2)
        let known = Notes<ObjectIdentifier>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await queue.render { renderer in known.add(ObjectIdentifier(renderer)) }
                }
            }
            try await group.waitForAll()
        }
        #expect((1...2).contains(Set(known.all).count))
    }

    @Test func suspendedQueuesBeginNothingAndPrioritiesDecide() async throws {
        let queue = PictureQueue(renderers: 1)
        queue.suspend()
        let order = Notes<String>()
        var tasks: [Task<Void, any Error>] = []
        for (index, entry) in [
            ("low", PictureQueue.Priority.low), ("first", .normal), ("second", .normal), ("high", .high),
        ]
        .enumerated() {
            tasks.append(
                Task {
                    try await queue.render(priority: entry.1) { _ in order.add(entry.0) }
                })
            #expect(await eventually { queue.waiting == index + 1 })
        }
        #expect(queue.isSuspended && queue.running == 0 && order.all.isEmpty)
        queue.resume()
        for task in tasks { try await task.value }
        #expect(order.all == ["high", "first", "second", "low"])
        #expect(!queue.isSuspended)
    }

    @Test func whatIsCancelledBeforeItBeginsNeverBegins() async throws {
        let queue = PictureQueue(renderers: 1)
        let gate = Gate()
        let begun = Counter()
        let blocking = Task { try await queue.render { _ in gate.wait() } }
        #expect(await eventually { queue.running == 1 })
        let waiting = (0..<20).map { _ in Task { try await queue.render { _ in begun.add() } } }
        #expect(await eventually { queue.waiting == 20 })
        for task in waiting[..<10] { task.cancel() }
        for task in waiting[..<10] { await #expect(throws: CancellationError.self) { try await task.value } }
        #expect(queue.waiting == 10)
        gate.open()
        try await blocking.value
        for task in waiting[10...] { try await task.value }
        #expect(begun.value == 10)
    }

    @Test func whoWaitsForWhatIsUnderWayGoesAtOnce() async throws {
        let queue = PictureQueue(renderers: 1)
        let gate = Gate()
        let under = Task { try await queue.render { _ in gate.wait() } }
        #expect(await eventually { queue.running == 1 })
        under.cancel()
        await #expect(throws: CancellationError.self) { try await under.value }
        let others = (0..<3).map { _ in Task { try await queue.render { _ in } } }
        #expect(await eventually { queue.waiting == 3 })
        queue.cancelAll()
        for task in others { await #expect(throws: CancellationError.self) { try await task.value } }
        gate.open()
        #expect(try await queue.render { _ in 7 } == 7)
    }

    @Test func aTaskThatIsCancelledAlreadyIsNotTaken() async throws {
        let queue = PictureQueue(renderers: 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await queue.render { _ in 1 }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(queue.waiting == 0)
    }

    @Test func errorsReachTheAsker() async {
        let queue = PictureQueue(renderers: 1)
        var options = RenderOptions()
        options.width = .pixels(0)
        let document = MarkupParser().parse("x")
        await #expect(throws: RenderError.emptyCanvas) { try await queue.png(document, options) }
    }

    @Test func aCacheAndAQueueGoTogether() async throws {
        let (cache, queue, parser) = (PictureCache(), PictureQueue(renderers: 2), MarkupParser())
        let rendered = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for ask in 0..<200 {
                group.addTask {
                    let key = "\(ask % 10)"
                    _ = try await cache.picture(for: key) {
                        rendered.add()
                        return try await queue.png("<p>\(key)</p>", parser: parser)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(rendered.value == 10)
    }
}
