// Tree construction's record of the elements that are too deep for the tree.

/// A stack of the tags open below the depth limit; a run of equal tags is one entry. The oldest of very many runs are dropped.
struct TagRuns {
    private static let mostRuns = 1 << 16

    private var runs: [(tag: TagID, count: UInt32)] = []

    var isEmpty: Bool { runs.isEmpty }

    mutating func append(_ tag: TagID) {
        if runs.last?.tag == tag {
            runs[runs.count - 1].count += 1
        } else {
            if runs.count == Self.mostRuns { runs.removeFirst(Self.mostRuns / 2) }
            runs.append((tag, 1))
        }
    }

    mutating func removeLast() {
        guard let last = runs.last else { return }
        if last.count > 1 { runs[runs.count - 1].count -= 1 } else { runs.removeLast() }
    }

    /// Removes the last `tag` of the last sixteen runs with all tags above it; false if there is no such tag.
    mutating func close(_ tag: TagID) -> Bool {
        guard let k = runs.suffix(16).lastIndex(where: { $0.tag == tag }) else { return false }
        runs.removeLast(runs.count - 1 - k)
        removeLast()
        return true
    }
}
