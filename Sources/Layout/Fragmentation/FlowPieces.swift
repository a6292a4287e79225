// Collects the pieces between which columns and pages break: lines, pictures, rows (CSS Fragmentation 3 §4.1), and the
// formatting contexts that breaks divide. Each of the boxes side by side in one of these is a flow of its own.

import FancyTextCSS

/// The pieces of a flow: the contents of a multi-column container between two boxes that span all of its columns, or of pages.
struct FlowPieces {
    /// The container, to which all positions are relative.
    let root: Int
    let firstBox, firstMarkerLine: Int
    let top: LayoutUnit
    /// The height of a page; nil for columns.
    let pageHeight: LayoutUnit?
    private(set) var flows = [BrokenFlow()]
    private(set) var repeated: [RepeatedEdges] = []
    /// The values of `page`.
    private(set) var names: [String] = []
    private var numbers: [String: Int] = [:]
    /// The formatting contexts that breaks may divide, each with the origin of its contents in the long column.
    private(set) var contexts: [Int: LayoutUnit]
    /// The flows of boxes that are not in those around them, and of contents that are not in those of their boxes.
    private(set) var boxFlows: [Int: Int] = [:]
    private(set) var contentFlows: [Int: Int] = [:]
    private var pieces: [FlowPiece] {
        get { flows[flow].pieces }
        _modify { yield &flows[flow].pieces }
    }
    /// The flow that is collected, and the state of the next piece.
    private var flow = 0
    private var nextBreak = FlowPiece.Break.allowed
    private var nextSide: PageSide?
    private var nextMargin = LayoutUnit.zero
    private var edges = -1, name = -1

    /// The boxes with a forced break before or after them; computed on first use.
    private var forcingBoxes: [Int]?

    /// The fragment of the area of footnotes, which is in no flow.
    var footnoteArea: Int?

    private var isPaged: Bool { pageHeight != nil }

    init(root: Int, firstBox: Int, firstMarkerLine: Int, top: LayoutUnit, pageHeight: LayoutUnit? = nil) {
        (self.root, self.firstBox, self.firstMarkerLine) = (root, firstBox, firstMarkerLine)
        (self.top, self.pageHeight) = (top, pageHeight)
        contexts = [root: .zero]
    }

    private mutating func append(_ top: LayoutUnit, _ bottom: LayoutUnit, isSpace: Bool = false) {
        pieces.append(
            FlowPiece(
                top: top, bottom: bottom, breakBefore: nextBreak, side: nextSide, isSpace: isSpace, margin: nextMargin,
                repeated: edges, name: name))
        (nextBreak, nextSide, nextMargin) = (.allowed, nil, .zero)
    }

    private mutating func meet(_ value: BreakBetween) {
        switch value {
        case .auto: break
        case .avoid: avoid()
        case .avoidColumn: if !isPaged { avoid() }
        case .avoidPage: if isPaged { avoid() }
        case .column: if !isPaged { nextBreak = .forced }
        case .page: if isPaged { nextBreak = .forced }
        case .left, .verso: if isPaged { (nextBreak, nextSide) = (.forced, .left) }
        case .right, .recto: if isPaged { (nextBreak, nextSide) = (.forced, .right) }
        }
        func avoid() { if nextBreak == .allowed { nextBreak = .avoided } }
    }

    /// Collects boxes one below the other as a flow beside the current one, from `start`; returns its index.
    private mutating func collectApart(_ boxes: [Int], from start: LayoutUnit? = nil, _ engine: LayoutEngine) -> Int {
        let tops = boxes.map { top(of: engine.tree.boxes[$0]) ?? .zero }
        let bottoms = zip(boxes, tops).map { engine.tree.boxes[$0].rect.height + $1 }
        let own = collectFlow(from: tops.first ?? .zero, to: bottoms.last ?? .zero) { pieces in
            var end = start
            for (number, index) in boxes.enumerated() {
                if let end, end < tops[number] { pieces.append(end, tops[number], isSpace: true) }
                pieces.collectBox(index, engine)
                end = bottoms[number]
            }
        }
        for index in boxes { boxFlows[index] = own.flow }
        return own.flow
    }

