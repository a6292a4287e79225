import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextPainting
@testable import FancyTextTypography

/// One fill with tiles gives the same pixels as a separate fill for each tile.
@Suite struct TilesTests {
    private static let gradient = Gradient(
        shape: .linear(angle: 90),
        stops: [
            GradientStop(color: Color(red: 255, green: 0, blue: 0), position: LengthPercentage(fraction: 0.4)),
            GradientStop(color: Color(red: 0, green: 0, blue: 255), position: LengthPercentage(fraction: 0.4)),
        ])

    private func pixels(_ items: [DisplayItem], scale: Float, width: Int = 31, height: Int = 23) -> [UInt32] {
        var list = DisplayList(size: Size(width: Float(width), height: Float(height)), background: .white)
        list.items = items
        var painter = Painter()
        let pictures = NoPictures()
        let canvas = Bitmap()
        painter.paint(
            list, fonts: NoFont(), pictures: pictures, options: PaintOptions(scale: scale), into: canvas)
        return canvas.makePixmap().pixels
    }

    /// Colours of hard stops, so that rounding neither hides nor makes a difference.
    @Test(arguments: [
        (Size(width: 8, height: 6), Size(width: 8, height: 6)),
        (Size(width: 7.5, height: 3.3), Size(width: 7.5, height: 3.3)),
        (Size(width: 4, height: 4), Size(width: 9, height: 5.5)),
        (Size(width: 1, height: 1), Size(width: 1, height: 1)),
        (Size(width: 2.37, height: 90), Size(width: 2.37, height: 90)),
        (Size(width: 90, height: 1.5), Size(width: 90, height: 4)),
    ])
    func tilesAreThoseOfFillsOfTheirOwn(_ size: Size, _ step: Size) {
        for (x, y, scale) in [(Float(0), Float(0), Float(1)), (-3.2, 1.7, 1), (0.5, -0.5, 2), (5, 5, 1.5)] {
            let clip = Rect(x: 2, y: 3, width: 21, height: 17)
            var apart: [DisplayItem] = [.pushClip(RoundedRect(rect: clip))]
            var tile = Rect(x: 0, y: y - 10 * step.height, width: size.width, height: size.height)
            while tile.y < 23 {
                tile.x = x - 10 * step.width
                while tile.x < 31 {
                    apart.append(.fill(RoundedRect(rect: tile), .gradient(Self.gradient, box: tile)))
                    tile.x += step.width
                }
                tile.y += step.height
            }
            apart.append(.pop)
            let box = Rect(x: x, y: y, width: size.width, height: size.height)
            let together: [DisplayItem] = [
                .fill(RoundedRect(rect: clip), .tiles(Self.gradient, box: box, step: step))
            ]
            let isSame = pixels(together, scale: scale) == pixels(apart, scale: scale)
            #expect(isSame, "\(x),\(y) × \(scale)")
        }
    }

    /// Clips whose width differs by row cut the cached rows.
    @Test func tilesInARoundShapeAreThoseBelowAClip() {
        let box = Rect(x: 1, y: 2, width: 3, height: 4)
        let whole = RoundedRect(rect: Rect(x: 0, y: 0, width: 31, height: 23))
        let half = Size(width: 11, height: 11)
        let round = RoundedRect(
            rect: whole.rect,
            radii: CornerRadii(topLeft: half, topRight: half, bottomRight: half, bottomLeft: half))
        let fill = Fill.tiles(Self.gradient, box: box, step: Size(width: 3, height: 4))
        let clipped = pixels([.pushClip(round), .fill(whole, fill), .pop], scale: 1)
        let isSame = pixels([.fill(round, fill)], scale: 1) == clipped
        #expect(isSame)
        #expect(Set(clipped).count > 3)
    }

    @Test func turnedTilesTurnWithTheirBox() {
        // A quarter turn clockwise about the origin, moved back into the picture.
        let quarter = Transform(xx: 0, yx: 1, xy: -1, yy: 0, x: 40, y: 0)
        let box = Rect(x: 0, y: 0, width: 4, height: 4)
        let shape = RoundedRect(rect: Rect(x: 0, y: 0, width: 40, height: 40))
        let turned = pixels(
            [
                .pushTransform(quarter), .fill(shape, .tiles(Self.gradient, box: box, step: Size(width: 4, height: 4))),
                .pop,
            ],
            scale: 1, width: 40, height: 40)
        for y in 0..<40 {
            #expect(Set(turned[y * 40..<y * 40 + 40]).count == 1)
            #expect(turned[y * 40] == (y % 4 < 2 ? 0xFF00_00FF : 0xFFFF_0000), "\(y)")
        }
    }

    @Test func spaceBetweenTurnedTilesStaysEmpty() {
        let quarter = Transform(xx: 0, yx: 1, xy: -1, yy: 0, x: 40, y: 0)
        let fill = Fill.tiles(
            Self.gradient, box: Rect(x: 0, y: 0, width: 4, height: 4), step: Size(width: 10, height: 4))
        let shape = RoundedRect(rect: Rect(x: 0, y: 0, width: 40, height: 40))
        let turned = pixels([.pushTransform(quarter), .fill(shape, fill), .pop], scale: 1, width: 40, height: 40)
        for y in 0..<40 { #expect((turned[y * 40 + 7] == 0xFFFF_FFFF) == (y % 10 >= 4), "\(y)") }
    }
}
