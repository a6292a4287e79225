// Breaks content that is laid out in one long column into columns or pages (CSS Multi-column 1 §7, Fragmentation 3 §4).

struct FlowBreaking {
    var flows: [BrokenFlow]
    private let repeated: [RepeatedEdges]
    private(set) var strip: PageStrip
    /// The rows of columns in the flows that are divided where their pages begin, by their boxes; and the heights that
    /// columns or pages leave for those that are placed.
    var rows: [Int: [ColumnRowContents]] = [:]
    private(set) var spaces: [ColumnRow: ColumnSpace] = [:]
    /// The copies of heads and feet: the lowest place of each on a page.
    private(set) var repeats: [RepeatKey: LayoutUnit] = [:]

    struct RepeatKey: Hashable {
        var edges, page: Int
        var isFoot: Bool
    }

    init(_ flows: [BrokenFlow], repeated: [RepeatedEdges] = [], on strip: PageStrip, footnotes: Footnotes? = nil) {
        (self.flows, self.repeated, self.strip) = (flows, repeated, strip)
        self.strip.footnoteEdges = footnotes?.edges ?? .zero
    }

    private struct Progress {
        var at: BreakPosition
        var steps: [(y: LayoutUnit, at: BreakPosition)]
        /// The first piece of the current page, and whether it is at the top of that.
        var first = 0
        var isFresh: Bool
        /// The last piece of the current page that a break may precede.
        var candidate: Int?
        var index = 0
        /// The number of floats that have begun, and those that have not ended.
        var sides = 0
        var open: [(bottom: LayoutUnit, side: Int, end: BreakPosition)] = []
        /// The next piece of the source, the distance by which rows of columns above move it, and where these begin.
        var next = 0
        var shift = LayoutUnit.zero
        var rows: [(index: Int, next: Int, shift: LayoutUnit)] = []

        mutating func turn(to next: BreakPosition, from y: LayoutUnit, first piece: Int) {
            at = next
            steps.append((y, next))
            (first, index, candidate, isFresh) = (piece, piece, nil, true)
        }
    }

    /// Places the pieces of a flow; returns its end. `isFresh` at the top of a page. Linear, apart from rows of columns that are divided.
    @discardableResult
    mutating func place(_ flow: Int, from start: BreakPosition, isFresh: Bool = true) -> BreakPosition {
        let source = flows[flow].pieces
        strip.open(start.page, name: source.first?.name ?? -1)
        var state = Progress(at: start, steps: [(LayoutUnit(raw: .min), start)], isFresh: isFresh)
        if rows.isEmpty { state.next = source.count } else { flows[flow].pieces = [] }
        while state.index < flows[flow].pieces.count || take(flow, from: source, &state) {
            let index = state.index
            let piece = flows[flow].pieces[index]
            let previous = index > 0 ? flows[flow].pieces[index - 1] : nil
            strip.open(state.at.page, name: piece.name)
            if rows.isEmpty, let nested = piece.nested, nested.row != previous?.nested?.row {
                spaces[nested.row] = strip.space(below: nested.top, state.at)
            }
            placeFloats(of: flow, before: piece, &state)
            let isFirst = index == state.first && state.isFresh
            let changesName = piece.name != previous?.name ?? piece.name
            if piece.breakBefore == .forced || changesName, index > state.first, !strip.isFull {
                turnPage(in: flow, before: index, keepsMargin: true, &state)
            } else if !exceeds(piece, state.at), !piece.breaksInside {
                if index > state.first, mayBreak(flow, before: index, from: state.first) { state.candidate = index }
                strip.reserve(piece.footnotes, on: state.at.page)
                state.index += 1
            } else if piece.isSpace,
                piece.wholeHeight <= .zero || piece.wholeHeight > strip.wholeHeight(at: state.at.page),
                strip.height(of: state.at.page) > max(.zero, piece.top - state.at.top)
            {
                breakSpace(piece, &state)
            } else if divides(piece, state.at, isFirst: isFirst) {
                placeSideBySide(piece, of: flow, isFresh: isFirst, &state)
            } else if !isFirst, !strip.isFull {
                // If every break is to be avoided, the last one is used.
                if mayBreak(flow, before: index, from: state.first) { state.candidate = index }
                turnPage(in: flow, before: state.candidate ?? index, keepsMargin: false, &state)
            } else {
                strip.reserve(piece.footnotes, on: state.at.page)
                if strip.isStacked { passPages(under: piece, &state) }
                (state.first, state.candidate) = (index, nil)
                state.index += 1
            }
        }
        if let last = flows[flow].pieces.last { finishFloats(above: .unlimited, at: last.bottom - .epsilon, &state) }
        (flows[flow].pieces, flows[flow].steps) = (source, state.steps)
        flows[flow].growth = state.shift
        return state.at
    }

