// Pixels: premultiplied RGBA with 8 bits per channel. Each is a 32-bit word with red in the lowest byte; rows run from the top.

import FancyTextCSS

package struct Pixmap: Hashable, Sendable {
    package let width, height: Int
    /// Row by row, `width * height` words.
    package var pixels: [UInt32]

    package init(width: Int, height: Int, fill: UInt32 = 0) {
        (self.width, self.height) = (max(0, width), max(0, height))
        pixels = [UInt32](repeating: fill, count: self.width * self.height)
    }

    package init(width: Int, height: Int, pixels: [UInt32]) {
        precondition(pixels.count == width * height)
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    package subscript(x: Int, y: Int) -> UInt32 { pixels[y * width + x] }
}

/// Arithmetic on premultiplied pixels. Two channels share a 32-bit multiplication, each in 16 bits.
package enum Pixel {
    @inlinable package static func alpha(_ pixel: UInt32) -> UInt32 { pixel >> 24 }

    /// Multiplies each channel by `factor`/255, rounding to nearest.
    @inline(__always) @inlinable package static func scale(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
        let redBlue = (pixel & 0x00FF_00FF) &* factor &+ 0x0080_0080
        let greenAlpha = ((pixel >> 8) & 0x00FF_00FF) &* factor &+ 0x0080_0080
        return ((redBlue &+ ((redBlue >> 8) & 0x00FF_00FF)) >> 8) & 0x00FF_00FF
            | ((greenAlpha &+ ((greenAlpha >> 8) & 0x00FF_00FF)) & 0xFF00_FF00)
    }

    /// `source` over `destination` (Porter and Duff 1984).
    @inline(__always) @inlinable package static func over(_ source: UInt32, _ destination: UInt32) -> UInt32 {
        source &+ scale(destination, by: 255 &- (source >> 24))
    }

    /// The pixel with blue in the lowest byte, as in cairo, or back.
    @inlinable package static func swappingRedAndBlue(_ pixel: UInt32) -> UInt32 {
        pixel & 0xFF00_FF00 | (pixel & 0xFF) << 16 | (pixel >> 16) & 0xFF
    }

    /// The channels, 0–255, red first. Conversions of SIMD vectors do not compile to vector instructions.
    @inline(__always) static func channels(_ pixel: UInt32) -> SIMD4<Float> {
        SIMD4(
            Float(Int32(truncatingIfNeeded: pixel & 255)), Float(Int32(truncatingIfNeeded: (pixel >> 8) & 255)),
            Float(Int32(truncatingIfNeeded: (pixel >> 16) & 255)), Float(Int32(truncatingIfNeeded: pixel >> 24)))
    }

    /// Rounds numbers to a pixel and clamps them to 0–255.
    @inline(__always) static func rounded(_ value: SIMD4<Float>) -> UInt32 {
        func byte(_ channel: Float) -> UInt32 { UInt32(truncatingIfNeeded: Int32(max(0, min(255, channel)) + 0.5)) }
        return byte(value.x) | byte(value.y) << 8 | byte(value.z) << 16 | byte(value.w) << 24
    }

    @inline(__always) static func bounded(_ pixel: UInt32) -> UInt32 {
        let alpha = pixel >> 24
        return min(pixel & 255, alpha) | min((pixel >> 8) & 255, alpha) << 8 | min((pixel >> 16) & 255, alpha) << 16
            | alpha << 24
    }

    @inlinable package static func premultiplied(_ color: Color) -> UInt32 {
        let opaque = UInt32(color.red) | UInt32(color.green) << 8 | UInt32(color.blue) << 16 | 0xFF00_0000
        return color.alpha == 255 ? opaque : scale(opaque, by: UInt32(color.alpha))
    }

    @inlinable package static func straight(_ pixel: UInt32) -> Color {
        let alpha = pixel >> 24
        func channel(_ shift: UInt32) -> UInt8 {
            let value = (pixel >> shift) & 255
            return alpha == 0 ? 0 : UInt8(min(255, (value * 255 + alpha / 2) / alpha))
        }
        return Color(red: channel(0), green: channel(8), blue: channel(16), alpha: UInt8(alpha))
    }
}
