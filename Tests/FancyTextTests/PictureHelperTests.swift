// Pictures decoded by another process have the same pixels, and only the current picture is lost when that process ends.

import Foundation
import FancyTextTestSupport
import Testing

@testable import FancyText
@testable import FancyTextImages
@testable import FancyTextPainting

@Suite("Picture helper", .enabled(if: TestPaths.program != nil, "no program: make build"))
struct PictureHelperTests {
    private static let svg =
        "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'><circle cx='9' cy='9' r='8' fill='teal'/></svg>"
    private static let gif: [UInt8] = [
        0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 3, 0, 1, 0, 0x91, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 0x21,
        0xF9, 4, 1, 0, 0, 1, 0, 0x2C, 0, 0, 0, 0, 3, 0, 1, 0, 0, 2, 2, 0x44, 0x54, 0, 0x3B,
    ]

    /// A picture in each format; all sides and pixels differ.
    private static func files() throws -> [[UInt8]] {
        let pixels = (0..<30 * 20).map { UInt32(truncatingIfNeeded: $0 &* 2_654_435) | 0xFF00_0000 }
        var files = [try PNGEncoder().encode(Pixmap(width: 30, height: 20, pixels: pixels)), gif, Array(svg.utf8)]
        try pixels.withUnsafeBufferPointer { pixels in
            files.append(try PictureEncoder.jpeg(pixels, width: 30, height: 20, quality: 80, scale: 1))
            for quality in [nil, 50] {
                files.append(try PictureEncoder.webp(pixels, width: 30, height: 20, quality: quality))
            }
        }
        return files
    }

    private func page(_ files: [[UInt8]]) -> String {
        files.map { "<img src='data:;base64,\(Data($0).base64EncodedString())' style='margin:3px'>" }.joined()
    }

    private func render(_ html: String, helper: String?) throws -> (png: [UInt8], messages: [Diagnostic]) {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        let renderer = Renderer(fonts: fonts)
        renderer.pictureHelper = helper
        var document = MarkupParser().parse(html)
        var options = RenderOptions()
        options.width = .pixels(400)
        let png = try renderer.png(&document, options)
        return (png, Array(document.diagnostics))
    }

    @Test func pixelsAreThoseOfThisProcess() throws {
        let html = page(try Self.files())
        let path = try #require(TestPaths.program).path
        let here = try render(html, helper: nil)
        let there = try render(html, helper: path)
        #expect(here.messages.isEmpty && there.messages.isEmpty, "\(here.messages) \(there.messages)")
        #expect(here.png == there.png)
    }

    @Test func helperThatEndsCostsThePictures() throws {
        let files = try Self.files()
        for helper in ["/bin/false", "/nonexistent/program"] {
            let result = try render(page(files) + "<p>text", helper: helper)
            #expect(result.messages.map(\.code) == files.map { _ in .imageTooCostly }, "\(result.messages)")
            #expect(result.messages.allSatisfy { $0.severity == .warning })
        }
    }

    /// The size in the file exceeds the process's memory limit; the next file gets a new process.
    @Test func pictureThatAsksForTooMuchMemoryIsMissing() throws {
        let large = try PNGEncoder().encode(
            Pixmap(width: 4000, height: 4000, pixels: [UInt32](repeating: 0xFF00_FF00, count: 16_000_000)))
        let small = try Self.files()[0]
        let helper = PictureHelper(program: try #require(TestPaths.program).path, memory: 32 << 20)
        #expect(throws: ImageError.self) { try helper.decode(.png, large, width: 4000, height: 4000) }
        #expect(try helper.decode(.png, small, width: 30, height: 20).count == 600)
    }

    @Test func damagedFilesAreDamagedThereToo() throws {
        let helper = PictureHelper(program: try #require(TestPaths.program).path)
        for file in try Self.files() where file.count > 40 {
            guard let header = try? ImageHeader(file), header.format != .svg else { continue }
            let format = header.format
            let torn = Array(file.prefix(file.count / 2))
            let here = try? LocalPictureCodec().decode(format, torn, width: header.width, height: header.height)
            let there = try? helper.decode(format, torn, width: header.width, height: header.height)
            #expect(here == there, "\(format)")
        }
    }
}

@Suite struct WebPHeaderTests {
    @Test(arguments: [(1, 1), (30, 20), (257, 1), (1, 511), (1000, 700)])
    func sizeIsInTheFirstChunk(_ width: Int, _ height: Int) throws {
        let pixels = (0..<width * height).map { UInt32(truncatingIfNeeded: $0 &* 77) | 0x8000_0000 }
        // Lossless; lossy with transparency, which has an extended header.
        for quality in [nil, 40] {
            let file = try pixels.withUnsafeBufferPointer {
                try PictureEncoder.webp($0, width: width, height: height, quality: quality)
            }
            let header = try ImageHeader(file)
            #expect(header.width == width && header.height == height)
        }
    }

    @Test func whatIsNoChunkIsDamaged() {
        for text in ["RIFF....WEBP", "RIFF....WEBPVP8L....", "RIFF....WEBPALPH....................."] {
            #expect(throws: ImageError.self) { try ImageHeader(Array(text.utf8)) }
        }
    }
}
