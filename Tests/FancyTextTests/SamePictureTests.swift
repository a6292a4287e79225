// Markup that must look like other, simpler markup: rules of CSS and HTML without a separate golden.

import Testing

@testable import FancyText

@Suite struct SamePictureTests {
    private static func png(_ html: String) throws -> [UInt8] {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        var options = RenderOptions()
        options.width = .pixels(200)
        options.height = .pixels(160)
        options.writesMetadata = false
        var document = MarkupParser().parse("<!DOCTYPE html>" + html)
        return try Renderer(fonts: fonts).png(&document, options)
    }

    private static func check(_ html: String, _ expected: String) throws {
        #expect(try png(html) == png(expected), "\(html)")
    }

    /// A fallback is a separate declaration value (CSS Variables 1 §3).
    @Test(arguments: ["var(--a,;)", "var(--a,!)", "var(--a,!important)", "var(--a,])"])
    func invalidFallbacksSpoilTheDeclaration(_ value: String) throws {
        let green = "<p style='color:green'>text"
        try Self.check("<style>p{color:green;color:\(value)}</style><p>text", green)
        try Self.check("<style>p{--b:green;--b:\(value);color:var(--b)}</style><p>text", green)
        try Self.check("<style>@supports not (color:\(value)){p{color:green}}</style><p>text", green)
    }

    /// CSS Syntax 3 §5.4.1.
    @Test func aSemicolonBetweenRulesSpoilsTheNextOne() throws {
        try Self.check("<style>p{color:green}@page{};p{color:red}</style><p>text", "<p style='color:green'>text")
    }

    /// CSS UI 4 §3.4.
    @Test func outlinesDoNotShrinkBelowTheirSides() throws {
        try Self.check(
            "<div style='width:100px;height:100px;outline:50px solid green;outline-offset:-150px;margin:10px'>",
            "<div style='width:100px;height:100px;background:green;margin:10px'>")
    }

    /// HTML §15.3.
    @Test(arguments: [
        ("<table width=0><tr><td>a b</table>", "<table><tr><td>a b</table>"),
        ("<table><tr><td width=0 height=0>a<td>b</table>", "<table><tr><td>a<td>b</table>"),
        ("<table border=-1><tr><td>a</table>", "<table border=1><tr><td>a</table>"),
        ("<ol type=circle><li>a</ol>", "<ol><li>a</ol>"),
        ("<hr color=''>", "<hr style='border-style:solid'>"),
    ])
    func attributesThatSayNothing(_ html: String, _ expected: String) throws {
        try Self.check(html, expected)
    }

    /// Pseudo-elements reset counters as children do (CSS Lists 3 §4.3).
    @Test func aCounterOfAPseudoElementEndsBesideItsElement() throws {
        try Self.check(
            """
            <style>div{counter-reset:c 4}div::before{content:'';counter-reset:c 99}p{counter-reset:c 8}
            b::before{content:counters(c,'.')}</style><div><p><b></b></div>
            """, "<div><p><b>4.8</b></div>")
    }

    /// The background spans the line's contents, around the innermost element (CSS Pseudo 4 §2.2).
    @Test func firstLinesHaveABackgroundAndWinOverBlocksInside() throws {
        try Self.check(
            "<style>p::first-line{background:green;color:white}</style><p>one<br>two",
            "<p><span style='background:green;color:white'>one</span><br>two")
        try Self.check(
            "<style>section::first-line{color:green}</style><section><div style='color:blue'>one<br>two</div></section>",
            "<section><div style='color:blue'><span style='color:green'>one</span><br>two</div></section>")
    }

    @Test func spacesBetweenPunctuationAndTheFirstLetterBelongToIt() throws {
        try Self.check(
            "<style>p::first-letter{color:green}</style><p>« Text", "<p><span style='color:green'>« T</span>ext")
    }

