// The output side of text extraction: collapses white space, keeps required line breaks, sets lines in and wraps them.
//
// Text is copied sixteen bytes at a time and looked at on the way: what stops the copying – white space that collapses,
// references, controls – is dealt with one by one.

import Basics
import CByteScan
import Glibc
import Markup

/// What to do where a person would want it otherwise.
package struct TextOptions: Sendable {
    package enum Mode: Sendable { case readable, innerText, raw }
    package enum Links: Sendable { case none, inline, footnotes }
    package enum Tables: Sendable { case columns, grid, tsv, none }

    package var mode = Mode.readable
    /// Columns to wrap at; nil for no wrapping.
    package var width: Int?
    package var links = Links.none
    package var tables = Tables.columns
    /// Sentences for a screen reader.
    package var isSpeech = false
    /// Let control characters and bidi overrides through.
    package var keepsControls = false
    /// Reads the boxes even where the tree would do.
    package var alwaysReadsBoxes = false

    package init() {}
}

/// Takes a piece of text.
package typealias TextSink = (UnsafeBufferPointer<UInt8>) -> Void

/// Text under construction.
struct TextWriter {
    /// How much text a sink takes at once, about.
    static let pieceSize = 1 << 18
    /// How much of the text stays for those who look back: a line's last bytes.
    private static let lookBack = 64

    var out: GrowableBuffer<UInt8>
    let options: TextOptions
    /// Line breaks due before the next content.
    var breaks = 0
    var space = false
    /// Nothing but the line's prefix is on the line so far.
    var atLineStart = true
    /// What each line starts with, as columns of white space.
    var indent = 0
    /// A list marker that the next line starts with, right-aligned into the indent.
    var marker: [UInt8] = []
    var markerIndent = 0
    /// The last thing written was a forced break.
    private var endsInForcedBreak = false
    /// Where an inline box began in the middle of a line: no prefix goes there.
    private var inlineStart = -1
    /// Where an atomic box ended: what is before is no text of the line.
    private var atomEnd = -1
    /// The source holds U+0000, which only whole trees decode.
    private(set) var hasNull = false
    /// How much a sink has taken.
    private var given = 0
    /// Where the current line starts in `out`, and whether it may be wrapped.
    private var lineStart = 0
    private var lineIndent = 0
    private var mayWrap = true
    private let keepsControls: Bool
    private var wrapper: LineWrapper?
    private let sink: TextSink?
    private let mostKept: Int
    /// Lines are wrapped or spoken, so their ends need a look.
    private let hasLineEnds: Bool
    /// Where the source ends: blocks of text may be read up to here.
    private let sourceStart: UnsafePointer<UInt8>?
    private let sourceEnd: UnsafePointer<UInt8>?

    /// - Parameters:
    ///   - source: what most texts point into.
    ///   - out: where the text goes; the caller frees it.
    ///   - sink: takes finished lines off `out`.
    init(
        _ options: TextOptions, source: UnsafeBufferPointer<UInt8>, out: GrowableBuffer<UInt8>, sink: TextSink? = nil
    ) {
        self.out = out
        self.options = options
        self.sink = sink
        mostKept = sink == nil ? .max : Self.pieceSize + Self.lookBack
        keepsControls = options.keepsControls
        hasLineEnds = options.isSpeech || options.width != nil
        sourceStart = source.baseAddress
        sourceEnd = source.baseAddress.map { $0 + source.count }
    }

    // MARK: Breaks

    /// At least this many line breaks before the next content.
    @inline(__always)
    mutating func requireBreaks(_ count: Int) {
        space = false
        if out.count > 0, out.count != inlineStart {
            // A forced break that ends a block shows no empty line of its own.
            breaks = max(breaks, endsInForcedBreak ? count &- 1 : count)
        }
        atLineStart = true
    }

    /// A line break that counts by itself: `<br>`, a newline of preformatted text.
    mutating func forceBreak() {
        space = false
        if breaks > 0 || !marker.isEmpty { begin() }
        if hasLineEnds { endLine() }
        if options.isSpeech { speakBreak() } else { out.append(0x0A) }
        lineStart = out.count
        lineIndent = indent
        mayWrap = true
        atLineStart = true
        endsInForcedBreak = true
        if out.count > mostKept { handOver() }
    }

    /// A sentence that a break ends gets its full stop.
    private mutating func speakBreak() {
        while out.count > 0, out[out.count - 1] == 0x20 { out.count -= 1 }
        guard out.count > 0 else { return }
        let last = out[out.count - 1]
        // ASCII punctuation, or the last byte of `…`, `。`, `！`, `？` and closing quotes.
        let ends =
            last == 0x2E || last == 0x21 || last == 0x3F || last == 0x3A || last == 0x3B || last == 0x2C || last == 0x0A
        if !ends, !endsInWidePunctuation() { out.append(0x2E) }
        if last != 0x0A { out.append(0x20) }
    }

    private func endsInWidePunctuation() -> Bool {
        guard out.count >= 3 else { return false }
        let tail = (out[out.count - 3], out[out.count - 2], out[out.count - 1])
        return tail == (0xE3, 0x80, 0x82) || tail == (0xEF, 0xBC, 0x81) || tail == (0xEF, 0xBC, 0x9F)
            || tail == (0xE2, 0x80, 0xA6)
    }

