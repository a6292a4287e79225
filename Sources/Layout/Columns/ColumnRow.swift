// Collects the pieces of columns: lines, pictures, scroll containers (CSS Fragmentation 3 §4.1).
//
// In: fragments laid out in one long column. Out: the pieces that stay together from top to bottom, and the formatting contexts
// that breaks divide. Boxes side by side in one of these stay together.

import FancyTextBoxes
import FancyTextStyling

/// The contents of a multi-column container between two boxes that span all of its columns.
struct ColumnRow {
    /// The container, to which all positions are relative.
    let root: Int
    let firstBox: Int
    let firstMarkerLine: Int
    let top: LayoutUnit
    private(set) var pieces: [ColumnPiece] = []
    /// The formatting contexts that breaks may divide, each with the top of its border box in the long column.
    private(set) var contexts: [Int: LayoutUnit]
    /// The kind of break before the next piece.
    private var nextBreak = ColumnPiece.Break.allowed
    private var nextMargin = LayoutUnit.zero

    init(root: Int, firstBox: Int, firstMarkerLine: Int, top: LayoutUnit) {
        self.root = root
        self.firstBox = firstBox
        self.firstMarkerLine = firstMarkerLine
        self.top = top
        contexts = [root: .zero]
    }

    private mutating func append(_ top: LayoutUnit, _ bottom: LayoutUnit, isSpace: Bool = false) {
        pieces.append(
            ColumnPiece(top: top, bottom: bottom, breakBefore: nextBreak, isSpace: isSpace, margin: nextMargin))
        nextBreak = .allowed
        nextMargin = .zero
    }

    private mutating func meet(_ value: BreakBetween) {
        switch value {
        case .column: nextBreak = .forced
        case .avoid, .avoidColumn: if nextBreak == .allowed { nextBreak = .avoided }
        case .auto, .avoidPage, .page: break
        }
    }

    /// The top of a fragment in the long column; nil if it stays with its container.
    func top(of fragment: BoxFragment) -> LayoutUnit? { contexts[fragment.origin].map { $0 + fragment.rect.y } }

    // MARK: Boxes

    /// Collects the pieces of the boxes of a flow.
    mutating func collect<C>(_ fragments: Range<Int>, _ engine: LayoutEngine<C>) {
        for index in children(fragments, engine) { collectBox(index, engine) }
    }

    private func children<C>(_ fragments: Range<Int>, _ engine: LayoutEngine<C>) -> [Int] {
        var found: [Int] = []
        var index = fragments.lowerBound
        while index < fragments.upperBound {
            let fragment = engine.tree.boxes[index]
            if fragment.placement == .inFlow, fragment.kind != .marker, contexts[fragment.origin] != nil {
                found.append(index)
            }
            index = max(index + 1, fragment.end)
        }
        return found
    }

    private mutating func collectBox<C>(_ index: Int, _ engine: LayoutEngine<C>) {
        let fragment = engine.tree.boxes[index]
        guard let top = top(of: fragment) else { return }
        let style = fragment.isAnonymous ? nil : engine.text.styles[fragment.style].box.columns
        if let style { meet(style.breakBefore) }
        nextMargin = max(nextMargin, fragment.margin.top)
        let avoidsBreaks = style.map { $0.breakInside == .avoid || $0.breakInside == .avoidColumn } ?? false
        if !fragment.isContextRoot {
            collectContents(index, top: top, avoidsBreaks: avoidsBreaks, engine) { $0.collect($1, engine) }
        } else if !mayBreak(fragment, style) {
            append(top, top + fragment.rect.height)
        } else {
            contexts[index] = top
            let isFlow = fragment.kind == .block
            collectContents(index, top: top, avoidsBreaks: avoidsBreaks, engine) { row, range in
                if isFlow {
                    row.collect(range, engine)
                } else {
                    row.collectSideBySide(row.children(range, engine), engine)
                }
            }
        }
        if let style { meet(style.breakAfter) }
    }

    /// Returns whether breaks may divide a formatting context.
    private func mayBreak(_ fragment: BoxFragment, _ style: ColumnStyle?) -> Bool {
        switch fragment.kind {
        case .block, .flex, .grid, .table, .tableWrapper, .tableRowGroup:
            return !fragment.clips && fragment.legend < 0 && fragment.collapsedBorders.isEmpty
                && style?.makesColumns != true
        case .canvas, .tableRow, .tableCell, .tableCaption, .tableColumn, .ruby, .image, .lambda, .marker: return false
        }
    }

