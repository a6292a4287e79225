// Colours for HTML and JSON on a terminal: adds escape sequences to finished bytes.

import FancyTextBasics

package enum SyntaxColors {
    private enum Color: String {
        case name = "34", attribute = "36", value = "32", literal = "33", comment = "2"
    }

    private static func put(_ bytes: ArraySlice<UInt8>, _ color: Color, _ out: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        out += Array("\u{1B}[\(color.rawValue)m".utf8)
        out += bytes
        out += Array("\u{1B}[0m".utf8)
    }

    /// Colours tags, attributes and comments of HTML. O(length).
    package static func html(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count * 2)
        var at = 0
        while at < bytes.count {
            guard bytes[at] == 0x3C, at + 1 < bytes.count else {
                out.append(bytes[at])
                at += 1
                continue
            }
            let next = bytes[at + 1]
            if next == 0x21 || next == 0x3F {
                let isComment = bytes[at...].starts(with: "<!--".utf8)
                var end = at + 2
                while end < bytes.count,
                    bytes[end] != 0x3E || isComment && !(bytes[end - 1] == 0x2D && bytes[end - 2] == 0x2D)
                { end += 1 }
                end = min(end + 1, bytes.count)
                put(bytes[at..<end], .comment, &out)
                at = end
            } else if next == 0x2F || next.isASCIILetter {
                at = tag(bytes, at, &out)
            } else {
                out.append(bytes[at])
                at += 1
            }
        }
        return out
    }

    private static func tag(_ bytes: [UInt8], _ start: Int, _ out: inout [UInt8]) -> Int {
        var at = start + 1
        while at < bytes.count, !bytes[at].isHTMLSpace, bytes[at] != 0x3E { at += 1 }
        put(bytes[start..<at], .name, &out)
        while at < bytes.count, bytes[at] != 0x3E {
            if bytes[at].isHTMLSpace || bytes[at] == 0x3D {
                out.append(bytes[at])
                at += 1
            } else if bytes[at] == 0x22 || bytes[at] == 0x27 {
                let end = min((bytes[(at + 1)...].firstIndex(of: bytes[at]) ?? bytes.count - 1) + 1, bytes.count)
                put(bytes[at..<end], .value, &out)
                at = end
            } else {
                let isValue = bytes[at - 1] == 0x3D
                let from = at
                while at < bytes.count, !bytes[at].isHTMLSpace, bytes[at] != 0x3E, isValue || bytes[at] != 0x3D {
                    at += 1
                }
                put(bytes[from..<at], isValue ? .value : .attribute, &out)
            }
        }
        if at < bytes.count {
            put(bytes[at...at], .name, &out)
            at += 1
        }
        return at
    }

    /// Colours names, strings and literals of JSON. O(length).
    package static func json(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count * 2)
        var at = 0
        while at < bytes.count {
            let from = at
            switch bytes[at] {
            case 0x22:
                at += 1
                while at < bytes.count, bytes[at] != 0x22 { at += bytes[at] == 0x5C ? 2 : 1 }
                at = min(at + 1, bytes.count)
                let isName = bytes[at...].first { !$0.isHTMLSpace } == 0x3A
                put(bytes[from..<at], isName ? .name : .value, &out)
            case 0x2D, 0x30...0x39, 0x61...0x7A:
                while at < bytes.count,
                    bytes[at].isASCIILetter || bytes[at].isASCIIDigit || [0x2B, 0x2D, 0x2E].contains(bytes[at])
                { at += 1 }
                put(bytes[from..<at], .literal, &out)
            default:
                out.append(bytes[at])
                at += 1
            }
        }
        return out
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
