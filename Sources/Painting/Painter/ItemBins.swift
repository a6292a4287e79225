// An index of items by the parts of a picture, such as bands or pages, that each may reach.

/// Indices in ascending order by part; those that may be in many parts are kept separately.
struct ItemBins {
    private var parts: [[Int]]
    private var everywhere: [Int] = []
    /// Indices that would be in more parts than this go to `everywhere`.
    private static let mostParts = 16

    init(count: Int) { parts = Array(repeating: [], count: count) }

    /// - Complexity: O(1) for indices in ascending order.
    mutating func insert(_ index: Int, in range: ClosedRange<Int>) {
        func insert(into bin: inout [Int]) {
            bin.insert(index, at: (bin.last ?? -1) < index ? bin.count : bin.partitioningIndex { $0 > index })
        }
        if range.count > Self.mostParts { return insert(into: &everywhere) }
        for part in range { insert(into: &parts[part]) }
    }

    /// The indices that may be in any of some parts, each once. O(n log n) in them.
    subscript(range: ClosedRange<Int>) -> [Int] {
        if range.count == 1 { return (everywhere + parts[range.lowerBound]).sorted() }
        return Set(everywhere + parts[range].joined()).sorted()
    }
}
