// Paints display lists as pixels: each item becomes calls of the canvas. CSS pixels are mapped to device pixels as browsers do: boxes
// and lines snap to whole pixels, text to quarters in x.

import FancyTextBasics
import FancyTextCSS
import FancyTextTypography

package struct PaintOptions: Sendable {
    /// Device pixels per CSS pixel.
    package var scale: Float = 1
    package var textContrast = TextContrast()
    /// The budget of painting. The caller checks afterwards whether it was exceeded.
    package var meter = BudgetMeter()
    package init(scale: Float = 1, textContrast: TextContrast = TextContrast()) {
        (self.scale, self.textContrast) = (scale, textContrast)
    }
}

package protocol PictureSource: AnyObject {
    /// The decoded picture, vector pictures in the requested device size; `nil` for a failure, which loading has reported.
    func picture(source: String, width: Int, height: Int) -> Pixmap?
    /// Returns the drawing of a lambda, for a box of its own size.
    func drawing(lambda: String) -> LambdaDrawing?
    /// Returns the file of a picture, if the file can be embedded unchanged.
    func file(source: String) -> PictureFile?
    /// Draws an SVG document in the size of a picture, from whose URI it is made. `nil` if that fails.
    func filtered(_ picture: Pixmap, _ document: (_ uri: String) -> String) -> Pixmap?
}

extension PictureSource {
    package func file(source: String) -> PictureFile? { nil }
    package func filtered(_ picture: Pixmap, _ document: (_ uri: String) -> String) -> Pixmap? { nil }
    func content(of item: ImageItem) -> LambdaDrawing? {
        item.isLambda ? drawing(lambda: item.source) : .picture(item.source)
    }
}

package enum ImageFormat: UInt8, Hashable, Sendable { case png, jpeg, webp, avif, gif, svg }

package struct PictureFile: Sendable {
    package var format: ImageFormat
    package var bytes: [UInt8]
    /// The size of the picture, in CSS pixels for SVG.
    package var width, height: Int
    /// For an SVG file, the most path segments that drawing it takes; `nil` if that is unknown, or if it uses more than paths
    /// and colours: it is then drawn as pixels, in another process.
    package var plainParts: Int?
    /// True if it has links that the library writes into a PDF file.
    package var hasLinks = false
    /// The text of an SVG file without its shapes, as an `svg` element after its name: all, and what PDF files draw as shapes.
    package var texts = ["", ""]

    package init(format: ImageFormat, bytes: [UInt8], width: Int, height: Int) {
        (self.format, self.bytes, self.width, self.height) = (format, bytes, width, height)
    }
}

package enum LambdaDrawing: Sendable {
    case picture(String)
    case list(DisplayList)
}

