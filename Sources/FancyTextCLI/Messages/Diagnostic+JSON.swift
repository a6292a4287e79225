// Messages beside a result as JSON, which only the program itself reads: stored in a cache, and sent between processes.

import FancyTextBasics

extension Diagnostic {
    fileprivate var json: JSONValue {
        var parts: [JSONValue] = [.number("\(severity.rawValue)"), .string(code.rawValue), .string(message)]
        if let location {
            parts += [.string(location.source), .number("\(location.line)"), .number("\(location.column)")]
            if let excerpt { parts += [.string(excerpt.text), .number("\(excerpt.indent)")] }
        }
        return .array(parts)
    }

    /// Decodes ``json``; nil for anything else.
    fileprivate init?(_ value: JSONValue) {
        let texts = value.elements.compactMap(\.writtenText)
        guard texts.count == value.elements.count, texts.count >= 3,
            let severity = UInt8(texts[0]).flatMap(Diagnostic.Severity.init),
            let code = Diagnostic.Code(rawValue: texts[1])
        else { return nil }
        var location: Diagnostic.Location?
        var excerpt: Diagnostic.Excerpt?
        if texts.count >= 6, let line = Int(texts[4]), let column = Int(texts[5]) {
            location = Diagnostic.Location(source: texts[3], line: line, column: column)
        }
        if texts.count == 8, let indent = Int(texts[7]) { excerpt = Diagnostic.Excerpt(text: texts[6], indent: indent) }
        self.init(severity, code, texts[2], at: location, excerpt: excerpt)
    }
}

extension JSONBuffer {
    /// The JSON on a line before other bytes.
    func line(before body: [UInt8]) -> [UInt8] { bytes + [0x0A] + body }

    /// Writes members of an object: messages, and the looked-up files with their identities.
    mutating func membersBeside(_ messages: [Diagnostic], reads: [(path: String, identity: String)]) {
        array("messages", messages) { $0.value($1.json) }
        array("reads", reads.flatMap { [$0.path, $0.identity] }) { $0.string($1) }
    }
}

extension JSONValue {
    /// Decodes the result of ``JSONBuffer/line(before:)``; nil for anything else.
    static func split(_ encoded: [UInt8]) -> (head: JSONValue, body: [UInt8])? {
        guard let end = encoded.firstIndex(of: 0x0A) else { return nil }
        var parser = JSONParser(Array(encoded[..<end]))
        return parser.parse().map { ($0, Array(encoded[(end + 1)...])) }
    }

    /// The messages that ``JSONBuffer/membersBeside(_:reads:)`` wrote.
    var messages: [Diagnostic] { (member("messages")?.elements ?? []).compactMap(Diagnostic.init) }

    /// The files that ``JSONBuffer/membersBeside(_:reads:)`` wrote.
    var reads: [(path: String, identity: String)] {
        let texts = (member("reads")?.elements ?? []).compactMap(\.writtenText)
        return stride(from: 0, to: texts.count - 1, by: 2).map { (texts[$0], texts[$0 + 1]) }
    }
}
