// Messages as JSON that only the program itself reads: kept with results, and sent from process to process.

import Basics
import FancyText

extension Diagnostic {
    /// An array of its parts.
    func append(to json: inout JSONBuffer) {
        json.beginArray()
        json.number(Int(severity.rawValue))
        json.string(code.rawValue)
        json.string(message)
        if let location {
            json.string(location.source)
            json.number(location.line)
            json.number(location.column)
            if let excerpt {
                json.string(excerpt.text)
                json.number(excerpt.indent)
            }
        }
        json.endArray()
    }

    /// What ``append(to:)`` wrote; nil for anything else.
    init?(_ value: JSONValue) {
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

extension JSONValue {
    /// A string's or a number's text.
    var writtenText: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .null, .bool, .array, .object: nil
        }
    }
}
