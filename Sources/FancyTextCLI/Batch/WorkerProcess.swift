// A worker's process as `fancytext batch` sees it: requests in, answers out, and the end of it.

import Glibc

/// One process. It is ended when it is let go of.
final class WorkerProcess {
    /// A request that is on its way.
    struct Ticket {
        /// Its place among the requests, from 0.
        var number: Int
        /// As it was given.
        var line: [UInt8]
    }

    /// Where the process reads requests, and where it writes answers.
    static let requests: Int32 = 3
    static let answers: Int32 = 4

    private let process: pid_t
    let input: Int32
    let output: Int32
    /// Requests that are not answered, the one that is worked on first.
    private(set) var tickets: [Ticket] = []
    private var lines = LineBuffer(limit: .max)
    private var outgoing: [UInt8] = []
    private var sent = 0

    /// - Throws: ``CommandFailure`` when no process can be started.
    init(arguments: [String]) throws(CommandFailure) {
        var requests: [Int32] = [-1, -1]
        var answers: [Int32] = [-1, -1]
        guard pipe(&requests) == 0 else { throw CommandFailure("a pipe", errno: errno) }
        guard pipe(&answers) == 0 else {
            let code = errno
            requests.forEach { close($0) }
            throw CommandFailure("a pipe", errno: code)
        }
        // Numbers that are not those that the worker knows them by, and none that it inherits.
        func move(_ descriptor: Int32) -> Int32 {
            let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 16)
            close(descriptor)
            return moved
        }
        let (theirInput, ourInput) = (move(requests[0]), move(requests[1]))
        let (ourOutput, theirOutput) = (move(answers[0]), move(answers[1]))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, theirInput, Self.requests)
        posix_spawn_file_actions_adddup2(&actions, theirOutput, Self.answers)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        var process = pid_t()
        let words = (["fancytext"] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        // A worker that a request ends is followed by another: nobody waits for a report of its end.
        let quiet = strdup("SWIFT_BACKTRACE=enable=no")
        defer { free(quiet) }
        var variables: [UnsafeMutablePointer<CChar>?] = []
        while let variable = environ[variables.count] { variables.append(variable) }
        let code = posix_spawn(&process, "/proc/self/exe", &actions, nil, words + [nil], variables + [quiet, nil])
        close(theirInput)
        close(theirOutput)
        guard code == 0 else {
            close(ourInput)
            close(ourOutput)
            throw CommandFailure("a worker's process", errno: code)
        }
        self.process = process
        (input, output) = (ourInput, ourOutput)
        _ = fcntl(input, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(input)
        close(output)
        // Ended already, or with nothing to do but to end.
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    /// Whether bytes wait to be sent.
    var isSending: Bool { sent < outgoing.count }

    func request(_ ticket: Ticket) {
        tickets.append(ticket)
        send(UInt8(ascii: "R"), ticket.line)
    }

    func define(_ line: [UInt8]) { send(UInt8(ascii: "D"), line) }

    private func send(_ kind: UInt8, _ line: [UInt8]) {
        if sent == outgoing.count {
            outgoing.removeAll(keepingCapacity: outgoing.count < 1 << 20)
            sent = 0
        }
        outgoing.append(kind)
        outgoing += line
        outgoing.append(0x0A)
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

    /// Answers that are there: the numbers of the requests, and lines with the status in front. Nil when the process has ended.
    func answers() -> [(number: Int, line: [UInt8])]? {
        guard (try? lines.read(output, name: "<worker>")) == true else { return nil }
        var result: [(number: Int, line: [UInt8])] = []
        while !tickets.isEmpty, case .line(let line)? = lines.next() {
            result.append((tickets.removeFirst().number, line))
        }
        return result
    }

    /// How the process ended, once it has.
    func causeOfDeath() -> String {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        let signal = status & 0x7F
        if signal != 0 { return "the worker was ended by signal \(signal) (\(String(cString: strsignal(signal))))" }
        let code = status >> 8 & 0xFF
        if code == ExitStatus.failure.rawValue { return "it took longer than its timeout" }
        if code == LastWords.faultOfWorker {
            return "the worker asked for more memory than there is, or has a fault"
        }
        return "the worker ended with status \(code)"
    }
}
