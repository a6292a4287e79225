// Stacking contexts: the boxes that are not painted at their place in the tree, in painting order (CSS 2.1 §9.9.1, appendix E).

import FancyTextBoxes
import FancyTextCSS
import FancyTextLayout
import FancyTextMarkup

/// A part that is painted as a unit: it is positioned, or a stacking context of its own.
enum StackedPart: Equatable {
    /// A fragment in ``LayoutTree/boxes``.
    case box(Int)
    /// A line's part of an inline box: a fragment in ``LayoutTree/inlines``.
    case inline(Int, line: Int)
}

/// The layers of a document by the stacking context that paints them.
struct StackingContexts {
    private struct Layer {
        var part: StackedPart
        /// `z-index`, `auto` as 0.
        var level: Int
        var order: Int
        var context: Int

        /// The order of parts with the same z-index: an inline box is below the box that precedes it.
        var place: Int {
            switch part {
            case .box(let fragment): fragment
            case .inline(let fragment, _): Int.max / 2 + fragment
            }
        }
    }

    /// An inline box, or one of a pseudo-element.
    struct InlineKey: Hashable {
        var element: NodeID
        var style: StyleID
    }

    /// In painting order, grouped by context.
    private var layers: [StackedPart] = []
    /// For each context, the ranges in `layers` of those below its contents, and of the others.
    private var ranges: [Int: (below: Range<Int>, above: Range<Int>)] = [:]
    private var isLayer: [Bool]
    /// The parts of inline boxes that are painted by their stacking context.
    private(set) var inlineLayers: Set<Int> = []
    /// Contexts with a blending layer, which blends only with contents of the same context (Compositing 1 §3.2).
    private var isolated: Set<Int> = []

    /// Finds the layers, those in flow only if they can cover text, unlike in a terminal. O(boxes + layers × log layers).
    init(_ tree: LayoutTree, text: BoxTree, ofFlow: Bool) {
        isLayer = Array(repeating: false, count: tree.boxes.count)
        // By fragment, the level of its stacking context; by box of the text, the fragment that is its stacking context. Contexts
        // are found by boxes: the fragment of a positioned box is in its containing block, which may be outside its context.
        var levels = [Int?](repeating: nil, count: tree.boxes.count)
        var ownContext = Array(repeating: -1, count: text.boxes.count)
        var found: [Layer] = []
        for (index, fragment) in tree.boxes.enumerated() where fragment.canBeLayer(in: tree) {
            let style = text.styles[fragment.style, or: tree.addedStyles]
            let level = style.stackingLevel(isItem: fragment.isItem(in: tree))
            guard level != nil || style.box.position != .static, ofFlow || fragment.placement == .positioned
            else { continue }
            (isLayer[index], levels[index]) = (true, level)
            if level != nil, text.boxes.indices.contains(fragment.box) { ownContext[fragment.box] = index }
        }
        // The contexts that paint boxes, derived from those of their parents, which are earlier.
        var around = Array(repeating: 0, count: text.boxes.count)
        for (index, box) in text.boxes.enumerated() where box.parent >= 0 {
            around[index] = ownContext[box.parent] >= 0 ? ownContext[box.parent] : around[box.parent]
        }
        for index in tree.boxes.indices where isLayer[index] {
            let box = tree.boxes[index].box
            var context = around.indices.contains(box) ? around[box] : tree.boxes[index].parent
            if !around.indices.contains(box) {
                while context > 0, levels[context] == nil { context = tree.boxes[context].parent }
            }
            if text.styles[tree.boxes[index].style, or: tree.addedStyles].box.effects.blendMode != .normal {
                isolated.insert(max(0, context))
            }
            found.append(Layer(part: .box(index), level: levels[index] ?? 0, order: box, context: max(0, context)))
        }
        // All parts of an inline box have the order of the first.
        var orders: [InlineKey: Int] = [:]
        for (number, line) in tree.lines.enumerated() {
            let container = tree.boxes[line.container].box
            guard around.indices.contains(container) else { continue }
            for index in line.fragments where tree.inlines[index].kind == .box {
                let fragment = tree.inlines[index]
                let style = text.styles[fragment.style, or: tree.addedStyles]
                guard style.box.position != .static else { continue }
                inlineLayers.insert(index)
                let start = tree.inlines[index...].prefix(fragment.children + 1).lazy
                    .filter { !$0.text.isEmpty }.map(\.text.lowerBound).min()
                let key = InlineKey(element: fragment.element, style: fragment.style)
                let order = orders[key] ?? text.lastBox(in: container, before: start ?? line.text.lowerBound)
                orders[key] = order
                let context = max(0, ownContext[container] >= 0 ? ownContext[container] : around[container])
                let (part, level) = (StackedPart.inline(index, line: number), style.box.positioned.zIndex ?? 0)
                found.append(Layer(part: part, level: level, order: order, context: context))
            }
        }
        found.sort { ($0.context, $0.level, $0.order, $0.place) < ($1.context, $1.level, $1.order, $1.place) }
        layers = found.map(\.part)
        for run in found.indices.runs({ found[$0].context == found[$1].context }) {
            let above = found[run].firstIndex { $0.level >= 0 } ?? run.upperBound
            ranges[found[run.lowerBound].context] = (run.lowerBound..<above, above..<run.upperBound)
        }
    }

