// Truncation over random styled texts of many scripts, widths and modes: the remaining text fits with the tail, and one cluster
// more would not fit.

import Testing

@testable import FancyTextBasics
@testable import FancyTextBoxes
@testable import FancyTextCSS
@testable import FancyTextLayout
@testable import FancyTextTypography

/// Pseudo-random numbers that are the same in every run (Knuth's multiplier for 64 bits).
private struct Random {
    var state: UInt64
    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
}

/// Words of one script, including clusters of several scalars.
struct Script: Sendable, CustomStringConvertible {
    var name: String
    var isRightToLeft = false
    var separator = " "
    var words: [String]
    var description: String { name }
}

private let scripts = [
    Script(
        name: "Latin", words: ["The", "quick", "cafe\u{301}", "naïve", "office", "e\u{301}te\u{301}", "jugs,", "A"]),
    Script(name: "Cyrillic", words: ["Съешь", "же", "ещё", "этих", "мягких", "и\u{306}ода", "булок,", "я"]),
    Script(
        name: "Arabic", isRightToLeft: true, words: ["نص", "جميل", "بلا", "مُتَصَفِّح", "اليمين", "لا", "English", "٨"]),
    Script(name: "Hebrew", isRightToLeft: true, words: ["שלום", "עולם", "בְּרֵאשִׁית", "טקסט", "12", "יפה", "א"]),
    Script(name: "Devanagari", words: ["नमस्ते", "दुनिया", "क्षत्रिय", "हिन्दी", "में", "ज्ञान", "है"]),
    Script(name: "Japanese", separator: "", words: ["美しい", "文字を", "、", "ブラウザ", "なしで", "。", "か\u{3099}き", "PNG"]),
    Script(name: "Thai", separator: "", words: ["สวัสดี", "ชาวโลก", "ภาษา", "ไทย", "ที่นี่", "น้ำ"]),
    Script(name: "Emoji", words: ["👨‍👩‍👧‍👦", "ok", "🇫🇷🇯🇵", "👍🏽", "❤️", "a😀b"]),
]

private struct Sample {
    var text: BoxTree
    /// The layout of the same text on one line, which gives the advance of each cluster.
    var whole: LayoutTree
    var tailWidth: Float

    /// Advance of the clusters that begin in a range of bytes.
    func width(_ range: Range<Int>) -> Float {
        whole.glyphs.reduce(0) { range.contains(Int($1.cluster)) ? $0 + $1.advance : $0 }
    }
    /// The end of the next visible cluster; white space beside the tail is not visible. Ligatures and conjuncts of several
    /// graphemes stay whole too.
    func clusterEnd(after offset: Int) -> Int {
        let start = text.text[offset...].firstIndex { $0 != 0x20 } ?? text.text.count
        return (start..<text.text.count).dropFirst().first(where: isGlyphEdge) ?? text.text.count
    }
    private func isGlyphEdge(_ offset: Int) -> Bool {
        isClusterEdge(offset) && whole.glyphs.contains { Int($0.cluster) == offset }
    }
    func isClusterEdge(_ offset: Int) -> Bool {
        offset == text.text.count
            || text.text.withUnsafeBufferPointer { GraphemeBreaker.isBoundary($0, offset, start: 0, end: $0.count) }
    }
    func clusterStart(before offset: Int) -> Int {
        var start = offset - 1
        while start > 0, text.text[start] == 0x20 { start -= 1 }
        while start > 0, !isGlyphEdge(start) { start -= 1 }
        return max(0, start)
    }
}

/// The contents of a truncated last line.
private struct Shown {
    /// Bytes of the text in logical order; adjacent ranges are joined.
    var parts: [Range<Int>]
    var left = Float.infinity
    var right = -Float.infinity

    init(_ tree: LayoutTree) {
        var ranges: [Range<Int>] = []
        if let line = tree.lines.last {
            for fragment in tree.inlines[line.fragments] where fragment.kind != .box && !fragment.isHidden {
                var x = fragment.origin
                left = min(left, x)
                for glyph in fragment.glyphs { x += tree.glyphs[glyph].advance }
                right = max(right, x)
                if fragment.kind == .text, !fragment.text.isEmpty { ranges.append(fragment.text) }
            }
        }
        parts = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = parts.last, last.upperBound == range.lowerBound {
                parts[parts.count - 1] = last.lowerBound..<range.upperBound
            } else {
                parts.append(range)
            }
        }
    }
}

@Suite struct TruncationPropertyTests {
    /// System fonts are used too; without them most scripts are rows of boxes, for which the rules must also hold.
    private func makeContext() throws -> LayoutContext { LayoutContext(fonts: try FontContext()) }

    private func sample(_ script: Script, _ random: inout Random, _ context: inout LayoutContext) -> Sample {
        let size = Float(12 + random.next(16))
        let direction: TextDirection = script.isRightToLeft ? .rtl : .ltr
        var builder = DocumentBuilder { font, text, _ in
            font.size = size
            text.direction = direction
        }
        let styles = [
            builder.style(display: .inline),
            builder.style(display: .inline) { font, _, _ in font.weight = 800 },
            builder.style(display: .inline) { font, _, _ in font.size = size * 1.4 },
            builder.style(display: .inline) { _, text, _ in text.letterSpacing = 1.5 },
        ]
        let count = 3 + random.next(14)
        builder.inlines { builder in
            for word in 0..<count {
                let string = script.words[random.next(script.words.count)] + (word + 1 < count ? script.separator : "")
                let style = styles[random.next(styles.count)]
                builder.span(style: style) { $0.run(string, style: style) }
            }
        }
        var tail = DocumentBuilder { font, _, _ in font.size = size }
        tail.inlines { $0.run("…", style: .root) }
        let tailTree = layOut(tail.finish(), 100_000, &context)
        let text = builder.finish()
        return Sample(
            text: text, whole: layOut(text, 1_000_000, &context),
            tailWidth: tailTree.glyphs.reduce(0) { $0 + $1.advance })
    }

