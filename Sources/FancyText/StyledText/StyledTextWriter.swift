// Styled text as HTML with the same content and appearance. In: styled text, and the attributes of text outside of all
// elements. Out: a fragment of HTML: a block for each paragraph, an element for each run that differs from its block, and a
// table for table cells. Each element unsets the styles of its tag and declares all of its attributes, so the result does not
// depend on style sheets.

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

    /// - Parameter base: The attributes of text outside of all elements.
    static func html(of text: StyledText, base: MarkupStyle) -> [UInt8] {
        var writer = StyledTextWriter(text: text, base: base)
        for index in text.paragraphs.indices { writer.writeParagraph(index) }
        writer.closeLists { _ in true }
        writer.closeTable(before: nil)
        var sheet = writer.markerRules.enumerated().map { "[data-marker=\"\($0)\"]::marker{\($1)}" }.joined()
        // A style sheet's text ends at the first `</`.
        sheet = sheet.split(separator: "<", omittingEmptySubsequences: false).joined(separator: "\\3c ")
        return Array(((sheet.isEmpty ? "" : "<style>\(sheet)</style>") + writer.html).utf8)
    }

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
        let runs = text.runs[nextRun...].prefix { $0.range.lowerBound < paragraph.range.upperBound }
        nextRun = runs.endIndex
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

    // MARK: Lists

    /// Ends lists, starting with the innermost, while they satisfy a predicate.
    mutating func closeLists(while fits: (OpenList) -> Bool) {
        while let list = lists.last, fits(list) {
            html += list.itemEnd + (list.isOrdered ? "</ol>" : "</ul>")
            lists.removeLast()
        }
    }

    /// Begins an item with a marker in a list of its level.
    mutating func beginItem(
        _ marker: StyledText.Marker?, of run: StyledText.Run, _ style: MarkupStyle, names: Names, at index: Int,
        level: Int, in parent: MarkupStyle, keeps: Bool
    ) {
        let known = lists.first { $0.level == level }?.isOrdered
        let isOrdered =
            run.range.upperBound < text.paragraphs[index].contentStart ? known ?? false : marker?.number != nil
        closeLists { $0.level > level || $0.level == level && $0.isOrdered != isOrdered }
        var style = style
        if let list = lists.last, list.level == level {
            html += list.itemEnd
        } else {
            var margins = MarkupStyle()
            var last = index
            if lists.isEmpty {
                last = end(ofList: index, level: level, isOrdered: isOrdered)
                margins.paragraphStyle.paragraphSpacingBefore = style.paragraphStyle.paragraphSpacingBefore
                margins.paragraphStyle.paragraphSpacing = text.paragraphs[last].style.paragraphStyle.paragraphSpacing
                // Margins at the ends of the outermost list belong to the list.
                style.paragraphStyle.paragraphSpacingBefore = nil
            }
            open(isOrdered ? "ol" : "ul", nil, "", "all:unset;display:block", margins.css)
            last = lists.first?.last ?? last
            lists.append(OpenList(isOrdered: isOrdered, level: level, style: parent, last: last))
        }
        if lists[0].last == index { style.paragraphStyle.paragraphSpacing = nil }
        var list = lists.removeLast()
        list.style = setOut(style)
        let around = lists.last?.style ?? parent
        list.itemEnd = openItem(marker, run: run, style: list.style, names: names, in: around, keeps: keeps)
        (list.head, list.tail) = (style.paragraphStyle.headIndent ?? 0, style.paragraphStyle.tailIndent ?? 0)
        lists.append(list)
    }

    /// The last paragraph of an outermost list that begins here.
    func end(ofList index: Int, level: Int, isOrdered: Bool) -> Int {
        let (first, rest) = (text.paragraphs[index], text.paragraphs[(index + 1)...])
        return index
            + rest.prefix { next in
                let isSameList = next.marker.map { ($0.number != nil) == isOrdered } ?? true
                return next.cell == first.cell && (next.listLevel == level ? isSameList : next.listLevel > level)
            }.count
    }

    /// Makes a style relative to an open item, which is indented.
    func setOut(_ style: MarkupStyle) -> MarkupStyle {
        guard let list = lists.last, list.head != 0 || list.tail != 0 else { return style }
        var result = style
        let head = (style.paragraphStyle.headIndent ?? 0) - list.head
        let tail = (style.paragraphStyle.tailIndent ?? 0) - list.tail
        result.paragraphStyle.headIndent = head == 0 ? nil : head
        result.paragraphStyle.tailIndent = tail == 0 ? nil : tail
        result.paragraphStyle.firstLineHeadIndent = style.paragraphStyle.firstLineHeadIndent.map { $0 - list.head }
        return result
    }

    func label(of run: StyledText.Run) -> String {
        let shown = text.text(of: run)
        return shown.hasSuffix("\t") ? shown.dropLast() + " " : String(shown)
    }

    /// Begins a list item and returns its end.
    mutating func openItem(
        _ marker: StyledText.Marker?, run: StyledText.Run, style: MarkupStyle, names: Names, in parent: MarkupStyle,
        keeps: Bool
    ) -> String {
        let tag = blockTag(names.tag)
        var attributes = ""
        let declarations = StyleDeclarations.block(style, in: parent, keepsSpaces: keeps)
        var css = ["all:unset;display:list-item", declarations].filter { !$0.isEmpty }.joined(separator: ";")
        var rule = ""
        if let marker {
            let name = style.paragraphStyle.listStyle ?? marker.label
            var list = MarkupStyle()
            list.paragraphStyle.listStyle = name
            css += ";" + list.css
            if marker.isInside { css += ";list-style-position:inside" }
            let counted = CounterStyles.predefined.marker(marker.number ?? 0, style: name)
            if name != marker.label, counted != marker.label { rule = "content:" + CSSWriter.quoted(marker.label) }
            if let number = marker.number {
                if tag == "li" { attributes += " value=\(number)" } else { css += ";counter-set:list-item \(number)" }
            }
        }
        let markerCSS = markerDeclarations(run.style, in: style)
        if !markerCSS.isEmpty { rule += (rule.isEmpty ? "" : ";") + markerCSS }
        if !rule.isEmpty {
            let number = markerNumbers[rule] ?? markerRules.count
            if number == markerRules.count {
                markerRules.append(rule)
                markerNumbers[rule] = number
            }
            attributes += " data-marker=\"\(number)\""
        }
        open(tag, names, attributes, css)
        return "</\(tag)>"
    }

    /// The declarations of a marker's style that differ from the default, which has tabular figures and no transform.
    func markerDeclarations(_ marker: MarkupStyle, in item: MarkupStyle) -> String {
        var (marker, usual) = (marker, item)
        // The default style of markers already has these figures.
        if let features = marker.font.features, features.first == feature("tnum") {
            marker.font.features = features.count > 1 ? Array(features.dropFirst()) : nil
        }
        usual.textTransform = nil
        usual.backgroundColor = marker.backgroundColor
        marker.link = item.link
        return StyleDeclarations.inline(marker, in: usual)
    }

    // MARK: Runs

    /// Writes runs into an element with a style; the runs of one link share one `a`.
    mutating func write(_ runs: [StyledText.Run], in style: MarkupStyle, names: Names) {
        var index = 0
        while index < runs.count {
            let run = runs[index]
            guard let link = run.style.link, link != style.link else {
                write(run, in: style, names: names, isInLink: false)
                index += 1
                continue
            }
            var end = index
            var lead: StyledText.Run?
            while end < runs.count, runs[end].style.link == link, haveOneLine(runs[end].style, run.style) {
                if runs[end].tag == "a" {
                    if let lead, Names(lead) != Names(runs[end]) { break }
                    lead = lead ?? runs[end]
                }
                end += 1
            }
            var inner = style
            inner.link = link
            if let lead { inner = lead.style }
            // The link comes from the element, not from the style.
            var outer = style
            outer.link = link
            let css = "all:unset;" + StyleDeclarations.inline(inner, in: outer)
            open("a", lead.map { Names($0) }, attribute("href", link), css)
            for run in runs[index..<end] { write(run, in: inner, names: lead.map { Names($0) }, isInLink: true) }
            html += "</a>"
            index = end
        }
    }

    func haveOneLine(_ first: MarkupStyle, _ second: MarkupStyle) -> Bool {
        first.underlineStyle == second.underlineStyle && first.underlineColor == second.underlineColor
            && first.strikethroughStyle == second.strikethroughStyle
            && first.strikethroughColor == second.strikethroughColor
            && first.backgroundColor == second.backgroundColor && first.baselineOffset == second.baselineOffset
    }

    mutating func write(_ run: StyledText.Run, in style: MarkupStyle, names: Names?, isInLink: Bool) {
        if let attachment = run.style.attachment, text.text(of: run) == "\u{FFFC}" {
            return writePicture(run, attachment, in: style)
        }
        let css = StyleDeclarations.inline(run.style, in: style)
        if css.isEmpty, names == Names(run) || run.tag == nil { return html += escaped(text.text(of: run)) }
        let tag = inlineTag(run.tag, inBlock: names?.tag, isInLink: isInLink)
        // The quotation marks of a quote are in the text.
        let quotes = tag == "q" ? "quotes:none" : ""
        open(tag, tag == run.tag ? Names(run) : nil, "", tag == "span" ? "" : "all:unset", css, quotes)
        html += "\(escaped(text.text(of: run)))</\(tag)>"
    }

    mutating func writePicture(_ run: StyledText.Run, _ source: String, in style: MarkupStyle) {
        let isLambda = run.tag == "lambda"
        var names = Names(run)
        if isLambda { names.id = source }
        var css = MarkupStyle()
        (css.attachmentWidth, css.attachmentHeight) = (run.style.attachmentWidth, run.style.attachmentHeight)
        let address = isLambda ? "" : attribute("src", source)
        open(isLambda ? "lambda" : "img", names, address, css.css, StyleDeclarations.inline(run.style, in: style))
        if isLambda { html += "</lambda>" }
    }

    /// Writes a start tag with attributes, and with declarations, of which some may be empty.
    mutating func open(_ tag: String, _ names: Names?, _ attributes: String, _ declarations: String...) {
        let css = declarations.filter { !$0.isEmpty }.joined(separator: ";")
        html += "<\(tag)\(attribute("id", names?.id))\(attribute("class", names?.classes))\(attributes)"
        html += attribute("style", css.isEmpty ? nil : css) + ">"
    }

    func attribute(_ name: String, _ value: String?) -> String {
        value.map { " \(name)=\"\(escaped($0[...], isAttribute: true))\"" } ?? ""
    }

    private func escaped(_ text: Substring, isAttribute: Bool = false) -> String {
        text.escaped { scalar in
            switch scalar {
            case "\"" where !isAttribute: nil
            case "\n": isAttribute ? "&#10;" : "<br>"
            case "\r": "&#13;"
            // An inline box whose contents follow, or a picture without a name.
            case "\u{FFFC}": isAttribute ? nil : ""
            default: scalar.markupReference
            }
        }
    }

    func blockTag(_ tag: String?) -> String {
        guard let tag, !Self.bound.contains(tag), Self.isName(tag) else { return "div" }
        return tag
    }

    func inlineTag(_ tag: String?, inBlock block: String?, isInLink: Bool) -> String {
        guard let tag, !Self.bound.contains(tag), Self.isName(tag), !(isInLink && tag == "a"),
            tag != "li", !(block == "p" && Self.endsParagraphs.contains(tag))
        else { return "span" }
        return tag
    }

    /// Returns whether a name can be written as a tag with the same meaning.
    static func isName(_ tag: String) -> Bool {
        guard let first = tag.utf8.first, first.isASCIILetter, first.asciiLowercased == first else { return false }
        return tag.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0.isASCIIDigit || $0 == 0x2D || $0 == 0x5F }
    }

    /// Elements that are valid only in certain places, contain no text, or hide or move it.
    static let bound: Set<String> = [
        "html", "head", "body", "frameset", "frame", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption",
        "colgroup", "col", "select", "option", "optgroup", "datalist", "script", "style", "template", "title",
        "textarea", "iframe", "noscript", "noembed", "noframes", "plaintext", "xmp", "svg", "math", "img", "image",
        "br", "hr", "wbr", "input", "embed", "area", "base", "link", "meta", "param", "source", "track", "keygen",
        "object", "applet", "marquee", "button", "details", "summary", "fieldset", "legend", "rt", "rp", "rb", "rtc",
        "ruby", "dialog", "lambda", "video", "audio", "canvas", "form", "nobr",
    ]

    /// Elements whose start tag ends an open paragraph (HTML §13.2.6.4.7).
    static let endsParagraphs: Set<String> = [
        "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div", "dl", "dd", "dt",
        "fieldset", "figcaption", "figure", "footer", "header", "hgroup", "main", "menu", "nav", "ol", "p", "search",
        "section", "ul", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "listing", "form", "table", "hr", "xmp",
    ]
}
