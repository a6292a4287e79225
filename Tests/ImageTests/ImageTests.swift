import Foundation
import Testing

@testable import FancyTextBasics
@testable import FancyTextBoxes
@testable import FancyTextImages
@testable import FancyTextBoxes
@testable import FancyTextPainting

@Suite struct ImageTests {
    private static let svg = Array(
        "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='2'><rect width='2' height='2' fill='red'/></svg>"
            .utf8)
    /// 3 × 1: red, transparent, blue.
    private static let gif: [UInt8] = [
        0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 3, 0, 1, 0, 0x91, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 0x21,
        0xF9, 4, 1, 0, 0, 1, 0, 0x2C,
        0, 0, 0, 0, 3, 0, 1, 0, 0, 2, 2, 0x44, 0x54, 0, 0x3B,
    ]

    @Test func gifTransparencyAndColours() throws {
        let picture = try ImageDecoder.decode(Self.gif, limit: 100)
        #expect(picture.pixels == [0xFF00_00FF, 0, 0xFFFF_0000])
    }

    /// 8 × 4: the left half is red, the right one blue; with a rotation and a mirroring.
    private static let avif = """
        AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAD/bWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAA
        AAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAEnAAAALAAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEA
        AGF2MDFDb2xvcgAAAAB+aXBycAAAAF1pcGNvAAAAFGlzcGUAAAAAAAAACAAAAAQAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBIAAA
        AAAAE2NvbHJuY2x4AAEADQAGgAAAAAlpcm90AQAAAAlpbWlyAAAAABlpcG1hAAAAAAAAAAEAAQYBAoMEhYYAAAA0bWRhdBIACgg4
        CH7CAhoNIDIeEAAAi6PTS+M6R4VSI4OTWIVQo1/Qp7a6w+JVjoaA
        """

    /// ISO/IEC 23008-12 §6.5.10, §6.5.12: the picture is turned anticlockwise, then mirrored top to bottom, or left to right.
    @Test(arguments: [
        (0, 0, true), (0, 1, false), (1, 0, true), (1, 1, false), (2, 0, false), (2, 1, true), (3, 0, false),
        (3, 1, true),
    ])
    func avifIsTurnedAndMirrored(_ quarters: UInt8, _ axis: UInt8, _ startsRed: Bool) throws {
        var file = Array(try #require(Data(base64Encoded: Self.avif, options: .ignoreUnknownCharacters)))
        for (name, value) in [("irot", quarters), ("imir", axis)] {
            let place = try #require(file.firstRange(of: Array(name.utf8))?.upperBound)
            file[place] = value
        }
        let picture = try ImageDecoder.decode(file, limit: 32)
        let isUpright = quarters % 2 == 0
        #expect(picture.width == (isUpright ? 8 : 4) && picture.height == (isUpright ? 4 : 8))
        #expect(picture.pixels[0] & 0xFF == (startsRed ? 255 : 0) && picture.pixels[31] & 0xFF == (startsRed ? 0 : 255))
        #expect(throws: ImageError.self) { try ImageDecoder.decode(file, limit: 31) }
        for length in stride(from: 0, to: file.count, by: 7) {
            #expect(throws: ImageError.self) { try ImageDecoder.decode(Array(file[..<length]), limit: 32) }
        }
    }

    @Test func svgIsDrawnInTheAskedSize() throws {
        #expect(try ImageHeader(Self.svg).width == 4)
        let picture = try ImageDecoder.decode(Self.svg, size: (8, 4), limit: 100)
        #expect(picture.width == 8 && picture[0, 0] == 0xFF00_00FF && picture[7, 3] == 0)
    }

    @Test(
        arguments: [
            ("width='4' height='2'", 4, 2, 2), ("width='4'", 4, nil, nil), ("viewBox='0 0 6 2'", nil, nil, 3),
            ("height='1in' viewBox='0 0 6 2'", nil, 96, 3), ("width='50%' height='2'", nil, 2, nil),
            ("viewBox='0 0 6 0'", nil, nil, nil),
        ] as [(String, Float?, Float?, Float?)])
    func svgTellsWhatItKnowsOfItsSize(_ attributes: String, _ width: Float?, _ height: Float?, _ ratio: Float?) throws {
        let natural = try ImageHeader(Array("<svg xmlns='http://www.w3.org/2000/svg' \(attributes)/>".utf8)).natural
        #expect(natural == NaturalDimensions(width: width, height: height, ratio: ratio))
    }

    @Test func svgWithoutAViewBoxIsStretched() throws {
        for attributes in ["width='2'", "width='50%'", "height='25%'", "width='8' height='4'"] {
            let svg =
                "<svg xmlns='http://www.w3.org/2000/svg' \(attributes)><rect width='100%' height='50%' fill='red'/></svg>"
            let picture = try ImageDecoder.decode(Array(svg.utf8), size: (8, 8), limit: 100)
            #expect(picture[0, 0] == 0xFF00_00FF && picture[7, 3] == 0xFF00_00FF && picture[7, 4] == 0, "\(attributes)")
        }
    }

    @Test func theRootOfAnSVGIsPaintedOnItsBackground() throws {
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='2' height='1' style='background: blue'>"
        let picture = try ImageDecoder.decode(
            Array((svg + "<rect width='1' height='1' fill='red'/></svg>").utf8), limit: 100)
        #expect(picture.pixels == [0xFF00_00FF, 0xFFFF_0000])
    }

    @Test func sizeIsCheckedBeforeDecoding() throws {
        // A header that claims 30000 × 30000 pixels and has no data at all.
        var png = try PNGEncoder().encode(Pixmap(width: 1, height: 1))
        for (offset, byte) in [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30].enumerated() { png[16 + offset] = UInt8(byte) }
        #expect(throws: ImageError.tooLarge(width: 30000, height: 30000, limit: 50_000_000)) {
            try ImageDecoder.decode(png, limit: Limits().imagePixels)
        }
    }

