// Reads picture files in a separate process, which may crash: a program that calls ``PictureHelper/serve()`` when it is started under
// ``PictureHelper/name``. Its memory is limited, and it cannot write files, use the network or start programs. If a file takes too
// long, it is ended and replaced. A request through its standard input, a socket, is four numbers (operation, width, height, bytes)
// and the file; a response is a status and the size, or the pixels.

import CFancyTextImageCodecs
import CFancyTextSafety
import FancyTextPlatform
import FancyTextPainting

package final class PictureHelper: PictureCodec {
    /// The name under which the program is started as the helper.
    package static let name = "fancytext: pictures"

    private let program: String
    private let memory: Int
    private var process: pid_t = 0
    private var socket: Int32 = -1
    /// Processor time in seconds, which SVG and failed files use up together. Waits take ten times as long, if the process sleeps.
    package var seconds: Double

    /// The size of an SVG file. The other operations decode a file; their numbers are those of its format.
    private static let sizeOfSVG: Int64 = -1

    private static func format(of operation: Int64) -> ImageFormat? {
        operation == sizeOfSVG ? .svg : UInt8(exactly: operation).flatMap(ImageFormat.init(rawValue:))
    }

    /// - Parameter memory: the memory limit in bytes; nil for the default.
    package init(program: String, memory: Int? = nil, seconds: Double = 2) {
        (self.program, self.memory, self.seconds) = (program, memory ?? 384 << 20, seconds)
    }

    deinit { end() }

    package func size(ofSVG data: [UInt8]) throws(ImageError) -> VectorSize {
        var size = [VectorSize()]
        try ask(Self.sizeOfSVG, data, width: 0, height: 0, &size)
        return size[0]
    }

    package func decode(
        _ format: ImageFormat, _ data: [UInt8], width: Int, height: Int
    ) throws(ImageError) -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: width * height)
        try ask(Int64(format.rawValue), data, width: width, height: height, &pixels)
        return pixels
    }

    private func ask<Value>(
        _ operation: Int64, _ data: [UInt8], width: Int, height: Int, _ answer: inout [Value]
    ) throws(ImageError) {
        guard seconds > 0 else { throw .tooCostly("there is no time left for it") }
        if process == 0 { try start(for: operation) }
        let deadline = Deadline(seconds: seconds, of: process)
        var isCharged = true
        defer { if isCharged { seconds = deadline.secondsLeft } }
        var head: [Int64] = [operation, Int64(width), Int64(height), Int64(data.count)]
        var status: Int32 = 0
        let isAnswered =
            head.withUnsafeMutableBytes { Transfer.write(UnsafeRawBufferPointer($0), to: socket, deadline) }
            && data.withUnsafeBytes { Transfer.write($0, to: socket, deadline) }
            && withUnsafeMutableBytes(of: &status) { Transfer.read($0, from: socket, deadline) }
        guard isAnswered else { throw failure(deadline, &isCharged) }
        let format = Self.format(of: operation) ?? .svg
        try ImageError.check(status, format)
        guard answer.withUnsafeMutableBytes({ Transfer.read($0, from: socket, deadline) })
        else { throw failure(deadline, &isCharged) }
        // Decoding is bounded by the budget of decoded pixels; the time for SVG cannot be known in advance.
        if format != .svg { isCharged = false }
    }

    /// Ends the process, which cannot be used any more, and returns the error.
    private func failure(_ deadline: Deadline, _ isCharged: inout Bool) -> ImageError {
        let isOver = deadline.isOver
        seconds = deadline.secondsLeft
        isCharged = false
        end()
        return .tooCostly(isOver ? "it takes too long" : "the library that reads it failed, or needs too much memory")
    }

    private func start(for operation: Int64) throws(ImageError) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
        else { throw .unreadable }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        let arguments: [UnsafeMutablePointer<CChar>?] = [
            strdup(Self.name), strdup("\(memory)"), strdup("\(operation)"), nil,
        ]
        defer { for argument in arguments { free(argument) } }
        let code = posix_spawn(&process, program, &actions, nil, arguments, environ)
        close(ends[1])
        guard code == 0 else {
            process = 0
            close(ends[0])
            throw .tooCostly("the process that reads it cannot be started")
        }
        socket = ends[0]
    }

    private func end() {
        guard process != 0 else { return }
        close(socket)
        kill(process, SIGKILL)
        waitForEnd(of: process)
        process = 0
    }

    /// Serves requests on standard input until it ends. The arguments are the process's name, its memory limit, its first request.
    package static func serve(_ arguments: [String]) {
        let numbers = arguments.dropFirst().compactMap { Int64($0) }
        guard numbers.count == 2 else { return }
        // One picture is drawn before the lock-down, so that all code it needs is loaded.
        let codec = LocalPictureCodec(checksVectors: false)
        if format(of: numbers[1]) == .svg {
            let warm = Array(
                "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'><rect width='1' height='1'/></svg>".utf8)
            _ = try? codec.decode(.svg, warm, width: 1, height: 1)
        }
        csafety_lock_down(Int(numbers[0]))
        let socket = STDIN_FILENO
        var head: [Int64] = [0, 0, 0, 0]
        while head.withUnsafeMutableBytes({ readFully(socket, into: $0) == $0.count }) {
            var data = [UInt8](repeating: 0, count: Int(head[3]))
            guard let format = format(of: head[0]),
                data.withUnsafeMutableBytes({ readFully(socket, into: $0) == $0.count })
            else { return }
            var status = Int32(CIMAGE_OK)
            func answer<Value>(_ values: [Value]) {
                _ = withUnsafeBytes(of: &status) { writeFully(socket, $0) }
                values.withUnsafeBytes { _ = writeFully(socket, $0) }
            }
            let (width, height) = (Int(head[1]), Int(head[2]))
            do throws(ImageError) {
                if head[0] == sizeOfSVG {
                    answer([try codec.size(ofSVG: data)])
                } else {
                    answer(try codec.decode(format, data, width: width, height: height))
                }
            } catch {
                status = Int32(CIMAGE_INVALID)
                if case .libraryMissing = error { status = Int32(CIMAGE_MISSING) }
                answer([UInt8]())
            }
        }
    }
}

