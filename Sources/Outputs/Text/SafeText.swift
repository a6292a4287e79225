// Removes characters from text that could control a terminal or a program that reads a pipe.

import CFancyTextByteScan
import FancyTextPlatform

package enum SafeText {
    /// Turns a carriage return that a reference gave into a line end.
    static func withoutReturns(_ text: [UInt8]) -> [UInt8] {
        text.contains(0x0D) ? text.map { $0 == 0x0D ? 0x0A : $0 } : text
    }

    /// Removes C0, C1 and bidi controls except tab and newline.
    package static func withoutControls(_ text: [UInt8]) -> [UInt8] {
        let clean = text.withUnsafeBufferPointer { nextSuspect($0, from: 0) }
        guard clean < text.count else { return text }
        var out: [UInt8] = []
        out.reserveCapacity(text.count)
        out += text[..<clean]
        var i = clean
        while i < text.count {
            let byte = text[i]
            if byte == 0x0D {
                out.append(0x0A)
            } else if byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F {
                // Dropped.
            } else if byte == 0xC2, i + 1 < text.count, text[i + 1] < 0xA0 {
                i += 1
            } else if byte == 0xE2, i + 2 < text.count,
                text[i + 1] == 0x80 && (0xAA...0xAE).contains(text[i + 2])
                    || text[i + 1] == 0x81 && (0xA6...0xA9).contains(text[i + 2])
            {
                i += 2
            } else {
                out.append(byte)
            }
            i += 1
        }
        return out
    }

    /// Removes everything from a whole text that could control a terminal, and changes nothing else: a CR that ends a line and a
    /// NUL that ends a record are kept.
    ///
    /// - Parameter isForTerminal: Whether the text goes directly to a terminal; no control is kept then. Otherwise controls that
    ///   no terminal acts on are kept, for programs that need the unchanged text.
    package static func clean(_ text: inout [UInt8], isForTerminal: Bool = false) {
        let first = text.withUnsafeBufferPointer { nextSuspect($0, from: 0) }
        guard first < text.count else { return }
        var kept = first
        var index = first
        text.withUnsafeMutableBufferPointer { bytes in
            func at(_ place: Int) -> UInt8 { place < bytes.count ? bytes[place] : 0 }
            while index < bytes.count {
                let end = nextSuspect(UnsafeBufferPointer(bytes), from: index)
                if end > index, let base = bytes.baseAddress {
                    if kept != index { memmove(base + kept, base + index, end - index) }
                    kept += end - index
                    index = end
                    continue
                }
                let byte = bytes[index]
                let (next, after) = (at(index + 1), at(index + 2))
                switch byte {
                case 0x0D:
                    bytes[kept] = next == 0x0A ? 0x0D : 0x0A
                    kept += 1
                // Transmission, the bell, cursor movement, another character set, flow control, an escape sequence.
                case 0x01..<0x09, 0x0B, 0x0C, 0x0E, 0x0F, 0x11, 0x13, 0x18, 0x1A, 0x1B: break
                case 0x10..<0x20, 0x7F:
                    guard !isForTerminal else { break }
                    bytes[kept] = byte
                    kept += 1
                case 0xC2 where (0x80..<0xA0).contains(next): index += 1
                case 0xE2
                where next == 0x80 && (0xAA...0xAE).contains(after) || next == 0x81 && (0xA6...0xA9).contains(after):
                    index += 2
                default:
                    bytes[kept] = byte
                    kept += 1
                }
                index += 1
            }
        }
        text.removeLast(text.count - kept)
    }

    /// The next byte at or after `start` for which ``isSuspect(_:)`` is true, or the end: sixteen bytes at a time.
    private static func nextSuspect(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard let base = bytes.baseAddress, let found = cbytescan_suspect(base + start, base + bytes.count) else {
            return bytes.count
        }
        return base.distance(to: found)
    }

    /// Returns whether a byte is a control, or may be the first byte of one.
    @inline(__always)
    package static func isSuspect(_ byte: UInt8) -> Bool {
        byte < 0x20 ? byte != 0x0A && byte != 0x09 && byte != 0 : byte == 0x7F || byte == 0xC2 || byte == 0xE2
    }

    /// The number of bytes at the end of a piece of text that may be the start of a sequence that ``clean(_:)`` changes.
    package static func pending(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        for length in 1...2 where text.count >= length {
            let byte = text[text.count - length]
            if byte == 0xE2 || length == 1 && (byte == 0xC2 || byte == 0x0D) { return length }
        }
        return 0
    }
}
