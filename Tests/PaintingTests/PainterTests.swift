import Testing

@testable import FancyTextImages

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextPainting
@testable import FancyTextTypography

/// A font whose glyph 1 is a 3 × 4 block above the baseline, and glyph 2 a colour picture of 2 × 2.
private final class BlockFont: GlyphSource {
    private let block: GlyphMask
    private let color: GlyphMask

    init() {
        let coverage = [UInt8](repeating: 255, count: 12)
        block = GlyphMask(left: 0, top: 4, width: 3, height: 4, isColor: false, pixels: coverage)
        // Premultiplied BGRA: opaque red.
        let pixels = (0..<16).map { [UInt8](arrayLiteral: 0, 0, 255, 255)[$0 % 4] }
        color = GlyphMask(left: 0, top: 2, width: 2, height: 2, isColor: true, pixels: pixels)
    }

    func picture(_ key: GlyphKey) -> GlyphMask? { key.glyph == 1 ? block : color }
    func size(of font: FontID) -> Float { 16 }
    func glyphOutline(_ font: FontID, _ glyph: UInt32, hintedAt scale: Float?) -> Path {
        Path(RoundedRect(rect: Rect(x: 0, y: -4, width: 3, height: 4)))
    }
}

@Suite struct PainterTests {
    private func paint(
        _ width: Float, _ height: Float, scale: Float = 1, _ items: [DisplayItem], glyphs: [PositionedGlyph] = [],
        pictures: ImageStore = ImageStore()
    ) -> Bitmap {
        var list = DisplayList(size: Size(width: width, height: height), background: .white)
        list.items = items
        list.glyphs = glyphs
        var painter = Painter()
        let canvas = Bitmap()
        painter.paint(
            list, fonts: BlockFont(), pictures: pictures, options: PaintOptions(scale: scale, textContrast: .none),
            into: canvas)
        return canvas
    }
    @Test func rowsPaintedApartAreThoseOfTheWholePicture() throws {
        var list = DisplayList(size: Size(width: 40, height: 37), background: .white)
        let corner = Size(width: 7, height: 7)
        let corners = CornerRadii(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner)
        list.glyphs = (0..<9).map { PositionedGlyph(id: 1, x: Float($0) * 4.3, y: Float($0) * 4 + 3) }
        list.items = [
            .fill(RoundedRect(rect: Rect(x: 3, y: 2, width: 30, height: 31), radii: corners), .color(blue)),
            .glyphs(GlyphsItem(font: FontID(rawValue: 0), glyphs: 0..<9, fill: .color(red))),
            border(Rect(x: 1, y: 1, width: 36, height: 33), side(3, .dotted)),
        ]
        #expect(Painter.isFlat(list))
        var painter = Painter()
        let pictures = NoPictures()
        let whole = Bitmap()
        painter.paint(list, fonts: BlockFont(), pictures: pictures, into: whole)
        let pixels = whole.makePixmap().pixels
        let band = Bitmap()
        for start in stride(from: 0, to: 37, by: 5) {
            let rows = start..<min(37, start + 5)
            painter.paint(
                list, rows: rows, fonts: BlockFont(), pictures: pictures, options: PaintOptions(), into: band)
            #expect(band.makePixmap().pixels == Array(pixels[rows.lowerBound * 40..<rows.upperBound * 40]))
        }
        let encoder = PNGEncoder()
        let bands = DisplayBands(list, fonts: BlockFont(), scale: 1)
        #expect(bands.list(for: 0..<2).items.count == 3 && bands.list(for: 36..<37).items.isEmpty)
        var painted = PaintedBands(
            list, fonts: BlockFont(), pictures: pictures, options: PaintOptions(), canvas: band)
        #expect(try encoder.encode(&painted) == encoder.encode(consuming: whole))
    }

