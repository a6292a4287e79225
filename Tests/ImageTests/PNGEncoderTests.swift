import FancyTextTestSupport
import Testing

@testable import FancyTextCSS
@testable import FancyTextImages
@testable import FancyTextPainting

@Suite struct PNGEncoderTests {
    /// Depth and colour type of the header.
    private func form(_ png: [UInt8]) -> (depth: UInt8, type: UInt8) { (png[24], png[25]) }

    private func picture(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> Color) -> Pixmap {
        var result = Pixmap(width: width, height: height)
        for y in 0..<height { for x in 0..<width { result.pixels[y * width + x] = Pixel.premultiplied(pixel(x, y)) } }
        return result
    }

    private func check(_ picture: Pixmap, depth: UInt8, type: UInt8) throws {
        let png = try PNGEncoder().encode(picture)
        #expect(form(png) == (depth, type))
        #expect(try ImageDecoder.decode(png, limit: 1 << 24) == picture)
    }

    @Test func blackAndWhiteIsOneBitGrey() throws {
        try check(picture(13, 5) { x, y in (x + y) % 2 == 0 ? .black : .white }, depth: 1, type: 0)
    }
    @Test func fourLevelsAreTwoBitGrey() throws {
        try check(
            picture(9, 4) { x, _ in Color(red: UInt8(x % 4 * 85), green: UInt8(x % 4 * 85), blue: UInt8(x % 4 * 85)) },
            depth: 2, type: 0)
    }
    @Test func twoColoursAreAOneBitPalette() throws {
        try check(
            picture(17, 3) { x, _ in x % 3 == 0 ? Color(red: 255, green: 0, blue: 0) : .white }, depth: 1, type: 3)
    }
    @Test func sixteenColoursAreAFourBitPalette() throws {
        try check(picture(33, 2) { x, _ in Color(red: UInt8(x % 16 * 16), green: 7, blue: 9) }, depth: 4, type: 3)
    }
    @Test func manyGreysAreEightBitGrey() throws {
        try check(picture(256, 2) { x, _ in Color(red: UInt8(x), green: UInt8(x), blue: UInt8(x)) }, depth: 8, type: 0)
    }
    @Test func upTo256ColoursAreAPalette() throws {
        try check(picture(256, 3) { x, _ in Color(red: UInt8(x), green: 0, blue: UInt8(255 - x)) }, depth: 8, type: 3)
    }
    @Test func oneColourMoreIsRGB() throws {
        try check(
            picture(257, 1) { x, _ in
                x < 256 ? Color(red: UInt8(x), green: 0, blue: 1) : Color(red: 9, green: 9, blue: 9)
            }, depth: 8, type: 2)
    }
    @Test func gradientsSurviveFiltering() throws {
        try check(
            picture(300, 200) { x, y in
                Color(red: UInt8(x * 255 / 300), green: UInt8(y * 255 / 200), blue: UInt8((x + y) / 2))
            }, depth: 8, type: 2)
    }
    /// Runs and repeated rows, of all lengths around the number compared at a time.
    @Test func flatPicturesComeBack() throws {
        var random = SeededGenerator(state: 7)
        for width in [1, 2, 3, 17, 62, 63, 64, 65, 66, 127, 128, 129, 200, 401] {
            var rows: [[UInt8]] = []
            for y in 0..<90 {
                var row: [UInt8] = y > 0 && random.next() % 3 > 0 ? rows[y - 1] : []
                if row.isEmpty {
                    while row.count < width {
                        let level = UInt8(random.next() % 40)
                        let length = Int(random.next() % 4 == 0 ? random.next() % 300 : random.next() % 5 + 1)
                        row += Array(repeating: level, count: min(length, width - row.count))
                    }
                } else {
                    for _ in 0..<random.next() % 4 { row[Int(random.next() % UInt64(width))] ^= 1 }
                }
                rows.append(row)
            }
            let flat = picture(width, 90) { x, y in Color(red: rows[y][x] &* 6, green: 3, blue: rows[y][x]) }
            let png = try PNGEncoder().encode(flat)
            #expect(try ImageDecoder.decode(png, limit: 1 << 24) == flat, "width \(width)")
        }
    }

