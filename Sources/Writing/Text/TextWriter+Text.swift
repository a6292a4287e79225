// Text of the source, with collapsed white space and decoded references.
//
// Text is copied and checked sixteen bytes at a time. Characters that stop the copying (collapsible white space, references,
// controls) are handled one by one.

import FancyTextBasics
import CFancyTextByteScan
import FancyTextMarkup

extension TextWriter {
    /// Writes a line that another writer has written, without checking it.
    mutating func write(line: UnsafeBufferPointer<UInt8>) {
        guard !line.isEmpty else { return }
        begin()
        mayWrap = false
        out.append(contentsOf: line)
    }

    /// Writes text of the source with its white space preserved.
    ///
    /// - Parameter decodes: whether character references are decoded.
    @inline(__always)
    mutating func write(
        _ text: UnsafeBufferPointer<UInt8>, _ whiteSpace: TextBox.WhiteSpace, decodes: Bool
    ) {
        guard let base = text.baseAddress else { return }
        switch whiteSpace {
        case .normal, .nowrap: writeCollapsed(base, text.count, keepsNewlines: false, decodes)
        case .preLine: writeLines(base, text.count, decodes)
        case .pre, .preWrap: writePreserved(base, text.count, decodes, mayWrap: whiteSpace == .preWrap)
        }
    }

    /// Writes text that contains no references.
    @inline(never)
    mutating func write(decoded text: UnsafeBufferPointer<UInt8>, _ whiteSpace: TextBox.WhiteSpace) {
        write(text, whiteSpace, decodes: false)
    }

    @inline(never)
    private mutating func writeLines(_ base: UnsafePointer<UInt8>, _ count: Int, _ decodes: Bool) {
        writeCollapsed(base, count, keepsNewlines: true, decodes)
    }

    /// The end of the range from which blocks of a text may be read.
    @inline(__always)
    private func readableEnd(_ base: UnsafePointer<UInt8>, _ count: Int) -> UnsafePointer<UInt8> {
        if let sourceStart, let sourceEnd, base >= sourceStart, base < sourceEnd { return sourceEnd }
        return base + count
    }

    /// Copies text from `start` until a control, a reference, or, if `collapsing`, a space that is not a single one between two
    /// words. Returns the position where it stopped. The buffer must have capacity for it and 16 bytes more.
    @inline(__always)
    private mutating func copyPlain(
        _ base: UnsafePointer<UInt8>, from start: Int, _ count: Int, _ readable: UnsafePointer<UInt8>, collapsing: Bool
    ) -> Int {
        var i = start
        var to = out.base + out.count
        while true {
            let masks = cbytescan_copy_text(to, base + i, readable)
            let left = count &- i
            var stops = masks.stops
            if collapsing {
                // A space stops the copying if the next byte does, or is not in this block.
                let edge: UInt32 = 1 << UInt32(truncatingIfNeeded: min(left, 16) &- 1)
                stops |= masks.spaces & ((masks.spaces | stops) >> 1 | edge)
            }
            while stops != 0 {
                let k = stops.trailingZeroBitCount
                if k >= left { break }
                let byte = base[i &+ k]
                // Most characters with these lead bytes are ordinary.
                if byte >= 0x80, keepsControls || !Self.startsControl(base + i + k, left &- k) {
                    stops &= stops &- 1
                    continue
                }
                out.count &+= i &+ k &- start
                return i &+ k
            }
            if left <= 16 {
                out.count &+= count &- start
                return count
            }
            i &+= 16
            to += 16
        }
    }

    /// Returns whether a C1 control or a bidi override starts here.
    @inline(__always)
    static func startsControl(_ at: UnsafePointer<UInt8>, _ left: Int) -> Bool {
        if at[0] == 0xC2 { return left > 1 && at[1] & 0xE0 == 0x80 }
        guard at[0] == 0xE2, left > 2 else { return false }
        // U+202A–202E and U+2066–2069 change the direction of text.
        return at[1] == 0x80 ? at[2] >= 0xAA && at[2] <= 0xAE : at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9
    }

    @inline(__always)
    private mutating func writeCollapsed(
        _ base: UnsafePointer<UInt8>, _ count: Int, keepsNewlines: Bool, _ decodes: Bool
    ) {
        let readable = readableEnd(base, count)
        if followsWord, count > 0 { separate(from: base[0]) }
        var i = 0
        while i < count {
            let byte = base[i]
            if byte.isHTMLSpace {
                if !keepsNewlines, out.count > 0, out.base[out.count &- 1] >= 0x80,
                    let next = endOfVanishingBreak(base, i, count)
                {
                    i = next
                    continue
                }
                if keepsNewlines, byte == 0x0A || byte == 0x0D {
                    if byte == 0x0D, i &+ 1 < count, base[i &+ 1] == 0x0A { i &+= 1 }
                    forceBreak()
                } else if !atLineStart, breaks == 0 {
                    space = true
                }
                i &+= 1
                if !keepsNewlines { while i < count, base[i].isHTMLSpace { i &+= 1 } }
            } else if byte > 0x20, byte != 0x26, byte != 0x7F, byte != 0xC2,
                byte != 0xE2 || keepsControls || !Self.startsControl(base + i, count &- i)
            {
                begin()
                out.reserve(count &- i &+ 32)
                i = copyPlain(base, from: i, count, readable, collapsing: true)
            } else {
                i &+= writeSpecial(base, i, count, decodes, preserved: false)
            }
        }
    }

