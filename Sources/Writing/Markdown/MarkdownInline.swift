// Inline contents as Markdown: text with escapes, emphasis, code, links, images. Runs become segments with a set of formats, and
// those with the same formats are joined. Delimiters are placed where formats begin and end, outside of white space. Where the
// adjacent characters keep one from being read as a delimiter (CommonMark §6.2), the HTML element is written instead.

import FancyTextBoxes
import FancyTextCSS
import FancyTextGeneration
import FancyTextMarkup

extension MarkdownWriter {
    /// The formats of text and their elements, outermost first.
    private static let formats: KeyValuePairs<TextRole, String> = [
        .link: "a", .strike: "del", .strong: "strong", .emphasis: "em", .underline: "u", .mark: "mark",
        .subscript: "sub", .superscript: "sup", .key: "kbd",
    ]

    private struct Segment {
        var text: String
        var formats: TextRole = []
        var target = "", title = ""
        /// Written unchanged: images, breaks.
        var isRaw = false
        /// A tag of a block element in a table cell.
        var isTag = false
    }

    // MARK: Segments

    /// The contents of boxes as one line of words, with line feeds at forced line breaks.
    mutating func inlineText(_ boxes: [Int], isSingleLine: Bool, inTable: Bool = false) -> String {
        var segments: [Segment] = []
        isInCell = inTable
        defer { isInCell = false }
        for box in boxes {
            if segments.last?.text.hasSuffix(" ") == false { segments.append(Segment(text: " ")) }
            collect(box, &segments, depth: 0)
        }
        return render(trimmed(segments), isSingleLine: isSingleLine, inTable: inTable)
    }

    /// A part of the inline contents of a box, in an inline box of style `style` if there is one.
    mutating func inlineText(
        _ box: Int, items: Range<Int>, style: StyleID? = nil, isSingleLine: Bool = false
    ) -> String {
        var segments: [Segment] = []
        collect(box, items: items, style: style, &segments, depth: 0)
        return render(trimmed(segments), isSingleLine: isSingleLine, inTable: false)
    }

    private mutating func collect(_ box: Int, _ segments: inout [Segment], depth: Int) {
        let item = text.boxes[box]
        guard !isTooDeep(box, depth) else { return }
        if let label = label(of: item) {
            return append(Segment(text: label, formats: roles[item.element].ofLine), &segments)
        }
        if let box = taskBox(item) { append(Segment(text: box, isRaw: true), &segments) }
        if item.holdsInlines {
            collect(box, items: item.items.clamped(to: 0..<text.items.count), &segments, depth: depth)
        } else if item.replaced >= 0 {
            guard text.styles[item.style].text.visibility == .visible else { return }
            let image = Segment(text: imageText(item), formats: roles[item.element].ofLine, isRaw: true)
            append(image, link: item.link, &segments)
        } else if item.kind == .ruby {
            for (index, child) in text.children(of: box).enumerated() {
                if index > 0 { segments.append(Segment(text: "(")) }
                collect(child, &segments, depth: depth + 1)
                if index > 0 { segments.append(Segment(text: ")")) }
            }
        } else {
            // Blocks in an inline context (table cells, headings) are joined.
            for child in text.children(of: box) {
                let tag = isInCell ? cellTag(child) : nil
                if let last = segments.last, tag == nil, !last.isTag {
                    segments.append(Segment(text: item.holdsItems || item.kind == .tableRow ? " " : "\n"))
                }
                collect(child, tag, &segments, depth: depth + 1)
            }
        }
    }

    /// The name of a list or heading in a table cell, where Markdown has no lines.
    private func cellTag(_ box: Int) -> String? {
        let tag = tag(box)
        guard let tree, [.ul, .ol, .li].contains(tag) || tag.headingLevel > 0 else { return nil }
        let element = text.boxes[box].element
        let number = (tag == .ol ? "start" : tag == .li ? "value" : nil).flatMap { name in
            tree.attribute(element, name).flatMap { BoxGenerator.integer($0) }.map { " \(name)=\($0)" }
        }
        return tree.name(element) + (number ?? "")
    }

    /// Collects a box between the tags of an element, if a tag is given and the box has contents.
    private mutating func collect(_ box: Int, _ tag: String?, _ segments: inout [Segment], depth: Int) {
        guard let tag else { return collect(box, &segments, depth: depth) }
        var inner: [Segment] = []
        collect(box, &inner, depth: depth)
        append(trimmed(inner), in: tag, &segments)
    }

