// The width of a text is the sum of its clusters' widths, for any number of bytes processed at a time.

import FancyTextTestSupport
import Testing

@testable import FancyTextBasics

@Suite struct DisplayWidthTests {
    private static func clusters(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        var sum = 0
        var index = 0
        while index < text.count {
            let end = GraphemeBreaker.next(text, index, end: text.count)
            sum += DisplayWidth.cells(text, index..<end)
            index = end
        }
        return sum
    }

    @Test func aTextIsAsWideAsItsClusters() {
        var generator = SeededGenerator(state: 5)
        let pieces = [
            "a", "12345678", "word ", " ", "\u{301}", "é", "\u{A0}", "\u{AD}", "©", "©\u{FE0F}", "1\u{FE0F}\u{20E3}",
            "中",
            "\u{200D}", "👨‍👩‍👧", "🇩🇪", "\u{7F}", "\u{1F}", "\t", "\u{85}", "…", "ʰ", "한", "~", "\u{F000}", "\u{E000}",
            "\u{F8FF}",
        ]
        for round in 0..<20_000 {
            var text = ""
            for _ in 0..<(round % 12) { text += pieces.randomElement(using: &generator) ?? "" }
            Array(text.utf8).withUnsafeBufferPointer { bytes in
                let (together, apart) = (DisplayWidth.cells(bytes), Self.clusters(bytes))
                if together != apart { Issue.record("\(text.debugDescription): \(together), not \(apart)") }
            }
        }
    }
}
