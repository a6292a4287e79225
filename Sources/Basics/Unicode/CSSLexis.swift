// Names, strings and escapes of style sheets and selectors (CSS Syntax 3 §4.3). In: bytes and a position. Out: the position after
// the last byte, and decoded text.

package enum CSSLexis {
    package typealias Bytes = UnsafeBufferPointer<UInt8>

    @inlinable package static func isNewline(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0x0C }

    /// Name-start: letters, `_`, anything outside ASCII, and NUL, which stands for U+FFFD.
    @inlinable package static func isNameStart(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte == 0x5F || byte >= 0x80 || byte == 0
    }

    @inlinable package static func isName(_ byte: UInt8) -> Bool {
        isNameStart(byte) || byte.isASCIIDigit || byte == 0x2D
    }

    @inlinable package static func startsEscape(_ bytes: Bytes, _ index: Int) -> Bool {
        index + 1 < bytes.count && bytes[index] == 0x5C && !isNewline(bytes[index + 1])
    }

    /// Returns whether an identifier starts at an index (§4.3.9).
    @inlinable package static func startsIdentifier(_ bytes: Bytes, _ index: Int) -> Bool {
        guard index < bytes.count else { return false }
        if bytes[index] == 0x2D, index + 1 < bytes.count, bytes[index + 1] == 0x2D { return true }
        let index = bytes[index] == 0x2D ? index + 1 : index
        return index < bytes.count && isNameStart(bytes[index]) || startsEscape(bytes, index)
    }

    /// The index after a valid escape (§4.3.7).
    package static func pastEscape(_ bytes: Bytes, _ index: Int) -> Int {
        var at = index + 1
        while at < min(bytes.count, index + 7), bytes[at].hexValue != nil { at += 1 }
        if at == index + 1 {
            at += 1
            while at < bytes.count, bytes[at] & 0xC0 == 0x80 { at += 1 }
            return at
        }
        return at < bytes.count && bytes[at].isHTMLSpace ? pastSpace(bytes, at) : at
    }

    /// The index after one white space; a carriage return with a line feed is one.
    private static func pastSpace<Text: Collection<UInt8>>(_ bytes: Text, _ index: Int) -> Int where Text.Index == Int {
        bytes[index] == 0x0D && index + 1 < bytes.endIndex && bytes[index + 1] == 0x0A ? index + 2 : index + 1
    }

    /// The end of a name, and whether it must be decoded.
    @inlinable package static func name(_ bytes: Bytes, _ start: Int) -> (end: Int, hasEscape: Bool) {
        var (at, hasEscape) = (start, false)
        while at < bytes.count {
            let byte = bytes[at]
            if isName(byte) {
                if byte == 0 { hasEscape = true }
                at += 1
            } else if startsEscape(bytes, at) {
                hasEscape = true
                at = pastEscape(bytes, at)
            } else {
                break
            }
        }
        return (at, hasEscape)
    }

    /// The string at a quotation mark: the end of its text, the index after it, and whether it has escapes and ends in its line.
    package static func string(_ bytes: Bytes, _ start: Int) -> (end: Int, next: Int, hasEscape: Bool, isWhole: Bool) {
        var (at, hasEscape) = (start + 1, false)
        while at < bytes.count {
            let byte = bytes[at]
            if byte == bytes[start] { return (at, at + 1, hasEscape, true) }
            if isNewline(byte) { return (at, at, hasEscape, false) }
            if byte == 0 || byte == 0x5C { hasEscape = true }
            if startsEscape(bytes, at) {
                at = pastEscape(bytes, at)
            } else {
                at += 1
                // An escaped line feed joins lines.
                if byte == 0x5C, at < bytes.count { at = pastSpace(bytes, at) }
            }
        }
        return (bytes.count, bytes.count, hasEscape, true)
    }

    /// Escapes and NULs resolved (§4.3.7); in strings, an escaped line feed vanishes.
    package static func decode(_ bytes: ArraySlice<UInt8>, isString: Bool) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var at = bytes.startIndex
        while at < bytes.endIndex {
            let byte = bytes[at]
            at += 1
            if byte == 0 { UTF8Scan.append(0xFFFD, to: &out) }
            guard byte == 0x5C else {
                if byte != 0 { out.append(byte) }
                continue
            }
            guard at < bytes.endIndex else {
                if !isString { UTF8Scan.append(0xFFFD, to: &out) }
                break
            }
            if isNewline(bytes[at]) {
                at = pastSpace(bytes, at)
                continue
            }
            let digits = bytes[at...].prefix(6).prefix { $0.hexValue != nil }
            guard !digits.isEmpty else {
                out.append(bytes[at])
                at += 1
                continue
            }
            let code = digits.reduce(UInt32(0)) { $0 * 16 + ($1.hexValue ?? 0) }
            at = digits.endIndex
            if at < bytes.endIndex, bytes[at].isHTMLSpace { at = pastSpace(bytes, at) }
            UTF8Scan.append(code == 0 ? 0xFFFD : code, to: &out)
        }
        return out
    }
}
