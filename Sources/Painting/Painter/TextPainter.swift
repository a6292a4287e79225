// Paints glyphs of a source of fonts: shadows first, then the fill, then the stroke (CSS Text Decoration 3 §4, Compatibility §3.4).

import FancyTextBasics
import FancyTextCSS
import FancyTextTypography

private struct GlyphRun<Fonts: GlyphSource> {
    let item: GlyphsItem
    let glyphs: ArraySlice<PositionedGlyph>
    var transform: Transform
    let fonts: Fonts
    let canvas: Bitmap

    func placed(_ glyph: PositionedGlyph) -> Transform { Painter.placed(glyph, item, transform) }
}

extension Painter {
    mutating func drawGlyphs(
        _ item: GlyphsItem, _ list: DisplayList, _ transform: Transform, _ fonts: some GlyphSource, _ canvas: Bitmap
    ) {
        let run = GlyphRun(
            item: item, glyphs: list.glyphs(of: item), transform: transform, fonts: fonts, canvas: canvas)
        guard !run.glyphs.isEmpty else { return }
        for shadow in item.shadows.reversed() where shadow.color.alpha > 0 && !canvas.isExhausted {
            drawShadow(shadow, run)
        }
        // Text in a gradient has no single luminance; Skia uses that of black.
        let tone = item.fill.color ?? .black
        if item.isClip, hasColors(run) {
            drawMask(of: run, paint(item.fill, transform))
        } else if tone.alpha > 0 {
            fill(run, paint(item.fill, transform), tone)
        }
        if let color = item.strokeColor, item.strokeWidth > 0, color.alpha > 0 { stroke(run, Paint(color)) }
    }

    private mutating func stroke(_ run: GlyphRun<some GlyphSource>, _ paint: Paint) {
        let (item, transform, canvas) = (run.item, run.transform, run.canvas)
        let width = item.strokeWidth * transform.scaleX
        // Broad strokes are filled together: their edges cross so few pixels that errors at overlaps are invisible.
        let isBroad = width > Self.broadStroke
        var together = Path()
        // The stroke follows the glyph's picture, which is hinted and placed at quarters of a pixel.
        let isPicture =
            canvas.transform == nil && transform.isUpright && transform.scaleX == transform.scaleY && item.skew == 0
            && item.stretch == 1 && run.fonts.size(of: item.font) * transform.scaleY <= Self.largeGlyph
        for (count, glyph) in run.glyphs.enumerated() {
            let outline = outline(of: glyph, run, hintedAt: isPicture ? transform.scaleX : nil)
            guard !outline.isEmpty, !canvas.isExhausted else { continue }
            canvas.note(Self.strokeWork)
            var place = run.placed(glyph)
            if isPicture {
                let snapped = Self.snapped(Point(x: place.x, y: place.y))
                (place.x, place.y) = (Float(snapped.x) + Float(snapped.subpixel) / 4, Float(snapped.y))
            }
            let stroke = Stroker.stroke(outline, place, width: width)
            guard isBroad else {
                canvas.fillOverlapping(stroke, paint: paint)
                continue
            }
            together.append(stroke)
            if count % 512 == 511 {
                canvas.fill(together, paint: paint)
                together = Path()
            }
        }
        if isBroad { canvas.fill(together, paint: paint) }
    }

    /// The cost of one pixel of a shadow.
    private static let shadowWork = 6

    /// The cost of a glyph's stroke besides its pixels.
    private static let strokeWork = 50_000

    /// The stroke width, in device pixels, from which the strokes of a run are filled together.
    private static let broadStroke: Float = 64

    private mutating func outline(
        of glyph: PositionedGlyph, _ run: GlyphRun<some GlyphSource>, hintedAt scale: Float? = nil
    ) -> Path {
        let key = OutlineKey(font: run.item.font, glyph: glyph.id, scale: scale)
        if let known = outlines[key] { return known }
        let outline = run.fonts.glyphOutline(run.item.font, glyph.id, hintedAt: scale)
        if outlines.count >= 1024 { outlines.removeAll(keepingCapacity: true) }
        outlines[key] = outline
        return outline
    }

    /// The size of an em, in device pixels, from which the visibility of each glyph is checked before it is drawn.
    private static let largeGlyph: Float = 256

    static func placed(_ glyph: PositionedGlyph, _ item: GlyphsItem, _ transform: Transform) -> Transform {
        let origin = transform.apply(glyph.point)
        return Transform(
            scaleX: transform.scaleX * item.stretch, scaleY: transform.scaleY, x: origin.x, y: origin.y,
            // In outlines y points down, so a slant to the right decreases x as y grows.
            skew: -item.skew)
    }

    /// The position of a glyph's bitmap. As in Skia, x is rounded down to a quarter after adding an eighth, y to whole pixels.
    @inline(__always) static func snapped(_ origin: Point) -> (x: Int, y: Int, subpixel: Int) {
        let quarters = Int(bounded: (origin.x * 4 + 0.5).rounded(.down))
        return (quarters >> 2, Int(bounded: (origin.y + 0.5).rounded(.down)), quarters & 3)
    }

