// Filters on the pixels of a layer (Filter Effects 1 §8, §13–14), in device pixels. A `filter` element becomes an SVG document that
// shows the pixels as a filtered picture; what the library draws for it replaces them.

import FancyTextBasics
import FancyTextCSS
import FancyTextPlatform

enum PixelFilter {
    case blur(sigma: Float)
    case color(ColorMatrix)
    /// The curve of each channel: `slope · value + offset`.
    case linear(slope: Float, offset: Float)
    case shadow(x: Float, y: Float, sigma: Float, color: Color)
    /// Black, with the colour's luminance as its alpha: for masks.
    case luminanceToAlpha
    case projection(Projection)
    case element(ElementFilter)

    /// - Parameter map: From CSS pixels to device pixels. A blur, the same in all directions, is scaled by the mean of both axes.
    init?(_ function: FilterFunction, _ map: Transform, draw: ElementFilter.Renderer? = nil) {
        let scale = abs(map.determinant).squareRoot()
        switch function {
        case .blur(let deviation):
            guard deviation * scale > 0.05 else { return nil }
            self = .blur(sigma: deviation * scale)
        case .brightness(let amount): self = .linear(slope: amount, offset: 0)
        case .contrast(let amount): self = .linear(slope: amount, offset: 0.5 - 0.5 * amount)
        case .invert(let amount): self = .linear(slope: 1 - 2 * amount, offset: amount)
        case .opacity(let amount): self = .color(.opacity(amount))
        case .grayscale(let amount): self = .color(.grayscale(amount))
        case .saturate(let amount): self = .color(.saturate(amount))
        case .sepia(let amount): self = .color(.sepia(amount))
        case .hueRotate(let degrees): self = .color(.hueRotate(degrees))
        case .dropShadow(let shadow, _):
            self = .shadow(
                x: map.xx * shadow.x + map.xy * shadow.y, y: map.yx * shadow.x + map.yy * shadow.y,
                sigma: shadow.blur * scale, color: shadow.color)
        case .element(let element): self = .element(ElementFilter(element: element, map: map, draw: draw))
        case .projection(let projection):
            guard let back = map.inverse else { return nil }
            self = .projection(Projection(map).after(projection).after(Projection(back)))
        case .reference: return nil
        }
    }

    /// The area that shows drawings in `area`; nil is nothing.
    func extent(of area: DeviceRect?) -> DeviceRect? {
        switch self {
        case .element(let filter): filter.region
        case .projection(let projection): area.flatMap { projection.bounds(of: $0.rect)?.pixelCover.outset(by: 1) }
        case .blur, .color, .linear, .shadow, .luminanceToAlpha: area?.outset(by: reach)
        }
    }

    /// The maximum distance in pixels that the filter moves a colour; see ``extent(of:)`` for projections and elements.
    var reach: Int {
        switch self {
        case .blur(let sigma): Blur.reach(sigma: sigma)
        case .color, .linear, .luminanceToAlpha, .projection, .element: 0
        case .shadow(let x, let y, let sigma, _):
            Int(bounded: max(abs(x), abs(y)).rounded(.up)) + (sigma > 0.05 ? Blur.reach(sigma: sigma) : 1)
        }
    }

    /// The cost per pixel of the layer, in units of blending a colour over one.
    var work: Int {
        switch self {
        case .blur: 24
        case .element(let filter): 24 * max(1, filter.element.svg.ranges(of: "<fe").count)
        case .shadow, .projection: 16
        case .color, .linear, .luminanceToAlpha: 6
        }
    }

    /// - Parameter mirrors: If true, pixels beyond the edges mirror those inside; otherwise they are transparent.
    func apply(to buffer: PixelBuffer, mirrors: Bool = false) {
        switch self {
        case .blur(let sigma): Self.blur(buffer, sigma: sigma, mirrors: mirrors)
        case .color(let matrix): Self.map(buffer) { matrix.apply($0) }
        case .linear(let slope, let offset):
            Self.map(buffer) { color in
                var result = color * slope + offset
                result.w = color.w
                return result
            }
        case .shadow(let x, let y, let sigma, let color): Self.shadow(buffer, x, y, sigma, color)
        case .projection(let projection): Self.project(buffer, projection)
        case .element(let filter): filter.apply(to: buffer)
        case .luminanceToAlpha:
            for index in 0..<buffer.area.count { buffer.pixels[index] = Pixel.luminance(buffer.pixels[index]) << 24 }
        }
    }

