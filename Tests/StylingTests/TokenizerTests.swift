// CSS tokens and rules: escapes, numbers, blocks, recovery from errors (CSS Syntax 3).

import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextStyling

@Suite struct CSSTokenizerTests {
    private func kinds(_ css: String) -> [CSSToken.Kind] { CSSSource(css, name: "t").tokens.map(\.kind) }
    private func names(_ css: String) -> [String] {
        let source = CSSSource(css, name: "t")
        return source.tokens.filter { $0.nameEnd > $0.nameStart }.map { source.name(of: $0) }
    }

    @Test func commentsLeaveNoToken() { #expect(kinds("a/* b */c") == [.ident, .ident]) }
    @Test func escapesAreDecoded() { #expect(names("\\72 ed \\000041bc a\\:b") == ["red", "Abc", "a:b"]) }
    @Test func surrogatesAndZeroBecomeReplacementCharacters() {
        #expect(names("\\d800 \\0 x") == ["\u{FFFD}\u{FFFD}x"])
    }
    @Test func anEscapedLineFeedVanishesInAString() { #expect(names("'a\\\nb'") == ["ab"]) }
    @Test func aLineFeedEndsABadString() { #expect(kinds("'a\nb'") == [.badString, .whitespace, .ident, .string]) }
    @Test func numbersKeepSignFractionAndExponent() {
        let tokens = CSSSource("+1.5e2 -.25 7e 3%", name: "t").tokens.filter { $0.kind != .whitespace }
        #expect(tokens.map(\.kind) == [.number, .number, .dimension, .percentage])
        #expect(tokens.map(\.number) == [150, -0.25, 7, 3])
    }
    @Test func anUnquotedURLMayNotHoldASpaceInside() {
        #expect(kinds("url( a.png )") == [.url])
        #expect(kinds("url(a b)") == [.badURL])
        #expect(kinds("url('a b')") == [.function, .string, .closeParen])
    }
    @Test func aClosingBracketOfAnotherKindClosesNothing() {
        let tokens = CSSSource("(a ] b) c", name: "t").tokens
        #expect(tokens[0].match == 6)
        #expect(tokens[Int(tokens[0].match)].kind == .closeParen)
    }
    @Test func openBlocksEndWithTheText() {
        let source = CSSSource("a{b(c", name: "t")
        #expect(source.tokens[1].match == UInt32(source.tokens.count))
    }
    @Test func markupCommentsAreTokens() { #expect(kinds("<!-- -->") == [.cdo, .whitespace, .cdc]) }
}

@Suite struct StylesheetParserTests {
    private func parse(_ css: String, _ change: (inout MediaEnvironment) -> Void = { _ in }) -> (
        Stylesheet, DiagnosticLog
    ) {
        var media = MediaEnvironment()
        change(&media)
        var log = DiagnosticLog()
        let sheet = StylesheetParser.parse(
            CSSSource(css, name: "t"),
            StylesheetEnvironment(
                media: media, context: ValueContext(),
                importLoader: { url, _ in
                    url == "b.css"
                        ? .success((Array("b{color:red}".utf8), url)) : .failure(SheetFailure("no such file"))
                }),
            log: &log)
        return (sheet, log)
    }
    private func selectors(_ css: String, _ change: (inout MediaEnvironment) -> Void = { _ in }) -> [String] {
        parse(css, change).0.rules.map(\.selectors)
    }

    @Test func mediaQueriesDecideWhichRulesCount() {
        let css =
            "@media screen{a{color:red}} @media print{b{color:red}} @media (min-width:900px){c{color:red}} @media (400px<=width<900px){d{color:red}}"
        #expect(selectors(css) == ["a", "d"])
        #expect(
            selectors(css) {
                $0.type = "print"; $0.width = 1000
            } == ["b", "c"])
        #expect(selectors("@media (prefers-color-scheme:dark){a{color:red}}") { $0.prefersDark = true } == ["a"])
        #expect(selectors("@media not screen, (orientation:landscape){a{color:red}}") == ["a"])
        #expect(selectors("@media (unknown-thing){a{color:red}} @media and,screen{b{color:red}}") == ["b"])
    }

    @Test func featureQueriesAskTheProperties() {
        #expect(
            selectors(
                "@supports (color:red) and (not (colour:red)){a{color:red}} @supports (display:nope){b{color:red}}")
                == ["a"])
        #expect(selectors("@supports selector(a > b){a{color:red}} @supports selector(a >>> b){b{color:red}}") == ["a"])
    }

    @Test func nestedRulesAreWrittenOut() {
        #expect(
            selectors(".a{color:red; &:hover{color:blue} > p, b &{color:lime} i{color:red}; margin:0}") == [
                ".a", ":is(.a):hover", ":is(.a) > p, b :is(.a)", ":is(.a) i", ".a",
            ])
        #expect(selectors(".a{@media screen{color:red; b{color:red}}}") == [".a", ":is(.a) b"])
    }

    @Test func importsComeFromTheLoader() {
        #expect(selectors("@import 'b.css'; a{color:red}") == ["b", "a"])
        #expect(selectors("@import url(b.css) print; a{color:red}") == ["a"])
        #expect(selectors("@charset 'a';@layer x;@import 'b.css';@import 'b.css';") == ["b", "b"])
        #expect(selectors("a{color:red} @import 'b.css';") == ["a"])
        #expect(selectors("@media print{} @import 'b.css';").isEmpty)
        #expect(selectors("1a{color:red} @made-up; @made-up{} @media; @import 'b.css';").contains("b"))
        #expect(parse("@import 'missing.css';").1.worst == .warning)
    }

    @Test func aBadDeclarationDoesNotSpoilTheNext() {
        let (sheet, log) = parse("a{color:red; col or:x; margin: 1px 2px 3px 4px 5px; {}; padding:1px}")
        #expect(sheet.rules.flatMap { $0.block.declarations }.count == 5)
        #expect(log.entries.filter { $0.severity == .warning }.count >= 2)
    }

    @Test func fontFacesKeepTheirDescriptors() throws {
        let (sheet, log) = parse(
            "@font-face{font-family:'My Font';src:local(Arial Bold),url(a.woff2) format('woff2');font-weight:100 900;font-style:italic;unicode-range:U+26,U+0-7F,U+4??;font-variation-settings:'slnt' -20}"
        )
        let face = try #require(sheet.fontFaces.first)
        #expect(face.family == "My Font")
        #expect(face.sources == [.local("Arial Bold"), .url("a.woff2")])
        #expect(face.weight == 100...900)
        #expect(face.isItalic)
        #expect(face.adjustment.variations == [FontVariation(tag: 0x736C_6E74, value: -20)])
        #expect(face.unicodeRanges == [0x26...0x26, 0...0x7F, 0x400...0x4FF])
        #expect(log.entries.isEmpty)
        let generic = parse("@font-face{font-family:/**/ serif/**/;src:local(a)}").0.fontFaces
        #expect(generic.map(\.family) == ["serif"])
    }

    @Test func aVendorPropertyIsANoteAndAnUnknownOneAWarning() {
        #expect(parse("a{-moz-osx-thing:1}").1.worst == .note)
        #expect(parse("a{thing:1}").1.worst == .warning)
        #expect(parse("a{cursor:grab}").1.worst == .note)
    }
}
