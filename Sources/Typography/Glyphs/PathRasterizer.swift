// Paths to spans of coverage, and outlines of strokes: FreeType's smooth rasterizer and stroker for shapes of any kind.
//
// In: a path in device pixels and a clip. Out: for each row, runs of equal coverage, from top to bottom within a path
// of common size (FreeType works in bands, so rows of very complex shapes can come in several pieces).

import Basics
import CTextLibraries

/// A run of pixels with the same coverage in one row. The layout is that of FreeType's span.
package struct CoverageSpan {
    package var x: Int16
    package var count: UInt16
    package var coverage: UInt8
}

/// Pixels from `left` up to but without `right`, `top` up to but without `bottom`.
package struct PixelRect: Hashable, Sendable {
    package var left, top, right, bottom: Int
    package init(left: Int, top: Int, right: Int, bottom: Int) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }
    package var isEmpty: Bool { left >= right || top >= bottom }
}

package enum FillRule: UInt8, Hashable, Sendable { case nonZero, evenOdd }
package enum LineJoin: UInt8, Hashable, Sendable { case miter, round, bevel }
package enum LineCap: UInt8, Hashable, Sendable { case butt, round, square }

/// FreeType counts an outline's points in 16 bits.
private let maximumOutlinePoints = 32_000

extension FontContext {
    /// Calls `paint` for the rows of a filled path, which is in device pixels, y down.
    ///
    /// Linear in the path's length and the pixels of its edge. False when one contour has more than 32,000 points.
    @discardableResult
    package func fill(
        _ path: Path, rule: FillRule = .nonZero, clip: PixelRect,
        paint: (_ y: Int, _ spans: UnsafeBufferPointer<CoverageSpan>) -> Void
    ) -> Bool {
        let clip = PixelRect(
            left: max(-32_000, clip.left), top: max(-32_000, clip.top), right: min(32_000, clip.right),
            bottom: min(32_000, clip.bottom))
        guard !clip.isEmpty else { return true }
        var builder = OutlineBuilder()
        var isWhole = true
        withoutActuallyEscaping(paint) { paint in
            var sink = SpanSink(paint: paint)
            for batch in builder.batches(of: path, &isWhole) {
                var batch = batch
                batch.withOutline(evenOdd: rule == .evenOdd) { outline in
                    var parameters = FT_Raster_Params()
                    parameters.flags = FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT | FT_RASTER_FLAG_CLIP
                    parameters.gray_spans = { y, count, spans, user in
                        guard let spans, let user else { return }
                        let sink = user.assumingMemoryBound(to: SpanSink.self)
                        spans.withMemoryRebound(to: CoverageSpan.self, capacity: Int(count)) {
                            sink.pointee.paint(-1 - Int(y), UnsafeBufferPointer(start: $0, count: Int(count)))
                        }
                    }
                    parameters.clip_box = FT_BBox(
                        xMin: clip.left, yMin: -clip.bottom, xMax: clip.right, yMax: -clip.top)
                    withUnsafeMutablePointer(to: &sink) {
                        parameters.user = UnsafeMutableRawPointer($0)
                        _ = libraries.freetype.pointee.renderOutline(libraries.library, &outline, &parameters)
                    }
                }
            }
        }
        return isWhole
    }

    /// The outline of a stroke along a path, to be filled by the non-zero rule. Open contours get caps.
    package func stroke(
        _ path: Path, width: Float, join: LineJoin = .miter, cap: LineCap = .butt, miterLimit: Float = 4
    ) -> Path {
        let freetype = libraries.freetype.pointee
        var stroker: FT_Stroker?
        guard width > 0, freetype.strokerNew(libraries.library, &stroker) == 0, let stroker else { return Path() }
        defer { freetype.strokerDone(stroker) }
        let joins: [LineJoin: FT_Stroker_LineJoin] = [
            .miter: FT_STROKER_LINEJOIN_MITER_FIXED, .round: FT_STROKER_LINEJOIN_ROUND,
            .bevel: FT_STROKER_LINEJOIN_BEVEL,
        ]
        let caps: [LineCap: FT_Stroker_LineCap] = [
            .butt: FT_STROKER_LINECAP_BUTT, .round: FT_STROKER_LINECAP_ROUND, .square: FT_STROKER_LINECAP_SQUARE,
        ]
        // More than device precision, because thin strokes of curves show the grid.
        let precision: Float = 16
        let radius = FT_Fixed(min(width, 16_000) * 32 * precision)
        freetype.strokerSet(
            stroker, radius, caps[cap] ?? FT_STROKER_LINECAP_BUTT, joins[join] ?? FT_STROKER_LINEJOIN_BEVEL,
            fixed16(miterLimit))
        func vector(_ point: Point) -> FT_Vector { outlineVector(point, precision: precision) }
        var start = 0
        let segments = path.segments
        while start < segments.count {
            guard case .move(let origin) = segments[start] else {
                start += 1
                continue
            }
            var end = start + 1
            var isClosed = false
            while end < segments.count {
                if case .move = segments[end] { break }
                end += 1
                if case .close = segments[end - 1] {
                    isClosed = true
                    break
                }
            }
            var first = vector(origin)
            guard freetype.strokerBeginSubPath(stroker, &first, isClosed ? 0 : 1) == 0 else { return Path() }
            for segment in segments[(start + 1)..<end] {
                switch segment {
                case .move, .close: break
                case .line(let point):
                    var to = vector(point)
                    _ = freetype.strokerLineTo(stroker, &to)
                case .quadratic(let control, let point):
                    var middle = vector(control)
                    var to = vector(point)
                    _ = freetype.strokerConicTo(stroker, &middle, &to)
                case .cubic(let control1, let control2, let point):
                    var one = vector(control1)
                    var two = vector(control2)
                    var to = vector(point)
                    _ = freetype.strokerCubicTo(stroker, &one, &two, &to)
                }
            }
            _ = freetype.strokerEndSubPath(stroker)
            start = end
        }
        var points: FT_UInt = 0
        var contours: FT_UInt = 0
        guard freetype.strokerCounts(stroker, &points, &contours) == 0, points > 0, points <= maximumOutlinePoints
        else { return Path() }
        var outline = FT_Outline()
        guard freetype.newOutline(libraries.library, points, FT_Int(contours), &outline) == 0 else { return Path() }
        defer { _ = freetype.doneOutline(libraries.library, &outline) }
        outline.n_points = 0
        outline.n_contours = 0
        freetype.strokerExport(stroker, &outline)
        return OutlineReader.path(of: &outline, scale: 1 / 64 / precision, libraries: libraries)
    }
}

