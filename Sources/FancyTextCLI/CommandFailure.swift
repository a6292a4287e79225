// The typed errors of the command line, each with the exit status it ends in.

/// Exit statuses (documented in the manual): `select` uses 1 for "nothing matched", all failures are 2.
enum ExitStatus: Int32 {
    case success = 0
    case noMatch = 1
    case failure = 2
}

/// An error that ends a command, in words for the person at the terminal.
struct CommandFailure: Error {
    var message: String

    init(_ message: String) { self.message = message }

    /// An operating-system error, with the name of what it was about.
    init(_ what: String, errno code: Int32) {
        message = "\(what): \(String(cString: strerror(code)))"
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
