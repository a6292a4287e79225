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
        FileAccess.writeStandardError(text(of: diagnostic, hasExcerpt: hasExcerpt))
    }

    /// Prints an error in a selector: its position, the selector, and a caret.
    func print(selector: String, _ error: SelectorError) {
        let location = Diagnostic.Location(source: "selector", line: 1, column: error.column)
        var text = selector
        let excerpt = text.withUTF8 { Diagnostic.Excerpt(offset: location.offset(in: $0), in: $0) }
        switch style {
        case .text:
            // An argument has no lines.
            FileAccess.writeStandardError(
                "selector:\(error.column): error: \(MessageText.printable(error.message))\n"
                    + MessageText.caretLines(excerpt))
        case .json: print(Diagnostic(.error, .invalidSelector, error.message, at: location, excerpt: excerpt))
        }
    }

    /// The printed form of a message.
    func text(of diagnostic: Diagnostic, hasExcerpt: Bool = true) -> String {
        switch style {
        case .json: return json(diagnostic)
        case .text:
            let place = diagnostic.location.map { "\(MessageText.printable($0.source)):\($0.line):\($0.column)" }
            let message = MessageText.printable(message(of: diagnostic))
            let excerpt = hasExcerpt ? diagnostic.excerpt.map(MessageText.caretLines) : nil
            return "\(place ?? "fancytext"): \(name(diagnostic.severity)): \(message)\n\(excerpt ?? "")"
        }
    }

    private func name(_ severity: Diagnostic.Severity) -> String {
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
            .tailDoesNotFit,
            .missingImage,
            .unusableFont, .hiddenPage, .missingFamily,
            .missingGlyph, .unusableLambda, .layersLeftOut, .tooManyPages, .pictureDiffers, .furtherMessages, .failure,
            .cancelled,
            .emptyInput,
            .ignoredOption, .skippedRows, .cachedResults:
            nil
        }
    }

    /// A line of NDJSON.
    func json(_ diagnostic: Diagnostic) -> String {
        var json = JSONBuffer()
        json.beginObject()
        json.member("severity", name(diagnostic.severity))
        json.member("code", diagnostic.code.rawValue)
        if let location = diagnostic.location {
            json.member("file", location.source)
            json.member("line", location.line)
            json.member("column", location.column)
        }
        json.member("message", message(of: diagnostic))
        json.endObject()
        json.endLine()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
