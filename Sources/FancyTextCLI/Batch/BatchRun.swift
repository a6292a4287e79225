// Requests in, results out in their order, and processes between that do the work.
//
// Requests are handed on as they are read, a few to each worker at a time; nothing is read while too many results wait for
// their turn, so memory is bounded by those. A worker that ends costs the request it was at: that one gets a record of the
// failure, the worker's others go to a fresh process.

import Basics
import FancyText
import Glibc

struct BatchRun {
    private let jobs: Int
    /// Options that all workers get.
    private let options: [String]
    private let limit: Int
    private var workers: [WorkerProcess] = []
    /// Lines that define templates, by names; fresh workers are told them.
    private var definitions: [String: [UInt8]] = [:]
    /// Results that wait for those before them.
    private var results: [Int: [UInt8]] = [:]
    private var next = 0
    private var written = 0
    private var lines: LineBuffer
    private var isAtEnd = false
    private var hasFailed = false
    /// Workers that ended without having been given anything.
    private var stillborn = 0

    /// Requests that a worker has at a time: while it works on one, the next is at hand.
    private static let perWorker = 2
    private static let mostDefinitions = 1000

    /// - Parameter limit: the most bytes of a request.
    init(jobs: Int, options: [String], limit: Int) {
        self.jobs = jobs
        self.options = options
        self.limit = limit
        lines = LineBuffer(limit: limit)
    }

    /// Answers the requests of a file or pipe.
    ///
    /// - Returns: whether any of them failed.
    /// - Throws: ``CommandFailure`` when nothing can be read or written, or no worker can be had.
    mutating func run(_ descriptor: Int32, name: String) throws(CommandFailure) -> Bool {
        while true {
            try takeLines()
            try write()
            if isAtEnd, next == written { return hasFailed }
            var polled: [pollfd] = []
            let reads = !isAtEnd && hasRoom
            if reads { polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
            let base = polled.count
            for worker in workers {
                polled.append(pollfd(fd: worker.output, events: Int16(POLLIN), revents: 0))
                polled.append(pollfd(fd: worker.isSending ? worker.input : -1, events: Int16(POLLOUT), revents: 0))
            }
            guard poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else {
                throw CommandFailure("poll", errno: errno)
            }
            for (index, worker) in workers.enumerated() {
                if polled[base + 2 * index + 1].revents != 0 { worker.push() }
                if polled[base + 2 * index].revents != 0 { try collect(from: worker) }
            }
            if reads, polled[0].revents != 0 { isAtEnd = try !lines.read(descriptor, name: name) }
        }
    }

    private var window: Int { 4 * jobs + 4 }
    private var hasRoom: Bool {
        next - written < window && (workers.count < jobs || workers.contains { $0.tickets.count < Self.perWorker })
    }

    // MARK: Requests

    private mutating func takeLines() throws(CommandFailure) {
        while hasRoom {
            var line = lines.next()
            if line == nil, isAtEnd { line = lines.rest() }
            switch line {
            case nil: return
            case .tooLong?: fail(nil, "more than \(limit) bytes in one request (--max-input)")
            case .line(let bytes)?:
                if !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { try hand(bytes) }
            }
        }
    }

    private mutating func fail(_ id: JSONValue?, _ message: String) {
        results[next] = Array("2".utf8) + BatchResult.failure(id, message).line + [0x0A]
        next += 1
    }

    private mutating func hand(_ line: [UInt8]) throws(CommandFailure) {
        let definition = Self.definition(line)
        if let definition, definitions[definition] == nil, definitions.count >= Self.mostDefinitions {
            return fail(nil, "more than \(Self.mostDefinitions) templates")
        }
        let worker = try idlestWorker()
        worker.request(WorkerProcess.Ticket(number: next, line: line))
        next += 1
        guard let definition else { return }
        definitions[definition] = line
        for other in workers where other !== worker { other.define(line) }
    }

    /// The name of the template that a line defines; nil for other requests.
    private static func definition(_ line: [UInt8]) -> String? {
        guard mentions(Array("\"define\"".utf8), line) else { return nil }
        var parser = JSONParser(line)
        guard case .string(let name)? = parser.parse()?.member("define") else { return nil }
        return name
    }

    private static func mentions(_ word: [UInt8], _ line: [UInt8]) -> Bool {
        line.withUnsafeBytes { line in
            guard var at = line.baseAddress else { return false }
            let end = at + line.count
            while end - at >= word.count, let found = memchr(at, Int32(word[0]), end - at) {
                at = UnsafeRawPointer(found)
                if end - at >= word.count, memcmp(at, word, word.count) == 0 { return true }
                at += 1
            }
            return false
        }
    }

    /// The worker with the least to do; a fresh one as long as there are fewer than asked for.
    private mutating func idlestWorker() throws(CommandFailure) -> WorkerProcess {
        if let idle = workers.first(where: { $0.tickets.isEmpty }) { return idle }
        if workers.count < jobs { return try startWorker() }
        guard let least = workers.min(by: { $0.tickets.count < $1.tickets.count }) else { return try startWorker() }
        return least
    }

    private mutating func startWorker() throws(CommandFailure) -> WorkerProcess {
        let worker = try WorkerProcess(
            arguments: [BatchCommand.name, "--worker"] + options)
        for definition in definitions.values { worker.define(definition) }
        workers.append(worker)
        return worker
    }

    // MARK: Results

    private mutating func collect(from worker: WorkerProcess) throws(CommandFailure) {
        if let answers = worker.answers() {
            if !answers.isEmpty { stillborn = 0 }
            for answer in answers { results[answer.number] = answer.line + [0x0A] }
            return
        }
        workers.removeAll { $0 === worker }
        let cause = worker.causeOfDeath()
        guard let first = worker.tickets.first else {
            stillborn += 1
            if stillborn > 3 { throw CommandFailure("workers end as they start: \(cause)") }
            return
        }
        if let definition = Self.definition(first.line) { definitions[definition] = nil }
        var parser = JSONParser(first.line)
        let id = parser.parse()?.member("id")
        results[first.number] = Array("2".utf8) + BatchResult.failure(id, cause).line + [0x0A]
        for ticket in worker.tickets.dropFirst() { try idlestWorker().request(ticket) }
    }

    private mutating func write() throws(CommandFailure) {
        while let result = results.removeValue(forKey: written) {
            written += 1
            if result.first != UInt8(ascii: "0"), result.first != UInt8(ascii: "1") { hasFailed = true }
            try result.withUnsafeBufferPointer { bytes throws(CommandFailure) in
                try FileAccess.writeStandardOutput(UnsafeBufferPointer(rebasing: bytes.dropFirst()))
            }
        }
    }
}
