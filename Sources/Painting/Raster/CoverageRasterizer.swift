// Rasterizes outlines to exact-area coverage (Levien's accumulation buffer, as in font-rs).
// Every edge adds its signed area to the cells that it crosses; a running sum along a row then gives the winding-weighted coverage
// of each pixel. A block of a row without edges has uniform coverage and is filled or skipped as a whole.

import FancyTextBasics

struct CoverageRasterizer {
    private var bounds = DeviceRect(minX: 0, minY: 0, maxX: 0, maxY: 0)
    private var width: Float = 0, height: Float = 0
    /// The width plus two: an edge at the right border writes into the next cells.
    private var stride = 0
    private var cells: [Float] = []
    /// One flag for each block of `blockWidth` cells in a row.
    private var touched: [Bool] = []
    private var blocks = 0
    private var (firstRow, lastRow) = (Int.max, -1)
    private var row: [UInt8] = []

    private static let blockWidth = 32
    /// The largest distance of a flattened curve from the exact one, in pixels.
    private static let tolerance: Float = 0.02

    /// Begins a shape of which only the part within `bounds` is rasterized.
    mutating func begin(_ bounds: DeviceRect) {
        self.bounds = bounds
        (width, height) = (Float(bounds.width), Float(bounds.height))
        stride = bounds.width + 2
        blocks = (stride + Self.blockWidth - 1) / Self.blockWidth
        let needed = stride * bounds.height
        if cells.count < needed { cells = [Float](repeating: 0, count: needed) }
        if touched.count < blocks * bounds.height { touched = [Bool](repeating: false, count: blocks * bounds.height) }
        if row.count < stride { row = [UInt8](repeating: 0, count: stride + 8) }
        (firstRow, lastRow) = (Int.max, -1)
    }

    mutating func add(_ path: Path, _ transform: Transform = Transform()) {
        var (start, last, isOpen) = (Point.zero, Point.zero, false)
        path.flattened(transform, tolerance: Self.tolerance) { step in
            switch step {
            case .move(let point):
                if isOpen { addLine(last, start) }
                (start, last, isOpen) = (point, point, true)
            case .line(let point), .chord(let point, _):
                addLine(last, point)
                last = point
            case .close:
                if isOpen { addLine(last, start) }
                (last, isOpen) = (start, false)
            }
        }
        if isOpen { addLine(last, start) }
    }

    /// Adds a straight edge in device coordinates. Contours must be closed.
    mutating func addLine(_ from: Point, _ to: Point) {
        guard from.y != to.y, from.x.isFinite, from.y.isFinite, to.x.isFinite, to.y.isFinite else { return }
        let goesDown = from.y < to.y
        let corner = Point(x: Float(bounds.minX), y: Float(bounds.minY))
        var (top, bottom) = ((goesDown ? from : to) - corner, (goesDown ? to : from) - corner)
        guard bottom.y > 0, top.y < height else { return }
        let slope = (bottom.x - top.x) / (bottom.y - top.y)
        if top.y < 0 {
            top.x -= top.y * slope
            top.y = 0
        }
        if bottom.y > height {
            bottom.x += (height - bottom.y) * slope
            bottom.y = height
        }
        let direction: Float = goesDown ? 1 : -1
        // Parts of an edge to the left of the bounds are moved to the left border, parts to the right to the right border.
        var cuts: (Float, Float) = (bottom.y, bottom.y)
        if slope != 0 {
            let (atLeft, atRight) = (top.y + (0 - top.x) / slope, top.y + (width - top.x) / slope)
            cuts = (max(top.y, min(bottom.y, min(atLeft, atRight))), max(top.y, min(bottom.y, max(atLeft, atRight))))
        }
        var (y, x) = (top.y, top.x)
        for end in [cuts.0, cuts.1, bottom.y] where end > y {
            let endX = end == bottom.y ? bottom.x : top.x + (end - top.y) * slope
            let middle = (x + endX) / 2
            let border: Float? = middle <= 0 ? 0 : middle >= width ? width : nil
            accumulate(
                x: border ?? max(0, min(width, x)), y: y, x: border ?? max(0, min(width, endX)), y: end, direction)
            (x, y) = (endX, end)
        }
    }

