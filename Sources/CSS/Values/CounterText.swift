// The predefined counter styles of CSS Counter Styles 3 §6–7, except for `ethiopic-numeric`.

enum CounterText {
    /// Returns whether CSS predefines the name.
    static func isKnown(_ style: String) -> Bool { rules[style] != nil || style == "none" }

    private static func rule(_ system: CounterRule.System, _ symbols: [String], suffix: String? = nil) -> CounterRule {
        CounterRule(name: "", system: system, symbols: symbols, suffix: suffix)
    }

    private static func cyclic(_ symbol: String) -> CounterRule { rule(.cyclic, [symbol], suffix: " ") }
    private static func numeric(_ digits: [String]) -> CounterRule { rule(.numeric, digits) }
    private static func alphabetic(_ symbols: [String]) -> CounterRule { rule(.alphabetic, symbols) }
    private static func kana(_ text: String) -> CounterRule { rule(.alphabetic, symbols(text), suffix: "、") }
    private static func fixed(_ text: String) -> CounterRule { rule(.fixed(first: 1), symbols(text), suffix: "、") }

    /// - Parameter weights: in descending order.
    private static func additive(_ weights: [(Int, String)], _ range: ClosedRange<Int>) -> CounterRule {
        let weights = weights.map { CounterRule.Weight(value: $0.0, symbol: $0.1) }
        return CounterRule(name: "", system: .additive, weights: weights, ranges: [range])
    }

    /// East Asian numerals, which fall back on the plain digits (CSS Counter Styles 3 §7.1–7.2).
    private static func longhand(
        _ characters: String, _ negative: String, informal: Bool, zeros: Bool, suffix: String = "、"
    ) -> CounterRule {
        CounterRule(
            name: "", system: .longhand(isInformal: informal, writesZeros: zeros), symbols: symbols(characters),
            negative: [negative], suffix: suffix, ranges: [-9999...9999], fallback: "cjk-decimal")
    }

    private static func scalars(_ first: UInt32, _ count: UInt32) -> [String] {
        (first..<first + count).compactMap { Unicode.Scalar($0).map { String(Character($0)) } }
    }

    private static func symbols(_ text: String) -> [String] { text.map { String($0) } }

    /// The suffix is `". "` where a rule has none.
    static let rules: [String: CounterRule] = {
        var table: [String: CounterRule] = [
            "disc": cyclic("•"), "circle": cyclic("◦"), "square": cyclic("▪"),
            "disclosure-open": cyclic("▾"), "disclosure-closed": cyclic("▸"),
            // Names from earlier drafts of CSS Lists, and names of text lists in attributed strings.
            "box": cyclic("□"), "check": cyclic("✓"), "diamond": cyclic("◆"), "hyphen": cyclic("⁃"),
            "binary": numeric(scalars(0x30, 2)), "octal": numeric(scalars(0x30, 8)),
            "lower-hexadecimal": numeric(scalars(0x30, 10) + scalars(0x61, 6)),
            "upper-hexadecimal": numeric(scalars(0x30, 10) + scalars(0x41, 6)),
            "decimal": numeric(scalars(0x30, 10)), "decimal-leading-zero": rule(.paddedDecimal, []),
            "cjk-decimal": rule(.numeric, symbols("〇一二三四五六七八九"), suffix: "、"),
            "lower-alpha": alphabetic(scalars(0x61, 26)), "lower-latin": alphabetic(scalars(0x61, 26)),
            "upper-alpha": alphabetic(scalars(0x41, 26)), "upper-latin": alphabetic(scalars(0x41, 26)),
            "lower-greek": alphabetic(symbols("αβγδεζηθικλμνξοπρστυφχψω")),
            "hiragana": kana("あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわゐゑをん"),
            "katakana": kana("アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヰヱヲン"),
            "hiragana-iroha": kana("いろはにほへとちりぬるをわかよたれそつねならむうゐのおくやまけふこえてあさきゆめみしゑひもせす"),
            "katakana-iroha": kana("イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス"),
            "cjk-earthly-branch": fixed("子丑寅卯辰巳午未申酉戌亥"),
            "cjk-heavenly-stem": fixed("甲乙丙丁戊己庚辛壬癸"),
            "upper-roman": additive(roman.map { ($0, $1.uppercased()) }, 1...3999),
            "lower-roman": additive(roman, 1...3999),
            "hebrew": additive(hebrew, 1...10999),
            "armenian": additive(weights(scalars(0x531, 36)), 1...9999),
            "upper-armenian": additive(weights(scalars(0x531, 36)), 1...9999),
            "lower-armenian": additive(weights(scalars(0x561, 36)), 1...9999),
            "georgian": additive(georgian, 1...19999),
            "korean-hangul-formal": longhand("영일이삼사오육칠팔구십백천", "마이너스 ", informal: false, zeros: false, suffix: ", "),
            "korean-hanja-informal": longhand("零一二三四五六七八九十百千", "마이너스 ", informal: true, zeros: false, suffix: ", "),
            "korean-hanja-formal": longhand("零壹貳參四五六七八九拾百仟", "마이너스 ", informal: false, zeros: false, suffix: ", "),
            "japanese-informal": longhand("〇一二三四五六七八九十百千", "マイナス", informal: true, zeros: false),
            "japanese-formal": longhand("零壱弐参四伍六七八九拾百阡", "マイナス", informal: false, zeros: false),
            "simp-chinese-informal": longhand("零一二三四五六七八九十百千", "负", informal: true, zeros: true),
            "simp-chinese-formal": longhand("零壹贰叁肆伍陆柒捌玖拾佰仟", "负", informal: false, zeros: true),
            "trad-chinese-informal": longhand("零一二三四五六七八九十百千", "負", informal: true, zeros: true),
            "trad-chinese-formal": longhand("零壹貳參肆伍陸柒捌玖拾佰仟", "負", informal: false, zeros: true),
            "cjk-ideographic": longhand("零一二三四五六七八九十百千", "負", informal: true, zeros: true),
        ]
        let zeros: [(String, UInt32)] = [
            ("arabic-indic", 0x660), ("persian", 0x6F0), ("urdu", 0x6F0), ("devanagari", 0x966), ("bengali", 0x9E6),
            ("gurmukhi", 0xA66), ("gujarati", 0xAE6), ("oriya", 0xB66), ("tamil", 0xBE6), ("telugu", 0xC66),
            ("kannada", 0xCE6), ("malayalam", 0xD66), ("thai", 0xE50), ("lao", 0xED0), ("tibetan", 0xF20),
            ("myanmar", 0x1040), ("khmer", 0x17E0), ("cambodian", 0x17E0), ("mongolian", 0x1810),
        ]
        for (name, zero) in zeros { table[name] = numeric(scalars(zero, 10)) }
        return table
    }()

