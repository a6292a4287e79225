// Media features, environment variables, colour schemes and root-relative units: the answers of a browser without a display.

import Testing

@testable import FancyTextCSS
@testable import FancyTextStyling

@Suite struct MediaFeatureTests {
    private func holds(_ query: String) -> Bool {
        Styled("<p>x", css: "@media \(query) { p { order: 1 } }").style("x").box.order == 1
    }

    @Test(arguments: [
        "(prefers-reduced-motion: no-preference)", "(hover: none)", "(any-pointer: none)", "(update: fast)",
        "(scripting: enabled)", "(scripting)", "(forced-colors: none)", "(overflow-block: scroll)",
        "(display-mode: browser)", "(color-gamut: srgb)", "(dynamic-range: standard)", "(device-posture: continuous)",
        "(-webkit-min-device-pixel-ratio: 1)", "(-webkit-max-device-pixel-ratio: 1)", "(min-resolution: 1x)",
        "(-webkit-transform-3d)", "(width > 100px) or (height < 5px)", "not (hover)", "not (color-gamut: p3)",
    ])
    func matches(_ query: String) { #expect(holds(query)) }

    @Test(arguments: [
        "(prefers-reduced-motion)", "(prefers-reduced-motion: reduce)", "(prefers-contrast)", "(hover)",
        "(pointer: fine)",
        "(update: none)", "(forced-colors)", "(inverted-colors: none)", "not (inverted-colors: none)", "(scan)",
        "(made-up: 1)", "not (made-up: 1)", "(-webkit-min-device-pixel-ratio: 2)",
        // Reserved words are no media types, and an unknown value is neither true nor false (§3, §3.2).
        "and", "not and", "not or", "not not", "only layer", "not (color-gamut: dci-p3)", "not (hover: 1)",
    ])
    func doesNotMatch(_ query: String) { #expect(!holds(query)) }

    @Test(arguments: [
        ("@media (max-width: 600) {}", "1:8 unknown media query '(max-width: 600)': its rules never apply"),
        ("@media print, (min-widht: 1px) {}", "1:15 unknown media query '(min-widht: 1px)': its rules never apply"),
        ("@media (2px <= resolution) {}", "1:8 unknown media query '(2px <= resolution)': its rules never apply"),
        ("@media sreen {}", "1:8 unknown media query 'sreen': its rules never apply"),
        ("@supports display: grid {}", "1:11 unknown supports query 'display: grid': its rules never apply"),
        ("@tailwind base;", "1:1 unknown rule @tailwind: ignored; Tailwind makes CSS of it"),
        ("@scope (.a) to {}", "1:1 @scope needs valid selectors: ignored"),
        ("@media \\0screen {} @media (min--moz-device-pixel-ratio: 2) {} @media (min-width: 0\\0) {}", nil),
        ("@media tv, screen and (-ms-high-contrast: active), (transform-3d), not print {}", nil),
        (
            "@container (inline-sise > 1px) {}",
            "1:12 unknown container query '(inline-sise > 1px)': its rules never apply"
        ),
        ("@container card (width > 1px) and style(--a: b) {}", nil),
        ("@layer a b { p { order: 1 } }", "1:1 'a b' is not the name of one layer: the layer's rules are ignored"),
        ("@layer { p { order: 1 } } @layer a, b; @layer a.b {}", nil),
    ])
    func unknownQueriesAreReported(css: String, message: String?) {
        let log = Styled("<p>x", css: css).log
        #expect(
            log.map { "\($0.location?.line ?? 0):\($0.location?.column ?? 0) \($0.message)" }
                == [message].compactMap(\.self))
    }

    @Test func nothingCoversTheEdgesOfAPicture() {
        let box = Styled("<p>x", css: "p{margin-left:env(safe-area-inset-left,40px);margin-right:env(made-up,3px)}")
            .style("x").box
        #expect(box.margin.left == .zero && box.margin.right == LengthPercentage(px: 3))
    }

    @Test(arguments: [("vertical-rl", "6 8"), ("horizontal-tb", "8 6")])
    func viewportUnitsFollowTheDirectionOfTheLines(_ mode: String, _ expected: String) {
        let styled = Styled(
            "<p style='font-size:1vi;writing-mode:\(mode)'>x<p style='writing-mode:\(mode);font-size:1svb'>y")
        #expect("\(Int(styled.style("x").font.size)) \(Int(styled.style("y").font.size))" == expected)
    }

    @Test func rootLineHeightIsTheRootElements() {
        let html =
            "<!DOCTYPE html><html style='font:20px/1.5 Inter'><body style='line-height:9'><p style='width:2rlh'>x"
        #expect(Styled(html).style("x").box.width == .length(LengthPercentage(px: 60)))
        #expect(
            Styled("<p>x", css: "html{font:20px/1.5 Inter}p{width:2rlh}").style("x").box.width
                == .length(LengthPercentage(px: 60)))
    }

    @Test(arguments: [
        "<!DOCTYPE html><html style='color-scheme:dark'><body><p>x",
        "<!DOCTYPE html><head><meta name=color-scheme content=dark><body><p>x",
        "<!DOCTYPE html><body><meta name=Color-Scheme content='dark'><p>x",
        "<meta name=color-scheme content=dark><p>x", "<style>:root{color-scheme:dark}</style><p>x",
    ])
    func aDarkPageHasADarkCanvas(_ html: String) {
        let styled = Styled(html)
        #expect(styled.color("x") == "255 255 255 255")
        #expect(styled.tree.styles.canvas?.box.backgroundColor == Color(rgb: 0x121212))
    }

    @Test(arguments: [
        "<!DOCTYPE html><meta name=color-scheme content='light dark'><p>x",
        "<!DOCTYPE html><p style='color-scheme:dark'>x",
        "<!DOCTYPE html><meta name=color-scheme content=made-up><p>x",
    ])
    func otherPagesAreLight(_ html: String) {
        let styled = Styled(html)
        #expect(styled.color("x") == "0 0 0 255" && styled.tree.styles.canvas == nil)
    }

    @Test func aBackgroundOfTheBodyCoversADarkCanvas() {
        let html = "<!DOCTYPE html><html style='color-scheme:dark'><body style='background:red'>x"
        #expect(Styled(html).tree.styles.canvas == nil)
    }
}
