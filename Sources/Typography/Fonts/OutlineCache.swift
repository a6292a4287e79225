// The outlines of glyphs, hinted by FreeType for a size. Each serves for the pictures at several subpixel offsets.

import CFancyTextTextLibraries

/// A copy of an outline, in 1/64 device pixels.
final class LoadedOutline {
    private var outline = FT_Outline()
    /// Keeps FreeType open.
    private let libraries: FontLibraries
    /// The box around all points, including control points.
    private(set) var box = FT_BBox()

    /// - Parameter source: FreeType's outline, which the next glyph overwrites.
    init?(copying source: inout FT_Outline, _ libraries: FontLibraries) {
        self.libraries = libraries
        let (points, contours) = (FT_UInt(source.n_points), FT_Int(source.n_contours))
        guard FT_Outline_New(libraries.library, points, contours, &outline) == 0,
            FT_Outline_Copy(&source, &outline) == 0
        else { return nil }
        if points > 0 { FT_Outline_Get_CBox(&outline, &box) }
    }

    deinit { FT_Outline_Done(libraries.library, &outline) }

    var isEmpty: Bool { outline.n_points == 0 }

    /// The approximate size in bytes.
    var cost: Int { Int(outline.n_points) * 17 + Int(outline.n_contours) * 2 + 128 }

    /// Draws the shifted outline; 0 for success.
    func draw(movedBy shift: (x: FT_Pos, y: FT_Pos), into bitmap: inout FT_Bitmap) -> FT_Error {
        FT_Outline_Translate(&outline, shift.x, shift.y)
        defer { FT_Outline_Translate(&outline, -shift.x, -shift.y) }
        return FT_Outline_Get_Bitmap(libraries.library, &outline, &bitmap)
    }
}
