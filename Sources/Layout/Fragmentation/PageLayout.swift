// Pages (CSS Fragmentation 3, CSS Paged Media 3), one below the other on the canvas, of a document laid out in one long column.
// Heads and feet of tables are repeated, and fixed boxes are on each page. Footnotes (CSS GCPM 3 §2.4) are at the foot of the page
// that has their call: each page with calls has a part of the area of all notes, which is at the end of the long column.

/// A copy of a box and its contents at another height of the canvas.
struct RepeatedBox {
    var fragment: Int
    var x = LayoutUnit.zero
    var y: LayoutUnit
}

extension LayoutEngine {
    /// The height of the first page; nil for one canvas.
    var pageHeight: LayoutUnit? { options.pages.map { LayoutUnit(max(1, $0.size(PageKind(number: 0)).height)) } }

    /// The bottom of the last page; nil for one canvas.
    var pagesBottom: LayoutUnit? { tree.pages.last?.bottom }

    /// Breaks the contents of the canvas into pages; returns the copies of boxes that pages repeat.
    mutating func breakIntoPages() -> [RepeatedBox] {
        guard let areas = options.pages, let first = pageHeight else { return [] }
        let other = LayoutUnit(max(1, areas.size(PageKind(number: 1)).height))
        var pieces = FlowPieces(root: 0, firstBox: 1, firstMarkerLine: 0, top: .zero, pageHeight: min(first, other))
        var footnotes: Footnotes?
        // Lines of vertical text are cut where the page ends.
        if !axes.isVertical {
            footnotes = takeFootnotes()
            pieces.footnoteArea = footnotes?.area
            pieces.collect(1..<tree.boxes.count, self)
            pieces.collectFloats(self)
            pieces.noteCalls(of: &footnotes, self)
        }
        var breaking = FlowBreaking(
            pieces.flows, repeated: pieces.repeated, on: PageStrip(areas, names: pieces.names), footnotes: footnotes)
        if !isLastTrial { breaking.rows = columnRows }
        breaking.place(0, from: BreakPosition(page: 0, top: .zero))
        hasMovedRows = !isLastTrial && note(breaking.spaces)
        if hasMovedRows { return [] }
        (tree.pages, tree.exceedsPages) = (breaking.strip.pages, breaking.strip.hasMostBreaks)
        let places = FlowPlaces(breaking)
        if places.count > 1 { move(pieces, to: places, boxes: 0..<text.boxes.count, holder: false) }
        if let footnotes { place(footnotes, places) }
        guard places.count > 1 else { return [] }
        return breaking.repeats.sorted { ($0.key.page, $0.key.edges) < ($1.key.page, $1.key.edges) }.compactMap {
            key, y in
            let edges = pieces.repeated[key.edges]
            let below = edges.below - (edges.outer < 0 ? .zero : pieces.repeated[edges.outer].below)
            return (key.isFoot ? edges.foot : edges.head).map {
                RepeatedBox(fragment: $0, y: key.isFoot ? y + below - tree.boxes[$0].rect.height : y)
            }
        }
    }

    /// Breaks a positioned box that reaches below its page.
    mutating func breakIntoPages(_ index: Int, of box: Int) {
        guard let areas = options.pages else { return }
        let strip = PageStrip(areas, after: tree.pages)
        let rect = tree.boxes[index].rect
        let page = strip.page(at: rect.y)
        let top = strip.top(of: page)
        guard rect.y >= .zero else { return }
        var pieces = FlowPieces(
            root: -1, firstBox: index, firstMarkerLine: 0, top: .zero, pageHeight: strip.height(of: page))
        pieces.collectBox(index, self)
        pieces.collectFloats(self)
        let bottom = pieces.flows[0].pieces.map(\.bottom).max() ?? .zero
        guard bottom > top + strip.height(of: page) else { return }
        var breaking = FlowBreaking(
            pieces.flows, repeated: pieces.repeated, on: PageStrip(areas, names: pieces.names, after: tree.pages))
        breaking.place(0, from: BreakPosition(page: page, top: top), isFresh: rect.y <= top)
        tree.pages = breaking.strip.pages
        move(pieces, to: FlowPlaces(breaking), boxes: box..<text.boxes[box].end, holder: false)
    }