    /// Places a flow that rows of columns above it move.
    private mutating func place(_ flow: Int, from start: BreakPosition, isFresh: Bool, movedBy shift: LayoutUnit)
        -> BreakPosition
    {
        let end = place(flow, from: BreakPosition(page: start.page, top: start.top - shift), isFresh: isFresh)
        return BreakPosition(page: end.page, top: end.top + shift)
    }

    /// Appends the next piece, or those into which the page divides a row of columns; false at the end of the flow.
    private mutating func take(_ flow: Int, from source: [FlowPiece], _ state: inout Progress) -> Bool {
        guard state.next < source.count else { return false }
        let first = source[state.next].moved(by: state.shift)
        // A container that stays whole is not divided where it fits the next page.
        let staysWhole = first.wholeHeight > .zero && first.wholeHeight <= strip.wholeHeight(at: state.at.page)
        guard !staysWhole, let nested = first.nested, let row = rows[nested.row.box]?[nested.row.number] else {
            flows[flow].pieces.append(first)
            state.next += 1
            return true
        }
        state.rows.append((flows[flow].pieces.count, state.next, state.shift))
        let parts = source[state.next...].prefix { $0.nested?.row == nested.row }.map { $0.moved(by: state.shift) }
        state.next += parts.count
        let space = strip.space(below: nested.top, state.at)
        spaces[nested.row] = space
        if space == row.space {
            flows[flow].pieces += parts
            return true
        }
        let (breaking, height) = row.broken(in: space)
        let tops = breaking.strip.tops + [max(height, .epsilon)]
        for (top, bottom) in zip(tops, tops.dropFirst()) where bottom > top {
            var piece = top == .zero ? first : FlowPiece(top: nested.top + top, bottom: .zero)
            (piece.bottom, piece.isSpace, piece.nested) = (nested.top + bottom, false, nested)
            (piece.repeated, piece.name, piece.wholeHeight) = (first.repeated, first.name, first.wholeHeight)
            if top > .zero, first.wholeHeight > .zero { piece.avoidBreak() }
            flows[flow].pieces.append(piece)
        }
        let end = flows[flow].pieces.count - 1
        flows[flow].pieces[end].bottom += parts[parts.count - 1].bottom - nested.bottom
        state.shift += nested.top + height - nested.bottom
        return true
    }

    private func exceeds(_ piece: FlowPiece, _ at: BreakPosition) -> Bool {
        let below = piece.repeated < 0 ? .zero : repeated[piece.repeated].below - piece.ownEdges
        return piece.bottom - at.top > strip.height(of: at.page, with: piece.footnotes) - below
    }

    /// Returns whether breaks divide the contents of a piece that does not fit.
    private func divides(_ piece: FlowPiece, _ at: BreakPosition, isFirst: Bool) -> Bool {
        guard !piece.flows.isEmpty, !strip.isFull else { return false }
        if isFirst { return true }
        let isWhole = piece.staysWhole && !piece.breaksInside
        if isWhole, piece.bottom - piece.top <= strip.wholeHeight(at: at.page) { return false }
        var first = piece
        first.bottom = piece.lead ?? piece.bottom
        return !exceeds(first, at)
    }

