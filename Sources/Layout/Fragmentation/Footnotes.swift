// Footnotes on pages (CSS GCPM 3 §2.4): each is at the foot of the page that has its call, and stays whole. Each page
// with calls has a part of the area of all notes, which is at the end of the long column.

extension LayoutEngine {
    /// Takes the area of the notes out of the flow; nil without notes.
    mutating func takeFootnotes() -> Footnotes? {
        guard let box = text.footnoteArea, tree.fragmentOfBox.indices.contains(box) else { return nil }
        let index = Int(tree.fragmentOfBox[box])
        guard tree.boxes.indices.contains(index), tree.boxes[index].box == box else { return nil }
        let area = tree.boxes[index]
        var fragments: [Int] = []
        var next = index + 1
        while next < area.end {
            if tree.boxes[next].placement == .inFlow { fragments.append(next) }
            next = max(next + 1, tree.boxes[next].end)
        }
        guard !fragments.isEmpty, area.parent > 0 else { return nil }
        let frame = area.frame
        // Tops of notes, and the bottom of the last one, from the top of the area.
        let base = area.isContextRoot ? LayoutUnit.zero : area.rect.y
        var tops = fragments.map { tree.boxes[$0].rect.y - base }
        tops[0] = frame.top
        tops.append(area.rect.height - frame.bottom)
        let notes = fragments.indices.map {
            Footnotes.Note(fragment: fragments[$0], height: (tops[$0 + 1] - tops[$0]).nonNegative)
        }
        let around = tree.boxes[area.parent]
        let start = area.rect.y - area.margin.top - (around.isContextRoot ? .zero : around.rect.y)
        tree.boxes[area.parent].rect.height = start.nonNegative + around.frame.bottom
        return Footnotes(
            area: index, edges: frame.vertical + area.margin.vertical, notes: notes,
            numbers: Dictionary(
                fragments.enumerated().map { (tree.boxes[$0.element].element, $0.offset) },
                uniquingKeysWith: { a, _ in a }))
    }

    /// Places the notes at the feet of pages. Notes whose calls are in no flow are on the last page.
    mutating func place(_ footnotes: Footnotes, _ places: FlowPlaces) {
        var area = tree.boxes[footnotes.area]
        let base = area.origin > 0 ? tree.boxes[area.origin].rect.y : .zero
        let frame = area.frame
        let byPage = Dictionary(grouping: footnotes.notes) { note in
            note.call.map { places.position($0.flow, at: $0.y).page } ?? places.count - 1
        }
        var (parts, tops): ([LayoutRect], [(note: Int, y: LayoutUnit)]) = ([], [])
        for (number, notes) in byPage.sorted(by: { $0.key < $1.key }) {
            let page = tree.pages[number]
            let height = notes.reduce(frame.vertical) { $0 + $1.height }
            var part = area.rect
            // Notes that are higher than the page begin at its top.
            part.y = max(page.top, page.top + page.height - area.margin.bottom - height) - base
            part.height = height
            parts.append(part)
            var y = part.y + frame.top
            for note in notes {
                tops.append((note.fragment, y))
                y += note.height
            }
        }
        area.rect = parts.dropFirst().reduce(parts[0]) { $0.united(with: $1) }
        area.parts = tree.parts.count..<tree.parts.count + parts.count
        tree.parts += parts
        tree.boxes[footnotes.area] = area
        for (note, y) in tops { tree.boxes[note].rect.y = area.isContextRoot ? y - area.rect.y : y }
    }
}