    /// A picture whose rows are read in bands; of equal rows at the end of a band, only one is passed.
    private struct Bands: PixelBands {
        let picture: Pixmap
        var heights: [Int]
        private var top = 0
        var width: Int { picture.width }
        var height: Int { picture.height }

        init(_ picture: Pixmap, heights: [Int]) { (self.picture, self.heights) = (picture, heights) }

        private func row(_ y: Int) -> ArraySlice<UInt32> { picture.pixels[y * width..<(y + 1) * width] }

        mutating func next<Result>(
            _ body: (UnsafeBufferPointer<UInt32>) -> Result
        ) -> (result: Result, repeats: Int) {
            let end = min(height, top + heights.removeFirst())
            var next = end
            while next < height, row(next) == row(end - 1) { next += 1 }
            let pixels = Array(picture.pixels[top * width..<end * width])
            top = next
            return (pixels.withUnsafeBufferPointer { body($0) }, next - end)
        }
    }

    /// Bands give the same bytes as the whole picture.
    @Test(arguments: [2, 3, 40, 250]) func bandsMakeThePicture(_ colors: Int) throws {
        let whole = picture(500, 400) { x, y in
            y % 100 < 60
                ? .white : Color(red: UInt8(x * y / 7 % colors % 256), green: UInt8(x / 60 * colors % 256), blue: 0)
        }
        let metadata = PNGMetadata(
            text: Array(String(repeating: "Some text. ", count: 60).utf8), language: "en", scale: 1)
        for heights in [Array(repeating: 1, count: 400), Array(repeating: 7, count: 400), [61, 39, 400], [400]] {
            var bands = Bands(whole, heights: heights)
            let bytes = try PNGEncoder().encode(&bands, metadata: metadata)
            let expected = try PNGEncoder().encode(whole, metadata: metadata)
            #expect(expected[25] == 2 ? bytes == nil : bytes == expected)
        }
    }

    @Test func transparencyIsKept() throws {
        try check(
            picture(4, 4) { x, _ in x < 2 ? .transparent : Color(red: 255, green: 0, blue: 0, alpha: 128) }, depth: 1,
            type: 3)
    }
    @Test func manyTransparentColoursAreRGBA() throws {
        let png = try PNGEncoder().encode(
            picture(300, 2) { x, y in
                Color(red: UInt8(x % 256), green: UInt8(y * 200), blue: 0, alpha: UInt8(x % 2 == 0 ? 255 : 254))
            })
        #expect(form(png) == (8, 6))
    }

    /// Packed rows overwrite the canvas's pixels, before the pixels of the rows below are read.
    @Test func canvasesThatAreUsedUpGiveTheSameBytes() throws {
        let busy = picture(90, 70) { x, y in Color(red: UInt8(x * 31 & 255), green: UInt8(y * 3), blue: UInt8(x ^ y)) }
        let repeated = picture(300, 60) { x, y in
            y < 20
                ? Color(red: UInt8(x & 255), green: UInt8(x / 2), blue: 9)
                : Color(red: UInt8(y / 30), green: 0, blue: 9)
        }
        let narrow = picture(1, 700) { _, y in Color(red: UInt8(y & 255), green: UInt8(y / 4), blue: 0) }
        let transparent = picture(300, 9) { x, y in
            Color(red: UInt8(x % 256), green: UInt8(y * 20), blue: 0, alpha: x % 2 == 0 ? 255 : 254)
        }
        let few = picture(50, 50) { x, _ in x < 9 ? .black : .white }
        for picture in [busy, repeated, narrow, transparent, few] {
            let canvas = Bitmap(width: picture.width, height: picture.height)
            canvas.takePixels { _ = $0.update(fromContentsOf: picture.pixels) }
            let bytes = try PNGEncoder().encode(consuming: canvas)
            #expect(try bytes == PNGEncoder().encode(picture))
        }
    }

