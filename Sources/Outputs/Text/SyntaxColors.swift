// Colours for HTML and JSON on a terminal: adds escape sequences to finished bytes.

import FancyTextBasics

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

extension JSONBuffer {
    /// JSON with each member and element on its own line, indented by two spaces per level; nil if it would take more than `most`
    /// bytes. O(length × depth).
    package static func pretty(_ json: [UInt8], atMost most: Int) -> [UInt8]? {
        var out: [UInt8] = []
        var depth = 0
        var at = 0
        func newLine() {
            out.append(0x0A)
            for _ in 0..<(2 * depth) { out.append(0x20) }
        }
        while at < json.count {
            if out.count > most { return nil }
            let byte = json[at]
            switch byte {
            case 0x22:
                let from = at
                at += 1
                while at < json.count, json[at] != 0x22 { at += json[at] == 0x5C ? 2 : 1 }
                out += json[from...min(at, json.count - 1)]
            case 0x7B, 0x5B:
                out.append(byte)
                if at + 1 < json.count, json[at + 1] == 0x7D || json[at + 1] == 0x5D {
                    at += 1
                    out.append(json[at])
                } else {
                    depth += 1
                    newLine()
                }
            case 0x7D, 0x5D:
                depth -= 1
                newLine()
                out.append(byte)
            case 0x2C:
                out.append(byte)
                newLine()
            case 0x3A: out += [0x3A, 0x20]
            default: out.append(byte)
            }
            at += 1
        }
        return out
    }
}
