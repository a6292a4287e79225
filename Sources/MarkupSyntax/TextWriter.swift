// The output side of text extraction: collapses white space, keeps required line breaks, sets lines in and wraps them.

/// What to do where a person would want it otherwise (SPEC S1–S4).
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
    /// Byte offsets at which a line may be broken; nil for the rules for spaces, hyphens and CJK.
    package var breakOpportunities: (@Sendable (UnsafeBufferPointer<UInt8>) -> [Int])?

    package init() {}
}

/// Text under construction.
struct TextWriter {
    var out = GrowableBuffer<UInt8>(capacity: 1 << 12)
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
    var inlineStart = -1
    /// Where the current line starts in `out`, and whether it may be wrapped.
    private var lineStart = 0
    private var lineIndent = 0
    private var mayWrap = true
    private let keepsControls: Bool

    init(_ options: TextOptions) {
        self.options = options
        keepsControls = options.keepsControls
    }

    /// Bytes that are copied without a second look.
    nonisolated(unsafe) static let plain: UnsafePointer<Bool> = {
        let table = UnsafeMutablePointer<Bool>.allocate(capacity: 256)
        for byte in 0..<256 { table[byte] = byte > 0x20 && byte != 0x26 && byte != 0x7F && byte != 0xC2 && byte != 0xE2 }
        return UnsafePointer(table)
    }()

    // MARK: Breaks

    /// At least this many line breaks before the next content.
    @inline(__always)
    mutating func requireBreaks(_ count: Int) {
        space = false
        if out.count > 0, out.count != inlineStart {
            // A forced break that ends a block shows no empty line of its own, but `innerText` counts it.
            breaks = max(breaks, endsInForcedBreak && options.mode == .readable ? count - 1 : count)
        }
        atLineStart = true
    }

    /// A line break that counts by itself: `<br>`, a newline of preformatted text.
    mutating func forceBreak() {
        space = false
        if breaks > 0 || !marker.isEmpty { begin() }
        endLine()
        if options.isSpeech { speakBreak() } else { out.append(0x0A) }
        lineStart = out.count
        lineIndent = indent
        mayWrap = true
        atLineStart = true
        endsInForcedBreak = true
    }

    /// A sentence that a break ends gets its full stop (SPEC S3).
    private mutating func speakBreak() {
        while out.count > 0, out[out.count - 1] == 0x20 { out.count -= 1 }
        guard out.count > 0 else { return }
        let last = out[out.count - 1]
        // ASCII punctuation, or the last byte of `…`, `。`, `！`, `？` and closing quotes.
        let ends = last == 0x2E || last == 0x21 || last == 0x3F || last == 0x3A || last == 0x3B || last == 0x2C || last == 0x0A
        if !ends, !endsInWidePunctuation() { out.append(0x2E) }
        if last != 0x0A { out.append(0x20) }
    }

    private func endsInWidePunctuation() -> Bool {
        guard out.count >= 3 else { return false }
        let tail = (out[out.count - 3], out[out.count - 2], out[out.count - 1])
        return tail == (0xE3, 0x80, 0x82) || tail == (0xEF, 0xBC, 0x81) || tail == (0xEF, 0xBC, 0x9F) || tail == (0xE2, 0x80, 0xA6)
    }

    /// Writes the breaks, the space and the prefix due before content.
    @inline(__always)
    mutating func begin() {
        if breaks > 0 || atLineStart || space { beginSlowly() }
    }

    @inline(never)
    private mutating func beginSlowly() {
        if breaks > 0 {
            endLine()
            if options.isSpeech { speakBreak() } else { for _ in 0..<breaks { out.append(0x0A) } }
            breaks = 0
            lineStart = out.count
            mayWrap = true
            atLineStart = true
        }
        if atLineStart {
            space = false
            if out.count != inlineStart { writePrefix() }
        } else if space {
            out.append(0x20)
            space = false
        }
        atLineStart = false
        endsInForcedBreak = false
    }

