// Lines of a grid by number, name, area and span (CSS Grid 2 §8.3).

import FancyTextCSS
import Testing

@testable import FancyTextLayout

@Suite struct GridLinesTests {
    /// Four tracks: a | | a | b | end.
    private let lines = GridLines(
        lineNames: [["a"], [], ["a", "main-start"], ["b"], ["end", "main-end"]],
        areas: [(name: "side", tracks: 1..<3)], areaTracks: 3)

    private func check(
        _ start: GridLine, _ end: GridLine, _ expected: Range<Int>, _ place: SourceLocation = #_sourceLocation
    ) {
        #expect(lines.position(start: start, end: end) == .lines(expected), sourceLocation: place)
    }

    @Test func numbersCountFromBothEnds() {
        check(.line(1, name: nil), .line(3, name: nil), 0..<2)
        check(.line(-2, name: nil), .line(-1, name: nil), 3..<4)
        check(.line(6, name: nil), .auto, 5..<6)
        check(.line(-7, name: nil), .auto, -2 ..< -1)
    }

    @Test func linesInTheWrongOrderAreSwapped() {
        check(.line(4, name: nil), .line(2, name: nil), 1..<3)
        check(.line(2, name: nil), .line(2, name: nil), 1..<2)
    }

    @Test func namesCountTheirOwnLines() {
        check(.line(2, name: "a"), .area("b"), 2..<3)
        check(.line(-2, name: "a"), .auto, 0..<1)
        // After the end of the grid every line has every name.
        check(.line(4, name: "a"), .auto, 6..<7)
        check(.area("none"), .auto, 5..<6)
    }

    @Test func areasHaveNamedLines() {
        check(.area("side"), .area("side"), 1..<3)
        check(.area("main"), .area("main"), 2..<4)
        check(.area("side-end"), .auto, 3..<4)
    }

    @Test func spansCountFromTheOtherEdge() {
        check(.line(2, name: nil), .span(2, name: nil), 1..<3)
        check(.span(2, name: nil), .line(2, name: nil), -1..<1)
        check(.line(1, name: nil), .span(1, name: "a"), 0..<2)
        check(.span(2, name: "a"), .area("b"), 0..<3)
        check(.line(2, name: nil), .span(2, name: "b"), 1..<5)
    }

    @Test func spansAloneArePlacedAutomatically() {
        #expect(lines.position(start: .span(3, name: nil), end: .span(2, name: nil)) == .automatic(span: 3))
        #expect(lines.position(start: .auto, end: .span(2, name: nil)) == .automatic(span: 2))
        #expect(lines.position(start: .auto, end: .span(2, name: "a")) == .automatic(span: 1))
    }

    @Test func positionedItemsOnlyHaveLinesThatAreThere() {
        let both = lines.edges(start: .line(3, name: nil), end: .line(2, name: nil), in: 0..<4)
        #expect(both.start == 1 && both.end == 2)
        let beyond = lines.edges(start: .line(7, name: nil), end: .area("b"), in: 0..<4)
        #expect(beyond.start == nil && beyond.end == 3)
        let spans = lines.edges(start: .span(2, name: nil), end: .auto, in: 0..<4)
        #expect(spans.start == nil && spans.end == nil)
    }
}
