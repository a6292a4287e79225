// Styled text as JSON: the text, its runs with every computed field, and its layout.
//
// In: a styled text, the styled tree it was made from, and optionally a layout. Out: one JSON value on one line.

import FancyTextBasics
import FancyTextBoxes
import FancyTextLayout
import FancyTextMarkup
import FancyTextPainting
import FancyTextStyling
import FancyTextTypography

/// The optional contents of a JSON rendering, in addition to text and runs.
public struct JSONContent: Hashable, Sendable {
    /// Lines, words and link boxes.
    public var hasLayout: Bool
    /// Glyph ids, clusters and positions; implies the layout.
    public var hasGlyphs: Bool
    /// The border box of each element, one for each line or column over which it is split; implies the layout.
    public var hasBoxes: Bool
    /// The unit of offsets.
    public var offsets: OffsetUnit

    /// Creates the content options; by default only text and runs are written.
    public init(
        hasLayout: Bool = false, hasGlyphs: Bool = false, hasBoxes: Bool = false, offsets: OffsetUnit = .scalar
    ) {
        self.hasLayout = hasLayout || hasBoxes
        self.hasGlyphs = hasGlyphs
        self.hasBoxes = hasBoxes
        self.offsets = offsets
    }
}

package struct JSONWriter {
    private let text: BoxTree
    /// The text that was laid out; a limit of lines truncated it where ``text`` has a tail.
    private let placed: BoxTree
    private let truncation: Truncation?
    private let attributed: AttributedText
    private let styled: StyledTree
    private var tree: MarkupTree { styled.tree }
    private let offsets: OffsetMap
    private let sourceOffsets: OffsetMap
    private let hasSource: Bool
    private var json = JSONBuffer(reserving: 4096)
    private var walk: RunContextWalk
    /// The `style` object of each style id in each context, written once.
    private var styles: [StyleKey: [UInt8]] = [:]

    private struct StyleKey: Hashable {
        var style: StyleID
        var block: ObjectIdentifier?
        var attributes: Int
        var backgroundColor: Color?
        var baselineOffset: Float
        var attachment: String?
    }

    private init(
        _ text: BoxTree, placed: BoxTree, _ truncation: Truncation?, styled: StyledTree, unit: OffsetUnit,
        hasSource: Bool
    ) {
        self.text = text
        self.placed = placed
        self.truncation = truncation
        self.hasSource = hasSource
        self.styled = styled
        attributed = AttributedText(text, styled)
        offsets = OffsetMap(attributed.text, unit: unit)
        sourceOffsets = OffsetMap(hasSource ? Array(styled.tree.source) : [], unit: unit)
        walk = RunContextWalk(styled)
    }

    /// Writes the text and its runs, and, if there is a `layout`, the parts of it that `content` selects.
    ///
    /// - Parameters:
    ///   - placed: The text that was laid out, if that is not `text`.
    ///   - hasSource: Whether there is a source, so that runs have positions in it.
    package static func write(
        _ text: BoxTree, placed: BoxTree? = nil, styled: StyledTree, layout: LayoutTree?, fonts: FontContext?,
        content: JSONContent, hasSource: Bool = true
    ) -> [UInt8] {
        var writer = JSONWriter(
            text, placed: placed ?? text, layout?.truncation, styled: styled, unit: content.offsets,
            hasSource: hasSource)
        writer.json.beginObject()
        writer.json.member("version", 1)
        if !text.title.isEmpty { writer.json.member("title", text.title) }
        if !text.language.isEmpty { writer.json.member("language", text.language) }
        writer.json.key("text")
        writer.json.string(writer.attributed.text)
        writer.writeRuns()
        if let layout, let fonts { writer.write(layout, fonts: fonts, content: content) }
        writer.json.endObject()
        writer.json.endLine()
        return writer.json.bytes
    }

    // MARK: Runs

    private mutating func writeRuns() {
        json.key("runs")
        json.beginArray()
        var index = 0
        while index < attributed.runs.count {
            let run = attributed.runs[index]
            var end = run.range.upperBound
            index += 1
            // A separator belongs to the run before it.
            if run.kind != .separator, index < attributed.runs.count, attributed.runs[index].kind == .separator,
                attributed.runs[index].paragraph == run.paragraph
            {
                end = attributed.runs[index].range.upperBound
                index += 1
            }
            write(run, end: end)
        }
        json.endArray()
    }

    private mutating func write(_ run: AttributedText.Run, end: Int) {
        let surroundings = walk.surroundings(of: run.element)
        let link = run.link < 0 ? nil : text.links[run.link].target
        let paragraph = attributed.paragraphs[run.paragraph]
        json.beginObject()
        json.member("start", offsets.convert(run.range.lowerBound))
        json.member("end", offsets.convert(end))
        json.key("style")
        writeStyle(run.style, surroundings, paragraph.attributes, link: link)
        if tree.kind(run.element) == .element {
            json.member("tag", tree.name(run.element))
            if let id = tree.attribute(run.element, .id) { json.member("id", id) }
            if let names = tree.attribute(run.element, .classNames) { json.member("class", names) }
            if let link { json.member("link", link) }
        }
        if run.kind == .marker {
            json.key("marker")
            json.bool(true)
        }
        if let cell = paragraph.cell { write(cell) }
        if hasSource, !run.source.isEmpty {
            json.key("source")
            json.beginObject()
            json.member("start", sourceOffsets.convert(run.source.lowerBound))
            json.member("end", sourceOffsets.convert(run.source.upperBound))
            json.endObject()
        }
        json.endObject()
    }

    private mutating func write(_ cell: ParagraphCell) {
        json.key("cell")
        json.beginObject()
        json.member("table", cell.table)
        json.member("row", cell.row)
        json.member("column", cell.column)
        if cell.rowSpan > 1 { json.member("rowSpan", cell.rowSpan) }
        if cell.columnSpan > 1 { json.member("columnSpan", cell.columnSpan) }
        if cell.isHeader {
            json.key("header")
            json.bool(true)
        }
        json.endObject()
    }

    /// The link is written last, because most runs differ only in it.
    private mutating func writeStyle(
        _ id: StyleID, _ surroundings: RunContext, _ attributes: Int, link: String?
    ) {
        var common = surroundings
        common.link = nil
        let key = StyleKey(
            style: id, block: surroundings.block.map { ObjectIdentifier($0) }, attributes: attributes,
            backgroundColor: surroundings.backgroundColor, baselineOffset: surroundings.baselineOffset,
            attachment: surroundings.attachment)
        let bytes: [UInt8]
        if let known = styles[key] {
            bytes = known
        } else {
            var buffer = JSONBuffer()
            let fields = MarkupStyleFields(text.styles[id], common, paragraph: attributed.attributes[attributes])
            Self.write(.object(fields.fields), to: &buffer)
            bytes = buffer.bytes
            styles[key] = bytes
        }
        // A link set by the style is among the fields already.
        if text.styles[id].text.link == nil, let link {
            json.raw(object: bytes, with: "link", link)
        } else {
            json.raw(bytes)
        }
    }

    static func write(_ value: FieldValue, to json: inout JSONBuffer) {
        switch value {
        case .string(let text): json.string(text)
        case .number(let number): json.number(number)
        case .bool(let flag): json.bool(flag)
        case .array(let values):
            json.beginArray()
            for value in values { write(value, to: &json) }
            json.endArray()
        case .object(let fields):
            json.beginObject()
            for field in fields {
                json.key(field.name)
                write(field.value, to: &json)
            }
            json.endObject()
        }
    }

    /// - Parameter range: bytes of the styled text.
    private mutating func writeRange(_ range: Range<Int>) {
        json.member("start", convert(range.lowerBound))
        json.member("end", convert(range.upperBound))
    }

    private func convert(_ offset: Int) -> Int { offsets.convert(attributed.offset(of: shownOffset(of: offset))) }

    /// Maps a byte of the laid-out text to the written text; text that was left out maps to the end of the tail.
    private func shownOffset(of offset: Int) -> Int {
        guard let truncation, offset > truncation.start else { return min(offset, text.text.count) }
        guard let resume = truncation.resume else { return text.text.count }
        let end = placed.boxes[truncation.box].text.upperBound
        return max(0, text.text.count - max(0, end - max(offset, resume)))
    }

    private mutating func write(_ rect: Rect) {
        json.member("x", rect.x)
        json.member("y", rect.y)
        json.member("width", rect.width)
        json.member("height", rect.height)
    }

    // MARK: Layout

    private mutating func writeWords(_ layout: LayoutTree, fonts: FontContext) {
        json.key("words")
        json.beginArray()
        let added = layout.addedText
        var end = truncation?.start ?? 0
        for word in layout.words(in: placed, fonts: fonts, hasTail: truncation != nil) {
            json.beginObject()
            let letters: ArraySlice<UInt8>
            if word.text.lowerBound < added.start || truncation == nil {
                letters = placed.text[word.text]
                writeRange(word.text)
            } else {
                // A word of the tail, which begins in the written text where text is left out.
                letters = added.bytes[word.text.lowerBound - added.start..<word.text.upperBound - added.start]
                let start = text.text[end...].firstRange(of: letters)?.lowerBound ?? end
                end = min(text.text.count, start + letters.count)
                json.member("start", offsets.convert(attributed.offset(of: start)))
                json.member("end", offsets.convert(attributed.offset(of: end)))
            }
            json.key("text")
            json.string(Array(letters))
            write(word.rect)
            json.member("font", word.font)
            json.member("size", word.size)
            json.endObject()
        }
        json.endArray()
    }

    private mutating func write(_ layout: LayoutTree, fonts: FontContext, content: JSONContent) {
        json.key("size")
        json.beginObject()
        json.member("width", layout.size.width)
        json.member("height", layout.size.height)
        json.endObject()
        json.key("lines")
        json.beginArray()
        for line in layout.lineBoxes {
            json.beginObject()
            writeRange(line.text)
            write(line.rect)
            json.member("baseline", line.baseline)
            json.endObject()
        }
        json.endArray()
        writeWords(layout, fonts: fonts)
        json.key("links")
        json.beginArray()
        for link in layout.links(in: placed) {
            json.beginObject()
            json.member("href", link.href)
            json.key("boxes")
            json.beginArray()
            for box in link.boxes {
                json.beginObject()
                write(box)
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
        json.endArray()
        json.key("truncated")
        if layout.isTruncated {
            json.beginObject()
            if let offset = layout.truncation?.start ?? layout.truncationOffset { json.member("at", convert(offset)) }
            if let tail = layout.tail {
                json.key("tail")
                json.beginObject()
                write(tail)
                json.endObject()
            }
            json.endObject()
        } else {
            json.bool(false)
        }
        if content.hasBoxes { writeBoxes(layout) }
        if content.hasGlyphs { writeGlyphs(layout, fonts: fonts) }
    }

    private mutating func writeBoxes(_ layout: LayoutTree) {
        json.key("boxes")
        json.beginArray()
        for box in layout.elementBoxes(in: placed) where tree.kind(box.element) == .element {
            json.beginObject()
            json.member("tag", tree.name(box.element))
            if let id = tree.attribute(box.element, .id) { json.member("id", id) }
            if let names = tree.attribute(box.element, .classNames) { json.member("class", names) }
            write(box.rect)
            json.endObject()
        }
        json.endArray()
    }

    private mutating func writeGlyphs(_ layout: LayoutTree, fonts: FontContext) {
        json.key("glyphs")
        json.beginArray()
        for run in layout.glyphRuns {
            json.beginObject()
            json.member("font", fonts.family(run.font))
            json.member("size", fonts.metrics(run.font).size)
            json.key("glyphs")
            json.beginArray()
            var x = run.origin.x
            for glyph in layout.glyphs[run.glyphs] {
                let place = Point(x: x + glyph.xOffset, y: run.origin.y - glyph.yOffset)
                let painted = run.transform?.apply(place) ?? place
                json.beginObject()
                json.member("id", Int(glyph.id))
                json.member("cluster", convert(run.clusterBase + Int(glyph.cluster)))
                json.member("x", painted.x)
                json.member("y", painted.y)
                json.member("advance", glyph.advance)
                json.endObject()
                x += glyph.advance
            }
            json.endArray()
            json.endObject()
        }
        json.endArray()
    }
}
