// A run over inputs: files, or the rows of a template. A single file is processed in this process, all others in separate ones.
// In: the inputs, and the work for one of them. Out: results and messages in the order of the inputs, regardless of which finished
// first. One bad input does not stop the others, even if it ends its worker process. `--pager` shows the results.

import ArgumentParser
import FancyText
import FancyTextPlatform

struct InputRun {
    typealias Work<Input> = (_ input: Input, _ result: FileResult) throws -> Void

    /// The number of inputs processed in parallel.
    var jobs: Int
    /// The common destination of all results, one after the other; nil if each input has its own.
    var shared: OutputSink?
    var messages: DiagnosticArguments
    /// The time limit of each input in a separate process; 0 is no limit.
    var seconds = 0.0
    /// Records the files that are looked up.
    var reads: FileReads?
    /// Notes of the command about its options.
    var remarks: [String] = []
    /// True if the result is text for standard output.
    var isText = false
    var pager: Pager?

    /// The combined outcome of all inputs.
    struct Total {
        /// The number of matches.
        var count = 0
        var inputs = 0
        var cached = 0
        var differs = false
        var hasFailed = false
        /// The requested names that no match of any input has; nil without matches.
        private(set) var missingNames: Set<String>?
        /// Prints some messages only after the results.
        fileprivate let printer: MessagePrinter

        fileprivate mutating func add(_ result: FileResult) {
            inputs += 1
            count += result.count
            if let own = result.missingNames { missingNames = missingNames?.intersection(own) ?? own }
            if result.differs { differs = true }
            if result.isCached { cached += 1 }
            if result.hasFailed { hasFailed = true }
        }

        func warn(_ message: String) { printer.print(Diagnostic(.warning, .noEffect, message)) }

        fileprivate func finishProgress() {
            printer.bar?.hide()
            guard cached > 0 else { return }
            printer.print(Diagnostic(.note, .cachedResults, "\(cached) of \(inputs) results came from the cache"))
        }
    }

    private func begin() -> Total {
        let printer = MessagePrinter(messages, isBesideText: isText)
        for remark in remarks { printer.print(Diagnostic(.note, .ignoredOption, remark)) }
        return Total(printer: printer)
    }

    /// A result in a worker process.
    private func makePart() -> FileResult {
        FileResult(shared?.makePart() ?? OutputSink(.memory, .safe), isStrict: messages.strict, printer: nil)
    }

    /// Processes files: a single one here, several in separate processes, which may die. `makeWork` is called once in each.
    /// With `headsFiles`, each of several results has a heading with the name of its file.
    func run(
        _ files: [String], headsFiles: Bool = false, _ makeWork: @escaping () -> Work<String>
    ) throws(CommandFailure) -> Total {
        var total = begin()
        func perform(_ work: Work<String>, _ file: String, _ result: FileResult) {
            result.take(named: InputArguments.displayName(file)) { try work(file, result) }
        }
        guard files.count != 1 else {
            let sink = shared ?? OutputSink(.memory, .safe)
            let result = FileResult(sink, isStrict: messages.strict, printer: total.printer)
            perform(makeWork(), files[0], result)
            total.add(result)
            total.finishProgress()
            return total
        }
        var pool = WorkerPool(jobs: min(jobs, files.count)) { channel in
            let work = makeWork()
            serve(channel, item: { Int(String(decoding: $0, as: UTF8.self)).map { files[$0] } }) {
                perform(work, $0, $1)
            }
        } resultOfLost: { ticket, end in
            let result = makePart()
            result.fail(InputArguments.displayName(files[ticket.number]), end, after: seconds)
            return result.encoded()
        }
        try distribute(&pool, total.printer, expected: { files.count }) { pool throws(CommandFailure) in
            while pool.given < files.count, pool.hasRoom { try pool.give(Array("\(pool.given)".utf8)) }
            return pool.given == files.count
        } take: { index, result in
            total.printer.print(result.messages)
            let name = InputArguments.displayName(files[index])
            if headsFiles { shared?.append(name: "\(index == 0 ? "" : "\n")── \(name) ──\n") }
            total.add(result)
        }
        total.finishProgress()
        return total
    }

    /// Processes the rows of a file in separate processes. `makeWork` is called once in each.
    func run(
        _ source: RowSource, named name: String, _ makeWork: @escaping () -> Work<RowJob>
    ) throws(CommandFailure) -> Total {
        var total = begin()
        /// Rows without a result, by their positions.
        var waiting: [Int: RowJob] = [:]
        var pool = WorkerPool(jobs: jobs) { channel in
            let work = makeWork()
            serve(channel, item: RowJob.init(encoded:)) { job, result in
                result.take(job.row, of: name) { try work(job, result) }
            }
        } resultOfLost: { ticket, end in
            let result = makePart()
            if let job = waiting[ticket.number] {
                result.fail("row \(job.row.number)", end, after: seconds, at: job.row.place(in: name))
            }
            return result.encoded()
        }
        var (isAtEnd, skipped) = (false, 0)
        try distribute(&pool, total.printer, descriptor: source.reader.descriptor) {
            // An estimate from the part of the file that was read.
            let (reader, rows) = (source.reader, total.inputs)
            guard reader.size > 0, reader.position > 0, rows > 0 else { return 0 }
            return max(rows, Int(Double(rows) * Double(reader.size) / Double(reader.position)))
        } give: { pool throws(CommandFailure) in
            while !isAtEnd, pool.hasRoom, source.reader.isReady {
                let next = source.next()
                isAtEnd = next == nil
                guard let job = next else { break }
                waiting[pool.given] = job
                let result = makePart()
                var piece: [UInt8]?
                result.take(job.row, of: name) { piece = try job.usedRow().map(job.encoded) }
                if let piece { try pool.give(piece) } else { pool.give(result: result.encoded()) }
            }
            return isAtEnd
        } take: { index, result in
            guard let job = waiting.removeValue(forKey: index) else { return }
            for message in result.messages {
                total.printer.print(message, like: job.row.reason(in: message), row: job.row.number)
            }
            if !result.hasFailed {
                if job.isDone { skipped += 1 } else if let path = job.path { source.done?.add(path, job.key) }
            }
            total.add(result)
        }
        if total.inputs == 0, source.failure == nil {
            total.printer.print(Diagnostic(.warning, .emptyInput, "\(name): there are no rows"))
        }
        if skipped > 0 {
            total.printer.print(Diagnostic(.note, .skippedRows, "\(skipped) of \(total.inputs) files were there"))
        }
        total.finishProgress()
        guard let failure = source.failure else { return total }
        total.printer.finish()
        throw failure
    }

