// Formulas in Markdown: `$…$` and `$$…$$` in TeX, as GitHub marks them. In: Markdown. Out: the same, with backslashes before
// the characters of formulas that would otherwise be escapes or emphasis.

import FancyTextMarkup

enum MarkdownFormulas {
    /// The most bytes of a formula or code span.
    private static let longest = 4096

    /// Text whose dollar signs mean nothing: fenced code (1 its fence), indented code, an escape, or the start of a code span (2);
    /// or a formula (3). A formula in a line has no space inside of its signs, and no digit after them.
    private static let marks = Expression(
        #"(?<![^\n])(?:[ >]*+(```|~~~)[^\n]*+(?:\n(?![ >]*+\1)[^\n]*+)*+(?:\n[^\n]*+)?+|(?:\t|    )[^\n]*+)|\\.|(`++)|("#
            + #"\$\$(?:\\.|[^\\\n$]|\n(?!\n)|\$(?!\$))*+\$\$|\$(?![ \n\r$])(?:\\.|[^\\\n`$])*+(?<![ \n\r])\$(?![0-9]))"#,
        anchored: false)

    /// Linear in the text.
    static func protected(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let text = Array(text)
        guard text.contains(UInt8(ascii: "$")) else { return text }
        var out: [UInt8] = []
        out.reserveCapacity(text.count + text.count / 16)
        let matcher = Matcher()
        var (done, at) = (0, 0)
        while marks.match(text, count: text.count, from: at, with: matcher) {
            at = matcher.group(2) == nil ? matcher.end : codeEnd(text, matcher.start)
            guard let formula = matcher.group(3) else { continue }
            let isBlock = text[formula.lowerBound + 1] == UInt8(ascii: "$")
            guard formula.count - (isBlock ? 4 : 2) < longest else {
                at = formula.lowerBound + 1
                continue
            }
            out += text[done..<formula.lowerBound]
            for byte in text[formula] {
                if [0x5C, 0x5F, 0x2A, 0x3C, 0x7E].contains(byte) { out.append(0x5C) }
                out.append(byte)
            }
            done = at
        }
        return out + text[done...]
    }

    /// The end of the code span at a backtick, or of the backticks if they are not closed.
    private static func codeEnd(_ text: [UInt8], _ start: Int) -> Int {
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
}
