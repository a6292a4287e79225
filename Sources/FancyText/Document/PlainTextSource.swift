// A source whose text is wanted and nothing else: its tree is kept only where something needs the whole of it.
//
// In: the source's stream or its parsed document. Out: the text, whole or piece by piece, and what there is to say of it.

import FancyTextBasics
import FancyTextOutputs

/// The text of a source, read while it is parsed when nothing but the default styles decides what shows, else off the parsed
/// document.
package struct PlainTextSource {
    enum Form {
        /// `document` parses the source for its whole tree.
        case stream(TextStream, document: () -> Document)
        case document(Document)
    }

    private var form: Form
    private let options: PlainTextOptions
    /// What there is to say so far; after reading, all of it.
    package private(set) var diagnostics: DiagnosticLog

    init(_ form: Form, _ options: PlainTextOptions, _ diagnostics: DiagnosticLog) {
        self.form = form
        self.options = options
        self.diagnostics = diagnostics
    }

    /// The text.
    package mutating func read() -> [UInt8] { read(sink: nil) }

    /// Gives the text to `sink`, piece by piece: it is never whole in memory. Returns what there was to say of it only now.
    package mutating func write(to sink: (UnsafeBufferPointer<UInt8>) -> Void) -> DiagnosticLog {
        let known = diagnostics
        withoutActuallyEscaping(sink) { sink in read(sink: sink).withUnsafeBufferPointer(sink) }
        var late = DiagnosticLog()
        for entry in diagnostics.entries(besides: known) { late.report(entry) }
        return late
    }

    private mutating func read(sink: TextSink?) -> [UInt8] {
        switch form {
        case .stream(let stream, let document):
            var log = diagnostics
            let meter = SinkMeter(sink)
            if var text = stream.read(log: &log, sink: meter.next()) {
                diagnostics = log
                options.endLastLine(&text)
                return text
            }
            return meter.rest(read(document(), sink: meter.next()))
        case .document(let document):
            return read(document, sink: sink)
        }
    }

    private mutating func read(_ document: Document, sink: TextSink?) -> [UInt8] {
        var document = document
        let text = document.plainText(options, sink: sink)
        diagnostics = document.diagnostics
        return text
    }
}
