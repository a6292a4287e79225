// Styled text as JSON: the text, its runs with every computed field, and its layout. In: a styled text, the styled tree it was
// made from, and optionally a layout. Out: one JSON value on one line.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextGeneration
import FancyTextLayout
import FancyTextMarkup
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
        (self.hasGlyphs, self.hasBoxes, self.offsets) = (hasGlyphs, hasBoxes, offsets)
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
    private let offsets, sourceOffsets: OffsetMap
    private let hasSource: Bool
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
        (self.text, self.placed, self.truncation, self.hasSource) = (text, placed, truncation, hasSource)
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
    ///   - meter: Counts the bytes of runs with long fields. Once it is spent, the result is incomplete.
    package static func write(
        _ text: BoxTree, placed: BoxTree? = nil, styled: StyledTree, layout: LayoutTree?, fonts: FontContext?,
        content: JSONContent, hasSource: Bool = true, meter: BudgetMeter
    ) -> [UInt8] {
        var writer = JSONWriter(
            text, placed: placed ?? text, layout?.truncation, styled: styled, unit: content.offsets,
            hasSource: hasSource)
        return JSONBuffer.record { json in
            json.member("version", 1)
            if !text.title.isEmpty { json.member("title", text.title) }
            if !text.language.isEmpty { json.member("language", text.language) }
            json.member("text", writer.attributed.text)
            writer.writeRuns(meter, to: &json)
            if let layout, let fonts { writer.write(layout, fonts: fonts, content: content, to: &json) }
        }
    }

    /// The most bytes of a run that cost nothing.
    private static let shortRun = 4096

    private mutating func writeRuns(_ meter: BudgetMeter, to json: inout JSONBuffer) {
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
            let start = json.bytes.count
            json.object { write(run, end: end, to: &$0) }
            // Names of classes and fonts are written again with each run.
            let size = json.bytes.count - start
            guard size > Self.shortRun else { continue }
            if !meter.spend(size, of: .generatedText, besides: 4 * styled.tree.source.count) { break }
        }
        json.endArray()
    }

    private mutating func write(_ run: AttributedText.Run, end: Int, to json: inout JSONBuffer) {
        let surroundings = walk.surroundings(of: run.element)
        let link = run.link < 0 ? nil : text.links[run.link].target
        let paragraph = attributed.paragraphs[run.paragraph]
        json.member("start", offsets.convert(run.range.lowerBound))
        json.member("end", offsets.convert(end))
        json.key("style")
        writeStyle(run.style, surroundings, paragraph.attributes, link: link, to: &json)
        if tree.kind(run.element) == .element {
            json.names("tag", of: run.element, in: tree)
            if let link { json.member("link", link) }
        }
        if run.kind == .marker { json.member("marker", true) }
        if let cell = paragraph.cell {
            json.object("cell") { json in
                json.member("table", cell.table)
                json.member("row", cell.row)
                json.member("column", cell.column)
                if cell.rowSpan > 1 { json.member("rowSpan", cell.rowSpan) }
                if cell.columnSpan > 1 { json.member("columnSpan", cell.columnSpan) }
                if cell.isHeader { json.member("header", true) }
            }
        }
        if hasSource, !run.source.isEmpty {
            let start = sourceOffsets.convert(run.source.lowerBound)
            json.range("source", start..<sourceOffsets.convert(run.source.upperBound))
        }
    }

    /// The link is written last, because most runs differ only in it.
    private mutating func writeStyle(
        _ id: StyleID, _ surroundings: RunContext, _ attributes: Int, link: String?, to json: inout JSONBuffer
    ) {
        var common = surroundings
        common.link = nil
        let key = StyleKey(
            style: id, block: surroundings.block.map { ObjectIdentifier($0) }, attributes: attributes,
            backgroundColor: surroundings.backgroundColor, baselineOffset: surroundings.baselineOffset,
            attachment: surroundings.attachment)
        var bytes = styles[key] ?? []
        if bytes.isEmpty {
            let fields = MarkupStyleFields(text.styles[id], common, paragraph: attributed.attributes[attributes])
            bytes = JSONValue.object(fields.fields).json()
            styles[key] = bytes
        }
        // A link set by the style is among the fields already.
        if text.styles[id].text.link == nil, let link {
            json.raw(object: bytes, with: "link", link)
        } else {
            json.raw(bytes)
        }
    }

    private func write(_ range: Range<Int>, to json: inout JSONBuffer) {
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

    private func write(_ layout: LayoutTree, fonts: FontContext, content: JSONContent, to json: inout JSONBuffer) {
        json.size(layout.size)
        json.objects("lines", layout.lineBoxes) { json, line in
            write(line.text, to: &json)
            json.rect(line.rect)
            json.member("baseline", line.baseline)
        }
        writeWords(layout, fonts: fonts, to: &json)
        json.objects("links", layout.links(in: placed)) { json, link in
            json.member("href", link.href)
            json.objects("boxes", link.boxes) { $0.rect($1) }
        }
        if layout.isTruncated {
            json.object("truncated") { json in
                if let offset = layout.truncation?.start ?? layout.truncationOffset {
                    json.member("at", convert(offset))
                }
                if let tail = layout.tail { json.object("tail") { $0.rect(tail) } }
            }
        } else {
            json.member("truncated", false)
        }
        if content.hasBoxes {
            let boxes = layout.elementBoxes(in: placed).filter { tree.kind($0.element) == .element }
            json.objects("boxes", boxes) { json, box in
                json.names("tag", of: box.element, in: tree)
                json.rect(box.rect)
            }
        }
        if content.hasGlyphs { writeGlyphs(layout, fonts: fonts, to: &json) }
    }

    private func writeWords(_ layout: LayoutTree, fonts: FontContext, to json: inout JSONBuffer) {
        let added = layout.addedText
        var end = truncation?.start ?? 0
        json.objects("words", layout.words(in: placed, fonts: fonts, hasTail: truncation != nil)) { json, word in
            let letters: ArraySlice<UInt8>
            if word.text.lowerBound < added.start || truncation == nil {
                letters = placed.text[word.text]
                write(word.text, to: &json)
            } else {
                // A word of the tail, which begins in the written text where text is left out.
                letters = added.bytes[word.text.shifted(by: -added.start)]
                let start = text.text[end...].firstRange(of: letters)?.lowerBound ?? end
                end = min(text.text.count, start + letters.count)
                json.member("start", offsets.convert(attributed.offset(of: start)))
                json.member("end", offsets.convert(attributed.offset(of: end)))
            }
            json.member("text", letters)
            json.rect(word.rect)
            json.member("font", word.font)
            json.member("size", word.size)
        }
    }

    private func writeGlyphs(_ layout: LayoutTree, fonts: FontContext, to json: inout JSONBuffer) {
        json.objects("glyphs", layout.glyphRuns) { json, run in
            json.member("font", fonts.family(run.font))
            json.member("size", fonts.metrics(run.font).size)
            var x = run.origin.x
            json.objects("glyphs", layout.glyphs[run.glyphs]) { json, glyph in
                let place = Point(x: x + glyph.xOffset, y: run.origin.y - glyph.yOffset)
                let painted = run.transform?.apply(place) ?? place
                json.member("id", Int(glyph.id))
                json.member("cluster", convert(run.clusterBase + Int(glyph.cluster)))
                json.member("x", painted.x)
                json.member("y", painted.y)
                json.member("advance", glyph.advance)
                x += glyph.advance
            }
        }
    }
}

extension JSONBuffer {
    /// Writes an element's name as member `member`, its id and its classes.
    mutating func names(_ member: StaticString, of element: NodeID, in tree: MarkupTree) {
        self.member(member, tree.name(element))
        if let id = tree.attribute(element, .id) { self.member("id", id) }
        if let names = tree.attribute(element, .classNames) { self.member("class", names) }
    }
}
