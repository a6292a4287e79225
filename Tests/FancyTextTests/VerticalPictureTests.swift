// Boxes in vertical flows, and the boxes in a horizontal flow that must look like them (CSS Writing Modes 4).

import Testing

@testable import FancyText

@Suite struct VerticalPictureTests {
    private func png(_ html: String) throws -> [UInt8] {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        var options = RenderOptions()
        options.width = .pixels(120)
        options.height = .pixels(100)
        options.writesMetadata = false
        var document = MarkupParser().parse(
            """
            <!DOCTYPE html><style>body{margin:0}p{margin:0}i{display:block;background:green}
            .v{writing-mode:vertical-rl;width:50px;height:60px}</style>
            """ + html)
        return try Renderer(fonts: fonts).png(&document, options)
    }

    /// A green box.
    private func green(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> String {
        "<i style='position:absolute;left:\(x)px;top:\(y)px;width:\(width)px;height:\(height)px'></i>"
    }

    private func check(_ html: String, _ x: Int, _ y: Int, _ width: Int, _ height: Int) throws {
        #expect(try png(html) == png(green(x, y, width, height)), "\(html)")
    }

    @Test func blocksBeginAtTheStartOfTheFlow() throws {
        try check("<div class=v><i style='block-size:10px'></i>", 40, 0, 10, 60)
        try check("<div class=v style='writing-mode:vertical-lr'><i style='block-size:10px'></i>", 0, 0, 10, 60)
        try check("<div class=v><i style='width:10px;height:20px'></i>", 40, 0, 10, 20)
        try check("<div class=v style='direction:rtl'><i style='width:10px;height:20px'></i>", 40, 40, 10, 20)
        try check(
            "<div class=v style='writing-mode:sideways-lr'><i style='width:10px;height:20px'></i>", 0, 40, 10, 20)
    }

    /// A symbol that Inter lacks stands on the baseline of Inter, by the middle of its own font.
    @Test func fallbackFontsStandOnTheBaselineOfTheFirstFont() throws {
        func list(_ families: String) throws -> Float {
            var fonts = FontOptions()
            fonts.usesSystemFonts = false
            var options = RenderOptions()
            options.padding = 0
            var document = MarkupParser().parse(
                "<p style='margin:0;writing-mode:vertical-rl;font:40px \(families);line-height:60px'>\u{2622}")
            let svg = String(
                decoding: try Renderer(fonts: fonts).picture(&document, as: .svg, options), as: UTF8.self)
            let place = try #require(svg.firstMatch(of: /<text[^>]* x="([0-9.]+)/))
            return try #require(Float(place.1))
        }
        // Half a pixel to the left of the middle of the line, which is that of Inter.
        #expect(try list("Inter,'DejaVu Sans Mono'") == list("'DejaVu Sans Mono'"))
    }

    @Test func sidesOfThePageKeepTheirPlace() throws {
        try check(
            "<div class=v><i style='width:10px;height:20px;margin-right:5px;margin-top:3px'></i>", 35, 3, 10, 20)
        try check(
            "<div class=v><i style='width:10px;height:20px;margin-block-start:5px;margin-inline-start:3px'></i>", 35, 3,
            10, 20)
        try check("<div class=v><i style='width:10px;margin-inline:auto;inline-size:20px'></i>", 40, 20, 10, 20)
        try check("<div class=v style='padding:1px 2px 3px 4px'><i style='width:10px'></i>", 44, 1, 10, 60)
    }

    @Test func positionedBoxes() throws {
        let box = "width:10px;height:20px"
        try check("<div class=v style='position:relative'><i style='position:absolute;\(box)'></i>", 40, 0, 10, 20)
        try check(
            "<div class=v style='position:relative'><i style='position:absolute;inset-block-end:3px;\(box)'></i>", 3, 0,
            10, 20)
        // The start of the flow wins.
        try check("<div class=v><i style='position:relative;left:3px;right:5px;\(box)'></i>", 35, 0, 10, 20)
        try check(
            "<div class=v style='position:relative'><i style='position:absolute;left:3px;right:5px;\(box)'></i>", 35, 0,
            10, 20)
    }

    @Test func floatsAndFormattingContexts() throws {
        let box = "<i style='width:10px;height:20px'></i>"
        try check("<div class=v><i style='float:right;width:10px;height:20px'></i>", 40, 40, 10, 20)
        try check("<div class=v style='display:flex;justify-content:flex-end'>\(box)", 40, 40, 10, 20)
        try check(
            "<div class=v style='display:flex;flex-direction:column;justify-content:flex-end'>\(box)", 0, 0, 10, 20)
        try check(
            "<div class=v style='display:grid;grid-template-columns:7px 20px'><p></p><i></i>", 0, 7, 50, 20)
        try check(
            "<table class=v style='border-spacing:0;height:auto;width:auto'><tr><td style='padding:0;height:30px'>"
                + "<td style='padding:0'>\(box)</table>", 0, 30, 10, 20)
    }

    /// A cell across its table is as high as its row, and aligned in the direction of its lines.
    @Test func cellsAcrossTheirTable() throws {
        try check(
            """
            <table style='border-spacing:0'><tr><td style='padding:0;writing-mode:sideways-lr;width:30px;\
            vertical-align:bottom'><i style='width:10px;height:20px'></i><td style='padding:0'><p style='height:60px'></p>
            """, 20, 40, 10, 20)
    }

    @Test func rubyIsNotIndented() throws {
        let ruby = "<ruby>ab<rt>cd</rt></ruby>"
        #expect(try png("<p style='text-indent:20px'>x\(ruby)") == png("<p style='margin-left:20px'>x\(ruby)"))
    }

    @Test func percentagesOfPaddingNeedRoomInShrunkBoxes() throws {
        try check(
            "<i style='float:left;padding-left:10%'><p style='float:left;width:20px;height:9px'></p>", 0, 0, 32, 9)
    }

    /// CSS Counter Styles 3 §6.3.
    @Test(arguments: [("vertical-rl", "▾", "◂"), ("vertical-lr", "▾", "▸"), ("sideways-rl", "▸", "▾")])
    func trianglesPointAlongTheLinesOrAcross(_ mode: String, _ closed: String, _ open: String) throws {
        for (details, symbol) in [("details", closed), ("details open", open)] {
            var document = MarkupParser().parse(
                "<\(details) style='writing-mode:\(mode)'><summary>s</summary></details>")
            #expect(document.styledContents().text.starts(with: symbol.utf8))
        }
    }
}
