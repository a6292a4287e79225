// The positions of page breaks.

import FancyTextOutputs
import Testing

@Suite struct PageBreakTests {
    /// Lines of one height, one after the other.
    private func lines(_ count: Int, height: Float, from top: Float = 0) -> [Range<Float>] {
        (0..<count).map { (index: Int) -> Range<Float> in
            let start = top + Float(index) * height
            return start..<start + height
        }
    }

    @Test func pagesEndBetweenLines() {
        let lines = lines(40, height: 20, from: 5)
        #expect(PageBreaks.places(length: 810, page: 210, solid: lines) == [0, 205, 405, 605, 810])
    }

    @Test func whatIsLongerThanAPageIsCut() {
        #expect(PageBreaks.places(length: 300, page: 100, solid: [50..<250]) == [0, 100, 200, 300])
    }

    @Test func columnsAreCutWhereNoneOfThemHasALine() {
        // Lines of 20 beside lines of 30, in one row.
        let left = lines(10, height: 20)
        let right = lines(7, height: 30)
        #expect(PageBreaks.places(length: 210, page: 100, solid: left + right) == [0, 60, 120, 210])
        #expect(PageBreaks.places(length: 210, page: 100, solid: left + [70..<150]) == [0, 60, 160, 210])
    }

    @Test func aShortDocumentIsOnePage() {
        #expect(PageBreaks.places(length: 10, page: 100, solid: []) == [0, 10])
    }
}