    /// The work of a worker: the results of the pieces that it receives.
    private func serve<Item>(_ channel: WorkerChannel, item: ([UInt8]) -> Item?, perform: (Item, FileResult) -> Void) {
        channel.serve { piece in
            guard let item = item(piece) else { return nil }
            if seconds > 0 { Watchdog.startInWorker(after: seconds) }
            defer { Watchdog.stop() }
            let result = makePart()
            perform(item, result)
            return result.encoded(reads: reads?.files ?? [])
        }
    }

    /// Gives pieces to workers and takes their results, until there are no more or none can be written.
    ///
    /// - Parameters:
    ///   - descriptor: the file that pieces are read from, if they are not all available.
    ///   - expected: the number of all pieces, for the progress line; 0 if unknown.
    ///   - give: gives the available pieces for which there is room; true if no piece is left and none will follow.
    ///   - take: takes the result of a piece, in their order.
    private func distribute(
        _ pool: inout WorkerPool, _ printer: MessagePrinter, descriptor: Int32? = nil, expected: () -> Int,
        give: (inout WorkerPool) throws(CommandFailure) -> Bool, take: (_ index: Int, _ result: FileResult) -> Void
    ) throws(CommandFailure) {
        while true {
            let isAtEnd = try give(&pool)
            while let bytes = pool.next() {
                guard let result = FileResult(bytes, noting: reads) else { continue }
                take(pool.taken - 1, result)
                shared?.append(result.sink.bytes)
                if shared?.failure != nil || result.endsRun { return }
            }
            printer.bar?.show(pool.taken, of: expected())
            if isAtEnd && pool.isDone { return }
            _ = try pool.wait(for: !isAtEnd && pool.hasRoom ? descriptor : nil, milliseconds: 100)
        }
    }

    /// Writes the rest of the shared output, then the remaining messages, and sets the exit status if an input failed.
    func finish(_ total: Total, isWritten: Bool = true) throws {
        defer {
            pager?.finish()
            total.printer.finish()
        }
        // A file with a missing part would look complete.
        if let shared, isWritten, !(total.hasFailed && shared.isFile) { try shared.finish() }
        if total.hasFailed { throw ExitCode(ExitStatus.failure.rawValue) }
    }
}

/// `--pager`: a process that reads the output of this one.
struct Pager {
    private let stream: UnsafeMutablePointer<FILE>

    /// Starts `PAGER`, or less, if standard output is a terminal.
    init?() throws(CommandFailure) {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        let pager = Terminal.environment("PAGER").flatMap { $0.isEmpty ? nil : $0 } ?? "less"
        // The shell says that there is no such program; the text is then written without it. The interrupt key is for the pager.
        let command = "trap : INT\n\(pager)\n[ $? -ne 127 ] || exec cat"
        // Passes colours through, and does not stay open for a text that fits on the screen.
        setenv("LESS", "FRX", 0)
        guard let stream = popen(command, "we") else { throw CommandFailure("pager", errno: errno) }
        dup2(fileno(stream), STDOUT_FILENO)
        signal(SIGINT, SIG_IGN)
        self.stream = stream
    }

    /// Ends the text and waits until the user closes the pager.
    func finish() {
        close(STDOUT_FILENO)
        pclose(stream)
    }
}

extension DataRow {
    /// An error's message without the row's number. Rows that ended their worker are reported one by one.
    fileprivate func reason(in message: Diagnostic) -> String? {
        let prefix = "row \(number): "
        let isFailure = message.severity == .error && message.code == .failure
        guard isFailure, message.message.hasPrefix(prefix) else { return nil }
        let reason = String(message.message.dropFirst(prefix.count))
        return reason == Watchdog.faultMessage || reason.hasPrefix("the worker ") ? nil : reason
    }
}

extension FileResult {
    /// Does the work for a row; errors become messages that name it.
    fileprivate func take(_ row: DataRow, of file: String, _ work: () throws -> Void) {
        let place = row.place(in: file)
        take(named: file) {
            do {
                try work()
            } catch let mistake as RowMistake {
                throw CommandFailure("row \(row.number): \(mistake.message)", at: place)
            } catch var failure as CommandFailure {
                if failure.location == nil {
                    failure.message = "row \(row.number): \(failure.message)"
                    failure.location = place
                }
                throw failure
            } catch is InputFailed {
                throw CommandFailure("row \(row.number): its warnings count as errors", at: place)
            } catch RenderError.tookTooLong {
                Watchdog.expire()
            } catch let error as RenderError {
                throw CommandFailure("row \(row.number): \(error.explained)", at: place)
            }
        }
    }
}
