// Paints a display list one band of rows at a time, for encoders.

/// A picture whose rows are produced from top to bottom, some at a time.
package protocol PixelBands {
    var width: Int { get }
    var height: Int { get }

    /// Passes the pixels of the next rows to `body`, and returns its result and the number of following rows equal to the last.
    mutating func next<Result>(_ body: (UnsafeBufferPointer<UInt32>) -> Result) -> (result: Result, repeats: Int)
}

package struct PaintedBands<Glyphs: GlyphSource, Pictures: PictureSource>: PixelBands {
    package let width, height: Int
    package var painter = Painter()
    private let pictures: Pictures
    private let bands: DisplayBands
    private let fonts: Glyphs
    private let options: PaintOptions
    private let canvas: Bitmap
    private var top = 0

    /// The pixels painted at a time: 128 KiB. With much smaller bands, glyphs would be looked up again for every band.
    private static var bandPixels: Int { 1 << 15 }

    package init(_ list: DisplayList, fonts: Glyphs, pictures: Pictures, options: PaintOptions, canvas: Bitmap) {
        (width, height) = Painter.pixelSize(of: list, scale: options.scale)
        bands = DisplayBands(list, fonts: fonts, scale: options.scale)
        (self.fonts, self.pictures, self.options, self.canvas) = (fonts, pictures, options, canvas)
    }

    package mutating func next<Result>(
        _ body: (UnsafeBufferPointer<UInt32>) -> Result
    ) -> (result: Result, repeats: Int) {
        let rows = top..<min(height, top + max(1, Self.bandPixels / width))
        top = rows.upperBound
        let part = bands.list(for: rows)
        let painted = bands.areAlike(rows, of: part) ? rows.lowerBound..<rows.lowerBound + 1 : rows
        painter.paint(part, rows: painted, fonts: fonts, pictures: pictures, options: options, into: canvas)
        return (canvas.withPixels(body), rows.count - painted.count)
    }
}
