// The typed errors of the command line, with their exit statuses.

import FancyTextBasics
import FancyTextPlatform

/// Exit statuses (documented in the manual): `select` uses 1 for "nothing matched", all failures are 2.
enum ExitStatus: Int32 {
    case success = 0
    case noMatch = 1
    case failure = 2
}

/// An error that ends a command, worded for the user.
struct CommandFailure: Error {
    var message: String
    /// The position, if the error is in a text.
    var location: Diagnostic.Location?
    /// True if nothing more can be written: the disk or the quota is full.
    var isDiskFull = false

    init(_ message: String, at location: Diagnostic.Location? = nil) {
        (self.message, self.location) = (message, location)
    }

    var diagnostic: Diagnostic { Diagnostic(.error, .failure, message, at: location) }

    /// An operating-system error, with the name of its object.
    init(_ what: String, errno code: Int32) {
        isDiskFull = code == ENOSPC || code == EDQUOT
        let isMissing = code == ENOENT || code == ENAMETOOLONG
        let reason = String(cString: strerror(code)) + (code == EISDIR ? "; name a file in it" : "")
        let advice = isMissing && what.contains("<") ? "; HTML itself is read from standard input" : ""
        let isURL = isMissing && URLReference.isRemote(what)
        let problem = isURL ? "only inputs are fetched; download it first" : reason + advice
        message = what.isEmpty ? "the file name is empty" : "\(what): \(problem)"
    }
}
