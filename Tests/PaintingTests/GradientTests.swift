import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextPainting

@Suite struct GradientTests {
    private func row(_ gradient: Gradient, width: Int, height: Int = 1, y: Int = 0) -> [Color] {
        let shader = GradientShader(
            gradient, box: Rect(x: 0, y: 0, width: Float(width), height: Float(height)), scale: 1)
        var pixels = [UInt32](repeating: 0, count: width)
        pixels.withUnsafeMutableBufferPointer {
            shader.fill($0, from: Point(x: 0.5, y: Float(y) + 0.5), step: Point(x: 1, y: 0))
        }
        return pixels.map(Pixel.straight)
    }
    private let red = Color(red: 255, green: 0, blue: 0)
    private let blue = Color(red: 0, green: 0, blue: 255)
    private func stop(_ color: Color, _ percent: Float? = nil) -> GradientStop {
        GradientStop(color: color, position: percent.map { LengthPercentage(fraction: $0 / 100) })
    }

    @Test func linearInterpolatesAtPixelCentres() {
        let colors = row(Gradient(shape: .linear(angle: 90), stops: [stop(.black), stop(.white)]), width: 10)
        for (index, color) in colors.enumerated() {
            #expect(abs(Float(color.red) - (Float(index) + 0.5) * 25.5) <= 1)
        }
    }

    /// The budget of painting counts what the arc tangent of each pixel costs.
    @Test func conicGradientsCostMore() {
        func work(_ shape: Gradient.Shape) -> Int {
            let gradient = Gradient(shape: shape, stops: [stop(red), stop(blue)])
            return Paint.shader(GradientShader(gradient, box: Rect(x: 0, y: 0, width: 9, height: 9), scale: 1)).work
        }
        let middle = Gradient.Position(x: LengthPercentage(fraction: 0.5), y: LengthPercentage(fraction: 0.5))
        #expect(work(.conic(from: 0, center: middle)) == 2 * work(.linear(angle: 90)))
    }

    /// Readers and writers of vector formats disagree on stops that coincide at an end of the line.
    @Test(
        arguments: [
            (false, [50, 50], [0, 0.5, 0.5, 1]), (false, [0, 25, 25], [0, 1.0 / 3, 2.0 / 3, 2.0 / 3, 1]),
            (true, [0, 0, 50], [0, 1]),
        ] as [(Bool, [Float], [Float])])
    func vectorsHaveNoStopsThatCoincideAtTheEnds(_ repeats: Bool, _ places: [Float], _ offsets: [Float]) {
        let stops = zip([red, blue, .black], places).map { stop($0, $1) }
        let gradient = Gradient(shape: .linear(angle: 90), stops: stops, isRepeating: repeats)
        let vector = GradientShader(gradient, box: Rect(x: 0, y: 0, width: 400, height: 1), scale: 1).vector()
        #expect(zip(vector?.stops.map(\.offset) ?? [], offsets).allSatisfy { abs($0 - $1) < 1e-3 })
        #expect(vector?.stops.count == offsets.count)
    }

    /// The time of vector formats is quadratic in the stops.
    @Test func vectorsHaveBoundedStops() {
        let colors = (0..<5000).map { stop($0 % 2 == 0 ? red : blue) }
        for (count, interpolation) in [(20, nil), (20, longWay), (5000, nil), (5000, longWay)] {
            var gradient = Gradient(shape: .linear(angle: 90), stops: Array(colors.prefix(count)))
            gradient.interpolation = interpolation
            let box = Rect(x: 0, y: 0, width: 400, height: 1)
            let stops = GradientShader(gradient, box: box, scale: 1).vector()?.stops ?? []
            #expect(stops.count >= count || stops.count > 2000)
            #expect(stops.count < 2100 && zip(stops, stops.dropFirst()).allSatisfy { $0.offset <= $1.offset })
            #expect(stops.first?.offset == 0 && stops.last?.offset == 1)
        }
    }
    private let longWay: ColorInterpolation = {
        var result = ColorInterpolation()
        (result.space, result.hue) = (.oklch, .longer)
        return result
    }()

    /// Pixels that share a colour are filled together, with the same result as separately.
    @Test(arguments: [90, 270, 35, 215, 100] as [Float])
    func rowsAreTheirPixels(_ angle: Float) {
        for stops in [
            [stop(red), stop(blue)], [stop(.black, 20), stop(Color(red: 20, green: 3, blue: 0), 90)],
            [stop(red, 30), stop(red, 60)], [stop(.white, 50), stop(.black, 50), stop(red)],
        ] {
            let shader = GradientShader(
                Gradient(shape: .linear(angle: angle), stops: stops), box: Rect(x: 0, y: 0, width: 500, height: 40),
                scale: 1)
            for y in [0, 17, 39] {
                var pixels = [UInt32](repeating: 0, count: 500)
                let start = Point(x: 0.5, y: Float(y) + 0.5)
                pixels.withUnsafeMutableBufferPointer { shader.fill($0, from: start, step: Point(x: 1, y: 0)) }
                for (x, pixel) in pixels.enumerated() {
                    var alone: [UInt32] = [0, 0]
                    let point = Point(x: Float(x) + 0.5, y: start.y)
                    alone.withUnsafeMutableBufferPointer { shader.fill($0, from: point, step: Point(x: 1, y: 0)) }
                    let (a, b) = (Pixel.straight(pixel), Pixel.straight(alone[0]))
                    let difference = max(abs(Int(a.red) - Int(b.red)), abs(Int(a.blue) - Int(b.blue)))
                    // A pixel on the edge between two entries may be rounded to either.
                    #expect(difference <= 1, "\(angle)° \(x), \(y): \(a), alone \(b)")
                }
            }
        }
    }

