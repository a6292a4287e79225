// MathML as a readable line, in every output.

import Foundation
import Testing

@testable import FancyText

@Suite struct FormulaTests {
    private func line(_ math: String) -> String {
        MarkupParser().parse("<p><math>\(math)</math>").plainText().split(separator: "\n").joined(separator: "\n")
    }

    @Test func thinBarsArePainted() throws {
        // Wherever the formula is, its bar has a pixel.
        for shift in 0..<8 {
            let math =
                "<math display=block style='margin-top:\(Double(shift) / 8)px'><mfrac><mn>1</mn><mn>2</mn></mfrac></math>"
            let svg = try Renderer().picture(MarkupParser().parse(math), as: .svg)
            #expect(!String(decoding: svg, as: UTF8.self).contains("height=\"0\""))
        }
    }

    private struct Layout: Decodable {
        struct Word: Decodable {
            var start, end: Int
            var y: Double
        }
        var text: String
        var words: [Word]
    }

    /// The words of the layout, by offsets in UTF-16.
    private func words(_ math: String) throws -> [(text: String, y: Double)] {
        var document = MarkupParser().parse("<math display=block>\(math)</math>")
        let json = try Renderer().json(&document, content: JSONContent(hasLayout: true, offsets: .utf16))
        let layout = try JSONDecoder().decode(Layout.self, from: Data(json))
        let text = Array(layout.text.utf16)
        return layout.words.map { (String(decoding: text[$0.start..<$0.end], as: UTF16.self), $0.y) }
    }

    @Test func lettersInItalicsReadAsTheyAreWritten() throws {
        let found = try words("<mi>x</mi><mo>+</mo><mi> h </mi><mn>2</mn>")
        #expect(found.map(\.text) == ["x", "+", "h", "2"])
    }

    @Test func operatorsWithoutInkAddNoHeight() throws {
        let fraction = "<mfrac><mrow><mi>sin</mi>%<mi>x</mi></mrow><mi>x</mi></mfrac>"
        let heights = try ["", "<mo>&#x2061;</mo>"].map { mark in
            try words(fraction.replacing("%", with: mark)).last?.y
        }
        #expect(heights[0] == heights[1] && heights[0] != nil)
    }

    @Test func aFormulaThatIsHiddenBesideItsPictureIsReadOnATerminal() {
        let page = """
            <style>.m { position: absolute; clip: rect(1px,1px,1px,1px); width: 1px; height: 1px; overflow: hidden }</style>
            <p>so <span><span class=m><math><mi>x</mi></math></span><span aria-hidden=true>picture</span></span>
            """
        let text = String(decoding: Renderer().ansi(MarkupParser().parse(page)), as: UTF8.self)
        #expect(text.contains("so x") && !text.contains("picture"), "\(text)")
    }

