// Diagnostics as text (`file:line:col: severity: message`, with a caret line) or as NDJSON, on standard error.

import Basics
import Selectors

enum DiagnosticStyle: String, CaseIterable {
    case text, json

    /// The form of messages that the arguments ask for, before anything has read them.
    static var asked: DiagnosticStyle {
        let arguments = CommandLine.arguments
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
        FileAccess.writeStandardError(render(diagnostic))
    }

    /// A bad selector: its place, itself, a caret.
    func print(selector: String, _ error: SelectorError) {
        let location = Diagnostic.Location(source: "selector", line: 1, column: error.column)
        var text = selector
        let excerpt = text.withUTF8 { Diagnostic.Excerpt(offset: location.offset(in: $0), in: $0) }
        switch style {
        case .text:
            // An argument has no lines.
            FileAccess.writeStandardError(
                "selector:\(error.column): error: \(Self.printable(error.message))\n" + Self.caretLines(excerpt))
        case .json: print(Diagnostic(.error, .invalidSelector, error.message, at: location, excerpt: excerpt))
        }
    }

    /// What is printed of a message.
    func text(of diagnostic: Diagnostic) -> String { render(diagnostic) }

    private func render(_ diagnostic: Diagnostic) -> String {
        switch style {
        case .text: text(diagnostic)
        case .json: json(diagnostic)
        }
    }

    private func name(_ severity: Diagnostic.Severity) -> String {
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

    private func text(_ diagnostic: Diagnostic) -> String {
        var place = "fancytext: "
        if let location = diagnostic.location {
            place = "\(Self.printable(location.source)):\(location.line):\(location.column): "
        }
        var result = "\(place)\(name(diagnostic.severity)): \(Self.printable(message(of: diagnostic)))\n"
        if let excerpt = diagnostic.excerpt { result += Self.caretLines(excerpt) }
        return result
    }

    /// A line of NDJSON.
    func json(_ diagnostic: Diagnostic) -> String {
        var json = JSONBuffer()
        json.beginObject()
        json.key("severity")
        json.string(name(diagnostic.severity))
        json.key("code")
        json.string(diagnostic.code.rawValue)
        if let location = diagnostic.location {
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
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    /// The excerpt and, below its place, a caret: as many cells to the right as the text before takes on a terminal.
    private static func caretLines(_ excerpt: Diagnostic.Excerpt) -> String {
        var text = printable(excerpt.text)
        let blanks = text.withUTF8 { bytes in
            var blanks: [UInt8] = []
            var (at, start, scalars) = (0, 0, 0)
            func addPiece() {
                let piece = UnsafeBufferPointer(rebasing: bytes[start..<at])
                blanks.append(contentsOf: repeatElement(0x20, count: DisplayWidth.cells(piece)))
            }
            while at < bytes.count {
                if bytes[at] & 0xC0 != 0x80 { scalars += 1 }
                guard scalars <= excerpt.indent else { break }
                if bytes[at] == 0x09 {
                    addPiece()
                    blanks.append(0x09)
                    start = at + 1
                }
                at += 1
            }
            addPiece()
            return String(decoding: blanks, as: UTF8.self)
        }
        return "  \(text)\n  \(blanks)^\n"
    }

    /// Messages quote the input: control characters must not reach the terminal raw.
    private static func printable(_ text: String) -> String {
        var text = text
        if text.withUTF8(isPlain) { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            let shown = isPrintable(scalar) ? scalar : "\u{FFFD}"
            if shown.isASCII {
                result.append(UInt8(truncatingIfNeeded: shown.value))
            } else {
                result.append(contentsOf: UTF8.encode(shown) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether a text is ASCII without controls, and marks of what is left out.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var at = 0
        while at < bytes.count {
            let byte = bytes[at]
            if byte == 0xE2, at + 2 < bytes.count, bytes[at + 1] == 0x80, bytes[at + 2] == 0xA6 {
                at += 3
                continue
            }
            guard 0x20..<0x7F ~= byte || byte == 0x09 else { return false }
            at += 1
        }
        return true
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == "\t" || (scalar >= " " && scalar != "\u{7F}") }
        if PathText.isByte(scalar) { return false }
        switch scalar.properties.generalCategory {
        case .control, .format: return false
        default: return true
        }
    }
}
