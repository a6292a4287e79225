import Testing

@testable import FancyTextImages

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextPainting

@Suite struct CanvasTests {
    private let black = Paint.solid(0xFF00_0000)

    @Test func wholePixelRectanglesHaveHardEdges() {
        let canvas = Bitmap(width: 5, height: 4, background: .white)
        canvas.fill(DeviceRect(minX: 1, minY: 1, maxX: 4, maxY: 3), paint: black)
        #expect(pixelArt(canvas) == ".....\n.###.\n.###.\n.....")
    }

    @Test func fractionalEdgesCoverInProportion() {
        let canvas = Bitmap(width: 3, height: 1)
        canvas.fill(Rect(x: 0.5, y: 0, width: 1.75, height: 1), paint: black)
        let alphas = canvas.makePixmap().pixels.map { $0 >> 24 }
        #expect(alphas == [128, 255, 64])
    }

    @Test(arguments: [
        (0, ".####.\n######\n######\n######\n######\n.####."),
        (-Float.infinity, "..##..\n..##..\n######\n######\n..##..\n..##.."),
        (.infinity, "######\n######\n######\n######\n######\n######"),
    ])
    func cornersHaveTheirShape(_ curvature: Float, _ expected: String) {
        let canvas = Bitmap(width: 6, height: 6, background: .white)
        let size = Size(width: 2, height: 2)
        var radii = CornerRadii(topLeft: size, topRight: size, bottomRight: size, bottomLeft: size)
        radii.curvatures = SIMD4(repeating: curvature)
        let shape = RoundedRect(rect: Rect(x: 0, y: 0, width: 6, height: 6), radii: radii)
        canvas.fill(shape, paint: black)
        // Half-covered pixels count as covered.
        let art = canvas.makePixmap().pixels.map { $0 & 255 < 192 ? "#" : "." }
        let rows = stride(from: 0, to: 36, by: 6).map { art[$0..<$0 + 6].joined() }
        #expect(rows.joined(separator: "\n") == expected)
    }

    /// A superellipse is between the round corner and the square one; hollow ones are its mirror images.
    @Test func curvesLieInOrder() {
        func covered(_ curvature: Float) -> Int {
            let canvas = Bitmap(width: 40, height: 40)
            let size = Size(width: 20, height: 20)
            var radii = CornerRadii(topLeft: size, topRight: size, bottomRight: size, bottomLeft: size)
            radii.curvatures = SIMD4(repeating: curvature)
            canvas.fill(
                RoundedRect(rect: Rect(x: 0, y: 0, width: 40, height: 40), radii: radii), paint: black)
            return canvas.makePixmap().pixels.reduce(0) { $0 + Int($1 >> 24) }
        }
        let areas = [-1, 0, 1, 2, 5].map { covered($0) }
        #expect(areas == areas.sorted())
        #expect(abs(covered(2) + covered(-2) - 1600 * 255) < 1600)
    }

    @Test func drawingOutsideTheCanvasIsClipped() {
        let canvas = Bitmap(width: 3, height: 3, background: .white)
        canvas.fill(DeviceRect(minX: -10, minY: 1, maxX: 100, maxY: 2), paint: black)
        canvas.fill(.circle(centerX: 1e9, centerY: -1e9, radius: 50), paint: black)
        #expect(pixelArt(canvas) == "...\n###\n...")
    }

    /// Columns and rows left of and above the canvas, where a shadow's mask has space for its blur.
    @Test func masksOfOverlappingPathsHoldAtNegativePlaces() {
        let canvas = Bitmap(width: 4, height: 4)
        let area = DeviceRect(minX: -7, minY: -21, maxX: 5, maxY: 3)
        for shape in [Rect(x: -6, y: -19, width: 9, height: 20), Rect(x: -6.25, y: -3.5, width: 8, height: 3)] {
            let path = Path(RoundedRect(rect: shape))
            #expect(canvas.overlappingMask(of: path, area: area).bytes == canvas.mask(of: path, area: area).bytes)
        }
    }

    @Test func pathsOfOppositeDirectionCutEachOtherOut() {
        let canvas = Bitmap(width: 6, height: 6, background: .white)
        var path = Path(RoundedRect(rect: Rect(x: 0, y: 0, width: 6, height: 6)))
        path.append(RoundedRect(rect: Rect(x: 2, y: 2, width: 2, height: 2)), clockwise: false)
        canvas.fill(path, paint: black)
        #expect(pixelArt(canvas) == "######\n######\n##..##\n##..##\n######\n######")
    }

    @Test func triangleCoverageIsItsExactArea() {
        let canvas = Bitmap(width: 4, height: 4)
        canvas.fill(Path(polygon: [Point(x: 0, y: 0), Point(x: 4, y: 4), Point(x: 0, y: 4)]), paint: black)
        let alphas = canvas.makePixmap().pixels.map { $0 >> 24 }
        #expect(alphas == [128, 0, 0, 0, 255, 128, 0, 0, 255, 255, 128, 0, 255, 255, 255, 128])
    }

