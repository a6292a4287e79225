// Text that a terminal must write on one line in one size: superscripts, ruby, the targets of links, and form controls: brackets for
// those of one line, characters for symbols. In: styled text. Out: the text with such contents on its line.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextGeneration
import FancyTextMarkup
import FancyTextWriting

extension CellText {
    mutating func makeRun(_ bytes: some Collection<UInt8>, style: StyleID, element: NodeID) -> Int {
        let start = text.text.count
        text.text.append(contentsOf: bytes)
        text.runs.append(StyledRun(range: start..<text.text.count, style: style, element: element, isGenerated: true))
        return text.runs.count - 1
    }

    mutating func setItems(_ items: [InlineItem], of box: Int) {
        text.boxes[box].items = text.items.count..<text.items.count + items.count
        text.items.append(contentsOf: items)
        text.boxes[box].holdsInlines = true
    }

    /// Puts a space between words with a gap of almost a cell, between the descriptions of pictures (`alternatives`), around controls.
    mutating func separateWords(alternatives: Range<Int>) {
        func isWord(_ byte: UInt8?) -> Bool { byte.map { $0 >= 0x80 || $0.isASCIIAlphanumeric } ?? false }
        func isASCIIWord(_ byte: UInt8?) -> Bool { byte?.isASCIIAlphanumeric ?? false }
        func isLiteral(_ run: Int) -> Bool { roles[text.runs[run].element].isLiteral }
        func edge(_ box: BoxStyle, isStart: Bool) -> Float {
            let side = isStart ? 3 : 1
            return (box.margin[clockwise: side]?.px ?? 0) + box.border[clockwise: side].width
                + box.padding[clockwise: side].px
        }
        for box in text.boxes.indices where text.boxes[box].holdsInlines {
            var (open, last, result): ([StyleID], Int?, [InlineItem]) = ([], nil, [])
            var isAfterControl = false
            func appendSpace() {
                let space = makeRun(" ".utf8, style: text.boxes[box].style, element: text.boxes[box].element)
                result.append(.text(run: space))
            }
            /// The distance from the last text, in pixels and in cells.
            var (gap, cells): (Float, Float) = (0, 0)
            func pass(_ style: StyleID, isStart: Bool) {
                gap += edge(originals[style].box, isStart: isStart)
                cells += edge(text.styles[style].box, isStart: isStart)
            }
            let items = text.items[text.boxes[box].items]
            for item in items {
                switch item {
                case .open(let style, _):
                    open.append(style)
                    pass(style, isStart: true)
                case .close: if let style = open.popLast() { pass(style, isStart: false) }
                case .text(let run):
                    let words = text.text[text.runs[run].range]
                    if words.isEmpty { break }
                    if let last, cells < 1, isWord(words.first), isWord(text.text[text.runs[last].range].last),
                        gap >= options.cellWidth * 0.75 && !isLiteral(run) && !isLiteral(last)
                            || alternatives.contains(run) && alternatives.contains(last)
                    {
                        appendSpace()
                    } else if isAfterControl, isASCIIWord(words.first), !isLiteral(run) {
                        appendSpace()
                    }
                    (last, gap, cells, isAfterControl) = (run, 0, 0, false)
                case .atomic(let child, _):
                    let isControl = text.boxes[child].control >= 0
                    let isAfterWord = last.map { isASCIIWord(text.text[text.runs[$0].range].last) && !isLiteral($0) }
                    if isControl, isAfterWord ?? isAfterControl { appendSpace() }
                    (last, isAfterControl) = (nil, isControl)
                case .float, .breakOpportunity: break
                }
                result.append(item)
            }
            if result.count > items.count { setItems(result, of: box) }
        }
    }

    /// Moves a marker before a block into the first line of that block.
    mutating func joinMarkers() {
        for box in text.boxes.indices where text.boxes[box].isAnonymous && !text.boxes[box].items.isEmpty {
            let items = Array(text.items[text.boxes[box].items])
            let after = text.boxes[box].end..<max(text.boxes[box].end, text.boxes[text.boxes[box].parent].end)
            guard items.count == 3, case .text(let run) = items[1], text.runs[run].isMarker,
                let next = after.first(where: { hasItems($0) })
            else { continue }
            setItems(items + text.items[text.boxes[next].items], of: next)
            text.boxes[box].items = 0..<0
        }
    }