    /// Adds the signed area of an edge within the bounds, with `y0 < y1`.
    private mutating func accumulate(x x0: Float, y y0: Float, x x1: Float, y y1: Float, _ direction: Float) {
        let slope = (x1 - x0) / (y1 - y0)
        let first = Int(y0)
        let last = min(Int(y1.rounded(.up)), bounds.height)
        guard first < last else { return }
        (firstRow, lastRow) = (min(firstRow, first), max(lastRow, last - 1))
        let (stride, blocks, limit) = (stride, blocks, width)
        cells.withUnsafeMutableBufferPointer { cells in
            touched.withUnsafeMutableBufferPointer { touched in
                var x = x0
                for line in first..<last {
                    let (top, bottom) = (max(y0, Float(line)), min(y1, Float(line + 1)))
                    let dy = bottom - top
                    let next = line == last - 1 ? x1 : min(limit, max(0, x0 + (bottom - y0) * slope))
                    let signed = dy * direction
                    let (left, right) = (min(x, next), max(x, next))
                    let leftCell = Int(left)
                    let (base, flags) = (line * stride, line * blocks)
                    let rightCell = Int(right.rounded(.up))
                    touched[flags + leftCell / Self.blockWidth] = true
                    if rightCell <= leftCell + 1 {
                        // Within one cell: the mean of x divides the area between this cell and the next.
                        let share = (left + right) / 2 - Float(leftCell)
                        cells[base + leftCell] += signed * (1 - share)
                        cells[base + leftCell + 1] += signed * share
                        touched[flags + (leftCell + 1) / Self.blockWidth] = true
                    } else {
                        let inverse = 1 / (right - left)
                        let leftPart = 1 - (left - Float(leftCell))
                        let first = 0.5 * inverse * leftPart * leftPart
                        let rightPart = right - Float(rightCell - 1)
                        let last = 0.5 * inverse * rightPart * rightPart
                        cells[base + leftCell] += signed * first
                        if rightCell == leftCell + 2 {
                            cells[base + leftCell + 1] += signed * (1 - first - last)
                        } else {
                            let second = inverse * (leftPart + 0.5)
                            cells[base + leftCell + 1] += signed * (second - first)
                            var cell = leftCell + 2
                            while cell < rightCell - 1 {
                                cells[base + cell] += signed * inverse
                                cell += 1
                            }
                            let before = second + Float(rightCell - leftCell - 3) * inverse
                            cells[base + rightCell - 1] += signed * (1 - before - last)
                        }
                        cells[base + rightCell] += signed * last
                        for block in (leftCell / Self.blockWidth)...(rightCell / Self.blockWidth) {
                            touched[flags + block] = true
                        }
                    }
                    x = next
                }
            }
        }
    }

    /// Calls `body(x, y, coverage, count)` for the covered part of each row, from the top, and clears the edges.
    mutating func finish(isEvenOdd: Bool = false, _ body: (Int, Int, UnsafePointer<UInt8>, Int) -> Void) {
        guard firstRow <= lastRow else { return }
        let count = bounds.width
        let (bounds, stride, blocks, firstRow, lastRow) = (bounds, stride, blocks, firstRow, lastRow)
        cells.withUnsafeMutableBufferPointer { cells in
            touched.withUnsafeMutableBufferPointer { touched in
                row.withUnsafeMutableBufferPointer { row in
                    guard let coverage = row.baseAddress else { return }
                    for line in firstRow...lastRow {
                        var sum: Float = 0
                        var (from, to) = (count, 0)
                        for block in 0..<blocks {
                            let start = block * Self.blockWidth
                            let end = min(start + Self.blockWidth, count)
                            guard start < end else {
                                Self.clear(cells, line * stride + start, (line + 1) * stride)
                                touched[line * blocks + block] = false
                                continue
                            }
                            if touched[line * blocks + block] {
                                touched[line * blocks + block] = false
                                let base = line * stride
                                for cell in start..<end {
                                    sum += cells[base + cell]
                                    cells[base + cell] = 0
                                    coverage[cell] = isEvenOdd ? Self.evenOddByte(sum) : Self.byte(sum)
                                }
                                if end == count { Self.clear(cells, base + count, base + stride) }
                                (from, to) = (min(from, start), end)
                            } else {
                                let value = isEvenOdd ? Self.evenOddByte(sum) : Self.byte(sum)
                                (coverage + start).update(repeating: value, count: end - start)
                                if value != 0 { (from, to) = (min(from, start), end) }
                            }
                        }
                        if from < to {
                            body(bounds.minX + from, bounds.minY + line, UnsafePointer(coverage + from), to - from)
                        }
                    }
                }
            }
        }
    }

    private static func clear(_ cells: UnsafeMutableBufferPointer<Float>, _ from: Int, _ to: Int) {
        for cell in from..<max(from, to) { cells[cell] = 0 }
    }

    private static func evenOddByte(_ area: Float) -> UInt8 {
        let rest = abs(area).truncatingRemainder(dividingBy: 2)
        return byte(rest > 1 ? 2 - rest : rest)
    }

    @inline(__always) private static func byte(_ area: Float) -> UInt8 { UInt8(min(1, abs(area)) * 255 + 0.5) }
}