    @Test(arguments: [3.0, 17.5, 60.25] as [Float])
    func circleAreaIsPiRSquared(radius: Float) {
        let size = Int(radius * 2) + 4
        let canvas = Bitmap(width: size, height: size)
        canvas.fill(.circle(centerX: radius + 1.3, centerY: radius + 1.7, radius: radius), paint: black)
        let area = canvas.makePixmap().pixels.reduce(0.0) { $0 + Double($1 >> 24) / 255 }
        let exact = Double(radius * radius) * Double.pi
        #expect(abs(area - exact) < exact * 0.006)
    }

    @Test func roundedRectanglesEqualTheirPath() {
        let radius = Size(width: 7, height: 5)
        let shape = RoundedRect(
            rect: Rect(x: 2, y: 3, width: 40, height: 30),
            radii: CornerRadii(
                topLeft: radius, topRight: .zero, bottomRight: radius, bottomLeft: Size(width: 3, height: 9)))
        let fast = Bitmap(width: 50, height: 40)
        fast.fill(shape, paint: black)
        let slow = Bitmap(width: 50, height: 40)
        slow.fill(Path(shape), paint: black)
        #expect(fast.makePixmap() == slow.makePixmap())
    }

    @Test func clipsNestAndEnd() {
        let canvas = Bitmap(width: 6, height: 3, background: .white)
        canvas.pushClip(RoundedRect(rect: Rect(x: 1, y: 0, width: 4, height: 3)))
        canvas.pushClip(RoundedRect(rect: Rect(x: 3, y: 1, width: 3, height: 2)))
        canvas.fill(DeviceRect(minX: 0, minY: 0, maxX: 6, maxY: 3), paint: black)
        canvas.pop()
        canvas.fill(DeviceRect(minX: 0, minY: 0, maxX: 6, maxY: 1), paint: .solid(0xFF00_00FF))
        canvas.pop()
        #expect(pixelArt(canvas) == ".RRRR.\n...##.\n...##.")
    }

    @Test func roundClipsMultiplyWithWhatTheyClip() {
        let canvas = Bitmap(width: 20, height: 20)
        canvas.pushClip(.circle(centerX: 10, centerY: 10, radius: 8))
        canvas.fill(DeviceRect(minX: 0, minY: 0, maxX: 20, maxY: 20), paint: black)
        canvas.pop()
        let direct = Bitmap(width: 20, height: 20)
        direct.fill(.circle(centerX: 10, centerY: 10, radius: 8), paint: black)
        #expect(canvas.makePixmap() == direct.makePixmap())
    }

    @Test func inverseClipsKeepTheOutside() {
        let canvas = Bitmap(width: 4, height: 1, background: .white)
        canvas.pushClip(Path(RoundedRect(rect: Rect(x: 1, y: 0, width: 2, height: 1))), isInverse: true)
        canvas.fill(DeviceRect(minX: 0, minY: 0, maxX: 4, maxY: 1), paint: black)
        canvas.pop()
        #expect(pixelArt(canvas) == "#..#")
    }

    @Test func groupsFadeAsOne() {
        let canvas = Bitmap(width: 3, height: 1, background: .white)
        canvas.pushLayer(LayerEffect(opacity: 0.5))
        canvas.fill(DeviceRect(minX: 0, minY: 0, maxX: 2, maxY: 1), paint: black)
        canvas.fill(DeviceRect(minX: 1, minY: 0, maxX: 3, maxY: 1), paint: black)
        canvas.pop()
        // The overlap of the two is no darker.
        #expect(Set(canvas.makePixmap().pixels).count == 1)
        #expect(canvas.makePixmap().pixels[0] & 0xFF == 127)
    }

    /// On a plain backdrop, on another, and on earlier contents.
    @Test(arguments: [24, 16, 15, 8, 7, 4, 3, 1])
    func glyphsBlendAlikeOnEveryGround(glyphWidth: Int) {
        let (width, height) = (40, 30)
        let canvas = Bitmap(width: width, height: height, background: .white)
        var expected = canvas.makePixmap().pixels
        let coverage = (0..<24 * 16).map { $0 / 8 % 4 == 0 ? 0 : UInt8(truncatingIfNeeded: $0 &* 37) }
        let tables = [(0..<256).map { UInt8($0) }, (0..<256).map { UInt8($0 * $0 / 255) }]
        let black: UInt32 = 0xFF00_0000
        let glass: UInt32 = 0x8040_0020
        let steps: [(x: Int, y: Int, color: UInt32, table: Int)] = [
            (0, 0, black, 0), (0, 0, black, 1), (10, 8, black, 0), (3, 14, glass, 0), (16, 14, glass, 1),
            (30, 20, black, 0),
        ]
        // Repeated, so that a narrow one also gets a table for its backdrop.
        for number in 0..<24 * steps.count {
            let step = steps[number % steps.count]
            if number % steps.count == 0 {
                canvas.reset(width: width, rows: 0..<height, background: .white)
                expected = [UInt32](repeating: .max, count: width * height)
            }
            let table = tables[step.table]
            canvas.blendGlyph(
                coverage, stride: 24,
                area: DeviceRect(minX: step.x, minY: step.y, maxX: step.x + glyphWidth, maxY: step.y + 16),
                table: table,
                paint: .solid(step.color))
            for y in 0..<16 where step.y + y < height {
                for x in 0..<glyphWidth where step.x + x < width {
                    let place = (step.y + y) * width + step.x + x
                    let source = Pixel.scale(step.color, by: UInt32(table[Int(coverage[y * 24 + x])]))
                    expected[place] = Pixel.over(source, expected[place])
                }
            }
            #expect(canvas.makePixmap().pixels == expected)
        }
    }

