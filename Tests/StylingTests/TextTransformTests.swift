// `text-transform` beyond the mapping of single letters.

import Testing

@testable import FancyTextBoxes

@testable import FancyTextCSS

@Suite struct TextTransformTests {
    @Test(arguments: [
        ("ΌΣΟΣ ΣΑΣ", "όσος σας"), ("ΑΣ’ ΣΤΟ", "ας’ στο"), ("Σ", "σ"), ("ΑΣ.ΑΣ", "ασ.ας"), ("1Σ", "1σ"),
        ("ΑΣ\u{301}", "ας\u{301}"),
    ])
    func capitalSigmasEndWordsInTheirFinalForm(text: String, lower: String) {
        var style = TextStyle()
        style.transform = .lowercase
        #expect(TextTransform.apply(style, to: text, startsWord: true, language: "") == lower)
    }

    @Test(arguments: [("tr", "İ"), ("tr-TR", "İ"), ("AZ_Latn", "İ"), ("trv", "I"), ("", "I")])
    func turkishLetters(language: String, upper: String) {
        var style = TextStyle()
        style.transform = .uppercase
        #expect(TextTransform.apply(style, to: "i", startsWord: true, language: language) == upper)
    }
}
