// Pictures and outlines of glyphs, drawn by FreeType: its smooth rasterizer for outlines, its decoders for colour glyphs.

import FancyTextBasics
import CFancyTextTextLibraries

/// Larger masks are not made: the painter fills the visible part of the outline instead.
private let maximumMaskPixels = 1 << 20
/// The same limit for pictures in a font, which have no outline to fall back to.
private let maximumPicturePixels = 1 << 24

extension FontContext {
    /// The picture of a glyph, drawn if it is not in the cache; nil without ink, or if it is too large.
    package func picture(_ key: GlyphKey) -> GlyphMask? {
        if let known = glyphCache.find(key) { return known }
        let mask = drawGlyph(key, self[key.font])
        glyphCache.insert(mask, key, cost: mask?.cost ?? 96)
        return mask
    }

    /// The outline of a glyph in CSS pixels around its origin, y down, with synthetic styles; empty for a picture. With a scale, in
    /// device pixels for a CSS pixel, it is hinted like the glyph's picture.
    package func glyphOutline(_ font: FontID, _ glyph: UInt32, hintedAt scale: Float? = nil) -> Path {
        let instance = self[font]
        guard glyph != ShapedGlyph.invisible, instance.face.hasOutlines else { return Path() }
        // The designed shape is drawn large and scaled down, because FreeType's coordinates are multiples of 1/64.
        let em = scale.map { instance.size * $0 } ?? 2048
        guard let slot = loadOutline(glyph, of: instance, em: em, isUpright: scale != nil) else { return Path() }
        return Path(&slot.pointee.outline, scale: instance.size / em / 64)
    }

    /// The rows of pixels that a glyph covers above and below the baseline; nil for a picture.
    package func glyphRows(_ font: FontID, _ glyph: UInt32) -> (above: Int, below: Int)? {
        let instance = self[font]
        guard instance.face.hasOutlines else { return nil }
        guard glyph != ShapedGlyph.invisible, let outline = loadedOutline(glyph, of: instance, scale: 1),
            !outline.isEmpty
        else { return (0, 0) }
        return ((Int(outline.box.yMax) + 63) >> 6, -(Int(outline.box.yMin) >> 6))
    }

    /// The fitted outline of a glyph, loaded if it is not in the cache; nil if FreeType has none.
    private func loadedOutline(_ glyph: UInt32, of instance: FontInstance, scale: Float) -> LoadedOutline? {
        let key = GlyphKey(font: instance.id, glyph: glyph, scale: scale)
        if let known = outlineCache.find(key) { return known }
        guard let slot = loadOutline(glyph, of: instance, em: instance.size * scale, isUpright: true),
            let made = LoadedOutline(copying: &slot.pointee.outline, libraries)
        else { return nil }
        outlineCache.insert(made, key, cost: made.cost)
        return made
    }

    /// Loads a glyph with an outline, and applies synthetic styles to it; nil for other glyphs.
    private func loadOutline(_ glyph: UInt32, of instance: FontInstance, em: Float, isUpright: Bool) -> FT_GlyphSlot? {
        let flags = loadFlags(of: glyph, in: instance, isUpright: isUpright)
        guard instance.scaler.setSize(em),
            FT_Load_Glyph(instance.scaler.face, glyph, FT_Int32(FT_LOAD_NO_BITMAP) | flags) == 0,
            let slot = instance.scaler.face.pointee.glyph, slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE
        else { return nil }
        applySynthesis(instance, &slot.pointee.outline, em: em, skew: 0, stretch: 1)
        return slot
    }

    private func applySynthesis(
        _ instance: FontInstance, _ outline: inout FT_Outline, em: Float, skew: Float, stretch: Float
    ) {
        if instance.settings.isEmboldened {
            let strength = FT_Pos(em * 64 * Synthesis.emboldening(ofSize: instance.size))
            _ = FT_Outline_Embolden(&outline, strength)
            // FreeType keeps the lower left corner; the shift lets ink grow on all sides, as a stroke does.
            FT_Outline_Translate(&outline, -strength / 2, -strength / 2)
        }
        let slant = skew + (instance.settings.isSlanted ? Synthesis.slant : 0)
        if slant != 0 || stretch != 1 {
            var matrix = FT_Matrix(xx: fixed16(stretch), xy: fixed16(slant), yx: 0, yy: 0x10000)
            FT_Outline_Transform(&outline, &matrix)
        }
    }