    private func append(_ inner: [Segment], in tag: String, _ segments: inout [Segment]) {
        guard !inner.isEmpty else { return }
        segments.append(Segment(text: "<\(tag)>", isRaw: true, isTag: true))
        segments += inner
        segments.append(Segment(text: "</\(tag.prefix { $0 != " " })>", isRaw: true, isTag: true))
    }

    private mutating func collect(
        _ box: Int, items: Range<Int>, style: StyleID? = nil, _ segments: inout [Segment], depth: Int
    ) {
        let block = text.styles[style ?? text.boxes[box].style]
        /// The content before the next piece, and the link that ends there.
        var before = Neighbor.text
        var lastLink = -1
        var index = items.lowerBound
        while index < items.upperBound {
            defer { index += 1 }
            switch text.items[index] {
            case .text(let run):
                guard run != writtenMarker, let segment = segment(of: text.runs[run], in: box, block) else { continue }
                let run = text.runs[run]
                let followsLink = lastLink >= 0 && run.link >= 0 && run.link != lastLink
                if before == .word || before == .float || followsLink && !endsInSingleLetter(segments) {
                    separate(&segments, from: segment.text, isApart: before == .float)
                }
                before = .text
                lastLink = run.link
                append(segment, link: run.link, &segments)
            case .atomic(let child, _), .float(let child):
                lastLink = -1
                if isInCell, let tag = cellTag(child) {
                    collect(child, tag, &segments, depth: depth + 1)
                    before = .text
                    continue
                }
                var inner: [Segment] = []
                collect(child, &inner, depth: depth + 1)
                let content = inner.map(\.text).joined()
                let isFloat = if case .float = text.items[index] { true } else { false }
                let item = text.boxes[child]
                let isWord = isFloat || item.control >= 0 || tree?.tag(item.element) == .svg
                // A single letter may be an initial of the text after it.
                let isInitial =
                    content.count < 2 && content.first?.isNumber != true || text.isInitial(index)
                if isWord ? !isInitial : before != .text { separate(&segments, from: content, isApart: isFloat) }
                for segment in inner { append(segment, &segments) }
                if text.endsBeforeSpace(child) { append(Segment(text: " "), &segments) }
                before = isInitial ? .text : isFloat ? .float : isWord ? .word : .box
            case .open(_, let element):
                guard isInCell, let tree,
                    BoxContents.inlineBlock(element, around: text.boxes[box].element, in: tree) != nil
                else { continue }
                let range = index + 1..<text.endOfInline(index, items.upperBound)
                var inner: [Segment] = []
                collect(box, items: range, &inner, depth: depth)
                append(trimmed(inner), in: tree.name(element), &segments)
                index = range.upperBound
            case .close, .breakOpportunity: break
            }
        }
    }

    /// The text of a run in `box`, in contents of style `block`; nil if the run shows nothing here.
    private func segment(of run: StyledRun, in box: Int, _ block: ComputedStyle) -> Segment? {
        let range = run.range.clamped(to: text.boxes[box].text)
        guard !range.isEmpty, range.upperBound <= text.text.count else { return nil }
        if let tree, Permalink.isOne(run.element, in: tree) { return nil }
        let style = text.styles[run.style]
        if style.text.visibility != .visible || text.isDisclosure(run, in: tree) { return nil }
        var formats = roles[run.element].ofLine
        if style.font.weight >= 600 && block.font.weight < 600 { formats.insert(.strong) }
        if style.font.weight < 600 { formats.remove(.strong) }
        if style.font.slant != .normal && block.font.slant == .normal { formats.insert(.emphasis) }
        if block.font.weight >= 600 && tag(box) != .td { formats.remove(.strong) }
        if tag(box) == .dt || tag(max(0, text.boxes[box].parent)) == .dt { formats.insert(.strong) }
        if style.box.decorations.contains(where: { $0.lines.contains(.lineThrough) }) { formats.insert(.strike) }
        if let formula = formula(run.element) { return Segment(text: formula, formats: formats, isRaw: true) }
        var words = Self.cleaned(text.text[range])
        if [.preserve, .breakSpaces, .preserveSpaces].contains(style.text.whiteSpaceCollapse), !formats.contains(.code),
            text.text[text.boxes[box].text].prefix(1_000).contains(where: { !Self.isBlank($0) })
        {
            let isFirst = run.range.lowerBound <= text.boxes[box].text.lowerBound
            words = Self.spaced(words, after: isFirst ? 0x0A : text.text[range.lowerBound - 1])
        }
        return Segment(text: String(decoding: words, as: UTF8.self), formats: formats)
    }

