// `--pager`: sends standard output through a pager.
//
// In: a command. Out: a process that reads this one's output.

import FancyTextPlatform

struct Pager {
    private let process: pid_t

    /// Starts `PAGER`, or less, if standard output is a terminal.
    ///
    /// - Throws: if no shell can be started.
    init?() throws(CommandFailure) {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        let pager = Terminal.environment("PAGER").flatMap { $0.isEmpty ? nil : $0 } ?? "less"
        // The shell says that there is no such program; the text is then written without it. The interrupt key is for the pager.
        let command = "trap : INT\n\(pager)\n[ $? -ne 127 ] || exec cat"
        // Passes colours through, and does not stay open for a text that fits on the screen.
        setenv("LESS", "FRX", 0)
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CommandFailure("pager", errno: errno) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        posix_spawn_file_actions_addclose(&actions, ends[1])
        var process: pid_t = 0
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(command), nil]
        defer { for argument in arguments { free(argument) } }
        let code = posix_spawn(&process, "/bin/sh", &actions, nil, arguments, environ)
        close(ends[0])
        guard code == 0 else {
            close(ends[1])
            throw CommandFailure("pager", errno: code)
        }
        dup2(ends[1], STDOUT_FILENO)
        close(ends[1])
        // The interrupt key is for the pager.
        signal(SIGINT, SIG_IGN)
        self.process = process
    }

    /// Ends the text and waits until the user closes the pager.
    func finish() {
        close(STDOUT_FILENO)
        waitForEnd(of: process)
    }
}