    @Test func anglesTurnClockwiseFromTheTop() {
        let up = row(Gradient(shape: .linear(angle: 0), stops: [stop(red), stop(blue)]), width: 1, height: 100, y: 0)
        #expect(up[0].blue > 250)
        let left = row(Gradient(shape: .linear(angle: 270), stops: [stop(red), stop(blue)]), width: 100)
        #expect(left[0].blue > 250)
    }

    @Test func rowsOfAVerticalGradientAreOfOneColour() {
        let gradient = Gradient(shape: .linear(angle: 180), stops: [stop(.white, 55), stop(.black, 56)])
        for y in 0..<64 { #expect(Set(row(gradient, width: 1200, height: 64, y: y)).count == 1) }
    }

    @Test func middleOfACornerGradientJoinsTheOtherCorners() {
        let gradient = Gradient(shape: .linearTo(x: 1, y: 1), stops: [stop(.black), stop(.white)])
        let top = row(gradient, width: 200, height: 50, y: 0)[199]
        let bottom = row(gradient, width: 200, height: 50, y: 49)[0]
        #expect(abs(Int(top.red) - 127) <= 3)
        #expect(abs(Int(bottom.red) - 127) <= 3)
    }

    @Test func stopsAtOnePlaceMakeAHardEdge() {
        let colors = row(Gradient(shape: .linear(angle: 90), stops: [stop(red, 50), stop(blue, 50)]), width: 10)
        #expect(colors == Array(repeating: red, count: 5) + Array(repeating: blue, count: 5))
    }

    @Test func missingPositionsAreSpreadEvenly() {
        let colors = row(
            Gradient(shape: .linear(angle: 90), stops: [stop(.black), stop(red), stop(.black)]), width: 101)
        #expect(colors[50].red >= 252)
        #expect(abs(Int(colors[25].red) - 128) <= 2)
    }

    @Test func transparentStopsDoNotDarken() {
        let clear = Color(red: 255, green: 0, blue: 0, alpha: 0)
        let colors = row(Gradient(shape: .linear(angle: 90), stops: [stop(clear), stop(red)]), width: 10)
        #expect(colors[5].alpha > 120 && colors[5].red == 255)
    }

    @Test func hintsMoveTheMiddle() {
        var hint = stop(.black, 20)
        hint.isHint = true
        let colors = row(Gradient(shape: .linear(angle: 90), stops: [stop(.black), hint, stop(.white)]), width: 100)
        #expect(abs(Int(colors[20].red) - 128) <= 3)
    }

    @Test func repeatingStartsAgain() {
        let stops = [0, 10].map { GradientStop(color: $0 == 0 ? .black : .white, position: LengthPercentage(px: $0)) }
        let colors = row(Gradient(shape: .linear(angle: 90), stops: stops, isRepeating: true), width: 40)
        #expect(colors[3] == colors[13] && colors[13] == colors[33])
    }

    @Test func radialReachesTheFarthestCorner() {
        let gradient = Gradient(
            shape: .radial(circle: true, extent: .farthestCorner, center: .center), stops: [stop(.black), stop(.white)])
        let top = row(gradient, width: 100, height: 100, y: 0)
        #expect(top[0].red >= 251)
        // The middle of a side is 1/√2 of the way.
        #expect(abs(Int(top[50].red) - 180) <= 3)
    }

    @Test func conicTurnsClockwiseFromTheTop() {
        let gradient = Gradient(shape: .conic(from: 0, center: .center), stops: [stop(.black), stop(.white)])
        #expect(abs(Int(row(gradient, width: 101, height: 101, y: 50)[100].red) - 64) <= 2)
        #expect(abs(Int(row(gradient, width: 101, height: 101, y: 50)[0].red) - 191) <= 2)
    }

    @Test func degenerateGradientsAreHarmless() {
        _ = row(
            Gradient(
                shape: .radial(circle: false, extent: .size(.zero, .zero), center: .center),
                stops: [stop(red), stop(blue)], isRepeating: true), width: 4)
        _ = row(Gradient(shape: .linear(angle: .nan), stops: [stop(red)]), width: 4)
        _ = row(Gradient(shape: .linear(angle: 10), stops: []), width: 4)
        _ = row(
            Gradient(shape: .linear(angle: 90), stops: [stop(red, 50), stop(blue, 50)], isRepeating: true), width: 4)
    }
}

@Suite struct TextContrastTests {
    /// Coverage of vertical stems in Chromium on Linux, compared with the coverage of the outline.
    @Test(arguments: [
        (Color.black, [16: 16, 68: 67, 124: 121, 144: 141, 208: 202, 220: 214]),
        (Color.white, [16: 25, 68: 84, 124: 138, 144: 158, 208: 214, 220: 225]),
        (Color(red: 136, green: 136, blue: 136), [15: 17, 69: 73, 124: 131, 208: 212]),
        (Color(red: 255, green: 0, blue: 0), [20: 21, 76: 78, 120: 121, 184: 184]),
    ])
    func coverageIsChromiums(color: Color, pairs: [Int: Int]) {
        let table = TextContrast().table(luminanceClass: TextContrast.luminanceClass(of: color))
        // Two for the measurement, two for the rounding to steps.
        for (raw, seen) in pairs { #expect(abs(Int(table[raw]) - seen) <= 4, "\(raw)") }
    }

    @Test func noContrastOnlyRoundsToSteps() {
        for luminance in 0..<8 {
            let table = TextContrast.none.table(luminanceClass: luminance)
            for coverage in 0...255 { #expect(abs(Int(table[coverage]) - coverage) <= 2) }
        }
    }

    @Test func stepsKeepBothEnds() {
        let table = TextContrast().table(luminanceClass: 0)
        #expect(table[0] == 0 && table[255] == 255)
        #expect(Set(table).count <= TextContrast.coverageSteps + 1)
    }
}

extension GradientTests {
    // MARK: Colour spaces

    private func middle(_ css: String) -> Color? {
        Gradient(css: css).map { row($0, width: 99)[49] }
    }

    @Test(arguments: ["left right", "top top"]) func prefixedSidesAreOfDifferentAxes(_ sides: String) {
        #expect(Gradient(css: "-webkit-linear-gradient(left top, red, blue)") != nil)
        #expect(Gradient(css: "-webkit-linear-gradient(\(sides), red, blue)") == nil)
    }

    @Test func spacesMixInTheirOwnWay() throws {
        for (css, expected) in [
            ("", Color(red: 128, green: 128, blue: 0)),
            ("in srgb-linear", Color(red: 188, green: 188, blue: 0)),
            ("in hsl", Color(red: 255, green: 255, blue: 0)),
            ("in hsl longer hue", Color(red: 0, green: 0, blue: 255)),
        ] {
            let color = try #require(middle("linear-gradient(90deg \(css),red,lime)"))
            let far =
                [(color.red, expected.red), (color.green, expected.green), (color.blue, expected.blue)]
                .map { abs(Int($0) - Int($1)) }.max() ?? 0
            #expect(far <= 3, "\(css): \(color)")
        }
    }

    @Test func newerColorsMixInOklab() {
        let new = middle("linear-gradient(90deg,oklch(1 0 0),black)")
        #expect(new == middle("linear-gradient(90deg in oklab,white,black)"))
        #expect(new != middle("linear-gradient(90deg,white,black)"))
    }

    /// As in Chromium.
    @Test func colorsOutsideOfTheScreenMixWhereTheyAre() {
        let color = middle("linear-gradient(90deg,color(display-p3 0 1 0),color(display-p3 1 0 0))")
        #expect(color == Color(red: 206, green: 171, blue: 0))
    }

    @Test func spacesOfGradientsAreChecked() {
        for css in ["in red", "in oklch sideways hue", "in lab longer hue", "in hsl longer"] {
            #expect(middle("linear-gradient(\(css),red,lime)") == nil, "\(css)")
        }
    }

    // MARK: Dithering

    @Test func slowDarkGradientsAreDithered() {
        let dark = Gradient(
            shape: .linear(angle: 90),
            stops: [
                GradientStop(color: Color(red: 10, green: 10, blue: 10), position: nil),
                GradientStop(color: Color(red: 20, green: 20, blue: 20), position: nil),
            ])
        let rows = (0..<8).map { row(dark, width: 400, y: $0) }
        // Columns within a step have two adjacent colours, and their mean is between them.
        let column = rows.map { Int($0[180].red) }
        #expect(Set(column).count == 2 && column.max()! - column.min()! == 1)
        #expect(rows[0].first == Color(red: 10, green: 10, blue: 10))
        #expect(rows[0].last == Color(red: 20, green: 20, blue: 20))
        for place in stride(from: 0, to: 392, by: 8) {
            let block = rows.flatMap { $0[place..<place + 8] }.map { Float($0.red) }
            let mean = block.reduce(0, +) / 64
            #expect(abs(mean - (10 + 10 * (Float(place) + 4) / 400)) < 0.05)
        }
    }

    @Test func brightOrSteepGradientsAreNot() {
        for (first, second, width) in [(100, 110, 400), (10, 90, 100)] as [(UInt8, UInt8, Int)] {
            let gradient = Gradient(
                shape: .linear(angle: 90),
                stops: [
                    GradientStop(color: Color(red: first, green: first, blue: first), position: nil),
                    GradientStop(color: Color(red: second, green: second, blue: second), position: nil),
                ])
            #expect(row(gradient, width: width, y: 0) == row(gradient, width: width, y: 1))
        }
    }
}
