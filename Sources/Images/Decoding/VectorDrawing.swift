// SVG files in, sizes and pixels out: where librsvg is called.
//
// librsvg ends the process it is in when it meets what it did not expect, and has no limits of time or memory. Two things
// stand before it: what is known to be costly or fatal is refused (`VectorCheck`), and a program may let a process of its
// own do the work (`VectorHelper`).

import Basics
import CImageCodecs

/// The lengths that an SVG file tells of itself, in CSS pixels: a side below 0 where it does not tell, and the sides
/// of its view box, 0 without one.
package struct VectorSize: Hashable, Sendable {
    package var width = 0.0
    package var height = 0.0
    package var boxWidth = 0.0
    package var boxHeight = 0.0
}

/// Draws SVG files.
package protocol VectorDrawing: AnyObject {
    func size(of data: [UInt8]) throws(ImageError) -> VectorSize
    /// Premultiplied pixels, blue in the lowest byte.
    func draw(_ data: [UInt8], width: Int, height: Int) throws(ImageError) -> [UInt32]
}

/// Draws in this process what ``VectorCheck`` lets through.
package final class LocalVectorDrawing: VectorDrawing {
    package init() {}

    package func size(of data: [UInt8]) throws(ImageError) -> VectorSize {
        try VectorCheck.check(data)
        return try Self.uncheckedSize(of: data)
    }

    package func draw(_ data: [UInt8], width: Int, height: Int) throws(ImageError) -> [UInt32] {
        try VectorCheck.check(data, pixels: width * height)
        return try Self.drawUnchecked(data, width: width, height: height)
    }

    static func uncheckedSize(of data: [UInt8]) throws(ImageError) -> VectorSize {
        var size = VectorSize()
        try ImageError.check(
            cimage_svg_size(data, data.count, &size.width, &size.height, &size.boxWidth, &size.boxHeight), .svg)
        return size
    }

    static func drawUnchecked(_ data: [UInt8], width: Int, height: Int) throws(ImageError) -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: width * height)
        let status = pixels.withUnsafeMutableBytes { bytes in
            bytes.bindMemory(to: UInt8.self).baseAddress.map {
                cimage_svg_draw(data, data.count, Int32(width), Int32(height), $0)
            } ?? Int32(CIMAGE_NO_MEMORY)
        }
        try ImageError.check(status, .svg)
        return pixels
    }
}