    /// Adds pages for positioned boxes below the last one, and shows fixed boxes on every page.
    mutating func finishPages(down bottom: LayoutUnit) {
        guard let areas = options.pages else { return }
        var strip = PageStrip(areas, after: tree.pages)
        while strip.bottom < bottom, !strip.isFull { strip.open(strip.pages.count, name: -1) }
        tree.pages = strip.pages
        if strip.bottom < bottom || tree.parts.count >= LayoutTree.mostParts { tree.exceedsPages = true }
        tree.contentWidth = tree.rightEdge.float
        guard strip.pages.count > 1 else { return }
        var copies: [RepeatedBox] = []
        for index in tree.boxes.indices
        where tree.boxes[index].placement == .positioned && tree.boxes[index].parent == 0 {
            let style = text.styles[tree.boxes[index].style].box
            guard style.position == .fixed else { continue }
            let rect = tree.boxes[index].rect
            let inset = style.positioned.inset
            for page in strip.pages.dropFirst() where copies.count < LayoutTree.mostCopies {
                let right = inset.left == nil && inset.right != nil ? page.width - tree.boxes[0].rect.width : .zero
                let down = inset.top == nil && inset.bottom != nil ? page.height - strip.pages[0].height : .zero
                copies.append(RepeatedBox(fragment: index, x: right, y: page.top + rect.y + down))
            }
        }
        tree.repeatBoxes(copies)
    }

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

extension LayoutTree {
    /// The right edge of boxes and lines that no other box clips, if all pages were as wide as the canvas.
    fileprivate var rightEdge: LayoutUnit {
        let width = boxes[0].rect.width
        var excess = LayoutUnit.zero
        func isClipped(_ container: Int) -> Bool { nearest(from: container, where: \.clips) > 0 }
        func add(_ rect: LayoutRect, in container: Int) {
            guard rect.maxX > width + excess else { return }
            let page = pages[max(0, pages.partitioningIndex { $0.top > rect.y } - 1)]
            if rect.maxX - page.width > excess, !isClipped(container) { excess = rect.maxX - page.width }
        }
        for box in boxes { add(box.rect, in: box.parent) }
        for line in lines { add(line.rect, in: line.container) }
        return width + excess
    }

    /// The most pages or columns; the last one contains the rest.
    package static var mostPages: Int { 10_000 }

    /// The most parts of boxes that pages divide; each box around a page has one.
    static var mostParts: Int { 1_000_000 }

    /// The most fragments that copies add.
    fileprivate static var mostCopies: Int { 2_000_000 }

    /// Appends copies of boxes with their contents. Linear in the copies.
    mutating func repeatBoxes(_ copies: [RepeatedBox]) {
        guard !copies.isEmpty else { return }
        func count() -> Int { boxes.count + lines.count + inlines.count }
        let most = count() + Self.mostCopies
        for copy in copies where count() < most {
            let distance = LayoutPoint(x: copy.x, y: copy.y - boxes[copy.fragment].rect.y)
            let change = boxes.count - copy.fragment
            let root = boxes.count
            for index in copy.fragment..<max(copy.fragment + 1, boxes[copy.fragment].end) {
                repeatBox(index, isRoot: index == copy.fragment, change, by: distance)
            }
            if boxes[root].kind == .tableRowGroup { repeatBorders(around: copy.fragment, in: root, by: distance) }
        }
        boxes[0].end.raise(to: boxes.count)
    }

    private mutating func repeatBox(_ index: Int, isRoot: Bool, _ change: Int, by distance: LayoutPoint) {
        var box = boxes[index]
        box.rect.origin += distance
        box.parent = isRoot ? 0 : box.parent + change
        box.end = box.end == 0 ? 0 : box.end + change
        if box.legend >= 0 { box.legend += change }
        box.parts = parts.appendCopies(of: box.parts) { $0.origin += distance }
        box.underlays = underlays.appendCopies(of: box.underlays) { $0.rect.origin += distance }
        box.collapsedBorders = collapsedBorders.appendCopies(of: box.collapsedBorders) { $0.rect.origin += distance }
        let firstLine = lines.count
        for index in box.lines {
            var line = lines[index]
            line.container += change
            line.fragments = inlines.appendCopies(of: line.fragments) {
                if $0.kind == .atomic, $0.payload >= 0 { $0.payload += change }
            }
            lines.append(line)
            move(lines.count - 1, by: distance)
        }
        box.lines = firstLine..<lines.count
        boxes.append(box)
    }

    /// Copies the collapsed borders of a table that are around one of its sections.
    private mutating func repeatBorders(around section: Int, in copy: Int, by distance: LayoutPoint) {
        let rect = boxes[section].rect
        let first = collapsedBorders.count
        for index in boxes[boxes[section].parent].collapsedBorders {
            var border = collapsedBorders[index]
            guard border.rect.maxY > rect.y, border.rect.y < rect.maxY else { continue }
            if !border.isHorizontal {
                let bottom = min(border.rect.maxY, rect.maxY)
                border.rect.y.raise(to: rect.y)
                border.rect.height = bottom - border.rect.y
            }
            border.rect.origin += distance
            let page = pages[max(0, pages.partitioningIndex { $0.top > boxes[copy].rect.y } - 1)]
            border.rect = border.rect.cut(to: page)
            collapsedBorders.append(border)
        }
        boxes[copy].collapsedBorders = first..<collapsedBorders.count
    }
}
