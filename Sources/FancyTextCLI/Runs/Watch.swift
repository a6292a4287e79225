// `--watch`: the work again whenever a file has changed that it looked for.
//
// In: work that notes the files it looks for. Out: nothing; it goes on until the process is ended. Files are looked at ten
// times a second, which any file system can tell.

import ArgumentParser
import FancyTextBasics
import FancyText
import FancyTextPlatform

enum Watch {
    /// Microseconds between two looks.
    private static let interval: UInt32 = 100_000
    /// Looks that a file may be away for: editors replace files.
    private static let patience = 5

    /// - Throws: what the work throws before it has looked for any file.
    static func run(_ printer: DiagnosticPrinter, _ work: (FileReads) throws -> Void) throws -> Never {
        var last: [(path: String, identity: String)] = []
        while true {
            // Opening what has become a pipe would wait for its writer.
            if let pipe = last.map(\.path).first(where: isPipe) {
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
                // Its messages are printed.
            }
            // Waiting takes no time of the work's.
            LastWords.stayQuiet()
            last = reads.files
            waitForChange(of: last)
        }
    }

    private static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    private static func waitForChange(of files: [(path: String, identity: String)]) {
        func changed() -> (path: String, identity: String)? {
            for file in files where FileReads.identity(of: file.path) != file.identity {
                return (file.path, FileReads.identity(of: file.path))
            }
            return nil
        }
        while changed() == nil { usleep(interval) }
        // Until it is written.
        var looks = 0
        var last = changed()
        while looks < patience {
            usleep(interval / 2)
            let next = changed()
            if let next, let last, next == last, next.identity != "absent" { return }
            last = next
            looks += 1
        }
    }
}