    /// Writes the breaks, the space and the prefix due before content.
    @inline(__always)
    mutating func begin() {
        if breaks > 0 || atLineStart {
            beginLine()
        } else if space {
            out.append(0x20)
            space = false
            endsInForcedBreak = false
        }
    }

    @inline(never)
    private mutating func beginLine() {
        if breaks > 0 {
            if hasLineEnds { endLine() }
            if options.isSpeech { speakBreak() } else { fill(0x0A, breaks) }
            breaks = 0
            lineStart = out.count
            mayWrap = true
            if out.count > mostKept { handOver() }
        }
        space = false
        if out.count != inlineStart { writePrefix() }
        atLineStart = false
        endsInForcedBreak = false
    }

    @inline(__always)
    private mutating func fill(_ byte: UInt8, _ count: Int) {
        for _ in 0..<count { out.append(byte) }
    }

    @inline(__always)
    private mutating func writePrefix() {
        guard !options.isSpeech else { return }
        lineIndent = indent
        if marker.isEmpty {
            fill(0x20, indent)
        } else {
            fill(0x20, markerIndent)
            for byte in marker { out.append(byte) }
            marker = []
        }
    }

    /// Marks that something inline without text stands here: an image, a control.
    mutating func placeAtom() {
        begin()
        atLineStart = false
        atomEnd = out.count
    }

    /// The line goes on in a box of its own: leading white space collapses.
    mutating func beginInlineBlock() {
        begin()
        atLineStart = true
        inlineStart = out.count
    }

    /// What was written is a box in the line, no text of it.
    mutating func noteAtom() { atomEnd = out.count }

    mutating func endInlineBlock() {
        space = false
        breaks = 0
        atLineStart = false
        atomEnd = out.count
    }

    /// Something without text that spaces do not collapse across.
    mutating func placeNothing() {
        space = space && !atLineStart
        atomEnd = out.count
    }

    // MARK: Text

    /// Text of the source, its references and white space as they are there.
    @inline(__always)
    mutating func write(
        _ text: UnsafeBufferPointer<UInt8>, _ whiteSpace: TextBox.WhiteSpace, decode: EntityDecoder.Mode?
    ) {
        guard let base = text.baseAddress else { return }
        switch whiteSpace {
        case .normal, .nowrap: writeCollapsed(base, text.count, keepsNewlines: false, decode)
        case .preLine: writeLines(base, text.count, decode)
        case .pre, .preWrap: writePreserved(base, text.count, decode, mayWrap: whiteSpace == .preWrap)
        }
    }

    @inline(never)
    private mutating func writeLines(_ base: UnsafePointer<UInt8>, _ count: Int, _ decode: EntityDecoder.Mode?) {
        writeCollapsed(base, count, keepsNewlines: true, decode)
    }

    /// How far blocks of a text may be read.
    @inline(__always)
    private func readableEnd(_ base: UnsafePointer<UInt8>, _ count: Int) -> UnsafePointer<UInt8> {
        if let sourceStart, let sourceEnd, base >= sourceStart, base < sourceEnd { return sourceEnd }
        return base + count
    }

