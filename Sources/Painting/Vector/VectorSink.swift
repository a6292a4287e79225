// The items of vector files, the kinds that SVG and PDF have in common; and the surface that passes shapes and groups of the shape
// painter to a sink, and tracks the groups, to know their position on the page.

import FancyTextBasics
import FancyTextCSS
import FancyTextTypography

package enum VectorPaint {
    case color(Color)
    case gradient(VectorGradient)
}

package struct VectorText {
    package struct Cluster {
        package var text: Range<Int>
        /// Indices of ``VectorText/glyphs``.
        package var glyphs: Range<Int>
    }

    package var font: FontID
    /// The glyphs in visual order, with origins on the baseline.
    package var glyphs: [PositionedGlyph]
    /// The clusters in visual order; together they contain all glyphs.
    package var clusters: [Cluster]
    package var text: [UInt8]
    /// True if the text's order is the reverse of the visual order.
    package var isRightToLeft: Bool
    /// Pixels per em, along both axes.
    package var size: Size
    /// The tangent of the slant to the right, in addition to that of a synthetic italic.
    package var skew: Float
    /// Surface pixels per CSS pixel along both axes.
    package var scale: Size
    package var part: DocumentPart
    package var link: String?
    /// The paint of the glyphs. With `nil` the text is invisible, but can be searched and selected: a picture shows it.
    package var paint: VectorPaint?
    package var stroke: (color: Color, width: Float)?
}

package enum VectorPicture {
    case pixels(Pixmap)
    /// The file as it was loaded, with its pixels if it has any.
    case file(PictureFile, Pixmap?)
}

/// Receives a picture in parts, in painting order. Coordinates are pixels of the surface, y down.
package protocol VectorSink: AnyObject {
    func fill(_ path: Path, isEvenOdd: Bool, with paint: VectorPaint)
    func show(_ text: VectorText)
    /// Adds ``PictureFile/texts`` of a picture invisibly, to be searched and selected.
    func show(_ texts: String, in rect: Rect)
    /// - Parameter part: the part of the document that the picture is; `nil` for effects and backgrounds.
    func draw(_ picture: VectorPicture, in rect: Rect, isPixelated: Bool, of part: DocumentPart?)
    /// True if the sink draws SVG files itself instead of embedding them.
    var drawsVectorFiles: Bool { get }
    /// True if it cannot write links of pictures where it draws now.
    var refusesLinks: Bool { get }
    /// Begins a group, as do the next two functions. ``pop()`` ends it.
    func pushClip(_ path: Path, isEvenOdd: Bool)
    func pushTransform(_ transform: Transform)
    func pushLayer(opacity: Float, blendMode: BlendMode)
    func pop()
    /// Adds the boxes of a link that are on the page; `map` converts them to pixels of the page.
    func link(_ link: DisplayLink, boxes: [Rect], map: Transform)
    /// Adds a destination for links to its name, or a bookmark.
    func place(_ destination: DisplayDestination, map: Transform)
}

final class VectorSurface: ShapeSurface {
    private let sink: any VectorSink
    private let area: Rect
    private let isPart: Bool
    /// The transforms outside of the open groups, outermost first.
    private var outer: [Transform] = []
    private let meter: BudgetMeter
    private var freeParts: Int
    /// The part of the budget that pictures do not use up, as far as it is left.
    var freePixels = 0
    /// The transform from the innermost group's pixels to those of the page.
    private(set) var whole = Transform()

    /// - Parameters:
    ///   - isPart: true if there are other pages, each with the text whose baseline is on it.
    ///   - items: the number of items to draw; each has some segments without charge, so that only tiles, dots and the like count.
    init(_ sink: any VectorSink, area: Rect, isPart: Bool, items: Int, meter: BudgetMeter) {
        (self.sink, self.area, self.isPart, self.meter) = (sink, area, isPart, meter)
        freeParts = Self.freePartsOfItem * items
    }

    /// Never `nil`, so that shapes arrive whole instead of in bands of rows.
    var transform: Transform? { whole }

    var isTurned: Bool { !whole.isUpright || whole.scaleX != 1 || whole.scaleY != 1 }

    var visibleArea: DeviceRect { whole.inverse.map { $0.bounds(of: area).pixelCover } ?? .empty }

