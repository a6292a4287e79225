// Rectangles of whole device pixels, half open.

package struct DeviceRect: Hashable, Sendable {
    package var minX, minY, maxX, maxY: Int

    package var width: Int { max(0, maxX - minX) }
    package var height: Int { max(0, maxY - minY) }
    package var isEmpty: Bool { minX >= maxX || minY >= maxY }

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

    package static let empty = DeviceRect(minX: 0, minY: 0, maxX: 0, maxY: 0)

    package func contains(_ other: DeviceRect) -> Bool {
        minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
    }

    package func outset(by distance: Int) -> DeviceRect {
        DeviceRect(minX: minX - distance, minY: minY - distance, maxX: maxX + distance, maxY: maxY + distance)
    }
}
