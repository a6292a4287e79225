import Testing

@testable import FancyTextBasics
@testable import FancyTextTypography

@Suite("Unicode test files", .enabled(if: UnicodeData.isInstalled, "install Debian's unicode-data to run these"))
struct UnicodeConformanceTests {
    @Test func graphemeBreakTest() {
        var wrong: [Substring] = []
        let lines = UnicodeData.lines("auxiliary/GraphemeBreakTest.txt")
        for line in lines {
            let (text, breaks) = UnicodeData.breakCase(line)
            var found = [0]
            text.withUnsafeBufferPointer { buffer in
                while let last = found.last, last < buffer.count {
                    found.append(GraphemeBreaker.next(buffer, last, end: buffer.count))
                }
            }
            if found != breaks { wrong.append(line) }
        }
        #expect(lines.count > 500)
        #expect(wrong.count == 0, "\(wrong.count) of \(lines.count): \(wrong.prefix(5))")
    }

    @Test func everyGraphemeBoundaryIsFoundFromAnywhere() {
        for line in UnicodeData.lines("auxiliary/GraphemeBreakTest.txt") {
            let (text, breaks) = UnicodeData.breakCase(line)
            text.withUnsafeBufferPointer { buffer in
                for index in 0...text.count {
                    #expect(
                        GraphemeBreaker.isBoundary(buffer, index, start: 0, end: text.count) == breaks.contains(index),
                        "\(line) at \(index)")
                }
            }
        }
    }

    @Test func lineBreakTest() {
        var wrong: [Substring] = []
        let lines = UnicodeData.lines("auxiliary/LineBreakTest.txt")
        let finder = LineBreakFinder()
        var options = LineBreakOptions()
        options.rules = .unicode
        var result: [UInt8] = []
        for line in lines {
            let (text, breaks) = UnicodeData.breakCase(line)
            text.withUnsafeBufferPointer {
                finder.find(
                    $0, 0..<text.count, spans: [LineBreakSpan(range: 0..<text.count, options: options)], into: &result)
            }
            // The end of the text is always a break there (LB3).
            let found = result.indices.dropLast().filter { result[$0] != 0 } + [text.count]
            if found != breaks { wrong.append(line) }
        }
        #expect(lines.count > 7000)
        #expect(wrong.count == 0, "\(wrong.count) of \(lines.count): \(wrong.prefix(5))")
    }

    @Test func bidiTest() {
        let samples: [Substring: UInt32] = [
            "L": 0x61, "R": 0x5D0, "EN": 0x30, "ES": 0x2D, "ET": 0x23, "AN": 0x661, "CS": 0x2C, "B": 0x2029, "S": 0x09,
            "WS": 0x20,
            "ON": 0x21, "AL": 0x627, "NSM": 0x300, "BN": 0xAD, "LRE": 0x202A, "LRO": 0x202D, "RLE": 0x202B,
            "RLO": 0x202E,
            "PDF": 0x202C, "LRI": 0x2066, "RLI": 0x2067, "FSI": 0x2068, "PDI": 0x2069,
        ]
        var levels: [UInt8?] = []
        var order: [Int] = []
        var cases = 0
        var wrong: [Substring] = []
        for line in UnicodeData.lines("BidiTest.txt") {
            if line.hasPrefix("@Levels:") {
                levels = line.dropFirst(8).split(whereSeparator: \.isWhitespace).map { UInt8($0) }
                continue
            }
            if line.hasPrefix("@Reorder:") {
                order = line.dropFirst(9).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
                continue
            }
            let fields = line.split(separator: ";")
            guard fields.count == 2, let mask = Int(fields[1].filter { !$0.isWhitespace }) else { continue }
            let scalars = fields[0].split(whereSeparator: \.isWhitespace).compactMap { samples[$0] }
            for (bit, base) in [BidiBase.auto, .ltr, .rtl].enumerated() where mask >> bit & 1 == 1 {
                cases += 1
                if !holds(scalars, base, levels, order) { wrong.append(line) }
            }
        }
        #expect(cases > 700_000)
        #expect(wrong.count == 0, "\(wrong.count) of \(cases): \(wrong.prefix(5))")
    }

    @Test func bidiCharacterTest() {
        var cases = 0
        var wrong: [Substring] = []
        for line in UnicodeData.lines("BidiCharacterTest.txt") {
            let fields = line.split(separator: ";", omittingEmptySubsequences: false)
            guard fields.count >= 5 else { continue }
            let scalars = fields[0].split(separator: " ").compactMap { UInt32($0, radix: 16) }
            let base: BidiBase = fields[1] == "0" ? .ltr : fields[1] == "1" ? .rtl : .auto
            let levels = fields[3].split(separator: " ").map { UInt8($0) }
            let order = fields[4].split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            cases += 1
            if !holds(scalars, base, levels, order) { wrong.append(line) }
        }
        #expect(cases > 90_000)
        // ICU differs where isolates or brackets are next to embeddings and overrides of one level.
        #expect(wrong.count <= 31, "\(wrong.count) of \(cases): \(wrong.prefix(5))")
    }

    /// Returns whether the result has these levels (nil for removed characters) and this visual order. If all levels are of one
    /// direction, ICU returns any level of it.
    private func holds(_ scalars: [UInt32], _ base: BidiBase, _ levels: [UInt8?], _ order: [Int]) -> Bool {
        var text: [UInt8] = []
        var starts: [Int] = []
        for value in scalars {
            starts.append(text.count)
            text += UnicodeData.utf8(value)
        }
        let paragraph = text.withUnsafeBufferPointer { BidiParagraph.resolve($0, 0..<text.count, base: base) }
        let isOneWay = Set(levels.compactMap { $0.map { $0 & 1 } }).count == 1
        var found: [UInt8] = []
        var kept: [Int] = []
        for (position, start) in starts.enumerated() {
            guard let run = paragraph.runs.first(where: { $0.range.contains(start) }) else { return false }
            guard position < levels.count else { return false }
            guard let level = levels[position] else { continue }
            if isOneWay ? run.level & 1 != level & 1 : run.level != level { return false }
            found.append(run.level)
            kept.append(position)
        }
        var visual: [Int] = []
        BidiParagraph.order(found, into: &visual)
        return visual.map { kept[$0] } == order
    }
}