    @Test func encoderGivesTheSameBytesAgain() throws {
        let encoder = PNGEncoder()
        let a = picture(50, 50) { x, y in Color(red: UInt8(x * 5), green: UInt8(y * 5), blue: 3) }
        let b = picture(7, 9) { x, _ in x == 3 ? .black : .white }
        let first = try encoder.encode(a)
        _ = try encoder.encode(b)
        #expect(try encoder.encode(a) == first)
        #expect(try PNGEncoder().encode(b) == encoder.encode(b))
    }

    /// Pictures of one template: some rows equal those of the previous picture.
    @Test func rowsInCommonDoNotChangeTheBytes() throws {
        let encoder = PNGEncoder()
        for number in 0..<40 {
            let made = picture(200, 400) { x, y in
                switch y {
                case 20..<40: Color(red: UInt8(x * y % 17), green: 40, blue: 0)
                case 150..<180: Color(red: UInt8((x * y + number * (x % 5)) % 23), green: 0, blue: 90)
                case 300..<330: Color(red: UInt8(x * x * y % 13), green: 0, blue: 200)
                default: .white
                }
            }
            #expect(try encoder.encode(made) == PNGEncoder().encode(made), "\(number)")
        }
    }

    /// Matches are split at 258 bytes, and the rest is at least 3 bytes long.
    @Test(arguments: 255...264)
    func runsAndRowsOfEveryLengthSurvive(length: Int) throws {
        let made = picture(length + 20, 40) { x, y in
            switch (x, y % 4) {
            case (..<length, 0): Color(red: 9, green: UInt8(y), blue: 0)
            case (..<length, 1...2): Color(red: UInt8(x % 31), green: 0, blue: 90)
            case (length, _): Color(red: UInt8(y * 5), green: 1, blue: 0)
            default: .white
            }
        }
        try check(made, depth: 8, type: 3)
    }

    /// Farther back than the maximum distance of a match.
    @Test func rowsWiderThanTheWindowSurvive() throws {
        try check(
            picture(40_000, 6) { x, y in Color(red: UInt8(x / 2000), green: UInt8(y * 3), blue: 0) }, depth: 8, type: 3)
    }

    @Test func noiseOfFewColoursIsCompressedAllTheSame() throws {
        var state: UInt32 = 7
        let made = picture(300, 300) { _, _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Color(red: UInt8(state >> 24) / 8, green: 3, blue: 0)
        }
        try check(made, depth: 8, type: 3)
        // Five bits a pixel.
        #expect(try PNGEncoder().encode(made).count < 300 * 300 * 3 / 4)
    }

    /// A card of text takes a hundredth of its pixels' bytes.
    @Test func textIsSmall() throws {
        let made = picture(1200, 400) { x, y in
            y / 40 % 2 == 0 || x % 24 > 9 ? .white : Color(red: UInt8(x % 24 * 20), green: UInt8(y % 8), blue: 0)
        }
        #expect(try PNGEncoder().encode(made).count < 1200 * 400 * 4 / 100)
    }

    @Test func emptyPicturesAreRefused() {
        #expect(throws: PNGError.impossibleSize(width: 0, height: 3)) {
            try PNGEncoder().encode(Pixmap(width: 0, height: 3))
        }
    }

    @Test func metadataTellsTextLanguageAndScale() throws {
        let metadata = PNGMetadata(text: Array("Grüße".utf8), language: "de-AT", scale: 2)
        let png = try PNGEncoder().encode(Pixmap(width: 1, height: 1, fill: 0xFFFF_FFFF), metadata: metadata)
        let text = png.map { $0 < 0x80 ? String(UnicodeScalar($0)) : "?" }.joined()
        #expect(text.contains("iTXtDescription\0\0\0de-AT\0\0Gr"))
        // 2 × 96 pixels an inch are 7559 a metre.
        #expect(text.contains("pHYs\0\0\u{1D}?\0\0\u{1D}?\u{1}"))
        #expect(try ImageDecoder.decode(png, limit: 10).pixels == [0xFFFF_FFFF])
    }

    @Test func withoutMetadataNothingIsTold() throws {
        let png = try PNGEncoder().encode(Pixmap(width: 1, height: 1))
        #expect(!String(decoding: png, as: UTF8.self).contains("pHYs"))
    }
}

