// `@supports`: the answers of Chromium.

import Testing

@testable import FancyTextStyling

@Suite struct SupportsTests {
    private func holds(_ condition: String) -> Bool {
        Styled("<p>x", css: "@supports \(condition) { p { order: 1 } }").style("x").box.order == 1
    }

    @Test(arguments: [
        "(display:grid)", "not (unknown(x))", "not unknown(x)", "not (a b c)", "(display:grid) or (a b c)",
        "(display:grid) or unknown(1)", "selector(:has(a))", "selector(a > b)", "selector(::before)", "selector(&)",
        "selector(:nth-child(2n of b))", "font-tech(color-colrv1)", "font-format(woff2)", "(--a: b)",
        "(width: min(1px, 1%))", "(transform: rotate(1deg))", "(clip-path: circle(1px))", "((display:grid))",
        "(not (display:unknown))", "(mix-blend-mode: multiply)", "(rotate: 45deg)",
    ])
    func supported(_ condition: String) { #expect(holds(condition)) }

    @Test(arguments: [
        "(width: foo(1px))", "(unknown(x))", "unknown(x)", "(a b c)", "not (display:grid)",
        "(display:grid) and unknown(1)", "selector(:unknown)", "selector(::-webkit-unknown)", "selector(:is(:unknown))",
        "selector(:where(a,:unknown))", "selector(a,b)", "selector()", "selector(> a)", "font-format(woff3)",
        "(transform: spin(1deg))", "(filter: foo(1px))", "(clip-path: foo(1px))", "(mix-blend-mode: foo)",
        "(rotate: foo)", "(shape-outside: foo())",
    ])
    func notSupported(_ condition: String) { #expect(!holds(condition)) }

    // MARK: Fonts

    private func sources(_ src: String) -> [FontFaceRule.Source] {
        Styled("<p>x", css: "@font-face{font-family:F;src:\(src)}").tree.fontFaces.flatMap(\.sources)
    }

    @Test func fontsOfOtherFormatsAreNotTried() {
        #expect(sources("url(a.eot) format('embedded-opentype'), url(a.ttf)") == [.url("a.ttf")])
        #expect(sources("url(a) format(woff2) tech(variations, color-COLRv1), url(b) tech(incremental)") == [.url("a")])
        #expect(sources("url(a.svg) format('svg')").isEmpty)
        #expect(sources("local(F), url(a) format('woff2-variations')").count == 2)
    }
}
