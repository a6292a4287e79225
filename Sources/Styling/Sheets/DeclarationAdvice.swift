// The ends of messages about declarations that cannot be read: the name, or the value with a unit or spaces, that was probably meant.
//
// In: an unknown name, or the tokens of an invalid value. Out: a question; nothing without a good guess.

import FancyTextBasics
import FancyTextCSS

enum DeclarationAdvice {
    static func property(_ name: String) -> String {
        let names = PropertyTable.shared.rows.lazy.map { String($0.name) }
        let nearest = Spelling.nearest(to: name.asciiLowercased(), in: names, most: min(3, name.utf8.count / 2))
        return nearest.map { "; did you mean '\($0)'?" } ?? ""
    }

    /// The value with the first correction that makes it valid.
    static func value(_ range: Range<Int>, of source: CSSSource, _ row: Property, _ context: ValueContext) -> String {
        guard let last = range.last, source.tokens[last].end - source.tokens[range.lowerBound].start <= 60
        else { return "" }
        let corrected = corrections.lazy.compactMap { correction -> String? in
            let parts = range.map { correction(source, $0, range) }
            guard parts.contains(where: { $0 != nil }) else { return nil }
            return zip(range, parts).map { $1 ?? source.text($0..<$0 + 1) }.joined()
        }
        // Hacks for old browsers are no mistakes.
        if source.text(range).contains("\\") { return "" }
        let valid = corrected.first { !StylesheetParser.parseInline("\(row.name):\($0)", context: context).isEmpty }
        return valid.map { "; did you mean '\($0)'?" } ?? ""
    }

    /// The text in place of a token of a value; nil if the token stays.
    private typealias Correction = @Sendable (_ source: CSSSource, _ index: Int, _ value: Range<Int>) -> String?

    private static let corrections: [Correction] =
        ["px", "deg", "s"].map { unit -> Correction in
            { source, index, _ in
                let token = source.tokens[index]
                return token.kind == .number && token.number != 0 ? source.text(index..<index + 1) + unit : nil
            }
        } + [
            // A unit after a space, a sum without spaces.
            { source, index, value in
                guard value.contains(index - 1), value.contains(index + 1), source.tokens[index - 1].kind == .number
                else { return nil }
                return source.tokens[index].kind == .whitespace && source.tokens[index + 1].kind == .ident ? "" : nil
            },
            { source, index, value in
                let text = source.text(index..<index + 1)
                guard value.contains(index - 1), numeric.contains(source.tokens[index].kind),
                    "+-".contains(text.prefix(1))
                else { return nil }
                let isApart = source.tokens[index - 1].kind == .whitespace
                return (isApart ? "" : " ") + text.prefix(1) + " " + text.dropFirst()
            },
        ]

    private static let numeric: [CSSToken.Kind] = [.number, .percentage, .dimension]
}
