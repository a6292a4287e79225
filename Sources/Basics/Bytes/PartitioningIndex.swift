// Binary search, and ranges of indices.

extension RandomAccessCollection where Index == Int {
    /// The index of the first element for which `isBehind` is true. It must be true for all later elements. O(log n).
    @inlinable package func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
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

    /// The longest ranges of indices of which each continues the one before it.
    package func runs(_ continues: (_ before: Int, _ index: Int) -> Bool) -> [Range<Int>] {
        var (result, start): ([Range<Int>], Int) = ([], lowerBound)
        for index in dropFirst() where !continues(index - 1, index) {
            result.append(start..<index)
            start = index
        }
        return isEmpty ? [] : result + [start..<upperBound]
    }
}
