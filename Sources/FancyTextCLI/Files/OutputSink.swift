// Output that may be large: written to standard output in pieces, to a file completely or not at all, or kept until its turn.

import FancyTextPlatform
import FancyTextWriting

/// Receives a command's result as it is made.
///
/// Output to a terminal, a pipe or a device is written in pieces of ``pieceSize``, so it is never whole in memory. Output to a
/// file is collected, because a file is written completely or not at all.
///
/// This is the only place that decides whether controls of the input are removed: a result must not control the terminal that
/// shows it, now or later.
final class OutputSink {
    struct Destination {
        var isStandardOutput = false
        /// Files that all get the same bytes.
        var files: [String] = []

        static let standardOutput = Destination(isStandardOutput: true)
        /// Keeps the result in ``bytes``.
        static let memory = Destination()
    }

    enum Content {
        /// Bytes, or text from a writer that removes the controls of the input: pictures, terminal text, JSON.
        case safe
        /// Text with unchanged characters of the input. Controls are removed when it is written.
        case text
        /// The same, with colours. Controls are removed from each piece before colours are added.
        case colored
    }

    /// The language of a piece of coloured text.
    enum Language { case html, json }

    private static let pieceSize = 1 << 18

    private let destination: Destination
    private let content: Content
    private let keepsControls: Bool
    private(set) var bytes: [UInt8] = []
    /// The reason why writing failed; later output is dropped.
    private(set) var failure: CommandFailure?

    init(_ destination: Destination, _ content: Content, keepsControls: Bool = false) {
        (self.destination, self.content, self.keepsControls) = (destination, content, keepsControls)
    }

    /// A sink for a part of the result that is added later.
    func makePart() -> OutputSink { OutputSink(.memory, content, keepsControls: keepsControls) }

    static func write(_ text: [UInt8]) throws(CommandFailure) {
        let sink = OutputSink(.standardOutput, .text)
        sink.append(text)
        try sink.finish()
    }

    /// A complete result as it is written to a file.
    static func cleaned(_ bytes: consuming [UInt8], _ content: Content, keepsControls: Bool) -> [UInt8] {
        if content == .text, !keepsControls { SafeText.clean(&bytes) }
        return bytes
    }

    private var isCleaned: Bool { content == .text && !keepsControls }

    var isFile: Bool { !destination.files.isEmpty }

    private var isStreamed: Bool { destination.isStandardOutput && !isFile }

    func append(_ piece: UnsafeBufferPointer<UInt8>) {
        if isStreamed, piece.count >= Self.pieceSize, !(isCleaned && piece.contains(where: SafeText.isSuspect)) {
            if !bytes.isEmpty { flush() }
            // The start of an escape sequence waits for its end.
            if bytes.isEmpty { return writeOut(piece) }
        }
        bytes.append(contentsOf: piece)
        if isStreamed, bytes.count >= Self.pieceSize { flush() }
    }

    func append(_ piece: [UInt8]) { piece.withUnsafeBufferPointer { append($0) } }

    /// Appends an element or value of the input, with colours if the content has them.
    func append(_ piece: UnsafeBufferPointer<UInt8>, as language: Language?) {
        guard content == .colored else { return append(piece) }
        var text = Array(piece)
        if !keepsControls { SafeText.clean(&text, isForTerminal: true) }
        switch language {
        case .html: append(SyntaxColors.html(text))
        case .json: append(SyntaxColors.json(text))
        case nil: append(text)
        }
    }

    /// Appends a name, such as that of a file, from which controls are always removed.
    func append(name: String) { append(SafeText.withoutControls(Array(name.utf8))) }

    private func flush(isLast: Bool = false) {
        // Swapped, not copied, so that the memory is reused.
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
        do throws(CommandFailure) { try FileAccess.write(piece) } catch { failure = error }
    }

    /// Writes the rest of the output, or the file; in memory, the result is complete.
    func finish() throws(CommandFailure) {
        if !isStreamed, isCleaned { SafeText.clean(&bytes) }
        if isFile { try FileAccess.write(destination.files.map { ($0, bytes) }) }
        if destination.isStandardOutput { flush(isLast: true) }
        if let failure { throw failure }
    }
}
