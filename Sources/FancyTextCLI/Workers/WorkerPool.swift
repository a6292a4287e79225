// Distributes work to processes, and returns the results in the order of the pieces.
//
// Each worker has a few pieces at a time. No pieces are given out while too many results wait for their turn, which bounds
// memory. If a worker ends, its current piece fails and its other pieces go to a new process.

import FancyTextPlatform

struct WorkerPool {
    private let jobs: Int
    private let serve: (WorkerChannel) -> Void
    private let resultOfLost: (_ ticket: WorkerProcess.Ticket, _ end: WorkerProcess.End) -> [UInt8]
    private var workers: [WorkerProcess] = []
    /// Results that wait for earlier ones.
    private var results: [Int: [UInt8]] = [:]
    private var waitingBytes = 0
    /// The number of pieces given, and of results taken.
    private(set) var given = 0
    private(set) var taken = 0
    /// The number of workers that ended without having received a piece.
    private var stillborn = 0
    /// The pieces that every worker must know, by names.
    private(set) var known: [String: [UInt8]] = [:]

    /// The number of pieces that a worker has at a time: while it processes one, the next are available, even if their owner has
    /// to wait for a processor.
    private static let perWorker = 4
    /// The number of results per worker that may wait for earlier ones: a worker that waits for a processor, or has a long piece,
    /// must not stop the others.
    private static let waiting = 32
    /// The maximum number of bytes of waiting results.
    private static let mostWaitingBytes = 4 << 20

    /// - Parameter resultOfLost: the result of a piece that ended its worker.
    init(
        jobs: Int, serve: @escaping (WorkerChannel) -> Void,
        resultOfLost: @escaping (_ ticket: WorkerProcess.Ticket, _ end: WorkerProcess.End) -> [UInt8]
    ) {
        self.jobs = jobs
        self.serve = serve
        self.resultOfLost = resultOfLost
    }

    var isDone: Bool { given == taken }

    var hasRoom: Bool {
        given - taken < (waitingBytes < Self.mostWaitingBytes ? Self.waiting * jobs : Self.perWorker * jobs)
            && (workers.count < jobs || workers.contains { $0.tickets.count < Self.perWorker })
    }

    /// Gives a piece to the worker with the fewest pieces.
    mutating func give(_ piece: [UInt8]) throws(CommandFailure) {
        try idlestWorker().give(WorkerProcess.Ticket(number: given, piece: piece))
        given += 1
    }

    /// Sends a piece without a result to all workers, also to those started later. A later piece of the name replaces it.
    mutating func tell(_ piece: [UInt8], as name: String) {
        known[name] = piece
        for worker in workers { worker.tell(piece) }
    }

    /// Adds a piece whose result is already known.
    mutating func give(result: [UInt8]) {
        keep(result, given)
        given += 1
    }

    private mutating func keep(_ result: [UInt8], _ number: Int) {
        results[number] = result
        waitingBytes += result.count
    }

    /// The next result in order, if it is available.
    mutating func next() -> [UInt8]? {
        guard let result = results.removeValue(forKey: taken) else { return nil }
        taken += 1
        waitingBytes -= result.count
        return result
    }

    /// Waits until a worker has a result or accepts a piece, or the descriptor can be read; returns whether it can.
    mutating func wait(for descriptor: Int32? = nil, milliseconds: Int32? = nil) throws(CommandFailure) -> Bool {
        var polled = [pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0)]
        for worker in workers {
            polled.append(pollfd(fd: worker.output, events: Int16(POLLIN), revents: 0))
            polled.append(pollfd(fd: worker.isSending ? worker.input : -1, events: Int16(POLLOUT), revents: 0))
        }
        guard poll(&polled, nfds_t(polled.count), milliseconds ?? -1) >= 0 else {
            guard errno == EINTR else { throw CommandFailure("poll", errno: errno) }
            return false
        }
        var ended: [WorkerProcess] = []
        for (index, worker) in workers.enumerated() {
            if polled[2 * index + 2].revents != 0 { worker.push() }
            guard polled[2 * index + 1].revents != 0 else { continue }
            let answers = worker.results()
            if answers == nil { ended.append(worker) }
            if answers?.isEmpty == false { stillborn = 0 }
            for answer in answers ?? [] { keep(answer.bytes, answer.number) }
        }
        // All ended workers are removed first, so that none receives another one's pieces.
        workers.removeAll { worker in ended.contains { $0 === worker } }
        for worker in ended { try replace(worker) }
        return polled[0].revents != 0
    }

    /// Replaces an ended worker: its current piece is lost, and others process the rest.
    private mutating func replace(_ worker: WorkerProcess) throws(CommandFailure) {
        let end = worker.end()
        guard let lost = worker.tickets.first else {
            stillborn += 1
            if stillborn > 3 { throw CommandFailure("workers end as they start: \(end.words)") }
            return
        }
        keep(resultOfLost(lost, end), lost.number)
        for ticket in worker.tickets.dropFirst() { try idlestWorker().give(ticket) }
    }

    /// The worker with the fewest pieces; a new one while there are fewer than requested.
    private mutating func idlestWorker() throws(CommandFailure) -> WorkerProcess {
        if let idle = workers.first(where: { $0.tickets.isEmpty && !$0.hasEnded }) { return idle }
        if workers.count < jobs {
            do throws(CommandFailure) {
                let worker = try WorkerProcess(without: workers.flatMap { [$0.input, $0.output] }, serve)
                for piece in known.values { worker.tell(piece) }
                workers.append(worker)
                return worker
            } catch {
                // Fewer workers do the work.
                if workers.isEmpty { throw error }
            }
        }
        guard let least = workers.min(by: { $0.tickets.count < $1.tickets.count }) else {
            throw CommandFailure("there are no workers")
        }
        return least
    }
}
