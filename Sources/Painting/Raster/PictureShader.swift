// Pictures as paint: copied pixel by pixel if they are aligned to device pixels, otherwise interpolated.

import FancyTextBasics

final class PictureShader: RowShader {
    private let picture: Pixmap
    private let x, y: Float
    /// The number of picture pixels per unit of length.
    private let density: (x: Float, y: Float)
    /// The distance between copies; `nil` for a single copy.
    private let step: Size?
    /// True if the nearest pixel is used instead of interpolation.
    private let isPixelated: Bool

    init(_ picture: Pixmap, in rect: Rect, step: Size? = nil, isPixelated: Bool = false) {
        (self.picture, self.step, self.isPixelated) = (picture, step, isPixelated)
        (x, y) = (rect.x, rect.y)
        density = (Float(picture.width) / rect.width, Float(picture.height) / rect.height)
    }

    func fill(_ row: UnsafeMutableBufferPointer<UInt32>, from start: Point, step: Point) {
        guard picture.width > 0, picture.height > 0 else { return row.update(repeating: 0) }
        picture.pixels.withUnsafeBufferPointer { pixels in
            guard let pixels = pixels.baseAddress else { return }
            if step == Point(x: 1, y: 0), density == (1, 1), isWhole {
                return copy(pixels, to: row, x: Int(bounded: start.x - x - 0.5), y: Int(bounded: start.y - y - 0.5))
            }
            for index in row.indices {
                var (u, v) = (start.x + Float(index) * step.x - x, start.y + Float(index) * step.y - y)
                if let step = self.step {
                    u -= (u / step.width).rounded(.down) * step.width
                    v -= (v / step.height).rounded(.down) * step.height
                }
                row[index] = sample(pixels, u * density.x, v * density.y)
            }
        }
    }

    private var isWhole: Bool {
        guard x == x.rounded(), y == y.rounded() else { return false }
        return step.map { $0.width == $0.width.rounded() && $0.height == $0.height.rounded() } ?? true
    }

    private func copy(_ pixels: UnsafePointer<UInt32>, to row: UnsafeMutableBufferPointer<UInt32>, x: Int, y: Int) {
        func wrapped(_ value: Int, _ length: Float?) -> Int {
            guard let period = length.map({ max(1, Int(bounded: $0)) }) else { return value }
            let rest = value % period
            return rest < 0 ? rest + period : rest
        }
        let line = wrapped(y, step?.height)
        guard line >= 0 && line < picture.height else { return row.update(repeating: 0) }
        for index in row.indices {
            let column = wrapped(x + index, step?.width)
            row[index] = column >= 0 && column < picture.width ? pixels[line * picture.width + column] : 0
        }
    }

    /// The colour at a place measured in pixels. Beyond the edges the outermost pixels are repeated, or the next copy follows.
    private func sample(_ pixels: UnsafePointer<UInt32>, _ x: Float, _ y: Float) -> UInt32 {
        /// Returns `nil` between copies.
        func inside(_ place: Int, _ length: Int, of density: Float, step: Float?) -> Int? {
            if place >= 0, place < length { return place }
            guard let step else { return max(0, min(length - 1, place)) }
            // Continues for copies that touch.
            guard abs(step * density - Float(length)) < 0.5 else { return nil }
            return place < 0 ? length - 1 : 0
        }
        func at(_ column: Int, _ row: Int) -> UInt32 {
            guard let column = inside(column, picture.width, of: density.x, step: step?.width),
                let row = inside(row, picture.height, of: density.y, step: step?.height)
            else { return 0 }
            return pixels[row * picture.width + column]
        }
        guard x.isFinite, y.isFinite else { return 0 }
        if isPixelated { return at(Int(bounded: x.rounded(.down)), Int(bounded: y.rounded(.down))) }
        let (left, top) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
        let (column, row) = (Int(bounded: left), Int(bounded: top))
        let (u, v) = (UInt32((x - 0.5 - left) * 255 + 0.5), UInt32((y - 0.5 - top) * 255 + 0.5))
        return Pixel.mix(
            Pixel.mix(at(column + 1, row + 1), at(column, row + 1), by: u),
            Pixel.mix(at(column + 1, row), at(column, row), by: u), by: v)
    }
}
