// Positions of floats, and the space beside them (CSS 2.1 §9.5).

import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextLayout

@Suite struct FloatTests {
    private func float(
        _ side: FloatSide, _ width: Float, _ height: Float, _ builder: inout DocumentBuilder, clear: ClearSide = .none
    ) -> StyleID {
        builder.style { _, _, box in
            box.float = side
            box.clear = clear
            box.width = .length(LengthPercentage(px: width))
            box.height = .length(LengthPercentage(px: height))
        }
    }

    private func floats(_ tree: LayoutTree) -> [Rect] { tree.boxes.filter { $0.placement == .float }.map(\.rect.rect) }

    @Test func floatsStandSideBySideAndWrap() throws {
        var builder = DocumentBuilder()
        let style = builder.style()
        let left = float(.left, 120, 30, &builder)
        let right = float(.right, 100, 50, &builder)
        builder.block(style: style) { builder in
            builder.inlines { builder in
                builder.float(style: left) { _ in }
                builder.float(style: right) { _ in }
                builder.float(style: left) { _ in }
                builder.run("text", style: style)
            }
        }
        let tree = try layOut(builder.finish(), width: 300)
        #expect(floats(tree).map(\.x) == [0, 200, 0])
        #expect(floats(tree).map(\.y) == [0, 0, 30])
        #expect(tree.lineBoxes[0].rect.x == 120)
    }

    @Test func linesGoBackToFullWidthBelowAFloat() throws {
        var builder = DocumentBuilder()
        let style = builder.style()
        let left = float(.left, 200, 30, &builder)
        builder.block(style: style) { builder in
            builder.inlines { builder in
                builder.float(style: left) { _ in }
                builder.run("one two three four five six seven eight nine ten eleven", style: style)
            }
        }
        let lines = try layOut(builder.finish(), width: 300).lineBoxes
        #expect(lines[0].rect.x == 200)
        #expect(lines[1].rect.x == 200)
        #expect(lines[2].rect.x == 0)
    }

    @Test func aWordThatDoesNotFitBesideGoesBelow() throws {
        var builder = DocumentBuilder()
        let style = builder.style()
        let left = float(.left, 280, 30, &builder)
        builder.block(style: style) { builder in
            builder.inlines { builder in
                builder.float(style: left) { _ in }
                builder.run("unbreakable", style: style)
            }
        }
        let lines = try layOut(builder.finish(), width: 300).lineBoxes
        #expect(lines[0].rect.x == 0)
        #expect(lines[0].rect.y == 30)
    }

    @Test func clearMovesBelow() throws {
        var builder = DocumentBuilder()
        let plain = builder.style()
        let left = float(.left, 50, 70, &builder)
        let clearing = builder.style { _, _, box in
            box.clear = .left
            box.margin.top = LengthPercentage(px: 10)
        }
        builder.block(style: plain) { builder in
            builder.inlines { builder in
                builder.float(style: left) { _ in }
                builder.run("a", style: plain)
            }
        }
        builder.paragraph("b", style: clearing)
        let tree = try layOut(builder.finish(), width: 300)
        #expect(tree.lineBoxes.map(\.rect.y) == [0, 70])
    }

    @Test func aFormattingContextStandsBesideAFloat() throws {
        var builder = DocumentBuilder()
        let plain = builder.style()
        let left = float(.left, 100, 70, &builder)
        let root = builder.style(display: .flowRoot)
        builder.block(style: plain) { builder in
            builder.inlines { builder in builder.float(style: left) { _ in } }
        }
        builder.paragraph("b", style: root)
        let tree = try layOut(builder.finish(), width: 300)
        let box = tree.boxes.last { $0.kind == .block }
        #expect(box?.rect.rect == Rect(x: 100, y: 0, width: 200, height: 20))
    }

    @Test func aBreakWithClearEndsBelowTheFloat() throws {
        var builder = DocumentBuilder()
        let style = builder.style()
        let clearing = builder.style { _, _, box in box.clear = .both }
        let left = float(.left, 100, 90, &builder)
        builder.block(style: style) { builder in
            builder.inlines { builder in
                builder.float(style: left) { _ in }
                builder.run("a", style: style)
                builder.run("\n", style: style)
                builder.run("b", style: style)
                builder.run("\n", style: clearing)
                builder.run("c", style: style)
            }
        }
        let lines = try layOut(builder.finish(), width: 300).lineBoxes
        #expect(lines.map(\.rect.x) == [100, 100, 0])
        #expect(lines[2].rect.y == 90)
    }

    /// Floats as a list that each look-up searches.
    private struct FloatList {
        var placed: [(rect: LayoutRect, side: FloatSide)] = []
        var latestTop = LayoutUnit(raw: .min / 2)

        func band(_ top: LayoutUnit, _ height: LayoutUnit, _ left: LayoutUnit, _ right: LayoutUnit) -> [LayoutUnit] {
            let end = max(top + height, top + .epsilon)
            let beside = placed.filter { $0.rect.width > .zero && $0.rect.y < end && $0.rect.maxY > top }
            return [
                beside.filter { $0.side == .left }.map(\.rect.maxX).reduce(left, max),
                beside.filter { $0.side == .right }.map(\.rect.x).reduce(right, min),
            ]
        }

        mutating func place(
            _ side: FloatSide, _ width: LayoutUnit, _ height: LayoutUnit, _ top: LayoutUnit, _ left: LayoutUnit,
            _ right: LayoutUnit
        ) -> [LayoutUnit] {
            var y = max(top, latestTop)
            while true {
                let free = band(y, height, left, right)
                let next = placed.map(\.rect.maxY).filter { $0 > y }.min()
                if free[1] - free[0] >= width || free == [left, right] || next == nil {
                    let x = side == .right ? free[1] - width : free[0]
                    placed.append((LayoutRect(x: x, y: y, width: width, height: height), side))
                    latestTop = y
                    return [x, y]
                }
                y = next ?? y
            }
        }
    }

    @Test(arguments: 0..<20) func outlinesAnswerAsTheFloatsThemselves(seed: Int) {
        var random = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func number(_ range: Range<Int>) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return range.lowerBound + Int(random >> 33) % range.count
        }
        var space = FloatSpace()
        var list = FloatList()
        var top = 0
        for _ in 0..<120 {
            let side = number(0..<2) == 0 ? FloatSide.left : .right
            let (width, height) = (LayoutUnit(number(0..<130)), LayoutUnit(number(1..<90)))
            let (left, right) = (LayoutUnit(number(0..<30)), LayoutUnit(number(150..<200)))
            top += number(0..<4) == 0 ? number(0..<40) : 0
            let found = space.place(side, width: width, height: height, top: LayoutUnit(top), left: left, right: right)
            #expect([found.x, found.y] == list.place(side, width, height, LayoutUnit(top), left, right))
            for _ in 0..<4 {
                let (y, tall) = (LayoutUnit(top + number(0..<200)), LayoutUnit(number(0..<60)))
                let band = space.band(top: y, height: tall, left: left, right: right)
                #expect([band.left, band.right] == list.band(y, tall, left, right))
            }
            if number(0..<9) == 0 { space.retire(above: LayoutUnit(top)) }
        }
    }
}