    @Test(arguments: [
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "1/2"), ("<msup><mi>x</mi><mn>2</mn></msup>", "x²"),
        (
            "<mfrac><mrow><mo>−</mo><mi>b</mi><mo>±</mo><msqrt><msup><mi>b</mi><mn>2</mn></msup><mo>−</mo><mn>4</mn><mi>a</mi><mi>c</mi></msqrt></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac>",
            "(−b ± √(b² − 4ac)) / 2a"
        ),
        ("<msqrt><mn>2</mn></msqrt><mo>+</mo><mroot><mi>x</mi><mn>3</mn></mroot>", "√2 + ∛x"),
        ("<mroot><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>n</mi></mroot>", "ⁿ√(a + b)"),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msup><mi>i</mi><mn>2</mn></msup>",
            "∑_(i=1)^n i²"
        ),
        (
            "<munder><mo>lim</mo><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder><mi>f</mi><mo>(</mo><mi>x</mi><mo>)</mo>",
            "lim_(x→0) f(x)"
        ),
        ("<msub><mi>a</mi><mi>i</mi></msub><mo>+</mo><msub><mi>a</mi><mi>q</mi></msub>", "aᵢ + a_q"),
        ("<msup><mi>e</mi><mrow><mi>i</mi><mi>π</mi></mrow></msup><mo>=</mo><mo>−</mo><mn>1</mn>", "e^(iπ) = −1"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x₁²"), ("<msup><mi>f</mi><mo>′</mo></msup>", "f′"),
        ("<msup><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></msup>", "(a + b)²"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo></mrow><mn>2</mn></msup>", "(a + b)²"),
        ("<msup><msup><mi>x</mi><mn>2</mn></msup><mn>3</mn></msup>", "(x²)³"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"),
        ("<mfenced open='[' close=']' separators=';'><mi>a</mi><mi>b</mi></mfenced>", "[a; b]"),
        (
            "<mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable><mo>]</mo>",
            "[1 0; 0 1]"
        ),
        ("<semantics><mi>x</mi><annotation encoding='TeX'>\\x</annotation></semantics>", "x"),
        ("<mi>a</mi><mspace width=1em></mspace><mi>b</mi><mphantom><mi>c</mi></mphantom><mi>d</mi>", "a b d"),
        ("<mi>sin</mi><mi>x</mi><mo>+</mo><mi>sin</mi><mo>(</mo><mi>y</mi><mo>)</mo>", "sin x + sin(y)"),
        ("<mn>1</mn><mfrac><mn>1</mn><mn>2</mn></mfrac>", "1 1/2"),
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac><mi>x</mi>", "(1/2)x"),
        ("<mfrac><mi>a</mi><mfrac><mi>b</mi><mi>c</mi></mfrac></mfrac>", "a / (b/c)"),
        ("<msup><mi>x</mi><mfrac><mn>1</mn><mn>2</mn></mfrac></msup>", "x^(1/2)"),
        ("<mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac>", "n choose k"),
        ("<mover><mi>x</mi><mo>¯</mo></mover><mover><mi>v</mi><mo>→</mo></mover>", "x\u{305}v\u{20D7}"),
        ("<mmultiscripts><mi>C</mi><mprescripts></mprescripts><mn>6</mn><mn>14</mn></mmultiscripts>", "₆¹⁴C"),
        ("<mi>f</mi><mo>&ApplyFunction;</mo><mo>(</mo><mi>x</mi><mo>,</mo><mi>y</mi><mo>)</mo>", "f(x, y)"),
        ("<mi>x</mi><mtext> if </mtext><mi>y</mi>", "x if y"), ("x<mi>y</mi>", "y"), ("", ""),
        ("<mfrac><mn>1</mn></mfrac>", "1"), ("<mi style='display:none'>x</mi><mi>y</mi>", "y"),
    ])
    func isALine(_ math: String, _ expected: String) { #expect(line(math) == expected) }

    @Test func outputsWithoutALayoutHaveTheLine() throws {
        var document = MarkupParser().parse("<p>a <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> b")
        #expect(document.plainText() == "a 1/2 b\n")
        #expect(document.markdown() == "a 1/2 b\n")
        var fonts = FontOptions()
        fonts.usesSystemFonts = false
        let renderer = Renderer(fonts: fonts)
        #expect(
            String(decoding: renderer.ansi(&document, RenderOptions(), ANSIOptions()), as: UTF8.self).contains(
                "a 1/2 b"))
        #expect(String(decoding: try renderer.json(&document, RenderOptions()), as: UTF8.self).contains("a 1/2 b"))
        #expect(document.diagnostics.entries.isEmpty)
    }

    @Test func formulasOnTheirOwnHaveLinesOfTheirOwn() {
        let text = MarkupParser().parse("<p>a<math display=block><mi>x</mi></math>b").plainText()
        #expect(text == "a\nx\nb\n")
    }

    @Test func deepFormulasAreLinear() {
        let rows = String(repeating: "<mrow>", count: 20_000)
        #expect(line(rows + "<mi>x</mi>") == "x")
        #expect(line(String(repeating: "<msup><mi>x</mi>", count: 5_000)).hasPrefix("x"))
    }
}
