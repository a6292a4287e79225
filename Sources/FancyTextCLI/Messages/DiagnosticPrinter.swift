// Diagnostics as text (`file:line:col: severity: message`, with a caret line) or as NDJSON, on standard error.

import Basics
import Glibc
import Selectors

enum DiagnosticStyle: String, CaseIterable {
    case text, json

    /// The form of messages that the arguments ask for, before anything has read them.
    static var asked: DiagnosticStyle { asked(by: PathText.arguments) }

    static func asked(by arguments: [String]) -> DiagnosticStyle {
        for (index, argument) in arguments.enumerated() {
            if argument == "--diagnostics=json" { return .json }
            if argument == "--diagnostics", arguments.dropFirst(index + 1).first == "json" { return .json }
        }
        return .text
    }
}

struct DiagnosticPrinter {
    var style: DiagnosticStyle

    func print(_ failure: CommandFailure) {
        print(failure.diagnostic)
    }

    func print(_ diagnostic: Diagnostic) {
        var bytes: [UInt8] = []
        append(diagnostic, at: diagnostic.location, to: &bytes)
        FileAccess.writeStandardError(bytes)
    }

    /// A bad selector: its place, itself, a caret.
    func print(selector: String, _ error: SelectorError) {
        let location = Diagnostic.Location(source: "selector", line: 1, column: error.column)
        var text = selector
        let excerpt = text.withUTF8 { Diagnostic.Excerpt(offset: location.offset(in: $0), in: $0) }
        switch style {
        case .text:
            // An argument has no lines.
            var bytes = Array("selector:\(error.column): error: \(Self.printable(error.message))\n".utf8)
            excerpt.withPlace { Self.appendCaretLines($0, $1, &bytes) }
            FileAccess.writeStandardError(bytes)
        case .json: print(Diagnostic(.error, .invalidSelector, error.message, at: location, excerpt: excerpt))
        }
    }

