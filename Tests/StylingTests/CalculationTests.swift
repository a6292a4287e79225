// Calculations whose percentages layout resolves.

import Testing

@testable import FancyTextCSS
@testable import FancyTextStyling

@Suite struct CalculationTests {
    private func length(_ css: String) -> LengthPercentage? {
        var cursor = ValueCursor(css)
        guard let length = cursor.lengthPercentage(), cursor.isAtEnd else { return nil }
        return length
    }

    @Test(
        arguments: [
            ("min(50%, 100px)", 100, 50), ("min(50%, 100px)", 400, 100), ("min(100px, 50%, 30px)", 100, 30),
            ("max(50%, 100px)", 100, 100), ("max(50%, 100px)", 400, 200), ("max(10%, 20%)", 100, 20),
            ("clamp(50px, 50%, 100px)", 10, 50), ("clamp(50px, 50%, 100px)", 150, 75),
            ("clamp(50px, 50%, 100px)", 900, 100),
            ("clamp(10%, 50px, 20%)", 100, 20), ("clamp(10%, 50px, 20%)", 400, 50),
            ("clamp(10%, 50px, 20%)", 1000, 100),
            ("clamp(90px, 50%, 10px)", 100, 90), ("clamp(none, 50%, 10px)", 100, 10),
            ("clamp(5px, 50%, none)", 100, 50),
            ("calc(10px + min(50%, 100px))", 400, 110), ("calc(100% - max(20px, 25%))", 200, 150),
            ("calc(100% - max(20px, 25%))", 40, 20), ("calc(-2 * min(50%, 100px))", 400, -200),
            ("calc(min(50%, 100px) / 2)", 400, 50), ("min(50% + 10px, 90% - 10px)", 10, -1),
            ("min(50% + 10px, 90% - 10px)", 200, 110),
            ("max(min(50%, 100px), 10%)", 2000, 200), ("min(max(10px, 5%), 30px)", 2000, 30),
            ("calc(progress(360px, 0px, 720px) * 300px)", 100, 150), ("calc(progress(9, 0, 5) * 10px)", 100, 10),
            ("calc(progress(3px, 5px, 5px) * 10px)", 100, 0), ("calc(10px * progress(1, 2, -2))", 100, 2.5),
            ("min(50%, 60%, 100px)", 100, 50), ("calc(50% + 10px)", 100, 60), ("min(10px, 20px)", 5, 10),
        ] as [(String, Float, Float)])
    func boundsAreHeldAgainstTheBase(_ css: String, _ base: Float, _ pixels: Float) throws {
        let value = try #require(length(css))
        #expect(abs(value.resolved(against: base) - pixels) < 0.01)
    }

    @Test func percentagesAloneStaySo() {
        #expect(length("min(10%, 20%)") == LengthPercentage(fraction: 0.1))
        #expect(length("max(10px, 20px)") == LengthPercentage(px: 20))
        #expect(length("round(12%, 10%)") == LengthPercentage(fraction: 0.1))
        #expect(length("clamp(1px, 5px, 3px)")?.isRelative == false)
        #expect(length("clamp(10%, 50px, 20%)")?.isRelative == true)
    }

    @Test func whatIsLeftOfTheBaseKeepsItsBounds() throws {
        for base in [10, 100, 1000] as [Float] {
            let value = try #require(length("clamp(5px, 20%, 50px)"))
            #expect(value.fromEnd.resolved(against: base) == base - value.resolved(against: base))
        }
    }

    @Test func boundsReachTheBox() {
        let box = Styled("<div style='width:min(100%,600px);left:clamp(1px,2%,3px)'>x").style("x").box
        #expect(box.width == length("min(100%,600px)").map { .length($0) })
        #expect(box.positioned.inset.left?.css == "clamp(1px, 2%, 3px)")
        #expect(length("max(10px, 5%)")?.css == "max(10px, 5%)")
    }

    // MARK: Numbers of text

    @Test(
        arguments: [
            ("line-height:132.9%", 132 * 16 / 100), ("line-height:150%", 24), ("line-height:1.15em", 18.4),
            ("line-height:calc(100% + 4px)", 20),
        ] as [(String, Float)])
    func percentagesOfLineHeightsAreWhole(_ css: String, _ pixels: Float) {
        guard case .length(let height) = Styled("<p style='\(css)'>x").style("x").text.lineHeight else {
            Issue.record("not a length")
            return
        }
        #expect(abs(height - pixels) < 0.001)
    }

    @Test(
        arguments: [
            ("", ".9em", 11.7), ("", "1em", 13), ("", "100%", 13), ("", "1rem", 16), ("", "2ic", 26),
            ("", "smaller", 10.833),
            ("", "14px", 14),
            ("", "calc(1em)", 16), ("font-size:20px", ".9em", 18), ("font-size:2em", "50%", 13),
            ("font-family:monospace", ".5em", 6.5),
            ("", "large", 16), ("", "inherit", 13),
        ] as [(String, String, Float)])
    func sizesInMonospaceFollowItsDefault(_ parent: String, _ size: String, _ pixels: Float) {
        let found = Styled("<p style='\(parent)'><tt style='font-size:\(size)'>x").style("x").font.size
        #expect(abs(found - pixels) < 0.01)
    }
}
