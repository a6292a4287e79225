// A worker as the process that owns it sees it: pieces of work in, results out, and the end of it.
//
// It is a copy of its owner at the moment when it starts: what the owner has read of options need not be read again, and
// what a piece of work breaks, breaks there.

import CFancyTextSafety
import FancyTextPlatform

/// One process. It is ended when it is let go of.
final class WorkerProcess {
    /// A piece of work that is on its way.
    struct Ticket {
        /// Its place among the pieces, from 0.
        var number: Int
        var piece: [UInt8]
        /// Of what it changes in the worker.
        var name: String?
    }

    /// How a process ended.
    enum End: Hashable {
        case timeout
        /// More memory than there is, a trap or an illegal access.
        case fault
        case signal(Int32)
        case status(Int32)

        var words: String {
            switch self {
            case .timeout: "it took longer than its timeout"
            case .fault: "the worker asked for more memory than there is, or has a fault"
            case .signal(let number):
                "the worker was ended by signal \(number) (\(String(cString: strsignal(number))))"
            case .status(let status): "the worker ended with status \(status)"
            }
        }
    }

    private let process: pid_t
    let input: Int32
    let output: Int32
    /// Pieces without a result, the one that is worked on first.
    private(set) var tickets: [Ticket] = []
    private var frames = FrameBuffer()
    private var outgoing: [UInt8] = []
    private var sent = 0

    /// - Parameters:
    ///   - others: descriptors that the process shall not have: those of other workers, which would not end with their owner.
    ///   - serve: what the process does.
    /// - Throws: ``CommandFailure`` when no process can be started.
    init(without others: [Int32], _ serve: (WorkerChannel) -> Void) throws(CommandFailure) {
        var pieces: [Int32] = [-1, -1]
        var results: [Int32] = [-1, -1]
        guard pipe(&pieces) == 0 else { throw CommandFailure("a pipe", errno: errno) }
        guard pipe(&results) == 0 else {
            let code = errno
            pieces.forEach { close($0) }
            throw CommandFailure("a pipe", errno: code)
        }
        for descriptor in pieces + results { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let owner = getpid()
        process = csafety_fork()
        if process == 0 {
            csafety_end_with(owner)
            for descriptor in others + [pieces[1], results[0]] { close(descriptor) }
            LastWords.prepareWorker()
            serve(WorkerChannel(input: pieces[0], output: results[1]))
            // Nothing that the owner registered for its end is this process's to do.
            _exit(ExitStatus.success.rawValue)
        }
        let code = errno
        close(pieces[0])
        close(results[1])
        (input, output) = (pieces[1], results[0])
        guard process > 0 else { throw CommandFailure("a worker's process", errno: code) }
        _ = fcntl(input, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(input)
        close(output)
        guard process > 0 else { return }
        // Ended already, or with nothing to do but to end.
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    /// Whether the process has let go of its pipe; what it has written may still be read.
    var hasEnded: Bool {
        var polled = pollfd(fd: output, events: 0, revents: 0)
        return poll(&polled, 1, 0) > 0
    }

    /// Whether bytes wait to be sent.
    var isSending: Bool { sent < outgoing.count }

    func give(_ ticket: Ticket) {
        tickets.append(ticket)
        tell(ticket.piece)
    }

    /// Sends what has no result.
    func tell(_ piece: [UInt8]) {
        if sent == outgoing.count {
            outgoing.removeAll(keepingCapacity: outgoing.count < 1 << 20)
            sent = 0
        }
        outgoing += FrameBuffer.head(of: piece.count)
        outgoing += piece
        push()
    }

    /// Sends what the pipe takes.
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

    /// Results that are there, with the numbers of their pieces. Nil when the process has ended.
    func results() -> [(number: Int, bytes: [UInt8])]? {
        guard frames.read(output) else { return nil }
        var result: [(number: Int, bytes: [UInt8])] = []
        while !tickets.isEmpty, let bytes = frames.next() { result.append((tickets.removeFirst().number, bytes)) }
        return result
    }

    /// How the process ended, once it has.
    func end() -> End {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        if signal != 0 { return .signal(signal) }
        switch status >> 8 & 0xFF {
        case LastWords.timeoutOfWorker: return .timeout
        case LastWords.faultOfWorker: return .fault
        case let code: return .status(code)
        }
    }
}

/// The worker's side.
struct WorkerChannel {
    fileprivate let input: Int32
    fileprivate let output: Int32

    /// Works on what comes, one piece after another, until nothing comes.
    ///
    /// - Parameter work: gives the result of a piece; nil for what has none.
    func serve(_ work: ([UInt8]) -> [UInt8]?) {
        var frames = FrameBuffer()
        while frames.read(input) {
            while let piece = frames.next() {
                guard let result = work(piece) else { continue }
                // At once, so that the owner is woken once.
                let frame = FrameBuffer.head(of: result.count) + result
                guard (try? FileAccess.write(frame, to: output, name: "<worker>")) != nil else { return }
            }
        }
    }
}

/// Pieces of bytes with their lengths before them, out of a pipe.
private struct FrameBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    private static let headSize = 8
    private static let leastRoom = 1 << 16

    static func head(of count: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt64(count).littleEndian) { Array($0) }
    }

    /// Reads what is there, once; false at the end.
    mutating func read(_ descriptor: Int32) -> Bool {
        if start > 0 {
            bytes.removeSubrange(..<start)
            start = 0
        }
        let used = bytes.count
        // What is known to come is read in few pieces.
        let room = max(Self.leastRoom, min((length ?? 0) + Self.headSize - used, used + 1 << 20))
        var got = 0
        bytes.append(contentsOf: repeatElement(0, count: room))
        bytes.withUnsafeMutableBytes { buffer in
            repeat {
                got = FancyTextPlatform.read(descriptor, buffer.baseAddress.map { $0 + used }, room)
            } while got < 0 && errno == EINTR
        }
        bytes.removeLast(room - max(0, got))
        return got > 0
    }

    private var length: Int? {
        guard bytes.count - start >= Self.headSize else { return nil }
        return bytes[start..<start + Self.headSize].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The next piece that is whole.
    mutating func next() -> [UInt8]? {
        guard let length, bytes.count - start - Self.headSize >= length else { return nil }
        let begin = start + Self.headSize
        start = begin + length
        return Array(bytes[begin..<start])
    }
}
