// Containers with columns laid out (CSS Multi-column 1).

import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextLayout

@Suite struct ColumnLayoutTests {
    private typealias Style = (inout BoxStyle) -> Void

    /// A container 200 wide of two columns 20 apart, with empty blocks; returns the tree.
    private func lay(_ columns: Style, _ blocks: [Style]) throws -> LayoutTree {
        var builder = DocumentBuilder()
        let container = builder.style { _, _, box in
            box.width = .length(LengthPercentage(px: 200))
            box.columns.count = 2
            box.columnGap = LengthPercentage(px: 20)
            columns(&box)
        }
        let styles = blocks.map { block in builder.style { _, _, box in block(&box) } }
        builder.block(style: container) { builder in
            for style in styles { builder.block(style: style) { _ in } }
        }
        return try layOut(builder.finish(), width: 400)
    }

    private func lay(_ blocks: [Style]) throws -> LayoutTree { try lay({ _ in }, blocks) }

    private func high(_ height: Float, _ configure: @escaping Style = { _ in }) -> Style {
        {
            $0.height = .length(LengthPercentage(px: height))
            configure(&$0)
        }
    }

    private func blocks(_ tree: LayoutTree) -> [Rect] { Array(places(tree).dropFirst(2)) }

    @Test func blocksGoOnInTheNextColumn() throws {
        let tree = try lay([high(30) { $0.columns.breakInside = .avoid }, high(30), high(20)])
        #expect(
            blocks(tree) == [
                Rect(x: 0, y: 0, width: 90, height: 30), Rect(x: 0, y: 0, width: 200, height: 40),
                Rect(x: 110, y: 20, width: 90, height: 20),
            ])
        let broken = try #require(tree.boxes.first { !$0.parts.isEmpty })
        #expect(
            tree.parts(of: broken).map(\.rect.rect) == [
                Rect(x: 0, y: 30, width: 90, height: 10), Rect(x: 110, y: 0, width: 90, height: 20),
            ])
    }

    @Test func columnsAreFilledInOrderUpToAHeight() throws {
        let tree = try lay(
            {
                $0.height = .length(LengthPercentage(px: 50))
                $0.columns.fillsInOrder = true
            }, [high(40), high(10), high(30)])
        #expect(blocks(tree).map(\.x) == [0, 0, 110])
        #expect(blocks(tree).map(\.y) == [0, 40, 0])
    }

    @Test func breaksMayBeForced() throws {
        let tree = try lay([high(10), high(10) { $0.columns.breakBefore = .column }, high(30)])
        #expect(blocks(tree).map(\.x) == [0, 110, 110])
        #expect(places(tree)[1].height == 40)
    }

    @Test func aSpannerPartsTheRows() throws {
        let tree = try lay([high(20), high(20), high(15) { $0.columns.spansAll = true }, high(10), high(10)])
        #expect(
            blocks(tree) == [
                Rect(x: 0, y: 0, width: 90, height: 20), Rect(x: 110, y: 0, width: 90, height: 20),
                Rect(x: 0, y: 20, width: 200, height: 15), Rect(x: 0, y: 35, width: 90, height: 10),
                Rect(x: 110, y: 35, width: 90, height: 10),
            ])
    }

    @Test func rulesStandInTheGaps() throws {
        let tree = try lay(
            {
                $0.columns.ruleStyle = .solid
                $0.columns.ruleWidth = 4
            }, [high(20), high(20)])
        #expect(tree.collapsedBorders.map(\.rect.rect) == [Rect(x: 98, y: 0, width: 4, height: 20)])
        #expect(
            try lay({ $0.columns.ruleStyle = .solid }, [high(20) { $0.columns.breakInside = .avoid }]).collapsedBorders
                .isEmpty)
    }
}
