// Work that processes share, with the results in the order of the pieces.
//
// Each worker has a few pieces at a time. Nothing is given out while too many results wait for their turn, so memory is
// bounded by those. A worker that ends costs the piece it was at, whose result says so; its others go to a fresh process.

import FancyTextPlatform

struct WorkerPool {
    private let jobs: Int
    private let serve: (WorkerChannel) -> Void
    private let resultOfLost: (_ ticket: WorkerProcess.Ticket, _ end: WorkerProcess.End) -> [UInt8]
    private var workers: [WorkerProcess] = []
    /// Results that wait for those before them.
    private var results: [Int: [UInt8]] = [:]
    private var waitingBytes = 0
    /// How many pieces were given, and how many results were taken.
    private(set) var given = 0
    private(set) var taken = 0
    /// Workers that ended without having been given anything.
    private var stillborn = 0
    /// What every worker is told, by names.
    private(set) var known: [String: [UInt8]] = [:]

    /// Pieces that a worker has at a time: while it works on one, the next are at hand, also when their owner has to wait
    /// for a processor.
    private static let perWorker = 4
    /// Results that may wait for those before them, for each worker: one that has to wait for a processor, or has a long
    /// piece, shall not stop the others.
    private static let waiting = 32
    /// Large results wait in fewer numbers.
    private static let mostWaitingBytes = 4 << 20

    /// - Parameters:
    ///   - serve: what each worker does.
    ///   - resultOfLost: the result of a piece that ended its worker.
    init(
        jobs: Int, serve: @escaping (WorkerChannel) -> Void,
        resultOfLost: @escaping (_ ticket: WorkerProcess.Ticket, _ end: WorkerProcess.End) -> [UInt8]
    ) {
        self.jobs = jobs
        self.serve = serve
        self.resultOfLost = resultOfLost
    }

    /// Whether every result was taken.
    var isDone: Bool { given == taken }

    var hasRoom: Bool {
        given - taken < (waitingBytes < Self.mostWaitingBytes ? Self.waiting * jobs : Self.perWorker * jobs)
            && (workers.count < jobs || workers.contains { $0.tickets.count < Self.perWorker })
    }

    /// Gives a piece to the worker with the least to do.
    ///
    /// - Throws: ``CommandFailure`` when there is no worker and none can be had.
    mutating func give(_ piece: [UInt8]) throws(CommandFailure) {
        try idlestWorker().give(WorkerProcess.Ticket(number: given, piece: piece))
        given += 1
    }

    /// Gives a piece that changes what a worker knows.
    ///
    /// - Parameters:
    ///   - name: of what it changes.
    ///   - telling: what the other workers, and those that start later, are told instead.
    /// - Throws: ``CommandFailure`` when there is no worker and none can be had.
    mutating func give(_ piece: [UInt8], named name: String, telling: [UInt8]) throws(CommandFailure) {
        let worker = try idlestWorker()
        worker.give(WorkerProcess.Ticket(number: given, piece: piece, name: name))
        given += 1
        known[name] = telling
        for other in workers where other !== worker { other.tell(telling) }
    }

    /// Gives a piece whose result is known.
    mutating func give(result: [UInt8]) {
        keep(result, given)
        given += 1
    }

    private mutating func keep(_ result: [UInt8], _ number: Int) {
        results[number] = result
        waitingBytes += result.count
    }

    /// The next result, when it is there.
    mutating func next() -> [UInt8]? {
        guard let result = results.removeValue(forKey: taken) else { return nil }
        taken += 1
        waitingBytes -= result.count
        return result
    }

    /// Waits until a worker has something or can take something.
    ///
    /// - Parameters:
    ///   - descriptor: what else is waited for: that it can be read.
    ///   - milliseconds: how long; nil is without end.
    /// - Returns: whether the descriptor can be read.
    /// - Throws: ``CommandFailure`` when no worker can be had.
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
            if polled[2 * index + 1].revents != 0, !collect(from: worker) { ended.append(worker) }
        }
        // None of them is given what another one has left.
        workers.removeAll { worker in ended.contains { $0 === worker } }
        for worker in ended { try replace(worker) }
        return polled[0].revents != 0
    }

    /// Takes the results that are there; false when the process has ended.
    private mutating func collect(from worker: WorkerProcess) -> Bool {
        guard let answers = worker.results() else { return false }
        if !answers.isEmpty { stillborn = 0 }
        for answer in answers { keep(answer.bytes, answer.number) }
        return true
    }

    /// What a process that has ended was working on is lost; others do the rest.
    private mutating func replace(_ worker: WorkerProcess) throws(CommandFailure) {
        let end = worker.end()
        guard let lost = worker.tickets.first else {
            stillborn += 1
            if stillborn > 3 { throw CommandFailure("workers end as they start: \(end.words)") }
            return
        }
        keep(resultOfLost(lost, end), lost.number)
        if let name = lost.name { known[name] = nil }
        for ticket in worker.tickets.dropFirst() { try idlestWorker().give(ticket) }
    }

    /// The worker with the least to do; a fresh one as long as there are fewer than asked for.
    private mutating func idlestWorker() throws(CommandFailure) -> WorkerProcess {
        if let idle = workers.first(where: { $0.tickets.isEmpty && !$0.hasEnded }) { return idle }
        if workers.count < jobs {
            do throws(CommandFailure) {
                let worker = try WorkerProcess(without: workers.flatMap { [$0.input, $0.output] }, serve)
                for piece in known.values { worker.tell(piece) }
                workers.append(worker)
                return worker
            } catch {
                // Fewer do the work.
                if workers.isEmpty { throw error }
            }
        }
        guard let least = workers.min(by: { $0.tickets.count < $1.tickets.count }) else {
            throw CommandFailure("there are no workers")
        }
        return least
    }
}