    private mutating func collectFlow(
        from y: LayoutUnit, to bottom: LayoutUnit, _ collect: (inout FlowPieces) -> Void
    ) -> (flow: Int, nextBreak: FlowPiece.Break) {
        let outer = (flow, nextBreak, nextSide, nextMargin)
        flows.append(BrokenFlow(bottom: bottom, around: (flow, y)))
        flow = flows.count - 1
        (nextBreak, nextSide, nextMargin) = (.allowed, nil, .zero)
        collect(&self)
        let result = (flow, self.nextBreak)
        (flow, nextBreak, nextSide, nextMargin) = outer
        return result
    }

    /// The top of a fragment in the long column; nil if it stays with its container.
    func top(of fragment: BoxFragment) -> LayoutUnit? { contexts[fragment.origin].map { $0 + fragment.rect.y } }

    func contentFlow(of index: Int, in tree: LayoutTree) -> Int {
        var index = index
        while index >= firstBox {
            if let flow = contentFlows[index] ?? boxFlows[index] { return flow }
            index = tree.boxes[index].parent
        }
        return 0
    }

    // MARK: Boxes

    mutating func collect(_ fragments: Range<Int>, _ engine: LayoutEngine) {
        for index in children(fragments, engine) { collectBox(index, engine) }
    }

    private func children(_ fragments: Range<Int>, _ engine: LayoutEngine) -> [Int] {
        var found: [Int] = []
        var index = fragments.lowerBound
        while index < fragments.upperBound {
            let fragment = engine.tree.boxes[index]
            if fragment.placement == .inFlow, fragment.kind != .marker, index != footnoteArea,
                contexts[fragment.origin] != nil
            {
                found.append(index)
            }
            index = max(index + 1, fragment.end)
        }
        return found
    }

    mutating func collectBox(_ index: Int, _ engine: LayoutEngine) {
        let fragment = engine.tree.boxes[index]
        guard let top = top(of: fragment) else { return }
        let style = engine.ownStyle(of: fragment)
        let columns = style?.box.columns
        let (outerName, outerEdges) = (name, edges)
        if isPaged, let page = columns?.page {
            name = numbers[page] ?? names.count
            if name == names.count {
                names.append(page)
                numbers[page] = name
            }
        }
        if let columns { meet(columns.breakBefore) }
        nextMargin.raise(to: fragment.margin.top)
        let avoidsBreaks =
            switch columns?.breakInside ?? .auto {
            case .auto: false
            case .avoid: true
            case .avoidPage: isPaged
            case .avoidColumn: !isPaged
            }
        if style?.box.clonesDecorationAtBreaks == true {
            let frame = fragment.frame
            push(RepeatedEdges(above: frame.top, below: frame.bottom))
        }
        if !mayBreak(fragment, style, engine) {
            if !fragment.isContextRoot {
                contentFlows[index] = collectFlow(from: top, to: top + fragment.rect.height) { _ in }.flow
            }
            // The margins of a float do not collapse, and stay with it.
            let margin = fragment.placement == .float ? fragment.margin : Edges()
            let start = max(top - margin.top.nonNegative, min(top, self.top))
            append(start, top + fragment.rect.height + margin.bottom.nonNegative)
        } else {
            if fragment.isContextRoot { contexts[index] = top + fragment.contentShift }
            collectContents(index, top: top, avoidsBreaks: avoidsBreaks, engine)
        }
        (name, edges) = (outerName, outerEdges)
        if let columns { meet(columns.breakAfter) }
        // A legend is not alone in a column or page.
        if engine.tree.boxes[fragment.parent].legend == index { meet(.avoid) }
    }

