// Text of a source without its whole tree: tree construction pauses where all is final, and what is there is read and
// forgotten (Normalizer+Windows.swift).
//
// In: valid UTF-8. Out: the text by the default styles, byte for byte what TextExtractor reads off the whole tree, in memory
// of the size of a window, not of the source; or nothing, where it would give up.

import FancyTextBasics
import CFancyTextByteScan
import FancyTextMarkup
import FancyTextStyling

/// Reads text while the tree is built.
package struct TextStream {
    private let source: SourceBytes
    private let syntax: SyntaxOptions
    private let options: TextOptions
    /// The source is looked through from here on while the tree is built.
    private let scan: PageScan
    /// How many nodes a window has at least: few enough to stay in the processor's cache, so many that pauses cost nothing.
    var leastNodes = 1 << 14
    /// Sources of so many bytes and more are read while another thread builds what follows: it costs as much as a tenth of
    /// them to start one.
    var leastAhead = 1 << 18

    /// Nil when only the whole tree tells the text: for `innerText`, and where there may be style sheets.
    ///
    /// - Parameters:
    ///   - hasSheet: whether the `<link>` that some source begins with names a style sheet that applies.
    ///   - scanned: how many bytes are looked through for style sheets at once, where most have theirs.
    package init?(
        _ source: SourceBytes, syntax: SyntaxOptions, options: TextOptions,
        hasSheet: ((UnsafeBufferPointer<UInt8>) -> Bool)? = nil, scanned: Int = 1 << 18
    ) {
        var scan = PageScan(source.buffer, hasSheet)
        switch options.mode {
        case .raw: break
        case .innerText: return nil
        case .readable where options.alwaysReadsBoxes: return nil
        case .readable: guard scan.advance(to: scanned) else { return nil }
        }
        self.scan = scan
        self.source = source
        self.syntax = syntax
        self.options = options
    }

    /// The text, or what `sink` has not taken of it.
    /// Nil when something turned up that only the boxes tell: their text begins with what the sink has taken.
    package func read(log: inout DiagnosticLog, sink: TextSink? = nil) -> [UInt8]? {
        let isAhead = source.count >= leastAhead
        guard options.mode != .raw else {
            var text: [UInt8] = []
            text.reserveCapacity(sink != nil ? TextWriter.pieceSize + 1 << 14 : source.count / 3)
            let windows = TreeWindows(source, syntax, leastNodes: leastNodes) { _, _, _ in true }
            windows.forEach(isAhead: isAhead, log: &log) { window in
                window.tree.appendRawText(of: window.first..<window.tree.count, to: &text, options, sink)
                return true
            }
            return MarkupTree.cleaned(text, options)
        }
        // Whoever builds the tree does not wait for the rest of the scan, but does not pause either until that is done.
        let gate = PauseGate()
        let windows = TreeWindows(source, syntax, leastNodes: leastNodes, gate: gate) {
            [options] tree, opened, current in
            let extractor = TextExtractor(tree, DefaultTextStyles(tree.documentMode), options: options)
            return !opened.contains { extractor.readsAhead($0) } && !extractor.looksAhead(current)
        }
        let nothing = windows.nothing
        var extractor = TextExtractor(nothing, DefaultTextStyles(nothing.documentMode), options: options)
        return extractor.collect(expected: source.count / 3, sink) { extractor, writer in
            var walk = extractor.beginWalk(nothing.root, writer, TextBox())
            var mayHaveSheet = false
            let finishScan = {
                var scan = self.scan
                mayHaveSheet = !scan.advance(to: source.count)
                if mayHaveSheet { gate.close() } else { gate.open(from: scan.firstPause) }
                return !mayHaveSheet
            }
            windows.forEach(isAhead: isAhead, log: &log, after: finishScan) { window in
                extractor.read(window.tree)
                extractor.resume(&walk, first: window.first)
                extractor.advance(&walk, &writer, upTo: UInt32(truncatingIfNeeded: window.tree.count), tableDepth: 0)
                return !extractor.needsBoxes
            }
            if mayHaveSheet {
                extractor.needsBoxes = true
            } else {
                extractor.endWalk(&walk, &writer)
            }
        }
    }
}

