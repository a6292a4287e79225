// Output that may be large: to standard output piece by piece, to a file whole or not at all, or kept until its turn.

import FancyTextPlatform
import FancyTextOutputs

/// Takes a command's result as it is made.
///
/// What goes to a terminal, a pipe or a device is written in pieces of ``pieceSize``, so that it is never whole in memory;
/// what goes to a file is collected, because a file appears whole.
final class OutputSink {
    enum Destination: Equatable {
        case standardOutput
        case file(String)
        /// Stays in ``bytes``.
        case memory

        /// What `-o` says: a file, or nil or `-` for standard output.
        init(path: String?) {
            if let path, path != "-" { self = .file(path) } else { self = .standardOutput }
        }
    }

    private static let pieceSize = 1 << 18

    private let destination: Destination
    /// What the input brings along must not steer the terminal that shows it, now or later.
    private let isCleaned: Bool
    private(set) var bytes: [UInt8] = []
    /// Why writing failed; what comes then is dropped.
    private(set) var failure: CommandFailure?

    /// - Parameter isStyled: whether the escape sequences in what comes are wanted.
    init(_ destination: Destination, isStyled: Bool = false) {
        self.destination = destination
        isCleaned = destination != .memory && !isStyled
    }

    var isFile: Bool {
        switch destination {
        case .file: true
        case .standardOutput, .memory: false
        }
    }

    private var isStreamed: Bool { destination == .standardOutput }

    func append(_ piece: UnsafeBufferPointer<UInt8>) {
        if isStreamed, piece.count >= Self.pieceSize, !(isCleaned && piece.contains(where: SafeText.isSuspect)) {
            if !bytes.isEmpty { flush() }
            // What begins a sequence waits for its end.
            if bytes.isEmpty { return writeOut(piece) }
        }
        bytes.append(contentsOf: piece)
        if isStreamed, bytes.count >= Self.pieceSize { flush() }
    }

    func append(_ piece: [UInt8]) { piece.withUnsafeBufferPointer { append($0) } }

    /// - Parameter isLast: nothing comes after.
    private func flush(isLast: Bool = false) {
        // Taken out, not copied: the memory serves again.
        var piece: [UInt8] = []
        swap(&piece, &bytes)
        var rest: [UInt8] = []
        if isCleaned {
            let pending = isLast ? 0 : piece.withUnsafeBufferPointer(SafeText.pending)
            rest = Array(piece.suffix(pending))
            piece.removeLast(pending)
            SafeText.clean(&piece, isForTerminal: isatty(STDOUT_FILENO) == 1)
        }
        piece.withUnsafeBufferPointer { writeOut($0) }
        piece.removeAll(keepingCapacity: true)
        piece += rest
        swap(&piece, &bytes)
    }

    private func writeOut(_ piece: UnsafeBufferPointer<UInt8>) {
        guard failure == nil else { return }
        do throws(CommandFailure) { try FileAccess.writeStandardOutput(piece) } catch { failure = error }
    }

    /// Writes what is left, or the file.
    ///
    /// - Throws: ``CommandFailure`` when this or an earlier write failed.
    func finish() throws(CommandFailure) {
        switch destination {
        case .file(let path):
            if isCleaned { SafeText.clean(&bytes) }
            try FileAccess.write([(path, bytes)])
        case .standardOutput: flush(isLast: true)
        case .memory: break
        }
        if let failure { throw failure }
    }
}