/// Paints display lists; keeps caches between lists. One task owns it.
package struct Painter {
    /// By the luminance class of the text.
    var contrastTables: [Int: [UInt8]] = [:]
    var contrast = TextContrast()
    /// The most recent gradient's shader, which the runs of a text in one gradient share.
    var lastGradient: (gradient: Gradient, box: Rect, shader: GradientShader)?
    /// Scaled pictures of the list being painted; the sources of the next list may name other pictures.
    private var scaledPictures: [ScaledKey: Pixmap] = [:]
    private var keptPixels = 0
    /// For each picture, the number of sizes it was requested in, and its reductions, each half as large as the previous one.
    private var reductions: [String: (sizes: Int, halves: [Pixmap])] = [:]
    private var lambdaDepth = 0
    private var shadows = ShadowCache()
    /// Glyph outlines, by the fonts of the list being painted.
    var outlines: [OutlineKey: Path] = [:]

    struct OutlineKey: Hashable {
        var font: FontID
        var glyph: UInt32
        var scale: Float?
    }

    struct ScaledKey: Hashable {
        var source: String
        var width, height: Int
    }

    package init() {}

    package static func pixelSize(of list: DisplayList, scale: Float) -> (width: Int, height: Int) {
        func pixels(_ length: Float) -> Int { max(1, Int(bounded: (length * scale).rounded(.up))) }
        return (pixels(list.size.width), pixels(list.size.height))
    }

    /// Clears `canvas` and paints the list's picture, or some rows of it. The same input gives the same pixels.
    package mutating func paint(
        _ list: DisplayList, rows: Range<Int>? = nil, fonts: some GlyphSource, pictures: some PictureSource,
        options: PaintOptions = PaintOptions(), into canvas: Bitmap
    ) {
        let (width, height) = Self.pixelSize(of: list, scale: options.scale)
        let rows = rows ?? 0..<height
        (canvas.meter, canvas.allowance) = (options.meter, 16 * width * height)
        canvas.reset(width: width, rows: rows, background: list.background)
        if rows.lowerBound == 0 {
            scaledPictures.removeAll(keepingCapacity: true)
            keptPixels = 0
            reductions.removeAll(keepingCapacity: true)
            outlines.removeAll(keepingCapacity: true)
        }
        if contrast != options.textContrast { (contrast, contrastTables) = (options.textContrast, [:]) }
        let transform = Transform(scaleX: options.scale, scaleY: options.scale)
        guard let bandHeight = LayerBounds.bandHeight(list, width: width, height: rows.count)
        else { return draw(list, transform, fonts, pictures, canvas) }
        for top in stride(from: rows.lowerBound, to: rows.upperBound, by: bandHeight) {
            canvas.pushClip(RoundedRect(rect: canvas.clip.area.rows(top, min(top + bandHeight, rows.upperBound)).rect))
            draw(list, transform, fonts, pictures, canvas)
            canvas.pop()
        }
    }

    /// Returns whether the list can be painted in bands of rows at no extra cost, and will have few colours: nothing may be
    /// computed for a whole shape (filters, blurs, pictures).
    package static func isFlat(_ list: DisplayList) -> Bool {
        list.items.allSatisfy { item in
            switch item {
            case .fill(_, .color), .path(_, .color), .border: true
            case .glyphs(let glyphs):
                glyphs.fill.color != nil && glyphs.shadows.allSatisfy { $0.blur == 0 } && glyphs.strokeWidth == 0
            case .decoration(let line): line.shadows.allSatisfy { $0.blur == 0 }
            case .boxShadow(_, let shadow): shadow.blur == 0
            case .pushLayer(let layer):
                layer.filters.isEmpty && !layer.isLuminanceMask && layer.composite == .blend(.normal)
            case .pushClip, .pop, .cells: true
            case .fill(_, .gradient), .fill(_, .tiles), .path(_, .gradient), .path(_, .tiles), .strokePath, .image,
                .pushClipPath, .pushTransform, .backdrop:
                false
            }
        }
    }

    mutating func draw(
        _ list: DisplayList, _ transform: Transform, _ fonts: some GlyphSource, _ pictures: some PictureSource,
        _ canvas: Bitmap
    ) {
        var transform = transform
        // The transforms to restore at the end of each group.
        var groups: [Transform] = []
        let bounds = LayerBounds(list, transform, canvas.transform, fonts)
        for (index, item) in list.items.enumerated() {
            if canvas.isExhausted { break }
            canvas.note(Self.itemWork)
            if item.nesting > 0 { groups.append(transform) }
            switch item {
            case .fill(let shape, let fill):
                canvas.fill(shape.transformed(transform).pixelSnapped, paint: paint(fill, transform))
            case .path(let path, let fill): canvas.fill(path, transform, paint: paint(fill, transform))
            case .strokePath(let path, let color, let width):
                let outline = Stroker.stroke(path, transform, width: width * transform.scaleX)
                canvas.fillOverlapping(outline, paint: Paint(color))
            case .boxShadow(let box, let shadow):
                ShadowPainter.paint(
                    box.transformed(transform).pixelSnapped, shadow, scale: transform.scaleX, canvas, &shadows)
            case .border(let border): BorderPainter.paint(border, transform, canvas)
            case .glyphs(let item): drawGlyphs(item, list, transform, fonts, canvas)
            case .decoration(let item): DecorationPainter.paint(item, transform, canvas)
            case .image(let item): drawImage(item, transform, fonts, pictures, canvas)
            case .pushClip(let shape): canvas.pushClip(shape.transformed(transform).pixelSnapped)
            case .pushClipPath(let path, let isEvenOdd):
                canvas.pushClip(path.transformed(transform), isEvenOdd: isEvenOdd)
            case .pushTransform(let inner): push(inner, &transform, canvas)
            case .pushLayer(let item):
                let whole = canvas.transform?.after(transform) ?? transform
                var effect = LayerEffect(opacity: item.opacity, composite: item.composite)
                effect.filters = item.filters.compactMap { PixelFilter($0, whole, draw: pictures.filtered) }
                if item.isLuminanceMask { effect.filters.append(.luminanceToAlpha) }
                canvas.pushLayer(effect, bounds: bounds[index])
            case .backdrop(let shape, let filters, let layers):
                paintBackdrop(shape, filters, layers: layers, transform, canvas, pictures)
            case .pop:
                transform = groups.popLast() ?? transform
                canvas.pop()
            case .cells: break
            }
        }
        for _ in groups { canvas.pop() }
    }

    /// The cost of an item besides its pixels.
    private static let itemWork = 256

    /// Translations by whole pixels just move shapes. Others apply to finished shapes, which so have the same edges everywhere.
    private func push(_ inner: Transform, _ transform: inout Transform, _ canvas: Bitmap) {
        let pixels = Self.deviceTransform(inner, transform)
        guard transform.inverse != nil, pixels == Transform(x: pixels.x.rounded(), y: pixels.y.rounded()),
            abs(pixels.x) < 1e6, abs(pixels.y) < 1e6
        else { return canvas.pushTransform(pixels) }
        (transform.x, transform.y) = (transform.x + pixels.x, transform.y + pixels.y)
        canvas.pushTransform(Transform())
    }

    /// Converts a transform of CSS pixels to one of the pixels that `transform` maps to.
    static func deviceTransform(_ inner: Transform, _ transform: Transform) -> Transform {
        transform.inverse.map { transform.after(inner).after($0) } ?? inner
    }

    private func paintBackdrop(
        _ shape: RoundedRect, _ filters: [FilterFunction], layers: Int, _ transform: Transform, _ canvas: Bitmap,
        _ pictures: some PictureSource
    ) {
        let shape = shape.transformed(transform).pixelSnapped
        let whole = canvas.transform?.bounds(of: shape.rect) ?? shape.rect
        let map = canvas.transform?.after(transform) ?? transform
        let filters = filters.compactMap { PixelFilter($0, map, draw: pictures.filtered) }
        let reach = filters.reduce(0) { $0 + $1.reach }
        let below = canvas.layer(depth: layers)
        let area = whole.pixelCover.intersection(below.area).intersection(canvas.clip.area.outset(by: reach))
        guard !area.isEmpty, canvas.holds(area.count * 4) else { return }
        defer { canvas.release(area.count * 4) }
        var backdrop = below.pixmap(of: area)
        backdrop.pixels.withUnsafeMutableBufferPointer { pixels in
            guard let pixels = pixels.baseAddress else { return }
            canvas.apply(filters, to: (pixels, area), mirrors: true)
        }
        canvas.pushClip(shape)
        canvas.inDevicePixels { canvas.fill(area, paint: .shader(PictureShader(backdrop, in: area.rect))) }
        canvas.pop()
    }

    mutating func paint(_ fill: Fill, _ transform: Transform) -> Paint {
        switch fill {
        case .color(let color): return Paint(color)
        case .gradient(let gradient, let box):
            let box = RoundedRect(rect: box).transformed(transform).rect.pixelSnapped
            if let last = lastGradient, last.gradient == gradient, last.box == box { return .shader(last.shader) }
            let shader = GradientShader(gradient, box: box, scale: transform.scaleX)
            lastGradient = (gradient, box, shader)
            return .shader(shader)
        case .tiles(let gradient, let box, let step):
            let size = Size(width: step.width * transform.scaleX, height: step.height * transform.scaleY)
            let tile = RoundedRect(rect: box).transformed(transform).rect
            return .shader(TilesShader(gradient, box: tile, step: size, scale: transform.scaleX))
        }
    }

    // MARK: Pictures

    private mutating func drawImage(
        _ item: ImageItem, _ transform: Transform, _ fonts: some GlyphSource, _ pictures: some PictureSource,
        _ canvas: Bitmap
    ) {
        let (rect, clip, step) = item.placed(transform)
        // Larger than its rectangle if a transform enlarges it.
        let stretch = (canvas.transform ?? Transform()).stretch
        let width = Int(bounded: (rect.width * stretch.x).rounded(.up))
        let height = Int(bounded: (rect.height * stretch.y).rounded(.up))
        guard width > 0, height > 0, !clip.rect.isEmpty, !clip.rect.pixelCover.intersection(canvas.visibleArea).isEmpty
        else { return }
        let source: String
        switch pictures.content(of: item) {
        case .picture(let name): source = name
        case .list(let list):
            // Lambdas may contain lambdas, but recursion is limited.
            guard lambdaDepth < 8, list.size.width > 0, list.size.height > 0 else { return }
            lambdaDepth += 1
            defer { lambdaDepth -= 1 }
            canvas.pushClip(clip)
            if list.background.alpha > 0 { canvas.fill(RoundedRect(rect: rect), paint: Paint(list.background)) }
            draw(list, list.fitting(rect), fonts, pictures, canvas)
            return canvas.pop()
        case nil: return
        }
        guard let picture = pictures.picture(source: source, width: width, height: height), picture.width > 0,
            picture.height > 0
        else { return }
        canvas.pushClip(clip)
        defer { canvas.pop() }
        if item.isSlice { return drawSlice(of: picture, item, in: clip.rect, stretch, canvas) }
        let isPixelated = item.isPixelated && (width > picture.width || height > picture.height)
        if canvas.transform != nil || isPixelated {
            // If the picture shrinks, it is reduced first, so that every pixel contributes.
            let scaled =
                isPixelated
                ? picture
                : ImageScaler.scale(picture, width: min(picture.width, width), height: min(picture.height, height))
            let shader = PictureShader(scaled, in: rect, step: step, isPixelated: isPixelated)
            return canvas.fill(step == nil ? rect : clip.rect, paint: .shader(shader))
        }
        let place = (x: Int(bounded: rect.x), y: Int(bounded: rect.y))
        let whole = DeviceRect(minX: place.x, minY: place.y, maxX: place.x + width, maxY: place.y + height)
        // A repeated picture is scaled as a whole, unless it would exceed the limit on image pixels.
        let isTile = step != nil && whole.count <= canvas.meter.limits.imagePixels
        if whole.count <= Self.mostScaledPixels || isTile || (width == picture.width && height == picture.height) {
            let scaled = scale(picture, item, width, height, canvas)
            let shader = PictureShader(scaled, in: whole.rect, step: step)
            return canvas.fill(step == nil ? whole : clip.rect.pixelCover, paint: .shader(shader))
        }
        // Only the visible part of a large picture is scaled, some rows at a time.
        let seen = whole.intersection(canvas.clip.area)
        guard !seen.isEmpty else { return }
        let rows = max(16, Self.mostScaledPixels / 4 / seen.width)
        for top in stride(from: seen.minY, to: seen.maxY, by: rows) where !canvas.isExhausted {
            let band = seen.rows(top, min(top + rows, seen.maxY))
            canvas.note(band.count * 4 + picture.width * picture.height / max(1, seen.height / rows))
            let scaled = ImageScaler.scale(
                picture, width: width, height: height, columns: band.minX - place.x..<band.maxX - place.x,
                rows: band.minY - place.y..<band.maxY - place.y)
            canvas.fill(band, paint: .shader(PictureShader(scaled, in: band.rect)))
        }
    }

    /// Paints only the pixels of a picture that are in the clip of its item.
    private func drawSlice(
        of picture: Pixmap, _ item: ImageItem, in place: Rect, _ stretch: (x: Float, y: Float), _ canvas: Bitmap
    ) {
        let (scaleX, scaleY) = (Float(picture.width) / item.rect.width, Float(picture.height) / item.rect.height)
        let part = Transform(scaleX: scaleX, scaleY: scaleY, x: -item.rect.x * scaleX, y: -item.rect.y * scaleY)
            .bounds(of: item.clip.rect).pixelSnapped.pixelCover
            .intersection(DeviceRect(minX: 0, minY: 0, maxX: picture.width, maxY: picture.height))
        guard !part.isEmpty else { return }
        canvas.note(part.count)
        var slice = Pixmap(width: part.width, height: part.height)
        for y in 0..<part.height {
            let row = (part.minY + y) * picture.width + part.minX
            slice.pixels.replaceSubrange(
                y * part.width..<(y + 1) * part.width, with: picture.pixels[row..<row + part.width])
        }
        if !item.isPixelated {
            // As above, every pixel contributes.
            slice = ImageScaler.scale(
                slice, width: min(part.width, max(1, Int(bounded: (place.width * stretch.x).rounded(.up)))),
                height: min(part.height, max(1, Int(bounded: (place.height * stretch.y).rounded(.up)))))
        }
        canvas.fill(place, paint: .shader(PictureShader(slice, in: place, isPixelated: item.isPixelated)))
    }

    /// The maximum number of pixels of a picture that is scaled as a whole and cached.
    private static let mostScaledPixels = 4_000_000
    /// The maximum number of pixels in the cache.
    private static let mostKeptPixels = 16_000_000

    private mutating func scale(
        _ picture: Pixmap, _ item: ImageItem, _ width: Int, _ height: Int, _ canvas: Bitmap
    ) -> Pixmap {
        if width == picture.width && height == picture.height { return picture }
        let key = ScaledKey(source: (item.isLambda ? "lambda " : "") + item.source, width: width, height: height)
        if let known = scaledPictures[key] { return known }
        let source = reduced(picture, key.source, width: width, height: height)
        canvas.note(source.width * source.height * 2 + width * height * 4)
        let scaled = ImageScaler.scale(source, width: width, height: height)
        keptPixels += width * height
        if scaledPictures.count >= 64 || keptPixels > Self.mostKeptPixels {
            scaledPictures.removeAll()
            keptPixels = width * height
        }
        scaledPictures[key] = scaled
        return scaled
    }

    /// The picture to scale from. One shown in many sizes is halved repeatedly, so that a size costs its own pixels.
    private mutating func reduced(_ picture: Pixmap, _ source: String, width: Int, height: Int) -> Pixmap {
        var known = reductions[source] ?? (0, [])
        known.sizes += 1
        defer { reductions[source] = known }
        guard known.sizes > Self.mostFullSizes else { return picture }
        var best = picture
        var level = 0
        while best.width / 2 >= width, best.height / 2 >= height {
            if level == known.halves.count {
                keptPixels += best.width * best.height / 4
                known.halves.append(ImageScaler.scale(best, width: best.width / 2, height: best.height / 2))
            }
            best = known.halves[level]
            level += 1
        }
        return best
    }

    /// The number of sizes that are scaled from all pixels of a picture.
    private static let mostFullSizes = 8
}

extension ImageItem {
    /// The rectangle and the clip on whole pixels, and the distance between tiles, in device pixels.
    func placed(_ transform: Transform) -> (rect: Rect, clip: RoundedRect, step: Size?) {
        let step = tile.map {
            Size(
                width: max(1, ($0.width * transform.scaleX).rounded()),
                height: max(1, ($0.height * transform.scaleY).rounded()))
        }
        let rect = RoundedRect(rect: rect).transformed(transform).rect.pixelSnapped
        return (rect, clip.transformed(transform).pixelSnapped, step)
    }
}

extension DisplayList {
    /// The transform with which the list fills a rectangle.
    func fitting(_ rect: Rect) -> Transform {
        Transform(scaleX: rect.width / size.width, scaleY: rect.height / size.height, x: rect.x, y: rect.y)
    }
}

extension Transform {
    func moved(for shadow: Shadow) -> Transform {
        var moved = self
        moved.x += shadow.x * scaleX
        moved.y += shadow.y * scaleY
        return moved
    }
}