    /// In both directions on the right, as in browsers.
    @Test func lettersOfBothDirectionsStandEquallyFarApart() throws {
        try Self.check(
            "<p style='letter-spacing:20px'>a\u{202E}cb\u{202C}d", "<p style='letter-spacing:20px'>abcd")
    }

    /// CSS Overflow 4 §A: only in a vertical `-webkit-box`.
    @Test func theOldLineClampNeedsTheOldBox() throws {
        try Self.check("<p style='-webkit-line-clamp:1'>one<br>two", "<p>one<br>two")
    }

    /// CSS UI 4 §4.1.
    @Test func anEllipsisLeavesTheFirstCharacterAndBlocksInsideAlone() throws {
        try Self.check(
            "<div style='width:20px;overflow:hidden;text-overflow:ellipsis;font-size:60px'>W</div>",
            "<div style='width:20px;overflow:hidden;font-size:60px'>W</div>")
        try Self.check(
            "<div style='width:50px;overflow:hidden;text-overflow:ellipsis;white-space:pre'><p>many letters</p></div>",
            "<div style='width:50px;overflow:hidden;white-space:pre'><p>many letters</p></div>")
    }

    @Test func anonymousCellsShowTheirRow() throws {
        try Self.check(
            "<div style='display:table'><div style='display:table-row;background:green'>text</div></div>",
            "<div style='display:inline-block;background:green'>text</div>")
    }

    @Test func gradientsThatRepeatWithoutALengthAreTheirLastColour() throws {
        for kind in ["linear", "radial"] {
            try Self.check(
                "<div style='height:50px;background:repeating-\(kind)-gradient(orange 50%,blue 50%)'>",
                "<div style='height:50px;background:blue'>")
        }
    }

    /// A preserved line break begins a line, and spaces at its start vanish (CSS Text 3 §4.1.2).
    @Test func spacesAfterAPreservedBreakVanish() throws {
        try Self.check("<p><span style='white-space:pre'>x\n</span><span> y</span>", "<p>x<br>y")
    }

    /// CSS Display 3 §2.8, §3.1.
    @Test func boxesThatAreNotThere() throws {
        try Self.check(
            "<style>html{display:contents;background:green}</style>x", "<style>html{background:green}</style>x")
        try Self.check("<p>a<span style='display:contents;float:right'>b</span>c", "<p>abc")
    }

    /// CSS Text Decoration 4 §3.
    @Test(arguments: [("a b", "a", " b"), ("a,b", "a", ",b"), ("a。b", "a", "。b"), ("a-!b", "a", "-!b")])
    func spacesAndPunctuationHaveNoEmphasis(_ text: String, _ first: String, _ rest: String) throws {
        let last = rest.last.map(String.init) ?? ""
        try Self.check(
            "<p><span style='text-emphasis:dot'>\(text)</span>",
            "<p><span style='text-emphasis:dot'>\(first)</span>\(rest.dropLast())<span style='text-emphasis:dot'>\(last)</span>"
        )
    }

    /// Lines below the text touch its em box, by the typographic metrics of its font.
    @Test func linesBelowTheTextAreUnderItsEmBox() throws {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        for (font, size, offset, top) in [
            ("Inter", 100, 0, 20), ("Inter", 24, 0, 5), ("Inter", 12, 3.5, 6), ("DejaVu Sans Mono", 100, 0, 25),
        ] as [(String, Int, Float, Float)] {
            var document = MarkupParser().parse(
                "<p style='font:\(size)px \(font);text-decoration:underline;text-underline-position:under;"
                    + "text-underline-offset:\(offset)px'>HH")
            let renderer = Renderer(fonts: fonts)
            let baseline = try renderer.layoutTree(&document, RenderOptions()).lines[0].baseline.float
            let lines = try renderer.displayList(&document, RenderOptions()).items.compactMap { item in
                if case .decoration(let line) = item { line.y - line.thickness / 2 } else { nil as Float? }
            }
            #expect(lines == [baseline + top], "\(font) \(size)")
        }
    }
}
