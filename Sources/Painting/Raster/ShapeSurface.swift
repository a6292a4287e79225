// The target of borders, lines and sharp shadows: a pixel canvas or a vector file.

import FancyTextBasics

/// A surface that shapes can be filled on, in pixels before its transform.
protocol ShapeSurface: AnyObject {
    var transform: Transform? { get }
    var visibleArea: DeviceRect { get }
    func fill(_ path: Path, paint: Paint)
    func fill(_ path: Path, within bounds: DeviceRect, paint: Paint)
    func fill(_ rect: DeviceRect, paint: Paint)
    func fill(_ shape: RoundedRect, paint: Paint)
    func fillOverlapping(_ path: Path, paint: Paint)
    func pushClip(_ shape: RoundedRect)
    func pushClip(_ path: Path, isInverse: Bool, isEvenOdd: Bool)
    func pop()
}

extension ShapeSurface {
    func pushClip(_ path: Path, isInverse: Bool = false) { pushClip(path, isInverse: isInverse, isEvenOdd: false) }
}

extension Bitmap: ShapeSurface {}
