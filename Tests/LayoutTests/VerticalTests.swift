// Vertical lines: positions on the page, lines across other flows, characters that stand upright (CSS Writing Modes 4).

import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextLayout

@Suite struct VerticalTests {
    /// A document of one vertical block with a border, 100 px high, on a canvas of 300 × 200 px.
    private func vertical(
        _ mode: WritingMode, _ string: String = "one two three four", orientation: TextOrientation = .mixed
    ) throws -> LayoutTree {
        var builder = DocumentBuilder()
        let style = builder.style(display: .flowRoot) { _, text, box in
            (text.writingMode, text.orientation) = (mode, orientation)
            text.lineHeight = .length(20)
            box.height = .length(LengthPercentage(px: 100))
            box.margin = Sides(
                top: LengthPercentage(px: 1), right: LengthPercentage(px: 2), bottom: LengthPercentage(px: 3),
                left: LengthPercentage(px: 4))
            box.padding.left = LengthPercentage(px: 10)
        }
        let inner = builder.style(from: style) { _, _, _ in }
        builder.block(style: style) { builder in
            builder.block(style: inner) { $0.inlines { $0.run(string, style: inner) } }
        }
        return try layOut(builder.finish(), width: 300) { $0.height = 200 }
    }

    @Test(arguments: [
        (WritingMode.verticalRL, [Float(34), 14]), (.verticalLR, [14, 34]), (.sidewaysRL, [34, 14]),
        (.sidewaysLR, [14, 34]),
    ])
    func linesFollowEachOther(_ mode: WritingMode, _ places: [Float]) throws {
        let tree = try vertical(mode)
        let outer = try #require(tree.boxes.first { $0.axes == mode })
        #expect(outer.rect.rect == Rect(x: 4, y: 1, width: 50, height: 100))
        #expect(tree.lineBoxes.map(\.rect.x) == places)
        #expect(tree.lineBoxes.allSatisfy { $0.rect.width == 20 })
        // The first line begins at the top; in sideways-lr at the bottom.
        let first = tree.lineBoxes[0].rect
        #expect(mode == .sidewaysLR ? abs(first.maxY - 101) < 0.1 : first.y == 1)
    }

    @Test func charactersStandUprightByTheirOrientation() throws {
        func upright(_ orientation: TextOrientation) throws -> [Bool] {
            try vertical(.verticalRL, "a\u{2E80}b", orientation: orientation).inlines.filter { $0.kind == .text }
                .map(\.isUpright)
        }
        #expect(try upright(.mixed) == [false, true, false])
        #expect(try upright(.upright).allSatisfy { $0 })
        #expect(try upright(.sideways).allSatisfy { !$0 })
    }

    @Test func aBoxAcrossItsContainerIsAsLongAsItsText() throws {
        let tree = try vertical(.verticalRL, "word")
        let alone = try #require(tree.lineBoxes.first)
        var builder = DocumentBuilder()
        let style = builder.style(display: .flowRoot) { _, text, _ in text.writingMode = .verticalLR }
        builder.block(style: style) { $0.inlines { $0.run("word", style: style) } }
        let across = try layOut(builder.finish(), width: 300)
        let box = try #require(across.boxes.first { $0.axes == .verticalLR })
        #expect(abs(box.rect.height.float - alone.rect.height) < 0.1)
        #expect(box.rect.x == .zero)
    }

    @Test func combinedCharactersHaveTheSpaceOfOne() throws {
        func height(_ combine: CombineUpright) throws -> Float {
            var builder = DocumentBuilder()
            let style = builder.style(display: .flowRoot) { font, text, _ in
                (text.writingMode, text.combineUpright, font.size) = (.verticalRL, combine, 20)
            }
            builder.block(style: style) { $0.inlines { $0.run("2026", style: style) } }
            return try layOut(builder.finish(), width: 300).lineBoxes[0].rect.height
        }
        #expect(try height(.all) == 20)
        #expect(try height(.digits(4)) == 20)
        // Runs of more digits are turned.
        #expect(try height(.digits(2)) == height(.none))
    }

    @Test func aVerticalDocumentBeginsAtTheRight() throws {
        var builder = DocumentBuilder { _, text, box in
            text.writingMode = .verticalRL
            text.lineHeight = .length(20)
            box.display = .flowRoot
        }
        let style = builder.style()
        builder.block(style: style) { $0.inlines { $0.run("text", style: style) } }
        let tree = try layOut(builder.finish(), width: 300) { $0.height = 100 }
        #expect(tree.size == Size(width: 300, height: 100))
        #expect(tree.lineBoxes.map(\.rect.x) == [280])
        #expect(tree.boxes[1].rect.rect == Rect(x: 280, y: 0, width: 20, height: 100))
    }
}