    /// Returns whether breaks may divide a box (CSS Fragmentation 3 §4.1: not if monolithic). On pages nothing scrolls.
    private func mayBreak(_ fragment: BoxFragment, _ style: ComputedStyle?, _ engine: LayoutEngine) -> Bool {
        switch fragment.kind {
        case .tableRow: return true
        case .block, .flex, .grid, .table, .tableWrapper, .tableRowGroup, .tableCell, .tableCaption:
            if let style, style.box.lineClamp > 0 || engine.containedHeight(fragment.box) != nil { return false }
            return fragment.axes == engine.axes && (isPaged || !fragment.isScrollContainer)
                && (fragment.box < 0 || engine.text.boxes[fragment.box].control < 0)
        case .canvas, .tableColumn, .ruby, .image, .lambda, .marker: return false
        }
    }

    // MARK: Repeated edges

    private mutating func push(_ inner: RepeatedEdges) {
        var inner = inner
        inner.outer = edges
        if edges >= 0 {
            inner.above += repeated[edges].above
            inner.below += repeated[edges].below
        }
        edges = repeated.count
        repeated.append(inner)
    }

    /// Collects the sections of a table; head and foot are repeated unless they are high (CSS Tables 3 §3.11).
    private mutating func collectSections(_ range: Range<Int>, _ engine: LayoutEngine) {
        let sections = children(range, engine)
        let outer = edges
        var inner = RepeatedEdges()
        for (index, next) in zip(sections, sections.dropFirst().map { Optional($0) } + [nil]) {
            let fragment = engine.tree.boxes[index]
            guard let style = engine.ownStyle(of: fragment), fragment.rect.height <= (pageHeight ?? .zero) / 4
            else { continue }
            switch style.box.display {
            case .tableHeaderGroup where index == sections[0]:
                guard let next else { break }
                (inner.head, inner.above) = (index, engine.tree.boxes[next].rect.y - fragment.rect.y)
            case .tableFooterGroup where next == nil:
                let above = sections.prefix { $0 != index }.last.map { engine.tree.boxes[$0].rect.maxY }
                (inner.foot, inner.below) = (index, fragment.rect.maxY - (above ?? fragment.rect.y))
            default: break
            }
        }
        let isRepeating = inner.head != nil || inner.foot != nil
        if isRepeating { push(inner) }
        let within = edges
        var previous: Int?
        for index in sections {
            edges = index == inner.head || index == inner.foot ? outer : within
            let first = pieces.count
            collectBox(index, engine)
            // A head or foot is not alone on a page.
            if isRepeating, first < pieces.count, previous == inner.head || index == inner.foot, previous != nil {
                pieces[first].avoidBreak()
            }
            previous = index
        }
        edges = outer
    }

    /// Collects the rows of a multi-column container, and the boxes that span its columns. A row is a space until it is known where
    /// the columns around divide it.
    private mutating func collectColumns(of index: Int, top: LayoutUnit, _ range: Range<Int>, _ engine: LayoutEngine) {
        let box = engine.tree.boxes[index].box
        var spanners = children(range, engine).filter { engine.spansColumns(engine.tree.boxes[$0].box) }[...]
        for (number, row) in (engine.columnRows[box] ?? []).enumerated() {
            guard let first = row.tops.first, let last = row.tops.last else { continue }
            let nested = NestedRow(row: ColumnRow(box: box, number: number), top: top + first, bottom: top + last)
            for (start, next) in zip(row.tops, row.tops.dropFirst()) where next > start {
                append(top + start, top + next, isSpace: root >= 0 && row.space == nil)
                if !row.isGiven { pieces[pieces.count - 1].nested = nested }
            }
            if let spanner = spanners.popFirst() { collectBox(spanner, engine) }
        }
    }

    /// Collects the cells of a row. Those that span further rows are flows beside these.
    private mutating func collectCells(of row: Int, _ range: Range<Int>, _ engine: LayoutEngine) {
        let bottom = engine.tree.boxes[row].rect.maxY
        let cells = children(range, engine)
        collectSideBySide(cells.filter { engine.tree.boxes[$0].rect.maxY <= bottom }, staysWhole: isPaged, engine)
        for cell in cells where engine.tree.boxes[cell].rect.maxY > bottom {
            guard let top = top(of: engine.tree.boxes[cell]) else { continue }
            let own = collectApart([cell], engine)
            let bottom = top + engine.tree.boxes[cell].rect.height
            flows[flow].sides.append(BrokenFlow.SideFlow(flow: own, top: top, bottom: bottom, holds: true))
        }
    }