    @Test func popWithoutPushDoesNothing() {
        let canvas = Bitmap(width: 1, height: 1, background: .white)
        canvas.pop()
        canvas.fill(DeviceRect(minX: 0, minY: 0, maxX: 1, maxY: 1), paint: black)
        #expect(pixelArt(canvas) == "#")
    }

    @Test func resetReusesTheCanvasWithoutTraces() {
        let canvas = Bitmap(width: 8, height: 8, background: .black)
        canvas.pushLayer(LayerEffect(opacity: 0.2))
        canvas.reset(width: 2, rows: 0..<2, background: .white)
        #expect(pixelArt(canvas) == "..\n..")
    }

    /// After any earlier drawing.
    @Test func aPictureStartsLikeOneOnAFreshCanvas() {
        let red = Paint.solid(0xFF00_00FF)
        var round = Path()
        for (number, point) in [(8, 3), (13, 9), (6, 14)].enumerated() {
            let (x, y) = (Float(point.0), Float(point.1))
            if number == 0 { round.move(x, y) } else { round.line(x, y) }
        }
        let drawings: [(Bitmap) -> Void] = [
            { _ in },
            { $0.fill(DeviceRect(minX: 2, minY: 3, maxX: 9, maxY: 5), paint: red) },
            { $0.fill(Rect(x: 1.5, y: 2.5, width: 4, height: 3), paint: red) },
            { $0.fill(round, paint: red) },
            { canvas in
                let coverage = [UInt8](repeating: 90, count: 30)
                canvas.blendGlyph(
                    coverage, stride: 3, area: DeviceRect(minX: 4, minY: 2, maxX: 7, maxY: 12),
                    table: (0..<256).map { UInt8($0) }, paint: red)
            },
            { canvas in
                canvas.pushLayer(LayerEffect(opacity: 0.5))
                canvas.fill(round, paint: red)
                canvas.pop()
            },
            { canvas in
                canvas.pushLayer(LayerEffect(composite: .blend(.multiply)))
                canvas.fill(DeviceRect(minX: 0, minY: 7, maxX: 20, maxY: 8), paint: red)
                canvas.pop()
            },
            { canvas in
                canvas.pushTransform(Transform(scaleX: 1, scaleY: 1, x: 3, y: 4.5))
                canvas.fill(Rect(x: 0, y: 0, width: 5, height: 5), paint: red)
                canvas.pop()
            },
            { canvas in canvas.takePixels { $0[$0.count - 1] = 0x1234_5678 } },
        ]
        let canvas = Bitmap()
        for step in 0..<400 {
            // Mostly the same size and colour, and each drawing after each other one.
            let (width, rows) = step % 7 == 0 ? (18, 0..<20) : step % 11 == 0 ? (16, 4..<24) : (16, 0..<20)
            let background = step % 13 == 0 ? Color.black : .white
            let fresh = Bitmap()
            for canvas in [canvas, fresh] {
                canvas.reset(width: width, rows: rows, background: background)
                drawings[step * 5 / 3 % drawings.count](canvas)
            }
            #expect(canvas.makePixmap().pixels == fresh.makePixmap().pixels, "step \(step)")
        }
    }

    @Test func strokesAreAsWideAsTheirPen() {
        let canvas = Bitmap(width: 6, height: 5, background: .white)
        var line = Path()
        line.move(1, 2.5)
        line.line(5, 2.5)
        canvas.fill(Stroker.stroke(line, width: 3), paint: black)
        #expect(pixelArt(canvas) == "......\n.####.\n.####.\n.####.\n......")
    }

    @Test func closedStrokesAreRingsWithMitres() {
        let canvas = Bitmap(width: 7, height: 7, background: .white)
        let square = Path(RoundedRect(rect: Rect(x: 1, y: 1, width: 5, height: 5)))
        canvas.fill(Stroker.stroke(square, width: 2), paint: black)
        #expect(pixelArt(canvas) == "#######\n#######\n##...##\n##...##\n##...##\n#######\n#######")
    }
}