    private mutating func placeSideBySide(_ piece: FlowPiece, of outer: Int, isFresh: Bool, _ state: inout Progress) {
        var end = state.at
        let shift = state.shift
        for flow in piece.flows { end.raise(to: place(flow, from: state.at, isFresh: isFresh, movedBy: shift)) }
        let index = state.index
        let inner = piece.flows.map { flows[$0] }
        let growth = (inner.map { $0.bottom + $0.growth }.max() ?? .zero) - (inner.map(\.bottom).max() ?? .zero)
        if growth != .zero, index + 1 == flows[outer].pieces.count {
            state.rows.append((index, state.next - 1, shift))
            state.shift += growth
        }
        if end != state.at {
            let y = piece.bottom - .epsilon
            state.turn(to: end, from: y, first: index)
            // Boxes of the same height end together.
            for flow in piece.flows where flows[flow].bottom + shift + LayoutUnit(1) >= piece.bottom {
                if let last = flows[flow].steps.last, last.at < end { flows[flow].steps.append((max(last.y, y), end)) }
            }
        }
        state.index = index + 1
    }

    /// Breaks in a space, and again after each page's height.
    private mutating func breakSpace(_ piece: FlowPiece, _ state: inout Progress) {
        var next = state.at
        while piece.bottom - next.top > strip.height(of: next.page), !strip.isFull {
            next.top = max(next.top + strip.height(of: next.page), piece.top)
            next.page = strip.page(after: next.page, name: piece.name)
            state.turn(to: next, from: next.top, first: state.index)
        }
        state.index += 1
    }

    /// A piece that is higher than a page is cut by all pages that it reaches.
    private mutating func passPages(under piece: FlowPiece, _ state: inout Progress) {
        var next = state.at
        while piece.bottom - next.top > strip.height(of: next.page), strip.height(of: next.page) > .zero, !strip.isFull
        {
            next.top += strip.height(of: next.page)
            next.page = strip.page(after: next.page, name: piece.name)
        }
        if next != state.at { state.turn(to: next, from: piece.bottom, first: state.index) }
    }

    private mutating func turnPage(in flow: Int, before index: Int, keepsMargin: Bool, _ state: inout Progress) {
        let piece = flows[flow].pieces[index]
        let previous = index > 0 ? flows[flow].pieces[index - 1] : nil
        let old = state.at
        for moved in flows[flow].pieces[index..<max(index, state.index)] {
            strip.reserve(.zero - moved.footnotes, on: old.page)
        }
        // Floats that begin after the break are placed again.
        while state.sides > 0, flows[flow].sides[state.sides - 1].top + state.shift >= piece.top {
            state.sides -= 1
            state.open.removeAll { $0.side == state.sides }
        }
        let edges = previous.map { common(piece.repeated, $0.repeated) } ?? piece.repeated
        let above = edges < 0 ? .zero : repeated[edges].above
        let page = strip.page(after: old.page, name: piece.name, on: piece.side)
        let top = piece.top - above - (keepsMargin ? piece.margin : .zero)
        noteRepeats(edges, from: old, to: page, bottom: previous?.bottom)
        state.turn(to: BreakPosition(page: page, top: top), from: piece.top, first: index)
        // Rows of columns below the break are divided at other places.
        // One that might have been divided before the break stays as it is, so that it begins where it fits.
        let isKept = !keepsMargin && piece.wholeHeight == .zero
        while let row = state.rows.last, row.index >= index + (isKept ? 1 : 0) {
            flows[flow].pieces.removeSubrange(row.index...)
            (state.next, state.shift) = (row.next, row.shift)
            state.rows.removeLast()
        }
    }

    /// Returns the innermost box with repeated edges around two pieces.
    private func common(_ first: Int, _ second: Int) -> Int {
        var (a, b) = (first, second)
        // Inner boxes have higher indices.
        while a != b { if a > b { a = repeated[a].outer } else { b = repeated[b].outer } }
        return a
    }

