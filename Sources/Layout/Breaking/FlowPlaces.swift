// The places of a long column's parts in columns or pages: distances of contents, and the parts of divided boxes.

import FancyTextCSS

/// The places of a long column's parts: columns beside each other, pages one below the other.
struct FlowPlaces {
    private var flows: [BrokenFlow]
    private(set) var strip: PageStrip
    private var pages: [LayoutPage] { strip.pages }
    let top: LayoutUnit
    /// The distance from one column to the next, to the right or to the left.
    private let stride: LayoutUnit

    init(_ breaking: FlowBreaking, top: LayoutUnit = .zero, stride: LayoutUnit = .zero, isRightToLeft: Bool = false) {
        (flows, strip, self.top) = (breaking.flows, breaking.strip, top)
        self.stride = isRightToLeft ? .zero - stride : stride
    }

    /// The places of other contents in the same columns.
    func replacing(_ breaking: FlowBreaking) -> FlowPlaces {
        var places = self
        (places.flows, places.strip) = (breaking.flows, breaking.strip)
        return places
    }

    var count: Int { pages.count }

    func x(of page: Int) -> LayoutUnit { stride * strip.column(of: page) }

    /// The column or page of a number, from the top of the container.
    func place(_ number: Int) -> LayoutPage { pages[number] }

    /// The first step at or after the beginning of a page.
    private func step(of flow: Int, from page: Int) -> (y: LayoutUnit, at: BreakPosition)? {
        let steps = flows[flow].steps
        let index = steps.partitioningIndex { $0.at.page >= page }
        return index < steps.count ? steps[index] : nil
    }

    func position(_ flow: Int, at y: LayoutUnit) -> BreakPosition {
        var (flow, y) = (flow, y)
        while true {
            let steps = flows[flow].steps
            if !steps.isEmpty { return steps[max(0, steps.partitioningIndex { $0.y > y } - 1)].at }
            // The flow moves with the flow around it.
            guard let around = flows[flow].around else { return BreakPosition(page: 0, top: top) }
            (flow, y) = around
        }
    }

    private func offset(_ at: BreakPosition) -> LayoutPoint {
        LayoutPoint(x: x(of: at.page), y: top + pages[at.page].top - at.top)
    }

    /// The distance by which the contents of a flow move at a height.
    func offset(_ flow: Int, at y: LayoutUnit) -> LayoutPoint { offset(position(flow, at: y)) }

    /// The distance by which contents of a flow have moved that are at a point now.
    func offset(at point: LayoutPoint, of flow: Int) -> LayoutPoint {
        let last = strip.page(at: point.y - top)
        let width = max(1, abs(stride.raw))
        let beside = Int((stride < .zero ? width - 1 - point.x.raw : point.x.raw) / width)
        let page = last - strip.column(of: last) + min(max(0, beside), strip.column(of: last))
        var found: LayoutPoint?
        for step in flows[flow].steps[flows[flow].steps.partitioningIndex { $0.at.page >= page }...] {
            let offset = offset(step.at)
            guard step.at.page == page, found == nil || point.y - offset.y >= step.y else { break }
            found = offset
        }
        return found ?? offset(flow, at: point.y)
    }

    /// The parts of a box, one for each page into which it extends, at most `most`. With `isBelowEdges` the later ones
    /// begin below what breaks repeat, not at the top of the page.
    func parts(of rect: LayoutRect, in flow: Int, isBelowEdges: Bool = false, atMost most: Int = .max) -> [LayoutRect] {
        let first = position(flow, at: rect.y)
        let last = rect.height > .zero ? max(first, position(flow, at: rect.maxY - .epsilon)) : first
        return (first.page...last.page).prefix(max(1, most)).map { number in
            var part = rect
            part.x += x(of: number)
            var start = top + pages[number].top
            if number == first.page {
                start = rect.y + offset(first).y
            } else if isBelowEdges, let step = self.step(of: flow, from: number), step.at.page == number {
                start = step.y + offset(step.at).y
            }
            var end = top + pages[number].top + pages[number].contentHeight
            if number == last.page {
                end = rect.maxY + offset(last).y
            } else if isBelowEdges, let next = self.step(of: flow, from: number + 1) {
                // Rows end where the next page continues.
                end.lower(to: next.y + offset(position(flow, at: next.y - .epsilon)).y)
            }
            part.y = start
            part.height = max(end - start, .zero)
            return part
        }
    }
}

/// The containing block of positioned boxes in a long column (CSS Positioned Layout 3 §2.1).
struct LongBlock {
    let places: FlowPlaces
    let flow: Int
    /// The top of its border box, and its height.
    let top, height: LayoutUnit
    let axes: WritingMode
    let contents: Int

    /// Its border box in the long column on the page, if the first column were where it is.
    func rect(of fragment: BoxFragment, in tree: LayoutTree) -> LayoutRect {
        let first = fragment.parts.first.map { tree.parts[$0] } ?? fragment.rect
        let offset = places.offset(flow, at: top)
        let long = LayoutRect(
            x: .zero - offset.x, y: .zero - offset.y, width: axes.isVertical ? first.height : first.width,
            height: height)
        return axes.page(long, in: first).moved(by: first.origin)
    }

    /// The place in the long column of a part of its contents, relative to its border box there.
    func unbroken(_ rect: LayoutRect) -> LayoutRect {
        var rect = rect
        rect.y += top
        rect.origin -= places.offset(at: rect.origin, of: contents)
        rect.y -= top
        return rect
    }
}
