// Style sheets in GSFancyText's dialect.

import Testing

@testable import FancyTextCSS
@testable import FancyTextStyling

@Suite struct GSFancyTextTests {
    private let sheet = """
        .default{color: #ffffff; vertical-align:middle;}
        span.green {color:  'rgb(0, 255, 0)' ;font-family: 'Georgia'; font-SIzE: 15; font-style:'italic'   }
        .margin{margin-left: 40; margin-right:40px; margin-top: 50%; line-height: 30}
        .limit2{line-count:2; truncate-mode:tail}
        .halfwidth {min-width:50%}
        .loose{line-height:1.5}
        """

    private func style(_ html: String) -> ComputedStyle { Styled(html, css: sheet).style("x") }

    @Test func theDefaultStyleIsTheRoots() {
        #expect(style("x").text.color == .white)
    }

    @Test func valuesMayStandInQuotes() {
        let style = style("<span class=green>x</span>")
        #expect(style.text.color == Color(red: 0, green: 255, blue: 0))
        #expect(style.font.slant == .italic)
        #expect(style.font.families == [.named("Georgia")])
    }

    @Test func lengthsWithoutAUnitArePixels() {
        #expect(style("<span class=green>x</span>").font.size == 15)
        let box = style("<p class=margin>x").box
        #expect(box.margin.left == LengthPercentage(px: 40) && box.margin.right == LengthPercentage(px: 40))
    }

    @Test func marginsAboveAndBelowAreSharesOfTheLine() {
        let style = style("<p class=margin>x")
        #expect(style.text.lineHeight == .length(30))
        #expect(style.box.margin.top == LengthPercentage(px: 15))
    }

    @Test func smallLineHeightsAreMultiples() {
        #expect(style("<p class=loose>x").text.lineHeight == .number(1.5))
    }

    @Test func minWidthWidensASegment() {
        let box = style("<span class=halfwidth>x</span>").box
        #expect(box.display == .inlineBlock && box.minWidth == .length(LengthPercentage(fraction: 0.5)))
        #expect(style("<p class=halfwidth>x").box.display == .block)
    }

    /// Sheets without GSFancyText's own names: detected by their lengths, or by request.
    @Test(
        arguments: [
            ("11", 11), ("20.f", 20), ("20.", 20), ("20f", 20), ("14px", 14), ("'14px'", 14), ("\"15\"", 15),
            ("1.5f", 1.5),
        ] as [(String, Float)])
    func lengthsWithoutAUnitTellTheDialect(_ value: String, _ pixels: Float) {
        let css = "p.small { font-size: \(value); margin-bottom: 10 }"
        let styled = Styled("<p class=small>x", css: css)
        #expect(styled.style("x").font.size == pixels)
        #expect(styled.style("x").box.margin.bottom == LengthPercentage(px: 10))
        #expect(styled.log.entries.map(\.code) == [.dialect] && styled.log.worst == .note)
        var options = StyleOptions()
        options.dialect = .gsfancytext
        options.sheets = [.init(name: "--style", text: css)]
        #expect(Styled("<p class=small>x", options).style("x").font.size == pixels)
        options.dialect = .css
        #expect(Styled("<p class=small>x", options).log.worst == .warning)
    }

    /// At-rules, and units that GSFancyText lacks, make a sheet CSS; a page's own sheets are CSS too.
    @Test(arguments: [
        "h1{font-size:2em} p{margin-top:50%;margin-left:40}",
        "@media all{i{color:red}} p{margin-top:50%;margin-left:40}",
    ])
    func otherSheetsStayCSS(_ css: String) {
        let styled = Styled("<p>x", css: css)
        #expect(styled.style("x").box.margin.top == LengthPercentage(fraction: 0.5))
        #expect(styled.log.worst == .warning)
    }

    @Test func sheetsOfPagesStayCSS() {
        let sheet = "<style>p{margin-top:50%;margin-left:40}</style><p>x"
        #expect(Styled("<!doctype html>" + sheet).style("x").box.margin.top == LengthPercentage(fraction: 0.5))
        #expect(Styled(sheet).style("x").box.margin.left == LengthPercentage(px: 40))
    }

    @Test func lineHeightsThatCSSKnowsTellNothing() {
        #expect(Styled("<p>x", css: "p{line-height:5}").log.entries.isEmpty)
        #expect(Styled("<p>x", css: "p{line-height:5}").style("x").text.lineHeight == .number(5))
    }

    @Test func coloursAreUIKitsWhereTheDialectIsAskedFor() {
        func color(_ name: String, _ dialect: StyleSheetDialect) -> Color {
            var options = StyleOptions()
            options.dialect = dialect
            options.sheets = [.init(name: "--style", text: ".default{line-height:20} b{color:'\(name)'}")]
            return Styled("<b>x</b>", options).style("x").text.color
        }
        #expect(color("clear", .automatic) == .transparent && color("Clear", .gsfancytext) == .transparent)
        #expect(color("green", .automatic) == Color(red: 0, green: 128, blue: 0))
        #expect(color("green", .gsfancytext) == Color(red: 0, green: 255, blue: 0))
        #expect(color("greenColor", .gsfancytext) == Color(red: 0, green: 255, blue: 0))
        #expect(color("orange", .gsfancytext) == Color(red: 255, green: 128, blue: 0))
        #expect(color("cyan", .gsfancytext) == Color(red: 0, green: 255, blue: 255))
    }

    @Test func shadowsHaveNoUnits() {
        let shadow = Styled("<b class=s>x</b>", css: ".s{text-shadow: 1 2 3 rgb(255, 255, 0)}").style("x").text.shadows
        #expect(shadow == [Shadow(x: 1, y: 2, blur: 3, color: Color(red: 255, green: 255, blue: 0))])
    }

    @Test func quotedTextOfUnknownAttributesStaysWhole() {
        let styled = Styled("<b class=b>x</b>", css: ".default{} .a{attrib:'{a value; with signs.}'} .b{color:red}")
        #expect(styled.style("x").text.color == Color(red: 255, green: 0, blue: 0))
        #expect(styled.log.entries.map(\.code) == [.unknownProperty])
    }

    @Test func paragraphsHaveNoMarginsWhereTheDialectIsAskedFor() {
        var options = StyleOptions()
        options.dialect = .gsfancytext
        #expect(Styled("<p>x", options).style("x").box.margin.top == LengthPercentage(px: 0))
        let own = Styled("<style>p{margin-top:3}</style><p>x", options)
        #expect(own.style("x").box.margin.top == LengthPercentage(px: 3))
        #expect(Styled("<p>x").style("x").box.margin.top == LengthPercentage(px: 16))
    }

    @Test func diagnosticsPointIntoTheSheetAsItIs() {
        let log = Styled("<p>x", css: ".default{}\np { text-color: 'rad'; font-size: big }").log
        #expect(log.entries.map { "\($0.location?.line ?? 0):\($0.location?.column ?? 0)" } == ["2:5", "2:24"])
    }
}