/// The end of a wait by the processor time of another process, as the machine may be busy, at the latest by the wall clock.
private struct Deadline {
    private var clock = clockid_t()
    private let end, wallEnd: Double

    init(seconds: Double, of process: pid_t) {
        if clock_getcpuclockid(process, &clock) != 0 { clock = CLOCK_MONOTONIC }
        (end, wallEnd) = (secondsNow(clock) + seconds, secondsNow() + 10 * seconds)
    }

    /// 0 if the process has ended.
    var secondsLeft: Double { max(0, min(end - secondsNow(clock), wallEnd - secondsNow())) }
    var isOver: Bool { secondsLeft <= 0 }

    /// The milliseconds left, for `poll`.
    var left: Int32 { Int32(bounded: (secondsLeft * 1000).rounded(.up), by: 1e6) }
}

/// Transfers bytes through a socket, all of them or none.
private enum Transfer {
    static func read(_ bytes: UnsafeMutableRawBufferPointer, from socket: Int32, _ deadline: Deadline) -> Bool {
        all(bytes.count, when: Int16(POLLIN), socket, deadline) { done in
            FancyTextPlatform.read(socket, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        }
    }

    static func write(_ bytes: UnsafeRawBufferPointer, to socket: Int32, _ deadline: Deadline) -> Bool {
        all(bytes.count, when: Int16(POLLOUT), socket, deadline) { done in
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            return send(socket, bytes.baseAddress.map { $0 + done }, bytes.count - done, flags)
        }
    }

    /// - Parameter next: Transfers some of the bytes after those that are done.
    private static func all(
        _ count: Int, when event: Int16, _ socket: Int32, _ deadline: Deadline, _ next: (_ done: Int) -> Int
    ) -> Bool {
        var done = 0
        while done < count {
            guard waits(for: event, socket, deadline) else { return false }
            let moved = next(done)
            if moved < 0, errno == EINTR || errno == EAGAIN { continue }
            guard moved > 0 else { return false }
            done += moved
        }
        return true
    }

    /// Waits for an event; false when the deadline has passed.
    private static func waits(for event: Int16, _ socket: Int32, _ deadline: Deadline) -> Bool {
        var entry = pollfd(fd: socket, events: event, revents: 0)
        while true {
            let count = poll(&entry, 1, deadline.left)
            if count > 0 { return true }
            // The process may have had less than one processor.
            if count == 0 ? deadline.isOver : errno != EINTR { return false }
        }
    }
}
