// The limits on images: memory, time, files and addresses.

import CFancyTextFetch
import Foundation
import Testing

@testable import FancyTextBasics
@testable import FancyTextImages
@testable import FancyTextPainting
@testable import FancyTextTypography

@Suite struct VectorCheckTests {
    private func check(_ body: String, pixels: Int = 10_000, head: String = "") throws(ImageError) {
        let text = head + "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'>\(body)</svg>"
        try VectorCheck.check(Array(text.utf8), pixels: pixels)
    }

    private static func filter(_ primitive: String) -> String {
        "<filter id='f'>\(primitive)</filter><rect width='9' height='9' filter='url(#f)'/>"
    }

    private static let kernel = Array(repeating: "1", count: 900).joined(separator: " ")

    private static let costly: [String] = [
        filter("<feConvolveMatrix order='30' kernelMatrix='\(kernel)'/>"),
        filter("<feConvolveMatrix kernelMatrix='\(kernel)'/>"),
        filter("<feTurbulence numOctaves='100000'/>"), filter("<feTurbulence numOctaves='1e99'/>"),
        filter("<feMorphology radius='500'/>"), filter("<feMorphology radius='1 500'/>"),
        filter(String(repeating: "<feGaussianBlur stdDeviation='9'/>", count: 10_000)),
        "<text>" + String(repeating: "क्ष", count: 5000) + "</text>",
        String(repeating: "<g>", count: 1000) + String(repeating: "</g>", count: 1000),
        "<g id='a0'><rect/></g>"
            + (1..<9).map {
                "<g id='a\($0)'>" + String(repeating: "<use href='#a\($0 - 1)'/>", count: 10) + "</g>"
            }.joined() + "<use href='#a8'/>",
        "<marker id='m'>" + String(repeating: "<path d='M0 0'/>", count: 200)
            + "</marker><path marker-mid='url(#m)' d='"
            + String(repeating: "M0 0", count: 2000) + "'/>",
        "<image href='data:image/png;base64,AAAA'/>", "<style>@import url(data:text/css,a)</style>",
        "<style>.a{f\\69lter:url(#f)}</style>", "<rect style='f\\69lter:url(#f)'/>",
    ]

    @Test(arguments: costly.indices)
    func costlyFilesAreRefused(_ index: Int) {
        #expect(throws: ImageError.self) { try check(Self.costly[index]) }
    }

    @Test(arguments: ["-1e99", "-1e999", "nan", "-inf"])
    func turbulenceOfAnyNumberIsChecked(_ octaves: String) {
        _ = try? check(Self.filter("<feTurbulence numOctaves='\(octaves)'/>"))
    }

    /// Images drawn as paths are drawn in the program itself, where a crash of the library would end it.
    @Test func onlyPathsAndColoursArePlain() {
        func parts(_ body: String) -> Int? {
            VectorCheck.plainParts(Array("<svg xmlns='http://www.w3.org/2000/svg'>\(body)</svg>".utf8))
        }
        #expect((parts("<path d='M0 0L9 9'/><style>.a{fill:red}</style>") ?? .max) < 100)
        #expect((parts("<path id='a' d='\(String(repeating: "M0 0", count: 200))'/><use href='#a'/>") ?? 0) > 300)
        for body in [
            Self.filter("<feFlood/>"), "<s:filter xmlns:s='http://www.w3.org/2000/svg'/>", "<mask id='a'/>",
            "<pattern id='a'/>", "<path stroke-dasharray='1' d='M0 0'/>", "<path style='stroke-dasharray:1'/>",
            "<style>path{stroke-dasharray:1}</style>", "<image/>", "<foreignObject/>",
            "<text>" + String(repeating: "क्ष", count: 1000) + "</text>",
            String(repeating: "<path d='\(String(repeating: "M0 0", count: 1000))'/>", count: 400),
        ] {
            #expect(parts(body) == nil, "\(body.prefix(60))")
        }
    }

