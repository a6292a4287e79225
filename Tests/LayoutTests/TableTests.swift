// Widths of table columns (CSS Tables 3 §3.9).

import Testing

@testable import FancyTextCSS

@Suite struct TableTests {
    /// A table of one row with cells of fixed content widths; returns the cells' widths.
    private func cells(
        _ contents: [(content: Float, width: SizeValue)], table width: SizeValue = .auto, fixed: Bool = false,
        shrinks: Bool = false,
        available: Float = 500
    ) throws -> [Float] {
        var builder = DocumentBuilder()
        let table = builder.style(display: .table) { _, _, box in
            box.width = width
            box.fixedTableLayout = fixed
            box.shrinksTable = shrinks
        }
        let group = builder.style(display: .tableRowGroup)
        let row = builder.style(display: .tableRow)
        var styles: [(cell: StyleID, inner: StyleID)] = []
        for content in contents {
            let cell = builder.style(display: .tableCell) { _, _, box in box.width = content.width }
            let inner = builder.style { _, _, box in
                box.width = .length(LengthPercentage(px: content.content))
                box.height = .length(LengthPercentage(px: 10))
            }
            styles.append((cell, inner))
        }
        builder.block(.table, style: table) { builder in
            builder.block(.tableRowGroup, style: group) { builder in
                builder.block(.tableRow, style: row) { builder in
                    for style in styles {
                        builder.block(.tableCell, style: style.cell) { $0.block(style: style.inner) { _ in } }
                    }
                }
            }
        }
        return places(try layOut(builder.finish(), width: available), kinds: [.tableCell]).map(\.width)
    }

    @Test func columnsShrinkBelowTheirContents() throws {
        let contents: [(Float, SizeValue)] = [(50, .auto), (300, .auto), (500, .auto)]
        #expect(try cells(contents) == [50, 300, 500])
        let widths = try cells(contents, shrinks: true)
        #expect(widths == [50, 225, 225])
    }

    @Test func columnsAreAsWideAsTheirContents() throws {
        #expect(try cells([(40, .auto), (90, .auto)]) == [40, 90])
    }

    @Test func sparePlaceIsSharedByContents() throws {
        #expect(try cells([(50, .auto), (150, .auto)], table: .length(LengthPercentage(px: 400))) == [100, 300])
    }

    @Test func columnsWithAWidthKeepItWhileOthersGrow() throws {
        let widths = try cells(
            [(50, .length(LengthPercentage(px: 80))), (100, .auto)], table: .length(LengthPercentage(px: 400)))
        #expect(widths == [80, 320])
    }

    @Test func percentagesAreOfTheTable() throws {
        let widths = try cells(
            [(50, .length(LengthPercentage(fraction: 0.25))), (100, .auto)], table: .length(LengthPercentage(px: 400)))
        #expect(widths == [100, 300])
    }

    @Test func fixedLayoutSharesEquallyWhateverTheContents() throws {
        let widths = try cells(
            [(290, .auto), (10, .auto), (10, .length(LengthPercentage(px: 60)))],
            table: .length(LengthPercentage(px: 300)), fixed: true)
        #expect(widths == [120, 120, 60])
    }

    @Test func contentsAreNeverCutByNarrowTables() throws {
        #expect(try cells([(150, .auto), (150, .auto)], table: .length(LengthPercentage(px: 100))) == [150, 150])
    }
}
