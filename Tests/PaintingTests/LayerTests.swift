// Pixels of transforms, clip paths, blending, masks and filters.

import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextPainting
@testable import FancyTextTypography

@Suite struct LayerTests {
    private let red = Color(red: 255, green: 0, blue: 0)
    private let green = Color(red: 0, green: 255, blue: 0)
    private let blue = Color(red: 0, green: 0, blue: 255)

    private func paint(
        _ width: Float, _ height: Float, background: Color = .white, scale: Float = 1, _ items: [DisplayItem],
        glyphs: [PositionedGlyph] = []
    ) -> Bitmap {
        var list = DisplayList(size: Size(width: width, height: height), background: background)
        list.items = items
        list.glyphs = glyphs
        var painter = Painter()
        let pictures = NoPictures()
        let canvas = Bitmap()
        painter.paint(
            list, fonts: NoFont(), pictures: pictures, options: PaintOptions(scale: scale, textContrast: .none),
            into: canvas)
        return canvas
    }

    private func fill(_ x: Float, _ y: Float, _ width: Float, _ height: Float, _ color: Color) -> DisplayItem {
        .fill(RoundedRect(rect: Rect(x: x, y: y, width: width, height: height)), .color(color))
    }

    /// A quarter turn clockwise about the origin, moved to the right.
    private let quarter = Transform(xx: 0, yx: 1, xy: -1, yy: 0, x: 6, y: 0)

    // MARK: Transforms

    /// The plane vanishes at column 2; the part behind the viewer is not seen.
    @Test func projectionsMoveWholeLayers() {
        var layer = LayerItem()
        layer.filters = [.projection(Projection(x: [1, 0, 0.5], y: [0, 1, 0], origin: [0, 0, 1]))]
        let canvas = paint(4, 8, [.pushLayer(layer), fill(-9, 0, 90, 8, red), .pop])
        #expect(pixelArt(canvas).split(separator: "\n").map { $0.filter { $0 == "R" }.count }[0] == 2)
        layer.filters = [.projection(Projection(Transform(x: 2, y: 1)))]
        #expect(pixelArt(paint(4, 3, [.pushLayer(layer), fill(0, 0, 1, 1, red), .pop])) == "....\n..R.\n....")
    }

    @Test func quarterTurnsAreExact() {
        let items: [DisplayItem] = [.pushTransform(quarter), fill(1, 2, 3, 1, red), .pop, fill(0, 0, 1, 1, blue)]
        #expect(pixelArt(paint(6, 5, items)) == "B.....\n...R..\n...R..\n...R..\n......")
    }

    @Test func theDeviceScaleStaysOutside() {
        let items: [DisplayItem] = [.pushTransform(quarter), fill(1, 2, 1, 1, red), .pop]
        #expect(pixelArt(paint(6, 2, scale: 2, items)) == "............\n............\n......RR....\n......RR....")
    }

    @Test func transformsNest() {
        let items: [DisplayItem] = [
            .pushTransform(Transform(x: 1, y: 1)), .pushTransform(Transform(scaleX: 2, scaleY: 2)),
            fill(0, 0, 1, 1, red),
            .pop, fill(3, 0, 1, 1, blue), .pop, fill(0, 3, 1, 1, green),
        ]
        #expect(pixelArt(paint(5, 4, items)) == ".....\n.RR.B\n.RR..\nG....")
    }

    @Test func nothingShowsThroughALine() {
        let items: [DisplayItem] = [
            .pushTransform(Transform(scaleX: 0, scaleY: 1)), fill(0, 0, 9, 9, red), .pop, fill(0, 0, 1, 1, blue),
        ]
        #expect(pixelArt(paint(2, 1, items)) == "B.")
    }

    @Test func bordersAndShadowsAndClipsTurn() {
        let side = BorderSide(width: 1, style: .solid)
        let shape = RoundedRect(rect: Rect(x: 0, y: 1, width: 4, height: 3))
        let items: [DisplayItem] = [
            .pushTransform(quarter), .pushClip(RoundedRect(rect: Rect(x: 0, y: 0, width: 3, height: 9))),
            .boxShadow(shape, Shadow(x: 0, y: 1, blur: 0, color: red)),
            .border(BorderItem(outer: shape, sides: Sides(side))), .pop, .pop,
        ]
        #expect(pixelArt(paint(6, 4, items)) == ".R###.\n.R#.#.\n.R#.#.\n......")
    }

    @Test func gradientsTurnWithTheirBox() {
        let gradient = Gradient(
            shape: .linear(angle: 90),
            stops: [
                GradientStop(color: red, position: LengthPercentage(fraction: 0.5)),
                GradientStop(color: blue, position: LengthPercentage(fraction: 0.5)),
            ])
        let box = Rect(x: 0, y: 2, width: 4, height: 2)
        let items: [DisplayItem] = [
            .pushTransform(quarter), .fill(RoundedRect(rect: box), .gradient(gradient, box: box)), .pop,
        ]
        #expect(pixelArt(paint(6, 4, items)) == "..RR..\n..RR..\n..BB..\n..BB..")
    }

