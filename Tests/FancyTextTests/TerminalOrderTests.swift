// Random documents: words on a terminal have the same arrangement as in the picture.

import Testing

@testable import FancyText
@testable import FancyTextLayout
@testable import FancyTextOutputs

/// A document of blocks, lists, tables, flex rows and floats, all of whose words differ, and constraints on the positions of its
/// words.
private struct RandomDocument {
    var html = ""
    var words: [String] = []
    /// Pairs of words, the first left of the second on one line.
    var sideBySide: [(String, String)] = []
    /// Pairs of words, the first in a column left of the second's.
    var inColumns: [(String, String)] = []
    /// Pairs of words, the first above the second.
    var stacked: [(String, String)] = []
    private var random: SystemRandom

    /// xorshift64*, so that every run has the same documents.
    struct SystemRandom: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state ^= state >> 12
            state ^= state << 25
            state ^= state >> 27
            return state &* 2_685_821_657_736_338_717
        }
    }

    init(seed: UInt64) {
        random = SystemRandom(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
        var previous: String?
        for _ in 0..<Int.random(in: 2...4, using: &random) {
            let first = block(depth: 0)
            if let previous { stacked.append((previous, first)) }
            previous = first
        }
    }

    private mutating func word() -> String {
        words.append("w\(words.count)x")
        return words[words.count - 1]
    }

    private mutating func line() -> String {
        let first = word()
        var last = first
        html += first
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            let next = word()
            sideBySide.append((last, next))
            html += Bool.random(using: &random) ? " <b>\(next)</b>" : " \(next)"
            last = next
        }
        return first
    }

    /// Appends a block; returns its first word.
    private mutating func block(depth: Int) -> String {
        switch depth > 2 ? 0 : Int.random(in: 0...5, using: &random) {
        case 1: return list(depth: depth)
        case 2: return table(depth: depth)
        case 3: return flex(depth: depth)
        case 4:
            html += "<div style='border:1px solid;padding:8px'>"
            defer { html += "</div>" }
            return block(depth: depth + 1)
        case 5:
            html += "<div style='overflow:hidden'><div style='float:left;margin-right:8px'>"
            let float = line()
            html += "</div>"
            let beside = line()
            html += "</div>"
            sideBySide.append((float, beside))
            return float
        default:
            html += "<p>"
            return line()
        }
    }

    private mutating func list(depth: Int) -> String {
        html += Bool.random(using: &random) ? "<ul>" : "<ol>"
        var first: String?
        var previous: String?
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            html += "<li>"
            let item = line()
            if let previous { stacked.append((previous, item)) }
            previous = item
            first = first ?? item
            if Int.random(in: 0...3, using: &random) == 0 {
                let inner = block(depth: depth + 1)
                stacked.append((item, inner))
                previous = inner
            }
        }
        html += "</ul></ol>"
        return first ?? ""
    }

    private mutating func table(depth: Int) -> String {
        let isRightToLeft = Bool.random(using: &random)
        html += "<table\(isRightToLeft ? " dir=rtl" : "")\(Bool.random(using: &random) ? " border=1" : "")>"
        var first: String?
        var above: String?
        let columns = Int.random(in: 1...3, using: &random)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            html += "<tr>"
            var before: String?
            for column in 0..<columns {
                html += "<td dir=ltr valign=top>"
                let isNested = depth < 1 && Int.random(in: 0...4, using: &random) == 0
                let cell = isNested ? block(depth: 2) : line()
                first = first ?? cell
                if let before { inColumns.append(isRightToLeft ? (cell, before) : (before, cell)) }
                before = cell
                if column == 0 {
                    if let above { stacked.append((above, cell)) }
                    above = cell
                }
            }
        }
        html += "</table>"
        return first ?? ""
    }

    private mutating func flex(depth: Int) -> String {
        let isReversed = Bool.random(using: &random)
        html += "<div style='display:flex;column-gap:16px;flex-direction:\(isReversed ? "row-reverse" : "row")'>"
        var first: String?
        var before: String?
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            html += "<div>"
            let item = line()
            html += "</div>"
            first = first ?? item
            if let before { sideBySide.append(isReversed ? (item, before) : (before, item)) }
            before = item
        }
        html += "</div>"
        return first ?? ""
    }
}

