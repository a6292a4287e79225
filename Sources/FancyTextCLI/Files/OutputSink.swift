// Output that may be large: to standard output piece by piece, to a file whole or not at all, or kept until its turn.

import Glibc
import Outputs

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
    /// Goes to a terminal, which must see no escape sequence of an input; collected, so that none is cut in two.
    private let isCleaned: Bool
    private(set) var bytes: [UInt8] = []
    /// Why writing failed; what comes then is dropped.
    private(set) var failure: CommandFailure?

    /// - Parameter isStyled: whether the escape sequences in what comes are wanted.
    init(_ destination: Destination, isStyled: Bool = false) {
        self.destination = destination
        isCleaned = destination == .standardOutput && !isStyled && isatty(STDOUT_FILENO) == 1
    }

    var isFile: Bool {
        switch destination {
        case .file: true
        case .standardOutput, .memory: false
        }
    }

    private var isStreamed: Bool { destination == .standardOutput && !isCleaned }

    func append(_ piece: UnsafeBufferPointer<UInt8>) {
        if isStreamed, bytes.isEmpty, piece.count >= Self.pieceSize {
            writeOut(piece)
            return
        }
        bytes.append(contentsOf: piece)
        if isStreamed, bytes.count >= Self.pieceSize { flush() }
    }

    func append(_ piece: [UInt8]) { piece.withUnsafeBufferPointer { append($0) } }

    private func flush() {
        // Taken out, not copied: the memory serves again.
        var piece: [UInt8] = []
        swap(&piece, &bytes)
        (isCleaned ? SafeText.withoutControls(piece) : piece)
            .withUnsafeBufferPointer { writeOut($0) }
        piece.removeAll(keepingCapacity: true)
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
        case .file(let path): try FileAccess.write([(path, bytes)])
        case .standardOutput: flush()
        case .memory: break
        }
        if let failure { throw failure }
    }
}
