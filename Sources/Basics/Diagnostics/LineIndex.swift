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

        /// Counts on over a part of a text: 32 bytes at a time where they are ASCII and no controls, 8 where there is no CR.
        mutating func pass(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
            guard let base = text.baseAddress else { return }
            let bytes = UnsafeRawPointer(base)
            func word(_ at: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) }
            var index = range.lowerBound
            while index < range.upperBound {
                if index &+ 32 <= range.upperBound,
                    (Self.notPlain(word(index)) | Self.notPlain(word(index &+ 8)) | Self.notPlain(word(index &+ 16))
                        | Self.notPlain(word(index &+ 24))) & Self.highBits == 0
                {
                    column &+= 32
                    index &+= 32
                    continue
                }
                if index &+ 8 <= range.upperBound {
                    let next = word(index)
                    if Self.bytes(of: next, equal: 0x0D) == 0 {
                        let continuations = next & ~(next &<< 1) & Self.highBits
                        let feeds = Self.bytes(of: next, equal: 0x0A)
                        if feeds == 0 {
                            column &+= 8 &- continuations.nonzeroBitCount
                        } else {
                            // What stands behind the last of them counts.
                            let behind = feeds.leadingZeroBitCount
                            line &+= feeds.nonzeroBitCount
                            column = 1 &+ behind / 8 &- (continuations >> (64 &- behind)).nonzeroBitCount
                        }
                        index &+= 8
                        continue
                    }
                }
                let end = min(index &+ 8, range.upperBound)
                while index < end {
                    if text.endsLine(index) {
                        line += 1
                        column = 1
                    } else if text[index] & 0xC0 != 0x80 {
                        column += 1
                    }
                    index &+= 1
                }
            }
        }

        private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

        /// The high bits are clear when all bytes are from 0x10 to 0x7F.
        @inline(__always)
        private static func notPlain(_ word: UInt64) -> UInt64 { word | (word &- 0x1010_1010_1010_1010) }

        /// The high bits of the bytes that are `byte`.
        @inline(__always)
        private static func bytes(of word: UInt64, equal byte: UInt64) -> UInt64 {
            let rest = word ^ (byte &* 0x0101_0101_0101_0101)
            return ~(((rest & ~highBits) &+ ~highBits) | rest | ~highBits)
        }
    }

    private static let step = 256
    private let state = Mutex(State())

    private struct State {
        var marks = [Mark()]
        /// The place asked for last: the next one tends to stand shortly behind.
        var lastOffset = 0
        var last = Mark()
    }

    package init() {}

    /// Line and column, both from 1, of the byte at `offset` in UTF-8 `text`; columns count characters. Constant, once
    /// the text before is counted.
    package func place(of offset: Int, in text: UnsafeBufferPointer<UInt8>) -> (line: Int, column: Int) {
        let offset = min(max(0, offset), text.count)
        let index = offset / Self.step
        return state.withLock { state in
            while state.marks.count <= index {
                let start = (state.marks.count - 1) * Self.step
                var next = state.marks[state.marks.count - 1]
                next.pass(text, start..<start + Self.step)
                state.marks.append(next)
            }
            var (mark, start) = (state.marks[index], index * Self.step)
            if (start...offset).contains(state.lastOffset) { (mark, start) = (state.last, state.lastOffset) }
            mark.pass(text, start..<offset)
            (state.last, state.lastOffset) = (mark, offset)
            return (mark.line, mark.column)
        }
    }
}
