// Output that may be large: to standard output piece by piece, to a file whole or not at all, or kept until its turn.

import FancyTextPlatform
import FancyTextOutputs

/// Takes a command's result as it is made.
///
/// What goes to a terminal, a pipe or a device is written in pieces of ``pieceSize``, so that it is never whole in memory;
/// what goes to a file is collected, because a file appears whole.
///
/// This is the one place that decides whether controls of the input are removed: a result must not steer the terminal that
/// shows it, now or later.
final class OutputSink {
    struct Destination {
        var isStandardOutput = false
        /// Files that all get the same bytes.
        var files: [String] = []

        static let standardOutput = Destination(isStandardOutput: true)
        /// The result stays in ``bytes``.
        static let memory = Destination()
        static func files(_ paths: [String]) -> Destination { Destination(files: paths) }
    }

    /// What a result consists of.
    enum Content {
        /// Bytes, or text whose writer has left no controls of the input in it: pictures, terminal text, JSON.
        case safe
        /// Text with characters of the input as they are. Controls are removed when it is written.
        case text
        /// Such text that is coloured. Controls are removed from each piece before it gets its colours.
        case colored
    }

    /// The language that a piece of coloured text is written in.
    enum Language {
        case html, json
    }

    private static let pieceSize = 1 << 18

    private let destination: Destination
    private let content: Content
    private let keepsControls: Bool
    private(set) var bytes: [UInt8] = []
    /// Why writing failed; what comes then is dropped.
    private(set) var failure: CommandFailure?

    /// - Parameter keepsControls: whether controls of the input are wanted (`--keep-controls`).
    init(_ destination: Destination, _ content: Content, keepsControls: Bool = false) {
        self.destination = destination
        self.content = content
        self.keepsControls = keepsControls
    }

    /// A sink for a part of the result that ``append(part:)`` adds later.
    func makePart() -> OutputSink { OutputSink(.memory, content, keepsControls: keepsControls) }

    /// Writes a whole text to standard output.
    static func write(_ text: [UInt8]) throws(CommandFailure) {
        let sink = OutputSink(.standardOutput, .text)
        sink.append(text)
        try sink.finish()
    }

    /// A whole result as it goes to a file.
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
            // What begins a sequence waits for its end.
            if bytes.isEmpty { return writeOut(piece) }
        }
        bytes.append(contentsOf: piece)
        if isStreamed, bytes.count >= Self.pieceSize { flush() }
    }

    func append(_ piece: [UInt8]) { piece.withUnsafeBufferPointer { append($0) } }

    /// Appends a part that ``makePart()`` was for.
    func append(part: OutputSink) { append(part.bytes) }

    /// Appends an element or value of the input, coloured where the content is.
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

    /// Appends a name, such as that of a file, in which no control is ever wanted.
    func append(name: String) { append(SafeText.withoutControls(Array(name.utf8))) }

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

    /// Writes what is left, or the file; in memory, the result is complete.
    ///
    /// - Throws: ``CommandFailure`` when this or an earlier write failed.
    func finish() throws(CommandFailure) {
        if !isStreamed, isCleaned { SafeText.clean(&bytes) }
        if isFile { try FileAccess.write(destination.files.map { ($0, bytes) }) }
        if destination.isStandardOutput { flush(isLast: true) }
        if let failure { throw failure }
    }
}
