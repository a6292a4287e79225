// Colours for HTML and JSON on a terminal: adds escape sequences to finished bytes.

package enum SyntaxColors {
    /// Colours tags, attributes and comments of HTML. O(length).
    package static func html(_ bytes: [UInt8]) -> [UInt8] {
        colored(bytes, "html", [.keyword: "34", .name: "36", .string: "32", .number: "32", .comment: "2"])
    }

    /// Colours names, strings and literals of JSON. O(length).
    package static func json(_ bytes: [UInt8]) -> [UInt8] {
        colored(bytes, "json", [.name: "34", .string: "32", .number: "33", .keyword: "33"])
    }

    private static func colored(_ bytes: [UInt8], _ language: String, _ colors: [CodeToken: String]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count * 2)
        var at = 0
        for token in CodeLanguage.named(language)?.tokens(of: bytes) ?? [] {
            guard let color = colors[token.kind] else { continue }
            out += bytes[at..<token.range.lowerBound]
            out += Array("\u{1B}[\(color)m".utf8) + bytes[token.range] + Array("\u{1B}[0m".utf8)
            at = token.range.upperBound
        }
        return out + bytes[at...]
    }
}
