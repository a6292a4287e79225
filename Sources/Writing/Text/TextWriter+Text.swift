// Text of the source, with collapsed white space and decoded references.

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

    /// Writes text of the source.
    ///
    /// - Parameter decodes: whether character references are decoded.
    mutating func write(_ text: UnsafeBufferPointer<UInt8>, _ whiteSpace: TextBox.WhiteSpace, decodes: Bool) {
        switch whiteSpace {
        case .normal, .preLine: writeCollapsed(text, keepsNewlines: whiteSpace == .preLine, decodes)
        case .pre, .preWrap: writePreserved(text, decodes, mayWrap: whiteSpace == .preWrap)
        }
    }

    mutating func write(decoded text: String, _ whiteSpace: TextBox.WhiteSpace) {
        var text = text
        text.withUTF8 { write($0, whiteSpace, decodes: false) }
    }

    /// Copies text from the first character of a word until one that is not copied, or, if `collapsing`, a space that is not a
    /// single one between two words. Returns the position where it stopped.
    private mutating func copyPlain(_ text: UnsafeBufferPointer<UInt8>, from start: Int, collapsing: Bool) -> Int {
        guard let base = text.baseAddress else { return start }
        var i = start
        search: while i < text.count {
            let (masks, left) = (cbytescan_text(base + i, base + text.count), text.count - i)
            var stops = masks.stops
            if collapsing {
                // A space stops the copying if the next byte does, or is not in this block.
                let edge: UInt32 = 1 << UInt32(min(left, 16) - 1)
                stops |= masks.spaces & ((masks.spaces | stops) >> 1 | edge)
            }
            while stops != 0, stops.trailingZeroBitCount < left {
                let place = i + stops.trailingZeroBitCount
                // Most characters with the lead bytes of controls are ordinary.
                if text[place] < 0x80 || !keepsControls && Self.startsControl(text, place) {
                    i = place
                    break search
                }
                stops &= stops - 1
            }
            i += min(left, 16)
        }
        out.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<i]))
        return i
    }

    /// Returns whether a byte is copied: it is no control, no reference, and no part of a control beyond ASCII.
    private func isPlain(_ text: UnsafeBufferPointer<UInt8>, _ i: Int) -> Bool {
        let byte = text[i]
        if byte < 0x80 { return byte >= 0x20 && byte != 0x26 && byte != 0x7F }
        return keepsControls || !Self.startsControl(text, i)
    }

    private static func startsControl(_ text: UnsafeBufferPointer<UInt8>, _ i: Int) -> Bool {
        text.baseAddress.map { startsControl($0 + i, text.count - i) } ?? false
    }

    /// Returns whether a C1 control or a bidi override starts here.
    static func startsControl(_ at: UnsafePointer<UInt8>, _ left: Int) -> Bool {
        if at[0] == 0xC2 { return left > 1 && at[1] & 0xE0 == 0x80 }
        guard at[0] == 0xE2, left > 2 else { return false }
        // U+202A–202E and U+2066–2069 change the direction of text.
        return at[1] == 0x80 ? at[2] >= 0xAA && at[2] <= 0xAE : at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9
    }

    private mutating func writeCollapsed(_ base: UnsafeBufferPointer<UInt8>, keepsNewlines: Bool, _ decodes: Bool) {
        let count = base.count
        if followsWord, count > 0 { separate(from: base[0]) }
        var i = 0
        while i < count {
            let byte = base[i]
            if byte.isHTMLSpace {
                if !keepsNewlines, let last = out.last, last >= 0x80, let next = endOfVanishingBreak(base, i) {
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
            } else if isPlain(base, i) {
                begin()
                i = copyPlain(base, from: i, collapsing: true)
            } else {
                i &+= writeSpecial(base, i, decodes, preserved: false)
            }
        }
    }

    /// The end of white space with a line feed between two East Asian characters, which is removed (CSS Text 3 §4.1.3); else nil.
    private func endOfVanishingBreak(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        guard !space, !atLineStart, breaks == 0, out.count != atomEnd else { return nil }
        let white = text[start...].prefix(while: \.isHTMLSpace)
        let end = white.endIndex
        guard white.contains(0x0A), end < text.count, text[end] >= 0xE2 else { return nil }
        let after = scalar(in: text, at: end, end: text.count).value
        return isWideEastAsian(lastScalar(of: out)) && isWideEastAsian(after) ? end : nil
    }

    private mutating func writePreserved(_ base: UnsafeBufferPointer<UInt8>, _ decodes: Bool, mayWrap wraps: Bool) {
        let count = base.count
        var i = 0
        while i < count {
            let byte = base[i]
            if byte == 0x0A || byte == 0x0D {
                if byte == 0x0D, i &+ 1 < count, base[i &+ 1] == 0x0A { i &+= 1 }
                forceBreak()
                i &+= 1
            } else if byte == 0x09 || isPlain(base, i) {
                begin()
                mayWrap = wraps
                if byte == 0x09 { out.append(byte) }
                i = byte == 0x09 ? i &+ 1 : copyPlain(base, from: i, collapsing: false)
            } else {
                i &+= writeSpecial(base, i, decodes, preserved: true)
            }
        }
    }

    /// Handles a reference, a control character or the lead byte of one. Returns the number of bytes that it took.
    private mutating func writeSpecial(
        _ text: UnsafeBufferPointer<UInt8>, _ i: Int, _ decodes: Bool, preserved: Bool
    ) -> Int {
        guard text[i] == 0x26, decodes, let base = text.baseAddress,
            case let reference = EntityDecoder.reference(base, at: i, end: text.count, inAttribute: false),
            reference.length > 0
        else { return writeScalar(text, i) }
        if reference.entry >= 0 {
            writeDecoded(EntityDecoder.value(reference.entry), preserved)
        } else {
            var decoded: [UInt8] = []
            reference.append(to: &decoded)
            decoded.withUnsafeBufferPointer { writeDecoded($0, preserved) }
        }
        return reference.length
    }

    /// Writes the character of a reference: a decoded space is collapsible, a carriage return is a line break.
    private mutating func writeDecoded(_ text: UnsafeBufferPointer<UInt8>, _ preserved: Bool) {
        guard let first = text.first else { return }
        if first.isHTMLSpace {
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
        while k < text.count { k += writeScalar(text, k) }
    }

    private mutating func writeScalar(_ text: UnsafeBufferPointer<UInt8>, _ i: Int) -> Int {
        let byte = text[i]
        if byte == 0 { hasNull = true }
        if byte == 0 || !keepsControls && (byte < 0x20 || byte == 0x7F) { return 1 }
        if !keepsControls, byte >= 0x80, Self.startsControl(text, i) { return byte == 0xC2 ? 2 : 3 }
        begin()
        let length = min(byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4, text.count - i)
        out += text[i..<i + length]
        return length
    }

    /// Writes text that is not the document's: markers, quotes, rules.
    mutating func writeOwn(_ text: String) {
        guard !text.isEmpty else { return }
        begin()
        out += text.utf8
    }

    /// Writes text that replaces text of the document; spaces at its ends collapse with those beside it.
    mutating func write(own text: String) { write(decoded: text, .normal) }

    /// The last byte of the line; nil at its start, or after a pending space.
    var lastOfWord: UInt8? { !space && !atLineStart && breaks == 0 && out.last?.isHTMLSpace == false ? out.last : nil }

    /// Writes a note about the output since `start`, directly after it and before pending spaces and breaks.
    mutating func writeNote(_ text: String, _ start: Int) {
        if position == start || out.isEmpty || out.last == 0x0A { writeOwn(text) } else { out += text.utf8 }
    }
}
