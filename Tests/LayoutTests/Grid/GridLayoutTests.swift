// Grid containers laid out (CSS Grid 2): the positions of items in their areas.

import FancyTextTestSupport
import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextLayout

@Suite struct GridLayoutTests {
    private func px(_ value: Float) -> LengthPercentage { LengthPercentage(px: value) }

    private func tracks(_ sizes: [TrackSize]) -> TrackList {
        var list = TrackList()
        list.groups = [
            TrackList.Group(
                repetition: .times(1), tracks: sizes, lineNames: Array(repeating: [], count: sizes.count + 1))
        ]
        return list
    }

    /// A grid 300 wide of items with the given styles; returns the items' places.
    private func lay(
        _ grid: (inout BoxStyle) -> Void, direction: TextDirection = .ltr, _ items: [(inout BoxStyle) -> Void]
    ) throws -> [Rect] {
        var builder = DocumentBuilder()
        let container = builder.style(display: .grid) { _, text, box in
            text.direction = direction
            box.width = .length(LengthPercentage(px: 300))
            grid(&box)
        }
        let styles = items.map { item in builder.style { _, _, box in item(&box) } }
        builder.block(.grid, style: container) { builder in
            for style in styles { builder.block(style: style) { _ in } }
        }
        return Array(places(try layOut(builder.finish(), width: 400)).dropFirst())
    }

    private func sized(_ width: Float, _ height: Float) -> (inout BoxStyle) -> Void {
        {
            $0.width = .length(LengthPercentage(px: width))
            $0.height = .length(LengthPercentage(px: height))
        }
    }

    @Test func itemsStretchToTheirAreas() throws {
        let found = try lay(
            {
                $0.grid.columns = tracks([TrackSize(.length(px(100))), TrackSize(.auto, .flex(1))])
                $0.grid.rows = tracks([TrackSize(.length(px(40)))])
                $0.columnGap = px(10)
            }, [{ _ in }, { $0.margin = Sides(px(5)) }])
        #expect(found == [Rect(x: 0, y: 0, width: 100, height: 40), Rect(x: 115, y: 5, width: 180, height: 30)])
    }

    @Test func itemsAlignInTheirAreas() throws {
        let found = try lay(
            {
                $0.grid.rows = tracks([TrackSize(.length(px(100)))])
                $0.justifyItems = .center
                $0.alignItems = .end
            }, [sized(50, 20)])
        #expect(found == [Rect(x: 125, y: 80, width: 50, height: 20)])
    }

    @Test func columnsRunWithTheDirection() throws {
        let found = try lay(
            { $0.grid.columns = tracks([TrackSize(.length(px(100))), TrackSize(.length(px(50)))]) }, direction: .rtl,
            [sized(10, 10), sized(10, 10)])
        #expect(found.map(\.x) == [290, 190])
    }

    @Test func rowsAreAsHighAsTheirItems() throws {
        let found = try lay({ $0.rowGap = px(5) }, [sized(10, 30), { _ in }, sized(10, 20)])
        #expect(found.map(\.y) == [0, 35, 40])
        #expect(found[1].width == 300)
    }

    @Test func perCentsOfRowsAreOfTheHeightThatTheyMake() throws {
        let half = TrackSize(.length(LengthPercentage(fraction: 0.5)))
        let found = try lay({ $0.grid.rows = tracks([half, half]) }, [sized(10, 60), { _ in }])
        #expect(found.map(\.y) == [0, 30])
        #expect(found[1].height == 30)
    }

    @Test func aRatioTurnsAHeightIntoAWidth() throws {
        let found = try lay(
            { $0.grid.rows = tracks([TrackSize(.length(px(100)))]) },
            [
                {
                    $0.aspectRatio = 0.5
                    $0.justifySelf = .start
                }
            ])
        #expect(found == [Rect(x: 0, y: 0, width: 50, height: 100)])
    }

    @Test func anOrderMovesItems() throws {
        let found = try lay(
            { _ in },
            [
                {
                    $0.order = 1
                    $0.height = .length(LengthPercentage(px: 10))
                }, sized(10, 20),
            ])
        // Fragments are in the order of the items.
        #expect(found.map(\.height) == [20, 10])
        #expect(found.map(\.y) == [0, 20])
    }

    /// A million cells, and items that cover them all: the work depends on tracks and items, not on cells.
    @Test func manyTracksAreNotManyCells() throws {
        var list = tracks([TrackSize(.length(px(1)))])
        list.groups[0].repetition = .times(1000)
        let time = try processorTime {
            let found = try lay(
                { ($0.grid.columns, $0.grid.rows) = (list, list) },
                Array(
                    repeating: {
                        ($0.gridItem.columnStart, $0.gridItem.columnEnd) = (.line(1, name: nil), .line(-1, name: nil))
                        ($0.gridItem.rowStart, $0.gridItem.rowEnd) = (.line(1, name: nil), .line(-1, name: nil))
                    }, count: 200))
            #expect(Set(found) == [Rect(x: 0, y: 0, width: 1000, height: 1000)])
        }
        #expect(time < .seconds(20))
    }
}