    /// Preserved white space, with no-break spaces for what Markdown would remove; tabs are four columns (CommonMark §2.2).
    private static func spaced(_ text: [UInt8], after before: UInt8) -> [UInt8] {
        var last = before
        return text.flatMap { byte -> [UInt8] in
            defer { last = byte }
            if byte == 0x09 { return Array("\u{A0}\u{A0}\u{A0}\u{A0}".utf8) }
            return byte == 0x20 && isBlank(last) ? [0xC2, 0xA0] : [byte]
        }
    }

    /// A formula that is annotated with TeX: `$…$`, or `$$…$$` if it is a block. What a reader without formulas would take for HTML
    /// or a link is written in another way with the same meaning in TeX.
    private func formula(_ element: NodeID) -> String? {
        guard let tree, tree.tag(element) == .math,
            let tex = MathText.tex(of: element, in: tree), !tex.contains("$"), !tex.contains("`")
        else { return nil }
        var text = String(decoding: Self.cleaned(tex.utf8), as: UTF8.self)
        for (mark, other) in [("<", "\\lt "), (">", "\\gt "), ("](", "] ("), ("][", "] ["), ("]:", "] :")] {
            text = text.replacing(mark, with: other)
        }
        if isInCell { text = text.replacing("|", with: "\\|") }
        let mark = tree.attribute(element, "display")?.lowercased() == "block" ? "$$" : "$"
        return mark + text + mark
    }

    /// The preceding content in a line. Boxes side by side are words; pictures and controls always are.
    private enum Neighbor { case text, box, word, float }

    /// Returns whether the last word is a single letter, which may be part of the word after it.
    private func endsInSingleLetter(_ segments: [Segment]) -> Bool {
        let end = segments.last?.text.suffix(2) ?? ""
        return end.count < 2 || end.first?.isWhitespace == true
    }

    /// Adds a space between two words, or between a float and text with a sign before its first word.
    private func separate(_ segments: inout [Segment], from content: String, isApart: Bool = false) {
        func isWord(_ character: Character?) -> Bool {
            character.map { $0.isLetter || $0.isNumber || isApart && "#@$€£*&+".contains($0) } ?? false
        }
        guard let last = segments.last, !last.isRaw || !last.text.hasSuffix(")"), isWord(last.text.last),
            isWord(content.first)
        else { return }
        segments.append(Segment(text: " "))
    }

    /// The text of a control: a button's label or the state of a check box; fields show none of their editable text (HTML §15.5).
    private func label(of item: StyledBox) -> String? {
        guard let tree, tree.kind(item.element) == .element, item.control >= 0, taskBox(item) == nil else { return nil }
        switch text.controls[item.control].kind {
        case .checkBox(let isOn): return String(ControlText.mark(isRadio: false, isOn: isOn))
        case .radioButton(let isOn): return String(ControlText.mark(isRadio: true, isOn: isOn))
        case .button, .file, .textField, .dateField, .textArea, .menu, .listBox, .range, .progress, .meter, .color:
            break
        }
        switch tree.tag(item.element) {
        case .input, .progress, .meter: return ControlText.label(of: item.element, in: tree) ?? ""
        case .textarea: return ""
        default: return nil
        }
    }

    /// The checkbox that a list item begins with, in the form of GitHub's task lists.
    private func taskBox(_ item: StyledBox) -> String? {
        guard let tree, item.control >= 0, case .checkBox(let isOn) = text.controls[item.control].kind
        else { return nil }
        var node = item.element
        for _ in 0..<3 {
            guard let parent = tree.parent(node), tree.children(parent).first(where: tree.isContent) == node
            else { return nil }
            if tree.tag(parent) == .li { return isOn ? "[x] " : "[ ] " }
            node = parent
        }
        return nil
    }