    /// Collects the pieces of a box that breaks may divide, with its edges.
    private mutating func collectContents(_ index: Int, top: LayoutUnit, avoidsBreaks: Bool, _ engine: LayoutEngine) {
        let fragment = engine.tree.boxes[index]
        let (style, frame, first) = (engine.ownStyle(of: fragment), fragment.frame, pieces.count)
        let end = top + fragment.rect.height
        func collectInner(_ pieces: inout FlowPieces) {
            let range = index + 1..<max(index + 1, fragment.end)
            let makesColumns = style?.makesColumns == true
            guard fragment.lines.isEmpty || makesColumns else {
                let origin = pieces.contexts[fragment.isContextRoot ? index : fragment.origin] ?? .zero
                return pieces.collectLines(of: fragment, from: origin, engine)
            }
            if makesColumns, fragment.isContextRoot { return pieces.collectColumns(of: index, top: top, range, engine) }
            switch fragment.kind {
            case .block, .tableRowGroup, .tableCell, .tableCaption: pieces.collect(range, engine)
            case .tableRow: pieces.collectCells(of: index, range, engine)
            case .table: pieces.collectSections(range, engine)
            case .canvas, .flex, .grid, .tableColumn, .ruby, .image, .lambda, .marker, .tableWrapper:
                pieces.collectSideBySide(pieces.children(range, engine), staysWhole: avoidsBreaks, engine)
            }
        }
        if !avoidsBreaks, engine.hasOwnHeight(index) {
            let own = collectFlow(from: top, to: end, collectInner)
            contentFlows[index] = own.flow
            // Breaks do not show contents that are clipped below the box.
            if fragment.clips { flows[own.flow].pieces.removeAll { $0.top >= end } }
            appendBlock(from: top, to: end, frame, around: own.flow)
            if own.nextBreak == .forced { nextBreak = .forced }
            return
        }
        collectInner(&self)
        guard pieces.count > first else {
            // An empty box between two forced breaks has a page of its own.
            if avoidsBreaks, fragment.rect.height > .zero || nextBreak == .forced {
                append(top, end)
                // A box that is higher than a page is divided all the same (CSS Fragmentation 3 §4.4).
                let own = collectFlow(from: top, to: end) { $0.appendBlock(from: top, to: end, frame) }.flow
                boxFlows[index] = own
                (pieces[pieces.count - 1].flows, pieces[pieces.count - 1].staysWhole) = ([own], true)
            } else {
                appendBlock(from: top, to: end, frame)
            }
            return
        }
        // The box's edges stay with its first and last piece.
        pieces[first].top.lower(to: top)
        let last = pieces[pieces.count - 1].bottom
        let endsInMargin = fragment.kind == .block && fragment.rect.height == fragment.automaticHeight
        // A margin at the end is removed at the end of a column.
        if !endsInMargin || frame.bottom > .zero {
            if end - frame.bottom > last {
                append(last, end - frame.bottom, isSpace: true)
                if frame.bottom > .zero { append(end - frame.bottom, end) }
            }
            pieces[pieces.count - 1].bottom.raise(to: end)
            if style?.box.clonesDecorationAtBreaks == true { pieces[pieces.count - 1].ownEdges += frame.bottom }
        }
        guard avoidsBreaks else { return }
        for piece in pieces.indices.dropFirst(first) {
            pieces[piece].staysWhole = true
            pieces[piece].wholeHeight.raise(to: end - top)
            if piece > first { pieces[piece].avoidBreak() }
        }
    }

