// Quotation marks by language (HTML §15.3.4, CLDR's delimiters), for `quotes: auto` and `<q>`.

package enum Quotes {
    /// The marks to open and close a quotation, outer then inner.
    package static func pairs(forLanguage language: String) -> [String] {
        let tag = language.lowercased()
        if let exact = table[tag] { return exact }
        let primary = String(tag.prefix { $0 != "-" })
        return table[primary] ?? ["“", "”", "‘", "’"]
    }

    /// The mark of a quotation at nesting `level`; deep ones use the innermost pair (CSS Content 3 §3.2.2).
    package static func mark(level: Int, isOpen: Bool, in pairs: [String]) -> String {
        guard pairs.count >= 2 else { return "" }
        return pairs[min(level, pairs.count / 2 - 1) * 2 + (isOpen ? 0 : 1)]
    }

    private static let table: [String: [String]] = {
        let german = ["„", "“", "‚", "‘"]
        let guillemets = ["«", "»", "“", "”"]
        let corners = ["「", "」", "『", "』"]
        let low = ["„", "”", "‚", "’"]
        let nordic = ["”", "”", "’", "’"]
        var table: [String: [String]] = [
            "fr": ["«", "»", "«", "»"], "fr-ch": ["«", "»", "‹", "›"], "fr-ca": ["«", "»", "”", "“"],
            "nl": ["‘", "’", "‘", "’"], "ro": ["„", "”", "«", "»"],
            "de-ch": ["«", "»", "‹", "›"], "fa": ["«", "»", "‹", "›"],
            "it": ["«", "»", "“", "”"], "ru": ["«", "»", "„", "“"], "uk": ["«", "»", "„", "“"],
            "be": ["«", "»", "„", "“"], "hu": ["„", "”", "»", "«"], "da": ["“", "”", "‘", "’"],
            "he": ["”", "”", "’", "’"], "ar": ["”", "“", "’", "‘"], "zh": ["“", "”", "‘", "’"],
        ]
        for language in ["de", "cs", "sk", "sl", "bg", "lt", "is", "et", "ka", "hr"] { table[language] = german }
        for language in ["es", "pt-pt", "ca", "el", "hy", "eu", "gl"] { table[language] = guillemets }
        for language in ["no", "nb", "nn"] { table[language] = ["«", "»", "‘", "’"] }
        for language in ["ja", "zh-tw", "zh-hk", "zh-hant"] { table[language] = corners }
        for language in ["pl", "sr", "bs"] { table[language] = low }
        for language in ["sv", "fi"] { table[language] = nordic }
        return table
    }()
}
