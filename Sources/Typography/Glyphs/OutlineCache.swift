// A cache of glyph outlines, hinted by FreeType for a size. Each serves for the pictures at several subpixel offsets.

import FancyTextBasics
import CFancyTextTextLibraries

/// An immutable copy of an outline, in 1/64 device pixels.
final class LoadedOutline {
    private let memory: UnsafeMutableRawPointer
    private let outline: FT_Outline
    /// The box around all points, including control points.
    let box: FT_BBox

    /// - Parameter source: FreeType's outline, which the next glyph overwrites.
    init(copying source: FT_Outline, box: FT_BBox) {
        let (points, contours) = (Int(source.n_points), Int(source.n_contours))
        let sizes = (points * MemoryLayout<FT_Vector>.stride, contours * MemoryLayout<Int16>.stride)
        memory = .allocate(byteCount: max(1, sizes.0 + sizes.1 + points), alignment: MemoryLayout<FT_Vector>.alignment)
        var copy = source
        copy.points = memory.bindMemory(to: FT_Vector.self, capacity: points)
        copy.contours = (memory + sizes.0).bindMemory(to: Int16.self, capacity: contours)
        copy.tags = (memory + sizes.0 + sizes.1).bindMemory(to: CChar.self, capacity: points)
        if points > 0, contours > 0 {
            copy.points.initialize(from: source.points, count: points)
            copy.contours.initialize(from: source.contours, count: contours)
            copy.tags.initialize(from: source.tags, count: points)
        }
        outline = copy
        self.box = box
    }

    deinit { memory.deallocate() }

    var isEmpty: Bool { outline.n_points == 0 }

    /// The approximate size in bytes.
    var cost: Int { Int(outline.n_points) * 17 + Int(outline.n_contours) * 2 + 128 }

    /// Calls `body` with a shifted copy, which it may change.
    func withMoved<Result>(x: FT_Pos, y: FT_Pos, _ body: (inout FT_Outline) -> Result) -> Result {
        let count = Int(outline.n_points)
        return withUnsafeTemporaryAllocation(of: FT_Vector.self, capacity: max(1, count)) { points in
            for index in 0..<count {
                points[index] = FT_Vector(x: outline.points[index].x &+ x, y: outline.points[index].y &+ y)
            }
            var copy = outline
            copy.points = points.baseAddress
            return body(&copy)
        }
    }
}

/// The key of an outline: a font's glyph, at a number of device pixels for each CSS pixel.
struct OutlineKey: Equatable {
    var font: FontID
    var glyph: UInt32
    var scale: Float

    var hash: UInt64 { UInt64(glyph) << 32 ^ UInt64(font.rawValue) << 56 ^ UInt64(scale.bitPattern) }
}

/// A cache of outlines within a budget of bytes.
final class OutlineCache {
    private var index = HashIndex()
    private var keys: [OutlineKey] = []
    private var outlines: [LoadedOutline] = []
    private var used = 0
    private static let budget = 1 << 20

    func find(_ key: OutlineKey) -> LoadedOutline? {
        index.position(of: key.hash) { keys[$0] == key }.map { outlines[$0] }
    }

    /// Adds an outline that is not in the cache. When the budget is used up, the cache is emptied first.
    func insert(_ outline: LoadedOutline, _ key: OutlineKey) {
        if used + outline.cost > Self.budget {
            index.removeAll()
            keys.removeAll()
            outlines.removeAll()
            used = 0
        }
        used += outline.cost
        index.insert(keys.count, hash: key.hash)
        keys.append(key)
        outlines.append(outline)
    }
}
