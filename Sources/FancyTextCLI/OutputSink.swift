// Output that may be large: to standard output piece by piece, to a file whole or not at all.

import Glibc
import MarkupSyntax

/// Takes a command's result as it is made.
///
/// What goes to a terminal, a pipe or a device is written in pieces of ``pieceSize``, so that it is never whole in memory;
/// what goes to a file is collected, because a file appears whole (SPEC C3).
struct OutputSink {
    private static let pieceSize = 1 << 18

    private let path: String?
    /// Goes to a terminal, which must see no escape sequence of an input (SPEC S4); collected, so that none is cut in two.
    private let isCleaned: Bool
    private var bytes: [UInt8] = []
    private var failure: CommandFailure?

    /// - Parameters:
    ///   - path: a file, or nil or `-` for standard output.
    ///   - isStyled: whether the escape sequences in what comes are wanted.
    init(path: String?, isStyled: Bool) {
        self.path = path.flatMap { $0 == "-" ? nil : $0 }
        isCleaned = self.path == nil && !isStyled && isatty(STDOUT_FILENO) == 1
    }

    mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
        if path == nil, !isCleaned, bytes.isEmpty, piece.count >= Self.pieceSize {
            writeOut(piece)
            return
        }
        bytes.append(contentsOf: piece)
        if path == nil, !isCleaned, bytes.count >= Self.pieceSize { flush() }
    }

    mutating func append(_ piece: [UInt8]) { piece.withUnsafeBufferPointer { append($0) } }

    private mutating func flush() {
        // Taken out, not copied: the memory serves again.
        var piece: [UInt8] = []
        swap(&piece, &bytes)
        (isCleaned ? TextExtractor<DefaultTextStyles>.withoutControls(piece) : piece)
            .withUnsafeBufferPointer { writeOut($0) }
        piece.removeAll(keepingCapacity: true)
        swap(&piece, &bytes)
    }

    private mutating func writeOut(_ piece: UnsafeBufferPointer<UInt8>) {
        guard failure == nil else { return }
        do throws(CommandFailure) { try FileAccess.writeStandardOutput(piece) } catch { failure = error }
    }

    /// Writes what is left, or the file.
    ///
    /// - Throws: ``CommandFailure`` when this or an earlier write failed.
    mutating func finish() throws(CommandFailure) {
        if let path {
            try FileAccess.write(bytes, to: path)
        } else {
            flush()
        }
        if let failure { throw failure }
    }
}
