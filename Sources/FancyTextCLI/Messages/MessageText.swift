// Builds the text of messages.
//
// In: bytes of the program and of the input. Out: bytes to print: the input cannot control the terminal, and carets are below
// their positions.

import FancyTextBasics
import CFancyTextByteScan
import FancyTextPlatform

/// Bytes to print; the owner calls `free()`.
struct MessageText {
    var bytes: GrowableBuffer<UInt8>
    /// The file of the previous message, in its printed form, which is usually that of the next one too.
    private var source = ""
    private var printedSource = GrowableBuffer<UInt8>(capacity: 128)

    init(capacity: Int) { bytes = GrowableBuffer(capacity: capacity) }

    func free() {
        bytes.free()
        printedSource.free()
    }

    /// Appends the name of a file.
    mutating func append(source name: String) {
        if name == source, printedSource.count > 0 { return bytes.append(contentsOf: printedSource.elements) }
        let first = bytes.count
        appendPrintable(name)
        source = name
        printedSource.count = 0
        printedSource.append(contentsOf: UnsafeBufferPointer(rebasing: bytes.elements[first...]))
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        bytes.reserve(text.utf8CodeUnitCount)
        (bytes.base + bytes.count).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        bytes.count &+= text.utf8CodeUnitCount
    }

    /// Appends a number that is not negative.
    mutating func append(_ number: Int) {
        var (count, power) = (1, 10)
        while count < 19, power <= number { (count, power) = (count &+ 1, power &* 10) }
        bytes.reserve(count)
        var (to, rest) = (bytes.base + (bytes.count &+ count), UInt(bitPattern: number))
        bytes.count &+= count
        for _ in 0..<count {
            to -= 1
            to.pointee = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    /// Appends an excerpt and, below its position, a caret, indented by the width of the text before it.
    mutating func appendCaretLines(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) {
        let first = bytes.count
        if appendWellFormed(text, place) { return }
        bytes.count = first
        let indent = text[..<place].reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) }
        Diagnostic.Excerpt(text: String(decoding: text, as: UTF8.self), indent: indent).withPlace {
            _ = appendWellFormed($0, $1)
        }
    }

    /// The position of the first tab.
    private static func tab(in text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let base = text.baseAddress, let found = memchr(base, 0x09, text.count) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// - Returns: Whether the excerpt is well-formed; otherwise only a part of it was appended.
    private mutating func appendWellFormed(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        append("  ")
        let start = bytes.count
        let before = appendPrintable(UnsafeBufferPointer(rebasing: text[..<place]))
        let end = bytes.count
        guard before != .illFormed,
            appendPrintable(UnsafeBufferPointer(rebasing: text[place...])) != .illFormed
        else { return false }
        append("\n  ")
        if case .cells(let cells) = before {
            bytes.append(repeating: 0x20, count: cells)
        } else {
            appendBlanks(below: start..<end)
        }
        append("^\n")
        return true
    }

    /// Appends as many cells as the printed text takes; tabs are kept.
    private mutating func appendBlanks(below range: Range<Int>) {
        var start = range.lowerBound
        while true {
            let piece = UnsafeBufferPointer(rebasing: bytes.elements[start..<range.upperBound])
            let tab = Self.tab(in: piece)
            let cells = DisplayWidth.cells(UnsafeBufferPointer(rebasing: piece.prefix(tab ?? piece.count)))
            bytes.append(repeating: 0x20, count: cells)
            guard let tab else { return }
            bytes.append(0x09)
            start += tab + 1
        }
    }

    mutating func appendPrintable(_ text: String) {
        var text = text
        text.withUTF8 { _ = appendPrintable($0) }
    }

    /// The result of appending a text.
    private enum Printed: Equatable {
        /// All of it was appended, with one cell for each character.
        case cells(Int)
        /// All of it was appended; its width must be computed.
        case mixed
        /// A part was appended, because the text is not well-formed.
        case illFormed
    }

    /// Messages quote the input, so control characters must be replaced before they reach the terminal.
    private mutating func appendPrintable(_ text: UnsafeBufferPointer<UInt8>) -> Printed {
        guard let base = text.baseAddress else { return .cells(0) }
        // U+FFFD takes three bytes, and blocks are stored whole.
        bytes.reserve(text.count &* 3 &+ 16)
        var to = bytes.base + bytes.count
        var at = 0
        var cells = 0
        var isMixed = false
        while true {
            let next = cbytescan_copy_printable(to, base + at, base + text.count).map { base.distance(to: $0) } ?? at
            cells &+= next &- at
            to += next &- at
            at = next
            guard at < text.count else { break }
            // Private use, such as the characters of icon fonts.
            if DisplayWidth.isPrivate(base + at, text.count &- at) {
                (to[0], to[1], to[2]) = (base[at], base[at &+ 1], base[at &+ 2])
                to += 3
                at &+= 3
                cells &+= 1
                continue
            }
            let (value, length) = scalar(in: text, at: at, end: text.count)
            if length == 1, value == 0xFFFD { return .illFormed }
            if Self.isPrintable(value) {
                for offset in 0..<length { to[offset] = base[at &+ offset] }
                to += length
            } else {
                (to[0], to[1], to[2]) = (0xEF, 0xBF, 0xBD)
                to += 3
            }
            // U+FFFD, Latin letters and private-use characters are neither marks nor wide.
            cells &+= 1
            isMixed = isMixed || value == 0x09 || value >= 0x300
            at &+= length
        }
        bytes.count = to - bytes.base
        return isMixed ? .mixed : .cells(cells)
    }

    private static func isPrintable(_ value: UInt32) -> Bool {
        switch value {
        case 0x20..<0x7F, 0x09: return true
        case 0..<0xA0: return false
        // These contain no controls or invisible marks except the soft hyphen: most letters, symbols, private use.
        case 0xA0..<0x600: return value != 0xAD
        case 0x2010..<0x2028, 0x2070..<0xFEFF: return true
        default: break
        }
        return isPrintable(category: value)
    }

    @inline(never)
    private static func isPrintable(category value: UInt32) -> Bool {
        guard let scalar = Unicode.Scalar(value), !PathText.isByte(scalar) else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format: return false
        default: return true
        }
    }
}
