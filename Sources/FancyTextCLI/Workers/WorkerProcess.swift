// The owner's view of a worker: pieces of work in, results out, and its end.
//
// It is a fork of its owner: options that the owner has read need not be read again, and a crash in the work only ends the
// worker.

import CFancyTextSafety
import FancyTextPlatform

/// One process. It is ended when this object is released.
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
