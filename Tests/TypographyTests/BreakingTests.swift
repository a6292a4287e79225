import CFancyTextUnicode
import FancyTextPlatform
import FancyTextTestSupport
import Testing

@testable import FancyTextBasics
@testable import FancyTextCSS
@testable import FancyTextTypography

/// The text with a bar at each break opportunity, a hyphen sign at each place for a hyphen.
private func broken(
    _ text: String, strictness: LineBreakStrictness = .auto, wordBreak: WordBreak = .normal, language: String = "en"
) -> String {
    var style = TextStyle()
    style.lineBreak = strictness
    style.wordBreak = wordBreak
    let options = LineBreakOptions(style, language: language)
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    bytes.withUnsafeBufferPointer {
        LineBreakFinder().find(
            $0, 0..<bytes.count, spans: [LineBreakSpan(range: 0..<bytes.count, options: options)], into: &result)
    }
    var out: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
        if let kind = LineBreakOpportunity(rawValue: result[index]) {
            switch kind {
            case .none: break
            case .allowed: out.append(UInt8(ascii: "|"))
            case .mandatory: out.append(UInt8(ascii: "!"))
            case .hyphen: out.append(UInt8(ascii: "^"))
            }
        }
        out.append(byte)
    }
    return String(decoding: out, as: UTF8.self)
}

@Suite struct BreakingTests {
    // The expectations were measured in headless Chromium.
    @Test(arguments: [
        ("well-known a-1 --flag", "well-|known |a-|1 |-|-|flag"),
        ("http://www.example.com/path/to?x=1&y=2#z", "http://www.example.com/path/to?|x=1&y=2#z"),
        ("x (y) [z] (a)(b) a(b)c", "x |(y) |[z] |(a)|(b) |a(b)c"),
        ("a—b a–b 100€ $5 a !", "a|—|b |a–|b |100€ |$5 |a |!"),
        ("人々。「あ」い", "人々。|「あ」|い"),
        ("きゃっと データー", "き|ゃ|っ|と |デ|ー|タ|ー"),
        ("中“文”中 it’s ‘q’", "中|“文”|中 |it’s |‘q’"),
        ("한국(어) 👋👋 🇺🇸🇩🇪", "한|국|(어) |👋|👋 |🇺🇸|🇩🇪"),
        ("a\u{A0}b a\u{200B}b a\u{2060}b a\u{AD}b", "a\u{A0}b |a\u{200B}|b |a\u{2060}b |a\u{AD}^b"),
        ("a\nb", "a\n!b"),
    ])
    func autoBreaksAsTheBrowserDoes(_ text: String, _ expected: String) {
        #expect(broken(text) == expected)
    }

    @Test func strictnessMovesSmallKanaAndMarks() {
        #expect(broken("きゃっと", strictness: .strict, language: "ja") == "きゃっ|と")
        #expect(broken("人々", strictness: .loose) == "人|々")
        #expect(broken("ああ・い", strictness: .loose, language: "ja") == "あ|あ|・|い")
        #expect(broken("〜い゠う", strictness: .normal, language: "ja") == "〜|い|゠|う")
        #expect(broken("10％で", strictness: .loose, language: "ja") == "10|％|で")
        #expect(broken("aa‐a", strictness: .loose, wordBreak: .breakAll) == "a|a|‐|a")
    }

    @Test func wordBreakValues() {
        #expect(broken("中文！ a中", wordBreak: .keepAll) == "中文！ |a中")
        #expect(broken("ab-1 c", wordBreak: .breakAll) == "a|b|-|1 |c")
        #expect(broken("a👍🏽b", strictness: .anywhere) == "a|👍🏽|b")
    }

    /// Runs of ASCII are marked by pairs of characters, with the same result as applying the rules to every character.
    @Test(arguments: 0..<400) func stretchesAgreeWithTheRules(_ seed: UInt64) {
        var random = SeededGenerator(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
        let characters: [Unicode.Scalar] = Array(
            "aZ09 -.,:;?!()[]{}<>'\"%$#/\\=+&|~ \n  é—–“”‘’€中。あー한א־\u{A0}\u{AD}\u{301}\u{2060}👍🇩".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...60, using: &random) {
            // Long runs of ASCII between others.
            text.append(
                characters[Int.random(in: 0..<(Bool.random(using: &random) ? 32 : characters.count), using: &random)])
        }
        let options = LineBreakOptions(TextStyle(), language: "en")
        let bytes = Array(String(text).utf8)
        var found: [UInt8] = []
        bytes.withUnsafeBufferPointer {
            LineBreakFinder().find(
                $0, 0..<bytes.count, spans: [LineBreakSpan(range: 0..<bytes.count, options: options)], into: &found)
        }
        var expected = [UInt8](repeating: 0, count: bytes.count + 1)
        var rules = LineBreakRules()
        var offset = 0
        let scalars = Array(text)
        for (index, scalar) in scalars.enumerated() {
            let kind = rules.next(scalar.value, unicodeRecord(scalar.value), options) {
                let rest = scalars[(index + 1)...].lazy.map { unicodeRecord($0.value) }
                return rest.first { Int($0.lineBreak) != LineBreakCM && Int($0.lineBreak) != LineBreakZWJ }
                    ?? UnicodeRecord()
            }
            expected[offset] = kind.rawValue
            offset += UTF8.width(scalar)
        }
        if rules.endsWithMandatoryBreak { expected[offset] = LineBreakOpportunity.mandatory.rawValue }
        #expect(found == expected, "\(String(text).debugDescription)")
    }

    @Test func thaiBreaksBetweenWords() {
        #expect(broken("สวัสดีครับ") == "สวัสดี|ครับ")
    }

    @Test(.enabled(if: access("/usr/share/hyphen/hyph_en_US.dic", R_OK) == 0, "install hyphen-en-us"))
    func hyphenationByPatterns() throws {
        guard let hyphenator = Hyphenator(language: "en") else { return }
        let text = Array("Typography and hy\u{AD}phenation, cat".utf8)
        var result = [UInt8](repeating: 0, count: text.count + 1)
        text.withUnsafeBufferPointer { hyphenator.mark($0, 0..<text.count, into: &result) }
        let places = result.indices.filter { result[$0] == LineBreakOpportunity.hyphen.rawValue }
        #expect(places == [2, 5, 7].filter { places.contains($0) } && !places.isEmpty, "\(places)")
        #expect(Hyphenator(language: "xx-none") == nil)
    }
}