    private static let roman = [
        (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
        (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
    ]

    /// CSS Counter Styles 3 §6.1; 15 and 16 avoid spelling the divine name.
    private static let hebrew: [(Int, String)] = [
        (10000, "י׳"), (9000, "ט׳"), (8000, "ח׳"), (7000, "ז׳"), (6000, "ו׳"), (5000, "ה׳"), (4000, "ד׳"), (3000, "ג׳"),
        (2000, "ב׳"), (1000, "א׳"), (400, "ת"), (300, "ש"), (200, "ר"), (100, "ק"), (90, "צ"), (80, "פ"), (70, "ע"),
        (60, "ס"), (50, "נ"), (40, "מ"), (30, "ל"), (20, "כ"), (19, "יט"), (18, "יח"), (17, "יז"), (16, "טז"),
        (15, "טו"), (10, "י"), (9, "ט"), (8, "ח"), (7, "ז"), (6, "ו"), (5, "ה"), (4, "ד"), (3, "ג"), (2, "ב"), (1, "א"),
    ]

    private static let georgian = weights(symbols("აბგდევზჱთიკლმნჲოპჟრსტჳფქღყშჩცძწჭხჴჯჰჵ"))

    /// Numerals whose letters have the values 1…9, 10…90, 100…900, 1000…9000 in alphabetical order.
    private static func weights(_ letters: [String]) -> [(Int, String)] {
        var unit = 1
        return letters.enumerated().map { index, letter in
            if index > 0, index % 9 == 0 { unit *= 10 }
            return (unit * (index % 9 + 1), letter)
        }.reversed()
    }
}

extension CounterRule {
    /// A longhand East Asian numeral (CSS Counter Styles 3 §7.1).
    func longhand(_ value: Int, isInformal: Bool, writesZeros: Bool) -> String {
        if value == 0 { return symbols[0] }
        let places = String(value).reversed().compactMap(\.wholeNumberValue)
        var (result, followsZero) = ("", false)
        for (index, digit) in places.enumerated().reversed() {
            if digit > 0 {
                if followsZero, writesZeros { result += symbols[0] }
                // Informal Chinese drops the one of 10–19, informal Japanese and Korean the one before every marker.
                let isDropped = isInformal && digit == 1 && (writesZeros ? index == 1 && places.count == 2 : index > 0)
                if !isDropped { result += symbols[digit] }
                if index > 0 { result += symbols[9 + index] }
            }
            followsZero = digit == 0
        }
        return result
    }
}
