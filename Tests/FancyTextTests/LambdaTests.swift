// Lambdas by their pixels: pictures, snippets, and drawings through the canvas.

import FancyTextTestSupport
import Testing

@testable import FancyText
@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextImages
@testable import FancyTextPainting

private let red = Color(red: 255, green: 0, blue: 0)
private let blue = Color(red: 0, green: 0, blue: 255)

/// Paints `html` without margins on white.
private func paint(
    _ html: String, width: Float = 8, height: Float = 4, scale: Float = 1, lambdas: [String: Lambda],
    check: (DiagnosticLog) -> Void = { #expect($0.entries.isEmpty) }
) throws -> Pixmap {
    var options = RenderOptions()
    options.width = .pixels(width)
    options.height = .pixels(height)
    options.scale = scale
    options.padding = 0
    options.lambdas = lambdas
    var fonts = FontOptions()
    fonts.usesSystemFonts = false
    let renderer = Renderer(fonts: fonts)
    var document = MarkupParser().parse(html)
    let png = try renderer.png(&document, options)
    check(document.diagnostics)
    return try ImageDecoder.decode(png, limit: 1_000_000)
}

/// A picture as one letter per pixel: `.` white, `#` black, `R` and `B` the pure colours, `o` any other.
private func art(_ pixmap: Pixmap) -> String {
    (0..<pixmap.height).map { y in
        String(
            (0..<pixmap.width).map { x -> Character in
                switch pixmap[x, y] {
                case 0xFFFF_FFFF: "."
                case 0xFF00_0000: "#"
                case 0xFF00_00FF: "R"
                case 0xFFFF_0000: "B"
                default: "o"
                }
            })
    }.joined(separator: "\n")
}

/// A box at the top left corner of the picture.
private func box(_ id: String, width: Int? = nil, height: Int? = nil) -> String {
    let size = [width.map { "width=\($0)" }, height.map { "height=\($0)" }].compactMap { $0 }.joined(separator: " ")
    return "<div style='line-height:0'><lambda id=\(id) \(size) vertical-align=top></lambda></div>"
}

@Suite struct LambdaTests {
    @Test func boxesAreAlignedByTheirAttribute() throws {
        let dot = Lambda.drawing(width: 2, height: 2) { canvas in
            canvas.fill(.rectangle(x: 0, y: 0, width: 2, height: 2), with: .color(.black))
        }
        func top(_ alignment: String) throws -> Int? {
            let picture = try paint(
                "<div style='font:16px/20px Inter'><lambda id=d vertical-align=\(alignment)></lambda></div>",
                height: 20, lambdas: ["d": dot])
            return (0..<20).first { picture[0, $0] != 0xFFFF_FFFF }
        }
        #expect(try top("top") == 0)
        #expect(try top("bottom") == 18)
        let baseline = try #require(try top("baseline"))
        #expect(try top("3") == baseline - 3)
        #expect(try top("-2px") == baseline + 2)
    }

    @Test func drawingsKnowTheSizeOfTheirBox() throws {
        let frame = Lambda.drawing(width: 1, height: 1) { canvas in
            let edge = Canvas.Path.rectangle(
                x: 0.5, y: 0.5, width: canvas.width - 1, height: canvas.height - 1)
            canvas.stroke(edge, color: .black)
        }
        #expect(
            art(try paint(box("f", width: 5, height: 4), lambdas: ["f": frame]))
                == "#####...\n#...#...\n#...#...\n#####...")
    }

    @Test func drawingsHaveTheirOwnSizeWhereTheDocumentGivesNone() throws {
        let dot = Lambda.drawing(width: 3, height: 2) { canvas in
            canvas.fill(.rectangle(x: 0, y: 0, width: canvas.width, height: canvas.height), with: .color(red))
        }
        #expect(art(try paint(box("d"), lambdas: ["d": dot])) == "RRR.....\nRRR.....\n........\n........")
    }

    @Test func pathsAreFilledNonZero() throws {
        let shape = Lambda.drawing(width: 8, height: 4) { canvas in
            var path = Canvas.Path()
            path.move(x: 0, y: 0)
            path.line(x: 6, y: 0)
            path.line(x: 6, y: 4)
            path.line(x: 0, y: 4)
            path.close()
            // Counter-clockwise: a hole.
            path.move(x: 2, y: 1)
            path.line(x: 2, y: 3)
            path.line(x: 4, y: 3)
            path.line(x: 4, y: 1)
            path.close()
            canvas.fill(path, with: .color(.black))
        }
        #expect(art(try paint(box("s"), lambdas: ["s": shape])) == "######..\n##..##..\n##..##..\n######..")
    }

    @Test func curvesBulge() throws {
        let arc = Lambda.drawing(width: 8, height: 8) { canvas in
            var path = Canvas.Path()
            path.move(x: 0, y: 8)
            path.curve(controlX: 4, controlY: -8, x: 8, y: 8)
            canvas.fill(path, with: .color(.black))
        }
        let picture = try paint(box("a"), height: 8, lambdas: ["a": arc])
        // The curve reaches half of the distance to its control point, so the top row of its hull stays empty.
        #expect(picture[4, 7] == 0xFF00_0000)
        #expect(picture[4, 1] != 0xFFFF_FFFF)
        #expect(picture[0, 1] == 0xFFFF_FFFF)
    }

    @Test func gradientsSpanTheirPath() throws {
        let gradient = try #require(Gradient(css: "linear-gradient(90deg, #f00 50%, #00f 50%)"))
        let bar = Lambda.drawing(width: 8, height: 4) { canvas in
            canvas.fill(.rectangle(x: 2, y: 1, width: 4, height: 2), with: .gradient(gradient))
        }
        #expect(art(try paint(box("b"), lambdas: ["b": bar])) == "........\n..RRBB..\n..RRBB..\n........")
    }

    @Test func textTakesTheDocumentsStyles() throws {
        let label = Lambda.drawing(width: 40, height: 20) { canvas in
            canvas.draw("<b>H</b>", x: 4, y: 2, width: 30)
        }
        let style = "<style>b { color: #f00; font: 800 16px/1 Inter }</style>"
        let picture = try paint(style + box("t"), width: 40, height: 20, lambdas: ["t": label])
        #expect(picture.pixels.contains(0xFF00_00FF))
        let columns = (0..<40).filter { x in (0..<20).contains { picture[x, $0] != 0xFFFF_FFFF } }
        #expect(try #require(columns.first) >= 4 && #require(columns.last) < 20)
    }

    @Test func picturesFillTheirPlace() throws {
        let png = try PNGEncoder().encode(Pixmap(width: 1, height: 1, pixels: [0xFFFF_0000]))
        let drawing = Lambda.drawing(width: 8, height: 4) { canvas in
            canvas.draw(picture: png, x: 1, y: 1, width: 3, height: 2)
        }
        #expect(art(try paint(box("p"), lambdas: ["p": drawing])) == "........\n.BBB....\n.BBB....\n........")
        #expect(
            art(try paint(box("p", width: 2, height: 2), lambdas: ["p": try .picture(png)]))
                == "BB......\nBB......\n........\n........")
    }

    @Test func groupsClipAndFade() throws {
        let drawing = Lambda.drawing(width: 8, height: 4) { canvas in
            canvas.clip(x: 1, y: 1, width: 3, height: 2) {
                $0.fill(.rectangle(x: 0, y: 0, width: 8, height: 4), with: .color(.black))
            }
            canvas.opacity(0) {
                $0.fill(.rectangle(x: 0, y: 0, width: 8, height: 4), with: .color(red))
            }
        }
        #expect(art(try paint(box("g"), lambdas: ["g": drawing])) == "........\n.###....\n.###....\n........")
    }

    @Test func nothingIsPaintedOutsideOfTheBox() throws {
        let spill = Lambda.drawing(width: 3, height: 2) { canvas in
            canvas.fill(.rectangle(x: -50, y: -50, width: 100, height: 100), with: .color(blue))
        }
        #expect(art(try paint(box("s"), lambdas: ["s": spill])) == "BBB.....\nBBB.....\n........\n........")
    }

    @Test func drawingsAreSharpAtEveryScale() throws {
        let half = Lambda.drawing(width: 2, height: 1) { canvas in
            canvas.fill(.rectangle(x: 0.5, y: 0, width: 1, height: 0.5), with: .color(.black))
        }
        #expect(
            art(try paint(box("h"), width: 3, height: 1, scale: 2, lambdas: ["h": half])) == ".##...\n......")
    }

    @Test func snippetsAreLaidOutInTheirBox() throws {
        let snippet = Lambda.html("<div style='width:50%; height:2px; background:#f00'></div>")
        #expect(
            art(try paint(box("s", width: 6, height: 3), lambdas: ["s": snippet]))
                == "RRR.....\nRRR.....\n........\n........")
    }

    @Test func snippetsTakeFontsAndColoursOfTheBodyButNotItsBox() throws {
        let style = "<style>body { margin: 0; padding: 3px; background: #00f } i { background: #f00 }</style>"
        let snippet = Lambda.html("<i style='display:block; width:2px; height:2px'></i>")
        let picture = try paint(style + box("s", width: 4, height: 2), height: 4, lambdas: ["s": snippet])
        #expect(art(picture).contains("RR"))
        #expect(picture[3, 3] == 0xFF00_00FF)
    }

    @Test func snippetsMayHoldLambdasButNotThemselves() throws {
        let inner = Lambda.drawing(width: 2, height: 1) { canvas in
            canvas.fill(.rectangle(x: 0, y: 0, width: 2, height: 1), with: .color(red))
        }
        let outer = Lambda.html(box("inner") + box("outer", width: 3, height: 3))
        let picture = try paint(
            box("outer", width: 4, height: 4), lambdas: ["inner": inner, "outer": outer],
            check: { log in #expect(log.entries.contains { $0.message.contains("holds itself") }) })
        #expect(art(picture) == "RR......\n........\n........\n........")
    }

    @Test func whatIsNoPictureIsAnError() {
        #expect(throws: RenderError.self) { try Lambda.picture(Array("no picture".utf8)) }
        #expect(throws: RenderError.self) { try Lambda.picture([]) }
    }

    @Test func oneRendererKeepsThePicturesOfDocumentsApart() throws {
        let renderer = Renderer()
        func render(_ color: UInt32) throws -> [UInt8] {
            var options = RenderOptions()
            options.lambdas["p"] = try .picture(
                try PNGEncoder().encode(Pixmap(width: 2, height: 2, fill: color)))
            options.width = .pixels(9)
            var document = MarkupParser().parse(box("p", width: 5, height: 5))
            return try renderer.png(&document, options)
        }
        let first = try render(0xFF00_00FF)
        #expect(try render(0xFFFF_0000) != first)
        #expect(try render(0xFF00_00FF) == first)
    }
}
