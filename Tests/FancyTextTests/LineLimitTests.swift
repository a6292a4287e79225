// Limits of lines on random documents with inline blocks, images, lambdas, floats, lists, tables and positioned boxes.

import FancyTextBasics
import FancyTextBoxes
import FancyText
@testable import FancyTextLayout
import FancyTextOutputs
import FancyTextTestSupport
import Testing
import FancyTextTypography

/// A random document of words.
private struct SampleText {
    private(set) var html = ""
    private var random: SeededGenerator
    private var words = 0
    private let isOneFlow: Bool

    /// - Parameter isOneFlow: Everything is below or beside the content before it: no tables and no flex boxes.
    init(seed: UInt64, isOneFlow: Bool = false) {
        self.isOneFlow = isOneFlow
        random = SeededGenerator(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
        for _ in 0..<pick(1...6) { addBlock(depth: 0) }
    }

    private mutating func chance(_ percent: Int) -> Bool { pick(0...99) < percent }
    private mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func word() -> String {
        words += 1
        let right = ["שלום", "عالم", "(אב)"]
        return chance(3) ? right[pick(0...2)] : String(repeating: "w", count: pick(1...9)) + "\(words)"
    }

    private mutating func addWords(_ count: Int) {
        for _ in 0..<count {
            html += word()
            html += chance(4) ? "<br>" : " "
        }
    }

    private mutating func addInlines(depth: Int) {
        for _ in 0..<pick(1...5) {
            switch pick(0...9) {
            case 0:
                html += "<span style='display:inline-block;width:\(pick(20...90))px;border:1px solid'>"
                addWords(pick(1...4))
                html += "</span> "
            case 1:
                let tag = chance(50) ? "img alt=''" : "lambda id=badge"
                html += "<\(tag) width=\(pick(4...60)) height=\(pick(4...40))></lambda> "
            case 2:
                html += "<span style='float:\(chance(50) ? "left" : "right");width:\(pick(20...120))px'>"
                addWords(pick(1...3))
                html += "</span>"
            case 3:
                html += "<b style='position:relative'>"
                addWords(pick(1...6))
                html += "<i style='position:absolute;top:4px'>\(word())</i></b> "
            case 4:
                html += "<span style='font-size:\(pick(8...30))px;padding:0 3px;border:1px solid'>"
                addWords(pick(1...12))
                html += "</span> "
            default: addWords(pick(1...30))
            }
        }
    }

    private mutating func addBlock(depth: Int) {
        switch pick(0...11) {
        case 0 where depth < 3:
            html += "<div style='padding:\(pick(0...9))px;border:1px solid'>"
            for _ in 0..<pick(1...3) { addBlock(depth: depth + 1) }
            html += "</div>"
        case 1 where depth < 3:
            html += chance(50) ? "<ul>" : "<ol>"
            for _ in 0..<pick(1...4) {
                html += "<li>"
                addInlines(depth: depth)
            }
            html += "</ul></ol>"
        case 2 where !isOneFlow:
            html += "<table border=1>"
            for _ in 0..<pick(1...3) {
                html += "<tr><td>"
                addWords(pick(1...5))
                html += "<td>"
                addWords(pick(1...5))
            }
            html += "</table>"
        case 3 where !isOneFlow:
            html += "<div style='display:\(chance(50) ? "flex" : "grid");gap:4px'><div>"
            addWords(pick(1...5))
            html += "</div><div>"
            addWords(pick(1...5))
            html += "</div></div>"
        case 4:
            html += "<div style='float:\(chance(50) ? "left" : "right");width:\(pick(30...140))px'>"
            addWords(pick(1...6))
            html += "</div>"
        case 5:
            html += "<p style='overflow:hidden;text-wrap:\(chance(50) ? "balance" : "pretty")'>"
            addInlines(depth: depth)
            html += "</p>"
        case 6:
            html += "<p style='text-wrap:\(chance(50) ? "balance" : "pretty")'>"
            addWords(pick(1...60))
            html += "</p>"
        case 7:
            html += "<pre>"
            addWords(pick(1...9))
            html += "\n"
            addWords(pick(1...9))
            html += "</pre>"
        default:
            html += "<p\(chance(10) ? " dir=rtl" : "")>"
            addInlines(depth: depth)
            html += "</p>"
        }
    }
}

@Suite struct LineLimitTests {
    private func context() throws -> LayoutContext {
        var configuration = FontOptions()
        configuration.usesSystemFonts = false
        return LayoutContext(fonts: try FontContext(configuration: configuration))
    }