    /// What is printed of a message.
    func text(of diagnostic: Diagnostic) -> String {
        var bytes: [UInt8] = []
        append(diagnostic, at: diagnostic.location, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends what is printed of a message.
    ///
    /// - Parameter location: the message's own, which takes time to find.
    func append(_ diagnostic: Diagnostic, at location: Diagnostic.Location?, to bytes: inout [UInt8]) {
        switch style {
        case .text: appendText(diagnostic, location, &bytes)
        case .json: appendJSON(diagnostic, location, &bytes)
        }
    }

    private func name(_ severity: Diagnostic.Severity) -> StaticString {
        switch severity {
        case .note: "note"
        case .warning: "warning"
        case .error: "error"
        }
    }

    /// The message, and the option that can change what it says.
    private func message(of diagnostic: Diagnostic) -> String {
        guard let option = Self.option(for: diagnostic.code) else { return diagnostic.message }
        return "\(diagnostic.message) (\(option))"
    }

    private static func option(for code: Diagnostic.Code) -> String? {
        switch code {
        case .inputTooLarge: "--max-input"
        case .treeTooDeep, .treeDeeperThanBrowsers, .boxesTooDeep: "--max-depth"
        case .imageTooLarge: "--max-image-pixels"
        case .imageOutsideFolder: "--base-dir"
        case .networkNotAllowed: "--allow-net"
        case .unknownEncoding: "--encoding"
        case .dialect: "--dialect"
        case .unfilledLambda: "--lambda"
        case .timeout: "--timeout"
        case .budgetGeneratedText, .budgetSubstitutedText, .budgetSelectedBytes, .budgetBoxes, .budgetLayerBytes,
            .budgetPaintedPixels,
            .budgetImageBytes,
            .budgetDecodedPixels, .budgetFontBytes, .budgetStyleSheets, .budgetRequests, .budgetFetchedBytes:
            "--limit \(code.rawValue.dropFirst("budget.".count))=N"
        case .unknownProperty, .unsupportedValue, .noEffect, .unsupportedRule, .invalidSyntax, .invalidSelector,
            .unreadableSheet, .imageTooCostly, .nestingLimit, .invalidUTF8, .formattingLimit, .clippedText,
            .missingImage,
            .unusableFont, .hiddenPage, .missingFamily,
            .missingGlyph, .unusableLambda, .layersLeftOut, .pictureDiffers, .furtherMessages, .failure, .emptyInput,
            .ignoredOption, .skippedRows, .cachedResults:
            nil
        }
    }

    private func appendText(_ diagnostic: Diagnostic, _ location: Diagnostic.Location?, _ bytes: inout [UInt8]) {
        if let location {
            Self.appendPrintable(location.source, &bytes)
            bytes.append(0x3A)
            Self.append(location.line, &bytes)
            bytes.append(0x3A)
            Self.append(location.column, &bytes)
            Self.append(": ", &bytes)
        } else {
            Self.append("fancytext: ", &bytes)
        }
        Self.append(name(diagnostic.severity), &bytes)
        Self.append(": ", &bytes)
        Self.appendPrintable(diagnostic.message, &bytes)
        if let option = Self.option(for: diagnostic.code) { Self.appendPrintable(" (\(option))", &bytes) }
        bytes.append(0x0A)
        diagnostic.withExcerpt { Self.appendCaretLines($0, $1, &bytes) }
    }

    /// A line of NDJSON.
    func json(_ diagnostic: Diagnostic) -> String {
        var bytes: [UInt8] = []
        appendJSON(diagnostic, diagnostic.location, &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func appendJSON(_ diagnostic: Diagnostic, _ location: Diagnostic.Location?, _ bytes: inout [UInt8]) {
        var json = JSONBuffer()
        json.beginObject()
        json.key("severity")
        json.string(name(diagnostic.severity).description)
        json.key("code")
        json.string(diagnostic.code.rawValue)
        if let location {
            json.key("file")
            json.string(location.source)
            json.key("line")
            json.number(location.line)
            json.key("column")
            json.number(location.column)
        }
        json.key("message")
        json.string(message(of: diagnostic))
        json.endObject()
        json.endLine()
        bytes.append(contentsOf: json.bytes)
    }

    private static func append(_ text: StaticString, _ bytes: inout [UInt8]) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// A number from 0.
    private static func append(_ number: Int, _ bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var (start, rest) = (digits.count, number)
            repeat {
                start -= 1
                digits[start] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    private static let blanks = [UInt8](repeating: 0x20, count: 128)

    /// An excerpt and, below its place, a caret: as many cells to the right as the text before takes on a terminal.
    private static func appendCaretLines(
        _ text: UnsafeBufferPointer<UInt8>, _ place: Int, _ bytes: inout [UInt8]
    ) {
        let first = bytes.count
        if appendWellFormed(text, place, &bytes) { return }
        bytes.removeSubrange(first...)
        let indent = text[..<place].reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) }
        Diagnostic.Excerpt(text: String(decoding: text, as: UTF8.self), indent: indent).withPlace {
            _ = appendWellFormed($0, $1, &bytes)
        }
    }

    /// Where the first tab is.
    private static func tab(in text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let base = text.baseAddress, let found = memchr(base, 0x09, text.count) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// - Returns: Whether the excerpt is well-formed; otherwise not all of it is there.
    private static func appendWellFormed(
        _ text: UnsafeBufferPointer<UInt8>, _ place: Int, _ bytes: inout [UInt8]
    ) -> Bool {
        append("  ", &bytes)
        var start = bytes.count
        guard appendPrintable(UnsafeBufferPointer(rebasing: text[..<place]), &bytes) else { return false }
        let end = bytes.count
        guard appendPrintable(UnsafeBufferPointer(rebasing: text[place...]), &bytes) else { return false }
        append("\n  ", &bytes)
        while true {
            let (tab, cells) = bytes.withUnsafeBufferPointer { bytes in
                let piece = UnsafeBufferPointer(rebasing: bytes[start..<end])
                let tab = Self.tab(in: piece)
                return (tab, DisplayWidth.cells(UnsafeBufferPointer(rebasing: piece.prefix(tab ?? piece.count))))
            }
            for done in stride(from: 0, to: cells, by: blanks.count) {
                blanks.withUnsafeBufferPointer {
                    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[..<min($0.count, cells - done)]))
                }
            }
            guard let tab else { break }
            bytes.append(0x09)
            start += tab + 1
        }
        append("^\n", &bytes)
        return true
    }

    /// Messages quote the input: control characters must not reach the terminal raw.
    private static func appendPrintable(_ text: String, _ bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { _ = appendPrintable($0, &bytes) }
    }

    /// - Returns: Whether the text is well-formed; otherwise not all of it is there.
    private static func appendPrintable(_ text: UnsafeBufferPointer<UInt8>, _ bytes: inout [UInt8]) -> Bool {
        guard let base = text.baseAddress else { return true }
        var (at, start) = (0, 0)
        while at < text.count {
            at &+= DisplayWidth.plainPrefix(base + at, text.count &- at)
            guard at < text.count else { break }
            let (value, length) = scalar(in: text, at: at, end: text.count)
            if length == 1, value == 0xFFFD { return false }
            if !isPrintable(value) {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<at]))
                bytes.append(contentsOf: UTF8.encodedReplacementCharacter)
                start = at &+ length
            }
            at &+= length
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        return true
    }

    private static func printable(_ text: String) -> String {
        var bytes: [UInt8] = []
        appendPrintable(text, &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isPrintable(_ value: UInt32) -> Bool {
        switch value {
        case 0x20..<0x7F, 0x09: return true
        case 0..<0xA0: return false
        // Nothing in these is a control or an invisible mark but the soft hyphen: most letters, symbols, private use.
        case 0xA0..<0x600: return value != 0xAD
        case 0x2010..<0x2028, 0x2070..<0xFEFF: return true
        default: break
        }
        guard let scalar = Unicode.Scalar(value), !PathText.isByte(scalar) else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format: return false
        default: return true
        }
    }
}