    /// The end of white space that contains a line feed between two East Asian characters, which is removed (CSS Text 3 §4.1.3).
    /// Nil if it is kept.
    @inline(never)
    private func endOfVanishingBreak(_ base: UnsafePointer<UInt8>, _ start: Int, _ count: Int) -> Int? {
        guard !space, !atLineStart, breaks == 0, out.count != atomEnd else { return nil }
        var end = start
        var hasBreak = false
        while end < count, base[end].isHTMLSpace {
            if base[end] == 0x0A { hasBreak = true }
            end += 1
        }
        guard hasBreak, end < count, base[end] >= 0xE2 else { return nil }
        let written = UnsafeBufferPointer(start: out.base, count: out.count)
        let before = scalar(in: written, at: scalarStart(in: written, before: out.count, from: 0), end: out.count).value
        let after = scalar(in: UnsafeBufferPointer(start: base, count: count), at: end, end: count).value
        return isWideEastAsian(before) && isWideEastAsian(after) ? end : nil
    }

    @inline(never)
    private mutating func writePreserved(
        _ base: UnsafePointer<UInt8>, _ count: Int, _ decodes: Bool, mayWrap wraps: Bool
    ) {
        let readable = readableEnd(base, count)
        var i = 0
        while i < count {
            let byte = base[i]
            if byte == 0x0A || byte == 0x0D {
                if byte == 0x0D, i &+ 1 < count, base[i &+ 1] == 0x0A { i &+= 1 }
                forceBreak()
                i &+= 1
            } else if byte == 0x09 {
                begin()
                mayWrap = wraps
                out.append(0x09)
                i &+= 1
            } else if byte >= 0x20, byte != 0x26, byte != 0x7F, byte != 0xC2,
                byte != 0xE2 || keepsControls || !Self.startsControl(base + i, count &- i)
            {
                begin()
                mayWrap = wraps
                out.reserve(count &- i &+ 32)
                i = copyPlain(base, from: i, count, readable, collapsing: false)
            } else {
                i &+= writeSpecial(base, i, count, decodes, preserved: true)
            }
        }
    }

    /// Handles a reference, a control character or the lead byte of one. Returns the number of bytes that it took.
    @inline(never)
    private mutating func writeSpecial(
        _ base: UnsafePointer<UInt8>, _ i: Int, _ count: Int, _ decodes: Bool, preserved: Bool
    ) -> Int {
        let byte = base[i]
        if byte == 0x26, decodes {
            let reference = EntityDecoder.reference(base, at: i, end: count, inAttribute: false)
            if reference.length > 0 {
                if reference.entry >= 0 {
                    writeDecoded(EntityDecoder.value(reference.entry), preserved)
                } else if reference.first > 0x20, reference.first < 0x7F {
                    begin()
                    out.append(UInt8(truncatingIfNeeded: reference.first))
                } else {
                    var decoded: [UInt8] = []
                    reference.append(to: &decoded)
                    decoded.withUnsafeBufferPointer { writeDecoded($0, preserved) }
                }
                return reference.length
            }
        }
        return writeScalar(base, i, count)
    }

    /// Writes the character of a reference: a decoded space is collapsible, a carriage return is a line break.
    private mutating func writeDecoded(_ text: UnsafeBufferPointer<UInt8>, _ preserved: Bool) {
        guard let start = text.baseAddress, let first = text.first else { return }
        if first == 0x20 || first == 0x0A || first == 0x09 || first == 0x0D || first == 0x0C {
            if !preserved {
                if !atLineStart, breaks == 0 { space = true }
            } else if first == 0x0A || first == 0x0D {
                forceBreak()
            } else if first != 0x0C || keepsControls {
                begin()
                out.append(first)
            }
            return
        }
        var k = 0
        while k < text.count { k += writeScalar(start, k, text.count) }
    }

    private mutating func writeScalar(_ base: UnsafePointer<UInt8>, _ i: Int, _ count: Int) -> Int {
        let byte = base[i]
        if byte == 0 {
            hasNull = true
            return 1
        }
        if !keepsControls {
            if byte < 0x20 || byte == 0x7F { return 1 }
            if byte >= 0x80, Self.startsControl(base + i, count - i) { return byte == 0xC2 ? 2 : 3 }
        }
        begin()
        let length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        let taken = min(length, count - i)
        for k in 0..<taken { out.append(base[i + k]) }
        return taken
    }

    /// Writes text that is not the document's: markers, quotes, rules.
    mutating func writeOwn(_ text: String) {
        guard !text.isEmpty else { return }
        begin()
        for byte in text.utf8 { out.append(byte) }
    }

    /// Writes text that replaces text of the document; spaces at its ends collapse with those beside it.
    mutating func write(own text: String) {
        var text = text
        text.withUTF8 { write(decoded: $0, .normal) }
    }

    /// The last byte of the line; nil at its start, or after a pending space.
    var lastOfWord: UInt8? {
        guard !space, !atLineStart, breaks == 0, out.count > 0, !out.base[out.count - 1].isHTMLSpace else { return nil }
        return out.base[out.count - 1]
    }

    /// Writes a note about the output since `start`, directly after it and before pending spaces and breaks.
    mutating func writeNote(_ text: String, _ start: Int) {
        if position == start || out.count == 0 || out.base[out.count - 1] == 0x0A {
            writeOwn(text)
        } else {
            for byte in text.utf8 { out.append(byte) }
        }
    }
}