    /// Writes `<sup>` and `<sub>` as plain text does (``ScriptForm``), and changes where no line goes through them.
    mutating func writeScripts() {
        for box in text.boxes where box.holdsInlines {
            /// The runs of one element, and the byte before them; nil at the start of a line or after a space.
            var group: [Int] = []
            var (owner, before, last): (NodeID?, UInt8?, UInt8?) = (nil, nil, nil)
            for item in text.items[box.items] {
                guard case .text(let run) = item, let end = text.text[text.runs[run].range].last else { continue }
                let element = scriptElement(text.runs[run].element)
                if element != owner {
                    if let owner { writeScript(owner, group, after: before) }
                    (group, owner, before) = ([], element, last)
                }
                if element != nil { group.append(run) }
                last = end > 0x20 ? end : nil
            }
            if let owner { writeScript(owner, group, after: before) }
        }
    }

    // Made once: many runs have many ancestors.
    private static let scripts: TextRole = [.superscript, .subscript], changes: TextRole = [.strike, .underline]

    /// The outermost `sup` or `sub` that contains an element, or without escape sequences the outermost `del` or `ins`.
    private func scriptElement(_ element: NodeID) -> NodeID? {
        guard let tree else { return nil }
        let scripts = sequence(first: element, next: tree.parent)
            .prefix { !roles[$0].isDisjoint(with: Self.scripts) }
        guard options.colors == .plain, scripts.isEmpty else { return scripts.last }
        return sequence(first: element, next: tree.parent).prefix(64)
            .prefix { !roles[$0].isDisjoint(with: Self.changes) }
            .last { tree.tag($0) == .del || tree.tag($0) == .ins }
    }

    private mutating func writeScript(_ element: NodeID, _ runs: [Int], after before: UInt8?) {
        guard let tree, let first = runs.first, let end = runs.last else { return }
        let keepsCase = text.styles[text.runs[first].style].text.transform == .none
        switch ScriptForm.of(inline: element, in: tree, after: before, keepsCase: keepsCase, hasPseudos: false) {
        case .plain: break
        case .characters(let characters):
            for run in runs { replaceText(of: run, run == first ? Array(characters.utf8) : []) }
        case .marked(let opening, let closing):
            replaceText(of: first, Array(opening.utf8) + text.text[text.runs[first].range])
            replaceText(of: end, text.text[text.runs[end].range] + Array(closing.utf8))
        }
    }

    private mutating func replaceText(of run: Int, _ bytes: [UInt8]) {
        text.runs[run].range = text.text.count..<text.text.count + bytes.count
        text.text += bytes
    }

    /// Writes a base and its annotation as `base(annotation)`, on the line.
    mutating func writeRuby() {
        for index in text.boxes.indices where text.boxes[index].kind == .ruby {
            text.boxes[index].kind = .block
            let parts = text.children(of: index)
            guard parts.count == 2, parts.allSatisfy({ text.boxes[$0].holdsInlines }) else { continue }
            let (base, annotation) = (text.boxes[parts[0]], text.boxes[parts[1]])
            guard !annotation.items.isEmpty else { continue }
            let style = text.boxes[index].style
            let open = makeRun("(".utf8, style: style, element: base.element)
            let close = makeRun(")".utf8, style: style, element: base.element)
            setItems(
                Array(text.items[base.items]) + [.text(run: open)] + Array(text.items[annotation.items])
                    + [.text(run: close)], of: index)
        }
    }

    /// Writes the target after each link, or the number of a note with the target.
    mutating func writeLinkTargets() {
        guard options.links != .none else { return }
        var seen: Set<NodeID> = []
        for box in text.boxes.indices where text.boxes[box].holdsInlines {
            let items = Array(text.items[text.boxes[box].items])
            var result: [InlineItem] = []
            for (place, item) in items.enumerated() {
                result.append(item)
                guard case .text(let run) = item, text.runs[run].link >= 0 else { continue }
                let link = text.links[text.runs[run].link]
                let following = items[(place + 1)...].lazy.compactMap(\.run)
                guard !following.contains(where: { text.runs[$0].link == text.runs[run].link }),
                    let target = resolveLink(link.target), seen.insert(link.element).inserted
                else { continue }
                // The link's text is already the target.
                let words = String(decoding: text.text[text.runs[run].range], as: UTF8.self)
                if words == target || "mailto:" + words == target { continue }
                let note = options.links == .inline ? " <\(target)>" : "[\(notes.number(of: target))]"
                let clean = DisplayWidth.sanitized(note.utf8)
                let noteRun = makeRun(clean, style: text.boxes[box].style, element: text.boxes[box].element)
                result.append(.text(run: noteRun))
            }
            if result.count > items.count { setItems(result, of: box) }
        }
    }