    func sees(_ rect: Rect) -> Bool {
        let bounds = whole.bounds(of: rect)
        return bounds.x < area.maxX && bounds.maxX > area.x && bounds.y < area.maxY && bounds.maxY > area.y
    }

    /// Returns whether a baseline that begins at a point belongs to the page.
    func seesLine(_ start: Point) -> Bool {
        let y = whole.apply(start).y
        return !isPart || y >= area.y && y < area.maxY
    }

    /// Charges a path to the budget, as each segment takes bytes of the file. Returns whether it may be written.
    func affords(_ path: Path) -> Bool { affords(parts: path.segments.count) }

    /// Returns whether a path is on the page and may be written. A path outside the page is charged in full.
    func affords(_ path: Path, within bounds: Rect) -> Bool {
        if sees(bounds) { return affords(path) }
        meter.spend(1_000 * path.segments.count, of: .paintedPixels)
        return false
    }

    func affords(parts: Int) -> Bool {
        let free = min(parts, freeParts)
        freeParts -= free
        return meter.spend(1_000 * (parts - free), of: .paintedPixels)
    }

    /// Charges one more item to the budget. Returns false if the budget is exceeded; the file is then discarded.
    func affordsItem() -> Bool { !meter.isExceeded(.paintedPixels) && meter.spend(100, of: .paintedPixels) }

    /// The approximate number of segments of a border with round corners.
    private static let freePartsOfItem = 24

    func fill(_ path: Path, paint: Paint) {
        guard let bounds = path.bounds(), affords(path, within: bounds) else { return }
        let color = if case .solid(let pixel) = paint { Pixel.straight(pixel) } else { Color.transparent }
        sink.fill(path, isEvenOdd: false, with: .color(color))
    }

    func fill(_ path: Path, within bounds: DeviceRect, paint: Paint) {
        if let whole = path.bounds()?.pixelCover, bounds.contains(whole) { return fill(path, paint: paint) }
        pushClip(RoundedRect(rect: bounds.rect))
        fill(path, paint: paint)
        pop()
    }

    func fill(_ rect: DeviceRect, paint: Paint) { fill(RoundedRect(rect: rect.rect), paint: paint) }

    func fill(_ shape: RoundedRect, paint: Paint) { if !shape.rect.isEmpty { fill(Path(shape), paint: paint) } }

    func fillOverlapping(_ path: Path, paint: Paint) { fill(path, paint: paint) }

    func pushClip(_ shape: RoundedRect) { pushClip(Path(shape), isInverse: false, isEvenOdd: false) }

    func pushClip(_ path: Path, isInverse: Bool, isEvenOdd: Bool) {
        outer.append(whole)
        var path = isPart && !isInverse ? onPage(path) : path
        if !affords(path) { path = Path() }
        guard isInverse else { return sink.pushClip(path, isEvenOdd: isEvenOdd) }
        // The whole page except the path.
        var outside = Path(RoundedRect(rect: visibleArea.outset(by: 1).rect))
        outside.append(path)
        sink.pushClip(outside, isEvenOdd: true)
    }

    /// The subpaths of a clip that reach into the page: a box has one on each of its pages.
    private func onPage(_ path: Path) -> Path {
        guard path.segments.count > Self.freePartsOfItem else { return path }
        var (result, subpath) = (Path(), Path())
        func isSeen(_ path: Path) -> Bool { path.bounds().map(sees) ?? false }
        for segment in path.segments {
            if case .move = segment {
                if isSeen(subpath) { result.append(subpath) }
                subpath = Path()
            }
            subpath.segments.append(segment)
        }
        if isSeen(subpath) { result.append(subpath) }
        return result
    }

    func pushTransform(_ transform: Transform) {
        outer.append(whole)
        whole = whole.after(transform)
        sink.pushTransform(transform)
    }

    func pushLayer(opacity: Float, composite: Composite) {
        outer.append(whole)
        let mode = if case .blend(let mode) = composite { mode } else { BlendMode.normal }
        sink.pushLayer(opacity: opacity, blendMode: mode)
    }

    func pop() {
        guard let last = outer.popLast() else { return }
        whole = last
        sink.pop()
    }
}
