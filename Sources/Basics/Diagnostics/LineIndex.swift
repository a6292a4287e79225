// Lines and columns of byte offsets in one text, which is scanned once, as far as needed, with a mark every 256 bytes.

import Synchronization

package final class LineIndex: Sendable {
    /// The position of the text at a multiple of ``step``.
    private struct Mark {
        var line = 1
        var column = 1

        /// Continues counting over a part of a text.
        mutating func pass(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
            for index in range {
                let endsCR = text[index] == 0x0D && (index + 1 == text.count || text[index + 1] != 0x0A)
                if endsCR || text[index] == 0x0A {
                    line += 1
                    column = 1
                } else if text[index].isFirstOfCharacter {
                    column += 1
                }
            }
        }
    }

    private static let step = 256
    private let marks = Mutex([Mark()])

    package init() {}

    /// The line and column, both from 1, of a byte in UTF-8 `text`; columns count characters. Constant once the text was scanned.
    package func place(of offset: Int, in text: UnsafeBufferPointer<UInt8>) -> (line: Int, column: Int) {
        let offset = min(max(0, offset), text.count)
        let index = offset / Self.step
        return marks.withLock { marks in
            while marks.count <= index {
                var mark = marks[marks.count - 1]
                mark.pass(text, (marks.count - 1) * Self.step..<marks.count * Self.step)
                marks.append(mark)
            }
            var mark = marks[index]
            mark.pass(text, index * Self.step..<offset)
            return (mark.line, mark.column)
        }
    }
}