    /// Collects the pieces of a box that breaks may divide, with its edges.
    private mutating func collectContents<C>(
        _ index: Int, top: LayoutUnit, avoidsBreaks: Bool, _ engine: LayoutEngine<C>,
        _ collect: (inout ColumnRow, Range<Int>) -> Void
    ) {
        let fragment = engine.tree.boxes[index]
        let first = pieces.count
        let frame = fragment.border + fragment.padding
        if fragment.lines.isEmpty {
            collect(&self, index + 1..<max(index + 1, fragment.end))
        } else {
            collectLines(
                of: fragment, from: contexts[fragment.isContextRoot ? index : fragment.origin] ?? .zero, engine)
        }
        let end = top + fragment.rect.height
        guard pieces.count > first else {
            if fragment.rect.height > .zero { append(top, end, isSpace: frame.vertical == .zero && !avoidsBreaks) }
            return
        }
        if avoidsBreaks {
            for piece in pieces.indices.dropFirst(first + 1) where pieces[piece].breakBefore == .allowed {
                pieces[piece].breakBefore = .avoided
            }
        }
        // The box's edges stay with its first and last piece.
        pieces[first].top = min(pieces[first].top, top)
        let last = pieces[pieces.count - 1].bottom
        let endsInMargin =
            fragment.isContextRoot && fragment.kind == .block && fragment.rect.height == fragment.automaticHeight
        // A margin at the end is removed at the end of a column.
        guard !endsInMargin || frame.bottom > .zero else { return }
        if end - frame.bottom > last, !avoidsBreaks { append(last, end - frame.bottom, isSpace: true) }
        pieces[pieces.count - 1].bottom = max(pieces[pieces.count - 1].bottom, end)
    }

    /// Collects boxes that may be beside each other; those that are stay together.
    private mutating func collectSideBySide<C>(_ boxes: [Int], _ engine: LayoutEngine<C>) {
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
                bottom = max(bottom, next.top + next.height)
                others.append(next.index)
                left.removeFirst()
            }
            guard !others.isEmpty else {
                collectBox(first.index, engine)
                continue
            }
            let fragments = ([first.index] + others).map { engine.tree.boxes[$0] }
            let styles = fragments.filter { !$0.isAnonymous }.map { engine.text.styles[$0.style].box.columns }
            for style in styles { meet(style.breakBefore) }
            let areEmpty = zip([first.index] + others, fragments).allSatisfy { index, fragment in
                fragment.end == index + 1 && fragment.lines.isEmpty && mayBreak(fragment, nil)
                    && (fragment.border + fragment.padding).vertical == .zero
            }
            if areEmpty { for index in [first.index] + others { contexts[index] = top(of: engine.tree.boxes[index]) } }
            append(first.top, bottom, isSpace: areEmpty)
            for style in styles { meet(style.breakAfter) }
        }
    }

    /// Collects lines, of which some stay together at the beginning and at the end of a paragraph (CSS Fragmentation 3 §3.3).
    ///
    /// - Parameter origin: the origin of the lines' positions.
    mutating func collectLines<C>(of fragment: BoxFragment, from origin: LayoutUnit = .zero, _ engine: LayoutEngine<C>)
    {
        let style = engine.text.styles[fragment.style].text
        let first = fragment.lines.lowerBound
        for line in fragment.lines {
            append(origin + engine.tree.lines[line].rect.y, origin + engine.tree.lines[line].rect.maxY)
            pieces[pieces.count - 1].line = ColumnPiece.Line(
                paragraph: first, number: line - first, left: fragment.lines.upperBound - line,
                orphans: Int(style.orphans), widows: Int(style.widows))
        }
    }

    // MARK: Floats

    /// Prevents breaks that would divide a float; floats without content beside them are pieces themselves.
    mutating func collectFloats<C>(_ engine: LayoutEngine<C>) {
        var alone: [Int] = []
        for index in firstBox..<engine.tree.boxes.count {
            let fragment = engine.tree.boxes[index]
            guard fragment.placement == .float, let top = top(of: fragment) else { continue }
            var piece = pieces.partitioningIndex { $0.bottom > top }
            if piece == pieces.count || pieces[piece].top >= top + fragment.rect.height {
                alone.append(index)
                continue
            }
            if pieces[piece].top <= top { piece += 1 }
            while piece < pieces.count, pieces[piece].top < top + fragment.rect.height {
                if pieces[piece].breakBefore == .allowed { pieces[piece].breakBefore = .avoided }
                piece += 1
            }
        }
        guard !alone.isEmpty else { return }
        let others = pieces
        pieces = []
        (nextBreak, nextMargin) = (.allowed, .zero)
        collectSideBySide(alone, engine)
        pieces = (others + pieces).enumerated().sorted { ($0.element.top, $0.offset) < ($1.element.top, $1.offset) }
            .map(\.element)
    }
}
