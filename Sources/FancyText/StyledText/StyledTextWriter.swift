// Styled text as HTML with the same content and appearance. In: styled text, and the attributes of text outside of all
// elements. Out: a fragment of HTML: a block for each paragraph, an element for each run that differs from its block, and a
// table for table cells. Each element unsets the styles of its tag and declares all of its attributes, so the result does not
// depend on style sheets.

extension StyledText {
    /// - Parameter base: The attributes of text outside of all elements.
    func htmlBytes(base: MarkupStyle) -> [UInt8] {
        var writer = StyledTextWriter(text: self, base: base)
        return writer.write()
    }
}

struct StyledTextWriter {
    let text: StyledText
    let base: MarkupStyle
    var html = ""
    /// Declarations of `::marker`s, in the order of the style sheet.
    var markerRules: [String] = []
    var markerNumbers: [String: Int] = [:]
    /// The index of the first run that has not been written.
    var nextRun = 0
    var openCell: StyledText.Cell?
    /// The inherited style of blocks in the open cell.
    var cellStyle = MarkupStyle()
    /// The open lists, each with an open item.
    var lists: [OpenList] = []
    /// True if the last block had no element of its own.
    var endsBare = false

    struct OpenList {
        var isOrdered: Bool
        var level: Int
        /// The indent of the open item, from the edges of the text or the cell.
        var head: Float = 0
        var tail: Float = 0
        /// The inherited style of blocks in the open item.
        var style: MarkupStyle
        var itemEnd = ""
        /// The list's last paragraph; set only for the outermost list.
        var last: Int
    }

    struct Names: Hashable {
        var tag, id, classes: String?

        init(_ run: StyledText.Run) { (tag, id, classes) = (run.tag, run.id, run.classes) }
        init(_ paragraph: StyledText.Paragraph) {
            (tag, id, classes) = (paragraph.tag, paragraph.id, paragraph.classes)
        }
    }

    mutating func write() -> [UInt8] {
        for index in text.paragraphs.indices { writeParagraph(index) }
        closeLists { _ in true }
        closeTable(before: nil)
        var sheet = ""
        for (number, rule) in markerRules.enumerated() { sheet += "[data-marker=\"\(number)\"]::marker{\(rule)}" }
        // A style sheet's text ends at the first `</`.
        sheet = sheet.split(separator: "<", omittingEmptySubsequences: false).joined(separator: "\\3c ")
        return Array(((sheet.isEmpty ? "" : "<style>\(sheet)</style>") + html).utf8)
    }

    /// Closes open elements that do not contain `cell`.
    mutating func closeTable(before cell: StyledText.Cell?) {
        guard openCell != cell else { return }
        closeLists { _ in true }
        guard let open = openCell else { return }
        html += open.isHeader ? "</th>" : "</td>"
        (openCell, endsBare) = (nil, false)
        guard cell?.table != open.table || cell?.row != open.row else { return }
        html += "</tr>"
        if cell?.table != open.table { html += "</table>" }
    }

    mutating func open(_ cell: StyledText.Cell, at index: Int) {
        let previous = index > 0 ? text.paragraphs[index - 1].cell : nil
        if previous?.table != cell.table { html += "<table>" }
        if previous?.table != cell.table || previous?.row != cell.row { html += "<tr>" }
        // The cell gets the style of the text directly inside it.
        let parts = text.paragraphs[index...].prefix { $0.cell == cell }
        let own = parts.first { $0.tag == "td" || $0.tag == "th" }
        var spans = cell.columnSpan > 1 ? " colspan=\(cell.columnSpan)" : ""
        if cell.rowSpan > 1 { spans += " rowspan=\(cell.rowSpan)" }
        let style = (own ?? parts.first)?.style ?? base
        var plain = base
        // The default style makes headers bold and centred.
        (plain.font.weight, plain.paragraphStyle.alignment) = (nil, nil)
        var flat = style
        (flat.paragraphStyle.paragraphSpacing, flat.paragraphStyle.paragraphSpacingBefore) = (nil, nil)
        if own == nil {
            (flat.paragraphStyle.headIndent, flat.paragraphStyle.tailIndent) = (nil, nil)
            flat.paragraphStyle.firstLineHeadIndent = nil
        }
        let css = StyleDeclarations.block(flat, in: plain, keepsSpaces: own.map { keepsSpaces($0) } ?? false)
        open(cell.isHeader ? "th" : "td", own.map { Names($0) }, spans, css)
        (openCell, cellStyle, endsBare) = (cell, flat, false)
    }

