// Flex containers laid out (CSS Flexible Box Layout 1): sizes and places of items.

import Testing

@testable import FancyTextBasics
@testable import FancyTextBoxes
@testable import FancyTextCSS
@testable import FancyTextLayout

@Suite struct FlexLayoutTests {
    private typealias Style = (inout BoxStyle) -> Void

    /// A picture of twice its height's width.
    private struct OnePicture: ReplacedSizes {
        func naturalDimensions(of source: String, isLambda: Bool) -> NaturalDimensions? {
            NaturalDimensions(width: 40, height: 20)
        }
    }

    /// A container 200 wide of empty items with the given styles, or of one picture; returns the items' places.
    private func lay(
        _ flex: Style, direction: TextDirection = .ltr, _ items: [Style], kind: StyledBox.Kind = .block
    ) throws -> [Rect] {
        var builder = DocumentBuilder()
        let container = builder.style(display: .flex) { _, text, box in
            text.direction = direction
            box.width = .length(LengthPercentage(px: 200))
            flex(&box)
        }
        let styles = items.map { item in builder.style { _, _, box in item(&box) } }
        builder.block(.flex, style: container) { builder in
            for style in styles {
                let box = builder.begin(kind, style: style)
                if kind == .image {
                    builder.text.boxes[box].replaced = builder.text.replaced.count
                    builder.text.replaced.append(ReplacedContent(source: "p", alternative: ""))
                }
                builder.end()
            }
        }
        var context = try makeContext()
        var options = LayoutOptions()
        options.width = 400
        let tree = layout(
            builder.finish(), options: options, replacedSizes: OnePicture(), context: &context)
        return kind == .image ? places(tree, kinds: [.image]) : Array(places(tree).dropFirst())
    }

    private func px(_ value: Float) -> SizeValue { .length(LengthPercentage(px: value)) }
    private func sized(_ width: Float, _ height: Float) -> Style {
        {
            $0.width = .length(LengthPercentage(px: width))
            $0.height = .length(LengthPercentage(px: height))
        }
    }

    @Test func itemsOfAColumnShrink() throws {
        let found = try lay(
            {
                $0.flexDirection = .column
                $0.height = .length(LengthPercentage(px: 100))
            }, [sized(10, 80), sized(10, 120)])
        #expect(found.map(\.height) == [40, 60])
        #expect(found.map(\.y) == [0, 40])
    }

    @Test func aLeastHeightIsShared() throws {
        let found = try lay(
            {
                $0.flexDirection = .column
                $0.minHeight = .length(LengthPercentage(px: 90))
            }, [sized(10, 20), { $0.flexGrow = 1 }])
        #expect(found.map(\.height) == [20, 70])
    }

    @Test func reversedLinesBeginAtTheBottom() throws {
        let found = try lay(
            {
                $0.flexWraps = true
                $0.flexWrapReverse = true
                $0.height = .length(LengthPercentage(px: 100))
                $0.alignContent = .flexStart
            }, [sized(150, 20), sized(150, 30)])
        #expect(found.map(\.y) == [80, 50])
    }

    @Test func autoMarginsOfReversedRows() throws {
        let found = try lay(
            { $0.flexDirection = .rowReverse },
            [
                {
                    $0.width = .length(LengthPercentage(px: 30))
                    $0.margin.left = nil
                }, sized(40, 5),
            ])
        #expect(found.map(\.x) == [170, 0])
    }

    @Test func aRatioGivesTheMainSize() throws {
        let found = try lay(
            { $0.height = .length(LengthPercentage(px: 50)) },
            [{ $0.aspectRatio = 2 }, { ($0.aspectRatio, $0.height) = (0.5, .length(LengthPercentage(px: 20))) }])
        #expect(
            found == [Rect(x: 0, y: 0, width: 100, height: 50), Rect(x: 100, y: 0, width: 10, height: 20)])
    }

    @Test func picturesStretchInColumns() throws {
        let column: Style = { $0.flexDirection = .column }
        #expect(try lay(column, [{ _ in }], kind: .image) == [Rect(x: 0, y: 0, width: 200, height: 100)])
        let centred: Style = { ($0.flexDirection, $0.alignItems) = (.column, .center) }
        #expect(try lay(centred, [{ _ in }], kind: .image) == [Rect(x: 80, y: 0, width: 40, height: 20)])
    }

    @Test func picturesShrinkNoFurtherThanTheirRatioLetsThem() throws {
        // The given height determines the width, and thereby the minimum width.
        let found = try lay(
            { $0.width = .length(LengthPercentage(px: 10)) }, [{ $0.height = .length(LengthPercentage(px: 10)) }],
            kind: .image)
        #expect(found == [Rect(x: 0, y: 0, width: 20, height: 10)])
    }

    @Test func stretchedItemsAreBasesOfPerCents() throws {
        var builder = DocumentBuilder()
        let row = builder.style(display: .flex)
        let tall = builder.style { _, _, box in box.height = .length(LengthPercentage(px: 60)) }
        let item = builder.style()
        let half = builder.style { _, _, box in
            (box.width, box.height) = (
                .length(LengthPercentage(px: 10)), .length(LengthPercentage(fraction: 0.5))
            )
        }
        builder.block(.flex, style: row) { builder in
            builder.block(style: tall) { _ in }
            builder.block(style: item) { $0.block(style: half) { _ in } }
        }
        let found = places(try layOut(builder.finish(), width: 400))
        #expect(found.last == Rect(x: 0, y: 0, width: 10, height: 30))
    }
}
