// The reference of viewport units, media queries and percentage heights.

import FancyTextTestSupport
import Testing

@testable import FancyText
@testable import FancyTextLayout

@Suite struct ViewportTests {
    /// The height of the document's contents in pixels.
    private func contentHeight(
        _ html: String, width: Float = 400, height: Float? = nil, viewport: Viewport? = nil, scale: Float = 1
    ) throws -> Float {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        var options = RenderOptions()
        options.width = .pixels(width)
        if let height { options.height = .pixels(height) }
        options.viewport = viewport
        options.scale = scale
        var document = MarkupParser().parse(html)
        return try Renderer(fonts: fonts).layoutTree(&document, options).contentHeight
    }

    private let plain = "<!DOCTYPE html><style>body{margin:0}</style>"

    @Test(arguments: [("50vh", 250), ("50vmin", 200), ("50vmax", 250), ("10svh", 50), ("100dvh", 500), ("1vw", 4)])
    func unitsAnswerForTheCanvas(_ height: String, _ pixels: Float) throws {
        #expect(try contentHeight(plain + "<div style='height:\(height)'>", height: 500) == pixels)
    }

    @Test func aCanvasOfItsContentsHasAScreenOfThreeQuarters() throws {
        #expect(try contentHeight(plain + "<div style='height:100vh'>") == 300)
    }

    @Test func aViewportThatWasGivenWins() throws {
        let viewport = Viewport(width: 1000, height: 200)
        #expect(try contentHeight(plain + "<div style='height:100vh'>", height: 500, viewport: viewport) == 200)
    }

    @Test(arguments: [
        ("(height:500px)", true), ("(min-height:501px)", false), ("(aspect-ratio:4/5)", true),
        ("(orientation:portrait)", true), ("(min-resolution:2dppx)", true), ("(resolution:1x)", false),
        ("(400px <= width < 401px) and (height > 10em)", true),
    ])
    func queriesAnswerForTheCanvas(_ query: String, _ matches: Bool) throws {
        let html = plain + "<style>@media \(query){div{height:7px}}</style><div>"
        #expect(try contentHeight(html, height: 500, scale: 2) == (matches ? 7 : 0))
    }

    @Test func heightsInPerCentReachTheCanvas() throws {
        let chain = "<style>html,body{height:100%;margin:0}</style>"
        #expect(try contentHeight("<!DOCTYPE html>" + chain + "<body><div style='height:50%'>", height: 500) == 500)
        #expect(try contentHeight(chain + "<div style='height:50%'>", height: 500) == 500)
        let half = "<style>html{height:50%} body{height:50%;margin:0}</style>"
        #expect(try contentHeight(half, height: 400) == 200)
        #expect(try contentHeight("<style>body{height:100%;margin:0}</style>", height: 500) == 0)
    }

    @Test func aSnippetsBodyMayBeAFlexContainer() throws {
        let items = "<i style='height:10px'></i><i style='height:20px'></i>"
        #expect(try contentHeight("<style>body{margin:0;display:flex}</style>" + items) == 20)
        #expect(try contentHeight("<style>body{margin:0;display:flex;flex-direction:column}</style>" + items) == 30)
    }

    @Test func whatIsKeptSurvivesAnotherViewport() throws {
        var document = MarkupParser().parse("<h1>T</h1><p>x <b>y</b></p>")
        document.keepOnly(document.matches(of: try SelectorQuery("b")))
        var options = RenderOptions()
        options.scale = 2
        let json = try Renderer().json(&document, options)
        #expect(String(decoding: json, as: UTF8.self).contains(#""text":"y""#))
    }

    /// `ch` is half an em if the font is unknown.
    @Test func fontUnitsCountAlikeInPixelsAndVectors() throws {
        let source = "<div style='font-size:20px;width:20ch;background:red'>x"
        var document = MarkupParser().parse(source)
        var options = RenderOptions()
        options.width = .pixels(400)
        let tree = try Renderer().layoutTree(&document, options)
        let width = try #require(tree.boxes.last { !$0.isAnonymous }).rect.width.float
        var other = MarkupParser().parse(source)
        let list = try RenderPlan(&other, options, for: .picture(keepsText: true), by: Renderer()).displayList(
            of: &other)
        let fills = list.items.compactMap { if case .fill(let shape, _) = $0 { shape.rect.width } else { nil } }
        #expect(fills.contains(width))
    }

    @Test(arguments: [
        ("body{background:#111}", "#111111ff"), ("html{background:#111}", "#111111ff"),
        (":root{background:#111}", "#111111ff"), ("html{background:#111}body{background:red}", "#111111ff"),
    ])
    func aSnippetsPageBackgroundCoversTheCanvas(_ sheet: String, _ color: String) throws {
        var document = MarkupParser().parse("<style>\(sheet)</style><h1>x</h1>")
        var options = RenderOptions()
        options.width = .pixels(400)
        options.height = .pixels(300)
        #expect(try Renderer().displayList(&document, options).dump().contains("fill 0,0 400×300 \(color)"))
    }
}
