// `font-variant-alternates` and the names of `@font-feature-values`.

import Testing

@testable import FancyTextCSS

@Suite struct FontFeatureTests {
    private func features(_ variants: String, _ rules: String = "") -> String {
        let styled = Styled("<p><b>x", css: "\(rules)p{font-family:a,Fancy;font-variant-alternates:\(variants)}")
        return styled.style("x").font.features.map { feature in
            let tag = (0..<4).map { Character(Unicode.Scalar(UInt8(feature.tag >> (24 - 8 * $0) & 0xFF))) }
            return String(tag) + " \(feature.value)"
        }.joined(separator: ", ")
    }

    @Test(arguments: [
        ("stylistic(2)", "salt 2"), ("swash(1)", "swsh 1, cswh 1"), ("styleset(2,12)", "ss02 1, ss12 1"),
        ("character-variant(2,3)", "cv02 1, cv03 1"), ("historical-forms annotation(4)", "hist 1, nalt 4"),
        ("stylistic(unknown)", ""), ("stylistic(1) stylistic(2)", ""), ("normal", ""),
    ])
    func functionsAreFeatures(_ value: String, _ expected: String) {
        #expect(features(value) == expected)
    }

    @Test(arguments: [
        ("stylistic(foo)", "salt 3"), ("styleset(two)", "ss01 1, ss04 1"), ("character-variant(one)", "cv02 5"),
        ("character-variant(alone)", "cv07 1"), ("ornaments(foo)", "ornm 9"), ("stylistic(FOO)", ""),
        ("swash(foo)", ""),
    ])
    func namesBelongToFamilies(_ value: String, _ expected: String) {
        let rules = """
            @font-feature-values Other, fancy{@stylistic{foo:1;foo:3}@styleset{two:1 4}\
            @character-variant{one:2 5;alone:7}font-display:swap;@ornaments{foo:9}}\
            @font-feature-values Third{@swash{foo:1}}
            """
        #expect(features(value, rules) == expected)
    }

    @Test func aNameDependsOnTheFamilyOfTheElement() {
        let css = """
            @font-feature-values A{@swash{s:1}}@font-feature-values B{@swash{s:2}}\
            p{font-family:A;font-variant-alternates:swash(s)}b{font-family:B}
            """
        let styled = Styled("<p>x<b>y", css: css)
        #expect(styled.style("x").font.features.map(\.value) == [1, 1])
        #expect(styled.style("y").font.features.map(\.value) == [2, 2])
    }

    @Test(arguments: [
        "@font-feature-values{@swash{s:1}}", "@font-feature-values A{@swash{s:x}}",
        "@font-feature-values A{@swash{s:1 2}}",
        "@font-feature-values A{@other{s:1}}", "@font-feature-values A{@styleset{s:}}",
    ])
    func mistakesAreTold(_ css: String) {
        #expect(!Styled("<p>x", css: css).log.isEmpty)
    }
}
