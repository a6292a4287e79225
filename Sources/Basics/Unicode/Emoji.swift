// Characters that are shown as coloured pictures. In: a character. Out: whether it is one.

extension Character {
    /// True for an emoji that is a picture rather than a letter (UTS #51 §1.4.3).
    package var isEmoji: Bool {
        unicodeScalars.first?.properties.isEmojiPresentation == true || unicodeScalars.contains("\u{FE0F}")
    }
}
