// Drawing into the caller's pixels.

import FancyText
import Testing

@Suite struct PixelsTests {
    private static let parser = MarkupParser()

    private static var renderer: Renderer {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        return Renderer(fonts: fonts)
    }

    private static func document() -> Document { parser.parse("<b style='background:#ff8000'>Wide</b> text") }

    /// A part of a picture; pixels outside of the picture are transparent.
    private static func part(_ pixels: Pixels, x: Int, y: Int, width: Int, height: Int) -> [Color] {
        (y..<y + height).flatMap { y in
            (x..<x + width).map { x in
                (0..<pixels.width).contains(x) && (0..<pixels.height).contains(y) ? pixels[x, y] : .transparent
            }
        }
    }

    @Test func colorsAreInTheOrderOfTheirNames() throws {
        var options = RenderOptions()
        (options.width, options.height) = (.pixels(4), .pixels(2))
        options.background = Color(red: 10, green: 200, blue: 30, alpha: 128)
        var document = Self.parser.parse("")
        let pixels = try Self.renderer.pixels(&document, options)
        #expect((pixels.width, pixels.height, pixels.bytesPerRow) == (4, 2, 16))
        #expect(Array(pixels.bytes.prefix(4)) == [5, 100, 15, 128])
        #expect(pixels[3, 1].alpha == 128 && pixels[3, 1].green == 199)
    }

    /// The size of the content is that of its boxes.
    @Test(arguments: [
        ("transform:rotate(45deg)", true), ("box-shadow:0 0 40px red", true),
        ("box-shadow:0 20px 60px red", true), ("margin-left:9px", false),
        ("text-decoration:underline", false),
        // The circle is inside, but not the rectangle around the turned box.
        ("transform:rotate(45deg);border-radius:50px;color:transparent", false),
        ("transform:translateX(-900px)", true), ("position:absolute;top:-900px", true),
    ])
    func whatAnAutomaticWidthCutsOffIsReported(_ css: String, _ isCut: Bool) throws {
        var options = RenderOptions()
        (options.width, options.padding) = (.auto, 0)
        var document = Self.parser.parse("<div style='width:100px;height:100px;background:red;\(css)'>some text</div>")
        _ = try Self.renderer.pixels(&document, options)
        #expect(document.diagnostics.contains { $0.code == .clippedText } == isCut)
    }

    @Test func textThatATransformMovesIsNoTextThatIsCutOff() throws {
        let css = "position:absolute;left:50%;width:600px;transform:translateX(-50%)"
        var document = Self.parser.parse("<p>a<p style='\(css)'>\(String(repeating: "some text ", count: 30))")
        _ = try Self.renderer.pixels(&document, RenderOptions())
        #expect(document.diagnostics.isEmpty)
    }

    @Test func spacesThatHangAreNoTextThatIsCutOff() throws {
        var options = RenderOptions()
        (options.width, options.padding) = (.pixels(100), 0)
        for (text, isCut) in [
            ("abc" + String(repeating: " ", count: 60), false), (String(repeating: "abc", count: 60), true),
        ] {
            var document = Self.parser.parse("<p>Before</p><p style='white-space:pre-wrap;margin:0'>\(text)</p>")
            _ = try Self.renderer.pixels(&document, options)
            #expect(document.diagnostics.contains { $0.code == .clippedText } == isCut)
        }
    }

    @Test(arguments: [
        ("<svg width=300 height=10></svg>", true), ("<svg width=100 height=10></svg>", false),
        ("<svg width=300 height=10 style='position:absolute'></svg>", false),
        ("<div style='overflow:hidden'><svg width=300 height=10></svg></div>", false),
        ("<p style='height:200px'></p><svg width=10 height=10></svg>", true),
        ("<svg width=300 height=10 style='visibility:hidden'></svg>", false), ("<img width=300 alt=''>", false),
        ("<svg width=10 height=10 style='margin-left:-999px'></svg>", false),
    ])
    func picturesThatTheCanvasCutsOffAreReported(_ html: String, _ isCut: Bool) throws {
        var options = RenderOptions()
        (options.width, options.height, options.padding) = (.pixels(100), .pixels(100), 0)
        var document = Self.parser.parse(html)
        _ = try Self.renderer.pixels(&document, options)
        #expect(document.diagnostics.contains { $0.message.hasPrefix("a picture is cut off") } == isCut)
    }

    @Test func aDarkPageCoversTheBackground() throws {
        var options = RenderOptions()
        options.background = Color(red: 255, green: 0, blue: 0)
        var document = Self.parser.parse("<style>:root{color-scheme:dark}</style><p>x")
        #expect(try Self.renderer.pixels(&document, options)[0, 0] == Color(red: 18, green: 18, blue: 18))
        #expect(document.diagnostics.map(\.code) == [.ignoredOption])
        document = Self.parser.parse("<p style='background:white'>x")
        _ = try Self.renderer.pixels(&document, options)
        #expect(document.diagnostics.isEmpty)
    }

