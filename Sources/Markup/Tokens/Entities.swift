// Character references (HTML §13.2.5.72 ff.): source bytes in, decoded UTF-8 out.

import CFancyTextByteScan
import FancyTextBasics

/// Decodes character references, newlines and NULs of text and attribute values.
package enum EntityDecoder {
    /// The decoding rules for one kind of text.
    package struct Mode: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let references = Mode(rawValue: 1)
        /// The text is an attribute value: a reference without semicolon is not decoded before `=` or an alphanumeric.
        package static let attribute = Mode(rawValue: 2)
        /// NUL becomes U+FFFD instead of being dropped.
        package static let keepsNUL = Mode(rawValue: 4)
    }

    /// Returns whether decoding would change `bytes`. O(n).
    package static func needsDecoding(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = bytes.baseAddress else { return false }
        return firstToDecode(base, from: 0, to: bytes.count) < bytes.count
    }

    /// The first byte from `start` on that decoding may change: `&`, a carriage return or U+0000; else `end`.
    @inline(__always) static func firstToDecode(_ base: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
        start < end ? base.distance(to: cbytescan_encoded(base + start, base + end)) : end
    }

    /// Appends the decoding of `bytes` to `out`. Linear: each reference reads a bounded number of bytes.
    package static func decode(_ bytes: UnsafeBufferPointer<UInt8>, mode: Mode, into out: inout [UInt8]) {
        guard let base = bytes.baseAddress else { return }
        let end = bytes.count
        var i = 0
        var copied = 0
        func flush(_ upTo: Int) {
            if upTo > copied { out.append(contentsOf: UnsafeBufferPointer(start: base + copied, count: upTo - copied)) }
        }
        while true {
            i = firstToDecode(base, from: i, to: end)
            guard i < end else { break }
            flush(i)
            i += unit(base, at: i, end: end, mode: mode, into: &out)
            copied = i
        }
        flush(end)
    }

    package static func decoded(_ bytes: UnsafeBufferPointer<UInt8>, mode: Mode) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        decode(bytes, mode: mode, into: &out)
        return out
    }

    /// Appends the decoding of one source byte, line end or reference; returns the number of source bytes read.
    package static func unit(
        _ base: UnsafePointer<UInt8>, at i: Int, end: Int, mode: Mode, into out: inout [UInt8]
    ) -> Int {
        switch base[i] {
        case 0x26 where mode.contains(.references):
            let reference = reference(base, at: i, end: end, inAttribute: mode.contains(.attribute))
            if reference.length > 0 {
                reference.append(to: &out)
                return reference.length
            }
            out.append(base[i])
        case 0x0D:
            out.append(0x0A)
            return i + 1 < end && base[i + 1] == 0x0A ? 2 : 1
        case 0: if mode.contains(.keepsNUL) || (i > 0 && base[i - 1] == 0x3C) { UTF8Scan.append(0xFFFD, to: &out) }
        default: out.append(base[i])
        }
        return 1
    }

    /// One character reference: its length in the source (0 if there is none) and its characters.
    package struct Reference {
        package var length = 0
        package var first: UInt32 = 0
        /// A named reference's entry in ``EntityTable``; -1 for a numeric one.
        package var entry = -1

        @inline(__always) package func append(to out: inout [UInt8]) {
            if entry >= 0 { out += EntityDecoder.value(entry) } else { UTF8Scan.append(first, to: &out) }
        }
    }

    /// The place of each entry of ``EntityTable``, and the end of the last one. Made for the first reference that needs the table.
    private static let places: [UInt16] = {
        let text = EntityTable.text.bytes
        return [0] + text.indices.filter { text[$0] == 0x20 }.map { UInt16($0 + 1) } + [UInt16(text.count + 1)]
    }()

    package static func value(_ entry: Int) -> UnsafeBufferPointer<UInt8> {
        let text = EntityTable.text.bytes[Int(places[entry])..<Int(places[entry + 1]) - 1]
        // The mark after the name is below all letters and digits.
        return UnsafeBufferPointer(rebasing: text.drop { $0 >= 0x30 }.dropFirst())
    }

    package static func reference(_ base: UnsafePointer<UInt8>, at: Int, end: Int, inAttribute: Bool) -> Reference {
        var i = at + 1
        guard i < end else { return Reference() }
        if base[i] == 0x23 { return numeric(base, at: at, end: end) }
        guard base[i].isASCIILetter else { return Reference() }
        // No name is longer than 31 bytes, so the search stops there.
        let limit = min(end, i + 32)
        while i < limit, base[i].isASCIIAlphanumeric { i += 1 }
        let name = base + at + 1
        let length = i - at - 1
        if i < end, base[i] == 0x3B, let entry = find(name, length, isBare: false) {
            return Reference(length: length + 2, entry: entry)
        }
        for prefix in stride(from: min(length, 6), through: 2, by: -1) {
            guard let entry = find(name, prefix, isBare: true) else { continue }
            let next = at + 1 + prefix
            if inAttribute, next < end, base[next] == 0x3D || base[next].isASCIIAlphanumeric { return Reference() }
            return Reference(length: prefix + 1, entry: entry)
        }
        return Reference()
    }

    private static func numeric(_ base: UnsafePointer<UInt8>, at: Int, end: Int) -> Reference {
        let isHex = at + 2 < end && base[at + 2] | 0x20 == 0x78
        let radix: UInt32 = isHex ? 16 : 10
        let first = isHex ? at + 3 : at + 2
        var i = first
        var value: UInt32 = 0
        while i < end, let digit = base[i].hexValue, digit < radix {
            value = min(value &* radix &+ digit, 0x11_0000)
            i += 1
        }
        guard i > first else { return Reference() }
        if i < end, base[i] == 0x3B { i += 1 }
        return Reference(length: i - at, first: scalar(value))
    }

    /// The scalar of a numeric reference (HTML §13.2.5.80): invalid ones become U+FFFD, 0x80–0x9F are read as Windows-1252.
    private static func scalar(_ value: UInt32) -> UInt32 {
        if value == 0 || value > 0x10_FFFF || (0xD800...0xDFFF).contains(value) { return 0xFFFD }
        if (0x80...0x9F).contains(value) { return UInt32(Windows1252.high[Int(value - 0x80)]) }
        return value
    }

    /// The entry of exactly this name, without the semicolon; with `isBare`, only if it is known without one.
    private static func find(_ name: UnsafePointer<UInt8>, _ length: Int, isBare: Bool) -> Int? {
        let text = EntityTable.text.utf8Start
        var (low, high) = (0, places.count - 1)
        while low < high {
            let middle = (low + high) / 2
            let entry = text + Int(places[middle])
            var k = 0
            while k < length, entry[k] == name[k] { k += 1 }
            if k == length, entry[k] < 0x30 { return isBare && entry[k] != UInt8(ascii: ",") ? nil : middle }
            if k < length, entry[k] < name[k] { low = middle + 1 } else { high = middle }
        }
        return nil
    }
}

/// The meaning of 0x80–0x9F in Windows-1252; unassigned bytes are kept (WHATWG Encoding).
enum Windows1252 {
    static let high: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]
}