    /// Appends a box of a height of its own: its contents are a flow that ends anywhere (CSS Fragmentation 3 §4.4).
    private mutating func appendBlock(from top: LayoutUnit, to end: LayoutUnit, _ frame: Edges, around own: Int? = nil)
    {
        let inner = own.map { flows[$0].pieces } ?? []
        var head = top + frame.top
        if let first = inner.first, let lead = lead(of: inner) {
            if nextBreak == .allowed || first.breakBefore == .forced {
                (nextBreak, nextSide) = (first.breakBefore, first.side)
            }
            head.raise(to: lead)
        }
        if inner.isEmpty { head.lower(to: end) }
        if let own, !inner.isEmpty {
            flows[flow].sides.append(BrokenFlow.SideFlow(flow: own, top: top, bottom: end, holds: false))
        }
        let foot = max(head, end - frame.bottom)
        if head > top || !inner.isEmpty || nextBreak == .forced { append(top, head) }
        if foot > head { append(head, foot, isSpace: true) }
        if end > foot { append(foot, end) }
    }

    /// Collects boxes that may be side by side. With `staysWhole` they divide only where they are higher than a page.
    private mutating func collectSideBySide(_ boxes: [Int], staysWhole: Bool, _ engine: LayoutEngine) {
        var left = boxes.compactMap { index in
            top(of: engine.tree.boxes[index]).map {
                (index: index, top: $0, height: engine.tree.boxes[index].rect.height)
            }
        }[...]
        left.sort { ($0.top, $0.index) < ($1.top, $1.index) }
        while let first = left.popFirst() {
            var bottom = first.top + first.height
            var others: [Int] = []
            while let next = left.first, next.top < bottom {
                bottom.raise(to: next.top + next.height)
                others.append(next.index)
                left.removeFirst()
            }
            guard !others.isEmpty else {
                collectBox(first.index, engine)
                continue
            }
            let fragments = ([first.index] + others).map { engine.tree.boxes[$0] }
            let styles = fragments.compactMap { engine.ownStyle(of: $0)?.box.columns }
            for style in styles { meet(style.breakBefore) }
            appendSideBySide([first.index] + others, first.top, bottom, staysWhole: staysWhole, engine)
            for style in styles { meet(style.breakAfter) }
        }
    }

    /// Appends a piece of boxes side by side, each of which is a flow that breaks divide on its own.
    private mutating func appendSideBySide(
        _ boxes: [Int], _ top: LayoutUnit, _ bottom: LayoutUnit, staysWhole: Bool, _ engine: LayoutEngine
    ) {
        append(top, bottom)
        // Boxes that stay whole and fit in a page move as one.
        if staysWhole, let pageHeight, bottom - top <= pageHeight,
            !boxes.contains(where: { forcesBreak(in: $0, engine) })
        {
            return
        }
        let own = stacks(of: boxes, engine).map { collectApart($0, from: top, engine) }
        let piece = pieces.count - 1
        // A break before the first child is one before its parent (CSS Fragmentation 3 §3.1).
        if own.contains(where: { flows[$0].pieces.first?.breakBefore == .forced }) {
            pieces[piece].breakBefore = .forced
        }
        (pieces[piece].flows, pieces[piece].staysWhole) = (own, staysWhole)
        pieces[piece].lead = own.compactMap { lead(of: flows[$0].pieces) }.min()
        pieces[piece].breaksInside = own.contains { flow in
            flows[flow].pieces.indices.contains {
                let piece = flows[flow].pieces[$0]
                return piece.breaksInside || $0 > 0 && piece.breakBefore == .forced
            }
        }
    }

    /// Returns whether breaks before or after a box are forced in another one. O(log n) after the first time.
    private mutating func forcesBreak(in index: Int, _ engine: LayoutEngine) -> Bool {
        let forcing =
            forcingBoxes
            ?? engine.tree.boxes.indices.filter { i in
                guard let style = engine.ownStyle(of: engine.tree.boxes[i]), !style.box.$columns else { return false }
                return style.box.columns.breakBefore.forcesPage || style.box.columns.breakAfter.forcesPage
            }
        forcingBoxes = forcing
        let first = forcing.partitioningIndex { $0 >= index }
        return first < forcing.count && forcing[first] < max(index + 1, engine.tree.boxes[index].end)
    }

