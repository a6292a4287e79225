// Diagnostics as text (`file:line:col: severity: message`, with a caret line) or as NDJSON, on standard error; and as JSON beside a
// result, which only the program itself reads: stored in a cache, and sent between processes. In: a diagnostic. Out: its text, which
// names the option that changes the outcome.

import FancyText

enum DiagnosticStyle: String, CaseIterable {
    case text, json

    /// The form of messages that the command line requests, before its arguments are parsed.
    static var asked: DiagnosticStyle { asked(by: PathText.arguments) }

    static func asked(by arguments: [String]) -> DiagnosticStyle {
        let isJSON = zip(arguments, arguments.dropFirst()).contains { $0 == ("--diagnostics", "json") }
        return isJSON || arguments.contains("--diagnostics=json") ? .json : .text
    }
}

struct DiagnosticPrinter {
    var style: DiagnosticStyle

    func print(_ failure: CommandFailure) { print(failure.diagnostic) }

    func print(_ diagnostic: Diagnostic, hasExcerpt: Bool = true) {
        FileAccess.writeStandardError(text(of: diagnostic, hasExcerpt: hasExcerpt))
    }

    /// Prints an error in the selector of an option: its position, the selector, and a caret.
    func printError(inSelector selector: String, of name: String, _ error: SelectorError) {
        let location = Diagnostic.Location(source: name, line: 1, column: error.column)
        var text = selector
        let offset = text.unicodeScalars.prefix(max(0, error.column - 1)).reduce(0) { $0 + UTF8.width($1) }
        let excerpt = text.withUTF8 { Diagnostic.Excerpt(offset: offset, in: $0) }
        if style == .json {
            print(Diagnostic(.error, .invalidSelector, error.message, at: location, excerpt: excerpt))
        } else {
            // An argument has no lines.
            let message = "\(name):\(error.column): error: \(MessageText.printable(error.message))\n"
            FileAccess.writeStandardError(message + MessageText.caretLines(excerpt))
        }
    }

    /// The printed form of a message.
    func text(of diagnostic: Diagnostic, hasExcerpt: Bool = true) -> String {
        if style == .json { return json(diagnostic) }
        let place = diagnostic.location.map { "\(MessageText.printable($0.source)):\($0.line):\($0.column)" }
        let message = MessageText.printable(message(of: diagnostic))
        let excerpt = hasExcerpt ? diagnostic.excerpt.map(MessageText.caretLines) : nil
        return "\(place ?? "fancytext"): \(diagnostic.severity): \(message)\n\(excerpt ?? "")"
    }

    /// The message, with the option that changes the limit in it.
    private func message(of diagnostic: Diagnostic) -> String {
        let name = diagnostic.code.rawValue
        let isBudget = Budget.allCases.contains { $0.code == diagnostic.code }
        let option = isBudget ? "--limit \(name.dropFirst("budget.".count))=N" : Self.options[diagnostic.code]
        return option.map { "\(diagnostic.message) (\($0))" } ?? diagnostic.message
    }

    private static let options: [Diagnostic.Code: String] = [
        .inputTooLarge: "--max-input", .treeTooDeep: "--max-depth", .treeDeeperThanBrowsers: "--max-depth",
        .boxesTooDeep: "--max-depth", .imageTooLarge: "--max-image-pixels",
        .imageOutsideFolder: "--base-dir; not with --untrusted", .networkNotAllowed: "--allow-net",
        .unknownEncoding: "--encoding", .dialect: "--dialect", .unfilledLambda: "--lambda", .unfilledTag: "--data",
        .timeout: "--timeout", .missingGlyph: "--font, or --emoji for emoji",
    ]

    func json(_ diagnostic: Diagnostic) -> String {
        let line = JSONBuffer.record { json in
            json.member("severity", "\(diagnostic.severity)")
            json.member("code", diagnostic.code.rawValue)
            if let location = diagnostic.location {
                json.member("file", location.source)
                json.member("line", location.line)
                json.member("column", location.column)
            }
            json.member("message", message(of: diagnostic))
        }
        return String(decoding: line, as: UTF8.self)
    }
}

enum MessageText {
    /// Text in which U+FFFD replaces characters that could control the terminal: messages quote the input.
    static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isPrintable($0) ? $0 : "\u{FFFD}" }))
    }

    /// An excerpt and, below its place, a caret, indented by the width of the text before it; tabs are kept.
    static func caretLines(_ excerpt: Diagnostic.Excerpt) -> String {
        let text = printable(excerpt.text)
        let before = text.unicodeScalars.prefix(excerpt.indent).split(separator: "\t", omittingEmptySubsequences: false)
        let blanks = before.map { String(repeating: " ", count: DisplayWidth.cells(Substring($0).utf8)) }
        return "  \(text)\n  \(blanks.joined(separator: "\t"))^\n"
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F, 0x09: true
        case 0..<0xA0: false
        default: ![.control, .format].contains(scalar.properties.generalCategory) && !PathText.isByte(scalar)
        }
    }
}

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
