// Text of the source, with collapsed white space and decoded references.

import FancyTextBasics
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

    /// Copies text from the first character of a word until one that is not copied, or, if `collapsing`, a space that is not a
    /// single one between two words. Returns the position where it stopped.
    @inline(__always)
    private mutating func copyPlain(
        _ base: UnsafePointer<UInt8>, from start: Int, _ count: Int, collapsing: Bool
    ) -> Int {
        var i = start &+ 1
        while i < count, isPlain(base, i, count), !collapsing || base[i] != 0x20 || precedesWord(base, i, count) {
            i &+= 1
        }
        out.append(contentsOf: UnsafeBufferPointer(start: base + start, count: i &- start))
        return i
    }

    /// Returns whether a word follows a space directly.
    @inline(__always)
    private func precedesWord(_ base: UnsafePointer<UInt8>, _ space: Int, _ count: Int) -> Bool {
        space &+ 1 < count && base[space &+ 1] != 0x20 && isPlain(base, space &+ 1, count)
    }

    /// Returns whether a byte is copied: it is no control, no reference, and no part of a control beyond ASCII.
    @inline(__always)
    private func isPlain(_ base: UnsafePointer<UInt8>, _ i: Int, _ count: Int) -> Bool {
        let byte = base[i]
        if byte < 0x80 { return byte >= 0x20 && byte != 0x26 && byte != 0x7F }
        return keepsControls || !Self.startsControl(base + i, count &- i)
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
        if followsWord, count > 0 { separate(from: base[0]) }
        var i = 0
        while i < count {
            let byte = base[i]
            if byte.isHTMLSpace {
                if !keepsNewlines, let last = out.last, last >= 0x80,
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
            } else if isPlain(base, i, count) {
                begin()
                i = copyPlain(base, from: i, count, collapsing: true)
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
        let before = out.withUnsafeBufferPointer {
            scalar(in: $0, at: scalarStart(in: $0, before: $0.count, from: 0), end: $0.count).value
        }
        let after = scalar(in: UnsafeBufferPointer(start: base, count: count), at: end, end: count).value
        return isWideEastAsian(before) && isWideEastAsian(after) ? end : nil
    }

    @inline(never)
    private mutating func writePreserved(
        _ base: UnsafePointer<UInt8>, _ count: Int, _ decodes: Bool, mayWrap wraps: Bool
    ) {
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
            } else if isPlain(base, i, count) {
                begin()
                mayWrap = wraps
                i = copyPlain(base, from: i, count, collapsing: false)
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
        let length = min(byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4, count - i)
        out.append(contentsOf: UnsafeBufferPointer(start: base + i, count: length))
        return length
    }

    /// Writes text that is not the document's: markers, quotes, rules.
    mutating func writeOwn(_ text: String) {
        guard !text.isEmpty else { return }
        begin()
        out += text.utf8
    }

    /// Writes text that replaces text of the document; spaces at its ends collapse with those beside it.
    mutating func write(own text: String) {
        var text = text
        text.withUTF8 { write(decoded: $0, .normal) }
    }

    /// The last byte of the line; nil at its start, or after a pending space.
    var lastOfWord: UInt8? {
        guard !space, !atLineStart, breaks == 0, let last = out.last, !last.isHTMLSpace else { return nil }
        return last
    }

    /// Writes a note about the output since `start`, directly after it and before pending spaces and breaks.
    mutating func writeNote(_ text: String, _ start: Int) {
        if position == start || out.isEmpty || out.last == 0x0A { writeOwn(text) } else { out += text.utf8 }
    }
}
