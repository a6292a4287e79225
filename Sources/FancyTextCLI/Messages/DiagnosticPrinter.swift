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
        let text = printable(excerpt.text)
        let before = text.unicodeScalars.prefix(excerpt.indent).split(separator: "\t", omittingEmptySubsequences: false)
        let blanks = before.map { String(repeating: " ", count: DisplayWidth.cells(String($0).utf8)) }
        return "  \(text)\n  \(blanks.joined(separator: "\t"))^\n"
    }

    /// Messages quote the input: control characters must not reach the terminal raw.
    private static func printable(_ text: String) -> String {
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 || $0 == 0x09 }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case _ where PathText.isByte(scalar): result.append("\u{FFFD}")
            case .control where scalar != "\t", .format: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
