import Testing

@testable import FancyTextOutputs

/// One set of options for each kind of text.
func textModes(wrappedAt width: Int, _ tables: TextOptions.Tables) -> [TextOptions] {
    var footnotes = TextOptions()
    footnotes.links = .footnotes
    var wrapped = TextOptions()
    wrapped.width = width
    wrapped.tables = tables
    var speech = TextOptions()
    speech.isSpeech = true
    var lines = TextOptions()
    lines.tables = .none
    lines.links = .inline
    return [TextOptions(), footnotes, wrapped, speech, lines]
}

/// Whether text that was read off the tree is that of the boxes; if not, an issue shows where they part.
func isSameText(_ read: String, _ whole: String, of name: String, _ options: TextOptions) -> Bool {
    guard read != whole else { return true }
    let same = zip(read.unicodeScalars, whole.unicodeScalars).prefix { $0 == $1 }.count
    func around(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(max(0, same - 60)).prefix(160)))
            .debugDescription
    }
    Issue.record(
        """
        \(name.prefix(2500))
        links \(options.links), tables \(options.tables), width \(options.width ?? 0), speech \(options.isSpeech)
        tree:  \(around(read))
        boxes: \(around(whole))
        """)
    return false
}
