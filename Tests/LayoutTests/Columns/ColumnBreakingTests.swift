// Breaks and heights of columns (CSS Multi-column 1 §7, CSS Fragmentation 3).

import Testing

@testable import FancyTextCSS
@testable import FancyTextLayout

@Suite struct ColumnBreakingTests {
    private func px(_ value: Float) -> LayoutUnit { LayoutUnit(value) }

    /// Pieces of these heights, one after the other.
    private func pieces(
        _ heights: [Float], avoided: Set<Int> = [], forced: Set<Int> = [], spaces: Set<Int> = []
    ) -> [FlowPiece] {
        var top: Float = 0
        return heights.enumerated().map { index, height in
            defer { top += height }
            return FlowPiece(
                top: px(top), bottom: px(top + height),
                breakBefore: forced.contains(index) ? .forced : avoided.contains(index) ? .avoided : .allowed,
                isSpace: spaces.contains(index))
        }
    }

    private func balance(_ pieces: [FlowPiece]) -> ColumnBalance {
        ColumnBalance([BrokenFlow(pieces: pieces)], top: .zero)
    }

    private func tops(_ pieces: [FlowPiece], height: Float) -> [Float] {
        pieces.isEmpty ? [] : balance(pieces).broken(height: px(height)).flows[0].steps.map(\.at.top.float)
    }

    private func balanced(_ pieces: [FlowPiece], _ count: Int, in space: Float? = nil) -> Float {
        balance(pieces).balancedHeight(count: count, bottom: .zero, in: space.map(px)).float
    }

    @Test func columnsAreFilledInOrder() {
        #expect(tops(pieces([20, 20, 20, 20, 20]), height: 50) == [0, 40, 80])
        #expect(tops(pieces([80, 20]), height: 50) == [0, 80])
        #expect(tops([], height: 50).isEmpty)
    }

    @Test func breaksAreAvoidedWhereTheyMayBe() {
        #expect(tops(pieces([20, 20, 20], avoided: [2]), height: 50) == [0, 20])
        #expect(tops(pieces([20, 20, 20], avoided: [1, 2]), height: 50) == [0, 40])
    }

    @Test func breaksMayBeForced() {
        #expect(tops(pieces([20, 20, 20], forced: [1]), height: 500) == [0, 20])
        #expect(balanced(pieces([20, 30, 20], forced: [1, 2]), 2) == 30)
    }

    @Test func spaceBreaksAnywhere() {
        #expect(tops(pieces([300], spaces: [0]), height: 100) == [0, 100, 200])
        #expect(tops(pieces([20, 100, 20], spaces: [1]), height: 60) == [0, 60, 120])
    }

    @Test func balancedColumnsAreAsLowAsTheyCanBe() {
        #expect(balanced(pieces([20, 20, 20, 20, 20]), 2) == 60)
        #expect(balanced(pieces([20, 20, 20, 20, 20]), 3) == 40)
        #expect(balanced(pieces([10, 80, 10]), 3) == 80)
        #expect(balanced(pieces([300], spaces: [0]), 3) == 100)
        #expect(balanced(pieces([20, 20, 20, 20]), 2, in: 30) == 30)
        #expect(balanced([], 2) == 0)
    }

    @Test func countAndWidthOfColumns() {
        func geometry(_ configure: (inout ColumnStyle) -> Void) -> (Int, Float) {
            var style = BoxStyle()
            style.columnGap = LengthPercentage(px: 20)
            configure(&style.columns)
            let geometry = ColumnGeometry(style, available: px(500), grid: .fine)
            return (geometry.count, geometry.width.float)
        }
        #expect(geometry { $0.count = 3 } == (3, 153.328125))
        #expect(geometry { $0.width = 150 } == (3, 153.328125))
        #expect(geometry { ($0.width, $0.count) = (100, 2) } == (2, 240))
        #expect(geometry { $0.width = 900 } == (1, 500))
    }
}