    /// FreeType's flags for hinting. A slanted or stretched outline is not hinted, because it does not follow the pixel grid.
    private func loadFlags(of glyph: UInt32, in instance: FontInstance, isUpright: Bool) -> Int32 {
        switch isUpright && !instance.settings.isSlanted ? configuration.hinting : .none {
        case .none: return Int32(FT_LOAD_NO_HINTING)
        case .slight:
            instance.scaler.prepareHinting(of: glyph, in: instance.face)
            return ScalerFace.lightHinting
        case .full: return Int32(FT_LOAD_DEFAULT)
        }
    }

    private func drawGlyph(_ key: GlyphKey, _ instance: FontInstance) -> GlyphMask? {
        let em = instance.size * key.scale
        guard key.glyph != ShapedGlyph.invisible, key.scale > 0, em > 0 else { return nil }
        if let pictures = instance.face.pictures { return pictures.mask(key.glyph, em: em, subpixel: key.subpixel) }
        if instance.face.isScalable, !instance.face.hasColor, key.skew == 0, key.stretch == 1 {
            let outline = loadedOutline(key.glyph, of: instance, scale: key.scale)
            return outline.flatMap { drawOutline($0, subpixel: key.subpixel) }
        }
        return drawLoaded(key, instance)
    }

    /// Draws glyphs that FreeType loads each time: pictures, colour layers, slanted or stretched outlines.
    private func drawLoaded(_ key: GlyphKey, _ instance: FontInstance) -> GlyphMask? {
        let (glyph, em, scaler) = (key.glyph, instance.size * key.scale, instance.scaler)
        if !instance.face.isScalable { return drawStrike(instance, glyph, em: em) }
        if instance.face.hasColor, let (pixels, largest) = layerPixels(of: glyph, em: em, scaler),
            pixels > maximumPicturePixels
        {
            // FreeType makes a picture of each layer, as large as the layer.
            let factor = (Float(maximumPicturePixels) / Float(pixels)).squareRoot() * 0.9
            guard factor > 1.0 / 32, largest <= maximumPicturePixels else { return nil }
            var smaller = key
            (smaller.subpixel, smaller.scale) = (0, key.scale * factor)
            return drawLoaded(smaller, instance)?.scaled(by: 1 / factor)
        }
        guard scaler.setSize(em) else { return nil }
        var flags = loadFlags(of: glyph, in: instance, isUpright: key.skew == 0 && key.stretch == 1)
        if instance.face.hasColor { flags |= Int32(FT_LOAD_COLOR) } else { flags |= Int32(FT_LOAD_NO_BITMAP) }
        guard FT_Load_Glyph(scaler.face, glyph, flags) == 0, let slot = scaler.face.pointee.glyph else { return nil }
        if slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE, instance.face.hasColor {
            // COLR layers are combined when the slot is rendered; a plain glyph becomes coverage.
            guard FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) == 0 else { return nil }
        }
        if slot.pointee.format == FT_GLYPH_FORMAT_BITMAP { return copyBitmap(slot.pointee) }
        guard slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE else { return nil }
        applySynthesis(instance, &slot.pointee.outline, em: em, skew: key.skew, stretch: key.stretch)
        let outline = LoadedOutline(copying: &slot.pointee.outline, libraries)
        return outline.flatMap { drawOutline($0, subpixel: key.subpixel) }
    }

    /// The sum of the pixels of a coloured glyph's layers, and those of the largest one; nil if it has no layers.
    private func layerPixels(of glyph: UInt32, em: Float, _ scaler: ScalerFace) -> (all: Int, largest: Int)? {
        var iterator = FT_LayerIterator()
        var (layer, color): (FT_UInt, FT_UInt) = (0, 0)
        var (total, largest, isLayered) = (0.0, 0.0, false)
        while FT_Get_Color_Glyph_Layer(scaler.face, glyph, &layer, &color, &iterator) != 0 {
            isLayered = true
            guard FT_Load_Glyph(scaler.face, layer, FT_Int32(FT_LOAD_NO_SCALE)) == 0,
                let slot = scaler.face.pointee.glyph, slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE
            else { continue }
            var box = FT_BBox()
            FT_Outline_Get_CBox(&slot.pointee.outline, &box)
            let unit = Double(em) / Double(max(1, scaler.face.pointee.units_per_EM))
            let pixels = (Double(box.xMax - box.xMin) * unit + 1) * (Double(box.yMax - box.yMin) * unit + 1)
            total += pixels
            largest = max(largest, pixels)
        }
        return isLayered ? (Int(bounded: total, by: 1e15), Int(bounded: largest, by: 1e15)) : nil
    }

    private func drawOutline(_ outline: LoadedOutline, subpixel: Int) -> GlyphMask? {
        if outline.isEmpty { return nil }
        let shift = FT_Pos(subpixel * 16)
        let left = Int(outline.box.xMin + shift) >> 6
        let bottom = Int(outline.box.yMin) >> 6
        let width = ((Int(outline.box.xMax + shift) + 63) >> 6) - left
        let height = ((Int(outline.box.yMax) + 63) >> 6) - bottom
        guard width > 0, height > 0, width < 32_000, height < 32_000, width * height <= maximumMaskPixels
        else { return nil }
        var pixels = [UInt8](repeating: 0, count: width * height)
        var bitmap = FT_Bitmap()
        (bitmap.rows, bitmap.width, bitmap.pitch) = (UInt32(height), UInt32(width), Int32(width))
        bitmap.num_grays = 256
        bitmap.pixel_mode = UInt8(FT_PIXEL_MODE_GRAY.rawValue)
        let code = pixels.withUnsafeMutableBufferPointer {
            bitmap.buffer = $0.baseAddress
            return outline.draw(movedBy: (shift - FT_Pos(left * 64), FT_Pos(-bottom * 64)), into: &bitmap)
        }
        guard code == 0 else { return nil }
        return GlyphMask(left: left, top: bottom + height, width: width, height: height, isColor: false, pixels: pixels)
    }

    /// A copy of a rendered bitmap in one of the two formats of masks.
    private func copyBitmap(_ slot: FT_GlyphSlotRec) -> GlyphMask? {
        let bitmap = slot.bitmap
        let (width, height) = (Int(bitmap.width), Int(bitmap.rows))
        guard width > 0, height > 0, width * height <= maximumPicturePixels, let source = bitmap.buffer
        else { return nil }
        let isColor = Int(bitmap.pixel_mode) == Int(FT_PIXEL_MODE_BGRA.rawValue)
        let stride = isColor ? width * 4 : width
        var pixels: [UInt8] = []
        pixels.reserveCapacity(stride * height)
        for row in 0..<height {
            let line = source + row * Int(bitmap.pitch)
            switch Int(bitmap.pixel_mode) {
            case Int(FT_PIXEL_MODE_BGRA.rawValue), Int(FT_PIXEL_MODE_GRAY.rawValue):
                pixels += UnsafeBufferPointer(start: line, count: stride)
            case Int(FT_PIXEL_MODE_MONO.rawValue):
                pixels += (0..<width).map { line[$0 >> 3] >> UInt8(7 - $0 & 7) & 1 == 1 ? 255 : 0 }
            default: pixels += repeatElement(0, count: stride)
            }
        }
        return GlyphMask(
            left: Int(slot.bitmap_left), top: Int(slot.bitmap_top), width: width, height: height, isColor: isColor,
            pixels: pixels)
    }

    /// A glyph of a picture font, scaled from its nearest strike.
    private func drawStrike(_ instance: FontInstance, _ glyph: UInt32, em: Float) -> GlyphMask? {
        let scaler = instance.scaler
        guard let strike = scaler.selectStrike(em), strike > 0,
            FT_Load_Glyph(scaler.face, glyph, FT_Int32(FT_LOAD_COLOR)) == 0, let slot = scaler.face.pointee.glyph
        else { return nil }
        if slot.pointee.format != FT_GLYPH_FORMAT_BITMAP, FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0 {
            return nil
        }
        guard let whole = copyBitmap(slot.pointee) else { return nil }
        let factor = em / strike
        return factor == 1 ? whole : whole.scaled(by: factor)
    }
}

