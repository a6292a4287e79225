// Floats (CSS 2.1 §9.5): where they lie and what they leave.

import MarkupStyling
import Testing
import TextShaping

@testable import TextLayout

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
}
