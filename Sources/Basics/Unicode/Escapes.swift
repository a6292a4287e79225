// Text with other characters for those that have a meaning in a format, and without some characters at its ends.

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

extension BidirectionalCollection {
    /// The elements without those at both ends that satisfy a predicate. O(removed elements).
    package func trimmed(_ isRemoved: (Element) -> Bool) -> SubSequence {
        var rest = drop(while: isRemoved)
        while let last = rest.last, isRemoved(last) { rest.removeLast() }
        return rest
    }
}

extension Unicode.Scalar {
    /// The reference for a character that is markup in HTML and XML, in contents or in attributes; nil for others.
    package var markupReference: String? {
        switch self {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        default: nil
        }
    }
}