    /// The library that draws paths into a PDF file writes the links around them too.
    @Test func onlyOfferedLinksArePlain() {
        func isPlain(_ link: String, _ prolog: String = "") -> Bool {
            let svg = "\(prolog)<svg xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink'>"
            return VectorCheck.plainParts(Array("\(svg)<a \(link)><path d='M0 0L9 9'/></a></svg>".utf8)) != nil
        }
        #expect(isPlain("href='https://example.com/?a=1&amp;b=2'") && isPlain("x:href='page.html'"))
        #expect(!isPlain("href=' javascript:f()'") && !isPlain("x:href='vbscript:f'"))
        // In a group the library takes what it never wrote for memory to free.
        #expect(!isPlain("href='a' opacity='.5'") && !isPlain("href='a' style='opacity:.5'"))
        #expect(isPlain("href='a' fill-opacity='.5'"))
        #expect(!isPlain("href='&e;'", "<!DOCTYPE svg [<!ENTITY e 'javascript:f()'>]>"))
    }

    @Test func masksOfALargePictureAreRefused() {
        let masks = (0..<300).map { "<mask id='m\($0)'><rect \($0 > 0 ? "mask='url(#m\($0 - 1))'" : "")/></mask>" }
        #expect(throws: ImageError.self) {
            try check(masks.joined() + "<rect mask='url(#m299)'/>", pixels: 1 << 24)
        }
    }

    @Test(arguments: [
        "<?xml version='1.0' encoding='UTF-7'?>", "<!DOCTYPE svg [<!ENTITY a '<feTurbulence/>'>]>",
        "<!DOCTYPE svg [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]>", "<!DOCTYPE svg [<!ENTITY % a SYSTEM 'x'>]>",
    ])
    func whatOtherReadersMayReadDifferentlyIsRefused(_ head: String) {
        #expect(throws: ImageError.self) { try check("<rect/>", head: head) }
    }

    @Test(arguments: [
        "<rect width='9' height='9' fill='red'/>", filter("<feGaussianBlur stdDeviation='3'/>"),
        filter("<feConvolveMatrix order='3' kernelMatrix='1 1 1 1 1 1 1 1 1'/>"),
        "<style>.a{clip-path:url(#c);fill:red}</style><clipPath id='c'><rect/></clipPath><path class='a' d='M0 0'/>",
        "<use href='#a'/><g id='a'><use href='#a'/></g>", "<text>words</text>",
    ])
    func usualFilesPass(_ body: String) throws {
        try check(body)
        try check(body, head: "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!DOCTYPE svg [<!ENTITY ns 'http://a/'>]>")
    }
}

@Suite struct NetworkAccessTests {
    private func isPublic(_ address: [UInt8]) -> Bool {
        cfetch_is_public(address.count == 4 ? AF_INET : AF_INET6, address) == 1
    }

