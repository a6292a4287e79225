// Lines and columns of byte offsets in one text, for diagnostics.
//
// In: a text, which stays the same, and offsets into it in any order. Out: places. The text is counted once, as far as it is
// asked for; a mark every 256 bytes tells where to count on from.

import Synchronization

package final class LineIndex: Sendable {
    /// Where the text at a multiple of ``step`` stands.
    private struct Mark {
        var line = 1
        var column = 1

        mutating func pass(_ bytes: UnsafeBufferPointer<UInt8>.SubSequence) {
            for index in bytes.indices {
                if bytes.base.endsLine(index) {
                    line += 1
                    column = 1
                } else if bytes[index] & 0xC0 != 0x80 {
                    column += 1
                }
            }
        }
    }

    private static let step = 256
    private let marks = Mutex([Mark()])

    package init() {}

    /// Line and column, both from 1, of the byte at `offset` in UTF-8 `text`; columns count characters. Constant, once
    /// the text before is counted.
    package func place(of offset: Int, in text: UnsafeBufferPointer<UInt8>) -> (line: Int, column: Int) {
        let offset = min(max(0, offset), text.count)
        let index = offset / Self.step
        var mark = marks.withLock { marks in
            while marks.count <= index {
                let start = (marks.count - 1) * Self.step
                var next = marks[marks.count - 1]
                next.pass(text[start..<start + Self.step])
                marks.append(next)
            }
            return marks[index]
        }
        mark.pass(text[index * Self.step..<offset])
        return (mark.line, mark.column)
    }
}
