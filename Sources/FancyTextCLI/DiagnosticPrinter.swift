// Diagnostics as text (`file:line:col: severity: message`, with a caret line) or as NDJSON, on standard error.

import MarkupSyntax
import Rendering

enum DiagnosticStyle: String, CaseIterable {
    case text, json
}

struct DiagnosticPrinter {
    var style: DiagnosticStyle

    func print(_ log: DiagnosticLog) {
        guard !log.entries.isEmpty else { return }
        FileAccess.writeStandardError(log.entries.map(render).joined())
    }

    func print(_ failure: CommandFailure) {
        print(Diagnostic(.error, failure.message))
    }

    func print(_ diagnostic: Diagnostic) {
        FileAccess.writeStandardError(render(diagnostic))
    }

    /// A bad selector: its place, itself, a caret.
    func print(selector: String, _ error: SelectorError) {
        let location = Diagnostic.Location(source: "selector", line: 1, column: error.column)
        print(Diagnostic(.error, error.message, at: location, excerpt: selector))
    }

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

    private func text(_ diagnostic: Diagnostic) -> String {
        var place = "fancytext: "
        if let location = diagnostic.location { place = "\(location.source):\(location.line):\(location.column): " }
        var result = "\(place)\(name(diagnostic.severity)): \(Self.printable(diagnostic.message))\n"
        if let excerpt = diagnostic.excerpt, let location = diagnostic.location {
            // A window of a long line, so that the caret stands below its place.
            let column = max(0, location.column - 1)
            let start = max(0, column - 60)
            let window = excerpt.unicodeScalars.dropFirst(start).prefix(100)
            let indent = window.prefix(column - start).map { $0 == "\t" ? "\t" : " " }.joined()
            result += "  \(Self.printable(String(String.UnicodeScalarView(window))))\n  \(indent)^\n"
        }
        return result
    }

    private func json(_ diagnostic: Diagnostic) -> String {
        var json = JSONBuffer()
        json.beginObject()
        json.key("severity")
        json.string(name(diagnostic.severity))
        if let location = diagnostic.location {
            json.key("file")
            json.string(location.source)
            json.key("line")
            json.number(location.line)
            json.key("column")
            json.number(location.column)
        }
        json.key("message")
        json.string(diagnostic.message)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    /// Messages quote the input: control characters must not reach the terminal raw.
    private static func printable(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar != "\t", .format: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