    // MARK: Controls

    /// Writes the state of a check box or radio button that the page draws itself, in pictures and colours.
    private mutating func writeMark(_ index: Int) {
        let box = text.boxes[index]
        guard let tree, tag(of: box) == .input, tree.inputType(box.element).isCheckable, box.kind == .block,
            box.holdsInlines || box.end <= index + 1
        else { return }
        let mark = ControlText.mark(
            isRadio: tree.inputType(box.element) == .radio, isOn: tree.hasAttribute(box.element, "checked"))
        restyle(index, .symbol) { Self.makeSymbol(&$0, columns: 1) }
        let run = makeRun(String(mark).utf8, style: text.boxes[index].style, element: box.element)
        setItems([.text(run: run)], of: index)
    }

    /// Converts all controls, in one pass over the boxes and the options of menus.
    mutating func convertControls() {
        for index in text.boxes.indices {
            guard text.boxes[index].control >= 0 else {
                writeMark(index)
                continue
            }
            let control = text.controls[text.boxes[index].control]
            switch control.kind {
            case .button, .file, .dateField, .textField, .menu:
                restyle(index, .field, Self.bracket)
                if case .menu(let selected) = control.kind, selected > index {
                    let shown = selected..<text.boxes[selected].end
                    for option in index + 1..<text.boxes[index].end
                    where !shown.contains(option) && text.boxes[option].holdsInlines {
                        text.boxes[option].items = 0..<0
                    }
                }
                widenField(index)
            case .textArea, .listBox:
                restyle(index, .area) { box in
                    // Text on its line is beside its first row, as after a label.
                    box.verticalAlign = .top
                    if Self.isDefault(box.backgroundColor) { box.backgroundColor = .transparent }
                }
            case .color: restyle(index, .symbol) { Self.makeSymbol(&$0, columns: 9) }
            case .checkBox, .radioButton: restyle(index, .symbol) { Self.makeSymbol(&$0, columns: 1) }
            case .range, .progress, .meter:
                restyle(index, .gauge) { Self.makeSymbol(&$0, columns: $0.width == .auto ? 16 : nil) }
            }
        }
    }

    /// Makes a field of a fixed width as wide as its text, as far as the screen is.
    private mutating func widenField(_ index: Int) {
        let box = text.boxes[index]
        guard case .textField(let size) = text.controls[box.control].kind else { return }
        let runs = text.items[box.items].compactMap(\.run)
        let words = runs.reduce(0) { $0 + DisplayWidth.cells(text.text[text.runs[$1].range]) }
        var width = Float(size ?? words)
        if case .length(let length) = text.styles[box.style].box.width {
            if length.isRelative { return }
            width = length.px
        }
        guard Float(words) > width else { return }
        text.controls[box.control].kind = .textField(size: min(words, roomFor(index)))
        restyle(index, .wideField) { ($0.width, $0.maxWidth) = (.auto, .auto) }
    }

    /// Replaces the sides of the frame by brackets.
    private static func bracket(_ box: inout BoxStyle) {
        box.border = Sides(BorderSide())
        box.padding.left.px = max(1, box.padding.left.px)
        box.padding.right.px = max(1, box.padding.right.px)
        if !box.padding.top.isRelative { box.padding.top = .zero }
        if !box.padding.bottom.isRelative { box.padding.bottom = .zero }
        if isDefault(box.backgroundColor) { box.backgroundColor = .transparent }
    }

    /// The white and grey of controls without an author's colours.
    private static func isDefault(_ color: Color) -> Bool {
        color == .white || color == Color(red: 0xEF, green: 0xEF, blue: 0xEF)
    }

    private static func makeSymbol(_ box: inout BoxStyle, columns: Float?) {
        (box.border, box.padding, box.margin) = (Sides(BorderSide()), Sides(.zero), Sides(.zero))
        box.verticalAlign = .baseline
        (box.minWidth, box.maxWidth) = (.auto, .auto)
        if let columns { box.width = .length(LengthPercentage(px: columns)) }
        box.height = .length(LengthPercentage(px: 1))
        box.backgroundColor = .transparent
        box.backgroundLayers = []
    }
}
