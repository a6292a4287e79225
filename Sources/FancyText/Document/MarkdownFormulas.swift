// Formulas in Markdown: `$…$` and `$$…$$` in TeX, as GitHub marks them.
//
// In: Markdown. Out: the same, with backslashes before the characters of formulas that would otherwise be escapes or emphasis.

enum MarkdownFormulas {
    /// The most bytes of a formula.
    private static let longest = 4096

    /// Linear in the text.
    static func protected(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.contains(UInt8(ascii: "$")) else { return Array(text) }
        var out: [UInt8] = []
        out.reserveCapacity(text.count + text.count / 16)
        var fence: UInt8 = 0
        var at = text.startIndex
        var isLineStart = true
        while at < text.endIndex {
            if isLineStart {
                let line = text[at...].drop { $0 == 0x20 || $0 == 0x3E }
                let mark = line.first ?? 0
                let isFence =
                    (mark == 0x60 || mark == 0x7E) && line.prefix(3).allSatisfy { $0 == mark } && line.count > 2
                if isFence, fence == 0 || fence == mark { fence = fence == 0 ? mark : 0 }
                if isFence || fence != 0 || text[at] == 0x09 || text[at...].starts(with: "    ".utf8) {
                    let end = text[at...].firstIndex(of: 0x0A).map { $0 + 1 } ?? text.endIndex
                    out += text[at..<end]
                    at = end
                    continue
                }
            }
            let start = at
            switch text[at] {
            case UInt8(ascii: "\\"): at = min(at + 2, text.endIndex)
            case UInt8(ascii: "`"): at = codeEnd(text, at)
            case UInt8(ascii: "$"):
                if let end = formulaEnd(text, at) {
                    for byte in text[at..<end] {
                        if [0x5C, 0x5F, 0x2A, 0x3C, 0x7E].contains(byte) { out.append(0x5C) }
                        out.append(byte)
                    }
                    at = end
                    isLineStart = false
                    continue
                }
                at += 1
            default: at += 1
            }
            out += text[start..<at]
            isLineStart = text[at - 1] == 0x0A
        }
        return out
    }

    /// The end of the code span at a backtick, or of the backticks if they are not closed.
    private static func codeEnd(_ text: ArraySlice<UInt8>, _ start: Int) -> Int {
        let inside = text[start...].firstIndex { $0 != 0x60 } ?? text.endIndex
        var at = inside
        let limit = min(text.endIndex, inside + longest)
        while let open = text[at..<limit].firstIndex(of: 0x60) {
            let end = text[open...].firstIndex { $0 != 0x60 } ?? text.endIndex
            if end - open == inside - start { return end }
            at = min(end, limit)
        }
        return inside
    }

    /// The end of the formula at a dollar sign; nil without one. A formula in a line has no space inside of its signs, and no digit
    /// after them.
    private static func formulaEnd(_ text: ArraySlice<UInt8>, _ start: Int) -> Int? {
        let isBlock = text[start...].starts(with: "$$".utf8)
        let inside = start + (isBlock ? 2 : 1)
        func isSpace(_ at: Int) -> Bool {
            at >= text.endIndex || text[at] == 0x20 || text[at] == 0x0A || text[at] == 0x0D
        }
        if !isBlock, isSpace(inside) { return nil }
        var at = inside
        while at < text.endIndex, at - inside < longest {
            switch text[at] {
            case 0x5C: at += 1
            case 0x0A: if !isBlock || at + 1 < text.endIndex && text[at + 1] == 0x0A { return nil }
            case 0x60: if !isBlock { return nil }
            case UInt8(ascii: "$"):
                if isBlock {
                    if text[at...].starts(with: "$$".utf8) { return at + 2 }
                } else {
                    let isDigit = at + 1 < text.endIndex && (0x30...0x39).contains(text[at + 1])
                    return isSpace(at - 1) || isDigit || at == inside ? nil : at + 1
                }
            default: break
            }
            at += 1
        }
        return nil
    }
}