    private mutating func writePrefix() {
        guard options.mode == .readable, !options.isSpeech else { return }
        lineIndent = indent
        if marker.isEmpty {
            for _ in 0..<indent { out.append(0x20) }
        } else {
            for _ in 0..<markerIndent { out.append(0x20) }
            for byte in marker { out.append(byte) }
            marker = []
        }
    }

    /// Marks that something inline without text stands here: an image, a control.
    mutating func placeAtom() {
        begin()
        atLineStart = false
    }

    // MARK: Text

    /// Text of the source, its references and white space as they are there.
    @inline(__always)
    mutating func write(_ text: UnsafeBufferPointer<UInt8>, _ whiteSpace: TextBox.WhiteSpace, decode: EntityDecoder.Mode?) {
        guard let base = text.baseAddress else { return }
        switch whiteSpace {
        case .normal, .nowrap: writeCollapsed(base, text.count, keepsNewlines: false, decode)
        case .preLine: writeCollapsed(base, text.count, keepsNewlines: true, decode)
        case .pre, .preWrap: writePreserved(base, text.count, decode, mayWrap: whiteSpace == .preWrap)
        }
    }

    private mutating func writeCollapsed(_ base: UnsafePointer<UInt8>, _ count: Int, keepsNewlines: Bool, _ decode: EntityDecoder.Mode?) {
        var i = 0
        let plain = Self.plain
        while i < count {
            let start = i
            while i < count, plain[Int(base[i])] { i &+= 1 }
            if i > start {
                begin()
                out.append(contentsOf: UnsafeBufferPointer(start: base + start, count: i &- start))
                if i == count { return }
            }
            let byte = base[i]
            if byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C {
                if keepsNewlines, byte == 0x0A || byte == 0x0D {
                    if byte == 0x0D, i + 1 < count, base[i + 1] == 0x0A { i &+= 1 }
                    forceBreak()
                } else if !atLineStart, breaks == 0 {
                    space = true
                }
                i &+= 1
            } else {
                i &+= writeSpecial(base, i, count, decode, preserved: false)
            }
        }
    }

    private mutating func writePreserved(_ base: UnsafePointer<UInt8>, _ count: Int, _ decode: EntityDecoder.Mode?, mayWrap wraps: Bool) {
        var i = 0
        let plain = Self.plain
        while i < count {
            let start = i
            while i < count, plain[Int(base[i])] || base[i] == 0x20 || base[i] == 0x09 { i &+= 1 }
            if i > start {
                begin()
                mayWrap = wraps
                out.append(contentsOf: UnsafeBufferPointer(start: base + start, count: i &- start))
                if i == count { return }
            }
            if base[i] == 0x0A || base[i] == 0x0D {
                if base[i] == 0x0D, i + 1 < count, base[i + 1] == 0x0A { i &+= 1 }
                forceBreak()
                i &+= 1
            } else {
                i &+= writeSpecial(base, i, count, decode, preserved: true)
            }
        }
    }