    /// Applies a function to colours that are not premultiplied, 0–1.
    private static func map(_ buffer: PixelBuffer, _ change: (SIMD4<Float>) -> SIMD4<Float>) {
        // Neighbouring pixels are often equal.
        var (last, lastResult) = (UInt32(0), UInt32(0))
        for index in 0..<buffer.area.count {
            let pixel = buffer.pixels[index]
            if pixel == 0 { continue }
            if pixel != last {
                let channels = Pixel.channels(pixel)
                var straight = channels / channels.w
                straight.w = channels.w / 255
                var color = change(straight)
                color.clamp(lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 1))
                let opacity = color.w
                color *= opacity
                color.w = opacity
                (last, lastResult) = (pixel, Pixel.rounded(color * 255))
            }
            buffer.pixels[index] = lastResult
        }
    }

    private static func blur(_ buffer: PixelBuffer, sigma: Float, mirrors: Bool) {
        let area = buffer.area
        let margin = mirrors ? Blur.reach(sigma: sigma) : 0
        let mask = Bitmap.Mask(area: area.outset(by: margin))
        let width = mask.area.width
        func inside(_ place: Int, _ count: Int) -> Int {
            let period = 2 * count
            let rest = ((place % period) + period) % period
            return rest < count ? rest : period - 1 - rest
        }
        for shift: UInt32 in [0, 8, 16, 24] {
            for y in 0..<mask.area.height {
                let row = buffer.pixels + inside(y - margin, area.height) * area.width
                for x in 0..<width {
                    let column = margin == 0 ? x : inside(x - margin, area.width)
                    mask.bytes[y * width + x] = UInt8(truncatingIfNeeded: row[column] >> shift)
                }
            }
            Blur.gaussian(mask, sigma: sigma)
            for y in 0..<area.height {
                let row = buffer.pixels + y * area.width
                let start = (y + margin) * width + margin
                for x in 0..<area.width { row[x] = row[x] & ~(255 << shift) | UInt32(mask.bytes[start + x]) << shift }
            }
        }
        // Channels are rounded separately; none may exceed its alpha.
        for index in 0..<area.width * area.height { buffer.pixels[index] = Pixel.bounded(buffer.pixels[index]) }
    }

    /// Looks up each pixel at its place before the projection, between four pixels.
    private static func project(_ buffer: PixelBuffer, _ projection: Projection) {
        let (area, back) = (buffer.area, projection.inverse)
        let source = Array(UnsafeBufferPointer(start: buffer.pixels, count: area.count))
        func pixel(_ column: Int, _ row: Int) -> UInt32 {
            column >= 0 && column < area.width && row >= 0 && row < area.height ? source[row * area.width + column] : 0
        }
        for y in 0..<area.height {
            for x in 0..<area.width {
                var result: UInt32 = 0
                defer { buffer.pixels[y * area.width + x] = result }
                let place = SIMD3(Double(area.minX + x) + 0.5, Double(area.minY + y) + 0.5, 1)
                guard let from = back?.apply(place), from.z > 0 else { continue }
                let column = from.x / from.z - Double(area.minX) - 0.5
                let row = from.y / from.z - Double(area.minY) - 0.5
                guard column > -1, column < Double(area.width), row > -1, row < Double(area.height) else { continue }
                let (left, top) = (column.rounded(.down), row.rounded(.down))
                let (u, v) = (UInt32((column - left) * 255 + 0.5), UInt32((row - top) * 255 + 0.5))
                let (i, j) = (Int(left), Int(top))
                result = Pixel.mix(
                    Pixel.mix(pixel(i + 1, j + 1), pixel(i, j + 1), by: u),
                    Pixel.mix(pixel(i + 1, j), pixel(i, j), by: u), by: v)
            }
        }
    }

    private static func shadow(_ buffer: PixelBuffer, _ x: Float, _ y: Float, _ sigma: Float, _ color: Color) {
        let area = buffer.area
        let mask = Bitmap.Mask(area: area)
        for index in mask.bytes.indices { mask.bytes[index] = UInt8(truncatingIfNeeded: buffer.pixels[index] >> 24) }
        Blur.gaussian(mask, sigma: sigma)
        let tint = Pixel.premultiplied(color)
        for row in area.minY..<area.maxY {
            for column in area.minX..<area.maxX {
                let coverage = UInt32(mask.coverage(x: Float(column) - x, y: Float(row) - y))
                let index = area.index(x: column, y: row)
                if coverage > 0 {
                    buffer.pixels[index] = Pixel.over(buffer.pixels[index], Pixel.scale(tint, by: coverage))
                }
            }
        }
    }
}

struct ColorMatrix {
    /// The weights of the source channels in each of red, green, blue and alpha.
    var rows: [SIMD4<Float>]

    func apply(_ color: SIMD4<Float>) -> SIMD4<Float> {
        SIMD4((rows[0] * color).sum(), (rows[1] * color).sum(), (rows[2] * color).sum(), (rows[3] * color).sum())
    }