/// Rows that equal the row above are counted, not compared byte by byte.
@Suite struct RepeatedRowTests {
    /// A picture of stripes: rows of `color`, each repeated often, between rows of noise.
    private func stripes(width: Int, _ color: (_ x: Int, _ row: Int) -> Color) -> Pixmap {
        let repeats = (1 << 14) / width + 2
        var pixels: [UInt32] = []
        for row in 0..<3 {
            let line = (0..<width).map { Pixel.premultiplied(color($0, row)) }
            for _ in 0..<repeats { pixels += line }
            for step in 0..<2 {
                pixels += (0..<width).map { Pixel.premultiplied(color(($0 * 7 + step) % 61, row + step)) }
            }
        }
        return Pixmap(width: width, height: pixels.count / width, pixels: pixels)
    }

    private func survives(_ picture: Pixmap, type: UInt8) throws -> Bool {
        let png = try PNGEncoder().encode(picture)
        return try png[25] == type && ImageDecoder.decode(png, limit: 1 << 24) == picture
    }

    /// Repeated rows are matches of up to 258 bytes. The rows of narrow pictures are too short for a match.
    @Test(arguments: [1, 2, 3, 4, 258, 259, 260, 261, 262, 263, 300, 516, 517, 1200, 5000])
    func rowsOfEveryWidthRepeat(width: Int) throws {
        #expect(
            try survives(
                stripes(width: width) { x, row in Color(red: UInt8(x % 60), green: UInt8(row * 60), blue: 7) }, type: 3)
        )
    }

    @Test func packedIndicesRepeat() throws {
        #expect(try survives(stripes(width: 333) { x, row in x * row % 3 == 0 ? .black : .white }, type: 0))
        #expect(
            try survives(
                stripes(width: 333) { x, row in Color(red: UInt8(x % 3 * 9), green: UInt8(row % 4), blue: 7) }, type: 3)
        )
    }

    @Test func manyColoursRepeat() throws {
        func shade(_ x: Int, _ row: Int, _ alpha: UInt8) -> Color {
            Color(red: UInt8(x / 20 % 256), green: UInt8(x / 20 / 256), blue: UInt8(row * 60), alpha: alpha)
        }
        #expect(try survives(stripes(width: 20_000) { shade($0, $1, 255) }, type: 2))
        #expect(try survives(stripes(width: 20_000) { shade($0, $1, $0 % 60 < 30 ? 255 : 0) }, type: 6))
    }

    /// Noise is stored rather than compressed, so its blocks have no codes.
    @Test func noiseBetweenRepeats() throws {
        var random: UInt32 = 1
        var pixels: [UInt32] = []
        for _ in 0..<3 {
            for _ in 0..<300 * 40 {
                random = random &* 1_664_525 &+ 1_013_904_223
                pixels.append(0xFF00_0000 | random >> 24)
            }
            for _ in 0..<100 { pixels += [UInt32](repeating: 0xFF00_0001, count: 300) }
        }
        #expect(try survives(Pixmap(width: 300, height: pixels.count / 300, pixels: pixels), type: 3))
    }

    @Test func repeatedRowsCostLittle() throws {
        let row = (0..<1200).map { Pixel.premultiplied(Color(red: UInt8($0 * 31 % 251), green: 3, blue: 7)) }
        func size(_ rows: Int) throws -> Int {
            try PNGEncoder().encode(Pixmap(width: 1200, height: rows, pixels: (0..<rows).flatMap { _ in row })).count
        }
        // A row of 1,200 bytes is five of DEFLATE's longest matches.
        #expect(try size(1100) - size(100) <= 16_000)
    }
}
