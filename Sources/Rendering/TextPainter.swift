// Runs of glyphs: shadows below, then the fill, then the stroke (CSS Text Decoration 3 §4, Compatibility §3.4).

import MarkupStyling
import TextLayout
import TextShaping

extension Painter {
    mutating func drawGlyphs(
        _ item: GlyphsItem, _ all: [PositionedGlyph], _ transform: Transform, _ fonts: inout some GlyphSource, _ canvas: Canvas
    ) {
        let range = item.glyphs.clamped(to: 0..<all.count)
        guard !range.isEmpty else { return }
        for shadow in item.shadows.reversed() where shadow.color.alpha > 0 {
            drawShadow(shadow, item, all[range], transform, &fonts, canvas)
        }
        let isInvisible = if case .color(let color) = item.fill { color.alpha == 0 } else { false }
        if !isInvisible {
            let paint = paint(item.fill, transform)
            // Text in a gradient has no one luminance; Skia takes that of black.
            let tone = if case .color(let color) = item.fill { color } else { Color.black }
            fill(all[range], item, paint, tone, transform, &fonts, canvas)
        }
        if let color = item.strokeColor, item.strokeWidth > 0, color.alpha > 0 {
            let paint = Paint.solid(Pixel.premultiplied(color))
            for glyph in all[range] {
                guard let outline = fonts.outline(font: item.font, glyph: glyph.id) else { continue }
                var stroker = Stroker(width: item.strokeWidth * transform.scaleX)
                canvas.fill(stroker.stroke(outline, placed(glyph, item, transform)), paint: paint)
            }
        }
    }

    private func placed(_ glyph: PositionedGlyph, _ item: GlyphsItem, _ transform: Transform) -> Transform {
        let origin = transform.apply(Point(x: glyph.x, y: glyph.y))
        return Transform(
            scaleX: transform.scaleX * item.stretch, scaleY: transform.scaleY, x: origin.x, y: origin.y,
            // Outlines have y down, so a slant to the right takes from x as y grows.
            skew: -item.skew)
    }

    /// Where a glyph's bitmap goes: Skia rounds x to the next lower quarter after adding an eighth, y to whole pixels.
    @inline(__always)
    static func snapped(_ origin: Point) -> (x: Int, y: Int, subpixel: Int) {
        let quarters = pixelInt((origin.x * 4 + 0.5).rounded(.down))
        return (quarters >> 2, pixelInt((origin.y + 0.5).rounded(.down)), quarters & 3)
    }

    private mutating func fill(
        _ glyphs: ArraySlice<PositionedGlyph>, _ item: GlyphsItem, _ paint: Paint, _ tone: Color, _ transform: Transform,
        _ fonts: inout some GlyphSource, _ canvas: Canvas
    ) {
        let isUpright = item.skew == 0 && item.stretch == 1 && transform.scaleX == transform.scaleY
        let visible = canvas.visibleArea
        contrastTable(for: tone).withUnsafeBufferPointer { table in
            for glyph in glyphs {
                let origin = transform.apply(Point(x: glyph.x, y: glyph.y))
                guard isUpright else {
                    if let outline = fonts.outline(font: item.font, glyph: glyph.id) {
                        canvas.fill(outline, placed(glyph, item, transform), paint: paint)
                    } else {
                        drawBitmap(glyph, item, origin, paint, table.baseAddress, visible, transform, &fonts, canvas)
                    }
                    continue
                }
                drawBitmap(glyph, item, origin, paint, table.baseAddress, visible, transform, &fonts, canvas)
            }
        }
    }

    @inline(__always)
    private func drawBitmap(
        _ glyph: PositionedGlyph, _ item: GlyphsItem, _ origin: Point, _ paint: Paint, _ table: UnsafePointer<UInt8>?,
        _ visible: PixelRect, _ transform: Transform, _ fonts: inout some GlyphSource, _ canvas: Canvas
    ) {
        let place = Self.snapped(origin)
        guard
            let bitmap = fonts.bitmap(font: item.font, glyph: glyph.id, subpixel: place.subpixel, scale: transform.scaleX)
        else { return }
        let left = place.x + bitmap.left
        let top = place.y + bitmap.top
        let area = PixelRect(minX: left, minY: top, maxX: left + bitmap.width, maxY: top + bitmap.height)
        guard !area.intersection(visible).isEmpty else { return }
        if let pixels = bitmap.pixels {
            canvas.fill(area, paint: .shader(PictureShader(pixels, x: left, y: top)))
        } else {
            bitmap.coverage.withUnsafeBufferPointer { coverage in
                guard let coverage = coverage.baseAddress else { return }
                canvas.blendGlyph(coverage, stride: bitmap.width, area: area, table: table, paint: paint)
            }
        }
    }