    private func append(_ segment: Segment, link: Int = -1, _ segments: inout [Segment]) {
        guard !segment.text.isEmpty else { return }
        var segment = segment
        // The text as it will be written is checked, without the removed characters.
        let target = link < 0 ? "" : String(decoding: Self.cleaned(text.links[link].target.utf8), as: UTF8.self)
        if link >= 0, let target = LinkDestination.offered(target) {
            segment.formats.insert(.link)
            segment.formats.remove(.underline)
            segment.target = target
            segment.title = text.links[link].title
        }
        if segment.text.utf8.first == 0x20, let last = segments.last, last.isRaw, last.text.hasSuffix("] ") {
            segment.text = Self.cut(segment.text, first: 1)
        }
        guard let last = segments.last, last.formats == segment.formats, last.target == segment.target, !last.isRaw,
            !segment.isRaw
        else { return segments.append(segment) }
        // An icon that is not written was in between.
        if last.text.utf8.last == 0x20, segment.text.utf8.first == 0x20, !segment.formats.contains(.code) {
            segment.text = Self.cut(segment.text, first: 1)
        }
        segments[segments.count - 1].text += segment.text
    }

    func imageText(_ item: StyledBox) -> String {
        guard item.replaced >= 0 else { return "" }
        let content = text.replaced[item.replaced]
        if let tree, tree.tag(item.element) == .svg {
            return Self.label(ForeignText.description(of: item.element, in: tree))
        }
        // Decoration, or a placeholder until a script loads the picture.
        if content.alternative.isEmpty, content.source.hasPrefix("data:") { return "" }
        let label = Self.label(content.alternative)
        let source = LinkDestination(String(decoding: Self.cleaned(content.source.utf8), as: UTF8.self))
        let title = tree.flatMap { $0.tag(item.element) == .img ? $0.attribute(item.element, .title) : nil } ?? ""
        return item.kind == .lambda || source.isScript || source.url.isEmpty
            ? label : "![\(label)](\(Self.destination(source.url))\(Self.title(title)))"
    }

    /// Removes white space and breaks at both ends.
    private func trimmed(_ segments: [Segment]) -> [Segment] {
        var segments = segments
        while let first = segments.first, !first.isRaw {
            segments[0].text = String(Substring(first.text.utf8.drop(while: Self.isBlank)))
            if !segments[0].text.isEmpty { break }
            segments.removeFirst()
        }
        while let last = segments.last, !last.isRaw {
            let blank = last.text.utf8.reversed().prefix(while: Self.isBlank).count
            segments[segments.count - 1].text = Self.cut(last.text, last: blank)
            if last.text.utf8.count > blank { break }
            segments.removeLast()
        }
        return segments
    }

    /// The text without some bytes at its ends.
    private static func cut(_ text: String, first: Int = 0, last: Int = 0) -> String {
        String(Substring(text.utf8.dropFirst(first).dropLast(last)))
    }

