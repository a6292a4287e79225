// Collapsing margins (CSS 2.1 §8.3.1): the positions of boxes.

import Testing

@testable import FancyTextCSS

@Suite struct MarginTests {
    /// A block with margins, and one line of 20 px if it has text.
    private func box(
        _ top: Float, _ bottom: Float, _ builder: inout DocumentBuilder, padding: Float = 0, height: Float? = nil
    ) -> StyleID {
        builder.style { _, _, box in
            box.margin.top = LengthPercentage(px: top)
            box.margin.bottom = LengthPercentage(px: bottom)
            box.padding = Sides(LengthPercentage(px: padding))
            if let height { box.height = .length(LengthPercentage(px: height)) }
        }
    }

    private func tops(_ build: (inout DocumentBuilder) -> Void) throws -> [Float] {
        var builder = DocumentBuilder()
        build(&builder)
        return places(try layOut(builder.finish(), width: 300)).map(\.y)
    }

    @Test(arguments: [(10, 20, 20), (20, 10, 20), (10, -4, 6), (-10, -4, -10), (0, 0, 0)] as [(Float, Float, Float)])
    func siblingsShareTheLargerMargin(_ bottom: Float, _ top: Float, _ gap: Float) throws {
        let result = try tops { builder in
            let first = box(0, bottom, &builder)
            let second = box(top, 0, &builder)
            builder.paragraph("a", style: first)
            builder.paragraph("b", style: second)
        }
        #expect(result == [0, 0, 20 + gap])
    }

    @Test func firstChildsMarginBecomesItsParents() throws {
        let result = try tops { builder in
            let outer = box(10, 0, &builder)
            let inner = box(25, 0, &builder)
            builder.block(style: outer) { $0.paragraph("a", style: inner) }
        }
        #expect(result == [25, 25, 25])
    }

    @Test func paddingKeepsAChildsMarginInside() throws {
        let result = try tops { builder in
            let outer = box(10, 0, &builder, padding: 1)
            let inner = box(25, 0, &builder)
            builder.block(style: outer) { $0.paragraph("a", style: inner) }
        }
        #expect(result == [10, 10, 36])
    }

    @Test func lastChildsMarginBecomesItsParents() throws {
        let result = try tops { builder in
            let outer = box(0, 5, &builder)
            let inner = box(0, 30, &builder)
            let next = box(12, 0, &builder)
            builder.block(style: outer) { $0.paragraph("a", style: inner) }
            builder.paragraph("b", style: next)
        }
        #expect(result == [0, 0, 0, 50])
    }

    @Test func heightKeepsTheLastChildsMarginInside() throws {
        let result = try tops { builder in
            let outer = box(0, 5, &builder, height: 40)
            let inner = box(0, 30, &builder)
            builder.block(style: outer) { $0.paragraph("a", style: inner) }
            builder.paragraph("b", style: box(0, 0, &builder))
        }
        #expect(result == [0, 0, 0, 45])
    }

    @Test func marginsCollapseThroughEmptyBlocks() throws {
        let result = try tops { builder in
            let plain = box(0, 0, &builder)
            let empty = box(15, 35, &builder)
            builder.paragraph("a", style: plain)
            builder.block(style: empty) { _ in }
            builder.paragraph("b", style: plain)
        }
        #expect(result.last == 55)
    }

    @Test func emptyBlockWithHeightSeparatesMargins() throws {
        let result = try tops { builder in
            let plain = box(0, 0, &builder)
            let bar = box(15, 35, &builder, height: 2)
            builder.paragraph("a", style: plain)
            builder.block(style: bar) { _ in }
            builder.paragraph("b", style: plain)
        }
        #expect(result == [0, 0, 35, 72])
    }

    @Test func newFormattingContextKeepsItsChildrensMargins() throws {
        let result = try tops { builder in
            let outer = builder.style(display: .flowRoot) { _, _, box in box.margin.top = LengthPercentage(px: 10) }
            let inner = box(25, 7, &builder)
            builder.block(style: outer) { $0.paragraph("a", style: inner) }
            builder.paragraph("b", style: box(0, 0, &builder))
        }
        #expect(result == [10, 10, 35, 62])
    }
}