@Suite struct TerminalOrderTests {
    private static let parser = MarkupParserBuilder.default().build()

    private func text(_ html: String, width: Int) -> String {
        var options = ANSIOptions()
        options.width = width
        options.colors = .plain
        var document = Self.parser.parse(html)
        return String(decoding: Renderer().ansi(&document, RenderOptions(), options), as: UTF8.self)
    }

    private func screen(_ html: String, width: Int) -> [String: (row: Int, column: Int)] {
        let text = text(html, width: width)
        var places: [String: (row: Int, column: Int)] = [:]
        for (row, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var word = ""
            for (column, character) in (line + " ").enumerated() {
                if character.isLetter || character.isNumber {
                    word.append(character)
                } else if !word.isEmpty {
                    if word.hasPrefix("w") { places[word] = (row, column - word.count) }
                    word = ""
                }
            }
        }
        return places
    }

    @Test func wordsStandAsInThePicture() throws {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        let renderer = Renderer(fonts: fonts)
        for seed in 1...200 {
            let random = RandomDocument(seed: UInt64(seed))
            let cells = screen(random.html, width: 200)
            var document = Self.parser.parse(random.html)
            var options = RenderOptions()
            options.width = .pixels(1600)
            let tree = try renderer.layoutTree(&document, options)
            let text = document.styledContents()
            var pixels: [String: (x: Float, y: Float)] = [:]
            for line in tree.lines {
                for fragment in tree.inlines[line.fragments] where fragment.kind == .text {
                    var at = fragment.text.lowerBound
                    for part in String(decoding: text.text[fragment.text], as: UTF8.self).split(
                        separator: " ", omittingEmptySubsequences: false)
                    {
                        if !part.isEmpty {
                            let share = Float(at - fragment.text.lowerBound) / Float(max(1, fragment.text.count))
                            pixels[String(part)] = (
                                fragment.rect.x.float + share * fragment.rect.width.float, fragment.baseline.float
                            )
                        }
                        at += part.utf8.count + 1
                    }
                }
            }
            for word in random.words {
                #expect(cells[word] != nil && pixels[word] != nil, "\(word) of \(random.html)")
            }
            for (a, b) in random.sideBySide {
                guard let c = cells[a], let d = cells[b], let p = pixels[a], let q = pixels[b] else { continue }
                #expect(c.row == d.row && c.column < d.column, "\(a) \(b) of seed \(seed): \(random.html)")
                #expect(p.x < q.x, "\(a) \(b) of seed \(seed): \(random.html)")
            }
            for (a, b) in random.inColumns {
                guard let c = cells[a], let d = cells[b], let p = pixels[a], let q = pixels[b] else { continue }
                #expect(c.column < d.column && p.x < q.x, "\(a) \(b) of seed \(seed): \(random.html)")
            }
            for (a, b) in random.stacked {
                guard let c = cells[a], let d = cells[b], let p = pixels[a], let q = pixels[b] else { continue }
                #expect(c.row < d.row, "\(a) \(b) of seed \(seed): \(random.html)")
                #expect(p.y < q.y, "\(a) \(b) of seed \(seed): \(random.html)")
            }
        }
    }

    /// Words may be broken, but every letter is on the screen.
    @Test(arguments: [12, 24, 40])
    func nothingIsLostOnNarrowScreens(_ width: Int) {
        for seed in 1...200 {
            let random = RandomDocument(seed: UInt64(seed))
            let shown = text(random.html, width: width)
            #expect(shown.count { $0 == "w" } == random.words.count, "seed \(seed): \(random.html)")
            #expect(shown.count { $0 == "x" } == random.words.count, "seed \(seed): \(random.html)")
        }
    }
}