    /// Returns whether a byte is a space, a tab or a line feed.
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 }

    // MARK: Delimiters

    private struct Piece {
        var text: String
        var delimiter: (format: TextRole, opens: Bool)?
        var pair = -1
    }

    private func render(_ segments: [Segment], isSingleLine: Bool, inTable: Bool) -> String {
        var pieces: [Piece] = []
        var open: [(format: TextRole, piece: Int, target: String, title: String)] = []
        func close(_ index: Int) {
            while open.count > index {
                let last = open.removeLast()
                pieces.append(Piece(text: "", delimiter: (last.format, false), pair: last.piece))
                pieces[last.piece].pair = pieces.count - 1
                if last.format == .link {
                    pieces[pieces.count - 1].text = "](" + Self.destination(last.target) + Self.title(last.title) + ")"
                }
            }
        }
        for segment in segments {
            let wanted = Self.formats.compactMap { segment.formats.contains($0.key) ? $0.key : nil }
            var keep = 0
            while keep < open.count && keep < wanted.count && open[keep].format == wanted[keep]
                && (wanted[keep] != .link || open[keep].target == segment.target)
            { keep += 1 }
            var text = segment.text
            var lead = ""
            // White space beside a delimiter would make it plain text; formats have no visible effect on the space anyway.
            if !segment.isRaw && keep < max(open.count, wanted.count) {
                lead = String(text.prefix { $0 == " " || $0 == "\n" })
                text.removeFirst(lead.count)
            }
            let hasOnlyEmphasis = open[keep...].allSatisfy {
                [.strong, .emphasis, .strike, .underline].contains($0.format)
            }
            if text.isEmpty && !lead.isEmpty && hasOnlyEmphasis {
                pieces.append(Piece(text: lead))
                continue
            }
            // The counterpart at the end of the closing segment.
            var tail = ""
            if keep < open.count, let last = pieces.last, last.delimiter == nil {
                let count = last.text.utf8.reversed().prefix { $0 == 0x20 || $0 == 0x0A }.count
                tail = Self.cut(last.text, first: last.text.utf8.count - count)
                if count > 0 { pieces[pieces.count - 1].text = Self.cut(last.text, last: count) }
            }
            close(keep)
            if !tail.isEmpty { pieces.append(Piece(text: tail)) }
            if !lead.isEmpty { pieces.append(Piece(text: lead)) }
            if text.isEmpty { continue }
            if wanted[keep...].first == .link, let last = pieces.last, last.delimiter == nil, last.text.hasSuffix("!") {
                // Before a bracket, `!` would turn the link into a picture.
                pieces[pieces.count - 1].text = String(last.text.dropLast()) + "\\!"
            }
            for format in wanted[keep...] {
                open.append((format, pieces.count, segment.target, segment.title))
                pieces.append(Piece(text: format == .link ? "[" : "", delimiter: (format, true)))
            }
            let isCode = segment.formats.contains(.code)
            let written =
                segment.isRaw
                ? segment.text : isCode ? Self.code(text, inTable: inTable) : Self.escaped(text, inTable: inTable)
            pieces.append(Piece(text: written))
        }
        close(0)
        chooseDelimiters(&pieces)
        return finish(pieces.map(\.text).joined(), isSingleLine: isSingleLine, inTable: inTable)
    }

    /// Uses Markdown's delimiters where they are read as such, otherwise elements.
    private func chooseDelimiters(_ pieces: inout [Piece]) {
        func character(_ from: Int, _ step: Int) -> Character? {
            var index = from + step
            while pieces.indices.contains(index) {
                let text = pieces[index].text
                if let found = step > 0 ? text.first : text.last { return found }
                // An adjacent delimiter that has not been chosen yet will be punctuation.
                if pieces[index].delimiter != nil { return "*" }
                index += step
            }
            return nil
        }
        func isSpace(_ character: Character?) -> Bool { character.map(\.isWhitespace) ?? true }
        // Symbols such as arrows are punctuation since CommonMark 0.31, but not to GitHub: both must read the delimiters.
        func isMark(_ character: Character?) -> Bool {
            character.map { $0.isPunctuation || $0.isSymbol && $0.isASCII } ?? false
        }
        func isBesideWord(_ index: Int, _ step: Int) -> Bool {
            !isSpace(character(index, step)) && !isMark(character(index, step))
        }
        /// Returns whether a delimiter can begin or end text, which is on the side of `step`.
        func canTurn(_ index: Int, _ step: Int) -> Bool {
            let inside = character(index, step)
            if isMark(inside) || inside?.isSymbol == true { return !isBesideWord(index, -step) }
            return !isSpace(inside)
        }
        for index in pieces.indices {
            let end = pieces[index].pair
            guard let delimiter = pieces[index].delimiter, delimiter.opens, delimiter.format != .link, end >= 0
            else { continue }
            let works = canTurn(index, 1) && canTurn(end, -1)
            let isOutsideWord = !isBesideWord(index, -1) && !isBesideWord(end, 1)
            let mark: String? =
                switch delimiter.format {
                case .strong: "**"
                case .strike: "~~"
                case .emphasis: isOutsideWord ? "_" : touchesStar(pieces, index, end) ? nil : "*"
                default: nil
                }
            let element = Self.formats.first { $0.key == delimiter.format }?.value ?? "span"
            pieces[index].text = works ? mark ?? "<\(element)>" : "<\(element)>"
            pieces[end].text = works ? mark ?? "</\(element)>" : "</\(element)>"
        }
    }

    private func touchesStar(_ pieces: [Piece], _ start: Int, _ end: Int) -> Bool {
        [start - 1, start + 1, end - 1, end + 1].contains {
            pieces.indices.contains($0) && pieces[$0].delimiter?.format == .strong
        }
    }

    // MARK: Text

    /// The lines of the paragraph: forced breaks as backslashes or elements, and escapes before what would begin a block.
    private func finish(_ text: String, isSingleLine: Bool, inTable: Bool) -> String {
        let lines = text.utf8.split(separator: 0x0A).compactMap { line -> String? in
            var line = line.drop { $0 == 0x20 }
            while line.last == 0x20 { line.removeLast() }
            return line.isEmpty ? nil : String(Substring(line))
        }
        if inTable { return lines.joined(separator: "<br>") }
        if isSingleLine { return lines.joined(separator: " ") }
        return lines.map(Self.escapedLineStart).joined(separator: "\\\n")
    }
}
