// The library's attributed string: text with runs of attributes in paragraphs, as a plain Swift value. Its characters may be HTML, as a
// text view holds a source with attributes of its own: the source is written again with a span around each piece of its text that has
// attributes, and parsed.

import FancyTextMarkup

/// Text with runs of attributes in paragraphs: the contents of a document and their appearance.
///
/// A list item reads `1.⇥One`, and the cells of a table's row are on one line, separated as ``TableForm`` describes. Offsets
/// count UTF-8 bytes of ``text`` and are scalar boundaries.
///
///     var text = parser.render("<ol><li>One<li><b>Two</b></ol>")   // "1.\tOne\n2.\tTwo"
///     text.append(StyledText("\nThree", style: MarkupStyle(foregroundColor: .black)))
///     let png = try Renderer().png(text)
public struct StyledText: Hashable, Sendable {
    /// A range of text with the same attributes. It belongs to one paragraph, and a paragraph's separator is a separate run.
    public struct Run: Hashable, Sendable {
        /// The run's bytes of the text.
        public var range: Range<Int>
        /// The computed style: colours are set, lengths are in CSS pixels.
        public var style: MarkupStyle
        /// The name of the element that contains the text; nil for text outside of all elements.
        public var tag: String?
        /// The id attribute of that element.
        public var id: String?
        /// The class attribute.
        public var classes: String?

        /// Creates a run; its text is stored separately.
        public init(
            range: Range<Int>, style: MarkupStyle, tag: String? = nil, id: String? = nil, classes: String? = nil
        ) {
            (self.range, self.style, self.tag, self.id) = (range, style, tag, id)
            self.classes = classes
        }

        func hasAttributes(of other: Run) -> Bool {
            tag == other.tag && id == other.id && classes == other.classes && style == other.style
        }
    }

    /// A paragraph: one block's text, or one item's, or one cell's. A line feed inside it only breaks the line.
    public struct Paragraph: Hashable, Sendable {
        /// The paragraph's bytes of the text, including its separator.
        public var range: Range<Int>
        /// The number of bytes of the separator: 1 for a line feed, otherwise the tabs or spaces before the next cell; 0 at the
        /// end of the text.
        public var separatorLength: Int
        /// The style of the block, which its text inherits; indents are measured from the edge of the text or the cell.
        public var style: MarkupStyle
        /// The name of the block's element; nil for text outside of all elements.
        public var tag: String?
        /// The id attribute of that element.
        public var id: String?
        /// The class attribute.
        public var classes: String?
        /// The list marker that the paragraph begins with.
        public var marker: Marker?
        /// The number of list items that contain the paragraph: 0 outside of lists, 2 in a nested list.
        public var listLevel = 0
        /// The table cell that contains the paragraph.
        public var cell: Cell?

        var contentStart: Int { range.lowerBound + (marker?.length ?? 0) }
        var contentEnd: Int { range.upperBound - separatorLength }
    }

    public typealias Marker = ParagraphMarker
    public typealias Cell = ParagraphCell

    /// The characters of all runs.
    public internal(set) var text: String
    /// The runs in ascending order; they cover the text without gaps.
    public internal(set) var runs: [Run] = []
    /// The paragraphs, in the same form. Empty cells have paragraphs without text.
    public internal(set) var paragraphs: [Paragraph] = []

