// JPEG and WebP files of small pictures.

import Testing

@testable import FancyTextImages
@testable import FancyTextPainting

@Suite struct PictureEncoderTests {
    private func jpeg(_ picture: Pixmap, quality: Int = 90) throws(ImageError) -> [UInt8] {
        try picture.pixels.withUnsafeBufferPointer { pixels throws(ImageError) in
            try PictureEncoder.jpeg(
                pixels, width: picture.width, height: picture.height, quality: quality, scale: 1)
        }
    }

    private func webp(_ picture: Pixmap, quality: Int? = nil) throws(ImageError) -> [UInt8] {
        try picture.pixels.withUnsafeBufferPointer { pixels throws(ImageError) in
            try PictureEncoder.webp(pixels, width: picture.width, height: picture.height, quality: quality)
        }
    }

    /// Grey levels that change gradually, as in a photo.
    private var smooth: Pixmap {
        var result = Pixmap(width: 32, height: 16)
        for index in result.pixels.indices { result.pixels[index] = 0xFF00_0000 | UInt32(index % 32) * 0x0004_0404 }
        return result
    }

    /// Alternating red and blue columns.
    private var striped: Pixmap {
        var result = Pixmap(width: 32, height: 16)
        for index in result.pixels.indices { result.pixels[index] = index & 1 == 0 ? 0xFF00_00FF : 0xFFFF_0000 }
        return result
    }

    /// The sampling factors of the first component, in the frame's header.
    private func sampling(_ file: [UInt8]) -> UInt8? {
        let frame = file.indices.dropLast(12).first { file[$0] == 0xFF && file[$0 + 1] == 0xC2 }
        return frame.map { file[$0 + 11] }
    }

    @Test func jpegIsReadAgain() throws {
        let file = try jpeg(smooth)
        #expect(file.prefix(2) == [0xFF, 0xD8])
        let picture = try ImageDecoder.decode(file, limit: 1000)
        #expect(picture.width == 32 && picture.height == 16)
        for (pixel, expected) in zip(picture.pixels, smooth.pixels) {
            #expect(abs(Int(pixel & 255) - Int(expected & 255)) < 12)
        }
    }

    @Test func colorsOfSharpEdgesKeepTheirResolution() throws {
        #expect(try sampling(jpeg(smooth)) == 0x22)
        #expect(try sampling(jpeg(striped)) == 0x11)
        let picture = try ImageDecoder.decode(try jpeg(striped, quality: 100), limit: 1000)
        #expect(picture[4, 4] & 255 > 200 && picture[5, 4] & 255 < 60)
    }

    @Test func whatIsTransparentShowsWhite() throws {
        let picture = try ImageDecoder.decode(try jpeg(Pixmap(width: 8, height: 8)), limit: 1000)
        #expect(picture.pixels.allSatisfy { $0 == 0xFFFF_FFFF })
    }

    @Test func qualityMakesFilesSmaller() throws {
        #expect(try jpeg(striped, quality: 20).count < jpeg(striped, quality: 95).count)
        var noise = Pixmap(width: 32, height: 32)
        for index in noise.pixels.indices { noise.pixels[index] = 0xFF00_0000 | UInt32(index) &* 2_654_435_761 >> 8 }
        #expect(try webp(noise, quality: 20).count < webp(noise, quality: 95).count)
    }

    @Test func webpWithoutLossIsExact() throws {
        var picture = striped
        picture.pixels[0] = 0
        picture.pixels[1] = Pixel.scale(0xFF00_80FF, by: 128)
        let file = try webp(picture)
        #expect(file[8..<12].elementsEqual("WEBP".utf8))
        #expect(try ImageDecoder.decode(file, limit: 1000) == picture)
    }

    @Test func filesAreAlwaysTheSame() throws {
        #expect(try jpeg(striped) == jpeg(striped))
        #expect(try webp(smooth, quality: 70) == webp(smooth, quality: 70))
    }

    @Test func formatsHaveLargestSizes() {
        #expect(throws: ImageError.impossibleSize(.webp, largest: 16_383)) {
            try webp(Pixmap(width: 16_384, height: 1))
        }
        #expect(throws: ImageError.impossibleSize(.jpeg, largest: 65_500)) {
            try jpeg(Pixmap(width: 1, height: 65_501))
        }
        #expect(throws: ImageError.impossibleSize(.jpeg, largest: 65_500)) { try jpeg(Pixmap(width: 0, height: 0)) }
    }
}