    @Test(arguments: [(0, 0), (7, 5), (-9, -4), (35, 22)])
    func aDocumentIsDrawnIntoARectangle(_ x: Int, _ y: Int) throws {
        let renderer = Self.renderer
        var options = RenderOptions()
        options.background = .transparent
        (options.width, options.height) = (.pixels(60), .pixels(30))
        var document = Self.document()
        let alone = try renderer.pixels(&document, options)
        #expect(Set(Self.part(alone, x: 0, y: 0, width: 60, height: 30)).count > 4)

        var pixels = Pixels(width: 80, height: 40, bytesPerRow: 333)
        try renderer.draw(&document, RenderOptions(), into: &pixels, x: x, y: y, width: 60, height: 30)
        #expect(
            Self.part(
                pixels, x: max(0, x), y: max(0, y), width: min(80, x + 60) - max(0, x),
                height: min(40, y + 30) - max(0, y))
                == Self.part(
                    alone, x: max(0, -x), y: max(0, -y), width: min(80, x + 60) - max(0, x),
                    height: min(40, y + 30) - max(0, y)))
        // Nothing else was touched.
        var drawn = 0
        for row in 0..<40 {
            for column in 0..<80 where !(x..<x + 60).contains(column) || !(y..<y + 30).contains(row) {
                drawn += pixels[column, row].alpha == 0 ? 0 : 1
            }
            #expect(pixels.bytes[row * 333 + 320..<row * 333 + 333].allSatisfy { $0 == 0 })
        }
        #expect(drawn == 0)
    }

    @Test func whatIsThereShowsThrough() throws {
        let renderer = Self.renderer
        var pixels = Pixels(width: 60, height: 30)
        pixels.withUnsafeMutableBytes { $0.copyBytes(from: repeatElement(255, count: 60 * 30 * 4)) }
        var document = Self.document()
        try renderer.draw(&document, into: &pixels, x: 0, y: 0, width: 60, height: 30)
        var options = RenderOptions()
        options.background = .white
        (options.width, options.height) = (.pixels(60), .pixels(30))
        let whole = try renderer.pixels(&document, options)
        // Blending once or twice may differ by rounding.
        for (one, other) in zip(pixels.bytes, whole.bytes) { #expect(abs(Int(one) - Int(other)) <= 2) }
        #expect(pixels[59, 29] == .white)
    }

    @Test func memoryOfTheCallerIsDrawnInto() throws {
        let renderer = Self.renderer
        var document = Self.document()
        var expected = Pixels(width: 60, height: 30)
        try renderer.draw(&document, into: &expected, x: 0, y: 0, width: 60, height: 30)
        // The last row has no padding; a buffer without its last row has one row less.
        for rows in [30, 29, 0] {
            var memory = [UInt8](repeating: 0, count: max(0, (rows - 1) * 250 + 240))
            try memory.withUnsafeMutableBytes {
                try renderer.draw(&document, into: $0, bytesPerRow: 250, width: 60, height: 30)
            }
            for row in 0..<rows {
                #expect(memory[row * 250..<row * 250 + 240].elementsEqual(expected.bytes[row * 240..<row * 240 + 240]))
            }
        }
        var memory = [UInt8](repeating: 0, count: 10)
        #expect(throws: RenderError.emptyCanvas) {
            try memory.withUnsafeMutableBytes {
                try renderer.draw(&document, into: $0, bytesPerRow: 10, width: 60, height: 30)
            }
        }
        #expect(throws: RenderError.emptyCanvas) {
            try renderer.draw(&document, into: &expected, x: 0, y: 0, width: 0, height: 30)
        }
    }

    @Test func aCanvasHoldsDocumentsAndStyledText() throws {
        let renderer = Self.renderer
        let html = "<span style='font-size:20px'>Big</span> <b>bold</b>"
        func picture(_ draw: (inout Canvas) -> Void) throws -> Pixels {
            var canvas = Canvas(width: 120, height: 60)
            canvas.fill(.rectangle(x: 0, y: 0, width: 120, height: 60), with: .color(Color(css: "#eee")!))
            draw(&canvas)
            return try renderer.pixels(canvas)
        }
        let byHTML = try picture { $0.draw(html, x: 10, y: 20, width: 100) }
        let byDocument = try picture { $0.draw(Self.parser.parse(html), x: 10, y: 20, width: 100) }
        let byText = try picture { $0.draw(Self.parser.render(html), x: 10, y: 20, width: 100) }
        #expect(byHTML == byDocument && byHTML == byText)
        #expect(try picture { _ in } != byHTML)
        let canvas = Canvas(width: 8, height: 8)
        #expect(try renderer.png(canvas).starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(throws: RenderError.emptyCanvas) { try renderer.png(Canvas(width: 0, height: 8)) }
    }
}