    mutating func writeParagraph(_ index: Int) {
        let paragraph = text.paragraphs[index]
        var runs: [StyledText.Run] = []
        while nextRun < text.runs.count, text.runs[nextRun].range.lowerBound < paragraph.range.upperBound {
            runs.append(text.runs[nextRun])
            nextRun += 1
        }
        let (start, end) = (paragraph.contentStart, paragraph.contentEnd)
        let markers = runs.filter { $0.range.upperBound <= start }
        let content = runs.filter { $0.range.upperBound > start && $0.range.lowerBound < end }

        closeTable(before: paragraph.cell)
        if let cell = paragraph.cell, openCell == nil { open(cell, at: index) }
        let parent = openCell == nil ? base : cellStyle
        let keeps = keepsSpaces(paragraph)
        var style = paragraph.style
        if paragraph.marker == nil { style.paragraphStyle.listStyle = nil }

        let level = paragraph.listLevel
        closeLists { $0.level > level }
        let isCellText = paragraph.tag == "td" || paragraph.tag == "th"
        if markers.isEmpty, lists.isEmpty, !endsBare {
            let isPlain = StyleDeclarations.block(style, in: parent, keepsSpaces: keeps).isEmpty
            if paragraph.cell != nil && isCellText || paragraph.tag == nil && isPlain {
                write(content, in: style, names: Names(paragraph))
                endsBare = true
                return
            }
        }
        endsBare = false
        var own = false
        for (number, marker) in markers.enumerated() {
            let isLast = number == markers.count - 1
            let shown =
                isLast ? paragraph.marker : StyledText.Marker(length: 0, label: label(of: marker), isInside: false)
            own = isLast && Names(marker) == Names(paragraph)
            var item = style
            if !isLast { item.paragraphStyle.listStyle = shown?.label }
            // Items that begin with a nested item share its margins.
            if number > 0 { item.paragraphStyle.paragraphSpacingBefore = nil }
            // The item may continue, so the space below belongs to the block.
            if !own { item.paragraphStyle.paragraphSpacing = nil }
            beginItem(
                shown, of: marker, item, names: own ? Names(paragraph) : Names(marker), at: index,
                level: max(1, level - (markers.count - 1 - number)), in: parent, keeps: keeps)
        }
        if own { return write(content, in: style, names: Names(paragraph)) }
        if let outer = lists.first, outer.last == index { style.paragraphStyle.paragraphSpacing = nil }
        if !markers.isEmpty { style.paragraphStyle.paragraphSpacingBefore = nil }
        style.paragraphStyle.listStyle = nil
        let tag = blockTag(paragraph.tag)
        let css = StyleDeclarations.block(setOut(style), in: lists.last?.style ?? parent, keepsSpaces: keeps)
        open(tag, Names(paragraph), "", tag == "div" ? "" : "all:unset;display:block", css)
        write(content, in: style, names: Names(paragraph))
        html += "</\(tag)>"
    }

    /// Returns whether white space that collapses in HTML is significant in the paragraph.
    func keepsSpaces(_ paragraph: StyledText.Paragraph) -> Bool {
        let (start, end) = (paragraph.contentStart, paragraph.contentEnd)
        guard start < end else { return false }
        // Spaces vanish at the beginning and the end of lines and after each other.
        var previous: UInt8 = 0x0A
        for byte in text.text(in: start..<end).utf8 {
            switch byte {
            case 0x09, 0x0C, 0x0D: return true
            case 0x20: if previous == 0x20 || previous == 0x0A { return true }
            case 0x0A: if previous == 0x20 { return true }
            default: break
            }
            previous = byte
        }
        return previous == 0x20
    }
}