    /// Boxes that are one below the other among boxes side by side, in their order.
    private func stacks(of boxes: [Int], _ engine: LayoutEngine) -> [[Int]] {
        var stacks: [[Int]] = []
        let tops = Set(boxes.map { engine.tree.boxes[$0].rect.y })
        if tops.count == 1 { return boxes.map { [$0] } }
        for index in boxes {
            let rect = engine.tree.boxes[index].rect
            let above = stacks.lastIndex { stack in
                let last = engine.tree.boxes[stack[stack.count - 1]].rect
                return last.maxY <= rect.y && last.x < rect.maxX && rect.x < last.maxX
            }
            if let above { stacks[above].append(index) } else { stacks.append([index]) }
        }
        return stacks
    }

    /// The bottom of the first part of a flow that no break divides.
    func lead(of pieces: [FlowPiece]) -> LayoutUnit? {
        guard let first = pieces.first else { return nil }
        if first.isSpace { return first.top }
        if let lead = first.lead { return lead }
        let last = pieces.dropFirst().prefix(while: \.isJoined).last ?? first
        return last.lead ?? last.bottom
    }

    /// Collects lines, of which some stay together at a paragraph's start and end (CSS Fragmentation 3 §3.3).
    mutating func collectLines(of fragment: BoxFragment, from origin: LayoutUnit = .zero, _ engine: LayoutEngine) {
        let style = engine.text.styles[fragment.style].text
        let first = fragment.lines.lowerBound
        for line in fragment.lines {
            let rect = engine.tree.lines[line].rect
            append(origin + rect.y, origin + rect.maxY)
            let piece = pieces.count - 1
            pieces[piece].line = FlowPiece.Line(
                paragraph: first, number: line - first, left: fragment.lines.upperBound - line,
                orphans: Int(style.orphans), widows: Int(style.widows))
            guard let pageHeight, rect.height > pageHeight else { continue }
            // Inline blocks that are higher than a page.
            let boxes = engine.tree.inlines[engine.tree.lines[line].fragments].compactMap { inline in
                inline.kind == .atomic && inline.payload >= 0 ? inline.payload : nil
            }
            let whole = pieces.removeLast()
            appendSideBySide(boxes, whole.top, whole.bottom, staysWhole: true, engine)
            pieces[piece].line = whole.line
            (pieces[piece].breakBefore, pieces[piece].side) = (whole.breakBefore, whole.side)
            pieces[piece].margin = whole.margin
        }
    }

    // MARK: Footnotes

    /// Adds the heights of footnotes to the pieces with their calls. Linear in the fragments.
    mutating func noteCalls(of footnotes: inout Footnotes?, _ engine: LayoutEngine) {
        guard var notes = footnotes else { return }
        let area = notes.area..<engine.tree.boxes[notes.area].end
        // The calls in notes follow those that call these notes.
        for index in Array(1..<area.lowerBound) + Array(area.upperBound..<engine.tree.boxes.count) + Array(area) {
            let fragment = engine.tree.boxes[index]
            for line in fragment.lines {
                for inline in engine.tree.inlines[engine.tree.lines[line].fragments] {
                    guard let number = notes.numbers[inline.element], notes.notes[number].call == nil else { continue }
                    var place = (flow: 0, y: engine.tree.lines[line].rect.y)
                    if area.contains(index) {
                        let outer = notes.notes.partitioningIndex { $0.fragment > index } - 1
                        guard outer >= 0, let call = notes.notes[outer].call else { continue }
                        place = call
                    } else {
                        var context = fragment.isContextRoot ? index : fragment.origin
                        while context > 0, contexts[context] == nil {
                            place.y = engine.tree.boxes[context].rect.y
                            context = engine.tree.boxes[context].origin
                        }
                        guard let top = contexts[context] else { continue }
                        place = (contentFlow(of: index, in: engine.tree), top + place.y)
                    }
                    notes.notes[number].call = place
                    add(notes.notes[number].height, at: place)
                }
            }
        }
        footnotes = notes
    }

