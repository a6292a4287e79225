// From bytes to a tree: encoding, limits, then the normalizer.

import FancyTextBasics

extension MarkupTree {
    /// Parses HTML: any bytes give a tree. Time and memory are linear in the input.
    package static func parse(_ bytes: [UInt8], options: SyntaxOptions = SyntaxOptions(), log: inout DiagnosticLog)
        -> MarkupTree
    { parse(SourceBytes(bytes), options: options, log: &log) }

    package static func parse(_ bytes: SourceBytes, options: SyntaxOptions, log: inout DiagnosticLog) -> MarkupTree {
        let source = readable(bytes, options: options, log: &log)
        var tree = MarkupTree(storage: Normalizer.build(source, options, log: &log))
        if let allowed = options.allowedTags { tree.keepOnly(allowed) }
        return tree
    }

    /// The bytes to parse: valid UTF-8, truncated to the limit and to the most bytes that nodes can address.
    package static func readable(
        _ bytes: SourceBytes, options: SyntaxOptions, most: Int = Int(Node.mostOffset), log: inout DiagnosticLog
    ) -> SourceBytes {
        let source = prefix(of: bytes, min(options.limits.inputBytes, most), options, log: &log)
        guard !options.isUTF8 else { return source }
        let decoded = InputEncoding.decode(source, label: options.encoding, sourceName: options.sourceName, log: &log)
        // A byte of another encoding may take three bytes in UTF-8, so the limit is checked again.
        return prefix(of: decoded, most, options, log: &log)
    }

    private static func prefix(
        of source: SourceBytes, _ most: Int, _ options: SyntaxOptions, log: inout DiagnosticLog
    ) -> SourceBytes {
        guard source.count > most else { return source }
        let message = "the input has \(source.count) bytes, more than the limit of \(most): the rest is not read"
        log.report(Diagnostic(.error, .inputTooLarge, message, at: .start(of: options.sourceName)))
        // A character at the end is left out as a whole.
        var end = most
        while end > max(0, most - 3), source.buffer[end] & 0xC0 == 0x80 { end -= 1 }
        return SourceBytes(Array(source.buffer.prefix(end)))
    }

    package static func parse(_ text: String, options: SyntaxOptions = SyntaxOptions()) -> MarkupTree {
        var log = DiagnosticLog()
        var options = options
        options.isUTF8 = true
        return parse(Array(text.utf8), options: options, log: &log)
    }
}
