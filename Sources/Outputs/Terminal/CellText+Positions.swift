// Positioned boxes in cells (CSS Positioned Layout 3): they are placed as in the picture, unless they would cover text. In:
// styled text. Out: insets and translations in cells, space in the containing blocks, and, after the painter has found
// overlapping text, those boxes in the flow.

import FancyTextCSS

extension CellText {
    /// A length that may be negative, in whole lines, or in columns, which only a percentage keeps from being whole.
    private func signed(_ length: LengthPercentage, isVertical: Bool = false) -> LengthPercentage {
        let cell = max(1, isVertical ? options.cellHeight : options.cellWidth)
        return length.mapped { sum in
            let cells = max(-1000, min(1000, sum.px / cell))
            let px = isVertical || sum.fraction == 0 ? cells.rounded() : cells
            return .init(px: px, fraction: max(-4, min(4, sum.fraction)))
        }
    }

    /// Converts the insets of a positioned box, and the margins and translations that move it. Relative and sticky boxes are not
    /// moved: less than a line cannot be shown, and more would cover other text.
    func position(_ box: inout BoxStyle, as style: BoxStyle) {
        switch style.position {
        case .static: return
        case .relative, .sticky: box.position = .static
        case .absolute, .fixed:
            box.positioned.inset = Sides { side in
                style.positioned.inset[clockwise: side].map { signed($0, isVertical: side % 2 == 0) }
            }
            box.margin.left = style.margin.left.map { signed($0) }
            box.margin.right = style.margin.right.map { signed($0) }
            guard !style.$transform else { return }
            box.transform = TransformStyle()
            box.transform.functions = style.transform.moves.map {
                .translate(signed($0), signed($1, isVertical: true), 0)
            }
        }
    }

    /// Keeps the margin of a float that is moved over the one before it, into the space which a box in that one leaves.
    mutating func moveBeside(_ index: Int) {
        let parent = text.boxes[index].parent
        let box = originals[text.boxes[index].style].box
        var before = index - 1
        while before > parent, text.boxes[before].parent != parent { before = text.boxes[before].parent }
        guard before > parent, box.margin.left?.fraction == -1, box.position == .static,
            case .length(let width) = box.width, !width.isRelative, columns(width.px) * 2 <= Float(options.width),
            text.boxes[before].end > before + 1, !text.boxes[before + 1].isAnonymous,
            let space = originals[text.boxes[before + 1].style].box.margin.left, space.px >= width.px
        else { return }
        restyle(index, .beside) { $0.margin.left = LengthPercentage(fraction: -1) }
    }

    /// Gives items of a grid that begin in the same place, and would cover each other's text, rows of their own.
    mutating func unstackGrids() {
        let grids = text.boxes.indices.filter { text.boxes[$0].kind == .grid }
        let isFilled = grids.isEmpty ? [] : boxesWithContents()
        for grid in grids {
            var places: [(GridLine, GridLine, BoxStyle.BoxAlignment?)] = []
            for item in text.items(of: grid).inFlow where !text.boxes[item].isAnonymous && isFilled[item] {
                let style = text.styles[text.boxes[item].style].box
                let place = (style.gridItem.rowStart, style.gridItem.columnStart, style.justifySelf)
                if place.0 != .auto, place.1 != .auto, places.contains(where: { $0 == place }) {
                    restyle(item, .unstacked) { ($0.gridItem.rowStart, $0.gridItem.rowEnd) = (.auto, .auto) }
                } else if places.count < 100 {
                    places.append(place)
                }
            }
        }
    }

    /// Returns by box whether it contains visible text, a picture or a control.
    func boxesWithContents() -> [Bool] {
        func shows(_ style: StyleID) -> Bool { text.styles[style].text.visibility == .visible }
        var result = [Bool](repeating: false, count: text.boxes.count)
        for index in text.boxes.indices.reversed() {
            let box = text.boxes[index]
            if box.replaced >= 0 || box.control >= 0 {
                result[index] = shows(box.style)
            } else if box.holdsInlines, !result[index] {
                result[index] = text.items[box.items].contains { $0.run.map { shows(text.runs[$0].style) } ?? false }
            }
            if outOfSight.contains(index) { result[index] = false }
            if result[index], box.parent >= 0 { result[box.parent] = true }
        }
        return result
    }

