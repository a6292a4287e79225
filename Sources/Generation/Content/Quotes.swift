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

    /// The four marks of languages with others than the usual ones.
    private static let table: [String: [String]] = Dictionary(
        uniqueKeysWithValues: [
            ("„“‚‘", "de cs sk sl bg lt is et ka hr"), ("«»“”", "es pt-pt ca el hy eu gl it"), ("«»‘’", "no nb nn"),
            ("「」『』", "ja zh-tw zh-hk zh-hant"), ("„”‚’", "pl sr bs"), ("””’’", "sv fi he"), ("«»„“", "ru uk be"),
            ("«»‹›", "fr-ch de-ch fa"), ("«»«»", "fr"), ("«»”“", "fr-ca"), ("‘’‘’", "nl"), ("„”«»", "ro"),
            ("„”»«", "hu"), ("”“’‘", "ar"),
        ].flatMap { marks, languages in languages.split(separator: " ").map { (String($0), marks.map(String.init)) } })
}
