// A source of which only the text is wanted.
//
// In: its parsed document. Out: the text, whole or piece by piece, and the messages.

import FancyTextBasics
import FancyTextOutputs

/// The text of a parsed source.
package struct PlainTextSource {
    private var document: Document
    private let options: PlainTextOptions

    init(_ document: Document, _ options: PlainTextOptions) {
        self.document = document
        self.options = options
    }

    /// The messages until now; complete after the text has been read.
    package var diagnostics: DiagnosticLog { document.diagnostics }

    /// The text.
    package mutating func read() -> [UInt8] { document.plainText(options, sink: nil) }

    /// Passes the text to `sink` piece by piece, so that it is never whole in memory. Returns the messages that arose.
    package mutating func write(to sink: (UnsafeBufferPointer<UInt8>) -> Void) -> DiagnosticLog {
        let known = diagnostics
        withoutActuallyEscaping(sink) { sink in
            document.plainText(options, sink: sink).withUnsafeBufferPointer(sink)
        }
        var late = DiagnosticLog()
        for entry in diagnostics.entries(besides: known) { late.report(entry) }
        return late
    }
}