    /// The containing blocks of positioned boxes with contents, with their heights in lines. Records which boxes are invisible, and
    /// takes them out of the flow. No box may have its own variant of a style yet.
    mutating func roomsOfPositions() -> [(box: Int, lines: Float)] {
        func original(_ box: Int) -> BoxStyle { originals[text.boxes[box].style].box }
        for (index, box) in text.boxes.enumerated() {
            if outOfSight.contains(box.isPositioned ? box.containingBlock : box.parent) {
                outOfSight.insert(index)
            } else if index > 0, !box.isAnonymous,
                box.isPositioned || box.control < 0 && box.end + box.items.count > index + 1
            {
                guard box.isPositioned || box.kind == .block || box.kind == .flex || box.kind == .grid,
                    original(index).isOutOfSight(isPositioned: box.isPositioned) || isOffPage(index)
                else { continue }
                outOfSight.insert(index)
                if !box.isPositioned { text.boxes[index].containingBlock = 0 }
            }
        }
        for index in text.items.indices {
            if case .atomic(let box, _) = text.items[index], text.boxes[box].isPositioned {
                text.items[index] = .float(box: box)
            }
        }
        /// The height that a box has without its contents, in pixels.
        func height(of box: Int, ancestors: Int) -> Float {
            let (style, parent) = (original(box), text.boxes[box].parent)
            let around = ancestors > 0 && parent >= 0 ? height(of: parent, ancestors: ancestors - 1) : 0
            return [style.height, style.minHeight].reduce(0) { height, size in
                guard case .length(let length) = size, around > 0 || !length.isRelative else { return height }
                return max(height, length.resolved(against: around))
            }
        }
        guard text.boxes.contains(where: \.isPositioned) else { return [] }
        let isFilled = boxesWithContents()
        let rooms = Set(text.boxes.indices.filter { isFilled[$0] }.map { text.boxes[$0].containingBlock })
        return rooms.filter { $0 > 0 }.sorted().compactMap { box in
            // A lower box is a line with an ornament.
            let lines = lines(height(of: box, ancestors: 4))
            return lines < 3 ? nil : (box, lines)
        }
    }

    /// Returns whether the lines of a box are moved off the page for search engines: no picture is in their place, and they are no
    /// link.
    private func isOffPage(_ index: Int) -> Bool {
        let box = text.boxes[index]
        let style = originals[box.style]
        if box.parent >= 0, text.boxes[box.parent].control >= 0 { return false }
        return box.holdsInlines && style.text.indent.px <= -999 && style.box.backgroundLayers.isEmpty && box.link < 0
            && !text.items[box.items].contains { $0.run.map { text.runs[$0].link >= 0 } ?? false }
    }

    /// Gives containing blocks their heights, and keeps invisible boxes out of the flow.
    mutating func makeRoom(_ rooms: [(box: Int, lines: Float)]) {
        for (box, lines) in rooms {
            restyle(box, .room) { style in style.minHeight = .length(LengthPercentage(px: lines)) }
        }
        for box in outOfSight.sorted() where text.boxes[box].isPositioned {
            restyle(box, .unseen) { $0.position = .absolute }
        }
    }

    /// Moves the positioned boxes with contents into the flow, each on separate lines: those in some containing blocks, or all.
    mutating func putIntoFlow(placedIn blocks: Set<Int>?) {
        let isFilled = boxesWithContents()
        var moved = Set<Int>()
        for index in text.boxes.indices where text.boxes[index].isPositioned && isFilled[index] {
            if let blocks, !blocks.contains(text.boxes[index].containingBlock) { continue }
            moved.insert(index)
            text.boxes[index].containingBlock = -1
            text.boxes[index].containingInline = nil
        }
        for block in blocks ?? [] { restyle(block, .overlap) { $0.minHeight = .auto } }
        for box in moved.sorted() { giveOwnLines(box) }
        for index in text.items.indices {
            guard case .float(let box) = text.items[index], moved.contains(box) else { continue }
            text.items[index] = .atomic(box: box, offset: text.text.count)
            text.text += [0xEF, 0xBF, 0xBC]
        }
    }