/// Looks through a source for tags that say of the text what only the whole tree tells, or what must be known beforehand.
private struct PageScan {
    private let source: UnsafeBufferPointer<UInt8>
    private let hasSheet: ((UnsafeBufferPointer<UInt8>) -> Bool)?
    /// Tags may stand within what looks like one: those that are long in all are not looked through.
    private var budget: Int
    private var next = 0
    /// From which place on all is known that html and body say of the text, once all is looked through: their tags may come
    /// anywhere, and give attributes to the elements that are there from the beginning.
    private(set) var firstPause = 0

    init(_ source: UnsafeBufferPointer<UInt8>, _ hasSheet: ((UnsafeBufferPointer<UInt8>) -> Bool)?) {
        self.source = source
        self.hasSheet = hasSheet
        budget = 2 * source.count + 4096
    }

    /// Looks through the source up to a place; false when there may be a style sheet.
    mutating func advance(to end: Int) -> Bool {
        let end = min(end, source.count)
        guard let base = source.baseAddress, next < end else { return true }
        var tokenizer = Tokenizer(source)
        var token = Token()
        var attributes = GrowableBuffer<Attribute>(capacity: 64)
        defer { attributes.free() }
        while next < end {
            let at = Int(cbytescan_page_tag(base, next, end))
            next = at + 1
            guard at < end, at + 3 <= source.count else { break }
            // The first two letters tell nearly all other tags from these.
            let letters = UnsafeRawPointer(base + at + 1).loadUnaligned(as: UInt16.self) | 0x2020
            guard letters == Self.st || letters == Self.ht || letters == Self.bo || letters == Self.li else {
                continue
            }
            if letters == Self.li, at + 4 > source.count || base[at + 3].asciiLowercased != 0x6E { continue }
            var key = NameKey()
            _ = NameKey.scan(base, from: at + 1, to: source.count, into: &key)
            let tag = TagID(rawValue: NameTable.tags.find(key))
            switch tag {
            case .link:
                if hasSheet?(UnsafeBufferPointer(rebasing: source[at...])) == true { return false }
            case .style, .html, .body:
                attributes.count = 0
                tokenizer.position = at
                tokenizer.next(&token, &attributes, inForeign: false)
                budget -= tokenizer.position - at
                let isRead = token.kind == .startTag && budget > 0
                if tag == .style {
                    guard isRead, sheetChangesNothing(tokenizer.position) else { return false }
                } else if !isRead {
                    (firstPause, next) = (source.count, source.count)
                } else if (0..<attributes.count).contains(where: { Self.showsInText(attributes[$0], base) }) {
                    firstPause = at + 1
                }
            default: break
            }
        }
        return true
    }

    /// Whether the style sheet that begins at `start` changes no text; what has a `<` in it may.
    private mutating func sheetChangesNothing(_ start: Int) -> Bool {
        var end = start
        while end < source.count, source[end] != 0x3C { end += 1 }
        budget -= end - start
        let isWhole = end == source.count || startsEndTag(end)
        return isWhole && TextRelevance.changesNothing(sheet: UnsafeBufferPointer(rebasing: source[start..<end]))
    }

    private func startsEndTag(_ at: Int) -> Bool {
        guard let base = source.baseAddress, at + 2 < source.count, source[at + 1] == 0x2F else { return false }
        var key = NameKey()
        let end = NameKey.scan(base, from: at + 2, to: source.count, into: &key)
        return end < source.count && ByteClass.table[Int(source[end])] & ByteClass.endsTagName != 0
            && TagID(rawValue: NameTable.tags.find(key)) == .style
    }

    private static let st = UInt16(littleEndian: 0x7473)
    private static let ht = UInt16(littleEndian: 0x7468)
    private static let bo = UInt16(littleEndian: 0x6F62)
    private static let li = UInt16(littleEndian: 0x696C)

    /// Whether an attribute of html or body can make a difference to the text.
    private static func showsInText(_ attribute: Attribute, _ base: UnsafePointer<UInt8>) -> Bool {
        switch AttributeID(rawValue: attribute.id) {
        case .style, .hidden: true
        // Capitals depend on the language, in Turkish and Azerbaijani.
        case .lang:
            attribute.valueLength > 0
                && [0x74, 0x61, 0x26].contains(base[Int(attribute.valueStart)].asciiLowercased)
        default: false
        }
    }
}
