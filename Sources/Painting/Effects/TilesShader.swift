// A repeated gradient, as in background images (CSS Backgrounds 3 §3.4). Edges are on whole pixels, so tiles come in two widths and
// two heights, each with a gradient of its own.

import FancyTextBasics
import FancyTextCSS

final class TilesShader: RowShader {
    /// The distance in pixels from the top of the tile, and the tile's height.
    private struct RowKey: Hashable { var offset, height: Float }

    private let gradient: Gradient
    private let scale: Float
    private let box: Rect
    private let step: Size
    private var gradients: [Size: GradientShader] = [:]
    /// Rows that repeat with each row of tiles, each with the position of its first pixel.
    private var rows: [RowKey: (x: Float, pixels: [UInt32])] = [:]
    /// One tile as a picture, for tiles that are rotated or stretched.
    private var picture: PictureShader?

    /// - Parameter step: the distance between tiles, > 0, in device pixels like the box; `scale` of them are a CSS pixel.
    init(_ gradient: Gradient, box: Rect, step: Size, scale: Float) {
        (self.gradient, self.box, self.step, self.scale) = (gradient, box, step, scale)
    }

    /// The height from which the rows of tiles are not cached.
    private static let mostKeptHeight: Float = 64

    func fill(_ row: UnsafeMutableBufferPointer<UInt32>, from start: Point, step: Point) {
        guard step == Point(x: 1, y: 0) else {
            let picture = picture ?? makePicture(density: 1 / (step.x * step.x + step.y * step.y).squareRoot())
            self.picture = picture
            return picture.fill(row, from: start, step: step)
        }
        guard let line = Self.span(at: start.y, from: box.y, box.height, self.step.height)
        else { return row.update(repeating: 0) }
        guard line.length <= Self.mostKeptHeight else { return draw(row, x: start.x, y: start.y, line) }
        let key = RowKey(offset: start.y - line.start, height: line.length)
        if let known = rows[key], known.x <= start.x, start.x + Float(row.count) <= known.x + Float(known.pixels.count)
        {
            let first = Int(bounded: start.x - known.x)
            _ = row.update(fromContentsOf: known.pixels[first..<first + row.count])
            return
        }
        draw(row, x: start.x, y: start.y, line)
        rows[key] = (start.x, Array(row))
    }

    /// A tile as a picture of `density` pixels per unit, which is rotated and stretched with smooth edges between colours.
    private func makePicture(density: Float) -> PictureShader {
        func pixels(_ length: Float) -> Int {
            max(1, min(Self.mostPicturePixels, Int(bounded: (length * max(1, min(4, density))).rounded(.up))))
        }
        var picture = Pixmap(width: pixels(box.width), height: pixels(box.height))
        let whole = Rect(x: 0, y: 0, width: Float(picture.width), height: Float(picture.height))
        let shader = GradientShader(gradient, box: whole, scale: scale * whole.width / box.width)
        let width = picture.width
        picture.pixels.withUnsafeMutableBufferPointer { pixels in
            for y in 0..<pixels.count / width {
                shader.fill(
                    UnsafeMutableBufferPointer(rebasing: pixels[y * width..<(y + 1) * width]),
                    from: Point(x: 0.5, y: Float(y) + 0.5), step: Point(x: 1, y: 0))
            }
        }
        return PictureShader(picture, in: box, step: step)
    }

    /// The maximum size of the picture in each direction.
    private static let mostPicturePixels = 2048

    private func draw(
        _ row: UnsafeMutableBufferPointer<UInt32>, x: Float, y: Float, _ line: (start: Float, length: Float)
    ) {
        var index = 0
        while index < row.count {
            let place = x + Float(index)
            guard let column = Self.span(at: place, from: box.x, box.width, step.width) else {
                row[index] = 0
                index += 1
                continue
            }
            let rest = max(1, Int(bounded: (column.start + column.length - place).rounded(.up)))
            let end = min(row.count, index + rest)
            tile(Size(width: column.length, height: line.length)).fill(
                UnsafeMutableBufferPointer(rebasing: row[index..<end]),
                from: Point(x: place - column.start, y: y - line.start), step: Point(x: 1, y: 0))
            index = end
        }
    }

    private func tile(_ size: Size) -> GradientShader {
        let shader = gradients[size] ?? GradientShader(gradient, box: Rect(size), scale: scale)
        gradients[size] = shader
        return shader
    }

    /// The last tile that covers a position, with its edges on whole pixels; `nil` between tiles.
    private static func span(
        at place: Float, from first: Float, _ length: Float, _ step: Float
    ) -> (start: Float, length: Float)? {
        let near = ((place - first) / step).rounded(.down)
        guard near.isFinite else { return nil }
        for index in [near + 1, near, near - 1] {
            let start = (first + index * step + 0.5).rounded(.down)
            // Without gaps, a tile ends where the next one begins.
            let next = length == step ? first + (index + 1) * step : first + index * step + length
            let end = (next + 0.5).rounded(.down)
            if start <= place, place < end { return (start, end - start) }
        }
        return nil
    }
}