    /// Returns whether the box is painted by its stacking context instead of at its place. O(1).
    func isLayer(_ fragment: Int) -> Bool { isLayer[fragment] }

    /// Returns whether the context's layers blend only with each other. O(1).
    func isolates(_ context: Int) -> Bool { isolated.contains(context) }

    /// The layers of a context with a negative `z-index`, lowest first.
    func below(_ context: Int) -> ArraySlice<StackedPart> { layers[ranges[context]?.below ?? 0..<0] }

    /// The other layers of a context, lowest first.
    func above(_ context: Int) -> ArraySlice<StackedPart> { layers[ranges[context]?.above ?? 0..<0] }
}

extension BoxTree {
    /// The last box in `container` that begins before an offset in the text, or the container itself. O(boxes in it).
    fileprivate func lastBox(in container: Int, before offset: Int) -> Int {
        let inside = (container + 1)..<max(container + 1, boxes[container].end)
        return inside.prefix { boxes[$0].text.lowerBound <= offset }.last ?? container
    }
}

extension ComputedStyle {
    /// The level at which a stacking context with this style is painted; `nil` if the style makes none.
    ///
    /// - Parameter isItem: True for an item of a flex or grid container, to which `z-index` applies (CSS Flexbox 1 §4.3).
    func stackingLevel(isItem: Bool) -> Int? {
        if box.position != .static || isItem, let level = box.positioned.zIndex { return level }
        return switch box.position {
        case .fixed, .sticky: 0
        case .static, .relative, .absolute: hasGroupEffect || isItem && expects(.zIndex) ? 0 : nil
        }
    }
}

extension BoxFragment {
    /// Returns whether the effects of the fragment's style apply to it, and not to a box that it represents or is part of.
    func canBeLayer(in tree: LayoutTree) -> Bool {
        switch kind {
        case .canvas, .marker: return false
        // If a table has captions, its wrapper has the effects (CSS 2.1 §17.4).
        case .table: return !(parent >= 0 && tree.boxes[parent].kind == .tableWrapper && tree.boxes[parent].box == box)
        case .block, .flex, .grid, .tableRowGroup, .tableRow, .tableCell, .tableCaption, .tableColumn, .ruby, .image,
            .lambda, .tableWrapper:
            return true
        }
    }

    /// True for an item of a flex container or grid, which is painted like an inline block (CSS Flexbox 1 §4.3, CSS Grid 2 §6.4).
    func isItem(in tree: LayoutTree) -> Bool {
        guard placement == .inFlow, parent >= 0 else { return false }
        return tree.boxes[parent].kind == .flex || tree.boxes[parent].kind == .grid
    }
}