extension GlyphMask {
    /// This picture at another size: areas are averaged, or interpolated when it grows. Linear in the pixels read and written.
    func scaled(by factor: Float) -> GlyphMask? {
        let left = Int(bounded: (Float(self.left) * factor).rounded(.down))
        let top = Int(bounded: (Float(self.top) * factor).rounded(.up))
        let right = Int(bounded: (Float(self.left + self.width) * factor).rounded(.up))
        let bottom = Int(bounded: (Float(self.top - self.height) * factor).rounded(.down))
        let (width, height) = (right - left, top - bottom)
        guard width > 0, height > 0, width <= 16_384, height <= 16_384, width * height <= maximumPicturePixels
        else { return nil }
        let channels = isColor ? 4 : 1
        let columns = Resampler(
            count: width, origin: Float(left) - Float(self.left) * factor, factor: factor, limit: self.width)
        let rows = Resampler(
            count: height, origin: Float(self.top) * factor - Float(top), factor: factor, limit: self.height)
        var middle = [Float](repeating: 0, count: width * self.height * channels)
        for row in 0..<self.height {
            let line = row * stride
            for column in 0..<width {
                for channel in 0..<channels {
                    var sum: Float = 0
                    for tap in columns.taps(column) {
                        sum += Float(pixels[line + tap.index * channels + channel]) * tap.weight
                    }
                    middle[(row * width + column) * channels + channel] = sum
                }
            }
        }
        var result = [UInt8](repeating: 0, count: width * height * channels)
        for row in 0..<height {
            for offset in 0..<(width * channels) {
                var sum: Float = 0
                for tap in rows.taps(row) { sum += middle[tap.index * width * channels + offset] * tap.weight }
                result[row * width * channels + offset] = UInt8(bounded: sum.rounded())
            }
        }
        return GlyphMask(left: left, top: top, width: width, height: height, isColor: isColor, pixels: result)
    }
}