    /// A reference, a control character or the lead byte of one; returns how many bytes it took.
    @inline(never)
    private mutating func writeSpecial(_ base: UnsafePointer<UInt8>, _ i: Int, _ count: Int, _ decode: EntityDecoder.Mode?, preserved: Bool) -> Int {
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
            } else {
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
        if byte == 0 { return 1 }
        if !keepsControls {
            if byte < 0x20 || byte == 0x7F { return 1 }
            if byte == 0xC2, i + 1 < count, base[i + 1] < 0xA0 { return 2 }
            if byte == 0xE2, i + 2 < count {
                // U+202A–202E and U+2066–2069 turn text around.
                if base[i + 1] == 0x80, (0xAA...0xAE).contains(base[i + 2]) { return 3 }
                if base[i + 1] == 0x81, (0xA6...0xA9).contains(base[i + 2]) { return 3 }
            }
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

    // MARK: Lines

    /// Cuts trailing spaces off the line and wraps it.
    private mutating func endLine() {
        guard let width = options.width, mayWrap, options.mode == .readable, !options.isSpeech, out.count > lineStart else { return }
        let line = Array(UnsafeBufferPointer(start: out.base + lineStart, count: out.count - lineStart))
        guard DisplayWidth.of(line) > width else { return }
        out.count = lineStart
        LineWrapper.wrap(line, width: max(1, width), indent: min(lineIndent, width / 2), opportunities: options.breakOpportunities) { piece, isFirst, indent in
            if !isFirst {
                out.append(0x0A)
                for _ in 0..<indent { out.append(0x20) }
            }
            out.append(contentsOf: piece)
        }
    }

    /// The finished text; trailing line breaks are those of the document only.
    mutating func finish() -> [UInt8] {
        endLine()
        let text = Array(UnsafeBufferPointer(start: out.base, count: out.count))
        out.free()
        return text
    }
}

/// Breaks one line into pieces that fit a width.
enum LineWrapper {
    static func wrap(
        _ line: [UInt8], width: Int, indent: Int, opportunities: ((UnsafeBufferPointer<UInt8>) -> [Int])?,
        _ emit: (UnsafeBufferPointer<UInt8>, Bool, Int) -> Void
    ) {
        line.withUnsafeBufferPointer { line in
            let breaks = opportunities?(line) ?? simpleOpportunities(line)
            var start = 0
            var last: Int?
            var columns = 0
            var lastColumns = 0
            var at = 0
            var next = 0
            var isFirst = true
            func put(_ from: Int, _ to: Int) {
                var end = to
                while end > from, line[end - 1] == 0x20 { end -= 1 }
                emit(UnsafeBufferPointer(rebasing: line[from..<end]), isFirst, indent)
                isFirst = false
            }
            while at < line.count {
                while next < breaks.count, breaks[next] <= at {
                    if breaks[next] == at, at > start {
                        last = at
                        lastColumns = columns
                    }
                    next += 1
                }
                let (scalar, length) = DisplayWidth.scalar(line, at)
                let wide = DisplayWidth.of(scalar)
                let limit = isFirst ? width : width - indent
                if columns + wide > limit, line[at] != 0x20, let cut = last {
                    put(start, cut)
                    start = cut
                    columns -= lastColumns
                    last = nil
                    continue
                }
                columns += wide
                at += length
            }
            put(start, line.count)
        }
    }

    /// After spaces and hyphens, and between ideographs.
    static func simpleOpportunities(_ line: UnsafeBufferPointer<UInt8>) -> [Int] {
        var breaks: [Int] = []
        var at = 0
        var previous: UInt32 = 0
        while at < line.count {
            let (scalar, length) = DisplayWidth.scalar(line, at)
            if previous == 0x20, scalar != 0x20 {
                breaks.append(at)
            } else if previous == 0x2D, scalar != 0x2D, scalar != 0x20, !(0x30...0x39).contains(scalar) {
                breaks.append(at)
            } else if isIdeograph(previous) && !isClosing(scalar) && scalar != 0x20 || isIdeograph(scalar) && previous != 0 && previous != 0x20 && !isOpening(previous) {
                if !isClosing(scalar), !isOpening(previous) { breaks.append(at) }
            }
            previous = scalar
            at += length
        }
        return breaks
    }

    private static func isIdeograph(_ scalar: UInt32) -> Bool {
        (0x3040...0x30FF).contains(scalar) || (0x3400...0x9FFF).contains(scalar) || (0xAC00...0xD7A3).contains(scalar) || (0xF900...0xFAFF).contains(scalar)
            || (0x2_0000...0x3_FFFD).contains(scalar) || isClosing(scalar) && scalar > 0x3000
    }

    private static func isClosing(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x3001, 0x3002, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF01, 0x300D, 0x300F, 0x3011, 0x3009, 0x300B, 0xFF09, 0x30FC, 0x2019, 0x201D, 0x29,
            0x2C, 0x2E, 0x3B, 0x3A, 0x21, 0x3F, 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x30A1, 0x30A3, 0x30A5, 0x30A7,
            0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x3005: true
        default: false
        }
    }

    private static func isOpening(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x300C, 0x300E, 0x3010, 0x3008, 0x300A, 0xFF08, 0x28, 0x2018, 0x201C: true
        default: false
        }
    }
}

