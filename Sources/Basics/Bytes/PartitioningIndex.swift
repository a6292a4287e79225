// Binary search, and ranges of indices.

extension RandomAccessCollection where Index == Int {
    /// The index of the first element for which `isBehind` is true. It must be true for all later elements. O(log n).
    @inlinable
    package func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Range<Int> {
    package func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}