/// The source pixels of each target pixel, along one axis.
private struct Resampler {
    typealias Tap = (index: Int, weight: Float)

    private var all: [Tap] = []
    private var starts: [Int] = []

    /// - Parameter origin: target pixel 0 in target pixels from the scaled start of the source, which has `limit` pixels.
    init(count: Int, origin: Float, factor: Float, limit: Int) {
        let radius = max(1, 1 / factor)
        for position in 0..<count {
            starts.append(all.count)
            let center = (Float(position) + origin + 0.5) / factor - 0.5
            var total: Float = 0
            for index in Int(bounded: (center - radius).rounded(.down))...Int(bounded: (center + radius).rounded(.up)) {
                // A tent filter as wide as a target pixel and its neighbours.
                let weight = max(0, 1 - abs(Float(index) - center) / radius)
                guard weight > 0 else { continue }
                total += weight
                if index >= 0, index < limit { all.append((index, weight)) }
            }
            for tap in starts[position]..<all.count { all[tap].weight /= total }
        }
        starts.append(all.count)
    }

    func taps(_ position: Int) -> ArraySlice<Tap> { all[starts[position]..<starts[position + 1]] }
}

extension Path {
    /// - Parameter scale: the factor for the outline's coordinates; y is flipped.
    init(_ outline: inout FT_Outline, scale: Float) {
        self.init()
        var functions = FT_Outline_Funcs()
        functions.move_to = { to, path in
            // The contour before ends.
            _ = Path.append(.close, to: path)
            return Path.append(.move(Point(to)), to: path)
        }
        functions.line_to = { to, path in Path.append(.line(Point(to)), to: path) }
        functions.conic_to = { control, to, path in
            Path.append(.quadratic(control: Point(control), end: Point(to)), to: path)
        }
        functions.cubic_to = { first, second, to, path in
            Path.append(.cubic(control1: Point(first), control2: Point(second), end: Point(to)), to: path)
        }
        withUnsafeMutablePointer(to: &self) { _ = FT_Outline_Decompose(&outline, &functions, $0) }
        if !isEmpty { segments = segments.dropFirst() + [.close] }
        self = transformed(Transform(scaleX: scale, scaleY: -scale))
    }

    private static func append(_ segment: Segment, to path: UnsafeMutableRawPointer?) -> Int32 {
        path?.assumingMemoryBound(to: Path.self).pointee.segments.append(segment)
        return 0
    }
}

extension Point {
    fileprivate init(_ vector: UnsafePointer<FT_Vector>?) {
        self.init(x: Float(vector?.pointee.x ?? 0), y: Float(vector?.pointee.y ?? 0))
    }
}

/// A copy of an outline, in 1/64 device pixels.
final class LoadedOutline {
    private var outline = FT_Outline()
    /// Keeps FreeType open.
    private let libraries: FontLibraries
    /// The box around all points, including control points.
    private(set) var box = FT_BBox()

    /// - Parameter source: FreeType's outline, which the next glyph overwrites.
    init?(copying source: inout FT_Outline, _ libraries: FontLibraries) {
        self.libraries = libraries
        let (points, contours) = (FT_UInt(source.n_points), FT_Int(source.n_contours))
        guard FT_Outline_New(libraries.library, points, contours, &outline) == 0,
            FT_Outline_Copy(&source, &outline) == 0
        else { return nil }
        if points > 0 { FT_Outline_Get_CBox(&outline, &box) }
    }

    deinit { FT_Outline_Done(libraries.library, &outline) }

    var isEmpty: Bool { outline.n_points == 0 }

    /// The approximate size in bytes.
    var cost: Int { Int(outline.n_points) * 17 + Int(outline.n_contours) * 2 + 128 }

    /// Draws the shifted outline; 0 for success.
    func draw(movedBy shift: (x: FT_Pos, y: FT_Pos), into bitmap: inout FT_Bitmap) -> FT_Error {
        FT_Outline_Translate(&outline, shift.x, shift.y)
        defer { FT_Outline_Translate(&outline, -shift.x, -shift.y) }
        return FT_Outline_Get_Bitmap(libraries.library, &outline, &bitmap)
    }
}
