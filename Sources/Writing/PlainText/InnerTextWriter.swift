// The output side of `innerText`: collapses white space within contexts, and keeps required line breaks.

import FancyTextBasics

/// The state of white space collapsing within one block's inline content.
struct InlineContext: BitwiseCopyable {
    enum Space: UInt8, BitwiseCopyable {
        case none
        /// Written if text follows.
        case due
        /// White space of hidden text; white space after it collapses.
        case hidden
        /// Like ``due``, but other output was written since.
        case placed
    }

    /// True while the line is empty: white space is dropped.
    var isAtStart = true
    var space = Space.none
    /// The position of the placed space in the output, and the line breaks that were written before it.
    var place = 0, breaksBefore = 0
}

/// The output, with pending breaks and undecided spaces.
struct InnerTextWriter {
    private var out: [UInt8] = []
    var context = InlineContext()
    private let keepsControls: Bool
    /// The line breaks due before the next text.
    private var breaks = 0
    private var isEmpty = true
    /// The number of placed spaces that are undecided, and whether some were dropped.
    private var undecided = 0, hasHoles = false
    /// For each undecided space, by position, the line breaks written directly after it.
    private var breaksAfter: [Int: Int] = [:]

    init(keepsControls: Bool, expected: Int) {
        self.keepsControls = keepsControls
        out.reserveCapacity(expected)
    }

    mutating func finish() -> [UInt8] {
        endContext()
        if hasHoles { out.removeAll { $0 == 0 } }
        return out
    }

    /// Requires at least this many line breaks before the next text.
    mutating func requireBreaks(_ count: Int) {
        guard count > 0 else { return }
        if context.space == .due { placeSpace() }
        if !isEmpty { breaks = max(breaks, count) }
    }

    /// Writes a tab between cells, or a line feed between rows.
    mutating func separate(_ byte: UInt8) {
        endContext()
        writeBreaks()
        out.append(byte)
    }

    /// Ends a line at a `<br>`.
    mutating func breakLine(isVisible: Bool) { if isVisible { separate(0x0A) } else { endContext() } }

    /// Ends the inline content and drops its pending space.
    mutating func endContext() {
        if context.space == .placed {
            undecided -= 1
            if context.place == out.count - 1 {
                out.removeLast()
                breaks = max(breaks, context.breaksBefore)
                if out.isEmpty { isEmpty = true }
            } else {
                hasHoles = true
                // The breaks on both sides of the dropped space join; the larger number is kept.
                let after = breaksAfter[context.place] ?? 0
                let surplus = context.place == 0 ? after : min(context.breaksBefore, after)
                for i in 0..<surplus { out[context.place + 1 + i] = 0 }
            }
            breaksAfter[context.place] = nil
        }
        context = InlineContext()
    }

    private mutating func writeBreaks() {
        isEmpty = false
        guard breaks > 0 else { return }
        if undecided > 0, out.last == 0 { breaksAfter[out.count - 1] = breaks }
        out += repeatElement(0x0A, count: breaks)
        breaks = 0
    }

    private mutating func placeSpace() {
        context.breaksBefore = breaks
        writeBreaks()
        context.space = .placed
        context.place = out.count
        undecided += 1
        out.append(0)
    }

    /// Continues the context, which keeps its pending space: before text, or for content without text.
    mutating func placeAtom() {
        switch context.space {
        case .none, .hidden: break
        case .due:
            writeBreaks()
            out.append(0x20)
        case .placed:
            out[context.place] = 0x20
            undecided -= 1
            breaksAfter[context.place] = nil
        }
        context.space = .none
        context.isAtStart = false
    }

    // MARK: Text

    mutating func write(_ text: String, _ box: TextBox) {
        var text = text
        text.withUTF8 { write($0, box) }
    }

    /// Writes decoded text, in which only references leave carriage returns; they are controls (HTML §13.2.3.5).
    mutating func write(_ text: UnsafeBufferPointer<UInt8>, _ box: TextBox) {
        guard let base = text.baseAddress else { return }
        var i = 0
        while i < text.count { i += write(base + i, text.count - i, box) }
    }

    /// Writes a white space character, a control or a run of others. Returns the number of bytes it took.
    private mutating func write(_ base: UnsafePointer<UInt8>, _ count: Int, _ box: TextBox) -> Int {
        let byte = base[0]
        let preserves = box.whiteSpace == .pre || box.whiteSpace == .preWrap
        if byte == 0x0A, preserves || box.whiteSpace == .preLine {
            breakLine(isVisible: box.isVisible)
            return 1
        }
        if byte.isHTMLSpace, !preserves {
            if !context.isAtStart, context.space == .none { context.space = box.isVisible ? .due : .hidden }
            return 1
        }
        if byte == 0 { return 1 }
        if !keepsControls, byte < 0x20 && byte != 0x09 || byte == 0x7F { return 1 }
        if !keepsControls, TextWriter.startsControl(base, count) { return byte == 0xC2 ? 2 : 3 }
        // At least one byte of any kind.
        var length = 1
        while length < count, isPlain(base + length, count - length, preserves) { length += 1 }
        placeAtom()
        if box.isVisible {
            writeBreaks()
            out.append(contentsOf: UnsafeBufferPointer(start: base, count: length))
        }
        return length
    }

    private func isPlain(_ at: UnsafePointer<UInt8>, _ count: Int, _ preserves: Bool) -> Bool {
        let byte = at[0]
        if byte <= 0x20 { return byte == 0x20 && preserves }
        return byte != 0x7F && (byte != 0xC2 && byte != 0xE2 || keepsControls || !TextWriter.startsControl(at, count))
    }
}
