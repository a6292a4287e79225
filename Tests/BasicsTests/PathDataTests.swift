// SVG path data.

import FancyTextBasics
import Testing

@Suite struct PathDataTests {
    @Test(arguments: ["M0 0A1e-20 5 0 0 1 6 9", "M0 0A1e-40 1e-40 0 1 1 1e7 -1e7", "M1e7 0A1e-7 1e7 77 0 0 -1e7 0"])
    func arcsOfExtremeRadiiStayFinite(_ data: String) throws {
        for segment in try #require(PathData.path(data)).segments {
            guard case .cubic(let first, let second, let end) = segment else { continue }
            #expect([first, second, end].allSatisfy { $0.x.isFinite && $0.y.isFinite })
        }
    }

    /// A smooth curve continues only a curve of its own degree.
    @Test(arguments: [
        ("M0 0Q5 0 5 5S5 9 0 9", "M0 0Q5 0 5 5C5 5 5 9 0 9"), ("M0 0C1 0 5 0 5 5T0 9", "M0 0C1 0 5 0 5 5Q5 5 0 9"),
        ("M0 0C1 0 5 0 5 5S5 9 0 9", "M0 0C1 0 5 0 5 5C5 10 5 9 0 9"), ("M0 0Q5 0 5 5T0 9", "M0 0Q5 0 5 5Q5 10 0 9"),
    ])
    func smoothCurvesReflectControlPoints(_ data: String, _ plain: String) {
        #expect(PathData.path(data)?.segments == PathData.path(plain)?.segments)
    }
}