    @Test func damagedImagesAreErrors() throws {
        let png = try PNGEncoder().encode(
            Pixmap(width: 40, height: 40, pixels: (0..<1600).map { UInt32($0 * 7) | 0xFF00_0000 }))
        let samples: [[UInt8]] = [
            png, Self.gif, [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0, 9, 0, 9, 3, 1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1],
            Array("RIFF\u{10}\0\0\0WEBPVP8 ".utf8),
        ]
        for sample in samples {
            for length in stride(from: 0, to: sample.count * 3 / 4, by: max(1, sample.count / 40)) {
                #expect(throws: ImageError.self) { try ImageDecoder.decode(Array(sample[..<length]), limit: 10_000) }
            }
        }
    }

    @Test func wrongChecksumsAreIgnored() throws {
        let picture = Pixmap(width: 4, height: 4, pixels: (0..<16).map { UInt32($0 * 7) | 0xFF00_0000 })
        let png = try PNGEncoder().encode(picture)
        var damaged = png
        // The checksum of the last chunk before the end, which has twelve bytes.
        damaged[png.count - 13] ^= 1
        #expect(try ImageDecoder.decode(damaged, limit: 100).pixels == ImageDecoder.decode(png, limit: 100).pixels)
    }

    @Test func flippedBytesNeverCrash() throws {
        let png = try PNGEncoder().encode(
            Pixmap(width: 20, height: 20, pixels: (0..<400).map { UInt32($0 * 999) | 0xFF00_0000 }))
        var state: UInt64 = 1
        for sample in [png, Self.gif, Self.svg] {
            for _ in 0..<200 {
                var bytes = sample
                for _ in 0..<3 {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
                }
                let picture = try? ImageDecoder.decode(bytes, limit: 10_000)
                if let picture { #expect(picture.pixels.count == picture.width * picture.height) }
            }
        }
    }

    @Test(arguments: [
        ("data:,a%20b", "a b"), ("data:text/plain;base64,aGVsbG8=", "hello"), ("DATA:;base64,aGVs bG8", "hello"),
        ("data:,100%", "100%"),
    ])
    func dataURIsDecode(uri: String, expected: String) throws {
        #expect(try DataURI.decode(uri) == Array(expected.utf8))
    }

    @Test(arguments: ["data:", "data:;base64,a", "data:;base64,a=b", "data:;base64,ab*c", "datax:,"])
    func malformedDataURIsAreErrors(uri: String) {
        #expect(throws: ImageError.invalidDataURI) { try DataURI.decode(uri) }
    }

    @Test func scalingKeepsAreasAndFlatColours() {
        let flat = Pixmap(width: 7, height: 5, fill: 0x8040_2010)
        #expect(Set(ImageScaler.scale(flat, width: 3, height: 11).pixels) == [0x8040_2010])
        let half = Pixmap(width: 4, height: 1, pixels: [0xFF00_0000, 0xFFFF_FFFF, 0xFF00_0000, 0xFFFF_FFFF])
        #expect(ImageScaler.scale(half, width: 2, height: 1).pixels == [0xFF80_8080, 0xFF80_8080])
    }

    // MARK: The store

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("images-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("base/sub"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    private func error(_ store: ImageStore, _ source: String) -> String? {
        store.intrinsicSize(of: source, isLambda: false) == nil ? store.failures.last.map { "\($0.error)" } : nil
    }

    @Test func filesAreOnlyReadBelowTheBaseDirectory() throws {
        try withFolder { folder in
            _ = FileManager.default.createFile(atPath: folder + "/secret.gif", contents: Data(Self.gif))
            _ = FileManager.default.createFile(atPath: folder + "/base/sub/ok.gif", contents: Data(Self.gif))
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/base/link.gif", withDestinationPath: "../secret.gif")
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/base/inner.gif", withDestinationPath: "sub/ok.gif")
            try FileManager.default.createDirectory(atPath: folder + "/base-other", withIntermediateDirectories: true)
            _ = FileManager.default.createFile(atPath: folder + "/base-other/x.gif", contents: Data(Self.gif))
            let store = ImageStore(ImageStore.Options(baseDirectory: folder + "/base"))
            for source in [
                "sub/ok.gif", "inner.gif", "sub/../sub/ok.gif", "sub/ok.gif?v=1#x", "sub/%6Fk.gif",
                "file://" + folder + "/base/sub/ok.gif",
            ] {
                #expect(store.intrinsicSize(of: source, isLambda: false) == Size(width: 3, height: 1), "\(source)")
            }
            for source in [
                "../secret.gif", "link.gif", folder + "/secret.gif", "../base-other/x.gif", "sub/../../secret.gif",
                "%2e%2e/secret.gif",
            ] {
                #expect(error(store, source)?.contains("outside of the base directory") == true, "\(source)")
            }
            #expect(error(store, "none.gif")?.contains("no such file") == true)
            #expect(error(store, "sub")?.contains("is a folder") == true)
            #expect(error(ImageStore(), "sub")?.contains("no base directory") == true)
        }
    }

    @Test func networkNeedsPermission() {
        let store = ImageStore(ImageStore.Options(baseDirectory: "/"))
        #expect(error(store, "https://example.com/a.png")?.contains("network") == true)
        #expect(error(store, "//example.com/a.png")?.contains("network") == true)
    }

    @Test func givenImagesNeedNoPermission() {
        var options = ImageStore.Options()
        options.load = { url in url == "https://e.x/a.gif" ? Self.gif : nil }
        let store = ImageStore(options)
        #expect(store.picture(source: "https://e.x/a.gif", width: 3, height: 1)?.pixels.first == 0xFF00_00FF)
        #expect(store.picture(source: "https://e.x/a.gif", width: 3, height: 1)?.width == 3)
        #expect(store.failures.isEmpty)
    }

    private static let sprite =
        "<svg xmlns='http://www.w3.org/2000/svg' width='2' height='1' viewBox='0 0 4 2'><g id='s'><rect width='2' height='2' "
        + "fill='red'/></g><view id='v' viewBox='2 0 2 1'/><rect x='2' width='2' height='2' fill='blue'/></svg>"

    private func pixels(_ source: String, width: Int = 2) -> [UInt32]? {
        var options = ImageStore.Options()
        options.load = { name in
            switch name.prefix(5) {
            case "a.gif": Self.gif
            case "a.svg": Array(Self.sprite.utf8)
            default: nil
            }
        }
        return ImageStore(options).picture(source: source, width: width, height: 1)?.pixels
    }

    /// SVG files as images load no other files; elements of the page do.
    @Test func picturesOfThePageHoldTheirFiles() {
        let (own, other) = (ReplacedContent.ownPicture, "data:image/svg+xml,")
        let start = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"3\" height=\"1\">"
        let gif = start + "<image width=\"3\" height=\"1\" href=\"a.gif\"/></svg>"
        #expect(pixels(own + gif, width: 3)?.first == 0xFF00_00FF)
        #expect(pixels(other + gif, width: 3)?.first == 0)
        #expect(pixels(own + start + "<use href=\"a.svg#s\"/></svg>", width: 3) == [0xFF00_00FF, 0xFF00_00FF, 0])
        // The other side follows the ratio of the picture.
        for side in ["width=\"6\"", "width=\"6px\" x=\"0\"", "height=\"2\"", "style=\"width:6px;\""] {
            let image = "<image \(side) href=\"a.gif\"/></svg>"
            #expect(pixels(own + start + image, width: 3)?.first == 0xFF00_00FF, "\(side)")
        }
    }

    /// Files that mean something else in a page are drawn as they are: root effects, sizes in queries, other prefixes for links.
    @Test func picturesKeepTheirMeaning() {
        func first(_ root: String, _ contents: String) -> UInt32? {
            let svg =
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\" \(root)><style>.a{fill:red}</style>"
            return pixels("data:image/svg+xml," + svg + contents + "</svg>", width: 1)?.first
        }
        let rect = "<rect width=\"1\" height=\"1\" class=\"a\"/>"
        #expect(first("visibility=\"hidden\"", rect) == 0)
        #expect(first("opacity=\"0\"", rect) == 0)
        #expect(first("", "<metadata><p xmlns=\"http://www.w3.org/1999/xhtml\">x</p></metadata>" + rect) == 0xFF00_00FF)
        let link = "<defs><g id=\"g\">\(rect)</g></defs><use xl:href=\"%23g\"/>"
        #expect(first("xmlns:xl=\"http://www.w3.org/1999/xlink\"", link) == 0xFF00_00FF)
        #expect(first("", "<style>@media (min-width:9px){.a{fill:blue}}</style>" + rect) == 0xFF00_00FF)
    }

    /// Rules of CSS in an SVG file have the same effect as in an inline `svg`.
    @Test(arguments: [
        ":root{--c:red}rect{fill:var(--c)}", "svg{rect{fill:light-dark(red,blue)}}",
        "@media all{rect{fill:color-mix(in srgb,red,red)}}", "<![CDATA[svg>rect{fill:red}]]>",
    ])
    func picturesHaveRules(_ css: String) {
        let start = "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\">"
        let svg = start + "<style>\(css)</style><rect width=\"1\" height=\"1\"/></svg>"
        #expect(pixels("data:image/svg+xml," + svg, width: 1) == [0xFF00_00FF])
    }

    @Test func missingFeaturesOfPicturesAreReported() {
        let store = ImageStore(ImageStore.Options())
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"><foreignObject/></svg>"
        #expect(store.naturalDimensions(of: "data:image/svg+xml," + svg) != nil)
        #expect(store.failures.map(\.error) == [.partlyDrawn(["foreignObject"])])
    }

    @Test func fragmentsChooseNothing() {
        let whole: [UInt32] = [0xFF00_00FF, 0xFFFF_0000]
        for source in ["a.svg", "a.svg#v", "data:image/svg+xml," + Self.sprite + "#v"] {
            #expect(pixels(source) == whole, "\(source)")
        }
    }

    @Test func missingImagesAreReportedOnce() {
        let store = ImageStore(ImageStore.Options(baseDirectory: "/nowhere"))
        _ = store.intrinsicSize(of: "a.png", isLambda: false)
        _ = store.picture(source: "a.png", width: 1, height: 1)
        #expect(store.failures.count == 1)
    }
}
