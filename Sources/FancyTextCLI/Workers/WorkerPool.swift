// Distributes work to processes, and returns the results in the order of the pieces.
// Each worker has a few pieces at a time. No pieces are given out while too many results wait for their turn, which bounds
// memory. If a worker ends, its current piece fails and its other pieces go to a new process.
// A worker is a fork of its owner: options are not read again, and a crash in the work only ends the worker.

import CFancyTextSafety
import FancyTextPlatform

struct WorkerPool {
    private let jobs: Int
    private let serve: (WorkerChannel) -> Void
    private let resultOfLost: (_ ticket: WorkerProcess.Ticket, _ end: WorkerProcess.End) -> [UInt8]
    private var workers: [WorkerProcess] = []
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
        (self.jobs, self.serve, self.resultOfLost) = (jobs, serve, resultOfLost)
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
        guard let least = workers.min(by: { $0.tickets.count < $1.tickets.count })
        else { throw CommandFailure("there are no workers") }
        return least
    }
}

/// The owner's view of a worker: pieces of work in, results out, and its end. The process is ended when this object is released.
final class WorkerProcess {
    /// A piece of work without a result.
    struct Ticket {
        /// Its index among the pieces, starting at 0.
        var number: Int
        var piece: [UInt8]
    }

    enum End: Hashable {
        case timeout
        /// Out of memory, a trap or an illegal access.
        case fault
        case signal(Int32)
        case status(Int32)

        var words: String {
            switch self {
            case .timeout: "it took longer than its timeout"
            case .fault: "the worker asked for more memory than there is, or has a fault"
            case .signal(let number): "the worker was ended by signal \(number) (\(String(cString: strsignal(number))))"
            case .status(let status): "the worker ended with status \(status)"
            }
        }
    }

    private let process: pid_t
    let input: Int32
    let output: Int32
    /// Pieces without a result; the first one is being processed.
    private(set) var tickets: [Ticket] = []
    private var frames: FrameBuffer
    private var outgoing: [UInt8] = []
    private var sent = 0

    /// - Parameter others: descriptors that the process must close: those of other workers, which would otherwise not end with
    ///   their owner.
    init(without others: [Int32], _ serve: (WorkerChannel) -> Void) throws(CommandFailure) {
        var pieces: [Int32] = [-1, -1]
        var results: [Int32] = [-1, -1]
        guard pipe(&pieces) == 0, pipe(&results) == 0 else {
            let code = errno
            for descriptor in pieces where descriptor >= 0 { close(descriptor) }
            throw CommandFailure("a pipe", errno: code)
        }
        for descriptor in pieces + results { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let owner = getpid()
        process = csafety_fork()
        if process == 0 {
            csafety_end_with(owner)
            for descriptor in others + [pieces[1], results[0]] { close(descriptor) }
            Watchdog.prepareWorker()
            serve(WorkerChannel(input: pieces[0], output: results[1]))
            // Exit handlers of the owner must not run in this process.
            _exit(ExitStatus.success.rawValue)
        }
        let code = errno
        close(pieces[0])
        close(results[1])
        (input, output) = (pieces[1], results[0])
        frames = FrameBuffer(output)
        guard process > 0 else { throw CommandFailure("a worker's process", errno: code) }
        _ = fcntl(input, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(input)
        close(output)
        guard process > 0 else { return }
        // The process has ended, or has nothing left to do.
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    /// True if the process has closed its pipe; its written results may still be read.
    var hasEnded: Bool {
        var polled = pollfd(fd: output, events: 0, revents: 0)
        return poll(&polled, 1, 0) > 0
    }

    var isSending: Bool { sent < outgoing.count }

    func give(_ ticket: Ticket) {
        tickets.append(ticket)
        tell(ticket.piece)
    }

    /// Sends a piece that has no result.
    func tell(_ piece: [UInt8]) {
        if sent == outgoing.count {
            outgoing.removeAll(keepingCapacity: outgoing.count < 1 << 20)
            sent = 0
        }
        outgoing += FrameBuffer.head(of: piece.count)
        outgoing += piece
        push()
    }

    /// Sends as many bytes as the pipe accepts.
    func push() {
        while sent < outgoing.count {
            let count = outgoing.withUnsafeBytes { write(input, $0.baseAddress.map { $0 + sent }, $0.count - sent) }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                return
            }
            sent += count
        }
    }

    /// The available results, with the numbers of their pieces. Nil if the process has ended.
    func results() -> [(number: Int, bytes: [UInt8])]? {
        guard frames.read() else { return nil }
        var result: [(number: Int, bytes: [UInt8])] = []
        while !tickets.isEmpty, let bytes = frames.next() { result.append((tickets.removeFirst().number, bytes)) }
        return result
    }

    /// The way in which the process ended; valid after its end.
    func end() -> End {
        let status = waitForEnd(of: process)
        let signal = status & 0x7F
        if signal != 0 { return .signal(signal) }
        switch status >> 8 & 0xFF {
        case Watchdog.timeoutOfWorker: return .timeout
        case Watchdog.faultOfWorker: return .fault
        case let code: return .status(code)
        }
    }
}

/// The worker's side.
struct WorkerChannel {
    fileprivate let input: Int32
    fileprivate let output: Int32

    /// Processes pieces one after another, until there are no more. `work` returns the result of a piece; nil if it has none.
    func serve(_ work: ([UInt8]) -> [UInt8]?) {
        var frames = FrameBuffer(input)
        while frames.read() {
            while let piece = frames.next() {
                guard let result = work(piece) else { continue }
                // In one write, so that the owner is woken once.
                let frame = FrameBuffer.head(of: result.count) + result
                guard (try? FileAccess.write(frame, to: output, name: "<worker>")) != nil else { return }
            }
        }
    }
}

/// Splits a pipe's bytes into pieces, each preceded by its length.
private struct FrameBuffer {
    private var stream: ByteStream
    private static let headSize = 8

    init(_ descriptor: Int32) { stream = ByteStream(descriptor, name: "<worker>", limit: .max) }

    static func head(of count: Int) -> [UInt8] { withUnsafeBytes(of: UInt64(count).littleEndian) { Array($0) } }

    /// Reads the available bytes, once; false at the end.
    mutating func read() -> Bool { (try? stream.fill()) ?? false }

    /// The next complete piece.
    mutating func next() -> [UInt8]? {
        guard stream.count >= Self.headSize else { return nil }
        let length = (0..<Self.headSize).reversed().reduce(0) { $0 << 8 | Int(stream[$1]) }
        guard stream.count - Self.headSize >= length else { return nil }
        stream.drop(Self.headSize)
        return stream.take(length)
    }
}