    private mutating func noteRepeats(_ edges: Int, from old: BreakPosition, to page: Int, bottom: LayoutUnit?) {
        var edges = edges
        // The feet of the tables inside.
        var within = LayoutUnit.zero
        while edges >= 0 {
            let (this, outer) = (repeated[edges], repeated[edges].outer)
            let around = outer < 0 ? RepeatedEdges() : repeated[outer]
            if this.foot != nil {
                let last = strip.top(of: old.page) + strip.height(of: old.page) - this.below
                let y = bottom.map { min(last, strip.top(of: old.page) + $0 - old.top + within) } ?? last
                let key = RepeatKey(edges: edges, page: old.page, isFoot: true)
                repeats[key] = max(repeats[key] ?? y, y)
            }
            if this.head != nil {
                repeats[RepeatKey(edges: edges, page: page, isFoot: false)] = strip.top(of: page) + around.above
            }
            within += this.below - around.below
            edges = outer
        }
    }

    /// Returns whether a page that begins with piece `start` may end before piece `index`. If orphans and widows cannot both be
    /// satisfied, the lines at the beginning of the paragraph's part in the page count, as in Chromium.
    private func mayBreak(_ flow: Int, before index: Int, from start: Int) -> Bool {
        let pieces = flows[flow].pieces
        guard pieces[index].breakBefore == .allowed else { return false }
        guard let line = pieces[index].line, line.number > 0 else { return true }
        var number = line.number
        if let first = pieces[start].line, first.paragraph == line.paragraph { number -= first.number }
        return number >= line.orphans && (line.left >= line.widows || number == line.orphans && !line.isShort)
    }

    /// Places the high floats that begin above a piece, and moves the piece below those that end above it.
    private mutating func placeFloats(of flow: Int, before piece: FlowPiece, _ state: inout Progress) {
        let shift = state.shift
        while state.sides < flows[flow].sides.count, flows[flow].sides[state.sides].top + shift <= piece.top {
            let side = flows[flow].sides[state.sides]
            let isFresh = state.isFresh && state.index == state.first
            let end = place(side.flow, from: state.at, isFresh: isFresh, movedBy: shift)
            if side.holds { state.open.append((side.bottom + shift, state.sides, end)) }
            state.sides += 1
        }
        finishFloats(above: piece.top, at: piece.top, &state)
    }

    private func finishFloats(above y: LayoutUnit, at start: LayoutUnit, _ state: inout Progress) {
        for float in state.open where float.bottom <= y && float.end > state.at {
            state.turn(to: float.end, from: start, first: state.index)
        }
        state.open.removeAll { $0.bottom <= y }
    }
}

/// Columns or pages, in the order in which content fills them.
struct PageStrip {
    private(set) var pages: [LayoutPage]
    /// The content height of a page; columns are pages of the same height.
    private let size: (_ number: Int, _ name: String, _ isBlank: Bool) -> (width: LayoutUnit, height: LayoutUnit)
    let names: [String]
    /// True for pages, which are placed one below the other, false for columns.
    let isStacked: Bool
    /// The number of columns beside each other, and of rows of them. Further columns are in the last row.
    private let columns, rows: Int
    private let gap: LayoutUnit

    init(columns: Int = .max, rows: Int = 1, gap: LayoutUnit = .zero, _ height: @escaping (_ row: Int) -> LayoutUnit) {
        size = { number, _, _ in (.zero, height(min(number / columns, rows - 1))) }
        (names, isStacked, pages) = ([], false, [])
        (self.columns, self.rows, self.gap) = (columns, rows, gap)
    }

    func row(of page: Int) -> Int { min(page / columns, rows - 1) }
    /// The number of columns beside one in its row.
    func column(of page: Int) -> Int { page - row(of: page) * columns }

