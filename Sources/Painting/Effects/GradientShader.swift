// Renders CSS gradients (CSS Images 3 §3, CSS Images 4 §3). In: a gradient and its box. Out: rows of colours.
// The stops are sampled into a table of premultiplied colours with steps under half a device pixel, and a row computes the
// positions of its pixels. Where the steps of 8-bit colours would be visible, the table is finer and rows are dithered.

import FancyTextBasics
import FancyTextCSS
import FancyTextPlatform

package final class GradientShader: RowShader {
    private enum Geometry {
        /// Position = x·dx + y·dy + origin.
        case linear(dx: Float, dy: Float, origin: Float)
        /// Distance from the centre in units of the radii.
        case radial(center: Point, inverse: Size)
        /// Turns from `from` (a share of a turn, clockwise from the top).
        case conic(center: Point, from: Float)
    }

    /// The colours along the line.
    private struct Samples {
        /// The colour before the first stop, the colours from `low` on, and the colour after the last stop.
        let table: [UInt32]
        /// The table's colours with 8 fractional bits, for dithering; `table` then holds the indices of its own entries.
        var fineTable: [SIMD4<UInt16>] = []
        /// For each entry, the index of the next entry with another colour; empty if the rows are dithered.
        var runEnds: [Int32] = []
        /// The number of neighbours in the table that differ.
        var changes = 0
    }

    private let geometry: Geometry
    /// Made for the first row: outputs that draw gradients themselves need the stops only.
    private lazy var samples = makeSamples()
    private let interpolation: ColorInterpolation?
    /// The number of colours between the first stop and the last.
    private let entries: Int
    private let isDithered: Bool
    let fillsOpaquely: Bool
    private let low: Float
    private let scale: Float
    private let repeats: Bool
    private let stops: [Stop]
    /// True if the colours between two stops are not a linear mix of premultiplied colours.
    private let isCurved: Bool

    /// - Parameter box: The gradient's box in device pixels; `scale`: device pixels per CSS pixel.
    package init(_ gradient: Gradient, box: Rect, scale deviceScale: Float) {
        let length: Float
        func resolve(_ position: Gradient.Position) -> Point {
            Point(
                x: box.x + position.x.scaled(by: deviceScale).resolved(against: box.width),
                y: box.y + position.y.scaled(by: deviceScale).resolved(against: box.height))
        }
        switch gradient.shape {
        case .linear(let angle): (geometry, length) = Self.linear(angle: angle, box)
        case .linearTo(let x, let y):
            // To a corner: the 50% line joins the two neighbouring corners (§3.1.1).
            let angle: Float
            if x == 0 {
                angle = y < 0 ? 0 : 180
            } else if y == 0 {
                angle = x > 0 ? 90 : 270
            } else {
                angle = atan2(Float(x) * box.height, -Float(y) * box.width) * 180 / .pi
            }
            (geometry, length) = Self.linear(angle: angle, box)
        case .radial(let circle, let extent, let center):
            let radii = Self.radii(circle: circle, extent, resolve(center), box, deviceScale)
            let inverse = Size(width: 1 / max(radii.width, 1e-5), height: 1 / max(radii.height, 1e-5))
            (geometry, length) = (.radial(center: resolve(center), inverse: inverse), radii.width)
        case .conic(let from, let center):
            let turns = from / 360
            (geometry, length) = (.conic(center: resolve(center), from: turns - turns.rounded(.down)), 1)
        }
        let isConic = if case .conic = geometry { true } else { false }
        var stops = Self.resolve(gradient.stops, length: isConic ? 1 : length / deviceScale, isConic: isConic)
        let (first, last) = (stops.first?.position ?? 0, stops.last?.position ?? 1)
        repeats = gradient.isRepeating && last - first > 1e-5
        if gradient.isRepeating, !repeats, let end = stops.last {
            // A repeating gradient of length zero shows its last colour.
            for index in stops.indices { stops[index].color = end.color }
        }
        low = first
        let span = max(last - first, 1e-6)
        let pixels = isConic ? 2 * Float.pi * max(box.width, box.height) : length * span
        var entries = 256
        while Float(entries) < 2 * pixels && entries < 16_384 { entries *= 2 }
        if last - first <= 1e-6 { entries = 2 }
        self.entries = entries
        self.scale = Float(entries) / span
        fillsOpaquely = stops.allSatisfy { $0.color.w == 255 }
        isCurved = gradient.interpolation != nil || stops.contains { $0.middle != 0.5 }
        isDithered = Self.showsBands(stops, pixels: pixels / span)
        interpolation = gradient.interpolation
        self.stops = stops
    }

    private func makeSamples() -> Samples {
        var colors: [SIMD4<Float>] = [stops.first?.color ?? .zero]
        colors.reserveCapacity(entries + 2)
        var segment = 0
        var shares: [Float] = []
        func endSegment() {
            guard segment + 1 < stops.count else {
                colors.append(contentsOf: repeatElement(stops.last?.color ?? .zero, count: shares.count))
                return
            }
            let (from, to) = (stops[segment], stops[segment + 1])
            if let interpolation {
                colors.append(contentsOf: interpolation.colors(from: from.exact, to: to.exact, at: shares))
            } else {
                for share in shares { colors.append(from.color + (to.color - from.color) * share) }
            }
        }
        for entry in 0..<entries {
            let position = low + (Float(entry) + 0.5) / scale
            if segment + 2 < stops.count, position >= stops[segment + 1].position {
                endSegment()
                shares.removeAll(keepingCapacity: true)
                repeat { segment += 1 } while segment + 2 < stops.count && position >= stops[segment + 1].position
            }
            shares.append(Self.share(stops, segment, position))
        }
        endSegment()
        colors.append(stops.last?.color ?? .zero)
        guard !isDithered else {
            func fine(_ channel: Float) -> UInt16 { UInt16(max(0, min(255, channel)) * 256 + 0.5) }
            return Samples(
                table: Array(0..<UInt32(colors.count)),
                fineTable: colors.map { SIMD4(fine($0.x), fine($0.y), fine($0.z), fine($0.w)) })
        }
        var samples = Samples(table: colors.map(Pixel.rounded))
        if case .linear = geometry, !repeats {
            let table = samples.table
            samples.runEnds = [Int32](repeating: Int32(table.count), count: table.count)
            for entry in table.indices.dropLast().reversed() {
                let isLast = table[entry] != table[entry + 1]
                samples.runEnds[entry] = isLast ? Int32(entry + 1) : samples.runEnds[entry + 1]
                if isLast { samples.changes += 1 }
            }
        }
        return samples
    }

    /// Returns whether colours change so slowly in `pixels` per unit of position, and are so dark, that each is visible as a band.
    /// The eye perceives relative differences of luminance. Dithering makes files larger, so brighter gradients have none.
    private static func showsBands(_ stops: [Stop], pixels: Float) -> Bool {
        guard stops.allSatisfy({ $0.color.w == 255 }), Set(stops.map(\.straight)).count > 1 else { return false }
        return zip(stops, stops.dropFirst()).allSatisfy { from, to in
            let change = pointwiseMax(from.color - to.color, to.color - from.color).max()
            let brightest = pointwiseMax(from.color, to.color).replacing(with: 0, where: alphaLane).max()
            return brightest <= darkest && (to.position - from.position) * pixels >= narrowestBand * change
        }
    }

    /// The highest channel value that is dithered, of 255.
    private static let darkest: Float = 64
    /// The narrowest visible band, in pixels.
    private static let narrowestBand: Float = 8
    private static let alphaLane = SIMDMask<SIMD4<Int32>>([false, false, false, true])

    /// The angle of each pixel takes an arc tangent.
    var work: Int { if case .conic = geometry { 2 * Paint.shaderWork } else { Paint.shaderWork } }

    private static func linear(angle: Float, _ box: Rect) -> (Geometry, Float) {
        var (dx, dy) = (sin(angle * .pi / 180), -cos(angle * .pi / 180))
        // Exact along an axis, so that no row or column varies in colour.
        if angle.truncatingRemainder(dividingBy: 90) == 0 { (dx, dy) = (dx.rounded(), dy.rounded()) }
        let length = max(abs(box.width * dx) + abs(box.height * dy), 1e-5)
        let (centerX, centerY) = (box.x + box.width / 2, box.y + box.height / 2)
        let (ux, uy) = (dx / length, dy / length)
        return (.linear(dx: ux, dy: uy, origin: 0.5 - centerX * ux - centerY * uy), length)
    }

    /// The ending shape's radii (CSS Images 3 §3.2.1).
    private static func radii(
        circle: Bool, _ extent: Gradient.RadialExtent, _ center: Point, _ box: Rect, _ scale: Float
    ) -> Size {
        let (left, right) = (abs(center.x - box.x), abs(box.maxX - center.x))
        let (top, bottom) = (abs(center.y - box.y), abs(box.maxY - center.y))
        let isClosest = extent == .closestSide || extent == .closestCorner
        func pick(_ a: Float, _ b: Float) -> Float { isClosest ? min(a, b) : max(a, b) }
        let (x, y) = (pick(left, right), pick(top, bottom))
        switch extent {
        case .closestSide, .farthestSide:
            return circle ? Size(width: pick(x, y), height: pick(x, y)) : Size(width: x, height: y)
        case .closestCorner, .farthestCorner:
            if circle {
                let radius = (pick(left * left, right * right) + pick(top * top, bottom * bottom)).squareRoot()
                return Size(width: radius, height: radius)
            }
            // The ellipse through the corner with the side's ratio: √2 times the side's radii.
            return Size(width: x * Float(2).squareRoot(), height: y * Float(2).squareRoot())
        case .size(let x, let y):
            let width = x.scaled(by: scale).resolved(against: box.width)
            return Size(width: width, height: circle ? width : y.scaled(by: scale).resolved(against: box.height))
        }
    }

    // MARK: Stops

    private struct Stop {
        var position: Float
        /// Premultiplied, 0–255.
        var color: SIMD4<Float>
        var straight: Color
        /// Also outside of sRGB.
        var exact: ColorValue
        /// The share of the way to the next stop at which the colours are half mixed (a hint); 0.5 without a hint.
        var middle: Float = 0.5
    }

    /// Fixes up stops (CSS Images 4 §3.4.3): missing positions are spread evenly, none decreases, hints move the middle.
    private static func resolve(_ stops: [GradientStop], length: Float, isConic: Bool) -> [Stop] {
        var positions: [Float?] = stops.map { stop in
            stop.position.map { position in
                if isConic { return position.fraction + position.px / 360 }
                let length = max(length, 1e-5)
                return position.isBounded
                    ? position.resolved(against: length) / length : position.fraction + position.px / length
            }
        }
        guard !positions.isEmpty else { return [] }
        positions[0] = positions[0] ?? 0
        positions[positions.count - 1] = positions[positions.count - 1] ?? 1
        var known = 0
        for index in positions.indices {
            guard let position = positions[index], let start = positions[known] else { continue }
            let end = max(start, position)
            positions[index] = end
            for missing in stride(from: known + 1, to: index, by: 1) {
                positions[missing] = start + (end - start) * Float(missing - known) / Float(index - known)
            }
            known = index
        }
        var result: [Stop] = []
        var hint: Float?
        for (stop, position) in zip(stops, positions) {
            let position = position ?? 0
            if stop.isHint {
                hint = position
                continue
            }
            if let place = hint, let previous = result.last {
                let span = position - previous.position
                result[result.count - 1].middle = span > 0 ? (place - previous.position) / span : 0.5
                hint = nil
            }
            let color = stop.color
            var channels = SIMD4(Float(color.red), Float(color.green), Float(color.blue), 255)
            channels *= Float(color.alpha) / 255
            channels.w = Float(color.alpha)
            result.append(
                Stop(position: position, color: channels, straight: color, exact: stop.wide ?? ColorValue(color)))
        }
        return result
    }

    /// The mixing share at a position between a stop and the next one, adjusted for the hint.
    private static func share(_ stops: [Stop], _ segment: Int, _ position: Float) -> Float {
        guard segment + 1 < stops.count else { return 1 }
        let (from, to) = (stops[segment], stops[segment + 1])
        let span = to.position - from.position
        let share = span > 0 ? max(0, min(1, (position - from.position) / span)) : 1
        if from.middle <= 0 { return 1 }
        if from.middle >= 1 { return 0 }
        return from.middle == 0.5 ? share : pow(share, log(Float(0.5)) / log(from.middle))
    }

    // MARK: Outputs that draw gradients themselves

    /// The gradient for vector formats; `nil` for conic ones, and radial ones that repeat from a ring on.
    func vector() -> VectorGradient? {
        let isRadial = if case .radial = geometry { true } else { false }
        let stops = vectorStops(isRadial: isRadial)
        guard let first = stops.first?.position, let last = stops.last?.position else { return nil }
        let span = max(last - first, 1e-6)
        var result: VectorGradient
        switch geometry {
        case .linear(let dx, let dy, let origin):
            let square = max(dx * dx + dy * dy, 1e-12)
            func point(_ position: Float) -> Point {
                Point(x: (position - origin) * dx / square, y: (position - origin) * dy / square)
            }
            result = VectorGradient(shape: .linear(from: point(first), to: point(first + span)))
        case .radial(let center, let inverse):
            // A circle begins at its centre.
            if first < 0 || repeats && first != 0 { return nil }
            let radius = max(last, 1e-6)
            let radii = Size(width: radius / inverse.width, height: radius / inverse.height)
            result = VectorGradient(shape: .radial(center: center, radii: radii))
        case .conic: return nil
        }
        result.repeats = repeats
        let (origin, length) = isRadial ? (0, max(last, 1e-6)) : (first, span)
        func add(_ position: Float, _ color: Color) {
            result.stops.append((max(0, min(1, (position - origin) / length)), color))
        }
        // Vector formats mix colours that are not premultiplied. Nothing is mixed before the first stop and after the last one.
        let high = self.stops.last?.position ?? last
        let isBent = zip(stops, stops.dropFirst()).map { from, to in
            to.position > from.position && from.position >= low && to.position <= high
                && (isCurved || from.straight.alpha != to.straight.alpha) && !isDithered
        }
        func addSample(_ position: Float) {
            let entry = max(1, min(samples.table.count - 2, Int(bounded: (position - low) * scale) + 1))
            let color = isDithered ? Pixel.rounded(SIMD4<Float>(samples.fineTable[entry]) / 256) : samples.table[entry]
            add(position, Pixel.straight(color))
        }
        // Readers and writers search the stops, so that many of them take quadratic time.
        guard stops.count + isBent.count(where: { $0 }) * Self.curveSteps <= Self.mostStops else {
            for step in 0...Self.mostStops { addSample(first + span * Float(step) / Float(Self.mostStops)) }
            return result
        }
        for (index, stop) in stops.enumerated() {
            add(stop.position, stop.straight)
            guard index < isBent.count, isBent[index] else { continue }
            let next = stops[index + 1].position
            for step in 1..<Self.curveSteps {
                addSample(stop.position + (next - stop.position) * Float(step) / Float(Self.curveSteps))
            }
        }
        return result
    }

    /// The stops without those that coincide at an end of the line, because readers and writers of vector formats disagree on them.
    private func vectorStops(isRadial: Bool) -> [Stop] {
        var stops = stops
        guard let first = stops.first, let last = stops.last else { return [] }
        // Nothing has the colours outside of a repeated part, or inside of a circle's centre.
        if repeats || isRadial && first.position == 0 {
            stops.removeFirst((stops.firstIndex { $0.position > first.position } ?? stops.count) - 1)
        }
        if repeats {
            stops.removeLast(stops.count - 1 - (stops.firstIndex { $0.position >= last.position } ?? 0))
            return stops
        }
        let places = stops.map(\.position)
        let span = last.position - (isRadial ? 0 : first.position)
        guard
            span < Self.shortestSpan || places.count < 2 || places[0] == places[1]
                || places[places.count - 2] == last.position
        else { return stops }
        // A longer line has the same colours.
        let margin = span < Self.shortestSpan ? 1 : span
        func end(_ position: Float, _ stop: Stop) -> Stop {
            Stop(position: position, color: stop.color, straight: stop.straight, exact: stop.exact)
        }
        if !isRadial || first.position > 0 { stops.insert(end(isRadial ? 0 : first.position - margin, first), at: 0) }
        return stops + [end(last.position + margin, last)]
    }

    /// The number of stops that approximate a non-linear segment.
    private static let curveSteps = 16
    /// Gradients with more stops are sampled.
    private static let mostStops = 2048
    /// The least distance of stops that vector formats tell apart, in lengths of the gradient's line.
    private static let shortestSpan: Float = 1e-3

    // MARK: Rows

    package func fill(_ row: UnsafeMutableBufferPointer<UInt32>, from start: Point, step: Point) {
        look(up: row, from: start, step: step)
        if isDithered { dither(row, x: Int(bounded: start.x), y: Int(bounded: start.y)) }
    }

    /// Ordered dithering with an 8 × 8 matrix (Bayer 1973), as in Skia: each colour changes by less than half a step.
    private func dither(_ row: UnsafeMutableBufferPointer<UInt32>, x: Int, y: Int) {
        let fineTable = samples.fineTable
        for index in row.indices {
            let (column, mixed) = (x + index, (x + index) ^ y)
            // Interleaves the bits of both coordinates, most significant first, so that neighbouring pixels differ most.
            let place =
                (mixed & 1) << 5 | (column & 1) << 4 | (mixed & 2) << 2 | (column & 2) << 1 | (mixed & 4) >> 1
                | (column & 4) >> 2
            let color = fineTable[Int(row[index])]
            let offset = UInt16(4 * place + 2)
            let alpha = (UInt32(color.w) + 128) >> 8
            func channel(_ value: UInt16) -> UInt32 { min(UInt32(value &+ offset) >> 8, alpha) }
            row[index] = channel(color.x) | channel(color.y) << 8 | channel(color.z) << 16 | alpha << 24
        }
    }

    /// The table's entries along a line.
    private func look(up row: UnsafeMutableBufferPointer<UInt32>, from start: Point, step: Point) {
        let samples = samples
        samples.table.withUnsafeBufferPointer { table in
            switch geometry {
            case .linear(let dx, let dy, let origin):
                // In units of table entries, at the centre of the first pixel.
                let place = (start.x * dx + start.y * dy + origin - low) * scale
                let step = (step.x * dx + step.y * dy) * scale
                if step == 0 || !step.isFinite || !place.isFinite {
                    row.update(repeating: color(table, place))
                } else if repeats {
                    for index in row.indices { row[index] = color(table, place + Float(index) * step) }
                } else if !samples.runEnds.isEmpty,
                    Float(samples.changes * Self.shortestRun) * abs(step) < Float(table.count)
                {
                    fillRuns(of: row, table, samples.runEnds, from: place, step: step)
                } else {
                    let highest = Float(table.count - 1)
                    for index in row.indices { row[index] = table[Self.entry(index, place, step, highest)] }
                }
            case .radial(let center, let inverse):
                for index in row.indices {
                    let u = (start.x + Float(index) * step.x - center.x) * inverse.width
                    let v = (start.y + Float(index) * step.y - center.y) * inverse.height
                    row[index] = color(table, ((u * u + v * v).squareRoot() - low) * scale)
                }
            case .conic(let center, let from):
                for index in row.indices {
                    // atan2 from the top, clockwise.
                    let x = start.x + Float(index) * step.x - center.x
                    let y = start.y + Float(index) * step.y - center.y
                    let turns = atan2(x, -y) / (2 * .pi) - from
                    row[index] = color(table, (turns - turns.rounded(.down) - low) * scale)
                }
            }
        }
    }

    /// The average run length in pixels from which finding the end of a run costs less than a lookup per pixel.
    private static let shortestRun = 12

    /// The table entry of a pixel on a line. Entries never decrease along the line.
    @inline(__always)
    private static func entry(_ index: Int, _ place: Float, _ step: Float, _ highest: Float) -> Int {
        Int(Int32(max(0, min(highest, place + Float(index) * step + 1))))
    }

    /// Fills each run of pixels that share a colour at once, in ascending order of entries.
    private func fillRuns(
        of row: UnsafeMutableBufferPointer<UInt32>, _ table: UnsafeBufferPointer<UInt32>, _ runEnds: [Int32],
        from place: Float, step: Float
    ) {
        // If entries decrease along the row, pixels are counted from the last one.
        let last = row.count - 1
        func pixel(_ count: Int) -> Int { step > 0 ? count : last - count }
        let highest = Float(table.count - 1)
        let first = place + Float(pixel(0)) * step
        let pixelsPerEntry = 1 / abs(step)
        var start = 0
        while start < row.count {
            let known = Self.entry(pixel(start), place, step, highest)
            let next = Int(runEnds[known])
            var end = row.count
            if next < table.count {
                let edge = Float(next)
                func isPast(_ count: Int) -> Bool { place + Float(pixel(count)) * step + 1 >= edge }
                // The estimate may be off by a pixel or two because of rounding.
                let guess = (edge - 1 - first) * pixelsPerEntry
                end = max(start + 1, Int(max(0, min(Float(last), guess))) + 1)
                while end > start + 1, isPast(end - 1) { end -= 1 }
                while end < row.count, !isPast(end) { end += 1 }
            }
            let run = step > 0 ? start..<end : row.count - end..<row.count - start
            UnsafeMutableBufferPointer(rebasing: row[run]).update(repeating: table[known])
            start = end
        }
    }

    /// The colour at a position, in table entries from the first stop.
    @inline(__always) private func color(_ table: UnsafeBufferPointer<UInt32>, _ place: Float) -> UInt32 {
        guard place.isFinite else { return table[table.count - 1] }
        if repeats {
            let count = Float(table.count - 2)
            // Pixels exactly at the seam between two repetitions all fall on the same side of it.
            let place = place + 1 / 64
            let wrapped = place - (place / count).rounded(.down) * count
            return table[max(1, min(table.count - 2, Int(wrapped) + 1))]
        }
        return table[Int(Int32(max(0, min(Float(table.count - 1), (place + 1).rounded(.down)))))]
    }
}

/// A gradient whose line and stops are numbers.
package struct VectorGradient {
    package enum Shape {
        case linear(from: Point, to: Point)
        /// From the centre to the ellipse.
        case radial(center: Point, radii: Size)
    }
    package var shape: Shape
    /// Offsets from 0 to 1 in ascending order; colours between them are mixed without being premultiplied.
    package var stops: [(offset: Float, color: Color)] = []
    package var repeats = false
}
