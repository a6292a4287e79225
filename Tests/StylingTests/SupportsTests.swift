// `@supports`: the answers of Chromium, except for features that have no effect here.

import Testing

@testable import FancyTextCSS
@testable import FancyTextStyling

@Suite struct SupportsTests {
    private func holds(_ condition: String) -> Bool {
        Styled("<p>x", css: "@supports \(condition) { p { order: 1 } }").style("x").box.order == 1
    }

    @Test(arguments: [
        "(display:grid)", "not (unknown(x))", "not unknown(x)", "not (a b c)", "(display:grid) or (a b c)",
        "(display:grid) or unknown(1)", "selector(:has(a))", "selector(a > b)", "selector(::before)", "selector(&)",
        "selector(:nth-child(2n of b))", "font-tech(color-colrv0)", "font-format(woff2)", "(--a: b)",
        "(width: min(1px, 1%))", "(transform: rotate(1deg))", "(clip-path: circle(1px))", "((display:grid))",
        "(not (display:unknown))", "(mix-blend-mode: multiply)", "(rotate: 45deg)", "(display: var(--a))",
        "(color: { [ var(--a) ] })", "(-webkit-hyphens: none)", "at-rule(@media)", "at-rule(@Keyframes)",
        "selector(p:hover)",
        // A still picture does not use these, so no fallback is needed.
        "(container-type: inline-size)", "(container: a b / size)", "at-rule(@container)",
        "(contain-intrinsic-size: auto 1px none)", "(will-change: transform, top)", "selector(:host(a))",
        "(cursor: grab)", "(shape-outside: circle(1px))", "(grid-template-rows: subgrid)",
        "(text-box: trim-both cap alphabetic)",
        "at-rule(@counter-style)", "at-rule(@scope)", "(transition: all 1s)", "(scroll-snap-type: x)",
        "selector(::selection)", "selector(::placeholder)", "selector(input::file-selector-button)",
        "selector(::details-content)", "selector(::-webkit-progress-bar)", "selector(::-webkit-slider-thumb)",
    ])
    func supported(_ condition: String) { #expect(holds(condition)) }

    @Test(arguments: [
        "(width: foo(1px))", "(unknown(x))", "unknown(x)", "(a b c)", "not (display:grid)",
        "(display:grid) and unknown(1)", "selector(:unknown)", "selector(::-webkit-unknown)", "selector(:is(:unknown))",
        "selector(:where(a,:unknown))", "selector(a,b)", "selector()", "selector(> a)", "font-format(woff3)",
        "(transform: spin(1deg))", "(filter: foo(1px))", "(clip-path: foo(1px))", "(mix-blend-mode: foo)",
        "(rotate: foo)", "(shape-outside: foo())", "(-webkit-appearance: -apple-pay-button)",
    ])
    func notSupported(_ condition: String) { #expect(!holds(condition)) }

    /// An author's fallback applies if the feature has no effect.
    @Test(arguments: [
        "(block-step: inline)", "(block-step: none)", "(block-step: inherit)", "(block-step: var(--a))",
        "(shape-outside: path('M0 0'))", "(animation-timeline: scroll())", "(-webkit-box-reflect: below)",
        "(-webkit-box-reflect: below)", "(-made-up: 1)", "selector(::part(a))",
        "selector(::text)", "font-tech(palettes)", "font-tech(color-colrv1)", "font-format(svg)",
        "at-rule(media)",
    ])
    func withoutEffect(_ condition: String) {
        #expect(!holds(condition))
        #expect(holds("not \(condition)"))
    }

    /// Tailwind 4 sets its variables' initial values after this test if `@property` is missing.
    @Test func fallbacksForRegisteredPropertiesApply() {
        #expect(
            holds(
                "((-webkit-hyphens: none) and (not (block-step: inline))) or ((-moz-orient: inline) and (not (color:rgb(from red r g b))))"
            ))
    }

    @Test func importsAreSupportedByTheSameRule() {
        for (condition, isRead) in [
            ("block-step: block", false), ("writing-mode: vertical-rl", true), ("cursor: grab", true),
            ("display: grid", true),
        ] {
            var options = StyleOptions()
            options.sheets = [.init(name: "--style", text: "@import 'a.css' supports(\(condition));")]
            options.importLoader = { _ in { url, _ in .success((Array("p{order:1}".utf8), url)) } }
            #expect((Styled("<p>x", options).style("x").box.order == 1) == isRead, "\(condition)")
        }
    }

    // MARK: Fonts

    private func sources(_ src: String) -> [FontFaceRule.Source] {
        Styled("<p>x", css: "@font-face{font-family:F;src:\(src)}").tree.fontFaces.flatMap(\.sources)
    }

    @Test func fontsOfOtherFormatsAreNotTried() {
        #expect(sources("url(a.eot) format('embedded-opentype'), url(a.ttf)") == [.url("a.ttf")])
        #expect(sources("url(a) format(woff2) tech(variations, color-COLRv0), url(b) tech(incremental)") == [.url("a")])
        #expect(sources("url(a.svg) format('svg')").isEmpty)
        #expect(sources("local(F), url(a) format('woff2-variations')").count == 2)
    }
}
