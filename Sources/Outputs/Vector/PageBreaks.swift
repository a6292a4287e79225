// The breaks of a long document into pages: between lines, rows and pictures (CSS Fragmentation 3 §4).
//
// In: the lengths of document and page, and ranges that must not be broken. Out: the break positions, ascending.

import FancyTextBasics

package enum PageBreaks {
    /// The top of each page and the bottom of the last one.
    ///
    /// - Parameters:
    ///   - length: of the document; `page`: of a page, both above 0.
    ///   - solid: ranges that must not be broken, unless they are longer than a page.
    /// - Complexity: O(n log n), and for each page the ranges on it times those that overlap.
    package static func places(length: Float, page: Float, solid: [Range<Float>]) -> [Float] {
        let stretches = solid.filter { $0.upperBound - $0.lowerBound <= page }.sorted { $0.lowerBound < $1.lowerBound }
        var places: [Float] = [0]
        while let top = places.last, top + page < length, places.count < mostPages {
            let bottom = cut(before: top + page, page, stretches)
            places.append(bottom > top ? bottom : top + page)
        }
        places.append(length)
        return places
    }

    /// The lowest position at or above `bottom` that breaks no range.
    private static func cut(before bottom: Float, _ page: Float, _ stretches: [Range<Float>]) -> Float {
        var bottom = bottom
        // A range that reaches below `bottom` begins less than a page above it.
        var index = stretches.partitioningIndex { $0.lowerBound >= bottom }
        while index > 0, stretches[index - 1].lowerBound > bottom - page {
            index -= 1
            if stretches[index].upperBound > bottom { bottom = stretches[index].lowerBound }
        }
        return bottom
    }

    /// After this many pages, the last page contains the rest.
    private static let mostPages = 10_000
}