    /// Makes a positioned box as wide as its container.
    private mutating func giveOwnLines(_ box: Int) {
        let parent = text.boxes[box].parent
        let kind = text.boxes[parent].kind
        let isPicture = text.boxes[box].replaced >= 0
        let isRow = kind == .flex && text.styles[text.boxes[parent].style].isFlexRow
        if isRow { restyle(parent, .wrapping) { $0.flexWraps = true } }
        let all = LengthPercentage(fraction: 1)
        let isInLine = text.boxes[parent].holdsInlines
        let change: Change = kind == .grid ? .ownGridRow : isRow ? .ownFlexLine : isInLine ? .ownLine : .inFlow
        restyle(box, change) { style in
            style.position = .static
            style.positioned = PositionStyle()
            style.transform = TransformStyle()
            style.margin.left = .zero
            style.margin.right = .zero
            guard kind == .grid || isRow || isInLine else { return }
            (style.float, style.sizesBorderBox) = (.none, true)
            if !isPicture { (style.width, style.minWidth, style.maxWidth) = (.length(all), .auto, .auto) }
            if isRow { style.flexBasis = .length(all) }
            if isInLine { style.display = .inlineBlock }
            guard kind == .grid else { return }
            style.gridItem = GridItemStyle()
            style.gridItem.columnStart = .line(1, name: nil)
            style.gridItem.columnEnd = .line(-1, name: nil)
        }
    }
}

extension BoxStyle {
    var hasLines: Bool { border.clockwise.contains { $0.width > 0 } }

    /// Returns whether a picture does not show the box: it is transparent, clipped away, one pixel large with hidden overflow, or
    /// beyond an edge of the page. Pages hide text for screen readers in these ways, mails the text for their previews.
    func isOutOfSight(isPositioned: Bool) -> Bool {
        func isOpen(_ start: LengthPercentage, _ end: LengthPercentage, _ least: SizeValue) -> Bool {
            if case .length(let length) = least, length.isRelative || length.px > 1 { return true }
            return start.isRelative || end.isRelative || start.px + end.px > 1
        }
        func isFlat(_ size: SizeValue) -> Bool { size.absolute.map { $0 <= 1 } ?? false }
        if isPositioned, opacity == 0 || isBeyondPage { return true }
        let starts = [positioned.inset.left, positioned.inset.top, margin.left, margin.top].compactMap { $0 }
        if starts.contains(where: { $0.px <= -999 && !$0.isRelative }) { return true }
        if isPositioned, let clip = effects.rectangle, let right = clip.right, let bottom = clip.bottom,
            right - (clip.left ?? 0) <= 1 || bottom - (clip.top ?? 0) <= 1
        {
            return true
        }
        guard overflowX != .visible, flexGrow == 0 else { return false }
        return isFlat(width) && !isOpen(padding.left, padding.right, minWidth)
            || (isFlat(height) || isFlat(maxHeight)) && !isOpen(padding.top, padding.bottom, minHeight)
    }

    /// True if a box fixed to an edge of the screen is moved over that edge by its size or the screen's.
    private var isBeyondPage: Bool {
        guard position == .fixed else { return false }
        var (x, y): (Float, Float) = (0, 0)
        for (right, down) in transform.moves { (x, y) = (x + right.fraction, y + down.fraction) }
        func isBeyond(_ start: LengthPercentage?, _ end: LengthPercentage?, _ move: Float) -> Bool {
            func isAtEdge(_ inset: LengthPercentage?) -> Bool { inset.map { $0.fraction == 0 && $0.px <= 0 } ?? false }
            return move >= 1 && isAtEdge(end) || move <= -1 && isAtEdge(start)
                || [start, end].contains { ($0?.fraction ?? 0) >= 1 || ($0?.fraction ?? 0) <= -1 }
        }
        return isBeyond(positioned.inset.left, positioned.inset.right, x)
            || isBeyond(positioned.inset.top, positioned.inset.bottom, y)
    }
}

extension TransformStyle {
    /// The translations of `translate` and `transform`.
    fileprivate var moves: [(right: LengthPercentage, down: LengthPercentage)] {
        ((translate.map { [$0] } ?? []) + functions).compactMap { function in
            if case .translate(let right, let down, _) = function { (right, down) } else { nil }
        }
    }
}