    /// Copies text from `start` until something stops it: a control, a reference, when `collapsing` also a space that
    /// is not alone between two words. Returns where it stopped. The buffer must have room for it and 16 bytes more.
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
                // A space stops when the next byte does, or is not in this block.
                let edge: UInt32 = 1 << UInt32(truncatingIfNeeded: min(left, 16) &- 1)
                stops |= masks.spaces & ((masks.spaces | stops) >> 1 | edge)
            }
            while stops != 0 {
                let k = stops.trailingZeroBitCount
                if k >= left { break }
                let byte = base[i &+ k]
                // Most characters behind these lead bytes are ordinary.
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

    /// Whether a C1 control or a bidi override starts here.
    @inline(__always)
    static func startsControl(_ at: UnsafePointer<UInt8>, _ left: Int) -> Bool {
        if at[0] == 0xC2 { return left > 1 && at[1] < 0xA0 }
        guard at[0] == 0xE2, left > 2 else { return false }
        // U+202A–202E and U+2066–2069 turn text around.
        return at[1] == 0x80 ? at[2] >= 0xAA && at[2] <= 0xAE : at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9
    }

    @inline(__always)
    private mutating func writeCollapsed(
        _ base: UnsafePointer<UInt8>, _ count: Int, keepsNewlines: Bool, _ decode: EntityDecoder.Mode?
    ) {
        let readable = readableEnd(base, count)
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
            } else if byte > 0x20, byte != 0x26, byte != 0x7F, byte != 0xC2,
                byte != 0xE2 || keepsControls || !Self.startsControl(base + i, count &- i)
            {
                begin()
                out.reserve(count &- i &+ 32)
                i = copyPlain(base, from: i, count, readable, collapsing: true)
            } else {
                i &+= writeSpecial(base, i, count, decode, preserved: false)
            }
        }
    }

    /// Where white space ends that has a line feed and stands between two East Asian characters: it vanishes (CSS Text 3
    /// §4.1.3). Nil when it does not.
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

    @inline(__always)
    private mutating func writePreserved(
        _ base: UnsafePointer<UInt8>, _ count: Int, _ decode: EntityDecoder.Mode?, mayWrap wraps: Bool
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
                i &+= writeSpecial(base, i, count, decode, preserved: true)
            }
        }
    }

    /// A reference, a control character or the lead byte of one; returns how many bytes it took.
    @inline(never)
    private mutating func writeSpecial(
        _ base: UnsafePointer<UInt8>, _ i: Int, _ count: Int, _ decode: EntityDecoder.Mode?, preserved: Bool
    ) -> Int {
        let byte = base[i]
        if byte == 0x26, let decode, decode.contains(.references) {
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

    /// What a reference stands for: a decoded space collapses like any other, a carriage return is a line break.
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

    /// Text that is not the document's: markers, quotes, rules.
    mutating func writeOwn(_ text: String) {
        guard !text.isEmpty else { return }
        begin()
        for byte in text.utf8 { out.append(byte) }
    }

    /// Text about what was written since `start`: it follows the last of that, before the space and breaks that are due.
    mutating func writeNote(_ text: String, _ start: Int) {
        if position == start || out.count == 0 || out.base[out.count - 1] == 0x0A {
            writeOwn(text)
        } else {
            for byte in text.utf8 { out.append(byte) }
        }
    }

    // MARK: Lines

    /// Cuts trailing spaces off the line and wraps it.
    private mutating func endLine() {
        guard let width = options.width, mayWrap, !options.isSpeech, out.count > lineStart else { return }
        let line = UnsafeBufferPointer(start: out.base + lineStart, count: out.count - lineStart)
        guard DisplayWidth.cells(line) > width else { return }
        let wrapper = wrapper ?? LineWrapper()
        self.wrapper = wrapper
        let indent = min(lineIndent, width / 2)
        Array(line).withUnsafeBufferPointer { line in
            out.count = lineStart
            var isFirst = true
            wrapper.wrap(line, width: max(1, width), indent: indent) { piece, isHyphenated in
                if !isFirst {
                    out.append(0x0A)
                    for _ in 0..<indent { out.append(0x20) }
                }
                isFirst = false
                out.append(contentsOf: piece)
                if isHyphenated { out.append(0x2D) }
            }
        }
    }

    /// Ends the last line; trailing line breaks are those of the document only.
    mutating func endText() { if hasLineEnds { endLine() } }

    /// Gives the sink what is finished: all lines before the one that starts here.
    @inline(never)
    private mutating func handOver() {
        let done = out.count - Self.lookBack
        guard let sink, done > 0 else { return }
        sink(UnsafeBufferPointer(start: out.base, count: done))
        out.closeGap(at: 0, count: done)
        given += done
        lineStart = out.count
        inlineStart = max(-1, inlineStart - done)
        atomEnd = max(-1, atomEnd - done)
    }

    /// Makes the writer as new, its memory kept.
    mutating func reset() {
        out.count = 0
        breaks = 0
        space = false
        atLineStart = true
        indent = 0
        marker = []
        endsInForcedBreak = false
        inlineStart = -1
        atomEnd = -1
        lineStart = 0
        mayWrap = true
    }

    // MARK: Output

    /// How much was written, including what a sink has taken.
    var position: Int { given + out.count }

    /// What was written since the last ``reset()``.
    var written: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: out.base, count: out.count) }

    /// The text that `body` writes.
    ///
    /// - Parameters:
    ///   - source: what most texts point into.
    ///   - expected: about how long the text is.
    ///   - sink: takes the text in pieces; the rest is the result.
    static func collect(
        _ options: TextOptions, source: UnsafeBufferPointer<UInt8>, expected: Int, sink: TextSink?,
        _ body: (inout TextWriter) -> Void
    ) -> [UInt8] {
        let expected = sink != nil ? pieceSize + 1 << 14 : expected
        var outgrown: [UInt8]?
        let text = [UInt8](unsafeUninitializedCapacity: expected + 64) { memory, count in
            var writer = TextWriter(options, source: source, out: GrowableBuffer(borrowing: memory), sink: sink)
            body(&writer)
            writer.endText()
            if writer.out.isBorrowed {
                count = writer.out.count
            } else {
                // Room for what callers put at the end: a newline, notes.
                outgrown = [UInt8](unsafeUninitializedCapacity: writer.out.count + 64) { larger, length in
                    larger.baseAddress?.update(from: writer.out.base, count: writer.out.count)
                    length = writer.out.count
                }
                writer.out.free()
            }
        }
        return outgrown ?? text
    }

    /// Lets `body` write the cells of a table, one after another.
    static func withCellWriter(
        _ options: TextOptions, source: UnsafeBufferPointer<UInt8>, _ body: (inout TextWriter) -> Void
    ) {
        var plain = options
        plain.width = nil
        var writer = TextWriter(plain, source: source, out: GrowableBuffer(capacity: 1 << 10))
        body(&writer)
        writer.out.free()
    }
}
