// Rectangles of whole device pixels, half open.

import FancyTextBasics

package struct DeviceRect: Hashable, Sendable {
    package var minX, minY, maxX, maxY: Int

    package static let empty = DeviceRect(minX: 0, minY: 0, maxX: 0, maxY: 0)

    package var width: Int { max(0, maxX - minX) }
    package var height: Int { max(0, maxY - minY) }
    package var isEmpty: Bool { minX >= maxX || minY >= maxY }
    var count: Int { width * height }
    var rect: Rect { Rect(x: Float(minX), y: Float(minY), width: Float(width), height: Float(height)) }

    /// The index of a pixel in the pixels of the rectangle, row by row.
    @inline(__always) func index(x: Int, y: Int) -> Int { (y - minY) * width + (x - minX) }

    func rows(_ minY: Int, _ maxY: Int) -> DeviceRect { DeviceRect(minX: minX, minY: minY, maxX: maxX, maxY: maxY) }

    func columns(_ minX: Int, _ maxX: Int) -> DeviceRect { DeviceRect(minX: minX, minY: minY, maxX: maxX, maxY: maxY) }

    package func intersection(_ other: DeviceRect) -> DeviceRect {
        DeviceRect(
            minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX),
            maxY: min(maxY, other.maxY))
    }

    package func union(_ other: DeviceRect) -> DeviceRect {
        DeviceRect(
            minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
            maxY: max(maxY, other.maxY))
    }

    package func contains(_ other: DeviceRect) -> Bool {
        minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
    }

    package func outset(by distance: Int) -> DeviceRect {
        DeviceRect(minX: minX - distance, minY: minY - distance, maxX: maxX + distance, maxY: maxY + distance)
    }
}

extension Rect {
    package static let zero = Rect(.zero)

    package init(_ size: Size) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

    package var size: Size { Size(width: width, height: height) }

    package func contains(_ other: Rect) -> Bool {
        x <= other.x && y <= other.y && maxX >= other.maxX && maxY >= other.maxY
    }

    package var pixelSnapped: Rect {
        let (left, top) = ((x + 0.5).rounded(.down), (y + 0.5).rounded(.down))
        return Rect(
            x: left, y: top, width: (maxX + 0.5).rounded(.down) - left, height: (maxY + 0.5).rounded(.down) - top)
    }

    package func grown(by distance: Float) -> Rect {
        Rect(x: x - distance, y: y - distance, width: width + 2 * distance, height: height + 2 * distance)
    }

    package var pixelCover: DeviceRect {
        DeviceRect(
            minX: Int(bounded: x.rounded(.down)), minY: Int(bounded: y.rounded(.down)),
            maxX: Int(bounded: maxX.rounded(.up)), maxY: Int(bounded: maxY.rounded(.up)))
    }

    /// The rectangle if its edges are those of whole pixels; `nil` otherwise.
    package var wholePixels: DeviceRect? {
        let cover = pixelCover
        let isWhole =
            Float(cover.minX) == x && Float(cover.minY) == y && Float(cover.maxX) == maxX && Float(cover.maxY) == maxY
        return isWhole ? cover : nil
    }
}