    /// A clip or layer is in the bands that its contents reach, and its fill hides nothing outside of it.
    @Test func bandsOfGroupsAreThoseOfTheWholePicture() {
        var list = DisplayList(size: Size(width: 40, height: 60), background: .white)
        let corner = Size(width: 9, height: 9)
        let corners = CornerRadii(topLeft: corner, topRight: corner, bottomRight: corner, bottomLeft: corner)
        list.glyphs = [PositionedGlyph(id: 1, x: 12, y: 24), PositionedGlyph(id: 1, x: 20.5, y: 33)]
        list.items = [
            .pushClip(RoundedRect(rect: Rect(x: 4, y: 5, width: 30, height: 40), radii: corners)),
            .fill(RoundedRect(rect: Rect(x: 0, y: 0, width: 40, height: 50)), .color(blue)),
            .pushLayer(LayerItem(opacity: 0.6)),
            .glyphs(GlyphsItem(font: FontID(rawValue: 0), glyphs: 0..<2, fill: .color(red))),
            .fill(RoundedRect(rect: Rect(x: 11, y: 22, width: 9, height: 3)), .color(.black)),
            .pop, .pop,
        ]
        #expect(Painter.isFlat(list))
        var painter = Painter()
        let pictures = NoPictures()
        let whole = Bitmap()
        painter.paint(list, fonts: BlockFont(), pictures: pictures, into: whole)
        let pixels = whole.makePixmap().pixels
        let bands = DisplayBands(list, fonts: BlockFont(), scale: 1)
        #expect(bands.list(for: 55..<60).items.isEmpty && bands.list(for: 40..<50).items.count == 3)
        #expect(bands.list(for: 20..<26).items.count == 7 && bands.list(for: 20..<26).background == .white)
        let band = Bitmap()
        for start in stride(from: 0, to: 60, by: 7) {
            let rows = start..<min(60, start + 7)
            painter.paint(
                bands.list(for: rows), rows: rows, fonts: BlockFont(), pictures: pictures, options: PaintOptions(),
                into: band)
            #expect(band.makePixmap().pixels == Array(pixels[rows.lowerBound * 40..<rows.upperBound * 40]))
        }
    }

