// Text that a terminal must write on one line in one size: superscripts, ruby, the targets of links.
//
// In: styled text. Out: the text with such contents on its line.

import FancyTextBasics
import FancyTextBoxes
import FancyTextMarkup
import FancyTextStyling

extension CellText {
    /// Appends generated characters as a run.
    mutating func makeRun(_ bytes: some Collection<UInt8>, style: StyleID, element: NodeID) -> Int {
        let start = text.text.count
        text.text.append(contentsOf: bytes)
        text.runs.append(
            StyledRun(range: start..<text.text.count, style: style, element: element, isGenerated: true))
        return text.runs.count - 1
    }

    /// Replaces the items of a box with inline contents.
    mutating func setItems(_ items: [InlineItem], of box: Int) {
        text.boxes[box].items = text.items.count..<text.items.count + items.count
        text.items.append(contentsOf: items)
        text.boxes[box].holdsInlines = true
    }

    // MARK: Superscripts and subscripts

    /// Writes `<sup>` and `<sub>` with Unicode's superscript and subscript characters if all exist, otherwise as `^(…)` and
    /// `_(…)`.
    mutating func writeScripts() {
        let scripts: TextRole = [.superscript, .subscript]
        var group: [Int] = []
        var owner: NodeID?
        for item in text.items {
            guard case .text(let run) = item else { continue }
            let isScript = !roles[text.runs[run].element].isDisjoint(with: scripts)
            let element = isScript ? scriptElement(text.runs[run].element) : nil
            if element != owner {
                writeScript(group)
                (group, owner) = ([], element)
            }
            if isScript { group.append(run) }
        }
        writeScript(group)
    }

    /// The outermost `sup` or `sub` that contains an element.
    private func scriptElement(_ element: NodeID) -> NodeID? {
        guard let tree else { return nil }
        var result: NodeID?
        var at: NodeID? = element
        while let node = at, !roles[node].isDisjoint(with: [.superscript, .subscript]) {
            result = node
            at = tree.parent(node)
        }
        return result
    }

    /// - Parameter runs: the text of one element.
    private mutating func writeScript(_ runs: [Int]) {
        guard let one = runs.first else { return }
        let isSuperscript = roles[text.runs[one].element].contains(.superscript)
        let whole = runs.map { String(decoding: text.text[text.runs[$0].range], as: UTF8.self) }
        let letters = whole.joined().unicodeScalars
        // Text that is small already (marks, `[1]`) needs no sign.
        guard letters.count <= ScriptForm.longestMarked, let first = letters.first(where: { $0 != " " }), first != "[",
            letters.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil })
        else { return }
        let table = isSuperscript ? ScriptCharacters.superscripts : ScriptCharacters.subscripts
        let isMapped = letters.allSatisfy { table[$0] != nil || $0 == " " }
        for (place, run) in runs.enumerated() {
            var string = ""
            if isMapped {
                for scalar in whole[place].unicodeScalars { string.unicodeScalars.append(table[scalar] ?? scalar) }
            } else {
                if place == 0 { string = (isSuperscript ? "^" : "_") + (letters.count > 1 ? "(" : "") }
                string += whole[place]
                if place == runs.count - 1, letters.count > 1 { string += ")" }
            }
            let start = text.text.count
            text.text.append(contentsOf: string.utf8)
            text.runs[run].range = start..<text.text.count
        }
    }

    // MARK: Ruby

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

    // MARK: Links

    /// Writes the target after each link, or the number of a note with the target.
    mutating func writeLinkTargets() {
        guard options.links != .none else { return }
        var seen: Set<NodeID> = []
        for box in text.boxes.indices where text.boxes[box].holdsInlines {
            let items = Array(text.items[text.boxes[box].items])
            var result: [InlineItem] = []
            var isChanged = false
            for (place, item) in items.enumerated() {
                result.append(item)
                guard case .text(let run) = item, text.runs[run].link >= 0 else { continue }
                let link = text.links[text.runs[run].link]
                let continues = items[(place + 1)...].contains { next in
                    if case .text(let other) = next { text.runs[other].link == text.runs[run].link } else { false }
                }
                guard !continues, let target = resolveLink(link.target), seen.insert(link.element).inserted else {
                    continue
                }
                // The link's text is already the target.
                let words = String(decoding: text.text[text.runs[run].range], as: UTF8.self)
                if words == target || "mailto:" + words == target { continue }
                let note: String
                switch options.links {
                case .none: continue
                case .inline: note = " <\(target)>"
                case .footnotes: note = "[\(notes.number(of: target))]"
                }
                let clean = DisplayWidth.sanitized(note.utf8)
                result.append(
                    .text(run: makeRun(clean, style: text.boxes[box].style, element: text.boxes[box].element)))
                isChanged = true
            }
            if isChanged { setItems(result, of: box) }
        }
    }
}
