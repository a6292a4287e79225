// Lines and columns of byte offsets in one text, for diagnostics.
//
// In: a text that does not change, and offsets into it in any order. Out: places. The text is scanned once, only as far as
// needed; a mark every 256 bytes stores the position there.

import CFancyTextByteScan
import Synchronization

package final class LineIndex: Sendable {
    /// The position of the text at a multiple of ``step``.
    private struct Mark {
        var line = 1
        var column = 1

        /// Continues counting over a part of a text: 16 bytes at a time, 32 for ASCII within one line.
        mutating func pass(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
            guard let base = text.baseAddress else { return }
            let limit = base + text.count
            var index = range.lowerBound
            while index < range.upperBound {
                if index &+ 32 <= range.upperBound, cbytescan_is_line_of_ascii_32(base + index) != 0 {
                    column &+= 32
                    index &+= 32
                    continue
                }
                let count = min(16, range.upperBound &- index)
                let block = cbytescan_load(base + index, limit)
                let asked = UInt32.mask(count)
                var ends = cbytescan_line_ends_block(block) & asked
                if ends != 0 {
                    // In a CRLF only the line feed ends the line.
                    let feeds = cbytescan_equal_block(block, 0x0A)
                    let isFeedNext = index &+ 16 < text.count && base[index &+ 16] == 0x0A
                    ends &= ~(cbytescan_equal_block(block, 0x0D) & (feeds &>> 1 | (isFeedNext ? 0x8000 : 0)))
                }
                let continuations = cbytescan_continuations_block(block) & asked
                if ends == 0 {
                    column &+= continuations == 0 ? count : count &- continuations.nonzeroBitCount
                } else {
                    // The column counts bytes after the last line feed.
                    let behind = 32 &- UInt32(truncatingIfNeeded: ends.leadingZeroBitCount)
                    line &+= ends.nonzeroBitCount
                    column = 1 &+ count &- Int(behind) &- (continuations &>> behind).nonzeroBitCount
                }
                index &+= count
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

    /// The line and column, both from 1, of the byte at `offset` in UTF-8 `text`; columns count characters. Constant, once the
    /// text before it has been scanned.
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
