// SVG and PDF: content that stays text, stays a shape or becomes a picture, and the targets of links.

import CFancyTextDeflate
import FancyText
import Foundation
import Testing

@Suite struct VectorPictureTests {
    private static var renderer: Renderer {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        return Renderer(fonts: fonts)
    }

    private static func options(_ width: Float) -> RenderOptions {
        var options = RenderOptions()
        options.width = .pixels(width)
        options.padding = 0
        return options
    }

    /// The file without the data of its fonts and pictures, and without its style.
    private func svg(_ html: String, width: Float = 200) throws -> String {
        var document = MarkupParser().parse(html)
        let file = String(decoding: try Self.renderer.picture(&document, as: .svg, Self.options(width)), as: UTF8.self)
        var lines = file.split(separator: "\n").map { line -> String in
            guard let start = line.firstRange(of: ";base64,"),
                let end = line[start.upperBound...].firstIndex(of: "\"")
            else {
                return String(line)
            }
            return String(line[..<start.upperBound]) + "…" + line[end...]
        }
        if let start = lines.firstIndex(of: "<style>"), let end = lines.firstIndex(of: "</style>") {
            lines.removeSubrange(start...end)
        }
        return lines.joined(separator: "\n")
    }

    private func pdf(_ html: String, width: Float = 200, page: PageSize? = nil) throws -> [UInt8] {
        var document = MarkupParser().parse(html)
        return try Self.renderer.picture(&document, as: .pdf(page: page), Self.options(width))
    }

    /// The contents of text elements, in their order.
    private func text(_ svg: String) -> String {
        svg.split(separator: "\n").filter { $0.contains("<text") }.map { line in
            var isTag = false
            let shown = line.unicodeScalars.filter { scalar in
                if scalar == "<" { isTag = true }
                defer { if scalar == ">" { isTag = false } }
                return !isTag
            }
            return String(String.UnicodeScalarView(shown))
        }.joined(separator: "|")
    }

    @Test func linksAreAbsoluteAndEncoded() throws {
        let file = try pdf("<base href='https://x.y/z/'><a href='o.html?q=ü b'>a</a> <a href='https://x.y/é'>b</a>")
        for address in ["https://x.y/z/o.html?q=%C3%BC%20b", "https://x.y/%C3%A9"] {
            #expect(file.firstRange(of: Array("/URI (\(address))".utf8)) != nil, "\(address)")
        }
        let script = try pdf("<base href='javascript:f()//'><a href='o.html'>a</a>")
        #expect(script.firstRange(of: Array("javascript".utf8)) == nil)
    }

