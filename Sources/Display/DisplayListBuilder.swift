// Builds a display list from a layout tree and its text, in CSS painting order (CSS 2.1 appendix E). A painting context (document,
// float, atomic box, layer, clip) is painted in three passes, backgrounds of blocks, floats and lines, with its layers around them.

import FancyTextBasics
import FancyTextBoxes
import FancyTextCSS
import FancyTextLayout
import FancyTextMarkup
import FancyTextPainting
import FancyTextTypography

package struct DisplayListBuilder {
    let tree: LayoutTree
    let text: BoxTree
    /// The fonts; `nil` for a terminal, whose text and symbols are ``CellItem``s.
    let fonts: FontContext?
    let images: any ReplacedSizes
    var list: DisplayList
    /// The box whose background was propagated to the canvas.
    var canvasBox = -1
    private var canvas: ComputedStyle?
    private var root: Int?
    let stacking: StackingContexts
    /// The map of the space that the next box is painted in; nil for the screen.
    var space: Transform3D?
    private var depth = 0
    private let depthLimit = 2048
    private let clock = WorkClock.current
    var intercepts: [InterceptKey: (Float, Float)?] = [:]
    let clipsToText: Bool
    let hasLineBackgrounds: Bool
    let scale: Float
    /// For each link of the document, the first item of its text and pictures.
    var linkItems: [Int: Int] = [:]
    var axes = WritingMode.horizontalTB
    /// The part of the document that the text of the painted line belongs to.
    var linePart = DocumentPart()
    var borderTiles = 0, clipParts = 0
    /// The latest line with emphasis marks, and the extents of the em boxes of its text, for each style.
    var emBoxes: (line: Range<Int>, boxes: [StyleID: (Float, Float)])?
    private lazy var slices = InlineSlices(tree)

    /// Builds the display list. Linear in the tree.
    ///
    /// - Parameters:
    ///   - fonts: the fonts of the layout; `nil` for a layout in cells.
    ///   - background: the background of the canvas if the document has none.
    ///   - scale: device pixels per CSS pixel; boxes snap to device pixels.
    ///   - canvasElements: the elements whose background covers the canvas, the root first (CSS Backgrounds 3 §2.11).
    ///   - keepsText: true if the list contains the text of its glyphs, and its links.
    package static func build(
        _ tree: LayoutTree, text: BoxTree, fonts: FontContext?, images: any ReplacedSizes = NoReplacedSizes(),
        background: Color = .white, canvasElements: [NodeID] = [], scale: Float = 1, keepsText: Bool = false
    ) -> DisplayList {
        let styles = text.styles.styles
        var builder = DisplayListBuilder(
            tree: tree, text: text, fonts: fonts, images: images,
            list: DisplayList(size: tree.size, background: background),
            stacking: StackingContexts(tree, text: text, ofFlow: fonts != nil),
            clipsToText: styles.contains { style in
                style.box.backgroundClip == .text || style.box.backgroundLayers.contains { $0.clip == .text }
            }, hasLineBackgrounds: styles.contains { $0.text.lineBackground != nil }, scale: scale)
        if fonts != nil { builder.list.glyphs.reserveCapacity(tree.glyphs.count) }
        if keepsText { builder.list.text = GlyphText(bytes: text.text, truncation: tree.truncation) }
        let boxes = tree.canvasBoxes(of: canvasElements)
        builder.root = canvasElements.isEmpty && boxes.count < 2 ? nil : boxes.first
        builder.canvas = builder.canvasStyle(canvasElements)
        if !builder.rootHasGroup { builder.paintCanvas() }
        // Layers blend with the contents of the root, not with the colour below (Compositing 1 §3.2).
        let isApart = builder.stacking.isolates(0) && (builder.list.canvasColor?.alpha ?? 0) < 255
        if isApart {
            builder.list.items.insert(.pushLayer(LayerItem()), at: 0)
            builder.list.canvasColor = nil
        }
        if !tree.boxes.isEmpty { builder.paintContext(0) }
        if isApart { builder.add(.pop) }
        if keepsText { builder.placeLinks() }
        return builder.list
    }

    mutating func add(_ item: DisplayItem, turned turn: Transform? = nil) {
        if let turn { list.items.append(.pushTransform(turn)) }
        list.items.append(item)
        if turn != nil { list.items.append(.pop) }
    }

    mutating func noteItem(ofLink link: Int) {
        if link >= 0, linkItems[link] == nil { linkItems[link] = list.items.count }
    }

    /// Adds the document's links at the first item of their contents, so that the same transforms apply to them.
    private mutating func placeLinks() {
        var links: [NodeID: Int] = [:]
        for index in linkItems.keys.sorted().reversed() { links[text.links[index].element] = index }
        list.links = tree.links(in: text).compactMap { link in
            guard let target = LinkDestination.offered(link.href) else { return nil }
            let known = link.isInTail ? nil : links[link.element]
            var placed = DisplayLink(
                target: target, boxes: link.boxes, item: known.flatMap { linkItems[$0] } ?? list.items.count,
                id: known ?? -1)
            if let known { placed.title = text.links[known].title }
            return placed
        }
        list.links.sort { $0.item < $1.item }
    }

    var isOfCells: Bool { fonts == nil }

    func computedStyle(_ id: StyleID) -> ComputedStyle { text.styles[id, or: tree.addedStyles] }

    /// A box and the boxes around it, from the innermost one.
    func chain(from box: Int) -> [Int] { sequence(first: box) { tree.boxes[$0].parent }.prefix { $0 >= 0 } }

    /// True if the background of the canvas is painted within effects of the root element.
    private var rootHasGroup: Bool {
        guard let root, canvas != nil, !isOfCells else { return false }
        let style = computedStyle(tree.boxes[root].style)
        return style.hasGroupEffect && style.box.$transform || stacking.isolates(root)
    }

    /// The style whose background covers the canvas.
    private mutating func canvasStyle(_ elements: [NodeID]) -> ComputedStyle? {
        if let style = text.styles.canvas {
            root = nil
            return style
        }
        let boxes = tree.canvasBoxes(of: elements)
        // With a contained body or root, the background of the body is its own (CSS Containment 2 §2).
        let isContained = boxes.contains { !computedStyle(tree.boxes[$0].style).containment.isEmpty }
        for index in boxes.prefix(isContained ? 1 : boxes.count) {
            let style = computedStyle(tree.boxes[index].style)
            // In a terminal, gradients are not propagated to the canvas.
            guard isOfCells ? style.box.backgroundColor.alpha >= 128 : style.hasBackground else { continue }
            canvasBox = index
            return style
        }
        return nil
    }

    private mutating func paintCanvas() {
        guard let style = canvas else { return }
        let canvas = RoundedRect(rect: Rect(tree.size))
        if list.items.isEmpty { list.canvasColor = style.box.backgroundColor }
        add(.fill(canvas, .color(style.box.backgroundColor)))
        if isOfCells { return }
        for layer in style.box.backgroundLayers.reversed() {
            paintLayer(layer, area: canvasArea, clip: canvas, of: style)
        }
    }

    /// The positioning area of the canvas's background images: the root element's box (CSS Backgrounds 3 §2.11.1), or the canvas if
    /// that fits the contents, if they are aligned or inset in it, and in quirks mode.
    private var canvasArea: Rect {
        guard text.isDocument, text.documentMode != .quirks, tree.startsAtCorner, let root
        else { return Rect(tree.size) }
        let fragment = tree.boxes[root]
        let (area, size) = (fragment.rect.rect, tree.size)
        let isWhole = abs(size.width - area.width) <= 1 && abs(size.height - area.height) <= 1
        return RoundedRect(rect: isWhole ? Rect(size) : area).inset(by: fragment.border).rect
    }

    // MARK: Contexts

    /// Returns whether the box is a painting context of its own, which is painted when the lines around it are reached.
    func isContext(_ index: Int) -> Bool {
        let box = tree.boxes[index]
        return box.placement != .inFlow || box.clips || stacking.isLayer(index) || box.isItem(in: tree)
    }

    /// Paints a box with its contents and its layers. A box that is no stacking context has none: the layers inside belong to the
    /// stacking context around it. With `isPlane` the layers are left out: they are planes of the same space.
    private mutating func paintContext(_ root: Int, isPlane: Bool = false) {
        guard depth < depthLimit, !clock.isOver() else { return }
        depth += 1
        defer { depth -= 1 }
        if !isPlane, sharesSpace(root) {
            for plane in planes(of: root) {
                if plane.isFlat, let map = plane.space { add(Self.group(map)) } else { space = plane.space }
                if let layer = plane.layer {
                    paintLayer(layer, of: plane.box)
                } else {
                    paintContext(plane.box, isPlane: true)
                }
                if plane.isFlat { add(.pop) }
                space = nil
            }
            return
        }
        let fragment = tree.boxes[root]
        let first = list.items.count
        let isApart = isOfCells && fragment.placement == .positioned
        if isApart { add(.cells(.positioned(root, end: first))) }
        let effects = beginEffects(root, isolates: stacking.isolates(root))
        if root == self.root, rootHasGroup { paintCanvas() }
        paintBox(root)
        if !isPlane { for layer in stacking.below(root) { paintLayer(layer, of: root) } }
        if fragment.clips { add(clipItem(root)) }
        let start = list.items.count
        if !fragment.isHidden { paintContents(root) }
        if fragment.clips {
            if list.items.count == start { list.items.removeLast() } else { add(.pop) }
        }
        if !isPlane { for layer in stacking.above(root) { paintLayer(layer, of: root) } }
        endEffects(effects)
        if isApart { list.items[first] = .cells(.positioned(root, end: list.items.count)) }
    }

    /// Paints a layer of a stacking context within the clips of the boxes between. Only containing blocks clip (CSS 2.1 §11.1.1).
    private mutating func paintLayer(_ layer: StackedPart, of context: Int) {
        let around = Set(chain(from: tree.boxes[context].parent))
        var clipping: [Int] = []
        var at =
            switch layer {
            case .box(let fragment): tree.boxes[fragment].parent
            case .inline(_, let line): tree.lines[line].container
            }
        // The clips around the context are already open.
        while at >= 0, !around.contains(at) {
            if tree.boxes[at].clips { clipping.append(at) }
            at = at == context ? -1 : tree.boxes[at].parent
        }
        for index in clipping.reversed() { add(clipItem(index)) }
        switch layer {
        case .box(let fragment): paintContext(fragment)
        case .inline(let fragment, let line):
            paintLine(line, fill: textFill(ofBox: tree.lines[line].container), only: fragment)
        }
        for _ in clipping { add(.pop) }
    }

    /// Paints the contents of a box: backgrounds and borders of blocks, floats, lines.
    private mutating func paintContents(_ root: Int) {
        let parts = parts(of: root)
        func paint(_ index: Int, placed placement: BoxFragment.Placement) {
            if tree.boxes[index].placement == placement, !stacking.isLayer(index) { paintContext(index) }
        }
        // Backgrounds and borders of blocks; a table's collapsed borders after its cells.
        var tables = tree.boxes[root].collapsedBorders.isEmpty ? [] : [root]
        for (index, isContext) in parts {
            while let table = tables.last, tree.boxes[table].end <= index {
                paintCollapsedBorders(tables.removeLast())
            }
            if isContext { continue }
            paintBox(index)
            if !tree.boxes[index].collapsedBorders.isEmpty { tables.append(index) }
        }
        while let table = tables.popLast() { paintCollapsedBorders(table) }
        for part in parts where part.isContext { paint(part.box, placed: .float) }
        // No block's background of lines covers the text of another.
        if hasLineBackgrounds {
            for index in [root] + parts.filter({ !$0.isContext }).map(\.box) {
                let block = tree.boxes[index]
                paintLineBackgrounds(block.lines, ofBlock: computedStyle(block.style).text.lineBackground)
            }
        }
        // Lines, and what clips in between, in order. Text that is kept is in the order of reading, with markers before their items.
        let shown = list.text == nil ? [] : parts.filter { tree.boxes[$0.box].kind == .marker }
        let markers = Dictionary(shown.map { (tree.boxes[$0.box].parent, $0.box) }) { $1 }
        for (index, isContext) in [(root, false)] + parts {
            if isContext { paint(index, placed: .inFlow) }
            if let marker = markers[index] { paintLines(marker) }
            if !isContext, markers[tree.boxes[index].parent] != index { paintLines(index) }
        }
    }

    /// The boxes of a painting context, and the contexts in it without their contents.
    private func parts(of root: Int) -> [(box: Int, isContext: Bool)] {
        let end = min(max(tree.boxes[root].end, root + 1), tree.boxes.count)
        var result: [(box: Int, isContext: Bool)] = []
        var index = root + 1
        while index < end {
            let isContext = isContext(index)
            result.append((index, isContext))
            index = isContext ? max(index + 1, tree.boxes[index].end) : index + 1
        }
        return result
    }

    private mutating func paintLines(_ index: Int) {
        let fragment = tree.boxes[index]
        guard !fragment.lines.isEmpty else { return }
        let fill = textFill(ofBox: index)
        var isCut = false
        if case .gradient(_, let area)? = fill {
            isCut = fragment.lines.contains {
                tree.inlines[tree.lines[$0].fragments].contains { !area.contains($0.rect.rect) }
            }
            // The background that shows through the text ends at its box.
            if isCut { add(.pushClip(RoundedRect(rect: area))) }
        }
        for line in fragment.lines { paintLine(line, fill: fill) }
        if isCut { add(.pop) }
    }

    /// - Parameter part: The inline box to paint; `nil` paints everything except the inline boxes that are layers.
    private mutating func paintLine(_ number: Int, fill: Fill?, only part: Int? = nil) {
        let line = tree.lines[number]
        let firstItem = list.items.count
        defer { if list.text != nil { sortText(from: firstItem) } }
        let end = part.map { $0 + tree.inlines[$0].children + 1 } ?? line.fragments.upperBound
        var fills: [(end: Int, fill: Fill)] = []
        var decorating: [DecoratingBox] = []
        enterLine(of: line.container)
        if !isOfCells {
            let style = computedStyle(tree.boxes[line.container].style)
            let baseline = axes.acrossLine(line.baseline.float) + drop(of: style)
            decorating.append(DecoratingBox(end: .max, baseline: baseline, style: style))
        }
        var index = line.fragments.lowerBound
        var effects: [(end: Int, open: OpenEffects)] = []
        while index < end {
            while let last = fills.last, last.end <= index { fills.removeLast() }
            while let last = decorating.last, last.end <= index { decorating.removeLast() }
            while let last = effects.last, last.end <= index { endEffects(effects.removeLast().open) }
            let fragment = tree.inlines[index]
            let next = index + fragment.children + 1
            // Fragments before the part either contain it or have nothing to do with it.
            let isBefore = part.map { index < $0 } ?? false
            if index != part, isBefore ? next <= part ?? 0 : stacking.inlineLayers.contains(index) {
                index = next
                continue
            }
            switch fragment.kind {
            case .box:
                let style = computedStyle(fragment.style)
                if !isBefore {
                    if style.hasGroupEffect { effects.append((next, beginEffects(fragment))) }
                    paintInlineBox(fragment, unbroken: unbroken(index))
                }
                if !isOfCells, style.box.decorations.count > decorating.last?.decorations ?? 0 {
                    let baseline = axes.acrossLine(fragment.baseline.float)
                    decorating.append(DecoratingBox(end: next, baseline: baseline, style: style))
                }
                if clipsToText, let own = textFill(style: fragment.style, rect: (unbroken(index) ?? fragment.rect).rect)
                {
                    fills.append((next, own))
                }
            case .text, .generated:
                if fragment.isHidden {
                    // Hidden text only takes up space.
                } else if isOfCells {
                    paintCells(index, line: number)
                } else {
                    paintText(fragment, fill: fills.last?.fill ?? fill, in: decorating, line: line.fragments)
                }
            case .atomic:
                if fragment.payload >= 0, !fragment.isHidden, !stacking.isLayer(fragment.payload) {
                    paintContext(fragment.payload)
                    enterLine(of: line.container)
                }
            }
            index += 1
        }
        for last in effects.reversed() { endEffects(last.open) }
    }

    private mutating func enterLine(of container: Int) {
        let fragment = tree.boxes[container]
        axes = fragment.axes
        linePart = DocumentPart(box: fragment.box, isMarker: fragment.kind == .marker)
    }

    /// Adds a text fragment of a line to the item before it, if there are only inline boxes between.
    private mutating func paintCells(_ index: Int, line: Int) {
        if case .cells(.text(let range, line: line))? = list.items.last,
            (range.upperBound..<index).allSatisfy({ tree.inlines[$0].kind == .box })
        {
            list.items[list.items.count - 1] = .cells(.text(range.lowerBound..<index + 1, line: line))
        } else {
            add(.cells(.text(index..<index + 1, line: line)))
        }
    }

    /// Moves the text of a line to its end, in logical order, except within the groups of effects.
    private mutating func sortText(from first: Int) {
        var (text, others): ([GlyphsItem], [DisplayItem]) = ([], [])
        for item in list.items[first...] {
            switch item {
            case .glyphs(let run): text.append(run)
            case .pushClip, .pushClipPath, .pushTransform, .pushLayer, .pop, .backdrop: return
            case .fill, .path, .strokePath, .boxShadow, .border, .decoration, .image, .cells: others.append(item)
            }
        }
        guard text.count > 1, text.contains(where: \.isRightToLeft) else { return }
        // A run without text belongs to the run before it.
        let groups = text.indices.runs { text[$1].text.isEmpty }
        let sorted = groups.sorted { text[$0.lowerBound].text.lowerBound < text[$1.lowerBound].text.lowerBound }
        list.items.replaceSubrange(first..., with: others + sorted.joined().map { .glyphs(text[$0]) })
    }

    /// The rectangle of an inline box with a background as if all of it were on one line; nil if it is.
    private mutating func unbroken(_ index: Int) -> LayoutRect? {
        let fragment = tree.inlines[index]
        let style = computedStyle(fragment.style)
        guard !(fragment.hasStartEdge && fragment.hasEndEdge), !style.box.backgroundLayers.isEmpty else { return nil }
        return slices.whole(index, fragment, isVertical: axes.isVertical, isRightToLeft: style.text.direction == .rtl)
    }

    /// The gradient that text takes from the box around it or an ancestor (`background-clip: text`).
    private func textFill(ofBox index: Int) -> Fill? {
        guard clipsToText else { return nil }
        return chain(from: index).lazy.map { tree.boxes[$0] }
            .filter { $0.kind != .canvas && $0.kind != .marker && !$0.isAnonymous }
            .compactMap { textFill(style: $0.style, rect: $0.rect.rect) }.first
    }

    private func textFill(style: StyleID, rect: Rect) -> Fill? {
        let box = computedStyle(style).box
        for layer in box.backgroundLayers where layer.clip == .text {
            if case .gradient(let gradient) = layer.image { return .gradient(gradient, box: rect) }
        }
        if box.backgroundClip == .text, box.backgroundColor.alpha > 0 { return .color(box.backgroundColor) }
        return nil
    }

    /// Snaps a rectangle to device pixels. Each edge is rounded on its own, so that adjacent boxes meet.
    func snap(_ rect: LayoutRect) -> Rect {
        func snapped(_ length: LayoutUnit) -> Float {
            scale == 1 ? Float(length.rounded) : (length.float * scale + 0.5).rounded(.down) / scale
        }
        let (left, top) = (snapped(rect.x), snapped(rect.y))
        return Rect(
            x: left, y: top, width: max(0, snapped(rect.maxX) - left), height: max(0, snapped(rect.maxY) - top))
    }
}
