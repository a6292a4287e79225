// Truncation and fitted lines: properties over texts and widths.

import Testing

@testable import FancyTextBasics
@testable import FancyTextBoxes
@testable import FancyTextCSS
@testable import FancyTextLayout

private let samples = [
    "The quick brown fox jumps over the lazy dog and runs away from five dozen liquor jugs.",
    "naïve façade — e\u{301}te\u{301} coöperation, Zürich–Genève and so on and on and on",
    "word",
]

@Suite struct TruncationTests {
    private func layOutTail(_ string: String, width: Float, lines: Int, mode: BoxStyle.TruncateMode = .tail) throws -> (
        LayoutTree, BoxTree
    ) {
        var builder = DocumentBuilder()
        builder.paragraph(string, style: builder.style())
        let text = builder.finish()
        let tree = try layOut(text, width: width) {
            $0.maxLines = lines
            $0.truncateMode = mode
        }
        return (tree, text)
    }

    private enum Limit: CaseIterable { case lines, height, clamp }

    /// A badge or a float of one line, and a paragraph of many: only the paragraph's lines count.
    @Test(arguments: [false, true], Limit.allCases)
    private func linesInsideABadgeOrFloatDoNotCount(_ isFloat: Bool, _ limit: Limit) throws {
        var builder = DocumentBuilder()
        let paragraph = builder.style { _, _, box in box.lineClamp = limit == .clamp ? 2 : 0 }
        let badge = builder.style(display: isFloat ? .block : .inlineBlock) { _, _, box in
            box.float = isFloat ? .left : .none
        }
        builder.block(style: paragraph) {
            $0.inlines {
                if isFloat {
                    $0.float(style: badge) { $0.inlines { $0.run("NEW", style: badge) } }
                } else {
                    $0.atomic(style: badge) { $0.inlines { $0.run("NEW", style: badge) } }
                }
                $0.run(" one two three four five six seven eight nine ten", style: paragraph)
            }
        }
        let tree = try layOut(builder.finish(), width: 110) {
            $0.maxLines = limit == .lines ? 2 : 0
            $0.maxHeight = limit == .height ? 45 : nil
        }
        #expect(tree.isTruncated && tree.boxes[2].lines.count == 2)
        #expect(tree.boxes[2].rect.height.float < 45)
    }

    @Test(arguments: samples, [60, 97, 140, 200, 333] as [Float])
    func prefixAndTailFitAndOneMoreClusterWouldNot(_ string: String, _ width: Float) throws {
        for lines in 1...3 {
            let (tree, text) = try layOutTail(string, width: width, lines: lines)
            #expect(tree.lineBoxes.count <= lines)
            guard tree.isTruncated, let offset = tree.truncationOffset, let tail = tree.tail else { continue }
            #expect(tail.maxX <= width + 0.02)
            // The layout of the whole text on one line gives the width of one more cluster.
            let (whole, _) = try layOutTail(string, width: 100_000, lines: 0)
            let line = tree.lineBoxes[tree.lineBoxes.count - 1]
            func x(_ at: Int) -> Float {
                var x: Float = 0
                for glyph in whole.glyphs where Int(glyph.cluster) < at { x += glyph.advance }
                return x
            }
            let next = text.text.withUnsafeBufferPointer { GraphemeBreaker.next($0, offset, end: $0.count) }
            #expect(x(offset) - x(line.text.lowerBound) + tail.width <= width + 0.1)
            #expect(x(next) - x(line.text.lowerBound) + tail.width > width - 0.1)
            let isBoundary = text.text.withUnsafeBufferPointer {
                GraphemeBreaker.isBoundary($0, offset, start: 0, end: $0.count)
            }
            #expect(isBoundary)
        }
    }

    @Test func textThatFitsIsUntouched() throws {
        let (tree, _) = try layOutTail("word", width: 200, lines: 1)
        #expect(!tree.isTruncated)
        #expect(tree.tail == nil)
    }

    @Test func aTailThatCanNeverFitIsLeftOut() throws {
        let (tree, _) = try layOutTail(samples[0], width: 5, lines: 1)
        #expect(tree.isTruncated && tree.tail == nil && tree.tailFallback == .none)
    }

    @Test func headModeKeepsTheEnd() throws {
        let (tree, text) = try layOutTail(samples[0], width: 150, lines: 1, mode: .head)
        let shown = tree.inlines.filter { $0.kind == .text }.map { String(decoding: text.text[$0.text], as: UTF8.self) }
            .joined()
        #expect(samples[0].hasSuffix(shown))
        #expect(tree.tail?.x == 0)
    }

    @Test func middleModeKeepsBothEnds() throws {
        let (tree, text) = try layOutTail(samples[0], width: 200, lines: 1, mode: .middle)
        let shown = tree.inlines.filter { $0.kind == .text }.map { String(decoding: text.text[$0.text], as: UTF8.self) }
        #expect(shown.count == 2)
        #expect(samples[0].hasPrefix(shown[0].trimmingSpaces()))
        #expect(samples[0].hasSuffix(shown[1]))
    }

    @Test func wordModeEndsAfterAWord() throws {
        let (tree, text) = try layOutTail(samples[0], width: 150, lines: 1, mode: .word)
        let offset = try #require(tree.truncationOffset)
        #expect(text.text[offset - 1] == 0x20)
    }

    @Test func clampCoversTheEndOfItsLastLine() throws {
        var builder = DocumentBuilder()
        let style = builder.style(display: .webkitBox) { _, _, box in
            box.lineClamp = 2
            box.overflowX = .hidden
            box.overflowY = .hidden
        }
        builder.paragraph(samples[0], style: style)
        let tree = try layOut(builder.finish(), width: 200)
        #expect(tree.isTruncated)
        #expect(tree.boxes.last?.rect.height.float == 40)
        let ellipsis = try #require(tree.inlines.last { $0.kind == .generated })
        #expect(ellipsis.rect.maxX.float <= 200.02)
    }

    @Test(arguments: [120, 240, 400] as [Float])
    func fittedLinesFillTheWidthUnlessClamped(_ width: Float) throws {
        var builder = DocumentBuilder()
        let style = builder.style { _, text, _ in text.fitLines = TextStyle.FitLines(minimumSize: 12, maximumSize: 90) }
        builder.paragraph("Big news today\nfor everyone who likes\ntype", style: style)
        let tree = try layOut(builder.finish(), width: width)
        for line in tree.lines {
            let scale = tree.inlines[line.fragments.lowerBound].scale
            let size = 16 * scale
            if size > 12.001, size < 89.999 { #expect(abs(line.rect.width.float - width) < 0.5) }
            #expect(size >= 11.999 && size <= 90.001)
        }
    }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        var copy = self
        while copy.last == " " { copy.removeLast() }
        return copy
    }
}
