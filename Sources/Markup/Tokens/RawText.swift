// The elements whose contents are text up to their end tag, whatever it looks like (HTML §13.2.5.2 to §13.2.5.5).

extension TagID {
    /// The decoding of contents that are not markup.
    package enum RawText { case none, raw, decoded }

    /// The syntax of the element's contents: markup (`none`), literal text, or text with character references.
    @inline(__always)
    package var rawText: RawText {
        switch self {
        case .title, .textarea: .decoded
        case .script, .style, .xmp, .iframe, .noembed, .noframes, .plaintext: .raw
        default: .none
        }
    }
}
