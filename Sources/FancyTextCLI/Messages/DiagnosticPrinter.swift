// Diagnostics as text (`file:line:col: severity: message`, with a caret line) or as NDJSON, on standard error.

import FancyTextBasics
import FancyTextPlatform
import FancyTextSelectors

enum DiagnosticStyle: String, CaseIterable {
    case text, json

    /// The form of messages that the command line requests, before its arguments are parsed.
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

    /// - Parameter hasExcerpt: whether the source line is printed too.
    func print(_ diagnostic: Diagnostic, hasExcerpt: Bool = true) {
        withText { text in
            diagnostic.withPlace {
                if hasExcerpt {
                    append(diagnostic, at: $0, in: $1, to: &text)
                } else {
                    appendText(diagnostic, $0, &text)
                }
            }
            FileAccess.writeStandardError(text.bytes.elements)
        }
    }

    private func withText<Result>(_ body: (inout MessageText) -> Result) -> Result {
        var text = MessageText(capacity: 512)
        defer { text.free() }
        return body(&text)
    }

    /// Prints an error in a selector: its position, the selector, and a caret.
    func print(selector: String, _ error: SelectorError) {
        let location = Diagnostic.Location(source: "selector", line: 1, column: error.column)
        var text = selector
        let excerpt = text.withUTF8 { Diagnostic.Excerpt(offset: location.offset(in: $0), in: $0) }
        switch style {
        case .text:
            // An argument has no lines.
            withText { text in
                text.append("selector:")
                text.append(error.column)
                text.append(": error: ")
                text.appendPrintable(error.message)
                text.append("\n")
                excerpt.withPlace { text.appendCaretLines($0, $1) }
                FileAccess.writeStandardError(text.bytes.elements)
            }
        case .json: print(Diagnostic(.error, .invalidSelector, error.message, at: location, excerpt: excerpt))
        }
    }

    /// The printed form of a message.
    func text(of diagnostic: Diagnostic) -> String {
        withText { text in
            diagnostic.withPlace { append(diagnostic, at: $0, in: $1, to: &text) }
            return String(decoding: text.bytes.elements, as: UTF8.self)
        }
    }

    /// Appends the printed form of a message.
    ///
    /// - Parameters: the values of ``Diagnostic/withPlace(_:)``.
    func append(
        _ diagnostic: Diagnostic, at location: Diagnostic.Location?, in file: Diagnostic.FilePlace?,
        to text: inout MessageText
    ) {
        switch style {
        case .text:
            appendText(diagnostic, location, &text)
            if let file {
                Diagnostic.withExcerpt(at: file) { text.appendCaretLines($0, $1) }
            } else {
                diagnostic.withExcerpt { text.appendCaretLines($0, $1) }
            }
        case .json: jsonBytes(diagnostic, location).withUnsafeBufferPointer { text.bytes.append(contentsOf: $0) }
        }
    }

    private func name(_ severity: Diagnostic.Severity) -> StaticString {
        switch severity {
        case .note: "note"
        case .warning: "warning"
        case .error: "error"
        }
    }

    /// The message, with the option that changes the limit in it.
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
        case .budgetGeneratedText, .budgetSubstitutedText, .budgetSelectedBytes, .budgetBoxes, .budgetTerminalCells,
            .budgetLayerBytes,
            .budgetPaintedPixels,
            .budgetImageBytes,
            .budgetDecodedPixels, .budgetFontBytes, .budgetStyleSheets, .budgetRequests, .budgetFetchedBytes:
            "--limit \(code.rawValue.dropFirst("budget.".count))=N"
        case .unknownProperty, .unsupportedValue, .noEffect, .unsupportedRule, .invalidSyntax, .invalidSelector,
            .unreadableSheet, .imageTooCostly, .nestingLimit, .invalidUTF8, .formattingLimit, .shadowRoot, .clippedText,
            .tailDoesNotFit, .formulaAsText,
            .missingImage,
            .unusableFont, .hiddenPage, .missingFamily,
            .missingGlyph, .unusableLambda, .layersLeftOut, .pictureDiffers, .furtherMessages, .failure, .cancelled,
            .emptyInput,
            .ignoredOption, .skippedRows, .cachedResults:
            nil
        }
    }

    private func appendText(_ diagnostic: Diagnostic, _ location: Diagnostic.Location?, _ text: inout MessageText) {
        if let location {
            text.append(source: location.source)
            text.append(":")
            text.append(location.line)
            text.append(":")
            text.append(location.column)
        } else {
            text.append("fancytext")
        }
        switch diagnostic.severity {
        case .note: text.append(": note: ")
        case .warning: text.append(": warning: ")
        case .error: text.append(": error: ")
        }
        text.appendPrintable(diagnostic.message)
        if let option = Self.option(for: diagnostic.code) { text.appendPrintable(" (\(option))") }
        text.append("\n")
    }

    /// A line of NDJSON.
    func json(_ diagnostic: Diagnostic) -> String {
        String(decoding: jsonBytes(diagnostic, diagnostic.location), as: UTF8.self)
    }

    private func jsonBytes(_ diagnostic: Diagnostic, _ location: Diagnostic.Location?) -> [UInt8] {
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
        return json.bytes
    }
}
