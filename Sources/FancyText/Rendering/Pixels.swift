// Pictures as pixels: of a document, or drawn into the caller's memory. In: a document, styled text or a canvas. Out: RGBA, row
// by row.

import FancyTextPainting

/// Pixels in the order red, green, blue, alpha, one byte each, with premultiplied colours.
public struct Pixels: Hashable, Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The number of bytes from the start of one row to the start of the next; at least four for each pixel.
    public let bytesPerRow: Int
    /// The pixels; their number of bytes is `height` × ``bytesPerRow``.
    public private(set) var bytes: [UInt8]

    /// Creates transparent pixels.
    public init(width: Int, height: Int, bytesPerRow: Int? = nil) {
        self.width = max(0, width)
        self.height = max(0, height)
        self.bytesPerRow = max(bytesPerRow ?? 0, self.width * 4)
        bytes = [UInt8](repeating: 0, count: self.bytesPerRow * self.height)
    }

    /// The colour of a pixel, not premultiplied; x to the right, y down. O(1).
    public subscript(x: Int, y: Int) -> Color {
        precondition(x >= 0 && x < width && y >= 0 && y < height, "a pixel outside of the picture")
        let start = y * bytesPerRow + x * 4
        return Pixel.straight((0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) })
    }

    /// Gives mutable access to the bytes, which is valid only inside of `body`.
    public mutating func withUnsafeMutableBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) throws -> Result)
        rethrows -> Result
    { try bytes.withUnsafeMutableBytes(body) }
}

extension Renderer {
    /// The document's picture as pixels. Linear in its pixels.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    public func pixels(
        _ document: inout Document, _ options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> Pixels {
        try paint(&document, options)
        return canvasPixels()
    }

    /// The pixels of a canvas. Of the options, only the scale, the background and those for its texts apply.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    public func pixels(_ canvas: Canvas, _ options: RenderOptions = RenderOptions()) throws(RenderError) -> Pixels {
        try timed { () throws(RenderError) in
            let (list, plan) = try drawn(canvas, options)
            try paint(list, plan)
            return canvasPixels()
        }
    }

    /// A canvas as a PNG file's bytes. Of the options, only the scale, the background and those for its texts apply.
    ///
    /// - Throws: ``RenderError``; nothing is rendered in that case.
    public func png(_ canvas: Canvas, _ options: RenderOptions = RenderOptions()) throws(RenderError) -> [UInt8] {
        try timed { () throws(RenderError) in
            let (list, plan) = try drawn(canvas, options)
            return try encode(list, plan)
        }
    }

    /// Draws a document over existing pixels, into a rectangle; parts outside of the pixels are left out.
    ///
    /// The document is as wide and high as the rectangle, whose size is in device pixels; the sizes in the options are ignored.
    /// Without a background in the options, the existing pixels show through.
    ///
    /// - Throws: ``RenderError``; nothing is drawn in that case.
    public func draw(
        _ document: inout Document, _ options: RenderOptions = RenderOptions(), into pixels: inout Pixels, x: Int,
        y: Int, width: Int, height: Int
    ) throws(RenderError) {
        try paint(&document, options, width: width, height: height)
        let (bytesPerRow, right, bottom) = (pixels.bytesPerRow, pixels.width, pixels.height)
        pixels.withUnsafeMutableBytes { blend(into: $0, bytesPerRow, right: right, bottom: bottom, x: x, y: y) }
    }

    /// Draws a document over the contents of the caller's memory, with a row every `bytesPerRow` bytes, in the format of
    /// ``Pixels``. For a rectangle of a larger picture, `memory` begins at its first pixel.
    /// The rectangle's size is in device pixels; rows beyond the end of `memory` are left out.
    ///
    /// - Throws: ``RenderError``; nothing is drawn in that case.
    public func draw(
        _ document: inout Document, _ options: RenderOptions = RenderOptions(),
        into memory: UnsafeMutableRawBufferPointer, bytesPerRow: Int, width: Int, height: Int
    ) throws(RenderError) {
        guard bytesPerRow >= width * 4 else { throw .emptyCanvas }
        try paint(&document, options, width: width, height: height)
        // The last row may be shorter than the stride.
        let rows = memory.count < width * 4 ? 0 : (memory.count - width * 4) / bytesPerRow + 1
        blend(into: memory, bytesPerRow, right: width, bottom: rows, x: 0, y: 0)
    }

    private func paint(
        _ document: inout Document, _ options: RenderOptions, width: Int, height: Int
    ) throws(RenderError) {
        var options = options
        options.width = .pixels(Float(width) / options.deviceScale)
        options.height = .pixels(Float(height) / options.deviceScale)
        options.background = options.background ?? .transparent
        try paint(&document, options)
    }

    private func drawn(_ canvas: Canvas, _ options: RenderOptions) throws(RenderError) -> (DisplayList, RenderPlan) {
        var options = options
        (options.width, options.height) = (.pixels(canvas.width), .pixels(canvas.height))
        var document = plainParser.parse("")
        let plan = try RenderPlan(&document, options, by: self)
        var resolver = LambdaResolver(plan)
        var list = try resolver.drawing(canvas, for: &document)
        list.background = options.background ?? .transparent
        return (list, plan)
    }

    private func canvasPixels() -> Pixels {
        var result = Pixels(width: canvas.width, height: canvas.height)
        result.withUnsafeMutableBytes { bytes in
            canvas.withPixels { bytes.copyMemory(from: UnsafeRawBufferPointer($0)) }
        }
        return result
    }

    /// Composites the canvas over pixels, its top left corner at (x, y).
    private func blend(
        into memory: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int, right: Int, bottom: Int, x: Int, y: Int
    ) {
        let (width, height) = (canvas.width, canvas.height)
        let columns = max(0, -x)..<max(max(0, -x), min(width, right - x))
        canvas.withPixels { source in
            for row in max(0, -y)..<max(max(0, -y), min(height, bottom - y)) {
                for column in columns {
                    let offset = (y + row) * bytesPerRow + (x + column) * 4
                    let below = memory.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                    memory.storeBytes(
                        of: Pixel.over(source[row * width + column], below), toByteOffset: offset, as: UInt32.self)
                }
            }
        }
    }
}
