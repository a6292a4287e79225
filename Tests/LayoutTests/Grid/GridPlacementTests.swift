// Placement of items (CSS Grid 2 §8.5), as pictures: a letter for each item, a dot for each free cell.

import FancyTextTestSupport
import Testing

@testable import FancyTextLayout

@Suite struct GridPlacementTests {
    /// Items by their requested columns and rows, negative for a span; returns the rows of the grid.
    private func picture(
        _ items: [(column: ClosedRange<Int>?, row: ClosedRange<Int>?, width: Int, height: Int)], columns: Int,
        rows: Int = 0,
        flowsInColumns: Bool = false, isDense: Bool = false
    ) -> [String] {
        func position(_ lines: ClosedRange<Int>?, _ span: Int) -> GridPosition {
            lines.map { .lines($0.lowerBound..<$0.upperBound + 1) } ?? .automatic(span: span)
        }
        let placement = GridPlacement(
            items.map { .init(column: position($0.column, $0.width), row: position($0.row, $0.height)) },
            explicitColumns: columns, explicitRows: rows, flowsInColumns: flowsInColumns, isDense: isDense)
        var cells = Array(
            repeating: Array(repeating: Character("."), count: placement.columns.count), count: placement.rows.count)
        for (index, area) in placement.areas.enumerated() {
            for row in area.rows {
                for column in area.columns {
                    cells[row - placement.rows.lowerBound][column - placement.columns.lowerBound] = Character(
                        Unicode.Scalar(UInt8(ascii: "a") + UInt8(index)))
                }
            }
        }
        return cells.map { String($0) }
    }

    private let one: (column: ClosedRange<Int>?, row: ClosedRange<Int>?, width: Int, height: Int) = (nil, nil, 1, 1)

    @Test func itemsFillRows() {
        #expect(picture([one, one, one, one], columns: 3) == ["abc", "d.."])
    }

    @Test func itemsFillColumns() {
        #expect(picture([one, one, one], columns: 0, rows: 2, flowsInColumns: true) == ["ac", "b."])
    }

    @Test func sparsePlacementLeavesHoles() {
        #expect(picture([(nil, nil, 2, 1), (nil, nil, 2, 1), one], columns: 3) == ["aa.", "bbc"])
    }

    @Test func densePlacementFillsHoles() {
        #expect(picture([(nil, nil, 2, 1), (nil, nil, 2, 1), one, one], columns: 3, isDense: true) == ["aac", "bbd"])
    }

    @Test func givenPlacesComeFirst() {
        #expect(picture([one, one, (1...1, 0...0, 1, 1)], columns: 3) == ["acb"])
    }

    @Test func itemsOfAGivenRowFollowEachOther() {
        #expect(picture([(nil, 1...1, 1, 1), one, (nil, 1...1, 2, 1)], columns: 3) == ["b..", "acc"])
    }

    @Test func itemsOfAGivenColumnGoOnBelow() {
        #expect(picture([(2...2, nil, 1, 1), (0...0, nil, 1, 1), one], columns: 3) == ["..a", "bc."])
        #expect(picture([(2...2, nil, 1, 1), (0...0, nil, 1, 1), one], columns: 3, isDense: true) == ["bca"])
    }

    @Test func tallItemsStandInTheWay() {
        #expect(
            picture([(1...1, 0...2, 1, 3), (nil, nil, 2, 1), one, one], columns: 3) == [
                ".a.", ".a.", ".a.", "bbc", "d..",
            ])
    }

    @Test func theImplicitGridGrowsInAllDirections() {
        #expect(
            picture([(-1 ... -1, -1 ... -1, 1, 1), (2...2, 1...1, 1, 1)], columns: 2, rows: 1) == [
                "a...", "....", "...b",
            ])
        #expect(picture([(nil, nil, 3, 1)], columns: 2) == ["aaa"])
    }

    @Test func placesAreFoundInLinearTime() {
        let time = processorTime {
            for isDense in [false, true] {
                let items = (0..<20_000).map { index in
                    GridPlacement.Item(
                        column: index % 7 == 0
                            ? .lines(index % 100..<index % 100 + 3) : .automatic(span: index % 3 + 1),
                        row: .automatic(span: index % 2 + 1))
                }
                let placement = GridPlacement(
                    items, explicitColumns: 1000, explicitRows: 1000, flowsInColumns: false, isDense: isDense)
                #expect(placement.areas.count == items.count)
            }
        }
        #expect(time < .seconds(20))
    }
}