    private mutating func contrastTable(for color: Color) -> [UInt8] {
        let index = TextContrast.luminanceClass(of: color)
        if let table = contrastTables[index] { return table }
        let table = contrast.table(luminanceClass: index)
        contrastTables[index] = table
        return table
    }

    // MARK: Shadows

    private mutating func drawShadow(
        _ shadow: Shadow, _ item: GlyphsItem, _ glyphs: ArraySlice<PositionedGlyph>, _ transform: Transform,
        _ fonts: inout some GlyphSource, _ canvas: Canvas
    ) {
        let sigma = shadow.blur / 2 * transform.scaleX
        var moved = transform
        moved.x += shadow.x * transform.scaleX
        moved.y += shadow.y * transform.scaleY
        let paint = Paint.solid(Pixel.premultiplied(shadow.color))
        guard sigma > 0.1 else {
            fill(glyphs, item, paint, shadow.color, moved, &fonts, canvas)
            return
        }
        // The glyphs as one mask, with room for the blur; only as far as the blur of what lies there can be seen.
        let reach = Blur.reach(sigma: sigma)
        let seen = canvas.visibleArea.outset(by: reach)
        guard let mask = mask(of: glyphs, item, moved, room: reach, within: seen, &fonts, canvas) else { return }
        Blur.gaussian(mask, sigma: sigma)
        canvas.blend(mask, paint: paint)
    }

    /// Coverage of all glyphs together; colour glyphs count by their alpha.
    private func mask(
        of glyphs: ArraySlice<PositionedGlyph>, _ item: GlyphsItem, _ transform: Transform, room: Int, within seen: PixelRect,
        _ fonts: inout some GlyphSource, _ canvas: Canvas
    ) -> Canvas.Mask? {
        var pieces: [(area: PixelRect, coverage: [UInt8])] = []
        let isUpright = item.skew == 0 && item.stretch == 1 && transform.scaleX == transform.scaleY
        for glyph in glyphs {
            if !isUpright, let outline = fonts.outline(font: item.font, glyph: glyph.id) {
                let placed = placed(glyph, item, transform)
                guard let area = outline.bounds(placed)?.pixelCover, !area.intersection(seen).isEmpty else { continue }
                pieces.append((area, canvas.mask(of: outline, placed, area: area).bytes))
                continue
            }
            let place = Self.snapped(transform.apply(Point(x: glyph.x, y: glyph.y)))
            guard
                let bitmap = fonts.bitmap(font: item.font, glyph: glyph.id, subpixel: place.subpixel, scale: transform.scaleX)
            else { continue }
            let (left, top) = (place.x + bitmap.left, place.y + bitmap.top)
            let area = PixelRect(minX: left, minY: top, maxX: left + bitmap.width, maxY: top + bitmap.height)
            guard !area.intersection(seen).isEmpty else { continue }
            pieces.append((area, bitmap.pixels.map { $0.pixels.map { UInt8($0 >> 24) } } ?? bitmap.coverage))
        }
        guard let first = pieces.first else { return nil }
        var area = first.area
        for piece in pieces {
            area = PixelRect(
                minX: min(area.minX, piece.area.minX), minY: min(area.minY, piece.area.minY), maxX: max(area.maxX, piece.area.maxX),
                maxY: max(area.maxY, piece.area.maxY))
        }
        area = area.intersection(seen).outset(by: room)
        let mask = Canvas.Mask(area: area)
        mask.bytes.withUnsafeMutableBufferPointer { bytes in
            for piece in pieces {
                let part = piece.area.intersection(area)
                for y in part.minY..<max(part.minY, part.maxY) {
                    let source = (y - piece.area.minY) * piece.area.width - piece.area.minX
                    let target = (y - area.minY) * area.width - area.minX
                    for x in part.minX..<max(part.minX, part.maxX) {
                        bytes[target + x] = max(bytes[target + x], piece.coverage[source + x])
                    }
                }
            }
        }
        return mask
    }
}