    /// The layout without the ranges of lines, the last of which has the omitted text.
    private func shown(_ layout: LayoutTree, of text: BoxTree) -> String {
        String(decoding: StageJSON.layout(layout, of: text), as: UTF8.self)
            .replacing(/\{"text":\{"start":\d+,"end":\d+\}/, with: "{")
    }

    /// Laying out only the beginning of a document gives the same result as laying out all of it.
    @Test func theRestOfADocumentChangesNothing() throws {
        var context = try context()
        var truncated = 0
        for seed in 0..<400 as Range<UInt64> {
            let sample = SampleText(seed: seed)
            var document = MarkupParser().parse(sample.html)
            let text = document.styledContents()
            var options = LayoutOptions()
            options.width = Float(120 + seed % 7 * 60)
            options.maxLines = Int(seed % 9)
            if seed % 4 == 0 { options.maxHeight = Float(40 + seed % 11 * 20) }
            options.truncateMode = [.tail, .word, .head, .middle, .clip][Int(seed % 5)]
            options.prefixLength = .max
            let whole = layout(text, options: options, context: &context)
            options.prefixLength = 8
            let prefix = layout(text, options: options, context: &context)
            let isSame = shown(whole, of: text) == shown(prefix, of: text)
            #expect(isSame, "seed \(seed): \(sample.html)")
            #expect(whole.isTruncated == prefix.isTruncated)
            #expect(whole.truncationOffset == prefix.truncationOffset)
            #expect(whole.truncation == prefix.truncation)
            #expect(whole.tail == prefix.tail)
            truncated += whole.isTruncated ? 1 : 0
        }
        #expect(truncated > 100)
    }

    /// The lines before the last are those of the whole document, and the number of lines is within the limit.
    @Test func linesBeforeTheLastAreUnchanged() throws {
        var context = try context()
        for seed in 0..<300 as Range<UInt64> {
            let sample = SampleText(seed: seed &+ 1000, isOneFlow: true)
            var document = MarkupParser().parse(sample.html)
            let text = document.styledContents()
            var options = LayoutOptions()
            options.width = Float(150 + seed % 5 * 70)
            let whole = layout(text, options: options, context: &context)
            let count = whole.flowLines(of: 0, from: 0).count
            let limit = 1 + Int(seed % 6)
            options.maxLines = limit
            let limited = layout(text, options: options, context: &context)
            #expect(limited.isTruncated == (count > limit), "seed \(seed): \(sample.html)")
            func places(_ tree: LayoutTree, _ count: Int) -> [String] {
                tree.flowLines(of: 0, from: 0).prefix(count).map(\.line).map {
                    "\(tree.lines[$0].rect) \(tree.lines[$0].text)"
                }
            }
            #expect(limited.flowLines(of: 0, from: 0).count == min(count, limit))
            #expect(places(limited, limit - 1) == places(whole, limit - 1), "seed \(seed): \(sample.html)")
            if count > limit, let tail = limited.tail {
                #expect(tail.x >= 0 && tail.maxX <= limited.size.width, "seed \(seed): \(sample.html)")
            }
        }
    }

    /// A truncated document contains the text that layout kept, with the tail.
    @Test func documentsAreCutWhereLayoutCutsThem() throws {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        let renderer = Renderer(fonts: fonts)
        var truncated = 0
        for seed in 0..<300 as Range<UInt64> {
            let mode = ["tail", "word", "head", "middle", "clip"][Int(seed % 5)]
            let sample = SampleText(seed: seed &+ 5000)
            var document = MarkupParser().parse("<style>.default{truncate-mode:\(mode)}</style>" + sample.html)
            var options = RenderOptions()
            options.width = .pixels(Float(120 + seed % 7 * 60))
            options.maximumLines = 1 + Int(seed % 9)
            let layout = try renderer.layoutTree(&document, options)
            let text = document.styledContents()
            guard let truncation = layout.truncation else { continue }
            truncated += 1
            let end = text.boxes[truncation.box].text.upperBound
            let tail = truncation.tail == .none ? "" : "…"
            let rest = truncation.resume.map { String(decoding: text.text[$0..<max(end, $0)], as: UTF8.self) }
            let expected =
                String(decoding: text.text[..<truncation.start], as: UTF8.self) + tail + (rest ?? "")
            var shown = try renderer.truncated(document, options)
            let actual = String(decoding: shown.styledContents().text, as: UTF8.self)
            // A line feed may separate the paragraph's last box from the contents after it.
            func withoutLineEnd(_ text: String) -> Substring { text.hasSuffix("\n") ? text.dropLast() : text[...] }
            let isSame = withoutLineEnd(actual) == withoutLineEnd(expected)
            #expect(
                isSame, "seed \(seed) \(mode): \(actual.debugDescription) \(expected.debugDescription) \(sample.html)")
        }
        #expect(truncated > 100)
    }
}