    @Test(
        arguments: [
            [127, 0, 0, 1], [10, 1, 2, 3], [172, 16, 0, 1], [172, 31, 255, 255], [192, 168, 1, 1],
            [169, 254, 169, 254],
            [0, 0, 0, 0], [100, 64, 0, 1], [224, 0, 0, 1], [255, 255, 255, 255], [198, 18, 0, 1],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 1],
            [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0, 192, 168, 0, 1],
            [0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0xFC, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [0xFF, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0x20, 2, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0x20, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
        ] as [[UInt8]])
    func addressesOfOnesOwnAreNotPublic(_ address: [UInt8]) { #expect(!isPublic(address)) }

    @Test(
        arguments: [
            [1, 1, 1, 1], [172, 32, 0, 1], [100, 128, 0, 1],
            [0x26, 6, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 8, 8, 8, 8],
        ] as [[UInt8]])
    func othersArePublic(_ address: [UInt8]) { #expect(isPublic(address)) }
}

@Suite struct ImageBudgetTests {
    private func picture(_ side: Int, _ color: UInt32) throws -> [UInt8] {
        try PNGEncoder().encode(Pixmap(width: side, height: side, fill: 0xFF00_0000 | color))
    }

    private func store(_ count: Int, side: Int, _ change: (inout Limits) -> Void) throws -> ImageStore {
        var options = ImageStore.Options()
        for index in 0..<count { options.pictures["\(index)"] = try picture(side, UInt32(index)) }
        change(&options.limits)
        return ImageStore(options)
    }

    @Test func picturesThatDoNotFitTogetherAreDecodedAgain() throws {
        let store = try store(3, side: 100) { $0[.imageBytes] = 100_000 }
        for index in [0, 1, 2, 0, 1, 2] {
            #expect(store.picture(source: "\(index)", width: 9, height: 9)?.pixels.first == 0xFF00_0000 | UInt32(index))
        }
        #expect(store.meter.exceeded == nil && store.failures.isEmpty)
    }

    @Test func pictureLargerThanAllRoomIsOverBudget() throws {
        let store = try store(1, side: 200) { $0[.imageBytes] = 100_000 }
        #expect(store.picture(source: "0", width: 9, height: 9) == nil && store.meter.exceeded == .imageBytes)
    }

    @Test func decodingWithoutEndIsOverBudget() throws {
        let store = try store(2, side: 100) {
            $0[.imageBytes] = 50_000
            $0[.decodedPixels] = 35_000
        }
        for index in 0..<9 { _ = store.picture(source: "\(index % 2)", width: 9, height: 9) }
        #expect(store.meter.exceeded == .decodedPixels)
    }

    @Test func partsOfAScaledPictureAreThoseOfTheWhole() {
        let source = Pixmap(
            width: 37, height: 23,
            pixels: (0..<37 * 23).map { UInt32(truncatingIfNeeded: $0 &* 2_654_435) | 0xFF00_0000 })
        for (width, height) in [(11, 7), (90, 61), (37, 60), (100, 5)] {
            let whole = ImageScaler.scale(source, width: width, height: height)
            let (columns, rows) = (width / 3..<width, height / 4..<height - 1)
            let part = ImageScaler.scale(source, width: width, height: height, columns: columns, rows: rows)
            #expect(part.pixels == rows.flatMap { y in columns.map { whole[$0, y] } }, "\(width) × \(height)")
        }
    }

    @Test func packedFontsTellTheirSize() {
        func file(_ head: String, _ rest: [UInt8]) -> [UInt8] { Array(head.utf8) + rest }
        var woff = file("wOFF", [UInt8](repeating: 0, count: 60))
        woff[13] = 1
        woff[44 + 12] = 0x40
        #expect(PackedFont.size(of: woff) == 1 << 30)
        var woff2 = file("wOF2", [UInt8](repeating: 0, count: 44))
        woff2[13] = 1
        // glyf, transformed: two lengths of 128 and 16384.
        woff2 += [10, 0x81, 0x00, 0x81, 0x80, 0x00]
        #expect(PackedFont.size(of: woff2) == 128 + 16384)
        #expect(PackedFont.size(of: [0, 1, 0, 0]) == 4)
    }
}

@Suite struct SandboxTests {
    @Test func linksAreFollowedWithoutTheKernelsHelpToo() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sandbox-\(UUID().uuidString)")
            .resolvingSymlinksInPath()
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("base"), withIntermediateDirectories: true)
        let root = folder.path + "/base"
        try Data("in".utf8).write(to: URL(fileURLWithPath: root + "/in.txt"))
        try Data("out".utf8).write(to: URL(fileURLWithPath: folder.path + "/out.txt"))
        for (name, target) in [("a", "in.txt"), ("b", "../out.txt"), ("c", root + "/in.txt"), ("d", "../nothing")] {
            try FileManager.default.createSymbolicLink(atPath: root + "/" + name, withDestinationPath: target)
        }
        for name in ["in.txt", "a", "c"] {
            close(try SandboxedFile.openReal(name, below: root, missing: .notFound))
            #expect(try SandboxedFile.read(name, below: root, limit: 99) == Array("in".utf8), "\(name)")
        }
        #expect(throws: ImageError.outsideBaseDirectory) {
            try SandboxedFile.openReal("b", below: root, missing: .notFound)
        }
        // A folder of the path is replaced by a link after links were resolved.
        let manager = FileManager.default
        for folder in [root + "/sub", folder.path + "/other"] {
            try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: folder + "/file"))
        }
        close(try SandboxedFile.openReal("sub/file", below: root, missing: .notFound))
        #expect(throws: ImageError.outsideBaseDirectory) {
            try SandboxedFile.openReal("sub/file", below: root, missing: .notFound) {
                try? manager.moveItem(atPath: root + "/sub", toPath: root + "/before")
                try? manager.createSymbolicLink(atPath: root + "/sub", withDestinationPath: "../other")
            }
        }
        for name in ["b", "d", "../out.txt", "../nothing", "../base/../out.txt"] {
            #expect(throws: ImageError.outsideBaseDirectory, "\(name)") {
                try SandboxedFile.read(name, below: root, limit: 99)
            }
        }
    }
}
