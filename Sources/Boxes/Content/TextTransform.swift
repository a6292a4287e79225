// `text-transform` (CSS Text 3 §2.1): full Unicode case mappings, with the languages that differ.

import FancyTextCSS

package enum TextTransform {
    /// - Parameter transform: the case, if it is not that of the style.
    package static func apply(_ style: ComputedStyle, to text: String, as transform: TextTransformCase? = nil) -> String
    {
        var own = style.text
        own.transform = transform ?? own.transform
        return apply(own, to: text, startsWord: true, language: style.font.language)
    }

    /// - Parameters:
    ///   - startsWord: whether the preceding text ends at a word boundary (for `capitalize`).
    ///   - language: BCP 47; Turkish and Azeri distinguish dotted and dotless i, and Greek capitals lose their accents.
    package static func apply(_ style: TextStyle, to text: String, startsWord: Bool, language: String) -> String {
        var result: String
        switch style.transform {
        case .none: result = text
        case .uppercase: result = uppercased(text, language: language)
        case .lowercase: result = lowercased(text, language: language)
        case .capitalize: result = capitalized(text, startsWord: startsWord, language: language)
        case .mathAuto: result = mapped(text, italic)
        }
        if style.transformFullSizeKana { result = mapped(result) { kana[$0] ?? $0 } }
        if style.transformFullWidth { result = mapped(result, fullWidth) }
        return result
    }

    private static func mapped(_ text: String, _ map: (Unicode.Scalar) -> Unicode.Scalar) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map(map)))
    }

    /// The mathematical italic letter (MathML Core §4.2).
    private static func italic(_ letter: Unicode.Scalar) -> Unicode.Scalar {
        let value = letter.value
        let italic: UInt32? =
            switch value {
            case 0x68: 0x210E
            case 0x41...0x5A: value - 0x41 + 0x1D434
            case 0x61...0x7A: value - 0x61 + 0x1D44E
            case 0x391...0x3A9: value - 0x391 + 0x1D6E2
            case 0x3B1...0x3C9: value - 0x3B1 + 0x1D6FC
            default: otherItalics[value]
            }
        return italic.flatMap { Unicode.Scalar($0) } ?? letter
    }

    private static let otherItalics: [UInt32: UInt32] = [
        0x131: 0x1D6A4, 0x237: 0x1D6A5, 0x2202: 0x1D715, 0x2207: 0x1D6FB, 0x3D1: 0x1D717, 0x3D5: 0x1D719,
        0x3D6: 0x1D71B, 0x3F0: 0x1D718, 0x3F1: 0x1D71A, 0x3F5: 0x1D716,
    ]

    private static func isTurkic(_ language: String) -> Bool {
        let primary = language.prefix(while: \.isLetter).lowercased()
        return primary == "tr" || primary == "az"
    }

    private static func uppercased(_ text: String, language: String) -> String {
        if isTurkic(language) { return String(text.map { $0 == "i" ? "İ" : $0 }).uppercased() }
        if language.prefix(while: { $0 != "-" }).lowercased() == "el" {
            return mapped(text) { plainGreek[$0] ?? $0 }.uppercased()
        }
        return text.uppercased()
    }

    private static func lowercased(_ text: String, language: String) -> String {
        let text = withFinalSigmas(text)
        guard isTurkic(language) else { return text.lowercased() }
        return String(text.map { $0 == "I" ? "ı" : $0 == "İ" ? "i" : $0 }).lowercased()
    }

    /// Makes a capital sigma final after a letter with case and not before one, except ignorable ones (Unicode §3.13, Final_Sigma).
    private static func withFinalSigmas(_ text: String) -> String {
        guard text.unicodeScalars.contains("Σ") else { return text }
        var scalars = Array(text.unicodeScalars)
        var isAfterCased = false
        /// The sigma after a letter with case, if only ignorable characters have followed.
        var sigma: Int?
        for index in scalars.indices where !scalars[index].properties.isCaseIgnorable {
            let isCased = scalars[index].properties.isCased
            if let sigma, !isCased { scalars[sigma] = "ς" }
            sigma = scalars[index] == "Σ" && isAfterCased ? index : nil
            isAfterCased = isCased
        }
        if let sigma { scalars[sigma] = "ς" }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Greek capitals lose their tonos; a dialytika is kept (CSS Text 3 §2.1.1's example, Unicode's el-Upper).
    private static let plainGreek: [Unicode.Scalar: Unicode.Scalar] = [
        "ά": "Α", "έ": "Ε", "ή": "Η", "ί": "Ι", "ό": "Ο", "ύ": "Υ", "ώ": "Ω", "ΐ": "Ϊ", "ΰ": "Ϋ",
        "Ά": "Α", "Έ": "Ε", "Ή": "Η", "Ί": "Ι", "Ό": "Ο", "Ύ": "Υ", "Ώ": "Ω",
    ]

    private static func capitalized(_ text: String, startsWord: Bool, language: String) -> String {
        var result = String.UnicodeScalarView()
        var atStart = startsWord
        for scalar in text.unicodeScalars {
            let properties = scalar.properties
            let isInWord = properties.isAlphabetic || properties.numericType != nil
            if isInWord, atStart {
                let isDotted = scalar == "i" && isTurkic(language)
                result.append(contentsOf: (isDotted ? "İ" : properties.titlecaseMapping).unicodeScalars)
            } else {
                result.append(scalar)
            }
            // Apostrophes and marks are part of the word: don't, naïve.
            let joins =
                isInWord || scalar == "'" || scalar == "\u{2019}" || scalar == "\u{AD}"
                || properties.generalCategory == .nonspacingMark
            atStart = !isInWord && (atStart || !joins)
        }
        return String(result)
    }

    private static func fullWidth(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x20: "\u{3000}"
        case 0x21...0x7E: Unicode.Scalar(scalar.value + 0xFEE0) ?? scalar
        default: scalar
        }
    }

    private static let kana = Dictionary(
        uniqueKeysWithValues: zip(
            "ぁぃぅぇぉゕゖっゃゅょゎァィゥェォヵヶッャュョヮ".unicodeScalars,
            "あいうえおかけつやゆよわアイウエオカケツヤユヨワ".unicodeScalars))
}
