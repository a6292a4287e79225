// `--pager`: sends standard output through a pager. In: a command. Out: a process that reads this one's output.

import FancyTextPlatform

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
        // The interrupt key is for the pager.
        signal(SIGINT, SIG_IGN)
        self.stream = stream
    }

    /// Ends the text and waits until the user closes the pager.
    func finish() {
        close(STDOUT_FILENO)
        pclose(stream)
    }
}
