// The pages of a document as display lists. In: a list of the whole document, one page below the other, and the boxes of the
// pages' margins. Out: a list for each page.

import FancyTextPainting

struct PagedPicture {
    private let contents: DisplayList
    private let contentPages: DisplayPages
    private var margins: (list: DisplayList, pages: DisplayPages)?
    private let boxes: PageMarginBoxes
    private let glyphs: [PositionedGlyph]
    private let text: GlyphText?
    /// The destinations and bookmarks on each page, with places on the canvas.
    private let destinations: [[DisplayDestination]]
    private let zoom: Float
    private let background: Color

    /// The pages that are shown, by number from 0.
    let shown: [Int]

    /// Linear in the items. `layOut` lays out the markup of the margin boxes.
    init(
        _ contents: DisplayList, _ boxes: PageMarginBoxes, where shown: (Int) -> Bool,
        layOut: (String) throws(RenderError) -> DisplayList
    ) throws(RenderError) {
        var boxes = boxes
        self.contents = contents
        self.shown = contents.pages.indices.filter(shown)
        zoom = boxes.setup.zoom
        contentPages = DisplayPages(contents, places: contents.pages.map(\.top) + [contents.size.height])
        var (glyphs, text) = (contents.glyphs, contents.text)
        if let html = boxes.html(where: shown) {
            var list = try layOut(html)
            let pages = DisplayPages(list, places: boxes.tops)
            list.appendGlyphs(to: &glyphs, &text)
            margins = (list, pages)
        }
        _ = boxes.tops
        self.boxes = boxes
        (self.glyphs, self.text) = (glyphs, text)
        background = contents.pageBackground
        var destinations = [[DisplayDestination]](repeating: [], count: contents.pages.count)
        for destination in contents.destinations {
            let page = contents.pages.partitioningIndex { $0.top > max(0, destination.place.y) } - 1
            if page >= 0 { destinations[page].append(destination) }
        }
        self.destinations = destinations
    }

    /// The list of a page. Linear in its items.
    func list(of page: Int) -> DisplayList {
        let geometry = boxes.geometry(of: page)
        // A fill would end at the whole pixel nearest to the paper's edge.
        var result = DisplayList(size: geometry.paper, background: background)
        (result.glyphs, result.text) = (glyphs, text)
        let sheet = Rect(x: 0, y: 0, width: geometry.paper.width, height: geometry.paper.height)
        var boxes = boxes
        if let margins {
            result.items += [
                .pushClip(RoundedRect(rect: sheet)),
                .pushTransform(Transform(scaleX: 1, scaleY: 1, x: 0, y: -boxes.tops[page])),
            ]
            margins.pages.append(page, of: margins.list, to: &result)
            result.items += [.pop, .pop]
        }
        let (area, height) = (geometry.area, contents.pages[page].height)
        let clip = Rect(x: 0, y: area.y, width: sheet.width, height: height * zoom)
        result.items += [.pushClip(RoundedRect(rect: clip)), .pushTransform(map(of: page))]
        // The page has the canvas's colour up to its edges.
        contentPages.append(page, of: contents, from: contents.canvasColor == nil ? 0 : 1, to: &result)
        result.items += [.pop, .pop]
        result.destinations = destinations(of: page)
        return result
    }

    func destinations(of page: Int) -> [DisplayDestination] {
        let map = map(of: page)
        return destinations[page].map { destination in
            var placed = destination
            placed.place = map.apply(destination.place)
            return placed
        }
    }

    /// From the document's canvas to the sheet of a page.
    private func map(of page: Int) -> Transform {
        let area = boxes.geometry(of: page).area
        return Transform(scaleX: zoom, scaleY: zoom, x: area.x, y: area.y - contents.pages[page].top * zoom)
    }
}

extension DisplayList {
    /// The background that covers the whole canvas.
    fileprivate var pageBackground: Color {
        guard case .fill(let shape, .color(let color)) = items.first, color.alpha == 255, shape.isRectangle,
            shape.rect == Rect(x: 0, y: 0, width: size.width, height: size.height)
        else { return background }
        return color
    }

    /// Moves the list's glyphs and their text to the end of others.
    fileprivate mutating func appendGlyphs(to glyphs: inout [PositionedGlyph], _ text: inout GlyphText?) {
        let (firstGlyph, firstByte) = (glyphs.count, text?.bytes.count ?? 0)
        glyphs += self.glyphs
        if let own = self.text, text != nil {
            text?.bytes += own.bytes
            text?.clusters += own.clusters.map { $0 + UInt32(clamping: firstByte) }
        }
        for index in items.indices {
            // Margins are not part of the document's structure.
            if case .image(var image) = items[index] {
                image.part = DocumentPart()
                items[index] = .image(image)
            }
            guard case .glyphs(var run) = items[index] else { continue }
            run.part = DocumentPart()
            run.glyphs = run.glyphs.shifted(by: firstGlyph)
            run.text = run.text.isEmpty ? 0..<0 : run.text.shifted(by: firstByte)
            items[index] = .glyphs(run)
        }
    }
}

/// Numbers of pages, from 1: `2-5,8,10-`.
public struct PageNumbers: Hashable, Sendable {
    private var ranges: [ClosedRange<Int>]

    /// Reads numbers and ranges between commas; `nil` for anything else.
    public init?(_ text: String) {
        ranges = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard let first = ends.first, let last = ends.last, ends.count <= 2 else { return nil }
            let low = ends.count == 2 && first.isEmpty ? 1 : Int(first)
            let high = ends.count == 2 && last.isEmpty ? Int.max : Int(last)
            guard let low, let high, 1 <= low, low <= high, !part.isEmpty, part != "-" else { return nil }
            ranges.append(low...high)
        }
    }

    /// The highest number; `Int.max` for a range without an end.
    var last: Int { ranges.map(\.upperBound).max() ?? 0 }

    /// Returns whether a page is among them.
    public func contains(_ page: Int) -> Bool { ranges.contains { $0.contains(page) } }
}
