// Characters written as others, for formats that give them a meaning.
//
// In: text and a table of characters. Out: the text with their replacements.

extension StringProtocol {
    /// The text with other characters in place of those that have a replacement; nil keeps a character. O(n).
    package func escaped(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var result = ""
        for scalar in unicodeScalars {
            if let text = replacement(scalar) { result += text } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}
