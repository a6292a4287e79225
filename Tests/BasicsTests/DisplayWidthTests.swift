// Cells of a text, counted at once where that is simple, are those of its clusters.

import Testing

@testable import Basics

@Suite struct DisplayWidthTests {
    @Test func textsAreAsWideAsTheirClusters() {
        let pieces = [
            "a", "plain text", "\u{1F}", "\u{7F}", "é", "e\u{301}", "\u{301}", "\u{F000}", "\u{E000}\u{301}",
            "\u{F8FF}",
            "漢", "1\u{FE0F}\u{20E3}", "\u{AD}", "👩\u{200D}🚀", "🇩🇪", "\u{85}", "ß", "\u{2026}",
        ]
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    let text = Array((first + second + third).utf8)
                    text.withUnsafeBufferPointer { bytes in
                        var sum = 0
                        var index = 0
                        while index < bytes.count {
                            let end = GraphemeBreaker.next(bytes, index, end: bytes.count)
                            sum += DisplayWidth.cells(bytes, index..<end)
                            index = end
                        }
                        #expect(DisplayWidth.cells(bytes) == sum, "\(text)")
                    }
                }
            }
        }
    }
}