    /// The weights of red, green and blue in each of these three channels.
    private init(_ weights: [Float], alpha: Float = 1) {
        rows = (0..<3).map { SIMD4(weights[$0 * 3], weights[$0 * 3 + 1], weights[$0 * 3 + 2], 0) }
        rows.append(SIMD4(0, 0, 0, alpha))
    }

    /// The weights mixed with those of the identity, whose share is `s`.
    private init(_ weights: [Double], identity s: Float) {
        self.init(weights.enumerated().map { $0 % 4 == 0 ? Float($1) + Float(1 - $1) * s : Float($1) - Float($1) * s })
    }

    static func opacity(_ amount: Float) -> ColorMatrix { ColorMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1], alpha: amount) }

    static func saturate(_ amount: Float) -> ColorMatrix {
        ColorMatrix([0.213, 0.715, 0.072, 0.213, 0.715, 0.072, 0.213, 0.715, 0.072], identity: amount)
    }

    static func grayscale(_ amount: Float) -> ColorMatrix {
        ColorMatrix([0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722], identity: 1 - amount)
    }

    static func sepia(_ amount: Float) -> ColorMatrix {
        ColorMatrix([0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131], identity: 1 - amount)
    }

    static func hueRotate(_ degrees: Float) -> ColorMatrix {
        let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        return ColorMatrix([
            0.213 + 0.787 * c - 0.213 * s, 0.715 - 0.715 * c - 0.715 * s, 0.072 - 0.072 * c + 0.928 * s,
            0.213 - 0.213 * c + 0.143 * s, 0.715 + 0.285 * c + 0.140 * s, 0.072 - 0.072 * c - 0.283 * s,
            0.213 - 0.213 * c - 0.787 * s, 0.715 - 0.715 * c + 0.715 * s, 0.072 + 0.928 * c + 0.072 * s,
        ])
    }
}

struct ElementFilter {
    /// Draws a document in the size of a picture, from whose URI it is made. `nil` leaves the picture unchanged.
    typealias Renderer = (_ picture: Pixmap, _ document: (_ uri: String) -> String) -> Pixmap?

    var element: FilterElement
    /// From CSS pixels to device pixels.
    var map: Transform
    var draw: Renderer?

    /// The device pixels of the filter region. Edges within 1% of a pixel are on the pixel's edge.
    var region: DeviceRect {
        let region = map.bounds(of: element.region)
        guard region.width > 0.02, region.height > 0.02 else { return .empty }
        return region.grown(by: -0.01).pixelCover
    }

    func apply(to buffer: PixelBuffer) {
        let (area, region) = (buffer.area, region)
        let pixels = Array(UnsafeBufferPointer(start: buffer.pixels, count: area.count))
        let picture = Pixmap(width: area.width, height: area.height, pixels: pixels)
        guard let result = draw?(picture, { document(around: $0, area) }), result.pixels.count == area.count
        else { return }
        for y in 0..<area.height {
            let isInside = area.minY + y >= region.minY && area.minY + y < region.maxY
            for x in 0..<area.width {
                buffer.pixels[y * area.width + x] =
                    isInside && area.minX + x >= region.minX && area.minX + x < region.maxX ? result[x, y] : 0
            }
        }
    }

    /// The viewport of the element is its box; the picture covers `area`.
    private func document(around uri: String, _ area: DeviceRect) -> String {
        let box = element.box
        let outer = Transform(x: -Float(area.minX), y: -Float(area.minY)).after(map).after(
            Transform(x: box.x, y: box.y))
        // A viewport without an area shows nothing.
        let (width, height) = (max(box.width, 1), max(box.height, 1))
        let inner = element.hasBoxUnits ? Transform(scaleX: width, scaleY: height) : Transform()
        let back = outer.after(inner).inverse ?? Transform()
        let size = "width=\"\(area.width)\" height=\"\(area.height)\""
        return """
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \(size) \
            viewBox="0 0 \(area.width) \(area.height)"><g transform="\(Self.text(outer))">\
            <svg width="\(width)" height="\(height)" style="overflow:visible"\
            \(element.hasBoxUnits ? #" viewBox="0 0 1 1" preserveAspectRatio="none""# : "")>\(element.svg)\
            <g filter="url(#\(FilterElement.name))"><image transform="\(Self.text(back))" \(size) xlink:href="\(uri)"/>\
            </g></svg></g></svg>
            """
    }

    private static func text(_ map: Transform) -> String {
        "matrix(\(map.xx) \(map.yx) \(map.xy) \(map.yy) \(map.x) \(map.y))"
    }
}