    private mutating func add(_ footnotes: LayoutUnit, at place: (flow: Int, y: LayoutUnit)) {
        var (place, inner) = (place, -1)
        while true {
            let index = flows[place.flow].pieces.partitioningIndex { $0.bottom > place.y }
            guard index < flows[place.flow].pieces.count else { return }
            // Flows side by side move with the piece around them, or reserve the height themselves.
            guard inner < 0 || flows[place.flow].pieces[index].flows.contains(inner) else { return }
            flows[place.flow].pieces[index].footnotes += footnotes
            guard let around = flows[place.flow].around else { return }
            (inner, place) = (place.flow, around)
        }
    }

    // MARK: Floats

    /// Collects the floats: those with nothing beside them are pieces, others flows that begin with what is beside.
    mutating func collectFloats(_ engine: LayoutEngine) {
        var left = (firstBox..<engine.tree.boxes.count).filter { engine.tree.boxes[$0].placement == .float }
        // Floats in a float are found once that one is collected.
        for _ in 0..<Self.deepestFloats where !left.isEmpty {
            let found = left.filter { top(of: engine.tree.boxes[$0]) != nil }
            if found.isEmpty { return }
            left.removeAll { top(of: engine.tree.boxes[$0]) != nil }
            let byFlow = Dictionary(grouping: found) { contentFlow(of: engine.tree.boxes[$0].parent, in: engine.tree) }
            for flow in byFlow.keys.sorted() {
                self.flow = flow
                collectFloats(byFlow[flow] ?? [], engine)
            }
            flow = 0
        }
        for flow in flows.indices { flows[flow].sides.sort { ($0.top, $0.flow) < ($1.top, $1.flow) } }
    }

    private static let deepestFloats = 8

    private mutating func collectFloats(_ floats: [Int], _ engine: LayoutEngine) {
        var alone: [Int] = []
        for index in floats {
            let fragment = engine.tree.boxes[index]
            guard let top = top(of: fragment) else { continue }
            let bottom = top + fragment.rect.height
            let piece = pieces.partitioningIndex { $0.bottom > top }
            if piece == pieces.count || pieces[piece].top >= bottom {
                alone.append(index)
                continue
            }
            let own = collectApart([index], engine)
            let lead = lead(of: flows[own].pieces) ?? bottom
            join(from: top, to: lead)
            guard lead < bottom else { continue }
            flows[flow].sides.append(BrokenFlow.SideFlow(flow: own, top: top, bottom: bottom, holds: true))
        }
        guard !alone.isEmpty else { return }
        let others = pieces
        pieces = []
        (nextBreak, nextSide, nextMargin) = (.allowed, nil, .zero)
        collectSideBySide(alone, staysWhole: false, engine)
        pieces = (others + pieces).enumerated().sorted { ($0.element.top, $0.offset) < ($1.element.top, $1.offset) }
            .map(\.element)
    }

    /// Prevents breaks between two heights.
    private mutating func join(from top: LayoutUnit, to bottom: LayoutUnit) {
        var index = pieces.partitioningIndex { $0.bottom > top }
        split(index, at: top)
        if index < pieces.count, pieces[index].bottom <= top { index += 1 }
        while index < pieces.count, pieces[index].top < bottom {
            split(index, at: bottom)
            pieces[index].isSpace = false
            if pieces[index].top > top { pieces[index].avoidBreak() }
            index += 1
        }
    }

    private mutating func split(_ index: Int, at y: LayoutUnit) {
        guard index < pieces.count, pieces[index].isSpace, pieces[index].top < y, y < pieces[index].bottom
        else { return }
        var rest = pieces[index]
        (rest.top, rest.breakBefore, rest.margin) = (y, .allowed, .zero)
        pieces[index].bottom = y
        pieces.insert(rest, at: index + 1)
    }
}