    private mutating func fill(_ run: GlyphRun<some GlyphSource>, _ paint: Paint, _ tone: Color) {
        let (item, fonts, canvas) = (run.item, run.fonts, run.canvas)
        // Pictures of glyphs are only used upright.
        let whole = canvas.transform?.after(run.transform) ?? run.transform
        let isSquare = whole.isUpright && whole.scaleX == whole.scaleY
        // As in Skia, glyphs after a quarter turn are hinted like upright ones.
        let turned = whole.xx == 0 && whole.yy == 0 && abs(whole.xy) == abs(whole.yx) ? abs(whole.yx) : 0
        let isHinted = turned > 0 && item.skew == 0 && item.stretch == 1
        let visible = canvas.clip.area
        let isLarge = fonts.size(of: item.font) * max(whole.scaleY, turned) > Self.largeGlyph
        let toneClass = TextContrast.luminanceClass(of: tone)
        let table = contrastTables[toneClass] ?? contrast.table(luminanceClass: toneClass)
        contrastTables[toneClass] = table
        for glyph in run.glyphs {
            let place = Self.snapped(whole.apply(glyph.point))
            // Large glyphs are drawn only if they are visible.
            if isLarge {
                let placed = whole.after(Self.placed(glyph, item, Transform()))
                let bounds = outline(of: glyph, run).bounds(placed) ?? placed.bounds(of: fonts.reach(of: item.font))
                if bounds.pixelCover.outset(by: 2).intersection(visible).isEmpty { continue }
            }
            guard isSquare, let picture = fonts.picture(of: glyph, item, subpixel: place.subpixel, scale: whole.scaleX)
            else {
                // There is no picture: the glyph has no ink, is too large, rotated, or squeezed by a lambda's box.
                let outline = outline(of: glyph, run, hintedAt: isHinted && !isLarge ? turned : nil)
                if !outline.isEmpty {
                    canvas.fill(outline, run.placed(glyph), table: isSquare ? nil : table, paint: paint)
                } else if !isSquare {
                    fillColorGlyph(glyph, run, paint)
                }
                continue
            }
            // A large colour glyph was rendered for this position only, even if it is not visible.
            if picture.isColor, isLarge { canvas.note(4 * picture.width * picture.height) }
            let area = picture.area(at: place)
            guard !area.intersection(visible).isEmpty else { continue }
            if picture.isColor {
                let shader = PictureShader(picture.pixmap(opacity: paint.alpha), in: area.rect)
                canvas.inDevicePixels { canvas.fill(area, paint: .shader(shader)) }
            } else {
                canvas.blendGlyph(picture.pixels, stride: picture.stride, area: area, table: table, paint: paint)
            }
        }
    }

    /// Draws a colour glyph that is rotated or squeezed: its pixels are interpolated.
    private func fillColorGlyph(_ glyph: PositionedGlyph, _ run: GlyphRun<some GlyphSource>, _ paint: Paint) {
        let stretch = (run.canvas.transform ?? Transform()).stretch
        let density = max(0.1, min(16, max(stretch.x, stretch.y)))
        let scale = run.transform.scaleX * density
        guard let picture = run.fonts.picture(of: glyph, run.item, subpixel: 0, scale: scale), picture.isColor
        else { return }
        let origin = run.transform.apply(glyph.point)
        let rect = Rect(
            x: origin.x + Float(picture.left) / density, y: origin.y - Float(picture.top) / density,
            width: Float(picture.width) / density, height: Float(picture.height) / density)
        run.canvas.fill(rect, paint: .shader(PictureShader(picture.pixmap(opacity: paint.alpha), in: rect)))
    }

    private mutating func drawShadow(_ shadow: Shadow, _ run: GlyphRun<some GlyphSource>) {
        let sigma = shadow.blur / 2 * run.transform.scaleX
        var moved = run
        moved.transform = run.transform.moved(for: shadow)
        let paint = Paint(shadow.color)
        // The shadow of a picture has the shadow's colour.
        guard sigma > 0.1 || hasColors(run) else { return fill(moved, paint, shadow.color) }
        drawMask(of: moved, sigma: sigma, paint)
    }

    private func hasColors(_ run: GlyphRun<some GlyphSource>) -> Bool {
        let (glyphs, scale) = (run.glyphs.prefix(1), run.transform.scaleX)
        return glyphs.contains { run.fonts.picture(of: $0, run.item, subpixel: 0, scale: scale)?.isColor == true }
    }

