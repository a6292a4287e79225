// Lines and columns in one text. In: byte offsets, in any order. Out: places. The text is scanned once, only as far as needed,
// with a mark every 256 bytes.

import Synchronization

package final class LineIndex: Sendable {
    /// The position of the text at a multiple of ``step``.
    private struct Mark {
        var line = 1
        var column = 1

        /// Continues counting over a part of a text.
        mutating func pass(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
            for index in range {
                if text.endsLine(index) {
                    line += 1
                    column = 1
                } else if text[index].isFirstOfCharacter {
                    column += 1
                }
            }
        }
    }

    private static let step = 256
    private let state = Mutex(State())

    private struct State {
        var marks = [Mark()]
        /// The previous offset: the next one is usually shortly after it.
        var lastOffset = 0
        var last = Mark()
    }

    package init() {}

    /// The line and column, both from 1, of a byte in UTF-8 `text`; columns count characters. Constant once the text was scanned.
    package func place(of offset: Int, in text: UnsafeBufferPointer<UInt8>) -> (line: Int, column: Int) {
        let offset = min(max(0, offset), text.count)
        let index = offset / Self.step
        return state.withLock { state in
            // Starts at the mark before it or at the previous offset, whichever is nearer.
            var mark = state.marks[min(index, state.marks.count - 1)]
            var start = min(index, state.marks.count - 1) * Self.step
            if (start...offset).contains(state.lastOffset) { (mark, start) = (state.last, state.lastOffset) }
            while state.marks.count <= index {
                let end = state.marks.count * Self.step
                mark.pass(text, start..<end)
                state.marks.append(mark)
                start = end
            }
            mark.pass(text, start..<offset)
            (state.last, state.lastOffset) = (mark, offset)
            return (mark.line, mark.column)
        }
    }
}
