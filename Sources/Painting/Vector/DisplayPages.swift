// Divides a display list into pages. In: the list's items. Out: for each page, the items that may be on it.

package struct DisplayPages {
    /// The start of each page in CSS pixels, and the end of the last one; ascending.
    private let places: [Float]
    private var items: ItemBins
    private var links: ItemBins

    /// Linear in the items; for each item O(log n) in the pages.
    package init(_ list: DisplayList, places: [Float]) {
        self.places = places
        items = ItemBins(count: max(0, places.count - 1))
        links = items
        // The open groups: the start of each, whether its contents are moved by a transform, and the extent of its contents.
        var groups: [(start: Int, isMoved: Bool, extent: ClosedRange<Float>?)] = []
        func note(_ index: Int, _ extent: ClosedRange<Float>?) {
            let extent = groups.last?.isMoved == true ? Self.all : extent
            guard let extent else { return }
            if let last = groups.indices.last {
                let union = groups[last].extent ?? extent
                groups[last].extent =
                    min(union.lowerBound, extent.lowerBound)...max(union.upperBound, extent.upperBound)
            }
            if let pages = pages(of: extent) { items.insert(index, in: pages) }
        }
        var place = 0
        func noteLinks(before index: Int) {
            while place < list.links.count, list.links[place].item <= index {
                let extent = groups.last?.isMoved == true ? Self.all : Self.extent(of: list.links[place])
                if let pages = pages(of: extent) { links.insert(place, in: pages) }
                place += 1
            }
        }
        for (index, item) in list.items.enumerated() {
            noteLinks(before: index)
            switch item {
            case .pushClip, .pushClipPath: groups.append((index, groups.last?.isMoved ?? false, nil))
            case .pushTransform: groups.append((index, true, nil))
            case .pushLayer(let layer):
                // A mask also hides the content outside of it, on all pages.
                let isPlain = if case .blend = layer.composite { layer.filters.isEmpty } else { false }
                groups.append((index, !isPlain || groups.last?.isMoved ?? false, isPlain ? nil : Self.all))
            case .pop:
                // A group with a transform is kept even if it is empty, because links need the transform.
                guard let group = groups.popLast(), let extent = group.extent ?? (group.isMoved ? Self.all : nil)
                else { continue }
                note(group.start, extent)
                note(index, extent)
            case .fill, .path, .strokePath, .boxShadow, .border, .glyphs, .decoration, .image, .backdrop, .cells:
                note(index, Self.extent(of: item, in: list))
            }
        }
        noteLinks(before: list.items.count)
    }

    private func pages(of extent: ClosedRange<Float>) -> ClosedRange<Int>? {
        let first = max(0, places.partitioningIndex { $0 > extent.lowerBound } - 1)
        // An item that ends at the top of a page is not on it.
        let end = places.partitioningIndex { $0 >= extent.upperBound } - 1
        let last = min(places.count - 2, max(first, end))
        return first <= last ? first...last : nil
    }

    /// The items that a page has to draw, in the list's order. Groups are complete: their start and end items come together.
    package func items(of page: Int) -> [Int] { items[page...page] }

    package func links(of page: Int) -> [Int] { links[page...page] }

    /// Appends the items, from `start` on, and the links of a page to a list with the same glyphs. Linear in them.
    package func append(_ page: Int, of list: DisplayList, from start: Int = 0, to result: inout DisplayList) {
        let (first, indices) = (result.items.count, items(of: page).drop { $0 < start })
        for index in indices { result.items.append(list.items[index]) }
        for index in links(of: page) {
            var link = list.links[index]
            link.item = first + indices.partitioningIndex { $0 >= link.item } - indices.startIndex
            result.links.append(link)
        }
    }

    private static let all = -Float.infinity...Float.infinity

    private static func extent(of link: DisplayLink) -> ClosedRange<Float> {
        let (low, high) = (link.boxes.map(\.y).min() ?? .infinity, link.boxes.map(\.maxY).max() ?? -.infinity)
        return low <= high ? low...high : all
    }

    /// The vertical extent of an item; `nil` if it paints nothing. Text is at its baseline. It has no margin: of what only meets the
    /// edge of a page, viewers show a row of pixels.
    private static func extent(of item: DisplayItem, in list: DisplayList) -> ClosedRange<Float>? {
        switch item {
        case .glyphs(let run): return list.glyphs(of: run).first.map { $0.y.isFinite ? $0.y...$0.y : all }
        case .image(let image) where image.isLambda: return all
        case .backdrop, .strokePath: return all
        case .pushClip, .pushClipPath, .pushTransform, .pushLayer, .pop, .cells: return nil
        case .fill, .path, .boxShadow, .border, .decoration, .image:
            guard let rect = item.reach else { return nil }
            guard rect.y.isFinite, rect.maxY.isFinite, rect.y <= rect.maxY else { return all }
            return rect.y...rect.maxY
        }
    }
}