    /// Creates text with the same attributes everywhere; each line feed ends a paragraph. O(text).
    public init(_ text: String = "", style: MarkupStyle = MarkupStyle()) {
        self.text = text
        var start = 0
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let end = start + line.count
            let separator = index + 1 < lines.count ? 1 : 0
            if end > start { runs.append(Run(range: start..<end, style: style)) }
            if separator > 0 { runs.append(Run(range: end..<end + 1, style: style)) }
            if end + separator > start {
                paragraphs.append(Paragraph(range: start..<end + separator, separatorLength: separator, style: style))
            }
            start = end + separator
        }
    }

    /// A Boolean value that indicates whether there is no text.
    public var isEmpty: Bool { text.isEmpty }

    /// The text of one of the runs. O(1).
    public func text(of run: Run) -> Substring { text(in: run.range) }

    func text(in range: Range<Int>) -> Substring {
        let start = text.utf8.index(text.utf8.startIndex, offsetBy: range.lowerBound)
        return text[start..<text.utf8.index(start, offsetBy: range.count)]
    }

    /// A part of the text with its attributes; the range is clamped to the text. O(part + log runs).
    ///
    /// If only part of a paragraph's marker is in the range, that part becomes ordinary text.
    public subscript(range: Range<Int>) -> StyledText {
        let range = range.clamped(to: 0..<text.utf8.count)
        var result = StyledText()
        guard !range.isEmpty else { return result }
        result.text = String(text(in: range))
        for var run in runs[runs.partitioningIndex { $0.range.upperBound > range.lowerBound }...] {
            let part = run.range.clamped(to: range)
            if part.isEmpty { break }
            run.range = part.shifted(by: -range.lowerBound)
            result.runs.append(run)
        }
        for var paragraph in paragraphs[paragraphs.partitioningIndex { $0.range.upperBound > range.lowerBound }...] {
            // An empty cell at the end belongs to the part before it.
            if paragraph.range.lowerBound >= range.upperBound, paragraph.range != range.upperBound..<range.upperBound {
                break
            }
            let part = paragraph.range.clamped(to: range)
            let isCut = part.lowerBound > paragraph.range.lowerBound || part.count < paragraph.marker?.length ?? 0
            if isCut { paragraph.marker = nil }
            paragraph.separatorLength = max(
                0, paragraph.separatorLength - (paragraph.range.upperBound - part.upperBound))
            paragraph.range = part.shifted(by: -range.lowerBound)
            result.paragraphs.append(paragraph)
        }
        return result
    }

    /// Appends text; if this one does not end with a separator, its last paragraph continues. O(other), and O(both) if the other
    /// one has tables.
    public mutating func append(_ other: StyledText) {
        let offset = text.utf8.count
        text += other.text
        var paragraphs = other.paragraphs[...]
        let continues = self.paragraphs.last.map { $0.separatorLength == 0 } ?? false
        if continues, let next = paragraphs.popFirst(), let last = self.paragraphs.indices.last {
            self.paragraphs[last].range = self.paragraphs[last].range.lowerBound..<offset + next.range.upperBound
            self.paragraphs[last].separatorLength = next.separatorLength
        }
        let shift = tableShift(for: other)
        for var paragraph in paragraphs {
            paragraph.range = paragraph.range.shifted(by: offset)
            paragraph.cell?.table += shift
            self.paragraphs.append(paragraph)
        }
        for var run in other.runs {
            run.range = run.range.shifted(by: offset)
            if continues, run.range.lowerBound == offset, let last = runs.last, last.hasAttributes(of: run),
                !isSeparator(run)
            {
                runs[runs.count - 1].range = last.range.lowerBound..<run.range.upperBound
            } else {
                runs.append(run)
            }
        }
    }

    /// The offset that makes the numbers of another text's tables follow this one's. A table that was cut in two continues.
    private func tableShift(for other: StyledText) -> Int {
        guard let first = other.paragraphs.lazy.compactMap({ $0.cell?.table }).min() else { return 0 }
        if let end = paragraphs.last?.cell, let start = other.paragraphs.first?.cell, end.table == start.table,
            (end.row, end.column) <= (start.row, start.column)
        {
            return end.table - first
        }
        return (paragraphs.lazy.compactMap { $0.cell?.table }.max() ?? -1) + 1 - first
    }

    func isSeparator(_ run: Run) -> Bool {
        let index = paragraphs.partitioningIndex { $0.range.upperBound >= run.range.upperBound }
        guard paragraphs.indices.contains(index) else { return false }
        let paragraph = paragraphs[index]
        return run.range == paragraph.contentEnd..<paragraph.range.upperBound
    }

    /// Appends text as separate paragraphs. O(other).
    public mutating func appendParagraph(_ other: StyledText) {
        if let last = paragraphs.indices.last, paragraphs[last].separatorLength == 0 {
            let end = text.utf8.count
            var separator = runs.last ?? Run(range: end..<end, style: paragraphs[last].style)
            separator.range = end..<end + 1
            runs.append(separator)
            text += "\n"
            paragraphs[last].range = paragraphs[last].range.lowerBound..<end + 1
            paragraphs[last].separatorLength = 1
        }
        append(other)
    }

    /// Concatenates two texts. O(first + second).
    public static func + (first: StyledText, second: StyledText) -> StyledText {
        var result = first
        result.append(second)
        return result
    }
}

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

    /// The parts of text nodes with one run's attributes each.
    private func pieces(ofMarkup text: StyledText) -> [(range: Range<Int>, text: String, style: MarkupStyle)] {
        let tree = read(text.text).tree
        let source = Array(text.text.utf8)
        var result: [(range: Range<Int>, text: String, style: MarkupStyle)] = []
        var runs = text.runs[...]
        for node in tree.subtree(tree.root) where tree.kind(node) == .text {
            let range = tree.sourceRange(node)
            while let run = runs.first, run.range.upperBound <= range.lowerBound { runs.removeFirst() }
            guard let mode = tree.textMode(node) else { continue }
            for run in runs.prefix(while: { $0.range.lowerBound < range.upperBound }) {
                let part = run.range.clamped(to: range)
                var decoded: [UInt8] = []
                source[part].withUnsafeBufferPointer { EntityDecoder.decode($0, mode: mode, into: &decoded) }
                result.append((part, String(decoding: decoded, as: UTF8.self), run.style))
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