private struct SpanSink {
    let paint: (Int, UnsafeBufferPointer<CoverageSpan>) -> Void
}

/// FreeType's coordinates: 26.6, y up, within what its rasterizer takes.
private func outlineVector(_ point: Point, precision: Float = 1) -> FT_Vector {
    func clamped(_ value: Float) -> FT_Pos {
        value.isNaN ? 0 : FT_Pos((min(max(value, -200_000), 200_000) * 64 * precision).rounded())
    }
    return FT_Vector(x: clamped(point.x), y: -clamped(point.y))
}

/// An outline's arrays, as FreeType wants them.
private struct OutlineBuilder {
    private var points: [FT_Vector] = []
    private var tags: [CChar] = []
    private var ends: [Int16] = []

    private static let on: CChar = 1
    private static let conic: CChar = 0
    private static let cubic: CChar = 2

    mutating func withOutline(evenOdd: Bool, _ body: (inout FT_Outline) -> Void) {
        let pointCount = Int16(points.count)
        let contourCount = Int16(ends.count)
        points.withUnsafeMutableBufferPointer { points in
            tags.withUnsafeMutableBufferPointer { tags in
                ends.withUnsafeMutableBufferPointer { ends in
                    var outline = FT_Outline()
                    outline.n_points = pointCount
                    outline.n_contours = contourCount
                    outline.points = points.baseAddress
                    outline.tags = tags.baseAddress
                    outline.contours = ends.baseAddress
                    outline.flags = evenOdd ? FT_OUTLINE_EVEN_ODD_FILL : FT_OUTLINE_NONE
                    body(&outline)
                }
            }
        }
    }

    private mutating func add(_ point: Point, _ tag: CChar) {
        points.append(outlineVector(point))
        tags.append(tag)
    }

    private mutating func endContour(from start: Int) {
        if points.count - start >= 2 {
            ends.append(Int16(points.count - 1))
        } else {
            points.removeSubrange(start...)
            tags.removeSubrange(start...)
        }
    }

    /// The path in pieces of whole contours that FreeType can count; `isWhole` becomes false when a contour is left out.
    mutating func batches(of path: Path, _ isWhole: inout Bool) -> [OutlineBuilder] {
        var result: [OutlineBuilder] = []
        var contour = 0
        var isTooLong = false
        func flush(_ builder: inout OutlineBuilder) {
            if !builder.ends.isEmpty { result.append(builder) }
            builder = OutlineBuilder()
        }
        for segment in path.segments {
            if points.count > maximumOutlinePoints - 3 {
                // The contour at hand moves to the next piece, or is given up when it alone is too long.
                if contour == 0 {
                    isTooLong = true
                    isWhole = false
                    points.removeAll()
                    tags.removeAll()
                } else {
                    var next = OutlineBuilder()
                    next.points = Array(points[contour...])
                    next.tags = Array(tags[contour...])
                    points.removeSubrange(contour...)
                    tags.removeSubrange(contour...)
                    result.append(self)
                    self = next
                    contour = 0
                }
            }
            switch segment {
            case .move(let point):
                if isTooLong { isTooLong = false } else { endContour(from: contour) }
                contour = points.count
                add(point, Self.on)
            case .line(let point): if !isTooLong { add(point, Self.on) }
            case .quadratic(let control, let point):
                if !isTooLong {
                    add(control, Self.conic)
                    add(point, Self.on)
                }
            case .cubic(let control1, let control2, let point):
                if !isTooLong {
                    add(control1, Self.cubic)
                    add(control2, Self.cubic)
                    add(point, Self.on)
                }
            case .close: break
            }
        }
        if !isTooLong { endContour(from: contour) }
        flush(&self)
        return result
    }
}
