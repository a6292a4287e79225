// Gradients over cells, one colour each (CSS Images 3 §3).
//
// In: a gradient and a box in cells. Out: the colour of each cell.

import FancyTextBasics
import FancyTextPlatform
import FancyTextStyling

/// The colours of a gradient over a block of cells. Stops without a position are spread evenly.
struct CellGradient {
    private let stops: [(place: Float, color: Color)]
    /// The position of a cell is x · dx + y · dy + origin, as a fraction of the gradient line; nil for radial and conic
    /// gradients.
    private let line: (dx: Float, dy: Float, origin: Float)?
    private let center: (x: Float, y: Float)

    /// - Parameters:
    ///   - cellWidth: the width of a cell in CSS pixels, for the angle.
    ///   - cellHeight: the height of a cell in CSS pixels.
    init(_ gradient: Gradient, columns: Int, rows: Int, cellWidth: Float, cellHeight: Float) {
        let (width, height) = (Float(max(1, columns)) * cellWidth, Float(max(1, rows)) * cellHeight)
        var direction: (x: Float, y: Float)?
        switch gradient.shape {
        case .linear(let angle): direction = Self.direction(angle)
        case .linearTo(let x, let y):
            let (x, y) = (Float(x), Float(y))
            // For a corner, the 50% line joins the other two corners (§3.1.1).
            direction = x == 0 || y == 0 ? (x, y) : Self.unit(x * height, y * width)
        case .radial, .conic: direction = nil
        }
        let length = direction.map { abs($0.x) * width + abs($0.y) * height } ?? 1
        if let direction, length > 0 {
            line = (
                direction.x * cellWidth / length, direction.y * cellHeight / length,
                0.5 - (direction.x * (width - cellWidth) + direction.y * (height - cellHeight)) / (2 * length)
            )
        } else {
            line = nil
        }
        center = (Float(columns - 1) / 2, Float(rows - 1) / 2)
        stops = Self.places(gradient.stops, length: direction == nil ? max(width, height) / 2 : length)
    }

    /// Degrees from the top, clockwise.
    private static func direction(_ degrees: Float) -> (x: Float, y: Float) {
        let angle = degrees * .pi / 180
        return (sin(angle), -cos(angle))
    }

    private static func unit(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
        let length = (x * x + y * y).squareRoot()
        return length > 0 ? (x / length, y / length) : (0, 1)
    }

    private static func places(_ stops: [GradientStop], length: Float) -> [(place: Float, color: Color)] {
        let count = Float(max(1, stops.count - 1))
        var least: Float = 0
        return stops.enumerated().compactMap { index, stop in
            let place = stop.position.map { $0.resolved(against: length) / max(length, 1) } ?? Float(index) / count
            least = max(least, place)
            return (least, stop.color)
        }
    }

    /// The colour of a cell.
    func color(_ column: Int, _ row: Int) -> Color {
        guard let first = stops.first, let last = stops.last else { return .transparent }
        let place: Float
        if let line {
            place = Float(column) * line.dx + Float(row) * line.dy + line.origin
        } else {
            let (x, y) = (
                (Float(column) - center.x) / max(center.x, 1), (Float(row) - center.y) / max(center.y, 1)
            )
            place = min(1, (x * x + y * y).squareRoot())
        }
        guard place > first.place else { return Self.coarse(first.color) }
        for (from, to) in zip(stops, stops.dropFirst()) where place <= to.place {
            let span = to.place - from.place
            return Self.coarse(Self.mix(from.color, to.color, span > 0 ? (place - from.place) / span : 1))
        }
        return Self.coarse(last.color)
    }

    private static func mix(_ a: Color, _ b: Color, _ share: Float) -> Color {
        func channel(_ x: UInt8, _ y: UInt8) -> UInt8 {
            UInt8(bounded: (Float(x) + (Float(y) - Float(x)) * share).rounded())
        }
        return Color(
            red: channel(a.red, b.red), green: channel(a.green, b.green), blue: channel(a.blue, b.blue),
            alpha: channel(a.alpha, b.alpha))
    }

    /// Rounds to 64 steps per channel, so that adjacent cells share a colour.
    private static func coarse(_ color: Color) -> Color {
        Color(red: color.red | 3, green: color.green | 3, blue: color.blue | 3, alpha: color.alpha)
    }
}
