// Styled text whose characters are HTML, as a text view holds a source with attributes of its own. The source is written again
// with a span around each piece of its text that has attributes, and parsed.

import FancyTextMarkup

extension MarkupParser {
    /// The text's characters read as HTML. Attributes of the text stay, on the characters that are no markup; inside of them the
    /// styles of elements apply. O(n).
    public func render(_ text: StyledText) -> StyledText {
        var document = document(ofMarkup: text)
        return document.styledText()
    }

    /// The text without tags, with the attributes that its characters had. O(n).
    public func strip(_ text: StyledText) -> StyledText {
        var result = StyledText()
        for piece in pieces(ofMarkup: text) { result.append(StyledText(piece.text, style: piece.style)) }
        return result
    }

    /// The elements that a selector matches in the text's characters, each rendered with the text's attributes.
    ///
    /// - Throws: ``SelectorError`` if the selector is invalid.
    public func select(in text: StyledText, matching selector: String) throws(SelectorError) -> [StyledText] {
        let document = document(ofMarkup: text)
        return try document.select(selector).map { document.styledText(of: [$0]) }
    }

    /// A part of one text node with one run's attributes.
    private struct Piece {
        var range: Range<Int>
        var text: String
        var style: MarkupStyle
    }

    private func pieces(ofMarkup text: StyledText) -> [Piece] {
        let tree = read(text.text).tree
        let source = Array(text.text.utf8)
        var result: [Piece] = []
        var runs = text.runs[...]
        for node in tree.subtree(tree.root) where tree.kind(node) == .text {
            let range = tree.sourceRange(node)
            while let run = runs.first, run.range.upperBound <= range.lowerBound { runs.removeFirst() }
            guard let mode = tree.textMode(node) else { continue }
            for run in runs.prefix(while: { $0.range.lowerBound < range.upperBound }) {
                let part = run.range.clamped(to: range)
                var decoded: [UInt8] = []
                source[part].withUnsafeBufferPointer { EntityDecoder.decode($0, mode: mode, into: &decoded) }
                result.append(Piece(range: part, text: String(decoding: decoded, as: UTF8.self), style: run.style))
            }
        }
        return result
    }

    private func document(ofMarkup text: StyledText) -> Document {
        let source = Array(text.text.utf8)
        var marked: [UInt8] = []
        var end = 0
        for piece in pieces(ofMarkup: text)
        where !piece.style.css.isEmpty && piece.text.contains(where: { !$0.isWhitespace }) {
            marked += source[end..<piece.range.lowerBound]
            marked +=
                Array("<span style=\"\(Notation.escaped(piece.style.css))\">".utf8) + source[piece.range]
                + Array("</span>".utf8)
            end = piece.range.upperBound
        }
        marked += source[end...]
        var document = read(SourceBytes(marked), name: "styled text", encoding: "utf-8")
        document.hasSource = false
        return document
    }
}