    private func layOut(
        _ text: BoxTree, _ width: Float, _ context: inout LayoutContext,
        _ configure: (inout LayoutOptions) -> Void = { _ in }
    ) -> LayoutTree {
        var options = LayoutOptions()
        options.width = width
        configure(&options)
        return layout(text, options: options, context: &context)
    }

    @Test(arguments: scripts, [BoxStyle.TruncateMode.tail, .head, .middle, .word])
    func whatStaysFitsAndOneClusterMoreWouldNot(_ script: Script, _ mode: BoxStyle.TruncateMode) throws {
        let modes: [BoxStyle.TruncateMode] = [.tail, .head, .middle, .word]
        let seed = script.name.utf8.reduce(7) { (sum: Int, byte: UInt8) in sum &* 31 &+ Int(byte) }
        var random = Random(state: UInt64(seed &+ (modes.firstIndex(of: mode) ?? 0)))
        var context = try makeContext()
        var truncated = 0
        for _ in 0..<40 {
            let sample = sample(script, &random, &context)
            let width = Float(20 + random.next(581))
            let lines = 1 + random.next(3)
            let tree = layOut(sample.text, width, &context) {
                $0.maxLines = lines
                $0.truncateMode = mode
            }
            if tree.tailFallback != .given {
                #expect(sample.tailWidth > width && tree.tail == nil)
                continue
            }
            #expect(tree.lines.count <= lines)
            guard tree.isTruncated else {
                #expect(sample.text.text.count == tree.lines.last?.text.upperBound)
                continue
            }
            truncated += 1
            check(tree, sample, mode, width: width)
        }
        #expect(truncated > 5, "only \(truncated) of 40 texts were too long")
    }

    private func check(_ tree: LayoutTree, _ sample: Sample, _ mode: BoxStyle.TruncateMode, width: Float) {
        let shown = Shown(tree)
        let end = sample.text.text.count
        guard let line = tree.lines.last, let tail = tree.tail else {
            Issue.record("truncated without a tail")
            return
        }
        let start = line.text.lowerBound
        let used = shown.parts.reduce(sample.tailWidth) { $0 + sample.width($1) }
        // The line fits, except for the rounding of each fragment to 64ths, and the reported box of the tail is on the line.
        #expect(shown.left >= -0.2, "\(shown) \(used) \(width)")
        #expect(shown.right <= width + 0.2)
        #expect(abs(tail.width - sample.tailWidth) < 0.1)
        #expect(tail.x >= -0.05 && tail.maxX <= width + 0.05)
        for part in shown.parts {
            #expect(sample.isClusterEdge(part.lowerBound) && sample.isClusterEdge(part.upperBound))
        }
        #expect(used <= width + 0.1)
        switch mode {
        case .tail, .clip:
            #expect(shown.parts.count <= 1 && (shown.parts.first?.lowerBound ?? start) == start)
            let cut = shown.parts.first?.upperBound ?? start
            #expect(cut < end)
            #expect(used + sample.width(cut..<sample.clusterEnd(after: cut)) > width - 0.1)
        case .word:
            // The next word does not fit; a first word that alone is too long is cut like any text.
            let cut = shown.parts.first?.upperBound ?? start
            let bytes = sample.text.text
            let word = bytes[cut...].firstIndex { $0 != 0x20 } ?? end
            let next = bytes[word...].firstIndex(of: 0x20) ?? end
            #expect(used + sample.width(cut..<next) > width - 0.1)
        case .head:
            #expect(shown.parts.count <= 1 && (shown.parts.first?.upperBound ?? end) == end)
            let cut = shown.parts.first?.lowerBound ?? end
            #expect(used + sample.width(sample.clusterStart(before: cut)..<cut) > width - 0.1)
        case .middle:
            #expect(shown.parts.count <= 2)
            let prefix = shown.parts.first.map { $0.lowerBound == start ? $0.upperBound : start } ?? start
            let suffix = shown.parts.last.map { $0.upperBound == end ? $0.lowerBound : end } ?? end
            #expect(prefix < suffix)
            // Neither side has space for one cluster more.
            let more = sample.width(prefix..<sample.clusterEnd(after: prefix))
            #expect(used + more > width - 0.1)
            // The start has half of the space.
            let half = (width - sample.tailWidth) / 2
            #expect(sample.width(start..<sample.clusterEnd(after: prefix)) > half - 0.2)
        }
    }

    @Test func aTailThatCannotFitLeavesALineWithoutOneAtEveryWidth() throws {
        var context = try makeContext()
        for mode in [BoxStyle.TruncateMode.tail, .head, .middle, .word] {
            for width in stride(from: Float(1), to: 16, by: 1) {
                var builder = DocumentBuilder { font, _, _ in font.size = 40 }
                builder.inlines { $0.run("words that need more room than this", style: .root) }
                let text = builder.finish()
                let tree = layOut(text, width, &context) {
                    $0.maxLines = 1
                    $0.truncateMode = mode
                }
                #expect(tree.isTruncated && tree.lines.count == 1 && tree.tail == nil && tree.tailFallback == .none)
                #expect(tree.inlines.contains { $0.kind == .text })
            }
        }
    }
}