    @Test func glyphsTurn() {
        let item = GlyphsItem(font: FontID(rawValue: 0), glyphs: 0..<1, fill: .color(red))
        let items: [DisplayItem] = [.pushTransform(quarter), .glyphs(item), .pop]
        #expect(
            pixelArt(paint(6, 4, items, glyphs: [PositionedGlyph(id: 1, x: 0, y: 4)]))
                == "..RR..\n..RR..\n..RR..\n..RR..")
    }

    // MARK: Clip paths

    @Test func evenOddLeavesHoles() {
        var path = Path(RoundedRect(rect: Rect(x: 0, y: 0, width: 5, height: 5)))
        path.append(RoundedRect(rect: Rect(x: 1, y: 1, width: 3, height: 3)))
        for (isEvenOdd, middle) in [(true, "R...R"), (false, "RRRRR")] {
            let items: [DisplayItem] = [.pushClipPath(path, isEvenOdd: isEvenOdd), fill(0, 0, 9, 9, red), .pop]
            #expect(pixelArt(paint(5, 5, items)) == "RRRRR\n\(middle)\n\(middle)\n\(middle)\nRRRRR")
        }
    }

    // MARK: Blending

    @Test(arguments: [
        (BlendMode.normal, [200, 100, 50]), (.multiply, [78, 78, 49]), (.screen, [222, 222, 251]),
        (.darken, [100, 100, 50]), (.lighten, [200, 200, 250]), (.difference, [100, 100, 200]),
        (.exclusion, [143, 143, 202]), (.overlay, [157, 188, 247]), (.hardLight, [188, 157, 98]),
        (.colorDodge, [255, 255, 255]), (.colorBurn, [57, 115, 230]), (.softLight, [134, 190, 246]),
        (.plusLighter, [255, 255, 255]),
    ])
    func colorsBlend(_ mode: BlendMode, _ expected: [UInt32]) {
        let below = Color(red: 100, green: 200, blue: 250)
        let items: [DisplayItem] = [
            .pushLayer(LayerItem(composite: .blend(mode))), fill(0, 0, 1, 1, Color(red: 200, green: 100, blue: 50)),
            .pop,
        ]
        let pixel = paint(1, 1, background: below, items).makePixmap()[0, 0]
        let channels = [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255]
        for (channel, value) in zip(channels, expected) {
            #expect(abs(Int(channel) - Int(value)) <= 1, "\(mode): \(channels)")
        }
    }

    @Test func huesBlend() {
        let grey = Color(red: 128, green: 128, blue: 128)
        for mode in [BlendMode.hue, .saturation, .color] {
            let items: [DisplayItem] = [
                .pushLayer(LayerItem(composite: .blend(mode))), fill(0, 0, 1, 1, red), .pop,
            ]
            let pixel = paint(1, 1, background: grey, items).makePixmap()[0, 0]
            // Grey has no hue to saturate; the colour's luminosity is that of the grey.
            #expect((pixel == 0xFF80_8080) == (mode != .color), "\(mode)")
        }
    }

    // MARK: Layers

    @Test func layersAreAsLargeAsTheirContents() {
        let canvas = Bitmap(width: 10, height: 10)
        canvas.pushLayer(bounds: DeviceRect(minX: 2, minY: 3, maxX: 40, maxY: 5))
        #expect(canvas.visibleArea == DeviceRect(minX: 2, minY: 3, maxX: 10, maxY: 5))
        canvas.pop()
        #expect(canvas.visibleArea == DeviceRect(minX: 0, minY: 0, maxX: 10, maxY: 10))
        canvas.pushLayer(bounds: DeviceRect(minX: 20, minY: 30, maxX: 40, maxY: 50))
        #expect(canvas.visibleArea.isEmpty)
        canvas.fill(DeviceRect(minX: 0, minY: 0, maxX: 50, maxY: 50), paint: .solid(0xFF00_00FF))
        canvas.pop()
        #expect(!pixelArt(canvas).contains("R"))
    }

    @Test func deepLayersArePaintedInBands() {
        let layers = Array(repeating: DisplayItem.pushOpacity(0.99), count: 30)
        var blur = LayerItem()
        blur.filters = [.blur(2)]
        let items = layers + [.pushLayer(blur), fill(0, 0, 64, 10_000, red), .pop] + layers.map { _ in .pop }
        var list = DisplayList(size: Size(width: 64, height: 10_000), background: .white)
        list.items = items
        #expect(LayerBounds.bandHeight(list, width: 64, height: 10_000).map { $0 * 64 * 31 <= 1 << 24 } == true)
        #expect(LayerBounds.bandHeight(list, width: 64, height: 100) == nil)
        let picture = paint(64, 10_000, items).makePixmap()
        #expect(Set((20..<9980).map { picture[32, $0] }).count == 1)
    }

    @Test func masksShowWhatLiesBelowThem() {
        func masked(_ items: [DisplayItem]) -> [DisplayItem] {
            [.pushLayer(LayerItem()), fill(0, 0, 6, 1, red), .pushLayer(LayerItem(composite: .destinationIn))] + items
                + [.pop, .pop]
        }
        #expect(pixelArt(paint(6, 1, masked([fill(1, 0, 2, 1, .black)]))) == ".RR...")
        #expect(pixelArt(paint(6, 1, masked([]))) == "......")
        for (composite, expected) in [
            (Composite.sourceIn, "..R..."), (.sourceOut, "...R.."), (.exclusive, ".R.R.."),
        ] {
            let layers: [DisplayItem] = [
                fill(1, 0, 2, 1, .black), .pushLayer(LayerItem(composite: composite)), fill(2, 0, 2, 1, .black), .pop,
            ]
            #expect(pixelArt(paint(6, 1, masked(layers))) == expected)
        }
        var luminance = LayerItem()
        luminance.isLuminanceMask = true
        let layers: [DisplayItem] = [
            .pushLayer(luminance), fill(0, 0, 2, 1, .white), fill(2, 0, 2, 1, .black), .pop,
        ]
        #expect(pixelArt(paint(6, 1, masked(layers))) == "RR....")
    }

    // MARK: Filters

    private func filtered(_ filter: FilterFunction, _ color: Color) -> [UInt32] {
        var layer = LayerItem()
        layer.filters = [filter]
        let pixel = paint(1, 1, background: .transparent, [.pushLayer(layer), fill(0, 0, 1, 1, color), .pop])
            .makePixmap()[0, 0]
        return [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255, pixel >> 24]
    }

    @Test(arguments: [
        (FilterFunction.brightness(0.5), [100, 50, 25, 255]), (.contrast(0.5), [164, 114, 89, 255]),
        (.invert(1), [55, 155, 205, 255]), (.grayscale(1), [118, 118, 118, 255]), (.opacity(0.5), [100, 50, 25, 128]),
        (.saturate(0), [118, 118, 118, 255]), (.sepia(1), [165, 147, 114, 255]), (.hueRotate(0), [200, 100, 50, 255]),
        (.hueRotate(180), [35, 135, 185, 255]), (.blur(0), [200, 100, 50, 255]),
    ])
    func filtersChangeColors(_ filter: FilterFunction, _ expected: [UInt32]) {
        let channels = filtered(filter, Color(red: 200, green: 100, blue: 50))
        for (channel, value) in zip(channels, expected) {
            #expect(abs(Int(channel) - Int(value)) <= 1, "\(filter): \(channels)")
        }
    }

    @Test func blursReachBeyondTheirContents() {
        var layer = LayerItem()
        layer.filters = [.blur(3)]
        let canvas = paint(41, 41, [.pushLayer(layer), fill(15, 15, 11, 11, .black), .pop])
        let picture = canvas.makePixmap()
        let (middle, near, far) = (picture[20, 20] & 255, picture[12, 20] & 255, picture[2, 20] & 255)
        #expect(middle < 40 && near > 130 && near < 250 && far == 255)
        for y in 0..<41 { #expect(picture[y, 20] == picture[20, y]) }
    }

    @Test func dropShadowsFollowTheShape() {
        var layer = LayerItem()
        layer.filters = [.dropShadow(Shadow(x: 1, y: 1, blur: 0, color: blue), isCurrentColor: false)]
        #expect(pixelArt(paint(4, 3, [.pushLayer(layer), fill(0, 0, 2, 1, red), .pop])) == "RR..\n.BB.\n....")
    }

    @Test func backdropsAreThoseBelowTheBox() {
        let shape = RoundedRect(rect: Rect(x: 1, y: 0, width: 2, height: 1))
        let items: [DisplayItem] = [
            fill(0, 0, 4, 1, .black), .pushLayer(LayerItem()), .backdrop(shape, filters: [.invert(1)], layers: 1),
            fill(2, 0, 1, 1, red), .pop,
        ]
        #expect(pixelArt(paint(4, 1, items)) == "#.R#")
    }

    @Test func extremeEffectsAreHarmless() {
        let wild: [Transform] = [
            Transform(xx: .nan, yx: 0, xy: 0, yy: 1, x: 0, y: 0), Transform(scaleX: 1e30, scaleY: 1e30),
            Transform(scaleX: 1e-20, scaleY: 1e-20), Transform(xx: 1e10, yx: 1, xy: 1, yy: 1e-9, x: 1e20, y: -1e20),
        ]
        var layer = LayerItem(opacity: .nan)
        layer.filters = [
            .blur(1e20), .dropShadow(Shadow(x: 1e20, y: .nan, blur: 1e9, color: red), isCurrentColor: false),
            .contrast(.infinity),
        ]
        let shape = RoundedRect(rect: Rect(x: 1, y: 1, width: 1e7, height: 3))
        for transform in wild {
            _ = paint(
                4, 4,
                [
                    .pushTransform(transform), .pushLayer(layer), .fill(shape, .color(red)),
                    .boxShadow(shape, Shadow(x: 1, y: 1, blur: 5, color: blue)),
                    .decoration(DecorationItem(x: 0, y: 1, width: 1e6, thickness: 2, style: .wavy, color: .black)),
                    .backdrop(shape, filters: [.blur(1e9)], layers: 1), .pop, .pop,
                ])
        }
    }
}
