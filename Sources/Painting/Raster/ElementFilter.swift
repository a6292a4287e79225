// `filter` elements on the pixels of a layer (Filter Effects 1 §8). In: an element with its box, and pixels. Out: the SVG document
// that shows the pixels as a filtered picture; what the library draws for it replaces the pixels.

import FancyTextBasics
import FancyTextStyling

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