    /// - Parameter pages: The pages that there are already.
    init(_ areas: PageAreas, names: [String] = [], after pages: [LayoutPage] = []) {
        self.pages = pages
        size = { number, name, isBlank in
            let size = areas.size(PageKind(number: number, name: name, isBlank: isBlank))
            return (LayoutUnit(size.width), max(LayoutUnit(1), LayoutUnit(size.height)))
        }
        self.names = names
        (isStacked, columns, rows, gap) = (true, 1, .max, .zero)
    }

    /// The most breaks of all flows, which are side by side: each is a part of a box.
    private static let mostBreaks = 200_000
    private var breaks = 0
    var footnoteEdges = LayoutUnit.zero

    var hasMostBreaks: Bool { breaks >= Self.mostBreaks }
    var isFull: Bool { pages.count >= LayoutTree.mostPages || hasMostBreaks }

    mutating func open(_ page: Int, name: Int, isBlank: Bool = false) {
        while pages.count <= page {
            let name = name < 0 ? "" : names[name]
            let size = size(pages.count, name, isBlank)
            let isFirst = isStacked || column(of: pages.count) == 0
            // Pages begin at whole pixels: an edge that is rounded up would be on the page before.
            let end = isStacked ? LayoutUnit(bottom.float.rounded(.up)) : bottom
            pages.append(
                LayoutPage(
                    top: isFirst ? end + (pages.isEmpty ? .zero : gap) : lastTop, width: size.width,
                    height: size.height, name: name, isBlank: isBlank))
        }
    }

    var bottom: LayoutUnit { pages.last?.bottom ?? .zero }
    var lastTop: LayoutUnit { pages.last?.top ?? .zero }

    /// The height of a page above its footnotes.
    func height(of page: Int) -> LayoutUnit { pages[page].contentHeight }

    /// The height of what need not be divided: it fits a page or the one after that.
    func wholeHeight(at page: Int) -> LayoutUnit { max(height(of: page), nextHeight(page + 1, after: page)) }

    private func nextHeight(_ next: Int, after page: Int) -> LayoutUnit {
        next < pages.count ? pages[next].height : size(next, pages[page].name, false).height
    }

    /// The heights for the rows of columns in a container that begins at a height of a flow.
    func space(below top: LayoutUnit, _ at: BreakPosition) -> ColumnSpace {
        // Rows are as high as whole pixels, like pages.
        func whole(_ height: LayoutUnit) -> LayoutUnit { isStacked ? LayoutUnit(height.floor) : height }
        func next(_ number: Int) -> LayoutUnit { whole(nextHeight(at.page + number, after: at.page)) }
        return ColumnSpace(
            first: whole(pages[at.page].height - (top - at.top)), others: next(1), alternate: isStacked ? next(2) : nil)
    }

    /// The tops of rows of columns.
    var tops: [LayoutUnit] { Set(pages.map(\.top)).sorted() }

    func height(of page: Int, with footnotes: LayoutUnit) -> LayoutUnit {
        guard footnotes > .zero else { return height(of: page) }
        return height(of: page) - footnotes - (pages[page].footnotes == .zero ? footnoteEdges : .zero)
    }

    /// Adds to the height of a page's footnotes, or takes from it.
    mutating func reserve(_ footnotes: LayoutUnit, on page: Int) {
        guard footnotes != .zero else { return }
        let edges = pages[page].footnotes == .zero ? .zero : footnoteEdges
        let sum = (pages[page].footnotes - edges + footnotes).nonNegative
        pages[page].footnotes = sum == .zero ? .zero : sum + footnoteEdges
    }

    func top(of page: Int) -> LayoutUnit { pages[page].top }
    func page(at y: LayoutUnit) -> Int { max(0, pages.partitioningIndex { $0.top > y } - 1) }

    /// The page after another one, or the next one after that on a side.
    mutating func page(after page: Int, name: Int, on side: PageSide? = nil) -> Int {
        breaks += 1
        var next = page + 1
        // Page 0 is a right one.
        if isStacked, let side, (next % 2 == 0) != (side == .right) {
            open(next, name: name, isBlank: true)
            next += 1
        }
        open(next, name: name)
        return next
    }
}
