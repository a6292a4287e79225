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
        var document = MarkupParser().parse(html.hasPrefix("<!DOCTYPE") ? html : "<!DOCTYPE html>" + html)
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

    /// CSS Cascade 6 §2.5.
    @Test(arguments: [
        (
            "@scope (.a) to (.b){p{color:green}}",
            "<div class=a><p>x<div class=b><p>y</div></div><p>z",
            "<div><p style='color:green'>x<div><p>y</div></div><p>z"
        ),
        (
            "@scope (.l){i{color:red}}@scope (.d){i{color:green}}",
            "<div class=d><div class=l><i>x</i><div class=d><i>y",
            "<div><div><i style='color:red'>x</i><div><i style='color:green'>y"
        ),
        (
            "@scope (.a){i{color:green}}i{color:red}", "<p class=a><i>x</i>",
            "<p><i style='color:green'>x</i>"
        ),
        (
            "@scope (.a){:scope{color:red}>i{color:green}& b{color:blue}}",
            "<p class=a>x<i>y</i><u><i>z</i><b>b</b></u>",
            "<p style='color:red'>x<i style='color:green'>y</i><u><i>z</i><b style='color:blue'>b</b></u>"
        ),
        (
            ".a{@scope (&) to (& > .b){:scope{color:red}>i{color:green}& b{color:blue}}}",
            "<p class=a><i>x</i> <b>y</b></p>",
            "<p class=a style='color:red'><i style='color:green'>x</i> <b style='color:blue'>y</b></p>"
        ),
        (
            "div{@scope (.a){color:green}}& i{color:blue}",
            "<div><p class=a>x <i>y</i></div><p class=a>z",
            "<div><p class=a style='color:green'>x <i style='color:blue'>y</i></div><p class=a>z"
        ),
        (
            "@scope (.a) to (:scope > .b){p::before{content:'>'}}",
            "<div class=a><p>x<div class=b><p>y</div><section><div class=b><p>z</div></section></div>",
            "<div><p>&gt;x<div><p>y</div><section><div><p>&gt;z</div></section></div>"
        ),
    ])
    func rulesApplyInTheirScope(_ css: String, _ html: String, _ expected: String) throws {
        try Self.check("<style>\(css)</style>" + html, expected)
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

    /// Marks are where ruby is: Ȣ is from Inter, whose em box ends higher.
    @Test func emphasisIsBelowTheFontsOfItsText() throws {
        func html(_ position: String, _ text: String) -> String {
            "<p style='margin:0;font:60px/2 DejaVu Sans Mono;\(position)-position:under'>" + text
        }
        try Self.check(
            html("text-emphasis:\"x\";text-emphasis", "Ȣ"), html("ruby", "<ruby>Ȣ<rt>x</ruby>"))
    }

    /// CSS Pseudo 4 §2.1.2.
    @Test func firstLettersInheritFromTheInnermostElement() throws {
        try Self.check(
            "<style>p::first-letter{font-size:40px}</style><p><b style='color:green'>One</b> two",
            "<p><b style='color:green'><span style='font-size:40px'>O</span>ne</b> two")
    }

    /// CSS 2.1 §8.3.1, §10.6.7.
    @Test(arguments: ["<p>a", "<div style='float:left;height:50px'>a</div>"])
    func theRootElementContainsTheMarginsAndFloatsInIt(_ body: String) throws {
        func page(_ display: String) -> String {
            "<!DOCTYPE html><style>html{display:\(display);position:relative;background:linear-gradient(red,blue) no-repeat}"
                + "body{margin:20px}i{position:absolute;top:0;right:0;width:9px;height:100%;background:green}</style>"
                + "<i></i>" + body
        }
        try Self.check(page("block"), page("flow-root"))
    }

    /// CSS 2.1 §8.3.1, §9.5.
    @Test(arguments: [
        (
            "<div style='float:left;height:50px'>a</div><div style='clear:left;margin:20px 0 70px'></div>",
            "<div style='height:100px'>a</div>"
        ),
        (
            "<p style='float:left;width:30px;margin:0 99px'>a</p><p style='float:left;width:30px;margin:0 0 0 -228px'>b</p>",
            "<p style='position:relative;margin:0;width:30px;left:99px'>a</p>"
                + "<p style='position:absolute;margin:0;top:0;left:0'>b</p>"
        ),
        (
            "<p style='float:left;white-space:pre;margin:0;background:red'>a  </p>",
            "<p style='float:left;margin:0;background:red'>a&nbsp;&nbsp;</p>"
        ),
    ])
    func blocksAndFloats(_ html: String, _ expected: String) throws {
        let start = "<div style='border-top:1px solid;position:relative;width:200px;font:16px Inter'>"
        try Self.check(start + html + "</div>b", start + expected + "</div>b")
    }

    /// CSS Backgrounds 3 §6.2.
    @Test func slicesOfABorderImageMayOverlap() throws {
        let green = "linear-gradient(green,green)"
        let corners = ["0 0", "0 100%", "100% 0", "100% 100%"].map { "\(green) \($0)/20px 20px no-repeat" }
        try Self.check(
            "<div style='border:20px solid;border-image:\(green);width:40px;height:40px'>",
            "<div style='background:\(corners.joined(separator: ","));width:80px;height:80px'>")
    }

    /// Enlarged slices have no colours of the pixels beside them (CSS Backgrounds 3 §6.1).
    @Test func slicesOfABorderImageAreApart() throws {
        let ring =
            "iVBORw0KGgoAAAANSUhEUgAAAAMAAAADCAIAAADZSiLoAAAAGklEQVR42mNkaGCAACYGBob/DQwMDAyMcDEAKd4ChBs+dI4AAAAASUVORK5CYII="
        let style = "border:20px solid green;width:40px;height:40px"
        try Self.check(
            "<div style='\(style);border-image:url(data:image/png;base64,\(ring)) 1'>", "<div style='\(style)'>")
    }

    /// CSS Writing Modes 4 §2.4.5.
    @Test func allLinesOfAParagraphHaveItsDirection() throws {
        try Self.check(
            "<div style='unicode-bidi:plaintext;width:70px'>\u{5D0}\u{5D0} MMMM<br>MMMM \u{5D0}\u{5D0}</div>",
            "<div dir=rtl style='width:70px'>\u{5D0}\u{5D0} MMMM</div><div style='width:70px'>MMMM \u{5D0}\u{5D0}</div>"
        )
    }

    @Test func spacesBetweenPunctuationAndTheFirstLetterBelongToIt() throws {
        try Self.check(
            "<style>p::first-letter{color:green}</style><p>« Text", "<p><span style='color:green'>« T</span>ext")
        try Self.check(
            "<style>p::first-letter{color:green}</style><p>– T(ext", "<p><span style='color:green'>– T</span>(ext")
    }

    /// CSS 2 §9.2.1.1.
    @Test func blocksMoveAndFadeWithTheInlineBoxAroundThem() throws {
        try Self.check(
            "<div><span style='position:relative;left:9px'>a<div>b</div>c</span></div>",
            "<div style='position:relative;left:9px'>a<div>b</div>c</div>")
        try Self.check(
            "<div><span style='opacity:.5'><div style='background:blue'>b</div></span></div>",
            "<div><div style='opacity:.5;background:blue'>b</div></div>")
    }

    /// The margins of a box's first blocks adjoin its own (CSS 2.1 §8.3.1, §9.5.2).
    @Test func marginsInsideABoxCanMoveItBelowAFloat() throws {
        let float =
            "<div style='border-top:1px solid'><div style='float:left;width:20px;height:20px;background:blue'></div>"
        let block = "background:green;height:20px;margin-top:40px"
        try Self.check(
            float + "<div style='clear:left'><div style='\(block)'></div></div></div>",
            float + "<div style='\(block)'></div></div>")
    }

    /// The positioning area of a fixed background is the canvas (CSS Backgrounds 3 §2.5).
    @Test func fixedBackgroundsStartAtTheCanvas() throws {
        try Self.check(
            """
            <body style='margin:0'><div style='margin:30px;height:50px;
            background:linear-gradient(red,blue) fixed'></div>
            """,
            """
            <body style='margin:0'><div style='margin:30px;height:50px;
            background:linear-gradient(red,blue) -30px -30px/200px 160px'></div>
            """)
    }

    /// CSS Lists 3 §3, CSS Pseudo 4 §4.
    @Test func generatedListItemsHaveMarkers() throws {
        try Self.check(
            "<style>p::before{content:'a';display:list-item;margin-left:2em}</style><p>b",
            "<p><span style='display:list-item;margin-left:2em'>a</span>b")
    }

    /// HTML §15.3.13.
    @Test func theLegendIsOutsideOfTheClippedContents() throws {
        let fieldset = "<fieldset style='border:0;border-top:5px solid transparent;padding:0"
        try Self.check(
            "\(fieldset);overflow:hidden'><legend>text</legend></fieldset>",
            "\(fieldset)'><legend>text</legend></fieldset>")
    }

    /// CSS Tables 3 §4.1, CSS Containment 2 §3.4.
    @Test func tablesAndContainedBoxesClip() throws {
        func table(_ table: String, _ cell: String) -> String {
            "<table style='border:3px solid;border-spacing:0;\(table)'><tr><td style='padding:0;\(cell)'>"
                + "<div style='margin-left:-20px;width:60px;height:20px;background:green'></div></table>"
        }
        try Self.check(table("overflow:hidden", ""), table("", "overflow:hidden"))
        let inner = "<div style='margin:-9px;height:40px;background:green'></div>"
        try Self.check(
            "<div style='contain:paint;border:3px solid'>\(inner)</div>",
            "<div style='overflow:hidden;border:3px solid'>\(inner)</div>")
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
        // Nor does an element without a box divide the text of an item (CSS Flexbox 1 §4).
        try Self.check("<p style='display:flex'>a <i hidden>b</i>c", "<p style='display:flex'>a c")
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

    @Test(arguments: [
        // Cells that are painted after collapsed borders do not cover them.
        (
            "<table style='border-collapse:collapse'><td style='border:4px solid;background:red;position:relative'>x</table>",
            "<table style='border-collapse:collapse'><td style='border:4px solid;background:red'>x</table>"
        ),
        // Markers are outside of the padding.
        ("<ul><li style='padding-left:20px'>x</ul>", "<ul><li style='text-indent:20px'>x</ul>"),
        (
            "<ul style='list-style:linear-gradient(red,red) inside'><li>x</ul>",
            "<ul style='list-style:none'><li><i style='display:inline-block;width:8px;height:8px;margin-right:8px;"
                + "background:linear-gradient(red,red)'></i>x</ul>"
        ),
        // The text of a pseudo-element is an item (CSS Flexbox 1 §4).
        (
            "<style>p::before{content:'1';display:grid;place-content:center;width:40px;height:40px}</style><p>",
            "<p><span style='display:grid;place-content:center;width:40px;height:40px'>1</span>"
        ),
        ("<style>p::before{content:'x';display:contents}</style><p style='display:flex'>", "<p style='display:flex'>x"),
        // The principal writing mode is that of the body (CSS Writing Modes 4 §8).
        (
            "<!DOCTYPE html><style>body{writing-mode:vertical-rl}</style>text",
            "<!DOCTYPE html><style>html{writing-mode:vertical-rl}</style>text"
        ),
        // A picture with only a ratio fills its place, and adds nothing to it.
        (
            "<div style='display:grid;grid-template-columns:30px 1fr'><svg viewBox='0 0 2 1' style='background:red'></svg></div>",
            "<div style='display:grid;grid-template-columns:30px 1fr'><svg width=30 height=15 style='background:red'></svg></div>"
        ),
        (
            "<div style='float:left'><svg viewBox='0 0 2 1' style='background:red'></svg></div>x",
            "<p style='margin:0'>x"
        ),
        // Alternative text wraps.
        (
            "<div style='width:min-content'><img src=no.png alt='two words'></div>",
            "<div style='width:1px'><img src=no.png alt='two words'></div>"
        ),
        // GSFancyText's name for the text of a document is a class in pages.
        ("<!DOCTYPE html><style>.default{color:red}</style><p>x", "<!DOCTYPE html><p>x"),
    ])
    func looksTheSame(_ html: String, _ expected: String) throws { try Self.check(html, expected) }

    /// Annotations use the space between lines (CSS Ruby 1 §3.4), also of two blocks, and the padding.
    @Test(arguments: ["<br>", "<p style='margin:0'>", "<p style='line-height:1;margin:0;padding-top:10px'>"])
    func rubyKeepsTheDistanceOfWideLines(_ separator: String) throws {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        let ruby = "<ruby>a<rt>b</rt></ruby>"
        var document = MarkupParser().parse(
            "<div style='font:20px/2 Inter'><p style='margin:0'>\(ruby)\(separator)\(ruby)")
        let tree = try Renderer(fonts: fonts).layoutTree(&document, RenderOptions())
        let baselines = tree.lines.filter { tree.inlines[$0.fragments].contains { $0.kind == .atomic } }.map(
            \.baseline.float)
        #expect(baselines.count == 2 && baselines[1] - baselines[0] == 40, "\(baselines)")
    }

    /// Marks are above the em boxes of all fonts in the text: Ȣ is from Inter, whose em box is higher.
    @Test(arguments: [("xx", 76), ("xȢ", 81)] as [(String, Float)])
    func emphasisIsAboveTheHighestFont(_ text: String, _ top: Float) throws {
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        let renderer = Renderer(fonts: fonts)
        var document = MarkupParser().parse("<p style='font:100px DejaVu Sans Mono;text-emphasis:dot'>" + text)
        let baseline = try renderer.layoutTree(&document, RenderOptions()).lines[0].baseline.float
        let heights = try renderer.displayList(&document, RenderOptions()).glyphs.map { baseline - $0.y }
        // The em box of a mark has 12.4 pixels, rounded up, below its baseline.
        #expect(Set(heights) == [0, top + 13], "\(heights)")
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

    /// A line that was tried higher is beside less of a float's shape.
    @Test func linesAreBesideTheFloatsOfTheirOwnHeight() throws {
        func block(_ place: String, _ height: Int) -> String {
            "<i style='\(place);width:60px;height:\(height)px;background:blue'></i> "
        }
        try Self.check(
            "<body style='margin:0;width:200px;line-height:0'>"
                + "<p style='margin:0;float:left;width:100px;height:100px;shape-outside:margin-box;border-radius:50%'></p>"
                + block("display:inline-block", 20) + block("display:inline-block", 60)
                + block("display:inline-block", 20),
            "<body>" + block("position:absolute;left:90px;top:0", 20)
                + block("position:absolute;left:100px;top:20px", 60) + block("position:absolute;left:90px;top:80px", 20)
        )
    }

    /// CSS Containment 2 §2, §3.3.
    @Test func containmentOfTheBodyAndOfCaptions() throws {
        let box = "<div style='width:60px;height:50px;background:red'>"
        try Self.check(
            "<style>*{margin:0}body{width:60px;background:red;contain:paint}</style>" + box,
            "<style>*{margin:0}</style>" + box)
        try Self.check(
            "<style>*{margin:0}html{contain:paint;height:90px}body{height:20px;overflow:hidden}</style>" + box,
            "<style>*{margin:0}</style><div style='height:20px;overflow:hidden'>" + box)
        try Self.check(
            "<table style='border-spacing:0'><caption style='contain:size;border-top:9px solid'><div style='height:30px'></div></caption>"
                + "<td style='width:90px;height:9px;padding:0;background:green'></table>",
            "<style>b{display:block;width:90px}</style><b style='height:0;border-top:9px solid'></b>"
                + "<b style='height:9px;background:green'></b>")
    }

    /// Compositing 1 §3.2, Filter Effects 1 §5.
    @Test func effectsOfTheRootApplyToTheCanvas() throws {
        let box = "<div style='width:50px;height:50px;background:#a00'>"
        try Self.check(
            "<html style='background:#000;filter:invert(1)'>" + box,
            "<html style='background:#fff'>" + box.replacing("a00", with: "5ff"))
        try Self.check("<html style='background:#000;opacity:.2'>", "<html style='background:#ccc'>")
        let blending = "<div style='height:50px;background:#88f;mix-blend-mode:soft-light'>"
        try Self.check(blending, blending.replacing("soft-light", with: "normal"))
        try Self.check(
            "<html style='background:#fff'>" + blending.replacing("soft-light", with: "screen"),
            "<html style='background:#fff'>")
        try Self.check(
            "<html style='background:#fff;position:relative;z-index:0'>"
                + blending.replacing("soft-light", with: "screen"), "<html style='background:#fff'>")
    }

    @Test func picturesWithOnlyARatioFillTheSpaceBetweenInsets() throws {
        try Self.check(
            "<div style='position:relative;width:100px;height:50px'><svg viewBox='0 0 10 10' "
                + "style='position:absolute;left:10px;right:20px;margin-left:5px;background:green'></svg>",
            "<div style='margin-left:15px;width:65px;height:65px;background:green'>")
    }

    /// CSS Masking 1 §7: the place of a mask that is an element cannot be chosen.
    @Test(arguments: ["url(#m)", "url(#m) 5px 5px/9px content-box", "linear-gradient(#0000,#0000),url(#m)"])
    func elementsOfThePageAreMasks(_ mask: String) throws {
        try Self.check(
            "<svg style='position:absolute' width=0 height=0><mask id=m><rect x=10 y=20 width=30 height=40 fill='#fff'/>"
                + "</mask></svg><div style='width:90px;height:90px;padding:5px;background:green;mask:\(mask)'>",
            "<div style='width:30px;height:40px;background:green;position:absolute;left:18px;top:28px'>")
    }

    /// SVG 2 §2.3: references reach other pictures of the same document.
    @Test func picturesShareDefinitions() throws {
        let shared =
            "<svg style='position:absolute' width=0 height=0><linearGradient id=a><stop stop-color='green'/></linearGradient>"
            + "<linearGradient id=g href='#a'/><clipPath id=c><rect width=30 height=30 /></clipPath>"
            + "<mask id=m><rect width=30 height=30 fill='#fff'/></mask></svg>"
        for rect in [
            "<rect width=30 height=30 fill='url(#g)'/>", "<rect width=30 height=30 style='fill:url(\"#g\")'/>",
            "<rect width=50 height=50 fill=green clip-path='url(#c)'/>",
            "<rect width=50 height=50 fill=green mask='url(#m)'/>",
        ] {
            try Self.check(
                shared + "<svg width=50 height=50>\(rect)</svg>",
                "<svg width=50 height=50><rect width=30 height=30 fill=green /></svg>")
        }
    }

    @Test func primitivesInheritTheColourSpaceOfTheirFilter() throws {
        let box = "<div style='width:50px;height:50px;background:#a00;filter:"
        try Self.check(
            box + "url(#f)'></div><svg><filter id=f color-interpolation-filters=sRGB>"
                + "<feColorMatrix type=hueRotate values=150 /></filter></svg>", box + "hue-rotate(150deg)'>")
    }

    @Test func imagesOfAnEmptyBoxRepeatUnderItsBorder() throws {
        let image =
            "<svg xmlns=%22http://www.w3.org/2000/svg%22 width=%2210%22 height=%2210%22>"
            + "<rect width=%2210%22 height=%2210%22 fill=%22green%22/></svg>"
        try Self.check(
            "<p style='width:0;height:0;border:20px solid #0000;background:url(\"data:image/svg+xml,\(image)\")'>",
            "<p style='width:0;height:0;border:20px solid green'>")
    }

    /// CSS Shapes 1 §3.4, §4.
    @Test(arguments: [
        ("linear-gradient(to right,#000 40px,#0000 40px)", 40), ("linear-gradient(to right,#0008 40px,#0000 40px)", 0),
        (
            "url(\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='60' height='60'>"
                + "<rect width='20' height='60'/></svg>\")", 20
        ),
        ("linear-gradient(to right,#000 20px,#0000 20px);shape-margin:10px", 30),
    ])
    func floatsHaveTheShapeOfAnImage(_ image: String, _ width: Int) throws {
        let block = "width:20px;height:20px;background:blue'></i>"
        try Self.check(
            "<style>p{margin:0;float:left;width:60px;height:60px;shape-image-threshold:70%;shape-outside:\(image)}</style>"
                + "<body style='margin:0;line-height:0'><p></p><i style='display:inline-block;" + block,
            "<i style='position:absolute;top:0;left:\(width)px;" + block)
    }

    /// Shapes are given in the axes of the page, also in vertical flows.
    @Test(arguments: [
        ("vertical-lr", "linear-gradient(#000 40px,#0000 40px)", 0), ("vertical-lr", "inset(0 0 20px)", 0),
        ("vertical-rl", "polygon(0 0,100% 0,100% 40px,0 40px)", 40), ("sideways-lr", "inset(20px 0 0)", 0),
    ])
    func shapesInVerticalFlows(_ mode: String, _ shape: String, _ left: Int) throws {
        let block = "width:60px;height:20px;background:blue'></i>"
        try Self.check(
            "<body style='margin:0'><div style='width:100px;height:160px;line-height:0;writing-mode:\(mode)'><p style='margin:0;float:left;width:60px;"
                + "height:60px;shape-outside:\(shape)'></p><i style='display:inline-block;" + block,
            "<i style='position:absolute;top:\(mode == "sideways-lr" ? 100 : 40)px;left:\(left)px;" + block)
    }

    /// Places of boxes by their static positions, insets, containing blocks and baselines, and sizes by ratios and `stretch`.
    @Test(arguments: [
        (
            "<p style='height:9px'></p><p style='float:left;width:30px;height:9px'></p>"
                + "<b style='position:absolute;display:inline'></b>", 30, 9
        ),
        ("<span style='position:relative;top:20px;left:10px'>.<b style='position:absolute'></b></span>", 10, 20),
        (
            "<div style='writing-mode:vertical-lr'><span style='position:relative;top:20px;left:10px'>."
                + "<b style='position:absolute'></b></span></div>", 10, 20
        ),
        (
            "<table style='border-spacing:0;height:10px'><tbody style='position:relative;top:100%'><tr><td style='padding:0'>"
                + "<b></b></table>", 0, 10
        ),
        (
            "<table style='border-spacing:0 25px;width:50px;background:green'><tr><td rowspan=2 style='padding:0;background:red'>"
                + "<tr style='visibility:collapse'></table>", 0, 0
        ),
        ("<div style='height:50px'><b style='height:stretch;margin-bottom:20px'></b></div>", 0, 0),
        ("<b style='position:absolute;top:0;bottom:110px;left:5px;width:auto;height:auto;aspect-ratio:1'></b>", 5, 0),
        ("<svg style='width:50px;aspect-ratio:auto 1/1;background:green'></svg>", 0, 0),
        (
            "<div style='position:relative;padding:20px'><div style='display:table-header-group;contain:layout'>"
                + "<b style='position:absolute;top:0;left:0'></b></div></div>", 0, 0
        ),
        (
            "<div style='padding-left:30px'><span style='will-change:filter'>.<b style='position:fixed;top:0;left:0'></b>"
                + "</span></div>", 30, 0
        ),
        (
            "<b style='will-change:z-index'><i style='display:block;position:relative;z-index:-1;height:9px;background:red'>"
                + "</i></b>", 0, 0
        ),
        (
            "<progress style='appearance:none;visibility:hidden;width:0;height:60px;margin-bottom:20px'></progress>"
                + "<b style='display:inline-block'></b>", 0, 30
        ),
        (
            "<span style='position:relative'>.<b style='position:absolute'></b><br>"
                + "<i style='display:inline-block;width:50px;height:30px;background:red'></i></span>", 0, 0
        ),
    ])
    func placesOfBoxes(_ html: String, _ left: Int, _ top: Int) throws {
        let box = "width:50px;height:50px;background:green"
        try Self.check(
            "<style>*{margin:0}body{font-size:0;line-height:0}b{display:block;\(box)}</style>" + html,
            "<i style='position:absolute;left:\(left)px;top:\(top)px;\(box)'></i>")
    }

    /// A positioned box between letters of the other direction is among them.
    @Test func staticPositionsInTextOfTheOtherDirection() throws {
        let text = "one<b style='position:absolute;width:9px;height:9px;background:green'></b>two"
        try Self.check("<p dir=rtl>\(text)", "<p style='text-align:right'>\(text)")
    }

    /// Empty menus are on the line like others, and lines of text fields are not lower than those of the font (HTML §15.5.5).
    @Test func linesOfControls() throws {
        try Self.check(
            "<style>select{color:transparent}</style>a<select><option><option>b</select>c",
            "<style>select{color:transparent}</style>a<select><option>b<option></select>c")
        try Self.check("a<select></select>c", "a<select><option></select>c")
        try Self.check("a<input value=b style='line-height:5px'>c", "a<input value=b>c")
    }

    /// MathML Core, appendix A.
    @Test func formulasHaveTheirOwnFontFamily() throws {
        let formula = "<p style='font-family:DejaVu Sans Mono'><math><mn>2</mn></math>"
        try Self.check(formula, formula.replacing("<math>", with: "<math style='font-family:Inter'>"))
        // A stretchy operator is centered on the axis, even if the font has no larger glyphs (MathML Core §3.2.4).
        let fence = "<math><mo>(</mo><mspace height=3px></mspace></math>"
        #expect(try Self.png(fence) != Self.png(fence.replacing("<mo>", with: "<mo stretchy=false>")))
    }

    private static let green = "background:green"

    private static func box(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> String {
        "<i style='position:absolute;left:\(x)px;top:\(y)px;width:\(width)px;height:\(height)px;\(green)'></i>"
    }

    /// CSS Multi-column 1 and 2, CSS Fragmentation 3.
    @Test(arguments: [
        // Columns without a height have content all the same, and rows of them have no height.
        (
            "columns:2/0;gap:9px 0;column-fill:auto;width:40px", "<div style='height:3px;\(green)'></div>",
            box(0, 0, 40, 1) + box(0, 9, 20, 1)
        ),
        // A line between columns ends with the part of the container that columns around it divide.
        (
            "columns:2;gap:0;height:20px;column-fill:auto;width:80px",
            "<div style='columns:2;gap:4px;column-rule:4px solid green;height:40px'>"
                + "<div style='height:2px;break-inside:avoid'></div><div style='height:2px'></div></div>",
            box(18, 0, 4, 20)
        ),
        // The margins of a float that is not divided are part of it.
        (
            "columns:2;gap:0;width:40px;\(green)",
            "<div style='float:left;contain:size;height:10px;width:9px;margin:20px 0'></div>", box(0, 0, 40, 50)
        ),
        // A box that is higher than a column is divided, even if breaks in it are to be avoided.
        (
            "columns:4;gap:0;height:20px;column-fill:auto;width:80px",
            "<div style='height:5px'></div><div style='break-inside:avoid;height:30px;\(green)'></div>",
            box(20, 0, 20, 20) + box(40, 0, 20, 10)
        ),
        // Each part of a box clips what is in its column (CSS Overflow 3 §3.1).
        (
            "columns:2;gap:0;height:20px;column-fill:auto;width:40px",
            "<div style='overflow:clip;height:30px;\(green)'><div style='height:30px'></div>"
                + "<div style='height:9px;background:red'></div></div>", box(0, 0, 20, 20) + box(20, 0, 20, 10)
        ),
        // A container whose columns are not all needed is as high as its content.
        (
            "columns:2;gap:0;height:20px;column-fill:auto;width:40px",
            "<div style='columns:2;gap:0;column-fill:auto;min-height:15px'><div style='height:9px'></div></div>"
                + "<div style='height:5px;\(green)'></div>",
            box(0, 15, 20, 5)
        ),
        // The trimmed margin at the top is that of the first content in columns, or of a box that spans them (CSS Box 4 §3.3).
        (
            "columns:2;gap:0;margin-trim:block;width:40px",
            "<div style='margin-top:9px;height:10px;\(green)'></div><div style='column-span:all;margin:3px 0;height:2px;\(green)'></div>",
            box(0, 0, 40, 5) + box(0, 8, 40, 2)
        ),
        (
            "columns:2;gap:0;margin-trim:block;width:40px",
            "<div style='column-span:all;margin:3px 0;height:2px;\(green)'></div><div style='margin-top:2px;height:10px;\(green)'></div>",
            box(0, 0, 40, 2) + box(0, 7, 20, 4) + box(20, 5, 20, 6)
        ),
        // Only the first column has content if the height is that of the content.
        ("columns:2;gap:0;column-fill:auto;width:40px", "<div style='height:30px;\(green)'></div>", box(0, 0, 20, 30)),
        // Paragraphs that have only widows stay whole.
        (
            "columns:4;gap:0;orphans:1;width:40px;line-height:5px;font-size:0",
            "<p><u></u><br><u></u><p><u></u><br><u></u><style>p{margin:0;\(green)}u{padding:1px}</style>",
            box(0, 0, 20, 10)
        ),
        // A box that is higher than a column is divided below its contents, too.
        (
            "columns:2;gap:0;height:20px;column-fill:auto;width:40px",
            "<div style='break-inside:avoid;min-height:30px;\(green)'><div style='height:5px'></div></div>",
            box(0, 0, 20, 20) + box(20, 0, 20, 10)
        ),
        // Boxes that span all columns split the blocks around them, and their margins collapse.
        (
            "columns:2;gap:0;width:40px",
            "<div style='padding:2px 0;\(green)'><div style='height:10px'></div><div style='column-span:all;margin:3px 0;"
                + "height:4px;\(green)'></div><div style='height:6px'></div></div>",
            box(0, 0, 40, 6) + box(0, 9, 40, 4) + box(0, 16, 40, 4)
        ),
        (
            "columns:2;gap:0;width:40px",
            "<div><div style='column-span:all;margin-bottom:5px;height:4px;\(green)'></div><div style='column-span:all;"
                + "margin-top:8px;height:4px;\(green)'></div></div>",
            box(0, 0, 40, 4) + box(0, 12, 40, 4)
        ),
        (
            "columns:2;gap:0;width:40px",
            "<style>summary{display:none}details::details-content{color:red}</style><details open><summary></summary>"
                + "<div style='column-span:all;height:4px;\(green)'></div></details>", box(0, 0, 40, 4)
        ),
        // A column has the margin above its first piece.
        (
            "columns:2;gap:0;width:40px",
            "<div style='margin-top:9px;height:10px;break-inside:avoid;\(green)'></div>"
                + "<div style='column-span:all;height:4px;\(green)'></div>", box(0, 9, 20, 10) + box(0, 19, 40, 4)
        ),
        // Positioned boxes extend into columns that nothing else fills, also into those before their containing block.
        (
            "columns:2;gap:0;height:20px;column-fill:auto;width:40px",
            "<div style='position:relative'><div style='position:absolute;top:40px'>"
                + "<div style='position:absolute;top:-30px;width:20px;height:20px;\(green)'></div></div></div>",
            box(0, 10, 20, 10) + box(20, 0, 20, 10)
        ),
    ])
    func columns(_ style: String, _ html: String, _ expected: String) throws {
        try Self.check("<style>body{margin:0}</style><div style='\(style)'>\(html)</div>", expected)
    }

    /// The long column of a containing block in columns (CSS Positioned Layout 3 §2.1), also for vertical lines and inline boxes.
    @Test(arguments: [
        ("horizontal-tb", "div", box(0, 10, 20, 10) + box(20, 0, 20, 10)),
        ("vertical-lr", "div", box(10, 0, 10, 20) + box(0, 20, 10, 20)),
        ("vertical-rl", "div", box(0, 0, 10, 20) + box(10, 20, 10, 20)),
        ("horizontal-tb", "span", box(0, 10, 20, 10) + box(20, 0, 20, 10)),
    ])
    func positionedBoxesInColumns(_ mode: String, _ name: String, _ expected: String) throws {
        try Self.check(
            """
            <style>body{margin:0;font-size:0;line-height:0}section{writing-mode:\(mode)}
            section{columns:2;gap:0;column-fill:auto;inline-size:40px;block-size:20px;orphans:1;widows:1}
            \(name){position:relative}u{display:inline-block;width:20px;height:20px;vertical-align:top}
            i{position:absolute;inset-block-start:10px;inset-inline-start:0;inline-size:20px;block-size:20px;\(Self.green)}
            </style><section><div><\(name)><u></u><u></u><i></i></\(name)></div></section>
            """, expected)
    }

    private static let placedBoxes: [(String, String)] = [
        // The rows of a subgrid are known while its width is measured (CSS Grid 2 §9).
        (
            "<div style='display:grid;float:left'><div style='display:grid;grid-row:span 2;grid-template-rows:subgrid;"
                + "grid-auto-flow:column;\(green)'><p style='height:9px;width:9px;margin:0'></p>"
                + "<p style='height:9px;width:9px;margin:0'></p></div></div>", box(0, 0, 9, 18)
        ),
        // Tracks have room for the edges of a subgrid that has no items there.
        (
            "<div style='display:grid;float:left;\(green)'><div style='display:grid;grid-row:span 2;grid-template-rows:subgrid;"
                + "padding-bottom:9px'><p style='height:9px;width:9px;margin:0'></p></div></div>", box(0, 0, 9, 18)
        ),
        // Widths depend on rows with a known height, and on others once these are sized (CSS Grid 2 §12.1).
        (
            "<div style='display:grid;float:left;grid-template-rows:20px;\(green)'><div style='aspect-ratio:2;height:50%'>"
                + "</div></div>", box(0, 0, 20, 20)
        ),
        (
            "<div style='display:grid;width:9px;grid:auto/auto auto'><div style='aspect-ratio:2;height:100%;\(green)'></div>"
                + "<p style='margin:0;height:9px'></p></div>", box(0, 0, 18, 9)
        ),
        // Items that stretch have a definite height (CSS Flexbox 1 §9.8).
        (
            "<div style='display:flex;float:left;height:9px;\(green)'><div style='aspect-ratio:2'></div></div>",
            box(0, 0, 18, 9)
        ),
        // Items share baselines in columns: those of vertical lines, here the middle (CSS Box Alignment 3 §9.3).
        (
            "<div style='display:grid;grid-auto-rows:10px;float:left;justify-items:baseline;font-size:0;line-height:0'>"
                + "<p style='margin:0;writing-mode:vertical-lr'><b style='display:inline-block;width:20px;height:10px;\(green)'>"
                + "</b></p><p style='margin:0;writing-mode:vertical-lr'>"
                + "<b style='display:inline-block;width:10px;height:10px;\(green)'></b></p></div>",
            box(0, 0, 20, 10) + box(5, 10, 10, 10)
        ),
        // The height of a table in a flex box includes all captions (CSS Tables 3 §2.1).
        (
            "<div style='display:flex;width:9px;height:20px'><table style='border-spacing:0;flex-grow:1;\(green)'>"
                + "<caption style='caption-side:bottom;height:5px;\(green)'></caption><td></table></div>",
            box(0, 0, 9, 20)
        ),
        // In a flex box, percentages of columns do not count for the width of a table (CSS Tables 3 §3.8).
        (
            "<div style='display:flex'><table style='border-spacing:0;\(green)'><td style='padding:0 2px 9px;width:100%'>"
                + "<td style='padding:0 2px'></table></div>", box(0, 0, 8, 9)
        ),
        // CSS Will Change 1 §3, CSS Flexbox 1 §5.4.
        (
            "<div style='display:flex'><div style='will-change:z-index;width:9px;background:red'>"
                + "<div style='position:relative;z-index:-1;height:9px;\(green)'></div></div></div>", box(0, 0, 9, 9)
        ),
        // Automatic margins do not keep sticky boxes (CSS Positioned Layout 3 §3.4).
        (
            "<div style='width:20px;overflow:hidden'><div style='width:90px'>"
                + "<div style='width:20px;height:9px;position:sticky;margin-left:auto;right:0;\(green)'></div></div></div>",
            box(0, 0, 20, 9)
        ),
        // Size containment leaves the height of a list box.
        (
            "<select size=3 style='contain:size;width:30px'><option></select>",
            "<select size=3 style='width:30px'><option></select>"
        ),
        // Size containment leaves the gaps and widths of columns (CSS Containment 2 §3.1).
        (
            "<div style='contain:size;columns:3;gap:5px;height:9px;float:left;\(green)'><b></b></div>", box(0, 0, 10, 9)
        ),
        // Paint containment clips the captions of tables (CSS Containment 2 §3.3).
        (
            "<table style='contain:paint;width:9px;border-spacing:0'><caption style='width:9px;height:9px'>"
                + "<div style='width:30px;height:9px;\(green)'></div></caption></table>", box(0, 0, 9, 9)
        ),
        // Children of formulas have margins, and may be positioned (MathML Core §3.1).
        (
            "<math><mspace style='margin:4px 0 0 6px;\(green)' width=9px height=9px></mspace>"
                + "<mtext style='position:absolute'></mtext></math>",
            "<math><mspace width=6px></mspace>"
                + "<mspace style='\(green)' width=9px height=9px></mspace></math>"
        ),
    ]

    @Test(arguments: placedBoxes)
    func boxes(_ html: String, _ expected: String) throws {
        try Self.check("<style>body{margin:0}</style>" + html, "<style>body{margin:0}</style>" + expected)
    }

    /// CSS Containment 2 §3.4: a list does not number items inside of a box with style containment.
    @Test func reversedListsDoNotReachIntoContainedBoxes() throws {
        try Self.check(
            "<ol start=5 reversed><li>a</li><div style='contain:style'><li>b<li>c</div><li>d</ol>",
            "<ol><li value=5>a</li><div><li value=1>b<li value=2>c</div><li value=4>d</ol>")
    }

    /// MathML Core §4: `::first-letter` does not apply in formulas.
    @Test func firstLettersAreNotInFormulas() throws {
        let formula = "<math><mtext>text</mtext></math>"
        try Self.check("<style>mtext::first-letter{color:red}</style>" + formula, formula)
    }

    /// CSS Sizing 3 §3.2: for heights, every size by the contents is the automatic one.
    @Test(arguments: [
        ("", "max-height:max-content;height:90px"), ("", "min-height:min-content;height:9px"),
        ("display:grid", "min-height:fit-content;height:9px"),
        ("display:flex;flex-direction:column;height:60px", "min-height:max-content;flex:0 1 9px"),
    ])
    func heightsAreLimitedByTheContents(_ around: String, _ box: String) throws {
        func html(_ style: String) -> String {
            "<div style='\(around)'><div style='background:green;\(style)'><p style='margin:0;height:40px'></div></div>"
        }
        try Self.check(html(box), html("height:40px"))
    }

    /// CSS Flexbox 1 §9.9.1.
    @Test(arguments: [
        ("flex:0 0 50px", "width:50px"), ("flex:0 0 9px;width:90px", "min-width:auto"),
        ("flex:0 1 9px", "min-width:auto"), ("flex:1 0 50px", "width:50px"), ("flex:1 1 50px", "min-width:auto"),
    ])
    func itemsThatDoNotFlexContributeTheirFlexBase(_ item: String, _ expected: String) throws {
        func html(_ style: String) -> String {
            "<div style='display:inline-flex;background:green'><b style='\(style)'>text</b><i>.</i></div>"
        }
        try Self.check(html(item), html(expected))
    }

    /// CSS Flexbox 1 §9.8, CSS Positioned Layout 3 §3.1.
    @Test(arguments: ["display:flex", "display:grid", "display:flex;flex-direction:column"])
    func percentagesOfRelativePositionsReferToStretchedItems(_ style: String) throws {
        func html(_ top: String) -> String {
            "<div style='\(style);height:100px'><div style='flex:1'><p style='position:relative;margin:0;top:\(top)'>a</div></div>"
        }
        try Self.check(html("50%"), html("50px"))
    }

    /// HTML §15.3.13.
    @Test(arguments: ["display:flex;gap:9px", "display:grid;grid-template-columns:1fr 2fr"])
    func contentsOfAFieldsetAreItemsBesideItsLegend(_ style: String) throws {
        let (legend, items) = ("<legend>a</legend>", "<b style='flex:1'>b</b><i>c</i>")
        try Self.check(
            "<fieldset style='\(style)'>\(legend)\(items)</fieldset>",
            "<fieldset>\(legend)<div style='\(style)'>\(items)</div></fieldset>")
        try Self.check(
            "<fieldset style='\(style)'>a\(legend)b</fieldset>", "<fieldset style='\(style)'>\(legend)ab</fieldset>")
        try Self.check("<fieldset style='display:table'>a\(legend)b</fieldset>", "<fieldset>\(legend)ab</fieldset>")
    }

    @Test func aLegendIsNotAloneInAColumn() throws {
        func html(_ style: String) -> String {
            "<div style='columns:2;height:70px;column-fill:auto;line-height:20px'>a<br>b<fieldset style='\(style)'><legend>L</legend>c"
        }
        try Self.check(html(""), html("break-before:column"))
    }

    @Test func positionedBoxesSpanToALineOfTheirGrid() throws {
        func html(_ columns: String) -> String {
            "<div style='display:grid;position:relative;grid:20px/40px 60px 80px'>"
                + "<i style='position:absolute;inset:0;background:gold;grid-column:\(columns)'></i></div>"
        }
        try Self.check(html("span 2/-1"), html("2/-1"))
    }

    /// CSS Display 3 §2.5, CSS 2 §17.2.1.
    @Test func generatedContentMayHaveNoBoxOrBeACell() throws {
        let style = "<style>p::before{content:'a';border:9px solid;display:"
        try Self.check(style + "contents}</style><p>b", "<p>ab")
        try Self.check(style + "table-cell}</style><p>b", style + "table}</style><p>b")
    }

    /// CSS Multi-column 1 §7.
    @Test func columnsOfWholeBoxesAreBalanced() throws {
        func html(_ box: String) -> String {
            "<style>.g{columns:2}.c{break-inside:avoid}</style><div class=g>"
                + String(repeating: "<div class=c>\(box)<br>x</div>", count: 4) + "</div>"
        }
        try Self.check(
            html("<div style='height:40px;background:green'></div>"),
            html(
                "<img alt='' src='data:image/svg+xml,<svg/>' style='display:block;height:40px;width:100%;background:green'>"
            ))
    }

    /// CSS Text Decoration 3 §2.1.
    @Test func elementsWithoutABoxDecorateNothing() throws {
        try Self.check("<p>a<u style='display:contents'>b</u>", "<p>a<span>b</span>")
    }

    /// SVG 2 §6.6.
    @Test func attributesOfPicturesMayHaveFunctions() throws {
        func html(_ r: String, _ x: String) -> String {
            "<svg width=90 height=90 style='--r:20px'><circle cx=50 cy=50 r='\(r)' /><rect x='\(x)' width=9 height=9 /></svg>"
        }
        try Self.check(html("var(--r)", "calc(10px + 5px)"), html("20", "15"))
    }

    /// CSS Inline 3 §5: text is beside the part of a letter that is below its last line, and the indent is before the letter.
    @Test func textIsBesideTheWholeInitialLetter() throws {
        func html(_ text: String, _ style: String = "text-indent:9px") -> String {
            "<style>p{line-height:20px;\(style)}p::first-letter{initial-letter:2}</style><p>\(text)"
        }
        let cleared = ".<br>.<i style='display:block;clear:left;text-indent:0'>.</i>"
        try Self.check(html("A.<br>.<br><i>.</i>"), html("A" + cleared))
        #expect(try Self.png(html("g.<br>.<br><i>.</i>")) != Self.png(html("g" + cleared)))
        try Self.check(html("A.<br>."), html("A.<br>.", "}p::first-letter{margin-left:9px"))
    }

    /// As in browsers, an `li` has no line height quirk (Quirks Mode §3.1.1).
    @Test func linesOfListItemsAreAsHighInAllModes() throws {
        let html = "<ul style='margin:0'><li><small>a</small><br><small>b</small></ul>"
        let quirks =
            "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN' 'http://www.w3.org/TR/html4/loose.dtd'>"
        try Self.check(html, quirks + html)
        #expect(try Self.png("<small>a") != Self.png(quirks + "<small>a"))
    }

    /// Sizes by the contents: CSS Flexbox 1 §9.2, CSS 2 §10.3.5, CSS Grid 2 §6.6 and §7.2.4, CSS Sizing 3 §5.1, CSS Tables 3 §3.8.
    private static let sizedByContents = [
        (
            "<div style='display:flex'><a style='padding:0 5%;background:gold'>Sign up</a></div>",
            "<div style='display:flex'><a style='padding:0 10px;background:gold'>Sign up</a></div>"
        ),
        (
            "<div style='display:table;padding:0 5%;background:gold'>Sign up</div>",
            "<div style='display:table;padding:0 10px;background:gold'>Sign up</div>"
        ),
        (
            "<div style='display:flex'><div><b style='float:left;width:40px;height:9px'></b>\(column("overflow:hidden", "one two"))</div></div>",
            "<div style='padding-left:40px'>\(column("width:max-content", "one two"))</div>"
        ),
        (
            "<div style='display:flex'><div style='background:gold'><b style='float:left;width:40px;height:9px'></b>"
                + "<b style='float:left;clear:left;width:9px;height:9px'></b>text</div></div>",
            "<div style='display:flex'><div style='background:gold'><b style='float:left;width:40px;height:9px'></b>text</div></div>"
        ),
        (
            "<div style='display:flex;width:90px'><div style='display:grid'>\(column("overflow:hidden;white-space:nowrap", "one two three four"))</div><b>OK</b></div>",
            "<div style='display:flex;width:90px'><div style='overflow:hidden'>\(column("overflow:hidden;white-space:nowrap", "one two three four"))</div><b>OK</b></div>"
        ),
        (
            column("width:60px;aspect-ratio:2;display:grid", "text of several lines"),
            column("width:60px", "text of several lines")
        ),
        (
            "<div style='width:90px'><div style='display:inline-block'>\(column("width:fit-content", "one two three four"))</div></div>",
            "<div style='width:90px'>\(column("width:fit-content", "one two three four"))</div>"
        ),
        (
            "<div style='display:grid;max-width:max-content;background:gold'><i style='display:flex'>one two</i></div>",
            "<div style='width:max-content;background:gold'><i>one two</i></div>"
        ),
        (
            "<div style='display:grid;grid-template-columns:fit-content(20px) 1fr'>\(column("", "word one"))<i>b</i></div>",
            "<div style='display:grid;grid-template-columns:min-content 1fr'>\(column("", "word one"))<i>b</i></div>"
        ),
        (
            "<div style='display:grid;grid-template-columns:20px'><table style='width:100%;background:gold'><tr><td>word</table></div>",
            "<table style='background:gold'><tr><td>word</table>"
        ),
    ]

    private static func column(_ style: String, _ text: String) -> String {
        "<div style='background:pink;\(style)'>\(text)</div>"
    }

    @Test(arguments: sizedByContents)
    func boxesAreAsWideAsTheirContents(_ html: String, _ expected: String) throws {
        try Self.check("<body style='margin:0'>" + html, "<body style='margin:0'>" + expected)
    }

    /// CSS Tables 3 §3.10: percentages are of the rows with the spacing between them, together not more than all of it.
    @Test(arguments: [
        (["", "50%"], ["75px", "85px"]), (["20%", "30%"], ["64px", "96px"]),
        (["20px", "50%", "70%"], ["20px", "65px", "65px"]),
    ])
    func rowsTakePercentagesOfTheTable(_ heights: [String], _ expected: [String]) throws {
        func html(_ heights: [String]) -> String {
            let rows = heights.map { "<tr style='height:\($0)'><td style='padding:0;line-height:1px'>a" }
            return
                "<table style='height:200px;border:5px solid;border-spacing:10px'>\(rows.joined())</table>"
        }
        try Self.check(html(heights), html(expected))
    }

    /// HTML §4.10.15, §15.3.9, §15.4.3, §15.5.16.
    @Test func attributesOfOtherElementsCount() throws {
        try Self.check(
            "<fieldset disabled><legend><input></legend><button>b</button><input type=radio checked></fieldset>",
            "<fieldset><legend><input></legend><button disabled>b</button><input type=radio checked disabled></fieldset>"
        )
        try Self.check("<body link=green><a href=x>a</a><a>b</a>", "<body><a href=x style='color:green'>a</a><a>b</a>")
        try Self.check(
            "<img src=x.png width=60 height=30 alt=a style='display:block;width:100px;height:auto;background:gold'>",
            "<img src=x.png alt=a style='display:block;width:100px;height:50px;background:gold'>")
    }

    /// A line of text that does not wrap stays beside a float, and `overflow: clip` makes no formatting context (CSS Overflow 3 §3.1).
    @Test func floatsOfOtherBoxes() throws {
        let float = "<b style='float:right;width:150px;height:50px'></b>"
        try Self.check(
            "<div style='white-space:nowrap'>\(float)one two three</div>",
            "<b style='position:absolute'></b><div style='white-space:nowrap'>one two three</div>")
        try Self.check(
            "<div style='overflow-y:clip;border:solid'>\(float)</div>", "<div style='border:solid'>\(float)</div>")
    }

    /// Cells that are painted after collapsed borders cover none of them, whatever their width is.
    @Test(arguments: [1, 2, 3]) func positionedCellsShowTheirBorders(_ width: Int) throws {
        func html(_ style: String) -> String {
            "<table style='border-collapse:collapse'><tr><td style='border:\(width)px solid red;background:gold;\(style)'>a</table>"
        }
        try Self.check(html("position:relative"), html(""))
    }

    @Test func backgroundsAreEnlargedByZoom() throws {
        let picture = "%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20width='10'%20height='10'%3E"
        let image = "url(data:image/svg+xml,\(picture)%3Crect%20width='5'%20height='5'/%3E%3C/svg%3E)"
        try Self.check(
            "<div style=\"zoom:2;width:50px;height:40px;background:\(image)\">",
            "<div style=\"width:100px;height:80px;background:\(image) 0 0/20px 20px\">")
        func list(_ style: String, _ side: Int) -> String {
            let url = "url(data:image/svg+xml,\(picture.replacing("10", with: "\(side)"))%3C/svg%3E)"
            return "<ul style=\"\(style);margin:0;line-height:1.2;list-style-image:\(url)\"><li>a"
        }
        try Self.check(list("zoom:2;padding-left:20px", 30), list("font-size:2em;padding-left:40px", 60))
    }

    /// CSS 2 §17.5.2: a table is as wide as its contents, also one that the style generates.
    @Test func generatedTablesShrink() throws {
        try Self.check(
            "<style>div::before{content:'a b';display:table;margin:auto;background:gold}</style><div>c",
            "<div><div style='width:fit-content;margin:auto;background:gold'>a b</div>c")
    }

    /// A background ends in the middle of a round opaque border, so that it does not show at the antialiased edge.
    @Test func backgroundsDoNotShowAroundRoundBorders() throws {
        try Self.check(
            "<div style='width:40px;height:40px;background:navy;border:4px solid gold;border-radius:20px'></div>",
            "<div style='position:absolute;margin:2px;width:44px;height:44px;background:navy;border-radius:18px'></div>"
                + "<div style='position:absolute;width:40px;height:40px;border:4px solid gold;border-radius:20px'></div>"
        )
    }

    /// CSS Fonts 4 §7.2: the features of an element override those of its face.
    @Test func facesHaveFeatures() throws {
        let face = "<style>@font-face{font-family:F;src:local(Inter);font-feature-settings:'tnum','zero'}p{font-family:"
        let text = "</style><p>01 10 <u>01 10</u>"
        try Self.check(
            face + "F}u{font-feature-settings:'zero' 0}" + text,
            face + "Inter;font-feature-settings:'tnum','zero'}u{font-feature-settings:'tnum'}" + text)
    }

    /// HarfBuzz shows a hyphen for a non-breaking one that the font lacks.
    @Test func hyphensDoNotChangeTheFont() throws {
        func text(_ range: String) -> String {
            "<style>@font-face{font-family:F;src:local(Inter);size-adjust:200%;unicode-range:\(range)}</style>"
                + "<p style='font-family:F,Inter'>a\u{2011}a"
        }
        try Self.check(text("U+61,U+2010"), text("U+61,U+2010-2011"))
    }

    /// In pictures, inches have 96 pixels, the attribute counts beside other properties, and markers overflow if a style says so.
    @Test(arguments: [
        ("<rect width=1in height=2.54cm />", "<rect width=96 height=96 />"),
        (
            "<rect width=9 height=9 transform='scale(2)' style='translate:20px 5px'/>",
            "<rect x=20 y=5 width=18 height=18 />"
        ),
        (
            "<marker id=m style='overflow:visible'><rect x=-9 y=-9 width=18 height=18 /></marker>"
                + "<path d='M40 40v1' stroke-width=1 marker-start='url(#m)'/>",
            "<rect x=31 y=31 width=18 height=18 />"
        ),
    ])
    func picturesFollowCSS(_ picture: String, _ expected: String) throws {
        try Self.check("<svg width=150 height=150>\(picture)</svg>", "<svg width=150 height=150>\(expected)</svg>")
    }

    @Test func pathsAreEnlargedByZoom() throws {
        let green = "background:green;clip-path:path"
        try Self.check(
            "<div style='zoom:2;width:50px;height:40px;\(green)(\"M0 0h30v30\")'>",
            "<div style='width:100px;height:80px;\(green)(\"M0 0h60v60\")'>")
    }

    /// CSS Pseudo 4 §2.1.
    @Test func firstLinesDecideOnSynthesis() throws {
        let face = "<style>@font-face{font-family:F;src:local(Inter);font-weight:400}p{font-family:F}p::first-line{"
        try Self.check(face + "font-weight:700;font-synthesis:none}</style><p>text", face + "}</style><p>text")
    }

    /// Registered values are computed where they are declared (CSS Properties and Values 1 §2.2, §3).
    @Test(arguments: [
        ("'<length>';inherits:false;initial-value:0", "", "calc(4px + var(--w,9px))", "4px"),
        ("'<length>';inherits:true;initial-value:5px", "--w:0", "calc(4px + var(--w))", "4px"),
        ("'<number>';inherits:false;initial-value:0", "", "calc(4px*var(--w) + 3px)", "3px"),
        ("'<length>';inherits:true;initial-value:0px", "--w:calc(2em + 1px)", "var(--w)", "21px"),
        ("'<length>+';inherits:true;initial-value:0px", "--w:1em 2em", "var(--w)", "10px 20px"),
        ("'*';inherits:true", "--w:2em", "var(--w)", "40px"),
        ("'<length>';inherits:true;initial-value:2em", "", "var(--w,7px)", "7px"),
    ])
    func registeredLengthsAreComputed(_ rule: String, _ outer: String, _ value: String, _ expected: String) throws {
        func page(_ padding: String) -> String {
            "<style>@property --w{syntax:\(rule)}div{font-size:10px;\(outer)}p{font-size:20px;padding:\(padding)}</style>"
                + "<div><p>text"
        }
        try Self.check(page(value), page(expected))
    }

    /// CSS Text 3 §6.4.
    @Test func spacesBeforeInlineBlocksAreJustified() throws {
        let block = "<i style='display:inline-block;width:20px;height:9px;background:red'></i>"
        try Self.check(
            "<div style='width:100px;text-align:justify;text-align-last:justify'>aa \(block)</div>",
            "<div style='width:100px;display:flex;justify-content:space-between;align-items:baseline'>aa \(block)</div>"
        )
    }

    /// CSS Writing Modes 4 §8.
    @Test func marginsCollapseWithAVerticalBody() throws {
        func page(_ element: String) -> String {
            "<style>\(element){writing-mode:vertical-rl}body{margin:10px}p{margin:20px}</style><p>text"
        }
        try Self.check(page("body"), page("html"))
    }

    @Test func quotationMarksAreUprightInVerticalLines() throws {
        // Their places in the line depend on the orientation of the whole line.
        func page(_ orientation: String) -> String {
            "<div style='writing-mode:vertical-rl;width:30px;height:fit-content;background:red;color:transparent;text-orientation:\(orientation)'>\u{201C}\u{2019}"
        }
        try Self.check(page("mixed"), page("upright"))
    }

    /// Quirks Mode §3.4.
    @Test func percentagesAreOfTheBodyInQuirksMode() throws {
        let page = "<!DOCTYPE x><body style='margin:10px'><div style='background:red;height:"
        try Self.check(page + "50%'>", page + "70px'>")
    }

    /// CSS Containment 2 §3.1.
    @Test func sizeContainmentDoesNotApplyToCells() throws {
        try Self.check("<table><td style='contain:size'>text", "<table><td>text")
    }

    /// CSS Tables 3, "Track merging".
    @Test func columnsInWhichNoCellBeginsAreMerged() throws {
        func page(_ columns: Int) -> String { "<table style='width:180px'><td>a<td>b<tr><td>c<td colspan=\(columns)>d" }
        try Self.check(page(3), page(1))
    }

    @Test(arguments: ["margin-left:20px", "padding-right:20px", "border-left:20px solid"])
    func emptyInlineBoxesWidenTheirLine(_ edge: String) throws {
        func page(_ style: String, _ end: String) -> String {
            "<span style='float:left;background:red;\(style)'>text\(end)</span>x"
        }
        let edge = edge.replacing("solid", with: "solid red")
        try Self.check(page("", "<i style='\(edge)'></i>"), page("padding-right:20px", ""))
    }

    /// Other than replaced content, it is not compressible (CSS Sizing 3 §5.2.2).
    @Test func missingPicturesKeepTheirWidth() throws {
        func page(_ style: String) -> String {
            "<table style='width:50px;background:red'><td><img src=x.png alt='' width=90 height=30 style='\(style)'>"
        }
        try Self.check(page("max-width:100%"), page(""))
    }

    /// HTML §15.4.3.
    @Test func missingPicturesWithASizeAreFramesInQuirksMode() throws {
        func page(_ style: String) -> String { "<!DOCTYPE x><img src=x.png alt=text style='\(style)'>" }
        try Self.check(page("width:50px"), page("width:50px;height:50px"))
    }

    /// The shadow belongs to the text, which lies over the background in its shape.
    @Test func shadowsLieOverBackgroundsInTheShapeOfText() throws {
        let clipped = "background:linear-gradient(red,red);background-clip:text;color:transparent"
        try Self.check(
            "<p style='margin:0;font-size:40px;text-shadow:6px 0 blue;\(clipped)'>abc",
            "<p style='margin:0;font-size:40px;\(clipped)'>abc<p style='margin:0;font-size:40px;text-shadow:6px 0 blue;color:transparent;position:absolute;top:8px;left:8px'>abc"
        )
    }

    /// The root element that a fragment implies has a box, as in a page.
    @Test(arguments: [
        "opacity:.5;background:red", "filter:invert(1)", "transform:rotate(9deg)", "border:5px solid red;padding:9px",
        "margin:20px;background:gold", "width:90px", "display:flex", "clip-path:inset(20px)", "columns:2",
        "height:80px;outline:3px solid red", "overflow:hidden;height:20px", "writing-mode:vertical-rl;border:1px solid",
        "position:relative;top:9px", "background:linear-gradient(red,blue);margin:9px",
    ])
    func rootsOfFragmentsHaveBoxes(_ css: String) throws {
        let text = "<style>html{\(css)}body{height:50%}</style><p>text <b>b</b></p><i style='position:absolute'>i</i>"
        var fragment = MarkupParser().parse(text)
        #expect(!fragment.tree.isDocument)
        var options = RenderOptions()
        (options.width, options.height, options.writesMetadata) = (.pixels(200), .pixels(160), false)
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        #expect(try Renderer(fonts: fonts).png(&fragment, options) == Self.png(text), "\(css)")
    }

    /// CSS 2 §17.5.5: as if it and its cells had not been there.
    @Test(arguments: ["<col><col style='visibility:collapse'>", "<col><colgroup style='visibility:collapse'><col>"])
    func columnsCollapse(_ columns: String) throws {
        for style in ["", "border-collapse:collapse", "direction:rtl"] {
            let table = "<table border=1 style='background:gold;\(style)'>"
            try Self.check(
                "\(table)\(columns)<tr><td>x<td>x<td>x<tr><td colspan=2>x<td>x<tr><td>x<td colspan=2>x",
                "\(table)<tr><td>x<td>x<tr><td>x<td>x<tr><td>x<td>x")
        }
    }

    /// CSS Backgrounds 3 §2.5: the area is that of all contents, and only the padding box shows it.
    @Test(arguments: ["auto", "hidden", "visible"])
    func backgroundsOfContentsAreAsHighAsTheyAre(_ overflow: String) throws {
        let box = "width:50px;height:40px;border:9px solid transparent;overflow:\(overflow);background:"
        let content = "<div style='height:80px'></div>"
        try Self.check(
            "<div style='\(box)linear-gradient(red 50%,blue 50%) local'>\(content)</div>",
            overflow == "visible"
                ? "<div style='\(box)linear-gradient(red 50%,blue 50%)'>\(content)</div>"
                : "<div style='\(box)red padding-box'>\(content)</div>")
    }

    /// CSS Viewport 1 §2.
    @Test func zoomEnlargesUnitsOfTheViewport() throws {
        try Self.check(
            "<div style='zoom:2;background:red;width:20vw;height:10vh;font-size:5vmin'>a",
            "<div style='background:red;width:40vw;height:20vh;font-size:10vmin'>a")
    }

    /// SVG 2 §11.12: lines have the paint of the text that they decorate.
    @Test func linesOfGroupsDecorateTextInPictures() throws {
        let svg = "<svg width=200 height=50 font-size=20>"
        try Self.check(
            "\(svg)<g text-decoration=underline><text y=20>a<tspan fill=red>b</tspan></text></g>",
            "\(svg)<text y=20><tspan text-decoration=underline>a</tspan><tspan text-decoration=underline fill=red>b")
    }

    /// HTML §4.8.7: an object without its picture shows its contents.
    @Test func objectsWithoutPicturesShowTheirContents() throws {
        try Self.check(
            "a<object data=none.png width=90 height=50>b <b>c</b><p>d</object>", "a<span>b <b>c</b><p>d</span>")
    }

    /// CSS Grid 2 §9: a gap of zero is not that of the grid around.
    @Test func gapsOfSubgridsMayBeZero() throws {
        func page(_ gap: String, _ width: Int) -> String {
            "<div style='display:grid;grid:30px/40px 40px;gap:20px'><div style='display:grid;grid:subgrid/subgrid;\(gap)grid-column:1/3'>"
                + "<i style='background:red;width:\(width)px'></i><i style='background:blue'></i></div></div>"
        }
        let wide = "<div style='width:50px;height:30px;background:red;float:left'></div>"
        try Self.check(page("gap:0;", 50), wide + wide.replacing("red", with: "blue"))
        try Self.check(page("gap:normal;", 40), page("", 40))
    }

    @Test func alternativeTextStaysInItsBox() throws {
        let image = "<img src=x.png alt='one two three four' style='display:block;width:60px;height:20px'>"
        try Self.check(image + "<p>after", "<div style='overflow:hidden;width:60px;height:20px'>\(image)</div><p>after")
    }

    @Test func hiddenColumnsShowNothing() throws {
        try Self.check(
            "<table><col><col style='visibility:collapse'><tr><td>a<td>b", "<table style='padding-right:2px'><tr><td>a")
    }
}
