// The attributed string of the library: text with runs of attributes, as a value of plain Swift.

import Boxes
import Styling

/// Text with runs of attributes: what a document says and how each part of it looks.
///
/// Offsets count UTF-8 bytes of ``text`` and lie between scalars.
public struct StyledText: Hashable, Sendable {
    /// A stretch of text with the same attributes.
    public struct Run: Hashable, Sendable {
        /// Bytes of the text.
        public var range: Range<Int>
        /// Computed: colours are set, lengths are in CSS pixels.
        public var style: MarkupStyle
        /// Of the element that the text lies in; nil for text outside of all.
        public var tag: String?
        /// The id attribute of that element.
        public var id: String?
        /// The class attribute.
        public var classes: String?

        /// A run of text that someone else holds.
        public init(
            range: Range<Int>, style: MarkupStyle, tag: String? = nil, id: String? = nil, classes: String? = nil
        ) {
            self.range = range
            self.style = style
            self.tag = tag
            self.id = id
            self.classes = classes
        }
    }

    /// The characters of all runs.
    public private(set) var text: String
    /// Ascending, without gaps, covering the text.
    public private(set) var runs: [Run]

    /// Text with the same attributes everywhere.
    public init(_ text: String = "", style: MarkupStyle = MarkupStyle()) {
        self.text = text
        runs = text.isEmpty ? [] : [Run(range: 0..<text.utf8.count, style: style)]
    }

    /// O(runs + text).
    init(_ contents: Boxes.StyledText, _ styled: StyledTree) {
        text = String(decoding: contents.text, as: UTF8.self)
        runs = []
        var walk = SurroundingsWalk(styled)
        let tree = styled.tree
        for run in contents.runs {
            let element = tree.kind(run.element) == .element ? run.element : nil
            let style = MarkupStyle(contents.styles[run.style], walk.surroundings(of: run.element))
            runs.append(
                Run(
                    range: run.range, style: style, tag: element.map { tree.name($0) },
                    id: element.flatMap { tree.attribute($0, .id) },
                    classes: element.flatMap { tree.attribute($0, .classNames) }))
        }
    }

    /// Whether there is no text.
    public var isEmpty: Bool { text.isEmpty }

    /// The text of one of the runs. O(1).
    public func text(of run: Run) -> Substring {
        let start = text.utf8.index(text.utf8.startIndex, offsetBy: run.range.lowerBound)
        return text[start..<text.utf8.index(start, offsetBy: run.range.count)]
    }

    /// A part of the text with its attributes; the range is cut to the text. O(part + log runs).
    public subscript(range: Range<Int>) -> StyledText {
        let range = range.clamped(to: 0..<text.utf8.count)
        var result = StyledText()
        let utf8 = text.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        result.text = String(decoding: utf8[start..<utf8.index(start, offsetBy: range.count)], as: UTF8.self)
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].range.upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
        }
        for run in runs[low...] {
            let part = run.range.clamped(to: range)
            if part.isEmpty { break }
            var run = run
            run.range = part.lowerBound - range.lowerBound..<part.upperBound - range.lowerBound
            result.runs.append(run)
        }
        return result
    }

    /// O(other).
    public mutating func append(_ other: StyledText) {
        let offset = text.utf8.count
        text += other.text
        for var run in other.runs {
            run.range = run.range.lowerBound + offset..<run.range.upperBound + offset
            runs.append(run)
        }
    }

    /// Two texts, one behind the other. O(first + second).
    public static func + (first: StyledText, second: StyledText) -> StyledText {
        var result = first
        result.append(second)
        return result
    }
}

extension Document {
    /// The document's text with the computed attributes of its runs.
    public mutating func styledText() -> StyledText {
        let contents = styledContents()
        return StyledText(contents, styled())
    }

    /// The text of some elements alone, each with the styles it has in the whole document. Elements that the document does not
    /// have are left out.
    public func styledText(of elements: [ElementHandle]) -> StyledText {
        var copy = self
        copy.keepOnly(nodes(of: elements))
        return copy.styledText()
    }
}
