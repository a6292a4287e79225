// `--watch`: repeats the work whenever a file that it looked up has changed.
// In: work that records the files it looks up. Out: nothing; it continues until the process is ended. Files are polled ten times
// a second, which works on any file system.

import ArgumentParser
import FancyTextBasics
import FancyTextPlatform

enum Watch {
    /// Microseconds between two polls.
    private static let interval: UInt32 = 100_000
    /// How many polls may find a file missing: editors delete and recreate files on save.
    private static let patience = 5

    /// - Throws: the errors of the work before it has looked up any file.
    static func run(_ printer: DiagnosticPrinter, _ work: (FileReads) throws -> Void) throws -> Never {
        var last: [(path: String, identity: String)] = []
        while true {
            // Opening a file that has become a pipe would wait for its writer.
            if let pipe = last.first(where: { fileStatus(at: $0.path).map { $0.st_mode & S_IFMT } == S_IFIFO })?.path {
                printer.print(CommandFailure("\(pipe): it has become a pipe; only files can be watched"))
                waitForChange(of: last.map { ($0.path, FileReads.identity(of: $0.path)) })
                continue
            }
            let reads = FileReads()
            do {
                try work(reads)
            } catch let failure as CommandFailure where !reads.files.isEmpty {
                printer.print(failure)
            } catch is ExitCode where !reads.files.isEmpty {
                // Its messages are already printed.
            }
            // Waiting does not count against the time limit of the work.
            Watchdog.stop()
            last = reads.files
            waitForChange(of: last)
        }
    }

    private static func waitForChange(of files: [(path: String, identity: String)]) {
        func changed() -> (path: String, identity: String)? {
            files.first { FileReads.identity(of: $0.path) != $0.identity }.map {
                ($0.path, FileReads.identity(of: $0.path))
            }
        }
        while changed() == nil { usleep(interval) }
        // Waits until the file is written.
        var last = changed()
        for _ in 0..<patience {
            usleep(interval / 2)
            let next = changed()
            if let next, let last, next == last, next.identity != "absent" { return }
            last = next
        }
    }
}
