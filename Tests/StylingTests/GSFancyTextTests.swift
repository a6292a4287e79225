// Sheets as GSFancyText has them.

import Testing

@testable import Styling

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

    @Test func otherSheetsStayCSS() {
        let styled = Styled("<p>x", css: "p{margin-top:50%;margin-left:40}")
        #expect(styled.style("x").box.margin.top == LengthPercentage(fraction: 0.5))
        #expect(styled.log.worst == .warning)
    }

    @Test func diagnosticsPointIntoTheSheetAsItIs() {
        let log = Styled("<p>x", css: ".default{}\np { text-color: 'rad'; font-size: big }").log
        #expect(log.entries.map { "\($0.location?.line ?? 0):\($0.location?.column ?? 0)" } == ["2:5", "2:24"])
    }
}