    @Test func textStaysTextAtItsPlaces() throws {
        #expect(
            try svg("<p style='margin:0'>AV <b style='color:red'>b&amp;</b>") == """
                <svg xmlns="http://www.w3.org/2000/svg" width="200" height="20" viewBox="0 0 200 20">
                <g pointer-events="none">
                <rect x="0" y="0" width="200" height="20" fill="#ffffff"/>
                <text font-size="16" fill="#000000" class="f0" x="0 9.727 20.545" y="16">AV </text>
                <text font-size="16" fill="#ff0000" class="f1" x="25.047 35.212" y="16">b&amp;</text>
                </g>
                </svg>
                """)
    }

    @Test func shapesStayShapes() throws {
        let file = try svg(
            """
            <div style="height:20px;background:linear-gradient(90deg,red,blue 50%);border-radius:4px;opacity:.5"></div>\
            <div style="height:10px;background:#0f08;transform:rotate(90deg);mix-blend-mode:multiply"></div>\
            <p style="margin:0;text-decoration:underline">x
            """)
        #expect(!file.contains("<image"))
        #expect(file.contains("<g opacity=\"0.5\" style=\"isolation:isolate\">"))
        #expect(
            file.contains(
                """
                <linearGradient id="g1" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="100" y2="0">\
                <stop offset="0" stop-color="#ff0000"/><stop offset="1" stop-color="#0000ff"/></linearGradient>
                """))
        #expect(file.contains("mix-blend-mode:multiply") && file.contains("fill=\"#00ff00\" fill-opacity=\"0.533\""))
        #expect(file.contains("matrix(0 1 -1 0"))
        #expect(file.contains("<rect x=\"0\" y=\"47\" width=\"8.636\" height=\"1\" fill=\"#000000\"/>"), "\(file)")
    }

    @Test(arguments: [
        "<div style='height:20px;margin:20px;box-shadow:0 2px 6px #000'></div>",
        "<div style='height:20px;background:conic-gradient(red,blue)'></div>",
        "<div style='height:20px;background:red;filter:blur(2px)'></div>",
        "<div style='height:20px;background:red;mask:linear-gradient(#000,#0000)'></div>",
    ])
    func whatOnlyPixelsCanShowIsAPicture(_ html: String) throws {
        let file = try svg(html)
        #expect(file.split(separator: "<image").count == 2, "\(file)")
    }

    @Test func textInAPictureCanBeFound() throws {
        let file = try svg("<p style='filter:blur(1px)'>Blurred")
        #expect(file.contains("<image") && file.contains("class=\"h\""))
        #expect(text(file) == "Blurred")
        #expect(try Self.spokenLetters(pdf("<p style='filter:blur(1px)'>Blurred")) == Set("Blured"))
    }

    /// A ligature that is drawn as a shape, and a character without a glyph, are inside of their word.
    @Test(arguments: [
        ("<p style='font:16px Noto Sans'>Office", "Office"), ("<p>co&zwnj;op", "co\u{200C}op"),
        ("<p>a&lrm;b", "a\u{200E}b"),
        ("<ol dir=rtl><li>text</ol>", "1|. |text"), ("<ol><li>text</ol>", "1. |text"),
    ])
    func textIsInTheOrderOfReading(_ html: String, _ expected: String) throws {
        #expect(text(try svg(html)) == expected)
    }

    @Test(arguments: [
        "<h1 style='-webkit-text-stroke:1px red;color:transparent'>Title",
        "<svg><marker id=m /><path marker-end='url(#m)'/><text y=30>January</text></svg>",
        "<svg><g opacity=.5><text y=30>January</text></g></svg>",
        "<div style='filter:blur(1px)'><svg><text y=30>January</text></svg></div>",
    ])
    func textThatAPictureOrALineShowsCanBeFound(_ html: String) throws {
        let words =
            html.split(whereSeparator: { "<>".contains($0) }).first { ["Title", "January"].contains($0) } ?? ""
        #expect(text(try svg(html)).contains(words))
        #expect(try Self.spokenLetters(pdf(html)) == Set(words))
        #expect(String(decoding: try pdf(html), as: UTF8.self).contains("/ca 0.00000000"))
    }

    @Test func emojiInColoursCanBeFound() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let picture = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><circle r='4' fill='red'/></svg>"
        try Data(picture.utf8).write(to: folder.appending(path: "1f389.svg"))
        var fonts = FontOptions()
        (fonts.usesSystemFonts, fonts.emoji) = (false, folder.path)
        var document = MarkupParser().parse("<p>a 🎉")
        #expect(try Self.spokenLetters(Renderer(fonts: fonts).picture(&document, as: .pdf())) == Set("a 🎉"))
    }

    @Test func linksStayLinks() throws {
        let html = "<p style='margin:0'>See <a href='https://a.example/?q=1&amp;r=2'>there</a>"
        let file = try svg(html)
        #expect(file.contains("<a href=\"https://a.example/?q=1&amp;r=2\"><rect x=\"33.344\""), "\(file)")
        #expect(file.contains("<a href=\"https://a.example/?q=1&amp;r=2\"><text"))
        let bytes = String(decoding: try pdf(html), as: UTF8.self)
        #expect(bytes.contains("/URI (https://a.example/?q=1&r=2)"))
        // 33.344 px are 25.008 points; the PDF has the enclosing rectangle with whole coordinates.
        #expect(bytes.contains("/Rect [ 25 "))
    }

    @Test func linksIntoTheDocumentLeadToTheirElement() throws {
        let html =
            "<p style='margin:0'><a href=#end>down</a> <a href=#none>nowhere</a>"
            + "<div style='height:2000px'></div><h2 id=end style='margin:0'>End</h2>"
        let file = try svg(html)
        #expect(file.contains("<path id=\"end\" d=\"M0 2020\" fill=\"none\"/>"), "\(file)")
        let page = try #require(PageSize("A5"))
        for bytes in [try pdf(html), try pdf(html, page: page)] {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.components(separatedBy: "/Subtype /Link").count == 2)
            // The bytes of the name, so that it needs no escapes.
            #expect(text.contains("(d65-6e-64)"))
        }
    }

    /// The page is a pixel wide, and the contents of the box are to its right.
    @Test func linksToPlacesBesideThePageDoNotEndTheProcess() throws {
        var page = try #require(PageSize("A5"))
        page.documentWidth = 1
        let file = try pdf(
            "<!DOCTYPE html><body><div style='overflow-x:clip'><h2 id=s><a href='#s'>SEE ALSO</a></h2></div>",
            page: page)
        #expect(!String(decoding: file, as: UTF8.self).contains("/Subtype /Link"))
    }

    @Test func aLinkIsOnItsPageAlone() throws {
        let html = (1...120).map { "<p><a href='https://a.example/\($0)'>Paragraph \($0)</a>" }.joined()
        let page = try #require(PageSize("A5"))
        let text = String(decoding: try pdf(html, page: page), as: UTF8.self)
        #expect(text.components(separatedBy: "/URI (https://a.example/77)").count == 2)
    }

    @Test func textFromTheRightIsInTheOrderOfReading() throws {
        let file = try svg("<p dir=rtl style='font-family:monospace'>مرحبا abc (سلام)", width: 300)
        #expect(text(file).replacing("|", with: "") == "مرحبا abc (سلام)")
    }

    @Test func lettersKeepTheShapesThatShapingGaveThem() throws {
        // One character in three forms, so the font has variants.
        var document = MarkupParser().parse("<p style='font-family:monospace'>ببب")
        let file = String(decoding: try Self.renderer.picture(&document, as: .svg, Self.options(200)), as: UTF8.self)
        #expect(file.contains("font-family:f0v1") && file.contains("font-family:f0v2"))
    }

    @Test func theSameDocumentGivesTheSameBytes() throws {
        let html = "<h1>Title</h1><p style='box-shadow:0 0 4px red'>Text <i>slanted</i> <a href=x>link</a>"
        #expect(try pdf(html) == pdf(html))
        #expect(try svg(html) == svg(html))
    }

    @Test func aDocumentIsOnePageUnlessAPageIsNamed() throws {
        let html = (1...120).map { "<p>Paragraph \($0)" }.joined()
        let one = String(decoding: try pdf(html), as: UTF8.self)
        #expect(one.split(separator: "/Type /Page %").count == 2)
        let page = try #require(PageSize("A5"))
        let many = String(decoding: try pdf(html, page: page), as: UTF8.self)
        // 120 paragraphs of 36 px on pages of 793 − 77.
        #expect(many.split(separator: "/Type /Page %").count == 8)
        #expect(many.contains("/MediaBox [ 0 0 419.52"))
    }

    @Test(arguments: [
        ("A4", true), ("letter", true), ("100x150", true), ("100", false), ("0x10", false), ("B7", false),
    ])
    func pagesHaveNames(_ name: String, _ isKnown: Bool) {
        #expect((PageSize(name) != nil) == isKnown)
    }

    @Test func whatPDFTextSaysIsNoted() throws {
        #expect(try Self.spokenLetters(pdf("<p>Grüße <b>fett</b>")) == Set("Grüße fet"))
    }

    private static func utf16(_ digits: Substring) -> Unicode.Scalar? {
        guard let value = UInt64(digits, radix: 16) else { return nil }
        let units =
            digits.count == 8 ? [UInt16(value >> 16), UInt16(value & 0xFFFF)] : [UInt16(truncatingIfNeeded: value)]
        let scalars = String(decoding: units, as: UTF16.self).unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }

    /// The characters in the file's maps from glyphs to Unicode.
    private static func spokenLetters(_ file: [UInt8]) throws -> Set<Character> {
        var result: Set<Character> = []
        let decompressor = try #require(libdeflate_alloc_decompressor())
        defer { libdeflate_free_decompressor(decompressor) }
        let (start, end) = (Array("stream\n".utf8), Array("\nendstream".utf8))
        var place = 0
        while let from = file[place...].firstRange(of: start), let to = file[from.upperBound...].firstRange(of: end) {
            place = to.upperBound
            let packed = Array(file[from.upperBound..<to.lowerBound])
            var text = [UInt8](repeating: 0, count: 1 << 20)
            var count = 0
            let status = libdeflate_zlib_decompress(decompressor, packed, packed.count, &text, text.count, &count)
            guard status == LIBDEFLATE_SUCCESS else { continue }
            for line in String(decoding: text[..<count], as: UTF8.self).split(separator: "\n") {
                // <glyph> <UTF-16>
                let parts = line.split(separator: " ")
                guard parts.count == 2, parts.allSatisfy({ $0.hasPrefix("<") && $0.hasSuffix(">") }),
                    let scalar = utf16(parts[1].dropFirst().dropLast()),
                    // The range of all codes is also a pair of codes.
                    parts[0] != "<00>" && parts[0] != "<0000>"
                else { continue }
                result.insert(Character(scalar))
            }
        }
        return result
    }

    // MARK: Boxes

    @Test func boxesOfElementsAreListed() throws {
        var document = MarkupParser().parse(
            "<div id=a class='x y' style='padding:4px'>One <b>two</b><p style='margin:0;height:9px'></div>")
        let content = JSONContent(hasBoxes: true)
        let json = String(
            decoding: try Self.renderer.json(&document, Self.options(200), content: content), as: UTF8.self)
        let boxes = try #require(json.firstRange(of: "\"boxes\":[{\"tag\"")).lowerBound
        #expect(
            json[boxes...].hasPrefix(
                """
                "boxes":[{"tag":"div","id":"a","class":"x y","x":0,"y":0,"width":200,"height":37},\
                {"tag":"b","x":39.375,"y":4,
                """), "\(json[boxes...])")
        #expect(json.hasSuffix("{\"tag\":\"p\",\"x\":4,\"y\":24,\"width\":192,\"height\":9}]}\n"))
    }

    @Test func outlinesOfBoxesAreDrawn() throws {
        var options = Self.options(20)
        options.outlinesBoxes = true
        var document = MarkupParser().parse("<div style='height:10px'></div>")
        let pixels = try Self.renderer.pixels(&document, options)
        #expect(pixels[0, 5].blue > 200 && pixels[0, 5].red < 120)
        #expect(pixels[10, 5] == .white)
    }
}