    /// The fill of a band hides everything below it, and rows of vertical edges are painted once.
    @Test func bandsOfRowsThatAreAlikeArePaintedOnce() throws {
        var list = DisplayList(size: Size(width: 40, height: 30.6), background: .white)
        func rect(_ x: Float, _ y: Float, _ width: Float, _ height: Float) -> RoundedRect {
            RoundedRect(rect: Rect(x: x, y: y, width: width, height: height))
        }
        list.items = [
            .fill(rect(3, 2, 5, 6), .color(red)), .fill(rect(0, -1, 40, 31), .color(blue)),
            .fill(rect(10, 0, 7.3, 22.4), .color(Color(red: 0, green: 90, blue: 0, alpha: 128))),
        ]
        var painter = Painter()
        let pictures = NoPictures()
        let whole = Bitmap()
        let options = PaintOptions(scale: 1.5)
        painter.paint(list, fonts: BlockFont(), pictures: pictures, options: options, into: whole)
        let bands = DisplayBands(list, fonts: BlockFont(), scale: 1.5)
        let first = bands.list(for: 3..<9)
        #expect(first.background == blue && first.items.count == 1 && bands.areAlike(3..<9, of: first))
        #expect(!bands.areAlike(30..<40, of: bands.list(for: 30..<40)))
        // The fill ends half a pixel before the picture does.
        #expect(bands.list(for: 44..<46).background == .white)
        for rows in [0..<7, 3..<9, 30..<40, 40..<46] {
            let band = Bitmap()
            painter.paint(
                bands.list(for: rows), rows: rows, fonts: BlockFont(), pictures: pictures, options: options, into: band
            )
            #expect(
                band.makePixmap().pixels
                    == Array(whole.makePixmap().pixels[rows.lowerBound * 60..<rows.upperBound * 60]))
        }
    }

    private func side(_ width: Float, _ style: BorderLineStyle, _ color: Color = .black) -> BorderSide {
        BorderSide(width: width, style: style, color: color)
    }
    private func border(_ rect: Rect, _ side: BorderSide) -> DisplayItem {
        .border(BorderItem(outer: RoundedRect(rect: rect), sides: Sides(side)))
    }
    private let red = Color(red: 255, green: 0, blue: 0)
    private let blue = Color(red: 0, green: 0, blue: 255)

    @Test func boxesSnapToWholePixels() {
        let canvas = paint(
            4, 3, [.fill(RoundedRect(rect: Rect(x: 0.6, y: 0.4, width: 2, height: 1.9)), .color(.black))])
        #expect(pixelArt(canvas) == ".##.\n.##.\n....")
    }

    @Test func scaleMultipliesEverything() {
        let canvas = paint(
            2, 2, scale: 2, [.fill(RoundedRect(rect: Rect(x: 1, y: 0, width: 1, height: 1)), .color(.black))])
        #expect(pixelArt(canvas) == "..##\n..##\n....\n....")
    }

    @Test func solidBordersAreRings() {
        #expect(
            pixelArt(paint(5, 4, [border(Rect(x: 0, y: 0, width: 5, height: 4), side(1, .solid))]))
                == "#####\n#...#\n#...#\n#####")
    }

    @Test func doubleBordersAreThirds() {
        let art = pixelArt(paint(9, 8, [border(Rect(x: 0, y: 0, width: 9, height: 8), side(3, .double))]))
        #expect(art.split(separator: "\n")[3] == "#.#...#.#")
        #expect(art.split(separator: "\n")[1] == "#.......#")
    }

    @Test func sidesOfTwoColoursMeetInAMitre() {
        let item = BorderItem(
            outer: RoundedRect(rect: Rect(x: 0, y: 0, width: 6, height: 6)),
            sides: Sides(
                top: side(2, .solid, red), right: side(2, .solid, blue), bottom: side(2, .solid, red),
                left: side(2, .solid, blue)))
        #expect(pixelArt(paint(6, 6, [.border(item)])) == "oRRRRo\nBoRRoB\nBB..BB\nBB..BB\nBoRRoB\noRRRRo")
    }

    @Test func dashesBeginAndEndEachSide() {
        var sides = Sides(BorderSide())
        sides.top = side(2, .dashed)
        let art = pixelArt(
            paint(
                30, 2,
                [.border(BorderItem(outer: RoundedRect(rect: Rect(x: 0, y: 0, width: 30, height: 2)), sides: sides))]))
        let row = art.split(separator: "\n")[0]
        #expect(row.hasPrefix("######") && row.hasSuffix("######"))
        #expect(row == row.reversed().map(String.init).joined())
    }

    @Test(arguments: [BorderLineStyle.dashed, .dotted], [2, 7] as [Float])
    func dashesThatCannotBeSeenChangeNothing(_ style: BorderLineStyle, _ width: Float) {
        let round = Size(width: 9, height: 9)
        var list = DisplayList(size: Size(width: 40, height: 900), background: .white)
        for radius in [round, .zero] {
            let radii = CornerRadii(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius)
            let shape = RoundedRect(
                rect: Rect(x: radius.width, y: 2, width: 40 - 2 * radius.width, height: 890), radii: radii)
            list.items.append(.border(BorderItem(outer: shape, sides: Sides(side(width, style, red)))))
        }
        func pixels(_ rows: Range<Int>) -> [UInt32] {
            var painter = Painter()
            let pictures = NoPictures()
            let canvas = Bitmap()
            painter.paint(
                list, rows: rows, fonts: BlockFont(), pictures: pictures, options: PaintOptions(), into: canvas)
            return canvas.makePixmap().pixels
        }
        let parts = stride(from: 0, to: 900, by: 90).flatMap { pixels($0..<$0 + 90) }
        #expect(pixels(0..<900) == parts)
    }

    @Test func outerShadowsSpareTheirBox() {
        let box = RoundedRect(rect: Rect(x: 1, y: 1, width: 3, height: 2))
        let canvas = paint(6, 5, [.boxShadow(box, Shadow(x: 1, y: 1, blur: 0, color: .black))])
        #expect(pixelArt(canvas) == "......\n......\n....#.\n..###.\n......")
    }

    @Test func insetShadowsStayInTheirBox() {
        let box = RoundedRect(rect: Rect(x: 1, y: 1, width: 4, height: 3))
        let canvas = paint(6, 5, [.boxShadow(box, Shadow(x: 1, y: 1, blur: 0, color: .black, inset: true))])
        #expect(pixelArt(canvas) == "......\n.####.\n.#....\n.#....\n......")
    }

    @Test func glyphsStandOnTheirBaseline() {
        let item = GlyphsItem(font: FontID(rawValue: 0), glyphs: 0..<1, fill: .color(.black))
        let canvas = paint(5, 6, [.glyphs(item)], glyphs: [PositionedGlyph(id: 1, x: 1, y: 5)])
        #expect(pixelArt(canvas) == ".....\n.###.\n.###.\n.###.\n.###.\n.....")
    }

    @Test func colourGlyphsKeepTheirColours() {
        let item = GlyphsItem(font: FontID(rawValue: 0), glyphs: 0..<1, fill: .color(.black))
        #expect(pixelArt(paint(3, 3, [.glyphs(item)], glyphs: [PositionedGlyph(id: 2, x: 1, y: 2)])) == ".RR\n.RR\n...")
    }

    @Test func shadowsOfColourGlyphsHaveTheirColour() {
        var item = GlyphsItem(font: FontID(rawValue: 0), glyphs: 0..<1, fill: .color(.black))
        item.shadows = [Shadow(x: 1, y: 1, blur: 0, color: blue)]
        let art = pixelArt(paint(3, 3, [.glyphs(item)], glyphs: [PositionedGlyph(id: 2, x: 0, y: 2)]))
        #expect(art == "RR.\nRRB\n.BB")
    }

    @Test func sharpTextShadowsLieBelow() {
        var item = GlyphsItem(font: FontID(rawValue: 0), glyphs: 0..<1, fill: .color(.black))
        item.shadows = [Shadow(x: 1, y: 1, blur: 0, color: red)]
        #expect(
            pixelArt(paint(5, 6, [.glyphs(item)], glyphs: [PositionedGlyph(id: 1, x: 0, y: 4)]))
                == "###..\n###R.\n###R.\n###R.\n.RRR.\n.....")
    }

    @Test func strokesSurroundTheGlyph() {
        var item = GlyphsItem(font: FontID(rawValue: 0), glyphs: 0..<1, fill: .color(.transparent))
        item.strokeColor = .black
        item.strokeWidth = 2
        let alpha = paint(7, 8, [.glyphs(item)], glyphs: [PositionedGlyph(id: 1, x: 2, y: 6)]).makePixmap()
        #expect(alpha[1, 1] == 0xFF00_0000 && alpha[0, 0] == 0xFFFF_FFFF && alpha[3, 4] == 0xFFFF_FFFF)
    }

    /// A word with lines through it has several items, and all items are in memory at once.
    @Test func itemsAreSmall() { #expect(MemoryLayout<DisplayItem>.stride <= 128) }

    @Test func decorationsHaveGaps() {
        var item = DecorationItem(x: 0, y: 1.5, width: 8, thickness: 1, style: .solid, color: .black)
        item.gaps = [(2, 4)]
        #expect(pixelArt(paint(8, 3, [.decoration(item)])) == "........\n##..####\n........")
    }

    @Test(arguments: [DecorationStyle.dotted, .dashed, .wavy, .solid])
    func gapsPastTheEdgesAreHarmless(_ style: DecorationStyle) {
        var item = DecorationItem(x: -20, y: 1.5, width: 60, thickness: 1, style: style, color: .black)
        item.shadows = [Shadow(x: 1, y: 1, blur: 0, color: red), Shadow(x: 0, y: 0, blur: 4, color: red)]
        let inside = paint(8, 5, [.decoration(item)]).makePixmap()
        item.gaps = [(-19, -16), (18, 21), (30, 25), (1e30, .infinity)]
        #expect(paint(8, 5, [.decoration(item)]).makePixmap() == inside)
        item.gaps = [(-1e30, 1e30)]
        #expect(pixelArt(paint(8, 5, [.decoration(item)])) == "........\n........\n........\n........\n........")
    }

    @Test func doubleDecorationsGrowAwayFromTheText() {
        var item = DecorationItem(x: 0, y: 2.5, width: 3, thickness: 1, style: .double, color: .black)
        #expect(pixelArt(paint(3, 6, [.decoration(item)])) == "...\n...\n###\n...\n###\n...")
        item.growth = -1
        #expect(pixelArt(paint(3, 6, [.decoration(item)])) == "###\n...\n###\n...\n...\n...")
    }

    @Test func picturesFillTheirRectangleAndTile() throws {
        let store = ImageStore()
        let pixmap = Pixmap(width: 2, height: 1, pixels: [0xFF00_00FF, 0xFFFF_0000])
        try store.setPicture("dot.png", try PNGEncoder().encode(pixmap))
        store.setLambda("dot", .picture("dot.png"))
        let clip = RoundedRect(rect: Rect(x: 0, y: 0, width: 5, height: 2))
        let once = ImageItem(source: "dot", isLambda: true, rect: Rect(x: 1, y: 1, width: 2, height: 1), clip: clip)
        #expect(pixelArt(paint(5, 2, [.image(once)], pictures: store)) == ".....\n.RB..")
        let tiled = ImageItem(
            source: "dot", isLambda: true, rect: Rect(x: 1, y: 0, width: 2, height: 1), clip: clip,
            tile: Size(width: 2, height: 1))
        #expect(pixelArt(paint(5, 2, [.image(tiled)], pictures: store)) == "BRBRB\nBRBRB")
    }

    @Test func lambdaListsAreDrawnIntoTheirBox() {
        let store = ImageStore()
        var list = DisplayList(size: Size(width: 2, height: 2), background: .transparent)
        list.items = [.fill(RoundedRect(rect: Rect(x: 1, y: 0, width: 1, height: 1)), .color(.black))]
        store.setLambda("l", .list(list))
        let rect = Rect(x: 1, y: 0, width: 4, height: 2)
        #expect(
            pixelArt(
                paint(
                    5, 2, [.image(ImageItem(source: "l", isLambda: true, rect: rect, clip: RoundedRect(rect: rect)))],
                    pictures: store)) == "...##\n.....")
    }

    @Test func lambdasThatHoldThemselvesEnd() {
        let store = ImageStore()
        let rect = Rect(x: 0, y: 0, width: 2, height: 2)
        var list = DisplayList(size: Size(width: 2, height: 2), background: .transparent)
        list.items = [.image(ImageItem(source: "l", isLambda: true, rect: rect, clip: RoundedRect(rect: rect)))]
        store.setLambda("l", .list(list))
        #expect(pixelArt(paint(2, 2, list.items, pictures: store)) == "..\n..")
    }

    @Test func extremeGeometryIsHarmless() {
        let huge = Rect(x: -1e30, y: .nan, width: .infinity, height: 1e38)
        let round = Size(width: 1e30, height: .nan)
        let radii = CornerRadii(topLeft: round, topRight: round, bottomRight: round, bottomLeft: round)
        _ = paint(
            4, 4,
            [
                .fill(RoundedRect(rect: huge, radii: radii), .color(.black)),
                .boxShadow(RoundedRect(rect: huge, radii: radii), Shadow(x: .nan, y: 1e30, blur: 1e9, color: .black)),
                .border(BorderItem(outer: RoundedRect(rect: huge, radii: radii), sides: Sides(side(1e20, .dotted)))),
                .decoration(
                    DecorationItem(x: -1e20, y: 1, width: .infinity, thickness: 1e10, style: .wavy, color: .black)),
                .pushClip(RoundedRect(rect: huge)), .pushOpacity(.nan), .pop, .pop, .pop,
            ])
    }

    @Test func theSameListGivesTheSamePixels() {
        let items: [DisplayItem] = [
            .boxShadow(
                RoundedRect(rect: Rect(x: 5, y: 5, width: 20, height: 20)), Shadow(x: 1, y: 2, blur: 6, color: red)),
            border(Rect(x: 3, y: 3, width: 30, height: 22), side(3, .dotted, blue)),
        ]
        #expect(paint(40, 30, items).makePixmap() == paint(40, 30, items).makePixmap())
    }
}
