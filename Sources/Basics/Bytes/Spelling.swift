// The known name that a mistyped one probably means: the nearest by edits, if there are few.

package enum Spelling {
    /// The name that takes the fewest edits, at most `most`; the first one of several. O(similar names × square of their length).
    package static func nearest(to word: String, in names: some Sequence<String>, most: Int) -> String? {
        let bytes = Array(word.utf8)
        return names.filter { abs($0.utf8.count - bytes.count) <= most }
            .map { (name: $0, edits: edits(bytes, Array($0.utf8))) }
            .filter { $0.edits <= most }.min { $0.edits < $1.edits }?.name
    }

    /// The number of insertions, deletions, replacements and exchanges of neighbours between two names (Damerau and Levenshtein).
    private static func edits(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var (before, row) = ([Int](), Array(0...b.count))
        for (i, x) in a.enumerated() {
            var next = [i + 1]
            for (j, y) in b.enumerated() {
                var least = min(row[j] + (x == y ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, x == b[j - 1], y == a[i - 1] { least = min(least, before[j - 1] + 1) }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[b.count]
    }
}