/// Columns that text takes on a terminal.
package enum DisplayWidth {
    /// The scalar at `at` and its length; a byte that starts none stands for itself.
    @inline(__always)
    static func scalar(_ text: UnsafeBufferPointer<UInt8>, _ at: Int) -> (UInt32, Int) {
        let first = text[at]
        if first < 0x80 { return (UInt32(first), 1) }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard first >= 0xC2, at + length <= text.count else { return (0xFFFD, 1) }
        var value = UInt32(first) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
        for k in 1..<length { value = value << 6 | UInt32(text[at + k] & 0x3F) }
        return (value, length)
    }

    /// 0 for marks and format characters, 2 for East Asian wide and emoji, else 1.
    package static func of(_ scalar: UInt32) -> Int {
        if scalar < 0x300 { return scalar == 0xAD ? 0 : 1 }
        switch scalar {
        case 0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0, 0x23F3, 0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F,
            0x2693, 0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE, 0x26D4, 0x26EA, 0x26F2...0x26F3, 0x26F5, 0x26FA, 0x26FD, 0x2705,
            0x270A...0x270B, 0x2728, 0x274C, 0x274E, 0x2753...0x2755, 0x2757, 0x2795...0x2797, 0x27B0, 0x27BF, 0x2B1B...0x2B1C, 0x2B50, 0x2B55,
            0x2E80...0x303E, 0x3041...0x3098, 0x309B...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
            0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1_F004, 0x1_F0CF, 0x1_F18E, 0x1_F191...0x1_F19A, 0x1_F200...0x1_F320,
            0x1_F32D...0x1_F335, 0x1_F337...0x1_F37C, 0x1_F37E...0x1_F393, 0x1_F3A0...0x1_F3CA, 0x1_F3CF...0x1_F3D3, 0x1_F3E0...0x1_F3F0, 0x1_F3F4,
            0x1_F3F8...0x1_F43E, 0x1_F440, 0x1_F442...0x1_F4FC, 0x1_F4FF...0x1_F53D, 0x1_F54B...0x1_F567, 0x1_F57A, 0x1_F595...0x1_F596, 0x1_F5A4,
            0x1_F5FB...0x1_F64F, 0x1_F680...0x1_F6C5, 0x1_F6CC, 0x1_F6D0...0x1_F6D7, 0x1_F6DC...0x1_F6DF, 0x1_F6EB...0x1_F6EC, 0x1_F6F4...0x1_F6FC,
            0x1_F7E0...0x1_F7EB, 0x1_F90C...0x1_F93A, 0x1_F93C...0x1_F945, 0x1_F947...0x1_FAFF, 0x2_0000...0x3_FFFD:
            return 2
        case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF, 0x1160...0x11FF, 0xE_0000...0xE_01EF: return 0
        default:
            guard let value = Unicode.Scalar(scalar) else { return 1 }
            switch value.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: return 0
            default: return 1
            }
        }
    }

    package static func of(_ text: [UInt8]) -> Int { text.withUnsafeBufferPointer { of($0) } }

    static func of(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        var columns = 0
        var at = 0
        var joins = false
        while at < text.count {
            if text[at] < 0x80 {
                columns += 1
                at += 1
                joins = false
            } else {
                let (scalar, length) = scalar(text, at)
                // What a zero-width joiner glues on takes no room of its own.
                if !joins { columns += of(scalar) }
                joins = scalar == 0x200D
                at += length
            }
        }
        return columns
    }
}