    /// Draws all glyphs as one mask, limited to the area from which the blur can be visible.
    private mutating func drawMask(of run: GlyphRun<some GlyphSource>, sigma: Float = 0, _ paint: Paint) {
        guard let mask = mask(of: run, room: Blur.reach(sigma: sigma)) else { return }
        defer { run.canvas.release(mask.bytes.count) }
        Blur.gaussian(mask, sigma: sigma)
        run.canvas.blend(mask, paint: paint)
    }

    /// The coverage of all glyphs together, with `room` around them; colour glyphs contribute their alpha.
    private mutating func mask(of run: GlyphRun<some GlyphSource>, room: Int) -> Bitmap.Mask? {
        let seen = run.canvas.visibleArea.outset(by: room)
        let scale = run.transform.scaleX
        func ink(of glyph: PositionedGlyph) -> (picture: GlyphMask?, area: DeviceRect?) {
            let place = Self.snapped(run.transform.apply(glyph.point))
            if scale == run.transform.scaleY,
                let picture = run.fonts.picture(of: glyph, run.item, subpixel: place.subpixel, scale: scale)
            {
                return (picture, picture.area(at: place))
            }
            return (nil, outline(of: glyph, run).bounds(run.placed(glyph))?.pixelCover.intersection(seen))
        }
        // Glyph pictures are cached, so the second lookup is cheap.
        var area: DeviceRect?
        for glyph in run.glyphs {
            guard let part = ink(of: glyph).area, !part.intersection(seen).isEmpty else { continue }
            area = area?.union(part) ?? part
        }
        guard let whole = area?.intersection(seen).outset(by: room) else { return nil }
        run.canvas.note(whole.count * Self.shadowWork)
        guard run.canvas.holds(whole.count) else { return nil }
        let mask = Bitmap.Mask(area: whole)
        for glyph in run.glyphs {
            let (picture, area) = ink(of: glyph)
            guard let area, !area.isEmpty else { continue }
            if let picture {
                mask.merge(picture.pixels, step: picture.isColor ? 4 : 1, area)
            } else {
                let part = run.canvas.mask(of: outline(of: glyph, run), run.placed(glyph), area: area)
                mask.merge(part.bytes, step: 1, area)
            }
        }
        return mask
    }
}

extension GlyphMask {
    func area(at place: (x: Int, y: Int, subpixel: Int)) -> DeviceRect {
        let (x, y) = (place.x + left, place.y - top)
        return DeviceRect(minX: x, minY: y, maxX: x + width, maxY: y + height)
    }

    /// The premultiplied pixels of a colour glyph with an opacity of 0–255.
    package func pixmap(opacity: UInt32) -> Pixmap {
        let colors = (0..<width * height).map { index in
            func channel(_ number: Int) -> UInt32 { UInt32(pixels[index * 4 + number]) }
            let color = channel(2) | channel(1) << 8 | channel(0) << 16 | channel(3) << 24
            return opacity == 255 ? color : Pixel.scale(color, by: opacity)
        }
        return Pixmap(width: width, height: height, pixels: colors)
    }
}

extension Paint {
    /// The opacity that applies to colour glyphs: they take only the alpha of the text's colour.
    fileprivate var alpha: UInt32 {
        switch self {
        case .solid(let color): color >> 24
        case .shader: 255
        }
    }
}

extension Bitmap.Mask {
    /// Adds the coverage of `part`, the last of each `step` bytes; where both cover, the maximum is used.
    fileprivate func merge(_ source: UnsafePointer<UInt8>, step: Int, _ part: DeviceRect) {
        let common = part.intersection(area)
        guard !common.isEmpty else { return }
        bytes.withUnsafeMutableBufferPointer { bytes in
            guard let bytes = bytes.baseAddress else { return }
            for y in common.minY..<common.maxY {
                let line = source + ((y - part.minY) * part.width + common.minX - part.minX + 1) * step - 1
                let target = bytes + area.index(x: common.minX, y: y)
                for x in 0..<common.width { target[x] = max(target[x], line[x * step]) }
            }
        }
    }
}

/// The painter's interface to fonts, which tests implement without fonts.
package protocol GlyphSource {
    /// The picture of a glyph; `nil` without ink, or if it is too large.
    func picture(_ key: GlyphKey) -> GlyphMask?

    /// The outline in CSS pixels, with the origin on the baseline and y down; empty for colour pictures and spaces.
    ///
    /// - Parameter scale: Device pixels per CSS pixel, to hint the outline like the picture; `nil` for the designed outline.
    func glyphOutline(_ font: FontID, _ glyph: UInt32, hintedAt scale: Float?) -> Path

    /// CSS pixels per em.
    func size(of font: FontID) -> Float
}

extension GlyphSource {
    /// The area around the origin that a glyph without an outline may cover. Its picture is made only if this area is visible.
    func reach(of font: FontID) -> Rect {
        let size = size(of: font)
        return Rect(x: -size, y: -2 * size, width: 4 * size, height: 3 * size)
    }
}

extension FontContext: GlyphSource {
    package func size(of font: FontID) -> Float { metrics(font).size }
}
