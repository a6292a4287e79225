// Conversion of documents to styled text and back, and styled text as HTML, Markdown and plain text.

import FancyTextMarkup

extension StyledText {
    /// Creates styled text from the runs of a document. O(runs + text).
    init(_ contents: AttributedText, _ styled: StyledTree, _ styles: StyleTable) {
        self.init()
        let tree = styled.tree
        func names(_ node: NodeID) -> (tag: String?, id: String?, classes: String?) {
            guard tree.kind(node) == .element else { return (nil, nil, nil) }
            return (tree.name(node), tree.attribute(node, .id), tree.attribute(node, .classNames))
        }
        text = String(decoding: contents.text, as: UTF8.self)
        var walk = RunContextWalk(styled)
        for paragraph in contents.paragraphs {
            let (tag, id, classes) = names(paragraph.element)
            var surroundings = RunContext()
            surroundings.link = walk.surroundings(of: paragraph.element).link
            var style = MarkupStyle(styles[paragraph.style], surroundings)
            style.paragraphStyle = contents.attributes[paragraph.attributes]
            paragraphs.append(
                Paragraph(
                    range: paragraph.range, separatorLength: paragraph.separatorLength, style: style, tag: tag, id: id,
                    classes: classes, marker: paragraph.marker, listLevel: paragraph.listLevel, cell: paragraph.cell))
        }
        walk = RunContextWalk(styled)
        var previous: AttributedText.Run?
        for run in contents.runs {
            let (tag, id, classes) = names(run.element)
            var style = MarkupStyle(styles[run.style], walk.surroundings(of: run.element))
            style.paragraphStyle = paragraphs[run.paragraph].style.paragraphStyle
            let next = Run(range: run.range, style: style, tag: tag, id: id, classes: classes)
            // Adjacent runs without a difference are joined, except for markers and separators.
            if run.kind == .text, let before = previous, before.kind == .text, before.paragraph == run.paragraph,
                let last = runs.last, last.hasAttributes(of: next)
            {
                runs[runs.count - 1].range = last.range.lowerBound..<next.range.upperBound
            } else {
                runs.append(next)
            }
            previous = run
        }
    }
}

extension StyledText: Renderable {
    /// A document with the same contents and appearance, for edits, selectors and all outputs of documents. O(text).
    ///
    /// Its tree has the elements of the runs and paragraphs, with inline styles. ``html()`` is its source.
    public func document(_ parser: MarkupParser = MarkupParser()) -> Document {
        var document = parser.read(
            SourceBytes(htmlBytes(base: parser.plainStyle)), name: "styled text", encoding: "utf-8")
        document.hasSource = false
        return document
    }
}

extension MarkupParser {
    /// The attributes of text outside of all elements.
    var plainStyle: MarkupStyle {
        var document = parse("")
        return MarkupStyle(document.styled().rootStyle)
    }
}

extension Document {
    /// The document's text with the computed attributes of its runs, including list markers and table cells. O(n).
    ///
    /// - Parameter tables: How the cells of a row are separated; nil is the parser's setting, by default tabs.
    public mutating func styledText(tables: TableForm? = nil) -> StyledText {
        let contents = styledContents()
        let styled = styled()
        return StyledText(AttributedText(contents, styled, tables: tables ?? parser.tableForm), styled, contents.styles)
    }

    /// The text of some elements alone, each with its styles in the whole document. Elements that the document does not have are
    /// left out.
    public func styledText(of elements: [ElementHandle]) -> StyledText {
        var copy = self
        copy.keepOnly(nodes(of: elements))
        return copy.styledText()
    }
}

extension StyledText {
    /// The text as HTML with inline styles; rendering it gives the same text, runs and attributes.
    ///
    /// Elements have the tags, ids and classes of their runs, if such elements are allowed there; otherwise they are `span` and
    /// `div`. O(n).
    public func html() -> String { String(decoding: htmlBytes(base: MarkupParser().plainStyle), as: UTF8.self) }

    /// The text as CommonMark with tables and strikethrough. O(n).
    public func markdown() -> String {
        var document = document()
        return document.markdown()
    }

    /// The text that a person would read, with lists and tables formatted by `options`. O(n).
    public func plainText(_ options: PlainTextOptions = PlainTextOptions()) -> String { document().plainText(options) }
}
